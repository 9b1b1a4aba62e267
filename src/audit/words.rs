//! An inquiry in words, for somebody who trusts nobody and has never seen the program.

use std::collections::BTreeMap;

use super::case::{Case, ExaminedFile};
use super::compare::{Compared, Newer};
use super::contradiction::Contradiction;
use super::difference::{Difference, Divergence, Unable};
use super::fate::Fate;
use super::in_time::InTime;
use super::inquiry::Inquiry;
use super::inventory::{facts, proofs, sources, unwitnessed};
use super::mine::{SentMail, Story, StoryTurn};
use super::place::short;
use super::replay::Replayed;
use super::retold::Retold;
use super::turns;
use super::wording::{MOST_TOLD, at_most, items, ranges};
use musterd_dice::audit::{self, Fault, Place};
use musterd_dice::{LineChange, LineEdit};
use musterd_engine::briefing::{Item, Part, Section};
use musterd_report::statistics;
use musterd_report::text::{listed, sentence};
use musterd_text::nouns::{count, counted};

/// Games of more turns than these are summed up, and only what is wrong is listed.
const MOST_TURNS: usize = 40;
/// What proofs are.
const PROOFS: &str = "Each roll was shown to be one of those that were committed to in the log before anybody was told of them.";
/// What the secrets of an escrow open, and what they don't.
const ESCROW: &str = " The secrets that you brought are this game's: by them the dice of proofs are thrown again, and receipts held against the \
    orders that came with them. All dice of a turn take every seat's orders, and only the host has these.";
/// One forged entry makes every head behind it differ: so many of them are told.
const MOST_HEADS: usize = 3;

/// The whole inquiry as the sections of a page.
pub fn sections(inquiry: &Inquiry, allow_unrevealed: bool) -> Vec<Section> {
    let mut sections = vec![Section::of("What was read", vec![items(false, sources(&inquiry.sources))])];
    for case in &inquiry.cases {
        sections.extend(of_case(case, allow_unrevealed));
    }
    sections.push(Section::of("In short", verdict(inquiry, allow_unrevealed)));
    sections
}

fn of_case(case: &Case, allow_unrevealed: bool) -> Vec<Section> {
    let name =
        case.game.as_ref().map_or_else(|| "A game without a name".to_owned(), |game| format!("Game {game}"));
    let mut sections =
        vec![Section::chapter(name), Section::of("What there is", vec![Part::Facts { facts: facts(case) }])];
    if let Some(file) = case.main_file() {
        sections.push(turns::turn_by_turn(&file.examination, &BTreeMap::new(), MOST_TURNS));
    }
    if !case.proofs.is_empty() {
        let facts = proofs(case);
        sections.push(Section::of("Proofs of own dice", vec![Part::Facts { facts }, Part::text(PROOFS)]));
    }
    let replays: Vec<Part> =
        case.files.iter().filter_map(|file| played_again(case, file)).map(Part::text).collect();
    if !replays.is_empty() {
        sections.push(Section::of("Played again", replays));
    }
    sections.extend(case.statistics.iter().flat_map(statistics::in_brief));
    if let Some(story) = &case.mine {
        sections.push(Section::of(format!("What became of the mails of {}", story.seat), mine(story)));
    }
    let to_ask = to_ask(case);
    if !to_ask.is_empty() {
        sections.push(Section::of("What is to be asked", vec![items(true, to_ask)]));
    }
    let wrong = wrongs(case);
    if !wrong.is_empty() {
        sections.push(Section::of("What is wrong", vec![items(true, wrong)]));
    }
    let unknown = unknown(case, allow_unrevealed);
    if !unknown.is_empty() {
        sections.push(Section::of("What nobody can tell from this", vec![items(false, unknown)]));
    }
    sections
}

fn played_again(case: &Case, file: &ExaminedFile) -> Option<String> {
    let played = in_words(file.replayed.as_ref()?);
    Some(match &file.replayed_from {
        Some(copy) => format!("By the rules in {}: {played}", short(copy)),
        None if case.files.len() > 1 => format!("{}: {played}", short(&file.path)),
        None => played,
    })
}

