use super::*;

fn parse(text: &str) -> Result<Scenario, Error> {
    Scenario::parse(text, Path::new("test.yaml"))
}

#[test]
fn repeats_are_laid_out_and_numbered() {
    let scenario = parse(
        "name: x\nsetup: {turn: 4}\nturns:\n  - {user: 1, model: [{text: a}]}\n  \
         - {repeat: 2, user: 'filler {n}', model: [{text: 'ok {n}'}]}\n",
    )
    .unwrap();
    let users: Vec<String> = scenario.turns(5).map(|turn| turn.user).collect();
    assert_eq!(users, ["1", "filler 6", "filler 7"]);
    assert_eq!(scenario.turn_count(), 3);
}

#[test]
fn what_is_pasted_stands_behind_what_is_typed() {
    let text =
        "turns:\n  - {chapter: One, user: look, paste: {lines: 2, text: 'row {i}'}, rest: 3}\n";
    let turn = parse(text).unwrap().turns(1).next().unwrap();
    assert_eq!(turn.user, "look\nrow 1\nrow 2");
    assert_eq!((turn.stage.typed, turn.stage.rest), (4, Some(3.0)));
    assert_eq!(turn.stage.chapter.as_deref(), Some("One"));
}

#[test]
fn a_typo_is_named_with_its_line_and_what_was_expected() {
    let many = "turns:\n  - {repeat: 999999, user: x}\n  - user: y\n    repeat: 2\n";
    for (line, text, words) in [
        (2, "turns:\n  - usr: hello\n", "turns[0]: unknown field `usr`, expected one of"),
        (3, "turns:\n  - user: hello\n    modle: []\n", "turns[0]: unknown field `modle`"),
        (3, "turns:\n  - user: x\n    captoin: y\n", "`captoin`, expected one of"),
        (3, "turns:\n  - user: x\n  - chapter: One\n", "turns[1]: missing field `user`"),
        (1, "turns: 5\n", "turns: invalid type: integer `5`, expected a sequence"),
        (3, "turns:\n  - chapter: One\n    user: [x]\n", "sequence, expected a text"),
        (2, "turns:\n  - chapter: [One]\n    user: {}\n", "sequence, expected a string"),
        (4, "turns:\n  - user: x\n    model:\n      - txt: y\n", "turns[0].model[0]: unknown"),
        (3, "turns:\n  - user: x\n    rest: -1\n", "turns[0].rest: expected seconds"),
        (3, "turns:\n  - user: x\n    rest: soon\n", "turns[0].rest: invalid type"),
        (4, "turns:\n - user: x\n   paste:\n    {lines: 10001, text: y}", "at most 10000"),
        (2, "turns: []\nspeed: 0\n", "speed: expected a number"),
        (3, "setup:\n  notes:\n    - {content: a, salience: 4}\n", "setup.notes[0]: "),
        (4, "setup:\n  notes:\n    - content: a\n    - content: ' '\n", "setup.notes[1]: "),
        (1, "setup: {notes: [{content: a, tag: b}]}\n", "unknown field `tag`"),
        (1, "setup: {efforts: [{id: a, status: done}]}\n", "expected `open` or `concluded`"),
        (2, "turns:\n  - {repeat: -1, user: x}\n", "repeat"),
        (4, many, "turns[1].repeat: these are 1000001 turns"),
        (3, "turns:\n  - {user: x\n", "while parsing a flow mapping at line 2"),
        (2, "turns:\n\t- user: x\n", "cannot start any token"),
        (3, "name: x\n# no\nturns: - {", "block sequence"),
        (2, "turns: []\n---\nturns: []\n", "more than one document"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        let place = format!("test.yaml:{line}: ");
        assert!(error.starts_with(&place) && error.contains(words), "{place}{words}: {error}");
        assert!(!error.contains(" column ") || error.contains("while "), "{error}");
    }
}
