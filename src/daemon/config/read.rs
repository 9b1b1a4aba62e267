//! Reads the configuration with the reader of data files, which notes every fault with its place and goes on.

use std::path::PathBuf;

use super::settings::{
    Config, LogConfig, LogFormat, LogLevel, MailIn, MailOut, SecurityConfig, ServerConfig, check_address,
};
use crate::BeaconSource;
use crate::Enclosure;
use crate::config::authentication::Authentication;
use crate::config::founders::Founders;
use crate::config::limits::DailyLimits;
use musterd_desk::mail::HostAddress;
use musterd_engine::alike::meant;
use musterd_engine::files::{DataError, DataErrors};
use musterd_engine::yaml::{self, Fields, LineColumn, Node, Reader};
use musterd_letter::Method;

pub(crate) const TOP: [&str; 19] = [
    "address",
    "name",
    "zone",
    "gm",
    "founders",
    "html",
    "attach",
    "mail_in",
    "mail_out",
    "poll_seconds",
    "max_mail_bytes",
    "hold_hours",
    "limits",
    "authentication",
    "log",
    "metrics_file",
    "low_disk_megabytes",
    "sign",
    "beacon",
];
pub(crate) const MAILDIR_IN: [&str; 2] = ["kind", "path"];
pub(crate) const MAILDIR_OUT: [&str; 2] = ["kind", "root"];
pub(crate) const IMAP: [&str; 2] = ["kind", "folder"];
pub(crate) const SMTP: [&str; 2] = ["kind", "connections"];
/// What an IMAP mailbox and an SMTP relay have besides their own.
pub(crate) const SERVER: [&str; 9] = [
    "host",
    "port",
    "security",
    "user",
    "password_file",
    "password_env",
    "password_credential",
    "tls_ca",
    "timeout_seconds",
];
pub(crate) const LIMITS: [&str; 5] =
    ["strangers_a_day", "unproved_a_day", "keep_other_mb", "games_a_founder", "foundings_a_day"];
pub(crate) const AUTHENTICATION: [&str; 2] = ["host", "accept"];
pub(crate) const LOG: [&str; 2] = ["level", "format"];
pub(crate) const BEACON_FILES: [&str; 2] = ["kind", "path"];
pub(crate) const BEACON_COMMAND: [&str; 2] = ["kind", "run"];

/// The largest file that is read, in bytes.
const LARGEST: usize = 64 * 1024;
/// An hour, a day and a month, in the unit of the key.
const DAY_SECONDS: i64 = 24 * 3600;
const MONTH_HOURS: i64 = 31 * 24;

pub(crate) fn read(file: &str, text: &str) -> Result<Config, DataErrors> {
    let mut reader = Reader::new(file);
    let config = tree(text).map_err(|(at, reason)| {
        DataErrors(vec![DataError { file: file.to_owned(), at, reason: told(&reason) }])
    })?;
    let config = top(&mut reader, &config);
    reader.errors.sort_by_key(|fault| fault.at);
    reader.errors.iter_mut().for_each(|fault| fault.reason = told(&fault.reason));
    match config {
        Some(config) if reader.errors.is_empty() => Ok(config),
        _ => Err(DataErrors(reader.errors)),
    }
}

/// The longest reason that is told, in characters.
const LONGEST_REASON: usize = 400;

/// A reason as it is told: one line of bearable length, whatever values it quotes.
pub(crate) fn told(reason: &str) -> String {
    let mut told = String::new();
    for (n, c) in reason.chars().enumerate() {
        match c {
            _ if n == LONGEST_REASON => return told + "...",
            '\n' => told.push_str("\\n"),
            '\t' => told.push_str("\\t"),
            c => told.push(c),
        }
    }
    told
}

/// The file as a tree that knows its places.
pub(crate) fn tree(text: &str) -> Result<Node, (LineColumn, String)> {
    if text.len() > LARGEST {
        return Err((LineColumn::default(), format!("the file is larger than {} KiB", LARGEST / 1024)));
    }
    yaml::readable(text)?;
    yaml::parse(text)
}

