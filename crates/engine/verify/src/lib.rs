//! Checks that claimed values of a Markov decision process are the optimal ones, without solving. It does not depend on
//! how the values were computed. Start reading below at the claim and its proof, then at `check.rs`.
//!
//! A solver is a large program. This crate is a small one: it reads a model and a [`Certificate`] (for every state a
//! value, a choice and a rank) and [`check`]s conditions that can be read off one state at a time, in exact arithmetic.
//! It shares no code with the solver except for the reading of model files. The following proves that the conditions
//! are sufficient.
//!
//! # The claim
//!
//! The model has states `s`, choices `a` of states, probabilities `p(s,a,t)`, all finite in number, and a set `G` of
//! goal states. Play ends in `G`, and in states without choices. A policy may depend on the whole past and may be
//! randomised. Write `v(s)` for the claimed value, `c(s)` for the choice and `r(s)`, a natural number, for the rank;
//! `Q(s,a)` for the sum of `p(s,a,t) v(t)` over `t`. *A choice descends* when one of its outcomes `t` has `r(t) <
//! r(s)`, and `v(t) > 0` (for probabilities) or `v(t)` finite (for rewards). Goal states have rank 0.
//!
//! Two facts are used all along.
//!
//! **Descent.** Let `U` be a set of states outside of `G`. If in every `s` of `U` the choices that a policy takes have
//! an outcome of smaller rank in `U ∪ G`, then the policy leaves `U` with probability 1. *Proof.* From any state of `U`
//! there is a descending path of at most `n` steps (`n` the number of states), each of probability at least `e`, the
//! smallest probability of the model; it ends only outside of `U`, because states of `U` have a descending path. So
//! within any `n` steps play leaves `U` with probability at least `e^n`, and staying for ever has probability 0. ∎
//!
//! **Stopping.** Let play stop at a time that is finite with probability 1. If before it the
//! expectation of `v` after each step is equal to (at least, at most) `v` before the step, then
//! the expectation of `v` where play stops is equal to (at least, at most) `v(s)` at the
//! beginning: `v` takes finitely many values, so it is bounded, and this is the optional stopping
//! theorem.
//!
//! If a certificate has `until`, play also ends in all states outside of `G` that its expression does not describe:
//! their choices do not count, and their value is 0. The following then applies to the model without these choices.
//!
//! If a certificate has `cut`, the model is a part of a larger one: the states that can be reached from its initial
//! states before play ends, without the choices of the states where it ends. Every other state has all of its choices,
//! and the part contains all their outcomes. No condition below depends on a choice of a state where play ends, so each
//! holds in the larger model for the states of the part, and so does what it proves. This crate cannot check that the
//! part was cut in this way only: the reader of the model cuts it, by the same goal.
//!
//! # Probability of reaching the goal, maximal
//!
//! *Conditions.* `v = 1` in `G`. Elsewhere `v(s) ≥ 0`, and `v(s) ≥ Q(s,a)` for all choices; a state
//! without choices has `v = 0`. Where `v(s) > 0` outside of `G`: `v(s) = Q(s,c(s))`, and `c(s)`
//! descends.
//!
//! *Not too small.* Take any policy, and stop it after `k` steps or in `G`. Expectations of `v`
//! never grow from step to step, so `v(s)` is at least the expectation of `v` at the end, which is
//! at least the probability of being in `G`, as `v ≥ 0`. This holds for every `k`; so `v(s)` is at
//! least the probability of ever reaching `G`.
//!
//! *Not too large.* Let `U` be the states outside of `G` with `v > 0` and follow `c`. By descent play leaves `U` with
//! probability 1: into `G`, where `v = 1`, or to where `v = 0`. By stopping, `v(s)` is the probability that it is `G`.
//! So `c` reaches `G` with at least this probability. (Without ranks a set of states that can lead to each other for
//! ever could claim any value.) ∎
//!
//! # Probability of reaching the goal, minimal
//!
//! *Conditions.* `v = 1` in `G`. Elsewhere `v(s) ≥ 0`, `v(s) ≤ Q(s,a)` for all choices and
//! `v(s) = Q(s,c(s))`; a state without choices has `v = 0`. Where `v(s) > 0` outside of `G`,
//! **every** choice descends.
//!
//! *Not too small.* Following `c`, the expectation of `v` stays what it is, and the argument above
//! gives that `c` reaches `G` with probability at most `v(s)`; so the minimum is at most that.
//! (Where `v = 0` this says that `c` stays where `v = 0`, and never reaches `G`.)
//!
//! *Not too large.* Take any policy and let `U` be as above. By descent play leaves `U` with
//! probability 1, whatever the policy does. By stopping, `v(s)` is at most the probability that it
//! is left into `G`. ∎
//!
//! # Expected total reward until the goal
//!
//! Being in `s` and taking `a` earns `w(s,a)`; in `G` nothing is earned. First let all `w(s,a) ≥ 0`. When a policy does not
//! reach `G` with probability 1, its expected reward counts as infinite. Here `v(s)` may be
//! infinite. `F` are the states with finite `v`.
//!
//! *Conditions for both.* `v = 0` in `G`. A state outside of `G` without choices has infinite `v`.
//!
//! ## Maximal
//!
//! *Conditions, `s` in `F` outside of `G`.* Every choice has all its outcomes in `F`, descends, and
//! has `v(s) ≥ w(s,a) + Q(s,a)`, with equality for `c(s)`.
//!
//! *Proof.* Play never leaves `F`, and by descent reaches `G` with probability 1 under every
//! policy. What has been earned plus `v` of the current state never grows in expectation, and keeps
//! its expectation under `c`. After `k` steps, `v` of the current state contributes at most its
//! largest absolute value times the probability of not yet being in `G` (in `G` it is 0), which
//! vanishes with growing `k`. So what is earned in total is at most `v(s)` under every policy, and
//! exactly `v(s)` under `c`.
//!
//! *Conditions, `v(s)` infinite.* `s` has no choices, or: where `r(s) = 0`, all outcomes of `c(s)`
//! have infinite `v` and rank 0; where `r(s) > 0`, some outcome of `c(s)` has infinite `v` and
//! smaller rank.
//!
//! *Proof.* States with infinite `v` and rank 0 are outside of `G`, and following `c` play never leaves them (or ends
//! there). From the other states with infinite `v` there is a descending path to them, of positive probability. So `c`
//! misses `G` with positive probability. ∎
//!
//! ## Minimal
//!
//! *Conditions, `s` in `F` outside of `G`.* All outcomes of `c(s)` are in `F`, it descends, and
//! `v(s) = w(s,c(s)) + Q(s,c(s))`. For every choice with all outcomes in `F`,
//! `v(s) ≤ w(s,a) + Q(s,a)`.
//!
//! *Conditions, `v(s)` infinite.* For every choice: some outcome has infinite `v` and smaller rank,
//! or all outcomes have infinite `v` and the same rank as `s`.
//!
//! *Infinite is right.* We show by induction on the rank that from a state with infinite `v` no policy reaches `G` with
//! probability 1. Let `s` be one of rank `k`, and consider the first choice that is not of the second kind. Before it
//! play stays in states with infinite `v` and rank `k`, which are outside of `G`. If with probability 1 there is no
//! such choice, `G` is never reached. Otherwise that choice leads with positive probability to a state with infinite
//! `v` and smaller rank, from where, by induction, `G` is missed with positive probability.
//!
//! *Finite is not too small.* `c` stays in `F` and by descent reaches `G` with probability 1; as
//! above it earns `v(s)`.
//!
//! *Finite is not too large.* Policies that do not reach `G` with probability 1 earn infinitely
//! much. Any other enters states with infinite `v` only with probability 0, so it takes choices with
//! all outcomes in `F`, and what has been earned plus `v` of the current state never falls in
//! expectation. As above, what `v` contributes vanishes, because `G` is reached with probability 1;
//! so `v(s)` is at most what the policy earns. ∎
//!
//! ## Negative rewards
//!
//! Where some `w(s,a) < 0`, what a policy that may miss `G` earns in total need not be defined. Then, for the largest and
//! for the smallest total alike, infinite `v` says that some policy misses `G` with positive probability, and its
//! conditions are those of an infinite maximum. Where `v` is finite every choice has all its outcomes in `F` and descends,
//! with `v(s) ≥ w(s,a) + Q(s,a)` for the largest total and `v(s) ≤ w(s,a) + Q(s,a)` for the smallest, and equality for
//! `c(s)`.
//!
//! *Proof.* Infinite is right as for the maximum. From `F` play never leaves `F`, and by descent reaches `G` with
//! probability 1 under every policy: within any `n` steps with probability at least `e^n`, so the number of steps has a
//! finite expectation, and what is earned in total is defined whatever its signs. The rest is as for the maximum, with
//! "never falls" and "at least" in place of "never grows" and "at most" for the smallest total. ∎

mod certificate;
mod check;

pub use certificate::{Certificate, Claim, Entry, FormatError, Measure, Objective};
pub use check::{CheckError, Refusal, check};