fn in_words(replayed: &Replayed) -> String {
    let done = format!(
        "{}{} came out as the file says, event for event and die for die.",
        count(replayed.adjudications, "adjudication"),
        match replayed.amendments {
            0 => String::new(),
            n => format!(" and {}", counted(n, "amendment of the GM's", "amendments of the GM's")),
        },
    );
    let done = [done, told_in_words(&replayed.told), edits_in_words(&replayed.edits)]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    match (&replayed.difference, &replayed.unable) {
        (Some(difference), _) => {
            format!(
                "{done} The first thing that did not is at {}; what follows it was not looked at.",
                difference.place
            )
        }
        (None, Some(unable)) if replayed.adjudications == 0 => format!("Not played again: {unable}."),
        (None, Some(unable)) => format!("{done} {}.", sentence(&unable.to_string())),
        (None, None) => format!("{done} The rules, the orders and the dice make just this game."),
    }
}

/// How much of what was said in a host's own words is shown to people.
const MOST_SAID: usize = 20;
/// How much of each, in characters.
const LONGEST_SAID: usize = 200;

/// What comparing what seats were told came to; nothing where nothing was bound.
fn told_in_words(told: &Retold) -> String {
    let Retold { facts, sentences, other_wording, replaced, said, differences: _ } = told;
    let mut words = Vec::new();
    if *facts > 0 {
        words.push(format!("What {} told is what its seat witnessed by the rules.", count(*facts, "report")));
    }
    if *sentences > 0 {
        words.push(format!(
            "The sentences of {} are those that this program makes.",
            count(*sentences, "mail")
        ));
    }
    if *other_wording > 0 {
        let mails = count(*other_wording, "mail");
        words.push(format!(
            "The sentences of {mails} were not compared: another wording of the program made them."
        ));
    }
    if *replaced > 0 {
        words.push(format!(
            "{} answered orders that were replaced later, and could not be compared.",
            sentence(&count(*replaced, "receipt"))
        ));
    }
    if !said.is_empty() {
        let shown = |(t, words): &(u32, String)| {
            let words: String = words.trim().chars().take(LONGEST_SAID).collect();
            format!("of t {t}, \"{words}\"")
        };
        let first: Vec<String> = said.iter().take(MOST_SAID).map(shown).collect();
        let more = match said.len().saturating_sub(MOST_SAID) {
            0 => String::new(),
            more => format!(", and {more} more, which --json lists"),
        };
        words.push(format!(
            "In the host's and the game master's own words, which no rule gives: {}{more}.",
            first.join("; ")
        ));
    }
    words.join(" ")
}

/// What the game master changed by hand in what seats were told; nothing where nothing was.
fn edits_in_words(edits: &[LineEdit]) -> String {
    if edits.is_empty() {
        return String::new();
    }
    let short = |words: &str| words.trim().chars().take(LONGEST_SAID).collect::<String>();
    let shown = |LineEdit { t, seat, line, change, .. }: &LineEdit| {
        let line = short(line);
        let became = match change {
            LineChange::Struck => format!("struck \"{line}\""),
            LineChange::Reworded(words) => format!("reworded \"{line}\" as \"{}\"", short(words)),
            LineChange::Added(words) => format!("added \"{}\" behind \"{line}\"", short(words)),
            LineChange::Restored => format!("told \"{line}\" after all"),
        };
        format!("of t {t}, to {seat}, {became}")
    };
    let first: Vec<String> = edits.iter().take(MOST_SAID).map(shown).collect();
    let more = match edits.len().saturating_sub(MOST_SAID) {
        0 => String::new(),
        more => format!(", and {more} more, which --json lists"),
    };
    format!("The game master changed lines of reports before they were mailed: {}{more}.", first.join("; "))
}

fn mine(story: &Story) -> Vec<Part> {
    let mut parts = Vec::new();
    for turn in &story.turns {
        parts.push(Part::Heading { text: heading(turn) });
        let mut told: Vec<Item> = turn.mails.iter().map(sent).collect();
        told.extend(turn.unexplained.iter().map(|entry| Item::of(entry.in_words())));
        told.push(Item::of(format!("So {}.", turn.counted)));
        parts.push(items(false, told));
    }
    if !story.elsewhere.is_empty() {
        parts.push(Part::Heading { text: "Of no turn that can be told".to_owned() });
        parts.push(items(false, story.elsewhere.iter().map(sent).collect()));
    }
    if parts.is_empty() {
        parts.push(Part::text("Nothing here is of this seat's: is that its name in the game?"));
    }
    parts
}

