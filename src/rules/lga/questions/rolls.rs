//! Rolls of units, each for itself: musters, withdrawals, reinforcements, sieges.

use super::unit::{Asked, Ground, UNITS, Unit, count_of, fate, ground, ground_of, listed_or, numbers, units};
use crate::model::{CityRank, Terrain};
use crate::numbers::Numbers;
use crate::odds::{self, Remains};
use crate::setting::ReadSetting;
use crate::tables::muster::Mustering;
use crate::tables::reaction::Withdrawal;
use musterd_dice::odds::{Distribution, Exact};
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation};
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_kit::odds::{Answer as Odds, Chances};
use musterd_report::text::listed;

/// The muster of units.
pub(super) const MUSTER: Call = Call {
    name: "muster",
    about: "The muster of units at the start of their turn, all in one place",
    examples: &["musterd odds lga muster --unit infantry,militia --in major --winter"],
    notes: &[UNITS],
    args: &[&[
        units("The units"),
        ground(
            "in",
            "PLACE",
            "Where they are: capital, major, minor, clear, forest, mountains, marsh, or a terrain of your ruleset.yaml",
        ),
        Arg::flag("winter", "It is winter"),
        Arg::flag("unsupplied", "They are out of supply"),
        Arg::flag(
            "abroad",
            "They are in a country that their nation can't live off: `hungry_in` of the setting",
        ),
    ]],
    run: muster,
};

fn muster(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let units = asked(given, numbers, "does not muster")?;
    let (winter, unsupplied, abroad) = (given.has("winter"), given.has("unsupplied"), given.has("abroad"));
    let word = given.text("in").map(str::to_ascii_lowercase);
    let city = CityRank::ALL.into_iter().find(|rank| word.as_deref() == Some(rank.word()));
    // A city's line replaces that of its ground (ruling LGA-10).
    let ground = match city {
        Some(_) => Ground { terrain: Terrain::Clear, own: None },
        None => ground_of(given, "in", numbers, &CityRank::WORDS)?,
    };
    let place = match (city, ground.terrain, ground.own) {
        (Some(rank), ..) => format!("in a {rank}"),
        (None, Terrain::Clear, None) => "on clear ground".to_owned(),
        (None, ..) => format!("in {ground}"),
    };
    let hungry = match abroad {
        true => Some(hungry(&at.files()?)?),
        false => None,
    };
    let muster = |unit: &Asked| {
        let mustering = Mustering {
            morale: unit.fighter.morale,
            winter,
            terrain: ground.terrain,
            own_terrain: ground.own,
            city,
            supplied: !unsupplied,
            hungry: hungry.as_ref().map(|(who, countries)| (who.as_str(), countries.as_str())),
        };
        odds::muster(&numbers.muster, &mustering)
    };
    let fates: Vec<_> = units.iter().map(muster).collect();
    let starving =
        hungry.as_ref().map_or_else(String::new, |(who, countries)| format!("{who} in {countries}"));
    let conditions = [(winter, "winter"), (unsupplied, "out of supply"), (abroad, starving.as_str())];
    let conditions = conditions.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text);
    let given = vec![Fact::of(
        "Where",
        std::iter::once(place.as_str()).chain(conditions).collect::<Vec<_>>().join(", "),
    )];
    let mut chances = each(&units, &fates);
    if units.len() > 1 {
        let count = |n: &usize| format!("{n} of {}", units.len());
        let destroyed = count_of(&fates, |fate| *fate == Remains::Destroyed);
        let demoralised = count_of(&fates, |fate| *fate == Remains::Morale(0));
        chances.push(Chances::of("Units destroyed", &destroyed, count));
        chances.push(Chances::of("Units demoralised", &demoralised, count));
    }
    Ok(Odds { question: "muster", given, chances, expected: losses(&units, &fates) }.into())
}

/// Who can't live off which countries by the usual setting: `French` and `Russia, Spain or Portugal`.
fn hungry(files: &RuleFiles) -> Result<(String, String), CallError> {
    let ReadSetting { setting, errors, .. } = ReadSetting::read(files, None);
    if !errors.is_empty() {
        return Err(DataErrors(errors).into());
    }
    let (mut nations, mut countries): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for (_, of) in setting.nations().filter(|(_, of)| !of.hungry_in.is_empty()) {
        nations.push(&of.adjective);
        let new = of.hungry_in.iter().filter(|country| !countries.contains(&country.value));
        countries.extend(new.map(|country| country.value.clone()).collect::<Vec<_>>());
    }
    match nations.is_empty() {
        true => Err(CallError::from(format!(
            "by {} every nation can live off every country: leave --abroad out",
            setting.file
        ))),
        false => Ok((listed(&nations), listed_or(&countries))),
    }
}

/// A withdrawal.
pub(super) const WITHDRAW: Call = Call {
    name: "withdraw",
    about: "A withdrawal: what the rout table makes of each unit",
    examples: &["musterd odds lga withdraw --unit infantry:2,militia --river"],
    notes: &[UNITS],
    args: &[&[
        units("The units, each of which rolls for itself"),
        Arg::flag("river", "Over a river"),
        Arg::flag("into-marsh", "Into a marsh"),
    ]],
    run: withdraw,
};

