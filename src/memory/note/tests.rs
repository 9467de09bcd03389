//! The notes' life cycle.
