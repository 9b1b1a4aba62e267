//! The integration tests, one binary: every file of this directory is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_mail;
mod contract;
mod demo;
mod games;
mod history;
mod hostile;
mod kill;
mod letters;
mod lga_cases;
mod lga_odds;
mod lga_play;
mod lga_players;
mod lga_shared;
mod maildir;
mod mails;
mod odds;
mod pages;
mod post;
mod powercut;
mod press;
mod replay;
mod report;
mod scenario;
mod season;
mod servers;
mod sim;
mod store;
mod store_mending;
mod store_model;
mod support;
mod thread;
mod tidy;
mod toy;
mod trouble;
mod vintage;
