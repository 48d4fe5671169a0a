use super::*;

#[test]
fn by_their_content() {
    for (text, format) in [
        ("{\n\"jani-version\": 1,\n\"name\": \"m\"}", Some(JANI)),
        ("\u{feff} {\"name\": \"m\", \"automata\": []}", Some(JANI)),
        ("{\"a\": 1}", Some(JSON)),
        ("<?xml version=\"1.0\"?>\n<pnml/>", Some(XML)),
        ("digraph model {\n}", Some(DOT)),
        ("discount: 0.95\nvalues: reward\n", Some(POMDP)),
        ("#INITIALS\ns0\n#GOALS\n", Some(IMCA)),
        ("#DECLARATION\na b\n#END", Some(MRMC)),
        ("STATES 4\nTRANSITIONS 5\n", Some(MRMC)),
        ("4 5\n0 1 0.5\n0 2 0.5\n", Some(TRANSITIONS)),
        ("4 5 6\n0 0 1 0.5 go\n", Some(TRANSITIONS)),
        ("mdp\n0 0 1 0.5\n", Some(TRANSITIONS)),
        ("3 4\n0 1 [0.1,0.2]\n", Some(INTERVALS)),
        ("3 3 4\n0 0 1 [0.1, 0.2]\n", Some(INTERVALS)),
        ("4 2\n0 1\n2 3.5\n", Some(REWARDS)),
        ("# Reward structure \"r\"\n# State rewards\n4 2\n0 1\n", Some(REWARDS)),
        ("(s,d)\n0:(0,0)\n1:(1,0)\n", Some(STATES)),
        ("0=\"init\" 1=\"deadlock\"\n0: 0\n", Some(LABELS)),
        ("Pmax=? [ F \"goal\" ]\n", Some(PROPERTIES)),
        ("P>=0.5 [ F x=1 ]", Some(PROPERTIES)),
        ("mdp\nmodule m\nendmodule", Some(PACKED_PRISM)),
        ("@type: MDP\n", None),
        ("some text\nof no format\n", None),
        ("Pmaxima\n", None),
        ("", None),
        ("mdp", Some(PACKED_PRISM)),
    ] {
        assert_eq!(foreign(text.as_bytes()), format, "{text}");
    }
}
