use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::rulesets;
use musterd_engine::terms::Terms;

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
    #[arg(long, value_name = "WHAT", value_parser = missing_words(), default_value = "standing")]
    missing: String,
    /// Hold the turn when more seats than this have sent no orders [default: no limit]
    #[arg(long, value_name = "SEATS")]
    most_missing: Option<u32>,
    /// How long a turn is held before the GM has to decide [default: 3d]
    #[arg(long, value_name = "SPAN")]
    hold: Option<String>,
    /// How many missed turns of each player are excused: the turn is held once, and not counted as missed [default: 0]
    #[arg(long, value_name = "TURNS")]
    excused: Option<u32>,
    /// Whose READY runs a turn early: that of all seats, or of the side to move
    #[arg(long, value_name = "WHOSE", value_parser = ["all", "phasing", "never"], default_value = "all")]
    early: String,
    /// How long a turn waits once all are ready, in case a mail stops it; or none [default: 15m]
    #[arg(long, value_name = "SPAN")]
    recall: Option<String>,
    /// How far votes and absences may move the deadline of a turn [default: 14d]
    #[arg(long, value_name = "SPAN")]
    extension: Option<String>,
    /// How long a new player has at least for the open turn; 0 for no more than is left [default: 24h]
    #[arg(long, value_name = "SPAN")]
    newcomer: Option<String>,
    /// Dispatches wait for the GM's approval, so long at most [default: they don't]
    #[arg(long, value_name = "SPAN")]
    approval: Option<String>,
    /// Who may watch the game: whom the GM admits, anybody, or nobody
    #[arg(long, value_name = "WHO", value_parser = ["ask", "open", "none"], default_value = "ask")]
    observers: String,
    /// How many turns behind the players observers see the game
    #[arg(long, value_name = "TURNS", default_value_t = Terms::usual().observers_lag)]
    observers_lag: u32,
    /// Letters need not say whose they are
    #[arg(long)]
    anonymous: bool,
    /// When secrets, orders and dice become public: at the end of the game, with each turn's dispatches
    /// (turn), or so many turns later (lag 4) [default: end]
    #[arg(long, value_name = "WHEN")]
    reveal: Option<String>,
    /// Dispatches bring their seat's own dice, with the proof that they are the committed ones
    #[arg(long, value_name = "YES", value_parser = ["yes", "no"], default_value = "yes")]
    proofs: String,
    /// Letters to allies travel by courier, so many hexes a dispatch [default: at once]
    #[arg(long, value_name = "HEXES")]
    couriers: Option<u32>,
}

impl TermsArgs {
    /// The terms that were given, each with its value as [`NewGame::set`](musterd_daemon::NewGame::set) takes it.
    pub(super) fn given(&self) -> Vec<(&'static str, String)> {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let given = [
            ("grace", self.grace.clone()),
            ("remind", self.remind.clone()),
            ("missing", Some(self.missing.clone())),
            ("most-missing", number(self.most_missing)),
            ("hold", self.hold.clone()),
            ("excused", number(self.excused)),
            ("early", Some(self.early.clone())),
            ("recall", self.recall.clone()),
            ("extension", self.extension.clone()),
            ("newcomer", self.newcomer.clone()),
            ("approval", self.approval.clone()),
            ("observers", Some(self.observers.clone())),
            ("observers-lag", number(Some(self.observers_lag))),
            ("anonymous", self.anonymous.then(|| "yes".to_owned())),
            ("reveal", self.reveal.clone()),
            ("proofs", Some(self.proofs.clone())),
            ("couriers", number(self.couriers)),
        ];
        given.into_iter().filter_map(|(option, value)| Some((option, value?))).collect()
    }
}

/// How a computer player of any ruleset is asked for: `computer`, `computer:cautious`.
fn computers() -> Vec<String> {
    let desk = rulesets::known();
    let levels = desk.rulesets().filter_map(|id| desk.levels(id).ok());
    let mut words: Vec<String> = Vec::new();
    for word in levels.flat_map(|levels| levels.words().collect::<Vec<_>>()) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// What can be done about missing orders.
fn missing_words() -> PossibleValuesParser {
    [vec!["hold".to_owned(), "standing".to_owned()], computers(), vec!["gm".to_owned()]].concat().into()
}
