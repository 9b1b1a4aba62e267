//! The simulator: simulated players on a virtual clock, and everything that can go wrong between them and the host. However
//! it goes, the game must come out as it does when nothing goes wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Mutex;

use musterd::daemon::{HostError, Reply, Request, serve};
use musterd::desk::mail::Sent;
use musterd::engine::journal::{Cause, Entry, Verdict};
use musterd::engine::terms::Terms;
use musterd::fault::{self, Plan};
use musterd::post::{Outcome, Relay};

use super::replay::replay;
use super::support::*;
use super::verify::mails_fit;
use crate::common::soak;

const SEATS: [&str; 3] = ["red", "blue", "umpire"];

/// Chance, from a seed (splitmix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// Once in `n`.
    pub(crate) fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// What goes wrong in a run.
#[derive(Clone, Copy)]
struct Trouble {
    /// Mails of players are delayed, overtake each other and arrive twice.
    network: bool,
    /// The relay fails now and then, sometimes after it has delivered.
    relay: bool,
    /// The host dies at fault points, several times a game.
    crashes: bool,
}

const NONE: Trouble = Trouble { network: false, relay: false, crashes: false };

/// A relay that fails one send in three; half of these it has delivered all the same.
struct Flaky {
    relay: Box<dyn Relay>,
    chance: Mutex<Chance>,
}

impl Relay for Flaky {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        let deferred =
            |to: &[String]| to.iter().map(|to| (to.clone(), Outcome::Deferred("try later".into()))).collect();
        match self.chance.lock().unwrap().below(6) {
            0 => deferred(to),
            1 => {
                self.relay.send(from, to, raw);
                deferred(to)
            }
            _ => self.relay.send(from, to, raw),
        }
    }
}

/// One game played under some trouble.
struct Run {
    camp: Camp,
    chance: Chance,
    trouble: Trouble,
    /// Mails of players on their way, by time of arrival.
    under_way: BTreeMap<(i64, u64), String>,
    /// Message-IDs that the players have answered.
    answered: BTreeSet<String>,
    written: u64,
}

impl Run {
    fn new(seed: u64, trouble: Trouble) -> Self {
        let camp = Camp::new();
        // Whatever a run waits for a mail that stops a turn, it comes out as the undisturbed one, in which every turn runs at once.
        let terms = Terms { recall: (seed > 0).then_some(15), ..Terms::default() };
        new_game_on(&mut camp.open(), &[], "24h", terms);
        let (under_way, answered) = (BTreeMap::new(), BTreeSet::new());
        Self { camp, chance: Chance(seed), trouble, under_way, answered, written: 0 }
    }

    /// Every player reads what is new and answers it. What they order depends on the turn alone.
    fn players_write(&mut self) {
        for seat in SEATS {
            for mail in self.camp.mails(&player(seat)) {
                let id = mail.message_id.clone().unwrap();
                let Some(sent) = Sent::of(&id, "example.org") else { continue };
                let kind = sent.kind.to_string();
                if !self.answered.insert(id.clone()) || !["invitation", "dispatch"].contains(&kind.as_str()) {
                    continue;
                }
                let t = sent.t;
                let lines = match (seat, kind.as_str(), t) {
                    (_, "invitation", _) => format!("JOIN\r\nsalt: {seat} of the ridge"),
                    // Blue forgets its second bid, and the umpire never has to do with one.
                    ("blue", _, 4) => continue,
                    ("umpire", _, t) if t % 2 == 1 => {
                        format!("{}\r\nREADY", if t == 5 { "VOID" } else { "UPHOLD" })
                    }
                    ("red" | "blue", _, t) if t % 2 == 0 && t < 8 => {
                        format!(
                            "BID {}\r\nsalt: {seat} {t}\r\nREADY",
                            1 + (t / 2 + u32::from(seat == "red")) % 3
                        )
                    }
                    _ => continue,
                };
                // Red asks how things stand, and adds a word to blue, which is nobody's orders.
                let letter = if seat == "red" {
                    format!("STATUS\r\nHISTORY\r\nPRESS TO BLUE\r\nBID 3 at {t}\r\nEND PRESS\r\n")
                } else {
                    String::new()
                };
                let raw = Mail {
                    from: &player(seat),
                    to: &mail.reply_to[0],
                    id: &format!("{seat}-{t}-{kind}"),
                    in_reply_to: Some(&id),
                    text: &(letter + &block(&lines)),
                }
                .raw();
                self.written += 1;
                self.send(&raw);
            }
        }
    }

    fn send(&mut self, raw: &str) {
        let copies = if self.trouble.network { 1 + self.chance.below(3) } else { 1 };
        for copy in 0..copies {
            let delay = if self.trouble.network { self.chance.below(5 * 3600) } else { 0 };
            let place = (self.camp.clock.now() + i64::try_from(delay).unwrap(), self.written * 10 + copy);
            self.under_way.insert(place, format!("X-Copy: {copy}\r\n{raw}"));
        }
    }

