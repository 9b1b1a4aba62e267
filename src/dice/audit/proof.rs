//! The proofs of one seat (dice.md, "Selective proof"): its own rolls in an adjudication that is not revealed, with what shows that
//! they are among those committed to. Like an audit file, what one says is never believed.

use serde::{Deserialize, Serialize};

use super::file::kind;
use super::finding::{Fault, Finding, Place};
use super::findings::Findings;
use super::shape::look_over;
use super::turn::Dice;
use super::{LogLine, NotAnAuditFile, Thrown};
use crate::commit::{roll_blind, roll_leaf};
use crate::entry::{LogEntry, LogKind};
use crate::hash::{Digest, hash};
use crate::ids::{GameId, Seat};
use crate::label::{Label, Roll};
use crate::merkle;
use crate::note::Note;
use crate::secret::{Secret, SecretChain};
use crate::streams::seed;
use crate::witness::Witness;

/// A file of proofs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proofs {
    /// [`Proofs::PROTOCOL`].
    pub protocol: String,
    /// The game.
    pub game: GameId,
    /// The adjudication.
    pub t: u32,
    /// Whose rolls are shown.
    pub seat: Seat,
    /// The index of the first of `entries`.
    pub from: u64,
    /// The hash of the entry before it.
    pub before: Digest,
    /// The log from the close of `t`, or from its last rerun, to the head that its dispatches show.
    pub entries: Vec<LogLine>,
    /// The tree of rolls, of which only the seat's own are open.
    pub rolls: Node,
}

/// A tree of rolls. What is hidden is one digest, however many rolls are below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Node {
    /// The root of rolls that are not shown.
    Hidden(Digest),
    /// A roll that is shown.
    Shown {
        /// What fell.
        roll: Thrown,
        /// F(s_t, "rollblind", …), without which nobody could guess a roll and compare.
        blind: Digest,
    },
    /// Two subtrees.
    Parted(Box<[Node; 2]>),
}

/// What examining a file of proofs came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proved {
    /// The game.
    pub game: GameId,
    /// The adjudication.
    pub t: u32,
    /// Whose rolls are shown.
    pub seat: Seat,
    /// The rolls that were shown and can be read.
    pub rolls: Vec<Roll>,
    /// The index of the last entry in it, and its hash: the head that the mails have to show.
    pub head: (u64, Digest),
    /// How many heads were compared.
    pub witnesses: usize,
    /// Whether the dice were thrown again, and not only compared with what was committed to.
    pub thrown: bool,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Proofs {
    /// The name of the form.
    pub const PROTOCOL: &'static str = "pbemdice/1/proofs";

    /// The tree of an adjudication's rolls in which those are open that `shown` names. `leaves` are
    /// [`roll_leaves`](crate::roll_leaves), of which there is one a roll.
    #[must_use]
    pub fn tree(
        secret: &Secret,
        game: &GameId,
        t: u32,
        leaves: &[Digest],
        rolls: &[Roll],
        shown: &impl Fn(&Label) -> bool,
    ) -> Node {
        let mut sorted: Vec<&Roll> = rolls.iter().collect();
        sorted.sort_by(|a, b| a.label.cmp(&b.label));
        let open = |roll: &Roll| {
            let blind = || roll_blind(secret, game, t, &roll.label);
            shown(&roll.label).then(|| Node::Shown { roll: Thrown::from(roll), blind: blind() })
        };
        let open: Vec<Option<Node>> = sorted.into_iter().map(open).collect();
        pruned(leaves, &open)
    }
}

fn pruned(leaves: &[Digest], open: &[Option<Node>]) -> Node {
    match open {
        [Some(shown)] => shown.clone(),
        open if open.iter().all(Option::is_none) => Node::Hidden(merkle::root(leaves)),
        open => {
            let at = merkle::split(open.len());
            let ((left, right), (near, far)) = (leaves.split_at(at), open.split_at(at));
            Node::Parted(Box::new([pruned(left, near), pruned(right, far)]))
        }
    }
}

