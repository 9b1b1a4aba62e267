//! The battle in a few sentences: what turned it since the last report.

use crate::data::Sa;
use crate::model::Side;

use super::deeds::{Deed, Deeds};
use super::words::{called, listed, men, signed};

/// Turning points told at most.
const MOST: usize = 5;

/// The summary of what happened; `None` if no blow fell and nothing else turned.
pub(super) fn summary(rules: &Sa, deeds: &Deeds<'_>, change: [i32; 2]) -> Option<String> {
    let mut turns: Vec<Turn> = deeds.told.iter().filter_map(|deed| turn(rules, deed)).collect();
    if turns.is_empty() && deeds.fights == [0, 0] {
        return None;
    }
    turns.sort_by_key(|turn| std::cmp::Reverse(turn.weight));
    turns.truncate(MOST);
    turns.sort_by_key(|turn| turn.point);
    let mut sentences = Vec::new();
    sentences.extend(fights(rules, deeds));
    for same in turns.chunk_by(|one, other| one.point == other.point) {
        let texts: Vec<&str> = same.iter().map(|turn| turn.text.as_str()).collect();
        let when =
            if same[0].point == 0 { "Before the battle".to_owned() } else { format!("At {}", same[0].point) };
        sentences.push(format!("{when} {}.", texts.join("; ")));
    }
    if let Some((fell, unit, to)) = deeds.costliest.filter(|(fell, ..)| *fell > 0 && turns.is_empty()) {
        sentences.push(format!(
            "The costliest blow: {} of {} fell to {}.",
            men(fell),
            called(rules, unit),
            called(rules, to)
        ));
    }
    if change != [0, 0] {
        let each = Side::ALL
            .map(|side| format!("{} {}", rules.battle().army(side).name, signed(change[side.index()])));
        sentences.push(format!("Army morale: {}.", each.join(", ")));
    }
    Some(sentences.join(" "))
}

/// A turning point.
struct Turn {
    point: u16,
    weight: u32,
    text: String,
}

/// How many fights there were, who won them and what they cost.
fn fights(rules: &Sa, deeds: &Deeds<'_>) -> Option<String> {
    let [melees, volleys] = deeds.fights;
    let army = |side: Side| rules.battle().army(side).name.as_str();
    let fought = [(melees, "melee"), (volleys, "exchange of fire")];
    let fought = fought.into_iter().filter(|(many, _)| *many > 0).map(|(many, what)| match (many, what) {
        (1, "melee") => "one melee".to_owned(),
        (1, _) => "one exchange of fire".to_owned(),
        (many, "melee") => format!("{many} melees"),
        (many, _) => format!("{many} exchanges of fire"),
    });
    let fought: Vec<String> = fought.collect();
    if fought.is_empty() {
        return None;
    }
    let none = deeds.won == [0, 0];
    let each = |side: Side| {
        let won = if none { String::new() } else { format!("won {} and ", deeds.won[side.index()]) };
        format!("{} {won}lost {}", army(side), men(deeds.lost[side.index()]))
    };
    let first = if melees > 0 { melees } else { volleys };
    let was = if first == 1 { "was" } else { "were" };
    let fought = musterd_report::text::listed(&fought);
    let none = if none { ", and nobody won" } else { "" };
    Some(format!("There {was} {fought}{none}: {}, {}.", each(Side::A), each(Side::B)))
}

/// What a deed turned, and how much it weighs.
fn turn(rules: &Sa, deed: &Deed) -> Option<Turn> {
    let mut texts = Vec::new();
    let mut weight = 0;
    if let [first, others @ ..] = deed.ran.as_slice() {
        let who = called(rules, *first);
        let broke = match deed.winner {
            Some(winner) if winner.side != first.side => {
                format!("{} broke {who}", called(rules, winner))
            }
            _ => format!("{who} ran"),
        };
        weight += 3 + u32::try_from(others.len()).unwrap_or(0) * 2;
        texts.push(match others {
            [] => broke,
            [_] => format!("{broke}, and {} ran with it", listed(others)),
            _ => {
                let army = &rules.battle().army(first.side).name;
                format!("the line of {army} gave way: {broke}, and {} ran with it", listed(others))
            }
        });
    }
    for gone in &deed.destroyed {
        weight += 5;
        texts.push(match deed.winner {
            Some(winner) if winner != *gone => {
                format!("{} destroyed {}", called(rules, winner), called(rules, *gone))
            }
            _ => format!("{} was destroyed", called(rules, *gone)),
        });
    }
    if let Some(news) = &deed.news {
        weight += 2;
        texts.push(news.clone());
    }
    (!texts.is_empty()).then(|| Turn { point: deed.point, weight, text: texts.join("; ") })
}
