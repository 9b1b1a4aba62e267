//! Reads how counters look on maps: symbols and colours of the author's own.

use musterd_engine::palette::{contrast, letters_on};
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::At;

use super::declared::{LookLine, SideLine};
use crate::battle::Look;
use crate::looks::PALETTE;
use crate::model::Arm;
use crate::numbers::{Numbers, is_colour, no_colour};

/// The least contrast of letters with their ground, in hundredths.
const READABLE: u32 = 450;

/// What a symbol would be taken for.
pub(super) struct Taken<'a> {
    pub(super) numbers: &'a Numbers,
    /// The letters of the sides that are known, with their names.
    pub(super) letters: Vec<(char, String)>,
}

/// The looks of a side, and those that its types of brigade have.
#[derive(Default)]
pub(super) struct Looks {
    pub(super) side: Option<Look>,
    /// In the order of [`Arm::ALL`].
    pub(super) arms: [Option<Look>; 4],
    /// The symbols that types of brigade have.
    symbols: Vec<(String, Arm)>,
}

impl Looks {
    /// Reads the looks of a side.
    pub(super) fn read(reader: &mut Reader, line: &SideLine, taken: &Taken<'_>) -> Self {
        let mut looks = Self::default();
        let Some(given) = line.look.as_ref().filter(|look| look.known().is_some()) else { return looks };
        let given = &given.value;
        let colours = colours(reader, given.colour.as_ref(), given.letters.as_ref());
        let side = &line.name.value;
        looks.side =
            colours.map(|colours| Look { meaning: side.clone(), symbol: None, colours: Some(colours) });
        let lines = [&given.infantry, &given.mounted, &given.cavalry, &given.artillery];
        for ((arm, line), place) in Arm::ALL.into_iter().zip(lines).zip(0..) {
            let own = line
                .as_ref()
                .and_then(|line| looks.look(reader, line, format!("{} of {side}", arm.words()), taken));
            if let Some(symbol) = own.as_ref().and_then(|look| look.symbol.clone()) {
                looks.symbols.push((symbol, arm));
            }
            looks.arms[place] = over(own, looks.side.as_ref());
        }
        looks
    }

    /// Reads a look, and notes its faults.
    pub(super) fn look(
        &self,
        reader: &mut Reader,
        line: &At<LookLine>,
        meaning: String,
        taken: &Taken<'_>,
    ) -> Option<Look> {
        let given = line.known()?;
        if given.symbol.is_none() && given.colour.is_none() && given.letters.is_none() {
            reader.fault(line.at, "a look has a `symbol`, a `colour` or both: add one");
        }
        let colours = colours(reader, given.colour.as_ref(), given.letters.as_ref());
        let symbol = given.symbol.as_ref().filter(|symbol| symbol.known().is_some());
        let symbol = symbol.filter(|symbol| match self.misread(&symbol.value, taken) {
            Some(reason) => {
                reader.fault(symbol.at, reason);
                false
            }
            None => true,
        });
        Some(Look { meaning, symbol: symbol.map(|symbol| symbol.value.clone()), colours })
    }

    /// The look of a brigade or a headquarters: its own or its formation's, and what that leaves open of its type's or its side's.
    pub(super) fn of(&self, own: Option<Look>, arm: Option<Arm>) -> Option<Look> {
        let general = match arm {
            Some(arm) => self.arms[arm as usize].as_ref().or(self.side.as_ref()),
            None => self.side.as_ref(),
        };
        over(own, general)
    }

    /// Why a text can't be a symbol.
    fn misread(&self, symbol: &str, taken: &Taken<'_>) -> Option<String> {
        let said = short(symbol);
        if !matches!(symbol.len(), 1 | 2) || !symbol.bytes().all(|b| b.is_ascii_uppercase()) {
            return Some(format!("`{said}` is no symbol: write one or two capital letters, A to Z"));
        }
        let is = |sign: char| symbol.chars().eq([sign]);
        let means = |what: &str| Some(format!("on maps `{said}` is {what}: choose another symbol"));
        if is('H') || symbol == "HQ" {
            return means("a headquarters");
        }
        let mut grounds = taken.numbers.grounds();
        if let Some((_, name, _)) = grounds.find(|(_, _, terrain)| is(terrain.sign)) {
            return means(&format!("the sign of {}", short(name)));
        }
        if let Some(edge) = PALETTE.sides.iter().find(|edge| is(edge.sign)) {
            return means(&format!("the sign of a {}", edge.meaning));
        }
        if let Some((_, name)) = taken.letters.iter().find(|(letter, _)| is(*letter)) {
            return means(&format!("the letter of {}", short(name)));
        }
        let (_, arm) = self.symbols.iter().find(|(other, _)| other == symbol)?;
        means(&format!("the symbol of {}", arm.words()))
    }
}

/// A look with what it leaves open as another has it.
pub(super) fn over(own: Option<Look>, general: Option<&Look>) -> Option<Look> {
    match (own, general) {
        (None, general) => general.cloned(),
        (Some(own), None) => Some(own),
        (Some(own), Some(general)) => Some(Look {
            symbol: own.symbol.or_else(|| general.symbol.clone()),
            colours: own.colours.or_else(|| general.colours.clone()),
            ..own
        }),
    }
}

/// A colour and that of the letters on it.
fn colours(
    reader: &mut Reader,
    colour: Option<&At<String>>,
    letters: Option<&At<String>>,
) -> Option<(String, String)> {
    let mut known = |text: Option<&At<String>>| {
        let text = text.filter(|text| text.known().is_some())?;
        if !is_colour(&text.value) {
            reader.fault(text.at, no_colour(&text.value));
            return None;
        }
        Some((text.at, text.value.clone()))
    };
    let (ground, written) = (known(colour), known(letters));
    if let (None, Some(letters)) = (colour, letters) {
        reader.fault(letters.at, "`letters` are written on a `colour`: add it, or leave `letters` out");
    }
    let (_, ground) = ground?;
    let Some((at, letters)) = written else {
        let letters = letters_on(&ground).to_owned();
        return Some((ground, letters));
    };
    if let Some(found) = contrast(&ground, &letters).filter(|found| *found < READABLE) {
        let reason = format!(
            "letters of {letters} are hard to read on {ground}: their contrast is {}.{} to 1, and 4.5 is wanted; without `letters` they are black or white",
            found / 100,
            found / 10 % 10
        );
        reader.doubt(at, reason);
    }
    Some((ground, letters))
}
