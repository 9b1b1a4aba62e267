//! What the cases of every ruleset have in common: dice that fall as written, and answers that say at least what is wanted.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Label, Roller};
use serde_json::Value;

/// Dice that fall as the case says.
pub(crate) struct Script {
    dice: BTreeMap<String, Vec<u32>>,
    others: BTreeMap<String, u32>,
    used: BTreeSet<String>,
    missing: Vec<String>,
}

impl Script {
    /// The dice of a step.
    pub(crate) fn new(dice: BTreeMap<String, Vec<u32>>, others: BTreeMap<String, u32>) -> Self {
        Self { dice, others, used: BTreeSet::new(), missing: Vec::new() }
    }

    /// The dice that are missing, left over or never thrown.
    pub(crate) fn faults(&self) -> Vec<String> {
        let missing = self.missing.iter().map(|stem| format!("a die is missing: {stem}"));
        let left = self.dice.iter().filter(|(_, faces)| !faces.is_empty());
        let left = left.map(|(stem, faces)| format!("dice are left over: {stem} {faces:?}"));
        let idle = self.others.keys().filter(|start| !self.used.contains(*start));
        missing.chain(left).chain(idle.map(|start| format!("no other die began with {start}"))).collect()
    }
}

impl Roller for Script {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        assert_eq!(count, 1, "{label}: the rules throw one die at a time");
        let stem = label.as_str().split_once('/').unwrap().1.rsplit_once('/').unwrap().0.to_owned();
        if let Some(faces) = self.dice.get_mut(&stem).filter(|faces| !faces.is_empty()) {
            let face = faces.remove(0);
            assert!((1..=sides).contains(&face), "{stem}: a die of {sides} sides can't show {face}");
            return vec![face];
        }
        match self.others.iter().find(|(start, _)| stem.starts_with(start.as_str())) {
            Some((start, face)) => {
                self.used.insert(start.clone());
                vec![*face]
            }
            None => {
                self.missing.push(stem);
                vec![1]
            }
        }
    }
}

/// Whether `found` says at least what `wanted` says.
pub(crate) fn says(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| found.get(key).is_some_and(|found| says(found, value)))
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| says(found, wanted))
        }
        _ => found == wanted,
    }
}
