//! A mark of what a file says, by which one can tell that it was edited.

use kdl::{KdlEntry, KdlNode, KdlValue};

use super::entries::children;

/// A number that differs, but for rare chance, where two texts say different things; comments, blanks and the breaks of
/// lines do not count. It is the same in every version of the program (FNV-1a of names, values and braces).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(u64);

impl Default for Mark {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Mark {
    pub(crate) const fn number(self) -> u64 {
        self.0
    }

    /// Goes on with what stands in a file.
    pub(crate) fn nodes(&mut self, nodes: &[KdlNode]) {
        for node in nodes {
            self.word(b'n', node.name().value().as_bytes());
            node.entries().iter().for_each(|entry| self.entry(entry));
            self.word(b'{', &[]);
            self.nodes(children(node));
            self.word(b'}', &[]);
        }
    }

    /// Goes on with the mark of another file.
    pub(crate) fn number_of(&mut self, other: u64) {
        self.word(b'm', &other.to_le_bytes());
    }

    fn entry(&mut self, entry: &KdlEntry) {
        if let Some(name) = entry.name() {
            self.word(b'p', name.value().as_bytes());
        }
        match entry.value() {
            KdlValue::String(text) => self.word(b's', text.as_bytes()),
            KdlValue::Integer(number) => self.word(b'i', &number.to_le_bytes()),
            KdlValue::Float(number) => self.word(b'f', &number.to_bits().to_le_bytes()),
            KdlValue::Bool(is) => self.word(b'b', &[u8::from(*is)]),
            KdlValue::Null => self.word(b'0', &[]),
        }
    }

    /// What kind of thing comes, how long it is, and it.
    fn word(&mut self, kind: u8, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in [kind].iter().chain(&length).chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
