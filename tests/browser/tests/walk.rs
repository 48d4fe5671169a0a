//! A book walked through in a real browser, from its first section to its end. Needs Debian's packages chromium and
//! chromium-driver; says so and passes where they are missing.

use browser::{Browser, Like};
use explorer::Ceilings;
use serde_json::json;

/// What everything is called that can be operated and has no name, and by how much the page is wider than the window.
async fn is_well_made(browser: &Browser) {
    let script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.client.execute(script, vec![]).await.unwrap(), 0, "wider than the window");
    let script = "return [...document.querySelectorAll('button, input, select, textarea, a, [role=button]')]\
        .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)";
    assert_eq!(browser.client.execute(script, vec![]).await.unwrap(), json!([]));
    // Identifiers are unique, headings do not leap.
    let script = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, at) => ids.indexOf(id) !== at)";
    assert_eq!(browser.client.execute(script, vec![]).await.unwrap(), json!([]));
}

/// The number that has the focus, or the name of the element.
async fn focused(browser: &Browser) -> String {
    let script =
        "return document.activeElement.id || document.activeElement.dataset.key || document.activeElement.tagName";
    browser.client.execute(script, vec![]).await.unwrap().as_str().unwrap_or_default().to_owned()
}

/// An address of a walk without the mark of its book.
fn unmarked(query: &str) -> &str {
    query.split("&mark=").next().unwrap_or_default()
}

