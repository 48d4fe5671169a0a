//! A part of the archive, converted to its array as it is read.

use std::io::Read;

use super::index::Encoding;
use super::numbers::Numbers;
use super::refused::{Refused, refused};
use super::words::{most, number, word};
use crate::error::{Location, ReadError};
use crate::memory::Memory;
use crate::state_set::StateSet;
use crate::unpack::unreadable;

/// The approximate number of bytes that are converted at a time.
pub(super) const BUFFER: usize = 1 << 18;

/// A part of the archive that is being converted.
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    pub(super) input: &'a mut dyn Read,
    pub(super) memory: &'a Memory<'a>,
}

impl Part<'_> {
    pub(super) fn error(&self, problem: impl Into<String>, remedy: impl Into<String>) -> ReadError {
        ReadError::part(self.name, problem, remedy)
    }

    pub(super) fn entry_error(&self, index: u64, bytes: usize, refused: Refused) -> ReadError {
        match refused {
            Refused::Stopped(stopped) => stopped.into(),
            Refused::Entry(problem, remedy) => {
                let place = Location::Entry { name: self.name.into(), index, offset: index * bytes as u64 };
                ReadError::new(place, problem, remedy)
            }
        }
    }

    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<(), ReadError> {
        self.memory.check()?;
        self.input.read_exact(buffer).map_err(|error| unreadable(&error))
    }

    /// Calls `each` with every entry of `bytes` bytes and its number.
    pub(super) fn entries(
        &mut self,
        bytes: usize,
        count: u64,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Refused>,
    ) -> Result<(), ReadError> {
        if self.size != count * bytes as u64 {
            let remedy = format!("the index asks for {count} entries of {bytes} bytes: {}", count * bytes as u64);
            return Err(self.error(format!("{} bytes", self.size), remedy));
        }
        let mut buffer = vec![0; BUFFER.max(bytes) / bytes * bytes];
        let mut done = 0;
        while done < count {
            // The last block may be shorter.
            let left = usize::try_from(count - done).unwrap_or(usize::MAX).saturating_mul(bytes);
            let size = left.min(buffer.len());
            self.read(&mut buffer[..size])?;
            for entry in buffer[..size].chunks_exact(bytes) {
                each(done, entry).map_err(|refused| self.entry_error(done, bytes, refused))?;
                done += 1;
            }
        }
        Ok(())
    }

    /// Boundaries of consecutive ranges, one for each of `count` owners, of `targets` items.
    pub(super) fn ranges(&mut self, count: u64, targets: u64) -> Result<Vec<u32>, ReadError> {
        let mut ranges: Vec<u32> = Vec::new();
        let memory = self.memory;
        let entries = most(count + 1);
        self.entries(8, count + 1, |index, entry| {
            let value = word(entry);
            let least = ranges.last().map_or(0, |last| u64::from(*last));
            let most = if index == 0 { 0 } else { targets };
            if value < least || value > most || (index == count && value != targets) {
                let least = if index == count { targets } else { least };
                let right = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                return refused(format!("{value}"), format!("{right}: ranges follow each other from 0 to {targets}"));
            }
            memory.grow(&mut ranges, 1, entries)?;
            ranges.push(number(value));
            Ok(())
        })?;
        Ok(ranges)
    }

    /// Indices below `bound`.
    pub(super) fn indices(&mut self, bytes: usize, count: u64, bound: u64, what: &str) -> Result<Vec<u32>, ReadError> {
        let mut indices = Vec::new();
        let memory = self.memory;
        self.entries(bytes, count, |_, entry| {
            let value = word(entry);
            if value >= bound {
                return refused(format!("{what} {value}"), format!("there are {bound}, numbered from 0"));
            }
            memory.grow(&mut indices, 1, most(count))?;
            indices.push(number(value));
            Ok(())
        })?;
        Ok(indices)
    }

    /// A bit for every state. The padding at the end may be left out down to whole bytes.
    pub(super) fn states(&mut self, states: u32) -> Result<StateSet, ReadError> {
        let (least, most) = (u64::from(states.div_ceil(8)), u64::from(states.div_ceil(64)) * 8);
        if self.size < least || self.size > most {
            return Err(
                self.error(format!("{} bytes", self.size), format!("{most} bytes: a bit for each of {states} states"))
            );
        }
        let mut set = StateSet::new(states);
        // A set grows by doubling, and changes its representation once.
        let growing = u64::from(states) / 4 + 64;
        self.memory.take(growing)?;
        self.entries(1, self.size, |index, entry| {
            let mut byte = entry[0];
            while byte != 0 {
                let state = index * 8 + u64::from(byte.trailing_zeros());
                if state >= u64::from(states) {
                    return refused(format!("the bit of state {state}"), format!("there are {states} states"));
                }
                set.push(number(state));
                byte &= byte - 1;
            }
            Ok(())
        })?;
        self.memory.give_back(growing.saturating_sub(set.bytes()));
        Ok(set)
    }

    /// Numbers, each different one stored once in `numbers`.
    pub(super) fn numbers(
        &mut self,
        encoding: Encoding,
        count: u64,
        numbers: &mut Numbers,
    ) -> Result<Vec<u32>, ReadError> {
        let mut ids = Vec::new();
        let memory = self.memory;
        self.entries(encoding.bytes(), count, |_, entry| {
            memory.grow(&mut ids, 1, most(count))?;
            ids.push(numbers.id_of(encoding, entry, memory)?);
            Ok(())
        })?;
        Ok(ids)
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        while bytes.len() < size {
            let more = BUFFER.min(size - bytes.len());
            self.memory.grow(&mut bytes, more, size)?;
            let begin = bytes.len();
            bytes.resize(begin + more, 0);
            self.read(&mut bytes[begin..])?;
        }
        Ok(bytes)
    }
}
