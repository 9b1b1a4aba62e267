use std::collections::BTreeMap;

use super::throw::{OPEN, Throw};
use super::*;
use crate::SHIPPED;
use crate::model::Scale;
use musterd_engine::{Input, Ruleset, Scribe};

fn sitting(switches: &[&str]) -> Sitting {
    let house = House {
        title: "a table".to_owned(),
        scale: Scale::Tactical,
        switches: switches.iter().map(|name| (*name).to_owned()).collect(),
    };
    Sitting::from_files(&founding(SHIPPED[0].1, &house), &[]).unwrap()
}

fn read(text: &str) -> Result<Throw, String> {
    read::read(sitting(&[]).numbers(), text, OPEN)
}

/// Dice that always show the same.
struct Always(u32);

impl musterd_dice::Roller for Always {
    fn roll(&mut self, _: &musterd_dice::Label, count: u32, _: u32) -> Vec<u32> {
        (0..count).map(|_| self.0).collect()
    }
}

fn thrown(switches: &[&str], die: u32, text: &str) -> Event {
    let rules = sitting(switches);
    let mut dice = Always(die);
    let mut scribe = Scribe::new(&rules, rules.found(), 1, &mut dice);
    let orders = BTreeMap::from([(rules.seats[0].seat.clone(), rules.read_orders(&rules.found(), text))]);
    rules.step(&mut scribe, &Input { orders });
    scribe.finish().remove(0)
}

#[test]
fn a_line_reads_as_it_is_written_however_it_was_said() {
    let numbers = sitting(&[]).numbers().clone();
    for (said, line) in [
        ("strike heavy infantry 18 at orcs 40", "strike 18 heavy infantry at 40 orcs"),
        ("STRIKE 18 HI vs 40 orc", "strike 18 heavy infantry at 40 orcs"),
        ("strike elite 18 HI on 40 O on hills", "strike 18 elite heavy infantry at 40 orcs in clear hills"),
        (
            "strike 18x HI elite in the forest hills -> 5 PE",
            "strike 18 elite heavy infantry in forest hills at 5 peasants",
        ),
        (
            "exchange 5 chariots with archers at 6 trolls inside castle",
            "exchange 5 chariots with archers at 6 trolls in clear castle",
        ),
        ("retaliate 3 DE size 10 at 3 W", "retaliate 3 lesser demons size 10 at 3 wyverns"),
        ("strike 72", "strike 72"),
        ("strike force 72 at 40 of 3 hp", "strike 72 at 40 of 3 hp"),
        ("shoot 20 elven archers at 12 orcs range 4", "shoot 20 elven archers at 12 orcs range 4"),
        ("shoot 20 EA range 4 at 12 orcs", "shoot 20 elven archers at 12 orcs range 4"),
        (
            "hide 12 elves (forest) in forest from dwarves",
            "hide 12 elves people forest in forest from 1 dwarf",
        ),
        ("strike 40 pikemen and 20 archers at 9 K", "strike 40 pikemen and 20 archers at 9 knights"),
        ("initiative red, \"the Blues\"", "initiative \"red\" \"the Blues\""),
    ] {
        let throw = read(said).unwrap_or_else(|reason| panic!("{said}: {reason}"));
        assert_eq!(throw.line(&numbers), line, "{said}");
        assert_eq!(read(line).as_ref(), Ok(&throw), "{line}");
    }
}

