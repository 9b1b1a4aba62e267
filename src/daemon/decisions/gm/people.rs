//! The GM's commands about people: who plays, what they are told, and where they all stand.

use std::collections::BTreeSet;

use super::GmOrder;
use super::overview::{overview, overview_told};
use super::watchers::watchers_in_words;
use crate::decisions::time::seats::Parting;
use crate::decisions::time::seats::player;
use crate::games::attendance;
use crate::mails::notices::{PlayerNotice, names};
use crate::response::{Early, Responded, Response, done, undone, undone_at};
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::press;
use musterd_dice::{Digest, Seat};
use musterd_engine::Awaiting;
use musterd_engine::journal::{Author, Change, GmRole, Player};

/// That the game has no such seat, and which it has.
pub(super) fn no_seat<T>(campaign: &Campaign, seat: &Seat) -> Result<T, Early> {
    let seats: Vec<&str> = campaign.charter().players.keys().map(Seat::as_str).collect();
    let seats = seats.join(", ");
    undone_at(seat.as_str(), format!("The game has no seat {seat}: there are {seats}."))
}

/// What the GM is asked to confirm before somebody else plays a seat.
fn before_replacing(
    (seat, title): (&Seat, &str),
    (was, is): (&str, &str),
    new: &Player,
    is_barred: bool,
) -> Vec<String> {
    let then = match new {
        Player::Mail { .. } => "The new player gets a welcome with a new secret, and the current dispatch.",
        Player::Computer { .. } => "The computer orders at once if no orders are here, and from then on.",
        Player::Open => {
            "The seat is free until you give it to somebody or somebody takes it with JOIN: those who wait for one are asked. What happens to its orders the terms say."
        }
    };
    let mut told = vec![
        format!("{seat} ({title}) is played by {was}; from now on it would be {is}."),
        format!(
            "{then} The former secret is void; orders that are here for the open turn stand. All are told."
        ),
    ];
    told.extend(is_barred.then(|| {
        format!(
            "{was} could take no seat of this game, nor wait for one nor watch, until you give them one with REPLACE or ADMIT them. \
             REPLACE {seat} open frees the seat without that."
        )
    }));
    told
}

impl GmOrder<'_, '_> {
    /// `REPLACE` and `EJECT`: somebody else plays a seat, or nobody.
    pub(super) fn replace_player(&mut self, seat: &Seat, who: &str, parting: Parting) -> Responded {
        let campaign = self.campaign();
        if campaign.results().is_some() {
            return undone("The game is over.");
        }
        let Some(before) = campaign.charter().players.get(seat).cloned() else {
            return no_seat(campaign, seat);
        };
        let after = match player(who, &campaign.game().levels()) {
            Ok(after) => after,
            Err(why) => return undone_at(who, format!("{why}.")),
        };
        // Its own mail is never answered, so that nobody there could play.
        if let Some(own) = after.addresses().iter().find(|address| self.is_own(address)) {
            return undone_at(who, format!("{own} is this host's own address: write the person's."));
        }
        let campaign = self.campaign();
        let (was, is) = (in_words(&before), in_words(&after));
        let barred = match parting {
            Parting::Barred => before.addresses().to_vec(),
            Parting::Free => Vec::new(),
        };
        if before == after {
            return undone_at(seat.as_str(), format!("{seat} is played by {is} already."));
        }
        let title = campaign.title_of(seat);
        if !self.confirmed {
            let told = before_replacing((seat, &title), (&was, &is), &after, !barred.is_empty());
            return self.ask(told);
        }
        let what = match after {
            Player::Mail { .. } => format!("{seat} has another player"),
            Player::Computer { .. } => format!("{seat} is played by the computer"),
            Player::Open => format!("{seat} is free"),
        };
        let told = self.told();
        let text = self.logged(what);
        let deadline = self.give_seat(seat, &after, Author::Gm, &text)?;
        if !barred.is_empty() {
            let change = Change::Barred { addresses: barred.clone(), barred: true };
            self.settle(change, format!("the former player of {seat} is barred"))?;
        }
        if after == Player::Open {
            self.ask_standby(seat)?;
        }
        let former = before.addresses().first().cloned();
        self.mail(|clerk| {
            let now = match after {
                Player::Mail { .. } => "has another player",
                Player::Computer { .. } => "is played by the computer from now on",
                Player::Open => "is played by nobody for the time being",
            };
            clerk.tell_others(Some(seat), |clerk, other| {
                let told = format!("By the GM's decision {title} {now}{told}");
                clerk.another_player(other, "another player", told, deadline)
            })?;
            former.map_or(Ok(()), |former| clerk.farewell(seat, former, parting))
        })?;
        let mut told = format!("{seat} was played by {was}; it is now {is}. All were told.");
        if let Some(at) = deadline {
            let at = self.about(|clerk| clerk.time(None, at))?;
            told.push_str(&format!(" The new player gets some time: the deadline is now {at}."));
        }
        done(told)
    }

