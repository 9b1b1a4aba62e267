//! What each verifier ends with, for every state that a game can be in.

use std::fs;
use std::process::Command;

use musterd::dice::{ChainLines, Witness};
use serde_json::json;

use super::audit::{OTHER, as_arguments, independent_of, lines_of, place_of, played, rechain};

/// A file with the heads that somebody kept, and what every verifier ends with.
pub(crate) struct State {
    pub(crate) what: &'static str,
    pub(crate) file: String,
    heads: Vec<ChainLines>,
    pub(crate) status: i32,
    /// The same where what is not revealed is allowed.
    allowed: i32,
}

impl State {
    /// A player's mail that quotes the heads.
    pub(crate) fn mail(&self) -> String {
        let heads: String = self.heads.iter().map(|head| format!("{head}\n\n")).collect();
        format!(
            "From x@players.example Sat Nov 21 12:00:00 2026\nFrom: x@players.example\nSubject: heads\n\n{heads}\n"
        )
    }
}

/// Every outcome, and of any two the one that goes before the other.
pub(crate) fn states() -> Vec<State> {
    let (honest, heads) = played();
    let numbered = |lines: &ChainLines| match lines {
        ChainLines::Numbered(witness) => Some(witness.clone()),
        ChainLines::Open(_) => None,
    };
    let behind = Witness { index: 9999, ..heads.iter().find_map(numbered).unwrap() };
    let newer: Vec<ChainLines> = heads.iter().cloned().chain([behind.into()]).collect();
    let mut hidden = honest.clone();
    hidden["turns"][4] = json!({"t": 5, "secret": null});
    let mut begun = honest.clone();
    let at = place_of(&begun, "close", "1 ");
    lines_of(&mut begun).truncate(at);
    begun["turns"] = json!([]);
    let early = heads.iter().filter_map(numbered).filter(|head| head.index < at as u64);
    let early: Vec<ChainLines> = early.map(ChainLines::from).collect();
    let mut forged = honest.clone();
    forged["turns"][1]["result"] = json!(OTHER);
    let mut forged_log = hidden.clone();
    let close = place_of(&forged_log, "close", "3 ");
    forged_log["log"][close]["body"] = json!(format!("3 {OTHER}"));
    rechain(&mut forged_log);
    let state = |what, file: &serde_json::Value, heads: &[ChainLines], status, allowed| State {
        what,
        file: file.to_string(),
        heads: heads.to_vec(),
        status,
        allowed,
    };
    vec![
        state("all is well", &honest, &heads, 0, 0),
        state("a forgery", &forged, &heads, 1, 1),
        state("a forgery, hidden turns and newer mails", &forged_log, &newer, 1, 1),
        state("mails that are newer", &honest, &newer, 4, 4),
        state("hidden turns and newer mails", &hidden, &newer, 4, 4),
        state("a hidden turn", &hidden, &heads, 5, 0),
        state("nothing has closed", &begun, &early, 5, 0),
        state("no audit file", &json!({"protocol": 7}), &heads, 2, 2),
    ]
}

#[test]
fn the_program_and_the_script_end_with_the_status_that_the_protocol_lists() {
    let dir = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_musterd");
    for state in states() {
        fs::write(dir.path().join("alpha.json"), &state.file).unwrap();
        fs::write(dir.path().join("red.mbox"), state.mail()).unwrap();
        for (more, status) in [(&[][..], state.status), (&["--allow-unrevealed"], state.allowed)] {
            let arguments = [&["verify", "alpha.json", "red.mbox", "--json"], more].concat();
            let output = Command::new(program).current_dir(dir.path()).args(arguments).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(status), "{}: {said}", state.what);
            let told: serde_json::Value = serde_json::from_str(&said).unwrap();
            assert_eq!(told["status"], status, "{}", state.what);
            let mut arguments = as_arguments(&state.heads);
            arguments.extend(more.iter().map(|more| (*more).to_owned()));
            let (independent, said) = independent_of(dir.path(), &state.file, &arguments);
            assert_eq!(independent, status, "{}: {said}", state.what);
        }
    }
    // A path that can't be read goes before all.
    let output =
        Command::new(program).current_dir(dir.path()).args(["verify", "alpha.json", "nowhere"]).output();
    assert_eq!(output.unwrap().status.code(), Some(3));
    let honest = states().remove(0);
    let (status, said) = independent_of(dir.path(), &honest.file, &["nowhere".to_owned()]);
    assert_eq!(status, 3, "{said}");
}
