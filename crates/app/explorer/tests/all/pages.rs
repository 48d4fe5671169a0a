//! The pages as they come from the server, and who gets them.

use crate::common::{JSON, get, request, start};
use explorer::Ceilings;

const PAGES: [(&str, &str); 6] = [
    ("/", "What are my odds"),
    ("/gamebook", "Gamebook"),
    ("/fighting-fantasy", "Fighting Fantasy"),
    ("/lone-wolf", "Lone Wolf"),
    ("/slay-the-spire", "Slay the Spire"),
    ("/red-november", "Red November"),
];

#[tokio::test]
async fn every_page_and_everything_it_loads() {
    let host = start(Ceilings::default()).await;
    for (path, words) in PAGES {
        let page = get(&host, path).await;
        assert_eq!(page.status, 200);
        assert!(page.body.contains(words), "{path}");
        for header in
            ["script-src 'self'", "default-src 'none'", "x-content-type-options: nosniff", "frame-ancestors 'none'"]
        {
            assert!(page.head.contains(header), "{path}: {header}");
        }
        let sources = ["href=\"", "src=\""].iter().flat_map(|before| page.body.split(before).skip(1));
        let sources = sources.filter_map(|rest| rest.split('"').next()).map(|address| address.replace("&amp;", "&"));
        for address in sources.filter(|address| !address.starts_with('#')) {
            assert!(address.starts_with('/'), "{path} loads {address} from elsewhere");
            assert_eq!(get(&host, &address).await.status, 200, "{address}");
        }
        // The policy forbids scripts and styles within the page.
        assert!(!page.body.contains("style=\"") && !page.body.contains("onclick"), "{path}");
    }
    for module in ["address.js", "api.js", "dom.js"] {
        let reply = get(&host, &format!("/assets/{module}")).await;
        assert!(reply.head.contains("text/javascript") && reply.body.contains("export"));
    }
}

#[tokio::test]
async fn the_address_is_the_state() {
    let host = start(Ceilings::default()).await;
    for (address, part) in [
        (
            "/fighting-fantasy?skill=9&enemies=5/5&enemies=6/4&together=true&map.luck=7",
            r#""enemies":["5/5","6/4"],"together":true"#,
        ),
        ("/slay-the-spire?enemy_hp=53&deck=strike=5&deck=bash%2B&hp=60", r#""deck":["strike=5","bash+"]"#),
        (
            "/lone-wolf?fights=15/25,22/30&fights=17/20,20/28,untouchable=always&at=1",
            r#""17/20,20/28,untouchable=always"],"at":1"#,
        ),
        ("/red-november?rooms=chhfhccccc&start=5&to=3", r#""rooms":"chhfhccccc""#),
        (
            "/gamebook?hero.combat_skill=19&hero.items=&hero.lost=seal&section=337&here.section=10&here.flags=password&map.zoom=300",
            r#""hero":{"combat_skill":19,"endurance":25,"#,
        ),
        ("/gamebook?compare=true&other.hero.gold=50&other.insist.section=1&other.insist.to=160", r#""to":160"#),
    ] {
        let page = get(&host, address).await;
        assert_eq!(page.status, 200, "{}", page.body);
        assert!(page.body.contains(part), "{address}");
    }
}

#[tokio::test]
async fn wrong_addresses_say_what_is_wrong() {
    let host = start(Ceilings::default()).await;
    for (address, status, message) in [
        ("/nowhere", 404, "there is nothing at this address"),
        ("/assets/..%2f..%2fCargo.toml", 404, "there is no such file"),
        ("/assets/../../etc/passwd", 404, "there is nothing at this address"),
        ("/fighting-fantasy?skil=3", 400, "is no part of this page's address"),
        ("/fighting-fantasy?skill=x", 400, "the address says skill=x"),
        ("/fighting-fantasy?stamina=0", 422, "the hero's stamina is 0"),
        ("/fighting-fantasy?map.skill_difference=50", 422, "skill_difference is 50"),
        ("/slay-the-spire?hp=0", 422, "hp: it goes from 1 to max_hp, 75 here"),
        ("/slay-the-spire?deck=strik", 422, "did you mean strike?"),
        ("/gamebook?book=none", 422, "there is no book"),
        ("/gamebook?hero.combat_skill=9", 422, "a combat skill of 9: a hero has 10 to 19"),
        ("/gamebook?hero.endurance=300", 422, "invalid value: integer `300`"),
        ("/gamebook?hero.items=anvil", 422, "there is no item"),
        ("/gamebook?compare=true&other.insist.section=1&other.insist.to=9", 422, "no choice of section 1 leads to 9"),
        ("/gamebook?section=351", 422, "there is no section 351 in this book"),
        ("/gamebook?here.section=x", 422, "invalid type: string"),
        ("/gamebook?here.flags=tall", 422, "there is no flag"),
        ("/gamebook?here.items=anvil", 422, "there is no item"),
        ("/gamebook?map.zoom=near", 400, "the address says map.zoom=near"),
        ("/gamebook?map.of=me", 400, "the address says map.of=me"),
        ("/lone-wolf?at=1", 422, "at is 1"),
        ("/lone-wolf?fights=", 422, "there are 0 fights"),
        ("/lone-wolf?fights=15/25,22/30,flying", 422, "unknown field `flying`"),
        ("/lone-wolf?fights=15/25,22/30,bonus=x", 422, "invalid type"),
        ("/lone-wolf?fights=15/25,22/30,shield,shield", 422, "shield is given twice"),
        ("/lone-wolf?fights=15/0,22/30", 422, "endurance is 0"),
        ("/lone-wolf?fights=3", 422, "the hero has no figures"),
        ("/lone-wolf?fights=%3Cscript%3E", 422, "&lt;script&gt;"),
        ("/red-november?rooms=cc", 422, "2 rooms are too few"),
        ("/red-november?start=99", 422, "the start, room 99, is not on the board"),
        ("/red-november?to=%3Cscript%3E", 422, "&lt;script&gt;"),
        ("/red-november?board=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E", 422, "room 1 is `&lt;/script&gt;"),
    ] {
        let reply = get(&host, address).await;
        assert_eq!(reply.status, status, "{address}: {}", reply.body);
        assert!(reply.body.contains(message), "{address}: {}", reply.body);
        assert!(!reply.body.contains("<script>"), "{address}");
    }
}

#[tokio::test]
async fn only_its_own_pages_may_ask() {
    let host = start(Ceilings::default()).await;
    let path = "/api/1/red-november/routes";
    for (name, value, status) in [
        ("Host", "evil.example", 421),
        ("Host", "evil.example:80", 421),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Sec-Fetch-Site", "same-origin", 200),
    ] {
        let reply = request(&host, "POST", path, &[JSON, (name, value)], b"{}").await;
        assert_eq!(reply.status, status, "{name}: {value}");
    }
    let own = format!("http://{host}");
    assert_eq!(request(&host, "POST", path, &[JSON, ("Origin", &own)], b"{}").await.status, 200);
    assert_eq!(request(&host, "GET", "/", &[("Host", "evil.example")], b"").await.status, 421);
}
