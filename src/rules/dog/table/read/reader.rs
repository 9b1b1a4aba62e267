//! The reader of a line with a throw: its words, numbers, fighters and ground.

use std::collections::BTreeMap;
use std::fmt;

use crate::battle::Ground;
use crate::model::{Fortification, People, Relief, Sort, TroopId, UnitId};
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;
use crate::table::throw::{Blow, Striker, Struck, Throw};
use crate::table::unit::KeptUnit;
use musterd_engine::alike::meant;
use musterd_engine::calls::CallError;
use musterd_engine::tokens::{Cursor, Kind, Span, Token};
use musterd_engine::yaml::short;
use musterd_kit::lists::joined;

/// The most fighters that anybody throws for at once.
const MOST_FIGHTERS: u16 = 1000;
/// The largest force and the most hit points of a fighter.
const MOST_FORCE: u32 = 1_000_000;
/// The longest line.
const LONGEST: usize = 1000;
/// The most armies that throw for their order.
const MOST_ARMIES: usize = 26;

/// What stands between who strikes and who is struck; `on` too, where no ground follows.
const AT: [&str; 7] = ["AT", "AGAINST", "VS", "VERSUS", "->", "X", "UPON"];
/// What stands before the number of hexes.
const RANGE: [&str; 3] = ["RANGE", "DISTANCE", "HEXES"];

/// The words that begin a line with a throw, the usual one first of those that mean the same.
pub(super) const THROWS: [&str; 10] = [
    "strike",
    "attack",
    "exchange",
    "retaliate",
    "retaliation",
    "shoot",
    "volley",
    "hide",
    "search",
    "initiative",
];

/// What is wrong with a line, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// What is wrong, in words.
    pub reason: String,
    /// The place in the line.
    pub span: Span,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl From<Misread> for CallError {
    fn from(misread: Misread) -> Self {
        Self::Usage(misread.reason)
    }
}

/// That a table keeps no such unit.
pub(super) fn unknown(id: UnitId, units: &BTreeMap<UnitId, KeptUnit>) -> String {
    let known = match units.is_empty() {
        true => "write it down first, such as unit R1 18 heavy infantry".to_owned(),
        false => format!("there are {}", joined(units.keys(), ", ")),
    };
    format!("there is no unit {id}: {known}")
}

pub(super) fn known_grounds(numbers: &Numbers) -> String {
    let others = Relief::WORDS.into_iter().skip(1).chain(Fortification::WORDS);
    let words = numbers.terrains().map(|(terrain, _)| terrain.to_string());
    format!("write {}", joined(words.chain(others.map(str::to_owned)), ", "))
}

/// Other words for terrains, reliefs and fortifications, each with the name that the rules have.
const GROUNDS: [(&str, &str); 19] = [
    ("open", "clear"),
    ("none", "clear"),
    ("grass", "clear"),
    ("bush", "bushes"),
    ("wood", "forest"),
    ("woods", "forest"),
    ("forests", "forest"),
    ("marsh", "swamp"),
    ("swamps", "swamp"),
    ("river", "water"),
    ("lake", "water"),
    ("hill", "hills"),
    ("mountain", "mountains"),
    ("rocks", "mountains"),
    ("fort", "earthwork"),
    ("fortification", "earthwork"),
    ("earthworks", "earthwork"),
    ("fortress", "castle"),
    ("palace", "stronghold"),
];

/// Adds what a word says to the ground; whether it is such a word.
pub(super) fn lay(numbers: &Numbers, ground: &mut Ground, word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let other = GROUNDS.into_iter().find(|(other, _)| *other == word).map(|(_, name)| name);
    // A terrain of an author's own may have any of the words.
    for name in [Some(word.as_str()), other].into_iter().flatten() {
        if let Some(terrain) = numbers.terrain(name) {
            ground.terrain = terrain;
        } else if let Some(at) = Relief::WORDS.iter().position(|own| *own == name) {
            ground.relief = Relief::ALL[at];
        } else if let Some(at) = Fortification::WORDS.iter().position(|own| *own == name) {
            ground.walls = Some(Fortification::ALL[at]);
        } else {
            continue;
        }
        return true;
    }
    false
}

