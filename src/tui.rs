//! The full-screen app.

pub mod text;
pub mod theme;
pub mod view;
