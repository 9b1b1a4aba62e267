//! The orders that a player's mail may hold, read as the host reads them, and whether those that the host returned for it are these.

use super::mail::Mail;
use super::own::Own;
use musterd_desk::Game;
use musterd_desk::mail::{LineKind, may_read_as, possible_forms};
use musterd_desk::order_mail::{OrderMail, kind_of, only_joins, orders_beside};
use musterd_dice::{Block, Digest};
use musterd_engine::sheet::Sheet;
use musterd_letter::strip_quote_marks;

/// A player's mail, read.
pub(super) struct Reading<'a> {
    pub(super) mail: &'a Mail,
    own: &'a Own,
    game: Option<&'a dyn Game>,
    /// What it may order; several where only the form that it answers could tell, or where copies of it differ.
    orders: Vec<OrderMail>,
    /// Whether all that it orders may be the lines of a form as it was mailed.
    may_be_form: bool,
}

impl<'a> Reading<'a> {
    /// Reads a mail, if it is a player's own. Without the rules of its game only marks tell orders from prose.
    pub(super) fn of(mail: &'a Mail, game: Option<&'a dyn Game>) -> Option<Self> {
        let own = &**mail.own.as_ref()?;
        let read = |form: &str, file: Option<&str>| orders_beside(game, form, &own.body(file));
        // A block that repeats the form's orders is passed over, so without the form there are two readings of each copy at most.
        let copies: Vec<(OrderMail, Option<OrderMail>)> = files_of(own)
            .filter_map(|file| read("", file).map(|first| (read(first.block.as_str(), file), first)))
            .map(|(second, first)| (first, second))
            .collect();
        // No form is mailed with these lines, but for an invitation's, which counts.
        let is_own = |first: &OrderMail| {
            let sheet = Sheet::of(first.block.as_str());
            sheet.ready || sheet.wait || sheet.join
        };
        let may_be_form =
            !copies.is_empty() && copies.iter().all(|(first, second)| second.is_none() && !is_own(first));
        let orders = match game {
            Some(rules) => {
                // What stands above a form may be all of it that counts.
                let text = own.text(&|line| kind_of(rules, line));
                let above = files_of(own).flat_map(|file| {
                    let forms = possible_forms(&text, file);
                    forms.into_iter().filter_map(move |form| read(form.as_str(), file))
                });
                let above: Vec<OrderMail> = above.collect();
                let all = copies.into_iter().flat_map(|(first, second)| [Some(first), second]).flatten();
                all.chain(above).collect()
            }
            None if own.blocks.is_empty() => {
                let loose = own.loose.iter().cloned().map(OrderMail::bare);
                let loose = loose.map(|loose| OrderMail { marked: false, ..loose });
                loose.filter(OrderMail::is_lone).collect()
            }
            None => own.blocks.iter().cloned().map(OrderMail::bare).collect(),
        };
        Some(Self { mail, own, game, orders, may_be_form })
    }

    /// The SHA-256 of its text, with the line ends below it that a copy may have.
    pub(super) const fn texts(&self) -> &[Digest] {
        &self.own.texts
    }

    /// Whether it orders nothing if this is the form that its player was mailed.
    pub(super) fn is_form(&self, form: &Block) -> bool {
        let mut copies =
            files_of(self.own).map(|file| orders_beside(self.game, form.as_str(), &self.own.body(file)));
        copies.all(|orders| orders.is_none())
    }

    /// Whether it orders nothing if its player was mailed a form with just these lines: without that form nobody can tell.
    pub(super) const fn may_be_form(&self) -> bool {
        self.may_be_form
    }

    /// Whether nobody can tell here that the host could read any of it: lines without marks of which none can be read are no orders.
    pub(super) fn may_be_unread(&self) -> bool {
        self.orders.iter().all(|orders| !orders.marked && !orders.is_lone())
    }

    /// Whether it confirms the seat; and whether it orders nothing else.
    pub(super) fn joins(&self) -> (bool, bool) {
        let joins = self.blocks().any(|block| Sheet::of(block.as_str()).join);
        (joins, joins && self.blocks().all(|block| only_joins(self.game, block)))
    }

