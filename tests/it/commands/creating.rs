//! Games that are founded by mail: who may, what is answered, that nothing is founded without the code of the founder's own address, files of the
//! founder's own, and how many games one founder has.

use std::{fs, io};

use musterd::daemon::config;
use musterd::dice::Digest;
use musterd::fault::{self, Plan};

use super::*;

/// The founder.
const CARA: &str = "cara@club.example";

/// A host that lets this club found games.
fn club() -> Camp {
    let camp = Camp::new();
    let path = camp.path().join(config::FILE);
    let text = fs::read_to_string(&path).unwrap();
    let text = text
        .replace("founders: []", "founders: [\"@club.example\", \"@players.example\", dora@guests.example]");
    fs::write(&path, text.replace("foundings_a_day: 20", "foundings_a_day: 4")).unwrap();
    camp
}

/// A mail with attached files.
fn mail_with(from: &str, id: &str, words: &str, files: &[(&str, &str)]) -> String {
    let part = |(name, text): &(&str, &str)| {
        format!(
            "--cut\r\nContent-Type: application/octet-stream; name=\"{name}\"\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\r\n\
             {text}\r\n"
        )
    };
    let files: String = files.iter().map(part).collect();
    guest_mail(from, id, &format!("--cut\r\nContent-Type: text/plain\r\n\r\n{words}\r\n{files}--cut--"))
        .replace(
            "Content-Type: text/plain; charset=utf-8\r\n",
            "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=cut\r\n",
        )
}

const CREATE: &str = "CREATE toy/ridge spring\r\n--seat red=anna@guests.example --seat blue=cara@club.example\r\n--seat umpire=computer\r\n\
                      --deadline 3d\r\n";

fn games(host: &mut Host) -> Vec<String> {
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    games.into_iter().map(|status| status.game.to_string()).collect()
}

#[test]
fn a_founder_is_shown_the_game_and_founds_it_by_the_code() {
    let camp = club();
    let mut host = camp.open();
    let answer = guest(&camp, &mut host, CARA, "create", CREATE);
    for said in [
        "Nothing has been founded yet. spring would be: The Ridge. The Ridge, 3 rounds (toy/ridge).",
        "answer this mail within three days, from cara@club.example",
        "red the red player: anna@guests.example, who is invited",
        "umpire the umpire player: the computer (",
        "Deadline 3 days after",
        "GM cara@club.example",
        "Mind: whoever plays blue is the GM too",
    ] {
        says(&answer, said);
    }
    assert!(games(&mut host).is_empty());
    assert!(camp.mails(ANNA).is_empty(), "nobody is invited before the code is here");
    // A restart between the two changes nothing: the code is made of the mail.
    drop(host);
    let mut host = camp.open();
    let line = confirm_line(&answer);
    let done = guest(&camp, &mut host, CARA, "yes", &line);
    says(&done, "Game `spring`: The Ridge, 3 rounds.");
    says(&done, "Dice are committed to: s_0 =");
    assert_eq!(games(&mut host), ["spring"]);
    assert_eq!(camp.mails(ANNA).len(), 1);
    let mut mine = camp.mails(CARA);
    mine.retain(|mail| is_of_kind(mail, "invitation"));
    assert!(mine.iter().any(|mail| mail.subject.contains("you are the GM")), "{mine:?}");
    assert_eq!(mine.len(), 2, "an invitation to play, and the welcome of the GM");
    assert!(camp.path().join("secrets/spring.secret").exists());
    // The same mail again, and the same code in another mail, found nothing.
    camp.post(format!("X-Copy: 2\r\n{}", guest_mail(CARA, "yes", &line)));
    says(&guest(&camp, &mut host, CARA, "again", &line), "This code is not good for this address");
    assert_eq!(games(&mut host), ["spring"]);
    // It is played as any other.
    let invitation = &camp.mails(ANNA)[0];
    let join = Mail { from: ANNA, to: &invitation.reply_to[0], id: "j", in_reply_to: None, text: "JOIN" };
    camp.post(join.raw());
    settle(&mut host);
    assert!(camp.mails(ANNA).len() > 1);
    drop(host);
    assert_eq!(games(&mut camp.open()), ["spring"]);
}

