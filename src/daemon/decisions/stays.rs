//! Mail that stays on this machine: for whom it lies in a Maildir that nobody reads, and that a host by a pipe has never been given any.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::HostError;
use crate::config::{self, Config, MailOut};
use crate::games::Games;
use crate::health::vitals::Ailment;
use crate::mails::mailroom::COMPUTERS;
use musterd_desk::campaign::Campaign;
use musterd_desk::mail::HostAddress;
use musterd_dice::GameId;
use musterd_post::{self as post, MaildirRelay, Readers};

/// Of Maildirs that nobody reads no more than this are named.
const MOST_NAMED: usize = 10;

impl Config {
    /// A sentence for each of these addresses whose mail goes to a Maildir of this machine that nobody reads, as far as can be seen.
    pub fn stays_here<'a>(&self, dir: &Path, addresses: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let MailOut::Maildir { root } = &self.mail_out else { return Vec::new() };
        let (relay, own) = (MaildirRelay::new(dir.join(root)), HostAddress::parse(&self.address).ok());
        let all: BTreeSet<&str> = addresses.into_iter().collect();
        let others = all.into_iter().filter(|address| own.as_ref().is_none_or(|own| !own.is_own(address)));
        let told = others.filter_map(|address| {
            let maildir = relay.mailbox(address)?;
            let remedy = match post::readers(&maildir) {
                Readers::Some => return None,
                Readers::NoMaildir => "make that directory",
                Readers::Nobody => "delete the file `made-by-musterd` there",
            };
            Some(told(dir, address, &maildir, remedy))
        });
        told.collect()
    }

    /// The same for the addresses that the configuration names, and for the Maildirs that the host has made for others; where there is none
    /// but the host's own, that mail goes to nobody yet.
    pub fn stays_unread(&self, dir: &Path) -> Vec<String> {
        let MailOut::Maildir { root } = &self.mail_out else { return Vec::new() };
        let (root, relay) = (dir.join(root), MaildirRelay::new(dir.join(root)));
        let own = relay.mailbox(&self.address);
        let mut maildirs: Vec<PathBuf> = fs::read_dir(&root)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| Some(path) != own.as_ref() && path.is_dir())
            .collect();
        maildirs.sort();
        let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let of_people = |name: &String| !name.ends_with(COMPUTERS);
        let unread = maildirs.iter().filter(|path| post::readers(path) == Readers::Nobody);
        let made: Vec<String> = unread.filter_map(name).filter(of_people).take(MOST_NAMED).collect();
        let found = self.stays_here(dir, self.gm.iter().chain(&made).map(String::as_str));
        if found.is_empty() && maildirs.is_empty() {
            return vec![format!(
                "mail to everybody stays on this machine, in Maildirs in {}: {} to send it; for each address that is read here, make its \
                 directory there",
                root.display(),
                remedy(dir)
            )];
        }
        found
    }

    /// That mail comes in by nothing but a pipe, and none ever came.
    pub fn was_never_fed(&self, dir: &Path) -> Option<String> {
        let holds = |part: &str| {
            fs::read_dir(dir.join("spool").join(part)).is_ok_and(|mut files| files.next().is_some())
        };
        if !self.mail_in.is_empty() || ["new", "done", "other"].into_iter().any(holds) {
            return None;
        }
        Some(
            "no mailbox is read (`mail_in: []`), and no mail has come by `musterd deliver` yet: have the mail server hand mail over to \
             it, or name a mailbox"
                .to_owned(),
        )
    }
}

fn told(dir: &Path, address: &str, maildir: &Path, if_read: &str) -> String {
    format!(
        "mail for {address} stays on this machine, in {}, which nobody reads: {} to send it; if it is to be read there, {if_read}",
        maildir.display(),
        remedy(dir)
    )
}

fn remedy(dir: &Path) -> String {
    format!("set `mail_out` in {} to an SMTP server", dir.join(config::FILE).display())
}

/// Everybody whom mails of a game go to.
fn readers_of(campaign: &Campaign) -> BTreeSet<String> {
    let players = campaign.charter().players.keys().filter_map(|seat| campaign.address_of(seat));
    let life = campaign.life();
    let others = campaign.charter().gm.iter().chain(life.observers.keys()).chain(&life.witnesses);
    players.chain(others.map(String::as_str)).map(str::to_owned).collect()
}

impl Games {
    /// For whom the mails of a game stay here unread; nobody once it is over.
    ///
    /// # Errors
    /// Its journal.
    pub(crate) fn game_stays_here(&mut self, game: &GameId) -> Result<Vec<String>, HostError> {
        let everybody = self.everybody_of(game)?;
        Ok(self.config.stays_here(&self.dir, everybody.iter().map(String::as_str)))
    }

    /// Everybody whom mails of a game go to; nobody once it is over, or where all mail goes out.
    ///
    /// # Errors
    /// Its journal.
    pub(crate) fn everybody_of(&mut self, game: &GameId) -> Result<BTreeSet<String>, HostError> {
        if !self.config.mails_locally() {
            return Ok(BTreeSet::new());
        }
        let campaign = self.campaign(game)?;
        Ok(if campaign.results().is_some() { BTreeSet::new() } else { readers_of(campaign) })
    }

    /// What is well, but perhaps not meant so.
    pub(crate) fn warnings(&self) -> Vec<Ailment> {
        let about = |about: &str, text| Ailment { about: about.to_owned(), text };
        let unread = self.config.stays_unread(&self.dir).into_iter().map(|text| about("mail_out", text));
        let fed = self.config.was_never_fed(&self.dir).map(|text| about("mail_in", text));
        unread.chain(fed).collect()
    }
}
