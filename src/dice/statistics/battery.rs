//! The battery: the tests, their order, and the least number of dice for each. It was fixed before any dice were looked at, and is described in
//! `docs/statistics.md`. Code and document must be changed together.

use serde::{Serialize, Serializer};

use super::chance::{Counts, chi_square_at_least, no_run, normal_two_sided, sums_of_squares};
use super::luck::Fortune;
use super::tally::{Faces, LAGS, Tally};
use super::verdict::{LEAST_DICE, Odds};
use crate::ids::Seat;

/// The least number of dice for a test of correlations: from here on their distribution is close enough to normal.
const LEAST_CORRELATED: u64 = 100;
/// From this expected number in each class on, chi-square's own distribution is used.
const LEAST_EXPECTED: u64 = 5;

/// A test that was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// The subject of the test.
    pub kind: Kind,
    /// The result: `chi-square 3.2, 5 degrees of freedom`.
    pub found: String,
    /// How often fair dice give a result that is as odd.
    pub odds: Odds,
    /// The same chance corrected for the number of tests by Holm's method: how often the whole battery gives a result that is as odd.
    pub corrected: Odds,
}

/// The kinds of test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Whether all faces of a die with this number of sides come up equally often.
    Faces(u32),
    /// Whether they come up too evenly: somebody may have evened them out.
    TooEven(u32),
    /// Whether a die says nothing about the next one.
    Pairs(u32),
    /// Whether high and low faces alternate neither too often nor too seldom.
    Runs(u32),
    /// Whether the longest run of high or of low faces is neither too long nor too short.
    LongestRun(u32),
    /// Whether dice that are this number of throws apart are correlated.
    Lag(u32, usize),
    /// Whether a seat's rolls are too good or too bad.
    Result(Seat),
}

/// `d6: faces`.
impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Faces(sides) => write!(f, "d{sides}: faces"),
            Self::TooEven(sides) => write!(f, "d{sides}: too even"),
            Self::Pairs(sides) => write!(f, "d{sides}: pairs"),
            Self::Runs(sides) => write!(f, "d{sides}: runs"),
            Self::LongestRun(sides) => write!(f, "d{sides}: longest run"),
            Self::Lag(sides, lag) => write!(f, "d{sides}: lag {lag}"),
            Self::Result(seat) => write!(f, "{seat}: hits"),
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Makes every test for which there are enough dice.
pub(super) fn run(tally: &Tally, luck: &[Fortune]) -> Vec<Test> {
    let mut tests = Vec::new();
    for faces in tally.sizes().filter(|faces| faces.dice >= LEAST_DICE) {
        test_faces(faces, &mut tests);
        test_pairs(faces, &mut tests);
        test_runs(faces, &mut tests);
        test_lags(faces, &mut tests);
    }
    for fortune in luck.iter().filter(|fortune| fortune.what.is_none()) {
        let found = format!("{} of {}, {:.1} expected", fortune.hits, fortune.rolls, fortune.expected);
        tests.push(test(Kind::Result(fortune.seat.clone()), found, fortune.as_odd.0));
    }
    correct(&mut tests);
    tests
}

fn test(kind: Kind, found: String, odds: f64) -> Test {
    Test { kind, found, odds: Odds(odds), corrected: Odds(odds) }
}

/// Holm's step-down method: even if the tests depend on each other, the chance that fair dice bring any test below its limit is at most that limit.
fn correct(tests: &mut [Test]) {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|a, b| tests[*a].odds.0.total_cmp(&tests[*b].odds.0));
    let mut least = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        let left = (tests.len() - rank) as f64;
        least = (left * tests[at].odds.0).min(1.0).max(least);
        tests[at].corrected = Odds(least);
    }
}

/// Tests whether the counts in all classes are equal, and whether they are too equal; exactly if there are few dice.
fn test_faces(faces: &Faces, tests: &mut Vec<Test>) {
    let classes = faces.classes();
    if classes < 2 {
        return;
    }
    let counts = faces.by_class(classes);
    let x = chi_square(&counts, faces.dice);
    let few = u32::try_from(faces.dice).ok().filter(|_| faces.dice < LEAST_EXPECTED * u64::from(classes));
    let (too_even, uneven, how) = if let Some(dice) = few {
        let squares: u64 = counts.iter().map(|count| count * count).sum();
        let (at_most, at_least) = sums_of_squares(dice, classes, squares);
        (at_most, at_least, "exact".to_owned())
    } else {
        let at_least = chi_square_at_least(classes - 1, x);
        (1.0 - at_least, at_least, degrees(classes - 1))
    };
    let found = format!("chi-square {x:.1}, {how}");
    tests.push(test(Kind::Faces(faces.sides), found.clone(), uneven));
    tests.push(test(Kind::TooEven(faces.sides), found, too_even));
}

