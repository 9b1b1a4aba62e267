//! The prompt at a table: line after line, each on record before the next is asked for.

use super::dice::SEATED;
use super::record::battle;
use super::sitting::{Sat, Table, foretold, rendered};
use crate::data::Dog;
use crate::model::Ground;
use crate::table::before;
use crate::table::before::{Before, unit_in_words};
use crate::table::keep::{SittingView, Tabletop};
use crate::table::line::Line;
use crate::table::read::{LONGEST_NAME, MOST_UNITS, Misread, verbs};
use crate::table::throw::all;
use crate::words::behind;
use musterd_engine::alike::meant;
use musterd_engine::briefing::{Fact, Part, Section};
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind, any};
use musterd_kit::lists::joined;
use musterd_report::underlined;
use musterd_text::nouns::counted;

/// The prompt.
pub(super) const TABLE: Call = Call {
    name: "table",
    about: "Sit down at a table: units, throws, rounds and notes, line by line",
    examples: &[
        "musterd dog table --session evening.jsonl",
        "musterd dog table --session evening.jsonl --battle training",
        "musterd dog table --session evening.jsonl < prepared.txt",
    ],
    notes: &[
        "Each line is on the disk before the next is asked for. `help` tells what can be written; Ctrl-D ends. The table keeps its units, so `strike R1 at B1` \
         knows their fighters and ground, tells the odds before the dice fall, and takes off who fell.",
        "Each side says a word for the dice before the first throw: `words red five blue cats`. So nobody who holds the program alone can choose them.",
    ],
    args: &[
        &[Arg::option(
            "battle",
            "BATTLE",
            Kind::Text(any),
            "Write down the units of this battle, as `musterd scenarios` lists it, or of its file; for a table that keeps none yet",
        )],
        SEATED,
    ],
    run: sit,
};

/// The words of the prompt itself: none of them is put on record.
const ASIDES: [&str; 6] = ["help", "units", "odds", "log", "go", "quit"];

const HELP: &str = "\
unit R1 18 heavy infantry in forest at 0301 hidden
    Keep a unit: its army's letter and a number.
R1 at 0402 in clear; R1 lost 3; R1 shots 2; R1 hidden
    Change one: also seen, routed, rallied, fresh, gone.
units; units R; units R1
    Show the units.
strike R1 at B1; exchange R1 at B1; retaliate B1 at R1
volley R1 at B1 range 3; search B1 from R1
    Throw for units, or for fighters: strike 18 HI at 40 orcs.
odds strike R1 at B1
    Tell what may come of a throw, and throw nothing.
go
    Throw for the line that was held for a warning.
initiative red blue; order red blue
    Throw for the order of the armies, or say it.
round; round 3; phase combat
    Begin the next round, or a phase.
words red five blue cats; words none
    What a side says for the dice, or that nobody says anything.
note TEXT
    Put a note on record.
undo
    Take back the last line that changed something. It stays on record, void.
log; quit
    Show all lines; end, as Ctrl-D does.
";

/// The prompt while somebody sits at it.
#[derive(Default)]
struct Seat {
    /// The line that was held for a warning.
    held: Option<Held>,
}

/// A line that is held, with what was said before its throw.
struct Held {
    line: String,
    before: Before,
}

fn sit(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let mut seat = Seat::default();
    // A battle that there isn't is told before a session begins.
    let placed = given.text("battle").map(|of| battle(of, at)).transpose()?;
    if let (Some(of), Some(rules)) = (given.text("battle"), &placed) {
        let (own, asked) = (rules.battle().scale.to_string(), given.text("scale").unwrap_or("tactical"));
        if own != asked {
            return Err(format!("--battle {of}: it is fought on the {own} scale; add --scale {own}").into());
        }
    }
    let mut table = Table::open(given, at)?;
    if !table.rules.keeps {
        return Err("this session began with a program that kept no units: begin another for a table".into());
    }
    let mut page = table.opened()?;
    if let Some(rules) = placed {
        page.push_str(&place(&mut table, &rules)?);
    }
    let view = table.state.view();
    if view.table.words_missing() > 0 {
        page.push_str(&asked_for_words(&view.table));
    }
    page.push_str("`help` tells what can be written.\n");
    at.tell(&page);
    let mut prompt = prompted(&view.table);
    // Others may throw in the same session while nobody writes here.
    drop(table);
    while let Some(text) = at.ask(&prompt)? {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if text.eq_ignore_ascii_case("quit") || text.eq_ignore_ascii_case("exit") {
            break;
        }
        match Table::of(given, at, None) {
            Ok(mut table) => {
                let page = seat.line(&mut table, text).unwrap_or_else(|error| format!("  {error}\n"));
                at.tell(&page);
                prompt = prompted(&table.state.view().table);
            }
            Err(error) => at.tell(&format!("  {error}\n")),
        }
    }
    let table = Table::of(given, at, None)?;
    let sat = Sat::of(&table)?;
    Ok(Answer::new(table.closing(), &sat))
}

