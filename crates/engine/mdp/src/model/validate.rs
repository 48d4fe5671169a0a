//! Whether a model that was read from a file can be one.

use budget::{Budget, Stopped};
use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::UBig;

use super::Model;
use super::measure::{Measured, measure};
use super::scc::CyclicPart;
use super::stream::Code;
use super::words::{BLOCK, BLOCK_HEADER, CHANCE, FINAL, KIND, LOW, MOST_STATES, MOVES, REWARD, SHARED, StateId};
use crate::numbers::Rational;

/// Why something that was read from a file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsound {
    /// What it says cannot be true.
    Impossible(&'static str),
    /// The budget said stop.
    Stopped(Stopped),
}

impl From<&'static str> for Unsound {
    fn from(what: &'static str) -> Self {
        Self::Impossible(what)
    }
}

impl From<Stopped> for Unsound {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl Model {
    /// Whether every number points to something, choices lead the way they should, and what is said of
    /// the levels is true: for models that were read from a file.
    pub(crate) fn check(&self, budget: &Budget<'_>) -> Result<(), Unsound> {
        self.check_tables()?;
        self.check_levels()?;
        for level in &self.levels {
            for state in level.states.clone() {
                budget.look()?;
                let part = self.family_of(state).map(|family| family.part_of(state));
                self.check_state(state, level.states.end, part)?;
            }
        }
        let measured = measure(&self.code, &self.levels, &self.families, budget)?;
        let said = self.levels.iter().map(|level| Measured { outcomes: level.outcomes, digits: level.digits });
        if measured.1 != self.counts || !said.eq(measured.0) {
            return Err(Unsound::Impossible("a model that is not as large as it says"));
        }
        Ok(())
    }

    /// Whether the states' choices follow each other, and the tables hold what they can hold.
    fn check_tables(&self) -> Result<(), &'static str> {
        let code = &self.code;
        if code.offsets.first() != Some(&0)
            || code.offsets.last() != Some(&(code.words.len() as u64))
            || code.offsets.len() > MOST_STATES as usize
        {
            return Err("states whose choices do not follow each other");
        }
        let states = code.states();
        let mut state = 0;
        while state < states {
            state = self.end_of_block(state).ok_or("states whose choices do not follow each other")?;
        }
        let length = code.payoffs.lists().first().map_or(0, Vec::len);
        let whole = |value: &Rational| {
            *value.denominator() != UBig::ZERO
                && value.numerator().unsigned_abs().gcd(value.denominator().clone()) == UBig::ONE
        };
        if !code.payoffs.lists().iter().flatten().chain(code.rewards.values()).all(whole) {
            return Err("a fraction that is not in lowest terms");
        }
        if code.payoffs.lists().iter().any(|list| list.len() != length || list.is_empty()) {
            return Err("payoffs of different lengths");
        }
        let counted = |words: &[u32]| {
            words.first().is_some_and(|header| header & KIND == CHANCE && (*header as usize) < code.weights.vectors())
        };
        for (state, delta) in &code.shared {
            let run = (*state < states).then(|| code.block(*state)).filter(|block| block.lanes == 1);
            let run = run.and_then(|block| block.words.get(*delta as usize..));
            if !run.is_some_and(|run| counted(run) && run.len() > code.weights.count(run[0])) {
                return Err("a shared chance node that is not there");
            }
        }
        Ok(())
    }

    /// The state after a block, if what is said of its length is true.
    fn end_of_block(&self, first: StateId) -> Option<StateId> {
        let Code { offsets, words, .. } = &self.code;
        let begin = offsets[first as usize];
        let own = words.get(usize::try_from(begin).ok()?..)?;
        let (lanes, length) = match own {
            [header, of, length, ..] if header & (KIND | BLOCK) == BLOCK => {
                let lanes = header & !(KIND | BLOCK);
                let whole = lanes > 1 && *of == first && *length > 0;
                (whole.then_some(lanes)?, u64::from(*length) + BLOCK_HEADER as u64)
            }
            _ => (1, offsets[first as usize + 1].checked_sub(begin).filter(|length| *length > 0)?),
        };
        let next = first.checked_add(lanes)?;
        let together = offsets.get(first as usize..next as usize)?.iter().all(|offset| *offset == begin);
        (together && *offsets.get(next as usize)? == begin.checked_add(length)?).then_some(next)
    }

    /// Whether the levels follow each other and hold all states and cyclic parts.
    fn check_levels(&self) -> Result<(), &'static str> {
        let mut next = 0;
        let mut families = 0;
        for level in &self.levels {
            let inside = level.states.start == next && level.states.start < level.states.end;
            if !inside
                || level.cyclic < level.states.start
                || level.cyclic > level.states.end
                || level.families.start > level.families.end
            {
                return Err("levels that do not follow each other");
            }
            next = level.states.end;
            if level.families.is_empty() {
                if level.cyclic != level.states.end || level.families.end as usize > self.families.len() {
                    return Err("a level without its cyclic parts");
                }
                continue;
            }
            let own = self.families.get(level.families.start as usize..level.families.end as usize).unwrap_or_default();
            let mut end = level.cyclic;
            for family in own {
                let states = u64::from(family.parts) * u64::from(family.states);
                if family.first != end || states == 0 || states > u64::from(level.states.end - end) {
                    return Err("cyclic parts that do not follow each other");
                }
                end = family.end();
            }
            if level.families.start != families || end != level.states.end {
                return Err("a level without its cyclic parts");
            }
            families = level.families.end;
        }
        if next != self.states() || families as usize != self.families.len() {
            return Err("levels that do not hold all states");
        }
        Ok(())
    }

    fn check_state(&self, state: StateId, end: StateId, part: Option<CyclicPart>) -> Result<(), &'static str> {
        let code = &self.code;
        let mut rest = code.run(state);
        if let [header] = rest
            && header & KIND == FINAL
        {
            let known = ((header & LOW) as usize) < code.payoffs.lists().len();
            return if known { Ok(()) } else { Err("a payoff that is not there") };
        }
        let mut earned = false;
        while let Some((&header, after)) = rest.split_first() {
            let low = (header & LOW) as usize;
            let (known, words) = match header & KIND {
                CHANCE => (
                    low < code.weights.vectors(),
                    if low < code.weights.vectors() { code.weights.count(header) } else { 0 },
                ),
                REWARD => (low < code.rewards.values().len() && !earned && !after.is_empty(), 0),
                SHARED => (low < code.shared.len() && !earned, 0),
                _ => (false, 0),
            };
            earned = header & KIND == REWARD;
            rest = after.get(words..).filter(|_| known).ok_or("a choice that points to nothing")?;
        }
        // Words of one state alone say their targets themselves.
        let alone = code.block(state).lanes == 1;
        let leads = |target: StateId| {
            target < self.states() && (target >= end || part.is_some_and(|part| part.contains(target)))
        };
        if alone && self.choices(state).any(|choice| choice.targets.words.iter().any(|word| word & MOVES != 0)) {
            return Err("a choice that moves along with nothing");
        }
        if earned || !self.choices(state).all(|choice| choice.targets.iter().all(leads)) {
            return Err("a choice that leads backwards");
        }
        Ok(())
    }
}
