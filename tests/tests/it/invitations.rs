//! Mail and invitations of random lives of bookings with hostile text, read back by four readers
//! that share no code with the writer: our line checker, Python's e-mail package with icalendar,
//! ical.js, and libical with its restriction check. All accept every file, they agree, and what they
//! read is what the booking says.

mod hostile;
mod injection;
mod life;
mod links;
mod model;
mod readers;
mod replay;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use holdfast_tests::ics_check;
use serde_json::json;
use shared::mail::{
    message::{Composed, compose},
    view::MailView,
};

use self::{
    readers::{Facts, Readers},
    replay::{Read, assert_life},
};

/// How many bookings live in `make test`, and in `make soak`; `HOLDFAST_TEST_LIVES` asks for another
/// number.
const LIVES: usize = 1_000;
const SOAK_LIVES: usize = 10_000;
/// So many are read in one go.
const BATCH: usize = 250;

/// Goes red without `SENT-BY`, without collapsing addresses, without RFC 6868 in names, with a
/// method in the MIME part that is not the body's, with lines of 76 octets, and with names whose
/// links are whole.
#[test]
fn random_lives_are_read_as_they_were_meant() {
    let usual = if env::var_os("HOLDFAST_SOAK").is_some() {
        SOAK_LIVES
    } else {
        LIVES
    };
    let count = env::var("HOLDFAST_TEST_LIVES")
        .ok()
        .map_or(usual, |count| count.parse().expect("a number"));
    let readers = Readers::find();
    let mut random = hostile::Random::new(0x0040_1DFA_57B0_0C1A);
    let (mut mails, mut invitations) = (0, 0);
    let mut left: usize = count;
    while left > 0 {
        let lives = left.min(BATCH);
        left -= lives;
        let lives: Vec<Vec<Mail>> = (0..lives)
            .map(|_| write_life(&mut random, |_| {}))
            .collect();
        mails += lives.iter().map(Vec::len).sum::<usize>();
        invitations += read_lives(&readers, &lives);
    }
    // Most mail of a life changes something.
    assert!(mails > count * 4 && invitations > count * 3);
}

/// A mail of a life.
struct Mail {
    view: MailView,
    composed: Composed,
}

/// The mails of a random life, each changed before it is made.
fn write_life(random: &mut hostile::Random, change: impl Fn(&mut MailView)) -> Vec<Mail> {
    let views = life::life(random).into_iter();
    let mails = views.map(|mut view| {
        change(&mut view);
        Mail {
            composed: compose(&view).expect("a mail"),
            view,
        }
    });
    mails.collect()
}

/// Has everything read and compared; answers how many invitations there were.
fn read_lives(readers: &Readers, lives: &[Vec<Mail>]) -> usize {
    let folder = Folder::new("lives");
    let mut invitations = 0;
    for (life, mails) in lives.iter().enumerate() {
        for (at, mail) in mails.iter().enumerate() {
            let name = format!("{life:04}-{at:02}");
            folder.write(&format!("{name}.eml"), &mail.composed.bytes);
            if let Some(ics) = &mail.composed.calendar {
                let faults = ics_check::check(ics.as_bytes());
                assert!(faults.is_empty(), "{faults:?}\n{ics}");
                folder.write(&format!("{name}.ics"), ics.as_bytes());
                invitations += 1;
            }
        }
    }
    let facts = readers.read(&folder.0);
    for (life, mails) in lives.iter().enumerate() {
        let mut read = Vec::new();
        for (at, mail) in mails.iter().enumerate() {
            let name = format!("{life:04}-{at:02}");
            assert_mail(mail, &facts, &name);
            let message = &facts.python[format!("{name}.eml")];
            let view = &mail.view;
            read.push(Read { view, message });
        }
        assert_life(&read);
    }
    invitations
}

/// The restriction check is no formality: it refuses what RFC 5546 does not allow in a REQUEST, and
/// the reader reports it.
#[test]
fn libical_refuses_what_breaks_a_restriction() {
    const GOOD: &str = "BEGIN:VCALENDAR\r\nPRODID:-//x//y//EN\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n\
        BEGIN:VEVENT\r\nUID:1@2\r\nSEQUENCE:0\r\nDTSTAMP:20260101T000000Z\r\n\
        DTSTART:20260201T100000Z\r\nDTEND:20260201T103000Z\r\n\
        ORGANIZER;CN=\"A\":mailto:a@example.com\r\n\
        ATTENDEE;CN=\"B\":mailto:b@example.com\r\nSUMMARY:s\r\nDESCRIPTION:d\r\n\
        STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let bad = [
        ("UID:1@2\r\n", "", "UID property"),
        ("UID:1@2\r\n", "UID:1@2\r\nUID:3\r\n", "UID property"),
        ("DTSTAMP:20260101T000000Z\r\n", "", "DTSTAMP property"),
        ("DTSTART:20260201T100000Z\r\n", "", "DTSTART property"),
        (
            "ORGANIZER;CN=\"A\":mailto:a@example.com\r\n",
            "",
            "ORGANIZER property",
        ),
        (
            "ATTENDEE;CN=\"B\":mailto:b@example.com\r\n",
            "",
            "ATTENDEE property",
        ),
        ("SUMMARY:s\r\n", "", "SUMMARY property"),
        ("METHOD:REQUEST", "METHOD:PUBLISH", "ATTENDEE property"),
        ("DTEND:2026", "DTEND:x", "DATE-TIME value in DTEND"),
        ("STATUS:CONFIRMED", "STATUS:DONE\r\nX", "STATUS"),
    ];
    let folder = Folder::new("libical");
    folder.write("good.ics", GOOD.as_bytes());
    for (at, (from, to, _)) in bad.iter().enumerate() {
        assert!(GOOD.contains(from), "{from}");
        folder.write(&format!("{at}.ics"), GOOD.replacen(from, to, 1).as_bytes());
    }
    let facts = Readers::find().libical(&folder.0);
    assert_eq!(facts["good.ics"]["errors"], json!([]));
    for (at, (_, to, fault)) in bad.iter().enumerate() {
        let errors = facts[format!("{at}.ics")]["errors"].to_string();
        assert!(errors.contains(fault), "{to:?}: {errors}");
    }
}

/// One mail, as each reader read it.
fn assert_mail(mail: &Mail, facts: &Facts, name: &str) {
    let Mail { view, composed } = mail;
    let message = &facts.python[format!("{name}.eml")];
    let found = || {
        let bytes = String::from_utf8_lossy(&composed.bytes);
        format!("{name}: {message:#}\n{bytes}")
    };
    model::assert_message(view, composed, message, &found);
    let file = format!("{name}.ics");
    let Some(expected) = model::calendar(view) else {
        assert!(composed.calendar.is_none() && facts.ical_js.get(&file).is_none());
        assert!(message["calendar"].is_null(), "{}", found());
        return;
    };
    let readers = [
        ("the mail, by Python", &message["calendar"]),
        ("the file, by ical.js", &facts.ical_js[&file]),
        ("the file, by libical", &facts.libical[&file]),
    ];
    for (reader, facts) in readers {
        let mut facts = facts.clone();
        let description = facts
            .as_object_mut()
            .and_then(|facts| facts.remove("description"))
            .unwrap_or_default();
        assert_eq!(facts, expected, "{reader}: {}", found());
        model::assert_description(view, description.as_str().unwrap_or_default());
    }
}

/// A folder of this test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("holdfast-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path: PathBuf = Path::new(&self.0).join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
