//! What is revealed before the end of a game and at its end, and that whoever has the mails can check it.

use musterd::audit::replay;
use musterd::daemon::{Effect, Host, Reply, Request};
use musterd::desk::campaign::Campaign;
use musterd::desk::reveal::revealed;
use musterd::dice::audit::{Examination, Fault, examine};
use musterd::dice::{Block, ChainLines, Secret, SecretChain, Witness};
use musterd::engine::journal::Entry;
use musterd::engine::terms::{Reveal, Terms};
use serde_json::Value;

use super::contract::{LgaSpecimen, played};
use super::support::*;

fn text(camp: &Camp, seat: &str) -> String {
    let body = camp.newest(seat, "dispatch").body.unwrap().text;
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every head that a seat's player was shown.
pub(crate) fn heads(camp: &Camp, seat: &str) -> Vec<ChainLines> {
    let mails = camp.mails(&player(seat));
    mails
        .iter()
        .flat_map(|mail| ChainLines::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>())
        .collect()
}

/// Those of them that show their number.
pub(crate) fn numbered(camp: &Camp, seat: &str) -> Vec<Witness> {
    let numbered = |lines| match lines {
        ChainLines::Numbered(witness) => Some(witness),
        ChainLines::Open(_) => None,
    };
    heads(camp, seat).into_iter().filter_map(numbered).collect()
}

/// A toy game of three people on these terms, its first round asked for.
fn begun(reveal: Reveal) -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { reveal, proofs: true, ..Terms::default() });
    (camp, host)
}

/// The seats send these orders, each for its window, and what can run does.
fn order(camp: &Camp, host: &mut Host, id: &str, orders: &[(&str, &str)]) {
    for (seat, lines) in orders {
        camp.post(camp.answer(
            seat,
            "dispatch",
            &format!("{id}-{seat}"),
            &block(&format!("{lines}\r\nREADY")),
        ));
        settle(host);
    }
}

fn round(camp: &Camp, host: &mut Host, id: &str) {
    order(camp, host, id, &[("red", "BID 1\r\nsalt: a word of mine"), ("blue", "BID 2")]);
}

fn gm(host: &mut Host, text: &str) -> (Effect, String) {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    (answers[0].end, answers[0].paragraphs.join(" "))
}

/// The audit file that came with a dispatch, examined with the heads of that player's mails: which turns it leaves closed.
fn unrevealed(camp: &Camp, seat: &str) -> Vec<u32> {
    let file = &files(camp, seat)["alpha.audit.json"];
    let outcome: Examination = examine(file, &heads(camp, seat), |_, _| {}).unwrap();
    assert_eq!(outcome.faults().count(), 0, "{:?}", outcome.findings);
    assert!(outcome.witnesses > 1);
    let replayed = replay(&desk(), &serde_json::from_str(file).unwrap(), |_, _| {});
    assert_eq!(replayed.difference, None, "what is revealed follows from the orders");
    let file: Value = serde_json::from_str(file).unwrap();
    let open = |turn: &&Value| turn["secret"].is_null() && turn["orders"].as_object().unwrap().is_empty();
    let closed: Vec<u32> = file["turns"]
        .as_array()
        .unwrap()
        .iter()
        .filter(open)
        .map(|turn| turn["t"].as_u64().unwrap() as u32)
        .collect();
    let found = outcome.findings.iter().filter(|finding| finding.fault == Fault::Unrevealed).count();
    assert_eq!(found, closed.len());
    closed
}

fn secret(camp: &Camp, t: u32) -> String {
    camp.secrets().secret(t).unwrap().reveal().to_string()
}

