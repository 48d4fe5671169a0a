//! The content of a file, decompressed if it is gzip or xz.
//!
//! Both formats end with a checksum of their content. It is verified by reading to the end, and all readers here do.

use std::io::{self, BufReader, Read};

use budget::Stopped;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::error::ReadError;
use crate::memory::Memory;

const GZIP: &[u8] = &[0x1f, 0x8b];
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
const TAR_MAGIC: &[u8] = b"ustar";
const TAR_MAGIC_AT: usize = 257;

/// The sizes of reads from a file, and of decompressed blocks.
pub(crate) const BUFFER: usize = 1 << 18;

/// The memory limit of an xz stream, in KiB.
const XZ_MEMORY: u32 = 1 << 18;

/// The number of bytes at the beginning of a file that determine its type.
pub(crate) const START: usize = 512;

/// Whether content that begins like this is a tar archive.
pub(crate) fn is_tar(start: &[u8]) -> bool {
    start.get(TAR_MAGIC_AT..).is_some_and(|at| at.starts_with(TAR_MAGIC))
}

/// A reader that reports progress, and stops when the budget stops the run.
struct Watched<'a, R> {
    inner: R,
    memory: &'a Memory<'a>,
    /// Whether what it reads are bytes of the file.
    counts: bool,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let asked = if self.counts { self.memory.advance(read as u64) } else { self.memory.check() };
        asked?;
        Ok(read)
    }
}

/// The content of a file that begins with `start`.
pub(crate) fn unpack<'a>(
    input: impl Read + Send + 'a,
    start: &[u8],
    memory: &'a Memory<'a>,
) -> Result<Box<dyn Read + Send + 'a>, Stopped> {
    let input = BufReader::with_capacity(BUFFER, Watched { inner: input, memory, counts: true });
    let unpacked: Box<dyn Read + Send> = if start.starts_with(GZIP) {
        Box::new(MultiGzDecoder::new(input))
    } else if start.starts_with(XZ) {
        let most = u32::try_from(memory.left() >> 10).unwrap_or(u32::MAX).min(XZ_MEMORY);
        Box::new(XzReader::new_mem_limit(input, true, most))
    } else {
        return Ok(Box::new(input));
    };
    memory.take(2 * BUFFER as u64)?;
    Ok(Box::new(BufReader::with_capacity(BUFFER, Watched { inner: unpacked, memory, counts: false })))
}

/// Whether a file that begins with `start` is compressed.
pub(crate) fn is_packed(start: &[u8]) -> bool {
    start.starts_with(GZIP) || start.starts_with(XZ)
}

/// The meaning of a failed read from [`unpack`]: the budget stopped the run, or the file is damaged.
pub(crate) fn unreadable(error: &io::Error) -> ReadError {
    if let Some(stopped) = Stopped::behind(error) {
        return stopped.into();
    }
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            ReadError::file(format!("it cannot be unpacked: {error}"), "it is damaged or not complete; copy it again")
        }
        io::ErrorKind::OutOfMemory => {
            ReadError::file("unpacking takes more memory than the limit", "raise the limit, or unpack it with xz")
        }
        _ => ReadError::file(format!("it cannot be read: {error}"), "is the file complete, and the disk in order?"),
    }
}
