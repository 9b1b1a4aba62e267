//! The rules that the repository keeps for itself: layers import one way, the core is pure, files stay short, every
//! ruling has its case, and nothing names the machine it was written on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Every layer, and those that it may import. `hex, dice -> engine -> rules, report; letter; -> desk -> audit; store, post ->
/// daemon -> cli`, where rulesets use the report's nouns and never the other way round. `fault` is what the outer layers
/// that touch disks and sockets fail by in tests.
const LAYERS: [(&str, &[&str]); 18] = [
    ("lines", &[]),
    ("nouns", &[]),
    ("hex", &[]),
    ("dice", &["lines", "nouns"]),
    ("engine", &["lines", "nouns", "hex", "dice"]),
    ("report", &["lines", "nouns", "hex", "dice", "engine"]),
    ("rules", &["lines", "nouns", "hex", "dice", "engine", "report"]),
    ("letter", &["lines", "dice"]),
    ("desk", &["lines", "nouns", "hex", "dice", "engine", "report", "rules", "letter"]),
    ("audit", &["dice", "engine", "report", "letter", "desk"]),
    ("fault", &[]),
    ("worker", &[]),
    ("regular", &["worker"]),
    ("fresh", &["fault"]),
    ("store", &["worker", "nouns", "hex", "dice", "engine", "letter", "desk", "fault", "fresh", "regular"]),
    ("post", &["nouns", "hex", "dice", "engine", "letter", "desk", "fault", "regular"]),
    (
        "daemon",
        &[
            "worker", "nouns", "hex", "dice", "engine", "report", "rules", "letter", "desk", "fault",
            "fresh", "regular", "store", "post",
        ],
    ),
    (
        "cli",
        &[
            "nouns", "hex", "dice", "engine", "report", "rules", "letter", "desk", "audit", "fault", "fresh",
            "regular", "store", "post", "daemon",
        ],
    ),
];

/// Layers that compute from their arguments and nothing else.
const PURE: [&str; 9] = ["lines", "nouns", "hex", "dice", "engine", "report", "rules", "letter", "desk"];

