//! What commands ask for.

use jiff::civil::{Date, DateTime};

use musterd_dice::{GameId, Label, Seat};

/// Something that the host is asked to do by mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// By the player of a seat, about it.
    Seat(SeatCommand),
    /// By anybody.
    Open(OpenCommand),
}

/// What the player of a seat asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatCommand {
    /// A report once more: of the adjudication named, or the last one.
    Report(Option<String>),
    /// The history of the game as the seat knows it.
    History,
    /// How the dice have treated the seat.
    Luck,
    /// What the seat's orders would do.
    Preview,
    /// Take back the orders for the open turn.
    WithdrawOrders,
    /// The player is away until this day, that day included, from this one or now.
    Absent {
        /// The first day.
        from: Option<Date>,
        /// The last day.
        until: Date,
    },
    /// The player is back.
    Back,
    /// More time for the open turn.
    Extend(Span),
    /// Times in this zone from now on.
    Zone(String),
    /// One more address, from which orders are taken too.
    AddAddress(String),
    /// No longer this address.
    DropAddress(String),
    /// Another secret.
    NewSecret,
    /// A roll may be thrown again: its label, and words of the player's own for the dice.
    Consent(Label, String),
    /// Somebody else may have the seat.
    Resign,
    /// `DECLINE`: an invitation is not accepted.
    Decline,
}

/// What anybody asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenCommand {
    /// Where the game stands.
    Status,
    /// How to write to the host; about one topic, if any.
    Help(Option<String>),
    /// The games of this host.
    List,
    /// A seat of a game, for somebody who has none there; any seat if none is named.
    Join {
        /// Which game.
        game: GameId,
        /// Which seat.
        seat: Option<Seat>,
    },
    /// The list of those who would take a seat; of this game, this seat.
    Standby {
        /// Which game.
        game: GameId,
        /// Which seat.
        seat: Option<Seat>,
    },
    /// Watching a game.
    Observe(GameId),
    /// Being told of every close and commitment of a game, as a witness of its log.
    Witness(GameId),
    /// No longer watching it, nor waiting for a seat of it.
    Leave(GameId),
    /// What an earlier mail of the host asked to confirm.
    Confirm(String),
}

/// How much more time is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// So many minutes more than the present deadline.
    Minutes(u32),
    /// Until this time on the seat's clock.
    Until(DateTime),
}

/// Something that the GM wants done. A turn is the open adjudication's number or name, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GmAct {
    /// Where the game stands, with everything.
    Status,
    /// What can be written.
    Help,
    /// Run the open turn now.
    Process(String),
    /// The game stands still.
    Pause(Option<String>),
    /// It goes on.
    Resume(Option<String>),
    /// Another deadline, on the game's clock.
    Deadline(String, DateTime),
    /// So many minutes more.
    Extend(String, u32),
    /// Somebody else plays a seat: an address, `computer`, `computer:cautious`, `open`.
    Replace(Seat, String),
    /// Nobody plays it, and whoever did may not come back.
    Eject(Seat),
    /// Whoever asks to watch from this address may, or whoever was ejected and has it may come back.
    Admit(String),
    /// Whoever asks to watch from this address may not, or whoever watches no longer.
    Refuse(String),
    /// One address more is the GM's.
    AddAddress(String),
    /// One of them is the GM's no more.
    DropAddress(String),
    /// A seat, or the GM, gets a new secret.
    Secret(Seat),
    /// The dispatches that wait; or what this amendment would change in everybody's.
    Draft(String, Option<String>),
    /// The dispatches that wait go out.
    Approve(String),
    /// The position is changed.
    Amend(String, String),
    /// Words for the next dispatch: to these seats, to all if none are named.
    Narrate(String, Vec<Seat>, String),
    /// Everything up to this turn becomes public.
    Reveal(String),
    /// This turn and all after it are void.
    Rollback(String),
    /// The turn that ran last runs again from a position amended so.
    Rerun(String, String),
    /// All are asked whether this roll may be thrown again.
    Reroll(String),
    /// Words to all, now.
    Broadcast(String),
    /// Other terms, in the words of `musterd new`'s options.
    Terms(String),
}
