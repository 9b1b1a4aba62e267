//! What touches the host's disk: files that are written whole or not at all, files that are read as files, threads that wait for the disk, and
//! the points at which a test can make any of it fail.

pub mod fault;
pub mod fresh;
pub mod regular;
pub mod worker;
