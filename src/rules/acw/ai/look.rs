//! What a computer commander makes of what he sees: strengths, times, what objectives are worth to him.

use std::collections::BTreeSet;

use musterd_engine::hex::Hex;

use crate::battle::{Battle, BrigadeSpec};
use crate::data::Acw;
use crate::going::Fields;
use crate::model::{Arm, BrigadeId, Echelon, HqId, Light, ObjectiveId, Side, UnitId, strength};
use crate::numbers::Mover;
use crate::order::Command;
use crate::state::Brigade;
use crate::view::{FoeKind, Seen, View};

/// A commander's view, with what he reckons from it.
pub(super) struct Look<'a> {
    pub(super) rules: &'a Acw,
    pub(super) battle: &'a Battle,
    pub(super) view: &'a View,
    pub(super) side: Side,
    /// His headquarters.
    pub(super) hq: HqId,
    /// The enemy brigades that he sees or remembers.
    pub(super) foes: Vec<FoeSeen>,
    /// The enemy's power on the field that he neither sees nor remembers, by what the lists of both armies say.
    pub(super) hidden: i64,
    /// His whole power against the enemy's, in hundredths.
    pub(super) ratio: i64,
    /// How far his losses have gone beyond what his army bears, in hundredths of its men (ACW-92).
    pub(super) weariness: i64,
    /// Turns in which units move from now on, the present one among them.
    pub(super) moves_left: i64,
    pub(super) night: bool,
    /// The objectives for which alone he fights, while they are limited (ACW-95).
    pub(super) limited: Option<BTreeSet<ObjectiveId>>,
    fields: Fields<'a>,
}

/// An enemy brigade as it is reckoned with.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoeSeen {
    pub(super) at: Hex,
    pub(super) arm: Arm,
    /// What it is worth, in tenths of a strength point: less when it was seen long ago.
    pub(super) power: i64,
    pub(super) shaken: bool,
    /// Whether it is in sight now.
    pub(super) now: bool,
}

/// A part of an army that is given an aim of its own.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) who: UnitId,
    /// Its brigades on the map.
    pub(super) members: Vec<BrigadeId>,
    pub(super) power: i64,
    /// What it is to do now.
    pub(super) command: Command,
}

/// The brigade of a type that stands for all of an army: ratings and numbers from the middle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Middle {
    pub(super) men: u32,
    pub(super) guns: u32,
    pub(super) regiments: i32,
    pub(super) experience: i32,
    pub(super) leadership: i32,
}

impl<'a> Look<'a> {
    pub(super) fn of(rules: &'a Acw, view: &'a View) -> Option<Self> {
        let (side, hq) = view.side.filter(|_| view.orders_now()).zip(view.hq)?;
        let battle = rules.battle();
        let army = battle.army(side);
        let left = &battle.hours[usize::from(view.turn) - 1..];
        let mut look = Self {
            rules,
            battle,
            view,
            side,
            hq,
            foes: Vec::new(),
            hidden: 0,
            ratio: 0,
            weariness: 0,
            moves_left: count(left.iter().filter(|hour| !hour.still).count()),
            night: left[0].light == Light::Night,
            limited: army
                .limited
                .filter(|(first, last)| (*first..=*last).contains(&view.turn))
                .map(|_| army.told()),
            fields: Fields::of(rules),
        };
        look.find_foes();
        look.compare();
        Some(look)
    }

