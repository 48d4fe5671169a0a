//! Optimal play followed through the book: visits, deaths and final possessions.

use std::collections::{BTreeMap, BinaryHeap};

use mdp::advanced::{Groups, in_own_pool, in_pool};
use mdp::rows::RowGame;
use mdp::{
    Distribution, ExploreOptions, Game, Policy, Probability, SolveOptions, StateSpace, Turn, Value, explore, rows,
    visit_probabilities,
};

use super::describe::Belongings;
use super::ends::Ends;
use super::length::{Counted, Length, PolicyGame, counted};
use super::solve_error::SolveBookError;
use super::solved::Solved;
use crate::machine::{End, Machine, Move};
use crate::program::State;
use crate::terms::SectionNumber;

/// The unreduced game under optimal play: every state has one successor distribution.
///
/// Once the book can no longer be won, the hero takes the shortest way to an end.
///
/// States have the rows and ranks of the solved game, for the sake of their order: the frontier is larger than in breadth-first
/// order and gives threads more to share.
#[derive(Debug)]
pub struct BestPlay<'s> {
    solved: &'s Solved,
}

impl<'s> BestPlay<'s> {
    /// Optimal play of a solved book.
    pub fn new(solved: &'s Solved) -> Self {
        Self { solved }
    }
}

impl Game for BestPlay<'_> {
    type State = State;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.solved.whole().first())]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State>) {
        let whole = self.solved.whole();
        whole.follow_one(state, turn, &|state, moves| self.solved.choose(state, moves));
    }
}

impl RowGame for BestPlay<'_> {
    fn row_length(&self) -> u32 {
        self.solved.machine().row_length()
    }

    fn row_of(&self, state: &State) -> (State, u32) {
        self.solved.machine().row_of(state)
    }

    fn in_row(&self, row: &State, position: u32) -> State {
        self.solved.machine().in_row(row, position)
    }

    fn rank(&self, row: &State) -> u32 {
        self.solved.whole().rank(row)
    }
}

/// A section with the probability that optimal play visits it.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionVisit {
    /// The section.
    pub section: SectionNumber,
    /// The probability of ever visiting it.
    pub visited: f64,
    /// The probability of winning, given a visit.
    pub win_if_here: f64,
}

/// The course of optimal play.
#[derive(Clone, Debug)]
pub struct Journey {
    /// The probability of winning, computed again without the reductions.
    pub win: Value,
    /// The probability of winning in each section, the largest first.
    pub victories: Vec<(SectionNumber, f64)>,
    /// The probability of dying in each section, the largest first.
    pub deaths: Vec<(SectionNumber, f64)>,
    /// The sections that optimal play can visit, in order.
    pub sections: Vec<SectionVisit>,
    /// The possessions and final sections of winners, the most likely first.
    pub finals: Vec<(SectionNumber, Belongings, f64)>,
    /// The sections of the most likely winning play.
    pub way: Vec<SectionNumber>,
    /// The number of states explored.
    pub states: u64,
}

impl Journey {
    /// Statistics of the winners' possessions.
    pub fn ends(&self) -> Ends {
        Ends::new(&self.finals)
    }
}

impl Solved {
    /// The number of sections that optimal play enters, including the first; `None` if it may be infinite.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn length(&self, options: &ExploreOptions<'_>) -> Result<Option<Length>, SolveBookError> {
        self.counted(self.whole(), Counted::Sections, options)
    }

    /// The number of rolls under optimal play: picks, throws (of any number of dice), rounds of fights, and draws.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn rolls(&self, options: &ExploreOptions<'_>) -> Result<Option<Length>, SolveBookError> {
        self.counted(&self.machine().whole(false), Counted::Rolls, options)
    }

    fn counted(
        &self,
        whole: &Machine,
        counts: Counted,
        options: &ExploreOptions<'_>,
    ) -> Result<Option<Length>, SolveBookError> {
        let choose = |state: &State, moves: &[Move]| self.choose(state, moves);
        counted(&PolicyGame::answered(whole, choose, Some(counts)), false, options)
    }

    /// Follows best play through the book.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn journey(&self, options: &ExploreOptions<'_>) -> Result<Journey, SolveBookError> {
        in_own_pool(options.threads, |_| {
            journey_over(&rows::explore(&BestPlay::new(self), options)?, self.whole(), false, options)
        })
    }
}

/// Follows a game without decisions through the book.
pub(crate) fn followed(
    game: &impl Game<State = State, Action = ()>,
    whole: &Machine,
    exact: bool,
    options: &ExploreOptions<'_>,
) -> Result<Journey, SolveBookError> {
    journey_over(&explore(game, options)?, whole, exact, options)
}

/// Follows an explored game without decisions through the book.
pub(crate) fn journey_over(
    space: &StateSpace<State>,
    whole: &Machine,
    exact: bool,
    options: &ExploreOptions<'_>,
) -> Result<Journey, SolveBookError> {
    let model = space.model();
    let policy = Policy::new(model, |_| 0).ok_or_else(|| SolveBookError::Engine("a state without a way on".into()))?;
    let start = &space.starts()[0];
    // Winning in a section counts as entering it.
    let shown_section = |section| whole.program.shown_section(section);
    let section_of = |state| match Machine::end(space.state(state)) {
        Some(End::Dead(_)) => None,
        _ => Some(shown_section(whole.section(space.state(state)))),
    };
    let values = || mdp::solve(model, &SolveOptions::from(*options).with_exact(exact));
    let ((followed, groups), (solution, way)) = in_pool(options.threads, |_| {
        rayon::join(
            || rayon::join(|| visit_probabilities(&policy, start, options.budget), || Groups::new(model, section_of)),
            || rayon::join(values, || most_likely_way(space, whole)),
        )
    });
    let (solution, followed) = (solution?, followed?);
    let entered = || followed.worth_by_group(&groups, |state| solution.value(state).decimal());
    let ended = || ends(followed.iter().map(|(state, probability)| (space.state(state), probability)), whole);
    let (entered, Ended { victories, deaths, finals }) = in_pool(options.threads, |_| rayon::join(entered, ended));
    let visit = |(section, (visited, win)): (Option<SectionNumber>, (Probability, f64))| {
        Some(SectionVisit { section: section?, visited: visited.decimal(), win_if_here: win.min(1.0) })
    };
    let sections = entered?.into_iter().filter_map(visit).collect();
    Ok(Journey {
        win: super::solved::probability(solution.value_of(start)),
        victories,
        deaths,
        sections,
        finals,
        way,
        states: u64::from(model.states()),
    })
}

