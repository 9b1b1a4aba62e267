//! Mails as HTML: sound whatever is in them, whole for every scenario, and answered like their text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mail_parser::MimeHeaders as _;
use musterd::daemon::config;
use musterd::desk::Desk;
use musterd::desk::campaign::Campaign;
use musterd::desk::mail::{LineKind, Orders, Source, find_orders, open};
use musterd::desk::order_mail::read_orders_of;
use musterd::dice::Seat;
use musterd::engine::briefing::{Briefing, Map, Part, Scale};
use musterd::engine::journal::{Cause, Entry};
use musterd::letter::{Body, Limits};
use musterd::report::letters::{self, History};
use musterd::report::{Finding, Templates, built_in_templates, check, html};

use crate::mails::{sample_dispatch, to};
use crate::support::{Camp, founded, is_of_kind, player, raw_mails, read};

/// The page of a briefing.
pub(crate) fn page_of(briefing: Briefing) -> String {
    letters::history(&Templates::default(), &History { to: to(), briefing }).html.unwrap()
}

/// What can be said of every page: plain ASCII, elements that close, and none that fetches, runs, or styles what mail programs
/// wouldn't show.
#[track_caller]
pub(crate) fn assert_sound(page: &str) {
    const KNOWN: [&str; 30] = [
        "body", "br", "code", "details", "div", "g", "h1", "h2", "h3", "head", "hr", "html", "li", "meta",
        "ol", "p", "path", "pre", "rect", "span", "summary", "svg", "table", "td", "text", "th", "title",
        "tr", "tspan", "ul",
    ];
    assert!(page.bytes().all(|b| b == b'\n' || b == b' ' || b.is_ascii_graphic()), "not ASCII");
    let mut open = Vec::new();
    for markup in page.trim_start_matches("<!DOCTYPE html>").split('<').skip(1) {
        let (tag, text) = markup.split_once('>').unwrap_or_else(|| panic!("`<{markup}` never ends"));
        assert!(!text.contains('>'), "a stray `>` after <{tag}>");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap();
        assert!(KNOWN.contains(&name), "<{tag}>");
        assert!(
            ![" on", "href", "src", "url(", "class", "id=\""].iter().any(|bad| tag.contains(bad)),
            "<{tag}>"
        );
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !["br", "hr", "meta"].contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "left open");
}

/// A played game of tests/played up to the opening of an adjudication.
fn played(game: &str, upto: u32) -> (Desk, Vec<Entry>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/played/lga-{game}.jsonl"));
    let text = fs::read_to_string(path).unwrap();
    let mut entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let opened = entries.iter().position(|e| matches!(e.cause, Cause::Opened { t, .. } if t == upto));
    entries.truncate(opened.unwrap() + 1);
    (musterd::rulesets::desk(), entries)
}

#[test]
fn every_scenario_has_a_sound_page_that_no_mail_program_cuts_off() {
    let desk = musterd::rulesets::desk();
    for listing in desk.scenarios() {
        let founding = desk.founding(&listing.id).unwrap();
        let game = desk.open(founding.rules(), &founding.files, &[]).unwrap();
        for spec in game.seats() {
            let briefing = game.brief(&spec.seat);
            let maps: Vec<_> = briefing.sections.iter().flat_map(|section| &section.parts).collect();
            for part in maps {
                if let Part::Map(map) = part {
                    let drawing = html::drawing([("", map)]);
                    assert_sound(&drawing);
                    assert!(drawing.len() < 40_000, "{}: {} bytes", listing.id, drawing.len());
                }
            }
            let page = page_of(briefing);
            assert_sound(&page);
            assert!(page.lines().all(|line| line.len() <= 998), "mail servers bear no such line");
            // Beyond 102 KB one of the great mail services shows the beginning only.
            assert!(page.len() < 98_000, "{}, {}: {} bytes", listing.id, spec.seat, page.len());
        }
    }
}

