//! Small stories, each about one construct: how often a reader who answers at random comes to a place. What is expected was
//! found by playing the ink stories many thousand times with the reference implementation of its compiler and runtime, and by
//! the story formats' own rules; or the construct is to do, by its name and line.

use budget::Budget;
use gamebook::{Question, Reader, Severity, check, read};
use import::{ImportedStory, twee};
use mdp::ExploreOptions;

use crate::ink_books::{ink_book, ink_story};

fn imported_twee(format: &str, story: &str) -> ImportedStory {
    let story = format!(":: StoryData\n{{\"format\": \"{format}\", \"start\": \"Start\"}}\n{story}");
    twee(story.as_bytes(), &[], &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}: {story}"))
}

/// How often a reader who answers at random comes to a section.
fn share(imported: &ImportedStory, section: &str) -> f64 {
    assert_eq!(imported.todos, [], "{}", imported.text);
    let (book, _) = read(&imported.text).unwrap_or_else(|problems| panic!("{problems:?}\n{}", imported.text));
    let fares = Reader::Random.evaluate(&book, &Question::new(&book), &ExploreOptions::default()).unwrap();
    // A section that no play of a story in ink enters is not written.
    let Some(number) = book.section_named(section) else { return 0.0 };
    fares.journey.sections.iter().find(|visit| visit.section == number).map_or(0.0, |visit| visit.visited)
}

/// All that is written can be read and checked, whatever is to do in it.
fn is_a_book(imported: &ImportedStory) {
    let (book, _) = read(&imported.text).unwrap_or_else(|problems| panic!("{problems:?}\n{}", imported.text));
    let found = check(&book, &Budget::unlimited()).unwrap();
    assert!(found.iter().all(|problem| problem.severity != Severity::Error), "{found:?}");
    assert!(book.draft.todos >= imported.todos.len().min(1));
}

const ENDS: &str = "== yes\n-> END\n== no\n-> END\n";

#[test]
fn ink_means_what_ink_does() {
    for (story, expected) in [
        // A value, and what it is compared with.
        ("VAR x = 0\n-> a\n== a\n~ x = RANDOM(0, 3)\n{ x:\n- 0: -> yes\n- 1: -> no\n- else: -> no\n}\n", 0.25),
        ("VAR x = 0\n-> a\n== a\n~ x = RANDOM(0, 3)\n{ x:\n  -> yes\n- else: -> no\n}\n", 0.75),
        // A knot was visited when one of its stitches was; a place more than once.
        ("-> cave.lamp\n== cave\n= door\n-> END\n= lamp\n-> out\n== out\n{cave: -> yes}\n-> no\n", 1.0),
        ("-> cave.lamp\n== cave\n= door\n-> END\n= lamp\n-> out\n== out\n{cave.door: -> yes}\n-> no\n", 0.0),
        ("-> c.l\n== c\n= l\n+ on -> l\n+ out -> out\n== out\n{c > 1: -> yes}\n-> no\n", 0.0),
        ("-> c.l\n== c\n= l\n+ on -> l\n+ out -> out\n== out\n{c.l > 1: -> yes}\n-> no\n", 0.0),
        ("-> k\n== k\n{k > 1: -> yes}\n* on -> k\n* out -> no\n", 0.0),
        ("-> k\n== k\n{k > 1: -> yes}\n+ on -> o\n+ out -> no\n== o\n-> k\n", 0.5),
        ("-> k\n== k\nwords\n- (l) more\n{l > 1: -> yes}\n+ on -> l\n+ out -> no\n", 0.5),
        ("-> k\n== k\n= s\n{k > 1: -> yes}\n+ on -> k\n* [over] -> o\n* [out] -> no\n== o\n-> k.s\n", 0.5),
        (
            "-> o\n== o\n+ (one) {one < 3} [1] -> o\n+ (two) {two < 3} [2] -> o\n+ [3] -> p\n== p\n{o.one == 3: -> yes}\n-> no\n",
            0.125,
        ),
        ("-> o\n== o\n* (one) 1 -> o\n* 2 -> o\n* -> p\n== p\n{o.one == 1: -> yes}\n-> no\n", 1.0),
        // `and` and `or` have one rank, `not` the highest.
        ("VAR a = true\nVAR b = false\n-> s\n== s\n{a or b and b: -> yes}\n-> no\n", 0.0),
        ("VAR x = 2\n-> s\n== s\n{not x == 1: -> yes}\n-> no\n", 0.0),
        ("VAR x = 2\n-> s\n== s\n{not x == 0: -> yes}\n-> no\n", 1.0),
        ("VAR x = 2\n-> s\n== s\n{x == 1 || x == 2 && x == 3: -> yes}\n-> no\n", 0.0),
        // A knot may be called so.
        ("-> start\n== start\n+ a -> yes\n+ b -> no\n", 0.5),
        // The first of several that are taken for want of others; one with what it does below.
        ("-> s\n== s\n* x -> s\n* -> yes\n* -> no\n", 1.0),
        ("VAR n = 0\n-> s\n== s\n* x -> s\n* {n > 0} -> no\n* ->\n  words\n  -> yes\n", 1.0),
        // Words that change are words, whatever stands in them.
        ("VAR x = 1\n-> s\n== s\n{!x: 0|y} {~a|b} {once|twice}\n{x == 1 || x == 2: -> yes|-> no}\n", 1.0),
        ("VAR x = 1\n-> s\n== s\n{x == 2: {x == 3: -> no|-> no}|-> yes}\n", 1.0),
        // What a line holds that ends lines elsewhere.
        ("-> s\n== s\nOne\u{2028}two \u{202e}three\n* go\u{2029} -> yes\n* no -> no\n", 0.5),
        (
            "-> s\n== s\n+ go -> k_xxxxxxxxxxxxxxxxxxxxxxxxxxxxx_after\n+ out -> t\n== k_xxxxxxxxxxxxxxxxxxxxxxxxxxxxx_after\n-> s\n== t\n{k_xxxxxxxxxxxxxxxxxxxxxxxxxxxxx_after: -> yes}\n-> no\n",
            0.5,
        ),
    ] {
        let imported = ink_book(&ink_story(&format!("{story}{ENDS}")));
        is_a_book(&imported);
        let found = share(&imported, "yes");
        assert!((found - expected).abs() < 1e-4, "{found} in place of {expected}: {story}\n{}", imported.text);
    }
}

