//! What keys do, by name.

use crate::tui::views::View;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAction {
    /// Opens a view.
    Show(View),
    /// Shows or hides the memory panel.
    TogglePanel,
    /// A turn back.
    Earlier,
    /// A turn on.
    Later,
    /// Repeats what was undone last.
    RedoChange,
    /// To the next thing that is marked.
    NextMark,
    /// To the marked thing before.
    LastMark,
    /// Lets go what waits at the soft line.
    LetLeave,
    /// Stops the turn, or clears the draft, or quits on the second press.
    Interrupt,
    /// To the match before the one shown.
    Older,
    /// To the match after the one shown.
    Newer,
    /// Moves to the conversation.
    Chat,
    /// Copies the chosen message.
    Copy,
    /// Copies a code block of the chosen message.
    CopyCode,
    /// Shows Markdown as it came, or laid out.
    Raw,
    /// Gives the mouse to the terminal, or takes it back.
    Mouse,
    /// Draws the whole screen again.
    Redraw,
    /// Gives the terminal back to the shell until `fg`.
    Suspend,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// Sends the message.
    Send,
    /// Begins a new line.
    Newline,
    /// The cursor one line up, or the message before.
    Up,
    /// The cursor one line down, or the message after.
    Down,
    /// Searches the earlier messages, or goes on to an older one.
    SearchHistory,
    /// Gives the keys to what waits behind the turn.
    Queue,
    /// Takes what waits back into the message line.
    Reword,
    /// Takes out of the queue.
    Remove,
    /// To be sent one place earlier.
    SendEarlier,
    /// To be sent one place later.
    SendLater,
    /// Opens the message in the person's own editor.
    OpenEditor,
    /// Shows a large paste as plain text.
    OpenPaste,
    /// Completes a command, or moves to the panel.
    Complete,
    /// Stops the turn or closes what is open.
    Cancel,
    /// Quits if nothing is written.
    QuitIfEmpty,
    /// Opens the help if nothing is written.
    HelpIfEmpty,
    /// Deletes to the beginning of the line.
    DeleteToStart,
    /// Puts back what was deleted.
    Yank,
    /// Takes the last edit back.
    Undo,
    /// To the beginning of the line; of the conversation if nothing is written.
    LineStart,
    /// To the end of the line; of the conversation if nothing is written.
    LineEnd,
    /// Left to the editor.
    Edit,
    /// Back to the message line.
    Leave,
    /// Shows the selected item in full.
    Open,
    /// Puts the raw log into the window, or a note back.
    Expand,
    /// Sends a raw log out again; concludes an open effort.
    Collapse,
    /// Pins the selected item, or lets it go.
    Pin,
    /// Begins the countdown anew.
    Keep,
    /// Sends the selected item out now.
    Evict,
    /// Makes an open effort the active one.
    Switch,
    /// Goes on with a concluded effort.
    Reopen,
    /// Words a summary or a note anew.
    EditText,
    /// Has a summary made again from the raw log.
    SummarizeAgain,
    /// Says what the words of the selected item mean.
    Explain,
    /// Takes back what memory did last.
    UndoChange,
    /// Lists only what holds some words.
    Filter,
    /// Stops the demo or lets it go on.
    DemoPause,
    /// Takes the chosen entry: opens a session, changes a setting.
    Accept,
    /// The value before.
    Previous,
    /// The value after.
    Next,
    /// Back to the default; in the list of sessions: deletes the chosen one.
    Reset,
    /// Writes the chosen setting into the config file.
    Save,
    /// Plays one turn of the demo.
    DemoStep,
    /// Plays the demo faster.
    DemoFaster,
    /// Plays the demo slower.
    DemoSlower,
    /// Plays a chapter of the demo, named by its digit.
    DemoChapter,
    /// The left answer is better.
    LeftBetter,
    /// The right answer is better.
    RightBetter,
    /// Neither answer is better.
    NoDifference,
    /// Quits.
    Quit,
}
