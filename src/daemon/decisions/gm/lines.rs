//! The GM's changes of single lines of dispatches that wait. What a seat knows by the rules stays as it is: only what it is told changes.

use super::GmOrder;
use super::people::no_seat;
use crate::HostError;
use crate::response::{Early, Responded, done, undone};
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Attachment;
use musterd_dice::{LineChange, LineEdit, Seat};
use musterd_engine::briefing::{Becomes, Briefing, Part, Section, Table};
use musterd_engine::journal::Author;
use musterd_report::text;

/// The file with the numbers of the lines that can be changed.
pub(super) const LINES: &str = "lines.txt";
/// How much of a line an answer repeats, in characters.
const SHOWN: usize = 120;
/// The longest line of the GM's own, in characters.
const LONGEST: usize = 2000;

impl GmOrder<'_, '_> {
    /// `STRIKE`, `REWORD`, `ADD`, `RESTORE`: a line of a seat's dispatch.
    pub(super) fn change_line(
        &mut self,
        turn: &str,
        seat: &Seat,
        number: u32,
        change: &LineChange,
    ) -> Responded {
        let t = self.turn_meant(turn)?;
        if self.campaign().draft().is_none() {
            return undone(format!(
                "No dispatches wait: their lines can be changed only after turn {t} has run and before they go out, in a game with --approval."
            ));
        }
        let edit = self.edit_of(t, seat, number, change)?;
        let (told, line) = (in_words(number, seat, change), edit.line.clone());
        let secrets = self.chain()?;
        let (change, commit) =
            self.campaign().editing(&secrets, edit).map_err(|e| HostError::campaign(&self.game, e))?;
        // Whose line it is, and what it says, is nobody else's business while the game runs: the log commits to it.
        let text = format!("edit {commit} {}", self.because);
        self.arrange(Author::Gm, change, text.trim_end())?;
        done(format!("{told} `{}`", beginning(&line)))
    }

    /// What is to become of a line, by its number in the file.
    fn edit_of(&mut self, t: u32, seat: &Seat, number: u32, change: &LineChange) -> Result<LineEdit, Early> {
        let campaign = self.campaign();
        if !campaign.charter().players.contains_key(seat) {
            return no_seat(campaign, seat);
        }
        if let LineChange::Reworded(words) | LineChange::Added(words) = change
            && words.chars().count() > LONGEST
        {
            return undone(format!(
                "A line of yours may have {LONGEST} characters at most: NARRATE takes longer texts."
            ));
        }
        let report = campaign.game().brief(seat);
        let lines = report.lines();
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let Some((at, line)) = at.and_then(|at| Some((at, *lines.get(at)?))) else {
            return undone(format!(
                "The dispatch of {seat} has no line {number}: DRAFT {t} brings {LINES}, which numbers its {} lines.",
                lines.len()
            ));
        };
        let before = lines[..at].iter().filter(|other| **other == line).count();
        Ok(LineEdit {
            t,
            seat: seat.clone(),
            line: line.to_owned(),
            nth: u32::try_from(before).unwrap_or(u32::MAX),
            change: change.clone(),
        })
    }
}

/// As much of a line as shows which it is.
fn beginning(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", line[..at].trim_end()),
        None => line.to_owned(),
    }
}

fn in_words(number: u32, seat: &Seat, change: &LineChange) -> String {
    match change {
        LineChange::Struck => format!("Line {number} of the dispatch of {seat} will not be told:"),
        LineChange::Reworded(words) => {
            format!("Line {number} of the dispatch of {seat} will say `GM: {words}` instead of")
        }
        LineChange::Added(words) => {
            format!("The dispatch of {seat} will say `GM: {words}` behind line {number},")
        }
        LineChange::Restored => {
            format!("Line {number} of the dispatch of {seat} will be told as the program writes it:")
        }
    }
}

/// The GM's changes of lines that aren't there any more, as the position was changed since: they are told, or not, as the program writes them now.
pub(super) fn lost_lines(campaign: &Campaign) -> Vec<String> {
    let of = |seat: &Seat| {
        let lost = campaign.brief(seat).1.lost.into_iter();
        let told = |line: String| {
            format!(
                "Your change of a line to {seat} counts no more, as that line isn't there now: `{}`",
                beginning(&line)
            )
        };
        lost.map(told).collect::<Vec<_>>()
    };
    campaign.charter().players.keys().flat_map(of).collect()
}

/// What the GM did to a line, for the rows below it.
fn changed_in_words(becomes: Becomes) -> Vec<String> {
    let Becomes { struck, instead, behind } = becomes;
    let struck = match instead {
        Some(words) => Some(format!("REWORDED: GM: {words}")),
        None => struck.then(|| "STRUCK: it isn't told.".to_owned()),
    };
    struck.into_iter().chain(behind.into_iter().map(|words| format!("ADDED: GM: {words}"))).collect()
}

/// The lines of all dispatches that wait, with their numbers; none where no dispatches wait.
pub(super) fn numbered_lines(campaign: &Campaign) -> Option<Attachment> {
    let draft = campaign.draft()?;
    let sections = campaign.charter().players.keys().map(|seat| {
        let mut table = Table::new(&[">Number", "Line, as the program writes it"]);
        for (at, (line, becomes)) in campaign.lines_by_hand(seat).into_iter().enumerate() {
            table.row([(at + 1).to_string(), line]);
            for changed in changed_in_words(becomes) {
                table.row([String::new(), changed]);
            }
        }
        Section::of(format!("To {seat}"), vec![Part::Table(table)])
    });
    let page = Briefing { sections: sections.collect(), ..Briefing::default() };
    let how = format!(
        "The lines of the dispatches of turn {t} that you can change. STRIKE {t}, a seat and a number takes one out; REWORD {t} and ADD {t} tell words of \
         yours, in its place or behind it; RESTORE {t} takes that back. What you changed stands below its line.",
        t = draft.t
    );
    Some(Attachment::text(LINES, format!("{}\n\n{}", text::page(&[how]).trim_end(), text::sections(&page))))
}
