//! The orders in a line, with the places in it that a remark may point at.

use super::forms::Verb;
use crate::model::UnitId;
use crate::order::{Guard, Order, Stage};
use crate::plan::About;
use musterd_engine::hex::Hex;
use musterd_engine::tokens::Span;

/// A unit and where it is named.
pub(super) type NamedUnit = (UnitId, Span);

/// The units of an order.
pub(super) enum Who {
    /// These, in the order in which they act.
    Named(Vec<NamedUnit>),
    /// `ALL`, `ALL AT Ulm`.
    All {
        /// Where, if not anywhere.
        at: Option<Hex>,
        /// Where it is written.
        span: Span,
    },
}

/// The orders in a line.
pub(super) enum LineOrders {
    /// An order each for the units named.
    Each(Vec<Marked>),
    /// An order to all.
    All(Everyone),
}

impl LineOrders {
    /// When it is carried out: all orders of a line are of one kind.
    pub(super) fn stage(&self) -> Stage {
        match self {
            Self::Each(orders) => orders.first().map_or(Stage::Field, |marked| marked.order.act.stage()),
            Self::All(everyone) => everyone.stage,
        }
    }

    /// The place in the line where its units are named.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Each(orders) => orders.first().map_or((0, 0), |marked| marked.unit_span),
            Self::All(everyone) => everyone.span,
        }
    }

    /// The same order to each unit, or to all.
    pub(super) fn to(
        who: Who,
        verb: Verb,
        stage: Stage,
        order: impl Fn(UnitId, Span) -> Marked + 'static,
    ) -> Self {
        match who {
            Who::Named(units) => {
                Self::Each(units.into_iter().map(|(unit, span)| order(unit, span)).collect())
            }
            Who::All { at, span } => {
                Self::All(Everyone { at, span, verb, stage, order: Box::new(move |unit| order(unit, span)) })
            }
        }
    }

    pub(super) fn guarded(self, guard: Guard) -> Self {
        let guarded = move |m: Marked| Marked { order: Order { guard: Some(guard), ..m.order }, ..m };
        match self {
            Self::Each(orders) => Self::Each(orders.into_iter().map(guarded).collect()),
            Self::All(everyone) => {
                let order = everyone.order;
                Self::All(Everyone { order: Box::new(move |unit| guarded(order(unit))), ..everyone })
            }
        }
    }
}

/// An order for `ALL`. Its units are found when it is carried out, after the lines before it.
pub(super) struct Everyone {
    /// Where they stand; none for anywhere.
    pub(super) at: Option<Hex>,
    /// Where `ALL` is written.
    pub(super) span: Span,
    /// Its verb.
    pub(super) verb: Verb,
    /// When it is carried out.
    pub(super) stage: Stage,
    /// The order for one of its units.
    pub(super) order: Box<dyn Fn(UnitId) -> Marked>,
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
