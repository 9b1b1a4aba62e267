//! How the daemon is: what `health` judges and `metrics` prints. It names games and servers, but no addresses (save in warnings) and no secrets.

use serde::{Deserialize, Serialize};

use crate::books::tally::Counters;
use crate::outbound::{RelayHealth, SLOW};
use musterd_store::Outbox;
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
    pub games: GameCounts,
    /// The mailboxes, as the configuration lists them.
    pub mailboxes: Vec<MailboxHealth>,
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
    /// The relay.
    #[serde(flatten)]
    pub relay: RelayHealth,
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
pub struct GameCounts {
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
pub struct MailboxHealth {
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

/// Of the mails that are held no more than this are named.
const MOST_NAMED: usize = 10;

/// How late a game may be before something is called overdue: a pass of the loop takes a moment.
const OVERDUE: i64 = 60;

impl MailboxHealth {
    pub(crate) fn new(kind: &str) -> Self {
        Self { kind: kind.to_owned(), drained: None, fault: None, left: Vec::new() }
    }
}

impl GameCounts {
    /// Notes one more game.
    pub(crate) fn add(&mut self, over: bool, due: Option<i64>, now: i64) {
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
    pub fn ailments(&self, max_age: i64) -> Vec<Ailment> {
        let mut found = Found::default();
        self.look_at_mailboxes(max_age, &mut found);
        self.look_at_outbox(max_age, &mut found);
        self.look_at_games(&mut found);
        self.look_at_spool(&mut found);
        self.look_at_machine(&mut found);
        found.0
    }

    /// Mailboxes that were not drained, or hold what stays there.
    fn look_at_mailboxes(&self, max_age: i64, found: &mut Found) {
        for (n, mailbox) in (1..).zip(&self.mailboxes) {
            // One that was never drained is as old as the daemon.
            let since = mailbox.drained.or(self.started).unwrap_or(self.now);
            if self.now - since > max_age {
                let why = mailbox.fault.as_deref().unwrap_or("it hasn't been read to its end since");
                found.add(
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
                found.add(
                    "mailbox",
                    format!(
                        "{} left in mailbox {n} ({}), such as {first}: move such things away or mend them, a mail there waits",
                        counted(mailbox.left.len(), "thing is", "things are"),
                        mailbox.kind
                    ),
                );
            }
        }
    }

    /// The relay, and mails that wait for it.
    fn look_at_outbox(&self, max_age: i64, found: &mut Found) {
        let slow = self.relay.busy_since.map(|since| self.now - since).filter(|&wait| wait > SLOW);
        if let Some(wait) = slow {
            found.add(
                "outbox",
                format!(
                    "the relay has had mails for {} and doesn't say whether it takes them: until it does or they are given up others wait \
                    behind them; look at the relay and its log",
                    span(wait)
                ),
            );
        }
        let late = self.outbox.oldest.map_or(0, |oldest| self.now - oldest);
        if late > max_age {
            let why = match &self.relay.fault {
                _ if slow.is_some() => "the relay gives no answer".to_owned(),
                Some(fault) => format!("the relay can't be reached ({fault})"),
                None => "the relay puts them off, see the log".to_owned(),
            };
            found.add(
                "outbox",
                format!(
                    "{} to be sent, the oldest for {}: {why}; nothing is lost, it goes out when the relay takes it",
                    counted(self.outbox.waiting, "mail waits", "mails wait"),
                    span(late)
                ),
            );
        }
        if let Some(status) = &self.relay.refuses {
            found.add(
                "outbox",
                format!(
                    "the relay refuses mail to different people ({status}) and has taken none since: see the log and the relay's own; \
                     what may pass is tried again for days, addresses that it calls no good are marked"
                ),
            );
        }
        if let Some(status) = &self.relay.refuses_own {
            found.add(
                "outbox",
                format!(
                    "the relay refuses mail to this host's own address with a sub-address ({status}): players answer to such addresses, and \
                    their mails can't arrive either; the mail server must take them (`recipient_delimiter = +`)"
                ),
            );
        }
    }

    /// Games that can't go on, and GMs who can't be reached.
    fn look_at_games(&self, found: &mut Found) {
        for (game, why) in &self.games.aside {
            found.add(
                "game",
                format!(
                    "game {game} can't go on, the others do: {why} (it is looked at when the daemon starts)"
                ),
            );
        }
        found.0.extend(self.ailing.iter().cloned());
        for game in &self.gms_unreached {
            found.add(
                "gm",
                format!(
                    "mail to the GM of {game} comes back, the log says from where and why: `musterd gm {game} ADDRESS ADD NEW` and then \
                     `ADDRESS DROP OLD` give him another address, `musterd gm {game} COMMAND` leads the game meanwhile"
                ),
            );
        }
    }

    /// Mails that wait in the spool.
    fn look_at_spool(&self, found: &mut Found) {
        if let Some(first) = self.spool_aside.first() {
            found.add(
                "mail",
                format!(
                    "{} can't be dealt with, such as spool/new/{first}: the log says why; it is tried again when the daemon is \
                     started",
                    count(self.spool_aside.len(), "mail")
                ),
            );
        }
        if let Some(first) = self.spool_strays.first() {
            found.add(
                "mail",
                format!(
                    "{} in spool/new that the host did not put there, such as {first}: nothing is done with it, move it away",
                    counted(self.spool_strays.len(), "thing lies", "things lie")
                ),
            );
        }
        if !self.spool_held.is_empty() {
            found.add("mail", told_held(&self.spool_held, &self.games_held));
        }
    }

    /// Templates, disk and clock.
    fn look_at_machine(&self, found: &mut Found) {
        for fault in &self.templates_unfit {
            found.add(
                "template",
                format!(
                    "{fault}; the next in line takes its place: mend it (`musterd templates check`) and start the daemon again"
                ),
            );
        }
        if self.disk_free < self.disk_low {
            found.add(
                "disk",
                format!(
                    "only {} MB are free on its disk: make room, mail stays out when it is full",
                    self.disk_free / 1_000_000
                ),
            );
        }
        if self.clock_doubted {
            found.add(
                "clock",
                "the clock has jumped or stands before the last entry of a journal: set it right; until then no turn is \
                 run at its deadline, and before that entry no mail is dealt with"
                    .to_owned(),
            );
        }
    }
}

/// What was found not to be as it should be.
#[derive(Default)]
struct Found(Vec<Ailment>);

impl Found {
    fn add(&mut self, about: &str, text: String) {
        self.0.push(Ailment { about: about.to_owned(), text });
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
