//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/sa-view.json`.

use musterd_dice::Seat;
use musterd_engine::PublishedFormat;
use musterd_engine::hex::Hex;
use musterd_kit::data::schema_of;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::battle::Spec;
use crate::data::Sa;
use crate::event::{Ending, Outcome};
use crate::files::declared::{ArmyFile, FieldFile, ScenarioFile, schema};
use crate::model::{Class, Kind, Missile, Side, Spell, UnitId, Way, Weapon};
use crate::numbers::{self, Numbers};
use crate::order::Charge;
use crate::read::written;
use crate::state::{Fate, Last, Lost, Phase, Standing, Unit};
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
pub(crate) fn published(rules: &Sa, view: &View) -> Box<RawValue> {
    #[expect(clippy::expect_used, reason = "plain data: every key of a map is a text")]
    serde_json::value::to_raw_value(&Published::of(rules, view)).expect("a view is plain data")
}

#[derive(Serialize)]
struct Published<'a> {
    side: Option<Side>,
    wait: &'static str,
    /// Whose initial move it is, if the sides make it one after the other.
    initial: Option<Side>,
    /// The last time-point that was played.
    point: u16,
    nightfall: u16,
    /// The first and the last time-point that orders are for.
    orders_for: Option<(u16, u16)>,
    armies: Vec<ArmyShown<'a>>,
    units: Vec<UnitShown<'a>>,
    course: Vec<StandingShown>,
    reports: Reports,
    result: Option<ResultShown>,
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
    kind: Kind,
    class: Class,
    weapon: Weapon,
    missile: Option<Missile>,
    shield: bool,
    casts: bool,
    /// Whether the commander gives it orders.
    own: bool,
    fate: &'static str,
    hex: Option<Hex>,
    men: u32,
    first_men: u32,
    next: u16,
    routing: bool,
    battles: i32,
    routs_seen: i32,
    beaten: u8,
    last: Last,
    last_move: Option<Way>,
    spells: Vec<SpellShown>,
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

#[derive(Serialize)]
struct SpellShown {
    spell: Spell,
    points: u32,
    until: Option<u16>,
}

#[derive(Serialize)]
struct StandingShown {
    point: u16,
    /// Men on the field and not in rout, side A first.
    men: [u32; 2],
    morale: [i32; 2],
}

/// How the commander wants his reports.
#[derive(Serialize)]
struct Reports {
    detail: bool,
    map: Option<Hex>,
}

#[derive(Serialize)]
struct ResultShown {
    ending: &'static str,
    winner: Option<Side>,
    decisive: bool,
    /// What each side has left, in light infantrymen of class C, side A first.
    left: [u64; 2],
    margin: u64,
}

impl<'a> Published<'a> {
    fn of(rules: &'a Sa, view: &'a View) -> Self {
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
        let (wait, initial) = match view.phase {
            Phase::Unfounded => ("founding", None),
            Phase::Initial(side) => ("initial_move", side),
            Phase::Battle => ("orders", None),
            Phase::Over => ("over", None),
        };
        let units = battle.units.iter().zip(&view.position.units);
        let is_known = |spec: &Spec, unit: &Unit| {
            unit.fate != Fate::Coming || !spec.likeness || view.side == Some(spec.id.side)
        };
        let standing = |one: &Standing| StandingShown { point: one.point, men: one.men, morale: one.morale };
        Self {
            side: view.side,
            wait,
            initial,
            point: if view.phase == Phase::Over { view.position.point } else { view.paused },
            nightfall: battle.nightfall,
            orders_for: (view.phase == Phase::Battle).then(|| rules.block_after(view.paused)),
            armies: Side::ALL.map(army).into(),
            units: units
                .filter(|(spec, unit)| is_known(spec, unit))
                .map(|(spec, unit)| shown(view, spec, unit))
                .collect(),
            course: view.course.iter().map(standing).collect(),
            reports: Reports { detail: view.taste.detail, map: view.taste.map },
            result: view.outcome.as_ref().map(result),
        }
    }
}

fn shown<'a>(view: &View, spec: &'a Spec, unit: &Unit) -> UnitShown<'a> {
    let spells = Spell::ALL.into_iter().filter_map(|spell| {
        let points = unit.spell(spell, view.position.point);
        (points > 0).then(|| SpellShown { spell, points, until: unit.spells[spell as usize].until })
    });
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
        own: view.own.contains(&spec.id),
        fate: match unit.fate {
            Fate::Coming => "coming",
            Fate::Fielded => "fielded",
            Fate::Gone(Lost::Destroyed) => "destroyed",
            Fate::Gone(Lost::Ran) => "ran",
            Fate::Gone(Lost::Deserted) => "deserted",
            Fate::Gone(Lost::Escaped) => "escaped",
            Fate::Gone(Lost::Vanished) => "vanished",
        },
        hex: unit.at,
        men: unit.men,
        first_men: spec.men,
        next: unit.next,
        routing: unit.routing,
        battles: unit.battles,
        routs_seen: unit.routs,
        beaten: unit.losing,
        last: unit.last,
        last_move: unit.way,
        spells: spells.collect(),
        real: view.real.filter(|_| spec.likeness).map(|real| real == spec.id),
        arrives: spec
            .arrives
            .filter(|_| unit.fate == Fate::Coming)
            .map(|arrival| (arrival.point, arrival.at)),
        orders: view.charges.get(&spec.id).map(told),
    }
}

fn result(outcome: &Outcome) -> ResultShown {
    ResultShown {
        ending: match outcome.ending {
            Ending::Nightfall => "nightfall",
            Ending::Retreat(Side::A) => "retreat_of_a",
            Ending::Retreat(Side::B) => "retreat_of_b",
            Ending::WizardDead => "wizard_dead",
            Ending::WizardGone => "wizard_gone",
            Ending::WizardLives => "wizard_lives",
        },
        winner: outcome.won.map(|(side, _)| side),
        decisive: outcome.won.is_some_and(|(_, decisive)| decisive),
        left: outcome.left.map(|left| left / 100),
        margin: outcome.margin,
    }
}
