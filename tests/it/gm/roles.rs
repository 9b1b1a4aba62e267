//! Several people lead a game: what each may do, and that each learns what the others do.

use super::*;

const IDA: &str = "ida@gm.example";

/// A table whose owner has made Ida this.
fn led_with(role: &str) -> (Table, String) {
    let mut table = Table::of(Way::Mail);
    table.gm_confirmed(&format!("ADDRESS ADD {IDA} {role}"));
    let to = table.camp.mails(IDA)[0].reply_to[0].clone();
    (table, to)
}

/// What Ida is answered.
fn ida(table: &mut Table, to: &str, text: &str) -> String {
    table.sent += 1;
    let id = format!("ida-{}", table.sent);
    table.camp.post(Mail { from: IDA, to, id: &id, in_reply_to: None, text }.raw());
    table.settle();
    let answered = format!("{id}@players.example");
    let mails = table.camp.mails(IDA);
    let answer = mails.iter().find(|mail| mail.in_reply_to.as_deref() == Some(&answered));
    flat(&body(answer.unwrap_or_else(|| panic!("no answer to {text}"))))
}

#[test]
fn a_referee_runs_the_game_and_settles_neither_terms_nor_people() {
    let (mut table, to) = led_with("referee");
    assert!(
        flat(&body(&table.camp.mails(IDA)[0]))
            .contains("You are a referee of it. Commands from there count, but for")
    );
    let to_him = flat(&body(&table.camp.mails(IDA)[0]));
    for word in ["TERMS", "REPLACE", "EJECT", "ADDRESS", "SECRET", "END", "CANCEL", "ARCHIVE"] {
        let (_, owners) = to_him.split_once("owners alone may give: ").expect("a list");
        assert!(owners.split_once('.').unwrap().0.contains(word), "{word}: {to_him}");
    }
    for line in [
        "CANCEL 2 CONFIRM",
        "TERMS --grace 12h",
        "REPLACE red open CONFIRM",
        "EJECT red CONFIRM",
        "ADDRESS DROP gm@example.org CONFIRM",
        "SECRET red",
    ] {
        let before = table.log();
        let said = ida(&mut table, &to, line);
        assert!(
            said.contains("Your part in this game is referee, and")
                && said.contains("takes owner: gm@example.org may do that"),
            "{said}"
        );
        assert_eq!(table.log(), before, "{line}");
    }
    assert!(ida(&mut table, &to, "PAUSE BECAUSE of snow").contains("stands still"));
    let told = table.camp.mails(GM);
    let told = told.iter().find(|mail| mail.subject.contains("another GM's command")).unwrap();
    assert!(
        flat(&body(told))
            .contains("ida@gm.example, who leads the game with you, has done this: PAUSE BECAUSE of snow")
    );
    // And the other way round; what only asks is nobody's news.
    let before = table.camp.mails(IDA).len();
    table.gm("STATUS");
    assert_eq!(table.camp.mails(IDA).len(), before);
    table.gm("RESUME");
    let told = table.camp.mails(IDA);
    assert!(told.iter().any(|mail| flat(&body(mail)).contains("has done this: RESUME")));
    assert!(table.gm("STATUS").text.contains("GM: gm@example.org, ida@gm.example (referee)"));
    table.check();
}

#[test]
fn a_reader_only_asks_until_an_owner_says_otherwise() {
    let (mut table, to) = led_with("reader");
    assert!(ida(&mut table, &to, "STATUS").contains("The Ridge"));
    for line in ["PAUSE", "ORDERS red", "BROADCAST: hello"] {
        let said = ida(&mut table, &to, line);
        assert!(
            said.contains("Your part in this game is reader, and") && said.contains("takes referee:"),
            "{said}"
        );
    }
    assert!(table.gm(&format!("ADDRESS ADD {IDA} reader")).text.contains("is a reader's address already"));
    table.gm_confirmed(&format!("ADDRESS ADD {IDA} owner"));
    // Each part has a secret of its own, which comes with it; the lesser one counts for what it may do.
    assert!(ida(&mut table, &to, "PAUSE").contains("Your part in this game is reader"));
    let to = table
        .camp
        .mails(IDA)
        .iter()
        .rev()
        .find(|mail| mail.subject.contains("you are the GM"))
        .unwrap()
        .reply_to[0]
        .clone();
    assert!(ida(&mut table, &to, "PAUSE").contains("stands still"));
    let drop = format!("ADDRESS ADD {GM} referee CONFIRM");
    assert!(ida(&mut table, &to, &drop).contains("is a referee's address from now on"));
    let last = format!("ADDRESS DROP {IDA} CONFIRM");
    assert!(ida(&mut table, &to, &last).contains("is the game's only owner"));
    // It is all in the journal.
    drop_host(&mut table);
    assert!(ida(&mut table, &to, "STATUS").contains("GM: gm@example.org (referee), ida@gm.example"));
    table.check();
}

