//! What units are worth, where: forces, sizes, costs, ways, sight. Arithmetic on table 1 and the ground, without a position.

use super::model::{Ground, People, Relief, Scale, Sort, Terrain};
use super::numbers::{Distance, Numbers, Troop};
use super::switches::Switches;

/// Whether a sort of fighters makes sense by itself: who may carry a crew, what size is open.
///
/// # Errors
/// What is wrong, in words.
pub fn sense(numbers: &Numbers, sort: &Sort) -> Result<(), String> {
    let troop = numbers.troop(sort.troop);
    if sort.fighters == 0 {
        return Err("a unit needs at least one fighter".to_owned());
    }
    if let Some(crew) = sort.crew {
        let crew = numbers.troop(crew);
        if !troop.crew.contains(&crew.code) {
            let reason = match troop.crew.is_empty() {
                true => format!("{} carry nobody (manual 2.2)", troop.name),
                false => format!(
                    "{} carry no {}: {} only (DOG-26)",
                    troop.name,
                    crew.name,
                    troop.crew.join(" or ")
                ),
            };
            return Err(reason);
        }
    }
    let (least, most) = (troop.size.least, troop.size.most);
    match sort.size {
        Some(size) if !(least..=most).contains(&size) => {
            Err(format!("{} are of size {}, not {size}", troop.name, sizes(troop)))
        }
        None if least != most => {
            Err(format!("{} are of size {}: say which, with SIZE (DOG-10)", troop.name, sizes(troop)))
        }
        _ => Ok(()),
    }
}