/// The ends of play, the most likely first: victories and deaths by section, and winners by possessions and section.
struct Ended {
    victories: Vec<(SectionNumber, f64)>,
    deaths: Vec<(SectionNumber, f64)>,
    finals: Vec<(SectionNumber, Belongings, f64)>,
}

/// Collects the ends of play from all states and their probabilities.
fn ends<'s>(states: impl Iterator<Item = (&'s State, Probability)>, whole: &Machine) -> Ended {
    let mut victories: BTreeMap<SectionNumber, Probability> = BTreeMap::new();
    let mut deaths: BTreeMap<SectionNumber, Probability> = BTreeMap::new();
    let mut finals: BTreeMap<(SectionNumber, Belongings), Probability> = BTreeMap::new();
    for (state, probability) in states {
        match Machine::end(state) {
            Some(End::Dead(section)) => *deaths.entry(whole.program.shown_section(section)).or_default() += probability,
            Some(End::Won(section)) => {
                let section = whole.program.shown_section(section);
                *victories.entry(section).or_default() += probability.clone();
                *finals.entry((section, whole.belongings(state))).or_default() += probability;
            }
            None => {}
        }
    }
    let by_section = |found: BTreeMap<SectionNumber, Probability>| {
        let mut found: Vec<(SectionNumber, f64)> =
            found.into_iter().map(|(section, probability)| (section, probability.decimal())).collect();
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        found
    };
    let mut finals: Vec<_> = finals
        .into_iter()
        .map(|((section, belongings), probability)| (section, belongings, probability.decimal()))
        .collect();
    finals.sort_by(|left, right| right.2.total_cmp(&left.2));
    Ended { victories: by_section(victories), deaths: by_section(deaths), finals }
}

/// The sections of the most likely single play that wins: the shortest path, where the length of a step is the negative
/// logarithm of its probability. Outside of cyclic components states are visited in topological order; inside them the most
/// likely one is expanded first (Dijkstra).
fn most_likely_way(space: &StateSpace<State>, machine: &Machine) -> Vec<SectionNumber> {
    #[derive(PartialEq)]
    struct Open(f64, u32);
    impl Eq for Open {}
    impl Ord for Open {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
        }
    }
    impl PartialOrd for Open {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    let model = space.model();
    let states = model.states() as usize;
    let mut likely = vec![0.0f64; states];
    let mut from = vec![u32::MAX; states];
    for (state, probability) in space.starts()[0].probabilities() {
        likely[*state as usize] = mdp::nearest(&probability);
    }
    let mut won: Option<Open> = None;
    // Expands a state and reports each successor to which it is the most likely path so far.
    let mut go_on = |state: u32, likely: &mut [f64], more_likely: &mut dyn FnMut(Open)| {
        let probability = likely[state as usize];
        let Some(choice) = model.choices(state).next() else {
            let end = Open(probability, state);
            let wins = matches!(Machine::end(space.state(state)), Some(End::Won(_)));
            if wins && won.as_ref().is_none_or(|won| *won < end) {
                won = Some(end);
            }
            return;
        };
        let weights = model.weights().probabilities(choice.weights);
        for (target, weight) in choice.targets.iter().zip(weights) {
            let next = probability * weight;
            if next > likely[target as usize] {
                likely[target as usize] = next;
                from[target as usize] = state;
                more_likely(Open(next, target));
            }
        }
    };
    let mut open = BinaryHeap::new();
    for level in model.levels() {
        let cyclic = level.cyclic..level.states.end;
        for state in level.states.start..level.cyclic {
            if likely[state as usize] > 0.0 {
                go_on(state, &mut likely, &mut |_| {});
            }
        }
        open.extend(cyclic.clone().map(|state| Open(likely[state as usize], state)).filter(|open| open.0 > 0.0));
        while let Some(Open(probability, state)) = open.pop() {
            if probability == likely[state as usize] {
                go_on(state, &mut likely, &mut |next| {
                    if cyclic.contains(&next.1) {
                        open.push(next);
                    }
                });
            }
        }
    }
    won.map_or_else(Vec::new, |Open(_, state)| sections_to(space, machine, &from, state))
}

fn sections_to(space: &StateSpace<State>, machine: &Machine, from: &[u32], end: u32) -> Vec<SectionNumber> {
    let mut sections = Vec::new();
    let mut state = end;
    loop {
        let situation = space.state(state);
        if machine.enters(situation) || Machine::end(situation).is_some() {
            sections.push(machine.program.shown_section(machine.section(situation)));
        }
        match from[state as usize] {
            u32::MAX => break,
            before => state = before,
        }
    }
    sections.reverse();
    sections.dedup();
    sections
}

#[cfg(test)]
mod tests;
