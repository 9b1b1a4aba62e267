//! The figures are written for whoever collects them.

use super::Host;
use crate::HostError;
use crate::health::metrics;

impl Host {
    /// Writes the figures where the operator wants them. A disk that has no room for them stops nothing.
    pub(super) fn write_figures(&mut self) -> Result<(), HostError> {
        let Some(path) = self.config.metrics_path(&self.dir)? else { return Ok(()) };
        if let Err(error) = metrics::write_file(&path, &self.vitals()?)
            && self.quiet.may_say("metrics_file", self.clock.now())
        {
            tracing::warn!(path = %path.display(), %error, "the figures can't be written: see metrics_file");
        }
        Ok(())
    }
}
