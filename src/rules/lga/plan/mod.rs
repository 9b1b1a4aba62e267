//! What a seat may expect of its orders: they are played through on its view, without dice and without an answer of the enemy. Receipts base their
//! warnings on it, and computer players their plans.

mod attack;
mod everyone;
mod march;
mod muster;
mod outlook;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

pub use attack::Odds;
pub use march::Arrival;
pub use outlook::{About, Doubt, Outlook};

use super::data::Lga;
use super::foe::{Met, Told};
use super::footing::Traveller;
use super::known::Known;
use super::model::{Arm, Nation, UnitId, UnitType};
use super::needs::{Ungarrisoned, can_garrison, can_top};
use super::order::{Act, HexIs, Order};
use super::view::{OwnUnit, Purses, View};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::orders::Weight;
use musterd_kit::named;
use musterd_kit::names::words;

/// A unit as the plan expects it to be.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its number.
    pub id: UnitId,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// Its type.
    pub kind: UnitType,
    /// Where it will stand.
    pub hex: Hex,
    /// Whether it will be the city's garrison.
    pub garrison: bool,
    /// Its morale.
    pub morale: i8,
    /// Its fatigue.
    pub fatigue: u8,
    /// Moves left.
    pub left: u8,
    /// Moves spent by marching, which may make a long march (ruling LGA-26).
    marched: u8,
    /// Whether it has entered a hex this season (ruling LGA-30).
    stirred: bool,
    /// The combat modifier of a headquarters; 0 for other units.
    pub modifier: i8,
    /// Whether it began its turn in supply.
    pub supplied: bool,
    rallied: bool,
    /// Whether it may have fought by then, and so lost morale and gained more fatigue than counted here.
    pub worn: bool,
    /// The line that ended its move.
    ended: Option<usize>,
    /// Why its place, moves or survival are uncertain, if they are.
    unsure: Option<Unsure>,
    /// Where a garrison that was seen earlier may have ended its march. The plan reckons that it arrived, as orders were always read so.
    halted: Option<Halted>,
}

/// The end of a march if a garrison stands still where it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Halted {
    /// The line of the march.
    line: usize,
    /// The city of the garrison.
    city: Hex,
    /// Where the unit is then.
    at: Hex,
}

/// Why a unit's state may differ from the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unsure {
    /// The line from which on it may differ.
    line: usize,
    /// The kind of uncertainty.
    by: Hinge,
}

named! {
    /// The kinds of uncertainty of a line.
    enum Hinge {
        /// Its `IF`.
        Condition = "condition",
        /// An attack.
        Fight = "attack",
        /// Enemies in sight who stand in the way.
        Way = "march",
    }
}

/// `the attack in line 3`.
impl fmt::Display for Unsure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} in line {}", self.by, self.line)
    }
}

impl Piece {
    /// A unit that has done nothing yet this season.
    const fn fresh(id: UnitId, nation: Nation, kind: UnitType, hex: Hex, (morale, left): (i8, u8)) -> Self {
        Self {
            id,
            nation,
            kind,
            hex,
            garrison: false,
            morale,
            fatigue: 0,
            left,
            marched: 0,
            stirred: false,
            modifier: 0,
            supplied: true,
            rallied: false,
            worn: false,
            ended: None,
            unsure: None,
            halted: None,
        }
    }

    fn of(unit: &OwnUnit) -> Self {
        let left = if unit.supplied { unit.moves } else { 0 };
        let OwnUnit { garrison, fatigue, modifier, supplied, .. } = *unit;
        let fresh = Self::fresh(unit.id, unit.nation, unit.kind, unit.hex, (unit.morale, left));
        Self { garrison, fatigue, modifier, supplied, ..fresh }
    }

    /// The same unit, if it stood in another hex.
    pub fn standing_at(&self, hex: Hex) -> Self {
        Self { hex, ..self.clone() }
    }

    /// The unit as the map's rules of entry see it.
    pub const fn traveller(&self) -> Traveller {
        Traveller { nation: self.nation, arm: self.kind.arm }
    }
}

