//! How the host recognises its own mails, and the files and lines that it waits for in others' mails: the answers to [`musterd_letter`]'s questions.

use super::line::{begins_block, is_mark};
use super::outbound::{Kind, OWN_HEADER, Sent};
use super::route::read_key_line;
use super::token::{Token, without_secrets};
use musterd_dice::GameId;
use musterd_letter::{Marks, Proof};

/// The width of the rule under the head of the host's mails, in columns.
const RULE: usize = 78;

/// The marks of the host's mails and of orders.
pub(super) struct Own;

impl Own {
    /// The proof that somebody has this secret.
    fn proof(token: &Token) -> Proof {
        Proof::new(token.reveal())
    }
}

impl Marks for Own {
    fn own_header(&self) -> Option<&str> {
        Some(OWN_HEADER)
    }

    /// The header alone proves nothing: programs keep it when somebody edits such a mail as a new one. But they give the new mail another Message-ID,
    /// and the Message-ID contains the mail's purpose too. If a server has replaced the Message-ID, all lines are examined as in any mail.
    fn is_as_sent(&self, header: &str, message_id: &str) -> bool {
        let kind = header.split_whitespace().next().and_then(Kind::named);
        let domain = message_id.rsplit_once('@').map(|(_, domain)| domain);
        let sent = domain.and_then(|domain| Sent::of(message_id, domain));
        kind.zip(sent).is_some_and(|(kind, sent)| sent.kind == kind)
    }

    fn is_own_file(&self, name: &str) -> bool {
        name.ends_with("chain.sig")
    }

    /// Whether a line is a seat's key, the head of the log, or names the game at the end of a mail without a head.
    fn is_own_line(&self, line: &str) -> bool {
        let line = line.trim();
        let names_game = || line.strip_prefix("Game: ").is_some_and(|game| game.parse::<GameId>().is_ok());
        line.starts_with("Chain: ") || names_game() || read_key_line(line).is_some()
    }

    /// Whether a line is the rule under the head of a mail. Players draw such lines too.
    fn is_own_rule(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() == RULE && line.bytes().all(|byte| byte == b'=')
    }

    /// Whether a line shows an address with a seat's secret, which nobody writes into his orders.
    fn shows_own_address(&self, line: &str) -> bool {
        line.contains('@')
            && line.contains('+')
            && matches!(without_secrets(line.to_owned()), shown if shown != line)
    }

    /// The secret at the end of a seat's own address at the host.
    fn proof_in_address(&self, address: &str) -> Option<Proof> {
        let token = address.rsplit_once('@')?.0.rsplit_once('.')?.1.parse().ok()?;
        Some(Self::proof(&token))
    }

    fn proof_in_line(&self, line: &str) -> Option<Proof> {
        Some(Self::proof(&read_key_line(line)?.token?))
    }

    fn masked(&self, text: String) -> String {
        without_secrets(text)
    }

    /// Whether a file is one of orders: `orders.txt`, or a variant of that name that programs give to a second copy.
    fn is_awaited(&self, name: &str) -> bool {
        let name = name.trim().to_ascii_lowercase();
        name.starts_with("orders") && name.ends_with(".txt")
    }

    fn begins_block(&self, line: &str) -> bool {
        begins_block(line)
    }

    fn stands_alone(&self, line: &str) -> bool {
        is_mark(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_own_mail_is_known_by_its_rule_above_a_line_that_only_it_writes() {
        let rule = "=".repeat(78);
        assert!(Own.is_own_rule(&rule) && !Own.is_own_rule(&rule[1..]) && !Own.is_own_rule("MOVE 1"));
        assert!(Own.is_own_line("Chain: alpha 6") && Own.is_own_line("# key: alpha french k7q2mz4t9hwxp3cd"));
        assert!(Own.is_own_line("Game: alpha") && !Own.is_own_line("Game: of chance"));
        assert!(!Own.is_own_line("MOVE 1"));
    }

    #[test]
    fn a_proof_is_the_secret_in_an_address_or_a_key_line() {
        let proof = Own.proof_in_address("host+alpha.red.k7q2mz4t9hwxp3cd@example.org");
        assert!(proof.is_some());
        assert_eq!(Own.proof_in_line("# key: alpha red K7Q2MZ4T9HWXP3CD"), proof);
        assert_eq!(Own.proof_in_address("host+alpha.red@example.org"), None);
    }

    #[test]
    fn a_file_of_orders_is_known_by_its_name() {
        for name in ["orders.txt", "Orders (1).txt", " orders-2.TXT "] {
            assert!(Own.is_awaited(name), "{name}");
        }
        assert!(!Own.is_awaited("my orders.txt") && !Own.is_awaited("orders.pdf"));
    }
}
