//! One journey through each page, in a real browser. Needs Debian's packages chromium and chromium-driver; says so
//! and passes where they are missing.

use browser::Like;
use explorer::Ceilings;
use fantoccini::Locator;

const UP: &str = "\u{e013}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";

#[tokio::test(flavor = "multi_thread")]
async fn fighting_fantasy_luck_sliders_and_a_cell() {
    let Some(browser) = browser::start(1200, 1000, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/fighting-fantasy")).await.unwrap();
    browser.text_when("#win", |text| text.starts_with("77.6")).await;
    browser.text_when("#win-without-luck", |text| text.starts_with("28.1")).await;

    // One skill worse, and luck 12: the map of the White Dragon.
    browser.keys("#difference", LEFT).await;
    browser.text_when("#difference-now", |text| text == "−3").await;
    browser.query_when(|query| query == "map.skill_difference=-3").await;
    // The 22nd column of the 24th row; the numbers beside the map take some of its width.
    let (width, height) = (24.0 * 16.0 + 38.0, 24.0 * 16.0 + 30.0);
    browser.mouse(&[("#map svg", (36.0 + 21.5 * 16.0) / width, (28.0 + 23.5 * 16.0) / height)], false).await;
    browser.text_when("#cell", |text| text.contains("Stamina 24 against 22") && text.contains("4.639 %")).await;
    // With the keyboard from there.
    browser.keys("#map svg", LEFT).await;
    browser.text_when("#cell", |text| text.contains("Stamina 24 against 21")).await;
    browser.keys("#map svg", &(RIGHT.to_owned() + ENTER)).await;
    browser.text_when("#win", |text| text.starts_with("4.639")).await;

    // Less luck is worth less.
    browser.keys("#map-luck", LEFT).await;
    browser.text_when("#cell", |text| !text.contains("4.639 %")).await;
    browser.query_when(|query| query.contains("map.luck=11") && query.contains("enemies=15/22")).await;

    // The address holds all of it.
    let address = browser.client.current_url().await.unwrap();
    browser.client.goto(address.as_str()).await.unwrap();
    browser.text_when("#win", |text| text.starts_with("4.639")).await;
    assert_eq!(
        browser.client.find(Locator::Id("map-luck")).await.unwrap().prop("value").await.unwrap().as_deref(),
        Some("11")
    );

    // Razaak, and another enemy.
    browser.click("[data-preset=razaak]").await;
    browser.text_when("#odds", |text| text.contains("dies of rounds lost in a row")).await;
    browser.click("#add-enemy").await;
    browser.query_when(|query| query.contains("enemies=12/20&enemies=12/20")).await;
    // A number that cannot be is marked, and nothing is asked.
    let skill = browser.client.find(Locator::Id("stamina")).await.unwrap();
    skill.clear().await.unwrap();
    skill.send_keys("0").await.unwrap();
    browser.client.find(Locator::Css("#stamina:invalid")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn slay_the_spire_the_fight_of_the_talk_is_fought() {
    let Some(browser) = browser::start(1200, 1000, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/slay-the-spire")).await.unwrap();
    browser.text_when("#worth", |text| text == "63.548").await;
    browser.text_when("#set-up", |text| text == "68 health and 11 cards against cultist").await;

    // The player gives the outcomes: the Cultist has 53 health, and three Strikes and two Defends are drawn.
    browser.click("#begin").await;
    browser.text_when("#asks", |text| text == "How do the enemies begin?").await;
    browser
        .run("[...document.querySelectorAll('[data-came]')].find((own) => own.textContent.includes('53')).click()")
        .await;
    browser.text_when("#win-now", |text| text == "64.292").await;
    browser.text_when("#asks", |text| text == "What is drawn?").await;
    browser.run("[...document.querySelectorAll('[data-came]')].find((own) => own.textContent === '3 strike, 2 defend').click()").await;
    browser.text_when("#win-now", |text| text == "65.696").await;
    // The best play, and back again.
    browser.text_when("#now .answers button.best", |text| text.contains("strike")).await;
    browser.click("#now .answers button.best").await;
    browser.query_when(|query| query.contains("%2Cp") || query.contains(",p")).await;
    browser.text_when("#mistakes", |text| text == "no mistake").await;
    browser.client.back().await.unwrap();
    browser.text_when("#hand", |text| text.contains("3 strike")).await;
    // An impossible fight in the address.
    browser.client.goto(&format!("http://{host}/slay-the-spire?hp=99")).await.unwrap();
    browser.text_when("#wrong-address", |text| text.contains("hp: it goes from 1 to max_hp, 75 here")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn red_november_a_board_set_up_and_stepped() {
    let Some(browser) = browser::start(1200, 1100, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    let clear = "/red-november?rooms=cccccccccc";
    browser.client.goto(&format!("http://{host}{clear}")).await.unwrap();
    browser.text_when("#results .hint", |text| text.starts_with("10 ways to 10 rooms")).await;

    // Room 2 to high water (clear, low, high), hatch 1-3 blocked (closed, open, blocked).
    browser.click("#board [data-room='2']").await;
    browser.query_when(|query| query == "rooms=clcccccccc").await;
    browser.click("#board [data-room='2']").await;
    browser.query_when(|query| query == "rooms=chcccccccc").await;
    browser.click("#board [data-hatch='1-3']").await;
    browser.click("#board [data-hatch='1-3']").await;
    browser.query_when(|query| query.contains("hatches=cbccccccccccccc")).await;

    // To room 3: water from room 2 into room 1, wade, and on.
    browser.click("[data-to='3'] button").await;
    browser.text_when("#plan h3", |text| text == "To room 3: 3 minutes, makes rooms 1 and 2 low").await;
    browser.text_when("#plan tbody", |text| text.contains("Water runs: rooms 1 and 2 become low")).await;
    browser.click("[data-step=first]").await;
    browser.text_when("#spent", |text| text == "0 of 5 actions, 0 minutes").await;
    for (step, spent) in [(1, "1 minute"), (2, "1 minute"), (3, "2 minutes"), (4, "3 minutes"), (5, "3 minutes")] {
        browser.click("[data-step=on]").await;
        browser.text_when("#spent", |text| text == format!("{step} of 5 actions, {spent}")).await;
    }
    browser.keys("[data-step=back]", LEFT).await;
    browser.query_when(|query| query.ends_with("&result=4&step=4") || query.contains("step=4")).await;
    let address = browser.client.current_url().await.unwrap();
    browser.client.goto(address.as_str()).await.unwrap();
    browser.text_when("#spent", |text| text == "4 of 5 actions, 3 minutes").await;

    // The gnome is dragged to room 5; with the keyboard room 8 catches fire and the gnome goes to it.
    browser.mouse(&[("#board .gnome circle", 0.5, 0.5), ("#board [data-room='5'] .wall", 0.2, 0.8)], true).await;
    browser.text_when("#status", |text| text == "The gnome is in room 5.").await;
    browser.keys("#board [data-room='8']", ENTER).await;
    browser.query_when(|query| query.contains("rooms=chcccccl")).await;
    browser.keys("#board [data-room='8']", "g").await;
    browser.text_when("#status", |text| text == "The gnome is in room 8, in low water.").await;

    // A boat of one's own, and one that is none.
    browser.click("#own summary").await;
    let text = browser.client.find(Locator::Id("board-text")).await.unwrap();
    text.clear().await.unwrap();
    text.send_keys("rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1").await.unwrap();
    browser.click("#use-board").await;
    browser.text_when("#results .hint", |text| text.contains("to 3 rooms")).await;
    let text = browser.client.find(Locator::Id("board-text")).await.unwrap();
    text.send_keys("\nstart: 2").await.unwrap();
    browser.click("#use-board").await;
    browser.text_when("#problem", |text| text.contains("the start room is given twice")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gamebook_a_hero_solved_and_a_section_clicked() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/gamebook")).await.unwrap();
    browser.text_when("#hero legend", |text| text == "Disciplines (1 of 2)").await;
    browser.click("#solve").await;
    browser.text_when("#answer .big", |text| text == "70.00 %").await;
    browser.text_when("#deaths tbody", |text| text.contains("30.00 %")).await;

    // A section of the map, its text, and what is asked there.
    browser.click("#map [data-section='1']").await;
    browser.query_when(|query| query == "solve=true&section=1").await;
    browser.text_when("#section h2", |text| text == "Section 1").await;
    browser.text_when("#story", |text| text.contains("If you trust the bridge")).await;
    browser.text_when("#section tr.best td", |text| text.starts_with("through the ford")).await;
    // By number, and with the keyboard from there.
    browser.client.find(Locator::Id("find")).await.unwrap().clear().await.unwrap();
    browser.keys("#find", &("3".to_owned() + ENTER)).await;
    browser.text_when("#died-here td", |text| text == "1").await;
    browser.query_when(|query| query.contains("section=3") && query.contains("map.x=")).await;
    browser.keys("#map [data-section='3']", &(RIGHT.to_owned() + ENTER)).await;
    browser.text_when("#section h2", |text| text == "Section 4").await;
    browser.click("#zoom-all").await;
    browser.query_when(|query| !query.contains("map.x=")).await;
    browser.mouse(&[("#map svg", 0.9, 0.9), ("#map svg", 0.6, 0.9)], true).await;
    browser.query_when(|query| query.contains("map.x=")).await;

    // The address holds all of it.
    let address = browser.client.current_url().await.unwrap();
    browser.client.goto(address.as_str()).await.unwrap();
    browser.text_when("#section h2", |text| text == "Section 4").await;

    // The other first choice beside it.
    browser.click("#first-choices [data-compare='1-2']").await;
    browser.text_when("[data-win=other] .big", |text| text == "50.00 %").await;
    browser.text_when("#map [data-section='2'] title", |text| text.contains("best play never comes")).await;
    browser.client.find(Locator::Id("of")).await.unwrap().select_by_value("other").await.unwrap();
    browser.text_when("#map [data-section='2'] title", |text| text.contains("100.00 % of heroes visit it")).await;

    // On the bridge with enough gold, and then with a rope.
    browser.keys("#here-section", "2").await;
    for _ in 0..3 {
        browser.keys("#here-gold", UP).await;
    }
    browser.click("#advise").await;
    browser.text_when("#advice tr.best td", |text| text == "pay → 6").await;
    browser.text_when("#win-here", |text| text == "100.00 %").await;
    // A hero who cannot be.
    let skill = browser.client.find(Locator::Id("here-endurance")).await.unwrap();
    skill.clear().await.unwrap();
    skill.send_keys("99").await.unwrap();
    browser.click("#advise").await;
    browser.text_when("#here-endurance-wrong", |text| text == "This must be a whole number from 1 to 25").await;
    // One rolled by the rules.
    browser.click("#setup summary").await;
    browser.click("[data-key=roll]").await;
    browser.text_when("#hero legend", |text| text == "Disciplines (2 of 2)").await;
    browser.client.goto(&format!("http://{host}/gamebook?hero.gold=99")).await.unwrap();
    browser.text_when("#wrong-address", |text| text.contains("99 gold")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gamebook_a_long_solve_is_cancelled() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve(Ceilings { solves: 1, ..Ceilings::default() }).await;
    browser.client.goto(&format!("http://{host}/gamebook?solve=true")).await.unwrap();
    browser.text_when("#progress-text", |text| text.contains("situations")).await;
    browser.click("#cancel").await;
    browser.text_when("#progress", str::is_empty).await;
    browser.query_when(str::is_empty).await;
    // The only place is free again.
    browser.keys("#here-section", "350").await;
    browser.click("#advise").await;
    browser.text_when("#win-here", |text| text == "100.00 %").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_fit_a_phone_and_obey_their_own_policy() {
    let Some(browser) = browser::start(360, 740, Like { dark: true, phone: true }).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    for (path, ready) in [
        ("/", ".games"),
        ("/gamebook?solve=true&compare=true&section=1&here.section=1", "#advice table"),
        ("/fighting-fantasy", "#cell table"),
        ("/slay-the-spire", "#worth"),
        ("/red-november?result=5", "#plan table"),
    ] {
        browser.client.goto(&format!("http://{host}{path}")).await.unwrap();
        browser.text_when(ready, |_| true).await;
        let script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let over = browser.client.execute(script, vec![]).await.unwrap();
        assert_eq!(over, 0, "{path} is wider than the window");
        // Everything that can be operated has a name.
        let script = "return [...document.querySelectorAll('button, input, select, textarea, a, [role=button]')]\
            .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)";
        assert_eq!(browser.client.execute(script, vec![]).await.unwrap(), serde_json::json!([]), "{path}");
    }
    // A script of a foreign page is not run.
    let script = "const done = arguments[0]; document.addEventListener('securitypolicyviolation', e => done(e.violatedDirective));\
        const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s);";
    assert_eq!(browser.client.execute_async(script, vec![]).await.unwrap(), "script-src-elem");
    assert_eq!(browser.client.execute("return window.ran ?? null", vec![]).await.unwrap(), serde_json::Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn lone_wolf_fights_side_by_side_and_when_to_run() {
    let Some(browser) = browser::start(1200, 1200, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/lone-wolf")).await.unwrap();
    browser.text_when("#win", |text| text == "15.03 %").await;
    browser.text_when("#odds", |text| text.contains("Endurance left after a victory")).await;

    // Mindblast, and from the third round on he may run: the figures of docs/lone-wolf.md.
    browser.click("#mindblast").await;
    browser.fill("#evade_from", "3").await;
    browser.text_when("#win", |text| text == "16.02 %").await;
    browser.text_when("#lives", |text| text == "100.00 %").await;
    browser.text_when("#run-when tbody", |text| text == "3 and later7–12any").await;
    browser.query_when(|query| query == "fights=15/25,22/30,mindblast,evade-from%3D3").await;

    // Another beside it, which wins more often.
    browser.click("#another").await;
    browser.fill("#evade_from", "").await;
    browser.click("#shield").await;
    browser.text_when("#win", |text| text != "16.02 %" && text.contains('%')).await;
    browser.text_when("#compared thead", |text| text.contains("shield")).await;
    browser.text_when("#compared tbody tr:nth-child(2)", |text| text.contains("0 %")).await;
    browser.keys("[data-fight='0']", ENTER).await;
    browser.text_when("#win", |text| text == "16.02 %").await;
    assert_eq!(browser.run("return document.activeElement.dataset.fight").await, "0");
    browser.query_when(|query| query.matches("fights=").count() == 2).await;

    // The address holds all of it; a weapon is there or not; wrong figures are reported.
    browser.client.refresh().await.unwrap();
    browser.text_when("#compared thead", |text| text.contains("shield") && text.contains("may run from round 3")).await;
    browser.click("#weaponskill").await;
    browser.click("#unarmed").await;
    browser.run_until("return document.getElementById('weaponskill').checked", false).await;
    browser.fill("#endurance", "0").await;
    browser.text_when("#odds .old-note", |text| text.contains("Correct the fight first")).await;
    browser.fill("#endurance", "25").await;
    browser.click("#remove").await;
    browser.query_when(|query| query.matches("fights=").count() == 1).await;
}
