//! What happened since the last report, put in order: deeds with all that came of each, marches joined over the time-points, orders that came to
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Item, Part, Table};
use musterd_engine::hex::Hex;
use musterd_kit::tell::{Account, March};
use musterd_report::text::sentence;

use crate::data::Sa;
use crate::event::{Blow, Cause, Change, Check, Departure, Event, Nerve, Refusal, Why};
use crate::fog::Sight;
use crate::model::{Side, UnitId};
use crate::order::Act;
use crate::view::View;

use super::figures;
use super::places::Places;
use super::words::{self, called, listed, place};

/// What is told of all that are deployed.
const PLACED: &str = "Units are placed anew.";
/// What a summary tells of a unit that rallied.
const RALLIED: &str = "rallied";

/// All that happened.
pub(super) struct Deeds<'a> {
    rules: &'a Sa,
    /// Whether the figures of fights and checks are told.
    detail: bool,
    places: Places,
    /// The units that were deployed or changed places with one that was: where each stood before, and where it stands now.
    placed: BTreeMap<UnitId, (Option<Hex>, Hex)>,
    point: u16,
    /// What was done, in its order.
    pub(super) told: Vec<Deed>,
    /// Where the told deeds were.
    pub(super) where_to_look: BTreeSet<Hex>,
    /// Marches and, apart from them, flights of units.
    marches: Account<'a, (UnitId, bool), ()>,
    /// Draws between units that were due at one time-point.
    draws: Vec<String>,
    /// What became of own orders.
    orders: Vec<Item>,
    /// The tasks that the last of these tells of, if it tells of any that came to nothing.
    skips: Option<Skips>,
    /// Own units that still wait for a friend in their way.
    waits: BTreeMap<UnitId, Item>,
    /// The check that a unit passed before its attack.
    passed: Option<(UnitId, String)>,
    /// Melees, and exchanges of fire.
    pub(super) fights: [u32; 2],
    /// How many of them each side won.
    pub(super) won: [u32; 2],
    /// The men that each unit lost in them.
    pub(super) lost: BTreeMap<UnitId, u32>,
    /// The most men that fell to one blow: how many, whose, and to whom.
    pub(super) costliest: Option<(u32, UnitId, UnitId)>,
}

/// Tasks of a unit that came to nothing at one time-point, all for one reason.
struct Skips {
    point: u16,
    unit: UnitId,
    /// The first of them.
    act: Act,
    why: Refusal,
    /// How many came after it.
    more: usize,
}

/// Something that was done, with all that came of it.
#[derive(Default)]
pub(super) struct Deed {
    /// When.
    pub(super) point: u16,
    text: String,
    details: Vec<String>,
    /// Whom it is about.
    units: Vec<UnitId>,
    /// The men that each of two who fought lost.
    fell: Vec<(UnitId, u32)>,
    /// Whether it is a fight.
    is_fight: bool,
    /// Who won.
    pub(super) winner: Option<UnitId>,
    /// Who ran, in this order.
    pub(super) ran: Vec<UnitId>,
    /// What those who saw it made of it: of several checks the worst, and until when they halt.
    saw: BTreeMap<UnitId, (Nerve, u16)>,
    /// Who was destroyed.
    pub(super) destroyed: Vec<UnitId>,
    /// Who did what else that a summary tells: `cast Courage`.
    pub(super) news: Option<(UnitId, String)>,
}

