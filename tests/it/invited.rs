//! How an invitation is answered: a seat is taken and declined by a line that its player writes, and by nothing else.

use musterd::daemon::{Reply, Request};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;

fn words(mail: &Letter) -> String {
    mail.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A mail as a program quotes it below an answer.
fn quoted(mail: &Letter) -> String {
    let lines = mail.body.as_ref().unwrap().text.lines().map(|line| format!("> {line}\r\n"));
    format!(
        "On Sat, Nov 21, 2026 at 12:00 PM The umpire <{HOST}> wrote:\r\n\r\n{}",
        lines.collect::<String>()
    )
}

/// A game with a GM whose three players are invited.
fn invited() -> (Camp, musterd::daemon::Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    let mut new = toy_game(&[], "24h", Terms::default());
    new.gm = vec![GM.to_owned()];
    new.press = PressPolicy::All;
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    (camp, host)
}

#[test]
fn an_invitation_says_first_how_it_is_accepted_and_declined() {
    let (camp, _host) = invited();
    let text = words(&camp.newest("red", "invitation"));
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("`{words}`: {text}"));
    assert!(at("You are invited") < at("To accept, answer this mail with the one line JOIN on top."));
    assert!(at("To decline, with the one line DECLINE") < at("HOW TO BEGIN"));
}

#[test]
fn an_answer_that_only_quotes_the_invitation_takes_no_seat_and_is_told_what_to_write() {
    let (camp, mut host) = invited();
    let quotation = quoted(&camp.newest("red", "invitation"));
    for (n, written) in
        ["Sorry, I can't play this time.\r\n\r\nRed", "Looking forward to it!", ""].iter().enumerate()
    {
        let text = format!("{written}\r\n\r\n{quotation}");
        camp.post(camp.answer("red", "invitation", &format!("prose-{n}"), &text));
        settle(&mut host);
        assert_eq!((camp.count("red", "receipt"), camp.count("red", "refusal")), (0, n + 1), "{written}");
        let told = camp.newest("red", "refusal");
        assert_eq!(told.subject, "[alpha] not accepted: neither JOIN nor DECLINE in it");
        assert!(words(&told).contains("with this line on top: JOIN To decline"), "{}", words(&told));
        assert!(!words(&told).contains("BEGIN ORDERS"), "{}", words(&told));
    }
    // The form sent back as a file is no answer either.
    let form = camp.newest("red", "invitation").body.unwrap().text;
    let form = &form[form.find("BEGIN ORDERS").unwrap()..form.find("END ORDERS").unwrap() + 10];
    camp.post(camp.answer("red", "invitation", "copied", form));
    settle(&mut host);
    assert_eq!(verdicts(&mut host), ["no-orders"; 4]);
}

#[test]
fn a_notice_of_absence_that_quotes_the_invitation_takes_no_seat_and_is_not_answered() {
    let (camp, mut host) = invited();
    let quotation = quoted(&camp.newest("red", "invitation"));
    let text = format!("I am out of the office until 3 December.\r\n\r\n{quotation}");
    for (id, marked) in [
        ("subject", "Subject: Automatic reply: [alpha] Invitation\r\n"),
        ("header", "Subject: Re: [alpha] Invitation\r\nX-Auto-Response-Suppress: All\r\n"),
        ("both", "Subject: Automatic reply: [alpha] Invitation\r\nX-Auto-Response-Suppress: All\r\n"),
    ] {
        let mail = camp.answer("red", "invitation", id, &text);
        camp.post(mail.replace("Subject: Re: orders\r\n", marked));
        settle(&mut host);
        assert_eq!((camp.count("red", "receipt"), camp.count("red", "refusal")), (0, 0), "{id}");
    }
    // A server that marks all mail of its people so marks their JOIN too.
    let mail = camp.answer("red", "invitation", "join", &format!("JOIN\r\n\r\n{quotation}"));
    camp.post(mail.replace("Subject: Re: orders\r\n", "Subject: Re: x\r\nX-Auto-Response-Suppress: All\r\n"));
    settle(&mut host);
    assert_eq!(camp.count("red", "receipt"), 1);
}

