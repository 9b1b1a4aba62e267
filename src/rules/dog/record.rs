//! Unit records (manual, the record card at its end): what a leader keeps of each unit, to be printed for a table.

use super::battle::hire::HireList;
use super::battle::{Army, Ground, Switches, UnitSpec};
use super::data::Dog;
use super::known;
use super::model::{Scale, Sort, UnitId};
use super::numbers::Numbers;
use super::scores;
use super::view::View;
use super::words;
use musterd_engine::briefing::Fact;
use musterd_kit::lists::{joined, listed};
use musterd_report::cards::{Card, Deck};

/// A unit as it goes on its card.
struct Kept<'a> {
    /// What it is called, as far as that is known: a hired army has no letter yet.
    id: String,
    name: &'a str,
    sorts: &'a [Sort],
    /// Volleys left of each sort; as many as it ever has where none have been fired.
    shots: Option<&'a [u16]>,
    /// Where it begins, or where it is, with what the card calls that.
    place: (&'static str, String),
    /// What is under it there, where that is known and not only a bridge.
    ground: Option<Ground>,
    hidden: bool,
    captive: Option<UnitId>,
}

/// The cards of an army as the battle file has it. What is hired is nobody's yet: blank cards stand for it.
pub fn at_start(rules: &Dog, army: &Army) -> Deck {
    let card = |spec: &UnitSpec| {
        let field = &rules.battle().field;
        let at = spec.at.map_or_else(String::new, |at| field.place(at));
        Terms::of(rules).card(&Kept {
            id: spec.id.to_string(),
            name: &spec.name,
            sorts: &spec.sorts,
            shots: None,
            place: (INITIAL, at),
            // On a bridge there is no water (ruling DOG-35).
            ground: spec.at.filter(|at| !field.bridges.contains(at)).and_then(|at| field.ground(at)),
            hidden: spec.hidden,
            captive: None,
        })
    };
    let mut cards: Vec<Card> = army.units.iter().map(card).collect();
    if army.budget.is_some() {
        cards.extend(std::iter::repeat_n(blank(army), BLANKS));
    }
    Deck { title: title(rules, army, army.leadership), cards }
}

/// The cards of an army as its leader knows it now.
pub fn now(rules: &Dog, army: &Army, view: &View) -> Deck {
    let cards = view.own.iter().map(|(id, unit)| {
        let kept = Kept {
            id: id.to_string(),
            name: &unit.name,
            sorts: &unit.sorts,
            shots: Some(&unit.shots),
            place: ("Position", rules.place(unit.at)),
            ground: Some(known::ground(rules, view, unit.at, unit.aboard)),
            hidden: unit.hidden,
            captive: unit.captive,
        };
        Terms::of(rules).card(&kept)
    });
    Deck { title: title(rules, army, view.leadership), cards: cards.collect() }
}

/// The cards of a hire list, in a battle without optional rules but those that are usual. Its army's letter and where its units
/// begin are for the pen.
pub fn hired(numbers: &Numbers, list: &HireList) -> Deck {
    let terms = Terms { numbers, switches: Switches::USUAL, scale: list.scale };
    let card = |(number, (name, sorts)): (usize, &(String, Vec<Sort>))| {
        terms.card(&Kept {
            id: format!("..{number}"),
            name,
            sorts,
            shots: None,
            place: (INITIAL, String::new()),
            ground: None,
            hidden: false,
            captive: None,
        })
    };
    Deck {
        title: format!("{}, leadership {}", list.in_short(numbers), list.leadership),
        cards: (1..).zip(&list.units).map(card).collect(),
    }
}

/// How many blank cards an army with money gets: a sheet of them.
const BLANKS: usize = 8;
/// What a card calls the hex where a unit begins.
const INITIAL: &str = "Initial pos.";

fn title(rules: &Dog, army: &Army, leadership: u32) -> String {
    format!("{}: {}, leadership {leadership}", rules.battle().title, army.name)
}

/// A card to fill in by hand.
fn blank(army: &Army) -> Card {
    let labels = ["Type", "Number", "Attack", "Distance", "Defence", "HP", INITIAL];
    Card {
        heading: format!("UNIT # {}......", army.letter),
        title: String::new(),
        facts: labels.iter().map(|label| Fact::of(*label, "")).collect(),
        boxes: Vec::new(),
        comments: Vec::new(),
    }
}

