//! What a player's mail orders: the block in it, and what was passed over beside it.

use super::Game;
use crate::dice::{Block, Seat};
use crate::engine::orders::Likeness;
use crate::engine::sheet::Sheet;
use crate::letter::{self, Body, LineKind, Orders, Source};

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
}

impl OrderMail {
    /// A block that came by itself.
    #[must_use]
    pub const fn bare(block: Block) -> Self {
        Self { block, passed_over: Vec::new(), marked: true }
    }
}

/// Finds the orders in a mail from `seat`; none if it has none, or only the form as it was mailed.
#[must_use]
pub fn read_orders_of(game: &dyn Game, seat: &Seat, body: &Body) -> Option<OrderMail> {
    let kind = |line: &str| kind_of(game, line);
    let found = letter::find_orders(&body.text, body.orders_attachment.as_deref(), &kind);
    let (block, marked, quoted) = match found.orders {
        Orders::Block { block, source } => (block, true, source == Source::Quoted),
        Orders::Unterminated(block) => (block, true, false),
        Orders::Recognised { block, .. } => (block, false, false),
        Orders::None => return None,
    };
    let lines = |text: &str| -> Vec<String> {
        let orders = text.lines().map(str::trim).filter(|line| kind(line) == LineKind::Order);
        orders.map(str::to_ascii_lowercase).collect()
    };
    if quoted && lines(block.as_str()) == lines(&game.form(seat).join("\n")) {
        return None;
    }
    Some(OrderMail { block, passed_over: found.passed_over, marked })
}

/// What a line that stands alone in a mail is: an order of the game or of the host, something beside one, or prose.
fn kind_of(game: &dyn Game, line: &str) -> LineKind {
    let sheet = Sheet::of(line);
    if sheet.ready || sheet.wait || sheet.join {
        return LineKind::Order;
    }
    if sheet.orders.trim().is_empty() && !line.trim().is_empty() {
        return LineKind::Beside;
    }
    match game.likeness(line) {
        Likeness::Order => LineKind::Order,
        Likeness::Slip => LineKind::Beside,
        Likeness::Prose if Sheet::is_slip(line) => LineKind::Beside,
        Likeness::Prose => LineKind::Prose,
    }
}