/// What would make a layer impure: the beginnings of paths, and of `use` declarations.
const IMPURE: [&str; 17] = [
    "std::env",
    "std::fs",
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

/// The longest that a source file may be, in lines.
const LONGEST: usize = 500;

#[test]
fn layers_import_one_way_and_the_core_is_pure() {
    let root = root();
    let mut faults = Vec::new();
    for file in files(&root.join("src"), "rs") {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap();
        faults.extend(import_faults(name, &text));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_checker_of_imports_sees_what_it_must() {
    for (file, text) in [
        // Upwards, in every way that a path can be written.
        ("src/engine/table.rs", "use crate::rules::lga::State;"),
        ("src/engine/mod.rs", "use crate::{dice::Seat, rules};"),
        ("src/dice/label.rs", "fn f() -> crate::engine::Seat { todo!() }"),
        ("src/dice/label.rs", "fn f() { g!(1, [crate::hex::Hex]); }"),
        ("src/report/map.rs", "use super::super::rules::lga;"),
        ("src/report/mod.rs", "use super::rules;"),
        ("src/report/mod.rs", "mod tests { use super::super::desk::Game; }"),
        ("src/report/map.rs", "use {crate::{engine::{self, Table}, rules::{lga::{State}}}};"),
        ("src/desk.rs", "use crate::store::Store as S;"),
        ("src/desk.rs", "use super::post::*;"),
        ("src/store/mod.rs", "pub(crate) use crate::post::Spool;"),
        ("src/post/imap.rs", "impl crate::daemon::Clock for X {}"),
        ("src/daemon/mod.rs", "macro_rules! m { () => { $crate::cli::main() } }"),
        ("src/letter/mod.rs", "use crate::engine::Remark;"),
        // Everything at once says nothing of layers.
        ("src/cli/mod.rs", "use crate::*;"),
        ("src/cli/mod.rs", "use crate as musterd_again;"),
        // One ruleset from another, by its name or by the folder of all.
        ("src/rules/lga/ai.rs", "use crate::rules::dog::Unit;"),
        ("src/rules/lga/ai.rs", "use super::super::dog;"),
        ("src/rules/lga/phases/muster.rs", "use super::super::super::dog;"),
        ("src/rules/lga/ai.rs", "use crate::rules;"),
        // Clocks, files, chance.
        ("src/engine/table.rs", "use std::{fmt, fs};"),
        ("src/rules/lga/ai.rs", "fn f() { let _ = std::time::Instant::now(); }"),
        ("src/letter/mod.rs", "use std::time::SystemTime; fn f() -> SystemTime { SystemTime::now() }"),
        ("src/letter/mod.rs", "use lettre::{Message, SmtpTransport};"),
        ("src/report/mod.rs", "fn f() { ::std::env::var(X) }"),
        ("src/dice/secret.rs", "fn f() { getrandom::fill(&mut x); }"),
        ("src/desk.rs", "use sled;"),
    ] {
        assert_eq!(import_faults(file, text).len(), 1, "{file}: {text}");
    }
    for (file, text) in [
        ("src/rules/lga/phases/muster.rs", "use super::super::state::State; use crate::rules::lga::Order;"),
        ("src/rules/lga/mod.rs", "use crate::{dice::Seat, engine::{self, Ruleset}, report::Table};"),
        ("src/rules/mod.rs", "pub mod lga; use self::lga::State; use crate::rules::lga;"),
        ("src/hex/mod.rs", "mod tests { use super::*; use std::collections::BTreeMap; }"),
        (
            "src/report/map.rs",
            "/// See [`crate::rules`]\n// use crate::rules;\nconst X: &str = \"use crate::rules\";",
        ),
        (
            "src/desk.rs",
            "use crate::rules::lga; use std::time::Duration; fn f<'a>(c: char) -> bool { c == '\\'' }",
        ),
        (
            "src/letter/mod.rs",
            "use lettre::Message; const EPOCH: std::time::SystemTime = SystemTime::UNIX_EPOCH;",
        ),
        ("src/store/mod.rs", "use std::fs::File; use sled::Db; use crate::fault::point;"),
        ("src/main.rs", "fn main() -> std::process::ExitCode { musterd::cli::main() }"),
        (
            "src/cli/mod.rs",
            "use crate::daemon::Daemon; fn f<'a>(x: &'a str) -> impl Iterator + use<'a> { g(x) }",
        ),
    ] {
        assert_eq!(import_faults(file, text), Vec::<String>::new(), "{file}: {text}");
    }
}

#[test]
fn source_files_stay_short() {
    let long: Vec<String> = files(&root().join("src"), "rs")
        .into_iter()
        .map(|file| (fs::read_to_string(&file).unwrap().lines().count(), file))
        .filter(|(lines, _)| *lines > LONGEST)
        .map(|(lines, file)| {
            format!("{} has {lines} lines: which two subjects does it have?", file.display())
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_ruling_has_a_case() {
    let mut missing = Vec::new();
    for rulings in files(&root().join("docs/rulings"), "md") {
        let ruleset = rulings.file_stem().unwrap().to_str().unwrap();
        let cases = root().join("tests/cases").join(ruleset);
        if !cases.exists() {
            continue; // A ruleset whose rulings are written down before it is played.
        }
        // A ruling on what players read, and not on what happens, is tested beside the cases.
        let tests =
            files(&root().join("tests/it"), "rs").into_iter().filter(|file| !file.ends_with("tidy.rs"));
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
        .filter(|(file, _)| !file.ends_with("tests/it/tidy.rs"))
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
        "source = \"sparse+https://index.crates.io/\"",
        "pip install --index-url https://pypi.org/simple",
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

/// What in `text` breaks the layers or the purity of the source file `file` (`src/engine/table.rs`).
fn import_faults(file: &str, text: &str) -> Vec<String> {
    let module = module_of(file);
    let Some(layer) = module.first().cloned() else {
        return Vec::new(); // lib.rs and main.rs only join the layers.
    };
    let allowed = LAYERS.iter().find(|(name, _)| *name == layer).map(|(_, allowed)| *allowed);
    let Some(allowed) = allowed else {
        return vec![format!("{file}: `{layer}` is not a layer")];
    };
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut paths = Vec::new();
    collect(tokens, &module, &mut paths);
    paths.sort();
    paths.dedup();

    let mut faults = Vec::new();
    for path in paths {
        let shown = path.join("::");
        if path[0] == "crate" {
            match path.get(1).map(String::as_str) {
                None | Some("*") => faults.push(format!("{file}: `{shown}` names no layer")),
                Some(other) if other != layer && !allowed.contains(&other) => {
                    faults.push(format!("{file}: `{layer}` must not import `{shown}`"));
                }
                Some("rules") if layer == "rules" && module.len() > 1 && path.get(2) != module.get(1) => {
                    faults.push(format!("{file}: a ruleset must not import `{shown}`"));
                }
                Some(_) => {}
            }
        } else if PURE.contains(&layer.as_str()) && is_impure(&path) {
            faults.push(format!("{file}: `{layer}` is pure and must not use `{shown}`"));
        }
    }
    faults
}

fn is_impure(path: &[String]) -> bool {
    let outside = |start: &&str| {
        let start: Vec<&str> = start.split("::").collect();
        path.len() >= start.len() && path.iter().zip(start).all(|(segment, expected)| segment == expected)
    };
    let reads_clock = matches!(path, [.., clock, now] if now == "now" && CLOCKS.contains(&clock.as_str()));
    IMPURE.iter().any(outside) || reads_clock
}

/// `src/rules/lga/mod.rs` -> `rules, lga`; none for the crate's roots.
fn module_of(file: &str) -> Vec<String> {
    let path = file.strip_prefix("src/").unwrap_or(file).trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if matches!(path, "lib" | "main") { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Adds every path of two segments or more, and every imported one, with `self` and `super` resolved to `crate::…`.
fn collect(tokens: TokenStream, module: &[String], paths: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Group(group) => collect(group.stream(), module, paths),
            TokenTree::Ident(word) if word == "mod" => {
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                {
                    collect(body.stream(), &[module, &[name.to_string()]].concat(), paths);
                    at += 2;
                }
            }
            TokenTree::Ident(word) if word == "use" && !is_punct(tokens.get(at + 1), '<') => {
                let end =
                    tokens[at..].iter().position(|t| is_punct(Some(t), ';')).map_or(tokens.len(), |n| at + n);
                imports(&tokens[at + 1..end], &[], &mut |path| paths.push(resolve(path, module)));
                at = end;
            }
            TokenTree::Ident(word) => {
                let mut path = vec![name(word)];
                while is_colons(&tokens, at + 1)
                    && let Some(TokenTree::Ident(word)) = tokens.get(at + 3)
                {
                    path.push(name(word));
                    at += 3;
                }
                if path.len() > 1 {
                    paths.push(resolve(path, module));
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        at += 1;
    }
}

/// Every path that a `use` tree imports, after `prefix`.
fn imports(tree: &[TokenTree], prefix: &[String], found: &mut impl FnMut(Vec<String>)) {
    let mut path = prefix.to_vec();
    for token in tree {
        match token {
            TokenTree::Ident(word) if word == "as" => break,
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(name(word)),
            TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for branch in inside.split(|t| is_punct(Some(t), ',')).filter(|branch| !branch.is_empty()) {
                    imports(branch, &path, found);
                }
                return;
            }
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    found(path);
}

/// The path from the crate's root where it begins with `crate`, `self` or `super`; else as written.
fn resolve(path: Vec<String>, module: &[String]) -> Vec<String> {
    let ups = path.iter().take_while(|segment| *segment == "super" || *segment == "self").count();
    if ups == 0 {
        return path;
    }
    let supers = path[..ups].iter().filter(|segment| *segment == "super").count();
    let base = &module[..module.len().saturating_sub(supers)];
    [&["crate".to_owned()], base, &path[ups..]].concat()
}

fn name(word: &proc_macro2::Ident) -> String {
    word.to_string().trim_start_matches("r#").to_owned()
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
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
    const HOSTS: [&str; 8] = [
        "registry+",
        "sparse+",
        "index.crates.io",
        "static.crates.io",
        "pypi.org",
        "files.pythonhosted.org",
        "registry.npmjs.org",
        "proxy.golang.org",
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
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
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
