//! Witnesses who are no players: how they are asked, what they are sent, and what not.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Request};
use musterd::dice::Witness;
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::support::*;
use super::toy::seat;

pub(crate) const CARLA: &str = "carla@archive.example";

fn found(host: &mut Host, witnesses: &[&str]) {
    let new = NewGame {
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: BTreeMap::from([
            (seat("red"), player("red")),
            (seat("blue"), player("blue")),
            (seat("umpire"), "computer".to_owned()),
        ]),
        gm: Vec::new(),
        beacon: None,
        witnesses: witnesses.iter().map(|address| (*address).to_owned()).collect(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms: Terms::default(),
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(host);
}

pub(crate) fn write(camp: &Camp, host: &mut Host, id: &str, text: &str) {
    camp.post(Mail { from: CARLA, to: HOST, id, in_reply_to: None, text }.raw());
    settle(host);
}

pub(crate) fn code(camp: &Camp) -> String {
    let mails = camp.mails(CARLA);
    let mut lines = mails.iter().flat_map(|mail| mail.body.as_ref().unwrap().text.lines());
    lines.find(|line| line.starts_with("CONFIRM ")).unwrap().to_owned()
}

fn attested(camp: &Camp) -> Vec<Letter> {
    let mut mails = camp.mails(CARLA);
    mails.retain(|mail| mail.body.as_ref().unwrap().text.contains("You are a witness of alpha: keep"));
    mails
}

fn play(camp: &Camp, host: &mut Host) {
    for name in ["red", "blue"] {
        camp.post(camp.answer(name, "invitation", &format!("j-{name}"), "JOIN\r\nsalt: nine old trees"));
    }
    settle(host);
    for name in ["red", "blue"] {
        let orders = block("BID 2\r\nsalt: dice of mine\r\nREADY");
        camp.post(camp.answer(name, "dispatch", &format!("b-{name}"), &orders));
    }
    settle(host);
}

#[test]
fn a_witness_named_at_the_founding_is_asked_once_and_sent_nothing_unless_she_answers() {
    let camp = Camp::new();
    let mut host = camp.open();
    found(&mut host, &[CARLA]);
    play(&camp, &mut host);
    let mails = camp.mails(CARLA);
    assert_eq!(mails.len(), 1, "asked, and that was all");
    let asked = mails[0].body.as_ref().unwrap().text.clone();
    assert!(asked.contains(&camp.secrets().anchor().to_string()), "{asked}");
}

#[test]
fn a_witness_gets_every_close_and_commitment_and_nothing_else() {
    let camp = Camp::new();
    let mut host = camp.open();
    found(&mut host, &[CARLA]);
    write(&camp, &mut host, "yes", &code(&camp));
    play(&camp, &mut host);
    let entries = journal(&mut host);
    let log: Vec<String> = entries
        .iter()
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| format!("{} {}", line.kind(), line.body()))
        .collect();
    let mails = attested(&camp);
    let texts: Vec<&str> = mails.iter().map(|mail| mail.body.as_ref().unwrap().text.as_str()).collect();
    for kind in ["close", "rolls"] {
        for line in log.iter().filter(|line| line.starts_with(&format!("{kind} "))) {
            let told = |text: &&&str| line.split(' ').skip(2).all(|digest| text.contains(digest));
            assert_eq!(texts.iter().filter(told).count(), 1, "{line}");
        }
    }
    let heads: Vec<Witness> =
        texts.iter().flat_map(|text| Witness::all_in(text).collect::<Vec<_>>()).collect();
    assert_eq!(heads.len(), mails.len(), "each ends with the head of the log");
    assert!(
        texts.iter().any(|text| text.contains("level L2") && text.contains("Salted by: blue, red")),
        "{texts:?}"
    );
    assert!(
        texts
            .iter()
            .all(|text| !text.contains("coins") && !text.contains("BID") && !text.contains("nine old"))
    );
    assert!(texts.iter().all(|text| !text.contains('@')), "nobody's address: {texts:?}");
    assert!(
        log.iter().all(|line| !line.contains('@')) && log.contains(&"note somebody is a witness".to_owned())
    );
    // A correction is a commitment too.
    let before = attested(&camp).len();
    let text = "RERUN 3 AMEND PURSE red 31 CONFIRM\nROLLBACK 2 CONFIRM".to_owned();
    host.execute(Request::Gm { game: game(), text, yes: false }).unwrap();
    settle(&mut host);
    let mut subjects: Vec<String> = attested(&camp).into_iter().map(|mail| mail.subject).collect();
    subjects.sort();
    assert_eq!(subjects.len(), before + 2, "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.contains("turn 3 ran again")), "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.contains("are void")), "{subjects:?}");
}

#[test]
fn anybody_can_be_a_witness_and_stop_being_one() {
    let camp = Camp::new();
    let mut host = camp.open();
    found(&mut host, &[]);
    write(&camp, &mut host, "ask", "WITNESS alpha");
    assert_eq!(attested(&camp).len(), 0);
    write(&camp, &mut host, "yes", &code(&camp));
    assert!(
        camp.mails(CARLA).iter().any(|mail| mail
            .body
            .as_ref()
            .unwrap()
            .text
            .contains("You are a witness of alpha:"))
    );
    write(&camp, &mut host, "no", "LEAVE alpha");
    play(&camp, &mut host);
    assert!(attested(&camp).is_empty());
}
