//! The grammar as docs/lga/orders.md publishes it: whatever it allows is read, and means whom and what it names.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

const PUBLISHED: &str = include_str!("../../../../../docs/lga/orders.md");

/// A part of a rule of the grammar.
#[derive(Debug, Clone)]
enum Part {
    Word(String),
    Rule(String),
    All(Vec<Self>),
    One(Vec<Self>),
    Maybe(Box<Self>),
    Any(Box<Self>),
}

/// The published rules by name.
fn grammar() -> BTreeMap<String, Part> {
    let (_, chapter) = PUBLISHED.split_once("## The grammar").unwrap();
    let text: String = chapter.lines().filter(|line| line.starts_with("    ")).collect::<Vec<_>>().join(" ");
    let tokens = tokens(&text);
    let mut rules = BTreeMap::new();
    for rule in tokens.split(|token| token == ";").filter(|rule| !rule.is_empty()) {
        assert_eq!(rule[1], "=", "{rule:?}");
        let mut rest = &rule[2..];
        rules.insert(rule[0].clone(), choice(&mut rest));
        assert!(rest.is_empty(), "{}: {rest:?}", rule[0]);
    }
    rules
}

/// Names, signs, and terminals with the quotation mark before them.
fn tokens(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '"' | '\'' => {
                let length = rest[1..].find(first).unwrap();
                (format!("'{}", &rest[1..=length]), length + 2)
            }
            c if c.is_alphabetic() => {
                let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                (rest[..length].to_owned(), length)
            }
            c => (c.to_string(), 1),
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    found
}

fn choice(rest: &mut &[String]) -> Part {
    let mut choices = vec![sequence(rest)];
    while rest.first().is_some_and(|token| token == "|") {
        *rest = &rest[1..];
        choices.push(sequence(rest));
    }
    Part::One(choices)
}

fn sequence(rest: &mut &[String]) -> Part {
    let mut parts = Vec::new();
    while let Some(token) = rest.first().filter(|token| !["|", ")", "]", "}"].contains(&token.as_str())) {
        *rest = &rest[1..];
        parts.push(match (token.as_str(), token.strip_prefix('\'')) {
            (_, Some(word)) => Part::Word(word.to_owned()),
            ("(", _) => bracketed(rest),
            ("[", _) => Part::Maybe(Box::new(bracketed(rest))),
            ("{", _) => Part::Any(Box::new(bracketed(rest))),
            (name, _) => Part::Rule(name.to_owned()),
        });
    }
    Part::All(parts)
}

fn bracketed(rest: &mut &[String]) -> Part {
    let inner = choice(rest);
    *rest = &rest[1..];
    inner
}

/// A sentence in the making, and whom and what it names.
struct Sentence<'a> {
    grammar: &'a BTreeMap<String, Part>,
    rules: &'a Lga,
    /// What is chosen at each fork.
    choices: std::vec::IntoIter<u16>,
    text: String,
    /// Whether it speaks of the build pool: scenario 1 has 17 and 18 in it, and 1 to 16 on the map.
    pool: bool,
    units: Vec<u16>,
    places: BTreeSet<Hex>,
    directions: Vec<Direction>,
}

impl Sentence<'_> {
    fn choose(&mut self, among: usize) -> usize {
        usize::from(self.choices.next().unwrap_or_default()) % among
    }

    fn say(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    fn make(&mut self, part: &Part) {
        match part {
            Part::Word(word) => {
                self.pool |= word == "BUILD";
                self.say(word);
            }
            Part::Rule(name) => self.rule(name),
            Part::All(parts) => parts.iter().for_each(|part| self.make(part)),
            Part::One(choices) => {
                let choice = self.choose(choices.len());
                self.make(&choices[choice]);
            }
            Part::Maybe(part) => {
                if self.choose(2) == 1 {
                    self.make(part);
                }
            }
            Part::Any(part) => {
                for _ in 0..self.choose(3) {
                    self.make(part);
                }
            }
        }
    }

    /// A rule: one that names something is filled with what there is.
    fn rule(&mut self, name: &str) {
        match name {
            // A section has lines of its own: standing.rs.
            "section" => self.say("STANDING NONE"),
            "unit" => self.unit(),
            "member" if self.choose(3) == 0 => {
                let (first, last) = (self.number(), self.number());
                self.say(&format!("{first}-{last}"));
                self.units.extend(first.min(last)..=first.max(last));
            }
            "member" => self.unit(),
            "place" => self.place(),
            "hex" => {
                let hexes: Vec<Hex> = self.rules.map.hexes().collect();
                let hex = hexes[self.choose(hexes.len())];
                self.places.insert(hex);
                self.say(&hex.to_string());
            }
            "direction" => {
                let words = ["E", "W", "NE", "NW", "SE", "SW"];
                let word = words[self.choose(words.len())];
                self.directions.extend(Direction::from_abbreviation(word));
                self.say(word);
            }
            "nation" => {
                let names: Vec<&str> = self.rules.setting.nations().map(|(_, of)| of.name.as_str()).collect();
                let name = names[self.choose(names.len())];
                self.say(name);
            }
            "number" => {
                let number = 1 + self.choose(9);
                self.say(&number.to_string());
            }
            name => self.make(&self.grammar[name].clone()),
        }
    }

    /// The number of a unit that the order can be for.
    fn number(&mut self) -> u16 {
        let (first, count) = if self.pool { (17, 2) } else { (1, 16) };
        first + u16::try_from(self.choose(count)).unwrap()
    }

    fn unit(&mut self) {
        let number = self.number();
        self.units.push(number);
        let name = &self.rules.scenario.unit(UnitId(number)).name;
        match self.choose(3) {
            0 => self.say(&number.to_string()),
            1 => self.say(name),
            _ => self.say(&format!("\"{name}\"")),
        }
    }

    fn place(&mut self) {
        let cities: Vec<_> = self.rules.map.cities().map(|(hex, city)| (hex, city.name.clone())).collect();
        let (hex, name) = &cities[self.choose(cities.len())];
        match self.choose(3) {
            0 => return self.rule("hex"),
            1 => self.say(name),
            _ => self.say(&format!("\"{name}\"")),
        }
        self.places.insert(*hex);
    }
}

