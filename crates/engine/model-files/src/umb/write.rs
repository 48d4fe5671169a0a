//! Writing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use budget::Budget;
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::index::{Annotation, Encoding, FileData, Index, LONGEST, TransitionSystem, Type, VERSION};
use crate::explicit::{ExplicitModel, Kind, RewardModel};
use crate::memory::{Memory, number_bytes};
use crate::numbers::short_decimal;
use crate::state_set::StateSet;

/// How an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// A plain tar archive: fast, large.
    None,
    /// Compressed with gzip, as Storm writes it.
    Gzip,
}

/// Writes a model as a UMB archive.
///
/// Numbers are written as doubles when all of them are decimals that a double represents, otherwise as fractions:
/// either way nothing is rounded. The same model gives the same bytes.
///
/// # Errors
/// When writing fails. When the budget stops the run, the error contains the reason, see
/// [`Stopped::behind`](budget::Stopped::behind).
///
/// ```
/// use budget::Budget;
/// use model_files::{Compression, layered, read_umb, write_umb};
///
/// let budget = Budget::default();
/// let model = layered(500, 1)?;
/// let mut archive = Vec::new();
/// write_umb(&model, &mut archive, Compression::Gzip, &budget)?;
/// assert_eq!(read_umb(std::io::Cursor::new(archive), &budget)?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_umb(
    model: &ExplicitModel,
    output: impl Write,
    compression: Compression,
    budget: &Budget<'_>,
) -> io::Result<()> {
    let memory = Memory::new(budget, 0);
    match compression {
        Compression::None => write_archive(model, output, &memory)?.flush(),
        Compression::Gzip => {
            let packed = flate2::write::GzEncoder::new(output, flate2::Compression::fast());
            write_archive(model, packed, &memory)?.finish()?.flush()
        }
    }
}

/// Bytes from an iterator of small blocks.
struct Blocks<'a, I> {
    rest: I,
    memory: &'a Memory<'a>,
    pending: Vec<u8>,
    at: usize,
}

impl<B: AsRef<[u8]>, I: Iterator<Item = B>> Read for Blocks<'_, I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.pending.len() {
            self.memory.check()?;
            self.pending.clear();
            self.at = 0;
            while self.pending.len() < 1 << 16
                && let Some(block) = self.rest.next()
            {
                self.pending.extend_from_slice(block.as_ref());
            }
        }
        let now = buffer.len().min(self.pending.len() - self.at);
        buffer[..now].copy_from_slice(&self.pending[self.at..self.at + now]);
        self.at += now;
        Ok(now)
    }
}

struct Archive<'a, W: Write> {
    tar: tar::Builder<W>,
    memory: &'a Memory<'a>,
}

impl<W: Write> Archive<'_, W> {
    fn part<B: AsRef<[u8]>>(&mut self, name: &str, size: u64, blocks: impl Iterator<Item = B>) -> io::Result<()> {
        let mut header = tar::Header::new_ustar();
        header.set_size(size);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_entry_type(tar::EntryType::Regular);
        self.tar.append_data(
            &mut header,
            name,
            Blocks { rest: blocks, memory: self.memory, pending: Vec::new(), at: 0 },
        )
    }

    fn words(&mut self, name: &str, words: &[u32]) -> io::Result<()> {
        self.part(name, words.len() as u64 * 8, words.iter().map(|word| u64::from(*word).to_le_bytes()))
    }

    fn states(&mut self, name: &str, states: &StateSet, count: u32) -> io::Result<()> {
        self.memory.room(u64::from(count) / 8)?;
        let mut bytes = vec![0u8; count.div_ceil(64) as usize * 8];
        states.iter().for_each(|state| bytes[state as usize / 8] |= 1 << (state % 8));
        self.part(name, bytes.len() as u64, std::iter::once(bytes))
    }

    /// A number for every entry: `values[index]`, or zero if there are no indices.
    fn numbers(&mut self, name: &str, values: &[Vec<u8>], indices: &[u32]) -> io::Result<()> {
        let size = values.first().map_or(0, Vec::len) as u64 * indices.len() as u64;
        self.part(name, size, indices.iter().map(|entry| &values[*entry as usize]))
    }
}

