//! One game in play, independent of its ruleset.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use musterd_dice::statistics::Luck;
use musterd_dice::{Block, Digest, Label, Roller, Seat};
use musterd_engine::briefing::Briefing;
use musterd_engine::orders::{Likeness, OrderUse, Recap, Remark};
use musterd_engine::{Adjudication, Awaiting, Damaged, Levels, Match, Ride, Ruleset, SeatSpec};

/// One game in play, independent of its ruleset. See [`Match`] for the meaning of each call.
pub trait Game: Send {
    /// The game system's name for readers.
    fn system(&self) -> &'static str;
    /// How its rules read their manual: a page of [rulings](musterd_engine::rulings).
    fn rulings(&self) -> &'static str;
    /// The scenario's title.
    fn title(&self) -> String;
    /// The situation before the first order.
    fn situation(&self) -> String;
    /// The scenario as a rule book prints it, with or without its map.
    fn chart(&self, map: bool) -> Briefing;
    /// Whether anybody may see the chart with its map, seated or not.
    fn shows_battle(&self) -> bool;
    /// The seats, in the order in which they act.
    fn seats(&self) -> &[SeatSpec];
    /// Which seats must order now.
    fn awaiting(&self) -> &Awaiting;
    /// A block read against its seat's view, as the receipt shows it.
    fn read(&self, seat: &Seat, block: &Block) -> (Recap, Vec<Remark>);
    /// What a lone line of a mail looks like.
    fn likeness(&self, line: &str) -> Likeness;
    /// The orders that a seat can give now.
    fn offered(&self, seat: &Seat) -> Vec<OrderUse>;
    /// Applies the rules to these blocks with these dice. Changes nothing.
    fn adjudicate(&self, t: u32, blocks: &BTreeMap<Seat, Block>, dice: &mut dyn Roller) -> Adjudication;
    /// Folds the events of one adjudication.
    ///
    /// # Errors
    /// An event doesn't belong to this ruleset.
    fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged>;
    /// What a GM's amendment can change.
    fn amendments(&self) -> Vec<OrderUse>;
    /// The events of a GM's amendment. Changes nothing.
    ///
    /// # Errors
    /// The rules refuse the change; the remark says why.
    fn amending(&self, text: &str) -> Result<Vec<Value>, Remark>;
    /// Folds the events of an amendment.
    ///
    /// # Errors
    /// An event doesn't belong to this ruleset.
    fn amend(&mut self, events: &[Value]) -> Result<(), Damaged>;
    /// The report to one seat.
    fn brief(&self, seat: &Seat) -> Briefing;
    /// SHA-256 of what one seat witnessed since its last report.
    fn facts(&self, seat: &Seat) -> Digest;
    /// What all seats conceal now.
    fn concealed(&self) -> BTreeSet<String>;
    /// The report to one seat, for observers; `hidden` is what all seats conceal now.
    fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> Briefing;
    /// The position of all sides on one page, for the GM, if the game has such a page.
    fn overview(&self) -> Option<Briefing>;
    /// The luck of each side in all dice so far.
    fn luck(&self) -> &Luck;
    /// Whether a roll is the seat's own.
    fn shows_roll(&self, label: &Label, to: &Seat) -> bool;
    /// Why players are not sent the proofs of their own rolls; `None` if they are sent.
    fn withholds_proofs(&self) -> Option<&'static str>;
    /// Why a seat is not told of its luck before the game is over; `None` if it is told.
    fn withholds_luck(&self) -> Option<&'static str>;
    /// The standing orders that these events gave seats, in order.
    fn filed(&self, events: &[Value]) -> Vec<(Seat, Vec<String>)>;
    /// A courier's way between the commanders of two seats; `None` if letters need no courier.
    fn ride(&self, from: &Seat, to: &Seat) -> Option<Ride>;
    /// The history of the game as one seat knows it.
    fn history(&self, seat: &Seat) -> Briefing;
    /// What one seat knows of the position, as JSON.
    fn published(&self, seat: &Seat) -> Box<RawValue>;
    /// Where units of a seat get to in their coming move, as far as it knows: named as its orders name them.
    ///
    /// # Errors
    /// The text names no such units, or the rules tell no reach.
    fn reach(&self, seat: &Seat, text: &str) -> Result<Briefing, Remark>;
    /// What is so near that a seat's orders may be wanted, as far as it knows; `None` if nothing is.
    fn contact(&self, seat: &Seat) -> Option<String>;
    /// The order form of one seat.
    fn form(&self, seat: &Seat) -> Arc<[String]>;
    /// The levels of computer players.
    fn levels(&self) -> Levels;
    /// A computer player's orders.
    ///
    /// # Panics
    /// There is no level of this name.
    fn play(&self, seat: &Seat, level: &str, seed: u64) -> String;
    /// A digest of what all seats know.
    fn digest(&self) -> Digest;
}

impl<R: Ruleset> Game for Match<R> {
    fn system(&self) -> &'static str {
        R::NAME
    }
    fn rulings(&self) -> &'static str {
        R::RULINGS
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
    fn shows_battle(&self) -> bool {
        R::SHOWS_BATTLE
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
    fn offered(&self, seat: &Seat) -> Vec<OrderUse> {
        self.offered(seat)
    }
    fn adjudicate(&self, t: u32, blocks: &BTreeMap<Seat, Block>, dice: &mut dyn Roller) -> Adjudication {
        self.adjudicate(t, blocks, dice)
    }
    fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged> {
        self.adopt(events)
    }
    fn amendments(&self) -> Vec<OrderUse> {
        self.rules().amendments()
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
    fn facts(&self, seat: &Seat) -> Digest {
        self.facts(seat)
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
    fn withholds_luck(&self) -> Option<&'static str> {
        self.withholds_luck()
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
    fn reach(&self, seat: &Seat, text: &str) -> Result<Briefing, Remark> {
        self.reach(seat, text)
    }
    fn contact(&self, seat: &Seat) -> Option<String> {
        self.contact(seat)
    }
    fn form(&self, seat: &Seat) -> Arc<[String]> {
        self.form(seat)
    }
    fn levels(&self) -> Levels {
        R::levels()
    }
    fn play(&self, seat: &Seat, level: &str, seed: u64) -> String {
        self.play(seat, level, seed)
    }
    fn digest(&self) -> Digest {
        self.digest()
    }
}
