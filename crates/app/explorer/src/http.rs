//! The server: the listening socket, what guards it, the table of routes, and the frame around every page.

mod compress;
mod frame;
mod guard;
mod routes;
mod server;

pub use server::Server;
