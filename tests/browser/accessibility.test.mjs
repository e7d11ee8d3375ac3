// axe-core on every page, in light and dark, and a booking by keyboard alone.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { desktop, isAccessible, launch, openMail, phone, picture } from "./chromium.mjs";
import { Holdfast } from "./holdfast.mjs";

describe("pages for everybody", () => {
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

  const fillIn = async (page, email) => {
    await page.locator("#f-name").fill("Sam Lee");
    await page.locator("#f-email").fill(email);
  };

  for (const [name, viewport, locale] of [["desktop", desktop, "en-GB"], ["phone", phone, "zh-CN"]]) {
    it(`has nothing that axe objects to, ${name}, ${locale}`, async () => {
      const context = await browser.newContext({ viewport, locale, timezoneId: "America/New_York" });
      const page = await context.newPage();
      const look = async (what, path) => {
        if (path !== undefined) await page.goto(holdfast.url + path);
        await isAccessible(page, what);
      };
      const submit = () => page.locator("form[method=post] button[type=submit]:not([name]):visible").last().click();
      const nth = viewport === desktop ? 4 : 5;

      await look("home", "/");
      await look("not found", "/nothing/here");
      await look("days", "/book/demo/intro30m");
      await page.locator("a.day").nth(nth).click();
      await look("day");
      await page.locator("section[aria-labelledby=times-title] a.time").first().click();
      await look("form");
      const form = page.url();
      await fillIn(page, `axe-${name}@bookers.test`);
      await page.locator("#f-note").fill("x".repeat(2001));
      await submit();
      await look("form with a problem");
      await page.locator("#f-note").fill("");
      const rival = await context.newPage();
      await rival.goto(form);
      await fillIn(rival, `rival-${name}@bookers.test`);
      await rival.locator("form[method=post] .send button").click();
      await rival.waitForLoadState();
      await submit();
      await page.locator("button.time").first().waitFor();
      await look("a time that has gone");
      await page.locator("button.time").first().click();
      await look("sent");

      const subject = /^(Please confirm|请确认)/;
      await openMail(page, holdfast.url, `axe-${name}@bookers.test`, subject);
      await look("a mail");
      await look("mail", "/dev/mail");
      await openMail(page, holdfast.url, `axe-${name}@bookers.test`, subject);
      await page.locator('p.message a[href*="action=confirm"]').click();
      const manage = new URL(page.url()).pathname;
      await look("held");
      await page.locator("form.confirm button").click();
      await look("confirmed");
      await look("moving", `${manage}?action=reschedule`);
      await page.locator("a.day").nth(nth + 3).click();
      await page.locator("section[aria-labelledby=times-title] a.time").first().click();
      await look("the move");
      await look("cancelling", `${manage}?action=cancel`);
      await page.locator("#f-reason").fill("x".repeat(2001));
      await page.locator("button.danger").click();
      await look("a reason that is too long");
      await page.locator("#f-reason").fill("");
      await page.locator("button.danger").click();
      await look("cancelled");

      // A hold that lapsed: only time brings it about.
      await openMail(page, holdfast.url, `rival-${name}@bookers.test`, subject);
      const link = page.locator('p.message a[href*="action=confirm"]');
      const expired = await link.getAttribute("href");
      await holdfast.sql(
        "UPDATE bookings SET hold_expires_at = now() - interval '1 minute', created_at = created_at - interval '1 hour' WHERE state = 'held'",
      );
      await page.goto(expired);
      await page.locator(".tag").waitFor();
      await look("expired");
      await context.close();
    });
  }

  /** Presses Tab until the focus is on what is looked for; everything on the way has a visible ring. */
  const tabTo = async (page, selector) => {
    for (let presses = 0; presses < 120; presses += 1) {
      await page.keyboard.press("Tab");
      const [found, outline] = await page.evaluate((wanted) => {
        const focused = document.activeElement;
        const style = globalThis.getComputedStyle(focused);
        return [focused.matches(wanted), `${style.outlineStyle} ${style.outlineWidth} ${style.boxShadow}`];
      }, selector);
      assert.doesNotMatch(outline, /^none .* none$/, "the focus can be seen");
      if (found) return;
    }
    assert.fail(`Tab does not lead to ${selector}`);
  };

  it("is booked, confirmed and cancelled by keyboard alone, with script", async () => {
    const context = await browser.newContext({ viewport: desktop, timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    const enter = async (selector) => {
      await tabTo(page, selector);
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    };
    await page.goto(`${holdfast.url}/book/demo/intro30m`);
    // With script the browser's own zone is put in.
    await page.waitForURL(/zone=Asia/);
    await page.waitForLoadState();
    assert.equal(await page.locator("#zone").inputValue(), "Asia/Tokyo");
    // The first stop leads past the header.
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").getAttribute("class"), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    // Walking through the zones with the arrow keys sends nothing by itself.
    await tabTo(page, "#zone");
    await page.keyboard.press("ArrowDown");
    const walked = await page.locator("#zone").inputValue();
    assert.notEqual(walked, "Asia/Tokyo");
    assert.match(decodeURIComponent(page.url()), /zone=Asia\/Tokyo/);
    await enter("form.zone button");
    assert.equal(await page.locator("#zone").inputValue(), walked);

    await enter("a.day:not(.today)");
    await enter("section[aria-labelledby=times-title] a.time");
    await tabTo(page, "#f-name");
    await page.keyboard.type("Key Board");
    await tabTo(page, "#f-email");
    await page.keyboard.type("keys@bookers.test");
    await tabTo(page, "#f-note");
    await page.keyboard.type("x".repeat(2001));
    await enter(".send button");
    // The summary of what is wrong has the focus, and leads to the field.
    assert.match(await page.evaluate(() => document.activeElement.className), /summary/);
    await tabTo(page, ".summary a");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "f-note");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await enter(".send button");
    assert.equal(await page.locator("h1").innerText(), "Check your mail");

    await openMail(page, holdfast.url, "keys@bookers.test", /^Please confirm: /);
    await page.waitForLoadState();
    await enter('p.message a[href*="action=confirm"]');
    await enter("form.confirm button");
    assert.equal(await page.locator(".tag").innerText(), "Confirmed");
    await enter('a[href*="action=cancel"]');
    await enter("button.danger");
    assert.equal(await page.locator(".tag").innerText(), "Cancelled");
    await picture(page, "keyboard-cancelled");
    await context.close();
  });
});
