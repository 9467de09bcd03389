<<<<<<< HEAD
//! What several parts of the suite need.

pub(crate) mod server;
=======
//! What several tests need.

pub(crate) mod session;
>>>>>>> store
