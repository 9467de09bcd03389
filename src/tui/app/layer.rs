//! What lies over the chat: one stack, whose order decides who has the keys, a paste, the mouse and the
//! cursor, and what is drawn over what.
//!
//! A new view is a file below this one with its [`Overlay`], a [`View`] that opens it, its place in [`Over`], and its
//! keys. Whatever else it needs the compiler names.

mod bill;
mod find;
mod journal;
mod listing;
mod palette;
mod past;
mod sessions;
mod settings;
mod versus;

use std::any::Any;
use std::fmt::Debug;

use ratatui::layout::Position;

use super::{Action, App};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;
use crate::tui::views::View;

pub use bill::BillPage;
pub use find::Finding;
pub use journal::{JournalView, kind_words};
pub use listing::{LineStyle, Listing};
pub use palette::Palette;
pub(super) use past::NO_WRITING;
pub use past::Past;
pub use sessions::SessionPicker;
pub use settings::SettingsView;
pub use versus::{Seat, VersusPage};

impl App {
    /// Opens a view.
    pub(super) fn show(&mut self, view: View) -> Vec<Action> {
        match view {
            View::Help => self.stack.put(Listing::help(&self.keymap)),
            View::Inspect => return self.inspect(),
            View::Journal => return self.open_journal(),
            View::Bill => return self.open_bill(),
            View::Past => return self.look_back(None),
            View::Find => self.open_find(),
            View::Palette => self.open_palette(),
            View::Sessions => return self.pick_session(""),
            View::Settings => return self.show_settings(""),
        }
        Vec::new()
    }
}

/// How high an overlay lies, from below to above. On each level one overlay is open at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A turn of the past in the place of the chat's present.
    Past,
    /// The line that words to be found are written in.
    Find,
    /// The journal and the bill.
    Journal,
    /// Sessions, settings, and two answers side by side.
    Dialog,
    /// Help, inspector and details.
    Listing,
    /// The command palette.
    Palette,
}

/// What an overlay leaves of the chat to the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Nothing: the wheel moves the overlay, a click does nothing.
    Nothing,
    /// It can be scrolled.
    Wheel,
    /// Everything.
    All,
}

impl Level {
    fn reach(self) -> Reach {
        match self {
            Self::Past => Reach::Wheel,
            Self::Find => Reach::All,
            Self::Journal | Self::Dialog | Self::Listing | Self::Palette => Reach::Nothing,
        }
    }

    /// Whether a key without a meaning on this level may have its meaning everywhere.
    fn passes_keys(self) -> bool {
        match self {
            Self::Past | Self::Find | Self::Journal => true,
            Self::Dialog | Self::Listing | Self::Palette => false,
        }
    }
}

/// What became of something that an overlay was asked to do.
#[derive(Debug)]
pub enum Taken {
    /// It is done, and this is to be done for it.
    Stays(Vec<Action>),
    /// It is done, this is to be done for it, and the overlay is over.
    Closes(Vec<Action>),
    /// It means nothing here.
    Ignored,
}

impl Taken {
    const STAYS: Self = Self::Stays(Vec::new());
    const CLOSES: Self = Self::Closes(Vec::new());
}

/// Something that lies over the chat.
pub trait Overlay: Any + Debug + Send {
    /// How high it lies.
    fn level(&self) -> Level;

    /// The keys that it obeys now.
    fn scope(&self) -> Scope;

    /// The line that typed and pasted text goes into now.
    fn field(&mut self) -> Option<&mut Field> {
        None
    }

    /// The words of its line are different. It is not in the stack meanwhile.
    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        Vec::new()
    }

    /// The list that keys, wheel and clicks choose from now, and how many rows it has.
    fn list(&mut self) -> Option<(&mut Place, usize)> {
        None
    }

    /// Does what a key asks for besides choosing from its list; Cancel closes it unless it means something
    /// else. It is not in the stack meanwhile.
    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken;
}

/// Makes the overlays one type, so that who draws them forgets none.
macro_rules! over {
    ($($name:ident($overlay:ident)),*) => {
        /// Something that lies over the chat, of one kind or another.
        #[derive(Debug)]
        pub enum Over {
            $(
                #[doc = concat!("A [`", stringify!($overlay), "`].")]
                $name(Box<$overlay>),
            )*
        }

        impl Over {
            fn overlay(&self) -> &dyn Overlay {
                match self {
                    $(Self::$name(overlay) => &**overlay,)*
                }
            }

            fn overlay_mut(&mut self) -> &mut dyn Overlay {
                match self {
                    $(Self::$name(overlay) => &mut **overlay,)*
                }
            }
        }

        $(impl From<$overlay> for Over {
            fn from(overlay: $overlay) -> Self {
                Self::$name(Box::new(overlay))
            }
        })*
    };
}

