//! `MAIL`: what the mails to a seat bring.

use super::Asking;
use crate::config::enclosure::Enclosure;
use crate::response::{Responded, done};
use musterd_desk::mail::MailChoice;
use musterd_engine::journal::{Change, Preferences};
use musterd_report::text::listed;

impl Asking<'_, '_> {
    /// Notes what the player wants of the mails to the seat, and tells what they bring.
    pub(super) fn mails_wanted(&mut self, choices: &[MailChoice]) -> Responded {
        let seat = self.seat;
        let before = self.campaign().preferences(seat);
        let mut wanted = before;
        choices.iter().for_each(|choice| choose(&mut wanted, *choice));
        if wanted != before {
            let change = Change::Preferences { seat: seat.clone(), preferences: wanted };
            self.settle(change, format!("{seat} wants other mails"))?;
        }
        let proofs = self.campaign().charter().terms.proofs;
        let told = self.about(|clerk| {
            let (attach, full) = (&clerk.attach, wanted.full);
            let parts = [
                (clerk.html && wanted.html, "a page"),
                (clerk.html && wanted.html && wanted.pictures && full, "drawings in it"),
                (full && attach.contains(&Enclosure::Form), "the order form as a file"),
                (full && wanted.data && attach.contains(&Enclosure::Json), "the report as data"),
                (wanted.calendar && attach.contains(&Enclosure::Ics), "the deadline for a calendar"),
                (full && proofs, "the proofs of your dice"),
            ];
            let (has, without): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(is, _)| *is);
            let names = |parts: Vec<(bool, &str)>| {
                listed(&parts.into_iter().map(|(_, what)| what.to_owned()).collect::<Vec<_>>())
            };
            let beside = match has.is_empty() {
                true => "and nothing beside it".to_owned(),
                false => format!("and beside it: {}", names(has)),
            };
            let left_out = match without.is_empty() {
                true => String::new(),
                false => format!(
                    " They don't bring: {}. The host sends a part only where its operator has it sent at all.",
                    names(without)
                ),
            };
            format!("Your dispatches bring the text, which tells everything, {beside}.{left_out}")
        })?;
        done(told)
    }
}

fn choose(wanted: &mut Preferences, choice: MailChoice) {
    match choice {
        MailChoice::Html(html) => wanted.html = html,
        MailChoice::Pictures(pictures) => wanted.pictures = pictures,
        MailChoice::Data(data) => wanted.data = data,
        MailChoice::Calendar(calendar) => wanted.calendar = calendar,
        MailChoice::Full(full) => wanted.full = full,
    }
}
