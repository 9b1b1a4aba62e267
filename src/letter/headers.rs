//! The headers of a mail: their values, the addresses and the Message-IDs in them.

use mail_parser::{Header, HeaderName, HeaderValue, Message};

/// The number of bytes that are kept of a mail that is too large to read: enough to learn whom to answer.
pub(super) const HEAD_BYTES: usize = 64 * 1024;

/// Every address of every header of that name, in order.
pub(super) fn addresses(mail: &Message<'_>, raw: &[u8], name: &HeaderName<'_>) -> Vec<String> {
    let parsed: Vec<String> = mail
        .headers()
        .iter()
        .filter(|header| header.name == *name)
        .filter_map(|header| header.value.as_address())
        .flat_map(|list| {
            let addresses = list.iter().filter_map(|one| one.address());
            addresses.filter_map(|address| address_in(&closed_up(address))).collect::<Vec<_>>()
        })
        .collect();
    if !parsed.is_empty() {
        return parsed;
    }
    raw_headers(mail, raw, name.as_str()).iter().flat_map(|value| split_addresses(value)).collect()
}

pub(super) fn split_addresses(value: &str) -> Vec<String> {
    value.split([',', ';']).filter_map(|one| address_in(&closed_up(one))).collect()
}

/// An address without the blanks that may stand around its `@` (RFC 5322, 4.4).
fn closed_up(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    for (index, part) in text.split('@').enumerate() {
        if index > 0 {
            closed.truncate(closed.trim_end().len());
            closed.push('@');
        }
        closed.push_str(if index > 0 { part.trim_start() } else { part });
    }
    closed
}

/// The first thing in `text` that looks like an address, lower case.
pub(super) fn address_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || c.is_control() || "<>()[],;:\"'".contains(c))
        .find(|word| {
            let (local, domain) = word.rsplit_once('@').unwrap_or_default();
            !local.is_empty() && !domain.is_empty() && word.len() <= 320
        })
        .map(str::to_lowercase)
}

pub(super) fn message_ids(value: Option<&HeaderValue<'_>>) -> Vec<String> {
    match value {
        Some(HeaderValue::Text(id)) => vec![id.to_string()],
        Some(HeaderValue::TextList(ids)) => ids.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// The value of the first header with this name, unfolded, not decoded, trimmed.
pub(super) fn header(mail: &Message<'_>, raw: &[u8], name: &str) -> Option<String> {
    raw_headers(mail, raw, name).into_iter().next()
}

pub(super) fn raw_headers(mail: &Message<'_>, raw: &[u8], name: &str) -> Vec<String> {
    mail.headers()
        .iter()
        .filter(|header| header.name.as_str().eq_ignore_ascii_case(name))
        .map(|header| unfolded(raw, header))
        .collect()
}

/// A header's value, unfolded, not decoded, trimmed.
pub(super) fn unfolded(raw: &[u8], header: &Header<'_>) -> String {
    let bytes = raw.get(header.offset_start as usize..header.offset_end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes).replace(['\r', '\n'], "").trim().to_owned()
}
