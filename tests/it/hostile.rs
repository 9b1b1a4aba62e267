//! Servers that are broken or mean: none stops a drain or a watch, and none makes it lose mail.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use musterd::post::{
    Cursor, Finish, ImapSource, ImapWatch, Outcome, Parcel, Position, PostError, Relay, Security, Server,
    SmtpRelay, Source, Wake, send_many,
};

use crate::post::Memory;

const LIMIT: u64 = 100_000;

/// What a scripted server does instead of its duty.
pub(crate) enum Mischief {
    /// Says this, and goes on.
    Say(String),
    /// Says this and closes the connection.
    Cut(String),
    /// Says this and then nothing, with the connection open.
    Stall(String),
    /// Says this byte by byte, slowly and for ever.
    Drip(u8),
}
use Mischief::{Cut, Drip, Say, Stall};

/// Decides on mischief from the number of the connection and the line received (`greeting` at first); `None` is duty.
pub(crate) trait Script: Fn(usize, &str) -> Option<Mischief> + Send + Sync + 'static {}
impl<F: Fn(usize, &str) -> Option<Mischief> + Send + Sync + 'static> Script for F {}

/// Serves every connection by `duty`, except where the script has other ideas; the port. Ends with the test process.
pub(crate) fn serve(script: impl Script, duty: fn(&str) -> String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let script = Arc::new(script);
        for (number, stream) in listener.incoming().enumerate() {
            let script = Arc::clone(&script);
            thread::spawn(move || converse(&stream.unwrap(), number, &*script, duty));
        }
    });
    port
}

/// One connection; ends when the client is gone, so its errors say nothing.
fn converse(
    mut stream: &TcpStream,
    number: usize,
    script: &dyn Fn(usize, &str) -> Option<Mischief>,
    duty: fn(&str) -> String,
) {
    let mut lines = BufReader::new(stream).lines();
    let mut line = "greeting".to_owned();
    loop {
        let tag = line.split(' ').next().unwrap_or_default().to_owned();
        let written = match script(number, &line) {
            None => stream.write_all(duty(&line).as_bytes()),
            Some(Say(text)) => stream.write_all(text.replace("TAG", &tag).as_bytes()),
            Some(Cut(text)) => {
                let _ = stream.write_all(text.replace("TAG", &tag).as_bytes());
                let _ = stream.shutdown(std::net::Shutdown::Both);
                return;
            }
            Some(Stall(text)) => {
                let _ = stream.write_all(text.replace("TAG", &tag).as_bytes());
                let _ = stream.read_to_end(&mut Vec::new());
                return;
            }
            Some(Drip(byte)) => {
                while stream.write_all(&[byte]).is_ok() {
                    thread::sleep(Duration::from_millis(20));
                }
                return;
            }
        };
        let Some(Ok(next)) = written.ok().and_then(|()| lines.next()) else { return };
        line = next;
    }
}

/// A well-behaved IMAP server with three letters, UIDs 1 to 3.
pub(crate) fn imap(line: &str) -> String {
    if line == "greeting" {
        return "* OK ready\r\n".to_owned();
    }
    let (tag, command) = line.split_once(' ').unwrap_or_default();
    let said: String = match command.split('(').next().unwrap_or_default().trim() {
        "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE\r\n".to_owned(),
        c if c.starts_with("SELECT") || c.starts_with("EXAMINE") => {
            "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 4] ok\r\n".to_owned()
        }
        c if c.starts_with("UID SEARCH UID") => {
            let from: u32 = c.trim_end_matches(":*").rsplit(' ').next().unwrap().parse().unwrap();
            // As RFC 3501 has it, `n:*` includes the last message always.
            let to = if c.ends_with(":*") { 3 } else { from };
            let found = (from.min(to)..=to).map(|uid| format!(" {uid}")).collect::<String>();
            format!("* SEARCH{found}\r\n")
        }
        c if c.starts_with("UID FETCH") => {
            let set = c.rsplit(' ').next().unwrap();
            let sizes = command.contains("RFC822.SIZE");
            uids(set).map(|uid| if sizes { size_item(uid) } else { body_item(uid) }).collect()
        }
        _ => String::new(),
    };
    format!("{said}{tag} OK done\r\n")
}

fn uids(set: &str) -> impl Iterator<Item = u32> {
    set.split(',').flat_map(|range| {
        let (from, to) = range.split_once(':').unwrap_or((range, range));
        from.parse::<u32>().unwrap()..=to.parse().unwrap()
    })
}

fn body(uid: u32) -> String {
    format!("Subject: letter {uid}\r\n\r\nmove\r\n")
}

fn size_item(uid: u32) -> String {
    format!("* {uid} FETCH (UID {uid} RFC822.SIZE {})\r\n", body(uid).len())
}

