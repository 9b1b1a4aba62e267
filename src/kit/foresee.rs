//! Foresight: what a seat's own orders lead to as far as nobody else acts, played by the rules themselves.
//!
//! The seat's own part of a step runs on the position that it believes in, once with the kindest dice and once with the harshest. What both courses
//! agree in is sure. What differs hangs on a die.

use musterd_dice::{Label, Roller};
use musterd_engine::{EventsByLine, Fold, Scribe};

/// The luck of a course. Each die in it is thrown against the seat: a low face is a kind one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// All dice show their lowest face.
    Kindest,
    /// All dice show their highest face.
    Harshest,
}

/// What the orders lead to with such dice.
pub struct Course<R: Fold, T> {
    /// The position in the end.
    pub end: R::State,
    /// The events in their order, each run of them with the line of the order that it comes of.
    pub events: EventsByLine<R::Event>,
    /// What the rules say of the orders beside their events.
    pub said: T,
}

impl<R: Fold, T> Course<R, T> {
    /// The events that come of the order in a line.
    pub fn of(&self, line: Option<usize>) -> impl Iterator<Item = &R::Event> {
        self.events.iter().filter(move |(of, _)| *of == line).flat_map(|(_, events)| events)
    }
}

/// What a seat can foresee of its orders.
pub struct Foresight<R: Fold, T> {
    /// The course with the best dice: the only one if no die is thrown.
    pub kindest: Course<R, T>,
    /// The course with the worst dice.
    harshest: Option<Course<R, T>>,
}

/// Something that both courses tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foreseen<V> {
    /// In both the same.
    Sure(V),
    /// It hangs on a die.
    Open {
        /// With the best dice.
        kindest: V,
        /// With the worst ones.
        harshest: V,
    },
}

impl<R: Fold, T> Foresight<R, T> {
    /// Runs a seat's own part of a step, in which only dice against the seat are thrown. `believed` is the position as the seat knows it, at the end of
    /// what it can guess that suits the course best. The two positions may differ only in what dice are thrown for: if the kindest course throws none, the
    /// harshest isn't run, and what the kindest tells is sure.
    pub fn of(rules: &R, believed: impl Fn(Luck) -> R::State, run: impl Fn(&mut Scribe<'_, R>) -> T) -> Self {
        let course = |luck| {
            let mut dice = Faces { luck, thrown: false };
            let mut scribe = Scribe::new(rules, believed(luck), 1, &mut dice);
            let said = run(&mut scribe);
            let (end, events) = scribe.finish_by_line();
            (Course { end, events, said }, dice.thrown)
        };
        let (kindest, thrown) = course(Luck::Kindest);
        Self { kindest, harshest: thrown.then(|| course(Luck::Harshest).0) }
    }

    /// The course with the worst dice.
    pub fn harshest(&self) -> &Course<R, T> {
        self.harshest.as_ref().unwrap_or(&self.kindest)
    }

    /// What both courses tell.
    pub fn tell<V: PartialEq>(&self, tell: impl Fn(&Course<R, T>) -> V) -> Foreseen<V> {
        let kindest = tell(&self.kindest);
        match self.harshest.as_ref().map(tell) {
            Some(harshest) if harshest != kindest => Foreseen::Open { kindest, harshest },
            _ => Foreseen::Sure(kindest),
        }
    }
}

/// Dice that all show their lowest face, or their highest.
struct Faces {
    luck: Luck,
    /// Whether any was thrown.
    thrown: bool,
}

impl Roller for Faces {
    fn roll(&mut self, _: &Label, count: u32, sides: u32) -> Vec<u32> {
        self.thrown = true;
        let face = match self.luck {
            Luck::Kindest => 1,
            Luck::Harshest => sides,
        };
        vec![face; count as usize]
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use musterd_engine::LabelStem;

    use super::*;

    struct Walk;

    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    struct Step(u32);

    impl Fold for Walk {
        type State = u32;
        type Event = Step;

        fn apply(&self, at: &mut u32, step: &Step) {
            *at += step.0;
        }
    }

    /// A step of the first line is sure, the second's is thrown for unless it is left out, the third's depends on where that led.
    fn foresight(throws: bool) -> Foresight<Walk, u32> {
        let run = |scribe: &mut Scribe<'_, Walk>| {
            scribe.record(Step(0));
            scribe.take_in_hand(Some(1));
            scribe.record(Step(3));
            if throws {
                scribe.take_in_hand(Some(2));
                let stem = LabelStem { phase: "walk", kind: "step", subject: "w".to_owned() };
                let die = scribe.die(&stem, 6);
                scribe.record(Step(die));
            }
            scribe.take_in_hand(Some(3));
            let at = *scribe.state();
            scribe.record(Step(at));
            scribe.take_in_hand(Some(1));
            scribe.record(Step(7));
            at
        };
        Foresight::of(&Walk, |luck| u32::from(luck == Luck::Harshest), run)
    }

    #[test]
    fn what_both_courses_tell_is_sure_and_the_rest_is_told_of_both() {
        let foresight = foresight(true);
        let of = |line| foresight.tell(move |course| course.of(line).map(|step| step.0).collect::<Vec<_>>());
        assert_eq!(of(None), Foreseen::Sure(vec![0]));
        assert_eq!(of(Some(1)), Foreseen::Sure(vec![3, 7]), "also what a later order brings about");
        assert_eq!(of(Some(2)), Foreseen::Open { kindest: vec![1], harshest: vec![6] });
        assert_eq!(of(Some(3)), Foreseen::Open { kindest: vec![4], harshest: vec![10] });
        assert_eq!((foresight.kindest.said, foresight.kindest.end), (4, 15));
        assert_eq!((foresight.harshest().said, foresight.harshest().end), (10, 27));
    }

    #[test]
    fn without_a_die_there_is_one_course() {
        let foresight = foresight(false);
        assert_eq!(foresight.tell(|course| course.end), Foreseen::Sure(13));
        assert_eq!(foresight.harshest().end, 13);
    }
}
