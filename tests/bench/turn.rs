//! The own time of a turn, in sessions of different sizes.

fn main() {}
