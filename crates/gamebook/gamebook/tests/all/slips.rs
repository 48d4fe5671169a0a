//! Ordinary mistakes: each is reported once, where it is, with what would be right.

use gamebook::{Problems, read};

const FIGHTING_FANTASY: &str = r#"book "B" format=1 system="fighting-fantasy"
start 1
"#;
const NONE: &str = r#"book "B" format=1 system="none"
start 1
"#;
const LONE_WOLF: &str = r#"book "B" format=1 rules="lone-wolf"
start 1
goal 2
hero { combat-skill 15; endurance 25; }
section 2 { victory; }
"#;

/// A head, what follows it, and what is reported: the line, what is wrong, what would be right.
const SLIPS: &[(&str, &str, &str)] = &[
    (
        NONE,
        r#"counter coins max=9
section 1 {
if "coins > 1" { coins -1; } coins 2
victory
}"#,
        "5: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; coins`, or begin a new line)",
    ),
    (
        NONE,
        r#"counter coins max=9
section 1 {
if "coins > 1" { coins -1; } else { coins 2; }
victory
}"#,
        "5: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; else`, or begin a new line)",
    ),
    (
        LONE_WOLF,
        r#"section 1 { if "gold > 1" { lose gold 1; } goto 2; }"#,
        "6: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; goto`, or begin a new line)",
    ),
    (
        NONE,
        "section 1 {
roll d6 { when 1 { death; } else { } }
victory
}",
        "4: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; else`, or begin a new line)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
test lucky { yes { } no { death; } }
victory
}",
        "4: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; no`, or begin a new line)",
    ),
    (
        NONE,
        r#"section 1 {
if "always" { }death
victory
}"#,
        "4: a `;` or a new line is missing after the `}` before this (a node ends with its line: write `; death`, or begin a new line)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight "Orc" skil=5 stamina=4
victory
}"#,
        "4: `fight` has no property `skil` (did you mean `skill`?)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight "Orc" skil=5 stamna=4
victory
}"#,
        "4: `fight` has no property `skil` (did you mean `skill`?)
4: `fight` has no property `stamna` (did you mean `stamina`?)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight { enemy "Orc" skil=5 stamina=4; }
victory
}"#,
        "4: `enemy` has no property `skil` (did you mean `skill`?)",
    ),
    (
        LONE_WOLF,
        r#"section 1 { fight "Orc" skil=5 endurance=4; goto 2; }"#,
        "6: `fight` has no property `skil` (did you mean `skill`?)",
    ),
    (
        LONE_WOLF,
        r#"section 1 { fight { enemy "Orc" combat-skill=5 endurance=4; }; goto 2; }"#,
        r#"6: `enemy` has no property `combat-skill` (write `enemy "Name" skill=15 endurance=20`)"#,
    ),
    (
        NONE,
        "section 1 { goto 43; }
section 34 { victory; }
section 4 { goto 34; }",
        "3: there is no section 43 (did you mean 34?)",
    ),
    (
        NONE,
        "counter gold max=9
section 1 {
gold +3
victory
}",
        "fine",
    ),
    (
        NONE,
        "counter gold max=9
section 1 {
gold + 3
victory
}",
        "5: `gold` wants one number, or an expression in quotes (write `gold 3`)",
    ),
    (
        NONE,
        "counter gold max=9
section 1 {
gold += 3
victory
}",
        "5: `gold` wants one number, or an expression in quotes (write `gold 3`)",
    ),
    (
        NONE,
        "counter gold max=9
section 1 {
gold=3
victory
}",
        "5: nothing is set by `=` (write `set gold 3`)",
    ),
    (LONE_WOLF, "section 1 { gold +3; goto 2; }", "6: `gold` means nothing here (write `gain gold 3`)"),
    (LONE_WOLF, "section 1 { gold -3; goto 2; }", "6: `gold` means nothing here (write `lose gold 3`)"),
    (
        NONE,
        "section 1 {
gold 3
victory
}",
        "4: `gold` means nothing here (declare it at the head of the file: `counter gold max=99` or `stat gold`)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
