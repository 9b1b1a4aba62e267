//! A mail for one of our games: the facts about it, and its judgement: whose it is, whether it is in time, and which orders
//! it brings.

use memchr::memchr_iter;

use crate::mails::answers::not_read;
use crate::mails::mailroom::computer_address;
use crate::packet_id::number_of;
use musterd_desk::calendar;
use musterd_desk::campaign::{Campaign, Juncture};
use musterd_desk::is_gm;
use musterd_desk::mail::{self, Given, Kind, Press, Route, Sent, Token};
use musterd_desk::order_mail::{NoOrders, OrderMail, read_orders_in};
use musterd_dice::{Block, Digest, GameId, Seat};
use musterd_engine::Awaiting;
use musterd_engine::journal::{GmRole, Player};
use musterd_engine::sheet::Sheet;
use musterd_letter::{Body, Letter, Unreadable};
use musterd_report::letters::{self, Reason};
use musterd_report::text::sentence;
use musterd_report::underlined;
use musterd_text::nouns::count;

/// Longer orders than these are refused, in bytes and in lines: no army needs them.
const LONGEST_BLOCK: usize = 64 * 1024;
const MOST_LINES: usize = 2_000;
/// How far a mail server's clock may be behind ours, in seconds.
const CLOCK_SKEW: i64 = 2;

/// A mail for one of our games.
pub(crate) struct Incoming<'a> {
    /// Which game.
    pub(crate) game: &'a GameId,
    /// Its file in the spool.
    pub(crate) name: &'a str,
    /// When it arrived, in unix seconds.
    pub(crate) arrived: i64,
    /// Where the game stood when it was decided before, by a journal that is lost.
    pub(crate) decided: Option<Juncture>,
    /// What it says.
    pub(crate) letter: &'a Letter,
    /// The commands to the host in it.
    pub(crate) commands: &'a [Given],
    /// The letters to other players in it.
    pub(crate) press: &'a [Press],
    /// Its text and its attached orders without both.
    pub(crate) rest: &'a Body,
    /// The seat it names, and the secret it shows for it.
    pub(crate) route: &'a Route,
    /// The right secret of the seat that it names; none if there is no such seat.
    pub(crate) secret: Option<Token>,
    /// The part in leading the game whose secret that is, for the GM's mails.
    pub(crate) gm_part: GmRole,
    /// Whether it came the way that the operator asks of players' mails.
    pub(crate) is_authentic: bool,
    /// The domain of our own Message-IDs.
    pub(crate) domain: &'a str,
    /// The time zone of the game, to tell its players when.
    pub(crate) zone: &'a str,
}

/// A mail for a game that changes nothing there, and why.
pub(crate) struct Refused {
    /// Whose it is or claims to be.
    pub(crate) seat: Option<Seat>,
    /// The reason in the dice log.
    pub(crate) word: &'static str,
    /// What its sender is told; nothing if he needn't know.
    pub(crate) reason: Option<Reason>,
}

impl Refused {
    /// Whether its sender proved to be nobody, so that anybody may have written it, and any number of the kind. Whom a mail for a seat
    /// that doesn't exist is from can't be proved at all.
    pub(crate) fn proves_nothing(&self) -> bool {
        matches!(self.reason, Some(Reason::NotProved { .. } | Reason::UnknownSeat { .. }))
    }
}

