//! Finds units and places as players write them, by number, name or part of a name.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::Lga;
use crate::folding::{fold, words};
use crate::map::City;
use crate::model::{Nation, UnitId};
use crate::scenario::UnitSpec;
use crate::setting::Traits;
use crate::view::View;
use musterd_engine::alike::unlikeness;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Remark, Weight};
use musterd_engine::tokens::{Kind, Span, Token, around};

/// A fault in a line, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    span: Span,
    text: String,
    hint: Option<String>,
}

impl Fault {
    /// A fault at a place in the line.
    pub(super) fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into(), hint: None }
    }

    /// Adds what to write instead.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The remark for the player if only an answer is missing.
    pub(super) fn unanswered(self, line: usize) -> Remark {
        Remark { weight: Weight::Warning, ..self.on(line) }
    }

    /// The remark that the player reads.
    pub(super) fn on(self, line: usize) -> Remark {
        Remark { hint: self.hint, ..Remark::error(line, self.text).at(self.span.0, self.span.1) }
    }
}

/// A player's word as an answer repeats it: short, and without control characters.
pub(super) fn quote(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).take(30).collect();
    if text.chars().nth(30).is_some() { format!("`{clean}...`") } else { format!("`{clean}`") }
}

/// The relation of a player to a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// His own, on the map.
    Field,
    /// His own, in the build pool.
    Pool,
    /// Of his side, under another player.
    Ally,
    /// Not of his side.
    Enemy,
}

/// Which units an order can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Units on the map, or in the pool if no other fits: an earlier line may build it.
    Field,
    /// Units that can be built.
    Pool,
    /// Units on the map and in the pool alike: a standing order may wait for a unit.
    Both,
    /// Units of allies too: a standing order may react to events that concern them (ruling LGA-75).
    Side,
}

struct KnownUnit<'a> {
    spec: &'a UnitSpec,
    words: &'a [String],
    tie: Tie,
}

struct Town<'a> {
    hex: Hex,
    name: &'a str,
    short: &'a str,
    words: &'a [String],
    in_play: bool,
}

/// How well a name fits: less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Words,
    Beginnings,
}

/// The names of one game, as one seat may use them.
pub(super) struct Names<'a> {
    rules: &'a Lga,
    view: &'a View,
    // Collected when a name is first written; orders by number don't need them.
    units: OnceCell<Vec<KnownUnit<'a>>>,
    towns: OnceCell<Vec<Town<'a>>>,
    suggests: bool,
}

