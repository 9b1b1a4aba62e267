//! The GM's commands, by mail and from the command line: one reader, one way to carry them out.
//!
//! Each names the turn that it is meant for, so that a stale one does no harm. What changes the position or the players, or runs a
//! turn without somebody's orders, is first only told, and done when the line comes again with `CONFIRM`.

mod addresses;
mod diff;
mod mail;
mod people;
mod position;
mod reveal;
mod secret;
mod time;
mod watchers;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::HostError;
use super::batch::Batch;
use super::games::Games;
use super::notices::Note;
use super::response::{Early, Effect, Responded, Response, said, undone};
use super::seats::Parting;
use musterd_desk::campaign::Awaited;
use musterd_desk::mail::{
    Attachment, CONFIRM, Code, Given, GmAct, GmCommand, Verb, folded, gm_forms, read_gm_commands,
};
use musterd_dice::GameId;
use musterd_engine::journal::{Arrangement, Author, Cause, Change};
use musterd_report::WIDTH;
use musterd_store::Step;

/// What came of a command of the GM's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GmAnswer {
    /// The command as written; of several lines the first.
    pub line: String,
    /// What became of it.
    pub end: Effect,
    /// What there is to say.
    pub paragraphs: Vec<String>,
    /// Longer texts that come with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Attachment>,
}

/// A command on its way.
struct Order<'a> {
    game: &'a GameId,
    line: &'a str,
    verb: &'static Verb,
    because: &'a str,
    confirmed: bool,
    /// Steps that will be committed with this one, before it.
    earlier: &'a [Step],
}

impl Order<'_> {
    /// What would change, and how to have it done.
    fn ask(&self, mut paragraphs: Vec<String>) -> Responded {
        debug_assert_eq!(self.verb.code, Code::Repeated, "{} is confirmed", self.verb.word);
        paragraphs.push(format!(
            "Nothing has been done yet. To do it, send the line once more with {CONFIRM} at its end:"
        ));
        paragraphs.push(folded(&format!("{} {CONFIRM}", self.line), WIDTH));
        Ok(Response { effect: Effect::Unconfirmed, ..Response::of(paragraphs) })
    }

    /// A line for the public log: what was done, and why.
    fn logged(&self, what: impl Into<String>) -> String {
        let what = what.into();
        if self.because.is_empty() { what } else { format!("{what}: {}", self.because) }
    }

    /// The reason as players read it, behind what was done.
    fn told(&self) -> String {
        if self.because.is_empty() { ".".to_owned() } else { format!(" (`{}`).", self.because) }
    }
}

/// What came of several commands, and the line from which on nothing was read.
pub(super) type Answers = (Vec<GmAnswer>, Option<String>);

impl Games {
    /// The steps that come of the GM's commands from the command line, and what is to be answered.
    pub(super) fn command_gm(
        &mut self,
        game: &GameId,
        text: &str,
        yes: bool,
    ) -> Result<(Batch, Answers), HostError> {
        self.campaign(game)?;
        let (given, unread) = read_gm_commands(text);
        let mut step = self.step(game)?;
        let answers = self.obey_gm(game, &given, yes, &[], &mut step)?;
        let mut batch = Batch::default();
        if step != self.empty_like(&step) {
            batch.steps.push(step);
        }
        self.run_if_ready(game, &mut batch)?;
        Ok((batch, (answers, unread)))
    }

    /// What is told of commands that were carried out so. Mail of the game went to these addresses `before`.
    pub(super) fn commanded(
        &mut self,
        game: &GameId,
        before: &BTreeSet<String>,
        (mut answers, unread): Answers,
    ) -> Result<Answers, HostError> {
        let after = self.everybody_of(game)?;
        let stays = self.config.stays_here(&self.dir, after.difference(before).map(String::as_str));
        if let Some(answer) = answers.last_mut() {
            answer.paragraphs.extend(stays.into_iter().map(|text| format!("Warning: {text}.")));
        }
        Ok((answers, unread))
    }

    fn empty_like(&self, step: &Step) -> Step {
        Step { game: step.game.clone(), position: step.position, ..Step::default() }
    }

    /// Carries out commands in the order given; all that they change is one step.
    fn obey_gm(
        &mut self,
        game: &GameId,
        given: &[Given<GmCommand>],
        yes: bool,
        earlier: &[Step],
        step: &mut Step,
    ) -> Result<Vec<GmAnswer>, HostError> {
        let mut answers = Vec::new();
        for Given { line, verb, command } in given {
            let is_left = answers.iter().any(|answer: &GmAnswer| answer.end != Effect::Done);
            let response = match command {
                // What goes out or runs can't be meant without what was to be done before it.
                Ok(GmCommand { act: GmAct::Approve(_) | GmAct::Process(_), .. }) if is_left => {
                    Response::wrong(
                        "A line above this one was not done: nothing was sent, and no turn has run.",
                    )
                }
                Ok(command) => {
                    let GmCommand { act, because, confirmed } = command;
                    let order = Order { game, line, verb, because, confirmed: *confirmed || yes, earlier };
                    said(self.obey_gm_once(&order, act, step))?
                }
                Err(fault) => Response::wrong(format!("This command can't be read: {fault}.")),
            };
            // The rest of the line may tell of a position that nobody may know.
            let command = line.split_whitespace().next();
            tracing::info!(%game, command, end = ?response.effect, "the GM's command");
            let Response { effect: end, paragraphs, files, .. } = response;
            answers.push(GmAnswer { line: line.clone(), end, paragraphs, files });
        }
        Ok(answers)
    }

