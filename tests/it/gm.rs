//! The GM's commands, each by mail and from the command line: the same text, the same answer, the same journal.

use std::collections::BTreeSet;

use musterd::daemon::{End, Host, NewGame, Reply, Request};
use musterd::dice::LogEntry;
use musterd::engine::journal::{Cause, Player};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::fault::{self, Plan};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;

/// How a command reaches the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Mail,
    Line,
}

const WAYS: [Way; 2] = [Way::Mail, Way::Line];

/// A toy game with its host, and a GM.
struct Table {
    camp: Camp,
    host: Option<Host>,
    way: Way,
    sent: usize,
}

/// What a command was answered: its words on one line, and the names of the files that came with it.
struct Said {
    text: String,
    files: Vec<String>,
}

impl Table {
    fn of(way: Way) -> Self {
        let camp = Camp::new();
        let mut host = camp.open();
        founded(&camp, &mut host);
        Self { camp, host: Some(host), way, sent: 0 }
    }

    fn host(&mut self) -> &mut Host {
        self.host.as_mut().unwrap()
    }

    fn settle(&mut self) {
        settle(self.host.as_mut().unwrap());
    }

    fn wait(&mut self, seconds: i64) {
        self.camp.wait(seconds);
        self.settle();
    }

    /// Gives the GM's commands and returns what was answered.
    fn gm(&mut self, text: &str) -> Said {
        match self.way {
            Way::Line => {
                let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
                let Reply::Gm { answers, unread } = self.host().execute(request).unwrap() else { panic!() };
                self.settle();
                let paragraphs = answers.iter().flat_map(|answer| answer.paragraphs.clone());
                let text = paragraphs.chain(unread).collect::<Vec<_>>().join(" ");
                let files =
                    answers.iter().flat_map(|answer| answer.files.iter().map(|file| file.name.clone()));
                Said { text: flat(&text), files: files.collect() }
            }
            Way::Mail => {
                let to = self.camp.mails(GM)[0].reply_to[0].clone();
                self.gm_mail(GM, &to, text)
            }
        }
    }

    fn gm_mail(&mut self, from: &str, to: &str, text: &str) -> Said {
        let before: BTreeSet<_> = answers(&self.camp).into_iter().map(|mail| mail.message_id).collect();
        self.sent += 1;
        let id = format!("gm-{}", self.sent);
        self.camp.post(Mail { from, to, id: &id, in_reply_to: None, text }.raw());
        self.settle();
        let new = answers(&self.camp).into_iter().find(|mail| !before.contains(&mail.message_id));
        let new = new.unwrap_or_else(|| panic!("no answer to {text}"));
        Said { text: flat(&body(&new)), files: Vec::new() }
    }

    /// Gives a command that has to be confirmed: nothing changes before it is.
    fn gm_confirmed(&mut self, text: &str) -> (Said, Said) {
        let before = self.log();
        let asked = self.gm(text);
        assert!(asked.text.contains("Nothing has been done yet"), "{text}: {}", asked.text);
        assert!(asked.text.contains(&format!("{} CONFIRM", flat(text))), "{}", asked.text);
        assert_eq!(self.log(), before, "{text} did something");
        let done = self.gm(&format!("{text} CONFIRM"));
        assert_ne!(self.log(), before, "{text}: {}", done.text);
        (asked, done)
    }

    fn orders(&mut self, who: &str, id: &str, lines: &str) {
        let mail = self.camp.answer(who, "dispatch", id, &block(lines));
        self.camp.post(mail);
        self.settle();
    }

    /// Both sides bid, and the turn runs.
    fn round(&mut self, id: &str, red: u32, blue: u32) {
        self.orders("red", &format!("{id}-red"), &format!("BID {red}\r\nREADY"));
        self.orders("blue", &format!("{id}-blue"), &format!("BID {blue}\r\nREADY"));
    }

    fn open(&mut self) -> Option<u32> {
        let Reply::Status { games } = self.host().execute(Request::Status { game: Some(game()) }).unwrap()
        else {
            panic!()
        };
        games[0].t
    }

    /// The public log, as lines.
    fn log(&mut self) -> Vec<String> {
        let entries = journal(self.host());
        let lines = entries.iter().flat_map(|entry| entry.cause.log_entries());
        lines.map(|line: LogEntry| format!("{} {}", line.kind(), line.body())).collect()
    }

    /// The GM's interventions in the public log.
    fn gm_log(&mut self) -> Vec<String> {
        self.log().into_iter().filter(|line| line.starts_with("gm ")).collect()
    }

