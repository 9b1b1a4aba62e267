//! What the GM looks at: the whole position, what players are told, their orders, the journal, the audit file, the dice. He sees what is hidden; that he
//! looked at orders is told to all.

use super::GmOrder;
use super::overview::overview;
use super::people::no_seat;
use crate::HostError;
use crate::books::ledger::mails_of;
use crate::mails::enclosures::{AUDIT_ENDING, Shape};
use crate::response::{Early, Responded, Response, undone, undone_at, wrong};
use musterd_desk::audit::audit_file;
use musterd_desk::mail::Attachment;
use musterd_desk::order_mail::OrderMail;
use musterd_desk::reveal::revealed;
use musterd_dice::Seat;
use musterd_engine::briefing::Briefing;
use musterd_engine::journal::{Cause, Change};
use musterd_report::{html, statistics, text};
use musterd_text::nouns::count;

impl GmOrder<'_, '_> {
    /// `OVERVIEW`: what stands where, of all sides, as text, as a page and drawn.
    pub(super) fn see_everything(&mut self) -> Responded {
        let game = self.campaign().game();
        let Some(page) = game.overview() else {
            return wrong(
                "This game has no page with everything: REPORT and a seat shows what that seat is told.",
            );
        };
        let drawn = html::drawing(page.maps());
        let mut files =
            vec![overview(&page), Attachment::of("everything.html", "text/html", html::whole(&page))];
        files.extend((!drawn.is_empty()).then(|| Attachment::of("everything.svg", "image/svg+xml", drawn)));
        attached("All sides, and all that is hidden, as the position is now", files)
    }

    /// The number of the turn that was told last, where another one waits for the GM.
    fn told_last(&self) -> Option<String> {
        let campaign = self.campaign();
        let draft = campaign.draft()?;
        campaign.ran().range(..draft.t).next_back().map(|(t, _)| t.to_string())
    }

    /// `REPORT seat`: what a seat was told last, or of a turn.
    pub(super) fn see_report(&mut self, seat: &Seat, turn: Option<&str>) -> Responded {
        self.is_seat(seat)?;
        let told = self.told_last();
        if let (Some(turn), Some(draft)) = (turn, self.campaign().draft())
            && (turn == draft.t.to_string() || turn == draft.name.as_str())
        {
            return undone_at(
                turn,
                format!("Turn {turn} waits, and is told to nobody yet: DRAFT {turn} shows it."),
            );
        }
        if let (None, None, Some(draft)) = (turn, &told, self.campaign().draft()) {
            return undone(format!("Nothing is told to anybody yet: DRAFT {} shows what waits.", draft.t));
        }
        let turn = turn.map(str::to_owned).or(told);
        let turn = turn.as_deref();
        let (subject, body) = match self.at.games.report(&self.at.game, seat, turn, Shape::Text) {
            Err(HostError::Usage(why)) => {
                return undone_at(turn.unwrap_or_default(), format!("{}.", text::sentence(&why)));
            }
            report => report?,
        };
        let name = turn.map_or_else(|| format!("{seat}.txt"), |turn| format!("{seat}-{turn}.txt"));
        attached(
            &format!("The dispatch of {seat}"),
            vec![Attachment::text(name, format!("Subject: {subject}\n\n{body}"))],
        )
    }

    /// `ORDERS seat`: the orders that a seat has given for the open turn, as its receipt reads them. All are told that the GM looked.
    pub(super) fn see_orders(&mut self, seat: &Seat) -> Responded {
        self.is_seat(seat)?;
        let campaign = self.campaign();
        let title = campaign.title_of(seat);
        let Some(window) = campaign.window() else {
            return undone(format!("No orders are taken now: {}.", campaign.waits_for()));
        };
        let Some(block) = window.accepted.get(seat).map(|orders| orders.block.clone()) else {
            return undone(format!("No orders have come from {title} for the open turn."));
        };
        let what = format!("looked at the orders of {seat} for turn {}", window.t);
        self.settle(Change::Looked { seat: seat.clone() }, what)?;
        let told = format!("The GM has looked at the orders of {title} for the open turn{}", self.told());
        self.tell_all("the GM looked at orders", &[told])?;
        let text = self.about(|clerk| {
            let receipt = clerk.receipt_text(seat, &OrderMail::bare(block.clone()), (None, None), None);
            receipt.map_or_else(|| block.as_str().to_owned(), |(message, _)| message.body)
        })?;
        attached(
            &format!("The orders of {title}, as its receipt reads them; all were told that you looked"),
            vec![Attachment::text(format!("{seat}-orders.txt"), text)],
        )
    }

