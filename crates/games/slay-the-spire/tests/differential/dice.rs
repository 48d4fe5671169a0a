//! Random outcomes: by a seed, or all of them, one after another.

/// Pseudorandom numbers.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides.max(1) as u64).unwrap()
    }
}

/// The random outcomes of one transition.
#[derive(Debug)]
pub struct Chance<'d> {
    /// The picks to repeat; after them the first of each, or by the dice.
    script: Vec<usize>,
    dice: Option<&'d mut Dice>,
    /// Each pick, and the number of options.
    taken: Vec<(usize, usize)>,
    /// The probability of all of it.
    pub likelihood: f64,
}

impl<'d> Chance<'d> {
    pub fn by(dice: &'d mut Dice) -> Self {
        Self { script: Vec::new(), dice: Some(dice), taken: Vec::new(), likelihood: 1.0 }
    }

    /// A random index by these weights.
    pub fn pick(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        let picked = match (self.script.get(self.taken.len()), &mut self.dice) {
            (Some(picked), _) => *picked,
            (None, None) => 0,
            (None, Some(dice)) => {
                let mut left = dice.roll(total as usize);
                weights
                    .iter()
                    .position(|weight| {
                        let here = left < *weight as usize;
                        left = left.saturating_sub(*weight as usize);
                        here
                    })
                    .unwrap()
            }
        };
        self.taken.push((picked, weights.len()));
        self.likelihood *= f64::from(weights[picked]) / f64::from(total);
        picked
    }

    pub fn one_of(&mut self, count: usize) -> usize {
        self.pick(&vec![1; count])
    }
}

/// The results for every random outcome; `None` if there are more than `most`.
pub fn every<T>(most: usize, mut happens: impl FnMut(&mut Chance<'_>) -> T) -> Option<Vec<(f64, T)>> {
    let (mut script, mut all) = (Vec::new(), Vec::new());
    loop {
        let mut chance = Chance { script, dice: None, taken: Vec::new(), likelihood: 1.0 };
        let came = happens(&mut chance);
        all.push((chance.likelihood, came));
        if all.len() > most {
            return None;
        }
        let mut taken = chance.taken;
        while taken.last().is_some_and(|(picked, of)| picked + 1 == *of) {
            taken.pop();
        }
        let Some((last, _)) = taken.last_mut() else { return Some(all) };
        *last += 1;
        script = taken.into_iter().map(|(picked, _)| picked).collect();
    }
}
