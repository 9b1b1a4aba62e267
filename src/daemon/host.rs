//! The host: store, spool, secrets and open campaigns of one data directory, and the steps that change them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::HostError;
use super::beacon::Beacons;
use super::bookkeeper::Bookkeeper;
use super::card::Card;
use super::clock::{Clock, Stopwatch, Watch};
use super::config::{self, Config};
use super::custody;
use super::decided::Decisions;
use super::disk;
use super::dispatch::Audit;
use super::docket::Docket;
use super::held::HeldMails;
use super::limits::Counts;
use super::logbook;
use super::mailroom::{About, Mailroom};
use super::opened::Opener;
use super::outgoing::WayOut;
use super::quiet::Quiet;
use super::signing;
use super::tally::Tally;
use super::vault::{self, Entropy, Vault};
use super::vitals::{Ailment, FailingGms, Mailbox};
use musterd_desk::Desk;
use musterd_desk::campaign::{Campaign, CampaignError};
use musterd_desk::correction::{NoRerun, TakenBack};
use musterd_desk::mail::Token;
use musterd_dice::{GameId, Seat, SecretChain};
use musterd_engine::journal::{Cause, Entry};
use musterd_post::{Aside, Spool};
use musterd_report::Templates;
use musterd_store::{Ledger as _, Step, Store, StoreError};

/// How many campaigns are kept folded in memory.
const OPEN_AT_MOST: usize = 128;

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
    pub(super) dir: PathBuf,
    pub(super) config: Config,
    pub(super) clock: Clock,
    pub(super) desk: Desk,
    pub(super) ledger: Bookkeeper,
    pub(super) opener: Arc<Opener>,
    pub(super) vault: Vault,
    /// Where the values of public beacons come from.
    pub(super) beacons: Beacons,
    pub(super) mailroom: Mailroom,
    campaigns: BTreeMap<GameId, Campaign>,
    pub(super) docket: BTreeMap<GameId, Docket>,
    /// Entries that are folded already and not committed yet.
    ahead: BTreeMap<GameId, Vec<Entry>>,
    /// What is told of games that nobody has open, until they change.
    cards: BTreeMap<GameId, Card>,
    /// What was done today.
    pub(super) counts: Counts,
    /// Mails in the spool that can't be dealt with, by name.
    pub(super) set_aside: BTreeSet<String>,
    /// Mails in the spool that a rebuilt store doesn't know of.
    pub(super) held: HeldMails,
    /// Mailboxes that could not be drained when they were last looked at, by name; since when in this process, by [`Clock::passed`].
    pub(super) unreached: BTreeMap<String, i64>,
    /// Whether this process looks at its mailboxes once only, so that it can't know since when one can't be reached.
    pub(super) looks_once: bool,
    /// What the daemon's loop sees of the system's clock.
    pub(super) watch: Watch,
    /// When the daemon began, unix seconds; none where a command opened the host.
    pub(super) started: Option<i64>,
    /// What is counted.
    pub(super) tally: Tally,
    /// How each mailbox is, as the configuration lists them.
    pub(super) mailboxes: Vec<Mailbox>,
    /// Set where the process is to stop as soon as the step in hand is done.
    pub(super) stopping: Arc<AtomicBool>,
    /// How the relay is.
    pub(super) way_out: WayOut,
    /// GMs whose mail comes back, once somebody has asked.
    pub(super) failing_gms: Option<FailingGms>,
    /// What the log needn't be told again.
    pub(super) quiet: Quiet,
    /// Games that can't go on, and why.
    pub(super) aside: BTreeMap<GameId, String>,
    /// What else can't be used, while the games go on.
    pub(super) ailing: Vec<Ailment>,
}

/// Steps that will be committed together.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) steps: Vec<Step>,
    pub(super) seen: BTreeSet<String>,
}

