//! Units and grounds as questions name them.

use std::fmt;
use std::str::FromStr;

use crate::model::{Arm, OwnTerrain, Terrain, UnitType};
use crate::numbers::Numbers;
use crate::odds::Remains;
use crate::tables::combat::Fighter;
use musterd_dice::odds::Distribution;
use musterd_engine::alike::meant;
use musterd_engine::calls::{Arg, CallError, Given, Installation, Kind, read_as};
use musterd_engine::yaml::short;

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

/// The grounds of the rules that questions name; cities are on clear ground.
const GROUNDS: [Terrain; 4] = [Terrain::Clear, Terrain::Forest, Terrain::Mountain, Terrain::Marsh];

/// The ground that a question is about: one of the rules, or one that the host's `ruleset.yaml` adds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    /// What it counts as in combat.
    pub(super) terrain: Terrain,
    /// What it is, if it is none of the rules' own.
    pub(super) own: Option<OwnTerrain>,
}

impl Ground {
    /// The sea.
    pub(super) const SEA: Self = Self { terrain: Terrain::Sea, own: None };
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.own {
            Some(own) => write!(f, "{}, which counts as {}", own.word(), self.terrain),
            None => self.terrain.fmt(f),
        }
    }
}

/// An argument that is a ground.
pub(super) const fn ground(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::option(name, value, Kind::Text(read_as::<String>), help).default("clear")
}

/// The ground that an argument names; clear if it names none. `besides` are the words that it could be and is not.
///
/// # Errors
/// There is no such ground.
pub(super) fn ground_of(
    given: &Given,
    name: &str,
    numbers: &Numbers,
    besides: &[&str],
) -> Result<Ground, CallError> {
    let word = given.text(name).unwrap_or("clear").to_ascii_lowercase();
    if let Some(terrain) =
        GROUNDS.into_iter().find(|known| [known.words(), known.word()].contains(&word.as_str()))
    {
        return Ok(Ground { terrain, own: None });
    }
    if let Some(own) = numbers.terrains.iter().find(|own| own.word() == word) {
        return Ok(Ground { terrain: own.like, own: Some(own) });
    }
    let of_the_rules = GROUNDS.map(Terrain::words);
    let own: Vec<OwnTerrain> = numbers.terrains.iter().collect();
    let all = besides.iter().copied().chain(of_the_rules).chain(own.iter().map(OwnTerrain::word));
    let known: Vec<String> = all.map(str::to_owned).collect();
    let near = meant(&word, known.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Err(CallError::from(format!("`{}` is no ground: write {}{near}", short(&word), listed_or(&known))))
}

/// A unit as it is written on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// The word for its type.
    kind: String,
    morale: Option<i8>,
    fatigue: u8,
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let mut unit = Self { kind, morale: None, fatigue: 0 };
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

/// A unit of the game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) kind: UnitType,
    pub(super) fighter: Fighter,
}

impl Unit {
    /// The unit as the rules know it.
    pub(super) fn of(&self, numbers: &Numbers) -> Result<Asked, CallError> {
        let Self { ref kind, morale, fatigue } = *self;
        let word = match kind.as_str() {
            "inf" => "infantry",
            "artillery" | "art" => "guard",
            "mil" => "militia",
            "cav" => "cavalry",
            word => word,
        };
        let Some(kind) = numbers.units.find(word) else {
            let known: Vec<String> = numbers.units.iter().map(|(kind, _)| kind.word().to_owned()).collect();
            let known = listed_or(&known);
            return Err(CallError::from(format!("`{kind}` is no unit: write {known}")));
        };
        let most = numbers.units.stats(kind).max_morale;
        let morale = morale.unwrap_or(most);
        if !(0..=most).contains(&morale) {
            return Err(CallError::from(format!("{kind} has a morale from 0 to {most}, not {morale}")));
        }
        Ok(Asked { kind, fighter: Fighter { arm: kind.arm, morale, fatigue } })
    }

    /// The unit as the rules know it; a headquarters is refused (ruling LGA-16).
    pub(super) fn not_hq(&self, numbers: &Numbers, why: &str) -> Result<Asked, CallError> {
        let asked = self.of(numbers)?;
        match asked.kind.arm {
            Arm::Hq => Err(CallError::from(format!("a headquarters {why}"))),
            _ => Ok(asked),
        }
    }
}

/// `infantry, guard or hq`.
pub(super) fn listed_or(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

impl Asked {
    /// Refuses cavalry as a garrison (manual 3.6).
    pub(super) fn may_garrison(self) -> Result<(), CallError> {
        match self.kind.arm.can_garrison() {
            true => Ok(()),
            false => {
                let reason = format!("{} is no garrison: infantry, guard and militia are", self.kind);
                Err(CallError::from(reason))
            }
        }
    }

    /// `cavalry of morale 2, fatigue 1`.
    pub(super) fn named(self) -> String {
        let Self { kind, fighter: Fighter { morale, fatigue, .. } } = self;
        match (kind.arm, fatigue) {
            (Arm::Hq, _) => kind.to_string(),
            (_, 0) => format!("{kind} of morale {morale}"),
            (_, fatigue) => format!("{kind} of morale {morale}, fatigue {fatigue}"),
        }
    }
}

/// A fate in words: a headquarters has no morale to speak of.
pub(super) fn fate(arm: Arm) -> impl Fn(&Remains) -> String {
    move |fate| match fate {
        Remains::Destroyed => "destroyed".to_owned(),
        Remains::Morale(_) if arm == Arm::Hq => "unhurt".to_owned(),
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
