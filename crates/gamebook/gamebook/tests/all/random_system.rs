//! Books with rules of their own that look random, with every node of their language.
#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::struct_excessive_bools,
    reason = "a text is put together piece by piece, and what may stand somewhere is yes or no"
)]

use crate::dice::Dice;

struct Author {
    dice: Dice,
    section: u64,
    names: u64,
    /// The names that mean something where the author is.
    known: Vec<String>,
    /// The loops around what is written.
    loops: Vec<String>,
    in_fight: bool,
    /// The events of rounds are known here, and what hits.
    in_event: bool,
    /// Whether a section can be left here.
    in_section: bool,
    fights: bool,
    /// Whether the block `deal` is there.
    deals: bool,
    /// Whether the bag is an item itself.
    bag: bool,
}

const OTHERS: [&str; 7] = ["rope", "key", "coins", "charm", "helm", "knife", "apple"];

impl Author {
    fn number(&mut self) -> String {
        let n = self.dice.below(4);
        match self.dice.below(17) {
            9 => format!("grid({}, {n})", self.number()),
            10 => format!("if({}, {}, {n})", self.condition(), self.number()),
            11 if self.in_fight => self.dice.one_of(&["wielded.bite", "(wielded.mastery + 1)", "might"]).into(),
            12 => self.dice.one_of(&["carried.bite", "skills", "bag.items", "bag.room"]).into(),
            0 => "coins".into(),
            1 => "nerve".into(),
            2 if !self.known.is_empty() => self.known[self.dice.place(self.known.len())].clone(),
            3 => format!("down({} / 2)", self.number()),
            4 => format!("up(({} - 2) / 3)", self.number()),
            5 => format!("min({n}, health)"),
            6 => format!("({} + {n})", self.number()),
            7 => format!("max(0, {} - {n})", self.number()),
            8 if self.in_fight => "enemy.wounds".into(),
            _ => n.to_string(),
        }
    }

    fn condition(&mut self) -> String {
        match self.dice.below(11) {
            6 => self.dice.one_of(&["sly", "not keen", "ring", "rank second", "mastery.knife", "has helm"]).into(),
            0 => format!("has {}", self.dice.one_of(&["rope", "key", "charm", "knife"])),
            1 => self.dice.one_of(&["wet", "not wet"]).into(),
            2 => format!("reading light {}", self.dice.one_of(&["on", "off"])),
            3 => format!("bag.room {} 1", self.dice.one_of(&["<", ">="])),
            4 => format!("({}) {} ({})", self.condition(), self.dice.one_of(&["and", "or"]), self.condition()),
            5 => format!("health < health.initial - {}", self.dice.below(2)),
            _ => {
                let sign = self.dice.one_of(&["<", "<=", "=", "!=", ">", ">="]);
                format!("{} {sign} {}", self.number(), self.number())
            }
        }
    }

