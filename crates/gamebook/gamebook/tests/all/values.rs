//! Whole books with known values: solved exactly, with all analyses, with each of them switched off, and with none.
//!
//! What is expected comes from a closed form, or from a plain recursion that is written here for that one book.

use std::cell::RefCell;
use std::collections::HashMap;

use budget::{Budget, Limits};
use gamebook::{Analyses, Question, SectionNumber, Situation, Solved, read};
use lone_wolf::{CombatTable, Loss};
use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, ratio, solve};

/// The exact value of a book and how many states it has.
pub fn value(text: &str, goals: &[SectionNumber], analyses: Analyses) -> (Rational, usize) {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    book.hero.check(&book).unwrap();
    let situation = Situation::default();
    let question = Question { situation, goals: goals.to_vec(), analyses, ..Question::new(&book) };
    let machine = question.machine(&book, &Budget::unlimited()).unwrap();
    let limits = Limits { max_states: 3_000_000, ..Limits::default() };
    let space = explore(&machine, &ExploreOptions::default().with_budget(&Budget::new(limits))).unwrap();
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    let value = solution.value_of(&space.starts()[0]).exact.unwrap();
    (value, space.states().len())
}

/// Every combination of analyses that is tried.
fn all_analyses() -> Vec<(String, Analyses)> {
    let one_off =
        Analyses::NAMES.map(|name| (format!("without {name}"), Analyses::default().without(name).expect("its name")));
    [("all".to_owned(), Analyses::default()), ("none".to_owned(), Analyses::NONE)].into_iter().chain(one_off).collect()
}

/// Checks that a small book has this value, whatever the analyses.
pub fn check(text: &str, expected: &Rational) {
    for (name, analyses) in all_analyses() {
        let (found, _) = value(text, &[99], analyses);
        assert!(found == *expected, "{name}: {found}, but {expected} is right\n{text}");
    }
}

/// A book that begins in section 1 and is won in section 99. Who enters 100 + n wins with n chances in ten.
pub fn book(head: &str, sections: &str) -> String {
    let mut text = format!("book \"Test\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 99\n{head}\n{sections}\n");
    text.push_str("section 99 { victory; }\n");
    for n in 1..10 {
        text.extend([format!(
            "section {} {{ pick {{ when 0 {} {{ goto 99; }}; else {{ death; }}; }}; }}\n",
            100 + n,
            n - 1
        )]);
    }
    text
}

/// So many chances in ten.
fn tenths(n: u8) -> Rational {
    ratio(n.into(), 10)
}

/// The mean over the picks 0 to 9.
fn picked(f: impl Fn(u8) -> Rational) -> Rational {
    (0..10).map(|pick| f(pick) * ratio(1, 10)).fold(Rational::ZERO, |sum, part| sum + part)
}

fn best(values: impl IntoIterator<Item = Rational>) -> Rational {
    values.into_iter().max().unwrap_or(Rational::ZERO)
}

const BOOK_2017: &str = include_str!("../books/fire-on-the-water-2017.kdl");
/// The published value of the program's hero, with the Cartwheel computed exactly.
const VALUE_2017: &str = "166635813474250846448421910621887/190845817450272776462500000000000";

#[test]
fn the_model_of_2017() {
    for (name, analyses) in all_analyses() {
        // None at all: more than eight million states.
        if analyses == Analyses::NONE {
            continue;
        }
        let (found, states) = value(BOOK_2017, &[200], analyses);
        assert_eq!(found.to_string(), VALUE_2017, "{name}");
        assert!(states < 1_000_000, "{name}: {states} states");
    }
}

/// Best play dies in section 247 with the published chance: when one in 10^12 of those who enter it wins, the value
/// grows by just that share of them.
#[test]
fn deaths_in_247_of_the_model_of_2017() {
    let luck = "section 247 { pick count=12 { when 0 { goto 200; }; else { death; }; }; }";
    let text = BOOK_2017.replace("section 247 { death; }", luck);
    assert!(text.contains(luck));
    let (lucky, _) = value(&text, &[200], Analyses::default());
    let plain: Rational = mdp::parse_fraction(VALUE_2017).unwrap();
    let dead = (lucky - plain) * ratio(1_000_000_000_000, 1);
    assert_eq!(dead.to_string(), "608487762959/6250000000000");
}

/// The published table of deaths, where it does not depend on which of two equal ways is taken.
#[test]
fn deaths_of_the_model_of_2017() {
    let (book, _) = read(BOOK_2017).unwrap();
    let question = Question { goals: vec![200], ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    let died = |sections: &[SectionNumber]| -> f64 {
        let rows = journey.deaths.iter().filter(|(section, _)| sections.contains(section));
        rows.map(|(_, probability)| probability).sum()
    };
    let published: [(&[SectionNumber], f64); 6] = [
        (&[247], 0.097_358_042_073_44),
        (&[345], 0.023_293_136_755_6),
        (&[186], 0.003_078_729_507_266_301_5),
        (&[326], 0.001_588_684_51),
        (&[268], 0.000_475),
        // The same fight, by two ways that are worth the same.
        (&[146, 34], 0.000_990_888 + 0.000_071_87),
    ];
    for (sections, probability) in published {
        assert!((died(sections) - probability).abs() < 1e-14, "{sections:?}: {} died", died(sections));
    }
    let all: f64 = journey.deaths.iter().map(|(_, probability)| probability).sum();
    assert!((all + solved.win().decimal() - 1.0).abs() < 1e-12);
}

/// Who has no money may be better off: gold above what is needed is forgotten, but not what must be spent.
#[test]
fn being_broke_is_better() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 10; }
        items { backpack-item rope; backpack-item stone; }",
        r#"section 1 {
            pick as=r { }
            gain gold r
            choice "buy things that are good for nothing" { goto 2; }
            choice "being rich" { require "gold >= 18"; goto 105; }
            choice "fill the pouch, lose all of it, perhaps die" {
                gain gold 45
                lose gold 50
                pick {
                    when 0 7 { goto 3; }
                    else { death; }
                }
            }
        }
        section 2 { shop { buy rope 4; buy stone 7; }; goto 3; }
        section 3 {
            if "gold = 0" { goto 109; }
            else-if "gold < 3" { goto 106; }
            else { goto 101; }
        }"#,
    );
    let end = |gold: u8| match gold {
        0 => tenths(9),
        1 | 2 => tenths(6),
        _ => tenths(1),
    };
    let expected = picked(|r| {
        let gold = 10 + r;
        let bought = (0..=4).flat_map(|ropes| (0..=2).map(move |stones| 4 * ropes + 7 * stones));
        let shop = best(bought.filter(|cost| *cost <= gold).map(|cost| end(gold - cost)));
        let rich = if gold >= 18 { tenths(5) } else { Rational::ZERO };
        best([shop, rich, tenths(8) * tenths(9)])
    });
    check(&text, &expected);
}

/// The chance to come from `start` to `goal` before 0, with 4 chances in ten to win 1 and 6 to lose 1.
fn ruin(start: usize, goal: usize) -> Rational {
    let power = |exponent| (0..exponent).fold(Rational::ONE, |power, _| power * ratio(3, 2)) - Rational::ONE;
    power(start) / power(goal)
}

