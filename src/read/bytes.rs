//! Where bytes come from: a file, or a text in memory. Some formats are read twice.

use std::io::{self, BufRead};

/// Something that can be read from its beginning, more than once.
pub trait Bytes {
    /// Its bytes from the first one on.
    ///
    /// # Errors
    /// It cannot be opened.
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>>;
}

impl Bytes for [u8] {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self))
    }
}

impl Bytes for Vec<u8> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        self.as_slice().open()
    }
}
