//! What every ruleset promises, as one suite that each instantiates: replay, fold = re-adjudication, non-interference in whole mails
//! (what is hidden at all is told by the oracles of `fog.rs`), and that no order text can hurt.

use std::collections::BTreeMap;
use std::fs;

use musterd::daemon::{Reply, Request, Shape};
use musterd::desk::campaign::Campaign;
use musterd::desk::mail::Press;
use musterd::dice::{Block, Label, Roller, Seat, Secret, SecretChain};
use musterd::engine::briefing::Briefing;
use musterd::engine::founding::{OPTIONS_FILE, options_file};
use musterd::engine::hex::Hex;
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::sheet::Sheet;
use musterd::engine::terms::Terms;
use musterd::engine::{Awaiting, Fold, Match, Ruleset};
use musterd::report::text::sections as page;
use musterd::store::{Ledger as _, Step, Store};
use musterd_ford::Ford;
use musterd_ford::battle::Event as FordEvent;
use musterd_ford::report::View as FordView;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::replay::replay;
use super::support::{Camp, NOON, charter, desk, game};
use super::toy::{Event, Toy, View};
use crate::common::reach::{Named, holds};
use crate::common::soak;

#[cfg(feature = "games")]
mod specimens;
#[cfg(feature = "games")]
pub(crate) use specimens::{AcwSpecimen, DogSpecimen, LgaSpecimen, SaSpecimen, SharedSpecimen};

/// What a ruleset gives the suite beside itself.
pub(crate) trait Specimen {
    /// The rules under test.
    type Rules: Ruleset;
    /// A scenario of theirs, as `ruleset/name`.
    const SCENARIO: &'static str;
    /// Its seats, if they are not the scenario's own.
    const SEATS: &'static [&'static str] = &[];
    /// The options that its games are founded with, by name.
    const OPTIONS: &'static [(&'static str, &'static str)] = &[];
    /// Words and pieces that order texts are thrown together from.
    const WORDS: &'static [&'static str];

    /// Events that change something in the present position, but nothing that `hidden_from` can see. `views` is what every
    /// seat knows. None where this seat sees all.
    fn disturb(
        views: &BTreeMap<Seat, <Self::Rules as Ruleset>::View>,
        hidden_from: &Seat,
        seed: u64,
    ) -> Vec<<Self::Rules as Fold>::Event>;

    /// The order to go to a goal of an answer to `REACH`.
    fn going(named: &Named) -> String {
        named.by_hex()
    }

    /// An amendment by the GM that changes something, but nothing that `hidden_from` can see. None where this seat sees all.
    fn amendment(
        views: &BTreeMap<Seat, <Self::Rules as Ruleset>::View>,
        hidden_from: &Seat,
    ) -> Option<String>;
}

/// Makes the suite's tests for a specimen.
macro_rules! contract {
    ($name:ident, $specimen:ty) => {
        mod $name {
            #[test]
            fn a_journal_folds_to_the_same_digest_however_often_and_after_being_written() {
                super::folds_alike::<$specimen>();
            }
            #[test]
            fn the_fold_is_the_re_adjudication() {
                super::readjudicates::<$specimen>();
            }
            #[test]
            fn what_a_seat_cannot_see_changes_no_byte_of_its_mails() {
                super::leaks_nothing::<$specimen>();
            }
            #[test]
            fn an_amendment_of_what_a_seat_cannot_see_changes_no_byte_of_its_mails() {
                super::amends_in_secret::<$specimen>();
            }
            #[test]
            fn every_sign_on_its_maps_is_in_its_palette() {
                super::draws_its_signs::<$specimen>();
            }
            #[test]
            fn what_units_reach_can_be_ordered() {
                super::reaches::<$specimen>();
            }
            #[test]
            fn no_order_text_can_stop_a_turn() {
                super::bears_any_text::<$specimen>();
            }
        }
    };
}

