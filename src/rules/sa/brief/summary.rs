//! The battle in a few sentences: what turned it since the last report.

use crate::data::Sa;
use crate::model::{Side, UnitId};

use super::deeds::{Deed, Deeds};
use super::words::{called, listed, men, signed};

/// Turning points told at most.
const MOST: usize = 5;

/// The summary of what happened; `None` if no blow fell and nothing else turned.
pub(super) fn summary(rules: &Sa, deeds: &Deeds<'_>, change: [i32; 2]) -> Option<String> {
    let mut turns = Vec::new();
    deeds.told.iter().filter_map(|deed| turn(rules, deed)).for_each(|turn| join(&mut turns, turn));
    if turns.is_empty() && deeds.fights == [0, 0] {
        return None;
    }
    // The weightiest are told, in the order in which they happened: causes before effects.
    let mut turns: Vec<(usize, Turn)> = turns.into_iter().enumerate().collect();
    turns.sort_by_key(|(_, turn)| std::cmp::Reverse(turn.weight));
    turns.truncate(MOST);
    turns.sort_by_key(|(number, _)| *number);
    let turns: Vec<Turn> = turns.into_iter().map(|(_, turn)| turn).collect();
    let mut sentences = Vec::new();
    sentences.extend(fights(rules, deeds));
    for same in turns.chunk_by(|one, other| one.point == other.point) {
        let texts: Vec<String> = same.iter().map(|turn| turn.text(rules)).collect();
        let when =
            if same[0].point == 0 { "Before the battle".to_owned() } else { format!("At {}", same[0].point) };
        sentences.push(format!("{when} {}.", texts.join("; ")));
    }
    if turns.is_empty() {
        sentences.extend(toll(rules, deeds));
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
    /// Who ran and who was destroyed.
    texts: Vec<String>,
    /// Who did what else.
    news: Option<(Vec<UnitId>, String)>,
}

impl Turn {
    fn text(&self, rules: &Sa) -> String {
        const NAMED: usize = 3;
        let news = self.news.as_ref().map(|(units, what)| {
            let who = match units.len() {
                0..=NAMED => musterd_report::text::listed(
                    &units.iter().map(|unit| called(rules, *unit)).collect::<Vec<_>>(),
                ),
                _ => listed(units),
            };
            format!("{who} {what}")
        });
        self.texts.iter().cloned().chain(news).collect::<Vec<_>>().join("; ")
    }
}

/// Adds a turning point; who did the same at the same time is told of in one breath, unless somebody ran or was destroyed in between.
fn join(turns: &mut Vec<Turn>, turn: Turn) {
    let same = |other: &&mut Turn| {
        let what = |turn: &Turn| turn.news.as_ref().map(|(_, what)| what.clone());
        other.point == turn.point && turn.texts.is_empty() && what(other) == what(&turn)
    };
    let from = turns.iter().rposition(|turn| !turn.texts.is_empty()).unwrap_or(0);
    match (turns[from..].iter_mut().find(same), &turn.news) {
        (Some(Turn { news: Some((units, _)), weight, .. }), Some((more, _))) => {
            units.extend(more);
            *weight += turn.weight;
        }
        _ => turns.push(turn),
    }
}

/// How many fights there were, who won them and what they cost.
fn fights(rules: &Sa, deeds: &Deeds<'_>) -> Option<String> {
    let [melees, volleys] = deeds.fights;
    let army = |side: Side| rules.battle().army(side).name.as_str();
    let many = |many: u32, one: &str, more: &str| match many {
        0 => None,
        1 => Some(format!("one {one}")),
        _ => Some(format!("{many} {more}")),
    };
    let fought = [many(melees, "melee", "melees"), many(volleys, "exchange of fire", "exchanges of fire")];
    let fought: Vec<String> = fought.into_iter().flatten().collect();
    if fought.is_empty() {
        return None;
    }
    let fought = musterd_report::text::listed(&fought);
    let lost = |side: Side| match deeds
        .lost
        .iter()
        .filter(|(unit, _)| unit.side == side)
        .map(|(_, lost)| lost)
        .sum()
    {
        0 => "no men".to_owned(),
        lost => men(lost),
    };
    let lone = Side::ALL.into_iter().find(|side| melees + volleys == 1 && deeds.won[side.index()] == 1);
    if let Some(side) = lone {
        let (winner, loser) = (army(side), army(side.other()));
        let (few, more) = (lost(side), lost(side.other()));
        return Some(format!("There was {fought}, won by {winner}, who lost {few}; {loser} lost {more}."));
    }
    let nobody = deeds.won == [0, 0];
    let each = |side: Side| {
        let won = match deeds.won[side.index()] {
            _ if nobody => String::new(),
            0 => "won none and ".to_owned(),
            many => format!("won {many} and "),
        };
        format!("{} {won}lost {}", army(side), lost(side))
    };
    let was = if melees == 1 || melees == 0 && volleys == 1 { "was" } else { "were" };
    let nobody = if nobody { ", and nobody won" } else { "" };
    Some(format!("There {was} {fought}{nobody}: {}, {}.", each(Side::A), each(Side::B)))
}

/// Where nothing turned: the costliest blow, and who suffered most from several.
fn toll(rules: &Sa, deeds: &Deeds<'_>) -> Vec<String> {
    let Some((fell, unit, to)) = deeds.costliest.filter(|(fell, ..)| *fell > 0) else { return Vec::new() };
    let (who, by) = (called(rules, unit), called(rules, to));
    let mut told = vec![format!("The costliest blow: {} of {who} fell to {by}.", men(fell))];
    let worst = deeds.lost.iter().max_by_key(|(unit, lost)| (**lost, std::cmp::Reverse(**unit)));
    if let Some((unit, lost)) = worst.filter(|(_, lost)| **lost > fell) {
        told.push(format!("{} suffered most: {} in all.", called(rules, *unit), men(*lost)));
    }
    told
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
    let news = deed.news.as_ref().map(|(unit, what)| (vec![*unit], what.clone()));
    weight += 2 * u32::from(news.is_some());
    (!texts.is_empty() || news.is_some()).then_some(Turn { point: deed.point, weight, texts, news })
}
