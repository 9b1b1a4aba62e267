//! What orders name, and how it is written.

use musterd_engine::hex::Direction;
use musterd_kit::nouns;

use crate::battle::Battle;
use crate::model::{BrigadeId, HqId, ObjectiveId};
use crate::order::{Goal, Question};
use crate::words;

nouns! {
    pub(crate) enum Noun {
        brigade: Brigade(BrigadeId),
        hq: Hq(HqId),
        goal: Goal(Goal),
        objective: Objective(ObjectiveId),
        way: Way(Direction),
        thing: Thing(Question),
    }
}

/// Writes a noun at the end of a line, as it is read.
pub(super) fn write(battle: &Battle, noun: &Noun, line: &mut String) {
    let objective = |id: ObjectiveId| objective_name(battle, id);
    let text = match noun {
        Noun::Brigade(id) => id.number.to_string(),
        Noun::Hq(id) | Noun::Goal(Goal::Corps(id)) => format!("H{}", id.number),
        Noun::Goal(Goal::Objective(id)) | Noun::Objective(id) => objective(*id),
        Noun::Goal(Goal::Hex(hex)) | Noun::Thing(Question::Hex(hex)) => hex.to_string(),
        Noun::Goal(Goal::Stand) => "STAND".to_owned(),
        Noun::Way(way) => way.abbreviation().to_owned(),
        Noun::Thing(Question::Objective(id)) => objective(*id),
        Noun::Thing(Question::Unit(unit)) => words::number(*unit),
        Noun::Thing(Question::Roster) => "ROSTER".to_owned(),
        Noun::Thing(Question::Advice) => "ADVICE".to_owned(),
    };
    line.push_str(&text);
}

/// An objective as orders write it: its name, in quotes where that has signs that orders use.
fn objective_name(battle: &Battle, id: ObjectiveId) -> String {
    let name = &battle.objective(id).name;
    let plain = |c: char| c.is_alphanumeric() || " .'-".contains(c);
    if name.chars().all(plain) { name.clone() } else { format!("\"{}\"", name.replace('"', "")) }
}
