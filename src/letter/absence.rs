//! Recognises vacation notices, and return paths that lead nowhere.

use mail_parser::Message;

use super::headers::header;

/// The usual beginnings of the subjects of vacation notices. A person's answer begins with `Re:` instead.
const VACATION_SUBJECTS: &[&str] = &[
    "automatic reply",
    "auto reply",
    "autoreply",
    "auto-reply",
    "auto:",
    "out of office",
    "out of the office",
    "vacation reply",
    "abwesenheit",
    "automatische antwort",
    "automatisch antwoord",
    "réponse automatique",
    "respuesta automática",
    "risposta automatica",
    "resposta automática",
    "autosvar",
    "automatiskt svar",
];

/// Headers that mark an automatic answer, whatever their value.
const VACATION_HEADERS: &[&str] = &["x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from"];

/// Whether a mail's headers or its subject say that its writer is away.
pub(super) fn is_vacation(mail: &Message<'_>, raw: &[u8], subject: &str) -> bool {
    is_marked_as_vacation(mail, raw) || announces_absence(subject)
}

pub(super) fn is_marked_as_vacation(mail: &Message<'_>, raw: &[u8]) -> bool {
    let replied =
        || header(mail, raw, "precedence").is_some_and(|value| value.to_lowercase().contains("auto_reply"));
    VACATION_HEADERS.iter().any(|name| header(mail, raw, name).is_some()) || replied()
}

/// Whether a subject begins like that of a vacation notice.
pub(super) fn announces_absence(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    VACATION_SUBJECTS.iter().any(|start| subject.starts_with(start))
}

/// Whether a return path leads nowhere: `<>`, or `<MAILER-DAEMON>`, as Postfix writes it for a pipe.
pub(super) fn is_null_path(path: &str) -> bool {
    let path = path.trim().trim_matches(['<', '>']).trim();
    let local = path.split_once('@').map_or(path, |(local, _)| local);
    path.is_empty() || local.eq_ignore_ascii_case("mailer-daemon")
}
