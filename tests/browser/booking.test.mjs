// A booking's whole life without script: booked, confirmed from the mailbox, put into a calendar,
// moved and cancelled, each time with its mail; and tabs that are behind.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import ICAL from "ical.js";
import { desktop, fits, launch, openMail, phone, picture } from "./chromium.mjs";
import { Holdfast } from "./holdfast.mjs";

ICAL.design.strict = true;

describe("a booking without script", () => {
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

  const newContext = (viewport) =>
    browser.newContext({ javaScriptEnabled: false, locale: "en-GB", viewport });

  /** Follows what a link leads to, and says what came back. */
  const press = async (page, button) => {
    // A tab behind another one draws seldom, and what is clicked has to be drawn.
    await page.bringToFront();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().isNavigationRequest()),
      page.getByRole("button", { name: button, exact: true }).click(),
    ]);
    await page.waitForLoadState();
    return answer;
  };

  /** Holds a time that nobody else in this file takes. */
  const hold = async (page, day, time, email) => {
    await page.bringToFront();
    await page.goto(`${holdfast.url}/book/demo/intro30m?zone=Asia/Kathmandu`);
    await page.locator("a.day").nth(day).click();
    const free = page.locator("section[aria-labelledby=times-title] a.time");
    const start = new URL(await free.nth(time).getAttribute("href"), page.url()).searchParams.get("start");
    await free.nth(time).click();
    await page.getByLabel("Name").fill("Sam Lee");
    await page.getByLabel("Email").fill(email);
    await page.locator("#f-note").fill("Hello,\nI have a question.");
    return start;
  };

  const openLink = async (page, email, subject, action) => {
    await openMail(page, holdfast.url, email, subject);
    await page.locator(`p.message a[href*="action=${action}"]`).first().click();
  };

  const download = async (page, link) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(link).click()]);
    return new ICAL.Component(ICAL.parse(await readFile(await file.path(), "utf8")));
  };

  const isInvitation = (calendar, { method, sequence, start }) => {
    assert.equal(calendar.getFirstPropertyValue("method"), method);
    const event = new ICAL.Event(calendar.getFirstSubcomponent("vevent"));
    assert.equal(event.sequence, sequence);
    assert.equal(event.startDate.toJSDate().getTime(), Date.parse(start));
    assert.equal(event.duration.toSeconds(), 30 * 60);
    return event.uid;
  };

  for (const [name, viewport, day] of [["phone", phone, 3], ["desktop", desktop, 6]]) {
    it(`is held, confirmed, moved and cancelled, ${name}`, async () => {
      const email = `${name}@bookers.test`;
      const context = await newContext(viewport);
      const page = await context.newPage();
      const shot = async (what) => {
        await fits(page, what);
        await picture(page, `${what}-${name}`);
      };
      const start = await hold(page, day, 2, email);
      await shot("form");
      const sent = await press(page, "Hold this time");
      assert.equal(sent.status(), 201);
      assert.match(await page.locator("main").innerText(), new RegExp(email));
      await shot("sent");
      // Loading the answer anew sends the form once more: it is the same booking, and one mail.
      assert.equal((await page.reload()).status(), 201);
      assert.match(await page.locator("main").innerText(), new RegExp(email));

      await openLink(page, email, /^Please confirm: /, "confirm");
      assert.equal(await page.locator(".tag").innerText(), "Held");
      await shot("held");
      assert.equal((await press(page, "Confirm")).status(), 303);
      assert.equal(await page.locator(".tag").innerText(), "Confirmed");
      assert.match(await page.locator(".notice").innerText(), /^Confirmed\./);
      await shot("confirmed");
      // The link in the mail opens the booking as it is now.
      await openLink(page, email, /^Confirmed: /, "reschedule");
      assert.equal(await page.locator("h1").innerText(), "Choose a new time");
      await page.getByRole("link", { name: "Back to the booking" }).click();

      const links = await page.locator(".calendars .links a").evaluateAll((all) => all.map((a) => a.href));
      const basic = start.replaceAll(/[-:]/g, "");
      assert.deepEqual(links.map((href) => new URL(href).host), [
        ...["calendar.google.com", "outlook.live.com", "outlook.office.com", "calendar.yahoo.com"],
      ]);
      assert.match(new URL(links[0]).searchParams.get("dates"), new RegExp(`^${basic}/`));
      assert.equal(new URL(links[1]).searchParams.get("startdt"), start);
      assert.equal(new URL(links[3]).searchParams.get("st"), basic);
      const token = new URL(page.url()).pathname.split("/")[3];
      assert.ok(links.every((href) => !href.includes(token) && !href.includes(email)));

      const file = ".calendars a[download]";
      const uid = isInvitation(await download(page, file), { method: "REQUEST", sequence: 1, start });

      await page.getByRole("link", { name: "Reschedule" }).click();
      await shot("move");
      await page.locator("a.day").nth(day + 1).click();
      const other = page.locator("section[aria-labelledby=times-title] a.time").nth(4);
      const moved = new URL(await other.getAttribute("href"), page.url()).searchParams.get("start");
      await other.click();
      await shot("review");
      assert.equal((await press(page, "Move to the new time")).status(), 303);
      assert.match(await page.locator(".notice").innerText(), /^Moved\./);
      const invitation = { method: "REQUEST", sequence: 2, start: moved };
      assert.equal(isInvitation(await download(page, file), invitation), uid);

      await openLink(page, email, /^New time: /, "cancel");
      await page.getByLabel("Reason").fill("I am ill.");
      await shot("cancel");
      assert.equal((await press(page, "Cancel the booking")).status(), 303);
      assert.equal(await page.locator(".tag").innerText(), "Cancelled");
      await shot("cancelled");
      const cancel = { method: "CANCEL", sequence: 3, start: moved };
      assert.equal(isInvitation(await download(page, "a[download]"), cancel), uid);

      await openMail(page, holdfast.url, email, /^Cancelled: /);
      await shot("mail");
      assert.equal(isInvitation(await download(page, "a[download]"), cancel), uid);
      await page.goto(`${holdfast.url}/dev/mail`);
      await shot("mails");
      const subjects = async (to) => {
        const rows = page.locator("a.row", { hasText: to }).locator(".row-title");
        return (await rows.allInnerTexts()).map((text) => text.split(":")[0]).reverse();
      };
      assert.deepEqual(await subjects(email), ["Please confirm", "Confirmed", "New time", "Cancelled"]);
      await context.close();
    });
  }

  it("reads its mail as HTML, too, where nothing runs", async () => {
    const context = await newContext(desktop);
    const page = await context.newPage();
    await hold(page, 9, 0, "html@bookers.test");
    await press(page, "Hold this time");
    await openMail(page, holdfast.url, "html@bookers.test", /^Please confirm: /);
    const [answer] = await Promise.all([
      page.waitForResponse(/\/html$/),
      page.getByRole("link", { name: "HTML version" }).click(),
    ]);
    assert.match(answer.headers()["content-security-policy"], /^sandbox; default-src 'none'/);
    await picture(page, "mail-html");
    await page.locator('a[href*="action=confirm"]').first().click();
    assert.equal(await page.locator(".tag").innerText(), "Held");
    // Coming from the mail's own, nameless origin the form is still the page's own.
    assert.equal((await press(page, "Confirm")).status(), 303);
    await context.close();
  });

  it("tells a tab that is behind what the booking is now", async () => {
    const context = await newContext(phone);
    const page = await context.newPage();
    const late = await context.newPage();
    const third = await context.newPage();
    await hold(page, 10, 0, "tabs@bookers.test");
    await press(page, "Hold this time");
    await openLink(page, "tabs@bookers.test", /^Please confirm: /, "confirm");
    const manage = new URL(page.url());
    manage.search = "";

    // All see the hold; then one confirms what is confirmed, and one declines it.
    for (const tab of [late, third]) await tab.goto(manage.href);
    await press(page, "Confirm");
    assert.equal((await press(late, "Confirm")).status(), 200);
    assert.match(await late.locator(".notice").innerText(), /already been confirmed/);
    assert.equal((await press(third, "I don't want it")).status(), 409);
    assert.match(await third.locator(".notice").innerText(), /confirmed meanwhile/);
    assert.equal(await third.locator(".tag").innerText(), "Confirmed");
    await picture(third, "stale-phone");

    // Both are about to move it: the second one's revision is the old one.
    const review = async (tab, nth) => {
      await tab.bringToFront();
      await tab.goto(`${manage.href}?action=reschedule`);
      await tab.locator("a.day").nth(10).click();
      await tab.locator("section[aria-labelledby=times-title] a.time").nth(nth).click();
    };
    await review(page, 3);
    await review(late, 5);
    assert.equal((await press(page, "Move to the new time")).status(), 303);
    const where = await page.locator(".when-times").first().innerText();
    assert.equal((await press(late, "Move to the new time")).status(), 409);
    assert.match(await late.locator(".notice").innerText(), /changed meanwhile/);
    assert.equal(await late.locator(".when-times").first().innerText(), where);

    // Back at the form, the time that it moved to is the one that is booked.
    await page.goBack();
    assert.match(await page.locator(".notice").innerText(), /already booked/);

    // Both are about to cancel it.
    for (const tab of [page, late]) await tab.goto(`${manage.href}?action=cancel`);
    await press(page, "Cancel the booking");
    assert.equal((await press(late, "Cancel the booking")).status(), 200);
    assert.match(await late.locator(".notice").innerText(), /already been cancelled/);
    await context.close();
  });

  it("keeps what was typed when the time has gone", async () => {
    const context = await newContext(phone);
    const [page, quick] = [await context.newPage(), await context.newPage()];
    await hold(page, 12, 1, "slow@bookers.test");
    await hold(quick, 12, 1, "quick@bookers.test");
    assert.equal((await press(quick, "Hold this time")).status(), 201);
    assert.equal((await press(page, "Hold this time")).status(), 409);
    assert.equal(await page.getByLabel("Name").inputValue(), "Sam Lee");
    assert.equal(await page.locator("#f-note").inputValue(), "Hello,\nI have a question.");
    await fits(page, "taken");
    await picture(page, "taken-phone");
    // Another time is one press away.
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "POST"),
      page.locator("button.time").first().click(),
    ]);
    assert.equal(answer.status(), 201);
    await context.close();
  });

  it("says what is wrong beside the field, and at the top", async () => {
    const context = await newContext(phone);
    const page = await context.newPage();
    await hold(page, 13, 1, "nobody@bookers.test");
    await page.locator("#f-note").fill("x".repeat(2001));
    const answer = await press(page, "Hold this time");
    assert.equal(answer.status(), 422);
    assert.match(await page.locator("#f-note-error").innerText(), /2000 characters at most/);
    await page.locator(".summary a").click();
    assert.equal(new URL(page.url()).hash, "#f-note");
    await picture(page, "problems-phone");
    await context.close();
  });
});
