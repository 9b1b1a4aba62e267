use std::io::BufRead as _;
use std::path::Path;

use clap::{Args, ValueEnum, ValueHint};
use serde::Serialize;

use super::given::{FIGHTERS, numbers, numbers_text, usual};
use super::session::{Session, Thrown};
use crate::cli::global::{Ended, Global};
use crate::cli::outfile::{Force, OutFile};
use crate::cli::output;
use musterd_daemon::HostError;
use musterd_dice::Witness;
use musterd_dog::battle::Switches;
use musterd_dog::model::Scale;
use musterd_dog::table::read::read;
use musterd_dog::table::{Event, House, founding, telling};
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_report::text;
use musterd_text::nouns::counted;

/// Which session, and how a new one begins.
#[derive(Debug, Args)]
struct Seated {
    /// The session's journal; a new one begins where there is none, its secret beside it
    #[arg(long, value_name = "FILE", default_value = "dog-session.jsonl", value_hint = ValueHint::FilePath)]
    session: OutFile,
    /// Of a new session: strategic, tactical or personal
    #[arg(long, value_name = "SCALE", hide_possible_values = true)]
    scale: Option<ScaleArg>,
    /// Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated
    #[arg(long = "switch", value_name = "NAME")]
    switches: Vec<String>,
}

/// A scale of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScaleArg {
    Strategic,
    Tactical,
    Personal,
}

impl From<ScaleArg> for Scale {
    fn from(scale: ScaleArg) -> Self {
        match scale {
            ScaleArg::Strategic => Self::Strategic,
            ScaleArg::Tactical => Self::Tactical,
            ScaleArg::Personal => Self::Personal,
        }
    }
}

/// What every throw takes.
#[derive(Debug, Args)]
struct Throwing {
    #[command(flatten)]
    seated: Seated,
    /// Words of the players for the dice; `-` asks for them once what is thrown for is on record
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    salt: Option<String>,
}

/// Throw for a strike of close combat
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  musterd dog strike 18 heavy infantry at 40 orcs\n  musterd dog strike elite 12 DG in forest hills at 20 HI --exchange\n  musterd dog strike 72 at 40 of 3 hp --salt 'five blue cats'\n\n{FIGHTERS}")
)]
pub(super) struct Strike {
    /// Who strikes, AT whom; or a force
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// With the retaliation, at the same time
    #[arg(long, conflicts_with = "retaliation")]
    exchange: bool,
    /// As a retaliation: by the defence score
    #[arg(long)]
    retaliation: bool,
    /// The strikers are elite
    #[arg(long)]
    elite: bool,
    /// The ground of those of whom none is said, such as "forest hills"
    #[arg(long, value_name = "GROUND")]
    terrain: Option<String>,
    #[command(flatten)]
    throwing: Throwing,
}

/// Throw for a volley
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  musterd dog shoot 20 elven archers at 12 orcs\n  musterd dog shoot 20 archers at 12 orcs range 4\n\n{FIGHTERS}")
)]
pub(super) struct Shoot {
    /// Who shoots, AT whom, RANGE and the hexes
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    #[command(flatten)]
    throwing: Throwing,
}

/// Throw whether a hidden unit is found
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  musterd dog hide 12 elves in forest\n  musterd dog hide 12 elves in forest from forestmen\n\n{FIGHTERS}")
)]
pub(super) struct Hide {
    /// Who hides, IN which ground, FROM whom
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// The ground, where the words don't say it
    #[arg(long, value_name = "GROUND")]
    terrain: Option<String>,
    #[command(flatten)]
    throwing: Throwing,
}

/// Throw for the order of the armies, ties again
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd dog initiative red blue 'the King under the Spine'")]
pub(super) struct Initiative {
    /// The armies, in any order
    #[arg(required = true, num_args = 2..=26, value_name = "ARMY")]
    armies: Vec<String>,
    #[command(flatten)]
    throwing: Throwing,
}

/// Begin a session, or show what was thrown in it
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd dog session --session evening.jsonl --scale strategic\n  musterd dog session\n\nA session begins with the first throw too. Begun before it, the table can note down its anchor: then nobody can look for a secret whose dice fall well. Its secret lies beside the journal and must not leave the umpire's hands."
)]
pub(super) struct Show {
    #[command(flatten)]
    seated: Seated,
}

/// Make all throws of a session public, and write the file that proves them
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd dog reveal\n  musterd dog reveal --session evening.jsonl --out evening.json\n  musterd verify evening.json --replay\n\nThe session can go on: what is thrown later is hidden until it is revealed too, with --force in place of the first file."
)]
pub(super) struct Reveal {
    /// The session's journal
    #[arg(long, value_name = "FILE", default_value = "dog-session.jsonl", value_hint = ValueHint::FilePath)]
    session: OutFile,
    /// Where to write the audit file; `-` prints it [default: beside the journal, ending in .audit.json]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<OutFile>,
    #[command(flatten)]
    force: Force,
}

