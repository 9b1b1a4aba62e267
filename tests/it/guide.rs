//! The players' guide shows real mails: every one of them is played here, and the page must say the same. `MUSTERD_GOLDEN=write`
//! writes the mails into the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use musterd::daemon::{Host, NewGame, Request};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::support::*;

const CARLA: &str = "carla@players.example";
const DORA: &str = "dora@players.example";

/// A host with two campaigns, and the mails that are shown.
struct Stage {
    camp: Camp,
    host: Host,
    shown: BTreeMap<&'static str, String>,
}

impl Stage {
    fn new() -> Self {
        let camp = Camp::new();
        let mut host = camp.open();
        for (id, allied) in [("alpha", player("ben")), ("beta", "open".to_owned())] {
            let new = NewGame {
                scenario: "lga/austrian-1805".to_owned(),
                id: id.parse().unwrap(),
                seats: [("french", player("anna")), ("allied", allied)]
                    .into_iter()
                    .map(|(seat, who)| (seat.parse().unwrap(), who))
                    .collect(),
                gm: Vec::new(),
                deadline: Some("6d".to_owned()),
                start_now: id == "alpha",
                press: PressPolicy::Side,
                terms: Terms::default(),
            };
            host.execute(Request::New(new)).unwrap();
        }
        settle(&mut host);
        Self { camp, host, shown: BTreeMap::new() }
    }

    /// The reply address of a seat's newest mail.
    fn seat_address(&self, who: &str) -> String {
        let mails = self.camp.mails(&player(who));
        let of_alpha = mails.into_iter().filter(|mail| mail.subject.starts_with("[alpha]"));
        let number = |mail: &Letter| mail.references.len();
        let newest = of_alpha.filter(|mail| !mail.reply_to.is_empty()).max_by_key(number).unwrap();
        newest.reply_to[0].clone()
    }

    /// A mail and the host's answer to it, shown under this name.
    fn show(&mut self, name: &'static str, from: &str, to: &str, words: &str) -> Letter {
        self.camp.wait(600);
        let mail = Mail { from, to, id: name, in_reply_to: None, text: &words.replace('\n', "\r\n") };
        self.camp.post(mail.raw().replace("Subject: Re: orders", "Subject: a command"));
        settle(&mut self.host);
        let id = format!("{name}@players.example");
        let answer = |mail: &Letter| {
            let own = mail.message_id.as_deref().unwrap_or_default();
            mail.in_reply_to.as_deref() == Some(id.as_str())
                && (own.contains("answer.") || own.contains(".receipt."))
        };
        let everybody = [player("anna"), player("ben"), CARLA.to_owned(), DORA.to_owned()];
        let found = everybody.iter().flat_map(|who| self.camp.mails(who)).find(answer);
        let answer = found.unwrap_or_else(|| panic!("no answer to {name}"));
        let asked = format!("From: {from}\nTo: {to}\n\n{}\n", words.trim_end());
        self.shown.insert(name, format!("{asked}\n{}", as_page(&answer)));
        answer
    }

    /// A command of a player of the game `alpha`.
    fn player(&mut self, name: &'static str, who: &str, words: &str) -> Letter {
        let to = self.seat_address(who);
        self.show(name, &player(who), &to, words)
    }

    /// The newest mail to an address whose subject holds these words, shown under this name.
    fn show_mail(&mut self, name: &'static str, address: &str, subject: &str) -> Letter {
        let mails = self.camp.mails(address);
        let mail = mails.into_iter().rfind(|mail| mail.subject.contains(subject)).unwrap();
        self.shown.insert(name, as_page(&mail));
        mail
    }
}

fn as_page(mail: &Letter) -> String {
    let text = &mail.body.as_ref().unwrap().text;
    format!("Subject: {}\nTo: {}\n\n{}\n", mail.subject, mail.to[0], text.trim_end())
}

fn code_in(mail: &Letter) -> String {
    let text = &mail.body.as_ref().unwrap().text;
    text.lines().find(|line| line.starts_with("CONFIRM ")).unwrap().to_owned()
}

/// Plays all that the guide shows.
fn played() -> BTreeMap<&'static str, String> {
    let mut stage = Stage::new();
    let orders = "BEGIN ORDERS\nMOVE 3 TO Ulm\nSTATUS\nEND ORDERS\n";
    stage.player("misplaced", "anna", orders);
    stage.player("status", "anna", "STATUS\n");
    stage.player("several", "anna", "ZONE Europe/Paris\nEXTEND two days\n");
    stage.player("help", "anna", "HELP orders\n");
    stage.player("preview", "anna", "PREVIEW\n");
    stage.player("withdraw", "anna", "WITHDRAW ORDERS\n");
    stage.player("report", "anna", "REPORT\nHISTORY\n");
    stage.player("absent", "anna", "ABSENT UNTIL 2026-12-03\n");
    stage.player("back", "anna", "BACK\n");
    stage.player("extend", "ben", "EXTEND 2d\n");
    let new = "anna@office.example";
    stage.player("address", "anna", &format!("ADDRESS ADD {new}\n"));
    stage.show_mail("address-code", new, "is this your address");
    stage.player("secret", "anna", "NEW SECRET\n");
    stage.show_mail("secret-mail", &player("anna"), "new secret");
    stage.show("list", CARLA, HOST, "LIST\n");
    let offer = stage.show("join", CARLA, HOST, "JOIN beta allied\n");
    stage.show("confirm", CARLA, HOST, &format!("{}\n", code_in(&offer)));
    let offer = stage.show("standby", DORA, HOST, "STANDBY alpha\nOBSERVE alpha\n");
    let text = offer.body.as_ref().unwrap().text.clone();
    let codes: Vec<&str> = text.lines().filter(|line| line.starts_with("CONFIRM ")).collect();
    stage.show("listed", DORA, HOST, &format!("{}\n", codes.join("\n")));
    stage.player("resign", "ben", "RESIGN\n");
    stage.show_mail("free", DORA, "a seat is free");
    stage.show("leave", DORA, HOST, "LEAVE alpha\n");
    stage.shown
}

#[test]
fn the_players_guide_shows_the_mails_as_they_are() {
    let shown = played();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/players-guide.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut now = String::new();
    let mut used = Vec::new();
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once("<!-- mail: ") {
        let (name, after) = after.split_once(" -->\n").unwrap();
        let (_, after) = after.split_once("```text\n").unwrap();
        let (_, after) = after.split_once("```\n").unwrap();
        let mail = shown.get(name).unwrap_or_else(|| panic!("no mail is called {name}"));
        now.push_str(&format!("{before}<!-- mail: {name} -->\n```text\n{mail}```\n"));
        used.push(name);
        rest = after;
    }
    now.push_str(rest);
    #[expect(clippy::disallowed_methods, reason = "how a developer asks for new mails in the guide")]
    let write = std::env::var("MUSTERD_GOLDEN").is_ok_and(|wish| wish == "write");
    if write {
        fs::write(&path, &now).unwrap();
    } else {
        assert!(
            now == page,
            "docs/players-guide.md shows other mails than are sent; MUSTERD_GOLDEN=write mends it"
        );
    }
    used.sort_unstable();
    assert_eq!(used, shown.keys().copied().collect::<Vec<_>>(), "every mail is shown, once");
}