#[test]
fn gamblers_ruin() {
    let hero = "hero { combat-skill 15; endurance 20; gold 5; }";
    let game = "pick {
            when 0 3 { gain gold 1; }
            when 4 9 { lose gold 1; }
        }";
    let text = book(
        hero,
        &format!(
            r#"section 1 {{ repeat table {{
                if "gold = 0" {{ death; }}
                else-if "gold >= 12" {{ goto 99; }}
                {game}
                again table
            }}; }}"#
        ),
    );
    check(&text, &ruin(5, 12));
    // The same through two sections, where one may also stop with 8.
    let text = book(
        hero,
        &format!(
            r#"section 1 {{
                if "gold = 0" {{ death; }}
                else-if "gold >= 12" {{ goto 99; }}
                goto 2
            }}
            section 2 {{
                choice {{ {game}; goto 1; }}
                choice {{ require "gold >= 8"; goto 106; }}
            }}"#
        ),
    );
    check(&text, &(ruin(5, 8) * tenths(6)));
}

/// In a game against the odds bold play is best: stake all, or as much as is missing (Dubins and Savage).
#[test]
fn bold_play() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 3; }",
        r#"section 1 { repeat table {
            if "gold >= 10" { goto 99; }
            choice "stake {s}" each=s from=1 to="min(gold, 10 - gold)" {
                lose gold s
                pick {
                    when 0 3 { gain gold "2 * s"; }
                    when 4 9 { }
                }
                again table
            }
        }; }"#,
    );
    // v2 = 4/10 v4, v4 = 4/10 v8, v8 = 4/10 + 6/10 v6, v6 = 4/10 + 6/10 v2, v3 = 4/10 v6.
    let v8 = ratio(64, 100) / (Rational::ONE - ratio(576, 10_000));
    let v6 = ratio(4, 10) + ratio(96, 1000) * v8;
    check(&text, &(ratio(4, 10) * v6));
}

#[test]
fn armour_and_healing_at_the_maximum() {
    let text = book(
        "hero { combat-skill 15; endurance 20; }
        items { special chainmail endurance=4; special helmet endurance=2; }",
        r#"section 1 {
            pick as=r { }
            endurance "-r"
            goto 2
        }
        section 2 {
            choice "rest first" { endurance 6; take { chainmail; helmet; }; goto 3; }
            choice "dress first" { take { chainmail; helmet; }; endurance 6; goto 3; }
            choice "a short rest" { endurance half; gain chainmail; goto 3; }
        }
        section 3 {
            pick {
                when 0 3 { lose chainmail; endurance -2; }
                when 4 6 { endurance full; lose-all special; }
                else { endurance -8; endurance half; }
            }
            goto 4
        }
        section 4 {
            if "endurance >= 23" { goto 108; }
            else-if "endurance >= 19" { goto 105; }
            else-if "max-endurance - endurance <= 4" { goto 103; }
            else-if "endurance > 12" { goto 102; }
            else { goto 101; }
        }"#,
    );
    let most = |chainmail: bool, helmet: bool| 20 + if chainmail { 4 } else { 0 } + if helmet { 2 } else { 0 };
    let end = |endurance: i32, most: i32| {
        tenths(match endurance {
            23.. => 8,
            19.. => 5,
            _ if most - endurance <= 4 => 3,
            13.. => 2,
            _ => 1,
        })
    };
    let third = |endurance: i32, chainmail: bool, helmet: bool| {
        let full = most(chainmail, helmet);
        let robbed = end(endurance.min(most(false, helmet)) - 2, most(false, helmet));
        let stripped = end(20, 20);
        let wounded = endurance - 8;
        let wounded = end(wounded + (full - wounded) / 2, full);
        robbed * tenths(4) + stripped * tenths(3) + wounded * tenths(3)
    };
    let expected = picked(|r| {
        let endurance = 20 - i32::from(r);
        let dressed = [(false, false), (false, true), (true, false), (true, true)];
        best(dressed.into_iter().flat_map(|(chainmail, helmet)| {
            let more = most(chainmail, helmet) - 20;
            let rest_first = third((endurance + 6).min(20) + more, chainmail, helmet);
            let dress_first = third((endurance + more + 6).min(20 + more), chainmail, helmet);
            [rest_first, dress_first, third(endurance + (20 - endurance) / 2 + 4, true, false)]
        }))
    });
    check(&text, &expected);
}

