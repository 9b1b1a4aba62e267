//! Aid, building and rallying on the plan (manual 5.5).

use super::{About, Doubt, Outlook, Piece, Plan};
use crate::model::{Nation, UnitId};
use crate::needs;
use crate::needs::{Siteless, Unaided, Unbuilt, Unrallied, can_build, is_aided, rally_price, site};
use crate::sites::known_build_sites;
use musterd_engine::hex::Hex;
use musterd_text::nouns::count;

impl Plan<'_> {
    /// Points for an ally.
    pub(super) fn aid(&mut self, to: Nation, points: u16) -> Result<Outlook, Doubt> {
        let asked = needs::donor(self.rules, to, points, |nation| self.points(nation));
        let (Ok(donor) | Err(Unaided::NoAlly(donor) | Unaided::TooFew(donor, _))) = asked else {
            return Err(Doubt::objection(About::Unit, "Nobody gives aid in this setting."));
        };
        let (giver, taker) = (self.rules.name(donor), self.rules.name(to));
        let objection = |text: String| Err(Doubt::objection(About::Unit, text));
        if self.points.get(&donor).is_none() {
            return objection(format!("{giver} is not in this scenario: there is no aid."));
        }
        if !self.view.commands(donor) {
            return objection(format!("Only {} gives aid.", self.rules.commander(donor)));
        }
        match asked {
            Ok(_) => {}
            Err(Unaided::TooFew(_, purse)) => {
                let text = format!("{giver} has only {}.", count(purse, "point"));
                return Err(Doubt::objection(About::Goal, text));
            }
            Err(Unaided::NoAlly(_) | Unaided::NoDonor) => {
                return objection(format!("{taker} is no ally of {giver} in this scenario."));
            }
        }
        let points = i32::from(points);
        let (left, theirs) = (self.points(donor) - points, self.points(to) + points);
        self.points.insert(donor, left);
        self.points.insert(to, theirs);
        let effect = self.said(|| format!("{giver} has {left} left, {taker} has {theirs}"));
        let order = self.said(|| format!("{giver} gives {} to {taker}", count(points, "point")));
        Ok(Outlook { effect, ..Outlook::of(order) })
    }

    /// A unit out of the pool.
    pub(super) fn build(&mut self, unit: UnitId, at: Option<Hex>) -> Result<Outlook, Doubt> {
        let name = self.name(unit);
        let buildable = can_build(self.rules, unit, self.view.date);
        if buildable == Err(Unbuilt::CalledAway) {
            let text = format!("{name} has been called away for good: it is not built again.");
            return Err(Doubt::objection(About::Unit, text));
        }
        let Some(pool) = self.view.pool.iter().find(|p| p.id == unit) else {
            return Err(Doubt::objection(About::Unit, format!("{name} is not in your build pool.")));
        };
        if self.built.contains(&unit) {
            return Err(Doubt::objection(
                About::Unit,
                format!("{name} is built already in an earlier line."),
            ));
        }
        if let Err(Unbuilt::Before(year)) = buildable {
            return Err(Doubt::objection(About::Unit, format!("{name} can be built from {year} on.")));
        }
        let sites = known_build_sites(self.rules, self.view, pool.nation);
        let at = site(&sites, at).map_err(|why| {
            let nation = self.rules.name(pool.nation);
            let list: Vec<_> = sites.iter().take(4).map(|hex| self.place(*hex)).collect();
            match why {
                Siteless::Nowhere => Doubt::objection(
                    About::Unit,
                    format!(
                        "{nation} can build nothing: it holds no place to build in that is free of enemies."
                    ),
                ),
                Siteless::Unnamed => Doubt::objection(About::Unit, format!("Build {name} where?"))
                    .hint(format!("AT {}", list.join(", or AT "))),
                Siteless::Elsewhere(hex) => {
                    Doubt::objection(About::Goal, format!("{nation} can't build at {}.", self.place(hex)))
                        .hint(format!("it builds at {}", list.join(", ")))
                }
            }
        })?;
        let order = self.said(|| format!("Build {name}, {}, at {}", pool.kind, self.place(at)));
        let mut outlook = Outlook::of(order);
        outlook.effect = self.pay(pool.nation, i32::from(pool.cost), &mut outlook.doubts)?;
        let stats = self.rules.stats(pool.kind);
        let modifier = self.rules.scenario.find(unit).map_or(0, |spec| spec.modifier);
        let fresh = Piece::fresh(unit, pool.nation, pool.kind, at, (stats.max_morale, stats.moves));
        let piece = Piece { modifier, ..fresh };
        self.pieces.insert(unit, piece);
        self.built.insert(unit);
        Ok(outlook)
    }

    /// Morale up by one.
    pub(super) fn rally(&mut self, unit: UnitId) -> Result<Outlook, Doubt> {
        let name = self.name(unit);
        let piece = self.on_map(unit)?.clone();
        let cost = rally_price(self.rules, piece.kind, piece.morale, piece.rallied).map_err(|why| {
            let text = match why {
                Unrallied::Headquarters => format!("{name} is a headquarters: it has no morale to rally."),
                Unrallied::Already => format!("{name} is rallied already: once a season."),
                Unrallied::Full => format!("{name} is at full morale, {}.", piece.morale),
                Unrallied::NoPrice => format!("No price is set to raise morale {}.", piece.morale),
            };
            Doubt::objection(About::Unit, text)
        })?;
        let to = piece.morale + 1;
        let order = self.said(|| format!("Rally {name} from morale {} to {to}", piece.morale));
        let mut outlook = Outlook::of(order);
        outlook.effect = self.pay(piece.nation, i32::from(cost), &mut outlook.doubts)?;
        self.pieces.insert(unit, Piece { morale: to, rallied: true, ..piece });
        Ok(outlook)
    }

    /// Takes points, or gives a doubt if an ally may still send some.
    fn pay(&mut self, nation: Nation, cost: i32, doubts: &mut Vec<Doubt>) -> Result<String, Doubt> {
        let left = self.points(nation);
        let payer = self.rules.name(nation);
        if cost > left {
            let text = format!("It costs {}, and {payer} has {left} left.", count(cost, "point"));
            let missing = cost - left;
            let Some((donor, aid)) = self.aid_expected(nation) else {
                return Err(Doubt::objection(About::Unit, text));
            };
            let giver = self.rules.name(donor);
            if missing > aid {
                let nor = if aid > 0 { format!(" {giver}'s {aid} would not do.") } else { String::new() };
                return Err(Doubt::objection(About::Unit, text + &nor));
            }
            self.points.insert(donor, aid - missing);
            let text = format!("{text} It is done only if {giver} sends {} first.", count(missing, "point"));
            doubts.push(Doubt::warning(About::Unit, text));
        }
        self.points.insert(nation, (left - cost).max(0));
        Ok(self.said(|| format!("{}; {payer} has {} left", count(cost, "point"), (left - cost).max(0))))
    }

    /// The nation whose player may send points before this one builds, and how many (ruling LGA-57): its points, without those that earlier lines
    /// count on.
    fn aid_expected(&self, nation: Nation) -> Option<(Nation, i32)> {
        let may_come =
            |donor: &Nation| is_aided(self.rules, *donor, nation) && !self.view.nations.contains(donor);
        let donor = self.rules.setting.donor().filter(may_come)?;
        Some((donor, self.points(donor)))
    }
}