fn heading(turn: &StoryTurn) -> String {
    match &turn.name {
        Some(name) => format!("t {}, {name}", turn.t),
        None => format!("t {}", turn.t),
    }
}

fn sent(sent: &SentMail) -> Item {
    Item { text: sent.mail.to_string(), details: vec![sentence(&sent.fate.to_string())] }
}

/// What the stories of the seats whose mails are not told one by one leave to ask, but for what is wrong by itself.
fn to_ask(case: &Case) -> Vec<Item> {
    let mut all = Vec::new();
    for story in &case.others {
        let seat = &story.seat;
        let place = |t: Option<u32>| t.map_or_else(|| seat.to_string(), |t| format!("{seat}, t {t}"));
        let is_asked = |fate: &Fate| fate.is_trouble() && !matches!(fate, Fate::Changed | Fate::Dropped);
        let mails = story.mails().filter(|(_, sent)| is_asked(&sent.fate));
        all.extend(mails.map(|(t, sent)| {
            let details = vec![sentence(&sent.fate.to_string())];
            Item { text: format!("{}: {}", place(t), sent.mail), details }
        }));
        all.extend(
            story.foreign().map(|(t, entry)| Item::of(format!("{}: {}", place(Some(t)), entry.in_words()))),
        );
    }
    let rest = all.len().saturating_sub(MOST_TOLD);
    all.truncate(MOST_TOLD);
    let more = (rest > 0).then(|| counted(rest, "thing more is", "things more are"));
    all.extend(more.map(|more| Item::of(format!("{more} to be asked; --json lists them all."))));
    all
}

/// Everything that is wrong, the most telling first of each sort.
fn wrongs(case: &Case) -> Vec<Item> {
    let mut told = Vec::new();
    for file in &case.files {
        let before = if case.files.len() > 1 { format!("{}, ", short(&file.path)) } else { String::new() };
        let in_words = |fault: &audit::Finding| match (before.as_str(), fault.place) {
            // `t 4` is a name: it has no capital.
            ("", Place::Turn(_) | Place::Rerun(..)) => format!("{fault}."),
            ("", _) => format!("{}.", sentence(&fault.to_string())),
            (before, _) => format!("{before}{fault}."),
        };
        let (one, many) = ("thing that is wrong in this file", "things that are wrong in this file");
        told.extend(at_most(MOST_TOLD, file.examination.faults().map(in_words).collect(), one, many));
        let replayed = file.replayed.iter();
        told.extend(
            replayed
                .flat_map(|replayed| replayed.difference.iter().chain(&replayed.told.differences))
                .map(difference),
        );
    }
    let forged = case.proofs.iter().flat_map(|proven| {
        let before = format!("{}, the proofs of {}", short(&proven.path), proven.seat);
        proven.findings.iter().map(move |finding| format!("{before}, {finding}."))
    });
    let (one, many) = ("thing that is wrong in proofs", "things that are wrong in proofs");
    told.extend(at_most(MOST_TOLD, forged.collect(), one, many));
    let (heads, others): (Vec<_>, Vec<_>) = case.contradictions.iter().partition(|c| c.index().is_some());
    let in_words = |all: Vec<&Contradiction>| all.iter().map(|found| format!("{found}.")).collect();
    let (one, many) = ("head of the log that differs", "heads of the log that differ");
    told.extend(at_most(MOST_HEADS, in_words(heads), one, many));
    told.extend(at_most(MOST_TOLD, in_words(others), "contradiction", "contradictions"));
    told
}

fn difference(Difference { place, divergence }: &Difference) -> Item {
    let both = |shown: &Option<String>, again: &Option<String>| {
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        vec![format!("The file has: {}", or_none(shown)), format!("The rules make: {}", or_none(again))]
    };
    let details = match divergence {
        Divergence::Event { shown, again, .. } | Divergence::Roll { shown, again, .. } => both(shown, again),
        _ => Vec::new(),
    };
    Item { text: format!("Played again, {place}: {divergence}."), details }
}

