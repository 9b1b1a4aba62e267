//! "What happened": the sights since the last report as numbered sentences, under a heading for each player turn, with every roll's die, modifiers
//! and result. Stretches of marching are told together, musters as a table.

use super::super::data::Lga;
use super::super::model::UnitId;
use super::super::record::Turn;
use super::super::sight::{FogLoss, Named, Sight};
use super::super::sites::{could_garrison, is_safe};
use super::super::view::View;
use super::march::{Details, in_words};
use super::story;
use super::sums::{arithmetic, morale, name};
use musterd_engine::briefing::{Part, Table};
use musterd_engine::hex::Hex;
use musterd_kit::tell::Account;
use musterd_text::nouns;

/// The section's parts.
pub(super) fn parts(rules: &Lga, view: &View, sights: &[Sight]) -> Vec<Part> {
    let mut parts = Vec::new();
    let begins = |sight: &Sight| matches!(sight, Sight::TurnBegan { .. });
    let first = sights.iter().position(begins).unwrap_or(sights.len());
    let (ended, begun) = sights.split_at(first);
    let mut told = |turn: Turn, sights: &[Sight], is_over: bool| {
        parts.push(Part::Heading { text: format!("{} turn, {}", turn.side, turn.date) });
        let before = parts.len();
        tell(rules, view, Some(turn), sights, &mut parts);
        if parts.len() == before {
            let text = match is_over && turn.side == view.side {
                true => "No unit of yours did anything.",
                false => "Nothing that you could see.",
            };
            parts.push(Part::Text { text: text.to_owned() });
        }
    };
    if !ended.is_empty() || begun.first().is_some_and(|began| !is_first_turn(rules, began)) {
        told(turn_before(rules, view, begun.first()), ended, true);
    }
    let mut turns = begun.chunk_by(|_, next| !begins(next)).peekable();
    while let Some(turn) = turns.next() {
        if let Some(Sight::TurnBegan { date, side }) = turn.first() {
            told(Turn { date: *date, side: *side }, &turn[1..], turns.peek().is_some());
        }
    }
    if parts.is_empty() {
        parts.push(Part::Text { text: "Nothing that you could see.".to_owned() });
    }
    parts.extend(lost_sight_of(rules, view).map(|text| Part::Text { text }));
    parts
}

/// `No longer seen at Geneva 1207: Mack 1 (Austrian militia) on top of 3 pieces; at ...`.
fn lost_sight_of(rules: &Lga, view: &View) -> Option<String> {
    let mut lost: Vec<_> = view.remembered.iter().filter(|(_, seen)| seen.lost).collect();
    lost.sort_by_key(|(_, seen)| seen.at);
    let each = lost.into_iter().map(|(id, seen)| {
        let spec = rules.scenario.unit(*id);
        let below = match seen.glimpse.pieces.unwrap_or_default() {
            0 | 1 => String::new(),
            pieces => format!(" on top of {pieces}"),
        };
        let (place, kind) = (rules.map.place(seen.at), spec.kind);
        format!("at {place}: {} ({} {kind}){below}", spec.name, rules.adjective(spec.nation))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| format!("No longer seen {}.", each.join("; ")))
}

/// The results of a seat's own orders, if its side is shared; `None` if there is nothing to tell.
pub(super) fn outcome(rules: &Lga, view: &View, sights: &[Sight]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    tell(rules, view, None, sights, &mut parts);
    (!parts.is_empty()).then_some(parts)
}

/// Whether the turn that begins here is the first of the campaign.
fn is_first_turn(rules: &Lga, began: &Sight) -> bool {
    let scenario = &rules.scenario;
    let first = scenario.sides.first().map(|spec| spec.side);
    matches!(began, Sight::TurnBegan { date, side } if *date == scenario.start && Some(*side) == first)
}

/// The player turn before the one that began: sights say only when a turn begins.
fn turn_before(rules: &Lga, view: &View, began: Option<&Sight>) -> Turn {
    let sides = &rules.scenario.sides;
    let last = sides.last().map_or(view.side, |spec| spec.side);
    let Some(Sight::TurnBegan { date, side }) = began else { return Turn { date: view.date, side: last } };
    match sides.iter().position(|spec| spec.side == *side) {
        Some(place) if place > 0 => Turn { date: *date, side: sides[place - 1].side },
        _ => Turn { date: date.before(), side: last },
    }
}

/// The sights of a player turn, and the hexes that changed hands in it unseen. Without a `turn`, the sights alone.
fn tell(rules: &Lga, view: &View, turn: Option<Turn>, sights: &[Sight], parts: &mut Vec<Part>) {
    let account = Account::new(|march| in_words(rules, view, march));
    let muster = Table::new(&["Muster of", "at", ">die", "modifiers", ">sum", "result"]);
    let mut story = Story { rules, view, account, muster, occasion: None };
    for sight in sights {
        story.hear(sight);
    }
    let seen = |hex: Hex| {
        sights.iter().any(|sight| matches!(sight, Sight::Moved { to, captured: true, .. } if *to == hex))
    };
    if let Some(taken) = turn.and_then(|turn| story::captures_of(rules, view, turn, seen)) {
        story.account.tell(taken, Vec::new());
    }
    parts.extend(story.account.part(true));
    if !story.muster.rows.is_empty() {
        parts.push(Part::Table(story.muster));
    }
}

/// The account of one turn.
struct Story<'a> {
    rules: &'a Lga,
    view: &'a View,
    account: Account<'a, Named, Details>,
    muster: Table,
    /// The last action of the phasing side, as far as it was seen: standing orders react to it.
    occasion: Option<LastDeed>,
}

