//! The terminal: taken over at the start, given back on every way out.

use std::io::{self, Stdout, Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::style::Print;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EnableLineWrap, EndSynchronizedUpdate,
    EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::Terminal;

use super::app::App;
use super::paint::Painter;
use super::record::Recorder;
use super::view;

/// What the loop draws on.
pub trait Screen {
    /// Draws the app as it is.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn draw(&mut self, app: &mut App) -> io::Result<()>;

    /// Forgets what is on the screen, so that the next frame draws everything.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn forget(&mut self) -> io::Result<()>;

    /// Gives the terminal to the shell and returns when the program is continued.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn suspend(&mut self) -> io::Result<()>;

    /// Asks the terminal to put a text on the clipboard. It never answers.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn copy(&mut self, text: &str) -> io::Result<()>;

    /// Takes the mouse, or gives it back to the terminal.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn take_mouse(&mut self, ours: bool) -> io::Result<()>;

    /// Gives the terminal to another program of ours; nothing is drawn until it is taken back.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn lend(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Takes the terminal back, if it was not given back for good meanwhile.
    ///
    /// # Errors
    /// Passes on what the terminal answers.
    fn take_back(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Whether the terminal is still ours; a panic anywhere gives it back.
    fn is_ours(&self) -> bool;
}

/// Whether the terminal is taken over and has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the terminal has a title of ours.
static TITLED: AtomicBool = AtomicBool::new(false);

/// Has the terminal keep its title, to be asked for later.
const KEEP_TITLE: &str = "\u{1b}[22;0t";

/// Asks for the title that was kept.
const OLD_TITLE: &str = "\u{1b}[23;0t";

/// The real terminal. Dropping it gives it back.
pub struct TerminalScreen {
    terminal: Terminal<Painter<Stdout>>,
    /// Whether the mouse is the terminal's, because the user asked for it.
    mouse_given: bool,
    /// Whether what is on the screen is no longer known.
    stale: bool,
    /// The title that the terminal was given.
    title: Option<String>,
    recorder: Recorder,
}

impl TerminalScreen {
    /// Takes the terminal over. A panic in any thread gives it back before it is reported.
    ///
    /// # Errors
    /// Passes on what the terminal answers; it is given back first.
    pub fn take() -> io::Result<Self> {
        give_back_on_panic();
        match set_up().and_then(|()| Terminal::new(Painter::new(stdout()))) {
            Ok(terminal) => {
                let recorder = Recorder::default();
                Ok(Self { terminal, mouse_given: false, stale: false, title: None, recorder })
            }
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }
}

impl TerminalScreen {
    /// Keeps what is drawn from now on.
    pub fn record_with(&mut self, recorder: Recorder) {
        self.recorder = recorder;
    }

    /// Writes what was recorded.
    ///
    /// # Errors
    /// Passes on what the files answered first.
    pub fn end_recording(&mut self) -> io::Result<()> {
        self.recorder.finish()
    }

    /// Leaves the mouse to the terminal, if the person wanted it so before.
    fn set_mouse_aside(&self) -> io::Result<()> {
        if self.mouse_given { execute!(stdout(), DisableMouseCapture) } else { Ok(()) }
    }

    /// Gives the terminal its title, or its old one back. Terminals that do not know the sequences ignore them.
    fn set_title(&mut self, wanted: Option<String>) -> io::Result<()> {
        if wanted == self.title && TITLED.load(Ordering::SeqCst) == wanted.is_some() {
            return Ok(());
        }
        self.title = wanted;
        let Some(title) = &self.title else { return give_title_back(&mut stdout()) };
        if !TITLED.swap(true, Ordering::SeqCst) {
            execute!(stdout(), Print(KEEP_TITLE))?;
        }
        execute!(stdout(), SetTitle(title))
    }

    /// Clears the screen if what is on it is no longer known; the next frame draws everything. Asks the terminal
    /// nothing: an answer could not be told from keys.
    fn wipe(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.stale) {
            queue!(stdout(), Clear(ClearType::All))?;
            self.terminal.swap_buffers();
            self.terminal.backend_mut().forget();
        }
        Ok(())
    }
}

impl Screen for TerminalScreen {
    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        self.set_title(app.title())?;
        queue!(stdout(), BeginSynchronizedUpdate)?;
        self.wipe()?;
        let drawn = self.terminal.draw(|frame| view::render(app, frame));
        let drawn = drawn.map(|frame| self.recorder.frame(frame.buffer));
        execute!(stdout(), EndSynchronizedUpdate)?;
        drawn
    }

    fn forget(&mut self) -> io::Result<()> {
        self.stale = true;
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        give_back();
        stop_process()?;
        set_up()?;
        self.set_mouse_aside()?;
        self.forget()
    }

    fn lend(&mut self) -> io::Result<()> {
        give_back();
        Ok(())
    }

    fn take_back(&mut self) -> io::Result<()> {
        set_up()?;
        self.set_mouse_aside()?;
        self.forget()
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    fn take_mouse(&mut self, ours: bool) -> io::Result<()> {
        self.mouse_given = !ours;
        if ours {
            execute!(stdout(), EnableMouseCapture)
        } else {
            execute!(stdout(), DisableMouseCapture)
        }
    }

    fn is_ours(&self) -> bool {
        TAKEN.load(Ordering::SeqCst)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        give_back();
    }
}

fn set_up() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, EnableMouseCapture)?;
    // Terminals that do not know the sequence ignore it; asking first would delay the first frame.
    execute!(
        stdout(),
        PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES)
    )
}

/// Gives the terminal back, once. Failures are ignored: there is nobody left to tell, and every step
/// must be tried.
fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = stdout();
    let _ = give_title_back(&mut out);
    let _ = execute!(out, EnableLineWrap, EndSynchronizedUpdate, PopKeyboardEnhancementFlags);
    let _ = execute!(out, DisableMouseCapture, DisableBracketedPaste);
    let _ = execute!(out, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = out.flush();
}

/// An empty title for terminals that kept none, then the one that was kept.
fn give_title_back(out: &mut impl Write) -> io::Result<()> {
    if TITLED.swap(false, Ordering::SeqCst) {
        execute!(out, SetTitle(""), Print(OLD_TITLE))?;
    }
    Ok(())
}

fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            give_back();
            report(info);
        }));
    });
}

/// Stops this process as Ctrl+Z does in a shell.
#[cfg(unix)]
fn stop_process() -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    Ok(kill_process(getpid(), Signal::TSTP)?)
}

#[cfg(not(unix))]
fn stop_process() -> io::Result<()> {
    Ok(())
}
