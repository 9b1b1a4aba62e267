//! Standing orders of a unit that is gone.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seat};
use musterd_engine::{Match, Ruleset};

use super::Loose;

/// A standing order of a seat's, given once `before` adjudications have run; what the GM makes of its unit then, and how the unit is called.
pub(crate) struct Told<'a> {
    pub(crate) before: u32,
    pub(crate) seat: &'a str,
    pub(crate) order: &'a str,
    pub(crate) change: &'a str,
    pub(crate) unit: &'a str,
}

/// The order form of its seat, and of no other, says once that the order has ended with its unit.
pub(crate) fn ends_with_its_unit<R: Ruleset>(mut table: Match<R>, told: &Told<'_>) {
    let seat: Seat = told.seat.parse().unwrap();
    let mut dice = Loose::numbered(1);
    let mut t = 0;
    let mut run = |table: &mut Match<R>, orders: &str| {
        t += 1;
        let blocks = BTreeMap::from([(seat.clone(), Block::canonical(orders))]);
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        table.adopt(&adjudication.events).unwrap();
    };
    let said = |table: &Match<R>, of: &Seat| {
        let form = table.form(of);
        assert!(form.iter().all(|line| line.chars().count() <= 78), "{form:#?}");
        let comments: Vec<&str> = form.iter().filter_map(|line| line.strip_prefix('#')).collect();
        let comments: Vec<&str> = comments.iter().flat_map(|line| line.split_whitespace()).collect();
        comments.join(" ").matches("has ended").count()
    };
    (0..told.before).for_each(|_| run(&mut table, ""));
    let (reading, _) = table.read(&seat, &Block::canonical(told.order));
    assert!(!reading.has_errors() && !reading.orders.is_empty(), "{:?}", reading.remarks);
    run(&mut table, told.order);
    run(&mut table, told.order);
    assert_eq!(said(&table, &seat), 0, "its unit is there");
    let events = table.amending(told.change).unwrap_or_else(|remark| panic!("{}", remark.text));
    table.amend(&events).unwrap();
    let words = format!("Your standing order for {0} has ended: {0} is gone.", told.unit);
    let form: Vec<String> =
        table.form(&seat).iter().map(|line| line.trim_start_matches(['#', ' ']).to_owned()).collect();
    assert!(form.join(" ").contains(&words), "{form:#?}");
    for other in table.seats().iter().map(|spec| spec.seat.clone()).filter(|other| *other != seat) {
        assert_eq!(said(&table, &other), 0, "nobody else is told: {other}");
    }
    run(&mut table, "");
    assert_eq!(said(&table, &seat), 0, "it is said once");
}
