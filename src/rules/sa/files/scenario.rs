//! Reads a scenario with the army and field files that it needs.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::Founding;
use musterd_engine::alike::names;
use musterd_engine::files::RuleFiles;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::{At, Data, seat, seat_out_of_play};
use musterd_kit::files::{Found, check_name, named, open};
use musterd_text::nouns::count;

use super::declared::{ArmyFile, FieldFile, HuntLine, NameOr, POINTS, ScenarioFile, SideLine};
use super::deploy::{Area, band};
use super::ground::{self, ReadField};
use super::roster::{self, Roster};
use crate::battle::{Army, Arrival, Battle, Commander, Desertion, Edge, FILE, Field, Hunt, Spec};
use crate::model::{Side, UnitId};
use crate::numbers::Numbers;
use crate::options::{Choices, Edition, Size};

/// The last time-point of a battle that names none.
const NIGHTFALL: u16 = 144;
/// The time-point after which a wizard may leave where the hunt names none.
const LEAVES: u16 = 72;
/// Spell points that a likeness costs where the hunt names none.
const COST: u32 = 3;

/// The files that are to be in the place of the scenario's own field and armies.
#[derive(Default)]
struct Chosen {
    field: Option<String>,
    armies: [Option<String>; 2],
}

impl Chosen {
    /// Those that a game was founded with.
    fn of(founding: &Founding<'_>) -> Self {
        let armies = ["army_a", "army_b"].map(|name| founding.file(name));
        Self { field: founding.file("field"), armies }
    }
}

/// Reads `scenario.yaml`, and what it names or what was chosen in its place.
pub(crate) fn read(founding: &Founding<'_>, numbers: &Numbers, choices: &Choices) -> (Option<Battle>, Found) {
    let (files, chosen) = (founding.files(), Chosen::of(founding));
    let (reader, file) = open::<ScenarioFile>(files, FILE, &POINTS);
    let id = file.as_ref().map(|file| file.id.clone());
    let mut clerk = Clerk { reader, files, numbers, choices, others: Found::default() };
    let battle = file.and_then(|file| clerk.battle(file, &chosen));
    let mut found = Found { id, ..Found::from(clerk.reader).in_order() };
    found.add(clerk.others);
    (battle, found)
}

/// Reads an army file of its own, as it would fight on side A.
pub(crate) fn army(files: &RuleFiles, numbers: &Numbers, choices: &Choices, path: &str) -> Found {
    let reader = Reader::new(path);
    let mut clerk = Clerk { reader, files, numbers, choices, others: Found::default() };
    clerk.army_file(Side::A, path);
    clerk.others
}

/// Reads a field file of its own.
pub(crate) fn field(files: &RuleFiles, numbers: &Numbers, choices: &Choices, path: &str) -> Found {
    let reader = Reader::new(path);
    let mut clerk = Clerk { reader, files, numbers, choices, others: Found::default() };
    clerk.field_file(path);
    clerk.others
}

/// Reads the files of a battle.
struct Clerk<'a> {
    /// The reader of the scenario.
    reader: Reader,
    files: &'a RuleFiles,
    numbers: &'a Numbers,
    choices: &'a Choices,
    /// What was found in other files.
    others: Found,
}

/// A side as it is put together.
struct Muster {
    side: Side,
    line: SideLine,
    roster: Roster,
    /// The name of the army in the place of the scenario's own.
    foreign: Option<String>,
    commanders: Vec<Commander>,
    /// Where the army is drawn up, and where it may be placed anew.
    area: Vec<Hex>,
    zone: BTreeSet<Hex>,
}