    /// Everything that the journal claims is so.
    fn check(&mut self) {
        let entries = journal(self.host());
        replay(&desk(), &entries, &self.camp.secrets());
        let log = self.log().join("\n");
        assert!(!log.contains('@'), "an address in the public log:\n{log}");
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn body(mail: &Letter) -> String {
    mail.body.as_ref().unwrap().text.clone()
}

fn answers(camp: &Camp) -> Vec<Letter> {
    let mut mails = camp.mails(GM);
    mails.retain(|mail| mail.message_id.as_deref().is_some_and(|id| id.contains(".gm.answer.")));
    mails
}

fn purses(mail: &Letter) -> Vec<String> {
    body(mail).lines().filter(|line| line.ends_with(" coins") && !line.contains("gives")).map(flat).collect()
}

#[test]
fn the_gm_gets_a_welcome_whose_address_or_key_line_leads_the_game() {
    let mut table = Table::of(Way::Mail);
    let welcome = table.camp.mails(GM)[0].clone();
    assert!(welcome.subject.contains("you are the GM"), "{}", welcome.subject);
    let key = body(&welcome).lines().find(|line| line.starts_with("# key: alpha gm ")).unwrap().to_owned();
    assert!(welcome.reply_to[0].starts_with("host+alpha.gm."), "{}", welcome.reply_to[0]);
    assert!(table.gm("STATUS").text.contains("open: turn 2 (round-1)"));
    let said = table.gm_mail(GM, HOST, &format!("{key}\r\nHELP\r\n"));
    assert!(said.text.contains("ROLLBACK and the first turn"), "{}", said.text);
}

#[test]
fn a_wrong_secret_or_sender_changes_nothing_and_the_gm_is_told() {
    let mut table = Table::of(Way::Mail);
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    let wrong = to.replace(&to["host+alpha.gm.".len()..to.find('@').unwrap()], "0123456789abcdef");
    let known = answers(&table.camp).len();
    for (n, (from, to)) in
        [(GM, wrong.as_str()), (player("red").as_str(), to.as_str()), (GM, "host+alpha.gm@example.org")]
            .into_iter()
            .enumerate()
    {
        let told = table.camp.mails(GM).len();
        let red = table.camp.mails(&player("red")).len();
        let id = format!("false-{n}");
        table.camp.post(Mail { from, to, id: &id, in_reply_to: None, text: "PROCESS 2 CONFIRM" }.raw());
        table.settle();
        assert_eq!(table.camp.mails(GM).len(), told + 1, "{from} to {to}");
        assert_eq!(table.camp.mails(&player("red")).len(), red, "whoever wrote it learns nothing");
        let notice =
            table.camp.mails(GM).into_iter().find(|mail| mail.subject.contains("not proved")).unwrap();
        assert!(flat(&body(&notice)).contains("claimed to be from the GM"), "{}", body(&notice));
    }
    assert_eq!((table.open(), answers(&table.camp).len()), (Some(2), known));
    table.check();
}

#[test]
fn a_second_copy_of_the_gms_mail_has_no_second_effect() {
    let mut table = Table::of(Way::Mail);
    let to = table.camp.mails(GM)[0].reply_to[0].clone();
    let mail = Mail { from: GM, to: &to, id: "twice", in_reply_to: None, text: "EXTEND 2 2h" }.raw();
    table.camp.post(&mail);
    table.settle();
    let (log, mails) = (table.log(), table.camp.mails(GM).len());
    table.camp.post(&mail);
    table.settle();
    assert_eq!((table.log(), table.camp.mails(GM).len()), (log, mails));
}

#[test]
fn a_stale_turn_does_no_harm() {
    for way in WAYS {
        let mut table = Table::of(way);
        let before = table.log();
        for command in [
            "PROCESS 1 CONFIRM",
            "PROCESS ruling-1 CONFIRM",
            "PAUSE 1",
            "DEADLINE 1 2026-12-10 20:00",
            "EXTEND 3 2d",
            "AMEND 1 PURSE red 3 CONFIRM",
            "NARRATE 3: Snow.",
            "APPROVE 1",
            "DRAFT 1",
            "RERUN 2 AMEND PURSE red 3 CONFIRM",
            "ROLLBACK 1 CONFIRM",
            "ROLLBACK 7 CONFIRM",
        ] {
            let said = table.gm(command);
            assert!(said.text.contains("Nothing was done"), "{command}: {}", said.text);
        }
        assert_eq!(table.log(), before);
        assert!(table.gm("STATUS").text.contains("open: turn 2"));
    }
}

#[test]
fn process_tells_who_is_missing_and_runs_the_turn_when_confirmed() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.orders("red", "bid-1", "BID 2");
        let (asked, done) = table.gm_confirmed("PROCESS round-1 BECAUSE all agreed");
        assert!(asked.text.contains("without orders from") && asked.text.contains("blue"), "{}", asked.text);
        assert!(done.text.contains("Turn 2 has run"), "{}", done.text);
        assert_eq!(table.open(), Some(3));
        assert_eq!(table.gm_log(), ["gm 2 processed before its deadline: all agreed"]);
        table.orders("umpire", "rule-1", "UPHOLD");
        let done = table.gm("PROCESS 3");
        assert!(done.text.contains("Turn 3 has run"), "nobody is missing: {}", done.text);
        table.check();
    }
}

