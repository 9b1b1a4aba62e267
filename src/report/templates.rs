//! The texts of the mails, as minijinja templates: the built-in ones, or the host's own in their place, for one game or all.

use std::collections::BTreeMap;
use std::io;

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::mail::Message;
use super::page::{self, Page, Sheet};
use super::{ascii, html, text};
use musterd_dice::GameId;

/// A template that every host has.
pub(super) struct BuiltIn {
    /// Its file name.
    pub(super) file: &'static str,
    /// Its text.
    pub(super) text: &'static str,
    /// How its mails are sent as HTML.
    pub(super) html: Look,
}

/// How mails are sent as HTML, beside their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// As a page.
    Page,
    /// The text as it is, in letters of one width: carets point at words only there.
    Lines,
    /// Not at all. Receipts and refusals have to be made quickly, while their sender's orders wait.
    None,
}

macro_rules! built_in {
    ($file:literal, $html:ident) => {
        BuiltIn { file: $file, text: include_str!(concat!("../../templates/", $file)), html: Look::$html }
    };
}

pub(super) const BUILT_IN: [BuiltIn; 12] = [
    built_in!("dispatch.txt", Page),
    built_in!("final.txt", Page),
    built_in!("history.txt", Page),
    built_in!("receipt.txt", None),
    built_in!("invitation.txt", Page),
    built_in!("refusal.txt", None),
    built_in!("help.txt", Page),
    built_in!("notice.txt", Page),
    built_in!("answer.txt", Lines),
    built_in!("topics.txt", None),
    built_in!("press.txt", Page),
    built_in!("frame.html", None),
];

/// How many instructions of minijinja a template may take for one mail: a hundred times what the longest built-in one takes. That is a very short
/// time, in which the daemon does nothing else.
const MOST_STEPS: u64 = 1_000_000;

/// The HTML page around the contents of every mail.
pub(super) const FRAME: &str = "frame.html";

/// The templates of one host.
#[derive(Debug, Clone)]
pub struct Templates {
    /// The environment, with the built-in templates in it.
    environment: Environment<'static>,
    /// The host's own templates, by their paths in its folder of templates: `help.txt`, or `alpha/help.txt` for one game.
    own: BTreeMap<String, String>,
    /// Templates that games were founded with, by the same paths.
    founded: BTreeMap<String, String>,
    /// The errors of those own templates that can't be used.
    faults: Vec<TemplateError>,
}

/// A host's own templates, by their paths in its folder of templates: `help.txt`, or `alpha/help.txt` for the mails of one game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnTemplates {
    /// The texts of the templates.
    pub texts: BTreeMap<String, String>,
    /// Files that could not be read.
    pub unread: Vec<TemplateError>,
}

impl FromIterator<(String, String)> for OwnTemplates {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(texts: T) -> Self {
        Self { texts: texts.into_iter().collect(), unread: Vec::new() }
    }
}

impl Default for Templates {
    fn default() -> Self {
        Self {
            environment: environment(UndefinedBehavior::SemiStrict),
            own: BTreeMap::new(),
            founded: BTreeMap::new(),
            faults: Vec::new(),
        }
    }
}

/// A template of the host's own that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// No mail has a template of that name.
    #[error("`{file}`: {}", no_such_mail())]
    Unknown {
        /// The path of the file.
        file: String,
    },
    /// The file is not a minijinja template.
    #[error("`{file}`, line {line}: {reason}")]
    Broken {
        /// The path of the file.
        file: String,
        /// Line from 1; 0 if it is unknown.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The file can't be read.
    #[error("`{file}`: {reason}")]
    Unread {
        /// The path of the file.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

impl TemplateError {
    /// The path of the file in the host's folder of templates.
    pub fn file(&self) -> &str {
        match self {
            Self::Unknown { file } | Self::Broken { file, .. } | Self::Unread { file, .. } => file,
        }
    }

    /// The fault, without the file and the line.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Broken { reason, .. } | Self::Unread { reason, .. } => reason.clone(),
            Self::Unknown { .. } => no_such_mail(),
        }
    }
}

fn no_such_mail() -> String {
    format!(
        "there is no such mail; a template is one of {}; for one game, any of them but help.txt",
        known_files()
    )
}

/// The built-in templates, by file. `init` writes them beside the configuration as examples.
pub fn built_in_templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUILT_IN.iter().map(|known| (known.file, known.text))
}

fn known_files() -> String {
    BUILT_IN.iter().map(|known| known.file).collect::<Vec<_>>().join(", ")
}

/// The built-in template that a template of the host's own, by its path, replaces.
pub(super) fn known(path: &str) -> Option<&'static BuiltIn> {
    let file = match path.split_once('/') {
        // The answer to a stranger belongs to no game.
        Some((game, file)) => game.parse::<GameId>().ok().map(|_| file).filter(|file| *file != "help.txt")?,
        None => path,
    };
    BUILT_IN.iter().find(|known| known.file == file)
}

/// The environment in which templates are rendered.
pub(super) fn environment(undefined: UndefinedBehavior) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(undefined);
    environment.set_fuel(Some(MOST_STEPS));
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.set_auto_escape_callback(|file| match file.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::Custom("page"),
    });
    environment.set_formatter(page::write_value);
    environment.add_filter("wrap", |text: &str| page::paragraph(text));
    environment.add_filter("heading", |title: &str| page::heading(title));
    environment.add_filter("beside", |left: &str, right: &str| page::beside(left, right));
    environment.add_global("rule", page::rule());
    for known in &BUILT_IN {
        let added = environment.add_template(known.file, known.text);
        debug_assert!(added.is_ok(), "template `{}`: {added:?}", known.file);
    }
    environment
}

