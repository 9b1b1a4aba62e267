//! The pure core on two games that the computer players have played, kept in `tests/played/`: in both, t 3 is the Allied turn
//! of the first summer.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use musterd::desk::campaign::Campaign;
use musterd::desk::mail::{Attachment, Composition, Kind, Mailbox, Which, compose, message_id};
use musterd::desk::{Desk, Game};
use musterd::dice::told::TellingId;
use musterd::dice::{Block, Digest, GameId, Seat, Seed, Streams, Witness};
use musterd::engine::Adjudication;
use musterd::engine::journal::{Cause, Entry};
use musterd::report::data::{self, Origin};
use musterd::report::letters::{self, Addressee, Dispatch, Part, WindowShown};
use musterd::report::{Templates, Told, text};

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The adjudication that is timed.
const T: u32 = 3;

/// 35 units on the map under 61 orders: 49 of the 19 Allied units, 12 standing orders of the French. The size for which the
/// goals are set.
const MIDDLING: &str = "nations-1814";
/// 52 units under 85 orders: 81 of the 40 Allied units, 4 standing orders. No scenario has more.
const LARGE: &str = "waterloo-1815";

fn journal(game: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/played/lga-{game}.jsonl"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The journal up to the close of `T`, and the blocks that were closed.
fn position(entries: &[Entry]) -> (usize, BTreeMap<Seat, Block>) {
    let mut blocks = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        match &entry.cause {
            Cause::Opened { t: T, sealed, .. } => {
                blocks = sealed.iter().map(|s| (s.seat.clone(), s.block.clone())).collect();
            }
            Cause::Closed { t: T, .. } => return (index, blocks),
            _ => {}
        }
    }
    unreachable!("the played game has this turn")
}

// Each job stands alone, never inlined, so that `benches/instructions` can count what it takes.

#[inline(never)]
fn job_adjudicate(game: &dyn Game, blocks: &BTreeMap<Seat, Block>) -> Adjudication {
    game.adjudicate(T, blocks, &mut Streams::new(Seed::unrelated([7; 32])))
}

#[inline(never)]
fn job_read(game: &dyn Game, seat: &Seat, block: &Block) -> usize {
    game.read(seat, block).1.len()
}

#[inline(never)]
fn job_report(game: &dyn Game, seat: &Seat) -> String {
    text::sections(&game.brief(seat))
}

/// The whole mail: text, HTML with its maps drawn, the form, the data.
#[inline(never)]
fn job_dispatch(templates: &Templates, game: &dyn Game, seat: &Seat) -> Vec<u8> {
    let game_id: GameId = "bench".parse().unwrap();
    let witness = Witness { game: game_id.clone(), index: 14, head: Digest::of(b"head") };
    let briefing = game.brief(seat);
    let told = Told::of_report(&[], &briefing);
    black_box((told.text_digest(), told.page_digest(), game.facts(seat)));
    let id = TellingId { t: T, seat: seat.clone(), n: 1 };
    let mail = Dispatch {
        to: Addressee {
            game: game_id.clone(),
            system: game.system().to_owned(),
            seat: seat.clone(),
            title: "the Allied commander".to_owned(),
            reply_to: "campaign+bench.allied.k7q2mz4t9hwxp3cd@example.org".to_owned(),
            allies: Vec::new(),
            key_line: "# key: bench allied k7q2mz4t9hwxp3cd".to_owned(),
        },
        briefing,
        said: Vec::new(),
        told: Some(told.marked(&game_id, &id)),
        further: Vec::new(),
        window: WindowShown {
            t: T,
            title: "the Allied turn".to_owned(),
            part: Part::Phasing,
            deadline: None,
            recall: None,
            runs: None,
        },
        form: game.form(seat).to_vec(),
        closed: None,
        revealed: None,
        seen: witness.clone(),
        witness: witness.into(),
    };
    let message = letters::dispatch(templates, &mail);
    let origin = Origin { ruleset: "lga", scenario: "lga/bench", view: &game.published(seat) };
    let file = |name: &str, mime: &str, text: String| Attachment {
        name: name.to_owned(),
        mime: mime.to_owned(),
        bytes: text.into_bytes(),
    };
    let packet = Composition {
        from: Mailbox { name: None, address: "campaign@example.org".to_owned() },
        to: vec!["ben@example.org".to_owned()],
        reply_to: Some(mail.to.reply_to.clone()),
        subject: message.subject,
        message_id: message_id("example.org", &game_id, T, seat, Kind::Dispatch, Which::Number(0)),
        in_reply_to: None,
        references: Vec::new(),
        date: 1_767_300_000,
        kind: Kind::Dispatch,
        game: Some(game_id),
        seat: Some(seat.clone()),
        text: message.body,
        html: message.html,
        attachments: vec![
            file("orders.txt", "text/plain", letters::form_of(&mail)),
            file("bench-t3-allied.json", "application/json", data::dispatch(&mail, &origin)),
        ],
        may_leave: false,
        automatic: true,
    };
    compose(&packet).unwrap()
}

#[inline(never)]
fn job_form(game: &dyn Game, seat: &Seat) -> usize {
    game.form(seat).len()
}

/// The planner's orders for a turn.
#[inline(never)]
fn job_plan(game: &dyn Game, seat: &Seat) -> String {
    game.play(seat, "planner", 7)
}

#[inline(never)]
fn job_fold(desk: &Desk, entries: &[Entry]) -> u64 {
    Campaign::fold(desk, entries).unwrap().entries()
}

fn turn(criterion: &mut Criterion) {
    for (game, orders, block) in [(MIDDLING, 61, 52), (LARGE, 85, 84)] {
        played_turn(criterion, game, orders, block);
    }
}

fn played_turn(criterion: &mut Criterion, name: &str, orders: u32, lines: u32) {
    let (desk, entries) = (musterd::rulesets::desk(), journal(name));
    let (upto, blocks) = position(&entries);
    let campaign = Campaign::fold(&desk, &entries[..upto]).unwrap();
    let game = campaign.game();
    let allied: Seat = "allied".parse().unwrap();
    let block = blocks[&allied].clone();

    criterion.bench_function(&format!("{name}: adjudicate a player turn ({orders} orders)"), |b| {
        b.iter(|| black_box(job_adjudicate(game, &blocks)));
    });
    criterion.bench_function(&format!("{name}: read a block for its receipt ({lines} lines)"), |b| {
        b.iter(|| black_box(job_read(game, &allied, &block)));
    });
    criterion.bench_function(&format!("{name}: brief a seat and render its report"), |b| {
        b.iter(|| black_box(job_report(game, &allied)));
    });
    let templates = Templates::default();
    criterion.bench_function(&format!("{name}: brief a seat and make its whole mail"), |b| {
        b.iter(|| black_box(job_dispatch(&templates, game, &allied)));
    });
    // A form is made once of a position and kept.
    let fresh = || Campaign::fold(&desk, &entries[..upto]).unwrap();
    criterion.bench_function(&format!("{name}: make the order form of a seat"), |b| {
        b.iter_batched_ref(fresh, |campaign| job_form(campaign.game(), &allied), BatchSize::LargeInput);
    });
    criterion.bench_function(&format!("{name}: the planner's orders for a seat"), |b| {
        b.iter(|| black_box(job_plan(game, &allied)));
    });
    let adjudications = entries.iter().filter(|e| matches!(e.cause, Cause::Adjudicated { .. })).count();
    criterion.bench_function(&format!("{name}: fold the game ({adjudications} adjudications)"), |b| {
        b.iter(|| black_box(job_fold(&desk, &entries)));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).without_plots();
    targets = turn
}
criterion_main!(benches);
