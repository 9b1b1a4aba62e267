//! The rules that the repository keeps for itself: crates depend one way, nothing inside one goes in a circle, the core is pure, every
//! ruling has its case, and nothing names the machine it was written on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::too_many_lines, reason = "a rule of the repository is checked in one place")]

mod paths;
mod structure;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

/// Every crate, and those of ours that it may depend on. Cargo refuses circles; this refuses what is merely wrong.
const CRATES: [(&str, &[&str]); 16] = [
    ("text", &[]),
    ("disk", &[]),
    ("dice", &[]),
    ("letter", &["text"]),
    ("engine", &["text", "dice"]),
    ("report", &["text", "dice", "engine"]),
    ("kit", &["text", "dice", "engine", "report"]),
    ("rules/lga", &["text", "dice", "engine", "report", "kit"]),
    ("rules/dog", &["text", "dice", "engine", "report", "kit"]),
    ("rules/sa", &["text", "dice", "engine", "report", "kit"]),
    ("rules/acw", &["text", "dice", "engine", "report", "kit"]),
    ("desk", &["text", "dice", "engine", "report", "letter"]),
    ("audit", &["text", "dice", "engine", "report", "letter", "desk"]),
    ("store", &["text", "dice", "engine", "disk"]),
    ("post", &["text", "letter", "disk"]),
    ("daemon", &["text", "dice", "engine", "report", "letter", "desk", "disk", "store", "post"]),
];

/// Crates that compute from their arguments and nothing else.
const PURE: [&str; 11] = [
    "text",
    "dice",
    "engine",
    "report",
    "kit",
    "rules/lga",
    "rules/dog",
    "rules/sa",
    "rules/acw",
    "letter",
    "desk",
];

/// What would make a crate impure: the beginnings of paths, and of `use` declarations.
const IMPURE: [&str; 22] = [
    "std::collections::hash_map::RandomState",
    "std::env",
    "std::fs",
    "std::hash::RandomState",
    "std::io::stderr",
    "std::io::stdin",
    "std::io::stdout",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "getrandom",
    "imap",
    "lettre::SmtpTransport",
    "lettre::Transport",
    "lettre::transport",
    "rand",
    "rustix",
    "rustls",
    "signal_hook",
    "sled",
    "tracing",
];

/// Whoever asks one of these for the time gets the machine's. (As types they may carry a time that was an argument.)
const CLOCKS: [&str; 4] = ["SystemTime", "Instant", "Timestamp", "Zoned"];

#[test]
fn crates_depend_one_way_and_share_their_lints() {
    let mut faults = Vec::new();
    for manifest in files(&root().join("src"), "toml") {
        let folder = manifest.parent().unwrap().strip_prefix(root().join("src")).unwrap();
        let folder = folder.to_str().unwrap();
        let text = fs::read_to_string(&manifest).unwrap();
        let Some((_, allowed)) = CRATES.iter().find(|(name, _)| *name == folder) else {
            faults.push(format!("src/{folder}: not among the crates that this test knows"));
            continue;
        };
        faults.extend(dependency_faults(folder, &text, allowed));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let found = files(&root().join("src"), "toml").len();
    assert_eq!(found, CRATES.len(), "a crate is missing");
}

#[test]
fn the_checker_of_manifests_sees_what_it_must() {
    let lints = "[lints]\nworkspace = true\n";
    let of = |dependency: &str| {
        format!("[dependencies]\n{dependency}\n[dev-dependencies]\nmusterd-lga.workspace = true\n{lints}")
    };
    for fault in [
        of("musterd-report.workspace = true"),
        of("musterd-dog = { path = \"../dog\" }"),
        "[target.'cfg(unix)'.dependencies]\nmusterd-daemon = \"0.1\"\n".to_owned() + lints,
        of("musterd-dice.workspace = true").replace(lints, ""),
    ] {
        assert_eq!(dependency_faults("engine", &fault, &["text", "dice"]).len(), 1, "{fault}");
    }
    assert_eq!(
        dependency_faults("engine", &of("musterd-dice.workspace = true"), &["dice"]),
        Vec::<String>::new()
    );
}

/// What in a crate's manifest is against the order of the crates.
fn dependency_faults(folder: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut section, mut shares_lints) = ("", false);
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[lints]" && line == "workspace = true" {
            shares_lints = true;
        } else if section.ends_with("dependencies]")
            && !section.contains("dev-dependencies")
            && let Some(name) = line.strip_prefix("musterd-")
        {
            let name = name.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.iter().any(|allowed| allowed.rsplit('/').next() == Some(name)) {
                faults.push(format!("src/{folder} must not depend on musterd-{name}"));
            }
        }
    }
    if !shares_lints {
        faults.push(format!("src/{folder} has lints of its own: write `[lints] workspace = true`"));
    }
    faults
}

