/**
 * What a reader announces besides the blocks: that it reads, and how far. An announcement is not stored. It wakes followers for a new
 * block, and shows followers and other readers that somebody reads; nothing else depends on it.
 */

import { headsSubject } from "./block-stream.ts";
import type { BlocksConnection } from "./connection.ts";
import { formatVersion } from "./pieces.ts";

export type Announcement = {
  version: number;
  /** The process that reads, by a random name. */
  reader: string;
  /** It stops reading. */
  leaves: boolean;
  /** The stream's identity, its newest block, and that one's sequence. */
  stream: string;
  number: number;
  hash: string;
  sequence: number;
  /** The newest final block. */
  final: number;
};

export function announce(
  connection: BlocksConnection,
  chainId: string,
  announcement: Omit<Announcement, "version">,
): void {
  try {
    connection
      .current()
      ?.connection.publish(headsSubject(chainId), JSON.stringify({ version: formatVersion, ...announcement }));
  } catch {
    // The connection closes. Whoever waits for announcements notices that there are none.
  }
}

/** Calls back with each announcement of a known version. @param signal ends it */
export function hearAnnouncements(
  connection: BlocksConnection,
  chainId: string,
  { heard, signal }: { heard: (announcement: Announcement) => void; signal: AbortSignal },
): void {
  const stop = connection.onConnected(({ connection: nats }) => {
    const subscription = nats.subscribe(headsSubject(chainId), {
      callback(error, message) {
        const announcement = error ? undefined : parse(message.string());
        if (announcement && !signal.aborted) heard(announcement);
      },
    });
    signal.addEventListener("abort", () => !nats.isClosed() && subscription.unsubscribe(), { once: true });
  });
  signal.addEventListener("abort", stop, { once: true });
}

function parse(text: string): Announcement | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAnnouncement(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAnnouncement(value: unknown): value is Announcement {
  if (typeof value !== "object" || value === null) return false;
  const { version, reader, leaves, stream, number, hash, sequence, final } = value as Record<string, unknown>;
  return (
    version === formatVersion &&
    [reader, stream, hash].every((text) => typeof text === "string") &&
    [number, sequence, final].every(Number.isSafeInteger) &&
    typeof leaves === "boolean"
  );
}
