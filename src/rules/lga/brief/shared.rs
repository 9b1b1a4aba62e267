//! A side that several seats share: the side's knowledge comes first, in the same words for all of them; the part for one seat alone follows (ruling
//! LGA-76).

use super::super::data::Lga;
use super::super::model::Nation;
use super::super::sight::Sight;
use super::super::view::View;

use super::{army, happenings};
use musterd_engine::briefing::{Fact, Part, Section};
use musterd_report::text::{listed, sentence};
use musterd_text::nouns::count;

/// A report of a shared side, divided into its parts.
pub(super) struct Own<'a> {
    /// The seat's view.
    pub(super) view: &'a View,
    /// The view of any seat of the side: every nation of the side is its own, and it contains nobody's reserves and standing orders.
    pub(super) side: View,
    /// The sights of the whole side.
    pub(super) told: Vec<Sight>,
    /// The results of the seat's own orders.
    outcome: Vec<Sight>,
}

impl<'a> Own<'a> {
    /// Divides a report; `None` if the seat has its side to itself.
    pub(super) fn of(rules: &Lga, view: &'a View, sights: &[Sight]) -> Option<Self> {
        rules.allies(&view.seat).next()?;
        let nations = rules.scenario.side(view.side)?.nations.iter().map(|(nation, _)| *nation).collect();
        let side = View { nations, pool: Vec::new(), standing: Vec::new(), ..view.clone() };
        let alone = |sight: &Sight| matches!(sight, Sight::NotDone { .. } | Sight::StandingFiled { .. });
        let (outcome, told) = sights.iter().cloned().partition(alone);
        Some(Self { view, side, told, outcome })
    }

    /// The heading over the side's part.
    pub(super) fn joint(&self) -> Section {
        Section::chapter(format!("For the {} side: the same for all its commanders", self.view.side))
    }

    /// The part for the seat alone, under its heading.
    pub(super) fn alone(&self, rules: &Lga, reserves: impl Fn(&Lga, &View) -> Vec<Section>) -> Vec<Section> {
        let names: Vec<&str> = self.view.nations.iter().map(|nation| rules.name(*nation)).collect();
        let mut sections = vec![
            Section::chapter(format!("For you alone: {}", listed(&names))),
            Section::of("Your command", self.command(rules)),
        ];
        let outcome = happenings::outcome(rules, self.view, &self.outcome);
        sections.extend(outcome.map(|parts| Section::of("What became of your orders", parts)));
        sections.push(Section::of("Your army", army::own(rules, self.view)));
        sections.extend(reserves(rules, self.view));
        sections
    }

    /// The seat's command, the commands of the others, and who sees what.
    fn command(&self, rules: &Lga) -> Vec<Part> {
        let purse = |nation: &Nation| {
            let points = self.view.points.get(nation).copied().unwrap_or_default();
            format!("{} with {}", rules.name(*nation), count(points, "military point"))
        };
        let own: Vec<String> = self.view.nations.iter().map(purse).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let allies: Vec<&str> = rules.allies(&self.view.seat).map(|ally| ally.title.as_str()).collect();
        let mut facts = vec![
            Fact::of("You", format!("{}; orders for other units are refused.", listed(&own))),
            Fact::of(
                "Your allies",
                format!(
                    "{}. They see your units, points and losses as you see theirs, but not your orders before they \
                     are carried out, nor your standing orders, nor what stands from here on.",
                    sentence(&listed(&allies))
                ),
            ),
        ];
        let side = &self.side.nations;
        if let Some(donor) = rules.setting.donor().filter(|donor| side.contains(donor)) {
            let text = if self.view.commands(donor) {
                "AID gives any of your points to a nation of the side, before anybody builds.".to_owned()
            } else {
                let who = sentence(rules.commander(donor));
                format!("{who} may give you points, before anybody builds.")
            };
            facts.push(Fact::of(format!("{} aid", rules.adjective(donor)), text));
        }
        vec![Part::Facts { facts }]
    }
}
