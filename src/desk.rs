//! The list of rulesets, and the object-safe game over them.
