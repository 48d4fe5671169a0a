use super::*;
use model_files::{Builder, Kind};

/// The stages by their definition: every stage is recomputed.
fn by_definition(graph: &Graph<'_>) -> Vec<u32> {
    let states = graph.model.states();
    let reaches = |choice: u32, set: &[bool]| graph.model.outcomes(choice).0.iter().any(|to| set[*to as usize]);
    let mut lost = vec![false; states as usize];
    loop {
        let mut way: Vec<bool> = (0..states).map(|state| graph.goal.contains(state)).collect();
        for _ in 0..states {
            for state in (0..states).filter(|state| !lost[*state as usize]) {
                let safe = |choice: &u32| !reaches(*choice, &lost);
                way[state as usize] |= graph.model.choices(state).filter(safe).any(|choice| reaches(choice, &way));
            }
        }
        let more: Vec<bool> = (0..states as usize).map(|state| lost[state] || !way[state]).collect();
        if more == lost {
            return lost.into_iter().map(u32::from).collect();
        }
        lost = more;
    }
}

#[test]
fn who_cannot_be_certain() {
    let mut seed = 1u64;
    let budget = Budget::unlimited();
    let mut below = |most: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((seed >> 33) % u64::from(most)).unwrap()
    };
    let mut mixed = 0;
    for _ in 0..2000 {
        let states = 2 + below(12);
        let mut builder = Builder::new(Kind::Mdp, states, &budget).unwrap();
        for _ in 0..states {
            builder.state().unwrap();
            for _ in 0..below(4) {
                let mut targets: Vec<u32> = (0..=below(2)).map(|_| below(states)).collect();
                targets.sort_unstable();
                targets.dedup();
                builder.choice(&targets, &vec![1; targets.len()]).unwrap();
            }
        }
        builder.initial(StateSet::from_fn(states, |state| state == 0));
        let model = builder.finish().unwrap();
        let goal = StateSet::from_fn(states, |state| state == states - 1);
        let graph = Graph::new(&model, &goal, None, &budget).unwrap();
        let stages = graph.stages().unwrap();
        let lost: Vec<u32> = stages.iter().map(|stage| u32::from(*stage != 0)).collect();
        assert_eq!(lost, by_definition(&graph));
        mixed += u32::from(stages.iter().any(|stage| *stage > 1) && stages[0] == 0);
        // The conditions on stages in a certificate.
        for state in (0..states).filter(|state| stages[*state as usize] != 0) {
            for choice in model.choices(state) {
                let targets = model.outcomes(choice).0.iter().map(|to| stages[*to as usize]);
                let own = stages[state as usize];
                let earlier = targets.clone().any(|stage| stage != 0 && stage < own);
                assert!(earlier || targets.clone().all(|stage| stage == own), "{stages:?} {state}");
            }
        }
    }
    assert!(mixed > 20, "{mixed}");
}
