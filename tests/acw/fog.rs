//! What a side may know of the enemy's brigades, reckoned from what happened by the manual's "Sighting" and the rulings ACW-22, 44 and 70, without asking the
//! view: sums of sight at the end of a turn, pickets that a march meets, fights. All that a side is sent in games of computer commanders is held to it.

use std::collections::{BTreeMap, BTreeSet};

use musterd_acw::event::Event;
use musterd_acw::model::{BrigadeId, Light, Side, UnitId, Weather};
use musterd_acw::{Acw, Skill, State};
use musterd_engine::hex::Hex;
use musterd_engine::{Awaiting, Fold, Ruleset};
use musterd_report::text;
use serde_json::Value;

use crate::acw_arena;
use crate::common::Loose;

/// What is true, and what each side may know of it.
struct Truth<'a> {
    rules: &'a Acw,
    turn: u16,
    at: BTreeMap<BrigadeId, Hex>,
    /// The armies' headquarters; others stand with brigades.
    hqs: [Option<Hex>; 2],
    control: BTreeMap<Hex, Side>,
    sighted: [BTreeSet<BrigadeId>; 2],
    picketed: [BTreeSet<BrigadeId>; 2],
    /// Where and when each enemy was seen.
    ever: [BTreeSet<(BrigadeId, u16, Hex)>; 2],
}

/// What weather and light add (ACW-22).
fn haze(weather: Weather, light: Light) -> i32 {
    let weather = match weather {
        Weather::Clear => 0,
        Weather::Overcast | Weather::Drizzle => 4,
        Weather::Rain | Weather::LightFog => 8,
        Weather::Snow => 10,
        Weather::HeavyFog => 15,
    };
    let light = match light {
        Light::Day => 0,
        Light::Dawn | Light::Dusk => 6,
        Light::Night => 12,
    };
    weather + light
}

