//! What `check` calls impossible is impossible: no hero of a random book can bring it about by any play.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::dice::Dice;
use crate::random_book::{random_book, read_random};
use budget::{Budget, Limits};
use gamebook::{
    Book, Comparison, Condition, Discipline, Hero, Node, NodeKind, Number, Problem, Question, SectionNumber, Situation,
    check, check_hero,
};
use mdp::rows::explore;
use mdp::{ExploreOptions, SolveOptions, solve};

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

/// Rewrites a block: play is won where a claim is wrong; where the author says so what is `won` happens.
fn prove_wrong(nodes: &mut [Node], places: &Places, won: &NodeKind) {
    for node in nodes.iter_mut() {
        match &mut node.kind {
            NodeKind::Victory => node.kind = won.clone(),
            NodeKind::If(branches, otherwise) => {
                for (_, body, span) in branches.iter_mut() {
                    prove_block_wrong(body, span, places, won);
                }
                let first = otherwise.first().map_or(0..0, |first| first.span.clone());
                prove_wrong(otherwise, places, won);
                // An `else` is reported where its first node begins, and that node may have a problem of its own.
                if places.contains(&(first.start, true)) {
                    otherwise.insert(0, Node { kind: NodeKind::Victory, span: first });
                }
            }
            NodeKind::Choices(choices) => {
                for choice in choices.iter_mut() {
                    prove_block_wrong(&mut choice.body, &choice.span, places, won);
                }
            }
            NodeKind::Pick(pick) => {
                pick.cases.iter_mut().for_each(|(_, body, span)| prove_block_wrong(body, span, places, won));
            }
            NodeKind::Repeat(body) => prove_wrong(body, places, won),
            NodeKind::Fight(fight) => {
                fight.evade.iter_mut().chain(&mut fight.stop).for_each(|(_, body)| prove_wrong(body, places, won));
                fight.mock.iter_mut().chain(&mut fight.first_wound).for_each(|body| prove_wrong(body, places, won));
                fight.defeat.iter_mut().for_each(|(_, body)| prove_wrong(body, places, won));
                fight.slip.iter_mut().for_each(|(_, body)| prove_wrong(body, places, won));
            }
            NodeKind::OneRound { worse, equal, better, .. } => {
                for body in [worse, equal, better] {
                    prove_wrong(body, places, won);
                }
            }
            _ => {}
        }
    }
}

fn prove_block_wrong(body: &mut Vec<Node>, span: &Range<usize>, places: &Places, won: &NodeKind) {
    prove_wrong(body, places, won);
    if places.contains(&(span.start, false)) {
        body.insert(0, Node { kind: NodeKind::Victory, span: span.clone() });
    }
}

/// Whether some play of a hero comes to one of the places; `None` when the book is too large.
fn comes_to(book: &Book, hero: &Hero, places: &Places) -> Option<bool> {
    is_won(&with_victories(book, places, &NodeKind::Death(String::new())), hero)
}

/// The book that is won at these places, and where the author says so what is `won` happens.
fn with_victories(book: &Book, places: &Places, won: &NodeKind) -> Book {
    let mut book = book.clone();
    for (number, section) in &mut book.sections {
        if book.goals.contains(number) {
            section.body.clear();
            section.body.push(Node { kind: won.clone(), span: 0..0 });
        }
        prove_block_wrong(&mut section.body, &section.span, places, won);
    }
    book.goals.clear();
    book
}

/// Whether some play of a hero wins; `None` when the book is too large.
fn is_won(book: &Book, hero: &Hero) -> Option<bool> {
    let (hero, situation, goals) = (hero.clone(), Situation::default(), Vec::new());
    let question = Question { hero, situation, goals, ..Question::new(book) };
    let machine = question.machine(book, &Budget::unlimited()).unwrap();
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let space = explore(&machine, &ExploreOptions::default().with_budget(&Budget::new(limits))).ok()?;
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    Some(solution.value_of(&space.starts()[0]).upper > 0.0)
}

