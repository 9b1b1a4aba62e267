//! La Grande Armée: the cases of its rules, its odds, whole games, and players.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/lga_arena.rs"]
mod lga_arena;
#[path = "../common/lga_wild.rs"]
mod lga_wild;

mod cases;
mod contact;
mod faults;
mod history;
mod invariants;
mod names;
mod odds;
mod orders;
mod overview;
mod play;
mod players;
mod reach;
mod scenarios;
mod settings;
mod shared;
mod tables;
mod types;
