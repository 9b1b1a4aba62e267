//! The expected results of orders as far as their leader can know them: his moves as the rules carry them out on the position that he believes in, and
//! the odds of the strikes that follow.

mod phrases;
mod strikes;

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Dog;
use crate::event::{Event, Stop};
use crate::legality::{Observation, Reason, Refusal};
use crate::model::UnitId;
use crate::order::{March, Order};
use crate::phases::{Aside, Asides, own_moves};
use crate::scores;
use crate::state::State;
use crate::view::View;
use crate::words;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Placed;
use musterd_kit::foresee::{self, Foreseen, Foresight};
use musterd_kit::lists::{joined, listed};
use phrases::{as_foreseen, falling};
use strikes::{Fight, is_plain};

/// What a set of orders leads to.
pub(super) struct Forecast<'a> {
    rules: &'a Dog,
    view: &'a View,
    /// The moves of the set, and the strikes that follow. The line of an order is its place in the set.
    foresight: Foresight<Dog, Said>,
}

type Course = foresee::Course<Dog, Said>;

/// What is said of a set in one course.
struct Said {
    moves: Asides,
    /// The orders to fight, by their places.
    fights: BTreeMap<usize, Fight>,
}

impl<'a> Forecast<'a> {
    /// Plays the moves of a set.
    pub(super) fn of(rules: &'a Dog, view: &'a View, orders: &[Placed<Order>]) -> Self {
        let moves = orders.iter().enumerate().filter(|(_, placed)| placed.order.is_move());
        let moves: Vec<Placed<Order>> =
            moves.map(|(line, placed)| Placed { line, order: placed.order.clone() }).collect();
        let believed = |luck| State::believed(rules, view, luck);
        // The dice of an army's own moves are those of enemies who strike at its back: all are thrown against it.
        let foresight = Foresight::of(rules, believed, |scribe| {
            let moves = match view.army {
                Some(army) if view.wait.is_for_moves() => own_moves(rules, scribe, army, &moves),
                _ => Asides::new(),
            };
            Said { moves, fights: strikes::foretold(rules, view, scribe.state(), orders) }
        });
        Self { rules, view, foresight }
    }

    /// How the march at this place ends, if it can be known: where, what it spends in halves of points, and who strikes at the unit's back on the way.
    pub(super) fn arrival(&self, place: usize, unit: UnitId) -> Option<(Hex, u16, BTreeSet<UnitId>)> {
        let end = |course: &Course| {
            let moved = course.of(Some(place)).filter_map(|event| match event {
                Event::Moved { unit: who, to, spent, .. } if *who == unit => Some((*to, *spent)),
                _ => None,
            });
            let steps: Vec<(Hex, u16)> = moved.collect();
            course.end.unit(unit)?;
            Some((steps.last()?.0, steps.iter().map(|(_, spent)| spent).sum()))
        };
        let Foreseen::Sure(end) = self.foresight.tell(end) else { return None };
        let strikes = self.foresight.harshest().of(Some(place)).filter_map(struck_fleeing);
        let by = strikes.filter(|strike| strike.on == unit).map(|strike| strike.by).collect();
        end.map(|(at, spent)| (at, spent, by))
    }

    /// The text for the order at this place of the set: points of a march, odds of a strike.
    pub(super) fn of_order(&self, place: usize, order: &Order) -> Option<String> {
        match order {
            Order::March(march) => self.march(place, march),
            order if order.is_move() => self.joined(order, |course| self.deed(course, place, order)),
            order => self.joined(order, |course| course.said.fights.get(&place)?.told.clone()),
        }
    }

    /// Why the order at this place can't be carried out whatever others do, and what to do instead; none if it may be.
    pub(super) fn never(&self, place: usize, order: &Order) -> Option<(String, Option<String>)> {
        match self.foresight.tell(|course| self.never_in(course, place, order)) {
            Foreseen::Sure(refusal) => refusal.map(|refusal| (refusal.reason.to_string(), refusal.instead)),
            Foreseen::Open { .. } => None,
        }
    }