    /// One look of the host at the world; it may die at any fault point of it.
    fn host_works(&mut self) -> Option<i64> {
        let deadly = self.trouble.crashes && self.chance.below(3) > 0;
        let n = if deadly { 1 + self.chance.below(60) } else { u64::MAX };
        let flaky = self.trouble.relay.then(|| self.chance.below(u64::MAX));
        let armed = fault::arm(Plan::crash_at(n));
        let next = work(&self.camp, flaky);
        let died = armed.passed().len() as u64 >= n;
        drop(armed);
        match next {
            Ok(next) if !died => next,
            Err(error) if !died => panic!("{error}"),
            _ => self.host_works(),
        }
    }

    fn play(mut self) -> Self {
        let mut quiet = 0;
        while quiet < 3 {
            let now = self.camp.clock.now();
            while let Some(entry) = self.under_way.first_entry().filter(|e| e.key().0 <= now) {
                let raw = entry.remove();
                self.camp.post(raw);
            }
            let next = self.host_works();
            self.players_write();
            quiet = if next.is_none() && self.under_way.is_empty() { quiet + 1 } else { 0 };
            // On to whatever comes next; a moment later, where that is nothing.
            let arrival = self.under_way.first_key_value().map(|((at, _), _)| *at);
            let then = next.into_iter().chain(arrival).min().unwrap_or(now + 1);
            self.camp.clock.set(then.max(now));
            assert!(self.camp.clock.now() < NOON + 40 * 24 * HOUR, "the game goes on for ever");
        }
        self
    }
}

/// Opens the host, lets it do all there is to do, and closes it; when it next has something to do.
pub(crate) fn work(camp: &Camp, flaky: Option<u64>) -> Result<Option<i64>, HostError> {
    let mut host = camp.try_open()?;
    let (mut sources, relay) =
        (host.config().sources(host.dir())?, host.config().relay(host.dir(), host.clock())?);
    let relay: Box<dyn Relay> = match flaky {
        Some(seed) => Box::new(Flaky { relay, chance: Mutex::new(Chance(seed)) }),
        None => relay,
    };
    serve::settle(&mut host, &mut sources, &*relay)?;
    host.next_due()
}

/// What must be the same however the mail travelled: the turns as closed and adjudicated, and the end.
fn essence(entries: &[Entry]) -> Vec<String> {
    let tells = |cause: &Cause| {
        matches!(cause, Cause::Closed { .. } | Cause::Adjudicated { .. } | Cause::Ended { .. })
    };
    entries.iter().filter(|e| tells(&e.cause)).map(|e| serde_json::to_string(&e.cause).unwrap()).collect()
}

/// What was passed on, in any order.
fn letters(entries: &[Entry]) -> Vec<String> {
    let text = |entry: &Entry| match &entry.cause {
        Cause::Pressed(letter) => Some(letter.text.clone()),
        _ => None,
    };
    let mut texts: Vec<String> = entries.iter().filter_map(text).collect();
    texts.sort();
    texts
}

/// The Message-IDs of all mails of a kind that reached each seat, every copy.
fn ids(camp: &Camp, kind: &str) -> Vec<String> {
    let all = SEATS.iter().flat_map(|seat| camp.mails(&player(seat)));
    let mut ids: Vec<String> =
        all.filter_map(|mail| mail.message_id).filter(|id| id.contains(kind)).collect();
    ids.sort();
    ids
}

fn check(run: &Run, undisturbed: &Run) {
    let (mut host, mut other) = (run.camp.open(), undisturbed.camp.open());
    let (entries, expected) = (journal(&mut host), journal(&mut other));
    assert_eq!(essence(&entries), essence(&expected));
    assert_eq!(replay(&desk(), &entries, &run.camp.secrets()).steps, 7);
    mails_fit(&run.camp, &entries);
    let accepted: Vec<_> = received(&mut host)
        .into_iter()
        .filter(|mail| matches!(mail.verdict, Verdict::Accepted { .. }))
        .map(|mail| (mail.t, mail.seat))
        .collect();
    let distinct: BTreeSet<_> = accepted.iter().collect();
    assert_eq!(distinct.len(), accepted.len(), "one effect for each mail");
    assert_eq!(accepted.len() as u64, run.written, "and none lost");
    assert_eq!(ids(&run.camp, ".dispatch."), ids(&undisturbed.camp, ".dispatch."));
    assert_eq!(ids(&run.camp, ".invitation."), ids(&undisturbed.camp, ".invitation."));
    assert_eq!(ids(&run.camp, ".receipt.").len(), ids(&undisturbed.camp, ".receipt.").len());
    // Every letter has one effect, and reaches its reader; what reaches him twice is the same mail.
    assert_eq!(letters(&entries), letters(&expected));
    let passed_on: BTreeSet<String> = ids(&run.camp, ".blue.press.").into_iter().collect();
    assert_eq!((passed_on.len(), letters(&entries).len()), (4, 4));
    let answers: BTreeSet<String> = ids(&run.camp, ".red.answer.").into_iter().collect();
    assert_eq!(answers.len(), 4, "each mail with commands is answered once");
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    assert!(games[0].seats.iter().all(|s| s.waiting == 0 && s.failed == 0), "{:?}", games[0].seats);
}

