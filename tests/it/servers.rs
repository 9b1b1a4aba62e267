//! Starts a real Dovecot and a real Postfix from a throwaway directory, on free loopback ports, with TLS.
//!
//! Needs root for Postfix. With `MUSTERD_NO_SERVERS=1` the tests that need servers are skipped, loudly.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use musterd::post::{Password, Security, Server};
use tempfile::TempDir;

use super::skips::{may_be_missing, skipped};

/// The password of every user of the test servers.
pub(crate) const PASSWORD: &str = "sesame-street";
/// How often the servers are tried on other ports, should another program take one of the chosen in between.
const ATTEMPTS: usize = 4;

/// A running Dovecot and Postfix, which know every user with [`PASSWORD`], each with a mailbox `<user>@localhost`.
/// Dropping it stops them.
pub(crate) struct MailServers {
    dir: TempDir,
    ports: Ports,
}

/// The ports of one pair of servers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    /// IMAP with STARTTLS.
    pub(crate) imap: u16,
    /// IMAP over TLS.
    pub(crate) imaps: u16,
    /// SMTP with STARTTLS.
    pub(crate) smtp: u16,
    /// SMTP over TLS.
    pub(crate) smtps: u16,
    lmtp: u16,
    auth: u16,
}

impl Ports {
    /// Ports that nobody listened on a moment ago.
    fn free() -> Self {
        // All held until the last is found, or the system could give the same twice.
        let held: Vec<_> = (0..6).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let [imap, imaps, smtp, smtps, lmtp, auth] =
            std::array::from_fn(|n| held[n].local_addr().unwrap().port());
        Self { imap, imaps, smtp, smtps, lmtp, auth }
    }
}

/// The pair of servers that the tests running at this moment share; see [`MailServers::shared`].
static SHARED: Mutex<Weak<MailServers>> = Mutex::new(Weak::new());

/// A hold on the shared servers.
pub(crate) struct Hold(Arc<MailServers>);

impl Deref for Hold {
    type Target = MailServers;
    fn deref(&self) -> &MailServers {
        &self.0
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (dovecot, postfix) = (self.log("dovecot.log"), self.log("postfix/log"));
            eprintln!("dovecot's log:\n{dovecot}\npostfix's log:\n{postfix}");
        }
    }
}

