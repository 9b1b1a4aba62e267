//! `musterd odds`: what a user sees, and what a program reads.

use std::process::{Command, Output};

use serde_json::Value;

use crate::common::pages::{assert_fits, golden};

fn odds(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.args(["--dir", env!("CARGO_TARGET_TMPDIR"), "odds", "lga"]).args(arguments.split(' '));
    command.output().unwrap()
}

fn page(arguments: &str) -> String {
    let output = odds(arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&page(&format!("{arguments} --json"))).unwrap()
}

/// The same as the examples in the players' guide.
#[test]
fn every_question_is_answered_on_a_page_that_fits() {
    let questions = [
        "attack --with infantry:3 --hq 2 --against militia:2 --river --rounds 2",
        "attack --with guard,cavalry:2:f1 --hq 2 --against infantry --garrison militia --defender-hq 1 --into forest \
         --until-clear --while-morale 2",
        "attack --with infantry:2 --from-sea --against militia:1 --while-odds 1",
        "attack --with infantry:0 --out-of marsh --into mountains --garrison guard",
        "muster --unit infantry,infantry:2,militia --in major --winter --unsupplied",
        "muster --unit infantry:1 --in marsh --abroad",
        "withdraw --unit infantry:2,cavalry --river --into-marsh",
        "reinforce --unit infantry,cavalry:1",
        "siege --unit guard",
        "march --unit infantry:3:f1 --way 1,1,2 --winter",
    ];
    let pages: Vec<String> =
        questions.iter().map(|q| format!("$ musterd odds lga {q}\n{}", page(q))).collect();
    pages.iter().for_each(|page| page.split_once('\n').into_iter().for_each(|(_, page)| assert_fits(page)));
    golden("odds-lga", &pages.join("\n"));
}

/// Terrains that a host's own rules add are grounds of every question, as what they count as.
#[test]
fn terrains_of_an_authors_own_are_known() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let rules = musterd::rules::lga::shipped("austrian-1805").unwrap().0["ruleset.yaml"].clone();
    let own = "terrains:\n  hills: {like: forest, sign: h, moves: 2, muster: -2}\n\n# Points to raise";
    std::fs::create_dir_all(dir.join("games/lga")).unwrap();
    std::fs::write(dir.join("games/lga/ruleset.yaml"), rules.replace("# Points to raise", own)).unwrap();
    let ask = |question: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        let output =
            command.arg("--dir").arg(dir).args(["odds", "lga"]).args(question.split(' ')).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let (status, hills) = ask("attack --with cavalry --against militia --into hills");
    assert!(status == Some(0) && hills.contains("into hills, which counts as forest"), "{hills}");
    let (_, forest) = ask("attack --with cavalry --against militia --into forest");
    assert_eq!(hills.replace("hills, which counts as forest", "forest"), forest);
    let (status, muster) = ask("muster --unit infantry --in hills");
    assert!(status == Some(0) && muster.contains("in hills, which counts as forest"), "{muster}");
    let (status, told) = ask("attack --with cavalry --against militia --into hill");
    assert_eq!(status, Some(2), "{told}");
    assert!(
        told.contains(
            "`hill` is no ground: write clear, forest, mountains, marsh or hills; did you mean hills?"
        ),
        "{told}"
    );
}

#[test]
fn the_words_for_a_place_are_read_in_any_case() {
    assert_eq!(page("muster --unit infantry --in Capital"), page("muster --unit infantry --in capital"));
}

#[test]
fn a_program_reads_every_chance_as_a_fraction_and_a_decimal() {
    let answer = json("attack --with infantry:3 --hq 1 --against infantry:3 --rounds 3");
    assert_eq!(answer["question"], "attack");
    let groups = answer["chances"].as_array().unwrap();
    let of = |name: &str| groups.iter().find(|group| group["of"] == name).unwrap();
    assert_eq!(
        of("Left in the hex")["cases"][0],
        serde_json::json!({"case": "nobody: it is clear", "fraction": "119/216", "decimal": "0.550926"})
    );
    for group in groups {
        let decimals =
            group["cases"].as_array().unwrap().iter().map(|case| case["decimal"].as_str().unwrap());
        let millionths: i64 = decimals.map(|d| d.replace('.', "").parse::<i64>().unwrap()).sum();
        assert!((millionths - 1_000_000).abs() < 10, "{group}: the cases are all that there are");
    }
    assert_eq!(answer["expected"][3]["case"], "defenders destroyed");
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    for (question, reason) in [
        ("attack --with hq --against infantry", "a headquarters does not attack"),
        ("attack --with infantry:4 --against militia", "infantry has a morale from 0 to 3, not 4"),
        (
            "attack --with infantry --against militia:x",
            "`x` is neither a morale such as 3 nor a fatigue such as f2",
        ),
        ("attack --with infantry --garrison cavalry", "cavalry is no garrison"),
        ("attack --with dragoons --against militia", "`dragoons` is no unit"),
        ("attack --with infantry", "--against"),
        ("siege --unit hq", "a headquarters is no garrison"),
        ("siege --unit militia,cavalry", "cavalry is no garrison"),
        ("march --unit militia --marched 5 --way 1", "militia has only 4 moves a season"),
    ] {
        let output = odds(question);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{question}: {error}");
        assert!(error.contains(reason), "{question}: {error}");
    }
}
