//! The examples of `HELP ORDERS`: orders that a seat can give now, of its own units. Each is read against what the seat knows before it is shown.

use std::borrow::Cow;

use super::examples::{Examples, Swap};
use crate::data::Lga;
use crate::model::{Arm, UnitId};
use crate::sites::{could_garrison, known_build_sites};
use crate::view::{OwnUnit, View};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::{OrderUse, Weight};

/// Readings that are tried for one example.
const MOST_TRIES: usize = 40;
/// Cities near a unit that are tried as the goal of its march.
const GOALS: usize = 3;

/// What stands in the places of one example's names, in the order in which they are tried.
type Candidates<'a> = Box<dyn Iterator<Item = Vec<Swap>> + 'a>;

/// What the examples of one seat are made of.
pub(super) struct Offers<'a> {
    rules: &'a Lga,
    view: &'a View,
    examples: Examples,
    /// How grave the worst is that is remarked on a set of orders, as the seat reads it.
    worst: &'a dyn Fn(&str) -> Option<Weight>,
}

impl<'a> Offers<'a> {
    pub(super) fn of(rules: &'a Lga, view: &'a View, worst: &'a dyn Fn(&str) -> Option<Weight>) -> Self {
        Self { rules, view, examples: Examples::of(rules, view), worst }
    }

