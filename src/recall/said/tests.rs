//! The index as a whole: adding, finding, and what it makes of broken files.

use std::fs;
use std::path::Path;

use super::*;

fn effort(id: &str) -> Source {
    Source::Effort(id.to_owned())
}

fn said(source: &Source, turn: u64) -> Said<'_> {
    Said { source, turn, day: Date::new(2025, 3, turn as i8).ok() }
}

/// What two efforts and some small talk left behind.
const TALK: [(&str, &[&str]); 3] = [
    (
        "auth-bug",
        &["Logins fail with 401.", "The clock of the token service is behind.", "I set it."],
    ),
    (
        "bread",
        &["The dough is too wet.", "Use 650 g of water for a kilo of flour.", "It rose well."],
    ),
    ("", &["My sister bought a telescope.", "Which one?", "A Dobsonian with 200 mm."]),
];

fn sources() -> impl Iterator<Item = (Source, &'static [&'static str])> {
    let source = |id: &str| if id.is_empty() { Source::Ambient } else { effort(id) };
    TALK.into_iter().map(move |(id, messages)| (source(id), messages))
}

fn fill(index: &mut Index) {
    for (turn, (source, messages)) in (1..).zip(sources()) {
        index.add(said(&source, turn), 0, messages);
    }
    index
        .add_summary(said(&effort("auth-bug"), 1), "Fixed 401s: clock drift of the token service.");
}

fn filled(directory: &Path) -> Index {
    let (mut index, problem) = Index::open(directory, 7);
    assert!(problem.is_none(), "{problem:?}");
    fill(&mut index);
    index.save().unwrap();
    index
}

const QUESTIONS: [&str; 5] = [
    "the clock of the token service",
    "how much water for flour?",
    "telescopes",
    "401",
    "on 2 March",
];

fn found(index: &Index) -> Vec<Vec<Hit>> {
    QUESTIONS.iter().map(|question| index.search(question, 5, None)).collect()
}

fn first(index: &Index, query: &str) -> Option<Source> {
    index.search(query, 5, None).first().map(|hit| hit.source.clone())
}

#[test]
fn what_was_said_is_found_at_once_with_its_place_and_day() {
    let directory = tempfile::tempdir().unwrap();
    let index = filled(directory.path());
    let hits = index.search("How much water does the flour need?", 5, None);
    assert_eq!(hits[0].source, effort("bread"));
    let best = &hits[0].passages[0];
    assert_eq!(best.place, Place::Messages { range: 0..3, part: None });
    assert_eq!((best.turn, best.day), (2, Date::new(2025, 3, 2).ok()));
    assert_eq!(first(&index, "Did my sisters buy telescopes?"), Some(Source::Ambient));
    assert_eq!(first(&index, "what was it on March 2nd?"), Some(effort("bread")));
}

#[test]
fn it_is_the_same_when_opened_again_from_the_log_and_from_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let before = found(&index);
    drop(index);
    index = Index::open(directory.path(), 8).0;
    assert_eq!(found(&index), before);
    blocks::write(&mut index, || true).unwrap();
    assert_eq!(found(&index), before);
    index.add(said(&effort("bread"), 4), 3, &["A banneton keeps its shape."]);
    index.save().unwrap();
    let before = found(&index);
    drop(index);
    let (mut index, problem) = Index::open(directory.path(), 9);
    assert!(problem.is_none());
    assert_eq!(found(&index), before);
    assert_eq!(first(&index, "banneton"), Some(effort("bread")));
    assert!(blocks::read(&mut index).is_some(), "the blocks are taken in, and the log behind them");
}

#[test]
fn what_is_indexed_already_is_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let size = index.size();
    for (source, messages) in sources() {
        assert_eq!(index.messages(&source), 3);
        index.add(said(&source, 1), 0, messages);
    }
    assert_eq!(index.size(), size);
    index.add(said(&Source::Ambient, 4), 2, &["A Dobsonian with 200 mm.", "Clear skies!"]);
    assert_eq!(index.messages(&Source::Ambient), 4);
}