/// What the scores on a card depend on beside the unit.
struct Terms<'a> {
    numbers: &'a Numbers,
    switches: Switches,
    scale: Scale,
}

impl<'a> Terms<'a> {
    fn of(rules: &'a Dog) -> Self {
        let battle = rules.battle();
        Self { numbers: rules.numbers(), switches: battle.switches, scale: battle.scale }
    }

    fn card(&self, unit: &Kept<'_>) -> Card {
        let (numbers, switches) = (self.numbers, self.switches);
        let sorts = unit.sorts;
        let each = |of: &dyn Fn(&Sort) -> String| joined(sorts.iter().map(of), " / ");
        let attack = scores::attack_force(numbers, sorts, Ground::OPEN);
        let defence = scores::defence_force(numbers, switches, sorts, Ground::OPEN);
        let arms: Vec<_> = sorts.iter().map(|sort| scores::distance(numbers, sort)).collect();
        let distance = match arms.iter().all(Option::is_none) {
            true => "0".to_owned(),
            false => {
                let arm = |arm: &Option<_>| {
                    arm.map_or_else(|| "0".to_owned(), |arm: super::numbers::Distance| arm.to_string())
                };
                joined(arms.iter().map(arm), " / ")
            }
        };
        let facts = vec![
            Fact::of("Type", listed(sorts.iter().map(|sort| words::sort_name(numbers, sort)))),
            Fact::of("Number", each(&|sort| sort.fighters.to_string())),
            Fact::of(
                "Attack",
                format!(
                    "{} each, {attack} in all",
                    each(&|sort| scores::attack(numbers, sort, Ground::OPEN).to_string())
                ),
            ),
            Fact::of("Distance", distance),
            Fact::of(
                "Defence",
                format!(
                    "{} each, {defence} in all",
                    each(&|sort| scores::defence(numbers, switches, sort, Ground::OPEN).to_string())
                ),
            ),
            Fact::of("HP", each(&|sort| scores::hp(numbers, sort).to_string())),
            Fact::of(unit.place.0, unit.place.1.clone()),
        ];
        let mut boxes = Vec::new();
        for (place, sort) in sorts.iter().enumerate() {
            let label = if sorts.len() == 1 { "Fallen".to_owned() } else { format!("Fallen {}", place + 1) };
            boxes.push((label, sort.fighters));
            if let Some(arm) = arms[place] {
                let left = unit.shots.and_then(|shots| shots.get(place)).copied().unwrap_or(arm.shots);
                let label =
                    if sorts.len() == 1 { "Shots".to_owned() } else { format!("Shots {}", place + 1) };
                boxes.push((label, left));
            }
        }
        Card {
            heading: format!("UNIT # {}", unit.id),
            title: unit.name.to_owned(),
            facts,
            boxes,
            comments: self.comments(unit),
        }
    }

    /// What a leader forgets at a table: points, room, pride, upkeep, the ground, the chance to be found (manual 4.6).
    fn comments(&self, unit: &Kept<'_>) -> Vec<String> {
        let (numbers, switches) = (self.numbers, self.switches);
        let (ego, upkeep) = (scores::ego(numbers, unit.sorts), scores::maintenance(numbers, unit.sorts));
        let room = scores::room(numbers, unit.sorts);
        let moves = scores::moves(numbers, unit.sorts);
        let forces = |ground: Ground| {
            let defence = scores::defence_force(numbers, switches, unit.sorts, ground);
            (scores::attack_force(numbers, unit.sorts, ground), defence)
        };
        let there = |ground: Ground| {
            let (attack, defence) = forces(ground);
            format!("On that ground, {ground}: attack {attack}, defence {defence} in all.")
        };
        let found = || {
            let ground = unit.ground.unwrap_or(Ground::OPEN);
            let chance = scores::found_by_strangers(numbers, self.scale, unit.sorts, ground);
            format!("Hidden: found by {} or less of a die.", chance.min(6))
        };
        let comments = [
            Some(format!("Moves {moves}; room {room}; ego {ego}; maintenance {upkeep}.")),
            unit.ground.filter(|ground| forces(*ground) != forces(Ground::OPEN)).map(there),
            unit.hidden.then(found),
            unit.captive.map(|captor| format!("Prisoner of {captor}.")),
        ];
        comments.into_iter().flatten().collect()
    }
}
