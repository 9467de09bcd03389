use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use futures_util::stream;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::sleep;

use super::*;
use crate::llm::Model as _;
use crate::llm::scripted::Scripted;
use crate::lock::locked;
use crate::orchestrator::SessionInfo;
use crate::tui::theme::{Theme, ThemeChoice};

/// Counts frames instead of drawing them.
#[derive(Clone, Default)]
struct Frames {
    count: Arc<Mutex<usize>>,
    broken: bool,
}

impl Frames {
    fn count(&self) -> usize {
        *locked(&self.count)
    }
}

impl Screen for Frames {
    fn draw(&mut self, _app: &mut App) -> io::Result<()> {
        *locked(&self.count) += 1;
        if self.broken { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }

    fn forget(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn copy(&mut self, _text: &str) -> io::Result<()> {
        Ok(())
    }

    fn take_mouse(&mut self, _ours: bool) -> io::Result<()> {
        Ok(())
    }

    fn is_ours(&self) -> bool {
        true
    }
}

/// Events that a test sends, instead of a keyboard.
struct Typing(UnboundedReceiver<io::Result<Event>>);

impl Stream for Typing {
    type Item = io::Result<Typed>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(|event| event.map(Typed::Event)))
    }
}

impl Keys for Typing {}

struct Running {
    frames: Frames,
    events: UnboundedSender<io::Result<Event>>,
    notices: UnboundedSender<Notice>,
    signals: UnboundedSender<i32>,
    ops: UnboundedReceiver<Op>,
    /// What was handed out, in its order: drafts by the words that are being sent.
    order: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<Result<Exit, Error>>,
}

fn start(frames: Frames) -> Running {
    let (events, event_in) = unbounded_channel();
    let (notices, notice_in) = unbounded_channel();
    let (signals, signal_in) = unbounded_channel();
    let (op_out, ops) = unbounded_channel();
    let order = Arc::new(Mutex::new(Vec::new()));
    let (asked, kept) = (Arc::clone(&order), Arc::clone(&order));
    let wires = Wires {
        events: Typing(event_in),
        notices: notice_in,
        send: move |op| {
            locked(&asked).push(format!("{op:?}"));
            let _ = op_out.send(op);
        },
        keep: move |drafts: Drafts| {
            let sending = drafts.sending.map(|draft| draft.text);
            locked(&kept).push(format!("kept {sending:?}"));
        },
        signals: Box::pin(received(signal_in)),
        demo: None,
        editor: Editor::default(),
    };
    let mut screen = frames.clone();
    let mut app = App::new(Theme::detect(true, ThemeChoice::Auto, None));
    let task = tokio::spawn(async move { run_on(&mut screen, &mut app, wires).await });
    Running { frames, events, notices, signals, ops, order, task }
}

fn received<T>(receiver: UnboundedReceiver<T>) -> impl Stream<Item = T> {
    stream::unfold(receiver, |mut receiver| async {
        let item = receiver.recv().await?;
        Some((item, receiver))
    })
}

fn press(modifiers: KeyModifiers, letter: char) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
}

#[tokio::test(start_paused = true)]
async fn an_idle_app_draws_one_frame_and_no_more() {
    let running = start(Frames::default());
    sleep(Duration::from_secs(60)).await;
    assert_eq!(running.frames.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_changes_shares_a_frame() {
    let running = start(Frames::default());
    sleep(Duration::from_secs(1)).await;
    for _ in 0..500 {
        running.events.send(Ok(press(KeyModifiers::NONE, 'x'))).unwrap();
        running.notices.send(Notice::Info("x".into())).unwrap();
    }
    sleep(Duration::from_secs(1)).await;
    let frames = running.frames.count();
    assert!((2..=4).contains(&frames), "{frames}");
}

#[tokio::test(start_paused = true)]
async fn time_passes_on_screen_while_a_turn_runs() {
    let running = start(Frames::default());
    let turn = crate::memory::Turn(1);
    running.notices.send(Notice::TurnStarted { turn, user: "hi".into() }).unwrap();
    sleep(Duration::from_secs(3)).await;
    let frames = running.frames.count();
    assert!((25..=35).contains(&frames), "{frames}");
}

#[tokio::test(start_paused = true)]
async fn what_is_entered_is_kept_before_it_is_sent() {
    let running = start(Frames::default());
    let model = Scripted::new().info();
    let session = SessionInfo { name: "work".into(), directory: "sessions/work".into(), model };
    running.notices.send(Notice::Opened { session, transcript: Vec::new(), draft: None }).unwrap();
    sleep(Duration::from_secs(1)).await;
    running.events.send(Ok(press(KeyModifiers::NONE, 'x'))).unwrap();
    let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
    running.events.send(Ok(Event::Key(enter))).unwrap();
    sleep(Duration::from_secs(1)).await;
    let order = locked(&running.order);
    assert!(order.ends_with(&["kept Some(\"x\")".into(), "Send(\"x\")".into()]), "{order:?}");
}

#[tokio::test(start_paused = true)]
async fn quitting_waits_until_everything_is_saved() {
    let mut running = start(Frames::default());
    running.events.send(Ok(press(KeyModifiers::CONTROL, 'd'))).unwrap();
    assert!(matches!(running.ops.recv().await, Some(Op::Shutdown)));
    sleep(Duration::from_secs(1)).await;
    assert!(!running.task.is_finished());
    running.notices.send(Notice::Closed).unwrap();
    assert_eq!(running.task.await.unwrap().unwrap(), Exit::Quit);
}

#[tokio::test(start_paused = true)]
async fn a_signal_saves_first_and_does_not_wait_for_ever() {
    let mut running = start(Frames::default());
    running.signals.send(15).unwrap();
    assert!(matches!(running.ops.recv().await, Some(Op::Shutdown)));
    let before = Instant::now();
    assert_eq!(running.task.await.unwrap().unwrap(), Exit::Signal(15));
    assert_eq!(before.elapsed().as_secs(), PATIENCE.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_broken_terminal_saves_first() {
    for broken in [true, false] {
        let mut running = start(Frames { broken, ..Frames::default() });
        if !broken {
            running.events.send(Err(io::ErrorKind::BrokenPipe.into())).unwrap();
        }
        assert!(matches!(running.ops.recv().await, Some(Op::Shutdown)));
        running.notices.send(Notice::Closed).unwrap();
        let result = running.task.await.unwrap();
        assert!(matches!(result, Err(Error::Draw(_) | Error::Input(_))), "{result:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_driver_that_is_gone_is_told() {
    let running = start(Frames::default());
    drop(running.notices);
    assert!(matches!(running.task.await.unwrap(), Err(Error::DriverEnded)));
}