#[test]
fn what_was_taken_back_is_found_no_longer_and_can_be_said_anew() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    index.add(said(&Source::Ambient, 4), 3, &["We had pizza.", "Enjoy."]);
    index.forget(&Source::Ambient, 3);
    index.forget_summary(&effort("auth-bug"));
    assert_eq!(first(&index, "pizza"), None);
    assert_eq!(first(&index, "drift"), None);
    index.add(said(&Source::Ambient, 4), 3, &["We had soup."]);
    index.add_summary(said(&effort("bread"), 5), "Wet dough.");
    index.add_summary(said(&effort("bread"), 5), "A loaf of rye.");
    let asked = ["pizza", "soup", "rye", "drift", "telescope"];
    let answers = |index: &Index| asked.map(|query| first(index, query));
    let expected =
        [None, Some(Source::Ambient), Some(effort("bread")), None, Some(Source::Ambient)];
    assert_eq!(answers(&index), expected);
    blocks::write(
        &mut {
            index.save().unwrap();
            index
        },
        || true,
    )
    .unwrap();
    let index = Index::open(directory.path(), 8).0;
    assert_eq!(answers(&index), expected);
    assert_eq!(index.messages(&Source::Ambient), 4);
}

#[test]
fn whatever_is_broken_the_rest_answers_and_the_missing_can_be_added_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let before = found(&index);
    blocks::write(&mut index, || true).unwrap();
    drop(index);
    let [log, blocks] = ["said.log", "said.blocks"].map(|name| directory.path().join(name));
    let (whole_log, whole_blocks) = (fs::read(&log).unwrap(), fs::read(&blocks).unwrap());
    let check = |what: &str| {
        let (mut index, _) = Index::open(directory.path(), 10);
        fill(&mut index);
        let mut now = found(&index);
        if index.is_damaged() {
            index = index.clear(11).0;
            fill(&mut index);
            now = found(&index);
        }
        assert_eq!(now, before, "{what}");
    };
    for (file, whole) in [(&log, &whole_log), (&blocks, &whole_blocks)] {
        for at in (0..whole.len()).step_by(7) {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x55;
            for (what, bytes) in [("cut", &whole[..at]), ("flipped", &flipped)] {
                fs::write(&log, &whole_log).unwrap();
                fs::write(&blocks, &whole_blocks).unwrap();
                fs::write(file, bytes).unwrap();
                check(&format!("{} {what} at {at}", file.display()));
            }
        }
    }
}

#[test]
fn a_torn_log_is_said_to_be_torn() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path()));
    let log = directory.path().join("said.log");
    let whole = fs::read(&log).unwrap();
    fs::write(&log, &whole[..whole.len() - 3]).unwrap();
    let (index, problem) = Index::open(directory.path(), 8);
    assert!(problem.unwrap().to_string().contains("damaged"));
    assert_eq!(first(&index, "telescope"), Some(Source::Ambient));
    assert_eq!(first(&index, "drift"), None);
    drop(index);
    let (_, problem) = Index::open(directory.path(), 9);
    assert!(problem.is_none(), "once: {problem:?}");
}

#[test]
fn what_was_only_looked_at_is_kept_behind_a_torn_end() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path()));
    let log = directory.path().join("said.log");
    let torn = [fs::read(&log).unwrap(), vec![0; 99]].concat();
    fs::write(&log, &torn).unwrap();
    let mut looked = Index::look(directory.path(), 8);
    assert_eq!(fs::read(&log).unwrap(), torn, "looking changes nothing");
    looked.add(said(&Source::Ambient, 9), 3, &["A pelican."]);
    looked.keep();
    let (again, problem) = Index::open(directory.path(), 9);
    assert!(problem.is_none(), "{problem:?}");
    assert_eq!(first(&again, "pelican"), Some(Source::Ambient));
}

#[test]
fn a_summary_of_any_length_can_be_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let words = |from: u32| {
        let words: Vec<String> = (from..from + 60_000).map(|n| format!("ab{n:x}c")).collect();
        words.join(" ")
    };
    let chars: String = (0x4e00..0x9000).filter_map(char::from_u32).collect();
    for (nth, summary) in [words(0), chars.repeat(7), words(70_000)].iter().enumerate() {
        let (id, turn) = (format!("long{nth}"), 4 + nth as u64);
        index.add_summary(said(&effort(&id), turn), summary);
        assert!(index.holds_summary(&effort(&id), summary));
    }
    index.save().unwrap();
    drop(index);
    let (again, problem) = Index::open(directory.path(), 8);
    assert!(problem.is_none(), "{problem:?}");
    assert!(again.holds_summary(&effort("long1"), &chars.repeat(7)));
    assert_eq!(first(&again, "ab11171c"), Some(effort("long2")));
}

#[test]
fn where_it_cannot_be_written_it_works_in_this_process_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("said.log")).unwrap();
    let (mut index, problem) = Index::open(directory.path(), 7);
    assert!(problem.unwrap().to_string().contains("cannot be written"));
    fill(&mut index);
    index.save().unwrap();
    assert_eq!(first(&index, "telescope"), Some(Source::Ambient));
    assert!(!index.tidy(|| true).unwrap());
}

