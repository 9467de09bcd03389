//! One integration-test binary; each module is one part of the program seen from outside.
mod precision;
mod support;
