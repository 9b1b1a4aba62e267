//! What is asked: where games stand, old reports, what orders would do. Nothing changes by it.

use jiff::Timestamp;

use super::Asking;
use super::answers::MOST_ATTACHED;
use crate::HostError;
use crate::books::ledger::{MailsOfSeat, mails_of};
use crate::clock::DAY;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::frame::ToSeat;
use crate::mails::invitation::played_by;
use crate::mails::mailroom::Clerk;
use crate::response::{Responded, Response, done, wrong, wrong_at};
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::{Attachment, Kind};
use musterd_desk::order_mail::OrderMail;
use musterd_desk::past::{PastTurn, past_turn};
use musterd_dice::{Assurance, GameId, Seat};
use musterd_engine::briefing::{Briefing, Fact, Section};
use musterd_engine::journal::{Cause, Entry, Player};
use musterd_report::letters::{Deadline, Message};
use musterd_report::text::listed;
use musterd_report::{statistics, text};

impl Asking<'_, '_> {
    /// Where the game of a mail stands, and the sender's other games: the secret shows who asks.
    pub(super) fn status_of_player(&mut self) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let mut tables = vec![self.at.games.standing(mail.game, Some(seat))?];
        // The secret proves this seat's own addresses and no other that the mail claims to be from.
        let own = self.campaign().addresses_of(seat).to_vec();
        let is_own = |from: &&String| own.iter().any(|own| own.eq_ignore_ascii_case(from));
        let proved: Vec<String> = mail.letter.author.iter().filter(is_own).cloned().collect();
        for game in self.current() {
            if game == *mail.game || !self.at.games.plays_there(&game, &proved) {
                continue;
            }
            let campaign = self.at.games.campaign(&game)?;
            let theirs: Vec<Seat> = proved.iter().flat_map(|from| campaign.seats_of(from)).collect();
            for seat in theirs {
                tables.push(self.at.games.standing(&game, Some(&seat))?);
            }
        }
        Ok(Response { tables, ..Response::default() })
    }

    /// The newest dispatch again, in a mail that can be answered with orders; or an older one, as a file.
    pub(super) fn report_again(&mut self, turn: Option<&str>) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let campaign = self.campaign();
        let is_newest = (campaign.window().is_some() || campaign.results().is_some())
            && match (turn, campaign.last()) {
                (None, _) => true,
                (Some(turn), Some(last)) => last.t.to_string() == turn || last.name.as_str() == turn,
                (Some(_), None) => false,
            };
        if is_newest {
            let n = mail.number();
            let t = campaign.next_t();
            if !self.sends(seat, (t, Kind::Dispatch, n))? {
                let bound = self.bind_reports([seat])?;
                if bound.is_empty() {
                    return wrong("Nothing has been reported yet: the game has not begun.");
                }
                let audit = self.audit_so_far()?;
                self.mail_with(audit.as_ref(), |clerk| clerk.dispatch_again(bound, n))?;
            }
            return done("Your last dispatch comes again in a mail of its own.");
        }
        let waiting = campaign.draft().map(|draft| draft.t);
        let entries = self.books.entries(&self.game)?;
        let released = released(&entries, waiting);
        let last = released.iter().rev().find_map(|entry| match &entry.cause {
            Cause::Adjudicated { t, .. } => Some(t.to_string()),
            _ => None,
        });
        let Some(turn) = turn.map(str::to_owned).or(last) else {
            return wrong("Nothing has been reported yet: the game has not begun.");
        };
        let past = past_turn(released, &turn);
        let message = match past {
            Some(PastTurn { t, upto, void }) => {
                let past = self.fold_past(&self.game, &released[..upto])?;
                self.about_past(&past, |clerk| clerk.report(seat, void.then_some(t)))?
            }
            None => None,
        };
        let Some(message) = message else {
            return wrong_at(
                turn.as_str(),
                format!(
                    "There is no dispatch about `{turn}`: name a turn by its number, as in REPORT 3, or by its name."
                ),
            );
        };
        let name = format!("report-{turn}.txt");
        match past {
            Some(PastTurn { t, void: true, .. }) => {
                as_file(&format!("Turn {t} was rolled back. Your dispatch of then"), name, message)
            }
            _ => as_file("Your dispatch", name, message),
        }
    }

    /// The course of the game as the seat knows it.
    pub(super) fn history_of(&mut self) -> Responded {
        let seat = self.seat;
        let message = match self.campaign().draft().map(|draft| draft.t) {
            // What the GM has not released yet is nobody's history.
            Some(waiting) => {
                let entries = self.books.entries(&self.game)?;
                let past = self.fold_past(&self.game, released(&entries, Some(waiting)));
                let past = past?;
                self.about_past(&past, |clerk| clerk.history(seat))?
            }
            None => self.about(|clerk| clerk.history(seat))?,
        };
        as_file("The history of the game, as you know it,", "history.txt".to_owned(), message)
    }

    /// How the dice have treated a seat: its own rolls while the game runs, and all there is to say of the dice once it is over.
    pub(super) fn luck_of(&mut self) -> Responded {
        let seat = self.seat;
        let campaign = self.campaign();
        let public = Some(campaign.revealed()).filter(|upto| *upto > 0 && campaign.results().is_none());
        let mut sections = match campaign.draft().map(|draft| draft.t) {
            // What the GM has not released yet was nobody's luck.
            Some(waiting) => {
                let entries = self.books.entries(&self.game)?;
                let past = self.fold_past(&self.game, released(&entries, Some(waiting)));
                told_of_dice(&past?, seat)
            }
            None => told_of_dice(campaign, seat),
        };
        if let Some(upto) = public {
            let entries = self.books.entries(&self.game)?;
            let is_hidden = |entry: &Entry| matches!(entry.cause, Cause::Closed { t, .. } if t > upto);
            let end = entries.iter().position(is_hidden).unwrap_or(entries.len());
            let past = self.fold_past(&self.game, &entries[..end])?;
            sections.push(Section::chapter(format!("What is revealed: all up to t {upto}")));
            sections.extend(statistics::sections(&past.statistics()));
        }
        let page = text::sections(&Briefing { sections, ..Briefing::default() });
        Ok(Response { page, ..Response::default() })
    }

    /// What the seat's orders would do: the receipt once more. It is computed from what the seat knows, odds and all. Playing the
    /// turn ahead would need what is hidden from the seat, and its outcome would tell.
    pub(super) fn preview(&mut self) -> Responded {
        let (mail, seat) = (self.incoming, self.seat);
        let campaign = self.campaign();
        if !mail.sets_orders_aside() && mail.judge(campaign).is_ok() {
            return done(
                "The orders in this mail count, and their receipt says what they will do. Send others to replace them, or WITHDRAW ORDERS.",
            );
        }
        let n = mail.number();
        let accepted = campaign.window().and_then(|window| Some((window.t, window.accepted.get(seat)?)));
        let Some((t, block)) = accepted.map(|(t, orders)| (t, orders.block.clone())) else {
            return wrong(
                "There are no orders of yours for the open turn: send some, and their receipt says what they will do.",
            );
        };
        if !self.sends(seat, (t, Kind::Receipt, n))? {
            let told = self.bind_receipt(seat)?;
            self.mail(|clerk| {
                let reply = OrderMail::bare(block);
                let Some((message, _)) = clerk.receipt_text(seat, &reply, (None, None), told) else {
                    return Ok(());
                };
                let Some(head) = clerk.campaign.open_head() else { return Ok(()) };
                let receipt = ToSeat::new(t, Kind::Receipt, n, message).showing(head);
                clerk.mail_seat(seat, ToSeat { stale_after: Some(clerk.now + 2 * DAY), ..receipt })
            })?;
        }
        done(
            "The receipt for your orders comes again in a mail of its own: what each order will do and its odds, as far as your seat can \
             know them.",
        )
    }
}