/// Whom and what an order names.
fn named(order: &Order) -> (Option<UnitId>, BTreeSet<Hex>, Vec<Direction>) {
    let mut places: BTreeSet<Hex> = order.guard.iter().map(|guard| guard.hex).collect();
    let mut directions = Vec::new();
    match &order.act {
        Act::Move { path: Path::To(hex), .. } | Act::Attack { at: hex, .. } => places.extend([*hex]),
        Act::Move { path: Path::Hexes(hexes), .. } => places.extend(hexes),
        Act::Move { path: Path::Directions(way), .. } => directions.clone_from(way),
        Act::Build { at, .. } | Act::Garrison { at, .. } | Act::Top { at, .. } => places.extend(*at),
        Act::Aid { .. } | Act::Rally { .. } | Act::End { .. } | Act::Standing { .. } => {}
    }
    (order.act.unit(), places, directions)
}

fn unit_and_place_of(standing: &Standing) -> (BTreeSet<u16>, BTreeSet<Hex>) {
    let (unit, place) = match standing.reaction {
        Reaction::Reinforce { unit, to } | Reaction::Withdraw { unit, to } => (unit, Some(to)),
        Reaction::Top { unit, at } => (unit, at),
    };
    let (mut units, mut places) = (BTreeSet::from([unit.0]), BTreeSet::from_iter(place));
    match standing.when {
        Trigger::HexAttacked { hex } | Trigger::HexEntered { hex } => places.extend([hex]),
        Trigger::UnitAttacked { unit } | Trigger::MoraleAtMost { unit, .. } => units.extend([unit.0]),
        Trigger::Always => {}
    }
    (units, places)
}

/// Sets poured together.
fn poured<T: Ord>(sets: Vec<BTreeSet<T>>) -> BTreeSet<T> {
    sets.into_iter().flatten().collect()
}

/// Scenario 1 as the French see it, and the published grammar: loaded once, for there are many sentences.
static OPENING: LazyLock<(Lga, View, BTreeMap<String, Part>)> = LazyLock::new(|| {
    let rules = rules("austrian-1805");
    let view = opening(&rules, Side::French);
    (rules, view, grammar())
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn every_sentence_of_the_published_grammar_is_read_and_means_what_it_names(
        choices in prop::collection::vec(any::<u16>(), 40),
    ) {
        let (rules, view, grammar) = &*OPENING;
        let mut sentence = Sentence {
            grammar,
            rules,
            choices: choices.into_iter(),
            text: String::new(),
            pool: false,
            units: Vec::new(),
            places: BTreeSet::new(),
            directions: Vec::new(),
        };
        sentence.rule("line");
        let Sentence { text, mut units, places, directions, .. } = sentence;
        match line::read(&Names::new(rules, view), &text, false) {
            Ok(Some(Line::Command(command))) if !matches!(command.who, Who::All { .. }) => {
                let orders = command.each();
                for marked in &orders {
                    let (_, found, way) = named(&marked.order);
                    prop_assert_eq!((&found, &way), (&places, &directions), "{}", text);
                }
                let mut found: Vec<u16> =
                    orders.iter().filter_map(|marked| marked.order.act.unit()).map(|unit| unit.0).collect();
                // The first named for the top comes last, and ranges may be written downwards.
                found.sort_unstable();
                units.sort_unstable();
                prop_assert_eq!(found, units, "{}", text);
            }
            Ok(Some(Line::Command(command))) => {
                let Who::All { at, span } = command.who else { unreachable!() };
                let (_, mut found, way) = named(&command.order((UnitId(1), span)).order);
                found.extend(at);
                prop_assert_eq!((found, way), (places, directions), "{}", text);
            }
            Ok(Some(Line::Reactions(reactions))) => {
                let (found, there): (Vec<_>, Vec<_>) = reactions.iter().map(|marked| unit_and_place_of(&marked.order)).unzip();
                prop_assert_eq!(poured(found), BTreeSet::from_iter(units), "{}", text);
                prop_assert_eq!(poured(there), places, "{}", text);
            }
            Ok(Some(Line::Info(hexes, unknown))) => {
                prop_assert!(unknown.is_empty(), "{}", text);
                prop_assert_eq!(BTreeSet::from_iter(hexes), places, "{}", text);
            }
            Ok(Some(Line::SectionEmpty)) => {}
            Ok(_) => prop_assert!(false, "{}: nothing is read", text),
            Err(remark) => prop_assert!(false, "{}: {:?}", text, remark),
        }
    }
}