/// Examines a file of proofs, with heads that were kept in mails. Who has the game's secrets, from an escrow or because they were
/// revealed, can have the dice thrown again too.
///
/// # Errors
/// Where the text is no file of proofs at all. Everything else that is wrong is a [`Finding`].
pub fn examine_proofs(
    text: &str,
    kept: &[Witness],
    secrets: Option<&SecretChain>,
) -> Result<Proved, NotAnAuditFile> {
    let proofs: Proofs = serde_json::from_str(text)?;
    if proofs.protocol != Proofs::PROTOCOL {
        return Err(NotAnAuditFile::Protocol(proofs.protocol));
    }
    look_over(text)?;
    let mut findings = Findings::default();
    in_order(&proofs, &mut findings);
    let heads = chained(&proofs, &mut findings);
    let kept = kept.iter().filter(|witness| witness.game == proofs.game);
    let mut witnesses = 0;
    for Witness { index, head, .. } in kept {
        let place = index.checked_sub(proofs.from).and_then(|place| usize::try_from(place).ok());
        let Some(own) = place.and_then(|place| heads.get(place)) else { continue };
        witnesses += 1;
        if own != head {
            findings.push(Fault::OtherLog { head: head.to_string(), known: true }.at(Place::Witness(*index)));
        }
    }
    let mut rolls = Vec::new();
    let place = Place::Turn(proofs.t);
    let mut wrong = |fault: Fault| findings.push(fault.at(place));
    let found = climb(&proofs.rolls, &proofs, &mut rolls, &mut wrong);
    match committed(&proofs.entries, proofs.t) {
        Some(committed) if committed == found => {}
        Some(committed) => {
            wrong(Fault::OtherRolls { found: found.to_string(), committed: committed.to_string() });
        }
        None => wrong(Fault::Count { kind: "rolls", count: 0 }),
    }
    if let Some(pair) = rolls.windows(2).find(|pair| pair[0].label >= pair[1].label) {
        wrong(Fault::LabelTwice(pair[1].label.clone()));
    }
    let secret =
        secrets.filter(|chain| *chain.game() == proofs.game).and_then(|chain| chain.secret(proofs.t));
    let root = closed(&proofs.entries, proofs.t);
    if let Some((secret, root)) = secret.as_ref().zip(root) {
        let beacon = beacon_of(&proofs.entries, proofs.t);
        let seed = seed(secret, &proofs.game, proofs.t, &root, beacon.as_bytes());
        let dice = Dice { game: &proofs.game, t: proofs.t, secret, seed: &seed, reroll: None };
        for roll in &rolls {
            dice.throw_again(&Thrown::from(roll), &mut wrong);
        }
    }
    let head = (
        proofs.from + (heads.len() as u64).saturating_sub(1),
        heads.last().copied().unwrap_or(proofs.before),
    );
    Ok(Proved {
        thrown: secret.is_some() && root.is_some(),
        game: proofs.game,
        t: proofs.t,
        seat: proofs.seat,
        rolls,
        head,
        witnesses,
        findings: findings.in_order(),
    })
}

/// The heads of the shown entries, each as it follows from the one before.
fn chained(proofs: &Proofs, findings: &mut Findings) -> Vec<Digest> {
    let mut head = proofs.before;
    let mut heads = Vec::new();
    for (index, line) in (proofs.from..).zip(&proofs.entries) {
        let number = index.to_string();
        let fields = [head.as_bytes(), number.as_bytes(), line.kind.as_bytes(), line.body.as_bytes()];
        head = hash("entry", &fields);
        if line.hash != head.to_string() {
            findings.push(Fault::WrongHash { expected: head.to_string() }.at(Place::Log(index)));
        }
        heads.push(head);
    }
    heads
}

/// Whether the shown entries are a stretch of a log as it can be: from the close of `t` or from a rerun, with one commitment to the
/// rolls of each. A second one, whichever was shown to somebody, would be a choice between dice.
fn in_order(proofs: &Proofs, findings: &mut Findings) {
    let (mut rolled, mut before) = (0, None);
    for (index, line) in (proofs.from..).zip(&proofs.entries) {
        let entry = line.entry();
        let fault = match &entry {
            None => Some(Fault::Malformed(format!("the entry `{}`", line.kind))),
            Some(LogEntry::Close { t, .. }) if *t == proofs.t && before.is_none() => None,
            Some(LogEntry::Gm { .. }) if before.is_none() => None,
            Some(_) if before.is_none() => {
                let begins =
                    format!("the proofs of t {} begin neither with its close nor with its rerun", proofs.t);
                Some(Fault::OutOfPlace(begins))
            }
            Some(LogEntry::Rolls { t, .. }) if *t == proofs.t => {
                rolled += 1;
                (rolled > 1).then_some(Fault::Count { kind: "rolls", count: rolled })
            }
            Some(LogEntry::Rerun { t, .. }) if *t == proofs.t => {
                let amends = matches!(before, Some(Some(LogEntry::Gm { .. })));
                (!amends)
                    .then(|| Fault::OutOfPlace(format!("t {t} runs again without an amendment of the GM's")))
            }
            Some(_) => None,
        };
        if let Some(fault) = fault {
            findings.push(fault.at(Place::Log(index)));
        }
        before = Some(entry);
    }
}

