//! The order form of a dispatch: whom the commander can order, with what each does now, ready to edit. Engaged brigades come first.

use musterd_kit::form::{HOW_TO, shortened};

use crate::data::Acw;
use crate::law;
use crate::model::{BrigadeId, HqId};
use crate::order::{Act, Command, Goal, Order, When};
use crate::read::{deed, written};
use crate::state::Brigade;
use crate::view::View;
use crate::words;

/// The form, without its frame. Sent back as it is, it changes nothing: what stands is told again, and the rest are comments.
pub(crate) fn form(rules: &Acw, view: &View) -> Vec<String> {
    let Some(own) = view.hq.filter(|_| view.orders_now()) else { return Vec::new() };
    let mut lines =
        vec![HOW_TO.to_owned(), "# Whoever is told nothing goes by what his commanders chose.".to_owned()];
    let writer = Writer { rules, view };
    let engaged: Vec<BrigadeId> = writer.brigades(true);
    if !engaged.is_empty() {
        lines.push("# Engaged:".to_owned());
        lines.extend(engaged.into_iter().flat_map(|id| writer.engaged(id)));
    }
    lines.extend(writer.army(own));
    let hqs = view.own_hqs().map(|(id, _)| id).filter(|id| view.can_command(*id) && !id.is_army());
    let hqs: Vec<HqId> = hqs.collect();
    if !hqs.is_empty() {
        lines.push("# Headquarters that you can command:".to_owned());
        lines.extend(hqs.into_iter().flat_map(|id| writer.hq(id)));
    }
    let free = writer.brigades(false);
    if !free.is_empty() {
        lines.push("# Brigades that you can order:".to_owned());
        lines.extend(free.into_iter().flat_map(|id| writer.free(id)));
    }
    lines.extend(writer.left());
    lines
}

struct Writer<'a> {
    rules: &'a Acw,
    view: &'a View,
}

