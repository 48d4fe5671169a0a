//! States: a place in the program and the registers, packed into words.

use std::hash::{Hash, Hasher};

/// The index of a register.
pub type Register = u8;

const WORDS: usize = 5;

/// The bits of the place in the program.
const PLACE_BITS: u32 = 24;

/// Places from here on, plus a [`SectionNumber`](crate::terms::SectionNumber), are ends: the hero died in that section, or won
/// in it.
pub(crate) const DEAD: u32 = 0x00F0_0000;

pub(crate) const WON: u32 = 0x00F8_0000;

/// The place of no state.
pub(crate) const NO_PLACE: u32 = (1 << PLACE_BITS) - 1;

/// Section numbers are below this.
pub(crate) const SECTIONS: u32 = NO_PLACE - WON;

/// The largest place of a step.
pub(crate) const LAST_PLACE: u32 = DEAD - 1;

/// A state: compact, so that many fit into memory.
#[derive(Clone, Copy, Debug, Eq, PartialOrd, Ord)]
pub struct State([u64; WORDS]);

impl PartialEq for State {
    /// Compares inline, without a call to `memcmp`: this is the most frequent operation.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).fold(0, |differs, (own, other)| differs | (own ^ other)) == 0
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for word in self.0 {
            hasher.write_u64(word);
        }
    }
}

/// The layout of a state: names, ranges and positions of the registers.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    names: Vec<String>,
}

/// The position of a register in a state, and its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    word: u8,
    shift: u8,
    /// The mask of the register's width.
    ones: u16,
    least: i32,
    most: i32,
}

/// The registers of a book need more bits than a state has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateTooLarge {
    /// The bits that it needs.
    pub bits: u32,
}

impl std::fmt::Display for StateTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let most = WORDS * 64;
        write!(f, "the items, flags and counters of this book need {} bits; a state has {most}", self.bits)
    }
}

impl std::error::Error for StateTooLarge {}

impl Layout {
    /// A layout for registers with these names and ranges.
    pub(crate) fn new(registers: Vec<(String, i32, i32)>) -> Result<Self, StateTooLarge> {
        // First fit: each register goes into the first word with room; the first word also holds the place.
        let mut used = [0; WORDS];
        used[0] = PLACE_BITS;
        let mut fields = Vec::with_capacity(registers.len());
        let mut names = Vec::with_capacity(registers.len());
        let mut bits_in_all = PLACE_BITS;
        let mut fits = registers.len() <= usize::from(Register::MAX);
        for (name, least, most) in registers {
            let span = u16::try_from(most.saturating_sub(least)).unwrap_or(u16::MAX);
            let bits = u16::BITS - span.leading_zeros();
            let ones = u16::MAX.checked_shr(span.leading_zeros()).unwrap_or(0);
            let most = least.saturating_add(i32::from(span));
            bits_in_all += bits;
            let (mut word, mut shift) = (0, 0);
            match (0..).zip(&mut used).find(|(_, used)| **used + bits <= u64::BITS) {
                Some((place, used)) => {
                    // A constant needs no bits.
                    (word, shift) = (place, u8::try_from(*used % u64::BITS).unwrap_or(0));
                    *used += bits;
                }
                None => fits = false,
            }
            fields.push(Field { word, shift, ones, least, most });
            names.push(name);
        }
        if fits { Ok(Self { fields, names }) } else { Err(StateTooLarge { bits: bits_in_all }) }
    }

    /// The number of registers.
    pub(crate) fn registers(&self) -> usize {
        self.fields.len()
    }

    /// The range of a register.
    #[inline]
    pub(crate) fn range(&self, register: Register) -> (i32, i32) {
        let field = self.field(register);
        (field.least, field.most)
    }

    /// The name of a register.
    pub(crate) fn name(&self, register: Register) -> &str {
        &self.names[usize::from(register)]
    }

    /// The offset of `number`, clamped to the range, from a register's minimum.
    pub(crate) fn above(&self, register: Register, number: i32) -> u16 {
        let (least, most) = self.range(register);
        u16::try_from(number.clamp(least, most) - least).unwrap_or(u16::MAX)
    }

    /// The value of a register.
    #[inline]
    pub(crate) fn get(&self, state: &State, register: Register) -> i32 {
        state.get(self.field(register))
    }

    /// The position of a register.
    #[inline]
    pub(crate) fn field(&self, register: Register) -> Field {
        self.fields[usize::from(register)]
    }

    /// Sets a register, clamped to its range.
    #[inline]
    pub(crate) fn set(&self, state: &mut State, register: Register, value: i32) {
        state.set(self.field(register), value);
    }

