//! Sample mails for testing templates: for each kind enough mails to reach every part of its template, with the texts that the result must contain.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{self, Answer, Answered, Caret, Commands, TOPICS};
use super::letters::{
    self, Addressee, AuditDelivery, BoundLeaves, Deadline, Dispatch, Final, Help, History, Invitation,
    NotRead, Notice, Part, Receipt, Revealed, WindowShown,
};
use super::page::Sheet;
use super::press::{self, Press};
use super::text;
use super::told::Told;
use musterd_dice::told::TellingId;
use musterd_dice::{Assurance, Beacon, Block, Digest, GameId, Level, OpenHead, Seat, Witness};
use musterd_engine::briefing::{Briefing, Fact, Item, Section, Table};
use musterd_engine::orders::{Recap, Remark, Understood};

mod refusals;

/// Texts that a rendered mail must contain, each with its description.
pub(super) type Must = Vec<(&'static str, String)>;

/// Calls `show` with pairs of mails of one template. The first mail of a pair says something that the second doesn't, in the template's own words; if
/// both render the same, the template has lost it.
pub(super) fn each_pair(template: &str, show: &mut dyn FnMut(&'static str, [&Sheet<'_>; 2])) {
    let Some(sample) = Sample::new() else { return };
    match template {
        "receipt" => sample.receipts_that_differ(show),
        "refusal" => sample.refusals_that_differ(show),
        _ => {}
    }
}

/// Calls `show` with every sample of one template's mails.
pub(super) fn each(template: &str, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
    let Some(sample) = Sample::new() else { return };
    match template {
        "dispatch" => sample.dispatches(show),
        "final" => sample.finals(show),
        "history" => sample.history(show),
        "receipt" => sample.receipts(show),
        "invitation" => sample.invitations(show),
        "refusal" => sample.refusals(show),
        "help" => [false, true].into_iter().for_each(|plays| {
            show(&letters::help_sheet(&Help { host: HOST.to_owned(), plays }), &Vec::new());
        }),
        "notice" => sample.notices(show),
        "answer" => sample.answers(show),
        "topics" => topics(show),
        "press" => sample.press(show),
        _ => {}
    }
}

const HOST: &str = "campaign@example.org";
const LINE: &str = "  a line   that keeps its places";
const OPTION: &str = "What each side begins with: full.";
const LARGE: &str = "The audit file is too large for a mail.";
const SAID: &str = "A word that everybody must be able to read.";

/// The names and values that all samples share.
struct Sample {
    game: GameId,
    seat: Seat,
    witness: Witness,
    open: OpenHead,
}

impl Sample {
    fn new() -> Option<Self> {
        let game: GameId = "alpha".parse().ok()?;
        let witness = Witness { game: game.clone(), index: 14, head: Digest::of(b"head") };
        let open = OpenHead { game: game.clone(), t: 3, head: witness.head };
        Some(Self { game, seat: "french".parse().ok()?, witness, open })
    }

    fn to(&self, allies: &[&str]) -> Addressee {
        Addressee {
            game: self.game.clone(),
            system: "La Grande Armee".to_owned(),
            seat: self.seat.clone(),
            title: "the French commander".to_owned(),
            reply_to: "campaign+alpha.french.k7q2mz4t9hwxp3cd@example.org".to_owned(),
            allies: allies.iter().map(|ally| (*ally).to_owned()).collect(),
            key_line: "# key: alpha french k7q2mz4t9hwxp3cd".to_owned(),
        }
    }

    fn closed(&self) -> BoundLeaves {
        BoundLeaves {
            t: 2,
            leaves: BTreeMap::from([(self.seat.clone(), Digest::of(b"leaf"))]),
            root: Digest::of(b"root"),
            beacon: beacon(),
            assurance: Assurance { level: Level::L1, salted: BTreeSet::from([self.seat.clone()]) },
        }
    }

    /// The lines that must end every mail with the head of the log in it.
    fn chain(&self) -> (&'static str, String) {
        (CHAIN, self.witness.to_string())
    }

    /// The same without the number of the head.
    fn open_chain(&self) -> (&'static str, String) {
        (CHAIN, self.open.to_string())
    }

