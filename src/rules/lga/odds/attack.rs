//! Assaults (manual 5.64): units attack one hex one after the other, each round after round as its order says.
//!
//! Left out are the defenders' standing orders, which nobody else knows, and the moves that attacks on a unit take which withdrew this season.

use super::Remains;
use crate::model::Arm;
use crate::numbers::Combat;
use crate::order::Limit;
use crate::sight::CombatResult;
use crate::tables::combat::{Clash, Field, Fighter, best_hq, turn};
use musterd_dice::odds::{Distribution, Exact};

/// A unit that attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attacker {
    /// The unit, at the moment of its first round.
    pub unit: Fighter,
    /// The modifier of the best headquarters with it (ruling LGA-18).
    pub hq: i8,
    /// The ground between it and the hex.
    pub field: Field,
    /// How often it attacks.
    pub limit: Limit,
}

/// A piece in the hex that is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defender {
    /// The piece.
    pub unit: Fighter,
    /// Whether it is the garrison of the city there.
    pub garrison: bool,
    /// Its modifier for the defence of all pieces; only headquarters have one.
    pub modifier: i8,
}

impl Defender {
    /// A unit in the field.
    pub const fn unit(unit: Fighter) -> Self {
        Self { unit, garrison: false, modifier: 0 }
    }

    /// The garrison of the city.
    pub const fn garrison(unit: Fighter) -> Self {
        Self { unit, garrison: true, modifier: 0 }
    }

    /// A headquarters, which adds this much. It is attacked last, and any loss destroys it (ruling LGA-17).
    pub const fn headquarters(modifier: i8) -> Self {
        Self { unit: Fighter { arm: Arm::Hq, morale: 0, fatigue: 0 }, garrison: false, modifier }
    }
}

/// The pieces in the hex, in the order in which the attack falls on them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// First those that are attacked first.
    pub defenders: Vec<Defender>,
}

/// Attackers in the order in which they attack, and the defenders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assault {
    /// The attackers, in the order in which they attack.
    pub attackers: Vec<Attacker>,
    /// The pieces in the hex.
    pub stack: Stack,
}

/// The state of the defence during an assault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defence {
    /// The number of destroyed pieces.
    pub fallen: usize,
    /// The piece that is attacked next; none once the hex is clear.
    pub next: Option<Fighter>,
    /// Whether the attackers know of the garrison.
    met: bool,
}

/// One attacker and the defence, between two rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bout {
    /// The attacker; none once it is destroyed.
    pub attacker: Option<Fighter>,
    /// The defenders.
    pub defence: Defence,
}

impl Bout {
    /// The fate of the attacker.
    pub fn attacker_fate(&self) -> Remains {
        fate(self.attacker)
    }
}

/// A bout as one number, its fields in their order: a receipt compares thousands of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Packed(u64);

impl Packed {
    fn of(bout: &Bout) -> Self {
        let piece = |fighter: Option<Fighter>| {
            let bytes = |one: Fighter| [0, one.arm as u8 + 1, one.morale.cast_unsigned() ^ 0x80, one.fatigue];
            fighter.map_or(0, |one| u64::from(u32::from_be_bytes(bytes(one))))
        };
        let Defence { fallen, next, met } = bout.defence;
        debug_assert!(fallen < 1 << 25, "{fallen} pieces in a hex");
        Self(piece(bout.attacker) << 45 | (fallen as u64) << 20 | piece(next) << 1 | u64::from(met))
    }

    fn bout(self) -> Bout {
        let piece = |at: u32| {
            let [.., arm, morale, fatigue] = (self.0 >> at & 0x7_ffff).to_be_bytes();
            let arm = *Arm::ALL.get(usize::from(arm.checked_sub(1)?))?;
            Some(Fighter { arm, morale: (morale ^ 0x80).cast_signed(), fatigue })
        };
        let fallen = (self.0 >> 20 & 0x1ff_ffff) as usize;
        Bout { attacker: piece(45), defence: Defence { fallen, next: piece(1), met: self.0 & 1 == 1 } }
    }
}

impl Stack {
    /// Puts the defenders, given from the top of the stack, in the order in which they are attacked (ruling LGA-20).
    pub fn new(mut defenders: Vec<Defender>) -> Self {
        defenders.sort_by_key(|defender| turn(defender.unit.arm, defender.garrison));
        Self { defenders }
    }

    /// The defence before the first round.
    pub fn unworn(&self) -> Defence {
        let next = self.defenders.first().map(|defender| defender.unit);
        Defence { fallen: 0, next, met: false }
    }

    /// All rounds of one attacker against a defence that others may have worn down before.
    pub fn attacked_by(
        &self,
        table: &Combat,
        by: &Attacker,
        defence: &Distribution<Defence>,
    ) -> Distribution<Bout> {
        let mut bouts = defence.map(|&defence| Packed::of(&Bout { attacker: Some(by.unit), defence }));
        for _ in 0..by.limit.rounds {
            // An attacker who doesn't attack now won't do so later, so nothing changes.
            if !bouts.outcomes().any(|packed| self.clash(table, by, &packed.bout()).is_some()) {
                break;
            }
            bouts = bouts.throw(6, |packed| {
                let bout = packed.bout();
                let clash = self.clash(table, by, &bout)?;
                let odds = clash.odds(table);
                Some(move |die| Packed::of(&self.after(bout, &clash, clash.result(table, odds, die).1)))
            });
        }
        bouts.map(|packed| packed.bout())
    }

