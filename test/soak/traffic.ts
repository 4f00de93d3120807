/** What clients do meanwhile: every operation that does not take a webhook away, ten a second, and many reads of a webhook. */
import { setTimeout as sleep } from "node:timers/promises";
import { address } from "../support/api.ts";
import type { Api } from "./api.ts";
import type { Course } from "./course.ts";

const pauseMs = 100;
/** Of what 99 of 100 reads take, hundreds in each window say something. With the operations' alone, the slowest of twenty did. */
const readPauseMs = 20;

/** Starts it. @param create makes one more webhook @returns what ends it */
export function startTraffic(
  api: Api,
  ids: readonly string[],
  create: () => Promise<unknown>,
  course: Course,
): () => Promise<void> {
  const dice = course.diceFor("traffic");
  let going = true;

  async function withNotification(path: string, act: (path: string) => Promise<unknown>): Promise<void> {
    const { body } = await api.call("GET", `${path}/notifications?pageSize=20`);
    const listed = (body.notifications ?? []) as { messageId: string }[];
    const one = listed[dice(Math.max(1, listed.length))];
    if (one) await act(`${path}/notifications/${one.messageId}`);
  }

  async function replay(path: string): Promise<void> {
    const { body } = await api.call("GET", "/v1/chains");
    const [chain] = (body.chains ?? []) as { followedBlock?: string }[];
    const last = Number(chain?.followedBlock ?? 0);
    // Blocks that may still be taken back are left alone, and so is what was there before the run.
    if (last > 40)
      await api.call("POST", `${path}/replays`, { fromBlock: String(last - 20), toBlock: String(last - 15) });
  }

  const acts: readonly ((path: string) => Promise<unknown>)[] = [
    create,
    (path) => api.call("GET", path),
    (path) => api.call("PATCH", path, { name: `name ${dice(1_000)}` }),
    (path) => api.call("PATCH", path, { status: dice(4) === 0 ? "inactive" : "active" }),
    (path) => api.call("PATCH", `${path}/addresses`, { addresses: [address(1_000_000 + dice(1_000))] }),
    (path) => api.call("DELETE", `${path}/addresses`, { addresses: [address(1_000_000 + dice(1_000))] }),
    (path) => api.call("GET", `${path}/addresses`),
    () => api.call("GET", "/v1/webhooks?pageSize=50"),
    (path) => api.call("GET", `${path}/secret`),
    (path) => api.call("POST", `${path}/secret/rotate`),
    (path) => withNotification(path, (one) => api.call("GET", one)),
    (path) => withNotification(path, (one) => api.call("POST", `${one}/resend`)),
    replay,
  ];
  const running = (async () => {
    while (going) {
      await acts[dice(acts.length)]?.(`/v1/webhooks/${ids[dice(ids.length)]}`);
      await sleep(pauseMs);
    }
  })();
  const readDice = course.diceFor("reads");
  const reading = (async () => {
    while (going) {
      await api.call("GET", `/v1/webhooks/${ids[readDice(ids.length)]}`);
      await sleep(readPauseMs);
    }
  })();
  const both = Promise.all([running, reading]);
  both.catch(() => undefined);
  return async () => {
    going = false;
    await both;
  };
}
