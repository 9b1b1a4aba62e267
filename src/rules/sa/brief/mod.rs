//! Reports: a view of the battle and the sights since the last one, as a [`Briefing`].
//!
//! Nothing but the view, the sights and the public data goes in, so nothing hidden can come out.

mod armies;
mod course;
mod deeds;
mod figures;
mod maps;
mod places;
mod summary;
mod words;

use std::collections::BTreeSet;

use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::hex::Hex;
use musterd_report::text::sentence;

use crate::battle::Spec;
use crate::data::Sa;
use crate::fog::{self, Sight};
use crate::model::Side;
use crate::order::Taste;
use crate::special;
use crate::state::{Phase, Standing, State};
use crate::view::View;

use deeds::Deeds;

pub(crate) use maps::with_units;

/// The report to one seat.
pub(crate) fn brief(rules: &Sa, view: &View, sights: &[Sight]) -> Briefing {
    let (mut sections, fought) = happened(rules, view, sights);
    sections.extend(position(rules, view, &fought));
    head(rules, view, sections)
}

/// The report to one seat, for observers: nothing of what its units were told, or of the real wizard.
pub(crate) fn shown(rules: &Sa, view: &View, sights: &[Sight], _hidden: &BTreeSet<String>) -> Briefing {
    let mut seen = View { charges: Default::default(), taste: Taste::default(), ..view.clone() };
    seen.real = seen.real.filter(|_| view.phase == Phase::Over);
    let sights: Vec<Sight> = sights.iter().filter_map(|sight| fog::seen(sight.event(), None)).collect();
    brief(rules, &seen, &sights)
}

/// The course of the battle as a seat knows it, and its cost.
pub(crate) fn history(rules: &Sa, view: &View) -> Briefing {
    let mut sections = Vec::new();
    sections.extend(course::ending(rules, view).map(|parts| Section::of("The end", parts)));
    let course = course::course(rules, view);
    sections.extend((!course.is_empty()).then(|| Section::of("The course", course)));
    sections.push(Section::of("The cost", vec![Part::Table(course::losses(rules, view))]));
    head(rules, view, sections)
}

/// Both sides with all that they were told and the real wizard, for the GM.
pub(crate) fn overview(rules: &Sa, state: &State) -> Option<Briefing> {
    let mut views = rules.seat_specs().iter().map(|spec| fog::view(rules, state, &spec.seat));
    let mut all = views.next()?;
    for view in views {
        all.charges.extend(view.charges);
        all.real = all.real.or(view.real);
    }
    (all.side, all.own, all.taste) = (None, BTreeSet::new(), Taste::default());
    let sections = position(rules, &all, &BTreeSet::new());
    Some(Briefing { to: "the GM".to_owned(), ..head(rules, &all, sections) })
}

/// The field with everybody on it.
pub(crate) fn field(rules: &Sa, view: &View) -> Vec<Section> {
    maps::all(rules, view, &BTreeSet::new())
}

/// The beginning or the end of the battle, and what happened; with the hexes in which there was fighting.
fn happened(rules: &Sa, view: &View, sights: &[Sight]) -> (Vec<Section>, BTreeSet<Hex>) {
    let mut sections = Vec::new();
    sections.extend(course::ending(rules, view).map(|parts| Section::of("The end", parts)));
    if matches!(view.phase, Phase::Unfounded | Phase::Initial(_)) {
        sections.push(Section::of("The situation", vec![Part::text(&rules.battle().situation)]));
        sections.extend(special::section(rules));
    }
    let mut deeds = Deeds::of(rules, view, sights);
    sections.extend(
        summary::summary(rules, &deeds, change(view))
            .map(|text| Section::of("The battle", vec![Part::text(text)])),
    );
    let parts =
        [("What happened", deeds.story()), ("On the move", deeds.marches()), ("Your orders", deeds.orders())];
    let told = parts.into_iter().filter(|(_, parts)| !parts.is_empty());
    sections.extend(told.map(|(title, parts)| Section::of(title, parts)));
    (sections, deeds.where_to_look)
}

/// Maps and orders of battle.
fn position(rules: &Sa, view: &View, fought: &BTreeSet<Hex>) -> Vec<Section> {
    let mut sections = maps::all(rules, view, fought);
    let mut list = |title: String, wanted: &dyn Fn(&Spec) -> bool| {
        let table = armies::table(rules, view, wanted);
        if !table.rows.is_empty() {
            sections.push(Section::of(title, vec![Part::Table(table)]));
        }
    };
    match view.side {
        Some(side) => {
            list("Your army".to_owned(), &|spec| view.own.contains(&spec.id));
            list("Others of your side".to_owned(), &|spec| {
                spec.id.side == side && !view.own.contains(&spec.id)
            });
            list("The enemy".to_owned(), &|spec| spec.id.side != side);
        }
        None => {
            for side in Side::ALL {
                list(sentence(&rules.battle().army(side).name), &|spec| spec.id.side == side);
            }
        }
    }
    sections.extend(armies::absent(rules, view).map(|part| Section::of("Off the field", vec![part])));
    sections.push(Section::of("Key", key()));
    sections
}

