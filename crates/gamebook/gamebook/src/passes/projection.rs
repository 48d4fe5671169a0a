//! What is kept of a state at a place: what can still matter there, as [`liveness`](super::liveness) says.

use rustc_hash::FxHashMap;

use super::analyses::Analyses;
use super::liveness::WHOLE;
use super::read_set::Depends;
use crate::program::{Field, Layout, Place, Program, Register, State};

/// For every place, what is kept of a state there.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The place that each place is said to be, and what is kept there: which of `kinds` that is.
    places: Vec<(Place, u32)>,
    /// Each once: as much is kept at many places.
    kinds: Vec<Kind>,
    /// Registers whose numbers are cut, one after another.
    cuts: Vec<(Field, i32)>,
    /// Registers that are counted in another, likewise.
    merged: Vec<(Field, Field)>,
}

/// What is kept of a state.
#[derive(Clone, Debug)]
struct Kind {
    /// The bits that are kept.
    mask: State,
    /// Where its cuts begin and end.
    cuts: (u32, u32),
    /// Where its merged registers begin and end.
    merged: (u32, u32),
    /// The bits of the registers that are counted in others.
    members: State,
}

impl Kept {
    /// Everything is kept that is needs of a hero; of what is not, where a system of rules says what is needs, only what
    /// can still matter, as `rows` say.
    pub(crate) fn whole(program: &Program, rows: Option<&[u16]>) -> Self {
        let registers = program.layout.registers();
        let analyses = Analyses { forget: true, ..Analyses::NONE };
        let mut needs = vec![WHOLE; registers];
        if program.sheet.stats.is_some() {
            program.sheet.fight.iter().for_each(|register| needs[usize::from(*register)] = 0);
        }
        let Some(rows) = rows else {
            // Everywhere the same.
            let kept = Self::new(program, analyses, &needs);
            return Self { places: program.places().map(|place| (place, 0)).collect(), ..kept };
        };
        let whole = |(place, need): (usize, &u16)| if *need > 0 { WHOLE } else { needs[place % registers] };
        let rows: Vec<u16> = rows.iter().enumerate().map(whole).collect();
        Self::new(program, analyses, &rows)
    }

    /// What is kept where `rows` say what is needed.
    pub(crate) fn new(program: &Program, analyses: Analyses, rows: &[u16]) -> Self {
        let mut kept = Self {
            places: Vec::with_capacity(program.steps.len()),
            kinds: Vec::new(),
            cuts: Vec::new(),
            merged: Vec::new(),
        };
        let mut known: FxHashMap<&[u16], u32> = FxHashMap::default();
        for (place, row) in (0..).zip(rows.chunks(program.layout.registers())) {
            let kind = *known.entry(row).or_insert_with(|| {
                kept.add(program, analyses, row);
                number(kept.kinds.len() - 1)
            });
            kept.places.push((place, kind));
        }
        kept
    }

    /// Adds what is kept where this is needed.
    fn add(&mut self, program: &Program, analyses: Analyses, row: &[u16]) {
        let layout = &program.layout;
        let Self { kinds, cuts, merged, .. } = self;
        let (first_cut, first_merged) = (cuts.len(), merged.len());
        let mut mask = State::default();
        for (register, need) in (0..).zip(row) {
            if *need == 0 && analyses.forget {
                continue;
            }
            mask = mask.union(&layout.mask(register));
            let field = layout.field(register);
            if analyses.cap && *need > 0 && field.number(*need) < layout.range(register).1 {
                cuts.push((field, field.number(*need)));
            }
        }
        if analyses.merge && analyses.forget {
            for group in program.groups.iter().filter(|group| row[usize::from(group.counter)] > 0) {
                let unneeded = group.members.iter().filter(|member| row[usize::from(**member)] == 0);
                let counter = layout.field(group.counter);
                merged.extend(unneeded.map(|member| (layout.field(*member), counter)));
            }
        }
        let members = merged[first_merged..].iter();
        let members = members.fold(State::default(), |all, (member, _)| all.union(&member.mask()));
        kinds.push(Kind {
            mask,
            cuts: (number(first_cut), number(cuts.len())),
            merged: (number(first_merged), number(merged.len())),
            members,
        });
    }

