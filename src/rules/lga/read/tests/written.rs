//! What is written is read back the same: orders of computer players, forms, the standing file.

use proptest::option;
use proptest::sample::select;

use super::*;
use crate::read::{written, written_reaction};

/// A unit on the map, and a hex of the map.
fn unit() -> impl Strategy<Value = UnitId> {
    (1_u16..=16).prop_map(UnitId)
}

fn place() -> impl Strategy<Value = Hex> {
    (1_u8..=30, 1_u8..=10).prop_map(|(column, row)| Hex::new(column, row))
}

fn path() -> impl Strategy<Value = Path> {
    prop_oneof![
        place().prop_map(Path::To),
        prop::collection::vec(place(), 2..5).prop_map(Path::Hexes),
        prop::collection::vec(select(Direction::ALL.to_vec()), 1..5).prop_map(Path::Directions),
    ]
}

fn limit() -> impl Strategy<Value = Limit> {
    let least = || option::of(-20_i8..=20);
    (1..=Limit::MOST_ROUNDS, least(), least()).prop_map(|(rounds, while_morale, while_odds)| Limit {
        rounds,
        while_morale,
        while_odds,
    })
}

fn some_act() -> impl Strategy<Value = Act> {
    let to = || option::of(place());
    prop_oneof![
        (
            select(
                ["austria", "prussia", "russia", "spain"]
                    .map(|word| crate::model::Nation::of(word).unwrap())
                    .to_vec()
            ),
            1_u16..100
        )
            .prop_map(|(to, points)| Act::Aid { to, points }),
        (17_u16..=18, to()).prop_map(|(unit, at)| Act::Build { unit: UnitId(unit), at }),
        unit().prop_map(|unit| Act::Rally { unit }),
        (unit(), path()).prop_map(|(unit, path)| Act::Move { unit, path }),
        (unit(), place(), limit(), any::<bool>()).prop_map(|(unit, at, limit, enter)| Act::Attack {
            unit,
            at,
            limit,
            enter
        }),
        (unit(), to()).prop_map(|(unit, at)| Act::Garrison { unit, at }),
        unit().prop_map(|unit| Act::End { unit }),
        (unit(), to()).prop_map(|(unit, at)| Act::Top { unit, at }),
    ]
}

fn some_order() -> impl Strategy<Value = Order> {
    let is = select(vec![HexIs::Empty, HexIs::Held, HexIs::Controlled]);
    let guard = option::of((place(), is).prop_map(|(hex, is)| Guard { hex, is }));
    (guard, some_act()).prop_map(|(guard, act)| Order { guard, act })
}

fn some_reaction() -> impl Strategy<Value = (Reaction, Trigger)> {
    let reaction = prop_oneof![
        (unit(), place()).prop_map(|(unit, to)| Reaction::Reinforce { unit, to }),
        (unit(), place()).prop_map(|(unit, to)| Reaction::Withdraw { unit, to }),
        (unit(), option::of(place())).prop_map(|(unit, at)| Reaction::Top { unit, at }),
    ];
    let when = prop_oneof![
        place().prop_map(|hex| Trigger::HexAttacked { hex }),
        unit().prop_map(|unit| Trigger::UnitAttacked { unit }),
        (unit(), -20_i8..=20).prop_map(|(unit, morale)| Trigger::MoraleAtMost { unit, morale }),
        place().prop_map(|hex| Trigger::HexEntered { hex }),
        Just(Trigger::Always),
    ];
    (reaction, when)
}

proptest! {
    #[test]
    fn an_order_that_is_written_is_read_back_the_same(order in some_order()) {
        let (rules, view) = &*OPENING;
        let text = written(&order);
        match line::read(&Names::new(rules, view), &text, false) {
            Ok(Some(Line::Command(command))) => {
                let read: Vec<Order> = command.each().into_iter().map(|marked| marked.order).collect();
                prop_assert_eq!(read, [order], "{}", text);
            }
            Ok(_) => prop_assert!(false, "{} gives no orders to units", text),
            Err(remark) => prop_assert!(false, "{}: {:?}", text, remark),
        }
    }

    #[test]
    fn a_reaction_that_is_written_is_read_back_the_same((reaction, when) in some_reaction()) {
        let (rules, view) = &*OPENING;
        let text = written_reaction(reaction, when);
        match line::read(&Names::new(rules, view), &text, true) {
            Ok(Some(Line::Reactions(read))) => {
                let read: Vec<Standing> = read.into_iter().map(|marked| marked.order).collect();
                prop_assert_eq!(read, [Standing { line: text, reaction, when }]);
            }
            Ok(_) => prop_assert!(false, "{} gives no reaction", text),
            Err(remark) => prop_assert!(false, "{}: {:?}", text, remark),
        }
    }
}

/// Scenario 1 as the French see it.
static OPENING: LazyLock<(Lga, View)> = LazyLock::new(|| {
    let rules = rules("austrian-1805");
    let view = opening(&rules, Side::French);
    (rules, view)
});
