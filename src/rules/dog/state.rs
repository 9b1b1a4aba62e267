//! The whole position of a battle, hidden units too. It can't be formatted or serialised: only `fog.rs` looks out of it.

mod amended;
mod believed;
mod check;
mod deeds;
mod gone;
mod losses;
mod memory;
mod reckoning;
mod seen;

use std::collections::BTreeMap;

use super::battle::{Ground, Works};
use super::change::Ruling;
use super::data::Dog;
use super::event::{Event, Reckoning, Stance};
use super::model::{self, ArmyId, Sort, UnitId, Waiting};
use super::order::IfAttacked;
use super::scores;
use super::view::{SeenUnit, Wait};
use gone::Gone;
use memory::Memory;
use musterd_engine::hex::Hex;
use musterd_kit::seen::Showing;

/// The position of one battle.
#[derive(Clone)]
pub struct State {
    pub(super) wait: Wait,
    /// Which round, from 1; 0 before the first.
    pub(super) round: u16,
    /// The armies in the order in which they act this round.
    pub(super) order: Vec<ArmyId>,
    /// Units on the field, captives too.
    pub(super) units: BTreeMap<UnitId, Unit>,
    /// The last part that split off each unit.
    parts: BTreeMap<UnitId, u8>,
    /// Who stands where. Nobody shares a hex (manual 1).
    taken: BTreeMap<Hex, UnitId>,
    pub(super) works: Works,
    pub(super) boats: Vec<Boat>,
    /// Units that several armies put into one hex, by unit: their leaders place them anew (manual 4.6).
    pub(super) waiting: BTreeMap<UnitId, Waiting>,
    /// What leaders' units do if attacked before they strike, where it is not as usual.
    pub(super) if_attacked: BTreeMap<ArmyId, IfAttacked>,
    pub(super) ledgers: BTreeMap<ArmyId, Losses>,
    /// Who is gone from each unit, the last who went last.
    gone: BTreeMap<UnitId, Vec<Gone>>,
    pub(super) leadership: BTreeMap<ArmyId, u32>,
    /// Rulings of the GM on the orders to come, with the round that each is for.
    pub(super) rulings: Vec<(Ruling, u16)>,
    pub(super) reckonings: Vec<Reckoning>,
    pub(super) winner: Option<String>,
    /// What each leader remembers of others' units.
    memories: BTreeMap<ArmyId, Memory>,
    /// Whether the position that the last reports showed is still to be remembered.
    to_show: bool,
    /// What that report shows.
    showing: Showing<ArmyId, UnitId, SeenUnit>,
}

/// A boat (ruling DOG-35).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Boat {
    pub(super) at: Hex,
    pub(super) load: Option<UnitId>,
}

/// A unit on the field.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) army: ArmyId,
    pub(super) name: String,
    pub(super) sorts: Vec<Sort>,
    /// Volleys that each sort has left.
    pub(super) shots: Vec<u16>,
    /// How many each sort had at first.
    pub(super) first: Vec<u16>,
    pub(super) at: Hex,
    pub(super) hidden: bool,
    /// Halves of points spent this round.
    pub(super) spent: u16,
    /// Whether it has had its move this round.
    pub(super) moved: bool,
    /// Points saved toward a hex (ruling DOG-13), in halves.
    pub(super) saved: Option<(Hex, u16)>,
    /// How it stands in this round's combat, once that is settled.
    pub(super) stance: Option<Stance>,
    /// Whether it has struck or shot this round.
    pub(super) struck: bool,
    /// Whether it has retaliated this round.
    pub(super) retaliated: bool,
    /// Whether it obeys this round.
    pub(super) obeys: bool,
    /// Whom it pursues, and until the end of which round (ruling DOG-17).
    pub(super) pursues: Option<(UnitId, u16)>,
    /// From which round to which it guards prisoners (ruling DOG-28).
    pub(super) guards: Option<(u16, u16)>,
    /// Whose prisoner it is.
    pub(super) captive: Option<UnitId>,
    /// In which boat it is.
    pub(super) aboard: Option<u8>,
    /// Rounds in deep water.
    pub(super) swimming: u16,
}

