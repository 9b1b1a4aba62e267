//! What the toy tells if it is made to: `fog_toy.rs` shows that each leak is noticed.

use musterd::dice::Seat;

use super::toy::{Event, State, Toy};

/// A way to tell a side what is hidden from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leak {
    /// They keep everything to themselves.
    Nothing,
    /// The view shows the other purse while there is more in it than in one's own.
    View,
    /// What the leader of a clash bid is told with it.
    Strength,
    /// The umpire's ruling is told with how many coins are left in all.
    Aside,
    /// A bid that is higher than what the other side has left is told to it.
    Overheard,
    /// The title of the wait tells how many sides have coins left.
    Count,
    /// The order form shows what was in the chests at the founding.
    Form,
    /// A receipt for a bid that is no number does so too.
    Receipt,
}

impl Leak {
    pub(crate) const ALL: [Self; 7] =
        [Self::View, Self::Strength, Self::Aside, Self::Overheard, Self::Count, Self::Form, Self::Receipt];

    /// Whether a seat is shown a purse that it must not see.
    pub(crate) fn shows(self, state: &State, to: &Seat, side: &Seat) -> bool {
        let own = state.purse.get(to);
        self == Self::View && own.is_some() && state.purse.get(side) > own
    }

    /// What a seat is told of an event in place of what it may know.
    pub(crate) fn sight(self, before: &State, event: &Event, to: &Seat) -> Option<String> {
        match (self, event) {
            (Self::Overheard, Event::Bid { side, coins }) => {
                let is_above = before.purse.get(to).is_some_and(|own| coins > own);
                is_above.then(|| format!("{side} bids {coins}"))
            }
            (Self::Strength, Event::Clashed { leader: Some(side), .. }) => {
                Some(format!("{side} takes the ridge for {} coins", before.bids[side]))
            }
            (Self::Aside, Event::Ruled { .. }) => {
                Some(format!("the umpire rules over {} coins", before.purse.values().sum::<u32>()))
            }
            _ => None,
        }
    }

    /// What the title of a wait says too.
    pub(crate) fn count(self, state: &State) -> String {
        let left = state.purse.values().filter(|coins| **coins > 0).count();
        if self == Self::Count { format!(" of {left} that can") } else { String::new() }
    }
}

impl Toy {
    /// What was in the chests at the founding, where this leak tells it.
    pub(crate) fn leaked(&self, at: Leak) -> String {
        if self.leak == at { format!(" of {:?}", self.scenario.chests) } else { String::new() }
    }
}
