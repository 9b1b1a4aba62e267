//! What a seat is told after an adjudication, in every shape: as mail with its attachments, and as the command line shows it.

use crate::HostError;
use crate::config::enclosure::Enclosure;
use crate::mails::enclosures::{Audit, Shape};
use crate::mails::frame::{ToSeat, as_text};
use crate::mails::mailroom::Clerk;
use crate::mails::mailroom::computer_address;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::Attachment;
use musterd_desk::mail::{self, Kind, Mailbox, key_line};
use musterd_dice::{Seat, Witness, orders_root};
use musterd_engine::briefing::{Briefing, Map, Part, Section};
use musterd_report::data::{self, Origin};
use musterd_report::letters::History;
use musterd_report::letters::{self, AuditDelivery, BoundLeaves, Dispatch, Final, Message, Revealed};
use musterd_report::{html, statistics, text};
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

impl Clerk<'_> {
    /// What a seat is to be told of the adjudication that ran last, with the head of the log that all were told.
    pub(crate) fn told(&self, seat: &Seat) -> Option<TurnReport> {
        self.told_with(seat, self.campaign.shared()?.witness.clone())
    }

    /// The same with this head of the log.
    fn told_with(&self, seat: &Seat, witness: Witness) -> Option<TurnReport> {
        let campaign = self.campaign;
        let closed = Some(closed(campaign)?);
        let (to, mut briefing) = (self.addressee(seat), campaign.brief(seat));
        let mut notices = self.before_all_else(seat);
        let audit = self.audit.map_or(AuditDelivery::OnRequest, Audit::place);
        Some(match (campaign.results(), self.window(seat)) {
            (Some(results), _) => {
                let results = results.to_vec();
                briefing.sections.extend(statistics::sections(&campaign.statistics()));
                let audit_file = match audit {
                    AuditDelivery::Attached(name) => Some(name),
                    AuditDelivery::OnRequest => None,
                    AuditDelivery::TooLarge => {
                        let game = &campaign.charter().game;
                        notices.push(format!(
                            "The audit file with every secret, order and die is too large for a mail: ask the GM for it. `musterd audit {game}` \
                             on the host's machine writes it."
                        ));
                        None
                    }
                };
                TurnReport::Final(Final { to, briefing, notices, results, audit_file, closed, witness })
            }
            (None, Some(window)) => {
                let form = campaign.game().form(seat).to_vec();
                let public = Some(campaign.revealed()).filter(|t| *t > 0);
                let revealed = public
                    .and_then(|t| Some(Revealed { t, secret: self.secrets.secret(t)?.reveal(), audit }));
                TurnReport::Dispatch(Dispatch {
                    to,
                    briefing,
                    notices,
                    window,
                    form,
                    closed,
                    revealed,
                    witness,
                })
            }
            (None, None) => return None,
        })
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
    pub(crate) fn enclosures(&self, seat: &Seat, told: &TurnReport) -> Vec<Attachment> {
        let mut files = Vec::new();
        if let TurnReport::Dispatch(mail) = told
            && self.attach.contains(&Enclosure::Form)
        {
            // Its key stands above the form, as in the text: it is the seat's wherever it is sent from.
            let form = format!("{}\n{}\n", mail.to.key_line, letters::form_of(mail));
            files.push(Attachment::text("orders.txt", form));
        }
        if self.attach.contains(&Enclosure::Json) {
            let (game, t) = (&self.campaign.charter().game, self.campaign.next_t());
            let name = format!("{game}-t{t}-{seat}.json");
            files.push(Attachment::of(name, "application/json", as_data(self, seat, told)));
        }
        if self.attach.contains(&Enclosure::Ics) {
            files.extend(self.deadline_entry(seat));
        }
        if self.campaign.charter().terms.proofs {
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

    /// The report of the adjudication that ran last, to every seat.
    pub(crate) fn dispatches(&mut self) -> Result<(), HostError> {
        // The end of a game that was rolled back had dispatches of its own for the same number.
        let n = self.campaign.correction().map_or(0, |_| self.campaign.entries());
        self.dispatch_to(self.campaign.charter().players.keys(), n)
    }

    /// The report of the adjudication that ran last, as something new, to these seats at once; `n` tells it from the ones before, 0 is the first.
    pub(crate) fn dispatch_to<'s>(
        &mut self,
        seats: impl IntoIterator<Item = &'s Seat>,
        n: u64,
    ) -> Result<(), HostError> {
        let Some(witness) = self.campaign.witness() else { return Ok(()) };
        seats.into_iter().try_for_each(|seat| self.dispatch_with(seat, n, witness.clone()))
    }

    /// The report of the adjudication that ran last, to one seat alone: with the head of the log that all were told, since a later one would count
    /// what the others have sent. None where nobody is to be written to, or there is nothing to report.
    pub(crate) fn dispatch(&mut self, seat: &Seat, n: u64) -> Result<(), HostError> {
        let Some(shared) = self.campaign.shared() else { return Ok(()) };
        self.dispatch_with(seat, n, shared.witness.clone())
    }

    fn dispatch_with(&mut self, seat: &Seat, n: u64, witness: Witness) -> Result<(), HostError> {
        if self.address_of(self.campaign, seat).is_none() {
            return Ok(());
        }
        let Some(told) = self.told_with(seat, witness.clone()) else { return Ok(()) };
        // A dispatch asks for the orders of the next adjudication: that is what an answer to it is meant for.
        let mail = ToSeat::new(self.campaign.next_t(), Kind::Dispatch, n, self.telling(&told));
        let attachments = self.enclosures(seat, &told);
        self.mail_seat(seat, ToSeat { attachments, ..mail }.showing(witness))
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
