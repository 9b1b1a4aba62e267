//! Finds the games and seats that a letter is for, and the secrets in it.

use super::address::HostAddress;
use super::token::{BadToken, Token};
use musterd_dice::{GameId, Seat};
use musterd_letter::{Letter, strip_quote_marks};
use musterd_text::lines::lines;

/// The most seats that one letter can be for. A player of more games writes another letter.
pub const MOST_ROUTES: usize = 20;
/// The most addresses of the host's that are examined in one letter.
const MOST_ADDRESSES: usize = 200;

/// A letter's statement about where it belongs. It is not yet proved: the desk compares the token with the seat's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Route {
    /// The game named, whether or not it exists.
    pub game: Option<GameId>,
    /// The seat named, whether or not the game has it.
    pub seat: Option<Seat>,
    /// The secret that came with it.
    pub token: Option<Token>,
    /// Another seat that the letter is addressed to, if a key line in its text says that the orders belong to that seat.
    pub orders_are_of: Option<(GameId, Seat)>,
}

/// The line above `BEGIN ORDERS` that names a seat and carries its secret: `# key: alpha french k7q2mz4t9hwxp3cd`.
///
/// It belongs above the block, never into it: blocks become public when a turn is revealed. One that is written into a block is used, and left out of
/// the block.
pub fn key_line(game: &GameId, seat: &Seat, token: &Token) -> String {
    format!("# key: {game} {seat} {}", token.reveal())
}

/// Reads a line as [`key_line`] writes it; quote marks, capitals and a missing `#` are accepted.
pub(super) fn read_key_line(line: &str) -> Option<Route> {
    let line = strip_quote_marks(line).trim_start_matches(|c: char| c == '#' || c.is_whitespace());
    // Cheap test first: this runs on every line of every mail, several times.
    if !line.starts_with(['k', 'K']) {
        return None;
    }
    let mut words = line.split_whitespace();
    if !words.next()?.eq_ignore_ascii_case("key:") {
        return None;
    }
    let game = words.next()?.to_ascii_lowercase().parse().ok()?;
    let seat = words.next()?.to_ascii_lowercase().parse().ok()?;
    let token = words.next()?.parse().ok()?;
    if words.next().is_some() {
        return None;
    }
    Some(Route { game: Some(game), seat: Some(seat), token: Some(token), orders_are_of: None })
}

/// Finds the seats that a letter is for, at least one route and at most [`MOST_ROUTES`]: game, seat and secret first from the addresses it was sent
/// to, then from a key line (of the text, then of the attached orders), last a game in brackets in the subject, `Re: [alpha] Autumn 1805`. Of several
/// addresses of one game the most specific ones count. Sorted by game and seat.
///
/// A later source only adds what an earlier one left open, and only for the same game.
pub fn routes(letter: &Letter, host: &HostAddress) -> Vec<Route> {
    let mut addressed: Vec<Route> = letter
        .to
        .iter()
        .filter_map(|address| host.detail(address))
        .take(MOST_ADDRESSES)
        .map(|detail| read_detail(&detail))
        .collect();
    if addressed.iter().any(|route| route.game.is_some()) {
        addressed.retain(|route| route.game.is_some());
    }
    let said = |route: &Route| (route.token.is_some(), route.seat.is_some());
    let most = |game: &Option<GameId>| addressed.iter().filter(|other| other.game == *game).map(said).max();
    let mut found: Vec<Route> = Vec::new();
    for route in &addressed {
        if Some(said(route)) == most(&route.game) && !found.contains(route) {
            found.push(route.clone());
        }
    }
    if found.is_empty() {
        found.push(Route::default());
    }
    let keys = key_lines(letter);
    for route in &mut found {
        let fits = |key: &&Route| {
            (route.game.is_none() || route.game == key.game)
                && (route.seat.is_none() || route.seat == key.seat)
        };
        if let Some(key) = keys.iter().find(fits).filter(|_| route.token.is_none()) {
            *route = key.clone();
        }
        if route.game.is_none() {
            route.game = game_in_subject(&letter.subject);
        }
    }
    found.sort_by(|a, b| (&a.game, &a.seat).cmp(&(&b.game, &b.seat)));
    found.dedup();
    found.truncate(MOST_ROUTES);
    let is_meant = |key: &&Route| found.iter().any(|route| route.game == key.game && route.seat == key.seat);
    if let Some(Route { game: Some(game), seat: Some(seat), .. }) = keys.iter().find(is_meant) {
        for route in &mut found {
            if route.game.as_ref() != Some(game) || route.seat.as_ref() != Some(seat) {
                route.orders_are_of = Some((game.clone(), seat.clone()));
            }
        }
    }
    found
}

/// The key lines of a letter's text and of its attached orders, in order.
fn key_lines(letter: &Letter) -> Vec<Route> {
    let Ok(body) = &letter.body else { return Vec::new() };
    let texts = [Some(body.text.as_str()), body.attachment.as_deref()];
    texts.into_iter().flatten().flat_map(lines).filter_map(read_key_line).collect()
}

/// `game`, `game.seat`, `game.seat.token`. A seat may hold dots: the token is the last part, if it has a token's form.
fn read_detail(detail: &str) -> Route {
    let (game, rest) = detail.split_once('.').map_or((detail, None), |(game, rest)| (game, Some(rest)));
    let Ok(game) = game.parse() else { return Route::default() };
    let (seat, token) = match rest.map(|rest| (rest, rest.rsplit_once('.'))) {
        None => (None, None),
        Some((rest, None)) => (Some(rest), None),
        Some((rest, Some((seat, last)))) => match last.parse() {
            Ok(token) => (Some(seat), Some(token)),
            Err(BadToken) => (Some(rest), None),
        },
    };
    Route { game: Some(game), seat: seat.and_then(|seat| seat.parse().ok()), token, orders_are_of: None }
}

/// The last `[word]` of the subject that can be a game's name: mail gateways put their own tag, `[EXTERNAL]`, in front. `[ERRORS]` is the host's
/// flag, not a game.
fn game_in_subject(subject: &str) -> Option<GameId> {
    subject
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .map(|(word, _)| word.trim().to_ascii_lowercase())
        .filter(|word| word != "errors")
        .filter_map(|word| word.parse().ok())
        .last()
}