fn write_archive<W: Write>(model: &ExplicitModel, output: W, memory: &Memory<'_>) -> io::Result<W> {
    let listed = model.distributions().iter().map(|w| {
        let probability = |outcome| {
            let number = w.probability(outcome);
            memory.step()?;
            memory.take(number_bytes(&number))?;
            Ok(number)
        };
        (0..w.outcomes()).map(probability).collect()
    });
    let probabilities = listed.collect::<io::Result<Vec<Vec<RBig>>>>()?;
    let encoding = encoding_of(probabilities.iter().flatten(), memory)?;
    let label_ids = identifiers(model.labels().iter().map(|(name, _)| name.as_str()));
    let reward_ids = identifiers(model.rewards().iter().map(RewardModel::name));
    let index = index(model, encoding, &label_ids, &reward_ids, memory)?;
    let mut archive = Archive { tar: tar::Builder::new(output), memory };
    let text = serde_json::to_vec_pretty(&index)?;
    archive.part("index.json", text.len() as u64, std::iter::once(text))?;
    archive.words("state-to-choices.bin", &model.first_choice)?;
    archive.states("state-is-initial.bin", model.initial(), model.states())?;
    archive.words("choice-to-branches.bin", &model.first_target)?;
    archive.words("branch-to-target.bin", &model.targets)?;
    // The probabilities of a choice are consecutive: each distribution is one block of bytes.
    let mut blocks: Vec<Vec<u8>> = Vec::with_capacity(probabilities.len());
    for list in &probabilities {
        memory.step()?;
        memory.take((list.len() * encoding.bytes() + size_of::<Vec<u8>>()) as u64)?;
        blocks.push(list.iter().flat_map(|value| encode(value, encoding)).collect());
    }
    archive.part(
        "branch-to-probability.bin",
        model.targets.len() as u64 * encoding.bytes() as u64,
        model.weights.iter().map(|weights| &blocks[*weights as usize]),
    )?;
    if !model.actions.names.is_empty() {
        write_actions(model, &mut archive)?;
    }
    for ((_, states), id) in model.labels().iter().zip(&label_ids) {
        archive.states(&format!("annotations/aps/{id}/states/values.bin"), states, model.states())?;
    }
    for (reward, id) in model.rewards().iter().zip(&reward_ids) {
        let encoding = encoding_of(reward.values().iter(), memory)?;
        memory.room((reward.values().len() * (encoding.bytes() + size_of::<Vec<u8>>())) as u64)?;
        let values: Vec<Vec<u8>> = reward.values().iter().map(|value| encode(value, encoding)).collect();
        for (to, indices) in reward_parts(model, reward) {
            archive.numbers(&format!("annotations/rewards/{id}/{to}/values.bin"), &values, &indices)?;
        }
    }
    archive.tar.into_inner()
}

fn write_actions<W: Write>(model: &ExplicitModel, archive: &mut Archive<'_, W>) -> io::Result<()> {
    let actions = &model.actions;
    archive.part(
        "actions/choices/values.bin",
        actions.of_choice.len() as u64 * 4,
        actions.of_choice.iter().map(|action| action.to_le_bytes()),
    )?;
    // Action 0 has the empty name: choices without one.
    let mut ends = vec![0, 0];
    let mut end: u32 = 0;
    for name in &actions.names {
        let length = u32::try_from(name.len()).ok();
        let longer = length.and_then(|length| end.checked_add(length));
        end = longer.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "4 GiB of names of actions"))?;
        ends.push(end);
    }
    archive.words("actions/choices/string-mapping.bin", &ends)?;
    archive.part("actions/choices/strings.bin", end.into(), actions.names.iter())
}

/// The owners of the rewards, with their indices. The format requires at least one.
fn reward_parts<'a>(model: &ExplicitModel, reward: &'a RewardModel) -> Vec<(&'static str, Cow<'a, [u32]>)> {
    let parts = [("states", &reward.of_state), ("choices", &reward.of_choice)];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(_, indices)| !indices.is_empty())
        .map(|(to, indices)| (to, Cow::Borrowed(&indices[..])))
        .collect();
    if parts.is_empty() { vec![("states", Cow::Owned(vec![0; model.states() as usize]))] } else { parts }
}