impl Writer<'_> {
    /// The brigades that can be ordered, engaged or not.
    fn brigades(&self, engaged: bool) -> Vec<BrigadeId> {
        let own = self.view.own_brigades().filter(|(id, one)| self.view.can_order(*id) && one.is_fielded());
        own.filter(|(_, one)| one.engaged().is_some() == engaged).map(|(id, _)| id).collect()
    }

    fn line(&self, order: &Order) -> String {
        written(self.rules.battle(), order)
    }

    /// An order as a comment.
    fn offer(&self, order: &Order) -> String {
        format!("# {}", self.line(order))
    }

    fn may(&self, id: BrigadeId, act: Act) -> bool {
        law::act(self.rules, (id, self.view.brigade(id)), &self.view.hqs, act).is_ok()
    }

    /// An engaged brigade: what its commanders chose, and what else it can do.
    fn engaged(&self, id: BrigadeId) -> Vec<String> {
        let brigade = self.view.brigade(id);
        let Some(target) = brigade.target else { return Vec::new() };
        let state = self.state(id, brigade);
        let at = words::place(self.rules.battle(), target.at);
        let mut lines = vec![shortened(format!("# {state}, against {at}"))];
        if brigade.surprised {
            lines.push("#   surprised: it takes no orders this turn".to_owned());
            return lines;
        }
        let mut acts = Act::ENGAGED;
        acts.sort_by_key(|act| *act != brigade.act);
        let can = acts.into_iter().filter(|act| self.may(id, *act));
        lines.extend(can.map(|act| {
            let chosen = if act == brigade.act { "   # as its commanders chose" } else { "" };
            self.offer(&Order::Brigade(id, act)) + chosen
        }));
        lines
    }

    /// `3 Keyes in 1908: 2200 men, cohesion 6, column`.
    fn state(&self, id: BrigadeId, brigade: &Brigade) -> String {
        let battle = self.rules.battle();
        let at = brigade.at.map_or_else(String::new, |at| format!(" in {}", words::place(battle, at)));
        let shattered = if brigade.shattered { ", shattered" } else { "" };
        format!(
            "{}{at}: {} men, cohesion {}{shattered}, {}",
            words::brigade(battle, id),
            brigade.men,
            brigade.cohesion,
            deed(self.rules, brigade.act)
        )
    }

    /// A brigade that is free to manoeuvre.
    fn free(&self, id: BrigadeId) -> Vec<String> {
        let brigade = self.view.brigade(id);
        let mut lines = vec![shortened(format!("# {}", self.state(id, brigade)))];
        let battle = self.rules.battle();
        let objective = brigade.objective.or_else(|| battle.objectives().next().map(|(id, _)| id));
        let march = Act::March(objective.filter(|_| battle.is_independent(id)));
        let other = if brigade.act == Act::Stand { march } else { Act::Stand };
        // A brigade of no division keeps the objective that it has.
        let now = if matches!(brigade.act, Act::March(_)) { march } else { brigade.act };
        let acts = [now, other];
        let can = acts.into_iter().filter(|act| self.may(id, *act));
        lines.extend(can.map(|act| self.offer(&Order::Brigade(id, act))));
        lines
    }

    /// The commander himself: where he goes and how he leads stand as they are.
    fn army(&self, own: HqId) -> Vec<String> {
        let hq = self.view.hq(own);
        let mut lines = Vec::new();
        if let Some(at) = hq.at {
            let at = words::place(self.rules.battle(), at);
            lines.push(shortened(format!("# Your headquarters in {at}:")));
            let goal = Order::Goal(hq.goal);
            let stands = law::goal(self.rules, &self.view.control, own.side, hq.goal).is_ok();
            lines.push(if stands { self.line(&goal) } else { self.offer(&Order::Goal(Goal::Stand)) });
        }
        if let Some(chief) = self.view.chief.filter(|_| own.is_army()) {
            let stands = law::profile(&self.view.brigades, hq, chief.profile).is_ok();
            let profile = if stands { chief.profile } else { crate::model::Profile::Sensible };
            lines.push(self.line(&Order::Profile(profile)));
        }
        lines
    }

    /// A headquarters with its command; what it has can't always be told again.
    fn hq(&self, id: HqId) -> Vec<String> {
        let (battle, hq) = (self.rules.battle(), self.view.hq(id));
        let now = hq.pending.unwrap_or(hq.command);
        let at = hq.at.map_or_else(String::new, |at| format!(" in {}", words::place(battle, at)));
        let begun = match (hq.pending.is_some(), hq.arrived) {
            (true, _) => ", told and not begun",
            (false, true) => ", arrived",
            (false, false) => "",
        };
        let command = words::command(battle, now);
        let mut lines = vec![shortened(format!("# {}{at}: {command}{begun}", words::hq(battle, id)))];
        if law::command(&self.view.holdings, id.side, now).is_ok() {
            lines.push(self.offer(&Order::Command(id, now)));
        }
        if now != Command::Reserve {
            lines.push(self.offer(&Order::Command(id, Command::Reserve)));
        }
        lines
    }

    /// What was left for later hours: told again, as a set replaces the one before.
    fn left(&self) -> Vec<String> {
        if self.rules.choices().block == 1 {
            return Vec::new();
        }
        let mut lines = vec!["# For later hours of this mail turn:".to_owned()];
        for (id, ifs) in &self.view.ifs {
            let can = self.view.can_order(*id);
            let told = ifs.iter().map(|(when, act)| Order::If(*id, *when, *act));
            lines.extend(told.map(|order| if can { self.line(&order) } else { self.offer(&order) }));
        }
        let first = self.view.own_brigades().map(|(id, _)| id).find(|id| self.view.can_order(*id));
        if let Some(id) = first.filter(|_| self.view.ifs.is_empty()) {
            lines.push(self.offer(&Order::If(id, When::Engaged, Act::Skirmish)));
            lines.push(self.offer(&Order::If(id, When::Shaken, Act::Withdraw)));
        }
        lines.push(self.offer(&Order::StopOnContact(true)));
        lines
    }
}
