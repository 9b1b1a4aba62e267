//! Letters between players: who may write to whom, and the place of letters in reports.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Game;
use super::letters::Delivery;
use crate::mail::{Press, PressFault};
use musterd_dice::{Seat, Word};
use musterd_engine::briefing::{Part, Section};
use musterd_engine::journal::{Carriage, Charter, Player, Seal};
use musterd_engine::terms::PressPolicy;
use musterd_engine::{Ride, SeatSpec};
use musterd_report::text::{listed, quoted};

/// The longest letter, in bytes and in lines.
const LONGEST: usize = 8_000;
const MOST_LINES: usize = 200;
/// The name of an anonymous letter's writer.
pub const UNKNOWN_HAND: &str = "an unknown hand";
/// The longest part of a player's words that an answer repeats, in characters.
const REPEATED: usize = 40;

/// Why a letter is not forwarded. The messages are for its writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsent {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The dispatches of the last turn wait for the GM.
    #[error("no turn is open while the GM looks at the last one; send it again when your dispatch has come")]
    BetweenTurns,
    /// The last turn is closed, and its dice wait for the public beacon.
    #[error(
        "no turn is open until the dice of the last one have fallen; send it again when your dispatch has come"
    )]
    Closed,
    /// This game forwards no letters.
    #[error("in this game the host passes no letters on")]
    Forbidden,
    /// `PRESS TO` without a name.
    #[error("it doesn't say for whom it is: begin it with PRESS TO {known}")]
    Nobody {
        /// The people whom the writer can write to.
        known: String,
    },
    /// A name that belongs to nobody.
    #[error("`{name}` is nobody in this game: write PRESS TO {known}")]
    Unknown {
        /// As written.
        name: String,
        /// The people whom the writer can write to.
        known: String,
    },
    /// A recipient of another side, if letters may go to the own side only.
    #[error("{title} is not of your side, and in this game letters go to your own side only")]
    OtherSide {
        /// The title of the recipient.
        title: String,
    },
    /// There is no other seat to write to.
    #[error("nobody shares your side: you have no allies to write to")]
    Alone,
    /// The writer is the only recipient.
    #[error("it is for nobody but yourself")]
    Oneself,
    /// All recipients are computers, which don't read.
    #[error("it is for nobody but the computer, which reads no letters")]
    ComputersOnly,
    /// Its frame is wrong.
    #[error(transparent)]
    Frame(PressFault),
    /// The writer can't be hidden in this game.
    #[error("in this game every letter says whose it is; leave ANONYMOUS out")]
    NotAnonymous,
    /// A seal that is not a future time.
    #[error(
        "`{until}` is no time to come: write SEALED UNTIL and a day (2026-12-24), the number of a later turn (9), or how its name begins (1806-spring)"
    )]
    BadSeal {
        /// As written.
        until: String,
    },
    /// Too long.
    #[error(
        "it has {lines} lines and {bytes} bytes; at most {MOST_LINES} lines and {LONGEST} bytes are passed on"
    )]
    TooLong {
        /// Its lines.
        lines: usize,
        /// Its bytes.
        bytes: usize,
    },
}

/// The seats of other sides than this one's.
pub fn enemies(seats: &[SeatSpec], seat: &Seat) -> BTreeSet<Seat> {
    let side = seats.iter().find(|spec| spec.seat == *seat).map(|spec| spec.side.as_str());
    seats.iter().filter(|spec| Some(spec.side.as_str()) != side).map(|spec| spec.seat.clone()).collect()
}

