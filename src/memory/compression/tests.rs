//! Each rule of the safety contract, and that the swapped form keeps every promise of the window.

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::memory::tests::Words;
use crate::memory::{BudgetMode, Exchange, Frame, Rules};

fn memory(budget: u64) -> Memory {
    let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
    let rules = Rules { token_budget: Tokens(budget), soft_percent: 70, ..Rules::default() };
    Memory::new(rules, frame, Arc::new(Words))
}

fn say(memory: &mut Memory, user: &str, assistant: &str) {
    memory.begin_turn();
    memory.end_turn(&Exchange { user: user.into(), assistant: assistant.into() });
}

fn words(word: &str, count: usize) -> String {
    vec![word; count].join(" ")
}

/// An open effort of so many exchanges, each of 21 tokens.
fn working(memory: &mut Memory, id: &str, exchanges: usize) {
    memory.open(id).unwrap();
    for n in 0..exchanges {
        say(memory, &format!("q{n} {}", words("ask", 9)), &format!("a{n} {}", words("say", 10)));
    }
}

fn archived(source: CompressionSource) -> Archived {
    source.archive(|_| Ok::<_, Infallible>("kept".to_owned())).unwrap()
}

fn block(source: CompressionSource, summary: &str) -> Block {
    archived(source).block(summary, &Words).unwrap()
}

fn sent(memory: &Memory) -> Vec<String> {
    let window = memory.window();
    let messages = window.front_messages().skip(1);
    messages.map(|(_, text)| text.to_string()).collect()
}

#[test]
fn nothing_is_summarised_that_could_not_be_archived() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 10);
    let source = memory.compression_source(None).unwrap();
    let full = source.clone().archive(|_| Err("the disk is full"));
    assert_eq!(full.unwrap_err(), "the disk is full");
    let mut stored = String::new();
    let archived = source.archive(|text| {
        stored = text.to_owned();
        Ok::<_, Infallible>("plan-log".to_owned())
    });
    let archived = archived.unwrap();
    assert_eq!(archived.text(), stored, "what is summarised is what was archived");
    for n in 0..8 {
        assert!(stored.contains(&format!("user: q{n} ask")), "{n}");
        assert!(stored.contains(&format!("assistant: a{n} say")), "{n}");
    }
    let block = archived.block("It was planned.", &Words).unwrap();
    let text = &block.message().content;
    assert!(text.starts_with("[CONVERSATION SUMMARY] of 16 messages (168 tokens)"), "{text}");
    assert!(text.contains("source: ref:plan-log\nIt was planned."), "{text}");
}

#[test]
fn the_last_two_user_messages_and_all_after_them_stay_as_they_are() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 10);
    let before = memory.window();
    let source = memory.compression_source(None).unwrap();
    memory.compress(block(source, "short")).unwrap();
    let after = memory.window();
    assert_eq!(after.items[0], before.items[0], "the system prompt");
    let sent = sent(&memory);
    assert_eq!(sent.len(), 5, "a summary and two exchanges: {sent:?}");
    assert!(sent[1].starts_with("q8") && sent[2].starts_with("a8"));
    assert!(sent[3].starts_with("q9") && sent[4].starts_with("a9"));
    assert!(memory.compression_source(None).is_err(), "nothing more may be compressed");
}

#[test]
fn a_summary_is_never_summarised_again() {
    let mut memory = memory(4_000);
    working(&mut memory, "plan", 6);
    say(&mut memory, "[CONVERSATION SUMMARY] of another program", "seen");
    working(&mut memory, "other", 1);
    memory.switch("plan").unwrap();
    say(&mut memory, "go", "on");
    say(&mut memory, "go", "on");
    let first = memory.compression_source(Some("plan")).unwrap();
    assert!(!archived(first.clone()).text().contains(CONVERSATION_SUMMARY));
    memory.compress(block(first, "first summary")).unwrap();
    for _ in 0..6 {
        say(&mut memory, &words("later", 10), &words("reply", 10));
    }
    let second = memory.compression_source(Some("plan")).unwrap();
    let text = archived(second.clone()).text().to_owned();
    assert!(!text.contains("first summary") && !text.contains("q0"), "{text}");
    memory.compress(block(second, "second summary")).unwrap();
    let sent = sent(&memory);
    assert!(sent.iter().any(|text| text.ends_with("first summary")), "{sent:?}");
    assert!(sent.iter().any(|text| text.ends_with("second summary")), "{sent:?}");
    assert!(sent.iter().any(|text| text.ends_with("another program")), "kept as it is");
}

