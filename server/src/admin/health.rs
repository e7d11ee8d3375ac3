//! `holdfast admin health`: asks the process on this machine, over its listener.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    process::ExitCode,
    time::Duration,
};

use clap::Args;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::output;

#[derive(Args)]
pub struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    // Only the listener matters here: a health check must not need the secrets.
    let listen = std::env::var("HOLDFAST_LISTEN")
        .ok()
        .filter(|listen| !listen.trim().is_empty());
    let listen = listen.unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let Ok(listen) = listen.trim().parse::<SocketAddr>() else {
        return output::misuse(
            arguments.json,
            "HOLDFAST_LISTEN: must be an address and a port such as 127.0.0.1:8080",
        );
    };
    match tokio::time::timeout(Duration::from_secs(5), ask(reachable(listen))).await {
        Ok(Ok(200)) => output::answer(arguments.json, &json!({ "status": "ok" }), "ready"),
        Ok(Ok(status)) => output::finding(
            arguments.json,
            format_args!("not ready: /readyz answers {status}"),
        ),
        Ok(Err(error)) => output::finding(
            arguments.json,
            format_args!("no answer on {listen}: {error}"),
        ),
        Err(_) => output::finding(
            arguments.json,
            format_args!("no answer on {listen} within 5 seconds"),
        ),
    }
}

/// A listener on all addresses is asked over loopback.
fn reachable(mut listen: SocketAddr) -> SocketAddr {
    if listen.ip().is_unspecified() {
        listen.set_ip(match listen.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    listen
}

/// The status of `GET /readyz`. One fixed request over HTTP/1.0 needs no client library.
async fn ask(address: SocketAddr) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect(address).await?;
    stream
        .write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")
        .await?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).await?;
    let status = std::str::from_utf8(&head[9..12])
        .ok()
        .and_then(|text| text.parse().ok());
    status.ok_or_else(|| std::io::Error::other("not an HTTP answer"))
}
