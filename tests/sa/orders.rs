//! The order language: what is written is read back, and remarks say what to do.

use std::collections::BTreeSet;

use musterd_dice::{Seat, Stream};
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, Reading, Weight};
use musterd_engine::{Input, Ruleset, Scribe};
use musterd_sa::battle::Spec;
use musterd_sa::model::{Side, Spell, UnitId, Way};
use musterd_sa::order::{Act, Order, Stance, Task, Trigger};
use musterd_sa::read::{Reader, read_orders, uses, written};
use musterd_sa::view::View;
use musterd_sa::{Sa, shipped};

use crate::common::Loose;

/// The shipped battles.
pub(crate) const BATTLES: [&str; 9] =
    ["mill", "ambush", "kingdoms", "ormolu", "beasts", "issus", "cynoscephalae", "manzikert", "stamford"];

/// The rules of a shipped battle.
pub(crate) fn battle(name: &str) -> Sa {
    Sa::from_files(&shipped(name).unwrap(), &[]).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// A battle at its beginning, as the commander of a side sees it after so many adjudications without orders.
pub(crate) fn view_after(rules: &Sa, side: Side, adjudications: u32) -> View {
    let seat = &rules.battle().army(side).commanders[0].seat;
    after(rules, adjudications, &mut |_, _| Reading::default(), seat)
}

/// The view of a seat after so many adjudications with these orders.
pub(crate) fn after(
    rules: &Sa,
    adjudications: u32,
    orders: &mut dyn FnMut(u32, &View) -> Reading<Order>,
    seat: &Seat,
) -> View {
    let mut state = rules.found();
    let mut dice = Loose::numbered(1);
    for t in 1..=adjudications {
        let seats = rules.seat_specs().iter().map(|spec| spec.seat.clone());
        let orders = seats.map(|seat| (seat.clone(), orders(t, &rules.view(&state, &seat)))).collect();
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        state = scribe.state().clone();
    }
    rules.view(&state, seat)
}

/// The remark on a line.
#[track_caller]
fn remark(rules: &Sa, view: &View, line: &str) -> (Weight, String, Option<(usize, usize)>) {
    let mut read = read_orders(rules, view, line);
    let remark = read.remarks.pop().unwrap_or_else(|| panic!("{line}: {:?}", read.orders));
    let hint = remark.hint.map_or_else(String::new, |hint| format!(" [{hint}]"));
    (remark.weight, remark.text + &hint, remark.span)
}

/// Places are found as units are: in any case, with or without accents. A part of a name is no name, but who is meant is told.
#[test]
fn places_and_directions_are_read_with_accents_or_without() {
    let mut files = shipped("mill").unwrap();
    let field = files.0.get_mut("fields/mill.yaml").unwrap();
    *field = field.replacen("The Mill", "Die Mühle", 1);
    let rules = Sa::from_files(&files, &[]).unwrap();
    let view = view_after(&rules, Side::A, 3);
    let said = |line: &str| format!("{:?}", read_orders(&rules, &view, line).orders);
    assert!(said("MOVE 1 TO 1608").contains("To("));
    for name in ["Die Mühle", "die muhle", "\"Die Muehle\""] {
        assert_eq!(said(&format!("MOVE 1 TO {name}")), said("MOVE 1 TO 1608"), "{name}");
    }
    assert_eq!(said("MOVE 1 nörth-east"), said("MOVE 1 NE"));
    for (line, meant) in [("MOVE 1 TO Rise", "The Rise"), ("MOVE 1 TO Muhle", "Die Mühle")] {
        let (_, text, _) = remark(&rules, &view, line);
        assert!(text.ends_with(&format!("[did you mean {meant}?]")), "{text}");
    }
}

#[test]
fn an_own_unit_is_no_enemy_and_a_name_of_several_is_quoted() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let (_, text, _) = remark(&rules, &view, "ATTACK A1 WITH 2");
    assert_eq!(text, "Before `WITH` stands an enemy. [write its letter and number, such as B1]");
    let (_, text, _) = remark(&rules, &view, "STANCE 4 Spears");
    assert!(text.starts_with("`Spears` means several units: Northwold Spears 1 (A1)"), "{text}");
}

