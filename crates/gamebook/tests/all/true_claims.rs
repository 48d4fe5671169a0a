//! What `check` calls impossible is impossible: no hero of a random book can bring it about by any play.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::dice::Dice;
use crate::random_book::{random_book, read_random};
use budget::{Budget, Limits};
use gamebook::{Analyses, Book, Discipline, Hero, Machine, Node, NodeKind, Problem, Situation, check};
use mdp::{ExploreOptions, SolveOptions, explore, solve};

/// Larger books are passed over.
const MOST_STATES: u64 = 6_000;

/// Claims that something is never reached; the others are left out.
const NEVER: [&str; 7] = [
    "no section leads to",
    "no hero can ever",
    "cannot be reached from the start",
    "this never holds here",
    "this branch is never taken",
    "this `else` is never reached",
    "this case never comes up",
];

/// Where blocks begin that are never reached, and whether each is an `else`.
type Places = BTreeSet<(usize, bool)>;

/// What a claim is about.
fn place(claim: &Problem) -> (usize, bool) {
    (claim.span.start, claim.message.contains("this `else`"))
}

/// The places of a book that are never reached, as `check` says.
fn claims(book: &Book) -> Vec<Problem> {
    check(book, &Budget::unlimited())
        .unwrap()
        .into_iter()
        .filter(|claim| NEVER.iter().any(|never| claim.message.contains(never)))
        .collect()
}

/// Rewrites a block: play is won where a claim is wrong, and nowhere else.
fn prove_wrong(nodes: &mut [Node], places: &Places) {
    for node in nodes.iter_mut() {
        match &mut node.kind {
            NodeKind::Victory => node.kind = NodeKind::Death(String::new()),
            NodeKind::If(branches, otherwise) => {
                for (_, body, span) in branches.iter_mut() {
                    prove_block_wrong(body, span, places);
                }
                let first = otherwise.first().map_or(0..0, |first| first.span.clone());
                prove_wrong(otherwise, places);
                // An `else` is told of where its first node begins, which may be told of itself.
                if places.contains(&(first.start, true)) {
                    otherwise.insert(0, Node { kind: NodeKind::Victory, span: first });
                }
            }
            NodeKind::Choices(choices) => {
                for choice in choices.iter_mut() {
                    prove_block_wrong(&mut choice.body, &choice.span, places);
                }
            }
            NodeKind::Pick(pick) => {
                pick.cases.iter_mut().for_each(|(_, body, span)| prove_block_wrong(body, span, places));
            }
            NodeKind::Repeat(body) => prove_wrong(body, places),
            NodeKind::Fight(fight) => {
                fight.evade.iter_mut().chain(&mut fight.stop).for_each(|(_, body)| prove_wrong(body, places));
                fight.mock.iter_mut().chain(&mut fight.first_wound).for_each(|body| prove_wrong(body, places));
                fight.defeat.iter_mut().for_each(|(_, body)| prove_wrong(body, places));
                fight.slip.iter_mut().for_each(|(_, body)| prove_wrong(body, places));
            }
            NodeKind::OneRound { worse, equal, better, .. } => {
                for body in [worse, equal, better] {
                    prove_wrong(body, places);
                }
            }
            _ => {}
        }
    }
}

fn prove_block_wrong(body: &mut Vec<Node>, span: &Range<usize>, places: &Places) {
    prove_wrong(body, places);
    if places.contains(&(span.start, false)) {
        body.insert(0, Node { kind: NodeKind::Victory, span: span.clone() });
    }
}

/// Whether some play of a hero comes to one of the places; `None` when the book is too large.
fn comes_to(book: &Book, hero: &Hero, places: &Places) -> Option<bool> {
    let mut book = book.clone();
    for (number, section) in &mut book.sections {
        if book.goals.contains(number) {
            section.body.clear();
            section.body.push(Node { kind: NodeKind::Death(String::new()), span: 0..0 });
        }
        prove_block_wrong(&mut section.body, &section.span, places);
    }
    book.goals.clear();
    let machine =
        Machine::new(&book, hero, &Situation::default(), book.start, &[], Analyses::default(), &Budget::unlimited())
            .unwrap();
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let space = explore(&machine, &ExploreOptions::default().with_budget(&Budget::new(limits))).ok()?;
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    Some(solution.value_of(&space.starts()[0]).upper > 0.0)
}

/// Heroes that could set out in the book.
fn heroes(book: &Book, dice: &mut Dice) -> Vec<Hero> {
    let gold = u8::try_from(dice.below(u64::from(book.kai.most_gold) + 1)).unwrap();
    let (combat_skill, endurance) = (*book.kai.combat_skills().end(), *book.kai.endurances().end());
    let endurance = u8::try_from(endurance).unwrap();
    let mut disciplines = vec![Discipline::Healing, Discipline::Hunting, Discipline::Mindshield];
    disciplines.truncate(dice.place(4));
    let items = (0..3).map(|_| (dice.place(book.items.len()), 1)).collect();
    let other = Hero { combat_skill, endurance, gold, disciplines, items, ..Hero::default() };
    [book.hero.clone(), other].into_iter().filter(|hero| hero.check(book).is_ok()).collect()
}

#[test]
fn no_play_proves_a_claim_wrong() {
    let seeds = std::env::var("RANDOM_BOOKS").ok().and_then(|count| count.parse().ok()).unwrap_or(60u64);
    let first = std::env::var("FIRST_BOOK").ok().and_then(|count| count.parse().ok()).unwrap_or(0u64);
    let (mut tried, mut claimed) = (0, 0);
    for seed in first..first + seeds {
        let text = random_book(seed);
        let (book, _) = read_random(&text).unwrap();
        let claims = claims(&book);
        let places: Places = claims.iter().map(place).collect();
        if places.is_empty() {
            continue;
        }
        for hero in heroes(&book, &mut Dice(seed)) {
            let Some(wrong) = comes_to(&book, &hero, &places) else { continue };
            tried += 1;
            claimed += places.len();
            if wrong {
                let wrong: Vec<String> = claims
                    .iter()
                    .filter(|claim| comes_to(&book, &hero, &BTreeSet::from([place(claim)])) != Some(false))
                    .map(|claim| format!("{:?} {}", claim.position(&text), claim.message))
                    .collect();
                panic!("book {seed}: {wrong:?} {hero:?}\n{text}");
            }
        }
    }
    println!("{claimed} claims held against the plays of {tried} heroes");
    assert!(claimed as u64 > seeds, "{claimed} claims say something");
}

/// The test above can fail: what is reached is found.
#[test]
fn a_wrong_claim_is_found() {
    let (mut found, mut tried) = (0, 0);
    for seed in 0..40 {
        let (book, _) = read_random(&random_book(seed)).unwrap();
        // Section 9 ends every random book, and many plays of it.
        let places = BTreeSet::from([(book.sections[&9].span.start, false)]);
        let Some(reached) = comes_to(&book, &book.hero, &places) else { continue };
        tried += 1;
        found += u32::from(reached);
    }
    assert!(tried > 20 && found * 3 > tried, "{found} of {tried}");
}
