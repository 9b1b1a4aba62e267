//! A stretch of a unit's march as one line of "what happened".

use super::super::data::Lga;
use super::super::model::Terrain;
use super::super::sight::Named;
use super::super::view::View;
use super::sums::name;
use musterd_engine::hex::Hex;

/// The march of one unit without another event in between.
pub(super) struct Stretch {
    pub(super) unit: Named,
    /// Whether all of it is known: of an enemy's march the reader knows only the steps that he saw.
    pub(super) own: bool,
    pub(super) from: Option<Hex>,
    pub(super) path: Vec<Hex>,
    pub(super) captured: Vec<Hex>,
    pub(super) notes: Vec<String>,
}

impl Stretch {
    /// A march without steps.
    pub(super) fn of(unit: &Named) -> Self {
        Self {
            unit: unit.clone(),
            own: true,
            from: None,
            path: Vec::new(),
            captured: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The march in words: `III Davout (3) marched from Reims 1204 by 1304 to Ulm 1507, taking 1405 and Ulm 1507; long march: …`. An enemy `was seen
    /// marching`, because it is unknown where he stopped.
    pub(super) fn in_words(&self, rules: &Lga, view: &View) -> String {
        let place = |hex: Hex| rules.map().place(hex);
        let mut text = name(rules, view, &self.unit);
        if let (Some(from), Some((to, by))) = (self.from, self.path.split_last()) {
            let sea = |hex: Hex| rules.map().area(hex).is_some_and(|area| area.terrain == Terrain::Sea);
            let by_sea = sea(from) || self.path.iter().any(|hex| sea(*hex));
            let deed = match (self.own, by_sea) {
                (true, false) => "marched",
                (true, true) => "sailed",
                (false, false) => "was seen marching",
                (false, true) => "was seen sailing",
            };
            text.push_str(&format!(" {deed} from {}", place(from)));
            if !by.is_empty() {
                let by: Vec<String> = by.iter().map(Hex::to_string).collect();
                text.push_str(&format!(" by {}", by.join(" ")));
            }
            text.push_str(&format!(" to {}", place(*to)));
        }
        if !self.captured.is_empty() {
            let taken: Vec<_> = self.captured.iter().map(|hex| place(*hex)).collect();
            text.push_str(&format!(", taking {}", taken.join(", ")));
        }
        if !self.notes.is_empty() {
            text.push_str(if self.path.is_empty() { ": " } else { "; " });
            text.push_str(&self.notes.join("; "));
        }
        text.push('.');
        text
    }
}
