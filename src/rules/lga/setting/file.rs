//! Reads a setting file.

use super::{Setting, SettingFile, Traits, Zone};
use crate::model::Nation;
use musterd_engine::alike::meant;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::Reader;
use musterd_kit::data::{ANY, At, read_file};

/// The setting of maps that name none.
const DEFAULT: &str = "napoleonic";
/// The default setting as games have it that were founded before there were setting files. Never changed: those games are played by it.
const FIRST: &str = include_str!("first.yaml");

/// The most zones of a setting: they are numbered by a byte.
const MOST_ZONES: usize = 255;

/// The file of the setting with this name.
#[must_use]
pub fn path_of(name: &str) -> String {
    format!("settings/{name}.yaml")
}

impl Setting {
    /// Reads the setting that a map names, or the default.
    ///
    /// # Errors
    /// Everything that is wrong with the file; that it is missing.
    pub fn read(files: &RuleFiles, name: Option<&str>) -> Result<Self, DataErrors> {
        let path = path_of(name.unwrap_or(DEFAULT));
        let first = RuleFiles::of(&[(&path, FIRST)]);
        let files = if name.is_none() && !files.0.contains_key(&path) { &first } else { files };
        let mut reader = Reader::new(&path);
        let file = read_file(&mut reader, &files.tree(&path)?, &ANY);
        let setting = file.map(|file| checked(&mut reader, file));
        setting.filter(|_| reader.errors.is_empty()).ok_or(DataErrors(reader.errors))
    }
}

/// Notes what is wrong between the parts of a file.
fn checked(reader: &mut Reader, file: SettingFile) -> Setting {
    let nations = file.nations.0;
    for (place, (nation, traits)) in nations.iter().enumerate() {
        unlike_the_others(reader, nation, traits, &nations[..place]);
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
    let mut setting = Setting { nations, zones: Vec::new() };
    setting.zones = file.zones.into_iter().map(|zone| bounds(reader, &setting, zone)).collect();
    setting
}

/// Notes what a nation can't have, by itself or because one of those before it has it.
fn unlike_the_others(
    reader: &mut Reader,
    nation: &At<Nation>,
    traits: &Traits,
    before: &[(At<Nation>, Traits)],
) {
    let name = &traits.name;
    if !traits.letter.is_ascii_uppercase() {
        reader.fault(nation.at, format!("`{}` is no letter of {name}: write one from A to Z", traits.letter));
    }
    if traits.leads.is_some() && !traits.supplies {
        let reason =
            format!("only the capitals of {name} supply the side that it leads: leave out `supplies: false`");
        reader.fault(nation.at, reason);
    }
    for (_, other) in before {
        if other.name.eq_ignore_ascii_case(name) {
            reader.fault(
                nation.at,
                format!("another nation is called {name} already: give this one another name"),
            );
        }
        let same = [
            (other.letter == traits.letter, "this letter"),
            (other.leads.is_some() && other.leads == traits.leads, "the lead of this side"),
            (other.aids && traits.aids, "aid to give"),
        ];
        for (_, what) in same.into_iter().filter(|(same, _)| *same) {
            reader.fault(nation.at, format!("{name} can't have {what}: {} has it already", other.name));
        }
    }
}

fn bounds(reader: &mut Reader, setting: &Setting, zone: At<Zone>) -> Zone {
    for nation in &zone.value.nations {
        known(reader, setting, nation);
    }
    if zone.value.closed.is_empty() == zone.value.confined.is_empty() {
        reader.fault(zone.at, "a zone has either `closed` or `confined`: write one of them");
    }
    zone.value
}

/// The nation of the setting; or, with a fault noted, the one that may be meant.
pub(crate) fn known(reader: &mut Reader, setting: &Setting, named: &At<Nation>) -> Option<Nation> {
    let At { at, value: nation, .. } = named;
    if setting.find(*nation).is_some() {
        return Some(*nation);
    }
    let words = setting.words();
    let near = meant(nation.word(), words.iter().copied());
    let list = || format!("write {}", words.join(", "));
    let hint = near.map_or_else(list, |near| format!("did you mean `{near}`?"));
    reader.fault(*at, format!("`{}` is no nation; {hint}", nation.word()));
    near.and_then(Nation::of)
}
