//! The chart of strikes.

use serde::Serialize;

use crate::battle::Switches;
use crate::scores;
use musterd_engine::briefing::{Briefing, Part, Section, Table};
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_report::text;

/// The chart of strikes.
pub(super) const CHART: Call = Call {
    name: "chart",
    about: "Print the chart of strikes: hit points by force and die, to lie on the table",
    examples: &["musterd dog chart", "musterd dog chart --up-to 600"],
    notes: &[],
    args: &[&[Arg::option("up-to", "FORCE", Kind::Number(1, 10_000), "The largest force").default("200")]],
    run: chart,
};

/// A line of the chart (manual, table 2; ruling DOG-38).
#[derive(Debug, Serialize)]
struct Line {
    from: u32,
    to: u32,
    bad: u32,
    medium: u32,
    good: u32,
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every call")]
fn chart(given: &Given, _: &mut dyn Installation) -> Result<Answer, CallError> {
    let line = |tenth: u32| {
        let damage = |die| scores::damage(Switches::USUAL, tenth * 10, die);
        Line { from: tenth * 10 - 9, to: tenth * 10, bad: damage(1), medium: damage(3), good: damage(5) }
    };
    let most: u32 = given.value("up-to").unwrap_or(200);
    let lines: Vec<Line> = (1..=most.div_ceil(10)).map(line).collect();
    let mut table = Table::new(&[">force", ">1-2 bad", ">3-4 medium", ">5-6 good"]);
    for Line { from, to, bad, medium, good } in &lines {
        table.row([format!("{from}-{to}"), bad.to_string(), medium.to_string(), good.to_string()]);
    }
    let parts = vec![Part::Table(table)];
    let sections = vec![Section::of("Strikes: hit points by force and die", parts)];
    Ok(Answer::new(text::sections(&Briefing { sections, ..Briefing::default() }), &lines))
}
