//! Ledgers against a plain picture of one: whatever happens, they hold what they acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd::engine::GameId;
use musterd::engine::journal::Entry;
use musterd::fault::{self, Plan};
use musterd::store::{Ledger, Memory, Step, StoreError};
use proptest::prelude::*;

use super::store::*;

/// What happens to a store in the property test.
#[derive(Debug, Clone)]
enum Happening {
    Commit(Vec<(usize, usize, bool)>),
    Fault(u64, Vec<(usize, usize, bool)>),
    Send(usize),
    Reopen,
    LoseStore,
    LoseMirror(usize),
}

const GAMES: [&str; 3] = ["alpha", "beta", "gamma"];

/// A plain picture of what the store should hold.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    entries: BTreeMap<GameId, Vec<Entry>>,
    seen: BTreeSet<String>,
    pending: BTreeSet<String>,
    sent: BTreeSet<String>,
}

impl Model {
    /// The steps that this plan asks for in this state.
    fn steps(&mut self, plan: &[(usize, usize, bool)]) -> Vec<Step> {
        let mut steps = Vec::new();
        for &(which, entries, mail) in plan {
            let id = game(GAMES[which]);
            let journal = self.entries.entry(id.clone()).or_default();
            let position = journal.len() as u64;
            let entries: Vec<_> = (0..entries).map(|k| note(&"x".repeat(k * 3000 + 1))).collect();
            journal.extend(entries.clone());
            let name = format!("{id}/{}", self.seen.len());
            self.seen.insert(name.clone());
            if mail {
                self.pending.insert(name.clone());
            }
            let packets = if mail { vec![packet(&name, &["a@x"])] } else { vec![] };
            steps.push(Step {
                game: Some(id),
                position,
                entries,
                seen: vec![name],
                packets,
                ..Step::default()
            });
        }
        steps
    }

    fn read(store: &dyn Ledger, of: &Model) -> Model {
        let mut read = Model::default();
        for id in store.games().unwrap() {
            read.entries.insert(id.clone(), store.entries(&id).unwrap());
            for line in store.ledger(Some(&id)).unwrap() {
                let place = if line.next.is_some() { &mut read.pending } else { &mut read.sent };
                place.insert(line.packet);
            }
        }
        read.seen = of.seen.iter().filter(|key| store.seen(key).unwrap()).cloned().collect();
        let due: BTreeSet<_> =
            store.due(i64::MAX, 10_000).unwrap().into_iter().map(|o| o.packet.id).collect();
        assert_eq!(due, read.pending);
        read
    }
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let plan = || prop::collection::vec((0..GAMES.len(), 0..4_usize, any::<bool>()), 1..4);
    let happening = prop_oneof![
        6 => plan().prop_map(Happening::Commit),
        2 => (1..12_u64, plan()).prop_map(|(n, plan)| Happening::Fault(n, plan)),
        3 => any::<usize>().prop_map(Happening::Send),
        1 => Just(Happening::Reopen),
        1 => Just(Happening::LoseStore),
        1 => (0..GAMES.len()).prop_map(Happening::LoseMirror),
    ];
    prop::collection::vec(happening, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_store_holds_what_it_acknowledged(happenings in happenings()) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Some(open_clean(dir.path()));
        let mut model = Model::default();
        for happening in happenings {
            let open_store = store.take().unwrap();
            let before = model.clone();
            match happening {
                Happening::Commit(plan) => open_store.commit(&model.steps(&plan)).unwrap(),
                Happening::Fault(n, plan) => {
                    let steps = model.steps(&plan);
                    let armed = fault::arm(Plan::crash_at(n));
                    let outcome = open_store.commit(&steps);
                    drop(armed);
                    if outcome.is_err() {
                        drop(open_store);
                        let reopened = open(dir.path()).0;
                        let read = Model::read(&reopened, &model);
                        prop_assert!(read == model || read == before, "a commit is there in part: {read:?}");
                        model = read;
                        store = Some(reopened);
                        continue;
                    }
                }
                Happening::Send(n) => {
                    let id = model.pending.iter().nth(n % model.pending.len().max(1)).cloned();
                    if let Some(id) = id {
                        open_store.record(&[sent(&id, "a@x")]).unwrap();
                        model.pending.remove(&id);
                        model.sent.insert(id);
                    }
                }
                Happening::Reopen => {
                    drop(open_store);
                    store = Some(open_clean(dir.path()));
                    continue;
                }
                Happening::LoseStore => {
                    drop(open_store);
                    fs::remove_dir_all(dir.path().join("store")).unwrap();
                    store = Some(open(dir.path()).0);
                    continue;
                }
                Happening::LoseMirror(which) => {
                    drop(open_store);
                    let _ = fs::remove_file(mirror(dir.path(), GAMES[which]));
                    store = Some(open(dir.path()).0);
                    continue;
                }
            }
            store = Some(open_store);
        }
        let read = Model::read(store.as_ref().unwrap(), &model);
        prop_assert_eq!(read, model);
    }