/// An end is won after its tag, not before it; a tag before the last choice does not count.
#[test]
fn a_tag_says_of_what_follows_it_that_it_is_won() {
    let story = "VAR x = 0\n-> a\n== a\n~ x = RANDOM(1, 4)\n{x == 1: -> END}\n{x == 2: -> DONE}\nHome. # win\n* [On] # win\n  -> END\n* Out -> END\n";
    let imported = ink_book(&ink_story(story));
    assert_eq!(imported.todos, []);
    let (book, _) = read(&imported.text).unwrap();
    let fares = Reader::Random.evaluate(&book, &Question::new(&book), &ExploreOptions::default()).unwrap();
    assert!((fares.journey.win.decimal() - 0.25).abs() < 1e-9, "{}", imported.text);
}

#[test]
fn twee_means_what_its_format_does() {
    let ends = ":: A [win]\nw\n:: B\nl\n:: C\nc\n";
    for (format, story, expected) in [
        (
            "Harlowe",
            "(set: $key to (either: true, false))\n(if: $key)[[[open->A]]]\n(if: not $key)[ [[shut->B]] ]\n",
            0.5,
        ),
        ("Harlowe", "(if: $n < 1)[ [[low->A]] ](else:)[ [[high->B]] ]\n", 1.0),
        ("Harlowe", "`[[no->B]]` /* not a comment: [[yes->A]] */ [[no->B]]\n", 0.5),
        ("Harlowe", "(set: $x to (either: 1, 2, 3))(if: $x is 1 or 2)[[[y->A]]](else:)[[[n->B]]]\n", 2.0 / 3.0),
        ("Harlowe", "(set: $x to 1)(if: $x is \"1\")[ [[y->B]] ] words (else:)[ [[n->A]] ]\n", 1.0),
        ("Harlowe", "(set: $f to false)$f[ [[y->B]] ](if: true)[[n->A]]\n", 1.0),
        ("Harlowe", "(if: true)[== [[n->A]] [[n->B]]\n", 0.5),
        ("Harlowe", "(if: true or false and false)[ [[y->B]] ](else:)[ [[n->A]] ]\n", 1.0),
        ("Harlowe", "(link: \"x\")[(set: $x to it + 1)](if: $x is 0)[ [[y->A]] ](link-goto: \"n\", \"B\")\n", 0.5),
        ("Harlowe", "(link-reveal: \"x\")[ [[y->A]] [[y->A]] ][[n->B]]\n", 1.0 / 3.0),
        ("Harlowe", "[[B->x|A]]\n", 1.0),
        ("Harlowe", "(if: false)[x](text-style: \"bold\")[ [[y->A]] ](else:)[ [[n->B]] ]\n", 1.0),
        ("Harlowe", "(set: $x to (cond: (random: 1, 4) is 1, 2, 3))(if: $x is 2)[[y->A]](else:)[[n->B]]\n", 0.25),
        ("SugarCube", "<<if $key>>[[y|A]]<<else>>[[n|B]]<</if>>\n", 0.0),
        ("SugarCube", "/* [[no|B]] */ {{{[[no|B]]}}} [[yes|A]]\n", 1.0),
        ("SugarCube", "<<set _n to random(1, 4)>><<if _n is 1>>[[y|A]]<<else>>[[n|B]]<</if>>\n", 0.25),
        ("SugarCube", "<<set $a to true, $b to false>><<if $a or $b and $b>>[[y|A]]<<else>>[[n|B]]<</if>>\n", 1.0),
        ("SugarCube", "<<silently>><<set $x to 1>>[[no|B]]<</silently>><<if $x is 1>>[[y|A]]<</if>>[[n|B]]\n", 0.5),
        ("SugarCube", "<<set $x to 2>><<if not $x is 1>>[[y|B]]<<else>>[[n|A]]<</if>>\n", 1.0),
        (
            "SugarCube",
            "<<set $n to random(1, 3)>><<switch $n>><<case 1 2>>[[y|A]]<<default>>[[n|B]]<</switch>>\n",
            2.0 / 3.0,
        ),
        ("SugarCube", "<<if $x lt 1>>[[y|B]]<<else>>[[n|A]]<</if>>\n", 1.0),
        ("SugarCube", "<<if true>><<goto \"C\">><</if>><<set $x to 1>>\n:: C\n<<if $x>>[[on|A]]<</if>>\n", 1.0),
        ("SugarCube", "<<link [[x|A][$x to 1]]>><</link>><<link \"B\">><<set $y to 1>><</link>>[[n|B]]\n", 0.5),
        ("SugarCube", "[[a|b->A]]\n:: b->A\n[[on|A]]\n", 1.0),
        ("SugarCube", "[img[a.png][A]] <a data-passage=\"B\">go</a> <img data-passage=\"B\">\n", 0.5),
        ("SugarCube", "<<include \"B\">> <<for _i to 0; _i lt 3; _i++>><<if _i is 1>>[[y|A]]<</if>><</for>>\n", 1.0),
        ("SugarCube", "<<set $bag to []>><<run $bag.push(\"x\")>><<if $bag.includes(\"x\")>>[[y|A]]<</if>>\n", 1.0),
        ("SugarCube", "<<if true>>[[y|A]]<<else>>[[n|B]]<<endif>> <<= passage()>>\n", 1.0),
        ("SugarCube", "<<if passage() is \"Start\">>[[y|A]]<</if>>\n", 1.0),
        (
            "Chapbook",
            "gold: random.d4\nkey: false\nkey (gold > 1): true\n--\n[if key]\n[[y->A]]\n\n[else]\n[[n->B]]\n",
            // 1 and 4 come half as often as 2 and 3.
            5.0 / 6.0,
        ),
        ("Chapbook", "k: true\n--\n[if k]\n[[y->A]]\n[continued]\n{sound effect: 'x'}\n[note]\n[[n->B]]\n", 1.0),
        ("Harlowe", "(t8n-depart: \"dissolve\")[[y->A]] (text: (random: 1, 4) + 4) (str: 3 + (random: 1, 6))\n", 1.0),
        ("Chapbook", "d: random.d4\nto: 'A'\nto (d > 2): 'B'\n--\n[[go->{to}]]\n", 0.5),
        ("Chapbook", "what: 'C'\n--\n{embed passage: what}\n[[y->A]]\n:: C\n[[n->B]]\n", 0.5),
        ("SugarCube", "<<set $to to either(\"A\", \"B\")>><<link \"x\" $to>><</link>>\n", 0.5),
        ("SugarCube", "<<set $to to \"A\">>[[x|$to][$to to \"B\"]]\n", 1.0),
        ("SugarCube", "<<set $c to \"C\">><<include $c>>\n:: C\n[[x|A]]\n", 1.0),
        ("Harlowe", "(set: $to to (either: \"A\", \"B\", \"A\"))(link-goto: \"x\", $to)\n", 2.0 / 3.0),
        ("Harlowe", "(set: $c to \"C\")(display: $c)\n:: C\n[[x->A]]\n", 1.0),
        ("Harlowe", "[[go\non->A]] [[b->\nB]]\n", 0.5),
        ("SugarCube", "[[go\non->B]] [[b->A]]\n", 1.0),
        ("Chapbook", "[note]\n[[no->B]]\n[cont]\n{embed passage: 'C'} [[y->A]]\n", 1.0),
    ] {
        // A story may bring an end of its own.
        let ends = if story.contains(":: C\n") { ends.replace(":: C\nc\n", "") } else { ends.into() };
        let imported = imported_twee(format, &format!(":: Start\n{story}{ends}"));
        is_a_book(&imported);
        let found = share(&imported, "A");
        assert!((found - expected).abs() < 1e-9, "{found} in place of {expected}: {story}\n{}", imported.text);
    }
    let begins = ":: StoryInit\n<<set $x to random(1, 4)>>\n:: Start\n<<if $x is 1>>[[y|A]]<<else>>[[n|B]]<</if>>\n";
    assert!((share(&imported_twee("SugarCube", &format!("{begins}{ends}")), "A") - 0.25).abs() < 1e-9);
}

