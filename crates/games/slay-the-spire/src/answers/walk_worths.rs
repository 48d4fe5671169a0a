//! The values of situations of a walk, and of everything that can be played in them.

use budget::{Budget, Stopped};

use super::advise::{Question, mix_of, outcomes, worths};
use super::several::solve_several;
use super::solve::{Exactness, FightOptions, graph_of};
use super::walk::FightWalk;
use super::worth::{Interval, Worth};
use crate::rules::RulesError;
use crate::search::Search;
use crate::search::payoff::{Objective, Payoff};
use crate::search::root::Mix;

/// The values of situations of a walk.
pub struct Worths {
    /// The value of each requested situation.
    pub situations: Vec<Worth>,
    /// The value of everything that can be played in the last of them.
    pub plays: Vec<Worth>,
    /// Why bounds are wider than they could be, if the search was stopped.
    pub stopped: Option<Stopped>,
}

/// The values of situations of one walk, and of everything that can be played in the last one; exactly too, if that is
/// wanted and fits. If the budget stops the run, the results are still bounds.
///
/// # Errors
/// When a fight is not modelled.
pub fn walk_worths(walks: &[FightWalk<'_>], exact: Exactness, budget: &Budget<'_>) -> Result<Worths, RulesError> {
    let last = walks.len().saturating_sub(1);
    let mut found = worths_with_plays(walks, |place| place == last, exact, budget)?;
    Ok(Worths { situations: found.situations, plays: found.plays.pop().unwrap_or_default(), stopped: found.stopped })
}

/// The values of situations of one walk, and of what can be played in some of them.
pub(super) struct WorthsWithPlays {
    pub situations: Vec<Worth>,
    /// For each situation the value of every play, in the order of [`FightWalk::plays`]; empty where it was not asked
    /// for.
    pub plays: Vec<Vec<Worth>>,
    pub stopped: Option<Stopped>,
}

/// The value of the whole fight at this point of a walk: turns that are over count, too.
fn in_whole(worth: Worth, walk: &FightWalk<'_>) -> Worth {
    if walk.objective != Objective::Turns {
        return worth;
    }
    let over = f64::from(walk.turns_over());
    Worth { value: worth.value.plus(1.0, Interval { lower: over, upper: over }), ..worth }
}

/// The same with the values of all plays in the situations that `valued` names.
pub(super) fn worths_with_plays(
    walks: &[FightWalk<'_>],
    valued: impl Fn(usize) -> bool,
    exact: Exactness,
    budget: &Budget<'_>,
) -> Result<WorthsWithPlays, RulesError> {
    let mut situations: Vec<Option<Worth>> = vec![None; walks.len()];
    let (mut plays, mut stopped) = (vec![Vec::new(); walks.len()], None);
    // Before the group is known the value is the mean over all fights.
    for (place, walk) in walks.iter().enumerate().filter(|(_, walk)| walk.rules.is_none()) {
        let asked = FightOptions { exact, ends: false };
        let solved = solve_several(walk.hero, walk.encounters, &[walk.health], walk.objective, asked, budget)?;
        stopped = stopped.or(solved.stopped);
        situations[place] = solved.worths.into_iter().next();
    }
    let met: Vec<usize> = (0..walks.len()).filter(|place| walks[*place].rules.is_some()).collect();
    if let (Some(last), Some(rules)) = (met.last(), met.last().and_then(|last| walks[*last].rules)) {
        let last = &walks[*last];
        let (payoff, exact) = (Payoff::new(last.objective, rules)?, exact.of(last.objective));
        let kinds: Vec<_> = last.foes.iter().map(|foe| foe.kind).collect();
        let mut graph = graph_of(rules, &kinds, &payoff, exact);
        let mut search = Search::new(&mut graph, payoff, rules.all_potions());
        let mut mixes: Vec<Mix> = met.iter().map(|place| walks[*place].mix(&mut search)).collect();
        let mut counts = Vec::new();
        for place in met.iter().copied().filter(|place| valued(*place)) {
            let Some(state) = walks[place].decision() else { continue };
            let before = mixes.len();
            for (_, outcomes) in outcomes(rules, state) {
                mixes.push(mix_of(search.graph, outcomes.into_iter(), walks[place].health));
            }
            counts.push((place, mixes.len() - before));
        }
        let asked = Question { objective: last.objective, health: last.health(), exact };
        let (found, why) = worths(&mut search, &mixes, asked, budget);
        stopped = stopped.or(why);
        let mut found = found.into_iter();
        for (place, worth) in met.iter().zip(&mut found) {
            situations[*place] = Some(in_whole(worth, &walks[*place]));
        }
        for (place, count) in counts {
            plays[place] = found.by_ref().take(count).map(|worth| in_whole(worth, &walks[place])).collect();
        }
    }
    let nothing = || {
        let objective = walks.first().map_or(Objective::Health, |walk| walk.objective);
        Worth::between(Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY }, 0, objective)
    };
    let situations = situations.into_iter().map(|own| own.unwrap_or_else(nothing)).collect();
    Ok(WorthsWithPlays { situations, plays, stopped })
}
