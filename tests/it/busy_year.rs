//! A year of a busy host on a virtual clock: fifty games at a time, players who are late, away, forgetful, who give up and are
//! replaced; a relay and a mailbox that fail for hours; a daemon that is killed. Whatever happens, every accepted order has one
//! effect, nobody is reminded twice of a deadline, nothing goes to a wrong address, and nothing is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd::daemon::{Host, NewGame, Reply, Request, serve};
use musterd::desk::mail::Sent;
use musterd::dice::{GameId, Seat, SecretChain};
use musterd::engine::journal::{Cause, Change, Entry, Matter, Player, Verdict};
use musterd::engine::terms::{Early, Missing, PressPolicy, Terms};
use musterd::fault::{self, Plan};
use musterd::letter::Letter;
use musterd::post::{Drained, Keep, Outcome, PostError, Relay, Source};

use super::replay::replay;
use super::sim::Chance;
use super::support::*;
use crate::common::soak;

const GAMES: usize = 50;
const DAY: i64 = 24 * HOUR;
/// How long the world goes on between two looks at it.
const TICK: i64 = 6 * HOUR;
const SIDES: [&str; 3] = ["red", "blue", "umpire"];

/// A mailbox that can't be reached.
struct Unreached(String);

impl Source for Unreached {
    fn name(&self) -> &str {
        &self.0
    }

    fn drain(&mut self, _: &mut dyn Keep) -> Result<Drained, PostError> {
        Err(PostError::Connect { server: self.0.clone(), error: std::io::Error::other("no route") })
    }
}

/// A relay that takes nothing, or fails now and then after it has delivered.
struct Failing {
    relay: Box<dyn Relay>,
    down: bool,
    chance: std::sync::Mutex<Chance>,
}

impl Relay for Failing {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        let deferred = || to.iter().map(|to| (to.clone(), Outcome::Deferred("try later".into()))).collect();
        if self.down {
            return deferred();
        }
        let outcome = self.relay.send(from, to, raw);
        if self.chance.lock().unwrap().once_in(20) { deferred() } else { outcome }
    }
}

/// A mail as it came to somebody.
struct Came {
    to: String,
    sent: Sent,
    /// When the host wrote it, unix seconds.
    written: i64,
    subject: String,
}

/// The world round one host.
struct World {
    camp: Camp,
    chance: Chance,
    host: Option<Host>,
    under_way: BTreeMap<(i64, u64), String>,
    /// How many mails were written, and of those that bring orders: by game, the ids.
    written: u64,
    orders: BTreeMap<String, BTreeSet<String>>,
    came: Vec<Came>,
    founded: usize,
    kills: u32,
    relay_down_until: i64,
    mailbox_down_until: i64,
    /// Whether the year is over: nobody writes, nothing fails.
    over: bool,
}

impl World {
    fn new(seed: u64) -> Self {
        Self {
            camp: Camp::in_memory(),
            chance: Chance(seed),
            host: None,
            under_way: BTreeMap::new(),
            written: 0,
            orders: BTreeMap::new(),
            came: Vec::new(),
            founded: 0,
            kills: 0,
            relay_down_until: 0,
            mailbox_down_until: 0,
            over: false,
        }
    }

    fn now(&self) -> i64 {
        self.camp.clock.now()
    }

    fn host(&mut self) -> &mut Host {
        let camp = &self.camp;
        self.host.get_or_insert_with(|| camp.open())
    }

