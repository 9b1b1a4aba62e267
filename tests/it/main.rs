//! The integration tests, one binary: every file of this directory is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg_attr(not(feature = "games"), allow(dead_code, reason = "helpers of the tests with games"))]
#![allow(clippy::too_many_lines, reason = "a test that plays a game tells it from beginning to end")]

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "games")]
mod acw_mail;
mod addresses;
mod audit;
mod audit_forgeries;
mod audit_mutations;
mod authentication;
mod bad_mail;
mod beacon;
mod burst;
mod busy_year;
mod commands;
mod contract;
mod counting;
mod crash_disk;
mod crash_history;
mod crash_rules;
mod crash_trace;
mod dovecot;
mod escrow;
mod excused;
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
mod told;
mod told_mails;
mod told_played;
mod toy;
mod traffic;
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

// Tests with the games of the program: without its feature `games` there are none.
#[cfg(feature = "games")]
mod archives;
#[cfg(feature = "games")]
mod backups;
#[cfg(feature = "games")]
mod browser;
#[cfg(feature = "games")]
mod completions;
#[cfg(feature = "games")]
mod compose;
#[cfg(feature = "games")]
mod configuration;
mod contact;
#[cfg(feature = "games")]
mod corpus;
#[cfg(feature = "games")]
mod couriers;
#[cfg(feature = "games")]
mod crash;
#[cfg(feature = "games")]
mod crash_game;
#[cfg(feature = "games")]
mod crash_judge;
#[cfg(feature = "games")]
mod demo;
#[cfg(feature = "games")]
mod deploy;
#[cfg(feature = "games")]
#[path = "../common/dog_arena.rs"]
mod dog_arena;
#[cfg(feature = "games")]
mod dog_campaign;
#[cfg(feature = "games")]
mod dog_fog;
#[cfg(feature = "games")]
mod dog_hire;
#[cfg(feature = "games")]
mod dog_maps;
#[cfg(feature = "games")]
mod dog_odds;
#[cfg(feature = "games")]
mod dog_table;
#[cfg(feature = "games")]
mod example_campaign;
#[cfg(feature = "games")]
mod examples;
#[cfg(feature = "games")]
mod fault_domains;
#[cfg(feature = "games")]
mod fog_dog;
#[cfg(feature = "games")]
mod fog_lga;
#[cfg(feature = "games")]
mod games;
#[cfg(feature = "games")]
mod guides;
#[cfg(feature = "games")]
mod html;
#[cfg(feature = "games")]
mod json_errors;
#[cfg(feature = "games")]
mod kill;
#[cfg(feature = "games")]
mod letters_enclosed;
#[cfg(feature = "games")]
mod letters_examined;
#[cfg(feature = "games")]
mod letters_mutated;
#[cfg(feature = "games")]
mod letters_prose;
#[cfg(feature = "games")]
mod letters_sets;
#[cfg(feature = "games")]
mod letters_unread;
#[cfg(feature = "games")]
#[path = "../common/lga_arena.rs"]
mod lga_arena;
#[cfg(feature = "games")]
#[path = "../common/lga_wild.rs"]
mod lga_wild;
#[cfg(feature = "games")]
mod luck;
#[cfg(feature = "games")]
mod mails;
#[cfg(feature = "games")]
mod manual;
#[cfg(feature = "games")]
mod mishaps;
#[cfg(feature = "games")]
mod moderated;
#[cfg(feature = "games")]
mod odds;
#[cfg(feature = "games")]
mod operations;
#[cfg(feature = "games")]
mod order_of_battle;
#[cfg(feature = "games")]
mod outage;
#[cfg(feature = "games")]
mod outputs;
#[cfg(feature = "games")]
mod own_files;
#[cfg(feature = "games")]
mod package;
#[cfg(feature = "games")]
mod pages;
#[cfg(feature = "games")]
mod press;
#[cfg(feature = "games")]
mod privacy;
#[cfg(feature = "games")]
mod proofs;
#[cfg(feature = "games")]
mod real_commands;
#[cfg(feature = "games")]
mod recall;
#[cfg(feature = "games")]
mod reopened;
#[cfg(feature = "games")]
mod report;
#[cfg(feature = "games")]
mod reveal;
#[cfg(feature = "games")]
mod sa_mail;
#[cfg(feature = "games")]
mod samples;
#[cfg(feature = "games")]
mod scenario;
#[cfg(feature = "games")]
mod schemas;
#[cfg(feature = "games")]
mod season;
#[cfg(feature = "games")]
mod slow_servers;
#[cfg(feature = "games")]
mod status_filters;
#[cfg(feature = "games")]
mod stays;
#[cfg(feature = "games")]
mod verify_command;
#[cfg(feature = "games")]
mod verify_mine_kept_back;
#[cfg(feature = "games")]
mod verify_signed;
mod verify_status;
mod verify_verdict;
#[cfg(feature = "games")]
mod vintage;
#[cfg(feature = "games")]
mod watchers;
#[cfg(feature = "games")]
mod whole_games;
#[cfg(feature = "games")]
mod wording;
