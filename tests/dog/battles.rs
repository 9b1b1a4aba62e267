//! Random battles of Death or Glory between random armies on random fields, played to their end: after every event fighters, hit points and
//! places must hang together, and nobody may learn of a hidden enemy.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use musterd_dice::Stream;
use musterd_dog::event::{Event, Stance};
use musterd_dog::model::Waiting;
use musterd_dog::{Dog, SHIPPED, Skill, State};
use musterd_engine::files::RuleFiles;
use musterd_engine::orders::Weight;
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};

use crate::common::pages::{assert_fits, golden, page};
use crate::common::{Loose, soak};

/// Adjudications at most: every random battle has a last round.
const MOST_STEPS: u32 = 90;

/// Numbers from a seed, for making things up.
struct Fancy(Stream);

impl Fancy {
    fn new(seed: u32) -> Self {
        let Loose(seed) = Loose::numbered(seed);
        Self(Stream::new(&seed, &"1/test/fancy/x/0".parse().unwrap()))
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0.die(n) - 1
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(u32::try_from(list.len()).unwrap()) as usize]
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
}

/// The codes of table 1 with what a fighter needs of a unit's room, of demons at least.
const TROOPS: [(&str, u32); 32] = [
    ("A", 1),
    ("LC", 2),
    ("HC", 2),
    ("K", 2),
    ("C", 3),
    ("LI", 1),
    ("P", 1),
    ("HI", 1),
    ("B", 1),
    ("N", 2),
    ("PE", 1),
    ("D", 1),
    ("DG", 1),
    ("E", 1),
    ("EA", 1),
    ("F", 1),
    ("FA", 1),
    ("L", 1),
    ("LG", 1),
    ("G", 1),
    ("O", 1),
    ("OG", 2),
    ("T", 3),
    ("GI", 5),
    ("R", 1),
    ("BL", 4),
    ("BE", 5),
    ("BP", 2),
    ("BW", 1),
    ("BM", 2),
    ("W", 20),
    ("DE", 5),
];

