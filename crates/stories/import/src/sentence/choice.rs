//! A choice, as far as its sentence is understood.

/// The condition under which a choice is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The number picked is in one of these ranges; `None` is without end.
    Totals(Vec<(Option<i32>, Option<i32>)>),
    /// The fight was won (or left standing for after it).
    Won,
    /// In the fight, from this round on.
    Evading(u32),
    /// After the fight, under a condition of our language.
    AfterFight(String),
    /// The fight lasted longer than so many rounds.
    Lasting(u32),
    /// Every hero for whom the condition holds must go here.
    If(String),
    /// Every other hero must go here.
    Otherwise,
    /// The player may choose it while the condition holds.
    May(Option<String>),
}

/// A choice, as far as its sentence is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub when: When,
    /// What taking it does.
    pub effect: Option<String>,
    /// Why a person has to look at it.
    pub unclear: bool,
    /// A few words of it.
    pub label: String,
    /// The item that the condition asks for, as the book writes it.
    pub item: Option<String>,
}
