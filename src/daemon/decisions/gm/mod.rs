//! The GM's commands, by mail and from the command line: one reader, one way to carry them out.
//!
//! Each names the turn that it is meant for, so that a stale one does no harm. What changes the position or the players, or runs a
//! turn without somebody's orders, is first only told, and done when the line comes again with `CONFIRM`.

mod addresses;
mod diff;
mod ending;
mod lines;
mod mail;
mod overview;
mod people;
mod position;
mod reveal;
mod roles;
mod secret;
mod sight;
mod time;
mod watchers;

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::sitting::Sitting;
use crate::decisions::time::seats::Parting;
use crate::games::Games;
use crate::mails::notices::PlayerNotice;
use crate::response::{Early, Effect, Responded, Response, said, undone, undone_at, wrong_at};
use musterd_desk::campaign::Awaited;
use musterd_desk::mail::{
    Attachment, CONFIRM, Code, Given, GmAct, GmCommand, Verb, folded, gm_forms, gm_verbs, read_gm_commands,
};
use musterd_dice::{GameId, Seat};
use musterd_engine::alike::meant;
use musterd_engine::journal::{Author, Change, GmRole};
use musterd_engine::orders::OrderUse;
use musterd_report::WIDTH;
use musterd_report::answer::{self, Caret};

/// What came of a command of the GM's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GmAnswer {
    /// The command as written; of several lines the first.
    pub line: String,
    /// What became of it.
    pub end: Effect,
    /// The place in it that the answer is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caret: Option<Caret>,
    /// What there is to say.
    pub paragraphs: Vec<String>,
    /// What is laid out already, below that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
    /// Longer texts that come with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Attachment>,
}

/// A command on its way.
struct GmOrder<'a, 'g> {
    at: &'a mut Sitting<'g>,
    line: &'a str,
    verb: &'static Verb,
    because: &'a str,
    confirmed: bool,
    leads_host: bool,
}

/// Who gives the GM's commands.
#[derive(Debug, Clone, Copy)]
struct Leader {
    /// His part in leading the game.
    role: GmRole,
    /// Whether he is the host's own GM, or at its command line.
    leads_host: bool,
}

impl<'g> Deref for GmOrder<'_, 'g> {
    type Target = Sitting<'g>;

    fn deref(&self) -> &Sitting<'g> {
        self.at
    }
}

impl DerefMut for GmOrder<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.at
    }
}

impl GmOrder<'_, '_> {
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
pub(crate) type Answers = (Vec<GmAnswer>, Option<String>);

impl Games {
    /// The steps that come of the GM's commands from the command line, and what is to be answered.
    pub(crate) fn command_gm(
        &mut self,
        game: &GameId,
        text: &str,
        yes: bool,
    ) -> Result<(Batch, Answers), HostError> {
        let (given, unread) = read_gm_commands(text);
        let mut batch = Batch::default();
        let mut at = Sitting::begin(self, game, &mut batch)?;
        let answers = at.obey_gm(&given, yes, Leader { role: GmRole::Owner, leads_host: true })?;
        at.close_unless_empty();
        self.run_if_ready(game, &mut batch)?;
        Ok((batch, (answers, unread)))
    }

