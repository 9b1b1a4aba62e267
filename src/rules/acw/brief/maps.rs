//! The maps: the whole field with who controls it, and the sectors where armies are near each other.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Map, Part, Scale, Section, Side as Drawn, Tile};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::palette::{AddedCounter, AddedGround};
use musterd_kit::sheets::{LEAST, ROWS, around};
use musterd_report::map::{MOST_COLUMNS, WIDEST};

use crate::battle::{Army, HexSide, Look};
use crate::data::Acw;
use crate::looks::{self, ENEMY, OBJECTIVE, PALETTE, RAIL, ROAD, WORKS};
use crate::model::{Arm, HqId, Side, UnitId};
use crate::state::Brigade;
use crate::view::{Foe, FoeKind, Seen, View};

/// Sectors at most.
const SHEETS: usize = 4;
/// How near enemies are to each other where a sector is shown.
const NEAR: u32 = 4;
/// A part of the map with its ground, nobody on it.
pub(crate) fn ground(rules: &Acw, scale: Scale, (first, last): (Hex, Hex)) -> Map {
    let (map, numbers) = (&rules.battle().map, rules.numbers());
    let objectives: BTreeSet<Hex> = rules.battle().objectives.iter().map(|one| one.hex).collect();
    let tile = |hex: Hex| {
        let sign = numbers.terrain(map.ground(hex)).sign;
        let city = if objectives.contains(&hex) {
            Some(OBJECTIVE.sign)
        } else {
            map.forts.contains_key(&hex).then_some(WORKS.sign)
        };
        let name = map.places.get(&hex).cloned().unwrap_or_default();
        (hex, Tile { ground: if sign == '.' { ' ' } else { sign }, city, name, ..Tile::default() })
    };
    let inside = |hex: &Hex| hex.is_within((first, last));
    let tiles: BTreeMap<Hex, Tile> = map.hexes().filter(inside).map(tile).collect();
    let mut drawn = Map { first, last, added: added(rules), ..Map::of(&PALETTE, scale, tiles) };
    drawn.sides = sides(rules, &inside);
    drawn.legend = legend(&drawn);
    drawn
}

/// The hex sides that are drawn: water, roads, crossings.
fn sides(rules: &Acw, inside: &dyn Fn(&Hex) -> bool) -> Vec<Drawn> {
    // Each side once, from the hex that is first.
    const HALF: [Direction; 3] = [Direction::East, Direction::SouthEast, Direction::SouthWest];
    let map = &rules.battle().map;
    let mut sides = Vec::new();
    for a in map.hexes() {
        for (way, b) in map.around(a).filter(|(way, _)| HALF.contains(way)) {
            if !inside(&a) && !inside(&b) {
                continue;
            }
            let HexSide { road, rail, water, crossing } = map.side(a, way);
            let mut draw = |sign: char| sides.push(Drawn { a, b, sign });
            if let (None, Some(water)) = (crossing, water) {
                draw(looks::water(water).sign);
            }
            // In text one sign is shown for a side, the last of these.
            if road {
                draw(if rail { RAIL.sign } else { ROAD.sign });
            }
            if let Some(crossing) = crossing {
                draw(looks::crossing(crossing).sign);
            }
        }
    }
    sides
}

/// The terrains of the tables that the palette doesn't have, and those with a colour of their own.
fn added(rules: &Acw) -> Vec<AddedGround> {
    let mut others = musterd_kit::palette::OTHERS.into_iter().cycle();
    let look = |(_, name, terrain): (_, &str, &crate::numbers::Terrain)| {
        let sign = if terrain.sign == '.' { ' ' } else { terrain.sign };
        let known = PALETTE.ground(sign);
        if known.is_some() && terrain.colour.is_none() {
            return None;
        }
        let colour = terrain
            .colour
            .as_ref()
            .map(|colour| colour.value.clone())
            .or_else(|| known.map(|look| look.colour.to_owned()));
        let colour = colour.or_else(|| others.next().map(str::to_owned)).unwrap_or_default();
        let drawing = known.map_or(looks::PLAIN, |look| look.drawing);
        Some(AddedGround { sign, meaning: name.to_owned(), colour, drawing, water: terrain.water })
    };
    rules.numbers().grounds().filter_map(look).collect()
}

