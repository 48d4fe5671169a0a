//! Games that follow one another: what the end of one is worth is the value of the next.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::distribution::Distribution;
use crate::game::{Game, Turn};
use crate::rational::{Rational, parse_fraction};

/// A game whose ends are worth something else.
///
/// Two fights in a row: first the second is solved from every stamina with which it can begin, then
/// the first with these values as its payoffs. The value is that of both games as one, but the
/// states of one are never multiplied with those of the other.
///
/// ```
/// use mdp::{Distribution, EndValues, ExploreOptions, Game, SolveOptions, Turn, WithEnds, explore, ratio, solve};
///
/// /// Lose a point or win the fight, each with probability 1/2; over when no point is left.
/// struct Fight;
/// impl Game for Fight {
///     type State = (u8, bool);
///     fn starts(&self) -> Vec<Distribution<(u8, bool)>> {
///         vec![Distribution::certain((2, false))]
///     }
///     fn rules(&self, &(points, won): &(u8, bool), turn: &mut Turn<(u8, bool)>) {
///         match (points, won) {
///             (0, _) => turn.end(0),
///             (_, true) => turn.end(1),
///             _ => turn.chance([(1, (points, true)), (1, (points - 1, false))]),
///         }
///     }
/// }
///
/// // What the second fight is worth with so many points left, as another run may have written it.
/// let second: EndValues = "0\t0\n1\t1/2\n2\t3/4\n".parse()?;
/// let both = WithEnds::new(&Fight, |(points, _)| second.get(&points.to_string()).cloned().into_iter().collect());
/// let space = explore(&both, &ExploreOptions::default())?;
/// let solution = solve(space.model(), &SolveOptions::exact())?;
/// assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(ratio(1, 2)));   // 1/2 * 3/4 + 1/4 * 1/2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WithEnds<'a, G, F> {
    game: &'a G,
    worth: F,
}

impl<'a, G: Game, F: Fn(&G::State) -> Vec<Rational> + Sync> WithEnds<'a, G, F> {
    /// The same game, with `worth` (in order, see [`Turn::end_ordered`]) as payoffs of its ends.
    /// Where `worth` is empty the game's own payoff stays.
    pub fn new(game: &'a G, worth: F) -> Self {
        Self { game, worth }
    }
}

impl<G: Game, F: Fn(&G::State) -> Vec<Rational> + Sync> Game for WithEnds<'_, G, F> {
    type State = G::State;

    fn starts(&self) -> Vec<Distribution<G::State>> {
        self.game.starts()
    }

    fn rules(&self, state: &G::State, turn: &mut Turn<G::State>) {
        self.game.rules(state, turn);
        if turn.is_over() {
            let worth = (self.worth)(state);
            if !worth.is_empty() {
                turn.end_ordered(worth);
            }
        }
    }

    fn describe(&self, state: &G::State, choice: usize) -> String {
        self.game.describe(state, choice)
    }
}

/// Values by the name of a state, as one line each: the name, a tab, the value as a fraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndValues(BTreeMap<String, Rational>);

/// A line that is no name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndValuesError {
    /// The line's number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl fmt::Display for EndValuesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} (a line is a name, a tab, and a value such as 3/4)", self.line, self.problem)
    }
}

impl std::error::Error for EndValuesError {}

impl EndValues {
    /// The value under this name.
    pub fn get(&self, name: &str) -> Option<&Rational> {
        self.0.get(name)
    }
}

impl FromIterator<(String, Rational)> for EndValues {
    fn from_iter<I: IntoIterator<Item = (String, Rational)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl fmt::Display for EndValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| writeln!(f, "{name}\t{value}"))
    }
}

impl FromStr for EndValues {
    type Err = EndValuesError;

    fn from_str(text: &str) -> Result<Self, EndValuesError> {
        let mut values = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
            let error = |problem| EndValuesError { line: number, problem };
            let (name, value) = line.rsplit_once('\t').ok_or_else(|| error("no tab"))?;
            let value = parse_fraction(value).ok_or_else(|| error("no fraction after the tab"))?;
            if values.insert(name.to_owned(), value).is_some() {
                return Err(error("a name that was there before"));
            }
        }
        Ok(Self(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::ratio;

    #[test]
    fn tables_are_read_as_they_are_written() {
        let values: EndValues = [("b 2".to_owned(), ratio(-1, 3)), ("a".to_owned(), ratio(2, 1))].into_iter().collect();
        assert_eq!(values.to_string(), "a\t2\nb 2\t-1/3\n");
        assert_eq!(values.to_string().parse(), Ok(values));
    }

    #[test]
    fn bad_lines_say_where() {
        let problem = |text: &str| EndValues::from_str(text).map_err(|error| (error.line, error.problem));
        assert_eq!(problem("a\t1\nb 2"), Err((2, "no tab")));
        assert_eq!(problem("a\t1/0"), Err((1, "no fraction after the tab")));
        assert_eq!(problem("a\t1\n\na\t2"), Err((3, "a name that was there before")));
    }
}