#[test]
fn in_a_pause_time_stands_still_and_the_deadline_moves_by_its_length() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.wait(10 * HOUR);
        table.gm("PAUSE BECAUSE of the holidays");
        assert!(body(&table.camp.newest("red", "notice")).contains("holidays"));
        assert!(table.gm("PAUSE").text.contains("paused already"));
        assert!(table.gm("PROCESS 2").text.contains("is paused"));
        let reminders = table.camp.count("blue", "reminder");
        table.wait(48 * HOUR);
        assert_eq!(
            (table.open(), table.camp.count("blue", "reminder")),
            (Some(2), reminders),
            "nothing runs"
        );
        table.orders("red", "late", "BID 2");
        assert_eq!(verdicts(table.host()).last().unwrap(), "accepted", "orders are taken in a pause");
        let said = table.gm("RESUME");
        assert!(said.text.contains("Tuesday 24 November 2026, 12:00"), "a day and two more: {}", said.text);
        assert!(table.gm("RESUME").text.contains("not paused"));
        table.wait(13 * HOUR);
        assert_eq!(table.open(), Some(2), "its ten hours of the day are not over");
        assert_eq!(
            table.camp.count("blue", "reminder"),
            reminders + 1,
            "a moved deadline is reminded of again"
        );
        table.wait(HOUR + 60);
        assert_eq!(table.open(), Some(3));
        let log = table.gm_log();
        assert_eq!(log, ["gm 2 paused: of the holidays", "gm 2 resumed"]);
        table.check();
    }
}

#[test]
fn a_deadline_is_set_and_extended_and_all_are_told() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("DEADLINE 2 2026-11-25 20:00 BECAUSE Anna is ill");
        assert!(said.text.contains("it is now Wednesday 25 November 2026, 20:00"), "{}", said.text);
        assert!(
            flat(&body(&table.camp.newest("blue", "notice"))).contains("Wednesday 25 November 2026, 20:00")
        );
        let said = table.gm("EXTEND round-1 2d");
        assert!(said.text.contains("it is now Friday 27 November 2026, 20:00"), "{}", said.text);
        assert!(table.gm("DEADLINE 2 2026-11-20 20:00").text.contains("in the past"));
        table.wait(5 * 24 * HOUR);
        assert_eq!(table.open(), Some(2));
        table.wait(2 * 24 * HOUR);
        assert_eq!(table.open(), Some(3));
        assert_eq!(table.gm_log(), ["gm 2 deadline moved: Anna is ill", "gm 2 deadline moved"]);
        table.check();
    }
}

#[test]
fn a_replaced_player_loses_the_seat_and_the_new_one_plays_on() {
    for way in WAYS {
        let mut table = Table::of(way);
        let old = table.camp.answer("red", "dispatch", "old", &block("BID 1"));
        let (asked, done) = table.gm_confirmed("REPLACE red zoe@players.example BECAUSE Red moved house");
        assert!(asked.text.contains("played by red@players.example"), "{}", asked.text);
        assert!(done.text.contains("it is now zoe@players.example"), "{}", done.text);
        let mails = table.camp.mails("zoe@players.example");
        let of_kind = |kind: &str| {
            let kind = format!(".{kind}.");
            mails.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(&kind)).unwrap()
        };
        let (welcome, dispatch) = (of_kind("invitation"), of_kind("dispatch"));
        assert!(body(welcome).contains("you play the red player from now on"), "{}", body(welcome));
        assert_eq!(welcome.reply_to, dispatch.reply_to);
        assert!(flat(&body(&table.camp.newest("blue", "notice"))).contains("has another player"));
        let farewell = table.camp.newest("red", "notice");
        assert!(farewell.subject.contains("no more"), "{}", farewell.subject);
        table.camp.post(old);
        table.settle();
        assert_eq!(verdicts(table.host()).last().unwrap(), "wrong-secret", "the old secret is void");
        let text = block("BID 3\r\nREADY");
        let mail = Mail {
            from: "zoe@players.example",
            to: &welcome.reply_to[0],
            id: "zoe-1",
            in_reply_to: dispatch.message_id.as_deref(),
            text: &text,
        };
        table.camp.post(mail.raw());
        table.settle();
        assert_eq!(verdicts(table.host()).last().unwrap(), "accepted");
        assert_eq!(
            table.gm_log(),
            ["gm 2 red has another player: Red moved house", "gm 2 red has a new secret"]
        );
        table.check();
    }
}

