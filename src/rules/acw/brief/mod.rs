//! Reports: a view of the battle and the sights since the last one, as a [`Briefing`].
//!
//! Nothing but the view, the sights and the public data goes in, so nothing hidden can come out.

mod army;
mod maps;
mod story;

use std::collections::BTreeSet;

use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section, Table};
use musterd_engine::hex::Hex;
use musterd_report::text::sentence;
use musterd_text::nouns::count;

use crate::data::Acw;
use crate::fog;
use crate::model::Side;
use crate::order::Act;
use crate::sight::Sight;
use crate::state::{Phase, State};
use crate::view::{Seen, View};
use crate::words;

use story::{Hour, Story};

pub(crate) use maps::{ground, halves, lineup, with_units};

/// The report to one seat.
pub(crate) fn brief(rules: &Acw, view: &View, sights: &[Sight]) -> Briefing {
    let story = Story::of(rules, view, sights);
    let mut sections = opening(rules, view, sights);
    sections.extend(happened(rules, view, &story));
    sections.extend(position(rules, view, &story.fought));
    head(rules, view, sections)
}

/// The report to one seat, for observers: nothing of commands, orders and plans.
pub(crate) fn shown(rules: &Acw, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
    let mut seen = view.clone();
    let is_hidden = |name: &str, at: Hex| hidden.contains(&format!("{name} {at}"));
    let specs = view.side.map_or(&[][..], |side| &rules.battle().army(side).brigades);
    for (spec, brigade) in specs.iter().zip(&mut seen.brigades) {
        (brigade.act, brigade.told, brigade.objective) = (Act::Stand, false, None);
        if brigade.at.is_some_and(|at| is_hidden(&spec.name, at)) {
            brigade.at = None;
        }
    }
    for hq in &mut seen.hqs {
        (hq.command, hq.pending, hq.goal) = (crate::order::Command::Reserve, None, crate::order::Goal::Stand);
    }
    seen.orderable.clear();
    seen.refused.clear();
    seen.ifs.clear();
    let is_public = |sight: &&Sight| {
        matches!(
            sight,
            Sight::Fired(_)
                | Sight::Shattered { .. }
                | Sight::Retreated { .. }
                | Sight::Destroyed { .. }
                | Sight::Taken { .. }
                | Sight::Scored { .. }
                | Sight::Resigned { .. }
                | Sight::Ended { .. }
                | Sight::Began { .. }
        )
    };
    let sights: Vec<Sight> = sights.iter().filter(is_public).cloned().collect();
    let story = Story::of(rules, &seen, &sights);
    let mut sections = ending(rules, &seen);
    sections.extend(happened(rules, &seen, &story));
    sections.push(objectives(rules, &seen));
    sections.extend(maps::all(rules, &seen, &story.fought));
    head(rules, &seen, sections)
}

/// The course of the battle as a seat knows it.
pub(crate) fn history(rules: &Acw, view: &View) -> Briefing {
    let battle = rules.battle();
    let names = Side::ALL.map(|side| sentence(&battle.army(side).name));
    let mut table = Table::new(&["Turn", "Hour", ">", ">", ">Men lost"]);
    for (column, name) in table.columns[2..4].iter_mut().zip(&names) {
        column.title.clone_from(name);
    }
    for one in &view.course {
        let hour = words::hour(battle.hour(one.turn));
        let [a, b] = one.earned.map(|points| points.to_string());
        table.row([
            one.turn.to_string(),
            hour,
            a,
            b,
            one.lost.map_or_else(|| "-".to_owned(), |lost| lost.to_string()),
        ]);
    }
    let mut sections = ending(rules, view);
    if !table.rows.is_empty() {
        let about =
            Part::text("Points for objectives at the end of each hour, and the men that your side had lost.");
        sections.push(Section::of("The course", vec![about, Part::Table(table)]));
    }
    sections.push(objectives(rules, view));
    head(rules, view, sections)
}

/// Both armies with all that they were told, for the GM: one map with all units, then the armies.
pub(crate) fn overview(rules: &Acw, state: &State) -> Option<Briefing> {
    let battle = rules.battle();
    let whole = |side: Side| Some(fog::whole(rules, state, &battle.army(side).commanders.first()?.seat));
    let views = [whole(Side::A)?, whole(Side::B)?];
    let mut sections = maps::everybody(rules, &views);
    sections.push(objectives(rules, &views[0]));
    for view in &views {
        let side = view.side?;
        let name = sentence(&battle.army(side).name);
        sections.push(Section::chapter(format!("{name}: ids begin with {}", side.letter())));
        sections.push(Section::of("Army", vec![Part::Table(army::table(rules, view))]));
        sections.extend(army::absent(rules, view).map(|part| Section::of("Off the field", vec![part])));
    }
    let standing = both(rules, &views[0]);
    Some(Briefing { to: "the GM".to_owned(), standing, ..head(rules, &views[0], sections) })
}

