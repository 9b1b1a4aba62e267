//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/acw-view.json`.

use musterd_engine::PublishedFormat;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::data::schema_of;
use musterd_kit::published;

use crate::battle::{Hour, Objective};
use crate::data::Acw;
use crate::event::Outcome;
use crate::files::declared::{map_schema, scenario_schema};
use crate::model::{Arm, BrigadeId, Formation, HqId, Light, Side, UnitId, Weather};
use crate::numbers::{self, Numbers};
use crate::state::{Brigade, Holding, Hq, Phase, Presence};
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

published! {
    /// A view as data.
    pub(crate) struct Published<'a> of (rules: &'a Acw, view: &'a View) with {
        let battle = rules.battle();
        let row = |cells: &[Side]| cells.iter().map(|side| side.letter()).collect::<String>();
    } {
        side: Option<Side> = view.side,
        phase: Phase = view.phase,
        /// The turn that orders are for, or the last one once the battle is over; 0 before it.
        turn: u16 = view.turn,
        /// The last turn of the mail turn that orders are for.
        until: u16 = view.until,
        last_turn: u16 = battle.last_turn(),
        hour: Option<HourShown<'a>> = (view.turn > 0).then(|| HourShown::of(battle.hour(view.turn))),
        headquarters: Vec<HqShown<'a>> = view.own_hqs().map(|(id, hq)| HqShown::of(rules, view, id, hq)).collect(),
        brigades: Vec<BrigadeShown<'a>> =
            view.own_brigades().map(|(id, one)| BrigadeShown::of(rules, view, id, one)).collect(),
        enemies: Vec<FoeShown> = view.foes.iter().map(FoeShown::of).collect(),
        /// Who controls each hex: a letter a hex, a text a row.
        control: Vec<String> = view.control.chunks(usize::from(battle.map.columns).max(1)).map(row).collect(),
        objectives: Vec<ObjectiveShown<'a>> = battle
            .objectives()
            .map(|(id, one)| ObjectiveShown::of(one, &view.holdings[id.place()]))
            .collect(),
        /// Points if the battle ended now.
        points: [u32; 2] = Side::ALL.map(|side| view.now.points(side)),
        /// Men that his side has lost.
        lost: Option<u32> = view.side.map(|side| view.now.lost[side.index()]),
        course: &'a [Standings] = &view.course,
        result: Option<ResultShown> = view.outcome.as_ref().map(ResultShown::of),
    }

    struct HourShown<'a> of (at: &'a Hour) {
        day: &'a str = &at.day,
        hour: u8 = at.hour,
        light: Light = at.light,
        weather: Weather = at.weather,
        still: bool = at.still,
    }

    struct HqShown<'a> of (rules: &'a Acw, view: &View, unit: HqId, hq: &Hq) with {
        let battle = rules.battle();
        let spec = battle.hq(unit);
    } {
        id: HqId = unit,
        name: &'a str = &spec.name,
        over: Option<HqId> = spec.over,
        at: Option<Hex> = hq.at,
        with: Option<BrigadeId> = hq.with,
        command: Option<String> = (!unit.is_army()).then(|| words::command(battle, hq.command)),
        pending: Option<String> = hq.pending.map(|command| words::command(battle, command)),
        in_touch: bool = hq.in_touch,
        /// With despatches: the turn of which this is true; else the turn that orders are for.
        known: u16 = view.heard.get(&UnitId::Hq(unit)).copied().unwrap_or(view.turn),
        /// `null` of a successor, who isn't known.
        leadership: Option<i32> = hq.leader.is_none().then_some(hq.leadership),
        staff: i32 = hq.staff,
        orderable: bool = view.can_command(unit),
    }

    struct BrigadeShown<'a> of (rules: &'a Acw, view: &View, unit: BrigadeId, one: &Brigade) with {
        let battle = rules.battle();
        let spec = battle.brigade(unit);
    } {
        id: BrigadeId = unit,
        name: &'a str = &spec.name,
        over: HqId = spec.over,
        arm: Arm = spec.arm,
        presence: &'static str = match one.presence {
            Presence::Awaited => "awaited",
            Presence::Fielded => "fielded",
            Presence::Gone(_) => "gone",
        },
        /// With despatches: the turn of which this is true; else the turn that orders are for.
        known: u16 = view.heard.get(&UnitId::Brigade(unit)).copied().unwrap_or(view.turn),
        at: Option<Hex> = one.at,
        facing: Direction = one.facing,
        formation: Formation = one.formation,
        men: u32 = one.men,
        guns: u32 = one.guns,
        cohesion: i32 = one.cohesion,
        shattered: bool = one.shattered,
        experience: i32 = spec.experience,
        leadership: i32 = one.leadership,
        order: String = words::act(battle, one.act),
        engaged: Option<Hex> = one.target.map(|target| target.at),
        surprised: bool = one.surprised,
        encamped: bool = one.encamped,
        works: u8 = one.works,
        in_touch: bool = one.in_touch,
        orderable: bool = view.can_order(unit),
    }

    struct FoeShown of (foe: &Foe) with {
        let (how, last) = match foe.seen {
            Seen::Sighted => ("sighted", None),
            Seen::Picketed => ("picketed", None),
            Seen::Remembered(turn) => ("remembered", Some(turn)),
        };
    } {
        at: Hex = foe.at,
        kind: String = match foe.kind {
            FoeKind::Brigade(arm) => arm.words().to_owned(),
            FoeKind::Hq(echelon) => format!("{} headquarters", echelon.words()),
        },
        formation: Option<Formation> = foe.formation,
        shaken: bool = foe.shaken,
        seen: &'static str = how,
        /// The turn in which it was seen last, of one that is out of sight.
        turn: Option<u16> = last,
    }

    struct ObjectiveShown<'a> of (one: &'a Objective, holding: &Holding) {
        name: &'a str = &one.name,
        hex: Hex = one.hex,
        first: u16 = one.turns.0,
        last: u16 = one.turns.1,
        holder: Side = holding.holder,
        held: [u16; 2] = holding.turns,
        turn_points: [u32; 2] = one.worth.map(|worth| worth.turn),
        end_points: [u32; 2] = one.worth.map(|worth| worth.end),
    }

    struct ResultShown of (outcome: &Outcome) {
        won: Option<Side> = outcome.won,
        resigned: Option<Side> = outcome.resigned,
        lost: [u32; 2] = outcome.lost,
    }
}
