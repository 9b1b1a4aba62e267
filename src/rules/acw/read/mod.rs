//! Reading orders: docs/acw/orders.md is the grammar.
//!
//! What a commander sees is enough to know whether an order can be given, so a line that can't be carried out is refused at once, with the reason. Of
//! several orders for the same unit the last counts.

mod examples;
mod forms;
mod info;
mod likeness;
mod line;
mod noun;
mod order;
mod place;
mod replaced;
mod why;

pub use order::written;
pub(crate) use why::names;

use std::collections::BTreeMap;

use musterd_engine::orders::{Likeness, OrderUse, Reading, Remark, Weight};
use musterd_engine::tokens::{Cursor, Span};
use musterd_kit::{reach, set};
use musterd_report::text::sentence;

use self::forms::{GRAMMAR, Kind};
use self::line::Line;
use self::noun::Noun;
use self::order::Heard;
use crate::data::Acw;
use crate::law::{self, Refusal};
use crate::model::UnitId;
use crate::order::{Goal, Order};
use crate::state::Phase;
use crate::view::View;
use crate::words;

/// Reads a set of orders against what its commander knows. Any text gives a reading.
pub fn read_orders(rules: &Acw, view: &View, text: &str) -> Reading<Order> {
    let reader = Reader::new(rules, view);
    let hear = |line, words: &str, _: &[_]| reader.hear(words).map_err(|why| Remark { line, ..why });
    let (orders, mut remarks) = set::hear(text, hear);
    let (orders, replaced) = replaced::settled(rules.battle(), orders);
    replaced.into_iter().for_each(|remark| remarks.push(remark));
    Reading { orders, remarks: remarks.finish() }
}

/// Reads the own units that a commander asks about, named as in his orders, each with its place in the text.
///
/// # Errors
/// The text names none, or too many.
pub(crate) fn asked(rules: &Acw, view: &View, text: &str) -> Result<Vec<(UnitId, Span)>, Remark> {
    let line = Line::new(rules, view);
    let kind = |cursor: &Cursor<'_>| if line.begins_hq(cursor) { Kind::Hq } else { Kind::Brigade };
    let mut fielded = view.own_brigades().filter(|(_, brigade)| brigade.is_fielded());
    let example = fielded.next().map(|(id, _)| id.number.to_string());
    let unit = |noun: Noun| match noun {
        Noun::Hq(id) => UnitId::Hq(id),
        noun => UnitId::Brigade(noun.brigade()),
    };
    let units = reach::asked(&line, kind, text, example.as_deref())?;
    Ok(units.into_iter().map(|(noun, span)| (unit(noun), span)).collect())
}

/// What can be ordered.
pub fn uses() -> Vec<OrderUse> {
    GRAMMAR.uses(|_| true)
}

/// What a commander can order in his battle, with examples: first what he can order now, then what nothing of his can do as things stand.
pub(crate) fn offered(rules: &Acw, view: &View) -> Vec<OrderUse> {
    if !view.orders_now() {
        return Vec::new();
    }
    let reader = Reader::new(rules, view);
    let can = |line: &String| {
        let doubtful = |remark: &Remark| remark.weight == Weight::Warning;
        matches!(reader.hear(line), Ok(Some(taken)) if !taken.remarks.iter().any(doubtful))
    };
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for one in uses() {
        let written =
            |now: bool| one.lines.iter().filter_map(move |line| examples::written(rules, view, line, now));
        let lines: Vec<_> = written(true).filter(can).map(Into::into).collect();
        if !lines.is_empty() {
            now.push(OrderUse { lines, ..one });
            continue;
        }
        let lines: Vec<_> = written(false).map(Into::into).collect();
        if lines.is_empty() {
            continue;
        }
        let lacks_hours = one.lines.iter().any(|line| examples::lacks_hours(rules, line));
        let told = OrderUse { lines, ..one };
        later.push(if lacks_hours {
            let does =
                format!("{}; that needs mail turns of several hours, and this game's are of one", told.does);
            OrderUse { does: does.into(), ..told }
        } else {
            told.not_now()
        });
    }
    now.into_iter().chain(later).collect()
}

