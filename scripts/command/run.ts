/** The commands of all packages, in a checkout. */
import { serviceCommands } from "./service-commands.ts";
import { toolOf } from "./tool.ts";
import { toolCommands } from "./tool-commands.ts";

/** Runs a command. @param args without the names of node and of the tool. @returns the exit code */
export const run = toolOf("npm run cli --", { ...serviceCommands, ...toolCommands });
