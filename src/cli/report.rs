use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request, Shape};
use musterd_dice::{GameId, Seat};

/// Show a seat's dispatch, the last one or that of a past turn
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd report alpha french\n  musterd report alpha french 3\n  musterd report alpha french 1805-summer-french --map\n  musterd report alpha french --html > french.html"
)]
pub(super) struct Report {
    /// The game's name
    game: GameId,
    /// The seat, such as french or allied.austria
    seat: Seat,
    /// The turn after which it was written, by number or name [default: the last]
    turn: Option<String>,
    #[command(flatten)]
    shape: ShapeArgs,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct ShapeArgs {
    /// As the HTML page of its mail
    #[arg(long)]
    html: bool,
    /// Its maps alone, in letters
    #[arg(long)]
    map: bool,
    /// Its maps alone, drawn: an SVG file
    #[arg(long)]
    svg: bool,
    /// As the JSON of its mail: see `musterd schema dispatch`
    #[arg(long)]
    data: bool,
}

impl ShapeArgs {
    const fn shape(&self) -> Shape {
        match (self.html, self.map, self.svg, self.data) {
            (true, ..) => Shape::Html,
            (_, true, ..) => Shape::Map,
            (_, _, true, _) => Shape::Svg,
            (.., true) => Shape::Data,
            _ => Shape::Text,
        }
    }
}

impl Report {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let (game, seat, turn) = (self.game.clone(), self.seat.clone(), self.turn.clone());
        let shape = self.shape.shape();
        if shape == Shape::Text {
            return show(global, Request::Report { game, seat, turn, shape });
        }
        match global.ask(Request::Report { game, seat, turn, shape })? {
            reply if global.json => output::json(&reply),
            Reply::Report { text, .. } => output::text(text.trim_end_matches('\n')),
            _ => {}
        }
        Ok(Ended::Done)
    }
}

/// Asks for a report and prints it.
pub(super) fn show(global: &Global, request: Request) -> Result<Ended, HostError> {
    match global.ask(request)? {
        reply if global.json => output::json(&reply),
        Reply::Report { subject, text } => output::text(&format!("Subject: {subject}\n\n{text}")),
        _ => {}
    }
    Ok(Ended::Done)
}
