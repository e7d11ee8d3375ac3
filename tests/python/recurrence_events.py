#!/usr/bin/env python3
"""Random events with what python-dateutil and zoneinfo make of them, as JSON on standard output.
`tests/it/recurrence.rs` puts the same events through Holdfast's readers and compares.

    recurrence_events.py SEED COUNT

An event has a rule (`recurrence_model.py` makes it), DTEND or DURATION, exceptions and additional
dates in other zones than its own, sometimes an override of one occurrence or of a whole tail. dateutil
gives the rule's wall times, zoneinfo their instants; the rest is written here once more, from RFC 5545
and not from the Rust.

Where Holdfast is meant to differ from dateutil, and why:

w, m, s  as `recurrence_model.py` says.
DTSTART  is always an occurrence, whether the rule matches it or not ("defines the first instance in the
         recurrence set", section 3.8.5.3). dateutil has it only if the rule matches. COUNT is filled by
         the rule's own dates in both: where DTSTART is beside them, readers differ, and no reading may
         leave out a date.
gaps     A wall time that a gap swallows is moved forward, one that a fold doubles is the first (sections
         3.3.5 and 3.3.10). dateutil's wall times do not know. What a gap moved is not made shorter by it:
         RFC 5545 leaves that open, and the longer one keeps the host from being booked twice.
DTEND    is a wall time so many civil days on. Section 3.8.5.3 would keep the elapsed time of the first;
         people and programs keep the hour.
UNTIL    as a date beside times, or as a local time, is not allowed by section 3.3.10 and is read as
         "through that day" and on DTSTART's own clock. Beside dates, a time in UTC holds by its date as
         written and by the day that begins then.
BYHOUR, BYMINUTE, BYSECOND beside dates are ignored, as section 3.3.10 says; dateutil would make times.
once     Two occurrences at one instant are one, the longer.
"""

import datetime as dt
import json
import random
import sys
from zoneinfo import ZoneInfo, reset_tzpath

import recurrence_model as model

ZONES = [
    "UTC",
    "Europe/Dublin",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Africa/Casablanca",
]
UTC = dt.timezone.utc
HORIZON = dt.datetime(2039, 12, 31)
rng = random.Random()
model.rng = rng
# The table of the package tzdata, which is pinned; the system's may be a year old.
reset_tzpath(to=[])


def place(wall, zone):
    """The instant of a wall time, and whether a gap moved it."""
    at = wall.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)
    return at, at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != wall


def wall_of(at, zone):
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def written(wall, zone, own):
    """A moment as `;TZID=…:value`, in a zone's wall time. `own` None is floating."""
    value = wall.strftime("%Y%m%dT%H%M%S")
    if own is None:
        return f":{value}"
    return f":{value}Z" if zone == "UTC" else f";TZID={zone}:{value}"


def widened():
    """A rule of the model, sometimes with parts that it does not put together."""
    rule, kind = model.make()
    freq = rule["FREQ"]
    if freq == "YEARLY" and not kind and rng.random() < 0.15:
        for name in ("BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"):
            rule.pop(name, None)
        pick = rng.randrange(4)
        if pick == 0:
            rule["BYYEARDAY"] = model.signed(366, 60)
            rule["BYDAY"] = [(0, day) for day in model.some(model.DAYS, 4)]
        elif pick == 1:
            rule["BYYEARDAY"] = model.signed(366, 80)
            rule["BYMONTHDAY"] = model.signed(31, 10)
        elif pick == 2:
            rule["BYWEEKNO"] = model.signed(53, 20)
            rule["BYMONTHDAY"] = model.signed(31, 12)
        else:
            rule["BYWEEKNO"] = model.signed(53, 20)
            rule["BYDAY"] = [(0, day) for day in model.some(model.DAYS, 4)]
            rule["BYSETPOS"] = model.some([1, 2, 5, -1, -2, -5], 3)
    if freq == "HOURLY" and rng.random() < 0.2:
        rule["BYYEARDAY"] = model.signed(366, 120)
    return rule, kind


