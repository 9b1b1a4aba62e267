//! Games that the computer players have played, opened again at their third adjudication for a person: what the benches of the
//! host begin with. A test plays one, for nobody else would notice if they were of no use any more.

use musterd::store::Ledger as _;
use std::fs;
use std::path::Path;

use musterd::daemon::{Host, Reply, Request, Shape};
use musterd::dice::{GameId, Seat, Secret, SecretChain};
use musterd::engine::journal::{Cause, Entry, Player};
use musterd::store::{Step, Store};

/// A played game whose t 3 has just opened, the Allied turn of the first summer; a person has the Allied seat.
pub(crate) struct Reopened {
    game: GameId,
    entries: Vec<Entry>,
    secrets: SecretChain,
    /// The Allied orders that were played in it, without `READY`; lines end with CR LF.
    pub(crate) block: String,
}

pub(crate) fn allied() -> Seat {
    "allied".parse().unwrap()
}

pub(crate) fn played(scenario: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/played/lga-{scenario}.jsonl"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Opens a game again, whose [`played`] journal this is, under another name. The address is the Allied player's; the deadline,
/// in unix seconds, takes the place of the one that was played.
pub(crate) fn reopened(
    journal: &[Entry],
    game: &GameId,
    address: String,
    new_deadline: Option<i64>,
) -> Reopened {
    let is_opening = |entry: &Entry| matches!(entry.cause, Cause::Opened { t: 3, .. });
    let opened = journal.iter().position(is_opening).unwrap();
    let mut entries = journal[..=opened].to_vec();
    let secrets = SecretChain::new(game, Secret::new([7; 32]), SecretChain::DEFAULT_LENGTH);
    let (mut address, mut block) = (Some(address), String::new());
    for entry in &mut entries {
        match &mut entry.cause {
            Cause::Founded { charter, anchor } => {
                charter.game = game.clone();
                *anchor = secrets.anchor();
                let player = Player::Mail { addresses: address.take().into_iter().collect() };
                charter.players.insert(allied(), player);
            }
            Cause::Opened { t: 3, sealed, deadline, .. } => {
                *deadline = new_deadline.or(*deadline);
                sealed.retain(|sealed| {
                    if sealed.seat == allied() {
                        block = sealed.block.as_str().replace("READY\n", "").replace('\n', "\r\n");
                    }
                    sealed.seat != allied()
                });
            }
            _ => {}
        }
    }
    Reopened { game: game.clone(), entries, secrets, block }
}

impl Reopened {
    /// Puts the game and its secret into a data directory whose store this is.
    pub(crate) fn put_into(self, store: &Store, dir: &Path) {
        let Self { game, entries, secrets, .. } = self;
        let file = dir.join("secrets").join(format!("{game}.secret"));
        fs::create_dir_all(dir.join("secrets")).unwrap();
        fs::write(file, secrets.to_text().as_bytes()).unwrap();
        store.commit(&[Step { game: Some(game), entries, ..Step::default() }]).unwrap();
    }
}

/// The report to the Allied player, and the line in it that shows the seat's secret.
pub(crate) fn report(host: &mut Host, game: &GameId) -> (String, String) {
    let asked = Request::Report { game: game.clone(), seat: allied(), turn: None, shape: Shape::Text };
    let Reply::Report { text, .. } = host.execute(asked).unwrap() else { panic!("no report of {game}") };
    let key = text.lines().find(|line| line.starts_with("# key:")).expect("a form has a key line").to_owned();
    (text, key)
}

#[test]
fn a_game_that_was_opened_again_takes_orders() {
    use musterd::daemon::clock::Clock;
    use musterd::daemon::{Entropy, Options, config};
    use musterd::engine::journal::Verdict;
    use musterd::post::{Arrived, Keep as _, Raw};

    let (dir, game, now) = (tempfile::tempdir().unwrap(), "again".parse().unwrap(), super::support::NOON);
    fs::write(dir.path().join(config::FILE), config::example(super::support::HOST)).unwrap();
    let again = reopened(&played("nations-1814"), &game, "ben@example.org".to_owned(), Some(now + 60));
    let block = again.block.clone();
    again.put_into(&Store::open(dir.path()).unwrap().0, dir.path());
    let entropy = Entropy::SeedFile(b"any other".to_vec().into());
    let (clock, desk) = (Clock::at(now), musterd::rulesets::desk());
    let mut host = Host::open(Options { dir: dir.path().to_owned(), clock, entropy, desk }).unwrap();
    let (_, key) = report(&mut host, &game);
    let raw = format!("From: ben@example.org\r\n\r\n{key}\r\nBEGIN ORDERS\r\n{block}END ORDERS\r\n");
    let mail = Arrived { raw: Raw::Whole(raw.into_bytes()), arrived: now, source: "ben".to_owned() };
    host.spool().keep(&[mail]).unwrap();
    assert_eq!(host.take_mail().unwrap(), 1);
    let Reply::Journal { entries } = host.execute(Request::Journal { game }).unwrap() else { panic!() };
    let received = entries.iter().rev().find_map(|entry| match &entry.cause {
        Cause::Received(mail) => Some(mail),
        _ => None,
    });
    let mail = received.unwrap();
    let Verdict::Accepted { block: taken, .. } = &mail.verdict else { panic!("{:?}", mail.verdict) };
    assert_eq!(taken.as_str().lines().count(), block.lines().count());
}
