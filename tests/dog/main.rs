//! Death or Glory: the cases of its rules, whole battles, leaders, the GM's amendments.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/dog_arena.rs"]
mod dog_arena;

mod amend;
mod battles;
mod cases;
mod gm;
mod leaders;
mod tables;
