//! The list of rulesets, and one object-safe [`Game`] over them all: above this line nobody knows which game it is.

pub mod audit;
pub mod calendar;
pub mod campaign;
pub mod correction;
mod in_play;
pub mod letters;
pub mod life;
pub mod mail;
pub mod order_mail;
pub mod past;
pub mod press;
pub mod proofs;
pub mod recall;
pub mod reveal;
pub mod seats;
mod shelf;
pub mod terms;
pub mod timing;
mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use self::in_play::InPlay;
use self::shelf::{path_of, told_of};
use musterd_dice::statistics::Luck;
use musterd_dice::{Block, Digest, Label, Roller, Seat};
use musterd_engine::alike::unlikeness;
use musterd_engine::briefing::Briefing;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::orders::{Likeness, Recap, Remark};
use musterd_engine::{Adjudication, Awaiting, Damaged, Examination, Ride, Ruleset, SeatSpec, Skill, Table};

/// One game in play, whichever its rules. See [`Table`] for the meaning of each call.
pub trait Game: Send {
    /// The game system's name for readers.
    fn system(&self) -> &'static str;
    /// The scenario's title.
    fn title(&self) -> String;
    /// The situation before the first order.
    fn situation(&self) -> String;
    /// The scenario as a rule book prints it, with its map or without.
    fn chart(&self, map: bool) -> Briefing;
    /// The seats, in the order in which they act.
    fn seats(&self) -> &[SeatSpec];
    /// Who owes what.
    fn awaiting(&self) -> &Awaiting;
    /// A block read against what its seat knows: what the receipt says.
    fn read(&self, seat: &Seat, block: &Block) -> (Recap, Vec<Remark>);
    /// What a lone line of a mail looks like.
    fn likeness(&self, line: &str) -> Likeness;
    /// The rules on these blocks with these dice. Changes nothing.
    fn adjudicate(&self, t: u32, blocks: &BTreeMap<Seat, Block>, dice: &mut dyn Roller) -> Adjudication;
    /// Folds the events of one adjudication.
    ///
    /// # Errors
    /// When an event is not one of this ruleset's.
    fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged>;
    /// What an amendment of the GM's comes to. Changes nothing.
    ///
    /// # Errors
    /// Why the rules can't make it so.
    fn amending(&self, text: &str) -> Result<Vec<Value>, Remark>;
    /// Folds the events of an amendment.
    ///
    /// # Errors
    /// When an event is not one of this ruleset's.
    fn amend(&mut self, events: &[Value]) -> Result<(), Damaged>;
    /// The report to one seat.
    fn brief(&self, seat: &Seat) -> Briefing;
    /// What all seats conceal now.
    fn concealed(&self) -> BTreeSet<String>;
    /// The report to those who watch the game, without whatever still binds; `hidden` is what all seats conceal by now.
    fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> Briefing;
    /// The position of all sides on one page, for the GM, where the game has such a page.
    fn overview(&self) -> Option<Briefing>;
    /// Whose luck all dice so far were.
    fn luck(&self) -> &Luck;
    /// Whether a roll is the seat's own.
    fn shows_roll(&self, label: &Label, to: &Seat) -> bool;
    /// Why nobody is sent proofs of his own rolls; none where they are.
    fn withholds_proofs(&self) -> Option<&'static str>;
    /// The standing orders that these events gave seats, in order.
    fn filed(&self, events: &[Value]) -> Vec<(Seat, Vec<String>)>;
    /// The way of a courier between the commanders of two seats; none where letters need none.
    fn ride(&self, from: &Seat, to: &Seat) -> Option<Ride>;
    /// The history of the game as one seat knows it.
    fn history(&self, seat: &Seat) -> Briefing;
    /// What one seat knows of the position, as JSON.
    fn published(&self, seat: &Seat) -> Box<RawValue>;
    /// The order form of one seat.
    fn form(&self, seat: &Seat) -> Arc<[String]>;
    /// A computer player's orders.
    fn play(&self, seat: &Seat, skill: Skill, seed: u64) -> String;
    /// A digest of what all seats know.
    fn digest(&self) -> Digest;
}

