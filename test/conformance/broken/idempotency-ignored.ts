import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "creates again under the same Idempotency-Key",
  rules: ["idempotent-answer"],
  request({ headers }) {
    if (String(headers["idempotency-key"]).length <= 255) delete headers["idempotency-key"];
    return undefined;
  },
};
