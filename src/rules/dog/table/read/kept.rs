//! Lines that change what the table keeps: units, the round, the phase, words for the dice, notes.

use super::reader::{LineReader, THROWS, unknown};
use crate::model::UnitId;
use crate::table::line::{Line, Named};
use crate::table::unit::KeptUnit;
use musterd_engine::alike::guess;
use musterd_engine::tokens::Kind;
use musterd_engine::yaml::short;
use musterd_kit::lists::joined;

/// The words that begin a line without a throw.
const VERBS: [&str; 7] = ["unit", "round", "phase", "order", "words", "note", "undo"];
/// What may be said of a unit behind its name.
const TRAITS: [&str; 14] = [
    "AT", "IN", "ON", "INSIDE", "WITHIN", "HIDDEN", "SEEN", "FOUND", "ROUTED", "RALLIED", "SHOTS", "LOST",
    "GONE", "FRESH",
];
/// The longest name of a place, a phase or a side, and the longest words for the dice.
pub const LONGEST_NAME: usize = 40;
const LONGEST_WORDS: usize = 200;
/// The most units that a table keeps.
pub const MOST_UNITS: usize = 200;

/// The words that begin a line.
pub fn verbs() -> impl Iterator<Item = &'static str> {
    THROWS.into_iter().chain(VERBS)
}

impl LineReader<'_, '_> {
    /// A line to its end; `text` is the whole of it, `last` the line that can be taken back.
    pub(super) fn line(&mut self, text: &str, last: Option<u32>) -> Result<Line, String> {
        let first = self.cursor.peek().ok_or("nothing is written: such as strike R1 at B1")?;
        if first.kind == Kind::Word && first.text.parse::<UnitId>().is_ok() {
            return self.unit();
        }
        self.cursor.skip(1);
        let verb = first.text.to_ascii_lowercase();
        let behind = || text.split_once(first.text).map_or("", |(_, behind)| behind);
        match verb.as_str() {
            "unit" => self.unit(),
            "round" => {
                let numbered = self.cursor.peek().is_some();
                let number =
                    || self.number("which round? write a number from 1, or nothing for the next", 1..=9999);
                Ok(Line::Round(numbered.then(number).transpose()?))
            }
            "phase" => self.named(behind(), "a phase", LONGEST_NAME).map(Line::Phase),
            "order" => self.armies().map(Line::Order),
            "words" => self.words(behind()),
            "note" => self.named(behind(), "a note", LONGEST_WORDS).map(Line::Note),
            "undo" => last.map(|_| Line::Undo).ok_or_else(|| "there is nothing to take back".to_owned()),
            _ if verbs().any(|known| known == verb) => {
                let throw = self.throw(&verb)?;
                Ok(Line::Throw(Named { throw, by: None, on: None }))
            }
            _ => Err(format!("`{}` begins no line{}", short(first.text), guess(&verb, verbs()))),
        }
    }

    /// The rest of a line as it is: words of the table, in one line.
    fn named(&mut self, text: &str, what: &str, most: usize) -> Result<String, String> {
        self.begin();
        self.cursor.skip(usize::MAX);
        let plain: String = text.chars().map(|c| if c.is_control() || c == '#' { ' ' } else { c }).collect();
        let text = joined(plain.split_whitespace(), " ");
        match text.chars().count() {
            0 => Err(format!("which words? {what} has 1 to {most} characters")),
            count if count > most => Err(format!("{what} has 1 to {most} characters, not {count}")),
            _ => Ok(text),
        }
    }

