//! `bill.jsonl`: what every request took, a line each, and a line with the sums at the end of each turn, so that
//! a bill goes on without its whole past being read. The line of a turn is written just before its exchange, which
//! makes it count: a line of a turn beyond the last one that did is of a program that was killed between the two.
//!
//! Only appended to, and never synced for itself: what a cut of power takes of its end is the price of the last
//! requests, no word of anybody.

pub(super) mod replayed;
pub(super) mod versus;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::bill::{Bill, Figures, Other, Paid, Prices, Purpose, RECENT_TURNS, Sum, TurnBill};
use crate::clock;
use crate::memory::{EffortId, Tokens, Turn};
use crate::providers::BUILT_IN;
use crate::store::disk::appender::Appender;
use crate::store::disk::files::{self, LinesBackwards};
use crate::store::disk::paths::Paths;
use crate::store::record::text;
use crate::store::{Error, LogReader, Problem, Store};

/// Lines that are read backwards for the sums and the last turns; a session of another shape goes on from less.
const MOST_READ: usize = 5_000;

/// Lines without sums behind the last ones that had them; only what was killed in a turn left any.
const MOST_OPEN: u64 = 1_000;

/// More than any sum comes to; what is added to it stays far from where numbers end.
const MOST: u64 = 1 << 60;

fn bounded(value: &Value) -> Option<u64> {
    value.as_u64().filter(|&number| number <= MOST)
}

/// A request that was paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidRequest {
    /// When it was over, as in the logs.
    pub at: String,
    /// The turn that it was made in, or that it was made after.
    pub turn: Turn,
    /// What it was for.
    pub purpose: Purpose,
    /// The model that answered.
    pub model: String,
    /// Its tokens.
    pub paid: Paid,
    /// It failed or was stopped before its answer was whole.
    pub is_cut: bool,
}

/// A bill as it is stored.
#[derive(Debug, Clone, Default)]
pub struct StoredBill {
    /// The sums, with what was paid since the last turn.
    pub bill: Bill,
    /// When the last request was over, in seconds since 1970.
    pub last: Option<u64>,
    /// The model that the chat was last answered by.
    pub model: Option<String>,
    /// What a cache held of the last prompt when the session was closed (see
    /// [`crate::bill::PrefixCache::last_sent`]).
    pub sent: Vec<u64>,
    /// Efforts whose compression led to nothing lately, and how many tokens were to be compressed.
    pub refused: BTreeMap<EffortId, Tokens>,
    /// The prices that a replay was told at, if no model of a server has answered since.
    pub prices: Option<Prices>,
    /// Lines at the end of the file that make no sense.
    pub odd: u64,
}

impl StoredBill {
    /// What is wrong with it, as a sentence.
    pub fn problem(&self) -> Option<String> {
        let (lines, make) = if self.odd == 1 { ("line", "makes") } else { ("lines", "make") };
        let odd = self.odd;
        (odd > 0).then(|| {
            format!("{odd} {lines} of bill.jsonl {make} no sense; the bill goes on without.")
        })
    }
}

/// A turn of a stored bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BilledTurn {
    /// Which one.
    pub turn: Turn,
    /// What it took.
    pub bill: TurnBill,
}

/// The file, open for writing once there is something to write.
#[derive(Debug, Default)]
pub(super) struct Ledger(Option<Appender>);

impl Ledger {
    /// The same file under the session's new name.
    pub(super) fn follow(&mut self) {
        self.0 = None;
    }

    fn append(
        &mut self,
        paths: &Paths,
        lines: &[Value],
        problems: &mut Vec<Problem>,
    ) -> Result<(), Error> {
        let file = match self.0.take() {
            Some(file) => file,
            None => Appender::open(&paths.bill(), &paths.disk, problems)?,
        };
        let lines = lines.iter().fold(String::new(), |all, line| all + &line.to_string() + "\n");
        self.0.insert(file).append(lines.as_bytes()).map(drop)
    }
}

impl Store {
    /// Keeps what requests took.
    ///
    /// # Errors
    /// When the file cannot be written; the chat goes on without.
    pub fn keep_paid(&mut self, requests: &[PaidRequest]) -> Result<(), Error> {
        self.append_to_bill(requests.iter().map(request_line))
    }

