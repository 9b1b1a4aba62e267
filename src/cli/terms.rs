use clap::Args;

use crate::daemon::HostError;
use crate::engine::Skill;
use crate::engine::terms::{Early, Missing, Terms};
use crate::letter::minutes;

/// What a game lays down about time and players. Spans are `90m`, `36h`, `3d`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Terms of the game")]
pub(super) struct TermsArgs {
    /// How long a turn waits for missing orders after its deadline [default: 0m]
    #[arg(long, value_name = "SPAN")]
    grace: Option<String>,
    /// How long before the deadline whoever has sent no orders is reminded; or never [default: 24h]
    #[arg(long, value_name = "SPAN")]
    remind: Option<String>,
    /// When orders are still missing: hold the turn, follow standing orders, let the computer order for
    /// once, or ask the GM
    #[arg(long, value_name = "WHAT", value_parser = ["hold", "standing", "computer", "computer:cautious", "gm"], default_value = "standing")]
    missing: String,
    /// Hold the turn when more seats than this have sent no orders [default: no limit]
    #[arg(long, value_name = "SEATS")]
    most_missing: Option<u32>,
    /// How long a turn is held before the GM has to decide [default: 3d]
    #[arg(long, value_name = "SPAN")]
    hold: Option<String>,
    /// Whose READY runs a turn early: that of all seats, or of the side to move
    #[arg(long, value_name = "WHOSE", value_parser = ["all", "phasing", "never"], default_value = "all")]
    early: String,
    /// How far votes and absences may move the deadline of a turn [default: 14d]
    #[arg(long, value_name = "SPAN")]
    extension: Option<String>,
    /// Dispatches wait for the GM's approval, so long at most [default: they don't]
    #[arg(long, value_name = "SPAN")]
    approval: Option<String>,
    /// How many turns behind the players observers see the game
    #[arg(long, value_name = "TURNS", default_value_t = 2)]
    observers_lag: u32,
    /// Letters need not say whose they are
    #[arg(long)]
    anonymous: bool,
    /// Letters to allies travel by courier, so many hexes a dispatch [default: at once]
    #[arg(long, value_name = "HEXES")]
    couriers: Option<u32>,
}

impl TermsArgs {
    /// The terms.
    ///
    /// # Errors
    /// A span that is none.
    pub(super) fn terms(&self) -> Result<Terms, HostError> {
        let usual = Terms::default();
        let span = |option: &str, text: &Option<String>, usual: u32| match text {
            Some(text) => minutes(text).ok_or_else(|| no_span(option, text)),
            None => Ok(usual),
        };
        Ok(Terms {
            grace: span("grace", &self.grace, usual.grace)?,
            remind: match self.remind.as_deref() {
                Some("never") => None,
                Some(text) => Some(minutes(text).ok_or_else(|| no_span("remind", text))?),
                None => usual.remind,
            },
            missing: match self.missing.as_str() {
                "hold" => Missing::Hold,
                "computer" => Missing::Computer { skill: Skill::Planner },
                "computer:cautious" => Missing::Computer { skill: Skill::Cautious },
                "gm" => Missing::Gm,
                _ => Missing::Standing,
            },
            most_missing: self.most_missing,
            hold: span("hold", &self.hold, usual.hold)?,
            early: match self.early.as_str() {
                "phasing" => Early::Phasing,
                "never" => Early::Never,
                _ => Early::All,
            },
            extension: span("extension", &self.extension, usual.extension)?,
            approval: match &self.approval {
                Some(text) => Some(minutes(text).ok_or_else(|| no_span("approval", text))?),
                None => usual.approval,
            },
            observers_lag: self.observers_lag,
            anonymous: self.anonymous,
            couriers: self.couriers,
        })
    }
}

fn no_span(option: &str, text: &str) -> HostError {
    HostError::usage(format!("--{option} {text}: write a span such as 90m, 36h or 3d"))
}
