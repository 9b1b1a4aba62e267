//! What orders are expected to come to, and what of it is doubtful.

use super::*;
use crate::data::shipped;
use crate::fixture::{nation, position};
use crate::memory::{Glimpse, LastSeen};
use crate::recap::read_back;
use crate::record::Turn;
use musterd_dice::Seat;
use musterd_engine::Ruleset;

#[test]
fn a_way_too_long_is_carried_out_as_far_as_it_goes() {
    let reading = reading("MOVE 3 TO Vienna");
    let [warning] = reading.remarks.as_slice() else { panic!("{:?}", reading.remarks) };
    assert_eq!(warning.weight, Weight::Warning);
    assert!(warning.text.starts_with("It gets to "), "{}", warning.text);
}

#[test]
fn a_way_past_an_enemy_stops_before_it() {
    let (rules, view) = at_grips();
    let reading = read_orders(&rules, &view, "MOVE 3 1303 1403");
    assert_eq!(reading.orders.len(), 1);
    assert!(reading.remarks[0].text.contains("an enemy is seen at"), "{:?}", reading.remarks);
}

#[test]
fn a_way_barred_by_enemies_alone_may_open() {
    let rules = rules("austrian-1805");
    let mut view = opening(&rules, Side::French);
    let stack = EnemyStack {
        id: UnitId(21),
        nation: nation("austria"),
        kind: Arm::Hq.into(),
        name: "CHARLES".to_owned(),
        count: Some(1),
    };
    for next in rules.map.neighbours(hex("1309")) {
        view.enemies.insert(next, stack.clone());
    }
    let reading = read_orders(&rules, &view, "MOVE 8 TO Paris");
    assert_eq!(reading.orders.len(), 1);
    assert!(
        reading.remarks[0].text.ends_with("bar every way to Paris 1104: it stays."),
        "{:?}",
        reading.remarks
    );
}

#[test]
fn what_is_called_away_may_not_leave() {
    let rules = rules("spanish-1808");
    let mut view = opening(&rules, Side::French);
    let napoleon = rules.scenario.recalls[0].unit;
    let line = format!("MOVE {napoleon} TO Madrid");
    assert!(!read_orders(&rules, &view, &line).has_errors());
    view.date = rules.scenario.recalls[0].when;
    assert!(read_orders(&rules, &view, &line).has_errors());
}

#[test]
fn what_hangs_on_a_condition_is_only_doubted() {
    let (rules, view) = at_grips();
    let text = "ATTACK 1303 WITH 3 UNTIL CLEAR THEN ENTER\nMOVE 3 1403";
    let reading = read_orders(&rules, &view, text);
    assert!(!reading.has_errors() && reading.orders.len() == 2, "{:?}", reading.remarks);
}

/// The remarks of a weight on a set of French orders in scenario 1, with whether any is an error.
fn warned(rules: &Lga, view: &View, text: &str) -> Vec<String> {
    let reading = read_orders(rules, view, text);
    assert!(!reading.has_errors(), "{text}: {:?}", reading.remarks);
    let warnings = reading.remarks.into_iter().filter(|remark| remark.weight == Weight::Warning);
    warnings.map(|remark| format!("{} {}", remark.text, remark.hint.unwrap_or_default())).collect()
}

#[test]
fn what_an_attack_before_may_make_possible_is_no_error() {
    let (rules, view) = (rules("austrian-1805"), opening(&rules("austrian-1805"), Side::French));
    // Out of the zone of Ulm the last step takes the last move; once Ulm is cleared it doesn't.
    let march = "MOVE NAPOLEON, 3, 4 TO Stuttgart\nMOVE 1 1505 1405 1406 1407\nATTACK Ulm WITH 1 UNTIL CLEAR";
    assert!(read_orders(&rules, &view, march).has_errors(), "without an attack before it");
    let cleared = "MOVE NAPOLEON, 3, 4 TO Stuttgart\nATTACK Ulm WITH 3 UNTIL CLEAR\nATTACK Ulm WITH 4 UNTIL CLEAR\n\
                   MOVE 1 1505 1405 1406 1407\nATTACK Ulm WITH 1 UNTIL CLEAR";
    let warnings = warned(&rules, &view, cleared);
    let last = warnings.last().unwrap();
    assert!(
        last.contains("has no move left") && last.contains("the attack in line 3 may change that"),
        "{last}"
    );
}

