//! The battle in a few sentences: what turned it since the last report.

use crate::data::Sa;
use crate::model::Side;

use super::deeds::{Deed, Deeds};
use super::words::{called, listed};

/// Turning points told at most.
const MOST: usize = 5;

/// The summary of what happened; `None` if no blow fell and nothing else turned.
pub(super) fn summary(rules: &Sa, deeds: &Deeds<'_>) -> Option<String> {
    let mut turns: Vec<(u32, usize, String)> = Vec::new();
    for (at, deed) in deeds.told.iter().enumerate() {
        turns.extend(
            turn(rules, deed).map(|(weight, text)| (weight, at, format!("At {} {text}.", deed.point))),
        );
    }
    let [melees, volleys] = deeds.fights;
    if turns.is_empty() && melees + volleys == 0 {
        return None;
    }
    // The heaviest, in the order in which they happened.
    let more = turns.len().saturating_sub(MOST);
    turns.sort_by_key(|(weight, at, _)| (std::cmp::Reverse(*weight), *at));
    turns.truncate(MOST);
    turns.sort_by_key(|(_, at, _)| *at);
    let mut sentences = Vec::new();
    sentences.extend(fights(rules, deeds));
    sentences.extend(turns.into_iter().map(|(_, _, text)| text));
    if more > 0 {
        sentences.push("More is told below.".to_owned());
    }
    Some(sentences.join(" "))
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
    let each = |side: Side| {
        let (won, lost) = (deeds.won[side.index()], deeds.lost[side.index()]);
        format!("{} won {won} and lost {lost} men", army(side))
    };
    let was = if melees + volleys == 1 { "was" } else { "were" };
    let fought = musterd_report::text::listed(&fought);
    Some(format!("There {was} {fought}: {}, {}.", each(Side::A), each(Side::B)))
}

/// What a deed turned, and how much it weighs.
fn turn(rules: &Sa, deed: &Deed) -> Option<(u32, String)> {
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
    if let Some(gone) = deed.destroyed {
        weight += 5;
        texts.push(match deed.winner {
            Some(winner) if winner != gone => {
                format!("{} destroyed {}", called(rules, winner), called(rules, gone))
            }
            _ => format!("{} was destroyed", called(rules, gone)),
        });
    }
    if let Some(news) = &deed.news {
        weight += 2;
        texts.push(news.clone());
    }
    (!texts.is_empty()).then(|| (weight, texts.join("; ")))
}