#[test]
fn whatever_happens_to_the_mail_and_the_host_the_game_comes_out_the_same() {
    let undisturbed = Run::new(0, NONE).play();
    check(&undisturbed, &undisturbed.again());
    for seed in soak::seeds(1..4) {
        // Shown if it fails; the same seed is the same run.
        eprintln!("seed {seed}");
        check(&Run::new(seed, Trouble { network: true, ..NONE }).play(), &undisturbed);
        check(&Run::new(seed, Trouble { relay: true, ..NONE }).play(), &undisturbed);
        check(&Run::new(seed, Trouble { network: true, relay: true, crashes: true }).play(), &undisturbed);
    }
}

impl Run {
    /// The same run once more.
    fn again(&self) -> Self {
        Self::new(0, self.trouble).play()
    }
}

/// Everything in the Maildirs of players, GM and guests: file name and bytes.
fn maildirs(camp: &Camp) -> BTreeMap<String, Vec<u8>> {
    let people = fs::read_dir(camp.path().join("mail")).unwrap().map(|who| who.unwrap().path());
    let files = people.filter(|who| !who.ends_with(HOST)).flat_map(|who| raw_mails(&who));
    files
        .map(|((_, path), raw)| (path.strip_prefix(camp.path()).unwrap().display().to_string(), raw))
        .collect()
}

#[test]
fn a_step_cut_short_at_any_call_ends_as_if_it_had_not_been() {
    let camp = Camp::new();
    founded(&camp, &mut camp.open());
    // Two mails in, and seven out: two receipts, three dispatches, a letter and the answer to its writer.
    let letter = "PRESS TO BLUE\r\nBid low.\r\nEND PRESS\r\n".to_owned();
    camp.post(camp.answer("red", "dispatch", "r", &(letter + &block("BID 2\r\nREADY"))));
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    cut_short_at_any_call(&camp, 7);
}

#[test]
fn a_change_of_players_cut_short_at_any_call_ends_as_if_it_had_not_been() {
    let (camp, anna) = (Camp::new(), "anna@guests.example");
    founded(&camp, &mut camp.open());
    let guest = |id: &str, text: &str| Mail { from: anna, to: HOST, id, in_reply_to: None, text }.raw();
    let code_of = |who: &str, id: &str| {
        let mut mails = camp.mails(who).into_iter();
        let answer =
            mails.rfind(|mail| mail.in_reply_to.as_deref() == Some(&format!("{id}@players.example")));
        let text = answer.unwrap().body.unwrap().text;
        text.lines().filter(|line| line.starts_with("CONFIRM")).collect::<Vec<_>>().join("\r\n")
    };
    let code = |id: &str| code_of(anna, id);
    camp.post(guest("wait", "STANDBY alpha\r\n"));
    settle(&mut camp.open());
    camp.post(guest("waits", &code("wait")));
    camp.post(camp.answer("red", "dispatch", "orders", &block("BID 1\r\nREADY")));
    camp.post(camp.answer("red", "dispatch", "goes", "RESIGN\r\n"));
    settle(&mut camp.open());
    let resigns = code_of(&player("red"), "goes");
    // Out go: the answers to three mails, a new secret, a dispatch again, the notices of red's going to blue, umpire and GM, and the
    // offer to Anna.
    camp.post(camp.answer("red", "dispatch", "go", &format!("STATUS\r\nWITHDRAW ORDERS\r\n{resigns}\r\n")));
    camp.post(camp.answer("blue", "dispatch", "new", "NEW SECRET\r\n"));
    camp.post(camp.answer("umpire", "dispatch", "ask", "REPORT 1\r\nHISTORY\r\nLUCK\r\n"));
    cut_short_at_any_call(&camp, 9);
}

/// Lets the host die at every call of what it has to do now; it always ends as if it had not. So many mails go out.
pub(crate) fn cut_short_at_any_call(camp: &Camp, out: usize) {
    let undisturbed = camp.clone();
    work(&undisturbed, None).unwrap();
    let (mails, entries) = (maildirs(&undisturbed), journal(&mut undisturbed.open()));
    assert_eq!(mails.len(), maildirs(camp).len() + out);
    for n in 1.. {
        let camp = camp.clone();
        // It dies, and dies again while it recovers.
        let mut passed = Vec::new();
        for deadly in [n, 1 + n % 7] {
            let armed = fault::arm(Plan::crash_at(deadly));
            let outcome = work(&camp, None);
            let died = armed.passed().len() as u64 >= deadly;
            assert!(died || outcome.is_ok(), "{outcome:?}");
            passed.push(armed.passed());
        }
        work(&camp, None).unwrap();
        assert_eq!(journal(&mut camp.open()), entries, "died at call {n}: {:?}", passed[0].last());
        assert_eq!(maildirs(&camp), mails, "died at call {n}: {:?}", passed[0].last());
        if (passed[0].len() as u64) < n {
            assert!(n > 20, "{n} calls");
            break;
        }
    }
}