#[test]
fn what_is_not_understood_is_told_with_what_is_known() {
    for (said, reason) in [
        ("strike 18 hevy infantry at 40 orcs", "did you mean heavy infantry?"),
        ("strike 18 infantry", "did you mean light infantry or heavy infantry?"),
        ("strike 18 hussars", "known are archers (A), light cavalry (LC)"),
        ("strike heavy infantry at 40 orcs", "how many heavy infantry?"),
        ("strike 18 HI at", "which troops?"),
        ("strike 0 HI", "1 to 1000 fighters"),
        ("strike 18 HI in heaven", "`heaven` is no ground: write clear, bushes, forest"),
        ("strike 18 HI in swamp castle", "nothing can be built in swamp"),
        ("strike 18 HI in water hills", "water has no relief"),
        ("strike 3 DE", "say which, with SIZE"),
        ("strike 3 K with archers", "knights carry nobody"),
        ("shoot 18 HI at 40 orcs", "nothing to shoot with; archers, barbarians"),
        ("exchange 72 at 40 orcs", "needs the types of both sides"),
        ("initiative red RED", "two armies are called `RED`"),
        ("initiative red", "name two armies at least"),
        ("dance 3 HI", "`dance` is no throw"),
        ("strike 18 HI at 40 orcs tomorrow", "`tomorrow` is not understood"),
    ] {
        let error = read(said).unwrap_err();
        assert!(error.contains(reason), "{said}: {error}");
    }
}

proptest::proptest! {
    /// A block of an audit file is anybody's text: it is read, or it is told what is wrong, and what is read is written as one line.
    #[test]
    fn any_line_is_read_or_refused(
        words in proptest::collection::vec("(strike|exchange|shoot|hide|initiative|at|on|in|from|range|and|elite|size|with|people|18|4000|HI|archers|chariots|DE|orcs|forest|hills|castle|hp|of|\"x\"|\\PC{0,6})", 0..14)
    ) {
        let text = words.join(" ");
        if let Ok(throw) = read(&text) {
            let line = throw.line(sitting(&[]).numbers());
            proptest::prop_assert!(!line.contains('\n'));
            proptest::prop_assert_eq!(read(&line), Ok(throw), "{}", line);
        }
    }
}

/// The manual's example (4.3, ruling DOG-1): 18 heavy infantry and a 4 take 40 hit points.
#[test]
fn the_manuals_strike_takes_forty() {
    let Event::Struck { strike, answer: None } = thrown(&[], 4, "strike 18 HI at 40 orcs") else { panic!() };
    assert_eq!((strike.force, strike.damage), (72, 40));
    let toll = strike.toll.unwrap();
    assert_eq!((toll.killed, toll.hp, toll.left), (vec![13], 39, vec![27]), "ruling DOG-2");
    let Event::Struck { strike, .. } = thrown(&["tiny_strikes"], 4, "strike 1 PE at 9 PE") else { panic!() };
    assert_eq!(strike.damage, 1, "ruling DOG-5");
}

/// Rulings DOG-4, DOG-16: the retaliation is that of the whole unit, by its defence in its hex.
#[test]
fn an_exchange_falls_at_the_same_time() {
    let Event::Struck { strike, answer: Some(answer) } =
        thrown(&[], 6, "exchange 18 HI at 10 pikemen in forest")
    else {
        panic!()
    };
    assert_eq!(strike.toll.unwrap().left, [0], "48 hit points are more than all have");
    assert_eq!((answer.force, answer.damage), (100, 60));
    assert_eq!(answer.toll.unwrap().left, [3]);
    let Event::Struck { answer, .. } = thrown(&[], 6, "exchange 18 HI at 3 yarzz") else { panic!() };
    assert_eq!(answer, None, "pterodactyls have no defence");
}

/// Ruling DOG-23, and DOG-22: ties throw again, so dice that always show the same would never end; three armies end it here.
#[test]
fn hidden_units_are_found_by_their_factor() {
    let search = |die, text: &str| match thrown(&[], die, text) {
        Event::Searched { chance, found, .. } => (chance, found),
        event => panic!("{event:?}"),
    };
    assert_eq!(search(4, "hide 4 elves in forest"), (2, false), "6 for a fifth of a unit, less 4");
    assert_eq!(search(2, "hide 4 elves in forest"), (2, true));
    assert_eq!(search(5, "hide 4 elves in forest from forestmen"), (5, true), "at home it counts 1");
    assert_eq!(search(2, "hide 1 elves in forest mountains"), (1, false), "1 at least");
}
