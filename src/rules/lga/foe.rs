//! The enemy that an attack falls on, as the attacker's side knows him: in sight, or as he was last seen. What isn't known is reckoned in his favour,
//! but for headquarters, and is told first.

use std::collections::BTreeSet;

use super::data::Lga;
use super::memory::LastSeen;
use super::model::{Arm, Date, UnitId, UnitType};
use super::tables::combat::{Fighter, best_hq};
use super::view::View;
use musterd_engine::hex::Hex;

/// The piece that an attack falls on.
#[derive(Debug, Clone)]
pub(super) struct Foe {
    /// The type of the piece.
    pub(super) kind: UnitType,
    /// The piece, with the morale that is reckoned with.
    pub(super) unit: Fighter,
    /// Whether it is the garrison.
    pub(super) garrison: bool,
    /// The modifier of the best headquarters that is known to be with it.
    pub(super) hq: i8,
    /// What is known of its morale.
    morale: Morale,
    /// The modifier of the best headquarters that may be with it, if it is better than that known.
    hq_perhaps: Option<i8>,
    /// The headquarters that is reckoned with because a fight has shown it by its modifier.
    hq_shown: Option<HqShown>,
    /// Where it is out of sight, a clause that says who was seen there when: `Mack 1, last seen there in Autumn 1805, is the garrison still`.
    unseen: Option<String>,
    /// The garrison that may be in the hex besides.
    besides: Garrison,
}

/// A headquarters that a fight has shown by its modifier, and that may have gone since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HqShown {
    /// When.
    date: Date,
    /// The modifier of the best headquarters that is known to be there by name.
    without: i8,
}

/// What is known of a piece's morale and fatigue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Morale {
    /// A fight in its own turn has shown it and its fatigue, and it can't be better since. A headquarters has none.
    Known,
    /// A fight has shown so much; it may have been rallied by one since.
    Was(i8),
    /// Nothing.
    Unknown,
}

/// A garrison that may be in a hex besides the piece that is seen there.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Garrison {
    /// None.
    Nobody,
    /// One that is attacked after the others; a clause like [`Foe::unseen`], if one was seen or met there.
    Last(Option<String>),
    /// One that would be attacked first, before headquarters alone (ruling LGA-20).
    First,
}

/// What has been told not to be known of a hex: each kind is told of the first attack that it matters to.
pub(super) type Told = BTreeSet<Kind>;

/// The kinds of what isn't known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Who,
    Morale,
    HqShown,
    HqPerhaps,
    Garrison,
}

/// Whom an attack on a hex meets.
#[derive(Debug)]
pub(super) enum Met {
    /// A piece that is in sight there, or was last seen there.
    Known(Foe),
    /// At most the garrison of a city that another side controls, in which nobody is seen; reckoned as fresh infantry.
    Garrison(Foe),
    /// Nobody, unless somebody comes.
    Nobody,
}

impl Met {
    /// Whom an attack on a hex meets, as far as the side knows.
    pub(super) fn at(rules: &Lga, view: &View, at: Hex) -> Self {
        let city = || rules.map.city_at(at).is_some();
        match Foe::at(rules, view, at) {
            Some(foe) => Self::Known(foe),
            None if city() && view.control.get(&at).is_some_and(|side| *side != view.side) => {
                Self::Garrison(Foe::unseen_garrison(rules, met_by_march(view, at)))
            }
            None => Self::Nobody,
        }
    }

    /// The piece that is known of.
    pub(super) const fn known(&self) -> Option<&Foe> {
        match self {
            Self::Known(foe) => Some(foe),
            Self::Garrison(_) | Self::Nobody => None,
        }
    }

    /// What isn't known, as [`Foe::unknown`] says it.
    pub(super) fn unknown(
        &self,
        rules: &Lga,
        told: &mut Told,
        rounds: u8,
        sum: impl Fn(&Foe) -> i32,
    ) -> Option<String> {
        match self {
            Self::Known(foe) => foe.unknown(rules, told, rounds, sum),
            Self::Garrison(foe) => {
                if !told.insert(Kind::Garrison) {
                    return None;
                }
                let with = sum(foe);
                let there = foe.unseen.as_deref().unwrap_or("the city has a garrison");
                Some(format!("not known: whether {there}; infantry there would make this {with:+}"))
            }
            Self::Nobody => None,
        }
    }