    /// The refusal of the order at this place in one course, if it holds whatever others do.
    fn never_in(&self, course: &Course, place: usize, order: &Order) -> Option<Refusal> {
        let refusal = match order {
            order if order.is_move() => {
                self.refusal(course, place, order).or_else(|| self.barred(course, place, order))
            }
            order if order.is_combat() => course.said.fights.get(&place)?.refused.clone(),
            _ => None,
        };
        // Who flees of its own accord does so from enemies who may be gone by then.
        let flees = order.unit().and_then(|unit| self.unordered_flight(unit));
        refusal.filter(|refusal| !refusal.passing && flees.is_none())
    }

    /// The refusal of an order to march that ends at ground which the unit can't enter.
    fn barred(&self, course: &Course, place: usize, order: &Order) -> Option<Refusal> {
        let Order::March(march) = order else { return None };
        course.of(Some(place)).find_map(|event| match event {
            Event::Stopped { because: Stop::Barred { hex, reason }, .. } => Some(Refusal {
                reason: Reason::Told(format!(
                    "{} can't enter {}: {reason}",
                    march.unit,
                    self.rules.place(*hex)
                )),
                passing: false,
                instead: Some(format!("MOVE {} TO a hex finds a way round", march.unit.in_orders())),
            }),
            Event::Stopped { because: Stop::NoWay { hex }, .. } => {
                let observation =
                    Observation { rules: self.rules, state: &course.end, army: self.view.army? };
                observation.mover(march.unit)?.may_reach(*hex).err()
            }
            _ => None,
        })
    }

    /// The flights that nobody orders.
    pub(super) fn unordered(&self) -> Vec<String> {
        self.view.own.keys().filter_map(|id| self.unordered_flight(*id)).collect()
    }

    /// The flight of a unit that nobody orders; none if it doesn't flee.
    pub(super) fn unordered_flight(&self, id: UnitId) -> Option<String> {
        let told = self.foresight.tell(|course| course.of(None).any(|event| flees(event, id)));
        let hangs = match told {
            Foreseen::Sure(false) => return None,
            Foreseen::Sure(true) => String::new(),
            Foreseen::Open { kindest: true, .. } => format!("If {} goes well: ", self.open_flight(None)),
            Foreseen::Open { kindest: false, .. } => format!("If {} goes badly: ", self.open_flight(None)),
        };
        let mut goals = BTreeSet::new();
        for course in [&self.foresight.kindest, self.foresight.harshest()] {
            goals.extend(course.of(None).filter_map(|event| match event {
                Event::Moved { unit, to, .. } => (*unit == id).then(|| self.rules.place(*to)),
                _ => None,
            }));
        }
        let to = if goals.is_empty() { String::new() } else { format!(" to {}", joined(goals, " or ")) };
        let back = self.at_its_back(None, id);
        Some(format!("{hangs}{id} flees{to} of its own accord (DOG-29){back}."))
    }

    /// Whether nobody is left of a unit after the moves, however the dice fall.
    pub(super) fn surely_falls(&self, id: UnitId) -> bool {
        self.foresight.kindest.end.unit(id).is_none()
    }

    /// What both courses tell of an order; or both of it, and on whose flight it hangs.
    fn joined(&self, order: &Order, tell: impl Fn(&Course) -> Option<String>) -> Option<String> {
        let (kindest, harshest) = match self.foresight.tell(tell) {
            Foreseen::Sure(told) => return told,
            Foreseen::Open { kindest, harshest } => (kindest, harshest),
        };
        let whose = self.open_flight(order.unit());
        match (kindest, harshest) {
            (Some(kindest), Some(harshest)) => Some(format!("{kindest}. If {whose} goes badly: {harshest}")),
            (Some(kindest), None) => Some(format!("if {whose} goes well: {kindest}")),
            (None, harshest) => harshest.map(|harshest| format!("if {whose} goes badly: {harshest}")),
        }
    }

    /// The flight that everything which isn't sure hangs on, in words: the unit's own if it is one of them.
    fn open_flight(&self, unit: Option<UnitId>) -> String {
        let (kindest, harshest) = (fallen(&self.foresight.kindest), fallen(self.foresight.harshest()));
        let both = kindest.iter().chain(&harshest);
        let open: BTreeSet<UnitId> =
            both.map(|(id, _)| *id).filter(|id| kindest.get(id) != harshest.get(id)).collect();
        match unit.filter(|unit| open.contains(unit)) {
            Some(_) => "its flight".to_owned(),
            None => format!("the flight of {}", listed(open)),
        }
    }