impl Host {
    /// Opens a data directory; mends what a crash left.
    ///
    /// # Errors
    /// A configuration, store or secret that can't be used; another process that has it open.
    pub fn open(options: Options) -> Result<Self, HostError> {
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
        custody::look_for_journals(&dir, || Store::is_new(&dir))?;
        let (store, recovery) = Store::open(&dir)?;
        for note in recovery.notes {
            tracing::warn!("{note}");
        }
        // A database that is there may be as empty: sled leaves such a one after some power cuts.
        custody::look_for_journals(&dir, || Ok(recovery.set_aside.is_empty() && store.games()?.is_empty()))?;
        let spool = Spool::open(&dir.join("spool"))?;
        spool.sweep()?;
        let other =
            Aside::open(&dir.join("spool/other"), config.limits.keep_other_mb.saturating_mul(1_000_000))?;
        let games = store.games()?;
        let vault = Vault::open(&secrets, entropy.clone(), |game| games.contains(game))?;
        let (signer, unsigned) = signing::signer(&secrets, &entropy, config.sign)?;
        let mailroom = Mailroom {
            address: config.host_address()?,
            name: config.name.clone(),
            zone: config.zone.clone(),
            templates: Templates::new(config::own_templates(&dir)),
            html: config.html,
            attach: config.attach.iter().copied().collect(),
            mail_computers: config.mails_locally(),
            signer,
        };
        let beacons = Beacons::new(&dir, config.beacon.clone());
        let decisions = Decisions::new(&dir);
        let mut host = Self {
            dir,
            config,
            clock,
            desk,
            opener: Arc::new(Opener::new(spool.clone())),
            ledger: Bookkeeper::new(store, spool, other, decisions),
            vault,
            beacons,
            mailroom,
            campaigns: BTreeMap::new(),
            docket: BTreeMap::new(),
            ahead: BTreeMap::new(),
            cards: BTreeMap::new(),
            counts: Counts::default(),
            set_aside: BTreeSet::new(),
            held: HeldMails::default(),
            unreached: BTreeMap::new(),
            looks_once: false,
            watch: Watch::default(),
            started: None,
            tally: Tally::default(),
            mailboxes: Vec::new(),
            stopping: Arc::default(),
            way_out: WayOut::default(),
            failing_gms: None,
            quiet: Quiet::default(),
            aside: BTreeMap::new(),
            ailing: unsigned.into_iter().collect(),
        };
        host.mailboxes = host.config.mail_in.iter().map(|mailbox| Mailbox::new(mailbox.kind())).collect();
        for game in games {
            let entries = match host.ledger.entries(&game) {
                Err(StoreError::SetAside { .. }) => {
                    host.docket.insert(game, Docket::default());
                    continue;
                }
                entries => entries?,
            };
            host.watch.not_before(entries.last().map_or(i64::MIN, |entry| entry.at));
            if let Some(Entry { cause: Cause::Founded { anchor, .. }, .. }) = entries.first() {
                host.vault.expect(&game, *anchor);
            }
            host.mailroom.look_at_key(&game, &entries);
            host.docket.insert(game, Docket::of(&entries));
        }
        host.begin_set_aside(recovery.set_aside);
        host.keep_secrets()?;
        host.look_for_secrets();
        if recovery.rebuilt {
            host.look_for_unknown_mails()?;
        }
        Ok(host)
    }

    /// The data directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The spool, for whoever drains a mailbox.
    pub fn spool(&mut self) -> &mut Spool {
        self.ledger.spool()
    }

    /// Whether this game exists.
    pub(super) fn knows(&self, game: &GameId) -> bool {
        self.docket.contains_key(game)
    }

    /// The names of all games whose journals can be used.
    pub(super) fn games(&self) -> Vec<GameId> {
        self.docket.keys().filter(|game| self.ledger.set_aside(game).is_none()).cloned().collect()
    }

    /// A campaign, folded; it stays in memory for a while.
    pub(super) fn campaign(&mut self, game: &GameId) -> Result<&mut Campaign, HostError> {
        if !self.campaigns.contains_key(game) {
            if !self.knows(game) {
                return Err(HostError::usage(format!(
                    "there is no game `{game}`; `musterd status` lists them"
                )));
            }
            let campaign = self.fold(game, &[])?;
            self.vault.expect(game, campaign.anchor());
            self.admit(game.clone(), campaign);
        }
        self.campaigns.get_mut(game).ok_or_else(|| HostError::usage(format!("there is no game `{game}`")))
    }

    /// The whole journal, with what is not committed yet.
    pub(super) fn entries(&self, game: &GameId) -> Result<Vec<Entry>, HostError> {
        let mut entries = self.ledger.entries(game)?;
        entries.extend(self.ahead.get(game).into_iter().flatten().cloned());
        Ok(entries)
    }

