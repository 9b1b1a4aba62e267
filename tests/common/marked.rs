//! Mistakes in files that authors write: each fault stands where a mark is.

use musterd_engine::Examination;
use musterd_engine::files::RuleFiles;

/// What is put in the place of what in a file; a `¦` stands before every fault.
pub(crate) type Change = (&'static str, &'static str, &'static str);

/// A name, changes, and what is said of the files in the order of their paths and lines.
pub(crate) type Case = (&'static str, &'static [Change], &'static [&'static str]);

/// Every case is told of as it should be, and of nothing else.
#[track_caller]
pub(crate) fn every_fault_is_told(
    files: &RuleFiles,
    examine: impl Fn(&RuleFiles) -> Examination,
    cases: &[Case],
) {
    let mut wrong = Vec::new();
    for (name, changes, reasons) in cases {
        let mut files = files.clone();
        for (path, from, to) in *changes {
            let text = files.0.get_mut(*path).unwrap();
            assert!(text.contains(from), "{name}: {path} has no {from:?}");
            *text = text.replacen(from, to, 1);
        }
        let mut places = Vec::new();
        for (path, text) in &mut files.0 {
            for (number, line) in text.lines().enumerate() {
                let marks = line.chars().enumerate().filter(|(_, c)| *c == '¦').enumerate();
                places.extend(
                    marks.map(|(before, (column, _))| {
                        format!("{path}:{}:{}", number + 1, column + 1 - before)
                    }),
                );
            }
            *text = text.replace('¦', "");
        }
        assert_eq!(places.len(), reasons.len(), "{name}: a mark a fault");
        let expected: Vec<String> =
            places.iter().zip(*reasons).map(|(place, reason)| format!("{place}: {reason}")).collect();
        let mut found = examine(&files).errors;
        found.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
        let said: Vec<String> = found.iter().map(ToString::to_string).collect();
        if said != expected {
            wrong.push(format!("{name}\n  said     {said:#?}\n  expected {expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