class Series:
    """One event, its text and its occurrences."""

    def __init__(self):
        self.host = rng.choice(ZONES)
        self.dates = rng.random() < 0.2
        self.floating = not self.dates and rng.random() < 0.1
        self.zone = self.host if self.dates or self.floating else rng.choice(ZONES)
        self.rule, self.kind = widened()
        freq = self.rule["FREQ"]
        self.asked = dict(self.rule)
        if self.dates:
            for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
                self.asked.pop(name, None)
        by = [name for name in self.asked if name.startswith("BY") and name != "BYSETPOS"]
        if (self.dates and freq == "HOURLY") or ("BYSETPOS" in self.asked and not by):
            raise Skip
        if self.kind == "m" and "BYSETPOS" in self.rule:
            raise Skip
        if freq == "WEEKLY" and "BYSETPOS" in self.rule:
            self.kind = "s"
        year = rng.randint(1950, 1999) if freq in ("YEARLY", "MONTHLY") and rng.random() < 0.1 else rng.randint(2015, 2027)
        if freq == "HOURLY":
            year = 2026
        self.start = dt.datetime(year, 1, 1, 0 if self.dates else rng.randrange(24), 0 if self.dates else rng.choice([0, 15, 30, 45]))
        self.start += dt.timedelta(days=rng.randrange(365))
        self.lines = ["BEGIN:VEVENT", "UID:s", "DTSTART" + self.own(self.start)]
        self.length()
        self.rule_text()

    def own(self, wall):
        if self.dates:
            return f";VALUE=DATE:{wall:%Y%m%d}"
        return written(wall, self.zone, None if self.floating else self.zone)

    def length(self):
        """(civil days, seconds on the wall, elapsed seconds)"""
        if self.dates:
            days = rng.choice([1, 1, 1, 2, 5])
            self.span = (days, 0, 0)
            if rng.random() < 0.5:
                self.lines.append("DTEND" + self.own(self.start + dt.timedelta(days=days)))
            elif days > 1 or rng.random() < 0.5:
                self.lines.append(f"DURATION:P{days}D")
            return
        days, minutes = rng.choice([0, 0, 0, 1, 2, 4]), rng.choice([15, 30, 60, 90, 600])
        if rng.random() < 0.5:
            self.span = (days, minutes * 60, 0)
            self.lines.append("DTEND" + self.own(self.start + dt.timedelta(days=days, minutes=minutes)))
        else:
            self.span = (days, 0, minutes * 60)
            self.lines.append(f"DURATION:P{days}DT{minutes}M" if days else f"DURATION:PT{minutes}M")

    def rule_text(self):
        text = model.text_of(self.rule)
        self.count, self.until = None, lambda wall: True
        ending = rng.random()
        if ending < 0.25:
            self.count = rng.randint(1, 300)
            text += f";COUNT={self.count}"
        elif ending < 0.6:
            until = dt.datetime(2026, 1, 1, rng.randrange(24), rng.choice([0, 30])) + dt.timedelta(days=rng.randrange(1500))
            form = rng.randrange(3)
            if form == 0:
                text += f";UNTIL={until:%Y%m%d}"
                self.until = lambda wall: wall.date() <= until.date()
            elif form == 1:
                text += f";UNTIL={until:%Y%m%dT%H%M%S}"
                self.until = lambda wall: wall.date() <= until.date() if self.dates else wall <= until
            else:
                text += f";UNTIL={until:%Y%m%dT%H%M%S}Z"
                at = until.replace(tzinfo=UTC)
                self.until = lambda wall: self.at(wall) <= at or (self.dates and wall.date() <= until.date())
        self.lines.append(f"RRULE:{text}")

    def at(self, wall):
        return day_start(wall, self.host) if self.dates else place(wall, self.zone)[0]

    def key(self, wall, at):
        return wall.date() if self.dates else at

    def walls(self, end):
        """The rule's dates before `end`, and whether it has one after it."""
        last = None
        try:
            found = model.dates(self.asked, self.kind, self.start, self.count, None, HORIZON if self.sparse() else end)
        except ValueError:
            raise Skip from None
        inside = [wall for wall in found if wall < end]
        if len(found) > len(inside):
            last = found[len(inside)]
        return [wall for wall in inside if self.until(wall)], last is not None

    def sparse(self):
        return self.rule["FREQ"] in ("YEARLY", "MONTHLY") and self.count is None

    def end(self, wall, at, shifted, span):
        days, on_wall, elapsed = span
        if self.dates:
            return day_start(wall + dt.timedelta(days=days), self.host)
        civil = wall + dt.timedelta(days=days, seconds=on_wall)
        end = (at if days == on_wall == 0 else place(civil, self.zone)[0]) + dt.timedelta(seconds=elapsed)
        end = max(end, at)
        if shifted:
            end = max(end, at + dt.timedelta(days=days, seconds=on_wall + elapsed))
        return end


def day_start(wall, zone):
    """The first instant of a civil date."""
    at, moved = place(wall, zone)
    if not moved:
        return at
    # The end of the gap that swallows midnight.
    low, high = at - dt.timedelta(hours=26), at
    seen = wall_of(high, zone)
    while high - low > dt.timedelta(seconds=1):
        middle = low + (high - low) / 2
        middle = middle.replace(microsecond=0)
        if wall_of(middle, zone) >= wall:
            high = middle
        else:
            low = middle
    assert seen >= wall
    return high


class Skip(Exception):
    pass


