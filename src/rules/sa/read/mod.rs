//! Reading orders: docs/sa/orders.md is the grammar.
//!
//! A line is refused if it can never be carried out, whatever happens till then. What depends on the course of the battle is read, and the receipt
//! warns of it.

mod examples;
mod forms;
mod likeness;
mod line;
mod offer;
mod order;
mod replaced;

pub(crate) use offer::deploys;
pub use order::written;

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, OrderUse, Reading, Remark};
use musterd_engine::tokens::Span;
use musterd_engine::yaml::short;
use musterd_kit::grammar::{Part, Said};
use musterd_kit::{reach, set};

use self::examples::Examples;
use self::forms::{GRAMMAR, Kind, LONGEST_QUEUE, Verb};
use self::line::{Line, Noun};
use self::offer::is_offered;
use self::order::Heard;
use crate::data::Sa;
use crate::deed;
use crate::event::Refusal;
use crate::law;
use crate::model::UnitId;
use crate::order::{Act, Order, Task};
use crate::state::{Phase, Position};
use crate::view::View;
use crate::words;

/// Reads a set of orders against what its commander knows. Any text gives a reading.
pub fn read_orders(rules: &Sa, view: &View, text: &str) -> Reading<Order> {
    let mut given = Given::new(rules, view);
    let hear = |line, words: &str, _: &[_]| given.hear(words).map_err(|why| placed(line, words, why));
    let (orders, mut remarks) = set::hear(text, hear);
    replaced::remarks(&orders).into_iter().for_each(|remark| remarks.push(remark));
    Reading { orders, remarks: remarks.finish() }
}

/// A remark on a line that is refused. The host has a command `LEAVE` as well, and where the rules refuse a line it tells the player to give it, which
/// would end his watching: so such a remark is on the whole set, and names the line.
fn placed(line: usize, words: &str, remark: Remark) -> Remark {
    let words = words.trim();
    match words.split_whitespace().next().and_then(|first| GRAMMAR.verb(first)) {
        Some(Verb::Leave) => {
            let text = format!("Line {line}, `{}`: {}", short(words), remark.text);
            Remark { line: 0, text, span: None, ..remark }
        }
        _ => Remark { line, ..remark },
    }
}

/// Reads lines each by itself, whatever those beside it say.
pub struct Reader<'a>(Given<'a>);

impl<'a> Reader<'a> {
    /// A reader of what one commander writes.
    pub fn new(rules: &'a Sa, view: &'a View) -> Self {
        Self(Given::new(rules, view))
    }

    /// The order of a line.
    ///
    /// # Errors
    /// What can't be understood, or can never be done.
    pub fn understood(&mut self, line: &str) -> Result<Option<Order>, Remark> {
        self.0.forget();
        Ok(self.0.hear(line)?.and_then(|mut taken| taken.orders.pop()))
    }
}

/// Reads the own units that a commander asks about, named as in his orders, each with its place in the text.
///
/// # Errors
/// The text names none, or too many.
pub(crate) fn asked(rules: &Sa, view: &View, text: &str) -> Result<Vec<(UnitId, Span)>, Remark> {
    let example = view.own.iter().next().map(ToString::to_string);
    let units = reach::asked(&Line::new(rules, view), |_| Kind::Own, text, example.as_deref())?;
    Ok(units.into_iter().map(|(noun, span)| (noun.unit(), span)).collect())
}

/// What can be ordered.
pub fn uses() -> Vec<OrderUse> {
    GRAMMAR.uses(|_| true)
}

/// What a commander can order now, with examples from his battle.
pub fn offered(rules: &Sa, view: &View) -> Vec<OrderUse> {
    if !view.orders_now() {
        return Vec::new();
    }
    let general = GRAMMAR.uses(|verb| is_offered(rules, view, verb));
    let examples = Examples::of(rules, view);
    general.into_iter().filter_map(|one| examples.of_battle(one)).collect()
}

/// What a lone line of a mail looks like, for players who write no order block.
pub fn likeness(rules: &Sa, line: &str) -> Likeness {
    likeness::of(rules, line)
}

/// What the lines so far ordered.
struct Given<'a> {
    /// By what they are read.
    line: Line<'a>,
    /// How much they give each to do.
    queued: BTreeMap<UnitId, usize>,
    /// Where units stand by them before the battle, once one is deployed.
    deployed: Option<Position>,
    /// Spell points.
    points: u32,
    /// Whether one says where a map is to be.
    mapped: bool,
}