impl Truth<'_> {
    fn sees(&self, side: Side, id: BrigadeId) -> bool {
        let side = side.index();
        self.sighted[side].contains(&id) || self.picketed[side].contains(&id)
    }

    /// The least sum of sight that a side's units have to an enemy brigade.
    fn sum(&self, by: Side, foe: BrigadeId) -> Option<i32> {
        let (battle, numbers) = (self.rules.battle(), self.rules.numbers());
        let hour = battle.hour(self.turn);
        let reach = if hour.light == Light::Night || hour.weather == Weather::HeavyFog { 1 } else { 5 };
        let sight = |hex: Hex| numbers.terrain(battle.map.ground(hex)).sight;
        let there = self.at[&foe];
        let own = self.at.iter().filter(|(id, _)| id.side == by).map(|(_, at)| *at);
        let own = own.chain(self.hqs[by.index()]).filter(|at| at.distance(there) <= reach);
        let of = |at: Hex| -> i32 {
            let between = at.line(there).map(|(hex, beside)| {
                let both = [Some(hex), beside].into_iter().flatten().filter(|hex| battle.map.has(*hex));
                8 + both.map(sight).min().unwrap_or(0)
            });
            sight(at) + sight(there) + between.sum::<i32>() + haze(hour.weather, hour.light)
        };
        own.map(of).min()
    }

    /// A brigade comes into a hex: it is found if that, or a hex next to it, is the enemy's.
    fn comes(&mut self, id: BrigadeId, to: Hex) {
        let enemys = |hex: &Hex| self.control.get(hex) == Some(&id.side.other());
        if enemys(&to) || to.around().any(|hex| enemys(&hex)) {
            self.picketed[id.side.other().index()].insert(id);
        }
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Founded => {
                let all = self.rules.battle().armies.iter().flat_map(|army| &army.brigades);
                for (hq, army) in self.hqs.iter_mut().zip(&self.rules.battle().armies) {
                    *hq = army.hqs[0].start.filter(|start| start.turn == 0).map(|start| start.at);
                }
                self.at.extend(all.filter(|spec| spec.start.turn == 0).map(|spec| (spec.id, spec.start.at)));
            }
            Event::HqArrived { hq, at } | Event::HqFired { hq, to: at, .. } => {
                self.hqs[hq.side.index()] = Some(*at);
            }
            Event::Moved { unit: UnitId::Hq(hq), to, .. } => self.hqs[hq.side.index()] = Some(*to),
            Event::Began { turn } => {
                self.turn = *turn;
                for side in 0..2 {
                    self.picketed[side] = std::mem::take(&mut self.sighted[side]);
                }
            }
            Event::Arrived { brigade, at } => {
                self.at.insert(*brigade, *at);
                self.control.insert(*at, brigade.side);
            }
            Event::Targeted { brigade, target: Some((UnitId::Brigade(foe), _)), .. } => {
                self.picketed[brigade.side.index()].insert(*foe);
            }
            Event::Fired(shot) => {
                self.picketed[shot.attacker.side.index()].insert(shot.target);
                self.picketed[shot.target.side.index()].insert(shot.attacker);
            }
            Event::Moved { unit: UnitId::Brigade(id), to, .. } => {
                self.comes(*id, *to);
                self.at.insert(*id, *to);
                let is_alone = self.at.iter().all(|(other, at)| other == id || at != to);
                if is_alone {
                    self.control.insert(*to, id.side);
                }
            }
            Event::Retreated { brigade, way, .. } => {
                if let Some(last) = way.last() {
                    self.at.insert(*brigade, *last);
                    self.control.insert(*last, brigade.side);
                }
            }
            Event::Destroyed { brigade, .. } => {
                self.at.remove(brigade);
                for side in 0..2 {
                    self.sighted[side].remove(brigade);
                    self.picketed[side].remove(brigade);
                }
            }
            Event::Controlled { side, hexes } => {
                self.control.extend(hexes.iter().map(|hex| (*hex, *side)));
            }
            Event::Sighted { by, units } => {
                let seen: BTreeSet<BrigadeId> = units
                    .iter()
                    .filter_map(|unit| if let UnitId::Brigade(id) = unit { Some(*id) } else { None })
                    .collect();
                for foe in self.at.keys().filter(|id| id.side != *by) {
                    // A random number of 0 to 7 is added, and less than 56 is seen.
                    let sum = self.sum(*by, *foe);
                    assert!(!seen.contains(foe) || sum.is_some_and(|sum| sum < 56), "{foe}: {sum:?}");
                    assert!(seen.contains(foe) || sum.is_none_or(|sum| sum + 7 >= 56), "{foe}: {sum:?}");
                }
                self.sighted[by.index()] = seen;
            }
            _ => {}
        }
        for side in Side::ALL {
            let seen: Vec<_> = self.at.iter().filter(|(id, _)| self.sees(side, **id)).collect();
            let seen: Vec<_> = seen.into_iter().map(|(id, at)| (*id, self.turn, *at)).collect();
            self.ever[side.index()].extend(seen);
        }
    }

    /// A report tells of enemies as this side knows them.
    #[track_caller]
    fn holds(&self, side: Side, state: &State, sights: &[musterd_acw::Sight]) {
        let (rules, battle) = (self.rules, self.rules.battle());
        let view = rules.view(state, &battle.army(side).commanders[0].seat);
        let data: Value = serde_json::from_str(rules.published(&view).get()).unwrap();
        let mut shown: BTreeSet<(Hex, String, bool)> = BTreeSet::new();
        for foe in data["enemies"].as_array().unwrap() {
            let (kind, at) = (foe["kind"].as_str().unwrap(), hex_of(&foe["at"]));
            if kind.contains("headquarters") {
                continue;
            }
            if foe["seen"] == "remembered" {
                let turn = foe["turn"].as_u64().unwrap();
                let was = self.ever[side.index()].iter().any(|(id, seen, there)| {
                    (u64::from(*seen), *there) == (turn, at) && battle.brigade(*id).arm.words() == kind
                });
                assert!(was, "{side:?}, turn {}: {foe}", self.turn);
                continue;
            }
            shown.insert((at, kind.to_owned(), foe["seen"] == "sighted"));
        }
        let enemies = self.at.iter().filter(|(id, _)| id.side != side && self.sees(side, **id));
        let may: BTreeSet<(Hex, String, bool)> = enemies
            .map(|(id, at)| {
                let sighted = self.sighted[side.index()].contains(id);
                (*at, battle.brigade(*id).arm.words().to_owned(), sighted)
            })
            .collect();
        assert_eq!(shown, may, "{side:?}, turn {}", self.turn);
        let brief = rules.brief(&view, sights);
        let pages = [text::sections(&brief), format!("{brief:?}"), data.to_string()];
        for spec in &battle.army(side.other()).brigades {
            // Names that are also those of places or of his own men say nothing.
            let own = serde_json::to_string(&data["brigades"]).unwrap();
            let is_common = own.contains(&spec.commander)
                || spec.commander.is_empty()
                || battle.situation.contains(&spec.commander)
                || battle.army(side).hqs.iter().any(|hq| hq.commander.contains(&spec.commander))
                || battle.army(side).brigades.iter().any(|own| own.commander.contains(&spec.commander))
                || battle.map.places.values().any(|name| name.contains(&spec.commander))
                || battle.army(side).advice.contains(&spec.commander);
            for page in pages.iter().filter(|_| !is_common) {
                assert!(!page.contains(&spec.commander), "{} is named to {side:?}", spec.commander);
            }
        }
        // The section of enemies names no hexes but theirs; those that are out of sight have the hour when they were seen.
        let page = text::sections(&brief).replace('\n', " ");
        let Some((_, rest)) = page.split_once("THE ENEMY -") else { return };
        let (told, _) = rest.split_once("OBJECTIVES -").unwrap();
        let (seen, lost) = told.split_once("Out of sight").unwrap_or((told, ""));
        let hexes = |text: &str| -> BTreeSet<Hex> {
            let words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| word.len() == 4);
            words.filter_map(|word| word.parse().ok()).collect()
        };
        let of_data = |remembered: bool| -> BTreeSet<Hex> {
            let foes = data["enemies"].as_array().unwrap().iter();
            foes.filter(|foe| (foe["seen"] == "remembered") == remembered)
                .map(|foe| hex_of(&foe["at"]))
                .collect()
        };
        assert_eq!((hexes(seen), hexes(lost)), (of_data(false), of_data(true)), "{told}");
        let marked = lost.matches(":00)").count();
        let remembered = data["enemies"].as_array().unwrap().iter().filter(|foe| foe["seen"] == "remembered");
        assert_eq!(marked, remembered.count(), "{lost}");
    }

    /// What a side is told of an event names no enemy brigade that it doesn't see before or after it.
    #[track_caller]
    fn tells(&self, side: Side, sight: &musterd_acw::Sight, known: &BTreeSet<Hex>) {
        let mut all = vec![serde_json::to_value(sight).unwrap()];
        while let Some(value) = all.pop() {
            if let Some(enemy) = value.get("enemy").filter(|enemy| enemy["kind"].get("brigade").is_some()) {
                let at = hex_of(&enemy["at"]);
                assert!(known.contains(&at), "{side:?}, turn {}: {sight:?}", self.turn);
            }
            match value {
                Value::Array(values) => all.extend(values),
                Value::Object(map) => all.extend(map.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }

    /// The hexes of the enemies that a side sees.
    fn known(&self, side: Side) -> BTreeSet<Hex> {
        let foes = self.at.iter().filter(|(id, _)| id.side != side && self.sees(side, **id));
        foes.map(|(_, at)| *at).collect()
    }
}

fn hex_of(value: &Value) -> Hex {
    value.as_str().unwrap_or_else(|| panic!("{value}")).parse().unwrap()
}

/// Games of computer commanders, each report of both sides.
#[test]
fn reports_tell_of_the_enemy_what_sight_pickets_and_fights_show() {
    for (battle, options, turns, seed) in
        [("kellys-mill", "", 20, 1), ("bull-run", "", 16, 2), ("shiloh", "block: 3, despatches: on", 7, 3)]
    {
        let rules = acw_arena::rules(battle, options);
        let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
        let seats = Side::ALL.map(|side| rules.battle().army(side).commanders[0].seat.clone());
        let empty = || [BTreeSet::new(), BTreeSet::new()];
        let mut truth = Truth {
            rules: &rules,
            turn: 0,
            at: BTreeMap::new(),
            hqs: [None; 2],
            control: BTreeMap::new(),
            sighted: empty(),
            picketed: empty(),
            ever: [BTreeSet::new(), BTreeSet::new()],
        };
        for t in 1..=turns {
            if matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
                break;
            }
            // Who controls which hex is public.
            let view = rules.view(&state, &seats[0]);
            let map = &rules.battle().map;
            truth.control = map.hexes().map(|hex| (hex, view.controller(&rules, hex))).collect();
            let orders = |seat: &musterd_dice::Seat| {
                let view = rules.view(&state, seat);
                let skill = if t % 2 == 0 { Skill::Cautious } else { Skill::Seasoned };
                (seat.clone(), acw_arena::orders(&rules, &view, skill, u64::from(t)))
            };
            let all = if t > 1 { seats.iter().map(orders).collect() } else { BTreeMap::new() };
            let (_, events) = acw_arena::step(&rules, &state, t, &mut dice, all);
            let mut sights = [Vec::new(), Vec::new()];
            for event in &events {
                let before = Side::ALL.map(|side| truth.known(side));
                let told = seats.each_ref().map(|seat| rules.witness(&state, event, seat));
                rules.apply(&mut state, event);
                truth.apply(event);
                for side in Side::ALL {
                    let known = &before[side.index()] | &truth.known(side);
                    if let Some(sight) = &told[side.index()] {
                        truth.tells(side, sight, &known);
                    }
                }
                for (all, sight) in sights.iter_mut().zip(told) {
                    all.extend(sight);
                }
            }
            for side in Side::ALL {
                truth.holds(side, &state, &sights[side.index()]);
            }
        }
        assert!(truth.ever.iter().all(|seen| seen.len() > 20), "{battle}: too little was seen");
    }
}
