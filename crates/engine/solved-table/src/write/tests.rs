use super::*;

#[test]
fn fields_with_separators_are_quoted() {
    assert_eq!(["sword meal=2", "a,b", "a\"b"].map(quoted), ["sword meal=2", "\"a,b\"", "\"a\"\"b\""]);
}

#[test]
fn json_is_whole_with_rows_and_without() {
    let layout = Layout { lines: "decks", cells: vec!["card".into()], values: vec!["health", "alive"], exact: false };
    let bounds = |value| Bounds { value, lower: 0.0, upper: 1.0 };
    let found = LineValues { bounds: vec![bounds(0.5), bounds(0.25)], exact: None };
    let card = [Cell::Names("anger".into())];
    for count in 0..3 {
        let mut out = Vec::new();
        let head = Map::from_iter([("format".into(), json!(1))]);
        write_json(head, &layout, vec![(&card[..], &found); count], &mut out).expect("a vector takes it");
        let read: Value = serde_json::from_slice(&out).expect("it is JSON");
        assert_eq!(read["decks"].as_array().map(Vec::len), Some(count));
        if count > 0 {
            assert_eq!(read["decks"][0]["alive"], json!(0.25));
            assert_eq!(read["columns"][5], json!("alive_lower"), "{read}");
        }
    }
}
