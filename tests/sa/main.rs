//! The Shattered Alliance: its files, orders and receipts, whole battles, the GM's amendments, luck, the cases of its rules, its charts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/sa_arena.rs"]
mod sa_arena;

mod amend;
mod battles;
mod cases;
mod contact;
mod files;
mod fog;
mod guides;
mod leaders;
mod luck;
mod odds;
mod orders;
mod reach;
mod receipts;
mod reports;
mod tables;
