//! The receipt's account of a set of orders: each in full words, with what it costs and may do.

use super::battle::Ground;
use super::data::Dog;
use super::model::{Relief, Sort, Terrain, TroopId, UnitId};
use super::odds;
use super::order::{March, Order, Way};
use super::phases::Ways;
use super::read::read_records;
use super::roster::Roster;
use super::scores;
use super::view::{Count, OwnUnit, SeenUnit, View, Wait};
use super::words;
use crate::engine::orders::{Reading, Recap, Understood};
use crate::hex::Hex;

/// Reads orders, and says them back with what every unit without one will do. Everything comes from the view.
#[must_use]
pub fn read_back(rules: &Dog, view: &View, text: &str) -> (Reading<Order>, Recap) {
    let (reading, roster) = read_records(rules, view, text);
    let told = Teller { rules, view };
    let said = reading.orders.iter().map(|placed| Understood {
        line: placed.line,
        order: told.order(&placed.order),
        effect: told.effect(&placed.order),
    });
    let orders = said.collect();
    let defaults = told.defaults(&reading, roster);
    (reading, Recap { orders, defaults })
}

/// The field as a leader knows it.
pub(super) fn ways<'a>(rules: &'a Dog, view: &'a View) -> Ways<'a> {
    let battle = rules.battle();
    let foes = view.others.iter().filter(|(_, unit)| {
        unit.captive.is_none() && view.army.is_some_and(|army| !battle.allied(army, unit.army))
    });
    Ways {
        rules,
        changed: &view.changed,
        bridges: &view.bridges,
        taken: view
            .own
            .values()
            .map(|unit| unit.at)
            .chain(view.others.values().map(|unit| unit.at))
            .collect(),
        watched: foes.flat_map(|(_, unit)| unit.at.around()).collect(),
    }
}

/// Ground with nothing special about it.
pub(super) const OPEN: Ground = Ground { terrain: Terrain::Clear, relief: Relief::Plains, walls: None };

/// The ground under somebody in a hex, as a leader knows it.
pub(super) fn ground(rules: &Dog, view: &View, hex: Hex, aboard: bool) -> Ground {
    if aboard || view.bridges.contains(&hex) {
        return OPEN;
    }
    view.changed.get(&hex).copied().or_else(|| rules.battle().field.ground(hex)).unwrap_or(OPEN)
}

struct Teller<'a> {
    rules: &'a Dog,
    view: &'a View,
}

