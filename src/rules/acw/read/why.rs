//! Why an order can't be given, for players: the reason, and what to write instead.

use musterd_engine::hex::Direction;
use musterd_report::text::listed;

use super::order::written;
use crate::battle::Battle;
use crate::data::Acw;
use crate::law::{self, Refusal};
use crate::model::{BrigadeId, Echelon, Profile, UnitId};
use crate::order::{Act, Command, Order};
use crate::state::Presence;
use crate::view::View;
use crate::words;

/// Units that are told of by name.
const FEW: usize = 3;

/// A few units by name, many by number.
pub(crate) fn names(battle: &Battle, units: &[UnitId]) -> String {
    let few = units.len() <= FEW;
    let told = units.iter().map(|unit| if few { words::unit(battle, *unit) } else { words::number(*unit) });
    listed(&told.collect::<Vec<_>>())
}

/// The reason, of one unit or of several.
pub(super) fn reason(why: &Refusal, many: bool) -> String {
    let of_one = why.to_string();
    if !many {
        return of_one;
    }
    let plural = [
        ("it is ", "they are "),
        ("it belongs ", "they belong "),
        ("it has ", "they have "),
        ("it can't ", "they can't "),
        ("it may ", "they may "),
        ("marches ", "march "),
        (" has no objective", " have no objective"),
        ("leads it", "leads them"),
        ("orders it", "orders them"),
        ("next to it", "next to them"),
        ("with it", "with them"),
        ("between it", "between them"),
        ("its ", "their "),
    ];
    plural.into_iter().fold(of_one, |text, (one, many)| text.replace(one, many))
}

/// What to write instead, for one unit.
pub(super) fn hint(rules: &Acw, view: &View, order: &Order, why: &Refusal) -> Option<String> {
    let battle = rules.battle();
    match (order, why) {
        (Order::Brigade(id, _) | Order::If(id, ..), Refusal::OffMap) => {
            let awaited = view.brigade(*id).presence == Presence::Awaited;
            let comes = words::arrival(battle, battle.brigade(*id).start).filter(|_| awaited)?;
            Some(format!("it comes {comes}"))
        }
        (Order::Brigade(..) | Order::If(..) | Order::Command(..), Refusal::OutOfTouch) => {
            Some("it goes by what its commanders chose, and is tried again at the next turn".to_owned())
        }
        (Order::Brigade(id, _) | Order::If(id, ..), Refusal::Subordinate(_)) => {
            let over = battle.brigade(*id).over;
            let near = format!("ARMY MOVE within {} hexes of it", law::PERSONAL);
            Some(match view.can_command(over) {
                true => format!("COMMAND H{} tells the headquarters over it; or {near}", over.number),
                false => near,
            })
        }
        (Order::Command(id, _), Refusal::SubordinateHq(_)) => {
            let over = battle.hq(*id).over.filter(|over| battle.hq(*over).echelon == Echelon::Corps)?;
            Some(format!("COMMAND H{0} tells the corps; or go to it by ARMY MOVE CORPS H{0}", over.number))
        }
        (Order::Brigade(id, Act::March(Some(_))), Refusal::OfDivision) => {
            Some(format!("COLUMN {}", id.number))
        }
        (Order::Brigade(id, _), Refusal::Independent) => {
            let (to, _) = battle.objectives().next()?;
            Some(format!("such as {}", written(battle, &Order::Brigade(*id, Act::March(Some(to))))))
        }
        (Order::Brigade(id, act), _) => other_acts(rules, view, *id, *act, why),
        (Order::Command(id, Command::Defensive(objective)), Refusal::EnemyGround) => {
            let takes = Order::Command(*id, Command::Offensive { via: None, objective: *objective });
            Some(format!("to take it: {}", written(battle, &takes)))
        }
        (Order::Goal(_), Refusal::EnemyGround) => held(battle, view),
        (Order::Goal(_), Refusal::NoCorps | Refusal::NoCorpsUsed) => {
            Some("write an objective or a hex that your side holds".to_owned())
        }
        (Order::Command(id, _), Refusal::ArmyHq) if view.hq == Some(*id) => {
            Some("ARMY MOVE tells it where to go".to_owned())
        }
        (Order::Profile(Profile::Heroic), Refusal::ChiefLost) => {
            Some("PROFILE BOLD, SENSIBLE or CAUTIOUS".to_owned())
        }
        (Order::Profile(_), _) => Some("PROFILE SENSIBLE or PROFILE CAUTIOUS".to_owned()),
        _ => None,
    }
}

/// What a brigade can be told now.
fn other_acts(rules: &Acw, view: &View, id: BrigadeId, act: Act, why: &Refusal) -> Option<String> {
    if matches!(why, Refusal::Surprised | Refusal::Gone | Refusal::NotYours | Refusal::OffMap) {
        return None;
    }
    let brigade = view.brigade(id);
    if matches!(why, Refusal::OffEdge | Refusal::Impassable) {
        let ways = Direction::ALL.into_iter();
        let open = ways.filter(|way| law::act(rules, (id, brigade), &view.hqs, Act::Deploy(*way)).is_ok());
        let open: Vec<&str> = open.map(Direction::abbreviation).collect();
        return (!open.is_empty()).then(|| format!("it can deploy {}", open.join(", ")));
    }
    let can = possible(rules, view, id);
    let can = can.into_iter().filter(|other| *other != act).map(|act| act.word().to_uppercase());
    let can: Vec<String> = can.collect();
    (!can.is_empty()).then(|| format!("now it can {}", can.join(", ")))
}

/// The orders that a brigade can be given now, each kind once.
pub(crate) fn possible(rules: &Acw, view: &View, id: BrigadeId) -> Vec<Act> {
    let brigade = view.brigade(id);
    let battle = rules.battle();
    let march = battle.objectives().next().map(|(to, _)| to).filter(|_| battle.is_independent(id));
    let ways = Direction::ALL.into_iter().map(Act::Deploy);
    let may = |act: &Act| law::act(rules, (id, brigade), &view.hqs, *act).is_ok();
    let deploy = ways.into_iter().find(may);
    let others = [Act::March(march), Act::Regroup, Act::Stand, Act::Reserve];
    Act::ENGAGED.into_iter().chain(others).filter(may).chain(deploy).collect()
}

/// The objectives that the side holds.
fn held(battle: &Battle, view: &View) -> Option<String> {
    let side = view.side?;
    let own = battle.objectives().filter(|(id, one)| {
        view.holdings[id.place()].holder == side && view.control[battle.map.place(one.hex)] == side
    });
    let own: Vec<&str> = own.map(|(_, one)| one.name.as_str()).collect();
    Some(match own.len() {
        0 => "your side holds no objective: write a hex that it controls".to_owned(),
        _ => format!("your side holds {}", own.join(", ")),
    })
}
