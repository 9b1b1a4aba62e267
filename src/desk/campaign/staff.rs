//! What the form of a dispatch proposes beside what the rules put into it: the orders that a cautious staff would give, and in the first form every kind
//! of order. All of it stands in comments, so that a form which comes back as it was mailed orders nothing.

use super::Campaign;
use musterd_dice::Seat;
use musterd_engine::Awaiting;
use musterd_engine::sheet::Sheet;

/// The longest order that is proposed, in characters: a longer line of a form may be broken on its way, and half of it would be another order.
const LONGEST: usize = 64;
/// How many orders are proposed at most.
const MOST: usize = 80;
/// The column at which it stands what an example does.
const DOES: usize = 30;

impl Campaign {
    /// The comments that a seat's form for the open turn has behind what the rules put into it. Everything in them comes from what the seat knows.
    #[must_use]
    pub fn proposed(&self, seat: &Seat) -> Vec<String> {
        let orders = match self.game.awaiting() {
            Awaiting::Orders { must, may, .. } => must.contains(seat) || may.contains(seat),
            Awaiting::Founding | Awaiting::Over { .. } => false,
        };
        if !orders {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if self.ran.len() == 1 {
            lines.extend(self.examples(seat));
        }
        lines.extend(self.advised(seat));
        lines
    }

    /// Every kind of order once.
    fn examples(&self, seat: &Seat) -> Vec<String> {
        let offered = self.game.offered(seat);
        let examples = offered.iter().filter_map(|one| Some((one.lines.first()?, &one.does)));
        let example = |(order, does): (&std::borrow::Cow<'static, str>, &std::borrow::Cow<'static, str>)| {
            let told = format!("#   {order:<DOES$}# {does}");
            if told.chars().count() <= LONGEST { told } else { format!("#   {order}") }
        };
        let lines: Vec<String> =
            examples.filter(|(order, _)| order.chars().count() <= LONGEST).map(example).collect();
        headed("Every kind of order, once (HELP and its first word tells more):", lines)
    }

    /// What the most cautious of the computer players would order.
    fn advised(&self, seat: &Seat) -> Vec<String> {
        let Some(level) = self.game.levels().iter().next().map(|level| level.name) else { return Vec::new() };
        let orders = self.game.play(seat, level, u64::from(self.next_t));
        let lines = orders.lines().map(str::trim_end).filter(|line| {
            let bare = line.trim_start();
            !bare.is_empty() && !bare.starts_with('#') && !Sheet::is_hosts(line)
        });
        let lines: Vec<String> = lines.map(|line| format!("#   {line}")).collect();
        if lines.len() > MOST || lines.iter().any(|line| line.chars().count() > LONGEST) {
            return Vec::new();
        }
        headed("A suggestion: what a cautious staff would order, from what you know:", lines)
    }
}

/// Comments under a heading; nothing where there are none.
fn headed(heading: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    std::iter::once(format!("# {heading}")).chain(lines).collect()
}