/// The hour, and points and losses of both sides.
fn both(rules: &Acw, view: &View) -> Vec<Fact> {
    let battle = rules.battle();
    let mut facts = clock(rules, view);
    for side in Side::ALL {
        let told = format!("{} points, {} men lost", view.now.points(side), view.now.lost[side.index()]);
        facts.push(Fact::of(sentence(&battle.army(side).name), told));
    }
    facts
}

/// The end of the battle, or its beginning.
fn opening(rules: &Acw, view: &View, sights: &[Sight]) -> Vec<Section> {
    let mut sections = ending(rules, view);
    let is_first = view.turn <= 1 && sights.iter().any(|sight| matches!(sight, Sight::Founded));
    if is_first || view.phase == Phase::Unfounded {
        let battle = rules.battle();
        sections.push(Section::of("The situation", vec![Part::text(&battle.situation)]));
        let advice =
            view.side.map(|side| battle.army(side).advice.clone()).filter(|advice| !advice.is_empty());
        sections.extend(advice.map(|advice| Section::of("Advice", vec![Part::text(advice)])));
    }
    sections
}

fn ending(rules: &Acw, view: &View) -> Vec<Section> {
    let Some(outcome) = &view.outcome else { return Vec::new() };
    let battle = rules.battle();
    let line = |side: Side| {
        let index = side.index();
        let text = format!(
            "{} points: {} for objectives, {} for the enemy's losses; {} men lost",
            outcome.points(side),
            outcome.objectives[index],
            outcome.casualties[index],
            outcome.lost[index]
        );
        Fact::of(sentence(&battle.army(side).name), text)
    };
    let facts = Side::ALL.into_iter().map(line).collect();
    vec![Section::of("The end", vec![Part::text(words::verdict(battle, outcome)), Part::Facts { facts }])]
}

/// What is told of an hour in one section.
type Telling<'a> = &'a dyn Fn(&Hour) -> Vec<Part>;