impl<R: Ruleset> Game for Table<R> {
    fn system(&self) -> &'static str {
        R::NAME
    }
    fn title(&self) -> String {
        self.rules().title()
    }
    fn situation(&self) -> String {
        self.rules().situation()
    }
    fn chart(&self, map: bool) -> Briefing {
        self.rules().chart(map)
    }
    fn seats(&self) -> &[SeatSpec] {
        self.seats()
    }
    fn awaiting(&self) -> &Awaiting {
        self.awaiting()
    }
    fn read(&self, seat: &Seat, block: &Block) -> (Recap, Vec<Remark>) {
        let (reading, recap) = self.read(seat, block);
        (recap, reading.remarks)
    }
    fn likeness(&self, line: &str) -> Likeness {
        self.rules().likeness(line)
    }
    fn adjudicate(&self, t: u32, blocks: &BTreeMap<Seat, Block>, dice: &mut dyn Roller) -> Adjudication {
        self.adjudicate(t, blocks, dice)
    }
    fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged> {
        self.adopt(events)
    }
    fn amending(&self, text: &str) -> Result<Vec<Value>, Remark> {
        self.amending(text)
    }
    fn amend(&mut self, events: &[Value]) -> Result<(), Damaged> {
        self.amend(events)
    }
    fn brief(&self, seat: &Seat) -> Briefing {
        self.brief(seat)
    }
    fn concealed(&self) -> BTreeSet<String> {
        self.concealed()
    }
    fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> Briefing {
        self.shown(seat, hidden)
    }
    fn overview(&self) -> Option<Briefing> {
        self.overview()
    }
    fn luck(&self) -> &Luck {
        self.luck()
    }
    fn shows_roll(&self, label: &Label, to: &Seat) -> bool {
        self.shows_roll(label, to)
    }
    fn withholds_proofs(&self) -> Option<&'static str> {
        self.withholds_proofs()
    }
    fn filed(&self, events: &[Value]) -> Vec<(Seat, Vec<String>)> {
        self.filed(events)
    }
    fn ride(&self, from: &Seat, to: &Seat) -> Option<Ride> {
        self.ride(from, to)
    }
    fn history(&self, seat: &Seat) -> Briefing {
        self.history(seat)
    }
    fn published(&self, seat: &Seat) -> Box<RawValue> {
        self.published(seat)
    }
    fn form(&self, seat: &Seat) -> Arc<[String]> {
        self.form(seat)
    }
    fn play(&self, seat: &Seat, skill: Skill, seed: u64) -> String {
        self.play(seat, skill, seed)
    }
    fn digest(&self) -> Digest {
        self.digest()
    }
}

/// What is wrong where a game can't be set up: what stands in no line of a file is no fault of the files.
fn unfit(errors: &DataErrors) -> &'static str {
    match errors.0.iter().any(|error| error.at.line > 0) {
        true => "the game's files can't be used; `musterd scenario check` tells all that is wrong with them",
        false => "the game can't be set up like this",
    }
}

/// The rulesets that a program plays, with the data files that it ships or that the host laid over them. It begins with none.
#[derive(Default)]
pub struct Desk {
    kinds: Vec<Kind>,
}

/// Sets a game up from its files for these seats.
type Open = Box<dyn Fn(&RuleFiles, &[Seat]) -> Result<Box<dyn Game>, DataErrors> + Send + Sync>;

/// Looks a data file over.
type Examine = fn(&RuleFiles, &str) -> Examination;

/// What else is among a ruleset's files that can be named.
type Stores = fn(&RuleFiles) -> Vec<(String, String)>;

/// One ruleset at the desk.
struct Kind {
    id: &'static str,
    rules_version: u32,
    open: Open,
    examine: Examine,
    stores: Stores,
    shelf: BTreeMap<String, String>,
    /// The paths of the host's own files among them.
    own: BTreeSet<String>,
}

/// A scenario as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listing {
    /// What to call it on the command line: `lga/austrian-1805`.
    pub id: String,
    /// Its title and dates.
    pub title: String,
    /// Its seats, unless a game splits its sides.
    pub seats: Vec<Seat>,
    /// Why it can't be played: a scenario of the host's own may be wrong. It has no title and seats then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<DataError>,
}

/// A request that the desk can't meet.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// No such ruleset.
    #[error("there is no ruleset `{0}`; this program plays {1}")]
    NoRuleset(String, String),
    /// No such scenario.
    #[error("there is no scenario `{wanted}`{}; `musterd scenarios` lists them all", .near.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
    NoScenario {
        /// As asked for.
        wanted: String,
        /// One that may have been meant.
        near: Option<String>,
    },
    /// The files are wrong, or the seats don't fit them.
    #[error("{}:\n{}", unfit(.0), .0)]
    Data(#[from] DataErrors),
}

