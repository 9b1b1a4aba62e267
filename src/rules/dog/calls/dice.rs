//! Dice at the table: sessions, throws, and the proof of them.

use std::path::Path;

use serde::Serialize;

use crate::battle::Switches;
use crate::model::Scale;
use crate::numbers::{self, Numbers};
use crate::questions::FIGHTERS;
use crate::table::read::{self, read};
use crate::table::throw::{OPEN, Throw};
use crate::table::{Event, House, Sitting, founding, telling};
use musterd_engine::Ruleset as _;
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::calls::{
    Answer, Arg, Call, CallError, Choice, Dice, Given, Installation, Kind, Salt, Thrown, any,
};
use musterd_engine::files::RuleFiles;
use musterd_report::text;
use musterd_text::nouns::counted;

/// The session's journal.
const SESSION_FILE: Arg = Arg::option("session", "FILE", Kind::Session, "").default("dog-session.jsonl");

/// Which session, and how a new one begins.
const SEATED: &[Arg] = &[
    Arg {
        help: "The session's journal; a new one begins where there is none, its secret beside it",
        ..SESSION_FILE
    },
    Arg::option(
        "scale",
        "SCALE",
        Kind::Word(&[
            Choice { word: "strategic", about: "", alias: "" },
            Choice { word: "tactical", about: "", alias: "" },
            Choice { word: "personal", about: "", alias: "" },
        ]),
        "Of a new session: strategic, tactical or personal",
    ),
    Arg::option(
        "switch",
        "NAME",
        Kind::Text(any),
        "Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated",
    )
    .repeated(),
];

/// What every throw takes besides.
const SALT: &[Arg] = &[Arg::option(
    "salt",
    "WORDS",
    Kind::Text(any),
    "Words of the players for the dice; `-` asks for them once what is thrown for is on record",
)];

const TERRAIN: Arg = Arg::option("terrain", "GROUND", Kind::Text(any), "");

/// A strike of close combat.
pub(super) const STRIKE: Call = Call {
    name: "strike",
    about: "Throw for a strike of close combat",
    examples: &[
        "musterd dog strike 18 heavy infantry at 40 orcs",
        "musterd dog strike elite 12 DG in forest hills at 20 HI --exchange",
        "musterd dog strike 72 at 40 of 3 hp --salt 'five blue cats'",
    ],
    notes: &[FIGHTERS],
    args: &[
        &[
            Arg::words("words", "WORDS", "Who strikes, AT whom; or a force"),
            Arg::flag("exchange", "With the retaliation, at the same time").excludes(&["retaliation"]),
            Arg::flag("retaliation", "As a retaliation: by the defence score"),
            Arg::flag("elite", "The strikers are elite"),
            Arg { help: "The ground of those of whom none is said, such as \"forest hills\"", ..TERRAIN },
        ],
        SEATED,
        SALT,
    ],
    run: |given, at| {
        let verb = match (given.has("exchange"), given.has("retaliation")) {
            (true, _) => "exchange",
            (_, true) => "retaliate",
            _ => "strike",
        };
        let elite = if given.has("elite") { "elite " } else { "" };
        throw(given, at, &format!("{verb} {elite}{}", given.all("words").join(" ")), given.text("terrain"))
    },
};

/// A volley.
pub(super) const SHOOT: Call = Call {
    name: "shoot",
    about: "Throw for a volley",
    examples: &[
        "musterd dog shoot 20 elven archers at 12 orcs",
        "musterd dog shoot 20 archers at 12 orcs range 4",
    ],
    notes: &[FIGHTERS],
    args: &[&[Arg::words("words", "WORDS", "Who shoots, AT whom, RANGE and the hexes")], SEATED, SALT],
    run: |given, at| throw(given, at, &format!("shoot {}", given.all("words").join(" ")), None),
};

/// A search for a hidden unit.
pub(super) const HIDE: Call = Call {
    name: "hide",
    about: "Throw whether a hidden unit is found",
    examples: &["musterd dog hide 12 elves in forest", "musterd dog hide 12 elves in forest from forestmen"],
    notes: &[FIGHTERS],
    args: &[
        &[
            Arg::words("words", "WORDS", "Who hides, IN which ground, FROM whom"),
            Arg { help: "The ground, where the words don't say it", ..TERRAIN },
        ],
        SEATED,
        SALT,
    ],
    run: |given, at| {
        throw(given, at, &format!("hide {}", given.all("words").join(" ")), given.text("terrain"))
    },
};

