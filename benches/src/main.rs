//! Measures bestplay: `cargo run --release -p benches`.

mod chain;
mod layered;

use std::hint::black_box;
use std::time::{Duration, Instant};

use mdp::{ExploreOptions, Model, SolveOptions, explore, solve};

/// The median of several runs.
fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[runs / 2]
}

/// The bare backward sweep: one thread, no bounds, no ties, over arrays made for it.
struct Bare {
    starts: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<u8>,
    choices: Vec<u32>,
    payoffs: Vec<f64>,
}

impl Bare {
    fn new(model: &Model) -> Self {
        let mut bare = Self { starts: vec![0], targets: vec![], weights: vec![], choices: vec![0], payoffs: vec![] };
        for state in 0..model.states() {
            for choice in model.choices(state) {
                bare.targets.extend(choice.targets);
                let total = u64::try_from(model.weights().total(choice.weights)).unwrap_or(16);
                for weight in model.weights().weight_list(choice.weights) {
                    bare.weights.push((u64::try_from(weight).unwrap_or(0) * 16 / total) as u8);
                }
                bare.starts.push(bare.targets.len() as u32);
            }
            bare.choices.push(bare.starts.len() as u32 - 1);
            bare.payoffs.push(model.payoff(state).map_or(0.0, |payoff| mdp::nearest(&payoff[0])));
        }
        bare
    }

    fn sweep(&self, values: &mut [f64], policy: &mut [u8]) {
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

fn main() {
    let begin = Instant::now();
    let built = layered::layered(1_000_000, 1);
    println!("layered 1e6 built in {:?}, {:?}", begin.elapsed(), built.model.counts());
    let bare = Bare::new(&built.model);
    let (mut values, mut policy) = (vec![0.0; 1_000_000], vec![0; 1_000_000]);
    let limit = median(9, || bare.sweep(black_box(&mut values), black_box(&mut policy)));
    for threads in [1, 2] {
        let bounded = SolveOptions { threads: Some(threads), ..SolveOptions::default() };
        let time = median(9, || drop(black_box(solve(&built.model, &bounded))));
        let exact = SolveOptions { threads: Some(threads), ..SolveOptions::exact() };
        let time_exact = median(5, || drop(black_box(solve(&built.model, &exact))));
        println!(
            "{threads} threads: bare {limit:?}, bounds {time:?} = {:.2}x, exact {time_exact:?} = {:.2}x",
            time.as_secs_f64() / limit.as_secs_f64(),
            time_exact.as_secs_f64() / limit.as_secs_f64()
        );
    }
    for threads in [1, 2] {
        let options = ExploreOptions { threads: Some(threads), ..ExploreOptions::default() };
        let mut counts = None;
        let time = median(5, || {
            let space = explore(&chain::Chain { fights: 50 }, &options).expect("fits");
            counts = Some((space.model().counts(), space.bytes()));
        });
        println!("chain, {threads} threads: {time:?}, {:.2} M states/s, {counts:?}", 2.053_020 / time.as_secs_f64());
    }
    let space = explore(&chain::Chain { fights: 50 }, &ExploreOptions::default()).expect("fits");
    let begin = Instant::now();
    let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
    println!("chain value {:?} in {:?}", solution.value_of(&space.starts()[0]), begin.elapsed());
}
