//! Attacks on the plan, and the odds as far as one side knows them (manual 5.64).

use std::fmt::{self, Write as _};
use std::rc::Rc;

use super::{About, Doubt, Hinge, Outlook, Piece, Plan, Unsure};
use crate::charge::{Charge, Unable};
use crate::foe::{Foe, Met};
use crate::model::{Arm, UnitId};
use crate::numbers::Combat;
use crate::odds::Attacker;
use crate::order::Limit;
use crate::tables::combat::{Clash, Field, Fighter, best_hq};
use musterd_engine::hex::Hex;
use musterd_engine::orders::{joined, phrase};
use musterd_report::text::sentence;

/// A round of combat as far as the attacker knows it.
#[derive(Debug, Clone, Copy)]
pub struct Odds<'a> {
    table: &'a Combat,
    clash: Clash,
    /// Whether the attacker may be weaker by then.
    at_best: bool,
}

/// What the odds leave out that `WHILE ODDS >= n` tests.
const LEFT_OUT: &str = "without the enemy's morale, fatigue and headquarters";

impl Odds<'_> {
    /// The sum of the attacker's own modifiers and those of the ground, which `WHILE ODDS >= n` tests: without the enemy's morale, fatigue and
    /// headquarters.
    pub fn sum(&self) -> i8 {
        let sum = self.clash.known_odds(self.table);
        i8::try_from(sum).unwrap_or(if sum < 0 { i8::MIN } else { i8::MAX })
    }

    /// The same round with all that is reckoned with of the enemy.
    const fn against(self, foe: &Foe) -> Self {
        let clash = Clash { defender: foe.unit, garrison: foe.garrison, defender_hq: foe.hq, ..self.clash };
        Self { clash, ..self }
    }

    /// The sum of all modifiers.
    fn total(&self) -> i32 {
        self.clash.odds(self.table)
    }

    /// The unit that attacks, as often as this.
    fn attacker(&self, limit: &Limit) -> Attacker {
        let Clash { attacker, attacker_hq, field, .. } = self.clash;
        Attacker { unit: attacker, hq: attacker_hq, field, limit: *limit }
    }
}

/// `odds +2 (morale +3, defender's morale -2, HQ +2, across a river -1)`, or `odds at best +2 (...)`.
impl fmt::Display for Odds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "odds {}{:+}", if self.at_best { "at best " } else { "" }, self.total())?;
        for (n, modifier) in self.clash.modifiers(self.table).enumerate() {
            write!(f, "{}{} {:+}", if n > 0 { ", " } else { " (" }, modifier.why, modifier.by)?;
        }
        if self.clash.modifiers(self.table).next().is_some() { f.write_str(")") } else { Ok(()) }
    }
}

