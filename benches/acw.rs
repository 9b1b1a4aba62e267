//! Decisive Battles of the American Civil War: duels of two brigades by the thousand, for the calibration of Table 2 (ACW-6), and the shipped battles played
//! by the hundred between computer commanders: `cargo bench --features acw --bench acw -- --help`. Its tables are docs/rulings/acw.md and
//! docs/acw/balance.md.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a bench fails by panicking, and has no users"
)]
#![allow(clippy::panic, dead_code, reason = "dice and battles are shared with the tests")]
#![allow(clippy::float_arithmetic, reason = "shares of games, and times: nothing that a game depends on")]

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::{Parser, ValueEnum};
use musterd_acw::event::{Change, Event, Outcome};
use musterd_acw::model::{BrigadeId, Side};
use musterd_acw::order::Act;
use musterd_acw::{Acw, Brigade, Presence, Skill, drill};
use musterd_dice::{Label, Roller};

#[path = "../tests/common/acw_arena.rs"]
mod acw_arena;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/acw/fixture.rs"]
mod fixture;

use acw_arena::{BATTLES, Times};
use common::Loose;
use fixture::{Field, Stage, a, b};

/// Turns that a duel lasts at most.
const MOST: u32 = 40;

/// Two brigades next to each other that fight until one of them has shattered: infantry with rifle muskets, experience 5, leadership 5, four regiments.
struct Duel {
    name: &'static str,
    ground: &'static str,
    men: [u32; 2],
    guns: [u32; 2],
    first: Act,
    /// Whether A fires first in each turn.
    first_fire: bool,
}

impl Duel {
    const fn even(name: &'static str, ground: &'static str, guns: u32) -> Self {
        Self { name, ground, men: [1800; 2], guns: [guns; 2], first: Act::Skirmish, first_fire: false }
    }

    const fn assault(name: &'static str, men: [u32; 2], guns: [u32; 2]) -> Self {
        Self { name, ground: "fields", men, guns, first: Act::Assault, first_fire: false }
    }
}

const DUELS: [Duel; 10] = [
    Duel::even("in fields, six guns each", "fields", 6),
    Duel { first_fire: true, ..Duel::even("the same, A always fires first", "fields", 6) },
    Duel::even("in woods, six guns each", "woods", 6),
    Duel::even("in fields, two guns each", "fields", 2),
    Duel::even("in fields, no guns", "fields", 0),
    Duel::even("in woods, no guns", "woods", 0),
    Duel::assault("assault, 1,800 on 1,800, six guns each", [1800; 2], [6; 2]),
    Duel::assault("assault, 3,000 on 1,500, six guns each", [3000, 1500], [6; 2]),
    Duel::assault("assault, 3,000 on 1,500, twelve guns on six", [3000, 1500], [12, 6]),
    Duel::assault("assault, 3,000 on 1,500, no guns", [3000, 1500], [0; 2]),
];

/// Dice by which A draws the better lot for who fires first.
struct AFirst(Loose);

impl Roller for AFirst {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        match label.as_str() {
            label if label.contains("/fire/order/a") => vec![sides],
            label if label.contains("/fire/order/b") => vec![1],
            _ => self.0.roll(label, count, sides),
        }
    }
}

/// What is left of a brigade.
#[derive(Clone, Copy)]
struct Left {
    men: u32,
    guns: u32,
    cohesion: i32,
}

impl Left {
    fn of(brigade: &Brigade) -> Self {
        let gone = brigade.presence != Presence::Fielded;
        let cohesion = if gone { 0 } else { brigade.cohesion };
        Self { men: brigade.men, guns: brigade.guns, cohesion }
    }
}

/// The end of a duel.
struct End {
    turns: u32,
    /// Who won, if one alone did, or one has more cohesion left than the other.
    won: Option<usize>,
    /// Shares of men lost.
    lost: [f64; 2],
    /// Whether somebody would have fallen back by a check before.
    fell_back: bool,
}

