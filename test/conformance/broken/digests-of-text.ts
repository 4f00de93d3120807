import { createHash } from "node:crypto";
import type { Breakage } from "../breakage.ts";

/** One byte of the hash differs, as where the text is hashed, and not the bytes. */
const wrong = (digest: string) =>
  `${digest.slice(0, 64)}${createHash("sha256").update(digest).digest("hex").slice(0, 2)}`;

export const broken: Breakage = {
  says: "digests the text of addresses",
  rules: ["digest-of-addresses"],
  answer({ body }, { path }) {
    if (/\/digests(\?|$)/.test(path))
      for (const one of (body?.digests ?? []) as { digest: string }[]) one.digest = wrong(one.digest);
  },
};
