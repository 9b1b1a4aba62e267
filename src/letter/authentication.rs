//! The verdict of a mail server on a mail's origin: `Authentication-Results` (RFC 8601).
//!
//! Such a header can be trusted as far as the server that wrote it. Anybody can write one with that server's name: the server at the border has to
//! remove those (RFC 8601, section 5). Of the remaining headers the topmost counts; headers that a sender adds stand further down. A server may have
//! a filter for each method, and each filter writes a header of its own: the headers directly below the topmost count for the methods that it doesn't
//! mention, and for no others.

use mail_parser::{HeaderName, Message};
use serde::Deserialize;

use super::headers::unfolded;

/// An `Authentication-Results` header as it stands in the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The number of `Received` headers above it: servers add theirs on top.
    pub received: usize,
    /// Its value, on one line.
    pub text: String,
}

/// The methods by which a server can check that a mail comes from its claimed sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The sender's domain confirms the mail by DKIM or SPF (RFC 7489).
    Dmarc,
    /// The mail has a signature of the sender's domain (RFC 6376).
    Dkim,
    /// The mail came from a server of the sender's domain (RFC 7208).
    Spf,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Dmarc, Self::Dkim, Self::Spf];

    /// Its name in the header.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Dmarc => "dmarc",
            Self::Dkim => "dkim",
            Self::Spf => "spf",
        }
    }
}

/// The stamps of a mail, topmost first.
pub(super) fn stamps(mail: &Message<'_>, raw: &[u8]) -> Vec<Stamp> {
    let mut received = 0;
    let mut stamps = Vec::new();
    for header in mail.headers() {
        if header.name == HeaderName::Received {
            received += 1;
        } else if header.name.as_str().eq_ignore_ascii_case("authentication-results") {
            stamps.push(Stamp { received, text: unfolded(raw, header) });
        }
    }
    stamps
}

/// Whether the server `host` says, by one of these methods, that a mail with these stamps is from the domain of the address `from`. For each method,
/// the topmost header that mentions it decides.
#[must_use]
pub fn is_authentic(stamps: &[Stamp], host: &str, accept: &[Method], from: &str) -> bool {
    let Some((_, domain)) = from.rsplit_once('@') else { return false };
    let is_hosts = |results: &Results| results.server.eq_ignore_ascii_case(host);
    let read: Vec<(usize, Results)> =
        stamps.iter().map(|stamp| (stamp.received, Results::read(&stamp.text))).collect();
    let Some(top) = read.iter().position(|(_, results)| is_hosts(results)) else { return false };
    let height = read[top].0;
    let run = read[top..].iter().take_while(|(received, results)| *received == height && is_hosts(results));
    let headers: Vec<&Results> = run.map(|(_, results)| results).collect();
    if headers.iter().any(|results| results.is_of_other_version) {
        return false;
    }
    accept.iter().any(|method| {
        let of_method = |found: &&Found| found.method == method.as_str();
        let decides = headers.iter().find(|results| results.found.iter().any(|found| of_method(&found)));
        let mut found = decides.into_iter().flat_map(|results| &results.found).filter(of_method);
        match method {
            // A mail has one sender, so DMARC has one result.
            Method::Dmarc => {
                found.next().is_some_and(|one| one.vouches(*method, domain)) && found.next().is_none()
            }
            // One header may report several signatures; one that vouches is enough.
            Method::Dkim | Method::Spf => found.any(|one| one.vouches(*method, domain)),
        }
    })
}

/// One header, parsed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    /// The server that wrote it.
    server: String,
    /// Whether the header's version is not 1, the known version, so that its meaning is unknown.
    is_of_other_version: bool,
    found: Vec<Found>,
}

/// The result of one method.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    method: String,
    result: String,
    /// `smtp.mailfrom`, `header.d` …, and their values.
    properties: Vec<(String, String)>,
}

impl Found {
    /// Whether this method's result says that a mail is from `domain`.
    fn vouches(&self, method: Method, domain: &str) -> bool {
        // All properties of the same name have to agree: of two domains, another reader may use the other one.
        let says = |name: &str, is: &dyn Fn(&str) -> bool| {
            let mut values = self.properties.iter().filter(|(of, _)| of == name).peekable();
            values.peek().is_some() && values.all(|(_, value)| is(domain_in(value)))
        };
        let has = |name: &str| self.properties.iter().any(|(of, _)| of == name);
        let over = |of: &str| is_over(of, domain);
        self.method == method.as_str()
            && self.result == "pass"
            && match method {
                Method::Dmarc => says("header.from", &|of| of.eq_ignore_ascii_case(domain)),
                Method::Dkim if has("header.d") => says("header.d", &over),
                Method::Dkim => says("header.i", &over),
                Method::Spf if has("smtp.mailfrom") => says("smtp.mailfrom", &over),
                Method::Spf => says("smtp.mail", &over),
            }
    }
}