    /// Two engines that are told the same, in the same order, say the same of it: what is stored, what is refused, what is due.
    #[test]
    fn an_engine_in_memory_says_what_the_store_says(happenings in happenings(), slips in any::<u8>()) {
        let dir = tempfile::tempdir().unwrap();
        let (store, memory) = (open_clean(dir.path()), Memory::default());
        let mut model = Model::default();
        let both: [&dyn Ledger; 2] = [&store, &memory];
        let told = |what: &dyn Fn(&dyn Ledger) -> Result<(), StoreError>| {
            let said = both.map(|ledger| what(ledger).map_err(|error| error.to_string()));
            assert_eq!(said[0], said[1]);
            said[0].is_ok()
        };
        for (n, happening) in happenings.into_iter().enumerate() {
            let before = model.clone();
            match happening {
                Happening::Commit(plan) | Happening::Fault(_, plan) => {
                    let mut steps = model.steps(&plan);
                    // Now and then a step is decided on what has changed meanwhile, or mails what was mailed.
                    if n % 8 == usize::from(slips % 8) && let Some(last) = steps.last_mut() {
                        last.position += u64::from(slips & 8);
                        last.packets.extend(before.sent.first().map(|id| packet(id, &["a@x"])));
                    }
                    if !told(&|ledger| ledger.commit(&steps)) {
                        model = before;
                    }
                }
                Happening::Send(n) => {
                    let all: Vec<String> = model.pending.union(&model.sent).cloned().collect();
                    let Some(id) = all.get(n % all.len().max(1)) else { continue };
                    if told(&|ledger| ledger.record(&[sent(id, "a@x")])) {
                        model.pending.remove(id);
                        model.sent.insert(id.clone());
                    }
                }
                Happening::Reopen | Happening::LoseStore | Happening::LoseMirror(_) => {
                    both.iter().for_each(|ledger| ledger.set_game_aside(&game("gamma"), "it is looked at"));
                    prop_assert_eq!(store.newly_set_aside(), memory.newly_set_aside());
                }
            }
            for id in GAMES.map(game) {
                let all = both.map(|ledger| {
                    let entries = ledger.entries(&id).map_err(|error| error.to_string());
                    (ledger.position(&id).unwrap(), entries, ledger.ledger(Some(&id)).unwrap(), ledger.set_aside(&id))
                });
                prop_assert_eq!(&all[0], &all[1]);
            }
            let all = both.map(|ledger| {
                let due = ledger.due(i64::MAX, 3).unwrap();
                let packets: Vec<_> = due.iter().map(|o| ledger.packet(&o.packet.id).unwrap()).collect();
                (ledger.games().unwrap(), due, packets, ledger.waiting().unwrap(), ledger.next_due().unwrap(), ledger.outbox().unwrap())
            });
            prop_assert_eq!(&all[0], &all[1]);
        }
    }
}