impl Clerk<'_> {
    fn battle(&mut self, file: ScenarioFile, chosen: &Chosen) -> Option<Battle> {
        let (sides, listed) = (file.sides.at, file.sides.known().is_some());
        if listed && file.sides.value.len() != 2 {
            self.reader.fault(sides, format!("a battle has two sides, not {}", file.sides.value.len()));
        }
        self.timely(&file);
        let field = match (&chosen.field, &file.field) {
            (Some(path), _) => self.field_file(path),
            (None, NameOr::Here(ground)) => ground::read(&mut self.reader, &ground.value),
            (None, NameOr::Name(name)) => match named(&mut self.reader, self.files, "fields", name) {
                Some(path) => self.field_file(&path),
                None => unknown_field(),
            },
        };
        let own_field = chosen.field.is_none();
        let mut musters = Vec::new();
        for (side, line) in Side::ALL.into_iter().zip(file.sides.value) {
            if line.known().is_some() {
                let chosen = chosen.armies[side.index()].as_deref();
                musters.push(self.muster(side, line.value, chosen, &field, own_field));
            }
        }
        let musters: [Muster; 2] = musters.try_into().ok()?;
        let mut musters = self.compared(musters);
        let hunt = file.hunt.and_then(|hunt| self.hunt(&hunt, &mut musters, own_field.then_some(&field)));
        if !self.reader.errors.is_empty() || !self.others.errors.is_empty() {
            return None;
        }
        self.draw_up(&mut musters, &field.field);
        let mapped = musters.iter().any(|muster| muster.roster.mapped);
        let [a, b] = musters;
        let first = a.roster.units.len();
        let all = first + b.roster.units.len();
        let (mut one, mut other) = (a.roster.units.clone(), b.roster.units.clone());
        one.append(&mut other);
        let names = [a.name(), b.name()];
        let alike = names[0] == names[1];
        let foreign = [&a, &b].iter().any(|muster| muster.foreign.is_some());
        let army = |muster: Muster, units| muster.army(units, alike);
        let mut battle = Battle {
            title: file.title,
            setting: file.kind,
            sources: file.sources,
            date: file.date,
            situation: file.situation,
            nightfall: usual(file.nightfall.as_ref(), NIGHTFALL),
            field: field.field,
            sides: [army(a, (0, first)), army(b, (first, all))],
            units: one,
            hunt,
            swapped: foreign || !own_field,
        };
        if battle.swapped {
            say_swapped(&mut battle, (!own_field).then_some(field.title.as_str()));
        }
        if mapped {
            battle.situation.push_str(" In this edition medium cavalry fights as heavy cavalry.");
        }
        Some(battle)
    }

    /// Reads another file. Its reader tells what was wrong.
    fn open<T: Data>(&mut self, path: &str) -> Option<(Reader, T)> {
        match open(self.files, path, &POINTS) {
            (reader, Some(file)) => Some((reader, file)),
            (reader, None) => {
                self.close(reader);
                None
            }
        }
    }

    fn close(&mut self, reader: Reader) {
        self.others.add(reader);
    }

    fn field_file(&mut self, path: &str) -> ReadField {
        let Some((mut reader, file)) = self.open::<FieldFile>(path) else { return unknown_field() };
        let mut field = ground::read(&mut reader, &file.ground);
        field.title = inside(&file.title);
        check_name(&mut reader, path, &file.id);
        self.close(reader);
        field
    }

    /// The roster of an army file, with its title.
    fn army_file(&mut self, side: Side, path: &str) -> (Roster, String) {
        let Some((mut reader, file)) = self.open::<ArmyFile>(path) else { return Default::default() };
        let roster = roster::read(&mut reader, &file.units, self.numbers, self.terms(side));
        check_name(&mut reader, path, &file.id);
        self.close(reader);
        (roster, inside(&file.title))
    }

    /// How the units of a side are read.
    const fn terms(&self, side: Side) -> (Side, Size, Edition) {
        (side, self.choices.sizes[side.index()], self.choices.edition)
    }

    /// A side with what stands of it alone.
    fn muster(
        &mut self,
        side: Side,
        mut line: SideLine,
        chosen: Option<&str>,
        field: &ReadField,
        own_field: bool,
    ) -> Muster {
        line.name.value = inside(&line.name.value);
        let (roster, foreign) = match (chosen, &line.army) {
            (Some(path), _) => {
                let (roster, title) = self.army_file(side, path);
                (roster, Some(title))
            }
            (None, NameOr::Here(units)) => {
                let terms = self.terms(side);
                (roster::read(&mut self.reader, units, self.numbers, terms), None)
            }
            (None, NameOr::Name(name)) => match named(&mut self.reader, self.files, "armies", name) {
                Some(path) => (self.army_file(side, &path).0, None),
                None => (Roster::default(), None),
            },
        };
        let mut muster = Muster {
            side,
            line,
            roster,
            foreign,
            commanders: Vec::new(),
            area: Vec::new(),
            zone: BTreeSet::new(),
        };
        self.place(&mut muster, field, own_field);
        if muster.foreign.is_none() {
            self.arrivals(&mut muster, field, own_field);
            self.specials(&mut muster);
        }
        self.commanders(&mut muster);
        muster
    }

    /// Where a side's units stand and may stand.
    fn place(&mut self, muster: &mut Muster, field: &ReadField, own_field: bool) {
        let Muster { line, roster, .. } = muster;
        let home = line.home.value;
        if !own_field {
            muster.area = band(&field.field, home);
            muster.zone = muster.area.iter().copied().filter(|_| line.zone.is_some()).collect();
            return;
        }
        let hexes = |clerk: &mut Self, parts: &Option<At<Vec<At<_>>>>| {
            let read = parts.as_ref().map(|parts| field.bounds().hexes(&mut clerk.reader, &parts.value));
            read.map(|read| read.into_iter().flat_map(|(_, hexes)| hexes).collect::<Vec<Hex>>())
        };
        let (area, zone) = (hexes(self, &line.area), hexes(self, &line.zone));
        muster.zone = zone.iter().flatten().copied().collect();
        muster.area = area.or(zone).unwrap_or_else(|| band(&field.field, home));
        if muster.foreign.is_some() {
            return;
        }
        for (name, hexes) in &line.at.0 {
            let places = roster.named(&mut self.reader, name);
            if roster.known && !places.is_empty() && hexes.len() > places.len() {
                let reason = format!(
                    "there are {} hexes for `{}`, and {} of them: leave some out",
                    hexes.len(),
                    short(&name.value),
                    places.len()
                );
                self.reader.fault(hexes[places.len()].at, reason);
            }
            for (place, named) in places.into_iter().zip(hexes) {
                let Some(hex) = field.bounds().hex(&mut self.reader, named) else { continue };
                let spec = &mut roster.units[place];
                spec.at = Some(hex);
                if let Some(reason) = cannot_stand(self.numbers, field, spec, hex) {
                    self.reader.fault(named.at, reason);
                }
            }
        }
    }

    /// Notes what would be after nightfall, and so never.
    fn timely(&mut self, file: &ScenarioFile) {
        let Some(nightfall) = known(file.nightfall.as_ref(), NIGHTFALL) else { return };
        let mut late = |at, point: &At<u16>, what: &str| {
            if let Some(point) = point.known().filter(|point| **point > nightfall) {
                self.reader.fault(at, format!("time-point {point} is after nightfall, {nightfall}: {what}"));
            }
        };
        for side in file.sides.value.iter().filter(|side| side.known().is_some()) {
            let arrivals = side.value.arrives.0.iter();
            arrivals.for_each(|(name, arrival)| late(name.at, &arrival.point, "it would never come"));
            let waits = side.value.waits.0.iter();
            waits.for_each(|(name, point)| late(name.at, point, "it would never move"));
            let deserters = side.value.deserts.0.iter();
            deserters.for_each(|(name, one)| late(name.at, &one.point, "it would never be asked"));
        }
        let leaves = file.hunt.as_ref().and_then(|hunt| hunt.known()?.leaves.as_ref());
        if let Some(point) = leaves.and_then(At::known).filter(|point| **point >= nightfall) {
            let reason = format!("night falls at time-point {nightfall}: after {point} he could never leave");
            self.reader.fault(leaves.map(|leaves| leaves.at).unwrap_or_default(), reason);
        }
    }

    /// When and where units of a side come that are not there from the start.
    fn arrivals(&mut self, muster: &mut Muster, field: &ReadField, own_field: bool) {
        let Muster { line, roster, .. } = muster;
        for (name, arrival) in &line.arrives.0 {
            let at = match own_field {
                true => field.bounds().hex(&mut self.reader, &arrival.at),
                false => None,
            };
            for place in roster.named(&mut self.reader, name) {
                let spec = &mut roster.units[place];
                if let Some(hex) = spec.at {
                    let reason =
                        format!("{} is in {hex} from the start: it can't come later, too", spec.name);
                    self.reader.fault(name.at, reason);
                }
                if let Some(reason) = at.and_then(|hex| cannot_stand(self.numbers, field, spec, hex)) {
                    self.reader.fault(arrival.at.at, reason);
                }
                // On another field they come over the middle of their own edge.
                let may_stand = |hex: &Hex| self.numbers.cost(spec.kind, field.field.terrain(*hex)).is_some();
                let at = at.or_else(|| edge_hex(&field.field, line.home.value, may_stand));
                spec.arrives = at.map(|at| Arrival { point: arrival.point.value, at });
            }
        }
    }

    /// What else a scenario says of units of its own army.
    fn specials(&mut self, muster: &mut Muster) {
        let Muster { line, roster, .. } = muster;
        let named = line.casters.iter().flat_map(|casters| &casters.value);
        let casters: BTreeSet<usize> =
            named.clone().flat_map(|name| roster.named(&mut self.reader, name)).collect();
        if let Some(none) = line.casters.as_ref().filter(|all| all.known().is_some_and(Vec::is_empty)) {
            let reason = "name a unit that casts spells, or leave `casters` out: then every unit may (SA-38)";
            self.reader.fault(none.at, reason);
        }
        if let Some(caster) = named.clone().next().filter(|_| known(line.magic.as_ref(), 0) == Some(0)) {
            self.reader.fault(caster.at, "nobody casts a spell here: this side has no spell points, `magic`");
        }
        for (name, point) in &line.waits.0 {
            roster
                .named(&mut self.reader, name)
                .into_iter()
                .for_each(|place| roster.units[place].waits = Some(point.value));
        }
        for (name, desertion) in &line.deserts.0 {
            for place in roster.named(&mut self.reader, name) {
                let spec = &mut roster.units[place];
                spec.deserts = Some(Desertion { point: desertion.point.value, most: desertion.most });
                let is_before =
                    |arrival: &Arrival| desertion.point.known().is_some_and(|own| *own < arrival.point);
                if let Some(arrival) = spec.arrives.filter(is_before) {
                    let (name_of, comes) = (&spec.name, arrival.point);
                    let reason = format!("{name_of} comes at time-point {comes}: it can't desert before");
                    self.reader.fault(name.at, reason);
                }
            }
        }
        for (place, spec) in roster.units.iter_mut().enumerate() {
            spec.casts = casters.is_empty() || casters.contains(&place);
        }
    }

    /// The commanders of a side, each with his units.
    fn commanders(&mut self, muster: &mut Muster) {
        let Muster { line, roster, .. } = muster;
        let mut led: BTreeMap<UnitId, &str> = BTreeMap::new();
        let mut contingents = Vec::new();
        let mut names_of: BTreeSet<&String> = BTreeSet::new();
        for contingent in line.contingents.iter().filter(|one| one.known().is_some()) {
            let one = &contingent.value;
            let seat = match self.choices.contingents {
                true => seat(&mut self.reader, &one.seat),
                false => seat_out_of_play(&mut self.reader, &one.seat),
            };
            if one.name.known().is_some_and(|name| !names_of.insert(name)) {
                let reason = format!("two contingents are called `{}`", short(&one.name.value));
                self.reader.fault(one.name.at, reason);
            }
            // Another army has none of these units.
            let named = one.units.value.iter().filter(|_| muster.foreign.is_none());
            let mut units = BTreeSet::new();
            for name in named {
                for place in roster.named(&mut self.reader, name) {
                    let id = roster.units[place].id;
                    match led.insert(id, &one.name.value) {
                        Some(other) if other != one.name.value => {
                            let unit = &roster.units[place].name;
                            let reason =
                                format!("{unit} is in the contingents {other} and {}", one.name.value);
                            self.reader.fault(name.at, reason);
                        }
                        _ if !units.insert(id) => {
                            let unit = &roster.units[place].name;
                            self.reader
                                .doubt(name.at, format!("{unit} is named twice in {}", one.name.value));
                        }
                        _ => {}
                    }
                }
            }
            if one.units.known().is_some_and(Vec::is_empty) {
                self.reader.fault(one.units.at, "a contingent has units: name one");
            }
            let title = titled(&one.commander, &one.name.value);
            contingents.extend(seat.map(|seat| Commander { seat, title, units }));
        }
        contingents.retain(|one| self.choices.contingents && !one.units.is_empty());
        let all = roster.units.iter().map(|spec| spec.id);
        let rest = all.filter(|id| !contingents.iter().any(|one| one.units.contains(id))).collect();
        if led.len() == roster.units.len() && roster.known && !led.is_empty() {
            self.reader.fault(line.seat.at, "no unit is left to this commander: all are in contingents");
        }
        let title = match &muster.foreign {
            Some(name) => titled("", name),
            None => titled(&line.commander, &line.name.value),
        };
        muster.commanders = seat(&mut self.reader, &line.seat)
            .map(|seat| Commander { seat, title, units: rest })
            .into_iter()
            .chain(contingents)
            .collect();
    }

    /// Notes what two sides can't both have.
    fn compared(&mut self, musters: [Muster; 2]) -> [Muster; 2] {
        let mut seats: BTreeSet<&str> = BTreeSet::new();
        for line in musters.iter().map(|muster| &muster.line) {
            let contingents = line.contingents.iter().map(|one| &one.value.seat);
            for seat in std::iter::once(&line.seat).chain(contingents) {
                if seat.known().is_some_and(|text| !seats.insert(text)) {
                    self.reader.fault(seat.at, format!("two commanders have the seat `{}`", seat.value));
                }
            }
        }
        let [a, b] = &musters;
        if a.line.home.known().is_some() && a.line.home.known() == b.line.home.known() {
            self.reader.fault(b.line.home.at, "both sides have the same edge behind them");
        }
        if a.line.name.known().is_some() && a.line.name.known() == b.line.name.known() {
            self.reader.fault(b.line.name.at, "both sides have the same name");
        }
        let mut taken: BTreeMap<Hex, UnitId> = BTreeMap::new();
        for muster in &musters {
            for spec in &muster.roster.units {
                let Some(hex) = spec.at else { continue };
                if let Some(other) = taken.insert(hex, spec.id) {
                    let mut hexes = muster.line.at.0.iter().flat_map(|(_, hexes)| hexes);
                    let at = hexes.rfind(|named| named.value == hex).map(|named| named.at);
                    let reason = format!("{other} and {} both stand in {hex}: a hex holds one unit", spec.id);
                    self.reader.fault(at.unwrap_or_default(), reason);
                }
            }
        }
        musters
    }

    /// The hunt for a wizard, with his likenesses as the last units of his side. There is none if his side has another army.
    fn hunt(
        &mut self,
        hunt: &At<HuntLine>,
        musters: &mut [Muster; 2],
        field: Option<&ReadField>,
    ) -> Option<Hunt> {
        let line = hunt.known()?;
        let wizard = line.wizard.known()?;
        // The name is looked for on both sides; what they lack is noted once.
        let mut unheard = Reader::new(FILE);
        let own = musters.iter().position(|muster| {
            muster.foreign.is_none() && !muster.roster.named(&mut unheard, &line.wizard).is_empty()
        });
        let Some(index) = own else {
            if musters.iter().all(|muster| muster.foreign.is_none() && muster.roster.known) {
                let all = musters.iter().flat_map(|muster| &muster.roster.units);
                let known = names(wizard, all.map(|spec| spec.name.as_str()));
                self.reader.fault(line.wizard.at, format!("no side has `{}`; {known}", short(wizard)));
            }
            return None;
        };
        let muster = &mut musters[index];
        let places = muster.roster.named(&mut unheard, &line.wizard);
        let [place] = places[..] else {
            let reason = format!("{} units are called `{}`: a wizard is one", places.len(), short(wizard));
            self.reader.fault(line.wizard.at, reason);
            return None;
        };
        let likenesses = &line.likenesses.value;
        if likenesses.is_empty() && line.likenesses.known().is_some() {
            self.reader.fault(line.likenesses.at, "a hunt has likenesses: name a hex for each");
        }
        let (magic, cost) = (known(muster.line.magic.as_ref(), 0), known(line.cost.as_ref(), COST));
        if let Some((magic, cost)) = magic.zip(cost).filter(|(magic, cost)| magic < cost)
            && !likenesses.is_empty()
            && !self.choices.placed
        {
            let reason = format!(
                "the wizard can make none of these: a likeness costs {}, and his side has {magic}",
                count(cost, "spell point")
            );
            self.reader.doubt(line.likenesses.at, reason);
        }
        if muster.roster.units.len() + likenesses.len() > usize::from(UnitId::MOST) {
            let reason = format!("with its likenesses the side has more than {} units", UnitId::MOST);
            self.reader.fault(line.likenesses.at, reason);
            return None;
        }
        let spec = &muster.roster.units[place];
        let (name, wizard, kind) = (spec.name.clone(), spec.id, spec.kind);
        if spec.arrives.is_some() || spec.deserts.is_some() {
            self.reader.fault(line.wizard.at, "a wizard is there from the start and doesn't desert");
        }
        let mut taken: BTreeSet<Hex> = muster.roster.units.iter().filter_map(|spec| spec.at).collect();
        for (number, named) in (2..).zip(likenesses) {
            let at = field.and_then(|field| field.bounds().hex(&mut self.reader, named));
            if let (Some(hex), Some(field)) = (at, field.filter(|field| field.known)) {
                let terrain = field.field.terrain(hex);
                if self.numbers.cost(kind, terrain).is_none() {
                    let reason = format!("{} can't enter {}", kind.words(), terrain.words());
                    self.reader.fault(named.at, reason);
                } else if !taken.insert(hex) {
                    self.reader
                        .fault(named.at, format!("somebody else stands in {hex}: a hex holds one unit"));
                }
            }
            muster.add_likeness(place, format!("{name} {number}"), at.filter(|_| self.choices.placed));
        }
        let spec = &mut muster.roster.units[place];
        spec.likeness = true;
        spec.name = format!("{name} 1");
        Some(Hunt {
            side: muster.side,
            wizard,
            leaves: usual(line.leaves.as_ref(), LEAVES),
            cost: usual(line.cost.as_ref(), COST),
            decides: self.choices.hunt,
        })
    }

    /// Gives every unit that is on the field from the start and has no hex yet one of its side's area.
    fn draw_up(&mut self, musters: &mut [Muster; 2], field: &Field) {
        let specs = musters.iter().flat_map(|muster| &muster.roster.units);
        let mut taken: BTreeSet<Hex> = specs.filter_map(|spec| spec.at).collect();
        for muster in musters {
            let wizard = muster.roster.units.iter().position(|spec| spec.likeness);
            let placed = self.choices.placed;
            let is_there = |(place, spec): &(usize, &mut Spec)| {
                let made = spec.likeness && Some(*place) != wizard && !placed;
                spec.at.is_none() && spec.arrives.is_none() && !made
            };
            let units = muster.roster.units.iter_mut().enumerate().filter(is_there);
            let mut units: Vec<&mut Spec> = units.map(|(_, spec)| spec).collect();
            let hexes = muster.area.clone();
            let area = Area { numbers: self.numbers, field, home: muster.line.home.value, hexes };
            if let Err(unit) = area.draw_up(&mut units, &mut taken) {
                let at = muster.line.area.as_ref().or(muster.line.zone.as_ref()).map(|area| area.at);
                let reason = format!(
                    "there is no room for {} ({}), nor for any behind it: make the area larger",
                    units[unit].id, units[unit].name
                );
                self.reader.fault(at.unwrap_or(muster.line.home.at), reason);
            }
        }
    }
}

