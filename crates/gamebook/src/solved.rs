//! A solved book: what it can be won with, and what to do in a situation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use budget::{Budget, Limits, Reason, Stopped};
use mdp::{
    Distribution, ExploreError, ExploreOptions, Rational, RowSpace, Solution, SolveError, SolveOptions, StateId, Value,
    Weight, explore_by_rows, settle_values, solve,
};
use rustc_hash::FxHashMap;

use crate::book::{Book, SectionNumber};
use crate::compile::{CompileError, compile};
use crate::hero::{Hero, HeroError};
use crate::machine::{End, Machine, Move, Situation, forget_told};
use crate::needs::Analyses;
use crate::print::listing;
use crate::refine::Refined;
use crate::state::State;

/// What is asked about a book.
#[derive(Clone, Debug)]
pub struct Question {
    /// The hero.
    pub hero: Hero,
    /// How he stands, if not like a fresh hero.
    pub situation: Situation,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// Entering one of these wins.
    pub goals: Vec<SectionNumber>,
    /// The reductions to use.
    pub analyses: Analyses,
    /// Whether values are wanted exactly.
    pub exact: bool,
}

impl Question {
    /// The book from its beginning, with its own hero and goals.
    pub fn new(book: &Book) -> Self {
        Self {
            hero: book.hero.clone(),
            situation: Situation { policy: book.default_policy().cloned(), ..Situation::default() },
            start: book.start,
            goals: book.goals.clone(),
            analyses: Analyses::default(),
            exact: false,
        }
    }

    /// What the book is compiled to for this question: every step of it, or of one section, as text.
    ///
    /// ```
    /// # use gamebook::{Question, read};
    /// use budget::Budget;
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
    /// let steps = Question::new(&book).listing(&book, Some(2), &Budget::unlimited())?;
    /// assert_eq!(steps, "section 2\n       5  enter -> 4\n       4  victory\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`machine`](Self::machine), or when there is no such section.
    pub fn listing(
        &self,
        book: &Book,
        section: Option<SectionNumber>,
        budget: &Budget<'_>,
    ) -> Result<String, SolveBookError> {
        self.check(book)?;
        if let Some(section) = section.filter(|section| !book.sections.contains_key(section)) {
            return Err(SolveBookError::NoSection(section));
        }
        let compiled = compile(book, &self.hero, &self.situation, self.start, &self.goals, budget)?;
        Ok(listing(&compiled.program, book, section))
    }

    /// What is said of a number of a system of rules, if it is.
    pub(crate) fn value_of(&self, variable: usize) -> Option<i32> {
        self.situation.values.iter().find(|(own, _)| *own == variable).map(|(_, number)| *number)
    }

    /// Whether the hero can be and the sections exist.
    pub(crate) fn check(&self, book: &Book) -> Result<(), SolveBookError> {
        if book.system.is_none() {
            self.hero.check(book).map_err(SolveBookError::Hero)?;
        }
        match self.goals.iter().chain([&self.start]).find(|section| !book.sections.contains_key(section)) {
            Some(section) => Err(SolveBookError::NoSection(*section)),
            None => Ok(()),
        }
    }

    /// The game that is asked about.
    ///
    /// # Errors
    /// When the hero or his situation cannot be, a section does not exist, the book cannot be compiled, or the
    /// budget says stop.
    pub fn machine(&self, book: &Book, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.check(book)?;
        let machine = Machine::new(book, &self.hero, &self.situation, self.start, &self.goals, self.analyses, budget)?;
        self.situation.check_endurance(&machine)?;
        Ok(machine)
    }
}

impl Situation {
    /// Whether a hero can have so much ENDURANCE where this game begins.
    pub(crate) fn check_endurance(&self, machine: &Machine) -> Result<(), SolveBookError> {
        let most = machine.max_endurance(&machine.start());
        match self.endurance {
            Some(now) if now == 0 || u16::from(now) > most => Err(SolveBookError::Endurance { now, most }),
            _ => Ok(()),
        }
    }
}

