import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "answers a change of addresses with the record before it",
  rules: ["addresses-answer-the-record"],
  async request({ method, path }, ask) {
    if (method === "PATCH" && path.endsWith("/addresses"))
      before.set(path, (await ask("GET", path.replace("/addresses", ""))).body);
    return undefined;
  },
  answer(answer, { method, path }) {
    const isAdded = method === "PATCH" && path.endsWith("/addresses") && answer.status === 200;
    const { metadata, addressCount } = before.get(path) ?? {};
    if (isAdded) Object.assign(answer.body, { metadata, addressCount });
  },
};

const before = new Map<string, { metadata?: unknown; addressCount?: number }>();