#[test]
fn many_steps_the_same_way_are_written_once() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let order = Reader::new(&rules, &view).understood("MOVE 1 W x27 NE NE 0101").unwrap().unwrap();
    assert_eq!(written(&order), ["MOVE A1 W x27 NE NE TO 0101"]);
    let again = Reader::new(&rules, &view).understood(&written(&order)[0]).unwrap().unwrap();
    assert_eq!(again, order);
}

#[test]
fn every_example_looks_like_an_order() {
    let rules = battle("mill");
    for line in uses().iter().flat_map(|one| &one.lines) {
        assert_eq!(rules.likeness(line), Likeness::Order, "{line}");
    }
    for prose in
        ["Hold the line, my friend", "I will advance on the mill tomorrow", "On contact with you I was glad"]
    {
        assert_eq!(rules.likeness(prose), Likeness::Prose, "{prose}");
    }
    assert_eq!(rules.likeness("ATACK 3 B5"), Likeness::Slip);
}

/// What `HELP ORDERS` shows can be sent as it stands: it names what its reader commands and sees.
#[test]
fn help_takes_its_examples_from_the_battle() {
    for name in BATTLES {
        let rules = battle(name);
        for (side, adjudications) in [(Side::A, 1), (Side::A, 3), (Side::B, 2), (Side::B, 4)] {
            let view = view_after(&rules, side, adjudications);
            let offered = rules.offered(&view);
            assert!(offered.len() > 10, "{name}: {}", offered.len());
            for line in offered.into_iter().flat_map(|one| one.lines) {
                let read = Reader::new(&rules, &view).understood(&line);
                assert!(read.is_ok(), "{name}, {:?}: {line}: {read:?}", view.phase);
            }
        }
    }
}

/// The Atari edition's longer names are read as they are printed, and as the other edition has them.
#[test]
fn zorgs_are_ordered_by_either_name() {
    let mut files = shipped("ambush").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "edition: atari\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let view = view_after(&rules, Side::B, 4);
    assert_eq!(
        rules.battle().units.iter().find(|spec| spec.id == UnitId::new(Side::B, 3)).unwrap().name,
        "Zorg (Orc) Rabble 3"
    );
    for name in ["Zorg (Orc) Rabble 3", "\"Zorg (Orc) Rabble 3\"", "Zorg Rabble 3", "Orc Rabble 3", "3"] {
        let read = Reader::new(&rules, &view).understood(&format!("CHARGE {name}"));
        let units = read.unwrap_or_else(|why| panic!("{name}: {why:?}")).unwrap();
        assert_eq!(units.units(), [UnitId::new(Side::B, 3)], "{name}");
    }
}

/// Where no likeness is left nobody is offered to make one, and the order is refused. Only the real wizard is offered to cast.
#[test]
fn what_can_never_be_done_is_neither_offered_nor_read() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "wizard: placed\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    for adjudications in [2, 4] {
        let view = view_after(&rules, Side::B, adjudications);
        let real = view.real.unwrap();
        let offered = rules.offered(&view).into_iter().flat_map(|one| one.lines);
        let offered: Vec<String> = offered.map(Into::into).collect();
        for line in &offered {
            let read = Reader::new(&rules, &view).understood(line);
            assert!(read.is_ok(), "{line}: {read:?}");
        }
        assert!(!offered.iter().any(|line| line.starts_with("REPLICATE")), "{offered:?}");
        assert!(offered.contains(&format!("CAST {} COURAGE 1", real.number)), "{offered:?}");
        let (weight, text, _) = remark(&rules, &view, &format!("REPLICATE {} E", real.number));
        assert_eq!((weight, text), (Weight::Error, format!("{real}: no more likenesses can be made.")));
    }
    let rules = battle("ormolu");
    let mut view = view_after(&rules, Side::B, 4);
    assert!(rules.offered(&view).iter().flat_map(|one| &one.lines).any(|line| line.starts_with("REPLICATE")));
    view.position.magic[1] = 1;
    let (weight, text, _) = remark(&rules, &view, "REPLICATE 1 E");
    assert_eq!((weight, text.as_str()), (Weight::Error, "B1: its army has 1 spell point left."));
}

