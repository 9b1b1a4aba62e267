//! Attacks on a hex.

use super::unit::{Asked, Ground, UNITS, Unit, fate, ground, ground_of, numbers, unit};
use crate::model::Terrain;
use crate::numbers::Numbers;
use crate::odds::{Assault, Attacker, Defender};
use crate::order::Limit;
use crate::tables::combat::Field;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};

/// An argument that is a modifier or a morale.
const fn small(name: &'static str, help: &'static str) -> Arg {
    Arg::option(name, "N", Kind::Number(i8::MIN as i64, i8::MAX as i64), help)
}

/// An attack.
pub(super) const ATTACK: Call = Call {
    name: "attack",
    about: "An attack of one unit or of several, one after the other, for any number of rounds",
    examples: &[
        "musterd odds lga attack --with infantry:3 --against militia:2 --river",
        "musterd odds lga attack --with guard,cavalry:2:f1 --hq 2 \\\n      --against infantry --garrison militia \\\n      \
         --defender-hq 1 --into forest --until-clear --while-morale 2",
    ],
    notes: &[
        "The defenders are attacked in the order given, then their garrison, then their headquarters. Standing orders of the defenders are \
         left out.",
        UNITS,
    ],
    args: &[&[
        unit("with", "The attackers, in the order in which they attack").listed().required(),
        unit("against", "The defenders, from the top of their stack")
            .listed()
            .unless(&["garrison", "defender-hq"]),
        unit("garrison", "The garrison of the city"),
        small("hq", "What the best headquarters with the attackers adds").default("0"),
        small("defender-hq", "What the headquarters with the defenders adds; it is attacked last"),
        ground(
            "into",
            "GROUND",
            "The ground that is attacked: clear (cities too), forest, mountains, marsh, or a terrain of your ruleset.yaml",
        ),
        ground("out-of", "GROUND", "The ground that the attack comes out of"),
        Arg::flag("from-sea", "The attack comes from the sea").excludes(&["out-of", "river"]),
        Arg::flag("river", "The attack goes across a river"),
        Arg::option(
            "rounds",
            "N",
            Kind::Number(1, Limit::MOST_ROUNDS as i64),
            "Rounds that each attacker fights at most",
        )
        .default("1"),
        Arg::flag("until-clear", "Each attacker fights until nobody is left, or it can't")
            .excludes(&["rounds"]),
        small("while-morale", "Each attacks only while its own morale is so high"),
        small("while-odds", "Each attacks only while the modifiers that it knows come to so much"),
    ]],
    run: attack,
};

fn attack(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let table = &numbers.combat;
    let hq: i8 = given.value("hq").unwrap_or_default();
    let from = if given.has("from-sea") { Ground::SEA } else { ground_of(given, "out-of", numbers, &[])? };
    let to = ground_of(given, "into", numbers, &[])?;
    let field = Field { from: from.terrain, to: to.terrain, river: given.has("river") };
    let limit = Limit {
        rounds: match given.has("until-clear") {
            true => Limit::MOST_ROUNDS,
            false => given.value("rounds").unwrap_or(1),
        },
        while_morale: given.value("while-morale"),
        while_odds: given.value("while-odds"),
    };
    let Assailed { assault, attackers, defenders } = assault(given, numbers, hq, field, limit)?;
    let prospect = assault.prospect(table);
    let opening = assault.opening(table);
    let first = opening.map_or_else(
        || "none: the order's conditions don't hold, or the unit is demoralised".to_owned(),
        |clash| {
            let lines = clash.modifiers(table).map(|line| format!("{} {:+}", line.why, line.by));
            let lines: Vec<String> = lines.collect();
            format!("{:+} on the die ({})", clash.odds(table), lines.join(", "))
        },
    );
    let best = if hq == 0 { String::new() } else { format!("; HQ {hq:+}") };
    let given = vec![
        Fact::of("Attackers", format!("{}{best}", attackers.join("; "))),
        Fact::of("Defenders", defenders.join("; ")),
        Fact::of("Ground", grounds(from, to, field.river)),
        Fact::of("Rounds", order(&limit, given.has("until-clear"), attackers.len())),
        Fact::of("First round", first),
    ];
    let all = defenders.len();
    let left = prospect.defence.map(|defence| all - defence.fallen);
    let mut chances = vec![Chances::of("Left in the hex", &left, |left| match left {
        0 => "nobody: it is clear".to_owned(),
        left => format!("{left} of {all}"),
    })];
    let pieces = [("Attacker", attackers), ("Defender", defenders)].into_iter().flat_map(|(side, names)| {
        names.into_iter().enumerate().map(move |(place, name)| format!("{side} {}: {name}", place + 1))
    });
    let fates = prospect.attackers().chain(prospect.defenders());
    let arms = assault.attackers.iter().map(|attacker| attacker.unit.arm);
    let arms = arms.chain(assault.stack.defenders.iter().map(|defender| defender.unit.arm));
    chances.extend(
        pieces.zip(fates).zip(arms).map(|((piece, fates), arm)| Chances::of(piece, &fates, fate(arm))),
    );
    let expected = vec![
        ("morale lost by the attackers".to_owned(), prospect.attackers_loss()),
        ("morale lost by the defenders".to_owned(), prospect.defenders_loss()),
        ("attackers destroyed".to_owned(), prospect.attackers_destroyed()),
        ("defenders destroyed".to_owned(), prospect.defenders_destroyed()),
    ];
    Ok(Odds { question: "attack", given, chances, expected }.into())
}

