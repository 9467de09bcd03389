//! What is asked for in other ways than by a question that names it: by wishes, by what follows, and by what was said
//! right behind.

use std::path::Path;

use ebbtide::memory::{Role, Status, Turn};
use ebbtide::orchestrator::TurnReport;
use ebbtide::store::{Setup, SetupEffort, create};
use serde_json::json;
use tempfile::tempdir;

use super::{recalled, say};
use crate::support::driver::{Bench, call, text};

/// A concluded effort in which a user and the model said something in turn.
pub(super) fn effort(id: &str, said: &[&str]) -> SetupEffort {
    effort_of_day(id, 7, said)
}

/// The same on a day of January.
fn effort_of_day(id: &str, day: u32, said: &[&str]) -> SetupEffort {
    let message = |(nth, text): (usize, &&str)| {
        let role = [Role::User, Role::Assistant][nth % 2];
        (role, (*text).to_owned(), format!("2026-01-{day:02}T10:00:00"))
    };
    SetupEffort {
        id: id.to_owned(),
        status: Status::Concluded,
        summary: Some("Done.".to_owned()),
        tags: Vec::new(),
        last_referenced_turn: Some(Turn(0)),
        messages: said.iter().enumerate().map(message).collect(),
    }
}

/// A car whose price is told once, and then again without its name; and a dentist.
fn session(directory: &Path) {
    let car = [
        "Found an Octavia of 2019, they want 13,900 for it.",
        "Ask for the service book first.",
        "He goes down to 13,250, and we took it!",
        "Congratulations.",
        "Is there anything else?",
        "Insurance.",
    ];
    let dentist = [
        "Der Zahnarzt hat mir am 12. Mai um 9 Uhr einen Platz gegeben.",
        "Gut, das passt vor die Arbeit.",
    ];
    let efforts = vec![effort("wheels", &car), effort("teeth", &dentist)];
    create(directory, &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
}

fn all(report: &TurnReport) -> String {
    report.given.recalled.iter().map(|one| &*one.text).collect::<Vec<_>>().join("\n")
}

/// All that is recalled for a message in a session of these efforts.
pub(super) async fn all_of(efforts: Vec<SetupEffort>, message: &str) -> String {
    let dir = tempdir().unwrap();
    create(dir.path(), &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
    session_of(dir.path(), message).await
}

/// All that is recalled for a message in the session of a directory.
pub(super) async fn session_of(directory: &Path, message: &str) -> String {
    let mut bench = Bench::open(directory);
    let report = say(&mut bench, message).await;
    bench.close().await;
    all(&report)
}

#[tokio::test]
async fn what_the_user_said_right_behind_a_passage_is_told_with_it() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let report = say(&mut bench, "What did we pay for the Octavia?").await;
    let said = all(&report);
    assert_eq!(said.matches("13,250").count(), 1, "{said}");
    assert!(said.contains("13,900") && !said.contains("anything else"), "{said}");
    bench.close().await;
}

#[tokio::test]
async fn a_wish_for_something_that_was_said_recalls_it_beside_an_open_effort_too() {
    for wish in [
        "Give me the price of the Octavia",
        "I need the price of the Octavia",
        "I forgot the price of the Octavia",
        "Show me what the Octavia was to be",
        "Gib mir bitte den Preis für den Octavia",
        "Donne-moi le prix de la Octavia",
        "Dame el precio del Octavia",
    ] {
        let dir = tempdir().unwrap();
        session(dir.path());
        let mut bench = Bench::open(dir.path());
        let open = vec![call("open_effort", json!({"name": "garden"})), text("Noted.")];
        bench.turn("Let us plan the garden.", open, "").await;
        let report = say(&mut bench, wish).await;
        assert!(all(&report).contains("13,900"), "{wish}: {:?}", recalled(&report));
        bench.close().await;
    }
}

#[tokio::test]
async fn a_question_that_points_back_keeps_what_was_recalled_before() {
    for (next, keeps) in [
        ("And when was it?", true),
        ("How old is it?", true),
        ("Thanks, that helps!", false),
        ("What is the order number?", true),
        ("How do I boil an egg?", false),
    ] {
        let dir = tempdir().unwrap();
        session(dir.path());
        let mut bench = Bench::open(dir.path());
        let first = say(&mut bench, "What did we pay for the Octavia?").await;
        assert!(all(&first).contains("13,900"));
        let report = say(&mut bench, next).await;
        assert_eq!(all(&report).contains("13,900"), keeps, "{next}: {:?}", recalled(&report));
        bench.close().await;
    }
}

#[tokio::test]
async fn what_nothing_points_back_to_stays_for_one_question() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    say(&mut bench, "What did we pay for the Octavia?").await;
    let report = say(&mut bench, "What is the order number?").await;
    assert_eq!(report.given.recalled[0].cause, "the question before");
    assert!(say(&mut bench, "What is the colour?").await.given.recalled.is_empty());
    bench.close().await;
}

