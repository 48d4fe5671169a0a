//! The listening socket.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::routes;
use crate::options::Options;
use crate::question::Ceilings;

/// A server that listens, and answers once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// When the port is taken or not allowed.
    pub async fn bind(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((options.ip, options.port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, options })
    }

    /// Where the first page is, such as `http://127.0.0.1:7878/`.
    pub fn address(&self) -> String {
        format!("http://{}/", self.host())
    }

    /// The address and port at which a browser of this machine finds it, such as `127.0.0.1:7878`.
    pub fn host(&self) -> SocketAddr {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                Ipv4Addr::LOCALHOST.into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        address
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// When the socket fails for good.
    pub async fn run(self) -> io::Result<()> {
        let Ceilings { connections, arrival, idle, .. } = self.options.ceilings;
        let places = Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)));
        let give_back = self.options.give_back;
        let (router, library) = routes::router(self.options);
        // It ends with what it looks after.
        let library = Arc::downgrade(&library);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep((idle / 4).clamp(BREATH, MINUTE)).await;
                let Some(library) = library.upgrade() else { break };
                library.expire(idle);
                give_back();
            }
        });
        let mut protocol = http1::Builder::new();
        protocol.timer(TokioTimer::new()).header_read_timeout(arrival);
        loop {
            // Who comes when all places are taken waits in the system's queue.
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            let Ok((stream, _)) = self.listener.accept().await else {
                // The connection broke before it was taken, or the system has no room for it at the moment.
                tokio::time::sleep(BREATH).await;
                continue;
            };
            let connection = protocol.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
            tokio::spawn(async move {
                // A connection that breaks concerns nobody else.
                let _ = connection.await;
                drop(place);
            });
        }
    }
}

/// How long to wait when the system has no room for another connection.
const BREATH: Duration = Duration::from_millis(100);
/// What is kept is looked through so often at least.
const MINUTE: Duration = Duration::from_mins(1);