    /// The next round, if the attacker is able and its order allows it.
    fn clash(&self, table: &Combat, by: &Attacker, bout: &Bout) -> Option<Clash> {
        let attacker = bout.attacker.filter(|unit| unit.arm != Arm::Hq && unit.morale >= 1)?;
        let left = self.defenders.get(bout.defence.fallen..)?;
        let clash = Clash {
            attacker,
            defender: bout.defence.next?,
            garrison: left.first()?.garrison,
            met: bout.defence.met,
            attacker_hq: by.hq,
            defender_hq: best_hq(left.iter().map(|defender| defender.modifier)),
            field: by.field,
        };
        let morale = by.limit.while_morale.is_none_or(|least| attacker.morale >= least);
        let odds = by.limit.while_odds.is_none_or(|least| clash.known_odds(table) >= i32::from(least));
        (morale && odds).then_some(clash)
    }

    /// The bout after a round with this result.
    fn after(&self, bout: Bout, clash: &Clash, result: CombatResult) -> Bout {
        let worn = |fighter: Fighter, loss, destroyed: bool| (!destroyed).then(|| fighter.after(loss));
        let defender = worn(clash.defender, result.defender_loss, result.defender_destroyed);
        let fallen = bout.defence.fallen + usize::from(defender.is_none());
        let next = defender.or_else(|| Some(self.defenders.get(fallen)?.unit));
        Bout {
            attacker: worn(clash.attacker, result.attacker_loss, result.attacker_destroyed),
            defence: Defence { fallen, next, met: bout.defence.met || clash.garrison },
        }
    }
}

impl Assault {
    /// An assault with the defenders given from the top of their stack.
    pub fn new(attackers: Vec<Attacker>, defenders: Vec<Defender>) -> Self {
        Self { attackers, stack: Stack::new(defenders) }
    }

    /// The first round; `None` if the first attacker's order or morale doesn't allow it.
    pub fn opening(&self, table: &Combat) -> Option<Clash> {
        let by = self.attackers.first()?;
        self.stack.clash(table, by, &Bout { attacker: Some(by.unit), defence: self.stack.unworn() })
    }

    /// The possible results.
    pub fn prospect(&self, table: &Combat) -> Prospect<'_> {
        let mut defence = Distribution::certain(self.stack.unworn());
        let mut bouts = Vec::new();
        for attacker in &self.attackers {
            let all = self.stack.attacked_by(table, attacker, &defence);
            defence = all.map(|bout| bout.defence);
            bouts.push(all);
        }
        Prospect { assault: self, bouts, defence }
    }
}

/// The possible results of an assault.
#[derive(Debug, Clone)]
pub struct Prospect<'a> {
    assault: &'a Assault,
    /// Each attacker after its last round, with the defence at that point.
    bouts: Vec<Distribution<Bout>>,
    /// The defence at the end.
    pub defence: Distribution<Defence>,
}

impl Prospect<'_> {
    /// The chance that nobody is left in the hex, headquarters included.
    pub fn clear(&self) -> Exact {
        self.defence.probability(|defence| defence.next.is_none())
    }

    /// The fate of each attacker, in their order.
    pub fn attackers(&self) -> impl Iterator<Item = Distribution<Remains>> {
        self.bouts.iter().map(|bouts| bouts.map(Bout::attacker_fate))
    }

    /// The fate of each defender, in the order in which they are attacked.
    pub fn defenders(&self) -> impl Iterator<Item = Distribution<Remains>> {
        self.assault.stack.defenders.iter().enumerate().map(|(place, defender)| {
            self.defence.map(|defence| {
                fate(match defence.fallen {
                    fallen if place < fallen => None,
                    fallen if place == fallen => defence.next,
                    _ => Some(defender.unit),
                })
            })
        })
    }

    /// The expected morale loss of all attackers together; a destroyed unit loses all that it had.
    pub fn attackers_loss(&self) -> Exact {
        let before = self.assault.attackers.iter().map(|attacker| attacker.unit.morale);
        self.attackers().zip(before).map(|(fates, before)| fates.expected(|fate| fate.loss(before))).sum()
    }

    /// The expected morale loss of all defenders together.
    pub fn defenders_loss(&self) -> Exact {
        let before = self.assault.stack.defenders.iter().map(|defender| defender.unit.morale);
        self.defenders().zip(before).map(|(fates, before)| fates.expected(|fate| fate.loss(before))).sum()
    }

    /// The expected number of destroyed attackers.
    pub fn attackers_destroyed(&self) -> Exact {
        self.attackers().map(|fates| fates.probability(|fate| *fate == Remains::Destroyed)).sum()
    }

    /// The expected number of destroyed defenders, headquarters included.
    pub fn defenders_destroyed(&self) -> Exact {
        self.defence.expected(|defence| u32::try_from(defence.fallen).unwrap_or(u32::MAX))
    }
}

fn fate(fighter: Option<Fighter>) -> Remains {
    fighter.map_or(Remains::Destroyed, |fighter| Remains::Morale(fighter.morale))
}
