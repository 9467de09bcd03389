//! The end of a conversation that is told again: the effort that is still active is concluded, which is no turn.

use std::sync::Arc;

use super::driver::Driver;
use super::notice::{Concluded, Notice};
use super::turn::Progress;
use crate::bill::Retold;
use crate::tools::Call;

impl Driver {
    /// Concludes the active effort. If that fails it stays open, and nothing is told of it.
    pub(super) async fn conclude_retold(&mut self, progress: &mut Progress) {
        let turn = self.memory.turn();
        let before = self.close_bill(turn).own;
        self.running.retold = Some(Retold::default());
        let closed = self.execute(&Call::CloseEffort { id: None }, progress).await;
        self.running.retold = None;
        if let Err(refused) = closed {
            tracing::warn!("the last topic stays open: {refused:?}");
        }
        let paid = self.close_bill(turn).own.since(&before);
        let changes = std::mem::take(&mut progress.changes);
        let memory = Arc::new(self.view_after(&changes));
        self.notify(Notice::Memory(Arc::clone(&memory)));
        self.notify(Notice::Concluded(Box::new(Concluded { changes, memory, paid })));
    }
}