    /// A node that does something at once.
    fn effect(&mut self) -> String {
        let n = self.dice.below(3);
        match self.dice.below(21) {
            16 => format!(
                "lose-all {}",
                self.dice.one_of(&["bag", "blade", "bag except=\"rope\"", "blade coins", "bound"])
            ),
            17 if !self.in_fight => {
                format!("give-up {}", self.dice.one_of(&["bag", "bag 2", "bag by=chance", "bag 2 by=chance", "coins"]))
            }
            18 if self.bag => self.dice.one_of(&["lose bag", "gain bag", "lose helm"]).into(),
            18 => format!("lose {}", self.dice.one_of(&["helm", "knife", "apple", "oath"])),
            19 if !self.in_fight => {
                format!("gain {}", self.dice.one_of(&["helm", "knife", "apple 2", "oath", "trunk"]))
            }
            0 => format!("health -{n}"),
            1 => format!("health {n}"),
            2 => format!("coins \"{}\"", self.number()),
            3 => format!("coins -{n}"),
            4 => self.dice.one_of(&["set wet", "clear wet"]).into(),
            5 => format!("nerve {}", self.dice.one_of(&["-1", "1", "\"0 - nerve\""])),
            6 => self.dice.one_of(&["health full", "health half"]).into(),
            7 => self.dice.one_of(&["raise health.initial 1", "health.initial -1"]).into(),
            8 => format!("set coins {n}"),
            9 => format!("lose {}", self.dice.one_of(&["rope", "key", "coins all", "charm"])),
            10 if !self.in_fight => format!("gain {}", self.dice.one_of(&["rope", "key 2", "charm", "coins 2"])),
            11 if !self.in_fight => {
                let most = self.dice.one_of(&["", "at-most=1 ", "at-most=2 "]);
                format!("take {most}{{ {}; {}; }}", self.dice.one_of(&OTHERS), self.dice.one_of(&OTHERS))
            }
            12 if self.in_fight => format!("enemy.wounds -{n}"),
            13 if self.in_event => self.dice.one_of(&["hit 1", "set hit 0", "edge 1", "set edge -1"]).into(),
            14 => format!("red {}", self.dice.one_of(&["-1", "1"])),
            15 => {
                self.dice.one_of(&["use toll n=1", "toll n=1", "grab", "grab n=2 wise=#false", "use grab n=0"]).into()
            }
            _ => format!("coins {n}"),
        }
    }

