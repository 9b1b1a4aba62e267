//! Mutated mails, a few of them: `cargo bench --bench mutations -- --mails 1000000` takes a million.

use std::fs;

use super::letters_burdens::burdens;
use super::letters_examined::Reader;
use super::letters_mutation::Mutator;
use super::letters_summary::corpus;
use crate::common::soak;

/// How many mails; a second or two where nothing is optimised.
const MAILS: u32 = 1_000;

#[test]
fn mutated_mails_are_read_without_a_panic_and_without_losing_their_shape() {
    let (mutator, reader) = (Mutator::of(&corpus()), Reader::new());
    for seed in soak::seeds(0..MAILS) {
        let mail = mutator.mail(seed);
        if let Err(what) = reader.examine(&mail) {
            let file = std::env::temp_dir().join(format!("musterd-mutation-{seed}.eml"));
            fs::write(&file, &mail).unwrap();
            panic!("{what}: the mail of seed {seed}, in {}", file.display());
        }
    }
}

#[test]
fn the_mail_of_a_seed_is_always_the_same() {
    let mutator = Mutator::of(&corpus());
    assert!((0..50).all(|seed| mutator.mail(seed) == mutator.mail(seed)));
    assert!((0..50).any(|seed| mutator.mail(seed) != mutator.mail(seed + 1)));
}

#[test]
fn the_same_thing_many_times_over_is_read_to_its_end() {
    let reader = Reader::new();
    for (name, mail) in burdens(10_000) {
        reader.examine(&mail).unwrap_or_else(|what| panic!("{what}: {name}"));
    }
}
