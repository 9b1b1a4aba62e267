//! What a player ordered in a mail, as far as that can be told without the rules of its game; what the copies of it bring.

use super::returned::{LONGEST_BLOCK, MOST_BLOCKS};
use musterd_desk::mail::{self, LineKind, Orders, Source};
use musterd_desk::order_mail::kind_without_rules;
use musterd_dice::{Block, Digest};
use musterd_letter::{Body, Enclosed};

/// How much of what a mail holds beside its text and its orders is kept.
const MOST_ENCLOSED: usize = 20;

/// A player's orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// SHA-256 of its decoded text, as the log has it where it was refused: with the line ends below it that the copy has, with
    /// one, and with none. Programs that keep mail change these.
    pub(super) texts: [Digest; 3],
    /// The blocks in it that have marks, or are attached.
    pub(super) blocks: Vec<Block>,
    /// Whether the first of them stands in what the player wrote: then it is what was ordered.
    pub(super) marked: bool,
    /// What the player wrote where no marks are: orders, prose or both, which only the game's rules can tell apart.
    pub(super) loose: Option<Block>,
    /// Its text without commands and letters, for the game's rules to read.
    rest: String,
    /// The lines of that text which a program had broken and `format=flowed` joined: only the rules tell which of them are orders of their own.
    flowed: Vec<Vec<String>>,
    /// The orders that are attached; several where copies of it bring different ones.
    pub(super) attached: Vec<String>,
    /// What it holds beside these.
    pub(super) enclosed: Vec<Enclosed>,
}

impl Own {
    /// What is ordered in a mail with this text, of which this is left without commands and letters.
    pub(super) fn of(text: &str, rest: Body) -> Self {
        let short =
            |one: Enclosed| Enclosed { text: one.text.filter(|text| text.len() <= LONGEST_BLOCK), ..one };
        let bare = text.trim_end_matches('\n');
        let mut own = Self {
            texts: [text, &format!("{bare}\n"), bare].map(|text| Digest::of(text.as_bytes())),
            blocks: Vec::new(),
            marked: false,
            loose: None,
            rest: rest.text,
            flowed: rest.flowed,
            attached: rest.attachment.into_iter().collect(),
            enclosed: rest.enclosed.into_iter().take(MOST_ENCLOSED).map(short).collect(),
        };
        own.find(&|_| LineKind::Prose);
        own.find(&kind_without_rules);
        own
    }

    /// Takes the orders that are found where lines are of these kinds.
    fn find(&mut self, kind: &dyn Fn(&str) -> LineKind) {
        let file = self.attached.first().map(String::as_str);
        let orders = mail::find_orders(&self.text(&kind_without_rules), file, "", kind).orders;
        let is_known = |block: &Block| self.blocks.contains(block);
        match orders {
            Orders::Block { block, .. }
            | Orders::Unterminated(block)
            | Orders::Recognised(block)
            | Orders::Aside(block)
                if block.as_str().len() > LONGEST_BLOCK => {}
            Orders::Block { block, source } if !is_known(&block) => {
                self.marked |= source == Source::Written && self.blocks.is_empty();
                self.blocks.push(block);
            }
            Orders::Unterminated(block) if !is_known(&block) => self.blocks.push(block),
            Orders::Recognised(block) | Orders::Aside(block) => self.loose = Some(block),
            _ => {}
        }
    }

    /// The mail with this file of orders, as the host reads it.
    pub(super) fn body(&self, file: Option<&str>) -> Body {
        let (text, flowed, attachment) = (self.rest.clone(), self.flowed.clone(), file.map(str::to_owned));
        Body { text, flowed, attachment, enclosed: self.enclosed.clone(), ..Body::default() }
    }

    /// Its text without commands and letters, with two lines that are both orders apart, where lines are of these kinds.
    pub(super) fn text(&self, kind: &dyn Fn(&str) -> LineKind) -> String {
        let body = Body { text: self.rest.clone(), flowed: self.flowed.clone(), ..Body::default() };
        mail::unflowed(&body, kind).into_owned()
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let enclosed = self.enclosed.iter().filter_map(|one| one.text.as_ref());
        let flowed = self.flowed.iter().flatten();
        let texts = std::iter::once(&self.rest).chain(flowed).chain(&self.attached).chain(enclosed);
        let blocks = self.blocks.iter().chain(&self.loose).map(|block| block.as_str().len());
        texts.map(String::len).chain(blocks).sum()
    }

    /// Takes the orders of another copy of the mail.
    pub(super) fn take(&mut self, copy: Self) {
        take_new(&mut self.attached, copy.attached);
        take_new(&mut self.blocks, copy.blocks);
    }
}

/// Adds what is not known yet, up to a limit.
fn take_new<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !known.contains(&one) && known.len() < MOST_BLOCKS {
            known.push(one);
        }
    }
}
