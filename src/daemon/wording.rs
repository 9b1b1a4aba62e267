//! Templates of the host's own that can't be used: the next in line takes their place, and who can mend them is told.

use super::HostError;
use super::host::{Batch, Host};
use musterd_dice::{Digest, GameId};

impl Host {
    /// Tells of templates that can't be used: the log, and the GM of a game that has its own, once as long as the fault is the same.
    pub(super) fn tell_of_templates(&mut self) -> Result<(), HostError> {
        let faults = self.mailroom.templates.faults().to_vec();
        for fault in &faults {
            tracing::error!(template = fault.file(), %fault, "this template can't be used: the next in line takes its place");
            let game = fault.file().split_once('/').and_then(|(game, _)| game.parse::<GameId>().ok());
            let Some(game) = game.filter(|game| self.knows(game) && !self.aside.contains_key(game)) else {
                continue;
            };
            match self.tell_gm_of_template(&game, &fault.to_string()) {
                Err(error) if error.is_of_one_game() => self.evict_all(),
                told => told?,
            }
        }
        Ok(())
    }

    fn tell_gm_of_template(&mut self, game: &GameId, fault: &str) -> Result<(), HostError> {
        let what = Digest::of(fault.as_bytes());
        let (mut step, mut batch) = (self.step(game)?, Batch::default());
        if !self.is_first(format!("{game}/template/{what}"), &mut step, &mut batch)? {
            return Ok(());
        }
        let paragraphs = vec![
            format!("The wording that this game has of its own can't be used: {fault}."),
            "Its mails go out all the same, in the host's usual words, until the operator of the host has mended the file and \
             started musterd again."
                .to_owned(),
        ];
        let name = format!("template/{what}");
        let packet = self.about(game, |mailroom, about| {
            mailroom.notice_named(about, &name, "a template that can't be used", paragraphs)
        })?;
        step.packets.extend(packet);
        batch.steps.push(step);
        self.commit(&batch)
    }
}
