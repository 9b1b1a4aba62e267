//! The commands of the command line: what changes something is decided by the games and committed here.

use std::sync::Arc;

use super::Host;
use crate::HostError;
use crate::decisions::admin::{Reply, Request};
use crate::decisions::founding::NewGame;
use musterd_dice::GameId;

impl Host {
    /// Carries out a command.
    ///
    /// # Errors
    /// What is wrong with the request, or the machine. [`HostError::InTransit`]: it takes back mails that the relay has just now; nothing was done.
    pub fn execute(&mut self, request: Request) -> Result<Reply, HostError> {
        let changed = request.changes().cloned();
        let outcome = self.carry_out(request);
        let told = |host: &Self| changed.map_or(Ok(()), |game| host.games.is_set_aside(&game));
        let outcome = outcome.and_then(|reply| told(self).map(|()| reply));
        if outcome.is_err() {
            self.games.evict_all();
        }
        self.games.trim();
        outcome
    }

    fn carry_out(&mut self, request: Request) -> Result<Reply, HostError> {
        let games = &mut self.games;
        match request {
            Request::New(new) => self.found(&new),
            Request::Status { game: Some(game) } => Ok(Reply::Status { games: vec![games.status(&game)?] }),
            Request::Status { game: None } => games.status_of_all(),
            Request::Find(filter) => Ok(Reply::Status { games: games.status_of_some(&filter)? }),
            Request::Check { game, seat, text } => games.check(&game, &seat, &text),
            Request::Report { game, seat, turn, shape } => {
                let (subject, text) = games.report(&game, &seat, turn.as_deref(), shape)?;
                Ok(Reply::Report { subject, text })
            }
            Request::History { game, seat } => games.history(&game, &seat),
            Request::Resolve { game, turn } => self.resolve(&game, &turn),
            Request::Gm { game, text, yes } => self.command_gm(&game, &text, yes),
            Request::Key => Ok(Reply::Key { allowed_signer: games.key()? }),
            Request::Audit { game } => games.audit(&game),
            Request::Vitals => Ok(Reply::Vitals(Box::new(self.vitals()?))),
            Request::Snapshot => Ok(Reply::Snapshot(games.snapshot()?)),
            Request::Journal { game } => games.journal(&game),
        }
    }

    fn found(&mut self, new: &NewGame) -> Result<Reply, HostError> {
        let around = Arc::clone(&self.around);
        let mut founding = around.desk.founding(&new.scenario)?;
        founding.choose(&new.options).map_err(|e| HostError::usage(format!("--option: {e}")))?;
        let own = around.desk.diagnosis_of_own(&founding)?;
        let (batch, mut lines) = self.games.found(&around.desk, new)?;
        lines.extend(own.into_iter().flat_map(|own| own.warnings).map(|fault| format!("Warning: {fault}.")));
        self.commit(&batch)?;
        self.keep_secrets()?;
        Ok(Reply::New { lines: self.games.founded(new, lines)? })
    }

    fn resolve(&mut self, game: &GameId, turn: &str) -> Result<Reply, HostError> {
        let (t, batch) = self.games.resolve(game, turn)?;
        self.commit(&batch)?;
        self.games.resolved(game, t)
    }

    fn command_gm(&mut self, game: &GameId, text: &str, yes: bool) -> Result<Reply, HostError> {
        let before = self.games.everybody_of(game)?;
        let (batch, answers) = self.games.command_gm(game, text, yes)?;
        self.commit(&batch)?;
        let (answers, unread) = self.games.commanded(game, &before, answers)?;
        Ok(Reply::Gm { answers, unread })
    }
}