#[test]
fn a_number_behind_a_unit_is_a_direction() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let own = |number| UnitId::new(Side::A, number);
    let read = |line: &str| Reader::new(&rules, &view).understood(line).unwrap().unwrap();
    let does = |units: &[u8], acts: &[Act]| Order::Do {
        units: units.iter().map(|number| own(*number)).collect(),
        tasks: acts.iter().map(|act| Task::plain(*act)).collect(),
    };
    let way = |number| Way::of(number).unwrap();
    let foe = UnitId::new(Side::B, 2);
    assert_eq!(read("MOVE 3 4"), does(&[3], &[Act::Move(way(4))]));
    assert_eq!(read("move 3 1 1 e"), does(&[3], &[Act::Move(way(1)), Act::Move(way(1)), Act::Move(way(2))]));
    assert_eq!(read("MOVE 3, 4 NE"), does(&[3, 4], &[Act::Move(way(1))]));
    let march = does(&[1, 2, 3], &[Act::Move(way(1)), Act::Move(way(1)), Act::Move(way(2))]);
    for line in ["MOVE A1-A3 NE x2 east", "MOVE A1-3 north-east NorthEast E", "MOVE 1-3 1 X2, 2 x1"] {
        assert_eq!(read(line), march, "{line}");
    }
    assert_eq!(read("ADVANCE 3 0908"), read("ADVANCE 3 TO 0908"));
    assert_eq!(read("MOVE 1-3 TO 0908"), does(&[1, 2, 3], &[Act::To(Hex::new(9, 8))]));
    assert_eq!(read("MOVE 3 0908 0907"), does(&[3], &[Act::To(Hex::new(9, 8)), Act::To(Hex::new(9, 7))]));
    assert_eq!(read("ATTACK 3 2"), does(&[3], &[Act::Strike(way(2))]));
    assert_eq!(read("ATTACK 3 B2"), does(&[3], &[Act::Attack(foe)]));
    assert_eq!(read("ATTACK B2 WITH 3, 4"), does(&[3, 4], &[Act::Attack(foe)]));
    assert_eq!(read("HOLD 3 4 UNTIL 24"), does(&[3, 4], &[Act::Until(24)]));
    assert_eq!(read("WAIT 3 CONTACT"), does(&[3], &[Act::Contact]));
}

#[test]
fn words_for_several_units_mean_those_on_the_field() {
    let rules = battle("kingdoms");
    let view = view_after(&rules, Side::A, 3);
    let read = |text: &str| read_orders(&rules, &view, text);
    let units = |text: &str| read(text).orders.last().unwrap().order.units().to_vec();
    let is = |test: &dyn Fn(&Spec) -> bool| -> Vec<UnitId> {
        view.own.iter().copied().filter(|id| test(rules.battle().spec(*id))).collect()
    };
    assert_eq!(units("HOLD ALL"), is(&|_| true));
    assert_eq!(units("CHARGE ALL CAVALRY"), is(&|spec| spec.kind.is_cavalry()));
    assert_eq!(units("SKIRMISH ALL ARCHERS"), is(&|spec| spec.missile.is_some()));
    assert_eq!(units("HOLD ALL Elf Archers"), is(&|spec| spec.name.starts_with("Elf Archers")));
    assert_eq!(units("HOLD Elf Archers 2"), is(&|spec| spec.name == "Elf Archers 2"));
    let rest = units("HOLD 1-4\nCHARGE REST");
    assert_eq!(rest, is(&|spec| spec.id.number > 4));
    // Whoever can never fire is left out.
    let read = read("FIRE ALL B1");
    assert_eq!(read.orders[0].order.units(), is(&|spec| spec.missile.is_some()));
    assert!(
        read.remarks[0].weight == Weight::Warning && read.remarks[0].text.contains("they have no missiles")
    );
}

