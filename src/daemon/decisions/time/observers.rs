//! Those who watch a game are shown what every side was told, some adjudications behind the players; at its end, all of it.

use std::collections::BTreeSet;

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::mails::mailroom::Clerk;
use crate::mails::notices::changed_by_hand;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Attachment;
use musterd_desk::past::past_turn;
use musterd_dice::Seat;
use musterd_engine::briefing::{Part, Section};
use musterd_engine::journal::Cause;
use musterd_report::letters::{self, Addressee, History};

/// The longest page that is sent along for one side, in bytes.
const LONGEST_PAGE: usize = 60_000;
/// How much goes into one mail, in bytes.
const MOST_ATTACHED: usize = 120_000;

impl Sitting<'_> {
    /// Shows an adjudication to all who watch and have not seen it.
    pub(crate) fn show(&mut self, t: u32) -> Result<(), HostError> {
        let entries = self.books.entries(&self.game)?;
        let upto = past_turn(&entries, &t.to_string()).map_or(entries.len(), |past| past.upto);
        let past = self.fold_past(&self.game, &entries[..upto])?;
        let campaign = self.campaign();
        let watching = campaign.unshown(t);
        // What binds nobody any more is anybody's.
        let hidden = campaign.results().is_none().then(|| campaign.game().concealed());
        // First: the mails' ids say how long the journal is.
        self.play(Cause::Observed { t })?;
        self.mail(|clerk| {
            let pages = clerk.pages_of_all(&past, hidden.as_ref());
            watching.iter().try_for_each(|to| clerk.show(to, &past, t, pages.clone()))
        })?;
        tracing::info!(game = %self.game, t, watching = watching.len(), "shown to those who watch");
        Ok(())
    }
}

impl Clerk<'_> {
    fn show(&mut self, to: &str, past: &Campaign, t: u32, pages: Vec<Attachment>) -> Result<(), HostError> {
        let name = past.last().map(|last| last.name.to_string()).unwrap_or_default();
        let mut paragraphs = vec![match self.campaign.results() {
            Some(_) => "The game is over. What every side was told last is attached.".to_owned(),
            None => {
                format!(
                    "Turn {t} ({name}) as every side was told of it: the reports are attached, without standing orders, plans, and whoever \
                     lies hidden still. The players are further on."
                )
            }
        }];
        paragraphs.extend(self.campaign.results().unwrap_or_default().iter().cloned());
        let game = &self.campaign.charter().game;
        paragraphs.push(format!("A mail to this host with the line LEAVE {game} ends this."));
        let n = self.campaign.entries();
        self.tell_guest(to, &format!("turn {t}, {name}"), paragraphs, n, pages)
    }

    /// A side's report alone: of a game that goes on, without whatever still binds, and what is `hidden` to this day.
    fn observed(&self, past: &Campaign, seat: &Seat, hidden: Option<&BTreeSet<String>>) -> String {
        let to = Addressee {
            game: past.charter().game.clone(),
            system: past.game().system().to_owned(),
            seat: seat.clone(),
            title: past.title_of(seat),
            allies: Vec::new(),
            reply_to: String::new(),
            key_line: String::new(),
        };
        let (mut briefing, by_hand) = match hidden {
            Some(hidden) => past.shown(seat, hidden),
            None => past.brief(seat),
        };
        let turn = |campaign: &Campaign| campaign.last().map(|last| last.t);
        if self.campaign.is_over() && !past.is_over() && turn(past) == turn(self.campaign) {
            briefing.end();
        }
        let by_hand = changed_by_hand(&by_hand).map(|said| Section::of("The GM", vec![Part::text(said)]));
        briefing.sections.splice(0..0, by_hand);
        letters::history(&self.templates, &History { to, briefing }).body
    }

    /// Every side's report, without what is its player's own: no letters, no form, no secret.
    fn pages_of_all(&self, past: &Campaign, hidden: Option<&BTreeSet<String>>) -> Vec<Attachment> {
        let mut pages = Vec::new();
        let mut attached = 0;
        for spec in past.game().seats() {
            let mut page = self.observed(past, &spec.seat, hidden);
            page.truncate(page.floor_char_boundary(LONGEST_PAGE));
            attached += page.len();
            if attached > MOST_ATTACHED {
                tracing::warn!(game = %self.campaign.charter().game, "more reports than fit into a mail");
                break;
            }
            let name = format!("{}.txt", spec.seat);
            pages.push(Attachment::text(name, page));
        }
        pages
    }
}