    /// A new game on terms of its own, for people of its own.
    fn found(&mut self) {
        self.founded += 1;
        let id = format!("g{}", self.founded);
        let umpire = if self.chance.once_in(3) {
            format!("umpire-{id}@players.example")
        } else {
            "computer".to_owned()
        };
        let mut seats: BTreeMap<Seat, String> = ["red", "blue"]
            .iter()
            .map(|side| (side.parse().unwrap(), format!("{side}-{id}@players.example")))
            .collect();
        seats.insert("umpire".parse().unwrap(), umpire);
        let missing = match self.chance.below(4) {
            0 => Missing::Hold,
            1 => Missing::Computer { skill: "timid".parse().unwrap() },
            _ => Missing::Standing,
        };
        let terms = Terms {
            grace: [0, 12 * 60, 24 * 60][self.chance.below(3) as usize],
            missing,
            most_missing: self.chance.once_in(4).then_some(1),
            hold: 2 * 24 * 60,
            early: if self.chance.once_in(5) { Early::Never } else { Early::All },
            ..Terms::default()
        };
        let deadline = [
            "3d",
            "2d not weekends",
            "sat 20:00 Europe/Vienna min 48h",
            "wed,sun 18:00 America/New_York",
            "5d",
        ];
        let deadline = deadline[self.chance.below(5) as usize].to_owned();
        let new = NewGame {
            scenario: "toy/ridge".to_owned(),
            id: id.parse().unwrap(),
            seats,
            gm: Vec::new(),
            witnesses: Vec::new(),
            deadline: Some(deadline),
            start_now: false,
            press: PressPolicy::All,
            terms,
            beacon: None,
            missing: None,
            options: BTreeMap::new(),
            templates: BTreeMap::new(),
        };
        self.host().execute(Request::found(new)).unwrap();
    }

    /// What people do about what came to them since they last looked.
    fn people_read(&mut self) {
        let everybody = self.camp.path().join("mail");
        for person in fs::read_dir(everybody).unwrap() {
            let person = person.unwrap();
            let address = person.file_name().into_string().unwrap();
            if address == HOST {
                continue;
            }
            // Read, and put away.
            let mails = raw_mails(&person.path());
            fs::remove_dir_all(person.path()).unwrap();
            for (_, raw) in mails {
                self.reads(&address, &read(&raw), &raw);
            }
        }
    }

    fn reads(&mut self, address: &str, mail: &Letter, raw: &[u8]) {
        let text = mail.body.as_ref().map_or("", |body| body.text.as_str());
        let id = mail.message_id.clone().unwrap();
        // Whoever waits for a seat confirms what he is asked to.
        if let Some(confirm) = text.lines().find(|line| line.starts_with("CONFIRM ") && !self.over) {
            let delay = self.delay();
            self.write(address, HOST, None, &format!("{confirm}\r\n"), delay);
        }
        let Some(sent) = Sent::of(&id, "example.org") else { return };
        let (game, seat, t) = (sent.game.to_string(), sent.seat.to_string(), sent.t);
        let kind = sent.kind.to_string();
        self.came.push(Came {
            to: address.to_owned(),
            sent,
            written: date_of(raw),
            subject: mail.subject.clone(),
        });
        let Some(reply) = mail.reply_to.first().cloned().filter(|_| !self.over) else { return };
        if !SIDES.contains(&seat.as_str()) || !["invitation", "dispatch"].contains(&kind.as_str()) {
            return;
        }
        if self.chance.once_in(80) && kind == "dispatch" {
            // Gives up; somebody else would like to play.
            let (delay, guest) = (self.delay(), format!("guest{}@guests.example", self.written));
            self.write(address, &reply, Some(&id), "RESIGN\r\n", delay);
            return self.write(&guest, HOST, None, &format!("STANDBY {game}\r\n"), HOUR);
        }
        if self.chance.once_in(40) {
            let until = musterd::desk::calendar::zoned(self.now() + 6 * DAY, "UTC").date();
            self.write(address, &reply, Some(&id), &format!("ABSENT UNTIL {until}\r\n"), HOUR);
        }
        if self.chance.once_in(30) {
            self.write(address, &reply, Some(&id), "EXTEND 2d\r\nSTATUS\r\n", HOUR);
        }
        // One in nine forgets.
        if self.chance.once_in(9) && kind == "dispatch" {
            return;
        }
        let lines = match (seat.as_str(), kind.as_str()) {
            (_, "invitation") => format!("JOIN\r\nsalt: {seat} {game}"),
            ("umpire", _) if t % 2 == 1 => "UPHOLD\r\nREADY".to_owned(),
            ("red" | "blue", _) if t % 2 == 0 => {
                let ready = if self.chance.once_in(4) { "" } else { "READY" };
                format!("BID {}\r\nsalt: {t}\r\n{ready}", 1 + self.chance.below(3))
            }
            _ => return,
        };
        let (delay, text) = (self.delay(), block(&lines));
        self.write(address, &reply, Some(&id), &text, delay);
        self.orders.entry(game).or_default().insert(format!("m{}@players.example", self.written));
    }

