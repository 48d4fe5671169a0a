//! What to choose now: the situations that some choices lead to, and the value of every choice there.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::{GameError, Solved, Standing, Value};

use crate::explored::{Expansion, Explored, Played, Reader};
use crate::game::{Ending, Fault, InkGame, State};
use crate::report::{ReportOptions, between};
use crate::story::Story;

/// A situation that some choices lead to, and its choices.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The probability that these choices lead here.
    pub probability: f64,
    /// The probability that best play attains the goal from here; bounds if not everything was explored.
    pub value: Value,
    /// The choices; empty where the story is over, or was not explored any further.
    pub choices: Vec<AdvisedChoice>,
    /// How the story has ended here, if it has.
    pub ending: Option<Ending>,
    /// Why it has broken off here, if it has.
    pub fault: Option<Fault>,
}

/// One choice of a situation.
#[derive(Clone, Debug)]
pub struct AdvisedChoice {
    /// Its text.
    pub text: String,
    /// The probability that best play attains the goal after it.
    pub value: Value,
    /// How it compares with the others.
    pub standing: Standing,
}

impl Story {
    /// What to choose after these choices, each by its number from 1 on in the order of the story. Chance can lead to
    /// several situations, the likeliest first; situations with fewer choices than a number are left out.
    ///
    /// # Errors
    /// When the explored part cannot be solved within the limits.
    ///
    /// ```
    /// let text = "* left\n  ** jump\n     # win\n     -> END\n  ** wait -> END\n* right -> END\n";
    /// let story = ink::Story::compile(text, "fork.ink", |_| Err("none".into()))?;
    /// let advice = story.advise(&[1], &ink::ReportOptions::default())?;
    /// assert_eq!(advice[0].choices[0].text, "jump");
    /// assert!(advice[0].choices[0].standing.is_best() && !advice[0].choices[1].standing.is_best());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advise(&self, choices: &[u32], options: &ReportOptions<'_>) -> Result<Vec<Advice>, GameError> {
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let game = InkGame::new(self, options.step);
        let explored = Explored::of(&game, budget);
        let (least, most) = explored.solved(&game, Reader::Best, options.exact, budget)?;
        let after = |way: BTreeMap<u32, f64>, choice: u32| {
            let taken = way.into_iter().filter_map(|(state, share)| Some((explored.move_of(state, choice)?, share)));
            spread(&explored, taken.flat_map(|(outcomes, share)| parts(outcomes, share)).collect())
        };
        let begin = spread(&explored, vec![(0, 1.0)]);
        let reached = choices.iter().fold(begin, |way, choice| after(way, choice.saturating_sub(1)));
        let view = View { game: &game, explored: &explored, least, most };
        let mut advice: Vec<Advice> =
            reached.into_iter().map(|(state, share)| view.advice(state, share)).collect::<Result<_, _>>()?;
        advice.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        Ok(advice)
    }
}

/// The targets of weighted outcomes, with their shares of a probability.
fn parts(outcomes: &[(u32, u128)], share: f64) -> Vec<(u32, f64)> {
    let total: u128 = outcomes.iter().map(|(_, weight)| weight).sum();
    outcomes.iter().map(|(state, weight)| (*state, share * crate::explored::part(*weight, total))).collect()
}

/// Continues from these states to where the player is asked or the story is over.
fn spread(explored: &Explored, mut from: Vec<(u32, f64)>) -> BTreeMap<u32, f64> {
    let mut reached = BTreeMap::new();
    while let Some((state, share)) = from.pop() {
        match explored.forced_move(state) {
            Some(outcomes) => from.extend(parts(outcomes, share)),
            None => *reached.entry(state).or_insert(0.0) += share,
        }
    }
    reached
}

/// The value of every choice of a state.
pub(crate) fn advice_from(
    game: &InkGame,
    state: &State,
    exact: bool,
    budget: &Budget<'_>,
) -> Result<Advice, GameError> {
    let explored = Explored::from(game, state.clone(), budget);
    let (least, most) = explored.solved(game, Reader::Best, exact, budget)?;
    View { game, explored: &explored, least, most }.advice(0, 1.0)
}

struct View<'a> {
    game: &'a InkGame,
    explored: &'a Explored,
    /// The values if unexplored states are lost.
    least: Solved<Played<'a>>,
    /// The values if unexplored states are won, if there are any.
    most: Option<Solved<Played<'a>>>,
}

impl View<'_> {
    fn advice(&self, state: u32, probability: f64) -> Result<Advice, GameError> {
        let state_here = &self.explored.states[state as usize];
        let most = self.most.as_ref().map(|most| most.value(&state)).transpose()?;
        let value = between(self.least.value(&state)?, most);
        let mut choices = Vec::new();
        if matches!(self.explored.expansions[state as usize], Expansion::Moves(_)) {
            let most = self.most.as_ref().map(|most| most.choices(&state)).transpose()?;
            for (place, choice) in self.least.choices(&state)?.into_iter().enumerate() {
                let most = most.as_ref().map(|most| most[place].value.clone());
                let value = between(choice.value, most);
                let text = choice.action.unwrap_or_default();
                choices.push(AdvisedChoice { text, value, standing: choice.standing });
            }
        }
        let (ending, fault) = (self.game.ending(state_here), self.game.fault(state_here));
        Ok(Advice { probability, value, choices, ending, fault })
    }
}
