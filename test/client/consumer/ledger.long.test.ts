/** The ledger of the guide equals the chain, whatever is killed, cut, reorganised, repeated, delayed, reordered or dropped meanwhile. */
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { expectTrueLedger, kills, limitMs, seed } from "./ledger-course.ts";

const program = fileURLToPath(new URL("../../../examples/ledger.ts", import.meta.url));

test(`equals the chain after ${kills} kills (CONSUMER_SEED=${seed})`, { timeout: limitMs }, () =>
  expectTrueLedger({ command: [process.execPath, "--import", "tsx", program] }),
);
