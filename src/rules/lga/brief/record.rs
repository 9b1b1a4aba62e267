//! The campaign's record: victory points by season, and how it ended.

use std::collections::BTreeMap;

use super::super::model::{Date, Level, Side};
use super::super::sight::Sight;
use super::super::view::View;
use super::{fact, section};
use crate::engine::briefing::{Part, Section, Table};

/// The longest bar of the chart, in characters.
const LONGEST_BAR: i32 = 24;

/// The result of a campaign that is over.
pub(super) fn outcome(view: &View, sights: &[Sight]) -> Section {
    let mut facts = Vec::new();
    let told = sights.iter().rev().find_map(|sight| match sight {
        Sight::Ended { levels, .. } => Some(levels.clone()),
        _ => None,
    });
    let counted = || view.victory.iter().map(|v| (v.side, v.points, v.level)).collect();
    for (side, points, level) in told.unwrap_or_else(counted) {
        facts.push(fact(side.to_string(), format!("{points} victory points: {level}")));
    }
    facts.push(fact("Result", winner_in_words(view)));
    section("The end", vec![Part::Facts { facts }])
}

/// `the French side wins`, or `a draw`: the higher level wins, equal levels are a draw (ruling LGA-45).
pub(super) fn winner_in_words(view: &View) -> String {
    let best = view.victory.iter().map(|v| v.level).max().unwrap_or(Level::AbsoluteDefeat);
    let mut winners = view.victory.iter().filter(|v| v.level == best);
    match (winners.next(), winners.next()) {
        (Some(winner), None) => format!("the {} side wins", winner.side),
        _ => "a draw".to_owned(),
    }
}

/// Every count of victory points as a table with bars; none before there is a season to compare with.
pub(super) fn so_far(view: &View) -> Option<Vec<Part>> {
    let mut seasons: BTreeMap<Date, BTreeMap<Side, i32>> = BTreeMap::new();
    for line in &view.history {
        seasons.entry(line.date).or_default().insert(line.side, line.points);
    }
    if seasons.len() < 2 {
        return None;
    }
    let most = view.history.iter().map(|line| line.points).max().unwrap_or(0);
    let scale = (most + LONGEST_BAR - 1) / LONGEST_BAR;
    let sides: Vec<Side> = view.victory.iter().map(|v| v.side).collect();
    let names: Vec<String> = sides.iter().map(Side::to_string).collect();
    let mut headings = vec!["victory points"];
    for name in &names {
        headings.extend([name.as_str(), ""]);
    }
    let mut table = Table::new(&headings);
    for (date, points) in &seasons {
        let mut cells = vec![date.to_string()];
        for side in &sides {
            let points = points.get(side).copied();
            let bar = usize::try_from(points.unwrap_or(0).max(0) / scale.max(1)).unwrap_or(0);
            cells.push(points.map_or_else(|| "-".to_owned(), |n| n.to_string()));
            cells.push("#".repeat(bar));
        }
        table.rows.push(crate::engine::briefing::Row::Cells(cells));
    }
    Some(vec![Part::Table(table)])
}