impl Muster {
    fn name(&self) -> &str {
        self.foreign.as_deref().unwrap_or(&self.line.name.value)
    }

    /// A likeness of the unit in this place of its list: alike in all but its name and number.
    fn add_likeness(&mut self, place: usize, name: String, at: Option<Hex>) {
        let wizard = &self.roster.units[place];
        #[expect(clippy::expect_used, reason = "a side with more likenesses than numbers is refused before")]
        let id = UnitId::listed(self.side, self.roster.units.len()).expect("a number for a likeness");
        let of = wizard.id;
        let likeness = Spec {
            id,
            name,
            at,
            likeness: true,
            arrives: None,
            waits: None,
            deserts: None,
            ..wizard.clone()
        };
        self.roster.units.push(likeness);
        for commander in self.commanders.iter_mut().filter(|one| one.units.contains(&of)) {
            commander.units.insert(id);
        }
    }

    /// The army, whose units stand there in the battle's list; `alike` if that of the other side is called so too.
    fn army(self, units: (usize, usize), alike: bool) -> Army {
        let name = match alike {
            true => format!("{} ({})", self.name(), self.side.letter()),
            false => self.name().to_owned(),
        };
        let (magic, home) = (usual(self.line.magic.as_ref(), 0), self.line.home.value);
        Army { name, commanders: self.commanders, magic, home, zone: self.zone, units }
    }
}

