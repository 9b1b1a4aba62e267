//! A leader's report: the [`View`] of the battle and the [`Sight`]s since the last one, as a [`Briefing`].
//!
//! Nothing but the view, the sights and the public data goes in, so nothing hidden can come out.

mod armies;
mod happenings;
mod maps;

use std::collections::BTreeMap;

use super::data::Dog;
use super::event::Reckoning;
use super::model::UnitId;
use super::scores;
use super::sight::Sight;
use super::view::{OwnUnit, View, Wait};
use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section};

pub(super) use armies::terms_of_hire;
use maps::sheets;
pub(super) use maps::{field_map, listed, part_of, parts};

/// The report to one leader.
pub fn brief(rules: &Dog, view: &View, sights: &[Sight]) -> Briefing {
    let mut sections = happened(rules, view, sights);
    if view.wait == Wait::SetUp {
        sections.push(Section::of("Your unit records", armies::records(rules, view)));
    }
    sections.extend(sheets(rules, view));
    if !view.own.is_empty() {
        sections.push(Section::of("Your army", armies::own(rules, view)));
    }
    sections.extend(armies::allies(rules, view).map(|parts| Section::of("Your allies", parts)));
    sections.push(Section::of("The enemy as seen", armies::enemies(rules, view)));
    sections.push(Section::of("Key", maps::key(rules, view)));
    head(rules, view, sections)
}

/// The report of an army for observers: the events and positions, but nothing of what its leader has, may do or counts.
pub(super) fn shown(rules: &Dog, view: &View, sights: &[Sight]) -> Briefing {
    let mut sections = happened(rules, view, sights);
    sections.extend(sheets(rules, view));
    if !view.own.is_empty() {
        sections.push(Section::of("Your army", armies::own(rules, view)));
    }
    sections.push(Section::of("Key", maps::key(rules, view)));
    let standing = match view.round {
        0 => Vec::new(),
        _ => vec![Fact::of("Order of armies", rules.names(&view.order))],
    };
    Briefing { standing, ..head(rules, view, sections) }
}

/// The beginning or the end of the battle, and the events.
fn happened(rules: &Dog, view: &View, sights: &[Sight]) -> Vec<Section> {
    let mut sections: Vec<Section> = outcome(rules, view).into_iter().collect();
    if view.round <= 1 && view.result.is_none() {
        sections.push(Section::of("The situation", vec![Part::text(&rules.battle().situation)]));
    }
    let happened = happenings::parts(rules, sights);
    if !happened.is_empty() {
        sections.push(Section::of("What happened", happened));
    }
    sections
}

/// The position of all armies for the GM, made from what all their leaders know and from what they will know when the battle is over. `None` while
/// nobody stands on the field.
pub fn overview(rules: &Dog, views: &[View]) -> Option<Briefing> {
    let any = views.first()?;
    let own: BTreeMap<UnitId, OwnUnit> = views.iter().flat_map(|view| view.own.clone()).collect();
    if own.is_empty() {
        return None;
    }
    // All units count as own units on this page, so that hidden ones are marked.
    let none = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let all = View { own, others: none.0, remembered: none.1, counted: none.2, ..any.clone() };
    let mut sections = sheets(rules, &all);
    for view in views {
        let Some(army) = view.army.map(|army| rules.battle().army(army)) else { continue };
        let mut facts = vec![Fact::of("Leadership", pride(view))];
        facts.extend(ledger(view, ""));
        let mut parts = vec![Part::Facts { facts }];
        if !view.own.is_empty() {
            parts.push(Part::Table(armies::in_full(rules, view)));
        }
        sections.push(Section::of(format!("{}, led by {}", army.name, army.leader), parts));
    }
    sections.push(Section::of("Key", maps::key(rules, &all)));
    let mut page = head(rules, &all, sections);
    page.to = "the GM".to_owned();
    if matches!(all.wait, Wait::Founding | Wait::SetUp | Wait::Over) {
        page.title = format!("{}: {}", page.title, round_name(rules, &all));
    }
    page.standing = vec![Fact::of("Order of armies", rules.names(&any.order))];
    Some(page)
}

/// The history of the battle as a leader knows it: its cost so far.
pub fn history(rules: &Dog, view: &View) -> Briefing {
    let so_far = Section::of("So far", vec![Part::Facts { facts: ledger(view, counted(view)) }]);
    head(rules, view, std::iter::once(so_far).chain(outcome(rules, view)).collect())
}

pub(super) fn head(rules: &Dog, view: &View, sections: Vec<Section>) -> Briefing {
    let battle = rules.battle();
    let spec = rules.seat_specs().iter().find(|spec| spec.seat == view.seat);
    let when = round_name(rules, view);
    Briefing {
        title: match view.round {
            0 => battle.title.clone(),
            round => format!("{}, round {round}{}{}", battle.title, of_rounds(rules), phase(view.wait)),
        },
        to: spec.map_or_else(|| "the leader".to_owned(), |spec| spec.title.clone()),
        date: battle.date.clone(),
        subject: format!("{} - {when}", battle.title),
        standing: standing(rules, view),
        at_end: Vec::new(),
        sections,
    }
}

