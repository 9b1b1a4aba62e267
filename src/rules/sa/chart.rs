//! A battle as a rule book prints it: situation, both orders of battle, special rules, types of unit, the field with the first position.

use musterd_engine::briefing::{Briefing, Fact, Part, Section, Table};
use musterd_text::nouns::count;

use crate::battle::{Army, Battle, Spec};
use crate::brief;
use crate::data::Sa;
use crate::fog;
use crate::looks::coded;
use crate::model::{Missile, Side, Terrain, UnitType};
use crate::options::Edition;
use crate::special::{self, is_told};
use crate::state::State;

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
    sections.extend(special::section(rules));
    sections.push(Section::of(
        "Types of unit",
        vec![
            Part::text(
                "Each with its symbol on maps, and the time-points that a hex of each ground costs it.",
            ),
            Part::Table(kinds(rules)),
        ],
    ));
    if map && let Some(spec) = rules.seat_specs().first() {
        let mut view = fog::view(rules, &State::at_start(rules), &spec.seat);
        view.taste.symbols = true;
        sections.extend(brief::field(rules, &view));
    }
    Briefing { title: battle.title.clone(), date: battle.date.clone(), sections, ..Briefing::default() }
}

fn facts(rules: &Sa) -> Vec<Fact> {
    let battle = rules.battle();
    let edition = match rules.choices().edition {
        Edition::Apple => "the first",
        Edition::Atari => "the Atari edition",
    };
    let mut facts = vec![
        Fact::of("Scenario", battle.setting.words()),
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

/// The order of battle of a side: units that are alike in a row.
fn units(battle: &Battle, side: Side) -> Table {
    let mut table = Table::new(&["Units", "Name", "Type, class", "Arms", ">Men each"]);
    let (from, to) = battle.army(side).units;
    let told: Vec<&Spec> = battle.units[from..to].iter().filter(|spec| is_told(battle, spec)).collect();
    for alike in told.chunk_by(|a, b| a.row == b.row && figures(a) == figures(b)) {
        let (Some(first), Some(last)) = (alike.first(), alike.last()) else { continue };
        let units = special::span(first, last);
        let name = &first.row;
        let [tribe, kind, arms, men] = figures(first);
        let name = match speaks_of(name, &tribe) {
            true => name.clone(),
            false => format!("{name} ({tribe})"),
        };
        table.row([units, name, kind, arms, men]);
    }
    table
}

/// Whether a word of a name begins with the tribe, but for an ending: `Valkyrian Lancers` are Valkyries, and `Shelf Guards` no Elves.
fn speaks_of(name: &str, tribe: &str) -> bool {
    const ENDING: usize = 2;
    let stem: String = tribe.chars().take(tribe.chars().count().saturating_sub(ENDING).max(3)).collect();
    let (name, stem) = (name.to_lowercase(), stem.to_lowercase());
    let begins = |(place, _)| !name[..place].ends_with(char::is_alphanumeric);
    tribe.is_empty() || name.match_indices(&stem).any(begins)
}

/// What the order of battle says of a unit besides its name: its tribe, its type and class, its arms, its men.
fn figures(spec: &Spec) -> [String; 4] {
    let missile = spec.missile.map(Missile::words);
    let arms = [Some(spec.weapon.words()), missile, spec.shield.then_some("shields")];
    [
        spec.tribe.clone(),
        format!("{} {}", spec.kind.word(), spec.class.word()),
        arms.into_iter().flatten().collect::<Vec<_>>().join(", "),
        spec.men.to_string(),
    ]
}

/// The types of unit that fight here.
fn kinds(rules: &Sa) -> Table {
    const CHARTED: [Terrain; 6] = [
        Terrain::Clear,
        Terrain::LightWoods,
        Terrain::HeavyWoods,
        Terrain::LowHills,
        Terrain::HighHills,
        Terrain::Mountain,
    ];
    let headings = ["Type", "Meaning", ">clear", ">l.wood", ">h.wood", ">l.hill", ">h.hill", ">mount"];
    let mut table = Table::new(&headings);
    for kind in UnitType::ALL {
        if rules.battle().units.iter().any(|spec| spec.kind == kind) {
            let cost =
                |terrain| rules.numbers().cost(kind, terrain).map_or("XX".to_owned(), |n| n.to_string());
            let [clear, light, heavy, low, high, mountain] = CHARTED.map(cost);
            let (code, words) = (coded(kind), kind.words().to_owned());
            table.row([code, words, clear, light, heavy, low, high, mountain]);
        }
    }
    table
}
