//! The part of a report about a game's dice: faces, statistical tests, each side's luck, and what none of it can show.

use musterd_dice::statistics::{CAVEAT, Face, Fortune, LEAST_DICE, Size, Statistics};
use musterd_engine::briefing::{Bar, Bars, Part, Section, Table};
use musterd_text::nouns::counted;

/// How to read the bars.
const KEY: &str = "A bar is as long as its face came up. The usual range is shaded, or lies between [ and ]; the dotted line, or \
    |, is what was to be expected. What lies outside is red, or marked by *: with fair dice, one face of twenty.";

/// How to read the table of luck.
const LUCK: &str = "A roll is a hit for a side where it came out better for it than the average of what the die could have \
    shown, its modifiers reckoned in; a roll that could not matter isn't counted. So many hits were to be expected, and in 95 \
    of 100 campaigns with the same rolls they lie in the usual range; in so many of 100 there are fewer hits than here.";

/// The full statistics, once everything may be known: the dice, then each side's luck.
pub fn sections(statistics: &Statistics) -> Vec<Section> {
    let mut parts =
        vec![Part::text(format!("{} thrown. {}", dice_were(statistics.dice), statistics.verdict.in_words()))];
    parts.extend(statistics.sizes.iter().map(bars));
    if !statistics.sizes.is_empty() {
        parts.push(Part::text(KEY));
    }
    if !statistics.tests.is_empty() {
        parts.push(Part::text(
            "The tests, laid down before any dice were looked at: what each found, how often fair dice come out as odd, and \
             the same corrected for so many tests.",
        ));
        parts.push(tests(statistics));
    }
    parts.push(Part::text(CAVEAT));
    let dice = Section::of("The dice, counted", parts);
    std::iter::once(dice).chain(luck(&statistics.luck)).collect()
}

/// The statistics in brief, for a player who asks whether the dice are honest: the verdict, what it can't show, each side's luck.
pub fn in_brief(statistics: &Statistics) -> Vec<Section> {
    let verdict = format!("{} counted. {}", dice_were(statistics.dice), statistics.verdict.in_words());
    let dice = Section {
        title: "The dice, counted".to_owned(),
        parts: vec![Part::text(&verdict), Part::text(CAVEAT)],
    };
    std::iter::once(dice).chain(luck(&statistics.luck)).collect()
}

/// The part of the statistics that a player may know while a game runs: his own luck.
pub fn own_luck(fortunes: &[Fortune], rolls: u64) -> Section {
    let mut parts = match luck(fortunes) {
        Some(section) => section.parts,
        None => vec![Part::text(format!(
            "{rolls} of your rolls could have gone better or worse so far; luck is told from {LEAST_DICE} on."
        ))],
    };
    parts.push(Part::text("All dice, and everybody's luck, are told in the last report: until then they would tell what is hidden."));
    Section::of("Your luck", parts)
}

/// The same of a game whose rules don't tell it in play, for this reason.
pub fn withheld_luck(why: &str) -> Section {
    Section::of("Your luck", vec![Part::text(why)])
}

fn bars(size: &Size) -> Part {
    let label = |face: &Face| match face.first == face.last {
        true => face.first.to_string(),
        false => format!("{}-{}", face.first, face.last),
    };
    let title = format!(
        "d{}, {} dice: {:.1} of each were to be expected, usually {} to {}.",
        size.sides, size.dice, size.expected, size.low, size.high
    );
    let rows = size.faces.iter().map(|face| Bar { label: label(face), count: face.count }).collect();
    // The expected count of a class is at least 1, and far below the limit of the type.
    let expected = size.expected.round() as u64;
    Part::Bars(Bars { title, expected, low: size.low, high: size.high, rows })
}

fn tests(statistics: &Statistics) -> Part {
    let mut table = Table::new(&["test", "found", ">fair dice", ">corrected"]);
    for test in &statistics.tests {
        table.row([
            test.kind.to_string(),
            test.found.clone(),
            test.odds.to_string(),
            test.corrected.to_string(),
        ]);
    }
    Part::Table(table)
}

