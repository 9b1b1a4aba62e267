//! What a GM may change.

use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token, longest};
use musterd_engine::yaml::short;
use musterd_kit::amend::{YES_OR_NO, amended, number, take_hex, within};
use musterd_kit::grammar::{Manner, Sentence, lack};
use musterd_kit::lexicon::{Lexicon, at, missing};
use musterd_kit::names::{best, words};
use musterd_kit::{kinds, language, nouns};

use crate::battle::Battle;
use crate::data::Acw;
use crate::event::{Change, Event};
use crate::model::{BrigadeId, Echelon, Formation, HqId, ObjectiveId, Side, UnitId};
use crate::order::Command;
use crate::state::{Presence, State};
use crate::words as said;

/// How many times its first men or guns a brigade can have.
const TIMES: u32 = 10;
/// The most points that a side can have for objectives.
const MOST_POINTS: u32 = 99_999;
/// The most words of a name.
const NAME_WORDS: usize = 6;

kinds! {
    enum Kind {
        "brigade": Brigade,
        "hq": Hq,
        "unit": Unit,
        /// A hex by number, or a place by name.
        "hex": Hex,
        "objective": Objective,
        "number": Number,
        "side": Side,
    }
}

nouns! {
    enum Noun {
        brigade: Brigade(BrigadeId),
        hq: Hq(HqId),
        unit: Unit(UnitId),
        hex: Hex(Hex),
        objective: Objective(ObjectiveId),
        number: Number(i32),
        side: Side(Side),
    }
}

language! {
    /// The language of the changes.
    static GRAMMAR of Verb, Kind = Manner::of("change");

    Brigade ["BRIGADE"]:
        "{brigade:brigade} ( MEN {men:number} / GUNS {guns:number} / COHESION {cohesion:number} / WORKS {works:number} \
         / LEADERSHIP {leadership:number} / shattered=SHATTERED ( YES / no=NO ) / touch=TOUCH ( YES / no=NO ) / off=OFF )"
    => {
        missing YES_OR_NO;
        missing lack("OFF", "What changes? Write MEN, GUNS, COHESION, WORKS, LEADERSHIP, SHATTERED, TOUCH or OFF.");
        "BRIGADE A7 MEN 900", "BRIGADE A7 GUNS 4" => "how many men and guns it has";
        "BRIGADE A7 COHESION 5", "BRIGADE A7 SHATTERED YES" =>
            "its cohesion, 1 to 7; whether it has shattered";
        "BRIGADE A7 WORKS 2" => "the works that it has dug, 0 to 3";
        "BRIGADE A7 LEADERSHIP 6" => "its commander's leadership";
        "BRIGADE A7 TOUCH NO" => "whether it is in communication this turn";
        "BRIGADE A7 OFF" => "it is gone, and counts as lost";
    }

    Hq ["HQ"]:
        "{hq:hq} ( STAFF {staff:number} / LEADERSHIP {leadership:number} / touch=TOUCH ( YES / no=NO ) \
         / offensive=OFFENSIVE {first:objective} [ ,|TO|->|THEN? {second:objective} ] \
         / defensive=DEFENSIVE {first:objective} / reserve=RESERVE )"
    => {
        missing YES_OR_NO;
        missing lack("RESERVE", "What changes? Write STAFF, LEADERSHIP, TOUCH, OFFENSIVE, DEFENSIVE or RESERVE.");
        "HQ AH2 STAFF 5", "HQ AH2 LEADERSHIP 7" => "the value of its staff, its commander's leadership";
        "HQ AH2 TOUCH YES" => "whether it is in communication this turn";
        "HQ AH2 OFFENSIVE Henry Hill", "HQ AH2 DEFENSIVE Henry Hill", "HQ AH2 RESERVE" =>
            "the command that it carries out";
    }

    Move ["MOVE"]: "{unit:unit} [ TO|AT|->|IN ] {at:hex}" => {
        "MOVE A7 TO 1204", "MOVE AH1 TO 1204" =>
            "where a brigade or an army's headquarters stands: other headquarters stand with their brigades. One that was gone or was to come is on the map";
    }

    Hex ["HEX", "CONTROL"]: "{at:hex} CONTROL|BY|FOR? {side:side}" => {
        "HEX 1204 CONTROL A" => "which side controls a hex, by its letter or its name";
    }

    Points ["POINTS"]: "{side:side} {points:number}" => {
        "POINTS A 40" => "the points that a side has had for objectives so far";
    }
}

