//! Death or Glory: the cases of its rules, whole battles, leaders, the GM's amendments.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/dog_arena.rs"]
mod dog_arena;

mod amend;
mod battles;
mod cases;
mod faults;
mod gm;
mod leaders;
mod orders;
mod reach;
mod tables;
mod terrains;
