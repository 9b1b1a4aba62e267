//! What a GM may change.

use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token};
use musterd_engine::yaml::short;
use musterd_kit::amend::{YES_OR_NO, amended, number, take_hex, within};
use musterd_kit::grammar::{Manner, Sentence, lack};
use musterd_kit::lexicon::{Lexicon, at, missing};
use musterd_kit::{kinds, language, nouns};

use crate::data::Sa;
use crate::event::{Change, Event};
use crate::law;
use crate::model::{Side, UnitId};
use crate::state::{Fate, Phase, State, Unit};

/// How far battles won and routs seen can be set from 0.
const FAR: i32 = 99;
/// The most points that an army can have.
const MOST_POINTS: u16 = 999;
/// How many times its first men a unit can have.
const TIMES: u32 = 10;

kinds! {
    enum Kind {
        "unit": Unit,
        /// A hex by number, or a place by name.
        "hex": Hex,
        "number": Number,
        "side": Side,
    }
}

nouns! {
    enum Noun {
        unit: Unit(UnitId),
        hex: Hex(Hex),
        number: Number(i32),
        side: Side(Side),
    }
}

language! {
    /// The language of the changes.
    static GRAMMAR of Verb, Kind = Manner::of("change");

    Unit ["UNIT"]:
        "{unit:unit} ( MEN {men:number} / AT {at:hex} / off=OFF / routs=ROUTS ( YES / no=NO ) / NEXT {next:number} \
         / BATTLES {battles:number} / ROUT-COUNT {seen:number} / LOSING {losing:number} / plain=PLAIN )"
    => {
        missing YES_OR_NO;
        missing lack("PLAIN", "What changes? Write MEN, AT, OFF, ROUTS, NEXT, BATTLES, ROUT-COUNT, LOSING or PLAIN.");
        "UNIT A3 MEN 250" => "how many men it has";
        "UNIT A3 AT 0405", "UNIT A3 OFF" =>
            "where it stands: a free hex that it can enter; or that it is off the field, or won't come: its orders are \
                       forgotten, and with the wizard his likenesses go: nobody wins the hunt while he is off. Army morale stays as it is";
        "UNIT A3 ROUTS YES", "UNIT A3 ROUTS NO" => "whether it routs";
        "UNIT A3 NEXT 30" => "the time-point at which it acts next";
        "UNIT A3 BATTLES -1", "UNIT A3 ROUT-COUNT 2" =>
            "its battles won less battles lost, BS; the routs that it has seen, RS";
        "UNIT A3 LOSING 1", "UNIT A3 PLAIN" =>
            "the melees that it has lost in a row; that no spell is on it any more";
    }

    Morale ["MORALE"]: "{side:side} {points:number}" => {
        "MORALE A 30", "MAGIC B 6" =>
            "the morale of a side's army; its spell points. At morale 0 the battle ends in the next mail turn";
    }

    Magic ["MAGIC"]: "{side:side} {points:number}" => {
    }

    Wizard ["WIZARD"]: "{unit:unit}" => {
        "WIZARD B12" => "which of a wizard's likenesses on the field is the wizard; his side alone is told";
    }
}

/// What a GM may change, each with an example.
pub(crate) fn uses(rules: &Sa) -> Vec<OrderUse> {
    GRAMMAR.uses(|verb| verb != Verb::Wizard || rules.battle().hunt.is_some())
}

/// The events of an amendment.
pub(crate) fn amend(rules: &Sa, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let read = |state: &State, part: &str| {
        let table = Table { rules, state };
        let Some(line) = GRAMMAR.read(&table, part, |_| true)? else { return Ok(Vec::new()) };
        let change = table.change(&line).map_err(|why| Remark::error(1, why))?;
        Ok(table.events(change))
    };
    amended(rules, state, text, read, |state| state.faults(rules))
}

/// Everything that the GM sees.
struct Table<'a> {
    rules: &'a Sa,
    state: &'a State,
}

impl Lexicon for Table<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let Some(token) = cursor.peek() else { return Err(missing(cursor, "The line ends too early.")) };
        if kind == Kind::Hex {
            return self.hex(token, cursor).map(Noun::Hex);
        }
        cursor.skip(1);
        let read = match kind {
            Kind::Unit => self.unit(token.text).map(Noun::Unit),
            Kind::Side => side(token).map(Noun::Side),
            Kind::Number | Kind::Hex => number(token.text).map(Noun::Number),
        };
        read.map_err(|why| at(token, why))
    }
}

fn side(token: Token<'_>) -> Result<Side, String> {
    let side = Side::ALL.into_iter().find(|side| token.is(&side.letter().to_string()));
    side.ok_or_else(|| format!("`{}` is no side: write A or B", short(token.text)))
}

