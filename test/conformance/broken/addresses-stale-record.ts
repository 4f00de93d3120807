import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers a change of addresses with the record before it",
  rules: ["addresses-answer-the-record"],
  async request({ method, path }, ask) {
    if (method === "PATCH" && path.endsWith("/addresses"))
      before = (await ask("GET", path.replace("/addresses", ""))).body;
    return undefined;
  },
  answer(answer, { method, path }) {
    const isAdded = method === "PATCH" && path.endsWith("/addresses") && answer.status === 200;
    if (isAdded) Object.assign(answer.body, { metadata: before.metadata, addressCount: before.addressCount });
  },
};

let before: { metadata: unknown; addressCount: number };
