//! The figures of a fight that a brigade is ordered into, as far as its commander knows them: its own fire, and the ground. Of the enemy he knows the
//! type and the looks, and how he was after fire at him in the last hour; else hits are told of an ordinary enemy (ACW-84).

use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::law;
use crate::model::{Arm, BrigadeId, Profile};
use crate::order::Act;
use crate::state::Struck;
use crate::values::{self, Fighter, Lead, Volley, Weapons};
use crate::view::{FoeKind, View};
use crate::words;

/// The men of an ordinary brigade.
const fn ordinary_men(arm: Arm) -> u32 {
    match arm {
        Arm::Infantry => 1800,
        Arm::MountedInfantry | Arm::Cavalry => 800,
        Arm::Artillery => 300,
    }
}

/// The ratings of an ordinary brigade.
const ORDINARY: i32 = 4;

/// What a brigade does to its opponent with an order; `None` where it has none.
pub(super) fn of(rules: &Acw, view: &View, id: BrigadeId, act: Act) -> Option<String> {
    let brigade = view.brigade(id);
    let target = brigade.target?;
    let hour = rules.battle().hour(view.turn);
    let foe = view.foes_seen().find(|foe| foe.at == target.at)?;
    let FoeKind::Brigade(arm) = foe.kind else {
        return Some(format!("fires at a headquarters in {}, which gets away", target.at));
    };
    let firer = Fighter { act, ..Fighter::of(rules, id, brigade) };
    let struck = view.struck.get(&target.at).filter(|struck| struck.arm == arm);
    let enemy = enemy(rules, arm, target.at, foe.shaken, struck);
    let whom = match struck {
        Some(struck) => {
            format!("on him as the last fire told him ({} men, cohesion {})", struck.men, struck.cohesion)
        }
        None => "on an ordinary enemy".to_owned(),
    };
    let volley = Volley {
        firer: &firer,
        target: &enemy,
        distance: target.distance,
        hindered: values::is_hindered(hour.weather, hour.light),
        weapons: Weapons::All,
        lead: lead(view, id),
    };
    values::category(&firer)?;
    let value = values::fire(&volley);
    let [most, least] = [0, 3].map(|chance| {
        values::hits(rules.numbers(), value.total, values::vulnerability(&enemy, chance).total)
    });
    let hits = match (least, most) {
        (0, 0) => format!("no hit {whom}"),
        (one, other) if one == other => format!("{} {whom}{}", hit(one), costs(one)),
        (0, most) => format!("up to {} {whom}{}", hit(most), costs(most)),
        (least, most) => format!("{least} to {} {whom}{}", hit(most), costs(most)),
    };
    let kind = format!("{} in {}", looks(arm, foe.shaken), words::place(rules.battle(), target.at));
    let far = if target.distance > 1 { ", two hexes off or more" } else { "" };
    let [first, last] = [0, 3].map(|chance| values::vulnerability(&firer, chance).total);
    Some(format!(
        "against {kind}{far}: fire value {} ({}), {hits}; its own vulnerability {first} to {last}",
        value.total,
        words::parts(&value.parts)
    ))
}

fn hit(hits: u32) -> String {
    if hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") }
}

/// The chance that some of the hits cost cohesion: 1 in 2 each (ACW-2).
fn costs(hits: u32) -> String {
    let percent = 100 - 100_u32.checked_shr(hits.min(31)).unwrap_or(0);
    format!(", which costs it cohesion in {percent} of 100 cases")
}

fn looks(arm: Arm, shaken: bool) -> String {
    if shaken { format!("shaken {}", arm.words()) } else { arm.words().to_owned() }
}

/// An enemy of this type where it stands: as fire told it, or of ordinary size and worth. Its works are those of the map: what it has dug isn't seen.
fn enemy(rules: &Acw, arm: Arm, at: Hex, shaken: bool, struck: Option<&Struck>) -> Fighter<'static> {
    let map = &rules.battle().map;
    let usual = Struck {
        turn: 0,
        arm,
        men: ordinary_men(arm),
        cohesion: if shaken { law::SHAKEN } else { 6 },
        quality: ORDINARY,
    };
    let struck = struck.unwrap_or(&usual);
    Fighter {
        arm,
        men: struck.men,
        guns: 0,
        regiments: ORDINARY,
        small_arms: None,
        gun: None,
        experience: struck.quality,
        leadership: struck.quality,
        cohesion: struck.cohesion,
        act: Act::Skirmish,
        surprised: false,
        encamped: false,
        moved: false,
        cover: rules.numbers().terrain(map.ground(at)).cover,
        works: map.forts.get(&at).copied().unwrap_or(0).into(),
    }
}

/// What the army's commander surely adds: nothing of what a heroic one may throw.
fn lead(view: &View, id: BrigadeId) -> Lead {
    let bold = view.chief.is_some_and(|chief| chief.profile == Profile::Bold);
    let army = crate::model::HqId::army(id.side);
    let near =
        view.hq(army).at.zip(view.brigade(id).at).is_some_and(|(a, b)| a.distance(b) <= values::BOLD_REACH);
    if bold && near && view.brigade(id).targeted { Lead::Bold } else { Lead::None }
}
