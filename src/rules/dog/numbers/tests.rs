use super::super::data::SHIPPED;
use super::*;

fn numbers() -> Numbers {
    let files = SHIPPED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Numbers::load(&RuleFiles(files.collect())).unwrap()
}

#[test]
fn table_1_has_32_types_that_are_found_by_code_and_name() {
    let numbers = numbers();
    assert_eq!(numbers.troops().count(), 32);
    for (id, troop) in numbers.troops() {
        assert_eq!(numbers.find(&troop.code.to_lowercase()), Some(id));
        assert_eq!(numbers.find(&troop.name.to_uppercase()), Some(id));
    }
    let called = |text: &str| numbers.find(text).map(|id| numbers.troop(id).code.as_str());
    for (text, code) in [("M", "L"), ("mg", "LG"), ("archer", "A"), ("Swordsmen", "LI"), ("hoggo", "BE")] {
        assert_eq!(called(text), Some(code), "{text}");
    }
    assert_eq!(called("hussars"), None);
}

/// Ruling DOG-23: the bands are [0, 1/8), [1/8, 1/4), [1/4, 1/2), [1/2, 1].
#[test]
fn fuller_units_are_easier_to_find() {
    let hide = numbers().hide;
    let factors = [(1, 4), (2, 4), (3, 6), (4, 6), (5, 8), (9, 8), (10, 10), (20, 10), (40, 10)];
    for (filled, factor) in factors {
        assert_eq!(hide.factor(filled, 20), factor, "{filled} of 20");
    }
    assert_eq!((hide.factor(25, 200), hide.factor(24, 200), hide.factor(1, 1)), (6, 4, 10));
}

/// A game that was founded so is played on; no new one is.
#[test]
fn a_table_without_rows_is_a_fault_to_authors() {
    let text = SHIPPED[0].1;
    let bare = text.replacen("factors: [[1, 4], [2, 6], [4, 8], [8, 10]]", "factors: []", 1);
    let files = RuleFiles(std::iter::once((FILE.to_owned(), bare)).collect());
    assert_eq!(Numbers::load(&files).unwrap().hide.factor(1, 20), 0);
    let late: Vec<String> = ReadNumbers::read(&files).late.iter().map(|fault| fault.reason.clone()).collect();
    assert_eq!(late, ["`factors` has no rows: add one"]);
}

#[test]
fn a_file_that_leaves_something_out_is_refused() {
    let spoilt = |from: &str, to: &str| {
        let text = SHIPPED[0].1.replacen(from, to, 1);
        let files = RuleFiles(std::iter::once((FILE.to_owned(), text)).collect());
        Numbers::load(&files).unwrap_err().to_string()
    };
    assert!(spoilt("code: LI,", "code: XX,").contains("light infantry"));
    assert!(spoilt("crew: [A, LI]", "crew: [A, ZZ]").contains("`ZZ`"));
    assert!(spoilt("10x3:5", "10x3").contains("such as 10x3:5"));
    assert!(spoilt("castle: 6, ", "").contains("castle"));
    assert!(spoilt("hp: 2", "hp: 0").contains("`hp`"));
}
