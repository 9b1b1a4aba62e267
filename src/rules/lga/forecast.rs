//! The odds of the attacks in a set of orders, for its receipt: exact, based on what its seat knows of the enemy ([`Foe`]). Only his top unit is
//! considered, or the garrison that was met in a city in which nobody is seen; the sentence says so if a series may go on against others below it.

use std::collections::{BTreeMap, BTreeSet};

use super::data::Lga;
use super::foe::Foe;
use super::model::UnitId;
use super::odds::{Attacker, Bout, Defence, Defender, Remains, Stack};
use super::tables::combat::Fighter;
use super::view::{EnemyStack, View};
use musterd_dice::odds::{Distribution, Exact};
use musterd_engine::hex::Hex;
use musterd_engine::orders::phrase;
use musterd_report::text::sentence;

/// The attacks of one set, in the order in which they will be carried out.
pub(super) struct Forecast<'a> {
    rules: &'a Lga,
    view: &'a View,
    /// The state of the top unit of each attacked hex after the attacks so far.
    fights: BTreeMap<Hex, Fight>,
    /// Whom attacks on each hex fall on.
    foes: BTreeMap<Hex, Option<Foe>>,
    fought: BTreeSet<UnitId>,
}

struct Fight {
    stack: Stack,
    defence: Distribution<Defence>,
    attacks: u32,
}

/// The most attacks on one hex for which odds are computed: later ones depend on too much.
const MOST_ATTACKS: u32 = 8;

impl<'a> Forecast<'a> {
    pub(super) const fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self { rules, view, fights: BTreeMap::new(), foes: BTreeMap::new(), fought: BTreeSet::new() }
    }

    /// The odds of the next attack. `None` if no enemy is seen, if the order's own conditions forbid it, after [`MOST_ATTACKS`], or if the unit has
    /// fought before, so that its state by then is unknown.
    pub(super) fn of(&mut self, unit: UnitId, at: Hex, by: &Attacker) -> Option<String> {
        if self.fought.contains(&unit) {
            return None;
        }
        let foe = self.foes.entry(at).or_insert_with(|| Foe::at(self.rules, self.view, at)).clone()?;
        let table = &self.rules.numbers.combat;
        let with_morale = |morale| Defender {
            unit: Fighter { morale, ..foe.unit },
            garrison: foe.garrison,
            modifier: foe.hq,
        };
        let fresh = with_morale(foe.unit.morale);
        let fight = self.fights.entry(at).or_insert_with(|| {
            let stack = Stack::new(vec![fresh]);
            Fight { defence: Distribution::certain(stack.unworn()), stack, attacks: 0 }
        });
        let gone = fight.defence.probability(|defence| defence.next.is_none());
        let below = below(self.view.enemies.get(&at));
        if gone.rounded(1000) >= 999 {
            let chance = gone.percent();
            return Some(phrase(format_args!(
                "These odds reckon with the top unit, which the attacks before it have destroyed in {chance} of cases{below}"
            )));
        }
        let bouts = match fight.attacks {
            MOST_ATTACKS => return None,
            _ => fight.stack.attacked_by(table, by, &fight.defence),
        };
        if bouts.outcomes().all(|bout| bout.attacker == Some(by.unit)) {
            return None;
        }
        let first = fight.attacks == 0;
        fight.attacks += 1;
        fight.defence = bouts.map(|bout| bout.defence);
        self.fought.insert(unit);
        let against = if first { "" } else { "With the attacks before it: " };
        let who = if below.is_empty() { "" } else { "top unit " };
        let mut text = sentence(&phrase(format_args!("{against}{who}{}", end(&bouts, &fresh))));
        if !below.is_empty() && (by.limit.rounds > 1 || !first) {
            // After the top unit has fallen, further rounds cost an unknown amount.
            if lost(&bouts, by).rounded(100) > 0 {
                text.push_str(&format!("; until it falls, {}", price(&bouts, by)));
            }
            text.push_str(&below);
        } else {
            text.push_str(&format!("; {}", price(&bouts, by)));
        }
        let weaker: Vec<String> = (0..fresh.unit.morale)
            .rev()
            .filter(|_| first && foe.may_be_weaker())
            .map(|morale| {
                let stack = Stack::new(vec![with_morale(morale)]);
                let bouts = stack.attacked_by(table, by, &Distribution::certain(stack.unworn()));
                format!("{morale}: {}", destroyed(&bouts).percent())
            })
            .collect();
        if !weaker.is_empty() {
            text.push_str(&format!(". Destroyed if its morale is {}", weaker.join(", ")));
        }
        Some(text)
    }
}

fn destroyed(bouts: &Distribution<Bout>) -> Exact {
    bouts.probability(|bout| bout.defence.next.is_none())
}

/// `destroyed 22.2%, hurt 36.1%`.
fn end(bouts: &Distribution<Bout>, fresh: &Defender) -> String {
    let hurt = |bout: &Bout| bout.defence.next.is_some_and(|unit| unit.morale < fresh.unit.morale);
    let mut text = format!("destroyed {}", destroyed(bouts).percent());
    if fresh.unit.morale > 0 {
        text.push_str(&format!(", hurt {}", bouts.probability(hurt).percent()));
    }
    text
}

/// `ours loses 1.89 morale, destroyed 19.4%`.
fn price(bouts: &Distribution<Bout>, by: &Attacker) -> String {
    let destroyed = bouts.probability(|bout| bout.attacker_fate() == Remains::Destroyed);
    format!("ours loses {} morale, destroyed {}", lost(bouts, by).decimal(2), destroyed.percent())
}

/// The morale that the attacker may be expected to lose.
fn lost(bouts: &Distribution<Bout>, by: &Attacker) -> Exact {
    bouts.expected(|bout| bout.attacker_fate().loss(by.unit.morale))
}

/// The units below the top unit of a stack, as far as they are seen: `; not reckoned with: 9 more below it`; empty if there are none.
fn below(stack: Option<&EnemyStack>) -> String {
    match stack.map_or(Some(0), |stack| stack.count) {
        Some(0 | 1) => String::new(),
        Some(count) => format!("; not reckoned with: {} more below it", count - 1),
        None => "; not reckoned with: whoever is below it, behind the cavalry".to_owned(),
    }
}