/// Why a book was not solved.
#[derive(Debug)]
pub enum SolveBookError {
    /// The hero cannot exist.
    Hero(HeroError),
    /// There is no such section.
    NoSection(SectionNumber),
    /// There is no such book in the series.
    NoBook {
        /// How many there are.
        books: usize,
    },
    /// His ENDURANCE now is nothing or more than his maximum.
    Endurance {
        /// What it is said to be.
        now: u8,
        /// The maximum.
        most: u16,
    },
    /// The book cannot be made ready for this hero.
    Compile(CompileError),
    /// A limit was reached, or somebody stopped it.
    Stopped(Stopped),
    /// The same before values were exact, when bounds were known.
    StoppedWithBounds {
        /// Why, and how far the run came.
        stopped: Stopped,
        /// The probability to win.
        win: Value,
    },
    /// The engine could not solve it.
    Engine(String),
}

impl fmt::Display for SolveBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hero(error) => write!(f, "{error}"),
            Self::NoSection(section) => write!(f, "there is no section {section}"),
            Self::NoBook { books } => write!(f, "there is no such book: the series has {books}"),
            Self::Endurance { now, most } => write!(f, "an endurance of {now}: this hero can have 1 to {most}"),
            Self::Compile(error) => write!(f, "{error}"),
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => write!(f, "{stopped}"),
            Self::Engine(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for SolveBookError {}

impl SolveBookError {
    /// Whether there were more states, or bytes of them, than may be.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, Self::Stopped(Stopped { reason: Reason::States { .. } | Reason::Memory { .. }, .. }))
    }
}

impl From<Stopped> for SolveBookError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<CompileError> for SolveBookError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Compile(other),
        }
    }
}

impl From<ExploreError> for SolveBookError {
    fn from(error: ExploreError) -> Self {
        match error {
            ExploreError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<SolveError> for SolveBookError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => Self::Stopped(stopped),
            other => Self::Engine(other.to_string()),
        }
    }
}

/// A book that has been solved for a hero.
#[derive(Debug)]
pub struct Solved {
    machine: Machine,
    /// The same without reductions: it knows what the hero carries, to the last rope.
    whole: Machine,
    space: RowSpace<State>,
    solution: Solution,
    /// Exact values of the situations of best play, where the others are not solved exactly.
    refined: Option<Refined>,
}

