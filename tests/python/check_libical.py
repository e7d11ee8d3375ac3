"""Reads calendars (.ics) with libical and prints what it says about them, as JSON.

    check_libical.py FOLDER

libical is the reader of Evolution, KOrganizer and others. Its shared library is asked through
ctypes, so nothing is compiled. For each file: the faults that its parser noted, the faults that its
restriction check (icalrestriction_check: which properties a METHOD must and must not have, RFC 5546)
noted, and the same facts, under the same names, as check_ics.py gives for a calendar.
"""

import ctypes
import ctypes.util
import json
import pathlib
import sys

# Since 3.0 what is used here has not changed.
NAMES = ["libical.so.3", "libical.so.4", ctypes.util.find_library("ical")]


def library():
    """libical with the types of what is called; raises OSError where there is none."""
    for name in filter(None, NAMES):
        try:
            found = ctypes.CDLL(name)
            break
        except OSError:
            continue
    else:
        raise OSError("no libical: install the distribution's (Debian: libical3)")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    for name, result, arguments in [
        ("icalparser_parse_string", pointer, [text]),
        ("icalrestriction_check", number, [pointer]),
        ("icalcomponent_free", None, [pointer]),
        ("icalcomponent_get_first_component", pointer, [pointer, number]),
        ("icalcomponent_count_components", number, [pointer, number]),
        ("icalcomponent_string_to_kind", number, [text]),
        ("icalcomponent_get_first_property", pointer, [pointer, number]),
        ("icalcomponent_get_next_property", pointer, [pointer, number]),
        ("icalproperty_string_to_kind", number, [text]),
        ("icalproperty_get_property_name", text, [pointer]),
        ("icalproperty_get_value_as_string", text, [pointer]),
        ("icalproperty_get_value", pointer, [pointer]),
        ("icalproperty_get_parameter_as_string", text, [pointer, text]),
        ("icalproperty_get_first_parameter", pointer, [pointer, number]),
        ("icalparameter_string_to_kind", number, [text]),
        ("icalparameter_get_cn", text, [pointer]),
        ("icalvalue_get_text", text, [pointer]),
        ("icalvalue_isa", number, [pointer]),
        ("icalvalue_string_to_kind", number, [text]),
    ]:
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


class Reader:
    def __init__(self):
        self.lib = library()
        kind = self.lib.icalcomponent_string_to_kind
        self.event = kind(b"VEVENT")
        # ICAL_ANY_PROPERTY, which has no name of its own.
        self.any_property = 0
        self.cn = self.lib.icalparameter_string_to_kind(b"CN")
        self.text_kind = self.lib.icalvalue_string_to_kind(b"TEXT")

    def properties(self, component):
        """Every property of a component, in order, as (name, pointer)."""
        found = self.lib.icalcomponent_get_first_property(component, self.any_property)
        while found:
            yield self.lib.icalproperty_get_property_name(found).decode(), found
            found = self.lib.icalcomponent_get_next_property(component, self.any_property)

    def value(self, prop):
        value = self.lib.icalproperty_get_value(prop)
        if self.lib.icalvalue_isa(value) == self.text_kind:
            return self.lib.icalvalue_get_text(value).decode()
        return self.lib.icalproperty_get_value_as_string(prop).decode()

    def parameter(self, prop, name):
        found = self.lib.icalproperty_get_parameter_as_string(prop, name)
        return None if found is None else found.decode()

    def common_name(self, prop):
        # Asked for as a string, a parameter comes encoded again (RFC 6868).
        found = self.lib.icalproperty_get_first_parameter(prop, self.cn)
        return self.lib.icalparameter_get_cn(found).decode() if found else None

    def party(self, prop):
        sent_by = self.parameter(prop, b"SENT-BY")
        return {
            "address": self.value(prop).removeprefix("mailto:"),
            "cn": self.common_name(prop),
            "role": self.parameter(prop, b"ROLE"),
            "partstat": self.parameter(prop, b"PARTSTAT"),
            "rsvp": self.parameter(prop, b"RSVP"),
            "sent_by": sent_by.removeprefix("mailto:") if sent_by else None,
        }

    def faults(self, calendar, event):
        return [
            self.value(prop)
            for component in [calendar, event]
            for name, prop in self.properties(component)
            if name == "X-LIC-ERROR"
        ]

    def facts(self, data):
        calendar = self.lib.icalparser_parse_string(data)
        if not calendar:
            return {"unreadable": "no component"}
        try:
            return self.calendar_facts(calendar)
        finally:
            self.lib.icalcomponent_free(calendar)

    def calendar_facts(self, calendar):
        of_calendar = {name: self.value(prop) for name, prop in self.properties(calendar)}
        event = self.lib.icalcomponent_get_first_component(calendar, self.event)
        facts = {
            "method": of_calendar.get("METHOD"),
            "version": of_calendar.get("VERSION"),
            "events": self.lib.icalcomponent_count_components(calendar, self.event),
        }
        if facts["events"] != 1:
            return facts | {"errors": self.faults(calendar, calendar)}
        errors = self.faults(calendar, event)
        properties = list(self.properties(event))
        one = {name: self.value(prop) for name, prop in properties}
        facts |= {
            "properties": sorted({name for name, _ in properties}),
            "uid": one.get("UID"),
            "sequence": int(one.get("SEQUENCE", -1)),
            "dtstamp": utc(one.get("DTSTAMP")),
            "dtstart": utc(one.get("DTSTART")),
            "dtend": utc(one.get("DTEND")),
            "status": one.get("STATUS"),
            "transp": one.get("TRANSP"),
            "summary": one.get("SUMMARY"),
            "location": one.get("LOCATION"),
            "description": one.get("DESCRIPTION"),
            "organizer": next((self.party(p) for name, p in properties if name == "ORGANIZER"), None),
            "attendees": [self.party(p) for name, p in properties if name == "ATTENDEE"],
        }
        # The check writes what it finds into the component, so it comes last.
        if not self.lib.icalrestriction_check(calendar):
            errors += self.faults(calendar, event) or ["refused by the restriction check"]
        return facts | {"errors": errors}


def utc(value):
    """20260102T030405Z as check_ics.py writes it."""
    if value is None or len(value) != 16 or not value.endswith("Z"):
        return f"not UTC: {value}"
    return f"{value[:4]}-{value[4:6]}-{value[6:11]}:{value[11:13]}:{value[13:]}"


def main(folder):
    reader = Reader()
    paths = sorted(pathlib.Path(folder).glob("*.ics"))
    json.dump({path.name: reader.facts(path.read_bytes()) for path in paths}, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