    /// The enemies that are seen, and how many there must be besides.
    fn find_foes(&mut self) {
        let enemy = self.battle.army(self.side.other());
        let here = enemy.brigades.iter().filter(|spec| spec.start.turn <= self.view.turn);
        let (mut sum, mut number) = ([0_i64; 4], [0_i64; 4]);
        for spec in here {
            let guns = spec.guns.as_ref().map_or(0, |(guns, _)| *guns);
            sum[spec.arm as usize] += i64::from(strength(spec.men)) + i64::from(guns / 2);
            number[spec.arm as usize] += 1;
        }
        // Of a brigade that is seen nothing is known but its type: it is taken for one of the middle of its army, a little worn.
        let middle = |arm: Arm| 8 * sum[arm as usize] / number[arm as usize].max(1);
        let mut seen = 0;
        for foe in &self.view.foes {
            let FoeKind::Brigade(arm) = foe.kind else { continue };
            let full = if foe.shaken { middle(arm) / 2 } else { middle(arm) };
            let age = match foe.seen {
                Seen::Remembered(turn) => self.view.turn.saturating_sub(turn),
                _ => 0,
            };
            let power = match age {
                0..=2 => full,
                3..=6 => full * 7 / 10,
                7..=12 => full * 4 / 10,
                _ => full * 2 / 10,
            };
            seen += power;
            let now = !matches!(foe.seen, Seen::Remembered(_));
            self.foes.push(FoeSeen { at: foe.at, arm, power, shaken: foe.shaken, now });
        }
        let lost = i64::from(self.view.now.casualties[self.side.index()]) * 9;
        self.hidden = (8 * sum.iter().sum::<i64>() - lost - seen).max(0);
    }

    /// How both armies stand against each other, and his own against what it was.
    fn compare(&mut self) {
        let own: i64 = self.fielded().map(|(_, one, _)| one.power()).sum();
        let foe = self.foes.iter().map(|foe| foe.power).sum::<i64>() + self.hidden;
        self.ratio = own * 100 / foe.max(1);
        let army = self.battle.army(self.side);
        self.weariness = army.weariness(self.view.now.lost[self.side.index()]).into();
    }

