//! From a host to addresses that may be connected to.

use std::{fmt, net::IpAddr, sync::Arc};

use shared::outbound::{Allowlist, OutboundUrl, refusal};

use super::OutError;

/// The most addresses of one name that are tried.
const TRIED: usize = 4;

/// The addresses of a name.
type Known = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// How names are resolved.
#[derive(Clone)]
pub enum Names {
    /// As the machine does.
    System,
    /// As told: for tests.
    Given(Arc<Known>),
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Given(_) => "Given",
        })
    }
}

impl Names {
    /// The addresses of a URL's host. One address that may not be reached is enough to refuse
    /// them all: a name that means a neighbour as well as a stranger is no stranger's.
    pub(super) async fn find(
        &self,
        url: &OutboundUrl,
        allow: &Allowlist,
    ) -> Result<Vec<IpAddr>, OutError> {
        let host = url.host();
        let found = match url.literal() {
            Some(ip) => vec![ip],
            None => self.look_up(&host, url.port()).await?,
        };
        if found.is_empty() {
            return Err(OutError::NoName);
        }
        if !allow.names(&host) {
            let refused = found
                .iter()
                .filter(|ip| !allow.covers(**ip))
                .find_map(|ip| refusal(*ip));
            if let Some(why) = refused {
                return Err(OutError::Forbidden(why));
            }
        }
        Ok(found.into_iter().take(TRIED).collect())
    }

    async fn look_up(&self, host: &str, port: u16) -> Result<Vec<IpAddr>, OutError> {
        match self {
            Self::Given(names) => Ok(names(host)),
            Self::System => {
                let found = tokio::net::lookup_host((host, port)).await;
                let found = found.map_err(|_| OutError::NoName)?;
                Ok(found.map(|address| address.ip()).collect())
            }
        }
    }
}
