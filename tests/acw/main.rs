//! Cases.
fn main() {}