/// A number of a file, or the usual one where it has none; a stand-in where it can't be read.
fn usual<T: Copy>(number: Option<&At<T>>, usual: T) -> T {
    number.map_or(usual, |number| number.value)
}

/// The same; `None` where it can't be read, so that nothing follows from a stand-in.
fn known<T: Copy>(number: Option<&At<T>>, usual: T) -> Option<T> {
    number.map_or(Some(usual), |number| number.known().copied())
}

/// What stands in the place of a field that can't be read.
fn unknown_field() -> ReadField {
    let field = Field { columns: 0, rows: 0, ground: Vec::new(), places: BTreeMap::new() };
    ReadField { field, sized: false, known: false, title: String::new() }
}

/// Why a unit can't stand in a hex, if it can't.
fn cannot_stand(numbers: &Numbers, field: &ReadField, spec: &Spec, hex: Hex) -> Option<String> {
    let ground = field.field.terrain(hex);
    let barred = field.known && numbers.cost(spec.kind, ground).is_none();
    barred.then(|| {
        let (name, kind) = (&spec.name, spec.kind.words());
        format!("{name} can't stand in {hex}: {kind} can't enter {}", ground.words())
    })
}

fn titled(commander: &str, of: &str) -> String {
    if commander.is_empty() { format!("the commander of {of}") } else { commander.to_owned() }
}

