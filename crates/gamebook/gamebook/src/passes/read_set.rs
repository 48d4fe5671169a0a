//! On what it depends where steps lead.

use rustc_hash::FxHashMap;

use crate::program::{Field, NO_PLACE, State};

/// The registers on which it depends where a run of steps leads, and what must hold of others.
///
/// What is kept at a place is often said of registers with which the run has nothing to do: that a number above three is as
/// good as three, that a sword counts as any weapon. Whoever has no more than three, and no sword, is not concerned, and
/// what he has comes through as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Depends {
    /// The registers that are read or written.
    pub touched: State,
    /// Registers that must hold nothing.
    empty: State,
    /// Registers that must hold no more than some number.
    most: [Option<(Field, i32)>; MOST],
}

/// More numbers than these are read.
const MOST: usize = 4;

impl Depends {
    /// Registers are read or written.
    #[inline]
    pub(crate) fn touch(&mut self, registers: &State) {
        self.touched = self.touched.union(registers);
    }

    /// A register must hold nothing, as it does.
    #[inline]
    pub(crate) fn must_be_empty(&mut self, register: &State) {
        self.empty = self.empty.union(register);
    }

    /// A register must hold no more than this, as it does.
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

    /// Both depend on it where one run follows another.
    pub(crate) fn join(&mut self, other: &Self) {
        self.touch(&other.touched);
        self.must_be_empty(&other.empty);
        for (register, most) in other.most.iter().flatten() {
            self.must_be_at_most(*register, *most);
        }
    }

    /// Whether what must hold does so in a state.
    #[inline]
    fn holds(&self, state: &State) -> bool {
        !state.meets(&self.empty)
            && self.most.iter().map_while(Option::as_ref).all(|(register, most)| state.get(*register) <= *most)
    }

    /// The same of a state in which a run begins. Of registers that are read nothing else must hold; those of which something
    /// must hold later that does not yet are read, too. `apart` are not counted.
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

/// On what runs from a place were seen to depend, for every place.
#[derive(Default)]
pub(crate) struct Dependences {
    /// For every place, which of `sets` are its own; 0 where there are none.
    places: Vec<u32>,
    /// Which of `all` runs from a place depend on, each with a number that no other has, nor the same one at another place.
    sets: Vec<Vec<(u32, u32)>>,
    /// Each once: places of many programs that are alike depend on the same.
    all: Vec<Depends>,
    known: FxHashMap<Depends, u32>,
    last: u32,
}

impl Dependences {
    pub(crate) fn clear(&mut self) {
        *self = Self { sets: vec![Vec::new()], ..Self::default() };
    }

    /// What runs from a state may depend on, each with a key that all states have which are alike in it.
    #[inline]
    pub(crate) fn keys(&self, state: &State) -> impl Iterator<Item = (&Depends, State)> {
        let sets = &self.sets[self.places.get(state.place() as usize).map_or(0, |sets| *sets as usize)];
        let sets = sets.iter().map(|(depends, number)| (&self.all[*depends as usize], *number));
        let sets = sets.filter(|(depends, _)| depends.holds(state));
        sets.map(|(depends, number)| (depends, state.only(&depends.touched).at(number)))
    }

    /// The registers on which a run from a state is said to depend, `apart` not counted, and the key of what comes of it;
    /// nothing when there are no more keys.
    pub(crate) fn learn(&mut self, state: &State, depends: &Depends, apart: &State) -> Option<(State, State)> {
        /// More than this at a place becomes one.
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
        let key = |depends: &Depends, number: u32| (depends.touched, state.only(&depends.touched).at(number));
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
            // There are no more than numbers.
            u32::try_from(all.len() - 1).unwrap_or(u32::MAX)
        });
        own.push((number, *last));
        Some(key(&depends, *last))
    }
}
