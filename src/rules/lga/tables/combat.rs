//! The combat results table (manual 5.64, rulings LGA-13, LGA-17 to LGA-20, LGA-24, LGA-25, LGA-30, LGA-60 and LGA-70).

use super::{face, signed};
use crate::map::Map;
use crate::model::{Arm, Terrain};
use crate::numbers::{Combat, read};
use crate::sight::{Check, CombatResult, Modifier};
use musterd_engine::hex::Hex;

/// The properties of a unit or headquarters that matter in combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fighter {
    /// Its arm.
    pub arm: Arm,
    /// Its morale; below zero it is destroyed.
    pub morale: i8,
    /// Its fatigue.
    pub fatigue: u8,
}

impl Fighter {
    /// The piece after a round that took this morale: every round adds one to the fatigue (ruling LGA-24).
    pub const fn after(self, loss: i8) -> Self {
        Self { morale: self.morale.saturating_sub(loss), fatigue: self.fatigue.saturating_add(1), ..self }
    }
}

/// The ground of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    /// The terrain that the attacker comes from.
    pub from: Terrain,
    /// The terrain that he attacks. Cities are clear or mountains.
    pub to: Terrain,
    /// Whether a river runs between.
    pub river: bool,
}

impl Field {
    /// Clear ground on both sides, and nothing between.
    pub const OPEN: Self = Self { from: Terrain::Clear, to: Terrain::Clear, river: false };

    /// The ground between two neighbours on the map.
    pub fn between(map: &Map, from: Hex, to: Hex) -> Self {
        let terrain = |hex| map.area(hex).map_or(Terrain::Prohibited, |area| area.terrain);
        Self { from: terrain(from), to: terrain(to), river: map.river(from, to) }
    }
}

/// The order in which an attack falls on the pieces of a stack: lower ones first, equals from the top (ruling LGA-20).
pub const fn turn(arm: Arm, garrison: bool) -> u8 {
    match arm {
        Arm::Hq => 2,
        Arm::Infantry | Arm::Guard | Arm::Militia | Arm::Cavalry => garrison as u8,
    }
}

/// The modifier of the best of several headquarters; modifiers don't add up. Other units have 0 (ruling LGA-18).
pub fn best_hq(modifiers: impl Iterator<Item = i8>) -> i8 {
    modifiers.max().unwrap_or_default()
}

/// One round of combat: everything that the table depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clash {
    /// The attacker.
    pub attacker: Fighter,
    /// The piece that is attacked.
    pub defender: Fighter,
    /// Whether the defender is his city's garrison.
    pub garrison: bool,
    /// Whether the attacker has met that garrison before, so that he knows of it.
    pub met: bool,
    /// The modifier of the best headquarters with the attacker (ruling LGA-18).
    pub attacker_hq: i8,
    /// The modifier of the best headquarters with the defender.
    pub defender_hq: i8,
    /// The ground.
    pub field: Field,
}

/// The name of the line for the best headquarters with the attacker.
pub const HQ: &str = "HQ";
/// The name of the line for the best headquarters with the defender, which helps him: it is negative.
pub const DEFENDERS_HQ: &str = "defender's HQ";

/// A line of the combat table.
#[derive(Clone, Copy)]
struct Term {
    why: &'static str,
    by: i8,
    /// Whether the attacker knows it before the round.
    known: bool,
    /// Whether it enters the roll.
    counts: bool,
}

impl From<Term> for Modifier {
    fn from(line: Term) -> Self {
        Self { why: line.why.to_owned(), by: line.by }
    }
}

impl Clash {
    /// The sum that is added to the die.
    pub fn odds(&self, table: &Combat) -> i32 {
        self.lines(table).filter(|line| line.counts).map(|line| i32::from(line.by)).sum()
    }

    /// The lines that enter the roll.
    pub fn modifiers(&self, table: &Combat) -> impl Iterator<Item = Modifier> {
        self.lines(table).filter(|line| line.counts).map(Modifier::from)
    }

    /// The sum of the lines that the attacker knows, which `WHILE ODDS` tests. They leave out the enemy's morale, fatigue and headquarters, and include a
    /// garrison only once it has been met.
    pub fn known_odds(&self, table: &Combat) -> i32 {
        self.lines(table).filter(|line| line.known).map(|line| i32::from(line.by)).sum()
    }

    /// The result of a face of the die with this modifier, and its column.
    pub fn result(&self, table: &Combat, odds: i32, die: u32) -> (i32, CombatResult) {
        let (used, outcome) = read(&table.results, face(die).saturating_add(odds));
        let result = CombatResult {
            attacker_loss: outcome.attacker,
            defender_loss: outcome.defender,
            attacker_destroyed: self.attacker.morale < outcome.attacker,
            defender_destroyed: self.defender.morale < outcome.defender,
        };
        (used, result)
    }

    /// The round with its arithmetic.
    pub fn check(&self, table: &Combat, die: u32) -> (Check, CombatResult) {
        let odds = self.odds(table);
        let (used, result) = self.result(table, odds, die);
        let modifiers = self.modifiers(table).collect();
        (Check { die, modifiers, total: face(die).saturating_add(odds), used }, result)
    }

    /// The lines in the manual's order; positive ones help the attacker. Against a garrison no line after the garrison's own counts (rulings LGA-19
    /// and LGA-60).
    fn lines(&self, table: &Combat) -> impl Iterator<Item = Term> {
        let Self { attacker, defender, garrison, met, field, .. } = *self;
        let met = garrison && met;
        let (cavalry, forest) = (attacker.arm == Arm::Cavalry, field.to == Terrain::Forest);
        let weaker = defender.arm != Arm::Hq && defender.morale < attacker.morale;
        let if_so = |holds: bool, by: i8| if holds { by } else { 0 };
        let line = |why, by, known, counts| Term { why, by, known, counts };
        let ground = |why, holds, by| line(why, if_so(holds, by), !met, !garrison);
        [
            line("morale", attacker.morale, true, true),
            line("fatigue", -signed(attacker.fatigue), true, true),
            line("defender's morale", -defender.morale, false, true),
            line("defender's fatigue", signed(defender.fatigue), false, true),
            line(HQ, self.attacker_hq, true, true),
            line(DEFENDERS_HQ, -self.defender_hq, false, true),
            line("garrison", if_so(garrison, table.garrison), met, true),
            ground("across a river", field.river, table.river),
            ground("from the sea", field.from == Terrain::Sea, table.from_sea),
            ground("cavalry into forest", cavalry && forest, table.cavalry_into_forest),
            ground(
                "cavalry held in forest",
                defender.arm == Arm::Cavalry && forest,
                table.cavalry_holding_forest,
            ),
            ground("into mountains", field.to == Terrain::Mountain, table.into_mountain),
            ground("into marsh", field.to == Terrain::Marsh, table.into_marsh),
            ground("out of marsh", field.from == Terrain::Marsh, table.out_of_marsh),
            line(
                "cavalry against lower morale",
                if_so(cavalry && weaker, table.cavalry_on_weaker),
                false,
                !garrison,
            ),
        ]
        .into_iter()
        .filter(|line| line.by != 0)
    }
}
