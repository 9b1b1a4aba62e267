//! The campaign in `docs/example-campaign`, and its copy with a host that cheats: both are played here, mail by mail, and what lies in
//! that folder is what comes out. `docs/audit-guide.md` is about them.
//!
//! `MUSTERD_REWRITE_DOCS=1 cargo test --test it guides` writes the folder anew, and the guide after it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use musterd::audit::Contradiction;
use musterd::daemon::{Host, NewGame, Request};
use musterd::desk::Desk;
use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::dice::audit::examine;
use musterd::dice::{ChainLines, Witness};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::rules::lga::shipped;
use serde_json::{Value, json};

use super::audit::independent;
use super::support::*;
use super::toy::seat;
use super::verify::{asked, in_words, the_case};

const SIDES: [&str; 2] = ["french", "allied"];
/// The adjudication for which the French send better orders on its last day, and that is where the dishonest host drops them.
const LATE: u32 = 4;
/// The adjudication of which the dishonest host shows a die otherwise than it fell.
const TOUCHED_UP: usize = 2;
const DAY: i64 = 24 * HOUR;

/// Every file of the folder: its path there, and its text.
static FILES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let (honest, cheated) = (Correspondence::played(true), Correspondence::played(false));
    let mut touched_up = cheated.audit.clone();
    touch_up(&mut touched_up);
    vec![
        ("audit.json", honest.audit.to_string()),
        ("french.mbox", honest.mailbox("french", |_| true)),
        ("allied.mbox", honest.mailbox("allied", |_| true)),
        ("cheated/audit.json", touched_up.to_string()),
        // This host puts the file on its page instead of sending it with the last report.
        ("cheated/french.mbox", cheated.mailbox("french", |mail| !mail.contains("alpha.audit.json"))),
        ("cheated/allied.mbox", cheated.mailbox("allied", |mail| !mail.contains("alpha.audit.json"))),
    ]
});

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/example-campaign")
}

/// Writes the folder anew.
pub(crate) fn write() {
    for (path, text) in &*FILES {
        fs::write(folder().join(path), text).unwrap();
    }
}

/// The text of a file of the folder.
pub(crate) fn file(path: &str) -> String {
    fs::read_to_string(folder().join(path)).unwrap()
}

/// A die of the first fight of a turn is shown as the highest there is.
fn touch_up(file: &mut Value) {
    let rolls = file["turns"][TOUCHED_UP - 1]["rolls"].as_array_mut().unwrap();
    let is_low = |roll: &&mut Value| roll[0].as_str().unwrap().contains("/combat/") && roll[3][0] != roll[2];
    let roll = rolls.iter_mut().find(is_low).unwrap();
    roll[3][0] = roll[2].clone();
}

/// A mail in somebody's hands: when, whether he wrote it himself, and as it travelled.
struct Kept {
    at: i64,
    seat: &'static str,
    own: bool,
    raw: String,
}

/// A campaign of two seasons between two people, and their mail.
struct Correspondence {
    camp: Camp,
    kept: Vec<Kept>,
    audit: Value,
}

impl Correspondence {
    fn played(honest: bool) -> Self {
        let camp = Camp::in_memory();
        let configuration = camp.path().join("musterd.yaml");
        let text = fs::read_to_string(&configuration).unwrap();
        let plain =
            text.replace("html: true", "html: false").replace("attach: [form, json, ics]", "attach: []");
        assert!(!plain.contains("true\n# What comes with") && plain.contains("attach: []"));
        fs::write(&configuration, plain).unwrap();
        let mut this = Self { camp, kept: Vec::new(), audit: Value::Null };
        let mut host = this.camp.try_open_with(desk_with_the_scenario).unwrap();
        found(&mut host);
        settle(&mut host);
        for (n, seat) in (3..).zip(SIDES) {
            this.camp.wait(n * HOUR);
            this.send(&mut host, seat, "invitation", &format!("salt: the {n} grey geese of {seat}\nJOIN\n"));
        }
        for t in 2..=5 {
            if t == LATE {
                host = this.better_orders_come_late(host, honest);
            } else {
                this.camp.wait(9 * HOUR);
                this.order(&mut host, "french", t, "planner", true);
                this.camp.wait(7 * HOUR);
                this.order(&mut host, "allied", t, "planner", true);
            }
        }
        let entries = journal(&mut host);
        assert!(Campaign::fold(&desk(), &entries).unwrap().results().is_some(), "it is over");
        this.audit = serde_json::to_value(audit_file(&entries, &this.camp.secrets(), u32::MAX)).unwrap();
        this
    }

