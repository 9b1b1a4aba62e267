//! Orders that a player asks about before giving them: a set that is only tried, the odds of one order. Both are read as orders are, against what the
//! seat knows, and change nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Asking;
use crate::inbox::incoming::Incoming;
use crate::response::{Early, Responded, Response, wrong};
use musterd_desk::campaign::ReadBack;
use musterd_desk::mail::own_words;
use musterd_desk::order_mail::OrderMail;
use musterd_dice::Block;
use musterd_engine::Awaiting;
use musterd_engine::orders::{Recap, Remark, Understood, Weight};
use musterd_report::Told;
use musterd_report::letters::{self, Reason};
use musterd_report::text::{self, listed};
use musterd_text::nouns::count;

/// The lines of a mail whose orders don't count now that were read neither as orders nor as commands: no receipt tells of them.
pub(super) fn beside(orders: &OrderMail) -> Option<String> {
    passed_over(orders.passed_over.iter().chain(&orders.form_lines).map(String::as_str))
}

/// The same of a mail without orders: the first of its writer's own lines.
pub(super) fn beside_none(mail: &Incoming<'_>) -> Option<String> {
    let own = own_words(&mail.rest.text);
    passed_over(
        own.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).take(MOST),
    )
}

fn passed_over<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let lines: Vec<String> = lines.map(|line| format!("`{line}`")).collect();
    (!lines.is_empty()).then(|| {
        format!(
            "Not read, as orders or as commands: {}. Commands stand on top, each on a line of its own.",
            listed(&lines)
        )
    })
}

/// How many lines are named of a mail in which no order was found.
const MOST: usize = 5;

impl Asking<'_, '_> {
    /// `TRY`: what the receipt for the orders in this mail would tell.
    pub(super) fn try_orders(&mut self) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        self.takes_orders()?;
        let campaign = self.campaign();
        let orders = match mail.orders_aside(campaign, seat) {
            Ok(orders) => orders,
            Err(Reason::NoOrders) => {
                let told = "There are no orders in this mail that could be tried: write them below TRY, as you would send them.";
                let paragraphs = beside_none(mail).into_iter().chain([told.to_owned()]).collect();
                return Err(Early::With(Response::refused(paragraphs)));
            }
            Err(reason) => return wrong(format!("Nothing was tried: {}.", reason.in_words())),
        };
        let standing = campaign.window().and_then(|window| window.accepted.get(seat));
        // What is said of a set alone is said of the one that stands, as it would be.
        let orders = orders.upon(standing.map(|accepted| &accepted.block), Some(campaign.game()));
        let read = campaign.read_ahead(seat, &orders.block);
        let ReadBack { recap, remarks } = &*read;
        let errors = remarks.iter().filter(|remark| remark.weight == Weight::Error).map(|remark| remark.line);
        let errors = errors.collect::<BTreeSet<_>>().len();
        let stands = campaign.window().and_then(|window| window.accepted.get(seat));
        let stands = match stands.map(|standing| campaign.read_back(seat, standing).recap.orders.len()) {
            None => "No orders of yours are here for the turn.".to_owned(),
            Some(0) => "The set of yours that is here for the turn, which holds no orders, stays as it is."
                .to_owned(),
            Some(n) => format!(
                "Your {} for the turn {} as before.",
                count(n, "order"),
                if n == 1 { "stands" } else { "stand" }
            ),
        };
        let tried = format!(
            "This set was only tried, and doesn't count: {} understood, with {}. {stands} Send it without TRY to give it.",
            count(recap.orders.len(), "order"),
            if errors == 0 { "no errors".to_owned() } else { format!("errors in {}", count(errors, "line")) },
        );
        let page = Told::of_orders(&orders.block, recap, remarks).text;
        Ok(Response { page, ..Response::of(std::iter::once(tried).chain(beside(&orders)).collect()) })
    }

    /// `ODDS`: what one order would come to behind those that stand; or alone, where it doesn't go with them.
    pub(super) fn odds_of(&mut self, order: &str) -> Responded {
        self.takes_orders()?;
        let (campaign, seat) = (self.campaign(), self.seat);
        let alone = Block::canonical(order);
        let stands =
            campaign.window().and_then(|window| window.accepted.get(seat)).map(|orders| &orders.block);
        let behind = stands.map(|block| {
            // The host's own lines would be read as what they are; only the last line is told of.
            let both = Block::canonical(&format!("{}{order}", block.as_str()));
            let line = both.as_str().lines().count();
            (line, campaign.read_ahead(seat, &both))
        });
        let is_wrong = |line: usize, read: &ReadBack| {
            read.remarks.iter().any(|remark| remark.line == line && remark.weight == Weight::Error)
        };
        let (read, how): (Arc<ReadBack>, _) = match behind {
            Some((line, read)) if !is_wrong(line, &read) => (
                Arc::new(line_alone(&read, line)),
                "It was read behind the orders of yours that stand, and is not given.",
            ),
            Some(_) => (
                campaign.read_ahead(seat, &alone),
                "It doesn't go with the orders of yours that stand: it was read without them, and is not given.",
            ),
            None => (campaign.read_ahead(seat, &alone), "It was read as your only order, and is not given."),
        };
        let told = Recap { orders: read.recap.orders.clone(), ..Recap::default() };
        let page = Told::of_orders(&alone, &told, &read.remarks).text;
        if told.orders.is_empty() {
            return Err(Early::With(Response {
                page,
                ..Response::wrong("This is no order that can be given now.")
            }));
        }
        Ok(Response { page, ..Response::of(vec![how.to_owned()]) })
    }

    /// `REACH`: where units get in their coming move.
    pub(super) fn reach_of(&mut self, units: &str) -> Responded {
        self.takes_orders()?;
        match self.campaign().game().reach(self.seat, units) {
            Ok(reach) => {
                let told = format!("{}, as far as you know the position.", reach.title.trim_end_matches('.'));
                Ok(Response { page: text::sections(&reach), ..Response::of(vec![told]) })
            }
            Err(remark) => {
                // The remark points into what stands behind the command's word.
                let page = letters::problems(
                    &Block::canonical(units),
                    std::slice::from_ref(&Remark { line: 1, ..remark }),
                );
                Err(Early::With(Response { page, ..Response::wrong("This can't be answered.") }))
            }
        }
    }

    /// Why nothing can be tried now.
    fn takes_orders(&self) -> Result<(), Early> {
        let campaign = self.campaign();
        if campaign.window().is_none() {
            return wrong("No orders are taken now, so none can be tried.");
        }
        match campaign.game().awaiting() {
            Awaiting::Founding => {
                wrong("The game has not begun: there is no position yet in which orders could be tried.")
            }
            Awaiting::Orders { .. } | Awaiting::Over { .. } => Ok(()),
        }
    }
}

/// The reading of one line of a set, as if it were the first.
fn line_alone(read: &ReadBack, line: usize) -> ReadBack {
    let orders = read.recap.orders.iter().filter(|order| order.line == line).cloned();
    let orders = orders.map(|order| Understood { line: 1, ..order }).collect();
    let remarks = read.remarks.iter().filter(|remark| remark.line == line).cloned();
    let remarks = remarks.map(|remark| Remark { line: 1, ..remark }).collect();
    ReadBack { recap: Recap { orders, ..Recap::default() }, remarks }
}
