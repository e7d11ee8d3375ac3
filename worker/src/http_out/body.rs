//! Bodies, unpacked as they come and cut off where they are too long.

use std::io::{self, Write as _};

use flate2::write::MultiGzDecoder;
use hyper::{HeaderMap, header::CONTENT_ENCODING};

use super::OutError;

/// The bytes of a body so far.
pub(super) enum Unpacking {
    Plain(Bounded),
    Gzip {
        decoder: Box<MultiGzDecoder<Bounded>>,
        /// Packed bytes that may still come: empty members would never fill the other bound.
        left: usize,
    },
}

/// A buffer that takes no more than it may.
pub(super) struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    full: bool,
}

impl io::Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if more.len() > self.most - self.bytes.len() {
            self.full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Unpacking {
    /// For an answer with these headers.
    pub fn new(headers: &HeaderMap, most: usize) -> Result<Self, OutError> {
        let bounded = Bounded {
            bytes: Vec::new(),
            most,
            full: false,
        };
        let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
        let encoding = match (encodings.next(), encodings.next()) {
            (None, _) => return Ok(Self::Plain(bounded)),
            (Some(one), None) => one.to_str().map_err(|_| OutError::Encoding)?,
            // Packed more than once.
            (Some(_), Some(_)) => return Err(OutError::Encoding),
        };
        match encoding.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Plain(bounded)),
            "gzip" | "x-gzip" => Ok(Self::Gzip {
                decoder: Box::new(MultiGzDecoder::new(bounded)),
                left: most,
            }),
            _ => Err(OutError::Encoding),
        }
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), OutError> {
        match self {
            Self::Plain(bounded) => bounded.write_all(bytes).map_err(|_| OutError::TooLarge),
            Self::Gzip { decoder, left } => {
                *left = left.checked_sub(bytes.len()).ok_or(OutError::TooLarge)?;
                let taken = decoder.write_all(bytes);
                taken.map_err(|_| fault(decoder.get_ref()))
            }
        }
    }

    /// The whole body.
    pub fn finish(self) -> Result<Vec<u8>, OutError> {
        match self {
            Self::Plain(bounded) => Ok(bounded.bytes),
            Self::Gzip { mut decoder, .. } => {
                let ended = decoder.try_finish();
                ended.map_err(|_| fault(decoder.get_ref()))?;
                let bounded = decoder.finish().map_err(|_| OutError::Encoding)?;
                Ok(bounded.bytes)
            }
        }
    }
}

const fn fault(bounded: &Bounded) -> OutError {
    if bounded.full {
        OutError::TooLarge
    } else {
        OutError::Encoding
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use flate2::{Compression, write::GzEncoder};
    use hyper::header::HeaderValue;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(
        encoding: Option<&'static str>,
        body: &[u8],
        most: usize,
    ) -> Result<Vec<u8>, OutError> {
        let mut headers = HeaderMap::new();
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        let mut unpacking = Unpacking::new(&headers, most)?;
        for chunk in body.chunks(7) {
            unpacking.take(chunk)?;
        }
        unpacking.finish()
    }

    #[test]
    fn a_body_is_taken_up_to_its_bound_packed_or_not() {
        let body = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";
        let two = [packed(&body[..10]), packed(&body[10..])].concat();
        for (encoding, bytes) in [
            (None, body.to_vec()),
            (Some("identity"), body.to_vec()),
            (Some("GZip"), packed(body)),
            (Some("x-gzip"), two),
        ] {
            let most = body.len().max(bytes.len());
            assert_eq!(
                unpack(encoding, &bytes, most).as_deref(),
                Ok(&body[..]),
                "{encoding:?}"
            );
            assert_eq!(
                unpack(encoding, &bytes, body.len() - 1),
                Err(OutError::TooLarge),
                "{encoding:?}"
            );
        }
    }

    /// A thousandfold in each byte: what is unpacked is counted, and nothing is kept of the rest.
    #[test]
    fn a_bomb_is_cut_off_where_it_is_too_large() {
        let bomb = packed(&vec![0; 50_000_000]);
        assert!(bomb.len() < 60_000, "{}", bomb.len());
        assert_eq!(
            unpack(Some("gzip"), &bomb, 1_000_000),
            Err(OutError::TooLarge)
        );
        let empty = packed(b"").repeat(1_000);
        assert_eq!(unpack(Some("gzip"), &empty, 5_000), Err(OutError::TooLarge));
        assert_eq!(unpack(Some("gzip"), &empty, 50_000).as_deref(), Ok(&[][..]));
    }

    #[test]
    fn what_is_broken_or_packed_otherwise_is_refused() {
        let body = packed(b"BEGIN:VCALENDAR");
        let mut bent = body.clone();
        bent[12] ^= 0xff;
        assert_eq!(unpack(Some("gzip"), &bent, 5_000), Err(OutError::Encoding));
        assert_eq!(
            unpack(Some("gzip"), &body[..body.len() - 9], 5_000),
            Err(OutError::Encoding)
        );
        assert_eq!(
            unpack(Some("gzip"), b"BEGIN:VCALENDAR", 5_000),
            Err(OutError::Encoding)
        );
        for other in ["br", "deflate", "zstd", "gzip, gzip"] {
            assert_eq!(
                unpack(Some(other), b"", 5_000),
                Err(OutError::Encoding),
                "{other}"
            );
        }
    }
}
