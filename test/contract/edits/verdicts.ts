/** The verdicts of the three tools on an edit, made comparable: does a gate refuse it, warn of it, or let it pass. */
import type { ShopEdit } from "./shop.ts";

/** By the name of the edit: Redocly's bump and oasdiff's level, as `node --import tsx test/contract/other-tools.ts -- --write` writes them. */
export type Others = Record<string, { redocly: string; oasdiff: string }>;

type Verdict = "breaking" | "warning" | "harmless";

const ofLevel = (level: string): Verdict => (level === "breaking" || level === "warning" ? level : "harmless");
/** Redocly has no warnings. */
const ofBump = (bump: string): Verdict => (bump === "major" ? "breaking" : "harmless");

/** Whether Redocly or oasdiff judges otherwise than we do. */
export function differs(level: ShopEdit[1], other: Others[string] | undefined): boolean {
  return !other || ofBump(other.redocly) !== ofLevel(level) || ofLevel(other.oasdiff) !== ofLevel(level);
}
