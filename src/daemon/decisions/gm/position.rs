//! The GM's commands about the position: amendments, drafts, turns that run again, turns taken back. What would change is found
//! out on a copy of the game.

use std::collections::BTreeMap;

use super::GmOrder;
use super::diff::changes;
use super::lines::{LINES, lost_lines, numbered_lines};
use super::overview::{overview, overview_told};
use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::games::shelf::Mark;
use crate::mails::mailroom::Clerk;
use crate::packet_id::PacketId;
use crate::response::{About, Early, Responded, Response, done, undone, undone_at, wrong};
use musterd_desk::correction::NoRerun;
use musterd_desk::mail::{Attachment, Kind};
use musterd_desk::reveal::revealed;
use musterd_dice::{GameId, Seat};
use musterd_engine::journal::{Cause, Change};
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::terms::Reveal;
use musterd_report::text;

/// How many lines of what would change are told of one seat's dispatch.
const MOST_LINES: usize = 60;

/// How many changes of one amendment are tried out alone.
const MOST_PARTS: usize = 6;

/// Everybody's dispatch, by seat.
type Reports = BTreeMap<Seat, String>;

impl GmOrder<'_, '_> {
    /// `AMEND`: a change of the position.
    pub(super) fn amend(&mut self, turn: &str, text: &str) -> Responded {
        self.turn_meant(turn)?;
        self.not_while_closed()?;
        let cause = self.amendment(text)?;
        let (before, after) = self.foreseen_with(&cause)?;
        if !self.confirmed {
            let mut told = vec![
                "This would change in the dispatches (`-` what they say now, `+` what they would say):"
                    .to_owned(),
            ];
            told.extend(differences(&before, &after));
            told.extend(self.unseen(text, &before, &after)?);
            return self.ask(told);
        }
        self.play(cause)?;
        let told = self.send_changed(&before, &after)?;
        self.mind_changed_contact()?;
        let mut told = vec![format!("The position is amended: {text}. {told}")];
        told.extend(lost_lines(self.campaign()));
        Ok(Response::of(told))
    }

    /// `DRAFT turn`: the dispatches that wait.
    pub(super) fn show_draft(&mut self, turn: &str) -> Responded {
        let t = self.turn_meant(turn)?;
        if self.campaign().draft().is_none() {
            return wrong(format!(
                "Turn {t} has not run yet, and no dispatches wait. DRAFT {t} WITH AMEND shows what an amendment would change."
            ));
        }
        let files = self.at.games.dispatches_foreseen(&self.at.game)?;
        let mut told = vec![format!(
            "The dispatches of turn {t} as they would go out now, as text and as the page that goes with it. {LINES} numbers the lines that STRIKE, REWORD and ADD change."
        )];
        told.extend(lost_lines(self.campaign()));
        told.extend(overview_told(&files));
        Ok(Response { files, ..Response::of(told) })
    }

    /// `DRAFT turn WITH AMEND`: what an amendment would change.
    pub(super) fn show_amended(&mut self, turn: &str, text: &str) -> Responded {
        self.turn_meant(turn)?;
        self.not_while_closed()?;
        let cause = self.amendment(text)?;
        let (before, after) = self.foreseen_with(&cause)?;
        let mut told = vec!["This would change in the dispatches; nothing was done:".to_owned()];
        told.extend(differences(&before, &after));
        told.extend(self.unseen(text, &before, &after)?);
        Ok(Response::of(told))
    }

