//! Books that look random, with nearly every node of the language.

mod nodes;

use budget::Budget;
use gamebook::{Book, Problem, ReadError, read_beside};

use crate::dice::Dice;

const HEAD: &str = r#"book "Random" format=1 system="RULES"
start 1
goal 10
items {
    weapon axe
    weapon mace
    weapon sword
    weapon lance bonus=2 special=#true doubles-undead=#true
    backpack-item meal food=#true
    backpack-item herb food=#true heals=3 when=HERB
    backpack-item potion heals=4 when=POTION
    backpack-item tonic strengthens=2
    backpack-item rope ROPES
    MORE
    special mail endurance=4
    special shield combat-skill=2
    special key
    CONTAINER
}
flags one two
reading weather fair foul
counter count max=3
"#;

const NAMES: [&str; 12] =
    ["axe", "mace", "sword", "lance", "meal", "herb", "potion", "tonic", "rope", "mail", "shield", "key"];

struct Author {
    dice: Dice,
    container: bool,
    /// An item that not every book has.
    rare: Option<&'static str>,
    section: u64,
    names: u64,
    /// The loops around what is written.
    loops: Vec<String>,
    /// The most numbers that a sum of a contest is made of.
    most_picks: u64,
}

impl Author {
    fn item(&mut self) -> String {
        if self.container && self.dice.below(12) == 0 {
            return "pack".into();
        }
        if let Some(rare) = self.rare.filter(|_| self.dice.below(6) == 0) {
            return rare.into();
        }
        self.dice.one_of(&NAMES).into()
    }

    fn condition(&mut self) -> String {
        let n = self.dice.below(24);
        match self.dice.below(13) {
            0 | 1 => format!("has {}", self.item()),
            2 => format!("gold {} {}", self.dice.one_of(&["<", ">=", "=", "!="]), n % 9),
            3 => format!("endurance {} {}", self.dice.one_of(&["<=", ">"]), n),
            4 => self.dice.one_of(&["one", "two", "not one", "not two"]).into(),
            5 => format!("count {} {}", self.dice.one_of(&["<", ">=", "="]), n % 4),
            6 => format!("{} >= {}", self.item(), 1 + n % 3),
            7 => format!("weapons {} {}", self.dice.one_of(&["=", "<"]), n % 3),
            8 => format!("backpack-room > {}", n % 4),
            9 => format!("max-endurance - endurance > {}", n % 8),
            10 => format!("not ({})", self.condition()),
            11 => format!("reading weather {}", self.dice.one_of(&["fair", "foul"])),
            _ => format!("({}) {} ({})", self.condition(), self.dice.one_of(&["and", "or"]), self.condition()),
        }
    }

    fn goto(&mut self) -> String {
        if !self.loops.is_empty() && self.dice.below(3) == 0 {
            return format!("again {}", self.loops[self.dice.place(self.loops.len())]);
        }
        match self.dice.below(16) {
            0 => "death".into(),
            2 => format!("goto {}", 1 + self.dice.below(8)),
            _ => format!("goto {}", (self.section + 1 + self.dice.below(2)).min(9)),
        }
    }

    fn block(&mut self, depth: u32) -> String {
        (0..=self.dice.below(2)).map(|_| self.node(depth)).collect()
    }

    fn leaving(&mut self, depth: u32) -> String {
        let block = if depth > 0 { self.block(depth - 1) } else { String::new() };
        format!("{block}{}\n", self.goto())
    }
}

/// Reads a random book, with the rules that it asks for.
pub fn read_random(text: &str) -> Result<(Book, Vec<Problem>), ReadError> {
    let beside = |name: &str| {
        let number = name.strip_prefix("kai-").and_then(|name| name.strip_suffix(".kdl")?.parse().ok());
        number.map(rules).ok_or_else(|| "there is none".into())
    };
    read_beside(text, &beside, &Budget::unlimited())
}