#[test]
fn with_a_lag_a_turn_is_revealed_so_many_dispatches_later() {
    let (camp, mut host) = begun(Reveal::Lag { turns: 1 });
    let invitation = camp.newest("red", "invitation").body.unwrap().text;
    assert!(invitation.contains("revealed one turn later"), "players know it before they join: {invitation}");
    assert!(
        !files(&camp, "red").contains_key("alpha.audit.json") && !text(&camp, "red").contains("revealed")
    );
    round(&camp, &mut host, "one");
    assert!(text(&camp, "red").contains("All turns up to t 1 are revealed."), "{}", text(&camp, "red"));
    assert_eq!(unrevealed(&camp, "red"), [2]);
    order(&camp, &mut host, "two", &[("umpire", "UPHOLD")]);
    for seat in ["red", "blue", "umpire"] {
        assert!(text(&camp, seat).contains(&format!("s_2, which is {}", secret(&camp, 2))));
        assert_eq!(unrevealed(&camp, seat), [3]);
    }
    let mails = raw_mails(&camp.path().join("mail").join(player("red")));
    let held = secret(&camp, 3);
    assert!(
        mails.iter().all(|(_, raw)| !String::from_utf8_lossy(raw).contains(&held)),
        "the last one is kept"
    );
    assert_eq!(revealed(&journal(&mut host)), 2);
    let Reply::Audit { file, .. } = host.execute(Request::Audit { game: game() }).unwrap() else { panic!() };
    let open = file.turns.iter().filter(|turn| turn.secret.is_some()).map(|turn| turn.t);
    assert_eq!(open.collect::<Vec<_>>(), [1, 2], "`musterd audit` shows what the mails do");
    camp.post(camp.answer("red", "dispatch", "luck", "LUCK\r\n"));
    settle(&mut host);
    let answer = camp.newest("red", "answer").body.unwrap().text;
    // Two purses at the founding, and the two dice of t 2.
    for said in ["1 of your rolls", "ALL UP TO T 2", "4 dice were thrown."] {
        assert!(answer.contains(said), "{answer}");
    }
}

#[test]
fn a_turn_can_be_revealed_with_its_own_dispatches() {
    let (camp, mut host) = begun(Reveal::Lag { turns: 0 });
    assert!(unrevealed(&camp, "red").is_empty());
    round(&camp, &mut host, "one");
    assert!(unrevealed(&camp, "blue").is_empty());
    assert!(
        files(&camp, "blue").keys().all(|name| !name.ends_with("-proofs.json")),
        "nothing is left to prove"
    );
}

#[test]
fn turns_that_ran_again_or_were_taken_back_are_revealed_as_they_were() {
    let (camp, mut host) = begun(Reveal::Lag { turns: 1 });
    round(&camp, &mut host, "one");
    let (end, _) = gm(&mut host, "RERUN 2 AMEND PURSE red 31 BECAUSE of a slip CONFIRM");
    assert_eq!(end, Effect::Done);
    order(&camp, &mut host, "two", &[("umpire", "UPHOLD")]);
    assert_eq!(unrevealed(&camp, "red"), [3], "and the rerun of 2 is in it, thrown again");
    round(&camp, &mut host, "three");
    assert_eq!((revealed(&journal(&mut host)), unrevealed(&camp, "red")), (3, vec![4]));
    let (end, asked) = gm(&mut host, "ROLLBACK 3 BECAUSE the map was wrong");
    assert!(end == Effect::Unconfirmed && asked.contains("Turns up to 3 are revealed"), "{asked}");
    gm(&mut host, "ROLLBACK 3 BECAUSE the map was wrong CONFIRM");
    assert_eq!(revealed(&journal(&mut host)), 3, "what is revealed stays so");
    order(&camp, &mut host, "again", &[("umpire", "VOID")]);
    assert_eq!(revealed(&journal(&mut host)), 3);
    round(&camp, &mut host, "later");
    assert_eq!(
        revealed(&journal(&mut host)),
        3,
        "turn 4, which is void, is as old as 7, played in its place"
    );
    order(&camp, &mut host, "then", &[("umpire", "VOID")]);
    assert_eq!((revealed(&journal(&mut host)), unrevealed(&camp, "red")), (7, vec![8]));
}