def case():
    series = Series()
    begin = dt.datetime(2026, 1, 1) + dt.timedelta(days=rng.randrange(900), minutes=15 * rng.randrange(96))
    length = {"YEARLY": 1100, "MONTHLY": 300, "WEEKLY": 80, "DAILY": 50, "HOURLY": 4}[series.rule["FREQ"]]
    if series.rule["FREQ"] == "HOURLY":
        begin = series.start + dt.timedelta(days=rng.randrange(-1, 90))
    end = begin + dt.timedelta(days=length)
    slack = dt.timedelta(days=30)
    walls, more = series.walls(end + slack)
    # What a window about one of them may show is known.
    near = [wall for wall in walls if begin - slack <= wall < end + slack / 2]
    if len(near) > 400 or (not near and rng.random() < 0.8):
        raise Skip
    if near and rng.random() < 0.3:
        # A narrow window about an occurrence.
        at = rng.choice(near) + dt.timedelta(days=rng.randrange(-1, 4), minutes=15 * rng.randrange(-8, 8))
        begin, end = at, at + dt.timedelta(minutes=rng.choice([15, 60, 600, 1440]))
    start = series.start
    # By key: (wall, instant, whether it was moved, length)
    bases = {}

    def add(wall, at, shifted, span):
        key = series.key(wall, at)
        nominal = span[0] * 86_400 + span[1] + span[2]
        held = bases.get(key)
        if held is None or nominal > held[3][0] * 86_400 + held[3][1] + held[3][2]:
            bases[key] = (wall, at, shifted, span)

    def add_wall(wall, span):
        if series.dates:
            add(wall, day_start(wall, series.host), False, span)
        else:
            add(wall, *place(wall, series.zone), span)

    for wall in [start, *walls]:
        add_wall(wall, series.span)

    # Additional dates.
    if rng.random() < 0.3:
        for _ in range(rng.randint(1, 3)):
            wall = begin + dt.timedelta(days=rng.randrange(-3, 40), minutes=15 * rng.randrange(96))
            if series.dates:
                wall = wall.replace(hour=0, minute=0)
                series.lines.append(f"RDATE;VALUE=DATE:{wall:%Y%m%d}")
                add_wall(wall, series.span)
                continue
            form = rng.randrange(3)
            if form == 0:
                series.lines.append("RDATE" + series.own(wall))
                add_wall(wall, series.span)
                continue
            zone = rng.choice(ZONES)
            at = place(wall, zone)[0]
            own = wall_of(at, series.zone)
            shifted = place(own, series.zone)[0] != at
            if form == 1:
                series.lines.append("RDATE" + written(wall, zone, zone))
                add(own, at, shifted, series.span)
            else:
                hours = rng.randint(1, 30)
                parameter, value = written(wall, zone, zone).split(":")
                series.lines.append(f"RDATE;VALUE=PERIOD{parameter}:{value}/PT{hours}H")
                add(own, at, shifted, (0, 0, hours * 3600))

    # Exceptions, in this zone, another, or as a date.
    if near and rng.random() < 0.5:
        for wall in rng.sample(near, min(len(near), rng.randint(1, 4))):
            if series.dates:
                series.lines.append(f"EXDATE;VALUE=DATE:{wall:%Y%m%d}")
                bases.pop(wall.date(), None)
                continue
            form = rng.randrange(3)
            at = place(wall, series.zone)[0]
            if form == 0:
                series.lines.append("EXDATE" + series.own(wall))
                bases.pop(at, None)
            elif form == 1:
                series.lines.append("EXDATE" + written(wall_of(at, "UTC"), "UTC", "UTC"))
                bases.pop(at, None)
            else:
                series.lines.append(f"EXDATE;VALUE=DATE:{wall:%Y%m%d}")
                bases = {key: base for key, base in bases.items() if base[0].date() != wall.date()}
    series.lines.append("END:VEVENT")

    # An override of one occurrence, or of it and all after it.
    spans = []
    change = None
    if not series.dates and bases and rng.random() < 0.3:
        key = rng.choice(list(bases))
        wall = bases[key][0]
        future = rng.random() < 0.5
        moved = wall + dt.timedelta(days=rng.randrange(-2, 3), minutes=15 * rng.randrange(-20, 20))
        span = (0, 0, 60 * rng.choice([30, 45, 2000]))
        fold = place(wall, series.zone)[0] != key
        name = "RECURRENCE-ID" + (";RANGE=THISANDFUTURE" if future else "")
        original = written(wall_of(key, "UTC"), "UTC", "UTC") if fold or rng.random() < 0.4 else series.own(wall)
        series.lines += ["BEGIN:VEVENT", "UID:s", name + original, "DTSTART" + series.own(moved), f"DURATION:PT{span[2] // 60}M", "END:VEVENT"]
        at, shifted = place(moved, series.zone)
        spans.append((at, series.end(moved, at, shifted, span)))
        del bases[key]
        if future:
            change = (key, moved - wall, span)

    for key, (wall, at, shifted, span) in bases.items():
        if change and key > change[0]:
            wall, span = wall + change[1], change[2]
            at, shifted = place(wall, series.zone)
        spans.append((at, series.end(wall, at, shifted, span)))
    low, high = begin.replace(tzinfo=UTC), end.replace(tzinfo=UTC)
    kept = sorted((int(a.timestamp()), int(b.timestamp())) for a, b in spans if a < high and low < b)
    return {
        "zone": series.host,
        "lines": series.lines,
        "from": int(low.timestamp()),
        "to": int(high.timestamp()),
        "spans": kept,
        # Whether the rule is known to have a date after the window.
        "more": more,
    }


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng.seed(seed)
    cases = []
    while len(cases) < count:
        try:
            cases.append(case())
        except Skip:
            continue
    json.dump(cases, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
