//! A session that is open: its journal, the rules that it is played by, and what the table keeps.

use std::path::Path;

use serde::Serialize;

use crate::battle::Switches;
use crate::model::{Ground, Scale};
use crate::numbers;
use crate::table::keep::{SittingState, Tabletop};
use crate::table::line::Line;
use crate::table::read::{Misread, read};
use crate::table::{Before, Event, House, Sitting, founding, telling};
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::calls::{CallError, Dice, Given, Installation, Salt, Thrown};
use musterd_engine::files::RuleFiles;
use musterd_engine::{Fold as _, Ruleset as _};
use musterd_report::text;

/// A session that is open.
pub(super) struct Table {
    pub(super) dice: Box<dyn Dice>,
    pub(super) rules: Sitting,
    /// The sitting so far.
    pub(super) state: SittingState,
    /// The throw that was cut short and is finished now, if there was one.
    pub(super) late: Option<Thrown>,
    /// Its journal.
    file: String,
}

impl Table {
    /// Opens the session that the arguments name, or begins it.
    pub(super) fn open(given: &Given, at: &mut dyn Installation) -> Result<Self, CallError> {
        let (scale, switches) = asked(given)?;
        let file = given.text("session").unwrap_or_default();
        let title = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let house = House { title, scale: scale.unwrap_or(Scale::Tactical), switches: switches.to_vec() };
        let numbers = at.files()?.0.remove(numbers::FILE).unwrap_or_default();
        Self::of(given, at, Some(founding(&numbers, &house)))?.fits(given)
    }

    /// The session, if the arguments ask for no other rules than it began with.
    pub(super) fn fits(self, given: &Given) -> Result<Self, CallError> {
        let (scale, switches) = asked(given)?;
        let own = &self.rules.house;
        let others = scale.is_some_and(|scale| scale != own.scale)
            || switches.iter().any(|switch| !own.switches.contains(switch));
        if others {
            return Err(format!(
                "{} began on the {} scale with {}: begin another session for other rules",
                self.file,
                own.scale,
                if own.switches.is_empty() {
                    "no optional rules".to_owned()
                } else {
                    own.switches.join(", ")
                }
            )
            .into());
        }
        Ok(self)
    }

    /// Opens the session that the arguments name; if there is none, it begins with these files.
    pub(super) fn of(
        given: &Given,
        at: &mut dyn Installation,
        new: Option<RuleFiles>,
    ) -> Result<Self, CallError> {
        let dice = at.dice(Sitting::ID, "session", new)?;
        let (version, files) = dice.founding();
        let rules = Sitting::of_version(version, files, &[])?;
        let file = given.text("session").unwrap_or_default().to_owned();
        let mut table = Self { state: rules.found(), dice, rules, late: None, file };
        for event in table.dice.events() {
            table.take(event)?;
        }
        table.late = table.dice.finish(table.state.view().table.salt().as_deref())?;
        if let Some(late) = &table.late {
            let event = late.event.clone();
            table.take(event)?;
        }
        Ok(table)
    }

    fn take(&mut self, event: serde_json::Value) -> Result<Event, CallError> {
        let event = serde_json::from_value(event).map_err(|error| self.unfit(error))?;
        self.rules.apply(&mut self.state, &event);
        Ok(event)
    }

    fn unfit(&self, reason: impl std::fmt::Display) -> CallError {
        CallError::Usage(format!("{}: {reason}", self.file))
    }

    /// Puts a line on record, and throws its dice if it has any: with the words that were said before, unless others are given.
    pub(super) fn put(&mut self, line: &Line, salt: Option<Salt>) -> Result<Thrown, CallError> {
        let said = || self.state.view().table.salt().map(Salt::Given);
        let salt = if matches!(line, Line::Throw(_)) { salt.or_else(said) } else { None };
        let text = line.text(&self.rules.numbers);
        let thrown = self.dice.throw(&text, &salt.unwrap_or(Salt::Without))?;
        self.take(thrown.event.clone())?;
        Ok(thrown)
    }

    /// What is said of a session that begins.
    pub(super) fn begun(&self) -> String {
        format!(
            "A session begins: {0}\nIts secret is the umpire's alone: {0}.secret\nIts anchor, for the table to note down:\n  {1}\n\n",
            self.file,
            self.dice.anchor()
        )
    }

    /// What is to be told of a session that was just opened: that it begins, or that a throw was finished.
    pub(super) fn opened(&self) -> Result<String, CallError> {
        let mut page = if self.dice.is_new() { self.begun() } else { String::new() };
        if let Some(late) = &self.late {
            page.push_str("A throw that was cut short was finished first.\n\n");
            page.push_str(&self.page(late, false)?);
            page.push('\n');
        }
        Ok(page)
    }

