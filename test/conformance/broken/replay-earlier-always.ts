import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "replays what happened before the webhook's first block without being asked to",
  rules: ["replay-earlier-if-asked"],
  request({ method, path, body }) {
    const isReplay = method === "POST" && path.endsWith("/replays") && typeof body?.fromBlock === "string";
    if (isReplay && body.includeEarlier === undefined) body.includeEarlier = true;
    return undefined;
  },
};