    /// The French order on the second day and again, better, on the last; the turn runs when its time is up. A host that isn't honest
    /// takes the second set, gives a receipt, and goes back to what it had before.
    fn better_orders_come_late(&mut self, mut host: Host, honest: bool) -> Host {
        self.camp.wait(DAY);
        self.order(&mut host, "french", LATE, "cautious", false);
        self.camp.wait(2 * DAY);
        let late = self.written(&mut host, "french", LATE, "planner", false);
        let mail = self.mail("french", "dispatch", &late);
        if honest {
            self.camp.post(&mail);
            settle(&mut host);
        } else {
            drop(host);
            let other = self.camp.in_memory_copy();
            other.post(&mail);
            settle(&mut other.open());
            let had = raw_mails(&maildir(&self.camp, "french")).len();
            let mut got = raw_mails(&maildir(&other, "french"));
            assert_eq!(got.len(), had + 1, "the receipt");
            let ((at, _), raw) = got.pop().unwrap();
            let raw = String::from_utf8(raw).unwrap();
            self.kept.push(Kept { at: seconds(at), seat: "french", own: false, raw });
            host = self.camp.open();
        }
        self.camp.wait(DAY);
        self.order(&mut host, "allied", LATE, "planner", false);
        self.camp.wait(4 * DAY);
        settle(&mut host);
        host
    }

    /// Orders as the computer would give them, with what the players add for the dice.
    fn written(&self, host: &mut Host, who: &str, t: u32, level: &str, ready: bool) -> String {
        let campaign = Campaign::fold(&desk(), &journal(host)).unwrap();
        let dispatch = self.camp.newest(who, "dispatch").body.unwrap().text;
        let seen = Witness::all_in(&dispatch).last().unwrap();
        let orders = campaign.game().play(&seat(who), level, u64::from(t));
        let orders = orders.trim_end().trim_end_matches("READY").trim_end();
        let ready = if ready { "READY\n" } else { "" };
        let salt = format!("salt: {} drums behind the {who} hill", 7 * t + orders.len() as u32 % 7);
        format!("{salt}\nseen: {} {}\n{orders}\n{ready}", seen.index, seen.head)
    }

    fn order(&mut self, host: &mut Host, seat: &'static str, t: u32, level: &str, ready: bool) {
        let orders = self.written(host, seat, t, level, ready);
        self.send(host, seat, "dispatch", &orders);
    }

    fn send(&mut self, host: &mut Host, seat: &'static str, kind: &str, orders: &str) {
        let mail = self.mail(seat, kind, orders);
        self.camp.post(mail);
        settle(host);
    }

    /// A mail of a player's with these orders, answering his newest of a kind; he keeps a copy.
    fn mail(&mut self, seat: &'static str, kind: &str, orders: &str) -> String {
        let answered = self.camp.newest(seat, kind);
        let (at, number) = (self.camp.clock.now(), self.kept.len() + 1);
        let (from, to, id) = (player(seat), &answered.reply_to[0], answered.message_id.unwrap());
        let raw = format!(
            "From: <{from}>\nTo: <{to}>\nSubject: Re: {}\nMessage-ID: <{seat}-{number}@players.example>\nIn-Reply-To: <{id}>\nDate: {}\n\
             Content-Type: text/plain; charset=utf-8\n\nBEGIN ORDERS\n{orders}END ORDERS\n",
            answered.subject,
            moment(at, "%a, %d %b %Y %H:%M:%S +0000"),
        );
        let raw = raw.replace('\n', "\r\n");
        self.kept.push(Kept { at, seat, own: true, raw: raw.clone() });
        raw
    }