/// The direction guide, and what the signs mean.
fn key() -> Vec<Part> {
    let guide = ["      6   1", "       \\ /", "     5 -*- 2", "       / \\", "      4   3"];
    let signs = "The numbers are the directions of moves and attacks. On the maps A3 is a unit, A3r one in rout; a small letter on the map of the field is a unit in rout.";
    vec![
        Part::Plain { lines: guide.map(str::to_owned).to_vec() },
        Part::text(signs),
        Part::text(armies::COLUMNS),
    ]
}

pub(crate) fn head(rules: &Sa, view: &View, sections: Vec<Section>) -> Briefing {
    let battle = rules.battle();
    let spec = rules.seat_specs().iter().find(|spec| spec.seat == view.seat);
    let title = match view.phase {
        Phase::Unfounded | Phase::Initial(_) => battle.title.clone(),
        Phase::Battle | Phase::Over => {
            format!("{}, time-point {}", battle.title, now(view))
        }
    };
    Briefing {
        title,
        to: spec.map_or_else(|| "the commander".to_owned(), |spec| spec.title.clone()),
        date: battle.date.clone(),
        subject: format!("{} - {}", battle.title, course::stage(rules, view)),
        standing: standing(rules, view),
        at_end: vec![Fact::of(CLOCK, counter(rules, view))],
        sections,
    }
}

/// The time-point that the report is of.
const fn now(view: &View) -> u16 {
    match view.phase {
        Phase::Over => view.position.point,
        Phase::Unfounded | Phase::Initial(_) | Phase::Battle => view.paused,
    }
}

/// What was won or lost in army morale since the mail turn before.
fn change(view: &View) -> [i32; 2] {
    let before = view.course.iter().rev().find(|standing| standing.point < now(view));
    let change =
        |side: Side, before: &Standing| view.position.morale[side.index()] - before.morale[side.index()];
    before.map_or([0, 0], |before| Side::ALL.map(|side| change(side, before)))
}

/// The fact that says how late it is.
const CLOCK: &str = "Clock";

/// The time-point, and that of nightfall.
fn counter(rules: &Sa, view: &View) -> String {
    format!("{} of {}", now(view), rules.battle().nightfall)
}

/// The situation in a few facts.
fn standing(rules: &Sa, view: &View) -> Vec<Fact> {
    let battle = rules.battle();
    let both = |of: &dyn Fn(Side) -> String| {
        let each = Side::ALL.map(|side| format!("{} {}", battle.army(side).name, of(side)));
        each.join(", ")
    };
    let mut facts = Vec::new();
    if matches!(view.phase, Phase::Unfounded | Phase::Initial(_)) {
        let titles = |side: Side| {
            let commanders = battle.army(side).commanders.iter();
            musterd_report::text::listed(&commanders.map(|one| one.title.clone()).collect::<Vec<_>>())
        };
        facts.push(Fact::of("Commanders", format!("{} against {}", titles(Side::A), titles(Side::B))));
    }
    facts.push(Fact::of(CLOCK, clock(rules, view)));
    let change = change(view);
    let morale = |side: Side| {
        let morale = view.position.morale[side.index()];
        match change[side.index()] {
            0 => morale.to_string(),
            change => format!("{morale} ({change:+})"),
        }
    };
    facts.push(Fact::of("Army morale", both(&morale)));
    let men = |side: Side| {
        let [steady, routing, lost] = armies::strength(rules, view, side);
        let parts = [(routing, "in rout"), (lost, "lost")];
        let parts = parts.into_iter().filter(|(many, _)| *many > 0);
        let parts: Vec<String> = parts.map(|(many, what)| format!("{many} {what}")).collect();
        if parts.is_empty() { steady.to_string() } else { format!("{steady} ({})", parts.join(", ")) }
    };
    facts.push(Fact::of("Men", both(&men)));
    let magic = view.position.magic;
    if battle.sides.iter().any(|army| army.magic > 0) || magic != [0, 0] {
        facts.push(Fact::of("Spell points", both(&|side| magic[side.index()].to_string())));
    }
    facts
}

/// The time-point counter, and for which time-points orders are due.
fn clock(rules: &Sa, view: &View) -> String {
    let counter = counter(rules, view);
    match view.phase {
        Phase::Battle => {
            let (first, last) = rules.block_after(view.paused);
            format!("{counter}; orders are for {first} to {last}")
        }
        Phase::Unfounded | Phase::Initial(_) | Phase::Over => counter,
    }
}
