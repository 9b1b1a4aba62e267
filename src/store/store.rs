//! The store of a host: an embedded database, with a mirror journal for each game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::account::{Account, Span};
use super::database::Database;
use super::layout::{self, Layout};
use super::ledger::{Ledger, Records};
use super::recovery::{self, Recovery};
use super::staging::{self, Staged, Staging};
use super::step::{HOST, LedgerLine, Outbox, Outgoing, Packet, Step, Tried};
use super::{StoreError, format, keys, mirror};
use musterd_dice::Digest;
use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// The open store. Only one process at a time can have it open.
#[derive(Debug)]
pub struct Store {
    // Dropped before the lock is released.
    database: Database,
    layout: Layout,
    /// Journals that can't be used, by name.
    set_aside: Mutex<BTreeMap<String, Ailing>>,
    /// A commit failed half-way: what is on disk is known only after opening again.
    poisoned: AtomicBool,
    writing: Mutex<()>,
    _lock: File,
}

/// A journal that can't be used.
#[derive(Debug)]
struct Ailing {
    why: String,
    /// Whether it could not be used when the store was opened, so that the database may not hold all of it.
    from_the_start: bool,
    is_told: bool,
}

impl Store {
    /// Opens the store in the data directory `dir`. Creates it if there is none, and repairs what a crash left.
    ///
    /// # Errors
    /// Another process holds it; the disk fails; a newer program wrote it.
    pub fn open(dir: &Path) -> Result<(Self, Recovery), StoreError> {
        let layout = Layout::new(dir);
        layout.create()?;
        let lock = layout.lock()?;
        let mut recovery = Recovery::default();
        format::bring_up(&layout, &mut recovery)?;
        let database = recovery::open(&layout, &mut recovery)?;
        let (poisoned, writing) = (AtomicBool::new(false), Mutex::new(()));
        let ailing = |why: &String| Ailing { why: why.clone(), from_the_start: true, is_told: true };
        let set_aside = recovery.set_aside.iter().map(|(name, why)| (name.clone(), ailing(why)));
        let set_aside = Mutex::new(set_aside.collect());
        Ok((Self { database, layout, set_aside, poisoned, writing, _lock: lock }, recovery))
    }

    /// Whether nothing has ever been stored in the data directory `dir`, as far as can be seen without opening it.
    ///
    /// # Errors
    /// The disk fails.
    pub fn is_new(dir: &Path) -> Result<bool, StoreError> {
        Layout::new(dir).is_new()
    }

    fn ailing(&self) -> MutexGuard<'_, BTreeMap<String, Ailing>> {
        self.set_aside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_usable(&self, name: &str) -> bool {
        !self.ailing().contains_key(name)
    }

    fn usable(&self, name: &str) -> Result<(), StoreError> {
        self.ailing().get(name).map_or(Ok(()), |ailing| Err(ailing.error(name)))
    }

    /// Sets a game aside because its journal can't be written, if only that journal is at fault.
    fn set_aside_for(&self, name: &str, fault: StoreError) -> Result<(), StoreError> {
        match self.layout.narrowed(fault) {
            fault @ StoreError::Journal { .. } => match name.parse() {
                Ok(game) => {
                    self.set_game_aside(&game, &fault.to_string());
                    Ok(())
                }
                // The host's own journal is rewritten when the store is opened again.
                Err(_) => Err(fault),
            },
            fault => Err(fault),
        }
    }

    /// The queue in the order in which mails are due: time, packet id and recipient.
    fn whole_queue(&self, database: &Database) -> Result<Vec<(i64, String, String)>, StoreError> {
        let mut queued = Vec::new();
        database.walk(keys::QUEUE, keys::QUEUE, |key, _| {
            queued.push(self.queued(key)?);
            Ok(true)
        })?;
        Ok(queued)
    }

