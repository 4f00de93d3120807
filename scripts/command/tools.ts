#!/usr/bin/env node
/** `chain-webhooks-tools`, the command of the package of that name. */
import { asProcess } from "./as-process.ts";
import { toolOf } from "./tool.ts";
import { toolCommands } from "./tool-commands.ts";

await asProcess(toolOf("chain-webhooks-tools", toolCommands));
