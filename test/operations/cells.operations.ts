/** Two cells with their own databases and processes, behind the proxies of deploy/, by the commands of docs/cells.md. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assertError } from "../support/contract-check.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { readDocument } from "../support/document.ts";
import { freePort } from "../support/free-port.ts";
import { endAll, type Started, start } from "../support/shell.ts";
import { type CellProxy, type ProxyName, startProxy } from "./cell-proxies.ts";
import { type Authority, makeAuthority } from "./certificates.ts";
import { type Answer, type Call, httpsCall } from "./https-call.ts";

const page = readDocument("docs/cells.md");
const soon = { timeout: 20_000, interval: 100 };
const names = ["haproxy", "nginx"] as const;

let folder: string;
let ca: Authority;
const databases = new Map<string, TestDatabase>();
const cells = new Map<string, Started>();
const keys = new Map<string, string>();
const proxies = new Map<ProxyName, CellProxy>();
let ports: { a: number; b: number; dead: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  ca = await makeAuthority(folder);
  ports = { a: await freePort(), b: await freePort(), dead: await freePort() };
  for (const name of ["a", "b"] as const) databases.set(name, await createTestDatabase());
  await Promise.all((["a", "b"] as const).map((name) => startCell(name, ports[name])));
  for (const name of ["a", "b"]) keys.set(name, await createKeyIn(name, `account of ${name}`));
  await writeCells();
  // One process of each cell is away all the time.
  const addresses = Object.fromEntries(
    Object.entries({
      "10.0.1.11": ports.a,
      "10.0.1.12": ports.dead,
      "10.0.2.11": ports.b,
      "10.0.2.12": ports.dead,
    }).map(([host, port]) => [`${host}:3000`, `127.0.0.1:${port}`]),
  );
  await writeMap();
  for (const name of names) proxies.set(name, await startProxy(name, { folder, authority: ca, addresses }));
});
afterAll(async () => {
  await endAll();
  await Promise.all([...databases.values()].map((database) => database.drop()));
  await rm(folder, { recursive: true });
});

function command(...words: string[]): string {
  const found = page.commands.find((line) => words.every((word) => line.includes(word)));
  if (found === undefined) throw new Error(`docs/cells.md has no command with ${words.join(" and ")}`);
  return found;
}

const urlOf = (cell: string) => databases.get(cell)?.url ?? "";
const environment = () => ({ CELL_A: urlOf("a"), CELL_B: urlOf("b"), NO_COLOR: "1" });

async function startCell(name: string, port: number): Promise<void> {
  const line = command(`CELL=${name} `, "npm start")
    .replace(/HOST=\S+ TRUST_PROXY=\S+/, "HOST=127.0.0.1 TRUST_PROXY=loopback")
    .replace("npm start", "exec npm start");
  const CHAINS = JSON.stringify([{ chainId: "43114", rpcUrls: ["http://127.0.0.1:1"] }]);
  const env = { ...environment(), CHAINS, ROLES: "api", PORT: String(port), RATE_LIMIT_ADDRESS: "0" };
  cells.set(name, await start("sh", ["-c", line], /"started"/, env));
}

async function sh(line: string): Promise<string> {
  const ours = line
    .replace("/etc/chain-webhooks", folder)
    .replace("/etc/haproxy", folder)
    .replace("/etc/nginx/cells.map", join(folder, "nginx.map"));
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", ours], {
    env: { ...process.env, ...environment() },
  });
  return stdout + stderr;
}

async function createKeyIn(cell: string, account: string): Promise<string> {
  const line = command("keys", "create")
    .replace("CELL=a", `CELL=${cell}`)
    .replace("$CELL_A", `$CELL_${cell.toUpperCase()}`)
    .replace("acme", `'${account}'`);
  return /cwk_\w+/.exec(await sh(line))?.[0] ?? "";
}

async function createKeyFromBeforeTags(cell: string): Promise<string> {
  const made = await createKeyIn(cell, "an old account");
  const old = `cwk_${randomBytes(32).toString("hex")}`;
  const [hash, prefix] = [createHash("sha256").update(old).digest("hex"), old.slice(0, 12)];
  const change = `UPDATE api_keys SET hash = '\\x${hash}', prefix = '${prefix}' WHERE prefix = '${made.slice(0, 25)}'`;
  await query(urlOf(cell), change);
  return old;
}

async function writeCells(): Promise<void> {
  const places = ["a", "b"].map((name) => ({ name, databaseUrl: urlOf(name) }));
  await writeFile(join(folder, "cells.json"), JSON.stringify(places));
}

const writeMap = () => sh(command("cells", "map"));

function call(name: ProxyName, sent: Call): Promise<Answer> {
  return httpsCall(proxies.get(name)?.port ?? 0, ca.cert, sent);
}

const withKey = (whose: string) => ({ headers: { "x-service-api-key": keys.get(whose) } });

/** Which cell answers, by its health. */
async function cellOf(name: ProxyName, headers: Call["headers"] = {}): Promise<string> {
  const { status, body } = await call(name, { path: "/healthz", headers });
  return status === 200 ? JSON.parse(body).cell : `${status}`;
}

