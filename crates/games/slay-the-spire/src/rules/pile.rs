//! Multisets of cards.

use std::hash::{Hash, Hasher};

/// The most different cards in one fight, including upgraded and created ones.
pub const SLOTS: usize = 48;
/// A multiset of cards: the number of each of the fight's cards, by slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pile([u8; SLOTS]);

impl Default for Pile {
    fn default() -> Self {
        Self([0; SLOTS])
    }
}

/// Eight cards at once: hashing positions is the most frequent operation.
impl Hash for Pile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_bytes(&self.0, state);
    }
}

/// Bytes as words: hashing positions is the most frequent operation. Most words are 0, and are left out; so the others
/// are distinguished by their places.
pub(super) fn hash_bytes<H: Hasher>(bytes: &[u8], state: &mut H) {
    /// Makes the places of words differ in many bits.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks();
    let mut place = 0u64;
    for word in words {
        let word = u64::from_le_bytes(*word);
        if word != 0 {
            state.write_u64(word ^ place);
        }
        place = place.wrapping_add(SPREAD);
    }
    if !rest.is_empty() {
        state.write_u64(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
}

impl Pile {
    /// The number of this card.
    pub fn count(&self, slot: u8) -> u8 {
        self.0[usize::from(slot)]
    }

    /// Adds cards.
    pub fn add(&mut self, slot: u8, count: u8) {
        let held = &mut self.0[usize::from(slot)];
        *held = held.saturating_add(count);
    }

    /// Removes cards; there must be as many.
    pub fn remove(&mut self, slot: u8, count: u8) {
        let held = &mut self.0[usize::from(slot)];
        debug_assert!(*held >= count, "a card that is not there");
        *held = held.saturating_sub(count);
    }

    /// How many cards.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; SLOTS]
    }

    /// Every card of the pile once, with its count.
    pub fn iter(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (words, _) = self.0.as_chunks();
        let mut left = [0; SLOTS / 8];
        for (left, word) in left.iter_mut().zip(words) {
            *left = u64::from_le_bytes(*word);
        }
        Kinds { left, at: 0 }
    }

    /// Adds another pile to this one.
    pub fn join(&mut self, other: &Self) {
        for (held, more) in self.0.iter_mut().zip(other.0) {
            *held = held.saturating_add(more);
        }
    }
}

/// The cards of a pile, eight at once: most counts are 0.
struct Kinds {
    left: [u64; SLOTS / 8],
    at: u8,
}

impl Iterator for Kinds {
    type Item = (u8, u8);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let word = self.left.get_mut(usize::from(self.at))?;
            if *word == 0 {
                self.at += 1;
                continue;
            }
            let place = word.trailing_zeros() / 8;
            let [count, ..] = (*word >> (8 * place)).to_le_bytes();
            *word &= !(0xff << (8 * place));
            let [place, ..] = place.to_le_bytes();
            return Some((8 * self.at + place, count));
        }
    }
}
