//! Reading orders: docs/lga/orders.md is the grammar.

mod line;
mod names;
mod options;
mod tokens;
