//! The plan of the seasoned commander: which formation goes for which objective. Each objective is worth the points left in it for both sides; the chance to
//! have it in the end goes by the strengths that both can bring there. Formations change their aims one by one as long as that gains points.

use musterd_engine::hex::Hex;

use super::look::{Group, Look, count};
use crate::commanders::MARGIN;
use crate::model::{BrigadeId, ObjectiveId, UnitId};
use crate::order::{Act, Command, Order};
use crate::state::Presence;

/// Points are counted in thousandths.
const POINT: i64 = 1000;

/// What has to be gained by a new command, in points: it is late, and may be long in coming.
const CHANGE: i64 = 6;
/// The same for a formation that is fighting.
const BREAK_OFF: i64 = 40;
/// What an unguarded place has against who comes upon it, in tenths of a strength point.
const BARE: i64 = 40;
/// What holding a place is worth to his own who stand there, in tenths of their power.
const POST: i64 = 20;
/// How strong his army has to be against the enemy's, in hundredths, for him to come out of a place that he holds.
const MATCH: i64 = 80;
/// From what lead on he asks for better odds to come out: his points against the enemy's in hundredths, if nobody takes anything more.
const LEADS: i64 = 125;
/// How much better, in hundredths.
const HOLDS_LEAD: i64 = 60;
/// What a tenth of a strength point is worth that the stronger side takes from the weaker.
const TRADE: i64 = 120;
/// Rounds of changes at most.
const ROUNDS: usize = 40;

/// Where everybody is to go.
pub(super) struct Plan {
    groups: Vec<Group>,
    /// The aim of each group.
    aims: Vec<Option<ObjectiveId>>,
    /// Own power at each objective by this plan, and the enemy's.
    own: Vec<i64>,
    foe: Vec<i64>,
}

/// Makes the plan for a turn.
pub(super) fn plan(look: &mut Look<'_>) -> Plan {
    let groups = look.groups();
    let scales = Scales::of(look, &groups);
    let aim = |group: &Group| group.command.objective().filter(|aim| look.can_aim(group.who, *aim));
    let mut aims: Vec<Option<ObjectiveId>> = groups.iter().map(aim).collect();
    let start = aims.clone();
    let mut own = scales.sums(&aims);
    for _ in 0..ROUNDS {
        let mut best: Option<(i64, usize, Option<ObjectiveId>)> = None;
        let now = scales.score(&own);
        for (place, aim) in aims.iter().enumerate() {
            for id in
                look.battle.objectives().map(|(id, _)| id).filter(|id| look.can_aim(groups[place].who, *id))
            {
                let other = Some(id);
                if other == *aim || scales.is_idle(place, other) {
                    continue;
                }
                let sums = scales.moved(&own, place, (*aim, other));
                let cost =
                    |aim: Option<ObjectiveId>| if aim == start[place] { 0 } else { scales.change[place] };
                let gain = scales.score(&sums) - now - cost(other) + cost(*aim) - scales.way(place, other)
                    + scales.way(place, *aim);
                if gain > 0 && best.is_none_or(|(most, ..)| gain > most) {
                    best = Some((gain, place, other));
                }
            }
        }
        let Some((_, place, other)) = best else { break };
        own = scales.moved(&own, place, (aims[place], other));
        aims[place] = other;
    }
    Plan { groups, aims, own, foe: scales.foe }
}

/// What the plan is weighed with.
struct Scales {
    /// Points at stake, by objective.
    stakes: Vec<i64>,
    held: Vec<bool>,
    /// The enemy's power at each.
    foe: Vec<i64>,
    /// Own power there that can't be commanded now.
    fixed: Vec<i64>,
    /// What each group brings to each objective that it goes for.
    brings: Vec<Vec<i64>>,
    /// How long it takes there, in tenths of a turn.
    times: Vec<Vec<i64>>,
    /// How much of what goes for one objective helps at another, in hundredths.
    beside: Vec<Vec<i64>>,
    /// What a change of aim costs each group.
    change: Vec<i64>,
}

/// How much of a brigade's power counts at an objective so far away, in hundredths.
const fn reach(far: u32) -> i64 {
    match far {
        0..=2 => 100,
        3 => 80,
        4 => 60,
        5 | 6 => 35,
        7 | 8 => 15,
        _ => 0,
    }
}

