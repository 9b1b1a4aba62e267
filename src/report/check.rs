//! Checks a host's own templates: for errors, for values that no mail has, and for parts of a mail that are missing in the result.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, context};
use serde::Serialize;

use super::page::{Page, Sheet};
use super::samples::{self, ANCHOR, CHAIN, LEAF, Must};
use super::templates::{FRAME, environment, known, render};
use super::{OwnTemplates, TemplateError, WIDTH};
use musterd_dice::{Digest, GameId};

/// A fault in a template.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The path of the file in the folder of templates.
    pub file: String,
    /// The line, from 1; 0 if it concerns the whole file.
    pub line: usize,
    /// The fault, in a sentence.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.text),
            line => write!(f, "{}, line {line}: {}", self.file, self.text),
        }
    }
}

/// Tries out templates, by their paths in the host's folder of templates, on sample mails.
pub fn check(own: &OwnTemplates) -> Vec<Finding> {
    let environment = environment(UndefinedBehavior::SemiStrict);
    let mut findings = BTreeSet::new();
    for fault in &own.unread {
        findings.insert(Finding { file: fault.file().to_owned(), line: 0, text: fault.reason() });
    }
    for (path, source) in &own.texts {
        let mut trial = Trial { environment: &environment, path, source, findings: BTreeSet::new() };
        trial.run();
        findings.extend(trial.findings);
    }
    findings.into_iter().collect()
}

/// The same for templates that a game is to be founded with, by file.
pub fn check_founded(game: &GameId, templates: &BTreeMap<String, String>) -> Vec<Finding> {
    let of_game = templates.iter().map(|(file, text)| (format!("{game}/{file}"), text.clone()));
    let findings = check(&of_game.collect()).into_iter();
    let bare = |file: &str| file.split_once('/').map_or(file, |(_, file)| file).to_owned();
    let mut findings: Vec<Finding> =
        findings.map(|finding| Finding { file: bare(&finding.file), ..finding }).collect();
    findings.extend(templates.contains_key(FRAME).then(|| Finding {
        file: FRAME.to_owned(),
        line: 0,
        text:
            "the page around mails is the host's alone, as it could load pictures from elsewhere".to_owned(),
    }));
    findings
}

/// The last digest above a mail's chain lines. An audit reads it from there, whatever language the words around it are in.
fn last_digest(text: &str) -> Option<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().rposition(|word| *word == "Chain:")?;
    words[..end].iter().rev().copied().find(|word| word.parse::<Digest>().is_ok())
}

/// The trial of one template.
struct Trial<'a> {
    environment: &'a Environment<'static>,
    path: &'a str,
    source: &'a str,
    findings: BTreeSet<Finding>,
}

