//! Units and grounds as questions name them.

use std::str::FromStr;

use crate::model::{Terrain, UnitType};
use crate::numbers::Numbers;
use crate::odds::Remains;
use crate::tables::combat::Fighter;
use musterd_dice::odds::Distribution;
use musterd_engine::calls::{Arg, CallError, Choice, Given, Installation, Kind, read_as};

/// How to write units, for the help of every question.
pub(super) const UNITS: &str = "A UNIT is KIND, KIND:MORALE or KIND:MORALE:FATIGUE, such as infantry, cavalry:2 or militia:1:f2; several are \
    parted by commas. Without a morale it is the type's best, without a fatigue none.";

/// The numbers of the rules; the host's own file replaces the built-in one.
pub(super) fn numbers(at: &mut dyn Installation) -> Result<Numbers, CallError> {
    Ok(Numbers::load(&at.files()?)?)
}

/// An argument that is a unit.
pub(super) const fn unit(name: &'static str, help: &'static str) -> Arg {
    Arg::option(name, "UNIT", Kind::Text(read_as::<Unit>), help)
}

/// The units that a question is about.
pub(super) const fn units(help: &'static str) -> Arg {
    unit("unit", help).listed().required()
}

/// Grounds, cities included in clear.
pub(super) const GROUNDS: [Choice; 4] = [
    Choice { word: "clear", about: "Clear, cities included", alias: "" },
    Choice { word: "forest", about: "Forest", alias: "" },
    Choice { word: "mountains", about: "Mountains", alias: "mountain" },
    Choice { word: "marsh", about: "Marsh", alias: "" },
];

/// The ground that an argument names; clear if it names none.
pub(super) fn ground(given: &Given, name: &str) -> Terrain {
    match given.text(name) {
        Some("forest") => Terrain::Forest,
        Some("mountains") => Terrain::Mountain,
        Some("marsh") => Terrain::Marsh,
        _ => Terrain::Clear,
    }
}

/// A unit as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: UnitType,
    pub(super) morale: Option<i8>,
    pub(super) fatigue: u8,
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let kind = parts.next().unwrap_or_default();
        let mut unit = Self { kind: unit_type(kind)?, morale: None, fatigue: 0 };
        for part in parts {
            let bad = || format!("`{part}` is neither a morale such as 3 nor a fatigue such as f2");
            match part.strip_prefix(['f', 'F']) {
                Some(fatigue) => unit.fatigue = fatigue.parse().map_err(|_| bad())?,
                None => unit.morale = Some(part.parse().map_err(|_| bad())?),
            }
        }
        Ok(unit)
    }
}

pub(super) fn unit_type(word: &str) -> Result<UnitType, String> {
    match word.to_ascii_lowercase().as_str() {
        "infantry" | "inf" => Ok(UnitType::Infantry),
        "guard" | "artillery" | "art" => Ok(UnitType::Guard),
        "militia" | "mil" => Ok(UnitType::Militia),
        "cavalry" | "cav" => Ok(UnitType::Cavalry),
        "hq" => Ok(UnitType::Hq),
        _ => Err(format!("`{word}` is no unit: write infantry, guard, militia, cavalry or hq")),
    }
}

impl Unit {
    /// The unit as the rules know it.
    pub(super) fn fighter(self, numbers: &Numbers) -> Result<Fighter, CallError> {
        let Self { kind, morale, fatigue } = self;
        let most = numbers.stats(kind).max_morale;
        let morale = morale.unwrap_or(most);
        if !(0..=most).contains(&morale) {
            return Err(CallError::from(format!("{kind} has a morale from 0 to {most}, not {morale}")));
        }
        Ok(Fighter { kind, morale, fatigue })
    }

    /// The unit as the rules know it; a headquarters is refused (ruling LGA-16).
    pub(super) fn not_hq(self, numbers: &Numbers, why: &str) -> Result<Fighter, CallError> {
        if self.kind == UnitType::Hq {
            return Err(CallError::from(format!("a headquarters {why}")));
        }
        self.fighter(numbers)
    }
}

/// Refuses cavalry as a garrison (manual 3.6).
pub(super) fn may_garrison(unit: Fighter) -> Result<(), CallError> {
    match unit.kind {
        UnitType::Cavalry => Err(CallError::from("cavalry is no garrison: infantry, guard and militia are")),
        _ => Ok(()),
    }
}

/// `cavalry of morale 2, fatigue 1`.
pub(super) fn named(unit: Fighter) -> String {
    match (unit.kind, unit.fatigue) {
        (UnitType::Hq, _) => "HQ".to_owned(),
        (kind, 0) => format!("{kind} of morale {}", unit.morale),
        (kind, fatigue) => format!("{kind} of morale {}, fatigue {fatigue}", unit.morale),
    }
}

/// A fate in words: a headquarters has no morale to speak of.
pub(super) fn fate(kind: UnitType) -> impl Fn(&Remains) -> String {
    move |fate| match fate {
        Remains::Destroyed => "destroyed".to_owned(),
        Remains::Morale(_) if kind == UnitType::Hq => "unhurt".to_owned(),
        Remains::Morale(0) => "morale 0, demoralised".to_owned(),
        Remains::Morale(morale) => format!("morale {morale}"),
    }
}

/// How many of several independent results satisfy `so`.
pub(super) fn count_of<T: Ord>(all: &[Distribution<T>], so: impl Fn(&T) -> bool) -> Distribution<usize> {
    all.iter().fold(Distribution::certain(0), |count, one| {
        count.and(one, |count, value| count + usize::from(so(value)))
    })
}
