//! The integration tests, one binary: every file of this directory is a module.

mod powercut;
mod store;
mod hostile;
mod maildir;
mod post;
mod servers;
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod letters;
mod report;
mod tidy;