/// A position that a seat expects.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    rules: &'a Lga,
    view: &'a View,
    known: &'a Known<'a>,
    pieces: BTreeMap<UnitId, Piece>,
    points: Purses,
    built: BTreeSet<UnitId>,
    /// The line that is being played.
    line: usize,
    /// The enemies in sight attacked so far, each with the last line that attacks them.
    attacked: BTreeMap<Hex, usize>,
    /// Whom attacks meet in each hex that was attacked so far.
    met: BTreeMap<Hex, Rc<Met>>,
    /// What has been told not to be known of each hex that was attacked so far.
    told: BTreeMap<Hex, Told>,
    /// Whether any enemy has been attacked so far, in sight or not.
    fights: bool,
    /// The hexes that units are expected to enter, and so to take (manual 2.4).
    taken: HexSet,
    /// Whether orders are refused that only an earlier attack may make possible.
    strict: bool,
    /// Whether outlooks contain texts: these take longer than all the rest, and only receipts show them.
    speaks: bool,
}

impl<'a> Plan<'a> {
    /// The position as it is, before any order.
    pub fn new(rules: &'a Lga, view: &'a View, known: &'a Known<'a>) -> Self {
        Self {
            rules,
            view,
            known,
            pieces: view.own.values().map(|unit| (unit.id, Piece::of(unit))).collect(),
            points: view.points.clone(),
            built: BTreeSet::new(),
            line: 0,
            attacked: BTreeMap::new(),
            met: BTreeMap::new(),
            told: BTreeMap::new(),
            fights: false,
            taken: HexSet::default(),
            strict: false,
            speaks: false,
        }
    }

    /// The position at the next turn of the seat's side, as things stand: in the turn of another the supply with which its own began is past.
    pub(super) fn of_next_turn(rules: &'a Lga, view: &'a View, known: &'a Known<'a>) -> Self {
        let mut plan = Self::new(rules, view, known);
        for unit in view.own.values().filter(|_| view.phasing != Some(view.side)) {
            let then = OwnUnit { supplied: unit.served, ..unit.clone() };
            plan.pieces.insert(unit.id, Piece::of(&then));
        }
        plan
    }

    /// The same plan, but it refuses orders that only an earlier attack may make possible. Computer players plan in this way, while a player's order
    /// may count on his attacks.
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// The same plan, but with texts in every [`Outlook`].
    pub fn in_words(self) -> Self {
        Self { speaks: true, ..self }
    }

    /// The text of an outlook, if texts are wanted.
    fn said(&self, words: impl FnOnce() -> String) -> String {
        if self.speaks { words() } else { String::new() }
    }

    /// A unit in its expected state by now; `None` if it is not on the map.
    pub fn piece(&self, unit: UnitId) -> Option<&Piece> {
        self.pieces.get(&unit)
    }

