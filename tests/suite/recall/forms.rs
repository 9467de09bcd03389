//! What was said in another form than it is asked for in, or in few words beside it; and what only sounds like a question.

use ebbtide::store::SetupEffort;

use super::worded::{all_of, effort};

/// What was said of other things on the same days.
fn others() -> Vec<SetupEffort> {
    let said = [
        ("tea", ["Der Tee kostet 4,20.", "Gut."]),
        ("rain", ["Es regnet den ganzen Tag, was für ein Tag.", "Dann bleib im Haus."]),
        ("lamp", ["I need a new lamp for the hall, what a price.", "Look for a used one."]),
        ("talk", ["We talked all day, and I had a break at noon.", "A long day."]),
        ("good", ["Die Nacht war gut, ich hab geschlafen.", "Schön."]),
        ("dog", ["Our neighbour has a dog called Ankou.", "A dark name."]),
    ];
    said.iter().map(|(id, said)| effort(id, said)).collect()
}

#[tokio::test]
async fn a_german_word_is_found_in_its_other_forms_and_in_what_it_is_joined_with() {
    for (said, question, answer) in [
        ("Die Umzugsfirmen wollen 2.890 und 2.480.", "Was wollte die Umzugsfirma?", "2.480"),
        ("Die Übergabe ist am 22. Juli.", "Wann ist die Schlüsselübergabe?", "22. Juli"),
        ("Am Ende waren es drei Zähne und 512 Euro.", "Was hat der Zahn gekostet?", "512"),
        ("Mein Fahrrad war von 2022.", "Von wann war das Rad?", "2022"),
        ("Zwei Kautionen sind noch offen, je 900.", "Wie hoch war die Kaution?", "900"),
        ("Das Zentrum war ab neun offen.", "Wann waren die Zentren offen?", "neun"),
    ] {
        let mut efforts = others();
        efforts.push(effort("it", &[said, "Notiert."]));
        let told = all_of(efforts, question).await;
        assert!(told.contains(answer), "{question}: {told}");
    }
}

#[tokio::test]
async fn a_line_that_tells_but_a_figure_is_told_beside_what_it_is_of() {
    let said = [
        "I am merging the pelican chapters, so the reveal of the pelican moves.",
        "Then the next one moves as well.",
        "It's in 28 now.",
        "Good.",
        "Is it 28?",
        "Yes.",
    ];
    let mut efforts = others();
    efforts.push(effort("novel", &said));
    let told = all_of(efforts, "In which chapter is the reveal of the pelican?").await;
    assert!(told.contains("It's in 28 now.") && !told.contains("Is it 28?"), "{told}");
}

#[tokio::test]
async fn the_summary_of_the_effort_that_a_question_means_stands_beside_what_was_said_in_it() {
    let said = [
        "The panel is too small for the winter, they say of each panel.",
        "How large is the panel?",
        "This panel has 20 W, the next panel has 30 W.",
        "Take the larger panel.",
        "The panel is ordered, and a spare panel.",
        "Good.",
        "One panel came broken, they send another panel.",
        "As it should be.",
        "The panel hangs.",
        "Done, then.",
    ];
    let summary = Some("Twelve of 30 W, 41 each, from the wholesaler.".to_owned());
    let said = [&said[..], &["We had tea.", "Good."].repeat(9)].concat();
    let mut efforts = others();
    efforts.push(SetupEffort { summary, ..effort("power", &said) });
    let told = all_of(efforts, "What did we pay for each panel?").await;
    assert!(told.contains("41 each"), "{told}");
}

#[tokio::test]
async fn what_sounds_like_a_question_or_a_wish_and_is_none_calls_for_nothing() {
    for message in
        ["What a day", "I need a break", "gute Nacht", "Was für ein Tag!", "ok thanks lol"]
    {
        let told = all_of(others(), message).await;
        assert_eq!(told, "", "{message}");
    }
    for (message, answer) in [
        ("I need the name of the neighbour's dog", "Ankou"),
        ("was für ein Tee kostet denn so viel", "4,20"),
    ] {
        let told = all_of(others(), message).await;
        assert!(told.contains(answer), "{message}: {told}");
    }
}
