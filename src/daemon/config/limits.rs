//! How much is answered, noted and kept in a day, so that no flood and no loop fills a mailbox, the journal or the disk. What proves
//! to be from a player is never limited here: orders count however many there are, and the last set stands.

/// The operator's limits: `limits` in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyLimits {
    /// How many mails of people without a seat are answered in a day, all of them together. Each is answered a few times a day at most.
    pub strangers_a_day: u32,
    /// How many mails that claim to be from a seat and prove nothing are noted in a game's journal in a day. The rest is only
    /// counted and kept with other mail.
    pub unproved_a_day: u32,
    /// How much mail is kept that is no game's: bounces, vacation notices, junk. In megabytes; the oldest goes first.
    pub keep_other_mb: u64,
    /// How many games that are not over one founder may have founded by mail.
    pub games_a_founder: u32,
    /// How many mails a day of one founder ask for a game to be founded.
    pub foundings_a_day: u32,
}

impl Default for DailyLimits {
    fn default() -> Self {
        Self {
            strangers_a_day: 500,
            unproved_a_day: 100,
            keep_other_mb: 200,
            games_a_founder: 3,
            foundings_a_day: 20,
        }
    }
}
