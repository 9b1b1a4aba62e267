//! Reads an army: its headquarters and brigades with their ids.

use std::collections::BTreeMap;

use musterd_dice::Seat;
use musterd_engine::alike::names;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{At, seat};
use musterd_kit::names::is_one;

use super::declared::{
    ArrivalLine, BrigadeLine, CorpsLine, DivisionLine, LookLine, MOST_BRIGADES, MOST_LETTERS, SideLine, Staff,
};
use super::ground::{ReadMap, misread};
use super::hours::{self, Hours};
use super::looks::{Looks, Taken as Signs, over as look_over};
use super::objectives::Objectives;
use crate::battle::{Army, BrigadeSpec, Commander, HqSpec, Look, Second, Start};
use crate::model::{Arm, Branch, BrigadeId, Echelon, Formation, HqId, Side};
use crate::numbers::{Gun, Mover, Numbers, SmallArms};
use crate::order::Command;

/// What an army is read beside.
pub(super) struct Beside<'a> {
    pub(super) numbers: &'a Numbers,
    pub(super) map: &'a ReadMap,
    pub(super) hours: &'a Hours,
    pub(super) objectives: &'a Objectives,
    /// What symbols on maps are taken for.
    pub(super) signs: Signs<'a>,
    /// Whether corps headquarters are left out (ACW-38).
    pub(super) radio: bool,
    /// Whether corps commanders have seats.
    pub(super) corps: bool,
}

/// An army as it is read.
pub(super) struct Roster<'a> {
    beside: &'a Beside<'a>,
    side: Side,
    looks: Looks,
    pub(super) army: Army,
    /// The names of its units with their places in the file.
    pub(super) names: Vec<At<String>>,
    /// The places of its brigades in the file.
    pub(super) lines: Vec<LineColumn>,
    /// All its seats with their places in the file.
    pub(super) seats: Vec<At<String>>,
}

/// Where brigades stand, of both sides.
pub(super) type Taken = BTreeMap<Hex, (Side, String)>;

/// Reads a side, and notes the faults.
pub(super) fn read<'a>(
    reader: &mut Reader,
    side: Side,
    line: &At<SideLine>,
    beside: &'a Beside<'a>,
    taken: &mut Taken,
) -> Roster<'a> {
    let (at, line) = (line.at, &line.value);
    let letter = line.letter.known().copied();
    if let Some(sign) = letter.filter(|sign| !sign.is_ascii_uppercase()) {
        reader.fault(line.letter.at, format!("`{sign}` is no letter of a side: write a capital, A to Z"));
    }
    let looks = Looks::read(reader, line, &beside.signs);
    let army = Army {
        name: line.name.value.clone(),
        letter: letter.unwrap_or_else(|| side.letter()),
        army: line.army.value.clone(),
        looks: looks.arms.clone(),
        rear: line.rear,
        entrench: line.entrench,
        resolve: line.resolve,
        limited: None,
        advice: line.advice.clone(),
        second: line
            .second
            .as_ref()
            .map(|second| Second { name: second.name.clone(), leadership: second.leadership }),
        hqs: Vec::new(),
        brigades: Vec::new(),
        commanders: Vec::new(),
        ground: Vec::new(),
    };
    let mut roster =
        Roster { beside, side, looks, army, names: Vec::new(), lines: Vec::new(), seats: Vec::new() };
    roster.head(reader, line, at);
    let first = HqId::army(side);
    line.corps.iter().filter(|corps| corps.known().is_some()).for_each(|corps| {
        roster.corps(reader, corps, taken);
    });
    for division in line.divisions.iter().filter(|one| one.known().is_some()) {
        roster.division(reader, division, (first, Command::Reserve, None), taken);
    }
    for brigade in line.brigades.iter().filter(|one| one.known().is_some()) {
        roster.brigade(reader, brigade, (first, None, None), taken);
    }
    roster.count(reader, line, at);
    roster.limits(reader, line);
    roster
}

