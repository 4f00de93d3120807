/** Generated cases: what they find, how small they make it, and that they leave nothing behind, whatever happens. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Generated, generateCases } from "../../scripts/command/conformance/cases/generate.ts";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { send } from "../support/api.ts";
import { type Answer, type Ask, type Breakage, breakServer } from "./breakage.ts";
import { startExample } from "./example.ts";
import { exampleTarget } from "./example-target.ts";

let example: { url: string; close(): Promise<void> };
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

async function tryCases(
  breakage: Omit<Breakage, "says" | "rules">,
  { count, seed = 1, signal = new AbortController().signal }: { count: number; seed?: number; signal?: AbortSignal },
): Promise<Generated> {
  const server = await breakServer(example.url, "both", [breakage]);
  onTestFinished(server.close);
  return generateCases({ baseUrl: new URL(server.url), target: exampleTarget, signal, cases: { count, seed } });
}

async function webhooks(): Promise<unknown[]> {
  return (await send(`${example.url}/v1/webhooks`, "GET", { key: "both" })).body.webhooks;
}

const rulesOf = ({ findings }: Generated) => [...new Set(findings.map(({ rule }) => rule))];

/** Says so when asked in words. */
async function refusal(ask: Ask, status: number, message: string, error: string): Promise<Answer> {
  const { headers } = await ask("GET", "/v1/chains");
  return { status, headers: { ...headers, "retry-after": "0" }, body: { message, statusCode: status, error } };
}

test("a correct server passes, and nothing is left", async () => {
  const { findings, left, exchanges } = await tryCases({}, { count: 24 });
  expect(findings.flatMap(failureOf)).toEqual([]);
  expect(left).toEqual([]);
  expect(exchanges.length).toBeGreaterThan(24);
  expect(await webhooks()).toEqual([]);
});

test("a rate limit is waited for, a quota is no fault, and few webhooks are enough", async () => {
  const live = new Set<string>();
  const keys = new Set<string>();
  let count = 0;
  let most = 0;
  const { findings, left } = await tryCases(
    {
      request({ method, path, headers }, ask) {
        count += 1;
        if (count % 7 < 2) return refusal(ask, 429, "There are too many requests.", "Too Many Requests");
        if (
          method === "POST" &&
          path === "/v1/webhooks" &&
          live.size >= 2 &&
          !keys.has(headers["idempotency-key"] ?? "")
        )
          return refusal(ask, 403, "The account must have at most 2 webhooks.", "Forbidden");
        return undefined;
      },
      answer({ status, body }, { method, path, headers }) {
        if (status === 201) live.add(body.id);
        if (status === 201) keys.add(headers["idempotency-key"] ?? "none");
        if (status === 200 && method === "DELETE" && !path.endsWith("/addresses"))
          live.delete(path.split("/").at(-1) ?? "");
        most = Math.max(most, live.size);
      },
    },
    { count: 16 },
  );
  expect(findings.flatMap(failureOf)).toEqual([]);
  expect(left).toEqual([]);
  expect(most).toBe(2);
});

test("a server whose clock is an hour ahead passes, since its Date says so", async () => {
  const hourMs = 3_600_000;
  const ahead = (text: string) => text.replaceAll(/(?<=":)1\d{12}\b/g, (time) => String(Number(time) + hourMs));
  const answer: Breakage["answer"] = (answer) => {
    answer.headers.date = new Date(Date.now() + hourMs).toUTCString();
    answer.body = JSON.parse(ahead(JSON.stringify(answer.body)));
  };
  const { findings } = await tryCases({ answer }, { count: 12 });
  expect(findings.flatMap(failureOf)).toEqual([]);
});

test("once it is aborted, what was created is deleted", async () => {
  const ended = new AbortController();
  let created = 0;
  const answer: Breakage["answer"] = ({ status }) => {
    if (status !== 201) return;
    created += 1;
    if (created === 3) ended.abort(new Error("Ctrl-C"));
  };
  await expect(tryCases({ answer }, { count: 100, signal: ended.signal })).rejects.toThrow("Ctrl-C");
  expect(created).toBe(3);
  expect(await webhooks()).toEqual([]);
});

test("a server that closes the connection is reported, with the request", async () => {
  const request: Breakage["request"] = ({ method, path }) => {
    if (method === "DELETE" && path.endsWith("/addresses")) throw new Error("closed");
    return undefined;
  };
  const examined = await tryCases({ request }, { count: 24 });
  expect(rulesOf(examined)).toEqual(["answers"]);
  expect(await webhooks()).toEqual([]);
});
