//! An exact analysis of one fight.

use std::collections::BTreeMap;
use std::fmt;

use budget::Stopped;
use mdp::{
    ExploreError, ExploreOptions, Game, Rational, SimulateOptions, Solution, SolveError, SolveOptions, StateId,
    StateSpace, exact_visit_probabilities, explore, simulate, solve,
};

use crate::decision::{Decision, Question};
use crate::fight::{AFTER_LOST_ROUND, AFTER_WON_ROUND, BEGINNING, Fight};
use crate::state::{End, Phase, State};

/// A solved fight.
pub struct Analysis {
    /// The value of the objective.
    pub value: Rational,
    /// The probability of every end of the fight.
    pub ends: Ends,
    /// The expected stamina left, where a hero who does not win counts as 0.
    pub expected_stamina_left: Rational,
    /// The expected luck left, where a hero who does not win counts as 0.
    pub expected_luck_left: Rational,
    /// The best decision if the first round is lost (to the first enemy).
    pub on_lost_round: Question,
    /// The best decision if the first round is won (against the first enemy).
    pub on_won_round: Question,
    /// The choices before the first round, when there is more than one: enemies to fight, escape.
    pub opening: Vec<Opening>,
    /// The probability that the fight lasts each number of rounds, from 0; drawn rounds are not counted. Floating-point
    /// numbers, sums of non-negative products: nine digits hold even in the longest fight that is accepted.
    pub rounds: Vec<f64>,
    /// The probability that it lasts longer than that. Zero unless blows can cost nothing.
    pub longer: f64,
    /// How many states the fight has.
    pub states: u64,
}

/// The probabilities of the ends of a fight; they sum to 1 unless it can go on for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// All enemies are dead.
    pub won: Rational,
    /// The hero has run away.
    pub escaped: Rational,
    /// The hero's stamina is used up.
    pub no_stamina: Rational,
    /// An enemy has won its row of rounds, whether or not stamina was used up at the same time.
    pub sudden_death: Rational,
    /// Killed by a chance that a round or a lost round carries.
    pub instant_death: Rational,
}

impl Ends {
    fn chance_mut(&mut self, end: End) -> &mut Rational {
        match end {
            End::Won => &mut self.won,
            End::Escaped => &mut self.escaped,
            End::NoStamina => &mut self.no_stamina,
            End::SuddenDeath => &mut self.sudden_death,
            End::InstantDeath => &mut self.instant_death,
        }
    }
}

/// A choice before the first round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name.
    pub name: String,
    /// The value of the objective after it.
    pub value: Rational,
    /// Whether no other choice is better.
    pub best: bool,
}

/// Why a fight could not be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// The exploration failed.
    Explore(ExploreError),
    /// The solution failed.
    Solve(SolveError),
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explore(error) => error.fmt(f),
            Self::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AnalysisError {}

impl From<ExploreError> for AnalysisError {
    fn from(error: ExploreError) -> Self {
        Self::Explore(error)
    }
}

impl From<SolveError> for AnalysisError {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}

impl AnalysisError {
    /// The limit or the interruption that stopped the run, if there was one.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Explore(ExploreError::Stopped(stopped)) => Some(stopped),
            Self::Solve(error) => error.stopped(),
            Self::Explore(_) => None,
        }
    }
}

impl Analysis {
    /// The mean number of rounds that are not drawn.
    pub fn mean_rounds(&self) -> f64 {
        (0u32..).zip(&self.rounds).map(|(count, probability)| f64::from(count) * probability).sum()
    }
}

/// The results of many simulated fights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// How many fights were played to their end.
    pub fights: u64,
    /// The mean value of the objective.
    pub mean: f64,
    /// The standard error of that mean: two thirds of all such means are nearer to the truth.
    pub standard_error: f64,
}

/// Plays a fight many times with real dice, under the same decisions as [`analyse`]: an independent
/// check of its exact value.
///
/// # Errors
/// When the fight exceeds the limits of `options`, or its watch interrupts the run.
pub fn play(
    fight: &Fight<'_>,
    options: &ExploreOptions<'_>,
    plays: u32,
    seed: u64,
) -> Result<Simulated, AnalysisError> {
    let (space, solution) = solved(fight, options)?;
    let dice = SimulateOptions { plays, seed, ..SimulateOptions::default() };
    let simulation = simulate(solution.policy(), &space.starts()[BEGINNING], &dice, options.budget)
        .map_err(|stopped| AnalysisError::Solve(SolveError::Stopped(stopped)))?;
    Ok(Simulated { fights: simulation.finished, mean: simulation.mean(), standard_error: simulation.standard_error() })
}

fn solved(fight: &Fight<'_>, options: &ExploreOptions<'_>) -> Result<(StateSpace<State>, Solution), AnalysisError> {
    let space = explore(fight, options).map_err(AnalysisError::Explore)?;
    let solution =
        solve(space.model(), &SolveOptions::from(*options).with_exact(true)).map_err(AnalysisError::Solve)?;
    Ok((space, solution))
}

