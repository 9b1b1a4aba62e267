//! The integration tests, one binary: every file of this directory is a module.

mod powercut;
mod store;
