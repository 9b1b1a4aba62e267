//! Lays roads, waters and crossings on the sides of a map's hexes.

use std::collections::BTreeSet;

use musterd_engine::hex::{Direction, Hex};
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{At, whole};

use super::declared::{Bank, CrossingLine, MapFile, RoadKind};
use super::ground::ReadMap;
use crate::battle::HexSide;
use crate::model::Water;
use crate::numbers::Numbers;

/// The six directions, clockwise.
const ROUND: [Direction; 6] = [
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::West,
    Direction::NorthWest,
];

/// Lays what runs along the map, and notes the faults of it.
pub(super) fn lay(reader: &mut Reader, file: &MapFile, numbers: &Numbers, read: &mut ReadMap) {
    if !read.sized {
        return;
    }
    let before = reader.errors.len();
    let mut waters = whole(&file.waters);
    for water in file.waters.iter().filter_map(At::known) {
        let path = walk(reader, read, &water.path);
        let (Some(path), Some(kind), Some(bank)) = (path, water.kind.known(), water.bank.known()) else {
            waters = false;
            continue;
        };
        let path: Vec<Hex> = path.into_iter().map(|(hex, _)| hex).collect();
        for (hex, way) in along(&path, *bank) {
            on_side(read, hex, way, |side| {
                let is_river = *kind == Water::River || side.water == Some(Water::River);
                side.water = Some(if is_river { Water::River } else { Water::Stream });
            });
        }
        read.map.names.extend(middle(&path).map(|hex| (water.name.clone(), hex)));
    }
    // Where a water or a crossing can't be read, nothing is missing for sure.
    waters &= reader.errors.len() == before;
    crossings(reader, file, numbers, read, waters);
    let known = reader.errors.len() == before && waters && whole(&file.crossings) && crossings_known(file);
    let mut ends: Vec<(Hex, Hex, &At<Hex>, &str)> = Vec::new();
    for road in file.roads.iter().filter_map(At::known) {
        let Some(path) = walk(reader, read, &road.path) else { continue };
        barred(reader, numbers, read, &path);
        for pair in path.windows(2) {
            let ((from, _), (to, at)) = (pair[0], pair[1]);
            let Some(way) = from.direction_to(to) else { continue };
            on_side(read, from, way, |side| {
                side.rail = road.kind == RoadKind::Rail && (side.rail || !side.road);
                side.road = true;
            });
            if known && !read.map.side(from, way).is_open() {
                let reason = format!(
                    "{} crosses a river between {from} and {to}: add a bridge, ford or pontoon there to `crossings`, or lead it otherwise",
                    short(&road.name)
                );
                reader.fault(at, reason);
            }
        }
        let hexes: Vec<Hex> = path.into_iter().map(|(hex, _)| hex).collect();
        if let (&[first, second, ..], &[.., before, last], [from, .., to]) =
            (&hexes[..], &hexes[..], &road.path.value[..])
        {
            ends.extend([(first, second, from, road.name.as_str()), (last, before, to, road.name.as_str())]);
        }
        read.map.names.extend(middle(&hexes).map(|hex| (road.name.clone(), hex)));
    }
    ends.into_iter().for_each(|end| blind(reader, read, end));
}

/// Doubts a road that stops at a river where nothing is named and no other road goes on.
fn blind(reader: &mut Reader, read: &ReadMap, (end, before, point, name): (Hex, Hex, &At<Hex>, &str)) {
    let map = &read.map;
    let on_edge = map.around(end).count() < Direction::ALL.len();
    let roads = map.around(end).filter(|(way, _)| map.side(end, *way).road).count();
    let back = end.direction_to(before).and_then(|way| ROUND.iter().position(|round| *round == way));
    let Some(back) = back.filter(|_| !on_edge && roads == 1 && !map.places.contains_key(&end)) else {
        return;
    };
    // Straight on, or half left or right of that.
    if (2..=4).any(|turn| !map.side(end, ROUND[(back + turn) % 6]).is_open()) {
        let reason =
            format!("{} ends at a river in {end}: lead it over a crossing if it goes on", short(name));
        reader.doubt(point.at, reason);
    }
}

/// The hexes of a path, each with the place of the waypoint that it leads to; `None` if not all of it is known.
fn walk(reader: &mut Reader, read: &ReadMap, path: &At<Vec<At<Hex>>>) -> Option<Vec<(Hex, LineColumn)>> {
    let points = path.known()?;
    if points.len() < 2 {
        reader.fault(path.at, "a path has at least two hexes: write where it begins and where it ends");
    }
    for pair in
        points.windows(2).filter(|pair| pair[1].known().is_some() && pair[0].known() == pair[1].known())
    {
        reader.fault(pair[1].at, format!("{} stands there twice in a row: leave one out", pair[1].value));
    }
    let hexes: Vec<Option<Hex>> = points.iter().map(|point| read.bounds().hex(reader, point)).collect();
    let mut whole: Vec<(Hex, LineColumn)> = Vec::new();
    for (point, hex) in points.iter().zip(hexes) {
        let hex = hex?;
        if let Some((last, _)) = whole.last().copied() {
            // Where a line runs along a side, the path takes the first of the two hexes.
            whole.extend(last.line(hex).map(|(one, _)| (one, point.at)));
        }
        whole.push((hex, point.at));
    }
    whole.dedup_by_key(|(hex, _)| *hex);
    let steps = whole.windows(2).all(|pair| pair[0].0.direction_to(pair[1].0).is_some());
    debug_assert!(steps, "a line of neighbours");
    Some(whole)
}

