//! The battle as a commander sees it, with his intentions so far: what computer commanders of every level ask.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use crate::battle::{Hunt, Spec};
use crate::data::Sa;
use crate::law;
use crate::model::{NEAR, Side, Terrain, UnitId};
use crate::odds::{self, Forecast};
use crate::order::{Charge, Order, Stance, Task, Trigger};
use crate::state::{Fate, Phase, Position};
use crate::view::View;

/// What a point of army morale is worth. All worth is counted in hundredths of it.
pub(super) const POINT: i64 = 100;

/// The battle as a commander sees it.
pub(super) struct Board<'a> {
    pub(super) rules: &'a Sa,
    pub(super) view: &'a View,
    /// The position, as it is believed to be once the orders so far are carried out.
    pub(super) position: Position,
    pub(super) side: Side,
    /// The first and the last time-point of the coming mail turn; both 0 in the initial move.
    pub(super) from: u16,
    pub(super) to: u16,
    /// Own units that take orders, in the order of their numbers.
    pub(super) own: Vec<usize>,
    /// Own units that arrive later.
    pub(super) coming: Vec<usize>,
    /// All units of his side that take orders, those of other commanders too.
    pub(super) friends: Vec<usize>,
    /// Enemies on the field.
    pub(super) foes: Vec<usize>,
    /// Friends less enemies near each hex (SA-12), row by row: asked of every hex that any unit reaches.
    company: Vec<i32>,
    /// What a man of each unit is worth, in thousandths.
    men: Vec<i64>,
    /// What each unit takes to enter each ground, in the order of [`Terrain::ALL`]; `None` if it may not.
    steps: Vec<[Option<u16>; Terrain::ALL.len()]>,
}

impl<'a> Board<'a> {
    /// The board of a view; `None` where its seat gives no orders now.
    pub(super) fn new(rules: &'a Sa, view: &'a View) -> Option<Self> {
        let side = view.side.filter(|_| view.orders_now())?;
        let (from, to) = match view.phase {
            Phase::Battle => rules.block_after(view.paused),
            _ => (0, 0),
        };
        let position = view.position.clone();
        let battle = rules.battle();
        let steady = |id: &UnitId| battle.index(*id).filter(|place| position.units[*place].is_steady());
        let own = view.own.iter().filter_map(steady).collect();
        let comes = |place: &usize| {
            battle.units[*place].arrives.is_some() && position.units[*place].fate == Fate::Coming
        };
        let coming = view.own.iter().filter_map(|id| battle.index(*id)).filter(comes).collect();
        let (first, end) = battle.army(side).units;
        let friends = (first..end).filter(|place| position.units[*place].is_steady()).collect();
        let (first, end) = battle.army(side.other()).units;
        let foes = (first..end).filter(|place| position.units[*place].at.is_some()).collect();
        let steps = |spec: &Spec| Terrain::ALL.map(|ground| law::pace(rules, spec, ground));
        let steps = battle.units.iter().map(steps).collect();
        let men = worth_of_men(rules);
        let company = vec![0; battle.field.hexes().count()];
        let mut board =
            Self { rules, view, position, side, from, to, own, coming, friends, foes, company, men, steps };
        for (place, _) in view.position.units.iter().enumerate().filter(|(_, unit)| unit.is_steady()) {
            board.count(place, 1);
        }
        Some(board)
    }

    /// Counts a steady unit, or doesn't any longer, among those near the hexes around it.
    fn count(&mut self, place: usize, times: i32) {
        let (field, at) = (&self.rules.battle().field, self.at(place));
        let own = self.rules.battle().units[place].id.side == self.side;
        for hex in around(at, NEAR).filter(|hex| hex.distance(at) <= NEAR) {
            if let Some(index) = field.index(hex) {
                self.company[index] += if own { times } else { -times };
            }
        }
    }

    /// Friends less enemies near a hex, without the own unit that asks (SA-12): where friends will be by the orders so far.
    pub(super) fn company(&self, place: usize, hex: Hex) -> i32 {
        let all = self.rules.battle().field.index(hex).map_or(0, |index| self.company[index]);
        let company = all - i32::from(self.at(place).distance(hex) <= NEAR);
        debug_assert_eq!(company, law::close_at(self.rules, &self.position, place, hex), "SA-12");
        company
    }

    /// A steady unit is going to be in this hex.
    pub(super) fn move_to(&mut self, place: usize, hex: Hex) {
        self.count(place, -1);
        self.position.put(self.rules, place, Some(hex));
        self.count(place, 1);
    }

    /// A steady unit is going to rout.
    pub(super) fn rout(&mut self, place: usize) {
        self.count(place, -1);
        self.position.units[place].routing = true;
    }

    /// The hunt for a wizard, if it decides the battle. Nobody hunts, or runs, for nothing.
    pub(super) fn hunt(&self) -> Option<Hunt> {
        self.rules.battle().hunt.filter(|hunt| hunt.decides)
    }

    /// The wizard and his likenesses on the field, if this side hunts them.
    pub(super) fn quarry(&self) -> Vec<usize> {
        let hunts = self.hunt().is_some_and(|hunt| hunt.side != self.side);
        let hunted = |foe: &usize| hunts && self.rules.battle().units[*foe].likeness;
        self.foes.iter().copied().filter(hunted).collect()
    }

    /// Where a unit stands.
    ///
    /// # Panics
    /// It is off the field.
    pub(super) fn at(&self, place: usize) -> Hex {
        self.position.stand(place)
    }

