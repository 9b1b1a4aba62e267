//! Reading orders: docs/lga/orders.md is the grammar.

mod names;
mod tokens;
