//! The store against a plain picture of it: whatever happens, it holds what it acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd::engine::GameId;
use musterd::engine::journal::Entry;
use musterd::fault::{self, Plan};
use musterd::store::{Step, Store};
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

    fn read(store: &Store, of: &Model) -> Model {
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
}