contract!(the_toy, super::ToySpecimen);
contract!(the_game_of_the_authors_page, super::FordSpecimen);
#[cfg(feature = "games")]
contract!(death_or_glory, super::DogSpecimen);
#[cfg(feature = "games")]
contract!(la_grande_armee, super::LgaSpecimen);
#[cfg(feature = "games")]
contract!(la_grande_armee_with_shared_sides, super::SharedSpecimen);
#[cfg(feature = "games")]
contract!(the_shattered_alliance, super::SaSpecimen);
#[cfg(feature = "games")]
contract!(decisive_battles, super::AcwSpecimen);

/// The toy: the purse of the other side is hidden from each.
pub(crate) struct ToySpecimen;

impl Specimen for ToySpecimen {
    type Rules = Toy;
    const SCENARIO: &'static str = "toy/ridge";
    const WORDS: &'static [&'static str] = &["BID", "UPHOLD", "VOID", "3", "-1", "99999999999999999999", "#"];

    fn disturb(views: &BTreeMap<Seat, View>, hidden_from: &Seat, seed: u64) -> Vec<Event> {
        let sides = views.keys().filter(|seat| seat.as_str() != "umpire");
        let others = sides.filter(|side| *side != hidden_from && hidden_from.as_str() != "umpire");
        let coins = 1 + u32::try_from(seed % 3).unwrap();
        others.map(|side| Event::Bid { side: side.clone(), coins }).collect()
    }

    fn amendment(_: &BTreeMap<Seat, View>, hidden_from: &Seat) -> Option<String> {
        let other = if hidden_from.as_str() == "red" { "blue" } else { "red" };
        (hidden_from.as_str() != "umpire").then(|| format!("PURSE {other} 31"))
    }
}

/// The game of `docs/example-game`: the strengths of the enemy's units are hidden, and the units that stand in woods.
pub(crate) struct FordSpecimen;

impl Specimen for FordSpecimen {
    type Rules = Ford;
    const SCENARIO: &'static str = "ford/kettle";
    const WORDS: &'static [&'static str] =
        &["MOVE", "ATTACK", "TO", "R1", "B2", "Axes", "0504", "9999", "-1", "#"];

    fn disturb(views: &BTreeMap<Seat, FordView>, hidden_from: &Seat, _: u64) -> Vec<FordEvent> {
        let others = views.iter().filter(|(seat, _)| *seat != hidden_from);
        let units: Vec<_> = others.flat_map(|(_, view)| &view.strengths).collect();
        let stronger =
            units.iter().map(|(unit, left)| FordEvent::Amended { unit: **unit, strength: **left + 1 });
        // Whoever stands unseen in a wood stands in another, where nobody is near.
        let unseen = units.iter().filter(|(unit, _)| !views[hidden_from].places.contains_key(unit));
        let taken: Vec<Hex> = views.values().flat_map(|view| view.places.values().copied()).collect();
        let woods = ["0301", "0701", "0403", "0605", "0307", "0707"].map(|wood| wood.parse::<Hex>().unwrap());
        let lonely = woods.into_iter().filter(|wood| taken.iter().all(|at| at.distance(*wood) > 1));
        let moved =
            unseen.zip(lonely).map(|((unit, _), at)| FordEvent::Marched { unit: **unit, way: vec![at] });
        stronger.chain(moved).collect()
    }

    fn amendment(views: &BTreeMap<Seat, FordView>, hidden_from: &Seat) -> Option<String> {
        let mut others = views.iter().filter(|(seat, _)| *seat != hidden_from);
        let (unit, left) = others.find_map(|(_, view)| view.strengths.first_key_value())?;
        Some(format!("STRENGTH {unit} {}", left + 1))
    }
}

/// Dice that somebody injected: each label always shows the same faces.
struct Injected(u64);

impl Roller for Injected {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let start = label.as_str().bytes().fold(self.0, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
        (0..count)
            .map(|n| 1 + u32::try_from((start >> 7).wrapping_add(n.into()) % u64::from(sides)).unwrap())
            .collect()
    }
}

