//! What a player's mail orders: the block in it, and what was passed over beside it.

use super::Game;
use crate::dice::{Block, Seat};
use crate::engine::Awaiting;
use crate::engine::orders::Likeness;
use crate::engine::sheet::Sheet;
use crate::letter::{self, Body, Found, LineKind, Orders};

/// The orders of one mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderMail {
    /// The order block.
    pub block: Block,
    /// Lines that the player wrote and that are not in it: the letter around orders without marks, or what looks like orders
    /// outside the marks.
    pub passed_over: Vec<String>,
    /// Whether the player marked the block.
    pub marked: bool,
    /// Whether a `READY` was left out of the block, because a line beside it may be an order that was not recognised.
    pub held_back: bool,
}

impl OrderMail {
    /// A block that came by itself.
    #[must_use]
    pub const fn bare(block: Block) -> Self {
        Self { block, passed_over: Vec::new(), marked: true, held_back: false }
    }

    /// Whether it is a `READY` or `WAIT` without a mark, and nothing else: it is said of the set that stands.
    #[must_use]
    pub fn is_lone(&self) -> bool {
        let sheet = Sheet::of(self.block.as_str());
        !self.marked && (sheet.ready || sheet.wait) && Sheet::orders(self.block.as_str()).trim().is_empty()
    }

    /// What the mail makes of the set that stands. Every set replaces the one before, whole; but a lone `READY` or `WAIT`
    /// without a mark says when to run that set, and takes no order out of it.
    #[must_use]
    pub fn upon(self, standing: Option<&Block>) -> Self {
        let Some(standing) = standing.filter(|_| self.is_lone()) else { return self };
        let salted = self.block.salt();
        let kept = standing.as_str().lines().filter(|line| {
            let host = Sheet::of(line);
            !(host.ready || host.wait || salted && Block::canonical(line).salt())
        });
        let lines: Vec<&str> = kept.chain(self.block.as_str().lines()).collect();
        Self { block: Block::canonical(&lines.join("\n")), ..self }
    }
}

/// The lines that are struck out in a mail from `seat` that has no orders.
#[must_use]
pub fn struck_lines_of(game: &dyn Game, seat: &Seat, body: &Body) -> Vec<String> {
    let found = found_in(game, seat, body);
    if found.orders == Orders::None { found.passed_over } else { Vec::new() }
}

fn found_in(game: &dyn Game, seat: &Seat, body: &Body) -> Found {
    let (form, attached) = (game.form(seat).join("\n"), body.orders_attachment.as_deref());
    letter::find_orders(&body.text, attached, &form, &|line| kind_of(game, line))
}

/// Finds the orders in a mail from `seat`; none if it has none, or only the form as it was mailed.
#[must_use]
pub fn read_orders_of(game: &dyn Game, seat: &Seat, body: &Body) -> Option<OrderMail> {
    let order_mail = taken(found_in(game, seat, body))?;
    // An invitation's form confirms a seat. Once the game has begun it orders nothing, and must not take the place of orders.
    if only_joins(Some(game), &order_mail.block) && !matches!(game.awaiting(), Awaiting::Founding) {
        return None;
    }
    without_hasty_ready(game, order_mail)
}

/// Whether a block confirms a seat and orders nothing else.
#[must_use]
pub fn only_joins(game: Option<&dyn Game>, block: &Block) -> bool {
    let lines = block.as_str().lines().map(str::trim);
    let mut orders = lines.filter(|line| kind_by(game, line) == LineKind::Order);
    orders.next().is_some_and(|line| Sheet::of(line).join) && orders.next().is_none()
}

/// The orders in a mail by these rules, for somebody who knows no more of its sender than the form that the mail answers; without rules any
/// line that is not the host's may be an order. None if the mail has none, or only those of the form.
#[must_use]
pub fn orders_beside(
    game: Option<&dyn Game>,
    form: &str,
    text: &str,
    attached: Option<&str>,
) -> Option<OrderMail> {
    let order_mail = taken(letter::find_orders(text, attached, form, &|line| kind_by(game, line)))?;
    match game {
        Some(game) => without_hasty_ready(game, order_mail),
        None => Some(order_mail),
    }
}

fn kind_by(game: Option<&dyn Game>, line: &str) -> LineKind {
    game.map_or_else(|| kind_without_rules(line), |game| kind_of(game, line))
}

fn taken(found: Found) -> Option<OrderMail> {
    let (block, marked) = match found.orders {
        Orders::Block { block, .. } | Orders::Unterminated(block) => (block, true),
        Orders::Recognised(block) => (block, false),
        Orders::None => return None,
    };
    Some(OrderMail { block, passed_over: found.passed_over, marked, held_back: false })
}

fn without_hasty_ready(game: &dyn Game, order_mail: OrderMail) -> Option<OrderMail> {
    let is_hasty = !order_mail.marked && order_mail.passed_over.iter().any(|line| may_be_meant(game, line));
    if is_hasty { without_ready(order_mail) } else { Some(order_mail) }
}

/// Whether a line that was read as a letter may be an order all the same, or say something of `READY`: `not ready yet`.
fn may_be_meant(game: &dyn Game, line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["ready", "wait"].iter().any(|host| word.eq_ignore_ascii_case(host)))
        || matches!(game.likeness(line), Likeness::Doubtful)
}

/// The same without its `READY`: what may be a forgotten order must not run a turn. None if nothing else is in it.
fn without_ready(order_mail: OrderMail) -> Option<OrderMail> {
    let lines = order_mail.block.as_str().lines();
    let kept: Vec<&str> = lines.filter(|line| !Sheet::of(line).ready).collect();
    let held_back = kept.len() < order_mail.block.as_str().lines().count();
    (!kept.is_empty()).then(|| OrderMail {
        block: Block::canonical(&kept.join("\n")),
        held_back,
        ..order_mail
    })
}

/// What a line that stands alone in a mail is: an order of the game or of the host, something beside one, or prose.
#[must_use]
pub fn kind_of(game: &dyn Game, line: &str) -> LineKind {
    hosts_kind(line).unwrap_or_else(|| match game.likeness(line) {
        Likeness::Order => LineKind::Order,
        Likeness::Slip => LineKind::Beside,
        Likeness::Doubtful | Likeness::Prose if Sheet::is_slip(line) => LineKind::Beside,
        Likeness::Doubtful | Likeness::Prose => LineKind::Prose,
    })
}

/// The same where no rules are at hand: whatever is not the host's may be an order.
#[must_use]
pub fn kind_without_rules(line: &str) -> LineKind {
    let bare = if line.trim().is_empty() { LineKind::Prose } else { LineKind::Order };
    hosts_kind(line).unwrap_or(bare)
}

/// What a line is that is the same in every game.
fn hosts_kind(line: &str) -> Option<LineKind> {
    // Nearly all lines of a form: asked first.
    if line.trim_start().starts_with('#') {
        return Some(LineKind::Prose);
    }
    let sheet = Sheet::of(line);
    if sheet.ready || sheet.wait || sheet.join {
        return Some(LineKind::Order);
    }
    Sheet::is_hosts(line).then_some(LineKind::Beside)
}