    /// A march: hexes, points, how far it gets this round and why no farther, who strikes at its back.
    fn march(&self, place: usize, march: &March) -> Option<String> {
        let back = self.at_its_back(Some(place), march.unit);
        if back.is_empty() {
            return self.joined(&Order::March(march.clone()), |course| self.course(course, place, march));
        }
        Some(self.course(&self.foresight.kindest, place, march)? + &back)
    }

    fn course(&self, course: &Course, place: usize, march: &March) -> Option<String> {
        let order = Order::March(march.clone());
        if let Some(refused) = self.refused(course, place, &order) {
            return Some(refused);
        }
        let own = self.view.own.get(&march.unit)?;
        let (mut reached, mut stop, mut saves) = (None, None, false);
        for event in course.of(Some(place)) {
            match event {
                Event::Moved { to, .. } => reached = Some(*to),
                Event::Stopped { because, .. } => stop = Some(because),
                Event::Saved { .. } => saves = reached.is_none(),
                _ => {}
            }
        }
        if let Some(Stop::NoWay { .. }) = stop {
            let never = self.barred(course, place, &order);
            return Some(
                never.map_or_else(|| "as things stand there is no way".to_owned(), |it| as_foreseen(&it)),
            );
        }
        let way = said(course, place).find_map(|aside| match aside {
            Aside::Way(way) => Some(way.as_slice()),
            _ => None,
        })?;
        let by = format!("by {}", joined(way, ", "));
        if stop.is_none() && reached == way.last().copied() {
            let all = scores::points(self.rules.numbers(), &own.sorts, own.aboard);
            return Some(format!(
                "{by}: {} of {} points",
                words::halves(spent(course, march.unit)),
                words::halves(all)
            ));
        }
        let far = match reached {
            Some(hex) => format!("{by}: as far as {} this round", self.rules.place(hex)),
            None => format!("{by}: it stays in {} this round", self.rules.place(own.at)),
        };
        Some(match stop {
            None if saves => format!("saves its points for {}", self.rules.place(*way.first()?)),
            Some(Stop::Barred { hex, reason }) => {
                format!("it can't enter {}: {reason}", self.rules.place(*hex))
            }
            Some(Stop::Taken { hex }) => {
                let by = said(course, place).find_map(|aside| match aside {
                    Aside::Taken(by) => Some(self.called(course, *by)),
                    _ => None,
                });
                format!("{far}; {} stands in {} now", by?, self.rules.place(*hex))
            }
            Some(Stop::Engaged { by }) => {
                let who = listed(by);
                match march.leave.filter(|_| reached.is_none()) {
                    Some(stay) => format!("{far}; {stay} who stay are too few to hold {who} (DOG-18)"),
                    None => {
                        let (is, strikes) = if by.len() == 1 { ("is", "strikes") } else { ("are", "strike") };
                        format!(
                            "{far}; {who} {is} next to it, and a MOVE leaves no enemy (DOG-40): FLEE goes on, and {who} {strikes} at its back"
                        )
                    }
                }
            }
            _ => far,
        })
    }