/// What remains open, and what would settle it.
fn unknown(case: &Case, allow_unrevealed: bool) -> Vec<Item> {
    let mut open = match case.main_file() {
        Some(file) => unknown_of(case, file, allow_unrevealed),
        None => vec![
            "Whether the dice fell as they had to, and whether each mail counted: that takes the game's audit file, which the host \
             makes with `musterd audit GAME --out FILE`. Without it mails can only contradict each other."
                .to_owned(),
        ],
    };
    // The proofs that hang in the air.
    open.extend(unwitnessed(case).into_iter().map(|(seat, turns)| {
        format!(
            "Whether the proofs of {seat} for t {} are of the log that everybody was shown: no mail and no audit file here shows any \
             of its entries that they stand on. The dispatch that they came with does.",
            ranges(&turns)
        )
    }));
    open.extend(case.missing.iter().map(|(seat, missing)| {
        format!(
            "Whether {seat} was told of everything: among these mails no report asks for the orders of t {}. A turn that needed \
             no orders of the seat has none; a report that was deleted proves nothing either.",
            ranges(missing)
        )
    }));
    open.into_iter().map(Item::of).collect()
}

/// What remains open of a game with this audit file.
fn unknown_of(case: &Case, file: &ExaminedFile, allow_unrevealed: bool) -> Vec<String> {
    let mut open = Vec::new();
    let findings = &file.examination.findings;
    let unrevealed = findings.iter().filter(|finding| finding.fault == Fault::Unrevealed);
    let unrevealed: Vec<u32> = unrevealed.filter_map(|finding| turns::turn_of(finding.place)).collect();
    if !unrevealed.is_empty() {
        let allowed = if allow_unrevealed { ", which was allowed" } else { "" };
        open.push(format!(
            "What fell in t {}: not revealed yet{allowed}. The log fixes it all the same, and a later file has to fit it.{}",
            ranges(&unrevealed),
            if case.opened { ESCROW } else { "" }
        ));
    }
    if let Some(Newer { last, index, mail }) = &case.newer {
        let file = short(&file.path);
        let shows = match index {
            Some(index) => format!("entry {index}"),
            None => "a head of the log that it doesn't have yet".to_owned(),
        };
        open.push(format!(
            "What happened after log entry {last}, with which {file} ends: {mail} shows {shows}, so the file is older. Ask the host \
             for a newer one."
        ));
    }
    if is_empty(&file.examination) {
        open.push("Anything about dice: no adjudication has closed yet.".to_owned());
    }
    if case.heads == 0 {
        open.push(
            "Whether the host told everybody the same: consistent, not witnessed. Only mails that players kept can show that; give \
             some beside the file."
                .to_owned(),
        );
    }
    if file.replayed.is_none() && file.examination.turns.iter().any(|turn| turn.level.is_some()) {
        open.push(
            "Whether the rules were followed: the dice are checked, and not what was made of them. With --replay every turn is \
             played again."
                .to_owned(),
        );
    }
    open.extend(case.in_time.iter().flat_map(untimed));
    open
}

/// The closes of which these mails don't show that they were told before the beacon's round.
fn untimed(InTime { by_date, undated, untold, .. }: &InTime) -> Vec<String> {
    let all = [
        (
            untold,
            "Whether what the dice of t {} are bound to was told before the beacon's round came: the mail that brought it (\"turn ... is closed\") is not \
             among these. A later dispatch repeats it, and says nothing of when.",
        ),
        (
            by_date,
            "Whether the mail that brought the close of t {} came before the beacon's round: it has no `Received` line that can be read, and its \
             `Date` is the host's own word. If it came to you in time, you know.",
        ),
        (
            undated,
            "Whether the mail that brought the close of t {} came before the beacon's round: it has neither a `Received` line nor a `Date` that can be \
             read. If it came to you in time, you know.",
        ),
    ];
    let told = all.into_iter().filter(|(turns, _)| !turns.is_empty());
    told.map(|(turns, text)| text.replace("{}", &ranges(turns))).collect()
}

