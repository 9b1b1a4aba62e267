//! One battle as its files describe it: the map, the hours, the objectives, the two armies. It never changes in play.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::{field, named};

use crate::model::{
    Arm, Branch, BrigadeId, Crossing, Echelon, Edge, HqId, Light, ObjectiveId, Side, UnitId, Water, Weather,
};
use crate::numbers::{Ground, Gun, SmallArms};
use crate::order::Command;

/// The file that a scenario comes from.
pub(crate) const FILE: &str = musterd_engine::files::SCENARIO;

/// A battle.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its title.
    pub title: String,
    /// What it is made of.
    pub setting: Setting,
    /// When it was, in words.
    pub date: String,
    /// The situation.
    pub situation: String,
    /// Where its facts are from; empty if it says nothing.
    pub sources: String,
    /// The ground.
    pub map: Map,
    /// The turns, each an hour.
    pub hours: Vec<Hour>,
    /// The objectives.
    pub objectives: Vec<Objective>,
    /// Whether all can always be ordered (ACW-38).
    pub radio: bool,
    /// Whether all enemies are seen.
    pub exposed: bool,
    /// The two armies.
    pub armies: [Army; 2],
}

named! {
    /// What a battle is made of.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Setting: "kind of scenario" {
        Historical = "historical",
        Introductory = "introductory",
        Own = "own" => "an author's own",
    }
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hour {
    /// The day, as in `21 July 1861`.
    pub day: String,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The light.
    pub light: Light,
    /// The weather.
    pub weather: Weather,
    /// Whether nobody moves: a no-move turn.
    pub still: bool,
}

/// An objective (ACW-32, ACW-33, ACW-59).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    /// Its name.
    pub name: String,
    /// Where.
    pub hex: Hex,
    /// Who holds it at the start.
    pub held: Side,
    /// The first and the last turn in which it counts.
    pub turns: (u16, u16),
    /// Its points for each side.
    pub worth: [Worth; 2],
}

/// What an objective is worth to a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// For each active turn at whose end it is held.
    pub turn: u32,
    /// For holding it at the end of the battle.
    pub end: u32,
}

/// The ground of a battle.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// Its title.
    pub title: String,
    /// Metres across a hex.
    pub metres: u32,
    /// Columns.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    /// The ground of each hex, row by row.
    pub(crate) ground: Vec<Ground>,
    /// What each hex has on its six sides, row by row, in the order of [`Direction::ALL`].
    pub(crate) sides: Vec<[HexSide; 6]>,
    /// The works that stand there from the start, by hex: 1 to 3.
    pub forts: BTreeMap<Hex, u8>,
    /// Names of hexes, objectives among them.
    pub places: BTreeMap<Hex, String>,
    /// Names of crossings, by their hexes in order.
    pub crossings: BTreeMap<(Hex, Hex), String>,
    /// Names of roads and waters, for readers, each with a hex of it.
    pub names: Vec<(String, Hex)>,
}

/// What lies on the side between two hexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HexSide {
    /// Whether a road crosses it.
    pub road: bool,
    /// Whether that is a railroad.
    pub rail: bool,
    /// Water along it.
    pub water: Option<Water>,
    /// A crossing of that water.
    pub crossing: Option<Crossing>,
}

/// How some counters look on maps, as the author of the battle gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Whose counters these are: a brigade, a formation, a type of brigade or a side.
    pub meaning: String,
    /// One or two letters that stand on them.
    pub symbol: Option<String>,
    /// Their colour on drawn maps, and that of the letters on it.
    pub colours: Option<(String, String)>,
}

