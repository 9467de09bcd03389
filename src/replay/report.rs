//! What came of it, as the published case study prints it: topics, growth, the end, the bill; and as JSON and CSV.

use std::io::{self, Write as _};
use std::slice;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::conversation::Conversation;
use super::costs::{Costs, Priced};
use super::part::Mark;
use super::play::Replay;
use super::replayed::{PhaseRow, Replayed, Step, saved_of};
use super::rows::{self, Row, Rows};
use super::savings;
use super::tables;
use crate::bill::{COMPACTED_TO, COMPACTS_AT, Money, Paid, Prices};
use crate::counted::{counted, grouped, money};
use crate::memory::{Faults, Layer};
use crate::read::Used;

/// As text whose tables are no wider than so many columns: topics and growth, and what is told below them.
pub fn text(
    replay: &Replay,
    replayed: &Replayed,
    recorded: &Rows<Used>,
    priced: &Priced,
    width: usize,
) -> [String; 2] {
    let below = [
        end(replay, replayed),
        bill(replay, replayed, recorded, priced, width),
        recall(replayed),
        faults(replayed),
    ];
    [[tables::topics(replayed, width), tables::growth(replayed, width)].concat(), below.concat()]
}

/// Tokens of the largest window between two turns.
fn largest_window(replayed: &Replayed) -> u64 {
    replayed.steps.iter().map(|step| step.window).max().unwrap_or(0)
}

fn end(replay: &Replay, replayed: &Replayed) -> String {
    let Some(last) = replayed.steps.last() else { return String::new() };
    let own = replayed.end.of(Layer::System) + replayed.end.of(Layer::Tools);
    let most = largest_window(replayed);
    let concluded = replayed.concluded.map_or_else(String::new, |step| {
        format!(
            " Once the last topic is concluded it holds {}: {}.",
            grouped(step.window),
            saved(replayed, step)
        )
    });
    format!(
        "At the end: after turn {} the window holds {} tokens where {} were said{}: {}.{concluded} {} of them are system \
         prompt and tools, which nobody said. Behind a reply it held at most {}, which need not be sent whole; the largest request \
         of the chat, with {}, had {}. {}, {}{}, {} tokens held by reference, {} of the program itself.\n\n",
        grouped(last.turn),
        grouped(last.window),
        grouped(replayed.said),
        savings::in_conversations(replayed),
        saved(replayed, last),
        grouped(own.0),
        grouped(most),
        parts_of_largest(replayed),
        grouped(replayed.largest_request),
        counted(replay.conversation.len() as u64, "turn"),
        counted(replayed.phases.len() as u64, "topic"),
        without_topic(replay),
        grouped(replayed.by_reference),
        counted(replay.conversation.marks().len() as u64, "compaction"),
    )
}

/// What is in the largest request beside the window.
fn parts_of_largest(replayed: &Replayed) -> &'static str {
    if replayed.has_rounds() {
        "the message, what it recalled and what tools had returned for it until then"
    } else {
        "the message and what it recalled"
    }
}

/// How many turns belong to no topic, behind how many topics there are.
fn without_topic(replay: &Replay) -> String {
    match replay.turns_without_topic() {
        0 => String::new(),
        _ if replay.phases.is_empty() => String::new(),
        1 => " (1 turn belongs to none)".to_owned(),
        more => format!(" ({} turns belong to none)", grouped(more)),
    }
}

/// What a window saves: of all that was said, and of the last conversation where there were others.
fn saved(replayed: &Replayed, step: Step) -> String {
    let [all, last] = [step.full_history, step.under_way()]
        .map(|said| savings::saved(saved_of(step.window, said)));
    if replayed.conversations < 2 {
        return format!("{all} saved");
    }
    let under_way = grouped(step.under_way());
    format!("{all} saved of all, {last} of the {under_way} of the last conversation")
}

fn bill(
    replay: &Replay,
    replayed: &Replayed,
    recorded: &Rows<Used>,
    priced: &Priced,
    width: usize,
) -> String {
    // Nobody else has it.
    let own = replayed.concluded.map_or("", |_| ", that which concludes the last topic among them");
    let costs = replayed.costs(&priced.prices);
    let net = format!(
        "Net {}.{}{} Cost is in tokens that cost as much as one of input: {}. One request a turn is taken for the \
         others, with one more behind each compaction within it, and for ours those of memory too{own}; what is held by \
         reference counts as read once, at the price of {}, and what tools wrote as read.{}{}{}{}\n",
        savings::nets(&costs),
        assumed(replay, replayed),
        unanswered(&replay.conversation),
        savings::ratios_of(priced),
        savings::price_of_new(priced.prices.cache),
        savings::smaller(replayed, &priced.prices),
        savings::pauses(replayed),
        savings::never_compacted(replayed, &costs),
        in_money(replayed, &priced.prices)
    );
    let table = bill_table(replayed, &priced.prices, width);
    [table, net, by_request(replayed, &priced.prices), measured(recorded)].concat()
}

