//! What is drawn: each module draws one part of the screen from plain data.

pub mod gauge;
pub mod panel;
pub mod status;
