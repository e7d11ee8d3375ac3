//! What may be asked of other people's servers: pure rules. The client that follows them is the
//! worker's.
mod allow;
mod range;
mod url;

pub use allow::{Allowlist, InvalidAllow};
pub use range::refusal;
pub use url::{BadUrl, MAX_URL_BYTES, OutboundUrl};
