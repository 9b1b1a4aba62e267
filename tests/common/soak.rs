//! Tests that chance decides. The suite plays the same random games every time, and a soak (`benches/soak.rs`) plays others.

use std::ops::Range;
use std::sync::LazyLock;

/// The environment variable by which a soak says what it adds to the seed of each random game: up to 9 digits.
pub(crate) const SEED: &str = "MUSTERD_SOAK_SEED";

#[expect(clippy::disallowed_methods, reason = "a soak speaks to the tests by the environment")]
static ADDED: LazyLock<Option<u32>> = LazyLock::new(|| {
    let said = std::env::var(SEED).ok()?;
    let number = said.parse().ok().filter(|number| *number < 1_000_000_000);
    Some(number.unwrap_or_else(|| panic!("{SEED}={said}: no number of up to 9 digits")))
});

/// The seed of a random game, by the one that it has in the suite.
pub(crate) fn seed(fixed: u32) -> u32 {
    fixed + ADDED.unwrap_or(0)
}

/// The same for several games.
pub(crate) fn seeds(fixed: Range<u32>) -> Range<u64> {
    seed(fixed.start).into()..seed(fixed.end).into()
}

/// The same for games that are played by 32 bytes.
pub(crate) fn seed_bytes(fixed: u8) -> [u8; 32] {
    let mut bytes = [fixed; 32];
    let added = ADDED.unwrap_or(0).to_be_bytes();
    bytes.iter_mut().zip(added).for_each(|(byte, added)| *byte ^= added);
    bytes
}

/// Whether games had in them what makes them worth playing. Only the suite asks: its games are known, and those of a soak are not.
pub(crate) fn is_enough(enough: bool) -> bool {
    enough || ADDED.is_some()
}

/// Random tests of one file.
pub(crate) struct Random {
    /// The file, from the repository's folder.
    pub(crate) file: &'static str,
    /// What `cargo test --workspace` calls the binary that they are in.
    pub(crate) target: &'static [&'static str],
    /// Their names.
    pub(crate) tests: &'static [&'static str],
}

const LIB: &[&str] = &["--lib"];
const IT: &[&str] = &["--test", "it"];

