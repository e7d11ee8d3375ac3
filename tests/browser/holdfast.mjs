// A Holdfast in development mode, as `make run` starts it: a data folder of its own with a private
// PostgreSQL, the demo page, mail at /dev/mail. Limits are raised: the tests are one client.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const binary = join(process.env.HOLDFAST_TEST_BIN_DIR ?? "../../target/debug", "holdfast");

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A loaded machine takes its time to make a cluster. */
const START_MS = 120_000;

/** The tests' own settings, and none that somebody runs a server with. */
function environment(settings) {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("HOLDFAST_") && !name.startsWith("DATABASE_"),
  );
  return { ...Object.fromEntries(own), ...settings };
}

export class Holdfast {
  static async start() {
    const data = await mkdtemp(join(tmpdir(), "holdfast-browser-"));
    // Under root PostgreSQL runs as another user, who must be able to come in.
    await chmod(data, 0o755);
    const port = await freePort();
    const env = environment({
      HOLDFAST_DATA_DIR: data,
      HOLDFAST_LISTEN: `127.0.0.1:${port}`,
      HOLDFAST_LOG: "warn",
      HOLDFAST_MAX_REQUESTS_PER_MINUTE: "100000",
      HOLDFAST_MAX_BOOKING_REQUESTS_PER_MINUTE: "1000",
      HOLDFAST_MAX_OPEN_HOLDS_PER_IP: "1000",
      HOLDFAST_MAX_BOOKINGS_PER_DAY_PER_IP: "1000",
      HOLDFAST_MAIL_RECIPIENT_MAX_PER_HOUR: "1000",
      HOLDFAST_MAIL_RECIPIENT_MAX_PER_DAY: "1000",
      HOLDFAST_MAIL_MAX_PER_HOUR: "0",
    });
    const child = spawn(binary, [], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child, "spawn");
    const holdfast = new Holdfast(data, env, child, `http://127.0.0.1:${port}`);
    await holdfast.#ready();
    return holdfast;
  }

  constructor(data, env, child, url) {
    Object.assign(this, { data, env, child, url });
    this.said = "";
    child.stdout.on("data", (bytes) => (this.said += bytes));
    this.ended = once(child, "exit").then(([code]) => code);
  }

  async #ready() {
    const { child } = this;
    for (let waited = 0; !this.said.includes("Holdfast is ready"); waited += 50) {
      const code = child.exitCode ?? child.signalCode;
      assert.equal(code, null, `holdfast ended: ${this.said}`);
      assert.ok(waited < START_MS, `holdfast is not ready: ${this.said}`);
      await pause(50);
    }
  }

  async stop() {
    this.child.kill("SIGTERM");
    assert.equal(await this.ended, 0, "a clean stop");
    await rm(this.data, { recursive: true });
  }

  /** Runs `holdfast admin …` beside the server. */
  async admin(...args) {
    const { stdout } = await run(binary, ["admin", ...args], { env: this.env });
    return stdout;
  }

  /** Makes a host with a page; answers the page's path. */
  async createHost(handle, settings) {
    const options = Object.entries({ email: `${handle}@hosts.test`, ...settings });
    const args = options.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]));
    const made = JSON.parse(await this.admin("create-host", "--json", "--handle", handle, ...args));
    return new URL(made.url).pathname;
  }

  /** Runs SQL in the private PostgreSQL, for what no call can bring about: time that has passed. */
  async sql(statement) {
    const url = `postgres:///holdfast?host=${this.data}/postgres&port=5432&user=holdfast`;
    const args = ["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement];
    const { stdout } = await run("psql", args, { env: this.env });
    return stdout.trim();
  }

  /** JSON from the public API. */
  async api(path) {
    const answer = await fetch(this.url + path);
    assert.equal(answer.status, 200, path);
    return answer.json();
  }
}
