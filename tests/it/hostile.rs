//! Servers that are broken or mean: none stops a drain or a watch, and none makes it lose mail.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use musterd::daemon::serve;
use musterd::post::{
    Cursor, Finish, ImapSource, ImapWatch, Position, PostError, Security, Server, Source, Wake,
};

use crate::post::Memory;
use crate::scripted::Mischief::{self, Cut, Drip, Flood, Say, Slow, Stall};
use crate::scripted::{Script, at, hastily, serve as scripted};
use crate::support::Camp;

pub(crate) const LIMIT: u64 = 100_000;

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

pub(crate) fn size_item(uid: u32) -> String {
    format!("* {uid} FETCH (UID {uid} RFC822.SIZE {})\r\n", body(uid).len())
}

pub(crate) fn body_item(uid: u32) -> String {
    let body = body(uid);
    let date = "INTERNALDATE \"01-Jan-2024 00:00:00 +0000\"";
    format!("* {uid} FETCH (UID {uid} {date} BODY[] {{{}}}\r\n{body})\r\n", body.len())
}

/// Whether the line fetches the body of message 2, alone or among others.
pub(crate) fn fetches_two(line: &str) -> bool {
    line.split_once("UID FETCH ")
        .filter(|_| line.contains("BODY.PEEK"))
        .is_some_and(|(_, rest)| uids(rest.split(' ').next().unwrap()).any(|uid| uid == 2))
}

/// A cursor whose position the test can see.
#[derive(Clone, Default)]
pub(crate) struct Place(pub(crate) Arc<Mutex<Option<Position>>>);

impl Cursor for Place {
    fn load(&mut self) -> std::io::Result<Option<Position>> {
        Ok(*self.0.lock().unwrap())
    }

    fn save(&mut self, position: Position) -> std::io::Result<()> {
        *self.0.lock().unwrap() = Some(position);
        Ok(())
    }
}

pub(crate) fn source(server: Server, place: &Place) -> ImapSource {
    ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, LIMIT, Box::new(place.clone()))
}

/// What one drain says that must fail, and fail with nothing kept.
fn failure(script: impl Script) -> PostError {
    let mut kept = Memory::default();
    let error = source(hastily(scripted(script, imap)), &Place::default()).drain(&mut kept).unwrap_err();
    assert_eq!(kept.0, []);
    error
}

