//! The legend of a drawn map: the signs and colours that occur in it, in rows below it, in the words of the map's own legend if it has one.

use std::collections::BTreeSet;

use super::looks::{FRAME, Face, OUTLINE, drawing, frame, grounds, mark, side};
use super::measures::{HIGH, MARGIN};
use super::writer::Html;
use crate::map::FRAMED;
use musterd_engine::briefing::{Map, Scale};
use musterd_engine::hex::Hex;
use musterd_engine::palette::{Edge, Ground, Holder, Mark};

/// The distance from one row to the next.
const PITCH: i32 = 22;
/// The gap between an entry and the next.
const GAP: i32 = 14;
/// The gap between a sign and its meaning.
const SPACE: i32 = 6;
/// The room that ten letters take, in the widest of the usual fonts.
const TEN_LETTERS: i32 = 64;

/// A sign as it is drawn on the map.
enum Sign<'m> {
    Ground(Ground<'m>),
    Mark(&'static Mark),
    Side(&'static Edge),
    /// A hex that somebody else holds.
    Held(Holder),
    /// The frame around a part that another map shows.
    Frame,
    /// A counter with these letters.
    Counter(Face<'m>, String),
}

/// A sign with its meaning, and the place of the sign's middle below the map.
struct Entry<'m> {
    sign: Sign<'m>,
    meaning: String,
    x: i32,
    y: i32,
}

/// The legend of one map.
pub(super) struct Legend<'m> {
    entries: Vec<Entry<'m>>,
    pub(super) height: i32,
}

impl<'m> Legend<'m> {
    /// The legend of a map with this width.
    pub(super) fn of(map: &'m Map, width: i32) -> Self {
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

/// The signs that occur in a map, with their meanings: forces, holders, marks, ground, sides of hexes.
fn signs(map: &Map) -> Vec<(Sign<'_>, String)> {
    let tiles = || map.tiles.values().filter(|tile| !tile.closed);
    let told = |sign: char, meaning: &str| {
        let said = map.legend.iter().find(|(said, _)| said.trim_end_matches('.').chars().eq([sign]));
        said.map_or(meaning, |(_, meaning)| meaning.as_str()).to_owned()
    };
    let mut found = Vec::new();
    for face in Face::all(map) {
        let forces = tiles().filter(|tile| Face::of(map, tile) == face);
        match map.scale {
            Scale::Strategic => {
                let pins: BTreeSet<char> = forces.filter_map(|tile| tile.pin).collect();
                let named = |pin: char| {
                    let meaning =
                        face.added.map_or_else(|| told(pin, "forces"), |added| added.meaning.clone());
                    (Sign::Counter(face, pin.to_string()), meaning)
                };
                found.extend(pins.into_iter().map(named));
            }
            Scale::Theatre => {
                let sample = forces.map(|tile| &tile.forces).find(|forces| !forces.is_empty());
                found.extend(
                    sample.map(|text| (Sign::Counter(face, text.clone()), face.meaning().to_owned())),
                );
            }
        }
    }
    let holders: BTreeSet<char> = tiles().filter_map(|tile| tile.control).collect();
    for sign in holders {
        let holder = map.palette.holder(sign);
        found.push((Sign::Held(holder), told(sign, holder.meaning)));
    }
    for mark in map.palette.marks {
        if tiles().any(|tile| tile.city == Some(mark.sign)) {
            found.push((Sign::Mark(mark), told(mark.sign, mark.meaning)));
        }
    }
    for (ground, is_here) in grounds(map) {
        if tiles().any(is_here) {
            found.push((Sign::Ground(ground), told(ground.sign, ground.meaning)));
        }
    }
    for edge in map.palette.sides {
        let is_drawn = |hex: Hex| map.tiles.get(&hex).is_some_and(|tile| !tile.closed);
        let mut alike = map.sides.iter().filter(|side| side.sign == edge.sign);
        if alike.any(|side| is_drawn(side.a) || is_drawn(side.b)) {
            found.push((Sign::Side(edge), edge.meaning.to_owned()));
        }
    }
    if map.scale == Scale::Strategic && !map.frames.is_empty() {
        found.push((Sign::Frame, FRAMED.to_owned()));
    }
    found
}

impl Sign<'_> {
    fn width(&self) -> i32 {
        match self {
            Self::Mark(_) => 12,
            Self::Counter(_, text) => 9 + 7 * i32::try_from(text.len()).unwrap_or(5),
            Self::Ground(_) | Self::Side(_) | Self::Held(_) | Self::Frame => 18,
        }
    }

    fn draw(&self, page: &mut Html, (x, y): (i32, i32)) {
        match self {
            Self::Ground(ground) => {
                hex(page, (x, y), ground.colour);
                page.tag("\" stroke=\"#b9aa88\"/>");
                drawing(page, &ground.drawing, &[(0, 0)]);
                page.tag("</g>");
            }
            Self::Held(holder) => {
                hex(page, (x, y), holder.colour);
                page.tag("\" fill-opacity=\".25\" stroke-width=\"4\" stroke-dasharray=\"9 5\" stroke=\"");
                page.tag(holder.colour);
                page.tag("\"/></g>");
            }
            Self::Mark(look) => return mark(page, look, &[(x, y)]),
            Self::Side(edge) => {
                side(page, edge);
                page.place("M", (x - 8, y));
                page.tag("h16\"/>");
            }
            Self::Frame => {
                page.tag(FRAME);
                page.place("M", (x - 8, y - 6));
                page.tag("h16v12h-16z\"/>");
            }
            Self::Counter(face, text) => {
                page.tag("<rect rx=\"2.5\" height=\"14\" width=\"");
                page.number(self.width());
                page.tag("\" x=\"");
                page.number(x - self.width() / 2);
                page.tag("\" y=\"");
                page.number(y - 7);
                page.tag("\" ");
                frame(page, *face);
                page.tag("/><text text-anchor=\"middle\" font-weight=\"bold\" fill=\"");
                page.prose(face.letters());
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
fn hex(page: &mut Html, (x, y): (i32, i32), colour: &str) {
    page.tag("<g transform=\"translate(");
    page.number(x);
    page.tag(",");
    page.number(y);
    page.tag(") scale(.44)\"><path d=\"");
    page.place("M", (0, -HIGH));
    page.tag(OUTLINE);
    page.tag("\" fill=\"");
    page.prose(colour);
}
