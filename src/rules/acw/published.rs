//! The battle as a commander knows it, for programs.

use musterd_engine::PublishedFormat;
use serde_json::value::RawValue;

use crate::data::Acw;
use crate::view::View;

pub(crate) const SCHEMAS: &[PublishedFormat] = &[];

pub(crate) fn published(_: &Acw, _: &View) -> Box<RawValue> {
    todo!()
}
