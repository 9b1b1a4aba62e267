//! Questions about odds, as a user asks them, against cases counted by hand.

use musterd_acw::{Acw, shipped};
use musterd_engine::Ruleset;
use musterd_engine::calls::{Answer, Arg, CallError, Dice, Given, Installation, PlayedGame};
use musterd_engine::files::RuleFiles;

struct Here;

impl Installation for Here {
    fn files(&mut self) -> Result<RuleFiles, CallError> {
        Ok(shipped("bull-run").unwrap())
    }
    fn scenario(&mut self, name: &str) -> Result<RuleFiles, CallError> {
        Err(name.into())
    }
    fn read(&mut self, _: &str) -> Result<Option<String>, CallError> {
        Ok(None)
    }
    fn game(&mut self, game: &musterd_dice::GameId) -> Result<PlayedGame, CallError> {
        Err(game.to_string().into())
    }
    fn dice(&mut self, _: &'static str, _: &str, _: Option<RuleFiles>) -> Result<Box<dyn Dice>, CallError> {
        Err("no dice".into())
    }
}

fn ask(name: &str, words: &str, options: &[(&str, &str)]) -> Result<Answer, String> {
    let call = Acw::ODDS.calls.iter().find(|call| call.name == name).unwrap();
    let of = |arg: &Arg| -> Vec<String> {
        if arg.name == "words" {
            return words.split_whitespace().map(str::to_owned).collect();
        }
        let given = options.iter().find(|(name, _)| *name == arg.name).map(|(_, value)| *value);
        given.or(arg.default).map(str::to_owned).into_iter().collect()
    };
    (call.run)(&Given::new(call, of), &mut Here).map_err(|error| error.to_string())
}

/// The fraction of one case of an answer.
#[track_caller]
fn case(answer: &Answer, group: &str, case: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(answer.json.as_ref().unwrap()).unwrap();
    let groups = json["chances"].as_array().unwrap();
    let group = groups.iter().find(|one| one["of"] == group).unwrap_or_else(|| panic!("{}", answer.text));
    let cases = group["cases"].as_array().unwrap();
    let found = cases.iter().find(|one| one["case"] == case).unwrap_or_else(|| panic!("{}", answer.text));
    found["fraction"].as_str().unwrap().to_owned()
}

