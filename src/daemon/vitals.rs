//! How the daemon is: what `health` judges and `metrics` prints. It names games and servers, but no addresses (save in warnings) and no secrets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::HostError;
use super::disk;
use super::host::Host;
use super::outgoing::HOLDS_UP;
use super::packet_id::PacketId;
use super::tally::Counters;
use musterd_desk::GM;
use musterd_dice::GameId;
use musterd_post::{Drained, PostError};
use musterd_store::{Attempt, Outbox, StoreError, Tried};
use musterd_text::nouns::{count, counted};

/// How the daemon is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vitals {
    /// The program's version.
    pub version: String,
    /// When the daemon began, unix seconds; none where none runs.
    pub started: Option<i64>,
    /// Now, by its clock, unix seconds.
    pub now: i64,
    /// What it counted since it began.
    pub counters: Counters,
    /// The games.
    pub games: Games,
    /// The mailboxes, as the configuration lists them.
    pub mailboxes: Vec<Mailbox>,
    /// Mails in the spool that wait to be dealt with.
    pub spool_waiting: u64,
    /// Mails among them that can't be dealt with, by name in the spool.
    pub spool_aside: Vec<String>,
    /// What lies among them and is no mail of the spool's, by name.
    #[serde(default)]
    pub spool_strays: Vec<String>,
    /// Mails that were dealt with once and that the rebuilt store doesn't know of, by name in `spool/done`: they change nothing until
    /// somebody has read them.
    #[serde(default)]
    pub spool_held: Vec<String>,
    /// The games that these mails may be for: none of their turns is run at its deadline.
    #[serde(default)]
    pub games_held: Vec<String>,
    /// Mails that wait to be sent.
    pub outbox: Outbox,
    /// Why the relay can't be reached now.
    pub relay_fault: Option<String>,
    /// Since when the relay has had mails without saying whether it takes them, unix seconds; none where it has none.
    #[serde(default)]
    pub relay_busy_since: Option<i64>,
    /// The status with which the relay refused the last mail to one of the host's own addresses, which players' mails go to as well.
    #[serde(default)]
    pub relay_refuses_own: Option<String>,
    /// Where the relay has refused several recipients and taken no mail since: the status of the last refusal.
    #[serde(default)]
    pub relay_refuses: Option<String>,
    /// Games that are not over, whose GM has an address that mail comes back from.
    #[serde(default)]
    pub gms_unreached: Vec<String>,
    /// Room on the disk, in bytes.
    pub disk_free: u64,
    /// The disk's size, in bytes.
    pub disk_total: u64,
    /// Less than this is too little, in bytes.
    pub disk_low: u64,
    /// The size of database and mirror journals, in bytes.
    pub store_bytes: u64,
    /// Templates of the host's own that can't be used, and why.
    pub templates_unfit: Vec<String>,
    /// Whether the clock is in doubt, so that no turn is run at its deadline.
    pub clock_doubted: bool,
    /// What else can't be used of the host's own, while the games go on: its key, its own journal.
    #[serde(default)]
    pub ailing: Vec<Ailment>,
    /// What is well, but perhaps not meant so: mail that stays on this machine and that nobody reads.
    #[serde(default)]
    pub warnings: Vec<Ailment>,
}

/// How many games there are in each condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// Not over.
    pub open: u64,
    /// Over.
    pub ended: u64,
    /// Open, and something has been due for a minute: a turn is held.
    pub overdue: u64,
    /// Can't go on, and why.
    pub aside: Vec<(String, String)>,
    /// When the next deadline or reminder is, unix seconds.
    pub next_due: Option<i64>,
}

/// How a mailbox is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mailbox {
    /// `maildir` or `imap`.
    pub kind: String,
    /// When it was last drained to its end, unix seconds.
    pub drained: Option<i64>,
    /// Why it can't be drained now.
    pub fault: Option<String>,
    /// What was left in it when it was last drained, and why.
    #[serde(default)]
    pub left: Vec<String>,
}

/// Something that an operator should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ailment {
    /// In a word, for programs: `mailbox`, `outbox`, `game`, `gm`, `mail`, `key`, `template`, `disk`, `clock`; of a warning
    /// `mail_in`, `mail_out`.
    pub about: String,
    /// What it is and what to do.
    pub text: String,
}