impl Plan<'_> {
    /// An attack. The plan makes no assumption about its result.
    pub(super) fn attack(
        &mut self,
        unit: UnitId,
        at: Hex,
        limit: &Limit,
        enter: bool,
    ) -> Result<Outlook, Doubt> {
        let piece = self.free(unit)?;
        self.able(&piece)?;
        let charge = Charge {
            who: piece.traveller(),
            morale: piece.morale,
            from: piece.hex,
            at,
            left: piece.left,
            cost: 0,
            stirred: piece.stirred,
        };
        let hindrances = charge.hindrances(self.rules, self.view.control.get(&at).copied());
        // Another place of the unit would change these; the other reasons last for the season.
        let hangs_on_place =
            |why: &Unable| matches!(why, Unable::NotAdjacent | Unable::TooFewMoves | Unable::Sailed);
        if let Some(lasting) = hindrances.clone().find(|why| !hangs_on_place(why)) {
            return Err(self.unable(&piece, at, lasting));
        }
        let mut doubts = Vec::new();
        for hindrance in hindrances {
            doubts.push(self.unless_unsure(&piece, self.unable(&piece, at, hindrance))?);
        }
        let order = self.said(|| {
            let (at, from) = (self.place(at), self.place(piece.hex));
            let mut order = joined(["Attack ", &at, " with ", &self.name(unit), " from ", &from]);
            // Writing to a `String` never fails.
            let _ = add_limit(&mut order, limit, enter);
            order
        });
        let met = self.met.entry(at).or_insert_with(|| Rc::new(Met::at(self.rules, self.view, at)));
        let (met, odds) = (Rc::clone(met), self.odds(&piece, at));
        let whole = met.known().map_or(odds, |foe| odds.against(foe));
        // What isn't known is told of the first attack that it matters to.
        let mut told = self.told.get(&at).cloned().unwrap_or_default();
        let effect = self.said(|| {
            let unknown = met.unknown(self.rules, &mut told, limit.rounds, |foe| odds.against(foe).total());
            let whole = phrase(format_args!("{whole}"));
            unknown.map_or_else(|| whole.clone(), |unknown| format!("{unknown}. {}", sentence(&whole)))
        });
        let attack = self.speaks.then(|| (at, odds.attacker(limit)));
        let unmet = unmet(limit, piece.morale, &odds);
        doubts.extend(self.doubts_of_odds(at, &met, &whole, unmet.as_deref()));
        if let Some(least) =
            limit.while_odds.filter(|least| unmet.is_none() && whole.total() < i32::from(*least))
        {
            let text = format!(
                "It attacks all the same: {LEFT_OUT} the odds are {:+}, and `WHILE ODDS` asks for {least:+} of them.",
                odds.sum()
            );
            doubts.push(Doubt::note(About::Goal, text));
        }
        // A fight is certain if nothing before it could change who stands where; every round adds one to the fatigue (ruling LGA-24).
        let certain = unmet.is_none() && piece.unsure.is_none() && !self.may_clear();
        let mut after = Piece { worn: piece.worn || unmet.is_none(), ..piece.clone() };
        if self.known.held(at) {
            after.fatigue = piece.fatigue.saturating_add(u8::from(certain));
        } else if enter {
            let toll = self.known.toll(piece.traveller(), piece.hex, at, None);
            if let Some(left) = toll.and_then(|toll| toll.paid_from(piece.left)) {
                after = Piece { hex: at, garrison: false, left, stirred: true, ..after };
                self.taken.insert(at);
            }
        }
        if enter {
            after.unsure.get_or_insert(Unsure { line: self.line, by: Hinge::Fight });
        }
        if !self.strict {
            self.fights = true;
            if self.known.held(at) {
                self.attacked.insert(at, self.line);
            }
        }
        if self.speaks {
            self.told.insert(at, told);
        }
        self.pieces.insert(unit, after);
        Ok(Outlook { order, effect, doubts, attack })
    }

    /// What is poor about the odds of an attack, and whether there is one at all.
    fn doubts_of_odds(&self, at: Hex, met: &Met, whole: &Odds<'_>, unmet: Option<&str>) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        if let Some(foe) = met.known().filter(|_| whole.total() <= -2) {
            let full = if foe.may_be_weaker() { " if it has" } else { ": it has" };
            let (kind, morale) = (foe.kind, foe.unit.morale);
            let text = format!(
                "Poor odds against {kind} there: {:+} on the die{full} morale {morale}.",
                whole.total()
            );
            doubts.push(Doubt::warning(About::Goal, text));
        }
        if !self.known.held(at) {
            let (place, unless) = (self.place(at), met.unless());
            let text = format!("No enemy is seen at {place}: there is no attack unless {unless}.");
            doubts.push(Doubt::warning(About::Goal, text));
        } else if let Some(why) = unmet {
            doubts.push(Doubt::warning(About::Unit, format!("It will not attack: {why}.")));
        }
        doubts
    }

    /// Why a unit can't attack, in words.
    fn unable(&self, piece: &Piece, at: Hex, why: Unable) -> Doubt {
        let name = self.name(piece.id);
        let on_unit = |text: String| Doubt::objection(About::Unit, text);
        let on_goal = |text: String| Doubt::objection(About::Goal, text);
        match why {
            Unable::Headquarters => {
                self.or_its_corps(piece.id, on_unit(format!("{name} is a headquarters: it can't attack.")))
            }
            Unable::Demoralised => {
                on_unit(format!("{name} is demoralised: it can't attack until it is rallied."))
                    .hint(format!("RALLY {}", piece.id))
            }
            Unable::NotAdjacent => {
                let (here, there) = (self.place(piece.hex), self.place(at));
                let objection = on_goal(format!("{name} will be at {here}, which is not next to {there}."));
                match piece.halted.filter(|halted| piece.hex == at && halted.city == at) {
                    Some(halted) => {
                        objection.hint(format!("MOVE {} TO {} stops next to it", piece.id, halted.at))
                    }
                    None => objection,
                }
            }
            Unable::Closed(why) => {
                on_goal(format!("{} is closed: {}.", self.place(at), self.rules.refusal(why)))
            }
            Unable::TooFewMoves => {
                on_unit(format!("{name} has no move left, and an attack needs one in hand."))
            }
            Unable::Sailed => {
                on_unit(format!("{name} attacks from the sea only if it has not sailed this season."))
            }
        }
    }

    /// What the seat knows of the odds of an attack by a unit on a hex next to it.
    pub fn odds(&self, piece: &Piece, at: Hex) -> Odds<'_> {
        let enemy = self.view.enemies.get(&at).map_or(Arm::Infantry, |enemy| enemy.kind.arm);
        let clash = Clash {
            attacker: piece.fighter(),
            defender: Fighter { arm: enemy, morale: 0, fatigue: 0 },
            garrison: false,
            met: false,
            attacker_hq: self.best_hq(piece.hex),
            defender_hq: 0,
            field: Field::between(&self.rules.map, piece.hex, at),
        };
        Odds { table: &self.rules.numbers.combat, clash, at_best: piece.worn }
    }

    /// The best modifier of the side's headquarters in a hex.
    fn best_hq(&self, hex: Hex) -> i8 {
        best_hq(self.pieces.values().filter(|p| p.hex == hex).map(|p| p.modifier))
    }
}

impl Piece {
    /// The piece as the tables of combat see it.
    pub(crate) const fn fighter(&self) -> Fighter {
        Fighter { arm: self.kind.arm, morale: self.morale, fatigue: self.fatigue }
    }
}

/// The first condition of an attack that isn't met, if any.
fn unmet(limit: &Limit, morale: i8, odds: &Odds<'_>) -> Option<String> {
    match (limit.while_morale, limit.while_odds) {
        (Some(least), _) if morale < least => Some(format!("its morale is {morale}, below {least}")),
        (_, Some(least)) if odds.sum() < least => {
            Some(format!("the known odds are {:+}, below {least:+} ({LEFT_OUT})", odds.sum()))
        }
        _ => None,
    }
}

/// Adds how often a unit attacks, and whether it enters then: `, up to 4 rounds, while its morale is 2 or better, then enter`.
fn add_limit(order: &mut String, limit: &Limit, enter: bool) -> fmt::Result {
    match limit.rounds {
        1 => order.push_str(", one round"),
        Limit::MOST_ROUNDS => order.push_str(", until nobody is left"),
        rounds => write!(order, ", up to {rounds} rounds")?,
    }
    if let Some(morale) = limit.while_morale {
        write!(order, ", while its morale is {morale} or better")?;
    }
    if let Some(odds) = limit.while_odds {
        write!(order, ", while the known odds are {odds:+} or better")?;
    }
    order.push_str(if enter { ", then enter" } else { "" });
    Ok(())
}
