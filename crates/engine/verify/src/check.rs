//! The conditions, state by state. The crate's documentation proves that they are sufficient.

use std::fmt;

use budget::{Budget, Stage, Stopped};
use dashu_ratio::RBig;
use model_files::{ExplicitModel, Expression, ExpressionError, RewardModel, StateSet, fingerprint};

use crate::certificate::{Certificate, Claim, Entry, Measure, Objective};

/// Why a certificate does not prove its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The state whose condition fails; `None` if it concerns the whole.
    pub state: Option<u32>,
    /// What fails.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state {
            Some(state) => write!(f, "state {state}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

/// Why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// It does not prove its values.
    Refused(Refusal),
    /// The budget stopped the run: a limit, or an interruption.
    Stopped(Stopped),
}

impl From<Stopped> for CheckError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for CheckError {}

fn refuse<T>(reason: impl Into<String>) -> Result<T, CheckError> {
    Err(CheckError::Refused(Refusal { state: None, reason: reason.into() }))
}

/// Checks that the values of a certificate are the optimal ones of a model.
///
/// # Errors
/// The first condition that fails, with its state; when the budget stops the run.
///
/// ```
/// use budget::Budget;
/// use verify::{Certificate, check};
///
/// let budget = Budget::default();
/// // A fair coin: state 0 tosses once; state 1 is won, state 2 lost.
/// let model = "@type: MDP\n@nr_states\n3\n@model\nstate 0 init\naction toss\n1 : 1/2\n2 : 1/2\nstate 1 won\nstate 2\n";
/// let model = model_files::read_drn(model.as_bytes(), &budget)?;
/// let certificate = format!(
///     "bestplay certificate 1\nmodel {}\ngoal won\nobjective max\nmeasure probability\nstates 3\n\
///      0 1/2 0 1\n1 1 - 0\n2 0 - 0\nend\n",
///     model_files::fingerprint(&model, &budget)?
/// );
/// assert_eq!(check(&model, &Certificate::read(certificate.as_bytes(), &budget)?, &budget), Ok(()));
///
/// let wrong = certificate.replace("0 1/2 0 1", "0 2/3 0 1");
/// let refusal = check(&model, &Certificate::read(wrong.as_bytes(), &budget)?, &budget).unwrap_err();
/// assert_eq!(refusal.to_string(), "state 0: its choice 0 is worth 1/2, but 2/3 is claimed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(model: &ExplicitModel, certificate: &Certificate, budget: &Budget<'_>) -> Result<(), CheckError> {
    if certificate.entries.len() as u64 != u64::from(model.states()) {
        return refuse(format!("it is about {} states, the model has {}", certificate.entries.len(), model.states()));
    }
    let print = fingerprint(model, budget)?;
    if certificate.model != print {
        return refuse(format!("it is about another model: {}, not {print}", certificate.model));
    }
    let states = |text: &str, what: &str| {
        let states = Expression::parse(text).and_then(|expression| expression.states(model, budget));
        states.or_else(|error| match error {
            ExpressionError::Stopped(stopped) => Err(stopped.into()),
            error @ ExpressionError::Bad { .. } => refuse(format!("{what}: {error}")),
        })
    };
    let goal = states(&certificate.goal, "the goal expression")?;
    let until = certificate.until.as_ref().map(|until| states(until, "the expression after `until`")).transpose()?;
    if until.is_some() && certificate.measure != Measure::Probability {
        return refuse("`until` is for probabilities only");
    }
    let rewards = match &certificate.measure {
        Measure::Probability => None,
        Measure::Reward(name) => match model.reward(name) {
            None => return refuse(format!("the model has no reward model `{name}`")),
            Some(rewards) => Some(rewards),
        },
    };
    let signed = rewards.is_some_and(|rewards| {
        let below = |state: u32| {
            model.choices(state).any(|choice| rewards.of_state(state) + rewards.of_choice(choice) < RBig::ZERO)
        };
        let some = rewards.values().iter().any(|value| *value < RBig::ZERO);
        some && (0..model.states()).any(|state| !goal.contains(state) && below(state))
    });
    let (objective, entries) = (certificate.objective, &certificate.entries);
    let checker = Checker { model, goal, until, rewards, signed, objective, entries };
    checker.cut(certificate.cut)?;
    for state in 0..model.states() {
        budget.step(Stage::Checking, state.into(), (model.states() - state).into())?;
        checker.state(state).map_err(|reason| CheckError::Refused(Refusal { state: Some(state), reason }))?;
    }
    Ok(())
}

struct Checker<'a> {
    model: &'a ExplicitModel,
    goal: StateSet,
    until: Option<StateSet>,
    rewards: Option<&'a RewardModel>,
    /// Whether some choice on the way to the goal has a negative reward.
    signed: bool,
    objective: Objective,
    entries: &'a [Entry],
}

