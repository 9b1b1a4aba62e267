//! Two verifiers that were written apart must say the same of every file: each part of a true one is changed in each of many ways.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use musterd::dice::audit::examine;
use serde_json::{Value, json};

use super::audit::{lines_of, place_of, rechain};
use super::audit_forgeries::whole;
use super::reroll;
use super::sim::Chance;
use super::told_mails::revealed_up_to;

/// Where a changed part stands until the text is made: JSON values know no name twice and no `1.0` that was `1`.
const HERE: &str = "@here@";
/// What a part becomes that was something else.
const OTHER_TYPES: [&str; 14] = [
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"7\"",
    "0",
    "1",
    "-1",
    "-0",
    "1.0",
    "1e0",
    "18446744073709551616",
    "[[]]",
];

/// How often entries are exchanged at random.
const EXCHANGES: u32 = 100;

/// A changed file, and what was changed.
pub(crate) struct Mutant {
    pub(crate) what: String,
    pub(crate) text: String,
}

/// Every change of every kind of part. Entries of the log are one kind each, and so are the turns that roll.
fn mutants(honest: &Value, pointers: Vec<String>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for pointer in pointers {
        let part = honest.pointer(&pointer).unwrap();
        let mut with = |how: &str, raw: &str| {
            let mut file = honest.clone();
            *file.pointer_mut(&pointer).unwrap() = json!(HERE);
            let text = file.to_string().replacen(&json!(HERE).to_string(), raw, 1);
            mutants.push(Mutant { what: format!("{pointer}: {how}"), text });
        };
        let own = part.to_string();
        for other in OTHER_TYPES.into_iter().filter(|other| *other != own) {
            with(other, other);
        }
        let (holder, name) = pointer.rsplit_once('/').unwrap();
        match honest.pointer(holder).unwrap() {
            Value::Object(_) => with("twice", &format!("{own},{}:{own}", json!(name))),
            _ => with("twice", &format!("{own},{own}")),
        }
        match part {
            Value::String(text) => {
                with("capitals", &json!(text.to_uppercase()).to_string());
                with("more", &json!(format!("{text} ")).to_string());
                with("less", &json!(text.chars().skip(1).collect::<String>()).to_string());
                with("half a sign", &format!("{}\\ud800\"", &own[..own.len() - 1]));
            }
            Value::Number(number) => {
                let number = number.as_u64().unwrap();
                with("one more", &(number + 1).to_string());
                with("one less", &number.wrapping_sub(1).to_string());
                with("a fraction", &format!("{number}.0"));
            }
            Value::Object(_) => with("unknown member", &format!("{{\"more\":1.5e400,{}", &own[1..])),
            _ => {}
        }
        let mut file = honest.clone();
        match file.pointer_mut(holder).unwrap() {
            Value::Object(members) => _ = members.remove(name),
            Value::Array(list) => _ = list.remove(name.parse().unwrap()),
            _ => {}
        }
        mutants.push(Mutant { what: format!("{pointer}: dropped"), text: file.to_string() });
    }
    mutants
}

/// Where the parts are, one of each kind.
fn pointers(file: &Value) -> Vec<String> {
    let mut kinds = BTreeSet::new();
    let mut found = Vec::new();
    for (index, line) in file["log"].as_array().unwrap().iter().enumerate() {
        if kinds.insert(line["kind"].to_string()) {
            found.push(format!("/log/{index}"));
        }
    }
    found.truncate(3);
    let turns = file["turns"].as_array().unwrap();
    let rolling = turns.iter().position(|turn| turn["rolls"].as_array().unwrap().len() > 1).unwrap();
    found.push(format!("/turns/{rolling}"));
    found.extend(["witness", "witness/0", "log", "turns", "protocol"].map(|name| format!("/{name}")));
    with_parts(file, found)
}

/// These parts and those in them.
fn with_parts(file: &Value, mut found: Vec<String>) -> Vec<String> {
    let mut at = 0;
    while let Some(pointer) = found.get(at).cloned() {
        at += 1;
        let below: Vec<String> = match file.pointer(&pointer).unwrap() {
            Value::Object(members) => members.keys().cloned().collect(),
            Value::Array(list) if pointer != "/log" && pointer != "/turns" => {
                (0..list.len().min(4)).map(|n| n.to_string()).collect()
            }
            _ => Vec::new(),
        };
        let below = below.into_iter().map(|name| format!("{pointer}/{name}"));
        found.extend(below.filter(|below| !found.contains(below)).collect::<Vec<_>>());
    }
    found
}

