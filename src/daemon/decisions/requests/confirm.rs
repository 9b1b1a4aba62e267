//! What has to be confirmed: whoever asks gets a code at the address that the mail came from, or that it is about, and sends it
//! back from there. The code is made of what it is good for, so that nothing is kept until it comes.

use super::wish::{Guest, MOST_ADDRESSES, Wish};
use crate::HostError;
use crate::addresses::mailbox_of;
use crate::clock::DAY;
use crate::decisions::sitting::Sitting;
use crate::games::Games;
use crate::mails::notices::PlayerNotice;
use crate::response::{Responded, done, wrong};
use musterd_desk::mail::Token;
use musterd_dice::{Digest, GameId, Seat};
use musterd_engine::journal::{Author, Change, Player};
use musterd_engine::terms::{Observers, Terms};
use musterd_report::text::listed;
use musterd_text::nouns::count;

/// How many days after its own a code is still good.
const DAYS_GOOD: i64 = 3;

/// About how many people a game's GM is asked in a day whether they may watch.
const MOST_APPLICANTS_A_DAY: u32 = 5;

impl Games {
    /// The line that confirms a wish, from this address only.
    pub(crate) fn confirm_line(
        &mut self,
        game: &GameId,
        wish: &Wish,
        address: &str,
    ) -> Result<String, HostError> {
        let day = self.now().div_euclid(DAY);
        let code = self.code(game, wish, address, day)?;
        Ok(format!("CONFIRM {game}.{}", code.reveal()))
    }

    fn code(&mut self, game: &GameId, wish: &Wish, address: &str, day: i64) -> Result<Token, HostError> {
        let (word, seat) = match wish {
            Wish::Join(seat) => ("join", seat.as_ref()),
            Wish::Standby(seat) => ("standby", seat.as_ref()),
            Wish::Observe => ("observe", None),
            Wish::Witness => ("witness", None),
            Wish::Address(seat) => ("address", Some(seat)),
            Wish::Resign(seat) => ("resign", Some(seat)),
        };
        // What a player asked for is void once somebody else plays the seat.
        let issue = match wish {
            Wish::Address(seat) | Wish::Resign(seat) => self.campaign(game)?.issue(seat).to_string(),
            Wish::Join(_) | Wish::Standby(_) | Wish::Observe | Wish::Witness => String::new(),
        };
        let seat = seat.map_or("", Seat::as_str);
        self.vault().code(game, &[word, seat, &issue, &address.to_lowercase(), &day.to_string()])
    }
}