fn verdict(inquiry: &Inquiry, allow_unrevealed: bool) -> Vec<Part> {
    let mut parts: Vec<Part> = inquiry
        .damaged
        .iter()
        .map(|(path, why)| Part::text(format!("{} can't be read: {why}.", short(path))))
        .collect();
    if inquiry.overfull {
        parts.push(Part::text("There were more different testimonies than are kept: not all were compared. Look at fewer mails at a time."));
    }
    if inquiry.cases.is_empty() && inquiry.damaged.is_empty() && inquiry.idle.is_empty() {
        parts.push(Part::text(
            "Nothing here speaks of a game: no audit file, and no mail of a host of this program.",
        ));
    }
    parts.extend(inquiry.idle.iter().map(|idle| Part::text(format!("{idle}."))));
    parts.extend(inquiry.cases.iter().map(|case| {
        let name = case.game.as_ref().map_or("?", |game| game.as_str());
        Part::text(format!("{name}: {}", in_short(case, allow_unrevealed)))
    }));
    parts
}

/// What there is to say of a game in a sentence or two.
fn in_short(case: &Case, allow_unrevealed: bool) -> String {
    let wrong = case.count_wrong();
    let unproved =
        case.contradictions.iter().filter(|found| matches!(found, Contradiction::Unproved { .. })).count();
    if wrong > 0 && wrong == unproved {
        let mails = counted(wrong, "mail says", "mails say");
        return format!(
            "{mails} something else than the rest, and nothing shows that the host wrote that. Ask whoever has it where it comes from; all \
             that is shown to be the host's fits."
        );
    }
    if wrong > 0 {
        let wrong = counted(wrong, "thing is wrong", "things are wrong");
        return format!("{wrong}. Ask the host to explain, and keep your mails.");
    }
    if case.has_foreign_orders() {
        let seats = seats(case, |story| story.foreign().next().is_some());
        return format!(
            "orders counted as {seats}'s that no mail here explains, or were taken back. If you sent none, ask the host for the mail \
             that they came in."
        );
    }
    if let Some(doubt) = doubt(case) {
        return format!("nothing contradicts itself, but {doubt}.");
    }
    let Some(file) = case.main_file() else {
        let what = match (case.mails_of_host + case.mails_of_players, case.proofs.len()) {
            (0, _) => "the proofs hold".to_owned(),
            (_, 0) => format!("{} don't contradict each other", of_mails(case)),
            _ => format!("{} don't contradict each other, and the proofs hold", of_mails(case)),
        };
        return format!("{what}. More can't be told without the audit file.");
    };
    let unable = file.replayed.as_ref().and_then(|replayed| replayed.unable.as_ref());
    match unable {
        Some(unable) if file.is_unplayed() => {
            format!("nothing contradicts itself, but the game could not be played again: {unable}.")
        }
        _ if is_empty(&file.examination) => {
            "nothing is verified, for no adjudication has closed yet.".to_owned()
        }
        _ => nothing_wrong(case, file, unable, allow_unrevealed),
    }
}

/// The seats with such a story, in words.
fn seats(case: &Case, is_it: impl Fn(&Story) -> bool) -> String {
    let seats = case.stories().filter(|story| is_it(story)).map(|story| story.seat.to_string());
    listed(&seats.collect::<Vec<_>>())
}

/// What the mails show that two of them may say differently, with its numbers.
fn of_mails(case: &Case) -> String {
    let shown = [(case.heads, "head"), (case.closes, "close"), (case.receipts, "receipt")];
    let shown = shown.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun));
    match &*shown.collect::<Vec<_>>() {
        [] => "the mails show no head, and".to_owned(),
        shown => format!("the mails ({})", listed(shown)),
    }
}

