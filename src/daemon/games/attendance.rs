//! How reliably people order, over all games of the host that aren't archived: for GMs and the operator alone.

use std::collections::BTreeSet;

use crate::HostError;
use crate::addresses::mailbox_of;
use crate::games::Games;
use musterd_desk::life::{Attendance, Turns};

/// What is known of all people of the host.
pub(crate) struct Attendances(Vec<(BTreeSet<String>, Turns)>);

impl Attendances {
    /// The turns of the person with these addresses, over all games; none where no turn has asked for orders of theirs.
    pub(crate) fn of(&self, addresses: &[String]) -> Option<Turns> {
        let mailboxes: BTreeSet<String> = addresses.iter().map(|address| mailbox_of(address)).collect();
        let theirs = self.0.iter().filter(|(of, _)| !of.is_disjoint(&mailboxes));
        theirs.map(|(_, turns)| *turns).reduce(Turns::and)
    }
}

impl Games {
    /// What is known of all people, from every game that can be looked at and is not archived.
    pub(crate) fn attendances(&mut self) -> Result<Attendances, HostError> {
        let mut all = Vec::new();
        for game in self.current() {
            let card = match self.card(&game) {
                Ok(card) => card,
                Err(error) if error.is_of_one_game() => continue,
                Err(error) => return Err(error),
            };
            let mailboxes = |one: &Attendance| one.addresses.iter().map(|own| mailbox_of(own)).collect();
            all.extend(card.attendance.iter().map(|one| (mailboxes(one), one.turns)));
        }
        Ok(Attendances(all))
    }
}

/// The turns in words, for the GM.
pub(crate) fn in_words(turns: Turns) -> String {
    let Turns { in_time, late, missed, excused } = turns;
    let rest = [(late, "late"), (missed, "missed"), (excused, "excused")];
    let rest = rest.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}"));
    format!("{in_time} in time{}", rest.collect::<String>())
}