#[test]
fn a_drawn_map_explains_every_sign_that_it_has_and_no_other() {
    let desk = musterd::rulesets::desk();
    let founding = desk.founding("lga/austrian-1805").unwrap();
    let game = desk.open(founding.rules(), &founding.files, &[]).unwrap();
    let briefing = game.brief(&"french".parse().unwrap());
    let maps: Vec<_> = briefing.sections.iter().flat_map(|section| &section.parts).collect();
    let drawn: Vec<(&Map, String)> = maps
        .into_iter()
        .filter_map(
            |part| if let Part::Map(map) = part { Some((map, html::drawing([("", map)]))) } else { None },
        )
        .collect();
    assert!(drawn.len() > 1, "the whole and a theatre");
    for (map, page) in drawn {
        let explains = |words: &str| page.contains(&format!(">{words}</text>"));
        for words in ["capital", "major city", "minor city", "clear", "forest", "mountains", "sea", "river"] {
            assert!(explains(words), "{words}: {page}");
        }
        assert!(!explains("can't be passed") && !explains("cut off"), "{page}");
        match map.scale {
            Scale::Strategic => assert!(explains("forces of France") && explains("held by the Allied side")),
            Scale::Theatre => assert!(explains("your forces") && explains("held by others")),
        }
    }
}

#[test]
fn a_report_in_the_midst_of_a_campaign_has_a_sound_page_too() {
    for (game, t) in [("nations-1814", 3), ("waterloo-1815", 6)] {
        let (desk, entries) = played(game, t);
        let campaign = Campaign::fold(&desk, &entries).unwrap();
        for spec in campaign.game().seats() {
            let page = page_of(campaign.game().brief(&spec.seat));
            assert_sound(&page);
            assert!(page.contains("<svg") && page.contains("<details>"), "a map, drawn and in letters");
            assert!(page.len() < 110_000, "{game}: {} bytes", page.len());
        }
    }
}

#[test]
fn what_a_player_or_a_rule_says_is_never_markup() {
    let mut mail = sample_dispatch();
    mail.said = vec!["<script>alert(1)</script> & \"more\"".to_owned()];
    mail.to.title = "</title><b>".to_owned();
    let page = letters::dispatch(&Templates::default(), &mail).html.unwrap();
    assert_sound(&page);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;"), "{page}");
}

/// An answer in HTML alone, as many programs write it: the player's words, then the mail that is answered, as a quotation.
fn answered(words: &str, page: &str) -> Vec<u8> {
    let body =
        page.split_once("<body").unwrap().1.split_once('>').unwrap().1.split_once("</body>").unwrap().0;
    format!(
        "From: ney@example.org\r\nTo: campaign@example.org\r\nSubject: Re: orders\r\nMessage-ID: <a@b>\r\n\
         Content-Type: text/html; charset=us-ascii\r\n\r\n<div>{words}</div><br><div>On Sun, 22 Nov 2026 at 09:30, The umpire wrote:<br>\
         </div><blockquote type=\"cite\">{body}</blockquote>"
    )
    .into_bytes()
}

fn orders_in(raw: &[u8]) -> Orders {
    let kind = |line: &str| if line.starts_with("MOVE") { LineKind::Order } else { LineKind::Prose };
    let body = open(raw, &Limits::default()).body.unwrap();
    find_orders(&body.text, body.attachment.as_deref(), "", &kind).orders
}

#[test]
fn a_form_filled_in_inside_a_quoted_page_is_the_form_of_the_text() {
    let message = letters::dispatch(&Templates::default(), &sample_dispatch());
    let edited = |text: &str| text.replace("# MOVE 3 TO Ulm", "MOVE 3 TO Ulm\nMOVE 4 TO Stuttgart");
    let page = edited(&message.html.unwrap());
    let of_text = orders_in(format!("Subject: x\r\n\r\n{}", edited(&message.body)).as_bytes());
    let Orders::Block { block, source: Source::Quoted } = orders_in(&answered("Done.", &page)) else {
        panic!("{:?}", orders_in(&answered("Done.", &page)))
    };
    assert_eq!(Some(&block), of_text.block());
    assert!(block.as_str().ends_with("MOVE 3 TO Ulm\nMOVE 4 TO Stuttgart\nSTANDING\n"), "{block:?}");
}

