//! The rulesets of the program, for the suite.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use musterd::dice::Seat;
use musterd::engine::Ruleset;
use musterd::rules::acw::{self, Acw};
use musterd::rules::dog::{self, Dog};
use musterd::rules::lga::{self, Lga};
use musterd::rules::sa::{self, Sa};

use super::Specimen;
use crate::common::reach::Named;

/// La Grande Armée: hidden are the morale of the enemy's units, his standing orders, and whom others screen.
pub(crate) struct LgaSpecimen;

impl Specimen for LgaSpecimen {
    type Rules = Lga;
    const SCENARIO: &'static str = "lga/austrian-1805";
    const WORDS: &'static [&'static str] = &[
        "MOVE",
        "ATTACK",
        "BUILD",
        "RALLY",
        "GARRISON",
        "TOP",
        "AID",
        "STANDING",
        "NONE",
        "REINFORCE",
        "WITHDRAW",
        "TO",
        "VIA",
        "AT",
        "IF",
        "LONG",
        "III",
        "Davout",
        "12",
        "Ulm",
        "1507",
        "9999",
        "-3",
        "BEGIN",
        "#",
        "then",
        "?",
    ];

    fn disturb(
        views: &BTreeMap<Seat, lga::view::View>,
        hidden_from: &Seat,
        _: u64,
    ) -> Vec<lga::event::Event> {
        let enemy = |view: &&lga::view::View| view.side != views[hidden_from].side;
        let mut hidden = Vec::new();
        for view in views.values().filter(enemy) {
            hidden.push(emptied(view));
            for unit in view.own.values().filter(|unit| unit.max_morale > 1) {
                let morale = if unit.morale > 1 { unit.morale - 1 } else { unit.morale + 1 };
                hidden.push(lga::event::Event::Rallied { unit: unit.id, morale, cost: 0 });
            }
            for unit in view.own.values().filter(|unit| is_screened(unit, view, &views[hidden_from])) {
                hidden.push(lga::event::Event::Starved { unit: unit.id, at: unit.hex });
            }
        }
        hidden
    }

    fn amendment(views: &BTreeMap<Seat, lga::view::View>, hidden_from: &Seat) -> Option<String> {
        let enemy = |view: &&lga::view::View| view.side != views[hidden_from].side;
        let mut units = views.values().filter(enemy).flat_map(|view| view.own.values());
        let unit = units.rfind(|unit| unit.morale > 1)?;
        Some(format!("UNIT {} MORALE {}; UNIT {} FATIGUE 3", unit.id, unit.morale - 1, unit.id))
    }
}

/// Whether the enemy can't know that a unit is there: garrisons, headquarters with units, all below cavalry (manual 3.5).
fn is_screened(unit: &lga::view::OwnUnit, own: &lga::view::View, enemy: &lga::view::View) -> bool {
    let Some(seen) = enemy.enemies.get(&unit.hex) else { return unit.garrison };
    let in_the_field = |id: &lga::model::UnitId| {
        own.own.get(id).is_some_and(|unit| !unit.garrison && unit.kind.arm != lga::model::Arm::Hq)
    };
    let below_cavalry = seen.count.is_none() && seen.name != unit.name;
    let with_units = unit.kind.arm == lga::model::Arm::Hq && own.stacks[&unit.hex].iter().any(in_the_field);
    unit.garrison || below_cavalry || with_units
}

/// A seat's standing orders, taken from it.
fn emptied(view: &lga::view::View) -> lga::event::Event {
    lga::event::Event::StandingFiled { seat: view.seat.clone(), file: Vec::new() }
}

/// La Grande Armée with the Allied side shared: hidden from an ally are another's standing orders, and which of his orders
/// could not be carried out.
pub(crate) struct SharedSpecimen;

impl Specimen for SharedSpecimen {
    type Rules = Lga;
    const SCENARIO: &'static str = "lga/austrian-1805";
    const SEATS: &'static [&'static str] = &["french", "allied.austria", "allied.russia-britain"];
    const WORDS: &'static [&'static str] = LgaSpecimen::WORDS;

    fn disturb(
        views: &BTreeMap<Seat, lga::view::View>,
        hidden_from: &Seat,
        seed: u64,
    ) -> Vec<lga::event::Event> {
        let mut hidden = LgaSpecimen::disturb(views, hidden_from, seed);
        let side = views[hidden_from].side;
        for ally in views.values().filter(|view| view.side == side && view.seat != *hidden_from) {
            hidden.push(emptied(ally));
            hidden.push(lga::event::Event::NotDone {
                seat: ally.seat.clone(),
                line: 3,
                order: "Attack Ulm 1507".to_owned(),
                reason: "it stopped".to_owned(),
            });
        }
        hidden
    }

    fn amendment(views: &BTreeMap<Seat, lga::view::View>, hidden_from: &Seat) -> Option<String> {
        LgaSpecimen::amendment(views, hidden_from)
    }
}

