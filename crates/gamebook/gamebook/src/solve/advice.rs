//! What answers to questions are worth.

use std::cmp::Ordering;

use mdp::{ExploreOptions, Standing, Value};

use super::question::Question;
use super::solve_error::SolveBookError;
use super::solved::{Solved, Stops};
use crate::book::Book;
use crate::machine::{Action, Machine, Move};
use crate::program::State;
use crate::terms::SectionNumber;

/// One answer to a question, and what it is worth.
#[derive(Clone, Debug)]
pub struct Advice {
    /// What it is called.
    pub label: String,
    /// What best play does at once after it, where it only makes room for that, or leaves something for it: `drop rope`, then
    /// `buy meal for 2`.
    pub then: Option<String>,
    /// The section to which it leads at once.
    pub section: Option<SectionNumber>,
    /// The probability to win, taking it; `None` where it is not known: the answer leads to situations that the
    /// solution did not need to look at, since another answer is surely as good.
    pub win: Option<Value>,
    /// Whether no other answer is better: proved where the values are exact, and where what bounds cannot tell apart
    /// could be solved exactly within limits; else no other is surely better.
    pub best: bool,
    /// How it stands beside the one that best play gives: who gives the first, here and wherever play comes to, wins as often as
    /// can be.
    pub standing: Standing,
}

/// So many things are thrown away or left, one after another, before something else is done for which it was.
const MOST_STEPS: usize = 40;

impl Solved {
    /// The first question of the play, and what each answer is worth, in the book's order. Empty
    /// when nothing is asked before chance has its say or play ends.
    pub fn advise(&self) -> Vec<Advice> {
        let start = self.whole().first_question();
        if Machine::end(&start).is_some() || self.whole().enters(&start) {
            return Vec::new();
        }
        self.advise_at(&start)
    }

    /// What every answer that wastes nothing is worth in a situation of the whole game.
    pub(crate) fn advise_at(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |action| !self.whole().wastes(state, action), true)
    }

    /// The same as far as bounds say it.
    pub(crate) fn advise_roughly(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |action| !self.whole().wastes(state, action), false)
    }

    /// What every answer is worth in a situation of the whole game, also those that only waste something.
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

    /// What best play does at once after an answer that only throws something away, or leaves what lies there.
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
                // Only what was made room for, or is had instead.
                return whole.gets(&stop, chosen.action).then(|| whole.describe_action(&stop, chosen.action));
            }
            stop = whole.first_question_from(chosen.state);
        }
        None
    }
}

impl Solved {
    /// Solves a book from where the hero stands, and lists the answers to the first question there, that of best play first;
    /// empty where nothing is asked before chance has its say. Where the book is surely won all answers are looked at all the same.
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

/// What a question is worth and every answer to the first one of its game, that of best play first, where `solve` solves it.
pub(crate) fn advised(
    question: &Question,
    solve: &dyn Fn(&Question) -> Result<Solved, SolveBookError>,
) -> Result<(Solved, Vec<Advice>), SolveBookError> {
    let mut solved = solve(question)?;
    let mut answers = solved.advise();
    if solved.win().lower >= 1.0 && answers.iter().any(|answer| answer.win.is_none()) {
        // One answer surely wins: what follows the others was not looked at.
        let mut question = question.clone();
        question.analyses.sure = false;
        solved = solve(&question)?;
        answers = solved.advise();
    }
    answers.sort_by(Advice::best_first);
    Ok((solved, answers))
}

impl Advice {
    /// The order of the answer that best play gives first, then those that are no worse, and of those whose worth is not known
    /// last.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let worth = |answer: &Self| answer.win.as_ref().map_or(-1.0, Value::decimal);
        self.standing.cmp(&other.standing).then_with(|| worth(other).total_cmp(&worth(self)))
    }
}
