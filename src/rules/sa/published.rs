//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/sa-view.json`.

use musterd_dice::Seat;
use musterd_engine::PublishedFormat;
use musterd_engine::hex::Hex;
use musterd_kit::data::schema_of;
use serde::Serialize;

use crate::battle::Spec;
use crate::data::Sa;
use crate::event::Outcome;
use crate::files::declared::{ArmyFile, FieldFile, ScenarioFile, schema};
use crate::model::{Class, Missile, Side, UnitId, UnitType, Weapon};
use crate::numbers::{self, Numbers};
use crate::order::{Charge, Taste};
use crate::read::written;
use crate::state::{Fate, Phase, Standing, Unit};
use crate::view::View;

/// The formats of this ruleset's data.
pub(crate) const SCHEMAS: &[PublishedFormat] = &[
    PublishedFormat::of("sa-view", "its `view` in The Shattered Alliance", |_| {
        include_str!("../../../docs/schema/sa-view.json").to_owned()
    }),
    PublishedFormat::of(
        "sa-scenario",
        "a scenario of The Shattered Alliance, a file of `scenarios/`",
        |_| schema::<ScenarioFile>("A scenario of The Shattered Alliance"),
    ),
    PublishedFormat::of("sa-army", "an army of The Shattered Alliance, a file of `armies/`", |_| {
        schema::<ArmyFile>("An army of The Shattered Alliance")
    }),
    PublishedFormat::of("sa-field", "a field of The Shattered Alliance, a file of `fields/`", |_| {
        schema::<FieldFile>("A field of The Shattered Alliance")
    }),
    PublishedFormat::of("sa-rules", "the charts of The Shattered Alliance, `ruleset.yaml`", |_| {
        schema_of::<Numbers>("The charts of The Shattered Alliance", &numbers::NUMBERS)
    }),
];

/// A view as data.
#[derive(Serialize)]
pub(crate) struct Published<'a> {
    side: Option<Side>,
    phase: Phase,
    /// The last time-point that was played.
    point: u16,
    nightfall: u16,
    /// The first and the last time-point that orders are for.
    orders_for: Option<(u16, u16)>,
    armies: [ArmyShown<'a>; 2],
    units: Vec<UnitShown<'a>>,
    course: &'a [Standing],
    reports: Taste,
    result: Option<&'a Outcome>,
}

#[derive(Serialize)]
struct ArmyShown<'a> {
    side: Side,
    name: &'a str,
    seats: Vec<&'a Seat>,
    morale: i32,
    spell_points: u32,
}

#[derive(Serialize)]
struct UnitShown<'a> {
    unit: UnitId,
    name: &'a str,
    tribe: &'a str,
    #[serde(rename = "type")]
    kind: UnitType,
    class: Class,
    weapon: Weapon,
    missile: Option<Missile>,
    shield: bool,
    casts: bool,
    /// Its men at the start.
    first: u32,
    /// Whether the commander gives it orders.
    own: bool,
    #[serde(flatten)]
    state: &'a Unit,
    /// Of the wizard and his likenesses: whether it is the real one, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    real: Option<bool>,
    /// When and where it comes.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrives: Option<(u16, Hex)>,
    /// What it was told, as orders; only of the own side.
    #[serde(skip_serializing_if = "Option::is_none")]
    orders: Option<Vec<String>>,
}

impl<'a> Published<'a> {
    pub(crate) fn of(rules: &'a Sa, view: &'a View) -> Self {
        let battle = rules.battle();
        let army = |side: Side| {
            let army = battle.army(side);
            ArmyShown {
                side,
                name: &army.name,
                seats: army.commanders.iter().map(|commander| &commander.seat).collect(),
                morale: view.position.morale[side.index()],
                spell_points: view.position.magic[side.index()],
            }
        };
        let units = battle.units.iter().zip(&view.position.units);
        let is_known = |spec: &Spec, unit: &Unit| {
            unit.fate != Fate::Coming || !spec.likeness || view.side == Some(spec.id.side)
        };
        Self {
            side: view.side,
            phase: view.phase,
            point: if view.phase == Phase::Over { view.position.point } else { view.paused },
            nightfall: battle.nightfall,
            orders_for: (view.phase == Phase::Battle).then(|| rules.block_after(view.paused)),
            armies: Side::ALL.map(army),
            units: units
                .filter(|(spec, unit)| is_known(spec, unit))
                .map(|(spec, unit)| shown(view, spec, unit))
                .collect(),
            course: &view.course,
            reports: view.taste,
            result: view.outcome.as_ref(),
        }
    }
}

fn shown<'a>(view: &View, spec: &'a Spec, state: &'a Unit) -> UnitShown<'a> {
    let told = |charge: &Charge| charge.orders(spec.id).iter().flat_map(written).collect();
    UnitShown {
        unit: spec.id,
        name: &spec.name,
        tribe: &spec.tribe,
        kind: spec.kind,
        class: spec.class,
        weapon: spec.weapon,
        missile: spec.missile,
        shield: spec.shield,
        casts: spec.casts,
        first: spec.men,
        own: view.own.contains(&spec.id),
        state,
        real: view.real.filter(|_| spec.likeness).map(|real| real == spec.id),
        arrives: spec
            .arrives
            .filter(|_| state.fate == Fate::Coming)
            .map(|arrival| (arrival.point, arrival.at)),
        orders: view.charges.get(&spec.id).map(told),
    }
}
