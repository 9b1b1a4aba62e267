//! Those who watch: what they are shown, when, and who may not.

use musterd::daemon::StatusFilter;
use musterd::engine::terms::Observers;

use super::*;

#[test]
fn those_who_watch_see_every_side_but_later() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = [("red", player("red")), ("blue", player("blue")), ("umpire", "computer".to_owned())];
    let seats: Vec<(&str, &str)> = seats.iter().map(|(s, who)| (*s, who.as_str())).collect();
    another(&mut host, "alpha", &seats, Terms { observers_lag: 2, ..Terms::default() });
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(&mut host);
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    says(&guest(&camp, &mut host, ANNA, "c", &line), "2 turns behind the players");
    says(&guest(&camp, &mut host, ANNA, "o2", "OBSERVE alpha\r\n"), "You watch this game.");
    assert!(camp.mails(GM).iter().any(|mail| mail.subject == "[alpha] somebody watches"));
    let shown = |camp: &Camp| -> Vec<String> {
        let mails = camp.mails(ANNA).into_iter().map(|mail| mail.subject);
        let mut shown: Vec<String> = mails.filter(|subject| subject.starts_with("[alpha] turn")).collect();
        shown.sort();
        shown
    };
    assert_eq!(shown(&camp), Vec::<String>::new());
    // Round 1 and the umpire's ruling run: the founding can be seen.
    let bid = |camp: &Camp, host: &mut Host, n: u32| {
        for seat in ["red", "blue"] {
            camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}-{n}"), &block("BID 1\r\nREADY")));
        }
        settle(host);
    };
    bid(&camp, &mut host, 1);
    assert_eq!(shown(&camp), ["[alpha] turn 1, founding"]);
    bid(&camp, &mut host, 2);
    assert_eq!(shown(&camp)[1..], ["[alpha] turn 2, round-1", "[alpha] turn 3, ruling-1"]);
    let raw = raw_mails(&camp.path().join("mail").join(ANNA));
    let secrets = ["red", "blue"].map(|seat| camp.newest(seat, "dispatch").reply_to[0].clone());
    for (_, mail) in &raw {
        let mail = String::from_utf8_lossy(mail);
        assert!(secrets.iter().all(|secret| !mail.contains(secret.split('@').next().unwrap())));
    }
    let newest = String::from_utf8_lossy(
        &raw.iter().find(|(_, raw)| String::from_utf8_lossy(raw).contains("turn 3")).unwrap().1,
    )
    .into_owned();
    for name in ["red.txt", "blue.txt", "umpire.txt"] {
        assert!(newest.contains(name), "{newest}");
    }
    // A stop in between changes nothing; the end is shown whole.
    drop(host);
    let mut host = camp.open();
    bid(&camp, &mut host, 3);
    let seen = shown(&camp);
    assert_eq!(
        seen[3..],
        [
            "[alpha] turn 4, round-2",
            "[alpha] turn 5, ruling-2",
            "[alpha] turn 6, round-3",
            "[alpha] turn 7, ruling-3"
        ],
        "the last ones as soon as the game is over"
    );
    says(&guest(&camp, &mut host, ANNA, "l", "LEAVE alpha\r\n"), "You neither watch alpha");
    checked(&camp, &mut host);
}

#[test]
fn a_player_of_the_game_cannot_watch_it_and_who_leaves_is_shown_no_more() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    says(&asked(&camp, &mut host, "red", "o", "OBSERVE alpha\r\n"), "You play the red player in this game.");
    let line = confirm_line(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"));
    guest(&camp, &mut host, ANNA, "c", &line);
    says(&guest(&camp, &mut host, ANNA, "l", "LEAVE alpha\r\n"), "You neither watch alpha nor wait");
    for _ in 0..3 {
        camp.wait(25 * HOUR);
        settle(&mut host);
    }
    let shown = |camp: &Camp| camp.mails(ANNA).iter().filter(|mail| mail.subject.contains("turn")).count();
    assert_eq!(shown(&camp), 0);
    // Who comes back is shown the newest again, as often as that is.
    for n in 1..3 {
        let line = confirm_line(&guest(&camp, &mut host, BEN, &format!("o{n}"), "OBSERVE alpha\r\n"));
        says(&guest(&camp, &mut host, BEN, &format!("c{n}"), &line), "You watch alpha");
        assert_eq!(camp.mails(BEN).iter().filter(|mail| mail.subject.contains("turn")).count(), n);
        if n == 1 {
            guest(&camp, &mut host, BEN, "l1", "LEAVE alpha\r\n");
        }
    }
}

