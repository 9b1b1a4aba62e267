//! What a receipt says of a set of orders: each in full words, the odds where they are known, and who acts when.

mod chances;
mod outlook;

pub(crate) use self::outlook::believed;

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::orders::{Placed, Reading, Recap, Remark, Understood};
use musterd_kit::set::Remarks;
use musterd_report::text::{listed, sentence};
use musterd_text::nouns::count;

use self::outlook::Outlook;
use crate::battle::Spec;
use crate::data::Sa;
use crate::deed;
use crate::event::Refusal;
use crate::law;
use crate::model::{Side, UnitId};
use crate::order::{Act, Charge, Order, Stance, Task};
use crate::read::read_orders;
use crate::state::{Fate, Phase, Position, Unit};
use crate::view::View;
use crate::words;

/// Units of one order that are told of by name, with their odds.
const FEW: usize = 3;

/// Reads orders, and says what they come to. Everything comes from the view.
pub(crate) fn read_back(rules: &Sa, view: &View, text: &str) -> (Reading<Order>, Recap) {
    let mut reading = read_orders(rules, view, text);
    if !view.orders_now() {
        return (reading, Recap::default());
    }
    let teller = Teller { rules, view, outlook: Outlook::of(rules, view, &reading) };
    let recap = Recap {
        orders: teller.orders(&reading.orders),
        defaults: teller.defaults(&reading.orders),
        ahead: teller.ahead(&reading.orders),
    };
    reading.remarks = teller.doubts(&reading.orders).finish_with(reading.remarks);
    (reading, recap)
}

/// What the orders before one come to.
struct Before {
    /// The position with the spells that they cast and the points that they cost.
    position: Position,
    /// The last that they give each unit to do.
    last: BTreeMap<UnitId, Act>,
    /// The wizards whom they have make a likeness, and who may be it from then on.
    likened: BTreeSet<UnitId>,
}

impl Before {
    /// Adds one task of a unit: what it casts is on it until it has fought.
    fn take(&mut self, rules: &Sa, id: UnitId, task: &Task) {
        let unit = &mut self.position.units[rules.battle().place(id)];
        match task.act {
            Act::Cast(spell, points) if task.when().is_none() => unit.enchant(spell, points, None),
            Act::Attack(_) | Act::Strike(_) | Act::Fire(_) | Act::FireAt(_) => unit.spend_weapons(),
            _ => {}
        }
        self.last.insert(id, task.act);
    }
}

struct Teller<'a> {
    rules: &'a Sa,
    view: &'a View,
    outlook: Outlook<'a>,
}

