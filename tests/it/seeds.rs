//! Property tests keep what made them fail: the seed goes into `proptest-regressions/` (of `tests/` or beside `src/`), is committed with the
//! mending, and is tried first from then on. Tests with chance of their own name the seed that failed.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::common::soak;

/// Runs a property of so many cases that is said to stand in this file: the number at which it failed, if it did.
fn failing(source: &Path, cases: u32) -> Option<u64> {
    let source_file: &'static str = Box::leak(source.to_str().unwrap().to_owned().into_boxed_str());
    let mut runner = TestRunner::new(Config { cases, source_file: Some(source_file), ..Config::default() });
    let ran = runner.run(&any::<u64>(), |number| {
        prop_assert!(number % 50 != 7);
        Ok(())
    });
    match ran {
        Err(proptest::test_runner::TestError::Fail(_, number)) => Some(number),
        _ => None,
    }
}

#[test]
fn a_property_that_failed_is_tried_first_at_the_case_that_failed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("it");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("main.rs"), "").unwrap();
    let source = folder.join("numbers.rs");
    let kept = dir.path().join("proptest-regressions/numbers.txt");
    assert_eq!(failing(&source, 0), None);
    assert!(!kept.exists());
    let failed = failing(&source, 10_000).expect("one in fifty fails");
    assert!(fs::read_to_string(&kept).unwrap().lines().any(|line| line.starts_with("cc ")), "{failed}");
    assert!(failing(&source, 0).is_some(), "the kept case alone");
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => rust_files(&path, found),
            false if path.extension().is_some_and(|kind| kind == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn no_property_forgets_what_made_it_fail() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["src", "tests/it", "benches"].iter().for_each(|folder| rust_files(&root.join(folder), &mut files));
    for path in files.iter().filter(|path| !path.ends_with("seeds.rs")) {
        let text = fs::read_to_string(path).unwrap();
        assert!(!text.contains("failure_persistence"), "{}: its seeds must be kept", path.display());
        for line in text.lines().filter(|line| line.contains("TestRunner::new(")) {
            assert!(line.contains("source_file: Some(file!())"), "{}: whose seeds? {line}", path.display());
        }
        assert!(!text.contains("TestRunner::default()"), "{}: whose seeds?", path.display());
    }
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap();
    assert!(!ignored.contains("regressions"), "they are committed");
}

/// A soak runs what it has by name: every file of random tests is named, and so is no test that isn't there.
#[test]
fn every_random_test_is_in_the_soak() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    ["src", "tests"].iter().for_each(|folder| rust_files(&root.join(folder), &mut files));
    // The list, and the tests about it.
    let others = ["tests/common/soak.rs", "tests/it/seeds.rs"];
    for path in files {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let is_random =
            ["proptest! {", "TestRunner::new(", "soak::seed"].iter().any(|sign| text.contains(sign));
        let listed = soak::ALL.iter().find(|random| random.file == name);
        assert!(
            listed.is_some() || !is_random || others.contains(&name),
            "{name} isn't in tests/common/soak.rs"
        );
        for test in listed.iter().flat_map(|random| random.tests) {
            let function = test.rsplit("::").next().unwrap();
            assert!(text.contains(&format!("fn {function}(")), "{name} has no {function}");
        }
    }
    let is_file = |random: &&soak::Random| root.join(random.file).is_file();
    assert_eq!(soak::ALL.iter().filter(is_file).count(), soak::ALL.len(), "a file is gone");
}
