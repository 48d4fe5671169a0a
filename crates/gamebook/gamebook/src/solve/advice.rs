//! The worth of each answer to a question.

use std::cmp::Ordering;

use mdp::{ExploreOptions, Standing, Value};

use super::question::Question;
use super::solve_error::SolveBookError;
use super::solved::{Solved, Stops};
use crate::book::Book;
use crate::machine::{Action, Machine, Move};
use crate::program::State;
use crate::terms::SectionNumber;

/// An answer to a question and its worth.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The answer's label.
    pub label: String,
    /// What optimal play does right afterwards, if the answer only makes room for that or leaves an item for it: `drop rope`,
    /// then `buy meal for 2`.
    pub then: Option<String>,
    /// The section to which the answer leads without another question.
    pub section: Option<SectionNumber>,
    /// The probability of winning after the answer; `None` if it is unknown: the answer leads to states that were not explored
    /// because another answer is surely as good.
    pub win: Option<Value>,
    /// Whether no other answer is better. This is proved where values are exact, and where answers with overlapping bounds
    /// could be compared exactly within limits; otherwise no other answer is surely better.
    pub best: bool,
    /// How the answer compares with optimal play. A player who always gives the answer that is [first](Standing::First) wins as
    /// often as possible.
    pub standing: Standing,
}

/// The most items discarded or left, one after another, before the action for which this made room.
const MOST_STEPS: usize = 40;

impl Solved {
    /// The first question of the game and the worth of each answer, in the book's order. Empty if a chance or the end comes
    /// first.
    pub fn advise(&self) -> Vec<Advice> {
        let start = self.whole().first_question();
        if Machine::end(&start).is_some() || self.whole().enters(&start) {
            return Vec::new();
        }
        self.advise_at(&start)
    }

    /// The worth of the answers in a state of the unreduced game, without those that waste something.
    pub(crate) fn advise_at(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |action| !self.whole().wastes(state, action), true)
    }

    /// The same, without exact comparisons.
    pub(crate) fn advise_roughly(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |action| !self.whole().wastes(state, action), false)
    }

    /// The worth of all answers in a state of the unreduced game, including those that waste something.
    pub(crate) fn advise_on_all(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |_| true, true)
    }

    fn advise_on(&self, state: &State, wanted: impl Fn(Action) -> bool, exactly: bool) -> Vec<Advice> {
        let mut moves = Vec::new();
        self.whole().moves(state, usize::MAX, &mut moves);
        if moves.is_empty() {
            return Vec::new();
        }
        let chosen = self.choose(state, &moves);
        let (wins, best) = self.best_answers(&moves, chosen, exactly, &mut Stops::default());
        let standings = self.standings(state, &moves, chosen, (&wins, &best));
        moves
            .iter()
            .zip(wins.into_iter().zip(standings))
            .filter(|(answer, (_, standing))| *standing == Standing::First || wanted(answer.action))
            .map(|(answer, (win, standing))| Advice {
                label: self.whole().describe_action(state, answer.action),
                then: self.then(state, answer),
                section: self.whole().leads_to(&answer.state).map(|own| self.whole().program.shown_section(own)),
                win,
                best: standing.is_best(),
                standing,
            })
            .collect()
    }

    /// What optimal play does right after an answer that only discards something or leaves an item.
    fn then(&self, state: &State, answer: &Move) -> Option<String> {
        let whole = self.whole();
        let makes_way = |state: &State, action: Action| whole.throws_away(state, action) || whole.leaves(state, action);
        if !makes_way(state, answer.action) {
            return None;
        }
        let section = whole.section(state);
        let mut stop = whole.first_question_from(answer.state);
        for _ in 0..MOST_STEPS {
            let is_over = Machine::end(&stop).is_some() || whole.section(&stop) != section;
            if is_over || whole.about(&stop).is_none() {
                return None;
            }
            let mut moves = Vec::new();
            whole.moves(&stop, usize::MAX, &mut moves);
            let chosen = moves.get(self.choose(&stop, &moves))?;
            if !makes_way(&stop, chosen.action) {
                // Only if it gets something: that is what room was made for.
                return whole.gets(&stop, chosen.action).then(|| whole.describe_action(&stop, chosen.action));
            }
            stop = whole.first_question_from(chosen.state);
        }
        None
    }
}

impl Solved {
    /// Solves a book from the hero's situation and lists the answers to the first question, optimal play's first. Empty if a
    /// chance comes first. All answers are evaluated even if the book is surely won.
    ///
    /// ```
    /// # use gamebook::{Question, Solved, read};
    /// # let text = r#"
    /// #     book "Doors" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { choice "left" { death "a pit"; }; choice "right" { goto 2; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// let (book, _) = read(text)?;
    /// let (solved, answers) = Solved::advised(&book, &Question::new(&book), &mdp::ExploreOptions::default())?;
    /// assert_eq!(solved.win().decimal(), 1.0);
    /// assert_eq!((answers[0].label.as_str(), answers[0].best), ("right", true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn advised(
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<(Self, Vec<Advice>), SolveBookError> {
        advised(question, &|question| Self::new(book, question, options))
    }
}

/// The solution of a question, and the answers to the first question of its game, optimal play's first.
pub(crate) fn advised(
    question: &Question,
    solve: &dyn Fn(&Question) -> Result<Solved, SolveBookError>,
) -> Result<(Solved, Vec<Advice>), SolveBookError> {
    let mut solved = solve(question)?;
    let mut answers = solved.advise();
    if solved.win().lower >= 1.0 && answers.iter().any(|answer| answer.win.is_none()) {
        // One answer surely wins, so the others were not explored.
        let mut question = question.clone();
        question.analyses.sure = false;
        solved = solve(&question)?;
        answers = solved.advise();
    }
    answers.sort_by(Advice::best_first);
    Ok((solved, answers))
}

impl Advice {
    /// Optimal play's answer first, then the best; answers of unknown worth last.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let worth = |answer: &Self| answer.win.as_ref().map_or(-1.0, Value::decimal);
        self.standing.cmp(&other.standing).then_with(|| worth(other).total_cmp(&worth(self)))
    }
}
