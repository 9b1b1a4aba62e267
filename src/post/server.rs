//! A mail server and the parameters of a safe connection to it, for IMAP and SMTP.

use std::fmt;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};

use super::{Password, PostError, Stop};
use musterd_disk::regular;

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte (ports 993 and 465).
    Tls,
    /// Plain at first, then STARTTLS; without it the connection is not used (ports 143 and 587).
    StartTls,
    /// No encryption: refused unless the server is on this machine.
    PlainOnLoopback,
}

/// A mail server, an account on it, and a timeout.
#[derive(Debug, Clone)]
pub struct Server {
    /// Host name as in its certificate, or an address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// A PEM file with one more certificate authority to trust besides the system's, for private servers.
    pub tls_ca: Option<PathBuf>,
    /// User name and password; a relay may need neither.
    pub login: Option<(String, Password)>,
    /// The longest silence that is allowed. A whole answer may take ten times as long.
    pub timeout: Duration,
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Server {
    pub(super) fn config_error(&self, reason: impl Into<String>) -> PostError {
        PostError::Config { server: self.to_string(), reason: reason.into() }
    }

    pub(super) fn tls_error(&self, reason: impl Into<String>) -> PostError {
        PostError::Tls { server: self.to_string(), reason: reason.into() }
    }

    /// The addresses of the server; an unencrypted server must be on this machine.
    pub(super) fn addresses(&self) -> Result<Vec<SocketAddr>, PostError> {
        let found = (self.host.as_str(), self.port).to_socket_addrs();
        let found: Vec<_> =
            found.map_err(|error| PostError::Connect { server: self.to_string(), error })?.collect();
        if self.security == Security::PlainOnLoopback && !found.iter().all(|a| is_loopback(a.ip())) {
            return Err(self.config_error(
                "unencrypted connections are allowed to this machine only: use TLS or STARTTLS for this server",
            ));
        }
        Ok(found)
    }

    /// Connects to the first of its addresses that answers; no further one is tried once the program is to end.
    pub(super) fn connect(&self, stop: &Stop) -> Result<TcpStream, PostError> {
        let mut last = std::io::Error::new(std::io::ErrorKind::NotFound, "the name has no address");
        for address in self.addresses()? {
            match TcpStream::connect_timeout(&address, self.timeout) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
            if stop.is_set() {
                break;
            }
        }
        Err(PostError::Connect { server: self.to_string(), error: last })
    }

    /// The bytes of the extra authority's file, if there is one.
    pub(super) fn extra_authority(&self) -> Result<Option<Vec<u8>>, PostError> {
        let read = |path: &PathBuf| {
            regular::read(path, LARGEST_AUTHORITIES)
                .map_err(|e| self.config_error(format!("cannot read tls_ca {}: {e}", path.display())))
        };
        self.tls_ca.as_ref().map(read).transpose()
    }

    /// The system's certificate authorities and the extra one.
    pub(super) fn roots(&self) -> Result<RootCertStore, PostError> {
        let mut roots = RootCertStore::empty();
        // Single system certificates that can't be read are no reason to stop: they are not trusted.
        let (_added, _ignored) =
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(pem) = self.extra_authority()? {
            for certificate in CertificateDer::pem_slice_iter(&pem) {
                let certificate = certificate.map_err(|e| self.config_error(format!("tls_ca: {e}")))?;
                roots.add(certificate).map_err(|e| self.config_error(format!("tls_ca: {e}")))?;
            }
        }
        Ok(roots)
    }

    /// A TLS client that trusts these authorities, and verifies everything.
    pub(super) fn tls(&self) -> Result<rustls::ClientConnection, PostError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| self.tls_error(e.to_string()))?
            .with_root_certificates(self.roots()?)
            .with_no_client_auth();
        let name = ServerName::try_from(self.host.clone())
            .map_err(|_| self.config_error("the host is neither a name nor an address"))?;
        rustls::ClientConnection::new(Arc::new(config), name).map_err(|e| self.tls_error(e.to_string()))
    }
}

/// The largest file of certificate authorities that is read, in bytes.
pub const LARGEST_AUTHORITIES: u64 = 4 << 20;

/// The number of certificates in a PEM file of certificate authorities.
///
/// # Errors
/// One of them is faulty; the text says how.
pub fn authorities(pem: &[u8]) -> Result<usize, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    }
    Ok(roots.len())
}

fn is_loopback(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}
