//! Signed chain lines: the host can't deny what a mail said of its log, and a player can't forge it. The signatures have OpenSSH's format
//! (`PROTOCOL.sshsig`), so that everybody can check them with `ssh-keygen -Y verify`.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha512};

use super::hash::length;
use super::secret::Secret;
use super::witness::ChainLines;

/// The purpose of the signatures, which is given to `ssh-keygen -n`. A signature for another purpose is not accepted.
pub const NAMESPACE: &str = "pbemdice";

const ALGORITHM: &str = "ssh-ed25519";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";
/// The length of a line of an armoured signature, as OpenSSH writes it.
const ARMOUR_WIDTH: usize = 70;
/// The length of the signature itself, in bytes.
const SIGNATURE: usize = 64;
/// The text before the key in the log's note about it.
pub(crate) const STATED: &str = "host key ";

/// The public key of a host, as OpenSSH writes it: `ssh-ed25519 AAAA…`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostKey([u8; 32]);

/// A text that is not the key of a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the key of a host: it reads `ssh-ed25519`, and 68 letters behind it")]
pub struct BadHostKey(String);

/// Why a signature is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// The text is no such signature, or is made by another key.
    #[error(
        "it is no signature by this key: not armoured as ssh-keygen writes it, by another key, or for another purpose"
    )]
    NotOne,
    /// The signature is for another text.
    #[error("the signature is not of these lines: they, or it, were changed")]
    OtherText,
}

impl HostKey {
    /// The log's note about the key, directly after its `game` entry.
    #[must_use]
    pub fn as_note(&self) -> String {
        format!("{STATED}{self}")
    }

    /// The line that `ssh-keygen -Y verify -f` needs to recognise the key as that of the host with this address.
    #[must_use]
    pub fn allowed_signer(&self, address: &str) -> String {
        format!("{address} namespaces=\"{NAMESPACE}\" {self}")
    }

    /// Checks that an armoured signature is this host's signature of these chain lines.
    ///
    /// # Errors
    /// It is not.
    pub fn verify(&self, lines: &ChainLines, armoured: &str) -> Result<(), BadSignature> {
        let blob = dearmoured(armoured).ok_or(BadSignature::NotOne)?;
        // Signatures with one key and for one purpose differ only in the signature itself.
        let signature = blob.strip_prefix(self.before_signature().as_slice()).ok_or(BadSignature::NotOne)?;
        if signature.len() != SIGNATURE {
            return Err(BadSignature::NotOne);
        }
        UnparsedPublicKey::new(&ED25519, self.0)
            .verify(&to_be_signed(lines), signature)
            .map_err(|_| BadSignature::OtherText)
    }

    /// The key as it stands in an OpenSSH file, before base64.
    fn blob(self) -> Vec<u8> {
        fields(&[ALGORITHM.as_bytes(), &self.0])
    }

    /// An SSHSIG up to the signature itself.
    fn before_signature(self) -> Vec<u8> {
        let head = [b"SSHSIG".as_slice(), &1_u32.to_be_bytes()].concat();
        let signature = [fields(&[ALGORITHM.as_bytes()]), length(SIGNATURE).to_vec()].concat();
        let about = fields(&[&self.blob(), NAMESPACE.as_bytes(), b"", b"sha512"]);
        [head, about, length(signature.len() + SIGNATURE).to_vec(), signature].concat()
    }
}

impl fmt::Display for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ALGORITHM} {}", STANDARD.encode(self.blob()))
    }
}

impl fmt::Debug for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for HostKey {
    type Err = BadHostKey;
    fn from_str(text: &str) -> Result<Self, BadHostKey> {
        let read = || {
            let blob = STANDARD.decode(text.strip_prefix(ALGORITHM)?.strip_prefix(' ')?).ok()?;
            let key = Self(*blob.last_chunk()?);
            (key.blob() == blob).then_some(key)
        };
        read().ok_or_else(|| BadHostKey(text.chars().take(120).collect()))
    }
}

impl TryFrom<String> for HostKey {
    type Error = BadHostKey;
    fn try_from(text: String) -> Result<Self, BadHostKey> {
        text.parse()
    }
}

impl From<HostKey> for String {
    fn from(key: HostKey) -> Self {
        key.to_string()
    }
}

/// The private key of a host: never formatted.
pub struct Signer(Ed25519KeyPair);