/// Herbs may be used on entering a section, and eaten; potions after fights only.
#[test]
fn herbs_potions_and_food() {
    let text = book(
        "hero { combat-skill 15; endurance 20; items laumspur=2 potion meal sword; }
        items {
            weapon sword
            backpack-item meal food=#true
            backpack-item laumspur food=#true heals=3 when=on-entering
            backpack-item potion heals=4 when=after-combat
        }",
        r#"section 1 { pick as=r { }; endurance "-(r + r)"; goto 2; }
        section 2 { pick { when 0 4 { goto 3; }; else { goto 4; }; }; }
        section 3 { eat; goto 5; }
        section 4 { endurance -9; eat hunting=#false; goto 5; }
        section 5 {
            choice { require "has laumspur"; lose laumspur 1; goto 6; }
            choice { eat; goto 7; }
        }
        section 6 { if "endurance >= 18" { goto 108; }; else-if "endurance >= 9" { goto 105; }; else { goto 101; }; }
        section 7 {
            fight "Wolf" skill=17 endurance=4
            if "endurance >= 14" { goto 109; }; else-if "endurance >= 11" { goto 104; }; else { goto 101; }
        }"#,
    );
    check(&text, &Herbs { endurance: 20, laumspur: 2, potion: 1, meals: 1 }.section(1));
}

#[derive(Clone, Copy)]
struct Herbs {
    endurance: i32,
    laumspur: u8,
    potion: u8,
    meals: u8,
}

impl Herbs {
    fn lose(self, points: i32) -> Option<Self> {
        (self.endurance > points).then(|| Self { endurance: self.endurance - points, ..self })
    }

    /// After using herbs, and potions if it may be.
    fn used(self, potions: bool) -> Vec<Self> {
        let mut ways = Vec::new();
        for herbs in 0..=self.laumspur {
            for drunk in 0..=if potions { self.potion } else { 0 } {
                let endurance = (self.endurance + 3 * i32::from(herbs) + 4 * i32::from(drunk)).min(20);
                let (laumspur, potion) = (self.laumspur - herbs, self.potion - drunk);
                ways.push(Self { endurance, laumspur, potion, ..self });
            }
        }
        ways
    }

    fn eat(self, then: impl Fn(Self) -> Rational) -> Rational {
        let hungry = self.lose(3).map(&then);
        let meal = (self.meals > 0).then(|| then(Self { meals: self.meals - 1, ..self }));
        let herb = (self.laumspur > 0)
            .then(|| then(Self { laumspur: self.laumspur - 1, endurance: (self.endurance + 3).min(20), ..self }));
        best([hungry, meal, herb].into_iter().flatten())
    }

    fn section(self, section: u8) -> Rational {
        best(self.used(false).into_iter().map(|now| match section {
            1 => picked(|r| now.lose(2 * i32::from(r)).map_or(Rational::ZERO, |next| next.section(2))),
            2 => tenths(5) * now.section(3) + tenths(5) * now.section(4),
            3 => now.eat(|next| next.section(5)),
            4 => now.lose(9).map_or(Rational::ZERO, |next| next.eat(|next| next.section(5))),
            5 => {
                let gives = (now.laumspur > 0).then(|| Self { laumspur: now.laumspur - 1, ..now }.section(6));
                best(gives.into_iter().chain([now.eat(|next| next.section(7))]))
            }
            6 => tenths(if now.endurance >= 18 {
                8
            } else if now.endurance >= 9 {
                5
            } else {
                1
            }),
            _ => {
                let wolf = Duel { ratio: 15 - 17, foes: vec![4], ..Duel::default() };
                wolf.value(now.endurance, &|how, endurance, _, _| {
                    if how == How::Dead {
                        return Rational::ZERO;
                    }
                    best(Self { endurance, ..now }.used(true).into_iter().map(|after| {
                        tenths(if after.endurance >= 14 {
                            9
                        } else if after.endurance >= 11 {
                            4
                        } else {
                            1
                        })
                    }))
                })
            }
        }))
    }
}

/// A hunter needs no food, except where there is nothing to hunt; healers get 1 back for sections without a fight.
#[test]
fn hunting_and_healing() {
    let text = book(
        "hero { combat-skill 15; endurance 20; disciplines hunting healing; items sword; }
        items { weapon sword; }",
        r#"section 1 { endurance -6; eat; goto 2; }
        section 2 { eat hunting=#false; goto 3; }
        section 3 { fight "Rat" skill=10 endurance=3; goto 4; }
        section 4 {
            pick { when 0 2 { goto 5; }; else { fight "Cat" skill=12 endurance=3; goto 5; }; }
        }
        section 5 { if "endurance >= 14" { goto 108; }; else-if "endurance >= 13" { goto 105; }; else { goto 101; }; }"#,
    );
    let end = |endurance| {
        tenths(if endurance >= 14 {
            8
        } else if endurance >= 13 {
            5
        } else {
            1
        })
    };
    // 20 - 6 + 1 - 3 + 1
    let rat = Duel { ratio: 5, foes: vec![3], ..Duel::default() };
    let cat = Duel { ratio: 3, foes: vec![3], ..Duel::default() };
    let expected = rat.value(13, &|how, endurance, _, _| {
        if how == How::Dead {
            return Rational::ZERO;
        }
        let scratched =
            cat.value(endurance, &|how, after, _, _| if how == How::Dead { Rational::ZERO } else { end(after) });
        end((endurance + 1).min(20)) * tenths(3) + scratched * tenths(7)
    });
    check(&text, &expected);
}

/// In section 3 of a book with poison, with the doses taken when the section was entered.
fn in_the_third(endurance: i32, poisoned: bool, doses: u8) -> Rational {
    if endurance <= 0 {
        return Rational::ZERO;
    }
    let enter = |endurance: i32, poisoned: bool, doses: u8| {
        let endurance = if poisoned { endurance - 3 } else { endurance };
        if doses > 1 { (endurance, false, 0) } else { (endurance, poisoned, doses) }
    };
    let fourth = {
        let (endurance, poisoned, doses) = enter(endurance, poisoned, doses);
        if endurance <= 0 {
            Rational::ZERO
        } else if !poisoned {
            tenths(if endurance > 18 { 3 } else { 7 })
        } else {
            let (endurance, ..) = enter(endurance, poisoned, doses);
            if endurance <= 0 { Rational::ZERO } else { tenths(if endurance >= 12 { 9 } else { 1 }) }
        }
    };
    let (next, still, taken) = enter(endurance, poisoned, (doses + 1).min(2));
    // Who is not poisoned changes no more: he stays until he goes.
    let again = if poisoned { in_the_third(next, still, taken) } else { fourth.clone() };
    again * tenths(2) + fourth * tenths(8)
}

#[test]
fn poison_on_entering() {
    let text = book(
        "hero { combat-skill 15; endurance 20; }
        flags poisoned
        counter doses max=2
        on-enter {
            if \"poisoned\" { endurance -3; }
            if \"doses > 1\" { clear poisoned; set doses 0; }
        }",
        r#"section 1 { pick { when 0 2 { }; else { set poisoned; }; }; goto 2; }
        section 2 {
            choice "the long way" { goto 3; }
            choice "the short way" { pick { when 0 4 { goto 5; }; else { death; }; }; }
        }
        section 3 { pick { when 0 1 { set doses "doses + 1"; goto 3; }; else { goto 4; }; }; }
        section 4 { if "not poisoned and endurance > 18" { goto 103; }; else-if "poisoned" { goto 5; }; else { goto 107; }; }
        section 5 { if "endurance >= 12" { goto 109; }; else { goto 101; }; }"#,
    );
    // The start is not entered. Poisoned: 17 in section 2, 14 in 3 or 5.
    let healthy = best([in_the_third(20, false, 0), tenths(5) * tenths(9)]);
    let ill = best([in_the_third(14, true, 0), tenths(5) * tenths(9)]);
    check(&text, &(healthy * tenths(3) + ill * tenths(7)));
}

/// The weaker of two weapons is asked for, or wanted, later; a third must be refused or another dropped.
#[test]
fn the_weaker_weapon_must_be_kept() {
    let text = book(
        "hero { combat-skill 15; endurance 20; disciplines weaponskill=sword; items axe mace; }
        items { weapon axe; weapon mace; weapon sword; weapon magic-sword bonus=1 { as sword; }; }",
        r#"section 1 { take { sword; magic-sword; }; goto 2; }
        section 2 {
            fight "Guard" skill=16 endurance=9
            pick {
                when 0 1 { if "has axe" { goto 108; }; }
                when 2 3 { if "has mace" { goto 107; }; }
                when 4 { if "has axe and has mace" { goto 109; }; }
                when 5 { if "weapons < 2" { goto 109; }; }
                else { shop { sell axe 5; sell sword 8; }; if "gold >= 8" { goto 106; }; else-if "gold >= 5" { goto 105; }; }
            }
            fight "Captain" skill=17 endurance=6
            goto 103
        }"#,
    );
    // Axe, mace, sword, magic sword: which two (or fewer) he goes on with.
    let bonus = [0, 0, 2, 3];
    let fight = |skill: i32, foe: u8, endurance: i32, own: &[usize], then: &dyn Fn(i32) -> Rational| {
        let arms: Vec<i32> = if own.is_empty() { vec![-4] } else { own.iter().map(|weapon| bonus[*weapon]).collect() };
        best(arms.into_iter().map(|arm| {
            let duel = Duel { ratio: 15 + arm - skill, foes: vec![foe], ..Duel::default() };
            duel.value(endurance, &|how, after, _, _| if how == How::Dead { Rational::ZERO } else { then(after) })
        }))
    };
    let expected = best((0..16u8).filter(|own| own.count_ones() <= 2).map(|own| {
        let own: Vec<usize> = (0..4).filter(|weapon| own & 1 << weapon != 0).collect();
        let has = |weapon: usize| own.contains(&weapon);
        fight(16, 9, 20, &own, &|endurance| {
            let captain = || fight(17, 6, endurance, &own, &|_| tenths(3));
            let shop = if has(2) || has(0) {
                // Selling less than all would be no better.
                tenths(if has(2) { 6 } else { 5 })
            } else {
                captain()
            };
            let keeps = if has(0) || has(2) {
                // He need not sell.
                best([shop, captain()])
            } else {
                shop
            };
            picked(|pick| match pick {
                0 | 1 if has(0) => tenths(8),
                2 | 3 if has(1) => tenths(7),
                4 if has(0) && has(1) => tenths(9),
                5 if own.len() < 2 => tenths(9),
                6.. => keeps.clone(),
                _ => captain(),
            })
        })
    }));
    check(&text, &expected);
}

#[test]
fn two_of_what_lies_there() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 49; items meal=6; }
        items { backpack-item meal food=#true; backpack-item rope; special key; }",
        r#"section 1 {
            pick as=r { }
            take at-most=2 { meal 2; rope; key; gold "min(r, 5)"; }
            goto 2
        }
        section 2 {
            pick {
                when 0 2 { if "has key" { goto 108; }; }
                when 3 4 { if "has rope" { goto 109; }; }
                when 5 { if "gold >= 50" { goto 106; }; }
                when 6 { if "meal >= 8" { goto 109; }; }
                else { if "backpack-room >= 2" { goto 107; }; else-if "backpack-room >= 1" { goto 105; }; }
            }
            goto 102
        }"#,
    );
    let expected = picked(|r| {
        let mut ways = Vec::new();
        for (meals, ropes, keys, coins) in (0..54).map(|n| (n % 3, n / 3 % 2, n / 6 % 2, n / 12)) {
            // More coins than one change nothing.
            if meals + ropes + keys + coins > 2 || coins > r.min(1) {
                continue;
            }
            // While a rope may be taken, meals may be dropped.
            for dropped in 0..=if meals < 2 { 6 + meals } else { 0 } {
                let room = 8 - (6 + meals - dropped + ropes);
                ways.push(picked(|pick| {
                    tenths(match pick {
                        0..=2 if keys > 0 => 8,
                        3 | 4 if ropes > 0 => 9,
                        5 if coins > 0 => 6,
                        6 if meals == 2 => 9,
                        7.. if room >= 2 => 7,
                        7.. if room >= 1 => 5,
                        _ => 2,
                    })
                }));
            }
        }
        best(ways)
    });
    check(&text, &expected);
}