    /// What is told of commands that were carried out so. Mail of the game went to these addresses `before`.
    pub(crate) fn commanded(
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
}

/// That a word begins no command of the GM's, and which one may be meant.
pub(super) fn not_a_command(word: &str) -> String {
    match meant(word, gm_verbs().map(|verb| verb.word)) {
        Some(near) => format!("`{word}` is no command: did you mean {near}? HELP lists the commands."),
        None => format!("`{word}` is no command. HELP lists the commands."),
    }
}

impl Sitting<'_> {
    /// Carries out commands in the order given.
    fn obey_gm(
        &mut self,
        given: &[Given<GmCommand>],
        yes: bool,
        leader: Leader,
    ) -> Result<Vec<GmAnswer>, HostError> {
        let Leader { role, leads_host } = leader;
        let mut answers = Vec::new();
        for Given { line, verb, command } in given {
            let is_left = answers.iter().any(|answer: &GmAnswer| answer.end != Effect::Done);
            let response = match command {
                Ok(_) if role < verb.least() => self.not_for(role, verb),
                // What goes out or runs can't be meant without what was to be done before it.
                Ok(GmCommand { act: GmAct::Approve(_) | GmAct::Process(_), .. }) if is_left => {
                    Response::wrong(
                        "A line above this one was not done: nothing was sent, and no turn has run.",
                    )
                }
                Ok(command) => {
                    let GmCommand { act, because, confirmed } = command;
                    let confirmed = *confirmed || yes;
                    said(GmOrder { at: self, line, verb, because, confirmed, leads_host }.obey(act))?
                }
                Err(fault) => {
                    let seats: Vec<&str> =
                        self.campaign().charter().players.keys().map(Seat::as_str).collect();
                    Response::unread(fault, &seats)
                }
            };
            // The rest of the line may tell of a position that nobody may know.
            let command = line.split_whitespace().next();
            tracing::info!(game = %self.game, command, end = ?response.effect, "the GM's command");
            let caret = response.caret(line);
            let Response { effect: end, paragraphs, tables, page, files, .. } = response;
            let page = answer::below(&tables, &page);
            answers.push(GmAnswer { line: line.clone(), end, caret, paragraphs, page, files });
        }
        Ok(answers)
    }
}

impl GmOrder<'_, '_> {
    fn obey(&mut self, act: &GmAct) -> Responded {
        match act {
            GmAct::Status => self.gm_status(),
            GmAct::Help(None) => self.gm_help(),
            GmAct::Help(Some(word)) => self.gm_help_on(word),
            GmAct::Process(turn) => self.process(turn),
            GmAct::Pause(turn) => self.pause(turn.as_deref()),
            GmAct::Resume(turn) => self.resume(turn.as_deref()),
            GmAct::Deadline(turn, at) => self.set_deadline(turn, *at),
            GmAct::Extend(turn, minutes) => self.extend(turn, *minutes),
            GmAct::Replace(seat, who) => self.replace_player(seat, who, Parting::Free),
            GmAct::Eject(seat) => self.replace_player(seat, "open", Parting::Barred),
            GmAct::Admit(address) => self.admit_guest(address),
            GmAct::Refuse(address) => self.refuse_watcher(address),
            GmAct::AddAddress(address, role) => self.add_gm_address(address, *role),
            GmAct::DropAddress(address) => self.drop_gm_address(address),
            GmAct::Secret(seat) => self.reissue(seat),
            GmAct::Draft(turn, None) => self.show_draft(turn),
            GmAct::Draft(turn, Some(text)) => self.show_amended(turn, text),
            GmAct::Line { turn, seat, line, change } => self.change_line(turn, seat, *line, change),
            GmAct::Approve(turn) => self.approve(turn),
            GmAct::Amend(turn, text) => self.amend(turn, text),
            GmAct::Narrate(turn, to, words) => self.narrate(turn, to, words),
            GmAct::Press(to, words) => self.write_to(to, words),
            GmAct::End(turn, results) => self.end(turn, results),
            GmAct::Cancel(turn) => self.cancel(turn),
            GmAct::Archive => self.archive(),
            GmAct::Reveal(turn) => self.reveal(turn),
            GmAct::Rollback(turn) => self.roll_back(turn),
            GmAct::Rerun(turn, text) => self.rerun(turn, text),
            GmAct::Reroll(label) => self.ask_reroll(label),
            GmAct::Broadcast(words) => self.broadcast(words),
            GmAct::Terms(options) => self.set_terms(options),
            GmAct::Overview => self.see_everything(),
            GmAct::Report(seat, turn) => self.see_report(seat, turn.as_deref()),
            GmAct::Orders(seat) => self.see_orders(seat),
            GmAct::History(seat) => self.see_history(seat),
            GmAct::Journal => self.see_journal(),
            GmAct::Audit => self.see_audit(),
            GmAct::Luck => self.see_luck(),
            GmAct::Rules(asked) => {
                let game = self.game.clone();
                self.games.rules(Some(&game), asked)
            }
            GmAct::Scenario => {
                let game = self.game.clone();
                self.games.scenario(Some(&game))
            }
            GmAct::Health => self.see_health(),
        }
    }

    /// Journals what the GM settled.
    fn settle(&mut self, change: Change, what: impl Into<String>) -> Result<(), HostError> {
        let text = self.logged(what);
        self.arrange(Author::Gm, change, text)
    }