    /// Somebody who was ejected may come back.
    pub(super) fn admit_again(&mut self, address: &str) -> Responded {
        let game = self.game.clone();
        let change = Change::Barred { addresses: vec![address.to_owned()], barred: false };
        self.settle(change, "somebody who was barred is admitted")?;
        let because = self.told();
        self.mail(|clerk| {
            let paragraphs = vec![format!(
                "The GM lets you take part in {game} again{} LIST tells whether a seat is free; STANDBY {game} and OBSERVE {game} are open \
                 to you as to everybody.",
                because
            )];
            let n = clerk.campaign.entries();
            clerk.tell_guest(address, "you are admitted again", paragraphs, n, Vec::new())
        })?;
        done(format!("{address} may take part in {game} again, and was told."))
    }

    /// `BROADCAST`: words to all, now.
    pub(super) fn broadcast(&mut self, words: &str) -> Responded {
        let text = format!("{}\n", words.trim_end());
        let what = format!("broadcast {}", Digest::of(text.as_bytes()));
        self.settle(Change::Broadcast { text }, what)?;
        let paragraphs = words.split("\n\n").map(str::trim).filter(|words| !words.is_empty());
        let paragraphs: Vec<String> =
            std::iter::once("The GM writes:").chain(paragraphs).map(str::to_owned).collect();
        let told = match self.tell_all("a word from the GM", &paragraphs)? {
            1 => "Your words went to one player.".to_owned(),
            n => format!("Your words went to {n} players."),
        };
        done(told)
    }

    /// `NARRATE`: words for the dispatch that goes out next.
    pub(super) fn narrate(&mut self, turn: &str, to: &[Seat], words: &str) -> Responded {
        let t = self.turn_meant(turn)?;
        let campaign = self.campaign();
        if let Some(unknown) = to.iter().find(|seat| !campaign.charter().players.contains_key(*seat)) {
            return no_seat(campaign, unknown);
        }
        let to = to.iter().cloned().collect();
        let who = names(campaign, &to).listed();
        let text = format!("{}\n", words.trim_end());
        // Whom it is for is nobody else's business, so the log doesn't say.
        let what = format!("narration {}", Digest::of(text.as_bytes()));
        self.settle(Change::Narrated { to, text }, what)?;
        let who = if who.is_empty() { "all".to_owned() } else { who };
        done(format!("Your words will stand at the head of the dispatches of turn {t}, for {who}."))
    }

    /// `PRESS`: a letter to some players.
    pub(super) fn write_to(&mut self, to: &[Seat], words: &str) -> Responded {
        let campaign = self.campaign();
        if let Some(unknown) = to.iter().find(|seat| !campaign.charter().players.contains_key(*seat)) {
            return no_seat(campaign, unknown);
        }
        let to: BTreeSet<Seat> = to.iter().cloned().collect();
        let is_person =
            |seat: &&Seat| matches!(campaign.charter().players.get(*seat), Some(Player::Mail { .. }));
        let nobody: BTreeSet<Seat> = to.iter().filter(|seat| !is_person(seat)).cloned().collect();
        if !nobody.is_empty() {
            return undone(format!("Nobody reads letters for {}.", names(campaign, &nobody).listed()));
        }
        let text = format!("{}\n", words.trim_end());
        if let Err(why) = press::fitting(&text) {
            return undone(format!("Your letter was not sent: {why}."));
        }
        let readers = names(campaign, &to).listed();
        self.settle(Change::FromGm { to: to.clone(), text }, "wrote to players")?;
        let first = match to.len() {
            1 => "The GM writes to you alone:".to_owned(),
            _ => format!("The GM writes to {readers}:"),
        };
        let letter = words.split("\n\n").map(str::trim).filter(|words| !words.is_empty()).map(str::to_owned);
        let answer =
            "To answer, write a line PRESS TO gm, your words below it, and a line END PRESS below them.";
        let paragraphs: Vec<String> =
            std::iter::once(first).chain(letter).chain([answer.to_owned()]).collect();
        self.mail(|clerk| {
            to.iter().try_for_each(|seat| {
                clerk.note(seat, PlayerNotice::new("a letter from the GM", paragraphs.clone()))
            })
        })?;
        done(format!("Your letter went to {readers}, and to nobody else."))
    }