/// The hex of an edge that is nearest to its middle among those that will do.
fn edge_hex(field: &Field, edge: Edge, will_do: impl Fn(&Hex) -> bool) -> Option<Hex> {
    let middle = match edge {
        Edge::North => Hex::new(field.columns.div_ceil(2), 1),
        Edge::South => Hex::new(field.columns.div_ceil(2), field.rows),
        Edge::West => Hex::new(1, field.rows.div_ceil(2)),
        Edge::East => Hex::new(field.columns, field.rows.div_ceil(2)),
    };
    let edge = field.hexes().filter(|hex| field.is_at(*hex, edge) && will_do(hex));
    edge.min_by_key(|hex| (hex.distance(middle), *hex))
}

/// A name as it stands inside a sentence, which is where most texts have it: `the Far Reaches`.
fn inside(name: &str) -> String {
    let article = ["The ", "A ", "An "].into_iter().find(|article| name.starts_with(article));
    article.map_or_else(|| name.to_owned(), |article| article.to_lowercase() + &name[article.len()..])
}

/// A battle with another army or field is not that of the scenario: its title and situation say what meets where, and it has no date.
fn say_swapped(battle: &mut Battle, field: Option<&str>) {
    let own = std::mem::take(&mut battle.title);
    let sides = battle.sides.each_ref().map(|army| army.name.as_str()).join(" against ");
    let (at, field) = match field {
        Some(field) => (format!(" at {field}"), field.to_owned()),
        None => (String::new(), format!("that of {own}")),
    };
    battle.situation = format!("A battle that never was: {sides}. The field is {field}.");
    battle.title = format!("{own}: {sides}{at}");
    battle.date.clear();
}
