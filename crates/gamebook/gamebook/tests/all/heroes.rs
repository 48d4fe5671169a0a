//! All heroes of a book.

use std::ops::ControlFlow;
use std::sync::Mutex;

use budget::{Budget, Limits, Progress, Stage};
use gamebook::{Book, HeroChoice, HeroGroup, HeroQuantity, Question, Solved, built_in, hero_layout, read};
use mdp::{ExploreOptions, Value};
use solved_table::Cell;

use crate::random_book::{random_book, read_random};

/// A gate that asks for much.
const GATE: &str = r#"
    book "Gate" format=1 rules="lone-wolf"
    start 1
    goal 3
    hero { combat-skill 15; endurance 25; learns 2; disciplines tracking; gold 3; items axe; choose 1 { axe; potion; rope; }; }
    items { weapon axe; backpack-item rope; backpack-item potion heals=4 when=any-time; }
    section 1 {
        if "discipline tracking or has rope" { goto 2; }
        if "discipline mindblast and combat-skill >= 18" { goto 3; }
        pick { plus 2 if="discipline sixth-sense"; when 0 4 { endurance -19; goto 2; }; else { goto 2; }; }
    }
    section 2 {
        choice "fight" { fight "guard" skill=16 endurance=9; goto 3; }
        choice "bribe" { require "gold >= 4 or discipline animal-kinship"; pick { when 0 6 { goto 3; }; else { death; }; }; }
    }
    section 3 { victory; }
"#;

/// Everyone of a group, in order.
fn wins(group: &HeroGroup, book: &Book) -> Vec<Value> {
    let mut wins = vec![None; group.rolls.len()];
    let mut found = |solved: &[(usize, Value)]| {
        for (roll, win) in solved {
            assert!(wins[*roll].replace(win.clone()).is_none(), "each is found once");
        }
        Ok(())
    };
    group.solve(book, &ExploreOptions::default(), &|_| true, &mut found).unwrap();
    wins.into_iter().map(Option::unwrap).collect()
}

/// Every set of disciplines and every equipment, against an interpreter that knows nothing of programs and groups.
#[test]
fn each_wins_as_an_interpreter_says() {
    let (book, _) = read(GATE).unwrap();
    let mut choice = HeroChoice::all(&book, None);
    choice.equipments = HeroChoice::equipments(&book);
    choice.numbers = vec![
        (HeroQuantity::CombatSkill, vec![11, 18]),
        (HeroQuantity::Endurance, vec![20, 24]),
        (HeroQuantity::Gold, vec![3, 4]),
    ];
    assert_eq!((choice.sets.len(), choice.equipments.len(), choice.count()), (45, 3, Some(45 * 3 * 8)));
    let groups = choice.groups(&book, &Question::new(&book)).unwrap();
    for (place, group) in groups.iter().enumerate() {
        let wins = wins(group, &book);
        for roll in (0..wins.len()).filter(|roll| (place + roll) % 5 == 0) {
            let hero = group.question_of(&book, roll).hero;
            let exact = mdp::nearest(&gamebook_reference::win(&book, &hero, 1_000_000).unwrap());
            let Value { lower, upper, .. } = &wins[roll];
            assert!(lower - 1e-15 <= exact && exact <= upper + 1e-15, "{hero:?}: {exact} not in {lower}..={upper}");
        }
    }
}

#[test]
fn groups_that_nothing_tells_apart_play_the_same_game() {
    let (book, _) = read(GATE).unwrap();
    let groups = HeroChoice::all(&book, None).groups(&book, &Question::new(&book)).unwrap();
    let budget = Budget::default();
    let named = |names: &str| {
        let is_so = |group: &&HeroGroup| group.cells(&book, 0)[2] == Cell::Names(names.into());
        groups.iter().find(is_so).unwrap()
    };
    // Nobody asks for camouflage or mindshield here, but for tracking.
    let (first, second) = (named("camouflage tracking"), named("tracking mindshield"));
    assert_eq!(first.fingerprint(&book, &budget).unwrap(), second.fingerprint(&book, &budget).unwrap());
    assert!(first.plays_as(second, &book, &budget).unwrap());
    assert!(!first.plays_as(named("camouflage mindshield"), &book, &budget).unwrap());
    assert_eq!(gamebook::roll_chance(&book, HeroQuantity::CombatSkill, 19), Some(0.1));
    assert_eq!(hero_layout(&book, &[], false).cells[2], "disciplines");
}