    /// How long somebody takes to answer: mostly a day or two, sometimes too long.
    fn delay(&mut self) -> i64 {
        let most = if self.chance.once_in(6) { 7 * DAY } else { 2 * DAY };
        i64::try_from(self.chance.below(most.unsigned_abs())).unwrap()
    }

    fn write(&mut self, from: &str, to: &str, in_reply_to: Option<&str>, text: &str, delay: i64) {
        self.written += 1;
        let raw = Mail { from, to, id: &format!("m{}", self.written), in_reply_to, text }.raw();
        let copies = if self.chance.once_in(10) { 2 } else { 1 };
        for copy in 0..copies {
            let late = i64::try_from(self.chance.below(8 * 3600)).unwrap();
            let place = (self.now() + delay + copy * late, self.written * 10 + copy.unsigned_abs());
            self.under_way.insert(place, format!("X-Copy: {copy}\r\n{raw}"));
        }
    }

    /// The host's share of a tick; it may be killed at any fault point of it, and comes up again.
    fn host_works(&mut self) {
        if self.chance.once_in(100) {
            self.relay_down_until = self.now() + DAY;
        }
        if self.chance.once_in(100) {
            self.mailbox_down_until = self.now() + 12 * HOUR;
        }
        loop {
            let n = if self.chance.once_in(25) { 1 + self.chance.below(300) } else { u64::MAX };
            let armed = fault::arm(Plan::crash_at(n));
            let outcome = self.settle();
            let died = armed.passed().len() as u64 >= n;
            drop(armed);
            if !died {
                return outcome.unwrap();
            }
            self.host = None;
            self.kills += 1;
        }
    }

    fn settle(&mut self) -> Result<(), musterd::daemon::HostError> {
        let now = self.now();
        let down = |until: i64| now < until && !self.over;
        let (relay_down, mailbox_down) = (down(self.relay_down_until), down(self.mailbox_down_until));
        let seed = self.chance.below(u64::MAX);
        if self.host.is_none() {
            self.host = Some(self.camp.try_open()?);
        }
        let host = self.host.as_mut().unwrap();
        let (mut sources, relay) =
            (host.config().sources(host.dir())?, host.config().relay(host.dir(), host.clock())?);
        if mailbox_down {
            sources = vec![Box::new(Unreached(sources[0].name().to_owned()))];
        }
        let relay: Box<dyn Relay> = if self.over {
            relay
        } else {
            Box::new(Failing { relay, down: relay_down, chance: std::sync::Mutex::new(Chance(seed)) })
        };
        serve::settle(host, &mut sources, &*relay)
    }

    fn tick(&mut self) {
        let now = self.now();
        while let Some(entry) = self.under_way.first_entry().filter(|entry| entry.key().0 <= now) {
            let (at, raw) = entry.remove_entry();
            self.camp.put(&format!("mail-{:08}", at.1), raw.as_bytes());
        }
        self.host_works();
        // The host has its own copies; a mailbox with a year's mail is slow to list.
        for mail in fs::read_dir(self.camp.inbox().join("cur")).unwrap() {
            fs::remove_file(mail.unwrap().path()).unwrap();
        }
        self.people_read();
        self.camp.clock.set(now + TICK);
    }

    fn running(&mut self) -> usize {
        let Reply::Status { games } = self.host().execute(Request::Status { game: None }).unwrap() else {
            panic!()
        };
        games.iter().filter(|game| game.results.is_empty()).count()
    }

