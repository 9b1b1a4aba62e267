//! A side of La Grande Armée that several seats share: computers beside people, what each is told, who may order what.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seat, Seed};
use musterd_engine::briefing::{Briefing, Section};
use musterd_engine::orders::Weight;
use musterd_engine::{Awaiting, Match, Ruleset};
use musterd_lga::{Lga, shipped};
use musterd_report::text;

use crate::common::Loose;

fn seats(names: &[&str]) -> Vec<Seat> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn table(scenario: &str, names: &[&str]) -> Match<Lga> {
    Match::new(Lga::from_files(&shipped(scenario).unwrap(), &seats(names)).unwrap())
}

/// Plays with computers in all seats, and looks at the table before each adjudication.
fn played(
    scenario: &str,
    names: &[&str],
    seed: u8,
    mut look: impl FnMut(&Match<Lga>, &BTreeMap<Seat, String>),
) {
    let mut table = table(scenario, names);
    let mut dice = Loose(Seed::unrelated([seed; 32]));
    for t in 1..60 {
        let mut texts = BTreeMap::new();
        match table.awaiting() {
            Awaiting::Over { .. } => return,
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                for spec in table.seats() {
                    texts.insert(spec.seat.clone(), table.play(&spec.seat, "planner", u64::from(t)));
                }
                look(&table, &texts);
            }
        }
        let blocks = texts.into_iter().map(|(seat, text)| (seat, Block::canonical(&text))).collect();
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        table.adopt(&adjudication.events).unwrap();
    }
    panic!("the game goes on for ever");
}

const THREE: [&str; 4] = ["french", "allied.austria", "allied.russia", "allied.britain"];

#[test]
fn computers_that_share_a_side_order_their_own_nations_without_an_error_and_fight() {
    let mut ordered: BTreeMap<String, usize> = BTreeMap::new();
    for (scenario, names) in [
        ("austrian-1805", &THREE[..]),
        ("spanish-1808", &["french", "allied.spain", "allied.britain"]),
        ("nations-1814", &["french", "allied.austria-britain", "allied.russia", "allied.prussia"]),
    ] {
        played(scenario, names, 3, |table, texts| {
            for (seat, text) in texts {
                let (reading, _) = table.read(seat, &Block::canonical(text));
                let errors: Vec<_> =
                    reading.remarks.iter().filter(|remark| remark.weight == Weight::Error).collect();
                assert!(errors.is_empty(), "{scenario} {seat}: {errors:?}\n{text}");
                let acts = text.lines().filter(|line| line.starts_with("MOVE") || line.starts_with("ATTACK"));
                *ordered.entry(format!("{scenario} {seat}")).or_default() += acts.count();
            }
        });
    }
    for (who, orders) in &ordered {
        // Britain has no unit in Austria's war.
        assert!(*orders > 2 || who == "austrian-1805 allied.britain", "{who}: {orders} orders in a campaign");
    }
}

#[test]
fn a_computer_in_the_british_seat_aids_a_person_whose_units_are_beaten() {
    let mut aided = 0;
    for seed in 0..4 {
        played("austrian-1805", &THREE, seed, |_, texts| {
            aided += usize::from(texts[&seats(&["allied.britain"])[0]].contains("AID"));
        });
    }
    assert!(aided > 0);
}

/// The sections of a report from one chapter's heading to the next.
fn chapter<'a>(briefing: &'a Briefing, begins: &str) -> &'a [Section] {
    let start = briefing.sections.iter().position(|s| s.is_chapter() && s.title.starts_with(begins));
    let rest = &briefing.sections[start.unwrap_or_else(|| panic!("no chapter {begins}")) + 1..];
    &rest[..rest.iter().position(Section::is_chapter).unwrap_or(rest.len())]
}

#[test]
fn the_joint_part_is_the_same_for_all_and_the_other_part_the_seats_own() {
    let mut compared = 0;
    played("austrian-1805", &THREE, 5, |table, _| {
        let briefs: Vec<Briefing> = seats(&THREE[1..]).iter().map(|seat| table.brief(seat)).collect();
        let joint: Vec<&[Section]> =
            briefs.iter().map(|brief| chapter(brief, "For the Allied side")).collect();
        assert!(joint.iter().all(|part| *part == joint[0]));
        for (brief, nation) in briefs.iter().zip(["Austria", "Russia", "Britain"]) {
            let titles: Vec<&str> = chapter(brief, &format!("For you alone: {nation}"))
                .iter()
                .map(|s| s.title.as_str())
                .collect();
            assert!(titles.contains(&"Your army") && titles.contains(&"Build pool"), "{titles:?}");
            assert!(!joint[0].iter().any(|section| titles.contains(&section.title.as_str())));
        }
        // A seat that has its side to itself sees no such parts.
        assert!(!table.brief(&seats(&["french"])[0]).sections.iter().any(Section::is_chapter));
        compared += 1;
    });
    assert_eq!(compared, 10, "two player turns in each of five seasons");
}

#[test]
fn a_chapter_stands_out_among_sections() {
    let briefing = table("austrian-1805", &THREE).brief(&seats(&["allied.austria"])[0]);
    let page = text::sections(&briefing);
    let ruled = |title: &str| page.lines().any(|line| line.starts_with(title) && line.ends_with("===="));
    assert!(ruled("FOR THE ALLIED SIDE") && ruled("FOR YOU ALONE: AUSTRIA"), "{page}");
    assert!(page.lines().all(|line| line.len() <= 78));
}
