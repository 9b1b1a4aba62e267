use clap::{Args, ValueEnum};

use super::unit::{UNITS, Unit, count_of, fact, fate, may_garrison, named};
use crate::cli::odds::answer::{Answer, Chances};
use musterd_daemon::HostError;
use musterd_dice::odds::{Distribution, Exact};
use musterd_lga::model::{CityRank, Terrain};
use musterd_lga::numbers::Numbers;
use musterd_lga::odds::{self, Remains};
use musterd_lga::tables::combat::Fighter;
use musterd_lga::tables::muster::Mustering;
use musterd_lga::tables::reaction::Withdrawal;

/// The muster of units at the start of their turn, all in one place
#[derive(Debug, Args)]
#[command(
    after_help = format!("Example:\n  musterd odds lga muster --unit infantry,militia --in major --winter\n\n{UNITS}")
)]
pub(super) struct Muster {
    /// The units
    #[arg(long, required = true, value_delimiter = ',', value_name = "UNIT")]
    unit: Vec<Unit>,
    /// Where they are: capital, major, minor, clear, forest, mountains, marsh
    #[arg(long = "in", value_name = "PLACE", default_value = "clear", hide_possible_values = true)]
    place: MusterPlace,
    /// It is winter
    #[arg(long)]
    winter: bool,
    /// They are out of supply
    #[arg(long)]
    unsupplied: bool,
    /// They are French and in a country that the French can't live off: Russia, Spain or Portugal
    #[arg(long)]
    abroad: bool,
}

/// Where units muster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MusterPlace {
    /// A capital
    Capital,
    /// A major city
    Major,
    /// A minor city
    Minor,
    /// Clear ground
    Clear,
    /// Forest
    Forest,
    /// Mountains
    #[value(alias = "mountain")]
    Mountains,
    /// Marsh
    Marsh,
}

impl MusterPlace {
    const fn city(self) -> Option<CityRank> {
        match self {
            Self::Capital => Some(CityRank::Capital),
            Self::Major => Some(CityRank::Major),
            Self::Minor => Some(CityRank::Minor),
            Self::Clear | Self::Forest | Self::Mountains | Self::Marsh => None,
        }
    }

    const fn terrain(self) -> Terrain {
        match self {
            Self::Forest => Terrain::Forest,
            Self::Mountains => Terrain::Mountain,
            Self::Marsh => Terrain::Marsh,
            Self::Capital | Self::Major | Self::Minor | Self::Clear => Terrain::Clear,
        }
    }
}

impl Muster {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let units = units(&self.unit, numbers, "does not muster")?;
        let muster = |unit: &Fighter| {
            let mustering = Mustering {
                morale: unit.morale,
                winter: self.winter,
                terrain: self.place.terrain(),
                city: self.place.city(),
                supplied: !self.unsupplied,
                hungry: self.abroad.then_some(("French", "a country like Russia")),
            };
            odds::muster(&numbers.muster, &mustering)
        };
        let fates: Vec<_> = units.iter().map(muster).collect();
        let place = match self.place {
            MusterPlace::Capital => "in a capital",
            MusterPlace::Major => "in a major city",
            MusterPlace::Minor => "in a minor city",
            MusterPlace::Clear => "on clear ground",
            MusterPlace::Forest => "in forest",
            MusterPlace::Mountains => "in mountains",
            MusterPlace::Marsh => "in marsh",
        };
        let conditions =
            [(self.winter, "winter"), (self.unsupplied, "out of supply"), (self.abroad, "French abroad")];
        let conditions = conditions.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text);
        let given =
            vec![fact("Where", std::iter::once(place).chain(conditions).collect::<Vec<_>>().join(", "))];
        let mut chances = each(&units, &fates);
        if units.len() > 1 {
            let count = |n: &usize| format!("{n} of {}", units.len());
            let destroyed = count_of(&fates, |fate| *fate == Remains::Destroyed);
            let demoralised = count_of(&fates, |fate| *fate == Remains::Morale(0));
            chances.push(Chances::of("Units destroyed", &destroyed, count));
            chances.push(Chances::of("Units demoralised", &demoralised, count));
        }
        Ok(Answer { question: "muster", given, chances, expected: losses(&units, &fates) })
    }
}

