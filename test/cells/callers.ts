/** Accounts that call the API through both proxies all the time, and keep what they are answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ProxyName } from "../operations/cell-proxies.ts";
import { type Call, httpsCall } from "../operations/https-call.ts";
import type { Front } from "./front.ts";

export type Caller = { account: string; key: string };
/** @property status undefined while nobody listened */
export type Answered = { account: string; by: ProxyName; status: number | undefined; body: string };

export type Callers = {
  /** Every answer so far. */
  answered: Answered[];
  stop(): Promise<void>;
};

/** Calls the API by HAProxy. @returns the answer's body @throws unless it is a success */
export async function callApi<T>(
  { proxies, authority }: Pick<Front, "proxies" | "authority">,
  key: string,
  { body, ...call }: Omit<Call, "body"> & { body?: unknown },
): Promise<T> {
  const sent = { ...call, headers: headersOf(key), ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await httpsCall(proxies.haproxy.port, authority, sent);
  if (answer.status === undefined || answer.status >= 300)
    throw new Error(`${call.method ?? "GET"} ${call.path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as T;
}

const headersOf = (key: string) => ({ "x-service-api-key": key, "content-type": "application/json" });

/** Each account in turn lists its webhooks, by each proxy in turn. */
export function startCalling(
  callers: readonly Caller[],
  { proxies, authority }: Pick<Front, "proxies" | "authority">,
): Callers {
  const answered: Answered[] = [];
  let going = true;
  const calling = (async () => {
    while (going)
      for (const { account, key } of callers)
        for (const by of ["haproxy", "nginx"] as const) {
          const { port } = proxies[by];
          const { status, body } = await httpsCall(port, authority, { path: "/v1/webhooks", headers: headersOf(key) });
          answered.push({ account, by, status, body });
          await sleep(60);
        }
  })();
  return {
    answered,
    async stop() {
      going = false;
      await calling;
    },
  };
}
