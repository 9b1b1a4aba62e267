//! The configuration: `musterd.yaml` in the data directory. Every key is documented in the file that `init` writes.

pub mod check;
mod findings;
mod read;
mod templates;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
pub use templates::{look_over_templates, own_templates};

use super::HostError;
use super::authentication::Authentication;
use super::beacon::BeaconSource;
use super::clock::Clock;
use super::dispatch::Enclosure;
use super::limits::Limits;
use super::parts::own_part;
use musterd_desk::mail::HostAddress;
use musterd_disk::regular;
use musterd_engine::files::DataErrors;
use musterd_post::{
    self as post, Finish, ImapSource, MaildirRelay, MaildirSource, Relay, Security, Server, SmtpRelay, Source,
};

/// The largest configuration that is opened, in bytes; what is read of one is less, and told with its place.
const LARGEST_FILE: u64 = 4 << 20;
/// The file's name in the data directory.
pub const FILE: &str = "musterd.yaml";

/// The keys of the file, and of the mappings in it, by what the mapping is about.
pub const KEYS: [(&str, &[&str]); 11] = [
    ("the configuration", &read::TOP),
    ("a maildir to read", &read::MAILDIR_IN),
    ("an imap mailbox", &read::IMAP),
    ("a maildir for each recipient", &read::MAILDIR_OUT),
    ("an smtp relay", &read::SMTP),
    ("the server", &read::SERVER),
    ("the limits", &read::LIMITS),
    ("authentication", &read::AUTHENTICATION),
    ("the log", &read::LOG),
    ("the files of a beacon", &read::BEACON_FILES),
    ("the command for a beacon", &read::BEACON_COMMAND),
];

/// What the operator decided.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address that players write to: `local@domain`.
    pub address: String,
    /// The name shown with it.
    pub name: String,
    /// The time zone in which players are told times, unless a game has its own.
    pub zone: String,
    /// Addresses of the GM of new games, unless they name their own; told of trouble.
    pub gm: Vec<String>,
    /// Whether mails are sent as HTML beside their text.
    pub html: bool,
    /// What comes with every dispatch.
    pub attach: Vec<Enclosure>,
    /// Where mail comes from.
    pub mail_in: Vec<MailIn>,
    /// Where mail goes.
    pub mail_out: MailOut,
    /// Seconds between two looks at a mailbox that can't tell of new mail.
    pub poll_seconds: u64,
    /// The largest mail that is read, in bytes.
    pub max_mail_bytes: u64,
    /// How long a turn is held while a mailbox can't be reached, in hours: from its deadline, or from when that began if it is later.
    pub hold_hours: u32,
    /// How much is answered, noted and kept in a day.
    pub limits: Limits,
    /// What mails have to show of their way here; nothing where it is left out.
    pub authentication: Option<Authentication>,
    /// How the daemon writes its log.
    pub log: LogConfig,
    /// The file that the daemon writes its figures to, for Prometheus; from the data directory.
    pub metrics_file: Option<PathBuf>,
    /// Less free space than this on the data directory's disk is called a fault by `health`, in megabytes.
    pub low_disk_megabytes: u64,
    /// Whether the chain lines of the mails of games founded from now on are signed.
    pub sign: bool,
    /// Where the values of public beacons come from.
    pub beacon: Option<BeaconSource>,
}

/// A mailbox that orders arrive in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailIn {
    /// A Maildir.
    Maildir {
        /// Its path, from the data directory.
        path: PathBuf,
    },
    /// A folder on an IMAP server.
    Imap {
        /// The server and account.
        server: ServerConfig,
        /// The folder.
        folder: String,
    },
}

/// The way out for mail.
#[derive(Debug, Clone)]
pub enum MailOut {
    /// A directory with one Maildir a recipient: no mail server at all.
    Maildir {
        /// Its path, from the data directory.
        root: PathBuf,
    },
    /// An SMTP relay.
    Smtp {
        /// The server and account.
        server: ServerConfig,
        /// Connections kept open at once.
        connections: u32,
    },
}

