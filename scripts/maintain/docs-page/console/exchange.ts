/** Sends a request and reads the whole answer, or explains in a sentence why there is none. */
import type { Prepared } from "./request.ts";

/** What came back, and how long it took. */
export type Answer = {
  status: number;
  reason: string;
  headers: [name: string, value: string][];
  body: string;
  durationMs: number;
};

/** @param origin of the page, for whom a server of another origin must allow to read its answers */
export async function exchange(
  { url, ...request }: Prepared,
  origin: string,
  signal: AbortSignal,
): Promise<Answer | { problem: string }> {
  const begun = performance.now();
  try {
    // A redirect would carry the key to wherever it leads.
    const fixed = { credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" } as const;
    const response = await fetch(url, { ...request, ...fixed, signal });
    const body = await response.text();
    return {
      status: response.status,
      reason: response.statusText,
      headers: [...response.headers],
      body,
      durationMs: Math.round(performance.now() - begun),
    };
  } catch {
    if (signal.aborted) return { problem: "Cancelled before an answer came; the server may have done it even so." };
    return { problem: whyNone(url, origin) };
  }
}

/** A browser does not tell a page the reason, so the sentence lists the possible ones. */
function whyNone(url: URL, origin: string): string {
  if (url.origin === origin)
    return `No answer came from ${url.origin}: the server does not run, or the connection broke off.`;
  return (
    `No answer came from ${url.origin} that this page may read: nothing answers there, or it does not allow pages from ` +
    `elsewhere to call it (CORS), or the server of this page lets it call no other. Open the page that the server itself ` +
    `has at ${url.origin}/docs, or start "npm run docs -- --server ${url.origin}".`
  );
}
