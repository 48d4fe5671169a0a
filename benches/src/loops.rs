//! Models whose states form one large strongly connected component, made for the engine.

use mdp::{BuildError, Built, ModelBuilder, Rational, Sense};

/// A model with what is asked of it.
pub struct Loop {
    pub name: String,
    pub built: Built,
    pub sense: Sense,
}

/// A choice: what it earns, and where it leads with which weights.
type Choice = (u64, Vec<(u64, u32)>);

/// States with choices, followed by ends with these payoffs.
fn build(states: impl Iterator<Item = Vec<Choice>>, payoffs: &[u64]) -> Result<Built, BuildError> {
    let mut builder = ModelBuilder::new();
    for choices in states {
        for (reward, outcomes) in choices {
            if reward > 0 {
                builder.reward(&Rational::from(reward))?;
            }
            let (weights, targets): (Vec<u64>, Vec<u32>) = outcomes.into_iter().unzip();
            let weights = builder.weights(&weights)?;
            builder.choice(weights, &targets)?;
        }
        builder.finish_state()?;
    }
    for payoff in payoffs {
        builder.finished(&[Rational::from(*payoff)])?;
    }
    builder.build(None)
}

/// Numbers without a pattern that a seed determines (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// Every state leads to others at random, and now and then out: the least expected cost.
pub fn expander(states: u32) -> Loop {
    let mut numbers = Numbers(1);
    let choices = |_| {
        let choice = |_| {
            let reward = numbers.below(3);
            let mut outcomes: Vec<(u64, u32)> = Vec::new();
            for _ in 0..4 {
                let target = u32::try_from(numbers.below(states.into())).expect("a state");
                outcomes.push((1 + numbers.below(9), target));
            }
            if numbers.below(2) == 0 {
                outcomes.extend([(1, states), (1, states + 1)]);
            }
            (reward, outcomes)
        };
        (0..2).map(choice).collect()
    };
    let built = build((0..states).map(choices), &[0, 0]).expect("a model");
    Loop { name: format!("expander of {states}, least cost"), built, sense: Sense::Min }
}

/// A square of places, in which a step goes astray two times in ten: the fewest steps to a corner.
pub fn grid(side: u32) -> Loop {
    let goal = side * side;
    let place = |x: u32, y: u32| if x + 1 == side && y + 1 == side { goal } else { y * side + x };
    let choices = |state: u32| {
        let (x, y) = (state % side, state / side);
        let (left, right) = (place(x.saturating_sub(1), y), place((x + 1).min(side - 1), y));
        let (up, down) = (place(x, y.saturating_sub(1)), place(x, (y + 1).min(side - 1)));
        let step = |to: u32, astray: u32| (1, vec![(8, to), (1, astray), (1, state)]);
        vec![step(right, down), step(down, right), step(left, down), step(up, right)]
    };
    let built = build((0..goal).map(choices), &[0]).expect("a model");
    Loop { name: format!("grid of {goal}, fewest steps"), built, sense: Sense::Min }
}

/// Gambling for one at a time, won with these weights against lost, until nothing or everything is there.
pub fn ruin(states: u32, (won, lost): (u64, u64)) -> Loop {
    let choices = |state: u32| {
        let up = if state + 1 == states { states } else { state + 1 };
        let down = if state == 0 { states + 1 } else { state - 1 };
        vec![(0, vec![(won, up), (lost, down)])]
    };
    let built = build((0..states).map(choices), &[1, 0]).expect("a model");
    Loop { name: format!("ruin of {states}, {won} to {lost}"), built, sense: Sense::Max }
}

/// A way to each of two ends, on which a coin sends back to the beginning at every step: hard for every
/// iteration (Haddad and Monmege 2014). The answer is 7/10.
pub fn haddad_monmege(states: u32) -> Loop {
    let length = states / 2;
    let choices = |state: u32| {
        if state == 0 {
            return vec![(0, vec![(7, 1), (3, 1 + length)])];
        }
        let next = match state {
            state if state == length => 2 * length + 1,
            state if state == 2 * length => 2 * length + 2,
            state => state + 1,
        };
        vec![(0, vec![(1, next), (1, 0)])]
    };
    let built = build((0..=2 * length).map(choices), &[1, 0]).expect("a model");
    Loop { name: format!("Haddad and Monmege, {states}"), built, sense: Sense::Max }
}