/// A server and an account on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerConfig {
    /// Host name, as its certificate has it.
    pub host: String,
    /// Port.
    pub port: u16,
    /// How the connection is protected.
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

/// How the daemon writes its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogConfig {
    /// The least that is worth a line.
    pub level: LogLevel,
    /// For people or for programs.
    pub format: LogFormat,
}

/// The least that is worth a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// What needs somebody.
    Error,
    /// And what may need somebody soon.
    Warn,
    /// And what was done.
    Info,
    /// And how.
    Debug,
    /// And everything.
    Trace,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The text of a configuration, with U+FFFD where it is no UTF-8: its reader tells of it.
///
/// # Errors
/// The file can't be read.
pub(super) fn text_of(path: &Path) -> Result<String, HostError> {
    let bytes = regular::read(path, LARGEST_FILE).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => HostError::Config {
            path: path.to_owned(),
            reason: "there is no such file; `musterd init DIR` makes a data directory, `--dir DIR` names one"
                .to_owned(),
        },
        std::io::ErrorKind::PermissionDenied => HostError::Config {
            path: path.to_owned(),
            reason: "this user may not read it: go as the user that the data directory belongs to".to_owned(),
        },
        _ => HostError::io(path, e),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Config {
    /// Reads and checks the file in this data directory.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn load(dir: &Path) -> Result<Self, HostError> {
        let path = dir.join(FILE);
        let text = text_of(&path)?;
        Self::read(&path.display().to_string(), &text).map_err(HostError::Misconfigured)
    }

    /// Reads and checks the text of a configuration; `file` is how its faults call it.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn read(file: &str, text: &str) -> Result<Self, DataErrors> {
        read::read(file, text)
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
                    let server = server.server(dir)?;
                    let user = server.login.as_ref().map_or("", |(user, _)| user);
                    let mailbox = format!("{server} {user} {folder}");
                    let path = dir.join(format!("imap-{index}.cursor"));
                    let cursor = post::CursorFile { path, mailbox };
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
                Box::new(SmtpRelay::new(&server.server(dir)?, *connections)?)
            }
        })
    }

    /// The file that the figures are written to, if there is to be one.
    ///
    /// # Errors
    /// It is one of the host's own.
    pub fn metrics_path(&self, dir: &Path) -> Result<Option<PathBuf>, HostError> {
        let Some(file) = &self.metrics_file else { return Ok(None) };
        match own_part(dir, file) {
            None => Ok(Some(dir.join(file))),
            Some(part) => Err(HostError::Config {
                path: dir.join(FILE),
                reason: format!(
                    "metrics_file: `{part}` of the data directory is the host's own, and the figures would be written over it: \
                     choose another place"
                ),
            }),
        }
    }

    /// How many mails are sent at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        match &self.mail_out {
            MailOut::Maildir { .. } => 1,
            MailOut::Smtp { connections, .. } => *connections as usize,
        }
    }
}

impl MailIn {
    /// What it is called in the configuration.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Maildir { .. } => "maildir",
            Self::Imap { .. } => "imap",
        }
    }
}

