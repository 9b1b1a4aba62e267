//! The test vectors of `docs/dice.md` are made by this program. The two verifiers that were written from the page alone are held
//! against it in `tests/it/audit.rs`.
//!
//! After a change `MUSTERD_REWRITE_DOCS=1 cargo test --test it vectors` writes them anew. Nothing but an addition should ever
//! change them: games are played by them.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs;
use std::path::Path;

use musterd::dice::told::{Contents, TellingId, TellingKind, ToldNote, page_words, text_words};
use musterd::dice::{
    BeaconPolicy, Block, Chain, Digest, GameId, Label, LogEntry, LogKind, Roll, Seat, Secret, SecretChain,
    Stream, Text, blind, hash, keyed, leaf, merkle, orders_root, previous, result_commit, roll_blind,
    roll_leaf, rolls_root, seed,
};
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Dxsm;

const BEGIN: &str = "\n## Test vectors\n";
const ANCHOR: u32 = 3;
const T: u32 = 2;
const LABEL: &str = "2/combat/round/u1-u2/0";

/// Text in blocks that keep their lines.
#[derive(Default)]
struct Page(String);

impl Page {
    fn says(&mut self, text: &str) {
        self.0.push_str(&format!("\n{}\n", textwrap::fill(text, 140)));
        self.0.push('\n');
    }

    fn line(&mut self, what: &str, value: impl Display) {
        writeln!(self.0, "    {what:<36} {value}").unwrap();
    }
}

fn game() -> GameId {
    "alpha".parse().unwrap()
}

fn seat(name: &str) -> Seat {
    name.parse().unwrap()
}

/// s_3: the bytes 0 to 31.
fn last() -> Secret {
    Secret::new(std::array::from_fn(|i| u8::try_from(i).unwrap()))
}