    /// Stages changes and writes them in the order that recovery relies on. If a journal is set aside, `even_of` says whether its changes may be
    /// written at all; they go to the database only.
    fn write(
        &self,
        stage: impl FnOnce(&mut Staging<'_>) -> Result<(), StoreError>,
        even_of: impl Fn(&Ailing) -> bool,
    ) -> Result<(), StoreError> {
        let _writing = self.writing.lock().map_err(|_| StoreError::Poisoned)?;
        let staged = self.read(|database| {
            let mut staging = Staging::new(database);
            stage(&mut staging)?;
            staging.finish()
        })?;
        let refused = |(name, ailing): (&String, &Ailing)| {
            (staged.lines.contains_key(name) && !even_of(ailing)).then(|| ailing.error(name))
        };
        self.ailing().iter().find_map(refused).map_or(Ok(()), Err)?;
        if staged.lines.is_empty() {
            return Ok(());
        }
        self.put_down(staged).inspect_err(|_| self.poisoned.store(true, Ordering::Release))
    }

    /// Writes a commit. The journals on which others may depend are written first.
    fn put_down(&self, staged: Staged) -> Result<(), StoreError> {
        let unclear = |fault| StoreError::Unclear { fault: Box::new(fault) };
        let Staged { batch, lines, leading } = staged;
        self.database.apply(batch).and_then(|()| self.database.sync()).map_err(unclear)?;
        self.mirror(&lines, &leading).map_err(|fault| StoreError::Unmirrored { fault: Box::new(fault) })
    }

    fn mirror(
        &self,
        lines: &BTreeMap<String, Vec<Vec<u8>>>,
        leading: &BTreeSet<String>,
    ) -> Result<(), StoreError> {
        let mut others = Vec::new();
        for (name, lines) in lines.iter().filter(|(name, _)| self.is_usable(name)) {
            match leading.contains(name) {
                true => self.append(&[(name, lines)])?,
                false => others.push((name.as_str(), lines.as_slice())),
            }
        }
        self.append(&others)
    }

    /// Appends lines to journals. If one journal can't be written and others can, its game is set aside: its lines are in the database.
    fn append(&self, additions: &[(&str, &[Vec<u8>])]) -> Result<(), StoreError> {
        let files: Vec<mirror::Addition<'_>> =
            additions.iter().map(|(name, lines)| (self.layout.mirror(name), *lines)).collect();
        for (n, fault) in mirror::append_to_each(&files)? {
            additions.get(n).map_or(Ok(()), |(name, _)| self.set_aside_for(name, fault))?;
        }
        Ok(())
    }

    /// Reads, unless the data may not be on disk. A database that fails here is rebuilt at the next opening.
    fn read<T>(&self, reading: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.poisoned.load(Ordering::Acquire) {
            return Err(StoreError::Poisoned);
        }
        reading(&self.database).inspect_err(|e| {
            if matches!(e, StoreError::Damaged { .. }) {
                self.poisoned.store(true, Ordering::Release);
                // If the marker can't be written, the next opening may still find the damage by itself.
                drop(File::create(self.layout.condemned()).and_then(|marker| marker.sync_all()));
            }
        })
    }

    fn queued(&self, key: &[u8]) -> Result<(i64, String, String), StoreError> {
        keys::read_queued(key)
            .ok_or_else(|| self.database.damaged("a key of the queue can't be read".to_owned()))
    }
}

impl Records for Store {
    fn games(&self) -> Result<Vec<GameId>, StoreError> {
        let names = self.read(recovery::heads)?;
        let games = names
            .iter()
            .filter(|name| *name != HOST && self.is_usable(name))
            .map(|name| name.parse().map_err(|e| self.database.damaged(format!("{e}"))));
        games.collect()
    }

    fn position(&self, game: &GameId) -> Result<u64, StoreError> {
        self.read(|database| Ok(staging::head(database, game.as_str())?.entries))
    }

    fn entries(&self, game: &GameId) -> Result<Vec<Entry>, StoreError> {
        let name = game.as_str();
        self.usable(name)?;
        let entries = self.read(|database| {
            let mut spans: Vec<Span> = Vec::new();
            database.walk(&keys::entries(name), &keys::entries(name), |_, span| {
                spans.push(database.decode(span)?);
                Ok(true)
            })?;
            spans.iter().map(|span| database.entry(name, *span)).collect()
        });
        if let Err(fault @ StoreError::Unknown { .. }) = &entries {
            self.set_game_aside(game, &fault.to_string());
            self.usable(name)?;
        }
        entries
    }

    fn seen(&self, key: &str) -> Result<bool, StoreError> {
        self.read(|database| database.contains(&keys::seen(key)))
    }

    fn handled(&self, spool_name: &str) -> Result<bool, StoreError> {
        self.read(|database| database.contains(&keys::handled(spool_name)))
    }

    fn packet(&self, id: &str) -> Result<Option<Packet>, StoreError> {
        self.read(|database| {
            let Some(account) = database.first(&keys::accounts_of(id))? else { return Ok(None) };
            packet(database, id, &database.decode(&account)?).map(Some)
        })
    }

    fn due(&self, now: i64, limit: usize) -> Result<Vec<Outgoing>, StoreError> {
        self.read(|database| {
            let mut queued = Vec::new();
            database.walk(keys::QUEUE, keys::QUEUE, |key, _| {
                let (at, id, recipient) = self.queued(key)?;
                if at > now || queued.len() >= limit {
                    return Ok(false);
                }
                if self.is_usable(staging::name_in(&id)) {
                    queued.push((id, recipient));
                }
                Ok(true)
            })?;
            let outgoing = queued.into_iter().map(|(id, recipient)| {
                let lost = || database.damaged(format!("packet `{id}` is queued and missing"));
                let account: Account = database.get(&keys::account(&id, &recipient))?.ok_or_else(lost)?;
                let packet = packet(database, &id, &account)?;
                Ok(account.into_outgoing(packet, recipient))
            });
            outgoing.collect()
        })
    }

