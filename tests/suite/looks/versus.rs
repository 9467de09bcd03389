//! A question that is put twice: while both answers come, before the verdict, and after it.

use std::time::Duration;

use crossterm::event::KeyCode;
use ebbtide::bill::Paid;
use ebbtide::orchestrator::{Notice, Side, SideAnswer, Versus};
use ebbtide::tui::app::App;
use ebbtide::tui::keymap::Keymap;
use insta::assert_snapshot;

use super::{ASCII, DARK, Dress, LIGHT, MONO, sizes, styles, text};
use crate::support::screen::{Desk, model, opened};

const OF_WINDOW: &str = "From the summary of login-bug: a response interceptor in src/api/client.ts, line 88, calls \
                         POST /auth/refresh once and repeats the request.";
const OF_HISTORY: &str = "In turn 4 you settled on a response interceptor in src/api/client.ts, line 88. It calls POST \
                          /auth/refresh once, repeats the request and marks the repeated one with x-retry, so that \
                          it never loops. Before that you had ruled out a timer, because tabs sleep.";

/// Both halves stream; the right one is the window's.
fn running(dress: Dress) -> Desk {
    let mut desk = Desk::of(App::dressed(dress.look(), Keymap::default()), 80, 24);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    let question = "How did we stop the logouts?".into();
    desk.notice(Notice::Versus(Versus::Began { question, left: Side::FullHistory }));
    for (side, words) in [(Side::FullHistory, OF_HISTORY), (Side::Window, OF_WINDOW)] {
        desk.notice(Notice::Versus(Versus::Text(side, words[..words.len() / 2].into())));
    }
    desk
}

fn answer(desk: &mut Desk) {
    for (side, words, (sent, read), millis) in [
        (Side::FullHistory, OF_HISTORY, (41_233, 30_720), 3_120),
        (Side::Window, OF_WINDOW, (2_104, 1_850), 1_240),
    ] {
        let paid = Paid::reported(sent, read, 0, words.len() as u64 / 4);
        let answer = SideAnswer {
            text: words.into(),
            paid,
            time: Duration::from_millis(millis),
            partial: None,
        };
        desk.notice(Notice::Versus(Versus::Answered(side, answer)));
    }
}

#[test]
fn a_question_put_twice_in_every_size() {
    let mut desk = running(DARK);
    let running = sizes(&mut desk);
    answer(&mut desk);
    let answered = sizes(&mut desk);
    desk.press(KeyCode::Char('h'));
    let judged = sizes(&mut desk);
    for (name, shown) in [("running", running), ("answered", answered), ("judged", judged)] {
        assert!(!shown.contains("…┘"), "what the keys do is said in full");
        assert_snapshot!(name, shown);
    }
}

#[test]
fn a_question_put_twice_in_every_look() {
    for (name, dress) in [("light", LIGHT), ("mono", MONO), ("ascii", ASCII)] {
        let mut desk = running(dress);
        let mut shown = text(&mut desk);
        answer(&mut desk);
        desk.press(KeyCode::Char('h'));
        let styles = styles(&mut desk);
        shown += &if name == "light" { styles.clone() } else { text(&mut desk) };
        assert!(name != "ascii" || shown.is_ascii(), "{shown}");
        assert_eq!(styles.contains("Blue") || styles.contains("Cyan"), name != "mono", "{styles}");
        assert_snapshot!(name, shown);
    }
}
