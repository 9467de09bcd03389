//! Whoever plays: types the messages, waits for the replies, obeys the viewer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, sleep_until};

use super::{Show, closing};
use crate::lock::locked;
use crate::memory::MemoryView;
use crate::orchestrator::{BillView, Handle, Notice, Op};
use crate::scenario::{Player, Staged};
use crate::tui::demo::{Caption, DemoCommand, DemoNotice, DemoState};

/// Pause after each character that is typed.
const KEY: Duration = Duration::from_millis(22);

/// Pause after each word of a reply.
const WORD: Duration = Duration::from_millis(38);

/// Pause between a reply and the next message, to read it.
const READING: Duration = Duration::from_millis(1_800);

/// Pause before a message that has a caption of its own, and what each of its words adds.
const CAPTION: (Duration, Duration) = (Duration::from_millis(500), Duration::from_millis(110));

/// How a run of turns came to its end.
enum Ended {
    /// All was played.
    Over,
    /// The viewer wants an earlier chapter.
    Back(usize),
    /// The viewer has taken over.
    Live,
    /// The driver has ended, or the script does not fit.
    Stopped,
}

/// What the viewer wants instead of looking on; until it is there nothing is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// The next turn.
    Skip,
    /// A chapter that comes.
    To(usize),
    /// A chapter that is over, or the beginning of this one.
    Back(usize),
    /// A session to write in.
    Live,
}

/// The wires to the app: the viewer's keys, what the demo says, and what the driver says.
pub(super) type Wires =
    (UnboundedReceiver<DemoCommand>, UnboundedSender<DemoNotice>, UnboundedSender<Notice>);

/// A demo being played.
pub(super) struct Stage {
    show: Show,
    player: Player,
    /// Whom the app sends to.
    handle: Arc<Mutex<Handle>>,
    wires: Wires,
    speed: f64,
    paused: bool,
    /// Play one turn although paused.
    step: bool,
    wish: Option<Wish>,
    /// The chapter that plays, from 1; 0 before the first.
    chapter: usize,
    memory: Arc<MemoryView>,
    bill: Option<Arc<BillView>>,
}

impl Stage {
    pub(super) fn new(
        show: Show,
        player: Player,
        handle: Arc<Mutex<Handle>>,
        wires: Wires,
    ) -> Self {
        let speed = show.speed;
        Self {
            show,
            player,
            handle,
            wires,
            speed,
            paused: false,
            step: false,
            wish: None,
            chapter: 0,
            memory: Arc::default(),
            bill: None,
        }
    }

    pub(super) async fn play(mut self) {
        while let Some(chapter) = self.play_through().await {
            self.go_back(chapter).await;
        }
        self.player.finish().await;
    }

    /// Plays until the session is left, or until the viewer wants a chapter again: that one.
    async fn play_through(&mut self) -> Option<usize> {
        self.tell_state();
        let mut ended = self.play_turns().await;
        if matches!(ended, Ended::Over) {
            // The app hears of turns and of the demo by two ways; the reply comes first.
            self.pause(READING).await;
            ended = self.left().unwrap_or(ended);
        }
        if let Ended::Back(chapter) = ended {
            return Some(chapter);
        }
        self.show.cast.set_live(true);
        self.show.cast.script.set_pace(Duration::ZERO);
        let goes = if self.show.directory.is_some() {
            ""
        } else {
            " It goes when you leave: `--session DIR` keeps it."
        };
        self.say(match ended {
            Ended::Over => {
                let again = if self.show.directory.is_some() { 0 } else { self.chapters() };
                let words = closing::table(&self.memory, self.bill.as_deref(), again);
                DemoNotice::Finished { words: words + goes, again }
            }
            _ => DemoNotice::Finished {
                words: format!(
                    "The session is yours: the built-in model answers from here on.{goes}"
                ),
                again: 0,
            },
        });
        self.stay().await
    }

    /// Serves the session that the viewer has taken over; a chapter if they want one again.
    async fn stay(&mut self) -> Option<usize> {
        loop {
            tokio::select! {
                notice = self.player.next_notice() => self.relay(notice?),
                Some(DemoCommand::Chapter(chapter)) = self.wires.0.recv() => {
                    self.show.cast.set_live(false);
                    self.paused = false;
                    return Some(chapter);
                }
            }
        }
    }

