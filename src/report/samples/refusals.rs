//! Refusals, one for each reason.

use super::{HALT, LINE, Must, OPEN, SAID, STOPPED, Sample, WHY, not_read, window};
use crate::letters::{self, Part, Reason, Refusal};
use crate::page::Sheet;

impl Sample {
    fn refusal(&self, n: usize, reason: Reason) -> Refusal {
        let known = n > 0;
        Refusal {
            game: known.then(|| self.game.clone()),
            reason,
            about: "my orders".to_owned(),
            arrived: if n.is_multiple_of(2) { String::new() } else { "Sat 28 Nov 20:00 CET".to_owned() },
            window: known.then(|| window(Part::Phasing, n.is_multiple_of(2))),
            ready_waits: known && !n.is_multiple_of(2),
            stopped: (known && n.is_multiple_of(2)).then(|| STOPPED.to_owned()),
            has_gm: n.is_multiple_of(2),
            host: super::HOST.to_owned(),
        }
    }

    pub(super) fn refusals_that_differ(&self, show: &mut dyn FnMut(&'static str, [&Sheet<'_>; 2])) {
        let no_orders = self.refusal(2, Reason::NoOrders);
        let sealed = self.refusal(2, Reason::Sealed);
        let [no_orders, sealed] = [&no_orders, &sealed].map(letters::refusal_sheet);
        for reason in reasons() {
            let other = if reason == Reason::NoOrders { &sealed } else { &no_orders };
            let mail = self.refusal(2, reason);
            show(WHY, [&letters::refusal_sheet(&mail), other]);
        }
    }

    pub(super) fn refusals(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for (n, reason) in reasons().into_iter().enumerate() {
            let mut must: Must = reason_in_numbers(&reason).map(|said| (WHY, said)).into_iter().collect();
            let mail = self.refusal(n, reason);
            must.extend(mail.stopped.iter().map(|said| (HALT, said.clone())));
            if let Some(open) = &mail.window {
                must.push((OPEN, open.title.clone()));
                must.extend(open.deadline.as_ref().map(|at| (OPEN, at.long.clone())));
            }
            show(&letters::refusal_sheet(&mail), &must);
        }
    }
}

/// Every reason to refuse a mail.
fn reasons() -> Vec<Reason> {
    let asked = || "beta".to_owned();
    vec![
        Reason::UnknownGame { asked: asked() },
        Reason::Waits { asked: asked() },
        Reason::UnknownSeat { asked: asked() },
        Reason::NotProved { from: "x@example.org".to_owned(), has_secret: false },
        Reason::NotProved { from: "x@example.org".to_owned(), has_secret: true },
        Reason::Late { window: "Autumn 1805".to_owned(), closed: "Sat 28 Nov 20:00 CET".to_owned() },
        Reason::Closed {
            window: "Autumn 1805".to_owned(),
            closed: "Sat 28 Nov 20:00 CET".to_owned(),
            dice: "Sat 28 Nov 21:00 CET".to_owned(),
        },
        Reason::OtherTurn { meant: 2, open: 3 },
        Reason::BetweenTurns,
        Reason::OtherSeat { game: asked(), seat: "allied".to_owned() },
        Reason::Sealed,
        Reason::GameOver,
        Reason::TooLarge { bytes: 2_000_000, limit: 1_000_000 },
        Reason::Unreadable { why: SAID.to_owned() },
        Reason::NoOrders,
        Reason::NoAnswer { confirmed: false },
        Reason::NoAnswer { confirmed: true },
        Reason::Joined,
        Reason::PerhapsCommand { underlined: "tyr\n^^^\n".to_owned(), told: SAID.to_owned() },
        Reason::CommandBelow { line: "EXTEND 2d".to_owned() },
        Reason::CodeQuoted,
        Reason::Unread { problems: format!("{LINE}\n"), ready: true },
        Reason::ready_held(&[LINE.to_owned()]),
        Reason::ready_asks(&["EXTEND 2d".to_owned()]),
        Reason::struck_out(&["~~MOVE 3 TO Ulm~~".to_owned()]),
        Reason::not_read(&not_read(), &[LINE.to_owned()], format!("{LINE}\n")),
    ]
}

/// The number or name that a refusal must contain besides its own words.
fn reason_in_numbers(reason: &Reason) -> Option<String> {
    match reason {
        Reason::UnknownGame { asked } | Reason::Waits { asked } | Reason::UnknownSeat { asked } => {
            Some(asked.clone())
        }
        Reason::NotProved { from, .. } => Some(from.clone()),
        Reason::Late { closed, .. } | Reason::Closed { closed, .. } => Some(closed.clone()),
        Reason::OtherSeat { seat, .. } => Some(seat.clone()),
        Reason::Unreadable { why } => Some(why.clone()),
        Reason::CommandBelow { line } => Some(line.clone()),
        Reason::PerhapsCommand { told, .. } => Some(told.clone()),
        Reason::StruckOut { lines } | Reason::ReadyHeld { lines } | Reason::ReadyAsks { lines } => {
            Some(lines.clone())
        }
        Reason::Unread { .. } => Some(LINE.to_owned()),
        Reason::NotRead { parts, .. } => Some(parts.clone()),
        _ => None,
    }
}
