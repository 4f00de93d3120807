/** Calls the API of any process that is up, and counts the outcomes. */

import type { CallWait } from "./report.ts";

const patienceMs = 30_000;

/** What came of a call: 0 where nobody answered. */
export type Answer = { status: number; body: Record<string, unknown> };

export type Api = {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** How often each operation was answered with each status. */
  counts: Map<string, number>;
  /** How long each call took. One that nobody answered or that was refused took as long as a client waits at most. */
  waits: CallWait[];
};

/** @param urls gives the addresses that may answer, of which one is taken in turn */
export function openApi(key: string, urls: () => readonly string[]): Api {
  const counts = new Map<string, number>();
  const waits: CallWait[] = [];
  let turn = 0;
  return {
    counts,
    waits,
    async call(method, path, body, headers = {}) {
      const all = urls();
      turn += 1;
      const at = Date.now();
      const from = performance.now();
      const sent = { "x-service-api-key": key, ...headers };
      const answer = await request(`${all[turn % all.length]}${path}`, method, sent, body);
      const isRefused = answer.status === 0 || answer.status === 429 || answer.status === 503;
      waits.push({ at, ms: isRefused ? patienceMs : performance.now() - from, isRead: method === "GET" });
      const name = `${method} ${path.replace(/\?.*/, "").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "*")} ${answer.status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return answer;
    },
  };
}

async function request(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}