impl<'a> Names<'a> {
    /// Every name that the seat of `view` may write.
    pub(super) const fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self { rules, view, units: OnceCell::new(), towns: OnceCell::new(), suggests: true }
    }

    fn units(&self) -> &[KnownUnit<'a>] {
        self.units.get_or_init(|| {
            let units = self.rules.scenario().units().iter().zip(&self.rules.spelling().units);
            units.map(|(spec, words)| KnownUnit { spec, words, tie: self.tie_of(spec) }).collect()
        })
    }

    fn towns(&self) -> &[Town<'a>] {
        self.towns.get_or_init(|| {
            let towns = self.rules.map().cities().zip(&self.rules.spelling().towns);
            let town = |((hex, city), (words, short)): ((Hex, &'a City), &'a (Vec<String>, String))| Town {
                hex,
                name: &city.name,
                short,
                words,
                in_play: self.rules.scenario().in_play(hex),
            };
            towns.map(town).collect()
        })
    }

    fn tie_of(&self, unit: &UnitSpec) -> Tie {
        match unit.side == self.view.side {
            false => Tie::Enemy,
            true if !self.view.nations.contains(&unit.nation) => Tie::Ally,
            true if self.view.own.contains_key(&unit.id) => Tie::Field,
            true => Tie::Pool,
        }
    }

    /// Stops looking for names that may have been meant, because the remarks will not be shown.
    pub(super) const fn suggest_no_more(&mut self) {
        self.suggests = false;
    }

    /// The unit that all of these tokens name.
    pub(super) fn unit(&self, tokens: &[Token<'_>], scope: Scope, end: Span) -> Result<UnitId, Fault> {
        let Some(span) = around(tokens) else {
            return Err(Fault::new(end, "Which unit? Its number or name is missing.")
                .hint("its number, such as 3, is enough"));
        };
        if let [one] = tokens
            && one.kind == Kind::Word
            && one.text.bytes().all(|b| b.is_ascii_digit())
        {
            let known = one.text.parse().ok().and_then(|n| self.rules.scenario().find(UnitId(n)));
            return match known {
                Some(unit) => self.permitted(unit, scope, span),
                None => {
                    let last = self.last_number();
                    let fault = Fault::new(
                        span,
                        format!("There is no unit {}: they go from 1 to {last}.", quote(one.text)),
                    );
                    let is_hex = one.text.parse::<Hex>().is_ok();
                    Err(if is_hex {
                        fault.hint("four digits are a hex; a unit comes before it")
                    } else {
                        fault
                    })
                }
            };
        }
        let written = tokens.iter().map(|t| t.text).collect::<Vec<_>>().join(" ");
        let ties: &[&[Tie]] = match scope {
            Scope::Field => &[&[Tie::Field], &[Tie::Pool], &[Tie::Ally], &[Tie::Enemy]],
            Scope::Pool => &[&[Tie::Pool], &[Tie::Field], &[Tie::Ally], &[Tie::Enemy]],
            Scope::Both | Scope::Side => &[&[Tie::Field, Tie::Pool], &[Tie::Ally], &[Tie::Enemy]],
        };
        let asked = words(&written);
        for ties in ties {
            let candidates = self.units().iter().filter(|u| ties.contains(&u.tie)).map(|u| (u, u.words));
            match best(&asked, candidates).as_slice() {
                [] => {}
                [unit] => return self.permitted(unit.spec, scope, span),
                several => {
                    let list = several
                        .iter()
                        .map(|u| format!("{} ({})", u.spec.id, u.spec.name))
                        .collect::<Vec<_>>();
                    let text = format!("{} could be {}.", quote(&written), either(&list));
                    return Err(Fault::new(span, text).hint("write the unit's number"));
                }
            }
        }
        let fault = Fault::new(span, format!("No unit of yours is called {}.", quote(&written)));
        let own = self.units().iter().filter(|u| matches!(u.tie, Tie::Field | Tie::Pool));
        let near = self.nearest(&asked, own.flat_map(|u| spellings(u.words).map(move |s| (s, u))));
        Err(match near {
            Some(unit) => fault.hint(format!("did you mean {} ({})?", unit.spec.name, unit.spec.id)),
            None => match unit_and_rounds(&written) {
                Some((unit, rounds)) => fault.hint(format!("write a space: {unit} x{rounds}")),
                None => fault,
            },
        })
    }

    /// Whether the game has a unit with this number.
    pub(super) fn has_number(&self, number: u16) -> bool {
        self.rules.scenario().find(UnitId(number)).is_some()
    }

    /// The highest number that a unit has.
    pub(super) fn last_number(&self) -> u16 {
        self.rules.scenario().units().last().map_or(0, |unit| unit.id.0)
    }

    /// The unit of this number, as one of a range.
    pub(super) fn numbered(&self, number: u16, scope: Scope, span: Span) -> Result<UnitId, Fault> {
        match self.rules.scenario().find(UnitId(number)) {
            Some(unit) => self.permitted(unit, scope, span),
            None => Err(Fault::new(span, format!("There is no unit {number}."))),
        }
    }

    /// The hex that all of these tokens name.
    pub(super) fn place(&self, tokens: &[Token<'_>], end: Span) -> Result<Hex, Fault> {
        let Some(span) = around(tokens) else {
            return Err(Fault::new(end, "Where? A hex or a city is missing.").hint("for example 1507 or Ulm"));
        };
        let written = match tokens {
            [one] => Cow::Borrowed(one.text),
            several => Cow::Owned(several.iter().map(|t| t.text).collect::<Vec<_>>().join(" ")),
        };
        if written.bytes().all(|b| b.is_ascii_digit()) {
            return match written.parse() {
                Ok(hex) if self.rules.map().area(hex).is_some() => Ok(hex),
                _ => {
                    let (columns, rows) = (self.rules.map().columns(), self.rules.map().rows());
                    let text = format!("{} is no hex of this map.", quote(&written));
                    Err(Fault::new(span, text).hint(format!(
                        "four digits, column 01 to {columns} then row 01 to {rows:02}, such as 1204"
                    )))
                }
            };
        }
        let asked = words(&written);
        let joined = asked.join(" ");
        if let Some(town) = self.towns().iter().find(|t| t.short == joined) {
            return Ok(town.hex);
        }
        for in_play in [true, false] {
            let candidates = self.towns().iter().filter(|t| t.in_play || !in_play).map(|t| (t, t.words));
            match best(&asked, candidates).as_slice() {
                [] => {}
                [town] => return Ok(town.hex),
                several => {
                    let list = several.iter().map(|t| format!("{} {}", t.name, t.hex)).collect::<Vec<_>>();
                    let text = format!("{} could be {}.", quote(&written), either(&list));
                    return Err(Fault::new(span, text).hint("write more of the name, or the hex number"));
                }
            }
        }
        let fault = Fault::new(span, format!("There is no city called {}.", quote(&written)));
        let near =
            self.nearest(&asked, self.towns().iter().flat_map(|t| spellings(t.words).map(move |s| (s, t))));
        Err(match near {
            Some(town) => fault.hint(format!("did you mean {} {}?", town.name, town.hex)),
            None => fault.hint("a hex number such as 1204 always works"),
        })
    }

    /// Whether an order of this scope may name the unit, and if not, why.
    fn permitted(&self, unit: &UnitSpec, scope: Scope, span: Span) -> Result<UnitId, Fault> {
        let (id, name, nation) = (unit.id, &unit.name, unit.nation);
        match (self.tie_of(unit), scope) {
            // A unit of the pool may be built by an earlier line: the plan knows.
            (Tie::Field, Scope::Field | Scope::Both | Scope::Side) | (Tie::Pool, _) => Ok(id),
            (Tie::Field, Scope::Pool) => {
                Err(Fault::new(span, format!("{name} ({id}) is on the map already."))
                    .hint("only units of the build pool are built"))
            }
            (Tie::Ally, Scope::Side) => Ok(id),
            (Tie::Ally, _) => {
                let who = self.rules.commander(nation);
                Err(Fault::new(
                    span,
                    format!("{name} ({id}) is {}'s: {who} gives its orders.", self.rules.name(nation)),
                ))
            }
            (Tie::Enemy, _) => {
                let nation = self.rules.name(nation);
                Err(Fault::new(span, format!("{name} ({id}) is {nation}'s, your enemy.")))
            }
        }
    }

    /// The unit that the longest run of first tokens names, and the number of these tokens; `None` if they name no unit.
    pub(super) fn longest_unit(&self, tokens: &[Token<'_>], scope: Scope) -> Option<(usize, UnitId)> {
        (1..=tokens.len().min(4))
            .rev()
            .find_map(|count| Some((count, self.unit(&tokens[..count], scope, (0, 0)).ok()?)))
    }

    /// The name that differs least, if it differs by no more than a third of its letters.
    fn nearest<T: Copy>(&self, asked: &[String], names: impl Iterator<Item = (String, T)>) -> Option<T> {
        let asked: String = asked.join(" ").chars().take(40).collect();
        names
            .take(if self.suggests { usize::MAX } else { 0 })
            .map(|(name, value)| (unlikeness(&asked, &name), name.len(), value))
            .filter(|&(unlikeness, length, _)| unlikeness.slips * 3 <= length)
            .min_by_key(|&(unlikeness, _, _)| unlikeness)
            .map(|(_, _, value)| value)
    }

    /// The nation with this name, adjective or letter.
    pub(super) fn nation(&self, token: Token<'_>) -> Option<Nation> {
        let word = fold(token.text);
        let fits = |(nation, traits): &(Nation, &Traits)| {
            let name = fold(&traits.name);
            token.text.eq_ignore_ascii_case(nation.word())
                || name == word
                || word.len() >= 3 && (name.starts_with(&word) || word.starts_with(&name[..name.len() - 1]))
        };
        self.rules.setting().nations().find(fits).map(|(nation, _)| nation)
    }
}

/// `3X2`, where `3 x2` is meant: the unit's number and the rounds.
fn unit_and_rounds(written: &str) -> Option<(&str, &str)> {
    let (unit, rounds) = written.split_once(['x', 'X'])?;
    let digits = |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    (digits(unit) && digits(rounds)).then_some((unit, rounds))
}

/// The candidates that fit best and equally well.
fn best<'c, T>(asked: &[String], candidates: impl Iterator<Item = (&'c T, &'c [String])>) -> Vec<&'c T> {
    let mut found = Vec::new();
    let mut top = Fit::Beginnings;
    for (candidate, words) in candidates {
        let Some(fit) = fit(asked, words) else { continue };
        if fit < top {
            found.clear();
            top = fit;
        }
        if fit == top {
            found.push(candidate);
        }
    }
    found
}

/// How the words asked for fit a name: all of it, some of its words in order, or the beginnings of some.
fn fit(asked: &[String], name: &[String]) -> Option<Fit> {
    if asked.is_empty() {
        return None;
    }
    if asked == name || asked.concat() == name.concat() {
        return Some(Fit::Whole);
    }
    let in_order = |matches: fn(&str, &str) -> bool| {
        let mut rest = name.iter();
        asked.iter().all(|word| rest.any(|other| matches(other, word)))
    };
    if in_order(|other, word| other == word) {
        Some(Fit::Words)
    } else if in_order(|other, word| other.starts_with(word)) {
        Some(Fit::Beginnings)
    } else {
        None
    }
}

/// A name whole and each of its longer words: what a slip of the pen is compared with.
fn spellings(words: &[String]) -> impl Iterator<Item = String> {
    std::iter::once(words.join(" ")).chain(words.iter().filter(|w| w.len() >= 3).cloned())
}

/// `a, b or c`, at most four of them named.
fn either(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 4 => format!("{} or {last}", first.join(", ")),
        many => format!("{} or one of {} more", many[..3].join(", "), many.len() - 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_to_plain_letters() {
        for spelling in ["Königsberg", "KOENIGSBERG", "konigsberg"] {
            assert_eq!(words(spelling), ["konigsberg"]);
        }
        assert_eq!(words("St. Petersburg"), ["st", "petersburg"]);
    }

    #[test]
    fn whole_names_beat_words_and_words_beat_beginnings() {
        let fit = |asked: &str, name: &str| fit(&words(asked), &words(name));
        assert_eq!(fit("davout", "DAVOUT"), Some(Fit::Whole));
        assert_eq!(fit("davout", "III Davout"), Some(Fit::Words));
        assert_eq!(fit("iii dav", "III Davout"), Some(Fit::Beginnings));
        assert_eq!(fit("i", "I Bernadotte"), Some(Fit::Words));
        assert_eq!(fit("i", "III Davout"), Some(Fit::Beginnings));
        assert_eq!(fit("1cav", "1 Cav"), Some(Fit::Whole));
        assert_eq!(fit("davout iii", "III Davout"), None);
    }

    #[test]
    fn long_lists_of_choices_are_cut() {
        let names: Vec<String> = (1..=6).map(|n| n.to_string()).collect();
        assert_eq!(either(&names[..2]), "1 or 2");
        assert_eq!(either(&names), "1, 2, 3 or one of 3 more");
    }
}