const parsed = ({ status, headers, body }: Answer) => ({
  status: status ?? 0,
  headers: new Headers(Object.entries(headers).map(([key, value]): [string, string] => [key, String(value)])),
  body: JSON.parse(body),
});

test("both proxies start with their configurations", async () => {
  for (const name of names)
    await expect
      .poll(() => call(name, { path: "/healthz" }), { ...soon, message: proxies.get(name)?.complaints() ?? "" })
      .toMatchObject({ status: 200 });
});

test("cells list shows both cells", async () => {
  expect(await sh(command("cells", "list"))).toMatch(/'a'.*'up'.*1(.|\n)*'b'.*'up'.*1/);
});

describe.each(names)("%s", (name) => {
  test("routes each key to its account's cell, in whatever case the header's name is", async () => {
    for (const cell of ["a", "b"])
      for (const header of ["x-service-api-key", "X-Service-API-Key", "X-SERVICE-API-KEY"])
        for (let n = 0; n < 4; n += 1) {
          expect(await cellOf(name, { [header]: keys.get(cell) })).toBe(cell);
          expect(await call(name, { path: "/v1/webhooks", headers: { [header]: keys.get(cell) } })).toMatchObject({
            status: 200,
          });
        }
  });

  test("sends whatever has no known tag to any cell, which answers 401, documents and chains", async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 20; n += 1) seen.add(await cellOf(name));
    expect([...seen].toSorted()).toEqual(["a", "b"]);
    const unknown = [
      undefined,
      "",
      "cwk_",
      `cwk_${"0".repeat(64)}`,
      `cwk_000000000000_${"0".repeat(72)}`,
      "_".repeat(900),
    ];
    for (const key of unknown) {
      const headers = key === undefined ? {} : { "x-service-api-key": key };
      assertError(parsed(await call(name, { path: "/v1/webhooks", headers })), 401);
    }
    for (const path of ["/openapi.json", "/v1/chains"])
      expect(await call(name, { path })).toMatchObject({ status: 200 });
  });

  test("two keys in a request are a 401, in whichever order", async () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const headers = { "x-service-api-key": order.map((cell) => keys.get(cell) ?? "") };
      assertError(parsed(await call(name, { path: "/v1/webhooks", headers })), 401);
    }
  });

  test("leaves bodies and URLs that are too large to the API, up to its own bound, which has the contract's shape", async () => {
    const json = { "content-type": "application/json", "x-service-api-key": keys.get("a") };
    const large = (bytes: number) => ({
      method: "POST",
      path: "/v1/webhooks",
      headers: json,
      body: `"${"x".repeat(bytes)}"`,
    });
    assertError(parsed(await call(name, large(1_500_000))), 413);
    assertError(parsed(await call(name, { path: `/v1/webhooks?pageToken=${"x".repeat(9_000)}`, headers: json })), 414);
    // HAProxy has a text of its own for headers above 32 KiB.
    for (const length of name === "haproxy" ? [20_000] : [20_000, 40_000]) {
      const refused = parsed(await call(name, { path: `/v1/webhooks?pageToken=${"x".repeat(length)}`, headers: json }));
      expect([400, 414, 431]).toContain(refused.status);
      expect(refused.body).toMatchObject({ statusCode: refused.status, message: expect.any(String) });
    }
  });
});

