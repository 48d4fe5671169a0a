//! The options of a server.

use std::net::{IpAddr, Ipv4Addr};

use crate::files::File;
use crate::gamebook::OfferedBook;
use crate::heroes::HeroTable;
use crate::model::OfferedModel;
use crate::question::Ceilings;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. Anything but loopback lets other machines in.
    pub ip: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Names, beside IP addresses and `localhost`, under which browsers may call the server.
    pub names: Vec<String>,
    /// Files to be listed on the first page.
    pub files: Vec<File>,
    /// The gamebooks on their page; the first is shown unless another is asked for.
    pub books: Vec<OfferedBook>,
    /// Tables of heroes on their page.
    pub tables: Vec<HeroTable>,
    /// Models and games of one's own; the first is shown unless another is asked for.
    pub models: Vec<OfferedModel>,
    /// Whether the first page is solved when the server starts, before anybody opens it.
    pub ready_first_page: bool,
    /// How much requests may use.
    pub ceilings: Ceilings,
    /// Called each time answers have expired. Returns free memory to the system, if the allocator does not do so by itself.
    pub give_back: fn(),
}

impl Options {
    /// The default port.
    pub const PORT: u16 = 7878;
}

impl Default for Options {
    /// Loopback, [`Self::PORT`], no further names. Reads the built-in book, which takes a moment.
    fn default() -> Self {
        Self {
            ip: Ipv4Addr::LOCALHOST.into(),
            port: Self::PORT,
            names: Vec::new(),
            files: Vec::new(),
            books: OfferedBook::built_in().collect(),
            tables: Vec::new(),
            models: Vec::new(),
            ready_first_page: false,
            ceilings: Ceilings::default(),
            give_back: || {},
        }
    }
}