/// Of what is left in a mailbox no more than this is remembered.
const MOST_LEFT: usize = 100;

/// Of the mails that are held no more than this are named.
const MOST_NAMED: usize = 10;

/// How late a game may be before something is called overdue: a pass of the loop takes a moment.
const OVERDUE: i64 = 60;

impl Host {
    /// How many games there are in each condition.
    fn condition_of_games(&self, now: i64) -> Games {
        let mut games = Games::default();
        self.docket.values().for_each(|docket| games.add(docket.over, docket.due, now));
        games.aside = self.aside.iter().map(|(game, why)| (game.to_string(), why.clone())).collect();
        games
    }

    /// Notes how it went to drain the `n`th mailbox at `now` (unix seconds).
    pub(super) fn note_drain(&mut self, n: usize, now: i64, drained: &Result<Drained, PostError>) {
        let Some(mailbox) = self.mailboxes.get_mut(n) else { return };
        match drained {
            Ok(drained) => {
                (mailbox.drained, mailbox.fault) = (Some(now), None);
                mailbox.left = drained.left.iter().take(MOST_LEFT).cloned().collect();
            }
            Err(error) => mailbox.fault = Some(error.to_string()),
        }
    }

    /// Notes what became of mails that were to be sent.
    pub(super) fn record(&mut self, tried: &[Tried]) -> Result<(), StoreError> {
        self.ledger.record(tried)?;
        self.recorded(tried);
        self.note_set_aside();
        Ok(())
    }

    /// What became of mails that were to be sent is in the store.
    pub(super) fn recorded(&mut self, tried: &[Tried]) {
        self.tally.tried(tried);
        if let Some(failing) = &mut self.failing_gms {
            tried.iter().for_each(|tried| failing.note(tried));
        }
    }

    /// How the host is now.
    ///
    /// # Errors
    /// The store or the spool.
    pub(super) fn vitals(&mut self) -> Result<Vitals, HostError> {
        let now = self.clock.now();
        let space = disk::space(&self.dir).map_err(|e| HostError::io(&self.dir, e))?;
        let (waiting, spool_strays) = self.ledger.mails_waiting()?;
        Ok(Vitals {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: self.started,
            now,
            counters: self.tally.read(),
            games: self.condition_of_games(now),
            mailboxes: self.mailboxes.clone(),
            spool_waiting: u64::try_from(waiting.len()).unwrap_or(u64::MAX),
            spool_aside: self.set_aside.iter().filter(|name| !self.held.has(name)).cloned().collect(),
            spool_strays,
            spool_held: self.held_mails(),
            games_held: self.games_held().iter().map(ToString::to_string).collect(),
            outbox: self.ledger.outbox()?,
            relay_fault: self.way_out.fault.clone(),
            relay_busy_since: self.way_out.busy_since,
            relay_refuses_own: self.way_out.refuses_own.clone(),
            relay_refuses: self.way_out.refuses_all(),
            gms_unreached: self.unreached_gms()?,
            disk_free: space.free,
            disk_total: space.total,
            disk_low: self.config.low_disk_megabytes.saturating_mul(1_000_000),
            store_bytes: bytes_in(&self.dir, &["store", "mirror"]),
            templates_unfit: self.mailroom.templates.faults().iter().map(ToString::to_string).collect(),
            clock_doubted: self.watch.is_doubted(),
            ailing: self.ailing.clone(),
            warnings: self.warnings(),
        })
    }
}

/// The addresses to which the last mail to a GM that was settled did not arrive, by game: read from the ledger once, and kept since.
#[derive(Debug, Default)]
pub(super) struct FailingGms(BTreeMap<GameId, BTreeSet<String>>);

impl FailingGms {
    fn note(&mut self, Tried { packet, recipient, attempt }: &Tried) {
        let packet = PacketId(packet);
        let Some(game) = packet.game().filter(|_| packet.is_to_gm()) else { return };
        match attempt {
            Attempt::Refused { .. } => {
                _ = self.0.entry(game).or_default().insert(recipient.to_ascii_lowercase());
            }
            Attempt::Sent { .. } => {
                if let Some(failing) = self.0.get_mut(&game) {
                    failing.remove(&recipient.to_ascii_lowercase());
                }
            }
            _ => {}
        }
    }
}