over!(
    Past(Past),
    Find(Finding),
    Journal(JournalView),
    Bill(BillPage),
    Sessions(SessionPicker),
    Settings(SettingsView),
    Versus(VersusPage),
    Listing(Listing),
    Palette(Palette)
);

impl Over {
    /// How high it lies.
    pub fn level(&self) -> Level {
        self.overlay().level()
    }

    /// The keys that it obeys now.
    pub fn scope(&self) -> Scope {
        self.overlay().scope()
    }
}

/// The overlays, from below to above.
#[derive(Debug, Default)]
pub struct Stack(Vec<Over>);

impl Stack {
    /// Opens an overlay, in the place of one on its level.
    pub fn put(&mut self, layer: impl Into<Over>) {
        let layer = layer.into();
        self.close(layer.level());
        self.put_back(layer);
    }

    /// Closes what is open on a level.
    pub fn close(&mut self, level: Level) {
        self.0.retain(|layer| layer.level() != level);
    }

    /// The overlay of a kind, if it is open.
    pub fn get<T: Overlay>(&self) -> Option<&T> {
        self.0.iter().find_map(|layer| (layer.overlay() as &dyn Any).downcast_ref())
    }

    /// The overlay of a kind, if it is open, to be changed.
    pub fn get_mut<T: Overlay>(&mut self) -> Option<&mut T> {
        self.0.iter_mut().find_map(|layer| (layer.overlay_mut() as &mut dyn Any).downcast_mut())
    }

    /// What lies above everything else.
    pub fn top(&self) -> Option<&Over> {
        self.0.last()
    }

    /// The line of the top overlay that text goes into.
    pub(super) fn field(&mut self) -> Option<&mut Field> {
        self.0.last_mut()?.overlay_mut().field()
    }

    /// A click chooses from the list of the top overlay.
    pub(super) fn click(&mut self, point: Position) {
        if let Some((place, _)) = self.0.last_mut().and_then(|layer| layer.overlay_mut().list()) {
            place.click(point);
        }
    }

    /// All overlays, to be drawn from below to above.
    pub(in crate::tui) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Over> {
        self.0.iter_mut()
    }

    /// What the overlays leave of the chat.
    pub(super) fn reach(&self) -> Reach {
        self.0.iter().map(|layer| layer.level().reach()).min().unwrap_or(Reach::All)
    }

    /// Whether a key without a meaning on top may have its meaning everywhere.
    pub(in crate::tui) fn passes_keys(&self) -> bool {
        self.top().is_none_or(|layer| layer.level().passes_keys())
    }

    /// Takes the top overlay out, so that it and the app can change each other.
    pub(super) fn take_top(&mut self) -> Option<Over> {
        self.0.pop()
    }

    /// Puts an overlay where it belongs, unless another one was opened in its place.
    fn put_back(&mut self, layer: Over) {
        if let Err(at) = self.0.binary_search_by_key(&layer.level(), Over::level) {
            self.0.insert(at, layer);
        }
    }
}

impl App {
    /// Lets the top overlay do something; `None` if there is none, or if it means nothing there.
    pub(super) fn act_on_top(&mut self, action: KeyAction) -> Option<Vec<Action>> {
        let mut layer = self.stack.take_top()?;
        let overlay = layer.overlay_mut();
        let chooses = overlay.list().is_some_and(|(place, rows)| place.act(action, rows));
        let (stays, actions) = match if chooses { Taken::STAYS } else { overlay.act(action, self) }
        {
            Taken::Stays(actions) => (true, Some(actions)),
            Taken::Closes(actions) => (false, Some(actions)),
            Taken::Ignored if action == KeyAction::Cancel => (false, Some(Vec::new())),
            Taken::Ignored => (true, None),
        };
        if stays {
            self.stack.put_back(layer);
        }
        actions
    }

    /// Tells the top overlay that its line has other words; `None` if there is no overlay.
    pub(super) fn edited_on_top(&mut self) -> Option<Vec<Action>> {
        let mut layer = self.stack.take_top()?;
        let actions = layer.overlay_mut().edited(self);
        self.stack.put_back(layer);
        Some(actions)
    }
}