/// The root that the log committed to last for `t`.
fn committed(log: &[LogLine], t: u32) -> Option<Digest> {
    log.iter().rev().find_map(|line| {
        let mut fields = line.body.split(' ');
        let is_of = fields.next()? == t.to_string();
        let root = match kind(&line.kind)? {
            LogKind::Rolls => fields.next(),
            LogKind::Rerun => fields.nth(1),
            _ => None,
        };
        root.filter(|_| is_of)?.parse().ok()
    })
}

/// What the public beacon gave for `t`, as the log notes it; nothing where the game uses none.
fn beacon_of(log: &[LogLine], t: u32) -> String {
    let beacon = |line: &LogLine| match line.entry()?.note()? {
        Note::Beacon(of, value) if of == t => Some(value.to_owned()),
        _ => None,
    };
    log.iter().find_map(beacon).unwrap_or_default()
}

/// The root of the orders that the dice of `t` are bound to.
fn closed(log: &[LogLine], t: u32) -> Option<Digest> {
    let close = log.iter().find(|line| kind(&line.kind) == Some(LogKind::Close))?;
    let (number, root) = close.body.split_once(' ')?;
    root.parse().ok().filter(|_| number == t.to_string())
}

/// The root over a tree, and the rolls that it shows.
fn climb(node: &Node, proofs: &Proofs, rolls: &mut Vec<Roll>, wrong: &mut impl FnMut(Fault)) -> Digest {
    match node {
        Node::Hidden(root) => *root,
        Node::Parted(parts) => {
            let [left, right] = &**parts;
            let left = climb(left, proofs, rolls, wrong);
            merkle::node(&left, &climb(right, proofs, rolls, wrong))
        }
        Node::Shown { roll, blind } => match roll.read(proofs.t, None) {
            Ok(roll) => {
                if !roll.faces.iter().all(|face| (1..=roll.sides).contains(face)) {
                    wrong(Fault::Malformed(format!("{roll}: no dice can fall so")));
                }
                let leaf = roll_leaf(&proofs.game, proofs.t, blind, &roll);
                rolls.push(roll);
                leaf
            }
            Err(fault) => {
                wrong(fault);
                *blind
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commit::{roll_leaves, rolls_root};
    use crate::test_game::{T, game, rolled, secret};

    fn tree_of(count: usize, own: &[usize]) -> (Node, Digest) {
        let mut rolls = rolled();
        rolls.sort_by(|a, b| a.label.cmp(&b.label));
        rolls.truncate(count);
        let own: Vec<Label> = own.iter().map(|at| rolls[*at].label.clone()).collect();
        let leaves = roll_leaves(&secret(), &game(), T, &rolls);
        let tree = Proofs::tree(&secret(), &game(), T, &leaves, &rolls, &|label| own.contains(label));
        (tree, rolls_root(&secret(), &game(), T, &rolls))
    }

    fn proofs(rolls: Node) -> Proofs {
        Proofs {
            protocol: Proofs::PROTOCOL.to_owned(),
            game: game(),
            t: T,
            seat: "french".parse().unwrap(),
            from: 7,
            before: Digest::of(b"before"),
            entries: Vec::new(),
            rolls,
        }
    }

    #[test]
    fn any_choice_of_rolls_leads_to_the_committed_root_and_shows_no_other() {
        for count in 0..=5 {
            for chosen in 0..1_usize << count {
                let own: Vec<usize> = (0..count).filter(|at| chosen >> at & 1 == 1).collect();
                let (tree, root) = tree_of(count, &own);
                let mut shown = Vec::new();
                let found = climb(&tree, &proofs(tree.clone()), &mut shown, &mut |fault| panic!("{fault}"));
                assert_eq!((found, shown.len()), (root, own.len()), "{own:?} of {count}");
            }
        }
    }

    #[test]
    fn what_is_hidden_is_one_digest_however_much_it_is() {
        let (tree, root) = tree_of(5, &[]);
        assert_eq!(tree, Node::Hidden(root));
        let (tree, _) = tree_of(5, &[4]);
        let Node::Parted(parts) = tree else { panic!("{tree:?}") };
        assert!(
            matches!(*parts, [Node::Hidden(_), Node::Shown { .. }]),
            "four rolls are one digest: {parts:?}"
        );
    }

    /// The example of the protocol's page.
    #[test]
    fn the_published_example_is_what_is_made() {
        let (tree, root) = tree_of(5, &[2]);
        let published: String = include_str!("example.json").split_whitespace().collect();
        assert_eq!(serde_json::to_string(&tree).unwrap(), published);
        assert_eq!(root.to_string(), "83af24aa950a23e21588ae04d8c13d51f4018362fd8014b59493d354b3b252cf");
    }

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        let written = proofs(tree_of(5, &[1, 4]).0);
        let text = serde_json::to_string(&written).unwrap();
        assert_eq!(serde_json::from_str::<Proofs>(&text).unwrap(), written);
    }
}