fn legend(map: &Map) -> Vec<(String, String)> {
    let is_there = |sign: char| map.tiles.values().any(|tile| tile.ground == sign);
    let grounds = map.grounds().map(|ground| (ground.sign, ground.meaning));
    let grounds = grounds.filter(|(sign, _)| is_there(*sign));
    let shown = |sign: char| if sign == ' ' { '.' } else { sign };
    let grounds = grounds
        .filter(|(sign, _)| map.scale == Scale::Strategic || *sign != ' ')
        .map(|(sign, meaning)| (shown(sign).to_string(), meaning.to_owned()));
    let has_mark = |sign: char| map.tiles.values().any(|tile| tile.city == Some(sign));
    let marks = PALETTE.marks.iter().filter(|mark| has_mark(mark.sign));
    let marks = marks.map(|mark| (mark.sign.to_string(), mark.meaning.to_owned()));
    // On the map of the whole no sides are drawn.
    let is_drawn = |sign: char| map.scale == Scale::Theatre && map.sides.iter().any(|side| side.sign == sign);
    let sides = PALETTE.sides.iter().filter(|side| is_drawn(side.sign));
    let sides = sides.map(|side| (side.sign.to_string(), side.meaning.to_owned()));
    marks.chain(grounds).chain(sides).collect()
}

/// The same with units on it, and with who controls each hex.
pub(crate) fn with_units(rules: &Acw, view: &View, scale: Scale, part: (Hex, Hex)) -> Map {
    let mut map = ground(rules, scale, part);
    let own = view.side.unwrap_or(Side::A);
    let battle = rules.battle();
    let (mine, theirs) = (battle.army(own).letter, battle.army(own.other()).letter);
    for (hex, tile) in &mut map.tiles {
        let is_enemys = !view.control.is_empty() && view.controller(rules, *hex) != own;
        tile.control = is_enemys.then_some(ENEMY.sign);
    }
    let mut looks = Looks::default();
    for foe in &view.foes {
        let Some(tile) = map.tiles.get_mut(&foe.at).filter(|tile| tile.forces.is_empty()) else { continue };
        let look = match foe.kind {
            FoeKind::Brigade(arm) => battle.army(own.other()).looks[arm as usize].as_ref(),
            FoeKind::Hq(_) => battle.hq(HqId::army(own.other())).look.as_ref(),
        };
        tile.forces = foe_sign(foe, look);
        tile.counter = looks.place(look);
        tile.remembered = matches!(foe.seen, Seen::Remembered(_));
        tile.pin = Some(if tile.remembered { '?' } else { theirs });
    }
    for (id, brigade) in view.own_brigades() {
        let Some(tile) = brigade.at.and_then(|at| map.tiles.get_mut(&at)) else { continue };
        let look = battle.brigade(id).look.as_ref();
        tile.forces = own_sign(id.number, brigade, view.heard.contains_key(&UnitId::Brigade(id)), look);
        tile.counter = looks.place(look);
        (tile.own, tile.pin, tile.remembered) = (true, Some(mine), false);
    }
    let stands_alone = |(id, hq): (HqId, &crate::state::Hq)| hq.with.is_none().then_some((id, hq.at?));
    for (id, at) in view.own_hqs().filter_map(stands_alone) {
        let Some(tile) = map.tiles.get_mut(&at) else { continue };
        let sign = format!("H{}", id.number);
        let both = format!("{}{sign}", tile.forces);
        if tile.forces.is_empty() || both.len() > 5 {
            tile.counter = looks.place(battle.hq(id).look.as_ref());
        }
        tile.forces = if both.len() <= 5 { both } else { sign };
        (tile.own, tile.pin) = (true, Some(mine));
    }
    let has = |wanted: &dyn Fn(&Tile) -> bool| map.tiles.values().any(wanted);
    let mut signs = match scale {
        Scale::Theatre => looks.symbols(),
        Scale::Strategic => Vec::new(),
    };
    if scale == Scale::Strategic {
        signs.push((mine.to_string(), "own units".to_owned()));
        if has(&|tile| tile.pin == Some(theirs)) {
            signs.push((theirs.to_string(), "enemies seen".to_owned()));
        }
        if has(&|tile| tile.pin == Some('?')) {
            signs.push(("?".to_owned(), "enemies as last seen".to_owned()));
        }
        if has(&|tile| tile.control.is_some()) {
            signs.push((ENEMY.sign.to_string(), ENEMY.meaning.to_owned()));
        }
    }
    map.legend.splice(0..0, signs);
    map.counters = looks.counters();
    map
}