/// A type's size in words: `2`, `5 to 50`.
pub fn sizes(troop: &Troop) -> String {
    let (least, most) = (troop.size.least, troop.size.most);
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// The room that a fighter of a sort needs, in men (manual 2.1). A crew needs none.
pub fn size(numbers: &Numbers, sort: &Sort) -> u32 {
    sort.size.unwrap_or(numbers.troop(sort.troop).size.least).into()
}

/// The room that all of a unit need.
pub fn room(numbers: &Numbers, sorts: &[Sort]) -> u32 {
    total(sorts.iter().map(|sort| size(numbers, sort).saturating_mul(sort.fighters.into())))
}

/// A sum that stays at the most that a number can hold: no numbers of anybody's `ruleset.yaml` bring it down again.
fn total(parts: impl Iterator<Item = u32>) -> u32 {
    parts.fold(0, u32::saturating_add)
}

/// How many of a sort a unit can have at most: one at least, however large (rulings DOG-10, DOG-11).
pub fn capacity(numbers: &Numbers, scale: Scale, sort: &Sort) -> u16 {
    let most = u32::from(numbers.limit(scale)) / size(numbers, sort).max(1);
    u16::try_from(most.max(1)).unwrap_or(u16::MAX)
}

/// Whether these fighters can be one unit (manual 1, rulings DOG-10, DOG-11, DOG-33).
///
/// # Errors
/// Why not, in words.
pub fn fits(numbers: &Numbers, scale: Scale, sorts: &[Sort]) -> Result<(), String> {
    let limit = u32::from(numbers.limit(scale));
    let needed = room(numbers, sorts);
    match sorts {
        [] => Err("there is nobody in it".to_owned()),
        [_, _, ..] if scale != Scale::Strategic => {
            Err("mixed units are of the strategic scale only (DOG-33)".to_owned())
        }
        [sort] if sort.fighters == 1 => Ok(()),
        _ if needed > limit => Err(format!(
            "it needs room for {needed} men, and a {scale} unit has room for {limit}{} (manual 1)",
            match sorts {
                [sort] => {
                    let most = capacity(numbers, scale, sort);
                    format!(": {most} {} at most", numbers.troop(sort.troop).called(most))
                }
                _ => String::new(),
            }
        )),
        _ => Ok(()),
    }
}

/// Whether a sort is at home among a people's ground (ruling DOG-6).
pub fn is_of(numbers: &Numbers, sort: &Sort, people: People) -> bool {
    sort.people == Some(people) || numbers.troop(sort.troop).people.contains(&people)
}

/// Whether a sort flies over everything (ruling DOG-25).
pub fn flies(numbers: &Numbers, switches: Switches, sort: &Sort) -> bool {
    switches.fliers && numbers.troop(sort.troop).flies
}

/// What a fighter's terrain counts as: nothing special inside walls (manual 3.3).
fn terrain_of(ground: Ground) -> Terrain {
    if ground.walls.is_some() { Terrain::CLEAR } else { ground.terrain }
}

/// The people that is at home on such ground, if one is.
pub fn home(numbers: &Numbers, ground: Ground) -> Option<People> {
    numbers.cover(terrain_of(ground)).home
}

/// Whether a sort is at home in a hex.
fn at_home(numbers: &Numbers, sort: &Sort, ground: Ground) -> bool {
    home(numbers, ground).is_some_and(|people| is_of(numbers, sort, people))
}

/// A fighter's attack score where it stands: with its crew, doubled for the elite and for natives (manual 2.2, 3.1, 3.3; DOG-7, 8, 26, 27).
pub fn attack(numbers: &Numbers, sort: &Sort, ground: Ground) -> u32 {
    let native =
        if at_home(numbers, sort, ground) { numbers.cover(terrain_of(ground)).native_attack } else { 1 };
    let elite = if sort.elite { numbers.elite.attack } else { 1 };
    base(numbers, sort, ground, |troop| troop.attack).saturating_mul(elite).saturating_mul(native)
}

/// A fighter's defence score where it stands (manual 3, rulings DOG-4, DOG-8, DOG-26, DOG-27).
pub fn defence(numbers: &Numbers, switches: Switches, sort: &Sort, ground: Ground) -> u32 {
    let elite = if sort.elite { numbers.elite.defence } else { 1 };
    let score = base(numbers, sort, ground, |troop| troop.defence).saturating_mul(elite);
    if score == 0 {
        return 0;
    }
    (score.saturating_mul(cover(numbers, switches, sort, ground)) / 2).max(1)
}

/// What defence is multiplied by in a hex, in halves (ruling DOG-4).
pub fn cover(numbers: &Numbers, switches: Switches, sort: &Sort, ground: Ground) -> u32 {
    let uneasy = switches.nomad_unease && numbers.troop(sort.troop).code == "N";
    let plain = u32::from(numbers.cover(Terrain::CLEAR).defence);
    let relief = u32::from(numbers.slope(ground.relief).defence);
    let terrain = u32::from(numbers.cover(ground.terrain).defence);
    relief
        + match ground.walls {
            Some(_) if uneasy => plain,
            Some(walls) => u32::from(numbers.walls(walls)),
            // At home no terrain is a penalty.
            None if at_home(numbers, sort, ground) => terrain.max(plain),
            None => terrain,
        }
}

/// A score with the crew's, riders inside walls counting as light infantry (rulings DOG-26, DOG-27).
fn base(numbers: &Numbers, sort: &Sort, ground: Ground, score: impl Fn(&Troop) -> u32) -> u32 {
    let troop = numbers.troop(sort.troop);
    let own = match troop.infantry_in_walls && ground.walls.is_some() {
        true => score(numbers.light_infantry()),
        false => score(troop),
    };
    own + sort.crew.map_or(0, |crew| score(numbers.troop(crew)))
}

/// The force of a unit's attack (manual 2.1, ruling DOG-33).
pub fn attack_force(numbers: &Numbers, sorts: &[Sort], ground: Ground) -> u32 {
    total(sorts.iter().map(|sort| attack(numbers, sort, ground).saturating_mul(sort.fighters.into())))
}

/// The force of a unit's retaliation.
pub fn defence_force(numbers: &Numbers, switches: Switches, sorts: &[Sort], ground: Ground) -> u32 {
    total(
        sorts
            .iter()
            .map(|sort| defence(numbers, switches, sort, ground).saturating_mul(sort.fighters.into())),
    )
}

/// A sort's distance attack: its own, or its crew's (ruling DOG-26). Elite troops shoot like others (ruling DOG-8).
pub fn distance(numbers: &Numbers, sort: &Sort) -> Option<Distance> {
    let crew = || sort.crew.and_then(|crew| numbers.troop(crew).distance);
    numbers.troop(sort.troop).distance.or_else(crew)
}

/// The volleys that a sort has in a battle: none if it doesn't shoot.
pub fn shots(numbers: &Numbers, sort: &Sort) -> u16 {
    distance(numbers, sort).map_or(0, |arm| arm.shots)
}

/// The force of a volley from so many hexes: of those who have shots left and reach so far (ruling DOG-14). `shots` is what
/// each sort has left.
pub fn volley_force(numbers: &Numbers, scale: Scale, sorts: &[Sort], shots: &[u16], hexes: u32) -> u32 {
    let force = |(sort, shots): (&Sort, &u16)| match distance(numbers, sort) {
        Some(distance) if *shots > 0 && hexes <= reach(scale, distance) => {
            distance.power.saturating_mul(sort.fighters.into())
        }
        _ => 0,
    };
    total(sorts.iter().zip(shots).map(force))
}

/// The volleys that each sort has left after one over so many hexes: who reaches so far spends one (ruling DOG-14).
pub fn shots_left(numbers: &Numbers, scale: Scale, sorts: &[Sort], shots: &[u16], hexes: u32) -> Vec<u16> {
    let left = |(sort, shots): (&Sort, &u16)| match distance(numbers, sort) {
        Some(arm) if sort.fighters > 0 && hexes <= reach(scale, arm) => shots.saturating_sub(1),
        _ => *shots,
    };
    sorts.iter().zip(shots).map(left).collect()
}

/// How far a distance attack reaches, in hexes: to neighbours on the strategic scale (manual 2.1).
pub fn reach(scale: Scale, distance: Distance) -> u32 {
    if scale == Scale::Strategic { 1 } else { distance.range.into() }
}

/// What a strike does: its force, its die, the hit points that it takes (manual 4.3, rulings DOG-1, DOG-5, DOG-39).
pub fn damage(switches: Switches, force: u32, die: u32) -> u32 {
    let damage = (3 + die.div_ceil(2)) * force.div_ceil(10);
    if switches.tiny_strikes {
        let cap = (u64::from(force) * 6).div_ceil(10).max(u64::from(force > 0));
        damage.min(u32::try_from(cap).unwrap_or(u32::MAX))
    } else {
        damage
    }
}

/// The hit points of a fighter with its crew (manual 2.1, ruling DOG-26).
pub fn hp(numbers: &Numbers, sort: &Sort) -> u32 {
    numbers.troop(sort.troop).hp + sort.crew.map_or(0, |crew| numbers.troop(crew).hp)
}

/// The hit points of so many fighters of each sort.
pub fn hp_of(numbers: &Numbers, sorts: &[Sort], fighters: &[u16]) -> u32 {
    total(sorts.iter().zip(fighters).map(|(sort, many)| hp(numbers, sort).saturating_mul((*many).into())))
}

/// Who dies of so much damage, for each sort, and their hit points: whole fighters, those with the fewest hit points first
/// (rulings DOG-2, DOG-33).
pub fn deaths(numbers: &Numbers, sorts: &[Sort], damage: u32) -> (Vec<u16>, u32) {
    let mut order: Vec<usize> = (0..sorts.len()).collect();
    order.sort_by_key(|&i| hp(numbers, &sorts[i]));
    let mut killed = vec![0; sorts.len()];
    let mut left = damage;
    for i in order {
        let each = hp(numbers, &sorts[i]).max(1);
        let dead = (left / each).min(sorts[i].fighters.into());
        killed[i] = u16::try_from(dead).unwrap_or(sorts[i].fighters);
        left -= dead * each;
        if dead < sorts[i].fighters.into() {
            break;
        }
    }
    (killed, damage - left)
}

/// Points to move in a round: the slowest sort's (manual 2.1, ruling DOG-33).
pub fn moves(numbers: &Numbers, sorts: &[Sort]) -> u16 {
    sorts.iter().map(|sort| numbers.troop(sort.troop).moves).min().unwrap_or(0)
}

/// The points of a unit in a round, in halves: its own, or those of the boat that carries it (rulings DOG-12, DOG-35).
pub fn points(numbers: &Numbers, sorts: &[Sort], aboard: bool) -> u16 {
    let whole = if aboard { numbers.boat.moves } else { moves(numbers, sorts) };
    whole.saturating_mul(2)
}

/// Points to enter a hex, in halves: the worst of the sorts counts (manual 3.1, 3.2; rulings DOG-12, DOG-25, DOG-30).
pub fn cost(numbers: &Numbers, switches: Switches, sorts: &[Sort], ground: Ground) -> u16 {
    let one = |sort: &Sort| {
        let plain = numbers.cover(Terrain::CLEAR).cost;
        if flies(numbers, switches, sort) {
            return plain;
        }
        let terrain = numbers.cover(terrain_of(ground)).cost;
        let terrain = if at_home(numbers, sort, ground) { terrain.min(plain) } else { terrain };
        let slope = numbers.slope(ground.relief);
        let relief = if is_of(numbers, sort, People::Dwarf) { slope.dwarf.cost } else { slope.cost };
        terrain.saturating_add(relief)
    };
    sorts.iter().map(one).max().unwrap_or(0)
}

/// The crew of a unit's chariots, on foot (ruling DOG-36).
pub fn crew(sorts: &[Sort]) -> Vec<Sort> {
    let on_foot = |sort: &Sort| {
        let troop = sort.crew?;
        Some(Sort { troop, crew: None, size: None, people: None, ..sort.clone() })
    };
    sorts.iter().filter_map(on_foot).collect()
}

/// The points that a crew's dismounting takes from its chariots, in halves: one point (ruling DOG-36).
pub fn dismounting(numbers: &Numbers) -> u16 {
    numbers.cover(Terrain::CLEAR).cost
}

/// Whether such fighters may stand on such ground at all; `bridged` where a bridge or boat carries them.
///
/// # Errors
/// Why not, in words.
pub fn may_stand(
    numbers: &Numbers,
    switches: Switches,
    sorts: &[Sort],
    ground: Ground,
    bridged: bool,
) -> Result<(), String> {
    if bridged { Ok(()) } else { enters(numbers, switches, sorts, ground) }
}

/// Whether such fighters may enter such ground, where nothing carries them (rulings DOG-24, DOG-25).
///
/// # Errors
/// Why not, in words.
pub fn enters(numbers: &Numbers, switches: Switches, sorts: &[Sort], ground: Ground) -> Result<(), String> {
    if ground.walls.is_some() {
        return Ok(());
    }
    let cover = numbers.cover(ground.terrain);
    for sort in sorts.iter().filter(|sort| !flies(numbers, switches, sort)) {
        let troop = numbers.troop(sort.troop);
        if cover.is_water() && troop.sinks && !is_of(numbers, sort, People::Water) {
            return Err(format!("{} would sink (manual 3.1, DOG-24)", troop.name));
        }
        let is_heavy = || hp(numbers, sort) >= numbers.swamp_bar && !is_of(numbers, sort, People::Swamp);
        if cover.bars_heavy() && is_heavy() {
            let there = all_such(ground.terrain);
            return Err(format!("{} are too heavy for {there} (manual 3.1, DOG-25)", troop.name));
        }
        if cover.bars_big() && troop.big {
            let there = all_such(ground.terrain);
            return Err(format!("{} are too big for {there} (manual 3.1, DOG-25)", troop.name));
        }
    }
    Ok(())
}

/// Ground of a terrain in general: `swamps`, `forests`; other terrains by their names.
fn all_such(terrain: Terrain) -> String {
    let plural = if matches!(terrain.word(), "swamp" | "forest") { "s" } else { "" };
    format!("{terrain}{plural}")
}

/// Whether deep water drowns none of such fighters (ruling DOG-24).
pub fn swims(numbers: &Numbers, switches: Switches, sort: &Sort) -> bool {
    is_of(numbers, sort, People::Water) || flies(numbers, switches, sort)
}

/// How hard a hidden unit is to find in a hex, for a searcher of these sorts; none for one who has no people there (manual 4.6, DOG-23, DOG-30).
pub fn visibility(numbers: &Numbers, searcher: Option<&[Sort]>, ground: Ground) -> i32 {
    let terrain = terrain_of(ground);
    let all = |of: &dyn Fn(&Sort) -> bool| searcher.is_some_and(|sorts| sorts.iter().any(of));
    let native = all(&|sort| at_home(numbers, sort, ground));
    let dwarf = all(&|sort| is_of(numbers, sort, People::Dwarf)) && ground.relief != Relief::Plains;
    let slope = numbers.slope(ground.relief);
    let terrain = if native { 1 } else { i32::from(numbers.cover(terrain).visibility) };
    terrain + i32::from(if dwarf { slope.dwarf.visibility } else { slope.visibility })
}

/// How hard a hidden unit is to find for a searcher who is at home there, whatever people that takes.
pub fn visibility_to_natives(numbers: &Numbers, ground: Ground) -> i32 {
    let cover = numbers.cover(terrain_of(ground));
    let terrain = if home(numbers, ground).is_some() { 1 } else { cover.visibility };
    let slope = numbers.slope(ground.relief);
    i32::from(terrain) + i32::from(slope.visibility.min(slope.dwarf.visibility))
}

/// How easily so many fighters are found, before the ground is reckoned in: by how many of those there are that could be in a unit (manual
/// 4.6). Of a mixed unit, which has no one such number, the room that it takes counts instead.
pub fn hide_factor(numbers: &Numbers, scale: Scale, sorts: &[Sort]) -> i32 {
    match sorts {
        [sort] => numbers.hide.factor(sort.fighters.into(), capacity(numbers, scale, sort).into()),
        sorts => numbers.hide.factor(room(numbers, sorts), numbers.limit(scale).into()),
    }
}

/// On how many faces of the die a hidden unit is found: one at least (manual 4.6).
pub fn chance_to_find(factor: i32, visibility: i32) -> i32 {
    factor.saturating_sub(visibility).max(1)
}

/// The same for the first searcher, who has no people there.
pub fn found_by_strangers(numbers: &Numbers, scale: Scale, sorts: &[Sort], ground: Ground) -> i32 {
    chance_to_find(hide_factor(numbers, scale, sorts), visibility(numbers, None, ground))
}

/// On how many faces of a die of a hundred a unit disobeys, by the ego of its army and its leader's leadership (manual 2.3, ruling DOG-21).
pub fn disobedience(ego: u64, leadership: u32) -> u32 {
    let leadership = u64::from(leadership);
    let excess = ego.saturating_sub(leadership).saturating_mul(100) / leadership.max(1);
    u32::try_from(excess).map_or(100, |limit| limit.min(100))
}

/// The ego of fighters (rulings DOG-8, DOG-21, DOG-26).
pub fn ego<'s>(numbers: &Numbers, sorts: impl IntoIterator<Item = &'s Sort>) -> u64 {
    priced(numbers, sorts, |troop| troop.ego, numbers.elite.ego)
}

/// What hiring fighters costs (rulings DOG-8, DOG-39).
pub fn hire<'s>(numbers: &Numbers, sorts: impl IntoIterator<Item = &'s Sort>) -> u64 {
    priced(numbers, sorts, |troop| troop.hire, numbers.elite.hire)
}

/// What keeping fighters costs for a unit of time (rulings DOG-8, DOG-39).
pub fn maintenance<'s>(numbers: &Numbers, sorts: impl IntoIterator<Item = &'s Sort>) -> u64 {
    priced(numbers, sorts, |troop| troop.maintenance, numbers.elite.maintenance)
}

fn priced<'s>(
    numbers: &Numbers,
    sorts: impl IntoIterator<Item = &'s Sort>,
    price: impl Fn(&Troop) -> u32,
    elite: u32,
) -> u64 {
    let all = |sort: &Sort| {
        let crew = sort.crew.map_or(0, |crew| price(numbers.troop(crew)));
        let each = u64::from(price(numbers.troop(sort.troop)) + crew);
        each * u64::from(if sort.elite { elite } else { 1 }) * u64::from(sort.fighters)
    };
    sorts.into_iter().map(all).sum()
}