#[test]
fn the_second_to_open_it_reads_and_harms_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let one = filled(directory.path());
    let before = fs::read(directory.path().join("said.log")).unwrap();
    let (mut two, problem) = Index::open(directory.path(), 8);
    assert!(problem.unwrap().to_string().contains("another process"));
    assert_eq!(found(&two), found(&one));
    two.add(said(&Source::Ambient, 9), 3, &["A pelican."]);
    two.save().unwrap();
    assert_eq!(first(&two, "pelican"), Some(Source::Ambient));
    assert_eq!(first(&one, "pelican"), None);
    assert_eq!(fs::read(directory.path().join("said.log")).unwrap(), before);
}

#[test]
fn what_was_only_looked_at_is_kept_unless_it_has_changed_since() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("index");
    let mut looked = Index::look(&place, 7);
    let mut late = Index::look(&place, 8);
    fill(&mut looked);
    fill(&mut late);
    assert!(!place.exists(), "looking writes nothing");
    looked.keep();
    let kept = fs::read(place.join("said.log")).unwrap();
    late.keep();
    assert_eq!(fs::read(place.join("said.log")).unwrap(), kept, "another index is there by now");
    looked.add(said(&Source::Ambient, 9), 3, &["A pelican."]);
    looked.keep();
    let (again, problem) = Index::open(&place, 9);
    assert!(problem.is_none(), "nobody holds it: {problem:?}");
    assert_eq!(found(&again), found(&looked));
    assert_eq!(first(&again, "pelican"), Some(Source::Ambient), "what came later is kept too");
}

#[test]
fn tidying_ends_when_it_is_to_and_what_it_writes_is_its_owners_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let before = found(&index);
    assert!(!blocks::write(&mut index, || false).unwrap());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "only the log is there");
    assert!(blocks::write(&mut index, || true).unwrap());
    assert_eq!(found(&index), before);
    #[cfg(unix)]
    for file in fs::read_dir(directory.path()).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let made = directory.path().join("index");
        Index::open(&made, 7);
        assert_eq!(fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn what_is_put_away_again_and_again_is_found_as_in_memory_and_when_opened_anew() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = Index::open(directory.path(), 7).0;
    let mut in_memory = Index::in_memory();
    for nth in 0..6_u32 {
        let text = format!("The pelican of day {nth} saw kestrel{nth} and a telescope.");
        for index in [&mut index, &mut in_memory] {
            index.add(said(&Source::Ambient, u64::from(nth)), nth, &[&text]);
        }
        index.put_away().unwrap();
        assert_eq!(index.held(), 0);
        assert_eq!(found(&index), found(&in_memory));
    }
    drop(index);
    let (again, problem) = Index::open(directory.path(), 8);
    assert!(problem.is_none() && !again.is_damaged());
    assert_eq!(again.held(), 0, "the words are in the file");
    assert_eq!(found(&again), found(&in_memory));
    assert_eq!(first(&again, "kestrel3"), Some(Source::Ambient));
}

#[test]
fn forgetting_a_summary_that_is_not_there_forgets_nothing() {
    let mut index = Index::in_memory();
    let messages = vec!["A pelican."; 60];
    index.add(said(&Source::Ambient, 1), 0, &messages);
    let size = index.size();
    index.forget_summary(&Source::Ambient);
    index.add(said(&Source::Ambient, 1), 0, &messages);
    assert_eq!((index.messages(&Source::Ambient), index.size()), (60, size));
}

#[test]
fn other_scripts_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let mut index = filled(directory.path());
    let talk = [
        ("zh", "我们把数据库迁移到了新的服务器。", "数据库"),
        ("ja", "新しい自転車のブレーキを調整した。", "ブレーキ"),
        ("th", "เราย้ายฐานข้อมูลไปยังเซิร์ฟเวอร์ใหม่", "ฐานข้อมูล"),
        ("ar", "أصلحنا الخطأ في المدرسة الجديدة", "مدرسة"),
        ("ru", "Мы перенесли базу данных на новый сервер", "база данных"),
        ("de", "Die Größe der Straße ist geprüft", "grosse strasse"),
    ];
    for (id, text, _) in talk {
        index.add(said(&effort(id), 5), 0, &[text]);
    }
    for (id, _, query) in talk {
        assert_eq!(first(&index, query), Some(effort(id)), "{query}");
    }
}

