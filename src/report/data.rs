//! A report as JSON data, for programs that help a player: it contains what the report says and no more. The format is published in
//! `docs/schema/dispatch.json`. The seat's secret is not in it, so a player can show it to anybody.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::letters::{BoundLeaves, Dispatch, Final, WindowShown, form_of};
use musterd_dice::{Beacon, Digest, GameId, Seat, Witness};
use musterd_engine::briefing::{Fact, Part, Section};

/// The name and version of the format.
const SCHEMA: &str = "musterd/dispatch/1";

/// Facts about the game that a report leaves out because its reader knows them.
pub struct Origin<'a> {
    /// The ruleset's name, which determines the format of [`Origin::view`].
    pub ruleset: &'a str,
    /// The scenario, as `ruleset/name`.
    pub scenario: &'a str,
    /// The position as the seat knows it.
    pub view: &'a RawValue,
}

#[derive(Serialize)]
struct Data<'a> {
    schema: &'static str,
    game: &'a GameId,
    ruleset: &'a str,
    scenario: &'a str,
    seat: &'a Seat,
    title: &'a str,
    date: &'a str,
    to: &'a str,
    /// What the host and its game master say in their own words.
    notices: &'a [String],
    standing: &'a [Fact],
    sections: Vec<DataSection<'a>>,
    /// What the log doesn't bind: the letters of players; of a last report, the statistics of the game's dice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further: Vec<DataSection<'a>>,
    window: Option<DataWindow<'a>>,
    /// The order form with its frame, a line each.
    form: Vec<&'a str>,
    results: &'a [String],
    closed: Option<DataClosed<'a>>,
    revealed: Option<DataRevealed<'a>>,
    chain: Chain<'a>,
    view: &'a RawValue,
}

#[derive(Serialize)]
struct DataSection<'a> {
    title: &'a str,
    parts: Vec<&'a Part>,
}

#[derive(Serialize)]
struct DataWindow<'a> {
    t: u32,
    title: &'a str,
    part: super::letters::Part,
    deadline: Option<&'a str>,
}

#[derive(Serialize)]
struct DataClosed<'a> {
    t: u32,
    leaves: &'a BTreeMap<Seat, Digest>,
    root: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    beacon: Option<&'a Beacon>,
    level: String,
    salted: Vec<&'a Seat>,
}

#[derive(Serialize)]
struct DataRevealed<'a> {
    t: u32,
    secret: &'a Digest,
}

#[derive(Serialize)]
struct Chain<'a> {
    index: u64,
    head: &'a Digest,
}

/// The report after an adjudication.
pub fn dispatch(mail: &Dispatch, origin: &Origin<'_>) -> String {
    let form = form_of(mail);
    written(&Data {
        schema: SCHEMA,
        game: &mail.to.game,
        ruleset: origin.ruleset,
        scenario: origin.scenario,
        seat: &mail.to.seat,
        title: &mail.briefing.title,
        date: &mail.briefing.date,
        to: &mail.to.title,
        notices: &mail.said,
        standing: &mail.briefing.standing,
        sections: sections(&mail.briefing.sections),
        further: sections(&mail.further),
        window: Some(window(&mail.window)),
        form: form.lines().collect(),
        results: &[],
        closed: mail.closed.as_ref().map(closed),
        revealed: mail.revealed.as_ref().map(|known| DataRevealed { t: known.t, secret: &known.secret }),
        chain: chain(&mail.seen),
        view: origin.view,
    })
}

/// The last report.
pub fn final_report(mail: &Final, origin: &Origin<'_>) -> String {
    written(&Data {
        schema: SCHEMA,
        game: &mail.to.game,
        ruleset: origin.ruleset,
        scenario: origin.scenario,
        seat: &mail.to.seat,
        title: &mail.briefing.title,
        date: &mail.briefing.date,
        to: &mail.to.title,
        notices: &mail.said,
        standing: &mail.briefing.standing,
        sections: sections(&mail.briefing.sections),
        further: sections(&mail.further),
        window: None,
        form: Vec::new(),
        results: &mail.results,
        closed: mail.closed.as_ref().map(closed),
        revealed: None,
        chain: chain(&mail.seen),
        view: origin.view,
    })
}

fn written(data: &Data<'_>) -> String {
    #[expect(clippy::expect_used, reason = "plain data: no map with other keys than strings")]
    let mut text = serde_json::to_string(data).expect("a report is plain data");
    text.push('\n');
    text
}

/// The contents of the sections in words and tables. Maps are left out: `view` contains the positions.
fn sections(all: &[Section]) -> Vec<DataSection<'_>> {
    all.iter()
        .map(|section| (section, DataSection { title: &section.title, parts: without_maps(section) }))
        .filter(|(section, data)| section.is_chapter() || !data.parts.is_empty())
        .map(|(_, data)| data)
        .collect()
}

fn without_maps(section: &Section) -> Vec<&Part> {
    section.parts.iter().filter(|part| !matches!(part, Part::Map(_))).collect()
}

fn window(window: &WindowShown) -> DataWindow<'_> {
    let deadline = window.deadline.as_ref().map(|deadline| deadline.at.as_str());
    DataWindow { t: window.t, title: &window.title, part: window.part, deadline }
}

fn closed(closed: &BoundLeaves) -> DataClosed<'_> {
    DataClosed {
        t: closed.t,
        leaves: &closed.leaves,
        root: closed.root,
        beacon: closed.beacon.as_ref(),
        level: closed.assurance.level.to_string(),
        salted: closed.assurance.salted.iter().collect(),
    }
}

const fn chain(witness: &Witness) -> Chain<'_> {
    Chain { index: witness.index, head: &witness.head }
}