/// Every way to take some of these by chance, one after another.
fn scatter(counts: [u8; 3], left: u8, found: &mut dyn FnMut([u8; 3], Rational), chance: Rational) {
    let all: u8 = counts.iter().sum();
    if left == 0 || all == 0 {
        return found(counts, chance);
    }
    for kind in 0..3 {
        if counts[kind] > 0 {
            let mut less = counts;
            less[kind] -= 1;
            scatter(less, left - 1, found, chance.clone() * ratio(counts[kind].into(), all.into()));
        }
    }
}

/// What the hero keeps of four meals, three ropes and a stone when two are lost.
#[test]
fn giving_up() {
    let head = "hero { combat-skill 15; endurance 20; items meal=4 rope=3 stone axe sword; }
        items { weapon axe; weapon sword; backpack-item meal food=#true; backpack-item rope; backpack-item stone; }";
    let after = r#"section 2 {
            pick {
                when 0 3 { if "meal >= 3" { goto 108; }; }
                when 4 6 { if "rope >= 2" { goto 107; }; }
                when 7 8 { if "has stone" { goto 109; }; }
                else { if "has axe" { goto 106; }; else-if "has sword" { goto 105; }; }
            }
            goto 101
        }"#;
    let end = |counts: [u8; 3], axe: bool, sword: bool| {
        picked(|pick| {
            tenths(match pick {
                0..=3 if counts[0] >= 3 => 8,
                4..=6 if counts[1] >= 2 => 7,
                7 | 8 if counts[2] >= 1 => 9,
                9 if axe => 6,
                9 if sword => 5,
                _ => 1,
            })
        })
    };
    for count in [1u8, 2, 5, 9] {
        let (mut mean, mut most) = (Rational::ZERO, Rational::ZERO);
        let mut add = |counts, chance: Rational| {
            let worth = end(counts, false, true);
            mean += worth.clone() * chance;
            most = most.clone().max(best([end(counts, true, false), worth]));
        };
        scatter([4, 3, 1], count, &mut add, Rational::ONE);
        let chance = format!(
            "section 1 {{ lose axe; give-up backpack-items {count} by=chance; give-up weapons 1 by=chance; gain sword; goto 2; }}"
        );
        check(&book(head, &format!("{chance}\n{after}")), &mean);
        let player = format!("section 1 {{ give-up backpack-items {count}; give-up weapons 1; goto 2; }}");
        check(&book(head, &format!("{player}\n{after}")), &most);
    }
}

/// Three places, and then none: what is kept, what is dropped for something new, what is lost with the backpack.
#[test]
fn a_full_backpack_and_a_lost_one() {
    let head = "hero { combat-skill 15; endurance 20; items meal=2 rope backpack; }
        items {
            backpack-item meal food=#true
            backpack-item rope
            backpack-item torch
            container backpack holds=3
        }";
    let text = book(
        head,
        r#"section 1 {
            take { torch 2; }
            choice { goto 2; }
            choice { lose backpack; goto 3; }
        }
        section 2 {
            pick {
                when 0 2 { if "torch >= 2" { goto 108; }; }
                when 3 4 { if "torch >= 1 and has rope" { goto 109; }; }
                when 5 6 { if "meal >= 2" { goto 107; }; }
                when 7 { if "backpack-items <= 1" { goto 109; }; }
                else { lose-all container; take { torch; }; if "has torch" { goto 99; }; gain backpack; take { torch; }
                       if "has torch and not has meal" { goto 104; }; }
            }
            eat
            if "endurance >= 20" { goto 106; }; else { goto 101; }
        }
        section 3 { take { meal; rope; }; if "has meal or has rope" { goto 99; }; gain backpack; take { meal; }; goto 2; }"#,
    );
    let second = |meals: u8, ropes: u8, torches: u8| {
        picked(|pick| {
            tenths(match pick {
                0..=2 if torches >= 2 => 8,
                3 | 4 if torches >= 1 && ropes >= 1 => 9,
                5 | 6 if meals >= 2 => 7,
                7 if meals + ropes + torches <= 1 => 9,
                8.. => 4,
                _ if meals > 0 => 6,
                _ => 1,
            })
        })
    };
    let mut ways = vec![second(1, 0, 0), second(0, 0, 0)];
    for (meals, ropes, torches) in (0..18).map(|n| (n % 3, n / 3 % 2, n / 6)) {
        if meals + ropes + torches <= 3 {
            ways.push(second(meals, ropes, torches));
        }
    }
    check(&text, &best(ways));
}

#[test]
fn flags_counters_and_numbers_to_choose() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 9; }
        flags left right
        counter steps max=7",
        r#"section 1 {
            choice "left" { set left; set steps 3; goto 2; }
            choice "right" { set right; set steps "gold - 4"; goto 2; }
            choice "both" { set left; set right; clear left; set steps 9; goto 2; }
        }
        section 2 {
            choice "walk {n}" each=n from=0 to="min(steps, 4)" {
                set steps "steps - n"
                pick as=r {
                    when 0 4 { set steps "steps + n"; }
                    else { endurance "-(r * n)"; }
                }
                if "n > 2 and r < 3" { set left; }
                if "steps = 7" { clear right; }
                goto 3
            }
            choice { require "never"; goto 99; }
        }
        section 3 {
            if "left and right" { goto 109; }
            else-if "left or steps < 2" { if "endurance > 5" { goto 106; }; else { goto 103; }; }
            else-if "endurance * 2 >= steps * 5 + 4" { goto 105; }
            else { goto 101; }
        }"#,
    );
    let third = |left: bool, right: bool, steps: i32, endurance: i32| {
        tenths(if left && right {
            9
        } else if left || steps < 2 {
            if endurance > 5 { 6 } else { 3 }
        } else if endurance * 2 >= steps * 5 + 4 {
            5
        } else {
            1
        })
    };
    let second = |left: bool, right: bool, steps: i32| {
        best((0..=steps.min(4)).map(|n| {
            picked(|r| {
                let r = i32::from(r);
                let mut after = (steps - n).clamp(0, 7);
                let mut endurance = 20;
                if r <= 4 {
                    after = (after + n).clamp(0, 7);
                } else {
                    endurance -= r * n;
                }
                if endurance <= 0 {
                    return Rational::ZERO;
                }
                third(left || n > 2 && r < 3, right && after != 7, after, endurance)
            })
        }))
    };
    check(&text, &best([second(true, false, 3), second(false, true, 5), second(false, true, 7)]));
}

