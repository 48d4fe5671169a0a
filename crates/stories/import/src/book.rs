//! A whole book: head, sections, comments, and the summary.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Stage};
use gamebook::SectionNumber;

use crate::draft::{Draft, draft};
use crate::head::Head;
use crate::hunting::{self, NO_HUNTING};
use crate::line::Line;
use crate::mechanics::{self, Page, Shared};
use crate::objects::Objects;
use crate::pieces::pieces;
use crate::prose::number;
use crate::readable::readable;
use crate::sentence::slug;
use crate::source::{Block, Source};
use crate::target::Target;
use crate::unreadable::Unreadable;
use crate::xml::{self, Content, Element};

/// A book that was imported.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The title.
    pub title: String,
    /// The book in our language.
    pub text: String,
    /// What was found, and what was not understood.
    pub summary: Summary,
}

/// What an import found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Numbered sections.
    pub sections: usize,
    /// Choices.
    pub choices: usize,
    /// Sections with a fight.
    pub fights: usize,
    /// Numbers that are picked.
    pub picks: usize,
    /// What a person has to look at: the section, and why.
    pub todos: Vec<(SectionNumber, String)>,
    /// What was passed over in the file as a whole.
    pub notes: Vec<String>,
}

impl Summary {
    /// The sections that a person has to look at.
    pub fn open_sections(&self) -> BTreeSet<SectionNumber> {
        self.todos.iter().map(|(section, _)| *section).collect()
    }
}

/// What is known of a book beside its XML.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// The rules of its sections, as the Kai Chronicles project writes them (`mechanics-1.xml`).
    pub mechanics: Option<&'a [u8]>,
    /// What the objects are that these rules speak of (`objects.xml`).
    pub objects: Option<&'a [u8]>,
    /// Nodes in our language: sections that take the place of those imported, and more for the head.
    pub patch: Option<&'a str>,
}

/// Reads the XML of Project Aon and writes the book in our language. What is not understood becomes a `todo`,
/// which `bestplay gamebook check` lists.
///
/// Without mechanics only what the text says plainly is taken over. With them, their rules decide, and
/// the text gives choices and enemies. A book that we have ourselves gives its head: the hero and the names of items.
///
/// No more than eight words in a row are taken from the text, for labels and for what is to be looked at.
///
/// ```
/// let xml = b"<gamebook><meta><title>Doors</title></meta>
///     <section class='numbered' id='sect1'><data><choice idref='sect2'>Turn to 2.</choice></data></section>
///     <section class='numbered' id='sect2'><data><p>Home.</p></data></section></gamebook>";
/// let imported = import::project_aon(xml, &import::Extras::default(), &budget::Budget::unlimited())?;
/// assert!(imported.text.contains("section 1 { goto 2; }"));
/// assert!(gamebook::read(&imported.text).is_ok());
/// # Ok::<(), import::Unreadable>(())
/// ```
///
/// # Errors
/// [`Unreadable`] when a file is not what it should be, is broken or hostile, or when the budget is used up.
pub fn project_aon(xml: &[u8], extras: &Extras<'_>, budget: &Budget<'_>) -> Result<Imported, Unreadable> {
    let document = xml::parse(xml, budget)?;
    let source = Source::new(&document)?;
    let rules = extras.mechanics.map(|bytes| rules(bytes, budget)).transpose()?;
    let objects = extras.objects.map(|bytes| xml::parse(bytes, budget)).transpose()?;
    let patch = pieces(extras.patch.unwrap_or_default());
    let target = Target::of(&source.texts());
    let mut head = Head::new(&source.title, target);
    let mut shared = Shared {
        target,
        objects: Objects::new(objects.as_ref().map(|objects| &objects.root), head.declared(), target),
        ..Shared::default()
    };
    if let Some(rules) = &rules {
        for rule in rules.values() {
            foresee(rule, &mut shared);
        }
    }
    let last = source.sections.keys().next_back().copied().unwrap_or(1);
    let mut summary = Summary { sections: source.sections.len(), notes: source.notes.clone(), ..Summary::default() };
    let mut sections: BTreeMap<SectionNumber, Vec<Line>> = BTreeMap::new();
    let mut patched: BTreeMap<SectionNumber, &str> = BTreeMap::new();
    let mut missing = BTreeSet::new();
    for (done, (number, blocks)) in source.sections.iter().enumerate() {
        let done = done as u64;
        budget.step(Stage::Reading, done, source.sections.len() as u64 - done).map_err(Unreadable::Stopped)?;
        let targets = blocks.iter().flat_map(|block| match block {
            Block::Choice { to, .. } => to.iter().copied().collect::<Vec<SectionNumber>>(),
            Block::Puzzle { to } => to.clone(),
            _ => Vec::new(),
        });
        missing.extend(targets.filter(|target| !source.sections.contains_key(target)));
        let mut draft = draft(*number, blocks, *number == last, target);
        summary.choices += draft.choices;
        summary.fights += draft.fights;
        summary.picks += draft.picks;
        if let Some(own) = patch.iter().find(|piece| piece.name == "section" && piece.number == Some(*number)) {
            patched.insert(*number, own.text);
            continue;
        }
        if let Some(rules) = &rules {
            let page = Page::new(*number, blocks, *number == last);
            if !by_rules(&page, rules.get(number), &mut shared, &mut draft) {
                head.ask_for(&draft.items);
            }
            if shared.visits.contains(number) {
                draft.lines.insert(0, Line::leaf(format!("set visited-{number}")));
            }
            let before = rules.get(&STORY_SO_FAR).filter(|_| done == 0).into_iter().flat_map(Element::elements);
            if before.filter(|rule| rule.name == "huntStatus").any(|rule| rule.attribute("enabled") == Some("false")) {
                draft.lines.insert(0, hunting::change(false));
            }
        } else {
            head.ask_for(&draft.items);
        }
        sections.insert(*number, draft.lines);
        summary.todos.extend(draft.todos.into_iter().map(|todo| (*number, todo)));
    }
    let start = source.sections.keys().next().copied().unwrap_or(1);
    if shared.flags.contains(NO_HUNTING)
        && !hunting::resolve(&mut sections, &patched, (start, target), budget).map_err(Unreadable::Stopped)?
    {
        shared.flags.remove(NO_HUNTING);
    }
    let open = summary.open_sections();
    let written =
        sections.iter().map(|(number, lines)| (*number, write_section(*number, lines, open.contains(number))));
    let from_patch = patched.iter().map(|(number, text)| (*number, format!("\n// From the patch.\n{text}\n")));
    let mut sections: BTreeMap<SectionNumber, String> = written.chain(from_patch).collect();
    for number in &missing {
        let what = "a section that the file does not have";
        summary.todos.push((*number, what.into()));
        sections.insert(*number, unknown_section(*number, what));
    }
    head.more(&shared, &patch);
    let head = head.write(&source.title, start, last);
    let unknown = |number: &SectionNumber, what: &str| unknown_section(*number, what);
    let (text, refused) = readable(&head, sections.into_iter().collect(), &unknown, budget)?;
    summary.todos.extend(refused);
    Ok(Imported { title: source.title, text, summary })
}