pub(crate) fn secrets() -> SecretChain {
    SecretChain::new(&game(), Secret::new([7; 32]), 100)
}

/// A game of `steps` adjudications, or to its end: every seat plays as a computer with this seed would.
pub(crate) fn played<S: Specimen>(seed: u64, steps: u32) -> Vec<Entry> {
    let (desk, scenario, seats) = (&desk(), S::SCENARIO, S::SEATS);
    let mut founding = desk.founding(scenario).unwrap();
    if !S::OPTIONS.is_empty() {
        let chosen =
            S::OPTIONS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        founding.files.0.insert(OPTIONS_FILE.to_owned(), options_file(&chosen));
    }
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().unwrap()).collect();
    let table = desk.open(founding.rules(), &founding.files, &seats).unwrap();
    let seats = table.seats().iter().map(|spec| spec.seat.clone()).collect::<Vec<_>>();
    let charter = charter(founding, seats, Terms::default());
    let secrets = secrets();
    let entry = |cause| Entry { at: NOON, cause };
    let mut entries = vec![entry(Campaign::founding(charter, &secrets))];
    let mut campaign = Campaign::fold(desk, &entries).unwrap();
    let mut add = |campaign: &mut Campaign, cause| {
        let entry = entry(cause);
        campaign.apply(&entry).unwrap();
        entries.push(entry);
    };
    while campaign.results().is_none() {
        let opening = campaign.opening(&secrets, Some(NOON + 3600)).unwrap();
        add(&mut campaign, opening);
        if campaign.results().is_some() || campaign.next_t() > steps {
            break;
        }
        if let Awaiting::Orders { must, .. } = campaign.game().awaiting().clone() {
            for (n, seat) in (0..).zip(must) {
                let level = S::Rules::LEVELS[(seed as usize + 1) % S::Rules::LEVELS.len()].name;
                let seed = seed.wrapping_mul(1001) + u64::from(campaign.next_t()) * 17 + n;
                let block = Block::canonical(&campaign.game().play(&seat, level, seed));
                let cause = campaign.acceptance(&secrets, &seat, block, "mail", NOON).unwrap();
                add(&mut campaign, cause);
            }
        }
        let closing = campaign.closing(&secrets).unwrap();
        add(&mut campaign, closing);
        let adjudication = campaign.adjudication(&secrets).unwrap();
        add(&mut campaign, adjudication);
    }
    entries
}

fn folds_alike<S: Specimen>() {
    let desk = desk();
    let entries = played::<S>(soak::seed(4).into(), u32::MAX);
    let written = serde_json::to_string(&entries).unwrap();
    let again: Vec<Entry> = serde_json::from_str(&written).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), written);
    let (one, two) = (Campaign::fold(&desk, &entries).unwrap(), Campaign::fold(&desk, &again).unwrap());
    assert_eq!(one.game().digest(), two.game().digest());
    assert_eq!((one.witness(), one.results()), (two.witness(), two.results()));
    assert!(one.results().is_some(), "the game came to an end");
}

fn readjudicates<S: Specimen>() {
    for seed in soak::seeds(0..3) {
        let entries = played::<S>(seed, u32::MAX);
        assert!(replay(&desk(), &entries, &secrets()).steps > 1);
    }
}

/// The table of these rules after a journal's events.
pub(crate) fn table<S: Specimen>(entries: &[Entry]) -> Match<S::Rules> {
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!("no founding") };
    let seats: Vec<Seat> = charter.players.keys().cloned().collect();
    let mut table = Match::new(S::Rules::from_files(&charter.files, &seats).unwrap());
    for entry in entries {
        if let Cause::Adjudicated { events, .. } = &entry.cause {
            table.adopt(events).unwrap();
        }
    }
    table
}