#[test]
fn a_seat_goes_to_the_computer_at_once_or_to_nobody() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm_confirmed("REPLACE red computer:cautious");
        table.gm_confirmed("EJECT umpire");
        table.orders("blue", "bid-1", "BID 1\r\nREADY");
        let stood_in =
            journal(table.host()).into_iter().any(|entry| matches!(entry.cause, Cause::StoodIn { .. }));
        assert!(stood_in, "the computer's orders are there at once");
        table.gm("PROCESS 2");
        assert_eq!(table.open(), Some(3));
        assert!(
            !body(&table.camp.newest("blue", "dispatch")).contains("sent no orders"),
            "the computer is never late"
        );
        let said = table.gm("PROCESS 3");
        assert!(said.text.contains("without orders from"), "nobody rules: {}", said.text);
        assert!(table.gm("REPLACE red computer:wild").text.contains("use cautious or planner"));
        assert!(table.gm("REPLACE green open").text.contains("no seat green"));
        let own = table.gm(&format!("REPLACE red {HOST} CONFIRM"));
        assert!(own.text.contains("is this host's own address"), "{}", own.text);
        table.check();
    }
}

#[test]
fn a_person_after_the_computer_is_told_that_its_sealed_orders_stand() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("umpire", "computer")], "24h");
    settle(&mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN"));
    }
    settle(&mut host);
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    table.round("one", 1, 2);
    let open = table.open();
    // The umpire's mail comes back at once and its turn runs; the next bids are open, and it is asked again after them.
    table.orders("red", "two-red", "BID 1");
    assert_eq!(open, Some(4));
    table.gm("REPLACE umpire ida@players.example CONFIRM");
    let ida = table.camp.mails("ida@players.example");
    let of_kind = |kind: &str| {
        let kind = format!(".{kind}.");
        ida.iter().find(|mail| mail.message_id.as_deref().unwrap().contains(&kind)).unwrap().clone()
    };
    let (welcome, notice) = (of_kind("invitation"), of_kind("notice"));
    let sealed = journal(table.host()).into_iter().rev().find_map(|entry| match entry.cause {
        Cause::Opened { sealed, .. } => Some(sealed.len()),
        _ => None,
    });
    assert_eq!(sealed, Some(1));
    assert!(flat(&body(&notice)).contains("sealed when it opened, and they stand"), "{}", body(&notice));
    let text = block("VOID");
    let mail = Mail {
        from: "ida@players.example",
        to: &welcome.reply_to[0],
        id: "ida-1",
        in_reply_to: None,
        text: &text,
    };
    table.camp.post(mail.raw());
    table.settle();
    assert_eq!(verdicts(table.host()).last().unwrap(), "not-as-sealed");
    let told = "its orders were sealed then";
    assert!(table.camp.mails("ida@players.example").iter().any(|mail| flat(&body(mail)).contains(told)));
    table.check();
}

#[test]
fn an_amendment_reaches_those_who_can_know_it_and_nobody_else() {
    for way in WAYS {
        let mut table = Table::of(way);
        let (red, blue) = (table.camp.count("red", "dispatch"), table.camp.count("blue", "dispatch"));
        let (asked, done) = table.gm_confirmed("AMEND 2 PURSE red 31 BECAUSE the treasurer miscounted");
        assert!(
            asked.text.contains("+ red 31 coins") && asked.text.contains("blue: nothing"),
            "{}",
            asked.text
        );
        assert!(done.text.contains("those who can know it: red, umpire"), "{}", done.text);
        assert_eq!(table.camp.count("red", "dispatch"), red + 1);
        assert_eq!(table.camp.count("blue", "dispatch"), blue);
        assert!(body(&table.camp.newest("red", "dispatch")).contains("the GM gives red 31 coins"));
        let log = table.gm_log();
        assert!(
            log[0].starts_with("gm 2 amend ") && log[0].ends_with(" the treasurer miscounted"),
            "{log:?}"
        );
        assert!(!log[0].contains("PURSE"), "the log hides what it was");
        assert!(table.gm("AMEND 2 PURSE green 3").text.contains("Write PURSE red 5"));
        table.orders("red", "rich", "BID 30\r\nREADY");
        assert!(!table.camp.newest("red", "receipt").subject.contains("ERRORS"), "red can pay that now");
        table.orders("blue", "poor", "BID 0\r\nREADY");
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 1 coins"]);
        table.check();
    }
}