/// What the stories are that are held against their formats: nothing is left out of them, and they are books.
#[test]
fn the_stories_of_the_comparison_are_read_whole() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/stories");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let imported = twee(&std::fs::read(&path).unwrap(), &[], &Budget::unlimited()).unwrap();
        assert_eq!(imported.todos, [], "{}", path.display());
        is_a_book(&imported);
        count += 1;
    }
    assert!(count >= 18, "{count}");
}

#[test]
fn what_is_not_read_of_twee_is_to_do_by_its_name() {
    let ends = ":: A [win]\nw\n:: B\nl\n:: C\nc\n";
    for (format, story, name) in [
        ("Harlowe", "(set: $t to true)(if: $t and $y is 2 or 3)[ [[y->A]] ]\n", "operand is left out"),
        ("Harlowe", "(set: $x to 1)(if: $x is not 1 and 2)[ [[y->A]] ]\n", "operand is left out"),
        ("Harlowe", "(set: $x to 1)(if: not $x is 2)[ [[y->A]] ]\n", "`not` before a comparison"),
        ("Harlowe", "(set: $x to 1)(if: $x)[ [[y->A]] ]\n", "neither yes nor no"),
        ("Harlowe", "(set: $x to 1)$x[ [[y->A]] ]\n", "neither yes nor no"),
        ("Harlowe", "(if: true) words\n", "a condition without a hook"),
        ("Harlowe", "(if: true)(link: \"x\")[ [[y->A]] ]\n", "a condition without a hook"),
        ("Harlowe", "(if: true)[x](set: $x to 1)(else:)[ [[y->A]] ]\n", "what comes before"),
        ("Harlowe", "(set: $x to 3, $y to $x is 3)(if: $y)[ [[y->A]] ]\n", "the same macro sets"),
        ("Harlowe", "|later)[ [[y->A]] ]\n", "a hidden hook"),
        ("Harlowe", "[ [[y->A]] ](later|\n", "a hidden hook"),
        ("Harlowe", "(link-repeat: \"x\")[ [[y->A]] ]\n", "(linkrepeat:"),
        ("Chapbook", "open: true\n--\n[if open]\n[[y->A]]\n", "a name of the browser's"),
        ("Chapbook", "[note to myself]\n[[y->A]]\n", "[note to myself]"),
        ("Harlowe", "(link-goto: \"x\", $where)\n", "only `$where` names"),
        ("Harlowe", "(print: \"[[y->A]]\")\n", "(print:"),
        ("Harlowe", "(set: $x to \"[[y->A]]\")$x\n", "markup"),
        ("Harlowe", "(live: 1s)[ (go-to: \"A\") ]\n", "(live:"),
        ("Harlowe", "(set: $l to (a: 1, 2))(if: $l's 1st is 1)[ [[y->A]] ]\n", "a part of `$l`"),
        ("SugarCube", "<<set $x += 1>>[[y|A]]\n", "before it is set"),
        ("SugarCube", "<<if _x>>[[y|A]]<<else>>[[n|B]]<</if>>\n", "before it is set"),
        ("SugarCube", "<<if true>>a<<else if false>>b<</if>>\n", "<<else if false>>"),
        ("SugarCube", "<<if true>><<goto \"A\">><</if>><<if true>><<goto \"B\">><</if>>\n", "a second <<goto>>"),
        ("SugarCube", "<<link \"x\" $where>><</link>>\n", "only `$where` names"),
        ("SugarCube", "<<print \"[[y|A]]\">>\n", "<<print"),
        ("SugarCube", "<a data-passage=\"A\" onclick=\"x()\">go</a>\n", "a link in HTML"),
        ("SugarCube", "<<include \"Nowhere\">>\n", "to include"),
        ("SugarCube", "<<set $x to \"a\" + 1>>\n", "arithmetic"),
        ("SugarCube", "<<set $y to 1>><<set $x to $y or 3>>\n", "`and` or `or` of"),
        ("SugarCube", "<<set $x to [1, 2]>><<set $y to $x>>\n", "all that `$x` has"),
        ("SugarCube", "<<set $x to 7 / 2>>\n", "a division"),
        ("SugarCube", "<<timed 2s>>[[y|A]]<</timed>>\n", "<<timed"),
        ("SugarCube", "<<script>>State.variables.x = 1<</script>>\n", "<<script>>"),
        ("SugarCube", "<<for _i to 0; _i lt $n; _i++>>[[y|A]]<</for>>\n", "<<for"),
        ("SugarCube", "<<linkreplace \"x\">><<replace \"#a\">>y<</replace>><</linkreplace>>\n", "<<replace"),
        ("Chapbook", "{text input for: 'name'}\n", "text input"),
        ("Chapbook", "[JavaScript]\nx\n", "[JavaScript]"),
        ("Chapbook", "[if y]\n[[y->A]]\n", "before it is set"),
        ("Snowman", "<% s.x = 1 %>\n", "the story format snowman"),
    ] {
        let imported = imported_twee(format, &format!(":: Start\n{story}[[on->A]]\n{ends}"));
        is_a_book(&imported);
        assert!(imported.todos.iter().any(|(_, what)| what.contains(name)), "{story}: {:?}", imported.todos);
    }
    for (passage, name) in [
        (":: Code [script]\nsetup.x = 1;\n", "the script `Code`"),
        (":: PassageHeader\n<<back>>\n", "<<back"),
        (":: StoryMenu\n[[always|B]]\n", "always shown"),
        (":: Tools [widget]\n<<widget \"x\" container>><</widget>>\n", "the widgets"),
        (":: A\nagain\n", "a second passage"),
    ] {
        let imported = imported_twee("SugarCube", &format!(":: Start\n[[on->A]]\n{ends}{passage}"));
        assert!(imported.todos.iter().any(|(_, what)| what.contains(name)), "{passage}: {:?}", imported.todos);
    }
}

