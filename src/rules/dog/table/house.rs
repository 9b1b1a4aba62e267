//! The settings of a table, and the files that a sitting is founded on.

use serde::{Deserialize, Serialize};

use crate::model::Scale;
use crate::numbers;
use crate::switches::Switches;
use musterd_engine::files::{DataErrors, RuleFiles};

/// The file that says how a table plays.
pub const FILE: &str = "scenario.yaml";

/// How a table plays: what is in [`FILE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct House {
    /// What the sitting is called.
    pub title: String,
    /// How large units are: it matters for hiding and for shooting.
    pub scale: Scale,
    /// The optional rules that are on.
    #[serde(default)]
    pub switches: Vec<String>,
}

impl House {
    /// The optional rules.
    ///
    /// # Errors
    /// One that there isn't.
    pub(super) fn switches(&self) -> Result<Switches, DataErrors> {
        let unknown = self.switches.iter().find(|name| !Switches::WORDS.contains(&name.as_str()));
        if let Some(unknown) = unknown {
            let reason = format!("`{unknown}` is no switch: write {}", Switches::WORDS.join(", "));
            return Err(DataErrors::one(FILE, 0, reason));
        }
        let on = |name: &str| self.switches.iter().any(|own| own == name);
        Ok(Switches {
            tiny_strikes: on("tiny_strikes"),
            fliers: Switches::USUAL.fliers,
            barbarian_flight: on("barbarian_flight"),
            nomad_unease: on("nomad_unease"),
            guard_loyalty: on("guard_loyalty"),
        })
    }
}

/// The files that a sitting is founded on.
pub fn founding(numbers: &str, house: &House) -> RuleFiles {
    // Whatever is JSON is YAML too.
    #[expect(clippy::expect_used, reason = "plain data: no map with other keys than strings")]
    let house = serde_json::to_string(house).expect("rules of the house are plain data");
    RuleFiles::of(&[(numbers::FILE, numbers), (FILE, &(house + "\n"))])
}
