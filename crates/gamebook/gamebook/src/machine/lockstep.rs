//! States of a row that settle together: each step is done once for all of them, as long as it does not part them.

use super::Machine;
use super::across::Across;
use super::action::{Decided, Move};
use super::touches::Touches;
use crate::passes::Depends;
use crate::program::{Instruction, State};

/// States of a row: where each began, and where in the row it is now.
type Lanes = Vec<(u32, u32)>;

/// States that have gone the same way.
#[derive(Debug)]
pub(super) struct Party {
    /// The row in which they are now.
    pub row: State,
    pub lanes: Lanes,
    /// On what the way depends.
    pub depends: Depends,
    next: Next,
    steps: u32,
}

/// What a party does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// It forgets what does not matter where it begins.
    Begin,
    /// It runs on to a question.
    Run,
    /// It forgets what does not matter at a question.
    Stop,
}

/// Who takes more steps goes on alone.
const MOST_STEPS: u32 = 256;

impl Machine {
    /// Settles the states at these positions of a row: calls `settled` with those that have come to one row, and with each
    /// that must settle alone.
    pub(super) fn settle_together(
        &self,
        across: &Across,
        row: State,
        lanes: Lanes,
        moves: &mut Vec<Move>,
        settled: &mut dyn FnMut(Result<Party, u32>),
    ) {
        let mut parties = vec![Party { row, lanes, depends: Depends::default(), next: Next::Begin, steps: 0 }];
        while let Some(party) = parties.pop() {
            let begin = parties.len();
            match party.next {
                _ if party.steps > MOST_STEPS => {
                    party.lanes.iter().for_each(|(start, _)| settled(Err(*start)));
                }
                Next::Begin => self.begin(across, party, &mut parties, settled),
                Next::Run => self.run_together(across, party, moves, &mut parties),
                Next::Stop => self.stop(across, party, &mut parties, settled),
            }
            // The first go on first.
            parties[begin..].reverse();
        }
    }

    fn begin(
        &self,
        across: &Across,
        mut party: Party,
        parties: &mut Vec<Party>,
        settled: &mut dyn FnMut(Result<Party, u32>),
    ) {
        self.look_all(across, &mut party);
        let looks = across.is_in(&self.touches.kept(party.row.place()));
        let mut kept = Vec::new();
        self.keep_all(across, looks, party, &mut kept);
        for party in kept {
            let last = Touches::last_answer(&self.program, party.row.place());
            if !self.last_differs.get(party.row.place() as usize).is_some_and(|differs| *differs) {
                parties.push(party);
                continue;
            }
            let mut parted = Vec::new();
            party.part(across, across.is_in(&last), |state| self.asks_at_once(state), &mut parted);
            for (asks, mut party) in parted {
                if asks {
                    party.depends.touch(&last);
                    settled(Ok(party));
                } else {
                    parties.push(party);
                }
            }
        }
    }

    fn stop(
        &self,
        across: &Across,
        mut party: Party,
        parties: &mut Vec<Party>,
        settled: &mut dyn FnMut(Result<Party, u32>),
    ) {
        let stop = party.row;
        self.look_all(across, &mut party);
        let looks = across.is_in(&self.touches.kept(stop.place()));
        let mut parted = Vec::new();
        let cut = self.cut(across, &party);
        let same = |state: &State| match cut {
            Some((row, most)) => {
                let (own, position) = across.split(state);
                own == row && position <= most
            }
            None => self.keep(state) == *state,
        };
        // Where a position is forgotten, who has none yet is where he ends up.
        let forgotten = !across.is_in(&self.passed(stop.place()));
        party.part(across, looks || forgotten, same, &mut parted);
        for (same, party) in parted {
            if same {
                settled(Ok(party));
            } else {
                self.keep_all(across, looks, party, parties);
            }
        }
    }

    /// Adds to what the way of a party depends on what it depends on what is kept where they are.
    fn look_all(&self, across: &Across, party: &mut Party) {
        self.look(&across.at(&party.row, across.length - 1), &mut party.depends);
    }

    /// The row in which all of a party are of whom only that is kept which matters where they are, and the largest position
    /// that is told from smaller ones there; nothing where they are not in one row.
    fn cut(&self, across: &Across, party: &Party) -> Option<(State, u32)> {
        let positions = || party.lanes.iter().map(|(_, position)| *position);
        let kept = |position: u32| across.split(&self.keep(&across.at(&party.row, position)));
        let (lowest, highest) = (positions().min()?, positions().max()?);
        let (row, position) = kept(highest);
        // A position is kept as far as it is told apart, and nothing else that is kept depends on it; but the number of which it
        // is the lowest bits can fall below them.
        (kept(lowest) == (row, lowest.min(position)))
            .then_some((row, if position == highest { u32::MAX } else { position }))
    }

    /// Everyone forgets what does not matter where he is, and then runs on.
    fn keep_all(&self, across: &Across, looks: bool, mut party: Party, parties: &mut Vec<Party>) {
        match self.cut(across, &party) {
            Some((row, most)) if looks => {
                party.row = row;
                party.next = Next::Run;
                party.lanes.iter_mut().for_each(|(_, position)| *position = most.min(*position));
                parties.push(party);
            }
            _ => party.each(across, looks, |state| self.keep(state), Next::Run, parties),
        }
    }