/// Heroes of Fire on the Water from all over the table: the bounds of the table hold the fraction.
#[test]
#[ignore = "takes many minutes"]
fn heroes_of_fire_on_the_water_lie_where_they_should() {
    let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
    let groups = HeroChoice::all(&book, None).groups(&book, &Question::new(&book)).unwrap();
    for turn in 0..10 {
        // As good as random: neither number of them divides what there is.
        let group = &groups[(turn * 97 + 13) % groups.len()];
        let wins = wins(group, &book);
        for again in 0..5 {
            let roll = ((5 * turn + again) * 37 + 11) % group.rolls.len();
            let question = Question { exact: true, ..group.question_of(&book, roll) };
            let exact = Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap();
            let Value { lower, upper, .. } = wins[roll];
            let hero = group.cells(&book, roll);
            assert!(mdp::exactly(lower).unwrap() <= exact, "{hero:?}");
            assert!(exact <= mdp::exactly(upper).unwrap(), "{hero:?}");
            assert!(upper - lower < 1e-10, "{hero:?}");
        }
    }
}

/// Heroes of a random book who differ in COMBAT SKILL and ENDURANCE only, against each alone: how often was explored, and
/// whether their odds differ; nothing where the book is too large.
fn explored_together(book: &Book, seed: u64) -> Option<(usize, bool)> {
    const MOST_STATES: u64 = 20_000;
    let hero = &book.hero;
    let few = |all: Vec<i32>, most: usize| -> Vec<i32> {
        let step = all.len().div_ceil(most).max(1);
        all.into_iter().take(10).step_by(step).collect()
    };
    // Half of the books with one COMBAT SKILL, and all that ENDURANCE can be.
    let (skills, lives) = if seed.is_multiple_of(2) { (1, 10) } else { (3, 4) };
    let skills = if skills == 1 { vec![hero.combat_skill] } else { few(book.kai.combat_skills().collect(), skills) };
    let endurances = few(book.kai.endurances().collect(), lives);
    let choice = HeroChoice {
        skills: Vec::new(),
        sets: vec![(hero.disciplines.clone(), hero.weaponskill.clone())],
        equipments: vec![hero.items.clone()],
        numbers: vec![(HeroQuantity::CombatSkill, skills), (HeroQuantity::Endurance, endurances)],
    };
    let groups = choice.groups(book, &Question::new(book)).ok()?;
    // How often exploring began, and how far it was when it was last heard of.
    let explored = Mutex::new((0, u64::MAX));
    let watch = |progress: Progress| {
        if progress.stage == Stage::Exploring {
            let (begun, before) = &mut *explored.lock().unwrap();
            *begun += usize::from(progress.done < *before);
            *before = progress.done;
        }
        ControlFlow::Continue(())
    };
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let budget = Budget::new(limits).watched(&watch);
    let options = ExploreOptions::default().with_budget(&budget).with_threads(1);
    let mut wins = vec![None; groups[0].rolls.len()];
    let mut found = |solved: &[(usize, Value)]| {
        for (roll, win) in solved {
            assert!(wins[*roll].replace(win.clone()).is_none(), "book {seed}: found twice");
        }
        Ok(())
    };
    groups[0].solve(book, &options, &|_| true, &mut found).ok()?;
    let mut exact = Vec::new();
    for (roll, win) in wins.into_iter().map(Option::unwrap).enumerate() {
        let question = Question { exact: true, ..groups[0].question_of(book, roll) };
        let limited = Budget::new(limits);
        let options = ExploreOptions::default().with_budget(&limited).with_threads(1);
        let own = Solved::new(book, &question, &options).ok()?.win().exact.unwrap();
        let (lower, upper) = (mdp::exactly(win.lower).unwrap(), mdp::exactly(win.upper).unwrap());
        assert!(lower <= own && own <= upper, "book {seed}, roll {roll}: {own} not in {lower}..={upper}");
        assert!(win.upper - win.lower < 1e-9, "book {seed}, roll {roll}: {win}");
        exact.push(own);
    }
    let (begun, _) = *explored.lock().unwrap();
    Some((begun, exact.windows(2).any(|two| two[0] != two[1])))
}

fn all_explored_together(seeds: std::ops::Range<u64>) {
    let (mut compared, mut once, mut differ) = (0, 0, 0);
    for seed in seeds.clone() {
        let (book, _) = read_random(&random_book(seed)).unwrap();
        if let Some((explored, differs)) = explored_together(&book, seed) {
            compared += 1;
            once += u32::from(explored == 1);
            differ += u32::from(explored == 1 && differs);
        }
    }
    println!("{compared} books compared, {once} explored once for all, {differ} of those with different odds");
    let third = u32::try_from(seeds.count()).unwrap() / 3;
    assert!(
        once > third && differ >= third / 2,
        "{compared} compared, {once} explored once, {differ} with different odds"
    );
}

/// The exact value of each hero lies within the bounds that were found for all of them at once.
#[test]
fn heroes_explored_together_fare_as_each_alone() {
    all_explored_together(0..5);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_heroes_explored_together_fare_as_each_alone() {
    all_explored_together(5..90);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn heroes_of_many_books_fare_as_each_alone() {
    all_explored_together(90..400);
}
