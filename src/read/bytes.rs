//! Where bytes come from: a file, or a text in memory. Some formats are read twice.

use std::io::{self, BufRead, Cursor, Read, Seek};

/// Something that can be read from its beginning, more than once.
pub trait Bytes {
    /// Its bytes from the first one on.
    ///
    /// # Errors
    /// It cannot be opened.
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>>;

    /// The same to go back and forth in, which only an archive needs.
    ///
    /// # Errors
    /// It cannot be opened, or nobody can go back in it.
    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Bytes that one can go back and forth in.
pub trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

impl Bytes for [u8] {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self))
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(Cursor::new(self)))
    }
}

impl Bytes for Vec<u8> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        self.as_slice().open()
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        self.as_slice().seekable()
    }
}
