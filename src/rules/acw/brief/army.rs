//! A commander's army in tables: headquarters with their commands, brigades with their state.

use musterd_engine::briefing::{Fact, Part, Table};
use musterd_report::text::sentence;

use crate::data::Acw;
use crate::law;
use crate::model::{BrigadeId, Echelon, HqId, UnitId};
use crate::state::{Brigade, Presence};
use crate::view::View;
use crate::words;

/// What the columns mean.
pub(super) const COLUMNS: &str = "Men, with guns behind the stroke. Co: cohesion, s shattered. Ex, Ld: experience and leadership. Touch: whether it is in communication with its \
     headquarters, and > whether you can order it this turn. On sector maps 7 is your brigade 7, 7c in column, 7! shaken, INF an enemy in line, inf in column, (INF) as last seen.";

/// The brigades by the headquarters over them.
pub(super) fn table(rules: &Acw, view: &View) -> Table {
    let mut table = Table::new(&[">No", "Brigade", ">Men", ">Co", ">Ex", ">Ld", "Where", "Order", "Touch"]);
    let battle = rules.battle();
    for (hq, _) in view.own_hqs() {
        let spec = battle.hq(hq);
        let own: Vec<BrigadeId> = battle.brigades_under(hq).map(|spec| spec.id).collect();
        let shown: Vec<BrigadeId> = own.into_iter().filter(|id| view.brigade(*id).is_fielded()).collect();
        if shown.is_empty() && !(spec.echelon == Echelon::Corps && view.hq(hq).at.is_some()) {
            continue;
        }
        table.group(heading(rules, view, hq));
        for id in shown {
            table.row(row(rules, view, id));
        }
    }
    table
}

/// `H3 1st Division (Daniel Tyler): offensive to Stone Bridge; in touch`.
fn heading(rules: &Acw, view: &View, id: HqId) -> String {
    let battle = rules.battle();
    let (spec, hq) = (battle.hq(id), view.hq(id));
    let who = match hq.leader {
        Some(_) => "a new commander".to_owned(),
        None => spec.commander.clone(),
    };
    let mut text = format!("H{} {} ({who})", id.number, spec.name);
    if spec.echelon != Echelon::Army {
        text = format!("{text}: {}", words::command(battle, hq.command));
        if let Some(next) = hq.pending {
            text = format!("{text}, told {} and not begun", words::command(battle, next));
        }
        text.push_str(if hq.in_touch { "; in touch" } else { "; OUT OF TOUCH" });
        if let Some(turn) = view.heard.get(&UnitId::Hq(id)) {
            text = format!("{text}, {}", words::as_of(battle, *turn));
        }
        if view.can_command(id) {
            text.push('>');
        }
    }
    text
}

fn row(rules: &Acw, view: &View, id: BrigadeId) -> [String; 9] {
    let battle = rules.battle();
    let (spec, one) = (battle.brigade(id), view.brigade(id));
    let men = if one.guns > 0 { format!("{}/{}", one.men, one.guns) } else { one.men.to_string() };
    let cohesion = format!("{}{}", one.cohesion, if one.shattered { "s" } else { "" });
    let place = one.at.map_or_else(String::new, |at| at.to_string());
    let touch = match (view.heard.get(&UnitId::Brigade(id)), one.in_touch) {
        (Some(turn), _) => words::as_of(battle, *turn),
        (None, true) => "yes".to_owned(),
        (None, false) => "NO".to_owned(),
    };
    let touch = if view.can_order(id) { format!("{touch}>") } else { touch };
    [
        id.number.to_string(),
        spec.name.clone(),
        men,
        cohesion,
        spec.experience.to_string(),
        one.leadership.to_string(),
        place,
        state(rules, one),
        touch,
    ]
}

/// Its order and what is to be said of how it stands: `skirmish INF 1204; in woods`.
fn state(rules: &Acw, one: &Brigade) -> String {
    let mut parts = vec![words::act(rules.battle(), one.act)];
    if one.surprised {
        parts = vec!["SURPRISED".to_owned()];
    }
    if let Some(target) = one.target {
        parts.push(format!("at {}", target.at));
    }
    let works = law::works(rules.battle(), one);
    if works > 0 {
        parts.push(format!("works {works}"));
    }
    if one.encamped {
        parts.push("in camp".to_owned());
    }
    parts.join(", ")
}

/// The brigades that are to come and those that are gone.
pub(super) fn absent(rules: &Acw, view: &View) -> Option<Part> {
    let battle = rules.battle();
    let mut facts = Vec::new();
    let mut list = |label: &str, told: Vec<String>| {
        if !told.is_empty() {
            facts.push(Fact::of(label, format!("{}.", told.join(", "))));
        }
    };
    let awaited = |(id, one): (BrigadeId, &Brigade)| {
        let spec = battle.brigade(id);
        let comes = one.presence == Presence::Awaited && spec.start.turn > 0;
        comes.then(|| {
            let hour = battle.hour(spec.start.turn.min(battle.last_turn()));
            (spec.start.turn, format!("{} at {} in {}", spec.name, words::hour(hour), spec.start.at))
        })
    };
    let mut coming: Vec<(u16, String)> = view.own_brigades().filter_map(awaited).collect();
    coming.sort();
    list("To come", coming.into_iter().map(|(_, text)| text).collect());
    let gone = |(id, one): (BrigadeId, &Brigade)| match one.presence {
        Presence::Gone(how) => Some(format!("{} ({})", battle.brigade(id).name, how.words())),
        _ => None,
    };
    list("Gone", view.own_brigades().filter_map(gone).collect());
    (!facts.is_empty()).then_some(Part::Facts { facts })
}

/// Who can be ordered this turn, and who is out of communication.
pub(super) fn reach(rules: &Acw, view: &View) -> Vec<Fact> {
    let battle = rules.battle();
    let name = |unit: &UnitId| words::unit(battle, *unit);
    let list = |units: Vec<String>| match units.len() {
        0 => "nobody".to_owned(),
        _ => units.join(", "),
    };
    let is_army = |unit: &&UnitId| matches!(unit, UnitId::Hq(id) if Some(*id) == view.hq);
    let hqs = view.orderable.iter().filter(|unit| matches!(unit, UnitId::Hq(_)) && !is_army(unit));
    let brigades = view.orderable.iter().filter(|unit| matches!(unit, UnitId::Brigade(_)));
    let mut facts = vec![
        Fact::of("Commands", list(hqs.map(name).collect())),
        Fact::of("Brigades", list(brigades.map(name).collect())),
    ];
    let out = view.own_hqs().filter(|(id, hq)| !id.is_army() && hq.at.is_some() && !hq.in_touch);
    let out: Vec<String> = out.map(|(id, _)| words::hq(battle, id)).collect();
    if !out.is_empty() {
        facts.push(Fact::of("Out of touch", out.join(", ")));
    }
    if let Some(corps) = view.direct {
        let name = sentence(&battle.hq(corps).name);
        facts.push(Fact::of(
            "Direct",
            format!("{name} is under your own orders: you are with its headquarters."),
        ));
    }
    facts
}