#[test]
fn only_those_found_whom_the_host_lets_and_only_with_a_code_of_their_own() {
    let camp = club();
    let mut host = camp.open();
    let refused = guest(&camp, &mut host, ANNA, "anna", CREATE);
    says(&refused, "by mail by those whom the operator lets, and anna@guests.example is not among them");
    let line = confirm_line(&guest(&camp, &mut host, CARA, "create", CREATE));
    // Somebody else has seen it; and a code is good for three days.
    says(&guest(&camp, &mut host, ANNA, "c-anna", &line), "There is no game `spring` here.");
    for other in ["dora@guests.example", "eva@club.example"] {
        says(
            &guest(&camp, &mut host, other, &format!("c-{other}"), &line),
            "it is not good for this address",
        );
    }
    camp.wait(4 * 24 * HOUR);
    says(&guest(&camp, &mut host, CARA, "late", &line), "or not any more");
    assert!(games(&mut host).is_empty());
    // A host that names no founders lets nobody.
    let camp = Camp::new();
    let mut host = camp.open();
    says(&guest(&camp, &mut host, CARA, "create", CREATE), "Games are founded here by the operator");
}

#[test]
fn what_is_wrong_with_a_wish_is_told_with_what_to_write() {
    let camp = club();
    let path = camp.path().join(config::FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("foundings_a_day: 4", "foundings_a_day: 100")).unwrap();
    let mut host = camp.open();
    let mut told = |words: &str, said: &str| {
        let id = format!("w-{}", Digest::of(words.as_bytes()));
        let answer = guest(&camp, &mut host, CARA, &id, words);
        assert!(answer.subject.starts_with("[ERRORS]"), "{words}: {}", answer.subject);
        says(&answer, said);
        is_silent_about(&answer, "CONFIRM ");
    };
    told(
        "CREATE toy/ridge spring --seat red=open --seat blue=open",
        "Missing: umpire. --seat umpire=ADDRESS",
    );
    told("CREATE toy/ridge spring", "The seats of the scenario are red, blue and umpire.");
    told(
        "CREATE toy/ridge spring --seat red=open --seat blu=open --seat umpire=computer",
        "There is no seat blu: did you mean blue?",
    );
    told("CREATE toy/rigde spring --seat red=open", "SCENARIOS is answered with them all");
    told(&CREATE.replace("--deadline 3d", "--deadlin 3d"), "did you mean --deadline?");
    told(
        &CREATE.replace("--deadline 3d", "--deadlin 3d"),
        "> CREATE toy/ridge spring --deadlin 3d ^^^^^^^^^",
    );
    told(&CREATE.replace("--deadline 3d", "--deadline 2026-13-01"), "--deadline 2026-13-01 ^^^^^^^^^^");
    told(&CREATE.replace("umpire=computer", "umpire=computr"), "--seat umpire=computr ^^^^^^^");
    told(&CREATE.replace("umpire=computer", "umpire=computr"), "did you mean computer?");
    told("CREATE toy/rigde spring --seat red=open", "> CREATE toy/rigde spring --seat red=open ^^^^^^^^^");
    told(&CREATE.replace("anna@guests.example", HOST), "this host's own address");
    told(
        &CREATE.replace("--deadline 3d", "--start now"),
        "begins at once only where nobody is to be asked, and red are",
    );
    told("CREATE my-ridge.yaml spring --seat red=open", "No file my-ridge.yaml is attached");
    told(&format!("{CREATE}\r\n{CREATE}"), "Your mail asks twice for a game called spring");
    told("CREATE toy/ridge", "write CREATE, a scenario as SCENARIOS lists it");
}

#[test]
fn a_founder_has_so_many_games_and_asks_so_often_a_day() {
    let camp = club();
    let mut host = camp.open();
    let named = |name: &str| CREATE.replace("spring", name);
    for name in ["one", "two", "three"] {
        let line = confirm_line(&guest(&camp, &mut host, CARA, name, &named(name)));
        says(&guest(&camp, &mut host, CARA, &format!("yes-{name}"), &line), &format!("Game `{name}`"));
    }
    let enough = guest(&camp, &mut host, CARA, "four", &named("four"));
    says(
        &enough,
        "You have founded 3 games that are not over yet, as many as one founder may have here: one, three and two.",
    );
    // Another mailbox of the same person is the same founder; another person isn't.
    camp.post(guest_mail("cara+2@club.example", "plus", &named("four")));
    settle(&mut host);
    says(&answer_to(&camp, CARA, "plus"), "You have founded 3 games");
    says(
        &guest(&camp, &mut host, "dora@guests.example", "dora", &named("one")),
        "There is a game `one` here already",
    );
    let asks = |n: u32| format!("d-{n}");
    for n in 0..3 {
        confirm_line(&guest(&camp, &mut host, "dora@guests.example", &asks(n), &named("four")));
    }
    says(
        &guest(&camp, &mut host, "dora@guests.example", &asks(3), &named("four")),
        "That is more than 4 mails of yours today that ask for a game",
    );
}

