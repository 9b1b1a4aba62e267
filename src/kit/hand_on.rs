//! The methods of a ruleset that only hand on to a function.

#[doc(hidden)]
pub use musterd_dice::statistics::Trial;
#[doc(hidden)]
pub use musterd_engine::briefing::Briefing;
#[doc(hidden)]
pub use musterd_engine::files::{DataErrors, RuleFiles};
#[doc(hidden)]
pub use musterd_engine::orders::{Likeness, OrderUse, Reading, Recap, Remark};
#[doc(hidden)]
pub use musterd_engine::{Examination, Founding, Input, Ride, Scribe, Seat, SeatSpec, as_data};
#[doc(hidden)]
pub use serde_json::value::RawValue;

/// Writes methods of [`Ruleset`](musterd_engine::Ruleset) in its implementation, each with the function that does it: `hand_on! { view => fog::view,
/// form => form::form, }`. A function takes what its method takes, the rules before the rest; but `shows_roll` is not told the kind of the roll, and
/// `published` gives what is then written as data.
#[macro_export]
macro_rules! hand_on {
    ($($method:ident => $function:path,)+) => {$(
        $crate::handed_on! { $method $function }
    )+};
}

/// One method of [`hand_on!`].
#[doc(hidden)]
#[macro_export]
macro_rules! handed_on {
    (load $to:path) => {
        fn load(founding: &$crate::hand_on::Founding<'_>) -> Result<Self, $crate::hand_on::DataErrors> {
            $to(founding)
        }
    };
    (examine $to:path) => {
        fn examine(files: &$crate::hand_on::RuleFiles, file: &str) -> $crate::hand_on::Examination {
            $to(files, file)
        }
    };
    (chart $to:path) => {
        fn chart(&self, map: bool) -> $crate::hand_on::Briefing {
            $to(self, map)
        }
    };
    (seats $to:path) => {
        fn seats(&self) -> &[$crate::hand_on::SeatSpec] {
            $to(self)
        }
    };
    (found $to:path) => {
        fn found(&self) -> Self::State {
            $to(self)
        }
    };
    (view $to:path) => {
        fn view(&self, state: &Self::State, to: &$crate::hand_on::Seat) -> Self::View {
            $to(self, state, to)
        }
    };
    (witness $to:path) => {
        fn witness(
            &self,
            before: &Self::State,
            event: &Self::Event,
            to: &$crate::hand_on::Seat,
        ) -> Option<Self::Sight> {
            $to(self, before, event, to)
        }
    };
    (shows_roll $to:path) => {
        fn shows_roll(&self, phase: &str, _: &str, subject: &str, to: &$crate::hand_on::Seat) -> bool {
            $to(self, phase, subject, to)
        }
    };
    (filed $to:path) => {
        fn filed(&self, event: &Self::Event) -> Option<($crate::hand_on::Seat, Vec<String>)> {
            $to(self, event)
        }
    };
    (read_orders $to:path) => {
        fn read_orders(&self, view: &Self::View, text: &str) -> $crate::hand_on::Reading<Self::Order> {
            $to(self, view, text)
        }
    };
    (likeness $to:path) => {
        fn likeness(&self, line: &str) -> $crate::hand_on::Likeness {
            $to(self, line)
        }
    };
    (offered $to:path) => {
        fn offered(&self, view: &Self::View) -> Vec<$crate::hand_on::OrderUse> {
            $to(self, view)
        }
    };
    (contact $to:path) => {
        fn contact(&self, view: &Self::View) -> Option<String> {
            $to(self, view)
        }
    };
    (read_back $to:path) => {
        fn read_back(
            &self,
            view: &Self::View,
            text: &str,
        ) -> ($crate::hand_on::Reading<Self::Order>, $crate::hand_on::Recap) {
            $to(self, view, text)
        }
    };
    (reach $to:path) => {
        fn reach(
            &self,
            view: &Self::View,
            text: &str,
        ) -> Result<$crate::hand_on::Briefing, $crate::hand_on::Remark> {
            $to(self, view, text)
        }
    };
    (ride $to:path) => {
        fn ride(
            &self,
            state: &Self::State,
            from: &$crate::hand_on::Seat,
            to: &$crate::hand_on::Seat,
        ) -> Option<$crate::hand_on::Ride> {
            $to(self, state, from, to)
        }
    };
    (step $to:path) => {
        fn step(
            &self,
            scribe: &mut $crate::hand_on::Scribe<'_, Self>,
            input: &$crate::hand_on::Input<Self::Order>,
        ) {
            $to(self, scribe, input);
        }
    };
    (amendments $to:path) => {
        fn amendments(&self) -> Vec<$crate::hand_on::OrderUse> {
            $to(self)
        }
    };
    (amend $to:path) => {
        fn amend(
            &self,
            state: &Self::State,
            text: &str,
        ) -> Result<Vec<Self::Event>, $crate::hand_on::Remark> {
            $to(self, state, text)
        }
    };
    (trials $to:path) => {
        fn trials(&self, events: &[Self::Event]) -> Vec<$crate::hand_on::Trial> {
            $to(self, events)
        }
    };
    (brief $to:path) => {
        fn brief(&self, view: &Self::View, sights: &[Self::Sight]) -> $crate::hand_on::Briefing {
            $to(self, view, sights)
        }
    };
    (concealed $to:path) => {
        fn concealed(&self, view: &Self::View) -> std::collections::BTreeSet<String> {
            $to(self, view)
        }
    };
    (shown $to:path) => {
        fn shown(
            &self,
            view: &Self::View,
            sights: &[Self::Sight],
            hidden: &std::collections::BTreeSet<String>,
        ) -> $crate::hand_on::Briefing {
            $to(self, view, sights, hidden)
        }
    };
    (overview $to:path) => {
        fn overview(&self, state: &Self::State) -> Option<$crate::hand_on::Briefing> {
            $to(self, state)
        }
    };
    (history $to:path) => {
        fn history(&self, view: &Self::View) -> $crate::hand_on::Briefing {
            $to(self, view)
        }
    };
    (published $to:path) => {
        fn published(&self, view: &Self::View) -> Box<$crate::hand_on::RawValue> {
            $crate::hand_on::as_data(&$to(self, view))
        }
    };
    (form $to:path) => {
        fn form(&self, view: &Self::View) -> Vec<String> {
            $to(self, view)
        }
    };
    (play $to:path) => {
        fn play(&self, view: &Self::View, skill: Self::Skill, seed: u64) -> String {
            $to(self, view, skill, seed)
        }
    };
}
