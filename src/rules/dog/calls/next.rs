//! The next battle of a campaign.

use std::path::Path;

use super::played::Played;
use super::record::battle as of_name;
use crate::battle;
use crate::data::Dog;
use crate::next::{Carried, Wishes, next};
use crate::numbers;
use musterd_dice::{GameId, Seat};
use musterd_engine::Ruleset as _;
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind, any, read_as};
use musterd_engine::files::RuleFiles;
use musterd_report::text;

/// The next battle of a campaign.
pub(super) const NEXT: Call = Call {
    name: "next",
    about: "Write the next battle of a campaign: survivors, loot, maintenance, leadership",
    examples: &[
        "musterd dog next alpha --out games/dog/scenarios/second.yaml",
        "musterd dog next alpha --out third.yaml --on daerquwa --money king=200",
    ],
    notes: &[
        "Who is left stands in the file as units without a place: their leaders mail where they stand. What split off is with its unit again, prisoners are \
         lost, shots are whole. What was not spent on hire, loot and money besides pay the maintenance; what is left hires more.",
    ],
    args: &[&[
        Arg::option("game", "GAME", Kind::Text(read_as::<GameId>), "The game of the battle that is over")
            .loose(1, 1),
        // The new file is a battle of the host's own.
        Arg::option(
            "out",
            "FILE",
            Kind::Written { among: &["games"], beside: None },
            "The file to write; `-` prints it",
        )
        .required(),
        Arg::option(
            "on",
            "BATTLE",
            Kind::Text(any),
            "The battle, or its file, whose field they meet on [default: the same field]",
        ),
        Arg::option("title", "TEXT", Kind::Text(any), "The next battle's title"),
        Arg::option(
            "money",
            "SEAT=MONEY",
            Kind::Text(is_money),
            "Money that a leader has besides; may be repeated",
        )
        .repeated(),
        Arg::option(
            "without",
            "SEAT",
            Kind::Text(read_as::<Seat>),
            "An army that fights no more; may be repeated",
        )
        .repeated(),
    ]],
    run: write,
};

fn money(text: &str) -> Result<(Seat, u32), String> {
    let bad = || format!("`{text}` is no leader's money: write king=200");
    let (seat, money) = text.split_once('=').ok_or_else(bad)?;
    Ok((seat.trim().parse().map_err(|_| bad())?, money.trim().parse().map_err(|_| bad())?))
}

fn is_money(text: &str) -> Result<(), String> {
    money(text).map(drop)
}

fn write(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let (game, out) = (given.text("game").unwrap_or_default(), given.text("out").unwrap_or_default());
    let game_id: GameId = game.parse().map_err(|_| format!("there is no game `{game}`"))?;
    let played = Played::find(at, &game_id)?;
    let on = given.text("on").map(|on| of_name(on, at)).transpose()?;
    let stem = Path::new(out).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let wishes = Wishes {
        id: stem.filter(|stem| stem != "-").unwrap_or_else(|| format!("after-{game}")),
        title: given.text("title").map(str::to_owned),
        money: given.all("money").iter().map(|text| money(text)).collect::<Result<_, _>>()?,
        without: given.values("without").into_iter().collect(),
    };
    let Played { rules, views, unspent, numbers } = &played;
    let (file, carried) = next(rules, views, unspent, on.as_ref().map(Dog::battle), &wishes)?;
    // A battle that can't be played is not written; the errors say what is missing.
    Dog::from_files(
        &RuleFiles::of(&[(numbers::FILE, numbers.as_str()), (battle::FILE, file.as_str())]),
        &[],
    )?;
    let sections = carried.iter().map(section).collect();
    let page = text::sections(&Briefing { sections, ..Briefing::default() });
    let data = serde_json::json!({ "file": out, "id": wishes.id });
    Ok(Answer::new(format!("{page}\nWritten: {out}\n"), &data).with_file(file))
}

fn section(carried: &Carried) -> Section {
    let all = |names: &[String]| if names.is_empty() { "nobody".to_owned() } else { names.join("; ") };
    let Carried { prisoners, loot, money, unspent, maintenance, .. } = carried;
    let rest = match (carried.left(), carried.owed()) {
        (0, 0) => "nothing is left".to_owned(),
        (0, owed) => format!("{owed} are owed"),
        (left, _) => format!("{left} to hire with"),
    };
    let sum =
        format!("{unspent} not spent + loot {loot} + {money} besides - maintenance {maintenance}: {rest}");
    let facts = [
        Some(Fact::of("Survivors", all(&carried.survivors))),
        (!prisoners.is_empty()).then(|| Fact::of("Lost as prisoners", all(prisoners))),
        Some(Fact::of("Leadership", carried.leadership.clone())),
        Some(Fact::of("Money", sum)),
    ];
    let facts = facts.into_iter().flatten().collect();
    Section::of(carried.army.clone(), vec![Part::Facts { facts }])
}