    /// The brigades of his that are on the map, with their hexes.
    pub(super) fn fielded(&self) -> impl Iterator<Item = (BrigadeId, &'a Brigade, Hex)> + use<'a> {
        let view = self.view;
        view.own_brigades().filter_map(|(id, one)| Some((id, one, one.at.filter(|_| one.is_fielded())?)))
    }

    /// The enemy brigades in sight.
    pub(super) fn in_sight(&self) -> impl Iterator<Item = &FoeSeen> {
        self.foes.iter().filter(|foe| foe.now)
    }

    /// The nearest enemy brigade that is in sight, with its distance.
    pub(super) fn nearest(&self, at: Hex) -> Option<(FoeSeen, u32)> {
        let near = self.in_sight().map(|foe| (*foe, at.distance(foe.at)));
        near.min_by_key(|(foe, far)| (*far, foe.at))
    }

    /// What an enemy brigade of a type is like, by the middle of its army's list.
    pub(super) fn middle(&self, arm: Arm) -> Middle {
        let all: Vec<&BrigadeSpec> = self.army_of_foes().filter(|spec| spec.arm == arm).collect();
        let n = u32::try_from(all.len()).unwrap_or(u32::MAX).max(1);
        let m = i32::try_from(n).unwrap_or(i32::MAX);
        let guns = |spec: &&BrigadeSpec| spec.guns.as_ref().map_or(0, |(guns, _)| *guns);
        Middle {
            men: all.iter().map(|spec| spec.men).sum::<u32>() / n,
            guns: all.iter().map(guns).sum::<u32>() / n,
            regiments: all.iter().map(|spec| spec.regiments).sum::<i32>() / m,
            experience: all.iter().map(|spec| spec.experience).sum::<i32>() / m,
            leadership: all.iter().map(|spec| spec.leadership).sum::<i32>() / m,
        }
    }

    /// The enemy's brigades by his list.
    pub(super) fn army_of_foes(&self) -> impl Iterator<Item = &'a BrigadeSpec> + use<'a> {
        self.battle.army(self.side.other()).brigades.iter()
    }

    /// How far the nearest enemy brigade in sight is.
    pub(super) fn clear(&self, at: Hex) -> u32 {
        self.nearest(at).map_or(99, |(_, far)| far)
    }

    /// Whether an objective is his.
    pub(super) fn holds(&self, id: ObjectiveId) -> bool {
        self.view.holdings[id.place()].holder == self.side
    }

    /// Whether an objective can be the aim of a part of his army. While his objectives are limited each has what it was told at the start, a reserve any that
    /// somebody was told; who isn't bound by the aims of a corps goes for any of these that the enemy holds (ACW-95).
    pub(super) fn can_aim(&self, who: UnitId, id: ObjectiveId) -> bool {
        let Some(limited) = &self.limited else { return true };
        let (told, is_corps) = match who {
            UnitId::Hq(hq) => {
                let spec = self.battle.hq(hq);
                (spec.command.objective(), spec.echelon == Echelon::Corps)
            }
            UnitId::Brigade(brigade) => (self.battle.brigade(brigade).objective, false),
        };
        match told {
            Some(told) => told == id || (limited.contains(&id) && !is_corps && !self.holds(id)),
            None => limited.contains(&id),
        }
    }

    /// Whether the limits of his objectives forbid a command: what is held is defended all the same (ACW-95).
    pub(super) fn is_forbidden(&self, who: UnitId, command: Command) -> bool {
        command.objective().is_some_and(|aim| !self.can_aim(who, aim) && !self.holds(aim))
    }

    /// The points that are still at stake for an objective: what it brings him, and what it takes from the enemy.
    pub(super) fn stake(&self, id: ObjectiveId) -> i64 {
        let (turns, both) = (self.turns_left(id), self.battle.objective(id).worth.iter());
        both.map(|worth| i64::from(worth.turn) * turns + i64::from(worth.end)).sum()
    }

    /// The turns in which an objective still counts, the present one among them.
    fn turns_left(&self, id: ObjectiveId) -> i64 {
        let (first, last) = self.battle.objective(id).turns;
        (i64::from(last) - i64::from(first.max(self.view.turn)) + 1).max(0)
    }

    /// His points at the end against the enemy's, in hundredths, if nobody takes anything more.
    pub(super) fn lead(&self) -> i64 {
        let mut sums = Side::ALL.map(|side| i64::from(self.view.now.points(side)));
        for (id, objective) in self.battle.objectives() {
            let holder = self.view.holdings[id.place()].holder.index();
            sums[holder] += i64::from(objective.worth[holder].turn) * self.turns_left(id);
        }
        sums[self.side.index()] * 100 / sums[self.side.other().index()].max(1)
    }

    /// The time that a brigade takes to a hex in tenths of a turn; `None` if there is no way.
    pub(super) fn time(&mut self, id: BrigadeId, at: Hex, to: Hex) -> Option<i64> {
        let arm = self.battle.brigade(id).arm;
        let cost = i64::from(self.fields.to(to, Mover::from(arm)).cost(at)?);
        let points = i64::from(self.rules.numbers().allowances[&Mover::from(arm)].points);
        Some(cost * 10 / points)
    }

    /// The parts of his army that he can give an aim now: the lowest headquarters that he can command, and independent brigades that he can order.
    pub(super) fn groups(&self) -> Vec<Group> {
        let view = self.view;
        let can = |id: HqId| view.can_command(id) && view.hq(id).at.is_some() && id != self.hq;
        let mut groups = Vec::new();
        for (id, hq) in view.own_hqs().filter(|(id, _)| can(*id) && !id.is_army()) {
            let below = self.battle.hqs_under(id).any(|spec| can(spec.id));
            if below {
                continue;
            }
            let command = hq.pending.unwrap_or(hq.command);
            let members = self.battle.all_under(id).map(|spec| spec.id);
            groups.extend(self.group(UnitId::Hq(id), members, command));
        }
        for (id, brigade, _) in self.fielded() {
            let over = self.battle.brigade(id).over;
            // Brigades under a corps go with it, unless he leads it himself.
            let own = over == self.hq || view.direct == Some(over);
            if own && self.battle.is_independent(id) && view.can_order(id) {
                let command = brigade.objective.map_or(Command::Reserve, Command::Defensive);
                groups.extend(self.group(UnitId::Brigade(id), std::iter::once(id), command));
            }
        }
        groups
    }

    fn group(
        &self,
        who: UnitId,
        members: impl Iterator<Item = BrigadeId>,
        command: Command,
    ) -> Option<Group> {
        let members: Vec<BrigadeId> = members.filter(|id| self.view.brigade(*id).is_fielded()).collect();
        let power = members.iter().map(|id| self.view.brigade(*id).power()).sum();
        (!members.is_empty()).then_some(Group { who, members, power, command })
    }

    /// Who controls a hex.
    pub(super) fn is_own(&self, hex: Hex) -> bool {
        self.view.controller(self.rules, hex) == self.side
    }
}

pub(super) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
