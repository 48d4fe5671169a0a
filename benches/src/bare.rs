//! The bare sweep: what a solver could not be faster than.

use mdp::Model;

/// A layered model in arrays made for it: weights in sixteenths, one byte each.
pub struct Bare {
    starts: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<u8>,
    choices: Vec<u32>,
    payoffs: Vec<f64>,
}

impl Bare {
    /// The arrays of a model whose weights are sixteenths.
    pub fn new(model: &Model) -> Self {
        let mut bare = Self { starts: vec![0], targets: vec![], weights: vec![], choices: vec![0], payoffs: vec![] };
        for state in 0..model.states() {
            for choice in model.choices(state) {
                bare.targets.extend(choice.targets);
                let small = |weight| u64::try_from(weight).expect("sixteenths are small");
                let total = small(model.weights().total(choice.weights));
                let list = model.weights().weight_list(choice.weights);
                bare.weights.extend(list.into_iter().map(|weight| (small(weight) * 16 / total) as u8));
                bare.starts.push(bare.targets.len() as u32);
            }
            bare.choices.push(bare.starts.len() as u32 - 1);
            bare.payoffs.push(model.payoff(state).map_or(0.0, |payoff| mdp::nearest(&payoff[0])));
        }
        bare
    }

    /// One thread, from the last state to the first: values and a policy, no bounds, no ties.
    pub fn sweep(&self, values: &mut [f64], policy: &mut [u8]) {
        for state in (0..values.len()).rev() {
            let (first, last) = (self.choices[state], self.choices[state + 1]);
            if first == last {
                values[state] = self.payoffs[state];
                continue;
            }
            let mut best = -1.0;
            let mut taken = 0;
            for choice in first..last {
                let run = self.starts[choice as usize] as usize..self.starts[choice as usize + 1] as usize;
                let mut sum = 0.0;
                for (target, weight) in self.targets[run.clone()].iter().zip(&self.weights[run]) {
                    sum += f64::from(*weight) * values[*target as usize];
                }
                if sum > best {
                    best = sum;
                    taken = choice - first;
                }
            }
            values[state] = best / 16.0;
            policy[state] = taken as u8;
        }
    }
}
