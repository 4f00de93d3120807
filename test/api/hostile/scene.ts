/** An API with something in it to be harmed, and the oracle of it: what its tables hold, and what it logged. */
import { expect } from "vitest";
import type { Pool } from "../../../server/store/pool.ts";
import { type Api, newWebhook, type Reply, startApi } from "../../support/api.ts";
import { assertError } from "../../support/contract-check.ts";
import { exchange } from "../../support/raw-http.ts";

/** The statuses that the contract has for a request that is not as it should be. */
const refusals = new Set([400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 431]);

export type Scene = {
  api: Api;
  /** A webhook of the key `both`. */
  id: string;
  /** Whether the API waits for its database. */
  isBusy(): boolean;
  /** How many rows there are, by table; when a key was used is written down whatever is asked. */
  rows(): Promise<Record<string, number>>;
  /** Sends the bytes of a request, and asserts that it is refused as the contract says. @returns the last answer */
  refused(bytes: Buffer | string): Promise<Reply>;
  /** The same, and asserts that nothing was written or hurt. @returns the status and the message */
  refusal(bytes: Buffer | string): Promise<string>;
  /** Asserts that the API failed at nothing, and answers. */
  assertUnhurt(): Promise<void>;
};

/** Opens it; the test closes the API. */
export async function openScene(): Promise<Scene> {
  const api = await startApi();
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook() });
  let counting: string | undefined;
  const scene: Scene = {
    api,
    id: body.id,
    isBusy: () => api.pool.idleCount < api.pool.totalCount || api.pool.waitingCount > 0,
    async rows() {
      counting ??= await countingAll(api.pool);
      const { rows } = await api.pool.query<{ name: string; count: number }>(counting);
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },
    async refused(bytes) {
      const replies = await exchange(api.url, Buffer.from(bytes as string), scene.isBusy);
      const reply = replies.at(-1);
      if (!reply || !refusals.has(reply.status)) expect.fail(`answered ${JSON.stringify(replies)}`);
      assertError(reply, reply.status as Parameters<typeof assertError>[1]);
      return reply;
    },
    async refusal(bytes) {
      const before = await scene.rows();
      const reply = await scene.refused(bytes);
      expect(await scene.rows()).toEqual(before);
      expect(reply.headers.get("set-cookie")).toBeNull();
      await scene.assertUnhurt();
      return `${reply.status} ${reply.body.message}`;
    },
    async assertUnhurt() {
      expect(api.logged.splice(0).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
      expect((await api.call("GET", `/v1/webhooks/${body.id}`)).status).toBe(200);
    },
  };
  return scene;
}

/** One statement that counts the rows of every table. */
async function countingAll(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  );
  return rows.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM "${name}"`).join(" UNION ALL ");
}

/** The bytes of a request that closes its connection. */
export function request(
  line: string,
  { headers = [], body = "" }: { headers?: readonly string[]; body?: Buffer | string } = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const length = bytes.length > 0 ? [`content-length: ${bytes.length}`] : [];
  const head = [`${line} HTTP/1.1`, "host: a", "connection: close", ...headers, ...length, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}
