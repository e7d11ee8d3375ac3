// Reads calendars (.ics) with ical.js and prints their events, as JSON.
//
//     node check-feed.mjs FOLDER
//
// The same facts, under the same names, as tests/python/check_feed.py gives for a calendar.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import ICAL from "ical.js";

/** A date, a time without a zone, or a time in UTC. */
function shown(event, name) {
  const time = event.getFirstPropertyValue(name);
  if (!time) return null;
  if (time.isDate || time.zone === ICAL.Timezone.localTimezone) return time.toString();
  return time.convertToZone(ICAL.Timezone.utcTimezone).toString();
}

function facts(data) {
  const calendar = new ICAL.Component(ICAL.parse(data));
  const events = calendar.getAllSubcomponents("vevent").map((event) => ({
    uid: event.getFirstPropertyValue("uid"),
    summary: event.getFirstPropertyValue("summary"),
    start: shown(event, "dtstart"),
    end: shown(event, "dtend"),
    replaces: shown(event, "recurrence-id"),
  }));
  return { method: calendar.getFirstPropertyValue("method"), errors: [], events };
}

// Strict: ical.js throws at what it would otherwise pass over.
ICAL.design.strict = true;
const folder = process.argv[2];
const found = {};
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith(".ics")) continue;
  try {
    found[name] = facts(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    found[name] = { unreadable: String(error) };
  }
}
process.stdout.write(JSON.stringify(found));
