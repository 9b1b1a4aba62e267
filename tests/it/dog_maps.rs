//! The field of a battle of Death or Glory as leaders see it drawn: whatever can be crossed, boarded or stormed is on it.

use std::collections::BTreeMap;

use musterd::engine::briefing::{Briefing, Part};
use musterd::engine::files::RuleFiles;
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::report::html;
use musterd::rules::dog::{Dog, SHIPPED, State, record};

use super::html::assert_sound;
use crate::common::Loose;
use crate::common::pages::{assert_fits, page};

/// Walls with names and without, a bridge over a hex and one over a side, boats.
const HARBOUR: &str = "id: harbour\ntitle: The harbour\nsituation: A quay.\ndate: By night\nscale: tactical\nrounds: 3\n\
    field:\n\
    \x20 rows:\n\
    \x20   - \"~  ~  ~  .h .  .\"\n\
    \x20   - \".  .  ~  .h .  %\"\n\
    \x20   - \".  .  ~  .  .  .\"\n\
    \x20   - \".  .  ~  .  f  .\"\n\
    \x20 fortifications: {\"0402\": castle, \"0403\": earthwork, \"0502\": stronghold}\n\
    \x20 places: {\"0502\": Keep, \"0202\": Quay}\n\
    \x20 bridges: [\"0303\", \"0601-0602\"]\n  boats: [\"0301\", \"0304\"]\n\
    armies:\n\
    \x20 - {seat: red, letter: R, name: Reds, leadership: 900, units: [{id: 1, type: LI, fighters: 10, at: \"0204\"}]}\n\
    \x20 - {seat: blue, letter: B, name: Blues, leadership: 900, units: [{id: 1, type: LI, fighters: 10, at: \"0502\"}, {id: 2, type: P, fighters: 10, at: \"0303\"}]}\n";

/// Its field once R1 is aboard.
const MAP: [&str; 14] = [
    "      1     2     3     4     5     6",
    "                     +  +  +  +  +  +  +",
    " 1  ~ ~ ~ ~ ~ ~ BOAT |n n n|     |     |",
    "     ~ ~   ~ ~   ~ ~ |     |     |     |",
    "      +  +  +  +  +  +  +  +  +  +  +HH+  +",
    " 2    |     |QUAY |~ ~ ~|n @ n|KEEP#|% % %|",
    "      |     |     | ~ ~ |     |B1   |     |",
    "   +  +  +  +  +  +  +  +  +  +  +  +  +  +",
    " 3 |     |     |H H H|  o  |     |     |",
    "   |     |     |B2   |     |     |     |",
    "   +  +  +  +  +  +  +  +  +  +  +  +  +  +",
    " 4    |     |     |BOAT |     |f f f|     |",
    "      |     |     |R1   |     |     |     |",
    "      +  +  +  +  +     +  +  +  +  +  +  +",
];

/// The battle, its file changed before.
fn harbour(changes: &[(&str, &str)]) -> Dog {
    let mut text = HARBOUR.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text)]).collect();
    Dog::from_files(&RuleFiles(files), &[]).unwrap()
}

/// The position after a step in which red orders this.
fn stepped(rules: &Dog, state: &State, red: &str) -> State {
    let seat = "red".parse().unwrap();
    let reading = rules.read_orders(&rules.view(state, &seat), red);
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders: BTreeMap::from([(seat, reading)]) });
    scribe.state().clone()
}

fn founded(rules: &Dog) -> State {
    stepped(rules, &rules.found(), "")
}

fn drawing(briefing: &Briefing) -> String {
    let parts = briefing.sections.iter().flat_map(|section| &section.parts);
    let maps = parts.filter_map(|part| if let Part::Map(map) = part { Some(("", map)) } else { None });
    html::drawing(maps)
}

#[test]
fn every_bridge_boat_and_wall_is_on_a_leaders_map() {
    let rules = harbour(&[]);
    let state = stepped(&rules, &founded(&rules), "BOARD 1");
    for seat in ["red", "blue"] {
        let view = rules.view(&state, &seat.parse().unwrap());
        let briefing = rules.brief(&view, &[]);
        let page = page(&briefing);
        assert_fits(&page);
        let map: Vec<&str> =
            page.lines().skip_while(|line| !line.contains("1     2     3")).take(14).collect();
        // The right of it is the legend.
        let map: Vec<&str> = map.iter().map(|line| line.get(..45).unwrap_or(line).trim_end()).collect();
        assert_eq!(map, MAP, "{page}");
        assert!(page.contains("   H bridge\n"), "{page}");
        let lists = "Built: 0402, castle; 0502 Keep, stronghold; 0403, earthwork. \
            Bridges: 0303, from 0601 to 0602. Boats: 0301, 0304 (R1 aboard).";
        assert!(page.replace('\n', " ").contains(lists), "{page}");
        let drawing = drawing(&briefing);
        assert_sound(&drawing);
        for sign in ["stronghold", "castle", "earthwork", "bridge", "bridge between two hexes", "water"] {
            assert!(drawing.contains(&format!(">{sign}</text>")), "{sign}: {drawing}");
        }
        assert!(!drawing.contains(">river</text>"), "{drawing}");
        let data: serde_json::Value = serde_json::from_str(rules.published(&view).get()).unwrap();
        assert_eq!(data["crossings"], serde_json::json!([["0601", "0602"]]));
    }
    let chart = page(&rules.chart(true));
    assert!(chart.contains("Boats: 0301, 0304."), "{chart}");
}