/// What a GM may change, each with an example.
pub(crate) fn uses(_: &Acw) -> Vec<OrderUse> {
    GRAMMAR.uses(|_| true)
}

/// The events of an amendment.
pub(crate) fn amend(rules: &Acw, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let read = |state: &State, part: &str| {
        let table = Table { rules, state };
        let Some(line) = GRAMMAR.read(&table, part, |_| true)? else { return Ok(Vec::new()) };
        let change = table.change(&line).map_err(|why| Remark::error(1, why))?;
        Ok(vec![Event::Amended { change }])
    };
    amended(rules, state, text, read, faults)
}

/// What doesn't hang together in a position.
fn faults(state: &State) -> Vec<String> {
    let mut faults = Vec::new();
    let mut taken: std::collections::BTreeMap<Hex, BrigadeId> = std::collections::BTreeMap::new();
    for side in Side::ALL {
        for (id, brigade, hex) in state.fielded(side) {
            if let Some(other) = taken.insert(hex, id) {
                faults.push(format!("{other} and {id} both stand in {hex}"));
            }
            if brigade.men == 0 {
                faults.push(format!("{id} has no men"));
            }
            if brigade.cohesion > 4 && brigade.shattered {
                faults.push(format!("{id} is shattered, and its cohesion is above 4"));
            }
        }
        let army = HqId::army(side);
        let there = state.hq(army).at.and_then(|at| Some((at, state.brigade_at(at)?)));
        if let Some((at, enemy)) = there.filter(|(_, other)| other.side != side) {
            faults.push(format!("{army} stands in {at} with the enemy's {enemy}"));
        }
    }
    faults
}

/// Everything that the GM sees.
struct Table<'a> {
    rules: &'a Acw,
    state: &'a State,
}

impl Lexicon for Table<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let Some(token) = cursor.peek() else { return Err(missing(cursor, "The line ends too early.")) };
        match kind {
            Kind::Hex => return self.hex(token, cursor).map(Noun::Hex),
            Kind::Objective => return self.objective(token, cursor).map(Noun::Objective),
            _ => cursor.skip(1),
        }
        let read = match kind {
            Kind::Brigade => self.brigade(token.text).map(Noun::Brigade),
            Kind::Hq => self.hq(token.text).map(Noun::Hq),
            Kind::Unit => self.unit(token.text).map(Noun::Unit),
            Kind::Side => self.side(token).map(Noun::Side),
            Kind::Number | Kind::Hex | Kind::Objective => number(token.text).map(Noun::Number),
        };
        read.map_err(|why| at(token, why))
    }
}