fn leaks_nothing<S: Specimen>() {
    let mut compared = 0;
    for (seed, steps) in soak::seeds(0..4).zip([1, 2, 3, 4]) {
        let entries = played::<S>(seed, steps);
        let before = table::<S>(&entries);
        let seats: Vec<Seat> = before.seats().iter().map(|s| s.seat.clone()).collect();
        let views = seats.iter().map(|s| (s.clone(), before.view(s))).collect();
        for seat in &seats {
            let hidden = S::disturb(&views, seat, seed);
            if hidden.is_empty() {
                continue;
            }
            let mut disturbed = entries.clone();
            let last = disturbed.iter_mut().rev().find_map(|entry| match &mut entry.cause {
                Cause::Adjudicated { events, .. } => Some(events),
                _ => None,
            });
            last.unwrap().extend(hidden.iter().map(|e| serde_json::to_value(e).unwrap()));
            others_order(&mut disturbed, seat);
            others_write(&mut disturbed, seat);
            let after = table::<S>(&disturbed);
            assert_eq!(after.view(seat), before.view(seat), "{seat} would see the disturbance: {hidden:?}");
            assert_ne!(after.digest(), before.digest(), "nobody would see the disturbance: {hidden:?}");
            for unit in (1..=4).map(|unit| unit.to_string()) {
                assert_eq!(after.reach(seat, &unit), before.reach(seat, &unit), "{seat} asks for {unit}");
            }
            let orders = before.play(seat, usual::<S>(), seed);
            let (told, tale) = (mails(&entries, seat, &orders), mails(&disturbed, seat, &orders));
            let differs = told.lines().zip(tale.lines()).find(|(line, other)| line != other);
            assert!(told == tale, "{seat}, step {steps}: {differs:?}");
            compared += 1;
        }
    }
    assert!(soak::is_enough(compared > 3), "{compared} positions compared");
}

/// The usual level of the computer players.
fn usual<S: Specimen>() -> &'static str {
    S::Rules::LEVELS.last().unwrap().name
}

fn amends_in_secret<S: Specimen>() {
    let mut compared = 0;
    for steps in [1, 2, 3, 4] {
        let entries = played::<S>(soak::seed(1).into(), steps);
        let campaign = Campaign::fold(&desk(), &entries).unwrap();
        let table = table::<S>(&entries);
        let seats: Vec<Seat> = table.seats().iter().map(|s| s.seat.clone()).collect();
        let views = seats.iter().map(|s| (s.clone(), table.view(s))).collect();
        for seat in &seats {
            let Some(text) = S::amendment(&views, seat) else { continue };
            let cause = campaign.amending(&secrets(), &text, "so agreed").unwrap().unwrap();
            let mut amended = entries.clone();
            amended.push(Entry { at: NOON, cause });
            let orders = table.play(seat, usual::<S>(), 1);
            assert_eq!(mails(&entries, seat, &orders), mails(&amended, seat, &orders), "{seat}: {text}");
            let told = |other: &&Seat| mails(&entries, other, "") != mails(&amended, other, "");
            assert!(seats.iter().any(|other| told(&other)), "nobody is told: {text}");
            assert!(replay(&desk(), &amended, &secrets()).steps > 0);
            compared += 1;
        }
    }
    assert!(soak::is_enough(compared > 3), "{compared} amendments compared");
}

/// Letters between others, before the adjudication that is reported: none where the seat would be the second of two.
fn others_write(entries: &mut Vec<Entry>, but: &Seat) {
    let Some(closed) = entries.iter().rposition(|entry| matches!(entry.cause, Cause::Closed { .. })) else {
        return;
    };
    let campaign = Campaign::fold(&desk(), entries[..closed].iter()).unwrap();
    let mut others = campaign.game().seats().iter().map(|spec| &spec.seat).filter(|seat| *seat != but);
    let (Some(from), Some(to)) = (others.next(), others.next()) else { return };
    let press = Press {
        to: to.to_string(),
        anonymous: false,
        sealed: None,
        text: Ok("Not a word of this.\n".to_owned()),
    };
    let letter = campaign.pressing(&secrets(), from, &press, "mail", NOON, "UTC");
    // Between sides the game may not allow it.
    if let Ok(cause) = letter.unwrap() {
        entries.insert(closed, Entry { at: NOON, cause });
    }
}