/// Sums of several picks, compared; both numbers are used afterwards.
#[test]
fn contests() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 20; disciplines sixth-sense; }",
        r#"section 1 {
            pick mine=2 first=1 second=1 {
                when "mine > first + 9 and mine > second + 9" { goto 109; }
                when "first = second" { goto 103; }
                else { gain gold "first - second"; }
            }
            goto 2
        }
        section 2 {
            pick mine=1 other=1 {
                else {
                    gain gold "mine * 2"
                    lose gold "other"
                    pick as=total count=2 zero-is=10 {
                        plus -3 if="discipline sixth-sense"
                        plus 5 if="gold >= 25"
                        when -1 11 { if "total + mine > other" { goto 107; }; else { goto 105; }; }
                        when 12 25 { goto 102; }
                    }
                }
            }
        }"#,
    );
    let second = |gold: i32| {
        let mut sum = Rational::ZERO;
        for n in 0..10_000 {
            let (mine, other, third, fourth) = (n % 10, n / 10 % 10, n / 100 % 10 + 1, n / 1000 + 1);
            let gold = ((gold + mine * 2).min(50) - other).max(0);
            let total = third + fourth - 3 + if gold >= 25 { 5 } else { 0 };
            sum += tenths(match total {
                12.. => 2,
                _ if total + mine > other => 7,
                _ => 5,
            });
        }
        sum * ratio(1, 10_000)
    };
    let seconds: Vec<Rational> = (11..=29).map(second).collect();
    let mut expected = Rational::ZERO;
    for n in 0..10_000 {
        let (mine, first, second) = (n % 10 + n / 10 % 10, n / 100 % 10, n / 1000);
        expected += if mine > first + 9 && mine > second + 9 {
            tenths(9)
        } else if first == second {
            tenths(3)
        } else {
            seconds[usize::try_from(9 + first - second).unwrap()].clone()
        };
    }
    check(&text, &(expected * ratio(1, 10_000)));
}

#[test]
fn goals_in_the_middle() {
    let text = book(
        "hero { combat-skill 15; endurance 20; }",
        "section 1 { pick { when 0 3 { goto 2; }; else { goto 3; }; }; }
        section 2 { goto 4; }
        section 3 { pick { when 0 { goto 99; }; when 1 4 { goto 2; }; else { goto 4; }; }; }
        section 4 { choice { goto 1; }; choice { goto 102; }; }",
    );
    for (_, analyses) in all_analyses() {
        assert_eq!(value(&text, &[1], analyses).0, Rational::ONE);
        assert_eq!(value(&text, &[2, 3], analyses).0, Rational::ONE);
        assert_eq!(value(&text, &[99, 4], analyses).0, Rational::ONE);
        // Round and round until a 0 or 1 to 4 in section 3, or a 0 to 3 in section 1. With a 0 in section 3 the book
        // is won, but not what is asked for: v = 4/10 + 6/10 (4/10 + 5/10 v).
        assert_eq!(value(&text, &[2], analyses).0, ratio(32, 35));
        // Only through section 3: never giving up.
        assert_eq!(value(&text, &[99], analyses).0, Rational::ONE);
    }
}

/// Play that never ends is worth nothing, whether the player chooses so or cannot help it.
#[test]
fn going_round_for_ever() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 1; }",
        r#"section 1 { choice { goto 2; }; choice { pick { when 0 5 { goto 1; }; when 6 { goto 99; }; else { goto 3; }; }; }; }
        section 2 { choice { goto 1; }; choice { goto 101; }; }
        section 3 { repeat here { if "gold >= 1" { again here; }; goto 99; }; }"#,
    );
    check(&text, &ratio(1, 4));
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 1; }",
        "section 1 { goto 2; }
        section 2 { choice { goto 1; }; choice { gain gold 1; goto 1; }; choice { require \"gold > 50\"; goto 99; }; }",
    );
    check(&text, &Rational::ZERO);
}

/// Where no choice can be taken, or the text ends, the hero is stuck.
#[test]
fn being_stuck() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 1; }",
        r#"section 1 { pick { when 0 3 { goto 2; }; when 4 5 { goto 3; }; else { goto 103; }; }; }
        section 2 { choice { require "gold >= 2"; goto 99; }; choice { require "gold > 5"; goto 3; }; }
        section 3 { choice { require "gold > 1"; goto 99; }; }"#,
    );
    check(&text, &(tenths(4) * tenths(3)));
}

/// A fight as this file understands the rules, followed round by round.
#[derive(Clone, Default)]
struct Duel {
    ratio: i32,
    /// How much, and in how many first rounds.
    bonuses: Vec<(i32, u32)>,
    mindforce: u8,
    untouchable: u32,
    double: bool,
    /// The enemies' ENDURANCE.
    foes: Vec<u8>,
    evade: Option<u32>,
    stop: Option<u32>,
    first_wound: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Won,
    Dead,
    Left,
    Stopped,
    Wounded,
}

/// What an end is worth: how, ENDURANCE, rounds, whether the hero was wounded.
type Worth<'a> = &'a dyn Fn(How, i32, u32, bool) -> Rational;

/// Enemy, the hero's and the enemy's ENDURANCE, rounds fought, wounded.
type Moment = (usize, i32, i32, u32, bool);

impl Duel {
    fn value(&self, endurance: i32, worth: Worth<'_>) -> Rational {
        let known = RefCell::new(HashMap::new());
        self.at((0, endurance, self.foes[0].into(), 0, false), worth, &known)
    }

