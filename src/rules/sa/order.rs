//! Orders as understood.

use musterd_engine::hex::Hex;
use musterd_kit::named;
use serde::{Deserialize, Serialize};

use crate::model::{Spell, UnitId, Way};

/// One order line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Units get more to do, one thing after the other, at the end of their queues. The first such order of a unit in a set begins its queue anew.
    Do {
        /// The units.
        units: Vec<UnitId>,
        /// What they do.
        tasks: Vec<Task>,
    },
    /// Units behave so when their queues are empty.
    Stance {
        /// The units.
        units: Vec<UnitId>,
        /// How.
        stance: Stance,
    },
    /// Something changes the stance of units, and ends their queues.
    On {
        /// The units.
        units: Vec<UnitId>,
        /// What.
        trigger: Trigger,
        /// The stance from then on; `None` takes such an order back.
        stance: Option<Stance>,
    },
    /// Units forget their queues.
    Clear {
        /// The units.
        units: Vec<UnitId>,
    },
    /// A unit stands here before the battle.
    Deploy {
        /// The unit.
        unit: UnitId,
        /// Where.
        at: Hex,
    },
    /// Whether reports to this seat show all figures of checks and fights.
    Detail(bool),
    /// Whether and where reports to this seat have a tactical map besides those of the fighting.
    Map(Option<Hex>),
    /// Whether tactical maps in reports to this seat show each unit's type by its symbol.
    Symbols(bool),
}

/// How a seat wants its reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taste {
    /// Whether all figures of checks and fights are shown.
    pub detail: bool,
    /// The middle of a tactical map besides those of the fighting.
    pub map: Option<Hex>,
    /// Whether tactical maps show each unit's type by its symbol.
    pub symbols: bool,
}

impl Default for Taste {
    fn default() -> Self {
        Self { detail: true, map: None, symbols: false }
    }
}

impl Order {
    /// The units that it is for.
    pub fn units(&self) -> &[UnitId] {
        match self {
            Self::Do { units, .. }
            | Self::Stance { units, .. }
            | Self::On { units, .. }
            | Self::Clear { units } => units,
            Self::Deploy { unit, .. } => std::slice::from_ref(unit),
            Self::Detail(_) | Self::Map(_) | Self::Symbols(_) => &[],
        }
    }
}

/// An entry of a unit's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub act: Act,
    /// Of a spell, what must have happened first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<Trigger>,
}

impl Task {
    /// Something to do at once.
    pub const fn plain(act: Act) -> Self {
        Self { act, when: None }
    }

    /// A spell with so many points, at once or when something has happened.
    pub const fn cast(spell: Spell, points: u32, when: Option<Trigger>) -> Self {
        Self { act: Act::Cast(spell, points), when }
    }

    /// What must have happened first. Until then the task stands aside, and the rest of the queue goes on.
    pub const fn when(self) -> Option<Trigger> {
        self.when
    }
}

/// Something that a unit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Moves a hex this way.
    Move(Way),
    /// Moves as it did last.
    Again,
    /// Moves to a hex, a hex an activation, by the quickest way.
    To(Hex),
    /// Holds until its next activation.
    Hold,
    /// Holds until a time-point.
    Until(u16),
    /// Holds until an enemy is next to it.
    Contact,
    /// Attacks whoever stands that way.
    Strike(Way),
    /// Goes to a unit and attacks it.
    Attack(UnitId),
    /// Fires at a unit.
    Fire(UnitId),
    /// Fires at whoever stands in a hex.
    FireAt(Hex),
    /// Casts a spell on itself, with so many points.
    Cast(Spell, u32),
    /// The wizard makes a likeness of himself in the hex this way (SA-32).
    Liken(Way),
    /// Leaves the field over its own edge.
    Leave,
}

/// How a unit behaves when its queue is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Goes to a hex, or toward the nearest enemy, fires at what it meets, and stops next to an enemy.
    Advance(Option<Hex>),
    /// Stays, and fires at what comes into range.
    #[default]
    Hold,
    /// Steps back from an enemy next to it unless its missiles fly one hex only (SA-58), fires at what is in range, and else comes into range.
    /// Without missiles it avoids.
    Skirmish,
    /// Goes to the nearest enemy and attacks it.
    Charge,
    /// Steps away from enemies within three hexes, and else stays.
    Avoid,
}

named! {
    /// Something that happens to a unit.
    pub enum Trigger {
        /// An enemy is next to it.
        Contact = "contact" => "an enemy is next to it",
        /// It was fired at.
        FiredAt = "fired_at" => "it is fired at",
        /// A friendly unit within three hexes routed.
        RoutNear = "rout_near" => "a friend near it routs",
    }
}

/// What a unit was told: hidden from the other side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Charge {
    /// Its queue, first things first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
    /// What it does without one.
    pub stance: Stance,
    /// What changes its stance, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<(Trigger, Stance)>,
}

impl Charge {
    /// The orders that tell a unit all of it; what is as usual needs none.
    pub fn orders(&self, unit: UnitId) -> Vec<Order> {
        let units = || vec![unit];
        let tasks = (!self.tasks.is_empty()).then(|| Order::Do { units: units(), tasks: self.tasks.clone() });
        let is_own = self.stance != Stance::default();
        let stance = is_own.then(|| Order::Stance { units: units(), stance: self.stance });
        let on = |(trigger, stance): &(Trigger, Stance)| Order::On {
            units: units(),
            trigger: *trigger,
            stance: Some(*stance),
        };
        tasks.into_iter().chain(stance).chain(self.triggers.iter().map(on)).collect()
    }

    /// What a unit is told once all orders of a set are heard: the first that gives it something to do begins its queue anew.
    pub fn after<'o>(mut self, unit: UnitId, orders: impl IntoIterator<Item = &'o Order>) -> Self {
        let mut is_old = true;
        for order in orders.into_iter().filter(|order| order.units().contains(&unit)) {
            match order {
                Order::Do { tasks, .. } => {
                    if std::mem::take(&mut is_old) {
                        self.tasks.clear();
                    }
                    self.tasks.extend_from_slice(tasks);
                }
                Order::Stance { stance, .. } => self.stance = *stance,
                Order::On { trigger, stance, .. } => {
                    self.triggers.retain(|(own, _)| own != trigger);
                    self.triggers.extend(stance.map(|stance| (*trigger, stance)));
                }
                Order::Clear { .. } => self.tasks.clear(),
                Order::Deploy { .. } | Order::Detail(_) | Order::Map(_) | Order::Symbols(_) => {}
            }
        }
        self
    }
}