#[test]
fn remarks_point_at_what_is_wrong_and_say_what_to_write() {
    let rules = battle("kingdoms");
    let view = view_after(&rules, Side::A, 3);
    let last = rules.battle().army(Side::A).units.1;
    for (line, text, span) in [
        ("MOVE", "Which unit? Write its number.", Some((4, 1))),
        ("MOVE 3", "Where to? Write directions from 1 to 6, or TO and a hex.", Some((6, 1))),
        ("MOVE 3 7", "`7` is neither a direction nor a hex. [directions are 1 to 6", Some((7, 1))),
        ("MOVE 3 TO 9999", "9999 is off the field. [the field ends at", Some((10, 4))),
        ("MOEV 3 E", "`MOEV` is no order. [did you mean MOVE?]", Some((0, 4))),
        ("MOVE Elf Archer E", "`Elf Archer` means several units: Elf Archers 1", Some((5, 10))),
        ("HOLD Centuars", "`Centuars` is none of your units. [did you mean Centaurs", Some((5, 8))),
        ("HOLD 59", "`59` is none of your units. [yours are from 1 to", Some((5, 2))),
        ("ATTACK 3", "Whom? Write an enemy by letter and number, or a direction from 1 to 6.", Some((8, 1))),
        ("ATTACK 3 12", "`12` is no enemy. [did you mean", Some((9, 2))),
        ("ATTACK 3 A4", "is your own side's.", Some((9, 2))),
        ("FIRE 1 B5", "A1: it has no missiles.", Some((5, 1))),
        ("CAST 3 COURAGE", "How many points? Write a number.", Some((14, 1))),
        ("CAST 3 CURAGE 2", "`CURAGE` is no spell. [did you mean COURAGE?]", Some((7, 6))),
        ("CAST 3 COURAGE 4", "A3: no more than 3 points go into one spell.", Some((15, 1))),
        (
            "CAST 3 COURAGE 2 WHEN LATE",
            "When? Write WHEN CONTACT, WHEN FIRED AT or WHEN ROUT NEAR.",
            Some((22, 4)),
        ),
        ("WAIT 3", "What for? Write UNTIL and a time-point, or CONTACT.", Some((6, 1))),
        ("HOLD 3 UNTIL 0", "Time-point 0 is past. [the next is 1]", Some((13, 1))),
        ("STANCE 3 BRAVE", "Which stance? Write ADVANCE, HOLD, SKIRMISH, CHARGE or AVOID.", Some((9, 5))),
        ("REPLICATE 3 2", "There is no wizard in this battle.", Some((0, 9))),
        ("LEAVE 3", "Line 1, `LEAVE 3`: Nobody leaves the field in this battle.", None),
        ("RETREAT 2", "`RETREAT` is no order. [AVOID keeps a unit away from enemies", Some((0, 7))),
        ("FALL BACK 2", "`FALL` is no order. [AVOID keeps a unit away from enemies", Some((0, 4))),
        ("3 HOLD", "`3` is no order. [the order stands first: HOLD 3]", Some((0, 1))),
        ("READY NOW", "`READY` is no order. [READY stands alone on its line]", Some((0, 5))),
        ("INFO B1", "`INFO` is no order. [your dispatch has all that is known", Some((0, 4))),
        ("DEFEND 2", "`DEFEND` is no order. [HOLD keeps a unit where it is", Some((0, 6))),
        ("MOVE 3 NE x0", "A step is made once at least.", Some((10, 2))),
        ("MOVE 3 NE x61", "A unit has 60 tasks at most.", Some((10, 3))),
        ("HOLD B1-B3", "`B1-B3` is none of your units.", Some((5, 5))),
        ("DEPLOY 3 AT 0101", "Units are deployed before the battle: now they move.", Some((0, 6))),
    ] {
        let (weight, told, place) = remark(&rules, &view, line);
        assert!(weight == Weight::Error && told.contains(text) && place == span, "{line}: {told} {place:?}");
    }
    let (_, told, _) = remark(&rules, &view, "FROBNICATE 3");
    assert!(told.contains("orders are MOVE, ") && told.contains("CAST"), "{told}");
    for word in ["DEPLOY", "REPLICATE", "LEAVE"] {
        assert!(!told.contains(word), "{told}");
    }
    let (_, told, _) = remark(&rules, &view, "CHARGE ALL\nHOLD REST");
    assert_eq!(told, "The lines above name all of these units already.");
    let (weight, told, _) = remark(&rules, &view, "MAP 0908\nMAP NONE");
    assert!(weight == Weight::Warning && told.contains("the last counts"), "{told}");
    let (weight, told, _) = remark(&rules, &view, "MOVE 1 2 TO 0908");
    assert!(weight == Weight::Warning && told.contains("is a direction here"), "{told}");
    let many = format!("{}MOVE {last} E", "CAST 1 COURAGE 3\n".repeat(5));
    let read = read_orders(&rules, &view, &many);
    assert!(read.remarks[0].text.contains("take 15 points, and your army has 12"), "{read:?}");
}