    fn journal(&mut self, game: &str) -> Vec<Entry> {
        match self.host().execute(Request::Journal { game: game.parse().unwrap() }).unwrap() {
            Reply::Journal { entries } => entries,
            other => panic!("{other:?}"),
        }
    }
}

/// When a mail was written, by its header; unix seconds.
fn date_of(raw: &[u8]) -> i64 {
    let text = String::from_utf8_lossy(raw);
    let date = text.lines().find_map(|line| line.strip_prefix("Date: ")).unwrap();
    jiff::fmt::rfc2822::parse(date.trim()).unwrap().timestamp().as_second()
}

/// Who held each seat, and from when: addresses by time.
fn tenures(entries: &[Entry]) -> BTreeMap<Seat, Vec<(i64, Vec<String>)>> {
    let mut tenures: BTreeMap<Seat, Vec<(i64, Vec<String>)>> = BTreeMap::new();
    let mut seated = |game: &GameId, seat: &Seat, player: &Player, at: i64| {
        let addresses = match player {
            Player::Mail { addresses } => addresses.clone(),
            // On this machine's own Maildirs computers get mail too.
            Player::Computer { .. } => vec![format!("{seat}.{game}@computer.invalid")],
            Player::Open => Vec::new(),
        };
        tenures.entry(seat.clone()).or_default().push((at, addresses));
    };
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!("no founding") };
    charter.players.iter().for_each(|(seat, player)| seated(&charter.game, seat, player, entries[0].at));
    for entry in entries {
        if let Cause::Arranged(arrangement) = &entry.cause
            && let Change::Seated { seat, player } = &arrangement.change
        {
            seated(&charter.game, seat, player, entry.at);
        }
    }
    tenures
}

/// The invariants of one game, from its journal.
fn check_journal(game: &str, entries: &[Entry], orders: &BTreeSet<String>) {
    let mut accepted = BTreeSet::new();
    let mut reminded = BTreeSet::new();
    let (mut open, mut deadline, mut mails) = (None, None, BTreeSet::new());
    for (place, entry) in entries.iter().enumerate() {
        match &entry.cause {
            Cause::Opened { t, deadline: at, .. } => (open, deadline) = (Some(*t), *at),
            Cause::Rescheduled { deadline: at, .. } => deadline = Some(*at),
            Cause::Closed { t, .. } => {
                assert_eq!(open.take(), Some(*t), "{game}: a window closes once");
                assert!(deadline.is_none_or(|at| at <= entry.at), "{game}: turn {t} ran before its deadline");
            }
            Cause::Received(mail) => {
                mails.insert(mail.mail.clone());
                if matches!(mail.verdict, Verdict::Accepted { .. }) {
                    assert!(accepted.insert(mail.mail.clone()), "{game}: a mail had two effects");
                    assert_eq!(Some(mail.t), open, "{game}: orders for a turn that isn't open");
                }
            }
            Cause::Told(told) if told.matter == Matter::Reminder => {
                for seat in &told.seats {
                    assert!(reminded.insert((seat.clone(), told.deadline)), "{game}: {seat} reminded twice");
                    assert!(entry.at < told.deadline, "{game}: {seat} reminded of what is over");
                }
            }
            Cause::Noted { text } if text.starts_with("mail ") => _ = mails.insert(format!("{text} {place}")),
            _ => {}
        }
    }
    assert!(
        mails.len() >= orders.len(),
        "{game}: of {} mails with orders {} are known",
        orders.len(),
        mails.len()
    );
}

