//! What a look at a configuration found, by what it does to the daemon.

use serde::Serialize;

use crate::config::Config;
use musterd_engine::files::DataError;

/// What a look at a configuration found.
#[derive(Debug, Default, Serialize)]
pub struct Findings {
    /// What keeps the daemon from starting, or from writing down what it decides.
    pub errors: Vec<Finding>,
    /// What the daemon starts with, and what doesn't work then, or is in danger.
    pub faults: Vec<Finding>,
    /// What may not be meant.
    pub warnings: Vec<Finding>,
    /// What every server said, if they were asked.
    pub servers: Vec<String>,
    /// The configuration, where it could be read.
    #[serde(skip)]
    pub config: Option<Config>,
}

/// How much a finding weighs: which list of [`Findings`] it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Fault,
    Warning,
}

impl Findings {
    pub(crate) const fn of(&mut self, weight: Severity) -> &mut Vec<Finding> {
        match weight {
            Severity::Error => &mut self.errors,
            Severity::Fault => &mut self.faults,
            Severity::Warning => &mut self.warnings,
        }
    }
}

/// One thing found, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which file, where, and what to do about it.
    #[serde(flatten)]
    pub fault: DataError,
    /// The line of the configuration that it is about, or the piece of it around the fault; none for other files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Where in what is shown the fault stands, in characters from 0.
    #[serde(skip)]
    pub caret: usize,
}

impl Finding {
    /// A fault of a file whose lines are not shown.
    pub const fn elsewhere(fault: DataError) -> Self {
        Self { fault, shown: None, caret: 0 }
    }
}
