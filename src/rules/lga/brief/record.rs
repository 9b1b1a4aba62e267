//! The campaign's record: victory points and strength by season, losses, cities, and how it ended.

use super::super::data::Lga;
use super::super::model::{CityRank, Date, Level, Side};
use super::super::record::{Destruction, Strength};
use super::super::sight::Sight;
use super::super::view::View;

use super::story;
use musterd_engine::briefing::{Fact, Part, Row, Section, Table};

/// The width of a chart's bars and their labels, in characters.
const ROOM: usize = 56;
/// The longest bar of a chart, in characters.
const LONGEST_BAR: usize = 24;

/// The result of a campaign that is over.
pub(super) fn outcome(view: &View, sights: &[Sight]) -> Section {
    let mut facts = Vec::new();
    let told = sights.iter().rev().find_map(|sight| match sight {
        Sight::Ended { levels, .. } => Some(levels.clone()),
        _ => None,
    });
    let counted = || view.victory.iter().map(|v| (v.side, v.points, v.level)).collect();
    for (side, points, level) in told.unwrap_or_else(counted) {
        facts.push(Fact::of(side.to_string(), format!("{points} victory points: {level}")));
    }
    facts.push(Fact::of("Result", winner_in_words(view)));
    Section::of("The end", vec![Part::Facts { facts }])
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

/// The record in every report: victory points and strength by season; `None` before there is a season to compare with.
pub(super) fn so_far(view: &View) -> Option<Vec<Part>> {
    let charts = charts(view);
    (charts.iter().any(|chart| chart.rows.len() > 1)).then(|| charts.into_iter().map(Part::Table).collect())
}

/// The whole record: charts, losses, cities, and the story.
pub(super) fn history(rules: &Lga, view: &View) -> Vec<Section> {
    let charts: Vec<Part> = charts(view).into_iter().map(Part::Table).collect();
    let mut sections = vec![Section::of("The balance", charts)];
    let losses = losses(rules, view);
    if !losses.rows.is_empty() {
        sections.push(Section::of("Losses", vec![Part::Table(losses)]));
    }
    let cities = cities(rules, view);
    if !cities.rows.is_empty() {
        sections.push(Section::of("Cities that changed hands", vec![Part::Table(cities)]));
    }
    let story = story::parts(rules, view);
    if !story.is_empty() {
        sections.push(Section::of("The story of the campaign", story));
    }
    sections
}

/// Victory points of all sides, and the strengths that the reader may know, season by season.
fn charts(view: &View) -> Vec<Table> {
    let sides: Vec<Side> = view.victory.iter().map(|v| v.side).collect();
    let points = |side: Side| -> Vec<Bar> {
        let counts = view.history.iter().filter(|count| count.side == side);
        counts
            .map(|count| Bar { date: count.date, length: count.points, text: count.points.to_string() })
            .collect()
    };
    let strengths = |side: Side| -> Vec<Bar> {
        let counts = view.record.strengths.iter().filter(|count| count.turn.side == side);
        let bar = |s: &Strength| Bar {
            date: s.turn.date,
            length: s.morale,
            text: format!("{} ({})", s.morale, s.units),
        };
        counts.map(bar).collect()
    };
    [chart("victory points", &sides, points), chart("morale (units)", &sides, strengths)]
        .into_iter()
        .filter(|chart| !chart.rows.is_empty())
        .collect()
}

/// A value that one side counted at the start of one of its turns, or at the end.
struct Bar {
    date: Date,
    length: i32,
    text: String,
}

/// Bars by season, with a column for each side that has any. The count after the last turn has that turn's date again.
fn chart(title: &str, sides: &[Side], bars: impl Fn(Side) -> Vec<Bar>) -> Table {
    let columns: Vec<(Side, Vec<Bar>)> =
        sides.iter().map(|side| (*side, bars(*side))).filter(|(_, bars)| !bars.is_empty()).collect();
    let most = columns.iter().flat_map(|(_, bars)| bars).map(|bar| bar.length).max().unwrap_or(0);
    let names: Vec<String> = columns.iter().map(|(side, _)| side.to_string()).collect();
    let texts = columns.iter().map(|(side, bars)| {
        let texts = bars.iter().map(|bar| bar.text.len());
        texts.chain([side.to_string().len()]).max().unwrap_or(0) + 4
    });
    let longest = (ROOM.saturating_sub(texts.sum()) / columns.len().max(1)).min(LONGEST_BAR);
    let mut headings = vec![title];
    for name in &names {
        headings.extend([name.as_str(), ""]);
    }
    let mut table = Table::new(&headings);
    let seasons = columns.iter().map(|(_, bars)| bars.len()).max().unwrap_or(0);
    for season in 0..seasons {
        let dates = columns.iter().filter_map(|(_, bars)| Some(bars.get(season)?.date));
        let before = |date: Date| {
            let last = season.checked_sub(1);
            columns
                .iter()
                .any(|(_, bars)| last.and_then(|last| bars.get(last)).is_some_and(|b| b.date == date))
        };
        let label = match dates.min() {
            Some(date) if before(date) => "The end".to_owned(),
            Some(date) => date.to_string(),
            None => String::new(),
        };
        let mut cells = vec![label];
        for (_, bars) in &columns {
            let bar = bars.get(season);
            cells.push(bar.map_or_else(|| "-".to_owned(), |bar| bar.text.clone()));
            cells.push(bar.map_or_else(String::new, |bar| "#".repeat(scaled(bar.length, most, longest))));
        }
        table.rows.push(Row::Cells(cells));
    }
    table
}

/// The length of a bar, where the greatest number has the longest one.
fn scaled(length: i32, most: i32, longest: usize) -> usize {
    let (length, most) = (usize::try_from(length).unwrap_or(0), usize::try_from(most).unwrap_or(0));
    (length * longest + most / 2).checked_div(most).unwrap_or(0)
}

/// How many pieces each nation lost, and how, as far as the reader knows.
fn losses(rules: &Lga, view: &View) -> Table {
    let mut table =
        Table::new(&["", ">in battle", ">routed", ">in muster", ">supply", ">siege", ">together"]);
    for (nation, _) in rules.scenario.nations() {
        let lost =
            || view.record.losses.iter().filter(|loss| rules.scenario.unit(loss.unit).nation == nation);
        if lost().next().is_none() {
            continue;
        }
        let of = |which: fn(Destruction) -> bool| lost().filter(|loss| which(loss.fate)).count().to_string();
        table.row([
            rules.name(nation).to_owned(),
            of(|fate| matches!(fate, Destruction::Battle(_))),
            of(|fate| fate == Destruction::Rout),
            of(|fate| fate == Destruction::Muster),
            of(|fate| fate == Destruction::Supply),
            of(|fate| fate == Destruction::Siege),
            lost().count().to_string(),
        ]);
    }
    table
}

/// Each city that changed hands, with its worth to the side that took it.
fn cities(rules: &Lga, view: &View) -> Table {
    let mut table = Table::new(&["When", "taken by", "city", "from"]);
    for capture in &view.record.captures {
        let city = rules.map.city_at(capture.at).filter(|city| city.rank != CityRank::Minor);
        let rank = city.map_or_else(String::new, |city| format!(", {}", city.rank));
        table.row([
            capture.turn.date.to_string(),
            capture.turn.side.to_string(),
            format!("{}{rank}", rules.map.place(capture.at)),
            capture.from.map_or_else(|| "nobody".to_owned(), |side| side.to_string()),
        ]);
    }
    table
}
