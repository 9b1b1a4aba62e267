//! The lines of the public dice log (dice.md, "The log") for each cause.

use super::{Amendment, Author, Cause, Charter, Received, Reroll, Sealed, Verdict};
use musterd_dice::{self as dice, Digest, LogEntry, Text, Word};

impl Cause {
    /// The lines of the public dice log (dice.md, "The log") that this cause writes, in order.
    #[must_use]
    pub fn log_entries(&self) -> Vec<LogEntry> {
        match self {
            Self::Founded { charter, anchor } => founding(charter, *anchor),
            Self::Opened { t, name, deadline, sealed } => {
                let open = LogEntry::Open { t: *t, deadline: deadline.map(instant), name: name.clone() };
                std::iter::once(open).chain(sealed.iter().map(|sealed| seal(*t, sealed))).collect()
            }
            Self::Received(mail) => vec![mail.log_entry()],
            Self::Rescheduled { t, deadline, .. } => {
                vec![LogEntry::Deadline { t: *t, at: instant(*deadline) }]
            }
            Self::Closed { t, root, .. } => vec![LogEntry::Close { t: *t, root: *root }],
            Self::Beacon { t, beacon, .. } => {
                vec![LogEntry::Note { text: Text::new(&format!("beacon {t} {beacon}")) }]
            }
            Self::Adjudicated { t, rolls_root, result_commit, .. } => {
                vec![LogEntry::Rolls { t: *t, rolls: *rolls_root, result: *result_commit }]
            }
            Self::Pressed(letter) => {
                vec![LogEntry::Note { text: Text::new(&format!("press {}", letter.commit)) }]
            }
            Self::StoodIn { t, seat, leaf, .. } => vec![LogEntry::Recv {
                t: *t,
                seat: Some(seat.clone()),
                digest: *leaf,
                verdict: dice::LoggedVerdict::Accepted,
                // The computer gave these orders for a missing player.
                reason: Some(word("stand-in")),
            }],
            Self::Arranged(arrangement) => {
                let text = Text::new(&arrangement.text);
                vec![match arrangement.by {
                    Author::Gm => LogEntry::Gm { t: arrangement.t, text },
                    Author::Seat { .. } | Author::Host => LogEntry::Note { text },
                }]
            }
            Self::Amended(amendment) => vec![amendment.log_entry()],
            Self::Rerun { t, k, amendment, rolls_root, result_commit, .. } => {
                let (rolls, result) = (*rolls_root, *result_commit);
                vec![amendment.log_entry(), LogEntry::Rerun { t: *t, k: *k, rolls, result }]
            }
            Self::Rerolled(reroll) => reroll.log_entries(),
            Self::RolledBack { t, back, reason } => {
                let text =
                    Text::new(format!("rollback to before {back}: {reason}").trim_end_matches([':', ' ']));
                vec![LogEntry::Gm { t: *t, text }, LogEntry::Rollback { t: *t, back: *back }]
            }
            Self::Reported(telling) => vec![telling.log_entry()],
            Self::Told(_) | Self::Observed { .. } => Vec::new(),
            Self::Unsealed { commit, .. } => {
                vec![LogEntry::Note { text: Text::new(&format!("unsealed {commit}")) }]
            }
            Self::Intervened { t, text } => vec![LogEntry::Gm { t: *t, text: Text::new(text) }],
            Self::Noted { text } => vec![LogEntry::Note { text: Text::new(text) }],
            Self::Ended { results } => {
                vec![LogEntry::Note { text: Text::new(&format!("ended: {}", results.join("; "))) }]
            }
        }
    }
}

/// The log lines of a founding: the game, and the host's key if it has one.
fn founding(charter: &Charter, anchor: Digest) -> Vec<LogEntry> {
    let game = LogEntry::Game {
        game: charter.game.clone(),
        anchor,
        seats: charter.players.keys().cloned().collect(),
        house: charter.house().cloned().collect(),
        beacon: charter.beacon.clone(),
        rules: charter.files.digest(&charter.ruleset, charter.rules_version),
    };
    let key = charter.host_key.map(|key| LogEntry::Note { text: Text::new(&key.as_note()) });
    std::iter::once(game).chain(key).collect()
}

fn seal(t: u32, sealed: &Sealed) -> LogEntry {
    LogEntry::Seal { t, seat: sealed.seat.clone(), leaf: sealed.leaf }
}

impl Received {
    fn log_entry(&self) -> LogEntry {
        let (digest, verdict, reason) = match &self.verdict {
            Verdict::Accepted { leaf, .. } => (*leaf, dice::LoggedVerdict::Accepted, None),
            // A window closes with the last accepted mail of each seat; this one says that the seat sent none.
            Verdict::Withdrawn { leaf } => (*leaf, dice::LoggedVerdict::Accepted, Some(word("withdrawn"))),
            Verdict::Refused { reason, text } => (*text, dice::LoggedVerdict::Refused, Some(reason.clone())),
        };
        LogEntry::Recv { t: self.t, seat: self.seat.clone(), digest, verdict, reason }
    }
}

impl Reroll {
    /// A reroll is an adjudication of its own: the window, the consents, the close and the dice.
    fn log_entries(&self) -> Vec<LogEntry> {
        let Self { t, name, label, house, consents, root, rolls_root, result_commit, .. } = self;
        let t = *t;
        let consent = |sealed: &Sealed| LogEntry::Recv {
            t,
            seat: Some(sealed.seat.clone()),
            digest: sealed.leaf,
            verdict: dice::LoggedVerdict::Accepted,
            reason: Some(word("consent")),
        };
        let mut lines = vec![
            LogEntry::Open { t, deadline: None, name: name.clone() },
            LogEntry::Reroll { t, label: label.clone() },
        ];
        lines.extend(house.iter().map(|sealed| seal(t, sealed)));
        lines.extend(consents.iter().map(consent));
        lines.push(LogEntry::Close { t, root: *root });
        lines.push(LogEntry::Rolls { t, rolls: *rolls_root, result: *result_commit });
        lines
    }
}

impl Amendment {
    fn log_entry(&self) -> LogEntry {
        let text = format!("amend {} {}", self.commit, self.reason);
        LogEntry::Gm { t: self.t, text: Text::new(text.trim_end()) }
    }
}

/// A time as the log writes it; no time of the host lies before 1970.
fn instant(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or_default()
}

/// A reason in the log.
fn word(constant: &'static str) -> Word {
    #[expect(clippy::expect_used, reason = "a constant in the alphabet of words")]
    constant.parse().expect("a word")
}