#[test]
fn the_core_is_pure() {
    let mut faults = Vec::new();
    for folder in PURE {
        let folder = root().join("src").join(folder);
        // An example is a program that uses the crate.
        for file in files(&folder, "rs").into_iter().filter(|file| !file.starts_with(folder.join("examples")))
        {
            let text = fs::read_to_string(&file).unwrap();
            let name = file.strip_prefix(root()).unwrap().to_str().unwrap();
            faults.extend(purity_faults(name, &text));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_purity_sees_what_it_must() {
    for text in [
        "use std::{fmt, fs};",
        "fn f() { let _ = std::time::Instant::now(); }",
        "use std::time::SystemTime; fn f() -> SystemTime { SystemTime::now() }",
        "use lettre::{Message, SmtpTransport};",
        "fn f() { ::std::env::var(X) }",
        "fn f() { getrandom::fill(&mut x); }",
        "use sled;",
    ] {
        assert_eq!(purity_faults("src/desk/lib.rs", text).len(), 1, "{text}");
    }
    for text in [
        "mod tests { use super::*; use std::collections::BTreeMap; }",
        "/// See [`std::fs`]\n// use std::fs;\nconst X: &str = \"use std::fs\";",
        "use std::time::Duration; fn f<'a>(c: char) -> bool { c == '\\'' }",
        "use lettre::Message; const EPOCH: std::time::SystemTime = SystemTime::UNIX_EPOCH;",
        "fn f<'a>(x: &'a str) -> impl Iterator + use<'a> { g(x) }",
    ] {
        assert_eq!(purity_faults("src/desk/lib.rs", text), Vec::<String>::new(), "{text}");
    }
}

/// What in a source file of a pure crate is not.
fn purity_faults(file: &str, text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut named = Vec::new();
    paths::collect(tokens, &[], &mut named);
    named.sort();
    named.dedup();
    let impure = named.iter().filter(|path| is_impure(path));
    impure.map(|path| format!("{file} must not use `{}`", path.join("::"))).collect()
}

fn is_impure(path: &[String]) -> bool {
    let outside = |start: &&str| {
        let start: Vec<&str> = start.split("::").collect();
        path.len() >= start.len() && path.iter().zip(start).all(|(segment, expected)| segment == expected)
    };
    let reads_clock = matches!(path, [.., clock, now] if now == "now" && CLOCKS.contains(&clock.as_str()));
    IMPURE.iter().any(outside) || reads_clock
}

/// A ruleset is its folder in `src/rules/`, one in `games/`, and its lines in the list of the program.
#[test]
fn nothing_but_the_programs_list_names_a_ruleset() {
    let mut faults = Vec::new();
    for path in files(&root().join("src"), "rs") {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if !file.starts_with("src/rules/") && !["src/rulesets.rs", "src/lib.rs"].contains(&file.as_str()) {
            faults.extend(naming_faults(&file, &fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_rulesets_sees_what_it_must() {
    for line in
        ["use musterd_dog::Dog;", "let id = \"lga\";", "run(\"lga/austrian-1805\")", "crate::rules::dog::Dog"]
    {
        assert_eq!(naming_faults("a.rs", line).len(), 1, "{line}");
    }
    let fine = "//! musterd_lga\nlet text = \"musterd demo games/lga/x.yaml\"; // \"dog\"\n#[cfg(test)]\nuse musterd_lga::Lga;";
    assert_eq!(naming_faults("a.rs", fine), Vec::<String>::new());
}

/// Where code, tests in it excepted, names a ruleset: its crate, or its name as a text.
fn naming_faults(file: &str, text: &str) -> Vec<String> {
    let own = text.split("#[cfg(test)]").next().unwrap_or_default();
    let rulesets = CRATES.iter().filter_map(|(folder, _)| folder.strip_prefix("rules/"));
    let names: Vec<String> = rulesets
        .flat_map(|id| {
            [format!("musterd_{id}"), format!("rules::{id}"), format!("\"{id}\""), format!("\"{id}/")]
        })
        .collect();
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let is_named = |line: &str| names.iter().any(|name| code(line).contains(name.as_str()));
    let found = (1..).zip(own.lines()).filter(|(_, line)| is_named(line));
    found.map(|(number, line)| format!("{file}:{number}: {}", line.trim())).collect()
}

#[test]
fn every_ruling_has_a_case() {
    let mut missing = Vec::new();
    for rulings in files(&root().join("docs/rulings"), "md") {
        let ruleset = rulings.file_stem().unwrap().to_str().unwrap();
        let cases = root().join("tests/cases").join(ruleset);
        // A ruling on what players read, and not on what happens, is tested beside the cases.
        let tests = files(&root().join("tests"), "rs");
        let cases: String = files(&cases, "")
            .into_iter()
            .chain(tests)
            .map(|case| fs::read_to_string(case).unwrap() + "\n")
            .collect();
        let prefix = format!("{}-", ruleset.to_uppercase());
        let played = numbers_after(&prefix, &cases);
        let ruled = numbers_after(&prefix, &fs::read_to_string(&rulings).unwrap());
        assert!(!ruled.is_empty(), "{} names no {prefix}n", rulings.display());
        missing.extend(ruled.difference(&played).map(|number| format!("{prefix}{number}")));
    }
    assert!(missing.is_empty(), "no case and no test names {}", missing.join(", "));
}

#[test]
fn a_ruling_names_tests_that_name_it() {
    let mut wrong = Vec::new();
    for rulings in files(&root().join("docs/rulings"), "md") {
        for paragraph in fs::read_to_string(&rulings).unwrap().split("\n\n") {
            let Some((name, _)) = paragraph.strip_prefix("**").and_then(|rest| rest.split_once("**")) else {
                continue;
            };
            let (prefix, number) = name.rsplit_once('-').unwrap_or((name, ""));
            let Some((_, tests)) = paragraph.rsplit_once("Tests:") else { continue };
            for test in tests.split([',', ' ', '\n']).map(|test| test.trim_end_matches('.')) {
                let text = fs::read_to_string(root().join(test)).unwrap_or_default();
                let named = numbers_after(&format!("{prefix}-"), &text);
                if !test.is_empty() && !named.contains(&number.parse().unwrap()) {
                    wrong.push(format!("{name}: {test}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "rulings name tests that don't name them:\n{}", wrong.join("\n"));
}

#[test]
fn rulings_are_found_by_whole_numbers() {
    let text = "## LGA-1: x\nsee LGA-12, (LGA-64) but not LGA-x, XLGA-7 or lga-3";
    assert_eq!(numbers_after("LGA-", text), BTreeSet::from([1, 12, 64]));
}

#[test]
fn nothing_names_a_package_host_or_somebodys_machine() {
    let root = root();
    let faults: Vec<String> = tracked_files(&root)
        .iter()
        .filter_map(|file| Some((file, fs::read_to_string(file).ok()?)))
        .filter(|(file, _)| !file.ends_with("tests/tidy/main.rs"))
        .flat_map(|(file, text)| {
            let name = file.strip_prefix(&root).unwrap().display().to_string();
            place_faults(&name, &text)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_places_sees_what_it_must() {
    for text in [
        "source = \"sparse+https://index.example/\"",
        "pip install --index-url https://pypi.example/simple",
        "cd /root/musterd",
        "see (/mnt/notes.md)",
        "\"/workspace/x\"",
        "/Users/somebody/src",
    ] {
        assert_eq!(place_faults("README.md", text).len(), 1, "{text}");
    }
    let locked = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    assert_eq!(place_faults("Cargo.lock", locked), Vec::<String>::new());
    assert_eq!(place_faults("Cargo.lock", "source = \"registry+https://mirror.example/index\"").len(), 1);
    for text in
        ["https://crates.io/crates/sled", "a/mnt/b", "docs/root/x", "/etc/musterd", "/work-in-progress/"]
    {
        assert_eq!(place_faults("README.md", text), Vec::<String>::new(), "{text}");
    }
}

/// The numbers that stand directly after `prefix`, where a word begins with it.
fn numbers_after(prefix: &str, text: &str) -> BTreeSet<u32> {
    text.match_indices(prefix)
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))
        .filter_map(|(at, _)| {
            let digits: String = text[at + prefix.len()..].chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
        .collect()
}

/// What in `text` ties the repository to one machine or one source of packages.
fn place_faults(file: &str, text: &str) -> Vec<String> {
    // What hosts of packages have in their names.
    const HOSTS: [&str; 8] = [
        "registry+",
        "sparse+",
        "index.crates",
        "static.crates",
        "pypi",
        "pythonhosted",
        "npmjs",
        "proxy.golang",
    ];
    const HOMES: [&str; 5] = ["root", "Users", "work", "workspace", "mnt"];
    // The lock file names where Cargo's own packages come from, and may name no other place.
    let text = match file {
        "Cargo.lock" => text.replace("registry+https://github.com/rust-lang/crates.io-index", ""),
        _ => text.to_owned(),
    };
    let host = HOSTS.iter().find(|host| text.contains(**host)).map(|host| format!("{file}: `{host}`"));
    let inside_a_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '}' | ')');
    let home = HOMES
        .iter()
        .map(|home| format!("/{home}/"))
        .find(|home| text.match_indices(home.as_str()).any(|(at, _)| !text[..at].ends_with(inside_a_path)));
    host.into_iter().chain(home.map(|home| format!("{file}: `{home}`"))).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every file under `folder` (none if there is no such folder) with this extension, or with any if it is empty.
fn files(folder: &Path, extension: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.append(&mut files(&path, extension));
        } else if extension.is_empty() || path.extension().is_some_and(|ext| ext == extension) {
            found.insert(path);
        }
    }
    found
}

/// Every file of the repository that people write: not what is built, and not mails that others wrote.
fn tracked_files(root: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        if ["target", ".git", "demo-campaign"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() { found.append(&mut files(&path, "")) } else { found.extend([path]) }
    }
    found.retain(|file| {
        !["tests/letters", "tests/vintage"].iter().any(|name| file.starts_with(root.join(name)))
    });
    found
}