impl Sitting<'_> {
    /// Whether the step sends this mail already: two commands may ask for the same.
    fn sends(&mut self, seat: &Seat, (t, kind, n): (u32, Kind, u64)) -> Result<bool, HostError> {
        let (id, _) = self.about(|clerk| clerk.id(t, seat, kind, n))??;
        Ok(self.step.packets.iter().any(|packet| packet.id == id))
    }

    /// Lets `write` write about a campaign as it was.
    fn about_past<T>(
        &mut self,
        past: &Campaign,
        write: impl FnOnce(&Clerk<'_>) -> T,
    ) -> Result<T, HostError> {
        self.about(|clerk| write(&clerk.of_past(past)))
    }
}

impl Games {
    /// Where a game stands, for anybody.
    pub(super) fn status_for_all(&mut self, game: &GameId) -> Responded {
        let tables = vec![self.standing(game, None)?];
        Ok(Response { tables, ..Response::default() })
    }

    fn standing(&mut self, game: &GameId, seat: Option<&Seat>) -> Result<(String, Vec<Fact>), HostError> {
        let mails = match seat {
            Some(seat) => Some(mails_of(&self.books.ledger(Some(game))?, seat)),
            None => None,
        };
        self.about(game, |clerk| clerk.standing(seat, mails))
    }