    /// A state in which every register holds 0, or the number nearest to it.
    pub(crate) fn zero(&self) -> State {
        let mut state = State::default();
        for field in &self.fields {
            state.set(*field, 0);
        }
        state
    }

    /// A state with the bits of one register set, all others clear.
    pub(crate) fn mask(&self, register: Register) -> State {
        self.field(register).mask()
    }
}

impl Field {
    /// A state with the bits of the register set, all others clear.
    pub(crate) fn mask(self) -> State {
        let mut state = State::default();
        state.0[usize::from(self.word)] = u64::from(self.ones) << self.shift;
        state
    }

    /// Its lowest bits, for this many numbers (a power of two), or all.
    pub(crate) fn low(self, numbers: u16) -> Self {
        Self { ones: self.ones & (numbers - 1), ..self }
    }

    /// The number of values of its bits.
    pub(crate) fn numbers(self) -> u32 {
        u32::from(self.ones) + 1
    }

    /// The largest number.
    pub(crate) fn most(self) -> i32 {
        self.most
    }

    /// The number at an offset from the minimum.
    pub(crate) fn number(self, above: u16) -> i32 {
        self.least.saturating_add(i32::from(above))
    }
}

impl Default for State {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl State {
    /// The number of words of a state.
    pub(crate) const WORDS: usize = WORDS;

    /// The state as words.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// The state of these words.
    pub(crate) fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The place in the program.
    #[inline]
    pub(crate) fn place(&self) -> u32 {
        (self.0[0] & ((1 << PLACE_BITS) - 1)) as u32
    }

    /// The value of a register.
    #[inline]
    pub(crate) fn get(&self, field: Field) -> i32 {
        field.least + self.above(field).cast_signed()
    }

    /// Sets a register, clamped to its range.
    #[inline]
    pub(crate) fn set(&mut self, field: Field, value: i32) {
        let word = &mut self.0[usize::from(field.word)];
        let above = u64::from((value.clamp(field.least, field.most) - field.least).cast_unsigned());
        *word = *word & !(u64::from(field.ones) << (field.shift % 64)) | above << (field.shift % 64);
    }

    /// The same registers at another place.
    #[inline]
    pub(crate) fn at(mut self, place: u32) -> Self {
        self.0[0] = self.0[0] & !((1 << PLACE_BITS) - 1) | u64::from(place);
        self
    }

    /// Only the bits of `mask`, and the place.
    #[inline]
    pub(crate) fn only(&self, mask: &Self) -> Self {
        let mut kept = *self;
        for (word, mask) in kept.0.iter_mut().zip(mask.0) {
            *word &= mask;
        }
        kept.0[0] |= u64::from(self.place());
        kept
    }

    /// The same with the bits of `mask` cleared; the place stays.
    #[inline]
    pub(crate) fn without(mut self, mask: &Self) -> Self {
        for (word, mask) in self.0.iter_mut().zip(mask.0) {
            *word &= !mask;
        }
        self
    }

    /// The offset of a register from its minimum.
    #[inline]
    pub(crate) fn above(&self, field: Field) -> u32 {
        // No register is wider.
        let low = (self.0[usize::from(field.word)] >> (field.shift % 64)) & 0xFFFF;
        (low as u16 & field.ones).into()
    }

    /// The same with an offset for a register that is at its minimum.
    #[inline]
    pub(crate) fn with_above(mut self, field: Field, above: u32) -> Self {
        self.0[usize::from(field.word)] |= u64::from(above) << (field.shift % 64);
        self
    }

    /// The same with the bits of `mask`, and the place, from another state.
    #[inline]
    pub(crate) fn with(&self, mask: &Self, other: &Self) -> Self {
        let mut with = *self;
        for ((word, mask), other) in with.0.iter_mut().zip(mask.0).zip(other.0) {
            *word = *word & !mask | other & mask;
        }
        with.at(other.place())
    }

    /// The bits of either.
    pub(crate) fn union(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }

    /// The bits of both.
    #[inline]
    pub(crate) fn common(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }

    /// Whether they share a bit.
    #[inline]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).fold(0, |all, (own, other)| all | own & other) != 0
    }

    /// Whether a bit of a register is set.
    #[inline]
    pub(crate) fn has(&self, field: Field) -> bool {
        self.0[usize::from(field.word)] & u64::from(field.ones) << field.shift != 0
    }

    /// The same with the bits of another state that are in `passed` and not in `mask`; here all of them are clear.
    #[inline]
    pub(crate) fn beside(mut self, mask: &Self, passed: &Self, other: &Self) -> Self {
        for (((word, mask), passed), other) in self.0.iter_mut().zip(mask.0).zip(passed.0).zip(other.0) {
            *word |= other & passed & !mask;
        }
        self
    }
}

#[cfg(test)]
mod tests;