fn stage(duel: &Duel) -> Stage {
    let mut field = Field::of(duel.ground);
    for side in Side::ALL {
        let guns = field.guns(duel.guns[side.index()], "mixed");
        let at = if side == Side::A { "0505" } else { "0605" };
        field.add(side, at, |spec| (spec.men, spec.guns) = (duel.men[side.index()], guns));
    }
    Stage::of(field)
}

/// Fights a duel turn by turn. Who would fall back stands in the next turn again: it is to be seen when one shatters.
fn fight(duel: &Duel, seed: u32) -> End {
    let mut left = [0, 1].map(|side| Left { men: duel.men[side], guns: duel.guns[side], cohesion: 6 });
    let mut fell_back = false;
    let mut turns = 0;
    let mut fell: [u32; 2] = [0; 2];
    while turns < MOST && left.iter().all(|one| one.cohesion > 2) {
        turns += 1;
        let mut stage = stage(duel);
        for (id, left) in [a(1), b(1)].into_iter().zip(left) {
            let changes =
                [Change::Men(id, left.men), Change::Guns(id, left.guns), Change::Cohesion(id, left.cohesion)];
            changes.into_iter().for_each(|change| stage.change(change));
        }
        let loose = Loose::numbered(seed * 100 + turns);
        let mut fair: Box<dyn Roller> =
            if duel.first_fire { Box::new(AFirst(loose)) } else { Box::new(loose) };
        stage.run(&mut *fair, drill::aim);
        stage.act(a(1), duel.first);
        stage.act(b(1), Act::Skirmish);
        let events = stage.run(&mut *fair, drill::fight);
        for event in &events {
            match event {
                Event::Fired(shot) => fell[shot.target.side.index()] += shot.lost,
                Event::Retreated { .. } | Event::Cornered { .. } => fell_back = true,
                _ => {}
            }
        }
        // Cohesion by shots alone.
        let after = |id: BrigadeId, before: Left| {
            let lost = |event: &Event| match event {
                Event::Fired(shot) if shot.target == id => shot.cohesion_lost,
                _ => 0,
            };
            let cohesion = before.cohesion - events.iter().map(lost).sum::<i32>();
            let now = Left::of(&stage.brigade(id));
            Left { cohesion, men: duel.men[id.side.index()] - fell[id.side.index()], guns: now.guns }
        };
        left = [after(a(1), left[0]), after(b(1), left[1])];
    }
    let won = match left.map(|one| one.cohesion) {
        [a, b] if a == b => None,
        [a, b] => Some(usize::from(b > a)),
    };
    let lost = [0, 1].map(|side| f64::from(fell[side]) / f64::from(duel.men[side]));
    End { turns, won, lost, fell_back }
}

