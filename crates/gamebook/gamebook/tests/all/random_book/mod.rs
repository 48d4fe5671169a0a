//! Books that look random, with nearly every node of the language.

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

    #[expect(clippy::too_many_lines, reason = "a list of all nodes")]
    fn node(&mut self, depth: u32) -> String {
        let n = 1 + self.dice.below(4);
        let item = self.item();
        let node = match self.dice.below(if depth > 0 { 30 } else { 15 }) {
            0 => format!("endurance -{}", n + 1),
            1 => format!("endurance {n}"),
            2 => format!("endurance {}", self.dice.one_of(&["full", "half", "\"gold - 4\""])),
            3 => format!("gain {item}"),
            4 => format!("gain gold {}", n * 2),
            5 => self.dice.one_of(&["lose gold 3", "lose gold all", "lose gold 1"]).into(),
            6 => format!("lose {item} {}", self.dice.one_of(&["1", "2", "all", "gold"])),
            7 => format!(
                "lose-all {}",
                self.dice.one_of(&[
                    "weapons",
                    "backpack-items",
                    "special",
                    "gold",
                    "special except=\"key mail\"",
                    "weapons except=axe",
                ])
            ),
            8 => format!(
                "give-up {} {n}{}",
                self.dice.one_of(&["weapons", "backpack-items"]),
                self.dice.one_of(&["", " by=chance"])
            ),
            9 => self.dice.one_of(&["set one", "set two", "clear one", "clear two"]).into(),
            10 => format!("set count {}", self.dice.one_of(&["2", "\"count + 1\"", "\"count - 1\"", "gold", "meal"])),
            11 => self.dice.one_of(&["eat", "eat hunting=#false", "eat optional=#true"]).into(),
            12 => {
                let other = self.item();
                let at_most = self.dice.one_of(&["", "", " at-most=1", " at-most=2"]);
                format!("take{at_most} {{ {item}; gold {n}; {other} {}; }}", self.dice.below(3))
            }
            13 => {
                let (other, third) = (self.item(), self.item());
                format!(
                    "shop {{ buy {item} {n}; sell {other} {}{}; buy {third} 2 at-most=1; }}",
                    self.dice.below(4),
                    self.dice.one_of(&["", " at-most=1"])
                )
            }
            14 => "pick { when 0 5 { }; else { endurance -4; }; }".into(),
            15 => {
                let (condition, yes, no) = (self.condition(), self.block(depth - 1), self.block(depth - 1));
                format!("if \"{condition}\" {{\n{yes}}} \nelse {{\n{no}}}")
            }
            16 => format!(
                "pick {{\nwhen 0 {n} {{\n{}}}\nelse {{\n{}}}\n}}",
                self.leaving(depth - 1),
                self.block(depth - 1)
            ),
            17 => {
                let condition = self.condition();
                let (first, second) = (self.leaving(depth - 1), self.block(depth - 1));
                format!("choice {{ require \"{condition}\"\n{first}}}\nchoice {{\n{second}}}")
            }
            18 => {
                self.names += 1;
                if self.names > 8 {
                    return String::new();
                }
                let name = format!("n{}", self.names);
                let then = self.block(depth - 1);
                match self.dice.below(3) {
                    0 => format!(
                        "pick as={name} {{ }}\nlose gold \"min({name}, 3)\"\n{then}if \"{name} > 6\" {{ gain gold {name}; }}"
                    ),
                    1 => format!(
                        "choice each={name} from=0 to=\"min(gold, 3)\" {{\nlose gold {name}\n{then}endurance {name}\n}}"
                    ),
                    _ => format!(
                        "choice each={name} from=1 to=3 {{\nendurance \"-{name}\"\n{then}gain gold \"2 * {name}\"\n}}"
                    ),
                }
            }
            19 => {
                // A name can be that of a loop within this one, too.
                let name = self.dice.one_of(&["r", "r", "s"]).to_string();
                self.loops.push(name.clone());
                let body = self.block(depth - 1);
                self.loops.pop();
                format!("repeat {name} {{\n{body}pick {{ when 0 3 {{ again {name}; }}; else {{ }}; }}\n}}")
            }
            20 => {
                let condition = self.condition();
                let (low, high) = (self.block(depth - 1), self.leaving(depth - 1));
                format!(
                    "pick count=2 {{\nplus {n} if=\"{condition}\"\nplus -2\nwhen -2 9 {{\n{low}}}\nelse {{\n{high}}}\n}}"
                )
            }
            21 => {
                self.names += 2;
                if self.names > 8 {
                    return String::new();
                }
                let (mine, other) = (format!("m{}", self.names), format!("o{}", self.names));
                let (less, same) = (self.leaving(depth - 1), self.block(depth - 1));
                format!(
                    "pick {mine}=1 {other}=1 {{\nwhen \"{mine} < {other}\" {{\n{less}}}\nwhen \"{mine} = {other}\" {{\n{same}}}\nelse {{ gain gold \"{mine} - {other}\"; if \"{mine} + gold > {other} + 6\" {{ endurance -2; }}; }}\n}}"
                )
            }
            22 => {
                let [worse, equal, better] = [(); 3].map(|()| self.block(depth - 1));
                format!(
                    "one-round \"A\" skill=15 endurance=9 {{\nworse {{\n{worse}}}\nequal {{\n{equal}}}\nbetter {{\n{better}}}\n}}"
                )
            }
            23 => self.large_contest(depth),
            24 => self.nested_choices(depth),
            25 => {
                let discipline =
                    self.dice.one_of(&["discipline healing", "skilled sword", "rank novice", "rank aspirant"]);
                let (yes, no) = (self.leaving(depth - 1), self.block(depth - 1));
                let condition = self.condition();
                format!("if \"{discipline}\" {{\n{no}}}\nelse-if \"{condition}\" {{\n{yes}}}\nelse {{\n{no}}}")
            }
            26 => format!("if \"{}\" {{ victory; }}", self.condition()),
            _ => self.fight(depth),
        };
        format!("{node}\n")
    }

    /// A pick of many numbers: its weights are large.
    fn large_contest(&mut self, depth: u32) -> String {
        self.names += 2;
        if self.names > 8 {
            return String::new();
        }
        let (mine, other) = (format!("m{}", self.names), format!("o{}", self.names));
        let counts = [1 + self.dice.below(self.most_picks), 1 + self.dice.below(self.most_picks)];
        let (more, less) = (self.leaving(depth - 1), self.block(depth - 1));
        let zero = self.dice.one_of(&["", " zero-is=10"]);
        let condition = match self.dice.below(3) {
            0 => format!("{mine} > {other}"),
            1 => format!("{mine} = {other} or {other} - {mine} > 20"),
            _ => format!("2 * {mine} >= {other} + 9"),
        };
        format!(
            "pick {mine}={} {other}={}{zero} {{\nwhen \"{condition}\" {{\n{more}}}\nelse {{\n{less}}}\n}}",
            counts[0], counts[1]
        )
    }

    /// A number chosen within the choice of another, and asked for by a pick.
    fn nested_choices(&mut self, depth: u32) -> String {
        self.names += 2;
        if self.names > 8 {
            return String::new();
        }
        let (outer, inner) = (format!("a{}", self.names), format!("b{}", self.names));
        let to = self.dice.one_of(&["2", "\"min(2, gold)\"", "\"max(1, count)\""]);
        let then = self.leaving(depth - 1);
        let other = self.block(depth - 1);
        let limit = 12 + self.dice.below(6);
        format!(
            "choice each={outer} from=0 to=2 {{\nchoice each={inner} from=\"-1\" to={to} {{\n\
             pick count=2 {{\nplus {outer}\nwhen \"{outer} > 1\" {{ endurance \"{inner} - {outer}\"; }}\n\
             when {limit} 30 {{\n{then}}}\nelse {{ lose gold \"{outer} + {inner}\"; }}\n}}\n}}\n}}\n\
             choice {{\n{other}}}"
        )
    }

    fn fight(&mut self, depth: u32) -> String {
        let skill = 13 + self.dice.below(7);
        let mut text = String::new();
        let mut later = String::new();
        if self.names < 8 && self.dice.below(6) == 0 {
            self.names += 1;
            text = format!("pick as=r{} {{ plus -4; }}\n", self.names);
            later = format!("\nmindforce 2 always=#true after=r{}", self.names);
        }
        text.extend([format!("fight {{\nenemy \"A\" skill={skill} endurance={}", 1 + self.dice.below(9))]);
        text.push_str(self.dice.one_of(&["", " undead=#true", " immune-to-mindblast=#true"]));
        if self.dice.below(3) == 0 {
            text.push_str("\nenemy \"B\" skill=15 endurance=5");
        }
        if self.dice.below(2) == 0 {
            let condition = self.dice.one_of(&["has key", "one", "gold > 3", "meal >= 2", "has sword"]);
            text.extend([format!(
                "\n{}",
                self.dice.one_of(&[
                    "bonus 2 rounds=1",
                    "mindforce 2",
                    "mindforce 1 always=#true",
                    "mindforce 3 after=1",
                    "untouchable rounds=1",
                    "double-damage",
                    "bare-hands",
                    "bare-hands rounds=2",
                    "helper 2",
                    "no-potions",
                    "only-parry rounds=1"
                ])
            )]);
            text.extend([format!("\nbonus -2 if=\"{condition}\"")]);
        }
        text.push_str(&later);
        let mut ways: Vec<&str> = Vec::new();
        for _ in 0..self.dice.below(3) {
            let way = self.dice.one_of(&[
                "evade",
                "evade from-round=2",
                "mock",
                "defeat leaves=2",
                "stop after=2",
                "stop after=4",
                "first-wound",
                "only-weapon axe",
                "venom 2",
                "defeat leaves=half",
                "returns-half",
                "returns-half\ndefeat leaves=half",
                "slip 3",
            ]);
            // What is called the same here cannot stand together.
            let word = |way: &str| {
                let own = way.split(' ').next().unwrap_or_default();
                let own = if own.starts_with("returns-half") { "defeat" } else { own };
                own.replace("mock", "defeat").replace("venom", "first-wound")
            };
            if ways.iter().all(|other| word(other) != word(way)) {
                ways.push(way);
            }
        }
        for way in ways {
            text.extend([format!("\n{way}")]);
            if !["only", "venom", "returns-half"].iter().any(|word| way.starts_with(word))
                || way.ends_with("half") && way.contains("defeat")
            {
                text.extend([format!(" {{\n{}}}", self.leaving(depth - 1))]);
            }
        }
        text.push_str("\n}\n");
        match self.dice.below(4) {
            2 => text.push_str("set count \"min(rounds, 3)\""),
            0 => text.push_str("if \"rounds < 3\" { gain gold 2; }"),
            1 => text.push_str("if \"wounded\" { lose gold 2; }"),
            _ => {}
        }
        text
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