impl MailServers {
    /// The servers that tests share, each test with users of its own; started by the first and stopped after the last
    /// that holds them. `None` if servers are not wanted.
    ///
    /// # Panics
    /// As [`MailServers::start`].
    pub(crate) fn shared() -> Option<Hold> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(servers) = shared.upgrade() {
            return Some(Hold(servers));
        }
        let servers = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&servers);
        Some(Hold(servers))
    }

    /// Starts both servers; `None` if they are not wanted.
    ///
    /// # Panics
    /// A server is missing or does not start: the message says what to do.
    pub(crate) fn start() -> Option<Self> {
        if may_be_missing() {
            skipped("MUSTERD_NO_SERVERS=1, so nothing is tested against Dovecot and Postfix here");
            return None;
        }
        for (program, of) in
            [("dovecot", "dovecot-imapd dovecot-lmtpd"), ("postfix", "postfix"), ("openssl", "openssl")]
        {
            assert!(
                found(program),
                "`{program}` is missing: run tests/run, or install {of}, or set MUSTERD_NO_SERVERS=1"
            );
        }
        assert!(
            id("-u") == "0",
            "Postfix starts as root only: run tests/run as root, or set MUSTERD_NO_SERVERS=1"
        );
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match Self::try_start() {
                Ok(servers) => return Some(servers),
                Err(why) => said = why,
            }
        }
        panic!("the mail servers do not start: {said}");
    }

    fn try_start() -> Result<Self, String> {
        let dir = tempfile::Builder::new().prefix("musterd-servers").tempdir().map_err(|e| e.to_string())?;
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).map_err(|e| e.to_string())?;
        let servers = Self { dir, ports: Ports::free() };
        certificate(&servers.path(""), "cert")?;
        servers.start_dovecot()?;
        servers.start_postfix()?;
        Ok(servers)
    }

    /// A file of theirs: `home/<user>/Maildir`, `dovecot.conf`, `postfix/conf`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The ports the servers listen on.
    pub(crate) fn ports(&self) -> Ports {
        self.ports
    }

    /// The authority that signed the servers' certificate: itself.
    pub(crate) fn authority(&self) -> PathBuf {
        self.path("cert.pem")
    }

    /// How to reach one of the ports as this user.
    pub(crate) fn server(&self, port: u16, user: &str) -> Server {
        let tls = [self.ports.imaps, self.ports.smtps].contains(&port);
        Server {
            host: "localhost".to_owned(),
            port,
            security: if tls { Security::Tls } else { Security::StartTls },
            tls_ca: Some(self.authority()),
            login: Some((user.to_owned(), Password::new(PASSWORD.to_owned()))),
            timeout: Duration::from_secs(20),
        }
    }

    /// Runs a `doveadm` command and returns what it prints.
    pub(crate) fn doveadm(&self, arguments: &[&str]) -> String {
        let config = self.path("dovecot.conf");
        run(Command::new("doveadm").arg("-c").arg(config).args(arguments)).unwrap()
    }

    /// How many messages of a user's folder match a search, such as `SEEN` or `ALL`.
    pub(crate) fn count(&self, user: &str, folder: &str, query: &str) -> usize {
        self.doveadm(&["search", "-u", user, "mailbox", folder, query]).lines().count()
    }

    /// Stops Dovecot, changes its configuration, and starts it again.
    pub(crate) fn restart_dovecot(&self, change: impl FnOnce(String) -> String) {
        self.doveadm(&["stop"]);
        // It has stopped once it takes its mark away, which may be a moment later.
        let mark = self.path("run/master.pid");
        for _ in 0..600 {
            if !mark.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let file = self.path("dovecot.conf");
        let config = change(fs::read_to_string(&file).unwrap());
        fs::write(&file, config).unwrap();
        self.launch_dovecot().unwrap();
    }

    fn launch_dovecot(&self) -> Result<(), String> {
        self.launch(Command::new("dovecot").arg("-c").arg(self.path("dovecot.conf")))?;
        greets(self.ports.imap, "* OK").map_err(|e| format!("{e}; {}", self.log("dovecot.log")))
    }

    fn start_dovecot(&self) -> Result<(), String> {
        let d = self.dir.path().display();
        let Ports { imap, imaps, lmtp, auth, .. } = self.ports;
        // Dovecot keeps no mail for root.
        let (user, group) = ("mail", "mail");
        let (uid, gid) = (id_of("-u", user), id_of("-g", user));
        for part in ["run", "state", "home"] {
            fs::create_dir(self.path(part)).map_err(|e| e.to_string())?;
        }
        let config = format!(
            "protocols = imap lmtp
listen = 127.0.0.1
base_dir = {d}/run
state_dir = {d}/state
log_path = {d}/dovecot.log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{d}/home/%n/Maildir
mail_uid = {user}
mail_gid = {group}
disable_plaintext_auth = no
auth_failure_delay = 0
recipient_delimiter = +
mail_max_userip_connections = 100
ssl = yes
ssl_cert = <{d}/cert.pem
ssl_key = <{d}/cert.key
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={d}/home/%n
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {auth}
  }}
}}
"
        );
        let file = self.path("dovecot.conf");
        fs::write(&file, config).map_err(|e| e.to_string())?;
        run(Command::new("chown")
            .args(["-R", &format!("{user}:{group}")])
            .arg(self.path("home"))
            .arg(self.path("state")))?;
        self.launch_dovecot()
    }

    fn start_postfix(&self) -> Result<(), String> {
        let (d, Ports { smtp, smtps, lmtp, auth, .. }) = (self.dir.path().display(), self.ports);
        for part in ["postfix", "postfix/conf", "postfix/queue", "postfix/data"] {
            fs::create_dir(self.path(part)).map_err(|e| e.to_string())?;
        }
        run(Command::new("chown").arg("postfix").arg(self.path("postfix/data")))?;
        let main = format!(
            "compatibility_level = 3.6
queue_directory = {d}/postfix/queue
data_directory = {d}/postfix/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
mydestination =
mynetworks =
virtual_mailbox_domains = localhost, example.org
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
recipient_delimiter = +
smtpd_tls_cert_file = {d}/cert.pem
smtpd_tls_key_file = {d}/cert.key
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_sasl_auth_enable = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions =
smtpd_error_sleep_time = 0
maillog_file = {d}/postfix/log
maillog_file_prefixes = {d}
smtp_dns_support_level = disabled
alias_maps =
alias_database =
"
        );
        let services = format!(
            "127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"
        );
        fs::write(self.path("postfix/conf/main.cf"), main).map_err(|e| e.to_string())?;
        fs::write(self.path("postfix/conf/master.cf"), services).map_err(|e| e.to_string())?;
        self.launch(&mut self.postfix("start"))?;
        greets(smtp, "220 ").map_err(|e| format!("{e}; {}", self.log("postfix/log")))
    }

    fn postfix(&self, command: &str) -> Command {
        let mut postfix = Command::new("postfix");
        postfix.arg("-c").arg(self.path("postfix/conf")).arg(command);
        postfix
    }

    /// Runs a command that leaves a server behind. It writes to a file: the server would keep a pipe open for ever.
    fn launch(&self, command: &mut Command) -> Result<(), String> {
        let output = fs::File::create(self.path("launch.log")).map_err(|e| e.to_string())?;
        let errors = output.try_clone().map_err(|e| e.to_string())?;
        let status =
            command.stdin(Stdio::null()).stdout(output).stderr(errors).status().map_err(|e| e.to_string())?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("{command:?}: {status}: {}", self.log("launch.log")))
        }
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

