//! A new game: what it needs, what is wrong with that, and its founding.

mod new_game;

use std::collections::BTreeMap;

pub use new_game::NewGame;
pub(crate) use new_game::option_meant;

use crate::HostError;
use crate::books::batch::Batch;
use crate::config::check_address;
use crate::decisions::sitting::Sitting;
use crate::decisions::time::seats::players;
use crate::games::Games;
use musterd_desk::campaign::Campaign;
use musterd_desk::terms::Arrangements;
use musterd_desk::{Desk, DeskError, Game, ScenarioFiles};
use musterd_dice::{BeaconPolicy, Seat, SecretChain, Signer};
use musterd_engine::Examination;
use musterd_engine::alike::meant;
use musterd_engine::files::DataErrors;
use musterd_engine::journal::{Charter, Entry, Player};
use musterd_engine::terms::DeadlinePolicy;
use musterd_report::check_founded;
use musterd_report::text::listed;
use musterd_store::Step;

/// How long before its beacon's round a turn has to be closed at least, in seconds: a mail takes its time.
const SHORTEST_DELAY: u64 = 300;

impl Games {
    /// The steps that found a game of a scenario on this desk, and what is to be told of it besides.
    ///
    /// # Errors
    /// What is wrong with the wish; the machine.
    pub(crate) fn found(&mut self, desk: &Desk, new: &NewGame) -> Result<(Batch, Vec<String>), HostError> {
        let Plan { charter, told, .. } = self.plan(desk, new)?;
        let cause = Campaign::founding(charter, self.vault().draft(&new.id)?);
        let entry = Entry { at: self.now(), cause };
        let campaign = Campaign::fold(&self.desk, [&entry]).map_err(|e| HostError::campaign(&new.id, e))?;
        self.admit_new(&new.id, campaign, &entry);
        let step = Step { game: Some(new.id.clone()), entries: vec![entry], ..Step::default() };
        let begun = self.begin(new, step).inspect_err(|_| self.forget(&new.id));
        begun.map(|batch| (batch, told))
    }

    /// What would be founded by this wish, of a scenario on this desk.
    ///
    /// # Errors
    /// What is wrong with the wish; the machine.
    pub(crate) fn plan(&mut self, desk: &Desk, new: &NewGame) -> Result<Plan, HostError> {
        if self.knows(&new.id) {
            return Err(HostError::usage(format!(
                "there is already a game `{}`; choose another --id",
                new.id
            )));
        }
        let mut founding = desk.founding(&new.scenario)?;
        founding.choose(&new.options).map_err(|e| HostError::usage(format!("--option: {e}")))?;
        let levels = desk.levels(&founding.ruleset)?;
        let players = players(&new.seats, &levels)?;
        self.check_addresses(new, &players)?;
        check_templates(new)?;
        self.check_beacon(new.beacon.as_ref())?;
        self.check_key()?;
        let game = seated(desk, &founding, &players)?;
        // What its author is told of by `scenario check` need not keep it from being opened.
        if let Some(Examination { errors, .. }) = desk.diagnosis_of_own(&founding)?
            && !errors.is_empty()
        {
            return Err(DeskError::Data(DataErrors(errors)).into());
        }
        let deadlines = DeadlinePolicy::After { minutes: 7 * 24 * 60, not_on: Vec::new(), zone: None };
        let gm = if new.gm.is_empty() { self.config.gm.clone() } else { new.gm.clone() };
        let (press, terms) = (new.press, new.terms.clone());
        let mut arrangements = Arrangements { deadlines, press, terms };
        for (option, value) in [("deadline", &new.deadline), ("missing", &new.missing)] {
            let set = value.iter().try_for_each(|value| arrangements.set(option, value, &levels));
            set.map_err(|e| HostError::usage(e.to_string()))?;
        }
        arrangements.answerable(&gm).map_err(|e| HostError::usage(e.to_string()))?;
        let mut told = arrangements.warnings(&new.id, &gm, &players);
        told.extend(founding.left_out.iter().map(|path| {
            let path = format!("games/{}/{path}", founding.ruleset);
            format!("Left out, as it can't be used: {path} (`musterd scenarios` says why).")
        }));
        let Arrangements { deadlines, press, terms } = arrangements;
        let charter = Charter {
            game: new.id.clone(),
            ruleset: founding.ruleset,
            rules_version: founding.rules_version,
            scenario: founding.scenario,
            files: founding.files,
            players,
            gm,
            deadlines,
            chain_length: SecretChain::DEFAULT_LENGTH,
            beacon: new.beacon.clone(),
            host_key: self.mailroom().signer.as_ref().filter(|_| self.config.sign).map(Signer::key),
            press,
            terms,
            templates: new.templates.clone(),
        };
        Ok(Plan { charter, game, told })
    }