    /// Keeps the sums after a turn; without its bill for one that did not count.
    ///
    /// # Errors
    /// As [`Store::keep_paid`].
    pub fn keep_bill(
        &mut self,
        turn: Turn,
        bill: &Bill,
        counted: Option<TurnBill>,
    ) -> Result<(), Error> {
        self.append_to_bill([sums_line(turn, &bill.figures(), counted)])
    }

    /// Keeps what a cache holds of the last prompt, for the next time that the session is open.
    ///
    /// # Errors
    /// As [`Store::keep_paid`].
    pub fn keep_sent(&mut self, at: &str, sent: &[u64]) -> Result<(), Error> {
        self.append_to_bill([json!({ "at": at, "sent": sent })])
    }

    /// Keeps that a compression of so many tokens of an effort led to nothing, or with none that one did not.
    ///
    /// # Errors
    /// As [`Store::keep_paid`].
    pub fn keep_refused(&mut self, id: &EffortId, tokens: Tokens) -> Result<(), Error> {
        self.append_to_bill([json!({ "refused": id.as_str(), "tokens": tokens.0 })])
    }

    /// Appends lines, unless nobody opens the session again.
    fn append_to_bill(&mut self, lines: impl IntoIterator<Item = Value>) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        let lines: Vec<Value> = lines.into_iter().collect();
        self.ledger.append(&self.paths, &lines, &mut self.problems)
    }
}

impl LogReader {
    /// The bill as it stands after a turn, the last one that counted; an empty one if nothing was paid yet. Reads
    /// only the end of the file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn bill(&self, upto: Turn) -> Result<StoredBill, Error> {
        read(&self.paths().bill(), upto)
    }

    /// What each turn took that counted, up to one, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn billed_turns(&self, upto: Turn) -> Result<Vec<BilledTurn>, Error> {
        let bytes = files::read(&self.paths().bill())?.unwrap_or_default();
        let mut turns: Vec<(u64, BilledTurn)> = Vec::new();
        for sums in bytes.split(|&byte| byte == b'\n').filter_map(|line| sums(&parse(line)?)) {
            while turns.last().is_some_and(|(number, _)| *number >= sums.end()) {
                turns.pop();
            }
            turns.extend(sums.counted.map(|turn| (sums.figures.turns, turn)));
        }
        let turns = turns.into_iter().map(|(_, turn)| turn);
        Ok(turns.filter(|turn| turn.turn <= upto).collect())
    }
}

fn read(path: &Path, upto: Turn) -> Result<StoredBill, Error> {
    let mut found = Found::new(upto);
    for line in LinesBackwards::open(path, None)?.take(MOST_READ) {
        let (_, line) = line?;
        let understood = line.is_empty() || parse(&line).is_some_and(|line| found.take(&line));
        found.odd += u64::from(!understood);
        if found.is_complete() {
            break;
        }
    }
    Ok(found.into_bill())
}

/// A line with sums.
struct Sums {
    figures: Figures,
    /// The turn, if it is the line of one that counted.
    counted: Option<BilledTurn>,
}

impl Sums {
    /// Lines before it that tell of as many turns were written for a turn that did not count after all, or hold less
    /// of what it took.
    fn end(&self) -> u64 {
        self.figures.turns.saturating_add(u64::from(self.counted.is_none()))
    }
}

/// What reading backwards has found.
#[derive(Debug)]
struct Found {
    /// The last turn that counted: a line of a later one was written just before the program was killed.
    upto: Turn,
    /// By purpose.
    paid: Option<[[u64; 6]; 4]>,
    /// The same with the others, for the last turn that counted or was stopped.
    figures: Option<Figures>,
    /// What full history had paid at the end of the last turn that counted.
    full_before: Option<Paid>,
    /// Newest first.
    recent: Vec<TurnBill>,
    /// Only lines of fewer turns tell something new.
    end: u64,
    /// Requests behind the sums, newest first.
    behind: Vec<(Purpose, Paid)>,
    /// What was paid behind the last turn that counted.
    open: Sum,
    last: Option<u64>,
    model: Option<String>,
    /// A model of a server has answered.
    is_answered: bool,
    sent: Vec<u64>,
    refused: BTreeMap<EffortId, Tokens>,
    prices: Option<Prices>,
    odd: u64,
}