if "strenght > 3" { death; }
victory
}"#,
        "4: `strenght` is not the name of a number (declare it at the head of the file)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
stamina "0 - skil"
victory
}"#,
        "4: `skil` is not the name of a number (did you mean `skill`?)",
    ),
    (
        NONE,
        "section 1 {
roll 2d6 as=r
when 2 6 { death; }
when 7 12 { }
victory
}",
        "5: `when` means nothing here (it stands in the braces of a roll: `roll 2d6 as=r { when 2 6 { ... }; else { ... }; }`)
6: `when` means nothing here (it stands in the braces of a roll: `roll 2d6 as=r { when 2 6 { ... }; else { ... }; }`)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
if stamina <= 3 { death; }
victory
}",
        r#"4: a condition stands in quotes (write `if "stamina <= 3" { ... }`)"#,
    ),
    (
        FIGHTING_FANTASY,
        "item rope
section 1 {
if has rope { death; }
victory
}",
        r#"5: a condition stands in quotes (write `if "has rope" { ... }`)"#,
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
choice "a" { require luck > 3; }
victory
}"#,
        r#"4: a condition stands in quotes (write `require "luck > 3"`)"#,
    ),
    (
        NONE,
        r#"section 1 { test brave { yes { victory; }; no { death; }; }; }
stat nerve start=3
test fearless { use x; roll d6 as=r; yes "r < nerve"; }
define x { nerve 1; }
test brave { roll d6 as=r; yes "r < nerve"; }"#,
        "5: the block `x` is declared only after `fearless`, which uses it (what is used stands before what uses it; no two can use each other)",
    ),
    (
        NONE,
        "section 1 {
roll d6 { when 1 3 { }; when 3 6 { death; }; }
victory
}",
        "4: 3 belongs to an earlier case already (let cases not overlap)",
    ),
    (
        NONE,
        "section 1 {
roll 2d6 { when 2 5 { }; when 7 12 { death; }; }
victory
}",
        "4: no case for 6 (add it, or `else { ... }`)",
    ),
    (
        FIGHTING_FANTASY,
        r#"fight-system { on wonn { stamina 1; }; }
section 1 {
fight "Orc" skill=3 stamina=3
victory
}"#,
        "3: nothing called `wonn` happens in a round (did you mean `won`?)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
event won hit=2
victory
}",
        "4: this is not a round of a fight (`event` stands in a `round` of a `fight-system`)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
if "enemy.skill > 3" { death; }
victory
}"#,
        "4: there is no fight here (an enemy is there within a fight and what happens in it)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
enemy.stamina -2
victory
}",
        "4: there is no fight here (an enemy is there within a fight and what happens in it)",
    ),
    (
        NONE,
        "counter n max=3
define a { n 1; use a; }
section 1 {
use a
victory
}",
        "4: `a` uses itself (what happens again and again is a loop: `repeat NAME { ... }`)",
    ),
    (
        NONE,
        "counter n max=3
define a { n 1; use b; }
define b { use a; }
section 1 {
use a
victory
}",
        "4: the block `b` is declared only after `a`, which uses it (what is used stands before what uses it; no two can use each other)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
test lucky
yes { }
no { death; }
victory
}",
        "5: `yes` means nothing here (it stands in the braces of a test: `test lucky { yes { ... }; no { ... }; }`)
6: `no` means nothing here (it stands in the braces of a test: `test lucky { yes { ... }; no { ... }; }`)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
local run max=3
victory
}",
        "4: `local` means nothing here (it stands in the braces of a `fight`)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
pick { when 0 4 { death; }; else { }; }
victory
}",
        "4: `pick` means nothing here (that is Lone Wolf's: write `roll d10 { ... }`)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
