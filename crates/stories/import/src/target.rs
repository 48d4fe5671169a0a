//! The rules for which a book is written, and the few words in which they differ: the first five books are in the language
//! of Lone Wolf, later ones in that of systems of rules.

use crate::line::Line;

/// The rules of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// Books 1 to 5.
    #[default]
    Kai,
    /// Books 6 to 12.
    Magnakai,
    /// Books 13 to 20.
    GrandMaster,
    /// Books 21 to 29.
    NewOrder,
}

/// The short name of a discipline in the mechanics, and its own.
type Discipline = (&'static str, &'static str);

const KAI: [Discipline; 10] = [
    ("camflage", "camouflage"),
    ("hunting", "hunting"),
    ("sixthsns", "sixth-sense"),
    ("tracking", "tracking"),
    ("healing", "healing"),
    ("wepnskll", "weaponskill"),
    ("mindshld", "mindshield"),
    ("mndblst", "mindblast"),
    ("anmlknsp", "animal-kinship"),
    ("mindomtr", "mind-over-matter"),
];

const MAGNAKAI: [Discipline; 10] = [
    ("wpnmstry", "weaponmastery"),
    ("hntmstry", "huntmastery"),
    ("psisurge", "psi-surge"),
    ("anmlctrl", "animal-control"),
    ("curing", "curing"),
    ("invsblty", "invisibility"),
    ("pthmnshp", "pathsmanship"),
    ("psiscrn", "psi-screen"),
    ("nexus", "nexus"),
    ("dvnation", "divination"),
];

/// The last four are those of the New Order.
const GRAND: [Discipline; 16] = [
    ("wpnmstry", "grand-weaponmastery"),
    ("hntmstry", "grand-huntmastery"),
    ("kaisurge", "kai-surge"),
    ("anmlmstr", "animal-mastery"),
    ("deliver", "deliverance"),
    ("assimila", "assimilance"),
    ("pthmnshp", "grand-pathsmanship"),
    ("kaiscrn", "kai-screen"),
    ("nexus", "grand-nexus"),
    ("gnosis", "telegnosis"),
    ("magi", "magi-magic"),
    ("alchemy", "kai-alchemy"),
    ("astrolgy", "astrology"),
    ("herbmst", "herbmastery"),
    ("element", "elementalism"),
    ("bardsman", "bardsmanship"),
];

/// How many Grand Master Disciplines there are before the New Order.
const GRAND_MASTER: usize = 12;

/// The words by which the later series are recognized, the latest first.
const NAMED_IN: [(&str, Target); 4] = [
    ("Elementalism", Target::NewOrder),
    ("Grand Huntmastery", Target::GrandMaster),
    ("Kai-alchemy", Target::GrandMaster),
    ("Magnakai Discipline", Target::Magnakai),
];

