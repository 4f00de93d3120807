#!/usr/bin/env node
/** `chain-webhooks-service`, the command of the package of that name. */
import { asProcess } from "./as-process.ts";
import { serviceCommands } from "./service-commands.ts";
import { toolOf } from "./tool.ts";

await asProcess(toolOf("chain-webhooks-service", serviceCommands));