/// Death or Glory: shots, leadership, instructions and hidden units are hidden from enemies.
pub(crate) struct DogSpecimen;

impl Specimen for DogSpecimen {
    type Rules = Dog;
    const SCENARIO: &'static str = "dog/daerquwa";
    const WORDS: &'static [&'static str] = &[
        "MOVE",
        "FLEE",
        "ATTACK",
        "SHOOT",
        "DEFEND",
        "HIDE",
        "IF",
        "ATTACKED",
        "KEEP",
        "SURRENDER",
        "UNIT",
        "BOARD",
        "LAND",
        "DISMOUNT",
        "SPLIT",
        "LEAVE",
        "TO",
        "AT",
        "ALL",
        "ANY",
        "E1",
        "D2",
        "Q3b",
        "3",
        "99",
        "0405",
        "9999",
        "NE",
        "King's",
        "Axes",
        "heavy",
        "infantry",
        "18",
        "65536",
        "-3",
        "\"",
        ",",
        "#",
        "?",
    ];

    fn disturb(
        views: &BTreeMap<Seat, dog::view::View>,
        hidden_from: &Seat,
        _: u64,
    ) -> Vec<dog::event::Event> {
        let other = |view: &&dog::view::View| view.seat != *hidden_from;
        let mut hidden = Vec::new();
        let amended = |change| dog::event::Event::Amended { change };
        for view in views.values().filter(other) {
            let army = view.army.unwrap();
            hidden.push(amended(dog::amend::Change::Leadership { army, leadership: view.leadership + 7 }));
            let if_attacked = dog::order::IfAttacked { defend: true, ..Default::default() };
            hidden.push(dog::event::Event::Instructed { army, if_attacked });
            for (unit, own) in &view.own {
                for (sort, shots) in (0..).zip(&own.shots) {
                    let change = dog::amend::Change::Shots { unit: *unit, sort, shots: shots + 1 };
                    hidden.push(amended(change));
                }
                if own.hidden && !views[hidden_from].others.contains_key(unit) {
                    hidden.push(amended(dog::amend::Change::Removed { unit: *unit }));
                }
            }
        }
        hidden
    }

    fn amendment(views: &BTreeMap<Seat, dog::view::View>, hidden_from: &Seat) -> Option<String> {
        let other = views.values().filter(|view| view.seat != *hidden_from);
        let shooter =
            other.flat_map(|view| &view.own).find(|(_, unit)| unit.shots.iter().any(|left| *left > 0));
        shooter.map(|(unit, _)| format!("UNIT {unit} SHOTS 3; RULE {unit} HOLDS"))
    }
}

/// The Shattered Alliance, with a wizard whom his likenesses hide: hidden are the orders of the other side, and who is the wizard.
pub(crate) struct SaSpecimen;

impl Specimen for SaSpecimen {
    type Rules = Sa;
    const SCENARIO: &'static str = "sa/ormolu";
    const OPTIONS: &'static [(&'static str, &'static str)] = &[("wizard", "placed")];
    const WORDS: &'static [&'static str] = &[
        "MOVE",
        "HOLD",
        "REPLICATE",
        "WAIT",
        "ATTACK",
        "FIRE",
        "CAST",
        "STANCE",
        "ON",
        "CANCEL",
        "DEPLOY",
        "DETAIL",
        "MAP",
        "AGAIN",
        "LEAVE",
        "UNTIL",
        "WHEN",
        "CONTACT",
        "ROUT",
        "NEAR",
        "FIRED",
        "TO",
        "AT",
        "ALL",
        "CHARGE",
        "ADVANCE",
        "AVOID",
        "COURAGE",
        "HASTE",
        "A1",
        "B3",
        "1-4",
        "7",
        "99",
        "0405",
        "9999",
        "NE",
        "2",
        "-3",
        "\"",
        ",",
        "#",
        "?",
    ];

    fn disturb(
        views: &BTreeMap<Seat, sa::view::View>,
        hidden_from: &Seat,
        seed: u64,
    ) -> Vec<sa::event::Event> {
        let other = |view: &&sa::view::View| view.side != views[hidden_from].side;
        let mut hidden = Vec::new();
        for view in views.values().filter(other) {
            for (unit, charge) in &view.charges {
                let stance = sa::order::Stance::Avoid;
                let charge = sa::order::Charge {
                    tasks: charge.tasks.iter().skip(1).copied().collect(),
                    stance,
                    triggers: Vec::new(),
                };
                hidden.push(sa::event::Event::Told { unit: *unit, charge });
            }
            hidden.extend(
                another(view, seed)
                    .map(|real| sa::event::Event::Amended { change: sa::event::Change::Wizard(real) }),
            );
        }
        hidden
    }

    fn amendment(views: &BTreeMap<Seat, sa::view::View>, hidden_from: &Seat) -> Option<String> {
        let other = |view: &&sa::view::View| view.side != views[hidden_from].side;
        let real = views.values().filter(other).find_map(|view| another(view, 0))?;
        Some(format!("WIZARD {real}"))
    }
}