/// Tests whether all pairs of successive dice come equally often; each die is in one pair.
fn test_pairs(faces: &Faces, tests: &mut Vec<Test>) {
    let classes = faces.coarse * faces.coarse;
    let pairs = faces.dice / 2;
    if classes < 4 || pairs < LEAST_EXPECTED * u64::from(classes) {
        return;
    }
    let x = chi_square(&faces.pairs, pairs);
    let found = format!("chi-square {x:.1}, {}", degrees(classes - 1));
    tests.push(test(Kind::Pairs(faces.sides), found, chi_square_at_least(classes - 1, x)));
}

fn chi_square(counts: &[u64], all: u64) -> f64 {
    let expected = all as f64 / counts.len() as f64;
    counts.iter().map(|count| (*count as f64 - expected) * (*count as f64 - expected) / expected).sum()
}

/// High and low dice are like tosses of a coin. The changes among them are too, so their number is exactly binomial.
fn test_runs(faces: &Faces, tests: &mut Vec<Test>) {
    if faces.halves < LEAST_DICE {
        return;
    }
    let changes = faces.halves - 1;
    let found = format!("{} of {changes} change", faces.changes);
    let odds = Counts::binomial(changes, 1, 2).two_sided(faces.changes);
    tests.push(test(Kind::Runs(faces.sides), found, odds));
    // A run of n equal tosses is a run of n - 1 tosses without a change.
    let at_most = no_run(changes, faces.longest);
    let at_least = 1.0 - no_run(changes, faces.longest - 1);
    let odds = (2.0 * at_most.min(at_least)).min(1.0);
    tests.push(test(Kind::LongestRun(faces.sides), format!("{} in a row", faces.longest), odds));
}

/// The products of dice at this distance have the mean 0 and are uncorrelated, so the variance of their sum is exact.
fn test_lags(faces: &Faces, tests: &mut Vec<Test>) {
    if faces.dice < LEAST_CORRELATED {
        return;
    }
    let sides = f64::from(faces.sides);
    let variance = (sides * sides - 1.0) / 3.0;
    for (lag, product) in (1..=LAGS).zip(faces.products) {
        let products = (faces.dice - lag as u64) as f64;
        let z = product as f64 / (variance * products.sqrt());
        let found = format!("correlation {:+.4}", product as f64 / (variance * products));
        tests.push(test(Kind::Lag(faces.sides, lag), found, normal_two_sided(z)));
    }
}