/// The bill as a table in so many columns; what was written to a cache has a column where somebody pays for that.
fn bill_table(replayed: &Replayed, prices: &Prices, width: usize) -> String {
    let payers = payers(replayed, prices);
    let is_written = payers.iter().any(|(_, paid, _)| paid.written > 0);
    let row = |(name, paid, cost): (String, Paid, f64)| {
        let written = is_written.then_some(paid.written);
        let tokens = [Some(paid.read), written, Some(paid.uncached), Some(paid.output)];
        let cells = tokens.into_iter().flatten().chain([cost.round() as u64]);
        (name, cells.map(grouped).collect())
    };
    let rows: Vec<(String, Vec<String>)> = payers.into_iter().map(row).collect();
    tables::bill(&rows, is_written, width)
}

/// Who pays, what tokens, and what they cost. Who never compacted pays what full history does, and has no row.
fn payers(replayed: &Replayed, prices: &Prices) -> Vec<(String, Paid, f64)> {
    let line = |name: &str, paid: &Paid, cost: f64| (name.to_owned(), *paid, cost);
    let costs = replayed.costs(prices);
    let own = replayed.paid(prices.cache);
    let full = replayed.others.with_cache.paid();
    let mut rows = vec![
        line("this memory", &own, costs.own),
        line(&full_history(replayed), &full, costs.full),
    ];
    if costs.is_compacting {
        let [at, to] = [COMPACTS_AT, COMPACTED_TO].map(grouped);
        let name = format!("compacting at {at} to {to}");
        rows.push(line(&name, &replayed.others.compacting.paid(), costs.compacting));
    }
    if let Some(cost) = costs.then {
        let name = format!("as it compacted then, {}", times(replayed.compacted));
        rows.push(line(&name, &replayed.then.paid(), cost));
    }
    rows
}

/// The same where each round of tools is a request; nothing where no tool was called.
fn by_request(replayed: &Replayed, prices: &Prices) -> String {
    let again = &replayed.again;
    if !replayed.has_rounds() {
        return String::new();
    }
    let costs = again.costs(replayed, prices);
    format!(
        "With a request for each round of tools, {} in all as the log shows them, each of which reads again what came before \
         it: {}; {}. The others compact within a turn, too; of ours the window gives way to results, and then the oldest \
         rounds, as they do in the chat, and what stands behind that is read anew.\n",
        grouped(again.requests),
        beside(&costs, |cost| grouped(cost.round() as u64)),
        savings::nets(&costs),
    )
}

/// What each of them costs, one after the other: `this memory 12, full history 30`.
fn beside(costs: &Costs, told: impl Fn(f64) -> String) -> String {
    let compacting = costs.is_compacting.then_some(costs.compacting);
    let all = [
        ("this memory", Some(costs.own)),
        ("full history", Some(costs.full)),
        ("compacting", compacting),
        ("as it compacted then", costs.then),
    ];
    let one = |(name, cost): (&str, Option<f64>)| Some(format!("{name} {}", told(cost?)));
    all.into_iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{} times", grouped(count)) }
}

/// How many prompts have no reply, and what is taken for one, as a sentence.
fn unanswered(conversation: &Conversation) -> String {
    match conversation.unanswered() {
        0 => String::new(),
        1 => " 1 prompt has no reply in the log: a request is taken for it that was answered with one sign.".to_owned(),
        more => format!(
            " {} prompts have no reply in the log: for each a request is taken that was answered with one sign.",
            grouped(more)
        ),
    }
}

/// Of how many of its own compactions nobody knows the summary, and what is taken for it, as a sentence.
fn assumed(replay: &Replay, replayed: &Replayed) -> String {
    let marks = replay.conversation.marks().iter();
    let unread = marks.filter(|mark| mark.compaction.summary.is_none()).count() as u64;
    if unread == 0 || replayed.compacted == 0 {
        return String::new();
    }
    let [to, at] = [COMPACTED_TO, COMPACTS_AT].map(grouped);
    format!(
        " Of {} the log holds no summary: the part of the history is taken for it that the log says the window kept then, \
         where it does not say that {to} of {at}, and never more than {to} tokens.",
        counted(unread, "compaction"),
    )
}