    fn dispatches(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        let full = Dispatch {
            to: self.to(&["the Austrian commander"]),
            briefing: briefing(),
            said: vec![SAID.to_owned()],
            told: None,
            further: Vec::new(),
            window: window(Part::Phasing, true),
            form: vec!["# MOVE 3 TO Ulm".to_owned(), "STANDING".to_owned()],
            closed: Some(self.closed()),
            revealed: Some(Revealed { t: 1, secret: Digest::of(b"s_1"), audit: AuditDelivery::OnRequest }),
            seen: self.witness.clone(),
            witness: self.witness.clone().into(),
        };
        let bare = Dispatch {
            to: self.to(&[]),
            said: Vec::new(),
            window: window(Part::Standing, false),
            closed: None,
            revealed: None,
            ..full.clone()
        };
        let bound = Dispatch { told: Some(self.bound(&full)), ..full.clone() };
        for mail in [full, bare, bound] {
            let form = letters::form_of(&mail);
            let mut must = vec![
                ("the report", REPORT.to_owned()),
                ("the standing", "18 points".to_owned()),
                ("the line with the seat's key", mail.to.key_line.clone()),
                ("the order form", form),
                self.chain(),
            ];
            must.extend(mail.said.iter().map(|said| ("the notices", said.clone())));
            must.extend(mail.told.iter().map(|told| ("what the log binds", told.as_text().into_owned())));
            must.extend(mail.revealed.iter().map(|known| ("the secret revealed", known.secret.to_string())));
            show(&letters::dispatch_sheet(&mail), &must);
        }
    }

    /// What a dispatch tells, bound.
    fn bound(&self, mail: &Dispatch) -> Told {
        let id = TellingId { t: 2, seat: self.seat.clone(), n: 1 };
        Told::of_report(&mail.said, &mail.briefing).marked(&self.game, &id)
    }

    fn finals(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for full in [true, false] {
            let mail = Final {
                to: self.to(&[]),
                briefing: briefing(),
                said: if full { vec![SAID.to_owned()] } else { Vec::new() },
                results: vec!["French: tactical victory".to_owned()],
                told: None,
                further: Vec::new(),
                audit_file: full.then(|| "alpha.audit".to_owned()),
                audit_note: if full { String::new() } else { LARGE.to_owned() },
                closed: full.then(|| self.closed()),
                seen: self.witness.clone(),
                witness: self.witness.clone().into(),
            };
            let mut must = vec![("the report", REPORT.to_owned()), self.chain()];
            must.extend((!full).then(|| ("how the audit file is had", LARGE.to_owned())));
            must.extend(mail.said.iter().map(|said| ("the notices", said.clone())));
            show(&letters::final_sheet(&mail), &must);
        }
    }

    fn history(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        let mail = History { to: self.to(&[]), briefing: briefing() };
        show(&letters::history_sheet(&mail), &vec![("the report", REPORT.to_owned())]);
    }

    fn receipts(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        let order = Understood {
            line: 2,
            order: "Move III Davout to Ulm 1507".to_owned(),
            effect: "by 1406".to_owned(),
        };
        let full = Recap {
            orders: vec![order],
            defaults: vec!["Stay where they are: 8 units.".to_owned()],
            ahead: vec!["All are in supply.".to_owned()],
        };
        let (empty, problem) = (Recap::default(), [Remark::error(3, SAID).at(0, 4)]);
        let warning = [Remark::warning(2, SAID)];
        for (recap, wrong, salted, marked, deadline) in [
            (&full, true, false, true, true),
            (&full, true, true, false, true),
            (&full, false, true, true, false),
            (&empty, false, false, true, false),
        ] {
            let block = if salted { "salt: a grey goose\nMOVE 3 TO Ulm\n" } else { "MOVE 3 TO Ulm\n" };
            let remarks: &[Remark] = if wrong {
                &problem
            } else if salted {
                &warning
            } else {
                &[]
            };
            let plain = self.receipt(recap, Block::canonical(block));
            let mut mail = Receipt {
                window: window(Part::Phasing, deadline),
                remarks,
                marked,
                held_back: !marked,
                ..plain
            };
            if salted {
                mail.previous = Some(&empty);
                mail.ready = true;
                mail.stopped = Some(STOPPED.to_owned());
                mail.form_lines = vec!["MOVE 4 TO Metz".to_owned()];
                mail.unread = not_read();
                mail.asks = vec!["EXTEND 2d".to_owned()];
            }
            if wrong {
                mail.passed_over = vec!["Dear host".to_owned(), "~~MOVE 3 TO Ulm~~".to_owned()];
            }
            let (sheet, _) = letters::receipt_sheet(&mail);
            let verdict = sheet.values.get_attr("verdict").unwrap_or_default().to_string();
            let mut must = vec![
                (LEAF, mail.leaf.to_string()),
                self.open_chain(),
                ("the verdict on the orders", verdict),
            ];
            must.extend(mail.window.deadline.as_ref().map(|at| ("the deadline", at.long.clone())));
            must.extend(mail.stopped.iter().map(|said| (HALT, said.clone())));
            must.extend(recap.orders.iter().map(|one| ("the orders as understood", one.order.clone())));
            must.extend(remarks.iter().map(|one| ("the problems", one.text.clone())));
            let unread = mail.passed_over.iter().chain(&mail.form_lines);
            must.extend(unread.map(|line| ("the lines passed over", line.clone())));
            let asks = mail.asks.iter().filter(|_| mail.held_back);
            must.extend(asks.map(|line| ("the commands that hold READY", line.clone())));
            must.extend(mail.unread.iter().map(|part| ("what was not read", part.what.clone())));
            show(&sheet, &must);
        }
    }

