mod attack;
mod march;
mod rolls;

use std::str::FromStr;

use clap::{Args, Subcommand};

use crate::cli::{Ended, Global, desk};
use musterd_daemon::HostError;
use musterd_dice::odds::Distribution;
use musterd_engine::briefing::Fact;
use musterd_lga::model::UnitType;
use musterd_lga::numbers::Numbers;
use musterd_lga::odds::Fate;
use musterd_lga::tables::combat::Fighter;

/// How units are written, for the help of every question.
const UNITS: &str = "A UNIT is KIND, KIND:MORALE or KIND:MORALE:FATIGUE, such as infantry, cavalry:2 or militia:1:f2; several are \
    parted by commas. Without a morale it is the type's best, without a fatigue none.";

/// The odds of La Grande Armee
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds lga attack --with infantry:3 --against militia:2 --river\n\n{UNITS}"))]
pub(super) struct Lga {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Attack(attack::Attack),
    Muster(rolls::Muster),
    Withdraw(rolls::Withdraw),
    Reinforce(rolls::Reinforce),
    Siege(rolls::Siege),
    March(march::March),
}

impl Lga {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let numbers = numbers(global)?;
        let answer = match &self.question {
            Question::Attack(question) => question.answer(&numbers),
            Question::Muster(question) => question.answer(&numbers),
            Question::Withdraw(question) => question.answer(&numbers),
            Question::Reinforce(question) => question.answer(&numbers),
            Question::Siege(question) => question.answer(&numbers),
            Question::March(question) => question.answer(&numbers),
        }?;
        Ok(answer.print(global))
    }
}

/// The numbers of the rules, with the host's own laid over them.
fn numbers(global: &Global) -> Result<Numbers, HostError> {
    let files = desk(&global.dir()).0.shared_files("lga")?;
    Ok(Numbers::load(&files).map_err(musterd_desk::DeskError::from)?)
}

/// A unit as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unit {
    kind: UnitType,
    morale: Option<i8>,
    fatigue: u8,
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

fn unit_type(word: &str) -> Result<UnitType, String> {
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
    fn fighter(self, numbers: &Numbers) -> Result<Fighter, HostError> {
        let Self { kind, morale, fatigue } = self;
        let most = numbers.stats(kind).max_morale;
        let morale = morale.unwrap_or(most);
        if !(0..=most).contains(&morale) {
            return Err(HostError::usage(format!("{kind} has a morale from 0 to {most}, not {morale}")));
        }
        Ok(Fighter { kind, morale, fatigue })
    }

    /// The same, where only units are asked about: headquarters are none (ruling LGA-16).
    fn not_hq(self, numbers: &Numbers, why: &str) -> Result<Fighter, HostError> {
        if self.kind == UnitType::Hq {
            return Err(HostError::usage(format!("a headquarters {why}")));
        }
        self.fighter(numbers)
    }
}

/// Refuses cavalry as a garrison (manual 3.6).
fn may_garrison(unit: Fighter) -> Result<(), HostError> {
    match unit.kind {
        UnitType::Cavalry => Err(HostError::usage("cavalry is no garrison: infantry, guard and militia are")),
        _ => Ok(()),
    }
}

/// `cavalry of morale 2, fatigue 1`.
fn named(unit: Fighter) -> String {
    match (unit.kind, unit.fatigue) {
        (UnitType::Hq, _) => "HQ".to_owned(),
        (kind, 0) => format!("{kind} of morale {}", unit.morale),
        (kind, fatigue) => format!("{kind} of morale {}, fatigue {fatigue}", unit.morale),
    }
}

fn fact(label: &str, text: impl Into<String>) -> Fact {
    Fact { label: label.to_owned(), text: text.into() }
}

/// A fate in words: a headquarters has no morale to speak of.
fn fate(kind: UnitType) -> impl Fn(&Fate) -> String {
    move |fate| match fate {
        Fate::Destroyed => "destroyed".to_owned(),
        Fate::Morale(_) if kind == UnitType::Hq => "unhurt".to_owned(),
        Fate::Morale(0) => "morale 0, demoralised".to_owned(),
        Fate::Morale(morale) => format!("morale {morale}"),
    }
}

/// How many of several that don't depend on each other come out so.
fn count_of<T: Ord>(all: &[Distribution<T>], so: impl Fn(&T) -> bool) -> Distribution<usize> {
    all.iter().fold(Distribution::certain(0), |count, one| {
        count.and(one, |count, value| count + usize::from(so(value)))
    })
}
