use clap::{Args, ValueEnum};

use super::unit::{UNITS, Unit, fact, fate, may_garrison, named};
use crate::cli::odds::answer::{Answer, Chances};
use musterd_daemon::HostError;
use musterd_lga::model::{Terrain, UnitType};
use musterd_lga::numbers::Numbers;
use musterd_lga::odds::{Assault, Attacker, Defender};
use musterd_lga::order::Limit;
use musterd_lga::tables::combat::{Field, Fighter};

/// An attack of one unit or of several, one after the other, for any number of rounds
#[derive(Debug, Args)]
#[command(after_help = format!("Examples:
  musterd odds lga attack --with infantry:3 --against militia:2 --river
  musterd odds lga attack --with guard,cavalry:2:f1 --hq 2 \\
      --against infantry --garrison militia \\
      --defender-hq 1 --into forest --until-clear --while-morale 2

The defenders are attacked in the order given, then their garrison, then their headquarters. Standing orders \
    of the defenders are left out.

{UNITS}"))]
pub(super) struct Attack {
    /// The attackers, in the order in which they attack
    #[arg(long, required = true, value_delimiter = ',', value_name = "UNIT")]
    with: Vec<Unit>,
    /// The defenders, from the top of their stack
    #[arg(long, value_delimiter = ',', value_name = "UNIT", required_unless_present_any = ["garrison", "defender_hq"])]
    against: Vec<Unit>,
    /// The garrison of the city
    #[arg(long, value_name = "UNIT")]
    garrison: Option<Unit>,
    /// What the best headquarters with the attackers adds
    #[arg(long, value_name = "N", default_value_t = 0)]
    hq: i8,
    /// What the headquarters with the defenders adds; it is attacked last
    #[arg(long, value_name = "N")]
    defender_hq: Option<i8>,
    /// The ground that is attacked: clear, forest, mountains, marsh
    #[arg(long, value_name = "GROUND", default_value = "clear", hide_possible_values = true)]
    into: Ground,
    /// The ground that the attack comes out of
    #[arg(long, value_name = "GROUND", default_value = "clear", hide_possible_values = true)]
    out_of: Ground,
    /// The attack comes from the sea
    #[arg(long, conflicts_with_all = ["out_of", "river"])]
    from_sea: bool,
    /// The attack goes across a river
    #[arg(long)]
    river: bool,
    /// Rounds that each attacker fights at most
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=i64::from(Limit::MOST_ROUNDS)))]
    rounds: u8,
    /// Each attacker fights until nobody is left, or it can't
    #[arg(long, conflicts_with = "rounds")]
    until_clear: bool,
    /// Each attacks only while its own morale is so high
    #[arg(long, value_name = "N")]
    while_morale: Option<i8>,
    /// Each attacks only while the modifiers that it knows come to so much
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    while_odds: Option<i8>,
}

/// Ground, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ground {
    /// Clear, cities included
    Clear,
    /// Forest
    Forest,
    /// Mountains
    #[value(alias = "mountain")]
    Mountains,
    /// Marsh
    Marsh,
}

impl From<Ground> for Terrain {
    fn from(ground: Ground) -> Self {
        match ground {
            Ground::Clear => Self::Clear,
            Ground::Forest => Self::Forest,
            Ground::Mountains => Self::Mountain,
            Ground::Marsh => Self::Marsh,
        }
    }
}