    fn at(&self, moment: Moment, worth: Worth<'_>, known: &RefCell<HashMap<Moment, Rational>>) -> Rational {
        if let Some(value) = known.borrow().get(&moment) {
            return value.clone();
        }
        let (enemy, hero, foe, before, wounded) = moment;
        let round = before + 1;
        let bonus: i32 = self.bonuses.iter().filter(|(_, rounds)| round <= *rounds).map(|(bonus, _)| bonus).sum();
        let losses = |pick: u8| {
            let points = |loss| if let Loss::Points(points) = loss { i32::from(points) } else { 1000 };
            let cell = CombatTable::standard().cell(self.ratio + bonus, pick);
            let hero = if round <= self.untouchable { 0 } else { points(cell.hero) + i32::from(self.mindforce) };
            (hero, points(cell.enemy) * if self.double { 2 } else { 1 })
        };
        let fight_on = picked(|pick| {
            let (hero_loss, foe_loss) = losses(pick);
            let (hero, foe, wounded) = (hero - hero_loss, foe - foe_loss, wounded || hero_loss > 0);
            let last = enemy + 1 == self.foes.len();
            if hero <= 0 {
                worth(How::Dead, 0, round, wounded)
            } else if foe <= 0 && last {
                worth(How::Won, hero, round, wounded)
            } else if self.first_wound && hero_loss > 0 {
                worth(How::Wounded, hero, round, wounded)
            } else if self.stop == Some(round) {
                worth(How::Stopped, hero, round, wounded)
            } else if foe <= 0 {
                self.at((enemy + 1, hero, self.foes[enemy + 1].into(), round, wounded), worth, known)
            } else {
                self.at((enemy, hero, foe, round, wounded), worth, known)
            }
        });
        let leave = self.evade.filter(|from| round >= *from).map(|_| {
            picked(|pick| {
                let (hero_loss, _) = losses(pick);
                let wounded = wounded || hero_loss > 0;
                let hero = hero - hero_loss;
                if hero <= 0 { worth(How::Dead, 0, round, wounded) } else { worth(How::Left, hero, round, wounded) }
            })
        });
        let value = best([fight_on].into_iter().chain(leave));
        known.borrow_mut().insert(moment, value.clone());
        value
    }
}

const FIGHTER: &str =
    "hero { combat-skill 15; endurance 20; disciplines mindblast weaponskill=spear; items axe shield; }
    items {
        weapon axe
        weapon spear
        weapon sun-sword bonus=3 doubles-undead=#true special=#true { as spear; }
        special shield combat-skill=2
    }";

/// What the ends of a fight are worth in section 2 (won), or by other ways.
const AFTER: &str = r#"section 2 {
        if "endurance >= 15" { goto 109; }
        else-if "endurance >= 8" { goto 106; }
        else { goto 103; }
    }"#;

fn after(endurance: i32) -> Rational {
    tenths(if endurance >= 15 {
        9
    } else if endurance >= 8 {
        6
    } else {
        3
    })
}

/// Section 1 of a book for [`FIGHTER`], and what it is worth.
fn check_fight(section: &str, duel: &Duel, worth: Worth<'_>) {
    check(&book(FIGHTER, &format!("section 1 {{\n{section}\n}}\n{AFTER}")), &duel.value(20, worth));
}

/// Won fights go to section 2, lost ones are death, and other ways have a worth of their own.
fn ends(other: impl Fn(How, i32, u32, bool) -> Rational) -> impl Fn(How, i32, u32, bool) -> Rational {
    move |how, endurance, rounds, wounded| match how {
        How::Won => after(endurance),
        How::Dead => Rational::ZERO,
        _ => other(how, endurance, rounds, wounded),
    }
}

