//! The games of a host: their campaigns, as far as they are open in memory, when each is due, and their secrets. Here is decided what a mail, a
//! command or the time changes; it is committed elsewhere ([`Batch`]), and nothing here can write into the ledger.

pub(crate) mod attendance;
pub(crate) mod card;
pub(crate) mod counts;
pub(crate) mod docket;
pub(crate) mod shelf;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use crate::HostError;
use crate::books::batch::Batch;
use crate::config::beacon_source::Beacons;
use crate::games::card::Card;
use crate::games::counts::Counts;
use crate::games::docket::Docket;
use crate::health::vitals::Ailment;
use crate::inbox::held::HeldMails;
use crate::mails::enclosures::Audit;
use crate::mails::mailroom::{Clerk, Mailroom};
use crate::quiet::Quiet;
use crate::secrets::vault::{self, Holder, Vault};
use crate::surroundings::Surroundings;
use musterd_desk::campaign::Campaign;
use musterd_desk::correction::{NoRerun, TakenBack};
use musterd_desk::gm_seat;
use musterd_desk::mail::Token;
use musterd_dice::{GameId, SecretChain};
use musterd_engine::journal::{Cause, Entry};
use musterd_store::Step;

/// How many campaigns are kept folded in memory.
const OPEN_AT_MOST: usize = 128;

/// The games of one data directory.
pub(crate) struct Games {
    around: Arc<Surroundings>,
    vault: Vault,
    beacons: Beacons,
    mailroom: Mailroom,
    campaigns: BTreeMap<GameId, Campaign>,
    docket: BTreeMap<GameId, Docket>,
    /// Entries that are folded already and not committed yet.
    ahead: BTreeMap<GameId, Vec<Entry>>,
    /// Games whose founding is decided and not committed yet.
    newborn: BTreeSet<GameId>,
    /// What is told of games that nobody has open, until they change.
    cards: BTreeMap<GameId, Card>,
    /// What was done today.
    counts: Counts,
    /// Mails in the spool that a rebuilt store doesn't know of.
    held: HeldMails,
    /// What the log needn't be told again.
    quiet: Quiet,
    /// Games that can't go on, and why.
    aside: BTreeMap<GameId, String>,
    /// What else can't be used, while the games go on.
    ailing: Vec<Ailment>,
}

impl Deref for Games {
    type Target = Surroundings;

    fn deref(&self) -> &Surroundings {
        &self.around
    }
}

impl Games {
    /// No game is known yet: [`Self::learn`]. `ailing` is what can't be used of the host's own.
    pub(crate) fn new(
        around: Arc<Surroundings>,
        (vault, beacons, mailroom): (Vault, Beacons, Mailroom),
        ailing: Vec<Ailment>,
    ) -> Self {
        Self {
            around,
            vault,
            beacons,
            mailroom,
            campaigns: BTreeMap::new(),
            docket: BTreeMap::new(),
            ahead: BTreeMap::new(),
            newborn: BTreeSet::new(),
            cards: BTreeMap::new(),
            counts: Counts::default(),
            held: HeldMails::default(),
            quiet: Quiet::default(),
            aside: BTreeMap::new(),
            ailing,
        }
    }

    /// A game that the ledger has, with its journal; none where that can't be used.
    pub(crate) fn learn(&mut self, game: GameId, entries: Option<&[Entry]>) {
        let Some(entries) = entries else {
            self.docket.insert(game, Docket::default());
            return;
        };
        if let Some(Entry { cause: Cause::Founded { anchor, .. }, .. }) = entries.first() {
            self.vault.expect(&game, *anchor);
        }
        self.mailroom.look_at_key(&game, entries);
        self.docket.insert(game, Docket::of(entries));
    }

    /// A game in the archive: its journal is not read before somebody asks for it.
    pub(crate) fn learn_archived(&mut self, game: GameId) {
        self.docket.insert(game, Docket { over: true, archived: true, ..Docket::default() });
    }

    /// Now, unix seconds.
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// The games' secrets.
    pub(crate) fn vault(&mut self) -> &mut Vault {
        &mut self.vault
    }

    /// Where the values of public beacons come from.
    pub(crate) fn beacons(&mut self) -> &mut Beacons {
        &mut self.beacons
    }

    /// Who writes the mails.
    pub(crate) fn mailroom(&self) -> &Mailroom {
        &self.mailroom
    }