/// The recipients, text and carriage of a letter. `written` is the open adjudication and the time, unix seconds; `zone` is the writer's.
///
/// # Errors
/// The letter can't be forwarded.
pub(super) fn accepted(
    charter: &Charter,
    game: &dyn Game,
    from: &Seat,
    given: &Press,
    written: (u32, i64),
    zone: &str,
) -> Result<(BTreeSet<Seat>, String, Carriage), Unsent> {
    let text = given.text.clone().map_err(Unsent::Frame)?;
    let to = recipients(charter, game.seats(), from, &given.to)?;
    fitting(&text)?;
    if given.anonymous && !charter.terms.anonymous {
        return Err(Unsent::NotAnonymous);
    }
    let carriage = match &given.sealed {
        Some(until) => Carriage::Sealed { until: seal(until, written, zone)? },
        None if charter.terms.couriers.is_some() => by_courier(game, from, &to),
        None => Carriage::AtOnce,
    };
    Ok((to, text, carriage))
}

/// Until when a letter is sealed: a day, the number of a turn, or the beginning of its name.
fn seal(until: &str, (t, now): (u32, i64), zone: &str) -> Result<Seal, Unsent> {
    let bad =
        || Unsent::BadSeal { until: until.chars().filter(|c| !c.is_control()).take(REPEATED).collect() };
    if let Ok(turn) = until.parse::<u32>() {
        return if turn > t { Ok(Seal::Turn { t: turn }) } else { Err(bad()) };
    }
    if let Ok(day) = until.parse::<Date>() {
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        let at = day.to_zoned(zone).map_err(|_| bad())?.timestamp().as_second();
        return if at > now { Ok(Seal::Time { at }) } else { Err(bad()) };
    }
    let name = until.to_ascii_lowercase();
    match name.parse::<Word>() {
        Ok(word) => Ok(Seal::Named { name: word.to_string() }),
        Err(_) => Err(bad()),
    }
}

/// The couriers to a letter's readers. A letter to another side goes under a flag of truce: it arrives with the next dispatch, meets no danger, and
/// doesn't reveal where anybody is.
fn by_courier(game: &dyn Game, from: &Seat, to: &BTreeSet<Seat>) -> Carriage {
    let foreign = enemies(game.seats(), from);
    let ride = |reader: &Seat| match foreign.contains(reader) {
        true => Some(Ride { hexes: 1, perils: 0 }),
        false => game.ride(from, reader),
    };
    let rides = to.iter().filter_map(|reader| Some((reader.clone(), ride(reader)?))).collect();
    Carriage::Courier { rides }
}

/// The seats of a side except one.
pub fn allies<'a>(seats: &'a [SeatSpec], seat: &'a Seat) -> impl Iterator<Item = &'a SeatSpec> {
    let side = seats.iter().find(|spec| spec.seat == *seat).map(|spec| spec.side.as_str());
    seats.iter().filter(move |spec| spec.seat != *seat && Some(spec.side.as_str()) == side)
}

/// The recipients of a letter: `ALLIES`, `ALL`, a side, seats by name, nation or title, several of them separated by commas or AND. Computers are
/// included, though they don't read.
///
/// # Errors
/// The letter can't be forwarded.
pub(super) fn recipients(
    charter: &Charter,
    seats: &[SeatSpec],
    from: &Seat,
    to: &str,
) -> Result<BTreeSet<Seat>, Unsent> {
    if charter.press == PressPolicy::None {
        return Err(Unsent::Forbidden);
    }
    let lower = to.to_lowercase();
    let parts = lower.split([',', '+', '&', ';']).map(|name| name.trim().trim_end_matches('.'));
    // A title may contain an `and` of its own.
    let names = parts.flat_map(|part| match named(seats, from, part).is_empty() {
        true => part.split(" and ").map(str::trim).collect(),
        false => vec![part],
    });
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    if names.is_empty() {
        return Err(Unsent::Nobody { known: known(charter, seats, from) });
    }
    let mut found = BTreeSet::new();
    for name in names {
        let named = named(seats, from, name);
        if named.is_empty() && is_allies(name) {
            return Err(Unsent::Alone);
        }
        if named.is_empty() {
            let name: String = name.chars().filter(|c| !c.is_control()).take(REPEATED).collect();
            return Err(Unsent::Unknown { name, known: known(charter, seats, from) });
        }
        found.extend(named);
    }
    found.remove(from);
    let side: BTreeSet<&Seat> = allies(seats, from).map(|spec| &spec.seat).collect();
    let stranger = seats.iter().find(|spec| found.contains(&spec.seat) && !side.contains(&spec.seat));
    if let Some(spec) = stranger.filter(|_| charter.press == PressPolicy::Side) {
        return Err(Unsent::OtherSide { title: spec.title.clone() });
    }
    let reads = |seat: &Seat| matches!(charter.players.get(seat), Some(Player::Mail { .. }));
    match found.iter().any(reads) {
        true => Ok(found),
        false if found.is_empty() => Err(Unsent::Oneself),
        false => Err(Unsent::ComputersOnly),
    }
}

