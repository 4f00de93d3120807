/** What the main thread and those that read say to one another. */

import type { BlockId } from "../../store/chains/cursor.ts";
import type { Found } from "../check/examine.ts";
import type { BlockRefusedError } from "../check/refused.ts";
import type { ChainConfig } from "../config.ts";
import type { NodeError } from "../nodes/node.ts";
import type { EndedCall } from "../nodes/node-calls.ts";
import type { Matches, ReadBlock, WatchedBy } from "./block.ts";

/** Which blocks to read: by number, as far as there are any, or all of those hashes. */
export type Wanted = { traces: boolean } & ({ from: number; to: number } | { hashes: readonly ReadBlock["hash"][] });

/** What is asked for. `reader` and `run` are numbers that the main thread gives. */
export type Question =
  | { ask: "read"; reader: number; run: number; wanted: Wanted }
  | { ask: "match"; reader: number; run: number; index: number; watchedBy: WatchedBy };

/** What is told and needs no answer. */
export type Notice =
  | { tell: "open"; reader: number; url: string; chain: ChainConfig; atOnce: number }
  | { tell: "cancel" | "close"; reader: number }
  | { tell: "release"; reader: number; run: number };

export type Order = Notice | (Question & { id: number });

/** A block's own part of the message; its participants in one text, which is handed over as one, and not one by one. */
export type ToldBlock = Omit<ReadBlock, "match" | "participants"> & { participants: string };

/** What blocks were accepted without. */
export type Accepted = Found & { block: BlockId };

/** What came of reading; what the calls came to is told also when it failed. */
export type ReadAnswer = { calls: EndedCall[]; accepted: Accepted[] } & (
  | { blocks: ToldBlock[] }
  | { error: ToldError }
);
export type MatchAnswer = { matches: Matches } | { error: ToldError };
export type Answer = { id: number } & (ReadAnswer | MatchAnswer);

/** An error as its class and what that is made from, since only plain data gets from one thread to another. */
export type ToldError =
  | { of: "node" | "not believed"; reason: string; about: NodeError["about"] }
  | { of: "refused"; failed: BlockRefusedError["failed"]; about: BlockRefusedError["about"] }
  | { of: "other"; reason: string };
