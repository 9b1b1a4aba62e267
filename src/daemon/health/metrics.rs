//! The daemon's figures as Prometheus reads them, and the file that they are written to. There is no listening port: a program
//! that holds the secrets of games is not to be reached from outside, and every Prometheus host has a collector of text files.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::HostError;
use crate::health::vitals::{GameCounts, MailboxHealth, Vitals};
use musterd_disk::fresh::{FilePlace, Fresh};
use musterd_disk::regular;

/// Writes the figures to a file, whole: a reader sees the old ones or the new.
///
/// # Errors
/// The file can't be written; the old one stands.
pub fn write_file(path: &Path, vitals: &Vitals) -> io::Result<()> {
    is_ours(path).map_err(|error| io::Error::other(error.to_string()))?;
    let mut fresh = Fresh::begin(FilePlace::of(path)?, true)?;
    fresh.write_all(text(vitals).as_bytes())?;
    // The collector is another user.
    fresh.open_to_all()?;
    fresh.finish_for_now()
}

/// Whether a file may be written over: there is none, or it holds figures of ours.
///
/// # Errors
/// It is something else, or can't be read.
pub fn is_ours(path: &Path) -> Result<(), HostError> {
    let mut beginning = Vec::new();
    let read = regular::open(path).and_then(|file| file.take(OURS.len() as u64).read_to_end(&mut beginning));
    match read {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(HostError::io(path, e)),
        Ok(_) if beginning.is_empty() || beginning == OURS.as_bytes() => Ok(()),
        Ok(_) => Err(HostError::Config {
            path: path.to_owned(),
            reason: "this file holds something else than figures of musterd, and would be written over: choose another name, \
                     or move it away"
                .to_owned(),
        }),
    }
}

/// How the figures begin.
const OURS: &str = "# HELP musterd_";

/// The figures in the text format of Prometheus, version 0.0.4.
pub fn text(vitals: &Vitals) -> String {
    let mut page = Page::default();
    page.what_was_done(vitals);
    page.games(&vitals.games);
    page.mailboxes(&vitals.mailboxes);
    page.what_waits(vitals);
    page.text
}

impl Page {
    /// What was counted since the daemon began.
    fn what_was_done(&mut self, vitals: &Vitals) {
        let counters = &vitals.counters;
        self.family("build_info", "gauge", "The program's version; always 1.");
        self.value("build_info", &[("version", &vitals.version)], 1);
        if let Some(started) = vitals.started {
            self.gauge("start_time_seconds", "When the daemon began, unix seconds.", started);
        }
        self.count("mails_handled_total", "Mails dealt with, whatever came of them.", counters.mails);
        self.count("mails_accepted_total", "Mails with orders that counted.", counters.accepted);
        self.family("mails_refused_total", "counter", "Mails for a game that changed nothing, by reason.");
        for (reason, n) in &counters.refused {
            self.value("mails_refused_total", &[("reason", reason)], *n);
        }
        self.count("mails_automatic_total", "Bounces and other mails that nobody wrote.", counters.automatic);
        self.count("turns_total", "Adjudications.", counters.turns);
        self.count("mails_queued_total", "Mails put into the outbox, one a recipient.", counters.queued);
        self.family("mails_out_total", "counter", "Tries to send a mail, by what came of them.");
        for (outcome, n) in [
            ("sent", counters.sent),
            ("deferred", counters.deferred),
            ("refused", counters.refused_by_relay),
            ("stale", counters.stale),
            ("bounced", counters.bounced),
        ] {
            self.value("mails_out_total", &[("outcome", outcome)], n);
        }
        self.family("commit_seconds", "summary", "Time that commits to the store took.");
        self.line("commit_seconds_sum", &[], &seconds(counters.commit_micros));
        self.value("commit_seconds_count", &[], counters.commits);
        self.count("faults_total", "Faults that stopped the daemon's work for a while.", counters.faults);
    }

    /// The games by their condition.
    fn games(&mut self, games: &GameCounts) {
        self.family("games", "gauge", "Games by condition.");
        let aside = games.aside.len() as u64;
        for (state, n) in [("open", games.open), ("ended", games.ended)] {
            self.value("games", &[("state", state)], n);
        }
        self.gauge("games_aside", "Games that can't go on until somebody mends something.", aside);
        self.gauge("games_overdue", "Open games whose turn is held past its time.", games.overdue);
        if let Some(due) = games.next_due {
            self.gauge("next_deadline_seconds", "The next deadline or reminder, unix seconds.", due);
        }
    }

    /// When each mailbox was drained.
    fn mailboxes(&mut self, mailboxes: &[MailboxHealth]) {
        self.family(
            "mailbox_drained_seconds",
            "gauge",
            "When a mailbox was last drained to its end, unix seconds; 0 if it never was.",
        );
        for (n, mailbox) in (1..).zip(mailboxes) {
            let labels = [("mailbox", n.to_string()), ("kind", mailbox.kind.clone())];
            // One that never was must set an alarm off too.
            let drained = mailbox.drained.unwrap_or(0);
            self.value("mailbox_drained_seconds", &labels.each_ref().map(|(k, v)| (*k, v.as_str())), drained);
        }
    }

    /// What waits, and how much room there is.
    fn what_waits(&mut self, vitals: &Vitals) {
        let Vitals { outbox, now, .. } = vitals;
        self.gauge("spool_mails", "Mails in the spool that wait to be dealt with.", vitals.spool_waiting);
        self.gauge("spool_aside_mails", "Mails that can't be dealt with.", vitals.spool_aside.len() as u64);
        self.gauge(
            "spool_held_mails",
            "Mails from before a journal was put back that somebody has to read.",
            vitals.spool_held.len() as u64,
        );
        self.gauge("outbox_mails", "Mails that wait to be sent.", outbox.waiting);
        let age = outbox.oldest.map_or(0, |oldest| (now - oldest).max(0));
        self.gauge("outbox_oldest_age_seconds", "How long the oldest of them has waited.", age);
        self.gauge("disk_free_bytes", "Room on the disk of the data directory.", vitals.disk_free);
        self.gauge("disk_size_bytes", "Size of that disk.", vitals.disk_total);
        self.gauge("store_bytes", "Size of the database and the mirror journals.", vitals.store_bytes);
        self.gauge(
            "clock_doubted",
            "1 while the clock is in doubt and no turn is run at its deadline.",
            u8::from(vitals.clock_doubted),
        );
    }
}

/// A page in the making; every name on it begins with `musterd_`.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a text can't fail.
        let _ = write!(self.text, "# HELP musterd_{name} {help}\n# TYPE musterd_{name} {kind}\n");
    }

    fn line(&mut self, name: &str, labels: &[(&str, &str)], value: &str) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.text, "musterd_{name}{labels} {value}");
    }

    fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Into<i128>) {
        let value: i128 = value.into();
        self.line(name, labels, &value.to_string());
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Into<i128>) {
        self.family(name, "gauge", help);
        self.value(name, &[], value);
    }

    fn count(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help);
        self.value(name, &[], value);
    }
}

/// The value of a label as the format has it.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Microseconds as seconds, without the detour of a float.
fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_seconds_are_exact() {
        let mut page = Page::default();
        page.value("x_total", &[("reason", "a \"b\"\\\n")], 3);
        assert_eq!(page.text, "musterd_x_total{reason=\"a \\\"b\\\"\\\\\\n\"} 3\n");
        assert_eq!(seconds(12_000_345), "12.000345");
    }
}