/// The part of a line on account of which a unit can't do what it says.
fn blame(parts: &[Part<Noun>], id: UnitId, why: &Refusal) -> Option<Span> {
    let is_it = |part: &&Part<Noun>| match why {
        Refusal::Prohibited(hex) => part.said == Said::Noun(Noun::Hex(*hex)),
        Refusal::Gone(foe) => part.said == Said::Noun(Noun::Unit(*foe)),
        Refusal::OverCap(_) | Refusal::NoPoints(_) => part.name == "points",
        _ => part.said == Said::Noun(Noun::Unit(id)),
    };
    parts.iter().find(is_it).map(|part| part.span)
}

/// An order that can be carried out, and what is said of it.
type Taken = set::Taken<Order>;

impl<'a> Given<'a> {
    fn new(rules: &'a Sa, view: &'a View) -> Self {
        Self {
            line: Line::new(rules, view),
            queued: BTreeMap::new(),
            deployed: None,
            points: 0,
            mapped: false,
        }
    }

    /// Forgets the lines so far.
    fn forget(&mut self) {
        self.line.named.clear();
        self.queued.clear();
        (self.deployed, self.points, self.mapped) = (None, 0, false);
    }

    /// Reads the next line; a refusal that names no part of it is of its first word.
    fn hear(&mut self, text: &str) -> Result<Option<Taken>, Remark> {
        let Some(heard) = order::read(&self.line, text)? else { return Ok(None) };
        let verb = heard.verb;
        self.take(heard).map(Some).map_err(|why| order::of_verb(why, verb))
    }

    /// Takes an order without the units that can never carry it out.
    fn take(&mut self, heard: Heard) -> Result<Taken, Remark> {
        let Heard { order, doubt, parts, .. } = heard;
        self.timely(&order)?;
        let mut doubts: Vec<Remark> = doubt.into_iter().collect();
        let order = match order {
            Order::Do { units, tasks } => {
                let (units, left_out) = self.able(units, &tasks, &parts)?;
                doubts.extend(left_out);
                for id in &units {
                    *self.queued.entry(*id).or_default() += tasks.len();
                }
                doubts.extend(self.spend(&units, &tasks));
                Order::Do { units, tasks }
            }
            Order::Deploy { unit, at } => {
                let span = parts.iter().find(|part| part.name == "at").map(|part| part.span);
                doubts.extend(self.deploy(unit, at).map_err(|why| Remark { span, ..why })?);
                Order::Deploy { unit, at }
            }
            order @ Order::Map(_) => {
                if std::mem::replace(&mut self.mapped, true) {
                    doubts
                        .push(Remark::warning(0, "There is one such map: of several lines the last counts."));
                }
                order
            }
            order => order,
        };
        doubts.extend(self.running(order.units()));
        self.line.named.extend(order.units());
        Ok(Taken { orders: vec![order], remarks: doubts })
    }

    /// The units that may carry out all of an order, and a doubt that names those that never can.
    fn able(
        &self,
        units: Vec<UnitId>,
        tasks: &[Task],
        parts: &[Part<Noun>],
    ) -> Result<(Vec<UnitId>, Option<Remark>), Remark> {
        let mut able = Vec::new();
        let mut unable: BTreeMap<[String; 2], Vec<UnitId>> = BTreeMap::new();
        let mut blamed: Option<Span> = None;
        for id in units {
            match tasks.iter().find_map(|task| self.never(id, task.act, tasks.len())) {
                None => able.push(id),
                Some(why) => {
                    blamed = blamed.or_else(|| blame(parts, id, &why));
                    let why = [false, true].map(|many| words::refusal_of(self.line.rules, &why, many));
                    unable.entry(why).or_default().push(id);
                }
            }
        }
        let reasons = unable
            .iter()
            .map(|(why, ids)| format!("{}: {}", words::ids(ids), why[usize::from(ids.len() > 1)]));
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        if able.is_empty() {
            return Err(Remark { span: blamed, ..Remark::error(0, format!("{reasons}.")) });
        }
        let left_out = (!unable.is_empty()).then(|| {
            let left_out = Remark::warning(0, format!("Left out are {reasons}."));
            Remark { span: blamed, ..left_out }
        });
        Ok((able, left_out))
    }