/// Begins a walk again, and says that this is meant.
async fn begin_again(browser: &Browser) {
    browser.click("#again").await;
    browser.text_when(".again", |text| text.contains("of this walk?")).await;
    browser.click("#again-yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_walked_with_typed_dice_corrected_taken_back_and_kept() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    // From the page of the book: an answer is a way into the walk.
    browser.client.goto(&format!("http://{host}/gamebook?solve=true&section=1")).await.unwrap();
    browser.text_when("#section tr.best td a", |text| text == "through the ford").await;
    browser.click("#walk-hero").await;
    browser.text_when("#win-now", |text| text == "70.00 %").await;
    browser.text_when("#now .story", |text| text.contains("If you trust the bridge")).await;
    browser.text_when(".answers .best", |text| text.contains("through the ford → 3") && text.contains("best")).await;

    // A mistake, and what it costs; taken back.
    browser.click("[data-answer='1']").await;
    browser.text_when("#win-now", |text| text == "50.00 %").await;
    browser.text_when("#mistakes", |text| text == "−20.000 points").await;
    browser.query_when(|query| unmarked(query) == "steps=1").await;
    browser.click("#undo").await;
    browser.text_when("#win-now", |text| text == "70.00 %").await;
    browser.query_when(str::is_empty).await;

    // What stands on the chart at home: five crowns pay for the bridge.
    browser.text_when("[data-line=gold]", |text| text == "gold 4").await;
    browser.click("#correct").await;
    let gold = browser.client.find(fantoccini::Locator::Css("#corrections [data-name=gold]")).await.unwrap();
    gold.clear().await.unwrap();
    gold.send_keys("5").await.unwrap();
    browser.click("#corrected").await;
    browser.text_when("#win-now", |text| text == "100.00 %").await;
    browser.text_when("[data-line=gold]", |text| text == "gold 5").await;
    browser.text_when("[data-entry='1']", |text| text.contains("Corrected: gold 5")).await;
    browser.query_when(|query| unmarked(query) == "steps=gold:5").await;
    browser.click("[data-answer='1']").await;
    browser.text_when(".answers", |text| text.contains("pay → 6")).await;
    // The browser's own Back takes a step back, too.
    browser.client.back().await.unwrap();
    browser.text_when("#now-title", |text| text == "Section 1").await;
    browser.click("[aria-label='Back to step 0']").await;
    browser.text_when("#win-now", |text| text == "70.00 %").await;

    // Through the ford, with the number from the table at home, typed and clicked.
    browser.click("#typed").await;
    browser.click("[data-answer='2']").await;
    browser.text_when("#asks", |text| text == "Pick a number from 0 to 9.").await;
    browser.keys("#came-up", "12\u{e007}").await;
    browser.text_when("#problem", |text| text.contains("one number from 0 to 9 is picked here")).await;
    browser.click("[data-came='5']").await;
    browser.text_when("#fight", |text| text.contains("Rat: combat skill 1, endurance 1")).await;
    browser.text_when("#luck", |text| text == "+30.000 points").await;
    browser.text_when("#log svg title", |_| true).await;
    browser.query_when(|query| unmarked(query) == "steps=2,p5&typed=true").await;

    // The address holds all of it, and the browser remembers it.
    browser.client.refresh().await.unwrap();
    browser.text_when("#fight", |text| text.contains("Rat")).await;
    browser.text_when("[data-entry='2']", |text| text.contains("Picked 5")).await;
    browser.client.goto(&format!("http://{host}/gamebook/walk")).await.unwrap();
    browser.text_when("#resume", |text| text.contains("2 steps")).await;
    browser.click("#resume").await;
    browser.text_when("#fight", |text| text.contains("Rat")).await;
    browser.keys("#came-up", "0\u{e007}").await;
    browser.text_when("#end", |text| text == "You have won").await;
    assert_eq!(focused(&browser).await, "now-title");
    browser.text_when("#announcement", |text| text == "You have won").await;
    is_well_made(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_walked_on_a_phone_with_rolled_dice_and_the_odds_hidden() {
    let Some(browser) = browser::start(360, 740, Like { dark: true, phone: true }).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook/walk?odds=false")).await.unwrap();
    browser.text_when(".answers", |text| !text.contains('%')).await;
    is_well_made(&browser).await;
    // Until the ford lets him through: every roll that does not is taken back.
    loop {
        browser.keys("[data-answer='2']", "\u{e007}").await;
        browser.keys("[data-key=roll]", "\u{e007}").await;
        let text =
            browser.text_when("#now", |text| text.contains("Section 3You are dead") || text.contains("Rat")).await;
        if text.contains("Rat") {
            break;
        }
        browser.text_when("#sheet", |text| text.contains("The dead have nothing")).await;
        begin_again(&browser).await;
        browser.text_when("#now-title", |text| text == "Section 1").await;
    }
    is_well_made(&browser).await;
    browser.click("[data-key=fight]").await;
    browser.text_when("#end", |text| text == "You have won").await;
    // Asked for in the end: what luck gave.
    browser.click("#odds").await;
    browser.text_when("#luck", |text| text == "+30.000 points").await;
    browser.text_when("#mistakes", |text| text == "no mistake").await;
    is_well_made(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_that_is_too_large_leads_to_the_odds_of_each_book_alone() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve_kai().await;
    browser.client.goto(&format!("http://{host}/gamebook/series")).await.unwrap();
    browser.text_when("#large", |text| text.contains("beyond this server's limits")).await;
    // Asked all the same, it says so, and what else there is.
    browser.click("#solve").await;
    browser
        .text_when(".problem:not([hidden])", |text| text.contains("too large") && text.contains("without the odds"))
        .await;
    browser.click("#walk a").await;
    browser.text_when("#now-title", |text| text == "Section 1 of Flight from the Dark").await;
    browser.text_when(".answers", |text| !text.contains('%')).await;
    is_well_made(&browser).await;
    // The odds of the book at hand, from where he stands.
    browser.click("#alone").await;
    browser.text_when("#walk-title", |text| text == "A walk through Flight from the Dark").await;
    browser.text_when("#win-now", |text| text.contains('%')).await;
    browser.text_when("#now-title", |text| text == "Section 1").await;
    browser.text_when(".answers .best", |text| text.contains("best")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_on_a_page_is_a_link_into_the_walk_at_that_place() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    for (path, ready, answers) in [
        ("/gamebook?solve=true&section=1", "#section [data-question]", "#section [data-question] tbody tr"),
        ("/gamebook?solve=true&section=1", "#section [data-question]", "#section .question details tbody tr"),
        ("/gamebook?solve=true", "#first-choices", "#first-choices tbody tr"),
        ("/gamebook?here.section=1&here.endurance=20", "#advice table", "#advice tbody tr"),
        ("/gamebook/series?solve=true", "#first-choices", "#first-choices tbody tr"),
        ("/model?goal=done&solve=true", "#choices", "#choices > tbody > tr"),
    ] {
        browser.client.goto(&format!("http://{host}{path}")).await.unwrap();
        browser.text_when(ready, |_| true).await;
        let script = format!(
            "const rows = [...document.querySelectorAll('{answers}')]; return [rows.length > 0, rows.filter((row) => !row.querySelector('a.walk-link')).length]"
        );
        assert_eq!(browser.run(&script).await, json!([true, 0]), "{path} {answers}");
        // Each of them leads to a walk that stands where the answer is one, and says what it is worth.
        let links = format!(
            "return [...new Set([...document.querySelectorAll('{answers} a.walk-link')].map((own) => own.href))]"
        );
        let links = browser.run(&links).await;
        for link in links.as_array().expect("links").iter().take(3) {
            browser.client.goto(link.as_str().expect("an address")).await.unwrap();
            browser.text_when("#win-now", |_| true).await;
            browser.text_when("#now .answers, #end, #asks", |_| true).await;
            assert_eq!(
                browser.run("return document.querySelector('.problem:not([hidden])')?.textContent ?? ''").await,
                ""
            );
        }
    }
}

/// Ten steps through a book with rules of its own, with dice from the table, and back to its beginning.
#[tokio::test(flavor = "multi_thread")]
async fn a_book_with_rules_of_its_own_is_walked_with_typed_dice() {
    let Some(browser) = browser::start(390, 844, Like { dark: false, phone: true }).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    let walk = "gamebook/walk?book=warlock-of-firetop-mountain&odds=false&typed=true";
    browser.client.goto(&format!("http://{host}/{walk}")).await.unwrap();
    browser
        .text_when("#sheet", |text| text.contains("skill") && text.contains("stamina") && text.contains("luck"))
        .await;
    let (mut rolled, mut answered) = (0, 0);
    for step in 1..=10 {
        let before = browser.query().await;
        let script = "return document.querySelector('#came-up') ? 'typed' : document.querySelector('[data-answer]') ? 'asked' : 'over'";
        match browser.run(script).await.as_str().expect("a word") {
            "typed" => {
                // As many dice as are asked for, each of which shows a 4.
                let asks = browser.text_when("#asks", |_| true).await;
                let dice: usize = asks
                    .split(|c: char| !c.is_alphanumeric())
                    .filter_map(|word| {
                        word.split_once('d')?.0.parse::<usize>().ok().or(word.starts_with('d').then_some(1))
                    })
                    .sum();
                browser.fill("#came-up", &format!("{}\u{e007}", vec!["4"; dice.max(1)].join(" "))).await;
                rolled += 1;
            }
            "asked" => {
                browser.keys("[data-answer='1']", "\u{e007}").await;
                answered += 1;
            }
            _ => break,
        }
        browser.query_when(|query| query != before).await;
        browser.text_when(&format!("[data-entry='{step}']"), |_| true).await;
        is_well_made(&browser).await;
    }
    assert!(rolled + answered > 2, "{rolled} rolled, {answered} answered");
    begin_again(&browser).await;
    browser.run_until("return document.querySelectorAll('[data-entry]').length", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn books_in_a_row_from_the_list_of_books_to_the_end_of_the_last() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook")).await.unwrap();
    browser.click("a[href='/gamebook/series?book=over']").await;
    browser.text_when("#volumes", |text| text.contains("The Purse") && text.contains("The Cliff")).await;
    browser.click("#solve").await;
    browser.text_when("#win", |text| text == "85.00 %").await;
    browser.text_when("#by-book", |text| text.contains("100.00 %") && text.contains("85.00 %")).await;
    browser.text_when("#deaths", |text| text.contains("1 of The Cliff") && text.contains("a fall")).await;
    is_well_made(&browser).await;
    // An answer is a link into the walk, at the question to which it is one.
    browser.text_when("#first-choices tr.best a", |text| text == "pay the guide").await;
    browser.click("#first-choices tr.best a").await;
    browser.text_when("#now-title", |text| text == "Section 1 of The Cliff").await;
    browser.text_when(".answers .best", |text| text.contains("pay the guide")).await;
    browser.client.back().await.unwrap();
    browser.text_when("#win", |text| text == "85.00 %").await;
    // Another hero: what was found is not about him.
    browser.fill("#hero-gold", "3").await;
    browser.run_until("return document.querySelector('#answer').hidden", true).await;
    browser.click("#solve").await;
    browser.text_when("#win", |text| text == "100.00 %").await;
    browser.fill("#hero-gold", "0").await;

    browser.click("#walk-series").await;
    browser.text_when("#walk-title", |text| text == "A walk through Over the cliff").await;
    browser.text_when("#now-title", |text| text == "Section 1 of The Purse").await;
    browser.text_when("#win-now", |text| text == "85.00 %").await;
    browser.text_when("#now .story", |text| text == "A purse lies here.").await;
    browser.click("#typed").await;
    browser.click("[data-came='7']").await;
    browser.text_when("#now-title", |text| text == "Section 2 of The Purse").await;
    browser.text_when("#luck", |text| text == "−15.000 points").await;
    browser.text_when(".answers .best", |text| text.contains("learn hunting")).await;
    is_well_made(&browser).await;
    browser.click(".answers .best").await;
    browser.text_when("#now-title", |text| text == "Section 1 of The Cliff").await;
    browser.text_when(".answers .best", |text| text.contains("climb")).await;
    browser.click(".answers .best").await;
    browser.click("[data-came='3']").await;
    browser.text_when("#end", |text| text == "You have won").await;
    browser.text_when("#now-title", |text| text == "Section 9 of The Cliff").await;
    // The address holds the walk; the way back leads to the page of the series.
    browser.client.refresh().await.unwrap();
    browser.text_when("#end", |text| text == "You have won").await;
    browser.client.find(fantoccini::Locator::LinkText("The page of the series")).await.unwrap().click().await.unwrap();
    browser.text_when("#volumes", |text| text.contains("The Purse")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_is_walked_on_from_the_middle_of_its_second_book() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook/series?book=over")).await.unwrap();
    browser.text_when("#here-volume", |text| text.contains("2. The Cliff")).await;
    let choose = "const own = document.querySelector('#here-volume'); own.value = '2'; own.dispatchEvent(new Event('change', { bubbles: true }))";
    browser.run(choose).await;
    browser.text_when("#here-hero", |text| text.contains("Disciplines (0 of 6)")).await;
    is_well_made(&browser).await;
    // Without a section, or in one that there is not, nothing is begun.
    browser.click("#walk-here").await;
    browser.text_when("#here-section-wrong", |text| text.contains("Missing")).await;
    browser.fill("#here-section", "7").await;
    browser.text_when("#here-section-wrong", |text| text == "There is no section 7 in The Cliff").await;
    browser.click("#walk-here").await;
    browser.fill("#here-endurance", "99").await;
    browser.text_when("#here-endurance-wrong", |text| text.contains("from 1 to 20")).await;
    browser.fill("#here-endurance", "7").await;
    browser.fill("#here-section", "1").await;
    browser.run_until("return document.querySelectorAll('.wrong').length", 0).await;
    browser.click("#here-hero [data-discipline='hunting']").await;
    browser.text_when("#here-hero", |text| text.contains("Disciplines (1 of 6)")).await;
    let boots = "const own = document.querySelector('#here-hero [data-key=add]'); own.value = 'boots'; own.dispatchEvent(new Event('change', { bubbles: true }))";
    browser.run(boots).await;
    browser.query_when(|query| query.contains("here.hero.items=boots") && query.contains("here.section=1")).await;
    // The page of the series keeps it.
    browser.client.refresh().await.unwrap();
    browser.text_when("#here-hero", |text| text.contains("Disciplines (1 of 6)") && text.contains("boots")).await;
    assert_eq!(browser.run("return document.querySelector('#here-endurance').value").await, "7");

    browser.click("#walk-here").await;
    browser.text_when("#now-title", |text| text == "Section 1 of The Cliff").await;
    browser.text_when("#who", |text| text.contains("boots") && text.contains("from section 1 of The Cliff")).await;
    browser.text_when("#win-now", |text| text == "70.00 %").await;
    browser.text_when("#sheet [data-line='endurance']", |text| text.contains('7')).await;
    browser.click("#typed").await;
    browser.text_when(".answers .best", |text| text.contains("climb")).await;
    browser.click(".answers .best").await;
    browser.click("[data-came='3']").await;
    browser.text_when("#end", |text| text == "You have won").await;
    browser.click("#undo").await;
    browser.text_when("#win-now", |text| text == "70.00 %").await;
    browser.click("[data-came='3']").await;
    browser.text_when("#end", |text| text == "You have won").await;
    // The address holds the walk, the browser remembers it, and the way back knows who stood where.
    browser.client.refresh().await.unwrap();
    browser.text_when("#end", |text| text == "You have won").await;
    browser.text_when("#luck", |text| text == "30.000 points" || text == "+30.000 points").await;
    browser.client.find(fantoccini::Locator::LinkText("The page of the series")).await.unwrap().click().await.unwrap();
    browser.text_when("#here-hero", |text| text.contains("Disciplines (1 of 6)") && text.contains("boots")).await;
    browser.client.goto(&format!("http://{host}/gamebook/walk?book=over")).await.unwrap();
    browser.click("#resume").await;
    browser.text_when("#end", |text| text == "You have won").await;
}
