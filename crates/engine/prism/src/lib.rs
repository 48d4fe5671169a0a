//! Models in the PRISM language. This crate knows nothing about solving them. Start reading at `read.rs`, which leads
//! from `language` (the text) through `program` (its meaning) to `explore` (its states).
//!
//! [`read()`] takes the text of a Markov decision process or a Markov chain (`mdp`, `dtmc`), explores all states that
//! can be reached, and returns a [`model_files::ExplicitModel`]. Nothing is rounded: `0.1` is 1/10, and results are
//! fractions.
//!
//! Supported: constants, formulas, labels, global variables, modules, renamed modules, synchronised actions, several
//! initial states, rewards of states and choices; powers, roots and logarithms that are fractions. Unsupported
//! constructs are reported with their position: time, clocks, observations, several players, intervals of
//! probabilities, `system`.
//!
//! [`read()`] explores all states; [`read_for`] only those that matter for one question.
//!
//! ```
//! use budget::Budget;
//!
//! let text = "mdp  const int N;
//!     module coin
//!         n : [0..N] init 0;
//!         [toss] n < N -> 1/2 : (n'=n+1) + 1/2 : (n'=0);
//!     endmodule
//!     label \"done\" = n = N;
//!     rewards \"tosses\" [toss] true : 1; endrewards";
//! let model = prism::read(text, &[("N", "3")], &[], &Budget::default())?;
//! assert_eq!((model.states(), model.label("done").map(|states| states.len())), (4, Some(1)));
//!
//! let error = prism::read(text, &[], &[], &Budget::default()).unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 16: the constant `N` has no value (give it one: N=...)");
//! # Ok::<(), prism::Error>(())
//! ```
//!
//! As in PRISM, probabilities of choices in different modules with the same action are multiplied, and where a Markov
//! chain has several commands to follow, each is as likely as the others. Play ends in a state without commands.

mod error;
mod explore;
mod language;
mod program;
mod read;

pub use error::{At, Error, Given};
pub use explore::{Explored, States};
pub use program::{Reaching, ReadRequest, over_labels};
pub use read::{Declared, declared, labels, read, read_for};

/// Whether a text is a model of this language and not of DRN, judging by its first word.
///
/// ```
/// assert!(prism::is_prism("// a model\nmdp\n"));
/// assert!(!prism::is_prism("// exported\n@type: MDP\n"));
/// ```
pub fn is_prism(text: &str) -> bool {
    const FIRST: &[&str] = &[
        "const",
        "dtmc",
        "formula",
        "global",
        "init",
        "label",
        "mdp",
        "module",
        "nondeterministic",
        "prob",
        "probabilistic",
        "rate",
        "rewards",
    ];
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let word = lines.next().map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(""));
    word.is_some_and(|word| FIRST.contains(&word) || language::other_model(word).is_some())
}