#[test]
fn whom_the_gm_gives_a_seat_watches_no_more() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    gm(&mut host, &format!("REPLACE red {ANNA}"));
    let said = guest(&camp, &mut host, ANNA, "leave", "LEAVE alpha");
    says(&said, "You play in this game");
    assert!(changes(&mut host).contains(&Change::Observer { address: ANNA.to_owned(), listed: false }));
    checked(&camp, &mut host);
}

#[test]
fn who_is_struck_out_by_a_forged_mail_is_told_and_can_come_back() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "STANDBY alpha red");
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    // Somebody uses up what is answered in a day before it.
    for n in 0..6 {
        camp.post(guest_mail(ANNA, &format!("noise-{n}"), "JOIN alpha"));
    }
    settle(&mut host);
    let told = guest(&camp, &mut host, ANNA, "forged", "LEAVE alpha");
    says(&told, "If that was not your wish, somebody wrote in your name");
    let lines: Vec<String> =
        text(&told).lines().filter(|line| line.starts_with("CONFIRM ")).map(str::to_owned).collect();
    assert_eq!(lines.len(), 2, "{}", text(&told));
    camp.wait(24 * HOUR);
    let back = guest(&camp, &mut host, ANNA, "back", &lines.join("\r\n"));
    says(&back, "You are on the list: you are asked when the seat red of alpha falls free.");
    says(&back, "You watch alpha");
    // Who is on no list is told nothing beyond the day's measure.
    let before = camp.mails(BEN).len();
    for n in 0..8 {
        camp.post(guest_mail(BEN, &format!("none-{n}"), "LEAVE alpha"));
    }
    settle(&mut host);
    assert_eq!(camp.mails(BEN).len(), before + 5);
    checked(&camp, &mut host);
}

/// A game of people whose GM is asked who may watch.
fn asking(camp: &Camp) -> Host {
    let mut host = camp.open();
    founded_on(camp, &mut host, Terms { observers: Observers::Ask, observers_lag: 0, ..Terms::default() });
    host
}

fn subjects(camp: &Camp, address: &str, words: &str) -> usize {
    camp.mails(address).iter().filter(|mail| mail.subject.contains(words)).count()
}

/// What the GM is answered on the command line.
fn gm_says(host: &mut Host, text: &str) -> String {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: false };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    answers.iter().flat_map(|answer| answer.paragraphs.clone()).collect::<Vec<_>>().join("\n")
}

/// Whether the game is told of with this filter.
fn is_found(host: &mut Host, filter: StatusFilter) -> bool {
    let Reply::Status { games } = host.execute(Request::Find(filter)).unwrap() else { panic!() };
    !games.is_empty()
}

/// Whether the game is among those that wait for their GM.
fn waits_for_gm(host: &mut Host) -> bool {
    is_found(host, StatusFilter { waits_for_gm: true, ..StatusFilter::default() })
}

/// Whether it is among those that somebody has to see to within so many hours.
fn is_due(host: &mut Host, hours: i64) -> bool {
    is_found(host, StatusFilter { due: Some(hours * HOUR), ..StatusFilter::default() })
}

#[test]
fn dispatches_to_be_approved_wait_for_the_gm() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { approval: Some(6 * 60), ..Terms::default() });
    assert!(waits_for_gm(&mut host));
    assert!(is_due(&mut host, 1), "it waits for the GM, however long it may");
    gm_says(&mut host, "APPROVE 1");
    assert!(!waits_for_gm(&mut host));
    assert!(!is_due(&mut host, 23) && is_due(&mut host, 24), "the turn has a day");
}