impl Strike {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let verb = match (self.exchange, self.retaliation) {
            (true, _) => "exchange",
            (_, true) => "retaliate",
            _ => "strike",
        };
        let elite = if self.elite { "elite " } else { "" };
        let line = format!("{verb} {elite}{}", self.words.join(" "));
        self.throwing.run(global, &line, self.terrain.as_deref())
    }
}

impl Shoot {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        self.throwing.run(global, &format!("shoot {}", self.words.join(" ")), None)
    }
}

impl Hide {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        self.throwing.run(global, &format!("hide {}", self.words.join(" ")), self.terrain.as_deref())
    }
}

impl Initiative {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        if let Some(odd) =
            self.armies.iter().find(|name| name.contains(['"', '#']) || name.chars().any(char::is_control))
        {
            return Err(HostError::usage(format!("`{odd}` is no army's name: leave out quotes and #")));
        }
        let names: Vec<String> = self.armies.iter().map(|name| format!("\"{name}\"")).collect();
        self.throwing.run(global, &format!("initiative {}", names.join(" ")), None)
    }
}

impl Seated {
    fn open(&self, global: &Global) -> Result<(Session, bool), HostError> {
        if let Some(odd) = self.switches.iter().find(|name| !Switches::WORDS.contains(&name.as_str())) {
            let known = Switches::WORDS.join(", ");
            return Err(HostError::usage(format!(
                "--switch {odd}: there is no such switch; known are {known}"
            )));
        }
        let title = self.session.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let house = House {
            title,
            scale: self.scale.map_or(Scale::Tactical, Scale::from),
            switches: self.switches.clone(),
        };
        let files = || Ok(founding(&numbers_text(global)?, &house));
        let (session, new) = Session::open(&self.session, global, files)?;
        let own = session.rules().house();
        let others = self.scale.is_some_and(|scale| Scale::from(scale) != own.scale)
            || self.switches.iter().any(|switch| !own.switches.contains(switch));
        if others {
            return Err(HostError::usage(format!(
                "{} began on the {} scale with {}: begin another session for other rules",
                self.session.path().display(),
                own.scale,
                if own.switches.is_empty() {
                    "no optional rules".to_owned()
                } else {
                    own.switches.join(", ")
                }
            )));
        }
        Ok((session, new))
    }
}

impl Throwing {
    fn run(&self, global: &Global, line: &str, terrain: Option<&str>) -> Result<Ended, HostError> {
        // Errors in the words are reported before a session begins.
        let ground = usual(terrain)?;
        let throw = read(&numbers(global)?, line, ground).map_err(HostError::usage)?;
        let now = global.clock().now();
        let (mut session, new) = self.seated.open(global)?;
        // A session keeps the numbers that it began with.
        let throw = read(session.rules().numbers(), line, ground)
            .map_err(HostError::usage)
            .or_else(|error| if new { Ok(throw) } else { Err(error) })?;
        let late = session.finish(now)?;
        let thrown = session.throw(&throw, |t| self.words(t), now)?;
        let told = Told::of(&session, &thrown);
        if global.json {
            output::json(&told);
            return Ok(Ended::Done);
        }
        let mut page = String::new();
        if new {
            page.push_str(&begun(&session, self.seated.session.path()));
        }
        if let Some(late) = late {
            page.push_str("A throw that was cut short was finished first.\n\n");
            page.push_str(&page_of(&session, &late));
            page.push('\n');
        }
        page.push_str(&page_of(&session, &thrown));
        page.push('\n');
        page.push_str(&closing(&session));
        output::text(&page);
        Ok(Ended::Done)
    }

    /// The players' words, which are asked for if the option says so.
    fn words(&self, t: u32) -> Result<Option<String>, HostError> {
        match self.salt.as_deref() {
            Some("-") => {
                output::text(&format!("Throw {t} is on record. The players' words for the dice:"));
                let mut line = String::new();
                let read = std::io::stdin().lock().read_line(&mut line);
                read.map_err(|error| HostError::Io { path: "standard input".into(), error })?;
                Ok(Some(line.chars().filter(|c| !c.is_control()).collect()))
            }
            Some(salt) => Ok(Some(salt.chars().filter(|c| !c.is_control()).collect())),
            None => Ok(None),
        }
    }
}

