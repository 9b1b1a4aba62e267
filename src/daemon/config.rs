//! The configuration: `musterd.yaml` in the data directory. Every key is documented in the file that `init` writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::HostError;
use super::authentication::Authentication;
use super::clock::Clock;
use super::dispatch::Enclosure;
use super::limits::Limits;
use crate::letter::HostAddress;
use crate::post::{
    self, Finish, ImapSource, MaildirRelay, MaildirSource, Relay, Security, Server, SmtpRelay, Source,
};

/// The file's name in the data directory.
pub const FILE: &str = "musterd.yaml";

/// What the operator decided.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The address that players write to: `local@domain`.
    pub address: String,
    /// The name shown with it.
    #[serde(default = "default_name")]
    pub name: String,
    /// The time zone in which players are told times, unless a game has its own.
    #[serde(default = "default_zone")]
    pub zone: String,
    /// Addresses of the GM of new games, unless they name their own; told of trouble.
    #[serde(default)]
    pub gm: Vec<String>,
    /// Whether mails are sent as HTML beside their text.
    #[serde(default = "default_html")]
    pub html: bool,
    /// What comes with every dispatch.
    #[serde(default = "default_attach")]
    pub attach: Vec<Enclosure>,
    /// Where mail comes from.
    pub mail_in: Vec<MailIn>,
    /// Where mail goes.
    pub mail_out: MailOut,
    /// Seconds between two looks at a mailbox that can't tell of new mail.
    #[serde(default = "default_poll")]
    pub poll_seconds: u64,
    /// The largest mail that is read, in bytes.
    #[serde(default = "default_size")]
    pub max_mail_bytes: u64,
    /// How long a turn is held past its deadline while a mailbox can't be reached, in hours.
    #[serde(default = "default_hold")]
    pub hold_hours: u32,
    /// How much is answered, noted and kept in a day.
    #[serde(default)]
    pub limits: Limits,
    /// What mails have to show of their way here; nothing where it is left out.
    #[serde(default)]
    pub authentication: Option<Authentication>,
}

/// A mailbox that orders arrive in.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum MailIn {
    /// A Maildir.
    Maildir {
        /// Its path, from the data directory.
        path: PathBuf,
    },
    /// A folder on an IMAP server.
    Imap {
        /// The server and account.
        #[serde(flatten)]
        server: ServerConfig,
        /// The folder.
        #[serde(default = "inbox")]
        folder: String,
    },
}

/// The way out for mail.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum MailOut {
    /// A directory with one Maildir a recipient: no mail server at all.
    Maildir {
        /// Its path, from the data directory.
        root: PathBuf,
    },
    /// An SMTP relay.
    Smtp {
        /// The server and account.
        #[serde(flatten)]
        server: ServerConfig,
        /// Connections kept open at once.
        #[serde(default = "default_connections")]
        connections: u32,
    },
}

/// A server and an account on it.
#[derive(Debug, Clone, Deserialize)]
pub struct ServerConfig {
    /// Host name, as its certificate has it.
    pub host: String,
    /// Port.
    pub port: u16,
    /// `tls`, `starttls`, or `none`, which only this very machine may be talked to with.
    pub security: SecurityConfig,
    /// The account's name.
    pub user: Option<String>,
    /// A file with the password, from the data directory; readable by its owner only.
    pub password_file: Option<PathBuf>,
    /// The name of an environment variable with the password.
    pub password_env: Option<String>,
    /// The name of a credential that the service manager hands over in `$CREDENTIALS_DIRECTORY`.
    pub password_credential: Option<String>,
    /// A PEM file with one more certificate authority to trust, from the data directory.
    pub tls_ca: Option<PathBuf>,
    /// The longest silence to bear, in seconds.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
}

/// How a connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecurityConfig {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS, required.
    Starttls,
    /// None: loopback only.
    None,
}

fn default_name() -> String {
    "The umpire".to_owned()
}
fn default_zone() -> String {
    "UTC".to_owned()
}
const fn default_html() -> bool {
    true
}
fn default_attach() -> Vec<Enclosure> {
    Enclosure::ALL.to_vec()
}
const fn default_poll() -> u64 {
    30
}
const fn default_size() -> u64 {
    1_000_000
}
const fn default_hold() -> u32 {
    24
}
const fn default_connections() -> u32 {
    3
}
const fn default_timeout() -> u64 {
    60
}
fn inbox() -> String {
    "INBOX".to_owned()
}

