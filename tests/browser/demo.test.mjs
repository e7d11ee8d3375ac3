// The demo page without script: days, times, zones, on a phone and on a desk.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import process from "node:process";
import { desktop, fits, launch, phone, picture } from "./chromium.mjs";
import { Holdfast } from "./holdfast.mjs";

const HOST_ZONE = "America/New_York";
const ZONES = ["Asia/Tokyo", "Asia/Kathmandu", HOST_ZONE];
const DAY_MS = 24 * 60 * 60 * 1000;

/** Chromium's own clock arithmetic is not asked: Node's Intl is. */
function local(instant, timeZone) {
  const options = { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" };
  const [date, time] = new Intl.DateTimeFormat("sv-SE", options).format(instant).split(" ");
  return { date, time };
}

/** The last Friday before and the first Monday after the host's clocks change next. */
function aroundTheChange() {
  const offset = (at) =>
    new Intl.DateTimeFormat("en", { timeZone: HOST_ZONE, timeZoneName: "longOffset" })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName").value;
  // Noon in New York, from the day after tomorrow: a Friday before it is in the future, too.
  let day = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + 5 * DAY_MS + 17 * 60 * 60 * 1000);
  while (offset(day) === offset(new Date(day.getTime() + DAY_MS))) {
    day = new Date(day.getTime() + DAY_MS);
  }
  const seek = (from, step, weekday) => {
    let found = from;
    while (found.getUTCDay() !== weekday) found = new Date(found.getTime() + step * DAY_MS);
    return found.toISOString().slice(0, 10);
  };
  const [before, after] = [seek(day, -1, 5), seek(day, 1, 1)];
  assert.notEqual(offset(new Date(`${before}T17:00Z`)), offset(new Date(`${after}T17:00Z`)));
  return [before, after];
}

describe("the demo page without script", () => {
  let holdfast;
  let browser;

  before(async () => {
    holdfast = await Holdfast.start();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await holdfast?.stop();
  });

  const open = async (path, settings) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      locale: "en-GB",
      ...settings,
    });
    const page = await context.newPage();
    const answer = await page.goto(holdfast.url + path);
    return { page, answer, close: () => context.close() };
  };

  for (const [name, viewport] of Object.entries({ phone, desktop })) {
    for (const colorScheme of ["light", "dark"]) {
      it(`shows free days and a day's times, ${name}, ${colorScheme}`, async () => {
        const { page, answer, close } = await open("/book/demo/intro30m", { viewport, colorScheme });
        assert.equal(answer.status(), 200);
        assert.equal(await page.locator("h1").innerText(), "Introduction");
        await fits(page, "days");
        await picture(page, `days-${name}-${colorScheme}`);
        const free = page.locator("a.day");
        assert.ok((await free.count()) >= 25, "six weeks of weekdays");
        await free.nth(3).click();
        const times = page.locator("section[aria-labelledby=times-title] a.time");
        assert.deepEqual(await times.allInnerTexts(), [
          ...["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"],
          ...["13:00", "13:30", "14:00", "14:30", "15:00", "15:30", "16:00", "16:30"],
        ]);
        await fits(page, "times");
        await picture(page, `day-${name}-${colorScheme}`);
        await close();
      });
    }
  }

  it("speaks Chinese to whoever's browser does", async () => {
    const { page, close } = await open("/book/demo/intro30m", { viewport: phone, locale: "zh-CN" });
    assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
    await fits(page, "days in Chinese");
    await picture(page, "days-phone-chinese");
    await page.getByRole("link", { name: "English" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    // A link keeps the language that was asked for.
    await page.locator("a.day").first().click();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    await close();
  });

  it("offers the whole table of zones, and shows times in the one that is picked", async () => {
    const { page, close } = await open("/book/demo/intro30m", { viewport: desktop });
    const select = page.getByLabel("Time zone");
    const names = await select.locator("option").evaluateAll((all) => all.map(({ value }) => value));
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      // ICU keeps names that the table has renamed; those that it still lists are there.
      if (ZONES.includes(zone) || zone.startsWith("Europe/")) assert.ok(names.includes(zone), zone);
    }
    assert.ok(names.length > 550, `${names.length} zones`);
    assert.equal(new Set(names).size, names.length);
    await select.selectOption("Asia/Kathmandu");
    await page.getByRole("button", { name: "Show times" }).click();
    assert.equal(new URL(page.url()).searchParams.get("zone"), "Asia/Kathmandu");
    assert.equal(await select.inputValue(), "Asia/Kathmandu");
    await page.locator("a.day").nth(1).click();
    assert.equal(await select.inputValue(), "Asia/Kathmandu");
    await picture(page, "day-desktop-kathmandu");
    await close();
  });

  it("shows the right times in three zones on both sides of a change of the clocks", async () => {
    const path = await holdfast.createHost("far", {
      zone: HOST_ZONE,
      availability: "weekdays 9-12, 1-5",
      page: "Far ahead:30",
    });
    const code = path.split("/").at(-1);
    await holdfast.sql(`UPDATE event_types SET horizon_days = 365 WHERE code = '${code}'`);
    const { page, close } = await open(path, { viewport: desktop });
    for (const day of aroundTheChange()) {
      const from = new Date(new Date(`${day}T00:00Z`).getTime() - 2 * DAY_MS).toISOString();
      const to = new Date(new Date(`${day}T00:00Z`).getTime() + 3 * DAY_MS).toISOString();
      const { days } = await holdfast.api(`/v1/pages/far/${code}/slots?from=${from}&to=${to}&zone=UTC`);
      const starts = days.flatMap(({ slots }) => slots.map(({ start }) => new Date(start)));
      const atHome = starts.map((start) => local(start, HOST_ZONE)).filter(({ date }) => date === day);
      assert.equal(atHome.length, 14, `${day}: 9 to 12 and 1 to 5 by the host's clock`);
      assert.deepEqual([atHome[0].time, atHome[13].time], ["09:00", "16:30"]);
      for (const zone of ZONES) {
        await page.goto(`${holdfast.url}${path}?zone=${zone}&day=${day}`);
        const shown = await page
          .locator("section[aria-labelledby=times-title] a.time")
          .allInnerTexts();
        const wanted = starts.map((start) => local(start, zone)).filter(({ date }) => date === day);
        assert.deepEqual(shown, wanted.map(({ time }) => time), `${zone} on ${day}`);
        assert.ok(shown.length >= 4, `${zone} on ${day}`);
      }
    }
    await close();
  });

  it("is on the README's picture", { skip: !process.env.HOLDFAST_SCREENSHOT }, async () => {
    const { page, close } = await open("/book/demo/intro30m?zone=Europe/Paris", {
      viewport: { width: 1200, height: 800 },
      deviceScaleFactor: 2,
    });
    await page.locator("a.day").nth(3).click();
    await page.screenshot({ path: process.env.HOLDFAST_SCREENSHOT, fullPage: true });
    await close();
  });
});
