//! The options that a rollout ranks.

use std::rc::Rc;

/// One of the options of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The estimated final health, minus the current health.
    pub seems: f64,
    /// A player with no more health than this may not survive it.
    pub need: i16,
    pub pick: Pick,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pick {
    End(usize),
    Chance(usize),
}

/// The candidates of a decision, the best estimate first; each needs less health than those before it.
pub(crate) type Ranked = Rc<[Candidate]>;

/// Removes candidates that are no better than another one that needs as much health.
pub(crate) fn ranked(mut candidates: Vec<Candidate>) -> Ranked {
    candidates.sort_by(|a, b| b.seems.total_cmp(&a.seems).then(a.need.cmp(&b.need)));
    let mut least = i16::MAX;
    candidates.retain(|candidate| {
        let kept = candidate.need < least;
        least = least.min(candidate.need);
        kept
    });
    candidates.into()
}

/// The estimated value of a decision, and the health that it needs.
pub(crate) fn first(ranked: &[Candidate]) -> (f64, i16) {
    ranked.first().map_or((f64::NEG_INFINITY, i16::MAX), |candidate| (candidate.seems, candidate.need))
}

/// A play with random outcomes, whose decisions are ranked.
pub(crate) fn mean(pick: usize, items: impl Iterator<Item = (f64, (f64, i16))>) -> Candidate {
    let (mut seems, mut need) = (0.0, i16::MIN);
    for (chance, (own, own_need)) in items {
        seems += chance * own;
        need = need.max(own_need);
    }
    Candidate { seems, need, pick: Pick::Chance(pick) }
}

/// The candidate picked for each of these healths, which ascend: the first one that is survived, otherwise the last.
pub(crate) fn picked<'h>(ranked: &[Candidate], healths: &'h [(i16, f64)]) -> Vec<(Pick, &'h [(i16, f64)])> {
    let mut rest = healths;
    let mut found = Vec::new();
    for (place, candidate) in ranked.iter().enumerate() {
        let from =
            if place + 1 == ranked.len() { 0 } else { rest.partition_point(|(health, _)| *health <= candidate.need) };
        let (below, here) = rest.split_at(from);
        if !here.is_empty() {
            found.push((candidate.pick, here));
        }
        rest = below;
    }
    found
}
