//! `AHEAD`: orders that are kept for a later turn, and said back when it comes.

use std::collections::BTreeMap;

use super::Asking;
use super::trial::{beside, beside_none};
use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::mails::notices::PlayerNotice;
use crate::response::{Early, Responded, Response, done, wrong, wrong_at};
use musterd_desk::mail::Ahead;
use musterd_dice::{Block, ProtocolLine, Seat};
use musterd_engine::journal::{Author, Change, Left};
use musterd_engine::sheet::Sheet;
use musterd_report::Told;
use musterd_report::letters::{self, Reason};

impl Asking<'_, '_> {
    pub(super) fn leave_orders(&mut self, wanted: &Ahead) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let campaign = self.campaign();
        let kept = campaign.life().ahead.get(seat).cloned();
        let from = self.open_to_ahead()?;
        let turn = match wanted {
            Ahead::Nothing => return self.forget_orders(kept.is_some()),
            Ahead::Next => None,
            Ahead::Turn(turn) => Some(turn.clone()),
        };
        let campaign = self.campaign();
        if let Some(turn) = turn.as_deref().filter(|turn| turn.parse::<u32>().is_err()) {
            let is_over = campaign.window().is_some_and(|window| window.name.as_str() == turn)
                || campaign.ran().values().any(|name| name.as_str() == turn);
            // Each ruleset joins the parts of its turns' names by a dash.
            if is_over || !turn.contains('-') {
                return wrong_at(
                    turn,
                    "This is no turn to come. Write AHEAD alone for your next turn, or a number, as in AHEAD 7. Nothing was kept, and the orders below \
                     don't count.",
                );
            }
        }
        if let Some(t) = turn.as_ref().and_then(|turn| turn.parse::<u32>().ok()).filter(|t| *t <= from) {
            return wrong(format!(
                "Turn {t} is open or over: AHEAD keeps orders for a turn after {from}. Nothing was kept, and the orders below don't count: send them without AHEAD for the open turn."
            ));
        }
        let orders = match mail.orders_aside(campaign, seat) {
            Ok(orders) => orders,
            Err(Reason::NoOrders) => return self.tell_kept(kept),
            Err(reason) => return wrong(format!("Nothing was kept: {}.", reason.in_words())),
        };
        let block = without_ready(&orders.block);
        let read = campaign.read_ahead(seat, &block);
        let page = Told::of_orders(&block, &read.recap, &read.remarks).text;
        // What is marked is kept as it stands: it may be understood when its turn comes.
        if !orders.marked && read.is_nonsense(&block) {
            let told = "None of these lines can be read as an order now, and nothing was kept. Send them again corrected; or between BEGIN ORDERS and \
                        END ORDERS, if they will be right when their turn comes.";
            let page = letters::problems(&block, &read.remarks);
            return Err(Early::With(Response { page, ..Response::wrong(told) }));
        }
        let instead =
            if kept.is_some() { " They take the place of those that were kept before." } else { "" };
        let told = format!(
            "These orders are kept for {}, and don't count before.{instead} When it comes, they count as if you had sent them then, a receipt says them \
             back, and you may send better ones. READY in them doesn't count: look at the dispatch first. Read as things stand now, they would be:",
            for_turn(turn.as_deref())
        );
        let left = Left { from, turn, block, mail: mail.name.to_owned(), arrived: mail.arrived };
        self.settle(
            Change::Ahead { seat: seat.clone(), left: Some(left) },
            "a player leaves orders for a later turn".to_owned(),
        )?;
        Ok(Response { page, ..Response::of(beside(&orders).into_iter().chain([told]).collect()) })
    }

    /// The turn that is open, behind which orders may be left.
    fn open_to_ahead(&self) -> Result<u32, Early> {
        let campaign = self.campaign();
        match campaign.window() {
            _ if campaign.is_over() => wrong("The game is over."),
            _ if campaign.last().is_none() => {
                wrong("The game has not begun: orders can be left once it has.")
            }
            Some(window) => Ok(window.t),
            None => wrong("No turn is open now: send this again after the next dispatch."),
        }
    }

    fn forget_orders(&mut self, is_any: bool) -> Responded {
        if !is_any {
            return wrong("No orders of yours are kept for a later turn.");
        }
        let change = Change::Ahead { seat: self.seat.clone(), left: None };
        self.settle(change, "a player takes back what was left for a later turn".to_owned())?;
        done("The orders that were kept for a later turn are forgotten.")
    }

    /// What is kept, for whoever sends no orders.
    fn tell_kept(&self, kept: Option<Left>) -> Responded {
        let beside = beside_none(self.incoming).into_iter();
        match kept {
            None => {
                let told = "No orders stand below AHEAD, and none of yours are kept for a later turn: write them below it, as you would send them.";
                let paragraphs = beside.chain([told.to_owned()]).collect();
                Err(Early::With(Response::refused(paragraphs)))
            }
            Some(Left { turn, block, .. }) => {
                let told = format!(
                    "These orders of yours are kept for {}; AHEAD NOTHING takes them back:",
                    for_turn(turn.as_deref())
                );
                let page = block.as_str().to_owned();
                Ok(Response { page, ..Response::of(beside.chain([told]).collect()) })
            }
        }
    }
}

