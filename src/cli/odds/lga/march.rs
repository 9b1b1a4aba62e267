use clap::Args;

use super::unit::{UNITS, Unit, fact, named};
use crate::cli::odds::answer::{Answer, Chances};
use musterd_daemon::HostError;
use musterd_lga::numbers::Numbers;
use musterd_lga::odds;

/// A march: how far a unit comes in the fog of war, and what a long march does to it
#[derive(Debug, Args)]
#[command(
    after_help = format!("Example:\n  musterd odds lga march --unit infantry:3:f1 --way 1,1,2 --winter\n\nThe way is what each hex costs: 1 for clear ground and cities, 2 for forest, mountains and marsh, 1 more to leave an enemy zone.\n\n{UNITS}")
)]
pub(super) struct March {
    /// The unit
    #[arg(long, value_name = "UNIT")]
    unit: Unit,
    /// Moves that each hex of the way costs
    #[arg(long, required = true, value_delimiter = ',', value_name = "MOVES")]
    way: Vec<u8>,
    /// Moves that it has spent on the march this season already
    #[arg(long, value_name = "N", default_value_t = 0)]
    marched: u8,
    /// It is winter
    #[arg(long)]
    winter: bool,
}

impl March {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let unit = self.unit.fighter(numbers)?;
        let moves = numbers.stats(unit.kind).moves;
        let Some(left) = moves.checked_sub(self.marched) else {
            return Err(HostError::usage(format!("{} has only {moves} moves a season", unit.kind)));
        };
        let march = odds::March {
            kind: unit.kind,
            fatigue: unit.fatigue,
            left,
            marched: self.marched,
            winter: self.winter,
            way: self.way.clone(),
        };
        let halts = march.halts(numbers);
        let way: Vec<String> = self.way.iter().map(u8::to_string).collect();
        let season = if self.winter { ", in winter" } else { "" };
        let given = vec![
            fact("Unit", format!("{}, {left} of {moves} moves left", named(unit))),
            fact("Way", format!("{} moves{season}", way.join(" + "))),
        ];
        let entered =
            Chances::of("Hexes entered", &halts.map(|halt| halt.entered), |entered| match *entered {
                all if all == self.way.len() => format!("all {all}"),
                some => format!("{some} of {}", self.way.len()),
            });
        let spare = Chances::of("Moves left", &halts.map(|halt| halt.left), u8::to_string);
        let fatigue = Chances::of("Fatigue", &halts.map(|halt| halt.fatigue), u8::to_string);
        Ok(Answer { question: "march", given, chances: vec![entered, spare, fatigue], expected: Vec::new() })
    }
}