impl Teller<'_> {
    fn own(&self, id: UnitId) -> String {
        let unit = self.view.own.get(&id);
        unit.map_or_else(|| id.to_string(), |unit| format!("{id} {}", self.called(unit)))
    }

    fn called(&self, unit: &OwnUnit) -> String {
        match unit.name.as_str() {
            "" => words::fighters(self.rules.numbers(), &unit.sorts),
            name => name.to_owned(),
        }
    }

    fn other(&self, id: UnitId) -> String {
        let kind = self.view.others.get(&id).and_then(|unit| unit.kinds.first());
        match kind {
            Some((troop, _)) => format!("{id} {}", self.rules.numbers().troop(*troop).name),
            None => id.to_string(),
        }
    }

    fn place(&self, hex: Hex) -> String {
        self.rules.battle().field.place(hex)
    }

    fn order(&self, order: &Order) -> String {
        match order {
            Order::Record(record) => {
                let what = words::fighters(self.rules.numbers(), &record.sorts);
                let name = record.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
                let at = record.at.map_or_else(String::new, |at| format!(" at {}", self.place(at)));
                let hidden = if record.hidden { ", hidden" } else { "" };
                format!("{}{name} {what}{at}{hidden}", record.unit).replace("  ", " ")
            }
            Order::March(March { unit, way, leave, flee }) => {
                let verb = if *flee { "Flee with" } else { "Move" };
                let to = way.end().map_or_else(String::new, |hex| self.place(hex));
                let leave = leave.map_or_else(String::new, |leave| format!(", leaving {leave} behind"));
                format!("{verb} {} to {to}{leave}", self.own(*unit))
            }
            Order::Hide { unit } => format!("Hide {}", self.own(*unit)),
            Order::Board { unit, .. } => format!("Put {} aboard a boat", self.own(*unit)),
            Order::Land { unit, to } => format!("Land {} in {}", self.own(*unit), self.place(*to)),
            Order::Dismount { unit, to } => {
                let to = to.map_or_else(String::new, |to| format!(" in {}", self.place(to)));
                format!("Dismount the crew of {}{to}", self.own(*unit))
            }
            Order::Attack { unit, target: Some(target) } => {
                format!("Attack {} with {}", self.other(*target), self.own(*unit))
            }
            Order::Attack { unit, target: None } => {
                format!("Attack with {} whomever it harms most", self.own(*unit))
            }
            Order::Shoot { unit, target: Some(target) } => {
                format!("Shoot at {} with {}", self.other(*target), self.own(*unit))
            }
            Order::Shoot { unit, target: None } => {
                format!("Shoot with {} at whomever it harms most", self.own(*unit))
            }
            Order::Defend { unit } => format!("Defend with {}", self.own(*unit)),
            Order::IfAttacked { unit, keep } => {
                let who = unit.map_or_else(|| "every unit".to_owned(), |unit| self.own(unit));
                let what = if *keep { "keeps to its attack" } else { "turns to defend itself" };
                format!("If attacked before it strikes, {who} {what}")
            }
            Order::Surrender { unit, to } => format!("Surrender {} to {}", self.own(*unit), self.other(*to)),
        }
    }

    fn effect(&self, order: &Order) -> String {
        match order {
            Order::Record(record) => {
                let numbers = self.rules.numbers();
                let sum = |price: &dyn Fn(&Sort) -> u64| record.sorts.iter().map(price).sum::<u64>();
                match record.sorts.is_empty() {
                    true => String::new(),
                    false => format!(
                        "costs {}, ego {}, maintenance {}",
                        sum(&|sort| scores::hire(numbers, sort)),
                        sum(&|sort| scores::ego(numbers, sort)),
                        sum(&|sort| scores::maintenance(numbers, sort)),
                    ),
                }
            }
            Order::March(march) => self.march(march),
            Order::Attack { unit, target: Some(target) } => self.attack(*unit, *target).unwrap_or_default(),
            Order::Shoot { unit, target: Some(target) } => self.volley(*unit, *target).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The way of a march as far as it is known: hexes, points, how far it gets this round.
    fn march(&self, march: &March) -> String {
        let Some(own) = self.view.own.get(&march.unit) else { return String::new() };
        let ways = ways(self.rules, self.view);
        let way = match &march.way {
            Way::By(hexes) => hexes.clone(),
            Way::To(to) => match ways.best(&own.sorts, own.aboard, own.at, *to) {
                Some(way) => way,
                None => return "as things stand there is no way".to_owned(),
            },
        };
        let numbers = self.rules.numbers();
        let moves = if own.aboard { numbers.boat.moves } else { scores::moves(numbers, &own.sorts) };
        let all = moves.saturating_mul(2);
        let (mut spent, mut from, mut reached) = (0_u16, own.at, None);
        for to in &way {
            let saved = own
                .saved
                .filter(|(toward, _)| toward == to && reached.is_none())
                .map_or(0, |(_, saved)| saved);
            match ways.step(&own.sorts, own.aboard, from, *to) {
                Ok(cost) if spent.saturating_add(cost.saturating_sub(saved)) <= all => {
                    spent += cost.saturating_sub(saved);
                }
                Ok(_) => break,
                Err(reason) => return format!("it can't enter {}: {reason}", self.place(*to)),
            }
            (from, reached) = (*to, Some(*to));
        }
        let path: Vec<String> = way.iter().map(ToString::to_string).collect();
        let points = format!("{} of {} points", halves(spent), halves(all));
        match reached {
            None => format!("saves its points for {}", self.place(way[0])),
            Some(end) if Some(&end) == way.last() => format!("by {}: {points}", path.join(", ")),
            Some(end) => format!("by {}: as far as {} this round", path.join(", "), self.place(end)),
        }
    }

    /// The odds of an attack on a unit in sight, while it stands where it is.
    fn attack(&self, id: UnitId, target: UnitId) -> Option<String> {
        let (own, foe) = (self.view.own.get(&id)?, self.view.others.get(&target)?);
        if own.at.distance(foe.at) != 1 {
            return Some(format!("{target} is not next to it now"));
        }
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let here = ground(self.rules, self.view, own.at, own.aboard);
        let force = scores::attack_force(numbers, &own.sorts, here);
        let strike = self.expected(force, foe);
        let there = ground(self.rules, self.view, foe.at, foe.aboard);
        let counted = foe_sorts(foe)?;
        let back = scores::defence_force(numbers, switches, &counted, there);
        let losses = odds::strike(numbers, switches, back, &own.sorts);
        let (least, most) = ends(&losses);
        Some(format!("force {force}: {strike}; if it retaliates, {} of yours fall", range(least, most)))
    }

    fn volley(&self, id: UnitId, target: UnitId) -> Option<String> {
        let (own, foe) = (self.view.own.get(&id)?, self.view.others.get(&target)?);
        let hexes = own.at.distance(foe.at);
        let force = scores::volley_force(
            self.rules.numbers(),
            self.rules.battle().scale,
            &own.sorts,
            &own.shots,
            hexes,
        );
        match force {
            0 => Some(format!("{target} is {hexes} hexes away now, out of range")),
            force => Some(format!("force {force} over {hexes}: {}", self.expected(force, foe))),
        }
    }

    /// What a strike of so much force does to a unit in sight.
    fn expected(&self, force: u32, foe: &SeenUnit) -> String {
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let Some(sorts) = foe_sorts(foe) else { return String::new() };
        let odds = odds::strike(numbers, switches, force, &sorts);
        let (least, most) = ends(&odds);
        let all: u16 = sorts.iter().map(|sort| sort.fighters).sum();
        let gone = odds.probability(|toll| toll.killed >= all).percent();
        let (low, high) = (scores::damage(switches, force, 1), scores::damage(switches, force, 6));
        let destroyed = if most >= all { format!(", all of them with {gone}") } else { String::new() };
        format!("{low} to {high} damage, {} fall{destroyed}", range(least, most))
    }

    fn defaults(&self, reading: &Reading<Order>, roster: Option<Roster<'_>>) -> Vec<String> {
        let has = |which: fn(&Order) -> bool, id: &UnitId| {
            reading.orders.iter().any(|placed| which(&placed.order) && placed.order.unit() == Some(*id))
        };
        let free = || self.view.own.iter().filter(|(_, unit)| unit.captive.is_none()).map(|(id, _)| *id);
        let names = |ids: Vec<UnitId>| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        match self.view.wait {
            Wait::SetUp | Wait::Founding => {
                let Some(roster) = roster else { return lines };
                if roster.is_nobody() {
                    lines.push("You hire nobody: the computer hires for you.".to_owned());
                }
                lines.extend(
                    roster
                        .money()
                        .filter(|money| *money > 0)
                        .map(|money| format!("{money} of your money is left.")),
                );
                let recorded: Vec<UnitId> =
                    reading.orders.iter().filter_map(|placed| placed.order.unit()).collect();
                for unit in roster.finish().into_iter().filter(|unit| !recorded.contains(&unit.unit)) {
                    let hidden = if unit.hidden { ", hidden" } else { "" };
                    lines.push(format!("{} stands in {}{hidden}.", unit.unit, self.place(unit.at)));
                }
            }
            Wait::Orders | Wait::Moves => {
                let still: Vec<UnitId> = free().filter(|id| !has(Order::is_move, id)).collect();
                if !still.is_empty() {
                    lines.push(format!("{}: no move.", names(still)));
                }
            }
            Wait::Combat | Wait::Over => {}
        }
        if matches!(self.view.wait, Wait::Orders | Wait::Combat) {
            let still: Vec<UnitId> = free().filter(|id| !has(Order::is_combat, id)).collect();
            if !still.is_empty() {
                lines.push(format!("{}: defends itself where it stands.", names(still)));
            }
        }
        lines
    }
}

/// A unit in sight as fighters: as many as are counted, or the most that there may be. Nobody's people and crews are to be seen.
pub(super) fn foe_sorts(foe: &SeenUnit) -> Option<Vec<Sort>> {
    let all = match foe.count {
        Count::Exactly(all) | Count::About(_, all) => all,
    };
    (!foe.kinds.is_empty()).then(|| unseen_sorts(&foe.kinds, all))
}

/// So many fighters of these kinds, shared out evenly: what is in a mixed unit is not to be seen.
pub(super) fn unseen_sorts(kinds: &[(TroopId, bool)], all: u16) -> Vec<Sort> {
    let each = u16::try_from(kinds.len()).unwrap_or(u16::MAX).max(1);
    let sort = |(place, (troop, elite)): (u16, &(TroopId, bool))| Sort {
        troop: *troop,
        elite: *elite,
        people: None,
        crew: None,
        size: None,
        fighters: all / each + u16::from(place < all % each),
    };
    (0..).zip(kinds).map(sort).collect()
}

/// The fewest and the most that fall.
fn ends(odds: &crate::dice::odds::Distribution<odds::Toll>) -> (u16, u16) {
    let killed = || odds.outcomes().map(|toll| toll.killed);
    (killed().min().unwrap_or(0), killed().max().unwrap_or(0))
}

fn range(least: u16, most: u16) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// Halves of points as a player reads them: `2`, `1/2`, `2 1/2`.
pub(super) fn halves(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "1/2".to_owned(),
        (whole, _) => format!("{whole} 1/2"),
    }
}
