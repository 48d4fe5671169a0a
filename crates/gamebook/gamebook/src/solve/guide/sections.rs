//! Best play in sections: what is asked there, and what is chosen in which situation.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::terms::SectionNumber;

/// Best play in every section to which it can come.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The sections, by number.
    pub sections: BTreeMap<SectionNumber, SectionGuide>,
}

/// Best play in a section. Probabilities are those of a whole play, seen from its beginning.
#[derive(Clone, Debug, Default)]
pub struct SectionGuide {
    /// Ever coming here, by the section before it (`None`: play begins here). A hero who comes again from elsewhere
    /// counts in both.
    pub from: BTreeMap<Option<SectionNumber>, f64>,
    /// Dying here, by the section from which he came.
    pub deaths: BTreeMap<Option<SectionNumber>, f64>,
    /// What is asked here.
    pub questions: Vec<QuestionGuide>,
}

/// A question to the player, in all situations in which best play is asked it.
#[derive(Clone, Debug)]
pub struct QuestionGuide {
    /// What it is about, when it is none of the author's choices: `a meal`, `the fight`.
    pub about: Option<String>,
    /// How likely each of the situations is in which it is asked, all together: more than [`ever`](Self::ever) where play
    /// can come to several of them.
    pub asked: f64,
    /// The probability that it is ever asked.
    pub ever: f64,
    /// The answers.
    pub answers: Vec<AnswerGuide>,
    /// What is chosen with what, the most likely first.
    pub situations: Vec<SituationGuide>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct AnswerGuide {
    /// What it is called; can be empty.
    pub label: String,
    /// The section to which it leads at once.
    pub section: Option<SectionNumber>,
    /// How often it can be given, on the scale of [`QuestionGuide::asked`].
    pub offered: f64,
    /// The probability that it can ever be given.
    pub ever: f64,
    /// How often best play gives it.
    pub taken: f64,
    /// How often no other answer is better, as far as the solution tells: what the bounds of a solution in floating
    /// point cannot tell apart counts as equally good.
    pub best: f64,
    /// The probability to win with it and best play afterwards, on the average of when it can be given; `None` where
    /// it is not always known: the solution need not look at what follows an answer if another is surely as good.
    pub win: Option<f64>,
}

/// Situations that differ in ENDURANCE and gold alone, and in which best play gives the same answer.
#[derive(Clone, Debug)]
pub struct SituationGuide {
    /// Items and how many of each.
    pub items: Vec<(String, u16)>,
    /// Flags that are set.
    pub flags: Vec<String>,
    /// The range of ENDURANCE. Others in it may have another answer.
    pub endurance: RangeInclusive<u16>,
    /// The range of gold.
    pub gold: RangeInclusive<u16>,
    /// How likely, on the scale of [`QuestionGuide::asked`].
    pub probability: f64,
    /// The place of the answer in [`QuestionGuide::answers`].
    pub taken: usize,
    /// The probability to win; `None` where it is not always known.
    pub win: Option<f64>,
}
