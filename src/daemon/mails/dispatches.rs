//! What a seat is told after an adjudication, in every shape: as mail with its attachments, and as the command line shows it.

use crate::HostError;
use crate::config::enclosure::Enclosure;
use crate::mails::enclosures::{Audit, Shape};
use crate::mails::frame::{ToSeat, as_text, as_wanted};
use crate::mails::mailroom::Clerk;
use crate::mails::mailroom::computer_address;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Attachment;
use musterd_desk::mail::{self, Kind, Mailbox, key_line};
use musterd_dice::told::{Contents, TellingKind};
use musterd_dice::{ChainLines, Digest, Seat, Witness, orders_root};
use musterd_engine::briefing::{Briefing, Map, Part, Section};
use musterd_report::data::{self, Origin};
use musterd_report::letters::History;
use musterd_report::letters::{self, AuditDelivery, BoundLeaves, Dispatch, Final, Message, Revealed};
use musterd_report::{Told, html, statistics, text};
use musterd_store::Packet;

/// What a seat is told.
pub(crate) enum TurnReport {
    /// What happened, and which orders are wanted now.
    Dispatch(Dispatch),
    /// How it ended.
    Final(Final),
}

impl TurnReport {
    /// The same with a word above all else where the turn of this number was rolled back.
    pub(crate) fn marked(mut self, void: Option<u32>) -> Self {
        let said = match &mut self {
            Self::Dispatch(mail) => &mut mail.said,
            Self::Final(mail) => &mut mail.said,
        };
        let word =
            |t| format!("Turn {t} was rolled back: this is what was told of it, and none of it counts.");
        said.splice(..0, void.map(word));
        self
    }

    /// The same with what it tells, set and bound.
    fn bound(mut self, bound: Told) -> Self {
        let told = match &mut self {
            Self::Dispatch(mail) => &mut mail.told,
            Self::Final(mail) => &mut mail.told,
        };
        *told = Some(bound);
        self
    }

    /// The same with the head that its form and its data show, and the one at its end.
    fn with_heads(mut self, seen: &Witness, shows: &ChainLines) -> Self {
        let (of_form, at_end) = match &mut self {
            Self::Dispatch(mail) => (&mut mail.seen, &mut mail.witness),
            Self::Final(mail) => (&mut mail.seen, &mut mail.witness),
        };
        (*of_form, *at_end) = (seen.clone(), shows.clone());
        self
    }

    fn said(&self) -> &[String] {
        match self {
            Self::Dispatch(mail) => &mail.said,
            Self::Final(mail) => &mail.said,
        }
    }

    const fn kind(&self) -> TellingKind {
        match self {
            Self::Dispatch(_) => TellingKind::Dispatch,
            Self::Final(_) => TellingKind::Final,
        }
    }

    fn briefing(&self) -> &Briefing {
        match self {
            Self::Dispatch(mail) => &mail.briefing,
            Self::Final(mail) => &mail.briefing,
        }
    }
}

/// How the adjudication that ran last was closed.
pub(crate) fn closed(campaign: &Campaign) -> Option<BoundLeaves> {
    let last = campaign.last()?;
    Some(BoundLeaves {
        t: last.t,
        leaves: last.leaves.clone(),
        root: orders_root(&campaign.charter().game, last.t, &last.leaves),
        beacon: last.beacon.clone(),
        assurance: last.assurance.clone(),
    })
}

/// What a seat is to be told, before the log binds it.
pub(crate) struct Prepared {
    pub(crate) told: Told,
    pub(crate) contents: Contents,
    report: TurnReport,
    data: Option<String>,
}

impl Prepared {
    /// The same, bound as this.
    pub(crate) fn bound(self, seat: Seat, told: Told) -> BoundReport {
        BoundReport { seat, report: self.report.bound(told), data: self.data }
    }
}

/// What a seat is to be told, bound by the log.
pub(crate) struct BoundReport {
    seat: Seat,
    report: TurnReport,
    /// The report as data, as it is bound.
    data: Option<String>,
}

