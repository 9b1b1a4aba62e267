//! Several people lead a game: who of them may do what, and how each learns what the others do.

use super::GmAnswer;
use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::response::{Effect, Response};
use musterd_desk::mail::{Given, GmCommand, Verb};
use musterd_engine::journal::GmRole;
use musterd_report::text::listed;

impl Sitting<'_> {
    /// That a command is not for somebody with this part in leading the game, and who may give it.
    pub(super) fn not_for(&self, role: GmRole, verb: &Verb) -> Response {
        let campaign = self.campaign();
        let may = campaign.charter().gm.iter().filter(|address| campaign.gm_role(address) >= verb.least());
        let may: Vec<String> = may.cloned().collect();
        Response::wrong(format!(
            "Your part in this game is {}, and {} takes {}: {} may do that. Nothing was done.",
            role.word(),
            verb.word,
            verb.least().word(),
            listed(&may)
        ))
    }

    /// Tells the other addresses of the GM what was done by commands from this one. Who leads the game is told where it changes.
    pub(super) fn tell_other_gms(
        &mut self,
        from: &str,
        given: &[Given<GmCommand>],
        answers: &[GmAnswer],
        n: u64,
    ) -> Result<(), HostError> {
        let all = self.campaign().charter().gm.iter();
        let others: Vec<String> = all.filter(|own| !own.eq_ignore_ascii_case(from)).cloned().collect();
        let is_news = |(given, answer): &(&Given<GmCommand>, &GmAnswer)| {
            answer.end == Effect::Done && !given.verb.only_asks && given.verb.word != "ADDRESS"
        };
        let done: Vec<&str> =
            given.iter().zip(answers).filter(is_news).map(|(given, _)| given.line.as_str()).collect();
        if others.is_empty() || done.is_empty() {
            return Ok(());
        }
        let told = vec![format!("{from}, who leads the game with you, has done this:"), done.join("\n")];
        self.mail(|clerk| clerk.gm_notice_at(n, &others, "another GM's command", told))
    }
}