impl Drop for MailServers {
    fn drop(&mut self) {
        // Either may not have come up.
        let _ = self.launch(&mut self.postfix("abort"));
        let _ = run(Command::new("doveadm").arg("-c").arg(self.path("dovecot.conf")).arg("stop"));
    }
}

/// Makes a certificate `<name>.pem` for localhost that is its own authority, with its key `<name>.key`.
pub(crate) fn certificate(dir: &Path, name: &str) -> Result<(), String> {
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
    openssl.args([
        "-days",
        "30",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ]);
    // An authority itself would be refused as a server's certificate.
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    openssl
        .arg("-keyout")
        .arg(dir.join(format!("{name}.key")))
        .arg("-out")
        .arg(dir.join(format!("{name}.pem")));
    run(&mut openssl).map(drop)
}

/// Waits until a server greets on this port.
fn greets(port: u16, greeting: &str) -> Result<(), String> {
    let mut said = String::new();
    for _ in 0..100 {
        said.clear();
        let heard = TcpStream::connect(("127.0.0.1", port)).and_then(|stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            BufReader::new(stream).read_line(&mut said)
        });
        match heard {
            Ok(_) if said.starts_with(greeting) => return Ok(()),
            Ok(_) => {}
            Err(error) => said = error.to_string(),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("port {port} does not greet: {said}"))
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{command:?}: {}: {text}{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}

fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // The servers live where only root's path may lead.
    let more = [PathBuf::from("/usr/sbin"), PathBuf::from("/sbin")];
    std::env::split_paths(&path).chain(more).any(|dir| dir.join(program).is_file())
}

fn id(what: &str) -> String {
    run(Command::new("id").arg(what)).unwrap().trim().to_owned()
}

fn id_of(what: &str, user: &str) -> String {
    run(Command::new("id").args([what, user])).unwrap().trim().to_owned()
}