/// A battle file: any scale, two to four armies, any ground; in some all may start in the same hexes.
fn battle(seed: u32) -> String {
    let mut fancy = Fancy::new(seed);
    let (columns, rows) = (6 + fancy.below(8), 6 + fancy.below(6));
    let (scale, limit) =
        *fancy.of(&[("strategic", 200), ("tactical", 20), ("tactical", 20), ("personal", 1)]);
    let mut text = format!("id: random\ntitle: Random {seed}\nsituation: A random field.\nscale: {scale}\n");
    writeln!(text, "rounds: {}", 6 + fancy.below(25)).unwrap();
    if fancy.chance(3) {
        text.push_str("orders: by-phase\n");
    }
    let switches = ["tiny_strikes", "fliers", "barbarian_flight", "nomad_unease", "guard_loyalty"];
    text.push_str("switches:\n  fliers: true\n");
    for switch in switches.into_iter().filter(|switch| *switch != "fliers") {
        writeln!(text, "  {switch}: {}", fancy.chance(2)).unwrap();
    }
    text.push_str("field:\n  rows:\n");
    let grounds = [".", ".", ".", ".", ".h", ".m", ",", "f", "fh", "=", ":", "*", "%", "~"];
    let wet = fancy.chance(3);
    let mut land = Vec::new();
    let mut water = Vec::new();
    for row in 1..=rows {
        let mut line = Vec::new();
        for col in 1..=columns {
            let mut sign = *fancy.of(&grounds);
            if wet && (3..rows - 1).contains(&row) && fancy.chance(2) {
                sign = "~";
            }
            // Armies start on plain ground.
            if row <= 2 || row > rows - 2 {
                sign = ".";
            }
            match sign {
                "~" => water.push(format!("{col:02}{row:02}")),
                "." => land.push(format!("{col:02}{row:02}")),
                _ => {}
            }
            line.push(sign);
        }
        writeln!(text, "    - \"{}\"", line.join(" ")).unwrap();
    }
    if fancy.chance(2) {
        let walls = *fancy.of(&["earthwork", "castle", "stronghold"]);
        writeln!(text, "  fortifications: {{\"{}\": {walls}}}", fancy.of(&land)).unwrap();
    }
    if water.len() > 2 {
        writeln!(text, "  bridges: [\"{}\"]\n  boats: [\"{}\", \"{}\"]", water[0], water[1], water[2])
            .unwrap();
    }
    text.push_str("armies:\n");
    let armies = 2 + fancy.below(3);
    let width = columns / armies.div_ceil(2);
    let overlapping = fancy.chance(3);
    for army in 0..armies {
        let letter = char::from(b'A' + u8::try_from(army).unwrap());
        // Two armies above, two below, side by side.
        let (left, top) = (1 + (army / 2) * width, if army % 2 == 0 { 1 } else { rows - 1 });
        let name = format!("army-{}", letter.to_ascii_lowercase());
        writeln!(text, "  - seat: {name}\n    letter: {letter}\n    name: Army {letter}").unwrap();
        writeln!(text, "    alliance: Side {}", army % 2).unwrap();
        writeln!(text, "    leadership: {}", 20 + fancy.below(2000)).unwrap();
        let (right, bottom) = (left + width - 1, top + 1);
        match overlapping {
            true => {
                let above = rows - 1;
                writeln!(text, "    zone: [\"0101-{columns:02}02\", \"01{above:02}-{columns:02}{rows:02}\"]")
            }
            false => writeln!(text, "    zone: [\"{left:02}{top:02}-{right:02}{bottom:02}\"]"),
        }
        .unwrap();
        if fancy.chance(4) {
            writeln!(text, "    budget: {}\n    elite: true", 20 + fancy.below(600)).unwrap();
            continue;
        }
        text.push_str("    units:\n");
        for number in 1..=1 + fancy.below(width * 2) {
            let (code, size) = *fancy.of(&TROOPS);
            let fighters = 1 + fancy.below((limit / size).max(1));
            let mut more = String::new();
            if code == "DE" {
                let size = if fighters == 1 { 5 + fancy.below(46) } else { size };
                write!(more, ", size: {size}").unwrap();
            }
            if fancy.chance(4) {
                more.push_str(", elite: true");
            }
            if fancy.chance(3) {
                more.push_str(", hidden: true");
            }
            if code == "C" && fancy.chance(2) {
                more.push_str(if fancy.chance(2) { ", crew: A" } else { ", crew: LI" });
            }
            if fancy.chance(6) {
                let people = fancy.of(&["sanva", "forest", "desert", "arctic", "swamp", "water", "dwarf"]);
                write!(more, ", people: {people}").unwrap();
            }
            writeln!(text, "      - {{id: {number}, type: {code}, fighters: {fighters}{more}}}").unwrap();
        }
    }
    text
}

fn rules(text: &str) -> Dog {
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text.to_owned())]).collect();
    Dog::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Orders of somebody who tries everything.
fn wild(fancy: &mut Fancy, rules: &Dog, seat: &musterd_dice::Seat, state: &State) -> String {
    let view = rules.view(state, seat);
    let field = &rules.battle().field;
    let mut text = String::new();
    let foes: Vec<_> = view.others.keys().collect();
    for id in view.own.keys() {
        let hex = format!(
            "{:02}{:02}",
            1 + fancy.below(u32::from(field.columns)),
            1 + fancy.below(u32::from(field.rows))
        );
        let foe = if foes.is_empty() { "X1".to_owned() } else { (*fancy.of(&foes)).to_string() };
        let way = fancy.of(&["E", "W", "NE", "NW", "SE", "SW", "E E", "SE SE"]);
        match fancy.below(9) {
            0 => writeln!(text, "MOVE {id} TO {hex}").unwrap(),
            1 => writeln!(text, "FLEE {id} TO {hex}").unwrap(),
            2 => writeln!(text, "MOVE {id} TO {hex} LEAVE {}", 1 + fancy.below(6)).unwrap(),
            3 => writeln!(text, "HIDE {id}").unwrap(),
            4 => writeln!(text, "BOARD {id}").unwrap(),
            5 => writeln!(text, "LAND {id} TO {hex}").unwrap(),
            6 => writeln!(text, "DISMOUNT {id}\nMOVE {id} {way}").unwrap(),
            7 => writeln!(text, "MOVE {id} {way}").unwrap(),
            _ => {}
        }
        match fancy.below(7) {
            0 | 1 => writeln!(text, "ATTACK {id}").unwrap(),
            2 => writeln!(text, "SHOOT {id}").unwrap(),
            3 => writeln!(text, "ATTACK {id} {foe}").unwrap(),
            4 if fancy.chance(4) => writeln!(text, "SURRENDER {id} TO {foe}").unwrap(),
            5 => writeln!(text, "IF ATTACKED DEFEND {id}").unwrap(),
            _ => {}
        }
    }
    text
}