#[test]
fn fights_to_the_end() {
    let end = ends(|_, _, _, _| unreachable!());
    // 15 and 2 for mindblast and 2 for the shield.
    let plain = |skill: i32, foes: &[u8]| Duel { ratio: 19 - skill, foes: foes.to_vec(), ..Duel::default() };
    check_fight(r#"fight "A" skill=18 endurance=25; goto 2"#, &plain(18, &[25]), &end);
    check_fight(r#"fight "A" skill=18 endurance=25 immune-to-mindblast=#true; goto 2"#, &plain(20, &[25]), &end);
    let two = r#"fight { enemy "A" skill=20 endurance=10; enemy "B" skill=20 endurance=8; }; goto 2"#;
    check_fight(two, &plain(20, &[10, 8]), &end);
    let bonuses = r#"fight "A" skill=20 endurance=20 {
        bonus 5 rounds=2
        bonus -2 rounds=1 if="has shield"
        bonus 7 if="has sun-sword"
        bonus -1
    }
    goto 2"#;
    check_fight(bonuses, &Duel { bonuses: vec![(5, 2), (-2, 1)], ..plain(21, &[20]) }, &end);
    let mind = |text: &str| format!("fight \"A\" skill=18 endurance=25 {{ {text}; }}; goto 2");
    check_fight(&mind("mindforce 2"), &Duel { mindforce: 2, ..plain(18, &[25]) }, &end);
    check_fight(&mind("bare-hands"), &plain(22, &[25]), &end);
    check_fight(&mind("only-weapon spear"), &plain(22, &[25]), &end);
    check_fight(&mind("only-weapon axe"), &plain(18, &[25]), &end);
    check_fight(&mind("double-damage"), &Duel { double: true, ..plain(18, &[25]) }, &end);
    check_fight(&mind("untouchable rounds=2"), &Duel { untouchable: 2, ..plain(18, &[25]) }, &end);
    check_fight(&mind("untouchable"), &Duel { untouchable: u32::MAX, ..plain(18, &[25]) }, &end);
    check_fight(
        &mind("untouchable rounds=1; mindforce 3; double-damage; bonus -6 rounds=2"),
        &Duel { untouchable: 1, mindforce: 3, double: true, bonuses: vec![(-6, 2)], ..plain(18, &[25]) },
        &end,
    );
    // The spear is better, and the sword against the undead better still.
    let sword = Duel { double: true, ..plain(18 - 5, &[40]) };
    check_fight(
        "gain sun-sword; take { spear; }; fight \"A\" skill=18 endurance=40 undead=#true; goto 2",
        &sword,
        &end,
    );
    let living = r#"gain sun-sword; fight "A" skill=18 endurance=40; goto 2"#;
    check_fight(living, &Duel { double: false, ..sword }, &end);
    check_fight(r#"take { spear; }; lose shield; fight "A" skill=18 endurance=25; goto 2"#, &plain(18, &[25]), &end);
}

#[test]
fn mindshield() {
    let fight = |text: &str| {
        let section = format!("section 1 {{ fight \"A\" skill=18 endurance=20 {{ {text}; }}; goto 2; }}");
        let hero = "hero { combat-skill 19; endurance 20; disciplines mindshield; }";
        book(hero, &format!("{section}\n{AFTER}"))
    };
    let end = ends(|_, _, _, _| unreachable!());
    let duel = Duel { ratio: 19 - 4 - 18, foes: vec![20], ..Duel::default() };
    check(&fight("mindforce 2"), &duel.value(20, &end));
    check(&fight("mindforce 2 always=#true"), &Duel { mindforce: 2, ..duel }.value(20, &end));
}

#[test]
fn fights_that_are_left() {
    let two = |parts: &str, after: &str| {
        format!("fight {{ enemy \"A\" skill=20 endurance=10; enemy \"B\" skill=20 endurance=14; {parts}; }}\n{after}")
    };
    let duel = Duel { ratio: -1, foes: vec![10, 14], ..Duel::default() };
    let worth = |n: u8| ends(move |_, endurance, _, _| if endurance >= 10 { tenths(n) } else { tenths(2) });
    let way =
        |name: &str, n: u8| format!("{name} {{ if \"endurance >= 10\" {{ goto 10{n}; }}; else {{ goto 102; }}; }}");
    check_fight(&two(&way("evade", 6), "goto 2"), &Duel { evade: Some(1), ..duel.clone() }, &worth(6));
    check_fight(&two(&way("evade from-round=3", 7), "goto 2"), &Duel { evade: Some(3), ..duel.clone() }, &worth(7));
    for after in [1, 2, 3, 5] {
        let stopped = Duel { stop: Some(after), ..duel.clone() };
        check_fight(&two(&way(&format!("stop after={after}"), 4), "goto 2"), &stopped, &worth(4));
    }
    let wounded = Duel { first_wound: true, ratio: 8, ..duel.clone() };
    check_fight(&two(&format!("bonus 9; {}", way("first-wound", 5)), "goto 2"), &wounded, &worth(5));
    let all = Duel { first_wound: true, stop: Some(4), evade: Some(2), untouchable: 2, mindforce: 1, ..duel.clone() };
    let parts = format!(
        "untouchable rounds=2; mindforce 1; {}; {}; {}",
        way("evade from-round=2", 4),
        way("stop after=4", 8),
        way("first-wound", 5)
    );
    let way_out = ends(|how, endurance, _, _| match how {
        _ if endurance < 10 => tenths(2),
        How::Left => tenths(4),
        How::Stopped => tenths(8),
        _ => tenths(5),
    });
    check_fight(&two(&parts, "goto 2"), &all, &way_out);
}

/// Rounds and wounds are remembered after the fight, however it ended.
#[test]
fn rounds_and_wounds() {
    let ask = r#"if "rounds <= 3 and not wounded" { goto 109; }
        else-if "rounds <= 3" { goto 105; }
        else-if "rounds = 5 or not wounded" { goto 107; }
        else-if "endurance > 9" { goto 103; }
        else { goto 101; }"#;
    let asked = |endurance: i32, rounds: u32, wounded: bool| {
        tenths(match rounds {
            ..=3 if !wounded => 9,
            ..=3 => 5,
            5 => 7,
            _ if !wounded => 7,
            _ if endurance > 9 => 3,
            _ => 1,
        })
    };
    let duel = Duel { ratio: 1, foes: vec![20], ..Duel::default() };
    let fight = |parts: &str| format!("fight \"A\" skill=18 endurance=20 {{ {parts}; }}");
    let lost = |left: i32| {
        move |how: How, endurance: i32, rounds: u32, wounded: bool| {
            if how == How::Dead {
                if left == 0 { Rational::ZERO } else { asked(left, rounds, wounded) }
            } else if left == 20 {
                // A mock fight.
                asked(20, rounds, wounded)
            } else {
                asked(endurance, rounds, wounded)
            }
        }
    };
    check_fight(
        &format!("{}\n{ask}", fight("untouchable rounds=1")),
        &Duel { untouchable: 1, ..duel.clone() },
        &lost(0),
    );
    check_fight(
        &format!("{}\n{ask}", fight(&format!("evade from-round=2 {{ {ask}; }}"))),
        &Duel { evade: Some(2), ..duel.clone() },
        &lost(0),
    );
    // A long fight against a strong enemy, which may be lost.
    let strong = Duel { ratio: -4, ..duel.clone() };
    let strong_fight = |parts: &str| format!("fight \"A\" skill=23 endurance=20 {{ {parts}; }}");
    check_fight(&format!("{}\n{ask}", strong_fight(&format!("defeat leaves=12 {{ {ask}; }}"))), &strong, &lost(12));
    check_fight(&format!("{}\n{ask}", strong_fight("mock { }")), &strong, &lost(20));
    let several = "fight { enemy \"A\" skill=19 endurance=8; enemy \"B\" skill=19 endurance=12; }";
    check_fight(&format!("{several}\n{ask}"), &Duel { ratio: 0, foes: vec![8, 12], ..duel }, &lost(0));
}

#[test]
fn mock_fights_and_defeats() {
    let duel = Duel { ratio: -3, foes: vec![10, 10], ..Duel::default() };
    let section = |parts: &str| {
        format!(
            "endurance -2; fight {{ enemy \"A\" skill=22 endurance=10; enemy \"B\" skill=22 endurance=10; {parts}; }}; goto 2"
        )
    };
    let value = |duel: &Duel, worth: Worth<'_>| duel.value(18, worth);
    let text = |parts: &str| book(FIGHTER, &format!("section 1 {{\n{}\n}}\n{AFTER}", section(parts)));
    // 18 again after the mock fight, won, lost or left.
    let mock = |how: How, _: i32, _: u32, _: bool| match how {
        How::Won => after(18),
        How::Dead => tenths(2),
        _ => tenths(5),
    };
    check(&text("mock { goto 102; }"), &value(&duel, &mock));
    let left = Duel { evade: Some(2), ..duel.clone() };
    let leaving = "mock { goto 102; }; evade from-round=2 { if \"endurance = 18\" { goto 105; }; }";
    check(&text(leaving), &value(&left, &mock));
    let defeat = |left: i32| {
        move |how: How, endurance: i32, _: u32, _: bool| match how {
            How::Won => after(endurance),
            How::Dead => tenths(if left > 3 { 4 } else { 2 }),
            _ => unreachable!(),
        }
    };
    let ask = "if \"endurance > 3\" { goto 104; }; goto 102;";
    check(&text(&format!("defeat leaves=1 {{ {ask} }}")), &value(&duel, &defeat(1)));
    check(&text(&format!("defeat leaves=4 {{ {ask} }}")), &value(&duel, &defeat(4)));
}

#[test]
fn a_lone_round() {
    let text = book(
        FIGHTER,
        &format!(
            r#"section 1 {{
            pick as=r {{ }}
            endurance "-(2 * r)"
            one-round "A" skill=20 endurance=25 {{
                bonus 1 rounds=1
                mindforce 1
                worse {{ goto 2; }}
                equal {{ if "wounded" {{ goto 105; }}; death; }}
                better {{ if "endurance > 1" {{ goto 107; }}; else {{ goto 99; }}; }}
            }}
        }}
        {AFTER}"#
        ),
    );
    let expected = picked(|r| {
        picked(|pick| {
            let cell = CombatTable::standard().cell(0, pick);
            let (Loss::Points(enemy), Loss::Points(hero)) = (cell.enemy, cell.hero) else { unreachable!() };
            let (enemy, hero) = (i32::from(enemy), i32::from(hero) + 1);
            let left = 20 - 2 * i32::from(r) - hero;
            match hero.cmp(&enemy) {
                _ if left <= 0 => Rational::ZERO,
                std::cmp::Ordering::Greater => after(left),
                std::cmp::Ordering::Equal => tenths(5),
                std::cmp::Ordering::Less if left > 1 => tenths(7),
                std::cmp::Ordering::Less => Rational::ONE,
            }
        })
    });
    check(&text, &expected);
}

/// A table in which half of the rounds change nothing, and fights that no hero can win.
#[test]
fn fights_without_end() {
    let table = |even: &str, odd: &str| {
        let row = |n: usize| format!("row {n} {}", format!("{:?} ", [even, odd][n % 2]).repeat(13));
        format!("combat-table {{\n{}\n}}", (0..10).map(row).collect::<Vec<_>>().join("\n"))
    };
    let hero = "hero { combat-skill 15; endurance 20; }";
    let section = "section 1 { fight \"A\" skill=15 endurance=3; goto 2; }";
    let slow = format!("{hero}\n{}", table("0/0", "1/7"));
    let wins = "section 2 { if \"endurance = 20\" { goto 99; }; goto 101; }";
    // Every second round costs both: 1 and 7, so he is dead after three rounds that count.
    check(&book(&slow, &format!("{section}\n{wins}")), &Rational::ZERO);
    let slow = format!("{hero}\n{}", table("1/0", "0/10"));
    // Three hits before two wounds: 0 or 1 wound among them. 1/8 without a wound, 3/16 with one.
    check(&book(&slow, &format!("{section}\n{wins}")), &(ratio(1, 8) + ratio(3, 16) * tenths(1)));
    let never = format!("{hero}\n{}", table("0/0", "0/0"));
    check(&book(&never, &format!("{section}\n{wins}")), &Rational::ZERO);
    let evade = "section 1 { fight \"A\" skill=15 endurance=3 { evade from-round=4 { goto 105; }; }; goto 2; }";
    check(&book(&never, &format!("{evade}\n{wins}")), &tenths(5));
}