    /// A receipt without special cases.
    fn receipt<'a>(&self, recap: &'a Recap, block: Block) -> Receipt<'a> {
        Receipt {
            to: self.to(&[]),
            window: window(Part::Phasing, true),
            block,
            recap,
            remarks: &[],
            told: None,
            previous: None,
            ready: false,
            stopped: None,
            until_contact: false,
            left: None,
            wait: false,
            join: false,
            passed_over: Vec::new(),
            form_lines: Vec::new(),
            asks: Vec::new(),
            unread: Vec::new(),
            marked: false,
            unended: false,
            held_back: false,
            leaf: Digest::of(b"leaf"),
            witness: self.open.clone(),
        }
    }

    fn receipts_that_differ(&self, show: &mut dyn FnMut(&'static str, [&Sheet<'_>; 2])) {
        let (recap, passed_over) = (Recap::default(), vec!["Dear host".to_owned()]);
        let receipt = |ready: bool, held_back: bool| Receipt {
            ready,
            // A seat that asks to wait is not ready, whether or not its `READY` was left out.
            wait: !ready,
            passed_over: passed_over.clone(),
            held_back,
            ..self.receipt(&recap, Block::canonical("MOVE 3 TO Ulm\n"))
        };
        let all = [receipt(true, false), receipt(false, false), receipt(false, true)];
        let [ready, waits, held_back] = all.each_ref().map(|mail| letters::receipt_sheet(mail).0);
        show("whether the seat is ready", [&ready, &waits]);
        show("that a READY was left out", [&held_back, &waits]);
        let unread =
            [true, false].map(|held_back| Receipt { unread: not_read(), ..receipt(false, held_back) });
        let [held_back, waits] = unread.each_ref().map(|mail| letters::receipt_sheet(mail).0);
        show("that a READY was left out", [&held_back, &waits]);
    }

    fn invitations(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for (started, seated, dated) in
            [(false, false, true), (false, false, false), (true, true, false), (false, true, true)]
        {
            let mail = Invitation {
                to: self.to(if dated { &["the Austrian commander"] } else { &[] }),
                scenario: "Austrian Challenge, Summer 1805 to Summer 1806".to_owned(),
                situation: SAID.to_owned(),
                options: vec![OPTION.to_owned(); usize::from(seated)],
                shows_battle: seated,
                others: vec![("the Allied commander".to_owned(), "a person".to_owned())],
                rhythm: vec![
                    Fact::of("Deadline", "2 days after each turn opens"),
                    Fact::of("Letters", "to all players"),
                ],
                anchor: Digest::of(b"anchor"),
                beacon: (!dated).then(|| "drand-quicknet:1692803367:3:3600".parse().ok()).flatten(),
                host_key: started.then(|| HOST_KEY.parse().ok()).flatten(),
                reveal: if dated { SAID.to_owned() } else { String::new() },
                deadline: dated.then(deadline),
                started,
                seated,
                seen: self.witness.clone(),
                witness: if started { self.open.clone().into() } else { self.witness.clone().into() },
            };
            let mut must = vec![
                ("the situation", SAID.to_owned()),
                ("the address of the seat", mail.to.reply_to.clone()),
                (ANCHOR, mail.anchor.to_string()),
                (CHAIN, mail.witness.to_string()),
            ];
            must.extend(mail.beacon.as_ref().map(|beacon| ("the public beacon", beacon.to_string())));
            must.extend(mail.host_key.iter().flat_map(|key| {
                let words = key.to_string();
                words.split(' ').map(|word| ("the host's key", word.to_owned())).collect::<Vec<_>>()
            }));
            must.extend(mail.options.iter().map(|option| ("the chosen options", option.clone())));
            if !started {
                must.push(("the line with the seat's key", mail.to.key_line.clone()));
                must.push(("the lines that confirm the seat", letters::join_form(&mail)));
            }
            show(&letters::invitation_sheet(&mail), &must);
        }
    }

    fn notices(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for known in [true, false] {
            let mail = Notice {
                game: known.then(|| self.game.clone()),
                subject: "the deadline has moved".to_owned(),
                paragraphs: vec![SAID.to_owned()],
                lines: if known { format!("{LINE}\n") } else { String::new() },
                witness: known.then(|| self.witness.clone().into()),
            };
            let mut must = vec![("the paragraphs", SAID.to_owned())];
            must.extend(known.then(|| ("the lines", LINE.to_owned())));
            must.extend(known.then(|| self.chain()));
            show(&letters::notice_sheet(&mail), &must);
        }
    }

    fn answers(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for known in [true, false] {
            let item = Answered {
                caret: (!known).then_some(Caret { below: None, span: (7, 2) }),
                line: "EXTEND 2d".to_owned(),
                wrong: !known,
                paragraphs: vec![SAID.to_owned()],
                tables: Vec::new(),
                page: if known { "A page.".to_owned() } else { String::new() },
            };
            let mail = Answer {
                game: known.then(|| self.game.clone()),
                subject: "your command".to_owned(),
                items: vec![item],
                witness: known.then(|| self.open.clone()),
            };
            let mut must = vec![("the paragraphs of an item", SAID.to_owned())];
            if known {
                must.push(("the page of an item", "A page.".to_owned()));
                must.push(self.open_chain());
            }
            show(&answer::sheet(&mail), &must);
        }
    }

    fn press(&self, show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
        for anonymous in [true, false] {
            let mail = Press {
                to: self.to(&[]),
                from: "the Austrian commander".to_owned(),
                anonymous,
                readers: vec!["the French commander".to_owned()],
                text: format!("{SAID}\n"),
                witness: self.open.clone(),
            };
            let must = vec![("the letter", format!("| {SAID}")), self.open_chain()];
            show(&press::sheet(&mail), &must);
        }
    }
}