    /// What an attack on a hex in which nobody is seen depends on.
    pub(super) const fn unless(&self) -> &'static str {
        match self {
            Self::Known(_) => "that garrison is there",
            Self::Garrison(foe) if foe.unseen.is_some() => "that garrison is there still",
            Self::Garrison(_) => "the city has a garrison",
            Self::Nobody => "one comes",
        }
    }
}

/// The piece that may be the garrison of a city in which no unit is seen, as it was last seen: the one that was met as the garrison, else the one that
/// was seen there last.
pub(super) fn last_garrison<'a>(rules: &Lga, view: &'a View, at: Hex) -> Option<(UnitId, &'a LastSeen)> {
    let able = view.remembered_at(at).filter(|(id, _)| rules.scenario.unit(*id).kind.arm.can_garrison());
    able.max_by_key(|(_, seen)| (seen.glimpse.garrison, seen.turn))
}

/// What is known of the garrison of a city that a march has met without learning its name, as a clause.
fn met_by_march(view: &View, at: Hex) -> Option<String> {
    let turn = view.garrisons.get(&at)?;
    Some(format!("the garrison that a march met there in {} is there still", turn.date))
}

/// What is known of a piece that was last seen there, as a clause.
fn last_seen(rules: &Lga, id: UnitId, seen: &LastSeen) -> String {
    let name = &rules.scenario.unit(id).name;
    format!("{name}, last seen there in {}, is the garrison still", seen.turn.date)
}

impl Foe {
    /// A garrison of which nothing is known but perhaps that a march has met it: fresh infantry.
    fn unseen_garrison(rules: &Lga, unseen: Option<String>) -> Self {
        Self {
            kind: Arm::Infantry.into(),
            unit: fresh_infantry(rules),
            garrison: true,
            hq: 0,
            morale: Morale::Unknown,
            hq_perhaps: None,
            hq_shown: None,
            unseen,
            besides: Garrison::Nobody,
        }
    }

    /// The piece in a hex that an attack falls on first; `None` if nobody is seen there and nobody can be there who was.
    pub(super) fn at(rules: &Lga, view: &View, at: Hex) -> Option<Self> {
        let city = rules.map.city_at(at).is_some();
        let top = view.enemies.get(&at);
        let hq_alone = top.is_some_and(|top| top.kind.arm == Arm::Hq);
        let (id, unseen) = match (top, last_garrison(rules, view, at)) {
            (Some(top), _) if !hq_alone => (top.id, None),
            (_, Some((id, seen))) => (id, Some(seen)),
            (Some(top), None) => (top.id, None),
            (None, None) => return None,
        };
        let spec = rules.scenario.unit(id);
        let full = rules.stats(spec.kind).max_morale;
        let (reckoned, fatigue, morale) = match view.fought.get(&id) {
            _ if spec.kind.arm == Arm::Hq => (0, 0, Morale::Known),
            // Its next turn would have refreshed it.
            Some(fought) if view.before == Some(fought.turn) && fought.turn.side == spec.side => {
                (fought.morale, fought.fatigue, Morale::Known)
            }
            Some(fought) if [fought.turn.date, fought.turn.date.next()].contains(&view.date) => {
                ((fought.morale + 1).min(full), 0, Morale::Was(fought.morale))
            }
            _ => (full, 0, Morale::Unknown),
        };
        let there = view.remembered_at(at).map(|(id, _)| id).chain(top.map(|top| top.id));
        let named = best_hq(there.map(|id| rules.scenario.unit(id).modifier));
        let shown = view.hqs.get(&at).filter(|shown| shown.side == spec.side && shown.modifier > named);
        let hq = shown.map_or(named, |shown| shown.modifier);
        let elsewhere = |name: &str| view.enemies.values().any(|stack| stack.name == name);
        let perhaps = rules.scenario.units.iter().filter(|other| {
            let comes = other.side == spec.side && other.from_year <= view.date.year;
            other.modifier > hq && other.kind.arm == Arm::Hq && comes && !elsewhere(&other.name)
        });
        // An HQ on top is alone with its like, and a garrison that nobody covers is alone.
        let alone = spec.kind.arm == Arm::Hq || unseen.is_some();
        let hq_perhaps = perhaps.filter(|_| !alone).map(|other| other.modifier).max();
        Some(Self {
            kind: spec.kind,
            unit: Fighter { arm: spec.kind.arm, morale: reckoned, fatigue },
            garrison: unseen.is_some(),
            hq,
            morale,
            hq_perhaps,
            hq_shown: shown.map(|shown| HqShown { date: shown.turn.date, without: named }),
            unseen: unseen.map(|seen| last_seen(rules, id, seen)),
            besides: match view.remembered_at(at).find(|(_, seen)| seen.glimpse.garrison) {
                _ if !city || unseen.is_some() => Garrison::Nobody,
                _ if hq_alone => Garrison::First,
                Some((id, seen)) => Garrison::Last(Some(last_seen(rules, id, seen))),
                None => Garrison::Last(met_by_march(view, at)),
            },
        })
    }

