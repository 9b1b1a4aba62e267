//! Communications and obedience.

use musterd_dice::odds::Distribution;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::meanings::{Meaning, asked, words};
use musterd_kit::odds::{Answer as Odds, Chances};

use super::unit::numbers;
use crate::model::{Arm, Branch, Echelon, Light, Weather};
use crate::phases::touch::{Sort, hindrance};

/// The units that can be asked about.
const UNITS: [Meaning<Sort>; 8] = [
    ("infantry", "an infantry brigade", Sort::Brigade(Arm::Infantry)),
    ("mounted-infantry", "a mounted infantry brigade", Sort::Brigade(Arm::MountedInfantry)),
    ("artillery", "an artillery brigade", Sort::Brigade(Arm::Artillery)),
    ("cavalry", "a cavalry brigade", Sort::Brigade(Arm::Cavalry)),
    ("division", "an infantry division's headquarters", Sort::Hq(Echelon::Division, Branch::Infantry)),
    ("cavalry-division", "a cavalry division's headquarters", Sort::Hq(Echelon::Division, Branch::Cavalry)),
    ("corps", "a corps' headquarters", Sort::Hq(Echelon::Corps, Branch::Infantry)),
    ("cavalry-corps", "a cavalry corps' headquarters", Sort::Hq(Echelon::Corps, Branch::Cavalry)),
];

/// What the headquarters over a unit can be.
const OVER: [Meaning<Echelon>; 3] = [
    ("division", "a division's", Echelon::Division),
    ("corps", "a corps'", Echelon::Corps),
    ("army", "the army's", Echelon::Army),
];
/// The times of day.
const TIMES: [Meaning<Light>; 3] = [
    ("day", "", Light::Day),
    ("dawn", "dawn or dusk: 2 less", Light::Dawn),
    ("night", "4 less", Light::Night),
];
/// The weather.
const WEATHER: [Meaning<Weather>; 3] = [
    ("clear", "clear or overcast", Weather::Clear),
    ("drizzle", "drizzle or light fog: 1 less", Weather::Drizzle),
    ("rain", "rain, snow or heavy fog: 3 less", Weather::Rain),
];

/// A throw for communication.
pub(super) const TOUCH: Call = Call {
    name: "touch",
    about: "Communication: whether a unit can be reached this turn by the headquarters over it",
    examples: &[
        "musterd odds acw touch --hexes 5 --staff 4",
        "musterd odds acw touch --hexes 9 --staff 3 --over army --time night",
    ],
    notes: &["A random number of 0 to 15 is thrown; the chance never falls below 0, so there is always 1 in 16."],
    args: &[&[
        Arg::option("hexes", "N", Kind::Number(0, 60), "How far the headquarters over it is").required(),
        Arg::option("staff", "N", Kind::Number(0, 9), "The value of that headquarters' staff").default("4"),
        Arg::option("unit", "UNIT", Kind::Word(&words(&UNITS)), "Who is to be reached").default("infantry"),
        Arg::option("over", "HQ", Kind::Word(&words(&OVER)), "What the headquarters over it is")
            .default("division"),
        Arg::option("time", "TIME", Kind::Word(&words(&TIMES)), "The time of day").default("day"),
        Arg::option("weather", "WEATHER", Kind::Word(&words(&WEATHER)), "The weather").default("clear"),
        Arg::option(
            "more",
            "N",
            Kind::Number(-20, 20),
            "What else counts: an army's headquarters -2 with an enemy within four hexes, -1 if it moved, -3 if its commander is heroic, -1 if bold; a corps' \
             -1 with an enemy within three, -1 with an offensive command",
        )
        .default("0"),
    ]],
    run: touch,
};

fn touch(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = numbers(at)?;
    let figure = |name| given.value::<i32>(name).ok_or_else(|| format!("say a number: --{name}"));
    let hexes: u32 = given.value("hexes").ok_or("say how far it is: --hexes")?;
    let unit = given.text("unit").unwrap_or(UNITS[0].0);
    let (_, name, sort) = UNITS.into_iter().find(|(word, ..)| *word == unit).unwrap_or(UNITS[0]);
    let superior = asked(given, "over", &OVER);
    // What the headquarters over it adds is told apart from the unit's own type.
    let (kind, adds) = (sort.adds(Echelon::Division), sort.adds(superior));
    let (light, weather) = (asked(given, "time", &TIMES), asked(given, "weather", &WEATHER));
    let parts = [
        ("distance", numbers.reach(hexes)),
        ("staff", figure("staff")?),
        ("type", kind),
        ("headquarters", adds - kind),
        ("time", hindrance(light, Weather::Clear)),
        ("weather", hindrance(Light::Day, weather)),
        ("else", figure("more")?),
    ];
    let chance = parts.iter().map(|(_, part)| part).sum::<i32>().max(0);
    let said: Vec<String> =
        parts.iter().filter(|(_, part)| *part != 0).map(|(what, part)| format!("{what} {part:+}")).collect();
    let told = vec![
        Fact::of("Unit", format!("{name}, {hexes} hexes from the headquarters over it")),
        Fact::of("Chance", format!("a random number of 0 to 15, at most {chance} ({})", said.join(", "))),
    ];
    let made = Distribution::certain(false)
        .throw(16, |_| Some(move |face: u32| i64::from(face) - 1 <= i64::from(chance)));
    let chances = vec![Chances::of("Result", &made, |made| {
        if *made { "in communication" } else { "out of communication" }.to_owned()
    })];
    Ok(Odds { question: "touch", given: told, chances, expected: Vec::new() }.into())
}

/// Turns that are told of one by one.
const TURNS: u32 = 6;

/// How soon a command begins.
pub(super) const OBEY: Call = Call {
    name: "obey",
    about: "Obedience: in which turn a headquarters begins a command that it was given",
    examples: &["musterd odds acw obey --leadership 6"],
    notes: &[
        "It throws a random number of 0 to 9 once a turn, and begins when that is at most the leadership (ACW-39).",
        "For a division under a corps that is the leadership of the corps, unless a player directs it himself. A corps begins without a throw (ACW-73).",
    ],
    args: &[&[Arg::option(
        "leadership",
        "N",
        Kind::Number(0, 9),
        "The leadership that counts: its own commander's, or that of the corps over it",
    )
    .required()]],
    run: obey,
};

fn obey(given: &Given, _: &mut dyn Installation) -> Result<Answer, CallError> {
    let leadership: u32 = given.value("leadership").ok_or("say the leadership: --leadership")?;
    let mut begins = Distribution::certain(None::<u32>);
    for turn in 1..=TURNS {
        begins = begins.throw(10, |begun| {
            begun.is_none().then_some(move |face: u32| (face - 1 <= leadership).then_some(turn))
        });
    }
    let turns = begins.map(|turn| turn.unwrap_or(TURNS + 1));
    let chances = vec![Chances::of("It begins", &turns, |turn| match *turn {
        1 => "in the turn of the order".to_owned(),
        late if late > TURNS => "later".to_owned(),
        turn => format!("in turn {turn}"),
    })];
    let told = vec![Fact::of("Leadership", format!("{leadership}: {} of 10 in each turn", leadership + 1))];
    Ok(Odds { question: "obey", given: told, chances, expected: Vec::new() }.into())
}
