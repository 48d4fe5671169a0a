//! Optimal play by section: the questions asked, the choice in each situation, and the previous section of the heroes who visit
//! it or die there.

mod ever;
mod remembering;
mod sections;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use budget::{Budget, Stopped};
use mdp::advanced::{in_own_pool, in_pool};
use mdp::{ExploreOptions, Policy, StateId, StateSpace, explore, rows, visit_probabilities};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::describe::Belongings;
use super::journey::{BestPlay, Journey, journey_over};
use super::solve_error::SolveBookError;
use super::solved::{Solved, Stops};
use crate::machine::{Action, End, Machine, Move};
use crate::program::State;
use crate::terms::SectionNumber;
use ever::{Asking, Ever};
use remembering::Remembering;

pub use sections::{AnswerGuide, Guide, QuestionGuide, SectionGuide, SituationGuide};

/// The most situations listed for a question.
const MOST_SITUATIONS: usize = 24;

impl Solved {
    /// Optimal play by section.
    ///
    /// ```
    /// # use gamebook::{Question, Solved, read};
    /// use mdp::ExploreOptions;
    ///
    /// let text = r#"
    ///     book "Toll" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 3
    ///     hero { combat-skill 15; endurance 25; }
    ///     section 1 { pick { when 0 4 { gain gold 5; }; else { }; }; goto 2; }
    ///     section 2 {
    ///         choice "pay" { require "gold >= 5"; goto 3; }
    ///         choice "swim" { pick { when 0 { goto 3; }; else { death "drowned"; }; }; }
    ///     }
    ///     section 3 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let options = ExploreOptions::default();
    /// let solved = Solved::new(&book, &Question::new(&book), &options)?;
    /// let bridge = &solved.guide(&options)?.sections[&2];
    /// assert_eq!((bridge.from[&Some(1)], bridge.deaths[&Some(1)]), (1.0, 0.45));
    /// let answers = &bridge.questions[0].answers;
    /// assert_eq!((answers[0].label.as_str(), answers[0].taken, answers[0].win), ("pay", 0.5, Some(1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn guide(&self, options: &ExploreOptions<'_>) -> Result<Guide, SolveBookError> {
        self.guide_over(&rows::explore(&BestPlay::new(self), options)?, options)
    }

    /// The same for optimal play that is already explored.
    fn guide_over(&self, best: &StateSpace<State>, options: &ExploreOptions<'_>) -> Result<Guide, SolveBookError> {
        let whole = self.whole();
        let space = explore(&Remembering::new(whole, best)?, options)?;
        let model = space.model();
        let policy =
            Policy::new(model, |_| 0).ok_or_else(|| SolveBookError::Engine("a state without a way on".into()))?;
        let followed = visit_probabilities(&policy, &space.starts()[0], options.budget)?;
        let mut guide = Guide::default();
        let entered = followed.by_key(|number| {
            let (number, before) = *space.state(number);
            let state = best.state(number);
            let dead = matches!(Machine::end(state), Some(End::Dead(_)));
            (!dead).then(|| (whole.section(state), before))
        })?;
        for (key, probability) in entered {
            if let Some((section, before)) = key {
                let sections = guide.sections.entry(section).or_default();
                sections.from.insert(before, probability.decimal());
            }
        }
        // Questions do not depend on the previous section.
        let mut asked = vec![0.0; best.states().len()];
        for (number, probability) in followed.iter() {
            let (number, before) = *space.state(number);
            let probability = probability.decimal();
            match Machine::end(best.state(number)) {
                Some(End::Dead(section)) => {
                    let deaths = guide.sections.entry(section).or_default().deaths.entry(before).or_default();
                    *deaths = (*deaths + probability).min(1.0);
                }
                Some(End::Won(_)) => {}
                None => asked[number as usize] += probability,
            }
        }
        let situations = best.states().iter().copied().zip(0..).zip(asked).filter(|(_, asked)| *asked > 0.0);
        let situations: Vec<VisitedState> =
            situations.map(|((state, number), probability)| VisitedState { state, number, probability }).collect();
        let QuestionCollector { sections, asking } = self.gather(&situations, options)?;
        let ever = Ever { followed: &followed, space: &space, whole, best, asking: &asking };
        let mut sections: BTreeMap<SectionNumber, Vec<QuestionGuide>> = sections
            .into_iter()
            .map(|(section, own)| (section, own.into_iter().map(|own| own.finish(whole)).collect()))
            .collect();
        ever.fill(&mut sections)?;
        for (section, questions) in sections {
            guide.sections.entry(section).or_default().questions = questions;
        }
        Ok(guide)
    }

    /// The journey and the guide of optimal play, computed in parallel.
    ///
    /// ```
    /// # use gamebook::{Question, Solved, read};
    /// use mdp::ExploreOptions;
    ///
    /// # let text = r#"
    /// #     book "Doors" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { choice "left" { goto 2; }; choice "right" { death "a pit"; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// let (book, _) = read(text)?;
    /// let options = ExploreOptions::default();
    /// let solved = Solved::new(&book, &Question::new(&book), &options)?;
    /// let (journey, guide) = solved.journey_and_guide(&options)?;
    /// assert_eq!((&journey.way[..], guide.sections[&2].from[&Some(1)]), (&[1, 2][..], 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn journey_and_guide(&self, options: &ExploreOptions<'_>) -> Result<(Journey, Guide), SolveBookError> {
        in_own_pool(options.threads, |_| {
            let best = rows::explore(&BestPlay::new(self), options)?;
            let journey = || journey_over(&best, self.whole(), false, options);
            let (journey, guide) = rayon::join(journey, || self.guide_over(&best, options));
            Ok((journey?, guide?))
        })
    }

    /// The questions asked in these states of the unreduced game, weighted by their visits.
    fn gather(
        &self,
        situations: &[VisitedState],
        options: &ExploreOptions<'_>,
    ) -> Result<QuestionCollector, SolveBookError> {
        /// The results of this many states are in memory at once.
        const AT_ONCE: usize = 1 << 14;
        /// Consecutive states per thread: they often have the same successors.
        const NEAR: usize = 1 << 9;
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let mut gathered = QuestionCollector::default();
        in_pool(options.threads, |_| {
            for situations in situations.chunks(AT_ONCE) {
                let near = |situations: &[VisitedState]| {
                    let mut found = Stops::default();
                    situations.iter().map(|own| self.asked(&own.state, &mut found)).collect::<Vec<_>>()
                };
                let asked = situations.par_chunks(NEAR).map(|own| budget.check().map(|()| near(own)));
                let asked = asked.collect::<Result<Vec<_>, Stopped>>()?;
                for (situated, asked) in situations.iter().zip(asked.into_iter().flatten()) {
                    let Some(asked) = asked else { continue };
                    let VisitedState { state, number, probability } = situated;
                    let questions = gathered.sections.entry(self.whole().section(state)).or_default();
                    let place = questions.iter().position(|other| other.key == asked.key).unwrap_or_else(|| {
                        questions.push(Gathering::new(asked.key.clone()));
                        questions.len() - 1
                    });
                    let offered = questions[place].add(self, state, *probability, asked);
                    gathered.asking.note(*number, place, offered);
                }
            }
            Ok(gathered)
        })
    }

    /// The question in a state; `None` if there is only one answer.
    fn asked(&self, state: &State, found: &mut Stops) -> Option<StateQuestion> {
        let whole = self.whole();
        let mut moves = Vec::new();
        whole.moves(state, usize::MAX, &mut moves);
        if moves.len() < 2 {
            return None;
        }
        let chosen = self.choose(state, &moves);
        let (wins, best) = self.best_answers(&moves, chosen, false, found);
        let wins = wins.into_iter().map(|win| win.map(|win| win.decimal())).collect();
        Some(StateQuestion { key: whole.question_key(state), moves, chosen, wins, best })
    }
}