/// Whether a letter to these people is for the GM too, and who its other readers are, in the writer's words.
pub fn for_gm(to: &str) -> (bool, String) {
    let is_gm = |name: &str| {
        let name = name.trim().trim_end_matches('.').to_lowercase();
        ["gm", "game master"].contains(&name.strip_prefix("the ").unwrap_or(&name))
    };
    let mut found = false;
    let mut others = Vec::new();
    for part in to.split([',', '+', '&', ';']) {
        // A title may contain an `and` of its own.
        let (gm, rest): (Vec<&str>, Vec<&str>) = part.split(" and ").partition(|name| is_gm(name));
        found |= !gm.is_empty();
        others.extend(Some(rest.join(" and ")).filter(|rest| !rest.trim().is_empty()));
    }
    (found, others.join(","))
}

/// Whether a name means the writer's own side.
fn is_allies(name: &str) -> bool {
    ["allies", "ally", "my allies", "our allies", "my side", "our side", "own side", "side"].contains(&name)
}

/// The seats that a name in small letters stands for, possibly including the writer's.
fn named(seats: &[SeatSpec], from: &Seat, name: &str) -> Vec<Seat> {
    let name = name.strip_prefix("the ").unwrap_or(name);
    let by = |fits: &dyn Fn(&SeatSpec) -> bool| -> Vec<Seat> {
        seats.iter().filter(|spec| fits(spec)).map(|spec| spec.seat.clone()).collect()
    };
    if is_allies(name) {
        return allies(seats, from).map(|spec| spec.seat.clone()).collect();
    }
    if ["all", "everybody", "everyone"].contains(&name) {
        return by(&|_| true);
    }
    let title = |spec: &SeatSpec| spec.title.to_lowercase().trim_start_matches("the ") == name;
    let part = |spec: &SeatSpec| {
        let own = spec.seat.as_str().rsplit('.').next().unwrap_or_default();
        own.split('-').any(|part| part == name)
    };
    let exact = by(&|spec| spec.seat.as_str() == name || title(spec));
    if !exact.is_empty() {
        return exact;
    }
    let side = by(&|spec| spec.side.to_lowercase() == name.trim_end_matches(" side"));
    if side.is_empty() { by(&part) } else { side }
}

/// The people whom a seat can write to, as an answer lists them.
fn known(charter: &Charter, seats: &[SeatSpec], from: &Seat) -> String {
    let others: Vec<&SeatSpec> = match charter.press {
        PressPolicy::All => seats.iter().filter(|spec| spec.seat != *from).collect(),
        PressPolicy::None | PressPolicy::Side => allies(seats, from).collect(),
    };
    let names = others.iter().map(|spec| spec.seat.as_str().to_uppercase());
    let all = if charter.press == PressPolicy::All { "ALL" } else { "ALLIES" };
    std::iter::once(all.to_owned()).chain(names).collect::<Vec<_>>().join(", or ")
}

/// Whether a letter is short enough.
///
/// # Errors
/// It is too long.
pub fn fitting(text: &str) -> Result<(), Unsent> {
    let (lines, bytes) = (text.lines().count(), text.len());
    if bytes > LONGEST || lines > MOST_LINES { Err(Unsent::TooLong { lines, bytes }) } else { Ok(()) }
}