/// The order of the armies.
pub(super) const INITIATIVE: Call = Call {
    name: "initiative",
    about: "Throw for the order of the armies, ties again",
    examples: &["musterd dog initiative red blue 'the King under the Spine'"],
    notes: &[],
    args: &[
        &[Arg::option("armies", "ARMY", Kind::Text(any), "The armies, in any order").loose(2, 26)],
        SEATED,
        SALT,
    ],
    run: |given, at| {
        let armies = given.all("armies");
        let is_odd = |name: &&String| name.contains(['"', '#']) || name.chars().any(char::is_control);
        if let Some(odd) = armies.iter().find(is_odd) {
            return Err(format!("`{odd}` is no army's name: leave out quotes and #").into());
        }
        let names: Vec<String> = armies.iter().map(|name| format!("\"{name}\"")).collect();
        throw(given, at, &format!("initiative {}", names.join(" ")), None)
    },
};

/// What was thrown.
pub(super) const SESSION: Call = Call {
    name: "session",
    about: "Begin a session, or show what was thrown in it",
    examples: &["musterd dog session --session evening.jsonl --scale strategic", "musterd dog session"],
    notes: &[
        "A session begins with the first throw too. Begun before it, the table can note down its anchor: then nobody can look for a secret whose dice fall \
         well. Its secret lies beside the journal and must not leave the umpire's hands.",
    ],
    args: &[SEATED],
    run: show,
};

/// The proof of all throws.
pub(super) const REVEAL: Call = Call {
    name: "reveal",
    about: "Make all throws of a session public, and write the file that proves them",
    examples: &[
        "musterd dog reveal",
        "musterd dog reveal --session evening.jsonl --out evening.json",
        "musterd verify evening.json --replay",
    ],
    notes: &[
        "The session can go on: what is thrown later is hidden until it is revealed too, with --force in place of the first file.",
    ],
    args: &[&[
        Arg { help: "The session's journal", ..SESSION_FILE },
        Arg::option(
            "out",
            "FILE",
            Kind::Written { among: &[], beside: Some(("session", "audit.json")) },
            "Where to write the audit file; `-` prints it [default: beside the journal, ending in .audit.json]",
        ),
    ]],
    run: reveal,
};

/// The throw of a line; those of whom it says no ground stand on the usual one.
fn meant(numbers: &Numbers, line: &str, usual: Option<&str>) -> Result<Throw, String> {
    let usual = usual.map_or(Ok(OPEN), |text| read::ground(numbers, text))?;
    read(numbers, line, usual)
}

/// A session that is open, with the rules that it is played by.
struct Table {
    dice: Box<dyn Dice>,
    rules: Sitting,
    /// Its journal.
    file: String,
}

impl Table {
    /// Opens the session that the arguments name, or begins it.
    fn open(given: &Given, at: &mut dyn Installation) -> Result<Self, CallError> {
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
        let file = given.text("session").unwrap_or_default();
        let title = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let house = House { title, scale: scale.unwrap_or(Scale::Tactical), switches: switches.to_vec() };
        let numbers = at.files()?.0.remove(numbers::FILE).unwrap_or_default();
        let table = Self::of(file, at, Some(founding(&numbers, &house)))?;
        let own = table.rules.house();
        let others = scale.is_some_and(|scale| scale != own.scale)
            || switches.iter().any(|switch| !own.switches.contains(switch));
        if others {
            return Err(format!(
                "{file} began on the {} scale with {}: begin another session for other rules",
                own.scale,
                if own.switches.is_empty() {
                    "no optional rules".to_owned()
                } else {
                    own.switches.join(", ")
                }
            )
            .into());
        }
        Ok(table)
    }

    fn of(file: &str, at: &mut dyn Installation, new: Option<RuleFiles>) -> Result<Self, CallError> {
        let dice = at.dice(Sitting::ID, "session", new)?;
        let (version, files) = dice.founding();
        let rules = Sitting::of_version(version, files, &[])?;
        Ok(Self { dice, rules, file: file.to_owned() })
    }

    /// What a throw of the session was for.
    fn read(&self, thrown: &Thrown) -> Result<(Throw, Event), CallError> {
        let unfit = |reason: String| CallError::Usage(format!("{}: {reason}", self.file));
        let throw = read(self.rules.numbers(), &thrown.line, OPEN).map_err(unfit)?;
        let event = serde_json::from_value(thrown.event.clone());
        Ok((throw, event.map_err(|error| unfit(error.to_string()))?))
    }

    fn begun(&self) -> String {
        format!(
            "A session begins: {0}\nIts secret is the umpire's alone: {0}.secret\nIts anchor, for the table to note down:\n  {1}\n\n",
            self.file,
            self.dice.anchor()
        )
    }

    /// A throw as a section of a page.
    fn page(&self, thrown: &Thrown) -> Result<String, CallError> {
        let (throw, event) = self.read(thrown)?;
        let mut section = telling::told(&self.rules, &throw, &event);
        section.title = format!("{}. {}", thrown.t, section.title);
        let salted = thrown.assurance.as_ref().is_some_and(|assurance| !assurance.salted.is_empty());
        let level =
            thrown.assurance.as_ref().map_or(String::new(), |assurance| format!(" ({})", assurance.level));
        let words = if salted { "the players' words entered the dice" } else { "no words of the players" };
        if let Some(Part::Facts { facts }) = section.parts.first_mut() {
            facts.push(Fact::of("Trust", format!("{words}{level}")));
        }
        Ok(rendered(section))
    }

