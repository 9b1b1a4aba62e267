//! The host's own signatures among what was kept: `chain.sig`, which comes with its mails where it signs. A signature is of the two
//! chain lines and of nothing above them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::claims::{Claim, ClaimKind};
use super::contradiction::Contradiction;
use super::mails::Mails;
use musterd_dice::HostKey;

/// What came of the signatures in a game's mails.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Signatures {
    /// How many mails bring one.
    pub brought: usize,
    /// The key that they have to be by; none where nothing here names one, so that none could be checked.
    pub key: Option<HostKey>,
    /// Where it is named: an audit file, or an invitation.
    pub named_in: Option<String>,
    /// How many hold.
    pub good: usize,
}

impl Signatures {
    /// Checks those of a game's mails: by the key that the log of an audit file names, which is its path, or else by that of an
    /// invitation. What they hold for weighs more from then on. Those that don't hold come with it, and mails without one where others bring
    /// one that holds.
    pub(super) fn check(
        mails: &mut Mails,
        file: Option<(Option<HostKey>, &str)>,
    ) -> (Self, Vec<Contradiction>) {
        let mut signatures = Self { brought: mails.signatures.len(), ..Self::default() };
        let named = match file {
            Some((key, path)) => key.map(|key| (key, path.to_owned())),
            // Two that differ are none that anybody could rely on.
            None if mails.claims.count(ClaimKind::Key) == 1 => key(mails),
            None => None,
        };
        let Some((key, place)) = named else { return (signatures, Vec::new()) };
        let (mut good, mut bad) = (BTreeSet::new(), Vec::new());
        // A copy of a mail may have lost what was attached, and have a footer more.
        let mut whole: BTreeSet<&String> = BTreeSet::new();
        for signed in &mails.signatures {
            let holds = |witness| key.verify(witness, &signed.armoured);
            if let Some(witness) = signed.heads.iter().find(|witness| holds(witness).is_ok()) {
                signatures.good += 1;
                good.insert((witness.index, witness.head));
                whole.extend(&signed.message_id);
            } else if let Some((witness, why)) = signed.heads.first().and_then(|w| Some((w, holds(w).err()?)))
            {
                let (mail, index, why, place) =
                    (signed.mail.clone(), witness.index, why.to_string(), place.clone());
                bad.push(((index, witness.head), Contradiction::BadSignature { mail, index, why, place }));
            }
        }
        // Where any mail shows that the host signed this head, a signature of it that doesn't hold was spoilt on the way.
        bad.retain(|(head, _)| !good.contains(head));
        let mut bad: Vec<Contradiction> = bad.into_iter().map(|(_, bad)| bad).collect();
        if signatures.good > 0 {
            let bare =
                mails.unsigned.iter().filter(|(_, id)| id.as_ref().is_none_or(|id| !whole.contains(id)));
            bad.extend(bare.map(|(mail, _)| Contradiction::Unsigned { mail: mail.clone() }));
        }
        good.into_iter().for_each(|(index, head)| mails.claims.sign(index, head));
        (signatures.key, signatures.named_in) = (Some(key), Some(place));
        (signatures, bad)
    }
}

/// The key that an invitation names, and the invitation.
fn key(mails: &Mails) -> Option<(HostKey, String)> {
    let (claim, held) = mails.claims.from(Claim::Key(String::new())).next()?;
    match claim {
        Claim::Key(key) => Some((key.parse().ok()?, held.by.to_string())),
        _ => None,
    }
}
