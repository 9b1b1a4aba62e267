//! `musterd verify` and `musterd audit` as they are run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_musterd");
    Command::new(program).current_dir(dir).args(arguments).env_remove("MUSTERD_DIR").output().unwrap()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|out| String::from_utf8_lossy(out).into_owned()).concat()
}

#[test]
fn the_commands_end_with_the_status_that_scripts_rely_on() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = musterd(dir.path(), arguments);
        (output.status.code().unwrap(), said(&output))
    };
    assert_eq!(run(&["demo", "--keep", "camp"]).0, 0);
    let (status, text) = run(&["--dir", "camp", "audit", "demo", "--out", "demo.json"]);
    assert!(status == 0 && text.contains("every secret, every set of orders and every die"), "{text}");
    for shown in
        ["THE DICE, COUNTED", "d6, ", "d100: lag 1", "all rolls", "can't prove that a host is honest"]
    {
        assert!(text.contains(shown), "`{shown}` is not in\n{text}");
    }
    let luck = text.split("LUCK ---").nth(1).unwrap().to_owned();
    let (status, text) = run(&["verify", "demo.json", "camp/mail", "--replay"]);
    assert!(status == 0 && text.contains("nothing is wrong"), "{text}");
    assert!(text.contains("dice were counted.") && text.contains(luck.trim_end()), "{text}");
    assert!(text.contains("the same log and the same dice are in 2 mails"), "{text}");
    let (status, text) = run(&["verify", "demo.json"]);
    assert!(status == 0 && text.contains("dice were counted.") && !text.contains("LUCK"), "{text}");
    let (status, text) = run(&["--json", "verify", "demo.json", "camp/mail"]);
    let inquiry: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &inquiry["cases"][0]["game"]), (0, &json!("demo")));
    let (status, text) = run(&["--dir", "camp", "--json", "audit", "demo"]);
    let told: Value = serde_json::from_str(&text).unwrap();
    assert!(
        status == 0 && told["examination"]["turns"][1]["level"] == "L0" && told["head"][0].is_u64(),
        "{text}"
    );
    let statistics = &told["statistics"];
    assert!(statistics["verdict"].is_string() && statistics["luck"][0]["hits"].is_u64(), "{text}");

    // On a terminal it says the same.
    let program = env!("CARGO_BIN_EXE_musterd");
    let on_terminal = Command::new("script")
        .current_dir(dir.path())
        .args(["-qec", &format!("{program} verify demo.json camp/mail"), "/dev/null"])
        .output()
        .unwrap();
    assert!(on_terminal.status.success(), "{}", said(&on_terminal));
    assert!(said(&on_terminal).contains("nothing is wrong"), "{}", said(&on_terminal));

    let honest = fs::read_to_string(dir.path().join("demo.json")).unwrap();
    let forged = honest.replacen("\"kind\":\"deadline\"", "\"kind\":\"note\"", 1);
    assert_ne!(forged, honest);
    fs::write(dir.path().join("forged.json"), forged).unwrap();
    assert_eq!(run(&["verify", "forged.json"]).0, 1);
    fs::write(dir.path().join("holiday.jpg"), [0xff, 0xd8]).unwrap();
    assert_eq!(run(&["verify", "holiday.jpg"]).0, 2, "nothing to check");
    assert_eq!(run(&["verify"]).0, 2);
    let (status, text) = run(&["verify", "nowhere"]);
    assert!(status == 3 && text.contains("nowhere"), "{text}");
    assert_eq!(run(&["--dir", "camp", "audit", "nogame"]).0, 2);
}