impl Host {
    /// The games that are not over and whose GM has an address that fails.
    fn unreached_gms(&mut self) -> Result<Vec<String>, StoreError> {
        let failing = match self.failing_gms.take() {
            Some(failing) => failing,
            None => self.read_failing_gms()?,
        };
        let mut found = Vec::new();
        for (game, addresses) in &failing.0 {
            let is_open = self.docket.get(game).is_some_and(|docket| !docket.over);
            if addresses.is_empty() || !is_open {
                continue;
            }
            // One that can't be read is named all the same.
            let is_gms = self.campaign(game).map_or(true, |campaign| {
                let gms = &campaign.charter().gm;
                gms.iter().any(|gm| addresses.iter().any(|failing| failing.eq_ignore_ascii_case(gm)))
            });
            found.extend(is_gms.then(|| game.to_string()));
        }
        self.failing_gms = Some(failing);
        Ok(found)
    }

    fn read_failing_gms(&self) -> Result<FailingGms, StoreError> {
        let mut settled = Vec::new();
        for (game, _) in self.docket.iter().filter(|(_, docket)| !docket.over) {
            for line in self.ledger.ledger_of(&format!("{game}/{GM}/"))? {
                let Some(attempt) = line.last else { continue };
                let at = match &attempt {
                    Attempt::Sent { at, .. } | Attempt::Refused { at, .. } => *at,
                    _ => continue,
                };
                settled.push((at, Tried { packet: line.packet, recipient: line.recipient, attempt }));
            }
        }
        settled.sort_by_key(|(at, tried)| (*at, matches!(tried.attempt, Attempt::Refused { .. })));
        let mut failing = FailingGms::default();
        settled.iter().for_each(|(_, tried)| failing.note(tried));
        Ok(failing)
    }
}

fn bytes_in(dir: &Path, parts: &[&str]) -> u64 {
    parts.iter().map(|part| disk::bytes_in(&dir.join(part))).sum()
}

impl Mailbox {
    pub(super) fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), drained: None, fault: None, left: Vec::new() }
    }
}

impl Games {
    /// Notes one more game.
    fn add(&mut self, over: bool, due: Option<i64>, now: i64) {
        if over {
            self.ended += 1;
            return;
        }
        self.open += 1;
        self.overdue += u64::from(due.is_some_and(|due| due + OVERDUE < now));
        self.next_due = [self.next_due, due].into_iter().flatten().min();
    }
}

