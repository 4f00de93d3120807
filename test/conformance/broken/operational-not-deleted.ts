import type { Body, Breakage } from "../breakage.ts";

/** What was deleted. */
let kept: Body;

export const broken: Breakage = {
  says: "still answers with an operational webhook that is deleted",
  rules: ["deleted-is-gone"],
  answer(answer, { method, path }) {
    if (path !== "/v1/operational-webhook") return;
    if (method === "PUT") kept = undefined;
    if (method === "DELETE" && answer.status === 200)
      kept = { ...answer.body, status: "active", statusReason: "created" };
    if (method === "GET" && answer.status === 404 && kept) Object.assign(answer, { status: 200, body: kept });
  },
};