impl Found {
    fn new(upto: Turn) -> Self {
        Self {
            upto,
            paid: None,
            figures: None,
            full_before: None,
            recent: Vec::new(),
            end: u64::MAX,
            behind: Vec::new(),
            open: Sum::default(),
            last: None,
            model: None,
            is_answered: false,
            sent: Vec::new(),
            refused: BTreeMap::new(),
            prices: None,
            odd: 0,
        }
    }

    /// Whether a line makes sense.
    fn take(&mut self, line: &Value) -> bool {
        if let Some((id, tokens)) = refused(line) {
            self.refused.entry(id).or_insert(tokens);
            return true;
        }
        if let Some(prices) = replayed::prices(line) {
            // Whoever answered behind it has prices of its own.
            if !self.is_answered {
                self.prices.get_or_insert(prices);
            }
            return true;
        }
        let at = || Some(clock::micros_of(line.get("at")?.as_str()?)? / 1_000_000);
        if self.last.is_none() {
            let sent = line.get("sent").and_then(Value::as_array).into_iter().flatten();
            self.sent = sent.filter_map(Value::as_u64).collect();
        }
        self.last = self.last.or_else(at);
        if let Some(sums) = sums(line) {
            self.take_sums(&sums);
        } else if let Some((purpose, paid)) = request(line) {
            if matches!(purpose, Purpose::Chat | Purpose::ToolRound) {
                let model = line.get("model").and_then(text);
                // The built-in model has no prices at which anything else could be told.
                self.is_answered |= model.as_deref().is_some_and(|name| name != BUILT_IN);
                self.model = self.model.take().or(model);
            }
            self.take_request(purpose, paid);
        } else {
            return line.get("sent").is_some_and(Value::is_array);
        }
        true
    }

    fn take_sums(&mut self, sums: &Sums) {
        self.paid.get_or_insert(sums.figures.sums);
        let is_lost = sums.counted.is_some_and(|turn| turn.turn > self.upto);
        if is_lost || sums.figures.turns >= self.end {
            return;
        }
        self.end = sums.end();
        self.figures.get_or_insert(sums.figures);
        if let Some(turn) = sums.counted {
            let with_cache = Other::from(sums.figures.others[0]);
            self.full_before.get_or_insert(with_cache.paid());
            self.recent.push(turn.bill);
        }
    }

    fn take_request(&mut self, purpose: Purpose, paid: Paid) {
        let is_open = self.full_before.is_none() && self.open.requests < MOST_OPEN;
        if is_open {
            self.open.add(paid);
        }
        if is_open && self.paid.is_none() {
            self.behind.push((purpose, paid));
        }
    }

    fn is_complete(&self) -> bool {
        // One more, for what lies between them.
        self.recent.len() > RECENT_TURNS
    }

    fn into_bill(self) -> StoredBill {
        let figures = self.figures.unwrap_or_default();
        let figures = Figures { sums: self.paid.unwrap_or(figures.sums), ..figures };
        let recent = self.recent.into_iter().rev();
        let mut bill = Bill::restored(&figures, recent);
        self.behind.into_iter().rev().for_each(|(purpose, paid)| bill.record(purpose, paid));
        let bill = bill.with_open(self.open, self.full_before.unwrap_or_default());
        let bill = bill.answered_by(self.model.as_deref().unwrap_or_default(), &figures);
        let Self { last, model, sent, refused, prices, odd, .. } = self;
        StoredBill { bill, last, model, sent, refused, prices, odd }
    }
}

fn refused(line: &Value) -> Option<(EffortId, Tokens)> {
    let id = text(line.get("refused")?)?;
    Some((EffortId::stored(&id), Tokens(line.get("tokens").and_then(bounded)?)))
}

fn sums(line: &Value) -> Option<Sums> {
    Some(Sums { figures: figures(line)?, counted: billed_turn(line) })
}

