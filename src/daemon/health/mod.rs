//! How the host is.

pub mod metrics;
pub(crate) mod vitals;
