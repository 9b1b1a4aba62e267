//! Any orders, as any program shows, quotes, encodes and wraps them, arrive exactly.

use musterd::desk::mail::open;
use musterd::dice::Block;
use musterd::letter::Limits;
use proptest::prelude::*;
use proptest::sample::select;

use super::letters_mutation::base64;
use super::letters_summary::{FORM, orders_of};

/// What programs put above the mail that they quote with marks.
const ATTRIBUTIONS: &[&str] = &[
    "On Mon, May 4, 2026 at 9:00 PM Host <h@play.example> wrote:",
    "On Mon, May 4, 2026 at 9:00 PM Host\n<h@play.example> wrote:\n",
    "Am 04.05.26 um 21:00 schrieb Host:",
    "Le lun. 4 mai 2026 à 21:00, Host\n<h@play.example> a écrit :\n",
    "W dniu 4.05.2026 o 21:00, Host pisze:",
    "04.05.2026 21:00, Host пишет:",
    "2026年5月4日(月) 21:00 Host <h@play.example>:\n",
    "* Host <h@play.example> [2026-05-04 21:00]:\n",
    "> Host <h@play.example> hat am 04.05.2026 21:00 CEST geschrieben:",
    "Quoting Host <h@play.example>:\n",
    "",
];

/// What programs put above a mail that they quote without marks.
const INTRODUCTIONS: &[&str] = &[
    "-----Original Message-----\nFrom: Host <h@play.example>\nSent: Monday, 9:00 PM\nTo: Ney\nSubject: [alpha]\n",
    "________________________________\nVon: Host <h@play.example>\nGesendet: Montag, 4. Mai 2026 21:00\nAn: Ney\nBetreff: [alpha]\n",
    "De : Host\nEnvoyé : lundi 4 mai 2026 21:00\nÀ : Ney\nObjet : [alpha]\n",
    "Gesendet: Montag, 04. Mai 2026 um 21:00 Uhr\nVon: \"Host\" <h@play.example>\nAn: Ney\nBetreff: [alpha]\n",
    "От: Host <h@play.example>\nОтправлено: 4 мая 2026 г. 21:00\nКому: Ney\nТема: [alpha]\n",
    "-------- Original message --------From: Host <h@play.example> Date: 5/4/26  21:00 To: Ney Subject: [alpha]",
    "------ Original Message ------\nFrom \"Host\" <h@play.example>\nTo Ney\nDate 5/4/2026 9:00:00 PM\n",
    "Begin forwarded message:\n\nFrom: Host <h@play.example>\nSubject: [alpha]\n",
    "Am Montag, 4. Mai 2026 um 21:00:00 MESZ hat Host <h@play.example> Folgendes geschrieben: \n",
    "in words of nobody's language",
];

/// How an HTML program writes a line, and how it quotes.
struct Page {
    head: &'static str,
    line: (&'static str, &'static str),
    quotation: &'static str,
    quoted: (&'static str, &'static str),
    foot: &'static str,
}

