#!/usr/bin/env node
/** `chain-webhooks`, the package's command. See commands/verbs.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/verbs.ts";

await asProcess(run);