/// The letters that a seat may read, as sections of its report: those that its whole side has read, then those to itself alone. The writer reads his own
/// with the side.
pub(super) fn sections(seats: &[SeatSpec], seat: &Seat, letters: &[Delivery]) -> Vec<Section> {
    let is_own = |given: &Delivery, seat: &Seat| given.letter.from == *seat && !given.taken;
    let reads = |given: &Delivery, seat: &Seat| is_own(given, seat) || given.readers.contains(seat);
    let joint = |given: &Delivery| allies(seats, seat).all(|ally| reads(given, &ally.seat));
    let mine = letters.iter().filter(|given| reads(given, seat));
    let (joint, alone): (Vec<&Delivery>, Vec<&Delivery>) =
        mine.filter(|given| !is_own(given, seat) || joint(given)).partition(|given| joint(given));
    let own = title_of(seats, seat);
    let has_allies = allies(seats, seat).next().is_some();
    let (title, side) =
        if has_allies { ("Letters among the allies", "your side") } else { ("Letters", own.as_str()) };
    let joint = section(title, seats, &joint, side);
    joint.into_iter().chain(section("Letters to you", seats, &alone, &own)).collect()
}

/// The letters that `reader` reads, under a heading; `None` if there are none. The readers of an anonymous letter are not told who else has it: the
/// one missing among them would be its writer.
fn section(title: &str, seats: &[SeatSpec], letters: &[&Delivery], reader: &str) -> Option<Section> {
    let parts = letters.iter().flat_map(|Delivery { letter, taken, .. }| {
        let to: Vec<String> = letter.to.iter().map(|seat| title_of(seats, seat)).collect();
        let from = title_of(seats, &letter.from);
        let text = match (letter.anonymous, *taken) {
            (false, false) => format!("From {from} to {}", listed(&to)),
            (false, true) => format!("From {from} to {}, taken from its courier", listed(&to)),
            (true, false) => format!("From {UNKNOWN_HAND} to {reader}"),
            (true, true) => format!("From {UNKNOWN_HAND}, taken from its courier"),
        };
        [Part::Heading { text }, Part::Plain { lines: quoted(&letter.text) }]
    });
    let parts: Vec<Part> = parts.collect();
    (!parts.is_empty()).then(|| Section::of(title.to_owned(), parts))
}

