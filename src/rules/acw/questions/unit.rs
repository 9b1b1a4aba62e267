//! Brigades as a question names them.

use std::collections::BTreeMap;

use musterd_engine::alike;
use musterd_engine::calls::{CallError, Installation};

use crate::model::Arm;
use crate::numbers::{Gun, Numbers, SmallArms};
use crate::order::Act;
use crate::values::Fighter;

/// How to write brigades, for the help.
pub(super) const UNITS: &str = "A brigade is its men, its type and its arms, such as 1800 infantry rifle-musket, in any order. Types are infantry, \
    mounted-infantry, cavalry and artillery; arms and guns are the words of scenarios: rifle-musket, smoothbore, carbine, 6 napoleon for six guns. Say \
    EXPERIENCE 6, LEADERSHIP 7, REGIMENTS 5, COHESION 4, its ground (IN woods), WORKS 2, its order (assault, skirmish, advance, withdraw, reserve), SURPRISED, \
    ENCAMPED, SHATTERED, MOVED if it moved in the last turn. Else it has 1800 men in four regiments with rifle muskets, ratings of 5, cohesion 6, and skirmishes in \
    fields.";

/// The tables of the installation.
pub(super) fn numbers(at: &mut dyn Installation) -> Result<Numbers, CallError> {
    Ok(Numbers::load(&at.files()?)?)
}

/// A brigade as a question names it.
pub(super) struct Asked {
    pub(super) arm: Arm,
    pub(super) men: u32,
    pub(super) small_arms: Option<(String, SmallArms)>,
    pub(super) guns: Option<(u32, String, Gun)>,
    pub(super) regiments: i32,
    pub(super) experience: i32,
    pub(super) leadership: i32,
    pub(super) cohesion: i32,
    pub(super) ground: String,
    pub(super) cover: i32,
    pub(super) works: i32,
    pub(super) act: Act,
    pub(super) surprised: bool,
    pub(super) encamped: bool,
    pub(super) shattered: bool,
    pub(super) moved: bool,
}

/// A word of a question.
#[derive(Clone)]
enum Word {
    Arm(Arm),
    SmallArms(String, SmallArms),
    Gun(String, Gun),
    Ground(String, i32),
    Act(Act),
    /// Words with a number behind them.
    Figure(Figure),
    Surprised,
    Encamped,
    Shattered,
    Moved,
}

#[derive(Clone, Copy)]
enum Figure {
    Experience,
    Leadership,
    Regiments,
    Cohesion,
    Works,
}

/// All that can be said of a brigade, in small letters.
fn vocabulary(numbers: &Numbers) -> BTreeMap<String, Word> {
    let mut words: BTreeMap<String, Word> = BTreeMap::new();
    let mut say = |text: &str, word: Word| words.insert(text.to_lowercase(), word);
    for arm in Arm::ALL {
        say(arm.words(), Word::Arm(arm));
        say(&arm.words().replace(' ', "-"), Word::Arm(arm));
    }
    for (word, arms) in &numbers.small_arms {
        say(word, Word::SmallArms(word.clone(), arms.clone()));
    }
    for (word, gun) in &numbers.guns {
        // A word for both is one of small arms; guns have a number before them.
        let text = if numbers.small_arms.contains_key(word) { format!("{word}-guns") } else { word.clone() };
        say(&text, Word::Gun(word.clone(), gun.clone()));
    }
    for (_, name, terrain) in numbers.grounds() {
        say(&format!("in {name}"), Word::Ground(name.to_owned(), terrain.cover));
    }
    for act in Act::ENGAGED.into_iter().chain([Act::Reserve, Act::Stand]) {
        say(act.word(), Word::Act(act));
    }
    for (word, figure) in [
        ("experience", Figure::Experience),
        ("leadership", Figure::Leadership),
        ("regiments", Figure::Regiments),
        ("cohesion", Figure::Cohesion),
        ("works", Figure::Works),
    ] {
        say(word, Word::Figure(figure));
    }
    say("surprised", Word::Surprised);
    say("encamped", Word::Encamped);
    say("shattered", Word::Shattered);
    say("moved", Word::Moved);
    words
}

/// The most guns that can be asked about.
const MOST_GUNS: u32 = 200;
/// The most words of one name.
const LONGEST: usize = 3;

/// Why a word says nothing of a brigade.
fn unheard(numbers: &Numbers, word: &str, vocabulary: &BTreeMap<String, Word>) -> String {
    if word == "in" {
        let grounds: Vec<String> = numbers.grounds().map(|(_, name, _)| format!("in {name}")).collect();
        return format!("the ground of a brigade is one of these: {}", grounds.join(", "));
    }
    let near = alike::meant(word, vocabulary.keys().map(String::as_str));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("`{word}` is nothing that is said of a brigade{hint}")
}

