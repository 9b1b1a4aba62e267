//! What the configuration says.

use crate::HostError;
use crate::clock::Clock;
use crate::config::authentication::Authentication;
use crate::config::beacon_source::BeaconSource;
use crate::config::enclosure::Enclosure;
use crate::config::founders::Founders;
use crate::config::limits::DailyLimits;
use crate::config::parts::{self, own_part};
use musterd_desk::mail::HostAddress;
use musterd_post::{
    self as post, Finish, ImapSource, MaildirRelay, MaildirSource, Relay, Security, Server, SmtpRelay, Source,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    /// Who may found games by mail.
    pub founders: Founders,
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
    pub limits: DailyLimits,
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

impl Config {
    /// The address that players write to.
    ///
    /// # Errors
    /// When it is none; a loaded configuration has been checked.
    pub fn host_address(&self) -> Result<HostAddress, HostError> {
        HostAddress::parse(&self.address).map_err(|e| HostError::usage(e.to_string()))
    }

    /// Whether mail goes to Maildirs of this machine, computer players' too.
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
                path: dir.join(parts::FILE),
                reason: format!(
                    "metrics_file: `{part}` of the data directory is the host's own, and the figures would be written over it: \
                     choose another place"
                ),
            }),
        }
    }

    /// How many mails are sent at once.
    pub fn workers(&self) -> usize {
        match &self.mail_out {
            MailOut::Maildir { .. } => 1,
            MailOut::Smtp { connections, .. } => *connections as usize,
        }
    }
}

impl MailIn {
    /// What it is called in the configuration.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Maildir { .. } => "maildir",
            Self::Imap { .. } => "imap",
        }
    }
}

impl ServerConfig {
    pub(crate) fn server(&self, dir: &Path) -> Result<Server, HostError> {
        let wrong = |reason: String| HostError::Config { path: dir.join(parts::FILE), reason };
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
    pub(crate) fn password(&self, dir: &Path) -> Result<Option<post::Password>, String> {
        let from_environment = |name: &str| {
            let value = std::env::var(name).ok().filter(|value| !value.is_empty());
            value.ok_or_else(|| format!("the variable {name} is not set"))
        };
        let secret = match (&self.password_file, &self.password_env, &self.password_credential) {
            (None, None, None) => return Ok(None),
            (Some(file), None, None) => {
                post::Password::from_file(&dir.join(file)).map_err(|e| e.to_string())?
            }
            (None, Some(name), None) => post::Password::new(from_environment(name)?),
            (None, None, Some(name)) => {
                let given = from_environment("CREDENTIALS_DIRECTORY").map_err(|unset| {
                    format!("the service manager hands over no credentials (LoadCredential=): {unset}")
                })?;
                post::Password::from_credential(&Path::new(&given).join(name)).map_err(|e| e.to_string())?
            }
            _ => return Err("give one of password_file, password_env and password_credential".to_owned()),
        };
        Ok(Some(secret))
    }
}

/// Whether mail can be sent to this address: ASCII, as SMTP without its extension for international mail has it.
pub(crate) fn check_address(address: &str) -> Result<(), String> {
    match address.parse::<lettre::Address>() {
        Ok(_) if address.is_ascii() => Ok(()),
        Ok(_) => {
            Err(format!("`{address}`: only ASCII addresses can be written to; write its domain in punycode"))
        }
        Err(_) => Err(format!("`{address}` is not a mail address")),
    }
}