/// What a lone line of a mail looks like, for players who write no order block.
pub fn likeness(rules: &Acw, line: &str) -> Likeness {
    likeness::of(rules, line)
}

/// Reads lines each by itself, whatever those beside it say.
pub struct Reader<'a>(Line<'a>);

/// The orders of a line that can be carried out, and what is said of it.
type Taken = set::Taken<Order>;

impl<'a> Reader<'a> {
    /// A reader of what one commander writes.
    pub fn new(rules: &'a Acw, view: &'a View) -> Self {
        Self(Line::new(rules, view))
    }

    /// The orders of a line.
    ///
    /// # Errors
    /// What can't be understood, or can't be done.
    pub fn understood(&self, line: &str) -> Result<Vec<Order>, Remark> {
        Ok(self.hear(line)?.map_or_else(Vec::new, |taken| taken.orders))
    }

    /// Reads a line; a refusal that names no part of it is of its first word.
    fn hear(&self, text: &str) -> Result<Option<Taken>, Remark> {
        let Some(heard) = order::read(&self.0, text)? else { return Ok(None) };
        let (start, length) = heard.verb;
        self.take(heard).map(Some).map_err(|why| if why.span.is_none() { why.at(start, length) } else { why })
    }

    /// Takes a line without what can't be done.
    fn take(&self, heard: Heard) -> Result<Taken, Remark> {
        let Line { rules, view, .. } = self.0;
        let mut remarks: Vec<Remark> = heard.doubt.into_iter().collect();
        let notes = heard.asked.iter().flat_map(|question| info::answer(rules, view, *question));
        remarks.extend(notes.map(|text| Remark::note(0, text)));
        if !heard.asked.is_empty() {
            return Ok(Taken { orders: Vec::new(), remarks });
        }
        self.timely()?;
        let (mut orders, mut refused) = (Vec::new(), Vec::new());
        for (order, span) in heard.orders {
            match check(rules, view, &order) {
                Ok(()) => orders.push(order),
                Err(why) => {
                    // What is wrong with where it leads to is shown there.
                    let is_goal =
                        matches!(why, Refusal::EnemyGround | Refusal::OffEdge | Refusal::Impassable);
                    let span = heard.goal.filter(|_| is_goal).or(span);
                    refused.push((order, span, why));
                }
            }
        }
        if orders.is_empty() {
            return Err(self.refusal(&refused, heard.all));
        }
        // `ALL` means those that can be told so.
        let left_out = if refused.is_empty() { None } else { Some(self.left_out(&refused, heard.all)) };
        remarks.extend(left_out);
        remarks.extend(self.useless(&orders[0]));
        Ok(Taken { orders, remarks })
    }

    /// Refuses an order out of its time.
    fn timely(&self) -> Result<(), Remark> {
        match self.0.view.phase {
            Phase::Over => Err(Remark::error(0, "The battle is over.")),
            Phase::Unfounded => Err(Remark::error(0, "The battle has not begun.")),
            Phase::Battle if self.0.view.side.is_none() => Err(Remark::error(0, "You command no army.")),
            Phase::Battle => Ok(()),
        }
    }

    /// A note on an order for later hours where there are none.
    fn useless(&self, order: &Order) -> Option<Remark> {
        let Line { rules, view, .. } = self.0;
        let waits = matches!(order, Order::If(..) | Order::StopOnContact(true));
        let one_hour = rules.choices().block == 1 || view.until == view.turn;
        (waits && one_hour).then(|| {
            Remark::note(0, "This mail turn is one hour: an order for its later hours comes to nothing.")
        })
    }

    /// The remark on a line of which nothing can be done.
    fn refusal(&self, refused: &[(Order, Option<Span>, Refusal)], all: bool) -> Remark {
        let Line { rules, view, .. } = self.0;
        let Some((order, span, why)) = refused.first() else {
            let remark = Remark::error(0, "None of your units can be ordered now.");
            return remark
                .hint("they go by what their commanders chose; your dispatch says who can be ordered");
        };
        let text = match refused {
            [_] => sentence(&format!("{}: {}.", cannot(rules, order), why::reason(why, false))),
            _ if all => format!("None of them can do that: {}.", self.reasons(refused)),
            _ => format!("{}.", sentence(&self.reasons(refused))),
        };
        let remark = Remark { span: *span, ..Remark::error(0, text) };
        let alike =
            refused.iter().all(|(_, _, other)| std::mem::discriminant(other) == std::mem::discriminant(why));
        match why::hint(rules, view, order, why).filter(|_| alike && refused.len() == 1) {
            Some(hint) => remark.hint(hint),
            None => remark,
        }
    }

