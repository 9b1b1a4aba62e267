//! What a seat is told after an adjudication, in every shape: as mail with its attachments, and as the command line shows it.

use serde::{Deserialize, Serialize};

use super::HostError;
use super::admin::Reply;
use super::host::{Host, fault};
use super::mailroom::{About, Mailroom};
use musterd_desk::audit::audit_file;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Attachment;
use musterd_desk::past::{PastTurn, past_turn};
use musterd_desk::reveal::revealed;
use musterd_dice::{GameId, Seat, orders_root};
use musterd_engine::briefing::{Briefing, Map, Part, Section};
use musterd_report::data::{self, Origin};
use musterd_report::letters::{self, AuditFile, Closed, Dispatch, Final, Message, Revealed};
use musterd_report::{html, statistics, text};
use musterd_store::Step;

/// How a report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// As the text of its mail.
    #[default]
    Text,
    /// As the HTML of its mail.
    Html,
    /// Its maps alone, in letters.
    Map,
    /// Its maps alone, drawn.
    Svg,
    /// As data: the JSON that comes with its mail.
    Data,
}

/// A file that comes with every dispatch, unless the host leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Enclosure {
    /// The order form, to be filled in and sent back.
    Form,
    /// The report as data.
    Json,
    /// The deadline for a calendar.
    Ics,
}

impl Enclosure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Form, Self::Json, Self::Ics];
}

/// How large an audit file may be to go with a dispatch, in bytes: what can't be left out of a mail has to stay below what the
/// store takes.
const LARGEST_AUDIT: usize = 100_000;
/// How the name of an audit file ends.
pub(super) const AUDIT_ENDING: &str = ".audit.json";

/// The audit file that goes with dispatches.
pub(super) struct Audit {
    name: String,
    /// None where it is too large.
    text: Option<String>,
}

impl Audit {
    fn place(&self) -> AuditFile {
        match self.text {
            Some(_) => AuditFile::Attached(self.name.clone()),
            None => AuditFile::TooLarge,
        }
    }
}

/// What a seat is told.
pub(super) enum Told {
    /// What happened, and which orders are wanted now.
    Dispatch(Dispatch),
    /// How it ended.
    Final(Final),
}

impl Told {
    /// The same with a word above all else where the turn of this number was rolled back.
    pub(super) fn marked(mut self, void: Option<u32>) -> Self {
        let notices = match &mut self {
            Self::Dispatch(mail) => &mut mail.notices,
            Self::Final(mail) => &mut mail.notices,
        };
        let word =
            |t| format!("Turn {t} was rolled back: this is what was told of it, and none of it counts.");
        notices.splice(..0, void.map(word));
        self
    }

    fn briefing(&self) -> &Briefing {
        match self {
            Self::Dispatch(mail) => &mail.briefing,
            Self::Final(mail) => &mail.briefing,
        }
    }
}

impl Host {
    /// After an adjudication: what is now revealed, the next window, and everybody's dispatch.
    pub(super) fn go_on(&mut self, game: &GameId, step: &mut Step) -> Result<(), HostError> {
        let reveals = self.reveal_by_terms(game, step)?;
        self.open_window(game, step)?;
        let is_over = self.campaign(game)?.results().is_some();
        let audit = if reveals || is_over { self.audit_so_far(game)? } else { None };
        let packets = self.about_with(game, audit.as_ref(), |mailroom, about| {
            let mut packets = mailroom.dispatches(about)?;
            packets.extend(mailroom.computer_orders(about)?);
            Ok(packets)
        })?;
        step.packets.extend(packets);
        Ok(())
    }

    /// The audit file of a game as far as it is revealed; none where nothing is.
    pub(super) fn audit_so_far(&mut self, game: &GameId) -> Result<Option<Audit>, HostError> {
        let campaign = self.campaign(game)?;
        if campaign.revealed() == 0 {
            return Ok(None);
        }
        let (entries, secrets) = (self.entries(game)?, self.chain(game)?);
        let mut file = audit_file(&entries, &secrets, revealed(&entries));
        let mut text = file.to_json();
        if text.len() > LARGEST_AUDIT {
            // What plays the game again is large, and no die depends on it.
            file.replay = None;
            text = file.to_json();
        }
        let text = Some(text).filter(|text| text.len() <= LARGEST_AUDIT);
        Ok(Some(Audit { name: format!("{game}{AUDIT_ENDING}"), text }))
    }

    /// What a seat was told after an adjudication, the last one or that of a past turn, in this shape.
    pub(super) fn report(
        &mut self,
        game: &GameId,
        seat: &Seat,
        turn: Option<&str>,
        shape: Shape,
    ) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let shown = match turn {
            None => self.about(game, |mailroom, about| Ok(mailroom.shown(about, seat, shape, None)))?,
            Some(turn) => {
                let entries = self.ledger.entries(game)?;
                let PastTurn { t, upto, void } = past_turn(&entries, turn).ok_or_else(|| {
                    HostError::usage(format!("`{game}` has no adjudication `{turn}` behind it: give its number or its name, such as 3"))
                })?;
                let past = Campaign::fold(&self.desk, &entries[..upto]).map_err(|e| fault(game, e))?;
                let present = self.replace(game, past)?;
                let void = void.then_some(t);
                let shown = self.about(game, |mailroom, about| Ok(mailroom.shown(about, seat, shape, void)));
                self.replace(game, present)?;
                shown?
            }
        };
        let (subject, text) =
            shown.ok_or_else(|| HostError::usage(format!("there is nothing to report of `{game}` yet")))?;
        Ok(Reply::Report { subject, text })
    }
}

