#!/usr/bin/env python3
"""Makes tests/data/recurrence-model.json: random recurrence rules and their dates as python-dateutil
gives them. The Rust test `recurrence::tests::model` compares its own expansion with it.

    python3 -m venv venv && venv/bin/pip install python-dateutil==4.0.0
    venv/bin/python tests/python/recurrence_model.py tests/data/recurrence-model.json

A record is [kind, DTSTART, rule, from, to, dates]: the rule's dates in [from, to), each in seconds
after `from`. Made with Python 3.11.

python-dateutil knows no zones here: wall times in, wall times out. It reads three
things otherwise than RFC 5545, so those rules are put to it in words on which both agree, and their
records carry the letter:

w  BYWEEKNO without a day: dateutil takes all seven days of the week. What a rule does not say comes
   from DTSTART (section 3.3.10), so it is asked with BYDAY of DTSTART's weekday.
m  BYDAY=MO,2TU in a month: dateutil asks for a Monday that is a second Tuesday, so for nothing. The
   list is a union (section 3.3.10), so it is asked for the two rules apart.
s  WEEKLY with BYSETPOS, DTSTART inside a week: dateutil counts positions from DTSTART on; the set is
   that of the whole week, and dates before DTSTART are then left out. It is asked from the week's
   beginning, and COUNT is applied to what is left.

DTSTART itself, where the rule does not match it, is no date of dateutil's nor of the compared level.
"""

import datetime as dt
import json
import random
import sys
import types

from dateutil import rrule as r

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
FREQ = {"YEARLY": r.YEARLY, "MONTHLY": r.MONTHLY, "WEEKLY": r.WEEKLY, "DAILY": r.DAILY, "HOURLY": r.HOURLY}
rng = random.Random(5545)

# Rules that never match are looked through up to this year; all windows end before it.
r.datetime = types.ModuleType("datetime")
r.datetime.__dict__.update(dt.__dict__)
r.datetime.MAXYEAR = 2040


def some(values, most):
    return sorted(set(rng.choice(values) for _ in range(rng.randint(1, most))))


def signed(top, most):
    return some([n for n in range(-top, top + 1) if n], most)


def numbered(numbers, most):
    return sorted(set((rng.choice(numbers), rng.choice(DAYS)) for _ in range(rng.randint(1, most))))


def make():
    """One rule as a dictionary of parts, with its kind."""
    freq = rng.choices(list(FREQ), [3, 4, 4, 3, 1])[0]
    rule = {"FREQ": freq}
    kind = ""
    if rng.random() < 0.5:
        rule["INTERVAL"] = rng.randint(1, {"DAILY": 40, "WEEKLY": 9, "MONTHLY": 14, "YEARLY": 4, "HOURLY": 50}[freq])
    if rng.random() < 0.4:
        rule["WKST"] = rng.choice(DAYS)
    if rng.random() < 0.3:
        rule["BYMONTH"] = some(range(1, 13), 6)
    choice = rng.random()
    if freq in ("WEEKLY", "DAILY", "HOURLY"):
        if choice < 0.6:
            rule["BYDAY"] = [(0, day) for day in some(DAYS, 5)]
        if freq != "WEEKLY" and choice > 0.8:
            rule["BYMONTHDAY"] = signed(31, 6)
    elif freq == "MONTHLY":
        if choice < 0.25:
            # -5 only alone: the other reader refuses it beside other numbers, and says so.
            rule["BYDAY"] = numbered([-5] if choice < 0.02 else [1, 2, 3, 4, 5, -1, -2, -4], 3)
        elif choice < 0.5:
            rule["BYMONTHDAY"] = signed(31, 4)
        elif choice < 0.65:
            rule["BYDAY"] = [(0, day) for day in some(DAYS, 5)]
        elif choice < 0.75:
            rule["BYDAY"] = [(0, day) for day in some(DAYS, 3)]
            rule["BYMONTHDAY"] = signed(31, 8)
        elif choice < 0.8:
            rule["BYDAY"] = sorted({(0, "MO")} | set(numbered([1, 2, -1], 2)))
            kind = "m"
    else:
        if choice < 0.12:
            rule["BYYEARDAY"] = signed(366, 5)
        elif choice < 0.24:
            rule["BYWEEKNO"] = signed(53, 4)
            rule["BYDAY"] = [(0, day) for day in some(DAYS, 3)]
        elif choice < 0.3:
            rule["BYWEEKNO"] = signed(53, 4)
            kind = "w"
        elif choice < 0.42:
            top = [1, 2, 4, 5, -1, -5] if "BYMONTH" in rule else [1, 20, -1, 52, 53, -52]
            if choice < 0.28 and "BYMONTH" not in rule:
                top = [-53]
            rule["BYDAY"] = numbered(top, 3)
        elif choice < 0.55:
            rule["BYMONTHDAY"] = signed(31, 4)
        elif choice < 0.65:
            rule["BYDAY"] = [(0, day) for day in some(DAYS, 2)]
        elif choice < 0.7:
            rule["BYMONTHDAY"] = [13]
            rule["BYDAY"] = [(0, "FR")]
    if rng.random() < 0.2:
        rule["BYHOUR"] = some(range(24), 3)
    if rng.random() < 0.15:
        rule["BYMINUTE"] = some([0, 15, 30, 45, 59], 2)
    if rng.random() < 0.05:
        rule["BYSECOND"] = some([0, 30, 59], 2)
    if freq != "HOURLY" and rng.random() < 0.2 and any(name.startswith("BY") for name in rule):
        rule["BYSETPOS"] = some([1, 2, 3, 4, -1, -2, -3], 2)
    return rule, kind


