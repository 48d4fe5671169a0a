//! The types of a guide: optimal play by section.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::terms::SectionNumber;

/// Optimal play in every section that it visits.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The sections, by number.
    pub sections: BTreeMap<SectionNumber, SectionGuide>,
}

/// Optimal play in a section. Probabilities are those at the beginning of the game.
#[derive(Clone, Debug, Default)]
pub struct SectionGuide {
    /// The probability of ever arriving here, by the previous section (`None`: the game begins here). A hero who arrives from
    /// two sections counts for both.
    pub from: BTreeMap<Option<SectionNumber>, f64>,
    /// The probability of dying here, by the previous section.
    pub deaths: BTreeMap<Option<SectionNumber>, f64>,
    /// The questions asked here.
    pub questions: Vec<QuestionGuide>,
}

/// A question to the player, summarised over all situations in which optimal play is asked it.
#[derive(Clone, Debug)]
pub struct QuestionGuide {
    /// The subject, if it is not one of the author's choices: `a meal`, `the fight`.
    pub about: Option<String>,
    /// The expected number of situations in which it is asked: more than [`ever`](Self::ever) if play can reach several of
    /// them.
    pub asked: f64,
    /// The probability that it is ever asked.
    pub ever: f64,
    /// The answers.
    pub answers: Vec<AnswerGuide>,
    /// The choice in each situation, the most likely first.
    pub situations: Vec<SituationGuide>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct AnswerGuide {
    /// Its label, which can be empty.
    pub label: String,
    /// The section to which it leads without another question.
    pub section: Option<SectionNumber>,
    /// How often it is possible, on the scale of [`QuestionGuide::asked`].
    pub offered: f64,
    /// The probability that it is ever possible.
    pub ever: f64,
    /// How often optimal play gives it.
    pub taken: f64,
    /// How often no other answer is better, as far as the solution shows: answers whose floating-point bounds overlap count as
    /// equally good.
    pub best: f64,
    /// The probability of winning with it and optimal play afterwards, averaged over the situations in which it is possible;
    /// `None` if it is unknown in some: successors of an answer are not explored if another is surely as good.
    pub win: Option<f64>,
}

/// Situations that differ only in ENDURANCE and gold and have the same optimal answer.
#[derive(Clone, Debug)]
pub struct SituationGuide {
    /// Items with their counts.
    pub items: Vec<(String, u16)>,
    /// Flags that are set.
    pub flags: Vec<String>,
    /// The range of ENDURANCE. Other situations in it may have another answer.
    pub endurance: RangeInclusive<u16>,
    /// The range of gold.
    pub gold: RangeInclusive<u16>,
    /// Its weight, on the scale of [`QuestionGuide::asked`].
    pub probability: f64,
    /// The index of the optimal answer in [`QuestionGuide::answers`].
    pub taken: usize,
    /// The probability of winning; `None` if it is unknown in some of the situations.
    pub win: Option<f64>,
}
