#!/usr/bin/env node
/** `chain-webhooks`, the package's command. See commands/verbs.ts. */
import { run } from "./commands/verbs.ts";

// Whoever reads us may stop early, as `head` does: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
