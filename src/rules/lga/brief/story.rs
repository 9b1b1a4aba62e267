//! The campaign as a story: a paragraph for each player turn, made from the record as far as the reader may know it.

use std::collections::BTreeMap;

use super::super::data::Lga;
use super::super::model::{Nation, Side};
use super::super::record::{Battle, Capture, Destruction, Loss, Turn};
use super::super::view::View;
use musterd_engine::briefing::Part;
use musterd_engine::hex::Hex;
use musterd_report::text::{listed, sentence};
use musterd_text::nouns;

/// The story so far, with a heading for each season; empty before anything worth telling has happened.
pub(super) fn parts(rules: &Lga, view: &View) -> Vec<Part> {
    let teller = Teller { rules, view };
    let mut parts = Vec::new();
    let mut season = None;
    for turn in teller.turns() {
        let sentences = teller.turn(turn);
        if sentences.is_empty() {
            continue;
        }
        if season != Some(turn.date) {
            season = Some(turn.date);
            parts.push(Part::Heading { text: turn.date.to_string() });
        }
        parts.push(Part::Text { text: sentences.join(" ") });
    }
    parts
}

/// `the French`, `the Allies`.
pub(super) const fn people(side: Side) -> &'static str {
    match side {
        Side::French => "the French",
        Side::Allied => "the Allies",
        Side::Neutral => "the Neutrals",
    }
}

/// The cities that changed hands in a turn, and the number of other hexes, except those in `told`: control is public, however it changed.
pub(super) fn captures_of(
    rules: &Lga,
    view: &View,
    turn: Turn,
    told: impl Fn(Hex) -> bool,
) -> Option<String> {
    let untold = |taken: &&Capture| taken.turn == turn && !told(taken.at);
    let cities: Vec<&Capture> = view.record.captures.iter().filter(untold).collect();
    let ground: Vec<&Capture> = view.record.ground.iter().filter(untold).collect();
    Teller { rules, view }.captures(turn.side, &cities, &ground)
}

struct Teller<'a> {
    rules: &'a Lga,
    view: &'a View,
}

