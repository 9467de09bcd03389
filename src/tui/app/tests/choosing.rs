//! The queue under the keys, the palette, and keys that come at once.

use super::*;
use crate::orchestrator::Drafts;

fn waiting(app: &App) -> Vec<&str> {
    app.queue.iter().map(Queued::text).collect()
}

/// A turn under way with three messages behind it.
fn queued() -> App {
    let mut app = opened();
    say(&mut app, "zero");
    started(&mut app, 1, "zero");
    for text in ["one", "two", "three"] {
        say(&mut app, text);
    }
    app
}

fn to_queue(app: &mut App) {
    let key = KeyEvent::new(KeyCode::Up, KeyModifiers::ALT);
    app.update(Msg::Terminal(Event::Key(key)));
}

#[test]
fn what_waits_is_chosen_reordered_removed_and_edited() {
    let mut app = queued();
    to_queue(&mut app);
    assert_eq!(app.scope(), Scope::Queue);
    write(&mut app, "K");
    assert_eq!(waiting(&app), ["one", "three", "two"]);
    write(&mut app, "kJ");
    assert_eq!(waiting(&app), ["three", "one", "two"]);
    write(&mut app, "d");
    assert_eq!(waiting(&app), ["three", "two"]);
    press(&mut app, KeyCode::Esc);
    write(&mut app, "draft");
    to_queue(&mut app);
    press(&mut app, KeyCode::Enter);
    assert_eq!((app.scope(), app.input.text().as_str()), (Scope::Input, "two"));
    write(&mut app, " again");
    press(&mut app, KeyCode::Enter);
    assert_eq!(waiting(&app), ["three", "two again"]);
    press(&mut app, KeyCode::Esc);
    // What was removed and what was being written are in the history.
    let texts: Vec<String> = (0..3)
        .map(|_| {
            app.input.up();
            app.input.text()
        })
        .collect();
    assert_eq!(texts, ["two again", "draft", "one"]);
}

#[test]
fn the_queue_gives_the_keys_back_when_nothing_waits_any_more() {
    let mut app = opened();
    to_queue(&mut app);
    assert_eq!(app.scope(), Scope::Input);
    let mut app = queued();
    to_queue(&mut app);
    write(&mut app, "ddd");
    assert_eq!((app.scope(), app.queue.len()), (Scope::Input, 0));
    let mut app = opened();
    say(&mut app, "zero");
    started(&mut app, 1, "zero");
    say(&mut app, "one");
    to_queue(&mut app);
    assert_eq!(ended(&mut app, 1, "zero", "fine"), ["send one"]);
    assert_eq!(app.scope(), Scope::Input);
}

#[test]
fn the_palette_runs_a_command_and_keeps_what_is_written() {
    let mut app = opened();
    write(&mut app, "half a mess");
    control(&mut app, 'p');
    assert_eq!(app.scope(), Scope::Palette);
    write(&mut app, "conclude");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["run close"]);
    assert_eq!((app.scope(), app.input.text().as_str()), (Scope::Input, "half a mess"));
    control(&mut app, 'p');
    write(&mut app, "expand");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.input.text(), "/expand ");
    control(&mut app, 'p');
    write(&mut app, "draw the screen");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["redraw"]);
    control(&mut app, 'p');
    write(&mut app, "search your mess");
    press(&mut app, KeyCode::Enter);
    assert!(app.input.search().is_some());
    press(&mut app, KeyCode::Esc);
    control(&mut app, 'p');
    app.update(Msg::Terminal(Event::Paste("no such thing\n".into())));
    assert!(press(&mut app, KeyCode::Enter).is_empty());
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.scope(), Scope::Input);
}

#[test]
fn the_palette_opens_what_a_typed_command_would() {
    let mut app = opened();
    control(&mut app, 'p');
    write(&mut app, "/sessions");
    let asked = words(&press(&mut app, KeyCode::Enter));
    assert!(asked.iter().any(|word| word.starts_with("session(find")), "{asked:?}");
}

