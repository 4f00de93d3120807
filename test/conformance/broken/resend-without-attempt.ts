import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "accepts a resend, and counts an attempt that was not made",
  rules: ["notification-resent"],
  needs: "chain",
  async request({ method, path }, ask) {
    if (method !== "POST" || !path.endsWith("/resend")) return undefined;
    const { headers, body } = await ask("GET", path.replace("/resend", ""));
    const { payload: _, attempts: __, ...record } = body;
    // What is only read by its feed has none, and is another rule.
    return body.attempts?.length > 0 ? { status: 202, headers, body: record } : undefined;
  },
  answer({ body }) {
    if (body.attempts?.length !== 1) return;
    const lastAttempt = { ...body.attempts[0], number: 2 };
    body.attempts.push(lastAttempt);
    Object.assign(body, { attemptCount: 2, lastAttempt });
  },
};