    async fn play_turns(&mut self) -> Ended {
        while let Some((user, staged)) = self.player.prepare_staged() {
            self.wish = self.wish.filter(|wish| *wish != Wish::Skip);
            self.enter(&staged);
            if let Some(caption) = &staged.caption {
                let (least, word) = CAPTION;
                self.caption(caption);
                self.pause(least + word * words(caption)).await;
            }
            self.hold().await;
            self.write(&user, staged.typed).await;
            if let Some(ended) = self.left() {
                return ended;
            }
            self.step = false;
            self.player.handle().send(Op::Send(user));
            if !self.relay_turn().await {
                return Ended::Stopped;
            }
            if let Some(then) = &staged.then {
                self.caption(then);
            }
            self.pause(staged.rest.map_or(READING, Duration::from_secs_f64)).await;
            if let Some(ended) = self.left() {
                return ended;
            }
        }
        Ended::Over
    }

    /// Why the viewer wants no further turn, if so.
    fn left(&self) -> Option<Ended> {
        match self.wish {
            Some(Wish::Live) => Some(Ended::Live),
            Some(Wish::Back(chapter)) => Some(Ended::Back(chapter)),
            _ => None,
        }
    }

    /// A chapter may begin with the turn.
    fn enter(&mut self, staged: &Staged) {
        if staged.chapter.is_some() {
            self.chapter += 1;
            let here = Some(Wish::To(self.chapter));
            self.wish = self.wish.filter(|wish| Some(*wish) != here);
            self.say(DemoNotice::Caption(None));
            self.tell_state();
        }
        self.set_pace();
    }

    /// Types the message, and pastes what is not typed.
    async fn write(&mut self, user: &str, typed: usize) {
        let (typed, pasted) = user.split_at_checked(typed).unwrap_or((user, ""));
        for end in typed.char_indices().map(|(at, _)| at).skip(1).chain([typed.len()]) {
            if self.is_hurried() {
                break;
            }
            self.say(DemoNotice::Typing(typed[..end].to_owned()));
            self.pause(KEY).await;
        }
        if !pasted.is_empty() && !self.is_hurried() {
            self.say(DemoNotice::Pasted(pasted.to_owned()));
            self.pause(READING).await;
        }
        self.say(DemoNotice::Typing(String::new()));
    }

    /// Opens the show again, to get to an earlier chapter. Where that is not possible the story goes on.
    async fn go_back(&mut self, chapter: usize) {
        self.wish = None;
        if self.show.directory.is_some() {
            let why =
                "An earlier chapter cannot be played again with --session: the session goes on.";
            return self.relay(Notice::Info(why.to_owned()));
        }
        match self.show.open() {
            Ok(player) => {
                let old = std::mem::replace(&mut self.player, player);
                *locked(&self.handle) = self.player.handle();
                old.finish().await;
                (self.chapter, self.wish) = (0, Some(Wish::To(chapter)));
            }
            Err(error) => self.relay(Notice::Info(error.to_string())),
        }
    }

    /// Passes notices on until the turn is over; false when nothing more will come.
    async fn relay_turn(&mut self) -> bool {
        loop {
            let notice = tokio::select! {
                notice = self.player.next_notice() => notice,
                Some(command) = self.wires.0.recv() => {
                    self.obey(command);
                    continue;
                }
            };
            let Some(notice) = notice else { return false };
            let over = matches!(notice, Notice::TurnEnded(_));
            let stopped = matches!(notice, Notice::TurnStopped(_) | Notice::Closed);
            self.relay(notice);
            if over || stopped {
                return over;
            }
        }
    }

    fn relay(&mut self, notice: Notice) {
        match &notice {
            Notice::Memory(memory) => self.memory = Arc::clone(memory),
            Notice::Bill(bill) => self.bill = Some(Arc::clone(bill)),
            Notice::TurnEnded(report) => self.memory = Arc::clone(&report.memory),
            _ => {}
        }
        // The app may have quit; then nobody needs to know.
        let _ = self.wires.2.send(notice);
    }

    /// Waits as long as the speed says; notices and the viewer's keys are served meanwhile. Time stands
    /// still while the demo is paused.
    async fn pause(&mut self, normal: Duration) {
        let mut left = normal;
        while !self.is_hurried() && !left.is_zero() {
            let (began, speed) = (Instant::now(), self.speed);
            tokio::select! {
                () = sleep_until(began + left.div_f64(speed)), if !self.is_held() => return,
                Some(command) = self.wires.0.recv() => {
                    if !self.is_held() {
                        left = left.saturating_sub(began.elapsed().mul_f64(speed));
                    }
                    self.obey(command);
                }
                notice = self.player.next_notice() => match notice {
                    Some(notice) => {
                        left = left.saturating_sub(began.elapsed().mul_f64(speed));
                        self.relay(notice);
                    }
                    None => return,
                }
            }
        }
    }

