//! The record of a campaign (ruling LGA-72): true to its events, silent about what a side could not know, and open when it is over.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Block, Seat, Seed, Stream};
use musterd_engine::briefing::Part;
use musterd_engine::{Awaiting, Match, Ruleset};
use musterd_lga::model::{Side, UnitId};
use musterd_lga::record::{Battle, Destruction, Loss, Record, Turn};
use musterd_lga::view::View;
use musterd_lga::{Lga, shipped};
use musterd_report::text;

use crate::common::Loose;
use crate::lga_wild::wild_orders;

/// A campaign of 1805 with wild orders: the table at its end, every event, and what each seat knew after every step.
fn campaign(seed: u8) -> (Match<Lga>, Vec<serde_json::Value>, Vec<BTreeMap<Seat, View>>) {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let mut table = Match::new(Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap());
    let mut dice = Loose(Seed::unrelated([seed; 32]));
    let mut chance = Stream::new(&Seed::unrelated([seed; 32]), &"wild".parse().unwrap());
    let (mut events, mut known) = (Vec::new(), Vec::new());
    for t in 1.. {
        let mut blocks = BTreeMap::new();
        match table.awaiting() {
            Awaiting::Over { .. } => break,
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                for spec in table.seats() {
                    let orders = wild_orders(&rules, &table.view(&spec.seat), &mut chance);
                    blocks.insert(spec.seat.clone(), Block::canonical(&orders));
                }
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        table.adopt(&adjudication.events).unwrap();
        events.extend(adjudication.events);
        known.push(table.seats().iter().map(|s| (s.seat.clone(), table.view(&s.seat))).collect());
    }
    (table, events, known)
}

fn record(table: &Match<Lga>, seat: &str) -> Record {
    table.view(&seat.parse().unwrap()).record
}

/// The morale that both sides had less of after an event of combat, by the arithmetic that it shows.
fn morale_lost(event: &serde_json::Value) -> i64 {
    if event["event"] != "attacked" {
        return 0;
    }
    let had = |why: &str| {
        let modifiers = event["check"]["modifiers"].as_array().unwrap();
        modifiers.iter().find(|m| m["why"] == why).map_or(0, |m| m["by"].as_i64().unwrap().abs())
    };
    let lost = |who: &str, why: &str| event["result"][who].as_i64().unwrap().min(had(why));
    lost("attacker_loss", "morale") + lost("defender_loss", "defender's morale")
}

#[test]
fn when_a_campaign_is_over_its_record_is_whole_and_the_same_for_all() {
    let (table, events, _) = campaign(1);
    let whole = record(&table, "french");
    assert_eq!(whole, record(&table, "allied"));
    let flag = |event: &serde_json::Value, name: &str| event[name] == true || event["result"][name] == true;
    let destroyed = ["destroyed", "attacker_destroyed", "defender_destroyed"];
    let fell = events.iter().map(|event| {
        destroyed.iter().filter(|name| flag(event, name)).count() + usize::from(event["event"] == "starved")
    });
    assert_eq!(whole.losses.len(), fell.sum::<usize>(), "every piece that fell");
    let rounds = events.iter().filter(|event| event["event"] == "attacked").count();
    assert_eq!(whole.battles.iter().map(|b| b.rounds as usize).sum::<usize>(), rounds, "every round");
    assert!(rounds > 10, "{rounds} rounds are no campaign");
    let lost: i32 = whole.battles.iter().map(|b| b.attacker_lost + b.defender_lost).sum();
    assert_eq!(i64::from(lost), events.iter().map(morale_lost).sum::<i64>(), "nobody loses more than he has");
    let counts = events.iter().filter(|event| event["event"] == "counted").count();
    assert_eq!(whole.strengths.len(), counts, "a strength with every count of points");
    let fates: BTreeSet<bool> =
        whole.losses.iter().map(|l| matches!(l.fate, Destruction::Battle(_))).collect();
    assert_eq!(fates.len(), 2, "some fell in battle and some did not");
}

#[test]
fn the_captures_lead_from_the_first_control_to_the_last() {
    let (table, _, _) = campaign(2);
    let rules = table.rules();
    let mut control = rules.scenario.control.clone();
    for capture in record(&table, "french").captures {
        assert_eq!(control.insert(capture.at, capture.turn.side), capture.from, "{capture:?}");
    }
    let last = table.view(&"french".parse().unwrap()).control;
    for (hex, city) in rules.map.cities() {
        assert_eq!(control.get(&hex), last.get(&hex), "{}", city.name);
    }
}

#[test]
fn while_it_goes_on_a_side_knows_only_what_it_took_part_in() {
    let (table, _, known) = campaign(1);
    let side_of = |unit: UnitId| table.rules().scenario.unit(unit).side;
    let (mut hidden, mut shown) = (0, 0);
    let whole = record(&table, "french");
    for views in known.iter().filter(|views| views.values().all(|view| view.phasing.is_some())) {
        for view in views.values() {
            let enemy = if view.side == Side::French { Side::Allied } else { Side::French };
            assert!(view.record.strengths.iter().all(|strength| strength.turn.side == view.side));
            for loss in view.record.losses.iter().filter(|loss| side_of(loss.unit) == enemy) {
                assert_eq!(loss.fate, Destruction::Battle(view.side), "the enemy's other losses stay hidden");
                shown += 1;
            }
            let secret = |fate: Destruction| !matches!(fate, Destruction::Battle(_));
            hidden += whole.losses.iter().filter(|l| side_of(l.unit) == enemy && secret(l.fate)).count();
        }
    }
    assert!(hidden > 0 && shown > 0, "{hidden} hidden, {shown} shown");
}

#[test]
fn the_history_tells_of_points_strength_losses_cities_and_the_story() {
    let (table, _, _) = campaign(1);
    let history = table.history(&"allied".parse().unwrap());
    let titles: Vec<&str> = history.sections.iter().map(|s| s.title.as_str()).collect();
    let all = ["The balance", "Losses", "Cities that changed hands", "The story of the campaign"];
    assert_eq!(titles, all);
    let page = text::sections(&history);
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["Summer 1805 ", "The end ", "The French attacked the Allies at ", " took "] {
        assert!(flat.contains(words), "no `{words}` in\n{page}");
    }
    assert!(page.lines().all(|line| line.is_ascii() && line.len() <= musterd_report::WIDTH), "{page}");
}

#[test]
fn the_story_tells_who_fell_nation_by_nation() {
    let rules = Lga::from_files(&shipped("nations-1814").unwrap(), &[]).unwrap();
    let mut view = rules.view(&rules.found(), &"french".parse().unwrap());
    let turn = Turn { date: rules.scenario.start, side: Side::French };
    let at = rules.map.city("Berlin").unwrap();
    view.record.battles =
        vec![Battle { turn, at, defender: Side::Allied, rounds: 17, attacker_lost: 12, defender_lost: 11 }];
    let fell = ["Swedish", "III Bulow", "Cossack N", "III Souham"].map(|name| {
        let unit = rules.scenario.units.iter().find(|unit| unit.name == name).unwrap();
        let by = if unit.side == Side::French { Side::Allied } else { Side::French };
        Loss { turn, unit: unit.id, at, fate: Destruction::Battle(by) }
    });
    view.record.losses = fell.to_vec();
    let story = rules.history(&view).sections.pop().unwrap();
    let told = Part::Text {
        text: "The French attacked the Allies at Berlin 1805 for 17 rounds, at a cost of 12 morale against 11. They \
               destroyed III Bulow (Prussia) and Swedish and Cossack N (Russia); they lost III Souham (France)."
            .to_owned(),
    };
    assert!(story.parts.contains(&told), "{:?}", story.parts);
}