    /// `ROLLBACK turn`: this turn and all after it are void.
    pub(super) fn roll_back(&mut self, turn: &str) -> Responded {
        self.not_while_closed()?;
        let campaign = self.campaign();
        let named =
            campaign.ran().iter().rev().find(|(t, name)| turn == t.to_string() || turn == name.as_str());
        let back = named.map(|(t, _)| *t);
        let cause = back.and_then(|back| campaign.rolling_back(back, self.because));
        let (Some(back), Some(cause)) = (back, cause) else {
            let ran: Vec<String> = campaign
                .ran()
                .iter()
                .filter(|(t, _)| **t > 1)
                .map(|(t, name)| format!("{t} ({name})"))
                .collect();
            let ran = if ran.is_empty() { "none yet".to_owned() } else { ran.join(", ") };
            return undone_at(
                turn,
                format!(
                    "No turn {turn} can be rolled back. The turns that ran and count, after the founding: {ran}."
                ),
            );
        };
        let void: Vec<String> =
            campaign.ran().range(back..).map(|(t, name)| format!("{t} ({name})")).collect();
        let void = void.join(", ");
        if !self.confirmed {
            let entries = self.entries()?;
            let revealed = revealed(&entries).min(self.campaign().next_t().saturating_sub(1));
            let known = (revealed >= back).then(|| {
                format!(
                    "Turns up to {revealed} are revealed: everybody can know where all forces stood then, and will know it when they are played \
                     again."
                )
            });
            let would = [
                format!(
                    "These turns would become void: {void}. So would amendments of the position made since turn {back} ran."
                ),
                format!(
                    "Play would go on from the position before turn {back}, as a new turn with dice of its own; all are told, and asked for \
                     orders anew. The void turns stay in the log."
                ),
            ];
            return self.ask(would.into_iter().chain(known).collect());
        }
        if self.campaign().is_archived() {
            let mark = self.at.games.archive_mark(&self.at.game, Mark::TakenOut)?;
            self.step.seen.push(mark);
        }
        let entries = self.step.entries.len();
        self.play(cause)?;
        // Dispatches and reminders; a dispatch bears the number of the turn that it asks orders for.
        let is_void = |id: PacketId<'_>, _: &str| {
            let is_of_turn =
                [Kind::Dispatch, Kind::Reminder].iter().any(|kind| id.kind() == Some(kind.as_str()));
            is_of_turn && id.t().is_some_and(|t| t > back)
        };
        let reason = format!("rolled back to before {back}");
        let withdrawn = match self.take_back(&reason, is_void)?.len() {
            0 => String::new(),
            1 => " A mail about them that had not left was taken back.".to_owned(),
            n => format!(" {n} mails about them that had not left were taken back."),
        };
        self.go_on()?;
        self.tell_witnesses(entries)?;
        let campaign = self.campaign();
        let (t, title) = (campaign.next_t(), campaign.wait_title());
        done(format!("Void: {void}. Open now: turn {t}, {title}. All were told.{withdrawn}"))
    }

    /// `RERUN turn`: the last turn again from an amended position, with the same orders and dice.
    pub(super) fn rerun(&mut self, turn: &str, text: &str) -> Responded {
        self.not_while_closed()?;
        let campaign = self.campaign();
        let last = campaign.last().map(|last| (last.t, last.name.to_string()));
        let Some((t, _)) = last.clone().filter(|(t, name)| turn == t.to_string() || turn == name) else {
            let last = last.map_or_else(|| "none yet".to_owned(), |(t, name)| format!("{t} ({name})"));
            return undone_at(
                turn,
                format!(
                    "Only the turn that ran last can run again: {last}. ROLLBACK takes back earlier ones."
                ),
            );
        };
        let cause = match self.at.games.rerunning(&self.at.game, text, self.because)? {
            Ok(cause) => cause,
            Err(NoRerun::Remark(remark)) => return refused(text, &remark),
            Err(why) => {
                return undone(format!("Turn {t} can't run again: {why}."));
            }
        };
        let (before, after) = self.foreseen_with(&cause)?;
        if !self.confirmed {
            let mut told = vec![format!(
                "Turn {t} would run again with the same orders and the same dice, from the position before it amended so: {text}. Amendments \
                 made since it ran would be void. This would change in the dispatches (`-` what they say now, `+` what they would say):"
            )];
            told.extend(differences(&before, &after));
            return self.ask(told);
        }
        let entries = self.step.entries.len();
        self.play(cause)?;
        self.tell_witnesses(entries)?;
        if self.campaign().draft().is_some() {
            self.draft()?;
            return done(format!(
                "Turn {t} has run again. Its new dispatches come to you in a mail; they wait as before."
            ));
        }
        let told = self.send_changed(&before, &after)?;
        self.mind_changed_contact()?;
        done(format!("Turn {t} has run again with the same orders and dice. {told}"))
    }

    /// `REROLL label`: everybody is asked whether a roll of the last turn may be thrown again.
    pub(super) fn ask_reroll(&mut self, label: &str) -> Responded {
        let entries = self.entries()?;
        let label = match self.campaign().rollable(&entries, label) {
            Ok(label) => label,
            Err(why) => {
                return undone_at(label, format!("This roll can't be thrown again: {why}."));
            }
        };
        if !self.confirmed {
            return self.ask(vec![format!(
                "Every player would be told this label, which may tell more than its side knows, and asked to consent to throw {label} again. \
                 Nothing else would happen before all have: then the open turn's orders are void, and the turn that ran last comes to what \
                 it comes to with the new dice."
            )]);
        }
        self.settle(Change::RerollAsked { label: label.clone() }, format!("reroll {label} asked"))?;
        let paragraphs = [
            format!("The GM proposes to throw one roll of the last turn again{}", self.told()),
            "If you consent, answer this mail with the line below, and a few words of your own behind it, which enter the dice. If you \
             don't, do nothing. It is thrown when everybody has consented: then the turn is told of anew, with all its other dice as they \
             fell, and orders sent since are void. When the open turn runs first, the roll stays as it was."
                .to_owned(),
            format!("CONSENT {label}"),
        ];
        let people = self.tell_all("a roll may be thrown again", &paragraphs)?;
        done(format!("{people} players are asked to consent. It is thrown once all have."))
    }

    fn amendment(&mut self, text: &str) -> Result<Cause, Early> {
        let secrets = self.chain()?;
        let campaign = self.campaign();
        let cause = campaign
            .amending(&secrets, text, self.because)
            .map_err(|e| HostError::campaign(&self.game, e))?;
        cause.or_else(|remark| refused(text, &remark))
    }

    /// What parts of an amendment do that change no dispatch now, such as a ruling for the round to come: in the words of `HELP AMEND`.
    fn unseen(&mut self, text: &str, before: &Reports, after: &Reports) -> Result<Vec<String>, Early> {
        let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
        if parts.len() > MOST_PARTS {
            return Ok(Vec::new());
        }
        let mut told = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let mut others = parts.clone();
            others.remove(place);
            let is_seen = match others.as_slice() {
                [] => !changed(before, after).is_empty(),
                others => {
                    let secrets = self.chain()?;
                    let cause = self.campaign().amending(&secrets, &others.join("; "), self.because);
                    // Where the others need it, it is seen with them.
                    let Ok(cause) = cause.map_err(|e| HostError::campaign(&self.game, e))? else { continue };
                    let without = self.at.games.foreseen(&self.at.game, Some(cause))?;
                    !changed(&without, after).is_empty()
                }
            };
            if !is_seen {
                let does = in_words_of_help(part, &self.campaign().game().amendments());
                told.push(format!("{part} changes no dispatch now; it counts when the turn runs.{does}"));
            }
        }
        Ok(told)
    }

    /// Everybody's dispatch as it would be now, and as it would be after `cause`.
    fn foreseen_with(&mut self, cause: &Cause) -> Result<(Reports, Reports), HostError> {
        let Sitting { games, game, .. } = &mut *self.at;
        Ok((games.foreseen(game, None)?, games.foreseen(game, Some(cause.clone()))?))
    }

    /// Sends a new dispatch to each seat for which it says something else now; none while the dispatches wait anyway.
    fn send_changed(&mut self, before: &Reports, after: &Reports) -> Result<String, HostError> {
        let changed = changed(before, after);
        if self.campaign().draft().is_some() {
            return Ok("The dispatches that wait will say so to those who can know it.".to_owned());
        }
        let terms = &self.campaign().charter().terms;
        // Where players are shown the log while the game runs, whose report is bound would tell who could see the change: there everybody's is. Where
        // they aren't, one that is bound and not sent would be missed by its number, and tell of a change that a seat can't see.
        let is_log_shown = terms.reveal != Reveal::End || terms.proofs;
        let mut bound = if is_log_shown {
            self.bind_reports(after.keys())?
        } else {
            self.bind_reports(changed.iter().copied())?
        };
        bound.retain(|report| changed.contains(&report.seat()));
        let audit = self.audit_so_far()?;
        self.mail_with(audit.as_ref(), |clerk| {
            let n = clerk.campaign.entries();
            // A number would count for those who are told what the others have sent.
            clerk.dispatch_again(bound, n)
        })?;
        let seats: Vec<&str> = changed.iter().map(|seat| seat.as_str()).collect();
        Ok(match seats.as_slice() {
            [] => "Nobody can know it, so nobody was told.".to_owned(),
            seats => format!("A new dispatch goes to those who can know it: {}.", seats.join(", ")),
        })
    }
}

