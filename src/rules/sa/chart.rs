//! A battle as a rule book prints it: situation, both orders of battle, special rules, types of unit, the field with the first position.

use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section, Table};
use musterd_text::nouns::count;

use crate::battle::{Army, Battle, Setting, Spec};
use crate::brief;
use crate::data::Sa;
use crate::fog;
use crate::model::{Kind, Missile, Side, Terrain};
use crate::numbers::Gifts;
use crate::options::Edition;
use crate::state::State;
use crate::words;

/// The battle as a document, its map at the end if it is wanted.
pub(crate) fn chart(rules: &Sa, map: bool) -> Briefing {
    let battle = rules.battle();
    let mut sections = vec![
        Section::of("Situation", vec![Part::text(&battle.situation)]),
        Section::of("The battle", vec![Part::Facts { facts: facts(rules) }]),
    ];
    for side in Side::ALL {
        let army = battle.army(side);
        let parts = vec![Part::Facts { facts: side_facts(battle, army) }, Part::Table(units(battle, side))];
        sections.push(Section::of(format!("{}: {}", side.letter(), army.name), parts));
    }
    let special = special(rules);
    if !special.is_empty() {
        let items = special.into_iter().map(|text| Item { text, details: Vec::new() }).collect();
        sections.push(Section::of("Special rules", vec![Part::Items { numbered: false, items }]));
    }
    sections.push(Section::of("Types of unit", vec![Part::Table(kinds(rules))]));
    if map && let Some(spec) = rules.seat_specs().first() {
        let view = fog::view(rules, &State::at_start(rules), &spec.seat);
        sections.push(brief::field(rules, &view));
    }
    Briefing { title: battle.title.clone(), date: battle.date.clone(), sections, ..Briefing::default() }
}

fn facts(rules: &Sa) -> Vec<Fact> {
    let battle = rules.battle();
    let setting = match battle.setting {
        Setting::Fantasy => "fantasy",
        Setting::Historical => "historical",
        Setting::Introductory => "introductory",
    };
    let edition = match rules.choices().edition {
        Edition::Apple => "the first",
        Edition::Atari => "the Atari edition",
    };
    let mut facts = vec![
        Fact::of("Scenario", setting),
        Fact::of("Edition", edition),
        Fact::of("Nightfall", format!("after time-point {}", battle.nightfall)),
        Fact::of("Mail turns", format!("of {} time-points", rules.choices().block)),
    ];
    if !battle.sources.is_empty() {
        facts.push(Fact::of("Sources", battle.sources.clone()));
    }
    facts
}

fn side_facts(battle: &Battle, army: &Army) -> Vec<Fact> {
    let seats = army.commanders.iter().map(|one| Fact::of("Seat", format!("{}, {}", one.seat, one.title)));
    let mut facts: Vec<Fact> = seats.collect();
    let units = || battle.units[army.units.0..army.units.1].iter().filter(|spec| is_told(battle, spec));
    let men: u32 = units().map(|spec| spec.men).sum();
    let morale: i32 = units().map(|spec| spec.gifts.morale).sum();
    facts.push(Fact::of(
        "At the start",
        format!("{}, {men} men, army morale {morale}", count(units().count(), "unit")),
    ));
    if army.magic > 0 {
        facts.push(Fact::of("Spell points", army.magic.to_string()));
    }
    facts
}

/// Whether a unit is one that the battle begins with: no likeness that a wizard is yet to make.
fn is_told(battle: &Battle, spec: &Spec) -> bool {
    !spec.likeness || battle.hunt.is_some_and(|hunt| hunt.wizard == spec.id)
}

/// The order of battle of a side: units that are alike in a row.
fn units(battle: &Battle, side: Side) -> Table {
    let mut table = Table::new(&["Units", "Name", "Type, class", "Arms", ">Men each"]);
    let (from, to) = battle.army(side).units;
    let told: Vec<&Spec> = battle.units[from..to].iter().filter(|spec| is_told(battle, spec)).collect();
    for alike in told.chunk_by(|a, b| bare(&a.name) == bare(&b.name) && figures(a) == figures(b)) {
        let (Some(first), Some(last)) = (alike.first(), alike.last()) else { continue };
        let units = match alike.len() {
            1 => first.id.to_string(),
            _ => format!("{}-{}", first.id, last.id.number),
        };
        let name = bare(&first.name);
        let [tribe, kind, arms, men] = figures(first);
        let name = match speaks_of(name, &tribe) {
            true => name.to_owned(),
            false => format!("{name} ({tribe})"),
        };
        table.row([units, name, kind, arms, men]);
    }
    table
}

/// A name without the number behind it.
fn bare(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign.is_ascii_digit()).trim_end()
}

