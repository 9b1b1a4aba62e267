//! The legend of a drawn map: the signs and colours that occur in it, in rows below it, in the words of the map's own legend if it has one.

use std::collections::BTreeSet;

use super::looks::{Counter, GROUNDS, OUTLINE, cities, colour_of, is_known};
use super::measures::{HIGH, MARGIN};
use super::writer::Html;
use musterd_engine::briefing::{Map, Scale, SideKind, Tile};
use musterd_engine::hex::Hex;

/// The distance from one row to the next.
const PITCH: i32 = 22;
/// The gap between an entry and the next.
const GAP: i32 = 14;
/// The gap between a sign and its meaning.
const SPACE: i32 = 6;
/// The room that ten letters take, in the widest of the usual fonts.
const TEN_LETTERS: i32 = 64;

/// A sign as it is drawn on the map.
enum Sign {
    Ground(char),
    City(char),
    Side(SideKind),
    /// A hex that somebody else holds.
    Held(char),
    /// A counter with these letters.
    Counter(Counter, String),
}

/// A sign with its meaning, and the place of the sign's middle below the map.
struct Entry {
    sign: Sign,
    meaning: String,
    x: i32,
    y: i32,
}

/// The legend of one map.
pub(super) struct Legend {
    entries: Vec<Entry>,
    pub(super) height: i32,
}

impl Legend {
    /// The legend of a map with this width.
    pub(super) fn of(map: &Map, width: i32) -> Self {
        let (mut x, mut y) = (MARGIN, PITCH / 2);
        let mut entries = Vec::new();
        for (sign, meaning) in signs(map) {
            let half = sign.width() / 2;
            let length = i32::try_from(meaning.len().min(1_000)).unwrap_or(0) * TEN_LETTERS / 10;
            let whole = 2 * half + SPACE + length;
            if x > MARGIN && x + whole > width - MARGIN {
                (x, y) = (MARGIN, y + PITCH);
            }
            entries.push(Entry { sign, meaning, x: x + half, y });
            x += whole + GAP;
        }
        let height = if entries.is_empty() { 0 } else { y + PITCH };
        Self { entries, height }
    }

    /// Draws the legend, its first row below `top`.
    pub(super) fn draw(&self, page: &mut Html, top: i32) {
        page.tag("<g font-size=\"11\" fill=\"#2b2118\" transform=\"translate(0,");
        page.number(top);
        page.tag(")\">");
        page.end_line();
        for entry in &self.entries {
            entry.sign.draw(page, (entry.x, entry.y));
            page.tag("<text x=\"");
            page.number(entry.x + entry.sign.width() / 2 + SPACE);
            page.tag("\" y=\"");
            page.number(entry.y + 4);
            page.tag("\">");
            page.prose(&entry.meaning);
            page.tag("</text>");
            page.end_line();
        }
        page.tag("</g>");
        page.end_line();
    }
}

/// The signs that occur in a map, with their meanings: forces, holders, cities, ground, sides of hexes.
fn signs(map: &Map) -> Vec<(Sign, String)> {
    let tiles = || map.tiles.values().filter(|tile| !tile.closed);
    let has = |is: &dyn Fn(&Tile) -> bool| tiles().any(is);
    let told = |sign: char| map.legend.iter().find(|(said, _)| said.trim_end_matches('.').chars().eq([sign]));
    let mut found = Vec::new();
    for whose in Counter::ALL {
        let forces = tiles().filter(|tile| Counter::of(tile) == whose);
        match map.scale {
            Scale::Strategic => {
                let pins: BTreeSet<char> = forces.filter_map(|tile| tile.pin).collect();
                let meaning = |pin: char| told(pin).map_or("forces", |(_, meaning)| meaning.as_str());
                found.extend(
                    pins.into_iter()
                        .map(|pin| (Sign::Counter(whose, pin.to_string()), meaning(pin).to_owned())),
                );
            }
            Scale::Theatre => {
                let sample = forces.map(|tile| &tile.forces).find(|forces| !forces.is_empty());
                let meaning = match whose {
                    Counter::Own => "your forces",
                    Counter::Others => "forces of others",
                    Counter::Remembered => "as last seen",
                };
                found.extend(sample.map(|text| (Sign::Counter(whose, text.clone()), meaning.to_owned())));
            }
        }
    }
    let holders: BTreeSet<char> = tiles().filter_map(|tile| tile.control).collect();
    for holder in holders {
        let meaning = told(holder)
            .map_or(if holder == '-' { "cut off" } else { "held by others" }, |(_, meaning)| meaning);
        found.push((Sign::Held(holder), meaning.to_owned()));
    }
    for (city, meaning) in [('*', "capital"), ('#', "stronghold"), ('@', "major city"), ('o', "minor city")] {
        if has(&|tile| tile.city == Some(city)) {
            let meaning = told(city).map_or(meaning, |(_, meaning)| meaning);
            found.push((Sign::City(city), meaning.to_owned()));
        }
    }
    for look in &GROUNDS {
        if has(&|tile| tile.ground == look.sign || look.sign == ' ' && !is_known(tile.ground)) {
            let meaning = told(look.sign).map_or(look.meaning, |(_, meaning)| meaning);
            found.push((Sign::Ground(look.sign), meaning.to_owned()));
        }
    }
    for (kind, meaning) in [
        (SideKind::River, "river"),
        (SideKind::Blocked, "can't be passed"),
        (SideKind::Bridge, "bridge between two hexes"),
    ] {
        let is_drawn = |hex: Hex| map.tiles.get(&hex).is_some_and(|tile| !tile.closed);
        if map.sides.iter().any(|side| side.kind == kind && (is_drawn(side.a) || is_drawn(side.b))) {
            found.push((Sign::Side(kind), meaning.to_owned()));
        }
    }
    found
}