fn withdraw(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let units = asked(given, numbers, "withdraws without a roll")?;
    let (river, into_marsh) = (given.has("river"), given.has("into-marsh"));
    let withdraw = |unit: &Asked| {
        let withdrawal = Withdrawal { arm: unit.kind.arm, morale: unit.fighter.morale, river, into_marsh };
        odds::withdraw(&numbers.rout, &withdrawal)
    };
    let fates: Vec<_> = units.iter().map(withdraw).collect();
    let way = match (river, into_marsh) {
        (false, false) => "over open ground",
        (true, false) => "over a river",
        (false, true) => "into a marsh",
        (true, true) => "over a river into a marsh",
    };
    let (given, chances) = (vec![Fact::of("Way", way)], each(&units, &fates));
    Ok(Odds { question: "withdraw", given, chances, expected: losses(&units, &fates) }.into())
}

/// Reinforcements.
pub(super) const REINFORCE: Call = Call {
    name: "reinforce",
    about: "Reinforcing: whether each unit arrives",
    examples: &["musterd odds lga reinforce --unit infantry,cavalry:1"],
    notes: &[UNITS],
    args: &[&[units("The units, each of which rolls for itself")]],
    run: reinforce,
};

fn reinforce(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let units = asked(given, numbers, "arrives without a roll")?;
    let reinforce = |unit: &Asked| odds::reinforce(&numbers.reinforce, unit.kind.arm, unit.fighter.morale);
    let all: Vec<_> = units.iter().map(reinforce).collect();
    let word = |arrives: &bool| if *arrives { "arrives".to_owned() } else { "does not".to_owned() };
    let mut chances: Vec<Chances> =
        units.iter().zip(&all).map(|(unit, one)| Chances::of(unit.named(), one, word)).collect();
    if units.len() > 1 {
        let arrived = count_of(&all, |arrives| *arrives);
        chances.push(Chances::of("Units that arrive", &arrived, |n| format!("{n} of {}", units.len())));
    }
    let arrivals: Exact = all.iter().map(|one| one.probability(|arrives| *arrives)).sum();
    let expected = vec![("units that arrive".to_owned(), arrivals)];
    Ok(Odds { question: "reinforce", given: Vec::new(), chances, expected }.into())
}

/// A siege.
pub(super) const SIEGE: Call = Call {
    name: "siege",
    about: "A siege: what becomes of a garrison that is out of supply at the end of its turn",
    examples: &["musterd odds lga siege --unit guard"],
    notes: &[UNITS],
    args: &[&[units("The garrison, or several to compare")]],
    run: siege,
};

fn siege(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let units = asked(given, numbers, "is no garrison")?;
    units.iter().try_for_each(|unit| unit.may_garrison())?;
    let fates: Vec<_> =
        units.iter().map(|unit| odds::besieged(&numbers.siege, unit.fighter.morale)).collect();
    let chances = each(&units, &fates);
    Ok(Odds { question: "siege", given: Vec::new(), chances, expected: losses(&units, &fates) }.into())
}

/// The units of the question; a headquarters is refused with this reason.
fn asked(given: &Given, numbers: &Numbers, why: &str) -> Result<Vec<Asked>, CallError> {
    given.values::<Unit>("unit").into_iter().map(|unit| unit.not_hq(numbers, why)).collect()
}

fn each(units: &[Asked], fates: &[Distribution<Remains>]) -> Vec<Chances> {
    units
        .iter()
        .zip(fates)
        .map(|(unit, fates)| Chances::of(unit.named(), fates, fate(unit.kind.arm)))
        .collect()
}

/// The morale that the units may be expected to lose, and how many of them to be destroyed.
fn losses(units: &[Asked], fates: &[Distribution<Remains>]) -> Vec<(String, Exact)> {
    let lost =
        units.iter().zip(fates).map(|(unit, fates)| fates.expected(|fate| fate.loss(unit.fighter.morale)));
    let destroyed = fates.iter().map(|fates| fates.probability(|fate| *fate == Remains::Destroyed));
    vec![("morale lost".to_owned(), lost.sum()), ("units destroyed".to_owned(), destroyed.sum())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::shipped;

    #[test]
    fn who_is_hungry_where_is_said_in_the_words_of_the_setting() {
        let mut files = shipped("austrian-1805").unwrap();
        assert_eq!(hungry(&files).unwrap(), ("French".to_owned(), "Russia, Spain or Portugal".to_owned()));
        let setting = files.0.get_mut("settings/napoleonic.yaml").unwrap();
        *setting = setting.replace("adjective: French", "adjective: Gallic");
        *setting = setting.replace("[Russia, Spain, Portugal]", "[Muscovy]");
        assert_eq!(hungry(&files).unwrap(), ("Gallic".to_owned(), "Muscovy".to_owned()));
        let setting = files.0.get_mut("settings/napoleonic.yaml").unwrap();
        *setting = setting.replace("    hungry_in: [Muscovy]\n", "");
        assert!(hungry(&files).unwrap_err().to_string().ends_with("leave --abroad out"));
    }
}