#[test]
fn a_march_past_somebody_attacked_says_that_he_may_be_gone() {
    let (rules, view) = at_grips();
    let [stops] =
        <[String; 1]>::try_from(warned(&rules, &view, "ATTACK 1303 WITH 4\nMOVE 3 1303 1403")).unwrap();
    assert!(
        stops
            .contains("It stays where it is unless the attacks before it clear the way: an enemy is seen at"),
        "{stops}"
    );
    let [stops] = <[String; 1]>::try_from(warned(&rules, &view, "MOVE 3 1303 1403")).unwrap();
    assert!(!stops.contains("unless"), "nobody attacks him: {stops}");
}

/// Whom nobody attacks stands where he is seen: what hangs on his being gone is an error, and no READY runs the turn over it.
#[test]
fn what_an_enemy_bars_whom_nobody_attacks_is_an_error() {
    let (rules, view) = at_grips();
    let text = "MOVE 3 1303 1403\nATTACK Ulm WITH 3";
    let errors = |text: &str| {
        let remarks = read_orders(&rules, &view, text).remarks.into_iter();
        remarks.filter(|remark| remark.weight == Weight::Error).map(|remark| remark.text).collect::<Vec<_>>()
    };
    let [error] = <[String; 1]>::try_from(errors(text)).unwrap();
    assert!(error.contains("which is not next to Ulm 1507"), "{error}");
    assert!(errors(&format!("ATTACK 1303 WITH 4\n{text}")).is_empty(), "an attack may clear the way");
    let unseen = format!("ATTACK 1204 WITH 3\n{text}");
    assert_eq!(
        errors(&unseen),
        [""; 0],
        "a fight with a garrison out of sight lets standing orders clear it"
    );
}

/// What is closed to a unit is so whatever happens before.
#[test]
fn a_closed_goal_is_an_error_behind_a_fight_too() {
    let rules = rules("russian-1812");
    let view = opening(&rules, Side::French);
    let text =
        "IF Vilna EMPTY MOVE 1 TO 3005\nIF Vilna EMPTY MOVE 2 3005 2905\nIF Vilna EMPTY MOVE 3 TO 0101";
    let errors: Vec<_> =
        read_orders(&rules, &view, text).remarks.into_iter().filter(|r| r.weight == Weight::Error).collect();
    assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [1, 2, 3], "{errors:?}");
    assert!(errors[0].text.contains("may not enter the Russian hinterland"), "{errors:?}");
}

#[test]
fn a_headquarters_that_ends_alone_on_foreign_ground_is_warned_of() {
    let (rules, view) = (rules("austrian-1805"), opening(&rules("austrian-1805"), Side::French));
    let alone = |text: &str| {
        let remarks = read_orders(&rules, &view, text).remarks;
        let alone = remarks.iter().find(|remark| remark.text.contains("a headquarters takes no ground"));
        alone.map(|remark| (remark.line, remark.span))
    };
    assert_eq!(alone("END 1\nMOVE 1 TO Metz\nMOVE NAPOLEON TO Stuttgart"), Some((3, Some((5, 8)))));
    assert_eq!(
        alone("MOVE NAPOLEON TO Stuttgart\nMOVE 3 TO Stuttgart"),
        None,
        "who comes later takes it too"
    );
    assert_eq!(alone("MOVE NAPOLEON TO Stuttgart\nMOVE NAPOLEON TO Metz"), None, "it does not end there");
    assert_eq!(alone("MOVE NAPOLEON TO Metz"), None, "it is ours");
    assert_eq!(
        alone("IF Stuttgart CONTROLLED MOVE NAPOLEON TO Stuttgart"),
        None,
        "it goes only if it is ours"
    );
    // Paris is always ours, and says nothing of Stuttgart.
    let elsewhere = "IF Paris CONTROLLED MOVE NAPOLEON TO Stuttgart";
    assert_eq!(alone(elsewhere), Some((1, Some((25, 8)))));
    assert_eq!(alone(&format!("MOVE NAPOLEON TO Metz\n{elsewhere}")), Some((2, Some((25, 8)))));
    assert_eq!(alone("IF Stuttgart EMPTY MOVE NAPOLEON TO Stuttgart"), Some((1, Some((24, 8)))));
}

