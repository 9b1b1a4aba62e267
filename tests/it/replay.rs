//! A journal checked by somebody who trusts nothing in it: every step is adjudicated again from the blocks and secrets, and
//! everything that the journal claims is computed anew.

use std::collections::BTreeMap;

use musterd::audit;
use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::desk::{Desk, Game};
use musterd::dice::audit::{Fault, examine};
use musterd::dice::{
    Block, Chain, Digest, Rerolled, Roller, Seat, SecretChain, Streams, Witness, amend_commit, leaf,
    orders_root, press_commit, previous, result_commit, rolls_root, seed,
};
use musterd::engine::digest_of;
use musterd::engine::journal::{Amendment, Carriage, Cause, Charter, Entry, PressLetter, Verdict};

/// What the replay came to.
#[derive(Debug, PartialEq)]
pub(crate) struct Replayed {
    /// Adjudications checked.
    pub(crate) steps: u32,
    /// The log's last entry.
    pub(crate) witness: Witness,
    /// A digest of what all seats know in the end.
    pub(crate) digest: Digest,
}

/// What an adjudication was bound to: blocks, their root, the beacon; and the letters that set out with it.
type Ran<'a> = (BTreeMap<Seat, Block>, Digest, String, Vec<&'a PressLetter>);

/// An adjudication or amendment that counts: its events, and what it was adjudicated from.
struct Lived<'a> {
    t: Option<u32>,
    events: Vec<serde_json::Value>,
    ran: Option<Ran<'a>>,
}

