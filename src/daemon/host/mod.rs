//! The host: it reads the clock, and moves values between the games, which decide, the ledger, which lasts, and the way out.

mod calls;
mod commands;
mod drain;
mod figures;
mod health;
mod intake;
mod pass;
mod rebuilt;
mod rounds;
mod send;
pub mod serve;
mod wording;

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::HostError;
use crate::books::batch::Batch;
use crate::books::bookkeeper::Bookkeeper;
use crate::books::decided::Decisions;
use crate::books::logbook;
use crate::books::tally::SharedCounters;
use crate::clock::{Clock, Stopwatch, Watch};
use crate::config::beacon_source::Beacons;
use crate::config::disk;
use crate::config::{self, Config};
use crate::decisions::custody::look_for_journals;
use crate::decisions::signing;
use crate::games::Games;
use crate::games::shelf::is_archived;
use crate::health::vitals::MailboxHealth;
use crate::inbox::Inbox;
use crate::inbox::opened::Opener;
use crate::mails::mailroom::Mailroom;
use crate::outbound::Outbound;
use crate::quiet::Quiet;
use crate::secrets::vault::{Entropy, Vault};
use crate::surroundings::Surroundings;
use crate::transit::{Delivery, Transit};
use musterd_desk::Desk;
use musterd_dice::{GameId, Signer};
use musterd_engine::journal::{Cause, Entry};
use musterd_post::{Aside, Spool};
use musterd_report::Templates;
use musterd_store::{Attempt, Records as _, Step, Store, StoreError, Tried};

/// What a host is opened with.
pub struct Options {
    /// The data directory.
    pub dir: PathBuf,
    /// The time.
    pub clock: Clock,
    /// Where secrets come from.
    pub entropy: Entropy,
    /// The rulesets.
    pub desk: Desk,
}

/// One data directory, opened: the only process that does.
pub struct Host {
    around: Arc<Surroundings>,
    ledger: Bookkeeper,
    games: Games,
    inbox: Inbox,
    outbound: Outbound,
    /// What mails in the spool take back, a list for each try to decide them: held back from the relay until they are decided.
    taken_back: Vec<Vec<Delivery>>,
    /// Whether this process looks at its mailboxes once only, so that it can't know since when one can't be reached.
    looks_once: bool,
    /// What the daemon's loop sees of the system's clock.
    watch: Watch,
    /// When the daemon began, unix seconds; none where a command opened the host.
    started: Option<i64>,
    /// Set where the process is to stop as soon as the step in hand is done.
    stopping: Arc<AtomicBool>,
    /// What the log needn't be told again.
    quiet: Quiet,
}

impl Deref for Host {
    type Target = Surroundings;

    fn deref(&self) -> &Surroundings {
        &self.around
    }
}

/// A game whose log names a key of this host, if there is one.
fn with_key(store: &Store, names: &[GameId]) -> Result<Option<GameId>, HostError> {
    for game in names {
        let entries = match store.entries(game) {
            Err(StoreError::SetAside { .. }) => continue,
            entries => entries?,
        };
        if let Some(Cause::Founded { charter, .. }) = entries.first().map(|entry| &entry.cause)
            && charter.host_key.is_some()
        {
            return Ok(Some(game.clone()));
        }
    }
    Ok(None)
}

impl Host {
    /// Opens a data directory; mends what a crash left.
    ///
    /// # Errors
    /// A configuration, store or secret that can't be used; another process that has it open.
    pub fn open(options: Options) -> Result<Self, HostError> {
        Self::open_counting(options, SharedCounters::default())
    }

    /// The same, with what this process has counted before.
    fn open_counting(options: Options, tally: SharedCounters) -> Result<Self, HostError> {
        let Options { dir, clock, entropy, desk } = options;
        disk::owned(&dir)?;
        let config = Config::load(&dir)?;
        let reproducible = clock.is_set() || matches!(entropy, Entropy::SeedFile(_));
        if reproducible && !config.mails_locally() {
            return Err(HostError::usage(
                "--now and --seed-file are for reproducible runs: not with real mail",
            ));
        }
        let secrets = dir.join("secrets");
        look_for_journals(&dir, || Store::is_new(&dir))?;
        let (store, recovery) = Store::open(&dir)?;
        for note in recovery.notes {
            tracing::warn!("{note}");
        }
        // A database that is there may be as empty: sled leaves such a one after some power cuts.
        look_for_journals(&dir, || Ok(recovery.set_aside.is_empty() && store.games()?.is_empty()))?;
        let spool = Spool::open(&dir.join("spool"))?;
        spool.sweep()?;
        let other =
            Aside::open(&dir.join("spool/other"), config.limits.keep_other_mb.saturating_mul(1_000_000))?;
        let names = store.games()?;
        let vault = Vault::open(&secrets, entropy.clone(), |game| names.contains(game))?;
        let (signer, unsigned) =
            signing::signer(&secrets, &entropy, config.sign, || with_key(&store, &names))?;
        let mailroom = mailroom(&dir, &config, signer)?;
        let mailboxes = config.mail_in.iter().map(|mailbox| MailboxHealth::new(mailbox.kind())).collect();
        let inbox = Inbox::new(Opener::new(spool.clone()), mailboxes);
        let ledger = Bookkeeper::new(store, spool, other, Decisions::new(&dir));
        let transit = Arc::<Transit>::default();
        let outbound =
            Outbound::new(ledger.books(), tally.clone(), mailroom.address.clone(), Arc::clone(&transit));
        let beacons = Beacons::new(&dir, config.beacon.clone());
        let books = ledger.books();
        let around = Arc::new(Surroundings { dir, config, clock, desk, books, tally, transit });
        let ailing = unsigned.into_iter().collect();
        let games = Games::new(Arc::clone(&around), (vault, beacons, mailroom), ailing);
        let mut host = Self {
            around,
            ledger,
            games,
            inbox,
            outbound,
            taken_back: Vec::new(),
            looks_once: false,
            watch: Watch::default(),
            started: None,
            stopping: Arc::default(),
            quiet: Quiet::default(),
        };
        host.learn_of(names)?;
        host.games.begin_set_aside(recovery.set_aside);
        host.keep_secrets()?;
        host.games.look_for_secrets();
        if recovery.rebuilt {
            host.look_for_unknown_mails()?;
        }
        Ok(host)
    }

