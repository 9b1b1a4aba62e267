//! Relays that are broken or mean: no letter is lost, and none is refused for what the relay has against us.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use musterd::post::{Outcome, Parcel, Relay, Security, Server, SmtpRelay, send_many};

use crate::scripted::Mischief::{self, Cut, Drip, Flood, Say, Slow, Stall};
use crate::scripted::{Script, at, hastily, serve};

/// A well-behaved SMTP server without login.
pub(crate) fn smtp(line: &str) -> String {
    let reply = match line.split([' ', ':']).next().unwrap_or_default() {
        "greeting" => "220 ready",
        "EHLO" => "250-hello\r\n250 8BITMIME",
        "MAIL" | "RCPT" | "NOOP" | "RSET" | "." => "250 ok",
        "DATA" => "354 go on",
        "QUIT" => "221 bye",
        // Lines of the letter are not answered.
        _ => return String::new(),
    };
    format!("{reply}\r\n")
}

/// How long a scripted server has to take over a letter.
const SOON: Duration = Duration::from_millis(800);

/// Sends a letter to one recipient through a server with this script; the outcome, and the lines the server heard.
fn outcome(script: impl Script) -> (Outcome, Vec<String>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let listening = move |number: usize, line: &str| {
        ears.lock().unwrap().push(line.to_owned());
        script(number, line)
    };
    let relay = SmtpRelay::new(&Server { login: None, ..hastily(serve(listening, smtp)) }, 2).unwrap();
    let relay = relay.accepting_within(SOON);
    let letter = b"Message-ID: <1@gm>\r\n\r\n.\r\nthe end\r\n";
    let (to, outcome) = relay.send("gm@localhost", &["ney@localhost".to_owned()], letter).remove(0);
    assert_eq!(to, "ney@localhost");
    let heard = heard.lock().unwrap().clone();
    (outcome, heard)
}

#[test]
fn what_the_relay_answers_decides_whether_to_try_again() {
    let answers = |command: &'static str, reply: &'static str| {
        outcome(move |_, line| line.starts_with(command).then(|| Say(format!("{reply}\r\n")))).0
    };
    assert!(matches!(outcome(|_, _| None).0, Outcome::Accepted(reply) if reply.starts_with("250")));
    assert!(
        matches!(answers("RCPT", "450 greylisted"), Outcome::Deferred(why) if why.contains("greylisted"))
    );
    assert!(matches!(answers(".", "452 disk full"), Outcome::Deferred(_)));
    assert!(
        matches!(answers("RCPT", "550 no such user"), Outcome::Refused(why) if why.contains("no such user"))
    );
    assert!(matches!(answers(".", "550 5.1.1 no such user"), Outcome::Refused(_)));
    // These refuse us, not the letter.
    for (command, reply) in [
        ("greeting", "554 go away"),
        ("greeting", "421 too busy"),
        ("EHLO", "nonsense"),
        ("EHLO", "502 what?"),
        ("EHLO", "451 4.3.0 not now"),
        ("MAIL", "452 4.3.1 Insufficient system storage"),
        ("MAIL", "451 4.7.1 too much from you"),
        ("MAIL", "530 log in first"),
        ("MAIL", "421 too much from you"),
        ("MAIL", "553 5.7.1 sender address rejected: not owned by user gm"),
        ("MAIL", "552 5.3.4 no room"),
    ] {
        let outcome = answers(command, reply);
        assert!(matches!(&outcome, Outcome::Unreached(_)), "{command} {reply}: {outcome:?}");
    }
    // No answer to what was said: whatever it means, the letter was not taken. And what says nothing of the recipient.
    for (command, reply) in [
        ("DATA", "250 ok"),
        ("RCPT", "354 go on"),
        ("RCPT", "554 5.7.1 <ney@localhost>: Relay access denied"),
        ("RCPT", "454 4.7.1 <ney@localhost>: Relay access denied"),
        ("RCPT", "550 5.1.8 <gm@localhost>: Sender address rejected: Domain not found"),
        ("RCPT", "550 5.1.0 <gm@localhost>: Sender address rejected: User unknown in local recipient table"),
        ("RCPT", "504 5.5.2 <host>: Helo command rejected: need fully-qualified hostname"),
        ("RCPT", "421 4.3.2 this recipient's server closes"),
        ("DATA", "554 no"),
        (".", "552 too large"),
        (".", "554 Message rejected: looks like spam"),
        (".", "421 4.3.2 shutting down"),
    ] {
        let outcome = answers(command, reply);
        assert!(matches!(&outcome, Outcome::Deferred(_)), "{command} {reply}: {outcome:?}");
    }
    // What asks for another login is the operator's matter, whatever letter it is said over.
    for (command, reply) in [
        ("RCPT", "530 5.7.0 log in first"),
        ("RCPT", "534 5.7.9 a stronger login"),
        ("RCPT", "454 4.7.0 temporary authentication failure"),
        ("RCPT", "538 not without encryption"),
        (".", "454 4.3.0 not now"),
    ] {
        let outcome = answers(command, reply);
        assert!(matches!(&outcome, Outcome::Login(_)), "{command} {reply}: {outcome:?}");
    }
    // After the letter it may have been.
    for reply in ["354 go on", "999 taken", "well then"] {
        let outcome = answers(".", reply);
        assert!(matches!(&outcome, Outcome::Unclear(_)), "{reply}: {outcome:?}");
    }
}

