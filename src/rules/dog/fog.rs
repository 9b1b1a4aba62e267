//! The only functions that read the hidden position: what a leader knows, and what he learns of an event.
//!
//! A leader sees all of his own units and of his allies'. Of the enemy's he sees those that are not hidden: type and place; their exact number if one
//! of his or his allies' units stands next to them, otherwise a rough number (docs/rulings/dog.md); and those who have hidden since, as he last saw them. Only the own army knows its stances, points, ego
//! and orders.

use std::collections::BTreeMap;

use super::change::Change;
use super::data::Dog;
use super::event::{Event, Strike};
use super::model::{ArmyId, Sort, UnitId, Waiting};
use super::sight::{Named, SeenStrike, Sight, Sum};
use super::state::{State, Unit};
use super::view::{OwnUnit, View, Wait};
use super::words;
use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use musterd_kit::learnt;
use musterd_kit::lists::joined;

/// What a leader knows.
pub(super) fn view(rules: &Dog, state: &State, to: &Seat) -> View {
    let battle = rules.battle();
    let army = rules.led_by(to);
    let is_own = |unit: &Unit| Some(unit.army) == army;
    let seen = |unit: &Unit| army.is_some_and(|army| unit.is_seen(rules, army));
    let units = || state.units.iter();
    let ledger = army.and_then(|army| state.ledgers.get(&army)).copied().unwrap_or_default();
    let letter = army.map(|army| battle.army(army).letter);
    let in_boat = |load: UnitId| state.unit(load).is_some_and(|unit| is_own(unit) || seen(unit));
    View {
        seat: to.clone(),
        army,
        wait: state.wait,
        round: state.round,
        order: state.order.clone(),
        own: units()
            .filter(|(_, unit)| is_own(unit))
            .map(|(id, unit)| (*id, own_unit(state, unit)))
            .collect(),
        others: units()
            .filter(|(_, unit)| !is_own(unit) && seen(unit))
            .filter_map(|(id, unit)| Some((*id, state.seen_unit(rules, army?, unit))))
            .collect(),
        remembered: army.map_or_else(BTreeMap::new, |army| state.out_of_sight(rules, army)),
        counted: army.map_or_else(BTreeMap::new, |army| state.last_counted(rules, army)),
        waiting: state.waiting.values().filter(|unit| Some(unit.unit.army) == letter).cloned().collect(),
        again: !state.waiting.is_empty(),
        boats: state.boats.iter().map(|boat| (boat.at, boat.load.filter(|load| in_boat(*load)))).collect(),
        works: state.works.clone(),
        leadership: army.map_or(0, |army| state.leadership[&army]),
        ego: army.map_or(0, |army| state.ego(rules, army)),
        lost: ledger.lost,
        drowned: ledger.drowned,
        // Losses out of sight are told when the battle is over.
        inflicted: if state.wait == Wait::Over { ledger.inflicted } else { ledger.counted },
        loot: ledger.loot,
        if_attacked: army.and_then(|army| state.if_attacked.get(&army)).cloned().unwrap_or_default(),
        result: (state.wait == Wait::Over).then(|| (state.winner.clone(), state.reckonings.clone())),
    }
}

/// A leader's view for the GM's page: with the enemies that his army killed out of sight too.
pub(super) fn view_for_gm(rules: &Dog, state: &State, of: &Seat) -> View {
    let view = view(rules, state, of);
    let ledger = view.army.and_then(|army| state.ledgers.get(&army)).copied().unwrap_or_default();
    View { inflicted: ledger.inflicted, ..view }
}

fn own_unit(state: &State, unit: &Unit) -> OwnUnit {
    OwnUnit {
        name: unit.name.clone(),
        sorts: unit.sorts.clone(),
        first: unit.first.clone(),
        shots: unit.shots.clone(),
        at: unit.at,
        hidden: unit.hidden,
        saved: unit.saved,
        pursues: unit.pursues.map(|(prey, _)| prey),
        guards: unit.is_guarding(state.round),
        captive: unit.captive,
        aboard: unit.aboard.is_some(),
        swimming: unit.swimming,
        obeys: unit.obeys,
    }
}