fn body_item(uid: u32) -> String {
    let body = body(uid);
    let date = "INTERNALDATE \"01-Jan-2024 00:00:00 +0000\"";
    format!("* {uid} FETCH (UID {uid} {date} BODY[] {{{}}}\r\n{body})\r\n", body.len())
}

/// Whether the line fetches the body of message 2, alone or among others.
fn fetches_two(line: &str) -> bool {
    line.split_once("UID FETCH ")
        .filter(|_| line.contains("BODY.PEEK"))
        .is_some_and(|(_, rest)| uids(rest.split(' ').next().unwrap()).any(|uid| uid == 2))
}

/// A scripted server, and the patience to wait for it on a busy machine.
fn at(port: u16) -> Server {
    Server {
        host: "127.0.0.1".to_owned(),
        port,
        security: Security::PlainOnLoopback,
        tls_ca: None,
        login: Some(("gm".to_owned(), musterd::post::Secret::new("sesame".to_owned()))),
        timeout: Duration::from_secs(30),
    }
}

/// The same with little patience, for servers that stall.
fn hastily(port: u16) -> Server {
    Server { timeout: Duration::from_millis(400), ..at(port) }
}

/// A cursor whose position the test can see.
#[derive(Clone, Default)]
struct Place(Arc<Mutex<Option<Position>>>);

impl Cursor for Place {
    fn load(&mut self) -> std::io::Result<Option<Position>> {
        Ok(*self.0.lock().unwrap())
    }

    fn save(&mut self, position: Position) -> std::io::Result<()> {
        *self.0.lock().unwrap() = Some(position);
        Ok(())
    }
}

fn source(server: Server, place: &Place) -> ImapSource {
    ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, LIMIT, Box::new(place.clone()))
}

/// What one drain says that must fail, and fail with nothing kept.
fn failure(script: impl Script) -> PostError {
    let mut kept = Memory::default();
    let error = source(hastily(serve(script, imap)), &Place::default()).drain(&mut kept).unwrap_err();
    assert_eq!(kept.0, []);
    error
}

#[test]
fn a_well_behaved_server_is_drained_once() {
    let (mut kept, place) = (Memory::default(), Place::default());
    let port = serve(|_, _| None, imap);
    assert_eq!(source(at(port), &place).drain(&mut kept).unwrap().kept, 3);
    assert_eq!(source(at(port), &place).drain(&mut kept).unwrap().kept, 0);
    assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"]);
    assert_eq!(*place.0.lock().unwrap(), Some(Position { uid_validity: 7, uid: 3 }));
    assert_eq!(kept.0[0].arrived, 1_704_067_200);
}

#[test]
fn a_server_that_does_not_greet_as_imap_is_named() {
    let greeting =
        |text: &'static str| failure(move |_, line| (line == "greeting").then(|| Say(text.to_owned())));
    for odd in ["220 mail ESMTP\r\n", "\u{1b}[2J\0\r\n", "* PREAUTH welcome\r\n", "* BYE busy\r\n", "\r\n"] {
        let error = greeting(odd);
        assert!(error.to_string().contains("no IMAP greeting"), "{odd:?}: {error}");
        assert!(error.is_temporary() && !error.to_string().contains('\u{1b}'), "{error}");
    }
    for silent in [
        failure(|_, line| (line == "greeting").then(|| Stall(String::new()))),
        failure(|_, line| (line == "greeting").then_some(Drip(b'x'))),
        failure(|_, line| (line == "greeting").then(|| Cut(String::new()))),
    ] {
        assert!(silent.to_string().contains("greeting"), "{silent}");
    }
}

#[test]
fn nonsense_in_the_middle_ends_the_drain_with_an_error() {
    let answers = |command: &'static str, answer: &'static str| {
        failure(move |_, line| line.contains(command).then(|| Say(answer.to_owned())))
    };
    let deep: &'static str =
        Box::leak(format!("* 1 FETCH (BODYSTRUCTURE {}\r\n", "(".repeat(100_000)).into_boxed_str());
    for (command, answer) in [
        ("LOGIN", "%%%%\r\n"),
        ("SELECT", "* )(\r\nTAG OK\r\n"),
        ("SELECT", "TAG NO no such folder\r\n"),
        ("SELECT", "TAG OK but without UIDVALIDITY\r\n"),
        ("SELECT", "a999 OK for somebody else\r\n"),
        ("SEARCH", "* BYE going down\r\nTAG OK\r\n\0\0\r\n"),
        ("SEARCH", "* SEARCH 1 two 3\r\nTAG OK\r\n"),
        ("SEARCH", deep),
        ("SIZE", "* 1 FETCH (UID 1 RFC822.SIZE -1)\r\nTAG OK\r\n"),
        ("SIZE", "* 1 FETCH (UID 99999999999 RFC822.SIZE 5)\r\nTAG OK\r\n"),
        ("SIZE", "* 1 FETCH (X {99999999999999999999}\r\n"),
    ] {
        println!("{command} answered by {answer:.40}");
        let error = answers(command, answer).to_string();
        assert!(error.starts_with("127.0.0.1:"), "{error}");
        assert!(!error.contains("sesame"), "{error}");
    }
}

