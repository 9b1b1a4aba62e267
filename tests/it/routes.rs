//! Which seats a letter is for: its addresses, its key lines, its subject.

use musterd::desk::mail::{HostAddress, MOST_ROUTES, Route, Token, key_line, routes};
use musterd::letter::Letter;

use super::letters::letter_of;
use super::letters_summary::host;

#[test]
fn the_reply_address_names_game_seat_and_secret_or_is_plain_where_it_would_be_too_long() {
    let token: Token = "k7q2mz4t9hwxp3cd".parse().unwrap();
    let game = "alpha".parse().unwrap();
    let address = host().reply_address(&game, &"allied.austria".parse().unwrap(), &token);
    assert_eq!(address, "musterd+alpha.allied.austria.k7q2mz4t9hwxp3cd@play.example");
    let long = "s".repeat(32).parse().unwrap();
    let (game, seat) = ("a-game-with-a-name".parse().unwrap(), &long);
    assert_eq!(host().reply_address(&game, seat, &token), "musterd@play.example");
    // The key line takes over.
    let found = routes(&letter_of(&format!("> {}\n", key_line(&game, seat, &token))), &host());
    let route = Route { game: Some(game), seat: Some(long), token: Some(token), orders_are_of: None };
    assert_eq!(found, [route]);
}

#[test]
fn a_key_line_never_sends_a_letter_to_another_game_than_its_address() {
    let mut letter = letter_of("# key: beta french k7q2mz4t9hwxp3cd\nMOVE 1\n");
    letter.to = vec!["musterd+alpha@play.example".to_owned()];
    let found = routes(&letter, &host()).remove(0);
    assert_eq!((found.game, found.token), ("alpha".parse().ok(), None));
}

#[test]
fn every_seat_that_a_letter_is_addressed_to_is_found_once() {
    let mut letter = letter_of("ABSENT UNTIL 2026-12-10\n");
    let address = |detail: &str| format!("musterd+{detail}@play.example");
    letter.to = vec![
        address("beta.red.k7q2mz4t9hwxp3cd"),
        "somebody@example.org".to_owned(),
        address("alpha.french.k7q2mz4t9hwxp3cd"),
        address("alpha"),
        address("beta.red.k7q2mz4t9hwxp3cd"),
        address("gamma"),
        "musterd@play.example".to_owned(),
    ];
    let told = |letter: &Letter| -> Vec<String> {
        let routes = routes(letter, &host());
        let one = |r: &Route| {
            let (game, seat) = (r.game.as_ref().unwrap(), r.seat.as_ref().map_or("-", |seat| seat.as_str()));
            let other = r.orders_are_of.as_ref().map(|(game, seat)| format!(", not {game} {seat}"));
            format!("{game} {seat} {}{}", r.token.is_some(), other.unwrap_or_default())
        };
        routes.iter().map(one).collect()
    };
    assert_eq!(told(&letter), ["alpha french true", "beta red true", "gamma - false"]);
    // A key line says whose the orders are, and brings a secret where the address has none.
    let mut keyed = letter_of("# key: gamma blue k7q2mz4t9hwxp3cd\nBEGIN ORDERS\nMOVE 1\nEND ORDERS\n");
    keyed.to.clone_from(&letter.to);
    let not = ", not gamma blue";
    assert_eq!(
        told(&keyed),
        [format!("alpha french true{not}"), format!("beta red true{not}"), "gamma blue true".to_owned()]
    );
    // One of no addressed seat says nothing.
    let mut quoted = letter_of("> # key: delta blue k7q2mz4t9hwxp3cd\n");
    quoted.to.clone_from(&letter.to);
    assert_eq!(told(&quoted), told(&letter));
    letter.to = (0..100).map(|n| address(&format!("g{n}.red.k7q2mz4t9hwxp3cd"))).collect();
    assert_eq!(routes(&letter, &host()).len(), MOST_ROUTES);
}

#[test]
fn host_addresses_are_checked() {
    for bad in [
        "",
        "musterd",
        "@play.example",
        "musterd@",
        "a+b@play.example",
        "a b@play.example",
        "a@play..example",
    ] {
        assert!(HostAddress::parse(bad).is_err(), "{bad:?}");
    }
    assert_eq!(HostAddress::parse(" Musterd@Play.Example ").unwrap(), host());
}
