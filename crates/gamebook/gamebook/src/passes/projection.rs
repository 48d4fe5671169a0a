//! Projection: the part of a state that still matters at a place, according to [`liveness`](super::liveness).

use rustc_hash::FxHashMap;

use super::alike::Alike;
use super::analyses::Analyses;
use super::liveness::WHOLE;
use super::read_set::ReadSet;
use crate::program::{Field, Label, Layout, Program, Register, State};

/// The projection at every place.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    /// For each place its representative, and the index of its projection in `kinds`.
    places: Vec<(Label, u32)>,
    /// Distinct projections: many places share one.
    kinds: Vec<Kind>,
    /// Registers that are capped, and their caps.
    cuts: Vec<(Field, i32)>,
    /// Registers that are counted in another, and that counter.
    merged: Vec<(Field, Field)>,
    /// Registers that are alike with another, and that other.
    alike: Vec<(Field, Field)>,
}

/// A projection.
#[derive(Clone, Debug)]
struct Kind {
    /// The bits that are kept.
    mask: State,
    /// The range of its caps.
    cuts: (u32, u32),
    /// The range of its merged registers.
    merged: (u32, u32),
    /// The range of its registers that are alike.
    alike: (u32, u32),
    /// The bits of the registers that are counted in others or alike with others.
    members: State,
}

/// What matters at a place: the needs, and the pairs of what is alike.
type Matters<'r> = (&'r [u16], Vec<(Register, Register)>);

impl Projection {
    /// Keeps everything on the hero's sheet. In a system of rules registers of fights, which are not on it, are kept only where
    /// `rows` say that they are live.
    pub(crate) fn whole(program: &Program, rows: Option<&[u16]>) -> Self {
        let registers = program.layout.registers();
        let analyses = Analyses { forget: true, ..Analyses::NONE };
        let mut needs = vec![WHOLE; registers];
        if program.sheet.stats.is_some() {
            program.sheet.fight.iter().for_each(|register| needs[usize::from(*register)] = 0);
        }
        let Some(rows) = rows else {
            // The same at all places.
            let kept = Self::new(program, analyses, &needs, None);
            return Self { places: program.places().map(|place| (place, 0)).collect(), ..kept };
        };
        let whole = |(place, need): (usize, &u16)| if *need > 0 { WHOLE } else { needs[place % registers] };
        let rows: Vec<u16> = rows.iter().enumerate().map(whole).collect();
        Self::new(program, analyses, &rows, None)
    }

    /// The projection by the needs in `rows`, and by what is alike.
    pub(crate) fn new(program: &Program, analyses: Analyses, rows: &[u16], alike: Option<&Alike>) -> Self {
        let mut kept = Self {
            places: Vec::with_capacity(program.steps.len()),
            kinds: Vec::new(),
            cuts: Vec::new(),
            merged: Vec::new(),
            alike: Vec::new(),
        };
        let mut known: FxHashMap<Matters<'_>, u32> = FxHashMap::default();
        for (place, row) in (0..).zip(rows.chunks(program.layout.registers())) {
            let live = |register: Register| row[usize::from(register)] > 0;
            let pairs = alike.map_or_else(Vec::new, |alike| alike.at(place, live));
            let kind = *known.entry((row, pairs)).or_insert_with_key(|(_, pairs)| {
                kept.add(program, analyses, row, pairs);
                number(kept.kinds.len() - 1)
            });
            kept.places.push((place, kind));
        }
        kept
    }

    /// Adds the projection for the needs of one place, and the pairs of what is alike there.
    fn add(&mut self, program: &Program, analyses: Analyses, row: &[u16], pairs: &[(Register, Register)]) {
        let layout = &program.layout;
        let Self { kinds, cuts, merged, alike, .. } = self;
        let (first_cut, first_merged, first_alike) = (cuts.len(), merged.len(), alike.len());
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
        alike.extend(pairs.iter().map(|(own, first)| (layout.field(*own), layout.field(*first))));
        let members = merged[first_merged..].iter().chain(&alike[first_alike..]);
        let members = members.fold(State::default(), |all, (member, _)| all.union(&member.mask()));
        kinds.push(Kind {
            mask,
            cuts: (number(first_cut), number(cuts.len())),
            merged: (number(first_merged), number(merged.len())),
            alike: (number(first_alike), number(alike.len())),
            members,
        });
    }