    /// Every unit of the own side, by number.
    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.values()
    }

    /// Military points that a nation is expected to have left.
    pub fn points(&self, nation: Nation) -> i32 {
        self.points.get(&nation).copied().unwrap_or(0)
    }

    /// Whether a unit is expected to enter the hex and so to take it (manual 2.4).
    pub fn takes(&self, hex: Hex) -> bool {
        self.taken.contains(hex)
    }

    /// Plays one order through. `line` is its line number.
    ///
    /// # Errors
    /// The order can never be carried out; the plan is then unchanged.
    pub fn carry_out(&mut self, line: usize, order: &Order) -> Result<Outlook, Doubt> {
        let before = order.act.unit().and_then(|unit| self.pieces.get(&unit)).cloned();
        self.line = line;
        // Tested before the order's own condition, which has no influence on where the unit stands.
        let placed = self.check_place(&order.act);
        if order.guard.is_some()
            && let Some(piece) = order.act.unit().and_then(|unit| self.pieces.get_mut(&unit))
        {
            piece.unsure.get_or_insert(Unsure { line, by: Hinge::Condition });
        }
        let result = placed.and_then(|()| match &order.act {
            Act::Aid { to, points } => self.aid(*to, *points),
            Act::Build { unit, at } => self.build(*unit, *at),
            Act::Rally { unit } => self.rally(*unit),
            Act::Move { unit, path } => self.march(*unit, path),
            Act::Attack { unit, at, limit, enter } => self.attack(*unit, *at, limit, *enter),
            Act::Garrison { unit, at } => self.garrison(*unit, *at, line),
            Act::End { unit } => self.end(*unit, line),
            Act::Top { unit, at } => self.top(*unit, *at),
            Act::Standing { file } => {
                let words = if file.is_empty() { "Clear your standing orders" } else { "Standing orders" };
                Ok(Outlook::of(self.said(|| words.to_owned())))
            }
        });
        let halted = before.as_ref().and_then(|piece| Some((piece.id, piece.halted?)));
        if result.is_err()
            && let Some(piece) = before
        {
            self.pieces.insert(piece.id, piece);
        }
        let mut outlook = result?;
        outlook.doubts.extend(halted.map(|(unit, halted)| self.depends(unit, halted)));
        if let Some(guard) = order.guard.filter(|_| self.speaks) {
            let is = match guard.is {
                HexIs::Empty => "empty of enemies in sight",
                HexIs::Held => "held by an enemy in sight",
                HexIs::Controlled => "ours",
            };
            outlook.order = format!("If {} is {is}: {}", self.place(guard.hex), lower_first(&outlook.order));
        }
        Ok(outlook)
    }

    /// That an order depends on whether a garrison ended an earlier march of its unit.
    fn depends(&self, unit: UnitId, halted: Halted) -> Doubt {
        let (city, unit, at) = (self.place(halted.city), self.name(unit), self.place(halted.at));
        let line = halted.line;
        Doubt::note(
            About::Unit,
            format!("It depends on line {line}: if {city} has a garrison, {unit} is at {at} then."),
        )
    }

    /// What a unit is called in answers: `III Davout (3)`.
    pub fn name(&self, unit: UnitId) -> Cow<'a, str> {
        self.rules.scenario.called(unit)
    }

    /// What a hex is called in answers: `Ulm 1507`.
    pub fn place(&self, hex: Hex) -> Cow<'a, str> {
        self.rules.map.place(hex)
    }

    /// Refuses an order whose writer believes that the unit is somewhere else.
    fn check_place(&self, act: &Act) -> Result<(), Doubt> {
        let piece = act.unit().and_then(|unit| self.pieces.get(&unit));
        match (piece, act.stands_at()) {
            (Some(piece), Some(hex)) if piece.hex != hex && piece.unsure.is_none() => {
                let (unit, here, there) = (self.name(piece.id), self.place(piece.hex), self.place(hex));
                Err(Doubt::objection(
                    About::Unit,
                    format!("{unit} will be at {here} by then, not at {there}."),
                ))
            }
            _ => Ok(()),
        }
    }

    /// The unit, if it is still free to act.
    fn free(&self, unit: UnitId) -> Result<Piece, Doubt> {
        let piece = self.on_map(unit)?;
        match piece.ended {
            Some(line) if piece.unsure.is_none() => {
                let text = format!("{} has ended its move in line {line}.", self.name(unit));
                Err(Doubt::objection(About::Unit, text).hint("put this line before that one"))
            }
            _ => Ok(piece.clone()),
        }
    }

    /// An objection to an order for a headquarters, with the unit of the same name that may have been meant.
    pub fn or_its_corps(&self, hq: UnitId, objection: Doubt) -> Doubt {
        let words = |unit: UnitId| words(&self.rules.scenario.unit(unit).name);
        let name = words(hq);
        let fits = |piece: &&Piece| {
            let is_hq = |unit: UnitId| self.rules.scenario.unit(unit).kind.arm == Arm::Hq;
            is_hq(hq) && !is_hq(piece.id) && name.iter().all(|word| words(piece.id).contains(word))
        };
        match self.pieces.values().find(fits) {
            Some(piece) => objection.hint(format!("did you mean {}?", self.name(piece.id))),
            None => objection,
        }
    }

    /// The unit, if it is on the map by then.
    fn on_map(&self, unit: UnitId) -> Result<&Piece, Doubt> {
        self.pieces.get(&unit).ok_or_else(|| {
            let text = format!("{} is not on the map: it is in the build pool.", self.name(unit));
            Doubt::objection(About::Unit, text).hint(format!("BUILD {unit} brings it in"))
        })
    }

    /// The objection if the position is certain; a doubt if it depends on a condition.
    fn unless_unsure(&self, piece: &Piece, objection: Doubt) -> Result<Doubt, Doubt> {
        let Some(unsure) = piece.unsure else { return Err(objection) };
        // The player wrote this order's own condition himself: only the condition of an earlier line is worth a hint.
        let news = (unsure.line < self.line).then(|| format!("{unsure} may change that"));
        let hint = objection.hint.or(news);
        Ok(Doubt { weight: Weight::Warning, hint, ..objection })
    }

    /// The unit where its order says that it stands; with a doubt if it is expected elsewhere.
    fn standing_at(&self, piece: &Piece, at: Option<Hex>) -> (Piece, Option<Doubt>) {
        let Some(there) = at.filter(|&hex| hex != piece.hex) else { return (piece.clone(), None) };
        let here = self.place(piece.hex);
        let text =
            format!("Only if {} stands there then: as expected it will be at {here}.", self.name(piece.id));
        (piece.standing_at(there), Some(Doubt::warning(About::Unit, text)))
    }

    /// Whether an enemy zone is thought to cover the hex now.
    pub fn in_enemy_zone(&self, hex: Hex) -> bool {
        self.known.in_enemy_zone(hex)
    }

    /// Ends the move as a garrison (manual 3.6).
    fn garrison(&mut self, unit: UnitId, at: Option<Hex>, line: usize) -> Result<Outlook, Doubt> {
        let expected = self.free(unit)?;
        let (piece, elsewhere) = self.standing_at(&expected, at);
        let name = || self.name(unit);
        let mut outlook =
            Outlook::of(self.said(|| format!("Garrison {} with {}", self.place(piece.hex), name())));
        let as_expected = elsewhere.is_none();
        outlook.doubts.extend(elsewhere);
        let other = self.pieces.values().find(|p| p.garrison && p.hex == piece.hex && p.id != unit);
        let objection = |text: String| Doubt::objection(About::Unit, text);
        match can_garrison(&self.rules.map, piece.kind.arm, piece.hex, other.map(|other| other.id)) {
            Ok(()) => {}
            Err(Ungarrisoned::Type) => {
                let (name, kind) = (name(), article(&piece.kind));
                let text = format!("{name} is {kind}: only infantry, guard and militia garrison a city.");
                return Err(self.or_its_corps(unit, objection(text)));
            }
            Err(Ungarrisoned::NoCity) => {
                let text =
                    format!("{} will be at {}, where there is no city.", name(), self.place(piece.hex));
                outlook.doubts.push(self.unless_unsure(&piece, objection(text))?);
            }
            Err(Ungarrisoned::Garrison(garrison)) => {
                let (place, garrison) = (self.place(piece.hex), self.name(garrison));
                let unsure = piece.unsure.or_else(|| other.and_then(|other| other.unsure));
                let text = format!("{place} has a garrison already: {garrison}.");
                let doubt = self.unless_unsure(&Piece { unsure, ..piece.clone() }, objection(text))?;
                outlook.doubts.push(doubt);
            }
        }
        if piece.garrison {
            outlook.effect = self.said(|| "it is the garrison already".to_owned());
        }
        if as_expected {
            self.pieces.insert(unit, Piece { garrison: true, ended: Some(line), left: 0, ..piece });
        }
        Ok(outlook)
    }

    /// Ends the move (manual 2.11).
    fn end(&mut self, unit: UnitId, line: usize) -> Result<Outlook, Doubt> {
        let piece = self.free(unit)?;
        let outlook = Outlook::of(
            self.said(|| format!("End the move of {} at {}", self.name(unit), self.place(piece.hex))),
        );
        self.pieces.insert(unit, Piece { ended: Some(line), left: 0, ..piece });
        Ok(outlook)
    }

    /// Goes on top (manual 3.5, 5.65).
    fn top(&self, unit: UnitId, at: Option<Hex>) -> Result<Outlook, Doubt> {
        let (piece, elsewhere) = self.standing_at(self.on_map(unit)?, at);
        let others = self.pieces.values().filter(|p| p.hex == piece.hex && p.id != unit).count();
        let mut outlook =
            Outlook::of(self.said(|| format!("Put {} on top at {}", self.name(unit), self.place(piece.hex))));
        outlook.doubts.extend(elsewhere);
        let never = || {
            let text = format!("{} is never attacked first: it can't lie on top.", self.name(unit));
            Doubt::objection(About::Unit, text)
        };
        if !can_top(piece.kind.arm, false) {
            return Err(self.or_its_corps(unit, never()));
        }
        if !can_top(piece.kind.arm, piece.garrison) {
            outlook.doubts.push(self.unless_unsure(&piece, never())?);
        } else if others == 0 {
            outlook.doubts.push(Doubt::note(About::Unit, format!("{} is alone there.", self.name(unit))));
        }
        Ok(outlook)
    }
}

/// A type with its article: `cavalry`, `a headquarters`.
fn article(kind: &UnitType) -> &str {
    match kind.word() {
        "guard" => "guard or artillery",
        "hq" => "a headquarters",
        word => word,
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
