//! Reads a setting file: every fault is noted with its place, and reading goes on.

use super::{Allotted, Home, Setting, Traits, Zone};
use crate::model::{Nation, Side};
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::{Fields, Node, Reader, short};

/// The setting of maps that name none.
const DEFAULT: &str = "napoleonic";
/// The default setting as games have it that were founded before there were setting files. Never changed: those games are played by it.
const FIRST: &str = include_str!("first.yaml");

const SIDES: [&str; 3] = ["french", "allied", "neutral"];
const TYPES: [&str; 5] = ["infantry", "guard", "militia", "cavalry", "hq"];
const TRAITS: &[&str] = &[
    "name",
    "adjective",
    "letter",
    "country",
    "capitals",
    "leads",
    "allotted",
    "builds",
    "supplies",
    "needs_supply",
    "supplied_in",
    "hungry_in",
    "sails",
    "port_supply",
    "aids",
];

/// The file of the setting with this name.
#[must_use]
pub fn path_of(name: &str) -> String {
    format!("settings/{name}.yaml")
}

impl Setting {
    /// Reads the setting that a map names, or the default.
    ///
    /// # Errors
    /// Everything that is wrong with the file; that it is missing.
    pub fn read(files: &RuleFiles, name: Option<&str>) -> Result<Self, DataErrors> {
        let path = path_of(name.unwrap_or(DEFAULT));
        let first = RuleFiles::of(&[(&path, FIRST)]);
        let files = if name.is_none() && !files.0.contains_key(&path) { &first } else { files };
        let mut reader = Reader::new(&path);
        let setting = read(&mut reader, &files.tree(&path)?);
        if reader.errors.is_empty() { Ok(setting) } else { Err(DataErrors(reader.errors)) }
    }
}

fn read(reader: &mut Reader, tree: &Node) -> Setting {
    let fields = reader.fields(tree, "a setting", &["nations", "zones"]);
    let mut setting = Setting { nations: Vec::new(), zones: Vec::new() };
    if let Some(node) = fields.need(reader, "nations") {
        for (key, value) in reader.entries(node, "`nations`") {
            nation(reader, &mut setting, key, value);
        }
    }
    let zones = fields.get("zones").map_or(&[][..], |node| reader.list(node, "`zones`"));
    setting.zones = zones.iter().filter_map(|node| zone(reader, &setting, node)).collect();
    setting
}