#[test]
fn draft_with_an_amendment_shows_what_it_would_change_and_does_nothing() {
    for way in WAYS {
        let mut table = Table::of(way);
        let before = table.log();
        let said = table.gm("DRAFT 2 WITH AMEND WON blue 2");
        assert!(said.text.contains("- blue 0 won + blue 2 won"), "{}", said.text);
        assert_eq!(table.log(), before);
        assert!(table.gm("DRAFT 2").text.contains("no dispatches wait"));
        assert!(table.gm("STATUS").text.contains("open: turn 2"));
    }
}

#[test]
fn a_moderated_turn_waits_for_the_gm_who_sees_and_corrects_it() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.gm("TERMS --approval 2d BECAUSE we want to look at it first");
        let dispatches = table.camp.count("red", "dispatch");
        table.round("one", 3, 1);
        assert_eq!((table.open(), table.camp.count("red", "dispatch")), (None, dispatches));
        let draft = |table: &Table| {
            let mut mails = table.camp.mails(GM);
            mails.retain(|mail| mail.subject.contains("waits for your approval"));
            mails.len()
        };
        assert_eq!(draft(&table), 1);
        let said = table.gm("DRAFT 2");
        assert!(way == Way::Mail || said.files == ["blue.txt", "red.txt", "umpire.txt"], "{:?}", said.files);
        table.orders("red", "early", "BID 1");
        assert!(table.camp.newest("red", "refusal").subject.contains("the turn has run"));
        assert!(table.log().last().unwrap().ends_with("refused between-turns"), "{:?}", table.log());
        let letter = table.camp.answer("red", "dispatch", "letter", "PRESS TO blue\r\nHello.\r\nEND PRESS");
        table.camp.post(letter);
        table.settle();
        let said = flat(&body(&table.camp.newest("red", "press")));
        assert!(said.contains("no turn is open while the GM looks at the last one"), "{said}");
        table.gm("NARRATE 2 TO red\r\nSnow falls on the ridge.\r\nEND NARRATE");
        let (asked, _) = table.gm_confirmed("RERUN 2 AMEND PURSE red 1 BECAUSE red had only one coin");
        assert!(asked.text.contains("- red 9 coins + red 1 coins"), "{}", asked.text);
        assert_eq!(draft(&table), 2, "the new drafts come by themselves");
        table.gm("AMEND round-1 PURSE blue 9 CONFIRM");
        assert_eq!(table.camp.count("red", "dispatch"), dispatches, "nothing went out");
        let said = table.gm("APPROVE 2");
        assert!(said.text.contains("on their way"), "{}", said.text);
        assert_eq!((table.open(), table.camp.count("red", "dispatch")), (Some(3), dispatches + 1));
        let (red, blue) = (table.camp.newest("red", "dispatch"), table.camp.newest("blue", "dispatch"));
        assert!(body(&red).contains("Snow falls") && !body(&blue).contains("Snow falls"));
        assert!(flat(&body(&blue)).contains("turn 2 ran again with the same orders and the same dice"));
        assert_eq!(purses(&red), ["red 1 coins"], "a bid of more than there was is none");
        assert_eq!(purses(&blue), ["blue 9 coins"]);
        table.check();
    }
}

#[test]
fn a_moderated_game_can_begin_at_once() {
    let camp = Camp::new();
    let mut host = camp.open();
    let terms = Terms { approval: Some(24 * 60), ..Terms::default() };
    let new = NewGame {
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: ["red", "blue", "umpire"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::All,
        terms,
    };
    let Reply::New { lines } = host.execute(Request::New(new)).unwrap() else { panic!() };
    assert!(lines[2].contains("wait for the GM: APPROVE 1 sends them"), "{lines:?}");
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 0);
    let mut gm = |text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        settle(&mut host);
        answers[0].paragraphs.join("\n")
    };
    gm("APPROVE 1");
    assert_eq!(camp.count("red", "dispatch"), 1);
    let status = gm("STATUS");
    assert!(!status.contains("missed in a row"), "nobody missed a turn yet: {status}");
    let said = gm("TERMS --deadline tomorrow");
    assert!(said.contains("--deadline tomorrow: write `3d`, `36h`"), "{said}");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn without_the_gm_the_dispatches_go_by_themselves_but_not_in_a_pause() {
    let mut table = Table::of(Way::Line);
    table.gm("TERMS --approval 2d");
    table.round("one", 3, 1);
    table.wait(24 * HOUR);
    table.gm("PAUSE");
    table.wait(48 * HOUR);
    assert_eq!(table.open(), None, "the pause doesn't count");
    table.gm("RESUME");
    table.wait(23 * HOUR);
    assert_eq!(table.open(), None);
    table.wait(HOUR + 60);
    assert_eq!(table.open(), Some(3));
    table.check();
}