impl Mailroom {
    /// What a seat is to be told of the adjudication that ran last.
    pub(super) fn told(&self, about: &About<'_>, seat: &Seat) -> Option<Told> {
        let campaign = about.campaign;
        let closed = campaign.last().map(|last| Closed {
            t: last.t,
            leaves: last.leaves.clone(),
            root: orders_root(&campaign.charter().game, last.t, &last.leaves),
            beacon: last.beacon.clone(),
            assurance: last.assurance.clone(),
        });
        campaign.last()?;
        let (to, mut briefing, witness) =
            (self.addressee(about, seat), campaign.brief(seat), campaign.witness()?);
        let mut notices = self.before_all_else(about, seat);
        let audit = about.audit.map_or(AuditFile::OnRequest, Audit::place);
        Some(match (campaign.results(), self.window(about, seat)) {
            (Some(results), _) => {
                let results = results.to_vec();
                briefing.sections.extend(statistics::sections(&campaign.statistics()));
                let audit_file = match audit {
                    AuditFile::Attached(name) => Some(name),
                    AuditFile::OnRequest => None,
                    AuditFile::TooLarge => {
                        let game = &campaign.charter().game;
                        notices.push(format!(
                            "The audit file with every secret, order and die is too large for a mail: ask the GM for it. `musterd audit {game}` \
                             on the host's machine writes it."
                        ));
                        None
                    }
                };
                Told::Final(Final { to, briefing, notices, results, audit_file, closed, witness })
            }
            (None, Some(window)) => {
                let form = campaign.game().form(seat).to_vec();
                let public = Some(campaign.revealed()).filter(|t| *t > 0);
                let revealed = public
                    .and_then(|t| Some(Revealed { t, secret: about.secrets.secret(t)?.reveal(), audit }));
                Told::Dispatch(Dispatch { to, briefing, notices, window, form, closed, revealed, witness })
            }
            (None, None) => return None,
        })
    }

    /// The mail that tells it.
    pub(super) fn telling(&self, told: &Told) -> Message {
        match told {
            Told::Dispatch(mail) => letters::dispatch(&self.templates, mail),
            Told::Final(mail) => letters::final_report(&self.templates, mail),
        }
    }

    /// A seat's last report in this shape, with its subject; none where there is nothing to report.
    /// `void` is its number where it was rolled back.
    pub(super) fn shown(
        &self,
        about: &About<'_>,
        seat: &Seat,
        shape: Shape,
        void: Option<u32>,
    ) -> Option<(String, String)> {
        let told = self.told(about, seat)?.marked(void);
        let Message { subject, body, html } = self.telling(&told);
        let shown = match shape {
            Shape::Text => body,
            Shape::Html => html.unwrap_or_default(),
            Shape::Map => text::sections(&maps_alone(told.briefing())),
            Shape::Svg => html::drawing(maps_of(told.briefing())),
            Shape::Data => as_data(about, seat, &told),
        };
        Some((subject, shown))
    }

    /// The files that come with it.
    pub(super) fn enclosures(&self, about: &About<'_>, seat: &Seat, told: &Told) -> Vec<Attachment> {
        let mut files = Vec::new();
        if let Told::Dispatch(mail) = told
            && self.attach.contains(&Enclosure::Form)
        {
            // Its key stands above the form, as in the text: it is the seat's wherever it is sent from.
            let form = format!("{}\n{}\n", mail.to.key_line, letters::form_of(mail));
            files.push(file("orders.txt".to_owned(), "text/plain", form));
        }
        if self.attach.contains(&Enclosure::Json) {
            let (game, t) = (&about.campaign.charter().game, about.campaign.next_t());
            let name = format!("{game}-t{t}-{seat}.json");
            files.push(file(name, "application/json", as_data(about, seat, told)));
        }
        if self.attach.contains(&Enclosure::Ics) {
            files.extend(self.deadline_entry(about, seat));
        }
        if about.campaign.charter().terms.proofs {
            files.extend(proofs(about, seat));
        }
        if let Some(Audit { name, text: Some(text) }) = about.audit {
            files.push(file(name.clone(), "application/json", text.clone()));
        }
        files
    }
}

fn file(name: String, mime: &str, text: String) -> Attachment {
    Attachment { name, mime: mime.to_owned(), bytes: text.into_bytes() }
}

/// A seat's own dice of the adjudication reported, with their proofs.
fn proofs(about: &About<'_>, seat: &Seat) -> Option<Attachment> {
    let leaves = about.leaves.get_or_init(|| about.campaign.leaves_of_rolls(about.secrets));
    let proofs = about.campaign.proofs(about.secrets, leaves, seat)?;
    let name = format!("{}-t{}-{seat}-proofs.json", proofs.game, proofs.t);
    Some(file(name, "application/json", serde_json::to_string(&proofs).ok()?))
}

fn as_data(about: &About<'_>, seat: &Seat, told: &Told) -> String {
    let charter = about.campaign.charter();
    let view = about.campaign.game().published(seat);
    let origin = Origin { ruleset: &charter.ruleset, scenario: &charter.scenario, view: &view };
    match told {
        Told::Dispatch(mail) => data::dispatch(mail, &origin),
        Told::Final(mail) => data::final_report(mail, &origin),
    }
}

/// The maps of a report, each with its section's title.
fn maps_of(briefing: &Briefing) -> impl Iterator<Item = (&str, &Map)> {
    briefing.sections.iter().flat_map(|section| {
        section.parts.iter().filter_map(|part| match part {
            Part::Map(map) => Some((section.title.as_str(), map)),
            _ => None,
        })
    })
}

/// A report of which only the maps are left.
fn maps_alone(briefing: &Briefing) -> Briefing {
    let section =
        |(title, map): (&str, &Map)| Section { title: title.to_owned(), parts: vec![Part::Map(map.clone())] };
    Briefing { sections: maps_of(briefing).map(section).collect(), ..Briefing::default() }
}