    /// Lets the games know which there are.
    fn learn_of(&mut self, names: Vec<GameId>) -> Result<(), HostError> {
        for game in names {
            if is_archived(&*self.around.books, &game)? {
                self.games.learn_archived(game);
                continue;
            }
            match self.ledger.entries(&game) {
                Err(StoreError::SetAside { .. }) => self.games.learn(game, None),
                entries => {
                    let entries = entries?;
                    self.watch.not_before(entries.last().map_or(i64::MIN, |entry| entry.at));
                    self.games.learn(game, Some(&entries));
                }
            }
        }
        Ok(())
    }

    /// The data directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The spool, for whoever drains a mailbox.
    pub fn spool(&mut self) -> &mut Spool {
        self.ledger.spool()
    }

    /// When the loop has something to do next besides new mail: a deadline or a mail to send; unix seconds. A game that waits until
    /// somebody has read mails gives it nothing to do.
    ///
    /// # Errors
    /// The store.
    pub fn next_due(&self) -> Result<Option<i64>, HostError> {
        Ok([self.games.next_due(), self.ledger.next_due()?].into_iter().flatten().min())
    }

    /// Whether the loop has something to do now besides new mail. What the relay has is due until it has answered, and asks for nothing.
    fn is_due(&self, now: i64) -> Result<bool, HostError> {
        let mails = if self.outbound.is_busy() { None } else { self.ledger.next_due()? };
        Ok([self.games.next_due(), mails].into_iter().flatten().any(|at| at <= now))
    }

    /// Whether the process is to stop.
    fn stops(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Looks at the clock; one that has jumped, or stands before what was written last, is told of and doubted.
    pub fn look_at_clock(&mut self) {
        let now = self.clock.now();
        if let Some(jump) = self.watch.look_at(now) {
            tracing::warn!(
                seconds = jump,
                "the clock has jumped: no turn is run at its deadline for a quarter of an hour"
            );
        }
        if let Some(seconds) = self.watch.behind()
            && self.quiet.may_say("the clock is behind", now)
        {
            tracing::error!(
                seconds,
                "the clock stands before the last entry of a journal: set it right; no turn is run at its deadline until then, and mails \
                 wait"
            );
        }
    }

    /// Commits a batch. After a failed one the host has to be opened again: what the store holds then is the truth.
    fn commit(&mut self, batch: &Batch) -> Result<(), HostError> {
        if batch.steps.is_empty() {
            return Ok(());
        }
        let stopwatch = Stopwatch::start();
        let committed = self.ledger.commit(&batch.steps);
        if let Err(error) = committed {
            self.games.evict_all();
            return Err(error.into());
        }
        self.tally.committed(&batch.steps, stopwatch.micros());
        logbook::committed(&batch.steps);
        self.outbound.recorded(refused_in(&batch.steps));
        self.decided_upon(&batch.steps);
        founded_in(&batch.steps).for_each(|game| self.games.vault().founded(game));
        self.note_set_aside();
        Ok(())
    }

    /// These steps are in the store, or will be before anybody reads it.
    fn decided_upon(&mut self, steps: &[Step]) {
        if self.watch.has_begun() {
            self.look_at_clock();
            let times = steps.iter().flat_map(|step| &step.entries).map(|entry| entry.at);
            times.for_each(|at| self.watch.wrote(at));
        }
        self.games.stored(steps);
    }

    /// Sets the games aside whose journals the store has found to be of no use.
    fn note_set_aside(&mut self) {
        for (game, why) in self.ledger.newly_set_aside() {
            tracing::error!(%game, why, "this game is set aside, the others go on");
            self.games.set_game_aside(&game, &why);
        }
    }

    /// Gives the secrets of founded games their final names. Where one can't have it, nothing of its game is sent.
    fn keep_secrets(&mut self) -> Result<(), HostError> {
        for (game, error) in self.games.vault().keep_founded()? {
            self.ledger.set_game_aside(&game, &error.to_string());
        }
        self.note_set_aside();
        Ok(())
    }
}

/// The games that these steps found.
fn founded_in(steps: &[Step]) -> impl Iterator<Item = &GameId> {
    let founds =
        |step: &&Step| matches!(step.entries.first(), Some(Entry { cause: Cause::Founded { .. }, .. }));
    steps.iter().filter(founds).filter_map(|step| step.game.as_ref())
}

/// The mails that these steps say were refused.
fn refused_in(steps: &[Step]) -> impl Iterator<Item = &Tried> + Clone {
    let refused = |tried: &&Tried| matches!(tried.attempt, Attempt::Refused { .. });
    steps.iter().flat_map(|step| &step.tried).filter(refused)
}

/// Who writes the mails of this host.
fn mailroom(dir: &Path, config: &Config, signer: Option<Signer>) -> Result<Mailroom, HostError> {
    Ok(Mailroom {
        address: config.host_address()?,
        name: config.name.clone(),
        zone: config.zone.clone(),
        templates: Templates::new(config::own_templates(dir)),
        html: config.html,
        attach: config.attach.iter().copied().collect(),
        mail_computers: config.mails_locally(),
        signer,
    })
}