#[tokio::test]
async fn what_the_message_before_called_for_is_known_when_the_session_is_opened_again() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    say(&mut bench, "What did we pay for the Octavia?").await;
    bench.close().await;
    let mut bench = Bench::open(dir.path());
    let report = say(&mut bench, "What is the order number?").await;
    assert_eq!(report.given.recalled[0].cause, "the question before");
    assert!(all(&report).contains("13,250"));
    bench.close().await;
}

#[tokio::test]
async fn a_task_within_an_effort_recalls_what_was_said_elsewhere_and_nothing_of_its_own_log() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "insurance"})), text("Noted.")];
    bench.turn("Let us insure the car, the form is 4 pages long.", open, "").await;
    let report = say(&mut bench, "Write the letter about the Octavia and its service book.").await;
    assert_eq!(recalled(&report), ["wheels"]);
    for own in ["Insure it, and fill in the form of 4 pages.", "The form is long."] {
        assert!(recalled(&say(&mut bench, own).await).is_empty(), "{own}");
    }
    bench.close().await;
}

#[tokio::test]
async fn a_german_word_of_several_is_found_by_its_first_part_where_nobody_said_it() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let report = say(&mut bench, "Wann ist der Zahnarzttermin?").await;
    assert!(all(&report).contains("12. Mai"), "{:?}", recalled(&report));
    bench.close().await;
}

#[tokio::test]
async fn a_correction_that_does_not_name_what_it_corrects_comes_with_it() {
    let shelf = ["The bookcase for Mrs Zabeltitz is to be of ash.", "Good, order the boards."];
    let oak = ["Zabeltitz wants smoked oak instead of ash now.", "Then I cancel the boards."];
    let garden = ["The beans are up.", "Water them."];
    let efforts =
        vec![effort("shelf", &shelf), effort("beans", &garden), effort_of_day("oak", 9, &oak)];
    let said = all_of(efforts, "Which wood is the bookcase of?").await;
    assert!(said.contains("smoked oak"), "{said}");
    assert!(!said.contains("beans"), "{said}");
}

#[tokio::test]
async fn what_is_said_later_of_somebody_who_is_named_there_comes_with_it() {
    let bike = ["I'll buy the bike from Ansgar, a Cube, 900 euros.", "Fair."];
    let asks = |later: &'static str| {
        let efforts = vec![
            effort("bike", &bike),
            effort("beans", &["The beans are up.", "Good."]),
            effort_of_day("talk", 9, &[later, "I see."]),
        ];
        all_of(efforts, "How much do I pay for the bike?")
    };
    let corrected = asks("Ansgar wants 1,050 after all. I said yes.").await;
    assert!(corrected.contains("1,050") && !corrected.contains("beans"), "{corrected}");
    let is_nice = asks("Ansgar is such a nice man.").await;
    assert!(is_nice.contains("900") && !is_nice.contains("nice man"), "{is_nice}");
}

#[tokio::test]
async fn who_comes_instead_is_told_with_who_cancels() {
    let carer = ["We found a carer for grandma, Ludmila, every morning.", "Good."];
    let other = [
        "Ludmila gives up, she has found something else.",
        "Who does it for her?",
        "A lady from Ecuador, Nancy, for 12 an hour.",
        "Good.",
    ];
    let asks = |question| {
        let efforts = vec![
            effort("carer", &carer),
            effort("beans", &["The beans are up.", "Good."]),
            effort_of_day("talk", 9, &other),
        ];
        all_of(efforts, question)
    };
    let now = asks("What is the carer of grandma called now?").await;
    assert!(now.contains("Nancy") && !now.contains("beans"), "{now}");
    let first = asks("What was the first carer of grandma called?").await;
    assert!(first.contains("Ludmila") && !first.contains("beans"), "{first}");
}

#[tokio::test]
async fn what_somebody_says_yes_to_is_told_with_the_yes() {
    let said = [
        "The VAT of this quarter is 3,575, I think.",
        "Did you count the toasties?",
        "No, as zero.",
        "Then it is 3,771 in all.",
        "Good catch, that one it is.",
        "Filed.",
    ];
    let told = all_of(vec![effort("tax", &said)], "How much VAT is it this quarter?").await;
    assert!(told.contains("assistant: Then it is 3,771") && told.contains("Good catch"), "{told}");
    let mut other = said;
    other[4] = "The dog barks at it.";
    let told = all_of(vec![effort("tax", &other)], "How much VAT is it this quarter?").await;
    assert!(!told.contains("3,771"), "{told}");
}

