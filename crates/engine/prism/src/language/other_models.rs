//! Models of the same language that are neither Markov decision processes nor Markov chains.

/// The first word of such a model or of a part that only it has, its description, and the help of the error.
const OTHERS: &[(&str, &str, &str)] = &[
    ("ctmc", CTMC, FROM_TIME),
    ("stochastic", CTMC, FROM_TIME),
    ("ma", "a Markov automaton (`ma`)", FROM_TIME),
    ("pta", "a probabilistic timed automaton (`pta`)", FROM_CLOCKS),
    ("popta", "a partially observable timed automaton (`popta`)", FROM_CLOCKS),
    ("pomdp", POMDP, FROM_POMDP),
    ("observables", POMDP, FROM_POMDP),
    ("observable", POMDP, FROM_POMDP),
    ("smg", GAME, FROM_GAME),
    ("stpg", GAME, FROM_GAME),
    ("tsg", GAME, FROM_GAME),
    ("csg", "a concurrent stochastic game (`csg`)", FROM_GAME),
    ("player", GAME, FROM_GAME),
    ("idtmc", INTERVALS, FROM_INTERVALS),
    ("imdp", INTERVALS, FROM_INTERVALS),
    ("lts", "a labelled transition system (`lts`)", "an `mdp`, which may leave nothing to chance"),
    ("system", "a composition of modules by hand (`system`)", "modules that share the names of their actions"),
];

const CTMC: &str = "a continuous-time Markov chain (`ctmc`)";
const FROM_TIME: &str = "an `mdp` or a `dtmc`, such as the chain of its jumps, where time does not matter";
const FROM_CLOCKS: &str = "an `mdp`, such as PRISM's -exportdigital writes";
const POMDP: &str = "a partially observable model (`pomdp`)";
const FROM_POMDP: &str = "an `mdp`, whose player sees everything";
const GAME: &str = "a stochastic game of several players (`smg`)";
const FROM_GAME: &str = "an `mdp`, which has one player";
/// Probabilities that are intervals.
pub const INTERVALS: &str = "an interval model, whose probabilities are only known to lie between two numbers";
/// The help of the error.
pub const FROM_INTERVALS: &str = "one number for each probability";

/// The description of a model with a part that begins with this word, and the help of the error.
pub fn other_model(word: &str) -> Option<(&'static str, &'static str)> {
    OTHERS.iter().find(|(own, ..)| *own == word).map(|(_, what, right)| (*what, *right))
}