endurance -3
victory
}",
        "4: `endurance` means nothing here (that is Lone Wolf's: declare `stat endurance vital=#true`)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
eat
victory
}",
        "4: `eat` means nothing here (that is Lone Wolf's: say what it does by `define eat { ... }` at the head, `use eat` here)",
    ),
    (
        LONE_WOLF,
        "section 1 { roll d6 { when 1 { death; }; else { goto 2; }; }; }",
        "6: `roll` means nothing here (numbers are picked: `pick { when 0 4 { ... }; else { ... }; }`)",
    ),
    (
        LONE_WOLF,
        "section 1 { stamina -3; goto 2; }",
        "6: `stamina` means nothing here (see docs/book-language.md for what a section can say)",
    ),
    (
        LONE_WOLF,
        "section 1 { let x 3; goto 2; }",
        "6: `let` means nothing here (only books with a system of rules of their own say this: see docs/systems.md)",
    ),
    (
        NONE,
        "section 1 {
roll 2d6 + 1 as=r
victory
}",
        r#"4: dice with spaces in them stand in quotes (write `roll "2d6 + 1"`)"#,
    ),
    (
        NONE,
        "section 1 {
roll two as=r
victory
}",
        r#"4: `two` are no dice (write dice like d6, 2d6, d100 or "2d6 + d10 - 1")"#,
    ),
    (
        NONE,
        "stat health=10
section 1 {
health -1
victory
}",
        r#"3: `stat` wants one argument, not 0 (write `stat stamina from="2d6 + 12" initial=#true vital=#true`)
3: `stat` has no property `health` (write `stat stamina from="2d6 + 12" initial=#true vital=#true`)"#,
    ),
    (
        NONE,
        "flags wet
section 1 {
wet
victory
}",
        "5: what becomes of `wet`? (write `set wet` or `clear wet`)",
    ),
    (
        NONE,
        r#"section 1 {
if "wet" { death; }
victory
}"#,
        "4: `wet` is not the name of a number (declare it at the head of the file)",
    ),
    (
        NONE,
        "stat health start=200
section 1 {
health -1
victory
}",
        "3: `start` is a whole number here, not `200` (0 to 99 are possible)",
    ),
    (
        NONE,
        "section 1 {
use trap
victory
}",
        "4: there is no block `trap` (write `define trap { ... }` at the head of the file)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
test luck { yes { }; no { }; }
victory
}",
        "4: there is no test `luck` (did you mean `lucky`?)",
    ),
    (
        NONE,
        r#"section 1 { choise "a" { goto 2; }; choice "b" { goto 2; }; }
section 2 { victory; }"#,
        "3: `choise` means nothing here (did you mean `choice`?)",
    ),
    (
        NONE,
        r#"counter c max=3
section 1 {
if "c > 1" { }
c 1
else { death; }
victory
}"#,
        "7: `else` without `if` before it (put it right after an `if`)",
    ),
    (
        NONE,
        r#"counter c max=3
section 1 {
if "c > 1" { }
else if "c > 2" { death; }
victory
}"#,
        r#"6: `else if` is one word (write `else-if "condition" { ... }`)"#,
    ),
    (
        NONE,
        r#"counter c max=3
section 1 {
if "c > 1" { }
elif "c > 2" { death; }
victory
}"#,
        r#"6: `elif` means nothing here (write `else-if "condition" { ... }`)"#,
    ),
    (
        NONE,
        "counter c max=3
section 1 {
set c = 3
victory
}",
        "5: `set` wants a name and a number, without `=` (write `set c 3`)",
    ),
    (
        NONE,
        "stat health vital=true
section 1 {
health -1
victory
}",
        "3: yes and no are written with a `#` (write #true)",
    ),
    (
        NONE,
        "section 1 {
again table
victory
}",
        "4: this stands in no loop `table` (put it into `repeat NAME { ... }`)",
    ),
    (
        NONE,
        "stat health start=3
section 1 {
health full
victory
}",
        "5: `health` has no initial value for `full` (only a stat with initial=#true has a value to come back to)",
    ),
    (
        NONE,
        r#"counter c max=3
section 1 {
c "c / 2"
victory
}"#,
        "5: how is this rounded? (write `down(a / b)` or `up(a / b)`)",
    ),
    (
        NONE,
        r#"section "Market" { victory; }
section 1 { goto Markt; }"#,
        "4: there is no section `Markt` (did you mean `Market`?)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight "Orc"
victory
}"#,
        r#"4: the enemy's `skill` is missing (write `fight "Name" skill=8 stamina=8`, or give `enemy-stat skill` a `start` in the system)"#,
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight "Orc" skill=500 stamina=4
victory
}"#,
        "4: `skill` is a whole number here, not `500` (0 to 99 are possible)",
    ),
    (
        FIGHTING_FANTASY,
        r#"section 1 {
fight "Orc", skill=5, stamina=4
victory
}"#,
        "4: a comma means nothing here (leave it out: spaces stand between arguments)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