    /// A campaign folded anew, with `more` behind its journal.
    fn fold(&self, game: &GameId, more: &[Entry]) -> Result<Campaign, HostError> {
        let entries = self.entries(game)?;
        Campaign::fold(&self.desk, entries.iter().chain(more)).map_err(|e| fault(game, e))
    }

    /// Lets `look` do things to a copy of a game; nothing of it stays.
    pub(super) fn imagine<T>(
        &mut self,
        game: &GameId,
        look: impl FnOnce(&mut Self) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let copy = self.fold(game, &[])?;
        let ahead = self.ahead.get(game).cloned();
        let present = self.replace(game, copy)?;
        let seen = look(self);
        self.replace(game, present)?;
        match ahead {
            Some(ahead) => _ = self.ahead.insert(game.clone(), ahead),
            None => _ = self.ahead.remove(game),
        }
        seen
    }

    /// What a list of games says of one. It stays in memory no longer than it was, and the card does until the game changes.
    pub(super) fn card(&mut self, game: &GameId) -> Result<&Card, HostError> {
        if !self.cards.contains_key(game) {
            let was_open = self.campaigns.contains_key(game);
            let card = Card::of(self.campaign(game)?);
            if !was_open {
                self.campaigns.remove(game);
            }
            self.cards.insert(game.clone(), card);
        }
        self.cards.get(game).ok_or_else(|| HostError::usage(format!("there is no game `{game}`")))
    }

    fn admit(&mut self, game: GameId, campaign: Campaign) {
        self.campaigns.insert(game, campaign);
    }

    /// Drops what is too much for memory. Only between decisions: a campaign may be ahead of its journal before a commit.
    pub(super) fn trim(&mut self) {
        while self.campaigns.len() > OPEN_AT_MOST {
            self.campaigns.pop_first();
        }
    }

    /// A game that is being founded.
    pub(super) fn admit_new(&mut self, game: GameId, campaign: Campaign, founding: &Entry) {
        self.ahead.insert(game.clone(), vec![founding.clone()]);
        self.docket.insert(game.clone(), Docket::default());
        self.admit(game, campaign);
    }

    /// A founding that failed.
    pub(super) fn forget(&mut self, game: &GameId) {
        self.docket.remove(game);
        self.evict(game);
        self.vault.forget(game);
    }

    /// Drops a campaign from memory; the next look folds its journal.
    pub(super) fn evict(&mut self, game: &GameId) {
        self.campaigns.remove(game);
        self.ahead.remove(game);
        self.cards.remove(game);
    }

    /// Drops every campaign from memory: one may hold what was never committed.
    pub(super) fn evict_all(&mut self) {
        self.campaigns.clear();
        self.counts.forget();
        self.ahead.clear();
        self.cards.clear();
    }

    /// Puts another state of a campaign in the place of the present one, and gives that back.
    pub(super) fn replace(&mut self, game: &GameId, campaign: Campaign) -> Result<Campaign, HostError> {
        Ok(std::mem::replace(self.campaign(game)?, campaign))
    }

    /// Adds an entry to a step and folds it at once. Should the commit fail, the fold is thrown away.
    pub(super) fn play(&mut self, game: &GameId, step: &mut Step, cause: Cause) -> Result<(), HostError> {
        let entry = Entry { at: self.clock.now(), cause };
        if TakenBack::takes_back(&entry.cause) {
            let campaign = self.fold(game, std::slice::from_ref(&entry))?;
            self.replace(game, campaign)?;
        } else {
            self.campaign(game)?.apply(&entry).map_err(|e| fault(game, e))?;
        }
        self.cards.remove(game);
        self.ahead.entry(game.clone()).or_default().push(entry.clone());
        step.entries.push(entry);
        Ok(())
    }

    /// An empty step of a game, at its present position.
    pub(super) fn step(&mut self, game: &GameId) -> Result<Step, HostError> {
        let position = self.campaign(game)?.entries();
        Ok(Step { game: Some(game.clone()), position, ..Step::default() })
    }

    /// The secret that a seat has now; the GM's too.
    pub(super) fn token(&mut self, game: &GameId, seat: &Seat) -> Result<Token, HostError> {
        let issue = self.campaign(game)?.issue(seat);
        self.vault.token(game, seat, issue)
    }

