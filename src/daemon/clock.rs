//! The only place that asks the system for the time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Seconds in a day.
pub(crate) const DAY: i64 = 24 * 3600;

/// Where the daemon gets the time from.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that somebody sets: `--now`, and the simulator. Mail arrives when this clock says.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at this instant until it is set.
    pub fn at(unix: i64) -> Self {
        Self::Set(Arc::new(AtomicI64::new(unix)))
    }

    /// Now, unix seconds.
    #[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
    pub fn now(&self) -> i64 {
        match self {
            Self::System => Timestamp::now().as_second(),
            Self::Set(unix) => unix.load(Ordering::SeqCst),
        }
    }

    /// Seconds that have really passed since some start, whatever is done to the system's clock meanwhile; a clock that somebody sets is
    /// all the time there is.
    pub fn passed(&self) -> i64 {
        match self {
            Self::System => really_passed(),
            Self::Set(_) => self.now(),
        }
    }

    /// Whether the time is set by somebody: a reproducible run.
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Set(_))
    }

    /// Sets a settable clock forward or back; the system's clock stays as it is.
    pub fn set(&self, unix: i64) {
        if let Self::Set(now) = self {
            now.store(unix, Ordering::SeqCst);
        }
    }

    /// When a message counts as arrived: as its mailbox says, but never later than now; now where the clock is set. A mailbox may stand on a
    /// machine whose clock is ahead.
    pub fn arrival(&self, by_mailbox: i64) -> i64 {
        match self {
            Self::System => by_mailbox.min(self.now()),
            Self::Set(_) => self.now(),
        }
    }
}

/// Seconds since this was first asked.
#[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
fn really_passed() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    i64::try_from(START.get_or_init(Instant::now).elapsed().as_secs()).unwrap_or(i64::MAX)
}

/// Measures how long something takes.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Microseconds since the start.
    pub(crate) fn micros(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// A wait that may be interrupted.
pub(crate) struct Patience {
    until: Instant,
}

impl Patience {
    #[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
    pub(crate) fn of(wait: Duration) -> Self {
        Self { until: Instant::now() + wait }
    }

    /// What is left of it.
    #[expect(clippy::disallowed_methods, reason = "this is where time enters the program")]
    pub(crate) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// How far a clock may drift from the time that really passed between two looks before that is a jump, in seconds.
const JUMP: i64 = 300;
/// How long nothing is called late after a jump, in seconds: somebody who set the clock wrong soon sets it right.
const DOUBT: i64 = 900;

/// Watches the system's clock for jumps: somebody set it, or the machine slept.
#[derive(Debug, Default, Clone, Copy)]
pub struct Watch {
    /// The last look: the clock, and seconds that really passed since some start.
    last: Option<(i64, i64)>,
    /// Until when the clock is doubted, in seconds since that start.
    doubted: i64,
    /// A time that has been already, unix seconds: that of the last entry of some journal that no clock in doubt has dated.
    floor: Option<i64>,
    /// Whether the clock stood before that at the last look.
    behind: bool,
}

impl Watch {
    /// This time has been already: a clock before it is wrong.
    pub fn not_before(&mut self, floor: i64) {
        self.floor = self.floor.max(Some(floor));
    }

    /// An entry was written at this time. By a clock that has just jumped it proves nothing: once somebody has set that right, everything
    /// would wait for a time that never was.
    pub fn wrote(&mut self, at: i64) {
        if !self.is_doubted() {
            self.not_before(at);
        }
    }

    /// Takes over what another watch of this process has seen.
    pub(crate) fn carry_on(&mut self, before: Self) {
        let floor = self.floor.max(before.floor);
        *self = Self { floor, ..before };
    }

    /// Whether anybody has looked at the clock.
    pub(crate) const fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// How many seconds the clock stood before what was written last, if it did so at the last look.
    pub fn behind(&self) -> Option<i64> {
        self.behind_what().map(|(now, floor)| floor - now)
    }

    /// While the clock stands before what was written last: what it said at the last look, and a time that has been already.
    pub fn behind_what(&self) -> Option<(i64, i64)> {
        let (now, _) = self.last?;
        self.floor.filter(|_| self.behind).map(|floor| (now, floor))
    }

    /// Looks at the clock, which says `now` (unix seconds); tells a jump in seconds.
    pub fn look_at(&mut self, now: i64) -> Option<i64> {
        self.look(now, really_passed())
    }

    /// Looks at the clock, which says `now` (unix seconds) when `passed` seconds have really passed; tells a jump in seconds.
    fn look(&mut self, now: i64, passed: i64) -> Option<i64> {
        self.behind = self.floor.is_some_and(|floor| now < floor.saturating_sub(JUMP));
        let last = self.last.replace((now, passed));
        let (then, before) = last?;
        let jump = (now - then) - (passed - before);
        if jump.abs() <= JUMP {
            return None;
        }
        self.doubted = passed + DOUBT;
        Some(jump)
    }

    /// Whether the clock has jumped lately or stands before what was written last, so that a deadline may only seem to have passed.
    pub fn is_doubted(&self) -> bool {
        self.behind || self.last.is_some_and(|(_, passed)| passed < self.doubted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_of_the_clock_is_told_once_and_doubted_for_a_quarter_of_an_hour() {
        let mut watch = Watch::default();
        assert_eq!(watch.look(1_000_000, 0), None);
        assert_eq!(watch.look(1_000_200, 30), None, "a small drift");
        assert!(!watch.is_doubted());
        assert_eq!(watch.look(1_086_600, 31), Some(86_399));
        assert!(watch.is_doubted());
        assert_eq!(watch.look(1_086_601, 32), None);
        assert_eq!(watch.look(1_000_203, 33), Some(-86_399), "and set right again");
        assert_eq!(watch.look(1_001_103, 933), None);
        assert!(!watch.is_doubted());
    }

    #[test]
    fn the_time_of_an_entry_counts_unless_a_clock_in_doubt_has_dated_it() {
        let mut watch = Watch::default();
        watch.look(1_000_000, 0);
        watch.wrote(1_000_000);
        watch.look(1_864_000, 1);
        watch.wrote(1_864_000);
        watch.look(1_000_010, 10);
        assert_eq!(watch.behind(), None, "set right within the quarter of an hour: nothing has to wait");
        watch.look(1_864_020, 20);
        watch.look(1_864_920, 920);
        watch.wrote(1_864_920);
        watch.look(1_001_000, 1000);
        assert_eq!(watch.behind(), Some(863_920), "believed by then");
        // A store that is opened anew knows of less, and of no jump.
        let mut anew = Watch::default();
        anew.not_before(1_000_000);
        anew.carry_on(watch);
        assert_eq!((anew.behind(), anew.is_doubted()), (Some(863_920), true));
    }

    #[test]
    fn a_clock_before_the_last_entry_is_doubted_until_it_is_right() {
        let mut watch = Watch::default();
        watch.not_before(1_000_000);
        watch.not_before(900_000);
        assert_eq!(watch.look(999_800, 0), None);
        assert!(!watch.is_doubted(), "a small drift");
        watch.look(500_000, 1);
        assert_eq!((watch.is_doubted(), watch.behind()), (true, Some(500_000)));
        watch.look(500_900, 2000);
        assert!(watch.is_doubted(), "however long it takes");
        watch.look(1_000_100, 2001);
        watch.look(1_001_001, 2902);
        assert_eq!((watch.is_doubted(), watch.behind()), (false, None));
    }
}