impl Vitals {
    /// What is not as it should be. A mailbox that was not drained, or a mail that was not sent, for more than `max_age` seconds
    /// is an ailment.
    #[must_use]
    pub fn ailments(&self, max_age: i64) -> Vec<Ailment> {
        let mut found = Vec::new();
        let mut add = |about: &str, text: String| found.push(Ailment { about: about.to_owned(), text });
        for (n, mailbox) in (1..).zip(&self.mailboxes) {
            // One that was never drained is as old as the daemon.
            let since = mailbox.drained.or(self.started).unwrap_or(self.now);
            // While the relay holds the loop up no mailbox is looked at, and none is at fault.
            if self.relay_busy_since.unwrap_or(self.now) - since > max_age {
                let why = mailbox.fault.as_deref().unwrap_or("it hasn't been read to its end since");
                add(
                    "mailbox",
                    format!(
                        "mailbox {n} ({}) was not drained for {}: {why}; turns are held meanwhile; `musterd config check \
                         --connect` tries it",
                        mailbox.kind,
                        span(self.now - since)
                    ),
                );
            }
        }
        for (n, mailbox) in (1..).zip(&self.mailboxes) {
            if let Some(first) = mailbox.left.first() {
                add(
                    "mailbox",
                    format!(
                        "{} left in mailbox {n} ({}), such as {first}: move such things away or mend them, a mail there waits",
                        counted(mailbox.left.len(), "thing is", "things are"),
                        mailbox.kind
                    ),
                );
            }
        }
        let held_up = self.relay_busy_since.map(|since| self.now - since).filter(|&wait| wait > HOLDS_UP);
        if let Some(wait) = held_up {
            add(
                "outbox",
                format!(
                    "the relay has had mails for {} and doesn't say whether it takes them: until it does or they are given up no mailbox \
                    is read, no turn is run, no reminder sent, and commands that change something wait; look at the relay and its log",
                    span(wait)
                ),
            );
        }
        let late = self.outbox.oldest.map_or(0, |oldest| self.now - oldest);
        if late > max_age {
            let why = match &self.relay_fault {
                _ if held_up.is_some() => "the relay gives no answer".to_owned(),
                Some(fault) => format!("the relay can't be reached ({fault})"),
                None => "the relay puts them off, see the log".to_owned(),
            };
            add(
                "outbox",
                format!(
                    "{} to be sent, the oldest for {}: {why}; nothing is lost, it goes out when the relay takes it",
                    counted(self.outbox.waiting, "mail waits", "mails wait"),
                    span(late)
                ),
            );
        }
        if let Some(status) = &self.relay_refuses {
            add(
                "outbox",
                format!(
                    "the relay refuses mail to different people ({status}) and has taken none since: see the log and the relay's own; \
                     what may pass is tried again for days, addresses that it calls no good are marked"
                ),
            );
        }
        if let Some(status) = &self.relay_refuses_own {
            add(
                "outbox",
                format!(
                    "the relay refuses mail to this host's own address with a sub-address ({status}): players answer to such addresses, and \
                    their mails can't arrive either; the mail server must take them (`recipient_delimiter = +`)"
                ),
            );
        }
        for (game, why) in &self.games.aside {
            add(
                "game",
                format!(
                    "game {game} can't go on, the others do: {why} (it is looked at when the daemon starts)"
                ),
            );
        }
        self.ailing.iter().for_each(|ailment| add(&ailment.about, ailment.text.clone()));
        for game in &self.gms_unreached {
            add(
                "gm",
                format!(
                    "mail to the GM of {game} comes back, the log says from where and why: `musterd gm {game} ADDRESS ADD NEW` and then \
                     `ADDRESS DROP OLD` give him another address, `musterd gm {game} COMMAND` leads the game meanwhile"
                ),
            );
        }
        if let Some(first) = self.spool_aside.first() {
            add(
                "mail",
                format!(
                    "{} can't be dealt with, such as spool/new/{first}: the log says why; it is tried again when the daemon is \
                     started",
                    count(self.spool_aside.len(), "mail")
                ),
            );
        }
        if let Some(first) = self.spool_strays.first() {
            add(
                "mail",
                format!(
                    "{} in spool/new that the host did not put there, such as {first}: nothing is done with it, move it away",
                    counted(self.spool_strays.len(), "thing lies", "things lie")
                ),
            );
        }
        if !self.spool_held.is_empty() {
            add("mail", told_held(&self.spool_held, &self.games_held));
        }
        for fault in &self.templates_unfit {
            add(
                "template",
                format!(
                    "{fault}; the next in line takes its place: mend it (`musterd templates check`) and start the daemon again"
                ),
            );
        }
        if self.disk_free < self.disk_low {
            add(
                "disk",
                format!(
                    "only {} MB are free on its disk: make room, mail stays out when it is full",
                    self.disk_free / 1_000_000
                ),
            );
        }
        if self.clock_doubted {
            add(
                "clock",
                "the clock has jumped or stands before the last entry of a journal: set it right; until then no turn is \
                 run at its deadline, and before that entry no mail is dealt with"
                    .to_owned(),
            );
        }
        found
    }
}

/// What to do with mails that are held: each is named, up to [`MOST_NAMED`], as are the games that wait for them.
fn told_held(held: &[String], games: &[String]) -> String {
    let named = held.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(" ");
    let all = if held.len() > MOST_NAMED { "; the log names all" } else { "" };
    let stopped = match games {
        [] => String::new(),
        games => format!(", and no turn of {} is run at its deadline until then", games.join(", ")),
    };
    format!(
        "{} dealt with once, the journals that were put back don't know of it, and for which turn it was is not known or is another turn \
         now; held in spool/done, and none changes anything: {named}{all}. Read them: `mv` to spool/new what is for the turn that is open, \
         to spool/other what isn't{stopped}",
        counted(held.len(), "mail was", "mails were")
    )
}

/// A length of time in words, of seconds.
fn span(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}
