# Sieve (Dovecot's Pigeonhole and others): sorts mail for the campaigns out of a mailbox that gets other mail too, into a
# folder that musterd reads: in musterd.yaml, `kind: imap` with `folder: Campaign` (`INBOX.Campaign` in both places where the server
# keeps folders below INBOX). Make the folder before the first mail, or the daemon finds none and holds its turns: with a mail program, or
# `doveadm mailbox create -s -u USER Campaign`. With Dovecot: ~/.dovecot.sieve, and `mail_plugins = $mail_plugins sieve` for lmtp and lda.
require ["envelope", "fileinto", "mailbox"];

if anyof (
    envelope :matches "to" ["campaign@example.org", "campaign+*@example.org"],
    address :matches ["to", "cc"] ["campaign@example.org", "campaign+*@example.org"]
) {
    fileinto :create "Campaign";
    stop;
}
