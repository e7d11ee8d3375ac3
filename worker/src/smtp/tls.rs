//! TLS towards the mail server, set up once.

use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::sender::SetupError;
use super::url::{Security, SmtpUrl};

/// How a connection is protected, with all that the handshake needs. Certificates are always
/// checked, against the Mozilla roots and `extra_root_pem`, and must name the URL's host.
pub(super) enum Protection {
    Plain,
    /// After the dialogue's STARTTLS.
    StartTls(Tls),
    /// Before the dialogue.
    Implicit(Tls),
}

/// What a handshake needs. It is ours and not lettre's, which offers no way to set TCP_NODELAY on a
/// stream that it opens itself, nor to see the dialogue within one that it encrypts.
pub(super) struct Tls {
    pub(super) connector: TlsConnector,
    pub(super) name: ServerName<'static>,
}

impl Protection {
    pub(super) fn new(url: &SmtpUrl, extra_root_pem: Option<&[u8]>) -> Result<Self, SetupError> {
        let extra_roots = extra_root_pem.map_or(Ok(Vec::new()), certificates)?;
        let tls = || -> Result<Tls, SetupError> {
            Ok(Tls {
                connector: connector(extra_roots)?,
                name: ServerName::try_from(url.host().to_owned()).map_err(|_| SetupError::Tls)?,
            })
        };
        match url.security() {
            Security::Plain => Ok(Self::Plain),
            Security::StartTls => tls().map(Self::StartTls),
            Security::Implicit => tls().map(Self::Implicit),
        }
    }
}

/// The certificates in `pem`: at least one, each fit to be a root.
fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, SetupError> {
    let certificates = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| SetupError::RootCertificate)?;
    let mut store = RootCertStore::empty();
    let (usable, unusable) = store.add_parsable_certificates(certificates.iter().cloned());
    if usable == 0 || unusable > 0 {
        return Err(SetupError::RootCertificate);
    }
    Ok(certificates)
}

fn connector(extra_roots: Vec<CertificateDer<'static>>) -> Result<TlsConnector, SetupError> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    for root in extra_roots {
        roots.add(root).map_err(|_| SetupError::RootCertificate)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| SetupError::Tls)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