impl Unit {
    /// A unit that has done nothing yet, in the open and without shots.
    fn new(army: ArmyId, name: String, sorts: Vec<Sort>, at: Hex) -> Self {
        Self {
            army,
            name,
            shots: vec![0; sorts.len()],
            first: sorts.iter().map(|sort| sort.fighters).collect(),
            sorts,
            at,
            hidden: false,
            spent: 0,
            moved: false,
            saved: None,
            stance: None,
            struck: false,
            retaliated: false,
            obeys: true,
            pursues: None,
            guards: None,
            captive: None,
            aboard: None,
            swimming: 0,
        }
    }

    /// How many fighters.
    pub(super) fn fighters(&self) -> u16 {
        model::fighters(&self.sorts)
    }

    /// Whether it guards prisoners in a round (ruling DOG-28).
    pub(super) fn is_guarding(&self, round: u16) -> bool {
        self.guards.is_some_and(|(first, last)| (first..=last).contains(&round))
    }
}

/// What an army's battle cost so far, in hit points.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Losses {
    /// Lost to enemies and to the water.
    pub(super) lost: u64,
    /// Of these, lost to the water.
    pub(super) drowned: u64,
    /// Taken from enemies.
    pub(super) inflicted: u64,
    /// Those of the dead whom the army could count as they fell, some of whom the GM may have put back since (ruling DOG-45).
    pub(super) counted: u64,
    /// Money from prisoners.
    pub(super) loot: u64,
}

impl State {
    /// The position before the founding.
    pub(super) fn at_start(rules: &Dog) -> Self {
        let battle = rules.battle();
        let armies = || battle.armies().iter();
        Self {
            wait: Wait::Founding,
            round: 0,
            order: armies().map(|army| army.id).collect(),
            units: BTreeMap::new(),
            parts: BTreeMap::new(),
            taken: BTreeMap::new(),
            works: Works::at_start(&battle.field),
            boats: battle.field.boats.iter().map(|at| Boat { at: *at, load: None }).collect(),
            waiting: BTreeMap::new(),
            if_attacked: BTreeMap::new(),
            ledgers: armies().map(|army| (army.id, Losses::default())).collect(),
            gone: BTreeMap::new(),
            leadership: armies().map(|army| (army.id, army.leadership)).collect(),
            rulings: Vec::new(),
            reckonings: Vec::new(),
            winner: None,
            memories: BTreeMap::new(),
            showing: Showing::default(),
            to_show: false,
        }
    }

