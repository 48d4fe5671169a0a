//! The player's state from turn to turn apart from block, strength and dexterity: powers, and the counters of relics.

/// A number that belongs to the player for a time. All are 0 at the beginning of a fight without relics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Power {
    /// Attacks on the player do half as much again.
    Vulnerable,
    /// The player's attacks do a quarter less.
    Weak,
    /// Cards give a quarter less block.
    Frail,
    /// Strength to be lost at the end of the turn.
    StrengthLoss,
    /// Dexterity to be lost at the end of the turn.
    DexterityLoss,
    /// The dexterity is lost before the strength: what was gained first is lost first.
    DexterityFirst,
    /// Debuffs that will be negated.
    Artifact,
    /// No attacks this turn.
    Entangled,
    /// No more draws this turn.
    NoDraw,
    /// Block at the end of every turn.
    Metallicize,
    /// The same, less one for every attack that takes health.
    PlatedArmor,
    /// Damage to an attacker.
    Thorns,
    /// The same, until the next turn.
    FlameBarrier,
    /// Strength at the end of every turn.
    Ritual,
    /// Health at the end of every turn, one less each time.
    Regeneration,
    /// Damage to all enemies at the end of every turn.
    Combust,
    /// Health lost at the end of every turn.
    CombustCost,
    /// Cards for every card exhausted.
    DarkEmbrace,
    /// Cards for every status drawn.
    Evolve,
    /// Block for every card exhausted.
    FeelNoPain,
    /// Damage to all enemies for every status or curse drawn.
    FireBreathing,
    /// Block for every attack played this turn.
    Rage,
    /// Strength for health that cards cost.
    Rupture,
    /// Block stays.
    Barricade,
    /// Energy each turn.
    Berserk,
    /// Health lost and a card drawn each turn.
    Brutality,
    /// Skills cost nothing and are exhausted.
    Corruption,
    /// Strength each turn.
    DemonForm,
    /// Attacks this turn that are played twice.
    DoubleTap,
    /// Damage to a random enemy for each gain of block.
    Juggernaut,
    /// How often health was lost, if a cost depends on it.
    Wounds,
    /// Cards played this turn, if Normality counts them.
    Played,
    /// Attacks played this turn, if a relic counts them.
    Attacks,
    /// Skills played this turn, if a relic counts them.
    Skills,
    /// The first attack is still to come (Akabeko).
    Akabeko,
    /// Attacks since the last gain of energy (Nunchaku).
    Nunchaku,
    /// Attacks since the last double one (Pen Nib).
    PenNib,
    /// Turns since the last gain of energy (Happy Flower).
    HappyFlower,
    /// Energy to be gained next turn.
    NextEnergy,
    /// Block to be gained next turn.
    NextBlock,
    /// Cards to be drawn next turn in addition to the usual ones.
    NextDraw,
    /// Turns until the Horn Cleat gives its block.
    HornCleat,
    /// The first loss of health is still to come (Centennial Puzzle).
    Puzzle,
    /// Cards since the last draw (Ink Bottle).
    InkBottle,
    /// The health, if a relic depends on it (Red Skull).
    Health,
    /// Whether the Red Skull gives its strength.
    Skull,
    /// By how much the maximum health has risen since the beginning of the fight.
    MaxHealth,
}

impl Power {
    /// How many there are.
    pub const COUNT: usize = Self::MaxHealth as usize + 1;

    /// Those that are shown to a player, with their names; the others are only counters.
    pub const SHOWN: &[(Self, &str)] = &[
        (Self::Vulnerable, "vulnerable"),
        (Self::Weak, "weak"),
        (Self::Frail, "frail"),
        (Self::StrengthLoss, "strength to be lost"),
        (Self::DexterityLoss, "dexterity to be lost"),
        (Self::Artifact, "artifact"),
        (Self::Entangled, "entangled"),
        (Self::NoDraw, "no draw"),
        (Self::Metallicize, "metallicize"),
        (Self::PlatedArmor, "plated armor"),
        (Self::Thorns, "thorns"),
        (Self::FlameBarrier, "flame barrier"),
        (Self::Ritual, "ritual"),
        (Self::Regeneration, "regeneration"),
        (Self::Combust, "combust"),
        (Self::DarkEmbrace, "dark embrace"),
        (Self::Evolve, "evolve"),
        (Self::FeelNoPain, "feel no pain"),
        (Self::FireBreathing, "fire breathing"),
        (Self::Rage, "rage"),
        (Self::Rupture, "rupture"),
        (Self::Barricade, "barricade"),
        (Self::Berserk, "berserk"),
        (Self::Brutality, "brutality"),
        (Self::Corruption, "corruption"),
        (Self::DemonForm, "demon form"),
        (Self::DoubleTap, "double tap"),
        (Self::Juggernaut, "juggernaut"),
        (Self::Akabeko, "akabeko"),
        (Self::Nunchaku, "nunchaku"),
        (Self::PenNib, "pen nib"),
        (Self::HappyFlower, "happy flower"),
        (Self::NextEnergy, "energy next turn"),
        (Self::NextBlock, "block next turn"),
        (Self::NextDraw, "cards next turn"),
        (Self::HornCleat, "horn cleat"),
        (Self::Puzzle, "centennial puzzle"),
        (Self::InkBottle, "ink bottle"),
        (Self::MaxHealth, "highest health gained"),
    ];
}
