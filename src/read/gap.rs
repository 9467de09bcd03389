//! A place at which a file is damaged or breaks off.

use std::fmt;

use crate::counted::grouped;

/// A part of a file that could not be read. Places are counted in bytes from the beginning of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The file in an archive that it stands in; empty elsewhere.
    pub member: String,
    /// Where what is wrong was seen.
    pub at: u64,
    /// Where what could not be read begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// Whether nothing that stands behind it is lost.
    pub read_on: bool,
}

impl fmt::Display for Gap {
    /// `damaged at byte 4,120: bytes 4,002 to 4,871 are passed over`
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.member.is_empty() {
            write!(out, "{}: ", crate::escapes::visible(&self.member))?;
        }
        let [at, from, to] = [self.at, self.from, self.to].map(grouped);
        if self.read_on {
            write!(out, "damaged at byte {at}: bytes {from} to {to} are passed over")
        } else if self.from >= self.to {
            write!(out, "it breaks off at byte {at}")
        } else if self.at >= self.to {
            write!(out, "it breaks off at byte {at}: nothing from byte {from} on is read")
        } else {
            write!(out, "damaged at byte {at}: nothing from byte {from} on is read")
        }
    }
}
