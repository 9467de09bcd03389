//! A text in an editor of the person's own: what the loop and the app say to each other about it.

use std::fmt;
use std::sync::Arc;

use tokio::sync::oneshot;

/// Lets a person edit a text and returns it. Blocks until they are done; the terminal is theirs. The error
/// is a sentence: what happened and where the text is.
pub type EditText = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// The editor that the app may open.
#[derive(Clone)]
pub struct Editor(Arc<EditText>);

impl Editor {
    /// An editor that does this.
    pub fn new(edit: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(edit))
    }

    /// Opens it on a thread of its own, which the end of the program does not wait for.
    pub(super) fn open(&self, text: String) -> Editing {
        let (done, outcome) = oneshot::channel();
        let editor = Arc::clone(&self.0);
        std::thread::spawn(move || {
            // A program that has ended meanwhile takes no text.
            let _ = done.send(editor(&text));
        });
        outcome
    }
}

impl Default for Editor {
    fn default() -> Self {
        Self::new(|_| Err("There is no editor here.".to_owned()))
    }
}

impl fmt::Debug for Editor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Editor")
    }
}

/// What an edited text comes to, from an editor that is open.
pub(super) type Editing = oneshot::Receiver<Result<String, String>>;

/// The outcome of the editor that is open; never, without one.
pub(super) async fn edited(editing: Option<&mut Editing>) -> Result<String, String> {
    match editing {
        Some(outcome) => {
            let gone = |_| Err("The editor could not be waited for.".to_owned());
            outcome.await.unwrap_or_else(gone)
        }
        None => std::future::pending().await,
    }
}