    /// The same with each place replaced by an equivalent one.
    pub(crate) fn identified_with(mut self, others: &[Label]) -> Self {
        self.places = others.iter().map(|other| self.places[*other as usize]).collect();
        self
    }

    /// The representative of a place.
    pub(crate) fn place(&self, place: Label) -> Label {
        self.places[place as usize].0
    }

    /// The registers that a projection counts in others.
    fn merged(&self, Kind { merged, .. }: &Kind) -> &[(Field, Field)] {
        &self.merged[merged.0 as usize..merged.1 as usize]
    }

    /// The registers whose units a projection takes for units of others.
    fn alike(&self, Kind { alike, .. }: &Kind) -> &[(Field, Field)] {
        &self.alike[alike.0 as usize..alike.1 as usize]
    }

    #[inline]
    fn kind_of(&self, place: Label) -> &Kind {
        &self.kinds[self.kind(place)]
    }

    /// The index, below [`Self::kinds`], of the projection at a place.
    #[inline]
    pub(crate) fn kind(&self, place: Label) -> usize {
        self.places[place as usize].1 as usize
    }

    /// The number of distinct projections.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The bits that are kept at a place.
    #[inline]
    pub(crate) fn mask(&self, place: Label) -> &State {
        &self.kind_of(place).mask
    }

    /// The offset from the minimum from which on all numbers of a register are equivalent at a place; 0 if it is cleared.
    pub(crate) fn alike_from(&self, place: Label, layout: &Layout, register: Register) -> u32 {
        let Kind { mask, cuts, .. } = self.kind_of(place);
        let own = layout.mask(register);
        if own.only(mask) != own {
            return 0;
        }
        let cuts = self.cuts[cuts.0 as usize..cuts.1 as usize].iter();
        let cut = cuts.filter(|(cut, _)| cut.mask() == own).map(|(_, need)| layout.above(register, *need).into()).min();
        cut.unwrap_or(layout.field(register).numbers())
    }

    /// The bits that are kept at all places.
    pub(crate) fn everywhere(&self) -> State {
        let masks = self.kinds.iter().map(|kind| kind.mask);
        masks.reduce(|common, mask| common.common(&mask)).unwrap_or_default()
    }

    /// The bits of the registers that a projection reads.
    pub(crate) fn touches(&self, kind: usize) -> State {
        let own = &self.kinds[kind];
        let cuts = own.cuts;
        let merged = self.merged(own).iter().chain(self.alike(own)).flat_map(|(from, to)| [*from, *to]);
        let cut = self.cuts[cuts.0 as usize..cuts.1 as usize].iter().map(|(field, _)| *field);
        merged.chain(cut).fold(State::default(), |mask, field| mask.union(&field.mask()))
    }

    /// Adds to `depends` the registers that the projection of a state reads; those of `always` are counted as read whatever
    /// they hold.
    #[inline]
    pub(crate) fn read_registers(&self, state: &State, always: &State, depends: &mut ReadSet) {
        let own = self.kind_of(state.place());
        let Kind { cuts, members, .. } = own;
        if !state.meets(members) && !members.meets(always) {
            depends.must_be_empty(members);
        } else {
            for (member, counter) in self.merged(own).iter().chain(self.alike(own)) {
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

    /// The projection of a state.
    #[inline]
    pub(crate) fn project(&self, state: &State) -> State {
        let (place, kind) = self.places[state.place() as usize];
        let own = &self.kinds[kind as usize];
        let Kind { mask, cuts, members, .. } = own;
        let mut kept = *state;
        let has_members = state.meets(members);
        if has_members {
            for (member, first) in self.alike(own) {
                // A total that is too large for one register stays where it is.
                let total = kept.get(*first).saturating_add(kept.get(*member));
                if total <= first.most() {
                    kept.set(*first, total);
                    kept.set(*member, 0);
                }
            }
        }
        kept = kept.only(mask).at(place);
        if has_members {
            for (member, counter) in self.merged(own) {
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

/// Indexes fit in 32 bits: a place has 24 bits, and there are fewer than 2^8 registers.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