/// The domain in a property's value, which may be an address.
fn domain_in(value: &str) -> &str {
    let value = value.trim_matches(['<', '>']);
    let domain = value.rsplit_once('@').map_or(value, |(_, domain)| domain);
    domain.trim_end_matches('.')
}

/// Whether `one` is the domain or a domain above it, but not a top-level one. A domain below it isn't enough: it may be lent to anybody.
fn is_over(one: &str, domain: &str) -> bool {
    let (one, domain) = (one.to_ascii_lowercase(), domain.to_ascii_lowercase());
    one == domain || one.contains('.') && domain.strip_suffix(&one).is_some_and(|below| below.ends_with('.'))
}

/// A piece of a header's value; comments are left out.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Equals,
    Semicolon,
}

impl Results {
    fn read(text: &str) -> Self {
        let tokens = tokens(text);
        let mut parts = tokens.split(|token| *token == Token::Semicolon);
        // A version may follow the server's name.
        let (server, version) = match parts.next() {
            Some([Token::Word(server), version @ ..]) => (server.clone(), version),
            _ => (String::new(), &[][..]),
        };
        let is_of_other_version = !matches!(version, [] | [Token::Word(_)])
            || version.iter().any(|version| *version != Token::Word("1".to_owned()));
        Self { server, is_of_other_version, found: parts.filter_map(Found::read).collect() }
    }
}

impl Found {
    /// `method[/version] = result [reason = …] [type.property = value …]`
    fn read(tokens: &[Token]) -> Option<Self> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut key = String::new();
        let mut tokens = tokens.iter();
        while let Some(token) = tokens.next() {
            match token {
                // White space may stand around the dot and the slash in a name.
                Token::Word(word) => key.push_str(word),
                Token::Equals => match tokens.next() {
                    Some(Token::Word(value)) => {
                        pairs.push((std::mem::take(&mut key).to_ascii_lowercase(), value.clone()));
                    }
                    _ => break,
                },
                Token::Semicolon => break,
            }
        }
        let mut pairs = pairs.into_iter();
        let (method, result) = pairs.next()?;
        // The meaning of other versions of a method is unknown; with the version in it, such a name matches no method.
        let method = method.strip_suffix("/1").unwrap_or(&method).to_owned();
        Some(Self { method, result: result.to_ascii_lowercase(), properties: pairs.collect() })
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                tokens.extend(word.take().map(Token::Word));
                skip_comment(&mut chars);
            }
            '"' => word.get_or_insert_default().push_str(&quoted(&mut chars)),
            '=' | ';' => {
                tokens.extend(word.take().map(Token::Word));
                tokens.push(if c == '=' { Token::Equals } else { Token::Semicolon });
            }
            c if c.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            c => word.get_or_insert_default().push(c),
        }
    }
    tokens.extend(word.map(Token::Word));
    tokens
}