/// A special item of which "so many" are lost, as many as a number says, perhaps none.
#[test]
fn losing_as_many_as_a_number_says() {
    let text = book(
        "hero { combat-skill 15; endurance 20; items key pack rope=2; }
        items { special key; container pack holds=3; backpack-item rope; }",
        r#"section 1 {
            pick { when 0 4 { }; else { gain gold 2; }; }
            lose key gold
            if "has key" { goto 103; }
            lose rope "gold - 1"
            lose pack "gold - 2"
            if "has pack and rope = 1" { goto 107; }; else { goto 101; }
        }"#,
    );
    check(&text, &(tenths(5) * tenths(3) + tenths(5) * tenths(7)));
}

/// Sales come before purchases: what was bought cannot be sold again in the same shop.
#[test]
fn sales_before_purchases() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 5; items axe; }
        items { weapon axe; weapon sword; special key; }",
        r#"section 1 {
            shop { buy sword 3; sell sword 8; sell axe 2; buy key 9 at-most=1; }
            if "has key" { goto 99; }
            else-if "gold >= 7" { goto 105; }
            else-if "weapons = 2 and gold = 2" { goto 103; }
            else { goto 101; }
        }"#,
    );
    check(&text, &tenths(5));
}

/// Each line of a shop has a stock of its own.
#[test]
fn a_shop_with_many_stocks() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let items = names.map(|name| format!("backpack-item {name}{name}")).join("; ");
    let lines = names.map(|name| format!("buy {name}{name} 1 at-most=1")).join("; ");
    let all = names.map(|name| format!("has {name}{name}")).join(" and ");
    let text = book(
        &format!("hero {{ combat-skill 15; endurance 20; gold 9; }}\nitems {{ {items} }}"),
        &format!(
            r#"section 1 {{
            shop {{ {lines} }}
            if "aa > 1" {{ goto 99; }}
            if "{all}" {{ goto 107; }}
            goto 101
        }}"#
        ),
    );
    check(&text, &tenths(7));
}

/// Who is not hurt may use a herb as well: it is gone, and there is room.
#[test]
fn herbs_may_be_wasted() {
    let text = book(
        "hero { combat-skill 15; endurance 20; items herb=2; }
        items { backpack-item herb heals=3 when=any-time; }",
        r#"section 1 { pick { when 0 2 { endurance -4; }; when 3 4 { endurance -1; }; else { }; }; goto 2; }
        section 2 { if "has herb and backpack-room > 6" { goto 104; }; if "backpack-room > 7" { goto 107; }; goto 102; }"#,
    );
    check(&text, &tenths(7));
}

/// Where something is offered, others of its kind may be dropped, whether there is room or not: to have nothing may
/// be better.
#[test]
fn dropping_what_is_a_burden() {
    let text = book(
        "hero { combat-skill 15; endurance 20; gold 3; items meal=2 rope sword axe; }
        items { weapon sword; weapon axe; backpack-item meal food=#true; backpack-item rope; }",
        r#"section 1 { pick { when 0 4 { take { rope; }; goto 2; }; when 5 7 { goto 2; }; else { shop { buy sword 3; }; goto 3; }; }; }
        section 2 { if "has meal" { goto 102; }; goto 108; }
        section 3 { fight "A" skill=19 endurance=10 { defeat leaves=1 { goto 109; }; }; goto 101; }"#,
    );
    let bare = Duel { ratio: 15 - 4 - 19, foes: vec![10], ..Duel::default() };
    let beaten = bare.value(20, &|how, _, _, _| tenths(if how == How::Dead { 9 } else { 1 }));
    check(&text, &(tenths(5) * tenths(8) + tenths(3) * tenths(2) + tenths(2) * beaten));
}

/// Buying what is good for nothing takes a place for it: one in the backpack, or one that something dropped makes.
#[test]
fn being_poor_takes_room() {
    let head = "gold 9; items sword=2 pack; }
        items { weapon sword; backpack-item rope; container pack holds=2; }";
    let poor = "if \"gold = 1\" { goto 108; }; if \"gold < 5\" { goto 106; }; goto 102; }";
    let check_shop = |before: &str, line: &str, expected| {
        let section = format!("section 1 {{ {before}; shop {{ {line}; }}; {poor}");
        check(&book(&format!("hero {{ combat-skill 15; endurance 20; {head}"), &section), &tenths(expected));
    };
    check_shop("lose gold 0", "buy rope 4", 8);
    check_shop("lose pack", "buy rope 4", 2);
    check_shop("lose gold 0", "buy sword 4", 8);
    check_shop("lose gold 0", "buy sword 4 at-most=1", 2);
    check_shop("lose pack", "buy pack 5; buy rope 8", 6);
}

/// A hero who is offered a weapon may throw away one of the same kind, as any other: bare hands are wounded sooner.
#[test]
fn a_weapon_is_dropped_for_one_like_it() {
    let text = |own: &str| {
        book(
            &format!("hero {{ combat-skill 15; endurance 20; items {own}; }}\nitems {{ weapon mace; weapon axe; }}"),
            "section 1 { gain mace; fight \"A\" skill=19 endurance=6 { first-wound { goto 103; }; }; goto 1; }",
        )
    };
    let (expected, _) = value(&text("axe"), &[99], Analyses::NONE);
    check(&text("axe"), &expected);
    check(&text("mace"), &expected);
}

/// A thief takes a weapon: which of those that do the same it is makes no difference, so it makes no states.
#[test]
fn a_weapon_that_is_given_up_is_as_good_as_one_like_it() {
    let text = |[first, second, third]: [&str; 3], thief: &str| {
        book(
            "hero { combat-skill 15; endurance 20; disciplines weaponskill=sword; items axe; }\n\
             items { weapon mace; weapon spear; weapon dagger; weapon axe; weapon sword; }",
            &format!(
                "section 1 {{ pick {{ when 0 3 {{ gain {first}; }}; when 4 6 {{ gain {second}; }}; when 7 8 {{ gain {third}; }}; \
                 when 9 {{ gain sword; }}; }}; goto 2; }}\n\
                 section 2 {{ pick {{ when 0 7 {{ {thief}; }}; else {{ }}; }}; goto 3; }}\n\
                 section 3 {{ fight \"A\" skill=19 endurance=6 {{ first-wound {{ goto 103; }}; }}; goto 107; }}"
            ),
        )
    };
    let (three, one) = (["mace", "spear", "dagger"], ["mace"; 3]);
    let (expected, _) = value(&text(three, "give-up weapons 2"), &[99], Analyses::NONE);
    check(&text(three, "give-up weapons 2"), &expected);
    // What three kinds of weapons cost where they are offered, with a thief and without.
    let cost = |thief: &str| {
        let states = |kinds| value(&text(kinds, thief), &[99], Analyses::default()).1;
        states(three) - states(one)
    };
    assert_eq!(cost("give-up weapons 2"), cost("endurance -1"));
}