/// The description of a sort for a unit that sees it: people and crews are not visible.
fn seen_sort(rules: &Dog, sort: &Sort) -> String {
    words::sort_name(rules.numbers(), &Sort { people: None, crew: None, ..sort.clone() })
}

/// What a leader learns of an event that is about to happen.
pub(super) fn witness(rules: &Dog, before: &State, event: &Event, to: &Seat) -> Option<Sight> {
    let army = rules.led_by(to)?;
    let eye = Eye { rules, before, army };
    learnt!(event: Event => Sight {
        SetUpBegan {};
        Displaced { unit, from, to } if rules.battle().army(army).letter == unit.army;
        Searched {
            unit = eye.friend(*unit)?, at, die = plain.then_some(*die), chance = plain.then_some(*chance), found
        } of { plain };
        Revealed { unit = eye.named(*unit)?, at, because };
        InitiativeThrown { throws, order };
        RoundBegan { round, order };
        ObedienceTested { unit = eye.own(*unit)?, die, limit, obeys };
        Moved { unit = eye.seen(*unit)?, from, to };
        Saved { unit = eye.own(*unit)?, toward, points, cost };
        Stopped { unit = eye.own(*unit)?, at, because };
        Split {
            unit = eye.seen(*unit)?, part, at, fighters = eye.counts(*unit).then(|| fighters.iter().sum())
        };
        Dismounted { unit = eye.seen(*unit)?, part, at };
        Boarded { unit = eye.seen(*unit)?, at };
        Landed { unit = eye.seen(*unit)?, to };
        StruckFleeing { strike = eye.strike(strike)? };
        Stood { unit = eye.own(*unit)?, stance, because };
        // Only both sides of the strike learn why a unit doesn't strike back.
        Exchanged {
            strike = eye.strike(strike)?,
            answer = answer.as_ref().and_then(|answer| eye.strike(answer)),
            silent = silent.filter(|_| eye.concerned(strike))
        };
        Shot { strike = eye.strike(strike)?, hexes };
        // Both sides concerned learn the loot.
        Surrendered {
            unit = eye.named(*unit)?,
            to = eye.named(*to)?,
            loot = [unit, to].iter().any(|id| eye.friend(**id).is_some()).then_some(*loot)
        };
        Freed { unit = eye.seen(*unit)?, at };
        Drowned { unit = eye.seen(*unit)?, at; dead = eye.counts(*unit).then(|| killed.iter().sum()) } of { killed };
        NotDone { line, order, reason } of { seat } if seat == to;
        RoundEnded { round };
        Ended { winner, reckonings };
    } else {
        Event::Clashed { at, units } => eye.clashed(*at, units),
        Event::Hid { unit, at } => match eye.friend(*unit) {
            Some(unit) => Some(Sight::Hid { unit, at: *at }),
            None => eye.seen(*unit).map(|unit| Sight::Vanished { unit, at: *at }),
        },
        Event::Amended { change } => eye.amended(change).map(|text| Sight::Amended { text }),
        Event::Raised(_) | Event::SetUpEnded | Event::MovesEnded | Event::Instructed { .. } => None,
    })
}

/// Whether a roll is a leader's own. Rolls for a unit belong to the leaders of its alliance, rolls for obedience to the leader of its army only. The
/// throw for the order of the armies belongs to all, and the die that counts for nothing to nobody.
pub(super) fn shows_roll(rules: &Dog, phase: &str, subject: &str, to: &Seat) -> bool {
    let (battle, Some(army)) = (rules.battle(), rules.led_by(to)) else { return false };
    let of = |name: &str| battle.lettered(name.chars().next()?.to_ascii_uppercase()).map(|army| army.id);
    let shown = |name: &str| {
        of(name).is_some_and(|other| match phase {
            "initiative" => true,
            "none" => false,
            "order" => other == army,
            _ => battle.allied(other, army),
        })
    };
    subject.split('-').any(shown)
}

