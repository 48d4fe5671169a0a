//! Picks and fights whose odds have a formula: up to the largest that the language has.

use dashu_int::UBig;
use gamebook::{Question, Solved, read};
use mdp::{ExploreOptions, Rational, ratio};

/// The exact probability to win a book of one section that leads to section 2, which wins.
fn value(section: &str, head: &str) -> Rational {
    let text = format!(
        "book \"Odds\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n{head}\nsection 1 {{\n{section}\n}}\n\
         section 2 {{ victory; }}\n"
    );
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).expect("can be solved");
    solved.win().exact.expect("is asked for")
}

const HERO: &str = "hero { combat-skill 15; endurance 25; }";

fn binomial(n: u32, k: u32) -> UBig {
    if k > n {
        return UBig::ZERO;
    }
    (0..k).fold(UBig::ONE, |product, i| product * (n - i) / (i + 1))
}

/// In how many ways `picks` numbers from 0 to 9 add up to `total`, by inclusion and exclusion.
fn ways(picks: u32, total: u32) -> UBig {
    let (mut more, mut less) = (UBig::ZERO, UBig::ZERO);
    for tens in 0..=total / 10 {
        let term = binomial(picks, tens) * binomial(total - 10 * tens + picks - 1, picks - 1);
        if tens % 2 == 0 { more += term } else { less += term }
    }
    more - less
}

fn of_picks(ways: UBig, picks: u32) -> Rational {
    Rational::from_parts(ways.into(), UBig::from(10u8).pow(picks as usize))
}

#[test]
fn totals_of_one_sum() {
    for picks in 1..=12 {
        for total in [0, 1, 9, 10, 4 * picks, 9 * picks - 1, 9 * picks] {
            if total > 9 * picks {
                continue;
            }
            let section = |zero: &str, total| {
                format!("pick count={picks}{zero} {{ when {total} {{ goto 2; }}; else {{ death; }}; }}")
            };
            let expected = of_picks(ways(picks, total), picks);
            assert_eq!(value(&section("", total), HERO), expected, "{picks} picks, {total}");
            assert_eq!(value(&section(" zero-is=10", total + picks), HERO), expected, "{picks} picks, {total}");
        }
    }
}

/// What one sum lacks to its largest total is as likely as that total: so two sums are equal as often as all picks
/// together add up to the largest total of the second.
#[test]
fn contests_of_two_sums() {
    for mine in 1..=12 {
        for theirs in [1, 2, 7, 10, 12] {
            let section = format!(
                "pick mine={mine} theirs={theirs} {{ when \"mine = theirs\" {{ goto 2; }}; else {{ death; }}; }}"
            );
            let expected = of_picks(ways(mine + theirs, 9 * theirs), mine + theirs);
            assert_eq!(value(&section, HERO), expected, "{mine} against {theirs}");
            if mine == theirs {
                let section = section.replace("mine = theirs", "mine > theirs");
                let expected = (Rational::ONE - expected) / Rational::from(2);
                assert_eq!(value(&section, HERO), expected, "{mine} against {theirs}");
            }
        }
    }
    let (ten, truth) = (of_picks(ways(20, 90), 20), ratio(77_047_973_093_547_421, 2_500_000_000_000_000_000));
    assert_eq!(ten, truth);
}

#[test]
fn contests_of_three_and_four_sums() {
    for (sums, condition, mine, theirs) in [
        ("a=11 b=11 c=1", "a + c = b", 12, 11),
        ("a=11 b=11 c=1", "a = b + c", 11, 12),
        ("a=12 b=7 c=1", "a = b + c", 12, 8),
        ("a=2 b=2 c=2 d=1", "a + b = c + d", 4, 3),
        ("a=5 b=1 c=1 d=2", "a = b + c + d", 5, 4),
        ("a=1 b=11 c=1 d=1", "b = a + c + d", 11, 3),
    ] {
        let section = format!("pick {sums} {{ when \"{condition}\" {{ goto 2; }}; else {{ death; }}; }}");
        assert_eq!(value(&section, HERO), of_picks(ways(mine + theirs, 9 * theirs), mine + theirs), "{sums}");
    }
}

