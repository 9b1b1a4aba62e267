//! Journals of earlier versions: each must fold to the digest that was recorded with it, for ever.

use std::path::Path;

use musterd::desk::Desk;
use musterd::desk::campaign::Campaign;
use musterd::engine::journal::Entry;

#[test]
fn every_old_journal_folds_to_its_digest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage");
    let digests = std::fs::read_to_string(root.join("digests")).unwrap();
    let mut folded = 0;
    for line in digests.lines().filter(|line| !line.starts_with('#')) {
        let (digest, path) = line.split_once("  ").expect("a digest, two spaces, a path from tests/");
        let text = std::fs::read_to_string(root.join("..").join(path)).unwrap();
        let entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let campaign = Campaign::fold(&Desk::standard(), &entries).unwrap();
        assert_eq!(campaign.game().digest().to_string(), digest, "{path}");
        folded += 1;
    }
    assert!(folded > 0, "there is at least one old journal");
}
