//! Whatever a briefing holds, its page is ASCII within the page's width, and its HTML is sound.

use musterd::engine::briefing::{
    Bar, Bars, Briefing, Column, Fact, Item, Map, Part, Row, Scale, Section, Side, Table, Tile,
};
use musterd::engine::palette::{AddedCounter, Ground, Palette};
use musterd::hex::{Direction, Hex};
use musterd::report::text;
use musterd_kit::palette::{CAPITAL, CUT_OFF, FOREST, MINOR_CITY, RIVER, SEA};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::common::pages::assert_fits;
use crate::html::{assert_sound, page_of};

/// Some of what a palette may hold: signs without a look occur too.
const PALETTE: Palette = Palette {
    grounds: &[FOREST, Ground::CLEAR, SEA],
    marks: &[CAPITAL, MINOR_CITY],
    sides: &[RIVER],
    holders: &[CUT_OFF],
    ..Palette::PLAIN
};

fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z ,.]{0,200}", "\\PC{0,40}", any::<String>(), "[a-z]{80,200}"]
}

fn a_fact() -> impl Strategy<Value = Fact> {
    (words(), words()).prop_map(|(label, text)| Fact { label, text })
}

fn a_table() -> impl Strategy<Value = Table> {
    let column = (words(), any::<bool>()).prop_map(|(title, right)| Column { title, right }).boxed();
    let row = prop_oneof![4 => vec(words(), 0..12).prop_map(Row::Cells), 1 => words().prop_map(Row::Group)];
    let columns = prop_oneof![3 => vec(column.clone(), 0..8), 1 => vec(column, 20..60)];
    (columns, vec(row, 0..6)).prop_map(|(columns, rows)| Table { columns, rows })
}

fn a_hex() -> impl Strategy<Value = Hex> {
    prop_oneof![(1..14_u8, 1..12_u8), (any::<u8>(), any::<u8>())].prop_map(|(col, row)| Hex::new(col, row))
}

fn a_sign() -> impl Strategy<Value = char> {
    prop_oneof![proptest::sample::select(&[' ', 'f', '~', '*', 'o', '-'][..]), any::<char>()]
}

fn a_map() -> impl Strategy<Value = Map> {
    let tile = (
        (a_sign(), proptest::option::of(a_sign()), words(), proptest::option::of(a_sign())),
        (words(), any::<Option<char>>(), any::<bool>(), proptest::option::of(0..4_u16)),
    )
        .prop_map(|((ground, city, name, control), (forces, pin, closed, counter))| Tile {
            own: closed,
            remembered: !closed && pin.is_some(),
            ground,
            city,
            name,
            control,
            forces,
            pin,
            counter,
            closed,
        });
    let colours = proptest::option::of((words(), words()));
    let counter = (words(), colours).prop_map(|(meaning, colours)| AddedCounter { meaning, colours });
    let side = (a_hex(), 0..6_usize, any::<bool>()).prop_map(|(a, way, river)| Side {
        a,
        b: a.step(Direction::ALL[way]).unwrap_or(a),
        sign: if river { '#' } else { 'X' },
    });
    (
        (words(), any::<bool>(), a_hex(), a_hex()),
        (
            btree_map(a_hex(), tile, 0..30),
            vec(side, 0..10),
            vec((a_hex(), a_hex()), 0..3),
            vec((words(), words()), 0..14),
            vec(counter, 0..3),
        ),
    )
        .prop_map(|((title, strategic, first, last), (tiles, sides, frames, legend, counters))| Map {
            title,
            scale: if strategic { Scale::Strategic } else { Scale::Theatre },
            first,
            last,
            tiles,
            sides,
            frames,
            legend,
            palette: &PALETTE,
            added: Vec::new(),
            counters,
        })
}

fn some_bars() -> impl Strategy<Value = Bars> {
    let number = || prop_oneof![0..200_u64, any::<u64>()];
    let bar = (words(), number()).prop_map(|(label, count)| Bar { label, count });
    (words(), number(), number(), number(), vec(bar, 0..20))
        .prop_map(|(title, expected, low, high, rows)| Bars { title, expected, low, high, rows })
}

fn a_part() -> impl Strategy<Value = Part> {
    let item = (words(), vec(words(), 0..3)).prop_map(|(text, details)| Item { text, details });
    prop_oneof![
        words().prop_map(|text| Part::Text { text }),
        words().prop_map(|text| Part::Heading { text }),
        vec(a_fact(), 0..4).prop_map(|facts| Part::Facts { facts }),
        (any::<bool>(), vec(item, 0..4)).prop_map(|(numbered, items)| Part::Items { numbered, items }),
        a_table().prop_map(Part::Table),
        a_map().prop_map(Part::Map),
        some_bars().prop_map(Part::Bars),
        vec(words(), 0..3).prop_map(|lines| Part::Plain { lines }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { ..ProptestConfig::with_cases(200) })]

    #[test]
    fn every_page_is_ascii_and_fits(
        standing in vec(a_fact(), 0..4),
        sections in vec((words(), vec(a_part(), 0..4)), 0..3),
    ) {
        let sections = sections.into_iter().map(|(title, parts)| Section { title, parts }).collect();
        let briefing = Briefing { standing, sections, ..Briefing::default() };
        assert_fits(&text::standing(&briefing));
        assert_fits(&text::sections(&briefing));
        assert_sound(&page_of(briefing));
    }
}

#[test]
fn a_narrow_table_keeps_its_numbers_whole_and_wraps_its_words() {
    let mut table = Table::new(&[">no", "what it is", ">points"]);
    table.row(["12".to_owned(), "a long story ".repeat(10), "1000000".to_owned()]);
    let section = Section { title: "Table".to_owned(), parts: vec![Part::Table(table)] };
    let page = text::sections(&Briefing { sections: vec![section], ..Briefing::default() });
    assert_fits(&page);
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines[2].starts_with("  12  a long story") && lines[2].ends_with("  1000000"), "{page}");
    assert!(lines[3].starts_with("      story a long"), "{page}");
}