/// An attack, or the entering of a hex.
struct LastDeed {
    at: Hex,
    /// `III Davout (3) attacked`.
    deed: String,
}

impl Story<'_> {
    fn hear(&mut self, sight: &Sight) {
        let (rules, view) = (self.rules, self.view);
        let place = |hex: &Hex| rules.map.place(*hex);
        let named = |unit: &Named| name(rules, view, unit);
        match sight {
            Sight::TurnBegan { .. } => {}
            Sight::Moved { unit, own, from, to, captured } => self.moved(unit, *own, (*from, *to), *captured),
            Sight::Fogged { unit, at, die, loss } => {
                let lost = match loss {
                    FogLoss::All => "all its remaining moves",
                    FogLoss::One => "one move",
                };
                self.note(unit, format!("fog of war at {}: {die} of 100, lost {lost}", place(at)));
            }
            Sight::LongMarch { unit, at: _, check, gained } => {
                let tired = if *gained == 0 { "not tired".to_owned() } else { format!("fatigue +{gained}") };
                self.note(unit, format!("long march: {}: {tired}", arithmetic(check)));
            }
            Sight::Garrisoned { unit, at } => self.note(unit, format!("now the garrison of {}", place(at))),
            Sight::Attacked { attacker, from, defender, at, garrison, check, result } => {
                let hold = if *garrison { "the garrison " } else { "" };
                let text = format!(
                    "{} attacked {hold}{} at {} from {}.",
                    named(attacker),
                    named(defender),
                    place(at),
                    place(from)
                );
                self.occasion = Some(LastDeed { at: *at, deed: format!("{} attacked", named(attacker)) });
                let fate = |unit: &Named, loss: i8, destroyed: bool| match (loss, destroyed) {
                    (_, true) => Some(format!("{} was destroyed", unit.name)),
                    (0, false) => None,
                    (loss, false) => Some(format!("{} lost {}", unit.name, morale(loss))),
                };
                let fates: Vec<String> = [
                    fate(attacker, result.attacker_loss, result.attacker_destroyed),
                    fate(defender, result.defender_loss, result.defender_destroyed),
                ]
                .into_iter()
                .flatten()
                .collect();
                let outcome =
                    if fates.is_empty() { "nobody lost anything".to_owned() } else { fates.join(", ") };
                let round = format!("{}: {outcome}", arithmetic(check));
                // Further rounds of the same pair stand under the first.
                self.account.tell_again(text, round);
            }
            Sight::Mustered { unit, at, check, loss, morale, destroyed } => {
                let result = match (loss, destroyed) {
                    (_, true) => "destroyed".to_owned(),
                    (0, false) => "steady".to_owned(),
                    (loss, false) => format!("-{loss}, morale {morale}"),
                };
                let modifiers: Vec<String> =
                    check.modifiers.iter().map(|m| format!("{} {:+}", m.why, m.by)).collect();
                let cells = [
                    named(unit),
                    place(at).into_owned(),
                    check.die.to_string(),
                    modifiers.join(", "),
                    check.total.to_string(),
                    result,
                ];
                self.muster.row(cells);
            }
            other => self.plain(other),
        }
    }

    /// Sights that need a sentence, and perhaps a roll, but no memory of earlier sights.
    fn plain(&mut self, sight: &Sight) {
        let (rules, view) = (self.rules, self.view);
        let place = |hex: &Hex| rules.map.place(*hex);
        let named = |unit: &Named| name(rules, view, unit);
        let mut roll = None;
        let text = match sight {
            Sight::Counted { side, points, level } => {
                format!("The {side} side counted {points} victory points: {level}.")
            }
            Sight::Allocated { nation, cities, saved, now } => format!(
                "{} was allotted {cities} military points for cities and {saved} for those unspent: now {now}.",
                rules.name(*nation)
            ),
            Sight::OutOfSupply { unit, at } => format!(
                "{} at {} is out of supply: no move and no attack this season{}.",
                named(unit),
                place(at),
                self.without_supply(unit.id, *at)
            ),
            Sight::Aided { to, points } => {
                let giver = rules.setting.donor().map_or("An ally", |donor| rules.name(donor));
                format!("{giver} gave {} {points} military points.", rules.name(*to))
            }
            Sight::Built { unit, at, cost } => {
                format!("{} was built at {} for {cost} points.", named(unit), place(at))
            }
            Sight::Rallied { unit, morale, cost } => {
                format!("{} was rallied to morale {morale} for {cost} points.", named(unit))
            }
            Sight::Topped { unit, at, because } => {
                let upon = self.upon(*at);
                format!("{} went on top of the stack at {}{upon}{}.", named(unit), place(at), why(because))
            }
            Sight::Reinforced { unit, own: _, from, to, check, arrived, because } => {
                let deed = if *arrived { "reinforced" } else { "failed to reinforce" };
                roll = check.as_ref().map(|check| {
                    format!("{}: {}", arithmetic(check), if *arrived { "arrived" } else { "did not come" })
                });
                let upon = self.upon(*to);
                format!("{} {deed} {} from {}{upon}{}.", named(unit), place(to), place(from), why(because))
            }
            Sight::Withdrew { unit, own: _, from, to, check, loss, destroyed, because } => {
                let end = |check| format!("{}: {}", arithmetic(check), how_withdrawn(*loss, *destroyed));
                roll = check.as_ref().map(end);
                let upon = self.upon(*from);
                format!(
                    "{} withdrew from {} to {}{upon}{}.",
                    named(unit),
                    place(from),
                    place(to),
                    why(because)
                )
            }
            Sight::NotDone { line, order, reason } => {
                let line = if *line > 0 { format!(", line {line}") } else { String::new() };
                format!("Not done{line}: {order}: {}.", reason.trim_end_matches('.'))
            }
            Sight::Starved { unit, at } => {
                format!("{} at {} was lost for want of supply.", named(unit), place(at))
            }
            Sight::Besieged { unit, at, die, loss, destroyed } => {
                let end = if *destroyed { "destroyed".to_owned() } else { format!("lost {}", morale(*loss)) };
                roll = Some(format!("die {die}: {end}"));
                format!("The garrison {} of {} stood a siege.", named(unit), place(at))
            }
            Sight::Special { text } => text.clone(),
            Sight::StandingFiled { count } => match count {
                0 => "Your standing orders were cleared.".to_owned(),
                count => format!("Your standing orders were filed: {}.", nouns::count(*count, "line")),
            },
            Sight::Ended { .. } => "The campaign is over.".to_owned(),
            Sight::TurnBegan { .. }
            | Sight::Moved { .. }
            | Sight::Fogged { .. }
            | Sight::LongMarch { .. }
            | Sight::Garrisoned { .. }
            | Sight::Attacked { .. }
            | Sight::Mustered { .. } => return,
        };
        self.account.tell(text, roll.into_iter().collect());
    }

    /// The effect of being out of supply at the end of the season, in the present position (manual 5.7, rulings LGA-35 and LGA-55).
    fn without_supply(&self, unit: UnitId, at: Hex) -> &'static str {
        let map = &self.rules.map;
        let Some(unit) = self.view.own.get(&unit).filter(|unit| unit.hex == at) else { return "" };
        if is_safe(map, at) {
            ", but in a capital it is not lost for it"
        } else if unit.garrison {
            ", and at its end it stands a siege unless supply is restored"
        } else if could_garrison(map, self.view, unit) {
            ", and lost at its end unless supply is restored, or it becomes the garrison and stands a siege"
        } else {
            ", and lost at its end unless supply is restored"
        }
    }

    fn moved(&mut self, unit: &Named, own: bool, (from, to): (Hex, Hex), captured: bool) {
        // The steps between two stretches of an enemy's march were not seen, so they are not told as one march (ruling LGA-71).
        let march = self.account.step(unit, from, to);
        march.details.seen = !own;
        march.details.captured.extend(captured.then_some(to));
        let deed = format!("{} entered", name(self.rules, self.view, unit));
        self.occasion = Some(LastDeed { at: to, deed });
    }

    /// The action that a standing order reacted to: ` when III Davout (3) attacked`, if it happened at `here`; else ` after …` with the place.
    fn upon(&self, here: Hex) -> String {
        match &self.occasion {
            Some(LastDeed { at, deed }) if *at == here => format!(" when {deed}"),
            Some(LastDeed { at, deed }) => format!(" after {deed} {}", self.rules.map.place(*at)),
            None => String::new(),
        }
    }

    fn note(&mut self, unit: &Named, note: String) {
        self.account.march(unit).details.notes.push(note);
    }
}