impl Attack {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let table = &numbers.combat;
        let assault = self.assault(numbers)?;
        let prospect = assault.prospect(table);
        let opening = assault.opening(table);
        let first = opening.map_or_else(
            || "none: the order's conditions don't hold, or the unit is demoralised".to_owned(),
            |clash| {
                let lines = clash.modifiers(table).map(|line| format!("{} {:+}", line.why, line.by));
                let lines: Vec<String> = lines.collect();
                format!("{:+} on the die ({})", clash.odds(table), lines.join(", "))
            },
        );
        let attackers: Vec<String> =
            assault.attackers().iter().map(|attacker| named(attacker.unit)).collect();
        let defenders: Vec<String> = assault.defenders().iter().map(piece).collect();
        let hq = if self.hq == 0 { String::new() } else { format!("; HQ {:+}", self.hq) };
        let given = vec![
            fact("Attackers", format!("{}{hq}", attackers.join("; "))),
            fact("Defenders", defenders.join("; ")),
            fact("Ground", self.ground()),
            fact("Rounds", self.order()),
            fact("First round", first),
        ];
        let all = defenders.len();
        let left = prospect.defence().map(|defence| all - defence.fallen);
        let mut chances = vec![Chances::of("Left in the hex", &left, |left| match left {
            0 => "nobody: it is clear".to_owned(),
            left => format!("{left} of {all}"),
        })];
        let pieces =
            [("Attacker", attackers), ("Defender", defenders)].into_iter().flat_map(|(side, names)| {
                names
                    .into_iter()
                    .enumerate()
                    .map(move |(place, name)| format!("{side} {}: {name}", place + 1))
            });
        let fates = prospect.attackers().chain(prospect.defenders());
        let kinds = assault.attackers().iter().map(|attacker| attacker.unit.kind);
        let kinds = kinds.chain(assault.defenders().iter().map(|defender| defender.unit.kind));
        chances.extend(
            pieces.zip(fates).zip(kinds).map(|((piece, fates), kind)| Chances::of(piece, &fates, fate(kind))),
        );
        let expected = vec![
            ("morale lost by the attackers".to_owned(), prospect.attackers_loss()),
            ("morale lost by the defenders".to_owned(), prospect.defenders_loss()),
            ("attackers destroyed".to_owned(), prospect.attackers_destroyed()),
            ("defenders destroyed".to_owned(), prospect.defenders_destroyed()),
        ];
        Ok(Answer { question: "attack", given, chances, expected })
    }

    fn assault(&self, numbers: &Numbers) -> Result<Assault, HostError> {
        let rounds = if self.until_clear { Limit::MOST_ROUNDS } else { self.rounds };
        let limit = Limit { rounds, while_morale: self.while_morale, while_odds: self.while_odds };
        let from = if self.from_sea { Terrain::Sea } else { self.out_of.into() };
        let field = Field { from, to: self.into.into(), river: self.river };
        let attacker = |unit: &Unit| {
            let unit = unit.not_hq(numbers, "does not attack: --hq gives what it adds")?;
            Ok(Attacker { unit, hq: self.hq, field, limit: limit.clone() })
        };
        let why = "is given by what it adds: --defender-hq";
        let defender = |unit: &Unit| Ok(Defender::unit(unit.not_hq(numbers, why)?));
        let attackers = self.with.iter().map(attacker).collect::<Result<_, HostError>>()?;
        let mut defenders = self.against.iter().map(defender).collect::<Result<Vec<_>, HostError>>()?;
        if let Some(unit) = &self.garrison {
            let unit = unit.not_hq(numbers, why)?;
            may_garrison(unit)?;
            defenders.push(Defender::garrison(unit));
        }
        defenders.extend(self.defender_hq.map(Defender::headquarters));
        Ok(Assault::new(attackers, defenders))
    }

    fn ground(&self) -> String {
        let terrain = |ground: Ground| Terrain::from(ground).to_string();
        let out_of = match self.out_of {
            _ if self.from_sea => "from the sea ".to_owned(),
            Ground::Clear => String::new(),
            other => format!("out of {} ", terrain(other)),
        };
        let river = if self.river { ", across a river" } else { "" };
        format!("{out_of}into {}{river}", terrain(self.into))
    }

    fn order(&self) -> String {
        let mut text = match self.rounds {
            _ if self.until_clear => "until nobody is left".to_owned(),
            1 => "one".to_owned(),
            rounds => format!("up to {rounds}"),
        };
        if self.with.len() > 1 {
            text.push_str(", each attacker");
        }
        if let Some(morale) = self.while_morale {
            text.push_str(&format!(", while its morale is {morale} or better"));
        }
        if let Some(odds) = self.while_odds {
            text.push_str(&format!(", while the odds that it knows are {odds:+} or better"));
        }
        text
    }
}

fn piece(defender: &Defender) -> String {
    match defender {
        Defender { unit: Fighter { kind: UnitType::Hq, .. }, modifier, .. } => format!("HQ {modifier:+}"),
        Defender { garrison: true, unit, .. } => format!("garrison, {}", named(*unit)),
        Defender { unit, .. } => named(*unit),
    }
}