#[test]
fn many_summaries_are_made_anew_from_raw_messages_not_from_each_other() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 4);
    for nth in 0..4 {
        let source = memory.compression_source(None).unwrap();
        memory.compress(block(source, &words(&format!("short{nth}"), 20))).unwrap();
        for n in 0..4 {
            say(&mut memory, &words(&format!("more{nth}{n}"), 10), &words("fine", 10));
        }
    }
    let source = memory.compression_source(None).unwrap();
    let text = archived(source.clone()).text().to_owned();
    assert!(
        text.contains("q0 ask") && text.contains("more11") && !text.contains("short"),
        "{text}"
    );
    memory.compress(block(source, "all of it")).unwrap();
    assert_eq!(memory.effort(&EffortId::stored("plan")).unwrap().blocks().len(), 1);
    let sent = sent(&memory);
    assert!(sent[0].ends_with("all of it") && sent[1].starts_with("more32"), "{sent:?}");
}

/// Compresses what is due, as a turn does, so many times at most, and returns how many tokens were read; `answer` is the
/// length of a compressed form that may cost so much.
fn compress_all(memory: &mut Memory, most: usize, answer: fn(Tokens) -> u64) -> u64 {
    let mut read = 0;
    for nth in 0.. {
        let Some(source) = memory.compression_due() else { break };
        assert!(nth < most, "one turn calls for more and more of them");
        read += source.tokens.0;
        let summary = words("short", answer(source.target) as usize);
        match archived(source.clone()).block(&summary, &Words) {
            Ok(block) => _ = memory.compress(block).unwrap(),
            Err(_) => memory.compression_failed(&source.id, source.tokens + source.tokens),
        }
    }
    read
}

/// An open effort of very many long exchanges, each compressed as far as is due before the next one; `answer` is the length
/// of a compressed form that may cost so much. Returns what was said and what was compressed, in tokens.
fn compressed_in_many_tides(exchanges: usize, answer: fn(Tokens) -> u64) -> (u64, u64) {
    let mut memory = memory(1_000);
    memory.open("plan").unwrap();
    let mut read = 0;
    for _ in 0..exchanges {
        say(&mut memory, "go on", &words("reply", 190));
        read += compress_all(&mut memory, 4, answer);
        assert!(memory.layers().total() <= memory.rules().limit());
    }
    (memory.effort(&EffortId::stored("plan")).unwrap().raw_tokens.unwrap().0, read)
}

#[test]
fn a_message_is_not_read_again_with_each_tide() {
    let answers: [fn(Tokens) -> u64; 3] = [|_| 8, |target| target.0, |target| 2 * target.0];
    for (nth, answer) in answers.into_iter().enumerate() {
        let often = [100, 400].map(|exchanges| {
            let (said, read) = compressed_in_many_tides(exchanges, answer);
            read as f64 / said as f64
        });
        // Once, and again when what stands for it has doubled.
        assert!(often[0] > 0.9 && often[0] < 6.0, "{nth}: {often:?}");
        assert!(often[1] < often[0] + 3.0, "{nth}: {often:?}, as the log is four times as long");
    }
}

#[test]
fn several_open_efforts_share_the_room_for_summaries() {
    let answers: [fn(Tokens) -> u64; 2] = [|target| target.0, |target| target.0 * 3 / 2];
    // How many are open, and whether the talk stays in one of them.
    let cases = [(2, false), (3, false), (5, false), (8, false), (2, true), (3, true)];
    for ((efforts, is_one), answer) in cases.into_iter().flat_map(|case| answers.map(|a| (case, a)))
    {
        let mut memory = memory(4_000);
        let (mut said, mut read, mut full) = (0, 0, 0);
        let ids: Vec<String> = (0..efforts).map(|nth| format!("topic-{nth}")).collect();
        for id in &ids {
            memory.open(id).unwrap();
        }
        for turn in 0..240 {
            if turn % 3 == 0 && !is_one {
                memory.switch(&ids[turn * 7 / 3 % ids.len()]).unwrap();
            }
            say(&mut memory, &words("go", 10), &words("reply", 190));
            said += 200;
            read += compress_all(&mut memory, 2 * efforts + 2, answer);
            full += u32::from(memory.layers().total() > memory.rules().soft_line());
        }
        let figures = format!("{efforts}: {full} turns over the soft line, {read} read of {said}");
        assert!(full < 20 && read < 6 * said, "{figures}");
    }
}

