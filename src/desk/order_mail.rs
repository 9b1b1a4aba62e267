//! What a player's mail orders: the block in it, and what was passed over beside it.

use super::Game;
use crate::dice::{Block, Seat};
use crate::engine::Awaiting;
use crate::engine::orders::{Likeness, Weight};
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
    /// Changed lines of the quoted form that count for nothing, since the player wrote orders above it.
    pub form_lines: Vec<String>,
    /// Whether the player marked the block.
    pub marked: bool,
    /// Whether a `READY` was left out of the block, because a line beside it may be an order that was not recognised.
    pub held_back: bool,
    /// Whether it has no order at all: `READY`, `WAIT`, questions without a mark.
    pub(crate) aside: bool,
    /// Lines beside it that may be meant as orders.
    pub(crate) doubtful: Vec<String>,
}

/// Why a mail has no orders, as far as that can be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoOrders {
    /// Lines that are struck out.
    pub struck: Vec<String>,
    /// Lines without marks that were taken for orders, none of which can be read.
    pub unread: Option<Block>,
    /// The lines for which its `READY` was left out, though nothing else is in it.
    pub doubtful: Vec<String>,
}

impl OrderMail {
    /// A block that came by itself.
    #[must_use]
    pub const fn bare(block: Block) -> Self {
        Self {
            block,
            passed_over: Vec::new(),
            form_lines: Vec::new(),
            marked: true,
            held_back: false,
            aside: false,
            doubtful: Vec::new(),
        }
    }

    /// Whether it is a `READY`, a `WAIT` or a question without a mark, and nothing else: it is said of the set that stands.
    #[must_use]
    pub fn is_lone(&self) -> bool {
        let sheet = Sheet::of(self.block.as_str());
        let is_hosts = || (sheet.ready || sheet.wait) && Sheet::orders(self.block.as_str()).trim().is_empty();
        !self.marked && (self.aside || is_hosts())
    }

    /// What the mail makes of the set that stands. Every set replaces the one before, whole; but a lone `READY` or `WAIT`
    /// without a mark says when to run that set, and a question asks beside it: neither takes an order out of it.
    #[must_use]
    pub fn upon(self, standing: Option<&Block>, game: Option<&dyn Game>) -> Self {
        let Some(standing) = standing.filter(|_| self.is_lone()) else { return self };
        let salted = self.block.salt();
        let said = Sheet::of(self.block.as_str());
        // Whoever asks anew has had the answers to what he asked before: else the set would grow with every question.
        let is_question = |line: &str| {
            let is_aside = |game| kind_of(game, line) == LineKind::Aside && !Sheet::is_hosts(line);
            game.is_some_and(is_aside)
        };
        let asks = self.block.as_str().lines().any(is_question);
        let kept = standing.as_str().lines().filter(|line| {
            let host = Sheet::of(line);
            let is_over = (said.ready || said.wait) && (host.ready || host.wait);
            !(is_over || salted && Block::canonical(line).salt() || asks && is_question(line))
        });
        let lines: Vec<&str> = kept.chain(self.block.as_str().lines()).collect();
        Self { block: Block::canonical(&lines.join("\n")), ..self }
    }
}

fn found_in(game: &dyn Game, seat: &Seat, body: &Body) -> Found {
    let form = game.form(seat).join("\n");
    let kind = |line: &str| kind_of(game, line);
    letter::find_orders(&body.unflowed(&kind), body.orders_attachment.as_deref(), &form, &kind)
}

/// Finds the orders in a mail from `seat`.
///
/// # Errors
/// When it has none, or only the form as it was mailed, or lines without marks of which none can be read.
pub fn read_orders_of(game: &dyn Game, seat: &Seat, body: &Body) -> Result<OrderMail, NoOrders> {
    let order_mail = taken(Some(game), found_in(game, seat, body))?;
    // An invitation's form confirms a seat. Once the game has begun it orders nothing, and must not take the place of orders.
    if only_joins(Some(game), &order_mail.block) && !matches!(game.awaiting(), Awaiting::Founding) {
        return Err(NoOrders::default());
    }
    if !order_mail.is_lone() && !can_be_read(game, seat, &order_mail) {
        return Err(NoOrders { unread: Some(order_mail.block), ..NoOrders::default() });
    }
    without_hasty_ready(order_mail)
}

