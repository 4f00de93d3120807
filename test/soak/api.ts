/** Calls the API of whichever process is up, and counts what came of it. */

/** What came of a call: 0 where nobody answered. */
export type Answer = { status: number; body: Record<string, unknown> };

export type Api = {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** How often each operation was answered with each status. */
  counts: Map<string, number>;
};

/** @param urls gives the addresses that may answer, of which one is taken in turn */
export function openApi(key: string, urls: () => readonly string[]): Api {
  const counts = new Map<string, number>();
  let turn = 0;
  return {
    counts,
    async call(method, path, body) {
      const all = urls();
      turn += 1;
      const answer = await request(`${all[turn % all.length]}${path}`, method, key, body);
      const name = `${method} ${path.replace(/\?.*/, "").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "*")} ${answer.status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return answer;
    },
  };
}

async function request(url: string, method: string, key: string, body: unknown): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { "x-service-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
}
