//! How mail comes in: the mailboxes, and what was found in the spool that can't be dealt with.

pub(crate) mod held;
pub(crate) mod incoming;
pub(crate) mod kept;
pub(crate) mod opened;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::health::vitals::MailboxHealth;
use crate::inbox::opened::Opener;
use musterd_post::{Drained, Pending, PostError};

/// Of what is left in a mailbox no more than this is remembered.
const MOST_LEFT: usize = 100;

/// The mailboxes and the spool, as this process has found them.
pub(crate) struct Inbox {
    opener: Arc<Opener>,
    /// How each mailbox is, as the configuration lists them.
    mailboxes: Vec<MailboxHealth>,
    /// Mailboxes that could not be drained when they were last looked at, by name; since when in this process, by [`Clock::passed`].
    ///
    /// [`Clock::passed`]: crate::clock::Clock::passed
    unreached: BTreeMap<String, i64>,
    /// Mails in the spool that can't be dealt with, by name.
    set_aside: BTreeSet<String>,
    /// Those of them whose senders may have to be told.
    untold: Vec<Pending>,
}

impl Inbox {
    pub(crate) fn new(opener: Opener, mailboxes: Vec<MailboxHealth>) -> Self {
        Self {
            opener: Arc::new(opener),
            mailboxes,
            unreached: BTreeMap::new(),
            set_aside: BTreeSet::new(),
            untold: Vec::new(),
        }
    }

    /// Takes mails apart.
    pub(crate) fn opener(&self) -> Arc<Opener> {
        Arc::clone(&self.opener)
    }

    /// How each mailbox is.
    pub(crate) fn mailboxes(&self) -> &[MailboxHealth] {
        &self.mailboxes
    }

    /// The mailboxes that can't be drained, and since when.
    pub(crate) fn unreached(&self) -> &BTreeMap<String, i64> {
        &self.unreached
    }

    /// What another host of this process has found out of reach, as far as those mailboxes are still drained.
    pub(crate) fn carry_on(
        &mut self,
        mut unreached: BTreeMap<String, i64>,
        is_drained: impl Fn(&str) -> bool,
    ) {
        unreached.retain(|name, _| is_drained(name));
        self.unreached = unreached;
    }

    /// Since when a mailbox can't be drained: the last that began to fail. None where all can.
    pub(crate) fn unreached_since(&self) -> Option<i64> {
        self.unreached.values().copied().max()
    }

    /// Notes how it went to drain the `n`th mailbox at `now` (unix seconds), when `passed` seconds had passed. Whether it is another than before.
    pub(crate) fn note_drain(
        &mut self,
        (n, source): (usize, &str),
        (now, passed): (i64, i64),
        drained: &Result<Drained, PostError>,
    ) -> bool {
        if let Some(mailbox) = self.mailboxes.get_mut(n) {
            match drained {
                Ok(drained) => {
                    (mailbox.drained, mailbox.fault) = (Some(now), None);
                    mailbox.left = drained.left.iter().take(MOST_LEFT).cloned().collect();
                }
                Err(error) => mailbox.fault = Some(error.to_string()),
            }
        }
        match drained {
            Ok(_) => self.unreached.remove(source).is_some(),
            Err(_) => {
                let begins = !self.unreached.contains_key(source);
                self.unreached.entry(source.to_owned()).or_insert(passed);
                begins
            }
        }
    }

    /// Whether this mail can't be dealt with.
    pub(crate) fn is_set_aside(&self, mail: &str) -> bool {
        self.set_aside.contains(mail)
    }

    /// The mails that can't be dealt with.
    pub(crate) fn all_set_aside(&self) -> &BTreeSet<String> {
        &self.set_aside
    }

    /// A mail can't be dealt with.
    pub(crate) fn set_aside(&mut self, mail: &str) {
        self.set_aside.insert(mail.to_owned());
    }

    /// A mail can't be dealt with for now, and its sender may have to be told.
    pub(crate) fn waits(&mut self, mail: &Pending) {
        self.set_aside(&mail.name);
        self.untold.push(mail.clone());
    }

    /// Takes out the mails that wait and whose senders may have to be told.
    pub(crate) fn take_untold(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.untold)
    }

    /// Somebody has moved this mail.
    pub(crate) fn has_gone(&mut self, mail: &str) {
        self.set_aside.remove(mail);
    }
}
