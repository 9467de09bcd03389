//! Undoing after an effort was opened or a text was stored, which cannot be undone.

use ebbtide::orchestrator::Op;
use ebbtide::tools::Call;

use crate::support::driver::{Bench, text};

#[tokio::test]
async fn undoing_an_opening_says_the_way_before_anything_older_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let remember = |content: &str| {
        let content = content.to_owned();
        Op::Run(Call::Remember { content, tags: Vec::new(), salience: None })
    };
    let open = |name: &str| Op::Run(Call::OpenEffort { name: name.into() });
    for op in [remember("the key is blue"), remember("the door is red"), open("other")] {
        assert!(bench.command(op).await.0);
    }
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(!ok && said.contains("'other' was opened") && said.contains("/close other"), "{said}");
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(ok && said.starts_with("Undone: Remembered note: n2. 'other' was opened"), "{said}");
    assert!(bench.command(Op::Run(Call::CloseEffort { id: None })).await.0);
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(ok && said.contains("other") && !said.contains("note"), "the closing: {said}");
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(ok && said.starts_with("Undone: Remembered note: n1. 'other' was opened"), "{said}");
    bench.close().await;
}

#[tokio::test]
async fn undoing_a_text_that_was_stored_says_so_before_anything_older_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let remember =
        Call::Remember { content: "the key is blue".into(), tags: Vec::new(), salience: None };
    assert!(bench.command(Op::Run(remember)).await.0);
    let file = dir.path().join("notes.md");
    std::fs::write(&file, "The door is red.").unwrap();
    assert!(bench.command(Op::Attach(file)).await.0);
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(!ok && said.contains("ref:notes-md was stored, which cannot be undone"), "{said}");
    let (ok, said) = bench.command(Op::Undo).await;
    assert_eq!((ok, &*said), (true, "Undone: Remembered note: n1."));
    bench.close().await;
}

#[tokio::test]
async fn undoing_exchanges_that_left_together_says_why_it_cannot_be_done() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = ebbtide::config::Settings::default();
    for (key, value) in [("token_budget", "3000"), ("budget_mode", "ask")] {
        settings.set(key, value, ebbtide::config::Source::Chat).unwrap();
    }
    let mut bench = Bench::with(dir.path(), settings, None);
    let mut left = (false, String::new());
    for turn in 0..24 {
        let words = format!("Item {turn}: {}", "the tide tables of the harbour ".repeat(12));
        bench.turn(&words, vec![text("Noted.")], "").await;
        left = bench.command(Op::LetLeave).await;
        if left.0 {
            break;
        }
    }
    assert!(left.0, "{}", left.1);
    for _ in 0..2 {
        let (ok, said) = bench.command(Op::Undo).await;
        assert!(!ok && said.contains("left the window together, which cannot be undone"), "{said}");
        assert!(said.ends_with("There is no change of memory to undo."), "{said}");
    }
    bench.close().await;
}