/// What comes of a mail in an owner's name.
fn in_owners_name(table: &mut Table, to: &str, text: &str) -> String {
    table.sent += 1;
    let id = format!("forged-{}", table.sent);
    table.camp.post(Mail { from: GM, to, id: &id, in_reply_to: None, text }.raw());
    table.settle();
    let answered = format!("{id}@players.example");
    let mails = table.camp.mails(GM);
    flat(&body(mails.iter().find(|mail| mail.in_reply_to.as_deref() == Some(&answered)).unwrap()))
}

#[test]
fn a_referees_secret_is_worth_no_more_in_an_owners_name() {
    let (mut table, to) = led_with("referee");
    assert!(
        in_owners_name(&mut table, &to, "CANCEL 2 CONFIRM").contains("Your part in this game is referee")
    );
    assert!(in_owners_name(&mut table, &to, "PAUSE").contains("stands still"));
    // A notice to all goes to each with the own secret.
    table.gm_confirmed("ADDRESS ADD jo@gm.example reader");
    let newest = |of: &str| table.camp.mails(of).pop().unwrap().reply_to[0].clone();
    let (owners, hers, jos) = (newest(GM), newest(IDA), newest("jo@gm.example"));
    assert!(owners != hers && hers == to && jos != hers && jos != owners, "{owners} {hers} {jos}");
    // A secret that is more than enough makes nobody more: Ida answers an older mail.
    assert!(ida(&mut table, &owners, "CANCEL 2 CONFIRM").contains("Your part in this game is referee"));
    table.check();
}

#[test]
fn what_an_owner_asked_who_drops_his_address_is_for_owners_alone() {
    let (mut table, _) = led_with("reader");
    table.gm_confirmed("ADDRESS ADD olga@gm.example owner");
    let before = table.camp.mails(IDA).len();
    table.camp.post(
        Mail {
            from: GM,
            to: &table.camp.mails(GM)[0].reply_to[0].clone(),
            id: "leaves",
            in_reply_to: None,
            text: &format!("ORDERS red\r\nADDRESS DROP {GM} CONFIRM"),
        }
        .raw(),
    );
    table.settle();
    let of_ida = table.camp.mails(IDA);
    assert!(of_ida[before..].iter().all(|mail| !mail.subject.contains("your 2 commands")));
    let olgas = table.camp.mails("olga@gm.example");
    assert!(olgas.iter().any(|mail| mail.subject.contains("your 2 commands")));
}

#[test]
fn who_gives_a_player_a_part_in_leading_is_told_that_he_plays() {
    let mut table = Table::of(Way::Line);
    let player = "red@players.example";
    let said = table.gm(&format!("ADDRESS ADD {player} reader"));
    assert!(
        flat(&said.text).contains("plays red. Whoever leads the game sees what the other sides do"),
        "{}",
        said.text
    );
}

#[test]
fn what_ails_the_host_is_for_its_own_gm_and_not_for_those_who_lead_a_game_with_him() {
    for role in ["referee", "reader", "owner"] {
        let (mut table, to) = led_with(role);
        table.host = None;
        let key = table.camp.path().join("secrets/_host.secret");
        std::fs::write(&key, "no key").unwrap();
        table.host = Some(table.camp.open());
        let health = table.gm("HEALTH").text;
        assert!(health.contains("The host: ") && health.contains("_host.secret"), "{health}");
        let health = ida(&mut table, &to, "HEALTH");
        assert!(
            health.contains("No mail of the host waits") && !health.contains("The host:"),
            "{role}: {health}"
        );
    }
}

fn drop_host(table: &mut Table) {
    table.host = None;
    table.host = Some(table.camp.open());
}