#[test]
fn a_headquarters_that_may_not_be_alone_is_not_warned_of() {
    let lone = |rules: &Lga, view: &View, text: &str| {
        let reading = read_orders(rules, view, text);
        assert!(!reading.has_errors(), "{text}: {:?}", reading.remarks);
        reading.remarks.iter().any(|remark| remark.text.contains("a headquarters takes no ground"))
    };
    // Napoleon gets to Stuttgart unless Ulm behind it is cleared.
    let given = "{date: {season: summer, year: 1805}, phasing: french, units: {
        3: {at: '1407'}, 14: {at: '1306'}, 21: {at: '1507'}}}";
    let alone = rules("austrian-1805");
    let view = position(&alone, Side::French, given);
    let follows = "ATTACK Ulm WITH 3 UNTIL CLEAR THEN ENTER\nMOVE NAPOLEON 1406 1507";
    assert!(!lone(&alone, &view, follows), "who clears Ulm takes it first");
    let guarded = follows.replace("MOVE", "IF Paris CONTROLLED MOVE");
    assert!(!lone(&alone, &view, &guarded), "nor does a condition beside the fight bring the warning back");
    assert!(lone(&alone, &view, "MOVE NAPOLEON 1406 1507"), "nobody clears Ulm");
    let given = "{date: {season: summer, year: 1805}, phasing: allied, control: {'1507': french}, units: {
        21: {at: '1508'}, 35: {at: '1508'}}}";
    assert!(lone(&alone, &position(&alone, Side::Allied, given), "MOVE 35 1507"));
    let seats: Vec<Seat> =
        ["french", "allied.austria", "allied.russia-britain"].map(|seat| seat.parse().unwrap()).into();
    let shared = Lga::from_files(&shipped("austrian-1805").unwrap(), &seats).unwrap();
    let state = shared.set_up(&serde_yaml::from_str(given).unwrap()).unwrap();
    assert!(!lone(&shared, &shared.view(&state, &seats[2]), "MOVE 35 1507"), "Austria may have taken it");
}

#[test]
fn an_order_with_a_place_is_said_back_with_that_place() {
    let (rules, view) = (rules("austrian-1805"), opening(&rules("austrian-1805"), Side::French));
    for (order, said) in [
        ("GARRISON Milan WITH 8", "Garrison Milan 1309 with Italy A (8)"),
        ("TOP 1309 8", "Put Italy A (8) on top at Milan 1309"),
    ] {
        let text = format!("IF Turin EMPTY MOVE 8 TO Turin\nMOVE 9 1310\n{order}");
        let (reading, recap) = read_back(&rules, &view, &text);
        assert!(!reading.has_errors(), "{:?}", reading.remarks);
        assert_eq!(recap.orders[2].order, said);
        let doubts: Vec<_> =
            reading.remarks.iter().filter(|r| r.line == 3).map(|r| r.text.as_str()).collect();
        assert_eq!(doubts[0], "Only if Italy A (8) stands there then: as expected it will be at Turin 1209.");
        // A condition says nothing about where a unit stands.
        let elsewhere = format!("MOVE 8 TO Turin\nIF Ulm HELD {order}");
        assert!(read_orders(&rules, &view, &elsewhere).has_errors());
    }
}

/// Every round adds one to the fatigue (ruling LGA-24): it is counted where a round is certain. What a fight costs beside
/// nobody knows, so that the odds of who may have fought are the best that it can have.
#[test]
fn who_may_have_fought_before_has_these_odds_at_best() {
    let (rules, view) = at_grips();
    let last = |text: &str| {
        let (reading, recap) = read_back(&rules, &view, text);
        assert!(!reading.has_errors(), "{text}: {:?}", reading.remarks);
        let effect = &recap.orders.last().unwrap().effect;
        (effect.starts_with("odds at best "), effect.contains("fatigue -1"))
    };
    assert_eq!(last("ATTACK 1303 WITH 3"), (false, false));
    assert_eq!(last("ATTACK 1303 WITH 3\nATTACK 1303 WITH 3"), (true, true));
    let cleared = "ATTACK 1303 WITH 4 UNTIL CLEAR\nATTACK 1303 WITH 3 UNTIL CLEAR\nATTACK 1303 WITH 3";
    assert_eq!(last(cleared), (true, false), "nobody may be left for 3 to fight");
    let never =
        "ATTACK 1303 WITH 3 WHILE MORALE >= 5\nATTACK 1303 WITH 3 WHILE ODDS >= 9\nATTACK 1303 WITH 3";
    assert_eq!(last(never), (false, false), "it doesn't fight before the last line");
}