/// An attack with the names of the pieces, in the order in which they fight.
struct Assailed {
    assault: Assault,
    attackers: Vec<String>,
    defenders: Vec<String>,
}

fn assault(
    given: &Given,
    numbers: &Numbers,
    hq: i8,
    field: Field,
    limit: Limit,
) -> Result<Assailed, CallError> {
    let all = |name: &str, why: &str| -> Result<Vec<Asked>, CallError> {
        given.values::<Unit>(name).iter().map(|unit| unit.not_hq(numbers, why)).collect()
    };
    let why = "is given by what it adds: --defender-hq";
    let (with, against) = (all("with", "does not attack: --hq gives what it adds")?, all("against", why)?);
    let attacker = |asked: &Asked| Attacker { unit: asked.fighter, hq, field, limit };
    let mut defenders: Vec<Defender> = against.iter().map(|asked| Defender::unit(asked.fighter)).collect();
    let mut names: Vec<String> = against.iter().map(|asked| asked.named()).collect();
    if let Some(unit) = given.value::<Unit>("garrison") {
        let asked = unit.not_hq(numbers, why)?;
        asked.may_garrison()?;
        defenders.push(Defender::garrison(asked.fighter));
        names.push(format!("garrison, {}", asked.named()));
    }
    if let Some(modifier) = given.value("defender-hq") {
        defenders.push(Defender::headquarters(modifier));
        names.push(format!("HQ {modifier:+}"));
    }
    Ok(Assailed {
        assault: Assault::new(with.iter().map(attacker).collect(), defenders),
        attackers: with.iter().map(|asked| asked.named()).collect(),
        defenders: names,
    })
}

fn grounds(from: Ground, to: Ground, river: bool) -> String {
    let out_of = match (from.terrain, from.own) {
        (Terrain::Sea, _) => "from the sea ".to_owned(),
        (Terrain::Clear, None) => String::new(),
        (_, None) => format!("out of {from} "),
        (_, Some(_)) => format!("out of {from}, "),
    };
    let river = if river { ", across a river" } else { "" };
    format!("{out_of}into {to}{river}")
}

fn order(limit: &Limit, until_clear: bool, attackers: usize) -> String {
    let mut text = match limit.rounds {
        _ if until_clear => "until nobody is left".to_owned(),
        1 => "one".to_owned(),
        rounds => format!("up to {rounds}"),
    };
    if attackers > 1 {
        text.push_str(", each attacker");
    }
    if let Some(morale) = limit.while_morale {
        text.push_str(&format!(", while its morale is {morale} or better"));
    }
    if let Some(odds) = limit.while_odds {
        text.push_str(&format!(", while the odds that it knows are {odds:+} or better"));
    }
    text
}
