//! What the audit costs: a long campaign's dice thrown again from its audit file, and what committing to each roll costs the
//! host beside the two HMACs that the protocol asks for.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use musterd::dice::audit::{AuditFile, LogLine, PROTOCOL, Thrown, Turn, examine};
use musterd::dice::{
    Block, Chain, Digest, GameId, LogEntry, LoggedVerdict, Roll, Roller as _, Seat, Secret, SecretChain,
    Streams, leaf, orders_root, result_commit, roll_blind, rolls_root, seed,
};

/// The campaign for which the goal is set: at most 1 s of CPU.
const ADJUDICATIONS: u32 = 1000;
const ROLLS: u32 = 100;

fn secrets(game: &GameId) -> SecretChain {
    let last = Secret::try_from("5".repeat(64).as_str()).unwrap();
    SecretChain::new(game, last, ADJUDICATIONS)
}

fn rolls(dice: &mut Streams, t: u32) {
    for n in 0..ROLLS {
        let label = format!("{t}/battle/attack/unit-{}/{}", n / 4, n % 4);
        dice.roll(&label.parse().unwrap(), 1 + n % 3, 6);
    }
}

/// A campaign of two players with orders of a usual length.
fn campaign() -> String {
    let game: GameId = "bench".parse().unwrap();
    let seats: BTreeSet<Seat> = ["allied", "french"].map(|name| name.parse().unwrap()).into();
    let secrets = secrets(&game);
    let (mut chain, mut log, mut turns) = (Chain::new(&game), Vec::new(), Vec::new());
    let mut push = |entry: LogEntry| log.push(LogLine::of(&entry, chain.push(&entry)));
    push(LogEntry::Game {
        game: game.clone(),
        anchor: secrets.anchor(),
        seats: seats.clone(),
        house: BTreeSet::new(),
        beacon: None,
        rules: Digest::of(b"rules"),
    });
    for t in 1..=ADJUDICATIONS {
        let secret = secrets.secret(t).unwrap();
        push(LogEntry::Open { t, deadline: None, name: format!("turn-{t}").parse().unwrap() });
        let block = Block::canonical(&format!("salt: {t} grey stones\n{}", "MOVE 3 TO Ulm\n".repeat(20)));
        let leaves: BTreeMap<Seat, Digest> =
            seats.iter().map(|seat| (seat.clone(), leaf(&secret, &game, t, seat, Some(&block)))).collect();
        for (seat, digest) in &leaves {
            let (seat, digest) = (Some(seat.clone()), *digest);
            push(LogEntry::Recv { t, seat, digest, verdict: LoggedVerdict::Accepted, reason: None });
        }
        let root = orders_root(&game, t, &leaves);
        push(LogEntry::Close { t, root });
        let mut dice = Streams::new(seed(&secret, &game, t, &root, b""));
        rolls(&mut dice, t);
        let thrown = dice.into_rolls().unwrap();
        let digest = Digest::of(b"events");
        let (rolls, result) =
            (rolls_root(&secret, &game, t, &thrown), result_commit(&secret, &game, t, &digest));
        push(LogEntry::Rolls { t, rolls, result });
        turns.push(Turn {
            t,
            secret: Some(secret.reveal().to_string()),
            orders: seats.iter().map(|seat| (seat.to_string(), Some(block.as_str().to_owned()))).collect(),
            rolls: thrown.iter().map(Thrown::from).collect(),
            result: digest.to_string(),
            ..Turn::default()
        });
    }
    let file = AuditFile { protocol: PROTOCOL.into(), witness: Vec::new(), log, turns, replay: None };
    serde_json::to_string(&file).unwrap()
}

fn verify(criterion: &mut Criterion) {
    let file = campaign();
    assert_eq!(examine(&file, &[], |_, _| {}).unwrap().findings, []);
    let name = format!("verify {ADJUDICATIONS} adjudications of {ROLLS} rolls, without replay");
    criterion.bench_function(&name, |b| b.iter(|| black_box(examine(&file, &[], |_, _| {}).unwrap())));
}

fn logging(criterion: &mut Criterion) {
    let game: GameId = "bench".parse().unwrap();
    let secret = secrets(&game).secret(7).unwrap();
    let seed = seed(&secret, &game, 7, &Digest::of(b"root"), b"");
    let thrown: Vec<Roll> = {
        let mut dice = Streams::new(seed.clone());
        rolls(&mut dice, 7);
        dice.into_rolls().unwrap()
    };
    let mut group = criterion.benchmark_group("committing to rolls");
    group.throughput(Throughput::Elements(u64::from(ROLLS)));
    group.bench_function("the blinds alone: an HMAC a roll", |b| {
        b.iter(|| thrown.iter().for_each(|roll| _ = black_box(roll_blind(&secret, &game, 7, &roll.label))));
    });
    group.bench_function("blinds, leaves and root", |b| {
        b.iter(|| black_box(rolls_root(&secret, &game, 7, &thrown)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).without_plots();
    targets = verify, logging
}
criterion_main!(benches);