#[test]
fn a_server_that_has_the_letter_is_given_time_and_not_the_letter_again() {
    // Longer than the silence that is borne elsewhere.
    let (slow, _) =
        outcome(|_, line| (line == ".").then(|| Slow("250 2.0.0 taken over at last\r\n".to_owned())));
    assert!(matches!(slow, Outcome::Accepted(_)), "{slow:?}");
    let long = "250 ".to_owned() + &"x".repeat(1_000_000) + "\r\n";
    let mischief: [fn(&str) -> Mischief; 4] = [
        |_| Stall(String::new()),
        |_| Cut(String::new()),
        |_| Cut("250-taken".to_owned()),
        |long| Say(long.to_owned()),
    ];
    for (n, make) in mischief.into_iter().enumerate() {
        let long = long.clone();
        let (outcome, heard) = outcome(move |_, line| (line == ".").then(|| make(&long)));
        assert!(matches!(&outcome, Outcome::Unclear(why) if !why.is_empty()), "{n}: {outcome:?}");
        let copies = heard.iter().filter(|line| *line == "Message-ID: <1@gm>").count();
        assert_eq!(copies, 1, "{n}");
        let end = heard.iter().position(|line| line == "the end").unwrap();
        // The lone dot of the letter was escaped, and nothing follows its last line.
        assert_eq!((heard[end - 1].as_str(), heard[end + 1].as_str()), ("..", "."));
    }
    // That it is not taken now is clear enough.
    let (clear, heard) = outcome_of_421();
    assert!(matches!(clear, Outcome::Deferred(_)), "{clear:?}");
    assert_eq!(heard.iter().filter(|line| *line == "Message-ID: <1@gm>").count(), 1);
}

fn outcome_of_421() -> (Outcome, Vec<String>) {
    outcome(|_, line| (line == ".").then(|| Cut("421 4.3.2 shutting down\r\n".to_owned())))
}

#[test]
fn a_relay_that_falls_silent_costs_three_silences_not_one_a_letter() {
    let tries = Arc::new(Mutex::new(0));
    let count = Arc::clone(&tries);
    let relay = relay(move |_, line| {
        line.starts_with("RCPT").then(|| {
            *count.lock().unwrap() += 1;
            Stall(String::new())
        })
    });
    let parcels: Vec<Parcel> = (0..64).map(parcel).collect();
    let mut signs = 0;
    let outcomes = send_many(&relay, &parcels, 3, &mut || {
        signs += 1;
        true
    });
    let unreached = outcomes.iter().filter(|o| matches!(o[0].1, Outcome::Unreached(_))).count();
    let deferred = outcomes.iter().filter(|o| matches!(o[0].1, Outcome::Deferred(_))).count();
    assert_eq!(unreached + deferred, 64, "{outcomes:?}");
    // Those that were under way when the third was given up.
    assert!((2..=6).contains(&deferred) && *tries.lock().unwrap() <= 6, "{deferred}");
    assert!(signs >= 3, "whoever waits has time for other work with each answer: {signs}");
}

#[test]
fn a_relay_that_stalls_or_breaks_off_is_tried_again_later() {
    assert!(matches!(
        outcome(|_, l| (l == "greeting").then(|| Stall(String::new()))).0,
        Outcome::Unreached(_)
    ));
    let (cut, heard) = outcome(|_, l| l.starts_with("RCPT").then(|| Cut(String::new())));
    assert!(matches!(cut, Outcome::Deferred(_)));
    // Once more at once, for a connection may just have died; then later.
    assert_eq!(heard.iter().filter(|line| line.starts_with("RCPT")).count(), 2, "{heard:?}");
}