    /// `STATUS`: where the game stands, with everything.
    pub(super) fn gm_status(&mut self) -> Responded {
        let status = self.at.games.status(&self.at.game)?;
        let now = self.now();
        let campaign = self.campaign();
        let life = campaign.life();
        let zone = campaign.zone(None, &self.config.zone);
        let time = |at: i64| calendar::zoned(at, zone).strftime("%a %-d %b %Y %H:%M %Z").to_string();
        let mut lines = vec![status.title.clone()];
        lines.push(match (&status.t, campaign.awaited(), campaign.draft()) {
            (Some(t), _, _) => format!("turn {t} is open: {}", status.waits_for),
            (_, Some(_), _) => format!("waits for {}", status.waits_for),
            (_, _, Some(draft)) => {
                let at = campaign.next_due(now).map(|at| format!("on {} at the latest", time(at)));
                let at = at.unwrap_or_else(|| "when you approve".to_owned());
                format!("turn {} ({}) has run; its dispatches go out {at}", draft.t, draft.name)
            }
            _ => status.results.join("; "),
        });
        if status.t.is_some() {
            lines.push(format!(
                "deadline: {} ({})",
                status.deadline.as_deref().unwrap_or("none"),
                status.policy
            ));
        }
        lines.extend(life.paused.map(|since| format!("paused since {}", time(since))));
        lines.extend(life.hours.held.then(|| "held back for missing orders".to_owned()));
        let missing = campaign.missing();
        lines
            .extend((!missing.is_empty()).then(|| format!("no orders yet from: {}", listed(missing.iter()))));
        let votes = campaign.votes();
        lines.extend(
            votes.iter().map(|(seat, until)| format!("{seat} asks for more time, until {}", time(*until))),
        );
        let waiting = life.narration.len();
        lines.extend((waiting > 0).then(|| format!("words of yours for the next dispatch: {waiting}")));
        let founding = matches!(campaign.game().awaiting(), Awaiting::Founding);
        let seats = status.seats.iter().map(|seat| {
            let orders = match (seat.orders.as_str(), founding) {
                ("none", true) => "not confirmed",
                (_, true) => "confirmed",
                ("ready", false) => "orders here, with READY",
                ("received", false) => "orders here, without READY",
                (_, false) => "no orders",
            };
            let mut line = format!("{}: {}; {orders}", seat.seat, seat.player);
            if let Some(absence) = life.absences.get(&seat.seat) {
                line.push_str(&format!("; away until {}", time(absence.until)));
            }
            if let Some(missed) = life.missed.get(&seat.seat) {
                line.push_str(&format!("; turns missed one after the other: {missed}"));
            }
            if let Some(turns) = seat.turns {
                line.push_str(&format!("\n  turns on this host: {}", attendance::in_words(turns)));
            }
            line.push_str(&format!(
                "\n  mails to them: {} sent, {} still to be sent, {} not delivered",
                seat.sent, seat.waiting, seat.failed
            ));
            line
        });
        let seats: Vec<String> = seats.collect();
        let standby = life.standby.iter().map(|person| match &person.seat {
            Some(seat) => format!("{} stands by, for {seat}", person.address),
            None => format!("{} stands by, for any seat", person.address),
        });
        let mut others: Vec<String> = standby.collect();
        others.extend(life.barred.iter().map(|person| format!("barred: {}", person.join(", "))));
        others.extend(watchers_in_words(life));
        others.push(format!("GM: {}", gms_in_words(campaign)));
        others.push(match campaign.ran().is_empty() {
            true => "no turn has run yet".to_owned(),
            false => format!("turns that count: {}", listed(campaign.ran().keys())),
        });
        let files: Vec<_> = campaign.game().overview().iter().map(overview).collect();
        let mut told = vec![lines.join("\n"), seats.join("\n"), others.join("\n")];
        told.extend(overview_told(&files));
        Ok(Response { files, ..Response::of(told) })
    }
}

fn listed<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// The GM's addresses, with the parts of those that aren't owners.
fn gms_in_words(campaign: &Campaign) -> String {
    listed(campaign.charter().gm.iter().map(|address| match campaign.gm_role(address) {
        GmRole::Owner => address.clone(),
        role => format!("{address} ({})", role.word()),
    }))
}

/// A player as the GM knows him.
fn in_words(player: &Player) -> String {
    match player {
        Player::Mail { addresses } => addresses.join(", "),
        Player::Computer { skill } => format!("the computer ({skill})"),
        Player::Open => "nobody".to_owned(),
    }
}
