//! The course of a mail turn.

use musterd_engine::{Input, Scribe};

use crate::data::Sa;
use crate::order::Order;

/// Runs the rules until the next wait.
pub(crate) fn step(_rules: &Sa, _scribe: &mut Scribe<'_, Sa>, _input: &Input<Order>) {}