/// None where something is missing that has no default; the fault is noted then.
fn top(reader: &mut Reader, node: &Node) -> Option<Config> {
    let fields = reader.fields(node, "the configuration", &TOP);
    let address = fields.need(reader, "address").and_then(|node| {
        let text = reader.text(node, "the address")?;
        match HostAddress::parse(text) {
            Ok(_) => Some(text.to_owned()),
            Err(error) => {
                reader.fault(node.at, error.to_string());
                None
            }
        }
    });
    let zone = fields.get("zone").and_then(|node| zone(reader, node));
    let own = address.as_deref().and_then(|address| HostAddress::parse(address).ok());
    let gm = fields.get("gm").map(|node| addresses(reader, node, own.as_ref())).unwrap_or_default();
    let founders = fields.get("founders").map(|node| founders(reader, node)).unwrap_or_default();
    let html = fields.get("html").and_then(|node| reader.flag(node, "html"));
    let attach = fields.get("attach").map(|node| enclosures(reader, node));
    let mail_in = fields.need(reader, "mail_in").map(|node| mailboxes(reader, node));
    let mail_out = fields.need(reader, "mail_out").and_then(|node| relay(reader, node));
    let limits = fields.get("limits").map(|node| limits(reader, node)).unwrap_or_default();
    let authentication = fields.get("authentication").and_then(|node| authentication(reader, node));
    let log = fields.get("log").map(|node| log(reader, node));
    let sign = fields.get("sign").and_then(|node| reader.flag(node, "sign"));
    let beacon = fields.get("beacon").and_then(|node| beacon(reader, node));
    Some(Config {
        name: text(reader, &fields, "name").unwrap_or_else(|| "The umpire".to_owned()),
        zone: zone.unwrap_or_else(|| "UTC".to_owned()),
        gm,
        founders,
        html: html.unwrap_or(true),
        attach: attach.unwrap_or_else(|| Enclosure::ALL.to_vec()),
        poll_seconds: number(reader, &fields, "poll_seconds", 1..=DAY_SECONDS).unwrap_or(30),
        max_mail_bytes: number(reader, &fields, "max_mail_bytes", 10_000..=100_000_000).unwrap_or(1_000_000),
        hold_hours: number(reader, &fields, "hold_hours", 0..=MONTH_HOURS).unwrap_or(24),
        limits,
        authentication,
        log: log.unwrap_or(LogConfig { level: LogLevel::Info, format: LogFormat::Text }),
        metrics_file: fields.get("metrics_file").and_then(|node| figures(reader, node)),
        low_disk_megabytes: number(reader, &fields, "low_disk_megabytes", 0..=1_000_000_000).unwrap_or(200),
        sign: sign.unwrap_or(false),
        beacon,
        address: address?,
        mail_in: mail_in?,
        mail_out: mail_out?,
    })
}

/// The file of the figures. The collector that reads such files reads no other, and no file of the host's is called so.
fn figures(reader: &mut Reader, node: &Node) -> Option<PathBuf> {
    let path = PathBuf::from(reader.text(node, "metrics_file")?);
    if path.extension().is_none_or(|extension| extension != "prom") {
        reader.fault(
            node.at,
            "the name must end in `.prom`: node_exporter reads no other, and the file is written over",
        );
    }
    Some(path)
}

fn zone(reader: &mut Reader, node: &Node) -> Option<String> {
    let name = reader.text(node, "the zone")?;
    if jiff::tz::TimeZone::get(name).is_err() {
        reader.fault(
            node.at,
            format!("`{}` is no time zone; write one such as Europe/Vienna", yaml::short(name)),
        );
    }
    Some(name.to_owned())
}

fn addresses(reader: &mut Reader, node: &Node, own: Option<&HostAddress>) -> Vec<String> {
    let mut addresses = Vec::new();
    for node in reader.list(node, "gm") {
        let Some(address) = reader.text(node, "an address") else { continue };
        match check_address(address) {
            Ok(()) if own.is_some_and(|own| own.is_own(address)) => {
                reader.fault(node.at, "this is the host's own address: give one at which you read mail");
            }
            Ok(()) => addresses.push(address.to_owned()),
            Err(reason) => reader.fault(node.at, reason),
        }
    }
    addresses
}

/// Addresses, and domains as `@example.org`; in small letters.
fn founders(reader: &mut Reader, node: &Node) -> Founders {
    let mut founders = Vec::new();
    for node in reader.list(node, "founders") {
        let Some(founder) = reader.text(node, "an address") else { continue };
        // A domain is one where an address of it is one.
        let address = if founder.starts_with('@') { format!("anna{founder}") } else { founder.to_owned() };
        match check_address(&address) {
            Ok(()) => founders.push(founder.to_lowercase()),
            Err(_) => reader.fault(
                node.at,
                format!("`{}` is no mail address, and no domain as @example.org", yaml::short(founder)),
            ),
        }
    }
    Founders(founders)
}

