//! What goes wrong at the edges of the pages: wrong input, Back, wheels and keys that belong to the browser, old answers.
//! Needs Debian's packages chromium and chromium-driver; says so and passes where they are missing.

use browser::{Browser, Like};
use explorer::Ceilings;

const ENTER: &str = "\u{e007}";

/// A browser at a page of an Explorer over the small book.
async fn at(path: &str) -> Option<Browser> {
    let browser = browser::start(1200, 900, Like::default()).await?;
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}{path}")).await.unwrap();
    Some(browser)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_skip_link_skips_and_nothing_more() {
    let Some(browser) = at("/fighting-fantasy").await else { return };
    browser.text_when("#win", |text| text.starts_with("77.6")).await;
    browser.run("window.isTheSame = true; document.getElementById('keep_luck').value = '5'").await;
    browser.run("document.querySelector('.skip').click()").await;
    browser.run_until("return document.activeElement.id", "main").await;
    // A reload would need a moment.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let kept = browser.run("return [window.isTheSame, document.getElementById('keep_luck').value]").await;
    assert_eq!(kept, serde_json::json!([true, "5"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_input_is_reported_and_the_old_answer_is_marked() {
    let Some(browser) = at("/fighting-fantasy").await else { return };
    browser.text_when("#win", |text| text.starts_with("77.6")).await;
    browser.fill("#stamina", "0").await;
    browser.text_when("#stamina-wrong", |text| text == "This must be a whole number from 1 to 99").await;
    browser.text_when("#odds .old-note", |text| text.contains("Correct the fight first")).await;
    browser.fill("#stamina", "24").await;
    browser.run_until("return document.querySelectorAll('.old-note, .wrong').length", 0).await;
    browser.text_when("#win", |text| text.starts_with("77.6")).await;

    let address = browser.client.current_url().await.unwrap();
    let page = |path: &str| address.join(path).unwrap().to_string();
    browser.client.goto(&page("/slay-the-spire")).await.unwrap();
    browser.text_when("#worth", |text| text == "63.548").await;
    browser.click("#setup summary").await;
    browser.fill("#hp", "0").await;
    browser.text_when("#hp-wrong", |text| text.contains("from 1 to 250")).await;

    browser.client.goto(&page("/red-november")).await.unwrap();
    browser.text_when("#results .hint", |text| text.contains("ways to")).await;
    browser.fill("#within", "-1").await;
    browser.text_when("#within-wrong", |text| text.contains("from 0 to 999")).await;
    browser.text_when("#results .old-note", |text| text.starts_with("Old")).await;

    // A hero who cannot be is not solved, and the focus goes to what is wrong.
    browser.client.goto(&page("/gamebook?solve=true")).await.unwrap();
    browser.text_when("#answer .big", |text| text == "70.00 %").await;
    browser.click("#setup summary").await;
    browser.fill("#hero-combat_skill", "99").await;
    browser.run_until("return document.getElementById('answer').hidden", true).await;
    browser.click("#solve").await;
    browser.text_when("#hero-combat_skill-wrong", |text| text == "This must be a whole number from 10 to 19").await;
    browser.run_until("return document.activeElement.id", "hero-combat_skill").await;
    assert_eq!(browser.query().await, "");
    assert_eq!(browser.run("return document.getElementById('answer').hidden").await, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_and_a_finger_scroll_the_page_and_not_the_map() {
    let Some(browser) = at("/gamebook?solve=true").await else { return };
    browser.text_when("#answer .big", |text| text == "70.00 %").await;
    browser.text_when("#map [data-section='1'] title", |text| text.contains("70.00 %")).await;
    // Whether the page may scroll by it, and whether the map is zoomed.
    let wheel = |ctrl: bool| {
        format!(
            "const map = document.querySelector('#map svg'), before = map.getAttribute('viewBox'); \
             const scrolls = map.dispatchEvent(new WheelEvent('wheel', {{deltaY: -100, ctrlKey: {ctrl}, cancelable: true, bubbles: true}})); \
             return [scrolls, before === map.getAttribute('viewBox')]"
        )
    };
    assert_eq!(browser.run(&wheel(false)).await, serde_json::json!([true, true]));
    browser.text_when(".map-hint", |text| text.contains("Ctrl")).await;
    assert_eq!(browser.run(&wheel(true)).await, serde_json::json!([false, false]));
    let touch = browser.run("return getComputedStyle(document.querySelector('#map svg')).touchAction").await;
    assert_eq!(touch, "pan-x pan-y");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_the_browser_stay_the_browsers() {
    let Some(browser) = at("/red-november?result=5").await else { return };
    browser.text_when("#spent", |text| !text.is_empty()).await;
    for (place, key) in [
        ("document.body", "{key: 'Home'}"),
        ("document.body", "{key: 'ArrowLeft', altKey: true}"),
        ("document.querySelector('#steps button')", "{key: 'ArrowLeft', altKey: true}"),
    ] {
        let script = format!(
            "return {place}.dispatchEvent(new KeyboardEvent('keydown', {{...{key}, bubbles: true, cancelable: true}}))"
        );
        assert_eq!(browser.run(&script).await, true, "{place} {key}");
    }
}

/// Two answers lead to the same section.
const THREE_ANSWERS: &str = r#"
book "A title that is so long that it would make the page of a telephone wider than it is, if it could" format=1 rules="lone-wolf"
start 1
goal 4
hero { combat-skill 15; endurance 25; }
section 1 {
    choice "walk" { goto 2; }
    choice "swim" { goto 3; }
    choice "wade" { endurance -1; goto 3; }
    choice "stay" { goto 5; }
}
section 2 { pick { when 0 { death "a fall"; }; else { goto 4; }; }; }
section 3 { pick { when 0 3 { death "drowned"; }; else { goto 4; }; }; }
section 4 { victory; }
section 5 { death "of hunger"; }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compared_where_there_is_something_to_compare() {
    let Some(browser) = browser::start(1200, 900, Like::default()).await else { return };
    let host = browser::serve_book(THREE_ANSWERS).await;
    browser.client.goto(&format!("http://{host}/gamebook?solve=true&section=1")).await.unwrap();
    browser.text_when("#section tr.best td", |text| text.starts_with("walk")).await;
    // The best has nothing to be compared with.
    assert_eq!(browser.run("return document.querySelectorAll('[data-compare=\"1-2\"]').length").await, 0);
    browser.text_when("#section [data-compare='1-3']", |text| text == "Compare (2 answers)").await;
    browser.click("#first-choices [data-compare='1-3']").await;
    browser.text_when("[data-win=other] .big", |text| text == "60.00 %").await;
    // The answer is what one sees now.
    let top = "return Math.round(document.getElementById('answer').getBoundingClientRect().top) < innerHeight / 2";
    browser.run_until(top, true).await;
    browser.run_until("return document.getElementById('setup').open", false).await;
    // Where and how heroes die.
    browser.click("#answer [data-go='2']").await;
    browser
        .text_when("#die-here", |text| text.contains("10.00 % of all heroes die here") && text.contains("a fall"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_here_follows_the_hero() {
    let Some(browser) = at("/gamebook").await else { return };
    browser.text_when("#hero legend", |text| text == "Disciplines (1 of 2)").await;
    browser.fill("#hero-endurance", "20").await;
    browser.run_until("return document.getElementById('here-endurance').value", "20").await;
    browser.fill("#here-section", "2").await;
    browser.click("#advise").await;
    browser.text_when("#win-here", |text| text == "50.00 %").await;
    // Other gold: the advice is old until it is asked for again.
    browser.fill("#here-gold", "7").await;
    browser.text_when("#advice .old-note", |text| text.starts_with("Old")).await;
    browser.click("#advise").await;
    browser.text_when("#win-here", |text| text == "100.00 %").await;
    // The problem is shown beside the field.
    browser.fill("#here-section", "99").await;
    browser.text_when("#here-section-wrong", |text| text == "There is no section 99").await;
    browser.fill("#here-section", "6").await;
    browser.click("#advise").await;
    browser.text_when("#advice", |text| text.contains("You have won.")).await;
    // The address has it all, for a hero of less endurance than the book's as well.
    let address = browser.client.current_url().await.unwrap();
    browser.client.goto(address.as_str()).await.unwrap();
    browser.text_when("#advice", |text| text.contains("You have won.")).await;
    // From another section, to another goal.
    browser.fill("#start", "2").await;
    browser.fill("#goals", "6, 8").await;
    browser.click("#solve").await;
    browser.text_when("#answer .big", |text| text == "50.00 %").await;
    browser.query_when(|query| query.contains("start=2") && query.contains("goals=6&goals=8")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn back_leads_to_where_one_was() {
    let Some(browser) = at("/gamebook?solve=true&section=1").await else { return };
    browser.text_when("#section h2", |text| text == "Section 1").await;
    browser.run("document.getElementById('section').scrollIntoView()").await;
    browser.run_until("return history.state?.top === scrollY && scrollY > 100", true).await;
    let top = browser.run("return scrollY").await.as_f64().unwrap();
    browser.click("#section [data-go='3']").await;
    browser.text_when("#section h2", |text| text == "Section 3").await;
    browser.run("scrollTo(0, 0)").await;
    browser.client.back().await.unwrap();
    browser.text_when("#section h2", |text| text == "Section 1").await;
    browser.run_until(&format!("return Math.abs(scrollY - {top}) < 40"), true).await;
    // Solving leaves the focus in the answer.
    browser.click("#setup summary").await;
    browser.keys("#solve", ENTER).await;
    browser.run_until("return document.activeElement.id", "answer").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_example_brings_its_own_goals() {
    let Some(browser) = at("/fighting-fantasy?objective=stamina&keep_stamina=20&luck_allowed=false").await else {
        return;
    };
    browser.text_when("#odds h2", |text| text.contains("tamina")).await;
    browser.click("[data-preset=hell-demon]").await;
    browser.text_when("#win", |text| text.starts_with("77.6")).await;
    browser.query_when(str::is_empty).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_has_one_numbering_and_small_boats_are_small() {
    let Some(browser) = at("/red-november?rooms=chcccccccc&hatches=cbccccccccccccc").await else { return };
    browser.click("[data-to='3'] button").await;
    browser.text_when("#plan h3", |text| text.starts_with("To room 3")).await;
    browser.text_when("[data-to='3'] button", |text| text.contains("3 minutes, 2 rooms low: 1 and 2")).await;
    let numbers = "const table = [...document.querySelectorAll('#plan tbody tr')].filter((row) => !row.textContent.includes('Open hatch'))\
        .map((row) => row.cells[0].textContent); \
        return JSON.stringify(table) === JSON.stringify([...document.querySelectorAll('#plan .badge-number')].map((sign) => sign.textContent))";
    assert_eq!(browser.run(numbers).await, true);
    browser.click("#own summary").await;
    browser.fill("#board-text", "rooms: 1, 2, 3, 4\nhatches: 1-2, 2-3, 3-4\nstart: 1").await;
    browser.click("#use-board").await;
    browser.text_when("#results .hint", |text| text.contains("to 4 rooms")).await;
    let high = browser.run("return document.querySelector('#board svg').getBoundingClientRect().height").await;
    assert!(high.as_f64().unwrap() < 450.0, "{high}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_shows_all_of_it() {
    let Some(browser) = browser::start(360, 740, Like { dark: false, phone: true }).await else { return };
    let host = browser::serve_book(THREE_ANSWERS).await;
    for (path, ready, selector) in [
        ("/gamebook?solve=true&section=1", "#section table", ".compare, #book"),
        ("/slay-the-spire", "#worth", "#answer .big, .bars, #fight fieldset, #reward-title"),
        ("/red-november", "#board svg", "#board svg, #board .room, [data-result]"),
        ("/fighting-fantasy", "#cell table", "#map svg"),
    ] {
        browser.client.goto(&format!("http://{host}{path}")).await.unwrap();
        browser.text_when(ready, |_| true).await;
        assert_eq!(browser.run("return document.documentElement.scrollWidth <= innerWidth").await, true, "{path}");
        let script = format!(
            "return [...document.querySelectorAll('{selector}')].filter((e) => e.getBoundingClientRect().right > innerWidth \
             || e.getBoundingClientRect().left < 0).map((e) => e.outerHTML)"
        );
        assert_eq!(browser.run(&script).await, serde_json::json!([]), "{path}");
    }
    // Rooms are large enough for fingers.
    browser.client.goto(&format!("http://{host}/red-november")).await.unwrap();
    browser.text_when("#board svg", |_| true).await;
    let small = "return [...document.querySelectorAll('#board .reach, #board .wall')].filter((e) => e.getBoundingClientRect().width < 24).length";
    assert_eq!(browser.run(small).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_looks_for_is_in_view() {
    let Some(browser) = browser::start(1280, 800, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook")).await.unwrap();
    browser.click("#solve").await;
    browser.text_when("#answer .big", |text| text == "70.00 %").await;
    // The form is a line, and the answer stands below it.
    browser.run_until("return document.querySelector('#setup').open", false).await;
    let in_view = "const { top, bottom } = document.querySelector('#answer .big').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight";
    browser.run_until(in_view, true).await;
    // Bounds are rounded; their digits are for who opens them.
    let digits = "return [...document.querySelectorAll('#answer details')].every((own) => !own.open) && !/\\d\\.\\d{9}/.test(document.querySelector('#answer').innerText)";
    assert_eq!(browser.run(digits).await, true);
    browser.text_when("#map .section.landmark", |_| true).await;
    browser.click("#first-choices [data-go]").await;
    browser.text_when("#section table", |_| true).await;
    let wide = "return [...document.querySelectorAll('table')].filter((own) => own.offsetWidth > 641).length";
    assert_eq!(browser.run(wide).await, 0);

    // The map of luck says what goes down and what across, and numbers that are nearly alike have digits that differ.
    browser.client.goto(&format!("http://{host}/fighting-fantasy")).await.unwrap();
    browser
        .text_when("#map svg", |text| text.contains("the enemy's stamina") && text.contains("the hero's stamina"))
        .await;
    assert_eq!(browser.run(wide).await, 0);
}

/// How the ring around a section on the map is drawn: its colour, width and dashes.
const RING: &str = "const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(document.querySelector(arguments[0] + ' .disc')); \
    return [stroke, strokeWidth, strokeDasharray]";

async fn ring(browser: &Browser, section: &str) -> serde_json::Value {
    browser.client.execute(RING, vec![section.into()]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn choice_and_focus_differ_in_forced_colours_too() {
    let Some(browser) = at("/gamebook?solve=true&section=1").await else { return };
    browser.text_when("#section h2", |_| true).await;
    for forced in ["none", "active"] {
        let features = serde_json::json!({"features": [{"name": "forced-colors", "value": forced}]});
        browser.do_as_developer("Emulation.setEmulatedMedia", features).await;
        browser.run_until("return matchMedia('(forced-colors: active)').matches", forced == "active").await;
        // Plain, chosen, focused, and both.
        browser.run("document.querySelector('.skip').focus()").await;
        let (chosen, plain) = (ring(&browser, ".section.chosen").await, ring(&browser, ".section:not(.chosen)").await);
        let focus = "const all = [...document.querySelectorAll('.section')]; \
            all.find(e => e.classList.contains('chosen') === arguments[0]).focus({ focusVisible: true })";
        let mut rings = vec![plain, chosen];
        for is_chosen in [false, true] {
            browser.client.execute(focus, vec![is_chosen.into()]).await.unwrap();
            rings.push(ring(&browser, ".section:focus").await);
        }
        // The focus looks the same on chosen and on other elements.
        assert_eq!(rings[2], rings[3], "{forced}");
        for (place, one) in rings[..3].iter().enumerate() {
            for other in &rings[..place] {
                assert_ne!(one, other, "{forced}");
                // Not by their colours alone.
                assert_ne!((&one[1], &one[2]), (&other[1], &other[2]), "{forced}");
            }
        }
    }
    // The ramp keeps its colours where all others are the system's, and the ends of it differ.
    let colours = "return [...new Set([...document.querySelectorAll('.sections .disc')].map(e => getComputedStyle(e).fill))].length";
    assert!(browser.run(colours).await.as_u64().is_some_and(|colours| colours > 1));
    let ramp = "return getComputedStyle(document.querySelector('.ramp')).backgroundImage";
    assert_ne!(browser.run(ramp).await, "none");
    // Whatever can be pressed has an edge.
    let bare = "return [...document.querySelectorAll('button, input, select')].filter(e => e.checkVisibility() \
        && !['checkbox', 'range'].includes(e.type) && parseFloat(getComputedStyle(e).borderTopWidth) === 0).map(e => e.outerHTML)";
    assert_eq!(browser.run(bare).await, serde_json::json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_fingers_zoom_the_map_and_one_does_not() {
    let Some(browser) = browser::start(360, 740, Like { dark: false, phone: true }).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook?solve=true&section=1")).await.unwrap();
    browser.text_when("#section h2", |_| true).await;
    browser.run("document.querySelector('#map svg').scrollIntoView({ block: 'center', behavior: 'instant' })").await;
    let middle = browser.run("const r = document.querySelector('#map svg').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]").await;
    let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    let touch = async |kind: &str, fingers: &[f64]| {
        let points: Vec<_> = fingers
            .iter()
            .enumerate()
            .map(|(id, across)| serde_json::json!({"x": x + across, "y": y, "id": id}))
            .collect();
        browser
            .do_as_developer("Input.dispatchTouchEvent", serde_json::json!({"type": kind, "touchPoints": points}))
            .await;
    };
    // One finger moves nothing.
    let before = browser.query().await;
    touch("touchStart", &[0.0]).await;
    touch("touchMove", &[30.0]).await;
    touch("touchEnd", &[]).await;
    assert_eq!(browser.query().await, before);
    // Two that part make all of it larger, at a place between them.
    touch("touchStart", &[-20.0, 20.0]).await;
    for step in 1..=5 {
        touch("touchMove", &[-20.0 - 10.0 * f64::from(step), 20.0 + 10.0 * f64::from(step)]).await;
    }
    touch("touchEnd", &[]).await;
    let zoomed = |query: &str| {
        let zoom = query.split('&').find_map(|part| part.strip_prefix("map.zoom="));
        zoom.and_then(|zoom| zoom.parse::<u32>().ok()).is_some_and(|zoom| zoom > 150)
    };
    browser.query_when(zoomed).await;
}

/// What an author can write that is meant to be more than words.
const HOSTILE: &str = r#"
book "<script>document.title = 'run'</script> A title that goes on and on, as titles of books sometimes do, and then on" format=1 rules="lone-wolf"
start 1
goal 9
hero { combat-skill 15; endurance 25; gold 4; }
items { special bad-thing; container backpack holds=3; }
section 1 {
    text "<img src=x onerror=\"document.title='run'\"> text & more"
    choice "<b onclick=alert(1)>anunbrokenwordthatislongerthananylineonanyphonewouldeverbe</b>" { goto 2; }
    choice "<script>document.title='run'</script>" { gain bad-thing; goto 3; }
}
section 2 { fight "<i>Orc</i>\"'" skill=12 endurance=9; pick { when 0 4 { goto 9; }; else { death "</script><script>document.title='run'</script>"; }; }; }
section 3 { pick { when 0 8 { goto 9; }; else { death "a slip"; }; }; }
section 9 { victory; }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_an_author_writes_stays_words() {
    let Some(browser) = browser::start(360, 740, Like { dark: false, phone: true }).await else { return };
    let host = browser::serve_book(HOSTILE).await;
    let is_only_text = async |page: &str| {
        let found = browser
            .run(
                "return [document.title.includes('run') && !document.title.includes('<'), document.querySelectorAll('main b[onclick], main img, main script:not([type]), main i').length, \
                document.documentElement.scrollWidth > document.documentElement.clientWidth && [...document.querySelectorAll('main *')] \
                .filter((e) => !e.closest('.scroll') && e.getBoundingClientRect().right > document.documentElement.clientWidth).map((e) => e.outerHTML.slice(0, 200))]",
            )
            .await;
        assert_eq!(found, serde_json::json!([false, 0, false]), "{page}");
    };
    browser.client.goto(&format!("http://{host}/gamebook?solve=true&section=2&here.section=1")).await.unwrap();
    browser.text_when("#advice table", |text| text.contains("<script>document.title='run'</script>")).await;
    browser.text_when("#section", |text| text.contains("<i>Orc</i>\"'")).await;
    browser.text_when("#first-choices", |text| text.contains("<b onclick=alert(1)>")).await;
    is_only_text("the book").await;
    // However long an answer is, what it is worth stands beside it.
    let script = "const box = document.querySelector('#first-choices').closest('.scroll'); return box.scrollWidth - box.clientWidth";
    assert_eq!(browser.run(script).await, 0);
    browser.fill("#find", "script\u{e007}").await;
    browser.text_when("#found", |text| text.contains("</script>")).await;
    is_only_text("what was found").await;
    browser.client.goto(&format!("http://{host}/gamebook/walk?steps=1")).await.unwrap();
    browser.text_when("#log", |text| text.contains("<b onclick=alert(1)>")).await;
    browser.text_when("#walk-title", |text| text.contains("<script>document.title")).await;
    is_only_text("the walk").await;
    browser.client.goto(&format!("http://{host}/gamebook/walk")).await.unwrap();
    browser.text_when("#now .story", |text| text.contains("<img src=x")).await;
    is_only_text("its text").await;
}
