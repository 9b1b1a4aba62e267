//! A game's adjudications, in words: how far the dice of each can be trusted, whose salts counted, and what is found.

use std::collections::{BTreeMap, BTreeSet};

use super::wording::{MOST_TOLD, at_most, items, ranges};
use musterd_dice::audit::{self, BeaconProof, Examination, Place, PublicValue};
use musterd_dice::{Assurance, Level, Seat};
use musterd_engine::briefing::{Fact, Item, Part, Section, Table};
use musterd_report::dice::meaning;
use musterd_report::text;
use musterd_text::nouns::count;

/// What an audit file says of each adjudication, and what the levels in it mean; `told` is what the host says of those that are
/// not revealed. Of more adjudications than `most` those are listed in which something is wrong, below a summary of all.
pub fn turn_by_turn(examination: &Examination, told: &BTreeMap<u32, Assurance>, most: usize) -> Section {
    let is_long = examination.turns.len() > most;
    let is_wrong = |t: u32| examination.faults().any(|finding| turn_of(finding.place) == Some(t));
    let mut parts = Vec::new();
    if is_long {
        parts.push(Part::text(summary(examination)));
    }
    parts.extend(listed(examination, told, |t| !is_long || is_wrong(t)));
    parts.extend(levels(examination, told));
    parts.extend(published(examination));
    Section::of("Turn by turn", parts)
}

/// The adjudication that a place is in.
pub(super) const fn turn_of(place: Place) -> Option<u32> {
    match place {
        Place::Turn(t) | Place::Rerun(t, _) => Some(t),
        Place::File | Place::Log(_) | Place::Witness(_) => None,
    }
}

/// The adjudications as a table that fits the page: whose salts counted stands below it where the names are too long.
fn listed(
    examination: &Examination,
    told: &BTreeMap<u32, Assurance>,
    shown: impl Fn(u32) -> bool,
) -> Vec<Part> {
    let shown: Vec<&audit::Examined> = examination.turns.iter().filter(|turn| shown(turn.t)).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let named = table(examination, told, &shown, true);
    if text::fits(&named) {
        return vec![Part::Table(named)];
    }
    let mut parts = vec![Part::Table(table(examination, told, &shown, false))];
    let mut of_seats: BTreeMap<&BTreeSet<Seat>, Vec<u32>> = BTreeMap::new();
    for (turn, (_, salted)) in shown.iter().filter_map(|turn| Some((turn, known(turn, told)?))) {
        of_seats.entry(salted).or_default().push(turn.t);
    }
    let salted = of_seats
        .into_iter()
        .map(|(seats, turns)| Item::of(format!("t {}: {}", ranges(&turns), names(seats))));
    let salted: Vec<_> = salted.collect();
    if !salted.is_empty() {
        parts.extend([Part::text("Salted by:"), items(false, salted)]);
    }
    parts
}

/// The level of an adjudication and whose salts counted: as the file shows it, or else as the host says.
fn known<'a>(
    turn: &'a audit::Examined,
    told: &'a BTreeMap<u32, Assurance>,
) -> Option<(Level, &'a BTreeSet<Seat>)> {
    let own = turn.level.map(|level| (level, &turn.salted));
    own.or_else(|| told.get(&turn.t).map(|told| (told.level, &told.salted)))
}

fn names(seats: &BTreeSet<Seat>) -> String {
    match seats.is_empty() {
        true => "nobody".to_owned(),
        false => seats.iter().map(Seat::as_str).collect::<Vec<_>>().join(", "),
    }
}

fn table(
    examination: &Examination,
    told: &BTreeMap<u32, Assurance>,
    shown: &[&audit::Examined],
    named: bool,
) -> Table {
    let mut wrong: BTreeMap<u32, usize> = BTreeMap::new();
    for t in examination.faults().filter_map(|finding| turn_of(finding.place)) {
        *wrong.entry(t).or_default() += 1;
    }
    let salted_by = if named { "salted by" } else { ">salts" };
    let mut table = Table::new(&[">t", "name", "level", salted_by, ">rolls", ">dice", "found"]);
    for turn in shown {
        let (level, salted) = known(turn, told).map_or_else(Default::default, |(level, salted)| {
            (level.to_string(), if named { names(salted) } else { salted.len().to_string() })
        });
        let found = match (turn.closed, turn.level.is_some()) {
            (true, false) if turn.void => "void, hidden",
            _ if turn.void => "void",
            (false, _) => "still open",
            (true, false) => "not revealed",
            (true, true) => "nothing wrong",
        };
        let found = wrong.get(&turn.t).map_or_else(|| found.to_owned(), |n| format!("{n} WRONG"));
        let shown = |n: usize| turn.level.map_or_else(String::new, |_| n.to_string());
        let (rolls, dice) = (shown(turn.rolls), shown(turn.dice));
        table.row([turn.t.to_string(), turn.name.clone(), level, salted, rolls, dice, found]);
    }
    table
}