impl Templates {
    /// The built-in templates, with the host's own in their place. If an own template can't be used, the next one is used instead: a mistake in the
    /// template of one game must not keep the host from running the others.
    pub fn new(own: OwnTemplates) -> Self {
        let mut templates = Self { faults: own.unread, ..Self::default() };
        for (path, text) in own.texts {
            match templates.fault_of(&path, &text) {
                Some(fault) => templates.faults.push(fault),
                None => _ = templates.own.insert(path, text),
            }
        }
        templates
    }

    /// Lays the templates that a game was founded with, by file, under those that the host has for it. Those that this program can't use are left out.
    pub fn found(&mut self, game: &GameId, templates: &BTreeMap<String, String>) {
        for (file, text) in templates {
            let path = format!("{game}/{file}");
            if file != FRAME && self.fault_of(&path, text).is_none() {
                self.founded.insert(path, text.clone());
            }
        }
    }

    /// Drops the templates that a game was to be founded with.
    pub fn forget(&mut self, game: &GameId) {
        let of_game = format!("{game}/");
        self.founded.retain(|path, _| !path.starts_with(&of_game));
    }

    /// The host's own templates that can't be used.
    pub fn faults(&self) -> &[TemplateError] {
        &self.faults
    }

    fn fault_of(&self, path: &str, text: &str) -> Option<TemplateError> {
        if known(path).is_none() {
            return Some(TemplateError::Unknown { file: path.to_owned() });
        }
        let broken = self.environment.template_from_named_str(path, text).err()?;
        Some(TemplateError::Broken {
            file: path.to_owned(),
            line: broken.line().unwrap_or(0),
            reason: broken.to_string(),
        })
    }

    /// A mail made from one template. If an own template fails on a mail, the next one is used instead: a report must never be lost to a mistake in
    /// its template.
    pub(super) fn message(&self, sheet: &Sheet<'_>) -> Message {
        let Sheet { template, game, subject, values, pieces } = sheet;
        let known = BUILT_IN.iter().find(|known| known.file.strip_suffix(".txt") == Some(template));
        let file = known.map_or("", |known| known.file);
        let bound = pieces.bound();
        let page = Page { marked: self.rendered(file, *game, values, bound.as_deref()), pieces };
        let subject = game.map_or_else(|| subject.clone(), |game| format!("[{game}] {subject}"));
        let subject = ascii(&subject).replace('\n', " ");
        let body = text::fit(&page.text());
        let html = match known.map_or(Look::None, |known| known.html) {
            Look::Page => Some(page.html()),
            Look::Lines => Some(html::in_lines(&body)),
            Look::None => None,
        };
        let html = html.map(|page| {
            let page = Value::from_safe_string(page);
            self.rendered(FRAME, *game, &minijinja::context! { subject, page }, None)
        });
        Message { body, subject, html }
    }

    /// The result of the first template that can render these values, and keeps what the log binds: the host's for the game, the one that the game was
    /// founded with, the host's for all, the built-in one. The second is not the host's: it shows no digest of its own either, for mails are
    /// evidence against the host.
    fn rendered(&self, file: &str, game: Option<&GameId>, values: &Value, bound: Option<&str>) -> String {
        let of_game = game.map(|game| format!("{game}/{file}"));
        let built_in = || {
            let built_in = self.environment.get_template(file);
            built_in
                .and_then(|template| template.render(values))
                .unwrap_or_else(|e| format!("The template `{file}` of this program is faulty: {e}\n"))
        };
        let page = |path: &str, templates: &BTreeMap<String, String>| {
            let page = render(&self.environment, path, templates.get(path)?, values).ok()?;
            bound.is_none_or(|bound| page.contains(bound)).then_some(page)
        };
        let of_game = of_game.as_deref();
        let hosts = of_game.and_then(|path| page(path, &self.own));
        let founded = || {
            of_game.and_then(|path| page(path, &self.founded)).filter(|page| is_faithful(page, &built_in()))
        };
        hosts.or_else(founded).or_else(|| page(file, &self.own)).unwrap_or_else(built_in)
    }
}

/// The longest page that a template of somebody's own may make, in bytes: several times what the longest mail has.
const LONGEST: usize = 2_000_000;

/// A page that fails where it grows too long.
struct Short(Vec<u8>);

impl io::Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(io::Error::other("the page is too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a template that isn't built in makes of these values.
///
/// # Errors
/// It is faulty, takes too long or makes too long a page.
pub(super) fn render(
    environment: &Environment<'_>,
    path: &str,
    source: &str,
    values: &Value,
) -> Result<String, minijinja::Error> {
    let mut page = Short(Vec::new());
    environment.template_from_named_str(path, source)?.render_captured_to(values, &mut page)?;
    String::from_utf8(page.0)
        .map_err(|error| minijinja::Error::new(minijinja::ErrorKind::BadEscape, error.to_string()))
}

/// Whether a page shows what an audit reads of a mail as another page does: no digest besides, the same one last above the lines of the log, and the
/// same lines of the log at its end.
fn is_faithful(page: &str, other: &str) -> bool {
    fn evidence(page: &str) -> (Vec<&str>, &str) {
        let (above, log) = page.split_at(page.rfind("Chain:").unwrap_or(page.len()));
        let digests = above.split(|c: char| !c.is_ascii_hexdigit());
        (digests.filter(|word| word.len() == 64).collect(), log.trim_end())
    }
    let ((shown, log), (known, known_log)) = (evidence(page), evidence(other));
    log == known_log && shown.last() == known.last() && shown.iter().all(|digest| known.contains(digest))
}
