//! What seats were told, made anew from a game that is played again: the facts always, the sentences where this program has the same wording.

use std::collections::BTreeSet;

use serde::Serialize;

use super::difference::{Difference, Divergence};
use super::form::Form;
use musterd_desk::Game;
use musterd_desk::campaign::{Heads, ReadBack, brief_of};
use musterd_dice::audit::Place;
use musterd_dice::told::{Opening, TellingKind, ToldNote};
use musterd_dice::{Block, LineEdit};
use musterd_report::{Told, WORDING};

/// What comparing the tellings of a game came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Retold {
    /// Reports whose facts are those that the rules give.
    pub facts: usize,
    /// Reports and receipts whose sentences are those that this program makes of them.
    pub sentences: usize,
    /// Those whose sentences are of another wording than this program's: their facts alone were compared.
    pub other_wording: usize,
    /// Receipts for orders that were replaced, which the file doesn't show.
    pub replaced: usize,
    /// What the host and its game master said there in their own words, by adjudication.
    pub said: BTreeSet<(u32, String)>,
    /// Those that came out otherwise, in the order of the log.
    pub differences: Vec<Difference>,
}

impl Retold {
    /// Compares the telling that this entry of the log binds with what the game, as it stands there, gives. `answered` are the orders that a receipt
    /// answers, where the file shows them; `edits` is what the GM changed by hand in what the seat was told of that adjudication.
    pub(super) fn compare(
        &mut self,
        (index, note): (u64, &ToldNote),
        opening: &Opening,
        (table, heads): (&dyn Game, &Heads),
        (answered, edits): (Option<&Block>, &[&LineEdit]),
    ) {
        let seat = &note.id.seat;
        let contents = &opening.contents;
        self.said.extend(contents.said.iter().map(|words| (note.id.t, words.clone())));
        let told = match (contents.kind, answered) {
            (TellingKind::Dispatch | TellingKind::Final, _) => {
                if contents.facts != Some(table.facts(seat)) {
                    return self
                        .differs(index, Divergence::OtherFacts { seat: seat.to_string(), n: note.id.n });
                }
                self.facts += 1;
                (note.wording == WORDING).then(|| {
                    let mut report = brief_of(table, seat, contents.kind);
                    report.change_lines(edits.iter().copied());
                    Told::of_report(&contents.said, &report)
                })
            }
            (TellingKind::Receipt, Some(block)) => (note.wording == WORDING).then(|| {
                let ReadBack { recap, remarks } = ReadBack::of(table, (heads, Some(note.id.t)), seat, block);
                Told::of_orders(block, &recap, &remarks)
            }),
            (TellingKind::Receipt, None) => {
                self.replaced += 1;
                return;
            }
        };
        let Some(told) = told else {
            self.other_wording += 1;
            return;
        };
        let form = match contents {
            _ if contents.text != Some(told.text_digest()) => Form::Text,
            _ if contents.html.is_some_and(|page| page != told.page_digest()) => Form::Page,
            _ => {
                self.sentences += 1;
                return;
            }
        };
        self.differs(index, Divergence::OtherWords { seat: seat.to_string(), n: note.id.n, form });
    }

    fn differs(&mut self, index: u64, divergence: Divergence) {
        self.differences.push(Difference { place: Place::Log(index), divergence });
    }
}