#[test]
fn a_right_code_founds_beyond_the_days_answers_and_a_wrong_one_is_told_so_once() {
    let camp = club();
    let mut host = camp.open();
    let line = confirm_line(&guest(&camp, &mut host, CARA, "create", CREATE));
    let wrong = "CONFIRM spring.k7q2mz4t9hwxp3cd";
    // Two answers for each of the four foundings of a day, and one more.
    for n in 0..8 {
        says(&guest(&camp, &mut host, CARA, &format!("w-{n}"), wrong), "it is not good for this address");
    }
    let last = guest(&camp, &mut host, CARA, "last", wrong);
    says(&last, "it is not good for this address");
    says(&last, "No more mails of yours about foundings are answered today. Send this one again tomorrow");
    let answered = camp.mails(CARA).len();
    for n in 0..5 {
        camp.post(guest_mail(CARA, &format!("flood-{n}"), wrong));
        camp.post(guest_mail(CARA, &format!("flood-c-{n}"), CREATE));
        settle(&mut host);
    }
    assert_eq!(camp.mails(CARA).len(), answered, "the host answers nobody without end");
    says(&guest(&camp, &mut host, CARA, "yes", &line), "Game `spring`: The Ridge, 3 rounds.");
    assert_eq!(games(&mut host), ["spring"]);
    let answered = camp.mails(CARA).len();
    camp.post(guest_mail(CARA, "again", &line));
    settle(&mut host);
    assert_eq!(camp.mails(CARA).len(), answered);
    // Tomorrow there are answers again.
    camp.wait(24 * HOUR);
    says(&guest(&camp, &mut host, CARA, "tomorrow", &line), "This code is not good for this address");
}

#[test]
fn more_options_than_are_read_are_said_to_be_too_many() {
    let camp = club();
    let mut host = camp.open();
    let wish = format!(
        "CREATE toy/ridge spring\r\n{}END CREATE\r\n",
        "--seat red=anna@guests.example\r\n".repeat(300)
    );
    let answer = guest(&camp, &mut host, CARA, "long", &wish);
    says(
        &answer,
        "its options are too long: at most 8000 bytes on 100 lines are read, and a line END CREATE ends them.",
    );
    is_silent_about(&answer, "Missing:");
}

#[test]
fn a_player_founds_from_a_seat_of_another_game_too() {
    let camp = club();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let wish = CREATE.replace("cara@club.example", "open");
    let answer = asked(&camp, &mut host, "red", "create", &wish);
    says(&answer, "GM red@players.example");
    let done = asked(&camp, &mut host, "red", "yes", &format!("{}\r\n", confirm_line(&answer)));
    says(&done, "Game `spring`: The Ridge, 3 rounds.");
    assert_eq!(games(&mut host), ["alpha", "spring"]);
    assert_eq!(camp.mails(ANNA).len(), 1);
    checked(&camp, &mut host);
}

#[test]
fn a_founding_that_can_not_be_stored_is_none_and_is_made_up_for() {
    let camp = club();
    let mut host = camp.open();
    let line = confirm_line(&guest(&camp, &mut host, CARA, "create", CREATE));
    camp.post(guest_mail(CARA, "yes", &line));
    let (mut sources, _) = local_mail(&host);
    sources[0].drain(host.spool()).unwrap();
    let plan = fault::arm(Plan::fail_at(1, io::ErrorKind::Other).only("store.batch"));
    assert!(host.take_mail().is_err());
    drop(plan);
    assert!(games(&mut host).is_empty());
    drop(host);
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(games(&mut host), ["spring"]);
    assert_eq!(camp.mails(ANNA).len(), 1);
    says(&answer_to(&camp, CARA, "yes"), "Game `spring`");
    assert!(!camp.path().join("secrets/spring.secret.new").exists());
}

