use super::*;

#[test]
fn circles_in_order() {
    // 10 -> 11 <-> 12 -> 13 (a loop) -> 99 (outside); 14 is not reached.
    let edges: [&[u32]; 5] = [&[11], &[12], &[11, 13], &[13, 99], &[10]];
    let found = components(10..15, [10], |node| edges[node as usize - 10].iter().copied(), &Budget::unlimited());
    assert_eq!(found, Ok(vec![vec![10], vec![11, 12], vec![13]]));
    let all = components(10..15, 10..15, |node| edges[node as usize - 10].iter().copied(), &Budget::unlimited());
    assert_eq!(all, Ok(vec![vec![14], vec![10], vec![11, 12], vec![13]]));
}
