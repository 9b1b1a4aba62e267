//! A seat's report: its [`View`] of the position and the [`Sight`]s since the last one, as a [`Briefing`].
//!
//! Nothing but the view, the sights and the public data goes in, so nothing hidden can come out.

mod army;
mod happenings;
mod maps;
mod march;
mod overview;
mod record;
mod shared;
mod story;
mod sums;

use super::data::Lga;
use super::model::{Level, Nation};
use super::sight::Sight;
use super::view::{Victory, View};
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_report::text::listed;

pub(super) use maps::part_of;
pub(super) use overview::overview;

/// The report to one seat. If several seats share a side, the side's knowledge comes first, the same for all of them, followed by the part for the
/// reader alone.
pub fn brief(rules: &Lga, view: &View, sights: &[Sight]) -> Briefing {
    report(rules, view, sights, army::reserves)
}

/// The report for observers: without the units that the seat can still build.
pub(super) fn shown(rules: &Lga, view: &View, sights: &[Sight]) -> Briefing {
    report(rules, view, sights, |_, _| Vec::new())
}

fn report(
    rules: &Lga,
    view: &View,
    sights: &[Sight],
    reserves: impl Fn(&Lga, &View) -> Vec<Section>,
) -> Briefing {
    let title = &rules.scenario.title;
    let mut sections = Vec::new();
    let own = shared::Own::of(rules, view, sights);
    let (view, sights) = match &own {
        Some(own) => (&own.side, own.told.as_slice()),
        None => (view, sights),
    };
    sections.extend(own.as_ref().map(shared::Own::joint));
    if view.phasing.is_none() {
        sections.push(record::outcome(view, sights));
        sections.extend(prose("What history did", &rules.scenario.aftermath));
    }
    if begins(rules, view) {
        sections.extend(prose("The situation", &rules.scenario.situation));
    }
    sections.push(Section::of("What happened", happenings::parts(rules, view, sights)));
    sections.push(Section::of("The map", vec![maps::strategic(rules, view)]));
    sections.extend(maps::supply(rules, view).map(|parts| Section::of("Supply", parts)));
    for theatre in maps::theatres(rules, view) {
        sections.push(Section::of(&theatre.title, vec![Part::Map(theatre.map)]));
    }
    match &own {
        Some(_) => {
            sections.push(Section::of(format!("The {} armies", view.side), army::armies(rules, view)));
        }
        None => sections.push(Section::of("Your army", army::own(rules, view))),
    }
    sections.push(Section::of("The enemy as known", army::enemy(rules, view)));
    if own.is_none() {
        sections.extend(reserves(rules, view));
    }
    if view.phasing.is_none() {
        sections.extend(record::history(rules, view));
    } else {
        sections.extend(record::so_far(view).map(|parts| Section::of("The record", parts)));
    }
    sections.push(Section::of("Key", maps::key(rules, view)));
    sections.extend(own.iter().flat_map(|own| own.alone(rules, &reserves)));
    let view = own.as_ref().map_or(view, |own| own.view);
    let subject = match view.phasing {
        Some(side) => format!("{} - {side} to move", view.date),
        None => format!("{title} is over: {}", record::winner_in_words(view)),
    };
    head(rules, view, subject, sections)
}

/// The history of the campaign as the seat knows it; complete once the campaign is over (ruling LGA-72).
pub fn history(rules: &Lga, view: &View) -> Briefing {
    let subject = format!("{} - history of the campaign", view.date);
    head(rules, view, subject, record::history(rules, view))
}

pub(super) fn head(rules: &Lga, view: &View, subject: String, sections: Vec<Section>) -> Briefing {
    let title = &rules.scenario.title;
    Briefing {
        title: format!("{title}, turn {} of {}", view.turn, view.turns),
        to: rules
            .seat_specs()
            .iter()
            .find(|spec| spec.seat == view.seat)
            .map_or_else(|| format!("the {} commander", view.side), |spec| spec.title.clone()),
        date: view.date.to_string(),
        subject,
        standing: standing(rules, view),
        at_end: vec![Fact::of(TO_MOVE, "")],
        sections,
    }
}

