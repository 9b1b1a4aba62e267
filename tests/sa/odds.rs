//! Exact odds of The Shattered Alliance: against all cases counted one by one, and as a user asks for them.

use std::collections::BTreeMap;

use musterd_dice::odds::Distribution;
use musterd_engine::Ruleset;
use musterd_engine::calls::{Answer, Arg, CallError, Dice, Given, Installation, PlayedGame};
use musterd_engine::files::RuleFiles;
use musterd_sa::event::Nerve;
use musterd_sa::model::Class;
use musterd_sa::odds::{self, Bout, CHECKS, Fighter, Forecast, Throw};
use musterd_sa::{Sa, law, shipped};

use crate::sa_arena::rules;

fn fighter(men: u32, total: i32, throw: Throw) -> Fighter {
    Fighter { men, total: Some(total), throw, routing: false }
}

/// The chance of each course as a fraction.
fn fractions(odds: &Distribution<Bout>) -> BTreeMap<Bout, String> {
    odds.iter().map(|(course, chance)| (*course, chance.to_string())).collect()
}

#[test]
fn a_melee_is_counted_over_all_four_dice() {
    // The manual's example before the dice: EHC of class B with lances, 4 + 1, attacks HI of class C with pikes, 4.
    for (men, classes) in [([1000, 1000], [Class::B, Class::C]), ([350, 2100], [Class::A, Class::D])] {
        let sides =
            [fighter(men[0], 5, Throw::Melee(classes[0])), fighter(men[1], 4, Throw::Melee(classes[1]))];
        let mut counted: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for case in 0..1296 {
            let die = |n: u32| case / 6_u32.pow(n) % 6 + 1;
            let first = 5 + law::random(classes[0], [die(0), die(1)]);
            let second = 4 + law::random(classes[1], [die(2), die(3)]);
            let harm = |own: usize, total| law::fallen(men[own], law::casualties(total), men[1 - own]);
            *counted.entry([harm(1, second), harm(0, first)]).or_default() += 1;
        }
        let odds = odds::fight(&sides);
        for (lost, cases) in counted {
            let chance = odds.probability(|course| course.lost == lost);
            assert_eq!(chance.rounded(1296), cases, "{men:?} {lost:?}");
        }
    }
}

#[test]
fn the_manuals_example_is_among_the_courses() {
    let odds =
        odds::fight(&[fighter(1000, 5, Throw::Melee(Class::B)), fighter(1000, 4, Throw::Melee(Class::C))]);
    let told = Bout { lost: [120, 100], won: Some(1) };
    assert!(odds.outcomes().any(|course| *course == told));
    // Both need 11 of 36: -1 for a class B, +1 for a class C are 13 and 8 cases.
    assert_eq!(fractions(&odds)[&told], "13/162");
}

#[test]
fn a_forecast_sums_the_same_cases() {
    let fights = [
        [fighter(1000, 5, Throw::Melee(Class::B)), fighter(1000, 4, Throw::Melee(Class::C))],
        [fighter(300, 6, Throw::Melee(Class::A)), fighter(1200, 1, Throw::Melee(Class::D))],
        [fighter(700, 2, Throw::Fire), Fighter { total: None, ..fighter(500, 0, Throw::Fire) }],
        [fighter(700, 2, Throw::Fire), Fighter { routing: true, ..fighter(60, 9, Throw::Fire) }],
    ];
    for sides in fights {
        let (odds, forecast) = (odds::fight(&sides), Forecast::of(&sides));
        for side in 0..2 {
            let wins = odds.probability(|course| course.won == Some(side)).rounded(Forecast::ALL);
            assert_eq!(forecast.wins[side], wins, "{sides:?}");
            let lost: u32 = odds.expected(|course| course.lost[side]).decimal(0).parse().unwrap();
            assert!(forecast.lost[side].abs_diff(lost) <= 1, "{sides:?}");
        }
    }
}

