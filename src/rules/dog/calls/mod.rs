//! What the program does at a table of Death or Glory.

mod chart;
mod dice;
mod next;
mod played;
mod prompt;
mod record;
mod sitting;

use musterd_engine::calls::Calls;

/// The commands.
pub(crate) const CALLS: Calls = Calls {
    about: "At the table of Death or Glory: dice that can be checked, unit records, the next battle",
    examples: &[
        "musterd dog table --session evening.jsonl",
        "musterd dog strike 18 heavy infantry at 40 orcs in forest",
        "musterd dog initiative red blue",
        "musterd dog reveal --out evening.json && musterd verify evening.json",
        "musterd dog record daerquwa --html > cards.html",
    ],
    notes: &[],
    calls: &[
        prompt::TABLE,
        dice::STRIKE,
        dice::SHOOT,
        dice::HIDE,
        dice::INITIATIVE,
        dice::SESSION,
        dice::REVEAL,
        chart::CHART,
        record::RECORD,
        next::NEXT,
    ],
};
