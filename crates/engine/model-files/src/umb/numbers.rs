//! The numbers of a part, each stored once.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use hashbrown::HashMap;

use super::index::Encoding;
use super::refused::{Refused, refused};
use super::words::word;
use crate::memory::Memory;
use crate::number_table::NumberTable;
use crate::numbers::Number;

/// The numbers of a part, by their bytes.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) table: NumberTable,
    rationals: HashMap<Vec<u8>, u32>,
}

impl Numbers {
    pub(super) fn id_of(&mut self, encoding: Encoding, entry: &[u8], memory: &Memory<'_>) -> Result<u32, Refused> {
        match encoding {
            Encoding::Double => {
                let value = f64::from_bits(word(entry));
                match self.table.double(value, memory)? {
                    Some(id) => Ok(id),
                    None => refused(value.to_string(), "a finite number"),
                }
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
                let id = self.table.add(Number { value, decimal: false }, memory)?;
                self.rationals.insert(entry.to_vec(), id);
                Ok(id)
            }
        }
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