#[test]
fn the_gm_decides_who_watches() {
    let camp = Camp::new();
    let mut host = asking(&camp);
    let offered = guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n");
    says(&offered, "To ask the GM of alpha");
    assert_eq!(subjects(&camp, GM, "asks to watch"), 0, "the address is confirmed first");
    let asked = guest(&camp, &mut host, ANNA, "c", &confirm_line(&offered));
    says(&asked, "The GM of alpha is asked whether you may watch it");
    let told = camp.mails(GM).into_iter().find(|mail| mail.subject.contains("asks to watch")).unwrap();
    says(&told, &format!("ADMIT {ANNA} lets them, REFUSE {ANNA} doesn't"));
    assert_eq!(subjects(&camp, ANNA, "] turn "), 0, "nothing is shown before the answer");
    says(&guest(&camp, &mut host, ANNA, "o2", "OBSERVE alpha\r\n"), "The GM is asked already");
    // A second address of the same mailbox is the same person.
    camp.post(guest_mail("anna+2@guests.example", "o3", "OBSERVE alpha\r\n"));
    settle(&mut host);
    says(&answer_to(&camp, ANNA, "o3"), "The GM is asked already");
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    assert_eq!((games[0].observers.len(), games[0].applicants.as_slice()), (0, &[ANNA.to_owned()][..]));
    assert!(
        gm_says(&mut host, "STATUS")
            .contains(&format!("{ANNA} asks to watch: ADMIT {ANNA} or REFUSE {ANNA}"))
    );
    assert!(waits_for_gm(&mut host), "somebody asks to watch");
    // By mail as on the command line.
    let gms = camp.mails(GM).into_iter().find_map(|mail| mail.reply_to.first().cloned()).unwrap();
    let text = format!("REFUSE {ANNA} BECAUSE we don't know you\r\n");
    camp.post(Mail { from: GM, to: &gms, id: "gm-1", in_reply_to: None, text: &text }.raw());
    settle(&mut host);
    let refused = camp.mails(ANNA).into_iter().find(|mail| mail.subject.contains("the GM's answer")).unwrap();
    says(&refused, "You can't watch alpha: that is the GM's decision (`we don't know you`).");
    says(&guest(&camp, &mut host, ANNA, "o4", "OBSERVE alpha\r\n"), "The GM doesn't let you watch alpha.");
    assert!(!waits_for_gm(&mut host));
    let asked_of_gm = subjects(&camp, GM, "asks to watch");
    assert_eq!(asked_of_gm, 1, "who was refused isn't put to the GM again");
    assert!(gm_says(&mut host, &format!("ADMIT {ANNA}")).contains("watches alpha from now on"));
    assert_eq!(subjects(&camp, ANNA, "you watch"), 1);
    assert_eq!(subjects(&camp, ANNA, "] turn 1"), 1);
    assert!(gm_says(&mut host, "STATUS").contains(&format!("people who watch the game: 1 ({ANNA})")));
    assert!(gm_says(&mut host, &format!("ADMIT {ANNA}")).contains("watches alpha already"));
    assert!(
        gm_says(&mut host, &format!("REFUSE {BEN}")).contains("neither asks to watch alpha nor watches it")
    );
    assert!(
        gm_says(&mut host, &format!("ADMIT {BEN}")).contains("neither asks to watch alpha nor is barred")
    );
    // Who watches is struck out by the same word, and a stop in between changes nothing.
    assert!(gm_says(&mut host, &format!("REFUSE {ANNA}")).contains("can't watch alpha, and was told"));
    drop(host);
    let mut host = camp.open();
    let shown = subjects(&camp, ANNA, "] turn ");
    camp.wait(25 * HOUR);
    settle(&mut host);
    assert_eq!(subjects(&camp, ANNA, "] turn "), shown);
    says(&guest(&camp, &mut host, ANNA, "o5", "OBSERVE alpha\r\n"), "The GM doesn't let you watch alpha.");
    checked(&camp, &mut host);
}