test("a new account, and one that moved, are found after the map is written and the proxies reloaded", async () => {
  keys.set("new", await createKeyIn("b", "a new account"));
  keys.set("moved", await createKeyIn("a", "a moving account"));
  keys.set("old", await createKeyFromBeforeTags("b"));
  const reload = async () => {
    await writeMap();
    for (const { reload } of proxies.values()) reload();
  };
  const foundIn = (key: string, cell: string) =>
    Promise.all(
      names.map((name) =>
        expect
          .poll(async () => {
            const asked = Array.from({ length: 4 }, () => cellOf(name, { "x-service-api-key": keys.get(key) }));
            return [...new Set(await Promise.all(asked))];
          }, soon)
          .toEqual([cell]),
      ),
    );
  await reload();
  await foundIn("new", "b");
  await foundIn("old", "b");
  await foundIn("moved", "a");

  const tag = keys.get("moved")?.split("_")[1];
  await query(urlOf("a"), `UPDATE accounts SET moved_to = 'b' WHERE tag = '${tag}'`);
  await query(urlOf("b"), `INSERT INTO accounts (name, tag) VALUES ('moved', '${tag}')`);
  await reload();
  await foundIn("moved", "b");
  await foundIn("new", "b");
});

test("haproxy takes a line from its socket, without a reload", async () => {
  const { socket, map } = proxies.get("haproxy") as CellProxy;
  const tag = keys.get("moved")?.split("_")[1];
  const set = (cell: string) => {
    const runtime = connect(socket);
    runtime.end(`set map ${map} ${tag} cell_${cell}\n`);
    return text(runtime);
  };
  expect((await set("a")).trim()).toBe("");
  expect(await cellOf("haproxy", withKey("moved").headers)).toBe("a");
  await set("nowhere");
  assertError(parsed(await call("haproxy", { path: "/v1/webhooks", ...withKey("moved") })), 503);
  await set("b");
  expect(await cellOf("haproxy", withKey("moved").headers)).toBe("b");
});

test("nginx answers 503 for a cell that it does not know", async () => {
  const { map, reload } = proxies.get("nginx") as CellProxy;
  const written = await readFile(map, "utf8");
  const tag = keys.get("moved")?.split("_")[1] ?? "";
  await writeFile(map, written.replace(`${tag} cell_b`, `${tag} cell_nowhere`));
  reload();
  const ask = () => call("nginx", { path: "/v1/webhooks", ...withKey("moved") });
  await expect.poll(async () => (await ask()).status, soon).toBe(503);
  assertError(parsed(await ask()), 503);
  await writeFile(map, written);
  reload();
  await expect.poll(async () => (await ask()).status, soon).not.toBe(503);
});

/** The accounts of cell b get a 503, those of cell a what they always get. */
async function expectOnlyBAway(name: ProxyName): Promise<void> {
  const away = parsed(await call(name, { path: "/v1/webhooks", ...withKey("b") }));
  assertError(away, 503);
  expect(away.headers.get("retry-after")).toBe("5");
  expect(await call(name, { path: "/v1/webhooks", ...withKey("a") })).toMatchObject({ status: 200 });
}

test("while all processes of a cell are killed, its accounts get 503, and nobody else; without a key the others answer; it returns by itself", async () => {
  const child = cells.get("b")?.child;
  if (child?.pid) process.kill(-child.pid, "SIGKILL");
  for (const name of names) {
    await expectOnlyBAway(name);
    for (let n = 0; n < 10; n += 1) {
      expect(await cellOf(name)).toBe("a");
      assertError(parsed(await call(name, { path: "/v1/webhooks" })), 401);
    }
  }
  await startCell("b", ports.b);
  for (const name of names)
    await expect.poll(async () => (await call(name, { path: "/v1/webhooks", ...withKey("b") })).status, soon).toBe(200);
});

test("while a cell's database is away, its accounts get 503, and nobody else", async () => {
  await databases.get("b")?.drop();
  for (const name of names) {
    await expect.poll(async () => (await call(name, { path: "/v1/webhooks", ...withKey("b") })).status, soon).toBe(503);
    await expectOnlyBAway(name);
  }
  // Its accounts keep their lines meanwhile, and a new account of the other cell is found.
  keys.set("newer", await createKeyIn("a", "a newer account"));
  const before = await readFile(proxies.get("haproxy")?.map ?? "", "utf8");
  expect(await writeMap()).toContain("The cell b is away");
  const after = await readFile(proxies.get("haproxy")?.map ?? "", "utf8");
  expect(after.split("\n")).toEqual(expect.arrayContaining(before.split("\n")));
  expect(after).toContain(`${keys.get("newer")?.split("_")[1]} cell_a`);
  expect(await sh(command("cells", "list"))).toMatch(/'a'.*'up'(.|\n)*'b'.*'away: /);
});
