//! The answer to a question about odds, as a page or as JSON: in the same form for every ruleset.

use serde::Serialize;

use crate::cli::global::{Ended, Global};
use crate::cli::output;
use musterd_dice::odds::{Distribution, Exact};
use musterd_engine::briefing::{Briefing, Fact, Part, Section, Table};
use musterd_report::text;

/// How many `#` stand for certainty.
const BAR: u32 = 24;
/// The longest fraction that a page shows; beyond it, a decimal.
const LONGEST_FRACTION: usize = 17;
/// The number of decimal places.
const PLACES: u32 = 6;

/// An answer: the question, the possible results, the expected values.
pub(super) struct Answer {
    /// The subject of the question: `attack`.
    pub(super) question: &'static str,
    /// The facts as they were understood.
    pub(super) given: Vec<Fact>,
    /// Every roll or piece with its possible results.
    pub(super) chances: Vec<Chances>,
    /// The expected values, each with the name of the quantity.
    pub(super) expected: Vec<(String, Exact)>,
}

/// The possible results of one roll or one piece, each with its chance. The results exclude each other, and their chances add up to 1.
pub(super) struct Chances {
    of: String,
    cases: Vec<(String, Exact)>,
}

impl Chances {
    /// The outcomes of a distribution in their order, each in words.
    pub(super) fn of<T: Ord>(
        of: impl Into<String>,
        odds: &Distribution<T>,
        word: impl Fn(&T) -> String,
    ) -> Self {
        Self { of: of.into(), cases: odds.iter().map(|(value, chance)| (word(value), chance)).collect() }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    question: &'a str,
    given: &'a [Fact],
    chances: Vec<Group<'a>>,
    expected: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    of: &'a str,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    case: &'a str,
    fraction: String,
    decimal: String,
}

impl Answer {
    /// Prints it, as a page or as JSON.
    pub(super) fn print(&self, global: &Global) -> Ended {
        if global.json {
            output::json(&self.document());
        } else {
            output::text(&self.page());
        }
        Ended::Done
    }

    fn document(&self) -> Document<'_> {
        let groups =
            self.chances.iter().map(|chances| Group { of: &chances.of, cases: cases(&chances.cases) });
        Document {
            question: self.question,
            given: &self.given,
            chances: groups.collect(),
            expected: cases(&self.expected),
        }
    }

    fn page(&self) -> String {
        let mut table = Table::new(&["", ">chance", "", ">exactly"]);
        for chances in &self.chances {
            table.group(&chances.of);
            for (case, chance) in &chances.cases {
                table.row([case.clone(), chance.percent(), bar(chance), exactly(chance)]);
            }
        }
        let mut parts = Vec::new();
        if !self.given.is_empty() {
            parts.push(Part::Facts { facts: self.given.clone() });
        }
        parts.push(Part::Table(table));
        if !self.expected.is_empty() {
            let mut table = Table::new(&["on average", "", ">exactly"]);
            for (what, count) in &self.expected {
                table.row([what.clone(), count.decimal(2), exactly(count)]);
            }
            parts.push(Part::Table(table));
        }
        let section = Section { title: format!("Odds: {}", self.question), parts };
        text::sections(&Briefing { sections: vec![section], ..Briefing::default() })
    }
}

fn cases(all: &[(String, Exact)]) -> Vec<Case<'_>> {
    all.iter()
        .map(|(case, exact)| Case { case, fraction: exact.to_string(), decimal: exact.decimal(PLACES) })
        .collect()
}

fn bar(chance: &Exact) -> String {
    "#".repeat(usize::try_from(chance.rounded(BAR)).unwrap_or_default())
}

fn exactly(number: &Exact) -> String {
    let fraction = number.to_string();
    if fraction.len() <= LONGEST_FRACTION { fraction } else { format!("{}..", number.decimal(PLACES)) }
}
