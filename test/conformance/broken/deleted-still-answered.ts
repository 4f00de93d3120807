import type { Breakage } from "../breakage.ts";

const created = new Map<string, { status: number; headers: Record<string, string>; body: unknown }>();

export const broken: Breakage = {
  says: "answers with a webhook that was deleted when its creation is sent again",
  rules: ["idempotent-after-delete"],
  request: () => undefined,
  answer(answer, { method, path, headers }) {
    const key = headers["idempotency-key"];
    if (method !== "POST" || path !== "/v1/webhooks" || key === undefined) return;
    if (answer.status === 201) created.set(key, structuredClone(answer));
    else if (/deleted/.test(answer.body?.message)) Object.assign(answer, created.get(key));
  },
};