/// Every other seat sends orders for the open window: nobody is told before they run.
fn others_order(entries: &mut Vec<Entry>, but: &Seat) {
    let campaign = Campaign::fold(&desk(), entries.iter()).unwrap();
    let others = campaign.game().seats().iter().filter(|spec| spec.seat != *but);
    let levels = campaign.game().levels();
    let weakest = levels.iter().next().unwrap().name;
    let accepted = others.map(|spec| {
        let block = Block::canonical(&campaign.game().play(&spec.seat, weakest, 5));
        campaign.acceptance(&secrets(), &spec.seat, block, "mail", NOON).unwrap()
    });
    let accepted: Vec<Entry> = accepted.map(|cause| Entry { at: NOON, cause }).collect();
    entries.extend(accepted);
}

/// The dispatch in all its shapes with its proofs, the history and the receipt that a host with this journal would send to a seat, chain lines
/// and leaves masked.
pub(crate) fn mails(entries: &[Entry], seat: &Seat, orders: &str) -> String {
    let camp = camp_of(entries);
    let mut host = camp.open();
    let mut shown = |shape| {
        let report = Request::Report { game: game(), seat: seat.clone(), turn: None, shape };
        let Reply::Report { subject, text } = host.execute(report).unwrap() else { panic!() };
        assert!(text.len() > 100, "{shape:?}: {text}");
        format!("{subject}\n{text}")
    };
    let (text, html) = (shown(Shape::Text), shown(Shape::Html));
    let data = shown(Shape::Data);
    let mut data: serde_json::Value = serde_json::from_str(data.split_once('\n').unwrap().1).unwrap();
    // How long the log is says how much others have written.
    data["chain"] = serde_json::Value::Null;
    let data = serde_json::to_string_pretty(&data).unwrap();
    let history = Request::History { game: game(), seat: seat.clone() };
    let Reply::Report { text: history, .. } = host.execute(history).unwrap() else { panic!() };
    let check = Request::Check { game: game(), seat: seat.clone(), text: orders.to_owned() };
    let Reply::Check { text: receipt, .. } = host.execute(check).unwrap() else { panic!() };
    let campaign = Campaign::fold(&desk(), entries).unwrap();
    let luck = page(&Briefing { sections: vec![campaign.own_luck(seat)], ..Briefing::default() });
    let proofs = proofs(entries, seat);
    let told = [text, html, data, history, receipt, luck, proofs].map(|text| masked(&text));
    told.join("\n")
}

/// The proofs that come with the dispatch; how long the log was is masked as in the chain lines.
fn proofs(entries: &[Entry], seat: &Seat) -> String {
    let campaign = Campaign::fold(&desk(), entries).unwrap();
    let leaves = campaign.leaves_of_rolls(&secrets());
    let mut proofs = serde_json::to_value(campaign.proofs(&secrets(), &leaves, seat)).unwrap();
    proofs["from"] = serde_json::Value::Null;
    serde_json::to_string_pretty(&proofs).unwrap()
}

/// A host that has this journal.
pub(crate) fn camp_of(entries: &[Entry]) -> Camp {
    let camp = Camp::new();
    fs::create_dir(camp.path().join("secrets")).unwrap();
    fs::write(camp.path().join("secrets/alpha.secret"), secrets().to_text().as_bytes()).unwrap();
    let step = Step { game: Some(game()), entries: entries.to_vec(), ..Step::default() };
    Store::open(camp.path()).unwrap().0.commit(&[step]).unwrap();
    camp
}

