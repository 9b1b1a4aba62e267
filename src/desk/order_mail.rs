//! The orders in a player's mail: the block, and the lines that were skipped beside it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Game;
use super::campaign::{Campaign, ReadBack};
use crate::mail::{self, Found, Given, LineKind, Orders, Unread, UnreadIn};
use musterd_dice::{Block, ProtocolLine, Seat};
use musterd_engine::Awaiting;
use musterd_engine::orders::{Likeness, Weight};
use musterd_engine::particulars::is_disclaimer;
use musterd_engine::sheet::Sheet;
use musterd_engine::tokens::cut;
use musterd_letter::Body;

/// The orders of one mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderMail {
    /// The order block.
    pub block: Block,
    /// The player's own lines that are not in the block: the letter around unmarked orders, or lines outside the marks that look like orders.
    pub passed_over: Vec<String>,
    /// Changed lines of the quoted form that don't count, because the player wrote orders above it.
    pub form_lines: Vec<String>,
    /// Whether the player marked the block.
    pub marked: bool,
    /// Whether the mark at its end is missing.
    pub unended: bool,
    /// Whether a `READY` was left out of the block, because something beside it may be an order that was not read.
    pub held_back: bool,
    /// Other parts of the mail that may hold orders and were not read.
    pub unread: Vec<Unread>,
    /// Commands in the mail that ask for time, for days away or to give up the seat, whether or not they were obeyed: with one of them no `READY`
    /// counts.
    pub asks: Vec<String>,
    /// Whether it contains no order: only `READY`, `WAIT` or questions, without marks.
    pub aside: bool,
    /// Lines beside the block that may be meant as orders.
    pub doubtful: Vec<String>,
    /// The block with the `READY` that was left out.
    pub with_ready: Option<Block>,
    /// The reading of the block, if it is already known.
    pub read: Option<Arc<ReadBack>>,
}

/// Why a mail has no orders, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoOrders {
    /// Lines that are struck out.
    pub struck: Vec<String>,
    /// Unmarked lines that were taken for orders, none of which can be read.
    pub unread: Option<Box<Block>>,
    /// The lines because of which its `READY`, its only content, was left out.
    pub doubtful: Vec<String>,
    /// Other parts that may hold orders and were not read.
    pub parts: Vec<Unread>,
    /// The commands because of which its `READY`, its only content, was left out.
    pub asks: Vec<String>,
    /// Whether it has only a `JOIN`, for a seat that is confirmed long since.
    pub joins: bool,
}

impl OrderMail {
    /// A block without anything beside it.
    pub const fn bare(block: Block) -> Self {
        Self {
            block,
            passed_over: Vec::new(),
            form_lines: Vec::new(),
            marked: true,
            unended: false,
            held_back: false,
            unread: Vec::new(),
            asks: Vec::new(),
            aside: false,
            doubtful: Vec::new(),
            with_ready: None,
            read: None,
        }
    }

    /// Whether it only consists of a `READY`, a `WAIT` or a question without marks: it then applies to the present set.
    pub fn is_lone(&self) -> bool {
        let sheet = Sheet::of(self.block.as_str());
        let is_hosts = || (sheet.ready || sheet.wait) && Sheet::orders(self.block.as_str()).trim().is_empty();
        !self.marked && (self.aside || is_hosts())
    }

    /// Whether a part of the mail may be an order that was not read, so that its `READY` doesn't count.
    fn holds(&self) -> bool {
        !(self.doubtful.is_empty()
            && self.form_lines.is_empty()
            && self.unread.is_empty()
            && self.asks.is_empty())
    }

    /// Applies the mail to the present set. Every set replaces the one before as a whole. But a lone `READY` or `WAIT` without marks only says when
    /// to run the present set, and a question is only answered: neither removes an order from it.
    pub fn upon(self, standing: Option<&Block>, game: Option<&dyn Game>) -> Self {
        let Some(standing) = standing.filter(|_| self.is_lone()) else { return self };
        let salted = self.block.salt();
        let said = Sheet::of(self.block.as_str());
        // The earlier questions of a player were answered; without this the set would grow with every question.
        let is_question = |line: &str| {
            let is_aside = |game| kind_of(game, line) == LineKind::Aside && !Sheet::is_hosts(line);
            game.is_some_and(is_aside)
        };
        let asks = self.block.as_str().lines().any(is_question);
        // The unread part may be meant to change the set, so the set's `READY` is left out too.
        let is_held = |host: Sheet| host.ready && self.holds();
        let held_back = self.held_back || is_held(Sheet::of(standing.as_str()));
        let kept = standing.as_str().lines().filter(|line| {
            let host = Sheet::of(line);
            let is_over = (said.ready || said.wait) && (host.ready || host.wait);
            !(is_over
                || is_held(host)
                || salted && Block::canonical(line).salt()
                || asks && is_question(line))
        });
        let lines: Vec<&str> = kept.chain(self.block.as_str().lines()).collect();
        Self { block: Block::canonical(&lines.join("\n")), held_back, ..self }
    }
}

