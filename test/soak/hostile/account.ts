/** An account that does its worst within its quota: endpoints that never answer, and every operation that holds what others need. */
import { address } from "../../support/api.ts";
import { type Answer, openApi } from "../api.ts";
import type { Acts } from "./acts.ts";

/** How many of its webhooks watch what the other accounts watch. */
const webhooks = 100;
/** As many addresses as a request can have. */
const largestChange = 10_000;
/** So many sets of addresses are added and removed in turn, so that the tables do not grow for as long as the run is. */
const sets = 3;
/** Requests that come with the same Idempotency-Key at the same time. */
const sameKey = 8;
/** Unfinished tests; each waits for an endpoint for 10 s. */
const tests = 12;

export type HostileAccount = {
  /** Where the API is. */
  url: string;
  key: string;
  chainId: string;
  /** An endpoint that takes notifications and never answers. */
  silentUrl: string;
  /** The addresses that the other accounts watch. */
  watched: readonly string[];
  /** Gives a whole number below its argument. */
  dice: (below: number) => number;
  acts: Acts;
};

/** Starts to do it, until the acts end. */
export function startHostileAccount(account: HostileAccount): void {
  const { key, chainId, silentUrl, watched, dice, acts } = account;
  const { call } = openApi(key, () => [account.url]);
  const ids: string[] = [];
  const anyPath = () => `/v1/webhooks/${ids[dice(ids.length)]}`;
  const setOf = (set: number) =>
    Array.from({ length: largestChange }, (_, index) => address(2_000_000 + set * largestChange + index));

  async function create(addresses: readonly string[], headers?: Record<string, string>): Promise<Answer> {
    const body = { url: silentUrl, chainId, eventType: "address_activity", metadata: { addresses } };
    return call("POST", "/v1/webhooks", body, headers);
  }

  const large: Record<string, () => Promise<unknown>> = {
    "changes 10,000 addresses": async () => {
      const body = { addresses: setOf(dice(sets)) };
      await call(dice(2) === 0 ? "PATCH" : "DELETE", `${anyPath()}/addresses`, body);
    },
    "creates and deletes a webhook with 10,000 addresses": async () => {
      const { body } = await create(setOf(sets));
      if (body.id) await call("DELETE", `/v1/webhooks/${body.id}`);
    },
  };
  const worst: Record<string, () => Promise<unknown>> = {
    "creates with one idempotency key at the same time": async () => {
      const headers = { "idempotency-key": `hostile-${dice(1_000_000_000)}` };
      const answers = await Promise.all(Array.from({ length: sameKey }, () => create([address(1)], headers)));
      const created = new Set(answers.map(({ body }) => body.id).filter((id) => id !== undefined));
      for (const id of created) await call("DELETE", `/v1/webhooks/${id}`);
    },
    "queues a replay": async () => {
      const { body } = await call("GET", "/v1/chains");
      const [chain] = (body.chains ?? []) as { followedBlock?: string }[];
      const last = Number(chain?.followedBlock ?? 0);
      if (last > 40) await call("POST", `${anyPath()}/replays`, { fromBlock: "1", toBlock: String(last - 30) });
    },
    "lists a hundred webhooks": () => call("GET", "/v1/webhooks?pageSize=100"),
    "lists notifications": () => call("GET", `${anyPath()}/notifications?status=delivered&pageSize=100`),
    "changes a URL": () => call("PATCH", anyPath(), { url: silentUrl }),
    "pauses and resumes": async () => {
      const path = anyPath();
      await call("PATCH", path, { status: "inactive" });
      await call("PATCH", path, { status: "active" });
    },
    "changes a secret": () => call("POST", `${anyPath()}/secret/rotate`),
  };

  acts.once("creates webhooks at endpoints that hang", async () => {
    for (let n = 0; n < webhooks && acts.going(); n += 1) {
      const { body } = await create([watched[n % watched.length] ?? ""]);
      if (body.id) ids.push(String(body.id));
    }
    acts.repeat(worst, { everyMs: 100, atOnce: 8, dice });
    // More of them a small machine's database would have to do nothing else for.
    acts.repeat(large, { everyMs: 2_000, atOnce: 4, dice });
    acts.repeat({ tests: () => call("POST", `${anyPath()}/test`) }, { everyMs: 250, atOnce: tests, dice });
  });
}
