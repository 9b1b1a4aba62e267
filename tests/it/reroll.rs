//! A roll that all agree to throw again: who has to consent, what comes of it, and how a stranger checks it.

use std::fs;

use musterd::daemon::{Host, Reply, Request};
use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::dice::audit::{Fault, Turn};
use musterd::dice::statistics::Tally;
use musterd::dice::{Level, Roll};
use musterd::engine::journal::{Cause, Entry, Reroll};
use musterd::engine::terms::Terms;
use serde_json::{Value, json};

use super::audit::{Forgery, both_find, change_body, examined, independent, lines_of, place_of, rechain};
use super::replay::replay;
use super::sim::cut_short_at_any_call;
use super::support::*;
use super::toy::seat;
use super::verify::{asked, in_words, mbox, the_case, unwrapped};

const CLASH: &str = "2/ridge/clash/blue/0";

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn gm(host: &mut Host, text: &str) -> String {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    words(&answers.into_iter().flat_map(|answer| answer.paragraphs).collect::<Vec<_>>().join(" "))
}

fn write(camp: &Camp, host: &mut Host, seat: &str, id: &str, text: &str) -> String {
    camp.post(camp.answer(seat, "dispatch", id, text));
    settle(host);
    let answered = format!("{id}@players.example");
    let mut mails = camp.mails(&player(seat)).into_iter();
    let answer = mails.find(|mail| mail.in_reply_to.as_deref() == Some(&answered));
    answer.map(|mail| words(&mail.body.unwrap().text)).unwrap_or_default()
}