/// An army.
#[derive(Debug, Clone)]
pub struct Army {
    /// Its side's name: `the Union`.
    pub name: String,
    /// Its side's letter on maps.
    pub letter: char,
    /// The army's name: `Army of the Potomac`.
    pub army: String,
    /// How its types of brigade look on maps, in the order of [`Arm::ALL`]: what the enemy sees of it.
    pub looks: [Option<Look>; 4],
    /// The edge of the map behind it.
    pub rear: Edge,
    /// Whether its infantry may dig (ACW-41).
    pub entrench: bool,
    /// How many hundredths of its men it loses before its commanders ask for better odds (ACW-92).
    pub resolve: u32,
    /// The first and the last turn in which a computer commander has limited objectives, if there are such turns (ACW-95).
    pub limited: Option<(u16, u16)>,
    /// Advice for whoever plays it.
    pub advice: String,
    /// The second in command, if there is one.
    pub second: Option<Second>,
    /// Its headquarters by their numbers; the army's is the first.
    pub hqs: Vec<HqSpec>,
    /// Its brigades by their numbers.
    pub brigades: Vec<BrigadeSpec>,
    /// Who commands: the army's commander first, then those of corps with a seat of their own.
    pub commanders: Vec<Commander>,
    /// The hexes that it controls at the start, as far as the scenario says.
    pub ground: Vec<Hex>,
}

impl Army {
    /// The objectives that its formations and brigades are told at the start.
    pub(crate) fn told(&self) -> BTreeSet<ObjectiveId> {
        let formations = self.hqs.iter().filter_map(|spec| spec.command.objective());
        formations.chain(self.brigades.iter().filter_map(|spec| spec.objective)).collect()
    }

    /// How far the loss of so many men has gone beyond what it bears, in hundredths of its men (ACW-92).
    pub(crate) fn weariness(&self, lost: u32) -> u32 {
        let men: u32 = self.brigades.iter().map(|spec| spec.men).sum();
        (lost * 100 / men.max(1)).saturating_sub(self.resolve)
    }
}

/// A second in command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Second {
    /// His name.
    pub name: String,
    /// His leadership.
    pub leadership: i32,
}

/// A seat, and the headquarters from which it commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commander {
    /// The seat.
    pub seat: Seat,
    /// How the player is addressed.
    pub title: String,
    /// His headquarters.
    pub hq: HqId,
}

/// A headquarters as the scenario has it.
#[derive(Debug, Clone)]
pub struct HqSpec {
    /// Its id.
    pub id: HqId,
    /// Its name.
    pub name: String,
    /// What it leads.
    pub echelon: Echelon,
    /// Of what troops.
    pub branch: Branch,
    /// Its commander.
    pub commander: String,
    /// His leadership, 0 to 9.
    pub leadership: i32,
    /// The value of its staff, 0 to 9.
    pub staff: i32,
    /// How it looks on the maps of its own side where it stands alone.
    pub look: Option<Look>,
    /// The headquarters over it; none over an army.
    pub over: Option<HqId>,
    /// Its command at the start; an army has none.
    pub command: Command,
    /// Where and when an army's stands; all others stand with a brigade of theirs.
    pub start: Option<Start>,
}

/// Where and when a unit comes into play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The turn at whose beginning it comes; 0 for the start.
    pub turn: u16,
    /// Where.
    pub at: Hex,
}

/// A brigade as the scenario has it.
#[derive(Debug, Clone)]
pub struct BrigadeSpec {
    /// Its id.
    pub id: BrigadeId,
    /// How orders call it.
    pub name: String,
    /// Its number or designation, for readers.
    pub unit: String,
    /// Its commander.
    pub commander: String,
    /// Its type.
    pub arm: Arm,
    /// Its men.
    pub men: u32,
    /// Its regiments.
    pub regiments: i32,
    /// Its small arms: artillery has none.
    pub arms: Option<SmallArms>,
    /// Its guns: their number, and what they are.
    pub guns: Option<(u32, Gun)>,
    /// Its experience, 0 to 9.
    pub experience: i32,
    /// Its commander's leadership, 0 to 9.
    pub leadership: i32,
    /// How it looks on the maps of its own side.
    pub look: Option<Look>,
    /// The headquarters over it.
    pub over: HqId,
    /// Where and when it comes.
    pub start: Start,
    /// Where it faces at the start.
    pub facing: Option<Direction>,
    /// Whether it starts in column.
    pub column: bool,
    /// Its cohesion at the start (ACW-49).
    pub cohesion: i32,
    /// Whether it is surprised in its camp.
    pub encamped: bool,
    /// Whether it is shattered from the start.
    pub shattered: bool,
    /// The works that it has dug.
    pub works: u8,
    /// Its own objective, if it is under a corps or an army.
    pub objective: Option<ObjectiveId>,
}