#[test]
fn a_shot_is_asked_for_in_words() {
    // The value of 17 of `values.rs`, against a vulnerability of 23 and a random number: -6 to -9, two hits or one by the table.
    let answer = ask("fire", "1800 infantry rifle-musket at 1800 infantry", &[]).unwrap();
    assert!(
        answer.text.contains("17 (strength 12.5, experience 1, leadership 1, small arms 4"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("23 to 26"), "{}", answer.text);
    assert_eq!(case(&answer, "Hits", "1 hit"), "1");
    assert_eq!(case(&answer, "Cohesion lost", "1"), "1/2");
    // 3 % of 1800.
    assert_eq!(case(&answer, "What falls", "54 men"), "1");
    // In camp every hit costs cohesion; who withdraws loses it by one hit in four.
    let encamped = ask("fire", "1800 infantry at 1800 infantry encamped", &[]).unwrap();
    assert_eq!(case(&encamped, "Cohesion lost", "1"), "1");
    let withdraws = ask("fire", "1800 infantry at 1800 infantry withdraw", &[]).unwrap();
    assert_eq!(case(&withdraws, "Cohesion lost", "1"), "1/4");
}

#[test]
fn guns_reach_far_and_are_named_with_their_number() {
    let far = [("hexes", "3")];
    assert!(ask("fire", "300 artillery 12 napoleon at 1800 infantry assault", &far).is_ok());
    for (words, says) in [
        ("1800 infantry at 1800 infantry", "it fires no farther than 2 hexes"),
        ("artillery at 1800 infantry", "say how many guns an artillery brigade has, and which: 12 napoleon"),
        ("artillery napoleon at infantry", "say how many guns: 6 napoleon"),
        ("300 artillery 12 napoleon moved at infantry", "guns that moved or are surprised can't fire"),
        ("1800 infantry", "say who fires at whom: 1800 infantry at 2400 infantry in woods"),
        (
            "1800 infantri at infantry",
            "`infantri` is nothing that is said of a brigade; did you mean `infantry`?",
        ),
        ("infantry cohesion 9 at infantry", "`cohesion` wants a number up to 7 behind it"),
    ] {
        assert_eq!(ask("fire", words, &far).unwrap_err(), says, "{words}");
    }
    let on = ask("fire", "1800 infantry in nowhere at infantry", &[]).unwrap_err();
    assert!(on.starts_with("the ground of a brigade is one of these: in "), "{on}");
}

#[test]
fn a_check_counts_eight_equal_cases() {
    // 6 + 5 and 0 to 7: 11 to 15 retreats, 16 and more holds: five cases and three.
    let answer = ask("check", "", &[]).unwrap();
    assert_eq!(case(&answer, "Result", "it retreats a hex or two"), "5/8");
    assert_eq!(case(&answer, "Result", "it holds"), "3/8");
    // The same with 4 for the front and 2 for an assault: 17 and more.
    let flags = ask("check", "", &[("front", "true"), ("order", "assault")]).unwrap();
    assert_eq!(case(&flags, "Result", "it holds"), "1");
    // 1 + 5 - 7: -1 to 6, and nobody stands that.
    let worn = ask("check", "", &[("cohesion", "1"), ("before", "-9")]).unwrap();
    assert_eq!(case(&worn, "Result", "it shatters and flees"), "1");
}

#[test]
fn communication_and_obedience_are_told_exactly() {
    // Base 11 at five hexes, staff 4: 15 of 0 to 15.
    assert_eq!(case(&ask("touch", "", &[("hexes", "5")]).unwrap(), "Result", "in communication"), "1");
    // Base 7, staff 3, cavalry 8, army 2, night -4, else -2: 14, fifteen of sixteen.
    let given = [
        ("hexes", "9"),
        ("staff", "3"),
        ("unit", "cavalry"),
        ("over", "army"),
        ("time", "night"),
        ("more", "-2"),
    ];
    assert_eq!(case(&ask("touch", "", &given).unwrap(), "Result", "in communication"), "15/16");
    // Never below 0: one of sixteen.
    let lost = ask("touch", "", &[("hexes", "50"), ("staff", "0"), ("time", "night")]).unwrap();
    assert_eq!(case(&lost, "Result", "in communication"), "1/16");
    let obeys = ask("obey", "", &[("leadership", "6")]).unwrap();
    assert_eq!(case(&obeys, "It begins", "in the turn of the order"), "7/10");
    assert_eq!(case(&obeys, "It begins", "in turn 2"), "21/100");
}

/// Guns are as many as were asked for, or the question is refused.
#[test]
fn guns_are_not_cut() {
    let many = |guns: &str| ask("fire", &format!("300 artillery {guns} napoleon at 1800 infantry"), &[]);
    assert!(many("200").unwrap().text.contains("200 guns"));
    assert_eq!(many("201").err().unwrap(), "a brigade has up to 200 guns, not 201");
}

/// What `odds acw touch` answers for every unit, headquarters, hour and weather is what a turn throws against.
#[test]
fn communication_is_asked_for_as_it_is_thrown_for() {
    for (unit, over, wanted) in [
        ("infantry", "division", 9),
        ("infantry", "corps", 10),
        ("cavalry", "army", 19),
        ("artillery", "corps", 16),
        ("division", "corps", 9),
        ("division", "army", 11),
        ("cavalry-division", "army", 17),
        ("corps", "army", 9),
        ("cavalry-corps", "army", 13),
    ] {
        // Nine hexes 7, staff 4; dawn 2 less.
        let options = [
            ("hexes", "9"),
            ("staff", "4"),
            ("unit", unit),
            ("over", over),
            ("time", "dawn"),
            ("weather", "clear"),
            ("more", "0"),
        ];
        let answer = ask("touch", "", &options).unwrap();
        let says = format!("at most {wanted} (");
        assert!(answer.text.contains(&says), "{unit} {over}: {}", answer.text);
    }
}