impl Target {
    /// The rules of a book, by the disciplines that its sections name.
    pub fn of<'t>(texts: &(impl Iterator<Item = &'t str> + Clone)) -> Self {
        let named = |word: &str| texts.clone().any(|text| text.contains(word));
        NAMED_IN.iter().find(|(word, _)| named(word)).map_or(Self::Kai, |(_, target)| *target)
    }

    /// The name of the system.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kai => "lone-wolf",
            Self::Magnakai => "magnakai",
            Self::GrandMaster => "grand-master",
            Self::NewOrder => "new-order",
        }
    }

    /// Whether the rules are a system, with its language.
    pub fn is_system(self) -> bool {
        self != Self::Kai
    }

    /// The disciplines: their short names in the mechanics, and their own.
    pub fn disciplines(self) -> &'static [Discipline] {
        match self {
            Self::Kai => &KAI,
            Self::Magnakai => &MAGNAKAI,
            Self::GrandMaster => &GRAND[..GRAND_MASTER],
            Self::NewOrder => &GRAND,
        }
    }

    /// How many of them a hero begins with.
    pub fn learns(self) -> usize {
        match self {
            Self::Magnakai => 3,
            Self::GrandMaster => 4,
            Self::Kai | Self::NewOrder => 5,
        }
    }

    /// COMBAT SKILL and ENDURANCE of a hero about as strong as the enemies of his books.
    pub fn hero(self) -> (i32, i32) {
        match self {
            Self::Kai | Self::Magnakai => (15, 25),
            Self::GrandMaster => (30, 35),
            Self::NewOrder => (25, 30),
        }
    }

    /// The condition that a discipline is known, by its short name.
    pub fn discipline(self, id: &str) -> Option<String> {
        let name = self.disciplines().iter().find(|(own, _)| *own == id)?.1;
        self.knows(name)
    }

    /// The condition that a discipline is known.
    pub fn knows(self, name: &str) -> Option<String> {
        let known = self.disciplines().iter().any(|(_, own)| *own == name);
        known.then(|| if self.is_system() { name.to_string() } else { format!("discipline {name}") })
    }

    /// The condition that a weapon is mastered.
    pub fn masters(self, weapon: &str) -> Option<String> {
        let (_, skill) = self.disciplines().iter().find(|(id, _)| *id == "wpnmstry")?;
        Some(format!("{skill} and {skill}.{weapon}"))
    }

    /// What a mastered bow adds to a shot.
    pub fn mastered_bow(self) -> Option<i32> {
        match self {
            Self::Kai => None,
            Self::Magnakai => Some(3),
            Self::GrandMaster | Self::NewOrder => Some(5),
        }
    }

    /// What keeps the strength of other minds away.
    pub fn screen(self) -> &'static str {
        match self {
            Self::Kai => "mindshield",
            Self::Magnakai => "psi-screen",
            Self::GrandMaster | Self::NewOrder => "kai-screen",
        }
    }

    /// A word of the mechanics for a number.
    pub fn number(self, word: &str) -> Option<&'static str> {
        let own = match (self, word) {
            (_, "MONEY" | "CROWNS") => "gold",
            (_, "ENDURANCE") => "endurance",
            (_, "ORIGINALCOMBATSKILL") => "combat-skill",
            (_, "MEALS") => "meal",
            (_, "COMBATSDURATION") => "rounds",
            (Self::Kai, "MAXENDURANCE") => "max-endurance",
            (Self::Kai, "KAILEVEL") => "disciplines",
            (Self::Kai, "BACKPACK-ITEMS-CNT-ON-ACTIONCHART" | "BACKPACK-ITEMS-ON-ACTIONCHART") => "backpack-items",
            (Self::Kai, "WEAPON-ITEMS-CNT-ON-ACTIONCHART") => "weapons",
            (Self::Kai, _) => return None,
            (_, "MAXENDURANCE") => "endurance.initial",
            (_, "KAILEVEL") => "skills",
            (_, "BACKPACK-ITEMS-CNT-ON-ACTIONCHART" | "BACKPACK-ITEMS-ON-ACTIONCHART") => "backpack.items",
            (_, "WEAPON-ITEMS-CNT-ON-ACTIONCHART") => "weapons.items",
            (_, "SPECIAL-ITEMS-ON-ACTIONCHART") => "special-items.items",
            (_, "ARROWS") => "arrow",
            (_, "BOWBONUS") => "aimed",
            (_, "COMBATSENDURANCELOST") => "lost",
            (_, "COMBATSENEMYLOST") => "dealt",
            _ => return None,
        };
        Some(own)
    }

    /// The ranks by the number of disciplines, as the books call them.
    pub fn ranks(self) -> impl Iterator<Item = (usize, &'static str)> {
        const MAGNAKAI: [&str; 10] = [
            "kai master",
            "kai rank of senior",
            "kai rank of superior",
            "primate",
            "tutelary",
            "principalin",
            "mentora",
            "scion-kai",
            "archmaster",
            "kai grand master",
        ];
        const GRAND: [&str; 12] = [
            "grand master senior",
            "grand master superior",
            "grand sentinel",
            "grand defender",
            "grand guardian",
            "sun knight",
            "sun lord",
            "sun thane",
            "grand thane",
            "grand crown",
            "sun prince",
            "supreme master",
        ];
        // A hero who begins in the New Order has four disciplines more for the same rank.
        let (names, first): (&[&str], usize) = match self {
            Self::Kai => (&[], 1),
            Self::Magnakai => (&MAGNAKAI, 1),
            Self::GrandMaster => (&GRAND, 1),
            Self::NewOrder => (&GRAND, 5),
        };
        names.iter().enumerate().map(move |(place, name)| (place + first, *name))
    }

    /// With what a number is picked; 0 can count as ten.
    pub fn pick(self, name: Option<&str>, zero_is_ten: bool) -> String {
        let named = name.map(|name| format!(" as={name}")).unwrap_or_default();
        match (self.is_system(), zero_is_ten) {
            (false, true) => format!("pick{named} zero-is=10"),
            (false, false) => format!("pick{named}"),
            (true, true) => format!("roll d10{named}"),
            (true, false) => format!("roll \"d10 - 1\"{named}"),
        }
    }

    /// A meal that is due, where hunting feeds or does not.
    pub fn eat(self, feeds: bool) -> Line {
        Line::leaf(match (feeds, self.is_system()) {
            (true, _) => "eat",
            (false, true) => "eat where-food-is=#false",
            (false, false) => "eat hunting=#false",
        })
    }

    /// What is lost, by its name in the mechanics.
    pub fn lost(self, things: &str) -> Option<&'static [&'static str]> {
        let lines: &[&str] = match (self.is_system(), things) {
            (_, "allweapons") => &["lose-all weapons"],
            (false, "backpackcontent") => &["lose-all backpack-items"],
            (false, "backpack") => &["lose-all container"],
            (false, "allspecial") => &["lose-all special"],
            (false, "all") => &["lose-all weapons container special gold"],
            (false, "allobjects") => &["lose-all weapons backpack-items special"],
            (true, "allweaponlike") => &["lose-all weapon special-weapon"],
            (true, "backpackcontent") => &["lose-all backpack"],
            (true, "backpack") => &["lose backpack"],
            (true, "allspecial") => &["lose-all special-items", "lose quiver"],
            (true, "all") => &["lose-all weapons special-items gold", "lose quiver", "lose backpack"],
            (true, "allobjects") => &["lose-all weapons backpack special-items", "lose quiver"],
            _ => return None,
        };
        Some(lines)
    }
}