/// A state of optimal play.
struct VisitedState {
    state: State,
    /// Its number in the state space.
    number: StateId,
    /// The expected number of visits.
    probability: f64,
}

/// The questions of each section.
#[derive(Default)]
struct QuestionCollector {
    sections: BTreeMap<SectionNumber, Vec<Gathering>>,
    asking: Asking,
}

/// A question in a state.
struct StateQuestion {
    key: QuestionKey,
    moves: Vec<Move>,
    /// The index of optimal play's answer.
    chosen: usize,
    /// The worth of each, if known.
    wins: Vec<Option<f64>>,
    /// Whether none is better.
    best: Vec<bool>,
}

/// Identifies a question, which can occur at several places of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct QuestionKey {
    about: Option<String>,
    /// The author's choices, by label index.
    labels: Vec<u32>,
}

impl Machine {
    fn question_key(&self, state: &State) -> QuestionKey {
        let Some(question) = self.question(state) else { return QuestionKey { about: None, labels: Vec::new() } };
        match self.about(state) {
            Some(about) => QuestionKey { about: Some(about.to_string()), labels: Vec::new() },
            None => QuestionKey { about: None, labels: question.labels() },
        }
    }
}

/// Identifies situations that are listed as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SituationKey {
    items: Vec<(String, u16)>,
    flags: Vec<String>,
    taken: usize,
}

/// The sums for a question.
struct Gathering {
    key: QuestionKey,
    asked: f64,
    /// The answers; `win` is a sum until `finish`.
    answers: Vec<AnswerGuide>,
    /// The index of the answer for an action at a place.
    known: Vec<(u32, Action, usize)>,
    alike: Vec<Alike>,
    /// The index in `alike` by the state without ENDURANCE and gold, and by the answer.
    known_alike: FxHashMap<(State, usize), usize>,
}

/// Situations that differ only in ENDURANCE and gold and have the same optimal answer, with the sums for a [`SituationGuide`].
struct Alike {
    /// One of them.
    state: State,
    taken: usize,
    endurance: RangeInclusive<u16>,
    gold: RangeInclusive<u16>,
    probability: f64,
    win: Option<f64>,
}

