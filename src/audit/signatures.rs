//! The host's own signatures among what was kept: `chain.sig`, which comes with its mails where it signs. A signature is of the two
//! chain lines and of nothing above them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::claims::{Claim, Claims, Subject};
use super::contradiction::Contradiction;
use super::mail::Mail;
use super::mails::Mails;
use super::place::{FileRef, MailRef};
use super::unproved::Unproved;
use musterd_dice::HostKey;

/// What came of the signatures in a game's mails.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Signatures {
    /// How many mails bring one.
    pub brought: usize,
    /// The key that they have to be by; none where nothing here names one, so that none could be checked.
    pub key: Option<HostKey>,
    /// Where it is named: an audit file, or an invitation.
    pub named_in: Option<FileRef>,
    /// How many hold.
    pub good: usize,
}

impl Signatures {
    /// Checks those of a game's mails: by the key that the log of an audit file names, which is its path, or else by that of an
    /// invitation. What they hold for weighs more from then on. Those that don't hold come with it, and mails without one where others bring
    /// one that holds; and, where a key is named, which mails nothing shows to be the host's.
    pub(super) fn check(
        mails: &mut Mails,
        file: Option<(Option<HostKey>, &FileRef)>,
    ) -> (Self, Vec<Contradiction>, Option<Unproved>) {
        let brought = mails.all.iter().map(|mail| mail.signatures.len()).sum();
        let mut signatures = Self { brought, ..Self::default() };
        let named = match file {
            Some((key, path)) => key.map(|key| (key, path.clone())),
            None => key(&mails.claims),
        };
        let Some((key, place)) = named else { return (signatures, Vec::new(), None) };
        let (mut good, mut bad, mut proved) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        // A copy of a mail may have lost what was attached, and have a footer more.
        let mut whole: BTreeSet<&String> = BTreeSet::new();
        for (mail, (at, armoured)) in
            mails.all.iter().flat_map(|mail| mail.signatures.iter().map(move |s| (mail, s)))
        {
            // A mail's own chain lines stand at its end.
            let mut heads = mail.heads.iter().rev().map(|head| &head.lines);
            let Some(last) = heads.clone().next() else { continue };
            if let Some(lines) = heads.find(|lines| key.verify(lines, armoured).is_ok()) {
                signatures.good += 1;
                good.insert(Claim::of(lines));
                whole.extend(&mail.message_id);
                proved.insert(&mail.at);
            } else if let Err(why) = key.verify(last, armoured)
                // Among those that were left out may be one that holds.
                && !mail.lacks_signatures
            {
                let (mail, why, place) = (at.clone(), why.to_string(), place.clone());
                let shown = last.clone().into();
                bad.push((Claim::of(last), Contradiction::BadSignature { mail, shown, why, place }));
            }
        }
        // Where any mail shows that the host signed this head, a signature of it that doesn't hold was spoilt on the way.
        bad.retain(|(head, _)| !good.contains(head));
        let mut bad: Vec<Contradiction> = bad.into_iter().map(|(_, bad)| bad).collect();
        if signatures.good > 0 {
            let is_whole = |mail: &Mail| mail.message_id.as_ref().is_some_and(|id| whole.contains(id));
            let is_bare = |mail: &&Mail| mail.has_to_sign() && !mail.is_signed && !is_whole(mail);
            let bare: BTreeSet<&MailRef> = mails.all.iter().filter(is_bare).map(|mail| &mail.at).collect();
            bad.extend(bare.into_iter().map(|mail| Contradiction::Unsigned { mail: mail.clone() }));
        }
        // A copy proves nothing of its words by the Message-ID of a mail that is signed: anybody can write that.
        let is_unproved =
            |mail: &&Mail| (mail.is_hosts || mail.taking.is_some()) && !proved.contains(&mail.at);
        let unproved = Unproved(mails.all.iter().filter(is_unproved).map(|mail| mail.at.clone()).collect());
        good.iter().for_each(|head| mails.claims.sign(head));
        (signatures.key, signatures.named_in) = (Some(key), Some(place));
        (signatures, bad, Some(unproved))
    }
}

/// The key that an invitation names, and the invitation. Two that differ are none that anybody could rely on.
fn key(claims: &Claims) -> Option<(HostKey, FileRef)> {
    let [(key, by)] = claims.texts(Subject::Key)[..] else { return None };
    Some((key.parse().ok()?, by.place()))
}