impl Desk {
    /// Adds a ruleset with its files: path under `games/<ruleset>/`, and text.
    #[must_use]
    pub fn with<R: Ruleset>(mut self, files: &[(&str, &str)]) -> Self {
        let in_play = InPlay::<R>::new();
        self.kinds.push(Kind {
            id: R::ID,
            rules_version: R::RULES_VERSION,
            open: Box::new(move |files, seats| Ok(Box::new(Table::<R>::new(in_play.rules(files, seats)?)))),
            examine: |files, file| {
                let mut found = R::examine(files, file);
                let rules = R::load(files, &[]);
                let reserved = rules.ok().and_then(|rules| no_gm_among(rules.seats()).err());
                found.errors.extend(reserved.into_iter().flat_map(|errors| errors.0));
                found
            },
            stores: R::stores,
            shelf: RuleFiles::of(files).0,
            own: BTreeSet::new(),
        });
        self
    }

    /// Lays a file of the host's own over the built-in one, or beside it.
    ///
    /// # Errors
    /// When there is no such ruleset.
    pub fn shelve(&mut self, ruleset: &str, path: &str, text: String) -> Result<(), DeskError> {
        let all = self.ids();
        let kind = self.kinds.iter_mut().find(|k| k.id == ruleset);
        let kind = kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), all))?;
        kind.shelf.insert(path.to_owned(), text);
        kind.own.insert(path.to_owned());
        Ok(())
    }

    /// Every scenario, by ruleset and name, those that can't be played too.
    #[must_use]
    pub fn scenarios(&self) -> Vec<Listing> {
        let listing = |kind: &Kind, name: &str| {
            let id = format!("{}/{name}", kind.id);
            match (kind.open)(&kind.files(name), &[]) {
                Ok(game) => {
                    let seats = game.seats().iter().map(|s| s.seat.clone()).collect();
                    Listing { id, title: game.title(), seats, errors: Vec::new() }
                }
                Err(DataErrors(mut errors)) => {
                    told_of(&mut errors, &path_of(name));
                    Listing { id, title: String::new(), seats: Vec::new(), errors }
                }
            }
        };
        self.kinds.iter().flat_map(|kind| kind.scenarios().map(move |name| listing(kind, name))).collect()
    }

    /// What else scenarios and players can name, such as armies to hire: `dog/hire/legion-500`, and a line about it.
    #[must_use]
    pub fn stores(&self) -> Vec<(String, String)> {
        let of = |kind: &Kind| (kind.stores)(&RuleFiles(kind.shelf.clone()));
        let named = |kind: &Kind, (path, line)| (format!("{}/{path}", kind.id), line);
        self.kinds.iter().flat_map(|kind| of(kind).into_iter().map(move |store| named(kind, store))).collect()
    }

    /// The host's own files beside the scenarios that can't be used, and what is wrong with each: `dog/hire/own.yaml`. No game but one that names it
    /// is spoilt by it.
    #[must_use]
    pub fn unfit(&self) -> Vec<(String, Vec<DataError>)> {
        let named = |kind: &Kind, (path, faults)| (format!("{}/{path}", kind.id), faults);
        self.kinds
            .iter()
            .flat_map(|kind| kind.unfit().into_iter().map(move |file| named(kind, file)))
            .collect()
    }

    /// Looks over a file on a ruleset's shelf, by its path under `games/<ruleset>/`: a scenario, or one of the maps. Its own faults come first, then
    /// those of the files that it depends on.
    ///
    /// # Errors
    /// When there is no such ruleset.
    pub fn examine(&self, ruleset: &str, path: &str) -> Result<Examination, DeskError> {
        Ok(self.kind(ruleset)?.examination(path))
    }

    /// The founding of a new game: the ruleset's name and version, the scenario's name, and all files.
    /// `scenario` is `lga/austrian-1805`, or the name alone where only one ruleset has it.
    ///
    /// # Errors
    /// When there is no such scenario.
    pub fn founding(&self, scenario: &str) -> Result<Founding, DeskError> {
        let mut ids = Vec::new();
        for kind in &self.kinds {
            for name in kind.scenarios() {
                let id = format!("{}/{name}", kind.id);
                if id == scenario || name == scenario {
                    let (files, left_out) = kind.fit_files(name);
                    return Ok(Founding {
                        ruleset: kind.id.to_owned(),
                        rules_version: kind.rules_version,
                        scenario: id,
                        files,
                        left_out,
                    });
                }
                ids.push(id);
            }
        }
        let similar = |id: &String| {
            let name = id.rsplit('/').next().unwrap_or(id);
            let unlike = unlikeness(scenario.rsplit('/').next().unwrap_or(scenario), name);
            (2 * unlike.slips <= scenario.len() || name.contains(scenario)).then_some(unlike)
        };
        let near = ids.into_iter().filter_map(|id| Some((similar(&id)?, id))).min().map(|(_, id)| id);
        Err(DeskError::NoScenario { wanted: scenario.to_owned(), near })
    }

    /// Sets a game up from its founding, before its first event.
    ///
    /// # Errors
    /// When there is no such ruleset, the files are wrong, or the seats don't fit the scenario.
    pub fn open(&self, ruleset: &str, files: &RuleFiles, seats: &[Seat]) -> Result<Box<dyn Game>, DeskError> {
        Ok((self.kind(ruleset)?.open)(files, seats)?)
    }

    /// The version of a ruleset's verbs that this program has; none if it has no such ruleset.
    #[must_use]
    pub fn rules_version(&self, ruleset: &str) -> Option<u32> {
        self.kind(ruleset).ok().map(|kind| kind.rules_version)
    }

    /// The names of the rulesets.
    pub fn rulesets(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.kinds.iter().map(|kind| kind.id)
    }

    fn kind(&self, ruleset: &str) -> Result<&Kind, DeskError> {
        let kind = self.kinds.iter().find(|k| k.id == ruleset);
        kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), self.ids()))
    }

    /// The files of a ruleset that belong to no scenario: its numbers and maps.
    ///
    /// # Errors
    /// When there is no such ruleset.
    pub fn shared_files(&self, ruleset: &str) -> Result<RuleFiles, DeskError> {
        let kind = self.kinds.iter().find(|k| k.id == ruleset);
        let kind = kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), self.ids()))?;
        let files = kind.shelf.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
        Ok(RuleFiles(files.map(|(path, text)| (path.clone(), text.clone())).collect()))
    }

    fn ids(&self) -> String {
        self.kinds.iter().map(|k| k.id).collect::<Vec<_>>().join(", ")
    }
}

