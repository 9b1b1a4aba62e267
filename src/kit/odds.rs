//! The answer to a question about odds, as a page and as data: in the same form for every ruleset.

use serde::Serialize;

use musterd_dice::odds::{Distribution, Exact};
use musterd_engine::briefing::{Briefing, Fact, Part, Section, Table};
use musterd_engine::calls;
use musterd_report::text;

/// How many `#` stand for certainty.
const BAR: u32 = 24;
/// The longest fraction that a page shows; beyond it, a decimal.
const LONGEST_FRACTION: usize = 17;
/// The number of decimal places.
const PLACES: u32 = 6;

/// An answer: the question, the possible results, the expected values.
#[derive(Debug)]
pub struct Answer {
    /// The subject of the question: `attack`.
    pub question: &'static str,
    /// The facts as they were understood.
    pub given: Vec<Fact>,
    /// Every roll or piece with its possible results.
    pub chances: Vec<Chances>,
    /// The expected values, each with the name of the quantity.
    pub expected: Vec<(String, Exact)>,
}

/// The possible results of one roll or one piece, each with its chance. The results exclude each other, and their chances add up to 1.
#[derive(Debug)]
pub struct Chances {
    of: String,
    cases: Vec<(String, Exact)>,
}

impl Chances {
    /// The outcomes of a distribution in their order, each in words.
    pub fn of<T: Ord>(of: impl Into<String>, odds: &Distribution<T>, word: impl Fn(&T) -> String) -> Self {
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

impl From<Answer> for calls::Answer {
    fn from(answer: Answer) -> Self {
        Self::new(answer.page(), &answer.document())
    }
}

impl Answer {
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
        let section = Section::of(format!("Odds: {}", self.question), parts);
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
