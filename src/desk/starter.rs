//! The page that comes with an invitation: how a game is played by mail, for somebody who has never done so.

use crate::campaign::Campaign;
use musterd_dice::Seat;
use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section};
use musterd_engine::orders::OrderUse;
use musterd_engine::terms::PressPolicy;
use musterd_report::text;

/// The name of the page as a file.
pub const STARTER: &str = "first-steps.txt";

/// How many kinds of order it shows.
const MOST_ORDERS: usize = 8;

/// The first steps of a seat's player. `confirmed`: nothing has to be confirmed, as the game begins at once or has begun.
pub fn starter(campaign: &Campaign, seat: &Seat, confirmed: bool) -> String {
    let charter = campaign.charter();
    let mut steps = Vec::new();
    if !confirmed {
        steps.push("Answer the invitation with JOIN on top. The game begins once all have.".to_owned());
    }
    steps.extend([
        "A dispatch comes: what happened, the map, your army, and at its end a form. Read it from the top; the form is the page to write on."
            .to_owned(),
        "Answer the dispatch. Keep the lines BEGIN ORDERS and END ORDERS, and write an order a line between them, or take the # before one that \
         the form suggests. What stands behind a # is a comment."
            .to_owned(),
        "A receipt comes: it says in words what each order will do, with the odds where dice decide, and points at what can't be read. To change \
         anything, send the whole set again: a new set replaces the one before."
            .to_owned(),
        "Write READY on a line of its own among the orders when you are done. The invitation says when turns run. READY UNTIL CONTACT lets the turns \
         to come run too, until an enemy may come near."
            .to_owned(),
        "The next dispatch tells what came of it, with the dice behind it. Keep your mails: they let anybody check the dice.".to_owned(),
    ]);
    let items = steps.into_iter().map(Item::of).collect();

    // What the GM has not released yet may open other orders.
    let offered = if campaign.draft().is_some() { Vec::new() } else { campaign.game().offered(seat) };
    let orders = offered.iter().take(MOST_ORDERS).map(OrderUse::fact).collect::<Vec<_>>();
    let mut questions = vec![
        ("HELP ORDERS", "every kind of order that you can give, with examples of your own position"),
        ("SCENARIO", "what the game is about, and who wins"),
        ("RULES", "how the manual is read; RULES 12, RULES supply"),
        ("TRY", "answers the orders below it as their receipt would, and they don't count"),
        ("AHEAD", "keeps the orders below it for the turn after the open one"),
        ("ODDS, REACH", "what one order would come to; where a unit gets: REACH 3"),
        ("MAP, STATUS", "your maps; what the game waits for"),
        ("EXTEND 2d", "asks for more time; ABSENT UNTIL 2026-12-10 says that you are away"),
    ];
    if charter.press != PressPolicy::None {
        questions.push(("PRESS TO ...", "a letter to another player, ended by a line END PRESS"));
    }
    if !charter.gm.is_empty() {
        questions.push(("PRESS TO gm", "a letter to the game master"));
    }
    questions.push(("HELP", "all commands"));

    let questions = questions.into_iter().map(|(command, about)| Fact::of(command, about)).collect();

    let title = format!("{}, {}: for {}", charter.game, campaign.game().system(), campaign.title_of(seat));
    let mut sections = vec![Section::of("First steps", vec![Part::Items { numbered: true, items }])];
    if !orders.is_empty() {
        let parts = vec![Part::Facts { facts: orders }];
        sections.push(Section::of("Orders that you could give now, for example", parts));
    }
    let how = Part::text("Each on a line of its own, on top of an answer to any mail of the game:");
    sections.push(Section::of("What you can ask and say", vec![how, Part::Facts { facts: questions }]));
    format!(
        "{}\n\n{}",
        text::page(&[title]).trim_end(),
        text::sections(&Briefing { sections, ..Briefing::default() })
    )
}
