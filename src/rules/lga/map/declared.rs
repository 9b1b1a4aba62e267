//! What stands in a map file.

use crate::model::{CityRank, Nation};
use crate::terrains::GROUND;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::short;
use musterd_kit::data::{At, Data, Entries, HEX, Node, Noun, Range, Reader, Value, like, name_form};
use musterd_kit::{data, texts};
use serde_json::json;

data! {
    /// A map: hexes with their ground, countries, cities and rivers.
    pub(crate) struct MapFile: "a map" where map_form {
        /// Its name.
        pub(super) name: String as "the map's name",
        /// The setting with its nations: a file of `settings/`, without `.yaml`. Otherwise it is `napoleonic`.
        pub(super) setting: Option<At<String>> as "the setting's name",
        /// The ground, one character a hex, one text a row: . clear, f forest, ^ mountain, % marsh, ~ sea, # closed, and the signs that
        /// `ruleset.yaml` adds.
        pub(super) terrain: At<Vec<At<String>>>,
        /// To whom each hex belongs: the letter of a country or of a sea; - for nobody.
        pub(super) regions: At<Vec<At<String>>>,
        /// The countries, by letter.
        pub(super) countries: At<Entries<Letter, String>>,
        /// The seas, by letter.
        pub(super) seas: Option<At<Entries<Letter, Sea>>>,
        /// Passages off the map: one move by sea (manual 2.3, ruling LGA-61).
        pub(super) sea_links: Vec<SeaLink> = Vec::new(),
        /// The cities.
        pub(super) cities: At<Vec<CityLine>>,
        /// Hex sides along which a river runs, by its name.
        pub(super) rivers: Entries<String, Vec<At<SideText>>> = Entries(Vec::new()),
        /// Hex sides that nothing passes, by name.
        pub(super) blocked: Entries<String, Vec<At<SideText>>> = Entries(Vec::new()),
        /// Countries and capitals of nations, where they differ from those of the setting.
        pub(super) homes: Entries<Nation, HomeLine> = Entries(Vec::new()),
    }

    /// A sea.
    #[derive(Clone)]
    pub(super) struct Sea: "a sea" {
        /// Its name.
        pub(super) name: String as "a sea's name",
        /// Whether nobody may enter it (manual 2.5).
        pub(super) closed: bool = false,
    }

    /// A passage off the map.
    pub(super) struct SeaLink: "a sea link" {
        /// Its name.
        _name "name": String as "its name",
        /// One end, a sea hex.
        pub(super) a: At<Hex> as "a hex",
        /// The other end, a sea hex.
        pub(super) b: At<Hex> as "a hex",
    }

    /// A city.
    pub(super) struct CityLine: "a city" where city_form {
        /// The hex, column then row, in quotes.
        pub(super) hex: At<Hex> as "a hex",
        /// Its name, as reports and orders have it.
        pub(super) name: At<String> as "a city's name",
        /// Its names in other languages: orders take them, and tell it back by `name`.
        pub(super) also: Vec<At<String>> = Vec::new(),
        /// How big it is: what points it brings.
        pub(super) rank: CityRank,
        /// A name that a close map has room for.
        pub(super) short: Option<String> as "the short name",
        /// Whether it is a source of supply for nations that have some in ports. The sea must touch it.
        pub(super) port: Option<At<bool>>,
        /// The country on whose soil it stands, where that is not the country it belongs to (ruling LGA-62).
        pub(super) within: Option<At<String>> as "the country",
    }

    /// A nation's country on this map.
    pub(super) struct HomeLine: "a home" {
        /// Its name under `countries`.
        pub(super) country: At<String> as "the country",
        /// Its capitals, by name.
        pub(super) capitals: Vec<At<String>>,
    }
}

fn map_form() -> Value {
    let row = json!({ "pattern": "^.{1,99}$" });
    let regions = json!({ "minItems": 1, "maxItems": 99, "items": row });
    let terrain = json!({ "minItems": 1, "maxItems": 99, "items": { "$ref": GROUND } });
    json!({ "properties": { "terrain": terrain, "regions": regions } })
}

fn city_form() -> Value {
    json!({ "properties": { "name": name_form() } })
}

/// A letter of `regions`.
pub(super) struct Letter(pub(super) char);

impl Data for Letter {
    fn read(reader: &mut Reader, node: &Node, _: Noun<'_>, _: &Range) -> Option<Self> {
        let text = reader.text(node, "a letter of `regions`")?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(letter), None) if letter != '-' => Some(Self(letter)),
            _ => {
                reader
                    .fault(node.at, format!("`{}` is no letter: write one character, not `-`", short(text)));
                None
            }
        }
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(char::default()))
    }

    fn schema(_: &Range) -> Value {
        like("^[^-]$")
    }
}

texts! {
    /// A hex side, by its two hexes: `1307-1407`. The map decides whether they touch.
    pub(super) struct SideText: "a hex side" like(&format!("^{HEX}-{HEX}$"));
}