/// All of them but those that count how often something happens, as these fail now and then by chance. `tests/it/seeds.rs` sees to it that no
/// file is left out.
pub(crate) const ALL: &[Random] = &[
    Random {
        file: "src/text/lines.rs",
        target: LIB,
        tests: &["lines::tests::lines_are_those_of_the_standard_library"],
    },
    Random {
        file: "src/dice/entry/tests.rs",
        target: LIB,
        tests: &[
            "entry::tests::no_free_text_breaks_a_line_or_is_lost",
            "entry::tests::no_body_crashes_the_reader",
        ],
    },
    Random {
        file: "src/dice/orders.rs",
        target: LIB,
        tests: &["orders::tests::canonical_is_stable_and_blind_to_line_ends"],
    },
    Random { file: "src/kit/way.rs", target: LIB, tests: &["way::tests::no_way_is_cheaper"] },
    Random {
        file: "src/report/wrap.rs",
        target: LIB,
        tests: &[
            "wrap::tests::lines_are_those_of_the_library",
            "wrap::tests::long_words_are_cut_as_the_library_cuts_them",
        ],
    },
    Random {
        file: "src/rules/dog/table/tests.rs",
        target: LIB,
        tests: &["table::tests::any_line_is_read_or_refused"],
    },
    Random {
        file: "src/rules/lga/read/tests.rs",
        target: LIB,
        tests: &[
            "read::tests::no_text_panics",
            "read::tests::no_mixture_of_order_words_panics_or_loses_its_line",
        ],
    },
    Random {
        file: "src/rules/lga/read/tests/grammar.rs",
        target: LIB,
        tests: &[
            "read::tests::grammar::every_sentence_of_the_published_grammar_is_read_and_means_what_it_names",
        ],
    },
    Random {
        file: "src/rules/lga/read/tests/written.rs",
        target: LIB,
        tests: &[
            "read::tests::written::an_order_that_is_written_is_read_back_the_same",
            "read::tests::written::a_reaction_that_is_written_is_read_back_the_same",
        ],
    },
    Random {
        file: "tests/dog/battles.rs",
        target: &["--test", "dog"],
        tests: &["battles::a_thousand_random_battles_run_to_an_end_and_hang_together"],
    },
    Random {
        file: "tests/acw/orders.rs",
        target: &["--test", "acw"],
        tests: &[
            "orders::any_text_has_a_reading_whose_orders_are_written_and_read_back",
            "orders::who_commands_nobody_orders_nobody",
        ],
    },
    Random {
        file: "tests/sa/battles.rs",
        target: &["--test", "sa"],
        tests: &["battles::a_thousand_random_battles_run_to_an_end_and_hang_together"],
    },
    Random {
        file: "tests/sa/fog.rs",
        target: &["--test", "sa"],
        tests: &[
            "fog::hunters_learn_who_the_wizard_is_by_what_he_does_alone",
            "fog::orders_that_are_not_carried_out_yet_are_their_own_sides",
        ],
    },
    Random {
        file: "tests/lga/settings.rs",
        target: &["--test", "lga"],
        tests: &["settings::nations_that_never_were_fight_a_war_of_their_own"],
    },
    Random {
        file: "tests/lga/play.rs",
        target: &["--test", "lga"],
        tests: &[
            "play::every_scenario_can_be_played_to_its_end_with_any_orders",
            "play::a_side_of_several_players_can_be_played_to_its_end",
        ],
    },
    Random {
        file: "tests/lga/players.rs",
        target: &["--test", "lga"],
        tests: &["players::every_scenario_plays_to_its_end_with_every_invariant_kept"],
    },
    Random {
        file: "tests/it/beacon.rs",
        target: IT,
        tests: &["beacon::however_often_the_host_dies_a_game_with_a_beacon_comes_out_the_same"],
    },
    Random {
        file: "tests/it/contract.rs",
        target: IT,
        tests: &[
            "contract::la_grande_armee::a_journal_folds_to_the_same_digest_however_often_and_after_being_written",
            "contract::la_grande_armee::the_fold_is_the_re_adjudication",
            "contract::la_grande_armee::what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::la_grande_armee::an_amendment_of_what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::la_grande_armee::no_order_text_can_stop_a_turn",
            "contract::la_grande_armee_with_shared_sides::a_journal_folds_to_the_same_digest_however_often_and_after_being_written",
            "contract::la_grande_armee_with_shared_sides::the_fold_is_the_re_adjudication",
            "contract::la_grande_armee_with_shared_sides::what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::la_grande_armee_with_shared_sides::an_amendment_of_what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::la_grande_armee_with_shared_sides::no_order_text_can_stop_a_turn",
            "contract::death_or_glory::a_journal_folds_to_the_same_digest_however_often_and_after_being_written",
            "contract::death_or_glory::the_fold_is_the_re_adjudication",
            "contract::death_or_glory::what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::death_or_glory::an_amendment_of_what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::death_or_glory::no_order_text_can_stop_a_turn",
            "contract::the_toy::a_journal_folds_to_the_same_digest_however_often_and_after_being_written",
            "contract::the_toy::the_fold_is_the_re_adjudication",
            "contract::the_toy::what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::the_toy::an_amendment_of_what_a_seat_cannot_see_changes_no_byte_of_its_mails",
            "contract::the_toy::no_order_text_can_stop_a_turn",
        ],
    },
    Random {
        file: "tests/it/crash.rs",
        target: IT,
        tests: &["crash::nothing_told_is_lost_or_doubled_by_a_power_cut_at_any_moment"],
    },
    Random {
        file: "tests/it/fog_dog.rs",
        target: IT,
        tests: &[
            "fog_dog::leaders_learn_nothing_that_is_hidden_in_battles_of_hidden_units",
            "fog_dog::a_battle_that_was_founded_on_other_hidden_units_looks_the_same",
        ],
    },
    Random {
        file: "tests/it/fog_lga.rs",
        target: IT,
        tests: &[
            "fog_lga::a_side_learns_nothing_that_is_hidden_from_it",
            "fog_lga::seats_of_a_shared_side_learn_nothing_that_is_hidden_from_them",
            "fog_lga::a_campaign_that_was_founded_on_other_hidden_facts_looks_the_same",
        ],
    },
    Random {
        file: "tests/it/fog_toy.rs",
        target: IT,
        tests: &["fog_toy::the_toy_tells_nothing_that_is_hidden"],
    },
    Random {
        file: "tests/it/hours.rs",
        target: IT,
        tests: &["hours::no_deadline_comes_too_soon_nor_on_a_free_day"],
    },
    Random {
        file: "tests/it/letters.rs",
        target: IT,
        tests: &[
            "letters::any_bytes_give_an_answer",
            "letters::any_mutation_of_a_real_mail_gives_an_answer",
            "letters::any_page_and_any_text_gives_an_answer",
            "letters::a_block_that_is_sent_is_the_block_that_arrives",
            "letters::every_secret_is_read_back",
        ],
    },
    Random {
        file: "tests/it/letters_mutated.rs",
        target: IT,
        tests: &["letters_mutated::mutated_mails_are_read_without_a_panic_and_without_losing_their_shape"],
    },
    Random {
        file: "tests/it/letters_styles.rs",
        target: IT,
        tests: &[
            "letters_styles::orders_arrive_exactly",
            "letters_styles::a_form_that_comes_back_as_it_was_mailed_orders_nothing",
            "letters_styles::an_attached_file_arrives_exactly",
        ],
    },
    Random { file: "tests/it/pages.rs", target: IT, tests: &["pages::every_page_is_ascii_and_fits"] },
    Random {
        file: "tests/it/samples.rs",
        target: IT,
        tests: &["samples::the_samples_of_the_guide_are_played_to_their_end"],
    },
    Random {
        file: "tests/it/scenario.rs",
        target: IT,
        tests: &["scenario::a_mutilated_file_is_told_of_or_can_be_shown"],
    },
    Random {
        file: "tests/it/sim.rs",
        target: IT,
        tests: &["sim::whatever_happens_to_the_mail_and_the_host_the_game_comes_out_the_same"],
    },
    Random {
        file: "tests/it/store_model.rs",
        target: IT,
        tests: &[
            "store_model::whatever_happens_the_store_holds_what_it_acknowledged",
            "store_model::an_engine_in_memory_says_what_the_store_says",
        ],
    },
    Random {
        file: "tests/it/watchers.rs",
        target: IT,
        tests: &["watchers::who_lies_hidden_still_is_not_shown_where_he_lay"],
    },
    Random {
        file: "tests/it/busy_year.rs",
        target: IT,
        tests: &["busy_year::a_year_of_fifty_games_keeps_every_promise"],
    },
];
