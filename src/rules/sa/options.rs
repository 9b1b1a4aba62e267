//! The choices of whoever founds a game.

use musterd_engine::Founding;

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// The charts.
    pub edition: Edition,
    /// Whom the terrain hinders in melee (SA-3).
    pub terrain: Penalty,
    /// Spell points at most in one cast; `None` for no bound (SA-44).
    pub cap: Option<u32>,
    /// Whether both sides make the initial move in one mail turn (SA-43).
    pub together: bool,
    /// Time-points of a mail turn.
    pub block: u16,
}

/// The edition of the charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// The Apple edition.
    Apple,
    /// The Atari edition, whose charts know no medium cavalry (SA-6).
    Atari,
}

/// Whom the terrain hinders in melee (SA-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Penalty {
    /// Each unit by the terrain of its opponent.
    Opponent,
    /// Each unit by its own terrain.
    Own,
    /// The attacker alone, by the terrain of the defender.
    Attacker,
}

impl Choices {
    /// The choices of a founding.
    #[must_use]
    pub fn of(founding: &Founding<'_>) -> Self {
        Self {
            edition: match founding.option("edition") {
                "atari" => Edition::Atari,
                _ => Edition::Apple,
            },
            terrain: match founding.option("terrain_penalty") {
                "self" => Penalty::Own,
                "attacker" => Penalty::Attacker,
                _ => Penalty::Opponent,
            },
            cap: founding.option("spell_cap").parse().ok(),
            together: founding.option("initial") == "together",
            block: u16::try_from(founding.number("block")).unwrap_or(12),
        }
    }
}
