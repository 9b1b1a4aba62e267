//! The GM's commands about time: when the turn runs, when its dispatches go, on what terms the game is played.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::GmOrder;
use crate::mails::notices::names;
use crate::response::{About, Early, Responded, Response, done, undone, undone_at, wrong};
use musterd_desk::calendar;
use musterd_desk::terms::{Arrangements, reveal_in_words};
use musterd_desk::timing::Due;
use musterd_engine::journal::{Author, Cause, Change, Charter};
use musterd_report::span_in_words;

/// The reason of a deadline that a pause moved.
const RESUMED: &str = "resumed";

/// The place of the new deadline in `DEADLINE 5 2026-12-10 20:00`.
const DAY_AND_TIME: About = About::Nth(2, 2);

impl GmOrder<'_, '_> {
    /// `PROCESS`: runs the open turn.
    pub(super) fn process(&mut self, turn: &str) -> Responded {
        let t = self.window_meant(turn)?;
        let campaign = self.campaign();
        if campaign.life().paused.is_some() {
            return undone("The game is paused: RESUME it first.");
        }
        let (missing, title, due) = (campaign.missing(), campaign.wait_title(), campaign.run_now());
        let who = names(campaign, &missing).listed();
        if !missing.is_empty() && !self.confirmed {
            let what = match &due {
                Due::Run(stand_ins) if !stand_ins.is_empty() => "the computer gives them for this once",
                _ if t == 1 => "the game begins without their confirmation",
                _ => "their units follow standing orders and what units do without orders",
            };
            return self.ask(vec![format!(
                "Turn {t} ({title}) would run now, without orders from {who}: {what}. Its dice are bound to the orders that are here."
            )]);
        }
        let text = self.logged("processed before its deadline");
        self.play(Cause::Intervened { t, text })?;
        if let Due::Run(stand_ins) = due {
            self.stand_in(&stand_ins)?;
        }
        self.adjudicate(Some("gm"))?;
        let campaign = self.campaign();
        if campaign.awaited().is_some() {
            return done(format!("Turn {t} is closed. It runs by {}.", campaign.waits_for()));
        }
        let next = match (campaign.draft(), campaign.results()) {
            (Some(_), _) => {
                format!("Its dispatches wait for you: DRAFT {t} shows them, APPROVE {t} sends them")
            }
            (None, Some(_)) => "The game is over; the last dispatches are on their way".to_owned(),
            (None, None) => format!("The dispatches are on their way. Open now: {}", campaign.wait_title()),
        };
        done(format!("Turn {t} has run. {next}."))
    }

    /// `PAUSE`: the game stands still.
    pub(super) fn pause(&mut self, turn: Option<&str>) -> Responded {
        self.turn_meant_if_named(turn)?;
        if self.campaign().life().paused.is_some() {
            return undone("The game is paused already.");
        }
        self.settle(Change::Paused, "paused")?;
        let told = self.told();
        let stands = "The deadline stands still, and moves by the length of the pause when the game goes on. Orders are taken meanwhile.";
        let paragraphs = [format!("The GM has paused the game{told}"), stands.to_owned()];
        self.tell_all("the game is paused", &paragraphs)?;
        done(
            "The game stands still: no turn runs and nobody is reminded. All were told. RESUME lets it go on.",
        )
    }

    /// `RESUME`: it goes on; its deadline moves by the length of the pause.
    pub(super) fn resume(&mut self, turn: Option<&str>) -> Responded {
        self.turn_meant_if_named(turn)?;
        let now = self.now();
        let zone = self.config.zone.clone();
        let campaign = self.campaign();
        let Some(paused) = campaign.life().paused else {
            return undone("The game is not paused.");
        };
        let window = campaign.window();
        let since = window.map_or(paused, |window| paused.max(window.opened));
        let policy = &campaign.charter().deadlines;
        let later = |at: i64| calendar::off_free_days(policy, at + now - since, &zone);
        let deadline = window.and_then(|window| window.deadline).map(later);
        self.settle(Change::Resumed, "resumed")?;
        let length = span_in_words((now - since) / 60);
        let (told, length) = (self.told(), if length.is_empty() { "a moment".to_owned() } else { length });
        match deadline {
            Some(deadline) => {
                let why = format!("The game goes on after a pause of {length}{told}");
                self.reschedule(deadline, RESUMED, &why)?;
                let at = self.about(|clerk| clerk.time(None, deadline))?;
                done(format!("The game goes on. Its deadline is now {at}. All were told."))
            }
            None => {
                let paragraphs = [format!("The GM lets the game go on{told}")];
                self.tell_all("the game goes on", &paragraphs)?;
                done("The game goes on. All were told.")
            }
        }
    }