    /// A line and what came of it, as a section of a page; `void` if it was taken back.
    pub(super) fn page(&self, thrown: &Thrown, void: bool) -> Result<String, CallError> {
        let event = self.event(thrown)?;
        let told = telling::told(&self.rules, &thrown.line, &event);
        let mut section = told.map_err(|misread| self.unfit(misread))?;
        let mark = if void { " (void)" } else { "" };
        section.title = format!("{}. {}{mark}", thrown.t, section.title);
        if event.has_dice()
            && let Some(Part::Facts { facts }) = section.parts.first_mut()
        {
            let assurance = thrown.assurance.as_ref();
            let salted = assurance.is_some_and(|assurance| !assurance.salted.is_empty());
            let level = assurance.map_or(String::new(), |assurance| format!(" ({})", assurance.level));
            let words =
                if salted { "the players' words entered the dice" } else { "no words of the players" };
            facts.push(Fact::of("Trust", format!("{words}{level}")));
        }
        Ok(rendered(section))
    }

    fn event(&self, thrown: &Thrown) -> Result<Event, CallError> {
        serde_json::from_value(thrown.event.clone()).map_err(|error| self.unfit(error))
    }

    /// The lines that the table writes down.
    pub(super) fn closing(&self) -> String {
        self.dice.witness().map_or_else(String::new, |witness| format!("{witness}\n"))
    }

    /// The log's last entry.
    pub(super) fn chain(&self) -> Option<Chain> {
        let witness = self.dice.witness()?;
        Some(Chain {
            session: witness.game.to_string(),
            index: witness.index,
            head: witness.head.to_string(),
        })
    }

    pub(super) fn told(&self, thrown: &Thrown, chain: Option<Chain>) -> Result<Told, CallError> {
        let event = self.event(thrown)?;
        let of = event.of().unwrap_or(&thrown.line);
        let throw = if event.has_dice() { read(&self.rules.numbers, of, Ground::OPEN).ok() } else { None };
        Ok(Told {
            t: thrown.t,
            line: thrown.line.clone(),
            doubts: throw.map(|throw| self.rules.doubts(&throw)).unwrap_or_default(),
            event,
            level: thrown.assurance.as_ref().map(|assurance| assurance.level.to_string()),
            chain,
        })
    }

    /// Everything that was thrown and said, line by line, each as a page of its own.
    pub(super) fn log(&self) -> Result<Vec<(Thrown, String)>, CallError> {
        let throws = self.dice.throws()?;
        let void: Vec<u32> = throws.iter().filter_map(|thrown| self.event(thrown).ok()?.void()).collect();
        let page = |thrown: Thrown| {
            let page = self.page(&thrown, void.contains(&thrown.t))?;
            Ok((thrown, page))
        };
        throws.into_iter().map(page).collect()
    }

    /// Reads a line against what the table keeps.
    pub(super) fn read(&self, text: &str, usual: Ground) -> Result<Line, Misread> {
        self.rules.read(&self.state.view(), text, usual)
    }
}

/// The scale and the optional rules that the arguments ask for.
fn asked(given: &Given) -> Result<(Option<Scale>, &[String]), CallError> {
    let switches = given.all("switch");
    if let Some(odd) = switches.iter().find(|name| !Switches::WORDS.contains(&name.as_str())) {
        let known = Switches::WORDS.join(", ");
        return Err(format!("--switch {odd}: there is no such switch; known are {known}").into());
    }
    let scale = given.text("scale").map(|scale| match scale {
        "strategic" => Scale::Strategic,
        "personal" => Scale::Personal,
        _ => Scale::Tactical,
    });
    Ok((scale, switches))
}

/// What is said before a throw, as a page.
pub(super) fn foretold(before: &Before, title: &str) -> String {
    let warned = before.warnings.iter().map(|warning| Fact::of("Warning", warning.clone()));
    let facts = before.facts.iter().cloned().chain(warned).collect();
    rendered(Section::of(title, vec![Part::Facts { facts }]))
}

/// A section as text.
pub(super) fn rendered(section: Section) -> String {
    text::sections(&Briefing { sections: vec![section], ..Briefing::default() })
}

/// A line and what came of it, for programs.
#[derive(Serialize)]
pub(super) struct Told {
    t: u32,
    line: String,
    #[serde(flatten)]
    event: Event,
    /// Things that the rules would not allow on a field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<String>,
    level: Option<String>,
    chain: Option<Chain>,
}

/// The log's last entry, for programs.
#[derive(Serialize)]
pub(super) struct Chain {
    session: String,
    index: u64,
    head: String,
}

/// A session, for programs.
#[derive(Serialize)]
pub(super) struct Sat<'a> {
    house: &'a House,
    anchor: String,
    revealed: u32,
    throws: Vec<Told>,
    table: Tabletop,
    chain: Option<Chain>,
}

impl<'a> Sat<'a> {
    /// Everything of a session.
    pub(super) fn of(table: &'a Table) -> Result<Self, CallError> {
        let throws = table.dice.throws()?;
        Ok(Self {
            house: &table.rules.house,
            anchor: table.dice.anchor().to_string(),
            revealed: table.dice.revealed(),
            throws: throws.iter().map(|thrown| table.told(thrown, None)).collect::<Result<_, _>>()?,
            table: table.state.view().table,
            chain: table.chain(),
        })
    }
}
