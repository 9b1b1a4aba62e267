//! The orders that a line gives, from its parts; and the parts of an order, to write it.

use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Span, Token};
use musterd_kit::grammar::{Part, Said};

use super::forms::{GRAMMAR, PLAIN, Verb, plain};
use super::line::{Line, Read};
use super::noun::{Noun, write};
use crate::battle::Battle;
use crate::model::{BrigadeId, Profile};
use crate::order::{Act, Command, Goal, Order, Question, When};

/// What a line asks for.
pub(super) struct Heard {
    /// What it orders, each with the place of the unit that it is for.
    pub(super) orders: Vec<(Order, Option<Span>)>,
    /// What it asks.
    pub(super) asked: Vec<Question>,
    /// What is doubtful of how it is written.
    pub(super) doubt: Option<Remark>,
    /// Its first word.
    pub(super) verb: Span,
    /// Whether `ALL` stands in it.
    pub(super) all: bool,
    /// Where it leads to: an objective, a direction.
    pub(super) goal: Option<Span>,
}

/// Reads a line without its comment; `None` if it is empty.
pub(super) fn read(line: &Line<'_>, text: &str) -> Result<Option<Heard>, Remark> {
    let words = Cursor::new(text);
    let Some(first) = words.peek() else { return Ok(None) };
    let read = GRAMMAR.read(line, text, |verb| !matches!(verb, Verb::Roster | Verb::Advice | Verb::Info));
    let Some(read) = read.map_err(|remark| instead(line, words.rest(), remark))? else { return Ok(None) };
    let mut heard = Heard {
        orders: Vec::new(),
        asked: Vec::new(),
        doubt: None,
        verb: first.span,
        all: read.is_all("who") || read.is_all("hq"),
        goal: ["way", "to", "second", "objective", "first"]
            .into_iter()
            .find_map(|name| read.part(name).map(|part| part.span)),
    };
    heard.take(line, &read);
    Ok(Some(heard))
}

impl Heard {
    fn take(&mut self, line: &Line<'_>, read: &Read) {
        match read.verb {
            Verb::Army => self.plain(Order::Goal(goal(read)), read.parts.first().map(|part| part.span)),
            Verb::Profile => {
                let profile = Profile::ALL.into_iter().find(|profile| read.has(profile.word()));
                self.plain(Order::Profile(certain(profile)), read.parts.first().map(|part| part.span));
            }
            Verb::Command => self.commands(line, read),
            Verb::If => {
                let when = if read.has("engaged") { When::Engaged } else { When::Shaken };
                let act = certain(Act::ENGAGED.into_iter().find(|act| read.has(act.word())));
                self.each(line, read, |id| Order::If(id, when, act));
            }
            Verb::Stop => self.plain(Order::StopOnContact(!read.has("off")), None),
            Verb::Resign => self.plain(Order::Resign, None),
            Verb::Roster => self.asked.push(Question::Roster),
            Verb::Advice => self.asked.push(Question::Advice),
            Verb::Info => self.asked.extend(read.nouns("what").map(Noun::thing)),
            verb => self.each(line, read, |id| Order::Brigade(id, act_of(line, verb, read, id))),
        }
    }

    /// An order that names no unit.
    fn plain(&mut self, order: Order, span: Option<Span>) {
        self.orders.push((order, span));
    }

    /// An order to each of the line's brigades, each once.
    fn each(&mut self, line: &Line<'_>, read: &Read, order: impl Fn(BrigadeId) -> Order) {
        let named = named(read, "who", Noun::brigade, || line.all_brigades());
        self.orders.extend(named.into_iter().map(|(id, span)| (order(id), Some(span))));
    }

    fn commands(&mut self, line: &Line<'_>, read: &Read) {
        let (command, doubt) = command(read);
        self.doubt = doubt;
        let named = named(read, "hq", Noun::hq, || line.all_hqs());
        self.orders.extend(named.into_iter().map(|(id, span)| (Order::Command(id, command), Some(span))));
    }
}

/// The units of a line's parts of a name, each once.
fn named<T: Copy + PartialEq>(
    read: &Read,
    name: &str,
    one: impl Fn(&Noun) -> T,
    all: impl Fn() -> Vec<T>,
) -> Vec<(T, Span)> {
    let mut found: Vec<(T, Span)> = Vec::new();
    for part in read.parts.iter().filter(|part| part.name == name) {
        let units = match &part.said {
            Said::Noun(noun) => vec![one(noun)],
            Said::All => all(),
            Said::Word => Vec::new(),
        };
        for unit in units {
            if found.iter().all(|(other, _)| *other != unit) {
                found.push((unit, part.span));
            }
        }
    }
    found
}

fn goal(read: &Read) -> Goal {
    match (read.noun("corps"), read.noun("to")) {
        (Some(corps), _) => Goal::Corps(corps.hq()),
        (None, Some(to)) => to.goal(),
        (None, None) => Goal::Stand,
    }
}

/// The command that a line gives, and a doubt of it.
fn command(read: &Read) -> (Command, Option<Remark>) {
    let noun = |name| read.noun(name).map(Noun::objective);
    if read.has("reserve") {
        return (Command::Reserve, None);
    }
    if read.has("defensive") {
        return (Command::Defensive(certain(noun("objective"))), None);
    }
    let (via, objective) = match (noun("first"), noun("second")) {
        (Some(first), Some(second)) => (Some(first), second),
        (Some(first), None) => (noun("by"), first),
        (None, _) => (noun("via"), certain(noun("objective"))),
    };
    let twice = via == Some(objective);
    let doubt = twice.then(|| Remark::note(0, "The way leads by its own end: it is the same without."));
    (Command::Offensive { via: via.filter(|_| !twice), objective }, doubt)
}