/// What Twine publishes is read as the same story in Twee.
#[test]
fn published_stories_are_read() {
    let html = "<html><body><tw-storydata name=\"Two &amp; one\" startnode=\"2\" format=\"SugarCube\" hidden>\
        <style role=\"stylesheet\"></style><script role=\"script\"></script>\
        <tw-passagedata pid=\"1\" name=\"A\" tags=\"win\">w</tw-passagedata>\n\
        <tw-passagedata pid=\"2\" name=\"Start\" tags=\"\">&lt;&lt;set $x to &quot;a&quot;&gt;&gt;\n\
        &lt;&lt;if $x is &quot;a&quot;&gt;&gt;[[y|A]]&lt;&lt;/if&gt;&gt;[[n|B]]</tw-passagedata>\
        <tw-passagedata pid=\"3\" name=\"B\">&lt;&lt;back&gt;&gt;</tw-passagedata></tw-storydata></body></html>";
    let imported = twee(html.as_bytes(), &[], &Budget::unlimited()).unwrap();
    assert_eq!((imported.title.as_str(), imported.passages), ("Two & one", 3));
    assert_eq!(imported.todos, [(3, "<<back>>".into())], "{}", imported.text);
    let plain = html.replace("&lt;&lt;back&gt;&gt;", "l");
    assert!((share(&twee(plain.as_bytes(), &[], &Budget::unlimited()).unwrap(), "A") - 0.5).abs() < 1e-9);
    let script = html.replace("<script role=\"script\">", "<script role=\"script\">x = 1;");
    assert!(
        twee(script.as_bytes(), &[], &Budget::unlimited()).unwrap().todos.iter().any(|own| own.1.contains("script"))
    );
}
