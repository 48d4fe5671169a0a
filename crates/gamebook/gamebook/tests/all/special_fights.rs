//! What is special in some fights and with some things: potions of strength, things that take more room, venom and
//! helpers, and rules that begin or end after some rounds.

use gamebook::Analyses;
use mdp::ratio;

use crate::values::{book, check, value};

const HEAD: &str = "hero { combat-skill 15; endurance 20; disciplines mindblast weaponskill=sword; items sword; }\n\
                    items { weapon sword; backpack-item meal food=#true; backpack-item rope; container pack holds=3; \
                    backpack-item chest places=2; backpack-item draught strengthens=3; }\nflags one two";

fn text(section: &str) -> String {
    book(HEAD, &format!("section 1 {{ gain pack; {section} }}"))
}

/// Both books are worth the same, whatever the analyses.
fn same(one: &str, other: &str) {
    let (expected, _) = value(&text(other), &[99], Analyses::NONE);
    check(&text(one), &expected);
}

/// How much of a thing there is makes a difference, so it does whether some of it can be thrown away.
#[test]
fn fewer_things_can_be_better() {
    same(
        "gain meal 2; take at-most=1 { rope; }; fight \"A\" skill=16 endurance=9 { bonus -2 if=\"meal >= 2\"; }; \
         pick { when 0 2 { goto 103; }; else { death; }; }",
        "fight \"A\" skill=16 endurance=9; pick { when 0 2 { goto 103; }; else { death; }; }",
    );
}

#[test]
fn what_strengthens_does_so_in_one_fight() {
    same(
        "gain draught; fight \"A\" skill=18 endurance=12; goto 103",
        "fight \"A\" skill=18 endurance=12 { bonus 3; }; goto 103",
    );
    // In one of two fights, whichever is better, and never twice.
    same(
        "gain draught; fight \"A\" skill=15 endurance=8; fight \"B\" skill=19 endurance=9; goto 103",
        "choice { set one; }; choice { set two; }; fight \"A\" skill=15 endurance=8 { bonus 3 if=one; }; \
         fight \"B\" skill=19 endurance=9 { bonus 3 if=two; }; goto 103",
    );
    same(
        "gain draught 2; one-round \"A\" skill=18 endurance=9 { worse { goto 103; }; equal { goto 105; }; better { goto 108; }; }",
        "one-round \"A\" skill=18 endurance=9 { bonus 3; worse { goto 103; }; equal { goto 105; }; better { goto 108; }; }",
    );
    same(
        "gain draught; fight \"A\" skill=18 endurance=12 { no-potions; }; goto 103",
        "fight \"A\" skill=18 endurance=12; goto 103",
    );
}

#[test]
fn what_takes_more_room() {
    check(&text("gain chest 2; if \"chest = 1 and backpack-room = 1\" { goto 99; }; death"), &ratio(1, 1));
    check(&text("gain rope 2; take { chest; }; if \"has chest and rope >= 2\" { goto 99; }; death"), &ratio(0, 1));
    check(&text("gain rope 2; take { chest; }; if \"has chest and has rope\" { goto 99; }; death"), &ratio(1, 1));
    check(&text("gain chest; give-up backpack-items 1; if \"backpack-room = 3\" { goto 99; }; death"), &ratio(1, 1));
    check(&text("gain gold 9; shop { buy chest 2; }; if \"chest = 1 and gold = 7\" { goto 99; }; death"), &ratio(1, 1));
}

#[test]
fn venom_and_helpers() {
    // The enemy falls in the first round, in which six of ten numbers are a wound.
    check(&text("fight \"A\" skill=0 endurance=1 { venom 1; }; goto 99"), &ratio(94, 100));
    check(&text("fight \"A\" skill=0 endurance=1 { venom 5; defeat { goto 99; }; }; death"), &ratio(30, 100));
    // He falls in the first round whatever is picked; two of ten numbers kill the hero.
    check(&text("fight \"A\" skill=40 endurance=3 { helper 3; }; goto 99"), &ratio(8, 10));
    // Doubled is only what the hero does.
    check(
        &text("fight \"A\" skill=40 endurance=4 { helper 3; double-damage; stop after=1 { death; }; }; goto 99"),
        &ratio(6, 10),
    );
}

