#!/usr/bin/env python3
"""Makes tests/data/zone-transitions.json: every change of offset from 2024 to 2030 in every zone, as
Python's zoneinfo sees it. The Rust test `zone_transitions_tests` compares jiff with it.

    python3 -m venv venv && venv/bin/pip install tzdata==2026.6
    venv/bin/python tests/python/zone_transitions.py tests/data/zone-transitions.json

zoneinfo is told to ignore the system's table, so the rules are those of the pip package alone
(2026.6 is IANA 2026f). When the table that jiff carries moves on, take the tzdata of the same
release and run this again. Made with Python 3.11.

The file:

    tzdata     the IANA release
    from, to   seconds since 1970; changes at or after `from` and before `to` are in the file
    instants   seconds relative to a change
    walls      seconds relative to the wall clock that a change ends: 0 is the first wall time that
               the old offset would have shown next
    patterns   what surrounds a change, each once:
                 offsets    at each of `instants`, wall clock minus UTC in seconds
                 meanings   for each of `walls`, the instants that show it, relative to the change:
                            none in a gap, two in a fold
    histories  zones with the same changes, each list once:
                 zones      their names
                 first      the offset at `from`
                 changes    [instant, number of its pattern] in order
"""

import json
import sys
from datetime import datetime, timedelta, timezone
import zoneinfo

zoneinfo.reset_tzpath(to=[])
import tzdata  # noqa: E402  (the only source that is left)

FROM = int(datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp())
TO = int(datetime(2031, 1, 1, tzinfo=timezone.utc).timestamp())
HOUR = 3600
# No zone changes twice within six hours.
STEP = 6 * HOUR
INSTANTS = sorted(
    {sign * at for at in (1, HOUR // 2, HOUR, 2 * HOUR, 3 * HOUR) for sign in (-1, 1)} | {0, -HOUR - 1, HOUR - 1}
)
WALLS = sorted({at * 15 * 60 for at in range(-12, 13)} | {-HOUR - 1, -1, 1, HOUR - 1})
EPOCH = datetime(1970, 1, 1)


def offset(zone, second):
    at = datetime.fromtimestamp(second, zone)
    return int(at.utcoffset().total_seconds())


def instants_of(zone, wall):
    """The instants that show a wall time: PEP 495's two readings, kept if they lead back."""
    found = set()
    for fold in (0, 1):
        at = (EPOCH + timedelta(seconds=wall)).replace(tzinfo=zone, fold=fold)
        second = int(at.timestamp())
        if second + offset(zone, second) == wall:
            found.add(second)
    return sorted(found)


def changes(zone):
    low, before = FROM, offset(zone, FROM)
    for high in range(FROM + STEP, TO + STEP, STEP):
        after = offset(zone, high)
        if after != before:
            # The first second with the new offset lies in (low, high].
            left, right = low, high
            while right - left > 1:
                middle = (left + right) // 2
                if offset(zone, middle) == before:
                    left = middle
                else:
                    right = middle
            if right < TO:
                yield right, before
        low, before = high, after


def main(path):
    patterns, histories = {}, {}
    names = sorted(zoneinfo.available_timezones() - {"Factory", "localtime", "posixrules"})
    for name in names:
        zone = zoneinfo.ZoneInfo(name)
        history = [offset(zone, FROM)]
        for at, before in changes(zone):
            pattern = (
                tuple(offset(zone, at + after) for after in INSTANTS),
                tuple(
                    tuple(found - at for found in instants_of(zone, at + before + after))
                    for after in WALLS
                ),
            )
            history.append((at, patterns.setdefault(pattern, len(patterns))))
        histories.setdefault(tuple(history), []).append(name)
    data = {
        "tzdata": tzdata.IANA_VERSION,
        "from": FROM,
        "to": TO,
        "instants": INSTANTS,
        "walls": WALLS,
        "patterns": [{"offsets": offsets, "meanings": meanings} for offsets, meanings in patterns],
        "histories": [
            {"zones": zones, "first": history[0], "changes": history[1:]}
            for history, zones in histories.items()
        ],
    }
    with open(path, "w", encoding="ascii") as file:
        file.write("{")
        for number, (key, value) in enumerate(data.items()):
            file.write("," if number else "")
            file.write(f"\n{json.dumps(key)}:")
            if key in ("patterns", "histories"):
                rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in value)
                file.write(f"[\n{rows}\n]")
            else:
                file.write(json.dumps(value, separators=(",", ":")))
        file.write("\n}\n")
    total = sum(len(history["changes"]) * len(history["zones"]) for history in data["histories"])
    print(f"{data['tzdata']}: {len(names)} zones, {len(patterns)} patterns, {len(histories)} histories, {total} changes")


if __name__ == "__main__":
    main(sys.argv[1])