/// The looks of the counters on a map: only those that are on it, so that a map tells of no others.
#[derive(Default)]
struct Looks<'a>(Vec<&'a Look>);

impl<'a> Looks<'a> {
    /// The place of a look in the list.
    fn place(&mut self, look: Option<&'a Look>) -> Option<u16> {
        let look = look?;
        let place = self.0.iter().position(|other| *other == look).unwrap_or_else(|| {
            self.0.push(look);
            self.0.len() - 1
        });
        u16::try_from(place).ok()
    }

    /// What the symbols mean that are on the map, for its legend.
    fn symbols(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for look in &self.0 {
            let Some(symbol) = &look.symbol else { continue };
            let entry = (symbol.clone(), look.meaning.clone());
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
        found
    }

    fn counters(&self) -> Vec<AddedCounter> {
        let of = |look: &&Look| AddedCounter { meaning: look.meaning.clone(), colours: look.colours.clone() };
        self.0.iter().map(of).collect()
    }
}

/// Both armies as they stand at the start, where the author gave their counters a look: for readers of the battle, and no player.
pub(crate) fn lineup(rules: &Acw) -> Vec<Section> {
    let battle = rules.battle();
    let specs = || battle.armies.iter().flat_map(|army| &army.brigades);
    if specs().all(|spec| spec.look.is_none()) {
        return Vec::new();
    }
    let there = || specs().filter(|spec| spec.start.turn == 0);
    let sheet = |part: (Hex, Hex)| {
        let mut map = ground(rules, Scale::Theatre, part);
        let plain = Side::ALL.map(|side| side_look(battle.army(side), side));
        let mut looks = Looks::default();
        for spec in there() {
            let Some(tile) = map.tiles.get_mut(&spec.start.at) else { continue };
            let look = spec.look.as_ref();
            let symbol = look.and_then(|look| look.symbol.as_deref()).unwrap_or_default();
            let mark = if spec.column { "c" } else { "" };
            tile.forces = format!("{symbol}{}{mark}", spec.id.number);
            tile.own = spec.id.side == Side::A;
            tile.counter = looks.place(look.or(Some(&plain[spec.id.side.index()])));
        }
        map.legend.splice(0..0, looks.symbols());
        map.counters = looks.counters();
        let title = format!("The armies at the start: {}", columns_and_rows(part));
        Section::of(title, vec![Part::Map(map)])
    };
    sheets(rules, there().map(|spec| spec.start.at).collect()).into_iter().map(sheet).collect()
}

/// The look of a side's counters without one of their own: that of the palette under the side's name.
fn side_look(army: &Army, side: Side) -> Look {
    let counter = if side == Side::A { PALETTE.own } else { PALETTE.others };
    let colours = Some((counter.fill.to_owned(), counter.letters.to_owned()));
    Look { meaning: army.name.clone(), symbol: None, colours }
}

/// A part of the map in words.
fn columns_and_rows((first, last): (Hex, Hex)) -> String {
    format!("columns {} to {}, rows {} to {}", first.col, last.col, first.row, last.row)
}

/// `7`, `7c` in column, `7!` shaken or shattered, `7?` as last heard of; before it the symbol of an author's own: `Z7c`.
fn own_sign(number: u8, brigade: &Brigade, late: bool, look: Option<&Look>) -> String {
    let mark = match brigade {
        _ if late => "?",
        one if one.shattered || one.cohesion <= crate::law::SHAKEN => "!",
        one if one.formation == crate::model::Formation::Column => "c",
        _ => "",
    };
    let symbol = look.and_then(|look| look.symbol.as_deref()).unwrap_or_default();
    format!("{symbol}{number}{mark}")
}

/// An enemy on a sector's map: `INF`, `inf` in column, in brackets as last seen, `!` where it looks shaken. A symbol of an author's own takes the word's place.
fn foe_sign(foe: &Foe, look: Option<&Look>) -> String {
    let symbol = look.and_then(|look| look.symbol.as_deref());
    let word = match foe.kind {
        FoeKind::Brigade(Arm::Infantry) => "INF",
        FoeKind::Brigade(Arm::MountedInfantry) => "MTD",
        FoeKind::Brigade(Arm::Cavalry) => "CAV",
        FoeKind::Brigade(Arm::Artillery) => "ART",
        FoeKind::Hq(_) => "HQ",
    };
    let word = symbol.filter(|_| matches!(foe.kind, FoeKind::Brigade(_))).unwrap_or(word);
    let column = foe.formation == Some(crate::model::Formation::Column);
    let word = if column { word.to_ascii_lowercase() } else { word.to_owned() };
    match (foe.seen, foe.shaken) {
        (Seen::Remembered(_), _) => format!("({word})"),
        (_, true) => format!("{word}!"),
        _ => word,
    }
}

/// The maps: the whole field, and the sectors where enemies are near each other.
pub(super) fn all(rules: &Acw, view: &View, fought: &BTreeSet<Hex>) -> Vec<Section> {
    let mut hot = fought.clone();
    hot.extend(contacts(view));
    let parts = sheets(rules, hot);
    let mut sections = whole(rules, view, &parts);
    for part in &parts {
        let title = format!("Sector: {}", columns_and_rows(*part));
        sections.push(Section::of(title, vec![Part::Map(with_units(rules, view, Scale::Theatre, *part))]));
    }
    sections
}

/// The whole field in one part, or in two halves where it is too wide for one sheet, west and east.
pub(crate) fn halves(rules: &Acw) -> Vec<(&'static str, (Hex, Hex))> {
    let last = rules.battle().map.last();
    if last.col <= WIDEST {
        return vec![("The field", (Hex::new(1, 1), last))];
    }
    let middle = last.col / 2;
    vec![
        ("The field, west", (Hex::new(1, 1), Hex::new(middle, last.row))),
        ("The field, east", (Hex::new(middle + 1, 1), last)),
    ]
}

/// The whole field, these parts in frames.
fn whole(rules: &Acw, view: &View, frames: &[(Hex, Hex)]) -> Vec<Section> {
    let section = |(title, part): (&str, (Hex, Hex))| {
        let mut map = with_units(rules, view, Scale::Strategic, part);
        map.frames = frames.to_vec();
        // In letters: drawn, a field of two thousand hexes is longer than a mail program shows.
        Section::of(title, vec![Part::Plain { lines: musterd_report::map::lines(&map) }])
    };
    let mut sections: Vec<Section> = halves(rules).into_iter().map(section).collect();
    if let Some(first) = sections.first_mut() {
        first.parts.extend(names(rules));
    }
    sections
}

/// The field with the units of both sides, for the GM, whose page is a file: drawn too; and the sectors where armies are near each other, or where they stand.
pub(super) fn everybody(rules: &Acw, views: &[View; 2]) -> Vec<Section> {
    let stand = |view: &View| view.own_brigades().filter_map(|(_, one)| one.at).collect::<Vec<_>>();
    let [a, b] = views.each_ref().map(stand);
    let near = |at: &&Hex, others: &[Hex]| others.iter().any(|other| at.distance(*other) <= NEAR);
    let mut hot: BTreeSet<Hex> = a.iter().filter(|at| near(at, &b)).copied().collect();
    hot.extend(b.iter().filter(|at| near(at, &a)));
    if hot.is_empty() {
        hot = a.into_iter().chain(b).collect();
    }
    let parts = sheets(rules, hot);
    let field = |(title, part): (&str, (Hex, Hex))| {
        let map = Map { frames: parts.clone(), ..with_both(rules, views, Scale::Strategic, part) };
        Section::of(title, vec![Part::Map(map)])
    };
    let mut sections: Vec<Section> = halves(rules).into_iter().map(field).collect();
    if let Some(first) = sections.first_mut() {
        first.parts.extend(names(rules));
    }
    let sector = |part: &(Hex, Hex)| {
        let map = with_both(rules, views, Scale::Theatre, *part);
        Section::of(format!("Sector: {}", columns_and_rows(*part)), vec![Part::Map(map)])
    };
    sections.extend(parts.iter().map(sector));
    sections
}

/// A part of the map with the units of both sides under their ids: `A7c`, `BH1`.
fn with_both(rules: &Acw, views: &[View; 2], scale: Scale, part: (Hex, Hex)) -> Map {
    let battle = rules.battle();
    let mut map = ground(rules, scale, part);
    for (hex, tile) in &mut map.tiles {
        tile.control = (views[0].controller(rules, *hex) == Side::B).then_some(ENEMY.sign);
    }
    let mut looks = Looks::default();
    for (side, view) in Side::ALL.into_iter().zip(views) {
        let (letter, own, pin) = (side.letter(), side == Side::A, Some(battle.army(side).letter));
        for (id, brigade) in view.own_brigades() {
            let Some(tile) = brigade.at.and_then(|at| map.tiles.get_mut(&at)) else { continue };
            tile.forces = format!("{letter}{}", own_sign(id.number, brigade, false, None));
            tile.counter = looks.place(battle.brigade(id).look.as_ref());
            (tile.own, tile.pin) = (own, pin);
        }
        for (id, hq) in view.own_hqs().filter(|(_, hq)| hq.with.is_none()) {
            let Some(tile) = hq.at.and_then(|at| map.tiles.get_mut(&at)) else { continue };
            // A brigade in the hex goes before.
            if tile.forces.is_empty() {
                tile.forces = format!("{letter}H{}", id.number);
                tile.counter = looks.place(battle.hq(id).look.as_ref());
                (tile.own, tile.pin) = (own, pin);
            }
        }
    }
    let has_control = map.tiles.values().any(|tile| tile.control.is_some());
    if scale == Scale::Strategic {
        let army = |side: Side| {
            (battle.army(side).letter.to_string(), format!("units of {}", battle.army(side).name))
        };
        let held = (ENEMY.sign.to_string(), format!("ground of {}", battle.army(Side::B).name));
        map.legend.splice(0..0, Side::ALL.map(army).into_iter().chain(has_control.then_some(held)));
    }
    map.counters = looks.counters();
    map
}

/// Where the named places are.
fn names(rules: &Acw) -> Option<Part> {
    let map = &rules.battle().map;
    let places: Vec<String> = map.places.iter().map(|(hex, name)| format!("{name} {hex}")).collect();
    (!places.is_empty()).then(|| Part::text(format!("{}.", places.join(", "))))
}

/// Own units near enemies that are seen.
fn contacts(view: &View) -> Vec<Hex> {
    let own: Vec<Hex> = view.own_brigades().filter_map(|(_, brigade)| brigade.at).collect();
    let foes: Vec<Hex> = view.foes_seen().map(|foe| foe.at).collect();
    let near = |a: &Hex, others: &[Hex]| others.iter().any(|b| a.distance(*b) <= NEAR);
    let mut hot: Vec<Hex> = own.iter().filter(|at| near(at, &foes)).copied().collect();
    hot.extend(foes.iter().filter(|at| near(at, &own)));
    hot
}

/// Parts of the map that hold these hexes, as few as will do: the busiest first.
fn sheets(rules: &Acw, mut hot: BTreeSet<Hex>) -> Vec<(Hex, Hex)> {
    let mut parts = Vec::new();
    while let Some(seed) = hot.first().copied().filter(|_| parts.len() < SHEETS) {
        let mut chosen = vec![seed];
        let fits = |chosen: &[Hex], hex: Hex| {
            let span = |of: fn(&Hex) -> u8| {
                let all = || chosen.iter().chain([&hex]).map(of);
                all().max().unwrap_or(0) - all().min().unwrap_or(0) + 1
            };
            span(|hex| hex.col) <= MOST_COLUMNS && span(|hex| hex.row) <= ROWS
        };
        let mut rest: Vec<Hex> = hot.iter().copied().collect();
        rest.sort_by_key(|hex| (seed.distance(*hex), *hex));
        for hex in rest {
            if fits(&chosen, hex) {
                chosen.push(hex);
            }
        }
        let part = around(rules.battle().map.last(), &chosen, 0, LEAST);
        hot.retain(|hex| !hex.is_within(part));
        parts.push(part);
    }
    parts
}
