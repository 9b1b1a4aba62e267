//! Further witnesses of a game's log: addresses that are no player's and learn what was committed to, and nothing else.

use crate::HostError;
use crate::clock::DAY;
use crate::decisions::requests::{Wish, guest_seat};
use crate::decisions::sitting::Sitting;
use crate::mails::dispatches::closed;
use crate::mails::frame::Unframed;
use crate::mails::mailroom::Clerk;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Kind;
use musterd_dice::{ChainLines, Digest, orders_root};
use musterd_engine::journal::{Cause, Entry};
use musterd_report::letters;

impl Sitting<'_> {
    /// Asks those whom the founding names whether they will be witnesses: one mail each, and nothing more to who doesn't answer.
    pub(crate) fn ask_witnesses(&mut self, addresses: &[String]) -> Result<(), HostError> {
        let game = self.game.clone();
        for address in addresses {
            let line = self.confirm_line(&Wish::Witness, address)?;
            self.mail(|clerk| {
                let title = clerk.campaign.game().title();
                let paragraphs = vec![
                    format!(
                        "Somebody who founds {game} ({title}) asks you to be a witness of its dice: to keep a short mail for every turn, which says \
                         what its orders and dice were committed to, so that nobody can change them afterwards."
                    ),
                    format!("The host's secrets were fixed before this mail. They all lead back to {}.", clerk.campaign.anchor()),
                    "If you will, answer this mail within three days with the line below. Nothing more is sent to you if you don't.".to_owned(),
                    line,
                ];
                let n = clerk.campaign.entries();
                clerk.tell_guest(address, "be a witness", paragraphs, n, Vec::new())
            })?;
        }
        Ok(())
    }

    /// Sends every witness what this step has written into the log since it had `before` entries: closes, commitments, openings.
    pub(crate) fn tell_witnesses(&mut self, before: usize) -> Result<(), HostError> {
        let witnesses = self.campaign().life().witnesses.clone();
        if witnesses.is_empty() {
            return Ok(());
        }
        let entries = self.step.entries.get(before..).unwrap_or_default();
        let account = Account::of(self.campaign(), entries);
        self.mail(|clerk| witnesses.iter().try_for_each(|to| clerk.attest(to, &account)))?;
        tracing::info!(game = %self.game, witnesses = witnesses.len(), "witnesses told");
        Ok(())
    }
}

/// What a witness is told: nothing of it is hidden from anybody.
struct Account {
    subject: String,
    paragraphs: Vec<String>,
    lines: String,
}

impl Account {
    fn of(campaign: &Campaign, entries: &[Entry]) -> Self {
        let game = &campaign.charter().game;
        let mut account =
            Self { subject: "the log".to_owned(), paragraphs: Vec::new(), lines: String::new() };
        let commit = |rolls: &Digest, result: &Digest| format!("  {rolls} rolls\n  {result} result\n");
        for Entry { cause, .. } in entries {
            match cause {
                Cause::Closed { t, .. } => {
                    account.subject = format!("turn {t} closed");
                    if let Some((awaited, leaves)) = campaign.awaited().zip(campaign.closed_leaves()) {
                        account.paragraphs.push(format!(
                            "The dice of t {t} are bound to these orders, one leaf a seat, and to round {} of the public beacon {}, which has not come.",
                            awaited.round, awaited.policy.name
                        ));
                        account
                            .lines
                            .push_str(&letters::leaves_in_lines(leaves, &orders_root(game, *t, leaves)));
                    }
                    if let Some(closed) = closed(campaign).filter(|closed| closed.t == *t) {
                        account.paragraphs.push(letters::assurance(&closed));
                        account.lines.push_str(&letters::leaves(&closed));
                    }
                }
                Cause::Adjudicated { rolls_root, result_commit, .. } => {
                    account.lines.push_str(&commit(rolls_root, result_commit));
                }
                Cause::Rerun { t, k, rolls_root, result_commit, .. } => {
                    account.subject = format!("turn {t} ran again");
                    account.paragraphs.push(format!(
                        "The GM amended the position before turn {t}, and it ran again with the same orders and the same seed (rerun {k}). What \
                         it came to is committed to by:"
                    ));
                    account.lines.push_str(&commit(rolls_root, result_commit));
                }
                Cause::Beacon { t, beacon, .. } => {
                    account.subject = format!("the dice of turn {t}");
                    account.paragraphs.push(format!("The beacon has come, {beacon}, and turn {t} has run."));
                }
                Cause::Rerolled(reroll) => {
                    account.subject = format!("a roll of turn {} thrown again", reroll.of);
                    account
                        .paragraphs
                        .push(format!("With everybody's consent {} was thrown again.", reroll.label));
                    account.lines.push_str(&commit(&reroll.rolls_root, &reroll.result_commit));
                }
                Cause::RolledBack { t, back, .. } => {
                    account.subject = format!("turns {back} to {t} are void");
                    account.paragraphs.push(format!("The GM has taken back all turns from {back} to {t}."));
                }
                Cause::Opened { t, name, sealed, .. } => {
                    let sealed =
                        if sealed.is_empty() { "" } else { "; what the computer plays in it is sealed" };
                    account.paragraphs.insert(0, format!("Turn {t} ({name}) is open{sealed}."));
                }
                cause if cause.results().is_some() => {
                    account.paragraphs.insert(0, "The game is over.".to_owned());
                }
                _ => {}
            }
        }
        account.paragraphs.insert(
            0,
            format!("You are a witness of {game}: keep this mail, with the two lines at its end. A mail with the line LEAVE {game} ends this."),
        );
        account
    }
}

impl Clerk<'_> {
    fn attest(&mut self, to: &str, account: &Account) -> Result<(), HostError> {
        let Some(guest) = guest_seat(to) else { return Ok(()) };
        let Account { subject, paragraphs, lines } = account;
        let name = self.id(self.campaign.next_t(), &guest, Kind::Notice, self.campaign.entries())?;
        let witness = self.campaign.witness().map(ChainLines::from);
        let message = self.words_and_lines(subject, paragraphs.clone(), lines.clone(), witness.clone());
        let draft = Unframed {
            game: Some(&self.campaign.charter().game),
            stale_after: Some(self.now + 30 * DAY),
            may_leave: true,
            shows: witness,
            ..Unframed::new(name, vec![to.to_owned()], Kind::Notice, message)
        };
        self.write(draft)
    }
}
