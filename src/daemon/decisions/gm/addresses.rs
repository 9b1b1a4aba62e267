//! `ADDRESS`: the GM is written to elsewhere, and may write from there.

use super::GmOrder;
use crate::HostError;
use crate::config::check_address;
use crate::decisions::requests::MOST_ADDRESSES;
use crate::packet_id::PacketId;
use crate::response::{Early, Responded, done, undone, undone_at};
use musterd_desk::mail::{Kind, gm_verbs};
use musterd_engine::journal::{Change, GmRole};
use musterd_report::text::listed;
use musterd_store::Packet;

impl GmOrder<'_, '_> {
    /// `ADDRESS ADD`: one address more, or another part for one of them. A new one is sent the GM's secret, and the others are told.
    pub(super) fn add_gm_address(&mut self, address: &str, role: GmRole) -> Responded {
        if let Err(why) = check_address(address) {
            return undone_at(address, format!("{why}."));
        }
        // Its own mail is never answered.
        if self.is_own(address) {
            return undone_at(address, format!("{address} is this host's own address: write the person's."));
        }
        let before = self.campaign().charter().gm.clone();
        if before.is_empty() {
            return undone("The game was founded without a GM, and its players rely on that.");
        }
        if before.iter().any(|own| own.eq_ignore_ascii_case(address)) {
            return self.change_role(address, role);
        }
        if before.len() >= MOST_ADDRESSES {
            return undone(format!("The GM has at most {MOST_ADDRESSES} addresses: ADDRESS DROP one first."));
        }
        if !self.confirmed {
            let may = may_in_words(role);
            let plays = self.campaign().seats_of(address).first().map(|seat| {
                format!(
                    "Mind: {address} plays {seat}. Whoever leads the game sees what the other sides do, and no player is told that one of them does."
                )
            });
            let would = vec![format!(
                "All that goes to the GM, at {}, would go to {address} too: {}, and what players may not know. {may}",
                listed(&before),
                match role {
                    GmRole::Owner => "the secret that the game is led with",
                    GmRole::Referee | GmRole::Reader => "with a secret of its own",
                }
            )];
            return self.ask(would.into_iter().chain(plays).collect());
        }
        let addresses = before.iter().cloned().chain([address.to_owned()]).collect();
        let change = self.with_role(addresses, address, role);
        self.settle(change, "the GM has one address more")?;
        let because = self.told();
        let whose = whose_in_words(role);
        self.mail(|clerk| {
            let told = vec![format!(
                "{address} is {whose} from now on{} If you know nothing of it, somebody else knows an owner's secret: an owner takes it away by \
                 ADDRESS DROP {address}, and SECRET gm gives new ones.",
                because
            )];
            clerk.gm_welcome_at(&[address.to_owned()])?;
            clerk.gm_notice(&before, "the GM has another address", told)
        })?;
        done(format!(
            "What goes to the GM goes to {address} too from now on; it was sent the secret that it needs. ADDRESS DROP takes an address away."
        ))
    }

    /// Another part in leading the game for an address of the GM's. The game keeps an owner.
    fn change_role(&mut self, address: &str, role: GmRole) -> Responded {
        let campaign = self.campaign();
        let before = campaign.gm_role(address);
        if before == role {
            return undone_at(address, format!("{address} is {} already.", whose_in_words(role)));
        }
        let all = campaign.charter().gm.clone();
        if role != GmRole::Owner {
            self.keeps_an_owner_without(address)?;
        }
        if !self.confirmed {
            return self.ask(vec![format!(
                "{address} would be {}. {}",
                whose_in_words(role),
                may_in_words(role)
            )]);
        }
        let change = self.with_role(all.clone(), address, role);
        self.settle(change, "an address of the GM's has another part in leading the game")?;
        let told = vec![format!("{address} is {} from now on{}", whose_in_words(role), self.told())];
        self.mail(|clerk| {
            clerk.gm_welcome_at(&[address.to_owned()])?;
            clerk.gm_notice(&all, "another part in leading the game", told)
        })?;
        let mind = match role < before {
            true => " Its old secret is known there still: SECRET gm makes that worth nothing.",
            false => "",
        };
        let may = may_in_words(role);
        done(format!(
            "{address} is {} from now on, and was sent its secret. {may}{mind}",
            whose_in_words(role)
        ))
    }