    /// The same if fresh infantry were the garrison there.
    fn garrisoned(&self, rules: &Lga) -> Self {
        Self { kind: Arm::Infantry.into(), unit: fresh_infantry(rules), garrison: true, ..self.clone() }
    }

    /// Whether its morale may be less than is reckoned.
    pub(super) fn may_be_weaker(&self) -> bool {
        self.morale != Morale::Known
    }

    /// What isn't known of it, before the odds: `not known: its morale and fatigue, reckoned as full (2) and none; whether an HQ is with it, which would make this +1`.
    /// `sum` is the sum of the modifiers against such a piece, `rounds` how often the unit attacks. What was `told` of the hex is left out.
    fn unknown(
        &self,
        rules: &Lga,
        told: &mut Told,
        rounds: u8,
        sum: impl Fn(&Self) -> i32,
    ) -> Option<String> {
        let mut unknown = Vec::new();
        let unseen = self.unseen.as_ref().filter(|_| told.insert(Kind::Who));
        unknown.extend(unseen.map(|who| format!("whether {who}")));
        let now = self.unit.morale;
        let reckoned = match self.morale {
            Morale::Known => None,
            Morale::Was(was) => Some(format!("as {now} ({was} when it last fought)")),
            Morale::Unknown => Some(format!("as full ({now})")),
        };
        let reckoned = reckoned.filter(|_| told.insert(Kind::Morale));
        unknown.extend(reckoned.map(|how| format!("its morale and fatigue, reckoned {how} and none")));
        let with_hq = |hq: i8| sum(&Self { hq, ..self.clone() });
        if let Some(HqShown { date, without }) = self.hq_shown.filter(|_| told.insert(Kind::HqShown)) {
            unknown.push(format!(
                "whether the HQ {:+} that a fight has shown with it in {date} is there still, without which this would be {:+}",
                self.hq,
                with_hq(without)
            ));
        }
        if let Some(modifier) = self.hq_perhaps.filter(|_| told.insert(Kind::HqPerhaps)) {
            let an = if self.hq > 0 { "a better" } else { "an" };
            let with = with_hq(modifier);
            unknown.push(format!("whether {an} HQ is with it, which would make this {with:+}"));
        }
        let at = rules.numbers.combat.garrison;
        match &self.besides {
            Garrison::First if told.insert(Kind::Garrison) => {
                let with = sum(&self.garrisoned(rules));
                unknown.push(format!(
                    "whether the city has a garrison, which would be attacked first: infantry there would make this {with:+}"
                ));
            }
            Garrison::Last(Some(who)) if rounds > 1 && told.insert(Kind::Garrison) => {
                unknown.push(format!("whether {who}, which comes last at {at:+}"));
            }
            Garrison::Last(None) if rounds > 1 && told.insert(Kind::Garrison) => {
                unknown.push(format!("whether the city has a garrison, which would come last at {at:+}"));
            }
            Garrison::Nobody | Garrison::First | Garrison::Last(_) => {}
        }
        (!unknown.is_empty()).then(|| format!("not known: {}", unknown.join("; ")))
    }
}

fn fresh_infantry(rules: &Lga) -> Fighter {
    let morale = rules.stats(Arm::Infantry).max_morale;
    Fighter { arm: Arm::Infantry, morale, fatigue: 0 }
}
