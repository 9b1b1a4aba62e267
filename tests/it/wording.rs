//! What seats are told is bound by the log with the number of the program's wording, and the facts are a format: a change of either is noticed here.
//! `MUSTERD_GOLDEN=write` writes the new digests, once `musterd_report::WORDING` is raised.

use std::fmt::Write as _;

use musterd::desk::campaign::Campaign;
use musterd::dice::told::Marked;
use musterd::dice::{Digest, Seat};
use musterd::engine::journal::{Cause, Entry, Verdict};
use musterd::report::{Told, WORDING};

use super::corpus::kept;
use crate::common::pages::golden;

/// Games of each ruleset, with what is recorded of them.
const GAMES: [&str; 9] =
    ["lga-01", "lga-03", "lga-11", "dog-01", "dog-06", "dog-14", "sa-01", "sa-05", "sa-07"];

/// What all seats were told in a recorded game: digests of the facts and of the sentences.
fn told(name: &str) -> (Digest, Digest) {
    let entries: Vec<Entry> = kept(name, "journal");
    let (first, rest) = entries.split_at(1);
    let mut campaign = Campaign::fold(&musterd::rulesets::desk(), first).unwrap();
    let (mut facts, mut sentences) = (String::new(), String::new());
    for entry in rest {
        if let Cause::Received(mail) = &entry.cause
            && let (Some(seat), Verdict::Accepted { block, .. }) = (&mail.seat, &mail.verdict)
        {
            let read = campaign.read_ahead(seat, block);
            writeln!(sentences, "{}", Told::of_orders(block, &read.recap, &read.remarks).text_digest())
                .unwrap();
        }
        campaign.apply(entry).unwrap();
        if matches!(entry.cause, Cause::Adjudicated { .. }) {
            let seats: Vec<Seat> = campaign.game().seats().iter().map(|spec| spec.seat.clone()).collect();
            for seat in seats {
                let told = Told::of_report(&[], &campaign.game().brief(&seat));
                say_the_same(name, &told);
                writeln!(facts, "{}", campaign.game().facts(&seat)).unwrap();
                writeln!(sentences, "{} {}", told.text_digest(), told.page_digest()).unwrap();
            }
        }
    }
    (Digest::of(facts.as_bytes()), Digest::of(sentences.as_bytes()))
}

/// A verifier finds nothing between text and page.
fn say_the_same(name: &str, told: &Told) {
    let marks = |inside: &str| format!("Told: alpha 2 french 1\n{inside}\nEnd told: alpha 2 french 1");
    let (text, page) =
        (Marked::in_text(&marks(&told.text)).unwrap(), Marked::in_page(&marks(&told.html)).unwrap());
    assert_eq!(text.plain.differences(&page.plain), None, "{name}:\n{}", told.text);
}

#[test]
fn changed_sentences_and_facts_are_noticed() {
    let mut page = format!("wording {WORDING}\n");
    for name in GAMES {
        let (facts, sentences) = told(name);
        writeln!(page, "{name} facts {facts} sentences {sentences}").unwrap();
    }
    golden("wording", &page);
}
