//! Access to the host's disk: files that are written as a whole or not at all, safe reading of files, threads that wait for the disk, and the points
//! at which a test can make any of it fail.

pub mod fault;
pub mod fresh;
pub mod regular;
pub mod worker;