#[test]
fn a_turn_runs_again_with_the_same_dice_while_orders_for_the_next_are_here() {
    for way in WAYS {
        let mut table = Table::of(way);
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD");
        let faces = |entries: &[musterd::engine::journal::Entry]| -> Vec<Vec<u32>> {
            let rolls = entries.iter().filter_map(|entry| match &entry.cause {
                Cause::Adjudicated { t: 2, rolls, .. } | Cause::Rerun { t: 2, rolls, .. } => Some(rolls),
                _ => None,
            });
            rolls.map(|rolls| rolls.iter().flat_map(|roll| roll.faces.clone()).collect()).collect()
        };
        let (red, blue) = (table.camp.count("red", "dispatch"), table.camp.count("blue", "dispatch"));
        let (_, done) = table.gm_confirmed("RERUN 2 AMEND PURSE red 31 BECAUSE of a slip");
        assert!(done.text.contains("Turn 2 has run again"), "{}", done.text);
        let faces = faces(&journal(table.host()));
        assert_eq!((faces.len(), &faces[0]), (2, &faces[1]), "the same dice");
        assert_eq!(table.open(), Some(3), "the ruling is still asked for");
        assert_eq!(table.camp.count("red", "dispatch"), red + 1);
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 28 coins"]);
        // Blue can't know that red is richer: the log alone says that something was corrected.
        assert_eq!(table.camp.count("blue", "dispatch"), blue + 1, "all are told of the correction");
        let done = table.gm("RERUN 2 AMEND PURSE red 3 CONFIRM");
        assert!(done.text.contains("run again"), "{}", done.text);
        assert_eq!(purses(&table.camp.newest("red", "dispatch")), ["red 0 coins"], "each rerun begins anew");
        let reruns: Vec<String> = table.log().into_iter().filter(|line| line.starts_with("rerun ")).collect();
        assert!(reruns[0].starts_with("rerun 2 1 ") && reruns[1].starts_with("rerun 2 2 "), "{reruns:?}");
        let accepted = received(table.host()).last().unwrap().t;
        assert_eq!(accepted, 3);
        table.gm("PROCESS 3");
        assert_eq!(table.open(), Some(4), "the ruling that was here counts");
        table.check();
    }
}

#[test]
fn a_rollback_takes_play_back_and_goes_on_with_a_new_turn() {
    for way in WAYS {
        let mut table = Table::of(way);
        let purse = purses(&table.camp.newest("red", "dispatch"));
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD\r\nREADY");
        table.gm("AMEND 4 PURSE blue 1 CONFIRM");
        table.orders("red", "void", "BID 2");
        assert_eq!(table.open(), Some(4));
        let (asked, done) = table.gm_confirmed("ROLLBACK round-1 BECAUSE the map was wrong");
        assert!(asked.text.contains("2 (round-1), 3 (ruling-1)"), "{}", asked.text);
        assert!(done.text.contains("Open now: turn 5, Round 1, both bid"), "{}", done.text);
        let log = table.log();
        assert!(log.contains(&"rollback 4 2".to_owned()), "{log:?}");
        assert!(log.contains(&"gm 4 rollback to before 2: the map was wrong".to_owned()), "{log:?}");
        let dispatch = table.camp.newest("red", "dispatch");
        assert!(flat(&body(&dispatch)).contains("taken back all turns from 2 to 4"), "{}", body(&dispatch));
        assert_eq!(purses(&dispatch), purse, "the position before");
        table.round("again", 0, 4);
        assert_eq!(table.open(), Some(6));
        assert!(!body(&table.camp.newest("red", "dispatch")).contains("taken back"), "told once");
        // What was rolled back can't be rolled back again, what was played since can.
        assert!(table.gm("ROLLBACK 3 CONFIRM").text.contains("No turn 3 can be rolled back"));
        table.gm_confirmed("ROLLBACK 5");
        assert_eq!(table.open(), Some(7));
        table.round("third", 1, 1);
        table.check();
    }
}

#[test]
fn a_finished_game_goes_on_after_a_rollback() {
    let mut table = Table::of(Way::Line);
    for n in 0..6 {
        let open = table.open().unwrap();
        if n % 2 == 0 {
            table.round(&format!("r{n}"), 1, 0);
        } else {
            table.orders("umpire", &format!("u{n}"), "UPHOLD\r\nREADY");
        }
        assert_ne!(table.open(), Some(open));
    }
    assert_eq!(table.open(), None);
    assert!(table.gm("PROCESS 8").text.contains("The game is over"));
    table.gm("ROLLBACK ruling-3 CONFIRM");
    assert_eq!(table.open(), Some(8));
    table.orders("umpire", "again", "VOID\r\nREADY");
    let Reply::Status { games } = table.host().execute(Request::Status { game: Some(game()) }).unwrap()
    else {
        panic!()
    };
    assert!(games[0].results.iter().any(|line| line.contains("rounds won")), "{:?}", games[0].results);
    table.check();
}

