//! A lower bound for a series: a policy wins at most as often as optimal play.

use mdp::ExploreOptions;

use super::SeriesQuestion;
use super::beside::PrefixedShelf;
use super::shelf::Shelf;
use crate::book::Series;
use crate::solve::solve_error::SolveBookError;

/// The part of the remaining time for a policy.
const PART: f64 = 0.6;

impl Series {
    /// A lower bound of the series from policies that all its remaining books have by the same name; 0 if the player follows a
    /// policy already.
    pub(super) fn at_least(
        &self,
        question: &SeriesQuestion,
        shelf: &dyn Shelf,
        options: &ExploreOptions<'_>,
    ) -> Result<f64, SolveBookError> {
        let books = &self.books[question.book..];
        let follows = books.iter().skip(1).any(|own| own.book.default_policy().is_some());
        if question.situation.policy.is_some() || follows {
            return Ok(0.0);
        }
        let mut least: f64 = 0.0;
        for (place, policy) in books[0].book.policies.iter().enumerate() {
            let of = |own: &crate::book::SeriesBook| own.book.policies.iter().any(|other| other.name == policy.name);
            if !books.iter().all(of) {
                continue;
            }
            let mut series = self.clone();
            for own in series.books.iter_mut().flat_map(|own| &mut own.book.policies) {
                own.is_default = own.name == policy.name;
            }
            let mut question = question.clone();
            question.situation.policy = Some(policy.clone());
            let own = PrefixedShelf { shelf, name: format!("policy-{place}") };
            let found = series.beside(&question, &own, PART, options, &|_, _| Ok([0.0, 1.0]))?;
            least = found.map_or(least, |win| least.max(win.lower));
        }
        Ok(least)
    }
}
