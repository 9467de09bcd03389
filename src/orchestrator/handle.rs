//! A client's end of a driver.

use tokio::sync::mpsc::UnboundedSender;

use super::drafts::Keeper;
use super::op::Op;
use crate::store::Drafts;

/// An operation on its way.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) op: Op,
    /// The number of what was entered for it, if it has words: what begins is no draft any more.
    pub(super) number: Option<u64>,
}

/// A client's end: operations go in here, notices come out of the receiver that was made with it.
#[derive(Debug, Clone)]
pub struct Handle {
    asked: UnboundedSender<Asked>,
    drafts: Keeper,
}

impl Handle {
    pub(super) fn new(asked: UnboundedSender<Asked>, drafts: Keeper) -> Self {
        Self { asked, drafts }
    }

    /// Asks for something. Nothing happens if the driver has ended; it has said
    /// [`Notice::Closed`](super::Notice::Closed).
    pub fn send(&self, op: Op) {
        let number = if op.has_words() { self.drafts.sending() } else { None };
        self.pass_on(Asked { op, number });
    }

    /// Keeps what is written and has not begun, for the next start after a crash. What something entered leads to is sent
    /// behind it. Drafts wait for nothing else: what was entered is on disk when this returns.
    pub fn keep_drafts(&self, drafts: Drafts) {
        self.drafts.keep(drafts);
    }

    /// Hands on what was asked of somebody else.
    pub(super) fn pass_on(&self, asked: Asked) {
        // A driver that has ended has said so.
        let _ = self.asked.send(asked);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::store::Draft;

    #[tokio::test]
    async fn what_was_entered_goes_with_its_number_however_much_is_entered_before_it_begins() {
        let (sender, mut asked) = unbounded_channel();
        let handle = Handle::new(sender, Keeper::start());
        for id in [7, 8] {
            let sending = Some(Draft { id: Some(id), ..Draft::from("words") });
            handle.keep_drafts(Drafts { sending, ..Drafts::default() });
            handle.send(Op::Send("words".to_owned()));
            handle.send(Op::ReadEarlier);
        }
        let numbers: Vec<Option<u64>> =
            std::iter::from_fn(|| asked.try_recv().ok()).map(|asked| asked.number).collect();
        assert_eq!(numbers, [Some(7), None, Some(8), None]);
    }
}