    /// Tells every person in the game something; how many they are.
    fn tell_all(&mut self, subject: &str, paragraphs: &[String]) -> Result<usize, HostError> {
        let before = self.step.packets.len();
        self.mail(|clerk| clerk.tell_all(|_, _| PlayerNotice::new(subject, paragraphs.to_vec())))?;
        Ok(self.step.packets.len() - before)
    }

    /// The open turn, or the one that ran and waits for approval, if it is the one named.
    fn turn_meant(&mut self, asked: &str) -> Result<u32, Early> {
        let campaign = self.campaign();
        let window = campaign.window().map(|window| (window.t, window.name.to_string()));
        let awaited = campaign.awaited().map(|awaited| (awaited.t, awaited.name.to_string()));
        let draft = || campaign.draft().map(|draft| (draft.t, draft.name.to_string()));
        let Some((t, name)) = window.or(awaited).or_else(draft) else {
            return undone("The game is over: no turn is open.");
        };
        if asked == t.to_string() || asked == name {
            return Ok(t);
        }
        undone_at(asked, format!("The open turn is {t} ({name}), not {asked}."))
    }

    /// The same where orders have to be taken for it.
    fn window_meant(&mut self, asked: &str) -> Result<u32, Early> {
        let t = self.turn_meant(asked)?;
        if self.campaign().window().is_some() {
            return Ok(t);
        }
        self.not_while_closed()?;
        undone(format!(
            "Turn {t} has run, and its dispatches wait for you: DRAFT {t} shows them, APPROVE {t} sends them."
        ))
    }

    /// `HELP`: every command, with examples from this game, and what its rules let the GM amend.
    fn gm_help(&mut self) -> Responded {
        let campaign = self.campaign();
        let forms = campaign.charter().players.keys().next().map_or_else(Vec::new, gm_forms).join("\n");
        let mut paragraphs = vec![
            "Write commands on lines of their own, before anything else. A turn is the open one's number or name.".to_owned(),
            forms,
        ];
        let change = |one: &OrderUse| format!("{}: {}", one.lines.join(", "), one.does);
        let changes: Vec<String> = campaign.game().amendments().iter().map(change).collect();
        if !changes.is_empty() {
            paragraphs.push("AMEND can change in this game, several with ; between them:".to_owned());
            paragraphs.push(changes.join("\n"));
        }
        let levels = campaign.game().levels();
        if levels.iter().next().is_some() {
            let about = levels
                .words()
                .zip(levels.iter().rev())
                .map(|(word, level)| format!("{word}: {}", level.about));
            paragraphs.push("Computer players of this game, for REPLACE and TERMS --missing:".to_owned());
            paragraphs.push(about.collect::<Vec<_>>().join("\n"));
        }
        paragraphs.push(format!(
            "Behind any command BECAUSE and a reason may stand; players read it, and it is in the public log. What changes the position or \
             the players is told first, and done when the line comes again with {CONFIRM} at its end."
        ));
        Ok(Response::of(paragraphs))
    }

    /// `HELP word`: how a command is written, what it does, and whether it is confirmed.
    fn gm_help_on(&self, word: &str) -> Responded {
        let Some(verb) = gm_verbs().find(|verb| verb.word == word) else {
            return wrong_at(word, not_a_command(word));
        };
        let seat = self.campaign().charter().players.keys().next();
        let seat = seat.map_or("SEAT", |seat| seat.as_str());
        let does = verb.help.iter().map(|(form, does)| format!("{form}: {does}."));
        let mut told = vec![format!("Write {}.", verb.form.replace("SEAT", seat))];
        told.extend(does);
        told.extend((verb.code == Code::Repeated).then(|| {
            format!("It is told first, and done when the line comes again with {CONFIRM} at its end.")
        }));
        if word == "AMEND" {
            let changes = self.campaign().game().amendments();
            told.extend(changes.iter().map(|one| format!("{}: {}", one.lines.join(", "), one.does)));
        }
        Ok(Response::of(told))
    }

    /// Nothing may change a turn once it is closed and its dice wait for a public beacon.
    fn not_while_closed(&mut self) -> Result<(), Early> {
        let campaign = self.campaign();
        let Some(Awaited { t, .. }) = campaign.awaited() else { return Ok(()) };
        undone(format!(
            "Turn {t} is closed, and what its dice are bound to can't change: neither its orders nor its time nor the position. The game \
             waits for {}.",
            campaign.waits_for()
        ))
    }
}