    fn left_out(&self, refused: &[(Order, Option<Span>, Refusal)], all: bool) -> Remark {
        let text = format!("Left out: {}.", self.reasons(refused));
        match all {
            true => Remark::note(0, text),
            false => Remark { span: refused[0].1, ..Remark::warning(0, text) },
        }
    }

    /// Who can't be told what, and why: `3 Keyes and 4 Porter: they are not on the map; ...`.
    fn reasons(&self, refused: &[(Order, Option<Span>, Refusal)]) -> String {
        let mut groups: BTreeMap<[String; 2], Vec<UnitId>> = BTreeMap::new();
        for (order, _, why) in refused {
            let why = [false, true].map(|many| why::reason(why, many));
            groups.entry(why).or_default().extend(order.unit());
        }
        let told = groups.iter().map(|(why, units)| {
            format!("{}: {}", names(self.0.rules.battle(), units), why[usize::from(units.len() > 1)])
        });
        told.collect::<Vec<_>>().join("; ")
    }
}

/// What can't be: `7 Sherman can't assault`.
fn cannot(rules: &Acw, order: &Order) -> String {
    let battle = rules.battle();
    match order {
        Order::Goal(goal) => format!("your headquarters can't go to {}", words::goal(battle, *goal)),
        Order::Profile(profile) => format!("you can't be {}", profile.words()),
        Order::Command(id, command) => {
            format!("{} can't be told {}", words::hq(battle, *id), words::command(battle, *command))
        }
        Order::Brigade(id, act) => {
            format!("{} can't be told to {}", words::brigade(battle, *id), deed(rules, *act))
        }
        Order::If(id, ..) => format!("{} can't be told anything", words::brigade(battle, *id)),
        Order::StopOnContact(_) | Order::Resign => "you can't".to_owned(),
    }
}

/// What a brigade does, as in `told to ...`.
pub(crate) fn deed(rules: &Acw, act: crate::order::Act) -> String {
    use crate::order::Act;
    match act {
        Act::March(None) => "march in column".to_owned(),
        Act::March(Some(to)) => format!("march to {}", rules.battle().objective(to).name),
        Act::Deploy(way) => format!("deploy to the {}", crate::model::compass(way)),
        Act::Reserve => "go into reserve".to_owned(),
        act => words::act(rules.battle(), act),
    }
}

/// Whether an order can be given now.
fn check(rules: &Acw, view: &View, order: &Order) -> Result<(), Refusal> {
    let reach = |unit: UnitId| match view.orderable.contains(&unit) {
        true => Ok(()),
        false => Err(view.refused.get(&unit).cloned().unwrap_or(Refusal::NotYours)),
    };
    let Some(own) = view.hq else { return Err(Refusal::NotYours) };
    match order {
        Order::Goal(goal) => {
            if matches!(goal, Goal::Corps(id) if view.hq(*id).at.is_none()) {
                return Err(Refusal::OffMap);
            }
            law::goal(rules, &view.control, own.side, *goal)
        }
        Order::Profile(profile) => match own.is_army() {
            true => law::profile(&view.brigades, view.hq(own), *profile),
            false => Err(Refusal::NoArmy),
        },
        Order::Command(id, _) if id.is_army() => Err(Refusal::ArmyHq),
        Order::Command(id, command) => {
            reach(UnitId::Hq(*id))?;
            law::command(&view.holdings, own.side, *command)
        }
        Order::Brigade(id, act) => {
            reach(UnitId::Brigade(*id))?;
            law::act(rules, (*id, view.brigade(*id)), &view.hqs, *act)
        }
        Order::If(id, ..) => reach(UnitId::Brigade(*id)),
        Order::Resign if !own.is_army() => Err(Refusal::NoArmy),
        Order::StopOnContact(_) | Order::Resign => Ok(()),
    }
}
