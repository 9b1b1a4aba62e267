//! Recognises the lines that mail programs put above an answered or forwarded mail.

use memchr::{memchr, memchr_iter};

use super::plain::is_quoted;

/// Labels of the writer in header blocks, in the usual programs and languages.
const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "da",
    "van",
    "från",
    "fra",
    "od",
    "от",
    "від",
    "kimden",
    "feladó",
    "lähettäjä",
    "差出人",
    "发件人",
    "寄件者",
    "보낸 사람",
    "από",
    "expéditeur",
    "absender",
    "de la",
    "saatja",
    "nuo",
];

/// Labels of the other lines of such a block: time, recipients, subject.
const OTHERS: &[&str] = &[
    "sent",
    "date",
    "to",
    "subject",
    "cc",
    "reply-to",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "kopie",
    "envoyé",
    "envoyé le",
    "date d'envoi",
    "à",
    "a",
    "objet",
    "enviado",
    "enviado el",
    "enviada em",
    "enviado em",
    "fecha",
    "data",
    "para",
    "asunto",
    "assunto",
    "inviato",
    "oggetto",
    "verzonden",
    "aan",
    "onderwerp",
    "skickat",
    "till",
    "ämne",
    "sendt",
    "til",
    "emne",
    "dato",
    "wysłano",
    "wysłane",
    "do",
    "temat",
    "dw",
    "отправлено",
    "дата",
    "кому",
    "тема",
    "копия",
    "надіслано",
    "gönderildi",
    "gönderilme tarihi",
    "tarih",
    "kime",
    "konu",
    "elküldve",
    "dátum",
    "címzett",
    "tárgy",
    "lähetetty",
    "päiväys",
    "vastaanottaja",
    "aihe",
    "odesláno",
    "komu",
    "předmět",
    "odoslané",
    "predmet",
    "送信日時",
    "日付",
    "宛先",
    "件名",
    "发送时间",
    "收件人",
    "主题",
    "寄件日期",
    "收件者",
    "主旨",
    "보낸 날짜",
    "받는 사람",
    "제목",
    "στάλθηκε",
    "προς",
    "θέμα",
    "trimis",
    "către",
    "subiect",
    "saadetud",
];

/// The words for a mail in the separators of programs.
const MAIL: &[&str] = &[
    "message",
    "nachricht",
    "mensaje",
    "mensagem",
    "messaggio",
    "bericht",
    "meddelande",
    "wiadomo",
    "besked",
    "melding",
    "viesti",
    "zpráva",
    "správa",
    "üzenet",
    "ileti",
    "mesaj",
    "сообщение",
    "письмо",
    "повідомлення",
    "メッセージ",
    "邮件",
    "郵件",
    "메시지",
    "μήνυμα",
];

/// Verbs of attributions (`wrote`).
const VERBS: &[&str] = &[
    " wrote",
    " writes",
    " said",
    " schrieb",
    " geschrieben",
    " a écrit",
    " escribió",
    " ha scritto",
    " schreef",
    " skrev",
    " escreveu",
    " napisał",
    " pisze",
    " пишет",
    " написал",
    " пише",
    " napsal",
    " napísal",
    " kirjoitti",
    " írta",
    " yazdı",
    " έγραψε",
    " a scris",
    " ha escrit",
    " kirjutas",
    " menulis",
    "เขียนว่า",
    " 写道",
    "のメール",
    "작성",
];

/// Beginnings of attributions that may continue on the next line.
const STARTS: &[&str] = &[
    "on ",
    "am ",
    "le ",
    "el ",
    "il ",
    "op ",
    "den ",
    "em ",
    "w dniu ",
    "dnia ",
    "på ",
    "dne ",
    "dňa ",
    "no dia ",
    "a(z) ",
    "pe ",
    "în ",
    "pada ",
    "ในวันที่ ",
    "เมื่อ ",
];

/// The longest line of an attribution, in bytes.
const LONGEST: usize = 400;

/// The number of first lines that introduce a quotation: 0 if they don't.
pub(super) fn introduction_length(lines: &[&str]) -> usize {
    let first = lines[0].trim();
    // Cheap tests first: this runs on every line of every mail.
    if first.is_empty() || is_quoted(first) {
        return 0;
    }
    if is_separator(first) || is_header_block(lines) { 1 } else { attribution_length(lines) }
}

