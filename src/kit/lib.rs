//! What every ruleset shares: the machinery to which a ruleset gives its nouns and numbers. The kit knows no ruleset. Pure.

pub mod amend;
pub mod data;
pub mod field;
pub mod files;
pub mod foresee;
pub mod form;
pub mod grammar;
pub mod hand_on;
pub mod learnt;
pub mod lexicon;
pub mod lists;
pub mod meanings;
pub mod names;
pub mod odds;
pub mod palette;
pub mod published;
pub mod reach;
pub mod search;
pub mod seen;
pub mod set;
pub mod sheets;
pub mod sides;
pub mod tell;
pub mod way;
pub mod word;