#[test]
fn summaries_that_could_not_be_made_anew_do_not_keep_the_rest_from_being_compressed() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 4);
    let more = |memory: &mut Memory| {
        for _ in 0..4 {
            say(memory, &words("more", 10), &words("fine", 10));
        }
    };
    for nth in 0..4 {
        let source = memory.compression_source(None).unwrap();
        assert!(!source.is_anew, "{nth}");
        memory.compress(block(source, &words("short", 20))).unwrap();
        more(&mut memory);
    }
    let anew = memory.compression_source(None).unwrap();
    assert!(anew.is_anew);
    memory.not_made_anew(&anew.id, anew.tokens);
    let rest = memory.compression_source(None).unwrap();
    assert!(!rest.is_anew && rest.tokens < anew.tokens, "{} of {}", rest.tokens, anew.tokens);
    memory.compress(block(rest, "later")).unwrap();
    for _ in 0..3 {
        more(&mut memory);
    }
    assert!(memory.compression_source(None).unwrap().is_anew, "it has grown");
    let long =
        archived(memory.compression_source(None).unwrap()).block(&words("long", 500), &Words);
    assert!(
        matches!(long, Err(Refused::NotSmaller { .. })),
        "no smaller than the summaries: {long:?}"
    );
}

#[test]
fn what_is_summarised_of_a_long_log_is_in_its_order_with_what_was_compressed_already() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 10);
    let source = memory.compression_source(None).unwrap();
    memory.compress(block(source, "in short")).unwrap();
    let closing = memory.close_source(None, None).unwrap();
    let told = |most| -> Vec<String> {
        let parts = memory.parts_for_summary(&closing, Tokens(most));
        parts.iter().map(LogPart::told).collect()
    };
    let long = told(100);
    assert_eq!((long.len(), &*long[0]), (5, "in short"));
    assert!(long[1].starts_with("user: q8") && long[4].starts_with("assistant: a9"));
    assert_eq!(told(10_000).len(), 20, "a short log is read raw");
}

#[test]
fn what_is_held_by_reference_is_not_compressed_and_stays_in_its_place() {
    let mut memory = memory(4_000);
    memory.open("plan").unwrap();
    let marks = [
        "[Full result saved as ref:log: a log]\nhead",
        "[Full input saved as ref:input: a paste]\nhead",
        "look at this\n\n[Attached file saved as ref:notes: notes]\nhead",
    ];
    for mark in marks {
        say(&mut memory, &words("before", 30), "ok");
        say(&mut memory, mark, "seen");
    }
    say(&mut memory, "and", "so");
    say(&mut memory, "on", "it goes");
    let source = memory.compression_source(None).unwrap();
    let text = archived(source.clone()).text().to_owned();
    assert!(!text.contains("saved as ref:"), "{text}");
    memory.compress(block(source, "talk")).unwrap();
    let sent = sent(&memory);
    for mark in marks {
        assert_eq!(sent.iter().filter(|text| *text == mark).count(), 1, "{mark}: {sent:?}");
    }
    assert!(sent[0].starts_with(CONVERSATION_SUMMARY));
}

#[test]
fn a_heavy_message_is_compressed_on_its_own_wherever_it_stands() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 3);
    say(&mut memory, "the whole table please", &words("cell", 320));
    let source = memory.compression_due().expect("it is due");
    assert_eq!(source.tokens, Tokens(320), "the reply alone");
    memory.compress(block(source, "a table of cells")).unwrap();
    let sent = sent(&memory);
    assert!(sent.last().unwrap().ends_with("a table of cells"), "{sent:?}");
    assert!(sent.iter().any(|text| text == "the whole table please"));
    let mut memory = self::memory(400);
    memory.open("plan").unwrap();
    say(&mut memory, &words("mine", 320), "ok");
    assert_eq!(memory.compression_due(), None, "a user's last words are never compressed");
}

#[test]
fn a_form_that_is_empty_or_no_smaller_is_refused() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 10);
    let archived = archived(memory.compression_source(None).unwrap());
    assert_eq!(archived.block(" \n", &Words), Err(Refused::Empty));
    let long = archived.block(&words("long", 330), &Words).unwrap_err();
    assert!(long.to_string().contains("no less than the 168"), "{long}");
}

#[test]
fn what_an_excerpt_stood_for_beyond_a_compressed_part_does_not_come_back() {
    let mut memory = memory(4_000);
    memory.open("plan").unwrap();
    while memory.compression_due().is_none() {
        say(&mut memory, &words("ask", 10), &words("reply", 200));
    }
    let early = memory.compression_due().expect("its middle is left out");
    for _ in 0..12 {
        say(&mut memory, &words("ask", 10), &words("reply", 200));
    }
    let before = memory.layers().total();
    let left_out = |memory: &Memory| {
        memory.active().unwrap().blocks().iter().filter(|block| block.is_excerpt()).count()
    };
    assert!(left_out(&memory) > 0 && before <= memory.rules().soft_line());
    let change = memory.compress(block(early, &words("short", 100))).unwrap();
    let after = memory.layers().total();
    assert!(after <= before.max(memory.rules().low_line()), "{before} to {after}");
    assert_eq!(change.after, after);
    assert!(left_out(&memory) > 0, "the rest is still left out");
    assert!(memory.active().unwrap().compressed_messages() > 0);
}