    fn next_due(&self) -> Result<Option<i64>, StoreError> {
        self.read(|database| {
            let mut next = None;
            database.walk(keys::QUEUE, keys::QUEUE, |key, _| {
                let (at, id, _) = self.queued(key)?;
                next = self.is_usable(staging::name_in(&id)).then_some(at);
                Ok(next.is_none())
            })?;
            Ok(next)
        })
    }

    fn outbox(&self) -> Result<Outbox, StoreError> {
        self.read(|database| {
            let mut outbox = Outbox::default();
            for (_, id, recipient) in self.whole_queue(database)? {
                let account: Option<Account> = database.get(&keys::account(&id, &recipient))?;
                outbox.waiting += 1;
                let since = account.map(|account| account.since());
                outbox.oldest = [outbox.oldest, since].into_iter().flatten().min();
            }
            Ok(outbox)
        })
    }

    fn waiting(&self) -> Result<Vec<LedgerLine>, StoreError> {
        self.read(|database| {
            let mut queued = self.whole_queue(database)?;
            queued.retain(|(_, id, _)| self.is_usable(staging::name_in(id)));
            let line = |(_, id, recipient): (i64, String, String)| {
                let account: Option<Account> = database.get(&keys::account(&id, &recipient))?;
                Ok(account.map(|account| account.into_line(id, recipient)))
            };
            queued.into_iter().filter_map(|mail| line(mail).transpose()).collect()
        })
    }

    fn ledger_of(&self, packets: &str) -> Result<Vec<LedgerLine>, StoreError> {
        self.read(|database| {
            let prefix = keys::accounts(packets);
            let mut lines = Vec::new();
            database.walk(&prefix, &prefix, |key, account| {
                let (packet, recipient) = keys::read_account(key)
                    .ok_or_else(|| database.damaged("a key of the ledger can't be read".to_owned()))?;
                lines.push(database.decode::<Account>(account)?.into_line(packet, recipient));
                Ok(true)
            })?;
            Ok(lines)
        })
    }

    fn mirrors(&self) -> Result<Vec<(String, u64, Digest, u64)>, StoreError> {
        let _writing = self.writing.lock().map_err(|_| StoreError::Poisoned)?;
        self.read(|database| {
            let mirror = |name: String| match mirror::length(&self.layout.mirror(&name)) {
                Ok(bytes) => {
                    let head = staging::head(database, &name)?;
                    Ok(Some((name, head.lines, head.hash, bytes)))
                }
                Err(fault) => self.set_aside_for(&name, fault).map(|()| None),
            };
            let names = recovery::heads(database)?.into_iter();
            names.filter(|name| self.is_usable(name)).filter_map(|name| mirror(name).transpose()).collect()
        })
    }

    fn set_aside(&self, game: &GameId) -> Option<String> {
        self.ailing().get(game.as_str()).map(|ailing| ailing.why.clone())
    }
}

impl Ledger for Store {
    fn commit(&self, steps: &[Step]) -> Result<(), StoreError> {
        self.write(|staging| steps.iter().try_for_each(|step| staging.step(step)), |_| false)
    }

    fn record(&self, tried: &[Tried]) -> Result<(), StoreError> {
        // A mail that was sent must not be sent again after the journal is repaired.
        self.write(|staging| staging.tried(tried), |ailing| !ailing.from_the_start)
    }

    fn newly_set_aside(&self) -> Vec<(GameId, String)> {
        let mut ailing = self.ailing();
        let new = ailing.iter_mut().filter_map(|(name, ailing)| {
            let was_told = std::mem::replace(&mut ailing.is_told, true);
            Some((name.parse().ok().filter(|_| !was_told)?, ailing.why.clone()))
        });
        new.collect()
    }

    fn set_game_aside(&self, game: &GameId, why: &str) {
        let ailing = Ailing { why: why.to_owned(), from_the_start: false, is_told: false };
        self.ailing().entry(game.to_string()).or_insert(ailing);
    }

    fn settle_rebuilding(&self) -> Result<(), StoreError> {
        let marker = self.layout.rebuilt();
        match std::fs::remove_file(&marker) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(layout::disk(&marker, "remove")(e)),
            Ok(()) => layout::sync_dir(self.layout.dir()),
        }
    }
}

/// The packet with this id, which this account belongs to.
fn packet(database: &Database, id: &str, account: &Account) -> Result<Packet, StoreError> {
    database.decode(&database.piece(staging::name_in(id), account.at())?)
}

impl Ailing {
    fn error(&self, name: &str) -> StoreError {
        StoreError::SetAside { game: name.to_owned(), why: self.why.clone() }
    }
}
