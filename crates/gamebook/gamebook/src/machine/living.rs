//! The heroes alive in each state, where weaker heroes are solved with the strongest ([`Weaker`]).

use crate::passes::Projection;
use crate::program::{Field, Instruction, Label, Outcome, Program, Weaker};

/// The heroes alive in each state.
#[derive(Debug)]
pub(super) struct Living {
    pub weaker: Weaker,
    pub endurance: Field,
    /// For each place the ENDURANCE from which on all heroes are alive.
    pub all_from: Vec<u32>,
    /// For each place whether it is a chance at which play always stops.
    pub stops: Vec<bool>,
}

impl Living {
    pub(super) fn new(program: &Program, kept: &Projection) -> Option<Self> {
        let weaker = program.sheet.weaker?;
        let (layout, endurance) = (&program.layout, program.sheet.endurance);
        let apart = places_of_single_heroes(program, weaker);
        let all_from = program.places().zip(apart).map(|(place, apart)| {
            // Where heroes have been split, this ENDURANCE is not that of the strongest.
            if apart { 0 } else { kept.alike_from(place, layout, endurance).min(u32::from(weaker.count) + 1) }
        });
        let all_from = all_from.collect();
        let stops = program.steps.iter().map(|step| is_check(step) || parts(step, weaker)).collect();
        Some(Self { weaker, endurance: layout.field(endurance), all_from, stops })
    }

    /// Whether the chance at a place is always a state of its own.
    #[inline]
    pub(super) fn stops_at(&self, place: Label) -> bool {
        self.stops[place as usize]
    }
}

/// Whether a step exists only to make play stop.
fn is_check(step: &Instruction) -> bool {
    matches!(step, Instruction::Chance { outcomes } if outcomes.len() == 1)
}

/// Whether a step splits the heroes.
pub(super) fn parts(step: &Instruction, weaker: Weaker) -> bool {
    let own = |outcome: &Outcome| outcome.sets.iter().any(|(register, _)| *register == weaker.apart);
    matches!(step, Instruction::Chance { outcomes } if outcomes.iter().any(own))
}

/// For each place whether heroes are split there.
fn places_of_single_heroes(program: &Program, weaker: Weaker) -> Vec<bool> {
    let mut apart = vec![false; program.steps.len()];
    let mut open = Vec::new();
    for (place, step) in program.places().zip(&program.steps) {
        if parts(step, weaker) {
            step.successors(place, &mut open);
        }
    }
    while let Some(place) = open.pop() {
        let step = &program.steps[place as usize];
        if std::mem::replace(&mut apart[place as usize], true) {
            continue;
        }
        step.ways(place, &mut |way| {
            // Here they are merged again.
            if way.sets.iter().all(|(register, _)| *register != weaker.apart) {
                open.push(way.next);
            }
        });
    }
    apart
}