impl Battle {
    /// The army of a side.
    pub const fn army(&self, side: Side) -> &Army {
        &self.armies[side.index()]
    }

    /// A brigade.
    ///
    /// # Panics
    /// The battle has no such brigade.
    pub fn brigade(&self, id: BrigadeId) -> &BrigadeSpec {
        &self.army(id.side).brigades[id.place()]
    }

    /// A headquarters.
    ///
    /// # Panics
    /// The battle has no such headquarters.
    pub fn hq(&self, id: HqId) -> &HqSpec {
        &self.army(id.side).hqs[id.place()]
    }

    /// An objective.
    ///
    /// # Panics
    /// The battle has no such objective.
    pub fn objective(&self, id: ObjectiveId) -> &Objective {
        &self.objectives[id.place()]
    }

    /// The objectives with their ids.
    pub fn objectives(&self) -> impl Iterator<Item = (ObjectiveId, &Objective)> {
        (0..).map(ObjectiveId).zip(&self.objectives)
    }

    /// The hour of a turn, from 1.
    ///
    /// # Panics
    /// The battle has no such turn.
    pub fn hour(&self, turn: u16) -> &Hour {
        &self.hours[usize::from(turn) - 1]
    }

    /// The number of the last turn.
    pub fn last_turn(&self) -> u16 {
        #[expect(clippy::expect_used, reason = "the reader takes no more hours")]
        u16::try_from(self.hours.len()).expect("a number of turns")
    }

    /// The commander in a seat, with his side.
    pub fn commander(&self, seat: &Seat) -> Option<(Side, &Commander)> {
        let of = |side: Side| self.army(side).commanders.iter().map(move |one| (side, one));
        Side::ALL.into_iter().flat_map(of).find(|(_, one)| one.seat == *seat)
    }

    /// The side of a seat.
    pub fn side_of(&self, seat: &Seat) -> Option<Side> {
        self.commander(seat).map(|(side, _)| side)
    }

    /// The seat's commander who leads a unit: the nearest headquarters over it that has a seat. A headquarters with a seat leads itself.
    pub fn leader_of(&self, unit: UnitId) -> &Commander {
        let (side, mut hq) = match unit {
            UnitId::Brigade(id) => (id.side, self.brigade(id).over),
            UnitId::Hq(id) => (id.side, id),
        };
        loop {
            if let Some(commander) = self.army(side).commanders.iter().find(|one| one.hq == hq) {
                return commander;
            }
            #[expect(
                clippy::expect_used,
                reason = "the army's headquarters has a seat, and stands over all others"
            )]
            let over = self.hq(hq).over.expect("a headquarters over it");
            hq = over;
        }
    }

    /// The headquarters directly over a unit; none over an army's.
    pub fn over(&self, unit: UnitId) -> Option<HqId> {
        match unit {
            UnitId::Brigade(id) => Some(self.brigade(id).over),
            UnitId::Hq(id) => self.hq(id).over,
        }
    }

    /// Whether a brigade belongs to no division, and has an objective of its own.
    pub fn is_independent(&self, id: BrigadeId) -> bool {
        self.hq(self.brigade(id).over).echelon != Echelon::Division
    }

    /// Whether a headquarters has a seat of its own.
    pub fn has_seat(&self, hq: HqId) -> bool {
        self.army(hq.side).commanders.iter().any(|one| one.hq == hq)
    }

    /// The headquarters directly under one.
    pub fn hqs_under(&self, hq: HqId) -> impl Iterator<Item = &HqSpec> {
        self.army(hq.side).hqs.iter().filter(move |one| one.over == Some(hq))
    }

    /// The brigades directly under a headquarters.
    pub fn brigades_under(&self, hq: HqId) -> impl Iterator<Item = &BrigadeSpec> {
        self.army(hq.side).brigades.iter().filter(move |one| one.over == hq)
    }

    /// The brigades under a headquarters, and under those below it.
    pub fn all_under(&self, hq: HqId) -> impl Iterator<Item = &BrigadeSpec> {
        self.army(hq.side).brigades.iter().filter(move |one| self.is_under(one.over, hq))
    }

    /// Whether a headquarters is another one or stands below it.
    pub fn is_under(&self, hq: HqId, over: HqId) -> bool {
        let mut here = Some(hq);
        while let Some(one) = here {
            if one == over {
                return true;
            }
            here = self.hq(one).over;
        }
        false
    }
}

