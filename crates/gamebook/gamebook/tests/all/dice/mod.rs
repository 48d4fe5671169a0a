//! Chance for tests.

/// Numbers that look random; the same on every machine.
pub struct Dice(pub u64);

impl Dice {
    /// Those of a seed; near seeds have other numbers.
    pub fn seeded(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        dice.below(2);
        dice
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    pub fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.place(texts.len())]
    }

    /// A place in memory below an end.
    pub fn place(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).expect("below a number of this type")
    }
}
