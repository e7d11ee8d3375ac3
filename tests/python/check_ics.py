"""Reads messages (.eml) with their invitations and prints what they say, as JSON.

    check_ics.py FOLDER

Uses Python's own e-mail package and icalendar, two readers that share nothing with Holdfast. The
test that runs this compares the answer with the bookings that the files were made from.
"""

import email
import email.errors
import email.header
import email.policy
import email.utils
import json
import pathlib
import sys

import icalendar


def decoded(value):
    """A header's text with its encoded words read."""
    return str(email.header.make_header(email.header.decode_header(value)))


def mailboxes(message, name):
    """Each mailbox of a header as [name, address]."""
    raw = [str(value).replace("\r\n", "") for value in message.get_all(name, [])]
    return [[decoded(shown), address] for shown, address in email.utils.getaddresses(raw)]


def text_of(component, name):
    value = component.get(name)
    return None if value is None else str(value)


def utc(component, name):
    """A time as it must stand in an invitation; what is not UTC is said."""
    value = component.decoded(name)
    if value.utcoffset() is None or value.utcoffset().total_seconds() != 0:
        return f"not UTC: {value}"
    return value.strftime("%Y-%m-%dT%H:%M:%SZ")


def party(value):
    params = {key.lower(): str(text) for key, text in value.params.items()}
    return {
        "address": str(value).removeprefix("mailto:"),
        "cn": params.get("cn"),
        "role": params.get("role"),
        "partstat": params.get("partstat"),
        "rsvp": params.get("rsvp"),
        "sent_by": params.get("sent-by", "").removeprefix("mailto:") or None,
    }


def calendar_facts(data):
    calendar = icalendar.Calendar.from_ical(data)
    events = [part for part in calendar.walk() if part.name == "VEVENT"]
    facts = {
        "method": text_of(calendar, "METHOD"),
        "version": text_of(calendar, "VERSION"),
        "events": len(events),
        "errors": [str(error) for part in calendar.walk() for error in part.errors],
    }
    if len(events) != 1:
        return facts
    event = events[0]
    attendees = event.get("ATTENDEE", [])
    if not isinstance(attendees, list):
        attendees = [attendees]
    facts |= {
        "properties": sorted({name for name, _ in event.property_items(recursive=False)} - {"BEGIN", "END"}),
        "uid": text_of(event, "UID"),
        "sequence": int(event.get("SEQUENCE")),
        "dtstamp": utc(event, "DTSTAMP"),
        "dtstart": utc(event, "DTSTART"),
        "dtend": utc(event, "DTEND"),
        "status": text_of(event, "STATUS"),
        "transp": text_of(event, "TRANSP"),
        "summary": text_of(event, "SUMMARY"),
        "location": text_of(event, "LOCATION"),
        "description": text_of(event, "DESCRIPTION"),
        "organizer": party(event.get("ORGANIZER")),
        "attendees": [party(attendee) for attendee in attendees],
    }
    return facts


def message_facts(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        # RFC 6532: an address in other letters, as UTF-8.
        text = data.decode("utf-8")
    # compat32 leaves headers as they stand; the default policy's own reader of structured headers
    # is not asked, because it keeps the space between two encoded words of a name.
    message = email.message_from_string(text, policy=email.policy.compat32)
    defects = []
    structure = []
    leaves = []
    for part in message.walk():
        structure.append(part.get_content_type())
        defects += [type(defect).__name__ for defect in part.defects]
        if part.is_multipart():
            continue
        body = part.get_payload(decode=True)
        leaves.append((part, body))
    facts = {
        "headers": sorted(name.lower() for name in message.keys()),
        "from": mailboxes(message, "From"),
        "to": mailboxes(message, "To"),
        "reply_to": mailboxes(message, "Reply-To"),
        "subject": decoded(message["Subject"].replace("\r\n", "").replace("\n", "")),
        "message_id": message["Message-ID"],
        "date": email.utils.parsedate_to_datetime(message["Date"]).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "auto_submitted": message["Auto-Submitted"],
        "language": message["Content-Language"],
        "structure": structure,
        "defects": defects,
        "text": leaves[0][1].decode(leaves[0][0].get_content_charset()),
        "html": leaves[1][1].decode(leaves[1][0].get_content_charset()),
        "calendar": None,
    }
    if len(leaves) > 2:
        part, body = leaves[2]
        attachment, attached = leaves[3]
        facts |= {
            "calendar": calendar_facts(body),
            "calendar_charset": part.get_content_charset(),
            "calendar_method": part.get_param("method"),
            "attachment_equal": body == attached,
            "attachment_name": attachment.get_filename(),
            "attachment_disposition": attachment.get_content_disposition(),
        }
    return facts


def main(folder):
    facts = {}
    for path in sorted(pathlib.Path(folder).iterdir()):
        # An invitation by itself is the one of its message, which says so.
        if path.suffix != ".eml":
            continue
        try:
            facts[path.name] = message_facts(path.read_bytes())
        except Exception as error:  # a file that cannot be read is a fact too
            facts[path.name] = {"unreadable": f"{type(error).__name__}: {error}"}
    json.dump(facts, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