fn index(
    model: &ExplicitModel,
    encoding: Encoding,
    label_ids: &[String],
    reward_ids: &[String],
    memory: &Memory<'_>,
) -> io::Result<Index> {
    let annotation =
        |name: &str, applies_to: Vec<String>, value: Type| Annotation { alias: Some(name.into()), applies_to, value };
    let labels: BTreeMap<String, Annotation> = model
        .labels()
        .iter()
        .zip(label_ids)
        .map(|((name, _), id)| {
            (id.clone(), annotation(name, vec!["states".into()], Type { name: "bool".into(), size: Some(1) }))
        })
        .collect();
    let rewards: BTreeMap<String, Annotation> = model
        .rewards()
        .iter()
        .zip(reward_ids)
        .map(|(reward, id)| {
            let to = reward_parts(model, reward).into_iter().map(|(to, _)| to.into()).collect();
            let encoding = encoding_of(reward.values().iter(), memory)?;
            Ok((id.clone(), annotation(reward.name(), to, type_of(encoding))))
        })
        .collect::<io::Result<_>>()?;
    Ok(Index {
        format_version: VERSION,
        format_revision: 0,
        file_data: Some(FileData { tool: Some("bestplay".into()) }),
        transition_system: TransitionSystem {
            time: "discrete".into(),
            players: match model.kind() {
                Kind::Dtmc => 0,
                Kind::Mdp => 1,
            },
            states: model.states().into(),
            initial_states: model.initial().len().into(),
            choices: model.choice_count().into(),
            choice_actions: if model.actions.names.is_empty() { 0 } else { model.actions.names.len() as u64 + 1 },
            branches: model.transitions().into(),
            branch_actions: 0,
            observations: 0,
            branch_probability_type: (model.transitions() > 0).then(|| type_of(encoding)),
        },
        annotations: [("aps".to_string(), labels), ("rewards".to_string(), rewards)]
            .into_iter()
            .filter(|(_, group)| !group.is_empty())
            .collect(),
    })
}

fn type_of(encoding: Encoding) -> Type {
    let name = match encoding {
        Encoding::Double => "double",
        Encoding::Rational(_) => "rational",
    };
    Type { name: name.into(), size: u32::try_from(encoding.bytes() * 8).ok() }
}

/// Doubles if they lose nothing, otherwise fractions of the size that the largest needs.
fn encoding_of<'a>(values: impl Iterator<Item = &'a RBig>, memory: &Memory<'_>) -> io::Result<Encoding> {
    let mut decimal = true;
    let mut bits = 1;
    for value in values {
        memory.step()?;
        decimal = decimal && short_decimal(value).is_some();
        // One more bit for the numerator's sign.
        bits = bits.max(value.numerator().bit_len().max(value.denominator().bit_len()) + 1);
    }
    let half = bits.div_ceil(64) * 8;
    if !decimal && half > LONGEST as usize {
        let problem = format!("a number of more than {LONGEST} bytes cannot be written in UMB");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    Ok(if decimal { Encoding::Double } else { Encoding::Rational(half) })
}

fn encode(value: &RBig, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Double => value.to_f64().value().to_le_bytes().to_vec(),
        Encoding::Rational(half) => {
            let modulus = IBig::ONE << (8 * half);
            let negative = *value.numerator() < IBig::ZERO;
            let numerator = if negative { modulus + value.numerator() } else { value.numerator().clone() };
            let (_, numerator) = numerator.into_parts();
            let mut bytes = numerator.to_le_bytes().to_vec();
            bytes.resize(half, 0);
            bytes.extend_from_slice(&value.denominator().to_le_bytes());
            bytes.resize(2 * half, 0);
            bytes
        }
    }
}

/// Names as identifiers of the format (a-z, 0-9, _, -), all different.
fn identifiers<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    names
        .map(|name| {
            let plain: String = name
                .to_lowercase()
                .chars()
                .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' { c } else { '_' })
                .take(50)
                .collect();
            let mut id = plain.clone();
            let mut number = 1;
            while id.is_empty() || !taken.insert(id.clone()) {
                number += 1;
                id = format!("{plain}_{number}");
            }
            id
        })
        .collect()
}