#[test]
fn every_query_has_a_clear_answer() {
    let directory = tempfile::tempdir().unwrap();
    let index = filled(directory.path());
    for query in ["", "the of and", "\"", "AND OR NOT", "a:b~2^3 (", "*?[", "\0", "💧"] {
        assert_eq!(index.search(query, 5, None), [], "{query}");
    }
    let long = format!("{} telescope", "lorem ipsum dolor ".repeat(6_000));
    assert_eq!(first(&index, &long), Some(Source::Ambient));
    assert_eq!(Index::open(&directory.path().join("empty"), 1).0.search("clock", 5, None), []);
}

#[test]
fn a_topic_stands_out_and_everyday_words_do_not() {
    let directory = tempfile::tempdir().unwrap();
    let index = filled(directory.path());
    let stands_out =
        |query: &str| index.search(query, 1, None).first().is_some_and(Hit::stands_out);
    assert!(stands_out("why was the clock of the token service behind?"));
    assert!(stands_out("which telescope did my sister buy?"));
    for small_talk in ["Can you set it up well?", "Thanks, that one works!", "What is a good use?"]
    {
        assert!(!stands_out(small_talk), "{small_talk}");
    }
}

#[test]
fn words_of_grammar_rank_what_is_found_and_say_nothing() {
    let mut index = Index::in_memory();
    let source = effort("umzug");
    let messages = [
        "Ich habe die Wohnung am Kanal genommen.",
        "Schön, wann ziehst du ein?",
        "Die Katze ist auf dem Dach und ich weiß nicht, wie sie dahin kam.",
        "Lass ihr Zeit.",
    ];
    for (at, two) in (0..).zip(messages.chunks(2)) {
        index.add(said(&source, 1), at * 2, two);
    }
    let hits = index.search("Wie habe ich die Wohnung gefunden?", 5, None);
    let passage = &hits[0].passages[0];
    assert_eq!((passage.shared(), passage.telling), (1, 1), "{:?}", passage.words);
    assert!(passage.words[0].as_ref() == "Wohnung" && passage.words.len() > 1);
    let general = index.search("Warum ist der Himmel und die Erde so?", 5, None);
    assert!(
        general.is_empty(),
        "a question of no past is not looked for by its grammar: {general:?}"
    );
    assert!(!index.search("und die", 5, None).is_empty(), "where there is nothing else it is");
}

#[test]
fn a_hit_names_the_passages_that_match_best() {
    let mut index = Index::in_memory();
    for id in ["clock", "other"] {
        let source = effort(id);
        for at in 0..12 {
            let text = format!(
                "{}The {id} told {at} with the pendulum.",
                "A word of its own. ".repeat(12)
            );
            index.add(said(&source, 1), at, &[&text]);
        }
    }
    let hits = index.search("the clock and its pendulum", 5, None);
    let counts: Vec<usize> = hits.iter().map(|hit| hit.passages.len()).collect();
    assert_eq!(counts, [4, 4]);
    assert!(hits[0].passages.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn a_word_that_means_a_telling_one_and_a_long_number_are_rare_where_they_were_said_seldom() {
    let mut index = Index::in_memory();
    let texts = ["Der Anwalt meint ja.", "Order 20931 went out.", "Order 1500 of us.", "Sun."];
    for (turn, text) in (1..).zip(texts) {
        index.add(said(&effort(&turn.to_string()), turn), 0, &[text]);
    }
    let best = |query: &str| {
        let hits = index.search(query, 5, None);
        hits.first().map(|hit| (hit.passages[0].rare, hit.passages[0].near))
    };
    assert_eq!(best("which lawyer?"), Some((0, 1)));
    assert_eq!(best("20931?"), Some((1, 0)));
    assert_eq!(best("1500?"), Some((0, 0)), "a year, or a price");
}

#[test]
fn what_stands_side_by_side_in_a_script_without_spaces_is_one_word() {
    let mut index = Index::in_memory();
    let told = [
        "user: 台所の換気扇は静音型です。",
        "user: 庭のトマトは赤いです。",
        "user: 今日は雨です。",
    ];
    for (turn, text) in (1..).zip(told) {
        index.add(said(&effort(&format!("e{turn}")), turn), turn as u32, &[text]);
    }
    let first = |query: &str| {
        let hits = index.search(query, 1, None);
        let passage = hits.first()?.passages.first()?;
        Some((passage.words.iter().map(ToString::to_string).collect(), passage.telling))
    };
    assert_eq!(first("換気扇はどれですか?"), Some((vec!["換気扇は".to_owned()], 1)));
    assert_eq!(first("光はどれくらい速いですか?"), Some((Vec::<String>::new(), 0)), "mere grammar");
}
