//! Gambling tables: small components, of which a book has thousands. Their bounds against exact values, and against
//! those of the other methods.

use mdp::{Distribution, ExploreOptions, Game, Method, Rational, SolveOptions, Turn, Weight, exactly, explore, solve};
use proptest::prelude::*;

/// Tables between which a player moves freely, with a limited amount of gold.
#[derive(Debug)]
struct House {
    most: u32,
    tables: Vec<Table>,
    /// The value of leaving with each amount of gold, in parts of the last.
    worth: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Table {
    /// How likely a stake is lost, is returned several times over, or makes no difference.
    lost: u64,
    won: u64,
    even: u64,
    pays: u32,
    most_stake: u32,
    /// Whether one can go to the next table.
    leads_on: bool,
}

impl Game for House {
    /// Table and gold; beyond the tables play is over.
    type State = (usize, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(usize, u32)>> {
        let gold = |table| (0..=self.most).map(move |gold| Distribution::certain((table, gold)));
        (0..self.tables.len()).flat_map(gold).collect()
    }

    fn rules(&self, &(table, gold): &(usize, u32), turn: &mut Turn<(usize, u32)>) {
        let Some(own) = self.tables.get(table) else {
            return turn.end(Rational::from_parts(self.worth[gold as usize].into(), 1000u32.into()));
        };
        if own.leads_on {
            turn.to(((table + 1) % self.tables.len(), gold));
        }
        for stake in 1..=own.most_stake.min(gold) {
            let outcomes =
                [(gold - stake, own.lost), ((gold + stake * own.pays).min(self.most), own.won), (gold, own.even)];
            let likely = outcomes.into_iter().filter(|(_, weight)| *weight > 0);
            turn.chance(likely.map(|(gold, weight)| ((table, gold), Weight(weight))));
        }
        turn.chance([((self.tables.len(), gold), Weight(9)), ((self.tables.len(), gold / 2), Weight(1))]);
    }
}

fn house() -> impl Strategy<Value = House> {
    let table = (1..6u64, 1..6u64, 0..3u64, 1..4u32, 1..12u32, any::<bool>()).prop_map(
        |(lost, won, even, pays, most_stake, leads_on)| Table { lost, won, even, pays, most_stake, leads_on },
    );
    // Steps, plateaus and zeros.
    let steps = prop::collection::vec(prop_oneof![3 => Just(0u64), 2 => 1..20u64], 25);
    (1..25u32, prop::collection::vec(table, 1..4), steps).prop_map(|(most, tables, steps)| {
        let worth = steps.iter().scan(0, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        House { most, tables, worth: worth.collect() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn bounds_enclose_the_exact_value(house in house()) {
        let space = explore(&house, &ExploreOptions::default())?;
        let exact = solve(space.model(), &SolveOptions::exact())?;
        for method in [Method::Cheapest, Method::Elimination] {
            let bounded = solve(space.model(), &SolveOptions::default().with_method(method))?;
            for state in 0..space.model().states() {
                let value = exact.value(state).exact.expect("is exact");
                let bounds = bounded.value(state);
                let (lower, upper) = (exactly(bounds.lower).unwrap(), exactly(bounds.upper).unwrap());
                prop_assert!(lower <= value && value <= upper, "{method:?} {:?} {bounds:?}", space.state(state));
                prop_assert!(bounds.upper - bounds.lower <= 1e-9 * bounds.upper, "{method:?} {bounds:?}");
                prop_assert!(exact.best().of(state).all(|best| bounded.best().contains(state, best)));
            }
        }
    }
}
