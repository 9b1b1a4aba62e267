//! The tables of forms in the guides.

use std::fmt::Write as _;
use std::fs;

use musterd_engine::orders::OrderUse;

use super::root;

/// Compares the table behind a mark in a guide with what the forms say. `MUSTERD_REWRITE_DOCS` in the environment writes it anew.
#[track_caller]
pub(crate) fn says_forms(guide: &str, mark: &str, uses: &[OrderUse]) {
    let path = root().join(guide);
    let text = fs::read_to_string(&path).unwrap();
    let (before, behind) =
        text.split_once(&format!("{mark}\n\n")).unwrap_or_else(|| panic!("{guide}: no {mark}"));
    let rest: String = behind.split_inclusive('\n').skip_while(|line| line.starts_with('|')).collect();
    let fresh = format!("{before}{mark}\n\n{}{rest}", table(uses));
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    if std::env::var("MUSTERD_REWRITE_DOCS").is_ok() {
        fs::write(&path, &fresh).unwrap();
    } else {
        assert!(text == fresh, "{guide}: {mark} is not what the forms say: MUSTERD_REWRITE_DOCS=1 writes it");
    }
}

fn table(uses: &[OrderUse]) -> String {
    let has_others = uses.iter().any(|one| !one.also.is_empty());
    let head = if has_others {
        "| order | also | what happens |\n|---|---|---|\n"
    } else {
        "| form | changes |\n|---|---|\n"
    };
    let mut table = head.to_owned();
    for one in uses {
        let lines: Vec<String> = one.lines.iter().map(|line| format!("`{line}`")).collect();
        let also = if has_others { format!(" {} |", one.also.join(", ")) } else { String::new() };
        writeln!(table, "| {} |{also} {} |", lines.join(", "), one.does).unwrap();
    }
    table
}