/// A folder with the files of the example campaign, and what a reader of it may have besides.
fn example() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/example-campaign");
    for name in ["audit.json", "french.mbox", "allied.mbox"] {
        fs::copy(from.join(name), dir.path().join(name)).unwrap();
        fs::copy(from.join("cheated").join(name), dir.path().join(format!("cheated-{name}"))).unwrap();
    }
    let whole = fs::read(from.join("audit.json")).unwrap();
    let head = "0".repeat(64);
    let mail = |text: &str| {
        format!("From a@b.example Sat Nov 21 12:00:00 2026\nFrom: a@b.example\nSubject: Hello\n\n{text}\n\n")
    };
    let mixed = [mail("See you."), fs::read_to_string(from.join("french.mbox")).unwrap()].concat();
    for (name, bytes) in [
        ("cut.json", &whole[..whole.len() / 2]),
        ("holiday.jpg", &[0xff, 0xd8]),
        ("position.json", b"{\"protocol\": 7}"),
        ("friends.mbox", mail("See you.").as_bytes()),
        ("beta.mbox", mail(&format!("Chain: beta 3\n  {head}")).as_bytes()),
        ("mixed.mbox", mixed.as_bytes()),
        ("Deep.json", "[".repeat(200_000).as_bytes()),
        ("Deeper.json", format!("{{\"protocol\":\"pbemdice/1\",\"log\":{}", "[".repeat(200_000)).as_bytes()),
    ] {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

/// Whoever gives a file thinks that it was looked at: where it was not, the status says so.
#[test]
fn a_path_that_says_nothing_of_a_game_never_ends_well() {
    let dir = example();
    for (paths, status, told) in [
        (
            &["audit.json", "holiday.jpg"][..],
            2,
            "holiday.jpg is neither mails nor an audit file, and was passed over.",
        ),
        (&["audit.json", "position.json"], 2, "position.json is neither mails nor"),
        (&["audit.json", "Deep.json"], 2, "Deep.json is neither mails nor"),
        (&["audit.json", "friends.mbox"], 2, "friends.mbox holds 1 mail and nothing about a game"),
        (&["audit.json", "beta.mbox"], 2, "beta.mbox is about beta, and nothing else here is"),
        (&["audit.json", "mixed.mbox"], 0, "mixed.mbox, mailbox file (mbox): 19 mails, 12 of them a host's"),
        (
            &["french.mbox", "allied.mbox"],
            0,
            "dice fell as they had to, and what the mails show fits the log: ",
        ),
        (&["audit.json", "cut.json"], 2, "cut.json can't be read: this is not an audit file"),
        (&["french.mbox", "Deeper.json"], 2, "Deeper.json can't be read"),
        (&["audit.json", "nowhere.mbox"], 3, "nowhere.mbox"),
        (&["cheated-audit.json", "holiday.jpg"], 1, "holiday.jpg is neither"),
    ] {
        let output = musterd(dir.path(), &[&["verify"], paths].concat());
        let words = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(status), "{paths:?}: {words}");
        assert!(words.contains(told), "{paths:?}: {words}");
    }
}

#[test]
fn a_seat_that_a_game_doesnt_have_is_refused_and_the_seats_are_named() {
    let dir = example();
    for (seat, status, told) in [
        ("nobody", 2, "there is no such seat; alpha has the seats allied and french"),
        ("NOBODY", 2, "there is no such seat; alpha has the seats allied and french"),
        ("French", 0, "WHAT BECAME OF THE MAILS OF FRENCH"),
    ] {
        for paths in [&["french.mbox", "audit.json"][..], &["french.mbox"]] {
            let output = musterd(dir.path(), &[&["verify", "--mine", seat], paths].concat());
            let text = said(&output);
            assert_eq!(output.status.code(), Some(status), "{seat}: {text}");
            assert!(text.contains(told), "{seat}: {text}");
        }
    }
}

#[test]
fn files_keep_their_spelling_and_tables_their_lines() {
    let dir = example();
    let text = said(&musterd(dir.path(), &["verify", "cheated-audit.json", "cheated-french.mbox"]));
    assert!(text.contains(" cheated-french.mbox, mail 14") && !text.contains("Cheated"), "{text}");
    let text = said(&musterd(dir.path(), &["verify", "audit.json"]));
    // What it is called by the columns above it: how many dice were thrown is the example's affair.
    let rows: Vec<&str> = text.lines().filter(|row| row.contains("  1805-summer-french  L2  ")).collect();
    let columns: Vec<&str> = rows[0].split_whitespace().collect();
    assert_eq!(columns[..5], ["2", "1805-summer-french", "L2", "allied,", "french"], "{text}");
    assert!(columns[5] == columns[6] && columns[7..] == ["nothing", "wrong"], "{text}");
}
