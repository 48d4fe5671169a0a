//! Read sets: the registers on which the result of a run depends.

use rustc_hash::FxHashMap;

use crate::program::{Field, NO_PLACE, State};

/// The registers on which the result of a run depends, and conditions on others.
///
/// A projection often concerns registers that the run does not use: a number above three is equivalent to three, a sword counts
/// as any weapon. A state with no more than three and no sword meets the condition, and its registers pass through unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ReadSet {
    /// The registers that are read or written.
    pub touched: State,
    /// Registers that must be 0.
    empty: State,
    /// Registers that must not exceed a number.
    most: [Option<(Field, i32)>; MOST],
}

/// The most such numbers; further registers count as read.
const MOST: usize = 4;

impl ReadSet {
    /// Adds registers that are read or written.
    #[inline]
    pub(crate) fn touch(&mut self, registers: &State) {
        self.touched = self.touched.union(registers);
    }

    /// Adds the condition that a register is 0.
    #[inline]
    pub(crate) fn must_be_empty(&mut self, register: &State) {
        self.empty = self.empty.union(register);
    }

    /// Adds the condition that a register does not exceed a number.
    #[inline]
    pub(crate) fn must_be_at_most(&mut self, register: Field, most: i32) {
        for known in &mut self.most {
            match known {
                None => {
                    *known = Some((register, most));
                    return;
                }
                Some((own, known)) if *own == register => {
                    *known = most.min(*known);
                    return;
                }
                Some(_) => {}
            }
        }
        self.touch(&register.mask());
    }

    /// The union, for one run after another.
    pub(crate) fn join(&mut self, other: &Self) {
        self.touch(&other.touched);
        self.must_be_empty(&other.empty);
        for (register, most) in other.most.iter().flatten() {
            self.must_be_at_most(*register, *most);
        }
    }

    /// Whether the conditions hold in a state.
    #[inline]
    fn holds(&self, state: &State) -> bool {
        !state.meets(&self.empty)
            && self.most.iter().map_while(Option::as_ref).all(|(register, most)| state.get(*register) <= *most)
    }

    /// The same for the state in which the run begins: conditions that do not hold there yet make their registers read. `apart`
    /// is left out.
    fn beginning_in(&self, state: &State, apart: &State) -> Self {
        let mut own = Self { touched: self.touched, ..Self::default() };
        if state.meets(&self.empty) {
            own.touch(&self.empty);
        } else {
            own.empty = self.empty;
        }
        for (register, most) in self.most.iter().flatten() {
            if state.get(*register) > *most {
                own.touch(&register.mask());
            }
        }
        own.touched = own.touched.without(apart);
        own.empty = own.empty.without(&own.touched);
        let touched = own.touched;
        let others = self.most.iter().flatten().filter(|(register, _)| !touched.has(*register));
        for (own, other) in own.most.iter_mut().zip(others) {
            *own = Some(*other);
        }
        own
    }
}

/// The read sets of the runs from each place, as they are learned.
#[derive(Default)]
pub(crate) struct ReadSets {
    /// For every place its index in `sets`; 0 if it has none.
    places: Vec<u32>,
    /// The read sets of a place, as indexes in `all`, each with a number unique to that place and set.
    sets: Vec<Vec<(u32, u32)>>,
    /// Distinct read sets: similar places share them.
    all: Vec<ReadSet>,
    known: FxHashMap<ReadSet, u32>,
    last: u32,
}

impl ReadSets {
    pub(crate) fn clear(&mut self) {
        *self = Self { sets: vec![Vec::new()], ..Self::default() };
    }

    /// The read sets that apply to a state, each with the cache key of the state.
    #[inline]
    pub(crate) fn keys(&self, state: &State) -> impl Iterator<Item = (&ReadSet, State)> {
        let sets = &self.sets[self.places.get(state.place() as usize).map_or(0, |sets| *sets as usize)];
        let sets = sets.iter().map(|(depends, number)| (&self.all[*depends as usize], *number));
        let sets = sets.filter(|(depends, _)| depends.holds(state));
        sets.map(|(depends, number)| (depends, state.only(&depends.touched).at(number)))
    }

    /// Adds the read set of a run from a state, without `apart`. Returns its registers and the cache key of the state; `None`
    /// if the numbers are used up.
    pub(crate) fn learn(&mut self, state: &State, depends: &ReadSet, apart: &State) -> Option<(State, State)> {
        /// Further read sets of a place are joined.
        const MOST: usize = 6;
        let Self { places, sets, all, known, last } = self;
        let place = state.place() as usize;
        if places.len() <= place {
            places.resize(place + 1, 0);
        }
        if places[place] == 0 {
            places[place] = u32::try_from(sets.len()).ok()?;
            sets.push(Vec::new());
        }
        let own = &mut sets[places[place] as usize];
        let mut depends = depends.beginning_in(state, apart);
        let key = |depends: &ReadSet, number: u32| (depends.touched, state.only(&depends.touched).at(number));
        if let Some((_, number)) = own.iter().find(|(known, _)| all[*known as usize] == depends) {
            return Some(key(&depends, *number));
        }
        *last += 1;
        if *last >= NO_PLACE {
            return None;
        }
        if own.len() == MOST
            && let Some((before, _)) = own.pop()
        {
            depends.join(&all[before as usize]);
            depends = depends.beginning_in(state, apart);
        }
        let number = *known.entry(depends).or_insert_with(|| {
            all.push(depends);
            // There are fewer than numbers.
            u32::try_from(all.len() - 1).unwrap_or(u32::MAX)
        });
        own.push((number, *last));
        Some(key(&depends, *last))
    }
}