impl Solved {
    /// Solves a book.
    ///
    /// ```
    /// use gamebook::{Question, Solved, read};
    /// use mdp::{ExploreOptions, ratio};
    ///
    /// // Bet until you have two crowns or none.
    /// let text = r#"
    ///     book "Bets" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; gold 1; }
    ///     section 1 {
    ///         choice "pay" { require "gold >= 2"; goto 2; }
    ///         choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
    ///         choice "beg" { require "gold = 0"; death "hunger"; }
    ///     }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let question = Question { exact: true, ..Question::new(&book) };
    /// let solved = Solved::new(&book, &question, &ExploreOptions::default())?;
    /// assert_eq!(solved.win().exact, Some(ratio(2, 5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the hero or his situation cannot be, a section does not exist, or a limit is reached.
    pub fn new(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Self, SolveBookError> {
        let own = Budget::default();
        let machine = question.machine(book, options.budget.unwrap_or(&own))?;
        Self::of(machine, question, options)
    }

    /// Solves the game of a question.
    pub(crate) fn of(
        machine: Machine,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        let space = explore_by_rows(&machine, options);
        // In a server, or beside the arrays of a large book, it is in the way.
        forget_told();
        let space = space?;
        let refine = question.exact && machine.program.sheet.stats.is_some() && space.model().states() > MOST_EXACT;
        let exact = question.exact && !refine;
        let solved = solve(space.model(), &SolveOptions::from(*options).with_exact(exact));
        let solution = solved.map_err(|error| match error {
            SolveError::StoppedWithBounds { stopped, bounds } => {
                SolveBookError::StoppedWithBounds { stopped, win: bounds.value_of(&space.starts()[0]) }
            }
            error => error.into(),
        })?;
        let whole = machine.whole(question.analyses.fold);
        let refined = if refine {
            Some(Refined::new(space.model(), &solution, &space.starts()[0], &SolveOptions::from(*options))?)
        } else {
            None
        };
        Ok(Self { machine, whole, space, solution, refined })
    }

    /// Bytes of it.
    pub fn bytes(&self) -> u64 {
        self.space.bytes() + self.solution.bytes() + self.machine.bytes() + self.whole.bytes()
    }

    /// The probability to win.
    pub fn win(&self) -> Value {
        let start = &self.space.starts()[0];
        match start.iter().next() {
            Some((only, _)) if start.iter().len() == 1 => probability(self.value(*only)),
            _ => probability(self.solution.value_of(start)),
        }
    }

    /// The value of a state of the reduced game, exactly where that is known.
    fn value(&self, state: StateId) -> Value {
        let refined = self.refined.as_ref().and_then(|own| own.value(self.space.model(), &self.solution, state));
        refined.unwrap_or_else(|| self.solution.value(state))
    }

    /// The states of the reduced game, by rows.
    pub fn space(&self) -> &RowSpace<State> {
        &self.space
    }

    /// The number of a state of the reduced game; `None` when it cannot be reached.
    fn number_of(&self, state: &State) -> Option<StateId> {
        self.space.number_of_state(&self.machine, state)
    }

    /// The sections with the number of states of the reduced game in each, most first. Sections from which all goes
    /// on in the same way share their states: they count for one of them.
    pub fn states_by_section(&self) -> Vec<(SectionNumber, u64)> {
        let mut counts = BTreeMap::<SectionNumber, u64>::new();
        for (row, ..) in self.space.states() {
            *counts.entry(self.machine.section(row)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, states)| std::cmp::Reverse(*states));
        counts
    }

    /// The solution of the reduced game.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The reduced game.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The same game without reductions.
    pub(crate) fn whole(&self) -> &Machine {
        &self.whole
    }

    /// The probability to win from a situation of the whole game; `None` where the solution does not say.
    pub(crate) fn worth(&self, state: &State) -> Option<Value> {
        self.leads(state, CHANCES_AT_ONCE).map(|leads| self.worth_of(&leads))
    }

    fn worth_of(&self, leads: &Leads) -> Value {
        match &leads[..] {
            [(_, only)] => self.value_where(*only),
            _ => mean(leads.iter().map(|(weight, known)| (weight.clone(), self.value_where(*known))).collect()),
        }
    }

    fn value_where(&self, known: Known) -> Value {
        match known {
            Known::Over { won } => Value::exactly(u8::from(won).into()),
            Known::Asked(number) => probability(self.value(number)),
        }
    }

    /// Where play comes from a situation of the whole game; so many chances after another may be told as one.
    fn leads(&self, state: &State, chances: usize) -> Option<Leads> {
        match self.settled(state) {
            Settled::Known(known) => Some(vec![(Rational::ONE, known)]),
            Settled::Open(stop) => self.leads_from(&stop, chances),
        }
    }

    /// The same from where play stands.
    fn leads_from(&self, stop: &State, chances: usize) -> Option<Leads> {
        // Rounds of a fight that is one chance there; or a question to chance that is part of the answer before it.
        let outcomes = self.machine.rest_of_fold(stop).or_else(|| {
            let mut outcomes = Vec::new();
            self.machine.chances(stop, &mut outcomes);
            Distribution::weighted(outcomes.into_iter().map(|(weight, next)| (next, Weight(weight)))).ok()
        })?;
        let mut leads = Vec::with_capacity(outcomes.len());
        // How likely all is as before: a round in which nothing happens.
        let mut again = Rational::ZERO;
        for (next, weight) in outcomes.probabilities() {
            match self.settled(next) {
                Settled::Known(known) => leads.push((weight, known)),
                Settled::Open(same) if same == *stop => again += weight,
                Settled::Open(_) if chances > 1 => {
                    let after = self.leads(next, chances - 1)?;
                    leads.extend(after.into_iter().map(|(own, known)| (own * &weight, known)));
                }
                Settled::Open(_) => return None,
            }
        }
        if again == Rational::ONE {
            return None;
        }
        if again > Rational::ZERO {
            let moves_on = Rational::ONE - again;
            for (weight, _) in &mut leads {
                *weight = &*weight / &moves_on;
            }
        }
        Some(leads)
    }

    /// What the solution says of where play comes from a situation of the whole game without another question.
    fn settled(&self, state: &State) -> Settled {
        let stop = self.machine.settle_beside(state);
        match Machine::end(&stop) {
            Some(end) => Settled::Known(Known::Over { won: matches!(end, End::Won(_)) }),
            None => match self.number_of(&stop) {
                Some(number) => Settled::Known(Known::Asked(number)),
                None => Settled::Open(stop),
            },
        }
    }

    /// Which of these answers best play takes in a situation of the whole game.
    pub(crate) fn choose(&self, state: &State, moves: &[Move]) -> usize {
        if moves.len() < 2 {
            return 0;
        }
        let kept: Vec<State> = moves.iter().map(|answer| self.machine.keep(&answer.state)).collect();
        let own = self.machine.keep(state);
        // Hopeless or surely won: to the end by the shortest way.
        let steps = |place: &usize| match Machine::end(&own) {
            Some(End::Won(_)) => self.machine.sure(&moves[*place].state),
            _ => self.machine.distance(&moves[*place].state),
        };
        if Machine::end(&own).is_some() {
            return (0..moves.len()).min_by_key(steps).unwrap_or(0);
        }
        if kept.iter().all(|other| *other == kept[0]) {
            return 0;
        }
        let chosen = self.number_of(&own).and_then(|number| self.solution.policy().choice(number));
        let target = chosen.and_then(|choice| {
            let mut choices = Vec::new();
            self.machine.choices(&own, &mut choices, &mut Vec::new());
            choices.get(choice as usize).map(|answer| self.machine.keep(&answer.state))
        });
        if let Some(place) = target.and_then(|target| kept.iter().position(|other| *other == target)) {
            return place;
        }
        // There is less room in the whole game: something that is not needed must be dropped first.
        let worths: Vec<Option<f64>> =
            moves.iter().map(|answer| self.worth(&answer.state).map(|worth| worth.decimal())).collect();
        let best = worths.iter().flatten().copied().fold(0.0, f64::max);
        let as_good = |worth: Option<f64>| worth.is_some_and(|worth| worth >= best * (1.0 - 1e-9));
        let drops = |place: &usize| self.whole.throws_away(state, moves[*place].action) && as_good(worths[*place]);
        (0..moves.len()).find(drops).or_else(|| worths.iter().position(|worth| *worth == Some(best))).unwrap_or(0)
    }

    /// What each of these answers to a question is worth, where that is known, and whether none is better; `chosen` is
    /// the one that best play takes. `exactly`: what bounds cannot tell apart is solved exactly, within
    /// limits. What is found on the way is `found` by the next question, too.
    pub(crate) fn best_answers(
        &self,
        moves: &[Move],
        chosen: usize,
        exactly: bool,
        found: &mut Stops,
    ) -> (Vec<Option<Value>>, Vec<bool>) {
        let told = |leads: Leads| Rc::new((self.worth_of(&leads), leads));
        let answers: Vec<Option<Rc<(Value, Leads)>>> = moves
            .iter()
            .map(|answer| match self.settled(&answer.state) {
                Settled::Known(known) => Some(told(vec![(Rational::ONE, known)])),
                Settled::Open(stop) => {
                    let anew = || self.leads_from(&stop, CHANCES_AT_ONCE).map(merged).map(told);
                    found.0.entry(stop).or_insert_with(anew).clone()
                }
            })
            .collect();
        let wins: Vec<Option<Value>> = answers.iter().map(|own| own.as_ref().map(|own| own.0.clone())).collect();
        let mut best = vec![false; moves.len()];
        if wins[chosen].is_some() {
            let known: Vec<(usize, &Leads, &Value)> = (0..)
                .zip(&answers)
                .filter_map(|(place, own)| own.as_ref().map(|own| (place, &own.1, &own.0)))
                .collect();
            for place in self.best_of(&known, exactly) {
                best[place] = true;
            }
        } else {
            // Nothing is said of what follows but that it is surely as good as all else.
            let kept = self.machine.keep(&moves[chosen].state);
            for (best, answer) in best.iter_mut().zip(moves) {
                *best = self.machine.keep(&answer.state) == kept;
            }
        }
        (wins, best)
    }

    /// Which of these are best.
    fn best_of(&self, known: &[(usize, &Leads, &Value)], exactly: bool) -> Vec<usize> {
        let sure = known.iter().map(|(.., win)| win.lower).fold(0.0, f64::max);
        let mut may_be: Vec<_> = known.iter().filter(|(.., win)| win.upper >= sure).collect();
        let alike = may_be.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let told_apart = may_be.iter().all(|(.., win)| win.exact.is_some());
        if !alike && (told_apart || exactly) {
            let exact = may_be.iter().map(|(.., win)| win.exact.clone()).collect::<Option<Vec<_>>>();
            let candidates: Vec<&Leads> = may_be.iter().map(|(_, leads, _)| *leads).collect();
            if let Some(exact) = exact.or_else(|| self.exact_worths(&candidates)) {
                let most = exact.iter().max().cloned();
                let mut exact = exact.into_iter();
                may_be.retain(|_| exact.next() == most);
            }
        }
        may_be.into_iter().map(|(place, ..)| *place).collect()
    }

    /// What these are worth exactly; `None` where too much would have to be solved for it.
    fn exact_worths(&self, all: &[&Leads]) -> Option<Vec<Rational>> {
        let states: BTreeSet<StateId> = all
            .iter()
            .flat_map(|leads| leads.iter())
            .filter_map(|(_, known)| match known {
                Known::Asked(number) => Some(*number),
                Known::Over { .. } => None,
            })
            .collect();
        let states: Vec<StateId> = states.into_iter().collect();
        let most = if self.refined.is_some() { MOST_EXACT } else { MOST_SETTLED };
        let budget = Budget::new(Limits { max_states: most.into(), ..Limits::default() });
        let values = settle_values(&self.solution, &states, Some(&budget)).ok()?;
        let worth = |leads: &&Leads| {
            let value = |known: &Known| match known {
                Known::Over { won } => Some(Rational::from(u8::from(*won))),
                Known::Asked(number) => values[states.binary_search(number).ok()?].exact.clone(),
            };
            leads.iter().try_fold(Rational::ZERO, |sum, (weight, known)| Some(sum + value(known)? * weight))
        };
        all.iter().map(worth).collect()
    }
}

/// Where play comes to as far as the solution knows it, with probabilities.
type Leads = Vec<(Rational, Known)>;

/// What stops lead to and what they are worth, as far as it was asked for; nothing where the solution does not say.
#[derive(Default)]
pub(crate) struct Stops(FxHashMap<State, Option<Rc<(Value, Leads)>>>);

/// Each place once, in order: what leads to the same is the same.
fn merged(mut leads: Leads) -> Leads {
    leads.sort_by_key(|(_, known)| *known);
    leads.dedup_by(|(more, next), (weight, known)| {
        let same = next == known;
        if same {
            *weight += &*more;
        }
        same
    });
    leads
}

/// Of larger books whose rules are a system of their own only the situations of best play are solved exactly.
const MOST_EXACT: StateId = 50_000;

/// As far as so many situations answers that floating point cannot tell apart are solved exactly.
const MOST_SETTLED: StateId = 10_000;

/// So many chances after another can be told as one.
const CHANCES_AT_ONCE: usize = 5;

/// What the solution says of a situation.
enum Settled {
    /// Where it comes to.
    Known(Known),
    /// Nothing: play stands here.
    Open(State),
}

/// A situation whose worth the solution knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// Play is over.
    Over { won: bool },
    /// A state of the reduced game.
    Asked(StateId),
}

/// A value that is a probability: bounds that go beyond are none.
pub(crate) fn probability(value: Value) -> Value {
    Value { lower: value.lower.max(0.0), upper: value.upper.min(1.0), ..value }
}

/// The mean of values with probabilities. The bounds hold: the sum's rounding is added to them.
pub(crate) fn mean(values: Vec<(Rational, Value)>) -> Value {
    let (mut lower, mut upper) = (0.0f64, 0.0f64);
    let mut exact = Some(Rational::ZERO);
    let terms = u32::try_from(values.len()).unwrap_or(u32::MAX);
    for (probability, value) in values {
        let weight = mdp::nearest(&probability);
        lower += weight * value.lower;
        upper += weight * value.upper;
        exact = exact.zip(value.exact).map(|(sum, value)| sum + value * probability);
    }
    if let Some(exact) = exact {
        return Value::exactly(exact);
    }
    // Each weight, product and sum is rounded by 2^-53 at most, or by less than the least normal number altogether.
    let slack = f64::from(terms.saturating_add(8)) * f64::EPSILON;
    let least = f64::MIN_POSITIVE;
    probability(Value { lower: lower * (1.0 - slack) - least, upper: upper * (1.0 + slack) + least, exact: None })
}
