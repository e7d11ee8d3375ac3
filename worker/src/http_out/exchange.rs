//! One request and its answer, over a connection of its own.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    HeaderMap, Method, StatusCode,
    body::{Body as _, Bytes, Incoming},
    client::conn::http1,
    header::{ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, HOST, USER_AGENT},
};
use hyper_util::rt::TokioIo;
use shared::outbound::OutboundUrl;
use tokio::task::JoinSet;

use super::{Limits, OutError, body::Unpacking, connect::Stream};

/// The largest head of an answer, in bytes.
const HEAD_BYTES: usize = 64 * 1_024;
/// The most header fields of an answer.
const HEAD_FIELDS: usize = 100;
const AGENT: &str = concat!("Holdfast/", env!("CARGO_PKG_VERSION"));

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// A user and a password in it are sent as Basic authentication.
    pub url: OutboundUrl,
    /// `Host`, `User-Agent` and `Accept-Encoding` are the client's own.
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Request {
    /// A GET without more.
    #[must_use]
    pub fn get(url: OutboundUrl) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }
}

/// What came back, whole.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Unpacked.
    pub body: Vec<u8>,
}

/// What came back so far.
pub(super) struct Begun {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Incoming,
    /// The connection goes with it.
    _driver: JoinSet<()>,
}

/// Asks `url` what `request` says.
pub(super) async fn ask(
    request: &Request,
    url: &OutboundUrl,
    stream: Stream,
) -> Result<Begun, OutError> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEAD_FIELDS)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|_| OutError::Protocol)?;
    let mut driver = JoinSet::new();
    driver.spawn(async move {
        let _ = connection.await;
    });
    let answer = sender
        .send_request(message(request, url)?)
        .await
        .map_err(|_| OutError::Protocol)?;
    let (head, body) = answer.into_parts();
    Ok(Begun {
        status: head.status,
        headers: head.headers,
        body,
        _driver: driver,
    })
}

fn message(request: &Request, url: &OutboundUrl) -> Result<hyper::Request<Full<Bytes>>, OutError> {
    let mut message = hyper::Request::new(Full::new(request.body.clone()));
    *message.method_mut() = request.method.clone();
    *message.uri_mut() = url
        .path_and_query()
        .parse()
        .map_err(|_| OutError::Protocol)?;
    let mut headers = request.headers.clone();
    if !request.url.is_same_origin(url) {
        headers.remove(AUTHORIZATION);
    }
    let mut set = |name, value: &str| {
        let value = value.parse().map_err(|_| OutError::Protocol)?;
        headers.insert(name, value);
        Ok(())
    };
    set(HOST, &url.authority())?;
    set(USER_AGENT, AGENT)?;
    set(ACCEPT_ENCODING, "gzip")?;
    set(CONNECTION, "close")?;
    if let Some((user, password)) = url.credentials() {
        let basic = STANDARD.encode(format!("{user}:{password}"));
        set(AUTHORIZATION, &format!("Basic {basic}"))?;
    }
    *message.headers_mut() = headers;
    Ok(message)
}

impl Begun {
    /// Reads the body to its end.
    pub async fn finish(mut self, limits: &Limits) -> Result<Answer, OutError> {
        let mut unpacking = Unpacking::new(&self.headers, limits.body_bytes)?;
        let announced = self.body.size_hint().lower();
        if usize::try_from(announced).map_or(true, |announced| announced > limits.body_bytes) {
            return Err(OutError::TooLarge);
        }
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|_| OutError::Protocol)?;
            if let Some(bytes) = frame.data_ref() {
                unpacking.take(bytes)?;
            }
        }
        Ok(Answer {
            status: self.status,
            headers: self.headers,
            body: unpacking.finish()?,
        })
    }
}
