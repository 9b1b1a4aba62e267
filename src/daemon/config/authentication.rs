//! What the operator asks of the way that players' mails came: the word of a mail server of his.

use musterd_letter::{Letter, Method, is_authentic};

/// `authentication` in the configuration: mails of players and GMs count only where this server vouches for their sender's domain,
/// besides the secret and the registered address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// The name under which the server writes its `Authentication-Results`.
    pub host: String,
    /// In which ways it may have found out.
    pub accept: Vec<Method>,
}

impl Authentication {
    /// Whether a server can write its results under this name.
    pub fn can_be_host(name: &str) -> bool {
        let odd = |c: char| c.is_whitespace() || c.is_control() || "();=\"".contains(c);
        !name.is_empty() && !name.contains(odd)
    }

    /// Whether the server vouches for the sender of a mail.
    pub fn vouches_for(&self, letter: &Letter) -> bool {
        let from = letter.author.as_ref();
        from.is_some_and(|from| is_authentic(&letter.stamps, &self.host, &self.accept, from))
    }
}