#[test]
fn a_mail_that_is_too_large_founds_nothing() {
    let camp = club();
    let mut host = camp.open();
    let words = CREATE.replace("toy/ridge", "toy/my-ridge.yaml");
    let large = format!("{}# {}\r\n", ridge(), "x".repeat(1_100_000));
    camp.post(mail_with(CARA, "large", &words, &[("my-ridge.yaml", &large)]));
    settle(&mut host);
    says(&answer_to(&camp, CARA, "large"), "The mail is too large: at most 1000000 bytes are read.");
}

/// The scenario of the toy, as a founder may have changed it.
fn ridge() -> String {
    let (_, text) = crate::toy::FILES.iter().find(|(path, _)| *path == "scenarios/ridge.yaml").unwrap();
    (*text).to_owned()
}

#[test]
fn a_founder_brings_a_scenario_that_counts_for_this_game_alone() {
    let camp = club();
    let mut host = camp.open();
    let words = CREATE.replace("toy/ridge", "toy/my-ridge.yaml");
    let own = ridge().replace("The Ridge", "My Ridge");
    camp.post(mail_with(CARA, "own", &words, &[("my-ridge.yaml", &own)]));
    settle(&mut host);
    let answer = answer_to(&camp, CARA, "own");
    says(&answer, "My Ridge, 3 rounds (toy/my-ridge).");
    says(&answer, "Your file my-ridge.yaml is a scenario.");
    says(&guest(&camp, &mut host, CARA, "yes", &confirm_line(&answer)), "Game `spring`: My Ridge");
    assert!(!camp.path().join("games").exists(), "nothing is written into the host's own files");
    says(&guest(&camp, &mut host, CARA, "list", "SCENARIOS toy"), "toy/ridge");
    is_silent_about(&answer_to(&camp, CARA, "list"), "my-ridge");
}

#[test]
fn a_founder_brings_templates_for_the_mails_of_this_game_alone() {
    let camp = club();
    // A file that words mails runs in the host: nobody has it run one in a founder's name.
    let mut host = camp.open();
    camp.post(mail_with(CARA, "unknown", CREATE, &[("dispatch.txt", "News.")]));
    settle(&mut host);
    says(
        &answer_to(&camp, CARA, "unknown"),
        "takes templates by mail only where a mail server vouches for their sender",
    );
    drop(host);
    let path = camp.path().join(config::FILE);
    let config = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{config}authentication: {{host: mx.example.org}}\n")).unwrap();
    let vouched = |mail: String, from: &str| {
        let domain = from.rsplit('@').next().unwrap();
        format!(
            "Authentication-Results: mx.example.org; dmarc=pass header.from={domain}\r\nReceived: by mx.example.org\r\n{mail}"
        )
    };
    let mut host = camp.open();
    let built_in = |wanted: &str| {
        let found = musterd::report::built_in_templates().find(|(file, _)| *file == wanted);
        found.map(|(_, text)| text.to_owned()).unwrap()
    };
    let digest = "ab".repeat(32);
    // What a digest of its own would say against the host.
    let forged = format!("{}{{% if game == 'spring' %}}{digest}{{% endif %}}\n", built_in("receipt.txt"));
    let invitation = format!("Welcome to the club!\n\n{}", built_in("invitation.txt"));
    let dispatch = format!("News of the club.\n\n{}", built_in("dispatch.txt"));
    let files: &[(&str, &str)] = &[
        ("Invitation.txt", &invitation),
        ("dispatch.txt", &dispatch),
        ("receipt.txt", &forged),
        ("notes.txt", "Hello."),
    ];
    camp.post(vouched(mail_with(CARA, "own", CREATE, files), CARA));
    settle(&mut host);
    let answer = answer_to(&camp, CARA, "own");
    says(&answer, "Your file invitation.txt words that mail in this game");
    says(&answer, "Your file notes.txt was not read");
    camp.post(vouched(guest_mail(CARA, "yes", &confirm_line(&answer)), CARA));
    settle(&mut host);
    let invitation = camp.mails(ANNA).remove(0);
    assert!(text(&invitation).contains("Welcome to the club!"), "{}", text(&invitation));
    // They are kept with the game.
    drop(host);
    let mut host = camp.open();
    for (from, id) in [(ANNA, "a"), (CARA, "c")] {
        let mine =
            camp.mails(from).into_iter().find(|mail| text(mail).contains("Welcome to the club!")).unwrap();
        let join = Mail { from, to: &mine.reply_to[0], id, in_reply_to: None, text: "JOIN" };
        camp.post(vouched(join.raw(), from));
        settle(&mut host);
    }
    let mails = camp.mails(ANNA);
    assert!(mails.iter().any(|mail| text(mail).contains("News of the club.")), "{mails:?}");
    assert!(!mails.iter().any(|mail| text(mail).contains(&digest)), "a forged digest went out");
    // Faults are told, and nothing is founded.
    let words = CREATE.replace("spring", "autumn");
    let faulty = [("dispatch.txt", "{{ report"), ("recept.txt", "x"), ("frame.html", "{{ page }}")];
    camp.post(vouched(mail_with(CARA, "bad", &words, &faulty), CARA));
    settle(&mut host);
    let answer = answer_to(&camp, CARA, "bad");
    says(&answer, "Nothing would be founded: there are faults in the templates.");
    says(&answer, "dispatch.txt, line 1:");
    says(&answer, "recept.txt: there is no such mail; did you mean receipt.txt?");
    says(&answer, "frame.html: the page around mails is the host's alone");
    // A page without end is a fault, and costs nothing.
    let endless = [(
        "notice.txt",
        "{% for i in range(90000) %}{% for j in range(9) %}a word and another {% endfor %}{% endfor %}",
    )];
    camp.post(vouched(mail_with(CARA, "endless", &words, &endless), CARA));
    settle(&mut host);
    says(&answer_to(&camp, CARA, "endless"), "notice.txt");
}

