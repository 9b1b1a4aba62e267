//! The requests in commands.

use jiff::civil::{Date, DateTime};

use musterd_dice::{GameId, Label, LineChange, Seat};
use musterd_engine::journal::GmRole;

/// A request to the host by mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A request of the player of a seat, about the seat.
    Seat(SeatCommand),
    /// A request of anybody.
    Open(OpenCommand),
}

/// The requests of the player of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatCommand {
    /// Sends a report again: that of the adjudication named, or the last one.
    Report(Option<String>),
    /// The history of the game as the seat knows it.
    History,
    /// How lucky the seat was with its dice.
    Luck,
    /// What the seat's orders would do.
    Preview,
    /// The maps of the seat's last report, of the position as it is now.
    Map,
    /// Reads the orders of the mail, which then don't count.
    Try,
    /// Keeps the orders of the mail for a later turn.
    Ahead(Ahead),
    /// What one order would come to, and its odds.
    Odds(String),
    /// Where units get in their coming move.
    Reach(String),
    /// Withdraws the orders for the open turn.
    WithdrawOrders,
    /// The player is away up to and including this day, from `from` or from now on.
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
    /// Show times in this zone from now on.
    Zone(String),
    /// One more address, from which orders are taken too.
    AddAddress(String),
    /// Remove this address.
    DropAddress(String),
    /// Give the seat a new secret.
    NewSecret,
    /// Consent to a roll being thrown again: its label, and words of the player's own for the dice.
    Consent(Label, String),
    /// Bring other things with the mails to the seat; only tell what they bring if nothing is named.
    Mail(Vec<MailChoice>),
    /// Agree that the game ends as a draw, or no longer.
    Draw(DrawVote),
    /// Give up the seat.
    Resign,
    /// `DECLINE`: refuse an invitation.
    Decline,
}

/// What a player wants of the mails to the seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailChoice {
    /// Pages beside the text, or text alone.
    Html(bool),
    /// Drawings in the pages.
    Pictures(bool),
    /// Reports as data.
    Data(bool),
    /// Deadlines for a calendar.
    Calendar(bool),
    /// Full dispatches, or brief ones.
    Full(bool),
}

/// The requests of anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenCommand {
    /// The state of the game.
    Status,
    /// How to write to the host; the help on one topic, if named.
    Help(Option<String>),
    /// The forces and the field of a game, where its rules show them to anybody: this game, or the one that the mail is about.
    OrderOfBattle(Option<GameId>),
    /// What a game is about, who plays, and what was chosen for it: this game, or the one that the mail is about.
    Scenario(Option<GameId>),
    /// How the rules of the game that the mail is about read their manual: the subjects, or the rulings with these words or this number.
    Rules(String),
    /// The games of this host.
    List,
    /// Take a seat of a game, for a person who has none there; any seat if none is named.
    Join {
        /// The game.
        game: GameId,
        /// The seat.
        seat: Option<Seat>,
    },
    /// Take the first free one of these seats of a game.
    Prefer {
        /// The game.
        game: GameId,
        /// The seats, the best first.
        seats: Vec<Seat>,
    },
    /// Join the list of people who offer to take a seat; of this game, this seat.
    Standby {
        /// The game.
        game: GameId,
        /// The seat.
        seat: Option<Seat>,
    },
    /// Watch a game.
    Observe(GameId),
    /// Be told of every close and commitment of a game, as a witness of its log.
    Witness(GameId),
    /// Stop watching the game, or waiting for a seat of it.
    Leave(GameId),
    /// Confirm what an earlier mail of the host asked about.
    Confirm(String),
    /// The scenarios of this host: all, or those of one system.
    Scenarios(Option<String>),
    /// Found a game.
    Create(Creation),
}

/// A game that somebody asks to be founded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// The scenario, as `SCENARIOS` lists it, or the name of a file in the mail.
    pub scenario: String,
    /// The game's name.
    pub game: GameId,
    /// The options, as `musterd new` takes them.
    pub options: String,
}

