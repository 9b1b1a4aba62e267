//! The places that orders name, and whatever else can be asked about.

use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind as TokenKind};
use musterd_engine::yaml::short;
use musterd_kit::lexicon::{Lexicon, at, missing};

use super::forms::Kind;
use super::line::{Line, hq_number, near};
use crate::model::{ObjectiveId, UnitId};
use crate::order::{Goal, Question};
use crate::words as said;

impl Line<'_> {
    /// An objective: by name or a part of it, or by its hex.
    pub(super) fn objective(&self, cursor: &mut Cursor<'_>) -> Result<ObjectiveId, Remark> {
        let battle = self.battle();
        let Some(token) = cursor.peek() else {
            return Err(self.with_objectives(missing(cursor, "Which objective?")));
        };
        if let Ok(hex) = token.text.parse::<Hex>() {
            cursor.skip(1);
            let there = battle.objectives().find(|(_, objective)| objective.hex == hex);
            return there.map(|(id, _)| id).ok_or_else(|| {
                self.with_objectives(at(token, format!("No objective lies in {}.", said::place(battle, hex))))
            });
        }
        if let Some((fit, taken)) = self.named_objective(cursor.rest()) {
            return self.only(cursor, taken, &fit, |id| battle.objective(id).name.clone());
        }
        if let Some((hexes, _)) = self.named_place(cursor.rest()) {
            let text = format!("{} is no objective.", said::place(battle, hexes[0]));
            return Err(self.with_objectives(at(token, text)));
        }
        let strange = at(token, format!("`{}` is no objective.", short(token.text)));
        Err(match near(&self.objectives, token.text) {
            Some(id) => strange.hint(format!("did you mean {}?", battle.objective(id).name)),
            None => self.with_objectives(strange),
        })
    }

    fn with_objectives(&self, remark: Remark) -> Remark {
        let names: Vec<&str> = self.battle().objectives.iter().map(|one| one.name.as_str()).collect();
        match names.len() {
            0 => remark.hint("this battle has no objectives"),
            _ => remark.hint(format!("objectives are {}", names.join(", "))),
        }
    }

    /// Where a commander's headquarters may go.
    pub(super) fn goal(&self, cursor: &mut Cursor<'_>) -> Result<Goal, Remark> {
        let Some(token) = cursor.peek() else { return Err(missing(cursor, "Where to?")) };
        if token.text.parse::<Hex>().is_ok() {
            return self.hex(cursor).map(Goal::Hex);
        }
        if let Some((side, number)) = hq_number(token.text)
            && let Some(id) = self.hq_of(side, number)
        {
            cursor.skip(1);
            return Ok(Goal::Corps(id));
        }
        if let Some((fit, taken)) = self.named_objective(cursor.rest()) {
            let name = |id: ObjectiveId| self.battle().objective(id).name.clone();
            return self.only(cursor, taken, &fit, name).map(Goal::Objective);
        }
        if let Some((fit, taken)) = self.named_place(cursor.rest()) {
            let name = |hex| said::place(self.battle(), hex);
            return self.only(cursor, taken, &fit, name).map(Goal::Hex);
        }
        if let Some((fit, taken)) = self.named_hq(cursor.rest()) {
            return self.only(cursor, taken, &fit, |id| self.hq_name(id)).map(Goal::Corps);
        }
        let strange = at(token, format!("`{}` is neither an objective nor a hex.", short(token.text)));
        let name = || {
            let objective =
                near(&self.objectives, token.text).map(|id| self.battle().objective(id).name.clone());
            objective.or_else(|| Some(self.battle().map.places[&near(&self.places, token.text)?].clone()))
        };
        Err(match name() {
            Some(name) => strange.hint(format!("did you mean {name}?")),
            None => self.with_objectives(strange),
        })
    }

    /// A hex of the map by number.
    fn hex(&self, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let Some(token) = cursor.take() else { return Err(missing(cursor, "Which hex?")) };
        let map = &self.battle().map;
        match token.text.parse::<Hex>() {
            Ok(hex) if map.has(hex) => Ok(hex),
            _ => Err(at(token, format!("{} is off the map.", short(token.text)))
                .hint(format!("the map ends at {}", map.last()))),
        }
    }

    /// Whatever can be asked about: the longest name counts.
    pub(super) fn thing(&self, cursor: &mut Cursor<'_>) -> Result<Question, Remark> {
        let Some(token) = cursor.peek() else { return Err(missing(cursor, "About what?")) };
        if token.text.parse::<Hex>().is_ok() {
            return self.hex(cursor).map(Question::Hex);
        }
        let rest = cursor.rest();
        let length = |count: Option<usize>| count.unwrap_or(0);
        let objective = length(self.named_objective(rest).map(|(_, taken)| taken));
        let place = length(self.named_place(rest).map(|(_, taken)| taken));
        let brigade = length(self.named_brigade(rest).map(|(_, taken)| taken));
        let hq = length(self.named_hq(rest).map(|(_, taken)| taken));
        let most = objective.max(place).max(brigade).max(hq);
        let is_hq = token.kind == TokenKind::Word && hq_number(token.text).is_some();
        if is_hq || hq > 0 && hq == most && hq > objective && hq > brigade {
            return self.hq(cursor).map(|id| Question::Unit(UnitId::Hq(id)));
        }
        if objective > 0 && objective == most {
            return self.objective(cursor).map(Question::Objective);
        }
        if place > 0 && place == most && place > brigade {
            return self.goal(cursor).map(|goal| match goal {
                Goal::Hex(hex) => Question::Hex(hex),
                Goal::Objective(id) => Question::Objective(id),
                Goal::Corps(id) => Question::Unit(UnitId::Hq(id)),
                Goal::Stand => Question::Roster,
            });
        }
        if self.begins(Kind::Brigade, rest) {
            return self.brigade(cursor).map(|id| Question::Unit(UnitId::Brigade(id)));
        }
        let strange =
            at(token, format!("`{}` is no hex, no objective and no unit of yours.", short(token.text)));
        Err(match self.near_thing(token.text) {
            Some(name) => strange.hint(format!("did you mean {name}?")),
            None => strange.hint("write a hex, an objective, a brigade or a headquarters"),
        })
    }

    fn near_thing(&self, text: &str) -> Option<String> {
        let objective = near(&self.objectives, text).map(|id| self.battle().objective(id).name.clone());
        let brigade = || near(&self.brigades, text).map(|id| self.brigade_name(id));
        objective.or_else(brigade).or_else(|| near(&self.hqs, text).map(|id| self.hq_name(id)))
    }
}