#[test]
fn one_message_that_cannot_be_fetched_holds_up_no_other() {
    let item = |text: &str| format!("* 2 FETCH ({text} BODY[] {{9}}\r\nSubject:x)\r\nTAG OK\r\n");
    let date = "INTERNALDATE \"01-Jan-2024 00:00:00 +0000\"";
    let mischief: [fn(&str) -> Mischief; 7] = [
        |_| Stall("* 2 FETCH (UID 2 BODY[] {1000}\r\nSubject: let".to_owned()),
        |_| Cut("* 2 FETCH (UID 2 BODY[] {1000}\r\nSubject: let".to_owned()),
        |_| Stall("* 2 FETCH (UID 2 BODY[] {4000000000}\r\n".to_owned()),
        |item| Say(item.to_owned()),
        |_| Say("TAG NO cannot read that\r\n".to_owned()),
        |_| Say("TAG OK nothing\r\n".to_owned()),
        |_| Say("* 2 FETCH (UID 2 BODY[] NIL)\r\nTAG OK\r\n".to_owned()),
    ];
    for (n, make) in mischief.into_iter().enumerate() {
        // The fourth kind three times: without UID, without date, with somebody else's UID.
        for fields in [date.to_owned(), "UID 2".to_owned(), format!("UID 77 {date}")] {
            let healed = Arc::new(Mutex::new(false));
            let now = Arc::clone(&healed);
            let text = item(&fields);
            let script =
                move |_: usize, line: &str| (fetches_two(line) && !*now.lock().unwrap()).then(|| make(&text));
            let (mut kept, place) = (Memory::default(), Place::default());
            let mut source = source(hastily(serve(script, imap)), &place);
            let drained = source.drain(&mut kept).unwrap();
            assert!(
                drained.left.iter().all(|why| !why.is_empty()) && !drained.left.is_empty(),
                "{n}: {drained:?}"
            );
            let position = place.0.lock().unwrap().unwrap();
            assert!(position.uid < 2, "{n}: message 2 is not to be forgotten");
            *healed.lock().unwrap() = true;
            assert_eq!(source.drain(&mut kept).unwrap().left, [""; 0], "{n}");
            let mut subjects = kept.subjects();
            subjects.sort();
            assert_eq!(subjects, ["letter 1", "letter 2", "letter 3"], "{n}: each once, whatever the order");
            assert_eq!(place.0.lock().unwrap().unwrap().uid, 3);
            if n != 3 {
                break;
            }
        }
    }
}

#[test]
fn a_connection_cut_in_the_middle_of_a_message_is_taken_up_again() {
    let script = |number: usize, line: &str| {
        (number == 0 && fetches_two(line)).then(|| Cut(body_item(1) + &body_item(2)[..90]))
    };
    let mut kept = Memory::default();
    let drained = source(at(serve(script, imap)), &Place::default()).drain(&mut kept).unwrap();
    assert_eq!((drained.kept, drained.left.len()), (3, 0));
    assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"]);
}

#[test]
fn mail_that_could_not_be_marked_is_handed_over_again_rather_than_forgotten() {
    let script =
        |number: usize, line: &str| (number == 0 && line.contains("STORE")).then(|| Cut(String::new()));
    let (mut kept, place) = (Memory::default(), Place::default());
    let drained = source(at(serve(script, imap)), &place).drain(&mut kept).unwrap();
    assert_eq!(drained.kept, 3);
    assert_eq!(kept.0.len(), 6, "the spool takes the second copies for the same mail");
    assert_eq!(kept.0[..3], kept.0[3..]);
    assert_eq!(place.0.lock().unwrap().unwrap().uid, 3);
}

#[test]
fn a_server_that_breaks_idle_is_polled() {
    let mischief: [fn() -> Mischief; 4] = [
        // Panics inside the protocol library.
        || Say("TAG OK already done\r\n".to_owned()),
        // Waits for ever inside it, were it not for the limit on silence.
        || Stall("* 4 EXISTS\r\n+ idling\r\n".to_owned()),
        || Say("TAG BAD what?\r\n".to_owned()),
        || Say("+ idling\r\n)))\r\n".to_owned()),
    ];
    for make in mischief {
        let port = serve(move |_, line| line.ends_with("IDLE").then(make), imap);
        let (told, wakes) = mpsc::channel();
        let poll = Duration::from_millis(50);
        let _watch =
            ImapWatch::start(hastily(port), "INBOX".to_owned(), poll, 1, move |w| drop(told.send(w)))
                .unwrap();
        let heard: Vec<Wake> = (0..9).map(|_| wakes.recv_timeout(Duration::from_secs(30)).unwrap()).collect();
        // On connecting, after the fault, and again after the next: mail is looked for all the time.
        assert!(heard.iter().filter(|w| matches!(w, Wake::Poll)).count() >= 5, "{heard:?}");
        assert!(heard.iter().any(|w| matches!(w, Wake::Fault(PostError::Server { .. }))), "{heard:?}");
    }
}