#[test]
fn keys_at_once_are_a_paste_in_the_message_line_and_keys_elsewhere() {
    let keys: Vec<KeyEvent> = "ab\ncd\n"
        .chars()
        .map(|letter| match letter {
            '\n' => KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE),
            letter => KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE),
        })
        .collect();
    let mut app = opened();
    assert!(app.update(Msg::Burst(keys.clone())).is_empty());
    assert_eq!(app.input.text(), "ab\ncd\n");
    app.input.set("");
    control(&mut app, 'p');
    app.update(Msg::Burst(keys));
    assert!(app.input.text().is_empty() || app.input.text() == "cd\n", "{}", app.input.text());
}

#[test]
fn what_is_said_of_a_paste_goes_with_it() {
    let mut app = opened();
    let keys = "ab\n".chars().map(|letter| match letter {
        '\n' => KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE),
        letter => KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE),
    });
    app.update(Msg::Burst(keys.collect()));
    assert!(app.hint.as_ref().is_some_and(|(hint, _)| hint.contains("taken for a paste")));
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send ab"]);
    assert_eq!(app.hint, None);
}

#[test]
fn the_editor_gets_the_whole_message_and_a_failure_changes_nothing() {
    let mut app = opened();
    write(&mut app, "see ");
    let pasted = "line\n".repeat(20);
    app.update(Msg::Terminal(Event::Paste(pasted.clone())));
    let actions = control(&mut app, 'g');
    let [Action::Edit(text)] = &actions[..] else { panic!("{actions:?}") };
    assert_eq!(*text, format!("see {pasted}"));
    let before = app.input.text();
    app.update(Msg::Edited(Err("The editor failed.".into())));
    assert_eq!((app.input.text(), said(&app).pop().unwrap().0), (before, BlockKind::Error));
    let edited = format!("now {}\n", text.trim_end());
    app.update(Msg::Edited(Ok(edited)));
    assert!(app.input.text().starts_with("now see "), "{}", app.input.text());
}

#[test]
fn a_search_takes_letters_and_gives_other_keys_their_meaning() {
    let mut app = opened();
    say(&mut app, "why does the pump stall?");
    started(&mut app, 1, "why does the pump stall?");
    ended(&mut app, 1, "why does the pump stall?", "heat");
    write(&mut app, "draft");
    control(&mut app, 'r');
    write(&mut app, "stall?");
    assert_eq!(app.input.text(), "why does the pump stall?");
    control(&mut app, 'c');
    assert_eq!(app.input.text(), "draft");
    control(&mut app, 'r');
    write(&mut app, "pump");
    press(&mut app, KeyCode::Home);
    write(&mut app, "So ");
    assert_eq!(app.input.text(), "So why does the pump stall?");
}

#[test]
fn what_is_put_away_unsent_is_kept_until_it_is_sent() {
    let aside = |app: &mut App| app.drafts_to_keep().expect("something is kept").aside;
    let mut app = opened();
    write(&mut app, "cleared");
    control(&mut app, 'c');
    assert_eq!(aside(&mut app), ["cleared".into()]);
    say(&mut app, "cleared");
    assert_eq!(aside(&mut app), []);
}

#[test]
fn esc_leaves_a_queued_message_as_it_was_and_where_it_was() {
    let mut app = opened();
    say(&mut app, "first");
    started(&mut app, 1, "first");
    for message in ["second", "third", "fourth"] {
        say(&mut app, message);
    }
    write(&mut app, "half a thought");
    app.update(Msg::Terminal(Event::Key(KeyEvent::new(KeyCode::Up, KeyModifiers::ALT))));
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.input.text(), "third");
    write(&mut app, " changed");
    assert_eq!(press(&mut app, KeyCode::Esc).len(), 0, "the turn goes on");
    assert_eq!(waiting(&app), ["second", "third", "fourth"]);
    assert_eq!(app.input.text(), "half a thought");
    assert_eq!(app.focus, Focus::Queue);
    // A change that is kept stays in its place, too.
    press(&mut app, KeyCode::Enter);
    write(&mut app, "!");
    press(&mut app, KeyCode::Enter);
    assert_eq!(waiting(&app), ["second", "third!", "fourth"]);
}

