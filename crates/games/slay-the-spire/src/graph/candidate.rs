//! The ways to go on that a rollout ranks.

use std::rc::Rc;

/// One of the ways to go on that a decision has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// What seems to be left in the end, less the health now.
    pub seems: f64,
    /// Who has no more health may not survive it.
    pub need: i16,
    pub pick: Pick,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pick {
    End(usize),
    Chance(usize),
}

/// The candidates of a decision, what seems best first; each asks for less health than those before it.
pub(crate) type Ranked = Rc<[Candidate]>;

/// Leaves out what seems no better than another candidate and asks for as much.
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

/// What a decision seems to be worth, and what health it asks for to have that.
pub(crate) fn first(ranked: &[Candidate]) -> (f64, i16) {
    ranked.first().map_or((f64::NEG_INFINITY, i16::MAX), |candidate| (candidate.seems, candidate.need))
}

/// A play left to chance, of decisions that are ranked.
pub(crate) fn mean(pick: usize, items: impl Iterator<Item = (f64, (f64, i16))>) -> Candidate {
    let (mut seems, mut need) = (0.0, i16::MIN);
    for (chance, (own, own_need)) in items {
        seems += chance * own;
        need = need.max(own_need);
    }
    Candidate { seems, need, pick: Pick::Chance(pick) }
}

/// What is picked with which of these healths, which ascend: the first candidate that is survived, else the last.
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