/// Whether this is the first report of all: the first turn, the first side to move.
fn begins(rules: &Lga, view: &View) -> bool {
    view.turn == 1 && view.phasing == rules.scenario.sides.first().map(|spec| spec.side)
}

/// A section of one paragraph; none if there is nothing to say.
fn prose(title: &str, text: &str) -> Option<Section> {
    (!text.is_empty()).then(|| Section::of(title, vec![Part::Text { text: text.to_owned() }]))
}

/// The fact that says whose orders are awaited.
const TO_MOVE: &str = "To move";

/// The situation, at the top: victory, points, whose turn it is.
fn standing(rules: &Lga, view: &View) -> Vec<Fact> {
    let mut facts = Vec::new();
    let (own, others): (Vec<_>, Vec<_>) = view.victory.iter().partition(|v| v.side == view.side);
    for victory in own.into_iter().chain(others) {
        facts.push(Fact::of(victory.side.to_string(), victory_in_words(victory)));
    }
    let points: Vec<String> =
        rules.scenario.nations().filter_map(|(nation, _)| purse(rules, view, nation)).collect();
    facts.push(Fact::of("Military points", points.join(", ")));
    if let Some(phasing) = view.phasing {
        let last = if view.turn == view.turns { "; this is the last turn" } else { "" };
        let allies: Vec<&str> = rules.allies(&view.seat).map(|spec| spec.title.as_str()).collect();
        let who = if phasing == view.side && allies.is_empty() {
            format!("You, the {phasing} side{last}.")
        } else if phasing == view.side {
            format!("The {phasing} side: you, with {}{last}.", listed(&allies))
        } else {
            format!("The {phasing} side; you may send standing orders{last}.")
        };
        facts.push(Fact::of(TO_MOVE, who));
    }
    facts
}

fn purse(rules: &Lga, view: &View, nation: Nation) -> Option<String> {
    Some(format!("{} {}", rules.name(nation), view.points.get(&nation)?))
}

/// `18 points: tactical victory (strategic victory at 20, tactical defeat below 18)`.
fn victory_in_words(victory: &Victory) -> String {
    let points = victory.points;
    let above = victory.levels.iter().find(|(_, least)| *least > points);
    let floor = victory.levels.iter().rev().find(|(_, least)| *least <= points);
    let mut bounds = Vec::new();
    if let Some((level, least)) = above {
        bounds.push(format!("{level} from {least}"));
    }
    if let Some((level, least)) = floor {
        let worse = Level::ALL[(*level as usize).saturating_sub(1)];
        bounds.push(format!("{worse} below {least}"));
    }
    format!("{points} victory points, {} ({})", victory.level, bounds.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{position, rules};
    use super::super::form::form;
    use super::super::model::Side;
    use super::*;

    /// Whether a report and its order form say anywhere that somebody is out of supply.
    fn tells_of_want(scenario: &str, given: &str) -> bool {
        let rules = rules(scenario);
        let view = position(&rules, Side::Allied, given);
        let text = format!("{:?} {:?}", brief(&rules, &view, &[]), form(&rules, &view));
        let told =
            ["OUT OF SUPPLY", "Cut off as things stand", "(out of supply)"].map(|sign| text.contains(sign));
        assert!(told == [told[0]; 3], "{told:?} of {given}: {text}");
        told[0]
    }

    #[test]
    fn who_needs_no_line_of_supply_is_nowhere_said_to_be_out_of_it() {
        let spain = |unit: u16, at: &str| {
            let given = format!(
                "{{date: {{season: summer, year: 1808}}, phasing: allied, units: {{{unit}: {{at: '{at}'}}}}}}"
            );
            tells_of_want("spanish-1808", &given)
        };
        assert!(!spain(22, "0610"), "Valencia's Spaniards live on the land");
        assert!(spain(25, "0610"), "Moore's men there do not");
        assert!(!spain(25, "0205"), "at sea they do");
        let russia = |at: &str| {
            let given = format!(
                "{{date: {{season: summer, year: 1812}}, phasing: allied, units: {{16: {{at: '{at}'}}}},
                  control: {{'2906': french, '2701': french}}}}"
            );
            tells_of_want("russian-1812", &given)
        };
        assert!(!russia("3005") && russia("2905"));
    }
}