impl Incoming<'_> {
    /// What tells the answer to it from others.
    pub(crate) fn number(&self) -> u64 {
        number_of(self.name, self.arrived)
    }

    /// What tells it from every other mail: its Message-ID, or without one its name in the spool.
    pub(crate) fn id(&self) -> &str {
        self.letter.message_id.as_deref().unwrap_or(self.name)
    }

    /// Its text; empty if that can't be read.
    pub(crate) fn text(&self) -> &str {
        self.letter.body.as_ref().map_or("", |body| body.text.as_str())
    }

    /// The key by which a second copy of orders is known.
    pub(crate) fn orders_key(&self, seat: &Seat, block: &Block) -> String {
        let what = Digest::of(format!("{}\n{}", self.id(), block.digest()).as_bytes());
        format!("{}/{seat}/{what}", self.game)
    }

    /// The key by which a second copy of a refused mail is known.
    pub(crate) fn refused_key(&self, refused: &Refused) -> String {
        let seat = refused.seat.as_ref().map_or("-", Seat::as_str);
        let what = Digest::of(format!("{}\n{}", self.id(), self.text()).as_bytes());
        format!("{}/{seat}/refused/{what}", self.game)
    }

    /// The key by which a second copy of a letter to other players is known.
    pub(crate) fn press_key(&self, seat: &Seat, press: &Press) -> String {
        let text = press.text.as_deref().unwrap_or_default();
        let Press { to, anonymous, sealed, .. } = press;
        let what = Digest::of(format!("{}\n{to} {anonymous} {sealed:?}\n{text}", self.id()).as_bytes());
        format!("{}/{seat}/press/{what}", self.game)
    }

    /// The key by which a second copy of commands is known.
    pub(crate) fn commands_key(&self, seat: &Seat) -> String {
        let what = Digest::of(format!("{}\n{}", self.id(), self.text()).as_bytes());
        format!("{}/{seat}/commands/{what}", self.game)
    }

    /// Whether the GM wrote it: the GM's secret, and one of his addresses. Or why that is not proved.
    pub(crate) fn is_gms(&self, campaign: &Campaign) -> Result<(), Refused> {
        let word = match &self.route.token {
            None => "no-secret",
            Some(_) if self.route.token != self.secret => "wrong-secret",
            Some(_) if !self.letter.author.as_ref().is_some_and(|from| campaign.is_gms(from)) => {
                "wrong-sender"
            }
            Some(_) if !self.is_authentic => "not-authenticated",
            Some(_) => return Ok(()),
        };
        let reason = Some(self.not_proved(self.letter.sender_in_words()));
        Err(Refused { seat: None, word, reason })
    }

    /// Whose commands or letters it brings, if it brings any and has proved whose it is; and whether it brings orders too that count.
    pub(crate) fn writer(&self, campaign: &Campaign) -> Option<(Seat, bool)> {
        if self.press.is_empty() && self.commands.is_empty() {
            return None;
        }
        let seat = self.proved_seat(campaign).ok()?;
        let is_held = || {
            let none = self.found_orders(campaign, &seat).err();
            let holds =
                |none: NoOrders| !(none.parts.is_empty() && none.doubtful.is_empty() && none.asks.is_empty());
            none.is_some_and(holds) && !is_founding(campaign)
        };
        let orders = !matches!(self.order_mail(campaign, &seat), Err(Reason::NoOrders)) || is_held();
        Some((seat, orders && !self.sets_orders_aside()))
    }

    /// Whether its orders are only to be read or kept, and don't count for the open turn.
    pub(crate) fn sets_orders_aside(&self) -> bool {
        self.commands.iter().any(Given::sets_orders_aside)
    }

    /// Whether it asks something of the host and doesn't claim to be from a seat: nothing of a player's can be in it.
    pub(crate) fn is_strangers_request(&self, campaign: &Campaign) -> bool {
        let own = self.letter.author.iter().flat_map(|from| campaign.seats_of(from)).next();
        let orders =
            || own.is_some_and(|seat| !matches!(self.order_mail(campaign, &seat), Err(Reason::NoOrders)));
        !self.commands.is_empty() && self.press.is_empty() && self.route.token.is_none() && !orders()
    }

    /// Whether this is a computer player's mail for a turn that ran before it came back to us: its orders counted all the
    /// same, because they were sealed.
    pub(crate) fn is_spent_seal(&self, campaign: &Campaign) -> bool {
        let computer = self.route.seat.as_ref().is_some_and(|seat| {
            matches!(campaign.charter().players.get(seat), Some(Player::Computer { .. }))
        });
        let sent = self.letter.message_id.as_deref().and_then(|id| Sent::of(id, self.domain));
        computer
            && sent.is_some_and(|sent| {
                sent.kind == Kind::Orders && campaign.window().is_none_or(|w| sent.t < w.t)
            })
    }

    /// The seat, or the GM's place, whose secret it shows, wherever it came from.
    pub(crate) fn secret_holder(&self) -> Option<&Seat> {
        self.route.seat.as_ref().filter(|_| self.secret.is_some() && self.route.token == self.secret)
    }

    /// Whether it claims to be from a seat, or from the GM, and doesn't prove that. A stranger's request claims nothing.
    pub(crate) fn proves_nothing(&self, campaign: &Campaign) -> bool {
        let refused = match self.is_the_gms() {
            true => self.is_gms(campaign).err(),
            false => self.proved_seat(campaign).err().filter(|_| !self.is_strangers_request(campaign)),
        };
        refused.is_some_and(|refused| refused.proves_nothing())
    }

    fn is_the_gms(&self) -> bool {
        self.route.seat.as_ref().is_some_and(is_gm)
    }

    /// Whether a mail that looks like a program's is a person's all the same: it proves whose it is, and asks for something. Whatever
    /// answers every mail quotes ours, and an order form as it was mailed orders nothing.
    pub(crate) fn counts_all_the_same(&self, campaign: &Campaign) -> bool {
        if self.is_the_gms() {
            let asks = || !mail::read_gm_commands(&mail::own_words(self.text())).0.is_empty();
            return self.is_gms(campaign).is_ok() && asks();
        }
        let Ok(seat) = self.proved_seat(campaign) else { return false };
        !self.commands.is_empty()
            || !self.press.is_empty()
            || !matches!(self.order_mail(campaign, &seat), Err(Reason::NoOrders))
    }

    /// Whether it is from an address that is registered for some seat, or for the GM.
    pub(crate) fn is_from_a_player(&self, campaign: &Campaign) -> bool {
        let Some(from) = &self.letter.author else { return false };
        let mut players = campaign.charter().players.values();
        campaign.is_gms(from) || players.any(|player| player.addresses().contains(from))
    }

    /// The seat and the orders of the mail, or why it changes nothing.
    pub(crate) fn judge(&self, campaign: &Campaign) -> Result<(Seat, OrderMail), Refused> {
        let seat = self.proved_seat(campaign)?;
        let reply = self.in_time(campaign, &seat).and_then(|()| self.order_mail(campaign, &seat));
        let reply = reply.and_then(|reply| self.for_this_turn(campaign, &reply).map(|()| reply));
        let reply = match reply {
            Ok(reply) => reply,
            Err(Reason::NoOrders) => {
                let lines = self.rest.text.lines().map(str::trim);
                let command = lines
                    .take_while(|line| !line.starts_with('>'))
                    .find(|line| mail::command_in(line).is_some());
                let founding = is_founding(campaign);
                let window = campaign.window();
                let confirmed = window.is_some_and(|window| window.accepted.contains_key(&seat));
                let none = self.found_orders(campaign, &seat).err().unwrap_or_default();
                let reason = match (command, none) {
                    (_, NoOrders { asks, doubtful, parts, .. })
                        if !founding && !asks.is_empty() && parts.is_empty() =>
                    {
                        Reason::ready_asks(&[asks, doubtful].concat())
                    }
                    (Some(line), _) => Reason::CommandBelow { line: line.to_owned() },
                    _ if founding => Reason::NoAnswer { confirmed },
                    (_, NoOrders { unread, parts, doubtful, .. }) if !parts.is_empty() => {
                        let problems = unread.map(|block| problems_of(campaign, &seat, &block));
                        let parts = not_read(parts);
                        Reason::not_read(&parts, &doubtful, problems.unwrap_or_default())
                    }
                    (_, NoOrders { unread: Some(block), .. }) => not_understood(campaign, &seat, &block),
                    (_, NoOrders { doubtful, .. }) if !doubtful.is_empty() => Reason::ready_held(&doubtful),
                    (_, NoOrders { struck, .. }) if !struck.is_empty() => Reason::struck_out(&struck),
                    (_, NoOrders { joins: true, .. }) => Reason::Joined,
                    _ => self.perhaps_command().unwrap_or(Reason::NoOrders),
                };
                return Err(Refused { seat: Some(seat), word: reason.word(), reason: Some(reason) });
            }
            Err(reason) => {
                return Err(Refused { seat: Some(seat), word: reason.word(), reason: Some(reason) });
            }
        };
        // A set of which nothing is understood takes no good one back.
        let read = match reply.is_lone() || is_founding(campaign) {
            true => None,
            false => campaign.read_instead(&seat, &reply.block),
        };
        if read.as_ref().is_some_and(|read| read.is_nonsense(&reply.block)) {
            let reason = match problems_of(campaign, &seat, &reply.block).is_empty() {
                true => Reason::NoOrders,
                false => not_understood(campaign, &seat, &reply.block),
            };
            return Err(Refused { seat: Some(seat), word: reason.word(), reason: Some(reason) });
        }
        let reply = OrderMail { read, ..reply };
        match campaign.window().and_then(|w| w.sealed.get(&seat)) {
            Some(sealed) if sealed.block != reply.block => {
                // A computer's own mail needs no answer; whoever took its seat since does.
                let person = matches!(campaign.charter().players.get(&seat), Some(Player::Mail { .. }));
                let reason = person.then_some(Reason::Sealed);
                Err(Refused { seat: Some(seat), word: "not-as-sealed", reason })
            }
            _ => Ok((seat, reply)),
        }
    }

    /// The seat that the mail has proved to be from: its secret, and a registered address.
    fn proved_seat(&self, campaign: &Campaign) -> Result<Seat, Refused> {
        let players = &campaign.charter().players;
        let senders_seat = || players.keys().find(|seat| self.is_from(campaign, seat)).cloned();
        let not_proved =
            |seat, word| Refused { seat, word, reason: Some(self.not_proved(self.sender_as_told(campaign))) };
        let seat = match &self.route.seat {
            Some(seat) if players.contains_key(seat) => seat.clone(),
            Some(asked) => {
                let reason = Reason::UnknownSeat { asked: asked.to_string() };
                return Err(Refused { seat: senders_seat(), word: reason.word(), reason: Some(reason) });
            }
            // Without a secret there is no proof; a registered sender is told so, nobody else.
            None => return Err(not_proved(senders_seat(), "no-secret")),
        };
        if self.route.token.is_none() || self.route.token != self.secret {
            return Err(not_proved(Some(seat), "wrong-secret"));
        }
        if !self.is_from(campaign, &seat) {
            return Err(not_proved(Some(seat), "wrong-sender"));
        }
        // A computer's orders are sealed before its mail leaves.
        let is_computers = matches!(players.get(&seat), Some(Player::Computer { .. }));
        if !self.is_authentic && !is_computers {
            return Err(not_proved(Some(seat), "not-authenticated"));
        }
        Ok(seat)
    }

    fn not_proved(&self, from: String) -> Reason {
        Reason::NotProved { from, has_secret: self.secret_holder().is_some() }
    }

    /// Where the mail said that it came from, for the player of the seat that it named: an address that is somebody else's in this
    /// game isn't told.
    fn sender_as_told(&self, campaign: &Campaign) -> String {
        let own = self.route.seat.as_ref().map_or(&[][..], |seat| campaign.addresses_of(seat));
        let is = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
        let is_anothers = |from: &String| {
            let life = campaign.life();
            !own.iter().any(|own| is(own, from))
                && (!campaign.seats_of(from).is_empty()
                    || campaign.is_gms(from)
                    || life.observers.keys().chain(life.applicants.keys()).any(|other| is(other, from))
                    || life.standby.iter().any(|other| is(&other.address, from)))
        };
        match self.letter.from.iter().any(is_anothers) {
            // Without a seat the answer goes to the sender's own.
            true if self.route.seat.is_some() => "somebody else's address".to_owned(),
            _ => self.letter.sender_in_words(),
        }
    }

    /// Whether it is from an address registered for this seat.
    pub(crate) fn is_from(&self, campaign: &Campaign, seat: &Seat) -> bool {
        let Some(from) = &self.letter.author else { return false };
        match campaign.charter().players.get(seat) {
            Some(Player::Mail { addresses }) => addresses.iter().any(|own| own.eq_ignore_ascii_case(from)),
            Some(Player::Computer { .. }) => *from == computer_address(campaign, seat),
            Some(Player::Open) | None => false,
        }
    }

    /// Whether the mail is for the open window: it answers a mail about this `t`, or it arrived while the window was open.
    pub(crate) fn in_time(&self, campaign: &Campaign, seat: &Seat) -> Result<(), Reason> {
        let when = |at: i64| calendar::zoned(at, self.zone).strftime("%A %-d %B, %H:%M %Z").to_string();
        let Some(window) = campaign.window() else {
            return Err(match (campaign.awaited(), campaign.draft()) {
                (Some(awaited), _) => {
                    let (window, closed, dice) =
                        (campaign.wait_title(), when(awaited.closed), when(awaited.due));
                    Reason::Closed { window, closed, dice }
                }
                (None, Some(_)) => Reason::BetweenTurns,
                (None, None) => Reason::GameOver,
            });
        };
        if let Some(decided) = &self.decided
            && decided.t != window.t
        {
            return Err(Reason::OtherTurn { meant: decided.t, open: window.t });
        }
        if let Some(deadline) = window.deadline
            && !campaign.takes_orders(seat, self.arrived)
        {
            return Err(Reason::Late { window: campaign.wait_title(), closed: when(deadline) });
        }
        let meant = self.turn_answered();
        match meant {
            Some(meant) if meant != window.t => Err(Reason::OtherTurn { meant, open: window.t }),
            Some(_) => Ok(()),
            // It came when this turn was open for the first time.
            None if self.decided.is_some() => Ok(()),
            None if self.arrived + CLOCK_SKEW < window.opened => {
                Err(Reason::Late { window: "the turn before".to_owned(), closed: when(window.opened) })
            }
            None => Ok(()),
        }
    }

    /// The adjudication of the newest mail of this game that it answers. The invitation begins every thread, so having its id says
    /// nothing of the turn meant.
    fn turn_answered(&self) -> Option<u32> {
        let answered = self.letter.in_reply_to.iter().chain(self.letter.references.iter().rev());
        answered
            .filter_map(|id| Sent::of(id, self.domain))
            .filter(|sent| sent.game == *self.game && sent.kind != Kind::Invitation)
            .map(|sent| sent.t)
            .max()
    }

    /// Whether the form in it is the open window's: that of an earlier turn, in a mail that answers none, is orders for that turn.
    fn for_this_turn(&self, campaign: &Campaign, reply: &OrderMail) -> Result<(), Reason> {
        let said = self.turn_answered().is_some() || self.decided.is_some();
        match (campaign.window(), campaign.is_form_of(&reply.block)) {
            (Some(window), Some(meant)) if !said && !is_founding(campaign) => {
                Err(Reason::OtherTurn { meant, open: window.t })
            }
            _ => Ok(()),
        }
    }

    /// That its first line is perhaps meant as a command.
    fn perhaps_command(&self) -> Option<Reason> {
        let first = self.rest.text.lines().map(str::trim).find(|line| !line.is_empty())?;
        let slip = mail::perhaps_command(first)?;
        let told = format!("{} {}", slip.told(&[]), sentence(&slip.hint(&[])));
        Some(Reason::PerhapsCommand { underlined: underlined(first, slip.span), told })
    }

    /// What the player wrote as orders, or why there are none.
    fn found_orders(&self, campaign: &Campaign, seat: &Seat) -> Result<OrderMail, NoOrders> {
        read_orders_in(campaign, seat, self.rest, self.commands)
    }

    /// Its orders where they are only to be read or kept: also lines without marks none of which can be read, so that their faults are told.
    pub(crate) fn orders_aside(&self, campaign: &Campaign, seat: &Seat) -> Result<OrderMail, Reason> {
        self.order_mail(campaign, seat).or_else(|reason| match (&reason, self.found_orders(campaign, seat)) {
            (Reason::NoOrders, Err(NoOrders { unread: Some(block), .. })) if !is_founding(campaign) => {
                Ok(OrderMail { marked: false, ..OrderMail::bare(*block) })
            }
            _ => Err(reason),
        })
    }

    /// The orders that the player wrote.
    pub(crate) fn order_mail(&self, campaign: &Campaign, seat: &Seat) -> Result<OrderMail, Reason> {
        let body = match &self.letter.body {
            Ok(_) => self.rest,
            Err(Unreadable::TooLarge { bytes, limit }) => {
                return Err(Reason::TooLarge { bytes: *bytes, limit: *limit });
            }
            Err(other) => return Err(Reason::Unreadable { why: mail::why_unread(other) }),
        };
        let reply = read_orders_in(campaign, seat, body, self.commands).map_err(|_| Reason::NoOrders)?;
        if let Some((game, seat)) = &self.route.orders_are_of {
            return Err(Reason::OtherSeat { game: game.to_string(), seat: seat.to_string() });
        }
        let text = reply.block.as_str();
        // Every line of a block has its end.
        let lines = memchr_iter(b'\n', text.as_bytes()).count();
        if text.len() > LONGEST_BLOCK || lines > MOST_LINES {
            let why = format!(
                "The orders have {} and {} bytes; at most {MOST_LINES} lines and {LONGEST_BLOCK} bytes are read. \
                 None of them was taken.",
                count(lines, "line"),
                text.len()
            );
            return Err(Reason::Unreadable { why });
        }
        if is_founding(campaign) && !Sheet::of(text).join {
            return Err(Reason::NoOrders);
        }
        Ok(reply)
    }
}

/// That nothing of these lines is understood.
fn not_understood(campaign: &Campaign, seat: &Seat, block: &Block) -> Reason {
    Reason::Unread { problems: problems_of(campaign, seat, block), ready: Sheet::of(block.as_str()).ready }
}

fn problems_of(campaign: &Campaign, seat: &Seat, block: &Block) -> String {
    let (_, remarks) = campaign.game().read(seat, block);
    letters::problems(block, &remarks)
}

fn is_founding(campaign: &Campaign) -> bool {
    matches!(campaign.game().awaiting(), Awaiting::Founding)
}
