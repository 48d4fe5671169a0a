//! Damage.

use fastrand::Rng;

/// Numbers at the edges of what fits somewhere.
const EDGES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967294",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.1",
    "1e400",
    "1e-400",
    "1e308",
    "5e-324",
    "-0",
    "1/3",
    "1/0",
    "NaN",
    "inf",
];

/// Bytes at the edges.
const BYTES: &[u8] = &[0, 1, 9, 10, 32, 34, 39, 44, 47, 48, 57, 58, 91, 92, 93, 123, 125, 127, 128, 192, 255];

/// Damages an input in one to eight places. `others` are inputs to take pieces from.
pub fn mutate(random: &mut Rng, input: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], longest: usize) {
    // Most often in one place: it is read far before it is refused.
    let times = 1 << random.u32(0..4).saturating_sub(random.u32(0..4));
    for _ in 0..times {
        once(random, input, others, words);
        input.truncate(longest);
    }
}

fn once(random: &mut Rng, input: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str]) {
    if input.is_empty() {
        input.extend(words.first().map_or(&b"x"[..], |word| word.as_bytes()));
        return;
    }
    let at = random.usize(0..input.len());
    match random.u32(0..14) {
        0 => input[at] ^= 1 << random.u32(0..8),
        1 => input[at] = random.u8(..),
        2 => input[at] = BYTES[random.usize(0..BYTES.len())],
        3 => input.insert(at, BYTES[random.usize(0..BYTES.len())]),
        4 => drop(input.drain(piece(random, input.len(), at))),
        5 => input.truncate(at),
        6 => {
            // A piece again, in the same place or elsewhere.
            let piece = input[piece(random, input.len(), at)].to_vec();
            let to = if random.bool() { at } else { random.usize(0..=input.len()) };
            let times = if random.u32(0..16) == 0 { random.usize(1..200) } else { 1 };
            let pieces = piece.repeat(times);
            input.splice(to..to, pieces);
        }
        7 if !others.is_empty() => {
            let other = &others[random.usize(0..others.len())];
            if !other.is_empty() {
                let from = random.usize(0..other.len());
                let taken = piece(random, other.len(), from);
                let over = if random.bool() { at..at } else { piece(random, input.len(), at) };
                input.splice(over, other[taken].iter().copied());
            }
        }
        8 | 9 if !words.is_empty() => {
            let word = words[random.usize(0..words.len())];
            let over = if random.bool() { at..at } else { at..(at + word.len()).min(input.len()) };
            input.splice(over, word.bytes());
        }
        10 | 11 => number(random, input, at),
        12 => lines(random, input),
        _ => {
            // A word of binary numbers.
            let edge: u64 =
                [0, 1, 2, 255, 65_535, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX][random.usize(0..10)];
            for (byte, new) in input[at..].iter_mut().zip(edge.to_le_bytes()) {
                *byte = new;
            }
        }
    }
}

/// A range of an input that begins at a place; most are short.
fn piece(random: &mut Rng, length: usize, at: usize) -> std::ops::Range<usize> {
    let most = 1 << random.u32(0..10);
    at..(at + random.usize(1..=most)).min(length)
}

/// Replaces the next number by another.
fn number(random: &mut Rng, input: &mut Vec<u8>, at: usize) {
    let Some(begin) = input[at..].iter().position(u8::is_ascii_digit).map(|more| at + more) else { return };
    let end = input[begin..].iter().position(|byte| !byte.is_ascii_digit()).map_or(input.len(), |more| begin + more);
    let old = std::str::from_utf8(&input[begin..end]).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let new = match random.u32(0..4) {
        0 => old.wrapping_add(1).to_string(),
        1 => old.wrapping_sub(1).to_string(),
        2 => random.u64(0..=old.saturating_add(1)).to_string(),
        _ => EDGES[random.usize(0..EDGES.len())].to_string(),
    };
    input.splice(begin..end, new.bytes());
}

/// Removes, repeats or swaps lines.
fn lines(random: &mut Rng, input: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = input.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.len() > 10_000 {
        return;
    }
    let (one, other) = (random.usize(0..lines.len()), random.usize(0..lines.len()));
    match random.u32(0..3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one].clone()),
        _ => lines.swap(one, other),
    }
    *input = lines.concat();
}