impl Config {
    /// Reads and checks the file in this data directory.
    ///
    /// # Errors
    /// What is wrong, with the line where known.
    pub fn load(dir: &Path) -> Result<Self, HostError> {
        let path = dir.join(FILE);
        let wrong = |reason: String| HostError::Config { path: path.clone(), reason };
        let text = fs::read_to_string(&path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => wrong(
                "there is no such file; `musterd init DIR` makes a data directory, `--dir DIR` names one"
                    .to_owned(),
            ),
            _ => wrong(e.to_string()),
        })?;
        let config = Self::read(&text).map_err(wrong)?;
        Ok(config)
    }

    /// Reads and checks the text of a configuration.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > 64 * 1024 {
            return Err("the file is larger than 64 KiB".to_owned());
        }
        let config: Self = serde_yaml::from_str(text).map_err(|e| with_line(text, &e.to_string()))?;
        HostAddress::parse(&config.address).map_err(|e| format!("address: {e}"))?;
        jiff::tz::TimeZone::get(&config.zone).map_err(|_| {
            format!("zone: `{}` is no time zone; write one such as Europe/Vienna", config.zone)
        })?;
        for address in &config.gm {
            check_address(address).map_err(|e| format!("gm: {e}"))?;
        }
        if let Some(authentication) = &config.authentication {
            authentication.check().map_err(|e| format!("authentication: {e}"))?;
        }
        if config.mail_in.is_empty() {
            return Err("mail_in: name at least one mailbox".to_owned());
        }
        Ok(config)
    }

    /// The address that players write to.
    ///
    /// # Errors
    /// When it is none; a loaded configuration has been checked.
    pub fn host_address(&self) -> Result<HostAddress, HostError> {
        HostAddress::parse(&self.address).map_err(|e| HostError::usage(e.to_string()))
    }

    /// Whether mail goes to Maildirs of this machine, computer players' too.
    #[must_use]
    pub const fn mails_locally(&self) -> bool {
        matches!(self.mail_out, MailOut::Maildir { .. })
    }

    /// The mailboxes, ready to be drained.
    ///
    /// # Errors
    /// When one can't work: a Maildir that can't be made, a password file that others can read.
    pub fn sources(&self, dir: &Path) -> Result<Vec<Box<dyn Source>>, HostError> {
        let source = |(index, mailbox): (usize, &MailIn)| -> Result<Box<dyn Source>, HostError> {
            Ok(match mailbox {
                MailIn::Maildir { path } => {
                    let path = dir.join(path);
                    post::create(&path).map_err(|e| HostError::io(&path, e))?;
                    let name = format!("maildir:{}", path.display());
                    Box::new(MaildirSource::new(name, path, self.max_mail_bytes))
                }
                MailIn::Imap { server, folder } => {
                    let cursor = post::CursorFile(dir.join(format!("imap-{index}.cursor")));
                    let server = server.server(dir)?;
                    let (folder, limit) = (folder.clone(), self.max_mail_bytes);
                    Box::new(ImapSource::new(server, folder, Finish::MarkSeen, limit, Box::new(cursor)))
                }
            })
        };
        self.mail_in.iter().enumerate().map(source).collect()
    }

    /// The IMAP folders to watch for new mail: server and folder.
    ///
    /// # Errors
    /// As [`Config::sources`].
    pub fn watched(&self, dir: &Path) -> Result<Vec<(Server, String)>, HostError> {
        let imap = self.mail_in.iter().filter_map(|mailbox| match mailbox {
            MailIn::Imap { server, folder } => {
                Some(server.server(dir).map(|server| (server, folder.clone())))
            }
            MailIn::Maildir { .. } => None,
        });
        imap.collect()
    }

    /// The way out.
    ///
    /// # Errors
    /// As [`Config::sources`].
    pub fn relay(&self, dir: &Path, clock: &Clock) -> Result<Box<dyn Relay>, HostError> {
        Ok(match &self.mail_out {
            MailOut::Maildir { root } => {
                let clock = clock.clone();
                Box::new(MaildirRelay::with_clock(dir.join(root), Arc::new(move || clock.now())))
            }
            MailOut::Smtp { server, connections } => {
                Box::new(SmtpRelay::new(&server.server(dir)?, (*connections).clamp(1, 8))?)
            }
        })
    }

    /// How many mails are sent at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        match &self.mail_out {
            MailOut::Maildir { .. } => 1,
            MailOut::Smtp { connections, .. } => (*connections).clamp(1, 8) as usize,
        }
    }
}