#[test]
fn esc_leaves_the_last_queued_message_as_it_was() {
    let mut app = opened();
    say(&mut app, "first");
    started(&mut app, 1, "first");
    say(&mut app, "second");
    press(&mut app, KeyCode::Up);
    write(&mut app, " changed");
    assert_eq!((app.input.text(), waiting(&app).len()), ("second changed".to_owned(), 0));
    press(&mut app, KeyCode::Esc);
    assert_eq!((app.input.text(), waiting(&app)), (String::new(), vec!["second"]));
    // What would have been sent meanwhile is sent now.
    press(&mut app, KeyCode::Up);
    ended(&mut app, 1, "first", "ok");
    assert_eq!(words(&press(&mut app, KeyCode::Esc)), ["send second"]);
}

/// What would be on disk if the program ended now, given to the next start of it.
fn killed(mut app: App) -> App {
    let drafts = app.drafts_to_keep().expect("something is kept");
    let mut next = opened();
    next.update(Msg::Notice(Notice::Drafts(Drafts { taken_back: false, ..drafts })));
    next
}

#[test]
fn a_message_that_was_being_changed_when_the_program_ended_is_changed_further_and_sent_by_hand_only()
 {
    let mut app = queued();
    write(&mut app, "half a thought");
    to_queue(&mut app);
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    write(&mut app, " changed");
    let mut app = killed(app);
    assert!(draw(&mut app, 80, 24).contains(" Edit "));
    assert_eq!((app.input.text().as_str(), waiting(&app)), ("two changed", vec!["one", "three"]));
    // Killed again, it still is a change; given up, all is as it was, and nothing is sent.
    let mut app = killed(app);
    assert!(press(&mut app, KeyCode::Esc).is_empty());
    assert_eq!(app.input.text(), "half a thought");
    assert_eq!(waiting(&app), ["one", "two", "three"]);
    let history: Vec<String> = (0..2)
        .map(|_| {
            app.input.up();
            app.input.text()
        })
        .collect();
    assert_eq!(history, ["half a thought"; 2], "what waits is not in the history as well");
}

#[test]
fn giving_a_change_up_sends_nothing_that_was_held() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    say(&mut app, "two");
    press(&mut app, KeyCode::Up);
    stopped(&mut app, "one", "", Some("The server hung up"));
    for _ in 0..2 {
        assert!(press(&mut app, KeyCode::Esc).is_empty());
        assert_eq!(waiting(&app), ["two"]);
        press(&mut app, KeyCode::Up);
    }
}

#[test]
fn esc_leaves_a_summary_as_it_was_and_brings_back_what_was_written() {
    let mut app = opened();
    show_tea(&mut app);
    write(&mut app, "half a thought");
    app.enter_panel();
    draw(&mut app, 120, 36);
    write(&mut app, "E");
    assert_eq!(app.input.text(), "/edit tea Green tea.");
    write(&mut app, " And black.");
    assert!(press(&mut app, KeyCode::Esc).is_empty());
    assert_eq!((app.input.text(), app.focus), ("half a thought".to_owned(), Focus::Panel));
    // Kept, it is a command like any other.
    write(&mut app, "E");
    write(&mut app, " And black.");
    let sent = words(&press(&mut app, KeyCode::Enter));
    assert!(sent[0].contains("green tea. and black."), "{sent:?}");
    assert_eq!(app.focus, Focus::Panel, "the next key is one of the panel's");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.input.text(), "", "the change is made");
}

