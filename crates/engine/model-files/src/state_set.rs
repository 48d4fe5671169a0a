//! Sets of states.

/// A set of states, filled in increasing order: a list while it is sparse, a bit for every state when that is smaller.
/// So a set never takes more memory than the text that lists its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSet {
    states: u32,
    len: u32,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    List(Vec<u32>),
    Bits(Vec<u64>),
}

impl StateSet {
    /// The empty set of a model with `states` states.
    pub fn new(states: u32) -> Self {
        Self { states, len: 0, form: Form::List(Vec::new()) }
    }

    /// All states for which `member` holds.
    pub fn from_fn(states: u32, mut member: impl FnMut(u32) -> bool) -> Self {
        let mut set = Self::new(states);
        (0..states).filter(|state| member(*state)).for_each(|state| set.push(state));
        set
    }

    /// Adds a state larger than all members. Adding the largest member again changes nothing.
    ///
    /// # Panics
    /// When there is no such state, or it is smaller than a member.
    pub fn push(&mut self, state: u32) {
        assert!(state < self.states, "state {state} of {}", self.states);
        match &mut self.form {
            Form::List(list) => {
                match list.last() {
                    Some(last) if *last == state => return,
                    Some(last) => assert!(*last < state, "states come in increasing order"),
                    None => {}
                }
                list.push(state);
                if list.len() as u64 * 32 > u64::from(self.states) + 64 {
                    let mut bits: Vec<u64> = vec![0; self.states.div_ceil(64) as usize];
                    for state in list.iter() {
                        bits[*state as usize / 64] |= 1 << (state % 64);
                    }
                    self.form = Form::Bits(bits);
                }
                self.len += 1;
            }
            Form::Bits(bits) => {
                let word = &mut bits[state as usize / 64];
                self.len += u32::from(*word & (1 << (state % 64)) == 0);
                *word |= 1 << (state % 64);
            }
        }
    }

    /// Whether `state` is a member.
    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        match &self.form {
            Form::List(list) => list.binary_search(&state).is_ok(),
            Form::Bits(bits) => state < self.states && bits[state as usize / 64] & (1 << (state % 64)) != 0,
        }
    }

    /// Bytes that the set takes.
    pub fn bytes(&self) -> u64 {
        match &self.form {
            Form::List(list) => list.capacity() as u64 * 4,
            Form::Bits(bits) => bits.capacity() as u64 * 8,
        }
    }

    /// How many members there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (list, bits): (&[u32], &[u64]) = match &self.form {
            Form::List(list) => (list, &[]),
            Form::Bits(bits) => (&[], bits),
        };
        let from_bits = bits.iter().zip(0u32..).flat_map(|(word, place)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(place * 64 + bit)
            })
        });
        list.iter().copied().chain(from_bits)
    }
}

#[cfg(test)]
mod tests;
