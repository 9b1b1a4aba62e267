//! The orders in a line, with the places in it that a remark may point at.

use super::forms::Verb;
use crate::model::UnitId;
use crate::order::{Act, Guard, Order, Stage};
use crate::plan::About;
use musterd_engine::hex::Hex;
use musterd_engine::tokens::Span;

/// A unit and where it is named.
pub(super) type NamedUnit = (UnitId, Span);

/// Whom an order is for.
pub(super) enum Who {
    /// Nobody, since it is for a nation; with the place where that is named.
    Nation(Span),
    /// These units, in the order in which they act.
    Named(Vec<NamedUnit>),
    /// `ALL`, `ALL AT Ulm`. Its units are found when it is carried out, after the lines before it.
    All {
        /// Where, if not anywhere.
        at: Option<Hex>,
        /// Where it is written.
        span: Span,
    },
}

/// The orders in a line: the same to each of its units.
pub(super) struct LineOrders {
    /// The units.
    pub(super) who: Who,
    /// Its verb.
    pub(super) verb: Verb,
    /// When it is carried out.
    pub(super) stage: Stage,
    /// Its `IF`.
    pub(super) guard: Option<Guard>,
    /// The action of a unit.
    pub(super) act: Box<dyn Fn(UnitId) -> Act>,
    /// The place of the hex, the path or the number; the whole line if there is none.
    pub(super) rest_span: Span,
}

impl LineOrders {
    /// The place in the line where its units are named.
    pub(super) fn span(&self) -> Span {
        match &self.who {
            Who::Named(units) => units.first().map_or((0, 0), |(_, span)| *span),
            Who::All { span, .. } | Who::Nation(span) => *span,
        }
    }

    /// The order for a unit.
    pub(super) fn order(&self, (unit, unit_span): NamedUnit) -> Marked {
        let order = Order { guard: self.guard, act: (self.act)(unit) };
        Marked { order, unit_span, rest_span: self.rest_span }
    }

    /// An order each for the units named; none for `ALL`.
    pub(super) fn each(&self) -> Vec<Marked> {
        match &self.who {
            Who::Nation(span) => vec![self.order((UnitId(0), *span))],
            Who::Named(units) => units.iter().map(|unit| self.order(*unit)).collect(),
            Who::All { .. } => Vec::new(),
        }
    }
}

/// An order with the places in its line that an answer may point at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked<O = Order> {
    /// The order.
    pub(super) order: O,
    /// Where the unit is named.
    pub(super) unit_span: Span,
    /// The place of the hex, the path or the number; the whole line if there is none.
    pub(super) rest_span: Span,
}

impl<O> Marked<O> {
    /// The place of a part of the order.
    pub(super) const fn span(&self, about: About) -> Span {
        match about {
            About::Unit => self.unit_span,
            About::Goal => self.rest_span,
        }
    }
}