impl Trial<'_> {
    fn find(&mut self, line: usize, text: String) {
        self.findings.insert(Finding { file: self.path.to_owned(), line, text });
    }

    fn run(&mut self) {
        let Some(built_in) = known(self.path) else {
            let unknown = TemplateError::Unknown { file: self.path.to_owned() };
            return self.find(0, unknown.to_string());
        };
        let names = match self.environment.template_from_named_str(self.path, self.source) {
            Ok(template) => template.undeclared_variables(true).into_iter().collect::<BTreeSet<String>>(),
            Err(error) => return self.fault(&error),
        };
        let mut values = Vec::new();
        if let Some(name) = built_in.file.strip_suffix(".txt") {
            samples::each(name, &mut |sheet, must| {
                values.push(sheet.values.clone());
                self.try_on(sheet, must);
            });
            samples::each_pair(name, &mut |what, pair| self.try_pair(what, pair));
        } else {
            values.push(self.try_frame());
        }
        for name in names {
            self.look_up(&name, &values);
        }
    }

    /// Notes an error with its line.
    fn fault(&mut self, error: &Error) {
        let why = match (error.kind(), error.detail()) {
            (ErrorKind::UndefinedError, _) => {
                "this value does not exist, or not in every mail of the kind".to_owned()
            }
            (ErrorKind::OutOfFuel, _) => {
                "it takes too many steps for one mail: a loop in it goes on too long".to_owned()
            }
            (kind, Some(detail)) => format!("{kind}: {detail}"),
            (kind, None) => kind.to_string(),
        };
        self.find(error.line().unwrap_or(0), why);
    }

    fn try_on(&mut self, sheet: &Sheet<'_>, must: &Must) {
        let marked = match render(self.environment, self.path, self.source, &sheet.values) {
            Ok(marked) => marked,
            Err(error) => return self.fault(&error),
        };
        let text = Page { marked, pieces: &sheet.pieces }.text();
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let all = squeezed(&text);
        for (what, part) in must {
            let kept = match *what {
                CHAIN => text.trim_end().ends_with(part.as_str()),
                LEAF | ANCHOR => last_digest(&text) == Some(part.as_str()),
                _ => all.contains(&squeezed(part)),
            };
            if !kept {
                let end = match *what {
                    CHAIN => " at its end",
                    LEAF | ANCHOR => {
                        ": `musterd verify` looks for it in the last 64 digits above the lines of the log"
                    }
                    _ => "",
                };
                self.find(0, format!("a mail loses {what}{end}"));
            }
        }
        self.look_for_long_lines(&text);
    }

    /// Checks that two mails don't read the same.
    fn try_pair(&mut self, what: &str, pair: [&Sheet<'_>; 2]) {
        let page = |sheet: &Sheet<'_>| {
            let marked = self.environment.render_named_str(self.path, self.source, &sheet.values).ok()?;
            let text = Page { marked, pieces: &sheet.pieces }.text();
            Some(text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        // A mail that can't be rendered was reported before.
        if let [Some(one), Some(other)] = pair.map(page)
            && one == other
        {
            self.find(0, format!("a mail loses {what}"));
        }
    }

    /// Notes lines that the page breaks somewhere. It doesn't break the lines of orders.
    fn look_for_long_lines(&mut self, text: &str) {
        let mut orders = false;
        for line in text.lines() {
            orders = line == "BEGIN ORDERS" || (orders && line != "END ORDERS");
            if !orders && line.chars().count() > WIDTH {
                let begins: String = line.chars().take(24).collect();
                let at = self.source.lines().position(|source| source.contains(begins.trim()));
                let text = format!(
                    "more than {WIDTH} columns, so that it will be broken: `{begins}...`; the filter `wrap` makes a paragraph of it"
                );
                self.find(at.map_or(0, |at| at + 1), text);
            }
        }
    }

    fn try_frame(&mut self) -> Value {
        const PAGE: &str = "<p>the page</p>";
        let values =
            context! { subject => "[alpha] Autumn 1805", page => Value::from_safe_string(PAGE.to_owned()) };
        match self.environment.render_named_str(self.path, self.source, &values) {
            Ok(html) if html.contains(PAGE) => {}
            Ok(_) => self.find(0, "a mail loses the page: write {{ page }} where it belongs".to_owned()),
            Err(error) => self.fault(&error),
        }
        values
    }

    /// Notes a name that no mail of the kind has, such as `window.dedline`, even if the samples never came to its place.
    fn look_up(&mut self, name: &str, values: &[Value]) {
        let is_global = |name: &str| self.environment.globals().any(|(known, _)| known == name);
        if name.split('.').next().is_some_and(is_global) {
            return;
        }
        let mut held: Vec<Value> = values.to_vec();
        for part in name.split('.') {
            // A value that is no mapping here may be one in another mail of the kind.
            let mappings = held.iter().filter(|value| value.as_object().is_some());
            let next: Vec<Value> = mappings.filter_map(|value| value.get_attr(part).ok()).collect();
            if next.iter().all(Value::is_undefined) {
                let knows_better = held.iter().any(|value| value.as_object().is_some());
                let at = self.source.lines().position(|line| line.contains(name));
                if knows_better {
                    self.find(
                        at.map_or(0, |at| at + 1),
                        format!("no mail of this kind has a value `{name}`"),
                    );
                }
                return;
            }
            held = next;
        }
    }
}