#[test]
fn who_asked_may_take_it_back_and_a_seat_ends_it() {
    let camp = Camp::new();
    let mut host = asking(&camp);
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    says(&guest(&camp, &mut host, ANNA, "l", "LEAVE alpha\r\n"), "You neither watch alpha");
    assert!(gm_says(&mut host, &format!("ADMIT {ANNA}")).contains("neither asks"));
    listed(&camp, &mut host, BEN, "OBSERVE alpha");
    gm(&mut host, &format!("REPLACE red {BEN}"));
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    assert!(games[0].applicants.is_empty(), "a player asks no more");
    checked(&camp, &mut host);
}

#[test]
fn strangers_ask_the_gm_so_often_and_no_more() {
    let camp = Camp::new();
    let mut host = asking(&camp);
    let who = |n: usize| format!("spy{n}@farm{n}.example");
    let ask = |camp: &Camp, host: &mut Host, n: usize, day: usize| {
        let line = confirm_line(&guest(camp, host, &who(n), &format!("o{day}-{n}"), "OBSERVE alpha\r\n"));
        guest(camp, host, &who(n), &format!("c{day}-{n}"), &line)
    };
    for n in 0..7 {
        let answer = ask(&camp, &mut host, n, 0);
        match n {
            0..5 => says(&answer, "The GM of alpha is asked"),
            _ => says(&answer, "The GM was asked about enough people today"),
        }
    }
    assert_eq!(subjects(&camp, GM, "asks to watch"), 5);
    // Day by day, until twenty wait: the others are told before they get a code.
    for day in 1..4 {
        camp.wait(25 * HOUR);
        (0..5).for_each(|n| says(&ask(&camp, &mut host, day * 10 + n, day), "The GM of alpha is asked"));
    }
    camp.wait(25 * HOUR);
    let late = guest(&camp, &mut host, "late@farm.example", "late", "OBSERVE alpha\r\n");
    says(&late, "that no more are taken");
    assert_eq!(subjects(&camp, GM, "asks to watch"), 20);
    assert!(gm_says(&mut host, &format!("ADMIT {}", who(3))).contains("watches alpha from now on"));
    says(
        &guest(&camp, &mut host, "late@farm.example", "late2", "OBSERVE alpha\r\n"),
        "To ask the GM of alpha",
    );
}

#[test]
fn the_terms_may_let_in_anybody_or_nobody_and_without_a_gm_nobody_is_asked() {
    let camp = Camp::new();
    let mut host = asking(&camp);
    gm(&mut host, "TERMS --observers none");
    says(&guest(&camp, &mut host, ANNA, "n", "OBSERVE alpha\r\n"), "Nobody watches alpha: so its terms are.");
    gm(&mut host, "TERMS --observers open");
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    assert_eq!(subjects(&camp, ANNA, "] turn 1"), 1);
    // Whom the GM strikes out comes back by no term.
    gm(&mut host, &format!("REFUSE {ANNA}"));
    says(&guest(&camp, &mut host, ANNA, "again", "OBSERVE alpha\r\n"), "The GM doesn't let you watch alpha.");
    checked(&camp, &mut host);

    let camp = Camp::new();
    let file = camp.path().join(musterd::daemon::config::FILE);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(&format!("gm: [{GM}]"), "gm: []")).unwrap();
    let mut host = asking(&camp);
    says(&guest(&camp, &mut host, ANNA, "o", "OBSERVE alpha\r\n"), "it has no GM who could be asked");
}

#[test]
fn new_games_ask_and_what_a_journal_does_not_say_is_open() {
    assert_eq!((Terms::usual().observers, Terms::default().observers), (Observers::Ask, Observers::Open));
    let old = serde_json::to_value(Terms::default()).unwrap();
    assert!(old.get("observers").is_none(), "a journal of before says nothing of it: {old}");
    assert_eq!(serde_json::from_value::<Terms>(old).unwrap(), Terms::default());
}

