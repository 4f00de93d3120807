#!/usr/bin/env node
/** `chain-webhooks`, the package's command. See command/run.ts. */
import { asProcess } from "./as-process.ts";
import { run } from "./run.ts";

await asProcess(run);
