//! What comes of lost men and lost cohesion at once.

use musterd_engine::Scribe;

use crate::data::Acw;
use crate::event::{Event, Lost};
use crate::model::BrigadeId;

/// A brigade that has lost men or cohesion is gone without any, and shatters at 2 (ACW-12).
pub(super) fn weaken(scribe: &mut Scribe<'_, Acw>, id: BrigadeId) {
    let brigade = scribe.state().brigade(id);
    let Some(at) = brigade.at else { return };
    let how = match (brigade.men, brigade.cohesion) {
        (0, _) => Some(Lost::Annihilated),
        (_, ..=0) => Some(Lost::Broken),
        _ => None,
    };
    if let Some(how) = how {
        scribe.record(Event::Destroyed { brigade: id, at, how });
    } else if brigade.cohesion <= 2 && !brigade.shattered {
        scribe.record(Event::Shattered { brigade: id });
    }
}
