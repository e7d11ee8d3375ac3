//! Content lines out of bytes (RFC 5545, section 3.1).

/// A content line, unfolded.
pub(super) struct Logical {
    /// Where it begins in the file, counted from 1.
    pub number: u32,
    /// Its octets, read as UTF-8 after unfolding: a fold may stand inside a character. What is
    /// no UTF-8 became U+FFFD.
    pub text: String,
}

/// The file's content lines. Lines end with CRLF or with LF alone; empty ones are left out, and
/// what follows a line break with a space or a tab belongs to the line before.
pub(super) fn lines(bytes: &[u8]) -> Vec<Logical> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut lines = Vec::new();
    let mut open: Option<(u32, Vec<u8>)> = None;
    let mut number = 0_u32;
    for line in bytes.split(|byte| *byte == b'\n') {
        number = number.saturating_add(1);
        let end = line
            .iter()
            .rposition(|byte| *byte != b'\r')
            .map_or(0, |last| last + 1);
        let line = line.get(..end).unwrap_or_default();
        match (line.split_first(), &mut open) {
            (Some((b' ' | b'\t', rest)), Some((_, held))) => held.extend_from_slice(rest),
            (Some(_), _) => {
                finish(&mut lines, open.replace((number, line.to_vec())));
            }
            (None, _) => {}
        }
    }
    finish(&mut lines, open);
    lines
}

fn finish(lines: &mut Vec<Logical>, line: Option<(u32, Vec<u8>)>) {
    if let Some((number, octets)) = line {
        let text = String::from_utf8(octets)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        lines.push(Logical { number, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<String> {
        lines(bytes).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_fold_inside_a_character_is_undone() {
        let mut folded = b"SUMMARY:Caf\xC3".to_vec();
        folded.extend_from_slice(b"\r\n \xA9 und\r\n\tmehr\r\nX:1\r\n");
        assert_eq!(texts(&folded), ["SUMMARY:Café undmehr", "X:1"]);
    }

    #[test]
    fn bare_line_feeds_a_mark_and_double_returns_are_taken() {
        assert_eq!(
            texts(b"\xEF\xBB\xBFA:1\nB:2\r\r\n\n\nC:3"),
            ["A:1", "B:2", "C:3"]
        );
        let numbers: Vec<u32> = lines(b"A:1\n x\n\nB:2").iter().map(|l| l.number).collect();
        assert_eq!(numbers, [1, 4]);
    }

    #[test]
    fn what_is_no_utf8_is_replaced_and_the_rest_kept() {
        assert_eq!(texts(b"SUMMARY:a\xFFb"), ["SUMMARY:a\u{FFFD}b"]);
    }
}
