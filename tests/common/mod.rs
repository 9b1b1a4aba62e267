//! What the tests of several crates need. Each uses some of it.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod forms;
pub(crate) mod marked;
pub(crate) mod pages;
pub(crate) mod reach;
pub(crate) mod script;
pub(crate) mod soak;
pub(crate) mod standing;

use std::path::{Path, PathBuf};

use musterd_dice::{Label, Roller, Seed, Stream};

/// The repository's folder, from whichever crate.
pub(crate) fn root() -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.into_iter().find(|folder| folder.join("Cargo.lock").exists()).unwrap().to_owned()
}

/// Fair dice of no real game.
pub(crate) struct Loose(pub(crate) Seed);

impl Loose {
    /// The dice with a number.
    pub(crate) fn numbered(seed: u32) -> Self {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&seed.to_be_bytes());
        Self(Seed::unrelated(bytes))
    }
}

impl Roller for Loose {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let mut stream = Stream::new(&self.0, label);
        (0..count).map(|_| stream.die(sides)).collect()
    }
}
