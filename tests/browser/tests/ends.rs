//! Where pages could end: a wrong address, a walk that another would take the place of, a book that was edited since, one that is
//! too large. Needs Debian's packages chromium and chromium-driver; says so and passes where they are missing.

use browser::{Browser, Like};
use explorer::Ceilings;

const BOOK: &str = include_str!("../../../crates/app/explorer/tests/data/two-ways.kdl");

async fn window() -> Option<Browser> {
    browser::start(1200, 1200, Like::default()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reason_stays_beside_the_right_book_until_something_is_changed() {
    let Some(browser) = window().await else { return };
    let host = browser::serve(Ceilings::default()).await;
    for (address, reason, ready, text) in [
        ("/gamebook?book=nobook", "there is no book", "#hero", "Combat skill"),
        ("/gamebook?book=warlock-of-firetop-mountain&foo=1", "\"foo\" is no part", "#hero", "skill"),
        ("/gamebook?book=the-chasm-of-doom&hero.combat_skill=99", "a combat skill of 99", "#hero", "Combat skill"),
        ("/gamebook/walk?book=the-chasm-of-doom&steps=x", "is not a step", "#walk-title", "The Chasm of Doom"),
        ("/fighting-fantasy?skill=x", "the address says skill=x", "#win", "%"),
        ("/slay-the-spire?hp=x", "the address says hp=x", "#worth", "63"),
        ("/red-november?start=99", "room 99", "#results", "ways to"),
        ("/lone-wolf?at=9", "at is 9", "#compared", "Wins"),
    ] {
        browser.client.goto(&format!("http://{host}{address}")).await.unwrap();
        browser.text_when(ready, |own| own.contains(text)).await;
        // Whatever is answered meanwhile.
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        browser.text_when("#wrong-address", |own| own.contains(reason)).await;
        assert!(address.ends_with(&browser.query().await), "the address is as it was");
    }
    browser.client.goto(&format!("http://{host}/gamebook?book=the-chasm-of-doom&section=9999")).await.unwrap();
    browser.text_when("#hero", |text| text.contains("Combat skill")).await;
    browser.fill("#hero-combat_skill", "17").await;
    browser.run_until("return document.querySelector('#wrong-address') === null", true).await;
    browser.query_when(|query| query == "book=the-chasm-of-doom&hero.combat_skill=17").await;
}

/// How many steps the walk has that is kept.
const KEPT: &str = "return JSON.parse(localStorage.getItem('bestplay.walk.two-ways'))?.steps ?? 0";

#[tokio::test(flavor = "multi_thread")]
async fn no_walk_takes_the_place_of_another_without_a_word() {
    let Some(browser) = window().await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    let walk = format!("http://{host}/gamebook/walk?typed=true");
    browser.client.goto(&walk).await.unwrap();
    browser.click("[data-answer='2']").await;
    browser.click("[data-came='5']").await;
    browser.run_until(KEPT, 2).await;
    // Taken back, it is not forgotten.
    browser.click("#undo").await;
    browser.text_when("#asks", |_| true).await;
    browser.run_until(KEPT, 2).await;
    browser.click("[data-came='5']").await;
    browser.text_when("#fight", |_| true).await;

    // Another walk in another window.
    let first = browser.client.window().await.unwrap();
    let second = browser.client.new_window(true).await.unwrap().handle;
    browser.client.switch_to_window(second).await.unwrap();
    browser.client.goto(&walk).await.unwrap();
    browser.text_when("#resume", |text| text.contains("2 steps")).await;
    browser.click("[data-answer='1']").await;
    browser.text_when("#other-walk", |text| text.contains("of 2 steps")).await;
    browser.run_until(KEPT, 2).await;
    browser.click("#keep-this").await;
    browser.run_until(KEPT, 1).await;
    // The first one is asked likewise now.
    browser.client.switch_to_window(first).await.unwrap();
    browser.click("[data-key=fight]").await;
    browser.text_when("#other-walk", |text| text.contains("of 1 step:")).await;
    browser.run_until(KEPT, 1).await;

    // Who begins again is asked, and then it may go.
    browser.client.goto(&walk).await.unwrap();
    browser.click("#resume").await;
    browser.click("#again").await;
    browser.text_when(".again", |text| text.contains("Leave the 1 step of this walk?")).await;
    browser.click("#again-no").await;
    browser.run_until(KEPT, 1).await;
    browser.click("#again").await;
    browser.click("#again-yes").await;
    browser.run_until(KEPT, 0).await;
    browser.run_until("return document.querySelectorAll('[data-entry]').length", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_in_a_book_that_was_edited_says_so() {
    let Some(browser) = window().await else { return };
    let host = browser::serve_book(BOOK).await;
    browser.client.goto(&format!("http://{host}/gamebook/walk?typed=true")).await.unwrap();
    browser.click("[data-answer='2']").await;
    browser.query_when(|query| query.contains("&mark=")).await;
    let query = browser.query().await;
    browser.client.refresh().await.unwrap();
    browser.text_when("#asks", |_| true).await;
    assert_eq!(browser.run("return document.querySelector('#edited').hidden").await, true);
    let edited = browser::serve_book(&BOOK.replace("\"home\"", "\"back home\"")).await;
    browser.client.goto(&format!("http://{edited}/gamebook/walk?{query}")).await.unwrap();
    browser.text_when("#edited", |text| text.contains("has been edited since")).await;
    browser.text_when("#asks", |_| true).await;
    // Where its steps lead nowhere there is a way on, too.
    let other = browser::serve_book(&BOOK.replace(
        "choice \"through the ford\" { goto 3; }\n    choice \"home\" { goto 7; }",
        "choice \"home\" { goto 3; }",
    ))
    .await;
    let beyond = query.replace("steps=2", "steps=2,p5,2,9");
    browser.client.goto(&format!("http://{other}/gamebook/walk?{beyond}")).await.unwrap();
    browser.text_when("#edited:not([hidden])", |text| text.contains("has been edited since")).await;
    browser.text_when("#from-start", |_| true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_that_is_too_large_has_a_way_on() {
    let Some(browser) = window().await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook?book=shadow-on-the-sand&solve=true")).await.unwrap();
    browser.text_when("#known", |text| text.contains("66.98")).await;
    for link in ["#first-half", "#second-half", "#walk-plain"] {
        browser.client.goto(&format!("http://{host}/gamebook?book=shadow-on-the-sand&solve=true")).await.unwrap();
        browser.text_when("#instead", |_| true).await;
        browser.click(link).await;
        browser.text_when("#answer .big, .answers, #asks", |_| true).await;
    }
    // The walk begins without the odds by itself, and says why.
    browser.client.goto(&format!("http://{host}/gamebook/walk?book=shadow-on-the-sand")).await.unwrap();
    browser.text_when("#problem", |text| text.contains("without the odds") && text.contains("66.98")).await;
    browser.text_when(".answers, #asks", |_| true).await;
    browser.run_until("return document.querySelector('#odds').checked", false).await;
}