impl Map {
    /// A map of one kind of ground.
    pub fn of(columns: u8, rows: u8, ground: Ground) -> Self {
        let hexes = usize::from(columns) * usize::from(rows);
        let (ground, sides) = (vec![ground; hexes], vec![[HexSide::default(); 6]; hexes]);
        Self { columns, rows, ground, sides, metres: 450, ..Self::default() }
    }

    /// Puts ground into a hex.
    ///
    /// # Panics
    /// The hex is off the map.
    pub fn put(&mut self, hex: Hex, ground: Ground) {
        let place = self.place(hex);
        self.ground[place] = ground;
    }

    /// Lays something on the side between two neighbours.
    ///
    /// # Panics
    /// They are off the map, or no neighbours.
    pub fn lay(&mut self, a: Hex, b: Hex, side: HexSide) {
        for (from, to) in [(a, b), (b, a)] {
            #[expect(clippy::expect_used, reason = "the caller's duty")]
            let way = from.direction_to(to).expect("neighbours");
            let place = self.place(from);
            self.sides[place][way as usize] = side;
        }
    }

    /// The last hex.
    pub const fn last(&self) -> Hex {
        Hex::new(self.columns, self.rows)
    }

    /// Whether the map has this hex.
    pub fn has(&self, hex: Hex) -> bool {
        field::place((self.columns, self.rows), hex).is_some()
    }

    /// The place of a hex in lists of the map's hexes.
    ///
    /// # Panics
    /// The hex is off the map.
    pub fn place(&self, hex: Hex) -> usize {
        #[expect(clippy::expect_used, reason = "the caller's duty")]
        field::place((self.columns, self.rows), hex).expect("a hex of the map")
    }

    /// The ground of a hex.
    ///
    /// # Panics
    /// The hex is off the map.
    pub fn ground(&self, hex: Hex) -> Ground {
        self.ground[self.place(hex)]
    }

    /// All hexes, row by row.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        field::hexes((self.columns, self.rows))
    }

    /// The hexes around one, each with its direction.
    pub fn around(&self, hex: Hex) -> impl Iterator<Item = (Direction, Hex)> + '_ {
        Direction::ALL
            .into_iter()
            .filter_map(move |way| Some((way, hex.step(way).filter(|hex| self.has(*hex))?)))
    }

    /// What lies on a side of a hex.
    ///
    /// # Panics
    /// The hex is off the map.
    pub fn side(&self, hex: Hex, way: Direction) -> HexSide {
        self.sides[self.place(hex)][way as usize]
    }

    /// What lies between two neighbours; nothing between hexes that are none.
    pub fn between(&self, a: Hex, b: Hex) -> HexSide {
        a.direction_to(b).map_or_else(HexSide::default, |way| self.side(a, way))
    }

    /// The hexes within a distance of one, itself among them.
    pub fn within(&self, hex: Hex, distance: u32) -> impl Iterator<Item = Hex> + '_ {
        let reach = u8::try_from(distance).unwrap_or(u8::MAX);
        let rows = hex.row.saturating_sub(reach).max(1)..=hex.row.saturating_add(reach).min(self.rows);
        let (first, last) =
            (hex.col.saturating_sub(reach).max(1), hex.col.saturating_add(reach).min(self.columns));
        rows.flat_map(move |row| (first..=last).map(move |col| Hex::new(col, row)))
            .filter(move |other| hex.distance(*other) <= distance)
    }
}

impl HexSide {
    /// Whether a river, or a crossing of one, lies here: what stops patrols, engagements and control (manual: "a river, bridge or ford").
    pub const fn is_barrier(self) -> bool {
        matches!(self.water, Some(Water::River)) || self.crossing.is_some()
    }

    /// Whether it can be crossed at all.
    pub const fn is_open(self) -> bool {
        !matches!((self.water, self.crossing), (Some(Water::River), None))
    }
}