/// What happened, each kind of news in a section of its own: under a heading for each hour if there are several.
fn happened(rules: &Acw, view: &View, story: &Story) -> Vec<Section> {
    let fights = |hour: &Hour| {
        let mut parts: Vec<Part> = hour.summary().map(Part::text).into_iter().collect();
        parts.extend(items(true, &hour.fights));
        parts
    };
    let others = |hour: &Hour| {
        let mut parts: Vec<Part> = items(false, &hour.others).into_iter().collect();
        parts.extend(hour.points(rules).map(Part::text));
        parts
    };
    let commands = |hour: &Hour| items(false, &hour.commands).into_iter().collect();
    let marches = |hour: &Hour| hour.marches(rules, view);
    let told: [(&str, Telling<'_>); 4] = [
        ("The fighting", &fights),
        ("What else happened", &others),
        ("Headquarters", &commands),
        ("Marches", &marches),
    ];
    let section = |(title, parts): (&str, Telling<'_>)| {
        let by_hour = |hour: &Hour| {
            let told = parts(hour);
            let heading = hour.heading.clone().filter(|_| !told.is_empty());
            heading.map(|text| Part::Heading { text }).into_iter().chain(told).collect::<Vec<_>>()
        };
        Section::of(title, story.hours.iter().flat_map(by_hour).collect())
    };
    told.into_iter().map(section).filter(|section| !section.parts.is_empty()).collect()
}

/// A list of news, if there are any.
fn items(numbered: bool, items: &[Item]) -> Option<Part> {
    (!items.is_empty()).then(|| Part::Items { numbered, items: items.to_vec() })
}

/// Where everything stands.
fn position(rules: &Acw, view: &View, fought: &BTreeSet<Hex>) -> Vec<Section> {
    let mut sections = Vec::new();
    if view.orders_now() {
        sections
            .push(Section::of("Whom you can order", vec![Part::Facts { facts: army::reach(rules, view) }]));
    }
    sections.push(enemies(rules, view));
    sections.push(objectives(rules, view));
    sections.extend(maps::all(rules, view, fought));
    if view.side.is_some() {
        sections.push(Section::of("Your army", vec![Part::Table(army::table(rules, view))]));
        sections.extend(army::absent(rules, view).map(|part| Section::of("Off the field", vec![part])));
        sections.push(Section::of("Key", vec![Part::text(army::COLUMNS)]));
    }
    sections
}

/// The enemies that are seen, and those that were.
fn enemies(rules: &Acw, view: &View) -> Section {
    let battle = rules.battle();
    let told = |foe: &crate::view::Foe| {
        let enemy = crate::sight::Enemy { kind: foe.kind, at: foe.at, formation: foe.formation };
        let shaken = if foe.shaken { ", shaken" } else { "" };
        match foe.seen {
            Seen::Remembered(turn) => {
                let hour = words::clock(battle.hour(turn.max(1)).hour);
                format!("{} ({hour})", story::enemy_name(enemy))
            }
            _ => format!("{}{shaken}", story::enemy_name(enemy)),
        }
    };
    let (seen, lost): (Vec<_>, Vec<_>) = view.foes.iter().partition(|foe| foe.is_seen());
    let list = |foes: Vec<&crate::view::Foe>, none: &str| match foes.len() {
        0 => none.to_owned(),
        _ => format!("{}.", foes.into_iter().map(told).collect::<Vec<_>>().join("; ")),
    };
    let mut facts = vec![Fact::of("In sight", list(seen, "nobody."))];
    if !lost.is_empty() {
        facts.push(Fact::of("Out of sight", list(lost, "")));
    }
    Section::of("The enemy", vec![Part::Facts { facts }])
}

/// The objectives with holders, turns and points.
fn objectives(rules: &Acw, view: &View) -> Section {
    let battle = rules.battle();
    let letters = Side::ALL.map(|side| battle.army(side).letter.to_string());
    // Narrow: a telephone shows about forty letters beside each other.
    let mut table = Table::new(&["Objective", "Hex", "Held", "Turns", ">", ">", ">For"]);
    for (column, letter) in table.columns[4..6].iter_mut().zip(&letters) {
        column.title.clone_from(letter);
    }
    for (id, objective) in battle.objectives() {
        let holding = view.holdings[id.place()];
        let [a, b] = objective.worth.map(|worth| format!("{}/{}", worth.turn, worth.end));
        let held = format!("{}:{}", holding.turns[0], holding.turns[1]);
        let (first, last) = objective.turns;
        table.row([
            objective.name.clone(),
            objective.hex.to_string(),
            letters[holding.holder.index()].clone(),
            format!("{first}-{last}"),
            a,
            b,
            held,
        ]);
    }
    let [a, b] = Side::ALL.map(|side| format!("{}: {}", battle.army(side).letter, battle.army(side).name));
    let about = format!(
        "{a}. {b}. Under each letter: points a turn and at the end. For: the turns that each side has held it."
    );
    Section::of("Objectives", vec![Part::text(about), Part::Table(table)])
}

pub(crate) fn head(rules: &Acw, view: &View, sections: Vec<Section>) -> Briefing {
    let battle = rules.battle();
    let spec = rules.seat_specs().iter().find(|spec| spec.seat == view.seat);
    let stage = stage(rules, view);
    Briefing {
        title: battle.title.clone(),
        to: spec.map_or_else(|| "the commander".to_owned(), |spec| spec.title.clone()),
        date: if view.turn == 0 { battle.date.clone() } else { words::hours(battle, view.turn, view.turn) },
        subject: format!("{} - {stage}", battle.title),
        standing: standing(rules, view),
        at_end: vec![Fact::of(TURN, counter(rules, view))],
        sections,
    }
}

/// What the battle waits for, in a few words.
fn stage(rules: &Acw, view: &View) -> String {
    match view.phase {
        Phase::Unfounded => "before the battle".to_owned(),
        Phase::Battle => words::hours(rules.battle(), view.turn, view.until),
        Phase::Over => "the end".to_owned(),
    }
}

/// The fact that says how late it is.
const TURN: &str = "Turn";

/// The turn, and the last one.
fn counter(rules: &Acw, view: &View) -> String {
    format!("{} of {}", view.turn, rules.battle().last_turn())
}

/// The turn, the weather and the light.
fn clock(rules: &Acw, view: &View) -> Vec<Fact> {
    let battle = rules.battle();
    let mut facts = Vec::new();
    if view.turn > 0 {
        let hour = battle.hour(view.turn);
        let count = counter(rules, view);
        let clock = match view.phase {
            Phase::Battle if view.until > view.turn => {
                format!("{count}; orders are for {} to {}", view.turn, view.until)
            }
            _ => count,
        };
        facts.push(Fact::of(TURN, clock));
        let still = if hour.still { "; nobody moves" } else { "" };
        facts.push(Fact::of("Weather", format!("{}, {}{still}", hour.light.words(), hour.weather.words())));
    }
    facts
}

/// The situation in a few facts.
fn standing(rules: &Acw, view: &View) -> Vec<Fact> {
    let battle = rules.battle();
    let mut facts = clock(rules, view);
    let points = Side::ALL.map(|side| format!("{} {}", battle.army(side).name, view.now.points(side)));
    let trend = match (view.side, view.now.won) {
        (_, None) => "contested",
        (Some(side), Some(won)) if side == won => "you are winning",
        (Some(_), Some(_)) => "you are losing",
        (None, Some(_)) => "decided",
    };
    let label = if view.hears { "Objectives" } else { "If it ended now" };
    facts.push(Fact::of(label, format!("{}: {trend}", points.join(", "))));
    if let Some(side) = view.side {
        let fallen = view.own_hqs().filter(|(_, hq)| hq.leader.is_some()).count()
            + view.own_brigades().filter(|(_, one)| one.leader.is_some()).count();
        facts.push(Fact::of(
            "Your losses",
            format!("{} men, {}", view.now.lost[side.index()], count(fallen, "leader")),
        ));
    }
    if let Some(chief) = view.chief.filter(|_| view.phase == Phase::Battle) {
        facts.push(Fact::of("Commander", chief.profile.words()));
    }
    facts
}
