//! Finite Markov decision processes of one player against chance, solved exactly.
