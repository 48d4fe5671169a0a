//! Books of the later series become books for systems of rules.

use budget::Budget;
use import::{Extras, Imported, project_aon};

const BOOK: &str = include_str!("../data/lighthouse.xml");
const OBJECTS: &[u8] = b"<objects>
    <object id='oar'><name>Oar</name></object>
    <object id='brew' usageCount='3'><name>Brew</name><usage class='endurance' increment='4'/></object>
    <special id='harpoon' weaponType='spear'><name>Harpoon</name><effect class='combatSkill' increment='2'/></special>
    <special id='longbow' weaponType='bow'><name>Longbow</name><effect class='combatSkill' increment='1'/></special>
    <special id='seal'><name>Seal</name></special>
</objects>";

/// The book with these rules; it is read without errors.
fn imported(rules: Option<&str>) -> Imported {
    let rules = rules.map(|rules| format!("<mechanics>{rules}</mechanics>"));
    let extras = match &rules {
        Some(rules) => Extras { mechanics: Some(rules.as_bytes()), objects: Some(OBJECTS), patch: None },
        None => Extras::default(),
    };
    let book = project_aon(BOOK.as_bytes(), &extras, &Budget::unlimited()).unwrap();
    gamebook::read(&book.text).unwrap_or_else(|problems| panic!("{problems}\n{}", book.text));
    book
}

/// A section of it, with its lines joined.
fn section(book: &Imported, number: gamebook::SectionNumber) -> String {
    let start = book.text.find(&format!("\nsection {number} {{")).unwrap() + 1;
    let lines: Vec<&str> = book.text[start..].split("\n\n").next().unwrap().split_whitespace().collect();
    lines.join(" ")
}

/// A section with rules of its own.
fn ruled(number: gamebook::SectionNumber, rules: &str) -> String {
    let book = imported(Some(&format!("<section id='sect{number}'>{rules}</section>")));
    section(&book, number)
}

/// What is to be done in a section with such rules.
fn to_do(number: gamebook::SectionNumber, rules: &str) -> Vec<String> {
    let book = imported(Some(&format!("<section id='sect{number}'>{rules}</section>")));
    book.summary.todos.into_iter().filter(|(own, _)| *own == number).map(|(_, what)| what).collect()
}

#[test]
fn from_the_text_alone() {
    let book = imported(None);
    assert!(book.text.contains("book \"The Lighthouse\" format=1 rules=\"magnakai\"\n"), "{}", book.text);
    assert_eq!(
        section(&book, 1),
        "section 1 { roll \"d10 - 1\" { plus 2 if=\"huntmastery\" when 0 4 { goto 2; } when 5 11 { goto 3; } } }"
    );
    assert_eq!(section(&book, 2), "section 2 { if \"nexus and skills >= 4\" { goto 4; } else { goto 5; } }");
    assert_eq!(
        section(&book, 3),
        "section 3 { let rounds 0 fight \"Gulls\" skill=14 endurance=9 immune-to-mindblast=#true \
         immune-to-psi-surge=#true bonus=3 { local round max=4 before-round { round 1 if \"rounds <= 3\" \
         { rounds 1; } } escape if=\"round >= 2\" { goto 6; } } if \"rounds <= 3\" { goto 4; } else { goto 5; } }"
    );
}

#[test]
fn the_disciplines_determine_the_series() {
    for (word, rules) in [("Kai-alchemy", "grand-master"), ("Elementalism", "new-order"), ("Nexus", "magnakai")] {
        let text = BOOK.replace("The gulls", &format!("Your {word} fails. The gulls"));
        let book = project_aon(text.as_bytes(), &Extras::default(), &Budget::unlimited()).unwrap();
        assert!(book.text.contains(&format!("rules=\"{rules}\"")), "{word}");
        assert!(gamebook::read(&book.text).is_ok());
    }
}

#[test]
fn skills_bows_and_numbers() {
    assert_eq!(
        ruled(
            2,
            "<choiceState section='all' set='disabled'/><test hasDiscipline='nexus'><test expression='[KAILEVEL] >= 4'>\
             <choiceState section='sect4' set='enabled'/></test></test>\
             <test not='true' expression='[KAILEVEL] >= 4'><choiceState section='sect5' set='enabled'/></test>"
        ),
        "section 2 { todo \"no way leads on\" if \"nexus\" { if \"skills >= 4\" { goto 4; } else { goto 5; } } else \
         { if \"not (skills >= 4)\" { goto 5; } else { death \"not understood\"; } } }"
    );
    // The section adds four for a mastered bow, whatever the rules of the series add.
    assert_eq!(
        ruled(
            4,
            "<test canUseBow='false'><choiceState section='sect6' set='disabled'/></test><test hasCircle='circleFire'>\
             <randomTableIncrement increment='+1'/></test><randomTable><pick class='arrow' count='-1'/>\
             <case to='6'><choiceState section='sect6' set='disabled'/></case><case from='7'>\
             <choiceState section='sect5' set='disabled'/></case></randomTable>\
             <randomTableIncrement increment='[BOWBONUS]'/>"
        )
        .matches("r \"carried.aim + if(weaponmastery and weaponmastery.bow, 4, 0)\"")
        .count(),
        4
    );
    assert_eq!(
        ruled(
            5,
            "<randomTable><test expression='[RANDOM] % 2 == 0'><endurance count='-2'/></test>\
             <test expression='[RANDOM] % 2 == 1'><pick class='arrow' count='2'/></test></randomTable>\
             <choiceState section='sect7' set='disabled'/>"
        ),
        "section 5 { roll \"d10 - 1\" as=r if \"(r - 2 * down(r / 2)) = 0\" { endurance -2; goto 6; } \
         else { gain arrow 2; goto 6; } }"
    );
}