/// The sides of a path's hexes that lie on one side of it, seen in its direction. Its ends run straight on.
pub(super) fn along(path: &[Hex], bank: Bank) -> Vec<(Hex, Direction)> {
    let on: BTreeSet<Hex> = path.iter().copied().collect();
    let mut sides = Vec::new();
    for (place, hex) in path.iter().enumerate() {
        let toward = |other: Option<&Hex>| other.and_then(|other| hex.direction_to(*other));
        let back = place.checked_sub(1).and_then(|before| toward(path.get(before)));
        let ahead = toward(path.get(place + 1));
        let ends = (back.or(ahead.map(Direction::opposite)), ahead.or(back.map(Direction::opposite)));
        let (Some(back), Some(ahead)) = ends else { continue };
        let (first, last) = match bank {
            Bank::Right => (ahead, back),
            Bank::Left => (back, ahead),
        };
        let begins = ROUND.iter().position(|way| *way == first).unwrap_or_default();
        let between = (1..6).map(|step| ROUND[(begins + step) % 6]).take_while(|way| *way != last);
        sides.extend(
            between
                .filter(|way| hex.step(*way).is_none_or(|beyond| !on.contains(&beyond)))
                .map(|way| (*hex, way)),
        );
    }
    sides
}

/// Changes a side of a hex, seen from both hexes.
fn on_side(read: &mut ReadMap, hex: Hex, way: Direction, change: impl Fn(&mut HexSide)) {
    let map = &mut read.map;
    let Some(beyond) = hex.step(way).filter(|beyond| map.has(*beyond)) else { return };
    let places = [(map.place(hex), way), (map.place(beyond), way.opposite())];
    places.into_iter().for_each(|(place, way)| change(&mut map.sides[place][way as usize]));
}

fn crossings(reader: &mut Reader, file: &MapFile, numbers: &Numbers, read: &mut ReadMap, waters: bool) {
    for crossing in file.crossings.iter().filter_map(At::known) {
        let Some([one, other]) = crossing.between.known() else { continue };
        let (a, b) = (read.bounds().hex(reader, one), read.bounds().hex(reader, other));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let Some(way) = a.direction_to(b) else {
            reader.fault(other.at, format!("{b} is no neighbour of {a}: a crossing lies between neighbours"));
            continue;
        };
        let side = read.map.side(a, way);
        if let Some(bad) = [(one, a), (other, b)].iter().find(|(_, hex)| read.is_closed(numbers, *hex)) {
            reader.fault(bad.0.at, format!("nobody can enter {}: nothing crosses there", bad.1));
        } else if side.crossing.is_some() {
            let reason = format!("two crossings lie between {a} and {b}: leave one out");
            reader.fault(crossing.between.at, reason);
        } else if side.water.is_none() && waters {
            let reason =
                format!("there is no water between {a} and {b}: a crossing lies on a side with water");
            reader.fault(crossing.between.at, reason);
        }
        on_side(read, a, way, |side| side.crossing = Some(crossing.kind));
        if let Some(name) = crossing.name.as_ref().and_then(At::known) {
            read.map.crossings.insert((a.min(b), a.max(b)), name.clone());
        }
    }
}

/// Whether all hexes of crossings could be read.
fn crossings_known(file: &MapFile) -> bool {
    let between = |crossing: &CrossingLine| crossing.between.known().is_some_and(whole);
    file.crossings.iter().filter_map(At::known).all(between)
}

/// Notes the first hex of a road that nobody can enter.
fn barred(reader: &mut Reader, numbers: &Numbers, read: &ReadMap, path: &[(Hex, LineColumn)]) {
    if let Some((hex, at)) = path.iter().find(|(hex, _)| read.is_closed(numbers, *hex)) {
        let ground = numbers.ground_name(read.map.ground(*hex));
        reader.fault(*at, format!("the road leads through {ground} in {hex}: lead it round by more hexes"));
    }
}

/// The hex in the middle of a path.
fn middle(path: &[Hex]) -> Option<Hex> {
    path.get(path.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(hexes: &[&str]) -> Vec<Hex> {
        hexes.iter().map(|hex| hex.parse().unwrap()).collect()
    }

    fn said(hexes: &[&str], bank: Bank) -> Vec<String> {
        let sides = along(&path(hexes), bank);
        sides.iter().map(|(hex, way)| format!("{hex} {}", way.abbreviation())).collect()
    }

    #[test]
    fn water_lies_along_one_side_of_a_path() {
        // Eastward along an odd row: the left is the north.
        let row = ["0303", "0403", "0503"];
        let north = ["0303 NW", "0303 NE", "0403 NW", "0403 NE", "0503 NW", "0503 NE"];
        assert_eq!(said(&row, Bank::Left), north);
        let south = ["0303 SE", "0303 SW", "0403 SE", "0403 SW", "0503 SE", "0503 SW"];
        assert_eq!(said(&row, Bank::Right), south);
        // Seen the other way round the banks change places.
        let back = said(&["0503", "0403", "0303"], Bank::Right);
        assert_eq!(back.iter().collect::<BTreeSet<_>>(), north.map(str::to_owned).iter().collect());
    }

    #[test]
    fn where_a_path_turns_the_outer_bank_has_more_sides() {
        // East, then southeast: 0403 has one side to the right of the bend, three to the left.
        let bend = ["0303", "0403", "0404"];
        let right = said(&bend, Bank::Right);
        assert!(right.contains(&"0403 SW".to_owned()) && !right.contains(&"0403 SE".to_owned()), "{right:?}");
        let left = said(&bend, Bank::Left);
        assert!(["0403 NW", "0403 NE", "0403 E"].iter().all(|side| left.contains(&(*side).to_owned())));
        // A sharp turn back has no side within, and no water between hexes of the path itself.
        let sharp = said(&["0303", "0403", "0304"], Bank::Right);
        assert!(!sharp.iter().any(|side| side.starts_with("0403")), "{sharp:?}");
    }
}