fn secret() -> Secret {
    previous(&game(), ANCHOR, &last())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn functions(page: &mut Page) {
    page.says(
        "Made by the program (`tests/it/vectors.rs`). Strings stand in quotes, `\\n` is LF; everything else is hex or decimal. First the two \
         functions, with no fields, and with an empty one, a string and a number:",
    );
    page.line("lp(\"pbemdice/1/x\", \"\", \"ab\", 12)", "");
    let fields = ["pbemdice/1/x", "", "ab", "12"].map(str::as_bytes);
    let lp =
        fields.map(|field| hex(&u32::try_from(field.len()).unwrap().to_be_bytes()) + &hex(field)).concat();
    page.line("", &lp);
    page.line("H(\"x\")", hash("x", &[]));
    page.line("H(\"x\", \"\", \"ab\", 12)", hash("x", &[b"", b"ab", b"12"]));
    page.line("key", last().reveal());
    page.line("F(key, \"x\", \"\", \"ab\", 12)", keyed(last().as_bytes(), "x", &[b"", b"ab", b"12"]));
}

fn chain(page: &mut Page) {
    page.says("The secrets of a game `alpha` with N = 3, whose last one is that key:");
    let mut secret = last();
    page.line("s_3", secret.reveal());
    for i in (1..=ANCHOR).rev() {
        secret = previous(&game(), i, &secret);
        page.line(&format!("s_{} = H(\"chain\", \"alpha\", {i}, s_{i})", i - 1), secret.reveal());
    }
    assert_eq!(SecretChain::new(&game(), last(), ANCHOR).anchor(), secret.reveal());
}

/// The root that the dice of t = 2 are bound to.
fn orders(page: &mut Page) -> Digest {
    page.says(
        "t = 2 uses s_2. The slot `allied` sent nothing, `french` two lines, `neutral` an empty block; below, the block of `french` and its \
         plain SHA-256, each slot's blind and leaf, and the root.",
    );
    let french = Block::canonical("MOVE 1 TO 1204\nsalt: a grey goose\n");
    page.line("block of french", format!("{:?}", french.as_str()));
    page.line("SHA-256(block)", french.digest());
    let mut leaves = BTreeMap::new();
    for (name, block) in [("allied", None), ("french", Some(french)), ("neutral", Some(Block::canonical("")))]
    {
        let leaf = leaf(&secret(), &game(), T, &seat(name), block.as_ref());
        page.line(&format!("blind of {name}"), blind(&secret(), &game(), T, &seat(name)));
        page.line(&format!("leaf of {name}"), leaf);
        leaves.insert(seat(name), leaf);
    }
    let root = orders_root(&game(), T, &leaves);
    page.line("root", root);
    root
}

fn label() -> Label {
    LABEL.parse().unwrap()
}

/// The first roll of that label.
fn dice(page: &mut Page, root: &Digest) -> Roll {
    page.says(
        "The seed without a beacon and with one, and from the first the stream of one label: the 32 bytes that begin it, its first words, \
         and the dice of many sizes, each from the stream's beginning.",
    );
    let turn = |beacon: &[u8]| {
        let fields: [&[u8]; 4] = [b"alpha", b"2", root.as_bytes(), beacon];
        keyed(secret().as_bytes(), "turn", &fields)
    };
    let beacon = "drand-quicknet/40000/0000000000000000000000000000000000000000000000000000000000000000";
    page.line("seed_2, beacon \"\"", turn(b""));
    page.line("beacon", format!("{beacon:?}"));
    page.line("seed_2 with it", turn(beacon.as_bytes()));
    let begin = keyed(turn(b"").as_bytes(), "roll", &[LABEL.as_bytes()]);
    page.line("label", format!("{LABEL:?}"));
    page.line("F(seed_2, \"roll\", label)", begin);
    let mut words = Pcg64Dxsm::from_seed(*begin.as_bytes());
    for n in 1..=4 {
        page.line(&format!("word {n}"), format!("{:016x}", words.next_u64()));
    }
    let of_turn = seed(&secret(), &game(), T, root, b"");
    for sides in [2_u32, 3, 6, 8, 10, 20, 100, 4_000_000_000] {
        let mut stream = Stream::new(&of_turn, &label());
        let faces: Vec<String> = (0..8).map(|_| stream.die(sides).to_string()).collect();
        let low = (1_u128 << 64) % u128::from(sides);
        page.line(&format!("d{sides}, 2^64 mod {sides} = {low}"), faces.join(" "));
    }
    let mut items: Vec<u32> = (0..10).collect();
    Stream::new(&of_turn, &label()).shuffle(&mut items);
    let items: Vec<String> = items.iter().map(u32::to_string).collect();
    page.line("0 1 2 ... 9, shuffled", items.join(" "));
    let mut stream = Stream::new(&of_turn, &label());
    Roll { label: label(), sides: 6, faces: (0..3).map(|_| stream.die(6)).collect() }
}

fn commitments(page: &mut Page, roll: &Roll) {
    page.says("What is committed to: that label thrown as 3d6, alone, and a result of one event.");
    let rollblind = roll_blind(&secret(), &game(), T, &roll.label);
    page.line("roll line", format!("{:?}", roll.to_string()));
    page.line("rollblind", rollblind);
    page.line("roll leaf", roll_leaf(&game(), T, &rollblind, roll));
    page.line("rolls-root of it alone", rolls_root(&secret(), &game(), T, std::slice::from_ref(roll)));
    let event = "{\"event\":\"turn_began\"}\n";
    let digest = Digest::of(event.as_bytes());
    page.line("event", format!("{event:?}"));
    page.line("digest, its SHA-256", digest);
    page.line("resultblind", keyed(secret().as_bytes(), "resultblind", &[b"alpha", b"2"]));
    page.line("result-commit", result_commit(&secret(), &game(), T, &digest));
    page.says("The tree over so many leaves; leaf 0 is SHA-256 of \"0\", leaf 1 of \"1\", and so on.");
    for count in [0, 1, 2, 3, 5] {
        let leaves: Vec<Digest> = (0..count).map(|i: u32| Digest::of(i.to_string().as_bytes())).collect();
        page.line(&format!("root of {count}"), merkle::root(&leaves));
    }
}

fn log(page: &mut Page, root: &Digest) {
    page.says("A log, in which the anchor, the root and the rest are those above; a line is index, kind and body, then the head.");
    let mut chain = Chain::new(&game());
    page.line("H(\"genesis\", \"alpha\")", chain.head());
    let anchor = SecretChain::new(&game(), last(), ANCHOR).anchor();
    let rules = Digest::of(b"rules");
    let entries = [
        (LogKind::Game, format!("alpha {anchor} allied,french,neutral - - {rules}")),
        (LogKind::Open, "1 - founding".to_owned()),
        (LogKind::Note, Text::new("anything else").to_string()),
        (LogKind::Close, format!("2 {root}")),
    ];
    for (index, (kind, body)) in entries.into_iter().enumerate() {
        let entry = LogEntry::read(kind, &body).unwrap();
        let head = chain.push(&entry);
        page.0.push_str(&format!("    {index} {} {}\n", kind.as_str(), entry.body()));
        page.line("", head);
    }
}

fn beacon(page: &mut Page) {
    let policy: BeaconPolicy = "drand-quicknet:1692803367:3:3600".parse().unwrap();
    page.says(&format!(
        "The round of `{policy}` by the last deadline D. With D + delay = {} it is the genesis itself.",
        policy.genesis
    ));
    for deadline in [0, 1_692_799_767, 1_692_799_768, 1_692_799_770, 1_692_799_771, 1_800_000_000] {
        page.line(&format!("D = {deadline}"), policy.round(deadline));
    }
}

const TOLD_TEXT: &str = "Dear player,\nTold: alpha 2 french 1\nThe GM: snow.\n\n  1  Mack 1 & II Ney\n     lost\t2.\nEnd told: alpha 2 french 1\n";
const TOLD_PAGE: &str = "<p>Told: alpha 2 french 1</p><style>p > b {}</style><p>The GM: snow.</p><!-- <b> --><OL><li>Mack <b>1</b> &amp;&nbsp;II Ney lost 2.\
                         </li></OL><svg><text>&lt;N></text></svg><p>End told: alpha 2 french 1</p>";
const TOLD_DATA: &str = "{\"notices\":[\"The GM: snow.\"]}\n";

fn told(page: &mut Page) {
    page.says(
        "What the slot `french` is told of t = 2, for the first time, with the wording 1: a text, a page and data of a dispatch, without facts. Of the text and of \
         the page the words between the marks are hashed, and so are the bytes of the data.",
    );
    let id = TellingId { t: T, seat: seat("french"), n: 1 };
    let between = |words: &str| -> String {
        let (_, rest) = words.split_once(&id.begins(&game())).unwrap();
        rest.rsplit_once(&id.ends(&game())).unwrap().0.trim().to_owned()
    };
    let (text, html) = (between(&text_words(TOLD_TEXT)), between(&page_words(TOLD_PAGE)));
    let digest = |text: &str| Some(Digest::of(text.as_bytes()));
    let said = "The GM: snow.".to_owned();
    let contents = Contents {
        kind: TellingKind::Dispatch,
        text: digest(&text),
        html: digest(&html),
        data: digest(TOLD_DATA),
        facts: None,
        said: vec![said.clone()],
    };
    page.line("text", format!("{TOLD_TEXT:?}"));
    page.line("words of the text", format!("{text:?}"));
    page.line("SHA-256", contents.text.unwrap());
    page.line("page", format!("{TOLD_PAGE:?}"));
    page.line("words of the page", format!("{html:?}"));
    page.line("SHA-256", contents.html.unwrap());
    page.line("data", format!("{TOLD_DATA:?}"));
    page.line("SHA-256", contents.data.unwrap());
    page.line("said", format!("[{said:?}]"));
    page.line("H(\"said\", it)", hash("said", &[said.as_bytes()]));
    page.line("toldblind", keyed(secret().as_bytes(), "toldblind", &[b"alpha", b"2", b"french", b"1"]));
    let commit = contents.commit(&secret(), &game(), &id, 1);
    page.line("commitment", commit);
    page.line("note", ToldNote { id, kind: contents.kind, wording: 1, commit });
}

/// `docs/verify.py` reads the same words in these, and commits to them in the same way.
#[test]
fn the_independent_verifier_makes_the_same_of_what_is_told() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = "import hashlib, sys\nsys.path.insert(0, sys.argv[1])\nimport verify as v\n_, docs, text, page, data, secret = sys.argv\n\
                  forms = [v.marked(v.text_words(text))['digest'], v.marked(v.page_words(page))['digest'], hashlib.sha256(data.encode()).hexdigest()]\n\
                  place, said = ('alpha', 2, 'french', 1), v.H('said', 'The GM: snow.')\nblind = v.F(v.unhex(secret), 'toldblind', *place)\n\
                  print(*forms, blind.hex(), v.H('told', *place, blind, 1, 'dispatch', *map(v.unhex, forms), b'', said).hex())\n";
    let secret = secret().reveal().to_string();
    let mut python = std::process::Command::new("python3");
    python.args(["-B", "-c", script]).arg(root.join("docs")).args([TOLD_TEXT, TOLD_PAGE, TOLD_DATA, &secret]);
    let output = python.output().unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    let page = fs::read_to_string(root.join("docs/dice.md")).unwrap();
    assert_eq!(made.split_whitespace().count(), 5, "{}", String::from_utf8_lossy(&output.stderr));
    for value in made.split_whitespace() {
        assert!(page.contains(&format!(" {value}\n")), "{value} is not in docs/dice.md");
    }
}

fn vectors() -> String {
    let mut page = Page::default();
    functions(&mut page);
    chain(&mut page);
    let root = orders(&mut page);
    let roll = dice(&mut page, &root);
    commitments(&mut page, &roll);
    log(&mut page, &root);
    told(&mut page);
    beacon(&mut page);
    // No blank stands at the end of a line.
    page.0.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn the_vectors_of_the_protocols_page_are_what_the_program_computes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dice.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, found) = page.split_once(BEGIN).expect("docs/dice.md has test vectors at its end");
    let made = vectors();
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    if std::env::var("MUSTERD_REWRITE_DOCS").is_ok() {
        fs::write(&path, format!("{before}{BEGIN}{made}")).unwrap();
        return;
    }
    assert_eq!(found, made, "MUSTERD_REWRITE_DOCS=1 cargo test --test it vectors writes them anew");
}

#[test]
fn the_tree_on_the_protocols_page_is_the_one_that_the_program_makes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text =
        |path: &str| -> String { fs::read_to_string(root.join(path)).unwrap().split_whitespace().collect() };
    assert!(text("docs/dice.md").contains(&text("src/dice/audit/example.json")));
}
