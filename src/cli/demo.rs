use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueHint};

use super::global::{Ended, Global};
use super::outfile::OutDir;
use super::output;
use crate::rulesets;
use musterd_daemon::clock::Clock;
use musterd_daemon::serve::pass;
use musterd_daemon::{Host, HostError, NewGame, Options, Reply, Request, Shape, config, stop_flag};
use musterd_dice::{GameId, Seat};
use musterd_disk::fresh;
use musterd_engine::terms::{PressPolicy, Terms};
use musterd_post as post;

/// Play a whole campaign by mail, computer against computer; nothing is left of it
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd demo\n  musterd demo waterloo-1815 --keep waterloo\n  musterd demo --seed-file seed --now 2026-01-01T00:00:00Z   # always the same\n\nIt is played in a temporary directory, which is deleted at the end, and when it is stopped (Ctrl-C; exit status 1) or fails. With --keep the directory stays: mails, store, journal."
)]
pub(super) struct Demo {
    /// The scenario, as `musterd scenarios` lists it
    #[arg(default_value = rulesets::known().first_scenario())]
    scenario: String,
    /// Play in this directory, which must not exist yet, and keep it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    keep: Option<OutDir>,
}

const ADDRESS: &str = "campaign@musterd.invalid";
const GAME: &str = "demo";
/// The demo ends after this number of turns, which is more than any scenario has.
const MOST_PASSES: usize = 10_000;

impl Demo {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        // Errors in the arguments are reported before anything is created.
        let (desk, entropy) = (super::shelf::desk(&global.dir()).0, global.entropy()?);
        let founding = desk.founding(&self.scenario)?;
        let table = desk.open(founding.rules(), &founding.files, &[])?;
        let seats: Vec<Seat> = table.seats().iter().map(|spec| spec.seat.clone()).collect();
        let stopping = stop_flag()?;
        let place = self.place(global)?;
        let dir = place.dir.clone();
        let fault = |path: &Path, error| HostError::Io { path: path.to_owned(), error };
        let inbox = dir.join("mail").join(ADDRESS);
        post::create(&inbox).map_err(|e| fault(&inbox, e))?;
        let file = dir.join(config::FILE);
        fresh::write(&file, config::example(ADDRESS).as_bytes()).map_err(|e| fault(&file, e))?;
        let clock = Clock::at(global.clock().now());
        // The host is closed before its directory is deleted.
        let mut host = Host::open(Options { dir: dir.clone(), clock: clock.clone(), entropy, desk })?;
        let mut sources = host.config().sources(&dir)?;
        let relay = host.config().relay(&dir, &clock)?;
        let game: GameId = GAME.parse().map_err(|e: musterd_dice::BadId| HostError::usage(e.to_string()))?;
        host.execute(Request::found(NewGame {
            scenario: founding.scenario,
            id: game.clone(),
            seats: seats.iter().map(|seat| (seat.clone(), "computer".to_owned())).collect(),
            gm: Vec::new(),
            witnesses: Vec::new(),
            deadline: Some("7d".to_owned()),
            start_now: false,
            press: PressPolicy::default(),
            terms: Terms::usual(),
            beacon: None,
            missing: None,
            options: BTreeMap::new(),
            templates: BTreeMap::new(),
        }))?;
        let title = table.title();
        let whereto = if place.kept { dir.display().to_string() } else { "a temporary directory".to_owned() };
        output::text(&format!("{title}: {} by computer, by mail, in {whereto}\n", names(&seats)));
        let mut shown = None;
        for _ in 0..MOST_PASSES {
            let worked = pass(&mut host, &mut sources, &*relay)?;
            let status = self.status(&mut host, &game)?;
            if status.t != shown && status.t.is_some() {
                shown = status.t;
                output::text(&format!("  turn {:>2}  {}", status.t.unwrap_or_default(), status.waits_for));
            }
            if worked.idle() {
                tell_end(&mut host, &game, &seats, &status.results)?;
                drop(host);
                output::text(&self.whereabouts(&place, &game, &seats));
                place.close()?;
                return Ok(Ended::Done);
            }
            if stopping.load(Ordering::Relaxed) {
                drop(host);
                let left = if place.kept {
                    format!("what was played lies in {}", dir.display())
                } else {
                    "nothing is left of it".to_owned()
                };
                place.close()?;
                return Ok(Ended::Found(vec![format!("the demo was stopped before its end: {left}")]));
            }
            // A demo doesn't wait for mail: the clock advances by a minute with every pass.
            clock.set(clock.now() + 60);
        }
        Err(HostError::usage("the demo came to no end: this is a fault of the program"))
    }

    fn place(&self, global: &Global) -> Result<Place, HostError> {
        if let Some(dir) = &self.keep {
            let dir = dir.path()?;
            if fs::symlink_metadata(dir).is_ok() {
                return Err(HostError::usage(format!(
                    "{} exists already: name a new directory",
                    dir.display()
                )));
            }
            return Ok(Place { dir: dir.to_owned(), kept: true });
        }
        let root = std::env::temp_dir();
        let start = global.clock().now();
        (0..1000)
            .map(|n| root.join(format!("musterd-demo-{start}-{}-{n}", std::process::id())))
            .find(|dir| fs::create_dir(dir).is_ok())
            .map(|dir| Place { dir, kept: false })
            .ok_or_else(|| HostError::usage(format!("no directory can be made in {}", root.display())))
    }

    fn status(&self, host: &mut Host, game: &GameId) -> Result<musterd_daemon::GameStatus, HostError> {
        match host.execute(Request::Status { game: Some(game.clone()) })? {
            Reply::Status { mut games } if !games.is_empty() => Ok(games.remove(0)),
            _ => Err(HostError::usage("the demo's game is gone")),
        }
    }

    /// Where what was played lies, or how it is kept.
    fn whereabouts(&self, place: &Place, game: &GameId, seats: &[Seat]) -> String {
        let program = program();
        if !place.kept {
            let scenario = match self.scenario.as_str() {
                first if first == rulesets::known().first_scenario() => String::new(),
                other => format!(" {other}"),
            };
            return format!(
                "\nNothing is kept of it. To look closer, play with `{program} demo{scenario} --keep DIR`: every mail, the store and \
                 the journal stay in DIR."
            );
        }
        format!(
            "\nEvery mail lies in {0}/mail, a Maildir for each address; read one with `mutt -f DIR`.\n\
             The store is {0}/store, its mirror {0}/mirror/{game}.jsonl.\n\
             Look closer: {program} --dir {0} status, report {game} {1} 3, journal {game}.",
            place.dir.display(),
            seats.first().map_or("SEAT", Seat::as_str),
        )
    }
}