/// A text with every long hexadecimal number and each line about the public log blanked: heads of the chain, leaves, roots
/// and the log's length depend on hidden things, and tell nothing of them.
fn masked(text: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let digest = bare.len() >= 16 && bare.bytes().all(|b| b.is_ascii_hexdigit());
        if digest { word.replace(bare, "#") } else { word.to_owned() }
    };
    let line = |line: &str| {
        let log = line.contains("Chain: ") || line.contains("seen: ");
        if log {
            "# the log".to_owned()
        } else {
            line.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(word).collect()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn draws_its_signs<S: Specimen>() {
    let palette = S::Rules::PALETTE;
    assert_eq!(palette.faults(), Vec::<String>::new());
    let table = table::<S>(&played::<S>(soak::seed(1).into(), 3));
    let seats = table.seats().iter().map(|spec| &spec.seat);
    let reports = seats.flat_map(|seat| [table.brief(seat), table.history(seat)]);
    let pages: Vec<Briefing> = reports.chain(table.overview()).chain([table.rules().chart(true)]).collect();
    let maps: Vec<_> = pages.iter().flat_map(Briefing::maps).collect();
    assert!(!maps.is_empty(), "a report has a map");
    for (title, map) in maps {
        assert!(map.palette == palette, "{title}");
        assert_eq!(map.unknown_signs(), Vec::<char>::new(), "{title}");
    }
}

/// Every place that an answer to `REACH` names is a goal that orders take, for whoever must order. A game without such answers says so.
fn reaches<S: Specimen>() {
    let mut ordered = 0;
    for (seed, steps) in soak::seeds(0..4).zip([1, 2, 3, 4]) {
        let table = table::<S>(&played::<S>(seed, steps));
        let Awaiting::Orders { must, .. } = table.awaiting() else { continue };
        ordered +=
            must.iter().map(|seat| holds(table.rules(), &table.view(seat), 40, S::going)).sum::<usize>();
    }
    let untold = |seat: &Seat| {
        let table = table::<S>(&played::<S>(1, 1));
        table.reach(seat, "1").is_err_and(|remark| remark.text.contains("doesn't tell how far units reach"))
    };
    let seats = table::<S>(&played::<S>(1, 1)).seats().to_vec();
    assert!(ordered > 20 || seats.iter().all(|spec| untold(&spec.seat)), "{ordered} goals ordered");
}

fn bears_any_text<S: Specimen>() {
    let positions: Vec<_> =
        [1, 2, 3].map(|steps| table::<S>(&played::<S>(soak::seed(1).into(), steps))).into();
    let word = prop_oneof![
        4 => proptest::sample::select(S::WORDS).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
        1 => proptest::sample::select(&["\n", "\n", " ", "\t", "\0", ",", "é", "(", "-"][..]).prop_map(str::to_owned),
    ];
    let text = proptest::collection::vec(word, 0..40).prop_map(|words| words.join(" "));
    let mut runner = TestRunner::new(Config { cases: 64, source_file: Some(file!()), ..Config::default() });
    let outcome = runner.run(&(text, 0..positions.len(), any::<u64>()), |(text, at, dice)| {
        let table = &positions[at];
        let block = Block::canonical(&text);
        let seats = table.seats();
        for spec in seats {
            let (reading, recap) = table.read(&spec.seat, &block);
            let lines = block.as_str().lines().count();
            prop_assert!(reading.remarks.iter().all(|r| r.line <= lines), "{:?}", reading.remarks);
            prop_assert!(recap.orders.iter().all(|o| o.line <= lines));
            prop_assert_eq!(Sheet::orders(block.as_str()).lines().count(), lines);
        }
        for line in text.lines() {
            let alone = table.rules().likeness(line);
            prop_assert_eq!(alone, table.rules().likeness(line.trim()), "blanks mean nothing: {}", line);
        }
        let blocks = seats.iter().map(|s| (s.seat.clone(), block.clone())).collect();
        let outcome = table.adjudicate(9, &blocks, &mut Injected(dice));
        prop_assert!(outcome == table.adjudicate(9, &blocks, &mut Injected(dice)), "the same twice");
        Ok(())
    });
    outcome.unwrap();
}