#[test]
fn a_server_without_idle_is_polled_without_complaint() {
    let capable = |_: usize, line: &str| {
        line.ends_with("CAPABILITY").then(|| Say("* CAPABILITY IMAP4rev1\r\nTAG OK\r\n".to_owned()))
    };
    let (told, wakes) = mpsc::channel();
    let poll = Duration::from_millis(20);
    let server = at(serve(capable, imap));
    let _watch = ImapWatch::start(server, "INBOX".to_owned(), poll, 1, move |w| drop(told.send(w))).unwrap();
    for _ in 0..5 {
        assert!(matches!(wakes.recv_timeout(Duration::from_secs(30)), Ok(Wake::Poll)));
    }
}

#[test]
fn starttls_that_is_refused_or_stripped_sends_no_password() {
    for answer in
        ["TAG BAD what?\r\n", "TAG NO not now\r\n", "* OK\r\n+ go on\r\n", "TAG OK go\r\nTAG OK injected\r\n"]
    {
        let heard = Arc::new(Mutex::new(String::new()));
        let ears = Arc::clone(&heard);
        let script = move |_: usize, line: &str| {
            ears.lock().unwrap().push_str(line);
            line.contains("STARTTLS").then(|| Say(answer.to_owned()))
        };
        let server = Server { security: Security::StartTls, ..at(serve(script, imap)) };
        let mut source =
            ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, LIMIT, Box::new(Place::default()));
        let error = source.drain(&mut Memory::default()).unwrap_err();
        assert!(matches!(error, PostError::Tls { .. }), "{error}");
        let heard = heard.lock().unwrap();
        assert!(heard.contains("STARTTLS") && !heard.contains("sesame"), "{heard}");
    }
}

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

/// Sends a letter to one recipient through a server with this script; the outcome, and the lines the server heard.
fn outcome(script: impl Script) -> (Outcome, Vec<String>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let listening = move |number: usize, line: &str| {
        ears.lock().unwrap().push(line.to_owned());
        script(number, line)
    };
    let relay = SmtpRelay::new(&Server { login: None, ..hastily(serve(listening, smtp)) }, 2).unwrap();
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
    assert!(matches!(answers("DATA", "554 no"), Outcome::Refused(_)));
    assert!(matches!(answers(".", "552 too large"), Outcome::Refused(_)));
    // These refuse us, not the letter.
    assert!(matches!(answers("greeting", "554 go away"), Outcome::Deferred(_)));
    assert!(matches!(answers("MAIL", "530 log in first"), Outcome::Deferred(_)));
    assert!(matches!(answers("EHLO", "nonsense"), Outcome::Unreached(_)));
}

#[test]
fn a_relay_that_stalls_or_breaks_off_is_tried_again_later() {
    assert!(matches!(
        outcome(|_, l| (l == "greeting").then(|| Stall(String::new()))).0,
        Outcome::Unreached(_)
    ));
    assert!(matches!(outcome(|_, l| (l == ".").then(|| Stall(String::new()))).0, Outcome::Deferred(_)));
    assert!(matches!(
        outcome(|_, l| l.starts_with("RCPT").then(|| Cut(String::new()))).0,
        Outcome::Deferred(_)
    ));
}

#[test]
fn a_connection_cut_after_the_letter_gives_the_same_letter_again() {
    let (outcome, heard) = outcome(|number, line| (number == 0 && line == ".").then(|| Cut(String::new())));
    assert!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}");
    let ids: Vec<_> = heard.iter().filter(|line| line.starts_with("Message-ID")).collect();
    assert_eq!(ids, ["Message-ID: <1@gm>"; 2]);
    // The lone dot of the letter was escaped, and nothing follows its last line.
    let end = heard.iter().position(|line| line == "the end").unwrap();
    assert_eq!((heard[end - 1].as_str(), heard[end + 1].as_str()), ("..", "."));
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
    let outcomes = send_many(&relay, &parcels, 1);
    assert_eq!(*relay.0.lock().unwrap(), 1);
    for (parcel, outcome) in parcels.iter().zip(outcomes) {
        assert_eq!(outcome, [(parcel.to[0].clone(), Outcome::Unreached("timed out".to_owned()))]);
    }
}