/// All sides' rolls in one table; `None` if there are too few rolls.
fn luck(fortunes: &[Fortune]) -> Option<Section> {
    let mut table = Table::new(&["", ">hits", ">rolls", ">expected", ">usual", ">luckier than"]);
    let mut group = None;
    for fortune in fortunes {
        let kind = fortune.what.unwrap_or("all rolls");
        if group != Some(kind) {
            group = Some(kind);
            table.group(kind);
        }
        table.row([
            fortune.seat.to_string(),
            fortune.hits.to_string(),
            fortune.rolls.to_string(),
            format!("{:.1}", fortune.expected),
            format!("{}-{}", fortune.low, fortune.high),
            format!("{} in 100", fortune.luckier_than.in_hundred()),
        ]);
    }
    group.map(|_| Section::of("Luck", vec![Part::Table(table), Part::text(LUCK)]))
}

fn dice_were(dice: u64) -> String {
    counted(dice, "die was", "dice were")
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_dice::statistics::{Luck, Tally, Trial};
    use musterd_engine::briefing::Briefing;

    fn page(sections: Vec<Section>) -> String {
        let page = crate::text::sections(&Briefing { sections, ..Briefing::default() });
        assert!(page.lines().all(|line| line.len() <= crate::WIDTH), "{page}");
        page
    }

    fn luck_of(seats: &[(&str, usize, usize)]) -> Luck {
        let mut luck = Luck::default();
        for (seat, hits, misses) in seats {
            let trial = |hit| Trial { seat: seat.parse().unwrap(), what: "attacks", good: 35, of: 100, hit };
            luck.extend(vec![trial(true); *hits].into_iter().chain(vec![trial(false); *misses]));
        }
        luck
    }

    #[test]
    fn a_last_report_shows_faces_tests_and_both_sides_luck() {
        let mut tally = Tally::default();
        tally.throw(6, (0..240).map(|n| 1 + (n * n + n / 7) % 6));
        let page =
            page(sections(&Statistics::of(&tally, &luck_of(&[("french", 27, 73), ("allied", 40, 60)]))));
        for line in [
            "THE DICE, COUNTED",
            "240 dice were thrown.",
            "d6, 240 dice: 40.0 of each were to be expected, usually 29 to 52.",
            "d6: longest run",
            "french: hits",
            "LUCK ---",
            "\nall rolls\n",
            "  french    27    100      35.0  26-44      4 in 100",
            "  allied    40    100      35.0  26-44     83 in 100",
            "can't prove that a host is honest",
        ] {
            assert!(page.contains(line), "`{line}` is not in\n{page}");
        }
        // Both sides' totals stand beside each other, before any single kind of roll.
        let (all, attacks) = (page.find("all rolls").unwrap(), page.rfind("\nattacks\n").unwrap());
        assert_eq!(page[all..attacks].matches(" in 100").count(), 2, "{page}");
    }

    #[test]
    fn few_dice_are_said_to_be_few() {
        let mut tally = Tally::default();
        tally.throw(6, [1, 2, 3]);
        let page = page(sections(&Statistics::of(&tally, &Luck::default())));
        assert!(page.contains("3 dice were thrown. There are too few dice"), "{page}");
        assert!(!page.contains("d6") && !page.contains("LUCK"), "{page}");
    }

    #[test]
    fn a_player_is_told_his_own_luck_or_how_little_there_is_to_tell() {
        let luck = luck_of(&[("french", 27, 73), ("allied", 4, 6)]);
        let own = |name: &str| {
            let seat = name.parse().unwrap();
            page(vec![own_luck(&luck.of(&seat).fortunes(), luck.rolls_of(&seat))])
        };
        assert!(own("french").contains("  french    27    100") && !own("french").contains("allied"));
        assert!(own("allied").contains("10 of your rolls could have gone better or worse so far"));
    }
}
