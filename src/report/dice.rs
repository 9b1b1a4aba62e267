//! The parts of a report about dice.

use std::collections::BTreeMap;

use super::WIDTH;
use super::mail::{AuditDelivery, BoundLeaves, Revealed};
use musterd_dice::{Assurance, Digest, Level, Seat};

/// The meaning of a level of assurance for a player: what the host could still manipulate.
pub const fn meaning(level: Level) -> &'static str {
    match level {
        Level::L0 => {
            "no salt from outside the house, so the host could have tried secrets before the game began"
        }
        Level::L1 => {
            "the house (the host, its computer or a stand-in) ordered after the opening, and could try orders until the dice suited it"
        }
        Level::L2 => {
            "the host can still choose which mails count, and is seen doing so; the house's orders were fixed before anybody else's arrived"
        }
        Level::L3 => {
            "nothing is left to the host, if the public beacon published the value that is named here: compare it by hand"
        }
    }
}

/// The meaning of a level for a player, and whose salts counted.
pub fn assurance(closed: &BoundLeaves) -> String {
    let Assurance { level, salted } = &closed.assurance;
    let salted: Vec<&str> = salted.iter().map(Seat::as_str).collect();
    let whose = if salted.is_empty() { "nobody".to_owned() } else { salted.join(", ") };
    let meaning = meaning(*level);
    let public = match &closed.beacon {
        Some(beacon) => format!(" and then to round {} of the public beacon {},", beacon.round, beacon.name),
        None => String::new(),
    };
    format!(
        "The dice of t {} have level {level}: {meaning}. Salted by: {whose}. They were bound to these orders, one leaf a seat,{public} before \
         they fell:",
        closed.t
    )
}

/// Every seat's leaf, the root, and the beacon's value, a line each.
pub fn leaves(closed: &BoundLeaves) -> String {
    let mut lines = leaves_in_lines(&closed.leaves, &closed.root);
    if let Some(beacon) = &closed.beacon {
        lines.push_str(&format!("  {} beacon\n", beacon.value));
    }
    lines
}

/// Every seat's leaf, and the root, a line each.
pub fn leaves_in_lines(leaves: &BTreeMap<Seat, Digest>, root: &Digest) -> String {
    let mut lines = String::new();
    let beside = |seat: &Seat, leaf: &Digest| format!("  {leaf} {seat}\n");
    // If one name is too long, all names stand above their leaves.
    let fits = leaves.iter().all(|(seat, leaf)| beside(seat, leaf).len() <= WIDTH + 1);
    for (seat, leaf) in leaves {
        lines.push_str(&if fits { beside(seat, leaf) } else { format!("  {seat}:\n  {leaf}\n") });
    }
    lines.push_str(&format!("  {root} root\n"));
    lines
}

/// What is public already, and where to get it.
pub(super) fn revealed(revealed: &Revealed) -> String {
    let Revealed { t, secret, audit } = revealed;
    let file = match audit {
        AuditDelivery::Attached(name) => format!(
            "The attachment {name} holds their orders and dice: `musterd verify {name}` with the mails that you kept checks them."
        ),
        AuditDelivery::OnRequest => "REPORT brings the audit file with their orders and dice.".to_owned(),
        AuditDelivery::TooLarge => {
            "Their orders and dice are in the audit file, which is too large for a mail: ask the GM for it."
                .to_owned()
        }
    };
    format!(
        "All turns up to t {t} are revealed. Their secrets follow from s_{t}, which is {secret} in hexadecimal. {file}"
    )
}
