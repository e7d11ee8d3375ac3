"""Times libical's expansion of calendars over a window, beside Holdfast's in `make bench`.

    bench_libical.py FOLDER FROM TO

Each `.ics` of the folder is parsed once. Then every event of it is expanded over the window (in
seconds since 1970) by icalcomponent_foreach_recurrence, again and again. Prints, for each file by
its name, the occurrences and the median of the nanoseconds, as JSON. The occurrences are counted
once, by a callback in Python; what is timed calls a function of C that does nothing, so Python's own
share is one call an event.
"""

import ctypes
import json
import pathlib
import statistics
import sys
import time

from check_libical import library

SECONDS = 1.5


class Time(ctypes.Structure):
    """struct icaltimetype."""

    _fields_ = [(name, ctypes.c_int) for name in ("year", "month", "day", "hour", "minute", "second", "is_date", "is_daylight")]
    _fields_ += [("zone", ctypes.c_void_p)]


CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def main():
    folder, begin, end = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    lib = library()
    lib.icaltimezone_get_utc_timezone.restype = ctypes.c_void_p
    lib.icaltime_from_timet_with_zone.restype = Time
    lib.icaltime_from_timet_with_zone.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p]
    utc = lib.icaltimezone_get_utc_timezone()
    window = [lib.icaltime_from_timet_with_zone(at, 0, utc) for at in (begin, end)]
    each = lib.icalcomponent_foreach_recurrence
    each.restype = None
    kind = lib.icalcomponent_string_to_kind(b"VEVENT")
    lib.icalcomponent_get_next_component.restype = ctypes.c_void_p
    lib.icalcomponent_get_next_component.argtypes = [ctypes.c_void_p, ctypes.c_int]
    nothing = ctypes.cast(ctypes.CDLL(None).labs, ctypes.c_void_p)
    answer = {}
    for file in sorted(folder.glob("*.ics")):
        calendar = lib.icalparser_parse_string(file.read_bytes())
        events = []
        event = lib.icalcomponent_get_first_component(calendar, kind)
        while event:
            events.append(ctypes.c_void_p(event))
            event = lib.icalcomponent_get_next_component(calendar, kind)
        found = 0

        def count(*_):
            nonlocal found
            found += 1

        counting = CALLBACK(count)
        for event in events:
            each(event, window[0], window[1], counting, None)
        times = []
        until = time.perf_counter() + SECONDS
        while time.perf_counter() < until or len(times) < 3:
            began = time.perf_counter_ns()
            for event in events:
                each(event, window[0], window[1], nothing, None)
            times.append(time.perf_counter_ns() - began)
        lib.icalcomponent_free(calendar)
        answer[file.stem] = {"occurrences": found, "ns": statistics.median(times)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
