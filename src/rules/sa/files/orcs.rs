//! The Atari edition's name of the Zorgs: `Zorgs (Orcs)`.

use crate::battle::Battle;
use crate::numbers::Numbers;

/// Calls them so wherever a battle names people. Whoever writes `Zorg Rabble` in an order is understood all the same, as a part of a unit's name is
/// enough; of a place it is not, so places keep theirs.
pub(super) fn say(numbers: &mut Numbers, battle: &mut Battle) {
    let named = |text: &mut String| *text = orcs(text);
    [&mut battle.title, &mut battle.situation].into_iter().for_each(named);
    for army in &mut battle.sides {
        named(&mut army.name);
        army.commanders.iter_mut().for_each(|commander| named(&mut commander.title));
    }
    for spec in &mut battle.units {
        [&mut spec.name, &mut spec.row, &mut spec.tribe].into_iter().for_each(named);
        spec.gifts.against = spec.gifts.against.iter().map(|(tribe, gift)| (orcs(tribe), *gift)).collect();
    }
    let tribes = std::mem::take(&mut numbers.tribes).into_iter();
    numbers.tribes = tribes
        .map(|(tribe, mut gifts)| {
            gifts.against = gifts.against.into_iter().map(|(foe, gift)| (orcs(&foe), gift)).collect();
            (orcs(&tribe), gifts)
        })
        .collect();
}

/// A text with the other name behind each `Zorg` and `Zorgs`.
fn orcs(text: &str) -> String {
    let mut parts = text.split("Zorg");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (many, rest) = part.strip_prefix('s').map_or(("", part), |rest| ("s", rest));
        said.push_str("Zorg");
        said.push_str(many);
        if !rest.starts_with(char::is_alphanumeric) {
            said.push_str(" (Orc");
            said.push_str(many);
            said.push(')');
        }
        said.push_str(rest);
    }
    said
}
