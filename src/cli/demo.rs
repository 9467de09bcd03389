//! `demo`: a scenario played in the full-screen app at reading speed.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use super::converse::{end_of_app, runtime};
use super::{Error, Job, scripted};
use crate::orchestrator::{Notice, Op};
use crate::scenario::Player;
use crate::tokens::Cl100k;
use crate::tui;
use crate::tui::demo::{DemoCommand, DemoControls, DemoNotice};

/// The scenario that shows most of what memory does.
const USUAL: &str = "slice-4";

/// Pause after each character that is typed.
const KEY: Duration = Duration::from_millis(24);

/// Pause after each word of a reply.
const WORD: Duration = Duration::from_millis(40);

/// Pause between a reply and the next message, to read it.
const READING: Duration = Duration::from_millis(1_800);

/// Plays the scenario while the app shows it.
pub(super) fn demo(job: &Job<'_>, name: Option<&str>) -> Result<(), Error> {
    let (scenario, settings) = scripted::scenario(job, name.unwrap_or(USUAL))?;
    std::thread::spawn(Cl100k::load);
    runtime()?.block_on(async {
        let directory = job.arguments.session.directory.as_deref();
        let counter = Arc::new(Cl100k::lazy());
        let player = Player::start_paced(&scenario, settings, directory, counter, WORD)?;
        let (commands, viewer) = unbounded_channel();
        let (typing, shown) = unbounded_channel();
        let (relayed, notices) = unbounded_channel();
        let handle = player.handle();
        let options = tui::AppOptions {
            demo: Some(DemoControls { commands, notices: shown }),
            ..job.app_options()
        };
        let stage =
            Stage { player, viewer, typing, relayed, speed: 1.0, paused: false, step: false };
        let playing = tokio::spawn(stage.play());
        let exit = tui::run(|op| handle.send(op), notices, options, &mut None).await;
        handle.send(Op::Shutdown);
        // The stage ends with the driver; its own failure has been shown.
        let _ = playing.await;
        end_of_app(exit)
    })
}

/// Whoever plays: types the messages, waits for the replies, obeys the viewer.
struct Stage {
    player: Player,
    viewer: UnboundedReceiver<DemoCommand>,
    typing: UnboundedSender<DemoNotice>,
    relayed: UnboundedSender<Notice>,
    speed: f64,
    paused: bool,
    /// Play one turn although paused.
    step: bool,
}

impl Stage {
    async fn play(mut self) {
        self.tell_state();
        while let Some(user) = self.player.prepare_turn() {
            self.pause(READING).await;
            self.wait_while_paused().await;
            for end in user.char_indices().map(|(at, _)| at).skip(1).chain([user.len()]) {
                self.say(DemoNotice::Typing(user[..end].to_owned()));
                self.pause(KEY).await;
            }
            self.say(DemoNotice::Typing(String::new()));
            self.step = false;
            self.player.handle().send(Op::Send(user));
            if !self.relay_turn().await {
                break;
            }
        }
        // The app hears of turns and of the demo by two ways; the reply comes first.
        self.pause(READING).await;
        let over = "The demo is over. The session stays open: look around, or quit.";
        self.say(DemoNotice::Finished(over.to_owned()));
        while let Some(notice) = self.player.next_notice().await {
            let _ = self.relayed.send(notice);
        }
        self.player.finish().await;
    }

    /// Passes notices on until the turn is over; false when nothing more will come.
    async fn relay_turn(&mut self) -> bool {
        loop {
            let notice = tokio::select! {
                notice = self.player.next_notice() => notice,
                Some(command) = self.viewer.recv() => {
                    self.obey(command);
                    continue;
                }
            };
            let Some(notice) = notice else { return false };
            let over = matches!(notice, Notice::TurnEnded(_));
            let stopped = matches!(notice, Notice::TurnStopped(_) | Notice::Closed);
            let _ = self.relayed.send(notice);
            if over || stopped {
                return over;
            }
        }
    }

    /// Waits as long as the speed says; notices and the viewer's keys are served meanwhile.
    async fn pause(&mut self, normal: Duration) {
        let until = Instant::now() + normal.div_f64(self.speed);
        loop {
            tokio::select! {
                () = sleep_until(until) => return,
                Some(command) = self.viewer.recv() => self.obey(command),
                Some(notice) = self.player.next_notice() => {
                    let _ = self.relayed.send(notice);
                }
            }
        }
    }

    async fn wait_while_paused(&mut self) {
        while self.paused && !self.step {
            tokio::select! {
                command = self.viewer.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return,
                },
                Some(notice) = self.player.next_notice() => {
                    let _ = self.relayed.send(notice);
                }
            }
        }
    }

    fn obey(&mut self, command: DemoCommand) {
        match command {
            DemoCommand::TogglePause => self.paused = !self.paused,
            DemoCommand::Step => (self.paused, self.step) = (true, true),
            DemoCommand::Faster => self.speed = (self.speed * 2.0).min(32.0),
            DemoCommand::Slower => self.speed = (self.speed / 2.0).max(0.25),
        }
        self.tell_state();
    }

    fn tell_state(&self) {
        let speed = self.speed;
        let state = if self.paused { "demo paused" } else { "demo" };
        self.say(DemoNotice::State(format!("{state}, speed {speed}")));
    }

    fn say(&self, notice: DemoNotice) {
        // The app may have quit; then nobody needs to know.
        let _ = self.typing.send(notice);
    }
}