#[test]
fn things_are_traded_given_up_and_needed() {
    let shop = ruled(5, "<object objectId='oar' count='2' price='3'/><sell objectId='oar' price='2'/>");
    assert!(
        shop.starts_with(
            "section 5 { let bought-oar 0 repeat shop { choice \"sell oar for 2\" { require \"has oar\"; lose oar; gain gold 2; \
             again shop; } choice \"buy oar for 3\" { require \"gold >= 3 and bought-oar = 0\" set bought-oar 1 \
             lose gold 3 gain oar 2 again shop } choice \"leave the shop\" { } } choice \"climb\""
        ),
        "{shop}"
    );
    let put_down = "<onInventoryEvent><test expression='[BACKPACK-ITEMS-CNT-ON-ACTIONCHART] === 0 || \
                    [BACKPACK-ITEMS-CNT-ON-SECTION] > 0'><choiceState section='all' set='enabled'/></test>\
                    </onInventoryEvent><choiceState section='all' set='disabled'/>";
    assert!(ruled(5, put_down).starts_with("section 5 { give-up backpack 1 choice \"climb\""));
    // Where things lie about, what was put down is not known by its number.
    assert!(!to_do(5, &format!("<object objectId='oar'/>{put_down}")).is_empty());
    let needed = ruled(
        5,
        "<pick objectId='seal'/><choiceState section='all' set='disabled'/><onInventoryEvent><test hasObject='seal'>\
         <choiceState section='sect6' set='enabled'/></test></onInventoryEvent>",
    );
    assert_eq!(needed, "section 5 { repeat needed { gain seal if \"not has seal\" { again needed; } } goto 6 }");
    assert_eq!(to_do(5, "<object objectId='brew'/>"), ["a thing that can be used several times"]);
    assert_eq!(
        ruled(
            5,
            "<drop objectId='allobjects'/><endurance count='-2' permanent='true'/><combatSkill count='-1'/>\
                  <choiceState section='sect7' set='disabled'/>"
        ),
        "section 5 { lose-all weapons backpack special-items lose quiver endurance -2 endurance.initial -2 \
         combat-skill -1 goto 6 }"
    );
}

const WON: &str = "<afterCombats><choiceState section='sect5' set='disabled'/></afterCombats>";

#[test]
fn fights() {
    let fight = |rules: &str| ruled(6, &format!("{rules}{WON}"));
    assert_eq!(
        fight("<combat noPsiSurge='true' immuneTurns='2' turnLossIfWounded='-1' noWeapon='1'/>"),
        "section 6 { fight \"Keeper\" skill=20 endurance=30 immune-to-psi-surge=#true times-hurt=0 disarmed=1 { \
         local round max=4 before-round { round 1; } on blows { if \"hurt > 0\" { hurt 1; } } \
         end-of-round { if \"round = 1\" { set disarmed 0; } if \"round = 2\" { set times-hurt 1; } } } goto 7 }"
    );
    let hands = fight(
        "<combat combatSkillModifier='1' mindblastMultiplier='2' enemyCombatSkillModifier='-1' damageMultiplier='3'/>\
         <test currentWeapon='harpoon'><combat combatSkillModifierIncrement='+1'/></test>\
         <test currentWeapon='sword|axe' not='true'><combat damageMultiplier='0'/></test>\
         <afterCombatTurn turn='3'><combat combatSkillModifier='0' damageMultiplier='1'/></afterCombatTurn>",
    );
    assert_eq!(
        hands,
        "section 6 { fight \"Keeper\" skill=19 endurance=30 bonus=1 times-hit=3 psychic=4 { local round max=5 \
         before-round { round 1 if \"round = 1\" { if \"wielded.is-harpoon > 0\" { bonus 1; } } } \
         on blows { if \"wielded.is-sword + wielded.is-axe = 0\" { set hit 0; } } \
         end-of-round { if \"round = 3\" { set bonus 0; set times-hit 1; } } } goto 7 }"
    );
    assert_eq!(
        fight(
            "<combat mindforceEP='-2' eludeTurn='0' maxEludeTurn='4' eludeEnemyEP='9'/><afterElude>\
               <choiceState section='sect7' set='disabled'/></afterElude>"
        ),
        "section 6 { fight \"Keeper\" skill=20 endurance=30 strain=\"if(psi-screen, 0, 2)\" { local round max=6 \
         before-round { round 1; } escape if=\"round <= 4 and enemy.endurance <= 9\" { goto 5; } } goto 7 }"
    );
    let mock = fight("<combat fake='true'/>");
    assert!(
        mock.contains(
            "let whole endurance fight \"Keeper\" skill=20 endurance=30 { defeat leaves=1 { set endurance whole; \
                       goto 7; } } set endurance whole goto 7"
        ),
        "{mock}"
    );
}

