//! Tables of numbers, each stored once.

use budget::Stopped;
use hashbrown::HashMap;

use crate::memory::{Memory, number_bytes};
use crate::numbers::{Number, from_double};

/// Numbers, each stored once, and an index of the doubles among them by their bits.
#[derive(Debug, Default)]
pub(crate) struct NumberTable {
    pub(crate) values: Vec<Number>,
    doubles: HashMap<u64, u32>,
    /// A cache of recent doubles: most models have few different ones.
    lately: Vec<Option<(u64, u32)>>,
}

/// The size of the cache.
const LATELY: usize = 1 << 8;

/// The cache slot of a double: the highest bits of a product, which depend on all of its bits.
#[inline]
fn place(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

impl NumberTable {
    /// The number of a double; `None` when it is not finite.
    #[inline]
    pub(crate) fn double(&mut self, value: f64, memory: &Memory<'_>) -> Result<Option<u32>, Stopped> {
        let bits = value.to_bits();
        if let Some(Some((known, id))) = self.lately.get(place(bits))
            && *known == bits
        {
            return Ok(Some(*id));
        }
        let id = if let Some(id) = self.doubles.get(&bits) {
            *id
        } else {
            let Some(number) = from_double(value) else { return Ok(None) };
            let table = &self.doubles;
            memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
            let id = self.add(number, memory)?;
            self.doubles.insert(bits, id);
            id
        };
        if self.lately.is_empty() {
            self.lately = vec![None; LATELY];
        }
        self.lately[place(bits)] = Some((bits, id));
        Ok(Some(id))
    }

    /// The number of a value that is known to be new.
    pub(crate) fn add(&mut self, number: Number, memory: &Memory<'_>) -> Result<u32, Stopped> {
        memory.step()?;
        memory.grow(&mut self.values, 1, usize::MAX)?;
        memory.take(number_bytes(&number.value))?;
        let id = u32::try_from(self.values.len()).expect("fewer numbers than branches");
        self.values.push(number);
        Ok(id)
    }
}
