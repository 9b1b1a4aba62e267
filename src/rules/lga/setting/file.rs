//! Reads a setting file.

use super::{Setting, SettingFile, Traits, Zone};
use crate::model::Nation;
use musterd_engine::alike::meant;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::{LineColumn, Reader};
use musterd_kit::data::{ANY, At, read_file};

/// The setting of maps that name none.
const DEFAULT: &str = "napoleonic";
/// The default setting as games have it that were founded before there were setting files. Never changed: those games are played by it.
const FIRST: &str = include_str!("first.yaml");

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
    let mut setting = Setting { nations: Vec::new(), zones: Vec::new() };
    for (nation, traits) in file.nations.0 {
        let (at, nation) = (nation.at, nation.value);
        unlike_the_others(reader, &setting, at, &traits);
        setting.nations.push((nation, traits));
    }
    setting.zones = file.zones.into_iter().map(|zone| bounds(reader, &setting, zone)).collect();
    setting
}

fn unlike_the_others(reader: &mut Reader, setting: &Setting, at: LineColumn, traits: &Traits) {
    if !traits.letter.is_ascii_uppercase() {
        reader
            .fault(at, format!("`{}` is no letter of {}: write one from A to Z", traits.letter, traits.name));
    }
    for (_, other) in setting.nations() {
        let same = [
            (other.name == traits.name, "this name"),
            (other.letter == traits.letter, "this letter"),
            (other.leads.is_some() && other.leads == traits.leads, "the lead of this side"),
            (other.aids && traits.aids, "aid to give"),
        ];
        for (_, what) in same.into_iter().filter(|(same, _)| *same) {
            let (name, other) = (&traits.name, &other.name);
            reader.fault(at, format!("{name} can't have {what}: {other} has it already"));
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
