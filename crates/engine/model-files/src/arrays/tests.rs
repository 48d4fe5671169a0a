use super::*;

fn built(choices: Option<&[i64]>, indptr: &[i64], indices: &[i64], data: &[f64]) -> Result<String, String> {
    let budget = Budget::default();
    let arrays = Arrays { choices, indptr, indices, data: Column::Doubles(data) };
    let builder = Builder::from_arrays(&arrays, &budget).map_err(|error| error.to_string())?;
    let model = builder.finish().map_err(|error| error.to_string())?;
    let outcomes =
        |choice| model.probabilities(choice).map(|(to, p)| format!("{to}:{p}")).collect::<Vec<_>>().join(" ");
    let state = |state| model.choices(state).map(outcomes).collect::<Vec<_>>().join(" or ");
    Ok((0..model.states()).map(state).collect::<Vec<_>>().join("; "))
}

#[test]
fn rows_of_chains_and_of_choices() {
    assert_eq!(built(None, &[0, 2, 2], &[0, 1], &[0.1, 0.9]).unwrap(), "0:1/10 1:9/10; ");
    let choices = built(Some(&[0, 0, 2]), &[0, 1, 4], &[0, 1, 0, 1], &[1.0, 0.25, 0.5, 0.25]).unwrap();
    assert_eq!(choices, "; 0:1 or 1:1/2 0:1/2");
    assert_eq!(built(None, &[0], &[], &[]).unwrap(), "");
}

#[test]
fn errors_say_where() {
    let wrong =
        |choices, indptr: &[i64], indices: &[i64], data: &[f64]| built(choices, indptr, indices, data).unwrap_err();
    assert!(wrong(None, &[0, 1], &[1], &[1.0]).starts_with("indices[0]: target state 1 (there are 1 states"));
    assert!(wrong(None, &[0, 1], &[-1], &[1.0]).starts_with("indices[0]: target state -1"));
    assert!(wrong(None, &[0, 0, 1], &[0], &[0.5]).starts_with("indptr[1]: this choice: the probabilities sum to 1/2"));
    assert!(wrong(None, &[0, 2], &[0], &[1.0]).starts_with("indptr[1]: 2 (ranges follow"));
    assert!(wrong(None, &[1, 1], &[0], &[1.0]).starts_with("indptr[0]: 1 (ranges follow"));
    assert!(wrong(None, &[], &[], &[]).contains("indptr has no entries"));
    assert!(wrong(None, &[0, 1], &[0], &[f64::NAN]).starts_with("data[0]: NaN (a finite number"));
    assert!(wrong(None, &[0, 2], &[0, 0], &[1.5, -0.5]).contains("a probability below zero"));
    assert!(wrong(None, &[0, 1], &[0], &[1.0, 1.0]).contains("data has 2 entries (as many as indices: 1"));
    assert!(wrong(Some(&[0, 1]), &[0, 0], &[], &[]).contains("a choice without branches"));
}