#[test]
fn rules_that_hold_in_some_rounds() {
    // A sword in which he is skilled is worth 6 more than bare hands.
    same(
        "fight \"A\" skill=18 endurance=20 { bare-hands rounds=2; }; goto 103",
        "fight \"A\" skill=18 endurance=20 { bonus -6 rounds=2; }; goto 103",
    );
    let each: Vec<String> = (1..=9)
        .map(|rounds| {
            format!(
                "when {rounds} {{ fight \"A\" skill=15 endurance=20 {{ mindforce 2 after={rounds}; }}; goto 105; }}; "
            )
        })
        .collect();
    same(
        "pick as=r { plus -2; }; fight \"A\" skill=15 endurance=20 { mindforce 2 after=r; }; goto 105",
        &format!(
            "pick {{ plus -2; {} else {{ fight \"A\" skill=15 endurance=20 {{ mindforce 2; }}; goto 105; }}; }}",
            each.concat()
        ),
    );
    let late = "fight \"A\" skill=18 endurance=20 { mindforce 2 after=3; stop after=3 { goto 107; }; }; goto 103";
    same(late, &late.replace("mindforce 2 after=3; ", ""));
}

#[test]
fn rounds_in_which_he_only_parries() {
    // Nobody is beaten in the first round, though it would be the enemy's last; then it is.
    check(
        &text(
            "fight \"A\" skill=0 endurance=1 { only-parry rounds=1; untouchable; }; if \"rounds = 2\" { goto 99; }; death",
        ),
        &ratio(1, 1),
    );
    same(
        "fight \"A\" skill=17 endurance=12 { only-parry rounds=2; stop after=2 { goto 105; }; }; death",
        "fight \"A\" skill=17 endurance=100 { stop after=2 { goto 105; }; }; death",
    );
}

#[test]
fn half_of_a_loss_comes_back() {
    // 20 at first; a wound of 3 in the first round of ten, when 1 is picked, is one of 2.
    let lost = |parts: &str, ask: &str| {
        text(&format!("fight \"A\" skill=8 endurance=9 {{ {parts} }}; if \"{ask}\" {{ goto 99; }}; death"))
    };
    check(&lost("", "endurance = 17"), &ratio(1, 10));
    check(&lost("returns-half;", "endurance = 18"), &ratio(1, 10));
    check(&lost("returns-half; stop after=1 { goto 99; };", "endurance = 18"), &ratio(1, 10));
    // Who is beaten has half of what he had, but at least 1.
    let beaten = |before: i32, left: i32| {
        text(&format!(
            "endurance {}; fight \"A\" skill=99 endurance=150 {{ mindforce 50; defeat leaves=half {{ \
             if \"endurance = {left}\" {{ goto 99; }}; death; }}; }}; death",
            before - 20
        ))
    };
    check(&beaten(15, 7), &ratio(1, 1));
    check(&beaten(1, 1), &ratio(1, 1));
}

#[test]
fn a_number_that_leads_away() {
    let slips = "fight \"A\" skill=0 endurance=1 { slip 4 { goto 99; }; }; death";
    check(&text(slips), &ratio(1, 10));
    // Who is dead slips nowhere.
    check(&text("endurance -19; fight \"A\" skill=40 endurance=9 { slip 1 { goto 99; }; }; death"), &ratio(0, 1));
}

/// What heals can clear a flag, and is asked for before what the flag does on entering a section.
#[test]
fn what_cures() {
    let head = HEAD
        .replace("backpack-item rope", "backpack-item rope most=1; backpack-item herb heals=1 when=any-time cures=one");
    let poisoned = |start: &str| {
        let sections = format!(
            "on-enter {{ if one {{ endurance -9; }}; }}\nsection 1 {{ gain pack; set one; {start}; goto 2; }}\n\
             section 2 {{ goto 3; }}\nsection 3 {{ if \"endurance >= 10\" {{ goto 99; }}; death; }}"
        );
        book(&head, &sections)
    };
    check(&poisoned("gain herb"), &ratio(1, 1));
    check(&poisoned("gain meal"), &ratio(0, 1));
    check(&text("gain rope 3; if \"rope = 3\" { goto 99; }; death"), &ratio(1, 1));
    let ropes = book(&head, "section 1 { gain pack; gain rope 3; if \"rope = 1\" { goto 99; }; death; }");
    check(&ropes, &ratio(1, 1));
}

/// The Weaponskill in a weapon counts for those that are like it.
#[test]
fn skilled() {
    check(&text("if \"skilled sword\" { goto 99; }; death"), &ratio(1, 1));
    let other = HEAD.replace("weapon sword;", "weapon sword; weapon sabre { as sword; }; weapon axe;");
    let asked = |weapon: &str| book(&other, &format!("section 1 {{ if \"skilled {weapon}\" {{ goto 99; }}; death; }}"));
    check(&asked("sabre"), &ratio(1, 1));
    check(&asked("axe"), &ratio(0, 1));
}
