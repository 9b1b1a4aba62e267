//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/acw-view.json`.

use musterd_engine::PublishedFormat;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::data::schema_of;
use serde::Serialize;

use crate::data::Acw;
use crate::files::declared::{map_schema, scenario_schema};
use crate::model::{Arm, BrigadeId, Formation, HqId, Light, Side, UnitId, Weather};
use crate::numbers::{self, Numbers};
use crate::state::{Brigade, Hq, Phase, Presence};
use crate::view::{Foe, FoeKind, Seen, Standings, View};
use crate::words;

/// The formats of this ruleset's data.
pub(crate) const SCHEMAS: &[PublishedFormat] = &[
    PublishedFormat::of("acw-view", "its `view` in Decisive Battles of the American Civil War", |_| {
        include_str!("../../../docs/schema/acw-view.json").to_owned()
    }),
    PublishedFormat::of(
        "acw-scenario",
        "a scenario of Decisive Battles of the American Civil War, a file of `scenarios/`",
        scenario_schema,
    ),
    PublishedFormat::of(
        "acw-map",
        "a map of Decisive Battles of the American Civil War, a file of `maps/`",
        map_schema,
    ),
    PublishedFormat::of(
        "acw-rules",
        "the tables of Decisive Battles of the American Civil War, `ruleset.yaml`",
        |_| {
            schema_of::<Numbers>(
                "The tables of Decisive Battles of the American Civil War",
                &numbers::NUMBERS,
            )
        },
    ),
];

/// A view as data.
#[derive(Serialize)]
pub(crate) struct Published<'a> {
    side: Option<Side>,
    phase: Phase,
    /// The turn that orders are for, or the last one once the battle is over; 0 before it.
    turn: u16,
    /// The last turn of the mail turn that orders are for.
    until: u16,
    last_turn: u16,
    hour: Option<HourShown<'a>>,
    headquarters: Vec<HqShown<'a>>,
    brigades: Vec<BrigadeShown<'a>>,
    enemies: Vec<FoeShown>,
    /// Who controls each hex: a letter a hex, a text a row.
    control: Vec<String>,
    objectives: Vec<ObjectiveShown<'a>>,
    /// Points if the battle ended now.
    points: [u32; 2],
    /// Men that his side has lost.
    lost: Option<u32>,
    course: &'a [Standings],
    result: Option<ResultShown>,
}

#[derive(Serialize)]
struct HourShown<'a> {
    day: &'a str,
    hour: u8,
    light: Light,
    weather: Weather,
    still: bool,
}

#[derive(Serialize)]
struct HqShown<'a> {
    id: HqId,
    name: &'a str,
    over: Option<HqId>,
    at: Option<Hex>,
    with: Option<BrigadeId>,
    command: Option<String>,
    pending: Option<String>,
    in_touch: bool,
    /// With despatches: the turn of which this is true; else the turn that orders are for.
    known: u16,
    /// `null` of a successor, who isn't known.
    leadership: Option<i32>,
    staff: i32,
    orderable: bool,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact by itself")]
struct BrigadeShown<'a> {
    id: BrigadeId,
    name: &'a str,
    over: HqId,
    arm: Arm,
    presence: &'static str,
    /// With despatches: the turn of which this is true; else the turn that orders are for.
    known: u16,
    at: Option<Hex>,
    facing: Direction,
    formation: Formation,
    men: u32,
    guns: u32,
    cohesion: i32,
    shattered: bool,
    experience: i32,
    leadership: i32,
    order: String,
    engaged: Option<Hex>,
    surprised: bool,
    encamped: bool,
    works: u8,
    in_touch: bool,
    orderable: bool,
}

#[derive(Serialize)]
struct FoeShown {
    at: Hex,
    kind: String,
    formation: Option<Formation>,
    shaken: bool,
    seen: &'static str,
    /// The turn in which it was seen last, of one that is out of sight.
    turn: Option<u16>,
}

#[derive(Serialize)]
struct ObjectiveShown<'a> {
    name: &'a str,
    hex: Hex,
    first: u16,
    last: u16,
    holder: Side,
    held: [u16; 2],
    turn_points: [u32; 2],
    end_points: [u32; 2],
}

#[derive(Serialize)]
struct ResultShown {
    won: Option<Side>,
    resigned: Option<Side>,
    lost: [u32; 2],
}

