//! Reading orders: `forms` is their grammar, which docs/lga/orders.md tells.
//!
//! A set is read in two passes: `line` understands each line by itself, then the orders are played through in the order
//! of their carrying out on what the seat knows ([`Plan`]), so that an answer counts moves and points as the player does.
//! Nothing but the view is looked at: a receipt tells nothing that the dispatch didn't.

pub(super) mod examples;
mod forms;
mod info;
mod likeness;
mod line;
mod nouns;
mod offers;
mod order;
pub(super) mod reactions;

pub use order::{written, written_reaction};

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::forms::{GRAMMAR, Kind, Verb};
use self::line::Line;
use self::nouns::Names;
use self::offers::Offers;
use self::order::{LineOrders, Marked, Who};
use super::data::Lga;
use super::known::Known;
use super::model::{Arm, UnitId};
use super::order::{Act, Guard, HexIs, Order, Stage, Standing};
use super::plan::{About, Doubt, Outlook, Plan};
use super::view::View;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, OrderUse, Placed, Reading, Remark, Weight};
use musterd_engine::tokens::Span;
use musterd_kit::reach;
use musterd_kit::set::{MOST_ORDERS, Remarks, is_too_long, lines_of};

/// Standing orders at most.
const MOST_REACTIONS: usize = 200;

/// Reads a set of orders against what its seat knows. Any text gives a reading.
pub fn read_orders(rules: &Lga, view: &View, text: &str) -> Reading<Order> {
    let known = Known::new(rules, view);
    play_through(rules, view, text, &mut Plan::new(rules, view, &known), &mut |_, _, _| {})
}

/// Called for each order that can be carried out, with its line, the order, and its outlook.
type Told<'t> = &'t mut dyn FnMut(usize, &Order, Outlook);

/// Reads a set of orders and plays it through on `plan`, the position as the seat knows it. `told` is called for each order except standing orders,
/// in the order in which they are carried out.
pub(super) fn play_through(
    rules: &Lga,
    view: &View,
    text: &str,
    plan: &mut Plan<'_>,
    told: Told<'_>,
) -> Reading<Order> {
    let mut reader = Reader::new(rules, view);
    for (number, line) in lines_of(text) {
        reader.line(number, line);
    }
    reader.finish(plan, told)
}

/// What a lone line of a mail looks like, for players who write no order block.
pub fn likeness(rules: &Lga, line: &str) -> Likeness {
    if is_too_long(line) { Likeness::Prose } else { likeness::of(&rules.spelling, line) }
}

/// The orders on one's own turn, each with its short form and other words for it; or the reactions on somebody else's.
pub fn uses(own_turn: bool) -> Vec<OrderUse> {
    GRAMMAR.uses(|verb| verb.is_reaction() != own_turn)
}

/// The orders that a seat may give now: on its own turn all that its nations have a use for, else only reactions.
pub fn offered(rules: &Lga, view: &View) -> Vec<OrderUse> {
    let aids = rules.setting.donor().is_some_and(|donor| view.commands(donor));
    let own = |verb: Verb| !verb.is_reaction() && (aids || verb != Verb::Aid);
    let own = if view.phasing == Some(view.side) { GRAMMAR.uses(own) } else { Vec::new() };
    let worst =
        |set: &str| read_orders(rules, view, set).remarks.into_iter().map(|remark| remark.weight).min();
    let offers = Offers::of(rules, view, &worst);
    own.into_iter().chain(uses(false)).map(|one| offers.adapted(one)).collect()
}

/// Reads the units on the map that a seat asks about, named as in its orders, each with its place in the text.
///
/// # Errors
/// The text names none, or too many.
pub(super) fn asked(rules: &Lga, view: &View, text: &str) -> Result<Vec<(UnitId, Span)>, Remark> {
    let names = Names::new(rules, view);
    let example = view.mine().next().map(|unit| unit.id.to_string());
    let units = reach::asked(&names, |_| Kind::Field, text, example.as_deref())?;
    Ok(units.into_iter().map(|(noun, span)| (noun.unit(), span)).collect())
}

