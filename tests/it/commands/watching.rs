//! Those who watch: what they are shown, when, and who may not.

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
