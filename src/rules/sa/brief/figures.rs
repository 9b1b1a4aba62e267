//! The detail displays of the manual: what a combat total and a morale check are made of.

use crate::data::Sa;
use crate::event::{Blow, Check, Factors, Nerve};
use crate::law;
use crate::model::UnitId;

use super::words::signed;

/// The combat detail display of one unit: `A3: WF 2 TF +1 (attack +1) RF +1 (4-3) total 4: 10% of 1300 = 130`.
pub(super) fn blow(rules: &Sa, blow: &Blow, melee: bool) -> String {
    let factors = &blow.factors;
    let parts = [
        ("attack", factors.attack),
        ("shieldless", factors.shieldless),
        ("tribe", factors.tribe),
        ("foe's tribe", factors.daunted),
        ("terrain", factors.terrain),
        ("moved", factors.moved),
        ("blade", factors.blade),
        ("foe's shield", factors.shield),
    ];
    let named = parts.into_iter().filter(|(_, by)| *by != 0);
    let named: Vec<String> = named.map(|(what, by)| format!("{what} {by:+}")).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    format!(
        "{}: WF {} TF {}{named} RF {}{} total {}: {}% of {} = {}",
        blow.unit,
        factors.weapon,
        signed(factors.tactical()),
        signed(factors.random),
        chance(rules, blow.unit, factors, melee),
        factors.total(),
        blow.percent,
        blow.men,
        law::fallen(blow.men, blow.percent, u32::MAX),
    )
}

/// The dice behind a random factor, and the bound of the class where it counted (SA-10).
fn chance(rules: &Sa, unit: UnitId, factors: &Factors, melee: bool) -> String {
    let Some([one, other]) = factors.dice else { return String::new() };
    if !melee {
        return format!(" (die {one})");
    }
    let (one, other) = (law::average(one), law::average(other));
    match one as i32 - other as i32 == factors.random {
        true => format!(" ({one}-{other})"),
        false => format!(" ({one}-{other}, class {})", rules.battle().spec(unit).class.word()),
    }
}

/// The morale detail display: `B6: Dice 9 (3+2+4) Close -1 Dead -1 BS 0 RS -2 Total 5, D needs 8: halts`.
pub(super) fn check(rules: &Sa, unit: UnitId, check: &Check) -> String {
    let [a, b, c] = check.dice;
    let mut parts = vec![
        format!("Dice {} ({a}+{b}+{c})", a + b + c),
        format!("Close {}", signed(check.close)),
        format!("Dead {}", signed(check.dead)),
        format!("BS {}", signed(check.battles)),
        format!("RS {}", signed(check.routs)),
    ];
    let seldom = [("Fear", check.fear), ("Courage", check.courage)];
    parts.extend(seldom.into_iter().filter(|(_, by)| *by != 0).map(|(what, by)| format!("{what} {by:+}")));
    let class = rules.battle().spec(unit).class;
    let training = rules.numbers().training(class);
    let result = match check.result {
        Nerve::Orders => "stands".to_owned(),
        Nerve::Halt => "halts".to_owned(),
        Nerve::Rout => format!("routs below {}", training.halts),
    };
    let (total, class, needed) = (check.total(), class.word(), training.orders);
    format!("{unit}: {} Total {total}, {class} needs {needed}: {result}", parts.join(" "))
}