impl Table<'_> {
    fn unit(&self, text: &str) -> Result<UnitId, String> {
        let id: UnitId = text.parse().map_err(|bad: crate::model::BadUnit| bad.to_string())?;
        self.rules.battle().index(id).map(|_| id).ok_or_else(|| format!("there is no unit {id}"))
    }

    fn hex(&self, token: Token<'_>, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let field = &self.rules.battle().field;
        let found = take_hex(cursor, 4, |text| field.named(text)).filter(|hex| field.has(*hex));
        found.ok_or_else(|| at(token, format!("`{}` is no hex of the field", short(token.text))))
    }

    /// The change of a line, if it can be made.
    fn change(&self, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        let points = || line.the("points").number();
        match line.verb {
            Verb::Unit => self.about(line.the("unit").unit(), line),
            Verb::Morale => Ok(Change::Morale(
                line.the("side").side(),
                within("army morale", points(), 0, MOST_POINTS.into())?,
            )),
            Verb::Magic => Ok(Change::Magic(
                line.the("side").side(),
                within("spell points", points(), 0, MOST_POINTS.into())?,
            )),
            Verb::Wizard => self.wizard(line.the("unit").unit()),
        }
    }

    fn wizard(&self, id: UnitId) -> Result<Change, String> {
        match self.rules.battle().spec(id).likeness && self.state_of(id).at.is_some() {
            true => Ok(Change::Wizard(id)),
            false => Err(format!("{id} is no likeness of a wizard on the field")),
        }
    }

    fn about(&self, id: UnitId, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        let battle = self.rules.battle();
        let spec = battle.spec(id);
        let value = |name| line.noun(name).map(Noun::number);
        let there = || match self.state_of(id).at {
            Some(_) => Ok(id),
            None => Err(format!("{id} is not on the field")),
        };
        if let Some(hex) = line.noun("at").map(Noun::hex) {
            return self.placed(id, hex);
        }
        if line.has("off") {
            return match self.state.position.is_afoot(self.rules, id) {
                true => Ok(Change::Place(id, None)),
                false => Err(format!("{id} is neither on the field nor still to come")),
            };
        }
        if line.has("plain") {
            return Ok(Change::Plain(id));
        }
        if let Some(men) = value("men") {
            if men == 0 {
                return Err(format!("{id} can't be without men: write UNIT {id} OFF"));
            }
            return Ok(Change::Men(id, within("the men", men, 1, spec.men.saturating_mul(TIMES))?));
        }
        if let Some(next) = value("next") {
            let next = within("the time-point", next, 0, battle.nightfall)?;
            let first = match self.state.phase {
                Phase::Battle => self.state.paused + 1,
                Phase::Unfounded | Phase::Initial(_) | Phase::Over => 0,
            };
            return match next < first {
                true => Err(format!(
                    "time-point {next} is past: UNIT {id} NEXT {first} has it act as soon as it can"
                )),
                false => Ok(Change::Next(id, next)),
            };
        }
        if let Some(battles) = value("battles") {
            return Ok(Change::Battles(id, within("BS", battles, -FAR, FAR)?));
        }
        if let Some(lost) = value("losing") {
            let most = self.rules.numbers().training(spec.class).losses;
            return Ok(Change::Losing(id, within("the melees lost", lost, 0, most)?));
        }
        match value("seen") {
            Some(routs) => Ok(Change::Routs(id, within("RS", routs, -FAR, FAR)?)),
            None => Ok(Change::Rout(there()?, !line.has("no"))),
        }
    }

    /// A unit of the position.
    fn state_of(&self, id: UnitId) -> &Unit {
        &self.state.position.units[self.rules.battle().place(id)]
    }

    /// The events of a change. With the wizard his likenesses go, as they do when he leaves the field by himself.
    fn events(&self, change: Change) -> Vec<Event> {
        let battle = self.rules.battle();
        let taken = match change {
            Change::Place(id, None) if battle.spec(id).likeness => id,
            _ => return vec![Event::Amended { change }],
        };
        let (place, real) = (battle.place(taken), self.state.real);
        if !law::is_real(self.rules, real, place) {
            return vec![Event::Vanished { unit: taken, from: self.state.position.stand(place) }];
        }
        let followers = law::followers(self.rules, &self.state.position, real, place);
        let vanishes = followers.into_iter().map(|(unit, at)| Event::Vanished { unit, from: at });
        std::iter::once(Event::Amended { change }).chain(vanishes).collect()
    }

    fn placed(&self, id: UnitId, hex: Hex) -> Result<Change, String> {
        let battle = self.rules.battle();
        let (spec, terrain) = (battle.spec(id), battle.field.terrain(hex));
        match self.state.position.unit_at(self.rules, hex).map(|other| battle.units[other].id) {
            Some(other) if other != id => Err(format!("{other} stands in {hex}: a hex holds one unit")),
            _ if self.rules.numbers().cost(spec.kind, terrain).is_none() => {
                Err(format!("{} can't enter {hex}, {}", spec.kind.words(), terrain.words()))
            }
            _ if spec.likeness && self.state_of(id).fate == Fate::Coming => {
                Err(format!("{id} is a likeness that the wizard has not made"))
            }
            _ if self.state_of(id).men == 0 => Err(format!("{id} has no men: write UNIT {id} MEN first")),
            _ => Ok(Change::Place(id, Some(hex))),
        }
    }
}