impl Sign {
    fn width(&self) -> i32 {
        match self {
            Self::City(_) => 12,
            Self::Counter(_, text) => 9 + 7 * i32::try_from(text.len()).unwrap_or(5),
            Self::Ground(_) | Self::Side(_) | Self::Held(_) => 18,
        }
    }

    fn draw(&self, page: &mut Html, (x, y): (i32, i32)) {
        match self {
            Self::Ground(sign) => {
                let look = GROUNDS.iter().find(|look| look.sign == *sign).copied().unwrap_or(GROUNDS[0]);
                hex(page, (x, y), look.colour);
                page.tag("\" stroke=\"#b9aa88\"/>");
                look.draw(page, &[(0, 0)]);
                page.tag("</g>");
            }
            Self::Held(holder) => {
                hex(page, (x, y), colour_of(*holder));
                page.tag("\" fill-opacity=\".25\" stroke-width=\"4\" stroke-dasharray=\"9 5\" stroke=\"");
                page.tag(colour_of(*holder));
                page.tag("\"/></g>");
            }
            Self::City(sign) => return cities(page, &[(*sign, (x, y))]),
            Self::Side(kind) => {
                page.tag(match kind {
                    SideKind::River => "<path stroke=\"#3f7fb5\" stroke-width=\"3.4\" d=\"",
                    SideKind::Blocked => "<path stroke=\"#5a4632\" stroke-width=\"4\" d=\"",
                    SideKind::Bridge => "<path stroke=\"#8a5a2b\" stroke-width=\"6\" d=\"",
                });
                page.place("M", (x - 8, y));
                page.tag("h16\" stroke-linecap=\"round\"/>");
            }
            Self::Counter(whose, text) => {
                page.tag("<rect rx=\"2.5\" height=\"14\" width=\"");
                page.number(self.width());
                page.tag("\" x=\"");
                page.number(x - self.width() / 2);
                page.tag("\" y=\"");
                page.number(y - 7);
                page.tag("\" ");
                page.tag(whose.frame());
                page.tag("/><text text-anchor=\"middle\" font-weight=\"bold\" fill=\"");
                page.tag(whose.letters());
                page.tag("\" x=\"");
                page.number(x);
                page.tag("\" y=\"");
                page.number(y + 4);
                page.tag("\">");
                page.prose(text);
                page.tag("</text>");
            }
        }
        page.end_line();
    }
}

/// The beginning of a small hex around a place, in a group. The attributes of the path and the end of the group must follow.
fn hex(page: &mut Html, (x, y): (i32, i32), colour: &'static str) {
    page.tag("<g transform=\"translate(");
    page.number(x);
    page.tag(",");
    page.number(y);
    page.tag(") scale(.44)\"><path d=\"");
    page.place("M", (0, -HIGH));
    page.tag(OUTLINE);
    page.tag("\" fill=\"");
    page.tag(colour);
}