impl Show {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let (mut session, new) = self.seated.open(global)?;
        let late = session.finish(global.clock().now())?.is_some();
        let throws = session.throws();
        if global.json {
            output::json(&Sat::of(&session, &throws));
            return Ok(Ended::Done);
        }
        let mut page = String::new();
        if new {
            page.push_str(&begun(&session, self.seated.session.path()));
        } else {
            let house = session.rules().house();
            let facts = vec![
                fact(
                    "Rules",
                    [vec![format!("{} scale", house.scale)], house.switches.clone()].concat().join(", "),
                ),
                fact("Anchor", session.campaign().anchor().to_string()),
                fact("Thrown", throws.len().to_string()),
                fact(
                    "Revealed",
                    match session.revealed() {
                        0 => "nothing yet".to_owned(),
                        last => format!("up to throw {last}"),
                    },
                ),
            ];
            let section = Section { title: house.title.clone(), parts: vec![Part::Facts { facts }] };
            page.push_str(&rendered(vec![section]));
            page.push('\n');
        }
        if late {
            page.push_str("A throw that was cut short was finished.\n\n");
        }
        for thrown in &throws {
            page.push_str(&page_of(&session, thrown));
            page.push('\n');
        }
        page.push_str(&closing(&session));
        output::text(&page);
        Ok(Ended::Done)
    }
}

impl Reveal {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        if !self.session.path().is_file() {
            let path = self.session.path().display();
            return Err(HostError::usage(format!("there is no session {path}: name it with --session")));
        }
        let unknown = || Err(HostError::usage("this session has not begun"));
        let beside = || OutFile::at(self.session.path().with_extension("audit.json"));
        let out = self.out.clone().unwrap_or_else(beside);
        // Nothing is revealed if the file can't be written.
        let writing = match out.is_output() {
            true => None,
            false => Some(out.begin(global, self.force)?),
        };
        let now = global.clock().now();
        let (mut session, _) = Session::open(&self.session, global, unknown)?;
        session.finish(now)?;
        let file = session.reveal(now)?;
        let json = serde_json::to_string(&file).map_err(|error| HostError::usage(error.to_string()))?;
        let Some(writing) = writing else {
            output::text(&json);
            return Ok(Ended::Done);
        };
        writing.whole(json.as_bytes())?;
        let last = session.revealed();
        if global.json {
            output::json(
                &serde_json::json!({ "revealed": last, "file": out.path(), "chain": Chain::of(&session) }),
            );
        } else {
            output::text(&format!(
                "{} public. Written: {}\nCheck it by `musterd verify FILE --replay`, or by docs/verify.py.\n\n{}",
                counted(last, "throw is", "throws are"),
                out.path().display(),
                closing(&session)
            ));
        }
        Ok(Ended::Done)
    }
}

/// A throw, for programs.
#[derive(Serialize)]
struct Told<'a> {
    t: u32,
    line: String,
    #[serde(flatten)]
    event: &'a Event,
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
    throws: Vec<Told<'a>>,
    chain: Option<Chain>,
}

impl Chain {
    fn of(session: &Session) -> Option<Self> {
        let Witness { game, index, head } = session.witness()?;
        Some(Self { session: game.to_string(), index, head: head.to_string() })
    }
}

impl<'a> Told<'a> {
    fn of(session: &Session, thrown: &'a Thrown) -> Self {
        Self {
            t: thrown.t,
            line: thrown.throw.line(session.rules().numbers()),
            event: &thrown.event,
            doubts: session.rules().doubts(&thrown.throw),
            level: thrown.assurance.as_ref().map(|assurance| assurance.level.to_string()),
            chain: Chain::of(session),
        }
    }
}

impl<'a> Sat<'a> {
    fn of(session: &'a Session, throws: &'a [Thrown]) -> Self {
        let told = |thrown| Told { chain: None, ..Told::of(session, thrown) };
        Self {
            house: session.rules().house(),
            anchor: session.campaign().anchor().to_string(),
            revealed: session.revealed(),
            throws: throws.iter().map(told).collect(),
            chain: Chain::of(session),
        }
    }
}

fn begun(session: &Session, path: &Path) -> String {
    format!(
        "A session begins: {0}\nIts secret is the umpire's alone: {0}.secret\nIts anchor, for the table to note down:\n  {1}\n\n",
        path.display(),
        session.campaign().anchor()
    )
}

fn page_of(session: &Session, thrown: &Thrown) -> String {
    let mut section = telling::told(session.rules(), &thrown.throw, &thrown.event);
    section.title = format!("{}. {}", thrown.t, section.title);
    let salted = thrown.assurance.as_ref().is_some_and(|assurance| !assurance.salted.is_empty());
    let level =
        thrown.assurance.as_ref().map_or(String::new(), |assurance| format!(" ({})", assurance.level));
    let words = if salted { "the players' words entered the dice" } else { "no words of the players" };
    if let Some(Part::Facts { facts }) = section.parts.first_mut() {
        facts.push(fact("Trust", format!("{words}{level}")));
    }
    rendered(vec![section])
}

/// The lines that the table writes down.
fn closing(session: &Session) -> String {
    session.witness().map_or_else(String::new, |witness| format!("{witness}\n"))
}

fn rendered(sections: Vec<Section>) -> String {
    text::sections(&Briefing { sections, ..Briefing::default() })
}

fn fact(label: &str, text: impl Into<String>) -> Fact {
    Fact { label: label.to_owned(), text: text.into() }
}
