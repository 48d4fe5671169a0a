//! The first page in a browser: its sliders, the hero that it rolls, and the walk that it goes on with.

use browser::Like;
use explorer::Ceilings;

#[tokio::test(flavor = "multi_thread")]
async fn sliders_move_the_odds() {
    let Some(browser) = browser::start(1280, 800, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/")).await.unwrap();
    let before = browser.text_when("#win-luck", |text| text.ends_with(" %")).await;
    let script = "const skill = document.querySelector('#skill'); skill.value = 12; \
        skill.dispatchEvent(new Event('input')); return skill.disabled";
    browser.run_until("return document.querySelector('#skill').disabled", false).await;
    assert_eq!(browser.run(script).await, false);
    browser.text_when("#win-luck", |text| text != before).await;
    browser.text_when("#skill-now", |text| text == "12").await;
    let link = browser.run("return document.querySelector('#to-fight').href").await;
    assert!(link.as_str().is_some_and(|link| link.contains("skill=12")), "{link}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hero_is_rolled_and_sets_out() {
    let Some(browser) = browser::start(390, 844, Like { phone: true, dark: false }).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/")).await.unwrap();
    browser.text_when("#book-title", |text| text.contains("of 100")).await;
    browser.run_until("return document.querySelector('#roll').disabled", false).await;
    browser.click("#roll").await;
    browser.text_when("#roll", |text| text == "Roll another").await;
    browser.text_when("#book-words", |text| text.contains("of 100 win Two Ways by best play: combat skill ")).await;
    let link = browser.run("return document.querySelector('#to-walk').href").await;
    let link = link.as_str().unwrap_or_default().to_owned();
    assert!(link.contains("hero.combat_skill=") && link.contains("hero.disciplines="), "{link}");
    browser.client.goto(&link).await.unwrap();
    browser.text_when("#win-now", |_| true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_goes_on() {
    let Some(browser) = browser::start(1280, 800, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    let first = format!("http://{host}/");
    browser.client.goto(&first).await.unwrap();
    browser.text_when("#book-title", |text| text.contains("of 100")).await;
    assert_eq!(browser.run("return document.querySelector('#go-on').hidden").await, true, "nobody has walked yet");
    browser.client.goto(&format!("{first}gamebook/walk")).await.unwrap();
    browser.click("#now .answers button").await;
    browser.query_when(|query| query.contains("steps=")).await;
    browser.client.goto(&first).await.unwrap();
    browser.text_when("#go-on a", |text| text == "Go on with your walk through Two Ways").await;
    browser.click("#go-on a").await;
    browser.query_when(|query| query.contains("steps=")).await;
    browser.text_when("#log", |text| text.contains("Steps so far")).await;
}

/// The main button of every page is there without scrolling.
#[tokio::test(flavor = "multi_thread")]
async fn main_buttons_are_above_the_fold() {
    for (width, height, phone) in [(1280, 800, false), (390, 844, true)] {
        let Some(browser) = browser::start(width, height, Like { phone, dark: false }).await else { return };
        let host = browser::serve_two_ways(Ceilings::default()).await;
        for (page, button) in [
            ("/", "#roll"),
            ("/gamebook", "#solve"),
            ("/gamebook/series", "#solve"),
            ("/gamebook/walk", "#now .answers button"),
            ("/slay-the-spire", "#ask"),
            ("/slay-the-spire/act-1", "#ask"),
            ("/model", "#solve"),
        ] {
            browser.client.goto(&format!("http://{host}{page}")).await.unwrap();
            browser.text_when(button, |_| true).await;
            browser.run_until("return document.querySelectorAll('.busy').length", 0).await;
            let script =
                format!("return document.querySelector('{button}').getBoundingClientRect().bottom - innerHeight");
            let below = browser.run(&script).await;
            assert!(below.as_f64().is_some_and(|below| below <= 0.0), "{page}: {below} pixels below {height}");
        }
    }
}