/// What a line tells one of its brigades to do.
fn act_of(line: &Line<'_>, verb: Verb, read: &Read, id: BrigadeId) -> Act {
    let to = || read.noun("to").map(Noun::objective);
    // The objective that an independent brigade has already.
    let own = || {
        let battle = line.rules.battle();
        line.view.brigade(id).objective.filter(|_| battle.is_independent(id))
    };
    match verb {
        Verb::Objective => Act::March(to()),
        Verb::Column => Act::March(to().or_else(own)),
        Verb::Deploy => Act::Deploy(read.the("way").way()),
        verb => certain(plain(verb)),
    }
}

/// What every line of its form says.
#[expect(clippy::expect_used, reason = "the grammar refuses a line without it")]
fn certain<T>(part: Option<T>) -> T {
    part.expect("a part of the form")
}

/// The hint at an order that does what a first word asks for which is none.
fn instead(line: &Line<'_>, words: &[Token<'_>], remark: Remark) -> Remark {
    use musterd_kit::lexicon::Lexicon;
    let [first, rest @ ..] = words else { return remark };
    if GRAMMAR.verb(first.text).is_some() {
        return remark;
    }
    if let Some((_, hint)) = LIKE.iter().find(|(words, _)| first.is_any(words)) {
        return remark.hint(*hint);
    }
    // Whoever is told stands behind the order: `Sherman ASSAULT`, `H2 OFFENSIVE Henry Hill`.
    let verb = rest.iter().find(|word| GRAMMAR.verb(word.text).is_some());
    let is = |kind| line.begins(kind, words);
    let command = ["OFFENSIVE", "DEFENSIVE", "RESERVE"];
    if is(super::forms::Kind::Hq) && rest.iter().any(|word| word.is_any(&command)) {
        return remark.hint("headquarters are told by COMMAND, which stands first");
    }
    match verb {
        Some(verb) if is(super::forms::Kind::Brigade) => {
            remark.hint(format!("the order stands first: {} {}", verb.text, first.text))
        }
        _ => remark,
    }
}

/// Words of other games, and what is written here.
const LIKE: [(&[&str], &str); 6] = [
    (
        &["ATTACK", "OFFENSIVE"],
        "ASSAULT or ADVANCE is for a brigade, COMMAND ... OFFENSIVE for a headquarters",
    ),
    (&["DEFEND", "DEFENSIVE"], "STAND is for a brigade, COMMAND ... DEFENSIVE for a headquarters"),
    (
        &["MOVE", "GO"],
        "a brigade goes by COLUMN, OBJECTIVE or DEPLOY, a headquarters by COMMAND, your own by ARMY MOVE",
    ),
    (&["FIRE", "SHOOT", "VOLLEY"], "an engaged brigade fires with SKIRMISH, ADVANCE and ASSAULT"),
    (&["RALLY", "RECOVER"], "a brigade recovers with RESERVE"),
    (&["READY"], "READY stands alone on its line"),
];

/// The line of an order as it is written: it is read back as the same.
pub fn written(battle: &Battle, order: &Order) -> String {
    let (verb, parts) = parts_of(order);
    GRAMMAR.write(verb, &parts, |noun, line| write(battle, noun, line))
}

fn who(id: BrigadeId) -> Part<Noun> {
    Part::noun("who", Noun::Brigade(id))
}

fn parts_of(order: &Order) -> (Verb, Vec<Part<Noun>>) {
    match order {
        Order::Goal(goal) => (
            Verb::Army,
            vec![match goal {
                Goal::Stand => Part::word("stand"),
                Goal::Corps(id) => Part::noun("corps", Noun::Hq(*id)),
                Goal::Objective(_) | Goal::Hex(_) => Part::noun("to", Noun::Goal(*goal)),
            }],
        ),
        Order::Profile(profile) => (Verb::Profile, vec![Part::word(profile.word())]),
        Order::Command(id, command) => {
            let objective = |name, id| Part::noun(name, Noun::Objective(id));
            let mut parts = vec![Part::noun("hq", Noun::Hq(*id))];
            parts.extend(match *command {
                Command::Offensive { via: Some(via), objective: to } => {
                    vec![Part::word("offensive"), objective("via", via), objective("objective", to)]
                }
                Command::Offensive { via: None, objective: to } => {
                    vec![Part::word("offensive"), objective("first", to)]
                }
                Command::Defensive(to) => vec![Part::word("defensive"), objective("objective", to)],
                Command::Reserve => vec![Part::word("reserve")],
            });
            (Verb::Command, parts)
        }
        Order::Brigade(id, act) => {
            let (verb, rest) = act_parts(*act);
            (verb, std::iter::once(who(*id)).chain(rest).collect())
        }
        Order::If(id, when, act) => {
            let when = if *when == When::Engaged { "engaged" } else { "shaken" };
            (Verb::If, vec![Part::word(when), who(*id), Part::word(act.word())])
        }
        Order::StopOnContact(true) => (Verb::Stop, Vec::new()),
        Order::StopOnContact(false) => (Verb::Stop, vec![Part::word("off")]),
        Order::Resign => (Verb::Resign, Vec::new()),
    }
}

/// The verb of a brigade's order, and what stands behind the brigade.
fn act_parts(act: Act) -> (Verb, Vec<Part<Noun>>) {
    match act {
        Act::March(None) => (Verb::Column, Vec::new()),
        Act::March(Some(to)) => (Verb::Objective, vec![Part::noun("to", Noun::Objective(to))]),
        Act::Deploy(way) => (Verb::Deploy, vec![Part::noun("way", Noun::Way(way))]),
        act => {
            let verb = PLAIN.into_iter().find(|(_, other)| *other == act).map(|(verb, _)| verb);
            (certain(verb), Vec::new())
        }
    }
}
