//! What the settings say about tides.

use super::{Key, Settings, Source, Value};

impl Settings {
    /// A low line above the soft one is told, and lies on it.
    pub(super) fn clamp_low_line(&mut self) {
        let soft = self.number(Key::SoftPercent);
        if let Err(error) = self.at_most(Key::LowPercent, Key::SoftPercent, soft) {
            if *self.source(Key::LowPercent) != Source::Default {
                self.faults.push(format!("{error}. Until then the first counts as {soft}."));
            }
            self.slot_mut(Key::LowPercent).value = Value::Number(soft);
        }
    }
}
