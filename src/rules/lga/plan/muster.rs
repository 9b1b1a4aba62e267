//! Aid, building and rallying on the plan (manual 5.5).

use super::{About, Doubt, Objection, Outlook, Piece, Plan};
use crate::model::{Nation, UnitId};
use crate::needs::{Unrallied, is_aided, rally_price};
use crate::sites::known_build_sites;
use musterd_engine::hex::Hex;
use musterd_text::nouns::count;

impl Plan<'_> {
    /// British points for an ally.
    pub(super) fn aid(&mut self, to: Nation, points: u16) -> Result<Outlook, Objection> {
        let Some(&british) = self.points.get(&Nation::Britain) else {
            return Err(Objection::new(About::Unit, "Britain is not in this scenario: there is no aid."));
        };
        if !self.view.nations.contains(&Nation::Britain) {
            let text = format!("Only {} gives aid.", self.rules.commander(Nation::Britain));
            return Err(Objection::new(About::Unit, text));
        }
        if !is_aided(self.rules, to) {
            return Err(Objection::new(About::Unit, format!("{to} is no ally of Britain in this scenario.")));
        }
        let theirs = self.points(to);
        let points = i32::from(points);
        if points > british {
            return Err(Objection::new(
                About::Goal,
                format!("Britain has only {}.", count(british, "point")),
            ));
        }
        self.points.insert(Nation::Britain, british - points);
        self.points.insert(to, theirs + points);
        let effect =
            self.said(|| format!("Britain has {} left, {to} has {}", british - points, theirs + points));
        Ok(Outlook::new(self.said(|| format!("Britain gives {} to {to}", count(points, "point"))), effect))
    }

    /// A unit out of the pool.
    pub(super) fn build(&mut self, unit: UnitId, at: Option<Hex>) -> Result<Outlook, Objection> {
        let name = self.name(unit);
        if self.rules.scenario().called_away(unit, self.view.date).is_some() {
            let text = format!("{name} has been called away for good: it is not built again.");
            return Err(Objection::new(About::Unit, text));
        }
        let Some(pool) = self.view.pool.iter().find(|p| p.id == unit) else {
            return Err(Objection::new(About::Unit, format!("{name} is not in your build pool.")));
        };
        if self.built.contains(&unit) {
            return Err(Objection::new(About::Unit, format!("{name} is built already in an earlier line.")));
        }
        if pool.from_year > self.view.date.year {
            return Err(Objection::new(
                About::Unit,
                format!("{name} can be built from {} on.", pool.from_year),
            ));
        }
        let sites = known_build_sites(self.rules, self.view, pool.nation);
        let at = match (at, sites.as_slice()) {
            (_, []) => {
                let text = format!(
                    "{} can build nothing: it holds no place to build in that is free of enemies.",
                    pool.nation
                );
                return Err(Objection::new(About::Unit, text));
            }
            (None, [only]) => *only,
            (None, several) => {
                let list: Vec<_> = several.iter().take(4).map(|hex| self.place(*hex)).collect();
                return Err(Objection::new(About::Unit, format!("Build {name} where?"))
                    .hint(format!("AT {}", list.join(", or AT "))));
            }
            (Some(hex), several) if several.contains(&hex) => hex,
            (Some(hex), several) => {
                let list: Vec<_> = several.iter().take(4).map(|hex| self.place(*hex)).collect();
                let text = format!("{} can't build at {}.", pool.nation, self.place(hex));
                return Err(
                    Objection::new(About::Goal, text).hint(format!("it builds at {}", list.join(", ")))
                );
            }
        };
        let order = self.said(|| format!("Build {name}, {}, at {}", pool.kind, self.place(at)));
        let mut outlook = Outlook::new(order, String::new());
        outlook.effect = self.pay(pool.nation, i32::from(pool.cost), &mut outlook.doubts)?;
        let stats = self.rules.stats(pool.kind);
        let modifier = self.rules.scenario().find(unit).map_or(0, |spec| spec.modifier);
        let piece = Piece {
            id: unit,
            nation: pool.nation,
            kind: pool.kind,
            hex: at,
            garrison: false,
            morale: stats.max_morale,
            fatigue: 0,
            left: stats.moves,
            marched: 0,
            stirred: false,
            modifier,
            supplied: true,
            rallied: false,
            worn: false,
            ended: None,
            unsure: None,
        };
        self.pieces.insert(unit, piece);
        self.built.insert(unit);
        Ok(outlook)
    }

    /// Morale up by one.
    pub(super) fn rally(&mut self, unit: UnitId) -> Result<Outlook, Objection> {
        let name = self.name(unit);
        let piece = self.on_map(unit)?.clone();
        let cost = rally_price(self.rules, piece.kind, piece.morale, piece.rallied).map_err(|why| {
            let text = match why {
                Unrallied::Headquarters => format!("{name} is a headquarters: it has no morale to rally."),
                Unrallied::Already => format!("{name} is rallied already: once a season."),
                Unrallied::Full => format!("{name} is at full morale, {}.", piece.morale),
                Unrallied::NoPrice => format!("No price is set to raise morale {}.", piece.morale),
            };
            Objection::new(About::Unit, text)
        })?;
        let to = piece.morale + 1;
        let order = self.said(|| format!("Rally {name} from morale {} to {to}", piece.morale));
        let mut outlook = Outlook::new(order, String::new());
        outlook.effect = self.pay(piece.nation, i32::from(cost), &mut outlook.doubts)?;
        self.pieces.insert(unit, Piece { morale: to, rallied: true, ..piece });
        Ok(outlook)
    }

    /// Takes points, or gives a doubt if an ally may still send some.
    fn pay(&mut self, nation: Nation, cost: i32, doubts: &mut Vec<Doubt>) -> Result<String, Objection> {
        let left = self.points(nation);
        if cost > left {
            let text = format!("It costs {}, and {nation} has {left} left.", count(cost, "point"));
            let (missing, british) = (cost - left, self.aid_expected(nation));
            if missing > british {
                let nor =
                    if british > 0 { format!(" Britain's {british} would not do.") } else { String::new() };
                return Err(Objection::new(About::Unit, text + &nor));
            }
            self.points.insert(Nation::Britain, british - missing);
            let text = format!("{text} It is done only if Britain sends {} first.", count(missing, "point"));
            doubts.push(Doubt::warning(About::Unit, text));
        }
        self.points.insert(nation, (left - cost).max(0));
        Ok(self.said(|| format!("{}; {nation} has {} left", count(cost, "point"), (left - cost).max(0))))
    }

    /// The points that another player may send the nation before it builds (ruling LGA-57): Britain's points, without those that earlier lines count
    /// on.
    fn aid_expected(&self, nation: Nation) -> i32 {
        let may_come = is_aided(self.rules, nation) && !self.view.nations.contains(&Nation::Britain);
        if may_come { self.points(Nation::Britain) } else { 0 }
    }
}
