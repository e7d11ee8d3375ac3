// Reads calendars (.ics) with ical.js and prints what they say, as JSON.
//
//     node check-ics.mjs FOLDER
//
// The same facts, under the same names, as tests/python/check_ics.py gives for a calendar.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import ICAL from "ical.js";

/** A time as it must stand in an invitation; what is not UTC is said. */
function utc(event, name) {
  const time = event.getFirstPropertyValue(name);
  if (time.zone !== ICAL.Timezone.utcTimezone) return `not UTC: ${time}`;
  return time.toString();
}

function text(component, name) {
  return component.getFirstPropertyValue(name);
}

function party(property) {
  const param = (name) => property.getParameter(name) ?? null;
  return {
    address: property.getFirstValue().replace(/^mailto:/, ""),
    cn: param("cn"),
    role: param("role"),
    partstat: param("partstat"),
    rsvp: param("rsvp"),
    sent_by: param("sent-by")?.replace(/^mailto:/, "") ?? null,
  };
}

function calendarFacts(data) {
  const calendar = new ICAL.Component(ICAL.parse(data));
  const events = calendar.getAllSubcomponents("vevent");
  const facts = {
    method: text(calendar, "method"),
    version: text(calendar, "version"),
    events: events.length,
    errors: [],
  };
  if (events.length !== 1) return facts;
  const event = events[0];
  const names = event.getAllProperties().map((property) => property.name.toUpperCase());
  return {
    ...facts,
    properties: [...new Set(names)].sort(),
    uid: text(event, "uid"),
    sequence: text(event, "sequence"),
    dtstamp: utc(event, "dtstamp"),
    dtstart: utc(event, "dtstart"),
    dtend: utc(event, "dtend"),
    status: text(event, "status"),
    transp: text(event, "transp"),
    summary: text(event, "summary"),
    location: text(event, "location"),
    description: text(event, "description"),
    organizer: party(event.getFirstProperty("organizer")),
    attendees: event.getAllProperties("attendee").map(party),
  };
}

// Strict: ical.js throws at what it would otherwise pass over.
ICAL.design.strict = true;
const folder = process.argv[2];
const facts = {};
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith(".ics")) continue;
  try {
    facts[name] = calendarFacts(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    facts[name] = { unreadable: String(error) };
  }
}
process.stdout.write(JSON.stringify(facts));
