/** Two cells behind the proxies of deploy/, by the commands of docs/cells.md. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { assertError } from "../support/contract-check.ts";
import { endAll } from "../support/shell.ts";
import { type CellProxy, type ProxyName, startProxy } from "./cell-proxies.ts";
import { type Authority, makeAuthority } from "./certificates.ts";
import { type Answer, type Call, httpsCall } from "./https-call.ts";
import { command, openTwoCells, type TwoCells } from "./two-cells.ts";

const soon = { timeout: 20_000, interval: 100 };
const names = ["haproxy", "nginx"] as const;

let folder: string;
let ca: Authority;
let cells: TwoCells;
const keys = new Map<string, string>();
const proxies = new Map<ProxyName, CellProxy>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  ca = await makeAuthority(folder);
  cells = await openTwoCells(folder);
  for (const name of ["a", "b"] as const) keys.set(name, await cells.createKey(name, `account of ${name}`));
  await cells.writeMap();
  const { addresses } = cells;
  for (const name of names) proxies.set(name, await startProxy(name, { folder, authority: ca, addresses }));
});
afterAll(async () => {
  await endAll();
  await Promise.all([cells.dropDatabase("a"), cells.dropDatabase("b")]);
  await rm(folder, { recursive: true });
});

function call(name: ProxyName, sent: Call): Promise<Answer> {
  return httpsCall(proxies.get(name)?.port ?? 0, ca.cert, sent);
}

const withKey = (whose: string) => ({ headers: { "x-service-api-key": keys.get(whose) } });
const statusFor = async (name: ProxyName, whose: string) =>
  (await call(name, { path: "/v1/webhooks", ...withKey(whose) })).status;

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
  expect(await cells.sh(command("cells", "list"))).toMatch(/^a +up +1 (.|\n)*^b +up +1 /m);
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

  test("passes writes on, and the API's own 502", async () => {
    const body = JSON.stringify({
      url: "https://example.com/",
      chainId: "43114",
      eventType: "address_activity",
      metadata: { addresses: [`0x${"a".repeat(40)}`] },
    });
    const headers = { "content-type": "application/json", ...withKey("a").headers };
    // Some of them meet the process that is away first.
    for (let n = 0; n < 4; n += 1) {
      const refused = parsed(await call(name, { method: "POST", path: "/v1/webhooks", headers, body }));
      assertError(refused, 502, /chain/);
    }
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

test("a new account, and one that moved, are found after the map is written and the proxies reloaded, which drops no request", async () => {
  keys.set("new", await cells.createKey("b", "a new account"));
  keys.set("moved", await cells.createKey("a", "a moving account"));
  keys.set("old", await cells.createOldKey("b"));
  const reload = async () => {
    await cells.writeMap();
    for (const { reload } of proxies.values()) reload();
  };
  const statuses = new Set<number | undefined>();
  let isOver = false;
  const asking = names.map(async (name) => {
    while (!isOver) statuses.add(await statusFor(name, "a"));
  });
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
  await cells.change("a", `UPDATE accounts SET move_state = 'left' WHERE tag = '${tag}'`);
  await cells.change("b", `INSERT INTO accounts (name, tag) VALUES ('moved', '${tag}')`);
  await reload();
  await foundIn("moved", "b");
  await foundIn("new", "b");
  isOver = true;
  await Promise.all(asking);
  expect([...statuses]).toEqual([200]);
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
  // For a moment, workers with the former map still answer.
  const refused = await vi.waitFor(async () => {
    const answer = await ask();
    expect(answer.status).toBe(503);
    return answer;
  }, soon);
  assertError(parsed(refused), 503);
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
  cells.kill("b");
  for (const name of names) {
    await expectOnlyBAway(name);
    for (let n = 0; n < 10; n += 1) {
      expect(await cellOf(name)).toBe("a");
      assertError(parsed(await call(name, { path: "/v1/webhooks" })), 401);
    }
  }
  await cells.startCell("b");
  for (const name of names) await expect.poll(() => statusFor(name, "b"), soon).toBe(200);
});

test("while a cell's database is away, its accounts get 503, and nobody else", async () => {
  await cells.dropDatabase("b");
  for (const name of names) {
    await expect.poll(() => statusFor(name, "b"), soon).toBe(503);
    await expectOnlyBAway(name);
  }
  // Its accounts keep their lines meanwhile, and a new account of the other cell is found.
  keys.set("newer", await cells.createKey("a", "a newer account"));
  const before = await readFile(proxies.get("haproxy")?.map ?? "", "utf8");
  expect(await cells.writeMap()).toContain("The cell b is away");
  const after = await readFile(proxies.get("haproxy")?.map ?? "", "utf8");
  expect(after.split("\n")).toEqual(expect.arrayContaining(before.split("\n")));
  expect(after).toContain(`${keys.get("newer")?.split("_")[1]} cell_a`);
  expect(await cells.sh(command("cells", "list"))).toMatch(/^a +up (.|\n)*^b +away: /m);
});