/// Finds the orders in a mail from `seat`.
///
/// # Errors
/// It has no orders, or only the form as it was mailed, or unmarked lines of which none can be read.
pub fn read_orders_of(game: &dyn Game, seat: &Seat, body: &Body) -> Result<OrderMail, NoOrders> {
    read_orders(game, seat, body, &[], &|_| false)
}

/// Does the same for a mail on top of which these commands stand, if a set may be present already: lines of that set order nothing when they are
/// quoted.
///
/// # Errors
/// Those of [`read_orders_of`].
pub fn read_orders_in(
    campaign: &Campaign,
    seat: &Seat,
    body: &Body,
    commands: &[Given],
) -> Result<OrderMail, NoOrders> {
    read_orders(campaign.game(), seat, body, commands, &|line| stands(campaign, seat, line))
}

fn read_orders(
    game: &dyn Game,
    seat: &Seat,
    body: &Body,
    commands: &[Given],
    is_known: &dyn Fn(&str) -> bool,
) -> Result<OrderMail, NoOrders> {
    let form = game.form(seat).join("\n");
    // The same line is asked about again and again.
    let known = RefCell::<BTreeMap<String, LineKind>>::default();
    let kind = |line: &str| {
        // Nearly all lines of a form are comments; their kind needs no caching.
        if is_comment(line) {
            return LineKind::Prose;
        }
        let before = known.borrow().get(line).copied();
        before.unwrap_or_else(|| {
            let kind = kind_of(game, line);
            known.borrow_mut().insert(line.to_owned(), kind);
            kind
        })
    };
    let found = mail::find_orders_in(body, &form, &kind);
    let can_be_read = |line: &str| is_readable(game, seat, &Block::canonical(line));
    let order_mail = taken(Some(game), found, &Tests { can_be_read: &can_be_read, is_known })?;
    let on_top = commands.iter().filter(|given| given.asks_to_wait());
    let asks = on_top.map(|given| given.line.clone()).chain(order_mail.asks).collect();
    let order_mail = OrderMail { asks, ..order_mail };
    let parts = || order_mail.unread.clone();
    // An invitation's form confirms a seat. Once the game has begun it orders nothing, and must not replace orders.
    if only_joins(Some(game), &order_mail.block) && !matches!(game.awaiting(), Awaiting::Founding) {
        return Err(NoOrders { parts: parts(), joins: true, ..NoOrders::default() });
    }
    let is_founding =
        || matches!(game.awaiting(), Awaiting::Founding) || Sheet::of(order_mail.block.as_str()).join;
    if !order_mail.is_lone()
        && !order_mail.marked
        && !is_founding()
        && !is_readable(game, seat, &order_mail.block)
    {
        return Err(NoOrders {
            parts: parts(),
            unread: Some(Box::new(order_mail.block)),
            ..NoOrders::default()
        });
    }
    without_hasty_ready(Some(game), order_mail)
}

/// Whether a line belongs to the present set, in the player's words or in those of its receipt.
fn stands(campaign: &Campaign, seat: &Seat, line: &str) -> bool {
    let Some(orders) = campaign.window().and_then(|window| window.accepted.get(seat)) else { return false };
    let is_line = |other: &str| other.trim().eq_ignore_ascii_case(line);
    let standing = &campaign.read_back(seat, orders).recap.orders;
    let is_meant = || {
        let (recap, _) = campaign.game().read(seat, &Block::canonical(line));
        recap.orders.iter().all(|order| standing.iter().any(|other| other.order == order.order))
    };
    orders.block.as_str().lines().any(is_line) || is_meant()
}

/// Whether a line that can't be read as a command may be an order of a game all the same, or stand above some. One that begins as an order and holds a
/// word that is nearly the command's is one only where `seat` can be known to have it read.
pub fn is_order_beside_commands(game: &dyn Game, seat: Option<&Seat>, line: &str) -> bool {
    let is_heading = || line.trim_end_matches([':', '.', '!']).eq_ignore_ascii_case("NEW ORDERS");
    let is_read = || seat.is_some_and(|seat| is_readable(game, seat, &Block::canonical(line)));
    match kind_of(game, line) {
        LineKind::Prose => is_heading(),
        LineKind::Order => !mail::is_nearly_command(line) || is_read(),
        LineKind::Aside | LineKind::Beside => true,
    }
}