impl BoundReport {
    /// Whose it is.
    pub(crate) const fn seat(&self) -> &Seat {
        &self.seat
    }
}

impl Clerk<'_> {
    /// What a seat is to be told of the adjudication that ran last, with the head of the log that all were told.
    pub(crate) fn told(&self, seat: &Seat) -> Option<TurnReport> {
        let campaign = self.campaign;
        let closed = Some(closed(campaign)?);
        let (to, (briefing, by_hand)) = (self.addressee(seat), campaign.brief(seat));
        let mut further = campaign.letters_to(seat);
        let seen = campaign.shared()?.witness.clone();
        let witness = ChainLines::from(seen.clone());
        let said = self.before_all_else(seat, &by_hand);
        let report = match (campaign.results(), self.window(seat)) {
            (Some(results), _) => {
                let results = results.to_vec();
                further.extend(statistics::sections(&campaign.statistics()));
                let (audit_file, audit_note) = (None, String::new());
                TurnReport::Final(Final {
                    to,
                    briefing,
                    said,
                    told: None,
                    further,
                    results,
                    audit_file,
                    audit_note,
                    closed,
                    seen,
                    witness,
                })
            }
            (None, Some(window)) => {
                let form = campaign.game().form(seat).to_vec();
                TurnReport::Dispatch(Dispatch {
                    to,
                    briefing,
                    said,
                    told: None,
                    further,
                    window,
                    form,
                    closed,
                    revealed: None,
                    seen,
                    witness,
                })
            }
            (None, None) => return None,
        };
        Some(self.up_to_date(report))
    }

    /// A report with what is revealed by now, and where the audit file is had.
    fn up_to_date(&self, report: TurnReport) -> TurnReport {
        let campaign = self.campaign;
        let audit = self.audit.map_or(AuditDelivery::OnRequest, Audit::place);
        match report {
            TurnReport::Dispatch(mail) => {
                let public = Some(campaign.revealed()).filter(|t| *t > 0);
                let revealed = public
                    .and_then(|t| Some(Revealed { t, secret: self.secrets.secret(t)?.reveal(), audit }));
                TurnReport::Dispatch(Dispatch { revealed, ..mail })
            }
            TurnReport::Final(mail) => {
                let game = &campaign.charter().game;
                let (audit_file, audit_note) = match audit {
                    AuditDelivery::Attached(name) => (Some(name), String::new()),
                    AuditDelivery::OnRequest => (None, String::new()),
                    AuditDelivery::TooLarge => (
                        None,
                        format!(
                            "The audit file with every secret, order and die is too large for a mail: ask the GM for it. `musterd audit {game}` \
                             on the host's machine writes it."
                        ),
                    ),
                };
                TurnReport::Final(Final { audit_file, audit_note, ..mail })
            }
        }
    }

    /// What a seat is to be told, set in every form in which its mail brings it, with what binds it. None where nobody is to be written to, or
    /// there is nothing to report.
    pub(crate) fn prepared(&self, seat: &Seat) -> Option<Prepared> {
        self.address_of(self.campaign, seat)?;
        let report = self.told(seat)?;
        let told = Told::of_report(report.said(), report.briefing());
        let wanted = self.campaign.preferences(seat);
        let has_data = wanted.data && wanted.full && self.attach.contains(&Enclosure::Json);
        let data = has_data.then(|| as_data(self, seat, &report));
        let contents = Contents {
            kind: report.kind(),
            text: Some(told.text_digest()),
            html: (self.html && wanted.html).then(|| told.page_digest()),
            data: data.as_ref().map(|data| Digest::of(data.as_bytes())),
            facts: Some(self.campaign.game().facts(seat)),
            said: report.said().to_vec(),
        };
        Some(Prepared { report, told, data, contents })
    }

    /// The mail that tells it.
    pub(crate) fn telling(&self, told: &TurnReport) -> Message {
        match told {
            TurnReport::Dispatch(mail) => letters::dispatch(&self.templates, mail),
            TurnReport::Final(mail) => letters::final_report(&self.templates, mail),
        }
    }

    /// A seat's last report in this shape, with its subject; none where there is nothing to report.
    /// `void` is its number where it was rolled back.
    pub(crate) fn shown(&self, seat: &Seat, shape: Shape, void: Option<u32>) -> Option<(String, String)> {
        let told = self.told(seat)?.marked(void);
        let Message { subject, body, html } = self.telling(&told);
        let shown = match shape {
            Shape::Text => body,
            Shape::Html => html.unwrap_or_default(),
            Shape::Map => text::sections(&maps_alone(told.briefing())),
            Shape::Svg => html::drawing(told.briefing().maps()),
            Shape::Data => as_data(self, seat, &told),
        };
        Some((subject, shown))
    }

    /// The files that come with it.
    fn enclosures(&self, seat: &Seat, told: &TurnReport, data: Option<String>) -> Vec<Attachment> {
        let mut files = Vec::new();
        let is_full = self.campaign.preferences(seat).full;
        if let TurnReport::Dispatch(mail) = told
            && is_full
            && self.attach.contains(&Enclosure::Form)
        {
            // Its key stands above the form, as in the text: it is the seat's wherever it is sent from.
            let form = format!("{}\n{}\n", mail.to.key_line, letters::form_of(mail));
            files.push(Attachment::text("orders.txt", form));
        }
        if let Some(data) = data {
            let (game, t) = (&self.campaign.charter().game, self.campaign.next_t());
            let name = format!("{game}-t{t}-{seat}.json");
            files.push(Attachment::of(name, "application/json", data));
        }
        if self.attach.contains(&Enclosure::Ics) {
            files.extend(self.deadline_entry(seat));
        }
        if is_full && self.campaign.charter().terms.proofs {
            files.extend(proofs(self, seat));
        }
        if let Some(Audit { name, text: Some(text) }) = self.audit {
            files.push(Attachment::of(name, "application/json", text.clone()));
        }
        files
    }

    /// The history of the game as one seat knows it, as text.
    pub(crate) fn history(&self, seat: &Seat) -> Message {
        let briefing = self.campaign.game().history(seat);
        letters::history(&self.templates, &History { to: self.addressee(seat), briefing })
    }

    /// The report of the adjudication that ran last, as [`Self::dispatches`] mails it; `void` is its number where it was rolled back.
    pub(crate) fn report(&self, seat: &Seat, void: Option<u32>) -> Option<Message> {
        self.told(seat).map(|told| self.telling(&told.marked(void)))
    }

    /// The report of the adjudication that ran last as files, as its reader sees it: its text, and its page where one goes with it.
    pub(crate) fn report_files(&self, seat: &Seat) -> Vec<Attachment> {
        let Some(message) = self.report(seat, None) else { return Vec::new() };
        let (Message { subject, body, html, .. }, _) =
            as_wanted(self.campaign.preferences(seat), message, Vec::new());
        let text = Attachment::text(format!("{seat}.txt"), format!("Subject: {subject}\n\n{body}"));
        let page = html.filter(|_| self.html);
        let page = page.map(|page| Attachment::of(format!("{seat}.html"), "text/html", page));
        std::iter::once(text).chain(page).collect()
    }

    /// Mails these seats at once what was bound for them; `n` tells these dispatches from the ones before, 0 is the first.
    pub(crate) fn dispatches(&mut self, bound: Vec<BoundReport>, n: u64) -> Result<(), HostError> {
        let Some(witness) = self.campaign.witness() else { return Ok(()) };
        self.dispatch(bound, n, &witness, &witness.clone().into())
    }

    /// Mails one seat alone what was bound for it, while the others may have written: without the number of the head. The form shows the head that all
    /// were told.
    pub(crate) fn dispatch_again(&mut self, bound: Vec<BoundReport>, n: u64) -> Result<(), HostError> {
        let campaign = self.campaign;
        let (Some(shared), Some(witness)) = (campaign.shared(), campaign.witness()) else { return Ok(()) };
        // Of a game that is over nothing is hidden any more.
        let shows = campaign.open_head().map_or_else(|| witness.into(), ChainLines::from);
        self.dispatch(bound, n, &shared.witness, &shows)
    }

    fn dispatch(
        &mut self,
        bound: Vec<BoundReport>,
        n: u64,
        seen: &Witness,
        shows: &ChainLines,
    ) -> Result<(), HostError> {
        for BoundReport { seat, report, data } in bound {
            let report = self.up_to_date(report.with_heads(seen, shows));
            // A dispatch asks for the orders of the next adjudication: that is what an answer to it is meant for.
            let mail = ToSeat::new(self.campaign.next_t(), Kind::Dispatch, n, self.telling(&report));
            let attachments = self.enclosures(&seat, &report, data);
            self.mail_seat(&seat, ToSeat { attachments, ..mail }.showing(shows.clone()))?;
        }
        Ok(())
    }

    /// The computer players' sealed orders, mailed like anybody's.
    pub(crate) fn computer_orders(&mut self) -> Result<(), HostError> {
        let Some(window) = self.campaign.window() else { return Ok(()) };
        let game = &self.campaign.charter().game;
        for sealed in window.sealed.values() {
            let seat = &sealed.seat;
            let (id, message_id) = self.id(window.t, seat, Kind::Orders, 0)?;
            let to = self.address.reply_address(game, seat, &self.token(seat));
            let key = key_line(game, seat, &self.token(seat));
            let mail = mail::Composition {
                from: Mailbox { name: None, address: computer_address(self.campaign, seat) },
                to: vec![to.clone()],
                reply_to: None,
                subject: format!("[{game}] Orders, {}", window.name),
                message_id: message_id.clone(),
                in_reply_to: None,
                references: Vec::new(),
                date: self.now,
                kind: Kind::Orders,
                game: Some(game.clone()),
                seat: Some(seat.clone()),
                text: format!("{key}\nBEGIN ORDERS\n{}END ORDERS\n", sealed.block.as_str()),
                html: None,
                attachments: Vec::new(),
                may_leave: false,
                automatic: false,
            };
            let packet = Packet {
                id,
                to: vec![to],
                from: self.address.to_string(),
                message_id,
                raw: as_text(mail::compose(&mail)?),
                not_before: self.now,
                stale_after: None,
            };
            self.written.push(packet);
        }
        Ok(())
    }
}

/// A seat's own dice of the adjudication reported, with their proofs.
fn proofs(clerk: &Clerk<'_>, seat: &Seat) -> Option<Attachment> {
    let proofs = clerk.campaign.proofs(clerk.secrets, clerk.leaves(), seat)?;
    let name = format!("{}-t{}-{seat}-proofs.json", proofs.game, proofs.t);
    Some(Attachment::of(name, "application/json", serde_json::to_string(&proofs).ok()?))
}

fn as_data(clerk: &Clerk<'_>, seat: &Seat, told: &TurnReport) -> String {
    let charter = clerk.campaign.charter();
    let view = clerk.campaign.game().published(seat);
    let origin = Origin { ruleset: &charter.ruleset, scenario: &charter.scenario, view: &view };
    match told {
        TurnReport::Dispatch(mail) => data::dispatch(mail, &origin),
        TurnReport::Final(mail) => data::final_report(mail, &origin),
    }
}

/// A report of which only the maps are left.
fn maps_alone(briefing: &Briefing) -> Briefing {
    let section = |(title, map): (&str, &Map)| Section::of(title.to_owned(), vec![Part::Map(map.clone())]);
    Briefing { sections: briefing.maps().map(section).collect(), ..Briefing::default() }
}
