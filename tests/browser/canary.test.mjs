// A script in every text that somebody can type runs nowhere. The pages' own policy would stop it:
// it is switched off here, so that the escaping alone must hold.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { desktop, launch, openMail } from "./chromium.mjs";
import { Holdfast } from "./holdfast.mjs";

const CANARY = [
  `"'><script>globalThis.canary = 1</script>`,
  `<img src=x onerror="globalThis.canary = 1">`,
  `</textarea></title><svg onload="globalThis.canary = 1">`,
].join("");

describe("a canary", () => {
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

  it("is dead in every text field", async () => {
    const path = await holdfast.createHost("canary", {
      name: CANARY.slice(0, 90),
      zone: "UTC",
      availability: "every day 0:00-24:00",
      page: `${CANARY.replaceAll(":", "")}:30`,
      description: CANARY,
    });
    await holdfast.sql("UPDATE event_types SET listed = true, allow_guests = true");
    await holdfast.sql("UPDATE hosts SET listed = true");
    const context = await browser.newContext({ viewport: desktop, bypassCSP: true, timezoneId: "UTC" });
    const page = await context.newPage();
    let seen = 0;
    const lives = async (what) => {
      await page.waitForLoadState();
      // What loads late would run late.
      await page.evaluate(() => new Promise((done) => globalThis.setTimeout(done, 50)));
      assert.equal(await page.evaluate(() => globalThis.canary), undefined, what);
      assert.equal(await page.locator("main img, main svg[onload], main script").count(), 0, what);
      seen += (await page.content()).includes("onerror") ? 1 : 0;
    };
    const open = async (where, what) => {
      await page.goto(holdfast.url + where);
      await lives(what);
    };
    const press = async (selector, what) => {
      await Promise.all([page.waitForEvent("load"), page.locator(selector).first().click()]);
      await lives(what);
    };

    // The test sees a canary that lives.
    await page.goto(`${holdfast.url}/`);
    await page.evaluate((html) => document.write(html), CANARY);
    assert.equal(await page.evaluate(() => globalThis.canary), 1, "the canary can sing");

    await open("/", "the list of hosts");
    await open("/canary", "a host");
    await open(`${path}?zone=UTC`, "days");
    await press("a.day:not(.today)", "a day");
    await press("section[aria-labelledby=times-title] a.time", "the form");
    const email = "canary@bookers.test";
    const fill = async (fields) => {
      for (const [id, text] of Object.entries(fields)) await page.locator(`#f-${id}`).fill(text);
    };
    await fill({ name: CANARY, email, note: CANARY, guests: CANARY });
    await press(".send button", "the form with problems");
    await fill({ name: CANARY.slice(0, 100), guests: "" });
    await press(".send button", "check your mail");
    await openMail(page, holdfast.url, email, /^Please confirm: /);
    await lives("the hold's mail");
    await press('a:text("HTML version")', "the hold's mail in HTML");
    await press('a[href*="action=confirm"]', "the hold");
    const manage = new URL(page.url()).pathname;
    await press("form.confirm button", "the confirmed booking");
    for (const kind of [/^Confirmed: /, /^New booking: /]) {
      await openMail(page, holdfast.url, kind.source.includes("New") ? "canary@hosts.test" : email, kind);
      await lives("a confirmed mail");
      await press('a:text("HTML version")', "a confirmed mail in HTML");
    }
    await open(`${manage}?action=reschedule`, "moving");
    await press("section[aria-labelledby=times-title] a.time", "the move");
    await open(`${manage}?action=cancel`, "cancelling");
    await fill({ reason: CANARY.repeat(20) });
    await press("button.danger", "a reason that is too long");
    await fill({ reason: CANARY });
    await press("button.danger", "the cancelled booking");
    await openMail(page, holdfast.url, "canary@hosts.test", /^Cancelled: /);
    await lives("the mail with the reason");
    await press('a:text("HTML version")', "the mail with the reason in HTML");
    const mark = encodeURIComponent(CANARY);
    for (const name of ["zone", "day", "start", "from", "lang", "action", "done"]) {
      await open(`${path}?${name}=${mark}`, `${name}= of a page`);
      await open(`${manage}?${name}=${mark}`, `${name}= of a booking`);
    }
    await open(`/book/${mark}/${mark}`, "a path");
    assert.ok(seen > 15, `the canary was on ${seen} pages`);
    await context.close();
  });
});
