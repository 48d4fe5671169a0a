//! The bare sweep: what a solver could not be faster than.

use mdp::{Model, Rational};

/// A model in arrays made for the sweep, with weights of type `W`.
pub struct Bare<W> {
    starts: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<W>,
    /// What the weights of a choice sum to.
    total: f64,
    choices: Vec<u32>,
    payoffs: Vec<f64>,
}

impl Bare<u8> {
    /// The arrays of a model whose weights are sixteenths.
    pub fn sixteenths(model: &Model) -> Self {
        let sixteenths = |part: Rational| {
            u8::try_from((part * Rational::from(16)).numerator().clone()).expect("sixteenths: from 0 to 16")
        };
        Self::new(model, 16.0, sixteenths)
    }
}

impl Bare<f64> {
    /// The arrays of any model.
    pub fn probabilities(model: &Model) -> Self {
        Self::new(model, 1.0, |part| mdp::nearest(&part))
    }
}

impl<W: Copy + Into<f64>> Bare<W> {
    fn new(model: &Model, sum: f64, weight: impl Fn(Rational) -> W) -> Self {
        let mut bare =
            Self { starts: vec![0], targets: vec![], weights: vec![], total: sum, choices: vec![0], payoffs: vec![] };
        for state in 0..model.states() {
            for choice in model.choices(state) {
                bare.targets.extend(choice.targets.iter());
                let total = model.weights().total(choice.weights);
                let list = model.weights().weight_list(choice.weights);
                let parts = list.into_iter().map(|own| Rational::from_parts(own.into(), total.clone()));
                bare.weights.extend(parts.map(&weight));
                bare.starts.push(u32::try_from(bare.targets.len()).expect("a model has fewer"));
            }
            bare.choices.push(u32::try_from(bare.starts.len() - 1).expect("a model has fewer"));
            bare.payoffs.push(model.payoff(state).map_or(0.0, |payoff| mdp::nearest(&payoff[0])));
        }
        bare
    }

    /// One thread, from the last state to the first: values and a policy, no bounds, no ties. In a loop the values
    /// are those of a single round.
    pub fn sweep(&self, values: &mut [f64], policy: &mut [u32]) {
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
                    sum += (*weight).into() * values[*target as usize];
                }
                if sum > best {
                    best = sum;
                    taken = choice - first;
                }
            }
            values[state] = best / self.total;
            policy[state] = taken;
        }
    }
}
