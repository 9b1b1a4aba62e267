//! The examples of forms and hints, which are of the shipped map of Europe, in the names of another game.

use std::borrow::Cow;

use crate::data::Lga;
use crate::model::Nation;
use crate::sites::known_build_sites;
use crate::view::View;
use musterd_engine::hex::Hex;
use musterd_report::text::sentence;

/// A name, number or hex of an example, with what stands for it in a game.
pub(crate) type Swap = (&'static str, String);

/// The names and hexes of the examples that a game doesn't have, each with what stands for it.
pub(crate) struct Examples {
    pub(crate) swaps: Vec<Swap>,
}

impl Examples {
    /// The examples for a seat: cities in play near its first unit, a hex of its own, an ally who can be given aid. What is in play on a game's map as
    /// it is on that of Europe stays.
    pub(super) fn of(rules: &Lga, view: &View) -> Self {
        let map = &rules.map;
        let in_play = |hex: &Hex| rules.scenario.in_play(*hex);
        let home =
            view.own.values().next().map(|unit| unit.hex).or_else(|| view.control.keys().next().copied());
        let mut swaps: Vec<Swap> = Vec::new();
        let is_known = |name: &str| map.city(name).is_some_and(|hex| in_play(&hex));
        let mut near: Vec<(Hex, &str)> = map
            .cities()
            .filter(|(hex, _)| in_play(hex))
            .map(|(hex, city)| (hex, city.name.as_str()))
            .collect();
        near.sort_by_key(|(hex, _)| home.map_or(0, |home| home.distance(*hex)));
        // A player marches to where he isn't.
        near.retain(|(hex, _)| Some(*hex) != home);
        let mut others = near.iter();
        let mut goal = None;
        for name in ["Ulm", "Munich"].into_iter().filter(|name| !is_known(name)) {
            if let Some((hex, city)) = others.next() {
                goal = goal.or(Some(*hex));
                swaps.push((name, (*city).to_owned()));
            }
        }
        let sites = view.nations.iter().flat_map(|nation| known_build_sites(rules, view, *nation));
        if !is_known("Vienna")
            && let Some(site) = sites.into_iter().next().or(home)
        {
            let city = map.city_at(site);
            swaps.push(("Vienna", city.map_or_else(|| site.to_string(), |city| city.name.clone())));
        }
        if let Some(goal) =
            goal.or(home).filter(|_| map.city("Ulm") != Some(Hex::new(15, 7)) || !is_known("Ulm"))
        {
            let beside = |hex: Hex, not: Hex| map.neighbours(hex).find(|next| in_play(next) && *next != not);
            let before = beside(goal, goal).unwrap_or(goal);
            let first = beside(before, goal).unwrap_or(before);
            let hexes = [("1507", goal), ("1406", before), ("1405", first), ("1204", home.unwrap_or(goal))];
            swaps.extend(hexes.map(|(hex, other)| (hex, other.to_string())));
        }
        swaps.extend(ally(rules).map(|ally| ("Austria", ally)));
        Self { swaps }
    }

    /// An example in the names of the game.
    pub(crate) fn told<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.told_with(text, &[])
    }

    /// The same, where `first` stands before what is of the game.
    pub(super) fn told_with<'t>(&self, text: &'t str, first: &[Swap]) -> Cow<'t, str> {
        let swaps = || first.iter().chain(&self.swaps);
        if !swaps().any(|(name, _)| text.contains(name)) {
            return Cow::Borrowed(text);
        }
        let mut told = String::with_capacity(text.len());
        let is_mark = |letter: char| !letter.is_alphanumeric();
        for word in text.split_inclusive(is_mark) {
            let bare = word.trim_end_matches(is_mark);
            let other = swaps().find(|(name, _)| *name == bare);
            told.push_str(other.map_or(bare, |(_, other)| other));
            told.push_str(&word[bare.len()..]);
        }
        Cow::Owned(told)
    }
}

/// A nation for an example of aid, as it is written in orders: one that can be given any, else one of the game. `None` if that is Austria.
fn ally(rules: &Lga) -> Option<String> {
    let (scenario, donor) = (&rules.scenario, rules.setting.donor());
    let side = donor.and_then(|donor| scenario.side_of(donor));
    let is_ally =
        |nation: &Nation| Some(*nation) != donor && side.is_none_or(|_| scenario.side_of(*nation) == side);
    let nations = || scenario.nations().map(|(nation, _)| nation);
    let allies: Vec<Nation> = nations().filter(is_ally).collect();
    let ally = allies.first().copied().or_else(|| nations().next())?;
    let is_austria = |nation: &Nation| nation.word() == "austria";
    (!allies.iter().any(is_austria)).then(|| sentence(ally.word()))
}