/// Every mail went to whoever held the seat when it was written, and each seat got one reminder for a deadline: what came twice is the
/// same mail.
fn check_mails(came: &[Came], journals: &BTreeMap<String, Vec<Entry>>) {
    let mut reminders: BTreeMap<(String, String, u32, &str), BTreeSet<String>> = BTreeMap::new();
    for Came { to, sent, written, subject } in came {
        let (game, seat) = (sent.game.to_string(), sent.seat.to_string());
        let held = tenures(&journals[&game]);
        let Some(tenure) = held.get(&sent.seat) else {
            let guest = to.ends_with("@guests.example");
            assert!(to == GM || guest || to.ends_with("@players.example"), "{game}: {to} got {subject}");
            continue;
        };
        // Time stands still within a tick: a seat may change hands after a mail of the same second.
        let holders: BTreeSet<&String> = tenure
            .iter()
            .enumerate()
            .filter(|(place, (from, _))| {
                from <= written && tenure.get(place + 1).is_none_or(|(next, _)| written <= next)
            })
            .flat_map(|(_, (_, addresses))| addresses)
            .collect();
        assert!(holders.contains(to), "{game}: {to} got {subject}, and {seat} is {holders:?}'s");
        if sent.kind.to_string() == "reminder" {
            reminders.entry((game, seat, sent.t, subject)).or_default().insert(sent.which.to_string());
        }
    }
    assert!(soak::is_enough(reminders.len() > 50), "{} reminders", reminders.len());
    for (reminder, mails) in reminders {
        assert_eq!(mails.len(), 1, "{reminder:?}");
    }
}

#[test]
fn a_year_of_fifty_games_keeps_every_promise() {
    let mut world = World::new(soak::seed(1805).into());
    let end = world.now() + 365 * DAY;
    let mut ticks = 0;
    while world.now() < end {
        // Every three weeks the host fills its table again.
        if ticks % 84 == 0 {
            let missing = GAMES.saturating_sub(world.running());
            (0..missing).for_each(|_| world.found());
        }
        world.tick();
        ticks += 1;
    }
    // Nobody writes any more; what is still on its way arrives.
    world.over = true;
    while !world.under_way.is_empty() {
        world.tick();
    }
    world.tick();
    let games: Vec<String> = (1..=world.founded).map(|n| format!("g{n}")).collect();
    let journals: BTreeMap<String, Vec<Entry>> =
        games.iter().map(|game| (game.clone(), world.journal(game))).collect();
    let (mut turns, mut replaced, mut held, mut stood_in) = (0, 0, 0, 0);
    for (game, entries) in &journals {
        let orders = world.orders.remove(game).unwrap_or_default();
        check_journal(game, entries, &orders);
        let secrets = fs::read_to_string(world.camp.path().join(format!("secrets/{game}.secret"))).unwrap();
        turns += replay(&desk(), entries, &SecretChain::from_text(&secrets).unwrap()).steps;
        for entry in entries {
            match &entry.cause {
                Cause::Arranged(arrangement) => {
                    let seated =
                        matches!(&arrangement.change, Change::Seated { player: Player::Mail { .. }, .. });
                    replaced += u32::from(seated);
                }
                Cause::Rescheduled { reason, .. } => held += u32::from(reason == "held"),
                Cause::StoodIn { .. } => stood_in += 1,
                _ => {}
            }
        }
    }
    check_mails(&world.came, &journals);
    // The year was as busy as it was meant to be.
    let came = world.came.len();
    let busy = world.founded > 3 * GAMES && turns > 1_000 && came > 8_000;
    assert!(soak::is_enough(busy), "{} {turns} {came}", world.founded);
    let varied = replaced > 5 && held > 5 && stood_in > 5;
    assert!(soak::is_enough(varied), "{replaced} {held} {stood_in}");
    assert!(soak::is_enough(world.kills > 10), "killed {} times", world.kills);
    let ids: BTreeSet<GameId> = games.iter().map(|game| game.parse().unwrap()).collect();
    let Reply::Status { games } = world.host().execute(Request::Status { game: None }).unwrap() else {
        panic!()
    };
    assert_eq!(games.iter().map(|game| game.game.clone()).collect::<BTreeSet<_>>(), ids);
    assert!(games.iter().flat_map(|game| &game.seats).all(|seat| seat.waiting == 0), "the outbox is empty");
    println!(
        "{} games, {turns} turns, {came} mails, {} killed, {replaced} replaced, {held} held, {stood_in} stood in",
        ids.len(),
        world.kills
    );
}
