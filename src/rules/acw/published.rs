//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/acw-view.json`.

use musterd_engine::PublishedFormat;
use musterd_engine::hex::Hex;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::data::Acw;
use crate::model::{BrigadeId, HqId, Light, Side, UnitId, Weather};
use crate::state::{Brigade, Holding, Hq, Phase};
use crate::view::{Foe, Standings, View};

pub(crate) const SCHEMAS: &[PublishedFormat] =
    &[PublishedFormat::of("acw-view", "its `view` in Decisive Battles of the American Civil War", |_| {
        include_str!("../../../docs/schema/acw-view.json").to_owned()
    })];

/// A view as data.
pub(crate) fn published(rules: &Acw, view: &View) -> Box<RawValue> {
    #[expect(clippy::expect_used, reason = "plain data: every key of a map is a text")]
    serde_json::value::to_raw_value(&Published::of(rules, view)).expect("a view is plain data")
}

#[derive(Serialize)]
struct Published<'a> {
    side: Option<Side>,
    phase: Phase,
    /// The turn that orders are for, the last one of the mail turn, and the last one of the battle.
    turns: (u16, u16, u16),
    hour: Option<HourShown<'a>>,
    headquarters: Vec<HqShown<'a>>,
    brigades: Vec<BrigadeShown<'a>>,
    /// Which of them can be ordered now.
    orderable: Vec<String>,
    enemies: &'a [Foe],
    /// Who controls each hex, a letter a hex, row by row.
    control: Vec<String>,
    objectives: Vec<ObjectiveShown<'a>>,
    /// Points if the battle ended now.
    points: [u32; 2],
    course: &'a [Standings],
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
    #[serde(flatten)]
    state: &'a Hq,
}

#[derive(Serialize)]
struct BrigadeShown<'a> {
    id: BrigadeId,
    name: &'a str,
    over: HqId,
    arm: crate::model::Arm,
    /// With despatches: the turn of which this is true, where that is not now.
    #[serde(skip_serializing_if = "Option::is_none")]
    heard: Option<u16>,
    #[serde(flatten)]
    state: &'a Brigade,
}

#[derive(Serialize)]
struct ObjectiveShown<'a> {
    name: &'a str,
    hex: Hex,
    first: u16,
    last: u16,
    #[serde(flatten)]
    holding: Holding,
}

impl<'a> Published<'a> {
    fn of(rules: &'a Acw, view: &'a View) -> Self {
        let battle = rules.battle();
        let hour = (view.turn > 0).then(|| battle.hour(view.turn));
        let map = &battle.map;
        let row = |cells: &[Side]| cells.iter().map(|side| side.letter()).collect::<String>();
        Self {
            side: view.side,
            phase: view.phase,
            turns: (view.turn, view.until, battle.last_turn()),
            hour: hour.map(|hour| HourShown {
                day: &hour.day,
                hour: hour.hour,
                light: hour.light,
                weather: hour.weather,
                still: hour.still,
            }),
            headquarters: view
                .own_hqs()
                .map(|(id, state)| HqShown { id, name: &battle.hq(id).name, state })
                .collect(),
            brigades: view
                .own_brigades()
                .map(|(id, state)| {
                    let spec = battle.brigade(id);
                    let heard = view.heard.get(&id).copied();
                    BrigadeShown { id, name: &spec.name, over: spec.over, arm: spec.arm, heard, state }
                })
                .collect(),
            orderable: view
                .orderable
                .iter()
                .map(|unit| match unit {
                    UnitId::Brigade(id) => id.to_string(),
                    UnitId::Hq(id) => id.to_string(),
                })
                .collect(),
            enemies: &view.foes,
            control: view.control.chunks(usize::from(map.columns).max(1)).map(row).collect(),
            objectives: battle
                .objectives()
                .map(|(id, one)| ObjectiveShown {
                    name: &one.name,
                    hex: one.hex,
                    first: one.turns.0,
                    last: one.turns.1,
                    holding: view.holdings[id.place()],
                })
                .collect(),
            points: Side::ALL.map(|side| view.now.points(side)),
            course: &view.course,
        }
    }
}
