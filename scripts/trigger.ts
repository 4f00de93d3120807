/** `npm run trigger`: sends an example notification to an endpoint. See commands/trigger.ts. */
import { asProcess } from "./commands/as-process.ts";
import { run } from "./commands/trigger.ts";

await asProcess(run);