fn title_of(seats: &[SeatSpec], seat: &Seat) -> String {
    let spec = seats.iter().find(|spec| spec.seat == *seat);
    spec.map_or_else(|| seat.to_string(), |spec| spec.title.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_dice::{Digest, GameId};
    use musterd_engine::files::RuleFiles;
    use musterd_engine::journal::PressLetter;
    use musterd_engine::terms::{DeadlinePolicy, Terms};

    fn seat(name: &str) -> Seat {
        name.parse().unwrap()
    }

    fn spec(name: &str, title: &str, side: &str) -> SeatSpec {
        SeatSpec { seat: seat(name), title: title.to_owned(), side: side.to_owned() }
    }

    fn seats() -> Vec<SeatSpec> {
        vec![
            spec("french", "the French commander", "French"),
            spec("allied.austria", "the commander of Austria", "Allied"),
            spec("allied.russia-britain", "the commander of Russia and Britain", "Allied"),
            spec("allied.prussia", "the commander of Prussia", "Allied"),
        ]
    }

    fn charter(press: PressPolicy) -> Charter {
        let person = || Player::Mail { addresses: vec!["a@example.org".to_owned()] };
        let player = |spec: &SeatSpec| match spec.seat.as_str() {
            "allied.prussia" => Player::Computer { skill: "planner".parse().unwrap() },
            _ => person(),
        };
        Charter {
            game: "alpha".parse::<GameId>().unwrap(),
            ruleset: String::new(),
            rules_version: 1,
            scenario: String::new(),
            files: RuleFiles::default(),
            players: seats().iter().map(|spec| (spec.seat.clone(), player(spec))).collect(),
            gm: Vec::new(),
            deadlines: DeadlinePolicy::None,
            chain_length: 1,
            beacon: None,
            host_key: None,
            press,
            terms: Terms::default(),
            templates: std::collections::BTreeMap::new(),
        }
    }

    fn to(press: PressPolicy, from: &str, to: &str) -> Result<String, String> {
        let found = recipients(&charter(press), &seats(), &seat(from), to);
        let joined = |found: BTreeSet<Seat>| found.iter().map(Seat::as_str).collect::<Vec<_>>().join(" ");
        found.map(joined).map_err(|unsent| unsent.to_string())
    }

    #[test]
    fn names_of_every_kind_find_their_seats() {
        for (words, found) in [
            ("ALLIES", "allied.prussia allied.russia-britain"),
            ("the Allied side", "allied.prussia allied.russia-britain"),
            ("Russia", "allied.russia-britain"),
            ("allied.russia-britain", "allied.russia-britain"),
            ("the commander of russia and britain", "allied.russia-britain"),
            ("BRITAIN and Prussia.", "allied.prussia allied.russia-britain"),
        ] {
            assert_eq!(to(PressPolicy::Side, "allied.austria", words).as_deref(), Ok(found), "{words}");
        }
        let everybody = "allied.prussia allied.russia-britain french";
        assert_eq!(to(PressPolicy::All, "allied.austria", "ALL").as_deref(), Ok(everybody));
    }

    #[test]
    fn a_letter_that_goes_nowhere_says_why() {
        for (from, words, why) in [
            ("allied.austria", "French", "the French commander is not of your side"),
            ("allied.austria", "ALL", "the French commander is not of your side"),
            ("allied.austria", "", "PRESS TO ALLIES, or ALLIED.RUSSIA-BRITAIN, or ALLIED.PRUSSIA"),
            ("allied.austria", "Spain", "`spain` is nobody in this game: write PRESS TO ALLIES"),
            ("allied.austria", "Austria", "nobody but yourself"),
            ("allied.austria", "Prussia", "the computer, which reads no letters"),
            ("french", "ALLIES", "nobody shares your side"),
        ] {
            let unsent = to(PressPolicy::Side, from, words).unwrap_err();
            assert!(unsent.contains(why), "{words}: {unsent}");
        }
        assert!(to(PressPolicy::None, "allied.austria", "ALLIES").is_err());
        assert!(fitting(&"x\n".repeat(201)).is_err() && fitting(&"x".repeat(8_001)).is_err());
        assert!(fitting(&"x\n".repeat(200)).is_ok());
    }

    #[test]
    fn a_letter_to_the_whole_side_stands_in_its_part_and_any_other_with_its_readers() {
        let letter = |from: &str, to: &[&str], text: &str| {
            let readers: BTreeSet<Seat> = to.iter().map(|to| seat(to)).collect();
            let letter = PressLetter {
                t: 2,
                from: seat(from),
                to: readers.clone(),
                mail: String::new(),
                arrived: 0,
                text: text.to_owned(),
                commit: Digest::of(b""),
                anonymous: false,
                carriage: Carriage::AtOnce,
            };
            Delivery { letter, readers, taken: false }
        };
        let (austria, russia, prussia) = ("allied.austria", "allied.russia-britain", "allied.prussia");
        let letters =
            [letter(austria, &[russia, prussia], "to both\n"), letter(russia, &[austria], "to one\n")];
        let shown = |reader: &str| {
            let sections = sections(&seats(), &seat(reader), &letters);
            sections.iter().map(|s| s.title.clone()).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(austria), "Letters among the allies, Letters to you");
        for reader in [russia, prussia] {
            assert_eq!(shown(reader), "Letters among the allies");
        }
        assert_eq!(shown("french"), "");
    }
}