/// What of the fates of the seats' mails is to be asked about.
fn doubt(case: &Case) -> Option<String> {
    let of = |is_it: &dyn Fn(&Fate) -> bool| {
        let seats = seats(case, |story| story.mails().any(|(_, sent)| is_it(&sent.fate)));
        (!seats.is_empty()).then_some(seats)
    };
    if let Some(seats) = of(&|fate| matches!(fate, Fate::RefusedUntold { .. })) {
        return Some(format!(
            "a mail of {seats}'s was refused and none here tells so. If you weren't told, ask the host"
        ));
    }
    if let Some(seats) = of(&|fate| fate.is_trouble() && *fate != Fate::OrdersOrForm) {
        return Some(format!("not every mail of {seats}'s is in the log as it was sent"));
    }
    of(&Fate::is_trouble).map(|seats| {
        format!(
            "whether the log has all orders of {seats}'s can't be told: no dispatch with the form that a mail may just send back is \
             here. Ask the host, or give that dispatch too"
        )
    })
}

/// What of the mails was held against the log of a file and fits it, and what could not be: two parts of what is said when nothing is wrong.
fn witnessed(compared: &Compared) -> (String, String) {
    let Compared { heads, newer_heads, closes, receipts, newer_receipts, without_head, sent, untold } =
        *compared;
    let some = |n: usize, one: &str, many: &str| (n > 0).then(|| counted(n, one, many));
    let fits: Vec<String> = [
        some(heads, "head", "heads"),
        some(closes, "close", "closes"),
        some(receipts, "receipt", "receipts"),
        some(sent, "mail of a player's", "mails of players'"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let open: Vec<String> = [
        some(newer_heads, "head behind its end", "heads behind its end"),
        some(newer_receipts, "receipt that is newer", "receipts that are newer"),
        some(without_head, "mail of the host's without a head", "mails of the host's without a head"),
        some(
            untold,
            "mail of a player's that no answer and no revealed orders tell of",
            "mails of players' that no answer and no revealed orders tell of",
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let fits = match &*fits {
        [] => "no mail was compared with the log".to_owned(),
        fits => format!("and what the mails show fits the log: {} compared", was(fits)),
    };
    let open = if open.is_empty() { String::new() } else { format!(" Not compared: {}.", listed(&open)) };
    (fits, open)
}

/// A list with the verb behind it.
fn was(all: &[String]) -> String {
    let verb = if all.len() == 1 && all[0].starts_with("1 ") { "was" } else { "were" };
    format!("{} {verb}", listed(all))
}

/// That nothing is wrong, and as far as what.
fn nothing_wrong(
    case: &Case,
    file: &ExaminedFile,
    unable: Option<&Unable>,
    allow_unrevealed: bool,
) -> String {
    let hidden = file.examination.findings.len();
    let void = file.examination.turns.iter().filter(|turn| turn.void).count();
    let dice: usize = file.examination.turns.iter().map(|turn| turn.dice).sum();
    let (so_far, older) = match (&case.newer, hidden) {
        (Some(_), _) => {
            (" as far as the file reaches", " The file is older than the mails: ask for a newer one.")
        }
        (None, 0) => ("", ""),
        (None, _) => (" so far", ""),
    };
    let fell = match (hidden, dice) {
        (0, _) => format!(": all {} fell as they had to", counted(dice, "die", "dice")),
        (_, 0) => String::new(),
        _ => format!(": the {} that are revealed fell as they had to", counted(dice, "die", "dice")),
    };
    let (witnessed, not_compared) = witnessed(&case.compared.unwrap_or_default());
    let rest = match hidden {
        0 => String::new(),
        n => format!(" {} not revealed, and so not verified.", counted(n, "turn is", "turns are")),
    };
    let allowed = if hidden > 0 && allow_unrevealed { " That was allowed." } else { "" };
    let void = match void {
        0 => String::new(),
        1 => " 1 adjudication was rolled back, and doesn't count.".to_owned(),
        n => format!(" {n} adjudications were rolled back, and don't count."),
    };
    // How far what is revealed was played is said by what is not.
    let unable = unable.filter(|unable| !matches!(unable, Unable::Unrevealed { .. }));
    let unplayed =
        unable.map(|unable| format!(" The game was not played again: {unable}.")).unwrap_or_default();
    format!(
        "nothing is wrong{so_far}{fell}, {witnessed}.{not_compared}{older}{rest}{allowed}{void}{unplayed}"
    )
}

fn is_empty(examination: &audit::Examination) -> bool {
    examination.findings.iter().any(|finding| finding.fault == Fault::NothingClosed)
}
