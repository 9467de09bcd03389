//! What came of it, as the published case study prints it: topics, growth, the end, the bill; and as JSON and CSV.

use std::io::{self, Write as _};
use std::slice;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::play::{PhaseRow, Replay, Replayed, Step};
use super::rows::{self, Row, Rows};
use super::told;
use super::turns::Mark;
use crate::bill::{COMPACTED_TO, COMPACTS_AT, Paid, Prices};
use crate::memory::{Faults, Layer, counted};
use crate::read::Used;

/// Rows of the growth table at most.
const ROWS: usize = 12;

/// As text.
pub fn text(
    replay: &Replay,
    replayed: &Replayed,
    recorded: &Rows<Used>,
    prices: &Prices,
) -> String {
    let bill = bill(replayed, recorded, prices);
    let parts = [topics(replayed), growth(replayed), end(replay, replayed), bill];
    [parts.concat(), recall(replayed), faults(replayed)].concat()
}

fn topics(replayed: &Replayed) -> String {
    let head =
        format!("{:<40} {:>11} {:>9} {:>8} {:>8}\n", "topic", "turns", "log", "summary", "saved");
    let row = |row: &PhaseRow| {
        let saved = told::saved(1.0 - row.summary as f64 / row.raw.max(1) as f64);
        let name: String = row.name.as_str().chars().take(40).collect();
        let turns = format!("{}-{}", row.turns.0, row.turns.1);
        format!("{name:<40} {turns:>11} {:>9} {:>8} {saved:>8}\n", row.raw, row.summary)
    };
    table(head, replayed.phases.iter().map(row))
}

fn growth(replayed: &Replayed) -> String {
    let head = format!(
        "{:>6} {:>13} {:>8} {:>7} {:>5} {:>8}\n",
        "turn", "full history", "window", "ratio", "warm", "evicted"
    );
    let row = |step: Step| {
        let Step { turn, full_history, window, warm, evicted } = step;
        let ratio = full_history as f64 / window.max(1) as f64;
        format!("{turn:>6} {full_history:>13} {window:>8} {ratio:>6.1}x {warm:>5} {evicted:>8}\n")
    };
    table(head, shown(&replayed.steps).map(row))
}

fn table(head: String, rows: impl Iterator<Item = String>) -> String {
    std::iter::once(head).chain(rows).chain(["\n".to_owned()]).collect()
}

/// Steps at equal distances, the last one among them.
fn shown(steps: &Rows<Step>) -> impl Iterator<Item = Step> {
    let last = steps.len();
    let every = last.div_ceil(ROWS).max(1);
    steps
        .iter()
        .enumerate()
        .filter(move |(at, _)| (at + 1) % every == 0 || at + 1 == last)
        .map(|(_, step)| step)
}

fn end(replay: &Replay, replayed: &Replayed) -> String {
    let history = replayed.said;
    let layers = replayed.end;
    let own = layers.of(Layer::System) + layers.of(Layer::Tools);
    let most = replayed.steps.iter().map(|step| step.window).max().unwrap_or(0);
    format!(
        "At the end: {} tokens are in the window, {} of them system prompt and tools, where {history} were said: {} saved. \
         At most {most} in between. {}, {}, {} tokens held by reference, {} of the program itself.\n\n",
        layers.total().0,
        own.0,
        told::saved(replayed.saved()),
        counted(replay.conversation.len() as u64, "turn"),
        counted(replayed.phases.len() as u64, "topic"),
        replayed.by_reference,
        counted(replay.conversation.marks().len() as u64, "compaction"),
    )
}

fn bill(replayed: &Replayed, recorded: &Rows<Used>, prices: &Prices) -> String {
    let head = format!(
        "{:<34} {:>11} {:>11} {:>9} {:>12}\n",
        "~ tokens", "from cache", "read anew", "output", "cost"
    );
    let line = |name: &str, paid: &Paid, cost: f64| {
        let anew = paid.uncached + paid.written;
        format!("{name:<34} {:>11} {anew:>11} {:>9} {cost:>12.0}\n", paid.read, paid.output)
    };
    let (full, compacting) = (replayed.others.with_cache.paid(), replayed.others.compacting.paid());
    let mut own = replayed.own;
    own.uncached += replayed.by_reference;
    let rows = [
        line("this memory", &own, replayed.cost(prices)),
        line(&full_history(replayed), &full, prices.cost(&full)),
        line(
            &format!("compacting at {COMPACTS_AT} to {COMPACTED_TO}"),
            &compacting,
            prices.cost(&compacting),
        ),
    ];
    let net = format!(
        "Net {}. Cost is in tokens that cost as much as one of input: from cache \
         {} times, output {} times. One request a turn is taken for the others, and for ours those of memory \
         too; what is held by reference counts as read once, and what tools wrote as read.\n",
        told::net_of_full_history(replayed.net(prices)),
        prices.cached,
        prices.output
    );
    [table(head, rows.into_iter()), net, measured(recorded)].concat()
}

/// Its row of the bill: nobody sends one conversation with another.
fn full_history(replayed: &Replayed) -> String {
    match replayed.conversations {
        0 | 1 => "full history, append-only".to_owned(),
        more => format!("full history, anew in each of {more}"),
    }
}