/// Whether a line is a separator: `-----Original Message-----`, `---------- Forwarded message ---------`, `Begin forwarded message:` and the like; or
/// that of a telephone, with the whole header block on the same line.
fn is_separator(line: &str) -> bool {
    if line.eq_ignore_ascii_case("begin forwarded message:") {
        return true;
    }
    if !line.starts_with("---") {
        return false;
    }
    let words = line.trim_start_matches('-');
    let Some((words, rest)) = words.split_once("---") else { return false };
    let rest = rest.trim_start_matches('-');
    let lower = words.to_lowercase();
    (rest.is_empty() || rest.contains(": "))
        && (MAIL.iter().any(|word| lower.contains(word)) || has_time(words) && says_so(&lower))
}

/// Whether these lines begin with the header block that Outlook, telephones and webmail put above a quotation: writer, time, recipients, subject, in
/// any order.
fn is_header_block(lines: &[&str]) -> bool {
    let Some(first) = label(lines[0]) else { return false };
    if is_address_block(lines) {
        return true;
    }
    if !FROM.contains(&first.as_str()) && !OTHERS.contains(&first.as_str()) {
        return false;
    }
    let near = lines.iter().filter(|line| !line.trim().is_empty()).take(6);
    let labels: Vec<String> = near.filter_map(|line| label(line)).collect();
    let among = |known: &[&str]| labels.iter().filter(|label| known.contains(&label.as_str())).count();
    let (from, others) = (among(FROM), among(OTHERS));
    from >= 1 && from + others >= 3
}

/// Whether they begin with such a block in an unknown language: three lines with labels, one with an address, one with a time of day.
fn is_address_block(lines: &[&str]) -> bool {
    let values = || {
        let named = |line: &&&str| label(line).is_some_and(|label| label.starts_with(char::is_alphabetic));
        lines.iter().take(4).take_while(named).filter_map(|line| line.split_once(':')).map(|(_, value)| value)
    };
    values().count() >= 3 && values().any(has_address) && values().any(has_time)
}

/// Whether the text has something like an address, `ney@army.example`.
fn has_address(text: &str) -> bool {
    let around =
        text.split_once('@').map(|(before, after)| (before.chars().next_back(), after.chars().next()));
    matches!(around, Some((Some(before), Some(after))) if before.is_alphanumeric() && after.is_alphanumeric())
}

/// The text before the colon, in small letters, if it can be a header's name.
fn label(line: &str) -> Option<String> {
    let label = &line[..memchr(b':', line.as_bytes())?];
    if label.len() > 40 || label.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let label = label.trim_matches([' ', '*', '\t']).to_lowercase();
    (!label.is_empty()).then_some(label)
}

/// The number of lines of an attribution, at most three, in the languages of the usual programs: `On Monday Ney wrote:`.
fn attribution_length(lines: &[&str]) -> usize {
    // An order begins like none of these and doesn't end in a colon: most lines are decided here.
    let first = lines[0].trim();
    let may_be = |byte: u8, start: u8| !byte.is_ascii() || byte.eq_ignore_ascii_case(&start);
    let begins = |start: &&str| match (first.as_bytes(), start.as_bytes()) {
        ([one, two, ..], [first, second, ..]) => may_be(*one, *first) && may_be(*two, *second),
        _ => false,
    };
    if !first.ends_with(':') && !STARTS.iter().any(begins) && !has_time(first) {
        return 0;
    }
    if introduces_marks(lines) {
        return 1;
    }
    let mut joined = String::new();
    for (index, line) in lines.iter().take(3).enumerate() {
        if line.trim().is_empty() || line.len() > LONGEST {
            return 0;
        }
        joined.push_str(&line.trim().to_lowercase());
        if joined.ends_with(':') {
            let addressed = joined.contains('@');
            let dated = addressed || joined.bytes().any(|byte| byte.is_ascii_digit());
            if dated && says_so(&joined) || addressed && has_time(&joined) {
                return index + 1;
            }
        }
        // A line may continue only if it begins like an attribution or has a time; otherwise an order above an attribution would be swallowed.
        let goes_on = STARTS.iter().any(|start| joined.starts_with(start)) || index == 0 && has_time(&joined);
        if !goes_on {
            return 0;
        }
        joined.push(' ');
    }
    0
}

