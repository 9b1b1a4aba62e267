//! The integration tests, one binary: every file of this directory is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod report;
mod tidy;
mod lga_cases;
mod lga_play;
