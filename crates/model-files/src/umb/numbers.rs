//! The numbers of a part, each once.

use budget::Stopped;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use hashbrown::HashMap;

use super::index::Encoding;
use super::refused::{Refused, refused};
use super::words::word;
use crate::memory::{Memory, number_bytes};
use crate::numbers::{Number, from_double};

/// The numbers of a part, by their bytes.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) values: Vec<Number>,
    doubles: HashMap<u64, u32>,
    rationals: HashMap<Vec<u8>, u32>,
    latest: Option<(u64, u32)>,
}

impl Numbers {
    pub(super) fn id_of(&mut self, encoding: Encoding, entry: &[u8], memory: &Memory<'_>) -> Result<u32, Refused> {
        match encoding {
            Encoding::Double => {
                let bits = word(entry);
                if let Some((latest, id)) = self.latest
                    && latest == bits
                {
                    return Ok(id);
                }
                let id = if let Some(id) = self.doubles.get(&bits) {
                    *id
                } else {
                    let value = f64::from_bits(bits);
                    let Some(number) = from_double(value) else { return refused(value.to_string(), "a finite number") };
                    let table = &self.doubles;
                    memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
                    let id = self.add(number, memory)?;
                    self.doubles.insert(bits, id);
                    id
                };
                self.latest = Some((bits, id));
                Ok(id)
            }
            Encoding::Rational(half) => {
                if let Some(id) = self.rationals.get(entry) {
                    return Ok(*id);
                }
                let numerator = signed(&entry[..half]);
                let denominator = UBig::from_le_bytes(&entry[half..]);
                if denominator == UBig::ZERO {
                    return refused("a fraction with denominator 0", "a positive denominator");
                }
                let table = &self.rationals;
                memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
                memory.take(entry.len() as u64 + 16)?;
                let value = RBig::from_parts(numerator, denominator);
                let id = self.add(Number { value, decimal: false }, memory)?;
                self.rationals.insert(entry.to_vec(), id);
                Ok(id)
            }
        }
    }

    fn add(&mut self, number: Number, memory: &Memory<'_>) -> Result<u32, Stopped> {
        memory.step()?;
        memory.grow(&mut self.values, 1, usize::MAX)?;
        memory.take(number_bytes(&number.value))?;
        let id = u32::try_from(self.values.len()).expect("fewer numbers than branches");
        self.values.push(number);
        Ok(id)
    }
}

/// An integer in two's complement, least significant byte first.
fn signed(bytes: &[u8]) -> IBig {
    let magnitude = IBig::from(UBig::from_le_bytes(bytes));
    match bytes.last() {
        Some(top) if top & 0x80 != 0 => magnitude - (IBig::ONE << (8 * bytes.len())),
        _ => magnitude,
    }
}
