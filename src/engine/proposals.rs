//! What an order form proposes beside what the rules put into it: every kind of order once, and the orders that a cautious staff would give. All of it
//! stands in comments, so that a form which comes back as it was mailed orders nothing.

use super::orders::OrderUse;
use super::sheet::Sheet;

/// The longest line that is proposed, in characters: a longer one of a form may be broken on its way, and half of it would be another order.
const LONGEST: usize = 64;
/// How many orders are proposed at most.
const MOST: usize = 80;
/// The column behind which it stands what an example does.
const DOES: usize = 30;

/// Every kind of order once, of those that can be given now.
pub(super) fn examples(offered: &[OrderUse]) -> Vec<String> {
    let examples = offered.iter().filter_map(|one| Some((one.lines.first()?, &one.does)));
    let lines = examples.map(|(order, does)| {
        let told = format!("#   {order:<DOES$}# {does}");
        if told.chars().count() <= LONGEST { told } else { format!("#   {order}") }
    });
    let lines = lines.filter(|line| line.chars().count() <= LONGEST).collect();
    headed("Every kind of order, once (HELP and its first word tells more):", lines)
}

/// These orders of a computer player, as advice; none where one of them is too long for a form.
pub(super) fn advice(orders: &str) -> Vec<String> {
    let lines = orders.lines().map(str::trim_end).filter(|line| {
        let bare = line.trim_start();
        !bare.is_empty() && !bare.starts_with('#') && !Sheet::is_hosts(line)
    });
    let lines: Vec<String> = lines.map(|line| format!("#   {line}")).collect();
    if lines.len() > MOST || lines.iter().any(|line| line.chars().count() > LONGEST) {
        return Vec::new();
    }
    headed("A suggestion, from what you know: a cautious staff would order", lines)
}

/// Comments under a heading; nothing where there are none.
fn headed(heading: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    ["#".to_owned(), format!("# {heading}")].into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_leaves_out_what_is_the_hosts_and_what_would_be_broken() {
        assert_eq!(
            advice("# why\nMOVE 3 TO Ulm\n\n  STAND 4\nREADY\n"),
            [
                "#",
                "# A suggestion, from what you know: a cautious staff would order",
                "#   MOVE 3 TO Ulm",
                "#     STAND 4"
            ]
        );
        assert_eq!(advice(&format!("MOVE 3 TO {}\nSTAND 4\n", "x".repeat(80))), Vec::<String>::new());
        assert_eq!(advice("READY\n"), Vec::<String>::new());
    }

    #[test]
    fn examples_say_what_they_do_where_it_fits() {
        let uses = [
            OrderUse::of(&["MOVE 3 TO Ulm", "MOVE 4"], "marches"),
            OrderUse::of(
                &["STAND 3"],
                "at great length and far beyond what a line of a form can hold without breaking",
            ),
        ];
        let lines = examples(&uses);
        assert_eq!(lines[2..], ["#   MOVE 3 TO Ulm                 # marches", "#   STAND 3"]);
    }
}