/// Writes the units of a battle down, where it places them: all of them, or none if one can't be kept.
fn place(table: &mut Table, rules: &Dog) -> Result<String, CallError> {
    if !table.state.view().table.units.is_empty() {
        return Err("--battle: this table keeps units already; begin another session".into());
    }
    let field = &rules.battle().field;
    let units = rules.battle().armies().iter().flat_map(|army| &army.units);
    let lines = units.map(|unit| {
        // The table reads types by its own numbers: the names are the same.
        let mut line = format!("unit {} {}", unit.id, all(rules.numbers(), &unit.sorts));
        if let Some(at) = unit.at {
            // On a bridge there is no water (ruling DOG-35).
            let ground = field.ground(at).filter(|_| !field.bridges.contains(&at));
            line.push_str(&behind(" in ", ground));
            let fits = |place: &String| place.chars().count() <= LONGEST_NAME && !place.contains(['"', '#']);
            let place = Some(field.place(at)).filter(fits).unwrap_or_else(|| at.to_string());
            line.push_str(&format!(" at \"{place}\""));
        }
        line.push_str(if unit.hidden { " hidden" } else { "" });
        let read = table.read(&line, Ground::OPEN);
        read.map_err(|misread| {
            CallError::from(format!("--battle: {}: {}; nothing is written down", unit.id, misread.reason))
        })
    });
    let lines: Vec<Line> = lines.collect::<Result<_, _>>()?;
    if lines.len() > MOST_UNITS {
        return Err(
            format!("--battle: a table keeps {MOST_UNITS} units at most; nothing is written down").into()
        );
    }
    for line in &lines {
        table.put(line, None)?;
    }
    let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    Ok(format!("Written down: {} of {}.\n\n", counted(count, "unit", "units"), rules.battle().title))
}

impl Seat {
    /// What comes of a line that was typed.
    fn line(&mut self, table: &mut Table, text: &str) -> Result<String, CallError> {
        let late = if table.late.is_some() { table.opened()? } else { String::new() };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let word = word.to_ascii_lowercase();
        let held = self.held.take();
        let page = match word.as_str() {
            "help" => HELP.to_owned(),
            "units" => units(table, rest.trim()),
            "log" => table.log()?.into_iter().map(|(_, page)| page + "\n").collect(),
            "odds" => match table.read(rest, Ground::OPEN) {
                Ok(Line::Throw(named)) => {
                    foretold(&before(&table.rules, &table.state.view().table, &named), rest)
                }
                Ok(_) => "  odds are of throws: odds strike R1 at B1\n".to_owned(),
                Err(misread) => wrong(rest, &misread),
            },
            "go" => match held {
                Some(held) => self.go(table, held)?,
                None => "  no line is held for a warning\n".to_owned(),
            },
            // `G1` is a unit, or meant for one, and no slip of `go`.
            _ if is_like_a_unit(&word) => self.put(table, text)?,
            _ => match meant(&word, verbs().chain(ASIDES)).filter(|near| ASIDES.contains(near)) {
                Some(near) if !verbs().any(|verb| verb == word) => {
                    let reason = format!("`{word}` begins no line; did you mean {near}?");
                    wrong(text, &Misread { reason, span: (0, word.chars().count()) })
                }
                _ => self.put(table, text)?,
            },
        };
        Ok(late + &page)
    }