    /// Who strikes at the back of a unit in its march, and how many fall by it as far as that can be known; nothing if nobody does.
    fn at_its_back(&self, line: Option<usize>, unit: UnitId) -> String {
        let strikes = |course: &'_ Course| {
            let strikes = course.of(line).filter_map(struck_fleeing).filter(|strike| strike.on == unit);
            strikes.map(|strike| (strike.by, strike.killed.iter().sum::<u16>())).collect::<Vec<_>>()
        };
        let (kindest, harshest) = (strikes(&self.foresight.kindest), strikes(self.foresight.harshest()));
        let who: BTreeSet<UnitId> = kindest.iter().chain(&harshest).map(|(by, _)| *by).collect();
        if who.is_empty() {
            return String::new();
        }
        let strike = if who.len() == 1 { "strikes" } else { "strike" };
        let told = format!("; {} {strike} at its back", listed(&who));
        if who.iter().any(|id| self.view.others.get(id).is_none_or(|foe| !is_plain(self.rules, foe))) {
            return told;
        }
        let fallen = |strikes: &[(UnitId, u16)]| strikes.iter().map(|(_, fallen)| fallen).sum::<u16>();
        let gone = |course: &Course| course.end.unit(unit).is_none();
        let all = match (gone(&self.foresight.kindest), gone(self.foresight.harshest())) {
            (true, _) => ", all of them",
            (_, true) => ", all of them at worst",
            _ => "",
        };
        format!("{told}, and {}{all}", falling(fallen(&kindest), fallen(&harshest), ""))
    }

    /// A move other than a march.
    fn deed(&self, course: &Course, place: usize, order: &Order) -> Option<String> {
        if let (Order::Dismount { .. }, Some(Reason::Moved { .. })) =
            (order, self.refusal(course, place, order).map(|it| it.reason))
        {
            return Some("it has moved by then: DISMOUNT stands before its march".to_owned());
        }
        self.refused(course, place, order).or_else(|| {
            course.of(Some(place)).find_map(|event| match event {
                Event::Boarded { at, .. } => Some(format!("the boat in {}", self.rules.place(*at))),
                _ => None,
            })
        })
    }

    /// Why the order at this place has no effect.
    fn refused(&self, course: &Course, place: usize, order: &Order) -> Option<String> {
        let refusal = self.refusal(course, place, order)?;
        Some(match &refusal.reason {
            Reason::Taken { by, place } => {
                format!("as things are now, {} stands in {place}", self.called(course, *by))
            }
            _ => as_foreseen(&refusal),
        })
    }

    /// The refusal of the order to move at this place: of several reasons the one that holds without the other orders too.
    fn refusal(&self, course: &Course, place: usize, order: &Order) -> Option<Refusal> {
        let refusal = said(course, place).find_map(|aside| match aside {
            Aside::Refused(refusal) => Some(refusal.clone()),
            _ => None,
        })?;
        match (order, &refusal.reason, self.view.army) {
            (Order::Dismount { unit, .. }, Reason::Moved { .. }, Some(army)) => {
                let observation = Observation { rules: self.rules, state: &course.end, army };
                let lacks = observation.mover(*unit).and_then(|mover| mover.carries_crew().err());
                Some(lacks.unwrap_or(refusal))
            }
            _ => Some(refusal),
        }
    }

    /// `E1`; `part of E1` for what these orders detach from it, which has no name yet.
    fn called(&self, course: &Course, id: UnitId) -> String {
        let mut events = course.events.iter().flat_map(|(_, events)| events);
        let origin = events.find_map(|event| match event {
            Event::Split { unit, part, .. } | Event::Dismounted { unit, part, .. } => {
                (*part == id).then_some(unit)
            }
            _ => None,
        });
        origin.map_or_else(|| id.to_string(), |origin| format!("part of {origin}"))
    }
}

/// What the rules say of the order at this place.
fn said(course: &Course, place: usize) -> impl Iterator<Item = &Aside> {
    course.said.moves.iter().filter(move |(line, _)| *line == Some(place)).map(|(_, aside)| aside)
}

/// The points that a unit spends, in halves.
fn spent(course: &Course, id: UnitId) -> u16 {
    let events = course.events.iter().flat_map(|(_, events)| events);
    let spent = events.filter_map(|event| match event {
        Event::Moved { unit, spent, .. } | Event::Dismounted { unit, spent, .. } => {
            (*unit == id).then_some(*spent)
        }
        _ => None,
    });
    spent.sum()
}

/// How many fall of each unit that flees.
fn fallen(course: &Course) -> BTreeMap<UnitId, u16> {
    let mut fallen = BTreeMap::new();
    for strike in course.events.iter().flat_map(|(_, events)| events).filter_map(struck_fleeing) {
        *fallen.entry(strike.on).or_default() += strike.killed.iter().sum::<u16>();
    }
    fallen
}

/// Whether an event is of a unit's flight.
fn flees(event: &Event, id: UnitId) -> bool {
    match event {
        Event::Moved { unit, .. } => *unit == id,
        Event::StruckFleeing { strike } => strike.on == id,
        _ => false,
    }
}

fn struck_fleeing(event: &Event) -> Option<&crate::event::Strike> {
    match event {
        Event::StruckFleeing { strike } => Some(strike),
        _ => None,
    }
}
