//! Text that people typed, made safe to stand in a line or a block of ours.
//!
//! Characters that turn the direction of a line (U+202A to U+202E, U+2066 to U+2069) are removed:
//! in a name they would turn round the words of ours that follow (case mail-06).

/// The text on one line: line breaks and control characters become one space, direction controls
/// go, and so do spaces at the ends.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars().filter(|c| !turns_direction(*c)) {
        if c == ' ' || c.is_control() || is_separator(c) {
            space = true;
            continue;
        }
        if space && !line.is_empty() {
            line.push(' ');
        }
        space = false;
        line.push(c);
    }
    line
}

/// The text's lines, without direction controls, other control characters, and empty lines at
/// either end. Nothing for a text of white space.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let mut lines: Vec<String> = text
        .split(|c| matches!(c, '\n' | '\r' | '\u{85}') || is_separator(c))
        .map(|line| {
            let line = line.replace('\t', " ");
            let kept = |c: &char| !turns_direction(*c) && !c.is_control();
            line.chars().filter(kept).collect::<String>()
        })
        .map(|line| line.trim_end().to_owned())
        .skip_while(String::is_empty)
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9, section 2).
const fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Unicode's own line and paragraph separators.
const fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_its_line() {
        for (text, want) in [
            ("Ana  Silva ", "Ana Silva"),
            ("Ann\r\nBcc: v@example.test", "Ann Bcc: v@example.test"),
            ("a\u{2028}b\u{85}c\u{0}\u{7f}d\te", "a b c d e"),
            ("\n\n", ""),
            ("王\u{3000}小明", "王\u{3000}小明"),
        ] {
            assert_eq!(one_line(text), want, "{text:?}");
        }
    }

    #[test]
    fn mail_06_direction_controls_are_removed() {
        assert_eq!(one_line("Sam\u{202e}eoD"), "SameoD");
        assert_eq!(one_line("\u{2067}דנה\u{2069}"), "דנה");
        assert_eq!(lines("a\u{202e}b\n\u{2066}c"), ["ab", "c"]);
    }

    #[test]
    fn a_block_keeps_its_lines_and_loses_its_controls() {
        assert_eq!(
            lines("\r\n\n one\r\ntwo \rthree\u{2029}\n\nf\u{7}o\tur\n \n"),
            [" one", "two", "three", "", "", "fo ur"]
        );
        assert!(lines(" \n\t\n").is_empty());
    }
}
