//! Receipts: orders in words, the odds of what can be fought now, who acts when.

use musterd_engine::Ruleset;
use musterd_sa::Skill;
use musterd_sa::model::Side;

use crate::orders::{after, battle};

#[test]
fn dump() {
    for name in ["training", "kingdoms", "ormolu"] {
        let rules = battle(name);
        let seat = rules.battle().army(Side::A).commanders[0].seat.clone();
        for n in [4, 6, 8] {
            let view = after(
                &rules,
                n,
                &mut |t, view| rules.read_orders(view, &rules.play(view, Skill::Advanced, u64::from(t))),
                &seat,
            );
            println!("==== {name} {n} {:?}", view.phase);
            println!("{}", rules.form(&view).join("\n"));
            let own = rules.play(&view, Skill::Advanced, 1);
            for set in [own.as_str(), "", "ATTACK 1-4 B1\nATTACK 5 B5\nCHARGE ALL\nON FIRED AT 3 AVOID"] {
                println!("---- {set}");
                let (reading, recap) = rules.read_back(&view, set);
                for r in &reading.remarks {
                    println!("! {} {} {:?}", r.line, r.text, r.hint);
                }
                for o in &recap.orders {
                    println!("{:3} {}\n      {}", o.line, o.order, o.effect);
                }
                for o in &recap.defaults {
                    println!("  - {o}");
                }
                for o in &recap.ahead {
                    println!("  > {o}");
                }
            }
        }
    }
}