    fn dice(&mut self) -> &'static str {
        match self.dice.below(8) {
            0 => "2d3",
            1 => "d20",
            2 => "d1000",
            3 => "\"d6 + d4 - 2\"",
            4 => "d100",
            _ => "d4",
        }
    }

    fn block(&mut self, depth: u64) -> String {
        let (known, count) = (self.known.len(), self.dice.below(3));
        let nodes: Vec<String> = (0..count).map(|_| self.node(depth)).collect();
        self.known.truncate(known);
        nodes.iter().map(|node| format!("{node}; ")).collect()
    }

    /// A node after which something can follow.
    fn node(&mut self, depth: u64) -> String {
        if depth == 0 {
            return self.effect();
        }
        let depth = depth - 1;
        match self.dice.below(18) {
            16 if self.in_section && !self.in_fight => {
                let (first, second) = (self.block(depth), self.block(depth));
                match self.dice.below(3) {
                    0 => format!("haggle n={} {{ sold {{ {first}}}; kept {{ {second}}}; }}", self.dice.below(3)),
                    1 => format!("twice {{ {first}}}"),
                    _ => format!("use twice {{ haggle {{ sold {{ {second}}}; }}; {first}}}"),
                }
            }
            15 => {
                let (eaten, kept) = (self.block(depth), self.block(depth));
                let own =
                    self.dice.one_of(&["lose item", "health item.snack; lose item", "coins \"item.bite + item\""]);
                let stat = self.dice.one_of(&["snack", "bite"]);
                format!("choice \"use {{item}}\" with={stat} {{ {own}; {eaten}}}; choice b {{ {kept}}}")
            }
            0 | 1 => {
                let (condition, yes) = (self.condition(), self.block(depth));
                match self.dice.below(3) {
                    0 => format!("if \"{condition}\" {{ {yes}}}"),
                    1 => format!("if \"{condition}\" {{ {yes}}}; else {{ {}}}", self.block(depth)),
                    _ => format!(
                        "if \"{condition}\" {{ {yes}}}; else-if \"{}\" {{ {}}}; else {{ {}}}",
                        self.condition(),
                        self.block(depth),
                        self.block(depth)
                    ),
                }
            }
            2 | 3 => {
                let (require, first, second) = (self.condition(), self.block(depth), self.block(depth));
                format!("choice a {{ require \"{require}\"; {first}}}; choice b {{ {second}}}")
            }
            4 => {
                self.names += 1;
                let name = format!("n{}", self.names);
                self.known.push(name.clone());
                let body = self.block(depth);
                self.known.pop();
                format!(
                    "choice \"take {{{name}}}\" each={name} from=0 to=\"min(coins, 2)\" {{ coins \"-{name}\"; {body}}}"
                )
            }
            5 | 6 => self.roll(depth),
            7 => {
                self.names += 1;
                let (name, number) = (format!("n{}", self.names), self.number());
                self.known.push(name.clone());
                format!("let {name} \"{number}\"")
            }
            8 => format!(
                "draw {{ red {{ red -1; {}}}; coins {{ {}}}; else {{ {}}}; }}",
                self.block(depth),
                self.block(depth),
                self.block(depth)
            ),
            9 => format!("test brave {{ yes {{ {}}}; no {{ {}}}; }}", self.block(depth), self.block(depth)),
            10 if self.deals => format!("use deal n={} m=\"{}\"", self.dice.below(3), self.number()),
            11 | 12 if self.fights && !self.in_fight && self.in_section => self.fight(depth),
            13 if self.in_section && self.dice.below(2) == 0 => {
                format!("if \"{}\" {{ {}; }}", self.condition(), self.end())
            }
            14 if self.in_section && !self.in_fight => {
                self.names += 1;
                let name = format!("l{}", self.names);
                self.loops.push(name.clone());
                let (before, on, off) = (self.block(depth), self.block(depth), self.block(depth));
                self.loops.pop();
                format!(
                    "repeat {name} {{ {before}choice on {{ require \"coins > 0\"; coins -1; {on}again {name}; }}; choice off {{ {off}}}; }}"
                )
            }
            _ => self.effect(),
        }
    }

    fn roll(&mut self, depth: u64) -> String {
        self.names += 1;
        let (name, dice) = (format!("n{}", self.names), self.dice());
        self.known.push(name.clone());
        let (when, first, second) = (self.condition(), self.block(depth), self.block(depth));
        match self.dice.below(5) {
            4 => {
                let plus = format!("plus {} if=\"{}\"; plus 1", self.dice.one_of(&["-1", "2"]), self.condition())
                    .replace(&name, "1");
                format!(
                    "roll {dice} as={name} {{ {plus}; when 2 4 {{ {first}}}; when \"{when}\" {{ {second}}}; else {{ }}; }}"
                )
            }
            0 => format!("roll {dice} as={name}"),
            1 => {
                // It has no name: what would have asked for it asks for something else.
                self.known.pop();
                format!("roll {dice} {{ when 2 3 {{ {first}}}; else {{ {second}}}; }}").replace(&name, "1")
            }
            2 => format!("roll {dice} as={name} {{ when \"{when}\" {{ {first}}}; when 1 {{ {second}}}; else {{ }}; }}"),
            _ => {
                let other = format!("m{}", self.names);
                format!(
                    "roll {name}=d3 {other}=2d4 {{ when \"{name} > {other} - 3\" {{ {first}}}; else {{ {second}}}; }}"
                )
            }
        }
    }

    fn fight(&mut self, depth: u64) -> String {
        let known = std::mem::take(&mut self.known);
        let wounds = 1 + self.dice.below(2);
        let enemies = if self.dice.below(2) == 0 {
            format!("skill={} wounds={wounds} {{ ", self.dice.below(3))
        } else {
            format!(
                "{{ {} enemy A skill=1 wounds={wounds}; enemy B skill=0 wounds=\"1 + has-key\"; ",
                self.dice.one_of(&["", "order one-by-one;", "order all-at-once;", "order player-picks;"])
            )
        };
        let mut text = format!("fight {}", enemies.replace("1 + has-key", "min(2, 1 + key)"));
        self.in_fight = true;
        for part in ["before-round", "end-of-round"] {
            if self.dice.below(3) == 0 {
                let stop = match self.dice.below(4) {
                    0 => format!("if \"{}\" {{ stop; }}; ", self.condition()),
                    _ => String::new(),
                };
                text += &format!("{part} {{ {}{stop}}}; ", self.block(depth));
            }
        }
        self.in_event = true;
        for event in ["won", "lost", "drawn"] {
            if self.dice.below(3) == 0 {
                text += &format!("on {event} {{ {}}}; ", self.block(depth));
            }
        }
        self.in_event = false;
        if self.dice.below(4) == 0 {
            text += "ally power=1; ";
        }
        self.in_fight = false;
        if self.dice.below(3) == 0 {
            text += &format!("escape if=\"{}\" {{ {}}}; ", self.condition(), self.block(0));
        }
        if self.dice.below(4) == 0 {
            let leaves = self.dice.one_of(&["", "leaves=2", "leaves=\"coins\""]);
            text += &format!("defeat {leaves} {{ {}}}; ", self.block(0));
        }
        self.known = known;
        text + "}"
    }

    /// A node that leaves the section.
    fn end(&mut self) -> String {
        if !self.loops.is_empty() && self.dice.below(2) == 0 {
            return format!("again {}", self.loops[self.dice.place(self.loops.len())]);
        }
        match self.dice.below(8) {
            0 => "death".into(),
            1 => "victory".into(),
            2 => format!("goto {}", 1 + self.dice.below(5)),
            _ => format!("goto {}", (self.section + 1 + self.dice.below(2)).min(6)),
        }
    }

    fn section(&mut self, number: u64) -> String {
        (self.section, self.in_section) = (number, true);
        self.known.clear();
        let nodes: Vec<String> = (0..=self.dice.below(3)).map(|_| self.node(2)).collect();
        let end = match self.dice.below(3) {
            0 => format!("roll d6 {{ when 1 2 {{ {}; }}; else {{ {}; }}; }}", self.end(), self.end()),
            1 => {
                format!("choice {{ {}; }}; choice {{ require \"{}\"; {}; }}", self.end(), self.condition(), self.end())
            }
            _ => self.end(),
        };
        let nodes: String = nodes.iter().map(|node| format!("    {node}\n")).collect();
        // Choices that stand together would be one question.
        format!("section {number} {{\n{nodes}    nerve 0\n    {end}\n}}\n")
    }

    /// How fights go.
    fn fight_system(&mut self) -> String {
        let mut text = format!(
            "fight-system {{\n    {}\n    {}\n    local edge min=-1 max=2 start={}\n",
            self.dice.one_of(&["", "order all-at-once"]),
            self.dice.one_of(&["wield bite", "wield bite if=\"not wet\"", "wield bite if=\"edge < 2\""]),
            self.dice.below(2)
        );
        text += "    round { roll mine=d3 theirs=d3; if \"mine + edge + wielded.bite > theirs + enemy.skill\" { event won hit=1; }; \
                 else-if \"mine + edge < theirs + enemy.skill\" { event lost hit=1; }; else { event drawn hit=0; }; }\n";
        (self.in_fight, self.in_event) = (true, true);
        text += &format!(
            "    on won {{ {}enemy.wounds \"-hit\"; }}\n    on lost {{ {}health \"-hit\"; }}\n",
            self.block(1),
            self.block(1)
        );
        self.in_event = false;
        text += &format!(
            "    on drawn {{ {}}}\n    others {{ roll d3 {{ when 1 {{ health -1; }}; else {{ {}}}; }}; }}\n",
            self.block(0),
            self.block(0)
        );
        text += &format!(
            "    ally power {{ roll d4 {{ when 1 {{ enemy.wounds \"-ally.power\"; }}; else {{ {}}}; }}; }}\n",
            self.block(0)
        );
        if self.dice.below(3) == 0 {
            text += &format!("    end-of-round {{ {}}}\n", self.block(1));
        }
        self.in_fight = false;
        text += &format!("    on-escape {{ {}}}\n}}\n", self.block(0));
        text
    }
}