pub(super) fn is_ground(numbers: &Numbers, word: &str) -> bool {
    lay(numbers, &mut Ground::OPEN.clone(), word)
}

/// Ground that a map can have (manual 3.2, 3.3; ruling DOG-37).
pub(super) fn sound(numbers: &Numbers, ground: Ground) -> Result<Ground, String> {
    let cover = numbers.cover(ground.terrain);
    if ground.relief != Relief::Plains && !cover.has_relief() {
        return Err(format!("{} has no relief (manual 3.2, DOG-37)", ground.terrain));
    }
    if ground.walls.is_some() && !cover.is_constructable() {
        return Err(format!("nothing can be built in {} (manual 3.3, DOG-37)", ground.terrain));
    }
    Ok(ground)
}

/// Who reads a line.
pub(super) struct LineReader<'a, 't> {
    pub(super) numbers: &'a Numbers,
    pub(super) cursor: Cursor<'t>,
    pub(super) usual: Ground,
    /// The units that a line may name; none where it may name no unit.
    pub(super) units: Option<&'a BTreeMap<UnitId, KeptUnit>>,
    /// The unit that strikes, shoots or searches.
    pub(super) by: Option<UnitId>,
    /// The unit that is struck, or hidden.
    pub(super) on: Option<UnitId>,
    /// How many tokens were left before the piece that is being read: a mistake is in what was taken since.
    pub(super) piece: usize,
}

impl<'a, 't> LineReader<'a, 't> {
    pub(super) fn new(
        numbers: &'a Numbers,
        text: &'t str,
        usual: Ground,
        units: Option<&'a BTreeMap<UnitId, KeptUnit>>,
    ) -> Result<Self, Misread> {
        if text.len() > LONGEST {
            let reason = format!("this is longer than {LONGEST} characters: one throw at a time");
            return Err(Misread { reason, span: (0, 1) });
        }
        let cursor = Cursor::new(text);
        let piece = cursor.rest().len();
        Ok(Self { numbers, cursor, usual, units, by: None, on: None, piece })
    }

    /// Reads a line to its end.
    pub(super) fn whole<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, Misread> {
        let read = read(self).and_then(|read| {
            self.begin();
            let more =
                self.cursor.peek().map(|token| format!("`{}` is not understood here", short(token.text)));
            more.map_or(Ok(read), Err)
        });
        read.map_err(|reason| Misread { reason, span: self.cursor.span_since(self.piece) })
    }

    /// Begins a piece of the line.
    pub(super) fn begin(&mut self) {
        self.piece = self.cursor.rest().len();
    }

    /// What stands behind the first word of a throw.
    pub(super) fn throw(&mut self, verb: &str) -> Result<Throw, String> {
        let read = match verb.to_ascii_lowercase().as_str() {
            "strike" | "attack" => |hand: &mut Self| hand.strike(Blow::Attack),
            "exchange" => |hand: &mut Self| hand.strike(Blow::Exchange),
            "retaliate" | "retaliation" => |hand: &mut Self| hand.strike(Blow::Retaliation),
            "shoot" | "volley" => Self::volley,
            "hide" | "search" => Self::search,
            "initiative" => Self::initiative,
            _ => {
                return Err(format!(
                    "`{}` is no throw: write strike, shoot, hide or initiative",
                    short(verb)
                ));
            }
        };
        self.begin();
        read(self)
    }

    /// A unit of the table, if its name comes next.
    fn unit_here(&mut self) -> Result<Option<(UnitId, &'a KeptUnit)>, String> {
        let Some((units, token)) = self.units.zip(self.cursor.peek()) else { return Ok(None) };
        let Ok(id) = token.text.parse::<UnitId>() else { return Ok(None) };
        let unit = match units.get(&id) {
            Some(unit) => unit,
            // A host's own type of troops may have such a code.
            None if self.numbers.find(token.text).is_some() => return Ok(None),
            None => return Err(unknown(id, units)),
        };
        if unit.left() == 0 {
            return Err(format!("nobody of {id} is left"));
        }
        self.cursor.skip(1);
        if self.by == Some(id) || self.on == Some(id) {
            return Err(format!("{id} is on both sides of this line"));
        }
        Ok(Some((id, unit)))
    }

