//! The configuration: `musterd.yaml` in the data directory. Every key is documented in the file that `init` writes.

pub mod authentication;
pub(crate) mod beacon_source;
pub mod disk;
pub(crate) mod enclosure;
pub mod founders;
pub mod limits;
pub(crate) mod parts;
pub(crate) mod read;
mod settings;
pub(crate) mod spare;
mod templates;

use std::path::Path;

pub(crate) use settings::check_address;
pub use settings::{Config, LogConfig, LogFormat, LogLevel, MailIn, MailOut, SecurityConfig, ServerConfig};
pub use templates::{look_over_templates, own_templates, templates_in};

use crate::HostError;
use musterd_disk::regular;
use musterd_engine::files::DataErrors;

/// The largest configuration that is opened, in bytes; what is read of one is less, and told with its place.
const LARGEST_FILE: u64 = 4 << 20;
/// The file's name in the data directory.
pub const FILE: &str = parts::FILE;

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

/// The text of a configuration, with U+FFFD where it is no UTF-8: its reader tells of it.
///
/// # Errors
/// The file can't be read.
pub(crate) fn text_of(path: &Path) -> Result<String, HostError> {
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

/// The configuration that `init` writes: Maildirs, every key explained.
pub fn example(address: &str) -> String {
    include_str!("musterd.yaml").replace("ADDRESS", address)
}

/// The same for a host that doesn't sign its mails.
pub fn example_unsigned(address: &str) -> String {
    example(address).replace("\nsign: true\n", "\nsign: false\n")
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
        // A host of before goes on as it is; a new one signs.
        assert!(config.sign && !least.sign);
        assert_eq!(format!("{config:?}"), format!("{:?}", Config { sign: true, ..least }));
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
    fn founders_are_addresses_and_domains() {
        let text =
            |founders: &str| example("a@b.org").replace("founders: []", &format!("founders: [{founders}]"));
        let config = Config::read("f", &text("Anna@b.org, \"@Club.example\"")).unwrap();
        assert!(config.founders.admit("anna@b.org") && config.founders.admit("ben@club.example"));
        for bad in ["the club", "\"@\"", "\"@the club\""] {
            let told = faults(&text(bad));
            assert!(told.len() == 1 && told[0].contains("is no mail address, and no domain"), "{told:?}");
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