    /// The same where each place is said to be another one, from which all goes on in the same way.
    pub(crate) fn identified_with(mut self, others: &[Place]) -> Self {
        self.places = others.iter().map(|other| self.places[*other as usize]).collect();
        self
    }

    /// The place that a place is said to be.
    pub(crate) fn place(&self, place: Place) -> Place {
        self.places[place as usize].0
    }

    #[inline]
    fn kind_of(&self, place: Place) -> &Kind {
        &self.kinds[self.kind(place)]
    }

    /// What is kept at a place: as much is kept wherever this is the same number, which is less than [`Self::kinds`].
    #[inline]
    pub(crate) fn kind(&self, place: Place) -> usize {
        self.places[place as usize].1 as usize
    }

    /// How many kinds of places there are, between which it differs what is kept.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The bits that are kept at a place.
    #[inline]
    pub(crate) fn mask(&self, place: Place) -> &State {
        &self.kind_of(place).mask
    }

    /// From how far above its smallest number on all numbers of a register are alike at a place: 0 where it is forgotten.
    pub(crate) fn alike_from(&self, place: Place, layout: &Layout, register: Register) -> u32 {
        let Kind { mask, cuts, .. } = self.kind_of(place);
        let own = layout.mask(register);
        if own.only(mask) != own {
            return 0;
        }
        let cuts = self.cuts[cuts.0 as usize..cuts.1 as usize].iter();
        let cut = cuts.filter(|(cut, _)| cut.mask() == own).map(|(_, need)| layout.above(register, *need).into()).min();
        cut.unwrap_or(layout.field(register).numbers())
    }

    /// The bits that are kept wherever play is.
    pub(crate) fn everywhere(&self) -> State {
        let masks = self.kinds.iter().map(|kind| kind.mask);
        masks.reduce(|common, mask| common.common(&mask)).unwrap_or_default()
    }

    /// The bits of the registers that are looked at to say what is kept at places of a kind.
    pub(crate) fn touches(&self, kind: usize) -> State {
        let Kind { cuts, merged, .. } = &self.kinds[kind];
        let merged = self.merged[merged.0 as usize..merged.1 as usize].iter().flat_map(|(from, to)| [*from, *to]);
        let cut = self.cuts[cuts.0 as usize..cuts.1 as usize].iter().map(|(field, _)| *field);
        merged.chain(cut).fold(State::default(), |mask, field| mask.union(&field.mask()))
    }

    /// Adds to `depends` on what it depends what is kept of a state; `always` are counted as read if they are looked at.
    #[inline]
    pub(crate) fn look(&self, state: &State, always: &State, depends: &mut Depends) {
        let Kind { cuts, merged, members, .. } = self.kind_of(state.place());
        if !state.meets(members) && !members.meets(always) {
            depends.must_be_empty(members);
        } else {
            for (member, counter) in &self.merged[merged.0 as usize..merged.1 as usize] {
                let own = member.mask();
                if state.meets(&own) || own.meets(always) {
                    depends.touch(&own.union(&counter.mask()));
                } else {
                    depends.must_be_empty(&own);
                }
            }
        }
        for (field, need) in &self.cuts[cuts.0 as usize..cuts.1 as usize] {
            if depends.touched.has(*field) {
                continue;
            }
            if state.get(*field) <= *need && !always.has(*field) {
                depends.must_be_at_most(*field, *need);
            } else {
                depends.touch(&field.mask());
            }
        }
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        let (place, kind) = self.places[state.place() as usize];
        let Kind { mask, cuts, merged, members } = &self.kinds[kind as usize];
        let mut kept = state.only(mask).at(place);
        if state.meets(members) {
            for (member, counter) in &self.merged[merged.0 as usize..merged.1 as usize] {
                let count = state.get(*member);
                if count > 0 {
                    kept.set(*counter, kept.get(*counter) + count);
                }
            }
        }
        for (field, need) in &self.cuts[cuts.0 as usize..cuts.1 as usize] {
            if kept.get(*field) > *need {
                kept.set(*field, *need);
            }
        }
        kept
    }
}

/// There are fewer kinds, and things to be said of them, than 2^32: a place has 24 bits, and there are fewer than 2^8 registers.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
