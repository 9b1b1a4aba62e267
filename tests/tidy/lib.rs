//! Nothing: a package must have something besides its tests.
