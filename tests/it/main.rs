//! The integration tests, one binary: every file of this directory is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg_attr(
    not(all(feature = "lga", feature = "dog")),
    allow(dead_code, reason = "helpers of the tests with games")
)]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/mod.rs"]
mod common;

mod addresses;
mod audit;
mod audit_forgeries;
mod audit_mutations;
mod authentication;
mod bad_mail;
mod beacon;
mod burst;
mod commands;
mod contract;
mod counting;
mod crash_disk;
mod crash_history;
mod crash_rules;
mod crash_trace;
mod dovecot;
mod escrow;
mod fog;
mod fog_toy;
mod founding;
mod gm;
mod held;
mod hostile;
mod hostile_drain;
mod hostile_smtp;
mod hours;
mod invited;
mod journals;
mod keys;
mod leaks;
mod letters;
mod letters_burdens;
mod letters_mutation;
mod letters_styles;
mod letters_summary;
mod loops;
mod mailboxes;
mod maildir;
mod namespaces;
mod newcomers;
mod notify;
mod offers;
mod post;
mod powercut;
mod put_off;
mod reach;
mod reach_doubts;
mod replay;
mod reroll;
mod routes;
mod sandbox;
mod scripted;
mod seconds;
mod seeds;
mod servers;
mod several;
mod signature;
mod sim;
mod skips;
mod store;
mod store_damage;
mod store_mending;
mod store_model;
mod support;
mod thread;
mod toy;
mod trouble;
mod vectors;
mod verify;
mod verify_copies;
mod verify_honest;
mod verify_in_time;
mod verify_mails;
mod verify_mine;
mod verify_mine_forged;
mod verify_replay;
mod who;
mod witnesses;
mod year;

// Tests with the games of the program: without its features `lga` and `dog` there are none.
#[cfg(all(feature = "lga", feature = "dog"))]
mod archives;
#[cfg(all(feature = "lga", feature = "dog"))]
mod backups;
#[cfg(all(feature = "lga", feature = "dog"))]
mod browser;
#[cfg(all(feature = "lga", feature = "dog"))]
mod compose;
#[cfg(all(feature = "lga", feature = "dog"))]
mod configuration;
#[cfg(all(feature = "lga", feature = "dog"))]
mod corpus;
#[cfg(all(feature = "lga", feature = "dog"))]
mod couriers;
#[cfg(all(feature = "lga", feature = "dog"))]
mod crash;
#[cfg(all(feature = "lga", feature = "dog"))]
mod crash_game;
#[cfg(all(feature = "lga", feature = "dog"))]
mod crash_judge;
#[cfg(all(feature = "lga", feature = "dog"))]
mod demo;
#[cfg(all(feature = "lga", feature = "dog"))]
mod deploy;
#[cfg(all(feature = "lga", feature = "dog"))]
#[path = "../common/dog_arena.rs"]
mod dog_arena;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_campaign;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_fog;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_hire;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_maps;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_odds;
#[cfg(all(feature = "lga", feature = "dog"))]
mod dog_table;
#[cfg(all(feature = "lga", feature = "dog"))]
mod example_campaign;
#[cfg(all(feature = "lga", feature = "dog"))]
mod examples;
#[cfg(all(feature = "lga", feature = "dog"))]
mod fault_domains;
#[cfg(all(feature = "lga", feature = "dog"))]
mod fog_dog;
#[cfg(all(feature = "lga", feature = "dog"))]
mod fog_lga;
#[cfg(all(feature = "lga", feature = "dog"))]
mod games;
#[cfg(all(feature = "lga", feature = "dog"))]
mod guides;
#[cfg(all(feature = "lga", feature = "dog"))]
mod html;
#[cfg(all(feature = "lga", feature = "dog"))]
mod kill;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_enclosed;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_examined;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_mutated;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_prose;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_sets;
#[cfg(all(feature = "lga", feature = "dog"))]
mod letters_unread;
#[cfg(all(feature = "lga", feature = "dog"))]
#[path = "../common/lga_arena.rs"]
mod lga_arena;
#[cfg(all(feature = "lga", feature = "dog"))]
#[path = "../common/lga_wild.rs"]
mod lga_wild;
#[cfg(all(feature = "lga", feature = "dog"))]
mod luck;
#[cfg(all(feature = "lga", feature = "dog"))]
mod mails;
#[cfg(all(feature = "lga", feature = "dog"))]
mod manual;
#[cfg(all(feature = "lga", feature = "dog"))]
mod mishaps;
#[cfg(all(feature = "lga", feature = "dog"))]
mod moderated;
#[cfg(all(feature = "lga", feature = "dog"))]
mod odds;
#[cfg(all(feature = "lga", feature = "dog"))]
mod operations;
#[cfg(all(feature = "lga", feature = "dog"))]
mod outage;
#[cfg(all(feature = "lga", feature = "dog"))]
mod outputs;
#[cfg(all(feature = "lga", feature = "dog"))]
mod own_files;
#[cfg(all(feature = "lga", feature = "dog"))]
mod pages;
#[cfg(all(feature = "lga", feature = "dog"))]
mod press;
#[cfg(all(feature = "lga", feature = "dog"))]
mod privacy;
#[cfg(all(feature = "lga", feature = "dog"))]
mod proofs;
#[cfg(all(feature = "lga", feature = "dog"))]
mod real_commands;
#[cfg(all(feature = "lga", feature = "dog"))]
mod recall;
#[cfg(all(feature = "lga", feature = "dog"))]
mod reopened;
#[cfg(all(feature = "lga", feature = "dog"))]
mod report;
#[cfg(all(feature = "lga", feature = "dog"))]
mod reveal;
#[cfg(all(feature = "lga", feature = "dog"))]
mod samples;
#[cfg(all(feature = "lga", feature = "dog"))]
mod scenario;
#[cfg(all(feature = "lga", feature = "dog"))]
mod schemas;
#[cfg(all(feature = "lga", feature = "dog"))]
mod season;
#[cfg(all(feature = "lga", feature = "dog"))]
mod slow_servers;
#[cfg(all(feature = "lga", feature = "dog"))]
mod stays;
#[cfg(all(feature = "lga", feature = "dog"))]
mod verify_command;
#[cfg(all(feature = "lga", feature = "dog"))]
mod verify_mine_kept_back;
#[cfg(all(feature = "lga", feature = "dog"))]
mod verify_signed;
#[cfg(all(feature = "lga", feature = "dog"))]
mod vintage;
#[cfg(all(feature = "lga", feature = "dog"))]
mod watchers;