#[test]
fn orders_above_a_quoted_page_are_the_only_ones() {
    let page = letters::dispatch(&Templates::default(), &sample_dispatch()).html.unwrap();
    let orders = orders_in(&answered("MOVE 3 TO Ulm", &page));
    assert!(
        matches!(&orders, Orders::Recognised(block) if block.as_str() == "MOVE 3 TO Ulm\n"),
        "{orders:?}"
    );
}

#[test]
fn a_form_that_comes_back_as_it_was_sent_is_no_orders() {
    let (desk, entries) = played("nations-1814", 3);
    let campaign = Campaign::fold(&desk, &entries).unwrap();
    let (game, seat) = (campaign.game(), "french".parse::<Seat>().unwrap());
    let form = format!("BEGIN ORDERS\nsalt:\n{}\nEND ORDERS\n", game.form(&seat).join("\n"));
    assert!(form.lines().any(|line| line.trim_start().starts_with("REINFORCE")), "{form}");
    let mail = |text: &str, file: &str| {
        let body = Body { text: text.to_owned(), attachment: Some(file.to_owned()), ..Body::default() };
        read_orders_of(game, &seat, &body).ok().map(|mail| mail.block.as_str().to_owned())
    };
    assert_eq!(mail("Thank you!\n", &form), None);
    assert_eq!(
        mail("STANDING NONE\n", &form).as_deref(),
        Some("STANDING NONE\n"),
        "the attachment is the host's own"
    );
    let filled_in = form.replace("salt:\n", "salt:\nRALLY 1\n");
    assert!(mail("Here they are.\n", &filled_in).unwrap().contains("\nRALLY 1\n"));
}

fn findings(file: &str, text: &str) -> Vec<Finding> {
    check(&[(file.to_owned(), text.to_owned())].into_iter().collect())
}

#[test]
fn the_built_in_templates_have_no_faults() {
    let of_host = built_in_templates().map(|(file, text)| (file.to_owned(), text.to_owned()));
    let of_game = built_in_templates().filter(|(file, _)| *file != "help.txt");
    let of_game = of_game.map(|(file, text)| (format!("alpha/{file}"), text.to_owned()));
    assert_eq!(check(&of_host.chain(of_game).collect()), []);
}

#[test]
fn what_is_wrong_with_a_template_is_told_with_its_line() {
    let built_in: BTreeMap<_, _> = built_in_templates().collect();
    let dispatch = built_in["dispatch.txt"];
    let (receipt, invitation) = (built_in["receipt.txt"], built_in["invitation.txt"]);
    let long = "x".repeat(90);
    for (file, text, line, said) in [
        ("hlep.txt", "x".to_owned(), 0, "there is no such mail"),
        ("no game/notice.txt", "x".to_owned(), 0, "there is no such mail"),
        ("alpha/help.txt", "{{ host }}".to_owned(), 0, "any of them but help.txt"),
        ("help.txt", "one\n{% if %}\n".to_owned(), 2, "syntax error"),
        ("help.txt", "one\n{{ hots }}\n".to_owned(), 2, "does not exist"),
        (
            "help.txt",
            "{% if false %}\n{{ hots }}\n{% endif %}\n".to_owned(),
            2,
            "no mail of this kind has a value `hots`",
        ),
        ("help.txt", format!("a\n{long}\n"), 2, "more than 78 columns"),
        ("alpha/dispatch.txt", dispatch.replace("{{ order_form }}\n", ""), 0, "loses the order form"),
        ("dispatch.txt", dispatch.replace("{{ key_line }}\n", ""), 0, "loses the line with the seat's key"),
        (
            "dispatch.txt",
            dispatch.replace("{{ witness }}\n", "{{ witness }}\nBye!\n"),
            0,
            "begin with `Chain:` at its end",
        ),
        (
            "dispatch.txt",
            dispatch.replace("window.deadline.long", "window.deadline.longer"),
            18,
            "`window.deadline.longer`",
        ),
        ("press.txt", built_in["press.txt"].replace("{{ letter }}", ""), 0, "loses the letter"),
        ("receipt.txt", receipt.replace("{{ leaf }}", ""), 0, "loses the leaf of the orders"),
        (
            "receipt.txt",
            receipt.replace("{{ leaf }}", "{{ leaf }}\n{{ sha256 }}"),
            0,
            "the last 64 digits above",
        ),
        ("invitation.txt", invitation.replace("{{ anchor }}", ""), 0, "loses the anchor of the dice"),
        ("frame.html", "<html></html>".to_owned(), 0, "loses the page"),
    ] {
        let found = findings(file, &text);
        let is_it = |finding: &Finding| finding.text.contains(said) && finding.line == line;
        assert!(found.iter().any(is_it), "{file}, {said}: {found:?}");
        assert!(found.iter().all(|finding| finding.file == file));
    }
}

