use clap::Args;
use serde::Serialize;

use crate::cli::global::{Ended, Global};
use crate::cli::output;
use musterd_daemon::HostError;
use musterd_dog::battle::Switches;
use musterd_dog::scores;
use musterd_engine::briefing::{Briefing, Part, Section, Table};
use musterd_report::text;

/// Print the chart of strikes: hit points by force and die, to lie on the table
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  musterd dog chart\n  musterd dog chart --up-to 600")]
pub(super) struct Chart {
    /// The largest force
    #[arg(long, value_name = "FORCE", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    up_to: u32,
}

/// A line of the chart (manual, table 2; ruling DOG-38).
#[derive(Debug, Serialize)]
struct Line {
    from: u32,
    to: u32,
    bad: u32,
    medium: u32,
    good: u32,
}

impl Chart {
    #[expect(clippy::unnecessary_wraps, reason = "every command is run so")]
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let line = |tenth: u32| {
            let damage = |die| scores::damage(Switches::USUAL, tenth * 10, die);
            Line { from: tenth * 10 - 9, to: tenth * 10, bad: damage(1), medium: damage(3), good: damage(5) }
        };
        let lines: Vec<Line> = (1..=self.up_to.div_ceil(10)).map(line).collect();
        if global.json {
            output::json(&lines);
            return Ok(Ended::Done);
        }
        let mut table = Table::new(&[">force", ">1-2 bad", ">3-4 medium", ">5-6 good"]);
        for Line { from, to, bad, medium, good } in &lines {
            table.row([format!("{from}-{to}"), bad.to_string(), medium.to_string(), good.to_string()]);
        }
        let parts = vec![Part::Table(table)];
        let sections = vec![Section { title: "Strikes: hit points by force and die".to_owned(), parts }];
        output::text(&text::sections(&Briefing { sections, ..Briefing::default() }));
        Ok(Ended::Done)
    }
}
