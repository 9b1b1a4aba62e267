//! Mails of a game whose host signs that nothing shows to be the host's: what they say against the log may be made up by whoever had them, so
//! it is told, and the host isn't blamed for it.

use std::collections::{BTreeMap, BTreeSet};

use super::contradiction::Contradiction;
use super::place::MailRef;

/// The mails of a game whose host signs that bring no signature of the host's that holds.
#[derive(Debug, Default)]
pub(super) struct Unproved(pub(super) BTreeSet<MailRef>);

impl Unproved {
    /// What was found, with what rests on such mails told as that, once a mail: it takes the place of what is wrong with its signature.
    pub(super) fn set_apart(&self, found: Vec<Contradiction>) -> Vec<Contradiction> {
        let (mut kept, mut apart) = (Vec::new(), BTreeMap::new());
        for one in found {
            match self.behind(&one) {
                Some((mail, about)) => _ = apart.entry(mail.clone()).or_insert(about),
                None => kept.push(one),
            }
        }
        kept.retain(|one| match one {
            Contradiction::BadSignature { mail, .. } | Contradiction::Unsigned { mail } => {
                !apart.contains_key(mail)
            }
            _ => true,
        });
        kept.extend(apart.into_iter().map(|(mail, about)| Contradiction::Unproved { mail, about }));
        kept
    }

    /// The mail that a contradiction rests on, and what it is about, where nothing shows that mail to be the host's.
    fn behind<'a>(&self, found: &'a Contradiction) -> Option<(&'a MailRef, String)> {
        use Contradiction as C;
        let of_turn = |what: &str, t: &u32| format!("{what} t {t}");
        let (mails, about) = match found {
            // A signature is of a head, whoever's mail shows it. Of two, the one that is signed comes first.
            C::TwoHeads { index, other_mail, signed: 0 | 1, .. } => {
                return Some((other_mail, format!("the hash of log entry {index}")));
            }
            C::OtherLog { index, mail, signed: false, .. } => {
                return Some((mail, format!("the hash of log entry {index}")));
            }
            C::NoSuchHead { t, mail, signed: false, .. } => {
                return Some((mail, format!("the hash of a log entry while t {t} was open")));
            }
            C::WentOn { mail, t, .. } => ([Some(mail), None], of_turn("the end of the game, being of", t)),
            C::OtherLevel { mail, t, .. } => ([Some(mail), None], of_turn("the level of", t)),
            C::TwoBeacons { mail, t, .. } => {
                ([Some(mail), None], of_turn("what the public beacon gave for", t))
            }
            C::ToldLate { mail, t, .. } | C::OpenLate { mail, t, .. } | C::ClosedEarly { mail, t, .. } => {
                ([Some(mail), None], of_turn("the time of the close of", t))
            }
            C::TwoAnchors { mail, .. } => ([Some(mail), None], "the anchor of the host's secrets".to_owned()),
            C::TwoCloses { mail, other_mail, t } => {
                ([Some(other_mail), Some(mail)], of_turn("the orders at the close of", t))
            }
            C::WrongRoot { mail, t, .. } | C::OtherClose { mail, t, .. } => {
                ([Some(mail), None], of_turn("the orders at the close of", t))
            }
            C::Dropped { mail, seat, t, .. }
            | C::OtherOrders { mail, seat, t }
            | C::Changed { mail, seat, t } => ([Some(mail), None], format!("the orders of {seat} for t {t}")),
            C::OtherAttachment { mail } | C::NeverTaken { mail, .. } => {
                ([Some(mail), None], "orders that were taken".to_owned())
            }
            C::Unreadable { mail, what } => {
                ([Some(mail), None], format!("the log, without a readable {what},"))
            }
            C::ToldOtherwise { mail, .. } | C::ToldUnbound { mail, .. } | C::NoMarks { mail, .. } | C::BrokenMarks { mail, .. } | C::FormsDiffer { mail, .. } => {
                ([Some(mail), None], "what a seat was told".to_owned())
            }
            C::TwoTellings { mail, other_mail, .. } => {
                ([Some(other_mail), Some(mail)], "what a seat was told".to_owned())
            }
            C::TwoHeads { .. }
            | C::OtherLog { .. }
            | C::NoSuchHead { .. }
            // The player's own mail.
            | C::Altered { .. }
            | C::BadSignature { .. }
            | C::Unsigned { .. }
            | C::Unproved { .. }
            | C::TwoLogs { .. }
            | C::TwoContents { .. }
            | C::OtherProofs { .. }
            | C::OthersProofs { .. }
            | C::OthersRoll { .. }
            | C::OtherEscrow { .. }
            | C::TwoGames { .. } => return None,
        };
        let mail = mails.into_iter().flatten().find(|mail| self.0.contains(mail))?;
        Some((mail, about))
    }
}