#[test]
fn a_rollback_that_is_cut_short_anywhere_happens_once() {
    let prepared = {
        let mut table = Table::of(Way::Mail);
        table.round("one", 3, 1);
        table.orders("umpire", "rule-1", "UPHOLD\r\nREADY");
        let to = table.camp.mails(GM)[0].reply_to[0].clone();
        let text = "ROLLBACK 2 BECAUSE the map was wrong CONFIRM\r\nSTATUS";
        table.camp.post(Mail { from: GM, to: &to, id: "back", in_reply_to: None, text }.raw());
        drop(table.host.take());
        table.camp
    };
    let run = |camp: &Camp| {
        let mut host = camp.try_open()?;
        let sources = host.config().sources(host.dir());
        let relay = host.config().relay(host.dir(), host.clock());
        musterd::daemon::serve::settle(&mut host, &mut sources?, &*relay?)
    };
    let end = |camp: &Camp| {
        run(camp).unwrap();
        let mut host = camp.open();
        let entries = journal(&mut host);
        replay(&desk(), &entries, &camp.secrets());
        let mails = ["red", "blue", "umpire"].map(|seat| camp.count(seat, "dispatch"));
        (serde_json::to_string(&entries).unwrap(), mails, answers(camp).len())
    };
    let (points, expected) = {
        let camp = prepared.clone();
        let plan = fault::arm(Plan::observe());
        run(&camp).unwrap();
        let points = plan.passed().len();
        drop(plan);
        (points, end(&camp))
    };
    assert!(points > 10, "{points} fault points");
    for n in (1..=points).step_by(3) {
        let camp = prepared.clone();
        let plan = fault::arm(Plan::crash_at(n.try_into().unwrap()));
        // What it says of its own death is nobody's business.
        let _ = run(&camp);
        drop(plan);
        assert_eq!(end(&camp), expected, "cut short at fault point {n}");
    }
}

#[test]
fn words_go_to_all_at_once_or_with_the_next_dispatch_to_some() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("BROADCAST\r\nNo game next week.\r\n\r\nMerry Christmas!\r\nEND BROADCAST");
        assert!(said.text.contains("went to 3 players"), "{}", said.text);
        let notice = body(&table.camp.newest("umpire", "notice"));
        assert!(notice.contains("No game next week.") && notice.contains("Merry Christmas!"), "{notice}");
        table.gm("NARRATE 2 TO blue: Drums in the night.");
        table.gm("NARRATE 2: Dawn.");
        assert!(table.gm("NARRATE 2 TO green: Snow.").text.contains("no seat green"));
        assert!(table.gm("STATUS").text.contains("words of yours for the next dispatch: 2"));
        table.round("one", 1, 1);
        let (red, blue) =
            (body(&table.camp.newest("red", "dispatch")), body(&table.camp.newest("blue", "dispatch")));
        assert!(blue.contains("Drums in the night.") && blue.contains("Dawn."));
        assert!(!red.contains("Drums") && red.contains("Dawn."));
        let log = table.gm_log().join("\n");
        assert!(!log.contains("Drums") && !log.contains("blue"), "{log}");
        table.check();
    }
}

#[test]
fn terms_are_changed_in_the_words_of_a_new_game() {
    for way in WAYS {
        let mut table = Table::of(way);
        let said = table.gm("TERMS --missing hold --hold 2h --press none BECAUSE nobody must be left behind");
        assert!(
            said.text.contains("terms are changed: --missing hold --hold 2h --press none"),
            "{}",
            said.text
        );
        assert!(
            flat(&body(&table.camp.newest("red", "notice")))
                .contains("--missing hold --hold 2h --press none")
        );
        assert!(table.gm("TERMS --missing hold").text.contains("already"));
        assert!(table.gm("TERMS --taxes 3").text.contains("no option --taxes"));
        table.wait(25 * HOUR);
        assert_eq!(table.open(), Some(2), "held back");
        let line = "gm 2 terms --missing hold --hold 2h --press none: nobody must be left behind";
        assert_eq!(table.gm_log(), [line]);
        table.check();
    }
}

#[test]
fn status_and_help_answer_and_nothing_is_revealed_before_the_end() {
    for way in WAYS {
        let mut table = Table::of(way);
        let before = table.log();
        let status = table.gm("STATUS").text;
        for part in [
            "open: turn 2 (round-1)",
            "missing: blue, red",
            "red: red@players.example; orders: none",
            "GM: gm@example.org",
        ] {
            assert!(status.contains(part), "{part}: {status}");
        }
        assert!(table.gm("REVEAL 1").text.contains("Nothing is revealed before the end"));
        assert!(table.gm("HELP").text.contains("BECAUSE"));
        assert!(table.gm("EXTEND 2 two days").text.contains("EXTEND 5 2d"), "a slip is told how to write it");
        assert!(table.gm("Please pause the game.").text.contains("Please pause the game."));
        assert_eq!(table.log(), before);
    }
}