    /// A unit on the field.
    pub(super) fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(&id)
    }

    /// A unit on the field that is nobody's prisoner.
    pub(super) fn active(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(&id).filter(|unit| unit.captive.is_none())
    }

    /// Who stands in a hex.
    pub(super) fn at(&self, hex: Hex) -> Option<UnitId> {
        self.taken.get(&hex).copied()
    }

    /// What a hex is; none off the field.
    pub(super) fn ground(&self, rules: &Dog, hex: Hex) -> Option<Ground> {
        self.works.ground(&rules.battle().field, hex)
    }

    /// The ground under a unit.
    pub(super) fn footing(&self, rules: &Dog, unit: &Unit) -> Ground {
        self.works.footing(&rules.battle().field, unit.at, unit.aboard.is_some())
    }

    /// The force of a unit's attack where it stands.
    pub(super) fn attack_force(&self, rules: &Dog, id: UnitId) -> u32 {
        let force =
            |unit: &Unit| scores::attack_force(rules.numbers(), &unit.sorts, self.footing(rules, unit));
        self.unit(id).map_or(0, force)
    }

    /// The force of a unit's retaliation where it stands.
    pub(super) fn defence_force(&self, rules: &Dog, id: UnitId) -> u32 {
        let (numbers, switches) = (rules.numbers(), rules.battle().switches);
        let force =
            |unit: &Unit| scores::defence_force(numbers, switches, &unit.sorts, self.footing(rules, unit));
        self.unit(id).map_or(0, force)
    }

    /// Whether a unit of an army or of its allies stands next to a hex and can count who is there: allies share what they see (rulings
    /// DOG-31, DOG-45).
    pub(super) fn is_beside(&self, rules: &Dog, army: ArmyId, hex: Hex) -> bool {
        let friend = |id: UnitId| self.active(id).is_some_and(|unit| rules.battle().allied(army, unit.army));
        hex.around().filter_map(|hex| self.at(hex)).any(friend)
    }

    /// What an army's battle cost so far.
    fn ledger(&mut self, army: ArmyId) -> &mut Losses {
        self.ledgers.entry(army).or_default()
    }

    /// Whether the GM ruled so on a unit this round.
    pub(super) fn is_ruled(&self, ruling: Ruling) -> bool {
        self.rulings.contains(&(ruling, self.round))
    }

    /// Whether a unit keeps to its attack if it is attacked before (ruling DOG-15).
    pub(super) fn keeps(&self, army: ArmyId, unit: UnitId) -> bool {
        self.if_attacked.get(&army).is_none_or(|said| said.keeps(unit))
    }

    /// The name of the next part that splits off a unit.
    pub(super) fn next_part(&self, id: UnitId) -> Option<UnitId> {
        // Parts of parts are named after the first of them: E3b, E3c. A name is never given twice.
        let used = self.parts.get(&UnitId { part: 0, ..id }).copied().unwrap_or(0).max(id.part);
        (used < UnitId::PARTS).then_some(UnitId { part: used + 1, ..id })
    }

    /// The ego of all of an army's units (ruling DOG-21).
    pub(super) fn ego(&self, rules: &Dog, army: ArmyId) -> u64 {
        let own = self.units.values().filter(|unit| unit.army == army && unit.captive.is_none());
        scores::ego(rules.numbers(), own.flat_map(|unit| &unit.sorts))
    }

    /// Makes an event so.
    pub(super) fn apply(&mut self, rules: &Dog, event: &Event) {
        self.remember(rules, event);
        match event {
            Event::SetUpBegan => self.wait = Wait::SetUp,
            Event::Raised(unit) => self.raise(rules, unit),
            Event::Clashed { units, .. } => {
                self.wait = Wait::SetUp;
                self.waiting.extend(units.iter().map(|unit| (unit.unit, unit.clone())));
            }
            Event::SetUpEnded => self.waiting.clear(),
            Event::Revealed { unit, .. } => self.with(*unit, |unit| unit.hidden = false),
            Event::Hid { unit, .. } => self.with(*unit, |unit| {
                unit.hidden = true;
                unit.moved = true;
            }),
            Event::InitiativeThrown { order, .. } => self.order.clone_from(order),
            Event::RoundBegan { round, order } => self.begin_round(rules, *round, order),
            Event::ObedienceTested { unit, obeys, .. } => self.with(*unit, |unit| unit.obeys = *obeys),
            Event::Moved { unit, to, spent, .. } => self.step(*unit, *to, *spent),
            Event::Saved { unit, toward, points, .. } => self.with(*unit, |unit| {
                unit.saved = Some((*toward, *points));
                unit.moved = true;
            }),
            Event::Stopped { unit, .. } => self.with(*unit, |unit| unit.moved = true),
            Event::Split { unit, part, at, fighters } => self.split(*unit, *part, *at, fighters),
            Event::Dismounted { unit, part, at, spent } => self.dismount(*unit, *part, *at, *spent),
            Event::Boarded { unit, boat, at, .. } => self.board(*unit, *boat, *at),
            Event::Landed { unit, boat, to, .. } => self.land(*unit, *boat, *to),
            Event::StruckFleeing { strike } => {
                let until = self.round + 1;
                self.wound(rules, strike, true);
                self.with(strike.by, |unit| unit.pursues = Some((strike.on, until)));
            }
            Event::MovesEnded => self.wait = Wait::Combat,
            Event::Stood { unit, stance, .. } => self.with(*unit, |unit| unit.stance = Some(*stance)),
            Event::Exchanged { strike, answer, .. } => self.exchange(rules, strike, answer.as_ref()),
            Event::Shot { strike, left, .. } => self.shoot(rules, strike, left),
            Event::Surrendered { unit, to, loot } => self.surrender(*unit, *to, *loot),
            Event::Freed { unit, .. } => self.free(rules, *unit),
            Event::Drowned { unit, killed, hp, .. } => self.drown(*unit, killed, *hp),
            Event::Instructed { army, if_attacked } => {
                self.if_attacked.insert(*army, if_attacked.clone());
            }
            Event::RoundEnded { round } => {
                self.rulings.retain(|(_, of)| of > round);
                self.tread_water(rules);
            }
            Event::Ended { winner, reckonings } => self.end(winner.clone(), reckonings),
            Event::Amended { change } => self.amend(rules, change),
            Event::Displaced { .. } | Event::Searched { .. } | Event::NotDone { .. } => {}
        }
    }
}

/// What a captive brings (manual 4.5, ruling DOG-28).
pub(super) fn loot(rules: &Dog, unit: &Unit) -> u64 {
    scores::maintenance(rules.numbers(), &unit.sorts)
}