#[test]
fn a_summary_that_was_being_changed_when_the_program_ended_is_changed_further() {
    let changing = || {
        let mut app = opened();
        show_tea(&mut app);
        write(&mut app, "half a thought");
        app.enter_panel();
        draw(&mut app, 120, 36);
        write(&mut app, "E And black.");
        killed(app)
    };
    let mut app = changing();
    assert_eq!(app.input.text(), "/edit tea Green tea. And black.");
    assert!(draw(&mut app, 80, 24).contains(" Edit "));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.input.text(), "half a thought");
    let sent = words(&press(&mut changing(), KeyCode::Enter));
    assert!(sent[0].contains("green tea. and black."), "{sent:?}");
}

#[test]
fn a_summary_that_is_being_changed_is_never_sent_as_a_message() {
    let mut app = opened();
    show_tea(&mut app);
    app.enter_panel();
    draw(&mut app, 120, 36);
    write(&mut app, "E");
    press(&mut app, KeyCode::Home);
    for line in ["New ", "/edit teapot "] {
        write(&mut app, line);
        assert!(press(&mut app, KeyCode::Enter).is_empty(), "{line}");
        assert!(draw(&mut app, 120, 36).contains("an edit begins with /edit tea"), "{line}");
        press(&mut app, KeyCode::Home);
    }
    press(&mut app, KeyCode::Esc);
    assert_eq!((app.input.text(), app.focus), (String::new(), Focus::Panel));
}

/// A concluded effort in the panel.
fn show_tea(app: &mut App) {
    let item = crate::tui::steering::tests::item(crate::memory::Tier::Warm, false);
    let view = MemoryView {
        budget: crate::memory::Tokens(16_000),
        warm: vec![item],
        ..MemoryView::default()
    };
    app.update(Msg::Notice(Notice::Memory(Arc::new(view))));
}

#[test]
fn what_only_the_filter_hides_is_not_said_to_be_older() {
    let mut app = opened();
    let item = |id: &str| crate::memory::ItemView {
        id: crate::memory::EffortId::stored(id),
        ..crate::tui::steering::tests::item(crate::memory::Tier::Evicted, false)
    };
    let recent = vec![item("tea"), item("rye")];
    let manifest = crate::memory::ManifestView { concluded: 2, evicted: 2, recent };
    let budget = crate::memory::Tokens(16_000);
    let view = MemoryView { budget, manifest, ..MemoryView::default() };
    app.update(Msg::Notice(Notice::Memory(Arc::new(view))));
    app.enter_panel();
    draw(&mut app, 120, 36);
    write(&mut app, "/rye");
    let screen = draw(&mut app, 120, 36);
    assert!(screen.contains("rye") && !screen.contains("older"), "{screen}");
}

#[test]
fn the_selected_item_is_the_same_wherever_it_went() {
    let mut app = opened();
    show_tea(&mut app);
    let mut other = app.memory.warm[0].clone();
    other.id = EffortId::stored("oats");
    let tea = app.memory.warm[0].clone();
    let listed = |warm: &[&crate::memory::ItemView]| {
        let warm = warm.iter().map(|item| (*item).clone()).collect();
        let budget = crate::memory::Tokens(16_000);
        Notice::Memory(Arc::new(MemoryView { budget, warm, ..MemoryView::default() }))
    };
    let selected = |app: &App| app.panel.item(app.listed()).map(|item| item.id());
    app.handle_notice(listed(&[&tea, &other]));
    app.enter_panel();
    press(&mut app, KeyCode::Down);
    assert_eq!(selected(&app).as_deref(), Some("tea"));
    app.handle_notice(listed(&[&other, &tea]));
    assert_eq!(selected(&app).as_deref(), Some("tea"), "it moved up");
    app.handle_notice(listed(&[&other]));
    assert_eq!(selected(&app).as_deref(), Some("oats"), "it is gone");
}