/// The rules of the specimen's battle, for who in it looks like the wizard.
static ORMOLU: LazyLock<Sa> = LazyLock::new(|| Sa::from_files(&sa::shipped("ormolu").unwrap(), &[]).unwrap());

/// A likeness on the field that could be the wizard as well: it has as many men.
fn another(view: &sa::view::View, seed: u64) -> Option<sa::model::UnitId> {
    let (real, battle) = (view.real?, ORMOLU.battle());
    let unit = |id: sa::model::UnitId| &view.position.units[battle.index(id).unwrap()];
    let alike = |id: &&sa::model::UnitId| {
        let there = unit(**id);
        battle.spec(**id).likeness && **id != real && there.at.is_some() && there.men == unit(real).men
    };
    let others: Vec<_> = view.charges.keys().filter(alike).collect();
    let place = usize::try_from(seed).unwrap_or_default().checked_rem(others.len())?;
    Some(*others[place])
}

/// Decisive Battles of the American Civil War: hidden are the enemy's commands, staffs, leaders and guns, and where his brigades stand that nobody sees.
pub(crate) struct AcwSpecimen;

impl Specimen for AcwSpecimen {
    type Rules = Acw;
    const SCENARIO: &'static str = "acw/kellys-mill";
    const WORDS: &'static [&'static str] = &[
        "ARMY",
        "MOVE",
        "PROFILE",
        "COMMAND",
        "OFFENSIVE",
        "DEFENSIVE",
        "RESERVE",
        "ASSAULT",
        "SKIRMISH",
        "ADVANCE",
        "WITHDRAW",
        "OBJECTIVE",
        "COLUMN",
        "DEPLOY",
        "REGROUP",
        "STAND",
        "IF",
        "ENGAGED",
        "SHAKEN",
        "STOP",
        "ON",
        "CONTACT",
        "RESIGN",
        "CONFIRM",
        "ROSTER",
        "INFO",
        "HEROIC",
        "CAUTIOUS",
        "VIA",
        "TO",
        "ALL",
        "CORPS",
        "H2",
        "H1",
        "1",
        "3",
        "1-4",
        "99",
        "0405",
        "9999",
        "NE",
        "Mill",
        "\"",
        "Church",
        "-3",
        ",",
        "#",
        "?",
    ];

    fn disturb(
        views: &BTreeMap<Seat, acw::view::View>,
        hidden_from: &Seat,
        _: u64,
    ) -> Vec<acw::event::Event> {
        use acw::event::Change;
        let other = |view: &&acw::view::View| view.side != views[hidden_from].side;
        let mut hidden = Vec::new();
        for view in views.values().filter(other) {
            for (id, brigade) in view.own_brigades().filter(|(_, brigade)| brigade.at.is_some()) {
                let unit = acw::model::UnitId::Brigade(id);
                hidden.push(Change::Leadership(unit, (brigade.leadership + 1) % 10));
                hidden.push(Change::Guns(id, brigade.guns + 2));
                hidden.push(Change::Touch(unit, !brigade.in_touch));
            }
            for (id, hq) in view.own_hqs().filter(|(_, hq)| hq.at.is_some()) {
                hidden.push(Change::Staff(id, (hq.staff + 1) % 10));
                if !id.is_army() {
                    hidden.push(Change::Command(id, acw::order::Command::Reserve));
                }
            }
        }
        hidden.into_iter().map(|change| acw::event::Event::Amended { change }).collect()
    }

    /// Objectives by name, deployments by direction, the way of a headquarters by hex.
    fn going(named: &Named) -> String {
        let hex = named.hex().to_string();
        let name = named.place.trim_end_matches(&hex).trim();
        match named.order.split(' ').next() {
            Some("ARMY") => named.by_hex(),
            Some("DEPLOY") => format!("{} {name}", named.order),
            _ if named.order.ends_with("TO") => format!("{} {name}", named.order),
            _ => named.order.clone(),
        }
    }

    fn amendment(views: &BTreeMap<Seat, acw::view::View>, hidden_from: &Seat) -> Option<String> {
        let other = |view: &&acw::view::View| view.side != views[hidden_from].side;
        let mut brigades = views.values().filter(other).flat_map(acw::view::View::own_brigades);
        let (id, _) = brigades.find(|(_, brigade)| brigade.at.is_some())?;
        Some(format!("BRIGADE {id} LEADERSHIP 9"))
    }
}