fn request_line(request: &PaidRequest) -> Value {
    let Paid { read, written, uncached, output, estimated } = request.paid;
    let mut line = json!({
        "at": request.at, "turn": request.turn.0, "purpose": request.purpose.as_str(),
        "model": request.model, "read": read, "written": written, "uncached": uncached,
        "output": output,
    });
    for (key, flag) in [("estimated", estimated), ("cut", request.is_cut)] {
        if flag {
            line[key] = true.into();
        }
    }
    line
}

fn request(line: &Value) -> Option<(Purpose, Paid)> {
    let purpose = Purpose::from_word(&text(line.get("purpose")?)?)?;
    let number = |key: &str| line.get(key).map_or(Some(0), bounded);
    let paid = Paid {
        read: number("read")?,
        written: number("written")?,
        uncached: number("uncached")?,
        output: number("output")?,
        estimated: line.get("estimated").and_then(Value::as_bool).unwrap_or(false),
    };
    Some((purpose, paid))
}

fn sums_line(turn: Turn, figures: &Figures, counted: Option<TurnBill>) -> Value {
    let Figures { sums, others, compactions, turns, scale, least, kept } = figures;
    let mut line = json!({
        "at": clock::timestamp(), "turn": turn.0, "turns": turns, "sums": sums, "others": others,
        "compactions": compactions, "counts": scale, "least": least,
    });
    if *kept != [0; 2] {
        line["kept"] = kept.to_vec().into();
    }
    if let Some(TurnBill { own, requests, alone, full, growth }) = counted {
        line["own"] = numbers_of(&own).into();
        line["requests"] = requests.into();
        line["full"] = numbers_of(&full).into();
        line["growth"] = growth.into();
        line["estimated"] = own.estimated.into();
        if let Some(alone) = alone {
            line["alone"] = alone.figures().to_vec().into();
        }
    }
    line
}

fn numbers_of(paid: &Paid) -> Vec<u64> {
    vec![paid.read, paid.written, paid.uncached, paid.output]
}

fn figures(line: &Value) -> Option<Figures> {
    let number = |key: &str| line.get(key).and_then(bounded);
    Some(Figures {
        turns: number("turns")?,
        sums: table(line.get("sums")?)?,
        others: table(line.get("others")?)?,
        compactions: number("compactions").unwrap_or(0),
        scale: line.get("counts").and_then(table).unwrap_or_default(),
        least: line.get("least").and_then(row).unwrap_or_default(),
        kept: line.get("kept").and_then(row).unwrap_or_default(),
    })
}

/// Rows of numbers; what is missing is 0. `None` if one makes no sense.
fn table<const N: usize, const M: usize>(rows: &Value) -> Option<[[u64; N]; M]> {
    let cells = rows.as_array()?.iter().filter_map(Value::as_array).flatten();
    let cell = |row: usize, at: usize| rows.get(row)?.get(at)?.as_u64();
    cells
        .map(bounded)
        .all(|cell| cell.is_some())
        .then(|| std::array::from_fn(|row| std::array::from_fn(|at| cell(row, at).unwrap_or(0))))
}

/// One row of numbers.
fn row<const N: usize>(numbers: &Value) -> Option<[u64; N]> {
    table(&Value::Array(vec![numbers.clone()])).map(|[row]: [[u64; N]; 1]| row)
}

fn billed_turn(line: &Value) -> Option<BilledTurn> {
    let paid = |key: &str| {
        let list = line.get(key)?.as_array()?;
        let number = |at: usize| list.get(at).and_then(bounded).unwrap_or(0);
        let [read, written, uncached, output] = [0, 1, 2, 3].map(number);
        Some(Paid { read, written, uncached, output, estimated: false })
    };
    let estimated = line.get("estimated").and_then(Value::as_bool).unwrap_or(false);
    let own = Paid { estimated, ..paid("own")? };
    let number = |key: &str| line.get(key).and_then(bounded).unwrap_or(0);
    let (requests, growth) = (number("requests"), number("growth"));
    let turn = Turn(line.get("turn").and_then(bounded)?);
    let alone = line.get("alone").and_then(row::<6>).map(Into::into);
    Some(BilledTurn { turn, bill: TurnBill { own, requests, alone, full: paid("full")?, growth } })
}

fn parse(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line).ok().filter(Value::is_object)
}

#[cfg(test)]
mod tests;