impl<'a> Published<'a> {
    pub(crate) fn of(rules: &'a Acw, view: &'a View) -> Self {
        let battle = rules.battle();
        let hour = (view.turn > 0).then(|| battle.hour(view.turn));
        let row = |cells: &[Side]| cells.iter().map(|side| side.letter()).collect::<String>();
        Self {
            side: view.side,
            phase: view.phase,
            turn: view.turn,
            until: view.until,
            last_turn: battle.last_turn(),
            hour: hour.map(|hour| HourShown {
                day: &hour.day,
                hour: hour.hour,
                light: hour.light,
                weather: hour.weather,
                still: hour.still,
            }),
            headquarters: view.own_hqs().map(|(id, hq)| shown_hq(rules, view, (id, hq))).collect(),
            brigades: view.own_brigades().map(|(id, one)| shown_brigade(rules, view, (id, one))).collect(),
            enemies: view.foes.iter().map(shown_foe).collect(),
            control: view.control.chunks(usize::from(battle.map.columns).max(1)).map(row).collect(),
            objectives: battle
                .objectives()
                .map(|(id, one)| {
                    let holding = view.holdings[id.place()];
                    ObjectiveShown {
                        name: &one.name,
                        hex: one.hex,
                        first: one.turns.0,
                        last: one.turns.1,
                        holder: holding.holder,
                        held: holding.turns,
                        turn_points: one.worth.map(|worth| worth.turn),
                        end_points: one.worth.map(|worth| worth.end),
                    }
                })
                .collect(),
            points: Side::ALL.map(|side| view.now.points(side)),
            lost: view.side.map(|side| view.now.lost[side.index()]),
            course: &view.course,
            result: view.outcome.as_ref().map(|outcome| ResultShown {
                won: outcome.won,
                resigned: outcome.resigned,
                lost: outcome.lost,
            }),
        }
    }
}

fn shown_hq<'a>(rules: &'a Acw, view: &View, (id, hq): (HqId, &Hq)) -> HqShown<'a> {
    let battle = rules.battle();
    let spec = battle.hq(id);
    HqShown {
        id,
        name: &spec.name,
        over: spec.over,
        at: hq.at,
        with: hq.with,
        command: (!id.is_army()).then(|| words::command(battle, hq.command)),
        pending: hq.pending.map(|command| words::command(battle, command)),
        in_touch: hq.in_touch,
        known: view.heard.get(&UnitId::Hq(id)).copied().unwrap_or(view.turn),
        leadership: hq.leader.is_none().then_some(hq.leadership),
        staff: hq.staff,
        orderable: view.can_command(id),
    }
}

fn shown_brigade<'a>(rules: &'a Acw, view: &View, (id, one): (BrigadeId, &Brigade)) -> BrigadeShown<'a> {
    let battle = rules.battle();
    let spec = battle.brigade(id);
    BrigadeShown {
        id,
        name: &spec.name,
        over: spec.over,
        arm: spec.arm,
        presence: match one.presence {
            Presence::Awaited => "awaited",
            Presence::Fielded => "fielded",
            Presence::Gone(_) => "gone",
        },
        known: view.heard.get(&UnitId::Brigade(id)).copied().unwrap_or(view.turn),
        at: one.at,
        facing: one.facing,
        formation: one.formation,
        men: one.men,
        guns: one.guns,
        cohesion: one.cohesion,
        shattered: one.shattered,
        experience: spec.experience,
        leadership: one.leadership,
        order: words::act(battle, one.act),
        engaged: one.target.map(|target| target.at),
        surprised: one.surprised,
        encamped: one.encamped,
        works: one.works,
        in_touch: one.in_touch,
        orderable: view.orderable.contains(&UnitId::Brigade(id)),
    }
}

fn shown_foe(foe: &Foe) -> FoeShown {
    let kind = match foe.kind {
        FoeKind::Brigade(arm) => arm.words().to_owned(),
        FoeKind::Hq(echelon) => format!("{} headquarters", echelon.words()),
    };
    let (seen, turn) = match foe.seen {
        Seen::Sighted => ("sighted", None),
        Seen::Picketed => ("picketed", None),
        Seen::Remembered(turn) => ("remembered", Some(turn)),
    };
    FoeShown { at: foe.at, kind, formation: foe.formation, shaken: foe.shaken, seen, turn }
}