    /// The ground on which a unit stands.
    pub(super) fn ground(&self, place: usize) -> Terrain {
        self.rules.battle().field.terrain(self.at(place))
    }

    /// How many hexes lie between the units' hexes.
    pub(super) fn apart(&self, one: usize, other: usize) -> u32 {
        self.at(one).distance(self.at(other))
    }

    /// The time-points that a unit takes on clear ground.
    ///
    /// # Panics
    /// It may not enter clear ground.
    pub(super) fn pace(&self, place: usize) -> u16 {
        #[expect(clippy::expect_used, reason = "the file is refused otherwise")]
        self.step(place, Terrain::Clear).expect("clear ground that everybody may enter")
    }

    /// The time-points that a unit takes to enter such ground, Haste aside; `None` if it may not.
    pub(super) fn step(&self, place: usize, ground: Terrain) -> Option<u16> {
        self.steps[place][ground as usize]
    }

    /// When a unit acts first in the coming mail turn; later than its end if it doesn't.
    pub(super) fn due(&self, place: usize) -> u16 {
        self.position.units[place].next.max(self.from)
    }

    /// How far a unit's missiles fly; 0 without any.
    pub(super) fn range(&self, place: usize) -> u32 {
        self.rules.battle().units[place].missile.map_or(0, |missile| law::range(self.rules, missile))
    }

    /// The hexes that a unit can be in during the mail turn, the sooner reached first: its own before all.
    pub(super) fn reach(&self, place: usize) -> Vec<Reached> {
        let field = &self.rules.battle().field;
        let fixed = self.rules.battle().units[place].waits.is_some_and(|point| self.from < point);
        let stands = (self.at(place), self.due(place));
        let ways = Ways::reach(field.last(), [stands], |here, at| {
            let around = here.around().filter(move |hex| !fixed && at <= self.to && field.has(*hex));
            around.filter_map(move |hex| {
                let step = self.step(place, field.terrain(hex))?;
                self.position.unit_at(self.rules, hex).is_none().then_some((hex, at + step))
            })
        });
        let mut reached: Vec<Reached> = ways.reached().map(|(hex, at)| Reached { hex, at }).collect();
        reached.sort_by_key(|reached| reached.at);
        reached
    }

    /// The nearest enemy on the field.
    pub(super) fn nearest(&self, place: usize) -> Option<usize> {
        law::nearest(self.rules, &self.position, place).map(|(foe, _)| foe)
    }

    /// What men of a unit are worth.
    pub(super) fn worth(&self, place: usize, men: u32) -> i64 {
        self.men[place] * i64::from(men) / 1000
    }

    /// What a melee promises the attacker.
    pub(super) fn melee(&self, attacker: usize, defender: usize) -> Forecast {
        Forecast::of(&odds::melee(self.rules, &self.position, attacker, defender))
    }

    /// What fire promises the firer.
    pub(super) fn fire(&self, firer: usize, target: usize) -> Forecast {
        Forecast::of(&odds::fire(self.rules, &self.position, firer, target))
    }

    /// The orders that give a unit this charge, where it has another.
    pub(super) fn tell(&self, place: usize, charge: &Charge) -> Vec<Order> {
        let id = self.rules.battle().units[place].id;
        let units = vec![id];
        let old = self.view.charges.get(&id).cloned().unwrap_or_default();
        let mut orders = Vec::new();
        if charge.tasks != old.tasks {
            orders.push(match charge.tasks.as_slice() {
                [] => Order::Clear { units: units.clone() },
                tasks => Order::Do { units: units.clone(), tasks: tasks.to_vec() },
            });
        }
        if charge.stance != old.stance {
            orders.push(Order::Stance { units: units.clone(), stance: charge.stance });
        }
        for trigger in Trigger::ALL {
            let of =
                |charge: &Charge| charge.triggers.iter().find(|(own, _)| *own == trigger).map(|(_, s)| *s);
            if of(charge) != of(&old) {
                orders.push(Order::On { units: units.clone(), trigger, stance: of(charge) });
            }
        }
        orders
    }
}

/// The hexes of the square around one, as far as columns and rows are counted.
fn around(hex: Hex, far: u32) -> impl Iterator<Item = Hex> {
    let far = u8::try_from(far).unwrap_or(u8::MAX);
    let span = move |middle: u8| middle.saturating_sub(far)..=middle.saturating_add(far);
    span(hex.row).flat_map(move |row| span(hex.col).map(move |col| Hex::new(col, row)))
}

/// A hex within reach, and the time-point at which the unit acts there.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) hex: Hex,
    pub(super) at: u16,
}

/// A charge of these tasks and a stance, without triggers.
pub(super) fn charge(tasks: Vec<Task>, stance: Stance) -> Charge {
    Charge { tasks, stance, triggers: Vec::new() }
}

/// What a man of each unit is worth, in thousandths: an army's men together are worth as much as its morale at the start.
fn worth_of_men(rules: &Sa) -> Vec<i64> {
    let battle = rules.battle();
    let weight = |place: usize| i64::from(law::weight(rules, &battle.units[place]));
    let mut men = Vec::with_capacity(battle.units.len());
    for side in Side::ALL {
        let (from, to) = battle.army(side).units;
        let morale: i64 = (from..to).map(|place| i64::from(battle.units[place].gifts.morale)).sum();
        let all: i64 = (from..to).map(|place| weight(place) * i64::from(battle.units[place].men)).sum();
        men.extend((from..to).map(|place| weight(place) * morale * POINT * 1000 / all.max(1)));
    }
    men
}