    /// A doubt of an order to units in rout.
    fn running(&self, units: &[UnitId]) -> Option<Remark> {
        let running = units.iter().filter(|id| !self.line.named.contains(id) && self.line.unit(**id).routing);
        let running: Vec<UnitId> = running.copied().collect();
        let (verb, it) = match running.as_slice() {
            [] => return None,
            [_] => ("routs", "it takes orders once it rallies"),
            _ => ("rout", "they take orders once they rally"),
        };
        Some(Remark::warning(0, format!("{} {verb}: {it}.", words::ids(&running))))
    }

    /// Refuses an order out of its time. How reports are to be can be said at any.
    fn timely(&self, order: &Order) -> Result<(), Remark> {
        let refused = |text: String| Err(Remark::error(0, text));
        match (self.line.view.phase, order) {
            (_, Order::Detail(_) | Order::Map(_) | Order::Symbols(_)) => Ok(()),
            (Phase::Over, _) => refused("The battle is over.".to_owned()),
            (Phase::Unfounded, _) => refused("The battle has not begun.".to_owned()),
            (Phase::Initial(Some(side)), _) if self.line.view.side != Some(side) => refused(format!(
                "Now {} makes its initial move: yours is another time.",
                self.line.rules.battle().army(side).name
            )),
            (Phase::Battle, Order::Deploy { .. }) => {
                refused("Units are deployed before the battle: now they move.".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Why a unit can do something at no time to come, or not so much more after all that the lines above tell it.
    fn never(&self, id: UnitId, act: Act, more: usize) -> Option<Refusal> {
        let Line { rules, view, .. } = self.line;
        let never = deed::never(rules, &view.position, view.real, rules.battle().place(id), act);
        let queued = self.queued.get(&id).copied().unwrap_or_default();
        never.or((queued + more > LONGEST_QUEUE).then_some(Refusal::Busy(queued)))
    }

    /// Counts the points of spells and likenesses; a doubt if there aren't so many.
    fn spend(&mut self, units: &[UnitId], tasks: &[Task]) -> Option<Remark> {
        let likeness = self.line.rules.battle().hunt.map(|hunt| hunt.cost);
        let costs = tasks.iter().filter_map(|task| match task.act {
            Act::Cast(_, points) => Some(points),
            Act::Liken(_) => likeness,
            _ => None,
        });
        let each = costs.fold(0, u32::saturating_add);
        let points = each.saturating_mul(u32::try_from(units.len()).unwrap_or(u32::MAX));
        self.points = self.points.saturating_add(points);
        let left = self.line.view.position.magic[self.line.view.side?.index()];
        let (all, over) = (self.points, points > 0 && self.points > left);
        over.then(|| {
            Remark::warning(
                0,
                format!("These spells and likenesses take {all} points, and your army has {left}."),
            )
            .hint("whoever acts when none are left casts nothing")
        })
    }

    /// Deploys a unit, if it can stand there after the lines above. A doubt if it takes the place of a friend.
    fn deploy(&mut self, id: UnitId, at: Hex) -> Result<Option<Remark>, Remark> {
        let rules = self.line.rules;
        let position = self.deployed.get_or_insert_with(|| self.line.view.position.clone());
        let place = rules.battle().place(id);
        if let Err(why) = law::deploy(rules, position, place, at) {
            let zone = &rules.battle().army(id.side).zone;
            let remark =
                Remark::error(0, format!("{id} can't stand there: {}.", words::refusal(rules, &why)));
            return Err(match zone.iter().find(|hex| law::deploy(rules, position, place, **hex).is_ok()) {
                None => remark.hint("in this battle units stand where they are"),
                Some(free) => remark.hint(format!("it can stand in {free}")),
            });
        }
        let (from, other) = (position.units[place].at, position.unit_at(rules, at));
        position.deploy(rules, place, at);
        let Some(other) = other.filter(|other| *other != place) else { return Ok(None) };
        let from = from.map_or_else(String::new, |from| format!(" in {}", words::place(rules, from)));
        let other = rules.battle().units[other].id;
        let at = words::place(rules, at);
        Ok(Some(Remark::note(0, format!("They change places: {id} stands in {at}, {other}{from}."))))
    }
}
