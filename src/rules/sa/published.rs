//! The battle as a commander knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/sa-view.json`.

use musterd_dice::Seat;
use musterd_engine::PublishedFormat;
use musterd_engine::hex::Hex;
use musterd_kit::data::schema_of;
use musterd_kit::published;

use crate::battle::Spec;
use crate::data::Sa;
use crate::event::Outcome;
use crate::files::declared::{ArmyFile, FieldFile, ScenarioFile, schema};
use crate::model::{Class, Missile, Side, UnitId, UnitType, Way, Weapon};
use crate::numbers::{self, Numbers};
use crate::order::{Charge, Taste};
use crate::read::written;
use crate::state::{Enchantment, Fate, Last, Phase, Standing, Unit};
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

published! {
    /// A view as data.
    pub(crate) struct Published<'a> of (rules: &'a Sa, view: &'a View) with {
        let units = rules.battle().units.iter().zip(&view.position.units);
        let is_known = |spec: &Spec, unit: &Unit| {
            unit.fate != Fate::Coming || !spec.likeness || view.side == Some(spec.id.side)
        };
    } {
        side: Option<Side> = view.side,
        phase: Phase = view.phase,
        /// The last time-point that was played.
        point: u16 = if view.phase == Phase::Over { view.position.point } else { view.paused },
        nightfall: u16 = rules.battle().nightfall,
        /// The first and the last time-point that orders are for.
        orders_for: Option<(u16, u16)> = (view.phase == Phase::Battle).then(|| rules.block_after(view.paused)),
        armies: [ArmyShown<'a>; 2] = Side::ALL.map(|side| ArmyShown::of(rules, view, side)),
        units: Vec<UnitShown<'a>> = units
            .filter(|(spec, unit)| is_known(spec, unit))
            .map(|(spec, unit)| UnitShown::of(view, spec, unit))
            .collect(),
        course: &'a [Standing] = &view.course,
        reports: Taste = view.taste,
        result: Option<&'a Outcome> = view.outcome.as_ref(),
    }

    struct ArmyShown<'a> of (rules: &'a Sa, view: &View, of: Side) with {
        let army = rules.battle().army(of);
    } {
        side: Side = of,
        name: &'a str = &army.name,
        seats: Vec<&'a Seat> = army.commanders.iter().map(|commander| &commander.seat).collect(),
        morale: i32 = view.position.morale[of.index()],
        spell_points: u32 = view.position.magic[of.index()],
    }

    struct UnitShown<'a> of (view: &View, spec: &'a Spec, now: &Unit) with {
        let told = |charge: &Charge| charge.orders(spec.id).iter().flat_map(written).collect();
    } {
        unit: UnitId = spec.id,
        name: &'a str = &spec.name,
        tribe: &'a str = &spec.tribe,
        #[serde(rename = "type")]
        kind: UnitType = spec.kind,
        class: Class = spec.class,
        weapon: Weapon = spec.weapon,
        missile: Option<Missile> = spec.missile,
        shield: bool = spec.shield,
        casts: bool = spec.casts,
        /// Its men at the start.
        first: u32 = spec.men,
        /// Whether the commander gives it orders.
        own: bool = view.own.contains(&spec.id),
        at: Option<Hex> = now.at,
        fate: Fate = now.fate,
        men: u32 = now.men,
        /// The time-point at which it acts next.
        next: u16 = now.next,
        routing: bool = now.routing,
        battles: i32 = now.battles,
        routs: i32 = now.routs,
        losing: u8 = now.losing,
        last: Last = now.last,
        way: Option<Way> = now.way,
        spells: [Enchantment; 4] = now.spells,
        /// Of the wizard and his likenesses: whether it is the real one, if that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        real: Option<bool> = view.real.filter(|_| spec.likeness).map(|real| real == spec.id),
        /// When and where it comes.
        #[serde(skip_serializing_if = "Option::is_none")]
        arrives: Option<(u16, Hex)> =
            spec.arrives.filter(|_| now.fate == Fate::Coming).map(|arrival| (arrival.point, arrival.at)),
        /// What it was told, as orders; only of the own side.
        #[serde(skip_serializing_if = "Option::is_none")]
        orders: Option<Vec<String>> = view.charges.get(&spec.id).map(told),
    }
}