/// What the program itself took down: other requests than those above, with a system prompt and tools that no log
/// holds.
fn measured(recorded: &Rows<Used>) -> String {
    if recorded.is_empty() {
        return "\nThe log has no usage, so nothing is known of what it really cost.\n".to_owned();
    }
    let sum = |of: fn(Used) -> u64| recorded.iter().map(of).sum::<u64>();
    format!(
        "\nMeasured then, each request once: {}, {} tokens from the cache, {} written to it, {} uncached, {} of output; at \
         most {} in one prompt. These hold a system prompt and tools that no log shows: not to be subtracted from the \
         rows above.\n",
        counted(recorded.len() as u64, "request"),
        sum(|used| used.read),
        sum(|used| used.written),
        sum(|used| used.uncached),
        sum(|used| used.output),
        recorded.iter().map(|used| used.prompt()).max().unwrap_or(0),
    )
}

fn recall(replayed: &Replayed) -> String {
    if !replayed.is_recall_on() {
        return "Recall was off: no message brought back what was said, which a chat does by default and pays for.\n"
            .to_owned();
    }
    format!(
        "What a message recalled, at most {} tokens, was in its requests and is in the cost; no window between turns holds it.\n",
        replayed.recall.0
    )
}

fn faults(replayed: &Replayed) -> String {
    let Faults { looked_up, missed, unanswered } = replayed.faults;
    format!(
        "Needed and not in the window: {} times (looked up {looked_up}, missed {missed}, unanswered {unanswered}).\n",
        replayed.faults.total()
    )
}

/// Whether recall was on, in a word.
fn on_or_off(replayed: &Replayed) -> &'static str {
    if replayed.is_recall_on() { "on" } else { "off" }
}

fn paid_json(paid: &Paid) -> Value {
    json!({ "cached": paid.read, "written": paid.written, "uncached": paid.uncached, "output": paid.output })
}

/// Rows that are written one after the other.
struct Each<I: Iterator>(I, fn(I::Item) -> Value);

impl<I: Iterator + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone().map(self.1))
    }
}

impl Row for Used {
    fn numbers(self) -> [u64; 5] {
        // No time is told as the first of all, at which nobody asked anything.
        let at = self.at.unwrap_or(i64::MIN).cast_unsigned();
        [at, self.read, self.written, self.uncached, self.output]
    }

    fn of([at, read, written, uncached, output]: [u64; 5]) -> Self {
        let at = Some(at.cast_signed()).filter(|at| *at != i64::MIN);
        Self { at, read, written, uncached, output }
    }
}

#[derive(Serialize)]
struct Told<'a> {
    phases: Each<slice::Iter<'a, PhaseRow>>,
    turns: Each<rows::Iter<'a, Step>>,
    recall: &'a str,
    recall_tokens: u64,
    page_faults: Value,
    end: Value,
    bill: Value,
    compactions: Each<slice::Iter<'a, Mark>>,
    recorded: Each<rows::Iter<'a, Used>>,
    made_by: &'a str,
    read: &'a Value,
}

fn phase_json(row: &PhaseRow) -> Value {
    json!({ "name": row.name.as_str(), "from": row.turns.0, "to": row.turns.1, "raw": row.raw, "summary": row.summary })
}

fn step_json(step: Step) -> Value {
    json!({ "turn": step.turn, "full_history": step.full_history, "window": step.window, "warm": step.warm, "evicted": step.evicted })
}

fn mark_json(mark: &Mark) -> Value {
    let one = &mark.compaction;
    json!({ "turn": mark.turn + 1, "trigger": one.trigger, "before": one.before, "after": one.after })
}

fn used_json(used: Used) -> Value {
    json!({ "at_ms": used.at, "cached": used.read, "written": used.written, "uncached": used.uncached, "output": used.output })
}

/// Writes it as JSON; `made_by` says who made topics and summaries, `read` what was read.
///
/// # Errors
/// It cannot be written.
pub fn write_json(
    replay: &Replay,
    replayed: &Replayed,
    recorded: &Rows<Used>,
    prices: &Prices,
    made_by: &str,
    read: &Value,
    out: impl io::Write,
) -> io::Result<()> {
    let faults = replayed.faults;
    let told = Told {
        phases: Each(replayed.phases.iter(), phase_json),
        turns: Each(replayed.steps.iter(), step_json),
        recall: on_or_off(replayed),
        recall_tokens: replayed.recall.0,
        page_faults: json!({ "looked_up": faults.looked_up, "missed": faults.missed, "unanswered": faults.unanswered }),
        end: json!({ "window": replayed.end.total().0, "full_history": replayed.said, "saved": replayed.saved() }),
        bill: json!({
            "own": paid_json(&replayed.own), "by_reference": replayed.by_reference, "conversations": replayed.conversations,
            "full_history": paid_json(&replayed.others.with_cache.paid()),
            "compacting": paid_json(&replayed.others.compacting.paid()),
            "cost": replayed.cost(prices), "net": replayed.net(prices),
        }),
        compactions: Each(replay.conversation.marks().iter(), mark_json),
        recorded: Each(recorded.iter(), used_json),
        made_by,
        read,
    };
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer(&mut out, &told)?;
    writeln!(out)?;
    out.flush()
}

/// Writes a line for each turn.
///
/// # Errors
/// It cannot be written.
pub fn write_csv(replayed: &Replayed, out: impl io::Write) -> io::Result<()> {
    let (recall, mut out) = (on_or_off(replayed), io::BufWriter::new(out));
    writeln!(out, "turn,full_history,window,warm,evicted,recall")?;
    for Step { turn, full_history, window, warm, evicted } in &replayed.steps {
        writeln!(out, "{turn},{full_history},{window},{warm},{evicted},{recall}")?;
    }
    out.flush()
}