/// The game of 1981 asked for a row and a column.
#[test]
fn a_map_is_asked_for_by_hex_or_by_row_and_column() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    for line in ["MAP 1507", "MAP TACTICAL 7 15", "MAP TACTICAL ROW 7 COLUMN 15", "MAP AT ROW 7, COL 15"] {
        assert_eq!(
            Reader::new(&rules, &view).understood(line).unwrap(),
            Some(Order::Map(Some(Hex::new(15, 7)))),
            "{line}"
        );
    }
    for (line, told) in [
        ("MAP TACTICAL 7 50", "Row 7, column 50 is off the field: it has 13 rows and 18 columns."),
        ("MAP TACTICAL 7", "Which row, and which column? Write two numbers."),
        ("MAP STRATEGIC", "`STRATEGIC` is no hex of this field."),
    ] {
        assert_eq!(Reader::new(&rules, &view).understood(line).unwrap_err().text, told, "{line}");
    }
    for (line, shown) in [("MAP SYMBOLS", true), ("MAP SYMBOLS ON", true), ("MAP SYMBOLS OFF", false)] {
        assert_eq!(
            Reader::new(&rules, &view).understood(line).unwrap(),
            Some(Order::Symbols(shown)),
            "{line}"
        );
    }
}

#[test]
fn units_of_another_commander_are_not_ordered() {
    let mut files = shipped("ormolu").unwrap();
    let options = OPTIONS_FILE.to_owned();
    files.0.insert(options, "commands: contingents\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let commanders = &rules.battle().army(Side::A).commanders;
    let [first, second] = commanders.as_slice() else { panic!("{commanders:?}") };
    let theirs = second.units.first().unwrap();
    let view = after(&rules, 3, &mut |_, _| Reading::default(), &first.seat);
    let (_, told, _) = remark(&rules, &view, &format!("HOLD {}", theirs.number));
    assert!(told.contains(&format!("is commanded by {}", second.title)), "{told}");
}

struct Chance(Stream);

impl Chance {
    fn numbered(number: u32) -> Self {
        let Loose(seed) = Loose::numbered(number);
        Self(Stream::new(&seed, &"1/test/written/x/0".parse().unwrap()))
    }

    fn below(&mut self, most: usize) -> usize {
        self.0.die(u32::try_from(most).unwrap()) as usize - 1
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// Any task that these units can ever do.
fn any_task(rules: &Sa, units: &[UnitId], chance: &mut Chance, foes: &[UnitId]) -> Task {
    let specs: Vec<&Spec> = units.iter().map(|id| rules.battle().spec(*id)).collect();
    let field = &rules.battle().field;
    let open =
        |hex: &Hex| specs.iter().all(|spec| rules.numbers().cost(spec.kind, field.terrain(*hex)).is_some());
    let hexes: Vec<Hex> = field.hexes().filter(open).collect();
    let (hex, way, foe) = (chance.one(&hexes), chance.one(&Way::ALL), chance.one(foes));
    let fires = specs.iter().all(|spec| spec.missile.is_some());
    let casts = specs.iter().all(|spec| spec.casts);
    let act = match chance.below(12) {
        0..=2 => Act::Move(way),
        3 => Act::Again,
        4 => Act::To(hex),
        5 => Act::Hold,
        6 => Act::Until(u16::try_from(40 + chance.below(100)).unwrap()),
        7 => Act::Contact,
        8 => Act::Strike(way),
        9 => Act::Attack(foe),
        10 if fires => chance.one(&[Act::Fire(foe), Act::FireAt(hex)]),
        11 if casts => Act::Cast(chance.one(&Spell::ALL), 1 + u32::try_from(chance.below(3)).unwrap()),
        _ => Act::Hold,
    };
    match act {
        Act::Cast(spell, points) if chance.below(2) == 0 => {
            Task::cast(spell, points, Some(chance.one(&Trigger::ALL)))
        }
        act => Task::plain(act),
    }
}

fn any_order(rules: &Sa, view: &View, foes: &[UnitId], chance: &mut Chance) -> Order {
    let own: Vec<UnitId> = view.own.iter().copied().collect();
    let first = chance.below(own.len());
    let units: Vec<UnitId> = own[first..].iter().take(1 + chance.below(4)).copied().collect();
    let hexes: Vec<Hex> = rules.battle().field.hexes().collect();
    let hex = chance.one(&hexes);
    let stances = [
        Stance::Advance(None),
        Stance::Advance(Some(hex)),
        Stance::Hold,
        Stance::Skirmish,
        Stance::Charge,
        Stance::Avoid,
    ];
    let stance = chance.one(&stances);
    match chance.below(8) {
        0 => Order::Stance { units, stance },
        1 => {
            let stance = (chance.below(4) > 0).then_some(stance);
            Order::On { units, trigger: chance.one(&Trigger::ALL), stance }
        }
        2 => Order::Clear { units },
        3 => chance.one(&[
            Order::Detail(true),
            Order::Detail(false),
            Order::Map(None),
            Order::Map(Some(hex)),
            Order::Symbols(true),
            Order::Symbols(false),
        ]),
        _ => {
            let tasks = (0..=chance.below(20)).map(|_| any_task(rules, &units, chance, foes)).collect();
            Order::Do { units, tasks }
        }
    }
}

#[test]
fn whatever_is_written_is_read_back() {
    let mut drawn: BTreeSet<String> = BTreeSet::new();
    for (name, number) in BATTLES.into_iter().zip(0..) {
        let rules = battle(name);
        let mut chance = Chance::numbered(number);
        let mut view = view_after(&rules, Side::A, 3);
        view.position.magic = [99, 99];
        let foes: Vec<UnitId> =
            rules.battle().units.iter().map(|spec| spec.id).filter(|id| id.side == Side::B).collect();
        for _ in 0..300 {
            let order = any_order(&rules, &view, &foes, &mut chance);
            let lines = written(&order);
            let read = |line: &String| {
                assert!(line.len() < 120, "{line}");
                Reader::new(&rules, &view).understood(line)
            };
            let read: Result<Vec<_>, _> = lines.iter().map(read).collect();
            let read = read.unwrap_or_else(|remark| panic!("{name}: {lines:?}: {remark:?}"));
            let read: Vec<Order> = read.into_iter().flatten().collect();
            // A long queue takes several lines.
            let read = match order {
                Order::Do { ref units, .. } => {
                    let remarks: Vec<_> =
                        lines.iter().flat_map(|line| read_orders(&rules, &view, line).remarks).collect();
                    assert!(remarks.is_empty(), "{name}: {lines:?}: {remarks:?}");
                    let tasks = read.into_iter().flat_map(|read| match read {
                        Order::Do { units: own, tasks } if own == *units => tasks,
                        other => panic!("{name}: {lines:?}: {other:?}"),
                    });
                    vec![Order::Do { units: units.clone(), tasks: tasks.collect() }]
                }
                _ => read,
            };
            assert_eq!(read, std::slice::from_ref(&order), "{name}: {lines:?}");
            drawn.extend(lines.iter().filter_map(|line| line.split(' ').next()).map(str::to_owned));
        }
    }
    let words = [
        "AGAIN", "ATTACK", "CANCEL", "CAST", "DETAIL", "FIRE", "HOLD", "MAP", "MOVE", "ON", "STANCE", "WAIT",
    ];
    assert_eq!(drawn, words.map(str::to_owned).into());
}

/// Orders before the battle and the wizard's, which the random ones leave out.
#[test]
fn orders_of_the_first_turn_and_of_the_wizard_are_read_back() {
    let rules = battle("ormolu");
    let view = view_after(&rules, Side::B, 2);
    let wizard = rules.battle().hunt.unwrap().wizard;
    let zone = &rules.battle().army(Side::B).zone;
    let task = |act| Order::Do { units: vec![wizard], tasks: vec![Task::plain(act)] };
    let spot = zone
        .iter()
        .find(|hex| Reader::new(&rules, &view).understood(&format!("DEPLOY {wizard} AT {hex}")).is_ok());
    let deploy = Order::Deploy { unit: wizard, at: *spot.unwrap() };
    for order in [deploy, task(Act::Liken(Way::of(2).unwrap())), task(Act::Leave)] {
        let lines = written(&order);
        assert_eq!(Reader::new(&rules, &view).understood(&lines[0]), Ok(Some(order)), "{lines:?}");
    }
    // Two lines of one set count together: a unit can be put where another was, after that has gone.
    let other = *view.own.iter().find(|id| **id != wizard).unwrap();
    let at = |id: UnitId| view.position.units[rules.battle().index(id).unwrap()].at.unwrap();
    let set = format!("DEPLOY {other} AT {}\nDEPLOY {other} AT 0101", at(wizard));
    let read = read_orders(&rules, &view, &set);
    assert_eq!(read.orders.len(), 1, "{read:?}");
    assert!(read.remarks.iter().any(|one| one.text.contains("is not in its army's zone")), "{read:?}");
}

/// A likeness that isn't made yet is called by no name: the number behind the wizard's is a direction.
#[test]
fn a_wizard_is_called_by_his_name_before_there_are_likenesses() {
    let rules = battle("ormolu");
    let view = view_after(&rules, Side::B, 4);
    let wizard = rules.battle().hunt.unwrap().wizard;
    let does = |act| Order::Do { units: vec![wizard], tasks: vec![Task::plain(act)] };
    let read = |line: &str| Reader::new(&rules, &view).understood(line);
    assert_eq!(read("REPLICATE Ormolu 4"), Ok(Some(does(Act::Liken(Way::of(4).unwrap())))));
    assert_eq!(read("MOVE Ormolu NW"), Ok(Some(does(Act::Move(Way::of(6).unwrap())))));
    let (_, told, _) = remark(&rules, &view, "MOVE 2 E\nLEAVE 2");
    assert_eq!(told, "Line 2, `LEAVE 2`: B2: it is no wizard.");
    let hunter = view_after(&rules, Side::A, 4);
    let (_, told, _) = remark(&rules, &hunter, "REPLICATE 1 E");
    assert_eq!(told, "The wizard is not in your army.");
}

#[test]
fn where_there_is_no_magic_nobody_casts() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let (weight, told, span) = remark(&rules, &view, "CAST 1 FIREBALL");
    assert_eq!((weight, span), (Weight::Error, Some((0, 4))));
    assert_eq!(told, "There is no magic in this battle.");
}

/// What is said back of two units at one hex.
#[test]
fn nobody_leaves_where_night_falls_before_he_may() {
    let mut files = shipped("ormolu").unwrap();
    let text = files.0.get_mut("scenario.yaml").unwrap();
    *text = text.replacen("  leaves: 72\n", "", 1).replacen("hunt:\n", "nightfall: 60\nhunt:\n", 1);
    let rules = Sa::from_files(&files, &[]).unwrap();
    let (_, told, _) = remark(&rules, &view_after(&rules, Side::B, 2), "LEAVE 1");
    assert_eq!(told, "Line 1, `LEAVE 1`: Night falls before the wizard may leave the field in this battle.");
    let special = musterd_report::text::sections(&rules.chart(false));
    assert!(!special.contains("after time-point 72"), "{special}");
}

#[test]
fn two_units_deployed_to_one_hex_change_places() {
    let rules = battle("ormolu");
    let view = view_after(&rules, Side::B, 2);
    let at =
        |number| view.position.units[rules.battle().index(UnitId::new(Side::B, number)).unwrap()].at.unwrap();
    let zone = &rules.battle().army(Side::B).zone;
    let free = |hex: &&Hex| {
        view.position.units.iter().all(|unit| unit.at != Some(**hex))
            && Reader::new(&rules, &view).understood(&format!("DEPLOY 5 AT {hex}")).is_ok()
    };
    let spot = zone.iter().find(free).unwrap();
    let (weight, told, _) = remark(&rules, &view, &format!("DEPLOY 5 AT {spot}\nDEPLOY 6 AT {spot}"));
    assert_eq!(weight, Weight::Note);
    assert_eq!(told, format!("They change places: B6 stands in {spot}, B5 in {}.", at(6)));
}

/// Examples and what is said of them name the same units.
#[test]
fn explanations_are_of_the_battle_too() {
    let rules = battle("mill");
    let offered = rules.offered(&view_after(&rules, Side::A, 3));
    let of = |line: &str| offered.iter().find(|one| one.lines.iter().any(|own| own == line)).unwrap();
    assert_eq!(of("ADVANCE 1-4").does, "the same as `STANCE 1-4 ADVANCE`");
    assert_eq!(of("AVOID 1").does, "the same as `STANCE 1 AVOID`");
    assert!(of("HOLD 1-4").lines.iter().any(|line| line == "HOLD REST"));
}

/// Any words in any order, and any bytes: a reading, and no more remarks than lines.
#[test]
fn any_text_can_be_read() {
    let rules = battle("kingdoms");
    let view = view_after(&rules, Side::A, 3);
    let words = [
        "MOVE",
        "ATTACK",
        "FIRE",
        "CAST",
        "HOLD",
        "STANCE",
        "ON",
        "WAIT",
        "DEPLOY",
        "REPLICATE",
        "MAP",
        "ALL",
        "REST",
        "CAVALRY",
        "1",
        "3",
        "6",
        "7",
        "59",
        "1-4",
        "9-2",
        "-",
        "A3",
        "B5",
        "0908",
        "9999",
        "NE",
        "E",
        "TO",
        "WITH",
        "AT",
        ",",
        "AND",
        "UNTIL",
        "24",
        "CONTACT",
        "WHEN",
        "ROUT",
        "NEAR",
        "FIRED",
        "COURAGE",
        "\"Elf Archers\"",
        "Elf",
        "Archers",
        "\"",
        "é",
        "#",
        "999999999999",
        "CHARGE",
        "TACTICAL",
        "NOTHING",
    ];
    let mut chance = Chance::numbered(7);
    for _ in 0..4_000 {
        let line: Vec<&str> = (0..=chance.below(8)).map(|_| chance.one(&words)).collect();
        let line = line.join(" ");
        let (read, _) = rules.read_back(&view, &line);
        assert!(read.orders.len() <= 1 && read.remarks.len() <= 4, "{line}: {read:?}");
        let _ = rules.likeness(&line);
    }
}

/// No two units are sent to one hex.
#[test]
fn the_form_suggests_a_hex_of_its_own_to_each() {
    let mut suggested = 0;
    for name in BATTLES {
        let rules = battle(name);
        let form = rules.form(&view_after(&rules, Side::A, 4)).join("\n");
        let goals: Vec<&str> = form.lines().filter_map(|line| Some(line.split_once(" TO ")?.1)).collect();
        let mut others = goals.clone();
        others.sort_unstable();
        others.dedup();
        assert_eq!(goals.len(), others.len(), "{name}: {form}");
        suggested += goals.len();
    }
    assert!(suggested > BATTLES.len(), "{suggested}");
}

/// However a queue is parted into lines, it has no more tasks than a line may have: else it couldn't be written in one.
#[test]
fn a_queue_is_no_longer_than_a_line_of_it_may_be() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let read = read_orders(&rules, &view, "MOVE 1 W x59\nMOVE 1 W x60");
    assert_eq!(read.orders.len(), 1, "{read:?}");
    assert!(read.remarks[0].weight == Weight::Error, "{read:?}");
    assert_eq!(read_orders(&rules, &view, "MOVE 1 W x59\nMOVE 1 W").remarks, [], "sixty are allowed");
}

/// The form sent back as it is leaves every queue and stance as it was.
#[test]
fn the_form_says_what_stands() {
    let rules = battle("kingdoms");
    let set = "MOVE 1 1 1 TO 0908 2\nATTACK 1 B3\nON CONTACT 1 CHARGE\nSTANCE 2 ADVANCE TO 1008\nCAST 3 COURAGE 2 WHEN ROUT NEAR\n\
               HOLD 3 UNTIL 100\nMOVE 4 2 2 2 2 2 2 2 2 2 2";
    let seat = rules.battle().army(Side::A).commanders[0].seat.clone();
    let mut orders = |t: u32, view: &View| match (t, &view.seat) {
        (4, own) if *own == seat => read_orders(&rules, view, set),
        _ => Reading::default(),
    };
    let view = after(&rules, 4, &mut orders, &seat);
    let form = rules.form(&view).join("\n");
    assert!(
        form.contains("ON CONTACT A1 CHARGE\n") && form.contains("\nSTANCE A2 ADVANCE TO 1008\n"),
        "{form}"
    );
    let read = read_orders(&rules, &view, &form);
    assert!(read.remarks.is_empty() && !read.orders.is_empty(), "{form}\n{read:?}");
    for (id, before) in &view.charges {
        let charge = before.clone().after(*id, read.orders.iter().map(|placed| &placed.order));
        assert_eq!(&charge, before, "{id}: {form}");
    }
    let first = view_after(&rules, Side::A, 1);
    let first = rules.form(&first);
    for word in
        ["MOVE", "ATTACK", "FIRE", "CAST", "HOLD", "STANCE", "ON", "CANCEL", "DETAIL", "MAP", "DEPLOY"]
    {
        assert!(first.iter().any(|line| line.starts_with(&format!("# {word} "))), "{word}: {first:#?}");
    }
    assert!(first.iter().all(|line| line.starts_with('#') && line.chars().count() <= 78));
}