impl<'a> Deeds<'a> {
    /// The deeds in these sights, as a commander with this view tells of them.
    pub(super) fn of(rules: &'a Sa, view: &View, sights: &[Sight]) -> Self {
        let mut deeds = Self {
            rules,
            detail: view.taste.detail,
            places: Places::before(rules, view, sights),
            placed: BTreeMap::new(),
            point: 0,
            told: Vec::new(),
            where_to_look: BTreeSet::new(),
            marches: Account::new(|_| String::new()),
            draws: Vec::new(),
            orders: Vec::new(),
            skips: None,
            waits: BTreeMap::new(),
            passed: None,
            fights: [0; 2],
            won: [0; 2],
            lost: BTreeMap::new(),
            costliest: None,
        };
        for sight in sights {
            deeds.event(sight.event());
            deeds.places.follow(sight.event());
        }
        deeds.tell_placed();
        deeds
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Ticked { point } => self.point = *point,
            Event::Deployed { unit, at } => self.deployed(*unit, *at),
            Event::Moved { unit, way, to, .. } => self.step(*unit, false, way.0.opposite(), *to),
            Event::Fled { unit, way, to, .. } => self.step(*unit, true, way.0.opposite(), *to),
            Event::Fought { attacker, defender, won, .. } => self.fought(attacker, defender, *won),
            Event::Fired { attacker, defender, answered, won, .. } => {
                self.fired(attacker, defender, *answered, *won);
            }
            Event::Checked { unit, why, check, next } => self.checked(*unit, *why, check, *next),
            Event::Routed { unit, cause, .. } => self.routed(*unit, *cause),
            Event::Cornered { unit, .. } => {
                let at = self.at(*unit);
                self.tell(format!("{} runs, and is cornered{at}.", called(self.rules, *unit)));
            }
            Event::Left { unit, how, .. } => self.left(*unit, *how),
            Event::Rallied { unit } => self.rallied(*unit),
            Event::Cast { unit, spell, points, until, .. } => {
                let until = until.map_or_else(String::new, |until| format!(", until time-point {until}"));
                let who = called(self.rules, *unit);
                let name = spell.words();
                self.tell(format!("{who} casts {name} with {}{until}.", count(*points, "point"))).news =
                    Some((*unit, format!("cast {name}")));
            }
            Event::Likened { unit, likeness, at, real, .. } => self.likened(*unit, *likeness, *at, *real),
            Event::Vanished { unit, .. } => {
                self.was_nobody(*unit);
                let text = format!("{} was a likeness, and is gone.", called(self.rules, *unit));
                self.tell_with(*unit, &text).news = Some((*unit, "vanished as a likeness does".to_owned()));
            }
            Event::Arrived { unit, at, .. } => {
                let who = called(self.rules, *unit);
                let text = format!("{who} comes onto the field in {}.", place(self.rules, *at));
                self.tell(text).news = Some((*unit, "came onto the field".to_owned()));
            }
            Event::Wavered { unit, die, deserts } => {
                let outcome = if *deserts { "" } else { ", and stays true" };
                let text = format!("{} wavers{outcome}.", called(self.rules, *unit));
                let deed = self.tell(text);
                deed.units.push(*unit);
                deed.details.push(format!("die {die}"));
            }
            Event::Skipped { unit, act, why } => self.skipped(*unit, *act, *why),
            Event::Waited { unit, act, friend } => {
                let (who, act) = (called(self.rules, *unit), words::act(self.rules, *act));
                let friend = called(self.rules, *friend);
                let text = format!("At {}, {who} waits to {act}: {friend} is in its way.", self.point);
                self.waits.insert(*unit, Item::of(text));
            }
            Event::Triggered { unit, trigger, stance } => {
                let (who, stance) = (called(self.rules, *unit), words::stance(self.rules, *stance));
                self.order(&format!("{who} is to {stance} from now on: {}.", trigger.words()));
            }
            Event::Drawn { point, order } => self.draws.push(format!("{point}: {}", listed(order))),
            Event::Amended { change } => {
                let text = self.amended(change);
                self.tell(text);
            }
            Event::Began { .. }
            | Event::Told { .. }
            | Event::Reported { .. }
            | Event::Held { .. }
            | Event::Stood { .. }
            | Event::Done { .. }
            | Event::Paused { .. }
            | Event::Ended { .. } => {}
        }
    }

    /// Begins a deed.
    fn tell(&mut self, text: String) -> &mut Deed {
        self.told.push(Deed { point: self.point, text, ..Deed::default() });
        let last = self.told.len() - 1;
        &mut self.told[last]
    }

    /// A unit was placed: all of them are one deed, of what comes of it in the end.
    fn deployed(&mut self, unit: UnitId, at: Hex) {
        if self.placed.is_empty() {
            self.tell(PLACED.to_owned());
        }
        for (unit, at) in self.places.deployed(unit, at) {
            self.placed.entry(unit).or_insert((self.places.of(unit), at)).1 = at;
        }
    }

    /// Tells who was placed elsewhere than it stood, if anybody was.
    fn tell_placed(&mut self) {
        let moved = self.placed.iter().filter(|(_, (from, at))| *from != Some(*at));
        let details = moved
            .map(|(unit, (_, at))| format!("{} in {}", called(self.rules, *unit), place(self.rules, *at)));
        let details: Vec<String> = details.collect();
        let Some(index) = self.told.iter().position(|deed| deed.text == PLACED) else { return };
        if details.is_empty() {
            self.told.remove(index);
        } else {
            self.told[index].details = details;
        }
    }

    /// The deed that something belongs to that happens to this unit: the last one of this time-point if the unit has a part in it.
    fn same(&mut self, unit: UnitId) -> Option<&mut Deed> {
        let point = self.point;
        self.told.last_mut().filter(|deed| deed.point == point && deed.has_part(unit))
    }

    /// A sentence on a unit, in the deed that it belongs to or in one of its own.
    fn tell_with(&mut self, unit: UnitId, sentence: &str) -> &mut Deed {
        if self.same(unit).is_none() {
            self.tell(String::new());
        }
        let last = self.told.len() - 1;
        let deed = &mut self.told[last];
        deed.say(sentence);
        deed
    }

    /// A task came to nothing; those after it that come to nothing at the same time for the same reason are told with it.
    fn skipped(&mut self, unit: UnitId, act: Act, why: Refusal) {
        let run = self.skips.take().filter(|run| (run.point, run.unit, run.why) == (self.point, unit, why));
        let run = match run {
            Some(run) => {
                self.orders.pop();
                Skips { more: run.more + 1, ..run }
            }
            None => Skips { point: self.point, unit, act, why, more: 0 },
        };
        let (who, act) = (called(self.rules, unit), words::act(self.rules, run.act));
        let (more, why) = (words::more_tasks("and", run.more), words::refusal(self.rules, &why));
        self.order(&format!("{who} was to {act}{more}: {why}."));
        self.skips = Some(run);
    }

    fn order(&mut self, text: &str) {
        self.skips = None;
        self.orders.push(Item::of(format!("At {}, {text}", self.point)));
    }

    fn step(&mut self, unit: UnitId, flees: bool, back: musterd_engine::hex::Direction, to: Hex) {
        self.waits.remove(&unit);
        if let Some(from) = to.step(back) {
            self.marches.step(&(unit, flees), from, to);
        }
    }

    /// ` in 1207`, where it is known.
    fn at(&self, unit: UnitId) -> String {
        self.places.of(unit).map_or_else(String::new, |at| format!(" in {}", place(self.rules, at)))
    }

    fn look_at(&mut self, unit: UnitId) {
        self.where_to_look.extend(self.places.of(unit));
    }

    fn fought(&mut self, attacker: &Blow, defender: &Blow, won: Option<UnitId>) {
        let (one, other) = (called(self.rules, attacker.unit), called(self.rules, defender.unit));
        let result = match won {
            Some(winner) if winner == attacker.unit => " and wins",
            Some(_) => " and is beaten",
            None => ", and neither wins",
        };
        // In rout it can't win, whatever it kills (SA-19).
        let result = match (self.places.routs(defender.unit), won) {
            (false, _) => result.to_owned(),
            (true, Some(_)) => format!(", which is in rout,{result}"),
            (true, None) => ", which is in rout and can't win: neither does".to_owned(),
        };
        let passed = self.passed.take().filter(|(unit, _)| *unit == attacker.unit);
        let text = format!("{one} attacks {other}{}{result}", self.at(defender.unit));
        let details = [figures::blow(self.rules, attacker, true), figures::blow(self.rules, defender, true)];
        self.exchange(
            [attacker, defender],
            won,
            &text,
            passed.map(|(_, check)| check).into_iter().chain(details),
        );
        self.fights[0] += 1;
    }

    fn fired(&mut self, attacker: &Blow, defender: &Blow, answered: bool, won: Option<UnitId>) {
        let (one, other) = (called(self.rules, attacker.unit), called(self.rules, defender.unit));
        let back = match (answered, won) {
            (false, None) => "",
            (false, Some(_)) => " and wins",
            (true, None) => " fires back",
            (true, Some(winner)) if winner == defender.unit => " fires back and wins",
            (true, Some(_)) => " fires back and loses",
        };
        let back = match (self.places.routs(defender.unit), answered) {
            (false, false) => back.to_owned(),
            (false, true) => format!(", who{back}"),
            (true, false) if back.is_empty() => ", who is in rout".to_owned(),
            (true, _) => format!(", who is in rout,{back}"),
        };
        let text = format!("{one} fires at {other}{}{back}", self.at(defender.unit));
        let mut details = vec![figures::blow(self.rules, attacker, false)];
        if answered {
            details.push(figures::blow(self.rules, defender, false));
        }
        self.exchange([attacker, defender], won, &text, details.into_iter());
        self.fights[1] += 1;
    }

    /// What melee and fire have in common: both strengths before and after, the figures, the sums.
    fn exchange(
        &mut self,
        blows: [&Blow; 2],
        won: Option<UnitId>,
        text: &str,
        details: impl Iterator<Item = String>,
    ) {
        let strength = |blow: &Blow| match blow.lost {
            0 => format!("{} {}", blow.unit, words::men(blow.men)),
            lost => {
                let left = words::men(blow.men.saturating_sub(lost));
                format!("{} {} to {left}", blow.unit, blow.men)
            }
        };
        let details: Vec<String> = details.filter(|_| self.detail).collect();
        let deed = self.tell(format!("{text}: {}, {}.", strength(blows[0]), strength(blows[1])));
        deed.details = details;
        deed.units = blows.map(|blow| blow.unit).to_vec();
        deed.fell = blows.map(|blow| (blow.unit, blow.lost)).to_vec();
        deed.is_fight = true;
        deed.winner = won;
        for (blow, foe) in [(blows[0], blows[1]), (blows[1], blows[0])] {
            *self.lost.entry(blow.unit).or_default() += blow.lost;
            self.look_at(blow.unit);
            if self.costliest.is_none_or(|(most, ..)| blow.lost > most) {
                self.costliest = Some((blow.lost, blow.unit, foe.unit));
            }
        }
        if let Some(winner) = won {
            self.won[winner.side.index()] += 1;
        }
    }

    /// A unit that was struck is seen to be a likeness: the men that it lost were nobody.
    fn was_nobody(&mut self, unit: UnitId) {
        let fell = self.same(unit).map_or_else(Vec::new, |deed| std::mem::take(&mut deed.fell));
        for (_, fell) in fell.into_iter().filter(|(struck, _)| *struck == unit) {
            self.lost.entry(unit).and_modify(|lost| *lost = lost.saturating_sub(fell));
        }
    }

    fn checked(&mut self, unit: UnitId, why: Why, check: &Check, next: Option<u16>) {
        let detail = figures::check(self.rules, unit, check);
        let shown: Vec<String> = Some(detail.clone()).filter(|_| self.detail).into_iter().collect();
        let who = called(self.rules, unit);
        let until = next.map_or_else(String::new, |next| format!(" until {next}"));
        match (why, check.result) {
            (Why::Attack, Nerve::Orders) => self.passed = Some((unit, detail)),
            (Why::Attack, Nerve::Halt) => {
                self.tell(format!("{who} is to attack and won't: it halts{until}.")).details = shown;
            }
            (Why::Attack, Nerve::Rout) => {
                let deed = self.tell(format!("{who} is to attack, and its nerve fails: it runs."));
                deed.details = shown;
                deed.ran.push(unit);
                self.look_at(unit);
            }
            (Why::Rout(_), result) => {
                let seen =
                    self.told.last_mut().filter(|deed| deed.point == self.point && !deed.ran.is_empty());
                let deed = match seen {
                    Some(deed) => deed,
                    None => self.tell(format!("{who} sees a rout.")),
                };
                deed.details.extend(shown);
                let saw = deed.saw.entry(unit).or_insert((Nerve::Orders, 0));
                *saw = (saw.0.min(result), saw.1.max(next.unwrap_or_default()));
                if result == Nerve::Rout {
                    deed.ran.push(unit);
                }
            }
            (Why::Rally, Nerve::Rout) => {
                if self.detail {
                    self.tell(format!("{who} can't be rallied, and runs on.")).details = shown;
                }
            }
            (Why::Rally, result) => {
                let halts = if result == Nerve::Halt { format!(", and halts{until}") } else { String::new() };
                let at = self.at(unit);
                let deed = self.tell(format!("{who} rallies{at}{halts}."));
                deed.details = shown;
                deed.news = Some((unit, RALLIED.to_owned()));
            }
        }
    }

    fn routed(&mut self, unit: UnitId, cause: Cause) {
        self.look_at(unit);
        if self.same(unit).is_some_and(|deed| deed.ran.contains(&unit)) {
            return;
        }
        let who = called(self.rules, unit);
        let detail = self.detail;
        let class = self.rules.battle().spec(unit).class;
        let stands = self.rules.numbers().training(class).losses;
        if self.same(unit).is_none() {
            self.tell(format!("{who} breaks and runs."));
        }
        let Some(deed) = self.told.last_mut() else { return };
        deed.ran.push(unit);
        if cause == Cause::Losses && detail {
            let lost = if stands == 1 {
                "a melee lost".to_owned()
            } else {
                format!("{stands} melees lost in a row")
            };
            deed.details.push(format!("{unit} runs: {lost}, as many as class {} bears", class.word()));
        }
    }

    fn left(&mut self, unit: UnitId, how: Departure) {
        self.look_at(unit);
        let who = called(self.rules, unit);
        match how {
            Departure::Destroyed => {
                let deed = self.tell_with(unit, &format!("{who} is destroyed."));
                deed.destroyed.push(unit);
            }
            Departure::Ran => {
                self.tell(format!("{who} runs off the field, and is lost.")).news =
                    Some((unit, "ran off the field".to_owned()));
            }
            Departure::Deserted => {
                self.tell_with(unit, &format!("{who} deserts.")).news = Some((unit, "deserted".to_owned()));
            }
            Departure::Escaped => {
                self.tell(format!("{who} leaves the field.")).news =
                    Some((unit, "left the field".to_owned()));
            }
        }
    }

    /// A unit rallied; its check has told so, unless somebody rallied it by hand.
    fn rallied(&mut self, unit: UnitId) {
        let news = (unit, RALLIED.to_owned());
        let point = self.point;
        if !self.told.iter().any(|deed| deed.point == point && deed.news.as_ref() == Some(&news)) {
            let text = format!("{} rallies.", called(self.rules, unit));
            self.tell(text).news = Some(news);
        }
    }

    /// The wizard stands in two hexes; his side knows who is real.
    fn likened(&mut self, unit: UnitId, likeness: UnitId, at: Hex, real: Option<UnitId>) {
        let here = self.at(unit);
        let name = &self.rules.battle().spec(unit).name;
        let text =
            format!("{name} stands in two places: {unit}{here}, {likeness} in {}.", place(self.rules, at));
        let news = (unit, format!("was seen in a second place, as {likeness}"));
        let deed = self.tell(text);
        deed.details.extend(real.map(|real| format!("{real} is real, as your side alone knows")));
        deed.news = Some(news);
    }

    fn amended(&self, change: &Change) -> String {
        let army = |side: Side| self.rules.battle().army(side).name.as_str();
        match change {
            Change::Men(unit, men) => format!("The GM: {unit} has {}.", words::men(*men)),
            Change::Place(unit, Some(hex)) => format!("The GM: {unit} stands in {hex}."),
            // A likeness would only have vanished.
            Change::Place(unit, None) if self.rules.battle().is_hunted(*unit) => {
                format!("The GM: {unit} is off the field, and nobody wins the hunt while the wizard is.")
            }
            Change::Place(unit, None) => format!("The GM: {unit} is off the field."),
            Change::Rout(unit, true) => format!("The GM: {unit} routs."),
            Change::Rout(unit, false) => format!("The GM: {unit} is under control."),
            Change::Next(unit, point) => format!("The GM: {unit} acts next at {point}."),
            Change::Battles(unit, by) => format!("The GM: battles of {unit}: {}.", words::signed(*by)),
            Change::Routs(unit, by) => format!("The GM: routs seen by {unit}: {}.", words::signed(*by)),
            Change::Losing(unit, lost) => {
                format!("The GM: {unit} has lost {} in a row.", count(u32::from(*lost), "melee"))
            }
            Change::Plain(unit) => format!("The GM: no spell is on {unit} any more."),
            Change::Wizard(unit) => format!("The GM: {unit} is the wizard."),
            Change::Morale(side, 0) => {
                format!("The GM: the army morale of {} is 0: it retreats in the next mail turn.", army(*side))
            }
            Change::Morale(side, morale) => {
                format!("The GM: the army morale of {} is {morale}.", army(*side))
            }
            Change::Magic(side, points) => {
                format!("The GM: {} has {}.", army(*side), count(*points, "spell point"))
            }
        }
    }

    /// The deeds by their time-points.
    pub(super) fn story(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for deeds in self.told.chunk_by(|one, other| one.point == other.point) {
            let point = deeds[0].point;
            let title =
                if point == 0 { "Before the battle".to_owned() } else { format!("Time-point {point}") };
            parts.push(Part::Heading { text: title });
            let items = deeds.iter().map(Deed::item).collect();
            parts.push(Part::Items { numbered: false, items });
        }
        parts
    }

    /// Who moved, by side, each with its way.
    pub(super) fn marches(&mut self) -> Vec<Part> {
        let marches = self.marches.take();
        let mut parts = Vec::new();
        let mut table = Table::new(&["Unit", "Name", "From", "To", "By"]);
        for side in Side::ALL {
            let mut own: Vec<&March<_, ()>> =
                marches.iter().filter(|march| march.who.0.side == side).collect();
            own.sort_by_key(|march| march.who.0);
            if !own.is_empty() {
                table.group(sentence(&self.rules.battle().army(side).name));
            }
            for march in own {
                let Some((from, by, to)) = march.way() else { continue };
                let by: Vec<String> = by.iter().map(ToString::to_string).collect();
                let (unit, flees) = march.who;
                let by = match (flees, by.is_empty()) {
                    (true, true) => "in rout".to_owned(),
                    (true, false) => format!("in rout, {}", by.join(" ")),
                    (false, _) => by.join(" "),
                };
                let name = self.rules.battle().spec(unit).name.clone();
                table.row([unit.to_string(), name, from.to_string(), to.to_string(), by]);
            }
        }
        if table.rows.is_empty() {
            return parts;
        }
        parts.push(Part::Table(table));
        if self.detail && !self.draws.is_empty() {
            parts.push(Part::text(format!(
                "Drawn by lot where units were due together: {}.",
                self.draws.join("; ")
            )));
        }
        parts
    }

    /// Own orders that came to nothing, and triggers.
    pub(super) fn orders(&self) -> Vec<Part> {
        let items: Vec<Item> = self.orders.iter().chain(self.waits.values()).cloned().collect();
        match items.is_empty() {
            true => Vec::new(),
            false => vec![Part::Items { numbered: false, items }],
        }
    }
}

