//! What a stranger asks is answered: after the note that tells how, below a greeting, and below a quotation.

use super::*;

/// The answers that came to somebody, by their subjects.
fn subjects(camp: &Camp, address: &str) -> Vec<String> {
    camp.mails(address).into_iter().map(|mail| mail.subject).collect()
}

fn host_with_a_free_seat() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    another(
        &mut host,
        "alpha",
        &[("red", &player("red")), ("blue", "open"), ("umpire", "computer")],
        Terms::default(),
    );
    settle(&mut host);
    (camp, host)
}

/// A mail quoted below what its reader answers.
fn quoted(written: &str, mail: &Letter) -> String {
    let lines: String = text(mail).lines().map(|line| format!("> {line}\r\n")).collect();
    format!("{written}\r\n\r\nOn Sat, Nov 21, 2026 at 12:00 PM The umpire <{HOST}> wrote:\r\n\r\n{lines}")
}

#[test]
fn who_does_what_the_note_says_is_answered_the_same_day() {
    let (camp, mut host) = host_with_a_free_seat();
    camp.post(guest_mail(ANNA, "hello", "Hello, what is this?\r\n"));
    settle(&mut host);
    assert_eq!(subjects(&camp, ANNA), ["How to play here"]);
    says(&camp.mails(ANNA)[0], "the one word LIST as its text");
    says(&guest(&camp, &mut host, ANNA, "list", "LIST\r\n"), "JOIN alpha blue");
    says(&guest(&camp, &mut host, ANNA, "help", "HELP seats\r\n"), "STANDBY alpha");
    // The note itself comes once.
    camp.post(guest_mail(ANNA, "hello again", "Hello?\r\n"));
    for n in 0..10 {
        camp.post(guest_mail(ANNA, &format!("more-{n}"), "LIST\r\n"));
    }
    settle(&mut host);
    assert_eq!(subjects(&camp, ANNA).len(), 6, "the note, and five answers a day");
}

#[test]
fn a_command_below_a_greeting_is_told_to_stand_first() {
    let (camp, mut host) = host_with_a_free_seat();
    let mail = guest_mail(ANNA, "list", "Hello,\r\n\r\nJOIN alpha blue\r\n\r\nAnna\r\n");
    for _ in 0..2 {
        camp.post(&mail);
    }
    settle(&mut host);
    assert_eq!(
        subjects(&camp, ANNA),
        ["not accepted: a command stands first in a mail"],
        "a copy is no second mail"
    );
    says(&camp.mails(ANNA)[0], "Its line \"JOIN alpha blue\" can be a command to the host");
    confirm_line(&guest(&camp, &mut host, ANNA, "first", "JOIN alpha blue\r\n"));
    for n in 0..10 {
        camp.post(guest_mail(ANNA, &format!("greeting-{n}"), "Hello,\r\nLIST\r\n"));
    }
    settle(&mut host);
    assert_eq!(subjects(&camp, ANNA).len(), 4, "three such notes a day");
}

#[test]
fn a_code_counts_below_a_greeting_and_not_in_a_quotation() {
    let (camp, mut host) = host_with_a_free_seat();
    let offer = guest(&camp, &mut host, ANNA, "join", "JOIN alpha blue\r\n");
    says(&offer, "with this line on top:");
    camp.post(guest_mail(ANNA, "yes", &quoted("Yes please!", &offer)));
    settle(&mut host);
    assert!(changes(&mut host).is_empty() && camp.mails(ANNA).len() == 2);
    says(&camp.mails(ANNA)[1], "what is only quoted asks for nothing");
    let answer = guest(
        &camp,
        &mut host,
        ANNA,
        "hi",
        &quoted(&format!("Hi,\r\n\r\n{}\r\n", confirm_line(&offer)), &offer),
    );
    says(&answer, "You play the blue player in alpha.");
}

#[test]
fn a_new_address_that_says_yes_is_told_to_write_the_code() {
    const WORK: &str = "red@work.example";
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    asked(&camp, &mut host, "red", "add", &format!("ADDRESS ADD {WORK}\r\n"));
    let question = camp.mails(WORK).remove(0);
    let answer = |id: &str, text: &str| {
        let to = question.reply_to.first().map_or(HOST, String::as_str);
        let mail = Mail { from: WORK, to, id, in_reply_to: question.message_id.as_deref(), text }.raw();
        mail.replace("Re: orders", &format!("Re: {}", question.subject))
    };
    let before = journal(&mut host).len();
    camp.post(answer("yes", &quoted("Yes, that's me!", &question)));
    settle(&mut host);
    let mails = camp.mails(WORK);
    let answered = mails.iter().find(|mail| mail.message_id != question.message_id).unwrap();
    says(answered, "write that line on top");
    assert_eq!(journal(&mut host).len(), before, "nobody claimed to be a player");
    camp.post(answer("code", &quoted(&format!("Hi!\r\n{}", confirm_line(&question)), &question)));
    settle(&mut host);
    says(&answer_to(&camp, WORK, "code"), "Mails from this address count for your seat in alpha");
    checked(&camp, &mut host);
}
