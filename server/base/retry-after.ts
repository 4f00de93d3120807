/** Parses the `Retry-After` of nodes and endpoints: seconds or a date (RFC 9110, section 10.2.3). */

/** @param nowMs since the epoch @returns ms from now, 0 for a past date; undefined for an invalid header */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,10}$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