impl Deed {
    fn has_part(&self, unit: UnitId) -> bool {
        self.units.contains(&unit) || self.ran.contains(&unit)
    }

    fn say(&mut self, sentence: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(sentence);
    }

    fn item(&self) -> Item {
        let mut text = self.text.clone();
        let mut say = |sentence: String| {
            text.push(' ');
            text.push_str(&sentence);
        };
        let mut ran = self.ran.as_slice();
        if let [first, rest @ ..] = ran {
            if self.is_fight {
                say(format!("{first} breaks and runs."));
            }
            ran = rest;
        }
        if !ran.is_empty() {
            say(format!("{} {} with it.", listed(ran), verb(ran, "run")));
        }
        let mut halted: BTreeMap<u16, Vec<UnitId>> = BTreeMap::new();
        for (unit, (_, until)) in self.saw.iter().filter(|(_, (nerve, _))| *nerve == Nerve::Halt) {
            halted.entry(*until).or_default().push(*unit);
        }
        for (until, units) in halted {
            say(format!("{} {} until {until}.", listed(&units), verb(&units, "halt")));
        }
        let stood = self.saw.iter().filter(|(_, (nerve, _))| *nerve == Nerve::Orders);
        let stood: Vec<UnitId> = stood.map(|(unit, _)| *unit).collect();
        if !stood.is_empty() {
            say(format!("{} {}.", listed(&stood), verb(&stood, "stand")));
        }
        Item { text, details: self.details.clone() }
    }
}

/// `runs` of one unit, `run` of several.
fn verb(units: &[UnitId], plain: &str) -> String {
    if units.len() == 1 { format!("{plain}s") } else { plain.to_owned() }
}

/// `1 point`, `2 points`.
fn count(number: u32, noun: &str) -> String {
    musterd_text::nouns::count(number, noun)
}