/// What is added under conditions moves the totals.
#[test]
fn additions() {
    let section = "pick count=12 as=r {
        plus 200 if=\"gold >= 3\"
        plus -120
        plus 50 if=\"gold >= 4\"
        when 134 { goto 2; }
        else { death; }
    }";
    let hero = "hero { combat-skill 15; endurance 25; gold 3; }";
    assert_eq!(value(section, hero), of_picks(ways(12, 54), 12));
}

/// The chance of at least `e` successes before `h` failures, when `p` of ten numbers are successes.
fn race(h: u32, e: u32, p: u32) -> Rational {
    let (p_power, q) = (UBig::from(p).pow(e as usize), UBig::from(10 - p));
    let sum = (0..h).fold(UBig::ZERO, |sum, lost| {
        let rest = UBig::from(10u8).pow((h - 1 - lost) as usize);
        sum + binomial(e + lost - 1, lost) * q.pow(lost as usize) * rest
    });
    Rational::from_parts((sum * p_power).into(), UBig::from(10u8).pow((e + h - 1) as usize))
}

/// A table in which the enemy loses 1 at `p` of the ten numbers, and the hero at the others.
fn table(p: u32) -> String {
    let cells = |row| if row < p { " \"1/0\"" } else { " \"0/1\"" }.repeat(13);
    let rows: Vec<String> = (0..10).map(|row| format!("row {row}{}", cells(row))).collect();
    let rows = rows.join("\n");
    format!("combat-table {{\n{rows}\n}}\n{HERO}")
}

#[test]
fn fights_to_the_end() {
    for p in [1, 5, 9] {
        for enemy in [1, 2, 30, 150] {
            let section = format!("fight \"A\" skill=15 endurance={enemy}\ngoto 2");
            assert_eq!(value(&section, &table(p)), race(25, enemy, p), "{p} of ten, {enemy}");
        }
    }
    // Enemies one after another are one with all their ENDURANCE.
    let enemies = |count: usize, endurance: u32| {
        let enemy = format!("enemy \"A\" skill=15 endurance={endurance}\n");
        format!("fight {{\n{}}}\ngoto 2", enemy.repeat(count))
    };
    for (count, endurance) in [(2, 17), (5, 30), (30, 7)] {
        let all = u32::try_from(count).unwrap() * endurance;
        assert_eq!(value(&enemies(count, endurance), &table(9)), race(25, all, 9), "{count} of {endurance}");
    }
}

/// In the first rounds the hero loses nothing; the fight is lost if it is not won soon; he leaves it alive.
#[test]
fn fights_by_rounds() {
    let p = 6;
    let won_in = |rounds: u32, hits: u32| {
        let ways = binomial(rounds, hits)
            * UBig::from(p).pow(hits as usize)
            * UBig::from(10 - p).pow((rounds - hits) as usize);
        Rational::from_parts(ways.into(), UBig::from(10u8).pow(rounds as usize))
    };
    let enemy = 12;
    for rounds in [1, 7, 100] {
        // After the first rounds so much is left of the enemy.
        let expected = (0..=rounds).fold(Rational::ZERO, |sum, hits| {
            sum + won_in(rounds, hits) * if hits >= enemy { Rational::ONE } else { race(25, enemy - hits, p) }
        });
        let section = format!("fight \"A\" skill=15 endurance={enemy} {{ untouchable rounds={rounds}; }}\ngoto 2");
        assert_eq!(value(&section, &table(p)), expected, "untouchable for {rounds} rounds");
    }
    for after in [12, 20, 24] {
        // He does not die so soon.
        let expected = (enemy..=after).fold(Rational::ZERO, |sum, hits| sum + won_in(after, hits));
        let section = format!("fight \"A\" skill=15 endurance={enemy} {{ stop after={after} {{ death; }}; }}\ngoto 2");
        assert_eq!(value(&section, &table(p)), expected, "stopped after {after}");
        let section = format!(
            "fight \"A\" skill=15 endurance={enemy}\nif \"rounds <= {after}\" {{ goto 2; }}\nelse {{ death; }}"
        );
        assert_eq!(value(&section, &table(p)), expected, "won within {after}");
    }
}
