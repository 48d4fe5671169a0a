//! What leaves the pages: their address, and their answers as files; and sections that are found by what they speak of.
//! Needs Debian's packages chromium and chromium-driver; says so and passes where they are missing.

use browser::{Browser, Like};
use explorer::Ceilings;
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

/// What is drawn by a file of the page, in a page of its own that has none of our styles: how many elements of each kind
/// have a fill that is a plain colour, and what its texts say.
async fn drawn(browser: &Browser, svg: &str) -> Value {
    let script = "const [text] = arguments, parsed = new DOMParser().parseFromString(text, 'image/svg+xml'); \
        if (parsed.querySelector('parsererror')) return parsed.documentElement.textContent; \
        const plain = /^(none|#[0-9a-f]{6}|rgba?\\(.*\\))$/; \
        return { circles: parsed.querySelectorAll('circle').length, texts: [...parsed.querySelectorAll('text')].map(e => e.textContent), \
            odd: [...parsed.querySelectorAll('*')].filter(e => ['fill', 'stroke'].some(n => e.hasAttribute(n) && !plain.test(e.getAttribute(n)))).map(e => e.outerHTML), \
            leftover: parsed.querySelectorAll('[class], [style], [id], [tabindex], script').length, ground: parsed.querySelector('rect').getAttribute('fill'), \
            hasVariables: text.includes('var(') };";
    browser.client.execute(script, vec![svg.into()]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_as_files_and_its_sections_found() {
    let Some(browser) = browser::start(1200, 1400, Like { dark: true, phone: false }).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook?solve=true")).await.unwrap();
    browser.text_when("#answer .big", |text| text == "70.00 %").await;

    // The address, where the browser lets it be copied, and a word that it was.
    browser.click(".copy").await;
    browser.text_when(".copy", |text| text == "Copied" || text == "The address is in the bar above").await;
    browser.text_when("#announcement", |text| text == "Copied" || text == "The address is in the bar above").await;

    // The answer is the endpoint's own, digit by digit.
    let hero = "combat-skill-15-endurance-25";
    browser.click("#answer [data-download$='.json']").await;
    let saved = browser.saved(&format!("two-ways-answer-{hero}.json")).await;
    let question = json!({"book": "two-ways"}).to_string();
    let script = "const [question, done] = arguments; fetch('/api/1/gamebook/solve', { method: 'POST', \
        headers: { 'Content-Type': 'application/json' }, body: question }).then((r) => r.text()).then(done);";
    let own = browser.client.execute_async(script, vec![question.into()]).await.unwrap();
    assert_eq!(saved.trim_end(), own.as_str().unwrap());

    browser.click(&format!("[data-download='two-ways-sections-{hero}.csv']")).await;
    let sections = browser.saved(&format!("two-ways-sections-{hero}.csv")).await;
    let lines: Vec<&str> = sections.lines().collect();
    assert_eq!((lines.len(), lines[0]), (9, "section,name,visited,win_if_here,die_here"));
    assert_eq!((lines[1], lines[2]), ("1,,1,0.7,0", "2,,0,,0"));
    assert!(lines[3].starts_with("3,,1,0.7,0.3"), "{sections}");
    browser.click(&format!("[data-download='two-ways-deaths-{hero}.csv']")).await;
    let deaths = browser.saved(&format!("two-ways-deaths-{hero}.csv")).await;
    assert!(deaths.starts_with("section,name,what,probability\n3,,drowned,0.3"), "{deaths}");

    // The map stands alone: no style of the page is needed, and all that can be written on it is.
    browser.click(&format!("[data-download='two-ways-map-{hero}.svg']")).await;
    let map = drawn(&browser, &browser.saved(&format!("two-ways-map-{hero}.svg")).await).await;
    assert_eq!(
        (&map["circles"], &map["odd"], &map["leftover"], &map["hasVariables"]),
        (&json!(8), &json!([]), &json!(0), &json!(false))
    );
    assert_eq!(map["ground"], "#15191d");
    let texts = map["texts"].as_array().unwrap();
    assert!(["1", "8", "70.00 %", "100.00 %"].iter().all(|text| texts.contains(&json!(text))), "{texts:?}");

    // An enemy is looked for: the link opens the section on the map.
    browser.fill("#find", "rat").await;
    browser.text_when("#found", |text| text == "Section 4 fight: Rat").await;
    browser.keys("#find", DOWN).await;
    browser.run_until("return document.activeElement.dataset.found ?? null", "4").await;
    browser.keys("[data-found='4']", ENTER).await;
    browser.text_when("#section h2", |text| text == "Section 4").await;
    browser.query_when(|query| query.contains("section=4") && query.contains("map.")).await;
    // Words that are nowhere; then nothing is looked for.
    browser.fill("#find", &("dragon".to_owned() + ENTER)).await;
    browser.text_when("#found", |text| text.contains("No section is called dragon")).await;
    browser.keys("#find", ESCAPE).await;
    browser.text_when("#found", str::is_empty).await;
    // Enter goes to the only one by its words, and at once by its number.
    browser.fill("#find", &("toll of pay".to_owned() + ESCAPE)).await;
    browser.fill("#find", &("2".to_owned() + ENTER)).await;
    browser.text_when("#section h2", |text| text == "Section 2").await;

    // Where a hero dies, the walk tells how.
    browser.client.goto(&format!("http://{host}/gamebook/walk?steps=2,p1")).await.unwrap();
    browser.text_when("#death", |text| text == "How heroes end here: drowned.").await;
    browser.click("[data-download='two-ways-walk.json']").await;
    let walk: Value = serde_json::from_str(&browser.saved("two-ways-walk.json").await).unwrap();
    assert_eq!((&walk["steps"], walk["log"].as_array().map(Vec::len)), (&json!(["2", "p1"]), Some(3)));
    browser.click("[data-download='two-ways-walk.csv']").await;
    let steps = browser.saved("two-ways-walk.csv").await;
    assert!(steps.contains("\n1,answer,through the ford,3,,0.7,0\n2,chance,Picked 1,3,,0,-0.7\n"), "{steps}");
    browser.click("[data-download='two-ways-walk-odds.svg']").await;
    let line = drawn(&browser, &browser.saved("two-ways-walk-odds.svg").await).await;
    assert_eq!((&line["odd"], &line["circles"]), (&json!([]), &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn fights_turns_and_boats_as_files() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/fighting-fantasy?map.luck=7")).await.unwrap();
    browser.text_when("#cell table", |_| true).await;
    browser.click("#map-files [data-download$='.csv']").await;
    let cells = browser.saved("map-of-luck-7-difference-minus-2.csv").await;
    assert!(cells.starts_with("stamina,enemy_stamina,win,win_without_luck,"), "{cells}");
    assert_eq!(cells.lines().count(), 24 * 24 + 1);
    browser.click("#map-files [data-download$='.svg']").await;
    let map = drawn(&browser, &browser.saved("map-of-luck-7-difference-minus-2.svg").await).await;
    assert_eq!((&map["odd"], &map["leftover"]), (&json!([]), &json!(0)));
    assert!(map["texts"].as_array().unwrap().len() > 20);

    browser.client.goto(&format!("http://{host}/slay-the-spire")).await.unwrap();
    browser.text_when("#worth", |_| true).await;
    browser.click("#answer [data-download$='.csv']").await;
    let name = browser.run("return document.querySelector(\"#answer [data-download$='.csv']\").dataset.download").await;
    let ends = browser.saved(name.as_str().unwrap()).await;
    assert!(ends.starts_with("health,probability\n35,") && ends.lines().count() == 21, "{ends}");

    browser.client.goto(&format!("http://{host}/red-november?result=2")).await.unwrap();
    browser.text_when("#plan table", |_| true).await;
    browser.click("#results [data-download$='.csv']").await;
    let ways = browser.saved("red-november-cchfhccccc-from-1-ways.csv").await;
    let count = browser.run("return document.querySelectorAll('#results [data-result]').length").await;
    assert_eq!(ways.lines().count() as u64, count.as_u64().unwrap() + 1);
    browser.click("#board-files [data-download$='.svg']").await;
    let boat = drawn(&browser, &browser.saved("red-november-cchfhccccc-from-1-boat.svg").await).await;
    assert_eq!((&boat["odd"], &boat["leftover"], &boat["hasVariables"]), (&json!([]), &json!(0), &json!(false)));
    assert!(boat["texts"].as_array().unwrap().contains(&json!("fire")));
}

#[tokio::test(flavor = "multi_thread")]
async fn models_and_fights_of_lone_wolf_as_files() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_models(Vec::new()).await;
    let address = format!("http://{host}/model?model=coin.prism&goal=done&reward=tosses&sense=min&solve=true");
    browser.client.goto(&address).await.unwrap();
    browser.text_when("#drawing svg", |text| text.contains("toss")).await;
    browser.click("#answer [data-download$='.json']").await;
    let answer: Value = serde_json::from_str(&browser.saved("coin.prism-answer.json").await).unwrap();
    assert!((answer["starts"][0]["value"]["decimal"].as_f64().unwrap() - 6.0).abs() < 1e-12, "{answer}");
    browser.click("#drawing [data-download$='.svg']").await;
    let around = drawn(&browser, &browser.saved("coin.prism-around-state-0.svg").await).await;
    assert_eq!((&around["odd"], &around["leftover"], &around["hasVariables"]), (&json!([]), &json!(0), &json!(false)));
    browser.fill("#find", &("heads=2, cheated=false, stopped=false".to_owned() + ENTER)).await;
    browser.click("#found [data-download$='.csv']").await;
    let states = browser.saved("coin.prism-states.csv").await;
    assert!(
        states.starts_with("state,described,over,value\n") && states.contains("heads=2, cheated=false"),
        "{states}"
    );
    browser.click("#answer .walk-link").await;
    browser.click(".answers .best").await;
    browser.text_when("#now", |text| text.contains("Chance decides")).await;
    browser.click("[data-download='coin.prism-walk.csv']").await;
    let walk = browser.saved("coin.prism-walk.csv").await;
    assert!(
        walk.starts_with("step,kind,text,state,described,value,change\n0,begin,") && walk.contains("\n1,answer,toss"),
        "{walk}"
    );
    browser.click("[data-download='coin.prism-walk-line.svg']").await;
    let line = drawn(&browser, &browser.saved("coin.prism-walk-line.svg").await).await;
    assert_eq!((&line["odd"], &line["leftover"]), (&json!([]), &json!(0)));

    browser.client.goto(&format!("http://{host}/lone-wolf")).await.unwrap();
    browser.text_when("#win", |_| true).await;
    browser.click("#odds [data-download$='-left.csv']").await;
    let name =
        browser.run("return document.querySelector(\"#odds [data-download$='-left.csv']\").dataset.download").await;
    let left = browser.saved(name.as_str().unwrap()).await;
    assert!(left.starts_with("endurance,probability\n") && left.lines().count() > 5, "{left}");
}