/// The directory that is played in; deleted with all in it unless it is kept.
struct Place {
    dir: PathBuf,
    kept: bool,
}

impl Place {
    /// Deletes it, unless it is kept.
    fn close(mut self) -> Result<(), HostError> {
        let deleted = if self.kept { Ok(()) } else { fs::remove_dir_all(&self.dir) };
        self.kept = true;
        deleted.map_err(|error| HostError::Io { path: self.dir.clone(), error })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.kept {
            // Of a demo that fails, that failure is told.
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// Prints the last dispatches, and how the game ended.
fn tell_end(host: &mut Host, game: &GameId, seats: &[Seat], results: &[String]) -> Result<(), HostError> {
    for seat in seats {
        let request =
            Request::Report { game: game.clone(), seat: seat.clone(), turn: None, shape: Shape::Text };
        if let Reply::Report { subject, text } = host.execute(request)? {
            output::text(&format!("\n{}\nSubject: {subject}\n\n{text}", "=".repeat(78)));
        }
    }
    output::text(&format!("{}\nThe game is over.", "=".repeat(78)));
    results.iter().for_each(|result| output::text(&format!("  {result}")));
    Ok(())
}

/// The name by which this program was called: a user who has built it without installing it has no `musterd` on his path.
fn program() -> String {
    std::env::args_os()
        .next()
        .map_or_else(|| "musterd".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn names(seats: &[Seat]) -> String {
    seats.iter().map(Seat::as_str).collect::<Vec<_>>().join(" against ")
}