/// What a player can't do without in the answers to his mails.
#[test]
fn a_receipt_and_a_refusal_that_lose_what_they_are_for_are_found() {
    let built_in: BTreeMap<_, _> = built_in_templates().collect();
    let without = |file: &str, part: &str| {
        let text = built_in[file];
        assert!(text.contains(part), "{file}: {part}");
        let found = findings(file, &text.replacen(part, "", 1));
        found.into_iter().map(|finding| finding.text).collect::<Vec<_>>()
    };
    let said = |text: &str| format!("a mail loses {text}");
    let (verdict, deadline, ready) =
        (said("the verdict on the orders"), said("the deadline"), said("whether the seat is ready"));
    assert_eq!(without("receipt.txt", "{{ verdict | wrap }}"), [verdict]);
    assert_eq!(without("receipt.txt", "{{ facts }}"), [deadline, ready]);
    let held_back: Vec<&str> =
        built_in["receipt.txt"].lines().filter(|line| line.contains("Your READY was left out")).collect();
    assert_eq!(held_back.len(), 2);
    assert_eq!(without("receipt.txt", held_back[1]), [said("that a READY was left out")]);
    assert_eq!(without("receipt.txt", "{{ unread }}"), [said("what was not read")]);
    let (why, open) = (said("why the mail changed nothing"), said("what is open now"));
    assert_eq!(without("refusal.txt", "{{ why | wrap }}"), [why.as_str()]);
    let text = built_in["refusal.txt"];
    let (head, rest) = text.split_once("{% if reason == ").unwrap();
    let (_, tail) = rest.split_once("{% if now_open %}").unwrap();
    let found = findings("refusal.txt", &format!("{head}{{% if now_open %}}{tail}"));
    assert!(found.iter().any(|finding| finding.text == why), "{found:?}");
    let found = findings(
        "refusal.txt",
        &format!("{}{{{{ witness }}}}\n", text.split_once("{% if now_open %}").unwrap().0),
    );
    assert!(found.iter().any(|finding| finding.text == open), "{found:?}");
}

#[test]
fn a_template_that_loops_on_and_on_is_stopped_and_gives_way() {
    let loops =
        "{% for i in range(100000) %}{% for j in range(100000) %}{{ loop.index }}{% endfor %}{% endfor %}\n";
    let found = findings("notice.txt", loops);
    assert!(found.iter().any(|finding| finding.text.contains("too many steps")), "{found:?}");
    let own = [("notice.txt".to_owned(), loops.to_owned())];
    let notice = letters::Notice {
        game: None,
        subject: "x".to_owned(),
        paragraphs: vec!["It snows.".to_owned()],
        lines: String::new(),
        witness: None,
    };
    let told = letters::notice(&Templates::new(own.into_iter().collect()), &notice).body;
    assert!(told.contains("It snows."), "in the usual words: {told}");
}