impl Teller<'_> {
    fn orders(&self, orders: &[Placed<Order>]) -> Vec<Understood> {
        let mut before =
            Before { position: self.view.position.clone(), last: BTreeMap::new(), likened: BTreeSet::new() };
        let told = |placed: &Placed<Order>| Understood {
            line: placed.line,
            order: sentence(&self.order(&placed.order)),
            effect: self.effect(&placed.order, &mut before),
        };
        orders.iter().map(told).collect()
    }

    fn unit(&self, id: UnitId) -> &Unit {
        &self.view.position.units[self.rules.battle().place(id)]
    }

    /// A few units by name, many by number.
    fn who(&self, units: &[UnitId]) -> String {
        match units {
            few if few.len() <= FEW => {
                listed(&few.iter().map(|id| words::called(self.rules, *id)).collect::<Vec<_>>())
            }
            many => words::ids(many),
        }
    }

    fn order(&self, order: &Order) -> String {
        let who = self.who(order.units());
        match order {
            Order::Do { tasks, .. } => {
                let marches = |task: &Task| matches!(task.act, Act::Move(_));
                let runs = tasks.chunk_by(|one, next| marches(one) && marches(next));
                let told = runs.map(|run| match run {
                    [one] => self.task(one),
                    many => format!("move {}", steps(many)),
                });
                format!("{who}: {}", told.collect::<Vec<_>>().join(", then "))
            }
            Order::Stance { stance, .. } => {
                format!("{who}: {} with an empty queue", words::stance(self.rules, *stance))
            }
            Order::On { trigger, stance, .. } => {
                let then = match stance {
                    Some(stance) => format!("drop the queue and {}", words::stance(self.rules, *stance)),
                    None => "change nothing".to_owned(),
                };
                format!("{who}: when {}, {then}", trigger.words())
            }
            Order::Clear { .. } => format!("{who}: forget the queue"),
            Order::Deploy { at, .. } => format!("{who}: stand in {}", words::place(self.rules, *at)),
            Order::Detail(true) => "Reports with all figures of checks and fights".to_owned(),
            Order::Detail(false) => "Reports in brief".to_owned(),
            Order::Map(Some(at)) => format!("A tactical map around {}", words::place(self.rules, *at)),
            Order::Symbols(true) => "Tactical maps with a symbol for each unit's type".to_owned(),
            Order::Symbols(false) => "Tactical maps without symbols".to_owned(),
            Order::Map(None) => "No tactical map but those of the fighting".to_owned(),
        }
    }

    fn task(&self, task: &Task) -> String {
        let act = words::act(self.rules, task.act);
        match task.when() {
            Some(trigger) => format!("{act} when {}", trigger.words()),
            None => act,
        }
    }

    /// The odds of an order, or what it costs. `before` is what the orders before it come to.
    fn effect(&self, order: &Order, before: &mut Before) -> String {
        if let Order::Clear { units } = order {
            before.likened.retain(|id| !units.contains(id));
        }
        let Order::Do { units, tasks } = order else { return String::new() };
        let mut said = Vec::new();
        for task in tasks {
            match task.act {
                Act::Cast(..) | Act::Liken(_) => said.extend(self.magic(units, task, before)),
                Act::Leave => said.extend(self.rules.battle().hunt.map(|hunt| match hunt.leaves {
                    0 => "only from its own edge".to_owned(),
                    point => format!("only from its own edge, after time-point {point}"),
                })),
                Act::Attack(_) | Act::Strike(_) | Act::Fire(_) | Act::FireAt(_) if units.len() <= FEW => {
                    let odds = |id: &UnitId| {
                        let (position, last) = (&before.position, before.last.get(id).copied());
                        let odds = chances::odds(self.rules, position, self.view.real, *id, task.act, last)?;
                        Some(if units.len() == 1 { odds } else { format!("{id}: {odds}") })
                    };
                    said.extend(units.iter().filter_map(odds));
                }
                _ => {}
            }
            for id in units {
                before.take(self.rules, *id, task);
            }
        }
        said.join("; ")
    }

    /// What a spell or a likeness costs, and what it comes to where a die decides in secret who is the wizard (SA-52).
    fn magic(&self, units: &[UnitId], task: &Task, before: &mut Before) -> Vec<String> {
        let points = match task.act {
            Act::Cast(_, points) => points,
            _ => self.rules.battle().hunt.map_or(0, |hunt| hunt.cost),
        };
        let all = u32::try_from(units.len()).unwrap_or(u32::MAX).saturating_mul(points);
        let Some(side) = self.view.side else { return Vec::new() };
        let (has, left) = (self.view.position.magic, &mut before.position.magic[side.index()]);
        *left = left.saturating_sub(all);
        let (has, left) = (has[side.index()], *left);
        let doubtful = units.iter().any(|id| before.likened.contains(id));
        let real = if doubtful { "if it is the real one, " } else { "" };
        let mut said = vec![format!("{real}leaves {} of {has}", count(left, "spell point"))];
        if matches!(task.act, Act::Liken(_)) && !doubtful {
            said.push(format!(
                "a die decides in secret which of the two is the wizard: what you order stays with {}, and only the real one can cast \
                 or make more",
                words::ids(units)
            ));
            before.likened.extend(units);
        }
        said
    }

    /// Warnings of tasks that come to nothing as things stand: by the order, and by the reason.
    fn doubts(&self, orders: &[Placed<Order>]) -> Remarks {
        let mut skipped: Vec<(usize, UnitId, Act, Refusal)> = Vec::new();
        for (unit, act, why) in self.outlook.skipped() {
            let gives = |placed: &&Placed<Order>| match &placed.order {
                Order::Do { units, tasks } => {
                    units.contains(&unit) && tasks.iter().any(|task| task.act == act)
                }
                _ => false,
            };
            let Some(placed) = orders.iter().find(gives) else { continue };
            skipped.push((placed.line, unit, act, why));
        }
        let mut reasons: BTreeMap<usize, BTreeMap<Doubt, BTreeSet<UnitId>>> = BTreeMap::new();
        let alike = |(line, unit, _, why): &(usize, UnitId, Act, Refusal)| (*line, *unit, *why);
        for run in skipped.chunk_by(|one, next| alike(one) == alike(next)) {
            let (line, unit, act, why) = run[0];
            let act = words::act(self.rules, act) + &words::more_tasks("nor", run.len() - 1);
            let why = [false, true].map(|many| words::refusal_of(self.rules, &why, many));
            reasons.entry(line).or_default().entry((act, why)).or_default().insert(unit);
        }
        let (mut doubts, mut warned) = (Remarks::default(), BTreeSet::new());
        for (line, reasons) in reasons {
            let few = reasons.iter().take(FEW).map(|((act, [of_one, of_many]), units)| {
                let why = if units.len() == 1 { of_one } else { of_many };
                format!("{} can't {act}: {why}", words::ids(units))
            });
            let mut told: Vec<String> = few.collect();
            let more: usize = reasons.values().skip(FEW).map(BTreeSet::len).sum();
            told.extend((more > 0).then(|| format!("nor can {more} more")));
            doubts.push(Remark::futile(line, format!("As things stand {}.", told.join("; "))));
            warned.insert(line);
        }
        let early = orders.iter().filter(|placed| !warned.contains(&placed.line));
        early.filter_map(|placed| self.early(placed, orders)).for_each(|doubt| doubts.push(doubt));
        doubts
    }

    /// A warning of an order to leave the field whose turn may come before that is allowed, later than in this block too.
    fn early(&self, placed: &Placed<Order>, orders: &[Placed<Order>]) -> Option<Remark> {
        let hunt = self.rules.battle().hunt?;
        let Order::Do { units, tasks } = &placed.order else { return None };
        let last = match self.view.phase {
            Phase::Initial(_) => 0,
            _ => self.rules.block_after(self.view.paused).1,
        };
        if last > hunt.leaves || tasks.iter().all(|task| task.act != Act::Leave) {
            return None;
        }
        let hastens = |id: &&UnitId| {
            let queue = self.charge(**id, orders).tasks;
            let before = queue.iter().take_while(|task| task.act != Act::Leave);
            before.into_iter().all(|task| !matches!(task.act, Act::Until(point) if point > hunt.leaves))
        };
        let id = units.iter().find(hastens)?;
        let text = format!(
            "{id} may leave the field only after time-point {}: before, LEAVE is skipped.",
            hunt.leaves
        );
        let hint = format!("HOLD {} UNTIL {} above it waits for that", id.number, hunt.leaves + 1);
        Some(Remark::warning(placed.line, text).hint(hint))
    }

    /// What a unit is told once the orders are heard.
    fn charge(&self, id: UnitId, orders: &[Placed<Order>]) -> Charge {
        let charge = self.view.charges.get(&id).cloned().unwrap_or_default();
        charge.after(id, orders.iter().map(|placed| &placed.order))
    }

    /// The units without an order, by what they do.
    fn defaults(&self, orders: &[Placed<Order>]) -> Vec<String> {
        let ordered: BTreeSet<UnitId> =
            orders.iter().flat_map(|placed| placed.order.units()).copied().collect();
        let mut groups: BTreeMap<(u8, String), Vec<UnitId>> = BTreeMap::new();
        for id in self.view.own.iter().filter(|id| !ordered.contains(id)) {
            let unit = self.unit(*id);
            if unit.fate != Fate::Fielded {
                continue;
            }
            let charge = self.view.charges.get(id).cloned().unwrap_or_default();
            let does = match (unit.routing, charge.tasks.len()) {
                (true, _) => (3, "In rout (away from all enemies it may rally, else it runs on)".to_owned()),
                (false, 0) => (2, idle(self.rules, self.rules.battle().spec(*id), charge.stance)),
                (false, tasks) => (1, format!("On with a queue of {}", count(tasks as u64, "task"))),
            };
            groups.entry(does).or_default().push(*id);
        }
        groups.into_iter().map(|((_, does), ids)| format!("{does}: {}.", words::ids(&ids))).collect()
    }

    /// Who acts when, and what comes by itself.
    fn ahead(&self, orders: &[Placed<Order>]) -> Vec<String> {
        let ordered: BTreeSet<UnitId> =
            orders.iter().flat_map(|placed| placed.order.units()).copied().collect();
        let battle = self.rules.battle();
        let (first, last) = self.rules.block_after(self.view.paused);
        let morale = |side: &Side| self.view.position.morale[side.index()];
        if let Some(side) = Side::ALL.into_iter().find(|side| morale(side) <= 0) {
            let army = &battle.army(side).name;
            return vec![format!(
                "The morale of {army} is gone: it retreats before anybody acts, and the battle ends."
            )];
        }
        let mut lines: Vec<String> = self.drawn_up(orders).into_iter().collect();
        // Units that do the same are told of in one line, where the first of them is told.
        let mut groups: Vec<(String, Vec<UnitId>)> = Vec::new();
        for id in &self.view.own {
            let unit = self.unit(*id);
            if unit.fate != Fate::Fielded || !ordered.contains(id) && !self.outlook.stirs(*id) {
                continue;
            }
            let does = self.outlook.of_unit(*id).unwrap_or_else(|| format!("next at {}", unit.next));
            match groups.iter_mut().find(|(told, _)| *told == does) {
                Some((_, units)) => units.push(*id),
                None => groups.push((does, vec![*id])),
            }
        }
        if !groups.is_empty() {
            lines.push(match self.view.phase {
                Phase::Initial(_) => "The initial move, if the enemy holds still:".to_owned(),
                _ => format!("Time-points {first} to {last}, if the enemy holds still:"),
            });
        }
        lines.extend(groups.into_iter().map(|(does, units)| match units.as_slice() {
            [one] => format!("{}: {does}.", words::called(self.rules, *one)),
            many => format!("{}: {does}.", words::ids(many)),
        }));
        if self.view.phase == Phase::Battle {
            lines.extend(self.own_hours((first, last)));
        }
        let each = Side::ALL.map(|side| format!("{} {}", battle.army(side).name, morale(&side)));
        lines.push(format!("Army morale now: {}; at 0 an army retreats.", each.join(", ")));
        lines
    }
}