/// Whether a block confirms a seat and orders nothing else.
pub fn only_joins(game: Option<&dyn Game>, block: &Block) -> bool {
    let lines = block.as_str().lines().map(str::trim);
    let mut orders = lines.filter(|line| matches!(kind_by(game, line), LineKind::Order | LineKind::Aside));
    orders.next().is_some_and(|line| Sheet::of(line).join) && orders.next().is_none()
}

/// The orders in a mail by these rules, for a caller who knows nothing of its sender but the form that the mail answers. Without rules any line that
/// is not the host's may be an order. `None` if the mail has no orders, or only those of the form.
pub fn orders_beside(game: Option<&dyn Game>, form: &str, body: &Body) -> Option<OrderMail> {
    let without = game
        .and_then(|game| mail::without_slips(&body.text, &|line| is_order_beside_commands(game, None, line)));
    let without = without.map(|text| Body { text, ..body.clone() });
    let body = without.as_ref().unwrap_or(body);
    let found = mail::find_orders_in(body, form, &|line| kind_by(game, line));
    taken(game, found, &Tests { can_be_read: &|_| true, is_known: &|_| true })
        .and_then(|mail| without_hasty_ready(game, mail))
        .ok()
}

fn kind_by(game: Option<&dyn Game>, line: &str) -> LineKind {
    game.map_or_else(|| kind_without_rules(line), |game| kind_of(game, line))
}

/// Whether there is an order among lines that isn't completely wrong. Without this test a date or a signature would withdraw the present orders, or
/// hold back every READY.
fn is_readable(game: &dyn Game, seat: &Seat, block: &Block) -> bool {
    let (_, remarks) = game.read(seat, block);
    let is_wrong = |line: usize| remarks.iter().any(|it| it.line == line && it.weight == Weight::Error);
    let mut lines = (1..).zip(block.as_str().lines());
    lines.any(|(line, text)| kind_of(game, text) == LineKind::Order && !is_wrong(line))
}

/// Tests for lines that may be orders.
struct Tests<'a> {
    /// Whether a line is an order that isn't completely wrong.
    can_be_read: &'a dyn Fn(&str) -> bool,
    /// Whether the seat was sent the line: quoting it orders nothing.
    is_known: &'a dyn Fn(&str) -> bool,
}

/// The orders found, without a `READY` if a line beside them may be meant as an order.
fn taken(game: Option<&dyn Game>, found: Found, tests: &Tests<'_>) -> Result<OrderMail, NoOrders> {
    let Found { orders, passed_over, form_lines, letter: beside, unread } = found;
    let unread: Vec<Unread> = unread.into_iter().filter_map(|part| if_meant(game, part, tests)).collect();
    let (aside, marked) = (
        matches!(orders, Orders::Aside(_)),
        matches!(orders, Orders::Block { .. } | Orders::Unterminated(_)),
    );
    let unended = matches!(orders, Orders::Unterminated(_));
    let block = match orders {
        Orders::Block { block, .. }
        | Orders::Unterminated(block)
        | Orders::Recognised(block)
        | Orders::Aside(block) => block,
        Orders::Slips(block) => {
            let (struck, unread, parts) = (passed_over, Some(Box::new(block)), unread);
            return Err(NoOrders { struck, unread, parts, ..NoOrders::default() });
        }
        Orders::None => {
            return Err(NoOrders { struck: passed_over, parts: unread, ..NoOrders::default() });
        }
    };
    // A line that introduces a quotation in an unknown language may show the seat's secret.
    let passed_over: Vec<String> = passed_over.into_iter().map(mail::without_secrets).collect();
    let beside = if marked { beside } else { passed_over.clone() };
    let (asks, beside): (Vec<String>, Vec<String>) =
        beside.into_iter().partition(|line| game.is_some_and(|game| is_late_command(game, line)));
    let doubtful: Vec<String> =
        beside.into_iter().filter(|line| game.is_some_and(|game| may_be_meant(game, line))).collect();
    // Outside the marks nothing counts, whether or not it was meant to, and whether or not it can be read.
    let is_in_block = |line: &str| block.as_str().lines().any(|one| one.trim().eq_ignore_ascii_case(line));
    let is_order = |line: &str| match kind_by(game, line) {
        LineKind::Order => true,
        LineKind::Beside => ProtocolLine::of(line).is_none(),
        LineKind::Aside | LineKind::Prose => false,
    };
    let is_outside = |line: &&String| {
        let is_meant = || Sheet::of(line).wait || !line.starts_with("~~") && is_order(line);
        game.is_some() && !is_in_block(line) && is_meant()
    };
    let outside: Vec<String> = match marked {
        true => passed_over.iter().filter(is_outside).cloned().collect(),
        false => Vec::new(),
    };
    let passed_over = if marked { [passed_over, doubtful.clone()].concat() } else { passed_over };
    let doubtful = [doubtful, outside].concat();
    let order_mail =
        OrderMail { passed_over, form_lines, marked, unended, aside, unread, ..OrderMail::bare(block) };
    Ok(OrderMail { doubtful, asks, ..order_mail })
}

