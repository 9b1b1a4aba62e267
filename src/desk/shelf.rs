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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_file_of_the_games_is_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/lga");
        let files = |folder: &str| {
            let names = std::fs::read_dir(root.join(folder)).unwrap().map(|f| f.unwrap().path());
            let yaml = names.filter(|path| path.extension().is_some_and(|e| e == "yaml"));
            yaml.map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        let on_disk: BTreeSet<String> = ["", "maps", "scenarios"].into_iter().flat_map(files).collect();
        let built_in: BTreeSet<String> = super::LGA.iter().map(|(path, _)| (*path).to_owned()).collect();
        assert_eq!(built_in, on_disk);
    }
}
