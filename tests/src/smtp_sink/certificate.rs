//! A certificate for the sink.

use std::io;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

/// A certificate for `names` under a fresh root, and that root as PEM.
pub(super) fn certificate(names: &[String]) -> io::Result<(TlsAcceptor, String)> {
    let root_key = KeyPair::generate().map_err(io::Error::other)?;
    let mut root = CertificateParams::new(Vec::new()).map_err(io::Error::other)?;
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root_pem = root.self_signed(&root_key).map_err(io::Error::other)?.pem();
    let issuer = Issuer::new(root, root_key);
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let leaf = CertificateParams::new(names)
        .and_then(|leaf| leaf.signed_by(&key, &issuer))
        .map_err(io::Error::other)?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| {
            config
                .with_no_client_auth()
                .with_single_cert(vec![leaf.der().clone()], key)
        })
        .map_err(io::Error::other)?;
    Ok((TlsAcceptor::from(Arc::new(config)), root_pem))
}