#[test]
fn a_relay_that_does_not_answer_is_told_of_in_words() {
    for command in ["greeting", "RCPT"] {
        let silent = outcome(move |_, line| line.starts_with(command).then(|| Stall(String::new()))).0;
        let (Outcome::Unreached(why) | Outcome::Deferred(why)) = silent else { panic!("{silent:?}") };
        assert!(why.contains("the longest silence allowed is 0.4 s"), "{command}: {why}");
    }
}

#[test]
fn behind_a_letter_that_goes_ahead_none_is_begun_once_no_more_are_to_be() {
    let begun = Arc::new(Mutex::new(0));
    let count = Arc::clone(&begun);
    let relay = relay(move |_, line| {
        *count.lock().unwrap() += usize::from(line.starts_with("RCPT"));
        if line == "." {
            // Longer than it takes to ask whether there is more to be begun.
            std::thread::sleep(Duration::from_secs(2));
        }
        None
    });
    let relay = relay.accepting_within(Duration::from_secs(30));
    let parcels: Vec<Parcel> = (0..5).map(parcel).collect();
    let outcomes = send_many(&relay, &parcels, 3, &mut || false);
    let had: Vec<usize> = outcomes.iter().map(Vec::len).collect();
    assert_eq!((had, *begun.lock().unwrap()), (vec![1, 0, 0, 0, 0], 1), "{outcomes:?}");
}

#[test]
fn letters_under_way_are_given_up_soon_after_the_stop_and_counted_where_they_may_have_been_taken() {
    for (command, may_have_been_taken) in [(".", true), ("RCPT", false)] {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        let port = serve(
            move |_: usize, line: &str| {
                ears.lock().unwrap().push(line.to_owned());
                if line.starts_with(command) {
                    // Until well after the letter was given up.
                    std::thread::sleep(Duration::from_secs(4));
                }
                None
            },
            smtp_with_login,
        );
        // That bears half a minute of silence, and ten minutes behind the letter.
        let relay = SmtpRelay::new(&at(port), 1).unwrap();
        let mut outcomes = send_many(&relay, &[parcel(0)], 1, &mut || {
            relay.stop_within(Duration::from_millis(500));
            false
        });
        let outcome = outcomes.remove(0).remove(0).1;
        let unclear = matches!(&outcome, Outcome::Unclear(why) if why.contains("stopped"));
        let deferred = matches!(&outcome, Outcome::Deferred(why) if why.contains("stopped"));
        assert_eq!((unclear, deferred), (may_have_been_taken, !may_have_been_taken), "{outcome:?}");
        // The server goes on, and isn't given a letter that counts as not sent.
        std::thread::sleep(Duration::from_secs(5));
        let heard = heard.lock().unwrap();
        assert!(may_have_been_taken || heard.iter().any(|line| line == "DATA"), "{heard:?}");
        assert_eq!(heard.iter().any(|line| line == "letter 0"), may_have_been_taken, "{heard:?}");
    }
}

#[test]
fn a_letter_that_nobody_waits_for_is_begun_on_no_other_connection() {
    let connections = Arc::new(Mutex::new(0));
    let count = Arc::clone(&connections);
    let letters = Mutex::new(0);
    let relay = relay(move |number, line| {
        *count.lock().unwrap() += usize::from(line == "greeting");
        let mut letters = letters.lock().unwrap();
        *letters += usize::from(line.starts_with("MAIL"));
        // The connection kept from the first letter falls silent over the second.
        (number == 0 && *letters == 2).then(|| Stall(String::new()))
    });
    assert!(matches!(send_one(&relay, 0), Outcome::Accepted(_)));
    relay.stop_within(Duration::from_millis(100));
    let outcome = send_one(&relay, 1);
    assert!(matches!(&outcome, Outcome::Deferred(why) if why.contains("stopped")), "{outcome:?}");
    // Longer than silence is borne.
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(*connections.lock().unwrap(), 1);
}

/// A relay behind a network that swallows everything; it counts the tries.
struct Swallowed(Mutex<usize>);

impl Relay for Swallowed {
    fn send(&self, _: &str, to: &[String], _: &[u8]) -> Vec<(String, Outcome)> {
        *self.0.lock().unwrap() += 1;
        to.iter().map(|to| (to.clone(), Outcome::Unreached("timed out".to_owned()))).collect()
    }
}

