//! How a game goes on, for those who play it: its deadlines, what becomes of a missed turn, letters, who leads it.

use crate::calendar;
use musterd_engine::briefing::Fact;
use musterd_engine::journal::Charter;
use musterd_engine::terms::{Early, Missing, PressPolicy, Terms};
use musterd_report::span_in_words;
use musterd_text::nouns::count;

/// The rhythm of a game by its charter, in facts that every player may know.
pub fn rhythm(charter: &Charter) -> Vec<Fact> {
    let Charter { terms, gm, .. } = charter;
    let led = if gm.is_empty() { "nobody: the program alone runs the game" } else { "a game master" };
    let mut facts = vec![
        Fact::of("Deadline", calendar::in_words(&charter.deadlines)),
        Fact::of("Earlier", early(terms)),
        Fact::of("Missed turn", missed(terms)),
        Fact::of("Letters", letters(charter.press, terms)),
        Fact::of("Led by", led),
    ];
    facts.extend(terms.approval.map(|most| {
        let most = span_in_words(i64::from(most));
        Fact::of("Dispatches", format!("the game master looks at them first, for {most} at most"))
    }));
    facts
}

fn early(terms: &Terms) -> String {
    let ready = match terms.early {
        Early::All => "a turn runs before its deadline once all who may order are READY",
        Early::Phasing => "a turn runs before its deadline once all who owe orders are READY",
        Early::Never => return "no turn runs before its deadline".to_owned(),
    };
    let wait = |minutes| {
        format!("{ready}, {} later, so that a mail can still stop it", span_in_words(i64::from(minutes)))
    };
    terms.recall.map_or_else(|| ready.to_owned(), wait)
}

fn missed(terms: &Terms) -> String {
    let grace = match terms.grace {
        0 => String::new(),
        minutes => format!("after {} of grace ", span_in_words(i64::from(minutes))),
    };
    let what = match &terms.missing {
        Missing::Hold => "the turn waits for the missing orders, then the game master decides".to_owned(),
        Missing::Standing => "the turn runs, and your units do what units without orders do".to_owned(),
        Missing::Computer { skill } => {
            format!("the turn runs, and the computer ({skill}) orders for you this once")
        }
        Missing::Gm => "the turn waits until the game master decides".to_owned(),
    };
    let most = |most| format!("; with more than {most} missing it is held back");
    let excused = match terms.excused {
        0 => String::new(),
        turns => format!(
            "; each player is excused {}: the turn is held back {} then",
            count(turns, "missed turn"),
            span_in_words(i64::from(terms.hold))
        ),
    };
    format!("{grace}{what}{}{excused}", terms.most_missing.map_or_else(String::new, most))
}

fn letters(press: PressPolicy, terms: &Terms) -> String {
    let whom = match press {
        PressPolicy::None => return "none are passed on".to_owned(),
        PressPolicy::Side => "to players of your own side",
        PressPolicy::All => "to all players",
    };
    let anonymous = if terms.anonymous { ", with your name or without" } else { "" };
    let couriers = |hexes| format!("; a courier rides {hexes} hexes a turn with each");
    format!("{whom}{anonymous}{}", terms.couriers.map_or_else(String::new, couriers))
}