    /// Runs on to a question, or to where the party parts.
    fn run_together(&self, across: &Across, mut party: Party, moves: &mut Vec<Move>, parties: &mut Vec<Party>) {
        loop {
            let place = party.row.place();
            party.steps += 1;
            if self.is_as_good_as_over(place) {
                party.next = Next::Stop;
            }
            if party.next == Next::Stop || party.steps > MOST_STEPS {
                return parties.push(party);
            }
            if let Some(decided) = self.decided(&party.row) {
                party.depends.touch(self.touches.tests(place));
                let Decided::Answered(answer) = decided else {
                    party.next = Next::Stop;
                    return parties.push(party);
                };
                let touches = self.touches.answer(place, answer);
                party.depends.touch(touches);
                match party.all(across, across.is_in(touches), |state| self.give(state, answer), parties) {
                    Some(whole) => party = whole,
                    None => return,
                }
                continue;
            }
            let touches = *self.touches.step(place);
            let looks = across.is_in(&touches);
            party.depends.touch(&touches);
            match &self.program.steps[place as usize] {
                Instruction::Chance { .. } => party.next = Next::Stop,
                Instruction::Ask(_) => {
                    self.answer_together(across, looks, party, moves, parties);
                    return;
                }
                Instruction::Fold(fold) => {
                    let mut folded = Vec::new();
                    let is_one = |state: &State| self.is_folded(state, fold);
                    party.part(across, looks, is_one, &mut folded);
                    for (is_one, mut party) in folded {
                        if is_one {
                            party.next = Next::Stop;
                        } else {
                            party.row = party.row.at(fold.steps);
                        }
                        parties.push(party);
                    }
                    return;
                }
                _ => {
                    let step = |state: &State| {
                        let mut next = *state;
                        self.step(&mut next);
                        next
                    };
                    match party.all(across, looks, step, parties) {
                        Some(whole) => party = whole,
                        None => return,
                    }
                }
            }
        }
    }

    /// Gives the only answer that each of a party has, and parts those who have several, or others.
    fn answer_together(
        &self,
        across: &Across,
        looks: bool,
        party: Party,
        moves: &mut Vec<Move>,
        parties: &mut Vec<Party>,
    ) {
        let looks = looks || across.is_in(self.touches.answers(party.row.place()));
        let mut answered = Vec::new();
        let mut depends = party.depends;
        // Where nobody is looked at all have the same answer; else those that have one.
        let answer = |state: &State| {
            let answer = self.only_answer(state, moves, &mut depends);
            if looks { answer.map(|_| State::default()) } else { answer }
        };
        party.part(across, looks, answer, &mut answered);
        for (answer, mut party) in answered {
            party.depends = depends;
            match answer {
                None => {
                    party.next = Next::Stop;
                    parties.push(party);
                }
                Some(_) if looks => {
                    let next = |state: &State| self.only_answer(state, moves, &mut depends).unwrap_or(*state);
                    party.each(across, true, next, Next::Run, parties);
                }
                Some(next) => party.each(across, false, |_| next, Next::Run, parties),
            }
        }
    }
}

impl Party {
    /// Moves everyone on, and parts those that come to different rows. Where `looks` is not set, what one does does not
    /// depend on his position: he keeps it, or it is forgotten for all.
    fn each(
        mut self,
        across: &Across,
        looks: bool,
        mut next: impl FnMut(&State) -> State,
        then: Next,
        parties: &mut Vec<Self>,
    ) {
        self.next = then;
        if !looks {
            // A position that is not looked at is passed on, or forgotten.
            let (row, position) = across.split(&next(&across.at(&self.row, across.length - 1)));
            self.row = row;
            if position == 0 {
                self.lanes.iter_mut().for_each(|(_, position)| *position = 0);
            }
            return parties.push(self);
        }
        let begin = parties.len();
        for (start, position) in &self.lanes {
            let (row, position) = across.split(&next(&across.at(&self.row, *position)));
            let known = parties[begin..].iter().rposition(|party| party.row == row);
            let place = known.map_or(parties.len(), |known| begin + known);
            if place == parties.len() {
                parties.push(Self { row, lanes: Vec::new(), ..self.empty() });
            }
            parties[place].lanes.push((*start, position));
        }
    }

    /// Moves everyone on: the party, if it stays together, as most do.
    fn all(
        self,
        across: &Across,
        looks: bool,
        next: impl FnMut(&State) -> State,
        parties: &mut Vec<Self>,
    ) -> Option<Self> {
        let begin = parties.len();
        self.each(across, looks, next, Next::Run, parties);
        let last = parties.pop()?;
        if parties.len() == begin {
            return Some(last);
        }
        parties.push(last);
        None
    }

    /// Parts those for whom something differs; where `looks` is not set it differs for nobody.
    fn part<T: PartialEq>(
        self,
        across: &Across,
        looks: bool,
        mut differs: impl FnMut(&State) -> T,
        parts: &mut Vec<(T, Self)>,
    ) {
        if !looks {
            let differs = differs(&across.at(&self.row, across.length - 1));
            return parts.push((differs, self));
        }
        for (start, position) in &self.lanes {
            let own = differs(&across.at(&self.row, *position));
            let place = parts.iter().position(|(known, _)| *known == own).unwrap_or_else(|| {
                parts.push((own, self.empty()));
                parts.len() - 1
            });
            parts[place].1.lanes.push((*start, *position));
        }
    }

    fn empty(&self) -> Self {
        Self { row: self.row, lanes: Vec::new(), depends: self.depends, next: self.next, steps: self.steps }
    }
}
