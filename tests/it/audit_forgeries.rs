//! What a host or a player could change in an audit file, and how the program calls it.

use serde_json::{Value, json};

use super::audit::{
    Forgery, OTHER, both_find, change_body, codes, examined, independent, lines_of, place_of, rechain,
    reopen, rolled,
};
use super::beacon;

/// Every kind of forgery that the protocol lists, what the program calls it, and how it is made.
pub(crate) const FORGERIES: &[Forgery] = &[
    ("a changed entry", "wrong-hash", |f| change_body(f, "deadline", "1 ", |b| format!("{b}0"))),
    ("a changed hash", "wrong-hash", |f| f["log"][3]["hash"] = json!(OTHER)),
    ("a dropped entry", "wrong-hash", |f| _ = lines_of(f).remove(5)),
    ("a witness of another log", "other-log", |f| f["witness"] = json!([[3, OTHER]])),
    ("a witness of a longer log", "other-log", |f| f["witness"] = json!([[3000, OTHER]])),
    ("a log made anew", "other-log", |f| {
        f["witness"] = json!([[3, f["log"][3]["hash"]]]);
        change_body(f, "open", "1 ", |b| format!("{b}x"));
        rechain(f);
    }),
    ("orders under the name of silence", "not-taken-back", |f| relabel(f, "2 red", "withdrawn")),
    ("a consent to nothing", "consent-to-nothing", |f| relabel(f, "2 red", "consent")),
    ("a stand-in for a seat that ordered", "stand-in-uncalled", |f| relabel(f, "2 red", "stand-in")),
    ("a stand-in for a sealed seat", "stand-in-uncalled", |f| {
        let at = place_of(f, "seal", "3 ");
        let seal = f["log"][at]["body"].as_str().unwrap().to_owned();
        lines_of(f).insert(at + 1, line("recv", &format!("{seal} accepted stand-in")));
        rechain(f);
    }),
    ("a second open", "count", |f| {
        let at = place_of(f, "open", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a second close", "count", |f| {
        let at = place_of(f, "close", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a missing close", "count", |f| {
        let at = place_of(f, "close", "2 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("missing rolls", "count", |f| {
        let at = place_of(f, "rolls", "2 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("second rolls", "count", |f| {
        let at = place_of(f, "rolls", "2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("dice before the close", "out-of-place", |f| {
        let (close, rolls) = (place_of(f, "close", "2 "), place_of(f, "rolls", "2 "));
        lines_of(f).swap(close, rolls);
        rechain(f);
    }),
    ("a gap in t", "gap", |f| {
        for line in lines_of(f) {
            let body = line["body"].as_str().unwrap();
            if let Some(rest) = body.strip_prefix("7 ") {
                line["body"] = json!(format!("8 {rest}"));
            }
        }
        rechain(f);
    }),
    ("a turn left out", "turn-missing", |f| _ = f["turns"].as_array_mut().unwrap().remove(2)),
    ("a turn twice", "turn-twice", |f| {
        let turn = f["turns"][2].clone();
        f["turns"].as_array_mut().unwrap().push(turn);
    }),
    ("a turn that never was", "turn-not-closed", |f| {
        let mut turn = f["turns"][2].clone();
        turn["t"] = json!(99);
        f["turns"].as_array_mut().unwrap().push(turn);
    }),
    ("another secret", "secret-not-in-chain", |f| f["turns"][2]["secret"] = json!(OTHER)),
    ("another anchor", "secret-not-in-chain", |f| {
        change_body(f, "game", "", |b| {
            let mut fields: Vec<&str> = b.split(' ').collect();
            fields[1] = OTHER;
            fields.join(" ")
        });
        rechain(f);
    }),
    ("a slot left out", "other-slots", |f| {
        _ = f["turns"][1]["orders"].as_object_mut().unwrap().remove("blue");
    }),
    ("a slot too many", "other-slots", |f| f["turns"][1]["orders"]["green"] = json!("BID 1\n")),
    ("other orders", "other-orders", |f| f["turns"][1]["orders"]["red"] = json!("BID 9\n")),
    ("orders for a silent seat", "never-accepted", |f| f["turns"][3]["orders"]["blue"] = json!("BID 9\n")),
    ("an accepted mail dropped", "not-the-accepted", |f| f["turns"][1]["orders"]["blue"] = Value::Null),
    ("a mail accepted after all", "not-the-accepted", |f| {
        change_body(f, "recv", "2 blue", |b| b.replacen(b.split(' ').nth(2).unwrap(), OTHER, 1));
        let at = place_of(f, "recv", "2 blue");
        let line = f["log"][at].clone();
        let last = place_of(f, "close", "2 ");
        lines_of(f).insert(last, line);
        rechain(f);
    }),
    ("a mail after the close", "out-of-place", |f| {
        let recv = place_of(f, "recv", "2 red");
        let line = lines_of(f).remove(recv);
        let close = place_of(f, "close", "2 ");
        lines_of(f).insert(close + 1, line);
        rechain(f);
    }),
    ("a missing seal", "seal-missing", |f| {
        let at = place_of(f, "seal", "3 ");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("a late seal", "seal-odd", |f| {
        let at = place_of(f, "seal", "1 ");
        let line = lines_of(f).remove(at);
        let close = place_of(f, "close", "1 ");
        lines_of(f).insert(close, line);
        rechain(f);
    }),
    ("a differing seal", "not-the-accepted", |f| {
        let forged = |b: &str| format!("{} {OTHER}", b.rsplit_once(' ').unwrap().0);
        change_body(f, "seal", "3 ", forged);
        let at = place_of(f, "recv", "3 umpire");
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("a seal of a player's seat", "seal-odd", |f| {
        let at = place_of(f, "seal", "2 ");
        let mut line = f["log"][at].clone();
        line["body"] = json!(line["body"].as_str().unwrap().replace("umpire", "red"));
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a player shown another log", "seen-other", |f| {
        let orders = f["turns"][1]["orders"]["red"].as_str().unwrap().to_owned();
        let lines = orders
            .lines()
            .map(|l| if l.starts_with("seen:") { format!("seen: 4 {OTHER}\n") } else { format!("{l}\n") });
        f["turns"][1]["orders"]["red"] = json!(lines.collect::<String>());
    }),
    ("a beacon that the game has not", "wrong-beacon", |f| {
        f["turns"][1]["beacon"] = json!(format!("drand/1/{OTHER}"));
    }),
    ("a beacon left out", "wrong-beacon", |f| {
        change_body(f, "game", "", |b| {
            let mut fields: Vec<&str> = b.split(' ').collect();
            fields[4] = "test-beacon:1692803367:3:3600";
            fields.join(" ")
        });
        rechain(f);
    }),
    ("a better die", "wrong-die", |f| {
        let face = &mut rolled(f)["rolls"][0][3][0];
        *face = json!(face.as_u64().unwrap() % 6 + 1);
    }),
    ("a die of no sides", "impossible-roll", |f| rolled(f)["rolls"][0][2] = json!(0)),
    ("fewer dice than said", "impossible-roll", |f| rolled(f)["rolls"][0][1] = json!(9)),
    ("a label of another turn", "foreign-label", |f| {
        let label = &mut rolled(f)["rolls"][0][0];
        *label = json!(format!("9{}", label.as_str().unwrap()));
    }),
    ("a label used twice", "label-twice", |f| {
        let roll = rolled(f)["rolls"][0].clone();
        rolled(f)["rolls"].as_array_mut().unwrap().push(roll);
    }),
    ("a gap in a sequence", "label-gap", |f| {
        let label = &mut rolled(f)["rolls"][0][0];
        let (stem, _) = label.as_str().unwrap().rsplit_once('/').unwrap();
        *label = json!(format!("{stem}/7"));
    }),
    ("a roll left out", "other-rolls", |f| _ = rolled(f)["rolls"].as_array_mut().unwrap().remove(0)),
    ("another result", "other-result", |f| f["turns"][1]["result"] = json!(OTHER)),
    ("a rerun that never was", "other-reruns", |f| {
        f["turns"][1]["reruns"] = json!([{"rolls": [], "result": OTHER}]);
    }),
    ("a turn without its parts", "malformed", |f| f["turns"][1]["rolls"] = json!(5)),
    ("an entry without its parts", "malformed", |f| f["log"][4] = json!(7)),
    ("an entry of no known kind", "malformed", |f| f["log"][4]["kind"] = json!("gossip")),
    ("a body that its kind can't have", "malformed", |f| {
        change_body(f, "close", "2 ", |_| "2 now".to_owned());
        rechain(f);
    }),
    ("a block that is not canonical", "malformed", |f| f["turns"][1]["orders"]["red"] = json!("BID 2  \n")),
];

/// Forgeries of a game with a beacon and without `seen:` lines, whose chain each makes whole again: nothing else gives them away.
pub(crate) const WHOLE: &[Forgery] = &[
    ("sealed orders that changed for a while", "seal-broken", |f| {
        let at = place_of(f, "seal", "3 ");
        lines_of(f).insert(at + 1, line("recv", &format!("3 umpire {OTHER} accepted -")));
    }),
    ("a mail accepted for nobody", "out-of-place", |f| {
        insert(f, "close", "2 ", "recv", &format!("2 - {OTHER} accepted -"));
    }),
    ("a mail accepted for a stranger", "out-of-place", |f| {
        insert(f, "close", "2 ", "recv", &format!("2 green {OTHER} accepted -"));
    }),
    ("another beacon in the log", "wrong-beacon", |f| {
        change_body(f, "note", "beacon 2 ", |b| format!("{}{OTHER}", &b[..b.len() - OTHER.len()]));
    }),
    ("another beacon in the file", "wrong-beacon", |f| {
        let beacon = f["turns"][1]["beacon"].as_str().unwrap().to_owned();
        f["turns"][1]["beacon"] = json!(format!("{}{OTHER}", &beacon[..beacon.len() - OTHER.len()]));
    }),
    ("no beacon in the log", "wrong-beacon", |f| {
        let at = place_of(f, "note", "beacon 2 ");
        lines_of(f).remove(at);
    }),
    ("two beacons in the log", "wrong-beacon", |f| {
        let at = place_of(f, "note", "beacon 2 ");
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
    }),
    ("a beacon after the dice", "out-of-place", |f| {
        let at = place_of(f, "note", "beacon 2 ");
        lines_of(f).swap(at, at + 1);
    }),
    ("an entry of no known kind", "malformed", |f| insert(f, "close", "2 ", "gossip", "2 red")),
    ("a rerun that no GM asked for", "out-of-place", |f| {
        let at = place_of(f, "rolls", "2 ");
        let committed = f["log"][at]["body"].as_str().unwrap().split_once(' ').unwrap().1.to_owned();
        lines_of(f).insert(at + 1, line("rerun", &format!("2 1 {committed}")));
        let turn = &mut f["turns"][1];
        turn["reruns"] = json!([{"rolls": turn["rolls"], "result": turn["result"]}]);
    }),
    ("a rollback of old turns", "out-of-place", |f| lines_of(f).push(line("rollback", "2 1"))),
    ("a rollback to the future", "out-of-place", |f| {
        let last = f["turns"].as_array().unwrap().len();
        lines_of(f).push(line("rollback", &format!("{last} {}", last + 1)));
    }),
    ("a rollback of more turns than there are seconds", "malformed", |f| {
        lines_of(f).push(line("rollback", "4000000000 1"));
    }),
    ("capitals in a digest of the log", "malformed", |f| change_body(f, "close", "2 ", str::to_uppercase)),
    ("capitals in a secret", "malformed", |f| {
        f["turns"][1]["secret"] = json!(f["turns"][1]["secret"].as_str().unwrap().to_uppercase());
    }),
    ("capitals in a result", "other-result", |f| {
        f["turns"][1]["result"] = json!(f["turns"][1]["result"].as_str().unwrap().to_uppercase());
    }),
    ("a number with a zero before it", "malformed", |f| {
        change_body(f, "deadline", "2 ", |b| b.replace("2 ", "2 0"));
    }),
    ("a year that no beacon will see", "malformed", |f| {
        change_body(f, "deadline", "2 ", |b| format!("{b}0"));
    }),
    ("a line end in a note", "malformed", |f| lines_of(f).push(line("note", "one\nline"))),
    ("a house of strangers", "malformed", |f| {
        change_body(f, "game", "", |b| b.replace(" umpire ", " vizier "));
    }),
    ("a key that comes late", "out-of-place", |f| {
        lines_of(f).push(line("note", "host key ssh-ed25519 AAAA"));
    }),
    ("a roll of no dice", "impossible-roll", |f| add_roll(f, json!(["2/a/b/c/0", 0, 6, []]))),
    ("a die of more sides than there are", "impossible-roll", |f| {
        rolled(f)["rolls"][0][2] = json!(1_u64 << 32);
    }),
    ("a die that would never stop", "impossible-roll", |f| rolled(f)["rolls"][0][2] = json!(u64::MAX)),
    ("a die of sides beyond numbers", "malformed", |f| rolled(f)["rolls"][0][2] = json!(1e30)),
    ("a face with a fraction", "malformed", |f| {
        let face = &mut rolled(f)["rolls"][0][3][0];
        *face = json!(face.as_f64().unwrap());
    }),
    ("a turn with a fraction", "malformed", |f| f["turns"][1]["t"] = json!(2.0)),
    ("a number in words", "malformed", |f| f["turns"][1]["t"] = json!("2")),
    ("a turn that is a list", "malformed", |f| f["turns"][1] = json!([2, null])),
    ("an entry that is a list", "malformed", |f| {
        let line = f["log"][4].clone();
        f["log"][4] = json!([line["kind"], line["body"], line["hash"]]);
    }),
    ("a witness of two halves and a third", "malformed", |f| {
        f["witness"] = json!([[3, f["log"][3]["hash"], 0]]);
    }),
    ("dice that were never committed to", "never-committed", |f| {
        let at = place_of(f, "rolls", "2 ");
        lines_of(f).truncate(at);
        f["turns"].as_array_mut().unwrap().truncate(2);
    }),
    ("a result that was never committed to", "never-committed", |f| {
        let at = place_of(f, "rolls", "2 ");
        lines_of(f).truncate(at);
        f["turns"].as_array_mut().unwrap().truncate(2);
        f["turns"][1]["rolls"] = json!([]);
    }),
    ("a secret other than the one revealed", "other-secret", |f| {
        lines_of(f).push(line("note", &format!("reveal 2 {OTHER}")));
    }),
    ("a close dated back to the one before", "backdated", |f| date_back(f, 0)),
    ("a close dated back before the round that was used", "backdated", |f| date_back(f, 1)),
    ("a turn behind the end", "out-of-place", |f| {
        let at = place_of(f, "open", "3 ");
        lines_of(f).insert(at, line("note", "ended: red 1; blue 0"));
    }),
    ("a turn behind the end that was made void", "out-of-place", |f| {
        insert(f, "open", "7 ", "note", "ended: red 1; blue 0");
        lines_of(f).push(line("rollback", "7 7"));
        rechain(f);
    }),
    ("an end before the dice", "out-of-place", |f| insert(f, "close", "2 ", "note", "ended: red 1; blue 0")),
    ("a witness that is none", "malformed", |f| f["witness"] = json!([7])),
    ("a log without an entry", "no-log", |f| (f["log"], f["turns"]) = (json!([]), json!([]))),
];

/// The last accepted mail of a seat once more, with another word beside it.
fn relabel(file: &mut Value, begins: &str, word: &str) {
    let is_it = |line: &Value| {
        let body = line["body"].as_str().unwrap();
        line["kind"] == "recv" && body.starts_with(begins) && body.ends_with(" accepted -")
    };
    let at = file["log"].as_array().unwrap().iter().rposition(is_it).unwrap();
    let body = file["log"][at]["body"].as_str().unwrap().replace(" accepted -", &format!(" accepted {word}"));
    lines_of(file).insert(at + 1, line("recv", &body));
    rechain(file);
}

/// An entry whose hash is not known yet.
fn line(kind: &str, body: &str) -> Value {
    json!({"kind": kind, "body": body, "hash": ""})
}

/// Puts an entry before the first of a kind whose body begins so.
fn insert(file: &mut Value, before: &str, begins: &str, kind: &str, body: &str) {
    let at = place_of(file, before, begins);
    lines_of(file).insert(at, line(kind, body));
}

/// Dates the last close so many seconds after the first, with the beacon's round that is due then. Of what it throws nothing is shown.
fn date_back(file: &mut Value, seconds: u64) {
    let number = |file: &Value, kind: &str, t: u64| -> u64 {
        let body = file["log"][place_of(file, kind, &format!("{t} "))]["body"].as_str().unwrap();
        body.split(' ').nth(1).unwrap().parse().unwrap()
    };
    let policy: musterd::dice::BeaconPolicy =
        file["log"][0]["body"].as_str().unwrap().split(' ').nth(4).unwrap().parse().unwrap();
    let t = file["turns"].as_array().unwrap().len() as u64;
    let at = number(file, "deadline", 1) - 1 + seconds;
    change_body(file, "deadline", &format!("{t} "), |_| format!("{t} {at}"));
    let beacon = format!("{}/{}/{OTHER}", policy.name, policy.round(at));
    change_body(file, "note", &format!("beacon {t} "), |_| format!("beacon {t} {beacon}"));
    file["turns"][usize::try_from(t - 1).unwrap()] = json!({"t": t, "secret": null});
}

fn add_roll(file: &mut Value, roll: Value) {
    file["turns"][1]["rolls"].as_array_mut().unwrap().push(roll);
}

/// A true file of a game with a beacon, and each forgery of it, its chain made whole.
pub(crate) fn whole() -> (Value, Vec<(&'static str, &'static str, Value)>) {
    let (honest, _) = beacon::played(&beacon::camp());
    let forged = |(what, code, forge): &Forgery| {
        let mut file = honest.clone();
        forge(&mut file);
        rechain(&mut file);
        (*what, *code, file)
    };
    let forged = WHOLE.iter().map(forged).collect();
    (honest, forged)
}

#[test]
fn a_forgery_whose_chain_is_whole_is_found_by_both_verifiers() {
    let dir = tempfile::tempdir().unwrap();
    let (honest, forged) = whole();
    assert_eq!(codes(&honest, &[]), [""; 0]);
    for (what, code, file) in forged {
        let found = codes(&file, &[]);
        assert!(found.contains(&code), "{what}: {found:?}");
        let (status, said) = independent(dir.path(), &file, &[]);
        assert_eq!(status, 1, "{what}: {said}");
    }
}

#[test]
fn what_is_no_audit_file_is_called_so_by_both_verifiers() {
    let dir = tempfile::tempdir().unwrap();
    let lists = r#""protocol":"pbemdice/1","witness":[],"log":[],"turns":[]"#;
    let deep = |depth: usize| format!("{{{lists},\"more\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
    for text in [
        String::new(),
        "7".to_owned(),
        "{}".to_owned(),
        r#"["pbemdice/1",[],[],[]]"#.to_owned(),
        format!("{{{lists}"),
        format!("{{{lists}}}}}"),
        format!("\u{feff}{{{lists}}}"),
        format!("{{{lists},\"log\":[]}}"),
        format!("{{{lists},\"more\":[{{\"a\":1,\"\\u0061\":2}}]}}"),
        format!("{{{lists},\"more\":NaN}}"),
        lists.replace("[]", "{}"),
        format!("{{{}}}", lists.replace("pbemdice/1", "pbemdice/2")),
        format!("{{{}}}", lists.replace("[]", "{}")),
        deep(64),
        deep(100_000),
    ] {
        let told: String = text.chars().take(100).collect();
        assert!(musterd::dice::audit::examine(&text, &[], |_, _| {}).is_err(), "{told}");
        assert_eq!(super::audit::independent_of(dir.path(), &text, &[]).0, 2, "{told}");
    }
    let text = deep(63);
    assert!(musterd::dice::audit::examine(&text, &[], |_, _| {}).is_ok());
    assert_eq!(super::audit::independent_of(dir.path(), &text, &[]).0, 1);
}

#[test]
fn a_game_in_which_nothing_has_closed_is_not_fine() {
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = whole();
    let at = place_of(&file, "close", "1 ");
    lines_of(&mut file).truncate(at);
    file["turns"] = json!([]);
    let examination = examined(&file, &[]);
    assert_eq!((codes(&file, &[]), examination.faults().count()), (vec!["nothing-closed"], 0));
    assert_eq!(independent(dir.path(), &file, &[]).0, 5);
    assert_eq!(independent(dir.path(), &file, &["--allow-unrevealed".to_owned()]).0, 0);
}

/// Whoever checks a file must be kept busy neither by a number in it nor by how much is wrong.
#[test]
fn large_numbers_and_many_faults_come_to_an_end() {
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = whole();
    for (kind, body) in [("open", "999999999 - late".to_owned()), ("close", format!("999999999 {OTHER}"))] {
        lines_of(&mut file).push(line(kind, &body));
    }
    let ones = vec![json!(1); 10_000];
    lines_of(&mut file).extend(ones);
    let turns = file["turns"].as_array_mut().unwrap();
    turns.push(json!({"t": 999_999_999, "secret": OTHER}));
    turns.push(json!({"t": 4_000_000_000_u32, "secret": OTHER}));
    for roll in 0..1000 {
        add_roll(&mut file, json!([format!("2/a/b/c/{roll}"), 1, 6, [7]]));
    }
    let found = codes(&file, &[]);
    for code in ["gap", "malformed", "turn-not-closed", "wrong-die", "more"] {
        assert!(found.contains(&code), "{code}: {found:?}");
    }
    assert!(found.len() < 100, "{found:?}");
    let (status, said) = independent(dir.path(), &file, &[]);
    assert!(status == 1 && said.lines().count() < 200 && said.contains(" more: "), "{said}");
}

/// Who took his orders back may be stood in for.
#[test]
fn a_stand_in_for_a_seat_that_took_its_orders_back_is_as_it_should_be() {
    let (mut file, _) = whole();
    let at = place_of(&file, "recv", "1 red");
    let body = file["log"][at]["body"].as_str().unwrap().to_owned();
    let withdrawn = body.replace("accepted -", "accepted withdrawn");
    let stand_in = body.replace("accepted -", "accepted stand-in");
    lines_of(&mut file).splice(at + 1..=at, [line("recv", &withdrawn), line("recv", &stand_in)]);
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 1), "L1, salted by blue");
}

/// What the independent verifier can't put out is not lost: a full disk and a terminal that knows few letters.
#[test]
fn the_independent_verifier_says_that_its_output_was_lost_and_prints_every_letter() {
    use std::process::{Command, Stdio};
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = whole();
    file["log"][1]["kind"] = json!("\u{436}");
    let path = dir.path().join("audit.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/verify.py");
    let verify = || {
        let mut command = Command::new("python3");
        command.args(["-B", script]).arg(&path).stderr(Stdio::null());
        command
    };
    let plain = verify().env("PYTHONIOENCODING", "ascii").output().unwrap();
    assert!(plain.status.code() == Some(1) && plain.stdout.is_ascii(), "{plain:?}");
    assert!(String::from_utf8(plain.stdout).unwrap().contains("\\u0436"));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(verify().stdout(full).status().unwrap().code(), Some(3));
    // Half a surrogate pair is a finding like any other, and `--head` with no head an argument that makes no sense.
    let text = file.to_string().replace('\u{436}', "\\ud800");
    assert_eq!(super::audit::independent_of(dir.path(), &text, &[]).0, 1);
    let arguments = ["--head".to_owned(), "3:zz".to_owned()];
    assert_eq!(super::audit::independent_of(dir.path(), &text, &arguments).0, 2);
}

/// The level of an adjudication as both verifiers tell it, in a file in which nothing is wrong.
fn level(file: &Value, t: u32) -> String {
    let dir = tempfile::tempdir().unwrap();
    let examination = examined(file, &[]);
    assert_eq!(examination.findings, []);
    let turn = examination.turns.iter().find(|turn| turn.t == t).unwrap();
    let salted: Vec<&str> = turn.salted.iter().map(musterd::dice::Seat::as_str).collect();
    let whose = if salted.is_empty() { "nobody".to_owned() } else { salted.join(", ") };
    let told = format!("{}, salted by {whose}", turn.level.unwrap());
    let (status, said) = independent(dir.path(), file, &[]);
    assert!(status == 0 && said.contains(&format!("t {t}: {told};")), "{told}: {said}");
    told
}

#[test]
fn orders_that_the_host_gave_for_a_seat_raise_no_level() {
    let (honest, _) = whole();
    assert_eq!(level(&honest, 1), "L3, salted by blue, red");
    let mut file = honest.clone();
    change_body(&mut file, "recv", "1 blue", |body| body.replace("accepted -", "accepted stand-in"));
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 1), "L1, salted by red", "one seat's orders were not sealed");
    change_body(&mut file, "recv", "1 red", |body| body.replace("accepted -", "accepted stand-in"));
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 1), "L0, salted by nobody");
    // A seat that the house takes over for as long as a mail of its needs.
    let mut file = honest;
    insert(&mut file, "recv", "1 blue", "gm", "1 seat blue house: for a moment");
    insert(&mut file, "close", "1 ", "gm", "1 seat blue player: again");
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 1), "L1, salted by red");
}

#[test]
fn orders_for_a_seat_that_nobody_has_raise_no_level() {
    let (mut file, _) = whole();
    insert(&mut file, "recv", "1 blue", "note", "seat blue open");
    insert(&mut file, "close", "1 ", "note", "seat blue player");
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 1), "L1, salted by red");
}

