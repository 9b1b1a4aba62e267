//! Reads the GM's changes of the position and rulings on orders to come (`docs/dog/gm-guide.md`).

use super::data::Dog;
use super::event::Event;
use super::model::{ArmyId, Fortification, Ground, Relief, Terrain, UnitId};
use super::scores;
use super::state::State;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Cursor;
use musterd_engine::yaml::short;

pub use super::change::{Change, Ruling};

/// The help on the forms of an amendment.
const FORMS: &str = "Write UNIT and its letter and number, then FIGHTERS n or SHOTS n (of a mixed unit with a type behind), AT hex, HIDDEN YES (or NO), NAME \"...\" or FREE; ADD and a unit \
                     record; REMOVE unit; GROUND hex terrain relief; BRIDGE hex YES (or NO); BOAT hex YES (or NO); LEADERSHIP army n; LOOT army \
                     n; ORDER and the armies' letters; or RULE unit FREE, STAYS, HOLDS or FLEES unit.";

/// The events of a GM's line: `UNIT E3 FIGHTERS 12; RULE D2 FLEES E3`.
///
/// # Errors
/// The line is faulty; the text tells the GM how.
pub(super) fn amend(rules: &Dog, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let mut after = state.clone();
    let mut events = Vec::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let change = read(rules, &after, part).map_err(|why| Remark::error(1, format!("{part}: {why}")))?;
        let event = Event::Amended { change };
        after.apply(rules, &event);
        events.push(event);
    }
    match events.is_empty() {
        true => Err(Remark::error(1, FORMS)),
        false => Ok(events),
    }
}

fn read(rules: &Dog, state: &State, text: &str) -> Result<Change, String> {
    let mut words = Words { rules, state, cursor: Cursor::new(text) };
    let verb = words.word("a word")?.to_ascii_uppercase();
    let change = match verb.as_str() {
        "UNIT" => {
            let unit = words.unit()?;
            words.about(unit)?
        }
        "REMOVE" => Change::Removed { unit: words.unit()? },
        "ADD" => words.added()?,
        "GROUND" => {
            let hex = words.hex()?;
            let ground = words.ground()?;
            if let Some(other) = state.at(hex).and_then(|id| state.unit(id)) {
                let bridged = state.bridges.contains(&hex) || other.aboard.is_some();
                scores::may_stand(rules.numbers(), rules.battle().switches, &other.sorts, ground, bridged)?;
            }
            Change::Ground { hex, ground }
        }
        "BRIDGE" => {
            let (hex, there) = (words.water()?, words.yes()?);
            if !there && state.at(hex).is_some() {
                return Err(format!("somebody stands on the bridge in {hex}: put the unit elsewhere first"));
            }
            Change::Bridge { hex, there }
        }
        "BOAT" => {
            let (hex, there) = (words.water()?, words.yes()?);
            let lies = state.boats.iter().find(|boat| boat.at == hex);
            match (there, lies) {
                (true, Some(_)) => return Err(format!("a boat lies in {hex} already")),
                (false, None) => return Err(format!("no boat lies in {hex}")),
                (false, Some(boat)) if boat.load.is_some() => {
                    return Err(format!("somebody is aboard in {hex}: put the unit elsewhere first"));
                }
                _ => Change::Boat { hex, there },
            }
        }
        "LEADERSHIP" => Change::Leadership { army: words.army()?, leadership: words.number(1_000_000)? },
        "LOOT" => Change::Loot { army: words.army()?, loot: u64::from(words.number(1_000_000)?) },
        "ORDER" => {
            let mut order = Vec::new();
            while words.cursor.peek().is_some() {
                order.push(words.army()?);
            }
            let mut all = order.clone();
            all.sort_unstable();
            all.dedup();
            if all.len() != rules.battle().armies().len() || order.len() != all.len() {
                let letters: Vec<String> =
                    rules.battle().armies().iter().map(|army| army.letter.to_string()).collect();
                return Err(format!("name every army once, such as ORDER {}", letters.join(" ")));
            }
            Change::Order { order }
        }
        "RULE" => Change::Ruled { ruling: words.ruling()? },
        _ => return Err(FORMS.to_owned()),
    };
    match words.cursor.peek() {
        Some(rest) => Err(format!("what is `{}` here?", short(rest.text))),
        None => Ok(change),
    }
}