impl Sitting<'_> {
    /// The line that confirms a wish about this game.
    pub(crate) fn confirm_line(&mut self, wish: &Wish, address: &str) -> Result<String, HostError> {
        self.games.confirm_line(&self.game, wish, address)
    }

    /// Does what a code confirms.
    pub(super) fn confirm(&mut self, guest: &Guest<'_>, code: &Token) -> Responded {
        let today = self.now().div_euclid(DAY);
        let mut meant = None;
        for wish in Wish::all(self.campaign()) {
            for day in today - DAYS_GOOD..=today {
                if self.games.code(&self.game, &wish, guest.from, day)? == *code {
                    meant = Some(wish.clone());
                }
            }
        }
        let Some(wish) = meant else {
            return wrong(
                "This code is not good for this address, or not any more: a code counts for three days, and only from the address that \
                 it was made for.",
            );
        };
        if let Some(why) = wish.objection(self.campaign(), guest.from) {
            return wrong(why);
        }
        match wish {
            Wish::Join(seat) => {
                let free = self.campaign().free_seats();
                match seat.or(free.into_iter().next()) {
                    Some(seat) => self.seat_player(guest, &seat),
                    None => wrong("No seat is free."),
                }
            }
            Wish::Standby(seat) => self.list_standby(guest, seat),
            Wish::Observe => self.list_observer(guest),
            Wish::Witness => self.list_witness(guest),
            Wish::Resign(seat) => self.resign(guest, &seat),
            Wish::Address(seat) => {
                // An address that its player has dropped must not come back by itself; what else is confirmed twice does no harm.
                let used = Digest::of(code.reveal().as_bytes());
                match self.is_first(format!("{}/confirmed/{used}", self.game))? {
                    true => self.register_address(guest, &seat),
                    false => wrong("This code was used already. A new one can be asked for tomorrow."),
                }
            }
        }
    }

    /// A new player takes a free seat, with a secret of its own; all are told.
    fn seat_player(&mut self, guest: &Guest<'_>, seat: &Seat) -> Responded {
        let game = self.game.clone();
        let player = Player::Mail { addresses: vec![guest.from.to_owned()] };
        let text = format!("{seat} has a new player");
        let deadline = self.give_seat(seat, &player, Author::Host, &text)?;
        self.mail(|clerk| {
            let title = clerk.campaign.title_of(seat);
            clerk.tell_others(Some(seat), |clerk, other| {
                let told = format!("Somebody plays {title} from now on: the seat was free.");
                clerk.another_player(other, "a new player", told, deadline)
            })?;
            let paragraphs = vec![format!("{} has taken the free seat {seat}.", guest.from)];
            clerk.notice("a new player", paragraphs)
        })?;
        tracing::info!(%game, %seat, "a new player");
        let title = self.campaign().title_of(seat);
        done(format!(
            "You play {title} in {game}. A welcome with your seat's secret comes in a mail of its own, and the newest dispatch if the \
             game has begun."
        ))
    }

    fn list_standby(&mut self, guest: &Guest<'_>, seat: Option<Seat>) -> Responded {
        let game = self.game.clone();
        let what = seat.as_ref().map_or("a seat".to_owned(), |seat| format!("the seat {seat}"));
        let change = Change::Standby { address: guest.from.to_owned(), seat, listed: true };
        self.arrange(Author::Host, change, format!("somebody waits for {what}"))?;
        let told = vec![format!("{} waits for {what}.", guest.from)];
        self.tell_gm("somebody waits for a seat", told)?;
        done(format!(
            "You are on the list: you are asked when {what} of {game} falls free. LEAVE {game} strikes you out."
        ))
    }

    fn list_observer(&mut self, guest: &Guest<'_>) -> Responded {
        let game = self.game.clone();
        let Terms { observers, observers_lag: lag, .. } = self.campaign().charter().terms;
        if observers == Observers::Ask {
            return self.ask_to_watch(guest);
        }
        let change = Change::Observer { address: guest.from.to_owned(), listed: true };
        self.arrange(Author::Host, change, "somebody watches")?;
        let told = vec![format!("{} watches the game. REFUSE {} ends it.", guest.from, guest.from)];
        self.tell_gm("somebody watches", told)?;
        done(format!(
            "You watch {game}: you are sent what every side was told, {} behind the players. LEAVE {game} ends it.",
            count(lag, "turn")
        ))
    }

    /// Puts it to the GM whether somebody may watch: of so many a day.
    fn ask_to_watch(&mut self, guest: &Guest<'_>) -> Responded {
        let game = self.game.clone();
        let from = guest.from;
        if !self.is_among(MOST_APPLICANTS_A_DAY, &format!("{game}/applicants"))? {
            return wrong(
                "The GM was asked about enough people today. Send this line again tomorrow: it counts for three days.",
            );
        }
        let change = Change::Applied { address: from.to_owned(), refused: false };
        self.arrange(Author::Host, change, "somebody asks to watch")?;
        let campaign = self.campaign();
        let lag = count(campaign.charter().terms.observers_lag, "turn");
        let mut told = vec![format!(
            "{from} asks to watch the game: to be sent what every side was told, {lag} behind the players, without what still binds."
        )];
        let mailbox = mailbox_of(from);
        let players = campaign.charter().players.keys();
        let same = players
            .filter(|seat| campaign.addresses_of(seat).iter().any(|own| mailbox_of(own) == mailbox))
            .map(|seat| campaign.title_of(seat))
            .collect::<Vec<_>>();
        told.extend((!same.is_empty()).then(|| format!("That is a mailbox of {}.", listed(&same))));
        told.push(format!(
            "ADMIT {from} lets them, REFUSE {from} doesn't; both are told. Nothing is sent to them before. Nobody can tell whether it is a \
             player's second address."
        ));
        self.tell_gm("somebody asks to watch", told)?;
        done(format!(
            "The GM of {game} is asked whether you may watch it, and you are written to when there is an answer. LEAVE {game} takes it back."
        ))
    }

    fn list_witness(&mut self, guest: &Guest<'_>) -> Responded {
        let game = self.game.clone();
        let change = Change::Witness { address: guest.from.to_owned(), listed: true };
        self.arrange(Author::Host, change, "somebody is a witness")?;
        let told = vec![format!("{} is a witness of the game's log.", guest.from)];
        self.tell_gm("a witness", told)?;
        done(format!(
            "You are a witness of {game}: you are sent what every turn's orders and dice were committed to, and nothing of what they are. \
             LEAVE {game} ends it."
        ))
    }

    fn register_address(&mut self, guest: &Guest<'_>, seat: &Seat) -> Responded {
        let game = self.game.clone();
        let Some(Player::Mail { addresses }) = self.campaign().charter().players.get(seat) else {
            return wrong("Nobody plays this seat.");
        };
        if addresses.len() >= MOST_ADDRESSES {
            return wrong(format!("A seat has at most {MOST_ADDRESSES} addresses, and this one has."));
        }
        let mut addresses = addresses.clone();
        addresses.push(guest.from.to_lowercase());
        let change = Change::Addresses { seat: seat.clone(), addresses };
        self.arrange(Author::Host, change, format!("{seat} has other addresses"))?;
        let from = guest.from;
        self.strike(from)?;
        self.mail(|clerk| {
            let told = format!(
                "Orders from {from} count as yours from now on. If you did not ask for that, write ADDRESS DROP {from} and NEW SECRET."
            );
            clerk.note(seat, PlayerNotice::new("a new address of yours", vec![told]))
        })?;
        done(format!(
            "Mails from this address count for your seat in {game}, where they carry its secret: write to the reply address of the game's \
             mails."
        ))
    }

    /// Strikes somebody out of the lists of those who watch a game, witness its log or wait for a seat in it; whether they were on any.
    pub(crate) fn strike(&mut self, address: &str) -> Result<bool, HostError> {
        let lists = Wish::granted(self.campaign(), address);
        let was_listed = !lists.is_empty();
        for list in lists {
            let address = address.to_owned();
            let (change, text) = match list {
                Wish::Standby(seat) => {
                    (Change::Standby { address, seat, listed: false }, "somebody waits for a seat no more")
                }
                Wish::Witness => {
                    (Change::Witness { address, listed: false }, "somebody is a witness no more")
                }
                _ => (Change::Observer { address, listed: false }, "somebody watches no more"),
            };
            self.arrange(Author::Host, change, text)?;
        }
        Ok(was_listed)
    }

    /// Asks those who wait for this seat whether they take it; returns how many. The first to answer has it.
    pub(crate) fn ask_standby(&mut self, seat: &Seat) -> Result<usize, HostError> {
        let game = self.game.clone();
        let mut people: Vec<String> = Vec::new();
        for one in &self.campaign().life().standby {
            let waits = one.seat.as_ref().is_none_or(|wanted| wanted == seat);
            if waits && !people.contains(&one.address) {
                people.push(one.address.clone());
            }
        }
        for address in &people {
            let line = self.confirm_line(&Wish::Join(Some(seat.clone())), address)?;
            self.mail(|clerk| {
                let paragraphs = vec![
                    format!(
                        "The seat that you wait for is free: {}. The first who answers has it. Answer this mail within three days with this line on top:",
                        clerk.campaign.title_of(seat)
                    ),
                    line,
                    format!("LEAVE {game} strikes you out of the list."),
                ];
                clerk.tell_guest(address, "a seat is free", paragraphs, clerk.campaign.entries(), Vec::new())
            })?;
        }
        Ok(people.len())
    }

    fn tell_gm(&mut self, subject: &str, paragraphs: Vec<String>) -> Result<(), HostError> {
        self.mail(|clerk| clerk.notice(subject, paragraphs))
    }
}