impl Teller<'_> {
    /// The turns in which anything happened, in order.
    fn turns(&self) -> Vec<Turn> {
        let record = &self.view.record;
        let order = |turn: &Turn| {
            let sides = &self.rules.scenario.sides;
            (turn.date, sides.iter().position(|spec| spec.side == turn.side))
        };
        let mut turns: Vec<Turn> = (record.battles.iter().map(|b| b.turn))
            .chain(record.losses.iter().map(|l| l.turn))
            .chain(record.captures.iter().map(|c| c.turn))
            .collect();
        turns.sort_by_key(order);
        turns.dedup();
        turns
    }

    /// One player turn in sentences, in the order of its phases.
    fn turn(&self, turn: Turn) -> Vec<String> {
        let record = &self.view.record;
        let perished = |fate: Destruction, how: &str| {
            let lost = record.losses.iter().filter(|loss| loss.turn == turn && loss.fate == fate);
            let lost = self.pieces(lost);
            (!lost.is_empty()).then(|| format!("{lost} {how}."))
        };
        let battles = record.battles.iter().filter(|battle| battle.turn == turn);
        let taken: Vec<&Capture> = record.captures.iter().filter(|capture| capture.turn == turn).collect();
        let mut sentences: Vec<String> = Vec::new();
        sentences.extend(perished(Destruction::Muster, "melted away in the muster"));
        sentences.extend(battles.map(|battle| self.battle(battle)));
        sentences.extend(perished(Destruction::Rout, "broke and scattered on the retreat"));
        sentences.extend(self.captures(turn.side, &taken, &[]));
        sentences.extend(perished(Destruction::Supply, "perished for want of supply"));
        sentences.extend(perished(Destruction::Siege, "gave up after a siege"));
        sentences
    }

    /// `The French attacked the Allies at Ulm 1507 for 6 rounds, at a cost of 3 morale against 7. They destroyed Mack (Austria);
    /// they lost IV Soult (France).`
    fn battle(&self, battle: &Battle) -> String {
        let destroyed = |by: Side| {
            let here = |loss: &&Loss| {
                loss.turn == battle.turn && loss.at == battle.at && loss.fate == Destruction::Battle(by)
            };
            self.pieces(self.view.record.losses.iter().filter(here))
        };
        let mut text = format!(
            "{} attacked {} at {} for {}",
            sentence(people(battle.turn.side)),
            people(battle.defender),
            self.place(battle.at),
            nouns::count(battle.rounds, "round"),
        );
        // If neither side lost morale, the sentence has no cost: the destroyed pieces are listed below.
        if (battle.attacker_lost, battle.defender_lost) == (0, 0) {
            text.push('.');
        } else {
            let (ours, theirs) = (battle.attacker_lost, battle.defender_lost);
            text.push_str(&format!(", at a cost of {ours} morale against {theirs}."));
        }
        let (killed, fell) = (destroyed(battle.turn.side), destroyed(battle.defender));
        match (killed.is_empty(), fell.is_empty()) {
            (true, true) => {}
            (false, true) => text.push_str(&format!(" They destroyed {killed}.")),
            (true, false) => text.push_str(&format!(" They lost {fell}.")),
            (false, false) => text.push_str(&format!(" They destroyed {killed}; they lost {fell}.")),
        }
        text
    }

    /// `The French took Ulm 1507, Munich 1508 and 3 other hexes from the Allies.`
    fn captures(&self, by: Side, cities: &[&Capture], ground: &[&Capture]) -> Option<String> {
        let mut from: Vec<Option<Side>> = cities.iter().chain(ground).map(|capture| capture.from).collect();
        from.sort();
        from.dedup();
        let groups: Vec<String> = from
            .into_iter()
            .map(|from| {
                let whose = |capture: &&&Capture| capture.from == from;
                let mut taken: Vec<String> =
                    cities.iter().filter(whose).map(|capture| self.place(capture.at)).collect();
                let (one, many) =
                    if taken.is_empty() { ("hex", "hexes") } else { ("other hex", "other hexes") };
                let hexes = ground.iter().filter(whose).count();
                taken.extend((hexes > 0).then(|| nouns::counted(hexes, one, many)));
                let from = from.map_or_else(String::new, |side| format!(" from {}", people(side)));
                format!("{}{from}", listed(&taken))
            })
            .collect();
        (!groups.is_empty()).then(|| format!("{} took {}.", sentence(people(by)), groups.join("; ")))
    }

    /// Pieces by name, nation by nation: `Mack 1 and I Cav (Austria) and BAGRATION (Russia)`.
    fn pieces<'a>(&self, lost: impl Iterator<Item = &'a Loss>) -> String {
        let mut nations: BTreeMap<usize, (Nation, Vec<String>)> = BTreeMap::new();
        for loss in lost {
            let spec = self.rules.scenario.unit(loss.unit);
            let place = self.rules.setting.place(spec.nation);
            nations.entry(place).or_insert_with(|| (spec.nation, Vec::new())).1.push(spec.name.clone());
        }
        let groups: Vec<String> = nations
            .values()
            .map(|(nation, names)| format!("{} ({})", listed(names), self.rules.name(*nation)))
            .collect();
        listed(&groups)
    }

    fn place(&self, hex: Hex) -> String {
        self.rules.map.place(hex).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::{opening, rules};
    use super::super::super::model::{Date, Season};
    use super::*;

    /// The map shows which hexes they are, and hexes that were seen to fall are not mentioned again.
    #[test]
    fn what_fell_unseen_round_the_cities_is_told_by_number() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let turn = Turn { date: Date { season: Season::Autumn, year: 1805 }, side: Side::Allied };
        let taken = |hex: &str| Capture { turn, at: hex.parse().unwrap(), from: Some(Side::French) };
        view.record.captures = vec![taken("1407")];
        view.record.ground = vec![taken("1406"), taken("1405"), taken("1506")];
        let told = |view: &View, seen: &str| {
            captures_of(&rules, view, turn, |hex| hex.to_string() == seen).unwrap_or_default()
        };
        let zurich = rules.map.place("1407".parse().unwrap());
        let all = format!("The Allies took {zurich} and 3 other hexes from the French.");
        assert_eq!(told(&view, ""), all);
        assert_eq!(told(&view, "1406"), all.replace('3', "2"));
        view.record.captures.clear();
        assert_eq!(told(&view, ""), "The Allies took 3 hexes from the French.");
        view.record.ground.truncate(1);
        assert_eq!(told(&view, ""), "The Allies took 1 hex from the French.");
        assert_eq!(told(&view, "1406"), "");
    }
}
