//! The examples of orders in the names of one battle: its units, its hexes, whom its army may hire.

use super::forms::{GRAMMAR, Kind, Verb};
use super::line::Line;
use crate::battle::{Army, Field};
use crate::known::ways;
use crate::model::{Scale, Sort, UnitId, fighters};
use crate::roster::Roster;
use crate::scores;
use crate::view::OwnUnit;
use crate::words;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token, respelt};
use musterd_kit::grammar::{Part, Said, Sentence};
use musterd_kit::lexicon::{Lexicon, missing};

/// What the examples of one leader are written with.
pub(super) struct Examples<'v> {
    pub(super) line: Line<'v>,
    /// The roster of the leader's army; none unless units are recorded.
    pub(super) roster: Option<Roster<'v>>,
}

/// The nouns of an example by their kinds alone: what they name is not of this battle.
impl Lexicon for Examples<'_> {
    type Kind = Kind;
    type Noun = Kind;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Kind, Remark> {
        match kind {
            Kind::Own | Kind::Foe | Kind::Number | Kind::Hex | Kind::List => {
                cursor.take().ok_or_else(|| missing(cursor, "What?"))?;
            }
            _ => _ = self.line.read(kind, cursor)?,
        }
        Ok(kind)
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        match kind {
            Kind::Own => tokens.first().is_some_and(|token| token.text.parse::<u8>().is_ok()),
            _ => self.line.begins(kind, tokens),
        }
    }
}

