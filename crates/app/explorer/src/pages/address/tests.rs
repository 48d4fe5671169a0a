use serde_json::json;

use super::*;

fn template() -> Value {
    json!({"skill": 7, "enemies": ["14/12"], "together": false, "within": null, "aim": "win", "map": {"luck": -1}})
}

#[test]
fn every_kind_of_part() {
    assert_eq!(read(&template(), ""), Ok(template()));
    let query = "skill=12&enemies=5%2F5&enemies=6/4&together=true&within=3&aim=stamina&map.luck=9";
    let expected = json!({"skill": 12, "enemies": ["5/5", "6/4"], "together": true, "within": 3, "aim": "stamina",
        "map": {"luck": 9}});
    assert_eq!(read(&template(), query), Ok(expected));
    assert_eq!(read(&template(), "enemies=").unwrap()["enemies"], json!([]));
    assert_eq!(read(&template(), "within=a&within=b&within=3").unwrap()["within"], json!(["a", "b", 3]));
    assert_eq!(read(&template(), "within=1&within=b&within=3").unwrap()["within"], json!([1, "b", 3]));
}

#[test]
fn what_is_written_is_read() {
    let state =
        json!({"skill": 9, "enemies": ["14/12"], "together": true, "within": 3, "aim": "a & b", "map": {"luck": 4}});
    let query = write(&template(), &state);
    assert_eq!(query, "skill=9&together=true&within=3&aim=a+%26+b&map.luck=4");
    assert_eq!(read(&template(), &query), Ok(state));
    for enemies in [json!([]), json!(["5/5", 6])] {
        let state = json!({"skill": 7, "enemies": enemies, "together": false, "within": null, "aim": "win", "map": {"luck": -1}});
        assert_eq!(read(&template(), &write(&template(), &state)), Ok(state));
    }
}

#[test]
fn a_wrong_address_is_about_what_it_names() {
    let about =
        json!({"skill": 9, "enemies": [], "together": false, "within": null, "aim": "flee", "map": {"luck": 0}});
    let wrong = Addressed::new(template(), about.clone(), "aim=flee&foo=1", |_| Ok(()));
    assert_eq!((wrong.state, wrong.template, wrong.problem.is_some()), (about.clone(), template(), true));
    let impossible = Addressed::new(template(), about.clone(), "skill=99", |_| Err(Problem::impossible("99", "9")));
    assert_eq!((&impossible.state, impossible.problem.is_some()), (&about, true));
    let right = Addressed::new(template(), about, "skill=8", |_| Ok(()));
    assert_eq!((right.state["skill"].clone(), right.problem), (json!(8), None));
    assert_eq!((word("a=1&book=b%20c", "book"), word("a=1", "book")), ("b c".into(), String::new()));
}

#[test]
fn what_is_no_address() {
    for (query, message) in [
        ("skil=12", "\"skil\" is no part of this page's address"),
        ("map.luck.x=1", "\"map.luck.x\" is no part of this page's address"),
        ("map=1", "the address says map=1"),
        ("skill=99999999999999999999", "the address says skill=99999999999999999999"),
        ("together=maybe", "the address says together=maybe"),
        ("skill=1&aim=win&skill=2", "the address says skill more than once"),
        ("aim=win&aim=win", "the address says aim more than once"),
        ("map.luck=1&map.luck=1", "the address says map.luck more than once"),
    ] {
        assert_eq!(read(&template(), query).unwrap_err().message, message);
    }
}
