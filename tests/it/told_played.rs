//! A game of this host tells what its log binds, and whatever is changed in one of its mails is found.

use musterd::audit::{Contradiction, Form, ToldMails};

use super::support::raw_mails;
use super::told_mails::script;
use super::verify::{Kept, asked, the_case};

/// A game of this host, from its founding to its end: its mails are just what its log binds, and one that was changed anywhere is not.
#[test]
fn a_game_that_was_played_tells_what_it_binds() {
    let mut kept = Kept::founded();
    kept.play(3);
    let (red, blue, audit, file) = (kept.maildir("red"), kept.maildir("blue"), kept.audit(), kept.file());
    let inquiry = asked(&[&red, &blue, &audit], true, None);
    let case = the_case(&inquiry);
    assert_eq!(case.contradictions, []);
    let ToldMails { bound, mails, texts, pages, waiting, newer, cut, .. } = case.told;
    // Those of the computer player, whose mails are not among these.
    let others = file["log"].as_array().unwrap().iter();
    let is_umpires = |body: &str| body.starts_with("told ") && body.contains(" umpire ");
    let others = others.filter(|line| is_umpires(line["body"].as_str().unwrap())).count();
    assert_eq!((bound, texts, waiting + newer + cut), (Some(mails + others), mails, 0), "{:?}", case.told);
    assert!(mails >= 8 + 2 * 7 && pages > 0, "{:?}", case.told);
    let (found, said) = script(kept.dir.path(), &file, &[red.clone(), blue]);
    assert!(
        !found && said.contains(&format!("told: {texts} texts, {pages} pages and {} data", case.told.data)),
        "{said}"
    );
    let mut changed = 0;
    for (_, raw) in raw_mails(&red) {
        let raw = String::from_utf8(raw).unwrap();
        let Some(begin) = raw.find("\r\nTold: alpha ").map(|at| at + 2) else { continue };
        let end = begin + raw[begin..].find("End told:").unwrap();
        let begin = begin + raw[begin..].find('\n').unwrap();
        // The first number in the text, or else its first letter.
        let bytes = raw.as_bytes();
        let number = (begin + 1..end).find(|at| bytes[*at].is_ascii_digit() && bytes[at - 1] == b' ');
        // A receipt for a JOIN tells nothing.
        let Some(at) = number.or_else(|| (begin..end).find(|at| bytes[*at].is_ascii_alphabetic())) else {
            continue;
        };
        let other = if bytes[at] == b'7' { "8" } else { "7" };
        let told = format!("{}{other}{}", &raw[..at], &raw[at + 1..]);
        let mail = kept.keep("changed.eml", &told);
        let is_text = |c: &Contradiction| matches!(c, Contradiction::ToldOtherwise { form: Form::Text, .. });
        let found = the_case(&asked(&[&mail, &audit], false, None)).contradictions.clone();
        assert!(found.iter().any(is_text), "{found:?}\n{told}");
        assert!(script(kept.dir.path(), &file, std::slice::from_ref(&mail)).0, "{told}");
        if told.contains("Content-Type: text/html") {
            let alone = the_case(&asked(&[&mail], false, None)).contradictions.clone();
            assert!(
                alone.iter().any(|c| matches!(c, Contradiction::FormsDiffer { .. })),
                "{alone:?}\n{told}"
            );
        }
        changed += 1;
    }
    assert!(changed > 8, "{changed}");
}
