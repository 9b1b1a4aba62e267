use clap::Args;

use crate::daemon::HostError;
use crate::desk::terms::Arrangements;
use crate::engine::terms::{DeadlinePolicy, PressPolicy, Terms};

/// What a game lays down about time and players. Spans are `90m`, `36h`, `3d`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Terms of the game")]
pub(super) struct TermsArgs {
    /// How long a turn waits for missing orders after its deadline; it runs at once when none are missing [default: 0]
    #[arg(long, value_name = "SPAN")]
    grace: Option<String>,
    /// How long before the deadline a player whose orders are missing is reminded, once; or `never` [default: 24h]
    #[arg(long, value_name = "SPAN")]
    remind: Option<String>,
    /// What happens to missing orders: the turn is on `hold`, the units follow their `standing` orders, the `computer` orders for
    /// once, or the `gm` decides
    #[arg(long, value_name = "WHAT", value_parser = ["hold", "standing", "computer", "computer:cautious", "gm"], default_value = "standing")]
    missing: String,
    /// The turn is held back when more seats than this are missing [default: any number may be]
    #[arg(long, value_name = "SEATS")]
    most_missing: Option<u32>,
    /// How long a turn is held back before the GM has to decide [default: 3d]
    #[arg(long, value_name = "SPAN")]
    hold: Option<String>,
    /// Whose READY runs a turn early: `all` seats', or only those of the `phasing` side; or `never`
    #[arg(long, value_name = "WHOSE", value_parser = ["all", "phasing", "never"], default_value = "all")]
    early: String,
    /// How far players' votes and absences may move the deadline of one turn [default: 14d]
    #[arg(long, value_name = "SPAN")]
    extension: Option<String>,
    /// Dispatches wait for the GM's approval, so long at most
    #[arg(long, value_name = "SPAN")]
    approval: Option<String>,
    /// How many adjudications observers see the game behind its players
    #[arg(long, value_name = "TURNS", default_value_t = 2)]
    observers_lag: u32,
    /// Letters travel by courier, so many hexes in a season [default: they come at once]
    #[arg(long, value_name = "HEXES")]
    couriers: Option<u32>,
}

impl TermsArgs {
    /// The terms.
    ///
    /// # Errors
    /// A value that is none.
    pub(super) fn terms(&self) -> Result<Terms, HostError> {
        let (deadlines, press) = (DeadlinePolicy::None, PressPolicy::default());
        let mut game = Arrangements { deadlines, press, terms: Terms::default() };
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let given = [
            ("grace", self.grace.clone()),
            ("remind", self.remind.clone()),
            ("missing", Some(self.missing.clone())),
            ("most-missing", number(self.most_missing)),
            ("hold", self.hold.clone()),
            ("early", Some(self.early.clone())),
            ("extension", self.extension.clone()),
            ("approval", self.approval.clone()),
            ("observers-lag", number(Some(self.observers_lag))),
            ("couriers", number(self.couriers)),
        ];
        for (option, value) in given {
            let set = value.map_or(Ok(()), |value| game.set(option, &value));
            set.map_err(|e| HostError::usage(e.to_string()))?;
        }
        Ok(game.terms)
    }
}