/// Ruling DOG-35: on a bridge and aboard a boat there is no water.
#[test]
fn cards_of_units_on_bridges_and_boats_halve_no_defence() {
    let rules = harbour(&[]);
    let state = stepped(&rules, &founded(&rules), "BOARD 1");
    let on_ground = |deck: musterd::report::cards::Deck| {
        let told = |card: &musterd::report::cards::Card| {
            card.comments.iter().any(|said| said.starts_with("On that ground"))
        };
        deck.cards.iter().filter(|card| told(card)).map(|card| card.heading.clone()).collect::<Vec<_>>()
    };
    let [red, blue] = rules.battle().armies() else { panic!("two armies") };
    let now =
        |army: &musterd::rules::dog::battle::Army| record::now(&rules, army, &rules.view(&state, &army.seat));
    assert_eq!(
        on_ground(record::at_start(&rules, blue)),
        ["UNIT # B1"],
        "the walls count, the water doesn't"
    );
    assert_eq!(on_ground(now(blue)), ["UNIT # B1"]);
    assert_eq!(on_ground(now(red)), Vec::<String>::new());
}

#[test]
fn the_form_suggests_no_march_that_can_not_be_made() {
    const HEAVY: [(&str, &str); 2] = [
        ("{id: 1, type: LI, fighters: 10, at: \"0204\"}", "{id: 1, type: HI, fighters: 10, at: \"0203\"}"),
        ("type: P, fighters: 10, at: \"0303\"", "type: P, fighters: 10, at: \"0403\""),
    ];
    let form = |changes: &[(&str, &str)]| {
        let rules = harbour(changes);
        let lines = rules.form(&rules.view(&founded(&rules), &"red".parse().unwrap()));
        lines.into_iter().find(|line| line.contains(" R1")).unwrap()
    };
    // Straight to the enemy at the other end of the bridge; where there is none, the water is no place for them.
    assert!(form(&HEAVY).starts_with("# MOVE R1 TO 0303 "), "{}", form(&HEAVY));
    let without = [&HEAVY[..], &[("\"0303\", \"0601-0602\"", "\"0601-0602\"")]].concat();
    assert!(form(&without).starts_with("# DEFEND R1 "), "{}", form(&without));
}

#[test]
fn the_form_suggests_the_hex_beside_an_enemy_that_is_nearest_by_the_way() {
    let lines = form_of_wood(&wood("LI"));
    let of = |unit: &str| lines.iter().find(|line| line.contains(unit)).unwrap().as_str();
    assert!(of(" R1 ").starts_with("# MOVE R1 TO 0401 "), "{lines:#?}");
    // That is R1's then: from 0101 the wood is five points in all, and 0501, behind the enemy, four.
    assert!(of(" R2 ").starts_with("# MOVE R2 TO 0501 "), "{lines:#?}");
}

/// Light infantry has two points a round, lizardman guards have three: theirs is the march that ends beside the enemy.
#[test]
fn the_form_suggests_a_fight_where_the_march_comes_beside_an_enemy_this_round() {
    let fights = |rules: &Dog| -> Vec<String> {
        form_of_wood(rules).into_iter().filter(|line| line.starts_with("# ATTACK")).collect()
    };
    assert_eq!(fights(&wood("LI")), Vec::<String>::new());
    let rules = wood("LG");
    assert_eq!(fights(&rules), ["# ATTACK R1                  # whoever is next to it then"]);
    let view = rules.view(&founded(&rules), &"red".parse().unwrap());
    let lines = form_of_wood(&rules);
    let orders: Vec<&str> = lines[1..].iter().map(|line| line.trim_start_matches("# ")).collect();
    assert_eq!(rules.read_back(&view, &orders.join("\n")).0.remarks, [], "every hint is an order");
}

fn form_of_wood(rules: &Dog) -> Vec<String> {
    rules.form(&rules.view(&founded(rules), &"red".parse().unwrap()))
}

/// Straight on lies a wood, three points to enter; along the upper edge it is three points in all, along the lower one six.
/// The first of the reds is of this type.
fn wood(first: &str) -> Dog {
    const ROWS: &str = "    - \". . . . . .\"\n    - \". . f . . .\"\n    - \", , , , , ,\"\n";
    let battle = format!(
        "id: wood\ntitle: The wood\nsituation: A wood.\nscale: tactical\nfield:\n  rows:\n{ROWS}armies:\n\
         \x20 - {{seat: red, letter: R, name: Reds, leadership: 900, units: [{{id: 1, type: {first}, fighters: 10, at: \"0102\"}}, {{id: 2, type: LI, fighters: 10, at: \"0101\"}}]}}\n\
         \x20 - {{seat: blue, letter: B, name: Blues, leadership: 900, units: [{{id: 1, type: LI, fighters: 10, at: \"0402\"}}]}}\n"
    );
    let files = [("ruleset.yaml".to_owned(), SHIPPED[0].1.to_owned()), ("scenario.yaml".to_owned(), battle)];
    Dog::from_files(&RuleFiles(files.into()), &[]).unwrap()
}

#[test]
fn a_report_says_which_phase_is_ordered() {
    let rules = harbour(&[("rounds: 3", "rounds: 3\norders: by-phase")]);
    let title = |state: &State| rules.brief(&rules.view(state, &"red".parse().unwrap()), &[]).title;
    let state = founded(&rules);
    assert_eq!(title(&state), "The harbour, round 1 of 3, moves");
    assert_eq!(title(&stepped(&rules, &state, "")), "The harbour, round 1 of 3, combat");
}
