//! Computer commanders: their orders are always lawful, the same for the same view, and the better one wins.

use std::collections::{BTreeMap, BTreeSet};

use musterd_acw::model::{HqId, Side};
use musterd_acw::order::{Command, Order};
use musterd_acw::view::View;
use musterd_acw::{Acw, Skill, State};
use musterd_engine::{Awaiting, Ruleset};

use crate::acw_arena::{BATTLES, orders, play, rules, step};
use crate::common::Loose;

const LEVELS: [Skill; 2] = [Skill::Cautious, Skill::Seasoned];

/// Plays some turns of a battle; `orders` asserts that nothing is refused.
fn some_turns(rules: &Acw, skills: [Skill; 2], turns: u32) {
    let (mut state, mut dice) = (rules.found(), Loose::numbered(7));
    for t in 1..=turns {
        let Awaiting::Orders { must, .. } = rules.awaiting(&state) else {
            state = step(rules, &state, t, &mut dice, BTreeMap::new()).0;
            continue;
        };
        let mut all = BTreeMap::new();
        for seat in must {
            let view = rules.view(&state, &seat);
            for level in LEVELS {
                assert_eq!(rules.play(&view, level, 1), rules.play(&view, level, 1));
                orders(rules, &view, level, 1);
            }
            let skill = skills[view.side.unwrap().index()];
            all.insert(seat, orders(rules, &view, skill, 1));
        }
        state = step(rules, &state, t, &mut dice, all).0;
    }
}

#[test]
fn all_orders_of_both_levels_can_be_carried_out_in_every_battle() {
    for battle in BATTLES {
        let rules = rules(battle, "");
        some_turns(&rules, LEVELS, 12);
        some_turns(&rules, [Skill::Seasoned; 2], 12);
    }
}

#[test]
fn all_orders_can_be_carried_out_whatever_was_chosen() {
    for options in
        ["block: 3", "command: corps", "radio: on", "despatches: on", "block: 6, command: corps, exposed: on"]
    {
        for battle in ["kellys-mill", "bull-run", "antietam"] {
            some_turns(&rules(battle, options), LEVELS, 8);
        }
    }
}

#[test]
fn the_better_commander_wins() {
    let rules = rules("bull-run", "");
    let mut points = 0;
    for seed in 1..=5 {
        for (seat, skills) in [(Side::A, [Skill::Seasoned, Skill::Cautious]), (Side::B, LEVELS)] {
            points += match play(&rules, skills.map(Some), seed, |_, _| {}).0.won {
                Some(side) if side == seat => 2,
                None => 1,
                Some(_) => 0,
            };
        }
    }
    // Of 20; equals would share them.
    assert!(points >= 14, "{points}");
}

/// What a computer commander of a side is for up to a turn: objectives by name, whether he attacks, and whether the enemy holds it.
fn aims(rules: &Acw, side: Side, skill: Skill, last: u16) -> BTreeSet<(String, bool, bool)> {
    let mut aims = BTreeSet::new();
    play(rules, [Some(skill); 2], 3, |view, reading| {
        if view.side != Some(side) || view.turn > last {
            return;
        }
        for placed in &reading.orders {
            if let Order::Command(_, command) = placed.order
                && let Some(objective) = command.objective()
            {
                let is_enemys = view.holdings[objective.place()].holder != side;
                let name = rules.battle().objective(objective).name.clone();
                aims.insert((name, command.is_offensive(), is_enemys));
            }
        }
    });
    aims
}

/// ACW-95: with limited objectives a computer commander defends those that he holds of them, takes those that he doesn't, and goes for no other.
#[test]
fn limited_objectives_are_not_exceeded() {
    let rules = rules("fredericksburg", "");
    let crossing = [
        "Upper Bridges",
        "Middle Bridge",
        "Lower Bridges",
        "Fredericksburg",
        "Bowling Green Road",
        "Chatham",
    ];
    let hills =
        ["Marye's Heights", "Taylor's Hill", "Telegraph Hill", "Prospect Hill", "Hamilton's Crossing"];
    for skill in LEVELS {
        for (side, last, limited) in [(Side::A, 49, crossing.as_slice()), (Side::B, 61, &hills)] {
            for (name, attacks, is_enemys) in aims(&rules, side, skill, last) {
                assert!(limited.contains(&name.as_str()), "{skill:?}: {name}");
                assert_eq!(attacks, is_enemys, "{skill:?}: {name}");
            }
        }
        let later = aims(&rules, Side::A, skill, 61);
        let attacked = later.iter().filter(|(_, attacks, _)| *attacks).map(|(name, ..)| name.as_str());
        assert!(attacked.clone().any(|name| crossing.contains(&name)), "{skill:?}");
        assert!(attacked.clone().any(|name| hills.contains(&name)), "{skill:?}");
    }
}

/// ACW-95: a commander that takes a side over calls off what its limited objectives forbid, whoever commanded it.
#[test]
fn what_a_player_began_beyond_limited_objectives_is_called_off() {
    let rules = rules("fredericksburg", "");
    let beyond = rules.battle().objectives().find(|(_, objective)| objective.name == "Chatham").unwrap().0;
    let (mut state, mut dice, mut t) = (rules.found(), Loose::numbered(7), 0);
    let lee = |state: &State| {
        let mut views = rules.seats().iter().map(|spec| rules.view(state, &spec.seat));
        views.find(|view| view.side == Some(Side::B)).unwrap()
    };
    let led = |view: &View| -> Vec<HqId> {
        view.own_hqs().map(|(id, _)| id).filter(|id| view.can_command(*id)).collect()
    };
    while led(&lee(&state)).len() < 3 {
        t += 1;
        state = step(&rules, &state, t, &mut dice, BTreeMap::new()).0;
    }
    let commands = |view: &View, skill: Skill| -> BTreeMap<HqId, Command> {
        let all = orders(&rules, view, skill, 1).orders.into_iter();
        all.filter_map(|placed| match placed.order {
            Order::Command(id, command) => Some((id, command)),
            _ => None,
        })
        .collect()
    };
    let offensive = Command::Offensive { via: None, objective: beyond };
    for skill in LEVELS {
        let mut view = lee(&state);
        let led = led(&view);
        for id in &led {
            view.hqs[id.place()].command = offensive;
        }
        let told = commands(&view, skill);
        for id in led {
            let is_ended = told.get(&id).is_some_and(|command| command.objective() != Some(beyond));
            assert!(is_ended, "{skill:?}: {id:?} {told:?}");
        }
    }
    // A corps that is called off takes nothing from its divisions that they may do.
    let before = lee(&state);
    let corps = led(&before).into_iter().find(|id| rules.battle().hqs_under(*id).next().is_some()).unwrap();
    for skill in LEVELS {
        let mut view = before.clone();
        view.hqs[corps.place()].command = offensive;
        let told = commands(&view, skill);
        assert_eq!(told[&corps], Command::Reserve, "{skill:?}");
        for below in rules.battle().hqs_under(corps).filter(|spec| before.can_command(spec.id)) {
            let now = before.hq(below.id).command;
            let kept =
                told.get(&below.id).is_some_and(|command| *command == now || command.objective().is_some());
            assert!(kept, "{skill:?}: {:?} {told:?}", below.id);
        }
    }
}