#[test]
fn what_was_never_committed_to_is_not_needed() {
    let (mut file, _) = whole();
    let at = place_of(&file, "rolls", "2 ");
    lines_of(&mut file).truncate(at);
    file["turns"].as_array_mut().unwrap().truncate(2);
    (file["turns"][1]["rolls"], file["turns"][1]["result"]) = (json!([]), json!(""));
    reopen(&mut file);
    assert_eq!(level(&file, 2), "L3, salted by red");
}

/// Whoever forges the log writes the heads that stand in its file too.
#[test]
fn the_heads_in_a_file_witness_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = whole();
    file["witness"] = json!([[3, file["log"][3]["hash"]]]);
    assert_eq!(examined(&file, &[]).witnesses, 0);
    let (status, said) = independent(dir.path(), &file, &[]);
    assert!(status == 0 && said.contains("consistent, not witnessed"), "{said}");
    let head = format!("3:{}", file["log"][3]["hash"].as_str().unwrap());
    let (status, said) = independent(dir.path(), &file, &["--head".to_owned(), head]);
    assert!(status == 0 && !said.contains("not witnessed"), "{said}");
}

#[test]
fn a_player_who_takes_over_a_sealed_seat_may_order_for_it() {
    let (mut file, _) = whole();
    let at = place_of(&file, "seal", "2 ");
    let seal = file["log"][at]["body"].as_str().unwrap().to_owned();
    let behind = [
        line("gm", "2 seat umpire player: a person"),
        line("recv", &format!("2 umpire {OTHER} accepted -")),
        line("recv", &format!("{seal} accepted -")),
        line("gm", "2 seat umpire house: no person after all"),
    ];
    lines_of(&mut file).splice(at + 1..=at, behind);
    rechain(&mut file);
    reopen(&mut file);
    assert_eq!(level(&file, 2), "L3, salted by red", "what was closed is what was sealed");
}

#[test]
fn the_highest_level_comes_with_what_has_to_be_compared_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let (honest, _) = whole();
    let turn = examined(&honest, &[]).turns.remove(1);
    let (public, beacon) = (turn.beacon.unwrap(), honest["turns"][1]["beacon"].as_str().unwrap());
    assert_eq!(public.beacon.to_string(), beacon);
    let (_, said) = independent(dir.path(), &honest, &[]);
    let line = said.lines().find(|line| line.starts_with("t 2: L3")).unwrap();
    let words = public.to_string();
    for part in [&beacon[beacon.len() - 64..], &format!("round {}", public.beacon.round)] {
        assert!(line.contains(part) && words.contains(part), "{part}: {line}\n{words}");
    }
}

#[test]
fn both_find_what_stands_in_no_chain_at_all() {
    let (honest, _) = whole();
    both_find(
        &honest,
        &[("hashes left out", "wrong-hash", |f| {
            lines_of(f).iter_mut().for_each(|line| line["hash"] = json!(""));
        })],
    );
}