fn for_turn(turn: Option<&str>) -> String {
    turn.map_or_else(|| "your next turn after the open one".to_owned(), |turn| format!("turn {turn}"))
}

/// A set without the lines that say that its player is done with a turn which he has not seen, or which heads of the log he has.
fn without_ready(block: &Block) -> Block {
    let stays = |line: &&str| {
        let host = Sheet::of(line);
        !(host.ready
            || host.wait
            || host.join
            || matches!(ProtocolLine::of(line), Some(ProtocolLine::Seen(_))))
    };
    Block::canonical(&block.as_str().lines().filter(stays).collect::<Vec<_>>().join("\n"))
}

impl Sitting<'_> {
    /// Takes in the orders that were left for the turn that has just opened, and says them back.
    pub(crate) fn take_left_orders(&mut self) -> Result<(), HostError> {
        let contacts: BTreeMap<Seat, Option<String>> = self.campaign().until_contact().into_iter().collect();
        for (seat, left) in self.campaign().left_for_now() {
            let of = format!("You left orders in turn {}", left.from);
            let text = "orders that were left have come to their turn";
            let change = Change::Ahead { seat: seat.clone(), left: None };
            self.arrange(Author::Host, change, text)?;
            if self.campaign().takes_left(&seat, &left) {
                let contact = contacts.get(&seat);
                self.take_left(&seat, &left, &of, contact.is_some())?;
                if let Some(Some(contact)) = contact {
                    self.ask_again(&seat, contact)?;
                }
                continue;
            }
            let told = format!(
                "{of} for {}: no such turn takes orders of yours any more, and they are forgotten.",
                for_turn(left.turn.as_deref())
            );
            self.mail(|clerk| clerk.note(&seat, PlayerNotice::new("orders that you left", vec![told])))?;
        }
        Ok(())
    }

    fn take_left(
        &mut self,
        seat: &Seat,
        left: &Left,
        of: &str,
        was_until_contact: bool,
    ) -> Result<(), HostError> {
        let chain = self.chain()?;
        let cause = self.campaign().acceptance(&chain, seat, left.block.clone(), &left.mail, left.arrived);
        let cause = cause.map_err(|e| HostError::campaign(&self.game, e))?;
        self.play(cause)?;
        let told = self.bind_receipt(seat)?;
        let waits = match was_until_contact {
            true => "; READY UNTIL CONTACT ends with them, and the turn waits for your READY",
            false => "",
        };
        let said = format!("{of} for this one: they count from now on, and a new set replaces them{waits}");
        self.mail(|clerk| clerk.receipt_for_left(seat, &left.block, said, told))
    }
}
