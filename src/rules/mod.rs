//! The rulesets, one folder each. None imports another.

pub mod lga;