    /// Waits while the demo is paused.
    async fn hold(&mut self) {
        while self.is_held() {
            tokio::select! {
                command = self.wires.0.recv() => match command {
                    Some(command) => self.obey(command),
                    None => return,
                },
                notice = self.player.next_notice() => match notice {
                    Some(notice) => self.relay(notice),
                    None => return,
                },
            }
        }
    }

    fn is_held(&self) -> bool {
        self.paused && !self.step && !self.is_hurried()
    }

    fn is_hurried(&self) -> bool {
        self.wish.is_some()
    }

    fn obey(&mut self, command: DemoCommand) {
        match command {
            DemoCommand::TogglePause => self.paused = !self.paused,
            DemoCommand::Step if self.paused => self.step = true,
            DemoCommand::Step => self.wish = self.wish.or(Some(Wish::Skip)),
            DemoCommand::Faster => self.speed = (self.speed * 2.0).min(128.0),
            DemoCommand::Slower => self.speed = (self.speed / 2.0).max(0.25),
            DemoCommand::Live => self.wish = Some(Wish::Live),
            DemoCommand::Chapter(wanted) if wanted > self.chapters() || wanted == 0 => {}
            DemoCommand::Chapter(wanted) if wanted > self.chapter => {
                self.wish = Some(Wish::To(wanted));
            }
            DemoCommand::Chapter(wanted) => self.wish = Some(Wish::Back(wanted)),
        }
        self.set_pace();
        self.tell_state();
    }

    fn chapters(&self) -> usize {
        self.show.scenario.chapters().count()
    }

    fn set_pace(&self) {
        let pace = if self.is_hurried() { Duration::ZERO } else { WORD.div_f64(self.speed) };
        self.show.cast.script.set_pace(pace);
    }

    fn caption(&self, text: &str) {
        let chapter =
            self.chapter.checked_sub(1).and_then(|at| self.show.scenario.chapters().nth(at));
        self.say(DemoNotice::Caption(Some(Caption {
            place: (self.chapter, self.chapters()),
            chapter: chapter.unwrap_or_default().to_owned(),
            text: text.to_owned(),
        })));
    }

    fn tell_state(&self) {
        let state = if self.paused { DemoState::Paused } else { DemoState::Plays };
        self.say(DemoNotice::State(state(Some(self.speed))));
    }

    fn say(&self, notice: DemoNotice) {
        // The app may have quit; then nobody needs to know.
        let _ = self.wires.1.send(notice);
    }
}

fn words(text: &str) -> u32 {
    u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::scripted::STORIES;
    use crate::scenario::Scenario;

    /// How long a scenario plays, without what the machine needs.
    fn length(scenario: &Scenario) -> Duration {
        let turn = |turn: crate::scenario::ScriptedTurn| {
            let staged = &turn.stage;
            let (least, word) = CAPTION;
            let caption = staged.caption.as_ref().map(|text| least + word * words(text));
            let pasted = if staged.typed < turn.user.len() { READING } else { Duration::ZERO };
            let replies: u32 = turn.model.iter().map(|answer| words(&answer.text)).sum();
            let keys = u32::try_from(turn.user[..staged.typed].chars().count()).unwrap();
            let rest = staged.rest.map_or(READING, Duration::from_secs_f64);
            caption.unwrap_or_default() + KEY * keys + pasted + WORD * replies + rest
        };
        let all: Duration = scenario.turns(1).map(turn).sum();
        all.div_f64(scenario.speed.unwrap_or(1.0))
    }

    #[test]
    fn the_stories_are_as_long_as_they_say() {
        let sizes = [(100, 150, 5), (30, 45, 4), (50, 65, 5)];
        for ((name, text), (least, most, chapters)) in STORIES.iter().zip(sizes) {
            let scenario = Scenario::parse(text, Path::new(name)).unwrap();
            let seconds = length(&scenario).as_secs();
            assert!((least..=most).contains(&seconds), "{name} plays {seconds} s");
            assert_eq!(scenario.chapters().count(), chapters, "{name}");
        }
    }
}
