//! The initial states.

use budget::Stage;

use super::choices::Expander;
use crate::error::Error;

impl Expander<'_> {
    /// The initial states, which are numbered first.
    pub fn initial(&mut self) -> Result<(), Error> {
        let mut packed = Vec::new();
        let variables = &self.program.variables;
        let Some(init) = &self.program.init else {
            let state: Vec<i64> = variables.iter().map(|variable| variable.init).collect();
            self.space.pack(&state, &mut packed);
            self.space.number(&packed, self.budget)?;
            return Ok(());
        };
        if let Some(variable) = variables.iter().find(|variable| variable.low == i64::MIN) {
            let problem = format!("`init` asks about all values of `{}`", variable.name);
            return Err(Error::new(init.at, problem, "a range for each variable"));
        }
        let mut state: Vec<i64> = variables.iter().map(|variable| variable.low).collect();
        loop {
            self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
            if init.truth(&state)? {
                self.space.pack(&state, &mut packed);
                self.space.number(&packed, self.budget)?;
            }
            // The next combination, counting up.
            let Some(place) = (0..state.len()).rev().find(|place| state[*place] < variables[*place].high) else {
                break;
            };
            state[place] += 1;
            for (value, variable) in state.iter_mut().zip(variables).skip(place + 1) {
                *value = variable.low;
            }
        }
        if self.space.len() == 0 {
            return Err(Error::new(init.at, "no state where play begins", "at least one"));
        }
        Ok(())
    }

    /// A state by its number among all states, packed. The states that are discovered before it are numbered.
    pub fn find(&mut self, number: u32) -> Result<Vec<u64>, Error> {
        self.initial()?;
        let mut state = Vec::new();
        let mut next = 0;
        while self.space.len() <= number {
            if next == self.space.len() {
                return Err(Error::NoState { states: next });
            }
            self.space.unpack(next, &mut state);
            self.choices(&state)?;
            next += 1;
            self.budget.step(Stage::Exploring, next.into(), (self.space.len() - next).into())?;
        }
        Ok(self.space.words(number).to_vec())
    }
}