impl Teller<'_> {
    /// Who stands elsewhere before the battle once all lines are carried out: of several for one hex they change places.
    fn drawn_up(&self, orders: &[Placed<Order>]) -> Option<String> {
        let mut after = self.view.position.clone();
        for placed in orders {
            if let Order::Deploy { unit, at } = placed.order {
                after.deploy(self.rules, self.rules.battle().place(unit), at);
            }
        }
        let both = self.rules.battle().units.iter().zip(self.view.position.units.iter().zip(&after.units));
        let moved = both.filter(|(_, (before, after))| before.at != after.at);
        let stands = moved.filter_map(|(spec, (_, after))| {
            Some(format!("{} in {}", spec.id, words::place(self.rules, after.at?)))
        });
        let stands: Vec<String> = stands.collect();
        (!stands.is_empty()).then(|| format!("Units are placed anew: {}.", stands.join(", ")))
    }

    /// What happens by itself in a block, at time-points that the scenario sets.
    fn own_hours(&self, (first, last): (u16, u16)) -> Vec<String> {
        let battle = self.rules.battle();
        let mut lines = Vec::new();
        for id in &self.view.own {
            let (spec, fate) = (battle.spec(*id), self.unit(*id).fate);
            let called = words::called(self.rules, *id);
            let comes = spec.arrives.filter(|arrival| fate == Fate::Coming && arrival.point <= last);
            if let Some(arrival) = comes {
                let (point, at) = (arrival.point.max(first), words::place(self.rules, arrival.at));
                lines.push(format!("{called} comes at {point} in {at}, or next to it."));
            }
            let is_there = fate == Fate::Fielded || comes.is_some();
            let deserts = spec.deserts.filter(|one| is_there && (first..=last).contains(&one.point));
            if let Some(desertion) = deserts {
                let most = desertion.most;
                lines.push(format!("{called} deserts at {} if a die shows {most} or less.", desertion.point));
            }
        }
        if last == battle.nightfall {
            lines.push(format!("Night falls at {last}: these are the last time-points."));
        }
        lines
    }
}