/// What came to pass in random battles.
#[derive(Default)]
struct BattleCount {
    adjudications: u32,
    events: usize,
    displaced: usize,
    demons: usize,
    searches: usize,
    sunk: usize,
}

impl BattleCount {
    fn add(&mut self, other: &Self) {
        self.adjudications += other.adjudications;
        self.events += other.events;
        self.displaced += other.displaced;
        self.demons += other.demons;
        self.searches += other.searches;
        self.sunk += other.sunk;
    }

    fn count(&mut self, rules: &Dog, event: &Event) {
        self.events += 1;
        match event {
            Event::Displaced { .. } => self.displaced += 1,
            Event::Searched { .. } => self.searches += 1,
            Event::Raised(Waiting { sorts, .. }) => {
                self.demons +=
                    sorts.iter().filter(|sort| rules.numbers().troop(sort.troop).code == "DE").count();
            }
            _ => {}
        }
    }
}

/// Now and then the GM takes an empty boat away while somebody is aboard another. Whether he did.
fn sink(fancy: &mut Fancy, rules: &Dog, state: &mut State) -> bool {
    let views: Vec<_> = rules.seats().iter().map(|spec| rules.view(state, &spec.seat)).collect();
    let Some((boat, _)) = views[0].boats.first() else { return false };
    let afloat = views.iter().flat_map(|view| view.own.values()).any(|unit| unit.aboard && unit.at != *boat);
    if !afloat || !fancy.chance(3) {
        return false;
    }
    let Ok(events) = rules.amend(state, &format!("BOAT {boat} NO")) else { return false };
    events.iter().for_each(|event| rules.apply(state, event));
    true
}

/// One battle: in every tenth computers lead both sides and no order of theirs may be refused or warned of; in the others mostly somebody who tries
/// everything.
fn play(seed: u32) -> BattleCount {
    let text = battle(seed);
    let rules = rules(&text);
    let mut fancy = Fancy::new(seed ^ 0x5eed);
    let mut dice = Loose::numbered(seed);
    let mut state = rules.found();
    let mut whole = None;
    let mut tally = BattleCount::default();
    let sober = seed.is_multiple_of(10);
    for t in 1..=MOST_STEPS {
        let mut orders = BTreeMap::new();
        match rules.awaiting(&state) {
            Awaiting::Over { .. } => return BattleCount { adjudications: t, ..tally },
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                tally.sunk += usize::from(!sober && sink(&mut fancy, &rules, &mut state));
                for (place, spec) in rules.seats().iter().enumerate() {
                    let view = rules.view(&state, &spec.seat);
                    // Planners take their time: in a part of the battles one plays.
                    let skill = match place == 0 && seed.is_multiple_of(50) {
                        true => Skill::Planner,
                        false => Skill::Cautious,
                    };
                    let text = match sober || fancy.chance(10) {
                        true => rules.play(&view, skill, seed.into()),
                        false => wild(&mut fancy, &rules, &spec.seat, &state),
                    };
                    // A receipt has odds, which take longer than all else: a part of the battles shows that none fails.
                    let reading = match seed.is_multiple_of(6) {
                        true => rules.read_back(&view, &text).0,
                        false => rules.read_orders(&view, &text),
                    };
                    if sober {
                        let (seat, remarks) = (&spec.seat, rules.read_back(&view, &text).0.remarks);
                        let doubts: Vec<_> =
                            remarks.iter().filter(|remark| remark.weight != Weight::Note).collect();
                        assert!(doubts.is_empty(), "battle {seed}, {seat}: {doubts:?}\n{text}");
                    }
                    orders.insert(spec.seat.clone(), reading);
                }
            }
        }
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        for event in scribe.finish() {
            let hidden = state.hidden();
            for army in rules.battle().armies().iter().filter(|_| !hidden.is_empty()) {
                let told = serde_json::to_string(&rules.witness(&state, &event, &army.seat)).unwrap();
                let foe = |letter| {
                    rules.battle().lettered(letter).is_some_and(|own| !rules.battle().allied(own.id, army.id))
                };
                let mut secret = hidden.iter().copied().filter(|id| foe(id.army));
                let leak = secret.find(|id| named(&told, *id, &event));
                assert!(leak.is_none(), "battle {seed}: {leak:?} is told to {} by {event:?}", army.seat);
            }
            tally.count(&rules, &event);
            rules.apply(&mut state, &event);
            let (present, lost) = state.hit_points(&rules);
            match event {
                Event::Raised(_) => whole = Some(present + lost),
                _ => {
                    assert_eq!(
                        whole.unwrap_or(present + lost),
                        present + lost,
                        "battle {seed}: by {event:?}"
                    );
                }
            }
        }
        // Between a rear guard's staying and the rest's leaving two units share a hex; after the turn nobody does.
        let faults = state.faults(&rules);
        assert!(faults.is_empty(), "battle {seed}, {t}: {faults:?}\n{text}");
    }
    panic!("battle {seed} has no end\n{text}");
}