/// The phase that the orders are for, if moves and combat are ordered one after the other.
const fn phase(wait: Wait) -> &'static str {
    match wait {
        Wait::Moves => ", moves",
        Wait::Combat => ", combat",
        Wait::Founding | Wait::SetUp | Wait::Orders | Wait::Over => "",
    }
}

fn of_rounds(rules: &Dog) -> String {
    rules.battle().rounds.map_or_else(String::new, |rounds| format!(" of {rounds}"))
}

/// What the battle waits for, in words.
pub(super) fn round_name(rules: &Dog, view: &View) -> String {
    let round = view.round;
    match view.wait {
        Wait::Founding => "before the battle".to_owned(),
        Wait::SetUp if view.again => "units to be placed anew".to_owned(),
        Wait::SetUp => "unit records".to_owned(),
        Wait::Orders => format!("round {round}"),
        Wait::Moves => format!("round {round}, moves"),
        Wait::Combat => format!("round {round}, combat"),
        Wait::Over => match view.result.as_ref().and_then(|(winner, _)| winner.as_deref()) {
            Some(winner) => format!("won by {winner}"),
            None if rules.battle().alliances().len() > 1 => "drawn".to_owned(),
            None => "over".to_owned(),
        },
    }
}

/// The situation, at the top of the report.
fn standing(rules: &Dog, view: &View) -> Vec<Fact> {
    let said = view.if_attacked.lines();
    let is_fought = view.round > 0 && view.result.is_none();
    let facts = [
        is_fought.then(|| Fact::of("Order of armies", rules.names(&view.order))),
        Some(Fact::of("Leadership", pride(view))),
        (!said.is_empty()).then(|| Fact::of("Standing orders", said.join("; "))),
    ];
    let ledger = if view.round > 0 { ledger(view, counted(view)) } else { Vec::new() };
    facts.into_iter().flatten().chain(ledger).collect()
}

/// Leadership compared with ego, and the consequence (ruling DOG-21).
fn pride(view: &View) -> String {
    match view.ego > u64::from(view.leadership) {
        true => format!(
            "{} against an ego of {}: each unit disobeys with {} in 100",
            view.leadership,
            view.ego,
            scores::disobedience(view.ego, view.leadership)
        ),
        false => format!("{}, the army's ego {}", view.leadership, view.ego),
    }
}

/// The remark that the leader's count of the enemies he killed is incomplete: enemies killed by a volley from afar are not counted before the battle
/// is over (ruling DOG-45).
const fn counted(view: &View) -> &'static str {
    if view.result.is_some() { "" } else { " that you could count" }
}

fn ledger(view: &View, counted: &str) -> Vec<Fact> {
    let water =
        if view.drowned > 0 { format!(", {} of them in the water", view.drowned) } else { String::new() };
    let points = format!("{} lost{water}, {} taken from enemies{counted}", view.lost, view.inflicted);
    let loot = (view.loot > 0).then(|| Fact::of("Loot", view.loot.to_string()));
    std::iter::once(Fact::of("Hit points", points)).chain(loot).collect()
}

/// The end of the battle, and its cost for every leader (ruling DOG-20).
fn outcome(rules: &Dog, view: &View) -> Option<Section> {
    let battle = rules.battle();
    let (winner, reckonings) = view.result.as_ref()?;
    let own = view.army.map(|army| &battle.army(army).alliance);
    let verdict = match winner {
        Some(winner) if Some(winner) == own => format!("Victory for {winner}: the field is yours."),
        Some(winner) => format!("Victory for {winner}."),
        None => "Nobody wins: the battle is drawn.".to_owned(),
    };
    let item = |reckoning: &Reckoning| {
        let army = battle.army(reckoning.army);
        let money = format!("loot {}, maintenance due {}", reckoning.loot, reckoning.maintenance);
        let details = vec![leadership_sum(rules, reckoning), money];
        Item { text: format!("{}: {} hit points lost.", army.name, reckoning.lost), details }
    };
    let items = reckonings.iter().map(item).collect();
    Some(Section::of("The outcome", vec![Part::text(&verdict), Part::Items { numbered: false, items }]))
}

/// The cost of a battle for a leader, as a calculation (ruling DOG-20).
pub(super) fn leadership_sum(rules: &Dog, reckoning: &Reckoning) -> String {
    let factor = match reckoning.factor {
        1 => " / 2 in victory",
        4 => " x 2 in defeat",
        _ => " in a draw",
    };
    let each = rules.numbers().leadership.each;
    let moved = match reckoning.change {
        0 => "nothing changes".to_owned(),
        1 => "1 point lost".to_owned(),
        -1 => "1 point won".to_owned(),
        lost if lost > 0 => format!("{lost} points lost"),
        won => format!("{} points won", -won),
    };
    let by_hand = match reckoning.after == reckoning.summed() {
        true => String::new(),
        false => format!("; the GM made it {}", reckoning.after),
    };
    format!(
        "leadership {} to {}: ({} lost{factor} - {} of the enemy's) / {each}, rounded up: {moved}{by_hand}",
        reckoning.before, reckoning.after, reckoning.lost, reckoning.enemy
    )
}