    /// `HISTORY seat`: the course of the game as a seat knows it.
    pub(super) fn see_history(&mut self, seat: &Seat) -> Responded {
        self.is_seat(seat)?;
        let message = self.about(|clerk| clerk.history(seat))?;
        attached(
            &format!("The history of the game, as {seat} knows it"),
            vec![Attachment::text(format!("{seat}-history.txt"), message.body)],
        )
    }

    /// `JOURNAL`: all that happened up to the turn that ran last, hidden things too. What has come for the open turn stays closed.
    pub(super) fn see_journal(&mut self) -> Responded {
        let entries = self.entries()?;
        let is_run = |cause: &Cause| matches!(cause, Cause::Adjudicated { .. });
        let ran = entries.iter().rposition(|entry| is_run(&entry.cause)).map_or(0, |at| at + 1);
        let lines = entries[..ran].iter().filter_map(|entry| serde_json::to_string(entry).ok());
        let lines: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
        let name = format!("{}.jsonl", self.game);
        attached(
            "The journal up to the turn that ran last, a line of JSON for each entry",
            vec![Attachment::of(name, "application/jsonl", lines)],
        )
    }

    /// `AUDIT`: the audit file, with what is revealed.
    pub(super) fn see_audit(&mut self) -> Responded {
        let (entries, secrets) = (self.entries()?, self.chain()?);
        let file = audit_file(&entries, &secrets, revealed(&entries));
        let name = format!("{}{}", self.game, AUDIT_ENDING);
        attached(
            "The audit file of the game, for `musterd verify` and for anybody",
            vec![Attachment::of(name, "application/json", file.to_json())],
        )
    }

    /// `LUCK`: all dice that were thrown, and each side's luck.
    pub(super) fn see_luck(&mut self) -> Responded {
        let sections = statistics::sections(&self.campaign().statistics());
        let page = text::sections(&Briefing { sections, ..Briefing::default() });
        attached(
            "All dice so far, and each side's luck, which tell what is hidden and are for you alone",
            vec![Attachment::text("luck.txt", page)],
        )
    }

    /// `HEALTH`: how the game's mails fare. Whoever writes as the host's own GM is told too what ails the host; others who lead a game with him aren't.
    pub(super) fn see_health(&mut self) -> Responded {
        let ledger = self.books.ledger(Some(&self.at.game))?;
        let outbox = self.books.outbox()?;
        let waits = self.about(|clerk| outbox.oldest.map(|at| clerk.time(None, at)))?;
        let campaign = self.campaign();
        let seats = campaign.charter().players.keys();
        let mails = seats.map(|seat| {
            let failing = if campaign.is_out_of_reach(seat) { "; no mail reaches this player" } else { "" };
            format!("{seat}: {}{failing}", mails_of(&ledger, seat).in_words())
        });
        let mut told = vec![mails.collect::<Vec<_>>().join("\n")];
        told.push(match waits {
            Some(since) => format!(
                "{} of the host wait to be sent, the oldest since {since}.",
                count(usize::try_from(outbox.waiting).unwrap_or(usize::MAX), "mail")
            ),
            None => "No mail of the host waits to be sent.".to_owned(),
        });
        if self.held().stop(&self.at.game) {
            told.push(
                "Mails from before the store was rebuilt are to be read by the operator: no turn runs until then."
                    .to_owned(),
            );
        }
        let leads_host = self.leads_host;
        told.extend(
            self.ailing().iter().filter(|_| leads_host).map(|ailment| format!("The host: {}.", ailment.text)),
        );
        Ok(Response::of(told))
    }

    fn is_seat(&self, seat: &Seat) -> Result<(), Early> {
        let campaign = self.campaign();
        if campaign.charter().players.contains_key(seat) { Ok(()) } else { no_seat(campaign, seat) }
    }
}

/// The most bytes of files in one answer.
const LARGEST: usize = 8 << 20;

/// What comes as files; nothing where they are too large for a mail.
fn attached(what: &str, files: Vec<Attachment>) -> Responded {
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    if size > LARGEST {
        return undone("That is too large for a mail: the command line of the host's machine shows it.");
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let where_it_is = format!("{what}: see {}, attached.", text::listed(&names));
    Ok(Response { files, ..Response::of(vec![where_it_is]) })
}