/// Whether a block confirms a seat and orders nothing else.
#[must_use]
pub fn only_joins(game: Option<&dyn Game>, block: &Block) -> bool {
    let lines = block.as_str().lines().map(str::trim);
    let mut orders = lines.filter(|line| matches!(kind_by(game, line), LineKind::Order | LineKind::Aside));
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
    let found = letter::find_orders(text, attached, form, &|line| kind_by(game, line));
    taken(game, found).and_then(without_hasty_ready).ok()
}

fn kind_by(game: Option<&dyn Game>, line: &str) -> LineKind {
    game.map_or_else(|| kind_without_rules(line), |game| kind_of(game, line))
}

/// Whether there is an order among lines without marks that isn't wrong altogether: else a date or a signature would take back the orders
/// that stand.
fn can_be_read(game: &dyn Game, seat: &Seat, order_mail: &OrderMail) -> bool {
    let block = &order_mail.block;
    if order_mail.marked || matches!(game.awaiting(), Awaiting::Founding) || Sheet::of(block.as_str()).join {
        return true;
    }
    let (_, remarks) = game.read(seat, block);
    let is_wrong = |line: usize| remarks.iter().any(|it| it.line == line && it.weight == Weight::Error);
    let mut lines = (1..).zip(block.as_str().lines());
    lines.any(|(line, text)| kind_of(game, text) == LineKind::Order && !is_wrong(line))
}

/// The orders found, without a `READY` where a line beside them may be meant as an order.
fn taken(game: Option<&dyn Game>, found: Found) -> Result<OrderMail, NoOrders> {
    let Found { orders, passed_over, form_lines, letter: beside } = found;
    let (aside, marked) = (
        matches!(orders, Orders::Aside(_)),
        matches!(orders, Orders::Block { .. } | Orders::Unterminated(_)),
    );
    let block = match orders {
        Orders::Block { block, .. }
        | Orders::Unterminated(block)
        | Orders::Recognised(block)
        | Orders::Aside(block) => block,
        Orders::Slips(block) => {
            return Err(NoOrders { struck: passed_over, unread: Some(block), ..NoOrders::default() });
        }
        Orders::None => return Err(NoOrders { struck: passed_over, ..NoOrders::default() }),
    };
    // What introduces a quotation in a language that we don't know may show the seat's secret.
    let passed_over: Vec<String> = passed_over.into_iter().map(letter::without_secrets).collect();
    let beside = if marked { beside } else { passed_over.clone() };
    let doubtful: Vec<String> =
        beside.into_iter().filter(|line| game.is_some_and(|game| may_be_meant(game, line))).collect();
    let passed_over = if marked { [passed_over, doubtful.clone()].concat() } else { passed_over };
    let order_mail = OrderMail { passed_over, form_lines, marked, aside, ..OrderMail::bare(block) };
    Ok(OrderMail { doubtful, ..order_mail })
}

/// The same without its `READY`, if what may be a forgotten order stands beside it: that must not run a turn.
fn without_hasty_ready(order_mail: OrderMail) -> Result<OrderMail, NoOrders> {
    if order_mail.doubtful.is_empty() && order_mail.form_lines.is_empty() {
        return Ok(order_mail);
    }
    let lines = order_mail.block.as_str().lines();
    let kept: Vec<&str> = lines.filter(|line| !Sheet::of(line).ready).collect();
    let held_back = kept.len() < order_mail.block.as_str().lines().count();
    if kept.is_empty() {
        return Err(NoOrders { doubtful: order_mail.doubtful, ..NoOrders::default() });
    }
    Ok(OrderMail { block: Block::canonical(&kept.join("\n")), held_back, ..order_mail })
}

/// Whether a line that was read as a letter may be an order all the same, or say something of `READY`: `not ready yet`.
fn may_be_meant(game: &dyn Game, line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["ready", "wait"].iter().any(|host| word.eq_ignore_ascii_case(host)))
        || matches!(game.likeness(line), Likeness::Doubtful)
}

/// What a line that stands alone in a mail is: an order of the game or of the host, something beside one, or prose.
#[must_use]
pub fn kind_of(game: &dyn Game, line: &str) -> LineKind {
    hosts_kind(line).unwrap_or_else(|| match game.likeness(line) {
        Likeness::Order => LineKind::Order,
        Likeness::Question => LineKind::Aside,
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
    if sheet.join {
        return Some(LineKind::Order);
    }
    if sheet.ready || sheet.wait {
        return Some(LineKind::Aside);
    }
    Sheet::is_hosts(line).then_some(LineKind::Beside)
}
