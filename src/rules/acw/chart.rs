//! The battle as a rule book prints it.

use musterd_engine::briefing::Briefing;

use crate::data::Acw;

pub(crate) fn chart(_: &Acw, _: bool) -> Briefing {
    todo!()
}
