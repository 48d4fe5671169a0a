//! The hero whom a book makes: every roll, and the best choice after it.

use dashu_int::UBig;
use mdp::{ExploreOptions, Rational, Value};

use crate::book::Book;
use crate::making::{Made, Making, QUESTION};
use crate::solved::{Question, SolveBookError, Solved, mean};
use crate::state::{Register, State};

/// How the hero fares whom the book makes.
#[derive(Clone, Debug)]
pub struct MadeHero {
    /// The probability to win, over all rolls, with the best choice after each.
    pub win: Value,
    /// Every roll.
    pub rolls: Vec<Rolls>,
    /// The states of all models together.
    pub states: u64,
}

/// What was rolled, and what comes of it.
#[derive(Clone, Debug)]
pub struct Rolls {
    /// What was rolled, by name.
    pub rolled: Vec<(String, i32)>,
    /// How likely that is.
    pub probability: Rational,
    /// The probability to win after it.
    pub win: Value,
    /// The best choices after it; none where there is nothing to choose.
    pub best: Vec<String>,
}

impl MadeHero {
    /// The hero whom a book makes as `making` says. What is not made is as in the question.
    ///
    /// ```
    /// use gamebook::{MadeHero, Question, read};
    /// use mdp::{ExploreOptions, ratio};
    ///
    /// let text = r#"
    ///     book "Toll" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; rolled gold="d10 - 1"; choose 1 { rope; gold 3; }; }
    ///     items { backpack-item rope; }
    ///     section 1 { if "gold >= 6 or has rope and gold >= 5" { goto 2; }; death; }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let question = Question { exact: true, ..Question::new(&book) };
    /// let made = MadeHero::new(&book, &question, &book.making, &ExploreOptions::default())?;
    /// assert_eq!(made.win.exact, Some(ratio(7, 10)));
    /// assert_eq!(made.rolls[3].best, ["gold 3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn new(
        book: &Book,
        question: &Question,
        making: &Making,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        let mut made = Self { win: Value::exactly(Rational::ZERO), rolls: Vec::new(), states: 0 };
        let skills = totals(making, Made::CombatSkill);
        let endurances = totals(making, Made::Endurance);
        // These two are the hero's before his book is compiled.
        for (skill, first) in &skills {
            for (endurance, second) in &endurances {
                let mut question = question.clone();
                let mut rolled = Vec::new();
                if let Some(skill) = skill {
                    question.hero.combat_skill = *skill;
                    rolled.push((Made::CombatSkill.name(book), *skill));
                }
                if let Some(endurance) = endurance {
                    question.hero.endurance = u8::try_from(*endurance).unwrap_or(u8::MAX);
                    rolled.push((Made::Endurance.name(book), *endurance));
                }
                if making.chosen.is_some() {
                    question.hero.items.clear();
                }
                question.situation.making = Some(making.clone());
                let solved = Solved::new(book, &question, options).map_err(|error| match error {
                    // Of one roll only.
                    SolveBookError::StoppedWithBounds { stopped, .. } => SolveBookError::Stopped(stopped),
                    error => error,
                })?;
                made.states += solved.space().model().counts().states;
                let within: Vec<Made> =
                    making.rolled.iter().map(|(made, _)| *made).filter(|made| in_play(*made)).collect();
                let start = solved.whole().start();
                made.walk(book, &solved, start, &within, rolled, first * second)?;
            }
        }
        made.win = mean(made.rolls.iter().map(|own| (own.probability.clone(), own.win.clone())).collect());
        Ok(made)
    }

    /// Goes through what is rolled in play from a state on.
    fn walk(
        &mut self,
        book: &Book,
        solved: &Solved,
        state: State,
        left: &[Made],
        rolled: Vec<(String, i32)>,
        probability: Rational,
    ) -> Result<(), SolveBookError> {
        let whole = solved.whole();
        let Some((first, left)) = left.split_first() else {
            let asked = whole.question(&state).and_then(|question| question.about);
            let is_choice = asked.is_some_and(|about| whole.program.labels[about as usize] == QUESTION);
            let best = if is_choice { solved.advise_on_all(&state) } else { Vec::new() };
            let best = best.into_iter().filter(|answer| answer.best).map(|answer| answer.label).collect();
            let win = solved.worth(&state).ok_or_else(|| SolveBookError::Engine("a start without a value".into()))?;
            self.rolls.push(Rolls { rolled, probability, win, best });
            return Ok(());
        };
        let mut outcomes = Vec::new();
        whole.chances(&state, &mut outcomes);
        let all: UBig = outcomes.iter().map(|(weight, _)| weight).sum();
        for (weight, next) in outcomes {
            let number = match first {
                Made::Variable(own) => whole.get(&next, Register::try_from(*own).unwrap_or(Register::MAX)),
                _ => whole.belongings(&next).gold.into(),
            };
            let share = Rational::from_parts(weight.into(), all.clone());
            let rolled = rolled.iter().cloned().chain([(first.name(book), number)]).collect();
            self.walk(book, solved, next, left, rolled, &probability * share)?;
        }
        Ok(())
    }
}

/// Whether something is rolled in play.
fn in_play(made: Made) -> bool {
    matches!(made, Made::Gold | Made::Variable(_))
}

/// What dice bring before the book is compiled, and how likely; once nothing where nothing is rolled.
fn totals(making: &Making, made: Made) -> Vec<(Option<i32>, Rational)> {
    let Some((_, dice)) = making.rolled.iter().find(|(own, _)| *own == made) else {
        return vec![(None, Rational::ONE)];
    };
    let totals = dice.totals();
    let all: UBig = totals.iter().map(|(_, ways)| ways).sum();
    totals.into_iter().map(|(total, ways)| (Some(total), Rational::from_parts(ways.into(), all.clone()))).collect()
}
