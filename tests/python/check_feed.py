"""Reads calendars (.ics) with icalendar and with libical and prints their events, as JSON.

    check_feed.py FOLDER

For each reader and file: the METHOD, the faults that the reader noted (libical's restriction check
included), and of each event its UID, its SUMMARY, when it starts and ends, and its RECURRENCE-ID.
A time is in UTC where the file says how, else as it stands. What Holdfast wrote is compared with what
it was written from by the test that runs this.
"""

import ctypes
import datetime
import json
import pathlib
import sys

import icalendar

import check_libical


def shown(value):
    """A date, a time without a zone, or a time in UTC."""
    if not isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d")
    if value.tzinfo is None:
        return value.strftime("%Y-%m-%dT%H:%M:%S")
    return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def by_icalendar(data):
    calendar = icalendar.Calendar.from_ical(data)
    events = []
    for event in calendar.walk("VEVENT"):
        of = lambda name: shown(event.decoded(name)) if name in event else None
        events.append({
            "uid": str(event["UID"]),
            "summary": str(event["SUMMARY"]),
            "start": of("DTSTART"),
            "end": of("DTEND"),
            "replaces": of("RECURRENCE-ID"),
        })
    return {
        "method": str(calendar["METHOD"]) if "METHOD" in calendar else None,
        "errors": [str(error) for part in calendar.walk() for error in part.errors],
        "events": events,
    }


class Time(ctypes.Structure):
    """struct icaltimetype."""

    _fields_ = [
        (name, ctypes.c_int)
        for name in ["year", "month", "day", "hour", "minute", "second", "is_date", "is_daylight"]
    ] + [("zone", ctypes.c_void_p)]


class Libical(check_libical.Reader):
    def __init__(self):
        super().__init__()
        pointer, number = ctypes.c_void_p, ctypes.c_int
        for name, result, arguments in [
            ("icalcomponent_get_next_component", pointer, [pointer, number]),
            ("icalproperty_get_datetime_with_component", Time, [pointer, pointer]),
            ("icaltime_as_timet_with_zone", ctypes.c_long, [Time, pointer]),
        ]:
            function = getattr(self.lib, name)
            function.restype, function.argtypes = result, arguments

    def events(self, calendar):
        event = self.lib.icalcomponent_get_first_component(calendar, self.event)
        while event:
            yield event
            event = self.lib.icalcomponent_get_next_component(calendar, self.event)

    def time(self, event, properties, name):
        if name not in properties:
            return None
        time = self.lib.icalproperty_get_datetime_with_component(properties[name], event)
        if time.is_date:
            return f"{time.year:04}-{time.month:02}-{time.day:02}"
        if not time.zone:
            return f"{time.year:04}-{time.month:02}-{time.day:02}T{time.hour:02}:{time.minute:02}:{time.second:02}"
        seconds = self.lib.icaltime_as_timet_with_zone(time, time.zone)
        return shown(datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc))

    def calendar_facts(self, calendar):
        method = {name: self.value(prop) for name, prop in self.properties(calendar)}.get("METHOD")
        events = []
        for event in self.events(calendar):
            properties = dict(self.properties(event))
            events.append({
                "uid": self.value(properties["UID"]),
                "summary": self.value(properties["SUMMARY"]),
                "start": self.time(event, properties, "DTSTART"),
                "end": self.time(event, properties, "DTEND"),
                "replaces": self.time(event, properties, "RECURRENCE-ID"),
            })
        # The check writes what it finds into the components, so it comes last.
        kept = self.lib.icalrestriction_check(calendar)
        errors = [fault for event in self.events(calendar) for fault in self.faults(calendar, event)]
        if not kept and not errors:
            errors = ["refused by the restriction check"]
        return {"method": method, "errors": errors, "events": events}


def main(folder):
    libical = Libical()
    files = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).glob("*.ics"))}
    json.dump({
        "icalendar": {name: by_icalendar(data) for name, data in files.items()},
        "libical": {name: libical.facts(data) for name, data in files.items()},
    }, sys.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