    /// How often things were done today.
    pub(crate) fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }

    /// The mails that are held.
    pub(crate) fn held(&self) -> &HeldMails {
        &self.held
    }

    /// Other mails are held from now on.
    pub(crate) fn hold_mails(&mut self, held: HeldMails) -> HeldMails {
        std::mem::replace(&mut self.held, held)
    }

    /// Whether this is worth a line of the log at `now` (unix seconds).
    pub(crate) fn may_say(&mut self, what: &str, now: i64) -> bool {
        self.quiet.may_say(what, now)
    }

    /// What can't be used of the host's own, while the games go on.
    pub(crate) fn ailing(&self) -> &[Ailment] {
        &self.ailing
    }

    /// Something else of the host's own can't be used.
    pub(crate) fn ails(&mut self, ailment: Ailment) {
        self.ailing.push(ailment);
    }

    /// The games that can't go on, and why.
    pub(crate) fn aside(&self) -> &BTreeMap<GameId, String> {
        &self.aside
    }

    /// A game can't go on: nothing is due in it until the program is started again. What was told of it first stands.
    pub(crate) fn set_game_aside(&mut self, game: &GameId, why: &impl ToString) {
        self.evict(game);
        let before = self.docket.get(game).copied().unwrap_or_default();
        let Docket { over, archived, .. } = before;
        self.docket.insert(game.clone(), Docket { over, archived, ..Docket::default() });
        self.aside.entry(game.clone()).or_insert_with(|| why.to_string());
    }

    /// Whether this game exists.
    pub(crate) fn knows(&self, game: &GameId) -> bool {
        self.docket.contains_key(game)
    }

    /// When the loop has to look at each game.
    pub(crate) fn docket(&self) -> &BTreeMap<GameId, Docket> {
        &self.docket
    }

    /// The loop has to look at a game at another time.
    pub(crate) fn put_off(&mut self, game: &GameId, docket: Docket) {
        self.docket.insert(game.clone(), docket);
    }

    /// The games in which something may be due.
    pub(crate) fn due_games(&self, now: i64) -> Vec<GameId> {
        let due = self.docket.iter().filter(|(_, docket)| docket.due.is_some_and(|due| due <= now));
        due.map(|(game, _)| game.clone()).collect()
    }

    /// When something may be due next; unix seconds. A game that waits until somebody has read mails gives the loop nothing to do.
    pub(crate) fn next_due(&self) -> Option<i64> {
        let deadlines = self.docket.iter().filter(|(game, _)| !self.held.stop(game));
        deadlines.filter_map(|(_, docket)| docket.due).min()
    }

    /// When something is due next in a game; unix seconds.
    pub(crate) fn next_deadline(&self) -> Option<i64> {
        self.docket.values().filter_map(|docket| docket.due).min()
    }

    /// The names of all games whose journals can be used.
    pub(crate) fn names(&self) -> Vec<GameId> {
        self.docket.keys().filter(|game| self.books.set_aside(game).is_none()).cloned().collect()
    }

    /// The same without those in the archive.
    pub(crate) fn current(&self) -> Vec<GameId> {
        let mut names = self.names();
        names.retain(|game| !self.is_archived(game));
        names
    }

    /// Whether a game is in the archive.
    pub(crate) fn is_archived(&self, game: &GameId) -> bool {
        self.docket.get(game).is_some_and(|docket| docket.archived)
    }

    /// A campaign, folded; it stays in memory for a while.
    pub(crate) fn campaign(&mut self, game: &GameId) -> Result<&mut Campaign, HostError> {
        if !self.campaigns.contains_key(game) {
            if !self.knows(game) {
                return Err(HostError::usage(format!(
                    "there is no game `{game}`; `musterd status` lists them"
                )));
            }
            let campaign = self.fold(game, &[])?;
            self.vault.expect(game, campaign.anchor());
            self.mailroom.templates.found(game, &campaign.charter().templates);
            self.campaigns.insert(game.clone(), campaign);
        }
        self.campaigns.get_mut(game).ok_or_else(|| HostError::usage(format!("there is no game `{game}`")))
    }

    /// A campaign that [`Self::campaign`] has folded, and nothing has dropped since.
    pub(crate) fn folded(&self, game: &GameId) -> &Campaign {
        match self.campaigns.get(game) {
            Some(campaign) => campaign,
            None => unreachable!("`{game}` is dropped while something is decided about it"),
        }
    }

    /// The whole journal, with what is not committed yet.
    pub(crate) fn entries(&self, game: &GameId) -> Result<Vec<Entry>, HostError> {
        let mut entries = self.books.entries(game)?;
        entries.extend(self.ahead.get(game).into_iter().flatten().cloned());
        Ok(entries)
    }

    /// A campaign folded anew, with `more` behind its journal.
    fn fold(&self, game: &GameId, more: &[Entry]) -> Result<Campaign, HostError> {
        let entries = self.entries(game)?;
        self.fold_past(game, entries.iter().chain(more))
    }

    /// A game as it was after these entries of its journal.
    pub(crate) fn fold_past<'a>(
        &self,
        game: &GameId,
        entries: impl IntoIterator<Item = &'a Entry>,
    ) -> Result<Campaign, HostError> {
        Campaign::fold(&self.desk, entries).map_err(|e| HostError::campaign(game, e))
    }

    /// Lets `look` do things to a copy of a game; nothing of it stays.
    pub(crate) fn imagine<T>(
        &mut self,
        game: &GameId,
        look: impl FnOnce(&mut Self) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let copy = self.fold(game, &[])?;
        let ahead = self.ahead.get(game).cloned();
        let present = self.replace(game, copy)?;
        let seen = look(self);
        self.replace(game, present)?;
        match ahead {
            Some(ahead) => _ = self.ahead.insert(game.clone(), ahead),
            None => _ = self.ahead.remove(game),
        }
        seen
    }

    /// What a list of games says of one. It stays in memory no longer than it was, and the card does until the game changes.
    pub(crate) fn card(&mut self, game: &GameId) -> Result<&Card, HostError> {
        if !self.cards.contains_key(game) {
            let was_open = self.campaigns.contains_key(game);
            let card = Card::of(self.campaign(game)?);
            if !was_open {
                self.campaigns.remove(game);
            }
            self.cards.insert(game.clone(), card);
        }
        self.cards.get(game).ok_or_else(|| HostError::usage(format!("there is no game `{game}`")))
    }

    /// Drops what is too much for memory. Only between decisions: a campaign may be ahead of its journal before a commit.
    pub(crate) fn trim(&mut self) {
        while self.campaigns.len() > OPEN_AT_MOST {
            self.campaigns.pop_first();
        }
    }

    /// A game that is being founded.
    pub(crate) fn admit_new(&mut self, game: &GameId, campaign: Campaign, founding: &Entry) {
        self.ahead.insert(game.clone(), vec![founding.clone()]);
        self.docket.insert(game.clone(), Docket::default());
        self.mailroom.templates.found(game, &campaign.charter().templates);
        self.campaigns.insert(game.clone(), campaign);
        self.newborn.insert(game.clone());
    }

    /// A founding that failed.
    pub(crate) fn forget(&mut self, game: &GameId) {
        self.newborn.remove(game);
        self.mailroom.templates.forget(game);
        self.docket.remove(game);
        self.evict(game);
        self.vault.forget(game);
    }

    /// Drops a campaign from memory; the next look folds its journal.
    pub(crate) fn evict(&mut self, game: &GameId) {
        self.campaigns.remove(game);
        self.ahead.remove(game);
        self.cards.remove(game);
    }

    /// Drops every campaign from memory: one may hold what was never committed. Games whose founding was never committed are none.
    pub(crate) fn evict_all(&mut self) {
        for game in std::mem::take(&mut self.newborn) {
            self.forget(&game);
        }
        self.campaigns.clear();
        self.counts.forget_marks();
        self.ahead.clear();
        self.cards.clear();
    }

    /// Puts another state of a campaign in the place of the present one, and gives that back.
    pub(crate) fn replace(&mut self, game: &GameId, campaign: Campaign) -> Result<Campaign, HostError> {
        Ok(std::mem::replace(self.campaign(game)?, campaign))
    }

    /// Adds an entry to a step and folds it at once. Should the commit fail, the fold is thrown away.
    pub(crate) fn play(&mut self, game: &GameId, step: &mut Step, cause: Cause) -> Result<(), HostError> {
        let entry = Entry { at: self.clock.now(), cause };
        if TakenBack::takes_back(&entry.cause) {
            let campaign = self.fold(game, std::slice::from_ref(&entry))?;
            self.replace(game, campaign)?;
        } else {
            self.campaign(game)?.apply(&entry).map_err(|e| HostError::campaign(game, e))?;
        }
        self.cards.remove(game);
        self.ahead.entry(game.clone()).or_default().push(entry.clone());
        step.entries.push(entry);
        Ok(())
    }

    /// An empty step of a game, at its present position.
    pub(crate) fn step(&mut self, game: &GameId) -> Result<Step, HostError> {
        let position = self.campaign(game)?.entries();
        Ok(Step { game: Some(game.clone()), position, ..Step::default() })
    }

    /// What was ahead of the journals is in the store, or will be before anybody reads it there.
    pub(crate) fn stored(&mut self, steps: &[Step]) {
        self.ahead.clear();
        self.newborn.clear();
        let games: BTreeSet<&GameId> = steps.iter().filter_map(|step| step.game.as_ref()).collect();
        let now = self.clock.now();
        for game in games {
            if let Some(campaign) = self.campaigns.get(game) {
                let docket = Docket::now(campaign, now);
                self.docket.insert(game.clone(), docket);
                if docket.archived {
                    self.evict(game);
                }
            }
        }
        self.trim();
    }

    /// Whether nothing had this key before, in the store or in the batch; marks it.
    pub(crate) fn is_first(
        &self,
        key: String,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        if self.books.seen(&key)? || !batch.seen.insert(key.clone()) {
            return Ok(false);
        }
        step.seen.push(key);
        Ok(true)
    }

    /// The secret that a seat has now, or the GM.
    pub(crate) fn token(&mut self, game: &GameId, holder: Holder<'_>) -> Result<Token, HostError> {
        let issue = issue_of(self.campaign(game)?, holder);
        self.vault.token(game, holder, issue)
    }

    /// The secret chain of a game.
    pub(crate) fn chain(&mut self, game: &GameId) -> Result<Arc<SecretChain>, HostError> {
        self.vault.chain(game)
    }

    /// Lets `write` write mails about a campaign, with an audit file for the dispatches among them, and adds them to a step.
    pub(crate) fn mail_with<T>(
        &mut self,
        game: &GameId,
        step: &mut Step,
        audit: Option<&Audit>,
        write: impl FnOnce(&mut Clerk<'_>) -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let now = self.clock.now();
        let secrets = self.chain(game)?;
        let last = vault::last_of(&secrets)?;
        self.campaign(game)?;
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        let tokens = |holder: Holder<'_>| vault::token(&last, game, holder, issue_of(campaign, holder));
        let mut clerk = Clerk::new(&self.mailroom, campaign, (&tokens, &secrets), audit, now);
        let written = write(&mut clerk)?;
        step.packets.extend(clerk.written);
        Ok(written)
    }

    /// Lets `tell` find the words for something about a campaign.
    pub(crate) fn about<T>(
        &mut self,
        game: &GameId,
        tell: impl FnOnce(&Clerk<'_>) -> T,
    ) -> Result<T, HostError> {
        self.mail_with(game, &mut Step::default(), None, |clerk| Ok(tell(clerk)))
    }

    /// The turn that ran last once more, from a position amended before it; or why not.
    pub(crate) fn rerunning(
        &mut self,
        game: &GameId,
        text: &str,
        reason: &str,
    ) -> Result<Result<Cause, NoRerun>, HostError> {
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        self.campaign(game)?;
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        let cause = campaign.rerunning(&self.desk, &entries, &secrets, text, reason);
        cause.map_err(|e| HostError::campaign(game, e))
    }

    /// The roll thrown again that all have agreed on; none while somebody has not.
    pub(crate) fn rerolling(&mut self, game: &GameId) -> Result<Option<Cause>, HostError> {
        if self.campaign(game)?.consents_missing().is_none_or(|missing| !missing.is_empty()) {
            return Ok(None);
        }
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        let campaign = self.campaigns.get(game).ok_or_else(|| HostError::usage("no such game"))?;
        campaign.rerolling(&self.desk, &entries, &secrets).map_err(|e| HostError::campaign(game, e))
    }
}

/// The how-manieth secret somebody has now.
fn issue_of(campaign: &Campaign, holder: Holder<'_>) -> u32 {
    match holder {
        Holder::Seat(seat) => campaign.issue(seat),
        Holder::Gm(_) => campaign.issue(&gm_seat()),
    }
}