/// A long game in a sentence.
fn summary(examination: &Examination) -> String {
    let mut of_level: BTreeMap<Level, usize> = BTreeMap::new();
    for level in examination.turns.iter().filter_map(|turn| turn.level) {
        *of_level.entry(level).or_default() += 1;
    }
    let levels: Vec<String> = of_level.iter().map(|(level, n)| format!("{n} of level {level}")).collect();
    format!(
        "{}: {}. Those in which something is wrong are listed; --json lists them all.",
        count(examination.turns.len(), "adjudication"),
        if levels.is_empty() { "none revealed".to_owned() } else { text::listed(&levels) }
    )
}

/// What the levels that occur mean.
fn levels(examination: &Examination, told: &BTreeMap<u32, Assurance>) -> Option<Part> {
    let own = examination.turns.iter().filter_map(|turn| turn.level);
    let occurring: BTreeSet<Level> = own.chain(told.values().map(|told| told.level)).collect();
    let is_proved = beacons(examination).all(|(_, public)| public.proof == BeaconProof::Signed);
    let told_alone = told.values().any(|told| told.level == Level::L3);
    let meaning = |level: Level| match level {
        Level::L3 if is_proved && !told_alone => Fact::of(level.to_string(), PROVED.to_owned()),
        _ => Fact::of(level.to_string(), meaning(level).to_owned()),
    };
    let facts: Vec<Fact> = occurring.into_iter().map(meaning).collect();
    (!facts.is_empty()).then_some(Part::Facts { facts })
}

/// The meaning of level L3 where every value of the public beacon is proved.
const PROVED: &str = "nothing is left to the host: a public beacon's value from after the close counts, and the beacon signed it";

/// What the public beacon is said to have published, by adjudication.
fn beacons(examination: &Examination) -> impl Iterator<Item = (u32, &PublicValue)> {
    examination.turns.iter().filter_map(|turn| Some((turn.t, turn.beacon.as_ref()?)))
}

/// Which values of the public beacon are proved, and which have to be compared by hand.
fn published(examination: &Examination) -> Vec<Part> {
    let is_signed = |public: &PublicValue| public.proof == BeaconProof::Signed;
    let mut parts = Vec::new();
    let signed: Vec<u32> =
        beacons(examination).filter(|(_, public)| is_signed(public)).map(|(t, _)| t).collect();
    if !signed.is_empty() {
        parts.push(Part::text(format!(
            "That the public beacon published its value is proved for t {}: its own key has signed it. The mail of the close must have reached you \
             before the beacon's round was published.",
            ranges(&signed)
        )));
    }
    let unproved = beacons(examination).filter(|(_, public)| !is_signed(public));
    let told: Vec<String> =
        unproved.map(|(t, public)| format!("t {t}: {public}{}", why(public.proof))).collect();
    let first = "Level L3 is here no more than the host's word. Ask the beacon itself, and compare; and the mail of the close must have reached \
         you before the beacon's round was published:";
    if !told.is_empty() {
        let told = at_most(MOST_TOLD, told, "value of a beacon", "values of a beacon");
        parts.push(items(false, std::iter::once(Item::of(first)).chain(told).collect()));
    }
    parts
}

/// Why a value is not proved.
const fn why(proof: BeaconProof) -> &'static str {
    match proof {
        BeaconProof::Signed => "",
        BeaconProof::NoKey => {
            ". The file has what it published; no key is known here by which that could be proved"
        }
        BeaconProof::NotChecked => ". The file has what it published, and its signature was not checked",
        BeaconProof::NoValue => ". The file lacks what it published, as files of before do",
    }
}
