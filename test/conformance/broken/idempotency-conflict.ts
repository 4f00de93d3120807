import type { Breakage } from "../breakage.ts";

const bodies = new Map<string, string>();

export const broken: Breakage = {
  says: "takes another body under the same Idempotency-Key",
  rules: ["idempotency-conflict"],
  request({ headers, body }) {
    const key = headers["idempotency-key"];
    if (key === undefined) return undefined;
    const text = JSON.stringify(body);
    if ((bodies.get(key) ?? text) !== text) delete headers["idempotency-key"];
    bodies.set(key, bodies.get(key) ?? text);
    return undefined;
  },
};