#[test]
fn a_folder_of_templates_for_no_game_is_told_of() {
    let camp = Camp::new();
    founded(&camp, &mut camp.open());
    for game in ["alpha", "alhpa"] {
        let folder = camp.path().join("templates").join(game);
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("notice.txt"),
            built_in_templates().find(|(file, _)| *file == "notice.txt").unwrap().1,
        )
        .unwrap();
    }
    let found = config::look_over_templates(camp.path());
    let told: Vec<String> = found.iter().map(Finding::to_string).collect();
    assert!(told.len() == 1 && told[0].starts_with("alhpa/: there is no game `alhpa`"), "{told:?}");
}

#[test]
fn a_game_may_have_templates_of_its_own() {
    let own = [("alpha/notice.txt", "Of the game.\n"), ("notice.txt", "Of the host.\n")];
    let own = own.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let templates = Templates::new(own.into_iter().collect());
    let notice = |game: &str| {
        let notice = letters::Notice {
            game: game.parse().ok(),
            subject: "x".to_owned(),
            paragraphs: Vec::new(),
            lines: String::new(),
            witness: None,
        };
        letters::notice(&templates, &notice).body
    };
    assert_eq!(notice("alpha"), "Of the game.\n");
    assert_eq!(notice("beta"), "Of the host.\n");
}

/// The newest dispatch of the red player in a game of the toy, on a host with these lines in its configuration.
fn raw_dispatch(keys: &[(&str, &str)]) -> Vec<u8> {
    let camp = Camp::new();
    let path = camp.path().join(config::FILE);
    let text =
        keys.iter().fold(fs::read_to_string(&path).unwrap(), |text, (key, own)| text.replace(key, own));
    fs::write(&path, text).unwrap();
    founded(&camp, &mut camp.open());
    let mails = raw_mails(&camp.path().join("mail").join(player("red")));
    let dispatches = mails.into_iter().filter(|(_, raw)| is_of_kind(&read(raw), "dispatch"));
    dispatches.map(|(_, raw)| raw).next_back().unwrap()
}

#[test]
fn a_dispatch_brings_its_form_its_data_and_its_deadline() {
    let raw = raw_dispatch(&[]);
    let mail = mail_parser::MessageParser::default().parse(&raw).unwrap();
    let file = |name: &str| {
        let file = mail.attachments().find(|file| file.attachment_name() == Some(name));
        String::from_utf8(file.unwrap_or_else(|| panic!("no {name}")).contents().to_vec()).unwrap()
    };
    assert_eq!((mail.text_body_count(), mail.html_body_count(), mail.attachment_count()), (1, 1, 3));
    let text = mail.body_text(0).unwrap().replace("\r\n", "\n");
    assert!(
        text.contains(&format!("\n{}", file("orders.txt"))),
        "the form as in the text, below its key:\n{text}"
    );
    let data: serde_json::Value = serde_json::from_str(&file("alpha-t2-red.json")).unwrap();
    assert_eq!((&data["schema"], &data["window"]["t"]), (&"musterd/dispatch/1".into(), &2.into()));
    assert!(file("deadline.ics").contains("BEGIN:VEVENT"));
    let token = text.lines().find_map(|line| line.strip_prefix("# key: alpha red ")).unwrap();
    assert!(!file("alpha-t2-red.json").contains(token), "the data may be shown to anybody");
}

#[test]
fn a_host_may_leave_out_all_but_the_text() {
    let raw = raw_dispatch(&[("html: true", "html: false"), ("attach: [form, json, ics]", "attach: []")]);
    let mail = mail_parser::MessageParser::default().parse(&raw).unwrap();
    assert_eq!((mail.parts.len(), mail.attachment_count()), (1, 0));
    assert!(mail.body_text(0).unwrap().contains("BEGIN ORDERS"));
}