#[test]
fn a_well_behaved_server_is_drained_once() {
    let (mut kept, place) = (Memory::default(), Place::default());
    let port = scripted(|_, _| None, imap);
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

/// A literal hidden where the library takes one and nobody asks for it; what it hides calls what follows a literal, which is
/// brackets deep enough to end the process were the library to follow them.
#[test]
fn brackets_behind_a_literal_that_nobody_asked_for_are_refused() {
    let cover = "* 1 FETCH (BODY[] {90000}\r\n";
    let deep = format!("* 1 FETCH (BODYSTRUCTURE {}\r\n", "(".repeat(80_000));
    let hidden = [
        ("* LIST () \"/\" ", ""),
        ("* STATUS ", " (MESSAGES 1)"),
        ("* METADATA \"INBOX\" (/shared/comment ", ")"),
        ("* OK [BADCHARSET (", ")] hm"),
        ("* 00000000000000000000000000000001 FETCH (UID 1 BODY[] ", ")"),
    ];
    for (before, after) in hidden {
        for command in ["CAPABILITY", "SEARCH", "BODY.PEEK"] {
            let said = format!("{before}{{{}}}\r\n{cover}{after}\r\n{deep}", cover.len());
            let script = move |_: usize, line: &str| line.contains(command).then(|| Say(said.clone()));
            let mut kept = Memory::default();
            let drained = source(hastily(scripted(script, imap)), &Place::default()).drain(&mut kept);
            // Over single messages it is told of each.
            let why = drained.map_or_else(|error| vec![error.to_string()], |drained| drained.left);
            assert!(!why.is_empty() && kept.0.is_empty(), "{command} {before}");
            let refused = |why: &String| why.contains("a literal where none was asked for");
            assert!(why.iter().all(refused), "{command} {before}: {why:?}");
        }
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
        // The fourth kind twice: without UID, and with somebody else's.
        for fields in [date.to_owned(), format!("UID 77 {date}")] {
            let healed = Arc::new(Mutex::new(false));
            let now = Arc::clone(&healed);
            let text = item(&fields);
            let script =
                move |_: usize, line: &str| (fetches_two(line) && !*now.lock().unwrap()).then(|| make(&text));
            let (mut kept, place) = (Memory::default(), Place::default());
            let mut source = source(hastily(scripted(script, imap)), &place);
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
fn a_message_whose_date_makes_no_sense_arrives_now() {
    for date in ["", " INTERNALDATE \"\"", " INTERNALDATE \"99-Foo-0000 99:99:99 +9999\""] {
        let script = move |_: usize, line: &str| {
            let sensible = "UID 2 INTERNALDATE \"01-Jan-2024 00:00:00 +0000\"";
            fetches_two(line).then(|| Say(imap(line).replace(sensible, &format!("UID 2{date}"))))
        };
        let mut kept = Memory::default();
        let drained = source(at(scripted(script, imap)), &Place::default()).drain(&mut kept).unwrap();
        assert_eq!((drained.kept, drained.left.len()), (3, 0), "{date}: {drained:?}");
        assert!(kept.0[1].arrived > kept.0[0].arrived + 86_400, "{date}: {:?}", kept.0[1]);
    }
}

#[test]
fn what_a_server_says_unasked_disturbs_nothing() {
    let opening =
        "* 9 EXISTS\r\n* 0 RECENT\r\n* OK still here, gr\u{fc}\u{df}e\r\n* NO [ALERT] nearly full\r\n";
    let gossip = "* 9 EXISTS\r\n* 0 RECENT\r\n* 2 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 FLAGS (\\Answered))\r\n\
                  * OK still here, gr\u{fc}\u{df}e\r\n* NO the disk is nearly full\r\n* BAD was that you?\r\n* 3 EXPUNGE\r\n* FLAGS (\\Seen custom)\r\n";
    for command in ["SELECT", "SEARCH", "SIZE", "BODY.PEEK", "STORE"] {
        let said = if command == "SELECT" { opening } else { gossip };
        let script =
            move |_: usize, line: &str| line.contains(command).then(|| Say(said.to_owned() + &imap(line)));
        let mut kept = Memory::default();
        let drained = source(at(scripted(script, imap)), &Place::default()).drain(&mut kept);
        let drained = drained.unwrap_or_else(|e| panic!("{command}: {e}"));
        assert_eq!((drained.kept, drained.left.len()), (3, 0), "{command}: {drained:?}");
        assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"], "{command}");
    }
}

#[test]
fn a_server_that_leaves_at_any_point_is_taken_up_again() {
    for command in ["CAPABILITY", "LOGIN", "SELECT", "SEARCH", "SIZE", "BODY.PEEK", "STORE"] {
        for farewell in
            ["* BYE shutting down\r\n", "* BYE shutting down\r\nTAG OK\r\n", "TAG NO [UNAVAILABLE] later\r\n"]
        {
            let leaves = move |number: usize, line: &str| {
                (number == 0 && line.contains(command)).then(|| Cut(farewell.to_owned()))
            };
            let (mut kept, place) = (Memory::default(), Place::default());
            let mut source = source(hastily(scripted(leaves, imap)), &place);
            match source.drain(&mut kept) {
                Err(error) => assert!(error.is_temporary(), "{command}: {error}"),
                Ok(drained) => println!("{command}: {drained:?}"),
            }
            assert_eq!(source.drain(&mut kept).unwrap().left, [""; 0], "{command} {farewell}");
            let mut subjects = kept.subjects();
            subjects.sort();
            subjects.dedup();
            assert_eq!(subjects, ["letter 1", "letter 2", "letter 3"], "{command} {farewell}");
            assert_eq!(place.0.lock().unwrap().unwrap().uid, 3, "{command} {farewell}");
        }
    }
}

#[test]
fn a_server_that_numbers_its_mail_anew_is_read_from_the_start() {
    let validity = Arc::new(AtomicU32::new(7));
    let numbering = Arc::clone(&validity);
    let script = move |_: usize, line: &str| {
        let now = numbering.load(Ordering::SeqCst);
        line.contains("SELECT")
            .then(|| Say(imap(line).replace("UIDVALIDITY 7", &format!("UIDVALIDITY {now}"))))
    };
    let (mut kept, place) = (Memory::default(), Place::default());
    let mut source = source(at(scripted(script, imap)), &place);
    for (now, all) in [(7, 3), (7, 3), (8, 6), (8, 6), (7, 9)] {
        validity.store(now, Ordering::SeqCst);
        source.drain(&mut kept).unwrap();
        assert_eq!(kept.0.len(), all);
        assert_eq!(*place.0.lock().unwrap(), Some(Position { uid_validity: now, uid: 3 }));
    }
}

#[test]
fn a_server_that_lies_about_what_is_there_hides_no_mail() {
    let error = failure(|_, line| line.contains("SEARCH").then(|| Say("* SEARCH\r\nTAG OK\r\n".to_owned())));
    assert!(error.to_string().contains("finds nothing in a folder that holds mail"), "{error}");
    // Messages that are not there, number zero, and each twice.
    let script = |_: usize, line: &str| {
        let absent = [",4000000000", ",4294967295", "4000000000", "4294967295"];
        let known = absent.into_iter().fold(line.to_owned(), |line, uid| line.replace(uid, ""));
        if line.contains(":*") {
            Some(Say("* SEARCH 0 3 2 1 1 2 3 4000000000 4294967295\r\nTAG OK\r\n".to_owned()))
        } else if line.contains("SEARCH") {
            Some(Say("* SEARCH 4000000000 4294967295\r\nTAG OK\r\n".to_owned()))
        } else if known.contains("UID FETCH  ") {
            Some(Say("TAG OK\r\n".to_owned()))
        } else {
            (known != line).then(|| Say(imap(&known)))
        }
    };
    let (mut kept, place) = (Memory::default(), Place::default());
    let drained = source(at(scripted(script, imap)), &place).drain(&mut kept).unwrap();
    assert_eq!((drained.kept, drained.left.len()), (3, 2), "{drained:?}");
    assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"]);
    assert_eq!(place.0.lock().unwrap().unwrap().uid, 3, "what comes next is not skipped");
}

#[test]
fn a_server_that_lists_mail_without_end_is_given_up() {
    let script = |_: usize, line: &str| {
        let listed: String = (1..=3000).map(|uid| format!(" {uid}")).collect();
        let answer = if line.contains("SEARCH") { format!("* SEARCH{listed}\r\n") } else { String::new() };
        line.contains("UID ").then(|| Say(answer + "TAG OK\r\n"))
    };
    let error = failure(script);
    assert!(error.to_string().contains("does not hand over"), "{error}");
}

#[test]
fn a_server_that_never_stops_talking_is_cut_off() {
    for (command, chatter) in [
        ("SELECT", "x"),
        ("SELECT", "* 1 EXISTS\r\n"),
        ("SEARCH", "* SEARCH 1 2 3 4 5 6 7 8 9\r\n"),
        ("SEARCH", "* SEARCH 1 2 3"),
        ("SIZE", "* 1 FETCH (UID 1 BODY[1] {1}\r\nx BODY[1] {1}\r\nx BODY[1] {1}\r\nx"),
        ("LOGIN", "* OK [ALERT] read this\r\n"),
    ] {
        let error = failure(move |_, line| line.contains(command).then(|| Flood(chatter.to_owned())));
        assert!(error.is_temporary(), "{command}: {error}");
        let said = error.to_string();
        assert!(said.len() < 300 && said.starts_with("127.0.0.1:"), "{command}: {said}");
    }
}

#[test]
fn a_server_that_drips_is_not_waited_for_for_ever() {
    let script = |_: usize, line: &str| fetches_two(line).then_some(Drip(b'*'));
    let (mut kept, place) = (Memory::default(), Place::default());
    let server = Server { timeout: Duration::from_millis(250), ..at(scripted(script, imap)) };
    let mut source = source(server, &place);
    // On a busy machine the others may be late too; then they are there the next time.
    while source.drain(&mut kept).map_or(true, |drained| drained.left.len() > 1) {}
    let subjects = kept.subjects();
    assert!(
        subjects.contains(&"letter 1".to_owned()) && subjects.contains(&"letter 3".to_owned()),
        "{subjects:?}"
    );
    assert!(!subjects.contains(&"letter 2".to_owned()));
    let place = place.0.lock().unwrap().unwrap();
    assert_eq!(place.uid, 1, "the second is not forgotten");
}

#[test]
fn a_slow_server_is_waited_for() {
    let script = |_: usize, line: &str| {
        line.contains("SEARCH").then(|| Slow("* SEARCH 1 2 3\r\nTAG OK done\r\n".to_owned()))
    };
    let mut kept = Memory::default();
    assert_eq!(source(at(scripted(script, imap)), &Place::default()).drain(&mut kept).unwrap().kept, 3);
}

#[test]
fn a_server_that_speaks_no_tls_where_it_should_gets_no_password() {
    let mischief: [fn() -> Mischief; 5] = [
        || Stall(String::new()),
        || Say("* OK in the clear\r\n".to_owned()),
        || Cut("\u{16}\u{3}\u{3}\0".to_owned()),
        || Drip(22),
        || Flood("\u{16}\u{3}\u{3}".to_owned()),
    ];
    for (n, make) in mischief.into_iter().enumerate() {
        let heard = Arc::new(Mutex::new(String::new()));
        let ears = Arc::clone(&heard);
        let script = move |_: usize, line: &str| {
            ears.lock().unwrap().push_str(line);
            Some(make())
        };
        let server = Server {
            security: Security::Tls,
            timeout: Duration::from_millis(250),
            ..at(scripted(script, imap))
        };
        let error = source(server, &Place::default()).drain(&mut Memory::default()).unwrap_err();
        assert!(
            matches!(&error, PostError::Tls { .. } | PostError::Server { doing: "TLS handshake", .. }),
            "{n}: {error}"
        );
        assert!(!heard.lock().unwrap().contains("sesame"), "{n}");
    }
}

#[test]
fn a_server_that_takes_no_passwords_is_given_none() {
    let heard = Arc::new(Mutex::new(String::new()));
    let ears = Arc::clone(&heard);
    let script = move |_: usize, line: &str| {
        ears.lock().unwrap().push_str(line);
        let offer = "* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED\r\nTAG OK\r\n";
        line.ends_with("CAPABILITY").then(|| Say(offer.to_owned()))
    };
    let error = failure(script);
    assert!(
        matches!(&error, PostError::Config { .. }) && error.to_string().contains("LOGINDISABLED"),
        "{error}"
    );
    assert!(!heard.lock().unwrap().contains("sesame"));
}

#[test]
fn a_refused_login_is_the_operators_matter_and_is_not_tried_every_second() {
    let logins = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&logins);
    let script = move |_: usize, line: &str| {
        let refused = "TAG NO [AUTHENTICATIONFAILED] wrong\r\n";
        line.contains("LOGIN").then(|| {
            count.fetch_add(1, Ordering::SeqCst);
            Say(refused.to_owned())
        })
    };
    let mut patient = source(at(scripted(script, imap)), &Place::default());
    for _ in 0..20 {
        let error = patient.drain(&mut Memory::default()).unwrap_err();
        assert!(matches!(&error, PostError::Login { user, .. } if user == "gm"), "{error}");
        assert!(error.to_string().contains("[AUTHENTICATIONFAILED] wrong; check the user name"), "{error}");
        assert!(!error.is_temporary());
    }
    assert_eq!(logins.load(Ordering::SeqCst), 1, "an account is locked after a few wrong passwords");
}

#[test]
fn a_login_that_works_again_is_found_to_after_the_pause() {
    for (refusal, temporary) in
        [("NO wrong", false), ("NO [UNAVAILABLE] no account database", true), ("BAD what?", true)]
    {
        let broken = Arc::new(Mutex::new(true));
        let state = Arc::clone(&broken);
        let script = move |_: usize, line: &str| {
            (line.contains("LOGIN") && *state.lock().unwrap()).then(|| Say(format!("TAG {refusal}\r\n")))
        };
        let mut kept = Memory::default();
        let mut source = source(hastily(scripted(script, imap)), &Place::default());
        let error = source.drain(&mut kept).unwrap_err();
        assert_eq!(error.is_temporary(), temporary, "{refusal}: {error}");
        *broken.lock().unwrap() = false;
        while source.drain(&mut kept).is_err() {}
        assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"], "{refusal}");
    }
}

#[test]
fn a_folder_that_may_only_be_read_is_read_once() {
    let fetches = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&fetches);
    let script = move |_: usize, line: &str| {
        count.fetch_add(usize::from(line.contains("BODY.PEEK")), Ordering::SeqCst);
        line.contains("STORE").then(|| Say("TAG NO [NOPERM] read-only\r\n".to_owned()))
    };
    let (mut kept, place) = (Memory::default(), Place::default());
    let mut source = source(at(scripted(script, imap)), &place);
    let drained = source.drain(&mut kept).unwrap();
    assert!(drained.left.len() == 1 && drained.left[0].contains("read-only"), "{drained:?}");
    assert_eq!(source.drain(&mut kept).unwrap(), musterd::post::Drained::default());
    assert_eq!((kept.0.len(), fetches.load(Ordering::SeqCst)), (3, 1));
}

#[test]
fn the_daemon_decides_what_it_has_while_a_server_fails_it() {
    let camp = Camp::new();
    let mut host = camp.open();
    // Message 2 breaks every connection; 1 and 3 come through, and are dealt with.
    let script = |_: usize, line: &str| fetches_two(line).then(|| Cut(String::new()));
    let place = Place::default();
    let mut sources: [Box<dyn Source>; 1] = [Box::new(source(at(scripted(script, imap)), &place))];
    assert_eq!(serve::take_in(&mut host, &mut sources, &mut |_, _| Ok(())).unwrap(), 2);
    // A server that is gone stops nothing either.
    let gone = scripted(|_, _| Some(Cut(String::new())), imap);
    sources[0] = Box::new(source(at(gone), &Place::default()));
    assert_eq!(serve::take_in(&mut host, &mut sources, &mut |_, _| Ok(())).unwrap(), 0);
    // And when the first has healed, nothing is dealt with twice.
    sources[0] = Box::new(source(at(scripted(|_, _| None, imap)), &place));
    assert_eq!(serve::take_in(&mut host, &mut sources, &mut |_, _| Ok(())).unwrap(), 1);
    // They are no game's.
    let other = std::fs::read_dir(camp.path().join("spool/other")).unwrap().count();
    assert_eq!(other, 3);
}

#[test]
fn a_connection_cut_in_the_middle_of_a_message_is_taken_up_again() {
    let script = |number: usize, line: &str| {
        (number == 0 && fetches_two(line)).then(|| Cut(body_item(1) + &body_item(2)[..90]))
    };
    let mut kept = Memory::default();
    let drained = source(at(scripted(script, imap)), &Place::default()).drain(&mut kept).unwrap();
    assert_eq!((drained.kept, drained.left.len()), (3, 0));
    assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"]);
}

#[test]
fn a_position_beyond_the_folders_end_is_another_folders() {
    // A server may give one UIDVALIDITY to all folders, or to a folder that was put back from a backup.
    let beyond = Place(Arc::new(Mutex::new(Some(Position { uid_validity: 7, uid: 500 }))));
    let mut kept = Memory::default();
    assert_eq!(source(at(scripted(|_, _| None, imap)), &beyond).drain(&mut kept).unwrap().kept, 3);
    assert_eq!(*beyond.0.lock().unwrap(), Some(Position { uid_validity: 7, uid: 3 }));
    let end = Place(Arc::new(Mutex::new(Some(Position { uid_validity: 7, uid: 3 }))));
    assert_eq!(source(at(scripted(|_, _| None, imap)), &end).drain(&mut kept).unwrap().kept, 0);
}

#[test]
fn a_folder_from_which_all_was_taken_away_is_just_empty() {
    // Its next number still tells that something was there once.
    let script = |_: usize, line: &str| match line {
        _ if line.contains("SELECT") => {
            Some(Say("* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 4] ok\r\nTAG OK\r\n".to_owned()))
        }
        _ if line.contains("SEARCH") => Some(Say("* SEARCH\r\nTAG OK\r\n".to_owned())),
        _ => None,
    };
    let drained = source(at(scripted(script, imap)), &Place::default()).drain(&mut Memory::default());
    assert_eq!(drained.unwrap().kept, 0);
}

#[test]
fn a_server_that_fails_over_no_message_is_not_asked_again_at_once() {
    let searches = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&searches);
    let error = failure(move |_: usize, line: &str| {
        line.contains("SEARCH").then(|| {
            count.fetch_add(1, Ordering::SeqCst);
            Say("TAG NO not now\r\n".to_owned())
        })
    });
    assert!(error.to_string().contains("not now"), "{error}");
    assert_eq!(searches.load(Ordering::SeqCst), 1);
}

#[test]
fn a_server_that_talks_without_end_wakes_nobody_all_the_time() {
    let script =
        |_: usize, line: &str| line.ends_with("IDLE").then(|| Say("+ idling\r\n* 3 EXISTS\r\n".to_owned()));
    let (told, wakes) = mpsc::channel();
    let poll = Duration::from_millis(20);
    let server = at(scripted(script, imap));
    let watch = ImapWatch::start(server, "INBOX".to_owned(), poll, 1, move |w| drop(told.send(w))).unwrap();
    let changed = || matches!(wakes.recv_timeout(Duration::from_secs(30)), Ok(Wake::Changed));
    while !changed() {}
    std::thread::sleep(Duration::from_millis(2500));
    drop(watch);
    let heard = wakes.try_iter().count();
    assert!(heard <= 3, "{heard} wakes in two seconds and a half");
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
        let port = scripted(move |_, line| line.ends_with("IDLE").then(make), imap);
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
    let server = at(scripted(capable, imap));
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
        let server = Server { security: Security::StartTls, ..at(scripted(script, imap)) };
        let mut source =
            ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, LIMIT, Box::new(Place::default()));
        let error = source.drain(&mut Memory::default()).unwrap_err();
        assert!(matches!(error, PostError::Tls { .. }), "{error}");
        let heard = heard.lock().unwrap();
        assert!(heard.contains("STARTTLS") && !heard.contains("sesame"), "{heard}");
    }
}
