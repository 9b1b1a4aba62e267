//! `JOIN alpha PREFER …`: the first free seat of a list.

use super::*;

#[test]
fn the_first_free_seat_of_a_list_is_offered_and_taken() {
    let camp = Camp::new();
    let mut host = camp.open();
    another(
        &mut host,
        "alpha",
        &[("red", &player("red")), ("blue", "open"), ("umpire", "open")],
        Terms::default(),
    );
    let offer = guest(&camp, &mut host, ANNA, "p", "JOIN alpha PREFER red, umpire, blue\r\n");
    says(&offer, "Of the seats that you prefer, the umpire player (umpire) is the first that is free.");
    let line = confirm_line(&offer);
    // Somebody else is faster.
    let other = guest(&camp, &mut host, BEN, "q", "JOIN alpha PREFER umpire\r\n");
    says(&guest(&camp, &mut host, BEN, "c", &confirm_line(&other)), "You play the umpire player in alpha.");
    says(&guest(&camp, &mut host, ANNA, "late", &line), "The seat umpire is taken. Free: blue.");
    let again = guest(&camp, &mut host, ANNA, "again", "JOIN alpha PREFER red umpire blue\r\n");
    says(&guest(&camp, &mut host, ANNA, "yes", &confirm_line(&again)), "You play the blue player in alpha.");
}

#[test]
fn a_list_without_a_free_seat_is_refused_with_what_is_free() {
    let camp = Camp::new();
    let mut host = camp.open();
    another(
        &mut host,
        "alpha",
        &[("red", &player("red")), ("blue", "open"), ("umpire", &player("umpire"))],
        Terms::default(),
    );
    let none = guest(&camp, &mut host, ANNA, "p", "JOIN alpha PREFER red, umpire\r\n");
    says(&none, "None of red and umpire is free. Free: blue.");
    let unknown = guest(&camp, &mut host, ANNA, "u", "JOIN alpha PREFER green, blue\r\n");
    says(&unknown, "This game has no seat `green`");
    let slip = guest(&camp, &mut host, ANNA, "s", "LIST\r\n");
    says(&slip, "Free: blue");
}
