//! A hash of a file's content, which shows whether it was edited.

use kdl::{KdlEntry, KdlNode, KdlValue};

use super::entries::children;

/// A hash (FNV-1a of names, values and braces) that almost surely differs for texts with different content; comments, blanks
/// and line breaks do not count. It does not depend on the version of the crate.
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

    /// Adds the nodes of a file.
    pub(crate) fn nodes(&mut self, nodes: &[KdlNode]) {
        for node in nodes {
            self.word(b'n', node.name().value().as_bytes());
            node.entries().iter().for_each(|entry| self.entry(entry));
            self.word(b'{', &[]);
            self.nodes(children(node));
            self.word(b'}', &[]);
        }
    }

    /// Adds the hash of another file.
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

    /// Adds a kind, a length and the bytes.
    fn word(&mut self, kind: u8, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in [kind].iter().chain(&length).chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