impl ServerConfig {
    fn server(&self, dir: &Path) -> Result<Server, HostError> {
        let wrong = |reason: String| HostError::Config { path: dir.join(FILE), reason };
        let password = self.password(dir).map_err(wrong)?;
        let login = match (&self.user, password) {
            (Some(user), Some(password)) => Some((user.clone(), password)),
            (None, None) => None,
            _ => return Err(wrong(format!("{}: a user needs a password, and a password a user", self.host))),
        };
        Ok(Server {
            host: self.host.clone(),
            port: self.port,
            security: match self.security {
                SecurityConfig::Tls => Security::Tls,
                SecurityConfig::Starttls => Security::StartTls,
                SecurityConfig::None => Security::PlainOnLoopback,
            },
            tls_ca: self.tls_ca.as_ref().map(|path| dir.join(path)),
            login,
            timeout: Duration::from_secs(self.timeout_seconds.clamp(1, 540)),
        })
    }

    /// The password, from the one place that is named, if any.
    #[expect(
        clippy::disallowed_methods,
        reason = "the operator, or the service manager, named these variables"
    )]
    fn password(&self, dir: &Path) -> Result<Option<post::Secret>, String> {
        let from_environment =
            |name: &str| std::env::var(name).map_err(|_| format!("the variable {name} is not set"));
        let secret = match (&self.password_file, &self.password_env, &self.password_credential) {
            (None, None, None) => return Ok(None),
            (Some(file), None, None) => {
                post::Secret::from_file(&dir.join(file)).map_err(|e| e.to_string())?
            }
            (None, Some(name), None) => post::Secret::new(from_environment(name)?),
            (None, None, Some(name)) => {
                if name.is_empty() || name.starts_with('.') || name.contains('/') {
                    return Err(format!("password_credential: `{name}` is no name of a credential"));
                }
                let given = from_environment("CREDENTIALS_DIRECTORY").map_err(|unset| {
                    format!("password_credential: {unset}: the service manager hands over no credentials (LoadCredential=)")
                })?;
                post::Secret::from_credential(&Path::new(&given).join(name)).map_err(|e| e.to_string())?
            }
            _ => return Err("give one of password_file, password_env and password_credential".to_owned()),
        };
        Ok(Some(secret))
    }
}