/// What can't be done as things stand, and why: of one unit, and of several.
type Doubt = (String, [String; 2]);

/// The directions of a march: `NE x2, E`.
fn steps(tasks: &[Task]) -> String {
    let way = |task: &Task| match task.act {
        Act::Move(way) => words::way(way),
        _ => unreachable!("a march is of moves"),
    };
    let told = tasks.chunk_by(|one, next| one == next).map(|run| match run.len() {
        1 => way(&run[0]).to_owned(),
        many => format!("{} x{many}", way(&run[0])),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// What a unit with an empty queue does.
fn idle(rules: &Sa, spec: &Spec, stance: Stance) -> String {
    let fires = deed::at_will(spec).is_some();
    let reaches = spec.missile.is_none_or(|missile| law::range(rules, missile) > 1);
    let more = match stance {
        Stance::Hold if !fires => "stays",
        Stance::Hold => "stays, and fires at what comes into range",
        Stance::Skirmish if spec.missile.is_none() => "keeps away from enemies",
        Stance::Skirmish if !fires && !reaches => "goes next to an enemy, and stays there",
        Stance::Skirmish if !fires => "keeps its distance",
        Stance::Advance(None) => "goes toward the nearest enemy, and stops next to it",
        Stance::Advance(Some(_)) => "and stops next to an enemy",
        Stance::Skirmish if !reaches => "fires at enemies next to it, and stays there",
        Stance::Skirmish => "fires at what is in range, and keeps its distance",
        Stance::Charge => "goes to the nearest enemy and attacks it",
        Stance::Avoid => "keeps away from enemies",
    };
    format!("{} ({more})", sentence(&words::stance(rules, stance)))
}