fn nation(reader: &mut Reader, setting: &mut Setting, key: &Node, value: &Node) {
    let word = reader.text(key, "a nation's word");
    let nation = word.and_then(Nation::of);
    if let Some(word) = word.filter(|_| nation.is_none()) {
        let reason = format!(
            "`{}` is no word for a nation: write 2 to {} small letters",
            short(word),
            Nation::LONGEST
        );
        reader.fault(key.at, reason);
    }
    let fields = reader.fields(value, "a nation", TRAITS);
    let name = fields.need(reader, "name").and_then(|n| Some((n, reader.text(n, "its name")?)));
    let adjective = fields.need(reader, "adjective").and_then(|n| reader.text(n, "its adjective"));
    let letter = fields.need(reader, "letter").and_then(|n| Some((n, letter(reader, n)?)));
    let country = fields.need(reader, "country").and_then(|n| reader.text(n, "its country"));
    let capitals = fields.need(reader, "capitals").map(|n| texts(reader, n, "`capitals`", "a capital"));
    let leads = fields.get("leads").and_then(|n| reader.word::<Side>(n, "side", &SIDES));
    let allotted = fields.get("allotted").and_then(|n| reader.word(n, "allotment", &["own", "all", "rest"]));
    let builds = fields.get("builds");
    let builds: Option<String> =
        builds.and_then(|n| reader.word(n, "place to build", &["capitals", "any-city"]));
    let mut places = |key| fields.get(key).map_or_else(Vec::new, |n| texts(reader, n, key, "a country"));
    let (supplied_in, hungry_in) = (places("supplied_in"), places("hungry_in"));
    let mut flag = |key, usual| fields.get(key).and_then(|n| reader.flag(n, key)).unwrap_or(usual);
    let traits = Traits {
        supplies: flag("supplies", true),
        needs_supply: flag("needs_supply", true),
        sails: flag("sails", false),
        port_supply: flag("port_supply", false),
        aids: flag("aids", false),
        nation: match nation {
            Some(nation) => nation,
            None => return,
        },
        name: name.map_or("", |(_, name)| name).to_owned(),
        adjective: adjective.unwrap_or_default().to_owned(),
        letter: letter.map_or('?', |(_, letter)| letter),
        home: Home {
            country: country.unwrap_or_default().to_owned(),
            capitals: capitals.unwrap_or_default(),
        },
        leads,
        allotted: allotted.unwrap_or(Allotted::Own),
        builds_anywhere: builds.is_some_and(|place| place == "any-city"),
        supplied_in,
        hungry_in,
    };
    let twin = |at: Option<&Node>, what: &str, same: &dyn Fn(&Traits) -> bool| {
        let other = setting.nations.iter().find(|other| same(other))?;
        Some((
            at.unwrap_or(key).at,
            format!("{} has {what} already: one nation of a setting can", other.name),
        ))
    };
    let twins = [
        twin(name.map(|(n, _)| n), "this name", &|other| other.name == traits.name),
        twin(letter.map(|(n, _)| n), "this letter", &|other| other.letter == traits.letter),
        twin(fields.get("leads"), "the lead of this side", &|other| leads.is_some() && other.leads == leads),
        twin(fields.get("aids"), "aid to give", &|other| other.aids && traits.aids),
    ];
    for (at, reason) in twins.into_iter().flatten() {
        reader.fault(at, reason);
    }
    setting.nations.push(traits);
}

fn zone(reader: &mut Reader, setting: &Setting, node: &Node) -> Option<Zone> {
    let fields = reader.fields(node, "a zone", &["nations", "types", "closed", "confined", "because"]);
    let named = fields.need(reader, "nations");
    let nations = words(reader, named, "`nations`", "nation", &setting.words());
    let types = words(reader, fields.get("types"), "`types`", "type", &TYPES);
    let mut countries = |key| fields.get(key).map(|n| texts(reader, n, key, "a country"));
    let (closed, confined) = (countries("closed"), countries("confined"));
    if closed.is_some() == confined.is_some() {
        reader.fault(fields.at, "a zone has either `closed` or `confined`: write one of them");
    }
    let because = because(reader, &fields)?;
    let (closed, confined) = (closed.unwrap_or_default(), confined.unwrap_or_default());
    Some(Zone { nations, types, closed, confined, because })
}

fn because(reader: &mut Reader, fields: &Fields<'_>) -> Option<String> {
    let node = fields.need(reader, "because")?;
    Some(reader.text(node, "`because`")?.to_owned())
}

fn letter(reader: &mut Reader, node: &Node) -> Option<char> {
    let text = reader.text(node, "its letter")?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) if letter.is_ascii_uppercase() => Some(letter),
        _ => {
            reader.fault(node.at, format!("`{}` is no letter: write one from A to Z", short(text)));
            None
        }
    }
}

fn texts(reader: &mut Reader, node: &Node, what: &str, one: &str) -> Vec<String> {
    let nodes = reader.list(node, what);
    nodes.iter().filter_map(|node| reader.text(node, one)).map(str::to_owned).collect()
}

fn words<T: serde::de::DeserializeOwned>(
    reader: &mut Reader,
    node: Option<&Node>,
    what: &str,
    one: &str,
    words: &[&str],
) -> Vec<T> {
    let nodes = node.map_or(&[][..], |node| reader.list(node, what));
    nodes.iter().filter_map(|node| reader.word(node, one, words)).collect()
}