impl Examples<'_> {
    /// A use with the names of this battle; none if nothing in it can be ordered here. Where no unit can do it as things stand, it says so.
    pub(super) fn of_battle(&self, general: OrderUse) -> Option<OrderUse> {
        let verb = general.lines.first().and_then(|line| GRAMMAR.read(self, line, |_| true).ok().flatten());
        let verb = verb.map(|read| read.verb);
        let view = self.line.view;
        let boats = !view.boats.is_empty() || view.own.values().any(|unit| unit.aboard);
        if matches!(verb, Some(Verb::Board | Verb::Land)) && !boats {
            return None;
        }
        let lines: Vec<_> =
            general.lines.iter().filter_map(|line| self.written(line)).map(Into::into).collect();
        let is_able =
            verb.is_none_or(|verb| verb.is_record() || view.free().any(|(_, unit)| self.fits(verb, unit)));
        let told = OrderUse { lines, ..general };
        let told = if is_able { told } else { told.not_now() };
        (!told.lines.is_empty()).then_some(told)
    }

    /// An example with the names of this battle.
    fn written(&self, line: &str) -> Option<String> {
        let Ok(Some(read)) = GRAMMAR.read(self, line, |_| true) else { return Some(line.to_owned()) };
        let said = match read.verb.is_record() {
            true => self.record(&read, line)?,
            false => self.order(&read),
        };
        Some(respelt(line, said))
    }

    /// What stands in the places of an order in the battle.
    fn order(&self, read: &Sentence<Verb, Kind>) -> Vec<((usize, usize), String)> {
        let Some((id, unit)) = self.unit(read.verb) else { return Vec::new() };
        let mut way = vec![unit.at];
        let word = |part: &Part<Kind>| {
            let Said::Noun(kind) = part.said else { return None };
            let here = *way.last()?;
            let before = way.len().checked_sub(2).and_then(|place| way.get(place)).copied();
            Some(match kind {
                Kind::Own => id.in_orders(),
                Kind::Foe => self.foe(unit.at)?.to_string(),
                Kind::Hex if read.verb == Verb::Board => self.boat(unit.at)?.to_string(),
                Kind::Hex | Kind::Direction => {
                    let next = self.step(unit, here, before);
                    way.push(next);
                    match kind {
                        Kind::Hex => next.to_string(),
                        _ => here.direction_to(next)?.abbreviation().to_owned(),
                    }
                }
                Kind::Count => (fighters(&unit.sorts) / 4).max(1).to_string(),
                _ => return None,
            })
        };
        replaced(read, word)
    }

    /// The unit that an order is for in an example: one that can carry it out, if there is one.
    fn unit(&self, verb: Verb) -> Option<(UnitId, &OwnUnit)> {
        let view = self.line.view;
        let able = view.free().find(|(_, unit)| self.fits(verb, unit) && fighters(&unit.sorts) > 1);
        let able = able.or_else(|| view.free().find(|(_, unit)| self.fits(verb, unit)));
        able.or_else(|| view.free().next())
    }

    /// Whether a unit can be ordered so, as far as it hangs on the unit alone.
    fn fits(&self, verb: Verb, unit: &OwnUnit) -> bool {
        let numbers = self.line.rules.numbers();
        match verb {
            Verb::Dismount => !scores::crew(&unit.sorts).is_empty(),
            Verb::Shoot => unit.shots.iter().any(|left| *left > 0),
            Verb::Land => unit.aboard,
            Verb::Board => !unit.aboard && scores::room(numbers, &unit.sorts) <= numbers.boat.carries,
            _ => true,
        }
    }

    /// The nearest enemy in sight, or the first unit of an enemy's army.
    fn foe(&self, from: Hex) -> Option<UnitId> {
        let (battle, view) = (self.line.rules.battle(), self.line.view);
        let own = view.army?;
        let near = view.foes(self.line.rules).min_by_key(|(id, unit)| (unit.at.distance(from), *id));
        let near = near.map(|(id, _)| id);
        let armies = || battle.armies().iter().find(|army| !battle.allied(own, army.id));
        near.or_else(|| armies().map(|army| UnitId::new(army.letter, 1)))
    }

    const fn field(&self) -> &Field {
        &self.line.rules.battle().field
    }

    fn boat(&self, from: Hex) -> Option<Hex> {
        let boats = self.line.view.boats.iter().map(|(hex, _)| *hex);
        boats.min_by_key(|hex| (hex.distance(from), *hex)).or_else(|| self.field().around(from).next())
    }

    /// The next hex of a way: free and open to the unit if there is one.
    fn step(&self, unit: &OwnUnit, here: Hex, before: Option<Hex>) -> Hex {
        let ways = ways(self.line.rules, self.line.view);
        let on = || self.field().around(here).filter(|hex| Some(*hex) != before && *hex != unit.at);
        let open =
            |hex: &Hex| !ways.taken.contains(hex) && ways.step(&unit.sorts, unit.aboard, here, *hex).is_ok();
        on().find(open).or_else(|| on().next()).unwrap_or(here)
    }

    /// What stands in the places of a unit record; none if the army can't have such a one.
    fn record(&self, read: &Sentence<Verb, Kind>, line: &str) -> Option<Vec<((usize, usize), String)>> {
        let Some(roster) = &self.roster else { return Some(Vec::new()) };
        let army = self.line.rules.battle().army(self.line.view.army?);
        let (placed, open) = roster.clone().settled();
        let nouns = || {
            read.parts.iter().filter_map(|part| match part.said {
                Said::Noun(kind) => Some(kind),
                Said::Word | Said::All => None,
            })
        };
        let hires = nouns().any(|kind| matches!(kind, Kind::Sort | Kind::List));
        let hire = open.example();
        let elite = line.contains("elite");
        if hires && (hire.is_none() || !self.may_hire(army, read) || elite && !army.elite) {
            return None;
        }
        let own = placed.first().filter(|_| !hires);
        let unit = own.map(|unit| unit.unit).or_else(|| hire.as_ref().map(|record| record.unit))?;
        let at = own.map(|unit| unit.at).or_else(|| hire.as_ref().and_then(|record| record.at));
        let numbers = self.line.rules.numbers();
        let mut troops = army.hires.iter().cycle();
        let word = |part: &Part<Kind>| {
            let Said::Noun(kind) = part.said else { return None };
            match kind {
                Kind::Number => Some(unit.in_orders()),
                Kind::Hex => at.map(|at| at.to_string()),
                Kind::List => self.lists().next(),
                Kind::Sort => {
                    let sort = hire.as_ref()?.sorts.first()?.clone();
                    let troop = *troops.next()?;
                    let size = numbers.troop(troop).size;
                    let size = (size.least < size.most).then_some(size.least);
                    let sort = Sort { troop, elite, size: None, ..sort };
                    let size = size.map_or_else(String::new, |size| format!(" SIZE {size}"));
                    Some(words::counted(numbers, &sort) + &size)
                }
                _ => None,
            }
        };
        Some(replaced(read, word))
    }

    /// Whether an army can hire as an example does.
    fn may_hire(&self, army: &Army, read: &Sentence<Verb, Kind>) -> bool {
        let sorts = read.nouns("sort").count();
        let scale = self.line.rules.battle().scale;
        !read.has("people")
            && !read.has("crew")
            && (sorts < 2 || scale == Scale::Strategic && army.hires.len() >= sorts)
            && (read.verb != Verb::Hire || self.lists().next().is_some())
    }

    fn lists(&self) -> impl Iterator<Item = String> + '_ {
        self.roster.iter().flat_map(Roster::lists).map(|list| list.id.clone())
    }
}

/// What stands in the places of a line, by the places.
fn replaced(
    read: &Sentence<Verb, Kind>,
    mut word: impl FnMut(&Part<Kind>) -> Option<String>,
) -> Vec<((usize, usize), String)> {
    read.parts.iter().filter_map(|part| Some((part.span, word(part)?))).collect()
}
