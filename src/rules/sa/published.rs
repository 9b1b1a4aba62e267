//! What a commander knows, as data for programs.

use musterd_engine::PublishedFormat;
use serde_json::value::RawValue;

use crate::data::Sa;
use crate::view::View;

/// The formats of this ruleset's data.
pub(crate) const SCHEMAS: &[PublishedFormat] = &[];

/// A view as data.
pub(crate) fn published(_rules: &Sa, view: &View) -> Box<RawValue> {
    #[expect(clippy::expect_used, reason = "plain data: every key of a map is a text")]
    serde_json::value::to_raw_value(view).expect("a view is plain data")
}
