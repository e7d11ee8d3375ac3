// The distribution's Chromium, and what the tests look at in it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const artefacts = join(here, "artefacts");
export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function launch() {
  return chromium.launch({ executablePath: process.env.HOLDFAST_TEST_CHROMIUM ?? "chromium" });
}

/** A picture for people to look at. */
export async function picture(page, name) {
  await mkdir(artefacts, { recursive: true });
  await page.screenshot({ path: join(artefacts, `${name}.png`), fullPage: true });
}

/** Nothing is wider than the window. */
export async function fits(page, what) {
  const [inside, outside] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(inside <= outside, `${what}: ${inside} wide in ${outside}`);
}

/** axe-core finds nothing to say, in light and in dark. */
export async function isAccessible(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    // Half-way between two colours everything is hard to read.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(axe);
    const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document));
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
    assert.deepEqual(told, [], `${what}, ${colorScheme}`);
    assert.ok(passes.length > 5, `${what}: axe looked at nothing`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** Opens the newest mail to an address at /dev/mail, waiting for the worker to send it. */
export async function openMail(page, url, to, subject) {
  for (let tries = 0; tries < 200; tries += 1) {
    await page.goto(`${url}/dev/mail`);
    const newest = page.locator("a.row", { hasText: to }).first();
    if ((await newest.count()) && (await newest.innerText()).match(subject)) {
      await newest.click();
      return;
    }
    await pause(100);
  }
  assert.fail(`no mail ${subject} to ${to}`);
}
