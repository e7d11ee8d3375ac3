//! Events as another file had them, for what could not be understood.

use crate::calendar::ics_write::IcsWriter;

/// Writes an event that was kept as it was written, folded anew. `false`, and nothing is written,
/// if it is not one whole VEVENT: what is cut short would take in what follows it.
#[must_use]
pub fn write_kept(ics: &mut IcsWriter, verbatim: &str) -> bool {
    if !is_whole_event(verbatim) {
        return false;
    }
    for line in lines(verbatim) {
        ics.kept(line);
    }
    true
}

fn lines(verbatim: &str) -> Vec<&str> {
    let lines = verbatim.split(['\r', '\n']);
    lines.filter(|line| !line.is_empty()).collect()
}

/// Whether the text is one VEVENT, with nothing in it that stands beside events.
#[must_use]
pub fn is_whole_event(verbatim: &str) -> bool {
    let lines = lines(verbatim);
    let mut open: Vec<String> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let first = line.chars().next();
        // It would be the rest of the line before.
        if first.is_none_or(char::is_whitespace) {
            return false;
        }
        let (name, value) = match line.find([':', ';']) {
            Some(end) => line.split_at(end),
            None => (*line, ""),
        };
        let name = name.trim().to_ascii_uppercase();
        if at == 0 && name != "BEGIN" {
            return false;
        }
        if name == "BEGIN" || name == "END" {
            // With a parameter it is nothing that anybody writes.
            let Some(component) = value.strip_prefix(':') else {
                return false;
            };
            let component = component.trim().to_ascii_uppercase();
            if name == "END" {
                if open.pop() != Some(component) {
                    return false;
                }
            } else {
                let beside = ["VEVENT", "VCALENDAR", "VTIMEZONE", "STANDARD", "DAYLIGHT"];
                let fits = if at == 0 {
                    component == "VEVENT"
                } else {
                    !beside.contains(&component.as_str())
                };
                if !fits {
                    return false;
                }
                open.push(component);
            }
        }
        let is_end = at + 1 == lines.len();
        if open.is_empty() != is_end {
            return false;
        }
    }
    !lines.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_event_is_written() {
        let mut ics = IcsWriter::new();
        let whole = "BEGIN:VEVENT\r\nDTSTART:someday\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VEVENT";
        assert!(write_kept(&mut ics, whole));
        assert_eq!(ics.take(), format!("{whole}\r\n"));
        for broken in [
            "",
            "SUMMARY:x",
            "BEGIN:VEVENT\r\nUID:1",
            "BEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR",
            "BEGIN:VEVENT\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nEND:VEVENT",
            "BEGIN:VEVENT\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VEVENT",
            "BEGIN:VEVENT\r\nBEGIN:VTIMEZONE\r\nEND:VTIMEZONE\r\nEND:VEVENT",
            "BEGIN:VEVENT\r\nBEGIN:VALARM\r\nEND:VEVENT",
            "BEGIN:VEVENT\r\n X:1\r\nEND:VEVENT",
            "BEGIN:VEVENT\r\nend : vcalendar\r\nEND:VEVENT",
            "BEGIN:VTODO\r\nEND:VTODO",
            "BEGIN:VEVENT\r\nBEGIN;X=1:VEVENT\r\nEND;X=1:VEVENT\r\nEND:VEVENT",
        ] {
            assert!(!write_kept(&mut ics, broken), "{broken:?}");
        }
        assert_eq!(ics.finish(), "");
    }
}