/// Makes a section of the rules, where there are some; what the text says plainly is all that is known where there are none
/// in later books. Says whether the rules decide.
fn by_rules(page: &Page<'_>, rules: Option<&Element>, shared: &mut Shared, draft: &mut Draft) -> bool {
    let is_plain = shared.target.is_system() && draft.todos.is_empty();
    if is_plain && rules.is_none() {
        return false;
    }
    let (mut lines, mut todos) = mechanics::section(page, rules, shared);
    if is_plain && rules.is_some() && ways_of(&draft.lines) != ways_of(&lines) {
        todos.push(DIFFERENT_WAYS.into());
        lines.insert(0, Line::todo(DIFFERENT_WAYS));
    }
    (draft.lines, draft.todos) = (lines, todos);
    true
}

const DIFFERENT_WAYS: &str = "the text and the rules lead to different sections";

/// The sections to which lines lead.
fn ways_of(lines: &[Line]) -> BTreeSet<String> {
    let own = lines.iter().filter(|line| line.head.starts_with("goto ")).map(|line| line.head.clone());
    own.chain(lines.iter().filter_map(|line| line.body.as_deref()).flat_map(ways_of)).collect()
}

/// A section of which nothing is known.
fn unknown_section(number: SectionNumber, what: &str) -> String {
    write_section(number, &[Line::todo(what), Line::leaf("death \"not understood\"")], true)
}

/// Under this number stand the rules of what comes before the first section.
const STORY_SO_FAR: SectionNumber = 0;

/// The rules of the sections by number.
fn rules(bytes: &[u8], budget: &Budget<'_>) -> Result<BTreeMap<SectionNumber, Element>, Unreadable> {
    fn look(element: Element, found: &mut BTreeMap<SectionNumber, Element>) {
        if element.name == "section"
            && let Some(id) = element.attribute("id")
            && let Some(section) = if id == "tssf" { Some(STORY_SO_FAR) } else { number(id) }
        {
            found.insert(section, element);
            return;
        }
        for content in element.content {
            if let Content::Element(inner) = content {
                look(inner, found);
            }
        }
    }
    let document = xml::parse(bytes, budget)?;
    let mut found = BTreeMap::new();
    look(document.root, &mut found);
    if found.is_empty() {
        return Err(Unreadable::wrong("the mechanics have no sections".into()));
    }
    Ok(found)
}

/// Finds what will be asked for, so that it is remembered where it happens.
fn foresee(rule: &Element, shared: &mut Shared) {
    if rule.name == "huntStatus" {
        shared.flags.insert(NO_HUNTING.into());
    }
    for tag in rule.attribute("hasTag").into_iter().flat_map(|tags| tags.split('|')) {
        shared.flags.insert(format!("tag-{}", slug(tag)));
    }
    let visited = rule.attribute("sectionVisited").into_iter().flat_map(|sections| sections.split('|'));
    shared.visits.extend(visited.filter_map(number));
    rule.elements().for_each(|inner| foresee(inner, shared));
}

fn write_section(number: SectionNumber, lines: &[Line], is_open: bool) -> String {
    let mut text = String::from("\n");
    if is_open {
        text.push_str("// Look at this section.\n");
    }
    Line::block(format!("section {number}"), lines.to_vec()).write(0, &mut text);
    text
}