/// A withdrawal: what the rout table makes of each unit
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds lga withdraw --unit infantry:2,militia --river\n\n{UNITS}"))]
pub(super) struct Withdraw {
    /// The units, each of which rolls for itself
    #[arg(long, required = true, value_delimiter = ',', value_name = "UNIT")]
    unit: Vec<Unit>,
    /// Over a river
    #[arg(long)]
    river: bool,
    /// Into a marsh
    #[arg(long)]
    into_marsh: bool,
}

impl Withdraw {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let units = units(&self.unit, numbers, "withdraws without a roll")?;
        let withdraw = |unit: &Fighter| {
            let Self { river, into_marsh, .. } = *self;
            let withdrawal = Withdrawal { kind: unit.kind, morale: unit.morale, river, into_marsh };
            odds::withdraw(&numbers.rout, &withdrawal)
        };
        let fates: Vec<_> = units.iter().map(withdraw).collect();
        let way = match (self.river, self.into_marsh) {
            (false, false) => "over open ground",
            (true, false) => "over a river",
            (false, true) => "into a marsh",
            (true, true) => "over a river into a marsh",
        };
        let given = vec![fact("Way", way)];
        let chances = each(&units, &fates);
        Ok(Answer { question: "withdraw", given, chances, expected: losses(&units, &fates) })
    }
}

/// Reinforcing: whether each unit arrives
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds lga reinforce --unit infantry,cavalry:1\n\n{UNITS}"))]
pub(super) struct Reinforce {
    /// The units, each of which rolls for itself
    #[arg(long, required = true, value_delimiter = ',', value_name = "UNIT")]
    unit: Vec<Unit>,
}

impl Reinforce {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let units = units(&self.unit, numbers, "arrives without a roll")?;
        let reinforce = |unit: &Fighter| odds::reinforce(&numbers.reinforce, unit.kind, unit.morale);
        let all: Vec<_> = units.iter().map(reinforce).collect();
        let word = |arrives: &bool| if *arrives { "arrives".to_owned() } else { "does not".to_owned() };
        let mut chances: Vec<Chances> =
            units.iter().zip(&all).map(|(unit, one)| Chances::of(named(*unit), one, word)).collect();
        if units.len() > 1 {
            let arrived = count_of(&all, |arrives| *arrives);
            chances.push(Chances::of("Units that arrive", &arrived, |n| format!("{n} of {}", units.len())));
        }
        let arrivals: Exact = all.iter().map(|one| one.probability(|arrives| *arrives)).sum();
        let expected = vec![("units that arrive".to_owned(), arrivals)];
        Ok(Answer { question: "reinforce", given: Vec::new(), chances, expected })
    }
}

/// A siege: what becomes of a garrison that is out of supply at the end of its turn
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds lga siege --unit guard\n\n{UNITS}"))]
pub(super) struct Siege {
    /// The garrison, or several to compare
    #[arg(long, required = true, value_delimiter = ',', value_name = "UNIT")]
    unit: Vec<Unit>,
}

impl Siege {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let units = units(&self.unit, numbers, "is no garrison")?;
        units.iter().try_for_each(|unit| may_garrison(*unit))?;
        let fates: Vec<_> = units.iter().map(|unit| odds::besieged(&numbers.siege, unit.morale)).collect();
        let chances = each(&units, &fates);
        Ok(Answer { question: "siege", given: Vec::new(), chances, expected: losses(&units, &fates) })
    }
}

fn units(written: &[Unit], numbers: &Numbers, why: &str) -> Result<Vec<Fighter>, HostError> {
    written.iter().map(|unit| unit.not_hq(numbers, why)).collect()
}

fn each(units: &[Fighter], fates: &[Distribution<Remains>]) -> Vec<Chances> {
    units.iter().zip(fates).map(|(unit, fates)| Chances::of(named(*unit), fates, fate(unit.kind))).collect()
}

/// The morale that the units may be expected to lose, and how many of them to be destroyed.
fn losses(units: &[Fighter], fates: &[Distribution<Remains>]) -> Vec<(String, Exact)> {
    let lost = units.iter().zip(fates).map(|(unit, fates)| fates.expected(|fate| fate.loss(unit.morale)));
    let destroyed = fates.iter().map(|fates| fates.probability(|fate| *fate == Remains::Destroyed));
    vec![("morale lost".to_owned(), lost.sum()), ("units destroyed".to_owned(), destroyed.sum())]
}