/// Whether an enemy's hidden unit is named by something else than what shows it.
fn named(told: &str, id: musterd_dog::model::UnitId, event: &Event) -> bool {
    let shows = match event {
        // Who gives up is hidden no more (ruling DOG-23).
        Event::Revealed { unit, .. } | Event::Surrendered { unit, .. } => *unit == id,
        // Whom its own leader, who saw it once, told a unit to attack.
        Event::Stood { stance: Stance::Attack(target), .. } => *target == id,
        Event::Stopped { because: musterd_dog::event::Stop::Ambush { unit, .. }, .. } => *unit == id,
        _ => false,
    };
    !shows && told.contains(&format!("\"{id}\""))
}

#[test]
fn a_thousand_random_battles_run_to_an_end_and_hang_together() {
    const THREADS: u32 = 4;
    let mut all = BattleCount::default();
    std::thread::scope(|scope| {
        let part = |thread| {
            move || {
                (thread..1000).step_by(THREADS as usize).map(soak::seed).map(play).fold(
                    BattleCount::default(),
                    |mut sum, one| {
                        sum.add(&one);
                        sum
                    },
                )
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(part(thread))).collect();
        for thread in threads {
            all.add(&thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    let BattleCount { adjudications, events, displaced, demons, searches, sunk } = all;
    assert!(
        soak::is_enough(events > 50_000),
        "{events} events in {adjudications} adjudications are no battles"
    );
    assert!(
        soak::is_enough(displaced > 100),
        "{displaced} units had to make room where armies may start in the same hexes"
    );
    assert!(soak::is_enough(demons > 100 && searches > 1000), "{demons} demons, {searches} searches");
    assert!(soak::is_enough(sunk > 5), "{sunk} boats were taken away");
}

/// Plays a shipped battle between computers and keeps what a leader is told of it.
fn told(name: &str, seat: &str, rounds: u16) -> String {
    let rules = Dog::from_files(&musterd_dog::shipped(name).unwrap(), &[]).unwrap();
    let seat = seat.parse().unwrap();
    let mut state = rules.found();
    let mut dice = Loose::numbered(11);
    for t in 1.. {
        let orders = rules.seats().iter().map(|spec| {
            let view = rules.view(&state, &spec.seat);
            let text = rules.play(&view, Skill::Planner, 1);
            (spec.seat.clone(), rules.read_orders(&view, &text))
        });
        let orders = orders.collect();
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        let mut sights = Vec::new();
        for event in scribe.finish() {
            sights.extend(rules.witness(&state, &event, &seat));
            rules.apply(&mut state, &event);
        }
        let view = rules.view(&state, &seat);
        if view.round > rounds || matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            let page = page(&rules.brief(&view, &sights));
            assert_fits(&page);
            let form = rules.form(&view).join("\n");
            return format!("{page}\n{form}\n");
        }
    }
    unreachable!("a battle has an end")
}

#[test]
fn a_leaders_reports() {
    golden("dog-opening", &told("daerquwa", "king", 0));
    golden("dog-round", &told("daerquwa", "emperor", 6));
    golden("dog-end", &told("daerquwa", "queen", 99));
}