/// What each of them costs in the currency, as a sentence; nothing where no price of input is known.
fn in_money(replayed: &Replayed, prices: &Prices) -> String {
    if prices.money.is_none() {
        return String::new();
    }
    let told = |cost| {
        prices.in_money(cost).map(|(sum, currency)| money(sum, currency)).unwrap_or_default()
    };
    format!(" In money: {}.", beside(&replayed.costs(prices), told))
}

/// The same in JSON.
fn money_json(replayed: &Replayed, prices: &Prices) -> Value {
    let Costs { own, full, compacting, then, .. } = replayed.costs(prices);
    let cost = |cost| prices.in_money(cost).map(|(money, _)| money);
    let money = |money: &Money| {
        json!({
            "currency": money.currency, "input_per_million": money.per_million,
            "cost": cost(own), "full_history": cost(full), "compacting": cost(compacting),
            "as_compacted_then": then.and_then(cost),
        })
    };
    prices.money.as_ref().map_or(Value::Null, money)
}

/// Its row of the bill: nobody sends one conversation with another.
fn full_history(replayed: &Replayed) -> String {
    match replayed.conversations {
        0 | 1 => "full history, append-only".to_owned(),
        more => format!("full history, anew in each of {}", grouped(more)),
    }
}

/// What the program itself took down: other requests than those above, with a system prompt and tools that no log
/// holds.
fn measured(recorded: &Rows<Used>) -> String {
    if recorded.is_empty() {
        return "\nThe log has no usage that counts, so nothing is known of what it really cost.\n"
            .to_owned();
    }
    let sum = |of: fn(Used) -> u64| grouped(recorded.iter().map(of).sum());
    format!(
        "\nMeasured then, each request once: {}, {} tokens from the cache, {} written to it, {} uncached, {} of output; at \
         most {} in one prompt. These hold a system prompt and tools that no log shows: not to be subtracted from the \
         rows above.\n",
        counted(recorded.len() as u64, "request"),
        sum(|used| used.read),
        sum(|used| used.written),
        sum(|used| used.uncached),
        sum(|used| used.output),
        grouped(recorded.iter().map(|used| used.prompt()).max().unwrap_or(0)),
    )
}

fn recall(replayed: &Replayed) -> String {
    if !replayed.is_recall_on() {
        return "Recall was off: no message brought back what was said, which a chat does by default and pays for.\n"
            .to_owned();
    }
    format!(
        "What a message recalled, at most {} tokens, was in its requests and is in the cost; no window between turns holds it.\n",
        grouped(replayed.recall.0)
    )
}

fn faults(replayed: &Replayed) -> String {
    let Faults { looked_up, missed, unanswered } = replayed.faults;
    let [looked_up, missed, unanswered] = [looked_up, missed, unanswered].map(grouped);
    format!(
        "Needed and not in the window: {} (looked up {looked_up}, missed {missed}, unanswered {unanswered}).\n",
        counted(replayed.faults.total(), "time")
    )
}

/// Whether recall was on, in a word.
fn on_or_off(replayed: &Replayed) -> &'static str {
    if replayed.is_recall_on() { "on" } else { "off" }
}

fn paid_json(paid: &Paid) -> Value {
    json!({ "cached": paid.read, "written": paid.written, "uncached": paid.uncached, "output": paid.output })
}

/// What it costs with a request for each round of tools.
fn by_request_json(replayed: &Replayed, prices: &Prices) -> Value {
    let again = &replayed.again;
    let costs = again.costs(replayed, prices);
    let [own, full, compacting, then] = again.tokens(replayed);
    let then = costs.then.map(|_| then);
    json!({
        "requests": again.requests,
        "read_again": {
            "own": own, "full_history": full, "compacting": compacting, "as_compacted_then": then,
        },
        "cost": costs.own, "full_history": costs.full, "compacting": costs.compacting, "as_compacted_then": costs.then,
        "net": costs.net(), "net_of_compacting": costs.net_of_compacting(),
        "net_of_compacted_then": costs.net_of_then(),
    })
}

/// The bill of them all.
fn bill_json(replayed: &Replayed, priced: &Priced) -> Value {
    let Priced { prices, of, .. } = priced;
    let costs = replayed.costs(prices);
    json!({
        "own": paid_json(&replayed.own), "by_reference": replayed.by_reference, "conversations": replayed.conversations,
        "full_history": paid_json(&replayed.others.with_cache.paid()),
        "compacting": paid_json(&replayed.others.compacting.paid()), "compactions": replayed.others.compactions,
        "as_compacted_then": costs.then.map(|_| paid_json(&replayed.then.paid())),
        "net_of_compacting": costs.net_of_compacting(), "net_of_compacted_then": costs.net_of_then(),
        "by_request": by_request_json(replayed, prices),
        "cold": { "after_seconds": replayed.pauses.lifetime, "turns": replayed.pauses.turns },
        "cost": costs.own, "net": costs.net(), "money": money_json(replayed, prices),
        "prices": {
            "cached": prices.cached, "written": prices.write, "output": prices.output,
            "cache": prices.cache.as_str(), "cache_least": prices.least, "of": of,
        },
        "smaller_windows": replayed.small,
    })
}