#[test]
fn the_last_report_brings_the_whole_audit_file() {
    let (camp, mut host) = begun(Reveal::End);
    for n in 0..3 {
        round(&camp, &mut host, &format!("bid-{n}"));
        assert!(!files(&camp, "red").contains_key("alpha.audit.json"), "not before the end");
        order(&camp, &mut host, &format!("rule-{n}"), &[("umpire", "UPHOLD")]);
    }
    for seat in ["red", "blue", "umpire"] {
        assert!(unrevealed(&camp, seat).is_empty());
        let said = text(&camp, seat);
        assert!(said.contains("The attachment alpha.audit.json holds every secret"), "{said}");
    }
    assert_eq!(revealed(&journal(&mut host)), u32::MAX);
    // Who asks for it once more has the same.
    camp.post(camp.answer("red", "dispatch", "again", "REPORT"));
    settle(&mut host);
    assert!(unrevealed(&camp, "red").is_empty());
    // A game that goes on after its end has told all that had run by then, and nothing of what comes.
    assert!(gm(&mut host, "ROLLBACK 7").1.contains("Turns up to 7 are revealed"));
    assert_eq!(gm(&mut host, "ROLLBACK 7 CONFIRM").0, Effect::Done);
    assert_eq!(revealed(&journal(&mut host)), 7);
    // And says so everywhere: in the status, and to who asks for the report and the file once more.
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    assert_eq!(games[0].revealed, Some(7));
    camp.post(camp.answer("blue", "dispatch", "once-more", "REPORT"));
    settle(&mut host);
    let said = text(&camp, "blue");
    let told = format!(
        "All turns up to t 7 are revealed. Their secrets follow from s_7, which is {}",
        secret(&camp, 7)
    );
    assert!(said.contains(&told), "{said}");
    assert!(unrevealed(&camp, "blue").is_empty());
}

#[test]
fn the_gm_can_reveal_what_has_been_told_and_nobody_is_left_in_the_dark() {
    let (camp, mut host) = begun(Reveal::End);
    round(&camp, &mut host, "one");
    order(&camp, &mut host, "two", &[("umpire", "UPHOLD")]);
    for (command, why) in [("REVEAL 4", "No turn 4 has run"), ("REVEAL spring", "No turn spring has run")] {
        assert!(gm(&mut host, command).1.contains(why), "{command}");
    }
    let (end, asked) = gm(&mut host, "REVEAL round-1 BECAUSE blue doubts the dice");
    assert_eq!((end, revealed(&journal(&mut host))), (Effect::Unconfirmed, 0));
    for consequence in ["up to turn 2", "of all these turns", "the hidden ones too", "can't be taken back"] {
        assert!(asked.contains(consequence), "{consequence}: {asked}");
    }
    let told = camp.count("blue", "notice");
    let (end, _) = gm(&mut host, "REVEAL round-1 BECAUSE blue doubts the dice CONFIRM");
    assert_eq!((end, revealed(&journal(&mut host))), (Effect::Done, 2));
    assert_eq!(camp.count("blue", "notice"), told + 1);
    let line = format!("gm 4 reveal 2 {}: blue doubts the dice", secret(&camp, 2));
    let log: Vec<String> = journal(&mut host)
        .iter()
        .flat_map(|entry| entry.cause.log_entries())
        .map(|line| format!("{} {}", line.kind(), line.body()))
        .collect();
    assert_eq!(*log.last().unwrap(), line);
    assert!(gm(&mut host, "REVEAL 2 CONFIRM").1.contains("revealed already"));
    camp.post(camp.answer("blue", "dispatch", "ask", "REPORT"));
    settle(&mut host);
    assert_eq!(unrevealed(&camp, "blue"), [3]);
}