#[test]
fn who_routs_wins_nothing_and_who_does_not_answer_hurts_nobody() {
    let strong = Fighter { routing: true, ..fighter(2000, 9, Throw::Melee(Class::A)) };
    let odds = odds::fight(&[fighter(500, 0, Throw::Melee(Class::C)), strong]);
    assert!(odds.outcomes().all(|course| course.won != Some(1)));
    let odds = odds::fight(&[fighter(500, 3, Throw::Fire), Fighter { total: None, ..strong }]);
    assert!(odds.outcomes().all(|course| course.lost[0] == 0 && course.lost[1] > 0));
}

#[test]
fn a_check_is_counted_over_three_dice_by_the_table() {
    let rules = rules("mill");
    for class in Class::ALL {
        for modifiers in -14..=9 {
            let mut counted = [0; 3];
            for case in 0..CHECKS {
                let faces = [case / 36, case / 6 % 6, case % 6].map(|face| law::average(face + 1));
                let total = faces.iter().sum::<u32>() as i32 + modifiers;
                counted[law::nerve(&rules, class, total) as usize] += 1;
            }
            assert_eq!(odds::nerves(&rules, class, modifiers), counted, "{class:?} {modifiers}");
            let odds = odds::check(&rules, class, modifiers);
            for nerve in [Nerve::Rout, Nerve::Halt, Nerve::Orders] {
                let chance = odds.probability(|(_, result)| *result == nerve);
                assert_eq!(chance.rounded(CHECKS), counted[nerve as usize], "{class:?} {modifiers}");
            }
        }
    }
}

/// An installation with the shipped charts.
struct Here;