    /// Whether all people of a new game can be written to.
    fn check_addresses(&self, new: &NewGame, players: &BTreeMap<Seat, Player>) -> Result<(), HostError> {
        for (option, addresses) in [("gm", &new.gm), ("witness", &new.witnesses)] {
            for address in addresses {
                check_address(address).map_err(|e| HostError::usage(format!("--{option}: {e}")))?;
            }
        }
        // Its own mail is never answered, so that nobody there could play.
        let mut all = players.values().flat_map(Player::addresses).chain(&new.gm).chain(&new.witnesses);
        match all.find(|address| self.mailroom().address.is_own(address)) {
            Some(own) => {
                Err(HostError::usage(format!("`{own}` is this host's own address: write the person's")))
            }
            None => Ok(()),
        }
    }

    /// What is told of a game that was founded so, with these lines at its end, to whoever runs the host.
    pub(crate) fn founded(&mut self, new: &NewGame, more: Vec<String>) -> Result<Vec<String>, HostError> {
        let mut lines = self.founded_in_words(new, more)?;
        let mut everybody = self.everybody_of(&new.id)?;
        everybody.extend(new.witnesses.iter().cloned());
        let stays = self.config.stays_here(&self.dir, everybody.iter().map(String::as_str));
        lines.extend(stays.into_iter().map(|text| format!("Warning: {text}.")));
        Ok(lines)
    }

    /// The same for anybody else.
    pub(crate) fn founded_in_words(
        &mut self,
        new: &NewGame,
        more: Vec<String>,
    ) -> Result<Vec<String>, HostError> {
        let campaign = self.campaign(&new.id)?;
        let mut lines = vec![
            format!("Game `{}`: {}.", new.id, campaign.game().title()),
            format!("Dice are committed to: s_0 = {}", campaign.anchor()),
        ];
        lines.push(if campaign.awaited().is_some() {
            format!("Closed at once (dice of the founding: level L0). It waits for {}.", campaign.waits_for())
        } else if new.start_now {
            match campaign.draft() {
                Some(draft) => format!(
                    "Begun at once (dice of the founding: level L0). The first dispatches wait for the GM: APPROVE {} sends them.",
                    draft.t
                ),
                None => {
                    format!("Begun at once (dice of the founding: level L0). Open: {}.", campaign.wait_title())
                }
            }
        } else {
            "The invitations are in the outbox; the game is founded when every seat has confirmed with JOIN."
                .to_owned()
        });
        lines.extend(more);
        Ok(lines)
    }

    /// Whether dice can wait for this beacon here.
    fn check_beacon(&mut self, beacon: Option<&BeaconPolicy>) -> Result<(), HostError> {
        let Some(beacon) = beacon else { return Ok(()) };
        if !self.beacons().has_source() {
            return Err(HostError::usage(
                "--beacon: say in musterd.yaml where the values come from (`beacon:`), and start the daemon again; without them no turn \
                 of the game could run",
            ));
        }
        if beacon.delay < SHORTEST_DELAY {
            return Err(HostError::usage(format!(
                "--beacon {beacon}: the round that counts has to come {SHORTEST_DELAY} seconds or more after the close (the last number), so \
                 that its mail is there before"
            )));
        }
        Ok(())
    }

    fn begin(&mut self, new: &NewGame, step: Step) -> Result<Batch, HostError> {
        let mut batch = Batch::default();
        let mut at = Sitting { games: self, game: new.id.clone(), step, batch: &mut batch };
        at.open_window()?;
        at.mail(|clerk| {
            clerk.invitations(new.start_now)?;
            clerk.gm_welcome()?;
            if new.start_now { Ok(()) } else { clerk.computer_orders() }
        })?;
        at.ask_witnesses(&new.witnesses)?;
        at.close();
        if new.start_now {
            Sitting::run_now(self, &new.id, "start-now", &mut batch)?;
        }
        Ok(batch)
    }
}

/// The most bytes of the templates that a game is founded with: they stand in its journal.
pub(crate) const MOST_TEMPLATES: usize = 200_000;

/// Whether the templates of a new game can be used, by the check of `musterd templates check`.
fn check_templates(new: &NewGame) -> Result<(), HostError> {
    let size: usize = new.templates.values().map(String::len).sum();
    if size > MOST_TEMPLATES {
        return Err(HostError::usage(format!(
            "--templates: a game has at most {MOST_TEMPLATES} bytes of them, and these are {size}"
        )));
    }
    let found: Vec<String> = check_founded(&new.id, &new.templates)
        .iter()
        .map(|finding| format!("--templates: {finding}"))
        .collect();
    if found.is_empty() { Ok(()) } else { Err(HostError::usage(found.join("\n"))) }
}