#[test]
fn a_line_join_on_top_or_in_the_quoted_form_takes_the_seat() {
    let (camp, mut host) = invited();
    let text = |seat: &str| quoted(&camp.newest(seat, "invitation"));
    let answers = [
        ("red", format!("JOIN\r\n\r\n{}", text("red"))),
        ("blue", text("blue").replace("> # JOIN", "> JOIN").replace("> salt:", "> salt: nine geese")),
        ("umpire", format!("Hello,\r\n\r\njoin!\r\n\r\nThe umpire\r\n\r\n{}", text("umpire"))),
    ];
    for (seat, text) in answers {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), &text));
    }
    settle(&mut host);
    assert_eq!(verdicts(&mut host), ["accepted"; 3]);
    assert_eq!(camp.count("red", "dispatch"), 1, "the game has begun");
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn decline_frees_the_seat_and_tells_all() {
    let (camp, mut host) = invited();
    // Even a seat that was confirmed before.
    camp.post(camp.answer("red", "invitation", "join", "JOIN"));
    let quotation = quoted(&camp.newest("red", "invitation"));
    camp.post(camp.answer(
        "red",
        "invitation",
        "decline",
        &format!("Decline.\r\n\r\nSorry!\r\n\r\n{quotation}"),
    ));
    settle(&mut host);
    // It had accepted, so it confirms that it goes.
    let asked = camp.newest("red", "answer").body.unwrap().text;
    let code = asked.lines().find(|line| line.starts_with("CONFIRM ")).unwrap_or_else(|| panic!("{asked}"));
    camp.post(camp.answer("red", "answer", "sure", code));
    settle(&mut host);
    let answers = camp.mails(&player("red"));
    assert!(answers.iter().any(|mail| words(mail).contains("You have declined the seat")));
    let told = camp.newest("blue", "notice");
    assert!(words(&told).contains("The red player has declined, and the seat is free."), "{}", words(&told));
    let gm = camp.mails(GM).into_iter().find(|mail| mail.subject == "[alpha] a player has declined").unwrap();
    assert!(words(&gm).contains("The red player (red@players.example) has declined."), "{}", words(&gm));
    for seat in ["blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN"));
    }
    settle(&mut host);
    assert_eq!(camp.count("blue", "dispatch"), 0, "the game waits for somebody else");
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    let red = games[0].seats.iter().find(|one| one.seat == seat("red")).unwrap();
    assert_eq!((red.player.as_str(), red.owes), ("nobody", true));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn who_has_joined_and_writes_again_hears_that_the_seat_is_confirmed() {
    let (camp, mut host) = invited();
    camp.post(camp.answer("red", "invitation", "join", "JOIN"));
    camp.post(camp.answer("red", "invitation", "thanks", "Thanks, see you on the ridge!"));
    settle(&mut host);
    let receipt = words(&camp.newest("red", "receipt"));
    assert!(receipt.contains("Ready yes: the game begins when every seat has confirmed"), "{receipt}");
    assert!(receipt.contains("No salt: send JOIN again with a line `salt: `"), "{receipt}");
    assert!(words(&camp.newest("red", "refusal")).contains("Your seat is confirmed already"));
}

#[test]
fn decline_gives_up_no_seat_of_a_game_that_has_begun() {
    let (camp, mut host) = invited();
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", seat, "JOIN"));
    }
    settle(&mut host);
    assert!(camp.count("red", "dispatch") > 0);
    camp.post(camp.answer("red", "dispatch", "peace", "Decline."));
    settle(&mut host);
    assert!(words(&camp.newest("red", "answer")).contains("RESIGN gives your seat up"));
    camp.post(camp.answer("red", "dispatch", "on", "BID 1"));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().unwrap(), "accepted");
}
