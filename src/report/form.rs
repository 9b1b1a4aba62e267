//! Order forms as they stand in mails.

use super::mail::{Dispatch, Invitation};
use super::text;
use musterd_dice::Witness;

/// The longest line of the host's own in a form. A program that breaks lines at 72 columns doesn't break it, even after two quotations.
const FORM_WIDTH: usize = 68;

/// The order form of a dispatch, in its frame.
pub fn form_of(mail: &Dispatch) -> String {
    let Dispatch { to, window, seen, form, .. } = mail;
    order_form(&format!("{} {}, t {}, {}", to.game, to.seat, window.t, window.title), seen, form)
}

/// The lines that confirm a seat, in their frame. `JOIN` is a comment, like the other suggestions: a form that comes back unchanged, quoted by a
/// player who declines or by a vacation notice, must not take a seat.
pub fn join_form(mail: &Invitation) -> String {
    order_form(&format!("{} {}", mail.to.game, mail.to.seat), &mail.seen, &["# JOIN".to_owned()])
}

/// An order form in its frame: its purpose, the state of the log that its player saw, room for a salt, then the lines to edit.
///
/// Comments are wrapped as comments. An order is never broken, however long it is: half of it would be another order.
fn order_form(about: &str, witness: &Witness, lines: &[String]) -> String {
    let comment = |page: &mut String, text: &str| text::narrow(page, FORM_WIDTH, "# ", text);
    text::lines(|page| {
        page.push_str("BEGIN ORDERS\n");
        comment(page, about);
        page.push_str(&format!("seen: {} {}\n", witness.index, witness.head));
        comment(page, "Words of your own after `salt:`, and nobody can foresee the dice.");
        page.push_str("salt:\n");
        for line in lines {
            match line.trim_start().strip_prefix('#') {
                Some(text) if line.len() > FORM_WIDTH => comment(page, text),
                _ => {
                    page.push_str(line.trim_end());
                    page.push('\n');
                }
            }
        }
        page.push_str("END ORDERS\n");
    })
}