#[test]
#[cfg(feature = "lga")]
fn faults_of_a_founders_files_are_told_as_the_command_line_tells_them() {
    let camp = club();
    let mut host = camp.open();
    let own = desk().founding("lga/austrian-1805").unwrap().files.0["scenario.yaml"].clone();
    let faulty = own.replacen("title:", "titel:", 1);
    assert_ne!(own, faulty);
    let words = "CREATE my-1805.yaml spring\r\n--seat french=anna@guests.example\r\n--seat allied=computer\r\nEND CREATE\r\n";
    camp.post(mail_with(CARA, "bad", words, &[("my-1805.yaml", &faulty)]));
    camp.post(mail_with(CARA, "good", words, &[("my-1805.yaml", &own)]));
    settle(&mut host);
    let answer = answer_to(&camp, CARA, "bad");
    says(&answer, "Nothing would be founded: there are faults in the files.");
    let file = camp.path().join("my-1805.yaml");
    fs::write(&file, faulty).unwrap();
    let mut desk = desk();
    desk.shelve("lga", "scenarios/my-1805.yaml", fs::read_to_string(&file).unwrap()).unwrap();
    let faults = desk.examine("lga", "scenarios/my-1805.yaml").unwrap().errors;
    assert!(!faults.is_empty());
    for fault in faults {
        let at = format!("my-1805.yaml:{}:{}: error: ", fault.at.line, fault.at.column);
        says(&answer, &at);
    }
    says(&answer_to(&camp, CARA, "good"), "(lga/my-1805)");
}

#[test]
fn anybody_learns_what_can_be_played() {
    let camp = club();
    let mut host = camp.open();
    let all = guest(&camp, &mut host, ANNA, "all", "SCENARIOS");
    says(&all, "toy/ridge");
    says(&all, "seats: red, blue, umpire");
    says(&all, "Games are founded by the operator of this host, and by those whom the operator lets.");
    is_silent_about(&all, "CREATE");
    let mine = guest(&camp, &mut host, CARA, "mine", "scenarios toy");
    says(&mine, "--seat SEAT=cara@club.example");
    says(&guest(&camp, &mut host, ANNA, "none", "SCENARIOS chess"), "There is no system `chess` here");
}

#[test]
fn those_who_may_found_by_their_domain_are_answered_so_often_a_day_together() {
    let camp = club();
    let path = camp.path().join(config::FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("strangers_a_day: 500", "strangers_a_day: 5")).unwrap();
    let mut host = camp.open();
    let answered = (0..9).filter(|n| {
        let from = format!("player{n}@club.example");
        camp.post(guest_mail(&from, &format!("f-{n}"), &CREATE.replace("cara@", &format!("player{n}@"))));
        settle(&mut host);
        !camp.mails(&from).is_empty()
    });
    assert_eq!(answered.count(), 5, "anybody can write such an address into a From");
}