    /// `red five blue cats`, or `none`.
    fn words(&mut self, behind: &str) -> Result<Line, String> {
        self.begin();
        let Some(side) = self.cursor.take() else {
            return Err(
                "whose words? write a side and what it says, such as words red five blue cats; or words none"
                    .to_owned(),
            );
        };
        if side.is("none") && self.cursor.peek().is_none() {
            return Ok(Line::Words(None));
        }
        let name = side.text.to_lowercase();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(format!("a side's name has 1 to {LONGEST_NAME} characters"));
        }
        let place = behind.find(side.text).map_or(0, |at| at + side.text.len());
        let text = behind.get(place..).unwrap_or_default();
        let text = if side.kind == Kind::Quoted { text.strip_prefix('"').unwrap_or(text) } else { text };
        let words = self.named(text, "what a side says", LONGEST_WORDS)?;
        Ok(Line::Words(Some((name, words))))
    }

    /// `R1 18 heavy infantry in forest at 0301 hidden`; of a unit that there is, what has changed alone.
    fn unit(&mut self) -> Result<Line, String> {
        self.begin();
        let word = self.cursor.take().map_or("", |token| token.text);
        let id: UnitId = word.parse().map_err(|error: crate::model::BadUnit| error.to_string())?;
        let units = self.units.into_iter().flatten();
        let known = units.clone().find(|(other, _)| **other == id).map(|(_, unit)| unit.clone());
        if known.is_none() && units.count() >= MOST_UNITS {
            return Err(format!("a table keeps {MOST_UNITS} units at most"));
        }
        let said = self.cursor.rest().to_vec();
        if known.is_some() && said.is_empty() {
            return Err(format!(
                "what of {id}? its fighters, at PLACE, in GROUND, hidden, seen, shots N, lost N, routed, rallied, fresh or gone"
            ));
        }
        let line = |unit| {
            let quoted = |token: &musterd_engine::tokens::Token<'_>| match token.kind {
                Kind::Quoted => format!("\"{}\"", token.text),
                _ => token.text.to_owned(),
            };
            Line::Unit { id, unit, said: joined(said.iter().map(quoted), " ") }
        };
        if self.cursor.take_any(&["GONE"]).is_some() {
            return match known {
                Some(_) => Ok(line(None)),
                None => Err(self.units.map_or_else(String::new, |units| unknown(id, units))),
            };
        }
        let mut unit = known;
        while let Some(token) = self.cursor.peek() {
            self.begin();
            match &mut unit {
                Some(unit) if token.kind == Kind::Word && token.is_any(&TRAITS) => self.its(unit)?,
                unit => *unit = Some(self.company(unit.take())?),
            }
        }
        let unit = unit.ok_or_else(|| {
            format!("there is no unit {id} yet: say its fighters, such as unit {id} 18 heavy infantry")
        })?;
        Ok(line(Some(unit)))
    }

    /// A unit's fighters. What is known of it otherwise stays; where its sorts are the same, so does how many it began with.
    fn company(&mut self, known: Option<KeptUnit>) -> Result<KeptUnit, String> {
        let mut sorts = vec![self.sort(None)?];
        while self.cursor.take_any(&["AND", "+", ",", "&"]).is_some() {
            sorts.push(self.sort(None)?);
        }
        let mut unit = KeptUnit::new(self.numbers, sorts);
        let Some(known) = known else { return Ok(unit) };
        if known.sorts.iter().map(|sort| sort.troop).eq(unit.sorts.iter().map(|sort| sort.troop)) {
            unit.began.iter_mut().zip(&known.began).for_each(|(now, began)| *now = (*now).max(*began));
            unit.shots.clone_from(&known.shots);
        }
        Ok(KeptUnit { sorts: unit.sorts, began: unit.began, shots: unit.shots, ..known })
    }

    /// One thing that is said of a unit.
    fn its(&mut self, unit: &mut KeptUnit) -> Result<(), String> {
        if let Some(ground) = self.standing()? {
            (unit.ground, unit.ground_said) = (ground, true);
            return Ok(());
        }
        let word = self.cursor.take().map(|token| token.text.to_ascii_uppercase()).unwrap_or_default();
        match word.as_str() {
            "AT" => unit.place = self.place()?,
            "HIDDEN" => unit.hidden = true,
            "SEEN" | "FOUND" => unit.hidden = false,
            "ROUTED" => unit.routed = true,
            "RALLIED" => unit.routed = false,
            "FRESH" => unit.acted = false,
            "SHOTS" => {
                let shots: u16 = self.number("how many shots are left? write a number from 0", 0..=999)?;
                let arms =
                    unit.sorts.iter().map(|sort| crate::scores::distance(self.numbers, sort).is_some());
                unit.shots = arms.map(|shoots| if shoots { shots } else { 0 }).collect();
            }
            "LOST" => {
                let dead: u16 = self.number("how many fighters are lost? write a number from 1", 1..=1000)?;
                let mut left = unit.sorts.iter_mut().filter(|sort| sort.fighters > 0);
                match (left.next(), left.next()) {
                    (Some(sort), None) if dead <= sort.fighters => sort.fighters -= dead,
                    (_, Some(_)) => {
                        return Err("this unit has several sorts: write how many are left of each".to_owned());
                    }
                    _ => return Err("it has not so many fighters to lose".to_owned()),
                }
            }
            _ => return Err(format!("`{}` is not understood here", short(&word))),
        }
        Ok(())
    }

    /// A place in the table's words, to the next word that says something else of the unit.
    fn place(&mut self) -> Result<String, String> {
        self.begin();
        let mut words = Vec::new();
        while let Some(token) = self.cursor.peek() {
            if token.kind != Kind::Quoted && (token.is_any(&TRAITS) || token.is(",")) {
                break;
            }
            words.push(token.text);
            self.cursor.skip(1);
        }
        self.cursor.take_any(&[","]);
        let place = words.join(" ");
        match place.chars().count() {
            1..=LONGEST_NAME => Ok(place),
            _ => Err(format!("where is it? a place has 1 to {LONGEST_NAME} characters")),
        }
    }
}
