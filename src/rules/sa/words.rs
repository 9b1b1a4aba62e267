//! How units, orders and refusals are called in receipts, reports and forms.

use musterd_engine::hex::Hex;
use musterd_text::nouns::{count, counted};

use crate::data::Sa;
use crate::event::{Ending, Refusal};
use crate::model::{Side, UnitId, Way};
use crate::order::{Act, Stance};

/// A unit by name, letter and number: `Northwold Foot 2 (A3)`.
pub fn called(rules: &Sa, id: UnitId) -> String {
    format!("{} ({id})", rules.battle().spec(id).name)
}

/// Men by their number: `1 man`, `870 men`.
pub fn men(number: u32) -> String {
    counted(number, "man", "men")
}

/// Units by letter and number: `A1, A2, A3`.
pub fn ids<'u>(units: impl IntoIterator<Item = &'u UnitId>) -> String {
    units.into_iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A hex with the name of its place, if it has one: `1507 The Mill`.
pub fn place(rules: &Sa, hex: Hex) -> String {
    match rules.battle().field.places.get(&hex) {
        Some(name) => format!("{hex} {name}"),
        None => hex.to_string(),
    }
}

/// A direction: `NE`.
pub const fn way(way: Way) -> &'static str {
    way.0.abbreviation()
}

/// Why a battle ended, as a sentence without its stop.
pub fn ending(rules: &Sa, ending: Ending) -> String {
    match ending {
        Ending::Nightfall => "Night falls, and the armies part".to_owned(),
        Ending::Retreat(side) => {
            let army = &rules.battle().army(side).name;
            format!("The morale of {army} is gone, and it sounds the retreat")
        }
        Ending::WizardDead => "The wizard is dead".to_owned(),
        Ending::WizardRan => "The wizard ran off the field".to_owned(),
        Ending::WizardGone => "The wizard got away".to_owned(),
        Ending::WizardLives => "Night falls, and the wizard lives".to_owned(),
    }
}

/// Who won, and whether decisively: `a decisive victory for Northwold`.
pub fn won(rules: &Sa, won: Option<(Side, bool)>) -> String {
    let army = |side| &rules.battle().army(side).name;
    match won {
        Some((side, true)) => format!("a decisive victory for {}", army(side)),
        Some((side, false)) => format!("a victory for {}", army(side)),
        None => "a draw".to_owned(),
    }
}

/// What a task asks for, as a verb in its plain form: `attack Zorg Rabble 1 (B5)`.
pub fn act(rules: &Sa, act: Act) -> String {
    match act {
        Act::Move(to) => format!("move {}", way(to)),
        Act::Again => "repeat the last move".to_owned(),
        Act::To(hex) => format!("move to {}", place(rules, hex)),
        Act::Hold => "hold".to_owned(),
        Act::Until(point) => format!("hold until time-point {point}"),
        Act::Contact => "hold until an enemy is next to it".to_owned(),
        Act::Strike(to) => format!("attack whoever stands {} of it", way(to)),
        Act::Attack(foe) => format!("attack {}", called(rules, foe)),
        Act::Fire(foe) => format!("fire at {}", called(rules, foe)),
        Act::FireAt(hex) => format!("fire at whoever stands in {}", place(rules, hex)),
        Act::Cast(spell, points) => {
            format!("cast {} with {}", spell.words(), count(points, "point"))
        }
        Act::Liken(to) => format!("make a likeness {} of it", way(to)),
        Act::Leave => "leave the field over the home edge".to_owned(),
    }
}

/// Behind a task, how many after it go the same way: `, and do 29 tasks more`; nothing where there are none.
pub fn more_tasks(joint: &str, more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!(", {joint} do {} more", count(more as u64, "task")),
    }
}

/// What a stance means, as a verb in its plain form: `advance to 1507`.
pub fn stance(rules: &Sa, stance: Stance) -> String {
    match stance {
        Stance::Advance(None) => "advance".to_owned(),
        Stance::Advance(Some(to)) => format!("advance to {}", place(rules, to)),
        Stance::Hold => "hold".to_owned(),
        Stance::Skirmish => "skirmish".to_owned(),
        Stance::Charge => "charge".to_owned(),
        Stance::Avoid => "avoid enemies".to_owned(),
    }
}

/// Why a task comes to nothing, of the unit as `it`: `it has no missiles`.
pub fn refusal(rules: &Sa, refusal: &Refusal) -> String {
    refusal_of(rules, refusal, false)
}

/// The same of one unit as `it`, or of many as `they`.
pub fn refusal_of(rules: &Sa, refusal: &Refusal, many: bool) -> String {
    let (it, its, has, is) = if many { ("they", "their", "have", "are") } else { ("it", "its", "has", "is") };
    let s = if many { "" } else { "s" };
    match *refusal {
        Refusal::OffField => "the field ends there".to_owned(),
        Refusal::Prohibited(hex) => {
            let ground = rules.battle().field.terrain(hex).words();
            format!("{it} can't enter {} ({ground})", place(rules, hex))
        }
        Refusal::Occupied(other) => format!("{} is in {its} way", called(rules, other)),
        Refusal::NotInZone(hex) => format!("{} is not in {its} army's zone", place(rules, hex)),
        Refusal::NoWay(hex) => format!("{it} find{s} no way to {}", place(rules, hex)),
        Refusal::NeverMoved => format!("{it} {has} made no move that {it} could repeat"),
        Refusal::Nobody(hex) => format!("no enemy stands in {}", place(rules, hex)),
        Refusal::Friend(other) => format!("{} is a friend", called(rules, other)),
        Refusal::Gone(other) => format!("{} isn't on the field", called(rules, other)),
        Refusal::NoMissiles => format!("{it} {has} no missiles"),
        Refusal::OutOfRange(distance, range) => {
            let hexes = |number: u32| counted(number, "hex", "hexes");
            format!("the target is {} away, and {its} missiles fly {}", hexes(distance), hexes(range))
        }
        Refusal::NoSight(hex) => format!("{} is in the line of sight", place(rules, hex)),
        Refusal::NoCaster => format!("{it} cast{s} no spells"),
        Refusal::NoPoints(0) => format!("{its} army has no spell points left"),
        Refusal::NoPoints(left) => format!("{its} army has {} left", count(left, "spell point")),
        Refusal::OverCap(most) => format!("no more than {} into one spell", go(most)),
        Refusal::NotBefore(point) => format!("{it} may not move before time-point {point}"),
        Refusal::NoLikeness => "no more likenesses can be made".to_owned(),
        Refusal::TooEarly(0) => format!("{it} may leave the field only once the clock runs"),
        Refusal::TooEarly(point) => format!("{it} may leave the field only after time-point {point}"),
        Refusal::NotAtEdge => format!("{it} may leave the field only from {its} own edge"),
        Refusal::Busy(tasks) => format!("{it} {has} {tasks} tasks already"),
        Refusal::NotFielded => format!("{it} {is}n't on the field"),
        Refusal::NoWizard if many => "they are no wizards".to_owned(),
        Refusal::NoWizard => "it is no wizard".to_owned(),
        Refusal::Unreal if many => "they are likenesses, and only the real wizard can".to_owned(),
        Refusal::Unreal => "it is a likeness, and only the real wizard can".to_owned(),
    }
}

fn go(points: u32) -> String {
    let verb = if points == 1 { "goes" } else { "go" };
    format!("{} {verb}", count(points, "point"))
}
