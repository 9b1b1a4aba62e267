//! Pages that players read, compared with golden ones, and what holds of every page.

use musterd_engine::briefing::Briefing;
use musterd_report::{WIDTH, text};

use super::root;

/// Compares a page with `tests/golden/<name>.txt`. With `MUSTERD_GOLDEN=write` in the environment it is written instead:
/// read the difference before it is committed.
#[track_caller]
pub(crate) fn golden(name: &str, page: &str) {
    let path = root().join("tests/golden").join(format!("{name}.txt"));
    #[expect(clippy::disallowed_methods, reason = "how a developer asks for new golden files")]
    let write = std::env::var("MUSTERD_GOLDEN").is_ok_and(|wish| wish == "write");
    if write {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "{} differs; the page now is:\n{page}", path.display());
}

#[track_caller]
pub(crate) fn assert_fits(page: &str) {
    for line in page.lines() {
        assert!(line.len() <= WIDTH, "{} columns: {line}", line.len());
        assert!(line.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "not ASCII: {line:?}");
        assert_eq!(line.trim_end(), line, "blanks at the end");
    }
}

pub(crate) fn page(briefing: &Briefing) -> String {
    format!(
        "{}\n{} / {}\n{}\n{}\n{}",
        briefing.subject,
        briefing.title,
        briefing.date,
        briefing.to,
        text::standing(briefing),
        text::sections(briefing)
    )
}
