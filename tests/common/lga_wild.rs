//! Orders of La Grande Armée without sense.

use std::fmt::Write as _;

use musterd_dice::Stream;
use musterd_lga::Lga;
use musterd_lga::view::View;

/// Orders without sense: every unit builds, rallies, marches, attacks and reacts at random.
pub(crate) fn wild_orders(rules: &Lga, view: &View, chance: &mut Stream) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").unwrap();
    if view.phasing == Some(view.side) {
        for unit in &view.pool {
            line(format!("BUILD {}", unit.id));
        }
        for unit in view.own.values() {
            let around: Vec<_> = rules.map.neighbours(unit.hex).collect();
            let enemy = around.iter().find(|hex| view.enemies.contains_key(hex));
            let city = rules.map.cities().nth(chance.die(100) as usize).map(|(hex, _)| hex);
            match (chance.die(6), enemy, city) {
                (1, _, _) => line(format!("GARRISON {}", unit.id)),
                (2, _, _) => line(format!("RALLY {}", unit.id)),
                (3.., Some(hex), _) => line(format!("ATTACK {hex} WITH {} UNTIL CLEAR THEN ENTER", unit.id)),
                (_, _, Some(hex)) => line(format!("MOVE {} TO {hex}", unit.id)),
                _ => line(format!("MOVE {} E E SE W", unit.id)),
            }
        }
    }
    line("STANDING".to_owned());
    for unit in view.own.values() {
        let around: Vec<_> = rules.map.neighbours(unit.hex).collect();
        let to = around[chance.die(u32::try_from(around.len()).unwrap()) as usize - 1];
        match chance.die(4) {
            1 => line(format!("REINFORCE {} TO {to} ALWAYS", unit.id)),
            2 => line(format!("WITHDRAW {} TO {to} ALWAYS", unit.id)),
            3 => line(format!("TOP {} ALWAYS", unit.id)),
            _ => {}
        }
    }
    text
}
