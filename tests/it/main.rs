//! The integration tests, one binary: every file of this directory is a module.

mod hostile;
mod maildir;
mod post;
mod servers;
