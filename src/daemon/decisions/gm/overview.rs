//! The page with all that stands where, for the GM alone.

use musterd_desk::mail::Attachment;
use musterd_engine::briefing::Briefing;
use musterd_report::text;

/// The file with everything that stands where, for the GM alone.
const OVERVIEW: &str = "everything.txt";

/// The position of all sides as text.
pub(super) fn overview(page: &Briefing) -> Attachment {
    let text = format!("{}\n\n{}\n{}", page.title, text::standing(page), text::sections(page));
    Attachment::text(OVERVIEW, text)
}

/// That the page is among these files.
pub(super) fn overview_told(files: &[Attachment]) -> Option<String> {
    let there = files.iter().any(|file| file.name == OVERVIEW);
    there.then(|| {
        format!("{OVERVIEW} shows all sides, and all that is hidden, on one map: it is for you alone.")
    })
}
