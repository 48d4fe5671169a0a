use super::*;

/// The resolved sections with a patch, from the first one on; and whether the flag is still needed.
fn resolved(sections: &[(SectionNumber, Vec<Line>)], patch: &[(SectionNumber, &str)]) -> (String, bool) {
    let mut sections: BTreeMap<SectionNumber, Vec<Line>> = sections.iter().cloned().collect();
    let asked =
        resolve(&mut sections, &patch.iter().copied().collect(), (1, Target::Kai), &Budget::unlimited()).unwrap();
    let mut text = String::new();
    for (section, lines) in sections {
        Line::block(section.to_string(), lines).write(0, &mut text);
    }
    (text, asked)
}

/// A meal, and what follows it.
fn meal_and(rest: Line) -> Vec<Line> {
    meal(Target::Kai).into_iter().chain([rest]).collect()
}

#[test]
fn what_holds_on_every_way_is_not_remembered() {
    let sections = [
        (1, meal_and(Line::goto(2))),
        (2, vec![Line::block("if \"has seal\"", vec![Line::goto(3)]), change(false), Line::goto(4)]),
        (3, meal_and(Line::goto(5))),
        (4, meal_and(Line::goto(6))),
        (5, vec![Line::leaf("victory")]),
        (6, [change(true)].into_iter().chain(meal_and(Line::goto(5))).collect()),
    ];
    let text = "1 { eat; goto 2; }\n2 {\n    if \"has seal\" { goto 3; }\n    goto 4\n}\n3 { eat; goto 5; }\n\
                    4 { eat hunting=#false; goto 6; }\n5 { victory; }\n6 { eat; goto 5; }\n";
    assert_eq!(resolved(&sections, &[]), (text.into(), false));
}

#[test]
fn what_depends_on_the_way_is() {
    let sections = |last: Line| {
        [
            (1, vec![Line::block("choice \"a\"", vec![Line::goto(2)]), Line::block("choice \"b\"", vec![last])]),
            (2, meal_and(Line::leaf("victory"))),
        ]
    };
    let (text, asked) = resolved(&sections(Line::goto(3)), &[(3, "section 3 { set no-hunting; goto 2; }")]);
    assert!(asked && text.contains("if \"no-hunting\""), "{text}");
    let (text, asked) = resolved(&sections(Line::goto(3)), &[(3, "section 3 { goto 2; }")]);
    assert!(!asked && text.contains("2 { eat; victory; }"), "{text}");
    // The flag must stay declared if a patch sets it.
    let (_, asked) = resolved(&sections(Line::goto(2)), &[(9, "section 9 { set no-hunting; goto 8; }")]);
    assert!(asked);
    // The flag is needed if a patch tests it.
    let (text, asked) = resolved(&sections(Line::goto(2)), &[(9, "section 9 { if \"no-hunting\" { death; } }")]);
    assert!(asked && text.contains("2 { eat; victory; }"), "{text}");
}
