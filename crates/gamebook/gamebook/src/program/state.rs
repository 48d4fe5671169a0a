//! A situation of the game, packed: where play is, and what the registers hold.

use std::hash::{Hash, Hasher};

/// The place of a register.
pub type Register = u8;

const WORDS: usize = 5;

/// The bits of the place in the program.
const PLACE_BITS: u32 = 24;

/// States at these places and the [`SectionNumber`](crate::terms::SectionNumber)s after them are over: the hero died
/// in that section, or has won in it.
pub(crate) const DEAD: u32 = 0x00F0_0000;

pub(crate) const WON: u32 = 0x00F8_0000;

/// No state is here.
pub(crate) const NO_PLACE: u32 = (1 << PLACE_BITS) - 1;

/// The numbers of sections are less than this.
pub(crate) const SECTIONS: u32 = NO_PLACE - WON;

/// The last place that a step of a program can have.
pub(crate) const LAST_PLACE: u32 = DEAD - 1;

/// A situation. Compact, so that many fit into memory.
#[derive(Clone, Copy, Debug, Eq, PartialOrd, Ord)]
pub struct State([u64; WORDS]);

impl PartialEq for State {
    /// Without a call to compare memory: this is asked more often than anything else.
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

/// What the registers are called, which numbers they hold, and where each lies in a state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    names: Vec<String>,
}

/// Where in a state a register is, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    word: u8,
    shift: u8,
    /// As many ones as the register has bits.
    ones: u16,
    least: i32,
    most: i32,
}

/// The book has more to remember than a state can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchToRemember {
    /// Bits that are needed.
    pub bits: u32,
}

impl std::fmt::Display for TooMuchToRemember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let most = WORDS * 64;
        write!(f, "the items, flags and counters of this book need {} bits; a state has {most}", self.bits)
    }
}

impl std::error::Error for TooMuchToRemember {}

impl Layout {
    /// Registers with their names and the smallest and largest number that each holds.
    pub(crate) fn new(registers: Vec<(String, i32, i32)>) -> Result<Self, TooMuchToRemember> {
        // Each lies in the first word that has room for it; beside the place in the first.
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
                    // What is always the same needs no room, and lies anywhere.
                    (word, shift) = (place, u8::try_from(*used % u64::BITS).unwrap_or(0));
                    *used += bits;
                }
                None => fits = false,
            }
            fields.push(Field { word, shift, ones, least, most });
            names.push(name);
        }
        if fits { Ok(Self { fields, names }) } else { Err(TooMuchToRemember { bits: bits_in_all }) }
    }

    /// How many registers there are.
    pub(crate) fn registers(&self) -> usize {
        self.fields.len()
    }

    /// The smallest and the largest number that a register holds.
    #[inline]
    pub(crate) fn range(&self, register: Register) -> (i32, i32) {
        let field = self.field(register);
        (field.least, field.most)
    }

    /// What a register is called.
    pub(crate) fn name(&self, register: Register) -> &str {
        &self.names[usize::from(register)]
    }

    /// How many steps it is from the smallest number of a register to `number`, within its range.
    pub(crate) fn above(&self, register: Register, number: i32) -> u16 {
        let (least, most) = self.range(register);
        u16::try_from(number.clamp(least, most) - least).unwrap_or(u16::MAX)
    }

    /// What a register holds.
    #[inline]
    pub(crate) fn get(&self, state: &State, register: Register) -> i32 {
        state.get(self.field(register))
    }

    /// Where a register is.
    #[inline]
    pub(crate) fn field(&self, register: Register) -> Field {
        self.fields[usize::from(register)]
    }

    /// Puts a number into a register, kept within its range.
    #[inline]
    pub(crate) fn set(&self, state: &mut State, register: Register, value: i32) {
        state.set(self.field(register), value);
    }

    /// A state in which every register holds 0, or what is nearest to it.
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

    /// The lowest bits of it: as many numbers as are asked for, a power of two, or all.
    pub(crate) fn low(self, numbers: u16) -> Self {
        Self { ones: self.ones & (numbers - 1), ..self }
    }

    /// How many numbers its bits can tell apart.
    pub(crate) fn numbers(self) -> u32 {
        u32::from(self.ones) + 1
    }

    /// The number so many steps above the smallest.
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
    /// How many words a state has.
    pub(crate) const WORDS: usize = WORDS;

    /// The state as words.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// The state that these words are.
    pub(crate) fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The place in the program.
    #[inline]
    pub(crate) fn place(&self) -> u32 {
        (self.0[0] & ((1 << PLACE_BITS) - 1)) as u32
    }

    /// What a register holds.
    #[inline]
    pub(crate) fn get(&self, field: Field) -> i32 {
        field.least + self.above(field).cast_signed()
    }

    /// Puts a number into a register, kept within its range.
    #[inline]
    pub(crate) fn set(&mut self, field: Field, value: i32) {
        let word = &mut self.0[usize::from(field.word)];
        let above = u64::from((value.clamp(field.least, field.most) - field.least).cast_unsigned());
        *word = *word & !(u64::from(field.ones) << (field.shift % 64)) | above << (field.shift % 64);
    }

    /// The same situation at another place.
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

    /// The same with the bits of `mask` clear; the place stays.
    #[inline]
    pub(crate) fn without(mut self, mask: &Self) -> Self {
        for (word, mask) in self.0.iter_mut().zip(mask.0) {
            *word &= !mask;
        }
        self
    }

    /// How far above its smallest number a register is.
    #[inline]
    pub(crate) fn above(&self, field: Field) -> u32 {
        // No register has more bits than these.
        let low = (self.0[usize::from(field.word)] >> (field.shift % 64)) & 0xFFFF;
        (low as u16 & field.ones).into()
    }

    /// The same with a register that was at its smallest number so far above it.
    #[inline]
    pub(crate) fn with_above(mut self, field: Field, above: u32) -> Self {
        self.0[usize::from(field.word)] |= u64::from(above) << (field.shift % 64);
        self
    }

    /// The same with the bits of `mask`, and the place, of another.
    #[inline]
    pub(crate) fn with(&self, mask: &Self, other: &Self) -> Self {
        let mut with = *self;
        for ((word, mask), other) in with.0.iter_mut().zip(mask.0).zip(other.0) {
            *word = *word & !mask | other & mask;
        }
        with.at(other.place())
    }

    /// The bits of both.
    pub(crate) fn union(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }

    /// The bits that both have.
    #[inline]
    pub(crate) fn common(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }

    /// Whether both have a bit.
    #[inline]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).fold(0, |all, (own, other)| all | own & other) != 0
    }

    /// Whether a bit of a register is set.
    #[inline]
    pub(crate) fn has(&self, field: Field) -> bool {
        self.0[usize::from(field.word)] & u64::from(field.ones) << field.shift != 0
    }

    /// The same with those bits of another state that are in `passed` and not in `mask`; here all of them are clear.
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
