//! Reads an archive part by part, to its very end.

use std::cell::Cell;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::error::ReadError;
use crate::memory::Memory;
use crate::unpack::{BUFFER, START, is_packed, is_tar, unpack, unreadable};

/// The part that identifies a UMB archive.
pub(crate) const INDEX: &str = "index.json";

/// The largest size of a part's name, in bytes, including its metadata in the archive.
const LONGEST_NAME: u64 = 1 << 20;

/// Names and contents of parts begin at multiples of this, in bytes.
const BLOCK: u64 = 512;

/// A regular file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Its path, without a leading `./`.
    pub(crate) name: String,
    /// Where it begins in the unpacked archive, in bytes.
    pub(crate) begin: u64,
    /// Its size, in bytes.
    pub(crate) size: u64,
}

/// The only file of an archive, which is read to its end; `None` for a UMB archive.
pub(crate) fn only_file(
    input: &mut (impl Read + Seek + Send),
    memory: &Memory<'_>,
) -> Result<Option<Member>, ReadError> {
    let mut archive = Archive::open(input, memory)?;
    let (mut first, mut count, mut is_umb) = (None, 0_u64, false);
    archive.entries(|member, _| {
        is_umb = member.name == INDEX;
        count += 1;
        first.get_or_insert_with(|| member.clone());
        Ok(if is_umb { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if is_umb {
        return Ok(None);
    }
    archive.finish()?;
    match (first, count) {
        (Some(only), 1) => Ok(Some(only)),
        (_, count) => {
            let problem = format!("an archive of {count} files without an {INDEX}");
            Err(ReadError::file(problem, "a UMB archive has one; a DRN model stands alone in its archive"))
        }
    }
}

/// An archive, unpacked.
pub(crate) struct Archive<'a> {
    tar: tar::Archive<Bounded<'a>>,
    allowance: Rc<Cell<u64>>,
    /// Bytes read so far, and the end of the last part.
    read: Rc<Cell<u64>>,
    end: u64,
    memory: &'a Memory<'a>,
}

/// A reader that fails after a number of bytes: what lies between the parts is short.
struct Bounded<'a> {
    inner: Box<dyn Read + Send + 'a>,
    allowance: Rc<Cell<u64>>,
    read: Rc<Cell<u64>>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.allowance.get().checked_sub(read as u64);
        let left = left.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a name of more than 1 MiB"))?;
        self.allowance.set(left);
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

impl<'a> Archive<'a> {
    /// The archive from its beginning.
    pub(crate) fn open(input: &'a mut (impl Read + Seek + Send), memory: &'a Memory<'a>) -> Result<Self, ReadError> {
        let mut start = Vec::new();
        input.rewind().map_err(|error| unreadable(&error))?;
        input.by_ref().take(START as u64).read_to_end(&mut start).map_err(|error| unreadable(&error))?;
        input.rewind().map_err(|error| unreadable(&error))?;
        if !is_tar(&start) && !is_packed(&start) {
            let remedy = "a UMB file is a tar archive, plain or compressed with gzip or xz";
            return Err(ReadError::file("is no UMB archive", remedy));
        }
        let allowance = Rc::new(Cell::new(LONGEST_NAME));
        let read = Rc::new(Cell::new(0));
        let inner = unpack(input, &start, memory)?;
        let bounded = Bounded { inner, allowance: allowance.clone(), read: read.clone() };
        Ok(Self { tar: tar::Archive::new(bounded), allowance, read, end: 0, memory })
    }

    /// Calls `each` with every regular file and its bytes, until it breaks.
    pub(crate) fn entries(
        &mut self,
        mut each: impl FnMut(&Member, &mut dyn Read) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<(), ReadError> {
        let mut buffer = vec![0; BUFFER];
        let mut entries = self.tar.entries().map_err(|error| unreadable(&error))?;
        loop {
            self.allowance.set(LONGEST_NAME);
            let Some(entry) = entries.next() else { return Ok(()) };
            let mut entry = entry.map_err(|error| unreadable(&error))?;
            self.allowance.set(u64::MAX);
            if let Some(name) = part_name(&entry)
                && each(&Member { name, begin: entry.raw_file_position(), size: entry.size() }, &mut entry)?.is_break()
            {
                return Ok(());
            }
            // Entries that were not read are skipped.
            while entry.read(&mut buffer).map_err(|error| unreadable(&error))? > 0 {
                self.memory.check()?;
            }
            self.end = self.read.get().next_multiple_of(BLOCK);
        }
    }

    /// Reads to the end of the archive: two blocks of zeros, padding with zeros, and the checksum of the compression.
    pub(crate) fn finish(self) -> Result<(), ReadError> {
        let mut rest = self.tar.into_inner();
        self.allowance.set(u64::MAX);
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = rest.read(&mut buffer).map_err(|error| unreadable(&error))?;
            self.memory.check()?;
            if read == 0 {
                break;
            }
            if buffer[..read].iter().any(|byte| *byte != 0) {
                return Err(ReadError::file(
                    "something follows the end of the archive",
                    "one archive, and nothing else",
                ));
            }
        }
        if self.read.get() < self.end + 2 * BLOCK {
            return Err(ReadError::file("the archive ends before its end is marked", "is the file complete?"));
        }
        Ok(())
    }
}

/// The path of a regular file in the archive, without a leading `./`.
fn part_name<R: Read>(entry: &tar::Entry<'_, R>) -> Option<String> {
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let path = String::from_utf8(entry.path_bytes().into_owned()).ok()?;
    Some(path.trim_start_matches("./").trim_start_matches('/').to_string())
}
