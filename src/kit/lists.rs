//! Lists in a sentence, of whatever can be written.

use musterd_report::text;

/// Things with a text between each two of them: `A, B, C`.
pub fn joined(things: impl IntoIterator<Item: ToString>, between: &str) -> String {
    texts(things).join(between)
}

/// Things as a list: `A`, `A and B`, `A, B and C`.
pub fn listed(things: impl IntoIterator<Item: ToString>) -> String {
    text::listed(&texts(things))
}

fn texts(things: impl IntoIterator<Item: ToString>) -> Vec<String> {
    things.into_iter().map(|thing| thing.to_string()).collect()
}