impl ServerConfig {
    pub(super) fn server(&self, dir: &Path) -> Result<Server, HostError> {
        let wrong = |reason: String| HostError::Config { path: dir.join(FILE), reason };
        let password = self.password(dir).map_err(wrong)?;
        // Read so that there are both or neither.
        let login = self.user.clone().zip(password);
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
            timeout: Duration::from_secs(self.timeout_seconds),
        })
    }

    /// The password, from the one place that is named, if any.
    #[expect(
        clippy::disallowed_methods,
        reason = "the operator, or the service manager, named these variables"
    )]
    pub(super) fn password(&self, dir: &Path) -> Result<Option<post::Secret>, String> {
        let from_environment = |name: &str| {
            let value = std::env::var(name).ok().filter(|value| !value.is_empty());
            value.ok_or_else(|| format!("the variable {name} is not set"))
        };
        let secret = match (&self.password_file, &self.password_env, &self.password_credential) {
            (None, None, None) => return Ok(None),
            (Some(file), None, None) => {
                post::Secret::from_file(&dir.join(file)).map_err(|e| e.to_string())?
            }
            (None, Some(name), None) => post::Secret::new(from_environment(name)?),
            (None, None, Some(name)) => {
                let given = from_environment("CREDENTIALS_DIRECTORY").map_err(|unset| {
                    format!("the service manager hands over no credentials (LoadCredential=): {unset}")
                })?;
                post::Secret::from_credential(&Path::new(&given).join(name)).map_err(|e| e.to_string())?
            }
            _ => return Err("give one of password_file, password_env and password_credential".to_owned()),
        };
        Ok(Some(secret))
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

/// The configuration that `init` writes: Maildirs, every key explained.
#[must_use]
pub fn example(address: &str) -> String {
    include_str!("musterd.yaml").replace("ADDRESS", address)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is wrong with a text, without the file's name.
    fn faults(text: &str) -> Vec<String> {
        let faults = Config::read("f", text).err().map(|faults| faults.0).unwrap_or_default();
        faults.iter().map(|fault| fault.to_string().trim_start_matches("f:").to_owned()).collect()
    }

    #[test]
    fn the_example_is_a_configuration_and_its_defaults_are_those_of_the_program() {
        let text = example("campaign@example.org");
        let config = Config::read("f", &text).unwrap();
        assert_eq!(config.address, "campaign@example.org");
        let least = "address: campaign@example.org\nmail_in: [{kind: maildir, path: mail/campaign@example.org}]\n\
                     mail_out: {kind: maildir, root: mail}\n";
        let least = Config::read("f", least).unwrap();
        assert_eq!(format!("{config:?}"), format!("{least:?}"));
    }

    #[test]
    fn every_fault_is_told_at_once_with_its_place() {
        let text = "address: nobody\nzone: Mars/Base\npol_seconds: 3\nhold_hours: -1\ngm: [the umpire]\n\
                    mail_in:\n  - kind: imap\n    host: h\n    port: 0\n    security: tsl\n    foldr: x\n    user: u\n\
                    mail_out:\n  kind: pigeon\nlog: {level: loud}\n";
        let said = faults(text);
        for wanted in [
            "1:10: ",
            "2:7: `Mars/Base` is no time zone",
            "3:1: the configuration has no key `pol_seconds`; did you mean `poll_seconds`?",
            "4:13: `-1` is no",
            "5:6: `the umpire` is not a mail address",
            "9:11: `0` is no port",
            "10:15: `tsl` is no security; did you mean `tls`?",
            "11:5: an imap mailbox has no key `foldr`; did you mean `folder`?",
            "12:11: the user `u` needs a password: add password_file, password_env or",
            "14:9: `pigeon` is no",
            "15:14: `loud` is no level",
        ] {
            assert!(said.iter().any(|fault| fault.starts_with(wanted)), "{wanted}: {said:#?}");
        }
        assert_eq!(said.len(), 11, "{said:#?}");
    }

    #[test]
    fn the_gm_must_be_somebody_who_can_be_written_to() {
        let text = |gm: &str| example("a@b.org").replace("gm: []", &format!("gm: [{gm}]"));
        assert!(faults(&text("gm@b.org")).is_empty());
        for bad in ["the umpire", "jürgen@b.org"] {
            assert!(faults(&text(bad))[0].contains(bad));
        }
    }

    #[test]
    fn an_imap_mailbox_and_a_relay_are_read() {
        let text = "address: a@b.org\nmail_in: [{kind: imap, host: h, port: 993, security: tls, user: u, password_env: P}]\n\
                    mail_out: {kind: smtp, host: h, port: 465, security: starttls}\n";
        let config = Config::read("f", text).unwrap();
        assert!(!config.mails_locally());
        assert!(matches!(&config.mail_in[0], MailIn::Imap { folder, .. } if folder == "INBOX"));
    }
}
