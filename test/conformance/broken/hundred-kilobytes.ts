import { type Breakage, refusal } from "../breakage.ts";

export const broken: Breakage = {
  says: "refuses bodies of more than 100 kB",
  rules: ["large-body-taken"],
  request({ body }) {
    const bytes = typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body).length : body?.length;
    return bytes > 100_000 ? refusal(413, "The body must be at most 100 kB.") : undefined;
  },
};