    fn strike(&mut self, way: Blow) -> Result<Throw, String> {
        let by = self.striker()?;
        let on = self.target()?;
        if way == Blow::Exchange && !matches!((&by, &on), (Striker::Fighters(_), Some(Struck::Fighters(_)))) {
            return Err("an exchange needs the types of both sides: 18 heavy infantry at 40 orcs".to_owned());
        }
        Ok(Throw::Strike { way, by, on })
    }

    fn volley(&mut self) -> Result<Throw, String> {
        let mut by = self.striker()?;
        if let Some(unit) = self.by.and_then(|id| self.units?.get(&id)) {
            // Who has no shot left doesn't shoot, unless nobody has one: then the umpire is warned.
            let shooters = unit.shooters();
            by = Striker::Fighters(if shooters.sorts.is_empty() { unit.fighters() } else { shooters });
        }
        if let Striker::Fighters(fighters) = &by
            && fighters.sorts.iter().all(|sort| scores::distance(self.numbers, sort).is_none())
        {
            let shoots = |(_, troop): &(TroopId, &crate::numbers::Troop)| troop.distance.is_some();
            let known = joined(self.numbers.troops().filter(shoots).map(|(_, troop)| &troop.name), ", ");
            return Err(format!("they have nothing to shoot with; {known} have"));
        }
        let mut on = self.target()?;
        let mut hexes = None;
        if self.cursor.take_any(&RANGE).is_some() || self.cursor.take_any(&["FROM"]).is_some() {
            hexes = Some(self.number("how many hexes? write a number from 1", 1..=99)?);
            self.cursor.take_any(&["HEXES", "HEX"]);
        }
        if on.is_none() {
            on = self.target()?;
        }
        Ok(Throw::Volley { by, on, hexes })
    }

    fn search(&mut self) -> Result<Throw, String> {
        let hidden = match self.unit_here()? {
            Some((id, unit)) => {
                self.on = Some(id);
                unit.fighters()
            }
            None => self.party(None)?,
        };
        let mut searcher = None;
        if self.cursor.take_any(&["FROM", "BY", "SEARCHER", "SEARCHERS"]).is_some() {
            self.begin();
            searcher = Some(match self.unit_here()? {
                Some((id, unit)) => {
                    self.by = Some(id);
                    unit.fighters().sorts
                }
                // How many search makes no difference.
                None => self.party(Some(1))?.sorts,
            });
        }
        Ok(Throw::Search { hidden, searcher })
    }

    fn initiative(&mut self) -> Result<Throw, String> {
        self.armies().map(|armies| Throw::Initiative { armies })
    }