impl Scales {
    fn of(look: &mut Look<'_>, groups: &[Group]) -> Self {
        let hexes: Vec<Hex> = look.battle.objectives.iter().map(|objective| objective.hex).collect();
        let ids: Vec<ObjectiveId> = look.battle.objectives().map(|(id, _)| id).collect();
        let held: Vec<bool> = ids.iter().map(|id| look.holds(*id)).collect();
        let foe = foe_at(look, &hexes, &held);
        let mut fixed = vec![0; hexes.len()];
        for (id, brigade, at) in look.fielded() {
            if groups.iter().any(|group| group.members.contains(&id)) {
                continue;
            }
            let aim = aim_of(look, id);
            for (place, hex) in hexes.iter().enumerate() {
                let share = match aim {
                    Some(aim) => reach(hexes[aim.place()].distance(*hex)) * 6 / 10,
                    None => 0,
                };
                fixed[place] += brigade.power() * share.max(reach(at.distance(*hex)) * 7 / 10) / 100;
            }
        }
        let mut brings = Vec::new();
        let mut times = Vec::new();
        for group in groups {
            let all: Vec<(i64, i64)> = hexes.iter().map(|hex| bring(look, group, *hex)).collect();
            brings.push(all.iter().map(|(power, _)| *power).collect());
            times.push(all.iter().map(|(_, time)| *time).collect());
        }
        let near = |one: &Hex, other: &Hex| match one.distance(*other) {
            0 => 100,
            1 | 2 => 60,
            3 | 4 => 30,
            5 => 10,
            _ => 0,
        };
        let beside = hexes.iter().map(|one| hexes.iter().map(|other| near(one, other)).collect()).collect();
        let change = groups
            .iter()
            .map(|group| {
                let fights = group.members.iter().filter(|id| look.view.brigade(**id).engaged().is_some());
                let share = count(fights.count()) * 100 / count(group.members.len());
                (CHANGE + BREAK_OFF * share / 100) * POINT / 2
            })
            .collect();
        let stakes = ids.iter().map(|id| look.stake(*id)).collect();
        Self { stakes, held, foe, fixed, brings, times, beside, change }
    }

    /// Whether a group comes to nothing there.
    fn is_idle(&self, place: usize, aim: Option<ObjectiveId>) -> bool {
        aim.is_none_or(|aim| self.brings[place][aim.place()] == 0)
    }

    /// What the way to an aim costs: a little for each turn.
    fn way(&self, place: usize, aim: Option<ObjectiveId>) -> i64 {
        aim.map_or(0, |aim| self.times[place][aim.place()].min(200) * POINT / 40)
    }

    /// What one group adds to each objective by its aim.
    fn add(&self, sums: &mut [i64], place: usize, aim: Option<ObjectiveId>, sign: i64) {
        let Some(aim) = aim else { return };
        let power = self.brings[place][aim.place()];
        for (sum, share) in sums.iter_mut().zip(&self.beside[aim.place()]) {
            *sum += sign * power * share / 100;
        }
    }

    fn sums(&self, aims: &[Option<ObjectiveId>]) -> Vec<i64> {
        let mut sums = self.fixed.clone();
        for (place, aim) in aims.iter().enumerate() {
            self.add(&mut sums, place, *aim, 1);
        }
        sums
    }

    fn moved(
        &self,
        sums: &[i64],
        place: usize,
        (from, to): (Option<ObjectiveId>, Option<ObjectiveId>),
    ) -> Vec<i64> {
        let mut sums = sums.to_vec();
        self.add(&mut sums, place, from, -1);
        self.add(&mut sums, place, to, 1);
        sums
    }

    /// The points that are to be had by a plan: for places, and by losses where one is the stronger.
    fn score(&self, sums: &[i64]) -> i64 {
        let each = sums.iter().enumerate().map(|(place, own)| {
            let foe = self.foe[place];
            // Who holds a place fights from cover, and has it if nobody comes.
            let (own, foe) =
                if self.held[place] { (own * POST / 10 + BARE, foe) } else { (*own, foe * 12 / 10 + BARE) };
            let both = (own + foe).max(1);
            let trade = own * foe / both * (own - foe) / both * TRADE;
            self.stakes[place] * POINT * own / both + trade
        });
        each.sum()
    }
}