const PAGES: &[Page] = &[
    // Gmail.
    Page {
        head: "<div dir=\"ltr\">",
        line: ("<div>", "</div>"),
        quotation: "</div><br><div class=\"gmail_quote\"><div dir=\"ltr\" class=\"gmail_attr\">On Mon, May 4, 2026 at 9:00\u{202f}PM Host &lt;<a href=\"mailto:h@play.example\">h@play.example</a>&gt; wrote:<br></div><blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)\">",
        quoted: ("", "<br>\r\n"),
        foot: "</blockquote></div>\r\n",
    },
    // Outlook, Word's HTML.
    Page {
        head: "<html xmlns:o=\"urn:schemas-microsoft-com:office:office\"><head><style><!--\r\np.MsoNormal {margin:0cm;}\r\n--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext=\"edit\"/></xml><![endif]--></head><body lang=EN-GB><div class=WordSection1>",
        line: ("<p class=MsoNormal><span style='mso-fareast-language:EN-US'>", "<o:p></o:p></span></p>\r\n"),
        quotation: "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>Von:</b> Host &lt;h@play.example&gt; <br>\r\n<b>Gesendet:</b> Montag, 4. Mai 2026 21:00<br>\r\n<b>An:</b> Ney<br>\r\n<b>Betreff:</b> [alpha]<o:p></o:p></p></div>",
        quoted: ("<p class=MsoNormal>", "<o:p></o:p></p>\r\n"),
        foot: "</div></body></html>\r\n",
    },
    // Outlook on the web.
    Page {
        head: "<html><head><style type=\"text/css\" style=\"display:none;\"> P {margin-top:0;margin-bottom:0;} </style></head><body dir=\"ltr\">",
        line: ("<div class=\"elementToProof\" style=\"font-size: 12pt;\">\r\n", "</div>\r\n"),
        quotation: "<hr style=\"display:inline-block;width:98%\" tabindex=\"-1\"><div id=\"divRplyFwdMsg\" dir=\"ltr\"><font><b>De :</b> Host<br>\r\n<b>Envoyé :</b> lundi 4 mai 2026 21:00<br>\r\n<b>À :</b> Ney<br>\r\n<b>Objet :</b> [alpha]</font><div>&nbsp;</div></div><div class=\"PlainText\">",
        quoted: ("", "<br>\r\n"),
        foot: "</div></body></html>",
    },
    // Apple Mail.
    Page {
        head: "<html><body style=\"word-wrap: break-word; -webkit-nbsp-mode: space;\">",
        line: ("<div>", "</div>"),
        quotation: "<div><br><blockquote type=\"cite\"><div>On 4 May 2026, at 21:00, Host &lt;h@play.example&gt; wrote:</div><br class=\"Apple-interchange-newline\"><div>",
        quoted: ("<div>", "</div>"),
        foot: "</div></blockquote></div><br></body></html>",
    },
    // Thunderbird.
    Page {
        head: "<html>\n  <body>\n    <p>",
        line: ("", "<br>\n      "),
        quotation: "</p>\n    <div class=\"moz-cite-prefix\">Am 04.05.26 um 21:00 schrieb Host:<br>\n    </div>\n    <blockquote type=\"cite\" cite=\"mid:x@play.example\">\n      <pre class=\"moz-quote-pre\" wrap=\"\">",
        quoted: ("", "\n"),
        foot: "</pre>\n    </blockquote>\n  </body>\n</html>\n",
    },
    // Yahoo.
    Page {
        head: "<div style=\"font-family:Arial;\">",
        line: ("<div dir=\"ltr\" data-setdir=\"false\">", "</div>"),
        quotation: "</div><div class=\"yahoo_quoted\"><div><div>On Monday, May 4, 2026 at 09:00:00 PM GMT+2, Host &lt;h@play.example&gt; wrote: </div><div><br></div>",
        quoted: ("<div dir=\"ltr\">", "<br></div>"),
        foot: "</div></div>",
    },
    // A layout table, and webmail that indents what it quotes.
    Page {
        head: "<table width=\"100%\">",
        line: ("<tr><td>", "</td></tr>\n"),
        quotation: "</table><div name=\"quote\" style=\"border-left:2px solid #C3D9E5;\"><div><b>Gesendet:</b>&nbsp;Montag, 04. Mai 2026 um 21:00 Uhr<br/><b>Von:</b>&nbsp;Host<br/><b>An:</b>&nbsp;Ney</div>",
        quoted: ("", "<br/>\n"),
        foot: "</div>",
    },
];

/// Where the player writes.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// A block on top of the quoted dispatch.
    Block,
    /// Order lines on top of it, without marks.
    Loose,
    /// The form in the quotation.
    Form,
    /// A mail that answers nothing.
    Fresh,
}