fn degrees(n: u32) -> String {
    format!("{n} degree{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Luck, Oddness, Statistics, Trial};
    use crate::streams::{Seed, Stream};

    /// Fair dice of the game number `game`.
    fn thrown(game: u8, count: usize, sides: u32) -> Vec<u32> {
        let label = "1/test/dice/all/0".parse().unwrap();
        let mut stream = Stream::new(&Seed::unrelated([game; 32]), &label);
        (0..count).map(|_| stream.die(sides)).collect()
    }

    fn of(sides: u32, faces: impl IntoIterator<Item = u32>) -> Statistics {
        let mut tally = Tally::default();
        tally.throw(sides, faces);
        Statistics::of(&tally, &Luck::default())
    }

    /// The names of the tests whose corrected chance is below one in a thousand.
    fn struck(statistics: &Statistics) -> Vec<String> {
        let low = statistics.tests.iter().filter(|test| test.corrected.0 < Oddness::SUSPECT);
        low.map(|test| test.kind.to_string()).collect()
    }

    #[test]
    fn the_battery_is_made_in_its_order_as_far_as_there_are_dice_enough() {
        let mut tally = Tally::default();
        tally.throw(100, thrown(1, 30, 100));
        tally.throw(6, thrown(2, 360, 6));
        tally.throw(4, thrown(3, 29, 4));
        let trial = |hit| Trial { seat: "red".parse().unwrap(), what: "rolls", good: 1, of: 2, hit };
        let mut luck = Luck::default();
        luck.extend((0..40).map(|n| trial(n % 2 == 0)));
        let statistics = Statistics::of(&tally, &luck);
        let made: Vec<_> =
            statistics.tests.iter().map(|test| format!("{}, {}", test.kind, test.found)).collect();
        let kinds: Vec<&str> = made.iter().filter_map(|line| line.split(", ").next()).collect();
        assert_eq!(
            kinds,
            [
                "d6: faces",
                "d6: too even",
                "d6: pairs",
                "d6: runs",
                "d6: longest run",
                "d6: lag 1",
                "d6: lag 2",
                "d6: lag 3",
                "d100: faces",
                "d100: too even",
                "d100: runs",
                "d100: longest run",
                "red: hits"
            ]
        );
        assert!(made[0].ends_with(", 5 degrees") && made[2].ends_with(", 35 degrees"), "{made:?}");
        assert!(made[8].ends_with(", exact") && made[12].ends_with("20 of 40, 20.0 expected"), "{made:?}");
        assert_eq!(statistics.dice, 419);
        assert_eq!(statistics.sizes.iter().map(|size| size.sides).collect::<Vec<_>>(), [6, 100]);
    }

    #[test]
    fn fair_dice_look_unusual_no_more_often_than_promised() {
        let verdicts: Vec<Oddness> = (0..200).map(|game| of(6, thrown(game, 600, 6)).verdict).collect();
        let odd = verdicts.iter().filter(|verdict| **verdict > Oddness::Usual).count();
        // At most one in twenty is expected, plus chance: 10 of 200, and twice the deviation of 3.
        assert!((1..=16).contains(&odd), "{odd} of 200");
        assert!(verdicts.iter().all(|verdict| *verdict < Oddness::Suspect));
        assert_eq!(of(6, thrown(0, 29, 6)).verdict, Oddness::TooFew);
    }

    #[test]
    fn single_tests_of_fair_dice_are_even_between_nothing_and_one() {
        // For each test, in about a quarter of all games the chance is below a quarter.
        let games: Vec<Statistics> = (0..200).map(|game| of(6, thrown(game, 600, 6))).collect();
        for at in 0..games[0].tests.len() {
            let low = games.iter().filter(|game| game.tests[at].odds.0 < 0.25).count();
            assert!((25..=75).contains(&low), "{}: {low} of 200", games[0].tests[at].kind);
        }
    }

    #[test]
    fn each_kind_of_cheating_strikes_its_test() {
        // A six for every third one.
        let mut ones = 0;
        let loaded = thrown(1, 1200, 6).into_iter().map(|face| {
            ones += u32::from(face == 1);
            if face == 1 && ones.is_multiple_of(3) { 6 } else { face }
        });
        assert_eq!(struck(&of(6, loaded))[0], "d6: faces");
        // Shuffled packs of one to six: too even, and the earlier dice predict the later ones.
        let mut packs = Vec::new();
        for round in 0..200_usize {
            packs.extend((0..6).map(|n| [1, 4, 2, 6, 3, 5][(n * 5 + round / 6 + round) % 6]));
        }
        assert!(struck(&of(6, packs)).contains(&"d6: too even".to_owned()));
        // Every die shown twice.
        let twice = thrown(2, 600, 6).into_iter().flat_map(|face| [face, face]);
        let found = struck(&of(6, twice));
        for test in ["d6: pairs", "d6: runs", "d6: lag 1"] {
            assert!(found.contains(&test.to_owned()), "{found:?}");
        }
        // Fair dice, except for thirty high ones in a row.
        let mut on_end = thrown(3, 1200, 6);
        on_end[500..530].iter_mut().for_each(|face| *face = 4 + *face % 3);
        assert!(struck(&of(6, on_end)).contains(&"d6: longest run".to_owned()));
        // Every die repeats the die before the last.
        let mut echo = thrown(4, 1200, 6);
        (2..echo.len()).filter(|at| at % 4 > 1).for_each(|at| echo[at] = echo[at - 2]);
        assert!(struck(&of(6, echo)).contains(&"d6: lag 2".to_owned()));
    }

    #[test]
    fn hits_that_nobody_has_are_suspect_and_both_sides_are_looked_at() {
        let trial =
            |seat: &str, hit| Trial { seat: seat.parse().unwrap(), what: "rolls", good: 1, of: 3, hit };
        let mut luck = Luck::default();
        luck.extend((0..90).map(|n| trial("red", n % 3 != 0)));
        luck.extend((0..90).map(|n| trial("blue", n % 3 == 0)));
        let statistics = Statistics::of(&Tally::default(), &luck);
        assert_eq!(struck(&statistics), ["red: hits"]);
        assert_eq!(statistics.verdict, Oddness::Suspect);
    }

    #[test]
    fn chances_are_corrected_by_holms_method() {
        let mut tests: Vec<Test> =
            [0.04, 0.01, 0.5, 0.03].map(|odds| test(Kind::Faces(6), String::new(), odds)).into();
        correct(&mut tests);
        let corrected: Vec<String> = tests.iter().map(|test| test.corrected.to_string()).collect();
        // 4 * 0.01; 3 * 0.03; 2 * 0.04 is less than that; 0.5.
        assert_eq!(corrected, ["0.0900", "0.0400", "0.5000", "0.0900"]);
    }

    #[test]
    fn few_dice_whose_every_case_is_counted_are_judged_much_as_by_the_table() {
        // One more, and the table would be used.
        let exact = of(10, thrown(7, 49, 10));
        let table = chi_square_at_least(
            9,
            chi_square(
                &{
                    let mut tally = Tally::default();
                    tally.throw(10, thrown(7, 49, 10));
                    tally.sizes().next().unwrap().by_class(10)
                },
                49,
            ),
        );
        assert!((exact.tests[0].odds.0 - table).abs() < 0.03, "{} {table}", exact.tests[0].odds);
    }
}
