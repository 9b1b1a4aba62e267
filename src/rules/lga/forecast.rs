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

#[cfg(test)]
mod tests {
    use crate::data::Lga;
    use crate::event::Event;
    use crate::fixture::{nation, opening, rules};
    use crate::memory::{Fought, Glimpse, LastSeen};
    use crate::model::{Arm, Side};
    use crate::read::read_orders;
    use crate::recap::read_back;
    use crate::record::Turn;
    use crate::sight::CombatResult;
    use crate::state::State;
    use crate::tables::combat::{Clash, Field, Fighter};
    use crate::view::{EnemyStack, View};
    use musterd_engine::hex::Hex;
    use musterd_engine::{Fold as _, Ruleset as _};

    /// The text for the last order, after its odds.
    fn said(orders: &str, enemy: Option<(Arm, &str)>) -> String {
        said_of(orders, enemy.map(|(kind, name)| (kind, name, Some(1))))
    }

    fn said_of(orders: &str, enemy: Option<(Arm, &str, Option<u32>)>) -> String {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        if let Some((kind, name, count)) = enemy {
            let id = rules.scenario.units.iter().find(|spec| spec.name == name).unwrap().id;
            let name = name.to_owned();
            let stack = EnemyStack { id, nation: nation("austria"), kind: kind.into(), name, count };
            view.enemies.insert("1507".parse().unwrap(), stack);
        }
        let recap = read_back(&rules, &view, orders).1;
        let effect = recap.orders.last().unwrap().effect.clone();
        effect[effect.rfind(')').unwrap() + 1..].to_owned()
    }

    /// One unit, and nobody below it.
    fn mack() -> Option<(Arm, &'static str)> {
        Some((Arm::Militia, "Mack 1"))
    }

    #[test]
    fn a_series_is_reckoned_against_every_morale_that_the_enemy_may_have() {
        let expected = ". Destroyed 47.2%, hurt 33.3%; ours loses 1.17 morale, destroyed 11.1%. Destroyed if its morale is 1: 86.1%, 0: 100.0%";
        assert_eq!(said("MOVE 1 TO 1407\nATTACK Ulm WITH 1 x2", mack()), expected);
    }

    #[test]
    fn a_second_attack_on_the_same_hex_reckons_with_the_first() {
        let orders = "MOVE 1 TO 1407\nMOVE 12 TO 1407\nATTACK Ulm WITH 1\nATTACK Ulm WITH 12";
        let expected = ". With the attacks before it: destroyed 66.7%, hurt 22.2%; ours loses 0.22 morale, destroyed 0.0%";
        assert_eq!(said(orders, mack()), expected);
    }

    #[test]
    fn nothing_is_said_of_a_unit_that_has_fought_or_will_not_fight() {
        assert_eq!(said("MOVE 1 TO 1407\nATTACK Ulm WITH 1\nATTACK Ulm WITH 1", mack()), "");
        assert_eq!(said("MOVE 1 TO 1407\nATTACK Ulm WITH 1 WHILE ODDS >= 4", mack()), "");
    }

    #[test]
    fn nothing_is_counted_once_the_top_unit_is_as_good_as_gone() {
        let orders = "MOVE 1, 8, 12, 13 TO 1407\nATTACK Ulm WITH 1, 8, 12, 13 UNTIL CLEAR";
        assert_eq!(
            said(orders, mack()),
            ". These odds reckon with the top unit, which the attacks before it have destroyed in 100.0% of cases"
        );
    }