impl Roster<'_> {
    /// The army's headquarters, and its commander.
    fn head(&mut self, reader: &mut Reader, line: &SideLine, at: LineColumn) {
        let start = self.start(reader, at, "the army's headquarters", (&line.at, &line.arrives));
        let closed = |hex: Hex| self.beside.map.is_closed(self.beside.numbers, hex);
        if let Some((hex, place)) =
            start.map(|(start, place)| (start.at, place)).filter(|(hex, _)| closed(*hex))
        {
            reader.fault(place, format!("nobody can enter {hex}: choose another hex"));
        }
        self.name(reader, &line.army);
        self.army.hqs.push(HqSpec {
            id: HqId::army(self.side),
            name: line.army.value.clone(),
            echelon: Echelon::Army,
            branch: Branch::Infantry,
            commander: line.commander.clone(),
            leadership: line.leadership,
            staff: line.staff,
            look: self.looks.side.clone(),
            over: None,
            command: Command::Reserve,
            start: start.map(|(start, _)| start),
        });
        let title = line.commander.clone();
        let seat = self.seat(reader, &line.seat);
        self.army.commanders.extend(seat.map(|seat| Commander { seat, title, hq: HqId::army(self.side) }));
    }

    /// Notes a unit of too much or too little.
    fn count(&self, reader: &mut Reader, line: &SideLine, at: LineColumn) {
        let (hqs, brigades) = (self.army.hqs.len(), self.lines.len());
        if brigades > MOST_BRIGADES {
            reader.fault(at, format!("this side has {brigades} brigades: it can have {MOST_BRIGADES}"));
        }
        if hqs > usize::from(HqId::MOST) {
            reader.fault(at, format!("this side has {hqs} headquarters: it can have {}", HqId::MOST));
        }
        if brigades == 0 && line.corps.is_empty() && line.divisions.is_empty() && line.brigades.is_empty() {
            reader.fault(at, "this side has no brigades: add one");
        }
    }

    /// The turns in which a computer commander has limited objectives.
    fn limits(&mut self, reader: &mut Reader, line: &SideLine) {
        let Some(turns) = &line.limited else { return };
        self.army.limited = hours::span(reader, self.beside.hours, turns, "it limits no turn after that one");
        // An order of the start that can't be read is a fault of its own.
        if self.army.told().is_empty() && reader.errors.is_empty() {
            let reason = "nobody of this side is told an objective at the start: write `offensive` or `defensive` for a formation, or leave this out";
            reader.fault(turns.at, reason);
        }
    }

    fn corps(&mut self, reader: &mut Reader, line: &At<CorpsLine>, taken: &mut Taken) {
        let (at, line) = (line.at, &line.value);
        if line.divisions.is_empty() && line.brigades.is_empty() {
            reader.fault(at, "a corps has divisions or brigades: add one");
        }
        let command = self.command(reader, &line.hq);
        let own = command.unwrap_or(Command::Reserve);
        self.name(reader, &line.hq.name);
        let look = self.look(reader, line.hq.look.as_ref(), &line.hq.name, None);
        // With radio corps headquarters are not used.
        let over = match self.beside.radio {
            true => HqId::army(self.side),
            false => self.hq(&line.hq, Echelon::Corps, HqId::army(self.side), own, look.clone()),
        };
        if let Some(seat) = line.seat.as_ref().and_then(At::known) {
            let title = match seat.title.as_str() {
                "" => format!("the commander of {}", line.hq.name.value),
                title => title.to_owned(),
            };
            let named = self.seat(reader, &seat.name);
            let sits = self.beside.corps && !self.beside.radio;
            self.army.commanders.extend(named.filter(|_| sits).map(|seat| Commander {
                seat,
                title,
                hq: over,
            }));
        }
        for division in line.divisions.iter().filter(|one| one.known().is_some()) {
            self.division(reader, division, (over, own, look.as_ref()), taken);
        }
        // Without its corps' headquarters a brigade has the corps' objective, unless it has its own.
        let objective = self.beside.radio.then_some(own);
        for brigade in line.brigades.iter().filter(|one| one.known().is_some()) {
            self.brigade(reader, brigade, (over, objective, look.as_ref()), taken);
        }
    }

    /// A division under a headquarters, whose command it has at the start where it has none of its own (ACW-90).
    fn division(
        &mut self,
        reader: &mut Reader,
        line: &At<DivisionLine>,
        (over, command, look): (HqId, Command, Option<&Look>),
        taken: &mut Taken,
    ) {
        let line = &line.value;
        if line.brigades.known().is_some_and(Vec::is_empty) {
            reader.fault(line.brigades.at, "a division has brigades: add one");
        }
        self.name(reader, &line.hq.name);
        let own = self.command(reader, &line.hq).unwrap_or(command);
        let look = self.look(reader, line.hq.look.as_ref(), &line.hq.name, look);
        let id = self.hq(&line.hq, Echelon::Division, over, own, look.clone());
        for brigade in line.brigades.value.iter().filter(|one| one.known().is_some()) {
            if let Some(objective) = &brigade.value.objective {
                let reason = "a brigade of a division goes where its division does: leave its objective out";
                reader.fault(objective.at, reason);
            }
            self.brigade(reader, brigade, (id, None, look.as_ref()), taken);
        }
    }

    /// The look that a unit has, or what is over it.
    fn look(
        &self,
        reader: &mut Reader,
        line: Option<&At<LookLine>>,
        name: &At<String>,
        formation: Option<&Look>,
    ) -> Option<Look> {
        let signs = &self.beside.signs;
        let own = line.and_then(|line| self.looks.look(reader, line, name.value.clone(), signs));
        look_over(own, formation)
    }

    fn hq(
        &mut self,
        line: &Staff,
        echelon: Echelon,
        over: HqId,
        command: Command,
        look: Option<Look>,
    ) -> HqId {
        // A number too high is a fault of its own.
        let number = u8::try_from(self.army.hqs.len() + 1).unwrap_or(u8::MAX);
        let id = HqId::new(self.side, number);
        self.army.hqs.push(HqSpec {
            id,
            name: line.name.value.clone(),
            echelon,
            branch: line.kind,
            commander: line.commander.clone(),
            leadership: line.leadership,
            staff: line.staff,
            look: self.looks.of(look, None),
            over: Some(over),
            command,
            start: None,
        });
        id
    }

    /// The command that a headquarters has at the start, if it has one.
    fn command(&self, reader: &mut Reader, line: &Staff) -> Option<Command> {
        if let (Some(_), Some(both)) = (&line.offensive, &line.defensive) {
            reader.fault(both.at, "a headquarters has one command: leave out `offensive` or `defensive`");
        }
        let objectives = self.beside.objectives;
        let defensive =
            line.defensive.as_ref().and_then(|name| objectives.find(reader, name)).map(Command::Defensive);
        let Some(offensive) = &line.offensive else { return defensive };
        let named = offensive.known()?;
        let found: Vec<_> = named.iter().map(|name| objectives.find(reader, name)).collect();
        match found[..] {
            [objective] => Some(Command::Offensive { via: None, objective: objective? }),
            [via, objective] => {
                if via.is_some() && via == objective {
                    reader.fault(named[1].at, "the way and the objective are the same: write it once");
                }
                Some(Command::Offensive { via: Some(via?), objective: objective? })
            }
            _ => {
                let reason = "write one objective, or two: that by which it goes, and the objective itself";
                reader.fault(offensive.at, reason);
                None
            }
        }
    }

    fn seat(&mut self, reader: &mut Reader, named: &At<String>) -> Option<Seat> {
        named.known()?;
        self.seats.push(named.clone());
        seat(reader, named)
    }

    /// Notes what is wrong with the name of a unit.
    fn name(&mut self, reader: &mut Reader, name: &At<String>) {
        let Some(text) = name.known() else { return };
        if self.names.iter().any(|other| is_one(&other.value, text)) {
            let reason = format!("two units of this army are called `{}`: call one otherwise", short(text));
            reader.fault(name.at, reason);
        } else if let Some(as_what) = misread(text, None) {
            let as_what = if as_what == "a unit" { "another unit" } else { as_what };
            let as_what = as_what.replace("another hex", "a hex");
            let reason = format!("orders read `{}` as {as_what}: call it otherwise", short(text));
            reader.fault(name.at, reason);
        }
        self.names.push(name.clone());
    }

    /// Where and when a unit comes, with the place in the file of its hex. It is there at the start, or comes later.
    fn start(
        &self,
        reader: &mut Reader,
        place: LineColumn,
        what: &str,
        (at, arrives): (&Option<At<Hex>>, &Option<At<ArrivalLine>>),
    ) -> Option<(Start, LineColumn)> {
        match (at, arrives) {
            (None, None) => {
                reader.fault(place, format!("{what} needs `at`, its hex at the start, or `arrives`"));
                None
            }
            (Some(_), Some(late)) => {
                reader.fault(late.at, format!("{what} is there at the start or comes later: leave one out"));
                None
            }
            (Some(at), None) => {
                self.beside.map.bounds().hex(reader, at).map(|hex| (Start { turn: 0, at: hex }, at.at))
            }
            (None, Some(arrival)) => {
                let arrival = arrival.known()?;
                let hex = self.beside.map.bounds().hex(reader, &arrival.at);
                let turn = *arrival.turn.known()?;
                let late = self.beside.hours.is_late(reader, arrival.turn.at, turn, "it would never come");
                hex.filter(|_| !late).map(|at| (Start { turn, at }, arrival.at.at))
            }
        }
    }

    /// A brigade under a headquarters; `corps` is the command whose objective it has if it names none, `formation` the look of what is over it.
    fn brigade(
        &mut self,
        reader: &mut Reader,
        line: &At<BrigadeLine>,
        (over, corps, formation): (HqId, Option<Command>, Option<&Look>),
        taken: &mut Taken,
    ) {
        let (at, line) = (line.at, &line.value);
        self.name(reader, &line.name);
        if let Some(name) = line.name.known().filter(|name| name.chars().count() > MOST_LETTERS) {
            let reason = format!("`{}` is longer than {MOST_LETTERS} letters: shorten it", short(name));
            reader.fault(line.name.at, reason);
        }
        let (arms, guns) = (self.small_arms(reader, at, line), self.guns(reader, at, line));
        let start = self.start(reader, at, "a brigade", (&line.at, &line.arrives));
        if let Some((start, place)) = start {
            self.stand(reader, line, start, place, taken);
        }
        // Of a division's brigade it is a fault, and told there.
        let is_free = self.army.hqs[over.place()].echelon != Echelon::Division;
        let named = line.objective.as_ref().filter(|_| is_free);
        let objective = named.and_then(|name| self.beside.objectives.find(reader, name));
        let look = self.look(reader, line.look.as_ref(), &line.name, formation);
        let number = u8::try_from(self.army.brigades.len() + 1).unwrap_or(u8::MAX);
        self.lines.push(at);
        self.army.brigades.push(BrigadeSpec {
            id: BrigadeId::new(self.side, number),
            name: line.name.value.clone(),
            unit: line.unit.clone(),
            commander: line.commander.clone(),
            arm: line.arm.value,
            men: line.men,
            regiments: line.regiments.as_ref().map_or(0, |regiments| regiments.value),
            arms,
            guns,
            experience: line.experience,
            leadership: line.leadership,
            look: self.looks.of(look, Some(line.arm.value)),
            over,
            start: start.map_or(Start { turn: 0, at: Hex::new(1, 1) }, |(start, _)| start),
            facing: line.facing.map(|facing| facing.0),
            column: line.column,
            cohesion: line.cohesion,
            encamped: line.encamped,
            shattered: line.shattered,
            works: line.works,
            objective: objective.or_else(|| corps.and_then(Command::objective)),
        });
    }

    /// Notes that a brigade can't stand where it is to.
    fn stand(
        &self,
        reader: &mut Reader,
        line: &BrigadeLine,
        start: Start,
        place: LineColumn,
        taken: &mut Taken,
    ) {
        let (map, hex, name) = (self.beside.map, start.at, short(&line.name.value));
        let formation = if line.column { Formation::Column } else { Formation::Line };
        if let Some(arm) = line.arm.known().filter(|_| map.knows(hex)) {
            let ground = map.map.ground(hex);
            if self.beside.numbers.terrain(ground).cost(Mover::from(*arm), formation).is_none() {
                let (arm, ground) = (arm.words(), self.beside.numbers.ground_name(ground));
                let reason = format!("{name} can't stand in {hex}: {arm} can't enter {ground}");
                reader.fault(place, reason);
            }
        }
        if start.turn > 0 {
            return;
        }
        if let Some((_, other)) = taken.get(&hex) {
            let reason = format!("{other} and {name} both stand in {hex}: a hex holds one brigade");
            reader.fault(place, reason);
        } else {
            taken.insert(hex, (self.side, name));
        }
    }

    /// The small arms of a brigade, and its regiments.
    fn small_arms(&self, reader: &mut Reader, at: LineColumn, line: &BrigadeLine) -> Option<SmallArms> {
        let artillery = *line.arm.known()? == Arm::Artillery;
        let told = [
            ("arms", line.arms.as_ref().map(|arms| arms.at)),
            ("regiments", line.regiments.as_ref().map(|regiments| regiments.at)),
        ];
        for (key, place) in told {
            match place {
                Some(place) if artillery => {
                    reader.fault(place, format!("artillery has no `{key}`: leave it out"));
                }
                None if !artillery => {
                    let arm = line.arm.value.words();
                    reader.fault(at, format!("{arm} has `{key}`: add it"));
                }
                _ => {}
            }
        }
        let named = line.arms.as_ref().filter(|_| !artillery)?;
        listed(reader, named, "small arms", &self.beside.numbers.small_arms)
    }

    /// The guns of a brigade.
    fn guns(&self, reader: &mut Reader, at: LineColumn, line: &BrigadeLine) -> Option<(u32, Gun)> {
        match (&line.guns, &line.gun) {
            (None, None) => {
                if line.arm.known() == Some(&Arm::Artillery) {
                    reader
                        .fault(at, "artillery has guns: add `guns`, their number, and `gun`, what they are");
                }
                None
            }
            (Some(guns), None) => {
                reader.fault(guns.at, "say with `gun` what these are");
                None
            }
            (None, Some(gun)) => {
                reader.fault(gun.at, "say with `guns` how many these are");
                None
            }
            (Some(guns), Some(gun)) => {
                let found = listed(reader, gun, "guns", &self.beside.numbers.guns);
                guns.known().copied().zip(found)
            }
        }
    }
}

/// What the tables have under a word; that they don't have it is a fault.
fn listed<T: Clone>(
    reader: &mut Reader,
    named: &At<String>,
    what: &str,
    table: &BTreeMap<String, T>,
) -> Option<T> {
    let word = named.known()?;
    let found = table.get(word);
    if found.is_none() {
        let known = names(word, table.keys().map(String::as_str));
        reader.fault(named.at, format!("the tables have no {what} `{}`; {known}", short(word)));
    }
    found.cloned()
}