/// The brigade that words name.
pub(super) fn read(numbers: &Numbers, mut words: &[&str]) -> Result<Asked, String> {
    let vocabulary = vocabulary(numbers);
    let mut asked = Asked::usual(numbers);
    while let Some(word) = words.first() {
        let known = |length: &usize| vocabulary.get(&words.get(..*length)?.join(" "));
        let found = (1..=LONGEST).rev().find_map(|length| known(&length).map(|word| (length, word)));
        if let Some((length, meant)) = found {
            words = &words[length..];
            asked.take(meant, &mut words)?;
            continue;
        }
        let Ok(number) = word.parse::<u32>() else { return Err(unheard(numbers, word, &vocabulary)) };
        words = &words[1..];
        match words.first().and_then(|next| vocabulary.get(*next)) {
            Some(Word::Gun(name, gun)) => {
                words = &words[1..];
                if number > MOST_GUNS {
                    return Err(format!("a brigade has up to {MOST_GUNS} guns, not {number}"));
                }
                asked.guns = Some((number, name.clone(), gun.clone()));
            }
            _ if (1..=30_000).contains(&number) => asked.men = number,
            _ => return Err(format!("a brigade has from 1 to 30000 men, not {number}")),
        }
    }
    if asked.arm == Arm::Artillery {
        (asked.small_arms, asked.regiments) = (None, 0);
        if asked.guns.is_none() {
            return Err("say how many guns an artillery brigade has, and which: 12 napoleon".to_owned());
        }
    }
    Ok(asked)
}

impl Asked {
    /// A brigade of which nothing is said.
    fn usual(numbers: &Numbers) -> Self {
        let musket =
            numbers.small_arms.get_key_value("rifle-musket").or_else(|| numbers.small_arms.iter().next());
        let cover = numbers
            .grounds()
            .find(|(_, name, _)| *name == "fields")
            .map_or(0, |(_, _, terrain)| terrain.cover);
        Self {
            arm: Arm::Infantry,
            men: 1800,
            small_arms: musket.map(|(word, arms)| (word.clone(), arms.clone())),
            guns: None,
            regiments: 4,
            experience: 5,
            leadership: 5,
            cohesion: 6,
            ground: "fields".to_owned(),
            cover,
            works: 0,
            act: Act::Skirmish,
            surprised: false,
            encamped: false,
            shattered: false,
            moved: false,
        }
    }

    fn take(&mut self, word: &Word, words: &mut &[&str]) -> Result<(), String> {
        match word {
            Word::Arm(arm) => self.arm = *arm,
            Word::SmallArms(name, arms) => self.small_arms = Some((name.clone(), arms.clone())),
            Word::Gun(name, _) => return Err(format!("say how many guns: 6 {name}")),
            Word::Ground(name, cover) => (self.ground, self.cover) = (name.clone(), *cover),
            Word::Act(act) => self.act = *act,
            Word::Surprised => self.surprised = true,
            Word::Encamped => self.encamped = true,
            Word::Shattered => self.shattered = true,
            Word::Moved => self.moved = true,
            Word::Figure(figure) => {
                let (of, most, what) = match figure {
                    Figure::Experience => (&mut self.experience, 9, "experience"),
                    Figure::Leadership => (&mut self.leadership, 9, "leadership"),
                    Figure::Regiments => (&mut self.regiments, 30, "regiments"),
                    Figure::Cohesion => (&mut self.cohesion, 7, "cohesion"),
                    Figure::Works => (&mut self.works, 3, "works"),
                };
                let number = words.first().and_then(|word| word.parse().ok());
                *words = words.get(1..).unwrap_or_default();
                let fits = number.filter(|number| (0..=most).contains(number));
                *of = fits.ok_or_else(|| format!("`{what}` wants a number up to {most} behind it"))?;
            }
        }
        Ok(())
    }

    pub(super) fn fighter(&self) -> Fighter<'_> {
        Fighter {
            arm: self.arm,
            men: self.men,
            guns: self.guns.as_ref().map_or(0, |(guns, ..)| *guns),
            regiments: self.regiments,
            small_arms: self.small_arms.as_ref().map(|(_, arms)| arms),
            gun: self.guns.as_ref().map(|(.., gun)| gun),
            experience: self.experience,
            leadership: self.leadership,
            cohesion: self.cohesion,
            act: self.act,
            surprised: self.surprised,
            encamped: self.encamped,
            moved: self.moved,
            cover: self.cover,
            works: self.works,
        }
    }

    /// In words.
    pub(super) fn told(&self) -> String {
        let mut said = vec![format!("{} men, {}", self.men, self.arm.words())];
        said.extend(self.small_arms.as_ref().map(|(_, arms)| arms.name.clone()));
        said.extend(self.guns.as_ref().map(|(guns, _, gun)| format!("{guns} guns ({})", gun.name)));
        let regiments = match (self.arm, self.regiments) {
            // Batteries are in no regiments.
            (Arm::Artillery, _) => String::new(),
            (_, regiments) => {
                format!(" {},", musterd_text::nouns::counted(regiments, "regiment", "regiments"))
            }
        };
        said.push(format!(
            "experience {}, leadership {},{regiments} cohesion {}",
            self.experience, self.leadership, self.cohesion
        ));
        said.push(format!("in {}", self.ground));
        if self.works > 0 {
            said.push(format!("works {}", self.works));
        }
        let flags = [
            (self.surprised, "surprised"),
            (self.encamped, "in camp"),
            (self.shattered, "shattered"),
            (self.moved, "moved"),
        ];
        said.extend(flags.iter().filter(|(is, _)| *is).map(|(_, word)| (*word).to_owned()));
        said.join(", ")
    }
}