impl Installation for Here {
    fn files(&mut self) -> Result<RuleFiles, CallError> {
        Ok(shipped("mill").unwrap())
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

/// Asks a question in words, with options.
fn ask(name: &str, words: &str, options: &[(&str, &str)]) -> Result<Answer, String> {
    let call = Sa::ODDS.calls.iter().find(|call| call.name == name).unwrap();
    let of = |arg: &Arg| -> Vec<String> {
        if arg.name == "words" {
            return words.split_whitespace().map(str::to_owned).collect();
        }
        let given = options.iter().find(|(name, _)| *name == arg.name).map(|(_, value)| *value);
        given.or(arg.default).map(str::to_owned).into_iter().collect()
    };
    (call.run)(&Given::new(call, of), &mut Here).map_err(|error| error.to_string())
}

/// The decimal of one case of an answer.
fn case(answer: &Answer, group: &str, case: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(answer.json.as_ref().unwrap()).unwrap();
    let groups = json["chances"].as_array().unwrap();
    let group = groups.iter().find(|one| one["of"] == group).unwrap_or_else(|| panic!("{}", answer.text));
    let cases = group["cases"].as_array().unwrap();
    cases.iter().find(|one| one["case"] == case).unwrap()["fraction"].as_str().unwrap().to_owned()
}

#[test]
fn a_melee_is_asked_for_in_words() {
    let answer = ask("melee", "1000 B EHC lance at 1000 C HI pike", &[]).unwrap();
    assert!(answer.text.contains("WF 4, TF +1: 5 before the dice"), "{}", answer.text);
    assert!(answer.text.contains("WF 4, TF +0: 4 before the dice"), "{}", answer.text);
    // Two hundred men of class D rout by their first loss.
    let answer = ask("melee", "1000 A HI spear at 200 D Zorg MI in light woods", &[]).unwrap();
    assert!(answer.text.contains("WF 3, TF +0: 3 before the dice"), "{}", answer.text);
    let words = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Zorg, in light woods"), "{}", answer.text);
    assert_eq!(case(&answer, "Whether the second routs by its losses", "it routs"), "1");
    let answer = ask("melee", "HI two-handed at Zorg MI shieldless", &[]).unwrap();
    assert!(answer.text.contains("WF 4, TF +3: 7 before the dice"), "{}", answer.text);
    assert!(answer.text.contains("no shields"), "{}", answer.text);
}

/// Weapons as files write them, and tribes in the plural.
#[test]
fn words_have_other_forms() {
    for (one, other) in [
        ("HI two-handed at LC", "HI twohand at LC"),
        ("HI spear at LC", "HI lspear at LC"),
        ("LC Valkyrie at MI Zorg", "LC Valkyries at MI Zorgs"),
        ("LI bow Elf at HI Dwarf", "LI bow Elves at HI Dwarves"),
        ("LI Lizardman at HI", "LI lizardmen at HI"),
    ] {
        let [one, other] = [one, other].map(|words| ask("melee", words, &[]).map(|answer| answer.text));
        assert!(one.is_ok(), "{one:?}");
        assert_eq!(one, other);
    }
}

#[test]
fn the_terrain_hinders_whom_the_penalty_says() {
    let asked = |penalty| {
        ask("melee", "HI sword at HI sword in high hills", &[("terrain-penalty", penalty)]).unwrap().text
    };
    assert!(asked("opponent").contains("WF 0, TF -1: -1 before the dice"));
    assert!(asked("self").contains("WF 0, TF -2: -2 before the dice"));
    assert!(asked("attacker").contains("WF 0, TF -1: -1 before the dice"));
}

/// The Atari edition knows no medium cavalry (SA-6).
#[test]
fn an_edition_can_be_asked_for() {
    let asked = |words, edition| ask("melee", words, &[("edition", edition)]).unwrap().text;
    assert_eq!(asked("MC sword at HI", "atari"), asked("HC sword at HI", "apple"));
    assert_ne!(asked("MC sword at HI", "atari"), asked("MC sword at HI", "apple"));
}

#[test]
fn fire_is_answered_within_range_alone() {
    let near = ask("fire", "400 LI bow at 400 LI sling", &[("hexes", "2")]).unwrap();
    assert!(!near.text.contains("does not answer"), "{}", near.text);
    let far = ask("fire", "400 LI bow at 400 LI sling", &[("hexes", "3")]).unwrap();
    assert!(far.text.contains("does not answer"), "{}", far.text);
    assert_eq!(
        ask("fire", "LI sling at LI", &[("hexes", "3")]).unwrap_err(),
        "slings fly no farther than 2 hexes"
    );
    assert_eq!(
        ask("fire", "LI at LI", &[]).unwrap_err(),
        "say what the first unit shoots with: javelins, slings or bow"
    );
}

#[test]
fn a_check_is_asked_for_by_its_parts() {
    // The manual's example: class B, 7 - 2 + 2 - 1 is 6.
    let parts = [("class", "B"), ("close", "-2"), ("battles", "2"), ("lost", "19")];
    let answer = ask("morale", "", &parts).unwrap();
    assert!(answer.text.contains("-1 Close -2, Dead -1, BS +2"), "{}", answer.text);
    assert_eq!(case(&answer, "Total", "5"), "1/216");
    assert_eq!(case(&answer, "Result", "it takes orders"), "1");
}

const GROUNDS: &str = "the ground of a unit is one of these: in clear, in light woods, in heavy woods, in low hills, \
    in high hills, in mountain, in water, in bridge";

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    for (words, reason) in [
        ("1000 B EHC lance", "say who meets whom: 1000 B EHC lance at 1000 C HI pike"),
        ("HI lance at HI", "heavy infantry has no lance"),
        ("LC in mountain at HI", "light cavalry can't enter such ground: mountain"),
        ("1000 C at HI", "say the type of both units: HI, LMI, EHC and so on"),
        ("HI lost at HI", "`lost` wants a number up to 255 behind it"),
        ("HI lost 300 at HI", "`lost` wants a number up to 255 behind it"),
        ("0 HI at HI", "a unit of 0 men fights nobody: give it one man at least"),
        ("HI at LI in woods", GROUNDS),
        ("HI woods at LI", GROUNDS),
        ("HI swrod at LI", "`swrod` is nothing that is said of a unit; did you mean `sword`?"),
        ("HI at LI unprepared", "`unprepared` is nothing that is said of a unit"),
    ] {
        assert_eq!(ask("melee", words, &[]).unwrap_err(), reason);
    }
}
