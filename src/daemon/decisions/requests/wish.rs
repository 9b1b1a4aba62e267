//! What somebody who has proved no seat, or a player, wishes and has to confirm.

use crate::addresses::mailbox_of;
use crate::inbox::incoming::Incoming;
use musterd_desk::campaign::Campaign;
use musterd_desk::life::Application;
use musterd_dice::{GameId, Seat};
use musterd_engine::terms::Observers;
use musterd_report::text::listed;

/// How many addresses a seat can have.
pub(crate) const MOST_ADDRESSES: usize = 5;

/// How many wait for the GM's answer at most: nobody answers more.
const MOST_APPLICANTS: usize = 20;

/// Somebody who writes without a seat's secret, or about something else than that seat.
pub(super) struct Guest<'a> {
    /// The address that the mail came from.
    pub(super) from: &'a str,
    /// The game that the mail names.
    pub(super) asked: Option<&'a GameId>,
    /// The mail's file in the spool.
    pub(super) mail: &'a str,
    /// When it arrived, in unix seconds.
    pub(super) arrived: i64,
    /// Whether a mail server vouches for the address, where the operator names one that does.
    pub(super) is_authentic: bool,
}

/// The sender of a mail to a seat, who asks for something else.
pub(super) fn mail_of<'a>(mail: &'a Incoming<'_>, from: &'a str) -> Guest<'a> {
    Guest {
        from,
        asked: Some(mail.game),
        mail: mail.name,
        arrived: mail.arrived,
        is_authentic: mail.is_authentic,
    }
}

/// What has to be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Taking a seat; any free one if none is named.
    Join(Option<Seat>),
    /// Being asked when a seat falls free; any if none is named.
    Standby(Option<Seat>),
    /// Watching.
    Observe,
    /// Being a witness of the log.
    Witness,
    /// Being an address of the player of this seat.
    Address(Seat),
    /// Giving this seat up.
    Resign(Seat),
}

impl Wish {
    /// All that can be confirmed in a game.
    pub(super) fn all(campaign: &Campaign) -> Vec<Self> {
        let seats = || campaign.charter().players.keys().cloned();
        let mut all = vec![Self::Observe, Self::Witness, Self::Join(None), Self::Standby(None)];
        all.extend(seats().map(|seat| Self::Join(Some(seat))));
        all.extend(seats().map(|seat| Self::Standby(Some(seat))));
        all.extend(seats().map(Self::Address));
        all.extend(seats().map(Self::Resign));
        all
    }

    /// The lists of a game that somebody is on, as the wishes that put them there.
    pub(super) fn granted(campaign: &Campaign, address: &str) -> Vec<Self> {
        let life = campaign.life();
        let mine = life.standby.iter().filter(|one| one.address == address);
        let mut lists: Vec<Self> = mine.map(|one| Self::Standby(one.seat.clone())).collect();
        let asks = life.applicants.get(address) == Some(&Application::Open);
        lists.extend((asks || life.observers.contains_key(address)).then_some(Self::Observe));
        lists.extend(life.witnesses.contains(address).then_some(Self::Witness));
        lists
    }

    /// The seat that it names.
    pub(super) const fn seat(&self) -> Option<&Seat> {
        match self {
            Self::Join(seat) | Self::Standby(seat) => seat.as_ref(),
            Self::Address(seat) | Self::Resign(seat) => Some(seat),
            Self::Observe | Self::Witness => None,
        }
    }

    /// Why it can't be had, for its author.
    pub(super) fn objection(&self, campaign: &Campaign, address: &str) -> Option<String> {
        let game = &campaign.charter().game;
        if campaign.is_over() {
            return Some(format!("The game {game} is over."));
        }
        if let Self::Resign(seat) = self {
            let plays = campaign.seats_of(address).contains(seat);
            return (!plays).then(|| format!("You don't play the seat {seat} of {game}: nothing was done."));
        }
        if let Some(own) = campaign.seats_of(address).first() {
            return Some(format!("You play {} in this game.", campaign.title_of(own)));
        }
        if campaign.life().is_barred(address) {
            return Some(format!(
                "The GM has taken your seat in {game} from you: you can take none again, nor wait for one nor watch, unless the GM lets you."
            ));
        }
        let free = campaign.free_seats();
        let seat = self.seat();
        if let Some(seat) = seat.filter(|seat| !campaign.charter().players.contains_key(*seat)) {
            let seats: Vec<String> = campaign.charter().players.keys().map(Seat::to_string).collect();
            return Some(format!("This game has no seat `{seat}`: there are {}.", listed(&seats)));
        }
        let is_free = seat.map_or(!free.is_empty(), |seat| free.contains(seat));
        match self {
            Self::Join(_) if !is_free => {
                let others: Vec<String> = free.iter().map(Seat::to_string).collect();
                let instead = match others.is_empty() {
                    true => format!(
                        "STANDBY {game} puts you on the list of those who are asked when one falls free."
                    ),
                    false => format!("Free: {}.", listed(&others)),
                };
                let what = match seat {
                    Some(seat) => format!("The seat {seat} is taken."),
                    None => "No seat is free.".to_owned(),
                };
                Some(format!("{what} {instead}"))
            }
            Self::Standby(_) if is_free => Some(format!("There is a free seat now: JOIN {game} takes it.")),
            Self::Standby(seat) => {
                let listed =
                    campaign.life().standby.iter().any(|one| one.address == address && one.seat == *seat);
                listed.then(|| "You are on the list.".to_owned())
            }
            Self::Observe => why_not_watch(campaign, address),
            Self::Witness if campaign.life().witnesses.contains(address) => {
                Some("You are a witness of this game.".to_owned())
            }
            Self::Join(_) | Self::Witness | Self::Address(_) | Self::Resign(_) => None,
        }
    }
}

/// Why somebody can't watch, or ask to. Whoever has one address of a mailbox has all of them.
fn why_not_watch(campaign: &Campaign, address: &str) -> Option<String> {
    let (game, life) = (&campaign.charter().game, campaign.life());
    if life.observers.contains_key(address) {
        return Some("You watch this game.".to_owned());
    }
    let mailbox = mailbox_of(address);
    let is = |application: Application| {
        life.applicants.iter().any(|(other, is)| *is == application && mailbox_of(other) == mailbox)
    };
    if is(Application::Refused) {
        return Some(format!("The GM doesn't let you watch {game}."));
    }
    let plays = || {
        let mut seats = campaign.charter().players.keys();
        seats.any(|seat| campaign.addresses_of(seat).iter().any(|own| mailbox_of(own) == mailbox))
    };
    match campaign.charter().terms.observers {
        Observers::Open => plays().then(|| format!("That is a mailbox of somebody who plays {game}: its players can't watch it.")),
        Observers::None => Some(format!("Nobody watches {game}: so its terms are.")),
        Observers::Ask if campaign.charter().gm.is_empty() => {
            Some(format!("Whom its GM admits may watch {game}, and it has no GM who could be asked."))
        }
        Observers::Ask if is(Application::Open) => {
            Some(format!("The GM is asked already whether you may watch {game}: you are written to when there is an answer."))
        }
        Observers::Ask => {
            (life.asking().count() >= MOST_APPLICANTS)
                .then(|| format!("So many wait for the GM's word whether they may watch {game} that no more are taken. Ask again later."))
        }
    }
}
