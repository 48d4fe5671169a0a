//! A model and a game of one's own in a real browser. Needs Debian's packages chromium and chromium-driver; says so and
//! passes where they are missing.

use browser::{Browser, Like};
use explorer::OfferedModel;
use mdp::{Distribution, Game, Turn};
use serde_json::json;

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";

/// Rolls a die, and once more if the first roll is not kept: 17/4.
struct Dice;

impl Game for Dice {
    type State = (u8, u8);
    type Action = &'static str;

    fn starts(&self) -> Vec<Distribution<(u8, u8)>> {
        vec![Distribution::certain((2, 0))]
    }

    fn rules(&self, &(left, shown): &(u8, u8), turn: &mut Turn<(u8, u8), &'static str>) {
        if left == 0 {
            return turn.end(shown);
        }
        turn.choice("roll").uniform((1..=6).map(|eyes| (left - 1, eyes)));
        if shown > 0 {
            turn.choice("keep").to((0, shown));
        }
    }
}

fn dice() -> OfferedModel {
    let described = |&(left, shown): &(u8, u8)| format!("{shown} shown, {left} left");
    OfferedModel::described_game("Dice", Dice, described, |action| (*action).into())
}

/// Nothing scrolls sideways, every control has a name, and no name stands twice.
async fn is_well_made(browser: &Browser) {
    let wide = browser.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth").await;
    assert_eq!(wide, json!(false), "the page is wider than the window");
    let nameless = "return [...document.querySelectorAll('button, input, select, a, [role=button]')]\
        .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)";
    assert_eq!(browser.run(nameless).await, json!([]));
    let twice = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, at) => ids.indexOf(id) !== at)";
    assert_eq!(browser.run(twice).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_within_bounds_and_its_answers_lead_into_a_walk() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve_models(Vec::new()).await;
    browser.client.goto(&format!("http://{host}/model")).await.unwrap();
    browser.text_when("#about", |text| text.contains("Labels: done")).await;
    // A wrong number of choices is reported beside its field, and no question is sent.
    browser.fill("#within", "-3").await;
    browser.click("#solve").await;
    browser.text_when("#within-wrong", |text| text.contains("whole number")).await;
    browser.fill("#within", "3").await;
    browser.fill("#bounds", "gold=2").await;
    browser.click("#solve").await;
    browser.text_when(".problem:not([hidden])", |text| text.contains("no reward model `gold`")).await;
    // The cheat and two tosses.
    browser.fill("#bounds", "tosses=2").await;
    browser.click("#solve").await;
    browser.text_when("#answer .big", |text| text == "25.00 %").await;
    browser.text_when("#answer h2", |text| text.contains("within 3 choices, tosses at most 2")).await;
    browser.text_when("#state-title", |text| text.contains("left: steps 3, tosses 2")).await;
    browser.query_when(|query| query.contains("within=3") && query.contains("bounds=tosses%3D2")).await;
    is_well_made(&browser).await;
    // An answer is a link into the walk in which it is given.
    browser.click("#choices tr[data-choice='1'] a").await;
    browser.text_when("#who", |text| text.contains("within 3 choices")).await;
    browser.text_when("[data-entry='1']", |text| text.contains("You: cheat")).await;
    browser.text_when("#now-title", |text| text.contains("left: steps 2, tosses 2")).await;
    browser.text_when("#mistakes", |text| text == "no mistake").await;
    is_well_made(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_looked_at_and_walked_to_its_end() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_models(Vec::new()).await;
    browser.client.goto(&format!("http://{host}/")).await.unwrap();
    browser.click(".games a[href='/model']").await;
    browser.text_when("#about", |text| text.contains("Labels: done")).await;
    // The only label is the default goal.
    browser.fill("#goal", "heads=9=").await;
    browser.click("#solve").await;
    browser.text_when(".problem:not([hidden])", |text| text.contains("expected")).await;
    browser.fill("#goal", "done").await;
    browser.run("const say = (id, value) => { document.getElementById(id).value = value; }; say('reward', 'tosses'); say('sense', 'min')").await;
    browser.click("#exact").await;
    browser.click("#solve").await;
    browser.text_when("#answer .big", |text| text == "6").await;
    browser.text_when("#answer h2", |text| text.contains("the smallest expected tosses until done")).await;
    browser.text_when("#choices tr.best td", |text| text == "toss (best) earns 1").await;
    browser.text_when("#choices tr.best td a.walk-link", |text| text == "toss").await;
    browser
        .query_when(|query| {
            query.contains("goal=done") && query.contains("reward=tosses") && query.contains("solve=true")
        })
        .await;
    is_well_made(&browser).await;

    // Where it leads: with the keyboard to a neighbour, and Back again.
    browser.text_when("#drawing svg", |text| text.contains("toss") && text.contains("50.00 %")).await;
    browser.keys("[data-round='0']", &(RIGHT.to_owned() + ENTER)).await;
    browser.query_when(|query| query.contains("state=")).await;
    browser.run_until("return document.activeElement.dataset.round !== undefined", true).await;
    browser.client.back().await.unwrap();
    browser.text_when("#state-title", |text| text.starts_with("State 0: heads=0")).await;

    // A state that is looked for.
    browser.fill("#find", "heads=2, cheated=false, stopped=false").await;
    browser.keys("#find", ENTER).await;
    browser.text_when("#states tbody", |text| text.contains("heads=2")).await;
    browser.click("#states [data-state]").await;
    browser.text_when("#state-title", |text| text.contains("heads=2, cheated=false")).await;
    browser.text_when("#choices tr.best", |text| text.starts_with("cheat (best)")).await;

    // From the beginning: a toss that came at the table, one that is rolled, and so on to the end.
    browser.click("#answer .walk-link").await;
    browser.text_when("#win-now", |text| text == "6").await;
    browser.click("#typed").await;
    browser.click(".answers .best").await;
    browser.text_when("#asks", |text| text.contains("You chose toss")).await;
    browser.fill("#came-up", "99").await;
    browser.keys("#came-up", ENTER).await;
    browser.text_when(".problem:not([hidden])", |text| text.contains("state 99 cannot come up here")).await;
    let heads = "return [...document.querySelectorAll('[data-came]')].find((own) => own.textContent.includes('heads=1')).click()";
    browser.run(heads).await;
    browser.text_when("#now-title", |text| text.contains("heads=1")).await;
    browser.text_when("#earned", |text| text == "Earned so far: 1").await;
    browser.text_when("#win-now", |text| text == "5").await;
    is_well_made(&browser).await;
    loop {
        browser.click(".answers .best").await;
        let text =
            browser.text_when("#now", |text| text.contains("goal is reached") || text.contains("Chance decides")).await;
        if text.contains("goal is reached") {
            break;
        }
        browser.click("[data-key=roll]").await;
        browser.text_when("#now .answers", |_| true).await;
    }
    browser.text_when("#mistakes", |text| text == "no mistake").await;
    browser.text_when("#log svg title", |_| true).await;
    let address = browser.client.current_url().await.unwrap();
    browser.client.goto(address.as_str()).await.unwrap();
    browser.text_when("#end", |text| text == "The goal is reached").await;
    browser.click("[aria-label='Back to step 0']").await;
    browser.text_when("#win-now", |text| text == "6").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_ones_own_on_a_phone() {
    let Some(browser) = browser::start(360, 740, Like { dark: true, phone: true }).await else { return };
    let host = browser::serve_models(vec![dice()]).await;
    browser.client.goto(&format!("http://{host}/model?model=Dice&exact=true")).await.unwrap();
    browser.text_when("#answer .big", |text| text == "4.25").await;
    browser.text_when("#surely", |text| text == "Exactly 17/4").await;
    browser.text_when("#state-title", |text| text == "State 0: 0 shown, 2 left").await;
    browser.text_when("#drawing svg", |text| text.contains("roll")).await;
    is_well_made(&browser).await;
    browser.click("#answer .walk-link").await;
    browser.keys(".answers .best", ENTER).await;
    browser.keys("[data-key=roll]", ENTER).await;
    // A mistake costs what it costs, and is taken back.
    browser.click(".answers button:not(.best)").await;
    browser.text_when("#mistakes", |text| text.starts_with('−')).await;
    is_well_made(&browser).await;
    browser.click("#undo").await;
    browser.text_when("#mistakes", |text| text == "no mistake").await;
}
