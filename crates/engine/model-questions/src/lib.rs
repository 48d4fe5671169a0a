//! Questions about explicit models: the best probability of reaching a goal, or the best expected reward until then,
//! solved by the engine; and the proof of the answer. This crate knows nothing about file formats or printing. Start
//! reading at `question.rs` and at `build.rs`, which builds the engine's model.
//!
//! ```
//! use budget::Budget;
//! use mdp::{Sense, SolveOptions, ratio};
//! use model_files::{Expression, read_drn};
//! use model_questions::{Question, certificate};
//!
//! // A coin, thrown until heads or tails comes twice; one may stop after the first throw.
//! let text = "@type: MDP\n@nr_states\n3\n@model\n\
//!     state 0 init\naction throw\n1 : 1/2\n2 : 1/2\n\
//!     state 1 heads\n\
//!     state 2\naction again\n1 : 1/3\n2 : 2/3\n";
//! let budget = Budget::default();
//! let model = read_drn(text.as_bytes(), &budget)?;
//! let goal = Expression::parse("heads")?.states(&model, &budget)?;
//! let question = Question { model: &model, goal, until: None, sense: Sense::Max, reward: None };
//! let answer = question.prepare(&budget)?.answer(&SolveOptions::exact()).map_err(|unanswered| unanswered.error)?;
//! assert_eq!(answer.value(0).and_then(|value| value.exact), Some(ratio(1, 1)));
//! assert_eq!(answer.choice(&question, 0), Some(0));
//!
//! // A proof that the separate checker accepts.
//! let proof = certificate(&question, "heads".into(), None, &answer, &budget)?.expect("it is exact");
//! assert!(verify::check(&model, &proof, &budget).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model of a file has goals, rewards and plays that may never end; a model of the engine has payoffs where play
//! ends. `build.rs` converts the first to the second: states of infinite reward are determined by the graph alone
//! (`graph.rs`), with their choices (`infinite.rs`), and left out; values and choices are reported by the file's
//! numbers. `unfold.rs` does the same for bounded steps or rewards: the remainder of each bound becomes part of the
//! state. `raised.rs` replaces negative rewards. `certificate.rs` builds the proof of an exact answer. `solved.rs`
//! solves exactly where bounds are wider than requested.

mod answer;
mod build;
mod certificate;
mod graph;
mod infinite;
mod prepare;
mod question;
mod raised;
mod reward_bound;
mod rewards;
mod situations;
mod solved;
mod unanswered;
mod unfold;
mod unprepared;
mod value;

pub use answer::{Answer, ChoiceValue};
pub use certificate::certificate;
pub use prepare::{Prepared, prepare_and_drop};
pub use question::Question;
pub use reward_bound::RewardBound;
pub use rewards::{Unusable, bounded_reward_model, reward_model};
pub use situations::Situations;
pub use solved::Solved;
pub use unanswered::Unanswered;
pub use unfold::{Bound, Unfolded, UnfoldedAnswer};
pub use unprepared::Unprepared;
pub use value::ValueJson;
