//! What the log says of decisions: once they are committed, and not before. One that was made and could not be kept is made again.

use musterd_engine::journal::{Cause, Verdict};
use musterd_store::Step;

/// Tells of the steps of a commit.
pub(crate) fn committed(steps: &[Step]) {
    for step in steps {
        let Some(game) = &step.game else { continue };
        for entry in &step.entries {
            match &entry.cause {
                Cause::Received(mail) => {
                    let Verdict::Accepted { .. } = mail.verdict else { continue };
                    let seat = mail.seat.as_ref().map(tracing::field::display);
                    tracing::info!(%game, seat, mail = mail.mail, "orders accepted");
                }
                Cause::Adjudicated { t, .. } => {
                    tracing::info!(%game, t, entries = step.entries.len(), "adjudicated");
                }
                _ => {}
            }
        }
    }
}