def text_of(rule):
    def shown(value):
        if not isinstance(value, list):
            return str(value)
        return ",".join(f"{v[0] or ''}{v[1]}" if isinstance(v, tuple) else str(v) for v in value)

    items = list(rule.items())
    rng.shuffle(items)
    return ";".join(f"{name}={shown(value)}" for name, value in items)


def ask(rule, start, count=None, until=None):
    def day(n, name):
        weekday = r.weekdays[DAYS.index(name)]
        return weekday(n) if n else weekday

    names = {"BYMONTH": "bymonth", "BYMONTHDAY": "bymonthday", "BYYEARDAY": "byyearday", "BYWEEKNO": "byweekno", "BYHOUR": "byhour", "BYMINUTE": "byminute", "BYSECOND": "bysecond", "BYSETPOS": "bysetpos"}
    kwargs = {names[name]: value for name, value in rule.items() if name in names}
    if "BYDAY" in rule:
        kwargs["byweekday"] = [day(*pair) for pair in rule["BYDAY"]]
    if "WKST" in rule:
        kwargs["wkst"] = DAYS.index(rule["WKST"])
    return r.rrule(FREQ[rule["FREQ"]], dtstart=start, interval=rule.get("INTERVAL", 1), count=count, until=until, **kwargs)


def dates(rule, kind, start, count, until, end):
    """The dates before `end`."""
    if kind == "w":
        rule = dict(rule, BYDAY=[(0, DAYS[start.weekday()])])
    if kind == "m":
        apart = [dict(rule, BYDAY=[p for p in rule["BYDAY"] if bool(p[0]) == which]) for which in (True, False)]
        both = sorted({date for one in apart for date in takewhile_before(ask(one, start, until=until), end)})
        return both[:count] if count else both
    if kind == "s":
        wkst = DAYS.index(rule.get("WKST", "MO"))
        full = dict(rule)
        full.setdefault("BYDAY", [(0, DAYS[start.weekday()])])
        week = start - dt.timedelta(days=(start.weekday() - wkst) % 7)
        full.setdefault("BYHOUR", [start.hour])
        full.setdefault("BYMINUTE", [start.minute])
        full.setdefault("BYSECOND", [start.second])
        week = week.replace(hour=0, minute=0, second=0)
        found = [date for date in takewhile_before(ask(full, week, until=until), end) if date >= start]
        return found[:count] if count else found
    return list(takewhile_before(ask(rule, start, count, until), end))


def takewhile_before(source, end):
    for date in source:
        if date >= end:
            return
        yield date


def main():
    records = []
    while len(records) < 4_000:
        rule, kind = make()
        freq = rule["FREQ"]
        old = rng.random() < 0.1 and freq in ("YEARLY", "MONTHLY")
        year = rng.randint(1890, 1970) if old else rng.randint(2012, 2027)
        start = dt.datetime(year, 1, 1, rng.randrange(24), rng.choice([0, 15, 30, 45]), 0) + dt.timedelta(days=rng.randrange(365))
        if freq == "HOURLY":
            start = start.replace(year=2026)
        if kind == "m" and "BYSETPOS" in rule:
            continue
        if freq == "WEEKLY" and "BYSETPOS" in rule:
            kind = "s"
        length = {"YEARLY": 1500, "MONTHLY": 400, "WEEKLY": 90, "DAILY": 60, "HOURLY": 5}[freq]
        begin = dt.datetime(2026, 1, 1, rng.randrange(24)) + dt.timedelta(days=rng.randrange(1200 if freq != "HOURLY" else 300))
        if rng.random() < 0.2:
            begin = start.replace(minute=0) - dt.timedelta(days=rng.randrange(3))
        end = begin + dt.timedelta(days=length)
        count = until = None
        ending = rng.random()
        text = text_of(rule)
        if ending < 0.2:
            count = rng.randint(1, 400)
            text += f";COUNT={count}"
        elif ending < 0.4:
            until = begin + dt.timedelta(days=rng.randrange(length), hours=rng.randrange(24))
            if until < start:
                continue
            form = rng.randrange(3)
            if form == 0:
                text += f";UNTIL={until:%Y%m%d}"
                until = until.replace(hour=23, minute=59, second=59)
            else:
                text += f";UNTIL={until:%Y%m%dT%H%M%S}{'Z' if form == 1 else ''}"
        try:
            found = [date for date in dates(rule, kind, start, count, until, end) if begin <= date]
        except ValueError:
            # HOURLY whose hours BYHOUR never meets: dateutil refuses it when it is made.
            continue
        if len(found) > 24 or (not found and rng.random() < 0.7):
            continue
        stamp = "%Y%m%dT%H%M%S"
        records.append([kind, start.strftime(stamp), text, begin.strftime(stamp), end.strftime(stamp), [int((date - begin).total_seconds()) for date in found]])
    with open(sys.argv[1], "w", encoding="ascii") as file:
        lines = (json.dumps(record, separators=(",", ":")) for record in records)
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