/// How a withdrawal went.
fn how_withdrawn(loss: i8, destroyed: bool) -> String {
    match (loss, destroyed) {
        (_, true) => "routed and destroyed".to_owned(),
        (0, false) => "in good order".to_owned(),
        (loss, false) => format!("lost {}", morale(loss)),
    }
}

/// The standing order behind a reaction, in brackets.
fn why(because: &str) -> String {
    if because.is_empty() { String::new() } else { format!(" (standing order: {because})") }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::{opening, position, rules};
    use super::super::super::model::Side;
    use super::super::super::model::{Date, Season};
    use super::super::super::record::Capture;
    use super::*;

    fn unit(rules: &Lga, id: u16) -> Named {
        let spec = rules.scenario.unit(UnitId(id));
        Named { id: spec.id, name: spec.name.clone(), nation: spec.nation, kind: spec.kind }
    }

    fn sentences(rules: &Lga, view: &View, sights: &[Sight]) -> Vec<String> {
        let Some(parts) = outcome(rules, view, sights) else { return Vec::new() };
        let [Part::Items { items, .. }] = parts.as_slice() else { panic!("{parts:?}") };
        items.iter().flat_map(|item| [&item.text].into_iter().chain(&item.details).cloned()).collect()
    }

    #[test]
    fn a_march_seen_unseen_and_seen_again_is_no_one_way() {
        let rules = rules("austrian-1805");
        let view = opening(&rules, Side::Allied);
        let step = |from: &str, to: &str| Sight::Moved {
            unit: unit(&rules, 3),
            own: false,
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            captured: false,
        };
        let steps = [step("1305", "1406"), step("1406", "1407"), step("1508", "1608"), step("1608", "1609")];
        let told = sentences(&rules, &view, &steps);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[1].contains("from 1305 by 1406 to Zurich 1407"), "{told:?}");
        assert!(told[2].contains("from Munich 1508 by 1608 to 1609"), "{told:?}");
    }

    #[test]
    fn what_the_want_of_supply_comes_to_hangs_on_who_stands_where() {
        let rules = rules("austrian-1805");
        let given = "{date: {season: summer, year: 1805}, phasing: french, units: {
            3: {at: '1810', cut_off: true, garrison: true}, 4: {at: '1810', cut_off: true},
            5: {at: '1809', cut_off: true}, 6: {at: '1807', cut_off: true}, 12: {at: '1807', cut_off: true},
            7: {at: '1608', cut_off: true}, 8: {at: '1708', cut_off: true}}}";
        let view = position(&rules, Side::French, given);
        let end = |id: u16| {
            let at = view.own[&UnitId(id)].hex;
            let told = sentences(&rules, &view, &[Sight::OutOfSupply { unit: unit(&rules, id), at }]);
            told[0].split_once("this season").unwrap().1.to_owned()
        };
        assert_eq!(end(3), ", and at its end it stands a siege unless supply is restored.");
        assert_eq!(end(4), ", and lost at its end unless supply is restored.", "beside the garrison");
        assert_eq!(end(5), ", but in a capital it is not lost for it.");
        let saved =
            ", and lost at its end unless supply is restored, or it becomes the garrison and stands a siege.";
        assert_eq!(end(6), saved);
        assert_eq!(end(12), ", and lost at its end unless supply is restored.", "cavalry holds no city");
    }

    #[test]
    fn an_enemy_was_seen_marching_and_an_own_unit_marched() {
        let rules = rules("spanish-1808");
        let view = opening(&rules, Side::Allied);
        let moved = |id: u16, from: &str, to: &str| Sight::Moved {
            unit: unit(&rules, id),
            own: view.own.contains_key(&UnitId(id)),
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            captured: false,
        };
        let garrisoned = Sight::Garrisoned { unit: unit(&rules, 19), at: "0710".parse().unwrap() };
        let sights = [
            moved(10, "0808", "0809"),
            moved(10, "0809", "0909"),
            moved(16, "0508", "0608"),
            moved(25, "0106", "0205"),
            garrisoned,
        ];
        let told = sentences(&rules, &view, &sights);
        let place = |hex: &str| rules.map.place(hex.parse().unwrap()).into_owned();
        let name = |id: u16| &rules.scenario.unit(UnitId(id)).name;
        assert_eq!(
            told,
            [
                "Marches:".to_owned(),
                format!(
                    "{} (French cavalry) was seen marching from {} by 0809 to {}.",
                    name(10),
                    place("0808"),
                    place("0909")
                ),
                format!("{} (16) marched from {} to {}.", name(16), place("0508"), place("0608")),
                format!("{} (25) sailed from {} to {}.", name(25), place("0106"), place("0205")),
                format!("{} (19): now the garrison of {}.", name(19), place("0710")),
            ]
        );
    }

    #[test]
    fn cities_that_fell_unseen_are_told_of_under_the_turn_in_which_they_fell() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let autumn = Date { season: Season::Autumn, year: 1805 };
        let (zurich, strasbourg) = ("1407".parse().unwrap(), "1306".parse().unwrap());
        for at in [zurich, strasbourg] {
            let turn = Turn { date: autumn, side: Side::Allied };
            view.record.captures.push(Capture { turn, at, from: Some(Side::French) });
        }
        let winter = Date { season: Season::Winter, year: 1805 };
        let began = Sight::TurnBegan { date: winter, side: Side::French };
        let told = format!("{:?}", parts(&rules, &view, std::slice::from_ref(&began)));
        let both = format!(
            "The Allies took {} and {} from the French.",
            rules.map.place(zurich),
            rules.map.place(strasbourg)
        );
        assert!(told.contains("Allied turn, Autumn 1805") && told.contains(&both), "{told}");
        assert_eq!(told.matches("Nothing that you could see").count(), 1, "of the turn that begins: {told}");
        let over = Sight::TurnBegan { date: winter, side: Side::Allied };
        let told = format!("{:?}", parts(&rules, &view, &[began, over]));
        assert!(
            told.contains("No unit of yours did anything."),
            "of one's own turn, once it is over: {told}"
        );

        let (date, side) = (rules.scenario.start, rules.scenario.sides[0].side);
        let first = format!("{:?}", parts(&rules, &view, &[Sight::TurnBegan { date, side }]));
        assert_eq!(first.matches("Heading").count(), 1, "nothing was before the first turn: {first}");
    }
}