/// The enemy's power at each objective: whom he sees near, and a share of those whom he doesn't see. They guard what is theirs, and come for what isn't.
fn foe_at(look: &Look<'_>, hexes: &[Hex], held: &[bool]) -> Vec<i64> {
    let theirs = count(held.iter().filter(|held| !**held).count()).max(2);
    let guard = look.hidden / theirs / 4;
    let watched = |hex: Hex| look.fielded().any(|(_, _, at)| at.distance(hex) <= 2);
    let at = |(hex, held): (&Hex, &bool)| {
        let seen: i64 = look.foes.iter().map(|foe| foe.power * reach(foe.at.distance(*hex)) / 100).sum();
        let unseen = match (*held, watched(*hex)) {
            (true, _) => 2 * guard,
            (false, true) => 0,
            (false, false) => guard,
        };
        seen + unseen
    };
    hexes.iter().zip(held).map(at).collect()
}

/// What a group brings to a hex, and in how many tenths of a turn: the farther, the less.
fn bring(look: &mut Look<'_>, group: &Group, hex: Hex) -> (i64, i64) {
    let (mut sum, mut time, mut all) = (0, 0, 0);
    for id in &group.members {
        let brigade = look.view.brigade(*id);
        let Some(at) = brigade.at else { continue };
        let own = brigade.power();
        let Some(needs) = look.time(*id, at, hex) else { continue };
        (time, all) = (time + needs * own, all + own);
        if needs <= look.moves_left * 10 + 3 {
            sum += own * 200 / (200 + 3 * needs);
        }
    }
    (sum, if all == 0 { 999 } else { time / all })
}

/// The aim of a brigade that can't be told another one now.
fn aim_of(look: &Look<'_>, id: BrigadeId) -> Option<ObjectiveId> {
    let brigade = look.view.brigade(id);
    let over = look.battle.brigade(id).over;
    let hq = look.view.hq(over);
    brigade
        .objective
        .filter(|_| look.battle.is_independent(id))
        .or(hq.pending.unwrap_or(hq.command).objective())
}

impl Plan {
    /// The orders that carry it out, as far as they are new.
    pub(super) fn orders(&self, look: &Look<'_>) -> Vec<Order> {
        let each = self.groups.iter().zip(&self.aims);
        each.filter_map(|(group, aim)| self.order(look, group, (*aim)?)).collect()
    }

    fn order(&self, look: &Look<'_>, group: &Group, aim: ObjectiveId) -> Option<Order> {
        match group.who {
            UnitId::Brigade(id) => {
                let brigade = look.view.brigade(id);
                let at = brigade.at?;
                let free = brigade.presence == Presence::Fielded
                    && brigade.engaged().is_none()
                    && brigade.objective != Some(aim)
                    && look.clear(at) > 3;
                free.then_some(Order::Brigade(id, Act::March(Some(aim))))
            }
            UnitId::Hq(id) => {
                let wanted = self.command(look, group, aim);
                // The same aim by another way is no new command.
                let same = wanted == group.command
                    || matches!(
                        (group.command, wanted),
                        (Command::Offensive { objective: one, .. }, Command::Offensive { objective: other, .. })
                            if one == other
                    );
                (!same).then_some(Order::Command(id, wanted))
            }
        }
    }

    /// What a formation is to do at its aim.
    fn command(&self, look: &Look<'_>, group: &Group, aim: ObjectiveId) -> Command {
        let attack = Command::Offensive { via: None, objective: aim };
        if !look.holds(aim) {
            return attack;
        }
        if look.limited.is_some() {
            return Command::Defensive(aim);
        }
        let (own, foe) = (self.own[aim.place()], self.foe[aim.place()]);
        // Whoever attacks goes on as long as he is not weaker; whoever defends comes out when he is much stronger.
        let lead = if look.lead() >= LEADS { HOLDS_LEAD } else { 0 };
        let wanted = if group.command.is_offensive() { 110 } else { 160 } + MARGIN * look.weariness + lead;
        let pays = foe > 0 && own * 100 >= foe * wanted && look.ratio >= MATCH;
        if pays && !look.night { attack } else { Command::Defensive(aim) }
    }

    /// Whether many more are where a brigade goes than against it.
    pub(super) fn odds(&self, look: &Look<'_>, id: BrigadeId) -> i64 {
        let aim = self.groups.iter().zip(&self.aims).find(|(group, _)| group.members.contains(&id));
        let aim = aim.and_then(|(_, aim)| *aim).or_else(|| aim_of(look, id));
        aim.map_or(100, |aim| self.own[aim.place()] * 100 / self.foe[aim.place()].max(1))
    }
}