/// Solves a fight exactly.
///
/// Of equally good choices, luck is kept, the first enemy is fought, and the hero does not run: everything except the
/// value of the objective depends on this rule.
///
/// # Errors
/// When the fight exceeds the limits of `options`, or its watch interrupts the run.
///
/// ```
/// use fighting_fantasy::{Enemy, Fight, Hero, Objective, Player, SpecialRules, analyse};
///
/// let hero = Hero { skill: 12, stamina: 24, luck: 12 };
/// let hell_demon = Enemy::new(14, 12);
/// let fight = Fight::new(hero, vec![hell_demon], SpecialRules::default(), Objective::win(), Player::Free)?;
/// let analysis = analyse(&fight, &mdp::ExploreOptions::default())?;
/// assert_eq!(format!("{:.5}", mdp::nearest(&analysis.value)), "0.77637");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(fight: &Fight<'_>, options: &ExploreOptions<'_>) -> Result<Analysis, AnalysisError> {
    let (space, solution) = solved(fight, options)?;
    let solved = Solved { fight, space: &space, solution: &solution };
    let (rounds, longer) = solved.rounds();
    let [beginning, lost, won] = [BEGINNING, AFTER_LOST_ROUND, AFTER_WON_ROUND].map(|number| solved.start(number));
    let mut ends = Ends::default();
    let mut expected_stamina_left = Rational::ZERO;
    let mut expected_luck_left = Rational::ZERO;
    let visit_probabilities = exact_visit_probabilities(&solution, &space.starts()[BEGINNING], options.budget)
        .map_err(AnalysisError::Solve)?;
    for (id, probability) in visit_probabilities.finished() {
        let probability = probability.into_exact().unwrap_or(Rational::ZERO);
        let state = space.state(id);
        if let Phase::Over(end) = state.phase {
            if end == End::Won {
                expected_stamina_left += &probability * Rational::from(state.hero);
                expected_luck_left += &probability * Rational::from(state.luck);
            }
            *ends.chance_mut(end) += probability;
        }
    }
    Ok(Analysis {
        value: solved.exact(beginning),
        ends,
        expected_stamina_left,
        expected_luck_left,
        on_lost_round: solved.question(lost),
        on_won_round: solved.question(won),
        opening: solved.opening(beginning),
        rounds,
        longer,
        states: space.model().counts().states,
    })
}

/// Fights with cycles are followed until they have ended with all but this probability.
const NEGLIGIBLE: f64 = 1e-15;
/// And no longer than this.
const MOST_ROUNDS: usize = 10_000;

struct Solved<'a> {
    fight: &'a Fight<'a>,
    space: &'a StateSpace<State>,
    solution: &'a Solution,
}

impl Solved<'_> {
    /// The only state of a start.
    fn start(&self, number: usize) -> StateId {
        self.space.starts()[number].iter().next().map_or(0, |(state, _)| *state)
    }

    fn exact(&self, state: StateId) -> Rational {
        self.solution.value(state).exact.unwrap_or(Rational::ZERO)
    }

    /// The value of every choice of a state.
    fn choices(&self, state: StateId) -> Vec<Rational> {
        self.solution.values_of_choices(0, state).map(|value| value.exact.unwrap_or(Rational::ZERO)).collect()
    }

    /// The decision about luck in a state.
    fn question(&self, id: StateId) -> Question {
        let state = self.space.state(id);
        if let Phase::Over(_) = state.phase {
            let value = self.exact(id);
            return Question { decision: Decision::Either, keep: Some(value.clone()), use_luck: Some(value) };
        }
        let answers = self.fight.answers(state);
        let values = self.choices(id);
        let keep = answers.keep.and_then(|choice| values.get(choice).cloned());
        let use_luck = answers.use_luck.and_then(|choice| values.get(choice).cloned());
        let decision = match (&keep, &use_luck) {
            (Some(keep), Some(use_luck)) => Decision::from_comparison(use_luck.cmp(keep)),
            (None, Some(_)) => Decision::UseLuck,
            _ => Decision::Keep,
        };
        Question { decision, keep, use_luck }
    }

    /// The choices before the first round, if there are several.
    fn opening(&self, id: StateId) -> Vec<Opening> {
        let values = self.choices(id);
        if values.len() < 2 {
            return Vec::new();
        }
        let best = self.exact(id);
        let actions = self.fight.actions(self.space.state(id)).into_iter().flatten();
        values
            .into_iter()
            .zip(actions)
            .map(|(value, action)| Opening { name: action.to_string(), best: value == best, value })
            .collect()
    }

    /// The distribution of the number of rounds, and the probability that the fight lasts longer than it is followed.
    ///
    /// Goes from round to round: all situations in which a round can begin, with their chances.
    fn rounds(&self) -> (Vec<f64>, f64) {
        let model = self.space.model();
        let policy = self.solution.policy();
        let has_cycles = model.has_cycles();
        let mut rounds = vec![0.0];
        let mut beginning = BTreeMap::from([(self.start(BEGINNING), 1.0)]);
        while !beginning.is_empty() {
            let left: f64 = beginning.values().sum();
            if has_cycles && (left < NEGLIGIBLE || rounds.len() > MOST_ROUNDS) {
                return (rounds, left);
            }
            let mut following = BTreeMap::new();
            let now = rounds.len() - 1;
            rounds.push(0.0);
            // Situations within this round, and whether a blow has landed in it.
            let mut open: Vec<(StateId, f64, bool)> = beginning.iter().map(|(id, p)| (*id, *p, false)).collect();
            while let Some((id, probability, blow)) = open.pop() {
                let blow = match self.space.state(id).phase {
                    Phase::Round if blow => {
                        *following.entry(id).or_insert(0.0) += probability;
                        continue;
                    }
                    // Dead or alive, the fight is over.
                    Phase::Escaping => {
                        rounds[now] += probability;
                        continue;
                    }
                    Phase::Over(_) => {
                        rounds[now + 1] += probability;
                        continue;
                    }
                    Phase::Won { .. } | Phase::Lost { .. } => true,
                    Phase::Round | Phase::Others { .. } => blow,
                };
                if let Some(choice) = policy.taken(id) {
                    let weights = model.weights().probabilities(choice.weights);
                    open.extend(choice.targets.iter().zip(weights).map(|(target, p)| (target, probability * p, blow)));
                }
            }
            beginning = following;
        }
        if rounds.last() == Some(&0.0) {
            rounds.pop();
        }
        (rounds, 0.0)
    }
}
