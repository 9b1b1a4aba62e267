//! The GM's commands, each by mail and from the command line: the same text, the same answer, the same journal.

mod ending;
mod lines;
mod people;
mod position;
mod roles;
mod sight;
mod time;
mod turns_back;

use std::collections::BTreeSet;

use musterd::daemon::{Effect, Host, HostError, NewGame, Reply, Request, config, serve};
use musterd::dice::LogEntry;
use musterd::engine::journal::Cause;
use musterd::engine::terms::{Missing, PressPolicy, Terms};
use musterd::fault::{self, Plan};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;
use super::verify::mails_fit;

const WAYS: [Way; 2] = [Way::Mail, Way::Line];

/// How a command reaches the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Mail,
    Line,
}

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
        mails_fit(&self.camp, &entries);
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
    assert!(table.gm("STATUS").text.contains("turn 2 is open: "));
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
        assert!(table.gm("STATUS").text.contains("turn 2 is open"));
    }
}

#[test]
fn status_and_help_answer_and_change_nothing() {
    for way in WAYS {
        let mut table = Table::of(way);
        let before = table.log();
        let status = table.gm("STATUS").text;
        for part in [
            "turn 2 is open: ",
            "no orders yet from: blue, red",
            "red: red@players.example; no orders",
            "GM: gm@example.org",
        ] {
            assert!(status.contains(part), "{part}: {status}");
        }
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
    assert!(answers.iter().all(|answer| answer.end == Effect::Done), "{answers:?}");
    assert_eq!((unread, table.open()), (None, Some(4)));
    assert!(matches!(happened_last(&journal(table.host())), Cause::Opened { t: 4, .. }));
    table.check();
}

#[test]
fn a_long_command_is_confirmed_by_the_lines_of_the_answer_whole_or_broken_anew() {
    let reason =
        "the treasurer counted the coins of both sides twice and nobody noticed it for three whole weeks";
    for broken in [false, true] {
        let mut table = Table::of(Way::Mail);
        let asked = table.gm(&format!("AMEND 2 PURSE red 31; PURSE blue 29 BECAUSE {reason}"));
        assert!(asked.text.contains("Nothing has been done yet"), "{}", asked.text);
        let answer =
            answers(&table.camp).into_iter().map(|mail| body(&mail)).find(|text| text.contains("CONFIRM"));
        let answer = answer.unwrap();
        let lines: Vec<&str> = answer
            .lines()
            .skip_while(|line| !line.starts_with("AMEND 2"))
            .take_while(|line| !line.is_empty())
            .collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= 78), "{answer}");
        let mut copy = lines.join("\r\n");
        if broken {
            copy = copy
                .replace("\\\r\n", "")
                .replace(" of both", "\r\nof both")
                .replace(" for three", "\r\nfor three");
        }
        let done = table.gm(&format!("{copy}\r\n\r\nYours,\r\nthe GM"));
        assert!(done.text.contains("The position is amended"), "{copy}: {}", done.text);
        assert!(table.gm_log()[0].ends_with(reason), "{:?}", table.gm_log());
        table.check();
    }
}