/// A book that is the same for the same seed, whatever the machine.
pub fn random_system_book(seed: u64) -> String {
    let mut author = Author {
        dice: Dice(seed),
        section: 0,
        names: 0,
        known: Vec::new(),
        loops: Vec::new(),
        in_fight: false,
        in_event: false,
        in_section: false,
        fights: false,
        deals: false,
        bag: false,
    };
    let a = &mut author;
    a.bag = a.dice.below(2) == 0;
    let mut text = format!(
        "book Random format=1 system=none\nstart 1\ngoal 6\nstat health start={} initial=#true vital=#true max=5\n\
         stat nerve start=1 negative=#true max=2 min=-2\ncounter coins max=3 start={}\ncounter red max=2 start=1\nflags wet\n\
         container bag holds=2{}\nitem rope in=bag max=1 start=1\nitem key in=bag max=2\nitem charm\n\
         reading light on off\nenemy-stat skill\nenemy-stat wounds vital=#true max=3\n\
         item-stat bite min=-1 max=2 unarmed={}\nitem-stat tough max=1 raises=health\nitem-stat snack max=2\n\
         kind blade bite=1\nkind bound permanent=#true\n\
         items {{ blade knife in=bag; blade spear bite=2 {{ as knife; }}; item helm tough=1 start={}; \
         item apple in=bag snack=1 places={}; bound oath bite=-1; item trunk in=bag places=2; }}\n\
         skill sly keen\nskill mastery of=bite\ncircle ring bite=1 tough=1 {{ sly; mastery; }}\nlearns 2\nranks first second third\n\
         table grid {{ columns 0 2; row -1 0 1; row 2 1 2; }}\nvalue might \"wielded.bite + if(sly, 1, 0)\"\n\
         hero {{ {}; {}; {}; }}\n",
        2 + a.dice.below(3),
        a.dice.below(4),
        if a.bag { " carried=#true" } else { "" },
        a.dice.one_of(&["-1", "0"]),
        a.dice.below(2),
        1 + a.dice.below(2),
        a.dice.one_of(&["sly", "keen", "coins 1"]),
        a.dice.one_of(&["mastery knife", "mastery oath", "nerve 1"]),
        a.dice.one_of(&["knife 1", "oath 1", "spear 1"]),
    )
    .replace("negative=#true max=2 min=-2", "min=-2 max=2");
    text += "define toll n { coins \"-n\"; }\ndefine grab n=1 wise=#true { coins \"n * wise\"; }\n";
    text += "define twice { blocks then; then; coins 0; then; }\n";
    text += "define haggle n=1 { blocks sold kept; choice sell { require \"coins >= n\"; coins \"-n\"; twice { sold; }; }; \
             choice keep { kept; }; nerve 0; }\n";
    a.known = vec!["r".into()];
    text += &format!("test brave {{ roll d6 as=r; yes \"{} or r <= 3\"; after {{ nerve -1; }}; }}\n", a.condition());
    a.known = vec!["n".into(), "m".into()];
    text += &format!("define deal n m {{ {}{}}}\n", a.node(1) + "; ", a.block(1));
    a.deals = true;
    a.known.clear();
    text += &a.fight_system();
    for name in ["drink", "pray"] {
        if a.dice.below(3) == 0 {
            let when = a.dice.one_of(&["outside-fight", "after-fight", "in-fight", "any-time"]);
            text += &format!(
                "action {name} when={when} {{ require \"coins > 0\"; coins -1; {}; }}\n",
                a.dice.one_of(&["health 1", "nerve 1", "use toll n=1", "red 1"])
            );
        }
    }
    for hook in ["on-enter", "on-leave", "before-fight", "after-fight"] {
        if a.dice.below(4) == 0 {
            text += &format!("{hook} {{ {}}}\n", a.block(1));
        }
    }
    if a.dice.below(2) == 0 {
        text += "on-death { if \"has charm\" { lose charm; health 2; nerve -1; resume; }; }\n";
    }
    match a.dice.below(5) {
        0 => text += "policy p default=#true { random; }\n",
        1 => text += "policy p default=#true { always a if=\"coins > 1\"; never escape; from 1 goto 2; }\n",
        2 => {
            text += "policy p default=#true { always drink in=2; never b; random in=3; never \"use luck\" on=lost; }\n";
        }
        _ => {}
    }
    a.fights = true;
    for number in 1..6 {
        text += &a.section(number);
    }
    text + "section 6 { victory; }\n"
}
