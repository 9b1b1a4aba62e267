//! `DRAW`: the players end the game as a draw, once all of them agree. Nobody is told who does; the log, once it is shown,
//! has the votes without names.

use super::Asking;
use crate::mails::notices::PlayerNotice;
use crate::response::{Early, Effect, Responded, Response, done, wrong};
use musterd_desk::mail::DrawVote;
use musterd_engine::journal::{Author, Change, Player};
use musterd_report::letters::Reason;

impl Asking<'_, '_> {
    /// A player agrees to a draw, or no longer. With the last vote the game ends.
    pub(super) fn draw(&mut self, vote: DrawVote) -> Responded {
        self.may_draw()?;
        let seat = self.seat;
        let people = self.campaign().charter().players.values();
        let is_alone = people.filter(|player| matches!(player, Player::Mail { .. })).count() == 1;
        if is_alone && vote == DrawVote::Agree {
            return Ok(Response {
                effect: Effect::Unconfirmed,
                ..Response::of(vec![
                    "Nothing has been done yet. You play with the computer alone, which agrees to every draw: the game would end at once. To \
                     end it, write DRAW CONFIRM."
                        .to_owned(),
                ])
            });
        }
        let agrees = vote != DrawVote::Refuse;
        let hours = &self.campaign().life().hours;
        let (agreed, proposed) = (hours.draws.contains(seat), hours.draw_proposed);
        let change = Change::Draw { seat: seat.clone(), agrees };
        match (agrees, agreed) {
            (false, false) => {
                return wrong("You have not agreed to a draw in this turn: there is nothing to take back.");
            }
            (false, true) => {
                self.settle(change, "a player agrees to a draw no longer".to_owned())?;
                return done("You agree to a draw no longer. Nobody is told.");
            }
            (true, true) => {}
            (true, false) => self.settle(change, "a player agrees to a draw".to_owned())?,
        }
        if self.campaign().draw_is_agreed() {
            let result = "The game ended as a draw: all its players agreed to that.";
            self.end_by(
                Author::Host,
                vec![result.to_owned()],
                "all players agreed to a draw: the game is over",
            )?;
            self.mail(|clerk| clerk.notice("the game ended as a draw", vec![result.to_owned()]))?;
            return done(
                "All players agree, and the game has ended as a draw. Your last report comes in a mail of its own.",
            );
        }
        if !proposed {
            self.propose_draw()?;
        }
        done(
            "You agree to a draw. The game ends once all its players agree, before this turn runs or a seat changes hands; nobody is told who does. \
             DRAW NO takes it back.",
        )
    }

    fn may_draw(&self) -> Result<(), Early> {
        let (mail, campaign) = (self.incoming, self.campaign());
        let why = match mail.in_time(campaign, self.seat) {
            _ if campaign.is_over() => "The game is over.".to_owned(),
            _ if campaign.last().is_none() => "The game has not begun: DECLINE gives your seat up.".to_owned(),
            Err(Reason::OtherTurn { meant, open }) => format!(
                "This mail answers one of turn {meant}, and turn {open} is open now: a vote for a draw counts for one turn. Answer the newest \
                 dispatch."
            ),
            _ if campaign.window().is_none() => {
                "No turn is open now, and a vote for a draw counts for an open turn: send it again after the next dispatch.".to_owned()
            }
            _ => return Ok(()),
        };
        wrong(why)
    }

    /// All are told that somebody proposes a draw, once in a turn.
    fn propose_draw(&mut self) -> Result<(), crate::HostError> {
        let seat = self.seat;
        let told = "A player proposes to end the game as a draw. It ends so if every player agrees before this turn runs or a seat changes \
                    hands: to agree, answer with the line DRAW on top. Nobody is told who agrees. If you don't, do nothing.";
        self.mail(|clerk| {
            clerk.tell_others(Some(seat), |_, _| PlayerNotice::new("a draw is proposed", vec![told.to_owned()]))?;
            clerk.notice("a draw is proposed", vec!["A player proposes to end the game as a draw. It ends if all players agree before this turn runs or a seat changes hands.".to_owned()])
        })
    }
}
