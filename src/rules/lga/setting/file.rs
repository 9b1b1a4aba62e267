//! Reads a setting file.

use super::{MOST_ZONES, Setting, SettingFile, Traits, Zone};
use crate::model::Nation;
use std::collections::BTreeSet;

use musterd_engine::alike::{meant, names};
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::{ANY, At};
use musterd_kit::files::open;

/// The setting of maps that name none.
const DEFAULT: &str = "napoleonic";
/// The default setting as games have it that were founded before there were setting files. Never changed: those games are played by it.
const FIRST: &str = include_str!("first.yaml");

/// The file of the setting with this name.
pub fn path_of(name: &str) -> String {
    format!("settings/{name}.yaml")
}

/// A setting as read, with everything found in it; usable if there are no errors.
pub(crate) struct ReadSetting {
    pub(crate) setting: Setting,
    /// Whether all its nations could be read.
    whole: bool,
    pub(crate) errors: Vec<DataError>,
}

impl ReadSetting {
    /// Reads the setting that a map names, or the default.
    pub(crate) fn read(files: &RuleFiles, name: Option<&str>) -> Self {
        let path = path_of(name.unwrap_or(DEFAULT));
        let first = RuleFiles::of(&[(&path, FIRST)]);
        let files = if name.is_none() && !files.0.contains_key(&path) { &first } else { files };
        match open(files, &path, &ANY) {
            (reader, Some(file)) => checked(reader, file, path),
            (reader, None) => Self { errors: reader.errors, ..Self::unknown() },
        }
    }

    /// A setting of which nothing is known.
    pub(crate) const fn unknown() -> Self {
        let setting = Setting { nations: Vec::new(), zones: Vec::new(), file: String::new() };
        Self { setting, whole: false, errors: Vec::new() }
    }

    /// The nation of the setting; or, with a fault noted, the one that may be meant.
    pub(crate) fn known(&self, reader: &mut Reader, named: &At<Nation>) -> Option<Nation> {
        let nation = *named.known()?;
        if self.setting.find(nation).is_some() {
            return Some(nation);
        }
        if !self.whole {
            return None;
        }
        let words = self.setting.words();
        let hint = names(nation.word(), words.iter().copied());
        reader.fault(named.at, format!("`{}` is no nation; {hint}", nation.word()));
        meant(nation.word(), words.into_iter()).and_then(Nation::of)
    }
}

/// Whether a setting is the one of maps that name none.
pub(crate) fn is_usual(setting: &Setting) -> bool {
    setting.file == path_of(DEFAULT)
}

/// The countries of a setting that `known` lacks, each at its place. `lack` begins the sentence. A country of nations that aren't there is told only if a
/// name is near it. So is every country of the setting that the program ships: its author is not asked.
pub(crate) fn strange_countries(
    setting: &Setting,
    is_shipped: bool,
    known: &BTreeSet<&str>,
    is_there: impl Fn(Nation) -> bool + Copy,
    lack: &str,
) -> Vec<DataError> {
    let strange = setting.countries(is_there).filter(|(country, _)| !known.contains(country.value.as_str()));
    let told = strange.filter(|(country, matters)| {
        *matters && !is_shipped || meant(&country.value, known.iter().copied()).is_some()
    });
    told.map(|(country, _)| {
        let (name, hint) = (short(&country.value), names(&country.value, known.iter().copied()));
        let reason = format!("{lack} `{name}`; {hint}");
        DataError { file: setting.file.clone(), at: country.at, reason }
    })
    .collect()
}

/// Notes what is wrong between the parts of a file.
fn checked(mut reader: Reader, file: SettingFile, path: String) -> ReadSetting {
    let whole = file
        .nations
        .known()
        .is_some_and(|nations| nations.0.iter().all(|(nation, _)| nation.known().is_some()));
    let mut nations = file.nations.value.0;
    nations.retain(|(nation, _)| nation.known().is_some());
    for (place, (nation, traits)) in nations.iter().enumerate() {
        unlike_the_others(&mut reader, nation, traits, &nations[..place]);
        let is_word =
            |other: &Nation| *other != nation.value && traits.name.eq_ignore_ascii_case(other.word());
        if nations.iter().any(|(other, _)| is_word(&other.value)) {
            let name = &traits.name;
            reader.fault(
                nation.at,
                format!("`{name}` is the word for another nation: give this one another name"),
            );
        }
    }
    if let Some(zone) = file.zones.get(MOST_ZONES) {
        let reason =
            format!("a setting has {MOST_ZONES} zones at most: join those that close the same ground");
        reader.fault(zone.at, reason);
    }
    let nations = nations.into_iter().map(|(nation, traits)| (nation.value, traits)).collect();
    let setting = Setting { nations, zones: Vec::new(), file: path };
    let mut read = ReadSetting { setting, whole, errors: Vec::new() };
    let zones: Vec<_> = file.zones.into_iter().filter(|zone| zone.known().is_some()).collect();
    zones.iter().for_each(|zone| bounds(&mut reader, &read, zone));
    read.setting.zones = zones.into_iter().map(|zone| zone.value).collect();
    read.errors = reader.errors;
    read
}

/// Notes what a nation can't have, by itself or because one of those before it has it. What could not be read of them is silent: a name is empty
/// then and a letter NUL.
fn unlike_the_others(
    reader: &mut Reader,
    nation: &At<Nation>,
    traits: &Traits,
    before: &[(At<Nation>, Traits)],
) {
    let name = if traits.name.is_empty() { nation.value.word() } else { &traits.name };
    let lettered = traits.letter != char::default();
    if lettered && !traits.letter.is_ascii_uppercase() {
        reader.fault(nation.at, format!("`{}` is no letter of {name}: write one from A to Z", traits.letter));
    }
    if traits.leads.is_some() && !traits.supplies {
        let reason =
            format!("only the capitals of {name} supply the side that it leads: leave out `supplies: false`");
        reader.fault(nation.at, reason);
    }
    for (other, has) in before {
        if !traits.name.is_empty() && has.name.eq_ignore_ascii_case(name) {
            reader.fault(
                nation.at,
                format!("another nation is called {name} already: give this one another name"),
            );
        }
        let same = [
            (lettered && has.letter == traits.letter, "this letter"),
            (has.leads.is_some() && has.leads == traits.leads, "the lead of this side"),
            (has.aids && traits.aids, "aid to give"),
        ];
        let holder = if has.name.is_empty() { other.value.word() } else { &has.name };
        for (_, what) in same.into_iter().filter(|(same, _)| *same) {
            reader.fault(nation.at, format!("{name} can't have {what}: {holder} has it already"));
        }
    }
}

/// Notes what is wrong with a zone.
fn bounds(reader: &mut Reader, read: &ReadSetting, At { at, value: zone, .. }: &At<Zone>) {
    for nation in &zone.nations {
        read.known(reader, nation);
    }
    // Those of a list that can't be read are not known to be none.
    let countries = |of: &Option<At<Vec<At<String>>>>| match of {
        Some(list) => list.known().map(|countries| !countries.is_empty()),
        None => Some(false),
    };
    let (closed, confined) = (countries(&zone.closed), countries(&zone.confined));
    if closed.is_some() && closed == confined {
        reader.fault(*at, "a zone has either `closed` or `confined`: write one of them");
    }
}