/// What a program makes of the text.
#[derive(Debug, Clone, Copy)]
enum Style {
    Marked(&'static str, &'static str),
    Unmarked(&'static str),
    Flowed(bool),
    Html(usize),
    /// HTML with a plain version beside it, whose lines are broken.
    Both(usize),
}

#[derive(Debug, Clone, Copy)]
enum Charset {
    Utf8,
    Latin1,
    Windows1252,
    Utf16(bool, bool),
}

#[derive(Debug, Clone, Copy)]
enum Transfer {
    EightBit,
    /// With soft breaks after so many bytes, wherever that is.
    Quoted(usize),
    Base64,
}

#[derive(Debug, Clone, Copy)]
enum Wrapping {
    None,
    Signed,
    Nested,
}

fn dispatch(form: &[String]) -> Vec<String> {
    let rule = "=".repeat(78);
    let mut lines: Vec<String> =
        ["LA GRANDE ARMEE      alpha", "Autumn 1805", &rule, "MOVE when you are ready.", ""]
            .map(str::to_owned)
            .to_vec();
    lines.push("# key: alpha french k7q2mz4t9hwxp3cd".to_owned());
    lines.push("BEGIN ORDERS".to_owned());
    lines.extend_from_slice(form);
    lines.extend(["END ORDERS", "", "Chain: alpha 6"].map(str::to_owned));
    lines
}

/// The lines that the player writes, those that are quoted, and the block that must arrive.
fn told(orders: &[String], place: Place) -> (Vec<String>, Option<Vec<String>>, String) {
    let mut form = vec!["# Write your orders here.".to_owned()];
    let standing = FORM.lines().map(str::to_owned);
    let marked = |orders: &[String]| {
        let above = ["Hello,", "", "BEGIN ORDERS"].map(str::to_owned);
        [&above[..], orders, &["END ORDERS".to_owned()]].concat()
    };
    let block = |lines: &[String]| lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
    match place {
        Place::Form => {
            form.extend_from_slice(orders);
            form.extend(standing);
            (vec!["Hello,".to_owned()], Some(dispatch(&form)), block(&form))
        }
        Place::Block | Place::Loose => {
            form.extend(standing);
            let own = if matches!(place, Place::Block) { marked(orders) } else { orders.to_vec() };
            (own, Some(dispatch(&form)), block(orders))
        }
        Place::Fresh => (marked(orders), None, block(orders)),
    }
}

/// The parts that a program makes: content type and text.
fn rendered(style: Style, own: &[String], quoted: Option<&[String]>) -> Vec<(&'static str, String)> {
    let quoted = quoted.unwrap_or_default();
    let marked = |mark: &str| -> Vec<String> { quoted.iter().map(|line| format!("{mark}{line}")).collect() };
    let joined = |introduction: &str, quoted: &[String]| {
        let below = if quoted.is_empty() { "" } else { introduction };
        format!("{}\n\n{below}\n{}\n", own.join("\n"), quoted.join("\n"))
    };
    match style {
        Style::Marked(attribution, mark) => vec![("text/plain", joined(attribution, &marked(mark)))],
        Style::Unmarked(introduction) => vec![("text/plain", joined(introduction, quoted))],
        Style::Flowed(delsp) => {
            let text = joined("Am 04.05.26 um 21:00 schrieb Host:", &marked("> "));
            let flowed: String = text.lines().map(|line| flow(line, delsp)).collect();
            let kind =
                if delsp { "text/plain; format=flowed; delsp=yes" } else { "text/plain; format=flowed" };
            vec![(kind, flowed)]
        }
        Style::Html(page) => vec![("text/html", page_of(&PAGES[page], own, quoted))],
        Style::Both(page) => {
            let text = joined("On Mon, May 4, 2026 at 9:00 PM Host <h@play.example> wrote:\n", &marked("> "));
            let broken = text.lines().map(broken).collect();
            vec![("text/plain", broken), ("text/html", page_of(&PAGES[page], own, quoted))]
        }
    }
}

fn page_of(page: &Page, own: &[String], quoted: &[String]) -> String {
    let verbatim = page.quotation.ends_with("wrap=\"\">");
    let line = |line: &String, (open, close): (&str, &str), verbatim: bool| {
        let mut text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if !verbatim {
            text = text.replace("  ", " &nbsp;");
            if let Some(rest) = text.strip_prefix(' ') {
                text = format!("&nbsp;{rest}");
            }
        }
        let text = if text.is_empty() && !verbatim && !close.contains("<br") { "<br>" } else { &text };
        format!("{open}{text}{close}")
    };
    let written: String = own.iter().map(|text| line(text, page.line, false)).collect();
    let below: String = quoted.iter().map(|text| line(text, page.quoted, verbatim)).collect();
    let below =
        if quoted.is_empty() { String::new() } else { format!("{}{below}{}", page.quotation, page.foot) };
    format!("{}{written}{below}", page.head)
}

/// A line as `format=flowed`: broken behind spaces, stuffed where it begins with one or with a mark of its own.
fn flow(line: &str, delsp: bool) -> String {
    let (mark, rest) = line.strip_prefix("> ").map_or(("", line), |rest| (">", rest));
    let mut flowed = String::new();
    let mut piece = String::new();
    let mut end = |piece: &mut String, soft: bool| {
        let stuffed = !mark.is_empty() || piece.starts_with([' ', '>']) || piece.starts_with("From ");
        flowed.push_str(mark);
        flowed.push_str(if stuffed { " " } else { "" });
        flowed.push_str(piece);
        flowed.push_str(if soft && delsp { " \n" } else { "\n" });
        piece.clear();
    };
    for word in rest.split_inclusive(' ') {
        if piece.len() + word.len() > 68 && piece.ends_with(' ') {
            end(&mut piece, true);
        }
        piece.push_str(word);
    }
    end(&mut piece, false);
    flowed
}

/// A line as Gmail breaks it.
fn broken(line: &str) -> String {
    let (mark, rest) = line.strip_prefix("> ").map_or(("", line), |rest| ("> ", rest));
    let mut lines = mark.to_owned();
    let mut length = mark.len();
    for (index, word) in rest.split(' ').enumerate() {
        if index > 0 && length + word.len() >= 78 && length > 40 {
            lines.push('\n');
            lines.push_str(mark);
            length = mark.len();
        } else if index > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        length += word.len() + 1;
    }
    lines.push('\n');
    lines
}

fn encoded(text: &str, charset: Charset) -> (&'static str, Vec<u8>) {
    // Outside of UTF-8 and UTF-16 the introductions of other scripts can't be written.
    let western = || text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    match charset {
        Charset::Utf8 => ("utf-8", text.as_bytes().to_vec()),
        Charset::Latin1 => ("ISO-8859-1", western()),
        Charset::Windows1252 => ("windows-1252", western()),
        Charset::Utf16(big, mark) => {
            let mark = if mark { "\u{feff}" } else { "" };
            let units = format!("{mark}{text}");
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let name = if !mark.is_empty() {
                "utf-16"
            } else if big {
                "utf-16be"
            } else {
                "utf-16le"
            };
            (name, units.encode_utf16().flat_map(bytes).collect())
        }
    }
}

fn part((kind, text): &(&str, String), charset: Charset, transfer: Transfer) -> Vec<u8> {
    let (name, bytes) = encoded(&text.replace("\r\n", "\n").replace('\n', "\r\n"), charset);
    let wide = matches!(charset, Charset::Utf16(..));
    let (transfer, body) = match transfer {
        Transfer::EightBit if !wide => ("8bit", bytes),
        Transfer::Quoted(width) => ("quoted-printable", quoted_printable(&bytes, width, wide)),
        Transfer::EightBit | Transfer::Base64 => ("base64", base64(&bytes)),
    };
    let head =
        format!("Content-Type: {kind}; charset=\"{name}\"\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n");
    [head.into_bytes(), body, b"\r\n".to_vec()].concat()
}

/// With a soft break after every `width` bytes of what is encoded, in the middle of a letter if it comes so.
fn quoted_printable(bytes: &[u8], width: usize, wide: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let mut length = 0;
    let mut rest = bytes;
    while let [byte, behind @ ..] = rest {
        if !wide && rest.starts_with(b"\r\n") {
            text.extend_from_slice(b"\r\n");
            (length, rest) = (0, &rest[2..]);
            continue;
        }
        if length >= width {
            text.extend_from_slice(b"=\r\n");
            length = 0;
        }
        let ends_line = behind.is_empty() || behind.starts_with(b"\r\n");
        match byte {
            b'=' | 0..=31 | 127.. => text.extend_from_slice(format!("={byte:02X}").as_bytes()),
            b' ' if ends_line || length + 1 >= width => text.extend_from_slice(b"=20"),
            _ => text.push(*byte),
        }
        length += 1;
        rest = behind;
    }
    text
}

fn multipart(kind: &str, boundary: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    let mut whole = format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n").into_bytes();
    for part in parts {
        whole.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
        whole.extend_from_slice(part);
    }
    whole.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    whole
}

fn mail(parts: &[Vec<u8>], wrapping: Wrapping) -> Vec<u8> {
    let content = match parts {
        [only] => only.clone(),
        several => multipart("alternative", "alt", several),
    };
    let other = |kind: &str| {
        format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n").into_bytes()
    };
    let content = match wrapping {
        Wrapping::None => content,
        Wrapping::Signed => {
            multipart("signed", "sig", &[content, other("application/pgp-signature; name=signature.asc")])
        }
        Wrapping::Nested => {
            let related = multipart("related", "rel", &[content, other("image/png; name=map.png")]);
            multipart("mixed", "mix", &[related, other("application/pdf; name=plan.pdf")])
        }
    };
    let head = "From: Ney <ney@example.org>\r\nTo: musterd@play.example\r\nSubject: Re: [alpha]\r\nMIME-Version: 1.0\r\n";
    [head.as_bytes(), &content].concat()
}

fn order() -> impl Strategy<Value = String> {
    let words = "( {0,2}[!-9;-?A-~äöüß€]{1,12}){0,16}";
    (select(vec!["MOVE", "REST", "  BUILD", "react"]), 1..99_u8, words)
        .prop_map(|(verb, unit, words)| format!("{verb} {unit}{}", without_emphasis(&words)))
}

/// Words with one mark of emphasis at most: two round a word are no part of an order.
fn without_emphasis(words: &str) -> String {
    let marks = ['*', '_', '`'];
    match words.split_once(marks) {
        Some((before, behind)) => {
            let mark = &words[before.len()..words.len() - behind.len()];
            format!("{before}{mark}{}", behind.replace(marks, "."))
        }
        None => words.to_owned(),
    }
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![
        (select(ATTRIBUTIONS), select(vec!["> ", ">"])).prop_map(|(above, mark)| Style::Marked(above, mark)),
        select(INTRODUCTIONS).prop_map(Style::Unmarked),
        any::<bool>().prop_map(Style::Flowed),
        (0..PAGES.len()).prop_map(Style::Html),
        (0..PAGES.len()).prop_map(Style::Both),
    ]
}

fn charset() -> impl Strategy<Value = Charset> {
    prop_oneof![
        Just(Charset::Utf8),
        Just(Charset::Latin1),
        Just(Charset::Windows1252),
        (any::<bool>(), any::<bool>()).prop_map(|(big, mark)| Charset::Utf16(big, mark)),
    ]
}

fn transfer() -> impl Strategy<Value = Transfer> {
    prop_oneof![Just(Transfer::EightBit), (8..70_usize).prop_map(Transfer::Quoted), Just(Transfer::Base64)]
}

fn wrapping() -> impl Strategy<Value = Wrapping> {
    select(vec![Wrapping::None, Wrapping::Signed, Wrapping::Nested])
}

/// The orders as the charset can carry them, and as the style does.
fn fitting(orders: Vec<String>, style: Style, charset: Charset) -> Vec<String> {
    let fit = |line: String| {
        let western = matches!(charset, Charset::Latin1 | Charset::Windows1252);
        let line = if western { line.replace('€', "e") } else { line };
        // Where two versions are put together, the spaces are the page's.
        let squeeze = matches!(style, Style::Both(_));
        let line = if squeeze { line.split_whitespace().collect::<Vec<_>>().join(" ") } else { line };
        // A mark without a space takes one of the line's.
        if matches!(style, Style::Marked(_, ">")) { line.trim_start().to_owned() } else { line }
    };
    orders.into_iter().map(fit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, ..ProptestConfig::default() })]

    #[test]
    fn orders_arrive_exactly(
        orders in prop::collection::vec(order(), 1..8),
        place in select(vec![Place::Block, Place::Loose, Place::Form, Place::Fresh]),
        style in style(), charset in charset(), transfer in transfer(), wrapping in wrapping(),
    ) {
        let orders = fitting(orders, style, charset);
        let (own, quoted, expected) = told(&orders, place);
        let parts = rendered(style, &own, quoted.as_deref());
        let parts: Vec<Vec<u8>> = parts.iter().map(|one| part(one, charset, transfer)).collect();
        let letter = open(&mail(&parts, wrapping), &Limits::default());
        let found = orders_of(&letter).unwrap();
        let right = Block::canonical(&expected);
        prop_assert_eq!(found.block(), Some(&right), "{:#?}", letter);
    }

    #[test]
    fn a_form_that_comes_back_as_it_was_mailed_orders_nothing(
        style in style(), charset in charset(), transfer in transfer(), wrapping in wrapping(),
    ) {
        let form: Vec<String> = FORM.lines().map(str::to_owned).collect();
        let parts = rendered(style, &["Thank you!".to_owned()], Some(&dispatch(&form)));
        let parts: Vec<Vec<u8>> = parts.iter().map(|one| part(one, charset, transfer)).collect();
        let letter = open(&mail(&parts, wrapping), &Limits::default());
        let found = orders_of(&letter).unwrap();
        prop_assert_eq!(found.block(), None, "{:#?}", letter);
    }

    #[test]
    fn an_attached_file_arrives_exactly(
        orders in prop::collection::vec(order(), 1..8), charset in charset(), transfer in transfer(),
        declared: bool, marked: bool,
    ) {
        let orders = fitting(orders, Style::Html(0), charset);
        let lines = orders.join("\n") + "\n";
        let text = if marked { format!("BEGIN ORDERS\n{lines}END ORDERS\n") } else { lines.clone() };
        let mut file = String::from_utf8_lossy(&part(&("text/plain; name=orders.txt", text), charset, transfer)).into_owned();
        // Latin letters outside UTF-8 are only known where the charset is declared.
        prop_assume!(!file.contains(char::REPLACEMENT_CHARACTER));
        if !declared {
            let at = file.find("; charset").unwrap();
            file.replace_range(at..file.find("\r\n").unwrap(), "");
        }
        let body = part(&("text/plain", "The orders are in the file.\n".to_owned()), Charset::Utf8, Transfer::EightBit);
        let raw = [b"From: ney@example.org\r\n".to_vec(), multipart("mixed", "mix", &[body, file.into_bytes()])].concat();
        let letter = open(&raw, &Limits::default());
        let found = orders_of(&letter).unwrap();
        let right = Block::canonical(&lines);
        prop_assert_eq!(found.block(), Some(&right), "{:#?}", letter);
    }
}
