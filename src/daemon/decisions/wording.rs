//! Templates of the host's own that can't be used: the next in line takes their place, and who can mend them is told.

use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use musterd_dice::{Digest, GameId};

impl Games {
    /// Tells the GM of a game, once as long as it is the same fault.
    pub(crate) fn tell_gm_of_template(&mut self, game: &GameId, fault: &str) -> Result<Batch, HostError> {
        let what = Digest::of(fault.as_bytes());
        let mut batch = Batch::default();
        let mut at = Sitting::begin(self, game, &mut batch)?;
        if !at.is_first(format!("{game}/template/{what}"))? {
            return Ok(batch);
        }
        let paragraphs = vec![
            format!("The wording that this game has of its own can't be used: {fault}."),
            "Its mails go out all the same, in the host's usual words, until the operator of the host has mended the file and \
             started musterd again."
                .to_owned(),
        ];
        let name = format!("template/{what}");
        at.mail(|clerk| clerk.notice_named(&name, "a template that can't be used", paragraphs))?;
        at.close();
        Ok(batch)
    }
}