/// An army that looks at the position before an event.
struct Eye<'a> {
    rules: &'a Dog,
    before: &'a State,
    army: ArmyId,
}

impl Eye<'_> {
    /// The leader's own among the units that clashed.
    fn clashed(&self, at: Hex, units: &[Waiting]) -> Option<Sight> {
        let letter = self.rules.battle().army(self.army).letter;
        let own = |unit: &Waiting| (unit.unit.army == letter).then_some(unit.unit);
        let units: Vec<UnitId> = units.iter().filter_map(own).collect();
        (!units.is_empty()).then_some(Sight::Clashed { at, units })
    }

    /// A unit's name, whether or not it is seen: for events that show it.
    fn named(&self, id: UnitId) -> Option<Named> {
        let unit = self.before.unit(id)?;
        // The first sort, not the largest: the distribution of fighters over the sorts is not seen.
        let what = seen_sort(self.rules, unit.sorts.first()?);
        Some(Named { id, what, own: unit.army == self.army })
    }

    /// The unit, if it is seen.
    fn seen(&self, id: UnitId) -> Option<Named> {
        self.before.unit(id).filter(|unit| unit.is_seen(self.rules, self.army))?;
        self.named(id)
    }

    /// The unit, if it is of the army or of an ally's.
    fn friend(&self, id: UnitId) -> Option<Named> {
        self.before.unit(id).filter(|unit| self.rules.battle().allied(self.army, unit.army))?;
        self.named(id)
    }

    /// The unit, if it is of the army.
    fn own(&self, id: UnitId) -> Option<Named> {
        self.before.unit(id).filter(|unit| unit.army == self.army)?;
        self.named(id)
    }

    /// Whether the army can count a unit's fighters.
    fn counts(&self, id: UnitId) -> bool {
        self.friend(id).is_some()
            || self.before.unit(id).is_some_and(|unit| self.before.is_beside(self.rules, self.army, unit.at))
    }

    /// Whether a strike is dealt or taken by the army or an ally.
    fn concerned(&self, strike: &Strike) -> bool {
        self.friend(strike.by).is_some() || self.friend(strike.on).is_some()
    }

    fn strike(&self, strike: &Strike) -> Option<SeenStrike> {
        let concerned = self.concerned(strike);
        let Strike { by, from, on, at, force, die, damage, hp, left, .. } = strike;
        let (strikers, counted) = (self.counts(*by), self.counts(*on));
        // Die and damage together reveal the force, and so the number of strikers (ruling DOG-45).
        let sum = Sum {
            force: strikers.then_some(*force),
            die: strikers.then_some(*die),
            damage: strikers.then_some(*damage),
            hp: counted.then_some(*hp),
            left: counted.then_some(*left),
        };
        let killed = counted.then(|| strike.killed.iter().sum());
        Some(SeenStrike {
            by: self.named(*by)?,
            from: *from,
            on: self.named(*on)?,
            at: *at,
            sum: concerned.then_some(sum),
            killed,
            destroyed: *left == 0,
        })
    }

    /// The number of fighters in a unit of which `now` fighters of one sort are counted. Only friends know the composition of a mixed unit.
    fn strength(&self, id: UnitId, sort: usize, now: u16) -> Option<String> {
        let sorts = &self.before.unit(id)?.sorts;
        let others = sorts.iter().enumerate().filter(|(place, _)| *place != sort);
        let all: u16 = others.map(|(_, sort)| sort.fighters).sum::<u16>() + now;
        let all = words::heads(all);
        match self.friend(id) {
            Some(_) if sorts.len() > 1 => {
                let sort = Sort { fighters: now, ..sorts.get(sort)?.clone() };
                Some(format!("{}, {all} in all", words::counted(self.rules.numbers(), &sort)))
            }
            _ => Some(all),
        }
    }

    /// The volleys that the GM leaves to a sort of an own unit, in words.
    fn shots_left(&self, unit: UnitId, sort: u8, shots: u16) -> Option<String> {
        let named = self.own(unit)?;
        let sorts = &self.before.unit(unit)?.sorts;
        let whose = match sorts.get(usize::from(sort)).filter(|_| sorts.len() > 1) {
            Some(sort) => format!(" for its {}", words::sort_name(self.rules.numbers(), sort)),
            None => String::new(),
        };
        let volleys = if shots == 1 { "shot" } else { "shots" };
        Some(format!("{}: {shots} {volleys}{whose}.", named.called()))
    }

    /// What the army is told of a GM's change: what it would see anyway.
    fn amended(&self, change: &Change) -> Option<String> {
        let place = |hex: &Hex| self.rules.place(*hex);
        let seen = |id: &UnitId| self.seen(*id).map(|named| named.called());
        let named = |id: &UnitId| self.named(*id).map(|named| named.called());
        Some(match change {
            Change::Fighters { unit, sort, fighters } if self.counts(*unit) => {
                let now = self.strength(*unit, usize::from(*sort), *fighters)?;
                format!("{}: {now}.", seen(unit)?)
            }
            Change::Fighters { unit, .. } => format!("{}: strength changed.", seen(unit)?),
            Change::Shots { unit, sort, shots } => self.shots_left(*unit, *sort, *shots)?,
            Change::Place { unit, to } => format!("{} stands in {}.", seen(unit)?, place(to)),
            Change::Hidden { unit, hidden: true } => match self.friend(*unit) {
                Some(friend) => format!("{} is hidden.", friend.called()),
                None => format!("{} is out of sight.", seen(unit)?),
            },
            Change::Hidden { unit, hidden: false } => format!("{} is to be seen.", named(unit)?),
            Change::Name { unit, name } => format!("{} is called {name}.", seen(unit)?),
            Change::Added(Waiting { unit, sorts, at, hidden, .. }) => {
                let battle = self.rules.battle();
                let what = match battle.army_of(*unit).is_some_and(|army| battle.allied(army, self.army)) {
                    true => words::fighters(self.rules.numbers(), sorts),
                    false if *hidden => return None,
                    false => seen_sort(self.rules, sorts.first()?),
                };
                format!("{unit} {what} takes the field in {}.", place(at))
            }
            Change::Removed { unit } => format!("{} leaves the field.", seen(unit)?),
            Change::Captured { unit, captor } => {
                format!("{} is the prisoner of {}.", named(unit)?, named(captor)?)
            }
            Change::Aboard { unit, at } => format!("{} is aboard a boat in {}.", seen(unit)?, place(at)),
            Change::Freed { unit } => format!("{} is free.", seen(unit)?),
            Change::Ground { hex, ground } => {
                let walls = ground.walls.map_or_else(String::new, |walls| format!(", {walls}"));
                format!("{} is {}, {}{walls}.", place(hex), ground.terrain, ground.relief)
            }
            Change::Bridge { hex, there: true } => format!("There is a bridge in {}.", place(hex)),
            Change::Bridge { hex, there: false } => format!("The bridge in {} is gone.", place(hex)),
            Change::Crossing { a, b, there: true } => {
                format!("There is a bridge from {} to {}.", place(a), place(b))
            }
            Change::Crossing { a, b, there: false } => {
                format!("The bridge from {} to {} is gone.", place(a), place(b))
            }
            Change::Boat { hex, there: true } => format!("A boat lies in {}.", place(hex)),
            Change::Boat { hex, there: false } => format!("The boat in {} is gone.", place(hex)),
            Change::Leadership { army, leadership } if *army == self.army => {
                format!("Your leadership is {leadership}.")
            }
            Change::Loot { army, loot } if *army == self.army => format!("Your loot is {loot}."),
            Change::Order { order } => {
                let names = order.iter().map(|army| &self.rules.battle().army(*army).name);
                format!("The armies act in this order: {}.", joined(names, ", "))
            }
            Change::Leadership { .. } | Change::Loot { .. } | Change::Ruled { .. } => return None,
        })
    }
}