    /// Whether one of these addresses plays in a game. A game that can't be opened is nobody's trouble here.
    pub(crate) fn plays_there(&mut self, game: &GameId, from: &[String]) -> bool {
        self.card(game).is_ok_and(|card| from.iter().any(|from| card.addresses.contains(from)))
    }

    /// The games with free seats.
    pub(super) fn list(&mut self) -> Responded {
        let mut facts = Vec::new();
        let mut example = None;
        for game in self.current() {
            let card = match self.card(&game) {
                Ok(card) => card,
                Err(error) if error.is_of_one_game() => continue,
                Err(error) => return Err(error.into()),
            };
            let (Some(waits_for), false) = (&card.waits_for, card.free.is_empty()) else { continue };
            let free: Vec<String> = card.free.iter().map(Seat::to_string).collect();
            example = example.or(card.free.first().map(|seat| format!("JOIN {game} {seat}")));
            let mut text = format!("{}. It waits for: {waits_for}. Free: {}.", card.title, listed(&free));
            if card.shows_battle {
                text.push_str(&format!(" HELP BATTLE {game} shows its armies and its field."));
            }
            facts.push(Fact::of(game.to_string(), text));
        }
        let Some(example) = example else {
            return done(
                "No game has a free seat now. STANDBY and a game's name puts you on the list of those who are asked when one falls free.",
            );
        };
        let paragraphs = vec![format!("Games with free seats; {example}, for one, takes a seat.")];
        let tables = vec![("Games".to_owned(), facts)];
        Ok(Response { tables, ..Response::of(paragraphs) })
    }
}

/// The entries up to the adjudication whose dispatches wait for the GM, if one does.
fn released(entries: &[Entry], waiting: Option<u32>) -> &[Entry] {
    let is_close = |entry: &Entry| matches!(entry.cause, Cause::Closed { t, .. } if Some(t) == waiting);
    let end = entries.iter().position(is_close).unwrap_or(entries.len());
    entries.get(..end).unwrap_or(entries)
}

/// What a seat may know of the dice: all of them once the game is over, before that how its own fell.
fn told_of_dice(campaign: &Campaign, seat: &Seat) -> Vec<Section> {
    if campaign.results().is_some() {
        return statistics::sections(&campaign.statistics());
    }
    vec![campaign.own_luck(seat)]
}

fn as_file(what: &str, name: String, message: Message) -> Responded {
    let paragraphs = vec![format!("{what} is attached: {name}.")];
    let file = Attachment::text(name, newest_of(message.body));
    Ok(Response { files: vec![file], ..Response::of(paragraphs) })
}

/// As much of a text as one answer brings along: of a longer one its end, which tells of the newest things.
fn newest_of(text: String) -> String {
    const LEFT_OUT: &str = "[ This was too long for a mail: its beginning is left out. ]\n\n";
    if text.len() <= MOST_ATTACHED {
        return text;
    }
    let end = &text[text.ceil_char_boundary(text.len() + LEFT_OUT.len() - MOST_ATTACHED)..];
    let end = end.split_once('\n').map_or(end, |(_, end)| end);
    format!("{LEFT_OUT}{end}")
}