#[test]
fn a_relay_out_of_reach_costs_one_silence_not_one_a_letter() {
    let relay = Swallowed(Mutex::new(0));
    let parcel = |n| Parcel { from: "gm@x".to_owned(), to: vec![format!("p{n}@x")], raw: Vec::new() };
    let parcels: Vec<Parcel> = (0..20).map(parcel).collect();
    let outcomes = send_many(&relay, &parcels, 1, &mut || true);
    assert_eq!(*relay.0.lock().unwrap(), 1);
    for (parcel, outcome) in parcels.iter().zip(outcomes) {
        assert_eq!(outcome, [(parcel.to[0].clone(), Outcome::Unreached("timed out".to_owned()))]);
    }
}

/// A relay on a server with this script, with a login.
fn relay(script: impl Script) -> SmtpRelay {
    SmtpRelay::new(&hastily(serve(script, smtp_with_login)), 4).unwrap().accepting_within(SOON)
}

fn smtp_with_login(line: &str) -> String {
    match line.split(' ').next() {
        Some("EHLO") => "250-hello\r\n250 AUTH PLAIN LOGIN\r\n".to_owned(),
        Some("AUTH") => "235 welcome\r\n".to_owned(),
        _ => smtp(line),
    }
}

fn parcel(n: usize) -> Parcel {
    let raw = format!("Message-ID: <{n}@gm>\r\n\r\nletter {n}\r\n").into_bytes();
    Parcel { from: "gm@localhost".to_owned(), to: vec![format!("p{n}@localhost")], raw }
}

fn send_one(relay: &SmtpRelay, n: usize) -> Outcome {
    let Parcel { from, to, raw } = parcel(n);
    relay.send(&from, &to, &raw).remove(0).1
}

#[test]
fn a_login_that_is_refused_lets_all_mail_wait_and_is_not_tried_with_each() {
    let (logins, wrong) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(true)));
    let (count, state) = (Arc::clone(&logins), Arc::clone(&wrong));
    let relay = relay(move |_, line| {
        let login = line.starts_with("AUTH");
        *count.lock().unwrap() += usize::from(login);
        (login && *state.lock().unwrap()).then(|| Say("535 5.7.8 wrong\r\n".to_owned()))
    });
    let parcels: Vec<Parcel> = (0..20).map(parcel).collect();
    for outcomes in send_many(&relay, &parcels, 4, &mut || true) {
        let why = match &outcomes[0].1 {
            Outcome::Unreached(why) => why,
            other => panic!("no letter is at fault: {other:?}"),
        };
        assert!(why.contains("535") && why.contains("`gm`") && !why.contains("sesame"), "{why}");
    }
    assert_eq!(*logins.lock().unwrap(), 1);
    *wrong.lock().unwrap() = false;
    while !matches!(send_one(&relay, 1), Outcome::Accepted(_)) {}
    let outcomes = send_many(&relay, &parcels, 4, &mut || true);
    assert!(outcomes.iter().all(|o| matches!(o[0].1, Outcome::Accepted(_))), "{outcomes:?}");
}

#[test]
fn a_server_without_starttls_or_login_gets_no_letter_and_no_password() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let refused = |security, duty| {
        let ears = Arc::clone(&heard);
        let listening = move |_: usize, line: &str| {
            ears.lock().unwrap().push(line.to_owned());
            line.starts_with("STARTTLS").then(|| Say("454 not now\r\n".to_owned()))
        };
        let server = Server { security, ..hastily(serve(listening, duty)) };
        match send_one(&SmtpRelay::new(&server, 1).unwrap(), 1) {
            Outcome::Unreached(why) => why,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(Security::StartTls, smtp_with_login).contains("STARTTLS"));
    let offering = |line: &str| smtp_with_login(line).replace("250-hello", "250-hello\r\n250-STARTTLS");
    assert!(refused(Security::StartTls, offering).contains("454"));
    assert!(refused(Security::PlainOnLoopback, smtp).contains("authentication mechanism"));
    let heard = heard.lock().unwrap().join("\n");
    assert!(!heard.contains("AUTH") && !heard.contains("MAIL"), "{heard}");
}