impl Signer {
    /// The key that is derived from this secret. The secret must serve for nothing else.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        #[expect(clippy::expect_used, reason = "every 32 bytes are the seed of a key")]
        let pair = Ed25519KeyPair::from_seed_unchecked(secret.as_bytes()).expect("a seed");
        Self(pair)
    }

    /// The public key to it.
    #[must_use]
    pub fn key(&self) -> HostKey {
        let mut key = [0; 32];
        key.copy_from_slice(self.0.public_key().as_ref());
        HostKey(key)
    }

    /// Signs chain lines. The same lines always give the same signature. It is armoured, with lines ended by LF.
    #[must_use]
    pub fn sign(&self, lines: &ChainLines) -> String {
        let signature = self.0.sign(&to_be_signed(lines));
        let letters = STANDARD.encode([&self.key().before_signature(), signature.as_ref()].concat());
        let mut armoured = format!("{BEGIN}\n");
        let mut rest = letters.as_str();
        while !rest.is_empty() {
            let (line, behind) = rest.split_at(rest.len().min(ARMOUR_WIDTH));
            armoured.push_str(line);
            armoured.push('\n');
            rest = behind;
        }
        armoured + END + "\n"
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.key())
    }
}

/// The signed text: both chain lines as they stand, each ended by LF, as `grep -A1 '^Chain:'` takes them out of a mail.
fn to_be_signed(lines: &ChainLines) -> Vec<u8> {
    let hash = Sha512::digest(format!("{lines}\n"));
    let about = fields(&[NAMESPACE.as_bytes(), b"", b"sha512", &hash]);
    [b"SSHSIG".as_slice(), &about].concat()
}

/// Strings in the format of SSH: each preceded by its length in 4 bytes.
fn fields(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend(length(part.len()));
        bytes.extend(*part);
    }
    bytes
}

fn dearmoured(text: &str) -> Option<Vec<u8>> {
    let inside = text.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let letters: String = inside.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(letters).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(byte: u8) -> Signer {
        Signer::new(&Secret::new([byte; 32]))
    }

    fn witness(index: u64) -> ChainLines {
        ChainLines::read("alpha", &index.to_string(), crate::Digest::of(b"head")).unwrap()
    }

    #[test]
    fn a_key_reads_as_it_is_written() {
        let key = signer(1).key();
        let text = key.to_string();
        assert_eq!(text.len(), "ssh-ed25519 ".len() + 68);
        assert_eq!(text.parse(), Ok(key));
        for bad in [
            "",
            "ssh-ed25519",
            "ssh-ed25519 AAAA",
            &text[..79],
            &text.replace("ed25519", "rsa"),
            &format!("{text} me"),
        ] {
            assert!(bad.parse::<HostKey>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_signature_holds_for_its_lines_and_its_key_alone() {
        let (signer, other) = (signer(1), signer(2));
        let signature = signer.sign(&witness(7));
        assert_eq!(signer.key().verify(&witness(7), &signature), Ok(()));
        assert_eq!(signer.key().verify(&witness(7), &signature.replace('\n', "\r\n")), Ok(()));
        assert_eq!(signer.key().verify(&witness(8), &signature), Err(BadSignature::OtherText));
        let open = ChainLines::read("alpha", "t7", crate::Digest::of(b"head")).unwrap();
        assert_eq!(signer.key().verify(&open, &signature), Err(BadSignature::OtherText));
        assert_eq!(signer.key().verify(&open, &signer.sign(&open)), Ok(()));
        assert_eq!(other.key().verify(&witness(7), &signature), Err(BadSignature::NotOne));
        assert_eq!(signer.key().verify(&witness(7), &other.sign(&witness(7))), Err(BadSignature::NotOne));
        for bad in
            ["", "chain.sig", &signature[5..], &signature.replacen('A', "*", 1), &format!("{BEGIN}\n{END}\n")]
        {
            assert_eq!(signer.key().verify(&witness(7), bad), Err(BadSignature::NotOne), "{bad}");
        }
        let lines: Vec<&str> = signature.lines().collect();
        let longer =
            format!("{BEGIN}\n{}\nAAAA\n{END}\n", lines[1..lines.len() - 1].join("\n").trim_end_matches('='));
        assert!(signer.key().verify(&witness(7), &longer).is_err());
    }

    #[test]
    fn a_private_key_is_not_printed_by_accident() {
        let shown = format!("{:?}", signer(1));
        assert!(shown.contains(&signer(1).key().to_string()) && !shown.contains("0101"), "{shown}");
    }
}