    #[test]
    fn of_a_stack_only_the_top_unit_is_reckoned_with_and_it_is_said() {
        let stack = |count| Some((Arm::Militia, "Mack 1", count));
        let first = "MOVE 1, 8, 12, 13 TO 1407\nATTACK Ulm WITH 1 x2";
        let expected = ". Top unit destroyed 47.2%, hurt 33.3%; until it falls, ours loses 1.17 morale, destroyed 11.1%; not reckoned with: 9 more below it. Destroyed if its morale is \
                        1: 86.1%, 0: 100.0%";
        assert_eq!(said_of(first, stack(Some(10))), expected);
        // A round falls on the top unit alone: its price is the whole price.
        let round = said_of("MOVE 1 TO 1407\nATTACK Ulm WITH 1", stack(Some(10)));
        assert!(round.contains("; ours loses ") && !round.contains("not reckoned"), "{round}");
        // An attack that finds nothing left of the top unit has no cost of its own; only the others below it are mentioned.
        let last =
            said_of("MOVE 1, 8, 12, 13 TO 1407\nATTACK Ulm WITH 1, 8, 12, 13 UNTIL CLEAR", stack(Some(10)));
        assert_eq!(
            last,
            ". These odds reckon with the top unit, which the attacks before it have destroyed in 100.0% of cases; not reckoned with: 9 more below it"
        );
        let behind = said_of("MOVE 1 TO 1407\nATTACK Ulm WITH 1 x2", Some((Arm::Cavalry, "Mack Cav", None)));
        assert!(behind.contains("not reckoned with: whoever is below it, behind the cavalry"), "{behind}");
    }

    #[test]
    fn a_headquarters_in_sight_is_reckoned_with_its_own_modifier() {
        let charles = Some((Arm::Hq, "CHARLES"));
        let expected = ". Destroyed 83.3%; ours loses 0.33 morale, destroyed 0.0%";
        assert_eq!(said("MOVE 1 TO 1407\nATTACK Ulm WITH 1", charles), expected);
        let (rules, mut view) = (rules("austrian-1805"), opening(&rules("austrian-1805"), Side::French));
        let top = view.enemies.get_mut(&"1507".parse().unwrap()).unwrap();
        (top.kind, top.count) = (Arm::Hq.into(), Some(1));
        top.id = rules.scenario.units.iter().find(|spec| spec.name == "CHARLES").unwrap().id;
        let recap = read_back(&rules, &view, "MOVE 1 TO 1407\nATTACK Ulm WITH 1").1;
        let garrison = "not known: whether the city has a garrison, which would be attacked first: infantry there would make this -3. Odds +2 (";
        assert!(recap.orders[1].effect.starts_with(garrison), "{:?}", recap.orders[1]);
    }

