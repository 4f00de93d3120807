import type { Breakage } from "../breakage.ts";

/** What was shown last. */
let names: unknown;

export const broken: Breakage = {
  says: "keeps the headers of an operational webhook that is registered again without any",
  rules: ["operational-replaced"],
  answer({ body }, { path, method }) {
    if (method !== "PUT" || path !== "/v1/operational-webhook") return;
    const record = body as { url?: string; headerNames?: unknown };
    names = record.headerNames ?? names;
    if (record.url !== undefined && names !== undefined) record.headerNames = names;
  },
};
