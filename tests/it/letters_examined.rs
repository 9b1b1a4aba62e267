//! What must hold of every mail, whatever its bytes: read as the daemon reads it, before a real position.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic;
use std::path::Path;
use std::sync::Once;

use musterd::desk::campaign::Campaign;
use musterd::desk::mail::{open, own_words, read_gm_commands, routes, take_commands, take_press};
use musterd::desk::order_mail::read_orders_of;
use musterd::dice::{Block, Seat};
use musterd::engine::journal::{Cause, Entry};
use musterd::letter::{Body, Letter, Limits};

use super::letters_summary::host;

/// No text is longer than so many times its mail, and a little for the smallest.
const GROWTH: usize = 12;

thread_local! {
    /// Where this thread has panicked, whoever caught it.
    static PANICS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes every panic of the thread that `open` would hide.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or_else(String::new, ToString::to_string);
            PANICS.with_borrow_mut(|panics| panics.push(place));
            usual(info);
        }));
    });
}

/// Whether a line that somebody wrote may be read as this order: without the number before it and the emphasis round it, in Latin letters.
fn is_read_as(given: &str, order: &str) -> bool {
    let (given, order): (Vec<char>, Vec<char>) = (given.chars().collect(), order.chars().collect());
    let Some(longer) = given.len().checked_sub(order.len()) else { return false };
    let (number, given) = given.split_at(longer);
    let letters: String = number.iter().filter(|c| c.is_alphabetic()).collect();
    let is_roman = letters.chars().all(|c| "IVXivx".contains(c));
    let is_number =
        letters.chars().count() <= 1 || is_roman || ["no", "nr"].contains(&letters.to_lowercase().as_str());
    let is_same =
        |(a, b): (&char, &char)| a == b || a.is_alphabetic() && !a.is_ascii() && b.is_ascii_alphabetic();
    is_number && given.iter().zip(&order).all(is_same)
}

/// A reader of mails: a position of La Grande Armée and a seat in it.
pub(crate) struct Reader {
    campaign: Campaign,
    seat: Seat,
}

impl Reader {
    /// The Allied turn of the first summer of a played game.
    pub(crate) fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/played/lga-waterloo-1815.jsonl");
        let journal = std::fs::read_to_string(path).unwrap();
        let mut entries: Vec<Entry> =
            journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let opened =
            entries.iter().position(|entry| matches!(entry.cause, Cause::Opened { t: 3, .. })).unwrap();
        entries.truncate(opened + 1);
        let campaign = Campaign::fold(&musterd::rulesets::desk(), &entries).unwrap();
        Self { campaign, seat: "allied".parse().unwrap() }
    }

    /// Takes the whole way from the bytes of a mail to its orders as the rules read them. The error says what doesn't hold.
    pub(crate) fn examine(&self, raw: &[u8]) -> Result<(), String> {
        watch_panics();
        PANICS.with_borrow_mut(Vec::clear);
        let held = panic::catch_unwind(panic::AssertUnwindSafe(|| self.read(raw)));
        // The parser is not ours; `open` answers for it.
        let ours = |place: &String| !place.contains("mail-parser");
        if let Some(place) = PANICS.with_borrow(|panics| panics.iter().find(|place| ours(place)).cloned()) {
            return Err(format!("a panic at {place}"));
        }
        held.unwrap_or_else(|_| Err("a panic".to_owned()))
    }

    fn read(&self, raw: &[u8]) -> Result<(), String> {
        let letter = open(raw, &Limits::default());
        let found = routes(&letter, &host()).remove(0);
        let holds = |condition: bool, what: &str| if condition { Ok(()) } else { Err(what.to_owned()) };
        holds(!letter.subject.contains(char::is_control), "a control character in the subject")?;
        holds(
            !letter.from.iter().chain(&letter.to).any(|address| address.contains(char::is_whitespace)),
            "an address in two words",
        )?;
        let Ok(body) = &letter.body else { return Ok(()) };
        for text in [Some(&body.text), body.attachment.as_ref()].into_iter().flatten() {
            holds(text.len() <= GROWTH * raw.len() + 1_000, "a text much longer than its mail")?;
            let odd = text.chars().find(|c| c.is_control() && !"\n\t".contains(*c));
            holds(odd.is_none(), "a control character in the text")?;
        }
        let _ = read_gm_commands(&own_words(&body.text));
        let (_, text) = take_commands(&body.text);
        let (_, text) = take_press(&text);
        let attachment = body.attachment.as_deref().map(|file| take_press(file).1);
        let rest = Body { text, attachment, ..body.clone() };
        let Ok(orders) = read_orders_of(self.campaign.game(), &self.seat, &rest) else { return Ok(()) };
        let block = &orders.block;
        holds(Block::canonical(block.as_str()) == *block, "a block that is not canonical")?;
        let enclosed = rest.enclosed.iter().filter_map(|one| one.text.as_ref());
        let sources = [&rest.text].into_iter().chain(&rest.attachment).chain(enclosed);
        let bare = |line: &str| line.trim_start_matches(['>', ' ', '\t']).trim_end().to_owned();
        let given: BTreeSet<String> = sources.flat_map(|text| text.lines().map(bare)).collect();
        let flowed: BTreeSet<String> = rest.flowed.iter().flatten().map(|piece| bare(piece)).collect();
        let given: BTreeSet<String> = given.into_iter().chain(flowed).collect();
        let is_given = |line: &str| {
            let emphasis = ['*', '_', '`'];
            let is_mended = |(seen, head): (&str, &str)| {
                seen.starts_with("seen:") && given.contains(seen) && given.contains(head)
            };
            given.contains(line)
                || line.rsplit_once(' ').is_some_and(is_mended)
                || given.iter().any(|given| {
                    is_read_as(given, line) || is_read_as(given.trim_end_matches(emphasis).trim_end(), line)
                })
        };
        holds(block.as_str().lines().all(|line| is_given(&bare(line))), "an order that nobody wrote")?;
        let of_block = Letter {
            to: Vec::new(),
            body: Ok(Body { text: block.as_str().to_owned(), ..Body::default() }),
            ..letter.clone()
        };
        holds(
            found.token.is_none() || routes(&of_block, &host()).iter().all(|found| found.token.is_none()),
            "a secret in the block",
        )?;
        // As many as the host lets through to the rules.
        if block.as_str().len() <= 64 * 1024 && block.as_str().lines().count() <= 2_000 {
            self.campaign.game().read(&self.seat, block);
        }
        Ok(())
    }
}