/// A `STANDING` section or its scattered lines, as far as read.
#[derive(Default)]
struct Section {
    /// Whether lines now stand in it.
    open: bool,
    /// The first line that speaks of standing orders.
    first: Option<usize>,
    /// Whether it was emptied in so many words.
    none: bool,
    /// The reactions, each with its line.
    file: Vec<(usize, Marked<Standing>)>,
}

struct Reader<'a> {
    rules: &'a Lga,
    view: &'a View,
    names: Names<'a>,
    lines: Vec<(usize, LineOrders)>,
    count: usize,
    section: Section,
    /// Where each headquarters that marches is named last.
    headquarters: BTreeMap<UnitId, (usize, Span)>,
    remarks: Remarks,
}

impl<'a> Reader<'a> {
    fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self {
            rules,
            view,
            names: Names::new(rules, view),
            lines: Vec::new(),
            count: 0,
            section: Section::default(),
            headquarters: BTreeMap::new(),
            remarks: Remarks::default(),
        }
    }

    fn line(&mut self, number: usize, text: Result<&str, Remark>) {
        let bare = match text {
            Ok(bare) => bare,
            Err(remark) => return self.remarks.push(remark),
        };
        match line::read(&self.names, bare, self.section.open) {
            Ok(None) => {}
            Ok(Some(line)) => self.understood(number, line),
            Err(remark) => {
                self.remarks.push(Remark { line: number, ..remark });
                if self.remarks.is_full(Weight::Error) {
                    self.names.suggest_no_more();
                }
            }
        }
    }

    fn understood(&mut self, number: usize, line: Line) {
        match line {
            Line::Command(command) => {
                let orders = if let Who::Named(units) = &command.who { units.len() } else { 1 };
                if self.has_room(number, orders) {
                    self.lines.push((number, command));
                }
            }
            Line::Reactions(reactions) => {
                if !self.section.open && self.section.first.is_none() {
                    let text = "This set replaces all your standing orders.";
                    self.remarks.push(Remark::note(number, text));
                }
                self.section.first.get_or_insert(number);
                for reaction in reactions {
                    if self.section.file.len() < MOST_REACTIONS {
                        self.section.file.push((number, reaction));
                    } else {
                        let text =
                            format!("A standing file has at most {MOST_REACTIONS} lines: this is too many.");
                        self.remarks.push(Remark::error(number, text));
                    }
                }
            }
            Line::SectionBegins => {
                self.section.open = true;
                self.section.first.get_or_insert(number);
            }
            Line::SectionEmpty => {
                self.section.none = true;
                self.section.first.get_or_insert(number);
                if !self.section.file.is_empty() {
                    let text = "STANDING NONE takes back the standing orders above it.";
                    self.remarks.push(Remark::warning(number, text));
                    self.section.file.clear();
                }
            }
            Line::SectionEnds => self.section.open = false,
            Line::Info(hexes, unknown) => {
                for hex in hexes {
                    self.remarks.push(Remark::note(number, info::about(self.rules, self.view, hex)));
                }
                for remark in unknown {
                    // Only an answer is missing.
                    self.remarks.push(Remark { line: number, weight: Weight::Warning, ..remark });
                }
                if self.remarks.is_full(Weight::Warning) {
                    self.names.suggest_no_more();
                }
            }
        }
    }

    /// Whether the set may have this number of additional orders.
    fn has_room(&mut self, number: usize, orders: usize) -> bool {
        self.count = self.count.saturating_add(orders);
        let fits = self.count <= MOST_ORDERS;
        if !fits {
            // Lines are counted in the order in which they are carried out: those below may still fit.
            let text = format!("A set has at most {MOST_ORDERS} orders: this one is too many.");
            self.remarks.push(Remark::error(number, text));
        }
        fits
    }

    /// Plays the orders through, and reports the results.
    fn finish(mut self, plan: &mut Plan<'_>, told: Told<'_>) -> Reading<Order> {
        let commands = self.in_turn();
        let mut orders = Vec::with_capacity(commands.len() + 1);
        for (number, command) in commands {
            let played = match command.who {
                Who::All { at, span } => self.played_by_all(plan, told, number, (&command, at, span)),
                Who::Nation(_) | Who::Named(_) => self.played(plan, told, number, command.each()),
            };
            orders.extend(played.into_iter().map(|marked| Placed { line: number, order: marked.order }));
        }
        for (unit, (number, span)) in std::mem::take(&mut self.headquarters) {
            if let Some(doubt) = plan.stranded(unit) {
                self.remarks.push(doubt.at(number, |_| span));
            }
        }
        if let Some(first) = self.section.first {
            let file = self.standing_file(plan, first);
            let order = Order { guard: None, act: Act::Standing { file } };
            orders.push(Placed { line: first, order });
        }
        // They were played in the order in which they are carried out. Orders of the same line keep their order.
        orders.sort_by_key(|placed| placed.line);
        Reading { orders, remarks: self.remarks.finish() }
    }

    /// The lines in the order in which they are carried out; none of them on somebody else's turn.
    fn in_turn(&mut self) -> Vec<(usize, LineOrders)> {
        let mut lines = std::mem::take(&mut self.lines);
        if self.view.phasing != Some(self.view.side) {
            let why = match self.view.phasing {
                Some(side) => format!("It is the {side} turn: only standing orders are taken now."),
                None => "The game is over: no orders are taken.".to_owned(),
            };
            for (number, command) in lines {
                let (start, length) = command.span();
                let hint = "STANDING begins your reactions on that turn";
                let remark = Remark::error(number, why.clone()).at(start, length);
                self.remarks.push(if self.view.phasing.is_some() { remark.hint(hint) } else { remark });
            }
            return Vec::new();
        }
        let mut latest = Stage::Aid;
        for (number, command) in &lines {
            let stage = command.stage;
            if stage < latest && stage < Stage::Field {
                let text = match stage {
                    Stage::Aid => "Aid is given before anything else, though it stands here.",
                    _ => "Building and rallying come before the units act, though they stand here.",
                };
                self.remarks.push(Remark::note(*number, text));
                break;
            }
            latest = latest.max(stage);
        }
        lines.sort_by_key(|(_, command)| command.stage);
        lines
    }

    /// Plays one line on the plan: all of its orders, or none of them if one can't be carried out.
    fn played(
        &mut self,
        plan: &mut Plan<'_>,
        told: Told<'_>,
        number: usize,
        orders: Vec<Marked>,
    ) -> Vec<Marked> {
        // An order that can't be carried out leaves the plan unchanged, but the orders before it on its line don't.
        let before = (orders.len() > 1).then(|| plan.clone());
        let mut outlooks = Vec::with_capacity(orders.len());
        for marked in &orders {
            match plan.carry_out(number, &marked.order) {
                Ok(outlook) => outlooks.push(outlook),
                Err(objection) => {
                    self.remarks.push(named(plan, marked, orders.len() > 1, number, objection));
                    if let Some(before) = before {
                        *plan = before;
                    }
                    return Vec::new();
                }
            }
        }
        for (outlook, marked) in outlooks.into_iter().zip(&orders) {
            self.foreseen(plan, told, number, outlook, (marked, orders.len() > 1));
        }
        orders
    }

    /// Plays an order to all, for each unit separately. Units that can't carry it out are left out, with the reason; it is an error only if no unit
    /// can.
    fn played_by_all(
        &mut self,
        plan: &mut Plan<'_>,
        told: Told<'_>,
        number: usize,
        (all, at, span): (&LineOrders, Option<Hex>, Span),
    ) -> Vec<Marked> {
        let units = plan.everyone(at, &all.act);
        // One order was counted for the line.
        if !self.has_room(number, units.len().saturating_sub(1)) {
            return Vec::new();
        }
        let several = units.len() > 1;
        let (mut orders, mut left_out) = (Vec::new(), Vec::new());
        for unit in units {
            let marked = all.order((unit, span));
            match plan.carry_out(number, &marked.order) {
                Ok(outlook) => {
                    self.foreseen(plan, told, number, outlook, (&marked, several));
                    orders.push(marked);
                }
                Err(objection) => left_out.push((marked, objection)),
            }
        }
        if orders.is_empty() {
            let remark = match left_out.into_iter().next() {
                Some((marked, objection)) => named(plan, &marked, several, number, objection),
                None => Remark { line: number, ..GRAMMAR.lacking(&self.names, all.verb, "all", span) },
            };
            self.remarks.push(remark);
            return orders;
        }
        for (marked, objection) in left_out {
            let remark = named(plan, &marked, several, number, objection);
            let text = format!("Left out of ALL: {}", remark.text);
            self.remarks.push(Remark { weight: Weight::Warning, text, ..remark });
        }
        orders
    }

    /// Notes things that may not go as meant, and reports the rest.
    fn foreseen(
        &mut self,
        plan: &Plan<'_>,
        told: Told<'_>,
        number: usize,
        mut outlook: Outlook,
        (marked, several): (&Marked, bool),
    ) {
        for doubt in std::mem::take(&mut outlook.doubts) {
            self.remarks.push(named(plan, marked, several, number, doubt));
        }
        if let Act::Move { unit, .. } = marked.order.act
            && let Some(hq) = plan.piece(unit).filter(|piece| piece.kind.arm == Arm::Hq)
        {
            // `IF Ulm CONTROLLED MOVE NAPOLEON TO Ulm`: the headquarters goes only if its goal belongs to its side by then.
            let safe = |guard: Guard| guard.is == HexIs::Controlled && guard.hex == hq.hex;
            if marked.order.guard.is_some_and(safe) {
                self.headquarters.remove(&unit);
            } else {
                self.headquarters.insert(unit, (number, marked.unit_span));
            }
        }
        told(number, &marked.order, outlook);
    }

    fn standing_file(&mut self, plan: &Plan<'_>, first: usize) -> Vec<Placed<Standing>> {
        let in_force = self.view.standing.len();
        if self.section.file.is_empty() && !self.section.none && in_force > 0 {
            let text = format!("The STANDING section is empty: your {in_force} standing orders end.");
            self.remarks
                .push(Remark::warning(first, text).hint("STANDING NONE says so without this warning"));
        }
        let mut file: Vec<Placed<Standing>> = Vec::new();
        for (number, marked) in std::mem::take(&mut self.section.file) {
            let span = |about| marked.span(about);
            match reactions::check(self.rules, self.view, plan, &marked.order) {
                Err(objection) => self.remarks.push(objection.at(number, span)),
                Ok(_) if file.iter().any(|other| other.order.line == marked.order.line) => {
                    let same = Doubt::warning(About::Unit, "The same standing order stands above.");
                    self.remarks.push(same.at(number, span));
                }
                Ok(doubts) => {
                    for doubt in doubts {
                        self.remarks.push(doubt.at(number, span));
                    }
                    file.push(Placed { line: number, order: marked.order });
                }
            }
        }
        file
    }
}

/// The remark on a doubt about an order of a line; where it is for one of several units, with the unit's name added if it lacks it.
fn named(plan: &Plan<'_>, marked: &Marked, several: bool, line: usize, doubt: Doubt) -> Remark {
    let remark = doubt.at(line, |about| marked.span(about));
    let name = marked.order.act.unit().filter(|_| several).map(|unit| plan.name(unit));
    match name.filter(|name| !remark.text.contains(name.as_ref())) {
        Some(name) => Remark { text: format!("{name}: {}", remark.text), ..remark },
        None => remark,
    }
}