/// Whether an attribution stands right above quote marks: a line with a colon at its end that has an attribution's words or, in an unknown language,
/// a time of day.
fn introduces_marks(lines: &[&str]) -> bool {
    let first = lines[0].trim();
    if !first.ends_with(':') {
        return false;
    }
    let next = || lines[1..].iter().take(2).find(|line| !line.trim().is_empty());
    (has_time(first) || says_so(&first.to_lowercase())) && next().is_some_and(|line| is_quoted(line))
}

fn says_so(lower: &str) -> bool {
    VERBS.iter().any(|verb| lower.contains(verb))
}

/// Whether the text has a time of day, `9:05` or `9.05`.
fn has_time(text: &str) -> bool {
    let digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let is_time = |at: usize| digit(at.checked_sub(1)) && digit(Some(at + 1)) && digit(Some(at + 2));
    // `10.03` is a time too, but `04.05.2026` is a date.
    let is_alone = |at: usize| {
        let around = [at.checked_sub(2), at.checked_sub(3), Some(at + 3)];
        let byte = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at));
        is_time(at)
            && !around.into_iter().any(|at| byte(at) == Some(&b'.'))
            && !digit(Some(at + 3))
            && !digit(at.checked_sub(3))
    };
    memchr_iter(b':', text.as_bytes()).any(is_time) || memchr_iter(b'.', text.as_bytes()).any(is_alone)
}

#[cfg(test)]
mod tests {
    use super::introduction_length;

    fn introduces(text: &str) -> usize {
        introduction_length(&text.lines().collect::<Vec<_>>())
    }

    #[test]
    fn separators_are_known_with_and_without_the_headers_on_their_line() {
        for line in [
            "-----Original-Nachricht-----",
            "---------------------------- Original Message ----------------------------",
            "-------- Original message --------From: Host <h@example.org> Date: 5/4/26  21:00  (GMT+01:00) To: Ney",
            "-------- Пересылаемое сообщение --------",
            "---- On Wed, 24 Feb 2021 14:02:50 +0530 h@example.org wrote ----",
        ] {
            assert_eq!(introduces(line), 1, "{line}");
        }
        for line in ["--- ORDERS ---", "-----", "---", "--- message", "- message -"] {
            assert_eq!(introduces(line), 0, "{line}");
        }
    }

    #[test]
    fn header_blocks_are_known_in_any_order_and_language() {
        for block in [
            "Gesendet: gestern\nVon: Host\nAn: Ney\nBetreff: x",
            "*From:* Host\n*Sent:* today\n*To:* Ney",
            "De : Host\nEnvoyé : lundi\nÀ : Ney\nObjet : x",
            "От: Host\nОтправлено: вчера\nКому: Ney",
            "From: Host\n[mailto:h@example.org]\nSent: today\nTo: Ney",
            "Seolta: Host <h@example.org>\nDáta: 4/5/26 21:00\nAbhar: x",
        ] {
            assert_eq!(introduces(block), 1, "{block}");
        }
        for block in [
            "From: here on I march\nMOVE 1 TO Ulm\nMOVE 2 TO Linz",
            "salt: a@b 12:30\nMOVE 1 TO Ulm\nseen: 3 ab\nMOVE 2 TO Linz",
            "Ulm: 3 corps\nLinz: 2 corps\nVienna: at 12:30",
            // The first line begins a little like an attribution, and one stands below it.
            "DEFEND D1\nOn Monday, 21 November 2026, Ney wrote:",
        ] {
            assert_eq!(introduces(block), 0, "{block}");
        }
    }

    #[test]
    fn attributions_are_known_without_marks_below_them() {
        for line in [
            "Am 04.05.2026 hat Host <h@example.org> Folgendes geschrieben:",
            "2026/05/04 21:00 Host <h@example.org>:",
            "On Monday, May 4, 2026, Host\n<h@example.org>\nwrote:",
            "04.05.2026 21:00 пользователь \"Host\" <\nh@example.org> написал:",
        ] {
            assert_eq!(introduces(line), line.lines().count(), "{line}");
        }
        for line in
            ["At 21:00 I march:", "MOVE 1 # at 21:00\nMOVE 2 # then:", "He said:", "On Ulm I march:\nMOVE 1"]
        {
            assert_eq!(introduces(line), 0, "{line}");
        }
    }
}
