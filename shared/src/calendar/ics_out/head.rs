//! What stands before and beside the events.

use jiff::SignedDuration;

use crate::calendar::ics_write::IcsWriter;

/// Whose streams these are, whatever the installation's version.
const PRODID: &str = "-//Holdfast//Holdfast//EN";
/// How often a feed is worth asking for.
const REFRESH: SignedDuration = SignedDuration::from_mins(30);

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publishing {
    /// To be asked for again and again: METHOD:PUBLISH (RFC 5546, section 3.2.1).
    Feed,
    /// To be kept, and read back: without a METHOD.
    File,
}

/// What is said of the calendar.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// What it is for.
    pub publishing: Publishing,
    /// Its name.
    pub name: &'a str,
}

/// Opens the stream. Whoever calls it ends `VCALENDAR`.
pub fn write_head(ics: &mut IcsWriter, head: Head<'_>) {
    ics.begin("VCALENDAR");
    ics.word("PRODID", PRODID);
    ics.word("VERSION", "2.0");
    if head.publishing == Publishing::Feed {
        ics.word("METHOD", "PUBLISH");
    }
    // RFC 7986, section 5.1, and what programs looked at before it.
    ics.text("NAME", head.name);
    ics.text("X-WR-CALNAME", head.name);
    if head.publishing == Publishing::Feed {
        ics.refresh_interval(REFRESH);
    }
}

/// Names what the stream does not have: beside the events, or within one.
pub fn write_problem(ics: &mut IcsWriter, words: &str) {
    ics.text("X-HOLDFAST-PROBLEM", words);
}
