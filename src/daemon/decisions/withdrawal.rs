//! Mails that are taken back before they leave, because what they say has become void.

use std::collections::BTreeSet;

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::packet_id::PacketId;
use crate::transit::Delivery;
use musterd_store::{Attempt, Packet, Tried};

impl Sitting<'_> {
    /// Takes back what has not left of the mails that `is_void` says are, by packet and recipient, as part of a step; returns them, one a
    /// recipient.
    ///
    /// # Errors
    /// The store; [`HostError::InTransit`] where the relay has some of them.
    pub(crate) fn take_back(
        &mut self,
        reason: &str,
        is_void: impl Fn(PacketId<'_>, &str) -> bool,
    ) -> Result<Vec<Packet>, HostError> {
        let mut taken = Vec::new();
        // What this very step would send isn't sent.
        let Sitting { games, game, step, batch } = self;
        for packet in &mut step.packets {
            let (void, to) = std::mem::take(&mut packet.to)
                .into_iter()
                .partition::<Vec<String>, _>(|to| is_void(PacketId(&packet.id), to));
            packet.to = to;
            taken.extend(void.iter().map(|_| packet.clone()));
        }
        step.packets.retain(|packet| !packet.to.is_empty());
        // What is in the store, or will be, is settled, but for what is taken back already.
        let settled: BTreeSet<(&str, &str)> = batch
            .steps
            .iter()
            .chain([&*step])
            .flat_map(|step| &step.tried)
            .map(|tried| (tried.packet.as_str(), tried.recipient.as_str()))
            .collect();
        let is_void = |id: &str, to: &str| is_void(PacketId(id), to) && !settled.contains(&(id, to));
        let mut waiting = Vec::new();
        for line in games.books.ledger(Some(game))? {
            if line.next.is_some() && is_void(&line.packet, &line.recipient) {
                waiting.extend(games.books.packet(&line.packet)?.map(|packet| (packet, line.recipient)));
            }
        }
        for packet in batch.steps.iter().flat_map(|step| &step.packets) {
            let void = packet.to.iter().filter(|to| is_void(&packet.id, to));
            waiting.extend(void.map(|to| (packet.clone(), to.clone())));
        }
        let deliveries = waiting.iter().map(|(packet, recipient)| Delivery::of(&packet.id, recipient));
        let under_way: Vec<Delivery> = deliveries.filter(|delivery| games.transit.has(delivery)).collect();
        if !under_way.is_empty() {
            return Err(HostError::InTransit(under_way));
        }
        let attempt = Attempt::Withdrawn { at: games.now(), reason: reason.to_owned() };
        for (packet, recipient) in waiting {
            let tried = Tried { packet: packet.id.clone(), recipient, attempt: attempt.clone() };
            step.tried.push(tried);
            taken.push(packet);
        }
        Ok(taken)
    }
}