/// Rules like those of Lone Wolf with other numbers.
fn rules(number: u64) -> String {
    let mut dice = Dice(number.wrapping_mul(0x2545_F491_4F6C_DD1D));
    dice.below(2);
    let mut text = String::from("system \"random\" format=1 like=\"lone-wolf\"\n");
    let mut between = |least: i64, most: u64| least + i64::try_from(dice.below(most)).expect("small");
    let lines = [
        "combat-skill from=\"2d8 + 5\"".to_string(),
        format!("endurance from=\"d10 + {}\"", between(12, 8)),
        format!("gold most={}", between(9, 40)),
        format!("weapons most={}", between(2, 3)),
        format!("backpack most={}", between(3, 8)),
        format!("hunger endurance={}", between(-6, 7)),
        format!("unarmed combat-skill={}", between(-8, 13)),
        format!("discipline weaponskill combat-skill={}", between(-1, 6)),
        format!("discipline mindblast combat-skill={}", between(0, 6)),
        format!("discipline healing endurance={}", between(0, 4)),
    ];
    // What is left out is as in the books.
    for line in lines {
        if between(0, 3) > 0 {
            text.extend([line, "\n".into()]);
        }
    }
    if between(0, 3) == 0 {
        text.push_str("ranks novice doan aspirant\n");
    }
    if between(0, 2) == 0 {
        let mut loss = || match between(0, 15) {
            14 => "k".into(),
            points => points.to_string(),
        };
        let rows = (0..10).map(|row| {
            let cells: Vec<String> = (0..13).map(|_| format!("\"{}/{}\"", loss(), loss())).collect();
            format!("row {row} {}\n", cells.join(" "))
        });
        text.extend([format!("combat-table {{\n{}}}\n", rows.collect::<String>())]);
    }
    text
}

/// The book of a number.
pub fn random_book(seed: u64) -> String {
    book(seed, 2)
}

/// A book in which many numbers are picked at once: its fractions are large.
pub fn random_book_of_large_picks(seed: u64) -> String {
    book(seed, 12)
}

fn book(seed: u64, most_picks: u64) -> String {
    let dice = Dice::seeded(seed);
    let mut author = Author { dice, container: false, rare: None, section: 0, names: 0, loops: Vec::new(), most_picks };
    author.container = author.dice.below(2) == 0;
    let (container, pack) = if author.container { ("container pack holds=4", "pack") } else { ("", "") };
    // What makes more of a state stands in few books, so that enough of them are small.
    let (rare, more) =
        if author.dice.below(8) == 0 { (Some("chest"), "backpack-item chest places=2") } else { (None, "") };
    author.rare = rare;
    let disciplines =
        author.dice.one_of(&["mindblast", "healing", "hunting weaponskill=sword", "mindshield weaponskill=axe"]);
    let items = author.dice.one_of(&[
        "axe sword",
        "mace meal=2",
        "sword herb key tonic=2",
        "lance potion rope=2",
        "herb=2 mail",
        "shield",
    ]);
    let gold = author.dice.below(9);
    let herb = author.dice.one_of(&["any-time", "any-time cures=one", "on-entering"]);
    let potion = author.dice.one_of(&["after-combat", "since-combat", "since-combat cures=one"]);
    let before = author.dice.one_of(&[
        "",
        "",
        " before-fights=\"reading weather fair\"",
        " before-fights=\"reading weather foul\"",
    ]);
    let (herb, potion) = (format!("{herb}{before}"), format!("{potion}{before}"));
    let mut text =
        HEAD.replace("CONTAINER", container).replace("MORE", more).replace("HERB", &herb).replace("POTION", &potion);
    text = text.replace("ROPES", author.dice.one_of(&["", "most=2"]));
    // A third of them has rules of its own.
    if seed % 3 == 2 {
        text = text.replace("RULES", &format!("kai-{seed}.kdl"));
        if seed.is_multiple_of(2) {
            text = text.replace(" holds=4", "");
        }
    } else {
        text = text.replace("RULES", "lone-wolf");
    }
    text.extend([format!(
        "hero {{ combat-skill 15; endurance 20; disciplines {disciplines}; gold {gold}; items {items} {pack}; }}\n"
    )]);
    if author.dice.below(4) == 0 {
        let when = author.dice.one_of(&["one", "one", "\"one and not two\"", "\"not one or has key\""]);
        text.extend([format!("on-enter {{ if {when} {{ endurance -2; }}; }}\n")]);
    }
    for section in 1..=8 {
        (author.section, author.names) = (section, 0);
        let body = author.block(2);
        let body = format!("{body}{}", author.leaving(1));
        let potions = author.dice.one_of(&["", "", "", " no-potions=#true"]);
        text.extend([format!("section {section}{potions} {{\n{body}}}\n")]);
    }
    // What he has at the end says how good his chances are.
    text.push_str("section 9 {\n");
    for chance in [8, 6, 7, 4] {
        let condition = author.condition();
        text.extend([format!("if \"{condition}\" {{ pick {{ when 0 {chance} {{ goto 10; }}; else {{ }}; }}; }}\n")]);
    }
    text.push_str("pick { when 0 2 { goto 10; }; else { death; }; }\n}\nsection 10 { victory; }\n");
    text
}