/// Skips a comment. Comments nest, and a backslash escapes a parenthesis.
fn skip_comment(chars: &mut std::str::Chars<'_>) {
    let mut depth = 1_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

fn quoted(chars: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Method] = &Method::ALL;

    fn says(text: &str, accept: &[Method]) -> bool {
        is_authentic(
            &[Stamp { received: 1, text: text.to_owned() }],
            "mx.example.org",
            accept,
            "ney@army.example",
        )
    }

    #[test]
    fn what_passes_for_the_senders_own_domain_is_authentic() {
        for (text, authentic) in [
            ("mx.example.org; dmarc=pass header.from=army.example", true),
            ("mx.example.org; dmarc=pass (p=reject dis=none) header.from=army.example", true),
            ("MX.example.org 1; DMARC = Pass header.from=army.example", true),
            ("mx.example.org; dmarc=pass", false),
            ("mx.example.org 1 1; dmarc=pass header.from=army.example", false),
            ("mx.example.org; dkim/2=pass header.d=army.example", false),
            ("mx.example.org; dmarc=pass header.from=other.example", false),
            ("mx.example.org; dmarc=fail header.from=army.example", false),
            ("mx.example.org; dkim=pass header.d=army.example header.s=a header.b=\"x=;y\"", true),
            ("mx.example.org; dkim=pass header.i=@army.example header.b=aB/c+d=", true),
            ("mx.example.org; dkim/1=pass (2048-bit key; unprotected) header . d = army.example", true),
            ("mx.example.org; dkim=pass header.d=mail.army.example", false),
            ("mx.example.org; dkim=pass header.d=example", false),
            ("mx.example.org; dkim=pass", false),
            ("mx.example.org; dkim=fail header.d=army.example; dkim=pass header.d=list.example", false),
            ("mx.example.org; dkim=pass header.d=list.example; dkim=pass header.d=army.example", true),
            ("mx.example.org; spf=pass smtp.mailfrom=ney@army.example smtp.helo=x", true),
            ("mx.example.org; spf=pass smtp.mailfrom=\"m. ney\"@army.example", true),
            ("mx.example.org; spf=pass smtp.helo=army.example", false),
            ("mx.example.org; spf=softfail smtp.mailfrom=army.example", false),
            ("mx.example.org; spf=fail (dmarc=pass; spf=pass smtp.mailfrom=army.example)", false),
            (
                "mx.example.org; spf=fail reason=\"; dmarc=pass header.from=army.example\" smtp.mailfrom=army.example",
                false,
            ),
            (
                "mx.example.org; spf=fail (a \\) ; dmarc=pass header.from=army.example) smtp.mailfrom=army.example",
                false,
            ),
            (
                "mx.example.org; spf=fail (nested (deep) ; dmarc=pass header.from=army.example) smtp.mailfrom=army.example",
                false,
            ),
            ("mx.example.org; none", false),
            ("mx.example.org", false),
            ("mx.example.org.evil.example; dmarc=pass header.from=army.example", false),
            ("evil.example (mx.example.org); dmarc=pass header.from=army.example", false),
            ("dmarc=pass header.from=army.example", false),
            ("", false),
            (";;;=;=(", false),
        ] {
            assert_eq!(says(text, ALL), authentic, "{text}");
        }
    }

    #[test]
    fn a_domain_above_the_senders_vouches_for_it() {
        let stamp = Stamp { received: 0, text: "mx; dkim=pass header.d=army.example".to_owned() };
        assert!(is_authentic(&[stamp], "mx", ALL, "ney@staff.army.example"));
        assert!(!is_over("my.example", "army.example"));
    }

    #[test]
    fn only_the_ways_that_the_operator_accepts_count() {
        let text = "mx.example.org; spf=pass smtp.mailfrom=army.example; dkim=none";
        assert!(says(text, &[Method::Spf]) && !says(text, &[Method::Dkim, Method::Dmarc]));
    }

    #[test]
    fn only_the_topmost_of_the_configured_server_counts() {
        let stamp = |received, text: &str| Stamp { received, text: text.to_owned() };
        let (good, bad) = ("mx; dmarc=pass header.from=b.example", "mx; dmarc=fail header.from=b.example");
        for (stamps, authentic) in [
            (vec![stamp(1, good), stamp(2, bad)], true),
            (vec![stamp(1, bad), stamp(2, good)], false),
            (vec![stamp(1, "mx; spf=fail"), stamp(1, good)], true),
            (vec![stamp(1, bad), stamp(1, good)], false),
            (vec![stamp(1, good), stamp(1, bad)], true),
            (vec![stamp(1, "mx; dmarc=none"), stamp(1, "mx; spf=none"), stamp(1, good)], false),
            (
                vec![stamp(1, "mx; dkim=fail; dmarc=fail"), stamp(1, "mx; dkim=pass header.d=b.example")],
                false,
            ),
            (vec![stamp(1, "inner; spf=fail"), stamp(1, good)], true),
            (vec![stamp(1, bad), stamp(1, "other; spf=none"), stamp(1, good)], false),
            (vec![stamp(1, "other; dmarc=pass header.from=b.example")], false),
            (Vec::new(), false),
        ] {
            assert_eq!(is_authentic(&stamps, "mx", ALL, "a@b.example"), authentic, "{stamps:?}");
        }
        assert!(!is_authentic(&[stamp(0, good)], "mx", ALL, "nobody"));
    }
}
