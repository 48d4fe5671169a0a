//! What answers to questions are worth.

use std::cmp::Ordering;

use crate::book::{Book, SectionNumber};
use crate::describe::Belongings;
use crate::machine::{Action, Machine, Move};
use crate::program;
use crate::solved::{Question, SolveBookError, Solved};
use crate::state::State;
use mdp::{ExploreOptions, Value};

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
}

/// A question, and what its answers are worth.
#[derive(Clone, Debug)]
pub struct FirstChoice {
    /// The section in which it is asked.
    pub section: SectionNumber,
    /// What it is about, when it is none of the author's choices: `key`, `a meal`, `a shop`.
    pub about: Option<String>,
    /// What the hero has when it is asked.
    pub belongings: Belongings,
    /// The answers.
    pub answers: Vec<Advice>,
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

    /// The first questions on the way of best play whose answers are not all worth the same: at most three, each once, and
    /// none after chance has had its say more than a few times.
    pub fn first_choices(&self) -> Vec<FirstChoice> {
        const QUESTIONS: usize = 3;
        const STEPS: usize = 60;
        let mut found: Vec<FirstChoice> = Vec::new();
        let mut known = Vec::new();
        let mut state = self.whole().start();
        let mut moves = Vec::new();
        for _ in 0..STEPS {
            let stop = self.whole().first_question_from(state);
            if Machine::end(&stop).is_some() || found.len() == QUESTIONS {
                break;
            }
            moves.clear();
            self.whole().moves(&stop, usize::MAX, &mut moves);
            if moves.is_empty() {
                // Chance: on to what is most likely.
                match self.whole().most_likely(&stop) {
                    Some(next) => state = next,
                    None => break,
                }
                continue;
            }
            let answers = self.advise_on(&stop, |action| !self.whole().wastes(&stop, action), false);
            let worths = answers.iter().filter_map(|answer| answer.win.as_ref()).map(Value::decimal);
            let (least, most) =
                worths.fold((f64::INFINITY, 0.0f64), |(low, high), worth| (low.min(worth), high.max(worth)));
            let key = (self.whole().section(&stop), self.whole().question(&stop).map(program::Question::labels));
            // A shop asks again after every purchase.
            if most - least > 1e-9 && !known.contains(&key) {
                let about = self.whole().about(&stop).map(str::to_string);
                let belongings = self.whole().belongings(&stop);
                found.push(FirstChoice { section: key.0, about, belongings, answers: self.advise_at(&stop) });
                known.push(key);
            }
            state = moves[self.choose(&stop, &moves)].state;
        }
        found
    }

    /// The same in a situation of the whole game.
    pub(crate) fn advise_at(&self, state: &State) -> Vec<Advice> {
        self.advise_on(state, |action| !self.whole().wastes(state, action), true)
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
        let (wins, best) = self.best_answers(&moves, self.choose(state, &moves), exactly);
        moves
            .iter()
            .zip(wins.into_iter().zip(best))
            .filter(|(answer, _)| wanted(answer.action))
            .map(|(answer, (win, best))| Advice {
                label: self.whole().describe_action(state, answer.action),
                then: self.then(state, answer),
                section: self.whole().leads_to(&answer.state),
                win,
                best,
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
    /// Solves a book from where the hero stands, and lists the answers to the first question there, best first; empty where
    /// nothing is asked before chance has its say. Where the book is surely won all answers are looked at all the same.
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
        let mut solved = Self::new(book, question, options)?;
        let mut answers = solved.advise();
        if solved.win().lower >= 1.0 && answers.iter().any(|answer| answer.win.is_none()) {
            // One answer surely wins: what follows the others was not looked at.
            let mut question = question.clone();
            question.analyses.sure = false;
            solved = Self::new(book, &question, options)?;
            answers = solved.advise();
        }
        answers.sort_by(Advice::best_first);
        Ok((solved, answers))
    }
}

impl Advice {
    /// The order of the best answers first, and of those whose worth is not known last.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let worth = |answer: &Self| answer.win.as_ref().map_or(-1.0, Value::decimal);
        other.best.cmp(&self.best).then_with(|| worth(other).total_cmp(&worth(self)))
    }
}
