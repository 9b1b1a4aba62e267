use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{DiceStatus, GameStatus, HostError, Reply, Request, StatusFilter};
use musterd_desk::mail::minutes;
use musterd_dice::{GameId, Seat};

/// Show where games stand: who is waited for, the deadline, orders, mails
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct Status {
    /// One game's name [default: all games]
    #[arg(conflicts_with_all = ["open", "due", "gm", "archived"])]
    game: Option<GameId>,
    /// Only games that have not ended
    #[arg(long)]
    open: bool,
    /// Only games in the archive, which are left out otherwise
    #[arg(long, conflicts_with_all = ["open", "due"])]
    archived: bool,
    /// Only games that need somebody within this time [if none is given: 24h], the most urgent first
    #[arg(long, value_name = "WITHIN", num_args = 0..=1, require_equals = true, default_missing_value = "24h", value_parser = seconds)]
    due: Option<i64>,
    /// Only games that wait for their GM; with an address, only games of that GM
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    gm: Option<String>,
}

const HELP: &str = "Examples:
  musterd status
  musterd status alpha
  musterd status --open --due=2d
  musterd status --gm=ben@example.org --due

Games are told of for which every filter holds.

--open: a game that has not ended. Its players may still gather; a game that is set aside counts too.

--due: an open game that the time moves on within WITHIN (90m, 36h, 3d), or should have: at the deadline of its turn, or when all are ready, \
when a beacon's round is over, when dispatches are sent without approval. Also an open game that the time doesn't move on: it has no deadline, is \
paused or set aside, or waits for its GM. They are sorted by that time, those without one last.

--gm: a game that is paused, whose dispatches wait for approval, whose turn is over and waits for a decision about missing players, or that \
somebody asks to watch. With =ADDRESS: a game that this GM leads, whatever it waits for.";

/// A span of time in seconds.
fn seconds(text: &str) -> Result<i64, String> {
    let minutes = minutes(text).ok_or("write a time such as 90m, 36h or 3d, a year at most")?;
    Ok(i64::from(minutes) * 60)
}

impl Status {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let filter = self.filter();
        let is_filtered = filter != StatusFilter::default();
        let request = match is_filtered {
            true => Request::Find(filter),
            false => Request::Status { game: self.game.clone() },
        };
        match global.ask(request)? {
            reply if global.json => output::json(&reply),
            Reply::Status { games } if games.is_empty() => {
                output::text(match is_filtered {
                    true => "No game is so: `musterd status` shows all games.",
                    false => {
                        "No game yet. `musterd scenarios` lists what can be played, `musterd new` founds a game."
                    }
                });
            }
            Reply::Status { games } => {
                output::text(&games.iter().map(in_words).collect::<Vec<_>>().join("\n"));
            }
            _ => {}
        }
        Ok(Ended::Done)
    }

    fn filter(&self) -> StatusFilter {
        let gm = self.gm.as_deref();
        StatusFilter {
            open: self.open,
            due: self.due,
            archived: self.archived,
            waits_for_gm: gm == Some(""),
            gm: gm.filter(|address| !address.is_empty()).map(str::to_owned),
        }
    }
}

fn in_words(game: &GameStatus) -> String {
    let mut text = match &game.aside {
        Some(why) if game.title.is_empty() => return format!("{}: it can't go on: {why}\n", game.game),
        Some(why) => format!("{}: {}\n  it can't go on: {why}\n", game.game, game.title),
        None => format!("{}: {}\n", game.game, game.title),
    };
    match (game.t, &game.name) {
        (Some(t), Some(name)) => {
            text.push_str(&format!("  waits for  {} (turn {t}, {name})\n", game.waits_for));
        }
        _ => text.push_str(&format!("  {}\n", game.waits_for)),
    }
    if game.t.is_some() {
        let deadline = game.deadline.as_deref().unwrap_or("none");
        text.push_str(&format!("  deadline   {deadline} ({})\n", game.policy));
    }
    if let Some(runs) = &game.runs {
        text.push_str(&format!("  all ready  the turn runs on {runs}, unless a mail stops it\n"));
    }
    if let Some(DiceStatus { t, assurance }) = &game.dice {
        let salted: Vec<&str> = assurance.salted.iter().map(Seat::as_str).collect();
        let salted = if salted.is_empty() { "nobody".to_owned() } else { salted.join(", ") };
        let revealed = match game.revealed {
            None => "nothing is revealed".to_owned(),
            Some(last) if last >= *t => "all is revealed".to_owned(),
            Some(last) => format!("revealed up to t {last}"),
        };
        text.push_str(&format!(
            "  dice       t {t}: level {}, salted by {salted}; {revealed}\n",
            assurance.level
        ));
    }
    for result in &game.results {
        text.push_str(&format!("  {result}\n"));
    }
    if !game.observers.is_empty() {
        text.push_str(&format!("  watched by {}\n", game.observers.join(", ")));
    }
    for who in &game.applicants {
        text.push_str(&format!("  {who} asks to watch: `musterd gm {} ADMIT {who}`, or REFUSE\n", game.game));
    }
    let wide = |f: fn(&musterd_daemon::SeatStatus) -> usize| game.seats.iter().map(f).max().unwrap_or(0);
    let (seats, players) = (wide(|s| s.seat.as_str().len()), wide(|s| s.player.len()));
    for seat in &game.seats {
        text.push_str(&format!(
            "  {:seats$}  {:players$}  orders: {}{}\n",
            seat.seat,
            seat.player,
            seat.orders,
            if seat.owes { ", and the turn waits for them" } else { "" }
        ));
        text.push_str(&format!(
            "  {:seats$}  mails to it: {} sent, {} waiting, {} failed ({} came back); from it: {} accepted, {} refused\n",
            "", seat.sent, seat.waiting, seat.failed, seat.bounced, seat.accepted, seat.refused
        ));
    }
    for warning in &game.warnings {
        text.push_str(&format!("  warning: {warning}\n"));
    }
    text
}
