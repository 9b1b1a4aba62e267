//! Attacks on the plan, and the odds as far as one side knows them (manual 5.64).

use super::{About, Doubt, Objection, Outlook, Piece, Plan};
use crate::hex::Hex;
use crate::rules::lga::data::Lga;
use crate::rules::lga::map::Area;
use crate::rules::lga::model::{Terrain, UnitId, UnitType};
use crate::rules::lga::order::Limit;
use crate::rules::lga::sight::Modifier;

/// The modifiers of a round of combat that the attacker knows: his own, and the ground's. The enemy's morale, fatigue and
/// headquarters he doesn't know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Odds {
    /// Each with its reason, positive for the attacker.
    pub modifiers: Vec<Modifier>,
}

impl Odds {
    /// What they come to: `WHILE ODDS >= n` asks for this.
    #[must_use]
    pub fn sum(&self) -> i8 {
        self.modifiers.iter().map(|m| m.by).sum()
    }

    /// `morale +3, HQ +2, across a river -1`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let words: Vec<_> = self.modifiers.iter().map(|m| format!("{} {:+}", m.why, m.by)).collect();
        words.join(", ")
    }
}

/// The morale that an unhurt unit of a type has, and that a careful attacker reckons with.
#[must_use]
pub fn likely_morale(rules: &Lga, kind: UnitType) -> i8 {
    rules.stats(kind).max_morale
}