/// Every change of every field of an entry of each kind, the chain made whole behind it.
fn changed_entries(honest: &Value) -> Vec<Mutant> {
    let mut kinds = BTreeSet::new();
    let mut mutants = Vec::new();
    // Of each kind the first, and the one behind it if it differs: a `note` may be anything.
    for index in 0..honest["log"].as_array().unwrap().len() {
        let (kind, body) =
            (honest["log"][index]["kind"].as_str().unwrap(), honest["log"][index]["body"].as_str().unwrap());
        let begins: String = body.chars().filter(char::is_ascii_lowercase).take(4).collect();
        if !kinds.insert((kind, if kind == "note" { begins } else { String::new() })) {
            continue;
        }
        let mut with = |what: &str, change: &dyn Fn(&mut Vec<Value>)| {
            let mut file = honest.clone();
            change(lines_of(&mut file));
            rechain(&mut file);
            mutants.push(Mutant { what: format!("log {index} {kind}: {what}"), text: file.to_string() });
        };
        let fields: Vec<&str> = body.split(' ').collect();
        for at in 0..fields.len().min(6) {
            for (how, field) in changed(fields[at]) {
                let mut fields: Vec<&str> = fields.clone();
                fields[at] = &field;
                let body = fields.join(" ");
                with(&format!("field {at} {how}"), &|lines| lines[index]["body"] = json!(body));
            }
            let mut fewer = fields.clone();
            fewer.remove(at);
            with(&format!("field {at} dropped"), &|lines| lines[index]["body"] = json!(fewer.join(" ")));
        }
        if kind == "recv" {
            for word in ["withdrawn", "stand-in", "consent", "-"] {
                let mut fields = fields.clone();
                fields[4] = word;
                let body = fields.join(" ");
                with(&format!("beside it {word}"), &|lines| lines[index]["body"] = json!(body));
                with(&format!("again with {word}"), &|lines| {
                    let again = json!({"kind": kind, "body": body, "hash": ""});
                    lines.insert(index + 1, again);
                });
            }
        }
        with("dropped", &|lines| _ = lines.remove(index));
        with("twice", &|lines| lines.insert(index, lines[index].clone()));
        with("last", &|lines| {
            let line = lines[index].clone();
            lines.push(line);
        });
        with("later", &|lines| {
            if index + 1 < lines.len() {
                lines.swap(index, index + 1);
            }
        });
        for other in [
            "open", "seal", "recv", "deadline", "close", "rolls", "rerun", "rollback", "reroll", "gm",
            "note", "game", "Game", "",
        ] {
            with(&format!("as `{other}`"), &|lines| lines[index]["kind"] = json!(other));
        }
    }
    mutants
}

fn changed(field: &str) -> Vec<(&'static str, String)> {
    let mut changed = vec![
        ("twice", format!("{field} {field}")),
        ("with its twin", format!("{field},{field}")),
        ("in capitals", field.to_uppercase()),
        ("none", "-".to_owned()),
        ("empty", String::new()),
        ("longer", format!("{field}0")),
        ("after a zero", format!("0{field}")),
        ("after a plus", format!("+{field}")),
        ("negative", format!("-{field}")),
        ("a word", "x".to_owned()),
        ("a tab", format!("{field}\t")),
        ("a sign of Unicode", format!("{field}\u{2028}")),
        ("very large", "99999999999999999999".to_owned()),
        ("zero", "0".to_owned()),
    ];
    if let Ok(number) = field.parse::<u64>() {
        changed.push(("one more", (number + 1).to_string()));
        changed.push(("one less", number.saturating_sub(1).to_string()));
    }
    changed
}

/// Moves, repeats and drops entries here and there, always the same ones, the chain made whole behind them.
fn exchanged(honest: &Value) -> Vec<Mutant> {
    let mut chance = Chance(20);
    let count = honest["log"].as_array().unwrap().len();
    let exchange = |_| {
        let mut file = honest.clone();
        let mut what = "log".to_owned();
        for _ in 0..=chance.below(2) {
            let [from, to] = [0; 2].map(|_| usize::try_from(chance.below(count as u64 - 4)).unwrap());
            let lines = lines_of(&mut file);
            let line = lines[from].clone();
            what.push_str(&format!(", {from} to {to}"));
            match chance.below(3) {
                0 => _ = lines.remove(from),
                1 => lines.insert(to, line),
                _ => lines.swap(from, to),
            }
        }
        rechain(&mut file);
        Mutant { what, text: file.to_string() }
    };
    (0..EXCHANGES).map(exchange).collect()
}

/// Ends the game at each place of the log, with turns behind it that ran, were made void, or throw a roll again.
fn ended_anywhere(honest: &Value) -> Vec<Mutant> {
    let places = 1..=honest["log"].as_array().unwrap().len();
    let ended = |at: usize| {
        let mut file = honest.clone();
        lines_of(&mut file).insert(at, json!({"kind": "note", "body": "ended: red 1", "hash": ""}));
        rechain(&mut file);
        Mutant { what: format!("log: ended at {at}"), text: file.to_string() }
    };
    places.map(ended).collect()
}

