//! A unit's march as one line of "what happened".

use super::super::data::Lga;
use super::super::sight::Named;
use super::super::view::View;
use super::sums::name;
use musterd_engine::hex::Hex;
use musterd_kit::tell::March;

/// What is told of a march besides its hexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Details {
    /// Whether only some steps of it may be known: an enemy's, of which the reader knows those that he saw.
    pub(super) seen: bool,
    /// The hexes that it took.
    pub(super) captured: Vec<Hex>,
    /// Fog of war, a long march and the like.
    pub(super) notes: Vec<String>,
}

/// The march in words: `III Davout (3) marched from Reims 1204 by 1304 to Ulm 1507, taking 1405 and Ulm 1507; long march: …`. An enemy `was seen
/// marching`, because it is unknown where he stopped.
pub(super) fn in_words(rules: &Lga, view: &View, march: &March<Named, Details>) -> String {
    let place = |hex: Hex| rules.map.place(hex);
    let Details { seen, captured, notes } = &march.details;
    let mut text = name(rules, view, &march.who);
    if let Some((from, by, to)) = march.way() {
        let by_sea = march.hexes.iter().any(|hex| rules.map.is_sea(*hex));
        let deed = match (*seen, by_sea) {
            (false, false) => "marched",
            (false, true) => "sailed",
            (true, false) => "was seen marching",
            (true, true) => "was seen sailing",
        };
        text.push_str(&format!(" {deed} from {}", place(from)));
        if !by.is_empty() {
            let by: Vec<String> = by.iter().map(Hex::to_string).collect();
            text.push_str(&format!(" by {}", by.join(" ")));
        }
        text.push_str(&format!(" to {}", place(to)));
    }
    if !captured.is_empty() {
        let taken: Vec<_> = captured.iter().map(|hex| place(*hex)).collect();
        text.push_str(&format!(", taking {}", taken.join(", ")));
    }
    if !notes.is_empty() {
        text.push_str(if march.hexes.is_empty() { ": " } else { "; " });
        text.push_str(&notes.join("; "));
    }
    text.push('.');
    text
}
