//! What commanders read: golden pages of battles between computers, and what holds of every page.

use std::collections::BTreeSet;

use musterd_dice::Seat;
use musterd_engine::briefing::Briefing;
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use musterd_sa::sight::Sight;
use musterd_sa::view::View;
use musterd_sa::{Sa, Skill, shipped};

use crate::common::Loose;
use crate::common::pages::{assert_fits, golden, page};

/// A report, and what it was made of.
struct Report {
    view: View,
    sights: Vec<Sight>,
    page: Briefing,
}

/// Plays a shipped battle between computers and gives the report of each mail turn to a seat, the last one when it is over.
fn reports(rules: &Sa, seat: &Seat, seed: u32) -> Vec<Report> {
    let mut state = rules.found();
    let mut dice = Loose::numbered(seed);
    let mut reports = Vec::new();
    for t in 1.. {
        let orders = rules.seats().iter().map(|spec| {
            let view = rules.view(&state, &spec.seat);
            let skill = if std::env::var("SA_SKILL").is_ok() { Skill::Advanced } else { Skill::Beginning };
            let text = rules.play(&view, skill, 1);
            (spec.seat.clone(), rules.read_orders(&view, &text))
        });
        let orders = orders.collect();
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        let mut sights = Vec::new();
        for event in scribe.finish() {
            sights.extend(rules.witness(&state, &event, seat));
            rules.apply(&mut state, &event);
        }
        let view = rules.view(&state, seat);
        let page = rules.brief(&view, &sights);
        reports.push(Report { view, sights, page });
        if matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            break;
        }
    }
    reports
}

fn battle(name: &str) -> Sa {
    Sa::from_files(&shipped(name).unwrap(), &[]).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

#[test]
fn look() {
    let name = std::env::var("SA_BATTLE").unwrap_or("training".to_owned());
    let rules = battle(&name);
    let seat = rules.seats()[0].seat.clone();
    for (n, report) in reports(&rules, &seat, 11).iter().enumerate() {
        let page = page(&report.page);
        std::fs::write(format!("/tmp/sa-{name}-{n:02}.txt"), &page).unwrap();
        assert_fits(&page.lines().skip(2).collect::<Vec<_>>().join("\n"));
    }
}