/// Rows that are written one after the other.
struct Each<I: Iterator>(I, fn(I::Item) -> Value);

impl<I: Iterator + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone().map(self.1))
    }
}

impl Row for Used {
    fn numbers(self) -> [u64; 6] {
        // No time is told as the first of all, at which nobody asked anything.
        let at = self.at.unwrap_or(i64::MIN).cast_unsigned();
        [at, self.read, self.written, self.uncached, self.output, 0]
    }

    fn of([at, read, written, uncached, output, _]: [u64; 6]) -> Self {
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
    largest_window: u64,
    largest_request: u64,
    turns_without_topic: u64,
    after_last_turn: Value,
    end: Value,
    bill: Value,
    compactions: Vec<Value>,
    recorded: Each<rows::Iter<'a, Used>>,
    made_by: &'a str,
    read: &'a Value,
}

fn phase_json(row: &PhaseRow) -> Value {
    json!({ "name": row.name.as_str(), "from": row.turns.0, "to": row.turns.1, "raw": row.raw, "summary": row.summary })
}

fn step_json(step: Step) -> Value {
    json!({
        "turn": step.turn, "full_history": step.full_history, "conversation_history": step.under_way(),
        "window": step.window, "warm": step.warm, "evicted": step.evicted,
    })
}

/// The window after a turn and what it saves, of all that was said and of the conversation under way.
fn held_json(step: Step) -> Value {
    let (window, all, under_way) = (step.window, step.full_history, step.under_way());
    json!({
        "window": window, "full_history": all, "saved": saved_of(window, all),
        "conversation_history": under_way, "saved_of_conversation": saved_of(window, under_way),
    })
}

/// The same at the end, and whether the last topic is concluded there.
fn end_json(replayed: &Replayed) -> Value {
    let mut end = replayed.ends().last().map_or_else(|| json!({}), held_json);
    end["last_topic_concluded"] = replayed.concluded.is_some().into();
    end
}

/// One of so many turns; what compacted behind the last one stands at that.
fn mark_json(mark: &Mark, turns: usize) -> Value {
    let one = &mark.compaction;
    json!({ "turn": (mark.turn + 1).min(turns.max(1)), "round": mark.request, "trigger": one.trigger, "before": one.before, "after": one.after })
}

fn used_json(used: Used) -> Value {
    json!({ "at_ms": used.at, "cached": used.read, "written": used.written, "uncached": used.uncached, "output": used.output })
}

/// What is written of a replay.
pub struct Report<'a> {
    /// What was played.
    pub replay: &'a Replay,
    /// What came of it.
    pub replayed: &'a Replayed,
    /// The requests that the logs tell of.
    pub recorded: &'a Rows<Used>,
    /// The prices of the bill.
    pub priced: &'a Priced,
    /// Who made topics and summaries, as a sentence.
    pub made_by: &'a str,
    /// What was read.
    pub read: &'a Value,
}

/// Writes it as JSON.
///
/// # Errors
/// It cannot be written.
pub fn write_json(report: &Report<'_>, out: impl io::Write) -> io::Result<()> {
    let Report { replay, replayed, recorded, priced, made_by, read } = *report;
    let (faults, marks) = (replayed.faults, replay.conversation.marks().iter());
    let told = Told {
        phases: Each(replayed.phases.iter(), phase_json),
        turns: Each(replayed.steps.iter(), step_json),
        recall: on_or_off(replayed),
        recall_tokens: replayed.recall.0,
        page_faults: json!({ "looked_up": faults.looked_up, "missed": faults.missed, "unanswered": faults.unanswered }),
        largest_window: largest_window(replayed),
        largest_request: replayed.largest_request,
        turns_without_topic: replay.turns_without_topic(),
        after_last_turn: replayed.steps.last().map_or(Value::Null, held_json),
        end: end_json(replayed),
        bill: bill_json(replayed, priced),
        compactions: marks.map(|mark| mark_json(mark, replay.conversation.len())).collect(),
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
    writeln!(out, "turn,full_history,window,warm,evicted,recall,conversation_history")?;
    for step in &replayed.steps {
        let Step { turn, full_history, window, warm, evicted, .. } = step;
        let under_way = step.under_way();
        writeln!(out, "{turn},{full_history},{window},{warm},{evicted},{recall},{under_way}")?;
    }
    out.flush()
}
