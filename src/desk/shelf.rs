//! The data files built into the program: path under `games/<ruleset>/`, and text.

macro_rules! shelf {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../games/", $folder, "/", $path)))),+]
    };
}

/// La Grande Armée.
pub(super) const LGA: &[(&str, &str)] = shelf!("lga":
    "ruleset.yaml",
    "maps/europe.yaml",
    "scenarios/austrian-1805.yaml",
    "scenarios/prussian-1806.yaml",
    "scenarios/spanish-1808.yaml",
    "scenarios/danube-1809.yaml",
    "scenarios/russian-1812.yaml",
    "scenarios/nations-1814.yaml",
    "scenarios/waterloo-1815.yaml",
);