/// For which later turn orders are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ahead {
    /// The next turn after the open one in which the seat has to order.
    Next,
    /// The turn with this number or name.
    Turn(String),
    /// None: those that are kept are forgotten.
    Nothing,
}

impl SeatCommand {
    /// Whether the orders in its mail don't count for the open turn.
    pub const fn sets_orders_aside(&self) -> bool {
        matches!(self, Self::Try | Self::Ahead(_))
    }
}

/// What a player says of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawVote {
    /// To end the game so once all agree.
    Agree,
    /// The same, also where the game would end by it at once: nobody else is there to agree.
    AgreeAlone,
    /// To go on.
    Refuse,
}

/// How much more time a player asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// This number of minutes after the present deadline.
    Minutes(u32),
    /// Until this time on the seat's clock.
    Until(DateTime),
}

/// A request of the GM. A turn is named by the number or name of the open adjudication, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GmAct {
    /// The state of the game, in full.
    Status,
    /// The list of commands, or how one of them is written.
    Help(Option<String>),
    /// Run the open turn now.
    Process(String),
    /// Pause the game.
    Pause(Option<String>),
    /// Resume the game.
    Resume(Option<String>),
    /// Set the deadline, on the game's clock.
    Deadline(String, DateTime),
    /// Add this number of minutes.
    Extend(String, u32),
    /// Give a seat to another player: an address, `computer`, `computer:cautious`, `open`.
    Replace(Seat, String),
    /// Free the seat, and bar its player from coming back.
    Eject(Seat),
    /// Allow the person with this address to watch, or to come back after being ejected.
    Admit(String),
    /// Refuse the person with this address permission to watch, or withdraw it.
    Refuse(String),
    /// Add an address of the GM's with this part in leading the game, or give it that part.
    AddAddress(String, GmRole),
    /// Remove an address of the GM's.
    DropAddress(String),
    /// Give a seat, or the GM, a new secret.
    Secret(Seat),
    /// Show the dispatches that wait; or the changes that this amendment would make in every seat's dispatch.
    Draft(String, Option<String>),
    /// Change a line of a seat's dispatch that waits, by its number.
    Line {
        /// The turn that ran.
        turn: String,
        /// Whose dispatch.
        seat: Seat,
        /// The line's number, from 1.
        line: u32,
        /// What becomes of it.
        change: LineChange,
    },
    /// Send the dispatches that wait.
    Approve(String),
    /// Change the position.
    Amend(String, String),
    /// Add a text to the next dispatch: of these seats, or of all if none are named.
    Narrate(String, Vec<Seat>, String),
    /// Send a letter to players: to these seats.
    Press(Vec<Seat>, String),
    /// End the game with these results, one line for each side or one for all; the open turn never runs.
    End(String, Vec<String>),
    /// End the game without a result.
    Cancel(String),
    /// Archive the game, which is over.
    Archive,
    /// Make everything up to this turn public.
    Reveal(String),
    /// Make this turn and all after it void.
    Rollback(String),
    /// Run the last turn again from a position with this amendment.
    Rerun(String, String),
    /// Ask all whether this roll may be thrown again.
    Reroll(String),
    /// Send a text to all, now.
    Broadcast(String),
    /// Change the terms, in the words of `musterd new`'s options.
    Terms(String),
    /// Show how the game's manual is read: all subjects, or what a number or words find.
    Rules(String),
    /// Show what the game is about.
    Scenario,
    /// Show what stands where, of all sides.
    Overview,
    /// Show what a seat is told: its last report, or that of a turn by number or name.
    Report(Seat, Option<String>),
    /// Show a seat's orders for the open turn; all are told.
    Orders(Seat),
    /// Show the course of the game as a seat knows it.
    History(Seat),
    /// Show all that happened up to the turn that ran last.
    Journal,
    /// Show the audit file.
    Audit,
    /// Show how the host gets and sends the game's mail.
    Health,
    /// Show all dice, and each side's luck.
    Luck,
}
