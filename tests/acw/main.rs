//! Decisive Battles of the American Civil War: its files, the cases of its rules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/acw_arena.rs"]
mod acw_arena;
mod aim;
mod amend;
mod battles;
mod combat;
mod commanders;
#[path = "../common/mod.rs"]
mod common;
mod contact;
mod despatches;
mod files;
mod fixture;
mod fog;
mod looks;
mod luck;
mod lucky;
mod march;
mod odds;
mod orders;
mod reach;
mod receipts;
mod reports;
mod sight;
mod touch;
mod turns;
mod values;
mod worked;