/// The header by which a mail program offers to leave, of each mail to somebody.
fn offers_to_leave(camp: &Camp, address: &str) -> Vec<(String, Option<String>)> {
    let raw = raw_mails(&camp.path().join("mail").join(address)).into_iter().map(|(_, raw)| raw);
    raw.map(|raw| {
        let text = String::from_utf8_lossy(&raw).into_owned();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        (value("Subject: ").unwrap(), value("List-Unsubscribe: "))
    })
    .collect()
}

#[test]
fn a_mail_program_offers_those_who_watch_to_leave_and_nobody_to_give_up_a_seat() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { observers_lag: 0, ..Terms::default() });
    for (who, what) in
        [(ANNA, "OBSERVE alpha"), (BEN, "STANDBY alpha red"), ("carl@guests.example", "WITNESS alpha")]
    {
        listed(&camp, &mut host, who, what);
    }
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}"), &block("BID 1\r\nREADY")));
    }
    settle(&mut host);
    // A mail of the host's own accord offers it to who is on a list, an answer to nobody.
    let header = format!("<mailto:{HOST}?subject=LEAVE%20alpha>");
    for (who, subject) in [(ANNA, "turn 1, founding"), ("carl@guests.example", "turn 2 closed")] {
        let mails = offers_to_leave(&camp, who);
        let sent =
            mails.iter().find(|(told, _)| told.contains(subject)).unwrap_or_else(|| panic!("{mails:?}"));
        assert_eq!(sent.1.as_ref(), Some(&header), "{mails:?}");
        assert!(mails.iter().filter(|(_, offer)| offer.is_none()).count() == 2, "the answers: {mails:?}");
    }
    gm(&mut host, "REPLACE red open");
    let asked = offers_to_leave(&camp, BEN);
    let asked: Vec<_> = asked.iter().filter(|(subject, _)| subject.contains("a seat is free")).collect();
    assert!(matches!(&asked[..], [(_, Some(offer))] if *offer == header), "{asked:?}");
    for who in [player("red"), player("blue"), GM.to_owned()] {
        let mails = offers_to_leave(&camp, &who);
        assert!(!mails.is_empty() && mails.iter().all(|(_, offer)| offer.is_none()), "{who}: {mails:?}");
    }
    // What a mail program sends then: its own words, or none, below that subject.
    for (who, words) in [
        (ANNA, ""),
        (BEN, "This message was made by your mail program.\r\n"),
        ("carl@guests.example", "LEAVE alpha\r\n"),
    ] {
        let mail = guest_mail(who, "unsubscribe", words).replace("Re: orders", "LEAVE alpha");
        camp.post(mail);
        settle(&mut host);
        says(&answer_to(&camp, who, "unsubscribe"), "You neither watch alpha nor wait for a seat of it");
    }
    checked(&camp, &mut host);
}

#[test]
fn a_subject_is_a_command_only_where_it_is_one_to_leave() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    listed(&camp, &mut host, ANNA, "OBSERVE alpha");
    let before = changes(&mut host).len();
    for (n, subject) in
        ["STATUS", "Re: LEAVE alpha", "LEAVE alpha now", "OBSERVE alpha", "LEAVE"].iter().enumerate()
    {
        camp.post(guest_mail(ANNA, &format!("s{n}"), "Hello.\r\n").replace("Re: orders", subject));
    }
    // Who plays gives up nothing by it, and what stands in the mail counts.
    let orders = camp.answer("red", "dispatch", "o", &block("BID 3"));
    camp.post(orders.replace("Subject: Re: orders", "Subject: LEAVE alpha"));
    settle(&mut host);
    assert_eq!(changes(&mut host).len(), before);
    assert_eq!(verdicts(&mut host).last().map(String::as_str), Some("accepted"));
    says(&guest(&camp, &mut host, ANNA, "status", "OBSERVE alpha"), "You watch this game.");
}