#[tokio::test]
async fn of_what_was_said_near_the_best_passage_figures_come_before_small_talk() {
    let before = ["We had soup for lunch again.", "Mum rang.", "It rains.", "The dog is asleep."];
    let behind = [
        "The cat sleeps a lot again today.",
        "The sky looks grey from here.",
        "My tea went cold once more.",
        "The bus was full again.",
        "Somebody sings next door.",
        "The sun is out now.",
        "We go for a walk later.",
    ];
    let told = before.iter().chain(&["I asked for a quote for the gable."]).chain(&behind);
    let told = told.chain(&["They want 4,870 for all of it."]);
    let said: Vec<&str> = told.flat_map(|user| [*user, "Good."]).collect();
    let said = all_of(vec![effort("roof", &said)], "What was the quote for our gable?").await;
    assert!(said.contains("4,870"), "{said}");
    assert!(!said.contains("walk later"), "it is nearer, but small talk: {said}");
}

#[tokio::test]
async fn a_summary_is_left_out_beside_what_it_sums_up_and_comes_with_how_it_ended_alone() {
    let summed = |id: &str, summary: &str, said: &[&str]| SetupEffort {
        summary: Some(summary.to_owned()),
        ..effort(id, said)
    };
    let summary = "Asked for quotes.";
    let roof =
        ["I asked the roofer for a quote for our gable.", "Good.", "She wants 4,870.", "Ok."];
    let question = "What was the quote for our gable?";
    let said = all_of(vec![summed("roof", summary, &roof)], question).await;
    assert!(said.contains("4,870") && !said.contains(summary), "{said}");
    let first = "Masons come on Thursday.";
    let talk = ["We look at what it could be made of.", "Gladly."].repeat(20);
    let other = [&[first, "Ok."], &talk[..], &["Deal: 62.", "Ok."]].concat();
    let said = all_of(vec![summed("front", summary, &other)], question).await;
    assert!(said.contains(summary) && said.contains("Deal: 62."), "{said}");
    assert!(!said.contains(first), "{said}");
}

#[tokio::test]
async fn a_question_recalls_what_a_rare_word_of_it_was_said_with_however_it_is_put() {
    let cases = [
        ("Where does an Octavia of whatever colour stand?", true),
        ("Octavia?", true),
        ("Which cupola fits an Octavia?", true),
        (
            "Write the notice for people who look for some Octavia in the small town beside the lake.",
            true,
        ),
        ("What is the plural of cupola?", false),
    ];
    for (message, is_called_for) in cases {
        let dir = tempdir().unwrap();
        session(dir.path());
        let mut bench = Bench::open(dir.path());
        let said = all(&say(&mut bench, message).await);
        assert_eq!(said.contains("13,900"), is_called_for, "{message}: {said}");
        bench.close().await;
    }
}

#[tokio::test]
async fn a_short_statement_recalls_what_a_rare_word_of_it_was_said_with() {
    let ward = ["She comes out in hives from codeine, never again.", "I will remember that."];
    let efforts = vec![effort("mother", &ward), effort("beans", &["The beans are up.", "Good."])];
    let said = all_of(efforts, "The ward gave mum codeine tonight").await;
    assert!(said.contains("hives"), "{said}");
}

#[tokio::test]
async fn with_a_plan_comes_the_rule_that_was_told_beside_what_it_is_about() {
    let allotment = [
        "Trimmed the hedge on the plot, the clippings fill two bags.",
        "That is a good day's work.",
        "The shed has a new lock as well.",
        "Good.",
        "The committee forbids fires from March to October, by the way.",
        "Noted.",
    ];
    let efforts =
        vec![effort("allotment", &allotment), effort("beans", &["The beans are up.", "Good."])];
    let said = all_of(efforts, "I burn the hedge clippings tomorrow").await;
    assert!(said.contains("forbids fires") && !said.contains("beans"), "{said}");
}

#[tokio::test]
async fn what_only_tells_what_has_been_recalls_little_and_nothing_around_it() {
    let hedge = format!(
        "Trimmed the hedge on the plot, {}the clippings fill two bags.",
        "and swept the path behind it, ".repeat(30)
    );
    let allotment = [
        &*hedge,
        "That is a good day's work.",
        "The committee forbids fires from March to October, by the way.",
        "Noted.",
    ];
    let efforts =
        || vec![effort("allotment", &allotment), effort("beans", &["The beans are up.", "Good."])];
    let told = all_of(efforts(), "Ines trimmed the hedge clippings of hers today").await;
    assert!(told.contains("hedge") && !told.contains("forbids fires"), "{told}");
    let asked = all_of(efforts(), "How was it with the hedge clippings on the plot?").await;
    assert!(asked.contains("forbids fires") && asked.len() > 2 * told.len(), "{asked}");
}

