//! What the service manager is told, where there is one, by the protocol of sd_notify(3): that the daemon serves, how
//! things stand, that its loop is alive, that it stops. Without `NOTIFY_SOCKET` in the environment nothing is sent.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use sd_notify::NotifyState;

use musterd_post::{Arrived, Keep, KeepError, Spool};
use musterd_text::nouns::count;

/// How long opening the store may take: after damage it is built again from its mirrors.
const OPENING: Duration = Duration::from_secs(15 * 60);
/// A sign of life is given this many times in the interval that the service manager bears without one.
const SIGNS_AN_INTERVAL: u32 = 4;

/// The store is about to be opened, which may take long.
pub(crate) fn opening() {
    let micros = u32::try_from(OPENING.as_micros()).unwrap_or(u32::MAX);
    tell(&[NotifyState::ExtendTimeoutUsec(micros), NotifyState::Status("opening the store")]);
}

/// The daemon serves.
pub(crate) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// The daemon stops.
pub(crate) fn stopping() {
    tell(&[NotifyState::Stopping, NotifyState::Status("stopping: the step in hand is finished")]);
}

/// How things stand, in a line for `systemctl status`; said again only when it changes.
pub(crate) fn standing<'a>(games: usize, next: Option<i64>, unreached: impl Iterator<Item = &'a String>) {
    static LAST: Mutex<String> = Mutex::new(String::new());
    let line = in_words(games, next, unreached);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if *last != line {
        tell(&[NotifyState::Status(&line)]);
        *last = line;
    }
}

fn in_words<'a>(games: usize, next: Option<i64>, unreached: impl Iterator<Item = &'a String>) -> String {
    let games = count(games, "game");
    let next = match next.and_then(|at| Timestamp::from_second(at).ok()) {
        Some(at) => format!("next due {}", at.strftime("%Y-%m-%d %H:%M UTC")),
        None => "nothing due".to_owned(),
    };
    let unreached: Vec<&str> = unreached.map(String::as_str).collect();
    let doubt =
        if unreached.is_empty() { String::new() } else { format!("; can't reach {}", unreached.join(", ")) };
    format!("{games}, {next}{doubt}")
}

/// Called by the loop itself, and between the batches of whatever takes it long: a loop that hangs falls silent, and
/// the service manager starts the daemon again.
pub(crate) fn alive() {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let Some(interval) = interval() else { return };
    #[expect(
        clippy::disallowed_methods,
        reason = "measures the service manager's patience, decides nothing in a game"
    )]
    let now = Instant::now();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| now.saturating_duration_since(last) >= interval / SIGNS_AN_INTERVAL) {
        tell(&[NotifyState::Watchdog]);
        *last = Some(now);
    }
}

/// How long the service manager bears silence, if it watches at all.
fn interval() -> Option<Duration> {
    static INTERVAL: OnceLock<Option<Duration>> = OnceLock::new();
    *INTERVAL.get_or_init(sd_notify::watchdog_enabled)
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!(%error, "the service manager can't be told");
    }
}

/// The spool, with a sign of life before each batch that a mailbox hands over.
pub(crate) struct Pulse<'a>(pub(crate) &'a mut Spool);

impl Keep for Pulse<'_> {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        alive();
        self.0.keep(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_status_tells_games_deadline_and_trouble() {
        let none: [String; 0] = [];
        assert_eq!(in_words(0, None, none.iter()), "0 games, nothing due");
        assert_eq!(
            in_words(1, Some(1_795_262_400), ["imap mail.example.org:993 INBOX".to_owned()].iter()),
            "1 game, next due 2026-11-21 12:00 UTC; can't reach imap mail.example.org:993 INBOX"
        );
    }
}
