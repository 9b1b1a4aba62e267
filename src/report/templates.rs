//! The texts of the mails, as minijinja templates: the built-in ones, or the host's own in their place.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::{Message, WIDTH, ascii, text};
use crate::dice::GameId;

/// The templates that every host has, by name.
const BUILT_IN: [(&str, &str); 11] = [
    ("dispatch", include_str!("../../templates/dispatch.txt")),
    ("final", include_str!("../../templates/final.txt")),
    ("history", include_str!("../../templates/history.txt")),
    ("receipt", include_str!("../../templates/receipt.txt")),
    ("invitation", include_str!("../../templates/invitation.txt")),
    ("refusal", include_str!("../../templates/refusal.txt")),
    ("help", include_str!("../../templates/help.txt")),
    ("notice", include_str!("../../templates/notice.txt")),
    ("answer", include_str!("../../templates/answer.txt")),
    ("topics", include_str!("../../templates/topics.txt")),
    ("press", include_str!("../../templates/press.txt")),
];

/// The templates of one host.
#[derive(Debug, Clone)]
pub struct Templates {
    /// With the built-in ones in it.
    environment: Environment<'static>,
    own: BTreeMap<String, String>,
}

impl Default for Templates {
    fn default() -> Self {
        Self { environment: environment(), own: BTreeMap::new() }
    }
}

/// A template of the host's that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// No mail has that name.
    #[error("there is no mail called `{name}`: a template is one of {}", known_names())]
    Unknown {
        /// The name of the file, without `.txt`.
        name: String,
    },
    /// It is not a minijinja template.
    #[error("template `{name}.txt`, line {line}: {reason}")]
    Broken {
        /// The name of the file, without `.txt`.
        name: String,
        /// Line from 1; 0 where unknown.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The built-in templates, by name without `.txt`: what `init` lays beside the configuration as examples.
pub fn built_in_templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUILT_IN.into_iter()
}

fn known_names() -> String {
    BUILT_IN.map(|(name, _)| name).join(", ")
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.add_filter("wrap", |text: &str| text::lines(|page| text::paragraph(page, "", "", text)));
    environment.add_filter("heading", |title: &str| text::lines(|page| text::heading(page, title)));
    environment.add_filter("beside", |left: &str, right: &str| text::beside(left, right));
    environment.add_global("rule", "=".repeat(WIDTH));
    for (name, text) in BUILT_IN {
        let added = environment.add_template(name, text);
        debug_assert!(added.is_ok(), "template `{name}`: {added:?}");
    }
    environment
}

impl Templates {
    /// The built-in templates, with the host's own, by name without `.txt`, in the place of theirs.
    ///
    /// # Errors
    /// When a name is none of the mails', or a text is not a template.
    pub fn new(own: BTreeMap<String, String>) -> Result<Self, TemplateError> {
        let environment = environment();
        for (name, text) in &own {
            if !BUILT_IN.iter().any(|(known, _)| known == name) {
                return Err(TemplateError::Unknown { name: name.clone() });
            }
            environment.template_from_named_str(name, text).map_err(|e| TemplateError::Broken {
                name: name.clone(),
                line: e.line().unwrap_or(0),
                reason: e.to_string(),
            })?;
        }
        Ok(Self { environment, own })
    }

    /// A mail made from one template. Where the host's own fails on a mail, the built-in one takes its place: a report
    /// must never be lost to a slip in its decoration.
    pub(super) fn message<T: Serialize>(
        &self,
        name: &str,
        game: Option<&GameId>,
        subject: &str,
        mail: &T,
    ) -> Message {
        let body = self
            .own
            .get(name)
            .and_then(|own| self.environment.render_named_str(name, own, mail).ok())
            .unwrap_or_else(|| {
                let built_in = self.environment.get_template(name);
                built_in
                    .and_then(|template| template.render(mail))
                    .unwrap_or_else(|e| format!("The template `{name}` of this program is faulty: {e}\n"))
            });
        let subject = game.map_or_else(|| subject.to_owned(), |game| format!("[{game}] {subject}"));
        Message { subject: ascii(&subject).replace('\n', " "), body: text::fit(&body) }
    }
}
