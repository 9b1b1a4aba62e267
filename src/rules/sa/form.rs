//! The lines of the order form.

use crate::data::Sa;
use crate::view::View;

/// The lines of the form.
pub(crate) fn form(_rules: &Sa, _view: &View) -> Vec<String> {
    Vec::new()
}