    /// The names of two armies or more, to the end of the line.
    pub(super) fn armies(&mut self) -> Result<Vec<String>, String> {
        let mut armies: Vec<String> = Vec::new();
        while let Some(token) = self.cursor.peek() {
            self.begin();
            self.cursor.skip(1);
            if token.kind == Kind::Mark && token.is_any(&[",", "&", "+"]) {
                continue;
            }
            let name = joined(token.text.split_whitespace(), " ");
            if name.is_empty() || name.chars().count() > 40 {
                return Err("an army's name has 1 to 40 characters".to_owned());
            }
            if armies.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
                return Err(format!("two armies are called `{}`: name them apart", short(&name)));
            }
            armies.push(name);
        }
        match armies.len() {
            2..=MOST_ARMIES => Ok(armies),
            0 | 1 => Err("name two armies at least, such as initiative red blue".to_owned()),
            _ => Err(format!("at most {MOST_ARMIES} armies throw for their order")),
        }
    }

    /// A force, or fighters.
    fn striker(&mut self) -> Result<Striker, String> {
        self.begin();
        if let Some((id, unit)) = self.unit_here()? {
            self.by = Some(id);
            return Ok(Striker::Fighters(unit.fighters()));
        }
        self.cursor.take_any(&["FORCE"]);
        let rest = self.cursor.rest();
        let alone = rest.get(1).is_none_or(|next| next.is_any(&AT) || next.is_any(&RANGE) || next.is("ON"));
        match rest.first().map(|token| token.text.parse::<u32>()) {
            Some(Ok(force)) if alone => {
                self.cursor.skip(1);
                match force {
                    1..=MOST_FORCE => Ok(Striker::Force(force)),
                    _ => Err(format!("a force is from 1 to {MOST_FORCE}")),
                }
            }
            _ => self.party(None).map(Striker::Fighters),
        }
    }

    /// Who is struck, behind the word that says so.
    fn target(&mut self) -> Result<Option<Struck>, String> {
        let on = self.cursor.take_any(&AT).or_else(|| self.cursor.take_any(&["ON"]));
        if on.is_none() {
            return Ok(None);
        }
        self.begin();
        if let Some((id, unit)) = self.unit_here()? {
            self.on = Some(id);
            return Ok(Some(Struck::Fighters(unit.fighters())));
        }
        // So many of so many hit points: `40 of 3 hp`.
        let rest = self.cursor.rest();
        let number = |at: usize| rest.get(at).and_then(|token| token.text.parse::<u32>().ok());
        let hp = |at: usize| rest.get(at).is_some_and(|token| token.is_any(&["HP", "POINTS"]));
        let of = usize::from(rest.get(1).is_some_and(|token| token.is_any(&["OF", "X"])));
        if let (Some(fighters), Some(each), true) = (number(0), number(1 + of), hp(2 + of)) {
            self.cursor.skip(3 + of);
            let many = u16::try_from(fighters).ok().filter(|many| (1..=MOST_FIGHTERS).contains(many));
            let fighters = many.ok_or_else(|| {
                format!("`{fighters}` is too few or too many: write 1 to {MOST_FIGHTERS} fighters")
            })?;
            return match each {
                1..=MOST_FORCE => Ok(Some(Struck::Bodies { fighters, hp: each })),
                _ => Err(format!("a fighter has 1 to {MOST_FORCE} hit points")),
            };
        }
        self.party(None).map(|party| Some(Struck::Fighters(party)))
    }

    /// Fighters of one sort or several, and where they stand. `usual` is how many they are if nobody says it.
    pub(super) fn party(&mut self, usual: Option<u16>) -> Result<Fighters, String> {
        let mut sorts = vec![self.sort(usual)?];
        while self.cursor.take_any(&["AND", "+", ",", "&"]).is_some() {
            sorts.push(self.sort(usual)?);
        }
        let ground = self.standing()?.unwrap_or(self.usual);
        Ok(Fighters { sorts, ground })
    }

    /// `in forest hills`, `on hills`, `inside castle`.
    pub(super) fn standing(&mut self) -> Result<Option<Ground>, String> {
        let rest = self.cursor.rest();
        let inside = rest.first().is_some_and(|token| token.is_any(&["IN", "INSIDE", "WITHIN"]));
        let on = rest.first().is_some_and(|token| token.is("ON"))
            && rest.get(1).is_some_and(|token| is_ground(self.numbers, token.text));
        if !inside && !on {
            return Ok(None);
        }
        self.cursor.skip(1);
        self.cursor.take_any(&["A", "AN", "THE"]);
        self.begin();
        let mut ground = Ground::OPEN;
        let mut any = false;
        while let Some(token) = self.cursor.peek() {
            if !lay(self.numbers, &mut ground, token.text) {
                break;
            }
            any = true;
            self.cursor.skip(1);
            self.cursor.take_any(&["AND"]);
        }
        if !any {
            let word = self.cursor.peek().map_or("", |token| token.text);
            return Err(format!("`{}` is no ground: {}", short(word), known_grounds(self.numbers)));
        }
        sound(self.numbers, ground).map(Some)
    }

    /// `18 elite heavy infantry`, `heavy infantry 18 elite`, `5 chariots with archers`.
    pub(super) fn sort(&mut self, usual: Option<u16>) -> Result<Sort, String> {
        self.begin();
        let mut elite = self.cursor.take_any(&["ELITE"]).is_some();
        let before = self.count()?;
        elite |= self.cursor.take_any(&["ELITE"]).is_some();
        let troop = self.troop()?;
        let mut sort = Sort { elite, ..Sort::of(troop, 0) };
        let mut fighters = before;
        loop {
            if self.cursor.take_any(&["ELITE"]).is_some() {
                sort.elite = true;
            } else if self.cursor.take_any(&["WITH", "CREW"]).is_some() {
                sort.crew = Some(self.troop()?);
            } else if self.cursor.take_any(&["PEOPLE", "FOLK"]).is_some() {
                sort.people = Some(self.people()?);
            } else if self.cursor.take_any(&["SIZE"]).is_some() {
                let size: u16 = self.number("which size? write a number", 1..=1000)?;
                sort.size = Some(size);
            } else if let Some(people) = self.people_here() {
                sort.people = Some(people);
            } else if fighters.is_none() {
                fighters = self.count()?;
                if fighters.is_none() {
                    break;
                }
            } else {
                break;
            }
        }
        let name = &self.numbers.troop(troop).name;
        sort.fighters = fighters
            .or(usual)
            .ok_or_else(|| format!("how many {name}? Write a number before them, such as 18 {name}"))?;
        scores::sense(self.numbers, &sort)?;
        Ok(sort)
    }

    /// `(forest)`, as reports write a people.
    fn people_here(&mut self) -> Option<People> {
        let rest = self.cursor.rest();
        let [open, word, close, ..] = rest else { return None };
        let people = People::ALL.into_iter().find(|people| word.is(&people.to_string()))?;
        if !open.is("(") || !close.is(")") {
            return None;
        }
        self.cursor.skip(3);
        Some(people)
    }

    fn people(&mut self) -> Result<People, String> {
        self.begin();
        let word = self.cursor.take().map_or("", |token| token.text);
        let found = People::ALL.into_iter().find(|people| people.to_string().eq_ignore_ascii_case(word));
        found.ok_or_else(|| format!("`{}` is no people: write {}", short(word), People::WORDS.join(", ")))
    }

    /// How many, if a number comes next.
    fn count(&mut self) -> Result<Option<u16>, String> {
        let Some(token) = self.cursor.peek() else { return Ok(None) };
        let digits = token.text.strip_suffix(['x', 'X']).unwrap_or(token.text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        self.cursor.skip(1);
        self.cursor.take_any(&["X", "OF"]);
        match digits.parse() {
            Ok(count @ 1..=MOST_FIGHTERS) => Ok(Some(count)),
            _ => Err(format!(
                "`{}` is too few or too many: write 1 to {MOST_FIGHTERS} fighters",
                short(digits)
            )),
        }
    }

    pub(super) fn number<T: std::str::FromStr + PartialOrd>(
        &mut self,
        missing: &str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, String> {
        self.begin();
        let number = self.cursor.take().and_then(|token| token.text.parse().ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| missing.to_owned())
    }

    /// A type of troops by code or name, of up to three words.
    fn troop(&mut self) -> Result<TroopId, String> {
        self.begin();
        if let Some(found) = self.cursor.take_longest(3, |text| self.numbers.find(text)) {
            return Ok(found);
        }
        let names = || self.numbers.troops().map(|(_, troop)| troop.name.as_str());
        let ends = |token: &&Token<'_>| {
            token.kind == Kind::Mark
                || token.is_any(&AT)
                || token.is_any(&["ON", "IN", "AND", "WITH", "ELITE", "PEOPLE", "SIZE", "FROM"])
                || token.text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let rest = self.cursor.rest().iter().take_while(|token| !ends(token));
        let text = joined(rest.map(|token| token.text), " ");
        if text.is_empty() {
            return Err(
                "which troops? Write a type of table 1, such as 18 heavy infantry or 18 HI".to_owned()
            );
        }
        // The name itself, or a part of it: `infantry` may be light or heavy.
        let parts: Vec<&str> = names().filter(|name| name.contains(&text.to_lowercase())).collect();
        let hint = match (meant(&text, names()), parts.as_slice()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, [_, ..]) => format!("did you mean {}?", parts.join(" or ")),
            (None, []) => {
                let all = self.numbers.troops().map(|(_, troop)| format!("{} ({})", troop.name, troop.code));
                format!("known are {}", joined(all, ", "))
            }
        };
        Err(format!("`{}` is no type of troops; {hint}", short(&text)))
    }
}
