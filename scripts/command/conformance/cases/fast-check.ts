/** fast-check makes the cases and shrinks the ones that fail. Only `--cases` needs it, so it is an optional peer. */
import { requirePeer } from "../../../../server/base/optional-peers.ts";

/** The library. */
export type FastCheck = typeof import("fast-check");

/** @throws {ServiceError} `package_missing` */
export function loadFastCheck(): FastCheck {
  return requirePeer("fast-check", "Generated cases need fast-check")("fast-check") as FastCheck;
}
