//! The `ebbtide` program.

fn main() {}