impl Checker<'_> {
    /// Whether choices are left out in this many states, which are all those in which play is over.
    fn cut(&self, claimed: u32) -> Result<(), CheckError> {
        if claimed == 0 {
            return Ok(());
        }
        let over = |state: &u32| {
            self.goal.contains(*state) || self.until.as_ref().is_some_and(|until| !until.contains(*state))
        };
        let over: Vec<u32> = (0..self.model.states()).filter(over).collect();
        if let Some(state) = over.iter().find(|state| !self.model.choices(**state).is_empty()) {
            let reason = "the certificate says that its choices are left out, but it has some".into();
            return Err(CheckError::Refused(Refusal { state: Some(*state), reason }));
        }
        if over.len() as u64 != u64::from(claimed) {
            return refuse(format!("play is over in {} states, not in {claimed}", over.len()));
        }
        Ok(())
    }

    fn state(&self, state: u32) -> Result<(), String> {
        let entry = &self.entries[state as usize];
        if self.goal.contains(state) {
            return self.goal_state(entry);
        }
        if self.until.as_ref().is_some_and(|until| !until.contains(state)) {
            let lost = entry.value == Claim::Finite(RBig::ZERO);
            let problem = || format!("it may not lie on the way, which is worth 0, but {} is claimed", entry.value);
            return if lost { Ok(()) } else { Err(problem()) };
        }
        match (&entry.value, self.rewards, self.objective) {
            (Claim::Infinite, None, _) => Err("a probability is not infinite".into()),
            (Claim::Finite(value), None, Objective::Max) => self.largest_probability(state, entry, value),
            (Claim::Finite(value), None, Objective::Min) => self.smallest_probability(state, entry, value),
            (Claim::Finite(value), Some(_), Objective::Max) => {
                self.certain_reward(state, entry, value, |value, worth| value >= worth)
            }
            (Claim::Finite(value), Some(_), Objective::Min) if self.signed => {
                self.certain_reward(state, entry, value, |value, worth| value <= worth)
            }
            (Claim::Finite(value), Some(_), Objective::Min) => self.smallest_reward(state, entry, value),
            (Claim::Infinite, Some(_), Objective::Min) if !self.signed => self.infinite_minimum(state, entry),
            (Claim::Infinite, Some(_), _) => self.infinite_maximum(state, entry),
        }
    }

    fn goal_state(&self, entry: &Entry) -> Result<(), String> {
        let right = if self.rewards.is_none() { RBig::ONE } else { RBig::ZERO };
        if entry.value != Claim::Finite(right.clone()) {
            return Err(format!("a goal state is worth {right}, but {} is claimed", entry.value));
        }
        if entry.rank != 0 {
            return Err(format!("a goal state has rank 0, not {}", entry.rank));
        }
        Ok(())
    }

    fn largest_probability(&self, state: u32, entry: &Entry, value: &RBig) -> Result<(), String> {
        not_negative(value)?;
        self.zero_without_choices(state, value)?;
        for choice in self.model.choices(state) {
            self.compare(state, choice, value, |value, worth| value >= worth)?;
        }
        if *value > RBig::ZERO {
            let chosen = self.chosen(state, entry)?;
            self.compare(state, chosen, value, |value, worth| value == worth)?;
            self.descends(state, chosen, entry)?;
        }
        Ok(())
    }

    fn smallest_probability(&self, state: u32, entry: &Entry, value: &RBig) -> Result<(), String> {
        not_negative(value)?;
        self.zero_without_choices(state, value)?;
        for choice in self.model.choices(state) {
            self.compare(state, choice, value, |value, worth| value <= worth)?;
            if *value > RBig::ZERO {
                self.descends(state, choice, entry)?;
            }
        }
        if !self.model.choices(state).is_empty() {
            let chosen = self.chosen(state, entry)?;
            self.compare(state, chosen, value, |value, worth| value == worth)?;
        }
        Ok(())
    }

    /// A total where every choice reaches the goal with certainty, and none is better according to `right`.
    fn certain_reward(
        &self,
        state: u32,
        entry: &Entry,
        value: &RBig,
        right: fn(&RBig, &RBig) -> bool,
    ) -> Result<(), String> {
        for choice in self.model.choices(state) {
            self.compare(state, choice, value, right)?;
            self.descends(state, choice, entry)?;
        }
        let chosen = self.chosen(state, entry)?;
        self.compare(state, chosen, value, |value, worth| value == worth)
    }

    fn smallest_reward(&self, state: u32, entry: &Entry, value: &RBig) -> Result<(), String> {
        for choice in self.model.choices(state) {
            if self.worth(state, choice).is_some() {
                self.compare(state, choice, value, |value, worth| value <= worth)?;
            }
        }
        let chosen = self.chosen(state, entry)?;
        self.compare(state, chosen, value, |value, worth| value == worth)?;
        self.descends(state, chosen, entry)
    }

    fn infinite_maximum(&self, state: u32, entry: &Entry) -> Result<(), String> {
        if self.model.choices(state).is_empty() {
            return Ok(());
        }
        let chosen = self.chosen(state, entry)?;
        let number = self.number(state, chosen);
        let (targets, _) = self.model.outcomes(chosen);
        if entry.rank == 0 {
            match targets.iter().find(|target| !self.infinite(**target) || self.rank(**target) != 0) {
                None => Ok(()),
                Some(target) => Err(format!(
                    "claimed infinite with rank 0, but its choice {number} can lead to state {target}, which is not"
                )),
            }
        } else if targets.iter().any(|target| self.infinite(*target) && self.rank(*target) < entry.rank) {
            Ok(())
        } else {
            Err(format!("claimed infinite, but its choice {number} leads to no infinite state of smaller rank"))
        }
    }

    fn infinite_minimum(&self, state: u32, entry: &Entry) -> Result<(), String> {
        for choice in self.model.choices(state) {
            let (targets, _) = self.model.outcomes(choice);
            let infinite = |target: &u32, below: bool| {
                let rank = self.rank(*target);
                self.infinite(*target) && if below { rank < entry.rank } else { rank == entry.rank }
            };
            let some_below = targets.iter().any(|target| infinite(target, true));
            if !some_below && !targets.iter().all(|target| infinite(target, false)) {
                let number = self.number(state, choice);
                return Err(format!(
                    "claimed infinite, but its choice {number} neither leads to an infinite state of smaller rank \
                     nor to infinite states of the same rank only"
                ));
            }
        }
        Ok(())
    }

    fn rank(&self, state: u32) -> u64 {
        self.entries[state as usize].rank
    }

    fn infinite(&self, state: u32) -> bool {
        self.entries[state as usize].value == Claim::Infinite
    }

    /// The choice's number within its state.
    fn number(&self, state: u32, choice: u32) -> u32 {
        choice - self.model.choices(state).start
    }

    /// The choice that the certificate gives.
    fn chosen(&self, state: u32, entry: &Entry) -> Result<u32, String> {
        let choices = self.model.choices(state);
        match entry.choice {
            Some(number) if number < choices.end - choices.start => Ok(choices.start + number),
            Some(number) => Err(format!("it has {} choices, none is number {number}", choices.end - choices.start)),
            None if choices.is_empty() => Err(format!("it has no choices, but {} is claimed", entry.value)),
            None => Err("no choice is named".into()),
        }
    }

    /// The immediate reward of a choice plus the mean value of its outcomes; `None` when infinite.
    fn worth(&self, state: u32, choice: u32) -> Option<RBig> {
        let mut sum = match self.rewards {
            Some(rewards) => rewards.of_state(state) + rewards.of_choice(choice),
            None => RBig::ZERO,
        };
        for (target, probability) in self.model.probabilities(choice) {
            match &self.entries[target as usize].value {
                Claim::Finite(value) => sum += probability * value,
                Claim::Infinite => return None,
            }
        }
        Some(sum)
    }

    fn compare(&self, state: u32, choice: u32, value: &RBig, right: fn(&RBig, &RBig) -> bool) -> Result<(), String> {
        let worth = self.worth(state, choice);
        if worth.as_ref().is_some_and(|worth| right(value, worth)) {
            return Ok(());
        }
        let worth = worth.map_or(Claim::Infinite, Claim::Finite);
        Err(format!("its choice {} is worth {worth}, but {value} is claimed", self.number(state, choice)))
    }

    /// Whether a choice has an outcome of smaller rank that counts.
    fn descends(&self, state: u32, choice: u32, entry: &Entry) -> Result<(), String> {
        let counts = |target: u32| match &self.entries[target as usize].value {
            Claim::Finite(value) => self.rewards.is_some() || *value > RBig::ZERO,
            Claim::Infinite => false,
        };
        let (targets, _) = self.model.outcomes(choice);
        if targets.iter().any(|target| self.rank(*target) < entry.rank && counts(*target)) {
            return Ok(());
        }
        let number = self.number(state, choice);
        Err(format!(
            "its rank is {}, but its choice {number} leads to no state of smaller rank on the way to the goal",
            entry.rank
        ))
    }

    fn zero_without_choices(&self, state: u32, value: &RBig) -> Result<(), String> {
        if self.model.choices(state).is_empty() && *value != RBig::ZERO {
            return Err(format!("play ends here without the goal, which is worth 0, but {value} is claimed"));
        }
        Ok(())
    }
}

fn not_negative(value: &RBig) -> Result<(), String> {
    if *value < RBig::ZERO { Err(format!("a probability of {value}")) } else { Ok(()) }
}
