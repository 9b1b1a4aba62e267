use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{DiceStatus, GameStatus, HostError, Reply, Request};
use musterd_dice::{GameId, Seat};

/// Show where games stand: who is waited for, the deadline, orders, mails
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  musterd status\n  musterd status alpha")]
pub(super) struct Status {
    /// One game's name [default: all games]
    game: Option<GameId>,
}

impl Status {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match global.ask(Request::Status { game: self.game.clone() })? {
            Ok(reply) if global.json => output::json(&reply),
            Ok(Reply::Status { games }) if games.is_empty() => {
                output::text(
                    "No game yet. `musterd scenarios` lists what can be played, `musterd new` founds a game.",
                );
            }
            Ok(Reply::Status { games }) => {
                output::text(&games.iter().map(in_words).collect::<Vec<_>>().join("\n"));
            }
            Ok(_) => {}
            Err(ended) => return Ok(ended),
        }
        Ok(Ended::Done)
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
