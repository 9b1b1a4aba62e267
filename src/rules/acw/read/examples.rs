//! The examples of orders in the names of one battle: its brigades, its headquarters, its objectives, such as can be carried out now.

use std::borrow::Cow;

use musterd_engine::hex::{Direction, Hex};
use musterd_engine::tokens::{Kind as TokenKind, Token, around, cut, respelt};
use musterd_kit::lexicon::range;

use super::forms::{GRAMMAR, Verb, plain};
use super::noun::{Noun, write};
use crate::data::Acw;
use crate::law;
use crate::model::{BrigadeId, Echelon, HqId, ObjectiveId, UnitId};
use crate::order::{Act, Goal};
use crate::state::Presence;
use crate::view::View;

/// Objectives that the examples of the forms name.
const OBJECTIVES: [&str; 3] = ["Centreville", "Henry Hill", "Stone House"];

/// An example for a hint: in the names of this battle as far as that is possible.
pub(super) fn of_battle(rules: &Acw, view: &View, line: &'static str) -> Cow<'static, str> {
    written(rules, view, line, true).map_or(Cow::Borrowed(line), Cow::Owned)
}

/// What an order waits for that this game never has: hours within a mail turn.
pub(super) fn lacks_hours(rules: &Acw, line: &str) -> bool {
    let verb = cut(line).first().and_then(|token| GRAMMAR.verb(token.text));
    rules.choices().block == 1 && matches!(verb, Some(Verb::If | Verb::Stop))
}

/// An example with the names of this battle; none if nobody here can be ordered so: `now`, or ever.
pub(super) fn written(rules: &Acw, view: &View, line: &str, now: bool) -> Option<String> {
    let tokens = cut(line);
    let verb = GRAMMAR.verb(tokens.first()?.text)?;
    let mut writer = Writer::of(rules, view, verb, line, now)?;
    let (mut said, mut place) = (Vec::new(), 0);
    while place < tokens.len() {
        let Some((words, taken)) = writer.said(&tokens[place..])? else {
            place += 1;
            continue;
        };
        said.extend(around(&tokens[place..place + taken]).map(|span| (span, words)));
        place += taken;
    }
    Some(respelt(line, said))
}

struct Writer<'v> {
    rules: &'v Acw,
    view: &'v View,
    verb: Verb,
    /// Whether the order is to be given as things stand, and not at some time in the battle.
    now: bool,
    /// The brigades that can be ordered so, the next one last.
    able: Vec<BrigadeId>,
    hq: Option<HqId>,
    /// Whether an objective of one's own side is meant.
    own: bool,
    used: Vec<ObjectiveId>,
}

impl<'v> Writer<'v> {
    /// `None` where the order comes to nothing in this game.
    fn of(rules: &'v Acw, view: &'v View, verb: Verb, line: &str, now: bool) -> Option<Self> {
        let waits = matches!(verb, Verb::If | Verb::Stop);
        if now && waits && (rules.choices().block == 1 || view.until == view.turn) {
            return None;
        }
        let own = verb == Verb::Army || line.contains("DEFENSIVE");
        let mut writer = Self { rules, view, verb, now, able: Vec::new(), hq: None, own, used: Vec::new() };
        let mut able: Vec<BrigadeId> =
            view.own_brigades().map(|(id, _)| id).filter(|id| writer.is_able(*id)).collect();
        able.reverse();
        writer.able = able;
        writer.hq = match verb {
            Verb::Army => writer.corps(),
            Verb::Info => view.own_hqs().map(|(id, _)| id).find(|id| !id.is_army()),
            _ if now => view.own_hqs().map(|(id, _)| id).find(|id| view.can_command(*id)),
            _ => view.own_hqs().map(|(id, _)| id).find(|id| writer.leads(UnitId::Hq(*id))),
        };
        Some(writer)
    }

    /// Whether the seat is the one that orders a unit; an army's headquarters nobody does.
    fn leads(&self, unit: UnitId) -> bool {
        let is_army = matches!(unit, UnitId::Hq(id) if id.is_army());
        !is_army && Some(self.rules.battle().leader_of(unit).hq) == self.view.hq
    }

    /// A corps that the army's headquarters can go to.
    fn corps(&self) -> Option<HqId> {
        let side = self.view.side?;
        let is_corps = |id: &HqId| {
            self.rules.battle().hq(*id).echelon == Echelon::Corps
                && self.view.hq(*id).at.is_some()
                && law::goal(self.rules, &self.view.control, side, Goal::Corps(*id)).is_ok()
        };
        self.view.own_hqs().map(|(id, _)| id).find(is_corps)
    }