/// Duels for Table 2, and the shipped battles between computer commanders.
#[derive(Parser)]
struct Args {
    /// Battles by name; all of them where none is named.
    #[arg(long, value_delimiter = ',')]
    battle: Vec<String>,
    /// How many games of each pair.
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Games at once. The times of `balance` are those of one game at a time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// How many duels of each kind.
    #[arg(long, default_value_t = 4000)]
    duels: u32,
    /// What to do.
    #[arg(value_enum, default_values_t = [Job::Duels])]
    jobs: Vec<Job>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Job {
    /// Duels by the thousand.
    Duels,
    /// Seasoned commanders against each other: who wins, and what it costs.
    Balance,
    /// The seasoned commander against the cautious one from both seats, each seed once from each: single games, and mirrored pairs.
    Levels,
}

fn main() {
    let args = Args::parse();
    let named = |name: &&str| args.battle.is_empty() || args.battle.iter().any(|own| own == name);
    let battles: Vec<&str> = BATTLES.into_iter().filter(|name| named(name)).collect();
    let seeds = Seeds { all: args.seed..args.seed + args.games, threads: args.threads.max(1) };
    for job in &args.jobs {
        match job {
            Job::Duels => duels(args.duels),
            Job::Balance => balance(&battles, &seeds),
            Job::Levels => levels(&battles, &seeds),
        }
    }
}

/// The games to play, and how many at once.
struct Seeds {
    all: std::ops::Range<u32>,
    threads: usize,
}

/// A part of a whole in percent, rounded.
fn percent(part: u32, whole: u32) -> u32 {
    (part * 100 + whole / 2) / whole.max(1)
}

/// How games ended.
#[derive(Default)]
struct Ends {
    /// Won by side A, drawn, won by side B.
    won: [u32; 3],
    /// The margin of each game for side A, in the order of the seeds.
    margins: Vec<Margin>,
    /// Men that each side lost, those of brigades that are gone among them.
    lost: [Vec<u32>; 2],
    /// Men of each side who fell to shots and charges.
    fell: [Vec<u32>; 2],
    times: Times,
}

/// How far a commander was ahead at the end of one game, or of two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Margin {
    /// By the result: 1 for a victory, 0 for a draw, less for a defeat.
    result: i32,
    /// By victory points.
    points: i32,
}

impl Margin {
    /// That of side A.
    fn of(outcome: &Outcome) -> Self {
        let result = match outcome.won {
            Some(Side::A) => 1,
            None => 0,
            Some(Side::B) => -1,
        };
        let points = |side: Side| i32::try_from(outcome.points(side)).unwrap();
        Self { result, points: points(Side::A) - points(Side::B) }
    }

    /// Of one commander in both games: he has side A in the first and side B in the second.
    const fn mirrored(first: Self, second: Self) -> Self {
        Self { result: first.result - second.result, points: first.points - second.points }
    }
}

fn play_all(rules: &Acw, skills: [Skill; 2], seeds: &Seeds) -> Ends {
    let next = AtomicU32::new(seeds.all.start);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.all.contains(&seed) {
                return mine;
            }
            mine.push((seed, acw_arena::play(rules, skills.map(Some), seed, |_, _| {})));
        }
    };
    let mut games: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..seeds.threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    games.sort_by_key(|(seed, _)| *seed);
    let mut ends = Ends::default();
    for (_, (outcome, times)) in games {
        let margin = Margin::of(&outcome);
        ends.won[usize::try_from(1 - margin.result).unwrap()] += 1;
        ends.margins.push(margin);
        ends.times.turns += times.turns;
        ends.times.slowest = ends.times.slowest.max(times.slowest);
        ends.times.playing += times.playing;
        ends.times.stepping += times.stepping;
        for side in Side::ALL {
            ends.lost[side.index()].push(outcome.lost[side.index()]);
            ends.fell[side.index()].push(times.fell[side.index()]);
        }
    }
    ends.lost.iter_mut().chain(&mut ends.fell).for_each(|lost| lost.sort_unstable());
    ends
}

/// The least, the middle and the most of some numbers, as a table has them.
fn spread(lost: &[u32]) -> String {
    format!("{} | {} | {}", lost[0], lost[lost.len() / 2], lost[lost.len() - 1])
}