    /// The GM's addresses with another part for one of them.
    fn with_role(&self, addresses: Vec<String>, address: &str, role: GmRole) -> Change {
        let mut roles = self.campaign().life().gm_roles.clone();
        roles.remove(&address.to_lowercase());
        roles.extend((role != GmRole::Owner).then(|| (address.to_lowercase(), role)));
        Change::Gm { addresses, roles }
    }

    fn keeps_an_owner_without(&self, address: &str) -> Result<(), Early> {
        match self.campaign().owners().any(|owner| !owner.eq_ignore_ascii_case(address)) {
            true => Ok(()),
            false => undone_at(
                address,
                format!("{address} is the game's only owner: ADDRESS ADD another one first."),
            ),
        }
    }

    /// `ADDRESS DROP`: one address less. The GM keeps one at least.
    pub(super) fn drop_gm_address(&mut self, address: &str) -> Responded {
        let before = self.campaign().charter().gm.clone();
        let (dropped, left): (Vec<String>, Vec<String>) =
            before.iter().cloned().partition(|own| own.eq_ignore_ascii_case(address));
        if dropped.is_empty() {
            let told = match before.as_slice() {
                [] => "the game has none".to_owned(),
                own => format!("the game has {}", listed(own)),
            };
            return undone_at(address, format!("{address} is no address of the GM's: {told}."));
        }
        if left.is_empty() {
            return undone("It is the GM's only address: ADDRESS ADD another one first.");
        }
        self.keeps_an_owner_without(address)?;
        if !self.confirmed {
            return self.ask(vec![format!(
                "Nothing would go to {address} any more, and no command from there would count. The GM would be written to at {}.",
                listed(&left)
            )]);
        }
        let change = self.with_role(left.clone(), address, GmRole::Owner);
        self.settle(change, "the GM has one address less")?;
        let is_for_it = |id: PacketId<'_>, to: &str| id.is_to_gm() && to.eq_ignore_ascii_case(address);
        let reason = "it is no address of the GM's any more";
        let waiting = self.take_back(reason, is_for_it)?;
        for packet in &waiting {
            self.send_on_to_gm(packet, &left)?;
        }
        let told = vec![format!("{address} is no address of the GM's any more{}", self.told())];
        self.mail(|clerk| clerk.gm_notice(&left, "the GM has an address less", told))?;
        done(format!(
            "The GM is written to at {} from now on. Whoever reads the mail of {address} still knows the secret that the game is led with: \
             SECRET gm gives a new one.",
            listed(&left)
        ))
    }

    /// Sends what waited for an address that the GM has dropped to those of the others that it never went to: they came later. A
    /// secret is for its address alone, and so is the answer to a command from there.
    fn send_on_to_gm(&mut self, waiting: &Packet, left: &[String]) -> Result<(), HostError> {
        let now = self.now();
        let first = PacketId(&waiting.id).first();
        let is_for_one =
            [Kind::Invitation, Kind::Answer].iter().any(|kind| first.gms_kind() == Some(kind.as_str()));
        if is_for_one || waiting.stale_after.is_some_and(|last| now > last) {
            return Ok(());
        }
        let copies = self.copies(first)?;
        // The others have mails of their own, with their own secret.
        let is_meant = |address: &&String| self.campaign().gm_role(address) == first.gms_role();
        let left: Vec<&String> = left.iter().filter(is_meant).collect();
        let has = |address: &str| {
            let mut to = copies.iter().chain([waiting]).flat_map(|copy| &copy.to);
            to.any(|to| to.eq_ignore_ascii_case(address))
        };
        let without: Vec<&String> = left.into_iter().filter(|address| !has(address)).collect();
        for (n, address) in without.into_iter().enumerate() {
            self.send_copy(waiting, first.copy(copies.len() + n), address.clone());
        }
        Ok(())
    }
}

fn whose_in_words(role: GmRole) -> &'static str {
    match role {
        GmRole::Owner => "an address of the GM's",
        GmRole::Referee => "a referee's address",
        GmRole::Reader => "a reader's address",
    }
}

/// What commands from an address with this part in leading the game may do.
pub(super) fn may_in_words(role: GmRole) -> String {
    match role {
        GmRole::Owner => "Commands from there count.".to_owned(),
        GmRole::Referee => {
            let owners = gm_verbs().filter(|verb| verb.least() == GmRole::Owner);
            let owners: Vec<&str> = owners.map(|verb| verb.word).collect();
            format!(
                "Commands from there count, but for those that owners alone may give: {}.",
                listed(&owners)
            )
        }
        GmRole::Reader => "Of commands from there only those count that change nothing.".to_owned(),
    }
}
