//! The client: resolves, judges, connects, asks, and follows redirects.

use std::sync::Arc;

use hyper::{StatusCode, header::LOCATION};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use shared::outbound::Allowlist;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::{
    Limits, Names, OutError,
    connect::connect,
    exchange::{self, Answer, Request},
};

/// What the client is made with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Reached although it is not public.
    pub allow: Allowlist,
    /// Root certificates beside Mozilla's, PEM.
    pub extra_root_pem: Option<Vec<u8>>,
    pub names: Names,
}

/// `HOLDFAST_OUTBOUND_CA_FILE` cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("HOLDFAST_OUTBOUND_CA_FILE holds no root certificate in PEM")]
pub struct SetupError;

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct HttpOut(Arc<Inner>);

struct Inner {
    tls: TlsConnector,
    allow: Allowlist,
    names: Names,
}

impl HttpOut {
    /// A client.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn new(settings: Settings) -> Result<Self, SetupError> {
        let mut roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        if let Some(pem) = &settings.extra_root_pem {
            let before = roots.len();
            for root in CertificateDer::pem_slice_iter(pem) {
                roots
                    .add(root.map_err(|_| SetupError)?)
                    .map_err(|_| SetupError)?;
            }
            if roots.len() == before {
                return Err(SetupError);
            }
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|_| SetupError)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(Inner {
            tls: TlsConnector::from(Arc::new(config)),
            allow: settings.allow,
            names: settings.names,
        })))
    }

    /// Asks, and reads the answer whole.
    ///
    /// # Errors
    /// [`OutError`]; an answer with any status is none.
    pub async fn send(&self, request: &Request, limits: &Limits) -> Result<Answer, OutError> {
        timeout(limits.whole, self.follow(request, limits))
            .await
            .unwrap_or(Err(OutError::TimedOut))
    }

    async fn follow(&self, request: &Request, limits: &Limits) -> Result<Answer, OutError> {
        let mut url = request.url.clone();
        let mut redirects = 0;
        loop {
            let addresses = self.0.names.find(&url, &self.0.allow).await?;
            let stream = connect(&url, &addresses, &self.0.tls, limits.connect).await?;
            let begun = exchange::ask(request, &url, stream).await?;
            let location = begun.headers.get(LOCATION);
            let (true, Some(location)) = (leads_on(begun.status), location) else {
                return begun.finish(limits).await;
            };
            if limits.redirects == 0 {
                return begun.finish(limits).await;
            }
            redirects += 1;
            if redirects > limits.redirects {
                return Err(OutError::Redirects);
            }
            let location = location.to_str().map_err(|_| OutError::Protocol)?;
            url = url.redirected(location).map_err(OutError::Url)?;
        }
    }
}

/// Whether the status sends a GET elsewhere (RFC 9110, section 15.4).
const fn leads_on(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}