impl Plan<'_> {
    /// An attack: nothing is said of how it ends.
    pub(super) fn attack(
        &mut self,
        unit: UnitId,
        at: Hex,
        limit: &Limit,
        enter: bool,
    ) -> Result<Outlook, Objection> {
        let piece = self.free(unit)?;
        let name = || self.name(unit);
        if piece.kind == UnitType::Hq {
            return Err(Objection::new(
                About::Unit,
                format!("{} is a headquarters: it can't attack.", name()),
            ));
        }
        self.able(&piece)?;
        if piece.morale < 1 {
            let text = format!("{} is demoralised: it can't attack until it is rallied.", name());
            return Err(Objection::new(About::Unit, text).hint(format!("RALLY {unit}")));
        }
        if let Some(why) = self.known.closed(piece.traveller(), at) {
            return Err(Objection::new(About::Goal, format!("{} is closed: {why}.", self.place(at))));
        }
        let mut doubts = Vec::new();
        if !self.rules.map().neighbours(piece.hex).any(|hex| hex == at) {
            let text = format!(
                "{} will be at {}, which is not next to {}.",
                name(),
                self.place(piece.hex),
                self.place(at)
            );
            doubts.push(Self::unless_doubtful(&piece, Objection::new(About::Goal, text))?);
        }
        // Ruling LGA-30.
        let at_sea = self.rules.map().area(piece.hex).is_some_and(|area: &Area| area.terrain == Terrain::Sea);
        if at_sea && self.view.own.get(&unit).is_none_or(|own| own.hex != piece.hex) {
            let text = format!("{} attacks from the sea only where it lay when the season began.", name());
            doubts.push(Self::unless_doubtful(&piece, Objection::new(About::Unit, text))?);
        }
        if piece.left == 0 {
            let text = format!("{} has no move left, and an attack needs one in hand.", name());
            doubts.push(Self::unless_doubtful(&piece, Objection::new(About::Unit, text))?);
        }
        let order = self.said(|| {
            let (at, from) = (self.place(at), self.place(piece.hex));
            format!("Attack {at} with {} from {from}{}", name(), in_words(limit, enter))
        });
        let odds = self.odds(&piece, at);
        let effect = match self.view.enemies.get(&at) {
            Some(enemy) => {
                let morale = likely_morale(self.rules, enemy.kind);
                let net = i32::from(odds.sum()) - i32::from(morale);
                if net <= -2 {
                    let text =
                        format!("Poor odds: {net:+} on the die if {} there has full morale.", enemy.kind);
                    doubts.push(Doubt::warning(About::Goal, text));
                }
                self.said(|| {
                    let (sum, why) = (odds.sum(), odds.in_words());
                    let chances = chances(net);
                    format!(
                        "odds {sum:+} ({why}); against full morale {morale}: {net:+} on the die, {chances}"
                    )
                })
            }
            None => {
                let text =
                    format!("No enemy is seen at {}: unless one comes there is no attack.", self.place(at));
                doubts.push(Doubt::warning(About::Goal, text));
                self.said(|| format!("odds {:+} ({})", odds.sum(), odds.in_words()))
            }
        };
        let mut after = piece.clone();
        if self.known.held(at) {
            after.fatigue = piece.fatigue.saturating_add(1);
        } else if enter {
            let toll = self.known.toll(piece.traveller(), piece.hex, at, None);
            if let Some(left) = toll.and_then(|toll| toll.paid_from(piece.left)) {
                after = Piece { hex: at, garrison: false, left, ..after };
            }
        }
        after.doubtful |= enter;
        self.pieces.insert(unit, after);
        Ok(Outlook { order, effect, doubts })
    }

    /// What the seat knows of the odds of an attack by a unit on a hex next to it.
    #[must_use]
    pub fn odds(&self, piece: &Piece, at: Hex) -> Odds {
        let table = &self.rules.numbers().combat;
        let map = self.rules.map();
        let terrain = |hex| map.area(hex).map_or(Terrain::Prohibited, |area: &Area| area.terrain);
        let (from_ground, ground) = (terrain(piece.hex), terrain(at));
        let cavalry = piece.kind == UnitType::Cavalry;
        let enemy_cavalry = self.view.enemies.get(&at).is_some_and(|e| e.kind == UnitType::Cavalry);
        // Ruling LGA-18: the best headquarters of the side in the area counts.
        let hq = self.pieces.values().filter(|p| p.hex == piece.hex).map(|p| p.modifier).max().unwrap_or(0);
        let fatigue = i8::try_from(piece.fatigue).unwrap_or(i8::MAX);
        let lines = [
            ("morale", piece.morale),
            ("fatigue", -fatigue),
            ("HQ", hq),
            ("across a river", if map.river(piece.hex, at) { table.river } else { 0 }),
            ("from the sea", if from_ground == Terrain::Sea { table.from_sea } else { 0 }),
            (
                "cavalry into forest",
                if cavalry && ground == Terrain::Forest { table.cavalry_into_forest } else { 0 },
            ),
            (
                "cavalry held in forest",
                if enemy_cavalry && ground == Terrain::Forest { table.cavalry_holding_forest } else { 0 },
            ),
            ("into mountains", if ground == Terrain::Mountain { table.into_mountain } else { 0 }),
            ("into marsh", if ground == Terrain::Marsh { table.into_marsh } else { 0 }),
            ("out of marsh", if from_ground == Terrain::Marsh { table.out_of_marsh } else { 0 }),
        ];
        let modifiers = lines
            .into_iter()
            .filter(|(why, by)| *by != 0 || *why == "morale")
            .map(|(why, by)| Modifier { why: why.to_owned(), by })
            .collect();
        Odds { modifiers }
    }
}

/// How often of six a round goes well and badly with this much added to the die (the combat results table).
fn chances(net: i32) -> String {
    let of_six = |outcome: fn(i32) -> bool| (1..=6).filter(|die| outcome(*die + net)).count();
    let (wins, losses) = (of_six(|total| total >= 5), of_six(|total| total <= 3));
    format!("in {wins} of 6 only the enemy is hurt, in {losses} of 6 only we are")
}

fn in_words(limit: &Limit, enter: bool) -> String {
    let mut text = match limit.rounds {
        1 => ", one round".to_owned(),
        Limit::MOST_ROUNDS => ", until nobody is left".to_owned(),
        rounds => format!(", up to {rounds} rounds"),
    };
    if let Some(morale) = limit.while_morale {
        text.push_str(&format!(", while its morale is {morale} or better"));
    }
    if let Some(odds) = limit.while_odds {
        text.push_str(&format!(", while the odds are {odds:+} or better"));
    }
    if enter {
        text.push_str(", then enter");
    }
    text
}
