//! What is to come after a set of orders, for its receipt: who is in supply where they leave him, and what the next muster may cost, by the same tables
//! as in play. What the enemy does in between nobody knows; each line says so.

use super::data::Lga;
use super::known::Known;
use super::model::Arm;
use super::odds::{self, Remains};
use super::plan::{Piece, Plan};
use super::sites::{is_safe, supply_capitals};
use super::supply::Supply;
use super::tables::muster::Mustering;
use super::view::View;
use musterd_dice::odds::Exact;
use musterd_engine::hex::Hex;
use musterd_report::text::listed;

/// A line on supply, and one on the next muster. `plan` is the position that the orders are expected to leave.
pub(super) fn ahead(rules: &Lga, view: &View, known: &Known<'_>, plan: &Plan<'_>) -> Vec<String> {
    let pieces: Vec<&Piece> = plan.pieces().filter(|piece| view.commands(piece.nation)).collect();
    if pieces.is_empty() {
        return Vec::new();
    }
    let supply = supply(rules, view, known, plan);
    let served = |piece: &Piece| {
        rules.setting.of(piece.nation).needs_no_line(&rules.map, piece.hex)
            || supply.reaches(rules, piece.hex)
    };
    // Manual 5.7: whoever began this turn out of supply and still is.
    let (starving, others): (Vec<&Piece>, Vec<&Piece>) = pieces
        .into_iter()
        .partition(|piece| !piece.supplied && !served(piece) && !is_safe(&rules.map, piece.hex));
    let (besieged, lost): (Vec<&Piece>, Vec<&Piece>) = starving.into_iter().partition(|piece| piece.garrison);
    let mut lines = ends(rules, &besieged, &lost, plan);
    let cut_off: Vec<&Piece> = others.iter().copied().filter(|piece| !served(piece)).collect();
    lines.push(match cut_off.as_slice() {
        [] if lines.is_empty() => {
            "Supply: all your units are in supply where these orders leave them, as far as you see and before the enemy moves."
                .to_owned()
        }
        [] => "Supply: all others are in supply where these orders leave them, as far as you see and before the enemy moves.".to_owned(),
        some => format!(
            "Supply: out of it where these orders leave them, as far as you see and before the enemy moves: {}.",
            standing(plan, some)
        ),
    });
    if view.turn < view.turns {
        // Who is besieged may hold out till then.
        let mustering: Vec<&Piece> = others.into_iter().chain(besieged).collect();
        lines.push(muster(rules, view, &mustering, plan, &served));
    }
    lines
}

/// Who is lost and who is besieged when this turn ends.
fn ends(rules: &Lga, besieged: &[&Piece], lost: &[&Piece], plan: &Plan<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if !lost.is_empty() {
        lines.push(format!("Lost for want of supply when this turn ends: {}.", standing(plan, lost)));
    }
    for piece in besieged {
        let fate = odds::besieged(&rules.numbers.siege, piece.morale);
        let falls = fate.probability(|fate| *fate == Remains::Destroyed).percent();
        let (name, place) = (plan.name(piece.id), plan.place(piece.hex));
        lines.push(format!("{name} stands a siege in {place} when this turn ends: it falls in {falls}."));
    }
    lines
}