/// Whether a name has the tribe in it, but for an ending: `Valkyrian Lancers` are Valkyries.
fn speaks_of(name: &str, tribe: &str) -> bool {
    const ENDING: usize = 2;
    let stem: String = tribe.chars().take(tribe.chars().count().saturating_sub(ENDING).max(3)).collect();
    tribe.is_empty() || name.to_lowercase().contains(&stem.to_lowercase())
}

/// What the order of battle says of a unit besides its name: its tribe, its type and class, its arms, its men.
fn figures(spec: &Spec) -> [String; 4] {
    let missile = spec.missile.map(Missile::words);
    let arms = [Some(spec.weapon.words()), missile, spec.shield.then_some("shields")];
    [
        spec.tribe.clone(),
        format!("{} {}", spec.kind.code(), spec.class.letter()),
        arms.into_iter().flatten().collect::<Vec<_>>().join(", "),
        spec.men.to_string(),
    ]
}

/// What is special: of tribes, of units, of the wizard; a sentence each.
fn special(rules: &Sa) -> Vec<String> {
    let battle = rules.battle();
    let mut said = Vec::new();
    for (tribe, gifts) in &rules.numbers().tribes {
        if battle.units.iter().any(|spec| spec.tribe == *tribe) {
            said.push(format!("{tribe}: {}.", gifts_in_words(gifts)));
        }
    }
    for side in Side::ALL {
        let (from, to) = battle.army(side).units;
        let units = battle.units[from..to].iter().filter(|spec| is_told(battle, spec));
        let casters: Vec<&str> =
            units.clone().filter(|spec| spec.casts).map(|spec| bare(&spec.name)).collect();
        if battle.army(side).magic > 0 && casters.len() < units.clone().count() {
            let name = words::headed(&battle.army(side).name);
            said.push(format!("{name}: only {} can cast spells.", casters.join(", ")));
        }
        for spec in units {
            let name = format!("{} {}", spec.id, spec.name);
            if let Some(arrival) = spec.arrives {
                said.push(format!("{name} comes at time-point {} in {}.", arrival.point, arrival.at));
            }
            if let Some(point) = spec.waits {
                said.push(format!("{name} may not move before time-point {point}."));
            }
            if let Some(desertion) = spec.deserts {
                said.push(format!(
                    "{name} throws a die at time-point {}, and deserts on {} or less.",
                    desertion.point, desertion.most
                ));
            }
        }
    }
    if let Some(hunt) = battle.hunt {
        let likenesses = battle.units.iter().filter(|spec| spec.likeness).count() - 1;
        let made = match rules.choices().placed {
            true => format!("{likenesses} likenesses of him stand on the field from the start"),
            false => {
                format!("he can make {likenesses} likenesses of himself for {} spell points each", hunt.cost)
            }
        };
        let name = bare(&battle.spec(hunt.wizard).name);
        let ends = match hunt.decides {
            true => format!(
                "His death wins the battle for his enemies; he wins it if he leaves over his own edge after time-point {} or \
                 lives at nightfall.",
                hunt.leaves
            ),
            false => "Neither his death nor his escape ends the battle.".to_owned(),
        };
        said.push(format!("{name}: {made}, and only his own side knows which is real. {ends}"));
    }
    said
}

fn gifts_in_words(gifts: &Gifts) -> String {
    let mut said = vec![format!("a unit is worth {} in army morale", gifts.morale)];
    let mut say = |number: i32, words: &str| {
        if number != 0 {
            said.push(format!("{number:+} {words}"));
        }
    };
    say(-i32::from(gifts.sooner), "time-points on moves");
    say(gifts.bow, "when it fires bows");
    say(gifts.combat, "in all combat");
    say(-gifts.daunts, "to whoever fights it hand to hand");
    say(-gifts.fear, "on morale checks of enemies near it");
    for (tribe, number) in &gifts.against {
        say(*number, &format!("in melee against {tribe}"));
    }
    said.join(", ")
}

/// The types of unit that fight here: what the letters mean, and the time-points that each terrain costs.
fn kinds(rules: &Sa) -> Table {
    const CHARTED: [Terrain; 6] = [
        Terrain::Clear,
        Terrain::LightWoods,
        Terrain::HeavyWoods,
        Terrain::LowHills,
        Terrain::HighHills,
        Terrain::Mountain,
    ];
    let mut table = Table::new(&[
        "Type",
        "Meaning",
        ">clear",
        ">l.woods",
        ">h.woods",
        ">l.hills",
        ">h.hills",
        ">mountain",
    ]);
    for kind in Kind::ALL {
        if rules.battle().units.iter().any(|spec| spec.kind == kind) {
            let cost =
                |terrain| rules.numbers().cost(kind, terrain).map_or("XX".to_owned(), |n| n.to_string());
            let [clear, light, heavy, low, high, mountain] = CHARTED.map(cost);
            let (code, words) = (kind.code().to_owned(), kind.words().to_owned());
            table.row([code, words, clear, light, heavy, low, high, mountain]);
        }
    }
    table
}