    /// `DEADLINE`: another one for the open turn.
    pub(super) fn set_deadline(&mut self, turn: &str, at: DateTime) -> Responded {
        let host_zone = self.config.zone.clone();
        let zone = self.campaign().zone(None, &host_zone).to_owned();
        let at = TimeZone::get(&zone).ok().and_then(|zone| at.to_zoned(zone).ok());
        let Some(at) = at.map(|at| at.timestamp().as_second()) else {
            return undone("This time is not in the calendar.")
                .map_err(|early: Early| early.at(DAY_AND_TIME));
        };
        self.move_to(turn, |_| Ok(at))
    }

    /// `EXTEND`: more time for the open turn.
    pub(super) fn extend(&mut self, turn: &str, minutes: u32) -> Responded {
        let now = self.now();
        let later = |deadline: Option<i64>| {
            let none = "The open turn has no deadline: DEADLINE sets one. Nothing was done.";
            // Where the turn has waited for the GM beyond its deadline, the time begins now.
            deadline.map(|at| at.max(now) + i64::from(minutes) * 60).ok_or(none)
        };
        self.move_to(turn, later)
    }

    fn move_to(
        &mut self,
        turn: &str,
        to: impl FnOnce(Option<i64>) -> Result<i64, &'static str>,
    ) -> Responded {
        let now = self.now();
        let t = self.window_meant(turn)?;
        let before = self.campaign().window().and_then(|window| window.deadline);
        let deadline = match to(before) {
            Ok(deadline) if deadline > now => deadline,
            Ok(_) => {
                let now = self.about(|clerk| clerk.time(None, now))?;
                return undone(format!("That lies in the past: it is {now}. PROCESS {t} runs the turn now."))
                    .map_err(|early: Early| early.at(DAY_AND_TIME));
            }
            Err(why) => return wrong(why),
        };
        let text = self.logged("deadline moved");
        self.play(Cause::Intervened { t, text })?;
        let why = format!("The GM has set another deadline{}", self.told());
        self.reschedule(deadline, "gm", &why)?;
        let (was, is) = self.about(|clerk| {
            let time = |at: i64| clerk.time(None, at);
            (before.map_or_else(|| "none".to_owned(), time), time(deadline))
        })?;
        done(format!("The deadline of turn {t} was {was}; it is now {is}. All were told."))
    }

    /// `APPROVE`: the dispatches that wait go out.
    pub(super) fn approve(&mut self, turn: &str) -> Responded {
        let t = self.turn_meant(turn)?;
        if self.campaign().draft().is_none() {
            return undone(format!("Turn {t} has not run yet, and no dispatches wait."));
        }
        let why = self.logged("");
        self.release(Author::Gm, &why)?;
        let campaign = self.campaign();
        let next =
            if campaign.results().is_some() { "the game is over".to_owned() } else { campaign.wait_title() };
        done(format!("The dispatches of turn {t} are on their way. Now: {next}."))
    }

    /// `TERMS`: what is laid down about time and players.
    pub(super) fn set_terms(&mut self, options: &str) -> Responded {
        let charter = self.campaign().charter();
        let (deadlines, press, terms) = (charter.deadlines.clone(), charter.press, charter.terms.clone());
        let before = Arrangements { deadlines, press, terms };
        let mut after = before.clone();
        if let Err(why) = after.amend(options, &self.campaign().game().levels()) {
            return undone_at(why.about(), format!("{why}."));
        }
        let Charter { gm, players, .. } = self.campaign().charter();
        if let Err(why) = after.answerable(gm) {
            return undone_at(why.about(), format!("{why}."));
        }
        let mut warnings = after.warnings(&self.game, gm, players);
        let known = before.warnings(&self.game, gm, players);
        warnings.retain(|warning| !known.contains(warning));
        if after == before {
            return undone("These are the game's terms already.");
        }
        if after.terms.reveal != before.terms.reveal && !self.confirmed {
            // What is revealed stays so, whatever the terms are next.
            if let Some(reveals) = reveal_in_words(after.terms.reveal) {
                return self.ask(vec![reveals, "It begins with the next dispatches.".to_owned()]);
            }
        }
        let Arrangements { deadlines, press, terms } = after;
        let change = Change::Terms { deadlines, press, terms: Box::new(terms) };
        self.settle(change, format!("terms {options}"))?;
        let told = self.told();
        let paragraphs = [
            format!("The GM has changed the terms of the game{told}"),
            options.to_owned(),
            "The open turn keeps its deadline.".to_owned(),
        ];
        self.tell_all("other terms", &paragraphs)?;
        let done = format!(
            "The game's terms are changed: {options}. The open turn keeps its deadline; all were told."
        );
        Ok(Response::of(std::iter::once(done).chain(warnings).collect()))
    }

    fn turn_meant_if_named(&mut self, turn: Option<&str>) -> Result<(), Early> {
        if self.campaign().results().is_some() {
            return undone("The game is over.");
        }
        turn.map_or(Ok(()), |turn| self.turn_meant(turn).map(|_| ()))
    }
}