/// What the muster of the next season may cost.
fn muster(
    rules: &Lga,
    view: &View,
    pieces: &[&Piece],
    plan: &Plan<'_>,
    served: &impl Fn(&Piece) -> bool,
) -> String {
    let next = view.date.next();
    let mut risks: Vec<(Option<Exact>, Exact, &Piece)> = Vec::new();
    let mut known: Vec<(Mustering<'_>, Option<Risk>)> = Vec::new();
    for piece in pieces {
        let who = (Some(rules.setting.of(piece.nation)), piece.kind.arm, piece.morale);
        let Some(unit) = Mustering::of(&rules.map, who, piece.hex, next, served(piece)) else {
            continue;
        };
        // Most units muster like another.
        let like = known.iter().find(|(other, _)| *other == unit).map(|(_, risk)| risk.clone());
        let risk = like.unwrap_or_else(|| {
            let risk = risk_at_muster(rules, &unit);
            known.push((unit, risk.clone()));
            risk
        });
        risks.extend(risk.map(|(dead, hurt)| (dead, hurt, *piece)));
    }
    risks.sort_by(|(dead, hurt, piece), (other_dead, other_hurt, other)| {
        (other_dead, other_hurt, piece.id).cmp(&(dead, hurt, other.id))
    });
    let groups: Vec<String> = risks
        .chunk_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1))
        .map(|group| {
            let names: Vec<_> = group.iter().map(|(.., piece)| plan.name(piece.id)).collect();
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            let (dead, hurt, _) = &group[0];
            let dead = dead.as_ref().map(|dead| format!(" (destroyed in {})", dead.percent()));
            format!("{} in {}{}", listed(&names), hurt.percent(), dead.unwrap_or_default())
        })
        .collect();
    // The plan assumes no result of an attack.
    let uncounted = match pieces.iter().any(|piece| piece.worn) {
        true => ", but for what attacks may cost before it",
        false => "",
    };
    let fielded = pieces.iter().any(|piece| piece.kind.arm != Arm::Hq);
    match groups.as_slice() {
        [] if !fielded => format!("Muster in {next}: you have no unit that musters."),
        [] => format!(
            "Muster in {next}: nobody can lose morale where these orders leave them and before the enemy moves{uncounted}."
        ),
        groups => format!(
            "Muster in {next}, where these orders leave them and before the enemy moves{uncounted}: morale is lost by {}.",
            groups.join("; ")
        ),
    }
}

/// The chance that a unit is destroyed, if it can be, and that it loses morale.
type Risk = (Option<Exact>, Exact);

/// What a unit risks at a muster; `None` if it can lose nothing.
fn risk_at_muster(rules: &Lga, unit: &Mustering<'_>) -> Option<Risk> {
    let fate = odds::muster(&rules.numbers.muster, unit);
    let unhurt = Remains::Morale(unit.morale);
    if fate.outcomes().all(|fate| *fate == unhurt) {
        return None;
    }
    let may_die = fate.outcomes().any(|fate| *fate == Remains::Destroyed);
    let dead = may_die.then(|| fate.probability(|fate| *fate == Remains::Destroyed));
    Some((dead, fate.probability(|fate| *fate != unhurt)))
}

/// The hexes that a line of supply can reach when the orders are carried out, as far as the side sees.
fn supply(rules: &Lga, view: &View, known: &Known<'_>, plan: &Plan<'_>) -> Supply {
    let map = &rules.map;
    let ours = |hex: Hex| view.control.get(&hex) == Some(&view.side) || plan.takes(hex);
    let held = |hex: Hex| view.enemies.get(&hex).is_some_and(|stack| stack.kind.arm != Arm::Hq);
    let supplying_port = |piece: &&Piece| {
        let port = map.city_at(piece.hex).is_some_and(|city| city.port);
        piece.garrison && rules.setting.of(piece.nation).port_supply && port
    };
    let ports = plan.pieces().filter(supplying_port).map(|piece| piece.hex);
    let sources = supply_capitals(rules, view.side).filter(|hex| ours(*hex)).chain(ports);
    let open = view.control.keys().copied().filter(|hex| ours(*hex) && !held(*hex));
    Supply::trace(rules, sources, open, |hex| known.in_enemy_zone(hex))
}

/// `III Davout (3) at Ulm 1507, IV Soult (4) at ...`.
fn standing(plan: &Plan<'_>, pieces: &[&Piece]) -> String {
    let each = pieces.iter().map(|piece| format!("{} at {}", plan.name(piece.id), plan.place(piece.hex)));
    each.collect::<Vec<_>>().join(", ")
}
