//! Luck over whole campaigns: every roll is somebody's, with the chance that it had, and the numbers come out as promised.

use std::collections::BTreeMap;

use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::dice::audit::{Turn, examine};
use musterd::dice::statistics::{Luck, Oddness, Statistics, Tally, Trial};
use musterd::dice::{Block, Roll, Seat, Seed, Streams};
use musterd::engine::briefing::Briefing;
use musterd::engine::founding::{OPTIONS_FILE, options_file};
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::Terms;
use musterd::engine::{Awaiting, Match, Ruleset};
use musterd::report::text;
use musterd::rules::lga::event::Event;
use musterd::rules::lga::{Lga, shipped};
use serde_json::Value;

use super::contract::{LgaSpecimen, Specimen, ToySpecimen, played, secrets};
use super::support::{NOON, charter, desk};

/// The adjudications of a journal: events and dice.
fn adjudications<R: Ruleset>(entries: &[Entry]) -> impl Iterator<Item = (Vec<R::Event>, &[Roll])> {
    entries.iter().filter_map(|entry| match &entry.cause {
        Cause::Adjudicated { events, rolls, .. } => {
            let read = |event: &Value| serde_json::from_value(event.clone()).unwrap();
            Some((events.iter().map(read).collect(), rolls.as_slice()))
        }
        _ => None,
    })
}

/// How many rolls of a kind there are: the third word of their labels.
fn rolls_of(rolls: &[Roll], kind: &str) -> usize {
    rolls.iter().filter(|roll| roll.label.as_str().split('/').nth(2) == Some(kind)).count()
}

#[test]
fn every_roll_of_a_campaign_is_somebodys_luck() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..4 {
        for (events, rolls) in adjudications::<Lga>(&played::<LgaSpecimen>(seed, u32::MAX)) {
            let trials = rules.trials(&events);
            let of = |what: &str| trials.iter().filter(|trial| trial.what == what).count();
            // Nobody is spared the fog, and a die that came out badly has an event that says so.
            assert_eq!(of("marches"), rolls_of(rolls, "fog"));
            let fogged = events.iter().filter(|event| matches!(event, Event::Fogged { .. })).count();
            let spared = trials.iter().filter(|trial| trial.what == "marches" && trial.hit).count();
            assert_eq!(of("marches") - spared, fogged);
            // Other rolls have no luck in them only where every face does the same.
            for (what, kind) in [
                ("attacks", "round"),
                ("defences", "round"),
                ("musters", "roll"),
                ("long marches", "long-march"),
                ("reinforcements", "reinforce"),
                ("withdrawals", "rout"),
                ("sieges", "siege"),
            ] {
                assert!(of(what) <= rolls_of(rolls, kind), "{what}");
                *kinds.entry(what).or_default() += of(what);
            }
            assert_eq!(of("attacks"), of("defences"));
        }
    }
    assert!(["attacks", "musters", "long marches"].iter().all(|kind| kinds[kind] > 20), "{kinds:?}");
}

/// All trials of campaigns that computer players play with dice of their own, whosever they are.
fn of_many<S: Specimen>(seeds: u8) -> Luck {
    let founding = desk().founding(S::SCENARIO).unwrap();
    let everybody: Seat = "everybody".parse().unwrap();
    let mut luck = Luck::default();
    for seed in 0..seeds {
        let mut table = Match::new(S::Rules::from_files(&founding.files, &[]).unwrap());
        let mut dice = Streams::new(Seed::unrelated([seed; 32]));
        for t in 1.. {
            if let Awaiting::Over { .. } = table.awaiting() {
                break;
            }
            let orders = |seat: &Seat| {
                Block::canonical(&table.play(seat, S::Rules::LEVELS.last().unwrap().name, t.into()))
            };
            let blocks = table.seats().iter().map(|spec| (spec.seat.clone(), orders(&spec.seat))).collect();
            let events = table.adjudicate(t, &blocks, &mut dice).events;
            let read = |event: &Value| serde_json::from_value(event.clone()).unwrap();
            let trials = table.rules().trials(&events.iter().map(read).collect::<Vec<_>>());
            // An attack and its defence are one roll.
            let once = trials.into_iter().filter(|trial| trial.what != "defences");
            luck.extend(once.map(|trial| Trial { seat: everybody.clone(), ..trial }));
            table.adopt(&events).unwrap();
        }
    }
    luck
}

#[test]
fn hits_are_as_many_as_their_chances_promise() {
    let (lga, toy) = (of_many::<LgaSpecimen>(20), of_many::<ToySpecimen>(20));
    for fortune in lga.fortunes().iter().chain(&toy.fortunes()) {
        let told = format!(
            "{:?}: {} of {}, {:.1} expected",
            fortune.what, fortune.hits, fortune.rolls, fortune.expected
        );
        // Some ten lines, of which a hundredth would be odd.
        assert!(fortune.as_odd.0 > 0.001, "{told}");
    }
    assert!(lga.fortunes()[0].rolls > 500 && toy.fortunes()[0].rolls > 100);
}

/// ACW-86: in play its rolls would tell a commander whether brigades fight of which he hears nothing.
#[test]
fn luck_is_told_at_the_end_where_a_seat_is_not_told_of_all_its_rolls() {
    let told = |despatches: &str| {
        let mut founding = desk().founding("acw/kellys-mill").unwrap();
        let chosen = [("despatches".to_owned(), despatches.to_owned())].into();
        founding.files.0.insert(OPTIONS_FILE.to_owned(), options_file(&chosen));
        let seats = ["union", "confederate"].map(|seat| seat.parse::<Seat>().unwrap());
        let founded = Campaign::founding(charter(founding, seats.clone(), Terms::default()), &secrets());
        let campaign = Campaign::fold(&desk(), &[Entry { at: NOON, cause: founded }]).unwrap();
        let sections = vec![campaign.own_luck(&seats[0])];
        text::sections(&Briefing { sections, ..Briefing::default() })
    };
    assert!(told("off").contains("0 of your rolls"), "{}", told("off"));
    let page = told("on");
    assert!(page.contains("in the last report") && !page.contains("rolls could have gone"), "{page}");
}

#[test]
fn an_audit_file_alone_gives_the_same_dice_as_the_game() {
    let entries = played::<LgaSpecimen>(1, u32::MAX);
    let campaign = Campaign::fold(&desk(), &entries).unwrap();
    let told = campaign.statistics();
    let text = serde_json::to_string(&audit_file(&entries, &secrets(), u32::MAX)).unwrap();
    let turns: Vec<Turn> =
        serde_json::from_value(serde_json::from_str::<Value>(&text).unwrap()["turns"].take()).unwrap();
    let tally = Tally::of_file(&turns, &examine(&text, &[], |_, _| {}).unwrap());
    let audited = Statistics::of(&tally, &Luck::default());
    assert_eq!(audited.sizes, told.sizes);
    assert!(audited.dice > 100 && audited.dice == told.dice);
    assert!(told.luck.iter().any(|fortune| fortune.seat.as_str() == "french"));
    assert!(told.verdict != Oddness::TooFew && audited.luck.is_empty());
}