/// The GM's place in addresses and key lines: no seat can be called so.
pub const GM: &str = "gm";

fn no_gm_among(seats: &[SeatSpec]) -> Result<(), DataErrors> {
    match seats.iter().any(|spec| spec.seat.as_str() == GM) {
        true => Err(DataErrors::one(
            "scenario.yaml",
            0,
            "a seat can't be called `gm`: mails to the GM are addressed so",
        )),
        false => Ok(()),
    }
}

/// What a new game is founded on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Founding {
    /// The ruleset.
    pub ruleset: String,
    /// The version of its verbs.
    pub rules_version: u32,
    /// The scenario, as `ruleset/name`.
    pub scenario: String,
    /// All files, the scenario's as `scenario.yaml`.
    pub files: RuleFiles,
    /// The host's own files that can't be used and that this scenario does without, by path under `games/<ruleset>/`.
    pub left_out: Vec<String>,
}

impl Kind {
    fn scenarios(&self) -> impl Iterator<Item = &str> {
        self.shelf.keys().filter_map(|path| path.strip_prefix("scenarios/")?.strip_suffix(".yaml"))
    }

    fn files(&self, scenario: &str) -> RuleFiles {
        let shared = self.shelf.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
        let own = self.shelf.get(&path_of(scenario));
        let own = own.map(|text| ("scenario.yaml".to_owned(), text.clone()));
        RuleFiles(shared.map(|(path, text)| (path.clone(), text.clone())).chain(own).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_seat_can_be_called_gm() {
        let spec = |name: &str| SeatSpec {
            seat: name.parse().unwrap(),
            title: "the one".to_owned(),
            side: "Red".to_owned(),
        };
        assert!(no_gm_among(&[spec("red"), spec("gm.red")]).is_ok());
        let errors = no_gm_among(&[spec("red"), spec("gm")]).unwrap_err();
        assert!(errors.to_string().contains("can't be called `gm`"), "{errors}");
    }
}