/// The description of the leaf. `musterd verify` finds the leaf by its place, since a host may word the rest freely.
pub(super) const LEAF: &str = "the leaf of the orders";
/// The description of the anchor, which is found by its place too.
pub(super) const ANCHOR: &str = "the anchor of the dice";
/// The description of the two lines that must end a mail.
pub(super) const CHAIN: &str = "the lines of the log that begin with `Chain:`";
/// A sentence of the sample report.
const REPORT: &str = "III Davout marches to Ulm.";

/// The description of the reason of a refusal.
const WHY: &str = "why the mail changed nothing";
const HALT: &str = "that a turn was stopped";
const STOPPED: &str = "All were ready. Your mail stopped the turn.";
/// The description of the open window in a refusal.
const OPEN: &str = "what is open now";

/// An unread part of a mail.
fn not_read() -> Vec<NotRead> {
    let lines = vec!["MOVE 7 TO Ulm".to_owned()];
    vec![NotRead { what: "plan.txt".to_owned(), lines }]
}

fn topics(show: &mut dyn FnMut(&Sheet<'_>, &Must)) {
    let commands = Commands {
        commands: text::columns(&[("STATUS", "where your games stand, and what is owed")]),
        coded: "JOIN and RESIGN".to_owned(),
        open: "STATUS and LIST".to_owned(),
    };
    for topic in TOPICS.into_iter().chain([""]) {
        show(&answer::topic_sheet(topic, &commands, HOST), &Vec::new());
    }
}

fn deadline() -> Deadline {
    Deadline {
        long: "Saturday 28 November 2026, 20:00 CET".to_owned(),
        short: "Sat 28 Nov 20:00 CET".to_owned(),
        at: "2026-11-28T20:00:00+01:00".to_owned(),
        left: "6 days 10 hours".to_owned(),
    }
}

fn window(part: Part, dated: bool) -> WindowShown {
    WindowShown {
        t: 3,
        title: "Autumn 1805, French to move".to_owned(),
        part,
        deadline: dated.then(deadline),
        recall: None,
        runs: None,
    }
}

const HOST_KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

fn beacon() -> Option<Beacon> {
    Some(Beacon { name: "drand-quicknet".parse().ok()?, round: 34_152_879, value: Digest::of(b"beacon") })
}

fn briefing() -> Briefing {
    let mut table = Table::new(&[">no", "unit"]);
    table.row(["3".to_owned(), "III Davout".to_owned()]);
    let item = Item { text: REPORT.to_owned(), details: vec!["by 1304, 1405".to_owned()] };
    Briefing {
        title: "Austrian Challenge, turn 2 of 5".to_owned(),
        to: "the French commander".to_owned(),
        date: "Autumn 1805".to_owned(),
        subject: "Autumn 1805 - French to move".to_owned(),
        standing: vec![Fact::of("French", "18 points")],
        at_end: Vec::new(),
        sections: vec![
            Section {
                title: "What happened".to_owned(),
                parts: vec![musterd_engine::briefing::Part::Items { numbered: true, items: vec![item] }],
            },
            Section {
                title: "Your army".to_owned(),
                parts: vec![musterd_engine::briefing::Part::Table(table)],
            },
        ],
    }
}
