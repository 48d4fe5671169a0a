//! A model that is split into blocks keeps its content.

use model_files::{Outcomes, layered};

#[test]
fn blocks_have_the_content_of_the_model() {
    let model = layered(500, 7).unwrap();
    for count in [0, 1, 3, 8, 499, 500, 1000] {
        let mut states = 0;
        for block in model.clone().into_blocks(count) {
            assert_eq!(block.states().start, states);
            states = block.states().end;
            for state in block.states() {
                assert_eq!(block.choices(state), model.choices(state));
                for choice in block.choices(state) {
                    assert_eq!(block.outcomes(choice), model.outcomes(choice));
                }
            }
        }
        assert_eq!(states, model.states(), "{count}");
    }
}
