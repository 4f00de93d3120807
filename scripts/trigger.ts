/** `npm run trigger`: sends an example notification to an endpoint. See commands/trigger.ts. */
import { run } from "./commands/trigger.ts";

process.exitCode = await run(process.argv.slice(2));
