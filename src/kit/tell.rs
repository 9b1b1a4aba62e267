//! An account of what happened: sentences in the order in which things were seen. The steps of a march are told together, and so are the rolls of one
//! fight.

use musterd_engine::briefing::{Item, Part};
use musterd_engine::hex::Hex;

/// A unit's march, as far as it was seen without anything else in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct March<U, D> {
    /// Who marched.
    pub who: U,
    /// The hexes in which it was, from the first on; empty if only its details are known.
    pub hexes: Vec<Hex>,
    /// What a ruleset tells of the march besides.
    pub details: D,
}

impl<U, D> March<U, D> {
    /// Where it began, the hexes between, and where it ended; `None` without a step.
    #[must_use]
    pub fn way(&self) -> Option<(Hex, &[Hex], Hex)> {
        match self.hexes.as_slice() {
            [from, by @ .., to] => Some((*from, by, *to)),
            _ => None,
        }
    }
}

/// The sentence that tells of a march.
type Words<'a, U, D> = Box<dyn Fn(&March<U, D>) -> String + 'a>;

/// The account, as it grows.
pub struct Account<'a, U, D> {
    items: Vec<Item>,
    marches: Vec<March<U, D>>,
    words: Words<'a, U, D>,
}

impl<'a, U: Clone + PartialEq, D: Default> Account<'a, U, D> {
    /// An empty account; `words` makes the sentence of a march.
    pub fn new(words: impl Fn(&March<U, D>) -> String + 'a) -> Self {
        Self { items: Vec::new(), marches: Vec::new(), words: Box::new(words) }
    }

    /// Tells of something that ends all marches, with how it came about.
    pub fn tell(&mut self, text: impl Into<String>, details: Vec<String>) {
        self.halt();
        self.items.push(Item { text: text.into(), details });
    }

    /// The same for one of several rolls: under the last item, if that has the same text.
    pub fn tell_again(&mut self, text: String, detail: String) {
        self.halt();
        match self.items.last_mut() {
            Some(item) if item.text == text => item.details.push(detail),
            _ => self.items.push(Item { text, details: vec![detail] }),
        }
    }

    /// The march of a unit, to add a detail to; a new one if it is not on the march.
    pub fn march(&mut self, who: &U) -> &mut March<U, D> {
        let at = self.marches.iter().rposition(|march| march.who == *who).unwrap_or_else(|| self.begin(who));
        &mut self.marches[at]
    }

    /// A step of a unit's march. Where it doesn't begin at the end of the one before, what lies between was not seen, and another march begins.
    pub fn step(&mut self, who: &U, from: Hex, to: Hex) -> &mut March<U, D> {
        let last = self.marches.iter().rposition(|march| march.who == *who);
        let goes_on = |at: &usize| self.marches[*at].hexes.last().is_none_or(|end| *end == from);
        let at = last.filter(goes_on).unwrap_or_else(|| self.begin(who));
        let march = &mut self.marches[at];
        if march.hexes.is_empty() {
            march.hexes.push(from);
        }
        march.hexes.push(to);
        march
    }

    /// Whether a unit is on the march.
    pub fn is_marching(&self, who: &U) -> bool {
        self.marches.iter().any(|march| march.who == *who)
    }

    /// Ends all marches: one item, with a line for each if there are several.
    pub fn halt(&mut self) {
        let mut lines: Vec<String> = self.take().iter().map(&self.words).collect();
        match lines.len() {
            0 => {}
            1 => self.items.push(Item::of(lines.remove(0))),
            _ => self.items.push(Item { text: "Marches:".to_owned(), details: lines }),
        }
    }

    /// The marches under way, which end with it: for an account that sets them out in another way.
    pub fn take(&mut self) -> Vec<March<U, D>> {
        std::mem::take(&mut self.marches)
    }

    /// All of it, as a list; `None` if there is nothing to tell.
    #[must_use]
    pub fn part(mut self, numbered: bool) -> Option<Part> {
        self.halt();
        (!self.items.is_empty()).then_some(Part::Items { numbered, items: self.items })
    }

    fn begin(&mut self, who: &U) -> usize {
        self.marches.push(March { who: who.clone(), hexes: Vec::new(), details: D::default() });
        self.marches.len() - 1
    }
}