/// What would be founded.
pub(crate) struct Plan {
    /// The founding.
    pub(crate) charter: Charter,
    /// The game, as it would be before its first event.
    pub(crate) game: Box<dyn Game>,
    /// What is to be told of it besides: what its founder may not expect.
    pub(crate) told: Vec<String>,
}

/// The game with these players. What is wrong with its seats is a fault of the wish, not of the game's files.
fn seated(
    desk: &Desk,
    founding: &ScenarioFiles,
    players: &BTreeMap<Seat, Player>,
) -> Result<Box<dyn Game>, HostError> {
    let specs = |game: &dyn Game| game.seats().iter().map(|spec| spec.seat.clone()).collect::<Vec<_>>();
    let own = specs(&*desk.open_new(founding, &[])?);
    if players.is_empty() {
        return Err(HostError::usage(seats_in_words("nobody sits anywhere", &own, &[])));
    }
    let seats: Vec<Seat> = players.keys().cloned().collect();
    match desk.open_new(founding, &seats) {
        Ok(game) => match specs(&*game).iter().find(|seat| !players.contains_key(*seat)) {
            Some(missing) => {
                let told = format!("nobody sits at `{missing}`");
                Err(HostError::usage(seats_in_words(&told, &own, &seats)))
            }
            None => Ok(game),
        },
        Err(DeskError::Data(faults)) => {
            let reasons: Vec<&str> = faults.0.iter().map(|fault| fault.reason.as_str()).collect();
            Err(HostError::usage(seats_in_words(&reasons.join("; "), &own, &seats)))
        }
        Err(error) => Err(error.into()),
    }
}

/// What is wrong with the seats `given`, with which seats there are, which of them is missing, and how it is filled. A side may be split: then
/// `allied.austria` is a part of the seat `allied`.
fn seats_in_words(wrong: &str, own: &[Seat], given: &[Seat]) -> String {
    let is_part = |seat: &Seat, whole: &Seat| {
        seat.as_str()
            .strip_prefix(whole.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let names = |seats: &[&Seat]| seats.iter().map(ToString::to_string).collect::<Vec<_>>();
    let all: Vec<&Seat> = own.iter().collect();
    let missing: Vec<&Seat> =
        own.iter().filter(|whole| !given.iter().any(|seat| is_part(seat, whole))).collect();
    let odd: Vec<&Seat> = given.iter().filter(|seat| !own.iter().any(|whole| is_part(seat, whole))).collect();
    let mut told = vec![format!("--seat: {wrong}.")];
    told.push(format!("The seats of the scenario are {}.", listed(&names(&all))));
    for seat in &odd {
        let near = meant(seat.as_str(), missing.iter().map(|seat| seat.as_str()));
        let hint = near.map_or_else(|| "leave it out".to_owned(), |near| format!("did you mean {near}?"));
        told.push(format!("There is no seat {seat}: {hint}{}", if near.is_some() { "" } else { "." }));
    }
    if missing.is_empty() && odd.is_empty() {
        told.push(
            "Each is one seat, or several that share it out among them, as in SEAT.PART; --seat SEAT=computer gives one to the computer."
                .to_owned(),
        );
    }
    if let Some(first) = missing.first() {
        told.push(format!(
            "Missing: {}. --seat {first}=ADDRESS invites a person, --seat {first}=computer gives the seat to the computer, --seat \
             {first}=open leaves it free.",
            listed(&names(&missing))
        ));
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(own: &[&str], given: &[&str]) -> String {
        let seats = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
        seats_in_words("each army has one leader", &seats(own), &seats(given))
    }

    #[test]
    fn a_founder_learns_which_seats_there_are_and_how_to_fill_the_missing_one() {
        let missing = told(&["six", "gorge"], &["six"]);
        assert!(missing.contains("The seats of the scenario are six and gorge."), "{missing}");
        assert!(missing.contains("Missing: gorge. --seat gorge=ADDRESS invites a person"), "{missing}");
        assert!(missing.contains("--seat gorge=computer gives the seat to the computer"), "{missing}");
        let odd = told(&["six", "gorge"], &["six", "george"]);
        assert!(odd.contains("There is no seat george: did you mean gorge?"), "{odd}");
        let more = told(&["six", "gorge"], &["six", "gorge", "third"]);
        assert!(more.contains("There is no seat third: leave it out."), "{more}");
        assert!(!more.contains("Missing"), "{more}");
        // A side may be split.
        let split = told(&["french", "allied"], &["allied.austria"]);
        assert!(split.contains("Missing: french."), "{split}");
        assert!(!split.contains("no seat"), "{split}");
        let part = told(&["french", "allied"], &["french", "allied.austria"]);
        assert!(part.contains("--seat SEAT=computer gives one to the computer"), "{part}");
    }
}
