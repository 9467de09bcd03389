//! Keeps what is drawn: as an asciicast, and as an animated picture. Both are made from the cells of the frames, so
//! that they show what the screen showed, whatever terminal it was.

mod cast;
mod markup;
mod svg;

use std::fmt;
use std::io::{self, Write};

use ratatui::buffer::Buffer;

use crate::clock::Stopwatch;
use cast::Cast;
use svg::Film;

/// Where a recording goes.
pub type Sink = Box<dyn Write + Send>;

/// What was drawn, on its way out.
#[derive(Default)]
pub struct Recorder {
    cast: Option<Cast<Sink>>,
    film: Option<(Film, Sink)>,
    since: Option<Stopwatch>,
    /// The first thing that went wrong; nothing is kept after it.
    failed: Option<io::Error>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cast, film) = (self.cast.is_some(), self.film.is_some());
        f.debug_struct("Recorder").field("cast", &cast).field("film", &film).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Writes what is drawn as an asciicast (version 2), each frame as it comes.
    pub fn cast_into(&mut self, sink: Sink) {
        self.cast = Some(Cast::new(sink));
    }

    /// Draws an animated SVG of less than a megabyte, on a light or a dark ground, once all has been seen.
    pub fn film_into(&mut self, sink: Sink, light: bool) {
        self.film = Some((Film::new(light), sink));
    }

    /// Keeps a frame.
    pub(super) fn frame(&mut self, buffer: &Buffer) {
        if self.failed.is_some() || self.cast.is_none() && self.film.is_none() {
            return;
        }
        let at = self.since.get_or_insert_with(Stopwatch::start).elapsed();
        if let Some((film, _)) = &mut self.film {
            film.frame(at, buffer);
        }
        if let Some(cast) = &mut self.cast {
            self.failed = cast.frame(at, buffer).err();
        }
    }

    /// Writes what is still to be written.
    ///
    /// # Errors
    /// Passes on what went wrong first.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if let Some(mut cast) = self.cast.take() {
            cast.flush()?;
        }
        if let Some((film, mut sink)) = self.film.take() {
            sink.write_all(film.drawn().as_bytes())?;
            sink.flush()?;
        }
        Ok(())
    }
}