    fn obey_gm_once(&mut self, order: &Order<'_>, act: &GmAct, step: &mut Step) -> Responded {
        match act {
            GmAct::Status => self.gm_status(order),
            GmAct::Help => self.gm_help(order),
            GmAct::Process(turn) => self.process(order, turn, step),
            GmAct::Pause(turn) => self.pause(order, turn.as_deref(), step),
            GmAct::Resume(turn) => self.resume(order, turn.as_deref(), step),
            GmAct::Deadline(turn, at) => self.set_deadline(order, turn, *at, step),
            GmAct::Extend(turn, minutes) => self.extend(order, turn, *minutes, step),
            GmAct::Replace(seat, who) => self.replace_player(order, seat, who, Parting::Free, step),
            GmAct::Eject(seat) => self.replace_player(order, seat, "open", Parting::Barred, step),
            GmAct::Admit(address) => self.admit_guest(order, address, step),
            GmAct::Refuse(address) => self.refuse_watcher(order, address, step),
            GmAct::AddAddress(address) => self.add_gm_address(order, address, step),
            GmAct::DropAddress(address) => self.drop_gm_address(order, address, step),
            GmAct::Secret(seat) => self.reissue(order, seat, step),
            GmAct::Draft(turn, None) => self.show_draft(order, turn),
            GmAct::Draft(turn, Some(text)) => self.show_amended(order, turn, text),
            GmAct::Approve(turn) => self.approve(order, turn, step),
            GmAct::Amend(turn, text) => self.amend(order, turn, text, step),
            GmAct::Narrate(turn, to, words) => self.narrate(order, turn, to, words, step),
            GmAct::Reveal(turn) => self.reveal(order, turn, step),
            GmAct::Rollback(turn) => self.roll_back(order, turn, step),
            GmAct::Rerun(turn, text) => self.rerun(order, turn, text, step),
            GmAct::Reroll(label) => self.ask_reroll(order, label, step),
            GmAct::Broadcast(words) => self.broadcast(order, words, step),
            GmAct::Terms(options) => self.set_terms(order, options, step),
        }
    }

    /// Journals what the GM settled.
    fn gm_arranges(
        &mut self,
        order: &Order<'_>,
        change: Change,
        what: impl Into<String>,
        step: &mut Step,
    ) -> Result<(), HostError> {
        let t = self.campaign(order.game)?.next_t();
        let text = order.logged(what);
        self.play(order.game, step, Cause::Arranged(Arrangement { t, by: Author::Gm, change, text }))
    }

    /// Tells every person in the game something; how many they are.
    fn tell_all(
        &mut self,
        game: &GameId,
        subject: &str,
        paragraphs: &[String],
        step: &mut Step,
    ) -> Result<usize, HostError> {
        let before = step.packets.len();
        self.mail(game, step, |clerk| clerk.to_all(|_, _| Note::new(subject, paragraphs.to_vec())))?;
        Ok(step.packets.len() - before)
    }

    /// The open turn, or the one that ran and waits for approval, if it is the one named.
    fn turn_meant(&mut self, game: &GameId, asked: &str) -> Result<u32, Early> {
        let campaign = self.campaign(game)?;
        let window = campaign.window().map(|window| (window.t, window.name.to_string()));
        let awaited = campaign.awaited().map(|awaited| (awaited.t, awaited.name.to_string()));
        let draft = || campaign.draft().map(|draft| (draft.t, draft.name.to_string()));
        let Some((t, name)) = window.or(awaited).or_else(draft) else {
            return undone("The game is over: no turn is open.");
        };
        if asked == t.to_string() || asked == name {
            return Ok(t);
        }
        undone(format!("The open turn is {t} ({name}), not {asked}."))
    }

    /// The same where orders have to be taken for it.
    fn window_meant(&mut self, game: &GameId, asked: &str) -> Result<u32, Early> {
        let t = self.turn_meant(game, asked)?;
        if self.campaign(game)?.window().is_some() {
            return Ok(t);
        }
        self.not_while_closed(game)?;
        undone(format!(
            "Turn {t} has run, and its dispatches wait for you: DRAFT {t} shows them, APPROVE {t} sends them."
        ))
    }
}

impl Games {
    /// `HELP`: every command, with examples from this game, and what its rules let the GM amend.
    fn gm_help(&mut self, order: &Order<'_>) -> Responded {
        let campaign = self.campaign(order.game)?;
        let forms = campaign.charter().players.keys().next().map_or_else(Vec::new, gm_forms).join("\n");
        let mut paragraphs = vec![
            "Write commands on lines of their own, before anything else. A turn is the open one's number or name.".to_owned(),
            forms,
        ];
        // An empty change is refused with those that there are.
        if let Err(remark) = campaign.game().amending("") {
            paragraphs.push(format!("What AMEND can change in this game: {}", remark.text));
        }
        paragraphs.push(format!(
            "Behind any command BECAUSE and a reason may stand; players read it, and it is in the public log. What changes the position or \
             the players is told first, and done when the line comes again with {CONFIRM} at its end."
        ));
        Ok(Response::of(paragraphs))
    }

    /// Nothing may change a turn once it is closed and its dice wait for a public beacon.
    fn not_while_closed(&mut self, game: &GameId) -> Result<(), Early> {
        let campaign = self.campaign(game)?;
        let Some(Awaited { t, .. }) = campaign.awaited() else { return Ok(()) };
        undone(format!(
            "Turn {t} is closed, and what its dice are bound to can't change: neither its orders nor its time nor the position. The game \
             waits for {}.",
            campaign.waits_for()
        ))
    }
}