    /// Whether a brigade can be ordered so now.
    fn is_able(&self, id: BrigadeId) -> bool {
        let Self { rules, view, .. } = self;
        let brigade = view.brigade(id);
        let may = |act: Act| law::act(rules, (id, brigade), &view.hqs, act).is_ok();
        let can = view.can_order(id) && brigade.is_fielded();
        if !self.now {
            let fits = self.verb != Verb::Objective || rules.battle().is_independent(id);
            let is_gone = matches!(brigade.presence, Presence::Gone(_));
            return fits && !is_gone && self.leads(UnitId::Brigade(id));
        }
        match self.verb {
            Verb::Info => brigade.is_fielded(),
            Verb::If => can,
            _ if !can => false,
            Verb::Objective => {
                rules.battle().objectives().next().is_some_and(|(to, _)| may(Act::March(Some(to))))
            }
            Verb::Column => may(Act::March(brigade.objective)),
            Verb::Deploy => self.way(id).is_some(),
            verb => plain(verb).is_some_and(may),
        }
    }

    fn way(&self, id: BrigadeId) -> Option<Direction> {
        let brigade = self.view.brigade(id);
        let may =
            |way: &Direction| law::act(self.rules, (id, brigade), &self.view.hqs, Act::Deploy(*way)).is_ok();
        // Forward first.
        std::iter::once(brigade.facing).chain(Direction::ALL).find(may)
    }

    /// What stands here in this battle, and in the place of how many tokens; `Some(None)` for a word that stays, `None` where there is no such thing.
    #[expect(clippy::option_option, reason = "a word that stays is no lack")]
    fn said(&mut self, tokens: &[Token<'_>]) -> Option<Option<(String, usize)>> {
        let token = &tokens[0];
        let is_number = |length: std::ops::RangeInclusive<usize>| {
            length.contains(&token.text.len()) && token.text.bytes().all(|b| b.is_ascii_digit())
        };
        if is_number(4..=4) {
            return Some(Some((self.hex()?.to_string(), 1)));
        }
        if token.text == "H2" {
            return Some(Some((format!("H{}", self.hq?.number), 1)));
        }
        if is_number(1..=2) {
            let next = self.able.pop()?;
            // The last one is kept, for the direction behind it.
            if self.able.is_empty() {
                self.able.push(next);
            }
            return Some(Some((next.number.to_string(), 1)));
        }
        if range(std::slice::from_ref(token)).is_some() {
            return Some(Some((self.range()?, 1)));
        }
        if token.kind == TokenKind::Word && token.text == "NW" {
            let last = self.able.last()?;
            let way = self.way(*last).or_else(|| (!self.now).then(|| self.view.brigade(*last).facing))?;
            return Some(Some((way.abbreviation().to_owned(), 1)));
        }
        for name in OBJECTIVES {
            let words: Vec<&str> = name.split(' ').collect();
            if tokens.len() >= words.len()
                && tokens.iter().zip(&words).all(|(token, word)| token.text == *word)
            {
                return Some(Some((self.objective()?, words.len())));
            }
        }
        Some(None)
    }

    fn range(&mut self) -> Option<String> {
        let first = *self.able.last()?;
        let numbers = self.able.iter().rev().map(|id| id.number);
        let run = (first.number..).zip(numbers).take_while(|(next, number)| next == number).take(4);
        let last = run.last().map_or(first.number, |(last, _)| last);
        Some(if last == first.number { last.to_string() } else { format!("{}-{last}", first.number) })
    }

    /// A hex of one's own.
    fn hex(&self) -> Option<Hex> {
        let side = self.view.side?;
        let fielded = self.view.own_brigades().filter_map(|(_, brigade)| brigade.at);
        fielded.into_iter().find(|at| self.view.controller(self.rules, *at) == side)
    }

    /// An objective: one's own or the enemy's as it is meant, each once, the nearest to the headquarters first.
    fn objective(&mut self) -> Option<String> {
        let side = self.view.side?;
        let battle = self.rules.battle();
        let here = self.hq.or(self.view.hq).and_then(|hq| self.view.hq(hq).at);
        let fits = |id: ObjectiveId| (self.view.holdings[id.place()].holder == side) == self.own;
        let controlled = |hex: Hex| !self.own || !self.now || self.view.controller(self.rules, hex) == side;
        let free = battle.objectives().filter(|(id, one)| !self.used.contains(id) && controlled(one.hex));
        let near = |hex: Hex| here.map_or(0, |here| here.distance(hex));
        let must = self.own && self.now;
        let found = free
            .filter(|(id, _)| !must || fits(*id))
            .min_by_key(|(id, one)| (!fits(*id), near(one.hex), *id))
            .map(|(id, _)| id)?;
        self.used.push(found);
        let mut text = String::new();
        write(battle, &Noun::Objective(found), &mut text);
        Some(text)
    }
}