/// Whether some play of a hero comes to a section and wins afterwards.
fn wins_after(book: &Book, hero: &Hero, section: SectionNumber) -> Option<bool> {
    let mut book = book.clone();
    let came = book.flags.len();
    book.flags.push("came by".into());
    let node = |kind: NodeKind| Node { kind, span: 0..0 };
    let won = node(NodeKind::Victory);
    let lost = node(NodeKind::Death(String::new()));
    let won = NodeKind::If(vec![(Condition::Flag(came), vec![won], 0..0)], vec![lost]);
    let mut book = with_victories(&book, &Places::new(), &won);
    book.sections.get_mut(&section)?.body.insert(0, node(NodeKind::Flag(came, true)));
    is_won(&book, hero)
}

/// Whether some play of a hero enters a section with one of these.
fn comes_to_have(book: &Book, hero: &Hero, keys: &[Condition]) -> Option<bool> {
    let mut book = with_victories(book, &Places::new(), &NodeKind::Death(String::new()));
    let has = |key: &Condition| (key.clone(), vec![Node { kind: NodeKind::Victory, span: 0..0 }], 0..0);
    for section in book.sections.values_mut() {
        let kind = NodeKind::If(keys.iter().map(has).collect(), Vec::new());
        section.body.insert(0, Node { kind, span: 0..0 });
    }
    is_won(&book, hero)
}

/// What a hero of a name in a claim has.
fn key(book: &Book, name: &str) -> Condition {
    match book.item(name) {
        Some(item) => Condition::Compare(Comparison::AtLeast, Number::Item(item), Number::Constant(1)),
        None => Condition::Flag(book.flags.iter().position(|flag| flag == name).unwrap()),
    }
}

/// Sections from which no hero can win, and keys behind their own gates: no play refutes the claims, for all heroes or for one.
#[test]
fn no_play_wins_where_all_is_lost_or_gets_what_is_locked() {
    hold_lost_and_locked(0..8);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_no_play_wins_where_all_is_lost_or_gets_what_is_locked() {
    hold_lost_and_locked(8..number("RANDOM_BOOKS", 80));
}

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
}

fn hold_lost_and_locked(seeds: Range<u64>) {
    let (mut lost, mut locked, mut won) = (0, 0, 0);
    for seed in seeds {
        let text = random_book(seed);
        let (book, _) = read_random(&text).unwrap();
        let anyone = check(&book, &Budget::unlimited()).unwrap();
        for hero in heroes(&book, &mut Dice(seed)) {
            let question = Question { hero: hero.clone(), ..Question::new(&book) };
            let of_hero = check_hero(&book, &question, &Budget::unlimited()).unwrap();
            for claim in anyone.iter().chain(&of_hero) {
                if let Some((_, section)) = claim.message.rsplit_once("win from section ")
                    && let Some(section) = section.strip_suffix(" on")
                    && let Some(wrong) = wins_after(&book, &hero, section.parse().unwrap())
                {
                    lost += 1;
                    assert!(!wrong, "book {seed}: {} {hero:?}\n{text}", claim.message);
                }
                let Some((names, _)) = claim.message.split_once(" behind ").filter(|(_, gate)| gate.contains("gate"))
                else {
                    continue;
                };
                let keys: Vec<Condition> = names.split('`').skip(1).step_by(2).map(|name| key(&book, name)).collect();
                let brings = |key: &Condition| match key {
                    Condition::Compare(_, Number::Item(item), _) => hero.belongings(&book)[*item] > 0,
                    _ => false,
                };
                if !keys.iter().any(brings)
                    && let Some(wrong) = comes_to_have(&book, &hero, &keys)
                {
                    locked += 1;
                    assert!(!wrong, "book {seed}: {} {hero:?}\n{text}", claim.message);
                }
            }
            // The test can fail: elsewhere it is won.
            won += u32::from(wins_after(&book, &hero, book.start) == Some(true));
        }
    }
    println!("{lost} lost sections and {locked} locked things held against all plays; won {won} times");
    assert!(lost > 0 && won > 0, "{lost} {locked} {won}");
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
    hold_claims(0..20);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_no_play_proves_a_claim_wrong() {
    let first = number("FIRST_BOOK", 20);
    hold_claims(first..first + number("RANDOM_BOOKS", 60));
}

fn hold_claims(seeds: Range<u64>) {
    let (mut tried, mut claimed) = (0, 0);
    let most = seeds.end - seeds.start;
    for seed in seeds {
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
    assert!(claimed as u64 > most, "{claimed} claims say something");
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