/// Adds lines to the orders of a turn: what is a `salt:` and what a `seen:` line must not be a matter of taste.
fn orders_with_odd_lines(honest: &Value) -> Vec<Mutant> {
    let head = honest["log"][3]["hash"].as_str().unwrap();
    let lines = [
        format!("seen: 3 {head}"),
        format!("\t Seen:3\t{head}"),
        format!("seen: 4 {head}"),
        format!("seen: +4 {head}"),
        format!("seen: 4 {}", head.to_uppercase()),
        format!("seen : 4 {head}"),
        format!("\u{a0}seen: 4 {head}"),
        format!("seen: \u{664} {head}"),
        format!("\u{17f}een: 4 {head}"),
        format!("seen: 4 {head} x"),
        format!("seen: 4\u{a0}{head}"),
        format!("x\rseen: 4 {head}"),
        format!("x\u{2028}seen: 4 {head}"),
        "x \n".to_owned(),
        "\r".to_owned(),
    ];
    let with = |line: &String| {
        let mut file = honest.clone();
        file["turns"][1]["orders"]["red"] = json!(format!("{line}\n"));
        Mutant { what: format!("orders {line:?}"), text: file.to_string() }
    };
    lines.iter().map(with).collect()
}

/// What the program's examination would have for an exit status.
pub(crate) fn own_status(text: &str) -> i32 {
    match examine(text, &[], |_, _| {}) {
        Err(_) => 2,
        Ok(examination) if examination.faults().next().is_some() => 1,
        Ok(examination) => {
            if examination.findings.is_empty() {
                0
            } else {
                5
            }
        }
    }
}

/// The exit status that the independent verifier gives each file; one process reads them all.
fn independent_statuses(dir: &Path, files: &[PathBuf]) -> Vec<i32> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let script = "import contextlib, io, sys\nsys.path.insert(0, sys.argv[1])\nimport verify\nfor name in sys.stdin:\n    \
                  with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()): status = verify.main([name.strip()])\n    \
                  print(status)\n";
    let names = dir.join("names");
    let mut list = fs::File::create(&names).unwrap();
    files.iter().for_each(|file| writeln!(list, "{}", file.display()).unwrap());
    let output = Command::new("python3")
        .args(["-B", "-c", script])
        .arg(docs)
        .stdin(Stdio::from(fs::File::open(names).unwrap()))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.is_empty(), "{said}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

/// A true file without what only the program reads, and every change of it.
pub(crate) fn changed_files() -> (Value, Vec<Mutant>) {
    let (mut honest, _) = whole();
    honest.as_object_mut().unwrap().remove("replay");
    honest["witness"] = json!([[3, honest["log"][3]["hash"]]]);
    let mut bare = honest.clone();
    bare["witness"] = json!([]);
    let mut corrected = reroll::corrected();
    corrected.as_object_mut().unwrap().remove("replay");
    assert_eq!(own_status(&corrected.to_string()), 0);
    for kind in ["reroll", "rerun", "rollback", "gm"] {
        place_of(&corrected, kind, "");
    }
    let told = revealed_up_to(3).file;
    assert_eq!(own_status(&told.to_string()), 0);
    let changes = [
        mutants(&honest, pointers(&honest)),
        mutants(&told, with_parts(&told, vec!["/turns/1/told".to_owned()])),
        changed_entries(&told),
        exchanged(&told),
        changed_entries(&bare),
        changed_entries(&corrected),
        orders_with_odd_lines(&honest),
        exchanged(&bare),
        exchanged(&corrected),
        ended_anywhere(&corrected),
    ];
    (honest, changes.into_iter().flatten().collect())
}

#[test]
fn both_verifiers_say_the_same_of_every_changed_file() {
    let dir = tempfile::tempdir().unwrap();
    let (honest, mutants) = changed_files();
    assert_eq!(own_status(&honest.to_string()), 0);
    assert!(mutants.len() > 500, "{}", mutants.len());
    let files: Vec<PathBuf> = (0..mutants.len()).map(|n| dir.path().join(format!("{n}.json"))).collect();
    for (mutant, file) in mutants.iter().zip(&files) {
        fs::write(file, &mutant.text).unwrap();
    }
    let statuses = independent_statuses(dir.path(), &files);
    assert_eq!(statuses.len(), mutants.len());
    let differ = mutants.iter().zip(statuses).filter_map(|(mutant, theirs)| {
        let ours = own_status(&mutant.text);
        (ours != theirs).then(|| format!("{}: {ours} here, {theirs} there", mutant.what))
    });
    let differ: Vec<String> = differ.collect();
    assert!(differ.is_empty(), "{} of {}:\n{}", differ.len(), mutants.len(), differ.join("\n"));
}
