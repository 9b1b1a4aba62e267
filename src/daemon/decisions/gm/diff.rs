//! What differs between two texts, line by line.

use musterd_report::WIDTH;

/// The lines that are only in the first text, marked `-`, and only in the second, marked `+`, in order. Lines about the public
/// log are passed over: they always differ.
pub(super) fn changes(before: &str, after: &str) -> Vec<String> {
    let (old, new) = (lines(before), lines(after));
    // The longest common run of lines from each pair of places on.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            found.push(marked('-', old[i]));
            i += 1;
        } else {
            found.push(marked('+', new[j]));
            j += 1;
        }
    }
    found.retain(|line| line.len() > 2);
    found
}

/// A line behind its mark. One that is too long for a mail then has its last part, such as the legend beside a map, moved up to the rest;
/// blanks inside a map, up to the last edge of a hex, are empty hexes and stay.
fn marked(mark: char, line: &str) -> String {
    let mut text = format!("{mark} {line}");
    let after_map = text.rfind(['|', '+']).unwrap_or(0);
    while text.chars().count() > WIDTH {
        let Some(gap) = text.trim_end()[after_map..].rfind("  ") else { break };
        text.remove(after_map + gap);
    }
    text
}

fn lines(text: &str) -> Vec<&str> {
    let is_of_the_log = |line: &&str| {
        let word = line.trim_start_matches(['>', ' ', '#']);
        let digest = word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
        digest || word.starts_with("Chain: ") || word.starts_with("seen: ")
    };
    text.lines().map(str::trim_end).filter(|line| !is_of_the_log(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_a_map_keeps_its_one_line() {
        let row = |blanks: &str| format!(" 1 |{}|{blanks}f forest", ".".repeat(62));
        assert_eq!(row("   ").len(), WIDTH);
        assert_eq!(changes("", &row("   ")), [format!("+ {}", row(" "))]);
        for edge in ['|', '+'] {
            let empty = format!(" 1 {edge}{}     {edge}", ".".repeat(WIDTH - 10));
            assert_eq!(empty.len(), WIDTH);
            assert_eq!(
                changes("", &empty),
                [format!("+ {empty}")],
                "its last hex is empty, and no legend beside it"
            );
        }
        let words = "x".repeat(WIDTH);
        assert_eq!(changes("", &words), [format!("+ {words}")], "there is nothing to move");
    }

    #[test]
    fn only_what_differs_is_told_and_nothing_of_the_log() {
        let before = "one\ntwo\nthree\nChain: alpha 7\n";
        assert_eq!(changes(before, "one\n2\nthree\nfour\nChain: alpha 8\n"), ["- two", "+ 2", "+ four"]);
        assert_eq!(changes(before, before), Vec::<String>::new());
        assert_eq!(changes("", "one"), ["+ one"]);
        assert_eq!(changes("one\ntwo", "two\none"), ["- one", "+ one"]);
    }
}
