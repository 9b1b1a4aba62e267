//! The scenario as a rule book prints it.

use musterd_engine::briefing::Briefing;

use crate::data::Sa;

/// The scenario for any reader.
pub(crate) fn chart(_rules: &Sa, _map: bool) -> Briefing {
    Briefing::default()
}
