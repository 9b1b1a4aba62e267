//! Dice at the table: sessions, throws, and the proof of them.

use super::sitting::{Sat, Table, foretold, rendered};
use crate::battle::Ground;
use crate::numbers::Numbers;
use crate::questions::FIGHTERS;
use crate::table::before;
use crate::table::line::Line;
use crate::table::read;
use musterd_engine::briefing::{Fact, Part, Section};
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind, Salt, any};
use musterd_text::nouns::counted;

/// The session's journal.
const SESSION_FILE: Arg = Arg::option("session", "FILE", Kind::Session, "").default("dog-session.jsonl");

/// Which session, and how a new one begins.
pub(super) const SEATED: &[Arg] = &[
    Arg {
        help: "The session's journal; a new one begins where there is none, its secret beside it",
        ..SESSION_FILE
    },
    Arg::option(
        "scale",
        "SCALE",
        Kind::Word(&[("strategic", ""), ("tactical", ""), ("personal", "")]),
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
    "Words of the players for the dice, instead of those that were said at the table; `-` asks for them once what is thrown for is on record",
)];

/// What throws take that may be of units.
const ANYWAY: &[Arg] =
    &[Arg::flag("anyway", "Throw though something speaks against it, such as a unit that is out of shots")];

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
        ANYWAY,
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
    args: &[
        &[Arg::words("words", "WORDS", "Who shoots, AT whom, RANGE and the hexes")],
        SEATED,
        SALT,
        ANYWAY,
    ],
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
        ANYWAY,
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

/// The ground that an argument names; the open if none does.
fn usual(ground: Option<&str>, numbers: &Numbers) -> Result<Ground, CallError> {
    Ok(ground.map_or(Ok(Ground::OPEN), |text| read::ground(numbers, text))?)
}

/// Throws for a line. Who stands on no ground by its words stands on that of `ground`.
fn throw(
    given: &Given,
    at: &mut dyn Installation,
    line: &str,
    ground: Option<&str>,
) -> Result<Answer, CallError> {
    // Errors in the words are reported before a session begins. Units are those of a session that has begun.
    let numbers = Numbers::load(&at.files()?)?;
    let plain = read::read(&numbers, line, usual(ground, &numbers)?);
    let mut table = match plain {
        Ok(_) => Table::open(given, at)?,
        Err(misread) => match Table::of(given, at, None) {
            Ok(table) => table.fits(given)?,
            Err(_) => return Err(misread.into()),
        },
    };
    let line = table.read(line, usual(ground, &table.rules.numbers)?)?;
    let mut page = table.opened()?;
    if let Line::Throw(named) = &line
        && named.names_units()
    {
        let before = before(&table.rules, &table.state.view().table, named);
        if !before.warnings.is_empty() && !given.has("anyway") {
            let warnings = before.warnings.join("; ");
            return Err(format!("nothing is thrown: {warnings}. --anyway throws all the same").into());
        }
        page.push_str(&foretold(&before, "BEFORE THE THROW"));
        page.push('\n');
    }
    let salt = given.text("salt").map(|words| match words {
        "-" => Salt::Asked,
        words => Salt::Given(words.to_owned()),
    });
    let thrown = table.put(&line, salt)?;
    page.push_str(&format!("{}\n{}", table.page(&thrown, false)?, table.closing()));
    Ok(Answer::new(page, &table.told(&thrown, table.chain())?))
}

fn show(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let table = Table::open(given, at)?;
    let log = table.log()?;
    let house = &table.rules.house;
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
            Fact::of("Thrown", log.len().to_string()),
            Fact::of("Revealed", revealed),
        ];
        rendered(Section::of(house.title.clone(), vec![Part::Facts { facts }])) + "\n"
    };
    if table.late.is_some() {
        page.push_str("A throw that was cut short was finished.\n\n");
    }
    for (_, told) in &log {
        page.push_str(told);
        page.push('\n');
    }
    page.push_str(&table.closing());
    let sat = Sat::of(&table)?;
    Ok(Answer::new(page, &sat))
}

fn reveal(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let mut table = Table::of(given, at, None)?;
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