impl Games {
    /// Everybody's dispatch as it would be after `cause`, with the next window open.
    fn foreseen(&mut self, game: &GameId, cause: Option<Cause>) -> Result<Reports, HostError> {
        self.imagined(game, cause, |clerk, seat| {
            let message = clerk.report(seat, None)?;
            Some((seat.clone(), format!("Subject: {}\n\n{}", message.subject, message.body)))
        })
    }

    /// What `told` makes of each seat's dispatch as it would be after `cause`, with the next window open.
    fn imagined<T, C: FromIterator<T>>(
        &mut self,
        game: &GameId,
        cause: Option<Cause>,
        told: impl Fn(&Clerk<'_>, &Seat) -> Option<T>,
    ) -> Result<C, HostError> {
        self.imagine(game, |games| {
            let mut batch = Batch::default();
            let mut at = Sitting::begin(games, game, &mut batch)?;
            cause.map_or(Ok(()), |cause| at.play(cause))?;
            if at.campaign().draft().is_some() {
                at.open_window()?;
            }
            at.about(|clerk| {
                clerk.campaign.charter().players.keys().filter_map(|seat| told(clerk, seat)).collect()
            })
        })
    }

    /// The dispatches that wait, as files, as their readers will see them.
    pub(super) fn dispatches_foreseen(&mut self, game: &GameId) -> Result<Vec<Attachment>, HostError> {
        let files = self.imagined(game, None, |clerk, seat| Some(clerk.report_files(seat)));
        let mut files = files.map(|files: Vec<Vec<Attachment>>| files.concat())?;
        files.extend(numbered_lines(self.campaign(game)?));
        files.extend(self.campaign(game)?.game().overview().iter().map(overview));
        // The first mail has all that can be read without a browser.
        files.sort_by_key(|file| !file.mime.starts_with("text/plain"));
        Ok(files)
    }
}

/// That the rules refuse an amendment.
fn refused<T>(text: &str, remark: &Remark) -> Result<T, Early> {
    let closed = |words: &String| {
        let stop = if words.ends_with(['.', '?', '!']) { "" } else { "." };
        format!("{}{stop}", text::sentence(words))
    };
    let told: Vec<String> = std::iter::once(&remark.text).chain(&remark.hint).map(closed).collect();
    let response = Response::wrong(format!("{} Nothing was done.", told.join(" ")));
    let about = remark.span.map(|span| Box::new(About::Within(text.to_owned(), span)));
    Err(Early::With(Response { about, ..response }))
}

/// How `HELP AMEND` describes a change: the use whose example has most words of it.
fn in_words_of_help(part: &str, uses: &[OrderUse]) -> String {
    let alike = |line: &str| {
        let (mut words, mut wanted) = (part.split_whitespace(), line.split_whitespace());
        match (words.next(), wanted.next()) {
            (Some(verb), Some(known)) if verb.eq_ignore_ascii_case(known) => {
                1 + words
                    .filter(|word| line.split_whitespace().any(|known| known.eq_ignore_ascii_case(word)))
                    .count()
            }
            _ => 0,
        }
    };
    let best = |one: &OrderUse| one.lines.iter().map(|line| alike(line)).max().unwrap_or(0);
    let found = uses.iter().max_by_key(|one| best(one)).filter(|one| best(one) > 0);
    found.map_or_else(String::new, |one| {
        format!(" HELP AMEND says of {}: {}.", one.lines.join(", "), one.does)
    })
}

/// The seats whose dispatches differ.
fn changed<'a>(before: &Reports, after: &'a Reports) -> Vec<&'a Seat> {
    let differs = |(seat, text): &(&'a Seat, &String)| {
        let old = before.get(*seat).map_or("", String::as_str);
        !changes(old, text).is_empty()
    };
    after.iter().filter(differs).map(|(seat, _)| seat).collect()
}

/// What differs, a paragraph for each seat.
fn differences(before: &Reports, after: &Reports) -> Vec<String> {
    let seat = |(seat, text): (&Seat, &String)| {
        let mut lines = changes(before.get(seat).map_or("", String::as_str), text);
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        lines.extend((more > 0).then(|| format!("... and {more} lines more")));
        match lines.as_slice() {
            [] => format!("{seat}: nothing"),
            lines => format!("{seat}:\n{}", lines.join("\n")),
        }
    };
    after.iter().map(seat).collect()
}
