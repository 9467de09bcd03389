//! Settings that each make sense, but not beside each other.

use super::{Error, Key, Settings, Source, Value};

impl Settings {
    /// Of two settings that contradict each other the first gives way, which is told, wherever they stand: what a line of the
    /// file does not stop, a flag does not either.
    pub(super) fn settle(&mut self) {
        self.clamp_low_line();
        // Each round makes one setting smaller, and no setting is the first of one pair and the second of another.
        while let Err(error) = self.check() {
            let Some((key, most, large)) = gives_way(&error) else { return };
            self.fault(
                format!("{error}. Until then the first counts as {most}."),
                error.stands_at(),
            );
            if *self.source(key) == Source::Default {
                // It is no longer the default, and a later change must not make it that again.
                self.slot_mut(key).source = self.source(large).clone();
            }
            self.slot_mut(key).value = Value::Number(most);
        }
    }

    /// A low line above the soft one is told, and lies on it.
    fn clamp_low_line(&mut self) {
        let soft = self.number(Key::SoftPercent);
        if let Err(error) = self.at_most(Key::LowPercent, Key::SoftPercent, soft) {
            if *self.source(Key::LowPercent) != Source::Default {
                let told = format!("{error}. Until then the first counts as {soft}.");
                self.fault(told, error.stands_at());
            }
            self.slot_mut(Key::LowPercent).value = Value::Number(soft);
        }
    }

    /// What the settings must keep to among themselves.
    ///
    /// # Errors
    /// Names the first two that contradict each other.
    pub(super) fn check(&self) -> Result<(), Error> {
        // What the server says is the limit of each request in any case.
        if !matches!(self.source(Key::ContextWindow), Source::Server | Source::Table) {
            let window = self.context_window().unwrap_or(u64::MAX);
            self.at_most(Key::TokenBudget, Key::ContextWindow, window)?;
        }
        for limit in [Key::InputLimitTokens, Key::ToolOutputLimitTokens] {
            self.at_most(Key::PreviewTokens, limit, self.number(limit))?;
        }
        if *self.source(Key::LowPercent) != Source::Default {
            self.at_most(Key::LowPercent, Key::SoftPercent, self.number(Key::SoftPercent))?;
        }
        let (soft, hard) = (self.number(Key::NotesSoftLimit), self.number(Key::NotesHardLimit));
        if soft < hard {
            return Ok(());
        }
        Err(Error::SoftNotBelowHard {
            soft,
            soft_from: self.source(Key::NotesSoftLimit).clone(),
            hard,
            hard_from: self.source(Key::NotesHardLimit).clone(),
        })
    }

    fn at_most(&self, small: Key, large: Key, limit: u64) -> Result<(), Error> {
        if self.number(small) <= limit {
            return Ok(());
        }
        let side = |key: Key| (key, self.number(key), self.slot(key).source.clone());
        Err(Error::Conflict { small: side(small), large: side(large) })
    }
}

/// The setting that becomes smaller, what it becomes, and for the sake of which one.
fn gives_way(error: &Error) -> Option<(Key, u64, Key)> {
    match error {
        Error::Conflict { small, large } => Some((small.0, large.1, large.0)),
        Error::SoftNotBelowHard { hard, .. } => {
            Some((Key::NotesSoftLimit, hard.saturating_sub(1), Key::NotesHardLimit))
        }
        _ => None,
    }
}