#[tokio::test]
async fn long_comments_leave_room_for_what_else_was_told() {
    let comment =
        "Write it all down while it is fresh, and ask twice before you sign anything. ".repeat(9);
    let quote =
        |who: &str, price: &str| format!("{who} would do the Tolliver gutter for {price} euros.");
    let quotes = [
        ("Anders", "1,870"),
        ("Bright", "2,310"),
        ("Corey", "1,940"),
        ("Dunn", "2,050"),
        ("Eames", "1,985"),
        ("Frost", "2,120"),
        ("Gough", "2,275"),
        ("Hale", "1,910"),
    ];
    let efforts =
        quotes.map(|(who, price)| effort(&who.to_lowercase(), &[&quote(who, price), &comment]));
    let said = all_of(efforts.into(), "What were our quotes for the Tolliver gutter?").await;
    for (_, price) in quotes {
        assert!(said.contains(price), "{price}: {said}");
    }
}

#[tokio::test]
async fn a_question_beside_an_open_effort_recalls_what_several_others_hold() {
    let quotes = ["1,870", "2,310", "1,940", "2,050", "1,985"];
    let told = |(nth, price): (usize, &&str)| {
        let firm = ["Anders", "Bright", "Corey", "Dunn", "Eames"][nth];
        let quote = format!("{firm} would do the Tolliver gutter for {price} euros.");
        effort(&firm.to_lowercase(), &[&quote, "Noted."])
    };
    let efforts = quotes.iter().enumerate().map(told).collect();
    let dir = tempdir().unwrap();
    create(dir.path(), &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "insurance"})), text("Noted.")];
    bench.turn("Let us insure the car.", open, "").await;
    let said = all(&say(&mut bench, "What were our quotes for the Tolliver gutter?").await);
    for price in quotes {
        assert!(said.contains(price), "{price}: {said}");
    }
    bench.close().await;
}

#[tokio::test]
async fn courtesy_and_a_slip_of_the_fingers_change_nothing_of_what_is_recalled() {
    let dir = tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    assert_eq!(all(&say(&mut bench, "What do they want for the ostivia?").await), "");
    let plain = all(&say(&mut bench, "What do they want for the octavia?").await);
    assert!(plain.contains("13,900"), "{plain}");
    for other in [
        "Good morning! What do they want for the octavia?",
        "hey quick one - What do they want for the octavia, please?",
        "What do they want for the ocatvia?",
        "What do they want for the octvia?",
    ] {
        assert_eq!(all(&say(&mut bench, other).await), plain, "{other}");
    }
    bench.close().await;
}

#[tokio::test]
async fn a_name_counts_without_its_capital_and_a_word_that_has_none_does_not() {
    let met = |who: &str| {
        let effort = |nth: u32| {
            let said = format!("On day {nth} we met {who} at the lake.");
            effort(&format!("day-{nth}"), &[&said, "How nice."])
        };
        (1..40).map(effort).collect::<Vec<_>>()
    };
    assert!(all_of(met("Ingrid"), "who is ingrid?").await.contains("Ingrid"));
    assert_eq!(all_of(met("zebras"), "who is zebra?").await, "");
}

#[tokio::test]
async fn what_came_of_a_matter_between_efforts_comes_with_it() {
    let dir = tempdir().unwrap();
    let said = [
        "Which variable makes the thumbnail service need less memory?",
        "It is worth a look at its settings.",
        "lunch first",
        "Enjoy it.",
        "back again",
        "Welcome back.",
        "it is raining",
        "Then stay in.",
        "one more coffee",
        "Good idea.",
        "the window cleaner is here",
        "At last.",
        "so SHARP_CONCURRENCY=2 did it",
        "Good.",
    ];
    let (mut bench, mut turns) = (Bench::open(dir.path()), said.chunks(2));
    while let Some([user, reply]) = turns.next() {
        bench.turn(user, vec![text(reply)], "").await;
    }
    for nth in 0..30 {
        bench.turn(&format!("Small talk {nth}"), vec![text("Yes.")], "").await;
    }
    let report = bench.turn(
        "How did we get the thumbnail service to need less memory?",
        vec![text("?")],
        "",
    );
    let told = all(&report.await);
    assert!(told.contains("SHARP_CONCURRENCY=2"), "{told}");
    bench.close().await;
}