    /// A player's mailbox, what he got and what he sent by its time.
    fn mailbox(&self, seat: &'static str, keeps: impl Fn(&str) -> bool) -> String {
        let got = raw_mails(&maildir(&self.camp, seat)).into_iter().map(|((at, _), raw)| Kept {
            at: seconds(at),
            seat,
            own: false,
            raw: String::from_utf8(raw).unwrap(),
        });
        let mut mails: Vec<Kept> = got.collect();
        let own = self.kept.iter().filter(|mail| mail.seat == seat);
        mails.extend(own.map(|mail| Kept { raw: mail.raw.clone(), ..*mail }));
        // Whatever a mail brings comes after it.
        mails.sort_by_key(|mail| (mail.at, !mail.own));
        mails.iter().filter(|mail| keeps(&mail.raw)).map(|mail| in_mbox(mail, &player(seat))).collect()
    }
}

fn found(host: &mut Host) {
    let new = NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "lga/ulm-1805".to_owned(),
        id: game(),
        seats: SIDES.map(|side| (seat(side), player(side))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("7d".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms: Terms { proofs: true, ..Terms::default() },
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
}

/// The first scenario cut down to two seasons, so that it can be read through.
fn desk_with_the_scenario() -> Desk {
    let files = shipped("austrian-1805").unwrap().0;
    let mut text = files["scenario.yaml"].clone();
    for (from, to) in [
        ("id: austrian-1805", "id: ulm-1805"),
        ("title: \"Austrian Challenge\"", "title: \"The March on Ulm\""),
        ("end: {season: summer, year: 1806}", "end: {season: autumn, year: 1805}"),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let mut desk = desk();
    desk.shelve("lga", "scenarios/ulm-1805.yaml", text).unwrap();
    desk
}

fn maildir(camp: &Camp, seat: &str) -> PathBuf {
    camp.path().join("mail").join(player(seat))
}

fn seconds(at: SystemTime) -> i64 {
    i64::try_from(at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()).unwrap()
}

fn moment(at: i64, form: &str) -> String {
    Timestamp::from_second(at).unwrap().to_zoned(TimeZone::UTC).strftime(form).to_string()
}

/// A mail as mail programs keep it in a mailbox file.
fn in_mbox(mail: &Kept, owner: &str) -> String {
    let sender = if mail.own { owner } else { HOST };
    let quoted =
        |line: &str| if line.starts_with("From ") { format!(">{line}\n") } else { format!("{line}\n") };
    let lines: String = mail.raw.lines().map(quoted).collect();
    format!("From {sender} {}\n{lines}\n", moment(mail.at, "%a %b %e %H:%M:%S %Y"))
}

#[test]
fn the_folder_holds_what_is_played() {
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    let rewritten_by_the_guides = std::env::var("MUSTERD_REWRITE_DOCS").is_ok();
    if rewritten_by_the_guides {
        return;
    }
    for (path, text) in &*FILES {
        let differs = file(path).lines().zip(text.lines()).position(|(kept, played)| kept != played);
        assert!(
            file(path) == *text,
            "docs/example-campaign/{path} is another from line {differs:?} on: MUSTERD_REWRITE_DOCS=1 cargo test --test it guides"
        );
    }
    let size: usize = FILES.iter().map(|(_, text)| text.len()).sum();
    assert!(size < 1_500_000, "{size} bytes");
}

fn kept(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| folder().join(name)).collect()
}

fn paths(kept: &[PathBuf]) -> Vec<&Path> {
    kept.iter().map(PathBuf::as_path).collect()
}

/// The heads that a mailbox of the folder shows, as the independent verifier takes them.
fn heads_in(mailbox: &str) -> Vec<String> {
    let text = file(mailbox);
    ChainLines::all_in(&text)
        .flat_map(|w| ["--head".to_owned(), format!("{}:{}", w.place(), w.head())])
        .collect()
}

#[test]
fn the_honest_campaign_stands_up_to_everything() {
    let kept = kept(&["audit.json", "french.mbox", "allied.mbox"]);
    let inquiry = asked(&paths(&kept), true, Some(&seat("french")));
    let case = the_case(&inquiry);
    let file = case.files.iter().find(|file| file.path.ends_with("example-campaign/audit.json")).unwrap();
    let words = in_words(&inquiry);
    assert_eq!((&case.contradictions, &file.examination.findings), (&vec![], &vec![]), "{words}");
    assert!(file.examination.turns.iter().all(|turn| turn.level.unwrap().to_string() == "L2"), "{words}");
    let replayed = file.replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, replayed.adjudications), (&None, 5), "{words}");
    let audit: Value = serde_json::from_str(&super::example_campaign::file("audit.json")).unwrap();
    for mailbox in ["french.mbox", "allied.mbox"] {
        let heads = heads_in(mailbox);
        assert!(heads.len() > 20, "{heads:?}");
        let (status, said) = independent(tempfile::tempdir().unwrap().path(), &audit, &heads);
        assert!(status == 0 && said.contains("nothing wrong"), "{said}");
    }
}