    #[test]
    fn who_was_seen_is_reckoned_with_and_what_is_not_known_of_him_is_said_first() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let ulm = "1507".parse().unwrap();
        let turn = Turn { date: view.date, side: Side::Allied };
        let piece = |name: &str| rules.scenario.units.iter().find(|spec| spec.name == name).unwrap().id;
        let (mack, charles) = (piece("Mack 1"), piece("CHARLES"));
        let seen = |garrison| LastSeen {
            at: ulm,
            turn,
            glimpse: Glimpse { garrison, pieces: None },
            lost: false,
            may_be_there: true,
        };
        let said = |view: &View| {
            let recap = read_back(&rules, view, "MOVE 1 TO 1406\nATTACK Ulm WITH 1").1;
            recap.orders[1].effect.split_once(" (morale").unwrap().0.to_owned()
        };
        let fresh = "its morale and fatigue, reckoned as full (2) and none";
        let hq = "whether an HQ is with it, which would make this -1";
        assert_eq!(said(&view), format!("not known: {fresh}; {hq}. Odds +0"));
        view.remembered.insert(charles, seen(false));
        assert_eq!(said(&view), format!("not known: {fresh}. Odds -1"));
        let top = view.enemies[&ulm].id;
        view.fought.insert(top, Fought { turn, morale: 1, fatigue: 2 });
        let once = said(&view);
        assert!(once.contains("reckoned as 2 (1 when it last fought)"), "{once}");
        view.before = Some(turn);
        assert_eq!(said(&view), "odds +2", "morale 3 against 1, fatigue 2, an HQ");
        view.enemies.remove(&ulm);
        view.remembered = [(mack, seen(true))].into();
        let unseen = said(&view);
        assert!(
            unseen.starts_with(
                "not known: whether Mack 1, last seen there in Summer 1805, is the garrison still"
            ),
            "{unseen}"
        );
        assert!(unseen.ends_with("Odds +2"), "morale 3 against 1, fatigue 2, a garrison: {unseen}");
        let remarks = |text: &str| read_orders(&rules, &view, text).remarks;
        let known = &remarks("INFO Ulm")[0].text;
        assert!(known.contains("no unit seen; last seen there: Mack 1 (Austrian militia, as its garrison), Summer 1805, Allied"), "{known}");
        view.remembered.clear();
        let garrison = "not known: whether the city has a garrison; infantry there would make this -2";
        assert_eq!(said(&view), format!("{garrison}. Odds +2"));
        let warned = |view: &View, text: &str| {
            let remarks = read_orders(&rules, view, "MOVE 1 TO 1406\nATTACK Ulm WITH 1").remarks;
            assert!(remarks.iter().any(|remark| remark.text == text), "{remarks:?}");
        };
        warned(&view, "No enemy is seen at Ulm 1507: there is no attack unless the city has a garrison.");
        view.garrisons.insert(ulm, turn);
        let met = "the garrison that a march met there in Summer 1805 is there still";
        assert_eq!(
            said(&view),
            format!("not known: whether {met}; infantry there would make this -2. Odds +2")
        );
        warned(
            &view,
            "No enemy is seen at Ulm 1507: there is no attack unless that garrison is there still.",
        );
        let halted =
            "A march met a garrison at Ulm 1507 in Summer 1805, Allied: if it still stands, the march of";
        let past = read_orders(&rules, &view, "MOVE 1 TO Ulm").remarks;
        assert!(past.iter().any(|remark| remark.text.starts_with(halted)), "{past:?}");
        let known = read_orders(&rules, &view, "INFO Ulm").remarks.remove(0).text;
        assert!(
            known.contains("a march met a garrison there, whose name isn't known, Summer 1805, Allied"),
            "{known}"
        );
        view.garrisons.clear();
        view.control.insert(ulm, Side::French);
        assert_eq!(said(&view), "odds +2", "no enemy garrisons a city of one's own");
        warned(&view, "No enemy is seen at Ulm 1507: there is no attack unless one comes.");
    }

    #[test]
    fn of_those_last_seen_in_a_city_the_garrison_that_was_met_is_reckoned_with() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let ulm = "1507".parse().unwrap();
        view.enemies.remove(&ulm);
        let piece = |name: &str| rules.scenario.units.iter().find(|spec| spec.name == name).unwrap().id;
        let seen = |garrison, turn| LastSeen {
            at: ulm,
            turn: Turn { date: turn, side: Side::Allied },
            glimpse: Glimpse { garrison, pieces: None },
            lost: false,
            may_be_there: true,
        };
        let (now, next) = (view.date, view.date.next());
        let said = |view: &View| {
            read_back(&rules, view, "MOVE 1 TO 1406\nATTACK Ulm WITH 1").1.orders[1].effect.clone()
        };
        view.remembered = [(piece("Mack 1"), seen(false, now)), (piece("Mack 2"), seen(false, next))].into();
        assert!(said(&view).starts_with("not known: whether Mack 2, last seen"), "{}", said(&view));
        view.remembered.insert(piece("Mack 1"), seen(true, now));
        assert!(said(&view).starts_with("not known: whether Mack 1, last seen"), "{}", said(&view));
    }

    /// I Bernadotte has attacked Mack 1 at Ulm from Stuttgart, CHARLES and NAPOLEON behind them; the roll counts these modifiers of headquarters.
    fn after_a_round(rules: &Lga, attackers_hq: i8, defenders_hq: i8) -> State {
        let id = |name: &str| rules.scenario.units.iter().find(|spec| spec.name == name).unwrap().id;
        let [bernadotte, mack, napoleon, charles] = ["I Bernadotte", "Mack 1", "NAPOLEON", "CHARLES"].map(id);
        let given = format!(
            "{{date: {{season: autumn, year: 1805}}, phasing: french, units: {{{bernadotte}: {{at: '1406'}}, {napoleon}: {{at: '1406'}},
              {mack}: {{at: '1507'}}, {charles}: {{at: '1507'}}}}}}"
        );
        let mut state = rules.set_up(&serde_yaml::from_str(&given).unwrap()).unwrap();
        let [from, at] = ["1406", "1507"].map(|hex| hex.parse().unwrap());
        let fighter = |arm, morale| Fighter { arm, morale, fatigue: 0 };
        let clash = Clash {
            attacker: fighter(Arm::Infantry, 3),
            defender: fighter(Arm::Militia, 2),
            garrison: false,
            met: false,
            attacker_hq: attackers_hq,
            defender_hq: defenders_hq,
            field: Field::OPEN,
        };
        let (check, _) = clash.check(&rules.numbers.combat, 3);
        let (attacker, defender, garrison, spent) = (bernadotte, mack, false, 0);
        let result = CombatResult {
            attacker_loss: 0,
            defender_loss: 0,
            attacker_destroyed: false,
            defender_destroyed: false,
        };
        rules.apply(
            &mut state,
            &Event::Attacked { attacker, from, defender, at, garrison, check, result, spent },
        );
        state
    }

    #[test]
    fn a_headquarters_that_a_fight_has_shown_by_its_modifier_alone_is_reckoned_with() {
        let rules = rules("austrian-1805");
        let french = "french".parse().unwrap();
        let effect = |state: &State| {
            let recap = read_back(&rules, &rules.view(state, &french), "ATTACK Ulm WITH 1").1;
            recap.orders[0].effect.clone()
        };
        let told = effect(&after_a_round(&rules, 2, 1));
        let unknown = "whether the HQ +1 that a fight has shown with it in Autumn 1805 is there still, without which this would be +1";
        assert!(told.contains(unknown), "{told}");
        assert!(told.contains(" Odds +0 (") && told.contains("defender's HQ -1"), "{told}");
        // He is there in truth, but no roll has told of him.
        let untold = effect(&after_a_round(&rules, 2, 0));
        assert!(untold.contains("whether an HQ is with it, which would make this +0. Odds +1 ("), "{untold}");
        let info =
            &read_orders(&rules, &rules.view(&after_a_round(&rules, 2, 1), &french), "INFO Ulm").remarks[0];
        assert!(
            info.text.contains("; a fight has shown an HQ +1 with them, Autumn 1805, French"),
            "{info:?}"
        );
    }

    #[test]
    fn a_headquarters_that_a_fight_has_shown_counts_no_more_once_it_must_be_elsewhere() {
        let rules = rules("austrian-1805");
        let [french, allied] = ["french", "allied"].map(|seat| seat.parse().unwrap());
        let mut state = after_a_round(&rules, 2, 1);
        let [ulm, stuttgart] = ["1507", "1406"].map(|hex| hex.parse::<Hex>().unwrap());
        let modifier = |state: &State, seat, at| rules.view(state, seat).hqs.get(&at).map(|hq| hq.modifier);
        assert_eq!(modifier(&state, &allied, stuttgart), Some(2));
        let go = |state: &mut State, name: &str, from: Hex, to: &str| {
            let unit = rules.scenario.units.iter().find(|spec| spec.name == name).unwrap().id;
            let to = to.parse().unwrap();
            rules.apply(state, &Event::Moved { unit, from, to, left: 1, marched: 1, captured: false });
        };
        go(&mut state, "NAPOLEON", stuttgart, "1407");
        assert_eq!(modifier(&state, &allied, stuttgart), None, "nobody else is +2, and he was seen to go");
        assert_eq!(modifier(&state, &french, ulm), Some(1));
        go(&mut state, "Mack 1", ulm, "1508");
        assert_eq!(modifier(&state, &french, ulm), None, "CHARLES is in sight there, and alone");
    }
}