fn balance(battles: &[&str], seeds: &Seeds) {
    println!(
        "| battle | side | games won | all lost: least | middle | most | fell in fights: least | middle | most |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    let mut clock = String::new();
    for name in battles {
        let rules = acw_arena::rules(name, "");
        let ends = play_all(&rules, [Skill::Seasoned; 2], seeds);
        let all = ends.won.iter().sum();
        for (side, won) in [(Side::A, ends.won[0]), (Side::B, ends.won[2])] {
            let [lost, fell] = [&ends.lost, &ends.fell].map(|lost| spread(&lost[side.index()]));
            let army = &rules.battle().army(side).name;
            println!("| {name} | {army} | {} | {lost} | {fell} |", percent(won, all));
        }
        let times = ends.times;
        let turns = times.turns.max(1);
        let (playing, stepping) = ((times.playing / turns).as_micros(), (times.stepping / turns).as_micros());
        writeln!(clock, "| {name} | {playing} | {stepping} | {} |", times.slowest.as_micros()).unwrap();
    }
    println!("\n| battle | orders of both armies, microseconds a turn | adjudication | slowest turn |");
    println!("|---|--:|--:|--:|\n{clock}");
}

/// Counts victories: one is worth two points, a draw one.
#[derive(Default, Clone, Copy)]
struct Share {
    points: u32,
    all: u32,
}

impl Share {
    /// Of numbers that tell who is ahead, this one or the other.
    fn of(ahead: impl Iterator<Item = i32>) -> Self {
        ahead.fold(Self::default(), |sum, one| Self {
            points: sum.points + u32::try_from(1 + one.signum()).unwrap(),
            all: sum.all + 2,
        })
    }

    const fn plus(self, other: Self) -> Self {
        Self { points: self.points + other.points, all: self.all + other.all }
    }

    fn percent(self) -> u32 {
        percent(self.points, self.all)
    }
}

/// Each seed is played twice with the seats changed. A pair goes to whoever won more of the two games, and if they are even by that, to whoever has more
/// victory points over both.
fn levels(battles: &[&str], seeds: &Seeds) {
    println!(
        "| battle | games as side A | as side B | both | pairs ahead | by results alone | by points alone |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut all = [Share::default(); 4];
    for name in battles {
        let rules = acw_arena::rules(name, "");
        let first = play_all(&rules, [Skill::Seasoned, Skill::Cautious], seeds).margins;
        let second = play_all(&rules, [Skill::Cautious, Skill::Seasoned], seeds).margins;
        let pairs: Vec<Margin> =
            first.iter().zip(&second).map(|(one, other)| Margin::mirrored(*one, *other)).collect();
        let a = Share::of(first.iter().map(|margin| margin.result));
        let b = Share::of(second.iter().map(|margin| -margin.result));
        let shares = [
            a.plus(b),
            Share::of(pairs.iter().map(|pair| pair.cmp(&Margin::default()) as i32)),
            Share::of(pairs.iter().map(|pair| pair.result)),
            Share::of(pairs.iter().map(|pair| pair.points)),
        ];
        println!("| {name} | {} | {} | {} |", a.percent(), b.percent(), row(&shares));
        all = std::array::from_fn(|n| all[n].plus(shares[n]));
    }
    println!("| all | | | {} |\n", row(&all));
}

fn row(shares: &[Share]) -> String {
    shares.iter().map(|share| share.percent().to_string()).collect::<Vec<_>>().join(" | ")
}

fn duels(number: u32) {
    println!("| duel | turns | loser lost | winner lost | A won | fell back before |");
    println!("|---|--:|--:|--:|--:|--:|");
    for duel in &DUELS {
        let ends: Vec<End> = (1..=number).map(|seed| fight(duel, seed)).collect();
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        let decided: Vec<(&End, usize)> = ends.iter().filter_map(|end| Some((end, end.won?))).collect();
        let mean = |what: &dyn Fn(&End, usize) -> f64| {
            100.0 * decided.iter().map(|(end, won)| what(end, *won)).sum::<f64>()
                / decided.len().max(1) as f64
        };
        println!(
            "| {} | {:.1} | {:.0} % | {:.0} % | {:.0} % | {:.0} % |",
            duel.name,
            f64::from(ends.iter().map(|end| end.turns).sum::<u32>()) / f64::from(number),
            mean(&|end, won| end.lost[1 - won]),
            mean(&|end, won| end.lost[won]),
            share(decided.iter().filter(|(_, won)| *won == 0).count(), decided.len()),
            share(ends.iter().filter(|end| end.fell_back).count(), ends.len()),
        );
    }
}
