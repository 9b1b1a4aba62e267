//! The schemas of files whose types of unit and terrains the numbers of a host decide.

use super::model::Arm;
use super::numbers::Numbers;
use musterd_engine::files::RuleFiles;
use musterd_kit::data::{ANY, Data, Value, any_text, form_of, like, one_of, written};
use serde_json::json;

/// The schema of a file with types and terrains, for the numbers among these files; without any that can be used it takes every name and sign that may be
/// one.
pub(super) fn schema_with<T: Data>(title: &str, files: &RuleFiles) -> String {
    let numbers = Numbers::load(files).ok();
    let types = |is: fn(Arm) -> bool| -> Value {
        let words: Vec<String> = match &numbers {
            Some(numbers) => numbers
                .units
                .iter()
                .filter(|(kind, _)| is(kind.arm))
                .map(|(kind, _)| kind.word().to_owned())
                .collect(),
            None => Arm::ALL.into_iter().filter(|arm| is(*arm)).map(|arm| arm.word().to_owned()).collect(),
        };
        one_of(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let signs = match &numbers {
        Some(numbers) => numbers.terrains.iter().map(|terrain| terrain.sign).collect(),
        None => "a-z".to_owned(),
    };
    let mut schema = form_of::<T>(title, &ANY);
    schema["$defs"] = json!({
        "type": numbers.as_ref().map_or_else(any_text, |_| types(|_| true)),
        "headquarters": types(|arm| arm == Arm::Hq),
        "fighter": types(|arm| arm != Arm::Hq),
        "garrison": { "not": types(|arm| !arm.can_garrison()) },
        "ground": like(&format!("^[.f^%~#{signs}]{{1,99}}$")),
    });
    written(&schema)
}