impl Table<'_> {
    fn battle(&self) -> &Battle {
        self.rules.battle()
    }

    fn brigade(&self, text: &str) -> Result<BrigadeId, String> {
        let id: BrigadeId = text.parse().map_err(|bad: crate::model::BadUnit| bad.to_string())?;
        let is_there = id.place() < self.battle().army(id.side).brigades.len();
        is_there.then_some(id).ok_or_else(|| format!("there is no brigade {id}"))
    }

    fn hq(&self, text: &str) -> Result<HqId, String> {
        let id: HqId = text.parse().map_err(|bad: crate::model::BadUnit| bad.to_string())?;
        let is_there = id.place() < self.battle().army(id.side).hqs.len();
        is_there.then_some(id).ok_or_else(|| format!("there is no headquarters {id}"))
    }

    fn unit(&self, text: &str) -> Result<UnitId, String> {
        match text.parse::<HqId>() {
            Ok(_) => self.hq(text).map(UnitId::Hq),
            Err(_) => self.brigade(text).map(UnitId::Brigade),
        }
    }

    /// A side by its letter, by its letter on maps, or by a word of its name.
    fn side(&self, token: Token<'_>) -> Result<Side, String> {
        let fits = |side: &Side| {
            let army = self.battle().army(*side);
            let named = army.name.split(' ').any(|word| word.len() > 3 && token.is(word));
            named || token.is(&army.letter.to_string()) || token.is(&army.commanders[0].seat.to_string())
        };
        let by_letter = Side::ALL.into_iter().find(|side| token.is(&side.letter().to_string()));
        let named: Vec<Side> =
            by_letter.map_or_else(|| Side::ALL.into_iter().filter(fits).collect(), |side| vec![side]);
        let fault = match named.as_slice() {
            [side] => return Ok(*side),
            [] => "is no side",
            _ => "can be either side",
        };
        let names = Side::ALL.map(|side| format!("{} for {}", side.letter(), self.battle().army(side).name));
        Err(format!("`{}` {fault}: write {}", short(token.text), names.join(", ")))
    }

    fn hex(&self, token: Token<'_>, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let map = &self.battle().map;
        let named = |text: &str| {
            let places =
                map.places.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(hex, _)| *hex);
            let objective = |text: &str| {
                self.battle()
                    .objectives
                    .iter()
                    .find(|one| one.name.eq_ignore_ascii_case(text))
                    .map(|one| one.hex)
            };
            places.or_else(|| objective(text))
        };
        let found = take_hex(cursor, NAME_WORDS, named).filter(|hex| map.has(*hex));
        found.ok_or_else(|| {
            at(token, format!("`{}` is no hex of the map, which ends at {}", short(token.text), map.last()))
        })
    }

    fn objective(&self, token: Token<'_>, cursor: &mut Cursor<'_>) -> Result<ObjectiveId, Remark> {
        let known: Vec<(ObjectiveId, Vec<String>)> =
            self.battle().objectives().map(|(id, one)| (id, words(&one.name))).collect();
        let named = |text: &str| {
            let asked = words(text);
            match best(&asked, known.iter().map(|(id, name)| (*id, name.as_slice())), |_| ()).as_slice() {
                [one] => Some(*one),
                _ => None,
            }
        };
        let (id, count) = longest(cursor.rest(), NAME_WORDS, named)
            .ok_or_else(|| at(token, format!("`{}` is no objective", short(token.text))))?;
        cursor.skip(count);
        Ok(id)
    }

    /// The change of a line, if it can be made.
    fn change(&self, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        match line.verb {
            Verb::Brigade => self.about(line.the("brigade").brigade(), line),
            Verb::Hq => self.about_hq(line.the("hq").hq(), line),
            Verb::Move => self.placed(line.the("unit").unit(), line.the("at").hex()),
            Verb::Hex => self.controlled(line.the("at").hex(), line.the("side").side()),
            Verb::Points => {
                let points = within("points", line.the("points").number(), 0, MOST_POINTS)?;
                Ok(Change::Earned(line.the("side").side(), points))
            }
        }
    }

    fn about(&self, id: BrigadeId, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        let spec = self.battle().brigade(id);
        let value = |name| line.noun(name).map(Noun::number);
        if line.has("off") {
            return match self.state.brigade(id).presence {
                Presence::Gone(_) => Err(format!("{id} is gone already")),
                Presence::Awaited | Presence::Fielded => Ok(Change::Removed(id)),
            };
        }
        if line.has("shattered") {
            return Ok(Change::Shattered(id, !line.has("no")));
        }
        if line.has("touch") {
            return self.touch(UnitId::Brigade(id), !line.has("no"));
        }
        if let Some(men) = value("men") {
            return Ok(Change::Men(id, within("the men", men, 1, spec.men.saturating_mul(TIMES))?));
        }
        if let Some(guns) = value("guns") {
            let Some((first, _)) = spec.guns.as_ref() else { return Err(format!("{id} has no guns")) };
            return Ok(Change::Guns(id, within("the guns", guns, 0, first.saturating_mul(TIMES))?));
        }
        if let Some(cohesion) = value("cohesion") {
            return Ok(Change::Cohesion(id, within("cohesion", cohesion, 1, 7)?));
        }
        match value("works") {
            Some(works) => Ok(Change::Works(id, within("works", works, 0, 3_u8)?)),
            None => self.leadership(UnitId::Brigade(id), line),
        }
    }

    fn about_hq(&self, id: HqId, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        let objective = |name| line.noun(name).map(Noun::objective);
        let command = match (objective("first"), objective("second")) {
            (Some(via), Some(objective)) => Some(Command::Offensive { via: Some(via), objective }),
            (Some(objective), None) if line.has("defensive") => Some(Command::Defensive(objective)),
            (Some(objective), None) => Some(Command::Offensive { via: None, objective }),
            (None, _) => line.has("reserve").then_some(Command::Reserve),
        };
        if let Some(command) = command {
            return match self.battle().hq(id).echelon {
                Echelon::Army => Err(format!("{id} is an army's headquarters, and has no command")),
                _ => Ok(Change::Command(id, command)),
            };
        }
        if line.has("touch") {
            return self.touch(UnitId::Hq(id), !line.has("no"));
        }
        match line.noun("staff").map(Noun::number) {
            Some(staff) => Ok(Change::Staff(id, within("staff", staff, 0, 9)?)),
            None => self.leadership(UnitId::Hq(id), line),
        }
    }

    fn leadership(&self, unit: UnitId, line: &Sentence<Verb, Noun>) -> Result<Change, String> {
        Ok(Change::Leadership(unit, within("leadership", line.the("leadership").number(), 0, 9)?))
    }

    fn touch(&self, unit: UnitId, in_touch: bool) -> Result<Change, String> {
        match unit {
            UnitId::Hq(id) if id.is_army() => Err(format!("{id} is always in communication")),
            _ if self.state.at(unit).is_none() => Err("it is not on the map".to_owned()),
            _ => Ok(Change::Touch(unit, in_touch)),
        }
    }

    fn controlled(&self, hex: Hex, side: Side) -> Result<Change, String> {
        match self.state.brigade_at(hex) {
            Some(other) if other.side != side => Err(format!("{other} stands in {hex}, and controls it")),
            _ => Ok(Change::Control(hex, side)),
        }
    }

    fn placed(&self, unit: UnitId, hex: Hex) -> Result<Change, String> {
        let (numbers, map) = (self.rules.numbers(), &self.battle().map);
        let terrain = numbers.terrain(map.ground(hex));
        let road = map.around(hex).any(|(way, _)| map.side(hex, way).road);
        match unit {
            UnitId::Hq(id) if !id.is_army() => {
                Err(format!("{id} stands with a brigade of its own: move that"))
            }
            UnitId::Hq(_) if terrain.column.is_none() => Err(format!("nobody enters {hex}")),
            UnitId::Hq(id) if self.state.control[map.place(hex)] != id.side => Err(format!(
                "the enemy controls {hex}, and headquarters don't enter his territory: write HEX {hex} CONTROL {} before it",
                id.side.letter()
            )),
            UnitId::Hq(_) => Ok(Change::Place(unit, hex)),
            UnitId::Brigade(id) => {
                let arm = self.battle().brigade(id).arm;
                let enters = [Formation::Line, Formation::Column]
                    .into_iter()
                    .any(|formation| terrain.cost(arm.into(), formation).is_some());
                match self.state.brigade_at(hex) {
                    Some(other) if other != id => {
                        Err(format!("{other} stands in {hex}: a hex holds one brigade"))
                    }
                    _ if !(enters || road && terrain.column.is_some()) => {
                        let ground = numbers.ground_name(map.ground(hex));
                        Err(format!(
                            "{} can't enter {}, {ground}",
                            arm.words(),
                            said::place(self.battle(), hex)
                        ))
                    }
                    _ if self.state.brigade(id).men == 0 => {
                        Err(format!("{id} has no men: write BRIGADE {id} MEN first"))
                    }
                    _ => Ok(Change::Place(unit, hex)),
                }
            }
        }
    }
}
