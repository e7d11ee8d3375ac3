//! What the server said and lettre has not read yet.

use tokio::io::ReadBuf;

/// Replies, byte by byte.
///
/// A reply may be its code and nothing more (RFC 5321, section 4.2: the text is optional, and the space
/// with it). lettre does not read that; taken for nonsense after the final dot it would send an
/// accepted message again and again. So such a code gets its space here.
#[derive(Debug, Default)]
pub(super) struct Replies {
    waiting: Vec<u8>,
    told: usize,
    line: Line,
    first_code: Option<u16>,
}

/// The line that is being heard.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    length: usize,
    /// The number that its first three bytes are, while they are digits.
    code: Option<u16>,
}

impl Replies {
    /// As if the server had said this already.
    pub(super) fn beginning_with(said: &[u8]) -> Self {
        let mut replies = Self::default();
        replies.hear(said);
        replies
    }

    /// Takes what the server says.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.line.is_bare_code() && byte == b'\r' {
                self.waiting.push(b' ');
            }
            self.waiting.push(byte);
            self.line.push(byte);
            if byte == b'\n' {
                self.first_code = self.first_code.or(self.line.code);
                self.line = Line::default();
            }
        }
    }

    /// Whether there is nothing to tell.
    pub(super) fn is_empty(&self) -> bool {
        self.told == self.waiting.len()
    }

    /// Tells what fits.
    pub(super) fn tell(&mut self, buffer: &mut ReadBuf<'_>) {
        let rest = self.waiting.get(self.told..).unwrap_or_default();
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(rest.get(..count).unwrap_or_default());
        self.told += count;
        if self.is_empty() {
            self.waiting.clear();
            self.told = 0;
        }
    }

    /// The code of the first line that was heard whole, if it began with one.
    pub(super) fn first_code(&self) -> Option<u16> {
        self.first_code
    }
}

impl Line {
    fn push(&mut self, byte: u8) {
        self.code = match (self.length, self.code) {
            (0, _) if byte.is_ascii_digit() => Some(u16::from(byte - b'0')),
            (1 | 2, Some(code)) if byte.is_ascii_digit() => {
                Some(code * 10 + u16::from(byte - b'0'))
            }
            (0..3, _) => None,
            (_, code) => code,
        };
        self.length += 1;
    }

    fn is_bare_code(self) -> bool {
        self.length == 3 && self.code.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told in pieces of `size`, of what is heard in pieces of `size`.
    fn through(said: &[u8], size: usize) -> (Vec<u8>, Option<u16>) {
        let mut replies = Replies::default();
        let mut told = Vec::new();
        for piece in said.chunks(size) {
            replies.hear(piece);
            while !replies.is_empty() {
                let mut room = vec![0; size];
                let mut buffer = ReadBuf::new(&mut room);
                replies.tell(&mut buffer);
                told.extend_from_slice(buffer.filled());
            }
        }
        (told, replies.first_code())
    }

    #[test]
    fn a_code_without_text_gets_its_space_and_all_else_stays() {
        for (said, want, code) in [
            ("250\r\n", "250 \r\n", Some(250)),
            ("250-a\r\n250\r\n", "250-a\r\n250 \r\n", Some(250)),
            ("354\r\n250\r\n", "354 \r\n250 \r\n", Some(354)),
            ("220 sink\r\n", "220 sink\r\n", Some(220)),
            ("250 \r\n", "250 \r\n", Some(250)),
            ("25\r\n", "25\r\n", None),
            ("2500\r\n", "2500\r\n", Some(250)),
            ("2x0\r\n", "2x0\r\n", None),
            ("250\n", "250\n", Some(250)),
            ("HTTP\r\n250\r\n", "HTTP\r\n250 \r\n", Some(250)),
            ("\r\n", "\r\n", None),
            ("250", "250", None),
        ] {
            for size in 1..=said.len() {
                let (told, first) = through(said.as_bytes(), size);
                assert_eq!(String::from_utf8_lossy(&told), want, "{said:?} by {size}");
                assert_eq!(first, code, "{said:?} by {size}");
            }
        }
    }
}
