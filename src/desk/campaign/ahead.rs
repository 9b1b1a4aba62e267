//! Reads a set of orders before it is accepted, and keeps the reading, so that it is read only once.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use super::{Campaign, Game, Heads, ReadBack};
use musterd_dice::{Block, ProtocolLine, Seat};
use musterd_engine::Awaiting;
use musterd_engine::orders::{Remark, Weight};
use musterd_engine::sheet::Sheet;
use musterd_text::lines;

impl Campaign {
    /// Orders for the open window, read against their seat's view.
    pub fn read_ahead(&self, seat: &Seat, block: &Block) -> Arc<ReadBack> {
        let open = self.window.as_ref().map(|window| window.t);
        Arc::new(ReadBack::of(&*self.game, (&self.heads, open), seat, block))
    }

    /// Keeps the reading of a seat's orders that were just accepted, if there is one.
    pub fn keep_read(&mut self, seat: &Seat, read: Option<&Arc<ReadBack>>) {
        let accepted = self.window.as_mut().and_then(|window| window.accepted.get_mut(seat));
        if let Some((orders, read)) = accepted.zip(read) {
            orders.read = OnceCell::from(Arc::clone(read));
        }
    }

    /// Reads a set that would replace one with real orders; `None` if no such set stands.
    pub fn read_instead(&self, seat: &Seat, block: &Block) -> Option<Arc<ReadBack>> {
        let standing = self.window.as_ref().and_then(|window| window.accepted.get(seat));
        let standing = standing.filter(|orders| orders.block != *block)?;
        (!self.read_back(seat, standing).recap.orders.is_empty()).then(|| self.read_ahead(seat, block))
    }
}

impl ReadBack {
    /// Orders as their receipt tells them: read against their seat's view, with what the log says of the form that they were written in. `open` is the
    /// adjudication that takes orders.
    pub fn of(game: &dyn Game, (heads, open): (&Heads, Option<u32>), seat: &Seat, block: &Block) -> Self {
        match game.awaiting() {
            Awaiting::Founding => Self::default(),
            Awaiting::Orders { .. } | Awaiting::Over { .. } => {
                let (recap, mut remarks) = game.read(seat, block);
                point_out_commands(game, seat, block, &mut remarks);
                remarks.extend(heads.remark(block, open));
                Self { recap, remarks }
            }
        }
    }

    /// Whether nothing in a set is understood, though it isn't empty: mistyped orders, comments, lines for the dice.
    pub fn is_nonsense(&self, block: &Block) -> bool {
        let is_hosts = |remark: &Remark| {
            let line = remark.line.checked_sub(1).and_then(|at| lines::lines(block.as_str()).nth(at));
            line.is_none_or(Sheet::is_hosts)
        };
        let is_wrong =
            || self.remarks.iter().any(|remark| remark.weight == Weight::Error && !is_hosts(remark));
        self.recap.orders.is_empty() && (is_wrong() || has_notes_alone(block))
    }
}

/// Whether a block holds only comments and lines for the dice, and is not empty.
fn has_notes_alone(block: &Block) -> bool {
    let mut lines = lines::lines(block.as_str()).map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| line.starts_with('#') || ProtocolLine::of(line).is_some())
}

/// Adds a hint to lines that are commands to the host but stand among the orders: it says where commands belong. A line that begins an order of the seat, such
/// as `RESIGN` where `RESIGN CONFIRM` is one, is the rules' to explain.
fn point_out_commands(game: &dyn Game, seat: &Seat, block: &Block, remarks: &mut [Remark]) {
    let is_begun = |line: &str| {
        let upper = line.trim().to_ascii_uppercase();
        let words: Vec<&str> = upper.split_whitespace().collect();
        let begins = |order: &Cow<'_, str>| {
            let mut all = order.split_whitespace();
            words.iter().all(|word| all.next().is_some_and(|other| other.eq_ignore_ascii_case(word)))
        };
        game.offered(seat).iter().any(|one| one.lines.iter().any(begins))
    };
    for remark in remarks.iter_mut().filter(|remark| remark.weight == Weight::Error) {
        let line = remark.line.checked_sub(1).and_then(|at| block.as_str().lines().nth(at));
        let is_hosts = |line: &&str| crate::mail::command_in(line).is_some() && !is_begun(line);
        if let Some(line) = line.filter(is_hosts) {
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            remark.text = format!("{word} is for the host, not for the rules.");
            remark.hint = Some(format!("write {} above BEGIN ORDERS", line.trim()));
            remark.span = None;
        }
    }
}