#[test]
fn an_attack_whose_own_conditions_forbid_it_is_warned_of() {
    let (rules, mut view) = at_grips();
    view.own.get_mut(&UnitId(3)).unwrap().morale = 2;
    let said = |text: &str| warned(&rules, &view, text).join("; ");
    assert_eq!(said("ATTACK 1303 WITH 3 WHILE MORALE >= 2"), "");
    assert_eq!(
        said("ATTACK 1303 WITH 3 WHILE MORALE >= 3").trim(),
        "It will not attack: its morale is 2, below 3."
    );
    assert!(
        said("ATTACK 1303 WITH 3 WHILE ODDS >= 9").starts_with("It will not attack: the known odds are ")
    );
    let unseen = said("ATTACK 1204 WITH 3 WHILE MORALE >= 3 THEN ENTER");
    assert!(!unseen.contains("It will not attack"), "with nobody there it enters: {unseen}");
}

#[test]
fn fog_at_sea_is_reckoned_by_what_it_can_take() {
    let rules = rules("spanish-1808");
    let view = opening(&rules, Side::Allied);
    let (_, recap) = read_back(&rules, &view, "MOVE 27 TO London");
    let effect = &recap.orders[0].effect;
    // Nine rolls on which only the loss of all moves counts: 1 - 0.98^9. A unit without moves has none to lose.
    assert!(effect.contains("; 17% risk of fog"), "{effect}");
}

/// The French at the start, who see nobody at Ulm but have seen Mack 1 there before, as its garrison or not.
fn mack_at_ulm(rules: &Lga, garrison: bool) -> View {
    let mut view = opening(rules, Side::French);
    view.enemies.remove(&hex("1507"));
    let mack = rules.scenario.units.iter().find(|spec| spec.name == "Mack 1").unwrap().id;
    let seen = LastSeen {
        at: hex("1507"),
        turn: Turn { date: view.date, side: Side::Allied },
        glimpse: Glimpse { garrison, pieces: None },
        lost: false,
        may_be_there: true,
    };
    view.remembered.insert(mack, seen);
    view
}

#[test]
fn a_march_on_a_garrison_seen_before_says_where_it_would_end_and_what_depends_on_it() {
    let rules = rules("austrian-1805");
    let view = mack_at_ulm(&rules, true);
    let said = |text: &str| -> Vec<(Weight, String)> {
        let remarks = read_orders(&rules, &view, text).remarks;
        remarks.into_iter().map(|remark| (remark.weight, remark.text)).collect()
    };
    let march = "MOVE 1 1505 1406 1507";
    let warning = (
        Weight::Warning,
        "Mack 1 was last seen at Ulm 1507 as its garrison: if the garrison still stands, the march of I Bernadotte (1) ends before it, at Stuttgart 1406."
            .to_owned(),
    );
    let depends = (
        Weight::Note,
        "It depends on line 1: if Ulm 1507 has a garrison, I Bernadotte (1) is at Stuttgart 1406 then."
            .to_owned(),
    );
    assert_eq!(said(march), std::slice::from_ref(&warning));
    assert_eq!(said(&format!("{march}\nGARRISON 1")), [warning.clone(), depends.clone()]);
    // Another unit's orders don't, and nothing does on a march that ends elsewhere.
    assert_eq!(said(&format!("{march}\nEND 2\nEND 1")), [warning, depends]);
    assert_eq!(said("MOVE 1 1505 1406\nEND 1"), []);
    // The orders are those of a march that arrives.
    let orders = |view: &View| read_orders(&rules, view, &format!("{march}\nGARRISON 1")).orders;
    let mut unseen = view.clone();
    unseen.remembered.clear();
    assert_eq!(orders(&view), orders(&unseen));
    let attack = read_orders(&rules, &view, &format!("{march}\nATTACK Ulm WITH 1")).remarks;
    let hint = attack.iter().find_map(|remark| remark.hint.as_deref());
    assert_eq!(hint, Some("MOVE 1 TO 1406 stops next to it"), "{attack:?}");
}

#[test]
fn a_unit_last_seen_in_a_city_may_garrison_it_and_attacks_may_have_removed_it() {
    let rules = rules("austrian-1805");
    let warnings = |garrison: bool, text: &str| warned(&rules, &mack_at_ulm(&rules, garrison), text);
    let ends = "the march of I Bernadotte (1) ends before it, at Stuttgart 1406";
    assert_eq!(
        warnings(false, "MOVE 1 1505 1406 1507"),
        [format!("Mack 1 was last seen at Ulm 1507 and may be its garrison: if it is, {ends}. ")]
    );
    let attacked = warnings(true, "MOVE 2, 1 TO 1406\nATTACK Ulm WITH 2\nMOVE 1 TO Ulm");
    let unless = "unless the attacks before it have removed the garrison.";
    assert!(
        attacked.iter().any(|text| text.contains("as its garrison") && text.trim_end().ends_with(unless)),
        "{attacked:?}"
    );
}