/// A line of the GM's that is being read.
struct Words<'a> {
    rules: &'a Dog,
    state: &'a State,
    cursor: Cursor<'a>,
}

impl Words<'_> {
    fn word(&mut self, what: &str) -> Result<String, String> {
        self.cursor
            .take()
            .map(|token| token.text.to_owned())
            .ok_or_else(|| format!("{what} is missing. {FORMS}"))
    }

    fn unit(&mut self) -> Result<UnitId, String> {
        let word = self.word("a unit")?;
        let id: UnitId = word.parse().map_err(|bad: super::model::BadUnit| bad.to_string())?;
        match self.state.unit(id) {
            Some(_) => Ok(id),
            None => Err(format!("{id} is not on the field")),
        }
    }

    fn hex(&mut self) -> Result<Hex, String> {
        self.cursor.take_any(&["AT", "TO", "IN"]);
        let word = self.word("a hex")?;
        let field = &self.rules.battle().field;
        let hex = word.parse::<Hex>().ok().or_else(|| field.named(&word));
        hex.filter(|hex| field.has(*hex)).ok_or_else(|| format!("`{}` is no hex of the field", short(&word)))
    }

    fn water(&mut self) -> Result<Hex, String> {
        let hex = self.hex()?;
        let water = self.state.ground(self.rules, hex).is_some_and(|ground| ground.terrain == Terrain::Water);
        if water { Ok(hex) } else { Err(format!("{hex} is land")) }
    }

    fn number(&mut self, most: u32) -> Result<u32, String> {
        let word = self.word("a number")?;
        let number = word.parse().ok().filter(|number| *number <= most);
        number.ok_or_else(|| format!("`{}` is no number from 0 to {most}", short(&word)))
    }

    fn yes(&mut self) -> Result<bool, String> {
        match self.cursor.take() {
            None => Ok(true),
            Some(token) if token.is("YES") => Ok(true),
            Some(token) if token.is("NO") => Ok(false),
            Some(token) => Err(format!("`{}` is neither YES nor NO", short(token.text))),
        }
    }

    fn army(&mut self) -> Result<ArmyId, String> {
        self.cursor.take_any(&[","]);
        let word = self.word("an army")?;
        let armies = self.rules.battle().armies().iter();
        let mut named = armies.filter(|army| {
            word.eq_ignore_ascii_case(army.seat.as_str())
                || word.eq_ignore_ascii_case(&army.letter.to_string())
        });
        named.next().map(|army| army.id).ok_or_else(|| {
            let armies = self.rules.battle().armies().iter();
            let known: Vec<String> = armies.map(|army| format!("{} ({})", army.letter, army.seat)).collect();
            format!("`{}` is no army's letter or seat: there are {}", short(&word), known.join(", "))
        })
    }

    /// The sort of a mixed unit that is named; the first if none is named.
    fn sort(&mut self, unit: UnitId) -> Result<u8, String> {
        let mut name = String::new();
        while let Some(token) = self.cursor.take() {
            name = [name.as_str(), token.text].join(" ");
        }
        let name = name.trim();
        if name.is_empty() {
            return Ok(0);
        }
        let wanted = self.rules.numbers().find(name);
        let sorts = self.state.unit(unit).map_or(&[][..], |unit| &unit.sorts);
        let place = (0..).zip(sorts).find(|(_, sort)| Some(sort.troop) == wanted).map(|(place, _)| place);
        place.ok_or_else(|| format!("{unit} has no `{}`", short(name)))
    }

    fn about(&mut self, unit: UnitId) -> Result<Change, String> {
        let word = self.word("what changes")?.to_ascii_uppercase();
        let sorts = self.state.unit(unit).map_or(&[][..], |unit| &unit.sorts);
        Ok(match word.as_str() {
            "FIGHTERS" => {
                let fighters = u16::try_from(self.number(200)?).unwrap_or(u16::MAX);
                let sort = self.sort(unit)?;
                let mut after = sorts.to_vec();
                if let Some(sort) = after.get_mut(usize::from(sort)) {
                    sort.fighters = fighters;
                }
                if fighters > 0 {
                    scores::fits(self.rules.numbers(), self.rules.battle().scale, &after)?;
                }
                Change::Fighters { unit, sort, fighters }
            }
            "SHOTS" => {
                let shots = u16::try_from(self.number(1000)?).unwrap_or(u16::MAX);
                Change::Shots { unit, sort: self.sort(unit)?, shots }
            }
            "AT" => {
                let to = self.hex()?;
                if self.state.at(to).is_some_and(|other| other != unit) {
                    return Err(format!("{to} is taken: a hex holds one unit"));
                }
                super::roster::may_start(self.rules, self.state, sorts, to)?;
                Change::Place { unit, to }
            }
            "HIDDEN" => Change::Hidden { unit, hidden: self.yes()? },
            "NAME" => {
                let name = self.word("a name")?;
                Change::Name { unit, name: name.chars().filter(|c| !c.is_control()).take(40).collect() }
            }
            "FREE" if self.state.unit(unit).is_some_and(|unit| unit.captive.is_some()) => {
                Change::Freed { unit }
            }
            "FREE" => return Err(format!("{unit} is nobody's prisoner")),
            _ => return Err(FORMS.to_owned()),
        })
    }

    /// `E9 12 elite heavy infantry AT 0405 HIDDEN`: a unit record.
    fn added(&mut self) -> Result<Change, String> {
        // The record begins with it.
        let word = Words { cursor: self.cursor.clone(), ..*self }.word("a unit")?;
        let id: UnitId = word.parse().map_err(|bad: super::model::BadUnit| bad.to_string())?;
        if self.state.unit(id).is_some() {
            return Err(format!("{id} is on the field already"));
        }
        let Some(army) = self.rules.battle().lettered(id.army) else {
            return Err(format!("no army has the letter {}", id.army));
        };
        let record = {
            let view = super::fog::view(self.rules, self.state, &army.seat);
            super::read::record_of(self.rules, &view, &mut self.cursor)?
        };
        let at = record.at.ok_or("where? Write AT and a hex")?;
        if self.state.at(at).is_some() {
            return Err(format!("{at} is taken: a hex holds one unit"));
        }
        if record.sorts.is_empty() {
            return Err("who? Write how many and of which type".to_owned());
        }
        for sort in &record.sorts {
            scores::sense(self.rules.numbers(), sort)?;
        }
        scores::fits(self.rules.numbers(), self.rules.battle().scale, &record.sorts)?;
        super::roster::may_start(self.rules, self.state, &record.sorts, at)?;
        let name = record.name.unwrap_or_default();
        Ok(Change::Added { unit: id, name, sorts: record.sorts, at, hidden: record.hidden })
    }

    fn ground(&mut self) -> Result<Ground, String> {
        let word = self.word("a terrain")?;
        let same = |own: &str| own.eq_ignore_ascii_case(&word);
        let terrain = Terrain::ALL.into_iter().find(|terrain| same(Terrain::WORDS[*terrain as usize]));
        let terrain = terrain
            .ok_or_else(|| format!("`{}` is no terrain: {}", short(&word), Terrain::WORDS.join(", ")))?;
        let (mut relief, mut walls) = (Relief::Plains, None);
        while let Some(token) = self.cursor.take() {
            let found = Relief::ALL.into_iter().find(|relief| token.is(Relief::WORDS[*relief as usize]));
            let built =
                Fortification::ALL.into_iter().find(|walls| token.is(Fortification::WORDS[*walls as usize]));
            match (found, built) {
                (Some(found), _) if terrain.has_relief() => relief = found,
                (_, Some(built)) if terrain.is_constructable() => walls = Some(built),
                (None, None) => {
                    return Err(format!("`{}` is no relief and no fortification", short(token.text)));
                }
                _ => return Err(format!("{terrain} has no {} (DOG-37)", token.text)),
            }
        }
        Ok(Ground { terrain, relief, walls })
    }

    fn ruling(&mut self) -> Result<Ruling, String> {
        let unit = self.unit()?;
        let word = self.word("a ruling")?.to_ascii_uppercase();
        Ok(match word.as_str() {
            "FREE" => Ruling::Free { unit },
            "STAYS" => Ruling::Stays { unit },
            "HOLDS" => Ruling::Holds { unit },
            "FLEES" => {
                self.cursor.take_any(&["FROM"]);
                let from = self.unit()?;
                if !self.rules.battle().hostile(unit, from) {
                    return Err(format!("{from} is no enemy of {unit}"));
                }
                Ruling::Flees { unit, from }
            }
            _ => return Err(FORMS.to_owned()),
        })
    }
}