impl Clerk<'_> {
    /// Where a game stands: what everybody may know; for the player of a seat, also who owes orders, and their own mails.
    fn standing(&self, seat: Option<&Seat>, mails: Option<MailsOfSeat>) -> (String, Vec<Fact>) {
        let campaign = self.campaign;
        let mut facts = vec![match campaign.window() {
            Some(window) => Fact::of("Waits for", format!("{} (turn {})", campaign.waits_for(), window.t)),
            None => Fact::of("Stands", campaign.waits_for()),
        }];
        facts.extend(
            campaign.results().unwrap_or_default().iter().map(|line| Fact::of("Result", line.clone())),
        );
        if let Some(window) = campaign.window() {
            let text = window.deadline.map_or_else(
                || "there is no deadline".to_owned(),
                |at| {
                    let at = calendar::zoned(at, campaign.zone(seat, &self.zone));
                    let now = Timestamp::from_second(self.now).unwrap_or_default();
                    let deadline = Deadline::new(&at, now);
                    let left = if deadline.left.is_empty() { "passed" } else { &deadline.left };
                    format!("{} ({left})", deadline.long)
                },
            );
            facts.push(Fact::of("Until", text));
        }
        facts.extend(campaign.runs_at().map(|at| {
            let at = self.time(seat, at);
            Fact::of("All ready", format!("the turn runs on {at}, unless a mail stops it"))
        }));
        facts.extend(campaign.last().map(|last| {
            let Assurance { level, salted } = &last.assurance;
            let salted: Vec<String> = salted.iter().map(Seat::to_string).collect();
            let whose = if salted.is_empty() { "nobody".to_owned() } else { listed(&salted) };
            Fact::of("Dice", format!("of turn {}: level {level}, salted by {whose}", last.t))
        }));
        if let Some(seat) = seat.filter(|_| campaign.life().hours.draw_proposed) {
            let agrees = campaign.life().hours.draws.contains(seat);
            let text = if agrees { "proposed; you agree" } else { "proposed; DRAW agrees" };
            facts.push(Fact::of("Draw", text));
        }
        if campaign.life().paused.is_some() {
            facts.push(Fact::of("Paused", "the game stands still until the GM lets it go on".to_owned()));
        }
        for (other, player) in &campaign.charter().players {
            let who = if Some(other) == seat { "you" } else { played_by(player) };
            let owed = seat
                .and_then(|_| campaign.owed(other))
                .map(|owed| format!(": {}", campaign.owed_in_words(owed)));
            let is_done = Some(other) == seat && campaign.is_ready(other);
            let done = if is_done { ", and you are done" } else { "" };
            facts.push(Fact::of(other.as_str(), format!("{who}{}{done}", owed.unwrap_or_default())));
        }
        if let Some((seat, mails)) = seat.zip(mails) {
            let received = campaign.life().received.get(seat).copied().unwrap_or_default();
            facts.push(Fact::of("Mails to you", mails.in_words()));
            facts.push(Fact::of(
                "Orders from you",
                format!("{} accepted, {} refused", received.accepted, received.refused),
            ));
            if let Some(Player::Mail { .. }) = campaign.charter().players.get(seat) {
                facts.push(Fact::of("Your addresses", campaign.addresses_in_words(seat)));
            }
            if let Some(absence) =
                campaign.life().absences.get(seat).filter(|absence| self.now < absence.until)
            {
                let until = self.time(Some(seat), absence.until);
                facts.push(Fact::of("Away", format!("until {until}")));
            }
        }
        (format!("{}: {}", campaign.charter().game, campaign.game().title()), facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_history_too_long_for_a_mail_the_newest_comes() {
        let long: String = (0..20_000).map(|turn| format!("Turn {turn} ran.\n")).collect();
        let cut = newest_of(long);
        assert!(cut.len() <= MOST_ATTACHED && cut.len() > MOST_ATTACHED - 100, "{}", cut.len());
        assert!(cut.starts_with("[ This was too long") && cut.ends_with("\nTurn 19999 ran.\n"));
        assert_eq!(newest_of("Turn 1 ran.\n".to_owned()), "Turn 1 ran.\n");
    }
}