    /// The lines that the table writes down.
    fn closing(&self) -> String {
        self.dice.witness().map_or_else(String::new, |witness| format!("{witness}\n"))
    }

    /// The log's last entry.
    fn chain(&self) -> Option<Chain> {
        let witness = self.dice.witness()?;
        Some(Chain {
            session: witness.game.to_string(),
            index: witness.index,
            head: witness.head.to_string(),
        })
    }

    fn told(&self, thrown: &Thrown, chain: Option<Chain>) -> Result<Told, CallError> {
        let (throw, event) = self.read(thrown)?;
        Ok(Told {
            t: thrown.t,
            line: throw.line(self.rules.numbers()),
            event,
            doubts: self.rules.doubts(&throw),
            level: thrown.assurance.as_ref().map(|assurance| assurance.level.to_string()),
            chain,
        })
    }
}

fn throw(
    given: &Given,
    at: &mut dyn Installation,
    line: &str,
    usual: Option<&str>,
) -> Result<Answer, CallError> {
    // Errors in the words are reported before a session begins.
    let throw = meant(&Numbers::load(&at.files()?)?, line, usual)?;
    let mut table = Table::open(given, at)?;
    // A session keeps the numbers that it began with.
    let throw = meant(table.rules.numbers(), line, usual)
        .or_else(|error| if table.dice.is_new() { Ok(throw) } else { Err(error) })?;
    let late = table.dice.finish()?;
    table.rules.allows(&throw)?;
    let salt = match given.text("salt") {
        None => Salt::Without,
        Some("-") => Salt::Asked,
        Some(words) => Salt::Given(words.to_owned()),
    };
    let thrown = table.dice.throw(&throw.line(table.rules.numbers()), &salt)?;
    let mut page = if table.dice.is_new() { table.begun() } else { String::new() };
    if let Some(late) = late {
        page.push_str("A throw that was cut short was finished first.\n\n");
        page.push_str(&table.page(&late)?);
        page.push('\n');
    }
    page.push_str(&format!("{}\n{}", table.page(&thrown)?, table.closing()));
    Ok(Answer::new(page, &table.told(&thrown, table.chain())?))
}

fn show(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let mut table = Table::open(given, at)?;
    let late = table.dice.finish()?.is_some();
    let throws = table.dice.throws()?;
    let house = table.rules.house();
    let mut page = if table.dice.is_new() {
        table.begun()
    } else {
        let rules = [vec![format!("{} scale", house.scale)], house.switches.clone()].concat().join(", ");
        let revealed = match table.dice.revealed() {
            0 => "nothing yet".to_owned(),
            last => format!("up to throw {last}"),
        };
        let facts = vec![
            Fact::of("Rules", rules),
            Fact::of("Anchor", table.dice.anchor().to_string()),
            Fact::of("Thrown", throws.len().to_string()),
            Fact::of("Revealed", revealed),
        ];
        rendered(Section::of(house.title.clone(), vec![Part::Facts { facts }])) + "\n"
    };
    if late {
        page.push_str("A throw that was cut short was finished.\n\n");
    }
    for thrown in &throws {
        page.push_str(&table.page(thrown)?);
        page.push('\n');
    }
    page.push_str(&table.closing());
    let sat = Sat {
        house,
        anchor: table.dice.anchor().to_string(),
        revealed: table.dice.revealed(),
        throws: throws.iter().map(|thrown| table.told(thrown, None)).collect::<Result<_, _>>()?,
        chain: table.chain(),
    };
    Ok(Answer::new(page, &sat))
}

fn reveal(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let mut table = Table::of(given.text("session").unwrap_or_default(), at, None)?;
    table.dice.finish()?;
    let file = table.dice.reveal()?;
    let (last, out) = (table.dice.revealed(), given.text("out").unwrap_or_default());
    let page = format!(
        "{} public. Written: {out}\nCheck it by `musterd verify FILE --replay`, or by docs/verify.py.\n\n{}",
        counted(last, "throw is", "throws are"),
        table.closing()
    );
    let data = serde_json::json!({ "revealed": last, "file": out, "chain": table.chain() });
    Ok(Answer::new(page, &data).with_file(file))
}

/// A throw, for programs.
#[derive(Serialize)]
struct Told {
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
struct Chain {
    session: String,
    index: u64,
    head: String,
}

/// A session, for programs.
#[derive(Serialize)]
struct Sat<'a> {
    house: &'a House,
    anchor: String,
    revealed: u32,
    throws: Vec<Told>,
    chain: Option<Chain>,
}

fn rendered(section: Section) -> String {
    text::sections(&Briefing { sections: vec![section], ..Briefing::default() })
}
