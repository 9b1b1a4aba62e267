//! The order form.

use crate::data::Acw;
use crate::view::View;

pub(crate) fn form(_: &Acw, _: &View) -> Vec<String> {
    todo!()
}