#[test]
fn confirmed_with_yes_several_commands_are_one_step() {
    let mut table = Table::of(Way::Line);
    let text = "REPLACE red computer\nPROCESS 2\nROLLBACK 2\n".to_owned();
    let Reply::Gm { answers, unread } =
        table.host().execute(Request::Gm { game: game(), text, yes: true }).unwrap()
    else {
        panic!()
    };
    assert!(answers.iter().all(|answer| answer.end == End::Done), "{answers:?}");
    assert_eq!((unread, table.open()), (None, Some(4)));
    assert!(matches!(journal(table.host()).last().unwrap().cause, Cause::Opened { t: 4, .. }));
    table.check();
}

/// A campaign of La Grande Armée between people.
fn campaign() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        scenario: "lga/austrian-1805".to_owned(),
        id: game(),
        seats: ["french", "allied"].map(|name| (seat(name), player(name))).into(),
        gm: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::default(),
        terms: Terms::default(),
    };
    host.execute(Request::New(new)).unwrap();
    settle(&mut host);
    (camp, host)
}

#[test]
fn any_field_of_a_campaign_can_be_amended_and_what_would_not_hang_together_is_refused() {
    let (camp, host) = campaign();
    let mut table = Table { camp, host: Some(host), way: Way::Line, sent: 0 };
    for (amendment, told) in [
        ("UNIT 1 MORALE 1", "has morale 1"),
        ("UNIT 1 FATIGUE 2", "has fatigue 2"),
        ("UNIT 1 MOVES 0", "has 0 moves left"),
        ("UNIT 1 SUPPLIED NO", "is not in supply"),
        ("UNIT 1 RALLIED YES", "is rallied this season"),
        ("UNIT 1 TOP", "lies on top of its stack"),
        ("UNIT 1 AT Paris", "is at Paris"),
        ("UNIT 1 GARRISON YES", "is the garrison of its city"),
        ("POINTS french 33", "has 33 military points"),
        ("VICTORY allied 4", "has 4 victory points"),
        ("CONTROL Vienna french", "is under French control"),
        ("UNIT 2 POOL", "is in the build pool"),
    ] {
        let (_, done) = table.gm_confirmed(&format!("AMEND 2 {amendment} BECAUSE of a test"));
        assert!(done.text.contains("french"), "{amendment}: {}", done.text);
        let dispatch = flat(&body(&table.camp.newest("french", "dispatch")));
        assert!(dispatch.contains(told), "{amendment}: {told}");
    }
    for (wrong, why) in [
        ("UNIT 1 MORALE 9", "hang together"),
        ("UNIT 999 MORALE 1", "no unit 999"),
        ("UNIT 1 AT Atlantis", "no place"),
        ("UNIT 2 MORALE 1", "in the build pool"),
        ("UNIT 1 VALOUR 3", "Write UNIT"),
        ("POINTS spain 3", "not in this scenario"),
        ("CONTROL Ulm french", "hang together"),
        ("UNIT 1 AT Ulm", "hang together"),
    ] {
        let said = table.gm(&format!("AMEND 2 {wrong} CONFIRM"));
        assert!(said.text.contains(why) && said.text.contains("Nothing was done"), "{wrong}: {}", said.text);
    }
    table.check();
}

#[test]
fn a_campaign_is_run_again_and_rolled_back_and_replays() {
    let (camp, host) = campaign();
    let mut table = Table { camp, host: Some(host), way: Way::Mail, sent: 0 };
    table.gm("PROCESS 2 CONFIRM");
    let allied = table.camp.count("allied", "dispatch");
    let (asked, done) = table.gm_confirmed("RERUN 2 AMEND UNIT 1 MORALE 1 BECAUSE of a slip");
    assert!(asked.text.contains("french:"), "{}", asked.text);
    assert!(done.text.contains("has run again"), "{}", done.text);
    assert!(table.camp.count("allied", "dispatch") >= allied);
    table.gm("PROCESS 3 CONFIRM");
    table.gm("AMEND 4 UNIT 1 FATIGUE 4 CONFIRM");
    table.gm_confirmed("ROLLBACK 3");
    assert_eq!(table.open(), Some(5));
    table.gm("PROCESS 5 CONFIRM");
    assert_eq!(table.open(), Some(6));
    table.check();
    let players = journal(table.host()).into_iter().find_map(|entry| match entry.cause {
        Cause::Founded { charter, .. } => Some(charter.players),
        _ => None,
    });
    assert!(players.unwrap().values().all(|player| matches!(player, Player::Mail { .. })));
}