    /// Whether there may be orders in it that nobody can tell from prose here.
    pub(super) fn is_unclear(&self) -> bool {
        self.game.is_none() && self.orders.is_empty() && self.own.loose.is_some()
    }

    /// Whether it is a `READY` or `WAIT` alone, which is said of the set that stands.
    pub(super) fn is_lone(&self) -> bool {
        !self.orders.is_empty() && self.orders.iter().all(OrderMail::is_lone)
    }

    /// Whether it may be said of a set that stands.
    pub(super) fn has_lone(&self) -> bool {
        self.orders.iter().any(OrderMail::is_lone)
    }

    /// The sets that it may be by itself.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let marked = if self.orders.is_empty() { &[] } else { &self.own.blocks[..] };
        self.orders.iter().flat_map(with_ready_or_without).chain(marked)
    }

    /// What it may make of a set that stands.
    pub(super) fn upon(&self, standing: &Block) -> impl Iterator<Item = Block> {
        self.orders
            .iter()
            .filter(|orders| orders.is_lone())
            .map(|lone| lone.clone().upon(Some(standing), self.game).block)
    }

    /// Whether the orders that the host returned for it are others. What a host of another version reads otherwise is none: a number
    /// before an order, or prose that is one by now.
    pub(super) fn is_another(&self, returned: &Block) -> bool {
        let may_be = |orders: &OrderMail| match (orders.marked, self.game) {
            _ if with_ready_or_without(orders).any(|block| block == returned) => true,
            // The set that stood may be lost; it is asked about by itself.
            _ if orders.is_lone() => ends_with(returned, &orders.block),
            (true, _) => with_ready_or_without(orders).any(|block| has_each(block, returned)),
            (false, Some(game)) => self.may_be_picked(game, &orders.block, returned),
            (false, None) => true,
        };
        let is_told = self.game.is_some() || self.own.marked;
        is_told
            && !self.orders.is_empty()
            && !self.own.blocks.iter().any(|block| has_each(block, returned))
            && !self.orders.iter().any(may_be)
    }

    /// Whether all that was returned stands in the mail, in this order, and no line that is an order just as it stands was left out.
    fn may_be_picked(&self, game: &dyn Game, orders: &Block, returned: &Block) -> bool {
        let enclosed = self.own.enclosed.iter().filter_map(|one| one.text.as_ref());
        let attached = self.own.attached.iter().chain(enclosed).flat_map(|file| file.lines());
        let text = self.own.text(&|line| kind_of(game, line));
        let lines: Vec<&str> = text.lines().chain(attached).map(strip_quote_marks).collect();
        let mut rest = lines.iter();
        let stands = |read: &str| rest.any(|line| may_be_one(line, read));
        let is_left_out = |order: &&str| {
            kind_of(game, order.trim()) == LineKind::Order
                && lines.iter().any(|line| line.trim() == order.trim())
                && !returned.as_str().lines().any(|read| may_be_one(order, read))
        };
        returned.as_str().lines().all(stands) && !orders.as_str().lines().any(|order| is_left_out(&order))
    }
}

/// What a mail orders, and the same as hosts took it that let a READY count beside what they hadn't read.
fn with_ready_or_without(orders: &OrderMail) -> impl Iterator<Item = &Block> {
    std::iter::once(&orders.block).chain(&orders.with_ready)
}

/// The orders that are attached to each copy of a mail.
fn files_of(own: &Own) -> impl Iterator<Item = Option<&str>> {
    let none = own.attached.is_empty().then_some(None);
    own.attached.iter().map(|file| Some(file.as_str())).chain(none)
}

/// Whether two blocks have the same lines but for how they are spelt.
fn has_each(one: &Block, other: &Block) -> bool {
    let (one, other) = (one.as_str().lines(), other.as_str().lines());
    one.clone().count() == other.clone().count() && one.zip(other).all(|(one, other)| may_be_one(one, other))
}

/// Whether one of two lines may have become the other, in whichever version of this program.
fn may_be_one(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    may_read_as(one, other) || may_read_as(other, one)
}

fn ends_with(block: &Block, lines: &Block) -> bool {
    block.as_str().ends_with(lines.as_str())
}