    /// Lets `write` make mails about a campaign.
    pub(super) fn about<T>(
        &mut self,
        game: &GameId,
        write: impl FnOnce(&Mailroom, &About<'_>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        self.about_with(game, None, write)
    }

    /// The same, with an audit file for the dispatches among them.
    pub(super) fn about_with<T>(
        &mut self,
        game: &GameId,
        audit: Option<&Audit>,
        write: impl FnOnce(&Mailroom, &About<'_>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let now = self.clock.now();
        self.campaign(game)?;
        let secrets = self.vault.chain(game)?;
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        let last = vault::last_of(&secrets)?;
        let token_of = |seat: &Seat| vault::token(&last, game, seat, campaign.issue(seat));
        let leaves = OnceCell::new();
        let about = About { campaign, tokens: &token_of, secrets: &secrets, leaves, audit, now };
        write(&self.mailroom, &about)
    }

    /// Commits a batch. After a failed one the host has to be opened again: what the store holds then is the truth.
    pub(super) fn commit(&mut self, batch: &Batch) -> Result<(), HostError> {
        if batch.steps.is_empty() {
            return Ok(());
        }
        let stopwatch = Stopwatch::start();
        let committed = self.ledger.commit(&batch.steps);
        if let Err(error) = committed {
            self.evict_all();
            return Err(error.into());
        }
        self.tally.committed(&batch.steps, stopwatch.micros());
        logbook::committed(&batch.steps);
        self.stored(&batch.steps);
        self.note_set_aside();
        Ok(())
    }

    /// What was ahead of the journals is in the store, or will be before anybody reads it there.
    pub(super) fn stored(&mut self, steps: &[Step]) {
        self.ahead.clear();
        if self.watch.has_begun() {
            self.look_at_clock();
            let times = steps.iter().flat_map(|step| &step.entries).map(|entry| entry.at);
            times.for_each(|at| self.watch.wrote(at));
        }
        let games: BTreeSet<&GameId> = steps.iter().filter_map(|step| step.game.as_ref()).collect();
        for game in games {
            if let Some(campaign) = self.campaigns.get(game) {
                let now = self.clock.now();
                self.docket.insert(game.clone(), Docket::now(campaign, now));
            }
        }
        self.trim();
    }

    /// Opens the next window of a campaign: deadline, sealed orders of computer players, or the end.
    pub(super) fn open_window(&mut self, game: &GameId, step: &mut Step) -> Result<(), HostError> {
        let now = self.clock.now();
        let zone = self.config.zone.clone();
        let at = self.campaign(game)?.first_deadline(now, &zone);
        let secrets = self.vault.chain(game)?;
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        let cause = campaign.opening(&secrets, at).map_err(|e| fault(game, e))?;
        self.play(game, step, cause)?;
        // Nobody knows this deadline yet: where somebody is away, the dispatch says why it is a later one.
        let later = self.campaign(game)?.later_deadline(&zone);
        let cause = later.and_then(|(at, reason)| self.campaigns.get(game)?.rescheduling(at, reason));
        cause.map_or(Ok(()), |cause| self.play(game, step, cause))
    }

    /// The turn that ran last once more, from a position amended before it; or why not.
    pub(super) fn rerunning(
        &mut self,
        game: &GameId,
        text: &str,
        reason: &str,
    ) -> Result<Result<Cause, NoRerun>, HostError> {
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        self.campaign(game)?;
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        let cause = campaign.rerunning(&self.desk, &entries, &secrets, text, reason);
        cause.map_err(|e| fault(game, e))
    }

    /// The roll thrown again that all have agreed on; none while somebody has not.
    pub(super) fn rerolling(&mut self, game: &GameId) -> Result<Option<Cause>, HostError> {
        if self.campaign(game)?.consents_missing().is_none_or(|missing| !missing.is_empty()) {
            return Ok(None);
        }
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        campaign.rerolling(&self.desk, &entries, &secrets).map_err(|e| fault(game, e))
    }

    /// The secret chain of a game.
    pub(super) fn chain(&mut self, game: &GameId) -> Result<Arc<SecretChain>, HostError> {
        self.vault.chain(game)
    }
}

pub(super) fn fault(game: &GameId, error: CampaignError) -> HostError {
    HostError::Campaign { game: game.to_string(), error: Box::new(error) }
}