/// A game in which both sides have bid the same, and dice decided.
fn clashed(camp: &Camp, host: &mut Host, umpire: &str, terms: Terms) {
    let computers: &[_] = if umpire.is_empty() { &[] } else { &[("umpire", umpire)] };
    let approved = terms.approval.is_some();
    new_game_on(host, computers, "24h", terms);
    settle(host);
    for seat in ["red", "blue", "umpire"].into_iter().take(if umpire.is_empty() { 3 } else { 2 }) {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(host);
    if approved {
        gm(host, "APPROVE 1");
    }
    for seat in ["red", "blue"] {
        write(camp, host, seat, &format!("bid-{seat}"), &block("BID 2\r\nREADY"));
    }
}

fn rolls_of(entries: &[Entry], of: u32) -> Vec<Roll> {
    let rolls = |entry: &Entry| match &entry.cause {
        Cause::Adjudicated { t, rolls, .. } if *t == of => Some(rolls.clone()),
        _ => None,
    };
    entries.iter().find_map(rolls).unwrap()
}

fn reroll(entries: &[Entry]) -> Option<Reroll> {
    entries.iter().find_map(|entry| match &entry.cause {
        Cause::Rerolled(reroll) => Some((**reroll).clone()),
        _ => None,
    })
}

fn campaign(host: &mut Host) -> Campaign {
    Campaign::fold(&desk(), &journal(host)).unwrap()
}

fn exported(camp: &Camp, host: &mut Host) -> Value {
    serde_json::to_value(audit_file(&journal(host), &camp.secrets(), u32::MAX)).unwrap()
}

/// The audit file of a game in which a roll was thrown again, a window made void, and a turn run again.
pub(crate) fn corrected() -> Value {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue", "umpire"] {
        write(&camp, &mut host, seat, seat, &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    camp.wait(24 * HOUR);
    settle(&mut host);
    gm(&mut host, "RERUN 5 WITH AMEND PURSE red 5 CONFIRM");
    exported(&camp, &mut host)
}

#[test]
fn a_game_with_a_roll_thrown_again_is_played_again_whole() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue", "umpire"] {
        write(&camp, &mut host, seat, seat, &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    let file = exported(&camp, &mut host);
    let rolls = file["log"].as_array().unwrap().iter().filter(|line| line["kind"] == "rolls").count();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("alpha.json");
    fs::write(&path, file.to_string()).unwrap();
    let inquiry = asked(&[&path], true, None);
    let played = the_case(&inquiry).files[0].replayed.clone().unwrap();
    assert!(played.difference.is_none(), "{}", in_words(&inquiry));
    assert_eq!((played.adjudications, rolls), (rolls, 3), "the founding, the clash, and the clash again");
}

/// What the log has of a consent is explained by the mail that gave it, or by the answer to that; one that a player never gave is his
/// to ask about.
#[test]
fn a_consent_that_no_mail_of_the_players_explains_is_his_to_ask_about() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    let sent = camp.answer("red", "dispatch", "red-consents", &format!("CONSENT {CLASH} of red\r\n"));
    camp.post(sent.clone());
    settle(&mut host);
    for seat in ["blue", "umpire"] {
        write(&camp, &mut host, seat, seat, &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    let dir = tempfile::tempdir().unwrap();
    let keep = |name: &str, text: String| {
        fs::write(dir.path().join(name), text).unwrap();
        dir.path().join(name)
    };
    let received = raw_mails(&camp.path().join("mail").join(player("red"))).into_iter();
    let received = received.map(|(_, raw)| String::from_utf8(raw).unwrap());
    let (answers, others): (Vec<String>, Vec<String>) = received.partition(|mail| mail.contains(".answer."));
    let file = keep("alpha.json", exported(&camp, &mut host).to_string());
    let others = keep("others.mbox", mbox(others.iter().map(String::as_str)));
    let answers = keep("answers.mbox", mbox(answers.iter().map(String::as_str)));
    let red = seat("red");
    // A consent to another roll, or the answer to one, explains nothing.
    let other = |text: &str| text.replace(CLASH, "2/ridge/clash/red/0");
    let foreign =
        [keep("other.eml", other(&sent)), keep("other.mbox", other(&fs::read_to_string(&answers).unwrap()))];
    let sent = keep("sent.eml", sent);
    for explained in [&sent, &answers] {
        let inquiry = asked(&[&others, explained, &file], false, Some(&red));
        assert!(!the_case(&inquiry).has_trouble(), "{}", in_words(&inquiry));
        assert!(the_case(&inquiry).missing.is_empty(), "no report of a roll's own is due");
    }
    for explains_nothing in foreign {
        let inquiry = asked(&[&others, &explains_nothing, &file], false, Some(&red));
        assert!(the_case(&inquiry).has_trouble(), "{}", in_words(&inquiry));
    }
    let own = asked(&[&others, &sent, &file], false, Some(&red));
    assert!(unwrapped(&own).contains("it consented to a roll being thrown again"), "{}", in_words(&own));
    let inquiry = asked(&[&others, &file], false, Some(&red));
    assert!(the_case(&inquiry).has_trouble(), "{}", in_words(&inquiry));
    assert!(unwrapped(&inquiry).contains("NOT YOURS? A consent to throw a roll again"));
    // What he said of one throw is no consent to the next; and there is none.
    let mut twice = exported(&camp, &mut host);
    let last = place_of(&twice, "reroll", "");
    let t: u32 = twice["log"][last]["body"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
    let closed = place_of(&twice, "rolls", &format!("{t} "));
    let body =
        |entry: &Value| entry["body"].as_str().unwrap().replacen(&t.to_string(), &(t + 1).to_string(), 1);
    let again = twice["log"].as_array().unwrap()[last - 1..=closed].iter();
    let again: Vec<Value> =
        again.map(|line| json!({"kind": line["kind"], "body": body(line), "hash": ""})).collect();
    lines_of(&mut twice).truncate(closed + 1);
    lines_of(&mut twice).extend(again);
    rechain(&mut twice);
    let twice = keep("twice.json", twice.to_string());
    for explained in [&sent, &answers] {
        let inquiry = asked(&[&others, explained, &twice], false, Some(&red));
        let page = unwrapped(&inquiry);
        assert!(page.contains("NOT YOURS? A consent to throw a roll again"), "{page}");
        assert!(page.contains("a roll of t 2 was thrown again before, and that is done once"), "{page}");
    }
}

#[test]
fn when_all_have_consented_the_roll_falls_anew_and_no_other_does() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    let asked = gm(&mut host, &format!("REROLL {CLASH} BECAUSE the die was cocked"));
    assert!(asked.contains("Nothing has been done yet"), "{asked}");
    let done = gm(&mut host, &format!("REROLL {CLASH} BECAUSE the die was cocked CONFIRM"));
    assert!(done.contains("3 players are asked"), "{done}");
    let notice = words(&camp.newest("blue", "notice").body.unwrap().text);
    assert!(
        notice.contains(&format!("CONSENT {CLASH}")) && notice.contains("the die was cocked"),
        "{notice}"
    );
    let wrong = write(&camp, &mut host, "red", "other", "CONSENT 2/ridge/clash/red/0\r\n");
    assert!(wrong.contains(&format!("the roll that is to be thrown again is {CLASH}")), "{wrong}");
    let one = write(&camp, &mut host, "red", "red", &format!("CONSENT {CLASH} grey rain\r\n"));
    assert!(one.contains("when these have too: the blue player and the umpire"), "{one}");
    write(&camp, &mut host, "blue", "blue", &format!("CONSENT {CLASH}\r\n"));
    assert_eq!((reroll(&journal(&mut host)), campaign(&mut host).window().unwrap().t), (None, 3));
    let last = write(&camp, &mut host, "umpire", "umpire", &format!("CONSENT {CLASH} hail\r\n"));
    assert!(last.contains("the roll was thrown again"), "{last}");

    let entries = journal(&mut host);
    let made = reroll(&entries).unwrap();
    assert_eq!((made.t, made.of, made.rolls.len()), (4, 2, 1));
    let before = rolls_of(&entries, 2);
    let old = before.iter().find(|roll| roll.label.as_str() == CLASH).unwrap();
    assert_eq!((&made.rolls[0].label, made.rolls[0].sides), (&old.label, old.sides));
    assert_eq!(campaign(&mut host).window().unwrap().t, 5);
    for seat in ["red", "blue", "umpire"] {
        let dispatch = words(&camp.newest(seat, "dispatch").body.unwrap().text);
        assert!(dispatch.contains(&format!("a roll of turn 2 was thrown again: {CLASH}")), "{dispatch}");
        assert!(dispatch.contains("The dice of t 4 have level L2"), "{dispatch}");
    }
    assert_eq!(replay(&desk(), &entries, &camp.secrets()).steps, 3);
    let (status, said) = independent(tempfile::tempdir().unwrap().path(), &exported(&camp, &mut host), &[]);
    assert_eq!(status, 0, "{said}");
    // The turn is told of as it counts now, and play goes on from there.
    let report = write(&camp, &mut host, "red", "report", "REPORT 2\r\n");
    assert!(report.contains("report-2.txt"), "{report}");
    camp.wait(24 * HOUR);
    settle(&mut host);
    assert_eq!(campaign(&mut host).last().unwrap().t, 5);
    // Taken back, it is void with the turn that it belongs to.
    let void = gm(&mut host, "ROLLBACK 2 CONFIRM");
    assert!(void.contains("Void: 2"), "{void}");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn without_everybodys_consent_nothing_is_thrown() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    let early = write(&camp, &mut host, "red", "early", &format!("CONSENT {CLASH}\r\n"));
    assert!(early.contains("nobody has asked to throw a roll again"), "{early}");
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue"] {
        write(&camp, &mut host, seat, seat, &format!("CONSENT {CLASH}\r\n"));
    }
    // A GM can't put somebody who agrees in the place of whoever doesn't.
    gm(&mut host, "REPLACE blue computer CONFIRM");
    assert_eq!(campaign(&mut host).consents_missing(), None);
    gm(&mut host, "REPLACE blue blue@players.example CONFIRM");
    write(&camp, &mut host, "umpire", "rules", &block("UPHOLD\r\nREADY"));
    assert_eq!(campaign(&mut host).window().unwrap().t, 4);
    let late = write(&camp, &mut host, "umpire", "late", &format!("CONSENT {CLASH}\r\n"));
    assert!(late.contains("nobody has asked to throw a roll again"), "{late}");
    assert_eq!(reroll(&journal(&mut host)), None);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn what_cant_be_thrown_again_is_refused_with_the_reason() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "", Terms::default());
    let refused = |host: &mut Host, label: &str, why: &str| {
        let before = journal(host);
        let said = gm(host, &format!("REROLL {label} CONFIRM"));
        assert!(said.contains(why) && said.contains("Nothing was done"), "{label}: {said}");
        assert_eq!(journal(host), before);
    };
    refused(
        &mut host,
        "1/ridge/purse/red/0",
        &format!("turn 2 made no roll `1/ridge/purse/red/0`; it made: {CLASH}"),
    );
    refused(&mut host, "2/courier/peril/red-blue/0", "made no roll");
    gm(&mut host, "REPLACE blue open CONFIRM");
    refused(&mut host, CLASH, "nobody plays blue, and every seat has to consent");
    gm(&mut host, "REPLACE blue computer CONFIRM");
    gm(&mut host, "AMEND 3 PURSE red 5 CONFIRM");
    refused(&mut host, CLASH, "corrected since");
}

#[test]
fn the_house_consents_with_the_bare_line_and_dispatches_may_wait_for_approval() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "computer", Terms { approval: Some(24 * 60), ..Terms::default() });
    assert!(campaign(&mut host).draft().is_some(), "the turn has run and waits");
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue"] {
        write(&camp, &mut host, seat, &format!("consent-{seat}"), &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    let made = reroll(&journal(&mut host)).unwrap();
    assert_eq!((made.t, made.house.len(), made.consents.len()), (3, 1, 2), "no window was open");
    assert_eq!(made.house[0].block.as_str(), format!("reroll: {CLASH}\n"));
    assert!(campaign(&mut host).draft().is_some_and(|draft| draft.assurance.level == Level::L2));
    gm(&mut host, "APPROVE 3");
    assert_eq!(campaign(&mut host).last().unwrap().t, 4, "the umpire's computer has ruled");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn the_last_consent_cut_short_at_any_call_ends_as_if_it_had_not_been() {
    let camp = Camp::new();
    {
        let mut host = camp.open();
        clashed(&camp, &mut host, "", Terms::default());
        gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
        for seat in ["red", "blue"] {
            write(&camp, &mut host, seat, seat, &format!("CONSENT {CLASH}\r\n"));
        }
    }
    camp.post(camp.answer("umpire", "dispatch", "last", &format!("CONSENT {CLASH}\r\n")));
    // Three dispatches and an answer.
    cut_short_at_any_call(&camp, 4);
}

const FORGERIES: &[Forgery] = &[
    ("no consent of a player", "no-consent", |f| turn(f)["orders"]["red"] = json!("BID 2\n")),
    ("a player who was silent", "no-consent", |f| turn(f)["orders"]["blue"] = Value::Null),
    ("consent to another roll", "no-consent", |f| {
        turn(f)["orders"]["red"] = json!("reroll: 2/ridge/clash/red/0\n");
    }),
    ("words of the house's own", "consent-of-choice", |f| {
        turn(f)["orders"]["umpire"] = json!(format!("reroll: {CLASH}\nsalt: a lucky one\n"));
    }),
    ("a stand-in who consents", "consent-by-stand-in", |f| {
        let consent = format!("{} red ", turn(f)["t"]);
        change_body(f, "recv", &consent, |body| body.replace(" consent", " stand-in"));
        rechain(f);
    }),
    ("words of a house that came late", "consent-of-choice", |f| seat_before_consent(f, "red house: gone")),
    ("words for a seat that nobody has", "consent-of-choice", |f| seat_before_consent(f, "red open: gone")),
    ("other dice than before", "not-that-roll", |f| turn(f)["rolls"][0][2] = json!(20)),
    ("other dice than before, and those when it ran again", "not-that-roll", |f| {
        let again = json!({"rolls": turn(f)["rolls"], "result": turn(f)["result"]});
        turn(f)["reruns"] = json!([again]);
        turn(f)["rolls"][0][2] = json!(20);
    }),
    ("other dice when it ran again, and what was before is hidden", "not-that-roll", |f| {
        let mut again = json!({"rolls": turn(f)["rolls"], "result": turn(f)["result"]});
        again["rolls"][0][2] = json!(20);
        turn(f)["reruns"] = json!([again]);
        f["turns"][1] = json!({"t": 2, "secret": null});
    }),
    ("another roll thrown", "not-that-roll", |f| {
        turn(f)["rolls"][0][0] = json!("2/ridge/clash/red/0");
    }),
    ("one more roll thrown", "foreign-label", |f| {
        let more = f["turns"][1]["rolls"][1].clone();
        turn(f)["rolls"].as_array_mut().unwrap().push(more);
    }),
    ("no roll thrown", "not-that-roll", |f| turn(f)["rolls"] = json!([])),
    ("a better die", "wrong-die", |f| {
        let face = &mut turn(f)["rolls"][0][3][0];
        *face = json!(face.as_u64().unwrap() % 6 + 1);
    }),
    ("no entry that says what is thrown", "foreign-label", |f| {
        let at = place_of(f, "reroll", "");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("an entry that says another roll", "no-consent", |f| {
        change_body(f, "reroll", "", |body| body.replace("blue", "red"));
        rechain(f);
    }),
    ("an entry of an older turn", "out-of-place", |f| {
        change_body(f, "reroll", "", |body| body.replace(" 2/", " 1/"));
        rechain(f);
    }),
    ("a roll that is thrown again twice", "out-of-place", |f| {
        let t = turn(f)["t"].as_u64().unwrap();
        let (at, closed) = (place_of(f, "reroll", ""), place_of(f, "rolls", &format!("{t} ")));
        let mut again = lines_of(f)[at - 1..=at].to_vec();
        for line in &mut again {
            let body = line["body"].as_str().unwrap().replacen(&t.to_string(), &(t + 1).to_string(), 1);
            line["body"] = json!(body);
        }
        lines_of(f).truncate(closed + 1);
        lines_of(f).extend(again);
        rechain(f);
    }),
    ("an entry that comes late", "out-of-place", |f| {
        let at = place_of(f, "reroll", "");
        let line = lines_of(f).remove(at);
        lines_of(f).insert(at + 1, line);
        rechain(f);
    }),
];

/// Writes into the log that a seat changed hands, before the consent of red.
fn seat_before_consent(file: &mut Value, text: &str) {
    let consent = format!("{} red ", turn(file)["t"]);
    let at = place_of(file, "recv", &consent);
    let line = json!({"kind": "note", "body": format!("seat {text}"), "hash": ""});
    lines_of(file).insert(at, line);
    rechain(file);
}

/// The turn that throws a roll again.
fn turn(file: &mut Value) -> &mut Value {
    let turns = file["turns"].as_array_mut().unwrap();
    turns
        .iter_mut()
        .find(|turn| turn["orders"]["red"].as_str().is_some_and(|o| o.starts_with("reroll:")))
        .unwrap()
}

/// A game with a computer, in which a roll was thrown again; and its adjudication.
fn thrown_again() -> (Value, u32) {
    let camp = Camp::new();
    let mut host = camp.open();
    // The umpire's computer would rule at once.
    clashed(&camp, &mut host, "computer", Terms { approval: Some(24 * 60), ..Terms::default() });
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue"] {
        write(&camp, &mut host, seat, &format!("consent-{seat}"), &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    gm(&mut host, "APPROVE 3");
    (exported(&camp, &mut host), reroll(&journal(&mut host)).unwrap().t)
}

/// The audit file of such a game as text, and behind it every forgery.
pub(crate) fn files() -> Vec<String> {
    let (honest, _) = thrown_again();
    let forged = FORGERIES.iter().map(|(_, _, forge)| {
        let mut file = honest.clone();
        forge(&mut file);
        file.to_string()
    });
    std::iter::once(honest.to_string()).chain(forged).collect()
}

#[test]
fn both_verifiers_accept_a_roll_thrown_again_and_find_every_forgery_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let (file, t) = thrown_again();
    let outcome = examined(&file, &[]);
    assert_eq!(outcome.findings.iter().map(|f| &f.fault).collect::<Vec<&Fault>>(), [] as [&Fault; 0]);
    let (status, said) = independent(dir.path(), &file, &[]);
    assert!(status == 0 && said.contains(&format!("t {t}: L2, salted by blue, red; 1 rolls")), "{said}");
    both_find(&file, FORGERIES);
}

/// A die that was thrown again has fallen twice, and the last report counts what a verifier counts.
#[test]
fn both_throws_count_among_the_dice() {
    let camp = Camp::new();
    let mut host = camp.open();
    clashed(&camp, &mut host, "computer", Terms { approval: Some(24 * 60), ..Terms::default() });
    let before = campaign(&mut host).statistics().dice;
    gm(&mut host, &format!("REROLL {CLASH} CONFIRM"));
    for seat in ["red", "blue"] {
        write(&camp, &mut host, seat, &format!("consent-{seat}"), &format!("CONSENT {CLASH} of {seat}\r\n"));
    }
    let file = exported(&camp, &mut host);
    let turns: Vec<Turn> = serde_json::from_value(file["turns"].clone()).unwrap();
    let counted = Tally::of_file(&turns, &examined(&file, &[])).dice();
    let rerun = gm(&mut host, "RERUN 3 WITH AMEND PURSE red 5 CONFIRM");
    assert!(rerun.contains("a roll of turn 2 was thrown again"), "{rerun}");
    let told = campaign(&mut host).statistics().dice;
    assert!(told == counted && told > before, "{before} dice, then {told}; {counted} by the file");
}