#[test]
fn a_grey_list_delays_one_letter_and_no_other() {
    let relay = relay(|number, line| {
        (number == 0 && line.contains("p1@"))
            .then(|| Say("450 4.2.0 greylisted, come back later\r\n".to_owned()))
    });
    let parcels: Vec<Parcel> = (0..3).map(parcel).collect();
    let outcomes: Vec<Outcome> =
        send_many(&relay, &parcels, 1, &mut || true).into_iter().map(|mut o| o.remove(0).1).collect();
    assert!(
        matches!(&outcomes[..], [Outcome::Accepted(_), Outcome::Deferred(why), Outcome::Accepted(_)] if why.contains("greylisted")),
        "{outcomes:?}"
    );
}

#[test]
fn a_server_that_closes_over_one_recipient_costs_no_other_letter() {
    for reply in ["421 4.7.0 too many letters for this one", "454 4.7.1 Relay access denied"] {
        let relay =
            relay(move |_, line| line.starts_with("RCPT TO:<p0@").then(|| Cut(format!("{reply}\r\n"))));
        let parcels: Vec<Parcel> = (0..4).map(parcel).collect();
        let outcomes: Vec<Outcome> =
            send_many(&relay, &parcels, 1, &mut || true).into_iter().map(|mut o| o.remove(0).1).collect();
        assert!(matches!(&outcomes[0], Outcome::Deferred(_)), "{outcomes:?}");
        assert!(outcomes[1..].iter().all(|o| matches!(o, Outcome::Accepted(_))), "{outcomes:?}");
    }
    // To one person after the other it is the server that says so.
    for reply in ["421 4.3.2 no more", "454 4.7.0 log in again"] {
        let relay = relay(move |_, line| line.starts_with("RCPT").then(|| Cut(format!("{reply}\r\n"))));
        let parcels: Vec<Parcel> = (0..10).map(parcel).collect();
        let outcomes = send_many(&relay, &parcels, 1, &mut || true);
        let unreached = outcomes.iter().filter(|o| matches!(o[0].1, Outcome::Unreached(_))).count();
        assert_eq!(unreached, 8, "{outcomes:?}");
    }
}

#[test]
fn however_many_letters_fail_over_one_recipient_only_these_wait() {
    for (reply, workers) in [("421 4.7.0 too many", 3), ("454 4.3.0 later", 1), ("530 5.7.0 log in", 1)] {
        let tries = Arc::new(Mutex::new(0));
        let count = Arc::clone(&tries);
        let relay = relay(move |_, line| {
            line.starts_with("RCPT TO:<p0@").then(|| {
                *count.lock().unwrap() += 1;
                Cut(format!("{reply}\r\n"))
            })
        });
        // His come first.
        let parcels: Vec<Parcel> = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3].into_iter().map(parcel).collect();
        let outcomes = send_many(&relay, &parcels, workers, &mut || true);
        for (n, outcome) in outcomes.iter().enumerate() {
            let waits = matches!(outcome[0].1, Outcome::Deferred(_) | Outcome::Login(_));
            let sent = matches!(outcome[0].1, Outcome::Accepted(_));
            assert_eq!((waits, sent), (n < 8, n >= 8), "{reply}: {outcomes:?}");
        }
        assert_eq!(*tries.lock().unwrap(), 1, "{reply}: the others wait without a try");
    }
}

#[test]
fn a_relay_that_is_back_is_found_though_the_first_to_be_tried_still_fails() {
    let all = Arc::new(Mutex::new(true));
    let state = Arc::clone(&all);
    let relay = relay(move |_, line| {
        let fails = line.starts_with("RCPT") && (line.contains("p0@") || *state.lock().unwrap());
        fails.then(|| Cut("421 4.3.2 no more\r\n".to_owned()))
    });
    let parcels: Vec<Parcel> = (0..6).map(parcel).collect();
    let taken = || {
        let outcomes = send_many(&relay, &parcels, 1, &mut || true);
        outcomes.iter().filter(|o| matches!(o[0].1, Outcome::Accepted(_))).count()
    };
    assert_eq!(taken(), 0);
    *all.lock().unwrap() = false;
    // The pauses of this relay are some seconds at most.
    let found = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        taken() > 0
    });
    assert!(found, "one recipient holds everybody's mail");
}