/// A fault of the YAML with the line of the unknown key: the library loses it inside `mail_in` and `mail_out`, whose keys
/// depend on their `kind`.
fn with_line(text: &str, fault: &str) -> String {
    let key =
        fault.split_once("unknown field `").and_then(|(_, rest)| rest.split_once('`')).map(|(key, _)| key);
    let is_key = |line: &str| {
        let line = line.trim_start_matches([' ', '-']);
        key.and_then(|key| line.strip_prefix(key)).is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    match text.lines().position(is_key) {
        Some(at) => {
            let fault = fault.rsplit_once(" at line ").map_or(fault, |(fault, _)| fault);
            format!("line {}: {fault}", at + 1)
        }
        None => fault.to_owned(),
    }
}

/// Whether mail can be sent to this address: ASCII, as SMTP without its extension for international mail has it.
pub(super) fn check_address(address: &str) -> Result<(), String> {
    match address.parse::<lettre::Address>() {
        Ok(_) if address.is_ascii() => Ok(()),
        Ok(_) => {
            Err(format!("`{address}`: only ASCII addresses can be written to; write its domain in punycode"))
        }
        Err(_) => Err(format!("`{address}` is not a mail address")),
    }
}

/// The host's own templates, by their paths in the folder `templates` of the data directory: `NAME.txt` and `frame.html`
/// there, and `GAME/NAME.txt` for the mails of one game. Other files are left alone.
///
/// # Errors
/// When a file can't be read.
pub fn own_templates(dir: &Path) -> Result<BTreeMap<String, String>, HostError> {
    let mut own = BTreeMap::new();
    templates_in(&dir.join("templates"), "", &mut own)?;
    Ok(own)
}

fn templates_in(folder: &Path, of_game: &str, own: &mut BTreeMap<String, String>) -> Result<(), HostError> {
    let Ok(files) = fs::read_dir(folder) else { return Ok(()) };
    for file in files {
        let path = file.map_err(|e| HostError::io(folder, e))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() && of_game.is_empty() {
            templates_in(&path, &format!("{name}/"), own)?;
        } else if name.ends_with(".txt") || name.ends_with(".html") {
            let text = fs::read_to_string(&path).map_err(|e| HostError::io(&path, e))?;
            own.insert(format!("{of_game}{name}"), text);
        }
    }
    Ok(())
}

/// The configuration that `init` writes: Maildirs, every key explained.
#[must_use]
pub fn example(address: &str) -> String {
    format!(
        "# musterd: the configuration of this host. Paths start from this directory.

# The address that players write to. Sub-addresses of it (local+game.seat.secret@domain)
# must reach the same mailbox.
address: {address}
# The name shown with it.
name: The umpire
# The time zone in which players are told times, unless a game names its own.
zone: UTC
# Who is told of trouble, and the GM of games that name none.
gm: []

# Whether mails are sent as HTML too, with their maps drawn; the text is always there.
html: true
# What comes with every dispatch: the order form, the report as JSON for programs, the
# deadline for a calendar.
attach: [form, json, ics]

# Where mail comes from: any number of mailboxes.
mail_in:
  - kind: maildir
    path: mail/{address}
#  - kind: imap
#    host: imap.example.org
#    port: 993
#    security: tls              # or starttls; none for this very machine only
#    user: campaign
#    password_file: imap.password   # mode 0600; or password_env: NAME, or password_credential: NAME (systemd)
#    folder: INBOX
#    # tls_ca: ca.pem               # one more authority to trust
#    # timeout_seconds: 60

# Where mail goes. As Maildirs: one for each recipient, in this directory.
mail_out:
  kind: maildir
  root: mail
#  kind: smtp
#  host: smtp.example.org
#  port: 465
#  security: tls
#  user: campaign
#  password_file: smtp.password
#  connections: 3

# Seconds between two looks at a mailbox that can't tell of new mail.
poll_seconds: 30
# The largest mail that is read, in bytes.
max_mail_bytes: 1000000
# How long a turn is held past its deadline while a mailbox can't be reached.
hold_hours: 24
# How much of others' mail is answered in a day, noted in a game's journal, and kept.
limits:
  strangers_a_day: 500
  unproved_a_day: 100
  keep_other_mb: 200
# Players' mails count only where this mail server says that they are from whom they say;
# it must take out such headers of others (operator's guide).
#authentication:
#  host: mx.example.org
#  accept: [dmarc, dkim, spf]
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_a_configuration_and_unknown_keys_are_not() {
        let text = example("campaign@example.org");
        assert_eq!(Config::read(&text).unwrap().address, "campaign@example.org");
        let wrong = Config::read(&format!("{text}\npol_seconds: 3\n")).unwrap_err();
        assert!(wrong.contains("pol_seconds"), "{wrong}");
        assert!(
            Config::read(&text.replace("zone: UTC", "zone: Mars/Base")).unwrap_err().contains("Mars/Base")
        );
    }

    #[test]
    fn an_unknown_key_of_a_server_is_named_with_its_line() {
        let text = |mail_in: &str, mail_out: &str| {
            format!(
                "address: a@b.org\nmail_in:\n  - kind: imap\n    host: h\n    port: 993\n    security: tls\n{mail_in}\
                 mail_out:\n  kind: smtp\n  host: h\n  port: 465\n  security: tls\n{mail_out}"
            )
        };
        assert!(Config::read(&text("", "")).is_ok());
        let wrong = Config::read(&text("    foldr: x\n", "")).unwrap_err();
        assert!(wrong.starts_with("line 7: ") && wrong.contains("`foldr`"), "{wrong}");
        let wrong = Config::read(&text("", "  conections: 3\n")).unwrap_err();
        assert!(wrong.starts_with("line 12: ") && wrong.contains("`conections`"), "{wrong}");
    }

    #[test]
    fn the_gm_must_be_somebody_who_can_be_written_to() {
        let text = |gm: &str| example("a@b.org").replace("gm: []", &format!("gm: [{gm}]"));
        assert!(Config::read(&text("gm@b.org")).is_ok());
        for bad in ["the umpire", "jürgen@b.org"] {
            assert!(Config::read(&text(bad)).unwrap_err().contains(bad));
        }
    }

    #[test]
    fn an_imap_mailbox_and_a_relay_are_read() {
        let text = "address: a@b.org\nmail_in: [{kind: imap, host: h, port: 993, security: tls, user: u, password_env: P}]\n\
                    mail_out: {kind: smtp, host: h, port: 465, security: starttls}\n";
        let config = Config::read(text).unwrap();
        assert!(!config.mails_locally());
        assert!(matches!(&config.mail_in[0], MailIn::Imap { folder, .. } if folder == "INBOX"));
    }
}