    /// Throws for the line that was held, unless another at the table has changed since what was said before it: then that is said anew.
    fn go(&mut self, table: &mut Table, held: Held) -> Result<String, CallError> {
        let line = match table.read(&held.line, Ground::OPEN) {
            Ok(line) => line,
            Err(misread) => return Ok(wrong(&held.line, &misread)),
        };
        let Line::Throw(named) = &line else { unreachable!("a throw is held, and not `{}`", held.line) };
        let now = before(&table.rules, &table.state.view().table, named);
        if now == held.before {
            return written(table, &line);
        }
        let page = foretold(&now, "BEFORE THE THROW, WHICH HAS CHANGED");
        self.held = Some(Held { before: now, ..held });
        Ok(format!("{page}\n{NOTHING_IS_THROWN}"))
    }

    /// Puts a line on record, unless it is wrong, or it is a throw with warnings, which is held.
    fn put(&mut self, table: &mut Table, text: &str) -> Result<String, CallError> {
        let view = table.state.view();
        let line = match table.read(text, Ground::OPEN) {
            Ok(line) => line,
            Err(misread) => return Ok(wrong(text, &misread)),
        };
        let mut page = String::new();
        if let Line::Throw(named) = &line {
            if view.table.words_missing() > 0 {
                return Ok(format!("Nothing is thrown yet. {}", asked_for_words(&view.table)));
            }
            let before = before(&table.rules, &view.table, named);
            if !before.facts.is_empty() {
                page = foretold(&before, "BEFORE THE THROW") + "\n";
            }
            if !before.warnings.is_empty() {
                self.held = Some(Held { line: text.to_owned(), before });
                return Ok(page + NOTHING_IS_THROWN);
            }
        }
        Ok(page + &written(table, &line)?)
    }
}

/// Whether a word is a letter with a number behind it.
fn is_like_a_unit(word: &str) -> bool {
    let number = word.strip_prefix(|letter: char| letter.is_ascii_alphabetic());
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What is said of a throw that is held.
const NOTHING_IS_THROWN: &str = "Nothing is thrown: `go` throws all the same, any other line drops it.\n";

/// Puts a line on record, and tells what came of it.
fn written(table: &mut Table, line: &Line) -> Result<String, CallError> {
    let thrown = table.put(line, None)?;
    let mut page = table.page(&thrown, false)?;
    if matches!(line, Line::Throw(_)) {
        page.push('\n');
        page.push_str(&table.closing());
    }
    Ok(page)
}

/// What is asked of the sides before the first throw.
fn asked_for_words(table: &Tabletop) -> String {
    let so_far = joined(table.words.iter().flatten().map(|(side, _)| side), ", ");
    let so_far = if so_far.is_empty() { String::new() } else { format!("So far: {so_far}. ") };
    format!(
        "Each side says words for the dice first, such as\n  words red five blue cats\n{so_far}`words none` throws without.\n"
    )
}

/// What is wrong with a line, under a caret, with the nearest word.
fn wrong(text: &str, misread: &Misread) -> String {
    format!("{}  {}\n", underlined(text, misread.span), misread.reason)
}

/// The round, the phase and the order of the armies.
fn prompted(table: &Tabletop) -> String {
    let round = if table.round > 0 { format!("round {}", table.round) } else { String::new() };
    let parts = [round, table.phase.clone(), table.order.join(", ")];
    let parts = joined(parts.iter().filter(|part| !part.is_empty()), "; ");
    format!("{}> ", if parts.is_empty() { "dog" } else { &parts })
}

/// The units of the table, or those of one army or one unit.
fn units(table: &Table, of: &str) -> String {
    let SittingView { table: kept, .. } = table.state.view();
    let wanted = |id: &String| {
        of.is_empty() || id.eq_ignore_ascii_case(of) || of.len() == 1 && id[..1].eq_ignore_ascii_case(of)
    };
    let all = kept.units.iter().map(|(id, unit)| (id.to_string(), unit)).filter(|(id, _)| wanted(id));
    let facts: Vec<Fact> = all.map(|(id, unit)| Fact::of(id, unit_in_words(&table.rules, unit))).collect();
    if facts.is_empty() {
        return "  no unit is kept: unit R1 18 heavy infantry in forest at 0301\n".to_owned();
    }
    rendered(Section::of("UNITS", vec![Part::Facts { facts }]))
}
