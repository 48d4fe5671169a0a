//! The average over all starting rolls, with the best choice of equipment after each.
//!
//! Rolls and choices are steps of the program before the start. COMBAT SKILL and ENDURANCE of Lone Wolf, which the compiler
//! must know, are enumerated outside of it.

use dashu_int::UBig;
use mdp::{ExploreOptions, Rational, Standing, Value};

use super::question::Question;
use super::solve_error::SolveBookError;
use super::solved::{Solved, mean};
use crate::book::{Book, HeroCreation, HeroQuantity, QUESTION};
use crate::program::{Register, State};

/// The result of a rolled hero.
#[derive(Clone, Debug)]
pub struct RolledHero {
    /// The probability of winning, over all rolls, with the best choices after each.
    pub win: Value,
    /// All rolls.
    pub rolls: Vec<Rolls>,
    /// The number of states of all models together.
    pub states: u64,
}

/// A combination of rolls and its result.
#[derive(Clone, Debug)]
pub struct Rolls {
    /// The rolled numbers, by name.
    pub rolled: Vec<(String, i32)>,
    /// The probability of the rolls.
    pub probability: Rational,
    /// The probability of winning after them.
    pub win: Value,
    /// The best choices after them; empty if there is nothing to choose.
    pub best: Vec<String>,
}

impl RolledHero {
    /// Solves for the hero created by `creation`. What it leaves out is as in the question.
    ///
    /// ```
    /// use gamebook::{RolledHero, Question, read};
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
    /// let hero = RolledHero::new(&book, &question, &book.creation, &ExploreOptions::default())?;
    /// assert_eq!(hero.win.exact, Some(ratio(7, 10)));
    /// assert_eq!(hero.rolls[3].best, ["gold 3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn new(
        book: &Book,
        question: &Question,
        creation: &HeroCreation,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        let mut hero = Self { win: Value::exactly(Rational::ZERO), rolls: Vec::new(), states: 0 };
        let (before, later) = split(book, creation);
        let within: Vec<HeroQuantity> = later.rolled.iter().map(|(quantity, _)| *quantity).collect();
        for (rolled, probability) in together(&before) {
            let mut question = question.clone();
            for (quantity, number) in &rolled {
                quantity.give(book, &mut question, *number);
            }
            if creation.chosen.is_some() {
                question.hero.items.clear();
            }
            question.situation.creation = Some(later.clone());
            let solved = Solved::new(book, &question, options).map_err(|error| match error {
                // These bounds belong to one roll only.
                SolveBookError::StoppedWithBounds { stopped, .. } => SolveBookError::Stopped(stopped),
                error => error,
            })?;
            hero.states += solved.space().model().counts().states;
            let start = solved.whole().start();
            let rolled = rolled.into_iter().map(|(quantity, number)| (quantity.name(book), number)).collect();
            let mut walk = Walk { book, solved: &solved, rolls: &mut hero.rolls };
            walk.from(start, &within, rolled, probability)?;
        }
        hero.win = mean(hero.rolls.iter().map(|own| (own.probability.clone(), own.win.clone())).collect());
        Ok(hero)
    }
}

/// The traversal of the rolls in a solved game.
struct Walk<'a> {
    book: &'a Book,
    solved: &'a Solved,
    rolls: &'a mut Vec<Rolls>,
}

impl Walk<'_> {
    /// Traverses the rolls from a state on.
    fn from(
        &mut self,
        state: State,
        left: &[HeroQuantity],
        rolled: Vec<(String, i32)>,
        probability: Rational,
    ) -> Result<(), SolveBookError> {
        let Self { book, solved, .. } = *self;
        let whole = solved.whole();
        let Some((first, left)) = left.split_first() else {
            let asked = whole.question(&state).and_then(|question| question.about);
            let is_choice = asked.is_some_and(|about| whole.program.labels[about as usize] == QUESTION);
            let best = if is_choice { solved.advise_on_all(&state) } else { Vec::new() };
            let best = best
                .into_iter()
                .filter(|answer| matches!(answer.standing, Standing::First | Standing::Equal))
                .map(|answer| answer.label)
                .collect();
            let win = solved.worth(&state).ok_or_else(|| SolveBookError::Engine("a start without a value".into()))?;
            self.rolls.push(Rolls { rolled, probability, win, best });
            return Ok(());
        };
        let mut outcomes = Vec::new();
        whole.chances(&state, &mut outcomes);
        let all: UBig = outcomes.iter().map(|(weight, _)| weight).sum();
        for (weight, next) in outcomes {
            let number = match first {
                HeroQuantity::Variable(own) => whole.get(&next, Register::try_from(*own).unwrap_or(Register::MAX)),
                _ => whole.belongings(&next).gold.into(),
            };
            let share = Rational::from_parts(weight.into(), all.clone());
            let rolled = rolled.iter().cloned().chain([(first.name(book), number)]).collect();
            self.from(next, left, rolled, &probability * share)?;
        }
        Ok(())
    }
}

/// Splits the rolls into those made before compilation, with a model for each, and those made in play, where all rolls share a
/// model. Stats differ from the first section to the last, so heroes who differ in them share few states; gold and other
/// counters soon become equal.
fn split(book: &Book, creation: &HeroCreation) -> (Vec<(HeroQuantity, Totals)>, HeroCreation) {
    const MOST_MODELS: usize = 10_000;
    let is_stat = |quantity: HeroQuantity| match quantity {
        HeroQuantity::CombatSkill | HeroQuantity::Endurance => true,
        HeroQuantity::Variable(own) => {
            book.system.as_ref().is_some_and(|system| system.variables[own].initial.is_some())
        }
        HeroQuantity::Gold | HeroQuantity::Item(_) => false,
    };
    let (mut before, mut models) = (Vec::new(), 1);
    for (quantity, dice) in creation.rolled.iter().filter(|(quantity, _)| is_stat(*quantity)) {
        let totals = dice.totals();
        let more: usize = totals.len().saturating_mul(models);
        // Lone Wolf's stats cannot be rolled in play.
        if more <= MOST_MODELS || !matches!(quantity, HeroQuantity::Variable(_)) {
            models = more;
            before.push((*quantity, totals));
        }
    }
    let known: Vec<HeroQuantity> = before.iter().map(|(quantity, _)| *quantity).collect();
    (before, creation.without(&known, false))
}

/// The totals of dice, with the number of ways to roll each.
type Totals = Vec<(i32, UBig)>;

/// All combinations of rolls, with their probabilities.
fn together(rolls: &[(HeroQuantity, Totals)]) -> Vec<(Vec<(HeroQuantity, i32)>, Rational)> {
    let mut all = vec![(Vec::new(), Rational::ONE)];
    for (quantity, totals) in rolls {
        let ways: UBig = totals.iter().map(|(_, ways)| ways).sum();
        let with = |(rolled, probability): &(Vec<(HeroQuantity, i32)>, Rational)| {
            let (rolled, probability, ways) = (rolled.clone(), probability.clone(), ways.clone());
            totals.iter().map(move |(total, own)| {
                let share = Rational::from_parts(own.clone().into(), ways.clone());
                (rolled.iter().copied().chain([(*quantity, *total)]).collect(), &probability * share)
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}