#[test]
fn recipients_are_refused_one_by_one_on_one_connection() {
    let connections = Arc::new(Mutex::new(0));
    let count = Arc::clone(&connections);
    let relay = relay(move |_, line| {
        *count.lock().unwrap() += usize::from(line == "greeting");
        let gone = line.starts_with("RCPT") && (line.contains("p1@") || line.contains("p3@"));
        gone.then(|| Say("550 5.1.1 no such user\r\n".to_owned()))
    });
    let to: Vec<String> = (0..5).map(|n| format!("p{n}@localhost")).collect();
    let outcomes = relay.send("gm@localhost", &to, b"Subject: x\r\n\r\nx\r\n");
    let taken: Vec<bool> = outcomes.iter().map(|(_, o)| matches!(o, Outcome::Accepted(_))).collect();
    assert_eq!(taken, [true, false, true, false, true], "{outcomes:?}");
    assert!(
        outcomes.iter().all(|(_, o)| matches!(o, Outcome::Accepted(_) | Outcome::Refused(_))),
        "{outcomes:?}"
    );
    assert_eq!(*connections.lock().unwrap(), 1);
}

#[test]
fn a_connection_that_died_between_two_letters_costs_no_letter() {
    let deaths: [fn() -> Mischief; 3] =
        [|| Cut(String::new()), || Cut("421 4.4.2 timeout exceeded\r\n".to_owned()), || Stall(String::new())];
    for death in deaths {
        let letters = Mutex::new(0);
        let relay = relay(move |number, line| {
            let mut letters = letters.lock().unwrap();
            *letters += usize::from(number == 0 && line.starts_with("MAIL"));
            (number == 0 && *letters == 2).then(death)
        });
        for n in 0..3 {
            let outcome = send_one(&relay, n);
            assert!(matches!(outcome, Outcome::Accepted(_)), "letter {n}: {outcome:?}");
        }
    }
}

#[test]
fn a_letter_cut_off_in_its_middle_is_sent_again_whole() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let relay = relay(move |number, line| {
        ears.lock().unwrap().push(line.to_owned());
        (number == 0 && line == "letter 1").then(|| Cut(String::new()))
    });
    // Whether the server had all of it can't be known here: it is for whoever sends it to try again, later.
    assert!(matches!(send_one(&relay, 1), Outcome::Unclear(_)));
    assert!(matches!(send_one(&relay, 1), Outcome::Accepted(_)));
    let heard = heard.lock().unwrap();
    let whole = heard.iter().rposition(|line| line == "Message-ID: <1@gm>").unwrap();
    assert_eq!(heard[whole..whole + 4], ["Message-ID: <1@gm>", "", "letter 1", "."]);
}

#[test]
fn a_slow_relay_is_waited_for_and_one_that_drips_is_not() {
    let (slow, _) = outcome(|_, line| line.starts_with("RCPT").then(|| Slow("250 well then\r\n".to_owned())));
    assert!(matches!(slow, Outcome::Accepted(_)), "{slow:?}");
    let impatient = |port| Server { timeout: Duration::from_millis(150), login: None, ..hastily(port) };
    let relay =
        SmtpRelay::new(&impatient(serve(|_, line| line.starts_with("RCPT").then_some(Drip(b'2')), smtp)), 1)
            .unwrap();
    let outcome = send_one(&relay.accepting_within(SOON), 1);
    assert!(matches!(outcome, Outcome::Deferred(_)), "{outcome:?}");
}

#[test]
fn a_relay_that_never_stops_talking_is_cut_off() {
    let (outcome, _) = outcome(|_, line| line.starts_with("RCPT").then(|| Flood("250-more\r\n".to_owned())));
    assert!(matches!(&outcome, Outcome::Deferred(_) | Outcome::Unreached(_)), "{outcome:?}");
}

#[test]
fn leave_is_taken_of_a_server_that_does_not_listen() {
    let relay = relay(|_, line| (line == "QUIT").then(|| Stall(String::new())));
    assert!(matches!(send_one(&relay, 1), Outcome::Accepted(_)));
    drop(relay);
}

#[test]
fn a_letter_can_not_say_more_than_itself() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let relay = relay(move |_, line| {
        ears.lock().unwrap().push(line.to_owned());
        None
    });
    let smuggled = b"Subject: x\r\n\r\nx\n.\r\nWhat follows was not said.\r\n";
    let outcomes = relay.send("gm@localhost", &["ney@localhost".to_owned()], smuggled);
    assert!(matches!(outcomes[0].1, Outcome::Accepted(_)), "{outcomes:?}");
    let heard = heard.lock().unwrap();
    let end = heard.iter().position(|line| line == ".").unwrap();
    assert_eq!(heard[end - 2..end], ["..", "What follows was not said."]);
}
