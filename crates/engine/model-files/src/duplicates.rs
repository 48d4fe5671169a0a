//! Whether a choice lists a state twice.

use budget::Stopped;

use crate::memory::Memory;

/// Up to this length all pairs are compared: most choices lead to a few states, and this takes no memory.
const COMPARED: usize = 16;

/// Up to this length lists are sorted as a whole.
const SORTED: usize = 1 << 16;

/// The number of states covered by one pass over a longer list.
const WINDOW: u32 = 1 << 26;

/// Whether a list contains a state twice.
pub(crate) fn has_duplicate(states: &[u32], memory: &Memory<'_>) -> Result<bool, Stopped> {
    if states.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(false);
    }
    if states.len() <= COMPARED {
        let twice = |(place, state): (usize, &u32)| states[..place].contains(state);
        return Ok(states.iter().enumerate().any(twice));
    }
    if states.len() <= SORTED {
        let mut sorted = states.to_vec();
        sorted.sort_unstable();
        return Ok(sorted.windows(2).any(|pair| pair[0] == pair[1]));
    }
    let last = states.iter().max().copied().unwrap_or(0);
    memory.room(u64::from(WINDOW.min(last)) / 8)?;
    let mut seen = vec![0u64; (WINDOW.min(last) / 64) as usize + 1];
    for window in 0..=last / WINDOW {
        seen.fill(0);
        for block in states.chunks(SORTED) {
            memory.check()?;
            for state in block.iter().filter(|state| **state / WINDOW == window).map(|state| state % WINDOW) {
                let word = &mut seen[state as usize / 64];
                if *word & (1 << (state % 64)) != 0 {
                    return Ok(true);
                }
                *word |= 1 << (state % 64);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
