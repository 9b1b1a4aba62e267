//! Who may watch a game: the GM's answers to those who ask, and who they are.

use super::GmOrder;
use crate::response::{Early, Responded, done, undone, undone_at};
use musterd_desk::life::{Application, Life};
use musterd_engine::journal::Change;
use musterd_text::nouns::count;

impl GmOrder<'_, '_> {
    /// `ADMIT`: somebody who asks to watch may, or somebody who was ejected may come back.
    pub(super) fn admit_guest(&mut self, address: &str) -> Responded {
        let game = self.game.clone();
        let campaign = self.campaign();
        if campaign.life().is_barred(address) {
            return self.admit_again(address);
        }
        if campaign.life().observers.contains_key(address) {
            return undone_at(address, format!("{address} watches {game} already."));
        }
        if !campaign.life().applicants.contains_key(address) {
            return undone_at(
                address,
                format!("{address} neither asks to watch {game} nor is barred from it."),
            );
        }
        if campaign.is_over() {
            return undone(format!("The game {game} is over."));
        }
        let lag = campaign.charter().terms.observers_lag;
        let change = Change::Observer { address: address.to_owned(), listed: true };
        self.settle(change, "somebody watches")?;
        let told = format!(
            "The GM lets you watch {game}{} You are sent what every side was told, {} behind the players. LEAVE {game} ends it.",
            self.told(),
            count(lag, "turn")
        );
        self.tell_watcher(address, "you watch", told)?;
        done(format!("{address} watches {game} from now on, and was told."))
    }

    /// `REFUSE`: somebody who asks to watch may not, or somebody who watches no longer.
    pub(super) fn refuse_watcher(&mut self, address: &str) -> Responded {
        let game = self.game.clone();
        let life = self.campaign().life();
        let watches = life.observers.contains_key(address);
        if !watches && life.applicants.get(address) != Some(&Application::Open) {
            return undone_at(address, format!("{address} neither asks to watch {game} nor watches it."));
        }
        let what = match watches {
            true => {
                let change = Change::Observer { address: address.to_owned(), listed: false };
                self.settle(change, "somebody watches no more")?;
                "You watch"
            }
            false => "You can't watch",
        };
        let change = Change::Applied { address: address.to_owned(), refused: true };
        self.settle(change, "somebody is refused who asked to watch")?;
        let no_more = if watches { " no more" } else { "" };
        let told = format!("{what} {game}{no_more}: that is the GM's decision{}", self.told());
        self.tell_watcher(address, "the GM's answer", told)?;
        done(format!("{address} can't watch {game}, and was told. ADMIT {address} lets them after all."))
    }

    fn tell_watcher(&mut self, address: &str, subject: &str, told: String) -> Result<(), Early> {
        self.mail(|clerk| {
            clerk.tell_guest(address, subject, vec![told], clerk.campaign.entries(), Vec::new())
        })?;
        Ok(())
    }
}

/// Who watches, who asks to, and who was refused: for the GM.
pub(super) fn watchers_in_words(life: &Life) -> Vec<String> {
    let watching: Vec<&str> = life.observers.keys().map(String::as_str).collect();
    let mut lines = vec![match watching.len() {
        0 => "people who watch the game: 0".to_owned(),
        n => format!("people who watch the game: {n} ({})", watching.join(", ")),
    }];
    lines.extend(life.asking().map(|who| format!("{who} asks to watch: ADMIT {who} or REFUSE {who}")));
    let refused = life.applicants.iter().filter(|(_, is)| **is == Application::Refused);
    lines.extend(refused.map(|(who, _)| format!("may not watch: {who}")));
    lines
}