fn enclosures(reader: &mut Reader, node: &Node) -> Vec<Enclosure> {
    let nodes = reader.list(node, "attach");
    nodes.iter().filter_map(|node| reader.word(node, "attach", &["form", "json", "ics"])).collect()
}

fn mailboxes(reader: &mut Reader, node: &Node) -> Vec<MailIn> {
    let nodes = reader.list(node, "mail_in");
    let mailboxes: Vec<MailIn> = nodes.iter().filter_map(|node| mailbox(reader, node)).collect();
    let twice = |n: &usize| mailboxes[..*n].contains(&mailboxes[*n]);
    if mailboxes.len() == nodes.len()
        && let Some(n) = (1..mailboxes.len()).find(twice)
    {
        reader.fault(nodes[n].at, "this mailbox stands there twice: leave one out");
    }
    mailboxes
}

/// What `kind` a mapping is of; a fault where it is none of `kinds`.
fn kind<'n>(reader: &mut Reader, node: &'n Node, what: &str, kinds: &[&'n str]) -> Option<&'n str> {
    let pairs = reader.entries(node, what);
    let kind = pairs.iter().find(|(key, _)| key.text() == Some("kind"));
    let Some((_, kind)) = kind else {
        if !pairs.is_empty() {
            reader.fault(node.at, format!("{what} needs a key `kind`: {}", kinds.join(" or ")));
        }
        return None;
    };
    let word = reader.text(kind, "kind")?;
    let known = kinds.iter().copied().find(|known| *known == word);
    if known.is_none() {
        let near = meant(word, kinds.iter().copied());
        let hint = near.map_or_else(
            || format!("write {}", kinds.join(" or ")),
            |near| format!("did you mean `{near}`?"),
        );
        reader.fault(kind.at, format!("`{}` is no kind; {hint}", yaml::short(word)));
    }
    known
}

fn mailbox(reader: &mut Reader, node: &Node) -> Option<MailIn> {
    Some(match kind(reader, node, "a mailbox", &["maildir", "imap"])? {
        "maildir" => {
            let fields = reader.fields(node, "a maildir", &MAILDIR_IN);
            let path = fields.need(reader, "path").and_then(|node| reader.text(node, "path"));
            MailIn::Maildir { path: path?.into() }
        }
        _ => {
            let known = [&IMAP[..], &SERVER].concat();
            let fields = reader.fields(node, "an imap mailbox", &known);
            let folder = text(reader, &fields, "folder").unwrap_or_else(|| "INBOX".to_owned());
            let server = server(reader, &fields)?;
            if server.user.is_none() {
                reader.fault(node.at, "reading mail needs a user and a password: add user and password_file");
            }
            MailIn::Imap { server, folder }
        }
    })
}

fn relay(reader: &mut Reader, node: &Node) -> Option<MailOut> {
    Some(match kind(reader, node, "mail_out", &["maildir", "smtp"])? {
        "maildir" => {
            let fields = reader.fields(node, "mail_out", &MAILDIR_OUT);
            let root = fields.need(reader, "root").and_then(|node| reader.text(node, "root"));
            MailOut::Maildir { root: root?.into() }
        }
        _ => {
            let known = [&SMTP[..], &SERVER].concat();
            let fields = reader.fields(node, "an smtp relay", &known);
            let connections = number(reader, &fields, "connections", 1..=8).unwrap_or(3);
            MailOut::Smtp { server: server(reader, &fields)?, connections }
        }
    })
}

fn server(reader: &mut Reader, fields: &Fields<'_>) -> Option<ServerConfig> {
    let host = fields.need(reader, "host").and_then(|node| reader.text(node, "the host"));
    let port = fields.need(reader, "port").and_then(|node| reader.number(node, "port", 1..=65_535));
    let words = ["tls", "starttls", "none"];
    let security = fields.need(reader, "security");
    let security: Option<SecurityConfig> = security.and_then(|node| reader.word(node, "security", &words));
    let passwords = ["password_file", "password_env", "password_credential"];
    let given: Vec<&Node> = passwords.iter().filter_map(|key| fields.get(key)).collect();
    match (fields.get("user"), given.as_slice()) {
        (_, [_, second, ..]) => {
            reader.fault(second.at, "give one of password_file, password_env and password_credential");
        }
        (Some(user), []) => {
            let name = user.text().unwrap_or_default();
            reader.fault(
                user.at,
                format!(
                    "the user `{}` needs a password: add password_file, password_env or password_credential",
                    yaml::short(name)
                ),
            );
        }
        (None, [password]) => {
            reader.fault(password.at, "a password needs a user: add user");
        }
        _ => {}
    }
    if let Some(node) = fields.get("password_credential")
        && node.text().is_none_or(|name| name.is_empty() || name.starts_with('.') || name.contains('/'))
    {
        reader.fault(node.at, "this is no name of a credential: write it as LoadCredential= has it");
    }
    Some(ServerConfig {
        user: text(reader, fields, "user"),
        password_file: path(reader, fields, "password_file"),
        password_env: text(reader, fields, "password_env"),
        password_credential: text(reader, fields, "password_credential"),
        tls_ca: path(reader, fields, "tls_ca"),
        timeout_seconds: number(reader, fields, "timeout_seconds", 1..=540).unwrap_or(60),
        host: host?.to_owned(),
        port: port?,
        security: security?,
    })
}

fn limits(reader: &mut Reader, node: &Node) -> DailyLimits {
    let fields = reader.fields(node, "limits", &LIMITS);
    let usual = DailyLimits::default();
    let day = |reader: &mut Reader, key| number(reader, &fields, key, 1..=1_000_000);
    DailyLimits {
        strangers_a_day: day(reader, "strangers_a_day").unwrap_or(usual.strangers_a_day),
        unproved_a_day: day(reader, "unproved_a_day").unwrap_or(usual.unproved_a_day),
        keep_other_mb: number(reader, &fields, "keep_other_mb", 0..=1_000_000).unwrap_or(usual.keep_other_mb),
        games_a_founder: number(reader, &fields, "games_a_founder", 1..=1_000)
            .unwrap_or(usual.games_a_founder),
        foundings_a_day: day(reader, "foundings_a_day").unwrap_or(usual.foundings_a_day),
    }
}

fn authentication(reader: &mut Reader, node: &Node) -> Option<Authentication> {
    let fields = reader.fields(node, "authentication", &AUTHENTICATION);
    let host = fields.need(reader, "host").and_then(|node| {
        let host = reader.text(node, "the host")?;
        if !Authentication::can_be_host(host) {
            reader.fault(
                node.at,
                "this is no server's name: write it as it begins that server's Authentication-Results",
            );
        }
        Some(host.to_owned())
    });
    let words = ["dmarc", "dkim", "spf"];
    let accept = fields.get("accept").map(|node| {
        let nodes = reader.list(node, "accept");
        if nodes.is_empty() {
            reader.fault(node.at, "name at least one of dmarc, dkim, spf; or leave it out for all");
        }
        nodes.iter().filter_map(|node| reader.word(node, "accept", &words)).collect()
    });
    Some(Authentication { host: host?, accept: accept.unwrap_or_else(|| Method::ALL.to_vec()) })
}

fn log(reader: &mut Reader, node: &Node) -> LogConfig {
    let fields = reader.fields(node, "the log", &LOG);
    let levels = ["error", "warn", "info", "debug", "trace"];
    let level = fields.get("level").and_then(|node| reader.word(node, "level", &levels));
    let format = fields.get("format").and_then(|node| reader.word(node, "format", &["text", "json"]));
    LogConfig { level: level.unwrap_or(LogLevel::Info), format: format.unwrap_or(LogFormat::Text) }
}

fn beacon(reader: &mut Reader, node: &Node) -> Option<BeaconSource> {
    Some(match kind(reader, node, "beacon", &["files", "command"])? {
        "files" => {
            let fields = reader.fields(node, "the files of a beacon", &BEACON_FILES);
            let path = fields.need(reader, "path").and_then(|node| reader.text(node, "path"));
            BeaconSource::Files { path: path?.into() }
        }
        _ => {
            let fields = reader.fields(node, "the command for a beacon", &BEACON_COMMAND);
            let run = fields.need(reader, "run")?;
            let words: Vec<String> = reader
                .list(run, "run")
                .iter()
                .filter_map(|node| reader.text(node, "a word of the command").map(str::to_owned))
                .collect();
            let Some((program, arguments)) = words.split_first().filter(|(program, _)| program.contains('/'))
            else {
                reader.fault(run.at, "begin it with the program's path, such as [/usr/local/bin/beacon]");
                return None;
            };
            BeaconSource::Command { program: program.into(), arguments: arguments.to_vec() }
        }
    })
}

fn text(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<String> {
    fields.get(key).and_then(|node| reader.text(node, key)).map(str::to_owned)
}

fn path(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<PathBuf> {
    text(reader, fields, key).map(PathBuf::from)
}

fn number<T: TryFrom<i64>>(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    range: std::ops::RangeInclusive<i64>,
) -> Option<T> {
    fields.get(key).and_then(|node| reader.number(node, key, range))
}