/// The copy for practice holds two different frauds, and neither hides the other.
#[test]
fn the_cheating_host_is_found_out_where_the_guide_says() {
    let files = kept(&["cheated/audit.json", "cheated/french.mbox", "cheated/allied.mbox"]);
    let mut audit: Value = serde_json::from_str(&file("cheated/audit.json")).unwrap();
    let codes = |audit: &Value| -> Vec<String> {
        let outcome = examine(&audit.to_string(), &[], |_, _| {}).unwrap();
        outcome.findings.iter().map(|f| format!("{} {}", f.fault.code(), json!(f.place))).collect()
    };
    let found = codes(&audit);
    assert!(found.len() == 2 && found.iter().all(|f| f.contains(&TOUCHED_UP.to_string())), "{found:?}");
    assert!(found[0].starts_with("wrong-die") && found[1].starts_with("other-rolls"), "{found:?}");

    // But for that die the file is consistent, and only what the players kept betrays the host.
    let at = audit["turns"][TOUCHED_UP - 1]["rolls"].clone();
    audit["turns"][TOUCHED_UP - 1]["rolls"] = untouched(&at);
    assert_eq!(codes(&audit), Vec::<String>::new());
    let (status, said) = independent(tempfile::tempdir().unwrap().path(), &audit, &[]);
    assert_eq!(status, 0, "{said}");
    let (status, said) =
        independent(tempfile::tempdir().unwrap().path(), &audit, &heads_in("cheated/french.mbox"));
    assert!(status == 1 && said.contains("this log did not have while it was open"), "{said}");

    let inquiry = asked(&paths(&files[..2]), false, Some(&seat("french")));
    let found = &the_case(&inquiry).contradictions;
    let dropped =
        |c: &Contradiction| matches!(c, Contradiction::Dropped { t: LATE, seat, .. } if seat == "french");
    assert!(found.iter().any(dropped), "{}", in_words(&inquiry));
    let mails = asked(&paths(&files[1..]), false, None);
    let two_tellings = |c: &Contradiction| matches!(c, Contradiction::TwoTellings { t: LATE, .. });
    assert!(the_case(&mails).contradictions.iter().any(two_tellings), "{}", in_words(&mails));
    // The receipt and the dispatch after it lie in the same mailbox: the log that the host went back to counts from before the receipt.
    let french = asked(&[&files[1]], false, None);
    assert!(the_case(&french).contradictions.iter().any(two_tellings), "{}", in_words(&french));
    assert_eq!(the_case(&asked(&[&files[2]], false, None)).contradictions, []);
}

/// The rolls with the touched-up die as the seed throws it: the honest campaign has the same adjudication.
fn untouched(rolls: &Value) -> Value {
    let honest: Value = serde_json::from_str(&file("audit.json")).unwrap();
    let honest = &honest["turns"][TOUCHED_UP - 1]["rolls"];
    let labels =
        |rolls: &Value| rolls.as_array().unwrap().iter().map(|roll| roll[0].clone()).collect::<Vec<_>>();
    assert_eq!(labels(rolls), labels(honest));
    honest.clone()
}