/// An unread part, without the host's secrets; `None` if it is no order after all: a signature, somebody's notes.
fn if_meant(game: Option<&dyn Game>, part: Unread, tests: &Tests<'_>) -> Option<Unread> {
    let Unread { place, lines, prose } = part;
    let is_closed = lines.is_empty() && prose.is_empty();
    let is_signature = place == UnreadIn::Signature;
    let lines: Vec<String> = match lines.is_empty() {
        true => prose.into_iter().filter(|line| game.is_some_and(|game| may_be_meant(game, line))).collect(),
        false => lines,
    };
    let can_be_read = tests.can_be_read;
    let lines: Vec<String> = match place {
        UnreadIn::Quotation => {
            lines.into_iter().filter(|line| can_be_read(line) && !(tests.is_known)(line)).collect()
        }
        _ => lines,
    };
    let is_meant = lines.iter().any(|line| !is_signature || Sheet::of(line).wait || can_be_read(line));
    let lines = lines.into_iter().map(mail::without_secrets).collect();
    (is_closed || is_meant).then_some(Unread { place, lines, prose: Vec::new() })
}

/// The orders without their `READY`, if a line that may be a forgotten order stands beside them: the turn must not run then.
fn without_hasty_ready(game: Option<&dyn Game>, order_mail: OrderMail) -> Result<OrderMail, NoOrders> {
    if !order_mail.holds() {
        return Ok(order_mail);
    }
    let lines = order_mail.block.as_str().lines();
    let kept: Vec<&str> = lines.filter(|line| !Sheet::of(line).ready).collect();
    let held_back = kept.len() < order_mail.block.as_str().lines().count();
    // A set without its READY that orders nothing must not replace one that does.
    let says = |line: &&str| {
        kind_by(game, line.trim()) != LineKind::Prose && ProtocolLine::of(line.trim()).is_none()
    };
    if held_back && !kept.iter().any(says) {
        let OrderMail { doubtful, form_lines, unread, asks, .. } = order_mail;
        let doubtful = [doubtful, form_lines].concat();
        return Err(NoOrders { doubtful, asks, parts: unread, ..NoOrders::default() });
    }
    let block = Block::canonical(&kept.join("\n"));
    let with_ready = held_back.then_some(order_mail.block);
    Ok(OrderMail { block, held_back, with_ready, ..order_mail })
}

/// Whether a line is a command below other words, where commands aren't obeyed, which says that the turn must not run with these orders.
fn is_late_command(game: &dyn Game, line: &str) -> bool {
    let command = mail::command_beside(line, &|line| is_order_beside_commands(game, None, line));
    command.is_some_and(|given| given.verb.waits || given.verb.word == "WITHDRAW")
}

/// Whether a line that was read as prose may be an order after all, or talk about `READY`: `not ready yet`.
fn may_be_meant(game: &dyn Game, line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    let is_hosts = |word: &str| ["ready", "wait"].iter().any(|host| word.eq_ignore_ascii_case(host));
    // `Do not print this mail unless you are ready to.`
    words.any(is_hosts) && !is_disclaimer(&cut(line)) || matches!(game.likeness(line), Likeness::Doubtful)
}

/// The kind of a single line of a mail: an order of the game or of the host, a line that accompanies one, or prose.
pub fn kind_of(game: &dyn Game, line: &str) -> LineKind {
    hosts_kind(line).unwrap_or_else(|| match game.likeness(line) {
        Likeness::Order => LineKind::Order,
        Likeness::Question => LineKind::Aside,
        Likeness::Slip => LineKind::Beside,
        Likeness::Doubtful | Likeness::Prose if Sheet::is_slip(line) => LineKind::Beside,
        Likeness::Doubtful | Likeness::Prose => LineKind::Prose,
    })
}

/// The kind of a single line without rules: every line that is not the host's may be an order.
pub fn kind_without_rules(line: &str) -> LineKind {
    let bare = if line.trim().is_empty() { LineKind::Prose } else { LineKind::Order };
    hosts_kind(line).unwrap_or(bare)
}

/// Whether a line is a comment, as nearly all lines of a form are.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The kind of a line that is the same in every game.
fn hosts_kind(line: &str) -> Option<LineKind> {
    if is_comment(line) {
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
