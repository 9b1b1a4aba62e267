//! A new game: what it needs, what is wrong with that, and its founding.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Reply;
use crate::HostError;
use crate::books::batch::Batch;
use crate::config::check_address;
use crate::decisions::sitting::Sitting;
use crate::decisions::time::seats::players;
use crate::games::Games;
use musterd_desk::DeskError;
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::terms::Arrangements;
use musterd_dice::{BeaconPolicy, GameId, Seat, SecretChain, Signer};
use musterd_engine::founding::Chosen;
use musterd_engine::journal::{Charter, Entry, Player};
use musterd_engine::terms::{DeadlinePolicy, PressPolicy, Terms};
use musterd_store::Step;

/// How long before its beacon's round a turn has to be closed at least, in seconds: a mail takes its time.
const SHORTEST_DELAY: u64 = 300;

/// What a new game needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGame {
    /// `lga/austrian-1805`, or the name alone.
    pub scenario: String,
    /// Its name.
    pub id: GameId,
    /// Who sits where: addresses, or `computer`, `computer:cautious`.
    pub seats: BTreeMap<Seat, String>,
    /// The GM's addresses; the host's own if none.
    pub gm: Vec<String>,
    /// Addresses to be asked whether they are witnesses of the log.
    #[serde(default)]
    pub witnesses: Vec<String>,
    /// The deadline policy, as `--deadline` takes it.
    pub deadline: Option<String>,
    /// Begin at once, without waiting for the players: level L0.
    pub start_now: bool,
    /// Which letters between players are passed on.
    #[serde(default)]
    pub press: PressPolicy,
    /// What else is laid down about time and players.
    #[serde(default = "Terms::usual")]
    pub terms: Terms,
    /// What happens when orders are missing, as `--missing` takes it; as in `terms` if it isn't given.
    #[serde(default)]
    pub missing: Option<String>,
    /// Which public beacon the dice wait for; none if they wait for none.
    #[serde(default)]
    pub beacon: Option<BeaconPolicy>,
    /// The options of the ruleset that are not as usual, by name.
    #[serde(default)]
    pub options: Chosen,
}

impl Games {
    /// The steps that found a game, and what is to be told of it besides.
    ///
    /// # Errors
    /// What is wrong with the wish; the machine.
    pub(crate) fn found(&mut self, new: &NewGame) -> Result<(Batch, Vec<String>), HostError> {
        if self.knows(&new.id) {
            return Err(HostError::usage(format!(
                "there is already a game `{}`; choose another --id",
                new.id
            )));
        }
        let mut founding = self.desk.founding(&new.scenario)?;
        founding.choose(&new.options).map_err(|e| HostError::usage(format!("--option: {e}")))?;
        let without = founding.left_out.iter().map(|path| {
            let path = format!("games/{}/{path}", founding.ruleset);
            format!("Left out, as it can't be used: {path} (`musterd scenarios` says why).")
        });
        let without: Vec<String> = without.collect();
        let levels = self.desk.levels(&founding.ruleset)?;
        let players = players(&new.seats, &levels)?;
        for address in &new.gm {
            check_address(address).map_err(|e| HostError::usage(format!("--gm: {e}")))?;
        }
        for address in &new.witnesses {
            check_address(address).map_err(|e| HostError::usage(format!("--witness: {e}")))?;
        }
        let addresses = players.values().flat_map(Player::addresses);
        // Its own mail is never answered, so that nobody there could play.
        if let Some(own) = addresses
            .chain(&new.gm)
            .chain(&new.witnesses)
            .find(|address| self.mailroom().address.is_own(address))
        {
            return Err(HostError::usage(format!("`{own}` is this host's own address: write the person's")));
        }
        self.check_beacon(new.beacon.as_ref())?;
        self.check_key()?;
        let seats: Vec<Seat> = players.keys().cloned().collect();
        let game = self.desk.open_new(&founding, &seats).map_err(unseated)?;
        let wanted: Vec<&Seat> = game.seats().iter().map(|s| &s.seat).collect();
        if let Some(missing) = wanted.iter().find(|seat| !players.contains_key(**seat)) {
            return Err(HostError::usage(format!(
                "nobody sits at `{missing}`: give --seat {missing}=ADDRESS or --seat {missing}=computer"
            )));
        }
        let deadlines = match &new.deadline {
            Some(text) => calendar::parse(text).map_err(|e| HostError::usage(e.to_string()))?,
            None => DeadlinePolicy::After { minutes: 7 * 24 * 60, not_on: Vec::new(), zone: None },
        };
        let gm = if new.gm.is_empty() { self.config.gm.clone() } else { new.gm.clone() };
        let (press, terms) = (new.press, new.terms.clone());
        let mut arrangements = Arrangements { deadlines, press, terms };
        let missing = new.missing.iter().try_for_each(|what| arrangements.set("missing", what, &levels));
        missing.map_err(|e| HostError::usage(e.to_string()))?;
        arrangements.answerable(&gm).map_err(|e| HostError::usage(e.to_string()))?;
        let warnings = arrangements.warnings(&new.id, &gm, &players);
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
        };
        let cause = Campaign::founding(charter, self.vault().draft(&new.id)?);
        let entry = Entry { at: self.now(), cause };
        let campaign = Campaign::fold(&self.desk, [&entry]).map_err(|e| HostError::campaign(&new.id, e))?;
        self.admit_new(&new.id, campaign, &entry);
        let step = Step { game: Some(new.id.clone()), entries: vec![entry], ..Step::default() };
        let begun = self.begin(new, step).inspect_err(|_| self.forget(&new.id));
        begun.map(|batch| (batch, warnings.into_iter().chain(without).collect()))
    }

    /// What is told of a game that was founded so, with these lines at its end.
    pub(crate) fn founded(&mut self, new: &NewGame, more: Vec<String>) -> Result<Reply, HostError> {
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
        let mut everybody = self.everybody_of(&new.id)?;
        everybody.extend(new.witnesses.iter().cloned());
        let stays = self.config.stays_here(&self.dir, everybody.iter().map(String::as_str));
        lines.extend(stays.into_iter().map(|text| format!("Warning: {text}.")));
        Ok(Reply::New { lines })
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

/// What is wrong with the seats is a fault of the command, not of the game's files.
fn unseated(error: DeskError) -> HostError {
    match error {
        DeskError::Data(faults) if faults.0.iter().all(|fault| fault.file == "seats") => {
            let reasons: Vec<&str> = faults.0.iter().map(|fault| fault.reason.as_str()).collect();
            HostError::usage(format!("--seat: {}", reasons.join("; ")))
        }
        error => error.into(),
    }
}
