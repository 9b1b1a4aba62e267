use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::global::{Ended, Global};
use super::output;
use crate::rulesets;
use musterd_audit::{Case, Inquiry, Questions, Reader, Stage, Unreadable, Verdict, inquire, sections};
use musterd_daemon::HostError;
use musterd_dice::{BadId, GameId, Seat};
use musterd_engine::briefing::Briefing;
use musterd_report::text;

/// Check a game from outside: its dice, its log, the mails that people kept; needs no host
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd verify alpha.json\n  musterd verify alpha.json ~/Mail/campaign red.mbox --replay\n  \
                  musterd verify red.mbox blue.mbox\n  musterd verify --mine french ~/Mail alpha.json\n\n\
                  Exit status 0 nothing wrong, 1 something to explain, 2 no audit file and no mails of a game in one of the paths, 3 a path can't be read, \
                  4 nothing wrong as far as the file reaches, which is older than the mails, 5 nothing wrong so far, and not all is revealed. Of \
                  several the first of 3, 1, 2, 4, 5. `--json` has it as `status`."
)]
pub(super) struct Verify {
    /// Audit files, mailbox files (mbox), Maildirs, single saved mails, or folders of them, in any order
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Play every turn again from the orders, by the rules, and compare what comes out
    #[arg(long)]
    replay: bool,
    /// End with status 0 in the place of 5, though turns are not revealed yet
    #[arg(long)]
    allow_unrevealed: bool,
    /// Tell the whole story of this seat's mails, turn by turn; what is wrong with any seat's is found without
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    mine: Option<Seat>,
    /// Open by the file of `musterd escrow` what the host hasn't revealed: proofs are thrown again, receipts held against orders
    #[arg(long, value_name = "ESCROWFILE")]
    secret: Option<PathBuf>,
}

impl Verify {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let mut progress = Progress::new();
        let mut read = |bytes: u64| progress.show(|| format!("read {} MB", bytes / 1_000_000));
        let mut reader = Reader::new(&mut read);
        for path in &self.paths {
            reader.read(path).map_err(|Unreadable { path, error }| HostError::Io { path, error })?;
        }
        let Reader { evidence, sources, .. } = reader;
        let desk = rulesets::with_tables();
        let secrets = self.secret.as_deref().map(super::escrow::open).transpose()?;
        let questions = Questions {
            desk: &desk,
            replay: self.replay,
            mine: self.mine.as_ref(),
            secrets: secrets.as_ref(),
        };
        let inquiry = inquire(evidence, sources, &questions, |stage, done, all| {
            progress.show(|| match stage {
                Stage::Examining => format!("dice thrown again: {done} of {all} turns"),
                Stage::Replaying => format!("played again: {done} of {all} turns"),
            });
        });
        progress.clear();
        if let Some(seat) = &self.mine {
            is_seated(seat, &inquiry)?;
        }
        self.tell(global, &inquiry)
    }

    fn tell(&self, global: &Global, inquiry: &Inquiry) -> Result<Ended, HostError> {
        let verdict = inquiry.verdict(self.allow_unrevealed);
        if global.json {
            output::json(&Told { status: verdict.status(), inquiry });
        } else {
            let sections = sections(inquiry, self.allow_unrevealed);
            output::text(text::sections(&Briefing { sections, ..Briefing::default() }).trim_end());
        }
        Ok(match verdict {
            Verdict::NothingWrong => Ended::Done,
            Verdict::ToExplain | Verdict::NothingThere => Ended::Finding(verdict.status()),
            Verdict::Older | Verdict::Unrevealed => Ended::Incomplete(verdict.status()),
        })
    }
}

/// The output for programs.
#[derive(Serialize)]
struct Told<'a> {
    /// The exit status.
    status: u8,
    #[serde(flatten)]
    inquiry: &'a Inquiry,
}

/// A seat, in any spelling of its name.
fn seat(text: &str) -> Result<Seat, BadId> {
    text.to_ascii_lowercase().parse()
}

/// Fails if no game here has this seat.
fn is_seated(seat: &Seat, inquiry: &Inquiry) -> Result<(), HostError> {
    let is_known = |case: &Case| case.seats.is_empty() || case.seats.contains(seat);
    if inquiry.cases.is_empty() || inquiry.cases.iter().any(is_known) {
        return Ok(());
    }
    let seats = inquiry.cases.iter().map(|case| {
        let names: Vec<&str> = case.seats.iter().map(Seat::as_str).collect();
        let game = case.game.as_ref().map_or("the game", GameId::as_str);
        format!("{game} has the seats {}", text::listed(&names))
    });
    Err(HostError::usage(format!(
        "--mine {seat}: there is no such seat; {}",
        seats.collect::<Vec<_>>().join("; ")
    )))
}

/// How often the line of progress is updated.
const PACE: Duration = Duration::from_millis(200);

/// One progress line on standard error, if that is a terminal and the work takes long.
struct Progress {
    terminal: bool,
    last: Instant,
    shown: bool,
}

impl Progress {
    #[expect(clippy::disallowed_methods, reason = "nothing depends on it but when the line changes")]
    fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), last: Instant::now(), shown: false }
    }

    fn show(&mut self, text: impl FnOnce() -> String) {
        if !self.terminal || self.last.elapsed() < PACE {
            return;
        }
        *self = Self { shown: true, ..Self::new() };
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", text());
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
