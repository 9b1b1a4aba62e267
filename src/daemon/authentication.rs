//! What the operator asks of the way that players' mails came: the word of a mail server of his.

use serde::Deserialize;

use crate::letter::{Letter, Method, is_authentic};

/// `authentication` in the configuration: mails of players and GMs count only where this server vouches for their sender's domain,
/// besides the secret and the registered address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Authentication {
    /// The name under which the server writes its `Authentication-Results`.
    pub host: String,
    /// In which ways it may have found out.
    #[serde(default = "all")]
    pub accept: Vec<Method>,
}

fn all() -> Vec<Method> {
    vec![Method::Dmarc, Method::Dkim, Method::Spf]
}

impl Authentication {
    /// Whether it can ever be met.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self) -> Result<(), String> {
        let odd = |c: char| c.is_whitespace() || c.is_control() || "();=\"".contains(c);
        if self.host.is_empty() || self.host.contains(odd) {
            return Err(format!(
                "host: `{}` is no server's name; write it as it begins that server's Authentication-Results",
                self.host
            ));
        }
        if self.accept.is_empty() {
            return Err("accept: name at least one of dmarc, dkim, spf; or leave it out for all".to_owned());
        }
        Ok(())
    }

    /// Whether the server vouches for the sender of a mail. One with several senders has none.
    #[must_use]
    pub fn vouches_for(&self, letter: &Letter) -> bool {
        let [from] = letter.from.as_slice() else { return false };
        is_authentic(&letter.stamps, &self.host, &self.accept, from)
    }
}