on won { stamina 1; }
victory
}",
        "4: `on` means nothing here (it stands in the braces of a `fight`)",
    ),
    (
        NONE,
        "section 1 {
roll d% as=r
victory
}",
        r#"4: `d%` are no dice (write dice like d6, 2d6, d100 or "2d6 + d10 - 1")"#,
    ),
    (
        NONE,
        "counter coins max=9
section 1 {
coins 2 goto 2
}
section 2 { victory; }",
        "5: a `;` or a new line is missing before `goto` (a node ends with its line: write `; goto`, or begin a new line)",
    ),
    (
        NONE,
        r#"item-stat edge max=3
item-stat heals max=9
item salve heals=3
section 1 {
choice "use {item}" with=heals { lose item; if "item.heal > 1" { victory; }; }
if "carried.egde > 0" { victory; }
death
}"#,
        "7: `item.heal` is not the name of a number (did you mean `item.heals`?)\n\
         8: `carried.egde` is not the name of a number (did you mean `carried.edge`?)",
    ),
    (
        NONE,
        r#"item-stat edge max=3
skill mastery of=edge
item axe edge=1
enemy-stat life vital=#true
fight-system { wield edge; round { enemy.life "-1 - wielded.mastry"; }; }
section 1 { fight Rat life=2; victory; }"#,
        "7: `wielded.mastry` is not the name of a number (did you mean `wielded.mastery`?)",
    ),
    (
        FIGHTING_FANTASY,
        "section 1 {
fight { enemy A skill=5 stamina=4; enemy B skill=6 stamina=4; bonus 1; }
victory
}",
        "4: `bonus` means nothing in a fight (write it before the braces: `fight bonus=1 { ... }`)",
    ),
];

#[test]
fn ordinary_mistakes_are_reported_once_and_well() {
    for (head, text, expected) in SLIPS {
        let messages = match read(&format!("{head}{text}\n")) {
            Ok(_) => "fine".to_string(),
            Err(Problems(problems)) => {
                let text = format!("{head}{text}\n");
                let lines = problems.iter().map(|own| {
                    let help = own.help.as_deref().unwrap_or_default();
                    format!("{}: {} ({help})", own.position(&text).0, own.message)
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        };
        assert_eq!(messages, *expected, "{head}{text}");
    }
}

/// The mistake itself is marked, not what follows it.
#[test]
fn a_number_for_a_condition_is_marked() {
    let text = format!("{NONE}item lantern\nsection 1 {{ if \"lantern\" {{ victory; }}; death; }}\n");
    let Err(Problems(problems)) = read(&text) else { panic!("a number is no condition") };
    let marked: Vec<&str> = problems.iter().map(|own| &text[own.span.clone()]).collect();
    assert_eq!(marked, ["lantern"]);
}
