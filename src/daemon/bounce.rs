//! Mails of ours that came back: the ledger and the GM are told.

use super::HostError;
use super::host::{Batch, Host};
use super::ledger::BOUNCED;
use crate::engine::journal::Cause;
use crate::letter::{Bounce, Sent};
use crate::store::{Attempt, Tried};

impl Host {
    /// Marks addresses that bounced, and tells the GM, once for each mail of ours and each address: servers report the same
    /// failure again and again.
    pub(super) fn note_bounces(&mut self, bounces: &[Bounce], batch: &mut Batch) -> Result<(), HostError> {
        for bounce in bounces {
            let Some(original) = &bounce.original else { continue };
            let Some(sent) = Sent::of(original, self.mailroom.address.domain()) else { continue };
            let Sent { game, t, seat, kind, n } = sent;
            let packet = format!("{game}/{t}/{seat}/{kind}/{n}");
            if !self.knows(&game) {
                continue;
            }
            let Some(ours) = self.store.packet(&packet)? else { continue };
            // A server may name the address that the player's mail is forwarded to.
            let Some(recipient) =
                ours.to.iter().find(|to| Some(*to) == bounce.recipient.as_ref()).or(ours.to.first()).cloned()
            else {
                continue;
            };
            let mut step = self.step(&game)?;
            let what = if bounce.permanent { "failed" } else { "delayed" };
            if !self.is_first(format!("{game}/bounced/{packet}/{recipient}/{what}"), &mut step, batch)? {
                tracing::info!(%game, packet, recipient, "this bounce is known");
                continue;
            }
            let status = bounce.status.clone().unwrap_or_else(|| "no status".to_owned());
            if bounce.permanent {
                let attempt = Attempt::Refused { at: self.clock.now(), reason: format!("{BOUNCED}{status}") };
                let tried = Tried { packet: packet.clone(), recipient: recipient.clone(), attempt };
                // Dropped as stale or refused at once: the ledger says so already; the GM is told all the same.
                if let Err(error) = self.record(&[tried]) {
                    tracing::info!(%game, packet, %error, "a bounce of a mail that had failed before");
                }
            }
            let text = format!("bounce: {packet} to {recipient}: {status}");
            self.play(&game, &mut step, Cause::Noted { text })?;
            let paragraphs = vec![format!(
                "A mail to {recipient} came back ({status}): {packet}. The player may not have got it. A second address \
                 can be registered for the seat."
            )];
            step.packets.extend(
                self.about(&game, |mailroom, about| {
                    mailroom.notice(about, "a mail came back", paragraphs, 0)
                })?,
            );
            batch.steps.push(step);
        }
        Ok(())
    }
}
