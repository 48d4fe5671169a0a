//! A section under best play.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use gamebook::{QuestionGuide, SectionNumber, SectionVisit};
use serde::Serialize;

/// How likely a section is.
#[derive(Serialize)]
pub struct Share {
    section: Option<SectionNumber>,
    probability: f64,
}

impl Share {
    pub fn new(section: Option<SectionNumber>, probability: f64) -> Self {
        Self { section, probability }
    }
}

fn shares(of: &BTreeMap<Option<SectionNumber>, f64>) -> Vec<Share> {
    let mut shares: Vec<Share> = of.iter().map(|(section, probability)| Share::new(*section, *probability)).collect();
    shares.sort_by(|left, right| right.probability.total_cmp(&left.probability));
    shares
}

/// A section under best play.
#[derive(Serialize)]
pub struct BestPlay<'a> {
    visited: f64,
    win_if_here: f64,
    from: Vec<Share>,
    deaths: Vec<Share>,
    questions: Vec<QuestionJson<'a>>,
}

#[derive(Serialize)]
struct QuestionJson<'a> {
    about: Option<&'a str>,
    asked: f64,
    ever: f64,
    answers: Vec<AnswerJson<'a>>,
    situations: Vec<SituationJson<'a>>,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    label: &'a str,
    section: Option<SectionNumber>,
    offered: f64,
    taken: f64,
    best: f64,
    win: Option<f64>,
}

#[derive(Serialize)]
struct SituationJson<'a> {
    items: &'a [(String, u16)],
    flags: &'a [String],
    endurance: [u16; 2],
    gold: [u16; 2],
    probability: f64,
    taken: usize,
    win: Option<f64>,
}

impl<'a> BestPlay<'a> {
    pub fn new(own: &'a gamebook::SectionGuide, visit: Option<&SectionVisit>) -> Self {
        Self {
            visited: visit.map_or(0.0, |visit| visit.visited),
            win_if_here: visit.map_or(0.0, |visit| visit.win_if_here),
            from: shares(&own.from),
            deaths: shares(&own.deaths),
            questions: own.questions.iter().map(QuestionJson::from).collect(),
        }
    }
}

impl<'a> From<&'a QuestionGuide> for QuestionJson<'a> {
    fn from(question: &'a QuestionGuide) -> Self {
        let ends = |range: &RangeInclusive<u16>| [*range.start(), *range.end()];
        let answers = question.answers.iter().map(|answer| AnswerJson {
            label: &answer.label,
            section: answer.section,
            offered: answer.offered,
            taken: answer.taken,
            best: answer.best,
            win: answer.win,
        });
        let situations = question.situations.iter().map(|situation| SituationJson {
            items: &situation.items,
            flags: &situation.flags,
            endurance: ends(&situation.endurance),
            gold: ends(&situation.gold),
            probability: situation.probability,
            taken: situation.taken,
            win: situation.win,
        });
        Self {
            about: question.about.as_deref(),
            asked: question.asked,
            ever: question.ever,
            answers: answers.collect(),
            situations: situations.collect(),
        }
    }
}
