//! The rulesets, one folder each. None imports another.

pub mod dog;
pub mod lga;