#[test]
fn a_turn_that_waits_for_the_gm_is_revealed_by_nobody() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(
        &camp,
        &mut host,
        Terms { approval: Some(2880), reveal: Reveal::Lag { turns: 0 }, ..Terms::default() },
    );
    gm(&mut host, "APPROVE 1");
    round(&camp, &mut host, "one");
    assert_eq!(revealed(&journal(&mut host)), 1);
    assert!(gm(&mut host, "REVEAL 2 CONFIRM").1.contains("No turn 2 has run, been told of"));
    gm(&mut host, "APPROVE 2");
    assert_eq!(revealed(&journal(&mut host)), 2);
}

#[test]
fn terms_that_reveal_more_have_to_be_confirmed() {
    let (camp, mut host) = begun(Reveal::End);
    round(&camp, &mut host, "one");
    let (end, asked) = gm(&mut host, "TERMS --reveal lag 1");
    assert_eq!(end, Effect::Unconfirmed);
    assert!(asked.contains("revealed one turn later") && asked.contains("can't be taken back"), "{asked}");
    assert_eq!(gm(&mut host, "TERMS --reveal lag 1 CONFIRM").0, Effect::Done);
    order(&camp, &mut host, "two", &[("umpire", "UPHOLD")]);
    assert_eq!(revealed(&journal(&mut host)), 2);
    // To keep more to oneself gives nothing away.
    assert_eq!(gm(&mut host, "TERMS --reveal end").0, Effect::Done);
    round(&camp, &mut host, "three");
    assert_eq!(revealed(&journal(&mut host)), 2);
}

/// A seat orders in the open window, it closes and runs, and the next one opens.
fn ordered(campaign: &mut Campaign, entries: &mut Vec<Entry>, seat: &str, lines: &str) {
    let secrets = SecretChain::new(&game(), Secret::new([7; 32]), 100);
    for step in 0..4 {
        let block = Block::canonical(lines);
        let cause = match step {
            0 => campaign.acceptance(&secrets, &seat.parse().unwrap(), block, "mail", NOON),
            1 => campaign.closing(&secrets),
            2 => campaign.adjudication(&secrets),
            _ => campaign.opening(&secrets, None),
        };
        let entry = Entry { at: NOON, cause: cause.unwrap() };
        campaign.apply(&entry).unwrap();
        entries.push(entry);
    }
}

#[test]
fn a_turn_is_kept_while_a_standing_order_given_in_it_is_in_force() {
    let mut entries = played::<LgaSpecimen>(1, 1);
    let mut campaign = Campaign::fold(&desk(), &entries).unwrap();
    let may = |campaign: &Campaign, entries: &[Entry]| campaign.may_be_revealed(entries);
    let last = |campaign: &Campaign| campaign.last().unwrap().t;
    assert_eq!(may(&campaign, &entries), 1, "nobody has a standing order");
    let standing = |unit: u16| format!("STANDING\nTOP 3 WHEN {unit} ATTACKED\n");
    ordered(&mut campaign, &mut entries, "french", &standing(5));
    let first = last(&campaign);
    let filed = campaign.game().form(&"french".parse().unwrap()).join("\n");
    assert!(filed.contains("TOP 3 WHEN 5 ATTACKED"), "it is in force: {filed}");
    assert_eq!(may(&campaign, &entries), first - 1);
    // The same words once more leave the old ones telling; other words free them.
    ordered(&mut campaign, &mut entries, "french", &standing(5));
    assert_eq!(may(&campaign, &entries), first - 1);
    ordered(&mut campaign, &mut entries, "french", &standing(7));
    assert_eq!((may(&campaign, &entries), last(&campaign)), (first + 1, first + 2));
    ordered(&mut campaign, &mut entries, "french", "STANDING NONE\n");
    assert_eq!(may(&campaign, &entries), last(&campaign));
    // An order is known from wherever it was given first.
    ordered(&mut campaign, &mut entries, "french", &standing(7));
    assert_eq!(may(&campaign, &entries), first + 1);
}