#[test]
fn it_is_due_above_the_soft_line_and_a_failure_is_not_repeated_at_once() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 8);
    assert_eq!(memory.compression_due(), None, "below the soft line");
    working(&mut memory, "other", 6);
    let source = memory.compression_due().expect("above the soft line");
    assert_eq!(source.id.as_str(), "plan", "background first");
    memory.compression_failed(&source.id, source.tokens);
    let next = memory.compression_due().expect("the other one");
    assert_eq!(next.id.as_str(), "other");
    memory.compression_failed(&next.id, next.tokens);
    assert_eq!(memory.compression_due(), None);
    for _ in 0..3 {
        say(&mut memory, &words("more", 10), &words("fine", 10));
    }
    assert_eq!(memory.compression_due().map(|source| source.id), Some(next.id), "it has grown");
    memory.set_rules(Rules { budget_mode: BudgetMode::Ask, ..*memory.rules() }).unwrap();
    assert_eq!(memory.compression_due(), None, "nothing happens by itself then");
}

#[test]
fn the_last_words_of_background_logs_give_way_but_never_those_of_the_conversation() {
    let mut memory = memory(400);
    let ask = |nth: u64| format!("q{nth} {}", words("ask", 19));
    for nth in 0..6 {
        memory.open(&format!("topic-{nth}")).unwrap();
        say(&mut memory, &ask(2 * nth), &words("reply", 35));
        say(&mut memory, &ask(2 * nth + 1), &words("reply", 35));
    }
    memory.switch("topic-3").unwrap();
    say(&mut memory, &ask(12), &words("reply", 35));
    assert!(memory.layers().total() > memory.rules().soft_line());
    let mut compressed = Vec::new();
    while let Some(source) = memory.compression_due() {
        compressed.push(source.id.to_string());
        memory.compress(block(source, "short")).unwrap();
        let sent = sent(&memory);
        for last in [11, 12] {
            assert!(sent.contains(&ask(last)), "{last}, said in two efforts: {compressed:?}");
        }
    }
    assert_eq!(
        compressed[..2],
        ["topic-3", "topic-0"],
        "older words first, of the active effort too"
    );
    assert!(memory.layers().total() <= memory.rules().soft_line(), "{compressed:?}");
}

#[test]
fn concluding_takes_the_raw_log_and_a_block_that_comes_too_late_is_refused() {
    let mut memory = memory(400);
    working(&mut memory, "plan", 10);
    let source = memory.compression_source(None).unwrap();
    memory.compress(block(source.clone(), "short")).unwrap();
    let closing = memory.close_source(None, None).unwrap();
    assert_eq!(closing.messages.len(), 20, "the raw log is its source");
    memory.conclude(&closing, "The plan stands.").unwrap();
    let late = memory.compress(block(source, "late"));
    assert!(matches!(late, Err(Rejected::NotOpen(_))), "{late:?}");
    let raw = closing.messages.iter().map(|m| (m.role, Arc::clone(&m.content))).collect();
    memory.reopen("plan", raw).unwrap();
    assert_eq!(sent(&memory)[0].split(' ').next(), Some("q0"), "reopened as it was said");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn blocks_never_hide_what_must_stay_and_the_sum_is_right(
        sizes in prop::collection::vec((1..60_usize, 1..200_usize), 3..20),
        summary in 1..40_usize,
        again in 0..4_usize,
    ) {
        let mut memory = memory(300);
        memory.open("plan").unwrap();
        for (n, (user, reply)) in sizes.iter().enumerate() {
            say(&mut memory, &words(&format!("u{n}"), *user), &words(&format!("r{n}"), *reply));
            if n % 4 < again
                && let Some(source) = memory.compression_due()
                && let Ok(block) = archived(source).block(&words("s", summary), &Words)
            {
                memory.compress(block).unwrap();
            }
            let window = memory.window();
            prop_assert!(window.layers.total() <= Tokens(300));
            let counted: Tokens =
                window.messages().iter().map(|(_, text)| Words.count(text)).sum();
            prop_assert_eq!(counted + Tokens(1), window.layers.total());
        }
        let effort = memory.effort(&EffortId::stored("plan")).unwrap();
        let last = sizes.len() - 1;
        for n in [last - 1, last] {
            let mine = format!("u{n}");
            let whole = effort.log().iter().any(|m| m.content.split(' ').next() == Some(&*mine));
            prop_assert!(whole, "user message {} is in the log as sent", n);
        }
        prop_assert_eq!(effort.raw().len(), 2 * sizes.len());
        let covered: usize = effort.blocks().iter().map(|block| block.places().len()).sum();
        prop_assert_eq!(effort.log().len(), effort.raw().len() - covered + effort.blocks().len());
    }
}