    /// A use with the examples that can be carried out now. If none can, it keeps all, in the names of the game, and says so.
    pub(super) fn adapted(&self, general: OrderUse) -> OrderUse {
        let possible: Vec<Cow<'static, str>> =
            general.lines.iter().filter_map(|line| self.possible(line)).map(Cow::Owned).collect();
        if !possible.is_empty() {
            return OrderUse { lines: possible, ..general };
        }
        let told = |line: &Cow<'static, str>| {
            let first = self.candidates(line).next().unwrap_or_default();
            Cow::Owned(self.examples.told_with(line, &first).into_owned())
        };
        OrderUse { lines: general.lines.iter().map(told).collect(), ..general }.not_now()
    }

    /// An example that can be carried out now, without a doubt if there is such a one among the first.
    fn possible(&self, line: &str) -> Option<String> {
        let mut doubtful = None;
        for swaps in self.candidates(line).take(MOST_TRIES) {
            let told = self.examples.told_with(line, &swaps).into_owned();
            match self.worst_remark(&told) {
                Some(Weight::Error) => {}
                Some(Weight::Futile | Weight::Warning) => doubtful = doubtful.or(Some(told)),
                Some(Weight::Note) | None => return Some(told),
            }
        }
        doubtful
    }

    fn worst_remark(&self, line: &str) -> Option<Weight> {
        let is_reaction = ["REINFORCE", "WITHDRAW"].iter().any(|word| line.starts_with(word))
            || line.starts_with("TOP") && line.contains("WHEN");
        let set = if is_reaction { format!("STANDING\n{line}") } else { line.to_owned() };
        (self.worst)(&set)
    }

    /// What an example may name in this game. The numbers and names are those in the uses of the forms.
    fn candidates<'s>(&'s self, line: &'s str) -> Candidates<'s> {
        let one = |mark: &'static str, id: UnitId| (mark, id.to_string());
        let by_hex = line.contains("1405");
        match line.split(' ').next().unwrap_or_default() {
            "AID" => Box::new(std::iter::once(vec![("4", self.aid().to_string())])),
            "BUILD" => Box::new(
                self.buildable().map(move |(id, site)| vec![one("34", id), ("Vienna", self.city(site))]),
            ),
            "RALLY" => Box::new(self.field().map(move |unit| vec![one("6", unit.id)])),
            "MOVE" if line.starts_with("MOVE ALL") => Box::new(
                self.marches()
                    .map(|(unit, goal)| vec![("Ulm", self.city(unit.hex)), ("Munich", self.city(goal))]),
            ),
            "MOVE" if line.contains("1-3") => Box::new(self.marches().filter_map(move |(unit, goal)| {
                Some(vec![one("1", unit.id), one("3", self.last_of_range(unit)?), ("Ulm", self.city(goal))])
            })),
            "MOVE" if line.contains("TO") => Box::new(
                self.marches().map(move |(unit, goal)| vec![one("1", unit.id), ("Ulm", self.city(goal))]),
            ),
            "MOVE" => Box::new(self.ways().map(move |(unit, [first, last], hexes)| match by_hex {
                true => {
                    vec![one("1", unit.id), ("1405", hexes[0].to_string()), ("1406", hexes[1].to_string())]
                }
                false => vec![
                    one("1", unit.id),
                    ("E", first.abbreviation().to_owned()),
                    ("NE", last.abbreviation().to_owned()),
                ],
            })),
            "ATTACK" => Box::new(
                self.attacks().map(move |(unit, at)| vec![one("3", unit.id), ("1507", at.to_string())]),
            ),
            "GARRISON" => {
                let able = |unit: &&OwnUnit| could_garrison(&self.rules.map, self.view, unit);
                let guards = self.field().filter(able);
                Box::new(guards.map(move |unit| vec![one("3", unit.id), ("Ulm", self.city(unit.hex))]))
            }
            "END" => Box::new(self.field().map(move |unit| vec![one("3", unit.id)])),
            "TOP" if line.contains("WHEN") => Box::new(self.field().map(move |unit| vec![one("4", unit.id)])),
            "TOP" => {
                Box::new(self.pairs().map(move |(at, top, other)| {
                    vec![("1204", at.to_string()), one("3", top), one("1", other)]
                }))
            }
            "IF" => Box::new(
                self.marches().map(move |(unit, goal)| vec![one("3", unit.id), ("Ulm", self.city(goal))]),
            ),
            "INFO" => Box::new(
                self.marches()
                    .map(|(unit, goal)| vec![("Ulm", self.city(goal)), ("1406", unit.hex.to_string())]),
            ),
            "REINFORCE" => Box::new(
                self.steps().map(move |(unit, to)| vec![one("4", unit.id), ("1507", to.to_string())]),
            ),
            "WITHDRAW" => Box::new(
                self.steps().map(move |(unit, to)| vec![one("4", unit.id), ("Munich", self.city(to))]),
            ),
            _ => Box::new(std::iter::once(Vec::new())),
        }
    }

    /// The seat's units on the map, headquarters last.
    fn field(&self) -> impl Iterator<Item = &OwnUnit> {
        let is_hq = |unit: &&OwnUnit| unit.kind.arm == Arm::Hq;
        self.view.mine().filter(move |unit| !is_hq(unit)).chain(self.view.mine().filter(is_hq))
    }

    /// The seat's units that can be built this year, each with the cities where its nation builds.
    fn buildable(&self) -> impl Iterator<Item = (UnitId, Hex)> {
        let now = self.view.date.year;
        let mine = self
            .view
            .pool
            .iter()
            .filter(move |unit| self.view.commands(unit.nation) && unit.from_year <= now);
        mine.flat_map(|unit| {
            let sites = known_build_sites(self.rules, self.view, unit.nation);
            sites.into_iter().map(|site| (unit.id, site))
        })
    }

    /// The points of an example of aid: four, or what there is.
    fn aid(&self) -> i32 {
        let purse = self.rules.setting.donor().and_then(|donor| self.view.points.get(&donor).copied());
        purse.unwrap_or_default().clamp(1, 4)
    }

    /// Units with cities near them to march to.
    fn marches(&self) -> impl Iterator<Item = (&OwnUnit, Hex)> {
        self.field().flat_map(|unit| {
            let cities = self.rules.map.cities().map(|(hex, _)| hex);
            let mut goals: Vec<Hex> =
                cities.filter(|hex| *hex != unit.hex && self.rules.scenario.in_play(*hex)).collect();
            goals.sort_by_key(|hex| (hex.distance(unit.hex), *hex));
            goals.into_iter().take(GOALS).map(move |goal| (unit, goal))
        })
    }

    /// The last of three units, or two, whose numbers follow each other.
    fn last_of_range(&self, first: &OwnUnit) -> Option<UnitId> {
        let follows = |by: u16| {
            let next = UnitId(first.id.0.checked_add(by)?);
            self.view.own.get(&next).filter(|unit| self.view.commands(unit.nation)).map(|unit| unit.id)
        };
        let second = follows(1)?;
        Some(follows(2).unwrap_or(second))
    }

    /// Units with ways of three steps, twice in one direction and once in another, over hexes in play.
    fn ways(&self) -> impl Iterator<Item = (&OwnUnit, [Direction; 2], [Hex; 2])> {
        let pairs = || Direction::ALL.into_iter().flat_map(|a| Direction::ALL.map(|b| (a, b)));
        self.field().flat_map(move |unit| {
            pairs().filter_map(move |(first, last)| {
                let in_play = |hex: &Hex| self.rules.scenario.in_play(*hex);
                let one = unit.hex.step(first).filter(in_play)?;
                let two = one.step(first).filter(in_play)?;
                two.step(last).filter(|hex| in_play(hex) && *hex != one)?;
                Some((unit, [first, last], [one, two]))
            })
        })
    }

    /// Units with hexes beside them that they may attack: those where an enemy is seen first, then others that another side holds.
    fn attacks(&self) -> impl Iterator<Item = (&OwnUnit, Hex)> {
        let beside = |is_seen: bool| {
            self.field().flat_map(move |unit| {
                let near = self.rules.map.neighbours(unit.hex);
                let theirs = move |hex: &Hex| {
                    let held = self.view.control.get(hex).is_some_and(|side| *side != self.view.side);
                    let seen = self.view.enemies.contains_key(hex);
                    (held || seen) && seen == is_seen && !self.view.stacks.contains_key(hex)
                };
                near.filter(theirs).map(move |hex| (unit, hex))
            })
        };
        beside(true).chain(beside(false))
    }

    /// Stacks with two units of the seat, the one that isn't on top first.
    fn pairs(&self) -> impl Iterator<Item = (Hex, UnitId, UnitId)> {
        self.view.stacks.iter().filter_map(|(hex, stack)| {
            let mut units = stack.iter().filter(|id| {
                let able = |unit: &OwnUnit| {
                    unit.kind.arm != Arm::Hq && !unit.garrison && self.view.commands(unit.nation)
                };
                self.view.own.get(id).is_some_and(able)
            });
            let (top, below) = (units.next()?, units.next()?);
            Some((*hex, *below, *top))
        })
    }

    /// Units with the hexes of their side beside them.
    fn steps(&self) -> impl Iterator<Item = (&OwnUnit, Hex)> {
        self.field().flat_map(|unit| {
            let ours = |hex: &Hex| self.view.control.get(hex) == Some(&self.view.side);
            self.rules.map.neighbours(unit.hex).filter(ours).map(move |hex| (unit, hex))
        })
    }

    /// A place as orders name it: its city, or its hex.
    fn city(&self, hex: Hex) -> String {
        self.rules.map.city_at(hex).map_or_else(|| hex.to_string(), |city| city.name.clone())
    }
}