#[test]
fn what_rounds_and_losses_decide() {
    let losses = "<choiceState section='all' set='disabled'/><afterCombatTurn turn='1'><disableCombats/>\
                  <test expression='[COMBATSENDURANCELOST] > [COMBATSENEMYLOST]'>\
                  <choiceState section='sect5' set='enabled'/></test>\
                  <test expression='[COMBATSENDURANCELOST] &lt;= [COMBATSENEMYLOST]'>\
                  <choiceState section='sect7' set='enabled'/></test></afterCombatTurn>";
    assert_eq!(
        ruled(6, losses),
        "section 6 { let lost 0 let dealt 0 fight \"Keeper\" skill=20 endurance=30 { local round max=3 on blows { \
         lost hurt; dealt \"min(hit, enemy.endurance)\"; } before-round { round 1; } end-of-round { if \"round = 1\" \
         { if \"lost > dealt\" { goto 5; } else { goto 7; } } } } if \"lost > dealt\" { goto 5; } else { goto 7; } }"
    );
    let ends = "<choiceState section='all' set='disabled'/><afterCombatTurn turn='4'><disableCombats/>\
                <choiceState section='sect5' set='enabled'/></afterCombatTurn><afterCombats>\
                <test expression='[COMBATSDURATION] &lt;= 4'><choiceState section='sect7' set='enabled'/></test></afterCombats>";
    assert!(!to_do(6, ends).contains(&"no way leads on".to_string()));
    let later =
        "<afterCombatTurn turn='2'><test hasDiscipline='nexus'><combat damageMultiplier='2'/></test></afterCombatTurn>";
    assert!(to_do(6, later).contains(&"a combat rule after a round".to_string()));
}

#[test]
fn where_text_and_rules_differ_a_person_has_to_look() {
    let nexus = |level: u8| {
        format!(
            "<test hasDiscipline='nexus' not='true'><choiceState section='sect4' set='disabled'/></test>\
             <test expression='[KAILEVEL] >= {level}' not='true'><choiceState section='sect4' set='disabled'/></test>"
        )
    };
    assert!(to_do(2, &nexus(4)).is_empty());
    assert_eq!(to_do(2, &nexus(6)), ["the text and the rules ask for different ranks"]);
    assert!(to_do(2, "").contains(&"the text asks for nexus, the rules do not".to_string()));
    assert_eq!(to_do(5, "<endurance count='-4'/>"), ["the text does not have the number 4 of the rules"]);
    assert_eq!(
        to_do(5, "<test hasDiscipline='curing'><endurance count='-2'/></test>"),
        ["the rules ask for curing, the text does not"]
    );
    assert!(
        to_do(2, "<choiceState section='sect4' set='disabled'/>")
            .contains(&"the text and the rules lead to different sections".to_string())
    );
    let ranked = "<test expression='[KAILEVEL] >= 4' not='true'><choiceState section='sect7' set='disabled'/></test>";
    assert_eq!(to_do(6, ranked), ["the text and the rules ask for different ranks"]);
    let passed_over = [
        "the text has 4 ENDURANCE points, the rules do not",
        "the text makes immune to mindblast, the rules do not",
        "the text makes immune to psi-surge, the rules do not",
        "the text picks a number, the rules do not",
    ];
    assert_eq!(to_do(7, "<meal/>"), passed_over);
    // Without rules what the text says plainly is taken.
    let book = imported(Some("<section id='sect6'/>"));
    assert_eq!(section(&book, 1), section(&imported(None), 1));
    let table = |to: u8| {
        format!(
            "<choiceState section='all' set='disabled'/><randomTable><case to='{to}'><choiceState section='sect2' \
             set='enabled'/></case><case from='{}'><choiceState section='sect3' set='enabled'/></case></randomTable>\
             <test hasDiscipline='hntmstry'><randomTableIncrement increment='+2'/></test>",
            to + 1
        )
    };
    assert!(to_do(1, &table(4)).is_empty());
    assert_eq!(to_do(1, &table(5)).len(), 2);
}
