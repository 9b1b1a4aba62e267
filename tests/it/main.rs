//! The integration tests, one binary: every file of this directory is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_mail;
mod contract;
mod letters;
mod replay;
mod report;
mod sim;
mod support;
mod thread;
mod tidy;
mod toy;