/// The smallest range that contains both.
fn both(one: &RangeInclusive<u16>, other: &RangeInclusive<u16>) -> RangeInclusive<u16> {
    *one.start().min(other.start())..=*one.end().max(other.end())
}

impl Gathering {
    fn new(key: QuestionKey) -> Self {
        let (answers, known, alike) = (Vec::new(), Vec::new(), Vec::new());
        Self { key, asked: 0.0, answers, known, alike, known_alike: FxHashMap::default() }
    }

    /// Adds a state; returns the indexes of the answers that are possible in it.
    fn add(&mut self, solved: &Solved, state: &State, probability: f64, asked: StateQuestion) -> Vec<usize> {
        let StateQuestion { moves, chosen, wins, best, .. } = asked;
        self.asked += probability;
        let (mut taken, mut taken_win) = (0, None);
        // Answers with the same label count once.
        let (mut met, mut met_best) = (BTreeSet::new(), BTreeSet::new());
        for (place, (answer, (win, best))) in moves.iter().zip(wins.into_iter().zip(best)).enumerate() {
            let own = self.answer(solved, state, answer);
            if best && met_best.insert(own) {
                self.answers[own].best += probability;
            }
            if met.insert(own) {
                self.answers[own].offered += probability;
                add(&mut self.answers[own].win, probability, win);
            }
            if place == chosen {
                self.answers[own].taken += probability;
                (taken, taken_win) = (own, win);
            }
        }
        let (endurance, gold, rest) = solved.whole().endurance_and_gold(state);
        let Self { alike, known_alike, .. } = self;
        let place = *known_alike.entry((rest, taken)).or_insert_with(|| {
            alike.push(Alike {
                state: *state,
                taken,
                endurance: endurance..=endurance,
                gold: gold..=gold,
                probability: 0.0,
                win: Some(0.0),
            });
            alike.len() - 1
        });
        let situation = &mut alike[place];
        situation.endurance = both(&situation.endurance, &(endurance..=endurance));
        situation.gold = both(&situation.gold, &(gold..=gold));
        situation.probability += probability;
        add(&mut situation.win, probability, taken_win);
        met.into_iter().collect()
    }

    /// The index of the answer for a move.
    fn answer(&mut self, solved: &Solved, state: &State, answer: &Move) -> usize {
        let known = self.known.iter().find(|(place, action, _)| *place == state.place() && *action == answer.action);
        if let Some((.., own)) = known {
            return *own;
        }
        let label = solved.whole().describe_action(state, answer.action);
        let section = solved.whole().leads_to(&answer.state);
        let own = self
            .answers
            .iter()
            .position(|other| other.label == label && (other.section == section || !label.is_empty()));
        let own = own.unwrap_or_else(|| {
            self.answers.push(AnswerGuide {
                label,
                section,
                offered: 0.0,
                ever: 0.0,
                taken: 0.0,
                best: 0.0,
                win: Some(0.0),
            });
            self.answers.len() - 1
        });
        self.known.push((state.place(), answer.action, own));
        own
    }

    fn finish(self, whole: &Machine) -> QuestionGuide {
        let mean = |sum: Option<f64>, weight: f64| sum.filter(|_| weight > 0.0).map(|sum| (sum / weight).min(1.0));
        let mut answers = self.answers;
        for answer in &mut answers {
            answer.win = mean(answer.win, answer.offered);
        }
        // Situations at different places, or with hidden differences, can look the same.
        let mut situations: BTreeMap<SituationKey, SituationGuide> = BTreeMap::new();
        for own in self.alike {
            let Alike { state, taken, endurance, gold, probability, win } = own;
            let Belongings { items, flags, .. } = whole.belongings(&state);
            let new = |key: &SituationKey| SituationGuide {
                items: key.items.clone(),
                flags: key.flags.clone(),
                endurance: endurance.clone(),
                gold: gold.clone(),
                probability: 0.0,
                taken,
                win: Some(0.0),
            };
            let situation = situations.entry(SituationKey { items, flags, taken }).or_insert_with_key(new);
            situation.endurance = both(&situation.endurance, &endurance);
            situation.gold = both(&situation.gold, &gold);
            situation.probability += probability;
            add(&mut situation.win, 1.0, win);
        }
        let mut situations: Vec<SituationGuide> = situations.into_values().collect();
        for situation in &mut situations {
            situation.win = mean(situation.win, situation.probability);
        }
        situations.sort_by(|left, right| right.probability.total_cmp(&left.probability));
        situations.truncate(MOST_SITUATIONS);
        QuestionGuide { about: self.key.about, asked: self.asked, ever: 0.0, answers, situations }
    }
}

/// Adds a worth times its probability to a sum; an unknown worth makes the sum unknown.
fn add(sum: &mut Option<f64>, probability: f64, win: Option<f64>) {
    *sum = sum.zip(win).map(|(sum, win)| sum + probability * win);
}
