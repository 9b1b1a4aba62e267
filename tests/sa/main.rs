//! The Shattered Alliance, alone.