/// The table after everything that counts.
fn replayed(desk: &Desk, charter: &Charter, live: &[Lived<'_>]) -> Box<dyn Game> {
    let seats: Vec<Seat> = charter.players.keys().cloned().collect();
    let mut table = desk.open(charter.rules(), &charter.files, &seats).unwrap();
    live.iter().for_each(|lived| table.amend(&lived.events).unwrap());
    table
}

/// Replays a journal; panics at the first claim in it that is not true.
pub(crate) fn replay(desk: &Desk, entries: &[Entry], secrets: &SecretChain) -> Replayed {
    let Cause::Founded { charter, anchor } = &entries[0].cause else { panic!("no founding") };
    let game = &charter.game;
    assert_eq!(*anchor, secrets.anchor(), "the anchor is the secret chain's");
    let seats: Vec<Seat> = charter.players.keys().cloned().collect();
    let mut table = desk.open(charter.rules(), &charter.files, &seats).unwrap();
    let mut chain = Chain::new(game);
    let mut blocks: BTreeMap<Seat, Block> = BTreeMap::new();
    let (mut steps, mut letters) = (0, Vec::new());
    let mut beacon = String::new();
    // Every adjudication and amendment that counts so far, and how many windows were opened.
    let (mut live, mut opened, mut amendments) = (Vec::<Lived>::new(), 0, 0);
    let check = |amendment: &Amendment, t: u32, n: usize, anew: &[serde_json::Value]| {
        assert_eq!(amendment.events, anew, "the amendment `{}`", amendment.text);
        let secret = secrets.secret(t).unwrap();
        let commit = amend_commit(&secret, game, t, n, &amendment.text, &digest_of(anew));
        assert_eq!((amendment.t, amendment.commit), (t, commit));
    };
    for entry in entries {
        match &entry.cause {
            Cause::Opened { t, sealed, .. } => {
                opened += 1;
                assert_eq!(*t, opened, "windows open in order");
                let secret = secrets.secret(*t).unwrap();
                let before = secrets.secret(*t - 1).map_or(*anchor, |s| s.reveal());
                assert_eq!(
                    previous(game, *t, &secret).reveal(),
                    before,
                    "s_{t} is chained to the one before"
                );
                blocks.clear();
                letters.clear();
                beacon.clear();
                for one in sealed {
                    assert_eq!(one.leaf, leaf(&secret, game, *t, &one.seat, Some(&one.block)));
                    blocks.insert(one.seat.clone(), one.block.clone());
                }
            }
            Cause::Received(mail) => {
                if let (Some(seat), Verdict::Accepted { block, leaf: claimed }) = (&mail.seat, &mail.verdict)
                {
                    let secret = secrets.secret(mail.t).unwrap();
                    assert_eq!(*claimed, leaf(&secret, game, mail.t, seat, Some(block)), "leaf of {seat}");
                    blocks.insert(seat.clone(), block.clone());
                }
                if let (Some(seat), Verdict::Withdrawn { leaf: claimed }) = (&mail.seat, &mail.verdict) {
                    let secret = secrets.secret(mail.t).unwrap();
                    assert_eq!(*claimed, leaf(&secret, game, mail.t, seat, None), "silence of {seat}");
                    blocks.remove(seat);
                }
            }
            Cause::Observed { .. } => {}
            Cause::StoodIn { t, seat, block, leaf: claimed } => {
                let secret = secrets.secret(*t).unwrap();
                assert_eq!(*claimed, leaf(&secret, game, *t, seat, Some(block)), "stand-in's leaf of {seat}");
                blocks.insert(seat.clone(), block.clone());
            }
            Cause::Pressed(letter) => {
                let PressLetter { t, from, to, text, commit, .. } = letter;
                let secret = secrets.secret(*t).unwrap();
                assert_eq!(*commit, press_commit(&secret, game, *t, letters.len(), from, to, text));
                letters.push(letter);
            }
            Cause::Closed { t, leaves, root } => {
                let secret = secrets.secret(*t).unwrap();
                let anew: BTreeMap<Seat, Digest> =
                    seats.iter().map(|s| (s.clone(), leaf(&secret, game, *t, s, blocks.get(s)))).collect();
                assert_eq!(*leaves, anew, "the leaves of {t}");
                assert_eq!(*root, orders_root(game, *t, &anew), "the root of {t}");
            }
            Cause::Beacon { beacon: shone, .. } => beacon = shone.to_string(),
            Cause::Adjudicated {
                t,
                events,
                rolls,
                rolls_root: claimed_rolls,
                result_commit: claimed_result,
            } => {
                let secret = secrets.secret(*t).unwrap();
                let leaves: BTreeMap<Seat, Digest> =
                    seats.iter().map(|s| (s.clone(), leaf(&secret, game, *t, s, blocks.get(s)))).collect();
                let root = orders_root(game, *t, &leaves);
                let mut dice = Streams::new(seed(&secret, game, *t, &root, beacon.as_bytes()));
                let anew = table.adjudicate(*t, &blocks, &mut dice);
                assert_eq!(*events, anew.events, "the events of {t}");
                throw_for_couriers(*t, &letters, &mut dice);
                assert_eq!(*rolls, dice.into_rolls().unwrap(), "the dice of {t}");
                assert_eq!(*claimed_rolls, rolls_root(&secret, game, *t, rolls));
                assert_eq!(*claimed_result, result_commit(&secret, game, *t, &digest_of(events)));
                table.adopt(events).unwrap();
                let ran = Some((blocks.clone(), root, beacon.clone(), letters.clone()));
                live.push(Lived { t: Some(*t), events: events.clone(), ran });
                steps += 1;
            }
            Cause::Amended(amendment) => {
                let anew = table.amending(&amendment.text).unwrap();
                check(amendment, amendment.t, amendments, &anew);
                amendments += 1;
                table.amend(&anew).unwrap();
                live.push(Lived { t: None, events: anew, ran: None });
            }
            Cause::Rerun {
                t, amendment, events, rolls, rolls_root: claimed, result_commit: result, ..
            } => {
                let at = live.iter().position(|lived| lived.t == Some(*t)).unwrap();
                let (blocks, root, beacon, letters) = live[at].ran.clone().unwrap();
                live.truncate(at);
                table = replayed(desk, charter, &live);
                let anew = table.amending(&amendment.text).unwrap();
                check(amendment, *t, amendments, &anew);
                amendments += 1;
                table.amend(&anew).unwrap();
                let secret = secrets.secret(*t).unwrap();
                let mut dice = Streams::new(seed(&secret, game, *t, &root, beacon.as_bytes()));
                assert_eq!(*events, table.adjudicate(*t, &blocks, &mut dice).events, "{t} run again");
                throw_for_couriers(*t, &letters, &mut dice);
                assert_eq!(*rolls, dice.into_rolls().unwrap(), "the dice of {t} run again");
                assert_eq!(*claimed, rolls_root(&secret, game, *t, rolls));
                assert_eq!(*result, result_commit(&secret, game, *t, &digest_of(events)));
                table.amend(events).unwrap();
                let events = [anew, events.clone()].concat();
                live.push(Lived { t: Some(*t), events, ran: Some((blocks, root, beacon, letters)) });
            }
            Cause::Rerolled(reroll) => {
                opened += 1;
                assert_eq!(reroll.t, opened);
                let at = live.iter().position(|lived| lived.t == Some(reroll.of)).unwrap();
                let (blocks, root, beacon, letters) = live[at].ran.clone().unwrap();
                live.truncate(at);
                table = replayed(desk, charter, &live);
                let (before, anew) = (secrets.secret(reroll.of).unwrap(), secrets.secret(reroll.t).unwrap());
                let consents: BTreeMap<Seat, Digest> = (reroll.house.iter().chain(&reroll.consents))
                    .map(|s| {
                        assert!(s.block.consents_to(&reroll.label));
                        (s.seat.clone(), leaf(&anew, game, reroll.t, &s.seat, Some(&s.block)))
                    })
                    .collect();
                assert!(consents.keys().eq(&seats), "everybody consents");
                assert_eq!(reroll.root, orders_root(game, reroll.t, &consents));
                let mut dice = Rerolled::new(
                    &reroll.label,
                    seed(&before, game, reroll.of, &root, beacon.as_bytes()),
                    seed(&anew, game, reroll.t, &reroll.root, b""),
                );
                assert_eq!(reroll.events, table.adjudicate(reroll.of, &blocks, &mut dice).events);
                assert_eq!(reroll.rolls, dice.into_rolls().unwrap());
                assert_eq!(reroll.rolls_root, rolls_root(&anew, game, reroll.t, &reroll.rolls));
                assert_eq!(
                    reroll.result_commit,
                    result_commit(&anew, game, reroll.t, &digest_of(&reroll.events))
                );
                table.adopt(&reroll.events).unwrap();
                let ran = Some((blocks, root, beacon, letters));
                live.push(Lived { t: Some(reroll.of), events: reroll.events.clone(), ran });
                steps += 1;
            }
            Cause::RolledBack { t, back, .. } => {
                assert!(*t == opened && *back <= *t);
                // The open window alone, or turns that ran.
                let at =
                    live.iter().position(|lived| lived.t.is_some_and(|t| t >= *back)).unwrap_or(live.len());
                live.truncate(at);
                table = replayed(desk, charter, &live);
            }
            Cause::Founded { .. }
            | Cause::Rescheduled { .. }
            | Cause::Arranged(_)
            | Cause::Unsealed { .. }
            | Cause::Told(_)
            | Cause::Reported(_)
            | Cause::Intervened { .. }
            | Cause::Noted { .. }
            | Cause::Ended { .. } => {}
        }
        for line in entry.cause.log_entries() {
            chain.push(&line);
        }
    }
    let folded = Campaign::fold(desk, entries).unwrap();
    let replayed = Replayed { steps, witness: Witness::of(&chain).unwrap(), digest: table.digest() };
    assert_eq!(folded.witness().as_ref(), Some(&replayed.witness), "the fold ends at the same log entry");
    assert_eq!(folded.game().digest(), replayed.digest, "the fold is the re-adjudication");
    let file = audit_file(entries, secrets, u32::MAX);
    let text = serde_json::to_string(&file).unwrap();
    let has_run = entries.iter().any(|entry| matches!(entry.cause, Cause::Closed { .. }));
    let mut findings = examine(&text, &[], |_, _| {}).unwrap().findings;
    // A game that nobody has begun holds no dice yet, and its file says so.
    findings.retain(|finding| finding.fault != Fault::NothingClosed || has_run);
    assert_eq!(findings, [], "what the host exports is true");
    let again = audit::replay(desk, &serde_json::from_str(&text).unwrap(), |_, _| {});
    assert_eq!(
        (again.difference, again.unable),
        (None, None),
        "and the program plays it again from that alone"
    );
    replayed
}

/// The dice of couriers who pass an enemy: one for each hex in his reach.
fn throw_for_couriers(t: u32, letters: &[&PressLetter], dice: &mut dyn Roller) {
    let mut thrown: BTreeMap<String, u32> = BTreeMap::new();
    for letter in letters {
        let Carriage::Courier { rides } = &letter.carriage else { continue };
        for (reader, ride) in rides.iter().filter(|(_, ride)| ride.perils > 0) {
            let way = format!("{}-{reader}", letter.from);
            let seq = thrown.entry(way.clone()).or_default();
            dice.roll(&format!("{t}/courier/peril/{way}/{seq}").parse().unwrap(), ride.perils, 6);
            *seq += 1;
        }
    }
}
