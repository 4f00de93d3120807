import type { Breakage } from "../breakage.ts";

/** What stands in the place of the slowest rate. */
const quick = 999;

export const broken: Breakage = {
  says: "sends as fast as it can, whatever rate the webhook has",
  rules: ["callback-rate"],
  needs: "chain",
  request({ body }) {
    if (body?.maxPerSecond === 1) body.maxPerSecond = quick;
    return undefined;
  },
  answer({ body }) {
    for (const record of [body, ...(body?.webhooks ?? [])]) if (record?.maxPerSecond === quick) record.maxPerSecond = 1;
  },
};
